//===- feed.c - Infeeds and outfeeds, with their errors -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/feed.h"
#include "xlac/dialect/result_internal.h"

/// Whether a hook gave what it was asked for: memory has that size.
static MlirLogicalResult check(MlirOperation op, const XlaShape *wanted,
                               const XlaLiteral *array) {
  if (!array || xlaLiteralGetKind(array) != XlaLiteralKindArray)
    return xlaOpInvalid(op, NULL, "takes %s from the infeed, gets no array",
                        XLA_SHAPE_TEXT(wanted));
  const XlaShape *given = xlaLiteralGetShape(array);
  if (given->elementType == wanted->elementType &&
      xlaShapeDimsEqual(given, wanted))
    return success();
  return xlaOpInvalid(op, NULL, "takes %s from the infeed, gets %s",
                      XLA_SHAPE_TEXT(wanted), XLA_SHAPE_TEXT(given));
}

MlirLogicalResult xlaInfeedRead(MlirOperation op, XlaInfeedHook hook,
                                void *userData, intptr_t n,
                                const XlaShape *shapes, XlaLiteral **arrays) {
  for (intptr_t i = 0; i < n; ++i)
    arrays[i] = NULL;
  if (!n)
    return success();
  if (!hook)
    return xlaOpInvalid(op, NULL, "reads from an infeed, which is not there");
  MlirLogicalResult result = hook(op, n, shapes, arrays, userData);
  for (intptr_t i = 0; !failed(result) && i < n; ++i)
    result = check(op, &shapes[i], arrays[i]);
  for (intptr_t i = 0; failed(result) && i < n; ++i) {
    xlaLiteralRelease(arrays[i]);
    arrays[i] = NULL;
  }
  return result;
}

MlirLogicalResult xlaOutfeedWrite(MlirOperation op, XlaOutfeedHook hook,
                                  void *userData, intptr_t n,
                                  const XlaLiteral *const *arrays) {
  if (!n)
    return success();
  return hook ? hook(op, n, arrays, userData)
              : xlaOpInvalid(op, NULL,
                             "writes to an outfeed, which is not there");
}
