//===- coalescing.c - What the threads of a subgroup touch at once --------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/cost.h"
#include "xlac/lowering/vulkan/schedule/group.h"

static int64_t bytesOf(const XlaSchedAccess *access) {
  int bits = xlaSchedBits(access->element);
  return bits > 8 ? bits / 8 : 1;
}

static XlaSchedCoalescing coalesce(const XlaVulkanGroup *g,
                                   const XlaSchedLaneMap *map,
                                   const XlaSchedAccess *access) {
  // Caches of graphics cards have sectors of 32 bytes, those of processors
  // lines of 64.
  bool isSoftware = g->e.memory->schedule->info->kind == XlaVulkanKindSoftware;
  return xlaSchedCoalesce(map, bytesOf(access), isSoftware ? 64 : 32);
}

static int64_t subgroupOf(const XlaVulkanGroup *g) {
  int64_t size = g->e.memory->schedule->info->subgroupSize;
  return size ? size : 32;
}

XlaSchedCoalescing xlaVulkanCoalesceRow(const XlaVulkanGroup *g,
                                        const XlaSchedStatement *statement,
                                        const XlaSchedAccess *access,
                                        int width) {
  int last = statement->nDims - 1;
  int64_t lanes = g->schedule.lanes, most = subgroupOf(g);
  int64_t stride =
      statement->nDims > g->n.group->nShared ? access->strides[last] : 0;
  XlaSchedLaneMap map = {.lanes = lanes < most ? lanes : most,
                         .n = 1,
                         .sizes = {lanes},
                         .strides = {stride * width},
                         .width = stride ? width : 1,
                         .step = stride};
  return coalesce(g, &map, access);
}

XlaSchedCoalescing xlaVulkanCoalesceOwn(const XlaVulkanGroup *g,
                                        const XlaSchedStatement *statement,
                                        const XlaSchedAccess *access,
                                        const XlaSchedUnroll *unroll) {
  XlaSchedLaneMap map = {
      .lanes = subgroupOf(g), .n = g->n.group->nShared, .width = 1};
  int wide = xlaVulkanVectorUnroll(g, statement, access, unroll);
  for (int d = 0; d < map.n; ++d) {
    map.sizes[d] = statement->sizes[d];
    map.strides[d] = access->strides[d];
    for (int i = 0; i < unroll->n; ++i)
      if (unroll->dims[i] == d) {
        int64_t blocks = map.sizes[d] / unroll->factors[i];
        map.sizes[d] = blocks ? blocks : 1;
        map.strides[d] *= unroll->factors[i];
      }
  }
  if (wide >= 0) {
    map.width = unroll->factors[wide];
    map.step = 1;
  }
  return coalesce(g, &map, access);
}
