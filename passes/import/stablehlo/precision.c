//===- precision.c - How exact StableHLO wants results --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes that ask for precision are checked: where results are not that
// precise they are refused.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"
#include "xlac/passes/import/stablehlo/algorithm.h"
#include "xlac/passes/import/stablehlo/text.h"

#include "mlir-c/BuiltinTypes.h"

#include <math.h>
#include <string.h>

static bool equals(MlirStringRef a, const char *b) {
  return mlirStringRefEqual(a, mlirStringRefCreateFromCString(b));
}

static XlaImportResult unreadable(MlirOperation op, const char *name,
                                  MlirStringRef text) {
  xlaOpError(op, NULL, "attribute '%s' cannot be read: %.*s", name,
             (int)(text.length < 200 ? text.length : 200), text.data);
  return XlaImportResultInvalid;
}

static XlaElementType resultElement(MlirOperation op) {
  MlirType type = mlirOperationGetNumResults(op)
                      ? mlirValueGetType(mlirOperationGetResult(op, 0))
                      : (MlirType){NULL};
  return mlirTypeIsNull(type) || !mlirTypeIsAShaped(type)
             ? XlaElementTypeInvalid
             : xlaElementTypeFromMlir(mlirShapedTypeGetElementType(type));
}

//===----------------------------------------------------------------------===//
// dot_general's algorithm
//===----------------------------------------------------------------------===//

XlaImportResult xlaImportCheckAlgorithm(MlirOperation op, MlirStringRef text) {
  XlaDotAlgorithm algorithm;
  if (!xlaDotAlgorithmRead(text, &algorithm))
    return unreadable(op, "algorithm", text);
  XlaElementType result = resultElement(op);
  if (result == XlaElementTypeInvalid)
    return XlaImportResultOk; // the result's type is refused elsewhere
  // What sums are computed in.
  XlaElementType sum =
      xlaElementTypeIsFloat(result) && xlaElementTypeGetInfo(result)->bits < 32
          ? XlaElementTypeF32
          : result;
  MlirStringRef word = algorithm.accumulation;
  XlaElementType wanted = equals(word, "tf32")
                              ? XlaElementTypeF32
                              : xlaElementTypeFromName(word.data, word.length);
  if (wanted != XlaElementTypeInvalid &&
      xlaElementTypeIsPromotable(wanted, sum))
    return XlaImportResultOk;
  xlaOpError(op, NULL,
             "attribute 'algorithm' is not supported yet: it sums in %.*s, of "
             "which results of type %s are summed in %s",
             (int)word.length, word.data, xlaElementTypeGetInfo(result)->name,
             xlaElementTypeGetInfo(sum)->name);
  return XlaImportResultUnsupported;
}

//===----------------------------------------------------------------------===//
// result_accuracy
//===----------------------------------------------------------------------===//

/// Errors that all devices keep to, in units in the last place of f32 and f64.
static const struct {
  XlaOpKind kind;
  int ulps;
} bounds[] = {
    {XlaOpKindCbrt, 2},        {XlaOpKindCosine, 2},
    {XlaOpKindExponential, 4}, {XlaOpKindExponentialMinusOne, 4},
    {XlaOpKindLog, 3},         {XlaOpKindLogPlusOne, 3},
    {XlaOpKindLogistic, 4},    {XlaOpKindRsqrt, 2},
    {XlaOpKindSine, 2},        {XlaOpKindSqrt, 2},
    {XlaOpKindTan, 4},         {XlaOpKindTanh, 4},
};

/// The bound of an operation on elements of `type`; 0 if none is known. Formats
/// of 16 bits are computed as f32 and rounded once.
static int boundOf(const XlaOpInfo *target, XlaElementType type) {
  if (type == XlaElementTypeF16 || type == XlaElementTypeBF16)
    return 1;
  if (type == XlaElementTypeF32 || type == XlaElementTypeF64)
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; ++i)
      if (xlaOpGetInfo(bounds[i].kind) == target)
        return bounds[i].ulps;
  return 0;
}

typedef struct Accuracy {
  double absolute, relative;
  int64_t ulps;
  MlirStringRef mode;
} Accuracy;

static bool readAccuracy(MlirStringRef text, Accuracy *accuracy) {
  XlaImportText rest = {text.data, text.data + text.length};
  *accuracy = (Accuracy){.mode = {NULL, 0}};
  if (!xlaTextAccept(&rest, "result_accuracy") || !xlaTextAccept(&rest, "<"))
    return false;
  do {
    MlirStringRef key = xlaTextReadWord(&rest);
    if (!xlaTextAccept(&rest, "="))
      return false;
    if (equals(key, "mode")) {
      if (!xlaTextAccept(&rest, "#stablehlo.result_accuracy_mode<"))
        return false;
      accuracy->mode = xlaTextReadWord(&rest);
      if (!xlaTextAccept(&rest, ">"))
        return false;
    } else if (!(equals(key, "atol")
                     ? xlaTextReadNumber(&rest, &accuracy->absolute)
                 : equals(key, "rtol")
                     ? xlaTextReadNumber(&rest, &accuracy->relative)
                 : equals(key, "ulps")
                     ? xlaTextReadInteger(&rest, &accuracy->ulps)
                     : false)) {
      return false;
    }
  } while (xlaTextAccept(&rest, ","));
  return xlaTextAccept(&rest, ">") && xlaTextIsAtEnd(&rest) &&
         (equals(accuracy->mode, "DEFAULT") ||
          equals(accuracy->mode, "HIGHEST") ||
          equals(accuracy->mode, "TOLERANCE"));
}

XlaImportResult xlaImportCheckAccuracy(MlirOperation op,
                                       const XlaOpInfo *target,
                                       MlirStringRef text) {
  Accuracy accuracy;
  if (!readAccuracy(text, &accuracy))
    return unreadable(op, "result_accuracy", text);
  if (!equals(accuracy.mode, "TOLERANCE"))
    return XlaImportResultOk;
  XlaElementType type = resultElement(op);
  int bound = type ? boundOf(target, type) : 0;
  double relative =
      bound ? ldexp(bound, -xlaElementTypeGetInfo(type)->mantissaBits) : 0;
  // These results are at most 1.
  bool small =
      !strcmp(target->name, "sine") || !strcmp(target->name, "cosine") ||
      !strcmp(target->name, "tanh") || !strcmp(target->name, "logistic");
  if (bound && (accuracy.ulps >= bound || accuracy.relative >= relative ||
                (small && accuracy.absolute >= relative)))
    return XlaImportResultOk;
  if (bound)
    xlaOpError(op, NULL,
               "attribute 'result_accuracy' is not supported yet: errors may "
               "be %d units in the last place of %s, a relative %g",
               bound, xlaElementTypeGetInfo(type)->name, relative);
  else
    xlaOpError(op, NULL,
               "attribute 'result_accuracy' is not supported yet for elements "
               "of this type");
  return XlaImportResultUnsupported;
}
