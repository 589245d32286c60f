//===- schedule.c - A kernel function becomes dispatches ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/error.h"
#include "xlac/lowering/affine/attention/attention.h"
#include "xlac/lowering/affine/group.h"
#include "xlac/lowering/vulkan/attention/attention.h"
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

/// Parallel iterations of one statement.
static int64_t rowsOf(const XlaSchedStatement *statement) {
  int64_t rows = 1;
  for (int d = 0; d < statement->nDims; ++d)
    rows *= statement->reduction[d] ? 1 : statement->sizes[d];
  return rows;
}

/// Is it worth while to give every statement no more threads than the run?
static bool pays(const XlaSchedRun *run, void *user) {
  const XlaVulkanMemoryMap *memory = user;
  if (run->n > maxGroupStatements)
    return false;
  if (run->volume >= wantedRows(memory->schedule->info) ||
      work(run->statements, run->n) <= smallWork)
    return true;
  for (int s = 0; s < run->n; ++s)
    if (rowsOf(&run->statements[s]) > run->volume &&
        work(&run->statements[s], 1) / rowWork > run->volume)
      return false;
  return true;
}

static MlirLogicalResult emit(XlaSchedGroup *group, void *user) {
  return xlaVulkanEmitGroup(user, group);
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

/// The loops that are workgroups, or -1.
static int tiledLoops(const XlaSchedStatement *statement) {
  MlirAttribute loops = mlirOperationGetDiscardableAttributeByName(
      statement->op, mlirStringRefCreateFromCString(XLA_SCHED_TILED));
  return mlirAttributeIsNull(loops) ? -1
                                    : (int)mlirIntegerAttrGetValueInt(loops);
}

static MlirLogicalResult flush(XlaVulkanMemoryMap *memory, Pending *pending) {
  MlirLogicalResult result = mlirLogicalResultSuccess();
  int loops = pending->n ? tiledLoops(pending->statements) : -1;
  if (loops >= 0)
    result = xlaVulkanEmitTiles(
        memory, &(XlaSchedGroup){pending->statements, pending->n, loops});
  else if (pending->n)
    result = xlaSchedGroups(pending->statements, pending->n,
                            &(XlaSchedGrouper){pays, emit, memory});
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

/// A matrix product in the place of linalg's operations.
typedef struct Product {
  XlaContractionKernel kernel;
  XlaVulkanMatmul matmul;
  XlaVulkanMatmulTiling tiling;
} Product;

enum { maxProducts = 2 };

/// A kernel on its way.
typedef struct Kernel {
  XlaVulkanMemoryMap memory;
  Pending pending;
  int nProducts;
  Product products[maxProducts];
} Kernel;

static MlirLogicalResult scheduleProduct(Kernel *kernel, Product *product) {
  XlaVulkanMatmul *matmul = &product->matmul;
  XlaVulkanSchedule *schedule = kernel->memory.schedule;
  const XlaContractionKernel *op = &product->kernel;
  const MlirValue memory[3] = {op->lhs, op->rhs, op->product};
  for (int i = 0; i < 3; ++i) {
    if (matmul->arguments[i] >= 0 || op->parts[i].op.ptr)
      continue;
    matmul->arguments[i] = schedule->kernel->nArguments;
    matmul->offsets[i] = xlaVulkanScratchOf(&kernel->memory, memory[i]);
    if (matmul->offsets[i] < 0)
      return mlirLogicalResultFailure();
  }
  if (schedule->report)
    xlaVulkanMatmulReport(matmul, &product->tiling, schedule->kernel->name,
                          schedule->kernel->nDispatches);
  return xlaVulkanMatmulEmit(matmul, &product->tiling, schedule);
}

static bool isLoop(MlirOperation op) {
  return xlaIrIsOp(op, "scf.for") || xlaIrIsOp(op, "scf.if");
}

/// Whether an operation is a part of a product's dispatch.
static bool isOfProduct(const Kernel *kernel, MlirOperation op) {
  for (int i = 0; i < kernel->nProducts; ++i) {
    const XlaContractionKernel *product = &kernel->products[i].kernel;
    for (int side = 0; side < XlaContractionSides; ++side)
      if (mlirOperationEqual(op, product->parts[side].op))
        return true;
    if (mlirOperationEqual(op, product->fill) ||
        mlirOperationEqual(op, product->round))
      return true;
  }
  return false;
}

static MlirLogicalResult scheduleOp(Kernel *kernel, MlirOperation op) {
  XlaVulkanMemoryMap *memory = &kernel->memory;
  for (int i = 0; i < kernel->nProducts; ++i)
    if (mlirOperationEqual(op, kernel->products[i].kernel.sum))
      return mlirLogicalResultIsSuccess(flush(memory, &kernel->pending))
                 ? scheduleProduct(kernel, &kernel->products[i])
                 : mlirLogicalResultFailure();
  if (isOfProduct(kernel, op))
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

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Whether an operand or result of a product is memory as it stands.
static bool isWhole(MlirValue memory) {
  return mlirValueIsABlockArgument(memory) || xlaSchedIsAlloc(memory);
}

/// The products of attention that is not one shader: each is a dispatch of its
/// own, and what lies between is in memory.
static bool findApart(Kernel *kernel) {
  const XlaVulkanSchedule *schedule = kernel->memory.schedule;
  MlirBlock body =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(schedule->function, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (!xlaIrIsOp(op, "linalg.generic") || kernel->nProducts == maxProducts)
      continue;
    Product *next = &kernel->products[kernel->nProducts];
    bool isProduct = xlaContractionAt(&next->kernel, op);
    if (next->kernel.failed)
      return false;
    if (!isProduct || !isWhole(next->kernel.lhs) ||
        !isWhole(next->kernel.rhs) || !isWhole(next->kernel.product) ||
        !xlaVulkanMatmulDescribe(&next->matmul, &next->kernel, schedule->info))
      continue;
    xlaVulkanMatmulTiling(&next->matmul, schedule->info, &next->tiling);
    kernel->nProducts +=
        xlaVulkanMatmulFits(&next->matmul, schedule->info, &next->tiling);
  }
  return true;
}

/// False after a diagnostic.
static bool findProducts(Kernel *kernel) {
  const XlaVulkanSchedule *schedule = kernel->memory.schedule;
  Product *first = &kernel->products[0];
  if (xlaAttentionIsKernel(schedule->function))
    return findApart(kernel);
  if (xlaVulkanMatmulFind(&first->kernel, &first->matmul, &first->tiling,
                          schedule->function, schedule->info)) {
    kernel->nProducts = 1;
    return true;
  }
  bool failed = first->kernel.failed;
  xlaContractionFree(&first->kernel);
  return !failed;
}

static MlirLogicalResult scheduleOps(Kernel *kernel) {
  XlaVulkanSchedule *schedule = kernel->memory.schedule;
  MlirOperation sums[maxProducts];
  if (!findProducts(kernel))
    return mlirLogicalResultFailure();
  for (int i = 0; i < kernel->nProducts; ++i)
    sums[i] = kernel->products[i].kernel.sum;
  MlirLogicalResult result =
      xlaVulkanSplitReductions(schedule, kernel->nProducts, sums);
  MlirBlock body =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(schedule->function, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       op.ptr && mlirLogicalResultIsSuccess(result);
       op = mlirOperationGetNextInBlock(op))
    result = scheduleOp(kernel, op);
  return mlirLogicalResultIsSuccess(result)
             ? flush(&kernel->memory, &kernel->pending)
             : result;
}

MlirLogicalResult xlaVulkanScheduleKernel(XlaVulkanSchedule *schedule) {
  Kernel kernel = {.memory = {.schedule = schedule}};
  Pending *pending = &kernel.pending;
  MlirLogicalResult result = mlirLogicalResultSuccess();
  bool isOne = false;
  if (xlaAttentionIsKernel(schedule->function))
    result = xlaVulkanAttentionEmit(&kernel.memory, &isOne);
  if (mlirLogicalResultIsSuccess(result) && !isOne)
    result = scheduleOps(&kernel);
  for (int s = 0; s < pending->n; ++s)
    free(pending->statements[s].accesses);
  free(pending->statements);
  xlaVulkanMemoryMapFree(&kernel.memory);
  for (int i = 0; i < kernel.nProducts; ++i)
    xlaContractionFree(&kernel.products[i].kernel);
  return result;
}
