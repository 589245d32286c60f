//===- local_rewrite.c - A program of parts -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations get results of parts. Types change at the end, as the rules ask
// them for sizes of whole arrays. What is whole is sliced where parts of it are
// taken; what is cut, but has to be whole, is not there on any device: then the
// program is none of parts.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/local.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/partition/sharding_text.h"

#include <stdlib.h>

static MlirType partType(MlirType type, const XlaSharding *s) {
  int64_t dims[XLA_MAX_RANK];
  xlaExpandDivide(s, type, dims);
  return mlirRankedTensorTypeGet(
      s->rank, dims, mlirShapedTypeGetElementType(type), (MlirAttribute){NULL});
}

//===----------------------------------------------------------------------===//
// Where parts begin
//===----------------------------------------------------------------------===//

static MlirType scalarType(MlirType element) {
  return mlirRankedTensorTypeGet(0, NULL, element, (MlirAttribute){NULL});
}

static MlirAttribute listAttr(XlaLocal *l, int64_t value) {
  return mlirDenseI64ArrayGet(l->job->x.context, 1, &value);
}

/// The type of numbers below `n`.
static MlirType numberType(XlaLocal *l, int64_t n) {
  return mlirIntegerTypeGet(l->job->x.context, n > INT32_MAX ? 64 : 32);
}

/// The element of `table` that is for this device.
static MlirValue lookUp(XlaLocal *l, XlaIr *ir, MlirAttribute table) {
  MlirType element = mlirShapedTypeGetElementType(mlirAttributeGetType(table));
  MlirType u32 = mlirIntegerTypeUnsignedGet(l->job->x.context, 32);
  XlaIrAttr value = {"value", table};
  MlirValue all = xlaIrOp(ir, "stablehlo.constant", mlirAttributeGetType(table),
                          0, NULL, 1, &value);
  MlirValue number =
      xlaIrOp(ir, "stablehlo.partition_id", scalarType(u32), 0, NULL, 0, NULL);
  XlaIrAttr sizes = {"slice_sizes", listAttr(l, 1)};
  MlirType one = mlirRankedTensorTypeGet(1, (int64_t[]){1}, element,
                                         (MlirAttribute){NULL});
  MlirValue found = xlaIrOp(ir, "stablehlo.dynamic_slice", one, 2,
                            (MlirValue[]){all, number}, 1, &sizes);
  return xlaIrOp(ir, "stablehlo.reshape", scalarType(element), 1, &found, 0,
                 NULL);
}

/// Where parts of `size` elements begin along dimension d, as numbers of
/// `type`; null without memory. Made once, at the beginning.
static MlirValue startOf(XlaLocal *l, const XlaSharding *s, int d, int64_t size,
                         MlirType type) {
  MlirValue none = {NULL};
  MlirAttribute *starts =
      xlaExpandAllocate(&l->job->x, (size_t)s->nDevices, sizeof *starts);
  if (!starts)
    return none;
  for (int i = 0; i < s->nDevices; ++i)
    starts[i] = mlirIntegerAttrGet(type, xlaShardingAt(s, i)[d] * size);
  MlirAttribute table = mlirDenseElementsAttrGet(
      mlirRankedTensorTypeGet(1, (int64_t[]){s->nDevices}, type,
                              (MlirAttribute){NULL}),
      s->nDevices, starts);
  intptr_t known = xlaPointerMapGet(&l->starts, table.ptr);
  if (known)
    return (MlirValue){(void *)known};
  XlaIr ir = xlaIrBefore(l->first);
  MlirValue made = lookUp(l, &ir, table);
  return xlaPointerMapSet(&l->starts, table.ptr, (intptr_t)made.ptr) ? made
                                                                     : none;
}

//===----------------------------------------------------------------------===//
// Parts of what is whole
//===----------------------------------------------------------------------===//

static MlirValue zero(XlaLocal *l, XlaIr *ir, MlirType element) {
  MlirType type = scalarType(element);
  XlaIrAttr value = {"value", mlirDenseElementsAttrSplatGet(
                                  type, mlirIntegerAttrGet(element, 0))};
  return xlaIrOp(ir, "stablehlo.constant", type, 0, NULL, 1, &value);
}

static bool slicePart(XlaLocal *l, MlirOperation op, MlirValue *value,
                      const XlaSharding *s) {
  int64_t dims[XLA_MAX_RANK];
  MlirValue operands[XLA_MAX_RANK + 1] = {*value}, at = {NULL};
  MlirType type = mlirValueGetType(*value);
  if (s->nAddends != 1 || !mlirTypeIsARankedTensor(type) ||
      !xlaExpandDivide(s, type, dims))
    return false;
  int64_t largest = 0;
  for (int d = 0; d < s->rank; ++d)
    largest = mlirShapedTypeGetDimSize(type, d) > largest
                  ? mlirShapedTypeGetDimSize(type, d)
                  : largest;
  MlirType number = numberType(l, largest);
  XlaIr ir = xlaIrBefore(op);
  for (int d = 0; d < s->rank; ++d) {
    if (s->tiles[d] == 1 && mlirValueIsNull(at))
      at = zero(l, &ir, number);
    operands[d + 1] = s->tiles[d] == 1 ? at : startOf(l, s, d, dims[d], number);
    if (mlirValueIsNull(operands[d + 1]))
      return false;
  }
  XlaIrAttr sizes = {"slice_sizes",
                     mlirDenseI64ArrayGet(l->job->x.context, s->rank, dims)};
  *value = xlaIrOp(&ir, "stablehlo.dynamic_slice", partType(type, s),
                   s->rank + 1, operands, 1, &sizes);
  return true;
}

/// Operand `k` lies as `s` says afterwards, NULL: is whole.
static bool bring(XlaLocal *l, MlirOperation op, intptr_t k,
                  const XlaSharding *s) {
  MlirValue value = mlirOperationGetOperand(op, k);
  const XlaSharding *has = xlaLocalGet(l, value);
  if (s && xlaShardingIsReplicated(s))
    s = NULL;
  if (xlaLocalIsInside(l, value) || (has && (!s || !xlaShardingEqual(has, s))))
    return false;
  if (has || !s)
    return true;
  if (!slicePart(l, op, &value, s))
    return false;
  mlirOperationSetOperand(op, k, value);
  return true;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Whether nothing that it uses, with what is in it, or, unless `self`, only
/// that, is cut, or, unless it `takes` those, in a manual computation.
static bool usesWhole(const XlaLocal *l, MlirOperation op, bool self,
                      bool takes) {
  XlaIrOps all = xlaIrCollect(op, MlirWalkPreOrder, NULL);
  bool isWhole = !all.failed;
  for (intptr_t i = self ? 0 : 1; i < all.n && isWhole; ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(all.ops[i]); ++k) {
      MlirValue value = mlirOperationGetOperand(all.ops[i], k);
      isWhole &=
          !xlaLocalGet(l, value) && (takes || !xlaLocalIsInside(l, value));
    }
  free(all.ops);
  return isWhole;
}

static void setAttribute(MlirOperation op, const char *name,
                         MlirAttribute attribute) {
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString(name),
                                  attribute);
}

/// The list `name` with the sizes of parts where results are cut.
static void setSizes(XlaLocal *l, MlirOperation op, const char *name,
                     const XlaSharding *s) {
  XlaI64List list;
  if (!xlaOpGetList(op, name, &list))
    return;
  for (int d = 0; d < list.size && d < s->rank; ++d)
    list.values[d] /= s->tiles[d];
  setAttribute(op, name,
               mlirDenseI64ArrayGet(l->job->x.context, list.size, list.values));
}

static void rewriteConstant(MlirOperation op, const XlaSharding *s) {
  MlirAttribute value = xlaOpGetAttr(op, "value");
  setAttribute(
      op, "value",
      mlirDenseElementsAttrSplatGet(partType(mlirAttributeGetType(value), s),
                                    mlirDenseElementsAttrGetSplatValue(value)));
}

/// Whether devices that make it on their own make the same.
static bool isPure(MlirOperation op) {
  XlaOpKind kind = xlaLocalKind(op);
  return kind != XlaOpKindInvalid && !xlaLocalHandsOn(op) &&
         (kind == XlaOpKindReturn ||
          (xlaOpGetInfo(kind)->traits & MlirExtOpTraitPure) ||
          mlirOperationGetNumRegions(op));
}

static bool rewritePlain(XlaLocal *l, MlirOperation op) {
  const XlaSharding *s = NULL;
  intptr_t nResults = mlirOperationGetNumResults(op);
  XlaOpKind kind = xlaLocalKind(op);
  if (!isPure(op) || !nResults)
    return false;
  s = xlaLocalGet(l, mlirOperationGetResult(op, 0));
  for (intptr_t i = 1; i < nResults; ++i) {
    const XlaSharding *other = xlaLocalGet(l, mlirOperationGetResult(op, i));
    if (!other != !s || (s && !xlaShardingEqual(other, s)))
      return false;
  }
  if (s && !xlaLocalAllows(op, s))
    return false;
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  const XlaSharding **wanted =
      xlaExpandAllocate(&l->job->x, (size_t)nOperands, sizeof *wanted);
  for (intptr_t k = 0; wanted && k < nOperands; ++k)
    wanted[k] = xlaLocalOfOperand(l, op, k, s);
  for (intptr_t k = 0; wanted && k < nOperands; ++k)
    if (!bring(l, op, k, wanted[k]))
      return false;
  if (!wanted || !usesWhole(l, op, false, false))
    return false;
  if (!s)
    return true;
  ++l->nCut;
  if (kind == XlaOpKindConstant)
    rewriteConstant(op, s);
  if (kind == XlaOpKindSlice)
    setSizes(l, op, "limit_indices", s);
  if (kind == XlaOpKindDynamicSlice)
    setSizes(l, op, "slice_sizes", s);
  return true;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static bool rewriteBlock(XlaLocal *l, MlirBlock block);

/// Values that the end of a block hands on.
static bool bringEnd(XlaLocal *l, MlirOperation op, MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(block);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!bring(l, end, i, xlaLocalGet(l, mlirOperationGetResult(op, i))))
      return false;
  return true;
}

static bool rewriteWhile(XlaLocal *l, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    const XlaSharding *s = xlaLocalGet(l, mlirOperationGetResult(op, i));
    if (!bring(l, op, i, s))
      return false;
    for (int r = 0; r < 2; ++r) {
      MlirValue argument = mlirBlockGetArgument(xlaLocalBlock(op, r), i);
      if (xlaLocalGet(l, argument) != s)
        return false;
    }
  }
  return rewriteBlock(l, xlaLocalBlock(op, 0)) &&
         rewriteBlock(l, xlaLocalBlock(op, 1)) &&
         bring(l, mlirBlockGetTerminator(xlaLocalBlock(op, 0)), 0, NULL) &&
         bringEnd(l, op, xlaLocalBlock(op, 1));
}

static bool rewriteCase(XlaLocal *l, MlirOperation op) {
  if (!bring(l, op, 0, NULL))
    return false;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!rewriteBlock(l, xlaLocalBlock(op, r)) ||
        !bringEnd(l, op, xlaLocalBlock(op, r)))
      return false;
  return true;
}

/// The bounds of a manual computation stay until all is rewritten.
static bool rewriteManual(XlaLocal *l, MlirOperation op, bool *isManual) {
  intptr_t nIn = mlirOperationGetNumOperands(op);
  *isManual = xlaIrIsOp(op, "sdy.manual_computation") ||
              xlaExpandIsCallTo(op, "xla.sdy.GlobalToLocalShape") ||
              xlaExpandIsCallTo(op, "xla.sdy.LocalToGlobalShape");
  if (!*isManual)
    return true;
  bool isExit = xlaExpandIsCallTo(op, "xla.sdy.LocalToGlobalShape");
  for (intptr_t i = 0; i < nIn; ++i)
    if (isExit ? xlaLocalGet(l, mlirOperationGetOperand(op, i)) != NULL
               : !bring(l, op, i, xlaLocalOfEntry(l, op, i)))
      return false;
  return usesWhole(l, op, false, true);
}

static bool rewrite(XlaLocal *l, MlirOperation op) {
  bool isManual;
  const XlaSharding *s = NULL;
  bool done = rewriteManual(l, op, &isManual);
  if (!done || isManual)
    return done;
  if (xlaLocalHasInside(l, op) || xlaExpandIsCollective(op))
    return usesWhole(l, op, true, true);
  if (xlaLocalIsConstraint(l, op, &s))
    return mlirOperationGetNumResults(op) == 1 &&
           bring(l, op, 0, xlaLocalGet(l, mlirOperationGetResult(op, 0)));
  XlaOpKind kind = xlaLocalKind(op);
  return kind == XlaOpKindWhile                         ? rewriteWhile(l, op)
         : kind == XlaOpKindCase || kind == XlaOpKindIf ? rewriteCase(l, op)
                                                        : rewritePlain(l, op);
}

static bool rewriteBlock(XlaLocal *l, MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(block), next;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(op, end); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (!mlirOperationEqual(op, l->first) && !rewrite(l, op))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Types, which say what has been whole until all is rewritten
//===----------------------------------------------------------------------===//

/// False if parts are not of one size.
static bool setType(const XlaLocal *l, MlirValue value) {
  int64_t dims[XLA_MAX_RANK];
  const XlaSharding *s = xlaLocalGet(l, value);
  if (!s)
    return true;
  MlirType type = mlirValueGetType(value);
  if (s->nAddends != 1 || !mlirTypeIsARankedTensor(type) ||
      !xlaExpandDivide(s, type, dims))
    return false;
  mlirValueSetType(value, partType(type, s));
  return true;
}

static MlirType withElement(MlirType type, MlirType element) {
  int64_t dims[XLA_MAX_RANK];
  int rank = (int)mlirShapedTypeGetRank(type);
  for (int d = 0; d < rank; ++d)
    dims[d] = mlirShapedTypeGetDimSize(type, d);
  return mlirRankedTensorTypeGet(rank, dims, element, (MlirAttribute){NULL});
}

static MlirValue convert(XlaIr *ir, MlirValue value, MlirType type) {
  return mlirTypeEqual(mlirValueGetType(value), type)
             ? value
             : xlaIrOp(ir, "stablehlo.convert", type, 1, &value, 0, NULL);
}

/// Numbers count on from where the part begins.
static bool rewriteIota(XlaLocal *l, MlirOperation op, const XlaSharding *s) {
  MlirAttribute said = xlaOpGetAttr(op, "iota_dimension");
  MlirValue result = mlirOperationGetResult(op, 0);
  int64_t d = !mlirAttributeIsNull(said) && mlirAttributeIsAInteger(said)
                  ? mlirIntegerAttrGetValueInt(said)
                  : -1;
  if (d < 0 || d >= s->rank)
    return false;
  if (s->tiles[d] == 1)
    return setType(l, result);
  // Integers wrap around in their own type.
  MlirContext context = l->job->x.context;
  MlirType type = partType(mlirValueGetType(result), s);
  MlirType element = mlirShapedTypeGetElementType(type);
  int64_t size = mlirShapedTypeGetDimSize(type, d);
  MlirType number = numberType(l, size * s->tiles[d]);
  MlirType counted =
      mlirTypeIsAInteger(element) ? type : withElement(type, number);
  MlirValue start = startOf(l, s, (int)d, size, number);
  if (mlirValueIsNull(start))
    return false;
  XlaIr ir = xlaIrBefore(op);
  XlaIrAttr along = {"iota_dimension", xlaIrI64Attr(context, d)};
  XlaIrAttr nowhere = {"broadcast_dimensions",
                       mlirDenseI64ArrayGet(context, 0, NULL)};
  start =
      convert(&ir, start, scalarType(mlirShapedTypeGetElementType(counted)));
  MlirValue sum[] = {
      xlaIrOp(&ir, "stablehlo.iota", counted, 0, NULL, 1, &along),
      xlaIrOp(&ir, "stablehlo.broadcast_in_dim", counted, 1, &start, 1,
              &nowhere)};
  MlirValue made = convert(
      &ir, xlaIrOp(&ir, "stablehlo.add", counted, 2, sum, 0, NULL), type);
  mlirValueReplaceAllUsesOfWith(result, made);
  mlirOperationDestroy(op);
  return true;
}

static bool setTypesOf(XlaLocal *l, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
        if (!setType(l, mlirBlockGetArgument(block, i)))
          return false;
  bool isIota = xlaLocalKind(op) == XlaOpKindIota;
  const XlaSharding *s =
      isIota ? xlaLocalGet(l, mlirOperationGetResult(op, 0)) : NULL;
  if (s)
    return rewriteIota(l, op, s);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!setType(l, mlirOperationGetResult(op, i)))
      return false;
  return true;
}

/// Operations are destroyed here, whose addresses nothing is asked of later.
static bool setTypes(XlaLocal *l) {
  XlaIrOps all = xlaIrCollect(l->function, MlirWalkPreOrder, NULL);
  bool done = !all.failed;
  for (intptr_t i = 0; i < all.n && done; ++i)
    done = setTypesOf(l, all.ops[i]);
  free(all.ops);
  return done;
}

//===----------------------------------------------------------------------===//
// What only said where arrays lie
//===----------------------------------------------------------------------===//

static bool isNote(MlirOperation op) {
  return xlaIrIsOp(op, "sdy.manual_computation") ||
         xlaIrIsOp(op, "sdy.sharding_constraint") ||
         xlaIrIsOp(op, "sdy.reshard") || xlaExpandIsCallTo(op, "Sharding") ||
         xlaExpandIsBound(op);
}

/// False where types say something else than shardings.
static bool dropNote(MlirOperation op) {
  bool isManual = xlaIrIsOp(op, "sdy.manual_computation");
  MlirBlock block = isManual ? xlaLocalBlock(op, 0) : (MlirBlock){NULL};
  MlirOperation end = isManual ? mlirBlockGetTerminator(block) : op;
  for (intptr_t i = 0; isManual && i < mlirOperationGetNumOperands(op); ++i)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, i)),
                       mlirValueGetType(mlirBlockGetArgument(block, i))))
      return false;
  if (mlirOperationGetNumOperands(end) < mlirOperationGetNumResults(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(end, i)),
                       mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
  if (isManual) {
    xlaIrReplaceByBlock(op, block);
    return true;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  mlirOperationGetOperand(op, i));
  mlirOperationDestroy(op);
  return true;
}

static bool isOtherNote(MlirOperation op) {
  return xlaIrHasPrefix(op, "sdy.") && !xlaIrIsOp(op, "sdy.return");
}

static bool dropNotes(XlaLocal *l) {
  XlaIrOps notes = xlaIrCollect(l->function, MlirWalkPreOrder, isNote);
  bool done = !notes.failed;
  for (intptr_t i = 0; i < notes.n && done; ++i)
    done = dropNote(notes.ops[i]);
  free(notes.ops);
  XlaIrOps others = xlaIrCollect(l->function, MlirWalkPreOrder, isOtherNote);
  done = done && !others.failed && !others.n;
  free(others.ops);
  return done;
}

bool xlaLocalRewrite(XlaLocal *l) {
  XlaPartitionJob *job = l->job;
  MlirOperation end = mlirBlockGetTerminator(l->body);
  // Where parts begin is found before this.
  XlaIr ir = xlaIrBefore(mlirBlockGetFirstOperation(l->body));
  l->first = mlirOpResultGetOwner(zero(l, &ir, numberType(l, 0)));
  for (intptr_t i = 0; i < job->nIn; ++i)
    if (job->in[i]->nAddends != 1)
      return false;
  if (!rewriteBlock(l, l->body))
    return false;
  for (intptr_t i = 0; i < job->nOut; ++i)
    if (!bring(l, end, i, job->out[i]))
      return false;
  bool done = setTypes(l);
  mlirOperationDestroy(l->first);
  return done && dropNotes(l);
}
