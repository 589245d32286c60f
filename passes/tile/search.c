//===- search.c - Sizes of tiles ------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"
#include "xlac/passes/tile/tile.h"

#include <stdio.h>
#include <string.h>

enum {
  maxSizes = 48,       // of a dimension that are tried
  maxChoices = 1 << 13 // of all dimensions together
};

/// Sizes of a dimension, in ascending order.
typedef struct Sizes {
  int n;
  int64_t all[maxSizes];
} Sizes;

static void add(Sizes *sizes, int64_t extent, int64_t size) {
  int at = sizes->n;
  if (size < 1 || size > extent)
    return;
  while (at && sizes->all[at - 1] >= size)
    --at;
  if ((at < sizes->n && sizes->all[at] == size) || sizes->n == maxSizes)
    return;
  memmove(&sizes->all[at + 1], &sizes->all[at],
          (size_t)(sizes->n - at) * sizeof *sizes->all);
  sizes->all[at] = size;
  ++sizes->n;
}

static void addDivisors(Sizes *sizes, int64_t extent, int64_t of) {
  const int64_t most = 1 << 12; // larger ones are left to the other sizes
  for (int64_t d = 1; d <= most && d <= of / d; ++d)
    if (of % d == 0) {
      add(sizes, extent, d);
      add(sizes, extent, of / d);
    }
}

/// Sizes by a number that a condition has: its divisors and multiples.
static void addNumber(Sizes *sizes, int64_t extent, int64_t number) {
  if (number < 2 || number > extent)
    return;
  addDivisors(sizes, extent, number);
  for (int64_t more = number; more <= extent / 2;)
    add(sizes, extent, more *= 2);
}

/// The numbers in conditions on dimension `d`.
static void addNumbers(Sizes *sizes, int64_t extent, MlirAffineExpr expr) {
  int64_t number;
  if (xlaExprIsConstant(expr, &number)) {
    addNumber(sizes, extent, number);
  } else if (xlaExprGetKind(expr) != XlaExprKindDim &&
             xlaExprGetKind(expr) != XlaExprKindSymbol) {
    addNumbers(sizes, extent, mlirAffineBinaryOpExprGetLHS(expr));
    addNumbers(sizes, extent, mlirAffineBinaryOpExprGetRHS(expr));
  }
}

static void addConditions(Sizes *sizes, int64_t extent, int d,
                          const XlaSymbolicTile *tile) {
  for (int c = 0; c < tile->nCases; ++c)
    for (intptr_t i = 0; i < tile->cases[c].nConditions; ++i) {
      const XlaIndexingConstraint *one = &tile->cases[c].conditions[i];
      bool symbols[XLA_MAX_RANK] = {false};
      xlaExprMarkUsed(one->expr, NULL, symbols);
      if (!symbols[d])
        continue;
      addNumber(sizes, extent, one->bounds.lower);
      addNumbers(sizes, extent, one->expr);
    }
}

static void findSizes(const XlaTiling *tiling, int d, Sizes *sizes) {
  int64_t extent = tiling->shape.dims[d];
  sizes->n = 0;
  add(sizes, extent, 1);
  add(sizes, extent, extent);
  for (intptr_t i = 0; i < tiling->n; ++i)
    for (intptr_t k = 0; k < tiling->values[i].n; ++k)
      if (tiling->values[i].maps[k].tile)
        addConditions(sizes, extent, d, tiling->values[i].maps[k].tile);
  addDivisors(sizes, extent, extent);
  for (int64_t power = 2; power <= extent / 2; power *= 2)
    add(sizes, extent, power);
}

/// Leaves every other size of the dimension that has most, until there are few
/// enough choices; the smallest and the largest stay.
static void thin(Sizes *sizes, int rank) {
  for (;;) {
    int64_t choices = 1;
    int longest = 0, n = 1;
    for (int d = 0; d < rank; ++d) {
      choices *= choices <= maxChoices ? sizes[d].n : 1;
      longest = sizes[d].n > sizes[longest].n ? d : longest;
    }
    if (choices <= maxChoices || sizes[longest].n < 3)
      return;
    Sizes *from = &sizes[longest];
    for (int i = 1; i < from->n; ++i)
      if (i % 2 == 0 || i + 1 == from->n)
        from->all[n++] = from->all[i];
    from->n = n;
  }
}

static double volumeOf(const int64_t *sizes, int rank) {
  double volume = 1;
  for (int d = 0; d < rank; ++d)
    volume *= (double)sizes[d];
  return volume;
}

/// The next choice; false behind the last.
static bool advance(const Sizes *sizes, int rank, int *at) {
  for (int d = rank - 1; d >= 0; --d) {
    if (++at[d] < sizes[d].n)
      return true;
    at[d] = 0;
  }
  return false;
}

bool xlaTilingSearch(const XlaTiling *tiling, int64_t most, int64_t *sizes,
                     XlaTileCost *cost, char reason[XLA_TILE_REASON]) {
  Sizes all[XLA_MAX_RANK];
  int rank = tiling->shape.rank, at[XLA_MAX_RANK] = {0};
  int64_t least = INT64_MAX, now[XLA_MAX_RANK];
  bool isFound = false, isTold = false;
  for (int d = 0; d < rank; ++d) {
    if (!tiling->shape.dims[d]) {
      snprintf(reason, XLA_TILE_REASON, "the result has no elements");
      return false;
    }
    findSizes(tiling, d, &all[d]);
  }
  thin(all, rank);
  do {
    XlaTileCost one;
    char why[XLA_TILE_REASON];
    for (int d = 0; d < rank; ++d)
      now[d] = all[d].all[at[d]];
    if (!xlaTilingMeasure(tiling, now, &one, why)) {
      if (!isTold)
        memcpy(reason, why, XLA_TILE_REASON);
      isTold = true;
      continue;
    }
    least = one.bytes < least ? one.bytes : least;
    if (one.bytes > most ||
        (isFound && (one.lines > cost->lines ||
                     (one.lines == cost->lines &&
                      volumeOf(now, rank) <= volumeOf(sizes, rank)))))
      continue;
    isFound = true;
    *cost = one;
    memcpy(sizes, now, (size_t)rank * sizeof *sizes);
  } while (advance(all, rank, at));
  if (!isFound && least != INT64_MAX)
    snprintf(reason, XLA_TILE_REASON,
             "the smallest tile takes %lld bytes, more than %lld",
             (long long)least, (long long)most);
  return isFound;
}
