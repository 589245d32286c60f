//===- flatten.c - Functions without calls and tuples ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of the old function map to lists of leaves in the new one. A function
// that is inlined twice maps anew the second time: nothing outside refers to
// what it defined the first time.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/flatten_internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

MlirLogicalResult xlaFlattenNoMemory(MlirOperation op) {
  return xlaOpNoMemory(op);
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

intptr_t xlaFlattenLeafCount(const XlaFlatten *r, MlirType type) {
  MlirType types[2];
  int n = r->retype ? r->retype->getTypes(r, type, types) : 0;
  if (n)
    return n;
  if (!mlirTypeIsATuple(type))
    return !xlaTypeIsToken(type);
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    count += xlaFlattenLeafCount(r, mlirTupleTypeGetType(type, i));
  return count;
}

MlirLogicalResult xlaFlattenLeafTypes(const XlaFlatten *r, MlirOperation op,
                                      MlirType type, MlirType **types) {
  int n = r->retype ? r->retype->getTypes(r, type, *types) : 0;
  *types += n;
  if (n)
    return success();
  if (mlirTypeIsATuple(type)) {
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
      if (failed(
              xlaFlattenLeafTypes(r, op, mlirTupleTypeGetType(type, i), types)))
        return failure();
    return success();
  }
  if (xlaTypeIsToken(type))
    return success();
  XlaShape shape;
  const char *reason;
  if (!xlaShapeFromMlirBounded(type, &shape, &reason))
    return xlaOpUnsupported(op, NULL, "has a value of type %s, which %s",
                            XLA_TYPE_TEXT(type), reason);
  // Arrays go in and out of compiled programs as they do with the interpreter,
  // row-major, so that layouts change no values.
  *(*types)++ = xlaTypeWithoutLayout(type);
  return success();
}

XlaLeaves *xlaFlattenNewLeaves(XlaFlatten *r, intptr_t size) {
  XlaLeaves *leaves =
      malloc(sizeof *leaves + (size_t)size * sizeof *leaves->values);
  if (!leaves)
    return NULL;
  leaves->previous = r->last;
  leaves->size = size;
  r->last = leaves;
  return leaves;
}

MlirLogicalResult xlaFlattenBind(XlaFlatten *r, MlirOperation op, MlirValue old,
                                 intptr_t size, const MlirValue *values) {
  XlaLeaves *leaves = xlaFlattenNewLeaves(r, size);
  if (!leaves || !xlaPointerMapSet(&r->leaves, old.ptr, (intptr_t)leaves))
    return xlaFlattenNoMemory(op);
  if (size)
    memcpy(leaves->values, values, (size_t)size * sizeof *values);
  return success();
}

const XlaLeaves *xlaFlattenLeavesOf(const XlaFlatten *r, MlirValue old) {
  return (const XlaLeaves *)xlaPointerMapGet(&r->leaves, old.ptr);
}

MlirValue *xlaFlattenGather(const XlaFlatten *r, MlirOperation op,
                            intptr_t from, intptr_t to, intptr_t *size) {
  *size = 0;
  for (intptr_t i = from; i < to; ++i) {
    const XlaLeaves *leaves =
        xlaFlattenLeavesOf(r, mlirOperationGetOperand(op, i));
    if (!leaves) {
      xlaOpInvalid(op, NULL, "uses a value that is not defined before it");
      return NULL;
    }
    *size += leaves->size;
  }
  MlirValue *values = malloc(((size_t)*size + 1) * sizeof *values),
            *at = values;
  if (!values) {
    xlaFlattenNoMemory(op);
    return NULL;
  }
  for (intptr_t i = from; i < to; ++i) {
    const XlaLeaves *leaves =
        xlaFlattenLeavesOf(r, mlirOperationGetOperand(op, i));
    memcpy(at, leaves->values, (size_t)leaves->size * sizeof *at);
    at += leaves->size;
  }
  return values;
}

MlirLogicalResult xlaFlattenBindResults(XlaFlatten *r, MlirOperation op,
                                        const MlirValue *values) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue old = mlirOperationGetResult(op, i);
    intptr_t size = xlaFlattenLeafCount(r, mlirValueGetType(old));
    if (failed(xlaFlattenBind(r, op, old, size, values)))
      return failure();
    values += size;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

MlirLogicalResult xlaFlattenBody(XlaFlatten *r, MlirBlock block, XlaIr *ir) {
  MlirOperation terminator = mlirBlockGetTerminator(block);
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op)) {
    ir->location = mlirOperationGetLocation(op);
    if (!mlirLocationIsNull(r->callSite))
      ir->location = mlirLocationCallSiteGet(ir->location, r->callSite);
    if (failed(xlaFlattenOp(r, op, ir)))
      return failure();
  }
  return success();
}

/// A whole block, ended by `terminatorName`.
static MlirLogicalResult emitBlock(XlaFlatten *r, MlirBlock block, XlaIr *ir,
                                   const char *terminatorName) {
  if (failed(xlaFlattenBody(r, block, ir)))
    return failure();
  MlirOperation terminator = mlirBlockGetTerminator(block);
  if (!xlaIrIsOp(terminator, terminatorName))
    return xlaOpInvalid(terminator, NULL, "stands in place of %s",
                        terminatorName);
  intptr_t n;
  MlirValue *values = xlaFlattenGather(
      r, terminator, 0, mlirOperationGetNumOperands(terminator), &n);
  if (!values)
    return failure();
  xlaIrCreate(ir, terminatorName, n, values, 0, NULL, 0, NULL, 0, NULL);
  free(values);
  return success();
}

/// New arguments for arguments `first` and on of `block`, `n` of one type: the
/// first leaf of each, then the second of each.
static MlirLogicalResult addGroup(XlaFlatten *r, MlirOperation op,
                                  MlirBlock block, intptr_t first, intptr_t n,
                                  MlirBlock into) {
  MlirType type = mlirValueGetType(mlirBlockGetArgument(block, first));
  intptr_t size = xlaFlattenLeafCount(r, type);
  MlirType *types = malloc(((size_t)size + 1) * sizeof *types), *end = types;
  if (!types)
    return xlaFlattenNoMemory(op);
  XlaLeaves *leaves[2] = {NULL};
  MlirLogicalResult result = xlaFlattenLeafTypes(r, op, type, &end);
  for (intptr_t i = 0; !failed(result) && i < n; ++i) {
    leaves[i] = xlaFlattenNewLeaves(r, size);
    if (!leaves[i] ||
        !xlaPointerMapSet(&r->leaves,
                          mlirBlockGetArgument(block, first + i).ptr,
                          (intptr_t)leaves[i]))
      result = xlaFlattenNoMemory(op);
  }
  for (intptr_t k = 0; !failed(result) && k < size; ++k)
    for (intptr_t i = 0; i < n; ++i)
      leaves[i]->values[k] =
          mlirBlockAddArgument(into, types[k], mlirOperationGetLocation(op));
  free(types);
  return result;
}

/// New arguments for those of `block`, which are mapped to them. A sort's lie
/// side by side, two for each operand.
static MlirLogicalResult addArguments(XlaFlatten *r, MlirOperation op,
                                      MlirBlock block, MlirBlock into) {
  intptr_t n = xlaOpGetKind(op) == XlaOpKindSort ? 2 : 1;
  MlirLogicalResult result = success();
  for (intptr_t i = 0; !failed(result) && i < mlirBlockGetNumArguments(block);
       i += n)
    result = addGroup(r, op, block, i, n, into);
  return result;
}

MlirLogicalResult xlaFlattenRegion(XlaFlatten *r, MlirOperation op,
                                   intptr_t index, bool arguments,
                                   MlirRegion into, const XlaIr *ir) {
  MlirBlock old = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, index));
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(into, block);
  if (++r->depth > xlaFlattenMaxDepth)
    return xlaOpUnsupported(op, NULL, "nests more than %d deep",
                            xlaFlattenMaxDepth);
  XlaIr inside = xlaIrIn(*ir, block);
  MlirLogicalResult result =
      arguments ? addArguments(r, op, old, block) : success();
  if (!failed(result))
    result = emitBlock(r, old, &inside, "xla.return");
  --r->depth;
  return result;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// One attribute of `name` a leaf in place of one a value.
static void spreadAttributes(const XlaFlatten *r, MlirOperation function,
                             const char *name, intptr_t n,
                             const MlirType *types) {
  MlirAttribute old = xlaOpGetAttr(function, name);
  if (mlirAttributeIsNull(old) || !mlirAttributeIsAArray(old))
    return;
  intptr_t total = 0;
  for (intptr_t i = 0; i < n; ++i)
    total += xlaFlattenLeafCount(r, types[i]);
  MlirAttribute *spread = malloc(((size_t)total + 1) * sizeof *spread);
  if (!spread)
    return;
  total = 0;
  for (intptr_t i = 0; i < n; ++i)
    for (intptr_t k = xlaFlattenLeafCount(r, types[i]); k > 0; --k)
      spread[total++] = mlirArrayAttrGetElement(old, i);
  mlirOperationSetAttributeByName(
      function, mlirStringRefCreateFromCString(name),
      mlirArrayAttrGet(mlirOperationGetContext(function), total, spread));
  free(spread);
}

/// The signature follows the new body.
static MlirLogicalResult setSignature(const XlaFlatten *r,
                                      MlirOperation function, MlirBlock block) {
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
    return xlaFlattenNoMemory(function);
  for (intptr_t i = 0; i < nIn; ++i)
    types[i] = mlirFunctionTypeGetInput(old, i);
  spreadAttributes(r, function, "arg_attrs", nIn, types);
  for (intptr_t i = 0; i < nOut; ++i)
    types[i] = mlirFunctionTypeGetResult(old, i);
  spreadAttributes(r, function, "res_attrs", nOut, types);
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

static MlirLogicalResult flatten(XlaFlatten *r, MlirOperation function) {
  MlirRegion region = mlirOperationGetRegion(function, 0);
  MlirBlock old = mlirRegionGetFirstBlock(region);
  if (mlirBlockIsNull(old) || !mlirBlockIsNull(mlirBlockGetNextInRegion(old)))
    return xlaOpInvalid(function, NULL, "has %s",
                        mlirBlockIsNull(old) ? "no body" : "several blocks");
  if (!xlaPointerMapSet(&r->active, function.ptr, 1))
    return xlaFlattenNoMemory(function);
  MlirRegion made = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(made, block);
  r->entry = block;
  XlaIr ir = xlaIrAtEnd(r->context, mlirOperationGetLocation(function), block);
  MlirLogicalResult result = addArguments(r, function, old, block);
  if (!failed(result))
    result = emitBlock(r, old, &ir, "func.return");
  if (!failed(result))
    result = setSignature(r, function, block);
  if (!failed(result))
    mlirRegionTakeBody(region, made);
  mlirRegionDestroy(made);
  return result;
}

void xlaFlattenFree(XlaFlatten *r) {
  while (r->last) {
    XlaLeaves *previous = r->last->previous;
    free(r->last);
    r->last = previous;
  }
  xlaPointerMapClear(&r->leaves);
  xlaPointerMapClear(&r->active);
}

MlirLogicalResult xlaFlattenFunction(MlirOperation module,
                                     MlirOperation function) {
  XlaFlatten r = {.context = mlirOperationGetContext(module),
                  .symbols = mlirSymbolTableCreate(module),
                  .isParallel =
                      !mlirAttributeIsNull(xlaOpGetAttr(module, XLA_PARALLEL))};
  MlirLogicalResult result = flatten(&r, function);
  xlaFlattenFree(&r);
  mlirSymbolTableDestroy(r.symbols);
  return failed(result) ? result : xlaFlattenCheckRegions(function);
}
