//===- families.c - How often families occur, and their hooks -----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-gen/gen.h"

/// How often a family occurs, among the others.
typedef struct Family {
  XlaFamily family;
  int weight;
  bool isRare;          ///< in some programs only
  XlaOpKind without[2]; ///< what its hook does not make
} Family;

static const Family families[] = {
    {XlaFamilyElementwise, 40, false, {0}},
    {XlaFamilyConstant, 3, false, {0}},
    {XlaFamilyBitcastConvert, 2, false, {0}},
    {XlaFamilyMovement, 25, false, {XlaOpKindRoll}}, // XLA has none
    {XlaFamilyDynamicSlice, 5, false, {0}},
    {XlaFamilyDot, 6, false, {0}},
    {XlaFamilyReduce, 10, false, {0}},
    {XlaFamilyGather, 4, true, {0}},
    {XlaFamilyScatter, 4, true, {0}},
    {XlaFamilySort, 3, true, {0}},
    {XlaFamilyTopK, 3, true, {0}},
    {XlaFamilyReduceWindow, 4, true, {0}},
    {XlaFamilyConvolution, 4, true, {0}},
    {XlaFamilySelectAndScatter, 4, true, {0}},
    {XlaFamilyBatchNorm, 4, true, {0}},
    {XlaFamilyTriangular, 3, true, {0}},
    {XlaFamilyFft, 3, true, {0}},
    {XlaFamilyRandom, 3, true, {XlaOpKindRngNormal}},
    {XlaFamilyCollective, 10, true, {0}},
    {XlaFamilyDimensionSize, 2, true, {0}},
    {XlaFamilyAlias, 2, true, {0}},
    {XlaFamilyControlFlow, 6, false, {XlaOpKindReturn}},
    {XlaFamilyCall, 3, false, {0}},
    {XlaFamilyTuple, 2, false, {XlaOpKindAfterAll, XlaOpKindCreateToken}},
};
enum { nFamilies = sizeof families / sizeof *families };

static bool makeNone(XlaGen *gen, XlaOpKind kind) {
  (void)gen;
  (void)kind;
  return false;
}

static XlaGenHook hookOf(XlaFamily family) {
#define xlaGenNone makeNone
  static const XlaGenHook hooks[XlaFamilyCount] = {
      makeNone,
#define XLA_FAMILY(Family, sizes, maps, mapsOf, dynamic, kernel, Generate)     \
  xlaGen##Generate,
#include "xlac/dialect/families.def"
  };
  return hooks[family];
}

static bool knows(const Family *family, XlaOpKind kind) {
  return family->family == xlaOpGetInfo(kind)->family &&
         kind != family->without[0] && kind != family->without[1];
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
      return hookOf(family->family)(gen, kind);
  return false;
}

bool xlaGenOfFamily(XlaGen *gen, XlaFamily family) {
  for (int i = 0; i < nFamilies; ++i)
    if (families[i].family == family)
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

static MlirOperation lastOf(MlirBlock block) {
  MlirOperation last = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    last = op;
  return last;
}

/// Undoes what a hook did that failed: an unused operation, or a use by one,
/// would change which values are results, and so would its variations.
static void forget(XlaGen *gen, MlirOperation last, int nValues) {
  for (MlirOperation op = lastOf(gen->ir.block); op.ptr != last.ptr;
       op = lastOf(gen->ir.block))
    mlirOperationDestroy(op);
  gen->nValues = nValues;
}

static bool choose(XlaGen *gen) {
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

static bool statement(XlaGen *gen) {
  MlirOperation last = lastOf(gen->ir.block);
  int nValues = gen->nValues;
  bool done = choose(gen);
  if (!done)
    forget(gen, last, nValues);
  return done;
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
