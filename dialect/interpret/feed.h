//===- feed.h - Infeeds and outfeeds, with their errors -----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the evaluator and compiled programs say and do alike.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_FEED_H
#define XLAC_DIALECT_INTERPRET_FEED_H

#include "xlac/dialect/interpret/evaluator.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Reads `n` arrays of `shapes` for `op`, an xla.infeed; none if `n` is 0. It
/// is an error if `hook` is NULL, or gives other arrays than those. `arrays`
/// gets new references; NULL on failure, which comes with a diagnostic.
MlirLogicalResult xlaInfeedRead(MlirOperation op, XlaInfeedHook hook,
                                void *userData, intptr_t n,
                                const XlaShape *shapes, XlaLiteral **arrays);
/// Gives `n` arrays, which are borrowed, to the hook of `op`, an xla.outfeed.
MlirLogicalResult xlaOutfeedWrite(MlirOperation op, XlaOutfeedHook hook,
                                  void *userData, intptr_t n,
                                  const XlaLiteral *const *arrays);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INTERPRET_FEED_H
