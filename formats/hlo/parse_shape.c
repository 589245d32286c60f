//===- parse_shape.c - Shapes in HLO text ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/parse.h"

#include <ctype.h>

static bool equals(MlirStringRef a, const char *b) {
  return mlirStringRefEqual(a, mlirStringRefCreateFromCString(b));
}

bool xlaHloIsShapeNext(XlaHloParser *p) {
  if (xlaHloIsNext(p, '('))
    return true;
  const char *from = p->at;
  MlirStringRef word = xlaHloReadWord(p);
  bool isShape = word.length && p->at < p->end && *p->at == '[';
  p->at = from;
  return isShape;
}

/// `4`, `<=4`; what has no bound is refused.
static bool parseDimension(XlaHloParser *p, int64_t *size, bool *isDynamic) {
  *isDynamic = xlaHloAcceptText(p, "<=");
  if (xlaHloIsNext(p, '?'))
    return xlaHloRefuse(p, p->at,
                        "is not supported yet: a dimension without a bound");
  return xlaHloReadInteger(p, size);
}

/// The sizes behind `[`.
static bool parseDimensions(XlaHloParser *p, int64_t *dims, int *rank,
                            uint32_t *dynamic) {
  *rank = 0;
  *dynamic = 0;
  if (xlaHloAccept(p, ']'))
    return true;
  do {
    bool isDynamic;
    if (*rank == XLA_MAX_RANK)
      return xlaHloRefuse(p, p->at, "arrays have at most %d dimensions",
                          XLA_MAX_RANK);
    if (!parseDimension(p, &dims[*rank], &isDynamic))
      return false;
    *dynamic |= (uint32_t)isDynamic << *rank;
    ++*rank;
  } while (xlaHloAccept(p, ','));
  return xlaHloExpect(p, ']');
}

/// What follows the order of dimensions: a letter and numbers in parentheses,
/// each. Tiles (T) change where elements lie; memory spaces (S), sizes of
/// elements (E) and the like do not change values.
static bool parseLayoutDetails(XlaHloParser *p, XlaHloShape *shape) {
  while (!xlaHloIsNext(p, '}')) {
    const char *at = p->at;
    if (p->at == p->end || !isalpha((unsigned char)*p->at))
      return xlaHloFail(p, p->at, "expected '}'");
    if (*p->at == 'D')
      return xlaHloRefuse(p, at, "is not supported yet: a sparse layout");
    shape->isTiled |= *p->at == 'T' || *p->at == 'L';
    ++p->at;
    while (xlaHloAccept(p, '(')) {
      while (!xlaHloIsNext(p, ')') && p->at < p->end)
        ++p->at;
      if (!xlaHloExpect(p, ')'))
        return false;
    }
  }
  return true;
}

/// `{1,0:T(8,128)}` directly behind the sizes; a brace behind a blank opens a
/// computation.
static bool parseLayout(XlaHloParser *p, XlaHloShape *shape) {
  if (p->at == p->end || *p->at != '{')
    return true;
  const char *from = p->at++;
  int64_t order[XLA_MAX_RANK];
  int rank = 0;
  while (!xlaHloIsNext(p, ':') && !xlaHloIsNext(p, '}')) {
    if (rank && !xlaHloExpect(p, ','))
      return false;
    if (rank == XLA_MAX_RANK)
      return xlaHloFail(p, p->at, "the layout has too many dimensions");
    if (!xlaHloReadInteger(p, &order[rank++]))
      return false;
  }
  // A scalar's layout has no dimensions; others may state only tiles.
  const char *wrong =
      rank || !shape->rank
          ? xlaHloShapeSetLayout(&p->module->arena, shape, rank, order)
          : NULL;
  if (wrong)
    return xlaHloFail(p, from, "%s", wrong);
  if (xlaHloAccept(p, ':') && !parseLayoutDetails(p, shape))
    return false;
  return xlaHloExpect(p, '}');
}

static bool parseArray(XlaHloParser *p, XlaHloShape *shape) {
  const char *from = p->at;
  MlirStringRef word = xlaHloReadWord(p);
  if (!word.length)
    return xlaHloFail(p, p->at, "expected a shape");
  XlaElementType type = xlaElementTypeFromName(word.data, word.length);
  bool isToken = equals(word, "token");
  if (equals(word, "opaque") || equals(word, "b") || equals(word, "s1") ||
      equals(word, "u1"))
    return xlaHloRefuse(p, from, "is not supported yet: the type %.*s",
                        (int)word.length, word.data);
  if (!isToken && (type == XlaElementTypeInvalid ||
                   !equals(word, xlaElementTypeGetInfo(type)->name)))
    return xlaHloFail(p, from, "%.*s is no element type", (int)word.length,
                      word.data);
  int64_t dims[XLA_MAX_RANK];
  int rank;
  uint32_t dynamic;
  if (!xlaHloExpect(p, '[') || !parseDimensions(p, dims, &rank, &dynamic))
    return false;
  if (isToken) {
    shape->kind = XlaHloShapeKindToken;
    shape->nLeaves = 1;
    return !rank || xlaHloFail(p, from, "a token has no dimensions");
  }
  const char *wrong =
      xlaHloShapeSetArray(&p->module->arena, shape, type, rank, dims, dynamic);
  if (wrong)
    return xlaHloFail(p, from, "%s", wrong);
  return parseLayout(p, shape);
}

static bool parseShape(XlaHloParser *p, int depth, const XlaHloShape **shape);

static bool parseTuple(XlaHloParser *p, int depth, XlaHloShape *shape) {
  const char *from = p->at;
  size_t first = p->shapes.n;
  bool parsed = xlaHloExpect(p, '(');
  while (parsed && !xlaHloAccept(p, ')')) {
    const XlaHloShape *element;
    parsed = (p->shapes.n == first || xlaHloExpect(p, ',')) &&
             parseShape(p, depth + 1, &element);
    if (parsed &&
        !xlaHloReserve((void **)&p->shapes.values, &p->shapes.capacity,
                       p->shapes.n + 1, sizeof *p->shapes.values))
      parsed = xlaHloFailNoMemory(p);
    if (parsed)
      p->shapes.values[p->shapes.n++] = element;
  }
  const char *wrong = parsed ? xlaHloShapeSetTuple(&p->module->arena, shape,
                                                   p->shapes.n - first,
                                                   p->shapes.values + first)
                             : NULL;
  p->shapes.n = first;
  return parsed && (!wrong || xlaHloFail(p, from, "%s", wrong));
}

static bool parseShape(XlaHloParser *p, int depth, const XlaHloShape **shape) {
  if (depth > XLA_HLO_MAX_NESTING)
    return xlaHloRefuse(p, p->at, "tuples are nested more than %d deep",
                        XLA_HLO_MAX_NESTING);
  XlaHloShape *made = xlaHloArenaTake(&p->module->arena, 1, sizeof *made);
  if (!made)
    return xlaHloFailNoMemory(p);
  *shape = made;
  return xlaHloIsNext(p, '(') ? parseTuple(p, depth, made)
                              : parseArray(p, made);
}

bool xlaHloParseShape(XlaHloParser *p, const XlaHloShape **shape) {
  return parseShape(p, 0, shape);
}
