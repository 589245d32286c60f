//===- sized_call.c - Custom calls of programs with symbolic sizes --------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// jax.export writes operations that have no form with sizes as operands as
// custom calls, and what it assumes of sizes as assertions. Both are resolved
// when the sizes are known.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo/custom_call.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/literal.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/dynamic/sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MlirAttribute attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

static XlaImportResult notKnown(MlirOperation op, intptr_t operand) {
  xlaOpError(op, NULL,
             "is not supported yet where operand %lld does not follow from "
             "the sizes of inputs",
             (long long)operand);
  return XlaImportResultUnsupported;
}

/// The integers in operand `index`, or an error.
static XlaImportResult readOperand(MlirOperation op, intptr_t index,
                                   XlaI64List *list) {
  if (index < mlirOperationGetNumOperands(op) &&
      xlaConstantGetMatrix(mlirOperationGetOperand(op, index), list))
    return XlaImportResultOk;
  return notKnown(op, index);
}

//===----------------------------------------------------------------------===//
// shape_assertion(condition, numbers ..)
//===----------------------------------------------------------------------===//

/// Writes the message with the operand i + 1 in place of {i}.
static void writeMessage(MlirOperation op, MlirStringRef text, char *chars,
                         size_t size) {
  size_t n = 0;
  for (size_t i = 0; i < text.length && n + 1 < size; ++i) {
    char *after;
    XlaI64List number;
    long index = text.data[i] == '{' && i + 1 < text.length &&
                         text.data[i + 1] >= '0' && text.data[i + 1] <= '9'
                     ? strtol(text.data + i + 1, &after, 10)
                     : -1;
    if (index >= 0 && index < 1000 && *after == '}' &&
        index + 1 < mlirOperationGetNumOperands(op) &&
        xlaConstantGetIntegers(mlirOperationGetOperand(op, index + 1),
                               &number) &&
        number.size == 1) {
      int written =
          snprintf(chars + n, size - n, "%lld", (long long)number.values[0]);
      n += (size_t)written < size - n ? (size_t)written : size - n - 1;
      i = (size_t)(after - text.data);
      continue;
    }
    chars[n++] = text.data[i];
  }
  chars[n] = 0;
}

/// Whether the condition, operand 0, holds.
static XlaImportResult readCondition(MlirOperation op, bool *holds) {
  MlirAttribute attr = mlirOperationGetNumOperands(op)
                           ? xlaConstantFold(mlirOperationGetOperand(op, 0))
                           : mlirAttributeGetNull();
  XlaLiteral *literal =
      mlirAttributeIsNull(attr) || !mlirAttributeIsAElements(attr)
          ? NULL
          : xlaLiteralFromAttribute(attr);
  if (!literal)
    return notKnown(op, 0);
  bool isPred =
      xlaLiteralGetShape(literal)->elementType == XlaElementTypePred &&
      xlaLiteralGetElementCount(literal) == 1;
  *holds = isPred && xlaLiteralGet(literal, 0).u;
  xlaLiteralRelease(literal);
  return isPred ? XlaImportResultOk : xlaCallUnknownForm(op);
}

static XlaImportResult importAssertion(MlirOperation op) {
  bool holds;
  if (mlirOperationGetNumResults(op))
    return xlaCallUnknownForm(op);
  XlaImportResult result = readCondition(op, &holds);
  if (result != XlaImportResultOk)
    return result;
  if (holds) {
    mlirOperationDestroy(op);
    return XlaImportResultOk;
  }
  char message[2000] = "";
  MlirAttribute text = attribute(op, "error_message");
  if (!mlirAttributeIsNull(text) && mlirAttributeIsAString(text))
    writeMessage(op, mlirStringAttrGetValue(text), message, sizeof message);
  xlaOpInvalid(op, NULL,
               "the sizes of the inputs break an assertion of the "
               "program%s%s",
               message[0] ? ": " : "", message);
  return XlaImportResultInvalid;
}

//===----------------------------------------------------------------------===//
// stablehlo.dynamic_reduce_window(inputs .., inits .., window dimensions,
// strides, base dilations, window dilations, padding)
//===----------------------------------------------------------------------===//

static XlaImportResult readWindow(MlirOperation op, intptr_t first, int rank,
                                  XlaImportedAttrs *attrs) {
  static const char *const names[] = {"window_dimensions", "window_strides",
                                      "base_dilations", "window_dilations",
                                      "padding"};
  MlirContext context = mlirOperationGetContext(op);
  attrs->count = sizeof names / sizeof *names;
  for (int i = 0; i < attrs->count; ++i) {
    XlaI64List list;
    XlaImportResult result = readOperand(op, first + i, &list);
    if (result != XlaImportResultOk)
      return result;
    if (list.size != (i < 4 ? rank : 2 * rank))
      return xlaCallUnknownForm(op);
    attrs->items[i] = (XlaIrAttr){
        names[i], mlirDenseI64ArrayGet(context, list.size, list.values)};
  }
  return XlaImportResultOk;
}

static XlaImportResult importReduceWindow(MlirOperation op) {
  intptr_t n = mlirOperationGetNumResults(op);
  MlirAttribute computation = xlaCallComputation(op);
  XlaShape shape;
  if (n < 1 || 2 * n > XLA_CALL_MAX_OPERANDS ||
      mlirOperationGetNumOperands(op) != 2 * n + 5 ||
      mlirAttributeIsNull(computation))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue operands[XLA_CALL_MAX_OPERANDS], elements[XLA_CALL_MAX_OPERANDS];
  MlirType scalars[XLA_CALL_MAX_OPERANDS], types[XLA_CALL_MAX_OPERANDS];
  XlaImportedAttrs attrs;
  for (intptr_t i = 0; i < 2 * n; ++i) {
    operands[i] = mlirOperationGetOperand(op, i);
    elements[i] = mlirOperationGetOperand(op, n + i % n);
    scalars[i] = mlirValueGetType(elements[i]);
    if (!xlaShapeFromMlir(mlirValueGetType(operands[i]), &shape, NULL) ||
        !xlaShapeFromMlir(scalars[i], &shape, NULL))
      return xlaCallUnknownForm(op);
  }
  shape = xlaArrayShape(operands[0]);
  XlaImportResult result = readWindow(op, 2 * n, shape.rank, &attrs);
  if (result != XlaImportResultOk)
    return result;
  // The results' sizes follow from the window.
  MlirRegion region =
      xlaCallRegion(&ir, computation, 2 * n, elements, n, scalars);
  for (intptr_t i = 0; i < n; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  MlirOperation made = xlaIrCreate(&ir, "xla.reduce_window", 2 * n, operands, n,
                                   types, attrs.count, attrs.items, 1, &region);
  result = xlaImportInferResults(made, XlaOpKindReduceWindow, 2 * n, &attrs);
  if (result != XlaImportResultOk)
    return result;
  MlirValue values[XLA_CALL_MAX_OPERANDS];
  for (intptr_t i = 0; i < n; ++i) {
    values[i] = mlirOperationGetResult(made, i);
    mlirValueSetType(mlirOperationGetResult(op, i),
                     mlirValueGetType(values[i]));
  }
  return xlaCallPutAll(op, values);
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

/// stablehlo.dynamic_top_k(x, k).
static XlaImportResult importTopK(MlirOperation op) {
  XlaI64List k;
  XlaShape shape;
  if (mlirOperationGetNumOperands(op) != 2 ||
      mlirOperationGetNumResults(op) != 2 ||
      !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                        &shape, NULL) ||
      !shape.rank)
    return xlaCallUnknownForm(op);
  XlaImportResult result = readOperand(op, 1, &k);
  if (result != XlaImportResultOk)
    return result;
  if (k.size != 1 || k.values[0] < 0 ||
      k.values[0] > shape.dims[shape.rank - 1])
    return xlaCallUnknownForm(op);
  shape.dims[shape.rank - 1] = k.values[0];
  for (int i = 0; i < 2; ++i) {
    MlirValue old = mlirOperationGetResult(op, i);
    if (!mlirTypeIsARankedTensor(mlirValueGetType(old)))
      return xlaCallUnknownForm(op);
    MlirType type = mlirRankedTensorTypeGet(
        shape.rank, shape.dims,
        mlirShapedTypeGetElementType(mlirValueGetType(old)),
        mlirAttributeGetNull());
    if (!xlaTypeRefines(type, mlirValueGetType(old)))
      return xlaCallUnknownForm(op);
    mlirValueSetType(old, type);
  }
  return xlaImportLargest(op);
}

/// stablehlo.dynamic_approx_top_k(values, places, inits .., k, sizes ..).
static XlaImportResult importApproxTopK(MlirOperation op) {
  XlaI64List k;
  intptr_t n = mlirOperationGetNumResults(op);
  XlaImportResult result = readOperand(op, 2 * n, &k);
  if (result != XlaImportResultOk)
    return result;
  if (k.size != 1 || k.values[0] < 0)
    return xlaCallUnknownForm(op);
  return xlaImportTopK(op, 2 * n, k.values[0]);
}

/// The word in `#stablehlo<rng_algorithm WORD>`; NULL for others.
static const char *nameOf(MlirAttribute attr) {
  static const char *const names[] = {"rng_algorithm DEFAULT",
                                      "rng_algorithm THREE_FRY",
                                      "rng_algorithm PHILOX"};
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAOpaque(attr))
    return NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (mlirStringRefEqual(mlirOpaqueAttrGetData(attr),
                           mlirStringRefCreateFromCString(names[i])))
      return names[i] + strlen("rng_algorithm ");
  return NULL;
}

/// stablehlo.dynamic_rng_bit_generator(state, sizes).
static XlaImportResult importBits(MlirOperation op) {
  XlaI64List sizes;
  if (mlirOperationGetNumOperands(op) != 2 ||
      mlirOperationGetNumResults(op) != 2)
    return xlaCallUnknownForm(op);
  XlaImportResult result = readOperand(op, 1, &sizes);
  if (result != XlaImportResultOk)
    return result;
  MlirType stated = mlirValueGetType(mlirOperationGetResult(op, 1));
  bool isArray = mlirTypeIsARankedTensor(stated);
  for (int d = 0; d < sizes.size; ++d)
    isArray &= sizes.values[d] >= 0;
  if (!isArray)
    return xlaCallUnknownForm(op);
  MlirType type = mlirRankedTensorTypeGet(sizes.size, sizes.values,
                                          mlirShapedTypeGetElementType(stated),
                                          mlirAttributeGetNull());
  if (!xlaTypeRefines(type, stated))
    return xlaCallUnknownForm(op);
  const char *name = nameOf(attribute(op, "rng_algorithm"));
  if (!name)
    return xlaCallUnknownForm(op);
  mlirValueSetType(mlirOperationGetResult(op, 1), type);
  XlaIrAttr attr = {"rng_algorithm",
                    xlaIrStringAttr(mlirOperationGetContext(op), name)};
  return xlaImportReplace(op, "xla.rng_bit_generator", 1, 0, NULL, 1, &attr);
}

bool xlaImportSizedCall(MlirOperation op, MlirStringRef target,
                        XlaImportResult *result) {
  static const struct {
    const char *name;
    XlaImportResult (*import)(MlirOperation op);
  } calls[] = {
      {"shape_assertion", importAssertion},
      {"stablehlo.dynamic_reduce_window", importReduceWindow},
      {"stablehlo.dynamic_top_k", importTopK},
      {"stablehlo.dynamic_approx_top_k", importApproxTopK},
      {"stablehlo.dynamic_rng_bit_generator", importBits},
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
    if (mlirStringRefEqual(target,
                           mlirStringRefCreateFromCString(calls[i].name))) {
      *result = calls[i].import(op);
      return true;
    }
  return false;
}
