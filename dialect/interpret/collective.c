//===- collective.c - Operations between replicas, evaluated --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every process reads the operands of all members of its group and computes its
// own result of them, in the order of the group, so that results do not depend
// on who comes when.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/collective_members.h"
#include "xlac/dialect/interpret/scalar/op.h"
#include "xlac/dialect/interpret/scalar/region.h"
#include "xlac/dialect/interpret/scalar/scalar.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/ops/collective_internal.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

static MlirLogicalResult outOfMemory(MlirOperation op) {
  return xlaOpNoMemory(op);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static const XlaLiteral *leafOf(const XlaLiteral *operand, intptr_t leaf) {
  return leaf < 0 ? operand : xlaLiteralGetTupleElement(operand, leaf);
}

static const XlaLiteral *partOf(const XlaCollectiveMeeting *meeting, int member,
                                intptr_t operand, intptr_t leaf) {
  return leafOf(meeting->operands[member][operand], leaf);
}

/// The product of dimensions from `from` on below `to`.
static int64_t product(const XlaShape *shape, int from, int to) {
  int64_t n = 1;
  for (int d = from; d < to; ++d)
    n *= shape->dims[d];
  return n;
}

static MlirLogicalResult evaluateAllGather(const XlaCollectiveMeeting *meeting,
                                           intptr_t operand, intptr_t leaf,
                                           XlaLiteral *result) {
  const XlaShape *shape = xlaLiteralGetShape(partOf(meeting, 0, operand, leaf));
  int d = (int)xlaOpGetI64(meeting->op, "all_gather_dim", 0);
  size_t bytes = (size_t)product(shape, d, shape->rank) *
                 (size_t)xlaElementTypeGetInfo(shape->elementType)->bytes;
  int64_t outer = product(shape, 0, d);
  unsigned char *to = xlaLiteralGetMutableData(result);
  for (int64_t i = 0; bytes && i < outer; ++i)
    for (int m = 0; m < meeting->nMembers; ++m, to += bytes) {
      const unsigned char *from =
          xlaLiteralGetData(partOf(meeting, m, operand, leaf));
      memcpy(to, from + (size_t)i * bytes, bytes);
    }
  return success();
}

/// Part `own` of every member's operand, joined in the order of members.
/// Its results are no tuples, so `leaf` is -1.
static MlirLogicalResult evaluateAllToAll(const XlaCollectiveMeeting *meeting,
                                          intptr_t operand, intptr_t leaf,
                                          XlaLiteral *result) {
  const XlaShape *from = xlaLiteralGetShape(partOf(meeting, 0, operand, -1));
  const XlaShape *to = xlaLiteralGetShape(result);
  int64_t split = xlaOpGetI64(meeting->op, "split_dimension", 0);
  int64_t concat = xlaOpGetI64(meeting->op, "concat_dimension", 0);
  int64_t part = from->dims[split] / meeting->nMembers;
  int64_t size = split == concat ? part : from->dims[concat];
  int64_t index[XLA_MAX_RANK] = {0};
  for (int64_t i = 0, n = xlaLiteralGetElementCount(result); i < n; ++i) {
    int64_t at = 0;
    for (int d = 0; d < from->rank; ++d) {
      int64_t x = d == concat ? index[d] % size : index[d];
      at = at * from->dims[d] + x + (d == split ? meeting->own * part : 0);
    }
    int member = (int)(index[concat] / size);
    xlaLiteralCopyElement(result, i, partOf(meeting, member, operand, -1), at);
    xlaIndexNext(index, to->dims, to->rank);
  }
  return success();
}

/// Combines the elements at `at` of all members, in order.
static MlirLogicalResult combine(const XlaCollectiveMeeting *meeting,
                                 intptr_t operand, intptr_t leaf, int64_t at,
                                 XlaElementType type, XlaScalar *value) {
  XlaScalarOp add = xlaScalarOpMake(XlaOpKindAdd, type, type);
  XlaScalar args[2];
  args[0] = xlaScalarRead(partOf(meeting, 0, operand, leaf), at, type);
  for (int m = 1; m < meeting->nMembers; ++m) {
    args[1] = xlaScalarRead(partOf(meeting, m, operand, leaf), at, type);
    if (!meeting->body)
      args[0] = xlaScalarRound(type, xlaScalarOpApply(&add, args));
    else if (failed(xlaScalarRegionRun(meeting->body, args, args)))
      return failure();
  }
  *value = args[0];
  return success();
}

/// Whether the members' f32 are added up, a before b, as most operations
/// between replicas do.
static bool addsSingles(const XlaCollectiveMeeting *meeting, intptr_t operand,
                        intptr_t leaf, const XlaLiteral *result) {
  const XlaLiteral *part = partOf(meeting, 0, operand, leaf);
  if (xlaLiteralGetShape(part)->elementType != XlaElementTypeF32 ||
      xlaLiteralGetShape(result)->elementType != XlaElementTypeF32)
    return false;
  if (!meeting->body)
    return true;
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(meeting->op, 0));
  MlirOperation add = mlirBlockGetFirstOperation(block),
                end = mlirOperationGetNextInBlock(add);
  bool inOrder = xlaOpGetKind(add) == XlaOpKindAdd &&
                 xlaOpGetKind(end) == XlaOpKindReturn &&
                 mlirValueEqual(mlirOperationGetOperand(end, 0),
                                mlirOperationGetResult(add, 0));
  for (intptr_t i = 0; inOrder && i < 2; ++i)
    inOrder = mlirValueEqual(mlirOperationGetOperand(add, i),
                             mlirBlockGetArgument(block, i)) &&
              mlirTypeIsAF32(xlaIrElementType(
                  mlirValueGetType(mlirBlockGetArgument(block, i))));
  return inOrder;
}

/// The same as by elements: a sum of two f32 is rounded the same in double.
static void addSingles(const XlaCollectiveMeeting *meeting, intptr_t operand,
                       intptr_t leaf, int64_t inner, int64_t whole,
                       int64_t start, XlaLiteral *result) {
  int64_t n = xlaLiteralGetElementCount(result);
  float *sums = xlaLiteralGetMutableData(result);
  for (int m = 0; m < meeting->nMembers; ++m) {
    const char *part = xlaLiteralGetData(partOf(meeting, m, operand, leaf));
    for (int64_t at = 0, from = start; at < n; at += inner, from += whole)
      for (int64_t k = 0; k < inner; ++k) {
        float value; // of a constant in its file, which need not be aligned
        memcpy(&value, part + (from + k) * (int64_t)sizeof value, sizeof value);
        sums[at + k] = m ? sums[at + k] + value : value;
      }
  }
}

/// `d` is the dimension that is scattered, -1: none is.
static MlirLogicalResult combineAll(const XlaCollectiveMeeting *meeting,
                                    intptr_t operand, intptr_t leaf, int d,
                                    XlaLiteral *result) {
  const XlaShape *from = xlaLiteralGetShape(partOf(meeting, 0, operand, leaf));
  const XlaShape *to = xlaLiteralGetShape(result);
  int64_t inner = product(to, d < 0 ? 0 : d, to->rank);
  int64_t whole = product(from, d < 0 ? 0 : d, from->rank);
  int64_t start = d < 0 ? 0 : meeting->own * inner;
  if (addsSingles(meeting, operand, leaf, result)) {
    addSingles(meeting, operand, leaf, inner, whole, start, result);
    return success();
  }
  for (int64_t i = 0, n = xlaLiteralGetElementCount(result); i < n; ++i) {
    XlaScalar value;
    if (failed(combine(meeting, operand, leaf,
                       i / inner * whole + start + i % inner, to->elementType,
                       &value)))
      return failure();
    xlaLiteralSet(result, i, value);
  }
  return success();
}

static MlirLogicalResult evaluateAllReduce(const XlaCollectiveMeeting *meeting,
                                           intptr_t operand, intptr_t leaf,
                                           XlaLiteral *result) {
  return combineAll(meeting, operand, leaf, -1, result);
}

static MlirLogicalResult
evaluateReduceScatter(const XlaCollectiveMeeting *meeting, intptr_t operand,
                      intptr_t leaf, XlaLiteral *result) {
  int d = (int)xlaOpGetI64(meeting->op, "scatter_dimension", 0);
  return combineAll(meeting, operand, leaf, d, result);
}

MlirLogicalResult xlaCollectiveCheckSize(MlirOperation op, int nMembers,
                                         const XlaShape *from,
                                         const XlaShape *to) {
  XlaOpKind kind = xlaOpGetKind(op);
  int64_t n = nMembers, small = 0, large = 0;
  if (kind == XlaOpKindAllGather) {
    int64_t d = xlaOpGetI64(op, "all_gather_dim", 0);
    small = from->dims[d];
    large = to->dims[d];
  } else if (kind == XlaOpKindReduceScatter) {
    int64_t d = xlaOpGetI64(op, "scatter_dimension", 0);
    small = to->dims[d];
    large = from->dims[d];
  } else if (kind == XlaOpKindAllToAll) {
    small = 1;
    large = xlaOpGetI64(op, "split_count", 0);
  }
  if (large == small * n)
    return success();
  return xlaOpInvalid(op, xlaCollectiveRulesGet(kind)->result,
                      "makes %s of %s, but the group has %d",
                      XLA_SHAPE_TEXT(to), XLA_SHAPE_TEXT(from), nMembers);
}

/// The source's operand; zeros where there is none.
static MlirLogicalResult
evaluateCollectivePermute(const XlaCollectiveMeeting *meeting, intptr_t operand,
                          intptr_t leaf, XlaLiteral *result) {
  if (meeting->source >= 0 && xlaLiteralGetByteCount(result))
    memcpy(xlaLiteralGetMutableData(result),
           xlaLiteralGetData(partOf(meeting, meeting->source, operand, leaf)),
           xlaLiteralGetByteCount(result));
  return success();
}

// Those who compute the same, and those who do not meet.
#define evaluateCollectiveBroadcast evaluateCollectivePermute
#define evaluateCrossReplicaSum evaluateAllReduce
#define evaluatePartitionId NULL
#define evaluateReplicaId NULL

static MlirLogicalResult compute(const XlaCollectiveMeeting *meeting,
                                 intptr_t operand, intptr_t leaf,
                                 XlaLiteral *result) {
  static MlirLogicalResult (*const hooks[XlaOpKindCount])(
      const XlaCollectiveMeeting *, intptr_t operand, intptr_t leaf,
      XlaLiteral *) = {
#define XLA_OP(Enum, ...) [XlaOpKind##Enum] = evaluate##Enum,
#include "xlac/dialect/rows/collective.def"
  };
  return hooks[meeting->kind](meeting, operand, leaf, result);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// What is moved has its own sizes, what is combined the same everywhere.
static MlirLogicalResult setSizes(const XlaCollectiveMeeting *meeting,
                                  intptr_t operand, intptr_t leaf,
                                  XlaShape *shape) {
  int source = meeting->source < 0 ? meeting->own : meeting->source;
  bool moves = meeting->kind == XlaOpKindCollectiveBroadcast ||
               meeting->kind == XlaOpKindCollectivePermute;
  const XlaShape *sizes =
      xlaLiteralGetShape(partOf(meeting, source, operand, leaf));
  for (int m = 0; !moves && m < meeting->nMembers; ++m) {
    const XlaShape *other =
        xlaLiteralGetShape(partOf(meeting, m, operand, leaf));
    if (!xlaShapeDimsEqual(other, sizes))
      return xlaOpInvalid(meeting->op, "dynamic",
                          "operand %lld is %s in one process, %s in another",
                          (long long)operand, XLA_SHAPE_TEXT(sizes),
                          XLA_SHAPE_TEXT(other));
  }
  for (int d = 0; d < shape->rank; ++d)
    if (xlaShapeIsDynamic(shape, d))
      shape->dims[d] = sizes->dims[d];
  shape->dynamic = 0;
  return success();
}

static MlirLogicalResult makeArray(const XlaCollectiveMeeting *meeting,
                                   intptr_t operand, intptr_t leaf,
                                   MlirType type, XlaLiteral **result) {
  XlaShape shape;
  const char *reason = "";
  if (!xlaShapeFromMlirBounded(type, &shape, &reason))
    return xlaOpError(meeting->op, NULL, "result %lld, %s, %s",
                      (long long)operand, XLA_TYPE_TEXT(type), reason);
  if (shape.dynamic && failed(setSizes(meeting, operand, leaf, &shape)))
    return failure();
  if (meeting->nMembers &&
      failed(xlaCollectiveCheckSize(
          meeting->op, meeting->nMembers,
          xlaLiteralGetShape(partOf(meeting, 0, operand, leaf)), &shape)))
    return failure();
  XlaLiteral *made =
      xlaEvaluatorCreateArray(meeting->evaluator, meeting->op, &shape);
  *result = made;
  return made ? compute(meeting, operand, leaf, made) : failure();
}

static MlirLogicalResult makeTuple(const XlaCollectiveMeeting *meeting,
                                   intptr_t operand, MlirType type,
                                   XlaLiteral **result) {
  intptr_t n = mlirTupleTypeGetNumTypes(type), made = 0;
  XlaLiteral **elements = calloc((size_t)n + 1, sizeof *elements);
  MlirLogicalResult done = success();
  if (!elements)
    return outOfMemory(meeting->op);
  while (!failed(done) && made < n) {
    done = makeArray(meeting, operand, made, mlirTupleTypeGetType(type, made),
                     &elements[made]);
    ++made;
  }
  if (failed(done)) {
    for (intptr_t i = 0; i < made; ++i)
      xlaLiteralRelease(elements[i]);
  } else {
    *result = xlaLiteralTakeTuple(n, elements);
    done = xlaEvaluatorCount(meeting->evaluator, meeting->op, *result);
  }
  free(elements);
  return done;
}

static MlirLogicalResult makeResults(XlaCollectiveMeeting *meeting,
                                     XlaLiteral **results) {
  MlirLogicalResult result = success();
  if (mlirOperationGetNumRegions(meeting->op)) {
    meeting->body =
        xlaScalarRegionCreate(meeting->evaluator, meeting->op, 0, NULL);
    result = meeting->body ? success() : failure();
  }
  for (intptr_t i = 0;
       !failed(result) && i < mlirOperationGetNumResults(meeting->op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(meeting->op, i));
    result = mlirTypeIsATuple(type)
                 ? makeTuple(meeting, i, type, &results[i])
                 : makeArray(meeting, i, -1, type, &results[i]);
  }
  xlaScalarRegionDestroy(meeting->body);
  return result;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static MlirLogicalResult run(XlaCollectiveMeeting *meeting,
                             const XlaLiteral *const *operands,
                             XlaLiteral **results) {
  if (failed(xlaCollectiveFindMembers(meeting)))
    return failure();
  if (meeting->nMembers <= 1) {
    meeting->operands[0] = operands;
    return makeResults(meeting, results);
  }
  if (failed(xlaProcessMeet(meeting->process, meeting->op, meeting->nMembers,
                            meeting->members, operands, meeting->operands)))
    return failure();
  MlirLogicalResult result = makeResults(meeting, results);
  xlaProcessPart(meeting->process);
  return result;
}

static MlirLogicalResult makeId(XlaEvaluator *evaluator, MlirOperation op,
                                uint64_t id, XlaLiteral **results) {
  results[0] = xlaEvaluatorCreateResult(evaluator, op, 0);
  if (!results[0])
    return failure();
  xlaLiteralSet(results[0], 0, (XlaScalar){.u = id});
  return success();
}

MlirLogicalResult xlaCollectiveEvaluate(XlaEvaluator *evaluator,
                                        MlirOperation op, XlaOpKind kind,
                                        const XlaLiteral *const *operands,
                                        XlaLiteral **results) {
  const XlaProcess *process = &xlaEvaluatorGetOptions(evaluator)->process;
  if (kind == XlaOpKindReplicaId)
    return makeId(evaluator, op, (uint64_t)process->replica, results);
  if (kind == XlaOpKindPartitionId)
    return makeId(evaluator, op, (uint64_t)process->partition, results);
  XlaCollectiveMeeting meeting = {.evaluator = evaluator,
                                  .op = op,
                                  .kind = kind,
                                  .process = process,
                                  .grid = xlaProcessGetGrid(process)};
  size_t most = (size_t)meeting.grid.replicas * (size_t)meeting.grid.partitions;
  meeting.members = calloc(most, sizeof *meeting.members);
  meeting.operands = calloc(most, sizeof *meeting.operands);
  MlirLogicalResult result = meeting.members && meeting.operands
                                 ? run(&meeting, operands, results)
                                 : outOfMemory(op);
  free(meeting.members);
  free(meeting.operands);
  return result;
}
