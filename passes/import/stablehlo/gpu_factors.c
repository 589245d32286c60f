//===- gpu_factors.c - Custom calls of programs for GPUs ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What JAX writes for CUDA and ROCm where it is not LAPACK's function under
// another name: other operands, results or configurations.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo/factors.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/expand/rng.h"
#include "xlac/passes/import/lapack/lapack.h"
#include "xlac/passes/import/lapack/matrices.h"
#include "xlac/passes/import/stablehlo/custom_call.h"

#include <math.h>

/// gtsv2: x alone, NaN of matrices without an inverse.
XlaImportResult xlaImportGpuGtsv(MlirOperation op) {
  if (!xlaFactorsHaveDiagonals(op))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue diagonals[3], values[2], b = mlirOperationGetOperand(op, 3);
  for (int i = 0; i < 3; ++i)
    diagonals[i] = mlirOperationGetOperand(op, i);
  xlaLapackTridiagonalSolve(&ir, diagonals, b, values);
  XlaShape shape = xlaArrayShape(b);
  int64_t dimensions[XLA_MAX_RANK];
  for (int d = 0; d < XLA_MAX_RANK; ++d)
    dimensions[d] = d;
  MlirValue works =
      xlaArrayCompare(&ir, "EQ", values[1], xlaArrayInteger(&ir, values[1], 0));
  MlirValue nan = xlaArrayNumber(&ir, shape.elementType, NAN);
  values[0] = xlaArraySelect(
      &ir, xlaArrayBroadcast(&ir, works, shape.rank, shape.dims, dimensions),
      values[0], xlaArraySplat(&ir, nan, b));
  return xlaCallPutAll(op, values);
}

//===----------------------------------------------------------------------===//
// Eigenvalues
//===----------------------------------------------------------------------===//

/// Eigenvectors and eigenvalues, 1 where there are none, and what the call used
/// as memory of its own, if it has a result for that.
static XlaImportResult putEigh(MlirOperation op, bool lower) {
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[4];
  xlaLapackEigh(&ir, mlirOperationGetOperand(op, 0), lower, values);
  values[2] = xlaFactorsFailures(&ir, values[1], 1);
  if (mlirOperationGetNumResults(op) == 4)
    values[3] = xlaFactorsZeros(&ir, op, 3);
  return xlaCallPutAll(op, values);
}

/// Algorithms are the default, by QR and by rotations.
XlaImportResult xlaImportGpuSyevd(MlirOperation op) {
  bool known = true, lower = xlaFactorsFlag(op, "lower", &known);
  int64_t algorithm = xlaCallInteger(op, "algorithm");
  if (!known || algorithm < 0 || algorithm > 2 || !xlaFactorsSquares(op))
    return xlaCallUnknownForm(op);
  return putEigh(op, lower);
}

/// The configuration is five numbers of 32 bits, the lowest byte first: the
/// element type, the triangle by the library's number, how many matrices, their
/// size, and that of the memory.
XlaImportResult xlaImportGpuSyevdOpaque(MlirOperation op) {
  MlirAttribute config = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("backend_config"));
  MlirStringRef target = mlirStringAttrGetValue(mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("call_target_name")));
  if (!xlaFactorsSquares(op) || mlirAttributeIsNull(config) ||
      !mlirAttributeIsAString(config))
    return xlaCallUnknownForm(op);
  enum { typeField, triangleField, countField, sizeField, fieldCount = 5 };
  static const XlaElementType types[] = {XlaElementTypeF32, XlaElementTypeF64,
                                         XlaElementTypeC64, XlaElementTypeC128};
  MlirStringRef bytes = mlirStringAttrGetValue(config);
  uint32_t fields[fieldCount] = {0};
  if (bytes.length != sizeof fields)
    return xlaCallUnknownForm(op);
  for (size_t i = 0; i < bytes.length; ++i)
    fields[i / 4] |= (uint32_t)(unsigned char)bytes.data[i] << 8 * (i % 4);
  uint32_t lower = target.data[0] == 'h' ? 122 : 0,
           upper = target.data[0] == 'h' ? 121 : 1;
  XlaShape shape = xlaArrayShape(mlirOperationGetOperand(op, 0));
  uint64_t count = 1;
  for (int d = 0; d < shape.rank - 2; ++d)
    count *= (uint64_t)shape.dims[d];
  if (fields[typeField] >= sizeof types / sizeof *types ||
      types[fields[typeField]] != shape.elementType ||
      (fields[triangleField] != lower && fields[triangleField] != upper) ||
      fields[countField] != count ||
      fields[sizeField] != (uint64_t)shape.dims[shape.rank - 1])
    return xlaCallUnknownForm(op);
  return putEigh(op, fields[triangleField] == lower);
}

//===----------------------------------------------------------------------===//
// Singular values
//===----------------------------------------------------------------------===//

/// What is left of the operand, which nobody reads, singular values, u, v^H,
/// and 1 where there are none; or zeros for u and v^H.
static void findSvd(XlaIr *ir, MlirOperation op, bool full, bool hasVectors,
                    MlirValue values[5]) {
  values[0] = mlirOperationGetOperand(op, 0);
  xlaLapackSvd(ir, values[0], full, values + 1);
  values[4] = xlaFactorsFailures(ir, values[1], 1);
  for (int i = 2; !hasVectors && i < 4; ++i)
    values[i] = xlaFactorsZeros(ir, op, i);
}

/// gesvd and gesdd; `transposed` matrices, wide ones, are the transposes of
/// what the library sees, so that v^H comes first.
XlaImportResult xlaImportGpuGesvd(MlirOperation op) {
  bool known = true, full = xlaFactorsFlag(op, "full_matrices", &known),
       hasVectors = xlaFactorsFlag(op, "compute_uv", &known),
       transposed = xlaFactorsFlag(op, "transposed", &known);
  if (!known || !xlaFactorsMatrices(op, true))
    return xlaCallUnknownForm(op);
  XlaShape shape = xlaArrayShape(mlirOperationGetOperand(op, 0));
  if (transposed && shape.dims[shape.rank - 2] > shape.dims[shape.rank - 1])
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[5];
  findSvd(&ir, op, full, hasVectors, values);
  if (transposed && hasVectors) {
    MlirValue u = values[2];
    values[2] = values[3];
    values[3] = u;
  }
  return xlaCallPutAll(op, values);
}

/// gesvdj and gesvdp: v in the place of v^H.
XlaImportResult xlaImportGpuGesvdj(MlirOperation op) {
  bool known = true, full = xlaFactorsFlag(op, "full_matrices", &known),
       hasVectors = xlaFactorsFlag(op, "compute_uv", &known);
  if (!known || !xlaFactorsMatrices(op, true))
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue values[5];
  findSvd(&ir, op, full, hasVectors, values);
  if (hasVectors) {
    int64_t order[XLA_MAX_RANK];
    int rank = xlaArrayShape(values[3]).rank;
    for (int d = 0; d < rank; ++d)
      order[d] = d;
    order[rank - 2] = rank - 1;
    order[rank - 1] = rank - 2;
    values[3] =
        xlaMatrixConjugate(&ir, xlaArrayTranspose(&ir, values[3], order));
  }
  return xlaCallPutAll(op, values);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Where rows come from that are exchanged with those that the operand has, one
/// after the other, from 0.
XlaImportResult xlaImportGpuPivots(MlirOperation op) {
  MlirValue pivots = mlirOperationGetOperand(op, 0);
  XlaShape shape = xlaArrayShape(pivots),
           rows = xlaArrayShape(mlirOperationGetResult(op, 0));
  bool fits = shape.elementType == XlaElementTypeS32 && shape.rank >= 1 &&
              rows.rank == shape.rank &&
              rows.dims[rows.rank - 1] >= shape.dims[shape.rank - 1];
  if (!fits)
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue value = xlaLapackPermutation(&ir, pivots, rows.dims[rows.rank - 1]);
  return xlaCallPutAll(op, &value);
}

/// Two words of key, and two to scramble.
XlaImportResult xlaImportGpuThreeFry(MlirOperation op) {
  MlirValue words[4];
  for (int i = 0; i < 4; ++i) {
    words[i] = mlirOperationGetOperand(op, i);
    if (xlaArrayShape(words[i]).elementType != XlaElementTypeU32 ||
        !xlaTypeEqualIgnoringLayout(mlirValueGetType(words[i]),
                                    mlirValueGetType(words[0])))
      return xlaCallUnknownForm(op);
  }
  XlaIr ir = xlaIrBefore(op);
  xlaRngThreeFry(&ir, words, words + 2);
  return xlaCallPutAll(op, words + 2);
}
