//===- custom_call.c - Custom calls with a known meaning ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JAX writes some functions as custom calls, of LAPACK's among others. Those
// with a meaning in the dialect become its operations; all others stay calls.
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/import/lapack/lapack.h"
#include "xlac/passes/import/stablehlo.h"

#include <stdlib.h>
#include <string.h>

static bool equals(MlirStringRef a, const char *b) {
  return mlirStringRefEqual(a, mlirStringRefCreateFromCString(b));
}

static MlirAttribute attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

//===----------------------------------------------------------------------===//
// The call's configuration
//===----------------------------------------------------------------------===//

/// Entry `name` of the configuration; null if there is none.
static MlirAttribute configured(MlirOperation op, const char *name) {
  static const char *const places[] = {"mhlo.backend_config", "backend_config"};
  for (int i = 0; i < 2; ++i) {
    MlirAttribute config = attribute(op, places[i]);
    if (mlirAttributeIsNull(config) || !mlirAttributeIsADictionary(config))
      continue;
    MlirAttribute value = mlirDictionaryAttrGetElementByName(
        config, mlirStringRefCreateFromCString(name));
    if (!mlirAttributeIsNull(value))
      return value;
  }
  return mlirAttributeGetNull();
}

/// -1 if there is none.
static int64_t configuredInteger(MlirOperation op, const char *name) {
  MlirAttribute value = configured(op, name);
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAInteger(value))
    return -1;
  MlirType type = mlirAttributeGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeIsUnsigned(type)
             ? (int64_t)mlirIntegerAttrGetValueUInt(value)
             : mlirIntegerAttrGetValueInt(value);
}

/// Whether the letter `name` is `yes`; false in `*known` if it is neither.
static bool isLetter(MlirOperation op, const char *name, char yes, char no,
                     bool *known) {
  int64_t letter = configuredInteger(op, name);
  *known &= letter == yes || letter == no;
  return letter == yes;
}

/// Puts `values` in the places of the results.
static XlaImportResult putAll(MlirOperation op, const MlirValue *values) {
  intptr_t n = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < n; ++i) {
    MlirType stated = mlirValueGetType(mlirOperationGetResult(op, i));
    MlirType type = mlirValueGetType(values[i]);
    if (!xlaTypeEqualIgnoringLayout(stated, type)) {
      xlaOpError(op, NULL, "is stated to give %s as result %lld, not %s",
                 XLA_TYPE_TEXT(stated), (long long)i, XLA_TYPE_TEXT(type));
      return XlaImportResultInvalid;
    }
  }
  for (intptr_t i = 0; i < n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), values[i]);
  mlirOperationDestroy(op);
  return XlaImportResultOk;
}

static XlaImportResult unknownForm(MlirOperation op) {
  MlirStringRef target =
      mlirStringAttrGetValue(attribute(op, "call_target_name"));
  xlaOpError(op, NULL, "calls \"%.*s\" in a form that is not supported yet",
             (int)target.length, target.data);
  return XlaImportResultUnsupported;
}

//===----------------------------------------------------------------------===//
// Calls that give what they take
//===----------------------------------------------------------------------===//

/// Annotations of where values are.
static XlaImportResult importIdentity(MlirOperation op) {
  XlaImportResult result = xlaImportCheckArrays(op, 1, 1);
  if (result != XlaImportResultOk)
    return result;
  MlirValue operand = mlirOperationGetOperand(op, 0);
  return putAll(op, &operand);
}

//===----------------------------------------------------------------------===//
// The k first in an order
//===----------------------------------------------------------------------===//

/// A region that calls the function `callee` with pairs of elements.
static MlirRegion callRegion(XlaIr *ir, MlirAttribute callee, intptr_t n,
                             const MlirValue *operands) {
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  MlirValue arguments[8];
  for (intptr_t i = 0; i < n; ++i) {
    XlaShape scalar = xlaArrayShape(operands[i / 2]);
    scalar.rank = 0;
    arguments[i] = mlirBlockAddArgument(
        block, xlaShapeToMlir(&scalar, ir->context), ir->location);
  }
  XlaIr body = xlaIrIn(*ir, block);
  XlaShape pred = {.elementType = XlaElementTypePred};
  XlaIrAttr attr = {"callee", callee};
  MlirValue before =
      xlaIrOp(&body, "func.call", xlaShapeToMlir(&pred, ir->context), n,
              arguments, 1, &attr);
  xlaIrCreate(&body, "xla.return", 1, &before, 0, NULL, 0, NULL, 0, NULL);
  return region;
}

/// ApproxTopK(values, places, init, init): sorted, then cut. Exact results are
/// allowed where approximate ones are.
static XlaImportResult importTopK(MlirOperation op) {
  MlirAttribute computations = attribute(op, "called_computations");
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  intptr_t n = mlirOperationGetNumResults(op);
  XlaImportResult result = xlaImportCheckArrays(op, nOperands, n);
  if (result != XlaImportResultOk)
    return result;
  int64_t k = configuredInteger(op, "top_k");
  int64_t dimension = configuredInteger(op, "reduction_dim");
  if (n < 1 || n > 4 || nOperands != 2 * n ||
      mlirAttributeIsNull(computations) ||
      !mlirAttributeIsAArray(computations) ||
      mlirArrayAttrGetNumElements(computations) != 1 ||
      !mlirAttributeIsAFlatSymbolRef(mlirArrayAttrGetElement(computations, 0)))
    return unknownForm(op);
  XlaShape shape = xlaArrayShape(mlirOperationGetOperand(op, 0));
  if (dimension < 0 || dimension >= shape.rank || k < 0 ||
      k > shape.dims[dimension])
    return unknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue operands[4], values[4];
  MlirType types[4];
  int64_t starts[XLA_MAX_RANK], strides[XLA_MAX_RANK];
  for (intptr_t i = 0; i < n; ++i) {
    operands[i] = mlirOperationGetOperand(op, i);
    types[i] = mlirValueGetType(operands[i]);
  }
  for (int d = 0; d < shape.rank; ++d) {
    starts[d] = 0;
    strides[d] = 1;
  }
  MlirRegion region = callRegion(&ir, mlirArrayAttrGetElement(computations, 0),
                                 2 * n, operands);
  XlaIrAttr attrs[] = {{"dimension", xlaIrI64Attr(ir.context, dimension)},
                       {"is_stable", mlirBoolAttrGet(ir.context, 1)}};
  MlirOperation sort =
      xlaIrCreate(&ir, "xla.sort", n, operands, n, types, 2, attrs, 1, &region);
  shape.dims[dimension] = k;
  for (intptr_t i = 0; i < n; ++i)
    values[i] = xlaArraySlice(&ir, mlirOperationGetResult(sort, i), starts,
                              shape.dims, strides);
  return putAll(op, values);
}

//===----------------------------------------------------------------------===//
// LAPACK
//===----------------------------------------------------------------------===//

/// potrf: Cholesky's factor, and 1 where there is none.
static XlaImportResult importPotrf(MlirOperation op) {
  XlaImportResult result = xlaImportCheckArrays(op, 1, 2);
  bool known = true;
  bool lower = isLetter(op, "uplo", 'L', 'U', &known);
  if (result != XlaImportResultOk)
    return result;
  MlirValue a = mlirOperationGetOperand(op, 0);
  int rank = xlaArrayShape(a).rank;
  if (!known || rank < 2)
    return unknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[2];
  values[0] =
      xlaIrOp(&ir, "xla.cholesky", mlirValueGetType(a), 1, &a, 1,
              &(XlaIrAttr){"lower", mlirBoolAttrGet(ir.context, lower)});
  MlirValue isNan = xlaArrayCompare(&ir, "NE", values[0], values[0]);
  MlirValue count =
      xlaArraySum(&ir, xlaArrayConvert(&ir, isNan, XlaElementTypeS32),
                  UINT32_C(3) << (rank - 2));
  values[1] = xlaArrayConvert(
      &ir, xlaArrayCompare(&ir, "GT", count, xlaArrayInteger(&ir, count, 0)),
      XlaElementTypeS32);
  return putAll(op, values);
}

/// trsm: op(a) x = b.
static XlaImportResult importTrsm(MlirOperation op) {
  XlaImportResult result = xlaImportCheckArrays(op, 2, 1);
  if (result != XlaImportResultOk)
    return result;
  bool known = true;
  bool left = isLetter(op, "side", 'L', 'R', &known);
  bool lower = isLetter(op, "uplo", 'L', 'U', &known);
  bool unit = isLetter(op, "diag", 'U', 'N', &known);
  int64_t form = configuredInteger(op, "trans_x");
  if (!known || (form != 'N' && form != 'T' && form != 'C'))
    return unknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue operands[2] = {mlirOperationGetOperand(op, 0),
                           mlirOperationGetOperand(op, 1)};
  const char *word = form == 'N'   ? "NO_TRANSPOSE"
                     : form == 'T' ? "TRANSPOSE"
                                   : "ADJOINT";
  XlaIrAttr attrs[] = {
      {"left_side", mlirBoolAttrGet(ir.context, left)},
      {"lower", mlirBoolAttrGet(ir.context, lower)},
      {"unit_diagonal", mlirBoolAttrGet(ir.context, unit)},
      {"transpose_a", xlaIrStringAttr(ir.context, word)},
  };
  MlirValue value =
      xlaIrOp(&ir, "xla.triangular_solve", mlirValueGetType(operands[1]), 2,
              operands, 4, attrs);
  return putAll(op, &value);
}

/// getrf: factors of a row permutation of the operand.
static XlaImportResult importGetrf(MlirOperation op) {
  XlaImportResult result = xlaImportCheckArrays(op, 1, 3);
  if (result != XlaImportResultOk)
    return result;
  MlirValue a = mlirOperationGetOperand(op, 0), values[3];
  XlaShape shape = xlaArrayShape(a);
  if (shape.rank < 2 || !xlaElementTypeIsFloat(shape.elementType))
    return unknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  xlaLapackLu(&ir, a, values);
  return putAll(op, values);
}

/// geqrf: R and reflections whose product is Q.
static XlaImportResult importGeqrf(MlirOperation op) {
  XlaImportResult result = xlaImportCheckArrays(op, 1, 2);
  if (result != XlaImportResultOk)
    return result;
  MlirValue a = mlirOperationGetOperand(op, 0), values[2];
  XlaShape shape = xlaArrayShape(a);
  if (shape.rank < 2 || !xlaElementTypeIsFloat(shape.elementType))
    return unknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  xlaLapackQr(&ir, a, values);
  return putAll(op, values);
}

/// orgqr: the product of geqrf's reflections.
static XlaImportResult importOrgqr(MlirOperation op) {
  XlaImportResult result = xlaImportCheckArrays(op, 2, 1);
  if (result != XlaImportResultOk)
    return result;
  MlirValue vectors = mlirOperationGetOperand(op, 0);
  MlirValue factors = mlirOperationGetOperand(op, 1);
  XlaShape shape = xlaArrayShape(vectors), taus = xlaArrayShape(factors);
  bool fits = shape.rank >= 2 && taus.rank == shape.rank - 1 &&
              taus.elementType == shape.elementType &&
              xlaElementTypeIsFloat(shape.elementType);
  for (int d = 0; fits && d + 1 < taus.rank; ++d)
    fits = taus.dims[d] == shape.dims[d];
  if (!fits || taus.dims[taus.rank - 1] > shape.dims[shape.rank - 1] ||
      taus.dims[taus.rank - 1] > shape.dims[shape.rank - 2])
    return unknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue value = xlaLapackReflections(&ir, vectors, factors);
  return putAll(op, &value);
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

/// Whether `target` is LAPACK's function `name` of any element type.
static bool isLapack(MlirStringRef target, const char *name) {
  static const char start[] = "lapack_", end[] = "_ffi";
  size_t length = strlen(name);
  if (target.length != sizeof start - 1 + 1 + length + sizeof end - 1)
    return false;
  const char *rest = target.data + sizeof start; // behind the type's letter
  return !memcmp(target.data, start, sizeof start - 1) &&
         !memcmp(rest, name, length) &&
         !memcmp(rest + length, end, sizeof end - 1);
}

XlaImportResult xlaImportCustomCall(MlirOperation op) {
  static const char *const identities[] = {"Sharding", "SPMDFullToShardShape",
                                           "SPMDShardToFullShape",
                                           "annotate_device_placement"};
  MlirAttribute name = attribute(op, "call_target_name");
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name))
    return xlaImportAs(op, XlaOpKindCustomCall); // the verifier asks for it
  MlirStringRef target = mlirStringAttrGetValue(name);
  for (size_t i = 0; i < sizeof identities / sizeof *identities; ++i)
    if (equals(target, identities[i]))
      return importIdentity(op);
  if (equals(target, "ApproxTopK"))
    return importTopK(op);
  if (isLapack(target, "potrf"))
    return importPotrf(op);
  if (isLapack(target, "trsm"))
    return importTrsm(op);
  if (isLapack(target, "getrf"))
    return importGetrf(op);
  if (isLapack(target, "geqrf"))
    return importGeqrf(op);
  if (isLapack(target, "orgqr"))
    return importOrgqr(op);
  MlirAttribute aliases = attribute(op, "output_operand_aliases");
  if (!mlirAttributeIsNull(aliases) && mlirAttributeIsAArray(aliases) &&
      mlirArrayAttrGetNumElements(aliases)) {
    xlaOpError(op, NULL,
               "calls \"%.*s\", which is not supported yet: by "
               "output_operand_aliases it finds operands where its results go, "
               "which start as zeros here",
               (int)target.length, target.data);
    return XlaImportResultUnsupported;
  }
  return xlaImportAs(op, XlaOpKindCustomCall);
}
