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
  XlaOpMapsUnknown, ///< no map says it: custom calls, control flow, tokens, ..
  XlaOpMapsNoMemory,
} XlaOpMaps;

/// From an element of result `result` of `op` to the elements of operand
/// `operand` that it is computed from, simplified. Together the maps have all
/// of these; there is one, but of a fusion as many as there are ways to the
/// operand, and of cholesky, which reads a row and a triangle, two; none if
/// nothing is read. `maps` is to be freed in any case.
///
/// Of collectives the operand is that of any replica of the group: maps say
/// which place is read, not where. Dimensions of dynamic size are taken to be
/// as large as their bounds.
XlaOpMaps xlaOpGetOperandMaps(MlirOperation op, intptr_t result,
                              intptr_t operand, XlaIndexingMaps *maps);
/// From an element of operand `operand` to the elements of result `result` that
/// are computed from it.
XlaOpMaps xlaOpGetResultMaps(MlirOperation op, intptr_t operand,
                             intptr_t result, XlaIndexingMaps *maps);

/// An equal map whose runtime variables come from further up: through
/// operations that move elements, and from a fusion's arguments to its
/// operands. Constants and numbers of positions (iota) take the places of
/// variables, where they are always within the bounds; variables that are the
/// same become one. The maps of operations are such maps. NULL if there is no
/// memory.
XlaIndexingMap *xlaIndexingMapResolve(const XlaIndexingMap *map);

/// What an element of a result is computed from in one array.
typedef struct XlaOperandMaps {
  MlirValue value;
  XlaOpMaps known; ///< Known or Unknown
  XlaIndexingMaps maps;
} XlaOperandMaps;

/// All that an element of a result is computed from: the operands in their
/// order, then the values from outside that the operation's regions use, each
/// once, in the order of their first use.
typedef struct XlaOpReads {
  intptr_t nOperands, n;
  XlaOperandMaps *values; ///< owned
} XlaOpReads;

/// The maps of all operands of result `result`, and of what its regions
/// capture, of which every element of the result may read everything. It takes
/// a fusion one walk over its region. False if there is no memory; `reads` is
/// to be freed in any case.
bool xlaOpGetReads(MlirOperation op, intptr_t result, XlaOpReads *reads);
void xlaOpReadsFree(XlaOpReads *reads);

/// From an element of result `result` of a fusion to the elements of each value
/// that operations in its region compute, in their order; no maps where none is
/// needed. `inner` has no operands. False if there is no memory; it is to be
/// freed, by xlaOpReadsFree, in any case.
bool xlaFusionGetInnerMaps(MlirOperation op, intptr_t result,
                           XlaOpReads *inner);

/// From elements of an array to elements of the result, of `from`, which says
/// the opposite; Unknown if a map has no transpose. `to->maps` is to be freed
/// in any case. False if there is no memory.
bool xlaIndexingMapsTranspose(const XlaOperandMaps *from, XlaOperandMaps *to);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_OP_MAPS_H
