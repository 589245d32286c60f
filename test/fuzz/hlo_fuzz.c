//===- hlo_fuzz.c - Any bytes as a program in HLO -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hlo_fuzz.h"
#include "fuzz.h"

#include "xlac/formats/hlo/hlo.h"

enum { inputsAContext = 200 };

typedef struct Input {
  MlirStringRef bytes;
  bool isProgram;
} Input;

static void readProgram(void *data) {
  Input *input = data;
  MlirStringRef name = mlirStringRefCreateFromCString("fuzz");
  for (int i = 0; i < 2; ++i) {
    MlirModule module;
    if (i && !xlaHloIsProto(input->bytes))
      continue;
    XlaFuzz *fuzz = xlaFuzzBegin(inputsAContext);
    XlaImportResult result = (i ? xlaHloProtoRead : xlaHloTextRead)(
        fuzz->context, input->bytes, name, /*keepsFusions=*/false, &module);
    bool isOk = result == XlaImportResultOk;
    xlaFuzzRequire(isOk == (fuzz->errors == 0),
                   "reading fails without an error, or with one succeeds");
    xlaFuzzRequire(isOk != mlirModuleIsNull(module),
                   "there is a module after an error, or none without one");
    if (isOk)
      mlirModuleDestroy(module);
    input->isProgram |= isOk;
  }
}

bool hloFuzz(const uint8_t *data, size_t size) {
  Input input = {mlirStringRefCreate((const char *)data, size), false};
  xlaFuzzRun(readProgram, &input);
  return input.isProgram;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hloFuzz(data, size);
  return 0;
}
