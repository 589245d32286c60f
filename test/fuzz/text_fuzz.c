//===- text_fuzz.c - Any text as a program of StableHLO -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is read, in StableHLO's own forms or MLIR's generic one, is printed,
// must be read again and then print the same, and is imported. Programs that
// are run and compiled, too: program_fuzz.c.
//
//===----------------------------------------------------------------------===//

#include "fuzz.h"

#include "xlac/dialect/ir.h"
#include "xlac/formats/module.h"
#include "xlac/passes/import/stablehlo.h"

#include <stdlib.h>
#include <string.h>

enum { inputsAContext = 200 };

typedef struct Input {
  MlirStringRef bytes;
  XlaFuzz *fuzz;
} Input;

static MlirModule readText(Input *input, MlirStringRef text) {
  MlirModule module;
  XlaImportResult result = xlaModuleRead(
      input->fuzz->context, text, mlirStringRefCreateFromCString("input"),
      XlaModuleFormatMlirText, &module);
  bool isRead = result == XlaImportResultOk;
  xlaFuzzRequire(mlirModuleIsNull(module) == !isRead &&
                     isRead == !input->fuzz->errors,
                 "reading fails without an error, or with one succeeds");
  return module;
}

/// With a 0 behind it, as MLIR's lexer wants it.
static XlaIrText print(MlirModule module) {
  XlaIrText text = {0};
  mlirOperationPrint(mlirModuleGetOperation(module), xlaIrTextAppend, &text);
  xlaIrTextAppend(mlirStringRefCreate("", 1), &text);
  xlaFuzzRequire(!text.isCut, "no memory");
  return text;
}

static void readAgain(Input *input, MlirModule module) {
  XlaIrText first = print(module);
  MlirModule again =
      readText(input, mlirStringRefCreate(first.data, first.size - 1));
  if (mlirModuleIsNull(again))
    fprintf(stderr, "%s\n", first.data);
  xlaFuzzRequire(!mlirModuleIsNull(again),
                 "a program that was printed is not read");
  XlaIrText second = print(again);
  bool isSame =
      first.size == second.size && !memcmp(first.data, second.data, first.size);
  // A context has a name of a resource once.
  isSame |= strstr(first.data, "dense_resource<") != NULL;
  if (!isSame)
    fprintf(stderr, "%s\n%s\n", first.data, second.data);
  xlaFuzzRequire(isSame, "a program prints differently once it was read");
  free(first.data);
  free(second.data);
  mlirModuleDestroy(again);
}

static void readAndImport(void *data) {
  Input *input = data;
  input->fuzz = xlaFuzzBegin(inputsAContext);
  // MLIR prints attributes of other dialects as it cannot read them again, as
  // #other<a<b>c<d>>.
  mlirContextSetAllowUnregisteredDialects(input->fuzz->context, false);
  MlirModule module = readText(input, input->bytes);
  if (mlirModuleIsNull(module))
    return;
  readAgain(input, module);
  XlaImportResult result = xlaImportStableHlo(mlirModuleGetOperation(module));
  xlaFuzzRequire((result == XlaImportResultOk) == !input->fuzz->errors,
                 "the import fails without an error, or with one succeeds");
  mlirModuleDestroy(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  xlaFuzzRequire(text != NULL, "no memory");
  memcpy(text, data, size);
  text[size] = '\0';
  Input input = {.bytes = mlirStringRefCreate(text, size)};
  if (xlaModuleDetectFormat(input.bytes) == XlaModuleFormatMlirText)
    xlaFuzzRun(readAndImport, &input);
  free(text);
  return 0;
}
