//===- kernels.c - Kernel functions to vector loops -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/schedule/kernels.h"
#include "xlac/dialect/error.h"

#include "mlir-c/BuiltinAttributes.h"

#include "mlir-c/Diagnostics.h"
#include "xlac/lowering/cpu/attention/attention.h"
#include "xlac/lowering/cpu/matmul/product.h"
#include "xlac/lowering/cpu/schedule/nest.h"
#include <stdlib.h>
#include <string.h>

XlaCpuScheduleOptions xlaCpuScheduleOptionsDefault(void) {
  return (XlaCpuScheduleOptions){.vectorBits = 512,
                                 .threads = 1,
                                 .serialNanoseconds =
                                     XLA_CPU_SERIAL_NANOSECONDS,
                                 .l1Bytes = 32 << 10,
                                 .l2Bytes = 1 << 20,
                                 .stackBytes = 256 << 10};
}

XlaCpuScheduleOptions
xlaCpuScheduleOptionsForTarget(const XlaCpuTarget *target) {
  XlaCpuScheduleOptions options = xlaCpuScheduleOptionsDefault();
  options.vectorBits = target->vectorBits;
  options.threads = target->threads;
  options.serialNanoseconds = target->serialNanoseconds;
  options.l1Bytes = target->l1Bytes;
  options.l2Bytes = target->l2Bytes;
  options.target = target;
  return options;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Does a statement of [0, count) exchange an alloc with statement `count`?
static bool joinedByAlloc(const XlaSchedStatement *statements, int count) {
  const XlaSchedStatement *next = &statements[count];
  for (int j = 0; j < next->nIns + next->nOuts; ++j)
    for (int s = 0; s < count; ++s)
      for (int i = statements[s].nIns;
           i < statements[s].nIns + statements[s].nOuts; ++i)
        if (xlaSchedIsAlloc(next->accesses[j].root) &&
            mlirValueEqual(statements[s].accesses[i].root,
                           next->accesses[j].root))
          return true;
  return false;
}

/// What a nest is chosen for.
typedef struct Place {
  const XlaCpuScheduleOptions *options;
  bool atTop; ///< not inside of a loop
} Place;

static bool pays(const XlaSchedRun *run, void *user) {
  const XlaCpuScheduleOptions *options = ((const Place *)user)->options;
  XlaSchedGroup group = {(XlaSchedStatement *)run->statements, run->n,
                         run->nShared};
  bool alloc = false;
  for (int s = run->length; s < run->n; ++s)
    alloc |= joinedByAlloc(run->statements, s);
  // Not those that there are: results shall not depend on them.
  const int64_t enough = 16;
  return run->volume >= run->before || run->volume >= enough || alloc ||
         xlaSchedCost(&group, options) < (double)options->serialNanoseconds;
}

static MlirLogicalResult emit(XlaSchedGroup *group, void *user) {
  const Place *place = user;
  return xlaSchedGroupEmit(group, place->options, place->atTop);
}

static MlirLogicalResult noMemory(MlirOperation op) {
  xlaErrorNoMemory(mlirOperationGetLocation(op));
  return mlirLogicalResultFailure();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

typedef struct Walk {
  MlirOperation *ops; ///< linalg ops in order
  size_t count, capacity;
  bool failed;
} Walk;

static MlirWalkResult collect(MlirOperation op, void *userData) {
  Walk *walk = userData;
  if (!xlaSchedIsStatement(op))
    return MlirWalkResultAdvance;
  if (walk->count == walk->capacity) {
    size_t capacity = walk->capacity ? 2 * walk->capacity : 16;
    MlirOperation *ops = realloc(walk->ops, capacity * sizeof *ops);
    if (!ops) {
      walk->failed = true;
      return MlirWalkResultInterrupt;
    }
    walk->ops = ops;
    walk->capacity = capacity;
  }
  walk->ops[walk->count++] = op;
  return MlirWalkResultSkip;
}

/// Arithmetic on scalars, as of the neutral value of a reduction.
static bool isScalarArithmetic(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return name.length > 6 && !memcmp(name.data, "arith.", 6);
}

static bool isView(MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1)
    return false;
  MlirValue result = mlirOperationGetResult(op, 0);
  return mlirTypeIsAMemRef(mlirValueGetType(result)) &&
         !mlirValueEqual(xlaSchedRoot(result), result);
}

/// Whether an op of the kernel may write to `buffer`.
static bool isWritten(MlirValue buffer) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (isView(user) && isWritten(mlirOperationGetResult(user, 0)))
      return true;
    if (isView(user) || xlaIrIsOp(user, "memref.load") ||
        xlaIrIsOp(user, "affine.load"))
      continue;
    MlirAttribute sizes = mlirOperationGetAttributeByName(
        user, mlirStringRefCreateFromCString("operandSegmentSizes"));
    if (!xlaSchedIsStatement(user) || mlirAttributeIsNull(sizes) ||
        (int32_t)mlirOpOperandGetOperandNumber(use) >=
            mlirDenseI32ArrayGetElement(sizes, 0))
      return true;
  }
  return false;
}

/// The load of a scalar argument that statements leave alone.
static bool isScalarInput(MlirOperation op) {
  if (!xlaIrIsOp(op, "memref.load"))
    return false;
  MlirValue root = xlaSchedRoot(mlirOperationGetOperand(op, 0));
  return mlirValueIsABlockArgument(root) && !isWritten(root);
}

/// May linalg ops on both sides of `op` be scheduled together?
static bool isTransparent(MlirOperation op) {
  if (xlaIrIsOp(op, "memref.alloc") || xlaIrIsOp(op, "memref.dealloc") ||
      isScalarArithmetic(op) || isScalarInput(op))
    return true;
  return isView(op);
}

/// The ops [begin, end) of `walk` that lie in one block with nothing but views
/// and allocs between them.
static size_t runEnd(const Walk *walk, size_t begin) {
  size_t end = begin + 1;
  while (end < walk->count) {
    MlirOperation op = mlirOperationGetNextInBlock(walk->ops[end - 1]);
    while (op.ptr && isTransparent(op))
      op = mlirOperationGetNextInBlock(op);
    if (!op.ptr || !mlirOperationEqual(op, walk->ops[end]))
      break;
    ++end;
  }
  return end;
}

static MlirLogicalResult scheduleOps(const Walk *walk, size_t begin, size_t end,
                                     const XlaCpuScheduleOptions *options) {
  XlaSchedStatement *statements = calloc(end - begin, sizeof *statements);
  MlirLogicalResult result =
      statements ? mlirLogicalResultSuccess() : noMemory(walk->ops[begin]);
  MlirOperation parent = mlirOperationGetParentOperation(walk->ops[begin]);
  int n = 0;
  for (size_t i = begin; i < end && mlirLogicalResultIsSuccess(result); ++i) {
    result = xlaSchedStatementRead(walk->ops[i], &statements[n]);
    if (mlirLogicalResultIsFailure(result)) {
      free(statements[n].accesses);
    } else if (statements[n].isEmpty) {
      free(statements[n].accesses);
      mlirOperationDestroy(walk->ops[i]);
    } else {
      ++n;
    }
  }
  Place place = {options, xlaIrIsOp(parent, "func.func")};
  if (mlirLogicalResultIsSuccess(result) && n > 0)
    result =
        xlaSchedGroups(statements, n, &(XlaSchedGrouper){pays, emit, &place});
  for (int i = 0; i < n; ++i) {
    mlirOperationDestroy(statements[i].op);
    free(statements[i].accesses);
  }
  free(statements);
  return result;
}

//===----------------------------------------------------------------------===//
// Allocs that are left
//===----------------------------------------------------------------------===//

static bool isAlloc(MlirOperation op) { return xlaIrIsOp(op, "memref.alloc"); }

/// Erases what looks into `buffer` and is not used; true if `buffer` is then
/// unused itself.
static bool eraseDeadViews(MlirValue buffer) {
  bool dead = true;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       !mlirOpOperandIsNull(use);) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    use = mlirOpOperandGetNextUse(use);
    if (isView(user) && eraseDeadViews(mlirOperationGetResult(user, 0)))
      mlirOperationDestroy(user);
    else
      dead &= xlaIrIsOp(user, "memref.dealloc");
  }
  return dead;
}

static void eraseWithDeallocs(MlirOperation alloc) {
  MlirValue buffer = mlirOperationGetResult(alloc, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       !mlirOpOperandIsNull(use); use = mlirValueGetFirstUse(buffer))
    mlirOperationDestroy(mlirOpOperandGetOwner(use));
  mlirOperationDestroy(alloc);
}

static MlirLogicalResult finishAllocs(MlirOperation func,
                                      const XlaCpuScheduleOptions *options) {
  XlaIrOps allocs = xlaIrCollect(func, MlirWalkPreOrder, isAlloc);
  MlirLogicalResult result =
      allocs.failed ? noMemory(func) : mlirLogicalResultSuccess();
  for (intptr_t i = 0; i < allocs.n && mlirLogicalResultIsSuccess(result);
       ++i) {
    if (eraseDeadViews(mlirOperationGetResult(allocs.ops[i], 0))) {
      eraseWithDeallocs(allocs.ops[i]);
    } else if (!options->allowAlloc) {
      mlirEmitError(mlirOperationGetLocation(allocs.ops[i]),
                    "an intermediate does not fit into a row of scratch "
                    "memory and needs a buffer");
      result = mlirLogicalResultFailure();
    }
  }
  free(allocs.ops);
  return result;
}

MlirLogicalResult xlaCpuScheduleFunction(MlirOperation func,
                                         const XlaCpuScheduleOptions *options) {
  if (options->vectorBits < 64 || options->threads < 1) {
    mlirEmitError(mlirOperationGetLocation(func),
                  "scheduling needs vectors of at least 64 bits and a thread");
    return mlirLogicalResultFailure();
  }
  Walk walk = {NULL, 0, 0, false};
  mlirOperationWalk(func, collect, &walk, MlirWalkPreOrder);
  MlirLogicalResult result =
      walk.failed ? noMemory(func) : mlirLogicalResultSuccess();
  for (size_t i = 0, end; i < walk.count && mlirLogicalResultIsSuccess(result);
       i = end) {
    // Erasing ops of an earlier run does not touch the later ones.
    end = runEnd(&walk, i);
    result = scheduleOps(&walk, i, end, options);
  }
  free(walk.ops);
  if (mlirLogicalResultIsFailure(result))
    return result;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(func, 0));
  for (intptr_t i = 0; entry.ptr && i < mlirBlockGetNumArguments(entry); ++i)
    eraseDeadViews(mlirBlockGetArgument(entry, i));
  return finishAllocs(func, options);
}

MlirLogicalResult xlaCpuScheduleKernels(MlirOperation module,
                                        const XlaCpuScheduleOptions *options) {
  static const char *const kinds[] = {"loop",      "reduce",      "row",
                                      "transpose", "contraction", "attention",
                                      "scatter"};
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute kind = mlirOperationGetAttributeByName(
        op, mlirStringRefCreateFromCString("xla.kind"));
    if (!xlaIrIsOp(op, "func.func") || mlirAttributeIsNull(kind) ||
        !mlirAttributeIsAString(kind))
      continue;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
      if (mlirStringRefEqual(mlirStringAttrGetValue(kind),
                             mlirStringRefCreateFromCString(kinds[k]))) {
        if ((options->target && mlirLogicalResultIsFailure(xlaCpuProductEmit(
                                    op, mlirModuleFromOperation(module),
                                    options->target, options->report))) ||
            mlirLogicalResultIsFailure(xlaCpuAttentionEmit(
                op, mlirModuleFromOperation(module), options)) ||
            mlirLogicalResultIsFailure(xlaCpuScheduleFunction(op, options)))
          return mlirLogicalResultFailure();
        break;
      }
  }
  return mlirLogicalResultSuccess();
}
