//===- write.c - Programs in the forms that people have them --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/module.h"

#include "xlac/formats/hlo/write.h"
#include "xlac/formats/vhlo/ops.h"
#include "xlac/formats/vhlo/vhlo.h"
#include "xlac/passes/export/stablehlo.h"
#include "xlac/passes/import/stablehlo.h"

#include <stdlib.h>

static const struct {
  const char *name, *meaning;
} formats[XlaModuleWriteFormatCount] = {
    [XlaModuleWriteFormatStablehlo] =
        {"stablehlo",
         "text of StableHLO and CHLO, generic where this MLIR has no other "
         "form"},
    [XlaModuleWriteFormatStablehloGeneric] =
        {"stablehlo-generic",
         "the same, all of it in MLIR's generic form: begins with "
         "\"builtin.module\""},
    [XlaModuleWriteFormatStablehloLocated] =
        {"stablehlo-located",
         "the same with locations: where operations come from"},
    [XlaModuleWriteFormatArtifact] =
        {"artifact", "a portable artifact of StableHLO " XLA_VHLO_VERSION
                     ": begins with \"ML\\xefR\", then \"StableHLO_v\""},
    [XlaModuleWriteFormatHlo] = {"hlo", "HLO text: begins with \"HloModule \""},
    [XlaModuleWriteFormatXla] = {"xla", "text of this dialect"},
    [XlaModuleWriteFormatBytecode] =
        {"bytecode",
         "MLIR's bytecode of this dialect: begins with \"ML\\xefR\", then "
         "\"MLIR22.\""},
};

const char *xlaModuleWriteFormatName(XlaModuleWriteFormat format) {
  return formats[format].name;
}

const char *xlaModuleWriteFormatMeaning(XlaModuleWriteFormat format) {
  return formats[format].meaning;
}

/// Lines on their way to `callback`.
typedef struct Lines {
  MlirStringCallback callback;
  void *userData;
  bool isOpen; ///< the last one has no end yet
} Lines;

static void pass(MlirStringRef text, void *user) {
  Lines *lines = user;
  if (text.length)
    lines->isOpen = text.data[text.length - 1] != '\n';
  lines->callback(text, lines->userData);
}

static XlaImportResult print(MlirOperation op, XlaModuleWriteFormat format,
                             MlirStringCallback callback, void *userData) {
  Lines lines = {callback, userData, false};
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  bool isLocated = format == XlaModuleWriteFormatStablehloLocated;
  if (isLocated || format == XlaModuleWriteFormatStablehloGeneric)
    mlirOpPrintingFlagsPrintGenericOpForm(flags);
  if (isLocated)
    mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  // What came from xla has been verified as that.
  mlirOpPrintingFlagsAssumeVerified(flags);
  mlirOperationPrintWithFlags(op, flags, pass, &lines);
  mlirOpPrintingFlagsDestroy(flags);
  if (lines.isOpen)
    callback(mlirStringRefCreateFromCString("\n"), userData);
  return XlaImportResultOk;
}

static MlirWalkResult findBools(MlirOperation op, void *found) {
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirAttribute value = mlirOperationGetAttribute(op, i).attribute;
    if (!mlirAttributeIsADenseElements(value))
      continue;
    MlirType type = mlirShapedTypeGetElementType(mlirAttributeGetType(value));
    if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1) {
      *(bool *)found = true;
      return MlirWalkResultInterrupt;
    }
  }
  return MlirWalkResultAdvance;
}

/// Booleans as jaxlib reads them are made of the whole text.
static XlaImportResult printStablehlo(MlirOperation op,
                                      XlaModuleWriteFormat format,
                                      MlirStringCallback callback,
                                      void *userData) {
  bool hasBools = false;
  mlirOperationWalk(op, findBools, &hasBools, MlirWalkPreOrder);
  if (!hasBools)
    return print(op, format, callback, userData);
  XlaIrText text = {0};
  print(op, format, xlaIrTextAppend, &text);
  bool enough = !text.isCut && text.data;
  if (enough)
    xlaUnpackBoolConstants(mlirStringRefCreate(text.data, text.size), callback,
                           userData);
  else
    xlaOpNoMemory(op);
  free(text.data);
  return enough ? XlaImportResultOk : XlaImportResultUnsupported;
}

/// As text, or as an artifact.
static XlaImportResult writeStablehlo(MlirOperation module,
                                      XlaModuleWriteFormat format,
                                      MlirStringCallback callback,
                                      void *userData) {
  MlirContext context = mlirOperationGetContext(module);
  MlirOperation copy = mlirOperationClone(module);
  bool allowed = mlirContextGetAllowUnregisteredDialects(context);
  mlirContextSetAllowUnregisteredDialects(context, true);
  XlaImportResult result = format == XlaModuleWriteFormatArtifact
                               ? xlaExportComposites(copy)
                               : XlaImportResultOk;
  if (result == XlaImportResultOk)
    result = xlaExportStableHlo(copy);
  if (result == XlaImportResultOk && format == XlaModuleWriteFormatArtifact) {
    result = xlaVhloWrite(copy, callback, userData);
  } else if (result == XlaImportResultOk) {
    result = printStablehlo(copy, format, callback, userData);
  }
  mlirOperationDestroy(copy);
  mlirContextSetAllowUnregisteredDialects(context, allowed);
  return result;
}

XlaImportResult xlaModuleWrite(MlirModule module, XlaModuleWriteFormat format,
                               MlirStringCallback callback, void *userData) {
  MlirOperation op = mlirModuleGetOperation(module);
  switch (format) {
  case XlaModuleWriteFormatStablehlo:
  case XlaModuleWriteFormatStablehloGeneric:
  case XlaModuleWriteFormatStablehloLocated:
  case XlaModuleWriteFormatArtifact:
    return writeStablehlo(op, format, callback, userData);
  case XlaModuleWriteFormatXla:
    return print(op, format, callback, userData);
  case XlaModuleWriteFormatBytecode:
    mlirOperationWriteBytecode(op, callback, userData);
    return XlaImportResultOk;
  case XlaModuleWriteFormatHlo:
    return xlaHloWrite(module, callback, userData);
  case XlaModuleWriteFormatCount:
    break;
  }
  xlaIrError(mlirOperationGetLocation(op), "there is no format %d to write",
             (int)format);
  return XlaImportResultUnsupported;
}
