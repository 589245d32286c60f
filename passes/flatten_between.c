//===- flatten_between.c - Operations between processes -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of one replica it is known what the operations between replicas give. Where
// several run, they stay, and the host program meets the others there. So it
// does for transfers, which become custom calls: their contexts are no arrays.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/dialect/ops/transfer_internal.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/dynamic/sizes.h"
#include "xlac/passes/expand/isolate.h"
#include "xlac/passes/expand/rng.h"
#include "xlac/passes/expand/single_replica.h"
#include "xlac/passes/flatten_internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// What an operation between replicas gives where there is one.
static MlirLogicalResult emitSingle(XlaFlatten *r, MlirOperation op,
                                    XlaIr *ir) {
  intptr_t nOperands, nResults;
  MlirType *types = xlaFlattenResultTypes(r, op, &nResults);
  if (!types)
    return failure();
  MlirValue *operands =
      xlaFlattenGather(r, op, 0, mlirOperationGetNumOperands(op), &nOperands);
  MlirValue *results = malloc(((size_t)nResults + 1) * sizeof *results);
  MlirLogicalResult result = failure();
  if (!results)
    xlaFlattenNoMemory(op);
  else if (operands)
    result = xlaSingleReplicaExpand(op, ir, nResults, operands, types, results);
  if (!failed(result))
    result = xlaFlattenBindResults(r, op, results);
  free(types);
  free(operands);
  free(results);
  return result;
}

/// The number of the replica or partition: computed once, in front of all else,
/// so that computations take it as any other value.
static MlirLogicalResult emitId(XlaFlatten *r, MlirOperation op) {
  bool isPartition = xlaOpGetKind(op) == XlaOpKindPartitionId;
  MlirValue *id = &r->ids[isPartition];
  MlirOperation first = mlirBlockGetFirstOperation(r->entry);
  XlaIr ir = {r->context, mlirOperationGetLocation(op), r->entry, first};
  if (mlirValueIsNull(*id))
    *id = xlaIrOp(&ir, isPartition ? "xla.partition_id" : "xla.replica_id",
                  mlirValueGetType(mlirOperationGetResult(op, 0)), 0, NULL, 0,
                  NULL);
  return xlaFlattenBind(r, op, mlirOperationGetResult(op, 0), 1, id);
}

MlirLogicalResult xlaFlattenEmitCollective(XlaFlatten *r, MlirOperation op,
                                           XlaIr *ir) {
  XlaOpKind kind = xlaOpGetKind(op);
  if (r->retype) // those that are still there stay
    return xlaFlattenEmitSame(r, op, ir);
  if (!r->isParallel)
    return emitSingle(r, op, ir);
  if (kind == XlaOpKindReplicaId || kind == XlaOpKindPartitionId)
    return emitId(r, op);
  return xlaFlattenEmitSame(r, op, ir);
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// A custom call with the leaves of `op`'s first `n` operands, and as many
/// results as `op` has leaves, unless it gives a context.
static MlirLogicalResult emitCall(XlaFlatten *r, MlirOperation op, XlaIr *ir,
                                  const char *target, intptr_t n,
                                  MlirOperation channelOf) {
  bool givesContext = mlirOperationEqual(op, channelOf);
  intptr_t nOperands = 0, nResults = 0;
  MlirType *types = xlaFlattenResultTypes(r, op, &nResults);
  MlirValue *operands =
      types ? xlaFlattenGather(r, op, 0, n, &nOperands) : NULL;
  MlirValue *results = calloc((size_t)nResults + 1, sizeof *results);
  MlirLogicalResult result = failure();
  if (operands && results) {
    XlaIrAttr attrs[] = {
        {"call_target_name", xlaIrStringAttr(ir->context, target)},
        {XLA_CHANNEL, xlaOpGetAttr(channelOf, "channel_id")},
        {XLA_CHANNEL_TYPE,
         mlirTypeAttrGet(mlirValueGetType(mlirOperationGetResult(op, 0)))}};
    MlirOperation call = xlaIrCreate(ir, "xla.custom_call", nOperands, operands,
                                     givesContext ? 0 : nResults, types,
                                     givesContext ? 2 : 3, attrs, 0, NULL);
    // Nothing but its own xla.send_done or xla.recv_done uses a context.
    for (intptr_t i = 0; !givesContext && i < nResults; ++i)
      results[i] = mlirOperationGetResult(call, i);
    result = xlaFlattenBindResults(r, op, results);
  } else if (!results) {
    xlaFlattenNoMemory(op);
  }
  free(types);
  free(operands);
  free(results);
  return result;
}

MlirLogicalResult xlaFlattenEmitTransfer(XlaFlatten *r, MlirOperation op,
                                         XlaIr *ir) {
  XlaOpKind kind = xlaOpGetKind(op);
  MlirAttribute host = xlaOpGetAttr(op, "is_host_transfer");
  if (!mlirAttributeIsNull(host) && mlirBoolAttrGetValue(host))
    return xlaHostTransferUnsupported(op);
  if (kind == XlaOpKindSend)
    return emitCall(r, op, ir, XLA_SEND, mlirOperationGetNumOperands(op), op);
  if (kind == XlaOpKindRecv)
    return emitCall(r, op, ir, XLA_RECV, 0, op);
  if (kind == XlaOpKindRecvDone)
    return emitCall(r, op, ir, XLA_RECV_DONE, 0,
                    mlirOpResultGetOwner(mlirOperationGetOperand(op, 0)));
  return xlaFlattenBindResults(r, op, NULL); // a send has waited
}

//===----------------------------------------------------------------------===//
// After all
//===----------------------------------------------------------------------===//

static bool isChecked(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindFusion || xlaIsBetweenReplicas(kind);
}

static bool hasDynamicValues(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (xlaTypeIsDynamic(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  return xlaHasDynamicResults(op);
}

/// Puts what the fusion has in its place.
static void inlineFusion(MlirOperation op) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirOperation end = mlirBlockGetTerminator(body), inner, next;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i),
                                  mlirOperationGetOperand(op, i));
  for (inner = mlirBlockGetFirstOperation(body);
       !mlirOperationEqual(inner, end); inner = next) {
    next = mlirOperationGetNextInBlock(inner);
    mlirOperationRemoveFromParent(inner);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, inner);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  mlirOperationGetOperand(end, i));
  mlirOperationDestroy(op);
}

/// One in the computation of another is an error, which the run says.
static bool isInCollective(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !xlaIsBetweenReplicas(xlaOpGetKind(op)));
  return !mlirOperationIsNull(op);
}

/// Fusions that draw numbers, transfer or call are none: kernels compute
/// elements in any order. Nor are those of dynamic sizes, before sizes are
/// values. What replicas combine, the host computes, without what else the
/// program has.
static MlirLogicalResult checkRegions(MlirOperation op) {
  bool isFusion = xlaOpGetKind(op) == XlaOpKindFusion;
  bool isOrdered = false, draws = false;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    isOrdered |= xlaRegionIsOrdered(mlirOperationGetRegion(op, i));
    draws |= xlaRegionDraws(mlirOperationGetRegion(op, i));
  }
  if (isFusion && (isOrdered || hasDynamicValues(op)))
    inlineFusion(op);
  if (isFusion || isInCollective(op))
    return success();
  return isOrdered ? xlaIsolateOrdered(op, draws) : xlaIsolate(op);
}

MlirLogicalResult xlaFlattenCheckRegions(MlirOperation function) {
  XlaIrOps found = xlaIrCollect(function, MlirWalkPostOrder, isChecked);
  MlirLogicalResult result = found.failed ? xlaOpNoMemory(function) : success();
  for (intptr_t i = 0; !failed(result) && i < found.n; ++i)
    result = checkRegions(found.ops[i]);
  free(found.ops);
  return result;
}
