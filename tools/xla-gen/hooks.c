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
  bool isRare;         ///< in some programs only
} Family;

static const Family families[] = {
    {"Elementwise", xlaGenElementwise, 40, {0}, false},
    {"Constant", xlaGenConstantOp, 3, {0}, false},
    {"BitcastConvert", xlaGenBitcastConvert, 2, {0}, false},
    {"Movement",
     xlaGenMovement,
     25,
     {XlaOpKindBroadcastInDim, XlaOpKindConcatenate, XlaOpKindPad,
      XlaOpKindReshape, XlaOpKindReverse, XlaOpKindSlice, XlaOpKindTranspose},
     false},
    {"DynamicSlice",
     xlaGenDynamicSlice,
     5,
     {XlaOpKindDynamicSlice, XlaOpKindDynamicUpdateSlice},
     false},
    {"Dot", xlaGenDot, 6, {XlaOpKindDot, XlaOpKindDotGeneral}, false},
    {"Reduce", xlaGenReduce, 10, {XlaOpKindReduce, XlaOpKindMap}, false},
    {"Gather", xlaGenGather, 4, {XlaOpKindGather}, true},
    {"Scatter", xlaGenScatter, 4, {XlaOpKindScatter}, true},
    {"Sort", xlaGenSort, 3, {XlaOpKindSort}, true},
    {"ReduceWindow", xlaGenReduceWindow, 4, {XlaOpKindReduceWindow}, true},
    {"Convolution", xlaGenConvolution, 4, {XlaOpKindConvolution}, true},
    {"SelectAndScatter",
     xlaGenSelectAndScatter,
     4,
     {XlaOpKindSelectAndScatter},
     true},
    {"BatchNorm", xlaGenBatchNorm, 4, {0}, true},
    {"Triangular", xlaGenTriangular, 3, {0}, true},
    {"Fft", xlaGenFft, 3, {0}, true},
    {"Random",
     xlaGenRandom,
     3,
     {XlaOpKindRngBitGenerator, XlaOpKindRngUniform},
     true},
    {"Collective", xlaGenCollective, 4, {0}, true},
    {"DimensionSize", xlaGenDimensionSize, 2, {0}, true},
    {"Alias", xlaGenAlias, 2, {0}, true},
    {"ControlFlow",
     xlaGenControlFlow,
     6,
     {XlaOpKindWhile, XlaOpKindIf, XlaOpKindCase, XlaOpKindConditional},
     false},
    {"Call", xlaGenCall, 3, {XlaOpKindCall, XlaOpKindCustomCall}, false},
    {"Tuple",
     xlaGenTuple,
     2,
     {XlaOpKindTuple, XlaOpKindGetTupleElement, XlaOpKindOptimizationBarrier},
     false},
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

void xlaGenChooseFamilies(XlaGen *gen) {
  int usual = 0, rare[nFamilies], nRare = 0;
  gen->families = 0;
  for (int i = 0; i < nFamilies; ++i)
    if (countCandidates(gen, &families[i])) {
      gen->families |= families[i].isRare ? 0 : 1u << i;
      usual += !families[i].isRare;
      if (families[i].isRare)
        rare[nRare++] = i;
    }
  // Half of the programs have one or two of the rare ones.
  int n = !usual ? nRare : xlaGenBelow(gen, 2) ? 1 + xlaGenBelow(gen, 2) : 0;
  for (int i = 0; nRare && i < n; ++i)
    gen->families |= 1u << rare[usual ? xlaGenBelow(gen, nRare) : i];
}

static bool statement(XlaGen *gen) {
  int total = 0;
  for (int i = 0; i < nFamilies; ++i)
    if (gen->families >> i & 1)
      total += families[i].weight;
  int chosen = xlaGenBelow(gen, total);
  for (int i = 0; i < nFamilies; ++i) {
    if (!(gen->families >> i & 1))
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
