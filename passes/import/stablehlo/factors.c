//===- factors.c - Custom calls for factors of matrices -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JAX writes LAPACK's functions in programs for CPUs, those of CUDA's and
// ROCm's libraries for GPUs, and names of its own for devices that it does not
// know.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo/factors.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/import/lapack/lapack.h"
#include "xlac/passes/import/stablehlo/custom_call.h"

#include <string.h>

/// Whether the letter `name` is `yes`; false in `*known` if it is neither.
static bool isLetter(MlirOperation op, const char *name, char yes, char no,
                     bool *known) {
  int64_t letter = xlaCallInteger(op, name);
  *known &= letter == yes || letter == no;
  return letter == yes;
}

/// Whether the lower triangle counts: LAPACK's letter or the flag of GPUs.
static bool isLower(MlirOperation op, bool *known) {
  return mlirAttributeIsNull(xlaCallAttribute(op, "lower"))
             ? isLetter(op, "uplo", 'L', 'U', known)
             : xlaFactorsFlag(op, "lower", known);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// potrf: Cholesky's factor, and 1 where there is none.
static XlaImportResult importPotrf(MlirOperation op) {
  bool known = true;
  bool lower = isLower(op, &known);
  MlirValue a = mlirOperationGetOperand(op, 0);
  if (!known || xlaArrayShape(a).rank < 2)
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[2];
  values[0] =
      xlaIrOp(&ir, "xla.cholesky", mlirValueGetType(a), 1, &a, 1,
              &(XlaIrAttr){"lower", mlirBoolAttrGet(ir.context, lower)});
  values[1] = xlaFactorsFailures(&ir, values[0], 2);
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
  if (!xlaFactorsMatrices(op, false))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[4];
  xlaLapackLu(&ir, mlirOperationGetOperand(op, 0), values);
  return xlaCallPutAll(op, values);
}

/// The same with the places of rows in the place of failures, all from 0.
static XlaImportResult importLuDecomposition(MlirOperation op) {
  if (!xlaFactorsMatrices(op, false))
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
  if (!xlaFactorsMatrices(op, false))
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
  bool fits = xlaFactorsMatrices(op, false) && taus.rank == shape.rank - 1 &&
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
  bool known = true, left = xlaFactorsFlag(op, "left", &known),
       transpose = xlaFactorsFlag(op, "transpose", &known);
  MlirValue vectors = mlirOperationGetOperand(op, 0);
  MlirValue factors = mlirOperationGetOperand(op, 1);
  MlirValue a = mlirOperationGetOperand(op, 2);
  XlaShape shape = xlaArrayShape(vectors), taus = xlaArrayShape(factors),
           other = xlaArrayShape(a);
  bool fits = known && xlaFactorsMatrices(op, false) &&
              taus.rank == shape.rank - 1 && other.rank == shape.rank &&
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
  if (!xlaFactorsMatrices(op, true) || !isZeros(mlirOperationGetOperand(op, 1)))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[3];
  xlaLapackPivotedQr(&ir, mlirOperationGetOperand(op, 0), values);
  return xlaCallPutAll(op, values);
}

/// syevd and heevd: eigenvectors and eigenvalues, and 1 where there are none.
static XlaImportResult importSyevd(MlirOperation op) {
  bool known = true;
  bool lower = isLetter(op, "uplo", 'L', 'U', &known);
  isLetter(op, "mode", 'V', 'N', &known);
  if (!known || !xlaFactorsSquares(op))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[3];
  xlaLapackEigh(&ir, mlirOperationGetOperand(op, 0), lower, values);
  values[2] = xlaFactorsFailures(&ir, values[1], 1);
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
      !xlaFactorsSquares(op))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[2];
  xlaLapackEigh(&ir, mlirOperationGetOperand(op, 0), text.data[0] == '1',
                values);
  return xlaCallPutAll(op, values);
}

/// gehrd of whole matrices, which never fails.
static XlaImportResult importGehrd(MlirOperation op) {
  XlaShape shape = xlaArrayShape(mlirOperationGetOperand(op, 0));
  if (!xlaFactorsSquares(op) || xlaCallInteger(op, "low") != 1 ||
      xlaCallInteger(op, "high") != shape.dims[shape.rank - 1])
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[3];
  xlaLapackHessenberg(&ir, mlirOperationGetOperand(op, 0), values);
  values[2] = xlaFactorsZeros(&ir, op, 2);
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
  bool known = true, lower = isLower(op, &known);
  if (!known || !xlaFactorsSquares(op))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[5], a = mlirOperationGetOperand(op, 0);
  xlaLapackTridiagonal(&ir, lower ? a : reverseLast(&ir, a, 2), values);
  for (int i = 0; !lower && i < 4; ++i)
    values[i] = reverseLast(&ir, values[i], i ? 1 : 2);
  values[4] = xlaFactorsZeros(&ir, op, 4);
  return xlaCallPutAll(op, values);
}

/// gtsv: what is left of the diagonals, which nobody reads, x, and the first
/// pivot that is zero.
static XlaImportResult importGtsv(MlirOperation op) {
  MlirValue values[5];
  if (!xlaFactorsHaveDiagonals(op))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  for (int i = 0; i < 3; ++i)
    values[i] = mlirOperationGetOperand(op, i);
  xlaLapackTridiagonalSolve(&ir, values, mlirOperationGetOperand(op, 3),
                            values + 3);
  return xlaCallPutAll(op, values);
}

/// gesdd and gesvd: what is left of the operand, which nobody reads, singular
/// values, u, v^H, and 1 where there are none.
static XlaImportResult importGesdd(MlirOperation op) {
  int64_t mode = xlaCallInteger(op, "mode");
  if ((mode != 'A' && mode != 'S' && mode != 'N') ||
      !xlaFactorsMatrices(op, true))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[5] = {mlirOperationGetOperand(op, 0)};
  xlaLapackSvd(&ir, values[0], mode == 'A', values + 1);
  values[4] = xlaFactorsFailures(&ir, values[1], 1);
  for (int i = 2; mode == 'N' && i < 4; ++i)
    values[i] = xlaFactorsZeros(&ir, op, i);
  return xlaCallPutAll(op, values);
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

static const char lapack[] = "lapack_";

bool xlaCallIsLapack(MlirStringRef target) {
  return target.length > sizeof lapack - 1 &&
         !memcmp(target.data, lapack, sizeof lapack - 1);
}

/// Whether `target` is LAPACK's function `name` of any element type.
static bool isLapack(MlirStringRef target, const char *name) {
  static const char end[] = "_ffi";
  size_t length = strlen(name);
  if (target.length != sizeof lapack - 1 + 1 + length + sizeof end - 1)
    return false;
  const char *rest = target.data + sizeof lapack; // behind the type's letter
  return xlaCallIsLapack(target) && !memcmp(rest, name, length) &&
         !memcmp(rest + length, end, sizeof end - 1);
}

/// Whether `target` is `name` behind CUDA's or ROCm's letters.
static bool isOfGpu(MlirStringRef target, const char *name) {
  size_t length = strlen(name);
  size_t start = target.length > length ? target.length - length : 0;
  return ((start == 2 && !memcmp(target.data, "cu", 2)) ||
          (start == 3 && !memcmp(target.data, "hip", 3))) &&
         !memcmp(target.data + start, name, length);
}

bool xlaImportFactors(MlirOperation op, MlirStringRef target,
                      XlaImportResult *result) {
  static const struct {
    const char *name, *lapack, *gpu;
    intptr_t nOperands, nResults;
    XlaImportResult (*import)(MlirOperation op);
  } calls[] = {
      {NULL, "potrf", "solver_potrf_ffi", 1, 2, importPotrf},
      {NULL, "trsm", NULL, 2, 1, importTrsm},
      {NULL, "getrf", "solver_getrf_ffi", 1, 3, importGetrf},
      {"LuDecomposition", NULL, NULL, 1, 3, importLuDecomposition},
      {"Qr", "geqrf", "solver_geqrf_ffi", 1, 2, importGeqrf},
      {"ProductOfElementaryHouseholderReflectors", "orgqr", "solver_orgqr_ffi",
       2, 1, importOrgqr},
      {NULL, "ungqr", NULL, 2, 1, importOrgqr},
      {NULL, "ormqr", "solver_ormqr_ffi", 3, 1, importOrmqr},
      {NULL, "unmqr", NULL, 3, 1, importOrmqr},
      {NULL, "geqp3", "hybrid_geqp3", 2, 3, importGeqp3},
      {NULL, "gehrd", NULL, 1, 3, importGehrd},
      {NULL, "sytrd", "solver_sytrd_ffi", 1, 5, importSytrd},
      {NULL, "hetrd", NULL, 1, 5, importSytrd},
      {NULL, "gtsv", NULL, 4, 5, importGtsv},
      {NULL, "syevd", NULL, 1, 3, importSyevd},
      {NULL, "heevd", NULL, 1, 3, importSyevd},
      {"Eigh", NULL, NULL, 1, 2, importEigh},
      {NULL, "gesdd", NULL, 1, 5, importGesdd},
      {NULL, "gesvd", NULL, 1, 5, importGesdd},
      {NULL, NULL, "sparse_gtsv2_ffi", 4, 1, xlaImportGpuGtsv},
      {NULL, NULL, "solver_syevd_ffi", 1, 3, xlaImportGpuSyevd},
      {NULL, NULL, "solver_syevd", 1, 4, xlaImportGpuSyevdOpaque},
      {NULL, NULL, "solver_syevj", 1, 4, xlaImportGpuSyevdOpaque},
      {NULL, NULL, "solver_gesvd_ffi", 1, 5, xlaImportGpuGesvd},
      {NULL, NULL, "solver_gesdd_ffi", 1, 5, xlaImportGpuGesvd},
      {NULL, NULL, "solver_gesvdj_ffi", 1, 5, xlaImportGpuGesvdj},
      {NULL, NULL, "solver_gesvdp_ffi", 1, 5, xlaImportGpuGesvdj},
      {NULL, NULL, "_lu_pivots_to_permutation", 1, 1, xlaImportGpuPivots},
      {NULL, NULL, "_threefry2x32_ffi", 4, 2, xlaImportGpuThreeFry},
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
    if ((calls[i].name &&
         mlirStringRefEqual(target,
                            mlirStringRefCreateFromCString(calls[i].name))) ||
        (calls[i].lapack && isLapack(target, calls[i].lapack)) ||
        (calls[i].gpu && isOfGpu(target, calls[i].gpu))) {
      *result = xlaImportCheckArrays(op, calls[i].nOperands, calls[i].nResults);
      if (*result == XlaImportResultOk)
        *result = calls[i].import(op);
      return true;
    }
  return false;
}
