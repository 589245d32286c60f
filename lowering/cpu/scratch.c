//===- scratch.c - Memory that kernels need for themselves ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/scratch.h"
#include "xlac/dialect/error.h"

#include "xlac/dialect/ir.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

static MlirBlock bodyOf(MlirOperation function) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
}

static bool isAlloc(MlirOperation op, int nKept, const MlirValue *kept) {
  if (!xlaIrIsOp(op, "memref.alloc"))
    return false;
  for (int i = 0; i < nKept; ++i)
    if (mlirValueEqual(mlirOperationGetResult(op, 0), kept[i]))
      return false;
  return true;
}

bool xlaCpuHasAllocs(MlirOperation function, int nKept, const MlirValue *kept) {
  MlirOperation op = mlirBlockGetFirstOperation(bodyOf(function));
  while (op.ptr && !isAlloc(op, nKept, kept))
    op = mlirOperationGetNextInBlock(op);
  return op.ptr != NULL;
}

bool xlaCpuAddBytes(MlirOperation alloc, int64_t *total) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  MlirType element = xlaIrElementType(type);
  int64_t bytes =
      (mlirTypeIsAFloat(element) ? (int64_t)mlirFloatTypeGetWidth(element)
                                 : (int64_t)mlirIntegerTypeGetWidth(element)) /
      8;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    if (__builtin_mul_overflow(bytes, mlirShapedTypeGetDimSize(type, d),
                               &bytes))
      return false;
  if (__builtin_add_overflow(bytes, INT64_C(63), &bytes))
    return false;
  return !__builtin_add_overflow(*total, bytes / 64 * 64, total);
}

static void replace(MlirOperation alloc, MlirValue scratch, int64_t offset) {
  XlaIr ir = xlaIrBefore(alloc);
  MlirValue memory = mlirOperationGetResult(alloc, 0);
  MlirValue operands[] = {scratch, xlaIrConstantIndex(&ir, offset)};
  mlirValueReplaceAllUsesOfWith(memory, xlaIrOp(&ir, "memref.view",
                                                mlirValueGetType(memory), 2,
                                                operands, 0, NULL));
  mlirOperationDestroy(alloc);
}

MlirLogicalResult xlaCpuAddScratch(MlirOperation function, int64_t bytes,
                                   int nKept, const MlirValue *kept,
                                   int64_t *total) {
  MlirBlock block = bodyOf(function);
  MlirContext context = mlirOperationGetContext(function);
  MlirLocation location = mlirOperationGetLocation(function);
  int64_t offset = (bytes + 63) / 64 * 64, size = bytes;
  bool hasRoom = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (isAlloc(op, nKept, kept)) {
      size = size == bytes ? offset : size;
      hasRoom &= xlaCpuAddBytes(op, &size);
    }
  intptr_t n = mlirBlockGetNumArguments(block) + 1;
  MlirType *types = malloc((size_t)n * sizeof *types);
  if (!types || !hasRoom) {
    free(types);
    return xlaErrorEmit(location, XLA_STATUS_OUT_OF_MEMORY,
                        "a kernel needs more memory than there is");
  }
  MlirType memory =
      mlirMemRefTypeGet(mlirIntegerTypeGet(context, 8), 1, &size,
                        mlirAttributeGetNull(), mlirAttributeGetNull());
  MlirValue scratch = mlirBlockAddArgument(block, memory, location);
  for (intptr_t i = 0; i < n; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(block, i));
  mlirOperationSetInherentAttributeByName(
      function, mlirStringRefCreateFromCString("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(context, n, types, 0, NULL)));
  free(types);
  MlirOperation next, op = mlirBlockGetFirstOperation(block);
  for (; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (!isAlloc(op, nKept, kept))
      continue;
    int64_t here = offset;
    xlaCpuAddBytes(op, &offset);
    replace(op, scratch, here);
  }
  *total = size;
  return mlirLogicalResultSuccess();
}

static MlirStringRef numberName(void) {
  return mlirStringRefCreateFromCString("xla.scratch");
}

MlirLogicalResult xlaCpuReserveScratch(MlirOperation function, int64_t bytes,
                                       int nKept, const MlirValue *kept,
                                       int64_t *total) {
  mlirOperationSetDiscardableAttributeByName(
      function, numberName(),
      xlaIrI64Attr(mlirOperationGetContext(function),
                   mlirBlockGetNumArguments(bodyOf(function))));
  return xlaCpuAddScratch(function, bytes, nKept, kept, total);
}

/// Whether it is a memref of at least `bytes` bytes.
static bool isScratch(MlirValue argument, int64_t bytes) {
  MlirType type = mlirValueGetType(argument);
  return mlirTypeIsAMemRef(type) && mlirShapedTypeGetRank(type) == 1 &&
         mlirShapedTypeHasStaticShape(type) &&
         mlirTypeEqual(mlirShapedTypeGetElementType(type),
                       mlirIntegerTypeGet(mlirTypeGetContext(type), 8)) &&
         mlirShapedTypeGetDimSize(type, 0) >= bytes;
}

MlirLogicalResult xlaCpuFindScratch(MlirOperation function, int64_t bytes,
                                    MlirValue *scratch) {
  MlirAttribute number =
      mlirOperationGetAttributeByName(function, numberName());
  MlirBlock block = bodyOf(function);
  *scratch = (MlirValue){NULL};
  if (mlirAttributeIsNull(number))
    return mlirLogicalResultSuccess();
  int64_t i = -1;
  if (mlirAttributeIsAInteger(number) &&
      mlirTypeIsAInteger(mlirAttributeGetType(number)) &&
      mlirIntegerTypeGetWidth(mlirAttributeGetType(number)) == 64)
    i = mlirIntegerAttrGetValueInt(number);
  if (i >= 0 && i < mlirBlockGetNumArguments(block)) {
    *scratch = mlirBlockGetArgument(block, i);
    if (isScratch(*scratch, bytes))
      return mlirLogicalResultSuccess();
  }
  return xlaErrorEmit(mlirOperationGetLocation(function),
                      XLA_STATUS_INVALID_ARGUMENT,
                      "xla.scratch is not the number, as i64, of an argument "
                      "that is a memref of %lld x i8, which the kernel's "
                      "matrix product needs",
                      (long long)bytes);
}
