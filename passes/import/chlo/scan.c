//===- scan.c - Running results along a dimension -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// chlo.scan(inputs.., inits..) -> (outputs.., carries..): its region takes the
// parts of the inputs at one place along a dimension, and the carries; it gives
// the outputs' parts there, and the next carries. A loop over the places, with
// {place, inputs.., outputs.., carries..} as its state.
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/import/stablehlo.h"

#include <stdlib.h>

typedef struct Scan {
  MlirOperation op, end; ///< what the region ends in
  MlirBlock block;
  intptr_t nInputs, nOutputs, nCarries;
  int64_t dimension, size;
  bool isReverse;
} Scan;

static XlaImportResult invalid(MlirOperation op, const char *what) {
  xlaOpError(op, NULL, "%s", what);
  return XlaImportResultInvalid;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The first of the two numbers in an attribute of segments, which are `total`
/// together.
static bool readSegments(MlirAttribute attr, intptr_t total, intptr_t *first) {
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsADenseI32Array(attr) ||
      mlirDenseArrayGetNumElements(attr) != 2)
    return false;
  int64_t sizes[2] = {mlirDenseI32ArrayGetElement(attr, 0),
                      mlirDenseI32ArrayGetElement(attr, 1)};
  *first = sizes[0];
  return sizes[0] >= 0 && sizes[1] >= 0 && sizes[0] + sizes[1] == total;
}

static bool readFlag(MlirAttribute attr) {
  return !mlirAttributeIsNull(attr) && mlirAttributeIsABool(attr) &&
         mlirBoolAttrGetValue(attr);
}

static XlaImportResult readScan(MlirOperation op, Scan *scan) {
  enum { dimension, reverse, associative, size, operands, results, count };
  static const char *const names[count] = {
      "dimension",     "is_reverse",          "is_associative",
      "scan_dim_size", "operandSegmentSizes", "resultSegmentSizes"};
  MlirAttribute attrs[count];
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  intptr_t nResults = mlirOperationGetNumResults(op);
  scan->op = op;
  XlaImportResult result = xlaImportReadAttributes(op, count, names, attrs);
  if (result == XlaImportResultOk)
    result = xlaImportReadInteger(op, names[dimension], attrs[dimension], -1,
                                  &scan->dimension);
  if (result == XlaImportResultOk)
    result =
        xlaImportReadInteger(op, names[size], attrs[size], -1, &scan->size);
  if (result == XlaImportResultOk)
    result = xlaImportCheckArrays(op, nOperands, nResults);
  if (result != XlaImportResultOk)
    return result;
  scan->isReverse = readFlag(attrs[reverse]);
  if (!readSegments(attrs[operands], nOperands, &scan->nInputs) ||
      !readSegments(attrs[results], nResults, &scan->nOutputs) ||
      nOperands - scan->nInputs != nResults - scan->nOutputs)
    return invalid(op, "must say in operandSegmentSizes and resultSegmentSizes "
                       "how many inputs and outputs it has, and has as many "
                       "carries of both");
  scan->nCarries = nOperands - scan->nInputs;
  MlirRegion region = mlirOperationGetNumRegions(op) == 1
                          ? mlirOperationGetRegion(op, 0)
                          : (MlirRegion){NULL};
  if (mlirRegionIsNull(region) || !xlaRegionGetReturn(region, &scan->end) ||
      mlirOperationGetNumOperands(scan->end) != nResults)
    return invalid(op, "must have a region of one block that gives as many "
                       "values as there are results");
  scan->block = mlirRegionGetFirstBlock(region);
  return mlirBlockGetNumArguments(scan->block) == nOperands
             ? XlaImportResultOk
             : invalid(op, "must have a region that takes as many values as "
                           "there are operands");
}

/// `array` without the dimension that is scanned; false if it has none.
static bool partShape(const Scan *scan, MlirValue array, XlaShape *part) {
  *part = xlaArrayShape(array);
  if (scan->dimension < 0 || scan->dimension >= part->rank)
    return false;
  for (int d = (int)scan->dimension; d + 1 < part->rank; ++d)
    part->dims[d] = part->dims[d + 1];
  --part->rank;
  return true;
}

static XlaImportResult expect(MlirOperation op, const char *what, intptr_t i,
                              MlirValue value, MlirType wanted) {
  MlirType type = mlirValueGetType(value);
  if (xlaTypeEqualIgnoringLayout(type, wanted))
    return XlaImportResultOk;
  xlaOpError(op, NULL, "has %s as %s %lld of its region, not %s",
             XLA_TYPE_TEXT(type), what, (long long)i, XLA_TYPE_TEXT(wanted));
  return XlaImportResultInvalid;
}

/// Inputs and outputs have one size along the dimension, and the region takes
/// and gives their parts.
static XlaImportResult checkParts(Scan *scan, bool outputs) {
  intptr_t n = outputs ? scan->nOutputs : scan->nInputs;
  MlirContext context = mlirOperationGetContext(scan->op);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue array = outputs ? mlirOperationGetResult(scan->op, i)
                              : mlirOperationGetOperand(scan->op, i);
    XlaShape part, shape = xlaArrayShape(array);
    bool fits = partShape(scan, array, &part);
    if (fits && scan->size < 0)
      scan->size = shape.dims[scan->dimension];
    if (!fits || shape.dims[scan->dimension] != scan->size) {
      xlaOpError(scan->op, NULL,
                 "scans %lld places along dimension %lld, which %s %lld, %s, "
                 "does not have",
                 (long long)scan->size, (long long)scan->dimension,
                 outputs ? "output" : "input", (long long)i,
                 XLA_SHAPE_TEXT(&shape));
      return XlaImportResultInvalid;
    }
    XlaImportResult result =
        expect(scan->op, outputs ? "value" : "argument", i,
               outputs ? mlirOperationGetOperand(scan->end, i)
                       : mlirBlockGetArgument(scan->block, i),
               xlaShapeToMlir(&part, context));
    if (result != XlaImportResultOk)
      return result;
  }
  return XlaImportResultOk;
}

static XlaImportResult checkCarries(const Scan *scan) {
  XlaImportResult result = XlaImportResultOk;
  for (intptr_t i = 0; i < scan->nCarries && result == XlaImportResultOk; ++i) {
    MlirType type =
        mlirValueGetType(mlirOperationGetOperand(scan->op, scan->nInputs + i));
    result = expect(scan->op, "argument", scan->nInputs + i,
                    mlirBlockGetArgument(scan->block, scan->nInputs + i), type);
    if (result == XlaImportResultOk)
      result =
          expect(scan->op, "value", scan->nOutputs + i,
                 mlirOperationGetOperand(scan->end, scan->nOutputs + i), type);
    MlirValue carry = mlirOperationGetResult(scan->op, scan->nOutputs + i);
    if (result == XlaImportResultOk &&
        !xlaTypeEqualIgnoringLayout(mlirValueGetType(carry), type)) {
      xlaOpError(scan->op, NULL, "gives %s as carry %lld, which starts as %s",
                 XLA_TYPE_TEXT(mlirValueGetType(carry)), (long long)i,
                 XLA_TYPE_TEXT(type));
      result = XlaImportResultInvalid;
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// The state of the loop, `n` values: the place counts up.
static MlirBlock stateBlock(XlaIr *ir, MlirRegion region, intptr_t n,
                            const MlirType *types) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  for (intptr_t i = 0; i < n; ++i)
    mlirBlockAddArgument(block, types[i], ir->location);
  return block;
}

static MlirRegion buildCondition(XlaIr *ir, const Scan *scan, intptr_t n,
                                 const MlirType *types) {
  MlirRegion region = mlirRegionCreate();
  XlaIr body = xlaIrIn(*ir, stateBlock(ir, region, n, types));
  MlirValue place = mlirBlockGetArgument(body.block, 0);
  MlirValue more = xlaArrayCompare(
      &body, "LT", place, xlaArrayInteger(&body, place, (uint64_t)scan->size));
  xlaIrCreate(&body, "xla.return", 1, &more, 0, NULL, 0, NULL, 0, NULL);
  return region;
}

/// The start of the part at `place` in an array of `rank` dimensions.
static void partStarts(XlaIr *ir, const Scan *scan, MlirValue place, int rank,
                       MlirValue *starts) {
  MlirValue zero = xlaArrayInteger(ir, place, 0);
  for (int d = 0; d < rank; ++d)
    starts[d] = d == scan->dimension ? place : zero;
}

static MlirValue readPart(XlaIr *ir, const Scan *scan, MlirValue array,
                          MlirValue place) {
  XlaShape shape = xlaArrayShape(array), slice = shape, part;
  MlirValue operands[XLA_MAX_RANK + 1] = {array};
  partStarts(ir, scan, place, shape.rank, operands + 1);
  slice.dims[scan->dimension] = 1;
  XlaIrAttr sizes = {"slice_sizes",
                     mlirDenseI64ArrayGet(ir->context, slice.rank, slice.dims)};
  MlirValue value =
      xlaIrOp(ir, "xla.dynamic_slice", xlaShapeToMlir(&slice, ir->context),
              slice.rank + 1, operands, 1, &sizes);
  partShape(scan, array, &part);
  return xlaArrayReshape(ir, value, part.rank, part.dims);
}

static MlirValue writePart(XlaIr *ir, const Scan *scan, MlirValue array,
                           MlirValue part, MlirValue place) {
  XlaShape slice = xlaArrayShape(array);
  MlirValue operands[XLA_MAX_RANK + 2] = {array};
  slice.dims[scan->dimension] = 1;
  operands[1] = xlaArrayReshape(ir, part, slice.rank, slice.dims);
  partStarts(ir, scan, place, slice.rank, operands + 2);
  return xlaIrOp(ir, "xla.dynamic_update_slice", mlirValueGetType(array),
                 slice.rank + 2, operands, 0, NULL);
}

/// The region's operations on the parts at one place. `next` has room for the
/// state.
static MlirRegion buildBody(XlaIr *ir, const Scan *scan, intptr_t n,
                            const MlirType *types, MlirValue *next) {
  MlirRegion region = mlirRegionCreate();
  XlaIr body = xlaIrIn(*ir, stateBlock(ir, region, n, types));
  intptr_t outputs = 1 + scan->nInputs, carries = outputs + scan->nOutputs;
  MlirValue count = mlirBlockGetArgument(body.block, 0), place = count;
  if (scan->isReverse)
    place = xlaIrBinary(&body, "xla.subtract",
                        xlaArrayInteger(&body, count, (uint64_t)scan->size - 1),
                        count);
  for (intptr_t i = 0; i < n; ++i)
    next[i] = mlirBlockGetArgument(body.block, i);
  for (intptr_t i = 0; i < scan->nInputs; ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(scan->block, i),
                                  readPart(&body, scan, next[1 + i], place));
  for (intptr_t i = 0; i < scan->nCarries; ++i)
    mlirValueReplaceAllUsesOfWith(
        mlirBlockGetArgument(scan->block, scan->nInputs + i),
        next[carries + i]);
  for (MlirOperation inner = mlirBlockGetFirstOperation(scan->block);
       !mlirOperationEqual(inner, scan->end);) {
    MlirOperation following = mlirOperationGetNextInBlock(inner);
    mlirOperationRemoveFromParent(inner);
    mlirBlockAppendOwnedOperation(body.block, inner);
    inner = following;
  }
  next[0] =
      xlaIrBinary(&body, "xla.add", count, xlaArrayInteger(&body, count, 1));
  for (intptr_t i = 0; i < scan->nOutputs; ++i)
    next[outputs + i] = writePart(&body, scan, next[outputs + i],
                                  mlirOperationGetOperand(scan->end, i), place);
  for (intptr_t i = 0; i < scan->nCarries; ++i)
    next[carries + i] = mlirOperationGetOperand(scan->end, scan->nOutputs + i);
  xlaIrCreate(&body, "xla.return", n, next, 0, NULL, 0, NULL, 0, NULL);
  return region;
}

/// Outputs as they are before the first place.
static MlirValue emptyOutput(XlaIr *ir, const Scan *scan, intptr_t i) {
  MlirValue output = mlirOperationGetResult(scan->op, i);
  XlaElementType type = xlaArrayShape(output).elementType;
  return xlaArraySplat(ir, xlaArrayNumber(ir, type, 0), output);
}

/// Of no places at all.
static void replaceEmpty(const Scan *scan) {
  XlaIr ir = xlaIrBefore(scan->op);
  for (intptr_t i = 0; i < scan->nOutputs + scan->nCarries; ++i)
    mlirValueReplaceAllUsesOfWith(
        mlirOperationGetResult(scan->op, i),
        i < scan->nOutputs ? emptyOutput(&ir, scan, i)
                           : mlirOperationGetOperand(
                                 scan->op, scan->nInputs + i - scan->nOutputs));
}

static void buildLoop(const Scan *scan, intptr_t n, MlirValue *state,
                      MlirType *types) {
  XlaIr ir = xlaIrBefore(scan->op);
  intptr_t outputs = 1 + scan->nInputs, carries = outputs + scan->nOutputs;
  state[0] = xlaArrayNumber(&ir, XlaElementTypeS64, 0);
  for (intptr_t i = 0; i < scan->nInputs; ++i)
    state[1 + i] = mlirOperationGetOperand(scan->op, i);
  for (intptr_t i = 0; i < scan->nOutputs; ++i)
    state[outputs + i] = emptyOutput(&ir, scan, i);
  for (intptr_t i = 0; i < scan->nCarries; ++i)
    state[carries + i] = mlirOperationGetOperand(scan->op, scan->nInputs + i);
  for (intptr_t i = 0; i < n; ++i)
    types[i] = mlirValueGetType(state[i]);
  MlirRegion regions[2];
  regions[0] = buildCondition(&ir, scan, n, types);
  MlirValue *next = state + n;
  regions[1] = buildBody(&ir, scan, n, types, next);
  MlirOperation loop =
      xlaIrCreate(&ir, "xla.while", n, state, n, types, 0, NULL, 2, regions);
  for (intptr_t i = 0; i < scan->nOutputs + scan->nCarries; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(scan->op, i),
                                  mlirOperationGetResult(loop, outputs + i));
}

XlaImportResult xlaImportScan(MlirOperation op) {
  Scan scan;
  XlaImportResult result = readScan(op, &scan);
  if (result == XlaImportResultOk)
    result = checkParts(&scan, false);
  if (result == XlaImportResultOk)
    result = checkParts(&scan, true);
  if (result == XlaImportResultOk)
    result = checkCarries(&scan);
  if (result == XlaImportResultOk && scan.size < 0)
    result = invalid(op, "has neither inputs nor outputs nor a scan_dim_size");
  if (result != XlaImportResultOk)
    return result;
  if (!scan.size) {
    replaceEmpty(&scan);
    mlirOperationDestroy(op);
    return XlaImportResultOk;
  }
  size_t n = 1 + (size_t)(scan.nInputs + scan.nOutputs + scan.nCarries);
  MlirValue *state = malloc(2 * n * sizeof *state);
  MlirType *types = malloc(n * sizeof *types);
  if (state && types)
    buildLoop(&scan, (intptr_t)n, state, types);
  else
    result = invalid(op, "could not be read: out of memory");
  free(state);
  free(types);
  if (result == XlaImportResultOk)
    mlirOperationDestroy(op);
  return result;
}
