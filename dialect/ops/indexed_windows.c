//===- indexed_windows.c - What gather and scatter share ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/indexed_windows.h"

#include "xlac/dialect/result_internal.h"

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The lists, in the order of XlaIndexedWindows.
enum { Offset, Collapsed, Batching, IndexBatching, StartMap, ListCount };

/// What an operation calls its lists and arrays, and the labels of the rules
/// about them.
typedef struct Names {
  const char *lists[ListCount];
  const char *operand, *indices, *windows;
  const char *range[ListCount];  ///< entries are dimensions of their array
  const char *unique[ListCount]; ///< no entry twice; see checkUnique
  const char *sorted[ListCount]; ///< or NULL
  const char *rank, *vectorDim, *startMapSize;
  const char *windowsRank; ///< of a windows array that is an operand
  const char *vectorBatching, *batchingSize, *batchingDims;
} Names;

static const Names gatherNames = {
    .lists = {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
              "start_indices_batching_dims", "start_index_map"},
    .operand = "the operand",
    .indices = "start_indices",
    .windows = "the result",
    .range = {"gather_c5", "gather_c8", "gather_c11", "gather_c14",
              "gather_c19"},
    .unique = {"gather_c4", "gather_c6", "gather_c6", "gather_c13",
               "gather_c18"},
    .sorted = {"gather_c4", "gather_c7", "gather_c10", NULL, NULL},
    .rank = "gather_c1",
    .vectorDim = "gather_c2",
    .startMapSize = "gather_c3",
    .vectorBatching = "gather_c15",
    .batchingSize = "gather_c16",
    .batchingDims = "gather_c17",
};

static const Names scatterNames = {
    .lists = {"update_window_dims", "inserted_window_dims",
              "input_batching_dims", "scatter_indices_batching_dims",
              "scatter_dims_to_operand_dims"},
    .operand = "input 0",
    .indices = "scatter_indices",
    .windows = "update 0",
    .range = {"scatter_c8", "scatter_c11", "scatter_c13", "scatter_c15",
              "scatter_c21"},
    .unique = {"scatter_c7", "scatter_c9", "scatter_c9", "scatter_c14",
               "scatter_c20"},
    .sorted = {"scatter_c7", "scatter_c10", "scatter_c12", NULL, NULL},
    .rank = "scatter_c2",
    .vectorDim = "scatter_c22",
    .startMapSize = "scatter_c19",
    .windowsRank = "scatter_c4",
    .vectorBatching = "scatter_c16",
    .batchingSize = "scatter_c17",
    .batchingDims = "scatter_c18",
};

static const Names *namesOf(XlaOpKind kind) {
  return kind == XlaOpKindGather ? &gatherNames : &scatterNames;
}

static XlaI64List *listOf(XlaIndexedWindows *windows, int list) {
  XlaI64List *const lists[] = {&windows->offset, &windows->collapsed,
                               &windows->batching, &windows->indexBatching,
                               &windows->startMap};
  return lists[list];
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static uint32_t maskOf(const XlaI64List *list) {
  uint32_t mask = 0;
  for (int i = 0; i < list->size; ++i)
    mask |= 1u << list->values[i];
  return mask;
}

static MlirLogicalResult checkRange(const XlaOpView *view, const Names *names,
                                    XlaIndexedWindows *windows, int list,
                                    const char *array, int rank) {
  const XlaI64List *values = listOf(windows, list);
  for (int i = 0; i < values->size; ++i)
    if (values->values[i] < 0 || values->values[i] >= rank)
      return xlaViewError(view, names->range[list],
                          "%s has %lld, %s has rank %d", names->lists[list],
                          (long long)values->values[i], array, rank);
  return success();
}

static MlirLogicalResult checkSorted(const XlaOpView *view, const Names *names,
                                     XlaIndexedWindows *windows, int list) {
  const XlaI64List *values = listOf(windows, list);
  for (int i = 1; i < values->size; ++i)
    if (values->values[i] < values->values[i - 1])
      return xlaViewError(view, names->sorted[list], "%s %s must ascend",
                          names->lists[list],
                          XLA_LIST_TEXT(values->values, values->size));
  return success();
}

/// No entry occurs twice in `list`, nor, with `other` >= 0, in that list too.
static MlirLogicalResult checkUnique(const XlaOpView *view, const Names *names,
                                     XlaIndexedWindows *windows, int list,
                                     int other) {
  const XlaI64List *values = listOf(windows, list);
  uint32_t seen = other < 0 ? 0 : maskOf(listOf(windows, other));
  for (int i = 0; i < values->size; ++i) {
    if (seen >> values->values[i] & 1)
      return xlaViewError(
          view, names->unique[list],
          "%s %s has %lld, which is listed twice%s%s", names->lists[list],
          XLA_LIST_TEXT(values->values, values->size),
          (long long)values->values[i], other < 0 ? "" : " or in ",
          other < 0 ? "" : names->lists[other]);
    seen |= 1u << values->values[i];
  }
  return success();
}

static MlirLogicalResult checkRanks(const XlaOpView *view, const Names *names,
                                    const XlaIndexedWindows *windows,
                                    const XlaShape *operand,
                                    const XlaShape *indices) {
  int sum =
      windows->offset.size + windows->collapsed.size + windows->batching.size;
  if (sum != operand->rank)
    return xlaViewError(view, names->rank,
                        "%s has %d entries, %s %d and %s %d: together as many "
                        "as %s has dimensions, %d",
                        names->lists[Offset], windows->offset.size,
                        names->lists[Collapsed], windows->collapsed.size,
                        names->lists[Batching], windows->batching.size,
                        names->operand, operand->rank);
  if (windows->vectorDim < 0 || windows->vectorDim > indices->rank)
    return xlaViewError(view, names->vectorDim,
                        "index_vector_dim is %lld, must be in [0, %d], the "
                        "rank of %s",
                        (long long)windows->vectorDim, indices->rank,
                        names->indices);
  int64_t coordinates = windows->vectorDim < indices->rank
                            ? indices->dims[windows->vectorDim]
                            : 1;
  if (coordinates != windows->startMap.size)
    return xlaViewError(view, names->startMapSize,
                        "%s has %d entries, an index has %lld coordinates",
                        names->lists[StartMap], windows->startMap.size,
                        (long long)coordinates);
  return success();
}

static MlirLogicalResult checkBatching(const XlaOpView *view,
                                       const Names *names,
                                       const XlaIndexedWindows *windows,
                                       const XlaShape *operand,
                                       const XlaShape *indices) {
  const XlaI64List *in = &windows->indexBatching, *of = &windows->batching;
  for (int i = 0; i < in->size; ++i)
    if (in->values[i] == windows->vectorDim)
      return xlaViewError(view, names->vectorBatching,
                          "%s %s has %lld, which is index_vector_dim",
                          names->lists[IndexBatching],
                          XLA_LIST_TEXT(in->values, in->size),
                          (long long)windows->vectorDim);
  if (in->size != of->size)
    return xlaViewError(view, names->batchingSize, "%s has %d entries, %s %d",
                        names->lists[Batching], of->size,
                        names->lists[IndexBatching], in->size);
  for (int i = 0; i < in->size; ++i)
    if (operand->dims[of->values[i]] != indices->dims[in->values[i]])
      return xlaViewError(
          view, names->batchingDims,
          "batching dimension %lld of %s is %lld, dimension %lld of %s %lld",
          (long long)of->values[i], names->operand,
          (long long)operand->dims[of->values[i]], (long long)in->values[i],
          names->indices, (long long)indices->dims[in->values[i]]);
  return success();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// What follows from the lists.
static void derive(XlaIndexedWindows *windows, int operandRank,
                   int indicesRank) {
  uint32_t inWindow = ~(maskOf(&windows->collapsed) | //
                        maskOf(&windows->batching));
  windows->window.size = windows->batch.size = windows->indexBatch.size = 0;
  for (int d = 0; d < operandRank; ++d)
    if (inWindow >> d & 1)
      windows->window.values[windows->window.size++] = d;
  for (int d = 0; d < indicesRank; ++d)
    if (d != windows->vectorDim)
      windows->indexBatch.values[windows->indexBatch.size++] = d;
  uint32_t offset = maskOf(&windows->offset);
  for (int d = 0; windows->batch.size < windows->indexBatch.size; ++d)
    if (!(offset >> d & 1))
      windows->batch.values[windows->batch.size++] = d;
}

MlirLogicalResult xlaIndexedWindowsInfer(const XlaOpView *view,
                                         const XlaShape *operand,
                                         const XlaShape *indices,
                                         int windowsRank,
                                         XlaIndexedWindows *windows) {
  const Names *names = namesOf(view->kind);
  for (int list = 0; list < ListCount; ++list)
    xlaViewGetList(view, names->lists[list], listOf(windows, list));
  windows->vectorDim = xlaViewGetI64(view, "index_vector_dim", 0);
  if (failed(checkRanks(view, names, windows, operand, indices)))
    return failure();
  int batch = indices->rank - (windows->vectorDim < indices->rank);
  int rank = windows->offset.size + batch;
  if (windowsRank >= 0 && windowsRank != rank)
    return xlaViewError(view, names->windowsRank,
                        "%s has rank %d, must have %d: %d for %s and %d of %s",
                        names->windows, windowsRank, rank, windows->offset.size,
                        names->lists[Offset], batch, names->indices);
  if (rank > XLA_MAX_RANK)
    return xlaViewError(view, NULL, "has a result of rank %d, more than %d",
                        rank, XLA_MAX_RANK);
  const char *arrays[] = {names->windows, names->operand, names->operand,
                          names->indices, names->operand};
  const int ranks[] = {rank, operand->rank, operand->rank, indices->rank,
                       operand->rank};
  for (int list = 0; list < ListCount; ++list)
    if (failed(
            checkRange(view, names, windows, list, arrays[list], ranks[list])))
      return failure();
  const int others[] = {-1, -1, Collapsed, -1, Batching};
  for (int list = 0; list < ListCount; ++list)
    if (failed(checkUnique(view, names, windows, list, others[list])) ||
        (names->sorted[list] &&
         failed(checkSorted(view, names, windows, list))))
      return failure();
  if (failed(checkBatching(view, names, windows, operand, indices)))
    return failure();
  derive(windows, operand->rank, indices->rank);
  return success();
}

void xlaIndexedWindowsGet(MlirOperation op, XlaIndexedWindows *windows) {
  XlaOpKind kind = xlaOpGetKind(op);
  const Names *names = namesOf(kind);
  XlaShape operand, indices;
  // Scatter has as many inputs as updates, and the indices between them.
  intptr_t at = (mlirOperationGetNumOperands(op) - 1) / 2;
  at = kind == XlaOpKindGather ? 1 : at;
  xlaShapeFromMlirBounded(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                          &operand, NULL);
  xlaShapeFromMlirBounded(mlirValueGetType(mlirOperationGetOperand(op, at)),
                          &indices, NULL);
  for (int list = 0; list < ListCount; ++list)
    xlaOpGetList(op, names->lists[list], listOf(windows, list));
  windows->vectorDim = xlaOpGetI64(op, "index_vector_dim", 0);
  derive(windows, operand.rank, indices.rank);
}
