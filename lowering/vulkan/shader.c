//===- shader.c - Writing gpu.funcs ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/error.h"
#include "xlac/lowering/vulkan/spirv.h"

#include "mlir-c/Diagnostics.h"

#include <stdio.h>
#include <stdlib.h>

static MlirAttribute symbol(MlirContext context, const char *name) {
  return xlaIrStringAttr(context, name);
}

static MlirAttribute storageClass(MlirContext context, const char *name) {
  char text[64];
  snprintf(text, sizeof text, "#spirv.storage_class<%s>", name);
  return xlaIrParseAttr(context, text);
}

void xlaVulkanShaderBegin(XlaVulkanShaderBuilder *builder, MlirBlock modules,
                          MlirLocation location, const char *name,
                          const uint32_t groupSize[3]) {
  MlirContext context = mlirLocationGetContext(location);
  XlaIr ir = xlaIrAtEnd(context, location, modules);
  MlirRegion outer = mlirRegionCreate(), inner = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  MlirBlock code = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(outer, body);
  mlirRegionAppendOwnedBlock(inner, code);
  XlaIrAttr moduleAttrs[1] = {{"sym_name", symbol(context, name)}};
  builder->module = xlaIrCreate(&ir, "gpu.module", 0, NULL, 0, NULL, 1,
                                moduleAttrs, 1, &outer);
  char abi[128];
  snprintf(abi, sizeof abi,
           "#spirv.entry_point_abi<workgroup_size = [%u, %u, %u]>",
           groupSize[0], groupSize[1], groupSize[2]);
  XlaIr at = xlaIrIn(ir, body);
  MlirType type = mlirFunctionTypeGet(context, 0, NULL, 0, NULL);
  XlaIrAttr attrs[5] = {
      {"sym_name", symbol(context, XLA_VULKAN_ENTRY)},
      {"function_type", mlirTypeAttrGet(type)},
      {"gpu.kernel", mlirUnitAttrGet(context)},
      {"workgroup_attributions", xlaIrI64Attr(context, 0)}, // as it is read
      {"spirv.entry_point_abi", xlaIrParseAttr(context, abi)}};
  builder->function =
      xlaIrCreate(&at, "gpu.func", 0, NULL, 0, NULL, 5, attrs, 1, &inner);
  builder->ir = xlaIrIn(ir, code);
  for (int i = 0; i < 3; ++i)
    builder->groupSize[i] = groupSize[i];
  builder->nArguments = 0;
  builder->usesAddresses = false;
}

void xlaVulkanShaderUseAddresses(XlaVulkanShaderBuilder *builder) {
  builder->usesAddresses = true;
  mlirOperationSetAttributeByName(
      builder->module, mlirStringRefCreateFromCString(XLA_VULKAN_ADDRESSES),
      mlirUnitAttrGet(builder->ir.context));
}

MlirValue xlaVulkanShaderAddArgument(XlaVulkanShaderBuilder *builder,
                                     MlirType element, int64_t count) {
  XlaIr *ir = &builder->ir;
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(builder->function, 0));
  MlirAttribute class =
      storageClass(ir->context, builder->usesAddresses ? "PhysicalStorageBuffer"
                                                       : "StorageBuffer");
  MlirType type =
      mlirMemRefTypeGet(element, 1, &count, mlirAttributeGetNull(), class);
  ++builder->nArguments;
  return mlirBlockAddArgument(entry, type, ir->location);
}

MlirLogicalResult xlaVulkanShaderEnd(XlaVulkanShaderBuilder *builder) {
  XlaIr *ir = &builder->ir;
  intptr_t n = builder->nArguments;
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(builder->function, 0));
  MlirType *types = malloc((size_t)(n + 1) * sizeof *types);
  if (!types) {
    xlaErrorNoMemory(ir->location);
    return mlirLogicalResultFailure();
  }
  xlaIrCreate(ir, "gpu.return", 0, NULL, 0, NULL, 0, NULL, 0, NULL);
  for (intptr_t i = 0; i < n; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(entry, i));
  mlirOperationSetAttributeByName(
      builder->function, mlirStringRefCreateFromCString("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(ir->context, n, types, 0, NULL)));
  free(types);
  return mlirLogicalResultSuccess();
}

void xlaVulkanShaderDiscard(XlaVulkanShaderBuilder *builder) {
  mlirOperationDestroy(builder->module);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

static MlirValue idOp(XlaIr *ir, const char *name, int dimension) {
  static const char *const dims[] = {"#gpu<dim x>", "#gpu<dim y>",
                                     "#gpu<dim z>"};
  XlaIrAttr attr = {"dimension", xlaIrParseAttr(ir->context, dims[dimension])};
  return xlaIrOp(ir, name, mlirIndexTypeGet(ir->context), 0, NULL, 1, &attr);
}

MlirValue xlaVulkanThreadId(XlaIr *ir, int dimension) {
  return idOp(ir, "gpu.thread_id", dimension);
}

MlirValue xlaVulkanGroupId(XlaIr *ir, int dimension) {
  return idOp(ir, "gpu.block_id", dimension);
}

MlirValue xlaVulkanLaneId(XlaIr *ir) {
  return xlaIrOp(ir, "gpu.lane_id", mlirIndexTypeGet(ir->context), 0, NULL, 0,
                 NULL);
}

MlirValue xlaVulkanSubgroupId(XlaIr *ir) {
  return xlaIrOp(ir, "gpu.subgroup_id", mlirIndexTypeGet(ir->context), 0, NULL,
                 0, NULL);
}

MlirValue xlaVulkanFlatGroupId(XlaIr *ir, const uint32_t groups[3]) {
  MlirValue id = xlaVulkanGroupId(ir, 0);
  int64_t stride = groups[0];
  for (int d = 1; d < 3; stride *= groups[d++]) {
    if (groups[d] == 1)
      continue;
    MlirValue more = xlaIrBinary(ir, "arith.muli", xlaVulkanGroupId(ir, d),
                                 xlaIrConstantIndex(ir, stride));
    id = xlaIrBinary(ir, "arith.addi", id, more);
  }
  return id;
}

void xlaVulkanBarrier(XlaIr *ir) {
  xlaIrCreate(ir, "gpu.barrier", 0, NULL, 0, NULL, 0, NULL, 0, NULL);
}

void xlaVulkanSubgroupBarrier(XlaIr *ir) {
  MlirAttribute scope = xlaIrParseAttr(ir->context, "#spirv.scope<Subgroup>");
  XlaIrAttr attrs[3] = {
      {"execution_scope", scope},
      {"memory_scope", scope},
      {"memory_semantics",
       xlaIrParseAttr(
           ir->context,
           "#spirv.memory_semantics<AcquireRelease|UniformMemory>")}};
  xlaIrCreate(ir, "spirv.ControlBarrier", 0, NULL, 0, NULL, 3, attrs, 0, NULL);
}

static MlirValue shuffle(XlaIr *ir, MlirValue value, uint32_t mask,
                         uint32_t size) {
  MlirType i32 = mlirIntegerTypeGet(ir->context, 32);
  MlirType types[2] = {mlirValueGetType(value),
                       mlirIntegerTypeGet(ir->context, 1)};
  MlirValue operands[3] = {value, xlaIrConstantInt(ir, i32, mask),
                           xlaIrConstantInt(ir, i32, size)};
  XlaIrAttr mode = {"mode",
                    xlaIrParseAttr(ir->context, "#gpu<shuffle_mode xor>")};
  return mlirOperationGetResult(
      xlaIrCreate(ir, "gpu.shuffle", 3, operands, 2, types, 1, &mode, 0, NULL),
      0);
}

MlirValue xlaVulkanSubgroupShuffle(XlaIr *ir, MlirValue value, uint32_t mask,
                                   uint32_t size) {
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) != 64)
    return shuffle(ir, value, mask, size);
  // Integers of 64 bits need a feature that this project does not ask for.
  MlirType i32 = mlirIntegerTypeGet(ir->context, 32);
  MlirValue by = xlaIrConstantInt(ir, type, 32);
  MlirValue high = xlaIrBinary(ir, "arith.shrui", value, by);
  MlirValue low = xlaIrCast(ir, "arith.trunci", value, i32);
  high = xlaIrCast(ir, "arith.trunci", high, i32);
  low = xlaIrCast(ir, "arith.extui", shuffle(ir, low, mask, size), type);
  high = xlaIrCast(ir, "arith.extui", shuffle(ir, high, mask, size), type);
  return xlaIrBinary(ir, "arith.ori", low,
                     xlaIrBinary(ir, "arith.shli", high, by));
}

MlirValue xlaVulkanAlloc(XlaIr *ir, const char *class, MlirType element,
                         int64_t count) {
  bool isPrivate = class[0] == 'F';
  MlirType type = mlirMemRefTypeGet(element, 1, &count, mlirAttributeGetNull(),
                                    storageClass(ir->context, class));
  const int32_t segments[2] = {0, 0};
  XlaIrAttr attr = {"operandSegmentSizes",
                    mlirDenseI32ArrayGet(ir->context, 2, segments)};
  return xlaIrOp(ir, isPrivate ? "memref.alloca" : "memref.alloc", type, 0,
                 NULL, 1, &attr);
}

int64_t xlaVulkanCeilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

bool xlaVulkanGrid(const XlaVulkanInfo *info, int64_t n, uint32_t groups[3]) {
  int64_t left = n < 1 ? 1 : n;
  // The number of slices first, then evenly long rows: few groups are in vain.
  for (int d = 0; d < 3; ++d)
    groups[d] = 1;
  for (int d = 0; d < 3; ++d) {
    int64_t most = info->maxGroupCount[d];
    if (most < 1)
      return false;
    if (left <= most) {
      groups[d] = (uint32_t)left;
      return true;
    }
    int64_t rest = xlaVulkanCeilDiv(left, most);
    groups[d] = (uint32_t)xlaVulkanCeilDiv(left, rest);
    left = rest;
  }
  return false;
}
