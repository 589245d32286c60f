//===- patches.h - Convolutions as products of patches ------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of lhs that each position of the window covers, its patch, are
// put side by side, so that one dot_general of patches and kernel is left.
// Patches have the dimensions of lhs, in its order, and further ones: what is
// there of a spatial dimension is its positions, and the further ones are the
// window's taps (places in it); or, where those are more, the other way around.
// The kernel is taken as it is, too, where it has what is summed over together.
// So images are not transposed where they need not be, what follows is computed
// in the product's kernel, and what a network computes for gradients are
// products of the same patches.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_PATCHES_H
#define XLAC_PASSES_EXPAND_PATCHES_H

#include "xlac/dialect/ops/convolution.h"
#include "xlac/passes/arrays.h"

/// Where an array has its dimensions; of the kernel, batch are its output
/// features, feature its input features.
typedef struct XlaPatchPlaces {
  int batch, feature, spatial[XLA_MAX_RANK];
} XlaPatchPlaces;

/// How a product has its dimensions: loops of products go over rows, columns
/// and terms as one dimension each.
typedef enum XlaPatchForm {
  XlaPatchFormPlain,   ///< as lhs and kernel have them
  XlaPatchFormEach,    ///< the same, a product for each of the batch
  XlaPatchFormSum,     ///< a product for each input feature, which are added
  XlaPatchFormOrdered, ///< transposed to the order of the specification first,
                       ///< with one dimension of positions, and one of taps
} XlaPatchForm;

typedef struct XlaPatches {
  XlaIr *ir;
  XlaConvolution c;
  int n;                   // spatial dimensions
  XlaShape lhs;            // padded
  int64_t positions, taps; // how many
  bool byPosition;         // slices are of one position, not of one tap
  bool isTaken;            // slices are taken from an lhs that is not padded
  XlaPatchForm form;
  // Positions and taps as patches have them, or one dimension of all: Ordered.
  int m;
  int64_t counts[XLA_MAX_RANK], sizes[XLA_MAX_RANK];
  XlaPatchPlaces lhsAt, kernelAt, resultAt;
} XlaPatches;

/// Reads c, n and isTaken, for an lhs and a result of such shapes. Slices are
/// of one position where those are fewer, or where slices of one tap, taken,
/// would have more than `most` bytes.
void xlaPatchesBegin(XlaPatches *p, const XlaShape *lhs, const XlaShape *result,
                     int64_t most);
/// lhs dilated and padded, in its order.
MlirValue xlaPatchesPad(XlaPatches *p, MlirValue lhs);
/// The kernel with those dimensions of the window in order that are reversed.
MlirValue xlaPatchesReverse(const XlaPatches *p, MlirValue rhs);
/// What one tap covers at all positions, or one position at all taps; in the
/// dimensions of lhs.
MlirValue xlaPatchesSlice(const XlaPatches *p, MlirValue lhs,
                          const int64_t *index);
/// Such a slice as a patch, of one tap or position.
MlirValue xlaPatchesOfSlice(const XlaPatches *p, MlirValue slice);
/// All patches of a padded lhs: `slices` has room for them. The taps of a
/// dimension that is reversed are in the kernel's order.
MlirValue xlaPatchesOfAll(const XlaPatches *p, MlirValue lhs,
                          MlirValue *slices);
/// The product of patches with a kernel that has the window's dimensions as the
/// patches have them, as `type`: in the dimensions of the result.
MlirValue xlaPatchesContract(const XlaPatches *p, MlirOperation op,
                             MlirValue patches, MlirValue kernel,
                             XlaElementType type);

#endif // XLAC_PASSES_EXPAND_PATCHES_H
