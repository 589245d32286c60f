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

MlirOperation xlaVulkanBranch(XlaIr *ir, MlirValue condition, intptr_t n,
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

/// Loads from windows `w` and up, where `index` counts from window w on.
static MlirValue loadFrom(XlaVulkanEmit *e, XlaIr *ir,
                          const XlaVulkanBuffer *buffer, int w,
                          MlirValue index) {
  MlirValue memref = argumentOf(e, buffer, w);
  if (w + 1 == buffer->nWindows)
    return xlaIrLoad(ir, memref, 1, &index);
  XlaIr then, otherwise;
  MlirType type = xlaIrElementType(mlirValueGetType(memref));
  MlirValue size = xlaIrConstantIndex(ir, buffer->window);
  MlirOperation op = xlaVulkanBranch(ir, xlaIrCmpI(ir, "ult", index, size), 1,
                                     &type, &then, &otherwise);
  MlirValue value = xlaIrLoad(&then, memref, 1, &index);
  xlaIrYield(&then, 1, &value);
  value = loadFrom(e, &otherwise, buffer, w + 1,
                   xlaIrBinary(&otherwise, "arith.subi", index, size));
  xlaIrYield(&otherwise, 1, &value);
  return mlirOperationGetResult(op, 0);
}

static void storeTo(XlaVulkanEmit *e, XlaIr *ir, const XlaVulkanBuffer *buffer,
                    int w, MlirValue index, MlirValue value) {
  MlirValue memref = argumentOf(e, buffer, w);
  e->bindings[buffer->first + w].isWritten = true;
  if (w + 1 == buffer->nWindows) {
    xlaIrStore(ir, value, memref, 1, &index);
    return;
  }
  XlaIr then, otherwise;
  MlirValue size = xlaIrConstantIndex(ir, buffer->window);
  xlaIrIf(ir, xlaIrCmpI(ir, "ult", index, size), &then, &otherwise);
  xlaIrStore(&then, value, memref, 1, &index);
  storeTo(e, &otherwise, buffer, w + 1,
          xlaIrBinary(&otherwise, "arith.subi", index, size), value);
}

static MlirValue poison(XlaVulkanEmit *e, MlirType type) {
  return xlaIrOp(&e->ir, "ub.poison", type, 0, NULL, 0, NULL);
}

MlirValue xlaVulkanLoad(XlaVulkanEmit *e, MlirValue root, MlirValue index) {
  const XlaVulkanBuffer *buffer = xlaVulkanBufferOf(e, root, 1);
  return buffer ? loadFrom(e, &e->ir, buffer, 0, index)
                : poison(e, xlaIrElementType(mlirValueGetType(root)));
}

void xlaVulkanStore(XlaVulkanEmit *e, MlirValue root, MlirValue index,
                    MlirValue value) {
  const XlaVulkanBuffer *buffer = xlaVulkanBufferOf(e, root, 1);
  if (buffer)
    storeTo(e, &e->ir, buffer, 0, index, value);
}

static MlirValue position(XlaVulkanEmit *e, MlirValue index, int lanes) {
  return xlaIrBinary(&e->ir, "arith.divui", index,
                     xlaIrConstantIndex(&e->ir, lanes));
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
                        MlirValue index, MlirValue *values) {
  if (lanes == 1) {
    values[0] = xlaVulkanLoad(e, root, index);
    return;
  }
  const XlaVulkanBuffer *buffer = xlaVulkanBufferOf(e, root, lanes);
  MlirType type = xlaIrElementType(mlirValueGetType(root));
  XlaIr *ir = &e->ir;
  MlirValue vector = {NULL};
  if (buffer)
    vector = loadFrom(e, ir, buffer, 0, position(e, index, lanes));
  for (int k = 0; k < lanes; ++k) {
    if (!buffer) { // the shader is dropped
      values[k] = poison(e, type);
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
                         MlirValue index, const MlirValue *values) {
  if (lanes == 1) {
    xlaVulkanStore(e, root, index, values[0]);
    return;
  }
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
  MlirValue vector =
      gather(ir, lanes > XLA_VULKAN_WIDTH ? pairs : values, XLA_VULKAN_WIDTH);
  storeTo(e, ir, buffer, 0, position(e, index, lanes), vector);
}

MlirValue xlaVulkanLoadScratch(XlaVulkanEmit *e, int64_t offset,
                               MlirType element, int64_t count,
                               MlirValue index) {
  const XlaVulkanBuffer *buffer =
      xlaVulkanScratchBuffer(e, offset, element, count);
  return buffer ? loadFrom(e, &e->ir, buffer, 0, index) : poison(e, element);
}

void xlaVulkanStoreScratch(XlaVulkanEmit *e, int64_t offset, MlirType element,
                           int64_t count, MlirValue index, MlirValue value) {
  const XlaVulkanBuffer *buffer =
      xlaVulkanScratchBuffer(e, offset, element, count);
  if (buffer)
    storeTo(e, &e->ir, buffer, 0, index, value);
}
