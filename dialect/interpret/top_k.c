//===- top_k.c - The largest elements, evaluated --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/result_internal.h"

#include <stdlib.h>
#include <string.h>

/// An element of a line: a number that orders elements, and its position.
typedef struct Entry {
  uint64_t key;
  int64_t position;
} Entry;

/// Floats in the total order: -NaN, -inf, .., -0, 0, .., inf, NaN.
static uint64_t keyOf(XlaElementType type, XlaScalar value) {
  const uint64_t sign = UINT64_C(1) << 63;
  uint64_t bits;
  if (!xlaElementTypeIsFloat(type))
    return xlaElementTypeGetInfo(type)->typeClass == XlaTypeClassSigned
               ? (uint64_t)value.s ^ sign
               : value.u;
  memcpy(&bits, &value.f.re, sizeof bits);
  return bits & sign ? ~bits : bits | sign;
}

/// Larger ones first, of equal ones the first.
static int compareEntries(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  if (x->key != y->key)
    return x->key > y->key ? -1 : 1;
  return x->position < y->position ? -1 : x->position > y->position;
}

static void takeLine(Entry *entries, int64_t line, const XlaLiteral *operand,
                     XlaLiteral **results) {
  const XlaShape *shape = xlaLiteralGetShape(operand);
  int64_t size = shape->dims[shape->rank - 1];
  int64_t k = xlaLiteralGetShape(results[0])->dims[shape->rank - 1];
  for (int64_t i = 0; i < size; ++i)
    entries[i] = (Entry){
        keyOf(shape->elementType, xlaLiteralGet(operand, line * size + i)), i};
  qsort(entries, (size_t)size, sizeof *entries, compareEntries);
  for (int64_t i = 0; i < k; ++i) {
    xlaLiteralCopyElement(results[0], line * k + i, operand,
                          line * size + entries[i].position);
    xlaLiteralSet(results[1], line * k + i,
                  (XlaScalar){.s = entries[i].position});
  }
}

MlirLogicalResult xlaTopKEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                  XlaOpKind kind,
                                  const XlaLiteral *const *operands,
                                  XlaLiteral **results) {
  (void)kind;
  const XlaShape *shape = xlaLiteralGetShape(operands[0]);
  int64_t size = shape->dims[shape->rank - 1];
  for (intptr_t i = 0; i < 2; ++i)
    if (!(results[i] = xlaEvaluatorCreateResult(evaluator, op, i)))
      return failure();
  if (!xlaLiteralGetElementCount(results[0]))
    return success();
  Entry *entries = malloc((size_t)size * sizeof *entries);
  if (!entries)
    return xlaOpNoMemory(op);
  int64_t lines = xlaLiteralGetElementCount(operands[0]) / size;
  MlirLogicalResult result = success();
  for (int64_t line = 0; line < lines && !failed(result); ++line) {
    result = xlaEvaluatorStep(evaluator, op, size);
    if (!failed(result))
      takeLine(entries, line, operands[0], results);
  }
  free(entries);
  return result;
}
