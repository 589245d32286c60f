//===- program.c - Regions of scalars as instructions --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/scalar/program.h"

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/scalar/op.h"
#include "xlac/dialect/pointer_map.h"

#include <stdlib.h>
#include <string.h>

typedef struct Instruction {
  XlaScalarOp op;
  int nOperands;
  intptr_t operands[3], result; // slots
} Instruction;

struct XlaScalarProgram {
  intptr_t nArguments, nResults, nSlots, slotCapacity;
  intptr_t length, capacity;
  Instruction *instructions;
  XlaScalar *slots; // arguments first
  intptr_t *results;
};

typedef struct Compiler {
  XlaScalarProgram *program;
  XlaEvaluator *evaluator;
  XlaPointerMap slots; // of values, plus 1
} Compiler;

static bool getScalarType(MlirValue value, XlaElementType *type) {
  XlaShape shape;
  if (!xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL) || shape.rank)
    return false;
  *type = shape.elementType;
  return true;
}

/// A new slot for `value`, or -1.
static intptr_t addSlot(Compiler *compiler, MlirValue value) {
  XlaScalarProgram *program = compiler->program;
  if (program->nSlots == program->slotCapacity) {
    intptr_t capacity = program->slotCapacity ? 2 * program->slotCapacity : 16;
    XlaScalar *grown =
        realloc(program->slots, (size_t)capacity * sizeof *grown);
    if (!grown)
      return -1;
    program->slots = grown;
    program->slotCapacity = capacity;
  }
  intptr_t slot = program->nSlots++;
  program->slots[slot] = (XlaScalar){.f = {0, 0}};
  return xlaPointerMapSet(&compiler->slots, value.ptr, slot + 1) ? slot : -1;
}

static intptr_t addLiteral(Compiler *compiler, MlirValue value,
                           const XlaLiteral *literal) {
  if (xlaLiteralGetKind(literal) != XlaLiteralKindArray ||
      xlaLiteralGetShape(literal)->rank)
    return -1;
  intptr_t slot = addSlot(compiler, value);
  if (slot >= 0)
    compiler->program->slots[slot] = xlaLiteralGet(literal, 0);
  return slot;
}

static intptr_t addConstant(Compiler *compiler, MlirOperation op) {
  XlaElementType type;
  if (!getScalarType(mlirOperationGetResult(op, 0), &type))
    return -1;
  XlaLiteral *literal = xlaLiteralFromAttribute(xlaOpGetAttr(op, "value"));
  if (!literal)
    return -1;
  intptr_t slot = addLiteral(compiler, mlirOperationGetResult(op, 0), literal);
  xlaLiteralRelease(literal);
  return slot;
}

/// The slot of a value that is known, or of one from outside; -1 if it is no
/// scalar or has no value yet.
static intptr_t getSlot(Compiler *compiler, MlirValue value) {
  XlaElementType type;
  intptr_t known = xlaPointerMapGet(&compiler->slots, value.ptr);
  if (known)
    return known - 1;
  if (!getScalarType(value, &type))
    return -1;
  const XlaLiteral *outer =
      compiler->evaluator ? xlaEvaluatorGetValue(compiler->evaluator, value)
                          : NULL;
  if (outer)
    return addLiteral(compiler, value, outer);
  if (!mlirValueIsAOpResult(value))
    return -1;
  MlirOperation op = mlirOpResultGetOwner(value);
  return xlaOpGetKind(op) == XlaOpKindConstant ? addConstant(compiler, op) : -1;
}

static bool addInstruction(Compiler *compiler, MlirOperation op,
                           XlaOpKind kind) {
  XlaScalarProgram *program = compiler->program;
  XlaElementType type, result;
  Instruction instruction = {.nOperands = (int)mlirOperationGetNumOperands(op)};
  for (int i = 0; i < instruction.nOperands; ++i) {
    instruction.operands[i] = getSlot(compiler, mlirOperationGetOperand(op, i));
    if (instruction.operands[i] < 0)
      return false;
  }
  if (!getScalarType(mlirOperationGetOperand(op, 0), &type) ||
      !getScalarType(mlirOperationGetResult(op, 0), &result))
    return false;
  instruction.op = xlaScalarOpGet(op, kind, type, result);
  instruction.result = addSlot(compiler, mlirOperationGetResult(op, 0));
  if (instruction.result < 0)
    return false;
  if (program->length == program->capacity) {
    intptr_t capacity = program->capacity ? 2 * program->capacity : 8;
    Instruction *grown =
        realloc(program->instructions, (size_t)capacity * sizeof *grown);
    if (!grown)
      return false;
    program->instructions = grown;
    program->capacity = capacity;
  }
  program->instructions[program->length++] = instruction;
  return true;
}

/// Operations that give a scalar back as it is.
static bool isIdentity(XlaOpKind kind) {
  return kind == XlaOpKindReshape || kind == XlaOpKindTranspose ||
         kind == XlaOpKindBroadcastInDim;
}

static bool addOp(Compiler *compiler, MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  XlaElementType type;
  if (kind == XlaOpKindInvalid)
    return false;
  if (kind == XlaOpKindConstant)
    return addConstant(compiler, op) >= 0;
  if (xlaOpGetInfo(kind)->evaluate == xlaElementwiseEvaluate)
    return addInstruction(compiler, op, kind);
  if (!isIdentity(kind) || !getScalarType(mlirOperationGetResult(op, 0), &type))
    return false;
  intptr_t slot = getSlot(compiler, mlirOperationGetOperand(op, 0));
  return slot >= 0 &&
         xlaPointerMapSet(&compiler->slots, mlirOperationGetResult(op, 0).ptr,
                          slot + 1);
}

static bool compile(Compiler *compiler, MlirRegion region) {
  XlaScalarProgram *program = compiler->program;
  MlirBlock block = mlirRegionGetFirstBlock(region);
  MlirOperation terminator = mlirBlockGetTerminator(block);
  XlaElementType type;
  program->nArguments = mlirBlockGetNumArguments(block);
  for (intptr_t i = 0; i < program->nArguments; ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    if (!getScalarType(argument, &type) || addSlot(compiler, argument) < 0)
      return false;
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op))
    if (!addOp(compiler, op))
      return false;
  program->nResults = mlirOperationGetNumOperands(terminator);
  program->results =
      malloc(((size_t)program->nResults + 1) * sizeof *program->results);
  if (!program->results)
    return false;
  for (intptr_t i = 0; i < program->nResults; ++i) {
    program->results[i] =
        getSlot(compiler, mlirOperationGetOperand(terminator, i));
    if (program->results[i] < 0)
      return false;
  }
  return true;
}

XlaScalarProgram *xlaScalarProgramCreate(MlirRegion region,
                                         XlaEvaluator *evaluator) {
  Compiler compiler = {.program = calloc(1, sizeof *compiler.program),
                       .evaluator = evaluator};
  if (!compiler.program)
    return NULL;
  bool compiled = compile(&compiler, region);
  xlaPointerMapClear(&compiler.slots);
  if (compiled)
    return compiler.program;
  xlaScalarProgramDestroy(compiler.program);
  return NULL;
}

void xlaScalarProgramDestroy(XlaScalarProgram *program) {
  if (!program)
    return;
  free(program->instructions);
  free(program->slots);
  free(program->results);
  free(program);
}

intptr_t xlaScalarProgramGetArgumentCount(const XlaScalarProgram *program) {
  return program->nArguments;
}

intptr_t xlaScalarProgramGetResultCount(const XlaScalarProgram *program) {
  return program->nResults;
}

int64_t xlaScalarProgramGetLength(const XlaScalarProgram *program) {
  return program->length;
}

void xlaScalarProgramRun(XlaScalarProgram *program, const XlaScalar *args,
                         XlaScalar *results) {
  XlaScalar *slots = program->slots;
  memcpy(slots, args, (size_t)program->nArguments * sizeof *slots);
  for (intptr_t i = 0; i < program->length; ++i) {
    const Instruction *instruction = &program->instructions[i];
    XlaScalar x[3];
    for (int k = 0; k < instruction->nOperands; ++k)
      x[k] = slots[instruction->operands[k]];
    slots[instruction->result] = xlaScalarRound(
        instruction->op.result, xlaScalarOpApply(&instruction->op, x));
  }
  for (intptr_t i = 0; i < program->nResults; ++i)
    results[i] = slots[program->results[i]];
}
