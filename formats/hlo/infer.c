//===- infer.c - Shapes that HLO text leaves out --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `r = add(x, y)` says no shape. Before modules are made, each such instruction
// gets the one that its operation gives: of tuples and calls by what they are
// made of, of others by making the operation once in a block of its own, whose
// arguments stand for the other values of the computation.
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/emit.h"
#include "xlac/passes/arrays.h"

#include <stdlib.h>

typedef struct Inference {
  XlaHloModule *module;
  XlaHloComputation *computation;
  XlaHloScope scope; ///< of the emitter of the program
  uint32_t *nLeft;   ///< arrays and tuples that results may still have
} Inference;

enum { mostParts = 1 << 20 }; ///< of results, which text that is short may have

static bool noMemory(Inference *inference) {
  return xlaHloEmitterFail(
      inference->scope.emitter, XlaImportResultUnsupported,
      mlirLocationUnknownGet(inference->scope.emitter->context),
      "out of memory");
}

static bool fail(Inference *inference, const XlaHloInstruction *in,
                 const char *message) {
  XlaHloOp op = {.scope = &inference->scope, .in = in};
  return xlaHloOpInvalid(&op, "%s", message);
}

static XlaHloShape *newShape(Inference *inference) {
  return xlaHloArenaTake(&inference->module->arena, 1, sizeof(XlaHloShape));
}

//===----------------------------------------------------------------------===//
// Tuples, calls and tokens
//===----------------------------------------------------------------------===//

static const XlaHloShape *operandShape(const Inference *inference,
                                       const XlaHloInstruction *in,
                                       uint32_t i) {
  return i < in->nOperands
             ? inference->computation->instructions[in->operands[i]].shape
             : NULL;
}

static bool setTuple(Inference *inference, XlaHloInstruction *in, size_t n,
                     const XlaHloShape *const *elements) {
  XlaHloShape *shape = newShape(inference);
  if (!shape)
    return noMemory(inference);
  const char *wrong =
      xlaHloShapeSetTuple(&inference->module->arena, shape, n, elements);
  in->shape = shape;
  return !wrong || fail(inference, in, wrong);
}

static bool tupleOfOperands(Inference *inference, XlaHloInstruction *in) {
  const XlaHloShape **elements =
      malloc(((size_t)in->nOperands + 1) * sizeof *elements);
  if (!elements)
    return noMemory(inference);
  for (uint32_t i = 0; i < in->nOperands; ++i)
    elements[i] = operandShape(inference, in, i);
  bool set = setTuple(inference, in, in->nOperands, elements);
  free(elements);
  return set;
}

static bool elementOfTuple(Inference *inference, XlaHloInstruction *in) {
  const XlaHloShape *tuple = operandShape(inference, in, 0);
  const XlaHloAttr *index = xlaHloFindAttr(in, XlaHloAttrIndex);
  if (!tuple || !index || tuple->kind != XlaHloShapeKindTuple ||
      index->values[0] < 0 || index->values[0] >= tuple->nElements)
    return fail(inference, in, "has no element of that index");
  in->shape = tuple->elements[index->values[0]];
  return true;
}

static bool token(Inference *inference, XlaHloInstruction *in) {
  XlaHloShape *shape = newShape(inference);
  if (!shape)
    return noMemory(inference);
  shape->kind = XlaHloShapeKindToken;
  shape->nLeaves = 1;
  in->shape = shape;
  return true;
}

static bool asOperand(Inference *inference, XlaHloInstruction *in) {
  in->shape = operandShape(inference, in, 0);
  return in->shape || fail(inference, in, "has no operand");
}

static bool asOperands(Inference *inference, XlaHloInstruction *in) {
  return in->nOperands == 1 ? asOperand(inference, in)
                            : tupleOfOperands(inference, in);
}

/// What the first computation that the instruction names gives.
static bool asComputation(Inference *inference, XlaHloInstruction *in) {
  static const XlaHloAttrName names[] = {XlaHloAttrToApply, XlaHloAttrCalls,
                                         XlaHloAttrBranchComputations,
                                         XlaHloAttrTrueComputation};
  for (int i = 0; i < 4; ++i) {
    const XlaHloAttr *attr = xlaHloFindAttr(in, names[i]);
    if (!attr || !attr->n)
      continue;
    const XlaHloComputation *callee =
        &inference->module->computations[attr->values[0]];
    in->shape = callee->instructions[callee->root].shape;
    return true;
  }
  return fail(inference, in, "names no computation");
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static bool mustBeStated(Inference *inference, XlaHloInstruction *in) {
  return fail(inference, in,
              "must have its result's type before its opcode, as 'f32[2,3]'");
}

static bool setLeaf(Inference *inference, XlaHloInstruction *in, MlirType type,
                    XlaHloShape *shape) {
  XlaShape array;
  const char *reason = NULL;
  if (!xlaShapeFromMlirBounded(type, &array, &reason))
    return mustBeStated(inference, in);
  reason =
      xlaHloShapeSetArray(&inference->module->arena, shape, array.elementType,
                          array.rank, array.dims, array.dynamic);
  return !reason || fail(inference, in, reason);
}

/// One array, or a tuple of several.
static bool setValues(Inference *inference, XlaHloInstruction *in,
                      const MlirValue *values, size_t n) {
  XlaHloShape *leaves =
      xlaHloArenaTake(&inference->module->arena, n + 1, sizeof(XlaHloShape));
  const XlaHloShape **elements =
      xlaHloArenaTake(&inference->module->arena, n + 1, sizeof *elements);
  if (!leaves || !elements)
    return noMemory(inference);
  for (size_t i = 0; i < n; ++i) {
    if (!setLeaf(inference, in, mlirValueGetType(values[i]), &leaves[i]))
      return false;
    elements[i] = &leaves[i];
  }
  if (n != 1)
    return setTuple(inference, in, n, elements);
  in->shape = leaves;
  return true;
}

static bool byOperation(Inference *inference, XlaHloInstruction *in) {
  XlaHloScope *scope = &inference->scope;
  size_t first = scope->n;
  if (in->async != XlaHloAsyncNo || !xlaHloCanInfer(in->opcode))
    return mustBeStated(inference, in);
  return xlaHloEmitUnstated(scope, in) &&
         setValues(inference, in, scope->values + first, scope->n - first);
}

static bool inferShape(Inference *inference, XlaHloInstruction *in) {
  static const struct {
    XlaHloOpcode opcode;
    bool (*infer)(Inference *inference, XlaHloInstruction *in);
  } rules[] = {
      {XlaHloOpcodeTuple, tupleOfOperands},
      {XlaHloOpcodeGetTupleElement, elementOfTuple},
      {XlaHloOpcodeAfterAll, token},
      {XlaHloOpcodeOutfeed, token},
      {XlaHloOpcodeCall, asComputation},
      {XlaHloOpcodeConditional, asComputation},
      {XlaHloOpcodeFusion, asComputation},
      {XlaHloOpcodeAddDependency, asOperand},
      {XlaHloOpcodeCollectivePermute, asOperand},
      {XlaHloOpcodeCopy, asOperand},
      {XlaHloOpcodeDomain, asOperand},
      {XlaHloOpcodeOptBarrier, asOperand},
      {XlaHloOpcodeWhile, asOperand},
      {XlaHloOpcodeAllReduce, asOperands},
      // Operands do not say all of these.
      {XlaHloOpcodeBitcastConvert, mustBeStated},
      {XlaHloOpcodeBroadcast, mustBeStated},
      {XlaHloOpcodeConvert, mustBeStated},
      {XlaHloOpcodeInfeed, mustBeStated},
      {XlaHloOpcodeIota, mustBeStated},
      {XlaHloOpcodeReshape, mustBeStated},
      {XlaHloOpcodeRngBitGenerator, mustBeStated},
  };
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
    if (rules[i].opcode == in->opcode && in->async == XlaHloAsyncNo)
      return rules[i].infer(inference, in);
  return byOperation(inference, in);
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

/// Arguments of the block for the leaves of `shape`.
static bool putPlaceholders(Inference *inference, const XlaHloShape *shape) {
  XlaHloScope *scope = &inference->scope;
  MlirContext context = scope->emitter->context;
  MlirType *types = malloc(((size_t)shape->nLeaves + 1) * sizeof *types);
  if (!types ||
      !xlaHloReserve((void **)&scope->values, &scope->capacity,
                     scope->n + shape->nLeaves + 1, sizeof *scope->values)) {
    free(types);
    return noMemory(inference);
  }
  intptr_t n = 0;
  xlaHloLeafTypes(context, shape, types, &n);
  for (intptr_t i = 0; i < n; ++i)
    scope->values[scope->n++] = mlirBlockAddArgument(
        scope->block, types[i], mlirLocationUnknownGet(context));
  free(types);
  return true;
}

/// Counts arrays and tuples, as long as some are left.
static bool spend(const XlaHloShape *shape, uint32_t *nLeft) {
  bool isLeft = *nLeft > 0;
  *nLeft -= isLeft;
  for (uint32_t i = 0; isLeft && i < shape->nElements; ++i)
    isLeft = spend(shape->elements[i], nLeft);
  return isLeft;
}

static bool checkSize(Inference *inference, const XlaHloInstruction *in) {
  XlaHloOp op = {.scope = &inference->scope, .in = in};
  return spend(in->shape, inference->nLeft) ||
         xlaHloOpRefuse(&op,
                        "is too much: results without types have more "
                        "than %d arrays and tuples",
                        mostParts);
}

static bool inferComputation(Inference *inference) {
  XlaHloScope *scope = &inference->scope;
  XlaHloComputation *computation = inference->computation;
  scope->firsts = malloc((computation->n + 1) * sizeof *scope->firsts);
  if (!scope->firsts)
    return noMemory(inference);
  for (size_t i = 0; i < computation->n; ++i) {
    XlaHloInstruction *in = &computation->instructions[i];
    scope->firsts[i] = scope->n;
    if (!in->shape && (!inferShape(inference, in) || !checkSize(inference, in)))
      return false;
    if (scope->n == scope->firsts[i] && !putPlaceholders(inference, in->shape))
      return false;
  }
  return true;
}

static bool isUnstated(const XlaHloComputation *computation) {
  for (size_t i = 0; i < computation->n; ++i)
    if (!computation->instructions[i].shape)
      return true;
  return false;
}

bool xlaHloInferShapes(XlaHloEmitter *emitter, XlaHloModule *module,
                       const uint32_t *order) {
  bool inferred = true;
  uint32_t nLeft = mostParts;
  emitter->isInferring = true;
  for (size_t i = module->n; inferred && i > 0; --i) {
    XlaHloComputation *computation = &module->computations[order[i - 1]];
    if (!isUnstated(computation))
      continue;
    MlirBlock block = mlirBlockCreate(0, NULL, NULL);
    Inference inference = {.module = module,
                           .computation = computation,
                           .nLeft = &nLeft,
                           .scope = {.emitter = emitter,
                                     .computation = computation,
                                     .block = block}};
    inferred = inferComputation(&inference);
    xlaHloScopeFree(&inference.scope);
    mlirBlockDestroy(block);
  }
  emitter->isInferring = false;
  return inferred;
}
