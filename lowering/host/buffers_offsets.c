//===- buffers_offsets.c - Offsets of buffers in the arena ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The largest buffer first, each at the lowest place that is free during its
// life.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/host/buffers_internal.h"

#include <stdlib.h>

static int bySize(const void *a, const void *b) {
  const XlaBuffer *x = *(XlaBuffer *const *)a, *y = *(XlaBuffer *const *)b;
  if (x->bytes != y->bytes)
    return x->bytes < y->bytes ? 1 : -1;
  return (x > y) - (x < y); // a total order, so that assignments do not vary
}

static int byOffset(const void *a, const void *b) {
  const XlaBuffer *x = *(XlaBuffer *const *)a, *y = *(XlaBuffer *const *)b;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

static int64_t alignUp(int64_t bytes) {
  return (bytes + XLA_BUFFER_ALIGNMENT - 1) / XLA_BUFFER_ALIGNMENT *
         XLA_BUFFER_ALIGNMENT;
}

/// The first offset from `offset` on at which no piece ends inside of `bytes`,
/// or, if they are more than a piece has, one begins.
static int64_t atPiece(int64_t offset, int64_t bytes, int64_t piece) {
  int64_t left = piece ? piece - offset % piece : INT64_MAX;
  return bytes <= left || left == piece ? offset : offset + left;
}

/// The lowest offset that is free of `placed` while `buffer` lives. `meeting`
/// is scratch for as many pointers.
static int64_t lowestFree(const XlaBuffer *buffer, XlaBuffer *const *placed,
                          intptr_t n, int64_t piece, XlaBuffer **meeting) {
  intptr_t m = 0;
  for (intptr_t i = 0; i < n; ++i)
    if (placed[i]->first <= buffer->last && buffer->first <= placed[i]->last)
      meeting[m++] = placed[i];
  qsort(meeting, (size_t)m, sizeof *meeting, byOffset);
  int64_t offset = 0;
  for (intptr_t i = 0; i < m; ++i) {
    offset = atPiece(offset, buffer->bytes, piece);
    if (meeting[i]->offset - offset >= buffer->bytes)
      break;
    int64_t end = meeting[i]->offset + alignUp(meeting[i]->bytes);
    offset = end > offset ? end : offset;
  }
  return atPiece(offset, buffer->bytes, piece);
}

bool xlaBufferAssignmentLayOut(XlaBufferAssignment *assignment) {
  XlaBuffer **order =
      malloc(((size_t)assignment->nBuffers + 1) * sizeof *order);
  XlaBuffer **meeting =
      malloc(((size_t)assignment->nBuffers + 1) * sizeof *order);
  intptr_t n = 0;
  for (intptr_t i = 0; order && i < assignment->nBuffers; ++i) {
    XlaBuffer *buffer = &assignment->buffers[i];
    if (buffer->kind == XlaBufferKindArena)
      order[n++] = buffer;
    if (buffer->kind == XlaBufferKindConstant) {
      buffer->offset = assignment->constantBytes;
      assignment->constantBytes += alignUp(buffer->bytes);
    }
  }
  for (intptr_t i = 0; order && meeting && i < n; ++i) {
    if (!i)
      qsort(order, (size_t)n, sizeof *order, bySize);
    order[i]->offset =
        lowestFree(order[i], order, i, assignment->pieceBytes, meeting);
    int64_t end = order[i]->offset + alignUp(order[i]->bytes);
    assignment->arenaBytes =
        end > assignment->arenaBytes ? end : assignment->arenaBytes;
  }
  bool done = order && meeting;
  free(order);
  free(meeting);
  return done;
}
