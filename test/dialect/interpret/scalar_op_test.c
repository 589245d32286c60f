//===- scalar_op_test.c - Rows of elementwise operations ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/scalar/internal.h"
#include "xlac/dialect/interpret/scalar/op.h"

#include "xlac/test/support/unit.h"

/// Whether a row has a function of `n` operands, and no other.
#define IS_ROW_OF(row, n)                                                      \
  (((row)->unary != NULL) == ((n) == 1) &&                                     \
   ((row)->binary != NULL) == ((n) == 2) &&                                    \
   ((row)->ternary != NULL) == ((n) == 3))

static bool isDefined(const XlaScalarOp *op, int nOperands) {
  XlaTypeClass typeClass = xlaElementTypeGetInfo(op->type)->typeClass;
  if (typeClass == XlaTypeClassFloat)
    return IS_ROW_OF(op->row.real, nOperands);
  if (typeClass == XlaTypeClassComplex)
    return IS_ROW_OF(op->row.complexNumber, nOperands);
  return IS_ROW_OF(op->row.integer, nOperands);
}

/// Every operation has a function for every class of types that it takes.
static void testRows(void **state) {
  static const XlaElementType types[] = {XlaElementTypePred, XlaElementTypeS32,
                                         XlaElementTypeU32, XlaElementTypeF32,
                                         XlaElementTypeC64};
  int rows = 0;
  (void)state;
  for (int kind = 1; kind < XlaOpKindCount; ++kind) {
    const XlaOpInfo *info = xlaOpGetInfo((XlaOpKind)kind);
    if (info->family != XlaFamilyElementwise)
      continue;
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
      XlaScalarOp op = xlaScalarOpMake((XlaOpKind)kind, types[i], types[i]);
      assert_non_null(op.apply);
      if (!(info->typeClasses & xlaElementTypeGetInfo(types[i])->typeClass) ||
          !op.row.real) // of all classes
        continue;
      ++rows;
      if (!isDefined(&op, info->minOperands))
        fail_msg("%s of %s has no function of %d operands", info->name,
                 xlaElementTypeGetInfo(types[i])->name, info->minOperands);
    }
  }
  assert_true(rows > 100);
}

/// What verification refuses has a value all the same.
static void testUndefined(void **state) {
  XlaScalar one = {.f = {1, 1}}, x;
  (void)state;
  x = xlaScalarUnary(XlaOpKindNot, XlaElementTypeF32, one);
  assert_true(x.f.re != x.f.re);
  x = xlaScalarBinary(XlaOpKindXor, XlaElementTypeC64, one, one);
  assert_true(x.f.re != x.f.re && x.f.im != x.f.im);
  assert_int_equal(
      xlaScalarUnary(XlaOpKindSqrt, XlaElementTypeS32, (XlaScalar){.s = 4}).s,
      0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testRows),
      cmocka_unit_test(testUndefined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
