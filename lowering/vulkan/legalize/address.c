//===- address.c - Memory by addresses ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's conversion has no arguments in PhysicalStorageBuffer: what loads
// and stores do with them is written here, as SPIR-V's own operations.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/error.h"
#include "xlac/dialect/op.h"
#include "xlac/lowering/vulkan/kernels.h"
#include "xlac/lowering/vulkan/legalize/legalize.h"

#include <stdio.h>
#include <stdlib.h>

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

/// An argument.
typedef struct Array {
  MlirValue address; ///< of its only piece
  int64_t first, n;  ///< its pieces, in the list
} Array;

/// A shader on its way.
typedef struct Shader {
  MlirBlock entry;
  int64_t pieceBytes;
  intptr_t n;
  Array *arrays; ///< by argument
  MlirValue list;
} Shader;

/// The number of the argument that `memref` is; -1 for the list, and all else.
static intptr_t argumentOf(const Shader *shader, MlirValue memref) {
  if (!mlirValueIsABlockArgument(memref) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(memref), shader->entry))
    return -1;
  intptr_t number = mlirBlockArgumentGetArgNumber(memref);
  return number < shader->n ? number : -1;
}

/// Of a scalar, or of a vector of them.
static int64_t bytesOf(MlirType type) {
  MlirType scalar = xlaVulkanScalarType(type);
  int64_t bits = mlirTypeIsAInteger(scalar) ? mlirIntegerTypeGetWidth(scalar)
                                            : mlirFloatTypeGetWidth(scalar);
  return bits / 8 *
         (mlirTypeIsAVector(type) ? mlirShapedTypeGetDimSize(type, 0) : 1);
}

/// What is known of the address of an element: arrays begin at multiples of
/// XlaVulkanAddressAlignment.
static int64_t alignmentOf(MlirType type) {
  int64_t bytes = bytesOf(type), alignment = 1;
  while (alignment < XlaVulkanAddressAlignment && bytes % (2 * alignment) == 0)
    alignment *= 2;
  return alignment;
}

static MlirType pointerTo(MlirType type) {
  char text[96];
  snprintf(text, sizeof text, "!spirv.ptr<%s, PhysicalStorageBuffer>",
           XLA_TYPE_TEXT(type));
  return xlaIrParseType(mlirTypeGetContext(type), text);
}

/// The address of the piece that byte `at` of an array lies in.
static MlirValue loadPiece(const Shader *shader, XlaIr *ir, const Array *array,
                           MlirValue at) {
  MlirType i64 = mlirValueGetType(at);
  int bits = __builtin_ctzll((unsigned long long)shader->pieceBytes);
  MlirValue piece =
      xlaIrBinary(ir, "arith.shrui", at, xlaIrConstantInt(ir, i64, bits));
  piece =
      xlaIrCast(ir, "arith.index_cast", piece, mlirIndexTypeGet(ir->context));
  piece = xlaIrBinary(ir, "arith.addi", piece,
                      xlaIrConstantIndex(ir, array->first));
  return xlaIrLoad(ir, shader->list, 1, &piece);
}

/// A pointer to the element of `type` at `index` in argument `i`.
static MlirValue pointer(const Shader *shader, XlaIr *ir, intptr_t i,
                         MlirValue index, MlirType type) {
  MlirType i64 = mlirIntegerTypeGet(ir->context, 64);
  MlirValue at = xlaIrCast(ir, "arith.index_cast", index, i64);
  int64_t bytes = bytesOf(type);
  const Array *array = &shader->arrays[i];
  if (bytes > 1)
    at = xlaIrBinary(ir, "arith.muli", at, xlaIrConstantInt(ir, i64, bytes));
  MlirValue begin = array->address;
  if (array->n > 1) {
    begin = loadPiece(shader, ir, array, at);
    at = xlaIrBinary(ir, "arith.andi", at,
                     xlaIrConstantInt(ir, i64, shader->pieceBytes - 1));
  }
  at = xlaIrBinary(ir, "arith.addi", begin, at);
  return xlaIrCast(ir, "spirv.ConvertUToPtr", at, pointerTo(type));
}

static MlirValue rewrite(MlirOperation op, void *user, bool *failed) {
  const Shader *shader = user;
  MlirValue none = {NULL};
  bool isLoad = xlaIrIsOp(op, "memref.load");
  if (!isLoad && !xlaIrIsOp(op, "memref.store"))
    return none;
  intptr_t i = argumentOf(shader, mlirOperationGetOperand(op, !isLoad));
  if (i < 0)
    return none;
  XlaIr ir = xlaIrBefore(op);
  MlirType type = mlirValueGetType(isLoad ? mlirOperationGetResult(op, 0)
                                          : mlirOperationGetOperand(op, 0));
  MlirValue at = pointer(shader, &ir, i,
                         mlirOperationGetOperand(op, isLoad ? 1 : 2), type);
  MlirType i32 = mlirIntegerTypeGet(ir.context, 32);
  XlaIrAttr attrs[2] = {
      {"memory_access",
       xlaIrParseAttr(ir.context, "#spirv.memory_access<Aligned>")},
      {"alignment", mlirIntegerAttrGet(i32, alignmentOf(type))}};
  (void)failed;
  if (isLoad)
    return xlaIrOp(&ir, "spirv.Load", type, 1, &at, 2, attrs);
  MlirValue operands[2] = {at, mlirOperationGetOperand(op, 0)};
  xlaIrCreate(&ir, "spirv.Store", 2, operands, 0, NULL, 2, attrs, 0, NULL);
  mlirOperationDestroy(op);
  return none;
}

/// Counts the pieces of all arrays.
static int64_t countPieces(Shader *shader) {
  int64_t n = 0;
  for (intptr_t i = 0; i < shader->n; ++i) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(shader->entry, i));
    int64_t bytes =
        mlirShapedTypeGetDimSize(type, 0) * bytesOf(xlaIrElementType(type));
    Array *array = &shader->arrays[i];
    array->first = n;
    array->n = bytes ? (bytes - 1) / shader->pieceBytes + 1 : 1;
    n += array->n;
  }
  return n;
}

/// Adds the list of addresses behind the arguments and loads those of arrays
/// that are one piece.
static void loadAddresses(Shader *shader, MlirLocation location) {
  MlirContext context = mlirLocationGetContext(location);
  MlirType i64 = mlirIntegerTypeGet(context, 64);
  int64_t n = countPieces(shader);
  MlirType type = mlirMemRefTypeGet(
      i64, 1, &n, mlirAttributeGetNull(),
      xlaIrParseAttr(context, "#spirv.storage_class<StorageBuffer>"));
  shader->list = mlirBlockAddArgument(shader->entry, type, location);
  XlaIr ir = xlaIrBefore(mlirBlockGetFirstOperation(shader->entry));
  for (intptr_t i = 0; i < shader->n; ++i) {
    MlirValue index = xlaIrConstantIndex(&ir, shader->arrays[i].first);
    shader->arrays[i].address = xlaIrLoad(&ir, shader->list, 1, &index);
  }
}

MlirLogicalResult xlaVulkanUseAddresses(MlirOperation gpuModule,
                                        const XlaVulkanInfo *info) {
  if (mlirAttributeIsNull(mlirOperationGetAttributeByName(
          gpuModule, str(XLA_VULKAN_ADDRESSES))))
    return mlirLogicalResultSuccess();
  MlirOperation function = mlirBlockGetFirstOperation(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(gpuModule, 0)));
  Shader shader = {
      .entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)),
      .pieceBytes = xlaVulkanPieceBytes(info)};
  shader.n = mlirBlockGetNumArguments(shader.entry);
  if (shader.n == 0)
    return mlirLogicalResultSuccess();
  shader.arrays = calloc((size_t)shader.n, sizeof *shader.arrays);
  if (!shader.arrays)
    return xlaErrorNoMemory(mlirOperationGetLocation(gpuModule));
  loadAddresses(&shader, mlirOperationGetLocation(function));
  MlirLogicalResult result = xlaVulkanRewriteAll(function, rewrite, &shader);
  free(shader.arrays);
  if (mlirLogicalResultIsFailure(result))
    return result;
  while (mlirBlockGetNumArguments(shader.entry) > 1)
    mlirBlockEraseArgument(shader.entry, 0);
  MlirType type = mlirValueGetType(mlirBlockGetArgument(shader.entry, 0));
  mlirOperationSetAttributeByName(
      function, str("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(mlirOperationGetContext(function), 1,
                                          &type, 0, NULL)));
  return mlirLogicalResultSuccess();
}
