//===- attribute.h - Indexing maps as attributes ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// #xla.indexing_map<"(d0) -> (d0), domain: d0 in [0, 9]">
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_ATTRIBUTE_H
#define XLAC_DIALECT_INDEXING_ATTRIBUTE_H

#include "xlac/dialect/indexing/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The attribute of a map, in a context that has the dialect; null if there is
/// no memory.
MlirAttribute xlaIndexingMapToAttr(MlirContext context,
                                   const XlaIndexingMap *map);
/// Checks the text of such an attribute, for the definition of the dialect.
MlirLogicalResult xlaIndexingMapVerifyAttr(
    MlirAttribute text, void (*emitError)(const char *message, void *errorData),
    void *errorData);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_ATTRIBUTE_H
