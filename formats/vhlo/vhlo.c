//===- vhlo.c - Portable artifacts of StableHLO ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/vhlo/vhlo.h"

#include "xlac/formats/vhlo/reader.h"
#include "xlac/passes/import/stablehlo.h"

bool xlaVhloRead(XlaByteSource *source, MlirStringRef bytes,
                 MlirModule *module) {
  XlaVhloReader reader = {.source = source, .context = source->context};
  // Operations are registered once their dialect is loaded.
  mlirContextGetOrLoadDialect(source->context,
                              mlirStringRefCreateFromCString("func"));
  MlirOperation op = {NULL};
  bool read =
      xlaVhloReadContainer(&reader, bytes) && xlaVhloReadModule(&reader, &op);
  xlaVhloReaderDestroy(&reader);
  *module = (MlirModule){NULL};
  if (!read)
    return false;
  *module = xlaStableHloFinishReading(mlirModuleFromOperation(op));
  if (mlirModuleIsNull(*module))
    source->result = XlaImportResultInvalid;
  return !mlirModuleIsNull(*module);
}
