//===- emit_calls.c - Which computations of HLO call which ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/emit.h"

#include <stdlib.h>

/// Calls `visit` with the number of every computation that `computation` names.
static void forEachCallee(const XlaHloComputation *computation,
                          void (*visit)(uint32_t callee, void *data),
                          void *data) {
  for (size_t i = 0; i < computation->n; ++i) {
    const XlaHloInstruction *in = &computation->instructions[i];
    for (uint32_t a = 0; a < in->nAttrs; ++a)
      if (xlaHloAttrInfos[in->attrs[a].name].form == XlaHloFormComputations)
        for (uint32_t k = 0; k < in->attrs[a].n; ++k)
          visit((uint32_t)in->attrs[a].values[k], data);
  }
}

static void countCaller(uint32_t callee, void *data) {
  ++((XlaHloEmitter *)data)->uses[callee].nCallers;
}

static void setCalls(uint32_t callee, void *data) {
  (void)callee;
  *(bool *)data = true;
}

/// Whether writing it again costs no more than a call of it, about.
static bool isSmall(const XlaHloComputation *computation) {
  enum { most = 48 };
  uint64_t weight = 0;
  bool calls = false;
  forEachCallee(computation, setCalls, &calls);
  for (size_t i = 0; i < computation->n && weight <= most; ++i) {
    const XlaHloInstruction *in = &computation->instructions[i];
    weight += 1 + in->shape->nLeaves + in->nOperands;
    if (in->literal)
      weight += (uint64_t)xlaLiteralGetMemory(in->literal) / 16;
  }
  return !calls && weight <= most;
}

void xlaHloFindSmall(XlaHloEmitter *emitter) {
  for (size_t i = 0; i < emitter->program->n; ++i)
    emitter->uses[i].isSmall = isSmall(&emitter->program->computations[i]);
}

typedef struct Order {
  uint64_t *left; ///< callers that have not been removed
  uint32_t *ready;
  size_t n;
} Order;

static void removeCaller(uint32_t callee, void *data) {
  Order *order = data;
  if (!--order->left[callee])
    order->ready[order->n++] = callee;
}

/// Whether no computation calls itself, by others perhaps: all can be removed,
/// each after its callers. Their order then is in `ready`.
static bool isAcyclic(XlaHloEmitter *emitter, uint32_t *ready, bool *noMemory) {
  const XlaHloModule *program = emitter->program;
  Order order = {.left = malloc(program->n * sizeof *order.left),
                 .ready = ready};
  *noMemory = !order.left;
  size_t done = 0;
  for (size_t i = 0; !*noMemory && i < program->n; ++i) {
    order.left[i] = emitter->uses[i].nCallers;
    if (!order.left[i])
      order.ready[order.n++] = (uint32_t)i;
  }
  while (!*noMemory && done < order.n)
    forEachCallee(&program->computations[order.ready[done++]], removeCaller,
                  &order);
  free(order.left);
  return done == program->n;
}

bool xlaHloCheckCalls(XlaHloEmitter *emitter, uint32_t *order) {
  const XlaHloModule *program = emitter->program;
  bool noMemory;
  for (size_t i = 0; i < program->n; ++i)
    forEachCallee(&program->computations[i], countCaller, emitter);
  const XlaHloComputation *entry = &program->computations[program->entry];
  MlirLocation place = xlaHloPlaceOf(emitter, entry->line, entry->column);
  if (emitter->uses[program->entry].nCallers)
    return xlaHloEmitterFail(emitter, XlaImportResultInvalid, place,
                             "the computation ENTRY is called");
  if (!isAcyclic(emitter, order, &noMemory))
    return xlaHloEmitterFail(
        emitter, noMemory ? XlaImportResultUnsupported : XlaImportResultInvalid,
        place, noMemory ? "out of memory" : "computations call themselves");
  return true;
}
