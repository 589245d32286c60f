//===- dynamic_reshape.c - Reshapes of dynamic dimensions -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/dynamic_reshape.h"

#include "xlac/dialect/result_internal.h"

#include <string.h>

/// Dimensions [first, end) of a shape.
typedef struct Run {
  int first, end;
} Run;

/// The next dimension of `shape` joins a group that ends at `*end`.
static void take(const XlaShape *shape, int *end, int64_t *count) {
  if (*end < shape->rank)
    *count *= shape->dims[(*end)++];
}

bool xlaReshapeNextGroup(const XlaShape *from, const XlaShape *to,
                         XlaReshapeGroup *group) {
  int64_t na = 1, nb = 1, count = 0;
  XlaReshapeGroup *g = group;
  g->from = g->fromEnd;
  g->to = g->toEnd;
  if (g->from == from->rank && g->to == to->rank)
    return false;
  xlaShapeGetElementCount(from, &count);
  if (!count) { // products say nothing
    g->fromEnd = from->rank;
    g->toEnd = to->rank;
    return true;
  }
  take(from, &g->fromEnd, &na);
  take(to, &g->toEnd, &nb);
  while (na != nb)
    if (na < nb)
      take(from, &g->fromEnd, &na);
    else
      take(to, &g->toEnd, &nb);
  return true;
}

/// The dynamic dimensions of `shape` in `run`: how many, and the last.
static int countDynamic(const XlaShape *shape, Run run, int *last) {
  int count = 0;
  for (int d = run.first; d < run.end; ++d)
    if (xlaShapeIsDynamic(shape, d)) {
      ++count;
      *last = d;
    }
  return count;
}

/// The size of dimension `d`, the only dynamic one of group `b`. The sizes of
/// an array multiply within 64 bits, unless one of them is 0.
static MlirLogicalResult inferSize(const XlaOpView *view,
                                   const XlaShape *operand, Run a,
                                   XlaShape *result, Run b, int d) {
  int64_t elements = 1, rest = 1;
  for (int i = a.first; i < a.end; ++i)
    if (operand->dims[i] == 0 ||
        __builtin_mul_overflow(elements, operand->dims[i], &elements))
      elements = 0;
  for (int i = b.first; i < b.end; ++i)
    if (i != d && (result->dims[i] == 0 ||
                   __builtin_mul_overflow(rest, result->dims[i], &rest)))
      rest = 0;
  if (!rest)
    return xlaViewError(view, "dynamic",
                        "dimension %d of the result is dynamic, and its size "
                        "does not follow from arrays without elements",
                        d);
  if (elements % rest)
    return xlaViewError(view, "dynamic",
                        "%lld elements cannot make dimension %d of the result: "
                        "the dimensions beside it take %lld",
                        (long long)elements, d, (long long)rest);
  result->dims[d] = elements / rest;
  return success();
}

MlirLogicalResult xlaReshapeInferSizes(const XlaOpView *view,
                                       const XlaShape *declared,
                                       const XlaShape *operand,
                                       XlaShape *result) {
  XlaReshapeGroup group = {0, 0, 0, 0};
  XlaShape bounds = *result;
  if (xlaShapeDimsEqual(declared, result) &&
      declared->dynamic == result->dynamic) {
    memcpy(result->dims, operand->dims, sizeof result->dims);
    return success();
  }
  while (xlaReshapeNextGroup(declared, &bounds, &group)) {
    int from = 0, to = 0;
    Run a = {group.from, group.fromEnd}, b = {group.to, group.toEnd};
    int given = countDynamic(declared, a, &from);
    int wanted = countDynamic(&bounds, b, &to);
    if (!given && !wanted)
      continue;
    if (!given)
      return xlaViewError(view, "dynamic",
                          "dimension %d of the result is dynamic, but what it "
                          "is made of is not",
                          to);
    if (wanted != 1)
      return xlaViewError(view, "dynamic",
                          "dimension %d of the operand is dynamic, so must be "
                          "one dimension of what it becomes, dimensions %d to "
                          "%d of the result; %d are",
                          from, b.first, b.end - 1, wanted);
    if (failed(inferSize(view, operand, a, result, b, to)))
      return failure();
  }
  return success();
}
