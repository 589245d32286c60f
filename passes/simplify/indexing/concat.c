//===- concat.c - Concatenations with fewer operands ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operands of a concatenation, and of those that are its operands, form a
// list. Neighbours that read one source in one way are one operand.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"
#include "xlac/passes/simplify/indexing/indexing.h"

#include <stdlib.h>
#include <string.h>

static const MlirValue unchanged = {NULL};

/// Neighbours that have become one: `view` is of all of them.
typedef struct Run {
  MlirValue first;
  intptr_t begin, count; ///< operands
  int work;              ///< of what only they need
  int64_t size;          ///< along the dimension
  MoveView view;
} Run;

typedef struct Join {
  MoveState *state;
  MlirOperation op;
  int dimension;
  XlaShape shape; ///< of the result
  intptr_t nValues, capacity;
  MlirValue *values;
  intptr_t nRuns;
  Run *runs;
} Join;

static MlirOperation innerConcatenation(MlirValue value, MlirOperation op) {
  MlirOperation inner = xlaMoveDefinedBy(value, XlaOpKindConcatenate);
  return inner.ptr && xlaMoveUses(value) == 1 &&
                 mlirBlockEqual(mlirOperationGetBlock(inner),
                                mlirOperationGetBlock(op)) &&
                 xlaOpGetI64(inner, "dimension", 0) ==
                     xlaOpGetI64(op, "dimension", 0)
             ? inner
             : (MlirOperation){NULL};
}

/// Whether `op` is an operand of a concatenation that will take it apart.
static bool isInner(MlirOperation op) {
  MlirValue result = mlirOperationGetResult(op, 0);
  if (xlaMoveUses(result) != 1)
    return false;
  MlirOperation user = mlirOpOperandGetOwner(mlirValueGetFirstUse(result));
  return xlaOpGetKind(user) == XlaOpKindConcatenate && xlaMoveIsPlain(user) &&
         innerConcatenation(result, user).ptr;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static bool push(Join *join, MlirValue value) {
  if (join->nValues == join->capacity) {
    intptr_t capacity = 2 * join->capacity + 16;
    MlirValue *grown = realloc(join->values, (size_t)capacity * sizeof *grown);
    if (!grown)
      return false;
    join->values = grown;
    join->capacity = capacity;
  }
  join->values[join->nValues++] = value;
  return true;
}

/// The operands of all, in order: a stack of those that wait, the last on top.
static bool collectOperands(Join *join) {
  Join waiting = {.op = join->op};
  bool ok = true;
  for (intptr_t i = mlirOperationGetNumOperands(join->op) - 1; i >= 0; --i)
    ok = ok && push(&waiting, mlirOperationGetOperand(join->op, i));
  while (ok && waiting.nValues) {
    MlirValue value = waiting.values[--waiting.nValues];
    MlirOperation inner = innerConcatenation(value, join->op);
    XlaShape shape;
    if (inner.ptr)
      for (intptr_t i = mlirOperationGetNumOperands(inner) - 1; i >= 0; --i)
        ok = ok && push(&waiting, mlirOperationGetOperand(inner, i));
    else if (xlaMoveShape(value, &shape) && shape.dims[join->dimension])
      ok = push(join, value);
  }
  free(waiting.values);
  return ok;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// A splat constant, all of whose elements are one.
static bool isSplat(MlirValue value, char bytes[16]) {
  MlirOperation op = xlaMoveDefinedBy(value, XlaOpKindConstant);
  return op.ptr && xlaMoveSplatBytes(op, bytes);
}

/// The view of an operand, of its source or of itself; not one with holes.
static bool viewOfOperand(Join *join, MlirValue value, MoveView *view) {
  if (xlaMoveViewOfValue(join->state, value, view)) {
    if (mlirValueIsNull(view->fill))
      return true;
    xlaMoveViewFree(view);
  }
  return xlaMoveViewOfItself(value, view);
}

static bool sameSource(MlirValue a, MlirValue b, bool *splat) {
  char x[16], y[16];
  *splat = isSplat(a, x) && isSplat(b, y) && !memcmp(x, y, 16) &&
           mlirTypeEqual(xlaIrElementType(mlirValueGetType(a)),
                         xlaIrElementType(mlirValueGetType(b)));
  return *splat || mlirValueEqual(a, b);
}

/// The map of both, `size` indices of dimension `d` after the other; NULL if
/// the second does not go on as the first.
static XlaIndexingMap *joinMaps(const XlaIndexingMap *first,
                                const XlaIndexingMap *second, int d,
                                bool splat) {
  const XlaIndexingMapParts *a = xlaIndexingMapGetParts(first),
                            *b = xlaIndexingMapGetParts(second);
  MlirContext context = mlirAffineMapGetContext(a->map);
  MlirAffineExpr dims[XLA_MAX_RANK];
  XlaInterval bounds[XLA_MAX_RANK];
  int64_t size = a->dims[d].upper + 1;
  for (intptr_t i = 0; i < a->nDims; ++i) {
    dims[i] = mlirAffineDimExprGet(context, i);
    bounds[i] = a->dims[i];
  }
  dims[d] = xlaExprShift(dims[d], size);
  bounds[d].upper += b->dims[d].upper + 1;
  XlaRules rules = {.context = context, .dims = b->dims};
  bool same = true;
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(a->map) && !splat; ++i) {
    MlirAffineExpr shifted =
        xlaExprReplace(mlirAffineMapGetResult(a->map, i), dims, NULL);
    same = same && xlaRulesSimplify(&rules, shifted).ptr ==
                       mlirAffineMapGetResult(b->map, i).ptr;
  }
  xlaRulesFree(&rules);
  XlaIndexingMapParts both = *a;
  both.dims = bounds;
  return same ? xlaIndexingMapCreate(&both) : NULL;
}

/// Adds an operand, which is `view`, to a run, which is `own`.
static bool extend(const Join *join, Run *run, const MoveView *own,
                   const MoveView *view) {
  bool splat;
  if (!own->map || !view->map || !sameSource(own->source, view->source, &splat))
    return false;
  XlaIndexingMap *map = joinMaps(own->map, view->map, join->dimension, splat);
  if (!map)
    return false;
  MlirValue source = own->source;
  run->size +=
      xlaIndexingMapGetParts(view->map)->dims[join->dimension].upper + 1;
  xlaMoveViewFree(&run->view);
  run->view = (MoveView){.source = source, .map = map};
  ++run->count;
  return true;
}

/// The same where the run's only operand, the new one or both are their own
/// sources.
static bool extendByWholes(const Join *join, Run *run, const MoveView *view,
                           MlirValue value) {
  MoveView own = {.map = NULL}, whole = {.map = NULL};
  bool splat, done = false;
  if (run->count == 1 && !mlirValueEqual(run->first, run->view.source) &&
      sameSource(run->first, view->source, &splat) &&
      xlaMoveViewOfItself(run->first, &own))
    done = extend(join, run, &own, view);
  if (!done && !mlirValueEqual(value, view->source) &&
      sameSource(run->view.source, value, &splat) &&
      xlaMoveViewOfItself(value, &whole))
    done = extend(join, run, &run->view, &whole);
  xlaMoveViewFree(&own);
  xlaMoveViewFree(&whole);
  return done;
}

/// What deleting `value`'s operation saves.
static int workOf(const Join *join, MlirValue value) {
  if (!mlirValueIsAOpResult(value) || xlaMoveUses(value) > 1)
    return 0;
  MlirOperation op = mlirOpResultGetOwner(value);
  return xlaMoveIsMovement(xlaOpGetKind(op)) && xlaMoveIsPlain(op) &&
                 mlirBlockEqual(mlirOperationGetBlock(op),
                                mlirOperationGetBlock(join->op))
             ? xlaMoveCostOfOp(op).work
             : 0;
}

static bool addOperand(Join *join, intptr_t index) {
  MlirValue value = join->values[index];
  Run *run = join->nRuns ? &join->runs[join->nRuns - 1] : NULL;
  int work = workOf(join, value);
  MoveView view;
  if (!viewOfOperand(join, value, &view))
    return false;
  if (run && (extend(join, run, &run->view, &view) ||
              extendByWholes(join, run, &view, value))) {
    run->work += work;
    xlaMoveViewFree(&view);
    return true;
  }
  int64_t last = xlaIndexingMapGetParts(view.map)->dims[join->dimension].upper;
  join->runs[join->nRuns++] = (Run){.first = value,
                                    .begin = index,
                                    .count = 1,
                                    .work = work,
                                    .size = last + 1,
                                    .view = view};
  return true;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// The value of a run of several operands, if it costs no more than they do.
static MlirValue buildRun(const Join *join, const Run *run, int saved,
                          XlaIr *ir, MoveChain *chain) {
  XlaShape shape = join->shape;
  shape.dims[join->dimension] = run->size;
  if (run->count == 1)
    return run->first;
  if (!xlaMoveChainOfView(&run->view, &shape, chain) ||
      xlaMoveChainGetCost(chain).work > run->work + saved)
    return unchanged;
  return xlaMoveChainBuild(chain, ir);
}

/// Whether a run repeats a scalar, or the element of a splat.
static bool isFill(const Run *run) {
  XlaShape shape;
  char bytes[16];
  MlirValue source = run->view.source;
  return (xlaMoveShape(source, &shape) && shape.rank == 0) ||
         isSplat(source, bytes);
}

/// The operand that is no fill, where all others are, and are the same; or -1.
static intptr_t findPadded(const Join *join) {
  const Run *fill = NULL;
  intptr_t inner = -1;
  bool splat;
  for (intptr_t i = 0; i < join->nRuns; ++i) {
    const Run *run = &join->runs[i];
    if (!isFill(run)) {
      if (inner >= 0 || run->count > 1)
        return -1;
      inner = i;
    } else if (fill && !sameSource(fill->view.source, run->view.source, &splat))
      return -1;
    else
      fill = run;
  }
  return fill ? inner : -1;
}

/// One operand between scalars that are repeated is padded.
static MlirValue buildPad(const Join *join, XlaIr *ir, MoveChain *chain) {
  XlaShape scalar = {.elementType = join->shape.elementType}, shape;
  intptr_t inner = join->nRuns > 1 && join->nRuns < 4 ? findPadded(join) : -1;
  if (inner < 0)
    return unchanged;
  int64_t before = inner ? join->runs[0].size : 0,
          after = inner + 1 < join->nRuns ? join->runs[inner + 1].size : 0;
  MlirValue fill = join->runs[inner ? 0 : 1].view.source;
  if (!xlaMoveShape(fill, &shape) || shape.elementType != scalar.elementType)
    return unchanged;
  if (shape.rank) {
    xlaMoveChainBegin(chain, fill);
    xlaMoveChainAdd(chain, XlaOpKindConstant, &scalar);
    fill = xlaMoveChainBuild(chain, ir);
  }
  xlaMoveChainBegin(chain, join->runs[inner].first);
  MoveStep *pad = xlaMoveChainAdd(chain, XlaOpKindPad, &join->shape);
  chain->fill = fill;
  memset(pad->a, 0, sizeof pad->a);
  memset(pad->b, 0, sizeof pad->b);
  memset(pad->c, 0, sizeof pad->c);
  pad->a[join->dimension] = before;
  pad->b[join->dimension] = after;
  return mlirValueIsNull(fill) ? unchanged : xlaMoveChainBuild(chain, ir);
}

static MlirValue concatenate(const Join *join, XlaIr *ir, intptr_t n,
                             const MlirValue *values) {
  if (n == 1)
    return values[0];
  return xlaIrOp(
      ir, "xla.concatenate", xlaShapeToMlir(&join->shape, ir->context), n,
      values, 1,
      &(XlaIrAttr){"dimension", xlaIrI64Attr(ir->context, join->dimension)});
}

/// A concatenation of runs, with the operands of those that are no better.
static MlirValue build(Join *join, MoveChain *chain) {
  XlaIr ir = xlaIrBefore(join->op);
  MlirValue padded = buildPad(join, &ir, chain);
  if (!mlirValueIsNull(padded))
    return padded;
  intptr_t n = 0;
  int saved = join->nRuns == 1 ? xlaMoveCostOfOp(join->op).work - 1 : 0;
  for (intptr_t r = 0; r < join->nRuns; ++r) {
    const Run *run = &join->runs[r];
    MlirValue value = buildRun(join, run, saved, &ir, chain);
    if (!mlirValueIsNull(value)) {
      join->values[n++] = value;
      continue;
    }
    for (intptr_t i = run->begin; i < run->begin + run->count; ++i)
      join->values[n++] = join->values[i];
  }
  bool same = n == mlirOperationGetNumOperands(join->op);
  for (intptr_t i = 0; i < n && same; ++i)
    same =
        mlirValueEqual(join->values[i], mlirOperationGetOperand(join->op, i));
  return same ? unchanged : concatenate(join, &ir, n, join->values);
}

MlirValue xlaMoveConcatenate(MoveState *state, MlirOperation op) {
  Join join = {.state = state,
               .op = op,
               .dimension = (int)xlaOpGetI64(op, "dimension", 0)};
  MlirValue value = unchanged;
  int64_t count;
  if (isInner(op) ||
      !xlaMoveShape(mlirOperationGetResult(op, 0), &join.shape) ||
      !xlaShapeGetElementCount(&join.shape, &count) || !count)
    return unchanged;
  MoveChain *chain = malloc(sizeof *chain);
  if (chain && collectOperands(&join) && join.nValues) {
    join.runs = calloc((size_t)join.nValues, sizeof *join.runs);
    bool ok = join.runs != NULL;
    for (intptr_t i = 0; i < join.nValues && ok; ++i)
      ok = addOperand(&join, i);
    if (ok)
      value = build(&join, chain);
  }
  for (intptr_t r = 0; r < join.nRuns; ++r)
    xlaMoveViewFree(&join.runs[r].view);
  free(join.runs);
  free(join.values);
  free(chain);
  return value;
}

//===----------------------------------------------------------------------===//
// Slices of several operands
//===----------------------------------------------------------------------===//

/// A slice along one dimension, and those of operands.
typedef struct Cut {
  MlirOperation op, concatenation;
  XlaI64List starts, limits, strides;
  int dimension;
  const int64_t *offsets;
} Cut;

/// The part of operand `k` that the slice reads: where it starts in the
/// operand, where it ends.
static bool partOf(const Cut *cut, intptr_t k, int64_t *start, int64_t *limit) {
  int64_t stride = cut->strides.values[cut->dimension],
          first = cut->starts.values[cut->dimension], begin = cut->offsets[k],
          end = cut->offsets[k + 1];
  if (first < begin)
    first += (begin - first + stride - 1) / stride * stride;
  if (end > cut->limits.values[cut->dimension])
    end = cut->limits.values[cut->dimension];
  *start = first - begin;
  *limit = end - begin;
  return first < end;
}

/// The slice of operand `k`; false if that is all of it.
static bool stepOf(const Cut *cut, const XlaShape *from, int64_t start,
                   int64_t limit, MoveStep *step) {
  step->to = *from;
  for (int i = 0; i < from->rank; ++i) {
    bool here = i == cut->dimension;
    step->a[i] = here ? start : cut->starts.values[i];
    step->b[i] = here ? limit : cut->limits.values[i];
    step->c[i] = cut->strides.values[i];
    step->to.dims[i] = (step->b[i] - step->a[i] - 1) / step->c[i] + 1;
  }
  return !xlaShapeDimsEqual(from, &step->to);
}

static bool readCut(MoveState *state, MlirOperation op, Cut *cut) {
  MlirValue operand = mlirOperationGetOperand(op, 0);
  cut->op = op;
  if (xlaMoveUses(operand) > 1) // also where there are many slices of many
    return false;
  cut->concatenation = xlaMoveDefinedBy(operand, XlaOpKindConcatenate);
  if (!cut->concatenation.ptr ||
      !mlirBlockEqual(mlirOperationGetBlock(cut->concatenation),
                      mlirOperationGetBlock(op)))
    return false;
  cut->dimension = (int)xlaOpGetI64(cut->concatenation, "dimension", 0);
  cut->offsets = xlaMoveOffsets(state, cut->concatenation);
  xlaOpGetList(op, "start_indices", &cut->starts);
  xlaOpGetList(op, "limit_indices", &cut->limits);
  xlaOpGetListOr(op, "strides", cut->starts.size, 1, &cut->strides);
  return cut->offsets != NULL;
}

/// Goes through the operands that the slice reads. Without `values` counts the
/// slices that are not everything, else writes their values, and counts these.
static intptr_t slices(const Cut *cut, XlaIr *ir, MoveChain *chain,
                       MlirValue *values) {
  intptr_t n = mlirOperationGetNumOperands(cut->concatenation), found = 0;
  for (intptr_t k = 0; k < n; ++k) {
    MlirValue operand = mlirOperationGetOperand(cut->concatenation, k);
    int64_t start, limit;
    XlaShape from;
    if (!partOf(cut, k, &start, &limit) || !xlaMoveShape(operand, &from))
      continue;
    xlaMoveChainBegin(chain, operand);
    bool part = stepOf(cut, &from, start, limit,
                       xlaMoveChainAdd(chain, XlaOpKindSlice, &from));
    if (values)
      values[found++] = part ? xlaMoveChainBuild(chain, ir) : operand;
    else
      found += part;
  }
  return found;
}

/// Only where at most one operand is sliced: more slices would be more work.
MlirValue xlaMoveSliceOfPieces(MoveState *state, MlirOperation op) {
  Cut cut;
  int64_t count;
  Join join = {.op = op};
  MlirValue value = unchanged;
  if (!xlaMoveShape(mlirOperationGetResult(op, 0), &join.shape) ||
      !xlaShapeGetElementCount(&join.shape, &count) || !count ||
      !readCut(state, op, &cut))
    return unchanged;
  XlaIr ir = xlaIrBefore(op);
  MoveChain *chain = malloc(sizeof *chain);
  intptr_t n = mlirOperationGetNumOperands(cut.concatenation);
  join.dimension = cut.dimension;
  join.values = calloc((size_t)n, sizeof *join.values);
  if (chain && join.values && slices(&cut, &ir, chain, NULL) < 2)
    value = concatenate(&join, &ir, slices(&cut, &ir, chain, join.values),
                        join.values);
  free(join.values);
  free(chain);
  return value;
}
