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

typedef struct Draft {
  XlaGen *gen;
  XlaOpKind kind;
  XlaGenValue x;
  int64_t dim;      ///< of x, which may be a scalar
  XlaIrAttr groups; ///< replica_groups
} Draft;

static bool number(Draft *d) {
  XlaShape shape = xlaGenScalar(XlaElementTypeU32);
  return xlaGenOp(d->gen, d->kind, 0, NULL, 0, NULL, 0, NULL, &shape, NULL);
}

static bool permute(Draft *d) {
  XlaIrAttr pairs = {
      "source_target_pairs",
      xlaIrParseAttr(d->gen->ir.context, "dense<0> : tensor<1x2xi64>")};
  return xlaGenOp(d->gen, d->kind, 1, &d->x, 1, &pairs, 0, NULL, NULL, NULL);
}

static bool broadcast(Draft *d) {
  return xlaGenOp(d->gen, d->kind, 1, &d->x, 1, &d->groups, 0, NULL, NULL,
                  NULL);
}

/// StableHLO has all_reduce only.
static bool sum(Draft *d) { return d->gen->options->own && broadcast(d); }

/// JAX's StableHLO has none along a dimension of size 0.
static bool gather(Draft *d) {
  XlaIrAttr attrs[] = {xlaGenInteger(d->gen, "all_gather_dim", d->dim),
                       d->groups};
  if (!d->x.shape.rank || (!d->x.shape.dims[d->dim] && !d->gen->options->own))
    return false;
  return xlaGenOp(d->gen, d->kind, 1, &d->x, 2, attrs, 0, NULL, &d->x.shape,
                  NULL);
}

static bool exchange(Draft *d) {
  XlaIrAttr attrs[] = {xlaGenInteger(d->gen, "split_dimension", d->dim),
                       xlaGenInteger(d->gen, "concat_dimension",
                                     xlaGenBelow(d->gen, d->x.shape.rank)),
                       xlaGenInteger(d->gen, "split_count", 1), d->groups};
  return d->x.shape.rank &&
         xlaGenOp(d->gen, d->kind, 1, &d->x, 4, attrs, 0, NULL, NULL, NULL);
}

static bool reduce(Draft *d) {
  XlaOpKind combiner;
  double neutral;
  XlaShape scalar = xlaGenScalar(d->x.shape.elementType);
  bool scatters = d->kind == XlaOpKindReduceScatter;
  if ((scatters && !d->x.shape.rank) ||
      !xlaGenCombiner(d->gen, scalar.elementType, &combiner, &neutral))
    return false;
  MlirRegion region = xlaGenCombination(
      d->gen, combiner, xlaShapeToMlir(&scalar, d->gen->ir.context));
  XlaIrAttr attrs[] = {d->groups,
                       xlaGenInteger(d->gen, "scatter_dimension", d->dim)};
  return xlaGenOp(d->gen, d->kind, 1, &d->x, scatters ? 2 : 1, attrs, 1,
                  &region, scatters ? &d->x.shape : NULL, NULL);
}

/// Of a program that runs alone: there is one replica, which is every group.
bool xlaGenCollective(XlaGen *gen, XlaOpKind kind) {
  static bool (*const generators[XlaOpKindCount])(Draft *) = {
      [XlaOpKindAllGather] = gather,
      [XlaOpKindAllReduce] = reduce,
      [XlaOpKindAllToAll] = exchange,
      [XlaOpKindCollectiveBroadcast] = broadcast,
      [XlaOpKindCollectivePermute] = permute,
      [XlaOpKindCrossReplicaSum] = sum,
      [XlaOpKindPartitionId] = number,
      [XlaOpKindReduceScatter] = reduce,
      [XlaOpKindReplicaId] = number,
  };
  Draft draft = {.gen = gen, .kind = kind, .x = xlaGenPick(gen, ~0u)};
  draft.groups = (XlaIrAttr){
      "replica_groups",
      xlaIrParseAttr(gen->ir.context, "dense<0> : tensor<1x1xi64>")};
  draft.dim = xlaGenBelow(gen, draft.x.shape.rank);
  return !gen->scalars && generators[kind] && generators[kind](&draft);
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
