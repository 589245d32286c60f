//===- product.h - Products that tests run ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_LOWERING_VULKAN_PRODUCT_H
#define XLAC_TEST_LOWERING_VULKAN_PRODUCT_H

#include "xlac/lowering/vulkan/matmul/matmul.h"

typedef enum ProductKind {
  F64,
  F32,
  F16,
  BF16,
  I8,
  U8,
  I16,
  U16,
  I32,
  I64
} ProductKind;

typedef struct ProductKindInfo {
  const char *name;
  size_t bytes;
  double epsilon;  ///< of the sums: 0 is exact
  double rounding; ///< of the result
  bool isUnsigned;
} ProductKindInfo;

/// Of each ProductKind.
extern const ProductKindInfo productKinds[];

/// Dimensions are letters: those of both operands are batch if they are a or b,
/// else contracted. The result has a, b, the rest of lhs, the rest of rhs.
typedef struct ProductCase {
  const char *lhs, *rhs;
  int64_t size[128];                   ///< of a letter; 0 stands for 1
  ProductKind kind[3];                 ///< of lhs, rhs, result
  bool isSpecial;                      ///< with infinities
  const XlaVulkanMatmulTiling *tiling; ///< NULL: the device's
} ProductCase;

/// An operand or the result, dense, with a stride for each letter.
typedef struct ProductArray {
  char dims[16];
  int64_t stride[128], count;
  ProductKind kind;
  char *data;
} ProductArray;

/// The size of a letter.
int64_t productSize(const ProductCase *c, char letter);

/// The letters of the result, with a 0 at the end.
void productResultDims(const ProductCase *c, char *dims);

/// A number of 32 bits that follows from the seed.
uint32_t productNext(uint64_t *seed);

/// The caller frees `data`, whose elements are not set.
ProductArray productArrayCreate(const ProductCase *c, const char *dims,
                                ProductKind kind);

/// Sets all elements: all bits of integers, floats in [-1, 1), and now and then
/// an infinity where `isSpecial`.
void productArrayFill(ProductArray *array, uint64_t *seed, bool isSpecial);

/// What xlaKernelEmit makes of dot_general.
MlirModule productKernel(MlirContext context, const ProductCase *c);

/// The same with `mul` and `add` in place of the operations of arith: another
/// sum.
MlirModule productKernelWith(MlirContext context, const ProductCase *c,
                             const char *mul, const char *add);

/// Fails unless arrays[2] is the product of the other two.
void productCheck(const ProductCase *c, const ProductArray arrays[3],
                  const XlaVulkanMatmulTiling *tiling);

/// Prints a tiling for messages.
const char *productTilingText(const XlaVulkanMatmulTiling *tiling,
                              char text[160]);

#endif // XLAC_TEST_LOWERING_VULKAN_PRODUCT_H
