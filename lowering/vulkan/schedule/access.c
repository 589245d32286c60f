//===- access.c - Loads and stores of shaders -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access of a buffer that is bound as several windows picks its own.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule/emit.h"

static MlirValue argumentOf(XlaVulkanEmit *e, const XlaVulkanBuffer *buffer,
                            int window) {
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(e->shader.function, 0));
  return mlirBlockGetArgument(entry, buffer->first + window);
}

/// scf.if with `n` results; both blocks are open.
static MlirOperation branch(XlaIr *ir, MlirValue condition, intptr_t n,
                            const MlirType *types, XlaIr *then,
                            XlaIr *otherwise) {
  MlirRegion regions[2] = {mlirRegionCreate(), mlirRegionCreate()};
  XlaIr *inside[2] = {then, otherwise};
  for (int i = 0; i < 2; ++i) {
    MlirBlock block = mlirBlockCreate(0, NULL, NULL);
    mlirRegionAppendOwnedBlock(regions[i], block);
    *inside[i] = xlaIrIn(*ir, block);
  }
  return xlaIrCreate(ir, "scf.if", 1, &condition, n, types, 0, NULL, 2,
                     regions);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// An index that is affine, or (where `value` is not null) one that is not.
typedef struct Index {
  MlirAffineExpr expr;
  MlirValue value;
} Index;

static MlirOperation branchBelow(XlaVulkanEmit *e, XlaIr *ir, Index index,
                                 int64_t size, intptr_t n, MlirType *types,
                                 XlaIr *then, XlaIr *otherwise) {
  if (index.value.ptr)
    return branch(
        ir, xlaIrCmpI(ir, "ult", index.value, xlaIrConstantIndex(ir, size)), n,
        types, then, otherwise);
  MlirAffineExpr left = xlaAffineBelow(index.expr, size);
  return xlaAffineBranch(&e->nest, ir, 1, &left, n, types, then, otherwise);
}

static void yield(XlaIr *ir, Index index, intptr_t n, const MlirValue *values) {
  if (index.value.ptr)
    xlaIrYield(ir, n, values);
  else
    xlaAffineYield(ir, n, values);
}

static Index lessBy(XlaIr *ir, Index index, int64_t size) {
  if (!index.value.ptr)
    return (Index){xlaExprShift(index.expr, -size), {NULL}};
  return (Index){
      {NULL},
      xlaIrBinary(ir, "arith.subi", index.value, xlaIrConstantIndex(ir, size))};
}

static MlirValue loadOne(XlaVulkanEmit *e, XlaIr *ir, MlirValue memref,
                         Index index) {
  if (index.value.ptr)
    return xlaIrLoad(ir, memref, 1, &index.value);
  MlirType type = xlaIrElementType(mlirValueGetType(memref));
  return xlaAffineLoad(&e->nest, ir, type, memref, index.expr);
}

static void storeOne(XlaVulkanEmit *e, XlaIr *ir, MlirValue memref, Index index,
                     MlirValue value) {
  if (index.value.ptr)
    xlaIrStore(ir, value, memref, 1, &index.value);
  else
    xlaAffineStore(&e->nest, ir, value, memref, index.expr);
}

/// The integer of as many bits, or the type itself.
static MlirType bitsOf(MlirType type) {
  return mlirTypeIsAFloat(type)
             ? mlirIntegerTypeGet(mlirTypeGetContext(type),
                                  mlirFloatTypeGetWidth(type))
             : type;
}

/// From the workgroup's memory, and back: small elements are kept as they are,
/// in 32 bits.
static MlirValue loadOwn(XlaVulkanEmit *e, XlaIr *ir,
                         const XlaVulkanBuffer *buffer, Index index) {
  MlirValue value = loadOne(e, ir, buffer->own, index);
  MlirType type = buffer->element, bits = bitsOf(type);
  if (mlirTypeEqual(mlirValueGetType(value), type))
    return value;
  value = xlaIrCast(ir, "arith.trunci", value, bits);
  return mlirTypeEqual(bits, type)
             ? value
             : xlaIrCast(ir, "arith.bitcast", value, type);
}

static void storeOwn(XlaVulkanEmit *e, XlaIr *ir, const XlaVulkanBuffer *buffer,
                     Index index, MlirValue value) {
  MlirType to = xlaIrElementType(mlirValueGetType(buffer->own));
  MlirType type = buffer->element, bits = bitsOf(type);
  if (!mlirTypeEqual(to, type)) {
    if (!mlirTypeEqual(bits, type))
      value = xlaIrCast(ir, "arith.bitcast", value, bits);
    value = xlaIrCast(ir, "arith.extui", value, to);
  }
  storeOne(e, ir, buffer->own, index, value);
}

/// Loads from windows `w` and up, where `index` counts from window w on.
static MlirValue loadFrom(XlaVulkanEmit *e, XlaIr *ir,
                          const XlaVulkanBuffer *buffer, int w, Index index) {
  if (buffer->own.ptr)
    return loadOwn(e, ir, buffer, index);
  MlirValue memref = argumentOf(e, buffer, w);
  if (w + 1 == buffer->nWindows)
    return loadOne(e, ir, memref, index);
  XlaIr then, otherwise;
  MlirType type = xlaIrElementType(mlirValueGetType(memref));
  MlirOperation op =
      branchBelow(e, ir, index, buffer->window, 1, &type, &then, &otherwise);
  MlirValue value = loadOne(e, &then, memref, index);
  yield(&then, index, 1, &value);
  value = loadFrom(e, &otherwise, buffer, w + 1,
                   lessBy(&otherwise, index, buffer->window));
  yield(&otherwise, index, 1, &value);
  return mlirOperationGetResult(op, 0);
}

static void storeTo(XlaVulkanEmit *e, XlaIr *ir, const XlaVulkanBuffer *buffer,
                    int w, Index index, MlirValue value) {
  if (buffer->own.ptr) {
    storeOwn(e, ir, buffer, index, value);
    return;
  }
  MlirValue memref = argumentOf(e, buffer, w);
  e->bindings[buffer->first + w].isWritten = true;
  if (w + 1 == buffer->nWindows) {
    storeOne(e, ir, memref, index, value);
    return;
  }
  XlaIr then, otherwise;
  branchBelow(e, ir, index, buffer->window, 0, NULL, &then, &otherwise);
  storeOne(e, &then, memref, index, value);
  yield(&then, index, 0, NULL);
  storeTo(e, &otherwise, buffer, w + 1,
          lessBy(&otherwise, index, buffer->window), value);
  yield(&otherwise, index, 0, NULL);
}

//===----------------------------------------------------------------------===//
// Single elements
//===----------------------------------------------------------------------===//

static MlirValue poison(XlaVulkanEmit *e, MlirType type) {
  return xlaIrOp(&e->ir, "ub.poison", type, 0, NULL, 0, NULL);
}

MlirValue xlaVulkanLoad(XlaVulkanEmit *e, MlirValue root, MlirValue index) {
  const XlaVulkanBuffer *buffer = xlaVulkanBufferOf(e, root, 1);
  return buffer ? loadFrom(e, &e->ir, buffer, 0, (Index){{NULL}, index})
                : poison(e, xlaIrElementType(mlirValueGetType(root)));
}

void xlaVulkanStore(XlaVulkanEmit *e, MlirValue root, MlirValue index,
                    MlirValue value) {
  const XlaVulkanBuffer *buffer = xlaVulkanBufferOf(e, root, 1);
  if (buffer)
    storeTo(e, &e->ir, buffer, 0, (Index){{NULL}, index}, value);
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

/// Element `at` where a load has `lanes` of them.
static Index loadOf(MlirAffineExpr at, int lanes) {
  return (Index){xlaExprOver(at, lanes), {NULL}};
}

static MlirValue extract(XlaIr *ir, MlirValue vector, int64_t at) {
  XlaIrAttr attr = {"static_position",
                    mlirDenseI64ArrayGet(ir->context, 1, &at)};
  return xlaIrOp(ir, "vector.extract",
                 xlaIrElementType(mlirValueGetType(vector)), 1, &vector, 1,
                 &attr);
}

static MlirValue gather(XlaIr *ir, const MlirValue *values, int64_t n) {
  MlirType type = mlirVectorTypeGet(1, &n, mlirValueGetType(values[0]));
  return xlaIrOp(ir, "vector.from_elements", type, n, values, 0, NULL);
}

static MlirType vectorOf(int64_t n, MlirType element) {
  return mlirVectorTypeGet(1, &n, element);
}

void xlaVulkanLoadLanes(XlaVulkanEmit *e, MlirValue root, int lanes,
                        MlirAffineExpr at, MlirValue *values) {
  const XlaVulkanBuffer *buffer = xlaVulkanBufferOf(e, root, lanes);
  MlirType type = xlaIrElementType(mlirValueGetType(root));
  XlaIr *ir = &e->ir;
  MlirValue vector = {NULL};
  if (buffer)
    vector = loadFrom(e, ir, buffer, 0, loadOf(at, lanes));
  for (int k = 0; k < lanes; ++k) {
    if (!buffer) { // the shader is dropped
      values[k] = poison(e, type);
    } else if (lanes == 1) {
      values[k] = vector;
    } else if (lanes == XLA_VULKAN_WIDTH) {
      values[k] = extract(ir, vector, k);
    } else if (k % 2 == 0) {
      MlirValue pair = extract(ir, vector, k / 2);
      pair = xlaIrCast(ir, "vector.bitcast", gather(ir, &pair, 1),
                       vectorOf(2, type));
      values[k] = extract(ir, pair, 0);
      values[k + 1] = extract(ir, pair, 1);
    }
  }
}

void xlaVulkanStoreLanes(XlaVulkanEmit *e, MlirValue root, int lanes,
                         MlirAffineExpr at, const MlirValue *values) {
  const XlaVulkanBuffer *buffer = xlaVulkanBufferOf(e, root, lanes);
  XlaIr *ir = &e->ir;
  MlirValue pairs[XLA_VULKAN_WIDTH];
  if (!buffer)
    return;
  MlirType i64 = mlirIntegerTypeGet(ir->context, 64);
  for (int k = 0; lanes > XLA_VULKAN_WIDTH && k < lanes; k += 2)
    pairs[k / 2] =
        extract(ir,
                xlaIrCast(ir, "vector.bitcast", gather(ir, values + k, 2),
                          vectorOf(1, i64)),
                0);
  MlirValue vector = values[0];
  if (lanes > 1)
    vector =
        gather(ir, lanes > XLA_VULKAN_WIDTH ? pairs : values, XLA_VULKAN_WIDTH);
  storeTo(e, ir, buffer, 0, loadOf(at, lanes), vector);
}
