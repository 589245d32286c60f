//===- op.c - The meaning of elementwise operations ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/scalar/op.h"

#include "xlac/dialect/interpret/scalar/internal.h"

#include <complex.h>
#include <math.h>

//===----------------------------------------------------------------------===//
// Classes of types
//===----------------------------------------------------------------------===//

// Verification refuses operations on classes that they have no row for. Should
// one come all the same, its value is NaN or 0.

static XlaScalar applyReal(const XlaScalarOp *op, const XlaScalar *x) {
  const XlaScalarReal *row = op->row.real;
  double value = row->binary    ? row->binary(x[0].f.re, x[1].f.re)
                 : row->unary   ? row->unary(x[0].f.re)
                 : row->ternary ? row->ternary(x[0].f.re, x[1].f.re, x[2].f.re)
                                : (double)NAN;
  return (XlaScalar){.f = {value, 0}};
}

static double _Complex toC(XlaScalar x) {
  return __builtin_complex(x.f.re, x.f.im);
}

static XlaScalar applyComplex(const XlaScalarOp *op, const XlaScalar *x) {
  const XlaScalarComplex *row = op->row.complexNumber;
  bool isSingle = op->type == XlaElementTypeC64 && row->single;
  double _Complex value = isSingle      ? row->single(toC(x[0]), toC(x[1]))
                          : row->binary ? row->binary(toC(x[0]), toC(x[1]))
                          : row->unary  ? row->unary(toC(x[0]))
                          : row->ternary
                              ? row->ternary(toC(x[0]), toC(x[1]), toC(x[2]))
                              : __builtin_complex((double)NAN, (double)NAN);
  return (XlaScalar){.f = {creal(value), cimag(value)}};
}

static XlaScalar applyInteger(const XlaScalarOp *op, const XlaScalar *x) {
  const XlaElementTypeInfo *type = xlaElementTypeGetInfo(op->type);
  const XlaScalarInteger *row = op->row.integer;
  XlaScalar value = row->binary    ? row->binary(type, x[0], x[1])
                    : row->unary   ? row->unary(type, x[0])
                    : row->ternary ? row->ternary(type, x[0], x[1], x[2])
                                   : (XlaScalar){.u = 0};
  return xlaScalarRound(op->type, value);
}

//===----------------------------------------------------------------------===//
// Operations of all classes
//===----------------------------------------------------------------------===//

static XlaScalar compare(const XlaScalarOp *op, const XlaScalar *x) {
  return (XlaScalar){.u = xlaScalarCompare(op->comparison, op->totalOrder,
                                           op->type, x[0], x[1])};
}

static XlaScalar makeComplex(const XlaScalarOp *op, const XlaScalar *x) {
  (void)op;
  return (XlaScalar){.f = {x[0].f.re, x[1].f.re}};
}

static XlaScalar convert(const XlaScalarOp *op, const XlaScalar *x) {
  return xlaScalarConvert(op->type, op->result, x[0]);
}

static XlaScalar isFinite(const XlaScalarOp *op, const XlaScalar *x) {
  (void)op;
  return (XlaScalar){.u = isfinite(x[0].f.re)};
}

static XlaScalar reducePrecision(const XlaScalarOp *op, const XlaScalar *x) {
  double value = xlaScalarReducePrecision(op->type, x[0].f.re, op->exponentBits,
                                          op->mantissaBits);
  return (XlaScalar){.f = {value, 0}};
}

static XlaScalar choose(const XlaScalarOp *op, const XlaScalar *x) {
  (void)op;
  return x[x[0].u ? 1 : 2];
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

XlaScalarOp xlaScalarOpMake(XlaOpKind kind, XlaElementType type,
                            XlaElementType result) {
  static XlaScalar (*const hooks[XlaOpKindCount])(const XlaScalarOp *,
                                                  const XlaScalar *) = {
      [XlaOpKindCompare] = compare,
      [XlaOpKindComplex] = makeComplex,
      [XlaOpKindConvert] = convert,
      [XlaOpKindIsFinite] = isFinite,
      [XlaOpKindReducePrecision] = reducePrecision,
      [XlaOpKindSelect] = choose,
  };
  XlaScalarOp op = {.apply = hooks[kind], .type = type, .result = result};
  XlaTypeClass typeClass = xlaElementTypeGetInfo(type)->typeClass;
  if (op.apply)
    return op;
  if (typeClass == XlaTypeClassFloat) {
    op.apply = applyReal;
    op.row.real = &xlaScalarReals[kind];
  } else if (typeClass == XlaTypeClassComplex) {
    op.apply = applyComplex;
    op.row.complexNumber = &xlaScalarComplexes[kind];
  } else {
    op.apply = applyInteger;
    op.row.integer = &xlaScalarIntegers[kind];
  }
  return op;
}

XlaScalarOp xlaScalarOpGet(MlirOperation op, XlaOpKind kind,
                           XlaElementType type, XlaElementType result) {
  static const char *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  XlaScalarOp scalar = xlaScalarOpMake(kind, type, result);
  if (kind == XlaOpKindCompare) {
    for (int i = 0; i < 6; ++i)
      if (xlaOpAttrIs(op, "comparison_direction", directions[i]))
        scalar.comparison = (XlaComparison)i;
    scalar.totalOrder = xlaOpAttrIs(op, "compare_type", "TOTALORDER");
  }
  if (kind == XlaOpKindReducePrecision) {
    int64_t e = xlaOpGetI64(op, "exponent_bits", 11);
    int64_t m = xlaOpGetI64(op, "mantissa_bits", 52);
    scalar.exponentBits = e > 11 ? 11 : (int)e;
    scalar.mantissaBits = m > 52 ? 52 : (int)m;
  }
  return scalar;
}

XlaScalar xlaScalarUnary(XlaOpKind kind, XlaElementType type, XlaScalar x) {
  XlaScalarOp op = xlaScalarOpMake(kind, type, type);
  return xlaScalarOpApply(&op, &x);
}

XlaScalar xlaScalarBinary(XlaOpKind kind, XlaElementType type, XlaScalar x,
                          XlaScalar y) {
  XlaScalarOp op = xlaScalarOpMake(kind, type, type);
  return xlaScalarOpApply(&op, (XlaScalar[2]){x, y});
}
