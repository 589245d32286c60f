//===- buffer.c - Values in memory, and views of them ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/literal.h"
#include "xlac/lowering/linalg/generic.h"
#include "xlac/lowering/linalg/scalar.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>
#include <stdlib.h>

static MlirValue none(void) { return (MlirValue){NULL}; }

XlaShape xlaKernelShapeOf(MlirValue value) {
  XlaShape shape = {.rank = 0};
  xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL);
  return shape;
}

MlirLogicalResult xlaKernelNoMemory(const XlaKernel *kernel) {
  if (kernel->ir.block.ptr)
    xlaOpNoMemory(kernel->op);
  return mlirLogicalResultFailure();
}

const XlaKernelBuffer *xlaKernelGetBuffer(const XlaKernel *kernel,
                                          MlirValue value) {
  for (intptr_t i = 0; i < kernel->nBuffers; ++i)
    if (mlirValueEqual(kernel->buffers[i].value, value))
      return &kernel->buffers[i];
  return NULL;
}

bool xlaKernelAddBuffer(XlaKernel *kernel, MlirValue value, MlirValue memref) {
  if (kernel->nBuffers == kernel->bufferCapacity) {
    intptr_t capacity = 2 * kernel->bufferCapacity + 16;
    XlaKernelBuffer *buffers =
        realloc(kernel->buffers, (size_t)capacity * sizeof *buffers);
    if (!buffers)
      return mlirLogicalResultIsSuccess(xlaKernelNoMemory(kernel));
    kernel->buffers = buffers;
    kernel->bufferCapacity = capacity;
  }
  kernel->buffers[kernel->nBuffers++] = (XlaKernelBuffer){value, memref, false};
  return true;
}

bool xlaKernelAddComputed(XlaKernel *kernel, MlirValue value,
                          MlirValue memref) {
  if (!xlaKernelAddBuffer(kernel, value, memref))
    return false;
  kernel->buffers[kernel->nBuffers - 1].isComputed = true;
  return true;
}

/// The view as offset, sizes and strides of the flat memory. A `start` that is
/// not null stands for the offset.
MlirValue xlaKernelReinterpret(XlaIr *ir, MlirValue memref, MlirValue start,
                               int64_t offset, intptr_t rank,
                               const int64_t *sizes, const int64_t *strides) {
  MlirType element = xlaIrElementType(mlirValueGetType(memref));
  MlirValue operands[2] = {memref, start};
  const int32_t segments[4] = {1, start.ptr != NULL, 0, 0};
  if (start.ptr)
    offset = mlirShapedTypeGetDynamicStrideOrOffset();
  MlirType type = mlirMemRefTypeGet(
      element, rank, sizes,
      mlirStridedLayoutAttrGet(ir->context, offset, rank, strides),
      mlirAttributeGetNull());
  XlaIrAttr attrs[4] = {
      {"operandSegmentSizes", mlirDenseI32ArrayGet(ir->context, 4, segments)},
      {"static_offsets", mlirDenseI64ArrayGet(ir->context, 1, &offset)},
      {"static_sizes", mlirDenseI64ArrayGet(ir->context, rank, sizes)},
      {"static_strides", mlirDenseI64ArrayGet(ir->context, rank, strides)}};
  return xlaIrOp(ir, "memref.reinterpret_cast", type, 1 + segments[1], operands,
                 4, attrs);
}

MlirValue xlaKernelShapeOnly(XlaIr *ir, MlirValue memref, int rank,
                             const int64_t *sizes) {
  const int64_t strides[XLA_MAX_RANK] = {0};
  return xlaKernelReinterpret(ir, memref, (MlirValue){NULL}, 0, rank, sizes,
                              strides);
}

MlirValue xlaKernelView(XlaIr *ir, MlirValue memref, const XlaShape *shape,
                        const XlaSpace *space, const XlaIndex *index,
                        MlirValue start, MlirAffineMap *map) {
  int64_t sizes[XLA_MAX_RANK], strides[XLA_MAX_RANK], offset = 0, row = 1;
  MlirAffineExpr exprs[XLA_MAX_RANK];
  bool isWhole = index->nLoops == shape->rank && !start.ptr;
  for (int d = shape->rank - 1; d >= 0; row *= shape->dims[d--]) {
    int64_t stride = row * index->stride[d];
    offset += row * index->offset[d];
    isWhole &= index->first[d + 1] - index->first[d] == 1;
    for (int i = index->first[d + 1] - 1; i >= index->first[d]; --i) {
      sizes[i] = space->sizes[index->loops[i]];
      strides[i] = stride;
      stride *= sizes[i];
      isWhole &= sizes[i] == shape->dims[d] && index->offset[d] == 0;
    }
  }
  for (int i = 0; i < index->nLoops; ++i)
    exprs[i] = mlirAffineDimExprGet(ir->context, index->loops[i]);
  *map = mlirAffineMapGet(ir->context, space->nLoops, 0, index->nLoops, exprs);
  MlirType type = mlirValueGetType(memref);
  // The memref may be of another shape with as many elements: see reshapes.
  isWhole &= mlirShapedTypeGetRank(type) == shape->rank;
  for (int d = 0; isWhole && d < shape->rank; ++d)
    isWhole = mlirShapedTypeGetDimSize(type, d) == shape->dims[d];
  return isWhole ? memref
                 : xlaKernelReinterpret(ir, memref, start, offset,
                                        index->nLoops, sizes, strides);
}

/// The bytes are those of the memory types: pred takes a byte, and unsigned
/// integers have the bits of signless ones.
static MlirAttribute memoryAttribute(const XlaLiteral *literal, MlirType type) {
  return mlirDenseElementsAttrRawBufferGet(
      type, xlaLiteralGetByteCount(literal), xlaLiteralGetData(literal));
}

static MlirType memRefType(const XlaShape *shape, MlirType element) {
  return mlirMemRefTypeGet(element, shape->rank, shape->dims,
                           mlirAttributeGetNull(), mlirAttributeGetNull());
}

static MlirValue makeGlobal(XlaKernel *kernel, const XlaLiteral *literal,
                            MlirType element) {
  const XlaShape *shape = xlaLiteralGetShape(literal);
  MlirContext context = kernel->ir.context;
  MlirType type = memRefType(shape, element);
  MlirType tensor = mlirRankedTensorTypeGet(shape->rank, shape->dims, element,
                                            mlirAttributeGetNull());
  MlirOperation *globals = realloc(
      kernel->globals, (size_t)(kernel->nGlobals + 1) * sizeof *globals);
  if (!globals) {
    xlaKernelNoMemory(kernel);
    return none();
  }
  kernel->globals = globals;
  char name[256];
  snprintf(name, sizeof name, "%.200s_constant%d", kernel->name,
           (int)kernel->nGlobals);
  XlaIr at = xlaIrAtEnd(context, kernel->ir.location,
                        mlirModuleGetBody(kernel->module));
  XlaIrAttr attrs[5] = {{"sym_name", xlaIrStringAttr(context, name)},
                        {"sym_visibility", xlaIrStringAttr(context, "private")},
                        {"type", mlirTypeAttrGet(type)},
                        {"initial_value", memoryAttribute(literal, tensor)},
                        {"constant", mlirUnitAttrGet(context)}};
  globals[kernel->nGlobals++] =
      xlaIrCreate(&at, "memref.global", 0, NULL, 0, NULL, 5, attrs, 0, NULL);
  return xlaIrOp(
      &kernel->ir, "memref.get_global", type, 0, NULL, 1,
      &(XlaIrAttr){"name", mlirFlatSymbolRefAttrGet(
                               context, mlirStringRefCreateFromCString(name))});
}

MlirLogicalResult xlaKernelAddConstant(XlaKernel *kernel, MlirOperation op) {
  MlirAttribute value = xlaOpGetAttr(op, "value");
  MlirValue memref = none(), result = mlirOperationGetResult(op, 0);
  if (mlirAttributeIsADenseElements(value) &&
      mlirDenseElementsAttrIsSplat(value))
    return mlirLogicalResultSuccess();
  if (kernel->ir.block.ptr) {
    XlaLiteral *literal = xlaLiteralFromAttribute(value);
    if (!literal)
      return xlaOpError(op, NULL, "has a value whose data cannot be read");
    MlirType element = xlaScalarMemoryType(
        xlaLiteralGetShape(literal)->elementType, kernel->ir.context);
    if (mlirTypeIsNull(element))
      xlaOpUnsupported(op, NULL, "is not lowered for elements of %s",
                       XLA_TYPE_TEXT(mlirValueGetType(result)));
    else if (xlaLiteralGetElementCount(literal))
      memref = makeGlobal(kernel, literal, element);
    bool isEmpty = !xlaLiteralGetElementCount(literal); // nothing reads it
    xlaLiteralRelease(literal);
    if (mlirValueIsNull(memref) && !isEmpty)
      return mlirLogicalResultFailure();
  }
  return xlaKernelAddBuffer(kernel, result, memref)
             ? mlirLogicalResultSuccess()
             : mlirLogicalResultFailure();
}
