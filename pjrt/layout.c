//===- layout.c - The extension for layouts -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct PJRT_Layouts_MemoryLayout {
  int rank;
  XlaPjrtOrder order;
};

PJRT_Layouts_MemoryLayout *xlaPjrtLayoutCreate(int rank,
                                               const XlaPjrtOrder *order) {
  PJRT_Layouts_MemoryLayout *layout = calloc(1, sizeof *layout);
  if (!layout)
    return NULL;
  layout->rank = rank;
  if (order)
    layout->order = *order;
  return layout;
}

void xlaPjrtLayoutDestroy(PJRT_Layouts_MemoryLayout *layout) { free(layout); }

PJRT_Error *
xlaPjrt_MemoryLayout_Destroy(PJRT_Layouts_MemoryLayout_Destroy_Args *args) {
  xlaPjrtLayoutDestroy(args->layout);
  return NULL;
}

static void deleteText(PJRT_Layouts_SerializedLayout *text) { free(text); }

/// "{1,0}", as HLO writes it.
PJRT_Error *
xlaPjrt_MemoryLayout_Serialize(PJRT_Layouts_MemoryLayout_Serialize_Args *args) {
  char *text = malloc(3 * XLA_MAX_RANK + 3);
  if (!text)
    return xlaPjrtNoMemory();
  const PJRT_Layouts_MemoryLayout *layout = args->layout;
  int size = sprintf(text, "{");
  for (int i = 0; i < layout->rank; ++i)
    size += sprintf(text + size, i ? ",%d" : "%d",
                    layout->order.isOther ? layout->order.minorToMajor[i]
                                          : layout->rank - 1 - i);
  size += sprintf(text + size, "}");
  args->serialized_bytes = text;
  args->serialized_bytes_size = (size_t)size;
  args->serialized_layout = (PJRT_Layouts_SerializedLayout *)text;
  args->serialized_layout_deleter = deleteText;
  return NULL;
}

static PJRT_Error *defaultLayout(PJRT_Buffer_Type type, size_t nDims,
                                 const int64_t *dims,
                                 PJRT_Layouts_MemoryLayout **layout) {
  XlaShape shape;
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtShape(type, nDims, dims, &shape));
  PJRT_Layouts_MemoryLayout *made = xlaPjrtLayoutCreate(shape.rank, NULL);
  if (!made)
    return xlaPjrtNoMemory();
  *layout = made;
  return NULL;
}

PJRT_Error *xlaPjrt_PJRT_Client_GetDefaultLayout(
    PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args *args) {
  return defaultLayout(args->type, args->num_dims, args->dims, &args->layout);
}

PJRT_Error *xlaPjrt_PJRT_Topology_GetDefaultLayout(
    PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args *args) {
  return defaultLayout(args->type, args->num_dims, args->dims, &args->layout);
}

PJRT_Error *xlaPjrt_PJRT_Buffer_MemoryLayout(
    PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args *args) {
  PJRT_Layouts_MemoryLayout *made = xlaPjrtLayoutCreate(
      xlaPjrtBufferShape(args->buffer)->rank, xlaPjrtBufferOrder(args->buffer));
  if (!made)
    return xlaPjrtNoMemory();
  args->layout = made;
  return NULL;
}

PJRT_Error *xlaPjrt_PJRT_Executable_GetParameterLayouts(
    PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args *args) {
  args->num_parameters = args->executable->nInputs;
  args->layouts = args->executable->inputLayouts;
  return NULL;
}

PJRT_Error *xlaPjrt_PJRT_Executable_GetOutputLayouts(
    PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args *args) {
  args->num_outputs = args->executable->nOutputs;
  args->layouts = args->executable->layouts;
  return NULL;
}
