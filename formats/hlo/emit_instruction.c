//===- emit_instruction.c - Values of instructions ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/emit.h"
#include "xlac/passes/arrays.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static bool fail(XlaHloOp *op, XlaImportResult result, const char *format,
                 va_list arguments) {
  XlaHloEmitter *emitter = op->scope->emitter;
  char text[512], message[768];
  vsnprintf(text, sizeof text, format, arguments);
  snprintf(message, sizeof message, "'%s' %.*s %s",
           xlaHloOpcodeName(op->in->opcode),
           (int)(op->in->name.length < 100 ? op->in->name.length : 100),
           op->in->name.data, text);
  return xlaHloEmitterFail(emitter, result, xlaHloLocation(emitter, op->in),
                           message);
}

bool xlaHloOpInvalid(XlaHloOp *op, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fail(op, XlaImportResultInvalid, format, arguments);
  va_end(arguments);
  return false;
}

bool xlaHloOpRefuse(XlaHloOp *op, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fail(op, XlaImportResultUnsupported, format, arguments);
  va_end(arguments);
  return false;
}

bool xlaHloOpNoMemory(XlaHloOp *op) {
  return xlaHloOpRefuse(op, "ran out of memory");
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

const XlaHloInstruction *xlaHloOperand(const XlaHloOp *op, uint32_t i) {
  return &op->scope->computation->instructions[op->in->operands[i]];
}

const MlirValue *xlaHloOperandLeaves(const XlaHloOp *op, uint32_t i) {
  return op->scope->values + op->scope->firsts[op->in->operands[i]];
}

bool xlaHloPut(XlaHloOp *op, intptr_t n, const MlirValue *values) {
  XlaHloScope *scope = op->scope;
  if (!xlaHloReserve((void **)&scope->values, &scope->capacity,
                     scope->n + (size_t)n, sizeof *values))
    return xlaHloOpNoMemory(op);
  for (intptr_t i = 0; i < n; ++i)
    scope->values[scope->n++] = values[i];
  return true;
}

bool xlaHloPutAgain(XlaHloOp *op, uint32_t operand, size_t first, intptr_t n) {
  XlaHloScope *scope = op->scope;
  if (!xlaHloReserve((void **)&scope->values, &scope->capacity,
                     scope->n + (size_t)n, sizeof *scope->values))
    return xlaHloOpNoMemory(op);
  return xlaHloPut(op, n, xlaHloOperandLeaves(op, operand) + first);
}

bool xlaHloPutResults(XlaHloOp *op, MlirOperation made) {
  if (mlirOperationIsNull(made))
    return op->scope->emitter->result == XlaImportResultOk &&
           xlaHloOpNoMemory(op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(made); ++i) {
    MlirValue value = mlirOperationGetResult(made, i);
    if (!xlaHloPut(op, 1, &value))
      return false;
  }
  return true;
}

/// Sets op->types to what the operation gives.
static bool infer(XlaHloOp *op, XlaOpKind kind, intptr_t nOperands,
                  const MlirValue *operands, const XlaHloAttrs *attrs,
                  intptr_t nRegions, const MlirRegion *regions) {
  MlirContext context = op->ir.context;
  MlirType *types = malloc(((size_t)nOperands + 1) * sizeof *types);
  if (!types)
    return xlaHloOpNoMemory(op);
  for (intptr_t i = 0; i < nOperands; ++i)
    types[i] = mlirValueGetType(operands[i]);
  XlaOpView view = {.kind = kind,
                    .context = context,
                    .location = op->ir.location,
                    .nOperands = nOperands,
                    .operands = types,
                    .attributes =
                        xlaIrDictionaryAttr(context, attrs ? attrs->n : 0,
                                            attrs ? attrs->items : NULL),
                    .nRegions = nRegions,
                    .regions = regions};
  bool inferred = mlirLogicalResultIsSuccess(xlaOpInfer(&view));
  free(types);
  if (!inferred) {
    free(view.results);
    op->scope->emitter->result = XlaImportResultInvalid; // it has said why
    return false;
  }
  free(op->types);
  op->types = view.results;
  op->nResults = view.nResults;
  return true;
}

/// Operations that devices do together, or may, which passes/partition knows as
/// StableHLO's.
static bool isOfDevices(XlaOpKind kind) {
  return kind == XlaOpKindWhile || kind == XlaOpKindIf ||
         kind == XlaOpKindCase ||
         xlaOpGetInfo(kind)->family == XlaFamilyCollective;
}

MlirOperation xlaHloCreate(XlaHloOp *op, XlaOpKind kind, intptr_t nOperands,
                           const MlirValue *operands, const XlaHloAttrs *attrs,
                           intptr_t nRegions, MlirRegion *regions) {
  if (!op->shape &&
      !infer(op, kind, nOperands, operands, attrs, nRegions, regions)) {
    for (intptr_t i = 0; i < nRegions; ++i)
      mlirRegionDestroy(regions[i]);
    return (MlirOperation){NULL};
  }
  char name[128];
  snprintf(name, sizeof name, "%s.%s",
           op->scope->emitter->hasParts && isOfDevices(kind) ? "stablehlo"
                                                             : "xla",
           xlaOpGetInfo(kind)->name);
  return xlaIrCreate(&op->ir, name, nOperands, operands, op->nResults,
                     op->types, attrs ? attrs->n : 0,
                     attrs ? attrs->items : NULL, nRegions, regions);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

typedef struct Row {
  int nOperands;
  bool (*emit)(XlaHloOp *op);
  XlaOpKind kind;
} Row;

static const Row rows[XlaHloOpcodeCount] = {
#define XLA_HLO_OP(name, Enum, operands, Emit, Kind, dimensions)               \
  {operands, xlaHloEmit##Emit, XlaOpKind##Kind},
#include "xlac/formats/hlo/opcodes.def"
};

XlaOpKind xlaHloOpcodeKind(XlaHloOpcode opcode) { return rows[opcode].kind; }

/// The contexts of transfers are values of their own, which only the end of the
/// transfer takes.
static bool checkContexts(XlaHloOp *op) {
  bool ends = op->in->opcode == XlaHloOpcodeSendDone ||
              op->in->opcode == XlaHloOpcodeRecvDone;
  for (uint32_t i = 0; i < op->in->nOperands; ++i) {
    XlaHloOpcode opcode = xlaHloOperand(op, i)->opcode;
    bool isContext = opcode == XlaHloOpcodeSend || opcode == XlaHloOpcodeRecv;
    if (isContext != ends)
      return isContext
                 ? xlaHloOpRefuse(op, "is not supported yet: it takes the "
                                      "context of a transfer")
                 : xlaHloOpInvalid(op, "must take the context of a transfer");
  }
  return true;
}

/// Room for the leaves of operands and the types of results, one after another.
static bool gather(XlaHloOp *op) {
  uint64_t n = 0;
  // The many elements of a tuple are taken one by one, where they are.
  uint32_t nOperands =
      op->in->opcode == XlaHloOpcodeGetTupleElement ? 0 : op->in->nOperands;
  for (uint32_t i = 0; i < nOperands; ++i)
    n += xlaHloOperand(op, i)->shape->nLeaves;
  op->operands = n < INT32_MAX ? malloc((n + 1) * sizeof *op->operands) : NULL;
  uint32_t nResults = op->shape ? op->shape->nLeaves : 0;
  op->types = malloc(((size_t)nResults + 1) * sizeof *op->types);
  if (!op->operands || !op->types)
    return xlaHloOpNoMemory(op);
  for (uint32_t i = 0; i < nOperands; ++i) {
    const MlirValue *leaves = xlaHloOperandLeaves(op, i);
    for (uint32_t k = 0; k < xlaHloOperand(op, i)->shape->nLeaves; ++k)
      op->operands[op->nOperands++] = leaves[k];
  }
  if (op->shape)
    xlaHloLeafTypes(op->ir.context, op->shape, op->types, &op->nResults);
  return true;
}

//===----------------------------------------------------------------------===//
// Operations beside others
//===----------------------------------------------------------------------===//

/// Which element of a start's tuple is what the operation gives; -1: the whole.
static int resultElement(XlaHloOpcode opcode) {
  return opcode == XlaHloOpcodeAllReduce ? -1
         : opcode == XlaHloOpcodeCopy    ? 0
                                         : 1;
}

/// The shape of what the operation gives, of that of its start.
static bool findResult(XlaHloOp *op, const XlaHloShape *start,
                       const XlaHloShape **result) {
  int element = resultElement(op->in->opcode);
  *result = start;
  if (element < 0)
    return true;
  if (start->kind != XlaHloShapeKindTuple || start->nElements < 2)
    return xlaHloOpInvalid(op, "must start with a tuple of operands and "
                               "results");
  *result = start->elements[element];
  return true;
}

/// What element `i` of the start's tuple is, beside the result: an operand, or
/// a number that nobody reads.
static bool putBeside(XlaHloOp *op, const XlaHloShape *part, uint32_t i,
                      intptr_t *operand) {
  if (i < 2 && *operand + part->nLeaves <= op->nOperands) {
    *operand += part->nLeaves;
    return xlaHloPut(op, part->nLeaves,
                     op->operands + *operand - part->nLeaves);
  }
  if (part->kind != XlaHloShapeKindArray || part->rank)
    return xlaHloOpRefuse(op, "is not supported yet: its start gives more "
                              "than operands, results and numbers");
  MlirValue zero = xlaArrayNumber(&op->ir, part->elementType, 0);
  return xlaHloPut(op, 1, &zero);
}

/// Puts what the start gives around the results, which stand at `first`.
static bool putStart(XlaHloOp *op, const XlaHloShape *start, size_t first) {
  int element = resultElement(op->in->opcode);
  if (element < 0)
    return true;
  XlaHloScope *scope = op->scope;
  size_t n = scope->n - first;
  MlirValue *results = malloc((n + 1) * sizeof *results);
  if (!results)
    return xlaHloOpNoMemory(op);
  memcpy(results, scope->values + first, n * sizeof *results);
  scope->n = first;
  bool put = true;
  intptr_t operand = 0;
  for (uint32_t i = 0; put && i < start->nElements; ++i)
    put = i == (uint32_t)element
              ? xlaHloPut(op, (intptr_t)n, results)
              : putBeside(op, start->elements[i], i, &operand);
  free(results);
  return put;
}

/// The results that the start has put.
static bool putDone(XlaHloOp *op) {
  if (op->in->nOperands != 1 ||
      xlaHloOperand(op, 0)->opcode != op->in->opcode ||
      xlaHloOperand(op, 0)->async == XlaHloAsyncNo ||
      xlaHloOperand(op, 0)->async == XlaHloAsyncDone)
    return xlaHloOpInvalid(op, "must take what has been started");
  const XlaHloShape *start = xlaHloOperand(op, 0)->shape, *result = start;
  size_t before = 0;
  if (op->in->async == XlaHloAsyncDone) {
    if (!findResult(op, start, &result))
      return false;
    int element = resultElement(op->in->opcode);
    before = element > 0 ? start->firsts[element] : 0;
  }
  if (result->nLeaves != op->in->shape->nLeaves)
    return xlaHloOpInvalid(op, "has another shape than its start");
  return xlaHloPutAgain(op, 0, before, result->nLeaves);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static bool checkOperandCount(XlaHloOp *op) {
  int wanted = rows[op->in->opcode].nOperands;
  return wanted == XLA_VARIADIC || op->in->nOperands == (uint32_t)wanted ||
         xlaHloOpInvalid(op, "takes %d operands, not %u", wanted,
                         op->in->nOperands);
}

static bool emit(XlaHloOp *op) {
  const XlaHloInstruction *in = op->in;
  const Row *row = &rows[in->opcode];
  size_t first = op->scope->n;
  if (in->async == XlaHloAsyncUpdate || in->async == XlaHloAsyncDone)
    return putDone(op);
  if (!checkOperandCount(op))
    return false;
  if (in->async == XlaHloAsyncStart && !findResult(op, in->shape, &op->shape))
    return false;
  if (!checkContexts(op) || !gather(op) || !row->emit(op))
    return false;
  if (op->scope->n - first != op->shape->nLeaves)
    return xlaHloOpInvalid(op, "gives %zu values, its shape has %u",
                           op->scope->n - first, op->shape->nLeaves);
  return in->async != XlaHloAsyncStart || putStart(op, in->shape, first);
}

bool xlaHloEmitInstruction(XlaHloScope *scope, const XlaHloInstruction *in) {
  XlaHloEmitter *emitter = scope->emitter;
  XlaHloOp op = {.scope = scope,
                 .in = in,
                 .shape = in->shape,
                 .ir = xlaIrAtEnd(emitter->context, xlaHloLocation(emitter, in),
                                  scope->block)};
  size_t first = scope->n;
  bool made = emit(&op);
  free(op.operands);
  free(op.types);
  if (made && scope->n - first != in->shape->nLeaves)
    return xlaHloOpInvalid(&op, "has another shape than its values");
  return made;
}

bool xlaHloCanInfer(XlaHloOpcode opcode) {
  bool (*emit)(XlaHloOp *op) = rows[opcode].emit;
  return emit == xlaHloEmitPlain || emit == xlaHloEmitConvolution ||
         emit == xlaHloEmitDot || emit == xlaHloEmitMap ||
         emit == xlaHloEmitReducePrecision || emit == xlaHloEmitTriangularSolve;
}

bool xlaHloEmitUnstated(XlaHloScope *scope, const XlaHloInstruction *in) {
  XlaHloEmitter *emitter = scope->emitter;
  XlaHloOp op = {.scope = scope,
                 .in = in,
                 .ir = xlaIrAtEnd(emitter->context, xlaHloLocation(emitter, in),
                                  scope->block)};
  bool made = checkOperandCount(&op) && checkContexts(&op) && gather(&op) &&
              rows[in->opcode].emit(&op);
  free(op.operands);
  free(op.types);
  return made;
}
