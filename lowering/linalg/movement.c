//===- movement.c - Operations that move data -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Concatenate and pad are copies between boxes, views with strides, so that
// schedules see plain parallel loops. Types are moved as they are: NaNs keep
// their bits. (What is a view of one operand is read by its indexing map:
// see index_expr.h.)
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/movement.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"

#include "mlir-c/BuiltinTypes.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Copies of boxes
//===----------------------------------------------------------------------===//

void xlaCopyInit(XlaCopy *copy, const XlaShape *box) {
  memset(copy, 0, sizeof *copy);
  copy->box = *box;
  for (int d = 0; d < box->rank; ++d)
    copy->sourceStride[d] = copy->targetStride[d] = 1;
}

MlirLogicalResult xlaCopyEmit(XlaKernel *kernel, const XlaCopy *copy) {
  XlaGeneric generic;
  XlaShape shape = xlaKernelShapeOf(copy->source);
  MlirAffineMap map;
  int64_t count = 0;
  size_t bytes = (size_t)copy->box.rank * sizeof(int64_t);
  xlaShapeGetElementCount(&copy->box, &count);
  if (!count)
    return success();
  MlirLogicalResult result =
      xlaGenericBegin(&generic, kernel, &copy->box, 0, NULL);
  XlaIndex source = generic.space.root, target = generic.space.root;
  memcpy(source.offset, copy->sourceOffset, bytes);
  memcpy(source.stride, copy->sourceStride, bytes);
  memcpy(target.offset, copy->targetOffset, bytes);
  memcpy(target.stride, copy->targetStride, bytes);
  if (shape.rank == 0)
    xlaIndexBegin(&source);
  if (mlirLogicalResultIsSuccess(result)) {
    const XlaKernelBuffer *buffer = xlaKernelGetBuffer(kernel, copy->source);
    MlirValue view =
        xlaKernelView(&kernel->ir, buffer->memref, &shape, &generic.space,
                      &source, copy->sourceStart, &map);
    MlirValue element = xlaGenericAddInput(&generic, view, map);
    view = xlaKernelView(&kernel->ir, copy->target, &copy->targetShape,
                         &generic.space, &target, copy->targetStart, &map);
    result = mlirValueIsNull(element) ? mlirLogicalResultFailure()
                                      : xlaGenericEnd(&generic, 1, &view, &map,
                                                      &element, NULL, false);
  }
  xlaGenericFree(&generic);
  return result;
}

static MlirLogicalResult concatenate(XlaKernel *kernel, MlirValue result) {
  int64_t d = xlaOpGetI64(kernel->op, "dimension", 0), at = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(kernel->op); ++i) {
    MlirValue operand = mlirOperationGetOperand(kernel->op, i);
    XlaShape box = xlaKernelShapeOf(operand);
    XlaCopy copy;
    xlaCopyInit(&copy, &box);
    copy.source = operand;
    copy.target = result;
    copy.targetShape = xlaKernelShapeOf(mlirOperationGetResult(kernel->op, 0));
    copy.targetOffset[d] = at;
    at += box.dims[d];
    if (failed(xlaCopyEmit(kernel, &copy)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Pad
//===----------------------------------------------------------------------===//

/// The elements of the operand that negative padding leaves, as a copy.
/// `isDense` tells whether they lie side by side in the result.
static XlaCopy interior(MlirOperation op, MlirValue result, bool *isDense) {
  XlaI64List low, between;
  XlaCopy copy;
  XlaShape from = xlaKernelShapeOf(mlirOperationGetOperand(op, 0));
  XlaShape to = xlaKernelShapeOf(mlirOperationGetResult(op, 0));
  xlaOpGetList(op, "edge_padding_low", &low);
  xlaOpGetList(op, "interior_padding", &between);
  xlaCopyInit(&copy, &from);
  copy.source = mlirOperationGetOperand(op, 0);
  copy.target = result;
  copy.targetShape = to;
  *isDense = true;
  for (int d = 0; d < from.rank; ++d) {
    XlaPadRange range = xlaPadGetRange(from.dims[d], low.values[d],
                                       between.values[d], to.dims[d]);
    copy.sourceOffset[d] = range.first;
    copy.targetOffset[d] = range.position;
    copy.targetStride[d] = range.step;
    copy.box.dims[d] = range.count;
    *isDense &= range.count > 0 && range.step == 1;
  }
  return copy;
}

static MlirLogicalResult fillBox(XlaKernel *kernel, const XlaCopy *inside,
                                 const XlaShape *box, const int64_t *offset) {
  XlaCopy copy;
  xlaCopyInit(&copy, box);
  copy.source = mlirOperationGetOperand(kernel->op, 1);
  copy.target = inside->target;
  copy.targetShape = inside->targetShape;
  memcpy(copy.targetOffset, offset, sizeof copy.targetOffset);
  return xlaCopyEmit(kernel, &copy);
}

/// The result without a dense inside: for each dimension the slabs below and
/// above, in the others' inside where those have been cut off before.
static MlirLogicalResult fillAround(XlaKernel *kernel, const XlaCopy *inside) {
  XlaShape rest = inside->targetShape;
  int64_t offset[XLA_MAX_RANK] = {0};
  for (int d = 0; d < rest.rank; ++d) {
    int64_t low = inside->targetOffset[d], size = inside->box.dims[d];
    XlaShape slab = rest;
    slab.dims[d] = low;
    if (failed(fillBox(kernel, inside, &slab, offset)))
      return failure();
    slab.dims[d] = rest.dims[d] - low - size;
    offset[d] = low + size;
    if (failed(fillBox(kernel, inside, &slab, offset)))
      return failure();
    offset[d] = low;
    rest.dims[d] = size;
  }
  return success();
}

static MlirLogicalResult pad(XlaKernel *kernel, MlirValue result) {
  bool isDense;
  const int64_t zero[XLA_MAX_RANK] = {0};
  XlaCopy inside = interior(kernel->op, result, &isDense);
  MlirLogicalResult filled =
      isDense ? fillAround(kernel, &inside)
              : fillBox(kernel, &inside, &inside.targetShape, zero);
  return mlirLogicalResultIsSuccess(filled) ? xlaCopyEmit(kernel, &inside)
                                            : filled;
}

//===----------------------------------------------------------------------===//
// bitcast_convert between widths
//===----------------------------------------------------------------------===//

/// Element types and memory of the wide and the narrow side. Part k of a wide
/// element is the view of the narrow memory with offset k and a stride of
/// `ratio`.
typedef struct Repack {
  XlaKernel *kernel;
  XlaGeneric generic;
  XlaShape wide, narrow;
  MlirType wideBits, narrowBits;
  int ratio;
} Repack;

static MlirValue partView(Repack *r, MlirValue memref, int k,
                          MlirAffineMap *map) {
  XlaIndex index = r->generic.space.root;
  xlaIndexAppendZero(&index);
  index.offset[index.rank - 1] = k;
  return xlaKernelView(&r->kernel->ir, memref, &r->narrow, &r->generic.space,
                       &index, (MlirValue){NULL}, map);
}

static MlirValue toBits(XlaIr *ir, MlirType bits, XlaElementType type,
                        MlirValue element) {
  element = xlaScalarFromMemory(ir, type, element);
  return mlirTypeEqual(bits, mlirValueGetType(element))
             ? element
             : xlaIrCast(ir, "arith.bitcast", element, bits);
}

static MlirValue fromBits(XlaIr *ir, XlaElementType type, MlirValue bits) {
  MlirType reg = xlaScalarRegisterType(type, ir->context);
  if (!mlirTypeEqual(reg, mlirValueGetType(bits)))
    bits = xlaIrCast(ir, "arith.bitcast", bits, reg);
  return xlaScalarToMemory(ir, type, bits);
}

static MlirLogicalResult split(Repack *r, MlirValue from, MlirValue to) {
  MlirValue views[64], parts[64];
  MlirAffineMap maps[64];
  XlaIr *ir = &r->generic.ir;
  int width = xlaElementTypeGetInfo(r->narrow.elementType)->bits;
  MlirValue view =
      xlaKernelView(&r->kernel->ir, from, &r->wide, &r->generic.space,
                    &r->generic.space.root, (MlirValue){NULL}, &maps[0]);
  MlirValue element = xlaGenericAddInput(&r->generic, view, maps[0]);
  if (mlirValueIsNull(element))
    return failure();
  MlirValue bits = toBits(ir, r->wideBits, r->wide.elementType, element);
  for (int k = 0; k < r->ratio; ++k) {
    MlirValue by = xlaIrConstantInt(ir, r->wideBits, k * width);
    MlirValue part =
        xlaIrCast(ir, "arith.trunci", xlaIrBinary(ir, "arith.shrui", bits, by),
                  r->narrowBits);
    parts[k] = fromBits(ir, r->narrow.elementType, part);
    views[k] = partView(r, to, k, &maps[k]);
  }
  return xlaGenericEnd(&r->generic, r->ratio, views, maps, parts, NULL, false);
}

static MlirLogicalResult join(Repack *r, MlirValue from, MlirValue to) {
  XlaIr *ir = &r->generic.ir;
  int width = xlaElementTypeGetInfo(r->narrow.elementType)->bits;
  MlirValue bits = {NULL};
  MlirAffineMap map;
  for (int k = 0; k < r->ratio; ++k) {
    MlirValue view = partView(r, from, k, &map);
    MlirValue element = xlaGenericAddInput(&r->generic, view, map);
    if (mlirValueIsNull(element))
      return failure();
    MlirValue part = xlaIrCast(
        ir, "arith.extui",
        toBits(ir, r->narrowBits, r->narrow.elementType, element), r->wideBits);
    MlirValue by = xlaIrConstantInt(ir, r->wideBits, k * width);
    part = xlaIrBinary(ir, "arith.shli", part, by);
    bits = k ? xlaIrBinary(ir, "arith.ori", bits, part) : part;
  }
  MlirValue element = fromBits(ir, r->wide.elementType, bits);
  MlirValue view =
      xlaKernelView(&r->kernel->ir, to, &r->wide, &r->generic.space,
                    &r->generic.space.root, (MlirValue){NULL}, &map);
  return xlaGenericEnd(&r->generic, 1, &view, &map, &element, NULL, false);
}

static MlirLogicalResult repack(XlaKernel *kernel, MlirValue result) {
  MlirValue operand = mlirOperationGetOperand(kernel->op, 0);
  XlaShape from = xlaKernelShapeOf(operand);
  XlaShape to = xlaKernelShapeOf(mlirOperationGetResult(kernel->op, 0));
  bool splits = from.rank < to.rank;
  Repack r = {.kernel = kernel,
              .wide = splits ? from : to,
              .narrow = splits ? to : from};
  int wide = xlaElementTypeGetInfo(r.wide.elementType)->bits;
  int narrow = xlaElementTypeGetInfo(r.narrow.elementType)->bits;
  int64_t count = 0;
  xlaShapeGetElementCount(&r.wide, &count);
  if (!count)
    return success();
  r.ratio = wide / narrow;
  r.wideBits = mlirIntegerTypeGet(kernel->ir.context, (unsigned)wide);
  r.narrowBits = mlirIntegerTypeGet(kernel->ir.context, (unsigned)narrow);
  MlirValue source = xlaKernelGetBuffer(kernel, operand)->memref;
  MlirLogicalResult done =
      xlaGenericBegin(&r.generic, kernel, &r.wide, 0, NULL);
  if (mlirLogicalResultIsSuccess(done))
    done = splits ? split(&r, source, result) : join(&r, source, result);
  xlaGenericFree(&r.generic);
  return done;
}

MlirLogicalResult xlaMovementEmit(XlaKernel *kernel, const MlirValue *results) {
  XlaOpKind kind = xlaOpGetKind(kernel->op);
  return kind == XlaOpKindConcatenate ? concatenate(kernel, results[0])
         : kind == XlaOpKindPad       ? pad(kernel, results[0])
                                      : repack(kernel, results[0]);
}
