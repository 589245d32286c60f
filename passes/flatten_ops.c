//===- flatten_ops.c - Operations as lowering knows them ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/dialect/literal.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/isolate.h"
#include "xlac/passes/expand/single_replica.h"
#include "xlac/passes/flatten_internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// The elements of a constant in an array without layout; other attributes as
/// they are.
static MlirAttribute withoutLayout(MlirAttribute value) {
  if (!mlirAttributeIsAElements(value))
    return value;
  MlirType type = mlirAttributeGetType(value);
  MlirType plain = xlaTypeWithoutLayout(type);
  if (mlirTypeEqual(type, plain))
    return value;
  if (mlirAttributeIsADenseElements(value))
    return mlirDenseElementsAttrReshapeGet(value, plain);
  XlaLiteral *literal = xlaLiteralFromAttribute(value);
  if (!literal)
    return value;
  MlirAttribute copy =
      xlaLiteralToAttribute(literal, mlirAttributeGetContext(value));
  xlaLiteralRelease(literal);
  return mlirAttributeIsNull(copy) ? value : copy;
}

static void addAttributes(MlirOperation op, MlirOperationState *state) {
  MlirAttribute inherent = mlirExtOperationGetInherentAttributes(op);
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(inherent); ++i) {
    MlirNamedAttribute attr = mlirDictionaryAttrGetElement(inherent, i);
    attr.attribute = withoutLayout(attr.attribute);
    mlirOperationStateAddAttributes(state, 1, &attr);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(op); ++i) {
    MlirNamedAttribute attr = mlirOperationGetDiscardableAttribute(op, i);
    mlirOperationStateAddAttributes(state, 1, &attr);
  }
}

MlirOperation xlaFlattenCopy(MlirOperation op, XlaIr *ir, intptr_t nOperands,
                             const MlirValue *operands, intptr_t nResults,
                             const MlirType *results) {
  MlirOperationState state = mlirOperationStateGet(
      mlirIdentifierStr(mlirOperationGetName(op)), ir->location);
  mlirOperationStateAddOperands(&state, nOperands, operands);
  mlirOperationStateAddResults(&state, nResults, results);
  addAttributes(op, &state);
  return xlaIrCreateState(ir, &state, 0, NULL);
}

MlirType *xlaFlattenResultTypes(const XlaFlatten *r, MlirOperation op,
                                intptr_t *size) {
  *size = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    *size +=
        xlaFlattenLeafCount(r, mlirValueGetType(mlirOperationGetResult(op, i)));
  MlirType *types = malloc(((size_t)*size + 1) * sizeof *types), *end = types;
  if (!types)
    xlaFlattenNoMemory(op);
  for (intptr_t i = 0; types && i < mlirOperationGetNumResults(op); ++i)
    if (failed(xlaFlattenLeafTypes(
            r, op, mlirValueGetType(mlirOperationGetResult(op, i)), &end))) {
      free(types);
      return NULL;
    }
  return types;
}

/// Finishes `state`: inserts the operation and maps the results.
static MlirLogicalResult insert(XlaFlatten *r, MlirOperation op, XlaIr *ir,
                                MlirOperationState *state, intptr_t nResults) {
  MlirOperation made = mlirOperationCreate(state);
  if (mlirOperationIsNull(made))
    return xlaOpError(op, NULL, "could not be rewritten");
  mlirBlockAppendOwnedOperation(ir->block, made);
  MlirValue *values = malloc(((size_t)nResults + 1) * sizeof *values);
  if (!values)
    return xlaFlattenNoMemory(op);
  for (intptr_t i = 0; i < nResults; ++i)
    values[i] = mlirOperationGetResult(made, i);
  if (xlaOpGetKind(made) == XlaOpKindMap)
    values[0] = xlaMapExpand(made, NULL);
  MlirLogicalResult result = xlaFlattenBindResults(r, op, values);
  free(values);
  return result;
}

MlirLogicalResult xlaFlattenEmitSame(XlaFlatten *r, MlirOperation op,
                                     XlaIr *ir) {
  intptr_t nOperands, nResults;
  MlirType *types = xlaFlattenResultTypes(r, op, &nResults);
  if (!types)
    return failure();
  MlirValue *operands =
      xlaFlattenGather(r, op, 0, mlirOperationGetNumOperands(op), &nOperands);
  MlirLogicalResult result = operands ? success() : mlirLogicalResultFailure();
  // A barrier for tokens only.
  bool order = !nOperands && mlirOperationGetNumOperands(op) &&
               xlaOpGetKind(op) == XlaOpKindOptimizationBarrier;
  if (operands && order) {
    result = xlaFlattenBindResults(r, op, operands);
  } else if (operands) {
    MlirOperationState state = mlirOperationStateGet(
        mlirIdentifierStr(mlirOperationGetName(op)), ir->location);
    mlirOperationStateAddOperands(&state, nOperands, operands);
    mlirOperationStateAddResults(&state, nResults, types);
    addAttributes(op, &state);
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
      MlirRegion region = mlirRegionCreate();
      mlirOperationStateAddOwnedRegions(&state, 1, &region);
      if (!failed(result))
        result = xlaFlattenRegion(r, op, i, true, region, ir);
    }
    if (!failed(result)) {
      result = insert(r, op, ir, &state, nResults);
    } else { // drops what the state owns
      mlirOperationDestroy(mlirOperationCreate(&state));
    }
  }
  free(operands);
  free(types);
  return result;
}

static MlirLogicalResult emitCall(XlaFlatten *r, MlirOperation op, XlaIr *ir) {
  MlirStringRef name =
      mlirFlatSymbolRefAttrGetValue(xlaOpGetAttr(op, "callee"));
  MlirOperation callee = mlirSymbolTableLookup(r->symbols, name);
  if (mlirOperationIsNull(callee) || !xlaIrIsOp(callee, "func.func"))
    return xlaOpInvalid(op, NULL, "calls @%.*s, which is no function",
                        (int)name.length, name.data);
  MlirRegion region = mlirOperationGetRegion(callee, 0);
  MlirBlock body = mlirRegionGetFirstBlock(region);
  if (mlirBlockIsNull(body) || !mlirBlockIsNull(mlirBlockGetNextInRegion(body)))
    return xlaOpInvalid(op, NULL, "calls @%.*s, which has %s", (int)name.length,
                        name.data,
                        mlirBlockIsNull(body) ? "no body" : "several blocks");
  if (xlaPointerMapGet(&r->active, callee.ptr))
    // HLO cannot say it: a computation calls those before it.
    return xlaOpInvalid(op, NULL,
                        "calls @%.*s, which is being called: programs of XLA "
                        "have no recursion",
                        (int)name.length, name.data);
  if (++r->depth > xlaFlattenMaxDepth)
    return xlaOpUnsupported(op, NULL, "nests more than %d deep",
                            xlaFlattenMaxDepth);
  if (!xlaPointerMapSet(&r->active, callee.ptr, 1))
    return xlaFlattenNoMemory(op);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    const XlaLeaves *leaves =
        xlaFlattenLeavesOf(r, mlirOperationGetOperand(op, i));
    if (failed(xlaFlattenBind(r, op, mlirBlockGetArgument(body, i),
                              leaves->size, leaves->values)))
      return failure();
  }
  MlirLocation outer = r->callSite;
  r->callSite = ir->location;
  MlirLogicalResult result = xlaFlattenBody(r, body, ir);
  r->callSite = outer;
  intptr_t n;
  MlirOperation terminator = mlirBlockGetTerminator(body);
  MlirValue *values =
      failed(result)
          ? NULL
          : xlaFlattenGather(r, terminator, 0,
                             mlirOperationGetNumOperands(terminator), &n);
  result = values ? xlaFlattenBindResults(r, op, values)
                  : mlirLogicalResultFailure();
  free(values);
  xlaPointerMapSet(&r->active, callee.ptr, 0);
  --r->depth;
  return result;
}

static MlirLogicalResult emitGetTupleElement(XlaFlatten *r, MlirOperation op,
                                             XlaIr *ir) {
  (void)ir;
  MlirValue tuple = mlirOperationGetOperand(op, 0);
  const XlaLeaves *leaves = xlaFlattenLeavesOf(r, tuple);
  MlirType type = mlirValueGetType(tuple);
  intptr_t index = (intptr_t)xlaOpGetI64(op, "index", 0), offset = 0;
  for (intptr_t i = 0; i < index; ++i)
    offset += xlaFlattenLeafCount(r, mlirTupleTypeGetType(type, i));
  return xlaFlattenBindResults(r, op, leaves->values + offset);
}

static MlirLogicalResult emitTuple(XlaFlatten *r, MlirOperation op, XlaIr *ir) {
  (void)ir;
  intptr_t n;
  MlirValue *values =
      xlaFlattenGather(r, op, 0, mlirOperationGetNumOperands(op), &n);
  MlirLogicalResult result = values ? xlaFlattenBindResults(r, op, values)
                                    : mlirLogicalResultFailure();
  free(values);
  return result;
}

static MlirLogicalResult emitTupleSelect(XlaFlatten *r, MlirOperation op,
                                         XlaIr *ir) {
  MlirValue pred =
      xlaFlattenLeavesOf(r, mlirOperationGetOperand(op, 0))->values[0];
  const XlaLeaves *a = xlaFlattenLeavesOf(r, mlirOperationGetOperand(op, 1));
  const XlaLeaves *b = xlaFlattenLeavesOf(r, mlirOperationGetOperand(op, 2));
  XlaLeaves *made = xlaFlattenNewLeaves(r, a->size);
  if (!made)
    return xlaFlattenNoMemory(op);
  for (intptr_t i = 0; i < a->size; ++i)
    made->values[i] =
        xlaIrOp(ir, "xla.select", mlirValueGetType(a->values[i]), 3,
                (MlirValue[]){pred, a->values[i], b->values[i]}, 0, NULL);
  return xlaFlattenBindResults(r, op, made->values);
}

static MlirLogicalResult emitDot(XlaFlatten *r, MlirOperation op, XlaIr *ir) {
  XlaShape lhs, rhs;
  MlirValue operands[2];
  for (int i = 0; i < 2; ++i)
    operands[i] =
        xlaFlattenLeavesOf(r, mlirOperationGetOperand(op, i))->values[0];
  xlaShapeFromMlirBounded(mlirValueGetType(operands[0]), &lhs, NULL);
  xlaShapeFromMlirBounded(mlirValueGetType(operands[1]), &rhs, NULL);
  int64_t left = lhs.rank - 1, right = rhs.rank < 2 ? 0 : rhs.rank - 2;
  bool contracts = lhs.rank && rhs.rank;
  XlaIrAttr attrs[3] = {
      {"lhs_contracting_dimensions",
       mlirDenseI64ArrayGet(ir->context, contracts, &left)},
      {"rhs_contracting_dimensions",
       mlirDenseI64ArrayGet(ir->context, contracts, &right)},
      {"precision_config", xlaOpGetAttr(op, "precision_config")}};
  MlirType type =
      xlaTypeWithoutLayout(mlirValueGetType(mlirOperationGetResult(op, 0)));
  MlirValue result =
      xlaIrOp(ir, "xla.dot_general", type, 2, operands,
              mlirAttributeIsNull(attrs[2].value) ? 2 : 3, attrs);
  return xlaFlattenBindResults(r, op, &result);
}

/// True is the first branch.
static MlirValue branchIndex(XlaIr *ir, MlirValue selector) {
  XlaShape shape;
  xlaShapeFromMlir(mlirValueGetType(selector), &shape, NULL);
  if (shape.elementType != XlaElementTypePred)
    return selector;
  shape.elementType = XlaElementTypeS32;
  return xlaIrCast(ir, "xla.convert", xlaIrUnary(ir, "xla.not", selector),
                   xlaShapeToMlir(&shape, ir->context));
}

static MlirLogicalResult emitBranches(XlaFlatten *r, MlirOperation op,
                                      XlaIr *ir) {
  MlirValue index = branchIndex(
      ir, xlaFlattenLeavesOf(r, mlirOperationGetOperand(op, 0))->values[0]);
  bool passed = mlirOperationGetNumOperands(op) > 1;
  intptr_t nResults, nRegions = mlirOperationGetNumRegions(op);
  MlirType *types = xlaFlattenResultTypes(r, op, &nResults);
  if (!types)
    return failure();
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString("xla.case"), ir->location);
  mlirOperationStateAddOperands(&state, 1, &index);
  mlirOperationStateAddResults(&state, nResults, types);
  free(types);
  MlirLogicalResult result = success();
  for (intptr_t i = 0; i < nRegions; ++i) {
    MlirRegion region = mlirRegionCreate();
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
    if (!failed(result) && passed) {
      MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
      const XlaLeaves *leaves =
          xlaFlattenLeavesOf(r, mlirOperationGetOperand(op, 1 + i));
      result = xlaFlattenBind(r, op, mlirBlockGetArgument(block, 0),
                              leaves->size, leaves->values);
    }
    if (!failed(result))
      result = xlaFlattenRegion(r, op, i, false, region, ir);
  }
  if (!failed(result))
    return insert(r, op, ir, &state, nResults);
  mlirOperationDestroy(mlirOperationCreate(&state));
  return result;
}

/// The types of a call's operands or results as an attribute; null without
/// memory. `*arrays` stays true if they are arrays.
static MlirAttribute typesOf(MlirOperation op, bool results, bool *arrays) {
  intptr_t n = results ? mlirOperationGetNumResults(op)
                       : mlirOperationGetNumOperands(op);
  MlirAttribute *types = malloc(((size_t)n + 1) * sizeof *types);
  MlirAttribute list = {NULL};
  for (intptr_t i = 0; types && i < n; ++i) {
    MlirType type = mlirValueGetType(results ? mlirOperationGetResult(op, i)
                                             : mlirOperationGetOperand(op, i));
    *arrays &= mlirTypeIsAShaped(type);
    types[i] = mlirTypeAttrGet(type);
  }
  if (types)
    list = mlirArrayAttrGet(mlirOperationGetContext(op), n, types);
  free(types);
  return list;
}

/// What is called gets tuples and tokens as the program has them.
static MlirLogicalResult emitCustomCall(XlaFlatten *r, MlirOperation op,
                                        XlaIr *ir) {
  static const char *const names[] = {XLA_CALL_OPERANDS, XLA_CALL_RESULTS};
  bool arrays = true;
  MlirAttribute types[] = {typesOf(op, false, &arrays),
                           typesOf(op, true, &arrays)};
  if (mlirAttributeIsNull(types[0]) || mlirAttributeIsNull(types[1]))
    return xlaFlattenNoMemory(op);
  if (!r->retype) // only this pass says what that stands for
    mlirOperationRemoveDiscardableAttributeByName(
        op, mlirStringRefCreateFromCString(XLA_BETWEEN_OP));
  for (int i = 0; !arrays && i < 2; ++i)
    mlirOperationSetDiscardableAttributeByName(
        op, mlirStringRefCreateFromCString(names[i]), types[i]);
  return xlaFlattenEmitSame(r, op, ir);
}

/// Tokens are gone: the new operations stay in order without.
static MlirLogicalResult emitToken(XlaFlatten *r, MlirOperation op, XlaIr *ir) {
  (void)ir;
  return xlaFlattenBindResults(r, op, NULL);
}

/// Arrays without the token, which the order of the operations keeps. As the
/// interpreter does, nothing is transferred where there are none.
static MlirLogicalResult emitFeed(XlaFlatten *r, MlirOperation op, XlaIr *ir) {
  intptr_t n = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    n += xlaFlattenLeafCount(r,
                             mlirValueGetType(mlirOperationGetOperand(op, i)));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    n +=
        xlaFlattenLeafCount(r, mlirValueGetType(mlirOperationGetResult(op, i)));
  return n ? xlaFlattenEmitSame(r, op, ir) : xlaFlattenBindResults(r, op, NULL);
}

static MlirLogicalResult emitSelect(XlaFlatten *r, MlirOperation op,
                                    XlaIr *ir) {
  bool isArray =
      mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetResult(op, 0)));
  return isArray ? xlaFlattenEmitSame(r, op, ir) : emitTupleSelect(r, op, ir);
}

/// Operations that become others; the rest stay as they are.
static MlirLogicalResult (*const emitters[XlaOpKindCount])(XlaFlatten *,
                                                           MlirOperation,
                                                           XlaIr *) = {
    [XlaOpKindSelect] = emitSelect,
    [XlaOpKindDot] = emitDot,
    [XlaOpKindIf] = emitBranches,
    [XlaOpKindCase] = emitBranches,
    [XlaOpKindConditional] = emitBranches,
    [XlaOpKindCall] = emitCall,
    [XlaOpKindCustomCall] = emitCustomCall,
    [XlaOpKindTuple] = emitTuple,
    [XlaOpKindGetTupleElement] = emitGetTupleElement,
    [XlaOpKindAfterAll] = emitToken,
    [XlaOpKindCreateToken] = emitToken,
    [XlaOpKindInfeed] = emitFeed,
    [XlaOpKindOutfeed] = emitFeed,
    [XlaOpKindRecv] = xlaFlattenEmitTransfer,
    [XlaOpKindRecvDone] = xlaFlattenEmitTransfer,
    [XlaOpKindSend] = xlaFlattenEmitTransfer,
    [XlaOpKindSendDone] = xlaFlattenEmitTransfer,
};

MlirLogicalResult xlaFlattenOp(XlaFlatten *r, MlirOperation op, XlaIr *ir) {
  if (++r->nOperations > xlaFlattenMaxOperations)
    return xlaOpUnsupported(op, NULL,
                            "is one of more than %d operations after inlining",
                            (int)xlaFlattenMaxOperations);
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind != XlaOpKindInvalid && r->retype && r->retype->isWritten(op))
    return r->retype->emit(r, op, ir);
  if (kind == XlaOpKindInvalid)
    return xlaIrIsOp(op, "func.call")
               ? emitCall(r, op, ir)
               : xlaOpInvalid(op, NULL, "is not an operation of xla");
  if (xlaIsBetweenReplicas(kind))
    return xlaFlattenEmitCollective(r, op, ir);
  return emitters[kind] ? emitters[kind](r, op, ir)
                        : xlaFlattenEmitSame(r, op, ir);
}
