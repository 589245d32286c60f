//===- judge.c - What maps of operations are tested by --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/indexing/judge.h"
#include "xlac/dialect/indexing/op_maps.h"
#include "xlac/dialect/ir.h"
#include "xlac/test/dialect/indexing/subject.h"

#include "xlac/test/support/unit.h"

#include <stdlib.h>
#include <string.h>

enum {
  maxSymbols = 64,
  trials = 400,
  configurations = 3,
  most = 2000,
  maxPerturbed = 24
};

/// What is known of one result and one operand.
typedef struct Pair {
  intptr_t result, input;
  int64_t nOut, nIn;
  bool *named;   ///< by the maps: [reader][out][in]
  bool *changed; ///< what changes did: the same
} Pair;

typedef struct Judge {
  Subject subject;
  XlaOpReads reads[maxInputs]; ///< by result
  Values inputs;
  uint64_t random;
  bool isExact; ///< maps are to name nothing else
} Judge;

static int64_t countOf(const XlaShape *shape) {
  int64_t count = 1;
  for (int i = 0; i < shape->rank; ++i)
    count *= shape->dims[i];
  return count;
}

static int64_t linearOf(const XlaShape *shape, const int64_t *index) {
  int64_t at = 0;
  for (int i = 0; i < shape->rank; ++i) {
    if (index[i] < 0 || index[i] >= shape->dims[i])
      return -1;
    at = at * shape->dims[i] + index[i];
  }
  return at;
}

static const XlaOperandMaps *readsOf(const Judge *judge, const Pair *pair) {
  const XlaOpReads *reads = &judge->reads[pair->result];
  if (!reads->values || pair->input >= reads->n)
    fail_msg("no maps of operand %d", (int)pair->input);
  return &reads->values[pair->input];
}

static void failAt(const Judge *judge, const XlaIndexingMap *map,
                   const char *what, const Pair *pair, int64_t out,
                   int64_t in) {
  XlaIrText text = {0};
  size_t length;
  if (map)
    xlaIndexingMapPrint(map, XlaIndexingFormatLine, xlaIrTextAppend, &text);
  xlaIrTextAppend(mlirStringRefCreate("", 1), &text);
  char *op = xlaIrPrint(judge->subject.op, &length);
  fail_msg(
      "%s: element %lld of result %d, element %lld of operand %d\n%s\n%.*s",
      what, (long long)out, (int)pair->result, (long long)in, (int)pair->input,
      text.data, (int)length, op);
}

//===----------------------------------------------------------------------===//
// What maps name
//===----------------------------------------------------------------------===//

/// A symbol that takes all values.
typedef struct Free {
  intptr_t symbol;
  XlaInterval bounds;
} Free;

/// A map, and where its runtime variables are read.
typedef struct Walker {
  const Judge *judge;
  const XlaIndexingMap *map;
  const XlaIndexingMapParts *parts;
  int reader;   ///< the replica whose result it is
  bool isExact; ///< all runtime variables are known
  XlaIndexingMap *places[maxSymbols];
  intptr_t nFree;
  Free free[maxSymbols];
} Walker;

/// The operand of the subject's own that `value` is; -1 if it is none.
static intptr_t inputOf(const Judge *judge, MlirValue value) {
  const XlaOpReads *reads = &judge->reads[0];
  for (intptr_t i = 0; i < reads->n; ++i)
    if (mlirValueEqual(reads->values[i].value, value))
      return i;
  return -1;
}

/// Runtime variables that come from no operand, or from an unknown place, take
/// all values.
static void walkerInit(Walker *w, const Judge *judge,
                       const XlaIndexingMap *map) {
  *w = (Walker){.judge = judge,
                .map = map,
                .parts = xlaIndexingMapGetParts(map),
                .isExact = true};
  intptr_t nRanges = w->parts->nRanges;
  assert_true(nRanges + w->parts->nRuntimes <= maxSymbols);
  for (intptr_t i = 0; i < nRanges; ++i)
    w->free[w->nFree++] = (Free){i, w->parts->ranges[i]};
  for (intptr_t i = 0; i < w->parts->nRuntimes; ++i) {
    const XlaRuntimeVariable *runtime = &w->parts->runtimes[i];
    XlaIndexingMapParts place = *w->parts;
    place.map = runtime->map;
    place.nRuntimes = place.nConstraints = 0;
    bool isKnown = !runtime->value.ptr ||
                   (runtime->map.ptr && inputOf(judge, runtime->value) >= 0);
    if (isKnown && runtime->value.ptr)
      w->places[i] = xlaIndexingMapCreate(&place);
    if (!isKnown)
      w->free[w->nFree++] = (Free){nRanges + i, runtime->bounds};
    w->isExact &= isKnown;
  }
}

static void walkerDestroy(Walker *w) {
  for (intptr_t i = 0; i < w->parts->nRuntimes; ++i)
    xlaIndexingMapRelease(w->places[i]);
}

/// Reads the runtime variables; false if one has no value that the map is for.
static bool readRuntimes(const Walker *w, const int64_t *dims,
                         int64_t *symbols) {
  const Judge *judge = w->judge;
  for (intptr_t i = 0; i < w->parts->nRuntimes; ++i) {
    const XlaRuntimeVariable *runtime = &w->parts->runtimes[i];
    int64_t *value = &symbols[w->parts->nRanges + i], index[XLA_MAX_RANK];
    if (!runtime->value.ptr)
      *value = w->reader; // the number of a replica in its group
    if (!w->places[i])
      continue;
    intptr_t input = inputOf(judge, runtime->value);
    assert_true(xlaIndexingMapEvaluate(w->places[i], dims, symbols, index));
    int64_t at = linearOf(&judge->subject.inputs[input], index);
    if (at < 0)
      return false;
    const XlaLiteral *literal = judge->inputs[w->reader][input];
    XlaScalar element = xlaLiteralGet(literal, at);
    bool isUnsigned =
        xlaElementTypeGetInfo(xlaLiteralGetShape(literal)->elementType)
            ->typeClass == XlaTypeClassUnsigned;
    *value = isUnsigned && element.u > INT64_MAX ? INT64_MAX : element.s;
    // Slices are moved to where they fit; scatters leave windows out.
    if (judge->subject.kind != XlaOpKindScatter)
      *value = *value < runtime->bounds.lower   ? runtime->bounds.lower
               : *value > runtime->bounds.upper ? runtime->bounds.upper
                                                : *value;
  }
  return true;
}

/// Calls what the map takes `dims` to related.
static void walk(const Walker *w, const XlaShape *to, const int64_t *dims,
                 bool *related, int64_t stride) {
  int64_t symbols[maxSymbols], results[XLA_MAX_RANK];
  for (intptr_t i = 0; i < w->nFree; ++i)
    symbols[w->free[i].symbol] = w->free[i].bounds.lower;
  for (;;) {
    if (readRuntimes(w, dims, symbols) &&
        xlaIndexingMapIsDefinedAt(w->map, dims, symbols)) {
      assert_true(xlaIndexingMapEvaluate(w->map, dims, symbols, results));
      int64_t at = linearOf(to, results);
      assert_true(at >= 0);
      related[at * stride] = true;
    }
    intptr_t i = w->nFree - 1;
    while (i >= 0 && ++symbols[w->free[i].symbol] > w->free[i].bounds.upper) {
      symbols[w->free[i].symbol] = w->free[i].bounds.lower;
      --i;
    }
    if (i < 0)
      return;
  }
}

static void nameAll(const Judge *judge, const XlaIndexingMap *map,
                    const Pair *pair, bool backwards, int reader, bool *named,
                    bool *isExact) {
  const XlaShape *out = &judge->subject.results[pair->result],
                 *in = &judge->subject.inputs[pair->input];
  const XlaShape *from = backwards ? in : out, *to = backwards ? out : in;
  int64_t index[XLA_MAX_RANK];
  Walker w;
  walkerInit(&w, judge, map);
  w.reader = reader;
  *isExact &= w.isExact;
  for (int64_t i = 0; i < countOf(from); ++i) {
    xlaIndexFromLinear(i, from->dims, from->rank, index);
    walk(&w, to, index, named + (backwards ? i : i * pair->nIn),
         backwards ? pair->nIn : 1);
  }
  walkerDestroy(&w);
}

/// Fills in what maps of both directions name; they must agree.
static void namePairs(const Judge *judge, Pair *pair) {
  const XlaOperandMaps *read = readsOf(judge, pair);
  XlaOperandMaps back;
  size_t size = (size_t)(pair->nOut * pair->nIn);
  bool *other = calloc(size + 1, 1);
  assert_non_null(other);
  assert_int_equal(read->known, XlaOpMapsKnown);
  assert_true(xlaIndexingMapsTranspose(read, &back));
  for (int r = 0; r < judge->subject.nReplicas; ++r) {
    bool *named = pair->named + (size_t)r * size, isExact = true;
    memset(named, 0, size);
    memset(other, 0, size);
    for (intptr_t i = 0; i < read->maps.n; ++i)
      nameAll(judge, read->maps.maps[i], pair, false, r, named, &isExact);
    for (intptr_t i = 0; i < back.maps.n; ++i)
      nameAll(judge, back.maps.maps[i], pair, true, r, other, &isExact);
    for (size_t i = 0; i < size && back.known == XlaOpMapsKnown; ++i)
      if (isExact ? named[i] != other[i] : named[i] > other[i])
        failAt(judge, back.maps.n ? back.maps.maps[0] : NULL,
               named[i] ? "the maps to results lack what the maps to operands "
                          "name"
                        : "the maps to results name what those to operands do "
                          "not",
               pair, (int64_t)i / pair->nIn, (int64_t)i % pair->nIn);
  }
  if (back.known != XlaOpMapsKnown)
    print_message("operation %s: operand %d has no maps to results\n",
                  xlaOpGetInfo(judge->subject.kind)->name, (int)pair->input);
  xlaIndexingMapsFree(&back.maps);
  free(other);
}

//===----------------------------------------------------------------------===//
// What changes
//===----------------------------------------------------------------------===//

/// Whether element `linear` of an array of `shape` differs; arrays that are
/// smaller in a dynamic dimension lack elements.
static bool differs(const XlaShape *shape, int64_t linear, const XlaLiteral *a,
                    const XlaLiteral *b) {
  int64_t index[XLA_MAX_RANK];
  const XlaLiteral *both[] = {a, b};
  const char *bytes[2] = {NULL, NULL};
  size_t size = (size_t)xlaElementTypeGetInfo(shape->elementType)->bytes;
  xlaIndexFromLinear(linear, shape->dims, shape->rank, index);
  for (int i = 0; i < 2; ++i) {
    int64_t at = linearOf(xlaLiteralGetShape(both[i]), index);
    if (at >= 0)
      bytes[i] = (const char *)xlaLiteralGetData(both[i]) + (size_t)at * size;
  }
  if (!bytes[0] || !bytes[1])
    return bytes[0] != bytes[1];
  return memcmp(bytes[0], bytes[1], size) != 0;
}

/// Marks what differs between two runs after element `in` changed.
static void markChanged(const Judge *judge, Pair *pair, int64_t in,
                        Values before, Values after) {
  for (int r = 0; r < judge->subject.nReplicas; ++r)
    for (int64_t out = 0; out < pair->nOut; ++out) {
      int64_t at = (r * pair->nOut + out) * pair->nIn + in;
      if (!differs(&judge->subject.results[pair->result], out,
                   before[r][pair->result], after[r][pair->result]))
        continue;
      const XlaIndexingMaps *maps = &readsOf(judge, pair)->maps;
      if (!pair->named[at])
        failAt(judge, maps->n ? maps->maps[0] : NULL,
               "changes, and no map names it", pair, out, in);
      pair->changed[at] = true;
    }
}

/// Changes elements of one operand, in each replica in turn.
static void perturb(Judge *judge, intptr_t input, Pair *pairs, Values before) {
  const Subject *subject = &judge->subject;
  int64_t n = countOf(&subject->inputs[input]);
  int64_t step = n > maxPerturbed ? n / maxPerturbed + 1 : 1;
  for (int64_t in = (int64_t)(judge->random % (uint64_t)step); in < n;
       in += step) {
    int replica =
        (int)(randomNext(&judge->random) % (uint64_t)subject->nReplicas);
    XlaLiteral *own = judge->inputs[replica][input];
    Values after = {{NULL}};
    judge->inputs[replica][input] =
        subjectPerturb(subject, input, own, in, &judge->random);
    subjectRun(subject, judge->inputs, after);
    for (intptr_t r = 0; r < subject->nResults; ++r)
      markChanged(judge, &pairs[r * subject->nInputs + input], in, before,
                  after);
    valuesRelease(after, subject->nResults);
    xlaLiteralRelease(judge->inputs[replica][input]);
    judge->inputs[replica][input] = own;
  }
}

/// New values for operands: for those that are positions, or for the others.
static void drawInputs(Judge *judge, bool positions) {
  const Subject *subject = &judge->subject;
  for (int r = 0; r < subject->nReplicas; ++r)
    for (intptr_t i = 0; i < subject->nInputs; ++i)
      if (subjectIsPosition(subject, i) == positions) {
        xlaLiteralRelease(judge->inputs[r][i]);
        judge->inputs[r][i] = subjectRandomInput(subject, i, &judge->random);
      }
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

/// Whether maps may name more than what matters.
static bool isOver(const Judge *judge, const Pair *pair) {
  const Subject *subject = &judge->subject;
  if (!judge->isExact)
    return true;
  XlaOpKind kind = subject->kind;
  bool isCaptured = pair->input >= mlirOperationGetNumOperands(subject->op);
  if (kind == XlaOpKindImag) // of real numbers
    return subject->inputs[0].elementType == subject->results[0].elementType;
  // Every result comes from all operands, as 001 has it, or a whole state.
  bool combines = kind == XlaOpKindReduce || kind == XlaOpKindReduceWindow ||
                  kind == XlaOpKindAssociativeScan ||
                  kind == XlaOpKindScatter || kind == XlaOpKindRngBitGenerator;
  // What pads is read everywhere, kernels also beside the edges, and what is
  // updated also below the update. Elements beyond a size are none.
  bool isEverywhere =
      pair->input == 1
          ? kind == XlaOpKindPad || kind == XlaOpKindConvolution
          : pair->input == 0 && (kind == XlaOpKindDynamicUpdateSlice ||
                                 kind == XlaOpKindSetDimensionSize);
  return isCaptured || isEverywhere || (combines && subject->nResults > 1);
}

static void checkNamed(const Judge *judge, const Pair *pair) {
  int64_t n = judge->subject.nReplicas * pair->nOut * pair->nIn;
  const XlaIndexingMaps *maps = &readsOf(judge, pair)->maps;
  for (int64_t i = 0; i < n && !isOver(judge, pair); ++i)
    if (pair->named[i] && !pair->changed[i])
      failAt(judge, maps->n ? maps->maps[0] : NULL,
             "a map names what nothing changes", pair,
             i / pair->nIn % pair->nOut, i % pair->nIn);
}

/// Whether all that the maps of positions, or of others, name has changed.
static bool isComplete(const Judge *judge, const Pair *pairs, intptr_t n,
                       bool positions) {
  for (intptr_t p = 0; p < n; ++p) {
    int64_t size = judge->subject.nReplicas * pairs[p].nOut * pairs[p].nIn;
    if (subjectIsPosition(&judge->subject, pairs[p].input) == positions &&
        !isOver(judge, &pairs[p]) &&
        memcmp(pairs[p].named, pairs[p].changed, (size_t)size) != 0)
      return false;
  }
  return true;
}

/// With one set of positions, which maps follow.
static void judgePositions(Judge *judge, Pair *pairs) {
  const Subject *subject = &judge->subject;
  intptr_t n = subject->nResults * subject->nInputs;
  drawInputs(judge, true);
  for (intptr_t p = 0; p < n; ++p) {
    if (!subjectIsPosition(subject, pairs[p].input))
      memset(pairs[p].changed, 0,
             (size_t)(subject->nReplicas * pairs[p].nOut * pairs[p].nIn));
    namePairs(judge, &pairs[p]);
  }
  for (int trial = 0;
       trial < 4 || (trial < trials && !isComplete(judge, pairs, n, false));
       ++trial) {
    Values before = {{NULL}};
    drawInputs(judge, false);
    subjectRun(subject, judge->inputs, before);
    for (intptr_t i = 0; i < subject->nInputs; ++i)
      perturb(judge, i, pairs, before);
    valuesRelease(before, subject->nResults);
  }
  for (intptr_t p = 0; p < n; ++p)
    if (!subjectIsPosition(subject, pairs[p].input))
      checkNamed(judge, &pairs[p]);
}

static bool isSmallArray(MlirValue value, int64_t maxElements) {
  XlaShape shape;
  int64_t count;
  return xlaShapeFromMlirBounded(mlirValueGetType(value), &shape, NULL) &&
         xlaShapeGetElementCount(&shape, &count) && count <= maxElements;
}

bool isJudgeable(MlirOperation op, int64_t maxElements) {
  intptr_t nResults = mlirOperationGetNumResults(op);
  bool is = xlaOpGetKind(op) != XlaOpKindInvalid && nResults > 0 &&
            nResults <= maxInputs;
  for (intptr_t r = 0; r < nResults && is; ++r) {
    XlaOpReads reads;
    assert_true(xlaOpGetReads(op, r, &reads));
    is = reads.n > 0 && reads.n <= maxInputs &&
         isSmallArray(mlirOperationGetResult(op, r), maxElements);
    for (intptr_t i = 0; i < reads.n && is; ++i)
      is = reads.values[i].known == XlaOpMapsKnown &&
           isSmallArray(reads.values[i].value, maxElements);
    xlaOpReadsFree(&reads);
  }
  return is;
}

int judgeOperation(MlirOperation op, int nReplicas, bool isExact) {
  Judge judge = {.random = 88172645463325252, .isExact = isExact};
  judge.subject = subjectCreate(op, nReplicas);
  const Subject *subject = &judge.subject;
  intptr_t n = subject->nResults * subject->nInputs;
  Pair *pairs = calloc((size_t)n + 1, sizeof *pairs);
  assert_non_null(pairs);
  bool moves = false;
  for (intptr_t i = 0; i < subject->nInputs; ++i)
    moves |= subjectIsPosition(subject, i);
  for (intptr_t r = 0; r < subject->nResults; ++r)
    assert_true(xlaOpGetReads(subject->op, r, &judge.reads[r]));
  for (intptr_t p = 0; p < n; ++p) {
    Pair *pair = &pairs[p];
    pair->result = p / subject->nInputs;
    pair->input = p % subject->nInputs;
    pair->nOut = countOf(&subject->results[pair->result]);
    pair->nIn = countOf(&subject->inputs[pair->input]);
    size_t size = (size_t)(nReplicas * pair->nOut * pair->nIn);
    pair->named = calloc(size + 1, 1);
    pair->changed = calloc(size + 1, 1);
    assert_non_null(pair->named);
    assert_non_null(pair->changed);
  }
  int least = moves ? configurations : 1;
  for (int i = 0;
       i < least || (i < most && !isComplete(&judge, pairs, n, true)); ++i)
    judgePositions(&judge, pairs);
  for (intptr_t p = 0; p < n; ++p) {
    checkNamed(&judge, &pairs[p]);
    free(pairs[p].named);
    free(pairs[p].changed);
  }
  free(pairs);
  valuesRelease(judge.inputs, subject->nInputs);
  for (intptr_t r = 0; r < subject->nResults; ++r)
    xlaOpReadsFree(&judge.reads[r]);
  subjectDestroy(&judge.subject);
  return (int)n;
}
