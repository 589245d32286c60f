//===- cycles.c - What leads to what --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two clusters may become one if nothing that one leads to leads to the other.
// A search follows users and effects, and what is behind the target by position
// is not looked at.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/fuse.h"

static void push(FuseSearch *search, int node) {
  FuseNode *n = &search->graph->nodes[node];
  if (n->mark == search->graph->mark)
    return;
  n->mark = search->graph->mark;
  search->stack[search->size++] = node;
}

static void pushMembers(FuseSearch *search, FuseCluster *cluster) {
  if (cluster->mark == search->graph->mark)
    return;
  cluster->mark = search->graph->mark;
  for (int m = cluster->head; m >= 0; m = search->graph->nodes[m].next)
    push(search, m);
}

/// The first position that spans of clusters connect with `at`: all that `at`
/// leads to is behind it.
static int connectedFrom(FuseGraph *graph, int at) {
  int *connected = graph->connected;
  while (connected[at] != at)
    at = connected[at] = connected[connected[at]];
  return at;
}

void xlaFuseConnect(FuseGraph *graph, const FuseCluster *cluster) {
  for (int at = connectedFrom(graph, cluster->last); at > cluster->first;
       at = connectedFrom(graph, at))
    graph->connected[at] = at - 1;
}

bool xlaFuseReaches(FuseSearch *search, int from) {
  FuseGraph *graph = search->graph;
  int last = graph->clusters[search->target].last;
  search->size = 0;
  push(search, from);
  while (search->size) {
    int at = search->stack[--search->size];
    const FuseNode *node = &graph->nodes[at];
    int cluster = xlaFuseClusterOf(graph, at);
    if (cluster == search->target)
      return true;
    if (connectedFrom(graph, at) > last)
      continue;
    if ((search->budget -= 1 + node->nEdges) < 0)
      return true;
    if (cluster >= 0)
      pushMembers(search, &graph->clusters[cluster]);
    if (node->nextEffect >= 0)
      push(search, node->nextEffect);
    for (int e = 0; e < node->nEdges; ++e)
      push(search, graph->edges[node->firstEdge + e].user);
  }
  return false;
}
