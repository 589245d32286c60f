//===- coalescing.c - What lanes touch at once ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/coalescing.h"

#include <stdio.h>
#include <stdlib.h>

enum { maxElements = 1024 };

static int64_t floorDiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && a < 0);
}

static int64_t placeOf(const XlaSchedLaneMap *map, int64_t lane) {
  int64_t place = 0;
  for (int d = map->n - 1; d >= 0; --d) {
    place += lane % map->sizes[d] * map->strides[d];
    lane /= map->sizes[d];
  }
  return place;
}

static int compare(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/// Sorts `n` numbers and drops equal ones: how many are left.
static int sortUnique(int n, int64_t *numbers) {
  int left = 0;
  qsort(numbers, (size_t)n, sizeof *numbers, compare);
  for (int i = 0; i < n; ++i)
    if (!left || numbers[left - 1] != numbers[i])
      numbers[left++] = numbers[i];
  return left;
}

XlaSchedCoalescing xlaSchedCoalesce(const XlaSchedLaneMap *map, int64_t bytes,
                                    int64_t line) {
  int64_t elements[maxElements], lanes = 1, width = map->width;
  if (width > maxElements)
    width = maxElements;
  for (int d = 0; d < map->n && lanes < map->lanes; ++d)
    lanes *= map->sizes[d] < maxElements ? map->sizes[d] : maxElements;
  lanes = lanes < map->lanes ? lanes : map->lanes;
  lanes = lanes * width > maxElements ? maxElements / width : lanes;
  XlaSchedCoalescing result = {.lanes = lanes, .run = 1};
  int n = 0;
  for (int64_t lane = 0; lane < lanes; ++lane)
    for (int64_t i = 0; i < width; ++i)
      elements[n++] = placeOf(map, lane) + i * map->step;
  result.stride = lanes > 1 ? elements[width] - elements[0] : 0;
  n = sortUnique(n, elements);
  while (result.run < n && elements[result.run] == elements[result.run - 1] + 1)
    ++result.run;
  result.used = n * bytes;
  int64_t first = elements[0], end = -1;
  for (int i = 0; i < n; ++i) {
    int64_t from = floorDiv((elements[i] - first) * bytes, line),
            to = floorDiv((elements[i] - first) * bytes + bytes - 1, line);
    result.touched += (to - (from > end ? from - 1 : end)) * line;
    end = to;
  }
  return result;
}

void xlaSchedPutCoalescing(const XlaSchedCoalescing *coalescing) {
  fprintf(stderr, "; %lld lanes %lld apart, runs of %lld: %lld%% of %lld bytes",
          (long long)coalescing->lanes, (long long)coalescing->stride,
          (long long)coalescing->run,
          (long long)(100 * coalescing->used / coalescing->touched),
          (long long)coalescing->touched);
}
