//===- ops_test.c - Maps of every operation -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps against the reference evaluator (judge.h), for every operation
// of ops.def that has them: those of the examples in the documentation, the
// elementwise ones, and the programs of programs.def.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/dialect/indexing/op_maps.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op_examples.h"
#include "xlac/test/dialect/indexing/judge.h"
#include "xlac/test/dialect/indexing/subject.h"

#include "mlir-c/RegisterEverything.h"

#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Larger operations of examples are left to smaller programs.
enum { maxElements = 64 };

static MlirContext context;
/// How many pairs of a result and an operand were judged of each operation.
static int judged[XlaOpKindCount];

/// Judges all operations of the functions in `text`; how many.
static int judgeProgram(const char *text, int nReplicas) {
  int n = 0;
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  if (mlirModuleIsNull(module))
    fail_msg("%s", text);
  for (MlirOperation function =
           mlirBlockGetFirstOperation(mlirModuleGetBody(module));
       function.ptr; function = mlirOperationGetNextInBlock(function)) {
    MlirBlock block =
        mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
    for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
         op = mlirOperationGetNextInBlock(op))
      if (isJudgeable(op, maxElements)) {
        judged[xlaOpGetKind(op)] += judgeOperation(op, nReplicas, true);
        ++n;
      }
  }
  mlirModuleDestroy(module);
  return n;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static void examples(void **state) {
  for (int kind = 1; kind < XlaOpKindCount; ++kind) {
    const char *text = xlaOpGetExample((XlaOpKind)kind);
    // Those run in several replicas.
    if (text && xlaOpGetInfo((XlaOpKind)kind)->family != XlaFamilyCollective)
      judgeProgram(text, 1);
  }
}

static void elementwise(void **state) {
  for (int i = 1; i < XlaOpKindCount; ++i) {
    XlaOpKind kind = (XlaOpKind)i;
    const XlaOpInfo *info = xlaOpGetInfo(kind);
    char text[512];
    const char *type = info->typeClasses & XlaTypeClassFloat    ? "f32"
                       : info->typeClasses & XlaTypeClassSigned ? "i32"
                                                                : "i1";
    bool isUnary = info->minOperands == 1;
    if (info->family != XlaFamilyElementwise || judged[kind])
      continue;
    snprintf(text, sizeof text,
             "func.func @main(%%x: tensor<2x3x%s>, %%y: tensor<2x3x%s>) {\n"
             "  %%0 = xla.%s %%x%s : tensor<2x3x%s>\n  return\n}\n",
             type, type, info->name, isUnary ? "" : ", %y", type);
    assert_int_equal(judgeProgram(text, 1), 1);
  }
}

/// Programs, each in a run of so many replicas, of which all operations but
/// constants are judged.
typedef struct Program {
  int nReplicas, nOps;
  const char *text;
} Program;

static void programs(void **state) {
  static const Program table[] = {
#define PROGRAM(replicas, ops, text) {replicas, ops, text},
#include "xlac/test/dialect/indexing/programs.def"
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (judgeProgram(table[i].text, table[i].nReplicas) != table[i].nOps)
      fail_msg("not all operations have maps:\n%s", table[i].text);
}

/// A fusion of many operations on many operands, some of them read twice: along
/// the rows as they are, and reversed. A walk for every operand would not end.
static void largeFusion(void **state) {
  enum { nOps = 200, nOperands = 50 };
  char type[] = "tensor<64x128xf32>";
  XlaIrText text = {0};
  char line[160];
#define PUT(...)                                                               \
  (snprintf(line, sizeof line, __VA_ARGS__),                                   \
   xlaIrTextAppend(mlirStringRefCreateFromCString(line), &text))
  PUT("func.func @main(");
  for (int i = 0; i < nOperands; ++i)
    PUT("%s%%x%d: %s", i ? ", " : "", i, type);
  PUT(") {\n  %%0 = xla.fusion(");
  for (int i = 0; i < nOperands; ++i)
    PUT("%s%%x%d", i ? ", " : "", i);
  PUT(") ({\n  ^bb0(");
  for (int i = 0; i < nOperands; ++i)
    PUT("%s%%v%d: %s", i ? ", " : "", i, type);
  PUT("):\n");
  for (int i = nOperands; i < nOperands + nOps; ++i)
    if (i % 10 == 9)
      PUT("%%v%d = xla.reverse %%v%d {dimensions = [1]} : %s\n", i, i - 1,
          type);
    else
      PUT("%%v%d = xla.add %%v%d, %%v%d : %s\n", i, i - 1,
          (i * 7 + i / nOperands) % nOperands, type);
  PUT("xla.return %%v%d : %s\n}) {kind = \"loop\"} : (", nOperands + nOps - 1,
      type);
  for (int i = 0; i < nOperands; ++i)
    PUT("%s%s", i ? ", " : "", type);
  PUT(") -> %s\n  return\n}\n", type);
#undef PUT
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreate(text.data, text.size));
  assert_false(mlirModuleIsNull(module));
  MlirOperation function =
      mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  MlirOperation op = mlirBlockGetFirstOperation(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
  XlaOpReads reads;
  assert_true(xlaOpGetReads(op, 0, &reads));
  assert_int_equal(reads.n, nOperands);
  int ways = 0;
  for (intptr_t i = 0; i < reads.n; ++i) {
    assert_int_equal(reads.values[i].known, XlaOpMapsKnown);
    assert_in_range(reads.values[i].maps.n, 1, 2);
    ways += (int)reads.values[i].maps.n;
  }
  assert_true(ways > nOperands);
  xlaOpReadsFree(&reads);
  free(text.data);
  mlirModuleDestroy(module);
}

/// Operations without operands, and those whose maps nothing says: of values
/// that are no arrays, control flow, and code from elsewhere.
static bool isWithout(XlaOpKind kind) {
  static const XlaFamily families[] = {XlaFamilyConstant, XlaFamilyControlFlow,
                                       XlaFamilyCall, XlaFamilyTransfer};
  for (size_t i = 0; i < sizeof families / sizeof *families; ++i)
    if (xlaOpGetInfo(kind)->family == families[i])
      return true;
  return kind == XlaOpKindReplicaId || kind == XlaOpKindPartitionId ||
         kind == XlaOpKindTuple || kind == XlaOpKindGetTupleElement ||
         kind == XlaOpKindAfterAll || kind == XlaOpKindCreateToken;
}

/// After all other tests: each operation has been judged, or is known to have
/// no maps.
static void everyOperation(void **state) {
  int total = 0;
  for (int i = 1; i < XlaOpKindCount; ++i) {
    if (!judged[i] != isWithout((XlaOpKind)i))
      fail_msg("%s was %s", xlaOpGetInfo((XlaOpKind)i)->name,
               judged[i] ? "judged" : "not judged");
    total += judged[i];
  }
  print_message("%d pairs of a result and an operand\n", total);
}

static int setUp(void **state) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  xlaDialectRegister(registry);
  context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  return 0;
}

static int tearDown(void **state) {
  mlirContextDestroy(context);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples), cmocka_unit_test(elementwise),
      cmocka_unit_test(programs), cmocka_unit_test(largeFusion),
      cmocka_unit_test(everyOperation)};
  return cmocka_run_group_tests(tests, setUp, tearDown);
}
