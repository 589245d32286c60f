//===- dialect.c - The dialect xla ----------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"

#include "xlac/dialect/array_encoding.h"
#include "xlac/dialect/indexing/attribute.h"
#include "xlac/dialect/nearest.h"
#include "xlac/dialect/op.h"

static const MlirExtTypeDefinition types[] = {{"token"}};

static const MlirExtAttrDefinition attrs[] = {
    {.name = "array",
     .verify = xlaArrayEncodingVerify,
     .verifyEncoding = xlaArrayEncodingVerifyTensor},
    {.name = "indexing_map",
     .verify = xlaIndexingMapVerifyAttr,
     .isText = true}};

static const MlirExtDialectDefinition definition = {
    .name = "xla",
    .nOps = XlaOpKindCount - 1,
    .ops = xlaOpDefinitions,
    .nTypes = 1,
    .types = types,
    .nAttrs = 2,
    .attrs = attrs,
    .constantOp = "constant",
    .typesAgree = xlaTypeEqualIgnoringLayout,
    .nearestName = xlaNearestName,
};

void xlaDialectRegister(MlirDialectRegistry registry) {
  mlirExtDialectRegister(registry, &definition);
}
