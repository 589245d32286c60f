//===- emit_body.c - Computations in each other's place -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/emit.h"

#include <stdlib.h>
#include <string.h>

/// Computations in the place of their callers are nested no deeper; below, they
/// are functions.
enum { maxDepth = 60 };

static const XlaHloShape *parameterShape(const XlaHloComputation *computation,
                                         uint32_t i) {
  return computation->instructions[computation->parameters[i]].shape;
}

static const XlaHloShape *rootShape(const XlaHloComputation *computation) {
  return computation->instructions[computation->root].shape;
}

void xlaHloScopeFree(XlaHloScope *scope) {
  free(scope->parameterFirsts);
  free(scope->firsts);
  free(scope->values);
}

bool xlaHloEmitBody(XlaHloScope *scope, const MlirValue **root) {
  const XlaHloComputation *computation = scope->computation;
  scope->firsts = malloc((computation->n + 1) * sizeof *scope->firsts);
  scope->parameterFirsts = malloc(((size_t)computation->nParameters + 1) *
                                  sizeof *scope->parameterFirsts);
  if (!scope->firsts || !scope->parameterFirsts ||
      !xlaHloReserve((void **)&scope->values, &scope->capacity, 1,
                     sizeof *scope->values))
    return xlaHloEmitterFail(scope->emitter, XlaImportResultUnsupported,
                             mlirLocationUnknownGet(scope->emitter->context),
                             "out of memory");
  uint32_t leaves = 0;
  for (uint32_t i = 0; i < computation->nParameters; ++i) {
    scope->parameterFirsts[i] = leaves;
    leaves += parameterShape(computation, i)->nLeaves;
  }
  for (size_t i = 0; i < computation->n; ++i) {
    scope->firsts[i] = scope->n;
    if (!xlaHloEmitInstruction(scope, &computation->instructions[i]))
      return false;
  }
  *root = scope->values + scope->firsts[computation->root];
  return true;
}

bool xlaHloComputationOf(XlaHloOp *op, XlaHloAttrName name, uint32_t *number) {
  const XlaHloAttr *attr = xlaHloFindAttr(op->in, name);
  if (!attr || attr->n != 1)
    return xlaHloOpInvalid(op, "must name one computation as %s",
                           xlaHloAttrInfos[name].name);
  *number = (uint32_t)attr->values[0];
  return true;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

MlirOperation xlaHloCallFunction(XlaHloOp *op, XlaIr *ir, uint32_t computation,
                                 intptr_t n, const MlirValue *arguments) {
  const XlaHloShape *root =
      rootShape(&op->scope->emitter->program->computations[computation]);
  intptr_t nResults = 0;
  MlirType *types = malloc(((size_t)root->nLeaves + 1) * sizeof *types);
  if (types)
    xlaHloLeafTypes(ir->context, root, types, &nResults);
  XlaIrAttr callee = {"callee",
                      xlaHloFunction(op->scope->emitter, computation)};
  MlirOperation call = xlaIrCreate(ir, "func.call", n, arguments, nResults,
                                   types, 1, &callee, 0, NULL);
  free(types);
  return call;
}

static bool checkArguments(XlaHloOp *op, const XlaHloComputation *callee,
                           intptr_t n) {
  uint64_t wanted = 0;
  for (uint32_t i = 0; i < callee->nParameters; ++i)
    wanted += parameterShape(callee, i)->nLeaves;
  return (uint64_t)n == wanted ||
         xlaHloOpInvalid(op, "gives %lld values to %.*s, which takes %llu",
                         (long long)n, (int)callee->name.length,
                         callee->name.data, (unsigned long long)wanted);
}

static bool copyResults(XlaHloOp *op, const MlirValue *values, intptr_t n,
                        MlirValue **results) {
  *results = malloc(((size_t)n + 1) * sizeof **results);
  if (!*results)
    return xlaHloOpNoMemory(op);
  if (n)
    memcpy(*results, values, (size_t)n * sizeof **results);
  return true;
}

bool xlaHloInline(XlaHloOp *op, XlaIr *ir, uint32_t computation, intptr_t n,
                  const MlirValue *arguments, MlirValue **results,
                  intptr_t *nResults) {
  XlaHloEmitter *emitter = op->scope->emitter;
  const XlaHloComputation *callee =
      &emitter->program->computations[computation];
  const XlaHloUse *use = &emitter->uses[computation];
  *results = NULL;
  *nResults = rootShape(callee)->nLeaves;
  if (!checkArguments(op, callee, n))
    return false;
  if (emitter->isInferring || (use->nCallers > 1 && !use->isSmall) ||
      op->scope->depth >= maxDepth) {
    MlirOperation call = xlaHloCallFunction(op, ir, computation, n, arguments);
    *results = malloc(((size_t)*nResults + 1) * sizeof **results);
    if (!*results)
      return xlaHloOpNoMemory(op);
    for (intptr_t i = 0; i < *nResults; ++i)
      (*results)[i] = mlirOperationGetResult(call, i);
    return true;
  }
  XlaHloScope scope = {.emitter = emitter,
                       .computation = callee,
                       .block = ir->block,
                       .depth = op->scope->depth + 1,
                       .arguments = arguments};
  const MlirValue *root;
  bool made = xlaHloEmitBody(&scope, &root) &&
              copyResults(op, root, *nResults, results);
  xlaHloScopeFree(&scope);
  return made;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Arguments of `block` for the parameters of `callee`; the caller frees them.
static MlirValue *addArguments(XlaHloOp *op, const XlaHloComputation *callee,
                               MlirBlock block, intptr_t *n) {
  uint64_t most = 0;
  for (uint32_t i = 0; i < callee->nParameters; ++i)
    most += parameterShape(callee, i)->nLeaves;
  MlirType *types = malloc((most + 1) * sizeof *types);
  MlirValue *arguments = malloc((most + 1) * sizeof *arguments);
  *n = 0;
  for (uint32_t i = 0; types && i < callee->nParameters; ++i)
    xlaHloLeafTypes(op->ir.context, parameterShape(callee, i), types, n);
  for (intptr_t i = 0; arguments && i < *n; ++i)
    arguments[i] = mlirBlockAddArgument(block, types[i], op->ir.location);
  bool made = types && arguments;
  free(types);
  if (!made) {
    free(arguments);
    arguments = NULL;
  }
  return arguments;
}

bool xlaHloRegion(XlaHloOp *op, uint32_t computation, intptr_t n,
                  const MlirValue *arguments, MlirRegion *region) {
  const XlaHloComputation *callee =
      &op->scope->emitter->program->computations[computation];
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  MlirValue *own = NULL, *results = NULL;
  intptr_t nResults;
  *region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(*region, block);
  XlaIr ir = xlaIrIn(op->ir, block);
  bool made = true;
  if (!arguments) {
    arguments = own = addArguments(op, callee, block, &n);
    made = own || xlaHloOpNoMemory(op);
  }
  made = made &&
         xlaHloInline(op, &ir, computation, n, arguments, &results, &nResults);
  if (made)
    xlaIrCreate(&ir, "xla.return", nResults, results, 0, NULL, 0, NULL, 0,
                NULL);
  else
    mlirRegionDestroy(*region);
  free(own);
  free(results);
  return made;
}
