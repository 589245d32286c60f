//===- module_test.c - Programs as people have them, from C ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/unit.h"

#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/formats/module.h"
#include "xlac/lowering/client.h"
#include "xlac/passes/import/stablehlo.h"

#include <stdlib.h>
#include <string.h>

/// x - y, as jax prints it.
static const char stablehlo[] =
    "module @jit_f attributes {mhlo.num_partitions = 1 : i32} {\n"
    "  func.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> "
    "(tensor<2xf32> {jax.result_info = \"result\"}) {\n"
    "    %0 = stablehlo.subtract %arg0, %arg1 : tensor<2xf32>\n"
    "    return %0 : tensor<2xf32>\n"
    "  }\n"
    "}\n";

static const char hlo[] = "HloModule f\n\n"
                          "ENTRY main {\n"
                          "  x = f32[2] parameter(0)\n"
                          "  y = f32[2] parameter(1)\n"
                          "  ROOT z = f32[2] subtract(x, y)\n"
                          "}\n";

static XlaClient *createClient(void) {
  XlaClient *client;
  XlaClientOptions options = {.device = "cpu"};
  assert_null(xlaClientCreate(&options, &client));
  return client;
}

/// Reads what its content says that it is, and imports it.
static MlirModule readText(XlaClient *client, const char *text) {
  MlirStringRef bytes = mlirStringRefCreateFromCString(text);
  MlirModule module;
  assert_int_equal(xlaModuleRead(xlaClientGetContext(client), bytes,
                                 mlirStringRefCreateFromCString("f"),
                                 xlaModuleDetectFormat(bytes), &module),
                   XlaImportResultOk);
  MlirOperation op = mlirModuleGetOperation(module);
  assert_int_equal(xlaImportStableHlo(op), XlaImportResultOk);
  assert_true(mlirOperationVerify(op));
  return module;
}

static void run(XlaClient *client, MlirModule module) {
  XlaLoadedExecutable *executable;
  XlaLiteral *inputs[2], *output;
  assert_null(xlaClientCompileModule(client, module, "main", &executable));
  for (int i = 0; i < 2; ++i) {
    inputs[i] = xlaLiteralCreateArray(XLA_SHAPE(F32, 2));
    memcpy(xlaLiteralGetMutableData(inputs[i]),
           i ? (float[]){1, 2} : (float[]){5, 8}, 2 * sizeof(float));
  }
  assert_null(xlaLoadedExecutableRun(
      executable, 2, (const XlaLiteral *const *)inputs, &output));
  assert_memory_equal(xlaLiteralGetData(output), ((float[]){4, 6}),
                      2 * sizeof(float));
  xlaLiteralRelease(inputs[0]);
  xlaLiteralRelease(inputs[1]);
  xlaLiteralRelease(output);
  xlaLoadedExecutableDestroy(executable);
}

/// A client's context has to be told of no dialects before.
static void readsAndRuns(void **state) {
  (void)state;
  static const char *const texts[] = {stablehlo, hlo};
  for (int i = 0; i < 2; ++i) {
    XlaClient *client = createClient();
    MlirModule module = readText(client, texts[i]);
    run(client, module);
    mlirModuleDestroy(module);
    xlaClientDestroy(client);
  }
}

/// Every form that is text is read again after it was written.
static void writesAndReads(void **state) {
  (void)state;
  static const XlaModuleWriteFormat forms[] = {
      XlaModuleWriteFormatStablehlo, XlaModuleWriteFormatStablehloGeneric,
      XlaModuleWriteFormatStablehloLocated, XlaModuleWriteFormatHlo,
      XlaModuleWriteFormatXla};
  XlaClient *client = createClient();
  MlirModule module = readText(client, stablehlo);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) {
    XlaIrText text = {0};
    assert_int_equal(xlaModuleWrite(module, forms[i], xlaIrTextAppend, &text),
                     XlaImportResultOk);
    xlaIrTextAppend(mlirStringRefCreate("", 1), &text);
    assert_false(text.isCut);
    MlirModule again = readText(client, text.data);
    run(client, again);
    mlirModuleDestroy(again);
    free(text.data);
  }
  mlirModuleDestroy(module);
  xlaClientDestroy(client);
}

/// x + c of large arrays, with a different number in every element of c, as an
/// artifact.
static XlaIrText largeArtifact(XlaClient *client) {
  enum { n = XLA_MODULE_LARGE_CONSTANT / sizeof(int32_t) };
  const char *type = "tensor<65536xi32>";
  XlaIrText text = {0}, artifact = {0};
  xlaIrTextPrint(&text,
                 "func.func @main(%%x: %s) -> %s {\n"
                 "  %%c = stablehlo.constant dense<\"0x",
                 type, type);
  for (uint32_t i = 0; i < n; ++i)
    xlaIrTextPrint(&text, "%08X", __builtin_bswap32(i));
  xlaIrTextPrint(&text,
                 "\"> : %s\n  %%y = stablehlo.add %%x, %%c : %s\n"
                 "  return %%y : %s\n}\n",
                 type, type, type);
  xlaIrTextAppend(mlirStringRefCreate("", 1), &text);
  assert_false(text.isCut);
  MlirModule module = readText(client, text.data);
  assert_int_equal(xlaModuleWrite(module, XlaModuleWriteFormatArtifact,
                                  xlaIrTextAppend, &artifact),
                   XlaImportResultOk);
  mlirModuleDestroy(module);
  free(text.data);
  return artifact;
}

static MlirWalkResult findConstant(MlirOperation op, void *userData) {
  MlirAttribute *value = userData;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (strncmp(name.data, "stablehlo.constant", name.length) != 0)
    return MlirWalkResultAdvance;
  *value = mlirOperationGetInherentAttributeByName(
      op, mlirStringRefCreateFromCString("value"));
  return MlirWalkResultInterrupt;
}

/// What a constant of 65536 numbers gives when it is added to ones.
static void addOnes(XlaClient *client, MlirModule module) {
  XlaLoadedExecutable *executable;
  XlaLiteral *input = xlaLiteralCreateArray(XLA_SHAPE(S32, 65536)), *output;
  for (int64_t i = 0; i < 65536; ++i)
    xlaLiteralSet(input, i, (XlaScalar){.s = 1});
  assert_null(xlaClientCompileModule(client, module, "main", &executable));
  assert_null(xlaLoadedExecutableRun(
      executable, 1, (const XlaLiteral *const *)&input, &output));
  for (int64_t i = 0; i < 65536; ++i)
    assert_int_equal(xlaLiteralGet(output, i).s, i + 1);
  xlaLiteralRelease(input);
  xlaLiteralRelease(output);
  xlaLoadedExecutableDestroy(executable);
}

/// What is written refers to constants, too: it is the same again.
static void writeAgain(MlirModule module, MlirStringRef expected) {
  XlaIrText text = {0};
  assert_int_equal(xlaImportStableHlo(mlirModuleGetOperation(module)),
                   XlaImportResultOk);
  assert_int_equal(xlaModuleWrite(module, XlaModuleWriteFormatArtifact,
                                  xlaIrTextAppend, &text),
                   XlaImportResultOk);
  assert_int_equal(text.size, expected.length);
  assert_memory_equal(text.data, expected.data, text.size);
  free(text.data);
}

/// Bytes that outlive the context are referred to; others are copied.
static void refersToLargeConstants(void **state) {
  (void)state;
  XlaClient *client = createClient();
  XlaIrText artifact = largeArtifact(client);
  MlirStringRef bytes = mlirStringRefCreate(artifact.data, artifact.size);
  for (int refers = 0; refers < 2; ++refers) {
    XlaModuleReadOptions options = {.refersToBytes = refers};
    MlirModule module;
    MlirAttribute value = {NULL};
    assert_int_equal(xlaModuleReadWith(xlaClientGetContext(client), bytes,
                                       mlirStringRefCreateFromCString("f"),
                                       XlaModuleFormatArtifact, &options,
                                       &module),
                     XlaImportResultOk);
    mlirOperationWalk(mlirModuleGetOperation(module), findConstant, &value,
                      MlirWalkPreOrder);
    const char *data = mlirExtDenseGetRawData(value).data;
    assert_int_equal(data > bytes.data && data < bytes.data + bytes.length,
                     refers);
    writeAgain(module, bytes);
    addOnes(client, module);
    mlirModuleDestroy(module);
  }
  xlaClientDestroy(client);
  free(artifact.data);
}

static void countRelease(void *user) { ++*(int *)user; }

/// The bytes may go once their release was called, and that is so when the
/// executable is gone at the latest, or if there is none.
static void saysWhenBytesMayGo(void **state) {
  (void)state;
  XlaClient *client = createClient();
  XlaIrText artifact = largeArtifact(client);
  for (int i = 0; i < 4; ++i) {
    bool isWhole = i < 2;
    int released = 0;
    XlaLoadedExecutable *executable;
    XlaClientProgram program = {.bytes = artifact.data,
                                .size = artifact.size - (isWhole ? 0 : 9),
                                .forArrays = i & 1,
                                .release = countRelease,
                                .user = &released};
    XlaStatus status = xlaClientCompileProgram(client, &program, &executable);
    assert_int_equal(status == NULL, isWhole);
    assert_true(released == 1 || (isWhole && !program.forArrays));
    xlaStatusDestroy(status);
    xlaLoadedExecutableDestroy(executable);
    assert_int_equal(released, 1);
  }
  xlaClientDestroy(client);
  free(artifact.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(readsAndRuns),
      cmocka_unit_test(writesAndReads),
      cmocka_unit_test(refersToLargeConstants),
      cmocka_unit_test(saysWhenBytesMayGo),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
