//===- schedule.c - A kernel function becomes dispatches ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/error.h"
#include "xlac/lowering/vulkan/matmul/matmul.h"
#include "xlac/lowering/vulkan/schedule/emit.h"

#include "mlir-c/Diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  maxGroupStatements = 64,
  /// Work, in elements, that is not worth more than one thread.
  smallWork = 256,
  rowWork = 4096, ///< the same of a row
};

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

static int64_t sharedVolume(const XlaSchedStatement *statement,
                            const int *shared, int nShared) {
  int64_t volume = 1;
  for (int c = 0; c < nShared; ++c)
    volume *= statement->sizes[shared[c]];
  return volume;
}

static int64_t work(const XlaSchedStatement *statements, int n) {
  int64_t sum = 0;
  for (int s = 0; s < n; ++s) {
    int64_t volume = xlaSchedVolume(&statements[s], 0, statements[s].nDims);
    if (__builtin_add_overflow(sum, volume, &sum))
      return INT64_MAX;
  }
  return sum;
}

/// Rows below which a device idles.
static int64_t wantedRows(const XlaVulkanInfo *info) {
  return info->kind == XlaVulkanKindSoftware ? 16 : 1024;
}

/// Is it worth while to give every statement no more threads than `rows`?
static bool isWide(const XlaVulkanInfo *info,
                   const XlaSchedStatement *statements, int n, int64_t rows) {
  if (rows >= wantedRows(info) || work(statements, n) <= smallWork)
    return true;
  for (int s = 0; s < n; ++s) {
    int own, shared[XLA_SCHED_MAX_DIMS];
    if (!xlaSchedShare(&statements[s], 1, shared, &own) ||
        (sharedVolume(&statements[s], shared, own) > rows &&
         work(&statements[s], 1) / rowWork > rows))
      return false;
  }
  return true;
}

/// The longest run from statements[0] that is worth one dispatch. Its
/// statements' shared positions are left in `shared`.
static int groupLength(const XlaVulkanInfo *info,
                       const XlaSchedStatement *statements, int nStatements,
                       int *shared, int *nShared) {
  int length = 1;
  // Fills and other readers may lie between a statement and one that must join
  // it.
  for (int n = 2;
       n <= nStatements && n <= length + 8 && n <= maxGroupStatements; ++n) {
    int common;
    if (xlaSchedShare(statements, n, shared, &common) &&
        isWide(info, statements, n, sharedVolume(statements, shared, common)))
      length = n;
  }
  xlaSchedShare(statements, length, shared, nShared);
  return length;
}

static MlirLogicalResult scheduleStatements(XlaVulkanMemoryMap *memory,
                                            XlaSchedStatement *statements,
                                            int nStatements) {
  int *shared =
      malloc(((size_t)nStatements + 1) * XLA_SCHED_MAX_DIMS * sizeof *shared);
  MlirLogicalResult result = mlirLogicalResultSuccess();
  if (!shared) {
    xlaErrorNoMemory(mlirOperationGetLocation(memory->schedule->function));
    return mlirLogicalResultFailure();
  }
  for (int i = 0, n; i < nStatements && mlirLogicalResultIsSuccess(result);
       i += n) {
    XlaSchedGroup group = {.statements = statements + i};
    n = groupLength(memory->schedule->info, statements + i, nStatements - i,
                    shared, &group.nShared);
    group.nStatements = n;
    for (int s = 0; s < n; ++s)
      xlaSchedShareFirst(&group.statements[s], shared + s * XLA_SCHED_MAX_DIMS,
                         group.nShared);
    result = xlaVulkanEmitGroup(memory, &group);
  }
  free(shared);
  return result;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Statements that wait for a dispatch.
typedef struct Pending {
  XlaSchedStatement *statements;
  int n, capacity;
} Pending;

static MlirLogicalResult addStatement(Pending *pending, MlirOperation op) {
  if (pending->n == pending->capacity) {
    int capacity = 2 * pending->capacity + 8;
    XlaSchedStatement *statements =
        realloc(pending->statements, (size_t)capacity * sizeof *statements);
    if (!statements) {
      xlaErrorNoMemory(mlirOperationGetLocation(op));
      return mlirLogicalResultFailure();
    }
    pending->statements = statements;
    pending->capacity = capacity;
  }
  XlaSchedStatement *statement = &pending->statements[pending->n];
  if (mlirLogicalResultIsFailure(xlaSchedStatementRead(op, statement))) {
    free(statement->accesses);
    return mlirLogicalResultFailure();
  }
  if (statement->isEmpty)
    free(statement->accesses);
  else
    ++pending->n;
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult flush(XlaVulkanMemoryMap *memory, Pending *pending) {
  MlirLogicalResult result = mlirLogicalResultSuccess();
  if (pending->n)
    result = scheduleStatements(memory, pending->statements, pending->n);
  for (int s = 0; s < pending->n; ++s)
    free(pending->statements[s].accesses);
  pending->n = 0;
  return result;
}

/// Is `op` taken into a shader when a dispatch needs it?
static bool isOnDemand(MlirOperation op) {
  static const char *const names[] = {"memref.alloc", "memref.dealloc",
                                      "memref.get_global", "memref.load",
                                      "func.return"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (xlaIrIsOp(op, names[i]))
      return true;
  return xlaIrHasPrefix(op, "arith.") || xlaIrHasPrefix(op, "math.") ||
         (mlirOperationGetNumResults(op) == 1 &&
          mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetResult(op, 0))));
}

/// A kernel on its way.
typedef struct Kernel {
  XlaVulkanMemoryMap memory;
  Pending pending;
  bool hasProduct; ///< that `matmul` is the product of
  XlaContractionKernel product;
  XlaVulkanMatmul matmul;
  XlaVulkanMatmulTiling tiling;
} Kernel;

/// The product in the place of linalg's operations.
static MlirLogicalResult scheduleProduct(Kernel *kernel) {
  XlaVulkanMatmul *matmul = &kernel->matmul;
  XlaVulkanSchedule *schedule = kernel->memory.schedule;
  if (matmul->arguments[2] < 0) {
    matmul->arguments[2] = schedule->kernel->nArguments;
    matmul->resultOffset =
        xlaVulkanScratchOf(&kernel->memory, kernel->product.product);
    if (matmul->resultOffset < 0)
      return mlirLogicalResultFailure();
  }
  if (schedule->report)
    xlaVulkanMatmulReport(matmul, &kernel->tiling, schedule->kernel->name,
                          schedule->kernel->nDispatches);
  return xlaVulkanMatmulEmit(matmul, &kernel->tiling, schedule);
}

static bool isLoop(MlirOperation op) {
  return xlaIrIsOp(op, "scf.for") || xlaIrIsOp(op, "scf.if");
}

static MlirLogicalResult scheduleOp(Kernel *kernel, MlirOperation op) {
  XlaVulkanMemoryMap *memory = &kernel->memory;
  const XlaContractionKernel *product = &kernel->product;
  if (kernel->hasProduct && mlirOperationEqual(op, product->sum))
    return mlirLogicalResultIsSuccess(flush(memory, &kernel->pending))
               ? scheduleProduct(kernel)
               : mlirLogicalResultFailure();
  if (kernel->hasProduct && (mlirOperationEqual(op, product->fill) ||
                             mlirOperationEqual(op, product->round)))
    return mlirLogicalResultSuccess();
  if (xlaSchedIsStatement(op))
    return addStatement(&kernel->pending, op);
  if ((isLoop(op) && mlirOperationGetNumResults(op) == 0) ||
      xlaIrIsOp(op, "memref.store"))
    return mlirLogicalResultIsSuccess(flush(memory, &kernel->pending))
               ? xlaVulkanEmitNest(memory, op)
               : mlirLogicalResultFailure();
  if (isLoop(op) || isOnDemand(op))
    return mlirLogicalResultSuccess();
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  char text[160];
  snprintf(text, sizeof text, "%.*s is not scheduled for Vulkan",
           (int)(name.length < 100 ? name.length : 100), name.data);
  mlirEmitError(mlirOperationGetLocation(op), text);
  return mlirLogicalResultFailure();
}

MlirLogicalResult xlaVulkanScheduleKernel(XlaVulkanSchedule *schedule) {
  Kernel kernel = {.memory = {.schedule = schedule}};
  Pending *pending = &kernel.pending;
  kernel.hasProduct =
      xlaVulkanMatmulFind(&kernel.product, &kernel.matmul, &kernel.tiling,
                          schedule->function, schedule->info);
  if (kernel.product.failed)
    return mlirLogicalResultFailure();
  MlirLogicalResult result = xlaVulkanSplitReductions(
      schedule, kernel.hasProduct ? kernel.product.sum : (MlirOperation){NULL});
  MlirBlock body =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(schedule->function, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       op.ptr && mlirLogicalResultIsSuccess(result);
       op = mlirOperationGetNextInBlock(op))
    result = scheduleOp(&kernel, op);
  if (mlirLogicalResultIsSuccess(result))
    result = flush(&kernel.memory, pending);
  for (int s = 0; s < pending->n; ++s)
    free(pending->statements[s].accesses);
  free(pending->statements);
  xlaVulkanMemoryMapFree(&kernel.memory);
  return result;
}
