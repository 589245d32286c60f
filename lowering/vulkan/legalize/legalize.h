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
// Units in the last place that functions are off on Mesa's llvmpipe, by
// `vulkan_math_test 1499`, on f32 and (where the second number is) f64:
//
//   exp    0.93 0.94    tanh  1.20 2.49    asin   1.67
//   exp2   0.95 1.00    sinh  1.56         acos   1.22
//   expm1  1.39 1.94    cosh  1.32 1.39    atan   1.27
//   log    0.77 0.84    erf   1.23 1.36    atan2  1.47 1.82
//   log1p  0.78 0.79    sin   1.49 0.86    cbrt   0.50 0.50
//   powf   0.94 0.94    cos   1.48 0.86    rsqrt  1.48
//   remf   0    0       tan   2.80 2.23    sqrt, divf 0.50 0.50
//
// They hold where Fma rounds twice. f32 division is the device's (2.5 units by
// Vulkan's rules); f64 division, and roots, are corrected except on devices
// that are processors. Denormals are kept where the device keeps them.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_VULKAN_LEGALIZE_LEGALIZE_H
#define XLAC_LOWERING_VULKAN_LEGALIZE_LEGALIZE_H

#include "xlac/lowering/math/ops.h"
#include "xlac/lowering/vulkan/spirv.h"

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
/// Whether a driver may know what `value` is, at least in the first iteration
/// of a loop. Ops are to be marked from the first one on.
bool xlaVulkanIsKnown(MlirValue value);
/// Marks an op that drivers may compute, as they know its operands.
void xlaVulkanMarkKnown(MlirOperation op);
void xlaVulkanUnmarkKnown(MlirOperation op);
/// Calls `rewrite` for every op, which gives the value that replaces the op's
/// result, or null where it stays or was rewritten otherwise; `*failed` is set
/// after a diagnostic.
typedef MlirValue (*XlaVulkanRewrite)(MlirOperation op, void *user,
                                      bool *failed);
MlirLogicalResult xlaVulkanRewriteAll(MlirOperation root,
                                      XlaVulkanRewrite rewrite, void *user);

MlirLogicalResult xlaVulkanWidenIntegers(MlirOperation root);
MlirLogicalResult xlaVulkanExpandFloats(MlirOperation root,
                                        const XlaVulkanInfo *info);
/// Before anything is folded: MLIR takes the arc tangent of 0 / 0 for NaN.
MlirLogicalResult xlaVulkanExpandAtan2(MlirOperation root);
MlirLogicalResult xlaVulkanHideZeros(MlirOperation root);
MlirLogicalResult xlaVulkanExpandIntegers(MlirOperation root);
MlirLogicalResult xlaVulkanPatchLoops(MlirOperation root);
/// Of a spirv.module, after all the others: says of loops with much inside that
/// the driver is not to unroll them.
MlirLogicalResult xlaVulkanKeepLoops(MlirOperation root);
/// Loads and stores of arguments in PhysicalStorageBuffer go through their
/// addresses, which the only argument left, memref<Nxi64>, has: of each the
/// addresses of all its pieces (xlaVulkanPieceBytes).
MlirLogicalResult xlaVulkanUseAddresses(MlirOperation gpuModule,
                                        const XlaVulkanInfo *info);

#endif // XLAC_LOWERING_VULKAN_LEGALIZE_LEGALIZE_H
