//===- statement.c - A linalg op as strided accesses ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/statement.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool xlaSchedIsStatement(MlirOperation op) {
  return xlaIrIsOp(op, "linalg.generic") || xlaIrIsOp(op, "linalg.fill");
}

MlirValue xlaSchedRoot(MlirValue view) {
  static const char *const views[] = {"memref.subview", "memref.expand_shape",
                                      "memref.collapse_shape",
                                      "memref.reinterpret_cast", "memref.cast"};
  while (mlirValueIsAOpResult(view)) {
    MlirOperation op = mlirOpResultGetOwner(view);
    size_t i = 0;
    while (i < sizeof views / sizeof *views && !xlaIrIsOp(op, views[i]))
      ++i;
    if (i == sizeof views / sizeof *views ||
        !mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetOperand(op, 0))))
      break;
    view = mlirOperationGetOperand(op, 0);
  }
  return view;
}

bool xlaSchedIsAlloc(MlirValue root) {
  return mlirValueIsAOpResult(root) &&
         xlaIrIsOp(mlirOpResultGetOwner(root), "memref.alloc");
}

int64_t xlaSchedCountBlocks(MlirValue root) {
  if (!xlaSchedIsAlloc(root))
    return 0;
  MlirAttribute blocks = mlirOperationGetDiscardableAttributeByName(
      mlirOpResultGetOwner(root),
      mlirStringRefCreateFromCString(XLA_SCHED_BLOCKS));
  return mlirAttributeIsNull(blocks) ? 0 : mlirIntegerAttrGetValueInt(blocks);
}

bool xlaSchedIsOfWorkgroup(MlirValue root) {
  return xlaSchedIsAlloc(root) &&
         !mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
             mlirOpResultGetOwner(root),
             mlirStringRefCreateFromCString(XLA_SCHED_WORKGROUP)));
}

int64_t xlaSchedMostBlocks(const XlaSchedStatement *statements, int n) {
  int64_t most = 0;
  for (int s = 0; s < n; ++s)
    for (int i = statements[s].nIns;
         i < statements[s].nIns + statements[s].nOuts; ++i) {
      int64_t blocks = xlaSchedCountBlocks(statements[s].accesses[i].root);
      most = blocks > most ? blocks : most;
    }
  return most;
}

void xlaSchedBounds(const XlaSchedStatement *statement,
                    const XlaSchedAccess *access, uint64_t fixed, int64_t *low,
                    int64_t *high) {
  *low = *high = access->offset;
  for (int d = 0; d < statement->nDims; ++d) {
    int64_t along = (statement->sizes[d] - 1) * access->strides[d];
    if (!(fixed >> d & 1))
      *(along < 0 ? low : high) += along;
  }
}

int xlaSchedIndexDim(const XlaSchedStatement *statement, MlirOperation index) {
  int64_t dim = mlirIntegerAttrGetValueInt(mlirOperationGetAttributeByName(
      index, mlirStringRefCreateFromCString("dim")));
  for (int d = 0; d < statement->nDims; ++d)
    if (statement->original[d] == dim)
      return d;
  return -1;
}

bool xlaSchedReduces(const XlaSchedStatement *statement) {
  for (int d = 0; d < statement->nDims; ++d)
    if (statement->reduction[d])
      return true;
  return false;
}

int xlaSchedAccumulators(const XlaSchedStatement *statement) {
  return xlaSchedReduces(statement) ? statement->nOuts - statement->nScanned
                                    : 0;
}

bool xlaSchedIsRead(const XlaSchedStatement *statement, int i) {
  return statement->body.ptr && !mlirOpOperandIsNull(mlirValueGetFirstUse(
                                    mlirBlockGetArgument(statement->body, i)));
}

bool xlaSchedIsLaneOp(MlirOperation op) {
  if (xlaIrIsOp(op, "linalg.index"))
    return true;
  if ((!xlaIrHasPrefix(op, "arith.") && !xlaIrHasPrefix(op, "math.")) ||
      mlirOperationGetNumRegions(op) != 0)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
  return true;
}

bool xlaSchedIsAffine(MlirOperation op) {
  if (mlirOperationGetNumOperands(op) > XLA_SCHED_MAX_OPERANDS)
    return false;
  return xlaIrIsOp(op, "affine.apply") ||
         (xlaIrIsOp(op, "affine.load") &&
          mlirShapedTypeGetRank(
              mlirValueGetType(mlirOperationGetOperand(op, 0))) <= 1);
}

bool xlaSchedIsArithmetic(const XlaSchedStatement *statement) {
  if (!statement->body.ptr)
    return true;
  for (MlirOperation op = mlirBlockGetFirstOperation(statement->body);
       !mlirOperationEqual(op, mlirBlockGetTerminator(statement->body));
       op = mlirOperationGetNextInBlock(op))
    if (!xlaSchedIsLaneOp(op))
      return false;
  return true;
}

int64_t xlaSchedVolume(const XlaSchedStatement *statement, int from, int to) {
  int64_t volume = 1;
  for (int d = from; d < to; ++d)
    if (__builtin_mul_overflow(volume, statement->sizes[d], &volume))
      return INT64_MAX;
  return volume;
}

bool xlaSchedSameAccess(const XlaSchedAccess *a, int aDims,
                        const XlaSchedAccess *b, int bDims) {
  if (!mlirValueEqual(a->root, b->root) || a->offset != b->offset ||
      a->dynamicOffset != b->dynamicOffset ||
      (a->dynamicOffset && !mlirValueEqual(a->view, b->view)))
    return false;
  for (int d = 0; d < aDims || d < bDims; ++d)
    if ((d < aDims ? a->strides[d] : 0) != (d < bDims ? b->strides[d] : 0))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Reading an op
//===----------------------------------------------------------------------===//

static MlirLogicalResult fail(MlirOperation op, const char *message) {
  mlirEmitError(mlirOperationGetLocation(op), message);
  return mlirLogicalResultFailure();
}

/// Whether the elements of a buffer are numbered from 0 on within 64 bits.
static bool isNumbered(MlirType type) {
  int64_t strides[XLA_SCHED_MAX_DIMS], offset, last = 0, reach;
  if (!mlirShapedTypeHasStaticShape(type) ||
      mlirShapedTypeGetRank(type) > XLA_SCHED_MAX_DIMS ||
      mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)) ||
      mlirShapedTypeIsDynamicStrideOrOffset(offset) || offset < 0)
    return false;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    if (mlirShapedTypeIsDynamicStrideOrOffset(strides[d]) || strides[d] < 0 ||
        __builtin_mul_overflow(mlirShapedTypeGetDimSize(type, d) - 1,
                               strides[d], &reach) ||
        __builtin_add_overflow(last, reach, &last))
      return false;
  return !__builtin_add_overflow(last, offset, &last) && last < INT64_MAX / 16;
}

/// Fills `access` from a memref operand; `strides` are those of the memref.
static MlirLogicalResult readOperand(MlirOperation op, MlirValue value,
                                     XlaSchedAccess *access, int64_t *strides) {
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsAMemRef(type) || !mlirShapedTypeHasStaticShape(type))
    return fail(op, "scheduling needs operands of memref type and static "
                    "shape");
  if (mlirShapedTypeGetRank(type) > XLA_SCHED_MAX_DIMS)
    return fail(op, "scheduling takes at most 32 dimensions");
  access->view = value;
  access->root = xlaSchedRoot(value);
  access->element = mlirShapedTypeGetElementType(type);
  bool isInteger = mlirTypeIsAInteger(access->element);
  if (!isInteger && !mlirTypeIsAFloat(access->element))
    return fail(op, "an operand's elements are neither integers nor floats");
  unsigned bits = isInteger ? mlirIntegerTypeGetWidth(access->element)
                            : mlirFloatTypeGetWidth(access->element);
  if (bits < 8)
    return fail(op, "an operand has elements narrower than a byte; use i8 in "
                    "memory");
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return fail(op, "an operand's elements are not 8, 16, 32 or 64 bits wide");
  if (mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(type, strides, &access->offset)))
    return fail(op, "an operand's layout is not strided");
  for (intptr_t i = 0, n = mlirShapedTypeGetRank(type); i < n; ++i)
    if (mlirShapedTypeIsDynamicStrideOrOffset(strides[i]))
      return fail(op, "an operand has a dynamic stride");
  access->dynamicOffset = mlirShapedTypeIsDynamicStrideOrOffset(access->offset);
  if (access->dynamicOffset) {
    access->offset = 0;
    access->root = value;
  } else if (!isNumbered(mlirValueGetType(access->root))) {
    return fail(op, "an operand looks into a buffer without static sizes and "
                    "strides of at least 0, or one that is too large");
  }
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult readGeneric(MlirOperation op,
                                     XlaSchedStatement *statement) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute maps = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("indexing_maps"));
  MlirAttribute kinds = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("iterator_types"));
  MlirAttribute segments = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("operandSegmentSizes"));
  MlirAttribute parallel =
      xlaIrParseAttr(context, "#linalg.iterator_type<parallel>");
  intptr_t nDims = mlirArrayAttrGetNumElements(kinds);
  if (nDims > XLA_SCHED_MAX_DIMS)
    return fail(op, "scheduling takes at most 32 dimensions");
  statement->nDims = (int)nDims;
  for (int d = 0; d < nDims; ++d) {
    statement->reduction[d] =
        !mlirAttributeEqual(mlirArrayAttrGetElement(kinds, d), parallel);
    statement->original[d] = d;
  }
  statement->nIns = mlirDenseI32ArrayGetElement(segments, 0);
  statement->nOuts = mlirDenseI32ArrayGetElement(segments, 1);
  statement->accesses = calloc((size_t)(statement->nIns + statement->nOuts),
                               sizeof *statement->accesses);
  if (!statement->accesses)
    return fail(op, "out of memory");
  for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
    int64_t strides[XLA_SCHED_MAX_DIMS];
    XlaSchedAccess *access = &statement->accesses[i];
    MlirValue value = mlirOperationGetOperand(op, i);
    if (mlirLogicalResultIsFailure(readOperand(op, value, access, strides)))
      return mlirLogicalResultFailure();
    MlirAffineMap map =
        mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
    if (!mlirAffineMapIsProjectedPermutation(map))
      return fail(op, "an indexing map is not a projected permutation");
    bool isScanned = false;
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
      intptr_t d = mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, r));
      access->strides[d] = strides[r];
      statement->sizes[d] =
          mlirShapedTypeGetDimSize(mlirValueGetType(value), r);
      isScanned |= i >= statement->nIns && statement->reduction[d];
    }
    if (statement->nScanned && !isScanned)
      return fail(op, "an accumulator comes after what it is written to");
    statement->nScanned += isScanned;
  }
  for (int i = statement->nIns; i < statement->nIns + statement->nOuts; ++i)
    for (int d = 0; d < statement->nDims; ++d)
      if (!statement->reduction[d] && statement->sizes[d] > 1 &&
          statement->accesses[i].strides[d] == 0 &&
          !xlaSchedIsOfWorkgroup(statement->accesses[i].root))
        return fail(op, "an output is not indexed by every parallel dimension");
  statement->body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult readFill(MlirOperation op,
                                  XlaSchedStatement *statement) {
  MlirValue out = mlirOperationGetOperand(op, 1);
  if (mlirOperationGetNumOperands(op) != 2 ||
      mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetOperand(op, 0))))
    return fail(op, "linalg.fill takes one scalar and one memref");
  statement->nOuts = 1;
  statement->accesses = calloc(1, sizeof *statement->accesses);
  if (!statement->accesses)
    return fail(op, "out of memory");
  if (mlirLogicalResultIsFailure(readOperand(op, out, statement->accesses,
                                             statement->accesses->strides)))
    return mlirLogicalResultFailure();
  MlirType type = mlirValueGetType(out);
  statement->nDims = (int)mlirShapedTypeGetRank(type);
  for (int d = 0; d < statement->nDims; ++d) {
    statement->sizes[d] = mlirShapedTypeGetDimSize(type, d);
    statement->original[d] = d;
  }
  return mlirLogicalResultSuccess();
}

static MlirWalkResult markIndexed(MlirOperation op, void *userData) {
  XlaSchedStatement *statement = userData;
  if (xlaIrIsOp(op, "linalg.index")) {
    int d = xlaSchedIndexDim(statement, op);
    if (d >= 0)
      statement->indexed[d] = true;
  }
  return MlirWalkResultAdvance;
}

static MlirWalkResult findOther(MlirOperation op, void *user) {
  if (!xlaIrHasPrefix(op, "affine.") || xlaSchedIsAffine(op))
    return MlirWalkResultAdvance;
  *(MlirOperation *)user = op;
  return MlirWalkResultInterrupt;
}

/// Removes dimension `d`, of size 1 or merged into its neighbour.
static void dropDim(XlaSchedStatement *statement, int d) {
  size_t n = (size_t)(--statement->nDims - d);
  memmove(statement->sizes + d, statement->sizes + d + 1,
          n * sizeof *statement->sizes);
  memmove(statement->reduction + d, statement->reduction + d + 1,
          n * sizeof *statement->reduction);
  memmove(statement->indexed + d, statement->indexed + d + 1,
          n * sizeof *statement->indexed);
  memmove(statement->original + d, statement->original + d + 1,
          n * sizeof *statement->original);
  for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
    int64_t *strides = statement->accesses[i].strides;
    memmove(strides + d, strides + d + 1, n * sizeof *strides);
  }
}

/// An operand without elements comes from an iteration space without points.
/// Its strides need not be defined.
static bool hasEmptyOperand(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (!mlirTypeIsAShaped(type))
      continue;
    for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
      if (mlirShapedTypeGetDimSize(type, d) == 0)
        return true;
  }
  return false;
}

MlirLogicalResult xlaSchedStatementRead(MlirOperation op,
                                        XlaSchedStatement *statement) {
  memset(statement, 0, sizeof *statement);
  statement->op = op;
  statement->isEmpty = hasEmptyOperand(op);
  if (statement->isEmpty)
    return mlirLogicalResultSuccess();
  MlirLogicalResult result = xlaIrIsOp(op, "linalg.fill")
                                 ? readFill(op, statement)
                                 : readGeneric(op, statement);
  if (mlirLogicalResultIsFailure(result))
    return result;
  for (int d = statement->nDims; d-- > 0;)
    if (statement->sizes[d] == 1)
      dropDim(statement, d);
  MlirOperation other = {NULL};
  if (statement->body.ptr) {
    mlirOperationWalk(op, markIndexed, statement, MlirWalkPreOrder);
    mlirOperationWalk(op, findOther, &other, MlirWalkPreOrder);
  }
  return other.ptr ? fail(other, "is not scheduled in a body: of affine only "
                                 "apply, and load of one dimension, are, of "
                                 "at most 64 operands")
                   : mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// Reordering dimensions
//===----------------------------------------------------------------------===//

void xlaSchedPermute(XlaSchedStatement *statement, const int *order) {
  XlaSchedStatement old = *statement;
  for (int d = 0; d < statement->nDims; ++d) {
    statement->sizes[d] = old.sizes[order[d]];
    statement->reduction[d] = old.reduction[order[d]];
    statement->indexed[d] = old.indexed[order[d]];
    statement->original[d] = old.original[order[d]];
  }
  for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
    XlaSchedAccess *access = &statement->accesses[i];
    int64_t strides[XLA_SCHED_MAX_DIMS];
    memcpy(strides, access->strides, sizeof strides);
    for (int d = 0; d < statement->nDims; ++d)
      access->strides[d] = strides[order[d]];
  }
}

bool xlaSchedMergeable(const XlaSchedStatement *statement, int d) {
  if (statement->indexed[d] || statement->indexed[d + 1] ||
      statement->reduction[d] != statement->reduction[d + 1])
    return false;
  for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
    const int64_t *strides = statement->accesses[i].strides;
    if (strides[d] != strides[d + 1] * statement->sizes[d + 1])
      return false;
  }
  return true;
}

void xlaSchedMerge(XlaSchedStatement *statement, int d) {
  statement->sizes[d + 1] *= statement->sizes[d];
  dropDim(statement, d);
}

void xlaSchedPutSizes(const XlaSchedStatement *statement, int from, int to) {
  for (int d = from; d < to; ++d)
    fprintf(stderr, "%s%lld", d > from ? "x" : "",
            (long long)statement->sizes[d]);
}

static void putText(MlirStringRef text, void *file) {
  fwrite(text.data, 1, text.length, file);
}

void xlaSchedPutType(MlirValue value) {
  mlirTypePrint(mlirValueGetType(value), putText, stderr);
}
