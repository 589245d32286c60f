//===- op.c - What is known of every operation ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/op.h"
#include "xlac/dialect/error.h"
#include "xlac/dialect/ir.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const XlaOpInfo *xlaOpGetInfo(XlaOpKind kind) { return &xlaOpInfos[kind]; }

XlaOpKind xlaOpKindFromName(const char *name, size_t length) {
  static const unsigned char lengths[XlaOpKindCount] = {
#define XLA_OP(Enum, name, ...) [XlaOpKind##Enum] = sizeof(name) - 1,
#include "xlac/dialect/ops.def"
  };
  for (XlaOpKind kind = XlaOpKindInvalid + 1; kind < XlaOpKindCount; ++kind)
    if (lengths[kind] == length && !memcmp(xlaOpInfos[kind].name, name, length))
      return kind;
  return XlaOpKindInvalid;
}

bool xlaOpIsAttributeName(MlirStringRef name) {
  for (XlaOpKind kind = XlaOpKindInvalid + 1; kind < XlaOpKindCount; ++kind) {
    const MlirExtOpAttribute *entry = xlaOpInfos[kind].attributes;
    for (; entry && entry->name; ++entry)
      if (mlirStringRefEqual(name, mlirStringRefCreateFromCString(entry->name)))
        return true;
  }
  return false;
}

XlaOpKind xlaOpGetKind(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (name.length < 4 || memcmp(name.data, "xla.", 4))
    return XlaOpKindInvalid;
  return xlaOpKindFromName(name.data + 4, name.length - 4);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static MlirLogicalResult emit(MlirLocation location, XlaOpKind kind,
                              const char *opName, const char *label,
                              const char *format, va_list args) {
  char message[1024], text[1400];
  vsnprintf(message, sizeof message, format, args);
  const char *name = kind ? xlaOpInfos[kind].name : opName;
  snprintf(text, sizeof text, "'%s%s' op %s%s%s%s", kind ? "xla." : "", name,
           message, label ? " [" : "", label ? label : "", label ? "]" : "");
  mlirEmitError(location, text);
  return mlirLogicalResultFailure();
}

MlirLogicalResult xlaViewError(const XlaOpView *view, const char *label,
                               const char *format, ...) {
  va_list args;
  va_start(args, format);
  MlirLogicalResult failure =
      emit(view->location, view->kind, "", label, format, args);
  va_end(args);
  return failure;
}

static MlirLogicalResult emitAt(MlirOperation op, MlirLocation location,
                                const char *label, const char *format,
                                va_list args) {
  char name[128];
  MlirStringRef full = mlirIdentifierStr(mlirOperationGetName(op));
  snprintf(name, sizeof name, "%.*s", (int)full.length, full.data);
  return emit(location, xlaOpGetKind(op), name, label, format, args);
}

MlirLogicalResult xlaOpError(MlirOperation op, const char *label,
                             const char *format, ...) {
  va_list args;
  va_start(args, format);
  MlirLogicalResult failure =
      emitAt(op, mlirOperationGetLocation(op), label, format, args);
  va_end(args);
  return failure;
}

MlirLogicalResult xlaOpUnsupported(MlirOperation op, const char *label,
                                   const char *format, ...) {
  va_list args;
  va_start(args, format);
  MlirLogicalResult failure = emitAt(
      op,
      xlaErrorLocation(mlirOperationGetLocation(op), XLA_STATUS_UNIMPLEMENTED),
      label, format, args);
  va_end(args);
  return failure;
}

MlirLogicalResult xlaOpInvalid(MlirOperation op, const char *label,
                               const char *format, ...) {
  va_list args;
  va_start(args, format);
  MlirLogicalResult failure =
      emitAt(op,
             xlaErrorLocation(mlirOperationGetLocation(op),
                              XLA_STATUS_INVALID_ARGUMENT),
             label, format, args);
  va_end(args);
  return failure;
}

void xlaOpRemarkIgnored(MlirLocation location, MlirStringRef op,
                        MlirStringRef name) {
  char text[400];
  snprintf(text, sizeof text, "'%.*s' op ignores the attribute '%.*s'",
           (int)(op.length < 100 ? op.length : 100), op.data,
           (int)(name.length < 200 ? name.length : 200), name.data);
  mlirExtEmitRemark(location, mlirStringRefCreateFromCString("xla"), text);
}

MlirLogicalResult xlaOpNoMemory(MlirOperation op) {
  char name[128];
  MlirStringRef full = mlirIdentifierStr(mlirOperationGetName(op));
  snprintf(name, sizeof name, "%.*s", (int)full.length, full.data);
  return xlaErrorEmit(mlirOperationGetLocation(op), XLA_STATUS_OUT_OF_MEMORY,
                      "'%s' op ran out of memory", name);
}

const char *xlaTypeText(MlirType type, char chars[160]) {
  XlaIrLine line = {chars, sizeof(XlaText), 0};
  chars[0] = 0;
  mlirTypePrint(type, xlaIrLineAppend, &line);
  return chars;
}

const char *xlaShapeText(const XlaShape *shape, char chars[160]) {
  int length = snprintf(chars, sizeof(XlaText), "tensor<");
  for (int i = 0; i < shape->rank && length < 120; ++i)
    length += snprintf(chars + length, sizeof(XlaText) - (size_t)length,
                       "%lldx", (long long)shape->dims[i]);
  snprintf(chars + length, sizeof(XlaText) - (size_t)length, "%s>",
           xlaElementTypeGetInfo(shape->elementType)->mlirName);
  return chars;
}

const char *xlaListText(const int64_t *values, intptr_t n, char chars[160]) {
  int length = snprintf(chars, sizeof(XlaText), "[");
  for (intptr_t i = 0; i < n && length < 130; ++i)
    length += snprintf(chars + length, sizeof(XlaText) - (size_t)length,
                       "%s%lld", i ? ", " : "", (long long)values[i]);
  snprintf(chars + length, sizeof(XlaText) - (size_t)length, "]");
  return chars;
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

typedef bool (*ReadShape)(MlirType type, XlaShape *shape, const char **reason);

static MlirLogicalResult getShape(const XlaOpView *view, const char *what,
                                  MlirType type, intptr_t index, ReadShape read,
                                  XlaShape *shape) {
  const char *reason;
  if (read(type, shape, &reason))
    return mlirLogicalResultSuccess();
  return xlaViewError(view, NULL, "%s %lld, %s, %s", what, (long long)index,
                      XLA_TYPE_TEXT(type), reason);
}

static MlirLogicalResult getStated(const XlaOpView *view, intptr_t index,
                                   ReadShape read, XlaShape *shape) {
  if (index >= view->nStatedResults)
    return xlaViewError(view, NULL, "needs a stated result type");
  return getShape(view, "result", view->statedResults[index], index, read,
                  shape);
}

MlirLogicalResult xlaViewGetShape(const XlaOpView *view, intptr_t index,
                                  XlaShape *shape) {
  return getShape(view, "operand", view->operands[index], index,
                  xlaShapeFromMlir, shape);
}

MlirLogicalResult xlaViewGetBounded(const XlaOpView *view, intptr_t index,
                                    XlaShape *shape) {
  return getShape(view, "operand", view->operands[index], index,
                  xlaShapeFromMlirBounded, shape);
}

MlirLogicalResult xlaViewGetStatedShape(const XlaOpView *view, intptr_t index,
                                        XlaShape *shape) {
  return getStated(view, index, xlaShapeFromMlir, shape);
}

MlirLogicalResult xlaViewGetStatedBounded(const XlaOpView *view, intptr_t index,
                                          XlaShape *shape) {
  return getStated(view, index, xlaShapeFromMlirBounded, shape);
}

void xlaViewGetDeclared(const XlaOpView *view, intptr_t index,
                        XlaShape *shape) {
  const MlirType *types = view->declared ? view->declared : view->operands;
  xlaShapeFromMlirBounded(types[index], shape, NULL);
}

void xlaViewAppendResult(XlaOpView *view, MlirType type) {
  if (view->nResults == view->resultCapacity) {
    intptr_t capacity = view->resultCapacity ? 2 * view->resultCapacity : 4;
    MlirType *grown = realloc(view->results, (size_t)capacity * sizeof *grown);
    if (!grown) {
      view->outOfMemory = true;
      return;
    }
    view->results = grown;
    view->resultCapacity = capacity;
  }
  view->results[view->nResults++] = type;
}

void xlaViewAppendShape(XlaOpView *view, const XlaShape *shape) {
  xlaViewAppendResult(view, xlaShapeToMlir(shape, view->context));
}

void xlaViewAppendBounded(XlaOpView *view, const XlaShape *shape) {
  xlaViewAppendResult(view, xlaShapeToMlirBounded(shape, view->context));
}

MlirLogicalResult xlaViewAppendChecked(XlaOpView *view, const char *label,
                                       const XlaShape *shape) {
  int64_t count;
  if (!xlaShapeGetElementCount(shape, &count))
    return xlaViewError(view, label, "the result %s is larger than 2^62 bytes",
                        XLA_SHAPE_TEXT(shape));
  xlaViewAppendBounded(view, shape);
  return mlirLogicalResultSuccess();
}

bool xlaViewIsWhole(const XlaOpView *view, intptr_t index, int dimension,
                    int64_t size) {
  XlaShape declared;
  xlaViewGetDeclared(view, index, &declared);
  return xlaShapeIsDynamic(&declared, dimension) &&
         declared.dims[dimension] == size;
}

static bool listFromAttr(MlirAttribute attr, XlaI64List *list) {
  list->size = 0;
  if (mlirAttributeIsNull(attr))
    return false;
  if (mlirAttributeIsAArray(attr)) {
    intptr_t entries = mlirArrayAttrGetNumElements(attr);
    list->size = entries < XLA_MAX_LIST ? (int)entries : XLA_MAX_LIST;
    for (int i = 0; i < list->size; ++i)
      list->values[i] =
          mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(attr, i));
    return true;
  }
  bool dense = mlirAttributeIsADenseElements(attr);
  intptr_t n = dense ? (intptr_t)mlirElementsAttrGetNumElements(attr)
                     : mlirDenseArrayGetNumElements(attr);
  list->size = n < XLA_MAX_LIST ? (int)n : XLA_MAX_LIST;
  bool narrow = dense && mlirIntegerTypeGetWidth(mlirShapedTypeGetElementType(
                             mlirAttributeGetType(attr))) == 32;
  for (int i = 0; i < list->size; ++i)
    list->values[i] = !dense   ? mlirDenseI64ArrayGetElement(attr, i)
                      : narrow ? mlirDenseElementsAttrGetInt32Value(attr, i)
                               : mlirDenseElementsAttrGetInt64Value(attr, i);
  return true;
}

static int64_t intFromAttr(MlirAttribute attr, int64_t absent) {
  return mlirAttributeIsNull(attr) ? absent : mlirIntegerAttrGetValueInt(attr);
}

MlirAttribute xlaViewGetAttr(const XlaOpView *view, const char *name) {
  return mlirDictionaryAttrGetElementByName(
      view->attributes, mlirStringRefCreateFromCString(name));
}

bool xlaViewGetList(const XlaOpView *view, const char *name, XlaI64List *list) {
  return listFromAttr(xlaViewGetAttr(view, name), list);
}

int64_t xlaViewGetI64(const XlaOpView *view, const char *name, int64_t absent) {
  return intFromAttr(xlaViewGetAttr(view, name), absent);
}

MlirAttribute xlaOpGetAttr(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

bool xlaOpGetList(MlirOperation op, const char *name, XlaI64List *list) {
  return listFromAttr(xlaOpGetAttr(op, name), list);
}

void xlaOpGetListOr(MlirOperation op, const char *name, int n, int64_t absent,
                    XlaI64List *list) {
  if (xlaOpGetList(op, name, list))
    return;
  list->size = n;
  for (int i = 0; i < n; ++i)
    list->values[i] = absent;
}

int64_t xlaOpGetI64(MlirOperation op, const char *name, int64_t absent) {
  return intFromAttr(xlaOpGetAttr(op, name), absent);
}

bool xlaOpAttrIs(MlirOperation op, const char *name, const char *text) {
  MlirAttribute attr = xlaOpGetAttr(op, name);
  return !mlirAttributeIsNull(attr) && mlirAttributeIsAString(attr) &&
         mlirStringRefEqual(mlirStringAttrGetValue(attr),
                            mlirStringRefCreateFromCString(text));
}

bool xlaOpIsTrue(MlirOperation op, const char *name) {
  MlirAttribute attr = xlaOpGetAttr(op, name);
  return !mlirAttributeIsNull(attr) && mlirBoolAttrGetValue(attr);
}

bool xlaRegionGetReturn(MlirRegion region, MlirOperation *terminator) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  if (mlirBlockIsNull(block) ||
      !mlirBlockIsNull(mlirBlockGetNextInRegion(block)))
    return false;
  *terminator = mlirBlockGetTerminator(block);
  return !mlirOperationIsNull(*terminator) &&
         xlaOpGetKind(*terminator) == XlaOpKindReturn;
}

static bool takesBoth(MlirOperation op, MlirBlock block) {
  MlirValue a = mlirOperationGetOperand(op, 0);
  MlirValue b = mlirOperationGetOperand(op, 1);
  MlirValue first = mlirBlockGetArgument(block, 0);
  MlirValue second = mlirBlockGetArgument(block, 1);
  return (mlirValueEqual(a, first) && mlirValueEqual(b, second)) ||
         (mlirValueEqual(a, second) && mlirValueEqual(b, first));
}

XlaOpKind xlaRegionGetOnly(MlirRegion region, MlirOperation *op) {
  MlirOperation end;
  if (!xlaRegionGetReturn(region, &end))
    return XlaOpKindInvalid;
  MlirBlock block = mlirRegionGetFirstBlock(region);
  MlirOperation first = mlirBlockGetFirstOperation(block);
  bool isOnly = mlirBlockGetNumArguments(block) == 2 &&
                mlirOperationEqual(mlirOperationGetNextInBlock(first), end) &&
                mlirOperationGetNumOperands(first) == 2 &&
                mlirOperationGetNumResults(first) == 1 &&
                mlirOperationGetNumOperands(end) == 1 &&
                mlirValueEqual(mlirOperationGetOperand(end, 0),
                               mlirOperationGetResult(first, 0)) &&
                takesBoth(first, block);
  if (op)
    *op = first;
  return isOnly ? xlaOpGetKind(first) : XlaOpKindInvalid;
}

MlirOperation xlaModuleFindFunction(MlirOperation module, MlirStringRef name) {
  MlirStringRef kind = mlirStringRefCreateFromCString("func.func");
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute symbol = xlaOpGetAttr(op, "sym_name");
    if (mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)), kind) &&
        !mlirAttributeIsNull(symbol) &&
        mlirStringRefEqual(mlirStringAttrGetValue(symbol), name))
      break;
  }
  return op;
}
