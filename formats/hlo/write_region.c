//===- write_region.c - Regions as computations of HLO --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/write_internal.h"

#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/indexing/captured.h"

#include <stdlib.h>
#include <string.h>

/// What a region is written in: values from outside have numbers of their own
/// there, and their former ones again afterwards.
typedef struct Scope {
  XlaHloWriter *writer;
  MlirOperation op;
  XlaValues captured;
  intptr_t *outer; ///< the numbers outside
  /// Of those that are no constants: types, with room for `nMore` before them.
  intptr_t nPassed;
  MlirValue *passed;
  MlirType *types;
} Scope;

static bool isConstant(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return false;
  XlaOpKind kind = xlaOpGetKind(mlirOpResultGetOwner(value));
  return kind == XlaOpKindConstant || kind == XlaOpKindIota;
}

/// False without memory; to be closed in any case.
static bool openScope(Scope *scope, XlaHloWriter *writer, MlirOperation op,
                      intptr_t nMore) {
  *scope = (Scope){.writer = writer, .op = op};
  bool whole = xlaOpGetCaptured(op, &scope->captured);
  intptr_t n = scope->captured.n;
  scope->outer = calloc((size_t)n + 1, sizeof *scope->outer);
  scope->passed = calloc((size_t)n + 1, sizeof *scope->passed);
  scope->types = calloc((size_t)(n + nMore) + 1, sizeof *scope->types);
  if (!whole || !scope->outer || !scope->passed || !scope->types) {
    xlaHloNoMemory(writer, op);
    scope->captured.n = 0;
    return false;
  }
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue value = scope->captured.values[i];
    scope->outer[i] = xlaPointerMapGet(&writer->values, value.ptr);
    if (isConstant(value))
      continue;
    scope->types[nMore + scope->nPassed] = mlirValueGetType(value);
    scope->passed[scope->nPassed++] = value;
  }
  return true;
}

/// Writes the constants that the region may use.
static void writeConstants(Scope *scope, XlaHloBody *body) {
  for (intptr_t i = 0; i < scope->captured.n; ++i)
    if (isConstant(scope->captured.values[i]))
      xlaHloWriteConstant(body,
                          mlirOpResultGetOwner(scope->captured.values[i]));
}

/// What is outside has its numbers again.
static void leave(Scope *scope) {
  for (intptr_t i = 0; i < scope->captured.n; ++i)
    xlaHloSetNumber(scope->writer, scope->captured.values[i], scope->outer[i]);
}

static void closeScope(Scope *scope) {
  free(scope->captured.values);
  free(scope->outer);
  free(scope->passed);
  free(scope->types);
}

static MlirBlock blockOf(MlirOperation op, intptr_t region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

/// The types that a terminator returns, for `free`; NULL without memory.
static MlirType *typesOf(MlirOperation terminator, intptr_t nMore) {
  intptr_t n = mlirOperationGetNumOperands(terminator);
  MlirType *types = malloc(((size_t)(n + nMore) + 1) * sizeof *types);
  for (intptr_t i = 0; types && i < n; ++i)
    types[i] = mlirValueGetType(mlirOperationGetOperand(terminator, i));
  return types;
}

//===----------------------------------------------------------------------===//
// reduce, sort ..
//===----------------------------------------------------------------------===//

intptr_t xlaHloWriteComputation(XlaHloWriter *writer, MlirOperation op,
                                intptr_t region) {
  Scope scope;
  XlaHloBody body = {.writer = writer};
  MlirBlock block = blockOf(op, region);
  bool isOpen = openScope(&scope, writer, op, 0);
  if (isOpen && scope.nPassed)
    xlaHloWriteRefuse(
        writer, op,
        "takes values from outside, %lld that are no constants, which "
        "computations of HLO cannot",
        (long long)scope.nPassed);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    MlirType type = mlirValueGetType(argument);
    xlaHloSetNumber(writer, argument, xlaHloParameter(&body, op, 1, &type));
  }
  writeConstants(&scope, &body);
  MlirOperation end = xlaHloWriteBlock(&body, block);
  MlirType *types = typesOf(end, 0);
  intptr_t n = mlirOperationGetNumOperands(end);
  if (!types)
    xlaHloNoMemory(writer, op);
  intptr_t root = xlaHloWriteReturn(&body, end);
  intptr_t number =
      xlaHloFinish(&body, op, "", "region", root, types ? n : 0, types);
  free(types);
  leave(&scope);
  closeScope(&scope);
  return number;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Takes the parameter apart: the arguments of `block`, then what is passed.
static void writeState(Scope *scope, XlaHloBody *body, MlirBlock block,
                       intptr_t nArguments) {
  intptr_t n = nArguments + scope->nPassed;
  intptr_t state = xlaHloParameter(body, scope->op, n, scope->types);
  for (intptr_t i = 0; i < n; ++i)
    xlaHloSetNumber(
        scope->writer,
        i < nArguments ? mlirBlockGetArgument(block, i)
                       : scope->passed[i - nArguments],
        n == 1 ? state
               : xlaHloElement(body, scope->op, state, i, scope->types[i]));
  writeConstants(scope, body);
}

/// The tuple of what `terminator` returns, and of what is passed if `passesOn`.
static intptr_t writeNext(Scope *scope, XlaHloBody *body,
                          MlirOperation terminator, bool passesOn,
                          const MlirType *types) {
  intptr_t n = mlirOperationGetNumOperands(terminator);
  intptr_t all = n + (passesOn ? scope->nPassed : 0);
  intptr_t *numbers = malloc(((size_t)all + 1) * sizeof *numbers);
  intptr_t tuple = 0;
  for (intptr_t i = 0; numbers && i < all; ++i)
    numbers[i] = xlaHloNumber(scope->writer, terminator,
                              i < n ? mlirOperationGetOperand(terminator, i)
                                    : scope->passed[i - n]);
  if (numbers)
    tuple = xlaHloTuple(body, terminator, all, numbers, types);
  else
    xlaHloNoMemory(scope->writer, terminator);
  free(numbers);
  return tuple;
}

static intptr_t writeLoopRegion(Scope *scope, intptr_t region,
                                const char *name) {
  MlirOperation op = scope->op;
  XlaHloBody body = {.writer = scope->writer};
  MlirBlock block = blockOf(op, region);
  intptr_t n = mlirOperationGetNumOperands(op);
  writeState(scope, &body, block, n);
  MlirOperation end = xlaHloWriteBlock(&body, block);
  bool isBody = region == 1;
  MlirType pred = mlirOperationGetNumOperands(end)
                      ? mlirValueGetType(mlirOperationGetOperand(end, 0))
                      : (MlirType){NULL};
  intptr_t root = writeNext(scope, &body, end, isBody, scope->types);
  intptr_t number =
      xlaHloFinish(&body, op, "", name, root, isBody ? n + scope->nPassed : 1,
                   isBody ? scope->types : &pred);
  leave(scope);
  return number;
}

/// The operands from `first` on up to `end`, and what is passed, as one value.
static intptr_t writeOperands(Scope *scope, XlaHloBody *body, intptr_t first,
                              intptr_t end) {
  MlirOperation op = scope->op;
  intptr_t n = end - first, all = n + scope->nPassed;
  intptr_t *numbers = malloc(((size_t)all + 1) * sizeof *numbers);
  intptr_t tuple = 0;
  for (intptr_t i = 0; numbers && i < all; ++i)
    numbers[i] = xlaHloNumber(scope->writer, op,
                              i < n ? mlirOperationGetOperand(op, first + i)
                                    : scope->passed[i - n]);
  if (numbers)
    tuple = xlaHloTuple(body, op, all, numbers, scope->types);
  else
    xlaHloNoMemory(scope->writer, op);
  free(numbers);
  return tuple;
}

void xlaHloWriteWhile(XlaHloBody *body, MlirOperation op) {
  XlaHloWriter *writer = body->writer;
  Scope scope;
  intptr_t n = mlirOperationGetNumOperands(op);
  if (openScope(&scope, writer, op, n)) {
    for (intptr_t i = 0; i < n; ++i)
      scope.types[i] = mlirValueGetType(mlirOperationGetOperand(op, i));
    intptr_t all = n + scope.nPassed;
    intptr_t init = writeOperands(&scope, body, 0, n);
    intptr_t condition = writeLoopRegion(&scope, 0, "condition");
    intptr_t step = writeLoopRegion(&scope, 1, "body");
    intptr_t loop = xlaHloBegin(body, op, all, scope.types, "while");
    xlaHloPrintOperand(body, true, init);
    xlaIrTextPrint(&body->text, ")");
    xlaHloPrintCallee(body, "condition", condition);
    xlaHloPrintCallee(body, "body", step);
    xlaHloEnd(body, op);
    for (intptr_t i = 0; i < n; ++i)
      xlaHloSetNumber(
          writer, mlirOperationGetResult(op, i),
          all == 1 ? loop : xlaHloElement(body, op, loop, i, scope.types[i]));
  }
  closeScope(&scope);
}

/// Branches of `conditional` have the arguments of their own operands.
static intptr_t writeBranch(Scope *scope, intptr_t region) {
  MlirOperation op = scope->op;
  XlaHloBody body = {.writer = scope->writer};
  MlirBlock block = blockOf(op, region);
  intptr_t n = mlirBlockGetNumArguments(block);
  for (intptr_t i = 0; i < n; ++i)
    scope->types[i] = mlirValueGetType(mlirBlockGetArgument(block, i));
  writeState(scope, &body, block, n);
  MlirOperation end = xlaHloWriteBlock(&body, block);
  MlirType *results = typesOf(end, 0);
  intptr_t number = 0;
  if (results) {
    intptr_t root = writeNext(scope, &body, end, false, results);
    number = xlaHloFinish(&body, op, "", "branch", root,
                          mlirOperationGetNumOperands(end), results);
  } else {
    xlaHloNoMemory(scope->writer, op);
  }
  free(results);
  leave(scope);
  return number;
}

/// What branch `region` gets.
static intptr_t writeBranchOperand(Scope *scope, XlaHloBody *body,
                                   intptr_t region) {
  intptr_t n = mlirBlockGetNumArguments(blockOf(scope->op, region));
  if (n)
    scope->types[0] =
        mlirValueGetType(mlirOperationGetOperand(scope->op, region + 1));
  return writeOperands(scope, body, region + 1, region + 1 + n);
}

/// With the operands and computations of the branches in `numbers`.
static void writeConditional(XlaHloBody *body, MlirOperation op,
                             const intptr_t *numbers) {
  XlaHloWriter *writer = body->writer;
  XlaShape index = {.rank = 0};
  MlirValue selector = mlirOperationGetOperand(op, 0);
  intptr_t n = mlirOperationGetNumRegions(op);
  xlaShapeFromMlirBounded(mlirValueGetType(selector), &index, NULL);
  intptr_t number = xlaHloBeginOp(body, op, "conditional");
  xlaHloPrintOperand(body, true, xlaHloNumber(writer, op, selector));
  for (intptr_t i = 0; i < n; ++i)
    xlaHloPrintOperand(body, false, numbers[i]);
  xlaIrTextPrint(&body->text, ")");
  if (index.elementType == XlaElementTypePred) {
    xlaHloPrintCallee(body, "true_computation", numbers[n]);
    xlaHloPrintCallee(body, "false_computation", numbers[n + 1]);
  } else {
    xlaIrTextPrint(&body->text, ", branch_computations={");
    for (intptr_t i = 0; i < n; ++i)
      xlaHloPrintOperand(body, i == 0, numbers[n + i]);
    xlaIrTextPrint(&body->text, "}");
  }
  xlaHloEnd(body, op);
  xlaHloSetResults(body, op, number);
}

void xlaHloWriteConditional(XlaHloBody *body, MlirOperation op) {
  XlaHloWriter *writer = body->writer;
  Scope scope;
  intptr_t n = mlirOperationGetNumRegions(op);
  intptr_t *numbers = calloc((size_t)(2 * n) + 1, sizeof *numbers);
  bool hasArguments = xlaOpGetKind(op) == XlaOpKindConditional;
  bool isOpen = openScope(&scope, writer, op, hasArguments);
  if (isOpen && numbers) {
    for (intptr_t i = 0; i < n; ++i) {
      numbers[i] = writeBranchOperand(&scope, body, i);
      numbers[n + i] = writeBranch(&scope, i);
    }
    writeConditional(body, op, numbers);
  } else {
    xlaHloNoMemory(writer, op);
  }
  free(numbers);
  closeScope(&scope);
}
