//===- write_body.c - Instructions and computations of HLO text -----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/place.h"
#include "xlac/formats/hlo/write_internal.h"

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void xlaHloWriteRefuse(XlaHloWriter *writer, MlirOperation op,
                       const char *format, ...) {
  char message[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  if (!writer->failed)
    (void)xlaOpUnsupported(op, NULL, "%s", message);
  writer->failed = true;
}

void xlaHloNoMemory(XlaHloWriter *writer, MlirOperation op) {
  if (!writer->failed)
    (void)xlaOpNoMemory(op);
  writer->failed = true;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static intptr_t newName(XlaHloWriter *writer, MlirOperation at,
                        const char *kind, size_t position) {
  if (writer->nNames + 1 >= writer->capacity) {
    intptr_t capacity = 2 * writer->capacity + 64;
    XlaHloWritten *names =
        realloc(writer->names, (size_t)capacity * sizeof *names);
    if (!names) {
      xlaHloNoMemory(writer, at);
      return 0;
    }
    writer->names = names;
    writer->names[0] = (XlaHloWritten){"nothing", 0};
    writer->capacity = capacity;
  }
  writer->names[++writer->nNames] = (XlaHloWritten){kind, position};
  return writer->nNames;
}

static void printName(XlaHloWriter *writer, XlaIrText *text, intptr_t number) {
  if (writer->names)
    xlaIrTextPrint(text, "%%%s.%lld", writer->names[number].kind,
                   (long long)number);
}

intptr_t xlaHloNumber(XlaHloWriter *writer, MlirOperation at, MlirValue value) {
  intptr_t number = xlaPointerMapGet(&writer->values, value.ptr);
  if (!number)
    xlaHloWriteRefuse(
        writer, at,
        "takes a value from outside of its computation, which HLO's "
        "cannot");
  return number;
}

void xlaHloSetNumber(XlaHloWriter *writer, MlirValue value, intptr_t number) {
  if (!xlaPointerMapSet(&writer->values, value.ptr, number)) {
    MlirOperation owner =
        mlirValueIsAOpResult(value)
            ? mlirOpResultGetOwner(value)
            : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    xlaHloNoMemory(writer, owner);
  }
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static bool printTypes(XlaHloBody *body, XlaIrText *text, MlirOperation at,
                       intptr_t n, const MlirType *types) {
  bool whole = n == 1 ? xlaHloPrintType(text, types[0])
                      : xlaHloPrintTupleType(text, n, types);
  for (intptr_t i = 0; !whole && i < n; ++i) {
    XlaIrText one = {0};
    if (!xlaHloPrintType(&one, types[i]))
      xlaHloWriteRefuse(body->writer, at, "has the type %s, which HLO lacks",
                        XLA_TYPE_TEXT(types[i]));
    free(one.data);
  }
  return whole;
}

MlirType xlaHloOperandType(MlirOperation op, intptr_t index) {
  return mlirValueGetType(mlirOperationGetOperand(op, index));
}

intptr_t xlaHloOperandNumber(XlaHloBody *body, MlirOperation op,
                             intptr_t index) {
  return xlaHloNumber(body->writer, op, mlirOperationGetOperand(op, index));
}

void xlaHloSetResult(XlaHloBody *body, MlirOperation op, intptr_t number) {
  xlaHloSetNumber(body->writer, mlirOperationGetResult(op, 0), number);
}

intptr_t xlaHloBegin(XlaHloBody *body, MlirOperation at, intptr_t n,
                     const MlirType *types, const char *opcode) {
  XlaHloWriter *writer = body->writer;
  intptr_t number = newName(writer, at, opcode, body->text.size);
  xlaIrTextPrint(&body->text, "  ");
  printName(writer, &body->text, number);
  xlaIrTextPrint(&body->text, " = ");
  printTypes(body, &body->text, at, n, types);
  xlaIrTextPrint(&body->text, " %s(", opcode);
  return number;
}

intptr_t xlaHloBeginOp(XlaHloBody *body, MlirOperation at, const char *opcode) {
  intptr_t n = mlirOperationGetNumResults(at);
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  if (!types) {
    xlaHloNoMemory(body->writer, at);
    return 0;
  }
  for (intptr_t i = 0; i < n; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(at, i));
  intptr_t number = xlaHloBegin(body, at, n, types, opcode);
  free(types);
  return number;
}

void xlaHloPrintOperand(XlaHloBody *body, bool isFirst, intptr_t number) {
  if (!isFirst)
    xlaIrTextPrint(&body->text, ", ");
  printName(body->writer, &body->text, number);
}

void xlaHloPrintOperands(XlaHloBody *body, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    xlaHloPrintOperand(
        body, i == 0,
        xlaHloNumber(body->writer, op, mlirOperationGetOperand(op, i)));
  xlaIrTextPrint(&body->text, ")");
}

void xlaHloPrintCallee(XlaHloBody *body, const char *key, intptr_t number) {
  xlaIrTextPrint(&body->text, ", %s=", key);
  printName(body->writer, &body->text, number);
}

static bool addHole(XlaHloHoles *holes, size_t position, XlaLiteral *value) {
  if (holes->n == holes->capacity) {
    intptr_t capacity = 2 * holes->capacity + 8;
    XlaHloHole *items = realloc(holes->items, (size_t)capacity * sizeof *items);
    if (!items)
      return false;
    holes->items = items;
    holes->capacity = capacity;
  }
  holes->items[holes->n++] = (XlaHloHole){position, value};
  return true;
}

void xlaHloHolesDestroy(XlaHloHoles *holes) {
  for (intptr_t i = 0; i < holes->n; ++i)
    xlaLiteralRelease(holes->items[i].value);
  free(holes->items);
  memset(holes, 0, sizeof *holes);
}

void xlaHloLeaveHole(XlaHloBody *body, MlirOperation at, XlaLiteral *value) {
  if (addHole(&body->holes, body->text.size, value))
    return;
  xlaLiteralRelease(value);
  xlaHloNoMemory(body->writer, at);
}

void xlaHloEnd(XlaHloBody *body, MlirOperation at) {
  XlaPlace place = xlaPlaceGet(mlirOperationGetLocation(at));
  // Programs that are parsed from memory are called so.
  bool hasFile =
      place.file.length && place.line > 0 &&
      !mlirStringRefEqual(place.file, mlirStringRefCreateFromCString("-"));
  if (place.name.length || hasFile)
    xlaIrTextPrint(&body->text, ", metadata={");
  if (place.name.length) {
    xlaIrTextPrint(&body->text, "op_name=");
    xlaHloPrintQuoted(&body->text, place.name);
  }
  if (hasFile) {
    xlaIrTextPrint(&body->text, "%ssource_file=", place.name.length ? " " : "");
    xlaHloPrintQuoted(&body->text, place.file);
    xlaIrTextPrint(&body->text, " source_line=%d", place.line);
  }
  xlaIrTextPrint(&body->text, place.name.length || hasFile ? "}\n" : "\n");
  if (body->text.isCut)
    xlaHloNoMemory(body->writer, at);
}

intptr_t xlaHloUnary(XlaHloBody *body, MlirOperation at, MlirType type,
                     const char *opcode, intptr_t operand) {
  intptr_t number = xlaHloBegin(body, at, 1, &type, opcode);
  xlaHloPrintOperand(body, true, operand);
  xlaIrTextPrint(&body->text, ")");
  xlaHloEnd(body, at);
  return number;
}

intptr_t xlaHloTuple(XlaHloBody *body, MlirOperation at, intptr_t n,
                     const intptr_t *numbers, const MlirType *types) {
  if (n == 1)
    return numbers[0];
  intptr_t number = xlaHloBegin(body, at, n, types, "tuple");
  for (intptr_t i = 0; i < n; ++i)
    xlaHloPrintOperand(body, i == 0, numbers[i]);
  xlaIrTextPrint(&body->text, ")");
  xlaHloEnd(body, at);
  return number;
}

intptr_t xlaHloElement(XlaHloBody *body, MlirOperation at, intptr_t number,
                       intptr_t index, MlirType type) {
  intptr_t element = xlaHloBegin(body, at, 1, &type, "get-tuple-element");
  xlaHloPrintOperand(body, true, number);
  xlaIrTextPrint(&body->text, "), index=%lld", (long long)index);
  xlaHloEnd(body, at);
  return element;
}

void xlaHloSetResults(XlaHloBody *body, MlirOperation op, intptr_t number) {
  intptr_t n = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    xlaHloSetNumber(
        body->writer, result,
        n == 1 ? number
               : xlaHloElement(body, op, number, i, mlirValueGetType(result)));
  }
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

intptr_t xlaHloParameter(XlaHloBody *body, MlirOperation at, intptr_t n,
                         const MlirType *types) {
  intptr_t number = xlaHloBegin(body, at, n, types, "parameter");
  XlaIrText *list = &body->parameters;
  xlaIrTextPrint(&body->text, "%lld)", (long long)body->nParameters);
  xlaIrTextPrint(list, "%sparameter.%lld: ", body->nParameters ? ", " : "",
                 (long long)number);
  printTypes(body, list, at, n, types);
  xlaHloEnd(body, at);
  ++body->nParameters;
  return number;
}

static void append(XlaIrText *to, const XlaIrText *from, size_t begin,
                   size_t end) {
  if (from->data && begin < end)
    xlaIrTextAppend(mlirStringRefCreate(from->data + begin, end - begin), to);
  to->isCut |= from->isCut;
}

/// Appends the instructions, with the root's marked, and their holes.
static void appendText(XlaHloBody *body, MlirOperation at, size_t split) {
  static const char mark[] = "ROOT ";
  XlaHloWriter *writer = body->writer;
  XlaIrText *done = &writer->done;
  size_t begin = done->size;
  append(done, &body->text, 0, split);
  xlaIrTextPrint(done, mark);
  append(done, &body->text, split, body->text.size);
  for (intptr_t i = 0; i < body->holes.n; ++i) {
    XlaHloHole *hole = &body->holes.items[i];
    size_t position =
        begin + hole->position + (hole->position > split ? strlen(mark) : 0);
    if (addHole(&writer->holes, position, hole->value))
      hole->value = NULL;
    else
      xlaHloNoMemory(writer, at);
  }
}

intptr_t xlaHloFinish(XlaHloBody *body, MlirOperation at, const char *keyword,
                      const char *name, intptr_t root, intptr_t n,
                      const MlirType *types) {
  XlaHloWriter *writer = body->writer;
  XlaIrText *done = &writer->done;
  intptr_t number = newName(writer, at, name, 0);
  size_t split = writer->names ? writer->names[root].position + 2 : 0;
  xlaIrTextPrint(done, "%s", keyword);
  printName(writer, done, number);
  xlaIrTextPrint(done, " (");
  append(done, &body->parameters, 0, body->parameters.size);
  xlaIrTextPrint(done, ") -> ");
  printTypes(body, done, at, n, types);
  xlaIrTextPrint(done, " {\n");
  if (!writer->failed)
    appendText(body, at, split);
  xlaIrTextPrint(done, "}\n\n");
  if (done->isCut)
    xlaHloNoMemory(writer, at);
  free(body->text.data);
  free(body->parameters.data);
  xlaHloHolesDestroy(&body->holes);
  return number;
}
