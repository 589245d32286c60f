//===- legalize.h - What SPIR-V or the device lacks ---------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering/vulkan: the steps of xlaVulkanLegalize, in this order.
// Each rewrites ops in and below `root` on scalars and on vectors of 2 to 4.
//
// Values of 16-bit floats become i16, values of i8 and i16 become i32: such
// types are left for memory alone, so that a device needs to load and store
// them but not to compute with them. Higher bits of a widened value are
// anything, and are set where an op looks at them.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_VULKAN_LEGALIZE_H
#define XLAC_LOWERING_VULKAN_LEGALIZE_H

#include "xlac/lowering/math_ops.h"
#include "xlac/lowering/vulkan/spirv.h"

/// Ops below a root, in the order of the text: outer before inner.
typedef struct XlaVulkanOps {
  MlirOperation *ops;
  intptr_t n, capacity;
  bool failed; ///< out of memory, after a diagnostic
} XlaVulkanOps;

/// All of them; free `ops.ops`.
XlaVulkanOps xlaVulkanCollect(MlirOperation root);

/// The element type of scalars, vectors, and memrefs of either.
MlirType xlaVulkanScalarType(MlirType type);
/// `type` with `element` in place of its scalars' type.
MlirType xlaVulkanWithScalar(MlirType type, MlirType element);
/// The formulas' types for values like `x`: f32 or f64, and integers of the
/// same width.
XlaMath xlaVulkanMath(XlaIr ir, MlirType floats);
/// Replaces the one result of `op`, and destroys it.
void xlaVulkanReplace(MlirOperation op, MlirValue value);
/// Whether `value` is a result of an op `name`, and that op.
bool xlaVulkanDefinedBy(MlirValue value, const char *name, MlirOperation *op);
/// Calls `rewrite` for every op, which gives the value that replaces the op's
/// result, or null where it stays or was rewritten otherwise; `*failed` is set
/// after a diagnostic.
typedef MlirValue (*XlaVulkanRewrite)(MlirOperation op, void *user,
                                      bool *failed);
MlirLogicalResult xlaVulkanRewriteAll(MlirOperation root,
                                      XlaVulkanRewrite rewrite, void *user);

MlirLogicalResult xlaVulkanCarryHalves(MlirOperation root);
MlirLogicalResult xlaVulkanWidenIntegers(MlirOperation root);
MlirLogicalResult xlaVulkanExpandFloats(MlirOperation root,
                                        const XlaVulkanInfo *info);
MlirLogicalResult xlaVulkanExpandIntegers(MlirOperation root);
MlirLogicalResult xlaVulkanPatchLoops(MlirOperation root);

#endif // XLAC_LOWERING_VULKAN_LEGALIZE_H
