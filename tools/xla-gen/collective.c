//===- collective.c - Random collectives and sizes ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/accuracy.h"
#include "xlac/tools/xla-gen/gen.h"

#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// Of a program that runs alone: there is one replica, which is every group.
bool xlaGenCollective(XlaGen *gen, XlaOpKind kind) {
  XlaGenValue x = xlaGenPick(gen, ~0u);
  XlaIrAttr pair = {
      "", xlaIrParseAttr(gen->ir.context, "dense<0> : tensor<1x2xi64>")};
  XlaIrAttr groups = {
      "replica_groups",
      xlaIrParseAttr(gen->ir.context, "dense<0> : tensor<1x1xi64>")};
  int64_t dim = xlaGenBelow(gen, x.shape.rank);
  if (gen->scalars)
    return false;
  switch ((int)kind) {
  case XlaOpKindReplicaId:
  case XlaOpKindPartitionId: {
    XlaShape number = xlaGenScalar(XlaElementTypeU32);
    return xlaGenOp(gen, kind, 0, NULL, 0, NULL, 0, NULL, &number, NULL);
  }
  case XlaOpKindCollectivePermute:
    pair.name = "source_target_pairs";
    return xlaGenOp(gen, kind, 1, &x, 1, &pair, 0, NULL, NULL, NULL);
  case XlaOpKindCollectiveBroadcast:
    return xlaGenOp(gen, kind, 1, &x, 1, &groups, 0, NULL, NULL, NULL);
  case XlaOpKindAllGather: {
    XlaIrAttr attrs[] = {xlaGenInteger(gen, "all_gather_dim", dim), groups};
    return x.shape.rank &&
           xlaGenOp(gen, kind, 1, &x, 2, attrs, 0, NULL, &x.shape, NULL);
  }
  case XlaOpKindAllToAll: {
    XlaIrAttr attrs[] = {
        xlaGenInteger(gen, "split_dimension", dim),
        xlaGenInteger(gen, "concat_dimension", xlaGenBelow(gen, x.shape.rank)),
        xlaGenInteger(gen, "split_count", 1), groups};
    return x.shape.rank &&
           xlaGenOp(gen, kind, 1, &x, 4, attrs, 0, NULL, NULL, NULL);
  }
  default:
    break;
  }
  XlaOpKind combiner;
  double neutral;
  XlaShape scalar = xlaGenScalar(x.shape.elementType);
  bool scatters = kind == XlaOpKindReduceScatter;
  if (kind == XlaOpKindCrossReplicaSum) // StableHLO has all_reduce only
    return gen->options->own &&
           xlaGenOp(gen, kind, 1, &x, 1, &groups, 0, NULL, NULL, NULL);
  if ((scatters && !x.shape.rank) ||
      !xlaGenCombiner(gen, x.shape.elementType, &combiner, &neutral))
    return false;
  MlirRegion region = xlaGenCombination(
      gen, combiner, xlaShapeToMlir(&scalar, gen->ir.context));
  XlaIrAttr attrs[] = {groups, xlaGenInteger(gen, "scatter_dimension", dim)};
  return xlaGenOp(gen, kind, 1, &x, scatters ? 2 : 1, attrs, 1, &region,
                  scatters ? &x.shape : NULL, NULL);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// The first elements along a dimension, reduced along it to an array of static
/// shape, and how many there are.
static bool shortened(XlaGen *gen, XlaOpKind kind, XlaGenValue x, int64_t dim) {
  XlaOpKind combiner;
  double neutral;
  XlaShape scalar = xlaGenScalar(x.shape.elementType),
           index = xlaGenScalar(XlaElementTypeS32);
  if (!xlaGenCombiner(gen, x.shape.elementType, &combiner, &neutral) ||
      xlaElementTypeIsFloat(xlaElementTypeReal(x.shape.elementType)))
    return false;
  int64_t size = xlaGenBelow(gen, x.shape.dims[dim] + 1);
  MlirValue operands[] = {x.value,
                          xlaGenNumber(gen, &index, (double)size).value};
  XlaIrAttr along = xlaGenInteger(gen, "dimension", dim),
            dims = xlaGenList(gen, "dimensions", 1, &dim);
  MlirOperation made =
      xlaGenRaw(gen, kind, 2, operands, 1, &along, 0, NULL, 0, NULL);
  if (mlirOperationIsNull(made))
    return false;
  MlirValue kept[] = {mlirOperationGetResult(made, 0),
                      xlaGenNumber(gen, &scalar, neutral).value};
  MlirOperation sizes = xlaGenRaw(gen, XlaOpKindGetDimensionSize, 1, kept, 1,
                                  &along, 0, NULL, 0, NULL);
  if (!mlirOperationIsNull(sizes))
    xlaGenAdd(gen, xlaGenValueOf(mlirOperationGetResult(sizes, 0)));
  MlirRegion region =
      xlaGenCombination(gen, combiner, mlirValueGetType(kept[1]));
  MlirOperation sum =
      xlaGenRaw(gen, XlaOpKindReduce, 2, kept, 1, &dims, 1, &region, 0, NULL);
  if (!mlirOperationIsNull(sum))
    xlaGenAdd(gen, xlaGenValueOf(mlirOperationGetResult(sum, 0)));
  return true;
}

bool xlaGenDimensionSize(XlaGen *gen, XlaOpKind kind) {
  XlaGenValue x = xlaGenPick(gen, ~0u);
  if (gen->scalars || !x.shape.rank)
    return false;
  int64_t dim = xlaGenBelow(gen, x.shape.rank);
  XlaIrAttr attr = xlaGenInteger(gen, "dimension", dim);
  if (kind == XlaOpKindSetDimensionSize) // of a type that StableHLO lacks
    return gen->options->own && shortened(gen, kind, x, dim);
  return xlaGenOp(gen, kind, 1, &x, 1, &attr, 0, NULL, NULL, NULL);
}
