//===- shardings_of.h - How a program says where arrays lie ---------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes/partition.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_PARTITION_SHARDINGS_OF_H
#define XLAC_PASSES_PARTITION_SHARDINGS_OF_H

#include "xlac/passes/partition/expand.h"

/// Frees what an expansion has.
void xlaExpansionDestroy(XlaExpansion *x);

// False after an error. `*sharding` is NULL where nothing is said that counts.

/// Of a dictionary of an argument's or result's attributes, of a value of
/// `type`.
bool xlaShardingOfAttributes(XlaExpansion *x, MlirOperation op,
                             MlirAttribute dictionary, MlirType type,
                             const XlaSharding **sharding);
/// Of sdy.sharding_constraint.
bool xlaShardingOfConstraint(XlaExpansion *x, MlirOperation op,
                             const XlaSharding **sharding);
/// The attribute mhlo.sharding of a custom call, of its operand if that is
/// larger.
bool xlaShardingOfCall(XlaExpansion *x, MlirOperation op,
                       const XlaSharding **sharding);
/// Of operand or result `i` of sdy.manual_computation, by its manual axes; NULL
/// after an error.
const XlaSharding *xlaShardingOfManual(XlaExpansion *x, MlirOperation op,
                                       const char *which, intptr_t i);
/// How each result lies if its operands, which are defined, lie as they do;
/// NULL where that is not known (propagate.c). NULL after an error.
const XlaSharding **xlaShardingsOfResults(XlaExpansion *x, MlirOperation op);

#endif // XLAC_PASSES_PARTITION_SHARDINGS_OF_H
