//===- gen_test.c - Random programs are what they should be ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/ir.h"
#include "xlac/formats/module.h"
#include "xlac/passes/import/stablehlo.h"
#include "xlac/tools/xla-gen/program.h"

#include "xlac/test/support/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { nPrograms = 200, maxOutputs = 8 };

static int setUp(void **state) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  xlaModuleDialectsRegister(registry);
  MlirContext *context = malloc(sizeof *context);
  assert_non_null(context);
  *context = mlirContextCreateWithRegistry(registry, false);
  mlirContextSetAllowUnregisteredDialects(*context, true);
  mlirDialectRegistryDestroy(registry);
  mlirContextSetAllowUnregisteredDialects(*context, true);
  *state = context;
  return 0;
}

static int tearDown(void **state) {
  MlirContext *context = *state;
  mlirContextDestroy(*context);
  free(context);
  return 0;
}

static MlirModule generate(MlirContext context, const XlaGenOptions *options,
                           XlaGenSignature *signature) {
  MlirModule module = xlaGenModule(context, options, signature);
  assert_false(mlirModuleIsNull(module));
  MlirOperation op = mlirModuleGetOperation(module);
  if (!mlirOperationVerify(op)) {
    mlirOperationDump(op);
    fail_msg("seed %llu does not verify", (unsigned long long)options->seed);
  }
  return module;
}

static XlaGenOptions withSeed(uint64_t seed) {
  XlaGenOptions options = xlaGenOptionsDefault();
  options.seed = seed;
  return options;
}

//===----------------------------------------------------------------------===//
// What programs are made of
//===----------------------------------------------------------------------===//

typedef struct Seen {
  int ops[XlaOpKindCount], types[XlaElementTypeCount], ranks[33];
  int empty, largest;
} Seen;

static void see(MlirValue value, Seen *seen) {
  XlaShape shape;
  int64_t count;
  if (!xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL))
    return;
  assert_true(xlaShapeGetElementCount(&shape, &count));
  ++seen->types[shape.elementType];
  ++seen->ranks[shape.rank];
  seen->empty += count == 0;
  if (count > seen->largest)
    seen->largest = (int)count;
}

static MlirWalkResult count(MlirOperation op, void *data) {
  Seen *seen = data;
  ++seen->ops[xlaOpGetKind(op)];
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    see(mlirOperationGetResult(op, i), seen);
  return MlirWalkResultAdvance;
}

/// Every operation with a hook, element type, and rank up to 5 occurs.
static void everythingOccurs(void **state) {
  MlirContext *context = *state;
  Seen seen = {.empty = 0};
  XlaGenOptions options = withSeed(1);
  options.count = 2000;
  options.own = true;
  MlirModule module = generate(*context, &options, NULL);
  mlirOperationWalk(mlirModuleGetOperation(module), count, &seen,
                    MlirWalkPreOrder);
  mlirModuleDestroy(module);
  for (XlaOpKind kind = 1; kind < XlaOpKindCount; ++kind)
    if (xlaGenHasHook(kind) && seen.ops[kind] < 5)
      fail_msg("%s occurs %d times", xlaOpGetInfo(kind)->name, seen.ops[kind]);
  for (XlaElementType type = 1; type < XlaElementTypeCount; ++type)
    if (seen.types[type] < 50)
      fail_msg("%s occurs %d times", xlaElementTypeGetInfo(type)->name,
               seen.types[type]);
  for (int rank = 0; rank <= 5; ++rank)
    assert_true(seen.ranks[rank] > 200);
  assert_true(seen.empty > 500);
  assert_in_range(seen.largest, 1000, 2000);
}

/// Options limit operations, element types and sizes.
static void optionsLimit(void **state) {
  MlirContext *context = *state;
  Seen seen = {.empty = 0};
  XlaGenOptions options = withSeed(1);
  options.count = 100;
  options.ops = 20;
  options.maxElements = 30;
  memset(options.allowedOps, 0, sizeof options.allowedOps);
  memset(options.allowedTypes, 0, sizeof options.allowedTypes);
  options.allowedOps[XlaOpKindReverse] = true;
  options.allowedOps[XlaOpKindSubtract] = true;
  options.allowedTypes[XlaElementTypeF16] = true;
  options.allowedTypes[XlaElementTypeU8] = true;
  MlirModule module = generate(*context, &options, NULL);
  mlirOperationWalk(mlirModuleGetOperation(module), count, &seen,
                    MlirWalkPreOrder);
  mlirModuleDestroy(module);
  assert_in_range(seen.ops[XlaOpKindReverse] + seen.ops[XlaOpKindSubtract],
                  1800, 2000);
  assert_int_equal(seen.ops[XlaOpKindAdd] + seen.ops[XlaOpKindTranspose], 0);
  assert_true(seen.types[XlaElementTypeF16] > 0);
  assert_true(seen.types[XlaElementTypeU8] > 0);
  assert_int_equal(seen.types[XlaElementTypeF32], 0);
  assert_in_range(seen.largest, 15, 30);
}

//===----------------------------------------------------------------------===//
// What programs compute
//===----------------------------------------------------------------------===//

typedef struct Outputs {
  intptr_t n;
  XlaLiteral *items[maxOutputs];
} Outputs;

static Outputs evaluate(MlirModule module, const XlaGenSignature *signature) {
  Outputs outputs = {.n = signature->nResults};
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(module),
                         &(XlaEvaluatorOptions){.customCall = NULL});
  MlirOperation function =
      xlaEvaluatorLookup(evaluator, mlirStringRefCreateFromCString("main"));
  XlaLiteral *inputs[8];
  for (int i = 0; i < signature->nInputs; ++i) {
    inputs[i] = xlaGenInput(signature->seed, i, &signature->inputs[i]);
    assert_non_null(inputs[i]);
  }
  if (mlirLogicalResultIsFailure(xlaEvaluatorRun(
          evaluator, function, signature->nInputs,
          (const XlaLiteral *const *)inputs, outputs.n, outputs.items)))
    fail_msg("seed %llu does not run", (unsigned long long)signature->seed);
  for (int i = 0; i < signature->nInputs; ++i)
    xlaLiteralRelease(inputs[i]);
  xlaEvaluatorDestroy(evaluator);
  return outputs;
}

static bool sameSignature(const XlaGenSignature *a, const XlaGenSignature *b) {
  bool same = a->nInputs == b->nInputs && a->nResults == b->nResults;
  for (int i = 0; same && i < a->nInputs; ++i)
    same = a->inputs[i].elementType == b->inputs[i].elementType &&
           xlaShapeDimsEqual(&a->inputs[i], &b->inputs[i]);
  for (int i = 0; same && i < a->nResults; ++i)
    same = a->results[i].elementType == b->results[i].elementType &&
           xlaShapeDimsEqual(&a->results[i], &b->results[i]);
  return same;
}

static bool sameOutputs(const Outputs *a, const Outputs *b) {
  bool same = a->n == b->n;
  for (intptr_t i = 0; same && i < a->n; ++i)
    same =
        xlaLiteralGetByteCount(a->items[i]) ==
            xlaLiteralGetByteCount(b->items[i]) &&
        !memcmp(xlaLiteralGetData(a->items[i]), xlaLiteralGetData(b->items[i]),
                xlaLiteralGetByteCount(a->items[i]));
  return same;
}

static void release(Outputs *outputs) {
  for (intptr_t i = 0; i < outputs->n; ++i)
    xlaLiteralRelease(outputs->items[i]);
}

/// The program in StableHLO's generic form; to be freed.
static char *stablehloOf(MlirModule module) {
  XlaIrText text = {0};
  assert_int_equal(xlaModuleWrite(module, XlaModuleWriteFormatStablehloGeneric,
                                  xlaIrTextAppend, &text),
                   XlaImportResultOk);
  xlaIrTextAppend(mlirStringRefCreate("", 1), &text);
  return text.data;
}

/// The same text for the same seed; in StableHLO and back, and with the inputs
/// in the program, it computes the same bits.
static void formsAgree(void **state) {
  MlirContext *context = *state;
  for (uint64_t seed = 1; seed <= nPrograms; ++seed) {
    XlaGenOptions options = withSeed(seed);
    XlaGenSignature signature, again;
    MlirModule module = generate(*context, &options, &signature);
    MlirModule copy = generate(*context, &options, &again);
    char *texts[2] = {stablehloOf(module), stablehloOf(copy)};
    assert_non_null(texts[0]);
    if (strcmp(texts[0], texts[1]) != 0)
      fail_msg("seed %llu has two programs", (unsigned long long)seed);
    MlirModule imported =
        xlaStableHloParse(*context, mlirStringRefCreateFromCString(texts[0]),
                          mlirStringRefCreateFromCString("-"));
    assert_false(mlirModuleIsNull(imported));
    if (xlaImportStableHlo(mlirModuleGetOperation(imported)) !=
            XlaImportResultOk ||
        !mlirOperationVerify(mlirModuleGetOperation(imported)))
      fail_msg("seed %llu is not imported", (unsigned long long)seed);
    options.bakesInputs = true;
    MlirModule baked = generate(*context, &options, &again);
    Outputs wanted = evaluate(module, &signature);
    Outputs found[2] = {evaluate(imported, &signature),
                        evaluate(baked, &again)};
    for (int i = 0; i < 2; ++i) {
      if (!sameOutputs(&wanted, &found[i]))
        fail_msg("seed %llu computes something else %s",
                 (unsigned long long)seed, i ? "baked" : "in StableHLO");
      release(&found[i]);
    }
    release(&wanted);
    mlirModuleDestroy(module);
    mlirModuleDestroy(copy);
    mlirModuleDestroy(imported);
    mlirModuleDestroy(baked);
    free(texts[0]);
    free(texts[1]);
  }
}

/// Variations have the same signature and close results; what moves integers
/// is the same.
static void variationsAreClose(void **state) {
  MlirContext *context = *state;
  int64_t exact = 0, close = 0, far = 0;
  for (uint64_t seed = 1; seed <= nPrograms; ++seed) {
    XlaGenOptions options = withSeed(seed);
    XlaGenSignature signature, varied;
    MlirModule module = generate(*context, &options, &signature);
    Outputs wanted = evaluate(module, &signature);
    mlirModuleDestroy(module);
    for (options.variation = 1; options.variation <= 6; ++options.variation) {
      module = generate(*context, &options, &varied);
      assert_true(sameSignature(&signature, &varied));
      Outputs found = evaluate(module, &varied);
      for (intptr_t i = 0; i < found.n; ++i)
        for (int64_t k = 0; k < xlaLiteralGetElementCount(found.items[i]);
             ++k) {
          XlaElementType type = signature.results[i].elementType;
          XlaScalar a = xlaLiteralGet(wanted.items[i], k);
          XlaScalar b = xlaLiteralGet(found.items[i], k);
          double error = fabs(a.f.re - b.f.re);
          bool isFloat = xlaElementTypeGetInfo(type)->exponentBits > 0;
          if (!memcmp(&a, &b, isFloat ? sizeof a : sizeof a.u) ||
              (isFloat && isnan(a.f.re) && isnan(b.f.re)))
            ++exact;
          else if (isFloat && error <= 1e-2 * fabs(a.f.re))
            ++close;
          else
            ++far;
        }
      release(&found);
      mlirModuleDestroy(module);
    }
    release(&wanted);
  }
  print_message("%lld the same, %lld close, %lld far\n", (long long)exact,
                (long long)close, (long long)far);
  assert_true(exact > 5 * (close + far) && close > exact / 200);
  assert_true(far > 0 && far < exact / 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everythingOccurs),
      cmocka_unit_test(optionsLimit),
      cmocka_unit_test(formsAgree),
      cmocka_unit_test(variationsAreClose),
  };
  return cmocka_run_group_tests_name("gen", tests, setUp, tearDown);
}
