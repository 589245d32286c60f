//===- captured.c - What regions use from outside -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/captured.h"
#include "xlac/dialect/pointer_map.h"

#include <stdlib.h>

typedef struct Search {
  MlirOperation root;
  XlaPointerMap seen; ///< values of the regions, and those found
  XlaValues *found;
  bool failed;
} Search;

static void see(Search *search, MlirValue value) {
  if (!xlaPointerMapSet(&search->seen, value.ptr, 1))
    search->failed = true;
}

static void addCaptured(Search *search, MlirValue value) {
  XlaValues *found = search->found;
  if (found->n == found->capacity) {
    intptr_t capacity = 2 * found->capacity + 4;
    MlirValue *values =
        realloc(found->values, (size_t)capacity * sizeof *values);
    if (!values) {
      search->failed = true;
      return;
    }
    found->values = values;
    found->capacity = capacity;
  }
  found->values[found->n++] = value;
  see(search, value);
}

/// Values are defined before the walk comes to where they are used.
static MlirWalkResult visit(MlirOperation op, void *data) {
  Search *search = data;
  bool isRoot = mlirOperationEqual(op, search->root);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !isRoot; ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (!xlaPointerMapGet(&search->seen, value.ptr))
      addCaptured(search, value);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && !isRoot; ++i)
    see(search, mlirOperationGetResult(op, i));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         block.ptr; block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
        see(search, mlirBlockGetArgument(block, i));
  return search->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool xlaOpGetCaptured(MlirOperation op, XlaValues *values) {
  Search search = {.root = op, .found = values};
  *values = (XlaValues){0};
  if (mlirOperationGetNumRegions(op) == 0)
    return true;
  mlirOperationWalk(op, visit, &search, MlirWalkPreOrder);
  xlaPointerMapClear(&search.seen);
  return !search.failed;
}
