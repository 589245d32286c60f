//===- choose.c - What the loops of a group are ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All of it is chosen before a line is written: the dimension that lanes run
// along, how many, what is transposed on the way, which statements share inner
// loops, what intermediates need memory, and what the threads take.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/schedule/nest.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Row or column mode
//===----------------------------------------------------------------------===//

/// Elements that an access moves at least, as a weight.
static double volumeOf(const XlaSchedStatement *statement,
                       const XlaSchedAccess *access) {
  double volume = 1;
  for (int d = 0; d < statement->nDims; ++d)
    volume *= access->strides[d] ? (double)statement->sizes[d] : 1;
  return volume;
}

typedef struct Scores {
  double row, column[XLA_SCHED_MAX_DIMS];
  bool inner, shortRows;
  bool ordered; ///< a combiner that may not be applied across lanes
} Scores;

static bool isOrdered(const XlaSchedStatement *statement) {
  bool reduces = xlaSchedReduces(statement);
  XlaSchedReducer *reducers =
      reduces ? calloc((size_t)statement->nOuts, sizeof *reducers) : NULL;
  // Without memory the safe answer: the order is kept.
  bool ordered =
      reduces && (!reducers || !xlaSchedReducersRead(statement, reducers));
  free(reducers);
  return ordered && xlaSchedIsArithmetic(statement);
}

/// What a body loads at places that it computes, as rows of gathers.
static void scoreWindows(const XlaSchedGroup *group,
                         const XlaSchedStatement *statement, Scores *scores) {
  double volume = (double)xlaSchedVolume(statement, 0, statement->nDims);
  for (int d = 0; d < statement->nDims; ++d) {
    int loads = xlaSchedVectorLoads(statement, d);
    if (d < group->nShared)
      scores->column[d] += loads * volume;
    else
      scores->row += loads * volume;
    scores->shortRows &=
        !loads || d < group->nShared || statement->sizes[d] < 8;
  }
}

static void score(const XlaSchedGroup *group, Scores *scores) {
  memset(scores, 0, sizeof *scores);
  scores->shortRows = true;
  for (int s = 0; s < group->nStatements; ++s) {
    const XlaSchedStatement *statement = &group->statements[s];
    scores->inner |= statement->nDims > group->nShared;
    scores->ordered |= isOrdered(statement);
    scoreWindows(group, statement, scores);
    for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
      const XlaSchedAccess *access = &statement->accesses[i];
      double volume = volumeOf(statement, access);
      for (int d = 0; d < statement->nDims; ++d) {
        if (access->strides[d] != 1)
          continue;
        if (d < group->nShared) {
          scores->column[d] += volume;
        } else {
          scores->row += volume;
          scores->shortRows &= statement->sizes[d] < 8;
        }
      }
    }
  }
}

/// Chooses the shared dimension that lanes run along, or -1.
static int chooseLanes(const XlaSchedGroup *group, const char **reason) {
  Scores scores;
  score(group, &scores);
  *reason = "no dimension is shared: along the inner ones";
  if (group->nShared == 0)
    return -1;
  *reason = "what is shared are blocks of rows: along these";
  if (xlaSchedMostBlocks(group->statements, group->nStatements))
    return -1;
  int best = group->nShared - 1; // the outputs' innermost
  for (int d = 0; d < group->nShared; ++d)
    if (scores.inner ? scores.column[d] > scores.column[best]
                     : scores.column[best] == 0 && scores.column[d] > 0)
      best = d;
  *reason = "it is the results' innermost, or the only contiguous one";
  if (!scores.inner)
    return best;
  *reason = "more is contiguous along it than along inner dimensions";
  bool wide = group->statements->sizes[best] >= 16;
  if (scores.row > 0 && scores.row >= scores.column[best] && scores.shortRows &&
      wide)
    *reason = "inner dimensions are shorter than 8";
  if (scores.row > 0 && scores.row >= scores.column[best] &&
      !(scores.shortRows && wide)) {
    *reason = scores.ordered ? "a combiner wants its order, a lane a row"
                             : "most is contiguous along inner dimensions";
    for (int d = 0; scores.ordered && d < group->nShared; ++d)
      if (group->statements->sizes[d] > group->statements->sizes[best])
        best = d;
    return scores.ordered && group->statements->sizes[best] >= 8 ? best : -1;
  }
  return best;
}

/// Sorts the shared dimensions by the last output's strides, large ones first.
static void sortShared(XlaSchedGroup *group) {
  const XlaSchedStatement *last = &group->statements[group->nStatements - 1];
  const int64_t *strides = last->accesses[last->nIns].strides;
  int order[XLA_SCHED_MAX_DIMS];
  for (int d = 0; d < XLA_SCHED_MAX_DIMS; ++d)
    order[d] = d;
  for (int i = 1; i < group->nShared; ++i)
    for (int j = i; j > 0 && strides[order[j]] > strides[order[j - 1]]; --j) {
      int swap = order[j];
      order[j] = order[j - 1];
      order[j - 1] = swap;
    }
  for (int s = 0; s < group->nStatements; ++s)
    xlaSchedPermute(&group->statements[s], order);
}

static void moveToEnd(XlaSchedGroup *group, int dim) {
  int order[XLA_SCHED_MAX_DIMS];
  for (int d = 0; d < XLA_SCHED_MAX_DIMS; ++d)
    order[d] = d >= group->nShared ? d : d < dim ? d : d + 1;
  order[group->nShared - 1] = dim;
  for (int s = 0; s < group->nStatements; ++s)
    xlaSchedPermute(&group->statements[s], order);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

static int64_t roundUp(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

/// Chunk boundaries fall on cache lines where rows are shorter than one.
static int64_t rowMultiple(const XlaSchedEmit *e) {
  int64_t multiple = 1;
  for (int s = 0; s < e->n.group->nStatements; ++s) {
    const XlaSchedStatement *statement = &e->n.group->statements[s];
    for (int o = statement->nIns; o < statement->nIns + statement->nOuts; ++o) {
      const XlaSchedAccess *access = &statement->accesses[o];
      int64_t bytes = xlaSchedElementBytes(access->element), least = 64;
      for (int d = 0; d < e->n.group->nShared; ++d)
        if (d != e->n.vecShared && access->strides[d] &&
            llabs(access->strides[d]) * bytes < least)
          least = llabs(access->strides[d]) * bytes;
      multiple = 64 / least > multiple ? 64 / least : multiple;
    }
  }
  return multiple;
}

/// Fills in how rows, or lanes, are dealt out to threads.
static void chooseThreads(const XlaSchedEmit *e, XlaSchedule *s) {
  s->nRows = e->n.group->nShared - (e->n.vecShared >= 0);
  s->chunks = s->threads = 1;
  s->threadsReason = "there is one";
  s->rows = xlaSchedVolume(e->n.group->statements, 0, s->nRows);
  s->nanoseconds = xlaSchedCost(e->n.group, e->options);
  if (s->transposed >= 0) // in registers, which takes as long as the rest
    s->nanoseconds *= 2;
  int64_t threads = xlaCpuUsefulThreads(
      s->nanoseconds, e->options->serialNanoseconds, e->options->threads);
  if (e->options->threads > 1)
    s->threadsReason = "starting others takes as long";
  if (threads <= 1)
    return;
  s->threadsReason = "each has as much to do";
  s->threads = threads;
  int64_t multiple = rowMultiple(e);
  int64_t byRows = roundUp((s->rows + threads - 1) / threads, multiple);
  int64_t lanes =
      e->n.vecShared >= 0 ? e->n.group->statements->sizes[e->n.vecShared] : 0;
  int64_t unit = e->n.lanes > 1 ? roundUp(64, e->n.lanes) : 64;
  int64_t byLanes = roundUp((lanes + threads - 1) / threads, unit);
  // The longest chunk decides: prefer the more even split.
  double rowPart = (double)byRows / (double)s->rows;
  double lanePart = lanes ? (double)byLanes / (double)lanes : 2;
  s->splitsLanes = lanes > 0 && lanePart < rowPart;
  if (s->splitsLanes && s->rows > 1 && rowPart < 1.2 / (double)threads)
    s->splitsLanes = false;
  s->chunk = s->splitsLanes ? byLanes : byRows;
  int64_t n = s->splitsLanes ? lanes : s->rows;
  s->chunks = (n + s->chunk - 1) / s->chunk;
}

/// Chunks of a reduction to one row: by its work, a power of two that is enough
/// for the threads of most machines.
static int64_t chooseSplit(double nanoseconds, int64_t serialNanoseconds) {
  if (nanoseconds < (double)serialNanoseconds)
    return 1;
  int64_t split = 2;
  while (split < 64 &&
         4 * nanoseconds >= (double)(2 * split) * (double)serialNanoseconds)
    split *= 2;
  return split;
}

/// Whether there are too few columns for threads, and all that is done is to
/// reduce them; of what is done beside that, with one thread's lanes.
static bool hasFewColumns(const XlaSchedEmit *e) {
  enum { few = 512, lanes = 64, maxRows = 8 };
  const XlaSchedGroup *group = e->n.group;
  int64_t columns = xlaSchedVolume(group->statements, 0, group->nShared);
  if (e->n.vecShared < 0 || e->schedule.transposed >= 0 ||
      e->schedule.column >= 0 || e->nTiles > 0 || e->schedule.rows > maxRows)
    return false;
  bool isOnly = true;
  for (int s = 0; s < group->nStatements; ++s)
    isOnly &= group->statements[s].nDims == group->nShared ||
              xlaSchedAccumulators(&group->statements[s]) > 0;
  return columns < (isOnly ? few : lanes + 1);
}

/// How many chunks one reduction is cut into.
static void chooseChunks(const XlaSchedEmit *e, XlaSchedule *s) {
  bool isOne = e->n.group->nShared == 0;
  s->split = isOne || hasFewColumns(e)
                 ? chooseSplit(s->nanoseconds, e->options->serialNanoseconds)
                 : 1;
  if (isOne || s->split == 1)
    return;
  if (xlaSchedSumsParts(e))
    s->chunks = 1;
  else
    s->split = 1;
}

//===----------------------------------------------------------------------===//
// A group
//===----------------------------------------------------------------------===//

MlirLogicalResult xlaSchedChoose(XlaSchedEmit *e, bool atTop) {
  XlaSchedGroup *group = e->n.group;
  XlaSchedule *s = &e->schedule;
  sortShared(group);
  e->n.vecShared = chooseLanes(group, &s->lanesReason);
  if (e->n.vecShared >= 0) {
    moveToEnd(group, e->n.vecShared);
    e->n.vecShared = group->nShared - 1;
  }
  // Row and lane dimensions stay apart only where a group has inner loops.
  xlaSchedMergeShared(group);
  if (e->n.vecShared >= 0)
    e->n.vecShared = group->nShared - 1;
  s->transposed = xlaSchedTransposedDim(e);
  if (s->transposed >= 0) { // rows, u, v
    moveToEnd(group, s->transposed);
    moveToEnd(group, e->n.vecShared - 1);
    s->transposed = e->n.vecShared - 1;
  }
  if (mlirLogicalResultIsFailure(
          xlaSchedClustersForm(group, e->n.vecShared < 0, &e->n.clusters)))
    return mlirLogicalResultFailure();
  e->toCluster = e->n.clusters.n;
  int *all = calloc((size_t)group->nStatements, sizeof *all);
  if (!all)
    return mlirLogicalResultFailure();
  for (int i = 0; i < group->nStatements; ++i)
    all[i] = i;
  e->n.onlyPowers = xlaSchedTouchesBf16(group);
  e->n.lanes = xlaSchedLanes(e, all, group->nStatements);
  free(all);
  if (e->n.vecShared >= 0 &&
      group->statements->sizes[e->n.vecShared] < e->n.lanes)
    e->n.lanes = xlaSchedPiece(&e->n, group->statements->sizes[e->n.vecShared]);
  if (s->transposed < 0 &&
      mlirLogicalResultIsFailure(xlaSchedInnerTilesFind(e)))
    return mlirLogicalResultFailure();
  if (mlirLogicalResultIsFailure(xlaSchedFindScratches(e)))
    return mlirLogicalResultFailure();
  chooseThreads(e, s);
  s->split = 1;
  if (atTop)
    chooseChunks(e, s);
  if (!atTop) {
    s->chunks = 1;
    s->threadsReason = "the nest is inside of a loop";
  }
  return s->transposed >= 0 ? xlaSchedChooseTiles(e)
                            : mlirLogicalResultSuccess();
}
