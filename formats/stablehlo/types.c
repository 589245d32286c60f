//===- types.c - Types of operands and results ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// | kind        | text                                                        |
// |-------------|-------------------------------------------------------------|
// | `function`  | `: (types) -> types`                                        |
// | `same`      | `: type` of all operands and the result, else as function   |
// | `arrow`     | `: type, type -> type`, `.. -> (types)` of several results  |
// | `result`    | `: type` of the result; there are no operands               |
// | `operands`  | `: types` of the operands, if any; there are no results     |
// | `select`    | `: type, type` of the first operand, and of all others and  |
// |             | the result, else as function                                |
// | `complex`   | `: type` of the result, operands have its parts, else as    |
// |             | function                                                    |
// | `tuple`     | `: type` of the result, operands are its elements           |
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/stablehlo/syntax.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

static MlirType operandType(MlirOperation op, intptr_t i) {
  return mlirValueGetType(mlirOperationGetOperand(op, i));
}

static MlirType resultType(MlirOperation op, intptr_t i) {
  return mlirValueGetType(mlirOperationGetResult(op, i));
}

/// Reads `: type`; where it is a function type, all is said and `*done` is set.
static bool parseType(MlirExtAsmParser parser, MlirType *type, bool *done) {
  if (!mlirExtAsmParseToken(parser, ":"))
    return false;
  MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
  if (!mlirExtAsmParseType(parser, type))
    return false;
  *done = mlirTypeIsAFunction(*type);
  return !*done || mlirExtAsmUseFunctionType(parser, place, *type);
}

static void printType(MlirExtAsmPrinter printer, MlirType type) {
  mlirExtAsmPrint(printer, " : ");
  mlirExtAsmPrintType(printer, type);
}

static bool isAlwaysWhole(MlirOperation op) {
  (void)op;
  return true;
}

/// A result that is a function would be read as the types of all.
static bool hasOneResult(MlirOperation op) {
  return mlirOperationGetNumResults(op) == 1 &&
         !mlirTypeIsAFunction(resultType(op, 0));
}

//===----------------------------------------------------------------------===//
// One type, or a function's
//===----------------------------------------------------------------------===//

static bool parseFunction(MlirExtAsmParser parser) {
  return mlirExtAsmParseToken(parser, ":") &&
         mlirExtAsmParseFunctionType(parser);
}

static void printFunction(MlirOperation op, MlirExtAsmPrinter printer) {
  mlirExtAsmPrint(printer, " : ");
  mlirExtAsmPrintFunctionType(printer, op);
}

static bool parseSame(MlirExtAsmParser parser) {
  MlirType type;
  bool done;
  if (!parseType(parser, &type, &done))
    return false;
  if (done)
    return true;
  mlirExtAsmAddResults(parser, 1, &type);
  return mlirExtAsmResolveOperandsAs(parser, type);
}

static void printSame(MlirOperation op, MlirExtAsmPrinter printer) {
  MlirType type = resultType(op, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!mlirTypeEqual(operandType(op, i), type))
      return printFunction(op, printer);
  printType(printer, type);
}

static void printResult(MlirOperation op, MlirExtAsmPrinter printer) {
  printType(printer, resultType(op, 0));
}

static bool parseSelect(MlirExtAsmParser parser) {
  intptr_t n;
  const MlirType *types;
  if (!mlirExtAsmParseToken(parser, ":"))
    return false;
  MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
  if (!mlirExtAsmParseTypes(parser, &n, &types))
    return false;
  if (n == 1 && mlirTypeIsAFunction(types[0]))
    return mlirExtAsmUseFunctionType(parser, place, types[0]);
  if (n != 2)
    return mlirExtAsmFail(parser, place,
                          "expected the types of the condition and of the "
                          "result, or (types) -> type");
  MlirType all[] = {types[0], types[1], types[1]};
  mlirExtAsmAddResults(parser, 1, &all[1]);
  return mlirExtAsmResolveOperands(parser, place, 3, all);
}

static void printSelect(MlirOperation op, MlirExtAsmPrinter printer) {
  MlirType type = resultType(op, 0);
  if (!mlirTypeEqual(operandType(op, 1), type) ||
      !mlirTypeEqual(operandType(op, 2), type))
    return printFunction(op, printer);
  printType(printer, operandType(op, 0));
  mlirExtAsmPrint(printer, ", ");
  mlirExtAsmPrintType(printer, type);
}

/// The type of the parts of complex numbers; null if `type` has none.
static MlirType partsOf(MlirType type) {
  if (!mlirTypeIsATensor(type) ||
      !mlirTypeIsAComplex(mlirShapedTypeGetElementType(type)))
    return (MlirType){NULL};
  MlirType part =
      mlirComplexTypeGetElementType(mlirShapedTypeGetElementType(type));
  if (!mlirTypeIsARankedTensor(type))
    return mlirUnrankedTensorTypeGet(part);
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *sizes = malloc(((size_t)rank + 1) * sizeof *sizes);
  if (!sizes)
    return (MlirType){NULL};
  for (intptr_t i = 0; i < rank; ++i)
    sizes[i] = mlirShapedTypeGetDimSize(type, i);
  MlirType parts = mlirRankedTensorTypeGet(
      rank, sizes, part, mlirRankedTensorTypeGetEncoding(type));
  free(sizes);
  return parts;
}

static bool parseComplex(MlirExtAsmParser parser) {
  MlirType type;
  bool done;
  MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
  if (!parseType(parser, &type, &done))
    return false;
  if (done)
    return true;
  MlirType parts = partsOf(type);
  if (mlirTypeIsNull(parts))
    return mlirExtAsmFail(parser, place,
                          "expected a tensor of complex numbers");
  mlirExtAsmAddResults(parser, 1, &type);
  return mlirExtAsmResolveOperandsAs(parser, parts);
}

static void printComplex(MlirOperation op, MlirExtAsmPrinter printer) {
  MlirType parts = partsOf(resultType(op, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (mlirTypeIsNull(parts) || !mlirTypeEqual(operandType(op, i), parts))
      return printFunction(op, printer);
  printType(printer, resultType(op, 0));
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

static bool parseArrow(MlirExtAsmParser parser) {
  intptr_t n;
  const MlirType *types;
  if (!mlirExtAsmParseToken(parser, ":"))
    return false;
  MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
  if (!mlirExtAsmParseTypes(parser, &n, &types) ||
      !mlirExtAsmResolveOperands(parser, place, n, types) ||
      !mlirExtAsmParseToken(parser, "->"))
    return false;
  bool several = mlirExtAsmParseOptionalToken(parser, "(");
  MlirType one;
  if (!several && !mlirExtAsmParseType(parser, &one))
    return false;
  if (several && (!mlirExtAsmParseTypes(parser, &n, &types) ||
                  !mlirExtAsmParseToken(parser, ")")))
    return false;
  mlirExtAsmAddResults(parser, several ? n : 1, several ? types : &one);
  return true;
}

static void printTypes(MlirOperation op, MlirExtAsmPrinter printer) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    mlirExtAsmPrint(printer, i ? ", " : " : ");
    mlirExtAsmPrintType(printer, operandType(op, i));
  }
}

static void printArrow(MlirOperation op, MlirExtAsmPrinter printer) {
  intptr_t n = mlirOperationGetNumResults(op);
  printTypes(op, printer);
  mlirExtAsmPrint(printer, n == 1 ? " -> " : " -> (");
  for (intptr_t i = 0; i < n; ++i) {
    mlirExtAsmPrint(printer, i ? ", " : "");
    mlirExtAsmPrintType(printer, resultType(op, i));
  }
  mlirExtAsmPrint(printer, n == 1 ? "" : ")");
}

static bool hasNoFunctions(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (mlirTypeIsAFunction(resultType(op, i)))
      return false;
  return true;
}

static bool parseOperandTypes(MlirExtAsmParser parser) {
  MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
  intptr_t n = 0;
  const MlirType *types = NULL;
  if (mlirExtAsmGetNumOperands(parser) &&
      (!mlirExtAsmParseToken(parser, ":") ||
       !mlirExtAsmParseTypes(parser, &n, &types)))
    return false;
  return mlirExtAsmResolveOperands(parser, place, n, types);
}

static bool parseTuple(MlirExtAsmParser parser) {
  MlirType type;
  if (!mlirExtAsmParseToken(parser, ":"))
    return false;
  MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
  if (!mlirExtAsmParseType(parser, &type))
    return false;
  if (!mlirTypeIsATuple(type))
    return mlirExtAsmFail(parser, place, "expected a tuple's type");
  intptr_t n = mlirTupleTypeGetNumTypes(type);
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  if (!types)
    return mlirExtAsmFail(parser, place, "out of memory");
  for (intptr_t i = 0; i < n; ++i)
    types[i] = mlirTupleTypeGetType(type, i);
  mlirExtAsmAddResults(parser, 1, &type);
  bool fits = mlirExtAsmResolveOperands(parser, place, n, types);
  free(types);
  return fits;
}

static bool isTuple(MlirOperation op) {
  MlirType type = resultType(op, 0);
  intptr_t n = mlirOperationGetNumOperands(op);
  if (!mlirTypeIsATuple(type) || mlirTupleTypeGetNumTypes(type) != n)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    if (!mlirTypeEqual(mlirTupleTypeGetType(type, i), operandType(op, i)))
      return false;
  return true;
}

static const XlaFormatTypes kinds[] = {
    {"function", parseFunction, isAlwaysWhole, printFunction},
    {"same", parseSame, hasOneResult, printSame},
    {"arrow", parseArrow, hasNoFunctions, printArrow},
    {"result", parseSame, hasOneResult, printResult},
    {"operands", parseOperandTypes, isAlwaysWhole, printTypes},
    {"select", parseSelect, hasOneResult, printSelect},
    {"complex", parseComplex, hasOneResult, printComplex},
    {"tuple", parseTuple, isTuple, printResult},
};

const XlaFormatTypes *xlaFormatFindTypes(const char *kind) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (!strcmp(kinds[i].kind, kind))
      return &kinds[i];
  return NULL;
}
