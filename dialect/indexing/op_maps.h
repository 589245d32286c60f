//===- op_maps.h - Indexing maps of operations --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of operands an element of a result is computed from, and back
// (specification 001).
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_OP_MAPS_H
#define XLAC_DIALECT_INDEXING_OP_MAPS_H

#include "xlac/dialect/indexing/map.h"

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Maps in an order that the operation gives; equal ones occur once.
typedef struct XlaIndexingMaps {
  intptr_t n, capacity;
  XlaIndexingMap **maps; ///< owned
} XlaIndexingMaps;

void xlaIndexingMapsFree(XlaIndexingMaps *maps);
/// Adds a map and takes over the reference, unless it is there already. False,
/// without the reference, if there is no memory.
bool xlaIndexingMapsAdd(XlaIndexingMaps *maps, XlaIndexingMap *map);

/// What is known of the maps of an operation.
typedef enum XlaOpMaps {
  XlaOpMapsKnown,
  XlaOpMapsUnknown, ///< no map says it: custom calls, sorts along .., tokens
  XlaOpMapsNoMemory,
} XlaOpMaps;

/// From an element of result `result` of `op` to the elements of operand
/// `operand` that it is computed from, simplified. One map, but of a fusion as
/// many as there are ways to the operand; none if nothing is read. `maps` is to
/// be freed in any case.
XlaOpMaps xlaOpGetOperandMaps(MlirOperation op, intptr_t result,
                              intptr_t operand, XlaIndexingMaps *maps);
/// From an element of operand `operand` to the elements of result `result` that
/// are computed from it.
XlaOpMaps xlaOpGetResultMaps(MlirOperation op, intptr_t operand,
                             intptr_t result, XlaIndexingMaps *maps);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_OP_MAPS_H
