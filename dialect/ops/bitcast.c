//===- bitcast.c - The same bytes as another array ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unlike all other operations, bitcast sees how arrays lie in memory: it takes
// the operand's image, in the layout that its type states, for that of the
// result. Elements lie there as in literals: of less than a byte they are its
// lower bits.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/bitcast.h"

#include "xlac/dialect/family.h"
#include "xlac/dialect/layout.h"
#include "xlac/dialect/result_internal.h"

int64_t xlaBitcastGetImageBytes(MlirType type, const XlaShape *shape) {
  XlaLayout layout = xlaLayoutFromMlir(type);
  return xlaLayoutGetImageCount(&layout, shape) *
         xlaElementTypeGetInfo(shape->elementType)->bytes;
}

MlirLogicalResult xlaBitcastInfer(XlaOpView *view) {
  XlaShape from, to;
  int64_t count;
  if (failed(xlaViewGetShape(view, 0, &from)) ||
      failed(xlaViewGetStatedShape(view, 0, &to)))
    return failure();
  if (!xlaShapeGetElementCount(&to, &count))
    return xlaViewError(view, "bitcast_c1",
                        "the result %s is larger than 2^62 bytes",
                        XLA_SHAPE_TEXT(&to));
  if (from.elementType != to.elementType &&
      (from.elementType == XlaElementTypePred ||
       to.elementType == XlaElementTypePred))
    return xlaViewError(view, "bitcast_c2", "%s is not taken for %s",
                        xlaElementTypeGetInfo(from.elementType)->name,
                        xlaElementTypeGetInfo(to.elementType)->name);
  int64_t given = xlaBitcastGetImageBytes(view->operands[0], &from);
  int64_t wanted = xlaBitcastGetImageBytes(view->statedResults[0], &to);
  if (given != wanted)
    return xlaViewError(
        view, "bitcast_c1", "the operand %s has %lld bytes, the result %s %lld",
        XLA_TYPE_TEXT(view->operands[0]), (long long)given,
        XLA_TYPE_TEXT(view->statedResults[0]), (long long)wanted);
  xlaViewAppendShape(view, &to);
  return success();
}
