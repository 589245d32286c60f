//===- algebra_range_test.c - What integers may be ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random chains of operations on integers of all types, whose every value is
// computed by the evaluator and has to be in the range that is told of it.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/passes/simplify/algebra/algebra_fixture.h"

#include <stdio.h>

enum { size = 16, mostValues = 40, chains = 40 };

typedef struct Chain {
  XlaIr ir;
  uint64_t random;
  int n;
  MlirValue values[mostValues];
} Chain;

static int below(Chain *chain, int n) {
  chain->random = chain->random * UINT64_C(6364136223846793005) + 1;
  return (int)((chain->random >> 33) % (uint64_t)n);
}

static MlirType arrayOf(MlirContext context, XlaElementType type) {
  XlaShape shape = {.elementType = type, .rank = 1, .dims = {size}};
  return xlaShapeToMlir(&shape, context);
}

static void keep(Chain *chain, const char *name, MlirType type, int n,
                 const MlirValue *operands, int nAttrs,
                 const XlaIrAttr *attrs) {
  chain->values[chain->n++] =
      xlaIrOp(&chain->ir, name, type, n, operands, nAttrs, attrs);
}

static void addConstant(Chain *chain, XlaElementType type) {
  XlaShape shape = {.rank = 1, .dims = {size}};
  AlgebraSplat splat = {type, algebraElement(type, &chain->random)};
  if (below(chain, 3))
    splat.value = xlaScalarRound(
        type, (XlaScalar){.s = below(chain, 24) - below(chain, 2) * 8});
  chain->values[chain->n++] = xlaAlgebraRepeat(&chain->ir, &shape, &splat);
}

/// An argument, an iota, and constants of both kinds.
static void begin(Chain *chain, MlirBlock block, XlaElementType type) {
  MlirContext context = chain->ir.context;
  MlirType array = arrayOf(context, type);
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  chain->values[chain->n++] =
      mlirBlockAddArgument(block, array, chain->ir.location);
  keep(chain, "xla.iota", array, 0, NULL, 1,
       &(XlaIrAttr){"iota_dimension",
                    mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), 0)});
  for (int i = 0; i < 3; ++i)
    addConstant(chain, type);
  if (info->bits < 8)
    return;
  char bytes[size * 8];
  for (int i = 0; i < size; ++i)
    xlaScalarStore(
        type, bytes + i * info->bytes,
        xlaScalarRound(type, (XlaScalar){.s = below(chain, 50) - 5}));
  keep(chain, "xla.constant", array, 0, NULL, 1,
       &(XlaIrAttr){"value", mlirDenseElementsAttrRawBufferGet(
                                 array, (size_t)(size * info->bytes), bytes)});
}

/// One operation on any of the values so far, or its conversion to and fro.
static void grow(Chain *chain, XlaElementType type) {
  static const char *const binary[] = {
      "xla.add",     "xla.subtract", "xla.multiply", "xla.divide",
      "xla.maximum", "xla.minimum",  "xla.and",      "xla.shift_right_logical",
      "xla.or",      "xla.remainder"};
  enum { nBinary = sizeof binary / sizeof *binary };
  MlirContext context = chain->ir.context;
  MlirType array = arrayOf(context, type);
  MlirValue operands[3];
  for (int i = 0; i < 3; ++i)
    operands[i] = chain->values[below(chain, chain->n)];
  int which = below(chain, nBinary + 4);
  if (which < nBinary) {
    keep(chain, binary[which], array, 2, operands, 0, NULL);
  } else if (which == nBinary) {
    keep(chain, "xla.clamp", array, 3, operands, 0, NULL);
  } else if (which == nBinary + 1) {
    MlirType pred = arrayOf(context, XlaElementTypePred);
    MlirValue choice[3] = {
        xlaIrOp(&chain->ir, "xla.compare", pred, 2, operands, 1,
                &(XlaIrAttr){"comparison_direction",
                             xlaIrStringAttr(context, "LT")}),
        operands[1], operands[2]};
    keep(chain, "xla.select", array, 3, choice, 0, NULL);
  } else if (which == nBinary + 2) {
    keep(chain, "xla.reverse", array, 1, operands, 1,
         &(XlaIrAttr){"dimensions",
                      mlirDenseI64ArrayGet(context, 1, (int64_t[1]){0})});
  } else {
    static const XlaElementType others[] = {
        XlaElementTypeS8,  XlaElementTypeU8,  XlaElementTypeU16,
        XlaElementTypeS64, XlaElementTypeU64, XlaElementTypePred};
    MlirType other =
        arrayOf(context, others[below(chain, sizeof others / sizeof *others)]);
    MlirValue converted =
        xlaIrOp(&chain->ir, "xla.convert", other, 1, operands, 0, NULL);
    keep(chain, "xla.convert", array, 1, &converted, 0, NULL);
  }
}

static MlirModule wrap(Chain *chain, MlirRegion region, MlirType type) {
  MlirType outputs[mostValues];
  for (int i = 0; i < chain->n; ++i)
    outputs[i] = type;
  xlaIrCreate(&chain->ir, "func.return", chain->n, chain->values, 0, NULL, 0,
              NULL, 0, NULL);
  MlirModule module = mlirModuleCreateEmpty(chain->ir.location);
  XlaIr ir = xlaIrAtEnd(chain->ir.context, chain->ir.location,
                        mlirModuleGetBody(module));
  XlaIrAttr attrs[2] = {
      {"sym_name", xlaIrStringAttr(ir.context, "main")},
      {"function_type", mlirTypeAttrGet(mlirFunctionTypeGet(
                            ir.context, 1, &type, chain->n, outputs))}};
  xlaIrCreate(&ir, "func.func", 0, NULL, 0, NULL, 2, attrs, 1, &region);
  assert_true(mlirOperationVerify(mlirModuleGetOperation(module)));
  return module;
}

static bool isSigned(XlaElementType type) {
  return xlaElementTypeGetInfo(type)->typeClass == XlaTypeClassSigned;
}

/// How many of the values have a range that is narrower than their type.
static int check(const Chain *chain, MlirModule module, XlaElementType type) {
  XlaShape shape = {.elementType = type, .rank = 1, .dims = {size}};
  XlaLiteral *input = xlaLiteralCreateArray(&shape), *results[mostValues];
  uint64_t random = chain->random;
  int narrow = 0;
  assert_non_null(input);
  for (int64_t i = 0; i < size; ++i)
    xlaLiteralSet(input, i, algebraElement(type, &random));
  assert_true(algebraEvaluate(mlirModuleGetOperation(module),
                              mlirStringRefCreateFromCString("main"), 1, &input,
                              chain->n, results));
  AlgebraRange whole, range;
  bool wholeKnown = xlaAlgebraRange(chain->values[0], &whole);
  for (int v = 0; v < chain->n; ++v) {
    bool known = xlaAlgebraRange(chain->values[v], &range);
    assert_true(known || !wholeKnown);
    narrow += known && (!wholeKnown || range.least != whole.least ||
                        range.most != whole.most);
    for (int64_t i = 0; i < size && known; ++i) {
      XlaScalar x = xlaScalarRead(results[v], i, type);
      assert_true(isSigned(type) || x.u <= INT64_MAX);
      if (x.s < range.least || x.s > range.most) {
        mlirOperationDump(mlirModuleGetOperation(module));
        fail_msg("result %d, element %d: %lld is not in %lld .. %lld", v,
                 (int)i, (long long)x.s, (long long)range.least,
                 (long long)range.most);
      }
    }
    xlaLiteralRelease(results[v]);
  }
  xlaLiteralRelease(input);
  return narrow;
}

static void testChains(void **state) {
  MlirContext *context = *state;
  for (int type = 1; type < XlaElementTypeCount; ++type) {
    int narrow = 0;
    if (!xlaElementTypeIsInteger((XlaElementType)type))
      continue;
    for (int seed = 0; seed < chains; ++seed) {
      MlirRegion region = mlirRegionCreate();
      MlirBlock block = mlirBlockCreate(0, NULL, NULL);
      mlirRegionAppendOwnedBlock(region, block);
      Chain chain = {
          .ir = xlaIrAtEnd(*context, mlirLocationUnknownGet(*context), block),
          .random = (uint64_t)(seed * 1000 + type)};
      begin(&chain, block, (XlaElementType)type);
      while (chain.n < mostValues)
        grow(&chain, (XlaElementType)type);
      MlirModule module =
          wrap(&chain, region, arrayOf(*context, (XlaElementType)type));
      narrow += check(&chain, module, (XlaElementType)type);
      mlirModuleDestroy(module);
    }
    printf("%s: %d of %d are narrow\n",
           xlaElementTypeGetInfo((XlaElementType)type)->name, narrow,
           chains * mostValues);
    assert_true(narrow > chains * 4);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
      testChains, algebraSetUp, algebraTearDown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
