//===- factors.c - Custom calls for factors of matrices -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JAX writes LAPACK's functions in programs for CPUs, and names of its own in
// those for devices that it does not know.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo/custom_call.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/import/lapack/lapack.h"

#include <string.h>

/// Whether the letter `name` is `yes`; false in `*known` if it is neither.
static bool isLetter(MlirOperation op, const char *name, char yes, char no,
                     bool *known) {
  int64_t letter = xlaCallInteger(op, name);
  *known &= letter == yes || letter == no;
  return letter == yes;
}

/// The flag `name`; false in `*known` if it is none.
static bool isFlag(MlirOperation op, const char *name, bool *known) {
  bool isTrue = xlaCallFlag(op, name, true);
  *known &= isTrue || xlaCallFlag(op, name, false);
  return isTrue;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Whether operand 0 is an array of matrices of floats or complex numbers; of
/// `isWide`, of 32 bits or more.
static bool hasMatrices(MlirOperation op, bool isWide) {
  XlaShape shape = xlaArrayShape(mlirOperationGetOperand(op, 0));
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape.elementType);
  return shape.rank >= 2 && (xlaElementTypeIsComplex(shape.elementType) ||
                             (xlaElementTypeIsFloat(shape.elementType) &&
                              (!isWide || info->bits >= 32)));
}

/// 1 for arrays along the last `n` dimensions with NaN, s32.
static MlirValue countFailures(XlaIr *ir, MlirValue x, int n) {
  int rank = xlaArrayShape(x).rank;
  MlirValue isNan = xlaArrayCompare(ir, "NE", x, x);
  MlirValue count =
      xlaArraySum(ir, xlaArrayConvert(ir, isNan, XlaElementTypeS32),
                  (n == 2 ? UINT32_C(3) : UINT32_C(1)) << (rank - n));
  return xlaArrayConvert(
      ir, xlaArrayCompare(ir, "GT", count, xlaArrayInteger(ir, count, 0)),
      XlaElementTypeS32);
}

/// potrf: Cholesky's factor, and 1 where there is none.
static XlaImportResult importPotrf(MlirOperation op) {
  bool known = true;
  bool lower = isLetter(op, "uplo", 'L', 'U', &known);
  MlirValue a = mlirOperationGetOperand(op, 0);
  if (!known || xlaArrayShape(a).rank < 2)
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[2];
  values[0] =
      xlaIrOp(&ir, "xla.cholesky", mlirValueGetType(a), 1, &a, 1,
              &(XlaIrAttr){"lower", mlirBoolAttrGet(ir.context, lower)});
  values[1] = countFailures(&ir, values[0], 2);
  return xlaCallPutAll(op, values);
}

/// trsm: op(a) x = b.
static XlaImportResult importTrsm(MlirOperation op) {
  bool known = true;
  bool left = isLetter(op, "side", 'L', 'R', &known);
  bool lower = isLetter(op, "uplo", 'L', 'U', &known);
  bool unit = isLetter(op, "diag", 'U', 'N', &known);
  int64_t form = xlaCallInteger(op, "trans_x");
  if (!known || (form != 'N' && form != 'T' && form != 'C'))
    return xlaCallUnknownForm(op);
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
  return xlaCallPutAll(op, &value);
}

/// getrf: factors of a row permutation of the operand.
static XlaImportResult importGetrf(MlirOperation op) {
  if (!hasMatrices(op, false))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[4];
  xlaLapackLu(&ir, mlirOperationGetOperand(op, 0), values);
  return xlaCallPutAll(op, values);
}

/// The same with the places of rows in the place of failures, all from 0.
static XlaImportResult importLuDecomposition(MlirOperation op) {
  if (!hasMatrices(op, false))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[4];
  xlaLapackLu(&ir, mlirOperationGetOperand(op, 0), values);
  values[1] = xlaIrBinary(&ir, "xla.subtract", values[1],
                          xlaArrayInteger(&ir, values[1], 1));
  values[2] = values[3];
  return xlaCallPutAll(op, values);
}

/// geqrf: R and reflections whose product is Q.
static XlaImportResult importGeqrf(MlirOperation op) {
  if (!hasMatrices(op, false))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[2];
  xlaLapackQr(&ir, mlirOperationGetOperand(op, 0), values);
  return xlaCallPutAll(op, values);
}

/// orgqr: the product of geqrf's reflections.
static XlaImportResult importOrgqr(MlirOperation op) {
  MlirValue vectors = mlirOperationGetOperand(op, 0);
  MlirValue factors = mlirOperationGetOperand(op, 1);
  XlaShape shape = xlaArrayShape(vectors), taus = xlaArrayShape(factors);
  bool fits = hasMatrices(op, false) && taus.rank == shape.rank - 1 &&
              taus.elementType == shape.elementType;
  for (int d = 0; fits && d + 1 < taus.rank; ++d)
    fits = taus.dims[d] == shape.dims[d];
  if (!fits || taus.dims[taus.rank - 1] > shape.dims[shape.rank - 1] ||
      taus.dims[taus.rank - 1] > shape.dims[shape.rank - 2])
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue value = xlaLapackReflections(&ir, vectors, factors);
  return xlaCallPutAll(op, &value);
}

/// ormqr and unmqr: the product of geqrf's reflections times a matrix.
static XlaImportResult importOrmqr(MlirOperation op) {
  bool known = true, left = isFlag(op, "left", &known),
       transpose = isFlag(op, "transpose", &known);
  MlirValue vectors = mlirOperationGetOperand(op, 0);
  MlirValue factors = mlirOperationGetOperand(op, 1);
  MlirValue a = mlirOperationGetOperand(op, 2);
  XlaShape shape = xlaArrayShape(vectors), taus = xlaArrayShape(factors),
           other = xlaArrayShape(a);
  bool fits = known && hasMatrices(op, false) && taus.rank == shape.rank - 1 &&
              other.rank == shape.rank &&
              taus.elementType == shape.elementType &&
              other.elementType == shape.elementType;
  for (int d = 0; fits && d + 2 < shape.rank; ++d)
    fits = taus.dims[d] == shape.dims[d] && other.dims[d] == shape.dims[d];
  if (!fits || taus.dims[taus.rank - 1] > shape.dims[shape.rank - 1] ||
      taus.dims[taus.rank - 1] > shape.dims[shape.rank - 2] ||
      other.dims[shape.rank - 1 - left] != shape.dims[shape.rank - 2])
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue value = xlaLapackReflect(&ir, vectors, factors, left, transpose, a);
  return xlaCallPutAll(op, &value);
}

/// Whether `value` is made of a constant of zeros.
static bool isZeros(MlirValue value) {
  while (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    MlirAttribute elements = mlirOperationGetAttributeByName(
        op, mlirStringRefCreateFromCString("value"));
    if (!mlirAttributeIsNull(elements))
      return mlirAttributeIsADenseElements(elements) &&
             mlirDenseElementsAttrIsSplat(elements) &&
             mlirTypeIsAInteger(
                 mlirShapedTypeGetElementType(mlirValueGetType(value))) &&
             !mlirDenseElementsAttrGetInt32SplatValue(elements);
    if (mlirOperationGetNumOperands(op) != 1 ||
        !strstr(name.data, "broadcast_in_dim"))
      return false;
    value = mlirOperationGetOperand(op, 0);
  }
  return false;
}

/// geqp3 of columns of which none has its place.
static XlaImportResult importGeqp3(MlirOperation op) {
  if (!hasMatrices(op, true) || !isZeros(mlirOperationGetOperand(op, 1)))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[3];
  xlaLapackPivotedQr(&ir, mlirOperationGetOperand(op, 0), values);
  return xlaCallPutAll(op, values);
}

/// Whether operand 0 has as many rows as columns, of wide numbers.
static bool hasSquares(MlirOperation op) {
  XlaShape shape = xlaArrayShape(mlirOperationGetOperand(op, 0));
  return hasMatrices(op, true) &&
         shape.dims[shape.rank - 1] == shape.dims[shape.rank - 2];
}

/// syevd and heevd: eigenvectors and eigenvalues, and 1 where there are none.
static XlaImportResult importSyevd(MlirOperation op) {
  bool known = true;
  bool lower = isLetter(op, "uplo", 'L', 'U', &known);
  isLetter(op, "mode", 'V', 'N', &known);
  if (!known || !hasSquares(op))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[3];
  xlaLapackEigh(&ir, mlirOperationGetOperand(op, 0), lower, values);
  values[2] = countFailures(&ir, values[1], 1);
  return xlaCallPutAll(op, values);
}

/// The same without the last; the configuration is "lower,sorted,steps,error".
static XlaImportResult importEigh(MlirOperation op) {
  MlirAttribute config = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("backend_config"));
  MlirStringRef text = {NULL, 0};
  if (!mlirAttributeIsNull(config) && mlirAttributeIsAString(config))
    text = mlirStringAttrGetValue(config);
  if (!text.length || (text.data[0] != '0' && text.data[0] != '1') ||
      !hasSquares(op))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[2];
  xlaLapackEigh(&ir, mlirOperationGetOperand(op, 0), text.data[0] == '1',
                values);
  return xlaCallPutAll(op, values);
}

/// Zeros in the place of result `i`.
static MlirValue zerosFor(XlaIr *ir, MlirOperation op, intptr_t i) {
  XlaShape shape = xlaArrayShape(mlirOperationGetResult(op, i));
  return xlaArrayBroadcast(ir, xlaArrayNumber(ir, shape.elementType, 0),
                           shape.rank, shape.dims, NULL);
}

/// gehrd of whole matrices, which never fails.
static XlaImportResult importGehrd(MlirOperation op) {
  XlaShape shape = xlaArrayShape(mlirOperationGetOperand(op, 0));
  if (!hasSquares(op) || xlaCallInteger(op, "low") != 1 ||
      xlaCallInteger(op, "high") != shape.dims[shape.rank - 1])
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[3];
  xlaLapackHessenberg(&ir, mlirOperationGetOperand(op, 0), values);
  values[2] = zerosFor(&ir, op, 2);
  return xlaCallPutAll(op, values);
}

/// The last `n` dimensions of an array in the other order.
static MlirValue reverseLast(XlaIr *ir, MlirValue array, int n) {
  int rank = xlaArrayShape(array).rank;
  return xlaIrOp(
      ir, "xla.reverse", mlirValueGetType(array), 1, &array, 1,
      &(XlaIrAttr){"dimensions",
                   mlirDenseI64ArrayGet(ir->context, n,
                                        (int64_t[2]){rank - n, rank - 1})});
}

/// sytrd and hetrd. With rows and columns in the other order, an upper triangle
/// is a lower one, and what becomes of it is that of the other order, too.
static XlaImportResult importSytrd(MlirOperation op) {
  int64_t triangle = xlaCallInteger(op, "uplo");
  if (!hasSquares(op) || (triangle != 'L' && triangle != 'U'))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[5], a = mlirOperationGetOperand(op, 0);
  xlaLapackTridiagonal(&ir, triangle == 'U' ? reverseLast(&ir, a, 2) : a,
                       values);
  for (int i = 0; triangle == 'U' && i < 4; ++i)
    values[i] = reverseLast(&ir, values[i], i ? 1 : 2);
  values[4] = zerosFor(&ir, op, 4);
  return xlaCallPutAll(op, values);
}

/// gtsv: what is left of the diagonals, which nobody reads, x, and the first
/// pivot that is zero.
static XlaImportResult importGtsv(MlirOperation op) {
  MlirValue values[5], diagonals[3], b = mlirOperationGetOperand(op, 3);
  XlaShape shape = xlaArrayShape(b);
  bool fits = shape.rank >= 2 &&
              (xlaElementTypeIsFloat(shape.elementType) ||
               xlaElementTypeIsComplex(shape.elementType)) &&
              xlaElementTypeGetInfo(shape.elementType)->bits >= 32;
  shape.rank -= fits;
  for (int i = 0; fits && i < 3; ++i) {
    values[i] = diagonals[i] = mlirOperationGetOperand(op, i);
    XlaShape diagonal = xlaArrayShape(diagonals[i]);
    fits = diagonal.elementType == shape.elementType &&
           xlaShapeDimsEqual(&diagonal, &shape);
  }
  if (!fits)
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  xlaLapackTridiagonalSolve(&ir, diagonals, b, values + 3);
  return xlaCallPutAll(op, values);
}

/// gesdd and gesvd: what is left of the operand, which nobody reads, singular
/// values, u, v^H, and 1 where there are none.
static XlaImportResult importGesdd(MlirOperation op) {
  int64_t mode = xlaCallInteger(op, "mode");
  if ((mode != 'A' && mode != 'S' && mode != 'N') || !hasMatrices(op, true))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[5] = {mlirOperationGetOperand(op, 0)};
  xlaLapackSvd(&ir, values[0], mode == 'A', values + 1);
  values[4] = countFailures(&ir, values[1], 1);
  for (int i = 2; mode == 'N' && i < 4; ++i)
    values[i] = zerosFor(&ir, op, i);
  return xlaCallPutAll(op, values);
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

bool xlaImportFactors(MlirOperation op, MlirStringRef target,
                      XlaImportResult *result) {
  static const struct {
    const char *name, *lapack;
    intptr_t nOperands, nResults;
    XlaImportResult (*import)(MlirOperation op);
  } calls[] = {
      {NULL, "potrf", 1, 2, importPotrf},
      {NULL, "trsm", 2, 1, importTrsm},
      {NULL, "getrf", 1, 3, importGetrf},
      {"LuDecomposition", NULL, 1, 3, importLuDecomposition},
      {"Qr", "geqrf", 1, 2, importGeqrf},
      {"ProductOfElementaryHouseholderReflectors", "orgqr", 2, 1, importOrgqr},
      {NULL, "ungqr", 2, 1, importOrgqr},
      {NULL, "ormqr", 3, 1, importOrmqr},
      {NULL, "unmqr", 3, 1, importOrmqr},
      {NULL, "geqp3", 2, 3, importGeqp3},
      {NULL, "gehrd", 1, 3, importGehrd},
      {NULL, "sytrd", 1, 5, importSytrd},
      {NULL, "hetrd", 1, 5, importSytrd},
      {NULL, "gtsv", 4, 5, importGtsv},
      {NULL, "syevd", 1, 3, importSyevd},
      {NULL, "heevd", 1, 3, importSyevd},
      {"Eigh", NULL, 1, 2, importEigh},
      {NULL, "gesdd", 1, 5, importGesdd},
      {NULL, "gesvd", 1, 5, importGesdd},
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
    if ((calls[i].name &&
         mlirStringRefEqual(target,
                            mlirStringRefCreateFromCString(calls[i].name))) ||
        (calls[i].lapack && isLapack(target, calls[i].lapack))) {
      *result = xlaImportCheckArrays(op, calls[i].nOperands, calls[i].nResults);
      if (*result == XlaImportResultOk)
        *result = calls[i].import(op);
      return true;
    }
  return false;
}
