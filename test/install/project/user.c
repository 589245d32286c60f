//===- user.c - A program outside the tree that uses an installed xlac ----===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/Dialect/Func.h"
#include "xlac/dialect/dialect.h"
#include "xlac/lowering/executable.h"
#include "xlac/runtime/npy.h"
#include "xlac/runtime/pool.h"

#include <stdio.h>

static int fail(XlaStatus status) {
  fprintf(stderr, "%s\n", xlaStatusMessage(status));
  xlaStatusDestroy(status);
  return 1;
}

/// Uses the runtime: an array through a file.
static XlaStatus writeAndRead(const char *path, XlaPool *pool) {
  void *data = NULL;
  XLA_RETURN_IF_ERROR(xlaPoolAllocate(pool, 2 * sizeof(float), &data));
  ((float *)data)[0] = 1;
  ((float *)data)[1] = 2;
  XlaNpy array = {.kind = 'f',
                  .itemSize = 4,
                  .rank = 1,
                  .dims = {2},
                  .data = data,
                  .byteCount = 2 * sizeof(float)};
  XlaStatus status = xlaNpyWrite(path, &array);
  xlaPoolFree(data);
  XLA_RETURN_IF_ERROR(status);
  XLA_RETURN_IF_ERROR(xlaNpyRead(path, 1 << 20, &array));
  printf("%g %g\n", ((float *)array.data)[0], ((float *)array.data)[1]);
  xlaNpyDestroy(&array);
  return NULL;
}

/// Uses the compiler: a program that is compiled and run.
static int compileAndRun(MlirModule module) {
  XlaExecutable *executable;
  if (mlirLogicalResultIsFailure(xlaExecutableCompile(
          module, mlirStringRefCreateFromCString("f"), NULL, &executable)))
    return 1;
  const XlaShape *input = xlaExecutableGetInputShape(executable, 0);
  const XlaShape *output = xlaExecutableGetOutputShape(executable, 0);
  printf("%ld of %ld elements in, %ld of %ld out\n",
         (long)xlaExecutableGetNumInputs(executable), (long)input->dims[0],
         (long)xlaExecutableGetNumOutputs(executable), (long)output->dims[0]);
  _Alignas(64) float x[2] = {1, 2}, y[2];
  const void *inputs[] = {x};
  void *outputs[] = {y};
  int failed =
      mlirLogicalResultIsFailure(xlaExecutableRun(executable, inputs, outputs));
  printf("%g %g\n", y[0], y[1]);
  xlaExecutableDestroy(executable);
  return failed;
}

static void print(MlirStringRef text, void *file) {
  fwrite(text.data, 1, text.length, file);
}

/// Uses the dialect: a program that is parsed, verified and printed, and run.
static int useProgram(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__func__(), registry);
  xlaDialectRegister(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreateFromCString(
                   "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                   "  %0 = \"xla.add\"(%x, %x)"
                   " : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\n"
                   "  return %0 : tensor<2xf32>\n"
                   "}"));
  int failed = mlirModuleIsNull(module);
  if (!failed) {
    mlirOperationPrint(mlirModuleGetOperation(module), print, stdout);
    failed = compileAndRun(module);
  }
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return failed;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  XlaPool *pool = NULL;
  XlaStatus status = xlaPoolCreate((XlaPoolOptions){0}, &pool);
  if (status)
    return fail(status);
  status = writeAndRead(argv[1], pool);
  xlaPoolDestroy(pool);
  if (status)
    return fail(status);
  return useProgram();
}
