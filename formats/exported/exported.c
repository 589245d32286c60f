//===- exported.c - Files of jax.export -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/exported/exported.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/formats/exported/flatbuffer.h"
#include "xlac/formats/vhlo/vhlo.h"

#include <stdlib.h>
#include <string.h>

/// Fields of the table, by their numbers in jax's schema.
enum {
  fieldPlatforms = 9,
  fieldArtifact = 13,
  fieldConvention = 14,
};

/// Versions of jax.export's calling convention that say the same of what is
/// read here.
enum { oldestConvention = 9, newestConvention = 10 };

static bool findArtifact(const XlaFlatbuffer *buffer, XlaFlatTable *table,
                         XlaFlatVector *artifact) {
  return xlaFlatbufferGetRoot(buffer, table) &&
         xlaFlatTableGetVector(table, fieldArtifact, 1, artifact) &&
         artifact->n >= 4 &&
         !memcmp(buffer->bytes + artifact->at, "ML\xefR", 4);
}

bool xlaExportedIs(MlirStringRef bytes) {
  XlaFlatbuffer buffer = {(const uint8_t *)bytes.data, bytes.length};
  XlaFlatTable table;
  XlaFlatVector artifact;
  return findArtifact(&buffer, &table, &artifact);
}

/// Whether the program is called in a way that is known. For how many devices
/// it is the module says, too.
static bool checkCall(XlaByteSource *source, const XlaFlatTable *table) {
  uint64_t convention;
  const uint8_t *at = source->bytes + table->at;
  if (!xlaFlatTableGetNumber(table, fieldConvention, 2, &convention))
    return xlaByteError(source, at, "the table of jax.export is damaged");
  return (convention >= oldestConvention && convention <= newestConvention) ||
         xlaByteUnsupported(
             source, at,
             "was exported with calling convention %llu of jax.export, only %d "
             "to %d are supported",
             (unsigned long long)convention, oldestConvention,
             newestConvention);
}

/// The number of the CPU among the platforms, or 0.
static bool findPlatform(XlaByteSource *source, const XlaFlatTable *table,
                         int64_t *platform) {
  XlaFlatVector platforms, name;
  *platform = 0;
  if (!xlaFlatTableGetVector(table, fieldPlatforms, 4, &platforms))
    return xlaByteError(source, source->bytes + table->at,
                        "the platforms of the program are damaged");
  for (size_t i = 0; i < platforms.n; ++i) {
    if (!xlaFlatVectorGetString(table->buffer, &platforms, i, &name))
      return xlaByteError(source, source->bytes + platforms.at + 4 * i,
                          "the name of a platform is damaged");
    if (name.n == 3 && !memcmp(table->buffer->bytes + name.at, "cpu", 3))
      *platform = (int64_t)i;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The argument that says on which platform a program runs
//===----------------------------------------------------------------------===//

static MlirOperation findMain(MlirModule module) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute name = xlaOpGetAttr(op, "sym_name");
    if (xlaIrIsOp(op, "func.func") &&
        mlirStringRefEqual(mlirStringAttrGetValue(name),
                           mlirStringRefCreateFromCString("main")))
      return op;
  }
  return op;
}

/// Whether an argument's attributes say that it is the platform's number.
static bool isPlatform(MlirAttribute attributes) {
  if (!mlirAttributeIsADictionary(attributes))
    return false;
  MlirAttribute constant = mlirDictionaryAttrGetElementByName(
      attributes, mlirStringRefCreateFromCString("jax.global_constant"));
  return !mlirAttributeIsNull(constant) && mlirAttributeIsAString(constant) &&
         mlirStringRefEqual(mlirStringAttrGetValue(constant),
                            mlirStringRefCreateFromCString("_platform_index"));
}

static bool isInteger(MlirType type) {
  return mlirTypeIsARankedTensor(type) && !mlirShapedTypeGetRank(type) &&
         mlirTypeIsAInteger(mlirShapedTypeGetElementType(type)) &&
         mlirIntegerTypeGetWidth(mlirShapedTypeGetElementType(type)) == 32;
}

/// `list`, or types, without its first element.
static MlirAttribute withoutFirst(MlirContext context, MlirAttribute list) {
  intptr_t n = mlirArrayAttrGetNumElements(list) - 1;
  MlirAttribute *items = malloc(((size_t)n + 1) * sizeof *items);
  for (intptr_t i = 0; items && i < n; ++i)
    items[i] = mlirArrayAttrGetElement(list, i + 1);
  MlirAttribute rest =
      items ? mlirArrayAttrGet(context, n, items) : mlirAttributeGetNull();
  free(items);
  return rest;
}

static MlirType withoutFirstInput(MlirContext context, MlirType type) {
  intptr_t nInputs = mlirFunctionTypeGetNumInputs(type) - 1;
  intptr_t nResults = mlirFunctionTypeGetNumResults(type);
  MlirType *types = malloc((size_t)(nInputs + nResults + 1) * sizeof *types);
  if (!types)
    return (MlirType){NULL};
  for (intptr_t i = 0; i < nInputs; ++i)
    types[i] = mlirFunctionTypeGetInput(type, i + 1);
  for (intptr_t i = 0; i < nResults; ++i)
    types[nInputs + i] = mlirFunctionTypeGetResult(type, i);
  MlirType rest =
      mlirFunctionTypeGet(context, nInputs, types, nResults, types + nInputs);
  free(types);
  return rest;
}

static void setAttr(MlirOperation op, const char *name, MlirAttribute value) {
  mlirOperationSetInherentAttributeByName(
      op, mlirStringRefCreateFromCString(name), value);
}

/// Puts a constant in the place of the argument, which is the first one.
static bool fixPlatform(XlaByteSource *source, MlirModule module,
                        int64_t platform) {
  MlirContext context = source->context;
  MlirOperation function = findMain(module);
  if (mlirOperationIsNull(function))
    return true;
  MlirAttribute attributes = xlaOpGetAttr(function, "arg_attrs");
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  if (mlirBlockIsNull(block) || mlirAttributeIsNull(attributes) ||
      !mlirAttributeIsAArray(attributes) ||
      mlirArrayAttrGetNumElements(attributes) < 1 ||
      !isPlatform(mlirArrayAttrGetElement(attributes, 0)))
    return true;
  MlirValue argument = mlirBlockGetArgument(block, 0);
  MlirType type = mlirValueGetType(argument);
  if (!isInteger(type))
    return xlaByteError(source, NULL, "the platform's number is no integer");
  MlirType rest = withoutFirstInput(
      context, mlirTypeAttrGetValue(xlaOpGetAttr(function, "function_type")));
  MlirAttribute others = withoutFirst(context, attributes);
  if (mlirTypeIsNull(rest) || mlirAttributeIsNull(others))
    return xlaByteUnsupported(source, NULL, "out of memory");
  XlaIr ir = xlaIrBefore(mlirBlockGetFirstOperation(block));
  XlaIrAttr value = {
      "value", mlirDenseElementsAttrInt32SplatGet(type, (int32_t)platform)};
  mlirValueReplaceAllUsesOfWith(
      argument, xlaIrOp(&ir, "stablehlo.constant", type, 0, NULL, 1, &value));
  mlirBlockEraseArgument(block, 0);
  setAttr(function, "function_type", mlirTypeAttrGet(rest));
  setAttr(function, "arg_attrs", others);
  return true;
}

bool xlaExportedRead(XlaByteSource *source, MlirModule *module) {
  XlaFlatbuffer buffer = {source->bytes, source->size};
  XlaFlatTable table;
  XlaFlatVector artifact;
  int64_t platform;
  *module = (MlirModule){NULL};
  if (!findArtifact(&buffer, &table, &artifact))
    return xlaByteError(source, NULL, "is no file of jax.export");
  MlirStringRef bytes = mlirStringRefCreate(
      (const char *)source->bytes + artifact.at, artifact.n);
  if (!checkCall(source, &table) || !findPlatform(source, &table, &platform) ||
      !xlaVhloRead(source, bytes, module))
    return false;
  if (fixPlatform(source, *module, platform))
    return true;
  mlirModuleDestroy(*module);
  *module = (MlirModule){NULL};
  return false;
}
