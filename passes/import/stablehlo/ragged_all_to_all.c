//===- ragged_all_to_all.c - Rows for every replica of a group ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ragged_all_to_all(input, output, input_offsets, send_sizes, output_offsets,
// recv_sizes) sends send_sizes[e] rows of the input, from input_offsets[e] on,
// to replica e of the group, or, if there are k numbers a replica, to e / k,
// where they go to output_offsets[e]. Rows that nobody sends are the output's.
// An all_to_all of each of them gives a replica what concerns it; a row of the
// result is then taken from all inputs together, by what is sent to its place.
// All that is a function, which says of what it is made: so it leaves again as
// one operation.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo/custom_call.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/ops/groups.h"
#include "xlac/passes/arrays.h"

#include <stdio.h>

enum { nOperands = 6 };
enum { input, output, inputOffsets, sendSizes, outputOffsets, recvSizes };

typedef struct Ragged {
  MlirOperation op;
  XlaIr ir;
  MlirAttribute groups;      ///< null: one, of all
  int64_t channel, nMembers; ///< of a group
  int64_t nEntries;          ///< of offsets and sizes
} Ragged;

/// False if they are not known.
static bool readGroups(Ragged *ragged) {
  XlaGroups read;
  ragged->groups = xlaCallAttribute(ragged->op, "replica_groups");
  ragged->channel = xlaCallInteger(ragged->op, "channel_id");
  ragged->nMembers = xlaCallInteger(ragged->op, "group_size");
  if (mlirAttributeIsNull(ragged->groups))
    return ragged->nMembers > 0;
  if (!xlaGroupsRead(ragged->groups, &read))
    return false;
  ragged->nMembers = read.count ? read.starts[1] : 0;
  xlaGroupsDestroy(&read);
  return ragged->nMembers > 0;
}

static XlaImportResult checkShapes(Ragged *ragged) {
  XlaImportResult result = xlaImportCheckArrays(ragged->op, 6, 1);
  if (result != XlaImportResultOk)
    return result;
  XlaShape from = xlaArrayShape(mlirOperationGetOperand(ragged->op, input));
  XlaShape to = xlaArrayShape(mlirOperationGetOperand(ragged->op, output));
  bool fit =
      from.rank && from.rank == to.rank && from.elementType == to.elementType;
  for (int d = 1; fit && d < from.rank; ++d)
    fit = from.dims[d] == to.dims[d];
  if (!fit) {
    xlaOpInvalid(ragged->op, NULL,
                 "takes an input and an output with the same sizes but for "
                 "the first dimension, not %s and %s",
                 XLA_SHAPE_TEXT(&from), XLA_SHAPE_TEXT(&to));
    return XlaImportResultInvalid;
  }
  for (int i = inputOffsets; i <= recvSizes; ++i) {
    XlaShape shape = xlaArrayShape(mlirOperationGetOperand(ragged->op, i));
    ragged->nEntries = i == inputOffsets ? shape.dims[0] : ragged->nEntries;
    if (shape.rank != 1 || !xlaElementTypeIsInteger(shape.elementType) ||
        shape.dims[0] != ragged->nEntries || !shape.dims[0] ||
        shape.dims[0] % ragged->nMembers) {
      xlaOpInvalid(ragged->op, NULL,
                   "operand %d is %s, not a vector of as many integers for "
                   "each of %lld replicas",
                   i, XLA_SHAPE_TEXT(&shape), (long long)ragged->nMembers);
      return XlaImportResultInvalid;
    }
  }
  return from.rank < XLA_MAX_RANK ? XlaImportResultOk
                                  : xlaCallUnknownForm(ragged->op);
}

/// Part e of what replica e of the group has for this one.
static MlirValue exchange(Ragged *ragged, MlirValue value) {
  MlirContext context = ragged->ir.context;
  XlaIrAttr attrs[5] = {
      {"split_dimension", xlaIrI64Attr(context, 0)},
      {"concat_dimension", xlaIrI64Attr(context, 0)},
      {"split_count", xlaIrI64Attr(context, ragged->nMembers)}};
  intptr_t n = 3;
  if (!mlirAttributeIsNull(ragged->groups))
    attrs[n++] = (XlaIrAttr){"replica_groups", ragged->groups};
  if (ragged->channel > 0)
    attrs[n++] =
        (XlaIrAttr){"channel_id", xlaIrI64Attr(context, ragged->channel)};
  return xlaIrOp(&ragged->ir, "xla.all_to_all", mlirValueGetType(value), 1,
                 &value, n, attrs);
}

/// The inputs of all members, one after the other.
static MlirValue allInputs(Ragged *ragged) {
  MlirValue value = mlirOperationGetOperand(ragged->op, input);
  XlaShape shape = xlaArrayShape(value);
  int64_t dims[XLA_MAX_RANK], dimensions[XLA_MAX_RANK];
  for (int d = 0; d < shape.rank; ++d) {
    dims[d + 1] = shape.dims[d];
    dimensions[d] = d + 1;
  }
  dims[0] = ragged->nMembers;
  value =
      xlaArrayBroadcast(&ragged->ir, value, shape.rank + 1, dims, dimensions);
  shape.dims[0] *= ragged->nMembers;
  return xlaArrayReshape(&ragged->ir, exchange(ragged, value), shape.rank,
                         shape.dims);
}

/// What comes of operand `i`, as a number for each entry, and along the rows.
static MlirValue entries(Ragged *ragged, int i) {
  return xlaArrayConvert(
      &ragged->ir, exchange(ragged, mlirOperationGetOperand(ragged->op, i)),
      XlaElementTypeS64);
}

static MlirValue alongRows(Ragged *ragged, MlirValue value, int64_t nRows) {
  int64_t dims[] = {nRows, ragged->nEntries};
  return xlaArrayBroadcast(&ragged->ir, value, 2, dims, (int64_t[]){1});
}

/// The row of allInputs that each of `nRows` rows of the result is; -1 where
/// nobody sends one.
static MlirValue sources(Ragged *ragged, int64_t nRows, int64_t nInputRows) {
  XlaIr *ir = &ragged->ir;
  int64_t n = ragged->nEntries, dims[] = {nRows, n};
  int64_t each[] = {ragged->nMembers, n / ragged->nMembers};
  MlirValue start = entries(ragged, outputOffsets);
  MlirValue end = xlaIrBinary(ir, "xla.add", start, entries(ragged, sendSizes));
  MlirValue member = xlaArrayReshape(
      ir, xlaArrayIota(ir, XlaElementTypeS64, 2, each, 0), 1, &n);
  MlirValue first =
      xlaIrBinary(ir, "xla.multiply", member,
                  xlaArrayInteger(ir, member, (uint64_t)nInputRows));
  first = xlaIrBinary(ir, "xla.add", first, entries(ragged, inputOffsets));
  MlirValue rows = xlaArrayIota(ir, XlaElementTypeS64, 2, dims, 0);
  MlirValue isSent = xlaIrBinary(
      ir, "xla.and",
      xlaArrayCompare(ir, "GE", rows, alongRows(ragged, start, nRows)),
      xlaArrayCompare(ir, "LT", rows, alongRows(ragged, end, nRows)));
  MlirValue offset = xlaIrBinary(ir, "xla.subtract", first, start);
  MlirValue source =
      xlaIrBinary(ir, "xla.add", rows, alongRows(ragged, offset, nRows));
  MlirValue none = xlaArrayInteger(ir, source, (uint64_t)-1);
  return xlaArrayReduce(ir, "xla.maximum",
                        xlaArraySelect(ir, isSent, source, none),
                        xlaArrayNumber(ir, XlaElementTypeS64, -1), 1u << 1);
}

XlaImportResult xlaExpandRaggedAllToAll(MlirOperation op) {
  Ragged ragged = {.op = op, .ir = xlaIrBefore(op)};
  if (!readGroups(&ragged))
    return xlaCallUnknownForm(op);
  XlaImportResult result = checkShapes(&ragged);
  if (result != XlaImportResultOk)
    return result;
  MlirValue value = mlirOperationGetOperand(op, output);
  XlaShape to = xlaArrayShape(value);
  int64_t nInputRows =
      xlaArrayShape(mlirOperationGetOperand(op, input)).dims[0];
  if (to.dims[0] && nInputRows) {
    XlaIr *ir = &ragged.ir;
    MlirValue from = sources(&ragged, to.dims[0], nInputRows);
    MlirValue taken = xlaArrayTake(ir, allInputs(&ragged), from, 0);
    MlirValue isSent =
        xlaArrayCompare(ir, "GE", from, xlaArrayInteger(ir, from, 0));
    value = xlaArraySelect(
        ir, xlaArrayBroadcast(ir, isSent, to.rank, to.dims, (int64_t[]){0}),
        taken, value);
  }
  return xlaCallPutAll(op, &value);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static MlirOperation findModule(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !xlaIrIsOp(op, "builtin.module"))
    op = mlirOperationGetParentOperation(op);
  return op;
}

/// A name that no function of the module has.
static void makeName(MlirOperation module, char *name, size_t size) {
  snprintf(name, size, "ragged_all_to_all");
  for (int i = 1; !mlirOperationIsNull(
           xlaModuleFindFunction(module, mlirStringRefCreateFromCString(name)));
       ++i)
    snprintf(name, size, "ragged_all_to_all_%d", i);
}

/// What `call` does, in a block of its own; `*inside` is that call there.
static MlirRegion makeBody(MlirOperation call, MlirOperation *inside) {
  MlirLocation location = mlirOperationGetLocation(call);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  *inside = mlirOperationClone(call);
  for (int i = 0; i < nOperands; ++i)
    mlirOperationSetOperand(
        *inside, i,
        mlirBlockAddArgument(block,
                             mlirValueGetType(mlirOperationGetOperand(call, i)),
                             location));
  mlirBlockAppendOwnedOperation(block, *inside);
  XlaIr ir = xlaIrAtEnd(mlirOperationGetContext(call), location, block);
  MlirValue result = mlirOperationGetResult(*inside, 0);
  xlaIrCreate(&ir, "func.return", 1, &result, 0, NULL, 0, NULL, 0, NULL);
  return region;
}

static MlirAttribute functionType(MlirOperation call) {
  MlirType types[nOperands];
  for (int i = 0; i < nOperands; ++i)
    types[i] = mlirValueGetType(mlirOperationGetOperand(call, i));
  MlirType result = mlirValueGetType(mlirOperationGetResult(call, 0));
  return mlirTypeAttrGet(mlirFunctionTypeGet(mlirOperationGetContext(call),
                                             nOperands, types, 1, &result));
}

XlaImportResult xlaImportRaggedAllToAll(MlirOperation op) {
  MlirOperation module = findModule(op);
  return xlaImportRaggedInto(
      op, mlirOperationIsNull(module)
              ? (MlirBlock){NULL}
              : mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0)));
}

XlaImportResult xlaImportRaggedInto(MlirOperation op, MlirBlock functions) {
  MlirOperation inside;
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute config = xlaOpGetAttr(op, "backend_config");
  if (mlirBlockIsNull(functions) ||
      mlirOperationGetNumOperands(op) != nOperands ||
      mlirOperationGetNumResults(op) != 1 || mlirAttributeIsNull(config))
    return xlaExpandRaggedAllToAll(op);
  MlirOperation module = mlirBlockGetParentOperation(functions);
  char name[64];
  makeName(module, name, sizeof name);
  MlirRegion body = makeBody(op, &inside);
  XlaIr ir =
      xlaIrAtEnd(context, mlirOperationGetLocation(op),
                 mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0)));
  xlaIrCreate(
      &ir, "func.func", 0, NULL, 0, NULL, 4,
      (XlaIrAttr[]){{"sym_name", xlaIrStringAttr(context, name)},
                    {"sym_visibility", xlaIrStringAttr(context, "private")},
                    {"function_type", functionType(op)},
                    {XLA_RAGGED_ALL_TO_ALL, config}},
      1, &body);
  XlaImportResult result = xlaExpandRaggedAllToAll(inside);
  if (result != XlaImportResultOk)
    return result;
  MlirValue operands[nOperands];
  for (int i = 0; i < nOperands; ++i)
    operands[i] = mlirOperationGetOperand(op, i);
  XlaIr before = xlaIrBefore(op);
  MlirValue value = xlaIrOp(
      &before, "func.call", mlirValueGetType(mlirOperationGetResult(op, 0)),
      nOperands, operands, 1,
      &(XlaIrAttr){"callee",
                   mlirFlatSymbolRefAttrGet(
                       context, mlirStringRefCreateFromCString(name))});
  return xlaCallPutAll(op, &value);
}

bool xlaIsRaggedAllToAll(MlirOperation call, MlirAttribute config) {
  XlaGroups groups;
  if (mlirAttributeIsNull(config) || !mlirAttributeIsADictionary(config) ||
      mlirOperationGetNumOperands(call) != nOperands ||
      mlirOperationGetNumResults(call) != 1)
    return false;
  MlirAttribute named = mlirDictionaryAttrGetElementByName(
      config, mlirStringRefCreateFromCString("replica_groups"));
  bool isRead = mlirAttributeIsNull(named) || xlaGroupsIsAttribute(named);
  if (isRead && !mlirAttributeIsNull(named)) {
    isRead = xlaGroupsRead(named, &groups);
    xlaGroupsDestroy(&groups);
  }
  return isRead;
}
