//===- target_attribute.c - The CPU that a module is for ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/target_attribute.h"

#include "xlac/dialect/error.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

/// What the attribute says, as C strings.
typedef struct Names {
  char cpu[64], triple[64];
  int64_t threads;
} Names;

static bool readString(MlirAttribute value, char text[64]) {
  if (!mlirAttributeIsAString(value))
    return false;
  MlirStringRef string = mlirStringAttrGetValue(value);
  if (string.length >= 64)
    return false;
  memcpy(text, string.data, string.length);
  text[string.length] = 0;
  return true;
}

static bool readKey(MlirNamedAttribute entry, Names *names) {
  MlirStringRef key = mlirIdentifierStr(entry.name);
  if (mlirStringRefEqual(key, mlirStringRefCreateFromCString("cpu")))
    return readString(entry.attribute, names->cpu);
  if (mlirStringRefEqual(key, mlirStringRefCreateFromCString("triple")))
    return readString(entry.attribute, names->triple);
  if (!mlirStringRefEqual(key, mlirStringRefCreateFromCString("threads")) ||
      !mlirAttributeIsAInteger(entry.attribute) ||
      !mlirTypeEqual(
          mlirAttributeGetType(entry.attribute),
          mlirIntegerTypeGet(mlirAttributeGetContext(entry.attribute), 64)))
    return false;
  names->threads = mlirIntegerAttrGetValueInt(entry.attribute);
  return names->threads >= 1 && names->threads <= XLA_CPU_MAX_THREADS;
}

MlirLogicalResult xlaCpuTargetFromModule(MlirOperation module,
                                         XlaCpuTarget **target) {
  Names names = {"x86-64-v3", "x86_64-pc-linux-gnu", 2};
  MlirAttribute attr = mlirOperationGetAttributeByName(
      module, mlirStringRefCreateFromCString(XLA_TARGET_ATTRIBUTE));
  *target = NULL;
  bool isWrong = attr.ptr && !mlirAttributeIsADictionary(attr);
  for (intptr_t i = 0;
       attr.ptr && !isWrong && i < mlirDictionaryAttrGetNumElements(attr); ++i)
    isWrong = !readKey(mlirDictionaryAttrGetElement(attr, i), &names);
  if (isWrong)
    return xlaOpInvalid(module, NULL,
                        "has an attribute " XLA_TARGET_ATTRIBUTE
                        " that is not of the form {cpu = \"x86-64-v3\", "
                        "threads = 2 : i64}, with 1 to %d threads",
                        XLA_CPU_MAX_THREADS);
  XlaCpuTargetOptions options = {.cpu = names.cpu,
                                 .triple = names.triple,
                                 .threads = (int)names.threads,
                                 .l1Bytes = 32 << 10,
                                 .l2Bytes = 1 << 20,
                                 .l3Bytes = 32 << 20};
  if (!strcmp(names.cpu, "host"))
    options =
        (XlaCpuTargetOptions){.cpu = names.cpu, .threads = (int)names.threads};
  XlaStatus status = xlaCpuTargetCreate(&options, target);
  return status
             ? xlaErrorEmitStatus(mlirOperationGetLocation(module),
                                  "no code can be made for the target", status)
             : success();
}

void xlaCpuTargetAttach(MlirOperation module, MlirStringRef cpu,
                        int64_t threads) {
  MlirContext context = mlirOperationGetContext(module);
  XlaIrAttr entries[] = {{"cpu", mlirStringAttrGet(context, cpu)},
                         {"threads", xlaIrI64Attr(context, threads)}};
  mlirOperationSetAttributeByName(
      module, mlirStringRefCreateFromCString(XLA_TARGET_ATTRIBUTE),
      xlaIrDictionaryAttr(context, 2, entries));
}
