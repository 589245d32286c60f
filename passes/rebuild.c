//===- rebuild.c - Functions without calls and tuples ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of the old function map to lists of leaves in the new one. A function
// that is inlined twice maps anew the second time: nothing outside refers to
// what it defined the first time.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/rebuild.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/literal.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/single_replica.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

enum { maxDepth = 1000, maxOperations = 4 << 20 };

typedef struct Leaves {
  struct Leaves *previous; // of all lists, for freeing
  intptr_t size;
  MlirValue values[];
} Leaves;

typedef struct Rebuild {
  MlirContext context;
  MlirSymbolTable symbols;
  XlaPointerMap leaves; // of old values: Leaves *
  XlaPointerMap active; // functions that are being inlined
  Leaves *last;
  MlirLocation callSite; // null outside of calls
  int depth;
  int64_t nOperations;
} Rebuild;

static MlirLogicalResult noMemory(MlirOperation op) {
  return xlaOpError(op, NULL, "could not be legalized: out of memory");
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

static intptr_t leafCount(MlirType type) {
  if (!mlirTypeIsATuple(type))
    return !xlaTypeIsToken(type);
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    count += leafCount(mlirTupleTypeGetType(type, i));
  return count;
}

/// Writes the types of `type`'s leaves to `types`.
static MlirLogicalResult leafTypes(MlirOperation op, MlirType type,
                                   MlirType **types) {
  if (mlirTypeIsATuple(type)) {
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
      if (failed(leafTypes(op, mlirTupleTypeGetType(type, i), types)))
        return failure();
    return success();
  }
  if (xlaTypeIsToken(type))
    return success();
  XlaShape shape;
  const char *reason;
  if (!xlaShapeFromMlirBounded(type, &shape, &reason))
    return xlaOpError(op, NULL, "has a value of type %s, which %s",
                      XLA_TYPE_TEXT(type), reason);
  // Arrays go in and out of compiled programs as they do with the interpreter,
  // row-major, so that layouts change no values.
  *(*types)++ = xlaTypeWithoutLayout(type);
  return success();
}

static Leaves *newLeaves(Rebuild *r, intptr_t size) {
  Leaves *leaves =
      malloc(sizeof *leaves + (size_t)size * sizeof *leaves->values);
  if (!leaves)
    return NULL;
  leaves->previous = r->last;
  leaves->size = size;
  r->last = leaves;
  return leaves;
}

/// Maps an old value to `size` new ones.
static MlirLogicalResult bind(Rebuild *r, MlirOperation op, MlirValue old,
                              intptr_t size, const MlirValue *values) {
  Leaves *leaves = newLeaves(r, size);
  if (!leaves || !xlaPointerMapSet(&r->leaves, old.ptr, (intptr_t)leaves))
    return noMemory(op);
  if (size)
    memcpy(leaves->values, values, (size_t)size * sizeof *values);
  return success();
}

static const Leaves *leavesOf(const Rebuild *r, MlirValue old) {
  return (const Leaves *)xlaPointerMapGet(&r->leaves, old.ptr);
}

/// The leaves of operands `from` .. `to`, for the caller to free; NULL after a
/// diagnostic.
static MlirValue *gather(const Rebuild *r, MlirOperation op, intptr_t from,
                         intptr_t to, intptr_t *size) {
  *size = 0;
  for (intptr_t i = from; i < to; ++i) {
    const Leaves *leaves = leavesOf(r, mlirOperationGetOperand(op, i));
    if (!leaves) {
      xlaOpError(op, NULL, "uses a value that is not defined before it");
      return NULL;
    }
    *size += leaves->size;
  }
  MlirValue *values = malloc(((size_t)*size + 1) * sizeof *values),
            *at = values;
  if (!values) {
    noMemory(op);
    return NULL;
  }
  for (intptr_t i = from; i < to; ++i) {
    const Leaves *leaves = leavesOf(r, mlirOperationGetOperand(op, i));
    memcpy(at, leaves->values, (size_t)leaves->size * sizeof *at);
    at += leaves->size;
  }
  return values;
}

/// Maps the results of `op` to `values`, in order.
static MlirLogicalResult bindResults(Rebuild *r, MlirOperation op,
                                     const MlirValue *values) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue old = mlirOperationGetResult(op, i);
    intptr_t size = leafCount(mlirValueGetType(old));
    if (failed(bind(r, op, old, size, values)))
      return failure();
    values += size;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static MlirLogicalResult emitOp(Rebuild *r, MlirOperation op, XlaIr *ir);

/// Everything but the terminator.
static MlirLogicalResult emitBody(Rebuild *r, MlirBlock block, XlaIr *ir) {
  MlirOperation terminator = mlirBlockGetTerminator(block);
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op)) {
    ir->location = mlirOperationGetLocation(op);
    if (!mlirLocationIsNull(r->callSite))
      ir->location = mlirLocationCallSiteGet(ir->location, r->callSite);
    if (failed(emitOp(r, op, ir)))
      return failure();
  }
  return success();
}

/// A whole block, ended by `terminatorName`.
static MlirLogicalResult emitBlock(Rebuild *r, MlirBlock block, XlaIr *ir,
                                   const char *terminatorName) {
  if (failed(emitBody(r, block, ir)))
    return failure();
  MlirOperation terminator = mlirBlockGetTerminator(block);
  if (!xlaIrIsOp(terminator, terminatorName))
    return xlaOpError(terminator, NULL, "stands in place of %s",
                      terminatorName);
  intptr_t n;
  MlirValue *values =
      gather(r, terminator, 0, mlirOperationGetNumOperands(terminator), &n);
  if (!values)
    return failure();
  xlaIrCreate(ir, terminatorName, n, values, 0, NULL, 0, NULL, 0, NULL);
  free(values);
  return success();
}

/// New arguments for those of `block`, which are mapped to them.
static MlirLogicalResult addArguments(Rebuild *r, MlirOperation op,
                                      MlirBlock block, MlirBlock into) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue old = mlirBlockGetArgument(block, i);
    Leaves *leaves = newLeaves(r, leafCount(mlirValueGetType(old)));
    if (!leaves || !xlaPointerMapSet(&r->leaves, old.ptr, (intptr_t)leaves))
      return noMemory(op);
    MlirType *types = malloc(((size_t)leaves->size + 1) * sizeof *types);
    if (!types)
      return noMemory(op);
    MlirType *end = types;
    MlirLogicalResult result = leafTypes(op, mlirValueGetType(old), &end);
    for (intptr_t k = 0; !failed(result) && k < leaves->size; ++k)
      leaves->values[k] =
          mlirBlockAddArgument(into, types[k], mlirOperationGetLocation(op));
    free(types);
    if (failed(result))
      return result;
  }
  return success();
}

/// Region `index` of `op` in `into`. With `arguments` its block has arguments;
/// without they have been mapped to values outside.
static MlirLogicalResult emitRegion(Rebuild *r, MlirOperation op,
                                    intptr_t index, bool arguments,
                                    MlirRegion into, const XlaIr *ir) {
  MlirBlock old = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, index));
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(into, block);
  if (++r->depth > maxDepth)
    return xlaOpError(op, NULL, "nests more than %d deep", maxDepth);
  XlaIr inside = xlaIrIn(*ir, block);
  MlirLogicalResult result =
      arguments ? addArguments(r, op, old, block) : success();
  if (!failed(result))
    result = emitBlock(r, old, &inside, "xla.return");
  --r->depth;
  return result;
}

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

/// The types of all results' leaves, for the caller to free.
static MlirType *resultTypes(MlirOperation op, intptr_t *size) {
  *size = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    *size += leafCount(mlirValueGetType(mlirOperationGetResult(op, i)));
  MlirType *types = malloc(((size_t)*size + 1) * sizeof *types), *end = types;
  if (!types)
    noMemory(op);
  for (intptr_t i = 0; types && i < mlirOperationGetNumResults(op); ++i)
    if (failed(leafTypes(op, mlirValueGetType(mlirOperationGetResult(op, i)),
                         &end))) {
      free(types);
      return NULL;
    }
  return types;
}

/// Finishes `state`: inserts the operation and maps the results.
static MlirLogicalResult insert(Rebuild *r, MlirOperation op, XlaIr *ir,
                                MlirOperationState *state, intptr_t nResults) {
  MlirOperation made = mlirOperationCreate(state);
  if (mlirOperationIsNull(made))
    return xlaOpError(op, NULL, "could not be rewritten");
  mlirBlockAppendOwnedOperation(ir->block, made);
  MlirValue *values = malloc(((size_t)nResults + 1) * sizeof *values);
  if (!values)
    return noMemory(op);
  for (intptr_t i = 0; i < nResults; ++i)
    values[i] = mlirOperationGetResult(made, i);
  if (xlaOpGetKind(made) == XlaOpKindMap)
    values[0] = xlaMapExpand(made);
  MlirLogicalResult result = bindResults(r, op, values);
  free(values);
  return result;
}

/// The same operation on leaves.
static MlirLogicalResult emitSame(Rebuild *r, MlirOperation op, XlaIr *ir) {
  intptr_t nOperands, nResults;
  MlirType *types = resultTypes(op, &nResults);
  if (!types)
    return failure();
  MlirValue *operands =
      gather(r, op, 0, mlirOperationGetNumOperands(op), &nOperands);
  MlirLogicalResult result = operands ? success() : mlirLogicalResultFailure();
  // A barrier for tokens only.
  bool order = !nOperands && mlirOperationGetNumOperands(op) &&
               xlaOpGetKind(op) == XlaOpKindOptimizationBarrier;
  if (operands && order) {
    result = bindResults(r, op, operands);
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
        result = emitRegion(r, op, i, true, region, ir);
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

static MlirLogicalResult emitCall(Rebuild *r, MlirOperation op, XlaIr *ir) {
  MlirStringRef name =
      mlirFlatSymbolRefAttrGetValue(xlaOpGetAttr(op, "callee"));
  MlirOperation callee = mlirSymbolTableLookup(r->symbols, name);
  if (mlirOperationIsNull(callee) || !xlaIrIsOp(callee, "func.func"))
    return xlaOpError(op, NULL, "calls @%.*s, which is no function",
                      (int)name.length, name.data);
  MlirRegion region = mlirOperationGetRegion(callee, 0);
  MlirBlock body = mlirRegionGetFirstBlock(region);
  if (mlirBlockIsNull(body) || !mlirBlockIsNull(mlirBlockGetNextInRegion(body)))
    return xlaOpError(op, NULL, "calls @%.*s, which has %s", (int)name.length,
                      name.data,
                      mlirBlockIsNull(body) ? "no body" : "several blocks");
  if (xlaPointerMapGet(&r->active, callee.ptr))
    return xlaOpError(op, NULL,
                      "calls @%.*s, which is being called: recursion is not "
                      "supported",
                      (int)name.length, name.data);
  if (++r->depth > maxDepth)
    return xlaOpError(op, NULL, "nests more than %d deep", maxDepth);
  if (!xlaPointerMapSet(&r->active, callee.ptr, 1))
    return noMemory(op);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    const Leaves *leaves = leavesOf(r, mlirOperationGetOperand(op, i));
    if (failed(bind(r, op, mlirBlockGetArgument(body, i), leaves->size,
                    leaves->values)))
      return failure();
  }
  MlirLocation outer = r->callSite;
  r->callSite = ir->location;
  MlirLogicalResult result = emitBody(r, body, ir);
  r->callSite = outer;
  intptr_t n;
  MlirOperation terminator = mlirBlockGetTerminator(body);
  MlirValue *values = failed(result)
                          ? NULL
                          : gather(r, terminator, 0,
                                   mlirOperationGetNumOperands(terminator), &n);
  result = values ? bindResults(r, op, values) : mlirLogicalResultFailure();
  free(values);
  xlaPointerMapSet(&r->active, callee.ptr, 0);
  --r->depth;
  return result;
}

static MlirLogicalResult emitGetTupleElement(Rebuild *r, MlirOperation op) {
  MlirValue tuple = mlirOperationGetOperand(op, 0);
  const Leaves *leaves = leavesOf(r, tuple);
  MlirType type = mlirValueGetType(tuple);
  intptr_t index = (intptr_t)xlaOpGetI64(op, "index", 0), offset = 0;
  for (intptr_t i = 0; i < index; ++i)
    offset += leafCount(mlirTupleTypeGetType(type, i));
  return bindResults(r, op, leaves->values + offset);
}

static MlirLogicalResult emitTuple(Rebuild *r, MlirOperation op) {
  intptr_t n;
  MlirValue *values = gather(r, op, 0, mlirOperationGetNumOperands(op), &n);
  MlirLogicalResult result =
      values ? bindResults(r, op, values) : mlirLogicalResultFailure();
  free(values);
  return result;
}

static MlirLogicalResult emitTupleSelect(Rebuild *r, MlirOperation op,
                                         XlaIr *ir) {
  MlirValue pred = leavesOf(r, mlirOperationGetOperand(op, 0))->values[0];
  const Leaves *a = leavesOf(r, mlirOperationGetOperand(op, 1));
  const Leaves *b = leavesOf(r, mlirOperationGetOperand(op, 2));
  Leaves *made = newLeaves(r, a->size);
  if (!made)
    return noMemory(op);
  for (intptr_t i = 0; i < a->size; ++i)
    made->values[i] =
        xlaIrOp(ir, "xla.select", mlirValueGetType(a->values[i]), 3,
                (MlirValue[]){pred, a->values[i], b->values[i]}, 0, NULL);
  return bindResults(r, op, made->values);
}

static MlirLogicalResult emitDot(Rebuild *r, MlirOperation op, XlaIr *ir) {
  XlaShape lhs, rhs;
  MlirValue operands[2];
  for (int i = 0; i < 2; ++i)
    operands[i] = leavesOf(r, mlirOperationGetOperand(op, i))->values[0];
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
  return bindResults(r, op, &result);
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

static MlirLogicalResult emitBranches(Rebuild *r, MlirOperation op, XlaIr *ir) {
  MlirValue index =
      branchIndex(ir, leavesOf(r, mlirOperationGetOperand(op, 0))->values[0]);
  bool passed = mlirOperationGetNumOperands(op) > 1;
  intptr_t nResults, nRegions = mlirOperationGetNumRegions(op);
  MlirType *types = resultTypes(op, &nResults);
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
      const Leaves *leaves = leavesOf(r, mlirOperationGetOperand(op, 1 + i));
      result = bind(r, op, mlirBlockGetArgument(block, 0), leaves->size,
                    leaves->values);
    }
    if (!failed(result))
      result = emitRegion(r, op, i, false, region, ir);
  }
  if (!failed(result))
    return insert(r, op, ir, &state, nResults);
  mlirOperationDestroy(mlirOperationCreate(&state));
  return result;
}

/// What an operation between replicas gives where there is one.
static MlirLogicalResult emitSingle(Rebuild *r, MlirOperation op, XlaIr *ir) {
  intptr_t nOperands, nResults;
  MlirType *types = resultTypes(op, &nResults);
  if (!types)
    return failure();
  MlirValue *operands =
      gather(r, op, 0, mlirOperationGetNumOperands(op), &nOperands);
  MlirValue *results = malloc(((size_t)nResults + 1) * sizeof *results);
  MlirLogicalResult result = failure();
  if (!results)
    noMemory(op);
  else if (operands)
    result = xlaSingleReplicaExpand(op, ir, nResults, operands, types, results);
  if (!failed(result))
    result = bindResults(r, op, results);
  free(types);
  free(operands);
  free(results);
  return result;
}

/// Foreign code would find other pointers than it expects.
static MlirLogicalResult checkForeign(MlirOperation op) {
  bool arrays = true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    arrays &=
        mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetOperand(op, i)));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    arrays &=
        mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetResult(op, i)));
  return arrays ? success()
                : xlaOpError(op, NULL,
                             "is not supported yet with tuples and tokens in "
                             "compiled programs, only by the interpreter");
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wswitch-enum"
static MlirLogicalResult emitOp(Rebuild *r, MlirOperation op, XlaIr *ir) {
  if (++r->nOperations > maxOperations)
    return xlaOpError(op, NULL,
                      "is one of more than %d operations after inlining",
                      (int)maxOperations);
  XlaOpKind kind = xlaOpGetKind(op);
  if (xlaIsBetweenReplicas(kind))
    return emitSingle(r, op, ir);
  switch (kind) {
  case XlaOpKindInvalid:
    return xlaIrIsOp(op, "func.call")
               ? emitCall(r, op, ir)
               : xlaOpError(op, NULL, "is not an operation of xla");
  case XlaOpKindCall:
    return emitCall(r, op, ir);
  case XlaOpKindTuple:
    return emitTuple(r, op);
  case XlaOpKindGetTupleElement:
    return emitGetTupleElement(r, op);
  case XlaOpKindDot:
    return emitDot(r, op, ir);
  case XlaOpKindIf:
  case XlaOpKindCase:
  case XlaOpKindConditional:
    return emitBranches(r, op, ir);
  case XlaOpKindAfterAll:
  case XlaOpKindCreateToken: // the new operations stay in order without
    return bindResults(r, op, NULL);
  case XlaOpKindCustomCall:
    return failed(checkForeign(op)) ? failure() : emitSame(r, op, ir);
  case XlaOpKindInfeed:
  case XlaOpKindOutfeed:
  case XlaOpKindRecv:
  case XlaOpKindRecvDone:
  case XlaOpKindSend:
  case XlaOpKindSendDone:
    return xlaOpError(op, NULL,
                      "is not supported yet in compiled programs, only by the "
                      "interpreter");
  case XlaOpKindSelect:
    if (!mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetResult(op, 0))))
      return emitTupleSelect(r, op, ir);
    return emitSame(r, op, ir);
  default:
    return emitSame(r, op, ir);
  }
}
#pragma clang diagnostic pop

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// One attribute of `name` a leaf in place of one a value.
static void spreadAttributes(MlirOperation function, const char *name,
                             intptr_t n, const MlirType *types) {
  MlirAttribute old = xlaOpGetAttr(function, name);
  if (mlirAttributeIsNull(old) || !mlirAttributeIsAArray(old))
    return;
  intptr_t total = 0;
  for (intptr_t i = 0; i < n; ++i)
    total += leafCount(types[i]);
  MlirAttribute *spread = malloc(((size_t)total + 1) * sizeof *spread);
  if (!spread)
    return;
  total = 0;
  for (intptr_t i = 0; i < n; ++i)
    for (intptr_t k = leafCount(types[i]); k > 0; --k)
      spread[total++] = mlirArrayAttrGetElement(old, i);
  mlirOperationSetAttributeByName(
      function, mlirStringRefCreateFromCString(name),
      mlirArrayAttrGet(mlirOperationGetContext(function), total, spread));
  free(spread);
}

/// The signature follows the new body.
static MlirLogicalResult setSignature(MlirOperation function, MlirBlock block) {
  MlirAttribute attr = xlaOpGetAttr(function, "function_type");
  MlirType old = mlirTypeAttrGetValue(attr);
  MlirOperation terminator = mlirBlockGetTerminator(block);
  intptr_t nIn = mlirFunctionTypeGetNumInputs(old),
           nOut = mlirFunctionTypeGetNumResults(old),
           newIn = mlirBlockGetNumArguments(block),
           newOut = mlirOperationGetNumOperands(terminator);
  intptr_t most = (nIn > nOut ? nIn : nOut) + newIn + newOut;
  MlirType *types = malloc(((size_t)most + 1) * sizeof *types);
  if (!types)
    return noMemory(function);
  for (intptr_t i = 0; i < nIn; ++i)
    types[i] = mlirFunctionTypeGetInput(old, i);
  spreadAttributes(function, "arg_attrs", nIn, types);
  for (intptr_t i = 0; i < nOut; ++i)
    types[i] = mlirFunctionTypeGetResult(old, i);
  spreadAttributes(function, "res_attrs", nOut, types);
  for (intptr_t i = 0; i < newIn; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(block, i));
  for (intptr_t i = 0; i < newOut; ++i)
    types[newIn + i] = mlirValueGetType(mlirOperationGetOperand(terminator, i));
  MlirType type = mlirFunctionTypeGet(mlirOperationGetContext(function), newIn,
                                      types, newOut, types + newIn);
  free(types);
  mlirOperationSetAttributeByName(
      function, mlirStringRefCreateFromCString("function_type"),
      mlirTypeAttrGet(type));
  return success();
}

static MlirLogicalResult rebuild(Rebuild *r, MlirOperation function) {
  MlirRegion region = mlirOperationGetRegion(function, 0);
  MlirBlock old = mlirRegionGetFirstBlock(region);
  if (mlirBlockIsNull(old) || !mlirBlockIsNull(mlirBlockGetNextInRegion(old)))
    return xlaOpError(function, NULL, "has %s",
                      mlirBlockIsNull(old) ? "no body" : "several blocks");
  if (!xlaPointerMapSet(&r->active, function.ptr, 1))
    return noMemory(function);
  MlirRegion made = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(made, block);
  XlaIr ir = xlaIrAtEnd(r->context, mlirOperationGetLocation(function), block);
  MlirLogicalResult result = addArguments(r, function, old, block);
  if (!failed(result))
    result = emitBlock(r, old, &ir, "func.return");
  if (!failed(result))
    result = setSignature(function, block);
  if (!failed(result))
    mlirRegionTakeBody(region, made);
  mlirRegionDestroy(made);
  return result;
}

MlirLogicalResult xlaRebuildFunction(MlirOperation module,
                                     MlirOperation function) {
  Rebuild r = {.context = mlirOperationGetContext(module),
               .symbols = mlirSymbolTableCreate(module)};
  MlirLogicalResult result = rebuild(&r, function);
  while (r.last) {
    Leaves *previous = r.last->previous;
    free(r.last);
    r.last = previous;
  }
  xlaPointerMapClear(&r.leaves);
  xlaPointerMapClear(&r.active);
  mlirSymbolTableDestroy(r.symbols);
  return result;
}
