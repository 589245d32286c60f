//===- sort_blocks.c - Sorting lines on processors ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines are cut into blocks that stay in a core's caches: there runs of a few
// elements are sorted in registers and merged until they are parts. Pairs of
// longer runs are merged part by part, whose ends are found first
// (sort_merge_path.c). Blocks and parts are those of the shape, whatever the
// threads are, and each of them is a thread's.
//
// A merge waits for what it has just compared. A thread therefore takes several
// steps of several merges in turn.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/build.h"
#include "xlac/lowering/linalg/sort.h"

enum {
  mostWays = 4,   ///< merges that a thread takes turns at
  shortLine = 64, ///< up to which two are no slower, and less to compile
  logPart = 10,
  part = 1 << logPart,
  block = mostWays * part,
  minWork = 1 << 16, ///< elements times passes that are worth a second thread
};

typedef struct Blocks {
  XlaSortPath path;
  int64_t lines, perLine; ///< blocks of a line
  int ways;               ///< merges that a thread takes turns at
  int nInside, nAcross;   ///< passes in a block, and those over longer runs
  MlirValue begin;        ///< of the block that is being written
} Blocks;

static MlirValue number(XlaIr *ir, int64_t value) {
  return xlaIrConstantIndex(ir, value);
}

static MlirValue binary(XlaIr *ir, const char *name, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, name, a, b);
}

static MlirValue add(XlaIr *ir, MlirValue a, MlirValue b) {
  return binary(ir, "arith.addi", a, b);
}

static MlirValue sub(XlaIr *ir, MlirValue a, MlirValue b) {
  return binary(ir, "arith.subi", a, b);
}

static MlirValue least(XlaIr *ir, MlirValue a, MlirValue b) {
  return binary(ir, "arith.minui", a, b);
}

static MlirValue argumentOf(MlirOperation loop, intptr_t i) {
  return mlirBlockGetArgument(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0)), i);
}

static MlirValue loopOver(XlaIr *ir, MlirValue lower, MlirValue upper,
                          MlirValue step, XlaIr *body) {
  return argumentOf(xlaIrFor(ir, lower, upper, step, 0, NULL, body), 0);
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

static bool isParallel(const Blocks *b) {
  const XlaKernelDevice *device = b->path.sort->kernel->device;
  int64_t tasks = b->lines * b->perLine, work;
  if (!device || device->threads < 2 || tasks < 2)
    return false;
  return __builtin_mul_overflow(tasks, b->path.size / b->perLine, &work) ||
         __builtin_mul_overflow(work, b->nInside + b->nAcross + 1, &work) ||
         work >= minWork;
}

/// Loops over the blocks of all lines, on threads if that is worth it; gives
/// the point inside, with the sort's line and the beginning of the block set.
static XlaIr openBlocks(Blocks *b, XlaIr *ir) {
  XlaSort *sort = b->path.sort;
  XlaIr body;
  MlirValue task =
      xlaLinalgOpenTasks(ir, b->lines * b->perLine, isParallel(b), &body);
  MlirValue perLine = number(&body, b->perLine);
  MlirValue line = binary(&body, "arith.divui", task, perLine);
  b->begin =
      binary(&body, "arith.muli", binary(&body, "arith.remui", task, perLine),
             number(&body, block));
  for (int d = sort->shape.rank - 1; d >= 0; --d) {
    if (d == sort->dimension)
      continue;
    MlirValue size = number(&body, sort->shape.dims[d]);
    sort->line[d] = binary(&body, "arith.remui", line, size);
    line = binary(&body, "arith.divui", line, size);
  }
  return body;
}

static void closeBlocks(const Blocks *b, XlaIr *body) {
  xlaLinalgCloseTasks(body, isParallel(b));
}

//===----------------------------------------------------------------------===//
// Merges in turn
//===----------------------------------------------------------------------===//

/// A merge of `count` elements to `position` on: the next of either run, and
/// their ends.
typedef struct Way {
  MlirValue position, count, next[2], end[2];
} Way;

static bool step(Blocks *b, XlaIr *ir, const MlirValue *from,
                 const MlirValue *to, const Way *way, MlirValue k,
                 MlirValue next[2]) {
  return xlaSortMergeOne(b->path.sort, ir, from, to, add(ir, way->position, k),
                         way->end[0], way->end[1], next);
}

/// As many steps of all as the shortest has.
static bool mergeInTurn(Blocks *b, XlaIr *ir, const MlirValue *from,
                        const MlirValue *to, MlirValue common, Way *all) {
  XlaIr body;
  MlirValue carried[2 * mostWays];
  for (int i = 0; i < 2 * b->ways; ++i)
    carried[i] = all[i / 2].next[i % 2];
  MlirOperation loop = xlaIrFor(ir, number(ir, 0), common, number(ir, 1),
                                2 * b->ways, carried, &body);
  for (int i = 0; i < 2 * b->ways; ++i)
    carried[i] = argumentOf(loop, 1 + i);
  for (int w = 0; w < b->ways; ++w)
    if (!step(b, &body, from, to, &all[w], argumentOf(loop, 0),
              carried + 2 * w))
      return false;
  xlaIrYield(&body, 2 * b->ways, carried);
  for (int i = 0; i < 2 * b->ways; ++i)
    all[i / 2].next[i % 2] = mlirOperationGetResult(loop, i);
  return true;
}

static MlirValue choose(XlaIr *ir, int n, MlirValue w,
                        const MlirValue *values) {
  MlirValue chosen = values[0];
  for (int i = 1; i < n; ++i)
    chosen = xlaIrSelect(ir, xlaIrCmpI(ir, "eq", w, number(ir, i)), values[i],
                         chosen);
  return chosen;
}

/// What is left of each, behind one another.
static bool mergeRest(Blocks *b, XlaIr *ir, const MlirValue *from,
                      const MlirValue *to, MlirValue common, const Way *all) {
  XlaIr over, body;
  MlirValue fields[6][mostWays], chosen[6];
  MlirValue w =
      loopOver(ir, number(ir, 0), number(ir, b->ways), number(ir, 1), &over);
  for (int i = 0; i < b->ways; ++i) {
    const Way *way = &all[i];
    const MlirValue each[6] = {way->position, way->count,  way->next[0],
                               way->next[1],  way->end[0], way->end[1]};
    for (int f = 0; f < 6; ++f)
      fields[f][i] = each[f];
  }
  for (int f = 0; f < 6; ++f)
    chosen[f] = choose(&over, b->ways, w, fields[f]);
  const Way way = {
      chosen[0], chosen[1], {chosen[2], chosen[3]}, {chosen[4], chosen[5]}};
  MlirOperation loop =
      xlaIrFor(&over, common, way.count, number(&over, 1), 2, way.next, &body);
  MlirValue next[2] = {argumentOf(loop, 1), argumentOf(loop, 2)};
  bool done = step(b, &body, from, to, &way, argumentOf(loop, 0), next);
  xlaIrYield(&body, 2, next);
  xlaIrYield(&over, 0, NULL);
  return done;
}

static bool merge(Blocks *b, XlaIr *ir, const MlirValue *from,
                  const MlirValue *to, Way *all) {
  MlirValue common = all[0].count;
  for (int w = 1; w < b->ways; ++w)
    common = least(ir, common, all[w].count);
  return mergeInTurn(b, ir, from, to, common, all) &&
         mergeRest(b, ir, from, to, common, all);
}

//===----------------------------------------------------------------------===//
// Inside of a block
//===----------------------------------------------------------------------===//

/// The end of the block, or of the line.
static MlirValue endOf(const Blocks *b, XlaIr *ir) {
  return least(ir, add(ir, b->begin, number(ir, block)),
               number(ir, b->path.size));
}

static bool sortRuns(Blocks *b, XlaIr *ir, const MlirValue *to) {
  XlaSort *sort = b->path.sort;
  XlaIr body;
  MlirValue from[XLA_KERNEL_MAX_IN_ORDER];
  xlaSortInputs(sort, from);
  MlirValue begin =
      loopOver(ir, b->begin, endOf(b, ir), number(ir, XLA_SORT_RUN), &body);
  bool done = xlaSortRun(&b->path, &body, from, to, begin);
  xlaIrYield(&body, 0, NULL);
  return done;
}

/// Merges pairs of runs of `width`, several at once.
static bool passInside(Blocks *b, XlaIr *ir, const MlirValue *from,
                       const MlirValue *to, MlirValue width) {
  XlaIr body;
  Way all[mostWays];
  MlirValue size = number(ir, b->path.size), twice = add(ir, width, width);
  MlirValue stride = binary(ir, "arith.muli", twice, number(ir, b->ways));
  MlirValue low = loopOver(ir, b->begin, endOf(b, ir), stride, &body);
  for (int w = 0; w < b->ways; ++w) {
    MlirValue begin = least(&body, low, size);
    MlirValue middle = least(&body, add(&body, low, width), size);
    MlirValue high = least(&body, add(&body, low, twice), size);
    all[w] =
        (Way){begin, sub(&body, high, begin), {begin, middle}, {middle, high}};
    low = add(&body, low, twice);
  }
  bool done = merge(b, &body, from, to, all);
  xlaIrYield(&body, 0, NULL);
  return done;
}

/// Runs `n` passes from the first of `arrays` to the second and back, in a
/// loop, so that a pass is there once: what compares two elements is long.
/// `b->begin` is of a block if they are `inside` of it.
static bool runPasses(Blocks *b, XlaIr *ir, int first, int n,
                      const MlirValue *arrays[2],
                      bool (*pass)(Blocks *b, XlaIr *ir, const MlirValue *from,
                                   const MlirValue *to, MlirValue number)) {
  if (n < 2)
    return !n || pass(b, ir, arrays[0], arrays[1], number(ir, first));
  XlaIr body;
  MlirValue from[XLA_KERNEL_MAX_IN_ORDER], to[XLA_KERNEL_MAX_IN_ORDER];
  MlirValue k = loopOver(ir, number(ir, first), number(ir, first + n),
                         number(ir, 1), &body);
  MlirValue isBack =
      xlaIrCmpI(&body, "eq", binary(&body, "arith.andi", k, number(&body, 1)),
                number(&body, !(first % 2)));
  for (intptr_t i = 0; i < b->path.sort->n; ++i) {
    from[i] = xlaIrSelect(&body, isBack, arrays[1][i], arrays[0][i]);
    to[i] = xlaIrSelect(&body, isBack, arrays[0][i], arrays[1][i]);
  }
  bool done = pass(b, &body, from, to, k);
  xlaIrYield(&body, 0, NULL);
  return done;
}

static MlirValue widthOf(XlaIr *ir, MlirValue pass) {
  return binary(ir, "arith.shli", number(ir, XLA_SORT_RUN), pass);
}

static bool inside(Blocks *b, XlaIr *ir, const MlirValue *from,
                   const MlirValue *to, MlirValue pass) {
  return passInside(b, ir, from, to, widthOf(ir, pass));
}

static bool sortBlocks(Blocks *b, const MlirValue *arrays[2]) {
  XlaIr body = openBlocks(b, &b->path.sort->kernel->ir);
  bool done = sortRuns(b, &body, arrays[0]) &&
              runPasses(b, &body, 0, b->nInside, arrays, inside);
  closeBlocks(b, &body);
  return done;
}

//===----------------------------------------------------------------------===//
// Longer runs
//===----------------------------------------------------------------------===//

/// The merge of the part from `position` on, which is none behind the line.
static bool openPart(Blocks *b, XlaIr *ir, const MlirValue *from,
                     MlirValue pass, MlirValue position, Way *way) {
  XlaSortPair pair;
  MlirValue size = number(ir, b->path.size), width = widthOf(ir, pass);
  MlirValue at = least(ir, position, number(ir, b->path.size - 1));
  xlaSortOpenPair(&b->path, ir, width, at, &pair);
  if (!xlaSortFindPart(&b->path, ir, from, pass, width, at, &pair))
    return false;
  way->position = position;
  way->count =
      least(ir, sub(ir, size, least(ir, position, size)), number(ir, part));
  for (int k = 0; k < 2; ++k) {
    MlirValue right = sub(ir, pair.both[k], pair.left[k]);
    MlirValue *to = k ? way->end : way->next;
    to[0] = add(ir, pair.low, pair.left[k]);
    to[1] = add(ir, pair.middle, right);
  }
  return true;
}

static bool across(Blocks *b, XlaIr *ir, const MlirValue *from,
                   const MlirValue *to, MlirValue pass) {
  Way all[mostWays];
  XlaIr body = openBlocks(b, ir);
  bool done = true;
  for (int w = 0; w < b->ways && done; ++w)
    done = openPart(b, &body, from, pass,
                    add(&body, b->begin, number(&body, w * part)), &all[w]);
  done = done && merge(b, &body, from, to, all);
  closeBlocks(b, &body);
  return done;
}

//===----------------------------------------------------------------------===//
// The sort
//===----------------------------------------------------------------------===//

bool xlaSortByBlocks(XlaSort *sort) {
  XlaIr *ir = &sort->kernel->ir;
  int64_t size = sort->shape.dims[sort->dimension];
  Blocks b = {.path = {.sort = sort, .size = size, .logPart = logPart},
              .lines = 1,
              .ways = size > shortLine ? mostWays : mostWays / 2,
              .perLine = (size - 1) / block + 1};
  for (int d = 0; d < sort->shape.rank; ++d)
    b.lines *= d == sort->dimension ? 1 : sort->shape.dims[d];
  int nPasses = 0;
  while (nPasses < 60 && INT64_C(1) << (nPasses + XLA_SORT_LOG_RUN) < size)
    ++nPasses;
  b.nInside = logPart - XLA_SORT_LOG_RUN;
  b.nInside = nPasses < b.nInside ? nPasses : b.nInside;
  b.nAcross = nPasses - b.nInside;
  for (intptr_t i = 0; nPasses && i < sort->n; ++i)
    sort->spare[i] = xlaLinalgAlloc(ir, mlirValueGetType(sort->results[i]));
  // The last pass ends in the results.
  const MlirValue *arrays[2] = {sort->results, sort->spare}, *then[2];
  if (nPasses % 2) {
    arrays[0] = sort->spare;
    arrays[1] = sort->results;
  }
  then[0] = arrays[b.nInside % 2];
  then[1] = arrays[!(b.nInside % 2)];
  return sortBlocks(&b, arrays) &&
         runPasses(&b, ir, b.nInside, b.nAcross, then, across);
}
