//===- hooks.c - The hooks of all families --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-gen/gen.h"

#include <string.h>

/// What a hook makes, and how often, among the others.
typedef struct Family {
  const char *name;
  XlaGenHook hook;
  int weight;
  XlaOpKind kinds[12]; ///< that the hook knows; none: all of the family
} Family;

static const Family families[] = {
    {"Elementwise", xlaGenElementwise, 40, {0}},
    {"Constant", xlaGenConstantOp, 3, {0}},
    {"BitcastConvert", xlaGenBitcastConvert, 2, {0}},
    {"Movement",
     xlaGenMovement,
     25,
     {XlaOpKindBroadcastInDim, XlaOpKindConcatenate, XlaOpKindPad,
      XlaOpKindReshape, XlaOpKindReverse, XlaOpKindSlice, XlaOpKindTranspose}},
    {"DynamicSlice",
     xlaGenDynamicSlice,
     5,
     {XlaOpKindDynamicSlice, XlaOpKindDynamicUpdateSlice}},
    {"Dot", xlaGenDot, 6, {XlaOpKindDot, XlaOpKindDotGeneral}},
    {"Reduce", xlaGenReduce, 10, {XlaOpKindReduce, XlaOpKindMap}},
    {"ControlFlow",
     xlaGenControlFlow,
     6,
     {XlaOpKindWhile, XlaOpKindIf, XlaOpKindCase, XlaOpKindConditional}},
    {"Call", xlaGenCall, 3, {XlaOpKindCall, XlaOpKindCustomCall}},
    {"Tuple",
     xlaGenTuple,
     2,
     {XlaOpKindTuple, XlaOpKindGetTupleElement, XlaOpKindOptimizationBarrier}},
};
enum { nFamilies = sizeof families / sizeof *families };

static bool knows(const Family *family, XlaOpKind kind) {
  if (strcmp(family->name, xlaOpGetInfo(kind)->family) != 0)
    return false;
  const XlaOpKind *at = family->kinds;
  while (*at && *at != kind)
    ++at;
  return *at == kind || !family->kinds[0];
}

bool xlaGenHasHook(XlaOpKind kind) {
  for (int i = 0; kind && i < nFamilies; ++i)
    if (knows(&families[i], kind))
      return true;
  return false;
}

static bool isCandidate(const XlaGen *gen, const Family *family,
                        XlaOpKind kind) {
  return gen->options->allowedOps[kind] && knows(family, kind);
}

static int countCandidates(const XlaGen *gen, const Family *family) {
  int n = 0;
  for (XlaOpKind kind = 1; kind < XlaOpKindCount; ++kind)
    n += isCandidate(gen, family, kind);
  return n;
}

static bool ofFamily(XlaGen *gen, const Family *family) {
  int chosen = xlaGenBelow(gen, countCandidates(gen, family));
  for (XlaOpKind kind = 1; kind < XlaOpKindCount; ++kind)
    if (isCandidate(gen, family, kind) && !chosen--)
      return family->hook(gen, kind);
  return false;
}

bool xlaGenOfFamily(XlaGen *gen, const char *name) {
  for (int i = 0; i < nFamilies; ++i)
    if (!strcmp(families[i].name, name))
      return ofFamily(gen, &families[i]);
  return false;
}

static bool statement(XlaGen *gen) {
  int total = 0;
  for (int i = 0; i < nFamilies; ++i)
    if (countCandidates(gen, &families[i]))
      total += families[i].weight;
  int chosen = xlaGenBelow(gen, total);
  for (int i = 0; i < nFamilies; ++i) {
    if (!countCandidates(gen, &families[i]))
      continue;
    chosen -= families[i].weight;
    if (chosen < 0)
      return ofFamily(gen, &families[i]);
  }
  return false;
}

void xlaGenStatements(XlaGen *gen, int n) {
  for (int tries = 0; n > 0 && gen->left > 0 && tries < 400; ++tries) {
    if (gen->nValues > xlaGenMaxValues - 64)
      return;
    if (!statement(gen))
      continue;
    --n;
    --gen->left;
  }
}
