//===- library.c - Random transforms, factors, norms and bits -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/accuracy.h"
#include "xlac/tools/xla-gen/gen.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

XlaGenValue xlaGenCalm(XlaGen *gen, XlaGenValue x) {
  if (xlaElementTypeIsComplex(x.shape.elementType)) {
    XlaGenValue parts[2];
    for (int i = 0; i < 2; ++i)
      if (!xlaGenOp(gen, i ? XlaOpKindImag : XlaOpKindReal, 1, &x, 0, NULL, 0,
                    NULL, NULL, &parts[i]))
        return xlaGenNumber(gen, &x.shape, 1);
    for (int i = 0; i < 2; ++i)
      parts[i] = xlaGenCalm(gen, parts[i]);
    xlaGenOp(gen, XlaOpKindComplex, 2, parts, 0, NULL, 0, NULL, NULL, &x);
    return x;
  }
  if (!xlaElementTypeIsFloat(x.shape.elementType))
    return x;
  XlaShape scalar = xlaGenScalar(x.shape.elementType), shape = x.shape;
  XlaGenValue operands[] = {
      xlaGenNumber(gen, &scalar, -3),
      xlaGenWithoutNan(gen, x, xlaGenNumber(gen, &shape, 0.5)),
      xlaGenNumber(gen, &scalar, 3)};
  xlaGenOp(gen, XlaOpKindClamp, 3, operands, 0, NULL, 0, NULL, NULL, &x);
  return x;
}

/// f32, f64, and complex numbers of `classes`; Invalid if there is none.
static XlaElementType wideType(XlaGen *gen, unsigned classes) {
  for (int tries = 0; tries < 8; ++tries) {
    XlaElementType type = xlaGenElementType(gen, classes);
    if (type && xlaElementTypeGetInfo(xlaElementTypeReal(type))->bits >= 32)
      return type;
  }
  return XlaElementTypeInvalid;
}

/// Up to two dimensions in front, then n and m.
static XlaShape matrices(XlaGen *gen, XlaElementType type, int64_t n,
                         int64_t m) {
  XlaShape shape = xlaGenScalar(type);
  for (int i = xlaGenBelow(gen, 3); i > 0; --i)
    shape.dims[shape.rank++] = 1 + xlaGenBelow(gen, 3);
  shape.dims[shape.rank++] = n;
  shape.dims[shape.rank++] = m;
  return shape;
}

/// `number` on the diagonals of matrices, 0 elsewhere.
static XlaGenValue diagonal(XlaGen *gen, const XlaShape *shape, double number) {
  XlaShape flat = *shape;
  flat.elementType = XlaElementTypePred;
  XlaGenValue places[2];
  MlirType index, pred = xlaShapeToMlir(&flat, gen->ir.context);
  flat.elementType = XlaElementTypeS32;
  index = xlaShapeToMlir(&flat, gen->ir.context);
  for (int i = 0; i < 2; ++i) {
    XlaIrAttr along = {"iota_dimension",
                       xlaIrI64Attr(gen->ir.context, shape->rank - 1 - i)};
    places[i] =
        xlaGenValueOf(xlaIrOp(&gen->ir, "xla.iota", index, 0, NULL, 1, &along));
  }
  XlaIrAttr equal = {"comparison_direction",
                     xlaIrStringAttr(gen->ir.context, "EQ")};
  MlirValue compared[] = {places[0].value, places[1].value};
  MlirValue operands[] = {
      xlaIrOp(&gen->ir, "xla.compare", pred, 2, compared, 1, &equal),
      xlaGenNumber(gen, shape, number).value,
      xlaGenNumber(gen, shape, 0).value};
  return xlaGenValueOf(xlaIrOp(&gen->ir, "xla.select",
                               mlirValueGetType(operands[1]), 3, operands, 0,
                               NULL));
}

static XlaGenValue rounded(XlaGen *gen, XlaGenValue x, int64_t n) {
  return xlaGenVaryRounding(
      gen, x, xlaAccuracyUlpsOfSum(xlaElementTypeReal(x.shape.elementType), n));
}

//===----------------------------------------------------------------------===//
// Triangular matrices
//===----------------------------------------------------------------------===//

static XlaIrAttr flag(XlaGen *gen, const char *name, bool value) {
  return (XlaIrAttr){name, mlirBoolAttrGet(gen->ir.context, value)};
}

/// Of x * x^H + n, whose eigenvalues are at least n.
static bool cholesky(XlaGen *gen, XlaOpKind kind) {
  XlaElementType type = wideType(gen, XlaTypeClassFloat | XlaTypeClassComplex);
  int64_t n = 1 + xlaGenBelow(gen, 7), batch[] = {0, 1};
  XlaShape shape = matrices(gen, type, n, n);
  if (!type || !xlaGenFits(gen, &shape))
    return false;
  XlaGenValue x = xlaGenCalm(gen, xlaGenOfShape(gen, &shape));
  XlaGenValue pair[] = {x, x};
  int64_t last = shape.rank - 1;
  if (xlaElementTypeIsComplex(type)) { // the conjugate
    XlaGenValue parts[2];
    if (!xlaGenOp(gen, XlaOpKindReal, 1, &x, 0, NULL, 0, NULL, NULL,
                  &parts[0]) ||
        !xlaGenOp(gen, XlaOpKindImag, 1, &x, 0, NULL, 0, NULL, NULL,
                  &parts[1]) ||
        !xlaGenOp(gen, XlaOpKindNegate, 1, &parts[1], 0, NULL, 0, NULL, NULL,
                  &parts[1]) ||
        !xlaGenOp(gen, XlaOpKindComplex, 2, parts, 0, NULL, 0, NULL, NULL,
                  &pair[1]))
      return false;
  }
  XlaIrAttr attrs[] = {
      xlaGenList(gen, "lhs_batching_dimensions", shape.rank - 2, batch),
      xlaGenList(gen, "rhs_batching_dimensions", shape.rank - 2, batch),
      xlaGenList(gen, "lhs_contracting_dimensions", 1, &last),
      xlaGenList(gen, "rhs_contracting_dimensions", 1, &last)};
  XlaGenValue sum[2];
  for (int i = 0; i < 2; ++i)
    pair[i] = rounded(gen, pair[i], n);
  if (!xlaGenOp(gen, XlaOpKindDotGeneral, 2, pair, 4, attrs, 0, NULL, &shape,
                &sum[0]))
    return false;
  sum[1] = diagonal(gen, &shape, (double)n);
  XlaIrAttr lower = flag(gen, "lower", xlaGenBelow(gen, 2));
  if (!xlaGenOp(gen, XlaOpKindAdd, 2, sum, 0, NULL, 0, NULL, NULL, &x))
    return false;
  x = rounded(gen, x, n);
  return xlaGenOp(gen, kind, 1, &x, 1, &lower, 0, NULL, NULL, NULL);
}

/// Of x / (8 n) + 1 and anything calm.
static bool solve(XlaGen *gen, XlaOpKind kind) {
  static const char *const forms[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
  XlaElementType type = wideType(gen, XlaTypeClassFloat | XlaTypeClassComplex);
  int64_t n = 1 + xlaGenBelow(gen, 7);
  XlaShape shape = matrices(gen, type, n, n), other = shape,
           scalar = xlaGenScalar(type);
  bool left = xlaGenBelow(gen, 2);
  other.dims[left ? other.rank - 1 : other.rank - 2] = xlaGenExtent(gen);
  if (!type || !xlaGenFits(gen, &shape) || !xlaGenFits(gen, &other))
    return false;
  XlaGenValue a[] = {xlaGenCalm(gen, xlaGenOfShape(gen, &shape)),
                     xlaGenNumber(gen, &scalar, 0.125 / (double)n)};
  XlaGenValue sum[2] = {a[0], diagonal(gen, &shape, 1)}, operands[2];
  if (!xlaGenOp(gen, XlaOpKindMultiply, 2, a, 0, NULL, 0, NULL, NULL, sum) ||
      !xlaGenOp(gen, XlaOpKindAdd, 2, sum, 0, NULL, 0, NULL, NULL, operands))
    return false;
  operands[1] = xlaGenCalm(gen, xlaGenOfShape(gen, &other));
  for (int i = 0; i < 2; ++i)
    operands[i] = rounded(gen, operands[i], n);
  XlaIrAttr attrs[] = {
      flag(gen, "left_side", left),
      flag(gen, "lower", xlaGenBelow(gen, 2)),
      flag(gen, "unit_diagonal", xlaGenBelow(gen, 2)),
      {"transpose_a",
       xlaIrStringAttr(gen->ir.context, forms[xlaGenBelow(gen, 3)])}};
  return xlaGenOp(gen, kind, 2, operands, 4, attrs, 0, NULL, NULL, NULL);
}

bool xlaGenTriangular(XlaGen *gen, XlaOpKind kind) {
  if (gen->scalars)
    return false;
  return kind == XlaOpKindCholesky ? cholesky(gen, kind) : solve(gen, kind);
}

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

bool xlaGenFft(XlaGen *gen, XlaOpKind kind) {
  static const char *const types[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  int form = xlaGenBelow(gen, 4), n = 1 + xlaGenBelow(gen, 3);
  XlaElementType type =
      wideType(gen, form == 2 ? XlaTypeClassFloat : XlaTypeClassComplex);
  XlaShape shape = xlaGenScalar(type);
  bool isWide = xlaElementTypeGetInfo(xlaElementTypeReal(type))->bits == 64;
  // What is varied must be an operand: the result's type is to be allowed.
  if (form == 2 && !gen->types[isWide ? XlaElementTypeC128 : XlaElementTypeC64])
    return false;
  if (form == 3 && !gen->types[isWide ? XlaElementTypeF64 : XlaElementTypeF32])
    return false;
  int64_t lengths[3], count = 1;
  shape.rank = n + xlaGenBelow(gen, 2);
  for (int i = 0; i < shape.rank; ++i)
    shape.dims[i] = 1 + xlaGenBelow(gen, i < shape.rank - 1 ? 6 : 17);
  for (int i = 0; i < n; ++i)
    lengths[i] = shape.dims[shape.rank - n + i];
  if (form == 3) { // half of the spectrum
    lengths[n - 1] = 1 + xlaGenBelow(gen, 17);
    shape.dims[shape.rank - 1] = lengths[n - 1] / 2 + 1;
  }
  for (int i = 0; i < n; ++i)
    count *= lengths[i];
  if (gen->scalars || !type || !xlaGenFits(gen, &shape))
    return false;
  XlaGenValue x =
      rounded(gen, xlaGenCalm(gen, xlaGenOfShape(gen, &shape)), count);
  XlaIrAttr attrs[] = {
      {"fft_type", xlaIrStringAttr(gen->ir.context, types[form])},
      xlaGenList(gen, "fft_length", n, lengths)};
  return xlaGenOp(gen, kind, 1, &x, 2, attrs, 0, NULL, NULL, NULL);
}

//===----------------------------------------------------------------------===//
// Batch normalization
//===----------------------------------------------------------------------===//

bool xlaGenBatchNorm(XlaGen *gen, XlaOpKind kind) {
  XlaElementType type = wideType(gen, XlaTypeClassFloat);
  XlaShape shape = xlaGenShape(gen, type ? type : XlaElementTypePred);
  if (gen->scalars || !type || !shape.rank)
    return false;
  int64_t feature = xlaGenBelow(gen, shape.rank), count = 1;
  XlaShape features = xlaGenScalar(type);
  features.dims[features.rank++] = shape.dims[feature];
  for (int i = 0; i < shape.rank; ++i)
    count *= shape.dims[i];
  if (!count)
    return false;
  bool gradient = kind == XlaOpKindBatchNormGrad;
  int n = kind == XlaOpKindBatchNormTraining ? 3 : 5;
  int variance = gradient ? 3 : 4; // of these
  XlaGenValue operands[5];
  for (int i = 0; i < n; ++i) {
    bool isWhole = !i || (gradient && i == 4);
    operands[i] =
        xlaGenCalm(gen, xlaGenOfShape(gen, isWhole ? &shape : &features));
    if (i == variance && !xlaGenOp(gen, XlaOpKindAbs, 1, &operands[i], 0, NULL,
                                   0, NULL, NULL, &operands[i]))
      return false;
  }
  for (int i = 0; i < n; ++i)
    operands[i] = rounded(gen, operands[i], count / features.dims[0]);
  XlaIrAttr attrs[] = {
      {"epsilon", xlaIrParseAttr(gen->ir.context, "1.0e-2 : f32")},
      xlaGenInteger(gen, "feature_index", feature)};
  return xlaGenOp(gen, kind, n, operands, 2, attrs, 0, NULL, NULL, NULL);
}

//===----------------------------------------------------------------------===//
// Random bits
//===----------------------------------------------------------------------===//

/// What rng_uniform draws is this project's own.
static bool uniform(XlaGen *gen, XlaOpKind kind) {
  XlaElementType type = xlaGenElementType(
      gen, XlaTypeClassFloat | XlaTypeClassSigned | XlaTypeClassUnsigned);
  XlaShape shape = xlaGenShape(gen, type ? type : XlaElementTypePred),
           scalar = xlaGenScalar(type);
  if (!gen->options->own || !type)
    return false;
  XlaGenValue bounds[] = {xlaGenNumber(gen, &scalar, 1),
                          xlaGenNumber(gen, &scalar, 7)};
  return xlaGenOp(gen, kind, 2, bounds, 0, NULL, 0, NULL, &shape, NULL);
}

/// Bits of a fixed state.
bool xlaGenRandom(XlaGen *gen, XlaOpKind kind) {
  static const char *const algorithms[] = {"DEFAULT", "PHILOX", "THREE_FRY"};
  static const XlaElementType types[] = {XlaElementTypeU32, XlaElementTypeU64,
                                         XlaElementTypeU8, XlaElementTypeU16};
  if (kind == XlaOpKindRngUniform)
    return !gen->scalars && uniform(gen, kind);
  if (gen->scalars || !gen->types[XlaElementTypeU64])
    return false;
  int algorithm = xlaGenBelow(gen, 3);
  XlaShape state = xlaGenScalar(XlaElementTypeU64);
  state.dims[state.rank++] = 2 + (algorithm < 2 && xlaGenBelow(gen, 2));
  XlaShape shape = xlaGenShape(gen, types[xlaGenBelow(gen, 4)]);
  if (!gen->types[shape.elementType])
    shape.elementType = XlaElementTypeU64;
  MlirValue operand = xlaGenConstant(gen, &state).value;
  MlirType stated[] = {xlaShapeToMlir(&state, gen->ir.context),
                       xlaShapeToMlir(&shape, gen->ir.context)};
  XlaIrAttr attr = {"rng_algorithm",
                    xlaIrStringAttr(gen->ir.context, algorithms[algorithm])};
  MlirOperation op =
      xlaGenRaw(gen, kind, 1, &operand, 1, &attr, 0, NULL, 2, stated);
  if (mlirOperationIsNull(op))
    return false;
  for (int i = 0; i < 2; ++i)
    xlaGenAdd(gen, xlaGenValueOf(mlirOperationGetResult(op, i)));
  return true;
}
