//===- stage.c - Building the body of a kernel ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/stage.h"
#include "xlac/dialect/literal.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

enum { maxMemo = 20000 };

static MlirValue none(void) { return (MlirValue){NULL}; }

/// Makes room for one more element of `size` bytes in `*array`.
static bool reserve(const XlaKernel *kernel, void *array, intptr_t n,
                    intptr_t *capacity, size_t size) {
  void *old, *grown;
  memcpy(&old, array, sizeof old);
  if (old && n < *capacity)
    return true;
  intptr_t more = *capacity ? 2 * *capacity : 16;
  grown = realloc(old, (size_t)more * size);
  if (!grown)
    return mlirLogicalResultIsSuccess(xlaKernelNoMemory(kernel));
  memcpy(array, &grown, sizeof grown);
  *capacity = more;
  return true;
}

static MlirOperation definingOp(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                     : (MlirOperation){NULL};
}

bool xlaIsInlined(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindInvalid)
    return false;
  return xlaOpGetInfo(kind)->family == XlaFamilyElementwise ||
         kind == XlaOpKindMap || kind == XlaOpKindBitcastConvert;
}

//===----------------------------------------------------------------------===//
// Reading values
//===----------------------------------------------------------------------===//

static XlaStageMemo *findMemo(const XlaStage *stage, MlirValue value,
                              const XlaIndex *index) {
  for (intptr_t i = xlaPointerMapGet(&stage->lastMemo, value.ptr); i;
       i = stage->memo[i - 1].previous)
    if (xlaIndexEqual(&stage->memo[i - 1].index, index))
      return &stage->memo[i - 1];
  return NULL;
}

/// Values at so many indices are more than a body should have.
static bool isTooLarge(XlaStage *stage) {
  if (stage->nMemo < maxMemo)
    return false;
  xlaOpUnsupported(
      stage->kernel->op, NULL,
      "needs more than %d values for an element of its result: the "
      "same ones are computed at different places again and again",
      maxMemo);
  return true;
}

static bool remember(XlaStage *stage, MlirValue value, const XlaIndex *index,
                     MlirValue scalar) {
  intptr_t previous = xlaPointerMapGet(&stage->lastMemo, value.ptr);
  if (isTooLarge(stage) || !reserve(stage->kernel, &stage->memo, stage->nMemo,
                                    &stage->memoCapacity, sizeof *stage->memo))
    return false;
  stage->memo[stage->nMemo++] = (XlaStageMemo){value, *index, scalar, previous};
  return xlaPointerMapSet(&stage->lastMemo, value.ptr, stage->nMemo) ||
         mlirLogicalResultIsSuccess(xlaKernelNoMemory(stage->kernel));
}

static void forget(XlaStage *stage) {
  stage->nMemo = 0;
  xlaPointerMapClear(&stage->lastMemo);
}

static bool isDry(const XlaStage *stage) { return !stage->block.ptr; }

MlirValue xlaStageAddInput(XlaStage *stage, MlirValue view, MlirAffineMap map) {
  intptr_t n = stage->nInputs, capacity = stage->capacity;
  if (!reserve(stage->kernel, &stage->maps, n, &capacity,
               sizeof *stage->maps) ||
      !reserve(stage->kernel, &stage->inputs, n, &stage->capacity,
               sizeof *stage->inputs))
    return none();
  stage->inputs[n] = view;
  stage->maps[n] = map;
  stage->nInputs = n + 1;
  return mlirBlockInsertArgument(stage->block, n,
                                 xlaIrElementType(mlirValueGetType(view)),
                                 stage->ir.location);
}

/// `shape` is that of the value read, which may be a reshape of the buffer.
static bool readBuffer(XlaStage *stage, const XlaKernelBuffer *buffer,
                       const XlaShape *shape, const XlaIndex *index,
                       MlirValue *scalar) {
  MlirAffineMap map;
  if (index->isGeneral)
    return xlaStageReadGeneral(stage, buffer->memref, shape, index, scalar);
  if (isDry(stage))
    return true;
  MlirValue view = xlaKernelView(&stage->kernel->ir, buffer->memref, shape,
                                 &stage->space, index, none(), &map);
  MlirValue element = stage->isOutside ? xlaIrLoad(&stage->ir, view, 0, NULL)
                                       : xlaStageAddInput(stage, view, map);
  if (mlirValueIsNull(element))
    return false;
  *scalar = xlaScalarFromMemory(&stage->ir, shape->elementType, element);
  return true;
}

static bool visit(XlaStage *stage, MlirValue value, const XlaIndex *index,
                  MlirValue *scalar);

static bool readIota(XlaStage *stage, MlirOperation op, const XlaShape *shape,
                     const XlaIndex *index, MlirValue *scalar) {
  if (isDry(stage))
    return true;
  XlaIr *ir = &stage->ir;
  int d = (int)xlaOpGetI64(op, "iota_dimension", 0);
  MlirValue position = xlaPositionEmit(
      stage, xlaIndexGetExpr(ir->context, &stage->space, index, d));
  if (mlirTypeIsNull(xlaScalarRegisterType(shape->elementType, ir->context))) {
    xlaOpUnsupported(op, NULL, "is not lowered for elements of %s",
                     xlaElementTypeGetInfo(shape->elementType)->name);
    return false;
  }
  bool isNarrow = mlirIntegerTypeGetWidth(mlirValueGetType(position)) == 32;
  *scalar =
      xlaLowerConvert(ir, isNarrow ? XlaElementTypeS32 : XlaElementTypeS64,
                      shape->elementType, position);
  return true;
}

static bool readConstant(XlaStage *stage, MlirOperation op,
                         const XlaShape *shape, MlirValue *scalar) {
  if (isDry(stage))
    return true;
  if (mlirTypeIsNull(
          xlaScalarRegisterType(shape->elementType, stage->ir.context))) {
    xlaOpUnsupported(op, NULL, "is not lowered for elements of %s",
                     xlaElementTypeGetInfo(shape->elementType)->name);
    return false;
  }
  XlaLiteral *literal = xlaLiteralFromAttribute(xlaOpGetAttr(op, "value"));
  if (!literal) {
    xlaOpError(op, NULL, "has a value whose data cannot be read");
    return false;
  }
  *scalar = xlaLowerConstant(&stage->ir, literal, 0);
  xlaLiteralRelease(literal);
  return true;
}

/// One operation of a body.
static bool compute(XlaStage *stage, MlirOperation op,
                    const MlirValue *operands, MlirValue *scalars) {
  if (xlaOpGetKind(op) == XlaOpKindMap)
    return mlirLogicalResultIsSuccess(xlaStageRegion(
        stage, mlirOperationGetRegion(op, 0), operands, scalars));
  scalars[0] = xlaLowerScalar(&stage->ir, op, operands);
  return !mlirValueIsNull(scalars[0]);
}

/// A buffer that may be read at `index`. What the kernel itself writes is read
/// by views of one form only, so that schedules see which parts depend on
/// which; at other indices, and where dynamic slices begin, it is computed
/// again.
static const XlaKernelBuffer *bufferAt(const XlaStage *stage, MlirValue value,
                                       const XlaIndex *index) {
  const XlaKernelBuffer *buffer = xlaKernelGetBuffer(stage->kernel, value);
  return buffer && buffer->isComputed && (index->isGeneral || stage->isStart)
             ? NULL
             : buffer;
}

/// Where no element is read, none of the result matters.
bool xlaStageReadOperand(XlaStage *stage, MlirOperation op, intptr_t i,
                         const XlaIndex *index, MlirValue *scalar) {
  XlaIndex at;
  MlirValue inside = none();
  MlirValue operand = mlirOperationGetOperand(op, i);
  const XlaKernelBuffer *buffer = bufferAt(stage, operand, index);
  XlaShape shape;
  if (buffer && xlaOpGetKind(op) == XlaOpKindReshape &&
      xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, 0)), &shape,
                       NULL))
    return readBuffer(stage, buffer, &shape, index, scalar);
  return xlaStageGuard(stage, op, i, index, &at, &inside) != XlaGuardFailed &&
         visit(stage, operand, &at, scalar);
}

static bool visitInlined(XlaStage *stage, MlirOperation op, MlirValue value,
                         const XlaIndex *index, MlirValue *scalar) {
  intptr_t n = mlirOperationGetNumOperands(op);
  if (n > XLA_MAX_LIST) {
    xlaOpUnsupported(op, NULL,
                     "has %lld operands, more than the %d that are lowered",
                     (long long)n, XLA_MAX_LIST);
    return false;
  }
  MlirValue operands[XLA_MAX_LIST], results[XLA_MAX_LIST];
  for (intptr_t i = 0; i < n; ++i)
    if (!xlaStageReadOperand(stage, op, i, index, &operands[i]))
      return false;
  if (isDry(stage))
    return true;
  if (mlirOperationGetNumResults(op) > XLA_MAX_LIST ||
      !compute(stage, op, operands, results))
    return false;
  *scalar = results[mlirOpResultGetResultNumber(value)];
  return true;
}

static bool visitOp(XlaStage *stage, MlirOperation op, MlirValue value,
                    const XlaShape *shape, const XlaIndex *index,
                    MlirValue *scalar) {
  XlaOpKind kind = xlaOpGetKind(op);
  if (xlaIsInlined(op))
    return visitInlined(stage, op, value, index, scalar);
  switch (xlaOpGetInfo(kind)->moves) {
  case XlaOpMovesSource:
    return kind == XlaOpKindConstant
               ? readConstant(stage, op, shape, scalar)
               : readIota(stage, op, shape, index, scalar);
  case XlaOpMovesGather:
    return xlaGatherRead(stage, op, index, scalar);
  case XlaOpMovesChoice:
    return xlaStageReadChoice(stage, op, index, scalar);
  case XlaOpMovesView:
  case XlaOpMovesDynamicView:
    return xlaStageReadOperand(stage, op, 0, index, scalar);
  case XlaOpMovesNo:
  case XlaOpMovesUpdate:
  case XlaOpMovesBits:
    break;
  }
  xlaOpError(op, NULL, "cannot be computed inside a kernel, its result is %s",
             XLA_TYPE_TEXT(mlirValueGetType(value)));
  return false;
}

static bool visit(XlaStage *stage, MlirValue value, const XlaIndex *index,
                  MlirValue *scalar) {
  // Elsewhere the same value may be read from memory.
  XlaStageMemo *known = stage->isStart ? NULL : findMemo(stage, value, index);
  if (known) {
    *scalar = known->scalar;
    return true;
  }
  XlaShape shape;
  MlirOperation op = definingOp(value);
  const XlaKernelBuffer *buffer = bufferAt(stage, value, index);
  const char *reason = "it is computed outside of the kernel";
  if (!xlaShapeFromMlir(mlirValueGetType(value), &shape, &reason) ||
      (!buffer && !op.ptr)) {
    xlaOpUnsupported(stage->kernel->op, NULL, "uses a value of type %s: %s",
                     XLA_TYPE_TEXT(mlirValueGetType(value)), reason);
    return false;
  }
  bool done = buffer ? readBuffer(stage, buffer, &shape, index, scalar)
                     : visitOp(stage, op, value, &shape, index, scalar);
  return done && remember(stage, value, index, *scalar);
}

bool xlaStageRead(XlaStage *stage, MlirValue value, const XlaIndex *index,
                  MlirValue *scalar) {
  return visit(stage, value, index, scalar);
}

MlirValue xlaStageScalar(XlaStage *stage, MlirValue value,
                         const XlaIndex *index) {
  MlirValue scalar = none();
  return visit(stage, value, index, &scalar) ? scalar : none();
}

//===----------------------------------------------------------------------===//
// Regions of scalars
//===----------------------------------------------------------------------===//

/// The scalar of a value that a region uses, from `values` (the region's
/// arguments and results so far) or from outside.
static MlirValue regionValue(XlaStage *stage, const XlaKernelBuffer *values,
                             intptr_t n, MlirValue value) {
  for (intptr_t i = n - 1; i >= 0; --i)
    if (mlirValueEqual(values[i].value, value))
      return values[i].memref;
  XlaIndex index;
  xlaIndexBegin(&index);
  return xlaStageScalar(stage, value, &index);
}

/// One operation of a region; its results are appended to `values`.
static bool regionOp(XlaStage *stage, MlirOperation op, XlaKernelBuffer *values,
                     intptr_t *n) {
  MlirValue operands[XLA_MAX_LIST], results[XLA_MAX_LIST];
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  XlaOpKind kind = xlaOpGetKind(op);
  XlaShape shape;
  if (!mlirOperationGetNumResults(op)) {
    xlaOpUnsupported(
        op, NULL,
        "is not lowered in a computation on scalars: it has no result");
    return false;
  }
  MlirValue result = mlirOperationGetResult(op, 0);
  if (!xlaShapeFromMlir(mlirValueGetType(result), &shape, NULL) ||
      shape.rank != 0 || nOperands > XLA_MAX_LIST ||
      mlirOperationGetNumResults(op) > XLA_MAX_LIST) {
    xlaOpUnsupported(op, NULL,
                     "is not lowered in a computation on scalars, its "
                     "result is %s",
                     XLA_TYPE_TEXT(mlirValueGetType(result)));
    return false;
  }
  for (intptr_t i = 0; i < nOperands; ++i) {
    operands[i] =
        regionValue(stage, values, *n, mlirOperationGetOperand(op, i));
    if (mlirValueIsNull(operands[i]))
      return false;
  }
  bool done;
  if (kind == XlaOpKindConstant) {
    done = readConstant(stage, op, &shape, results);
  } else if (kind == XlaOpKindReshape || kind == XlaOpKindBroadcastInDim ||
             kind == XlaOpKindTranspose) {
    results[0] = operands[0]; // of rank 0, since the result is
    done = true;
  } else if (xlaIsInlined(op)) {
    done = compute(stage, op, operands, results);
  } else {
    xlaOpUnsupported(op, NULL, "is not lowered in a computation on scalars");
    done = false;
  }
  for (intptr_t i = 0; done && i < mlirOperationGetNumResults(op); ++i)
    values[(*n)++] =
        (XlaKernelBuffer){mlirOperationGetResult(op, i), results[i], false};
  return done;
}

MlirLogicalResult xlaStageRegion(XlaStage *stage, MlirRegion region,
                                 const MlirValue *args, MlirValue *results) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  intptr_t n = mlirBlockGetNumArguments(block), capacity = n;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    capacity += mlirOperationGetNumResults(op);
  XlaKernelBuffer *values = malloc((size_t)(capacity + 1) * sizeof *values);
  if (!values)
    return xlaKernelNoMemory(stage->kernel);
  for (intptr_t i = 0; i < n; ++i)
    values[i] =
        (XlaKernelBuffer){mlirBlockGetArgument(block, i), args[i], false};
  MlirOperation terminator = mlirBlockGetTerminator(block);
  bool done = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       done && !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op))
    done = regionOp(stage, op, values, &n);
  for (intptr_t i = 0; done && i < mlirOperationGetNumOperands(terminator);
       ++i) {
    results[i] =
        regionValue(stage, values, n, mlirOperationGetOperand(terminator, i));
    done = !mlirValueIsNull(results[i]);
  }
  free(values);
  return done ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

MlirLogicalResult xlaStageBegin(XlaStage *stage, XlaKernel *kernel,
                                const XlaShape *domain, intptr_t n,
                                const MlirValue *values) {
  XlaSpace space;
  xlaSpaceInit(&space, domain);
  return xlaStageBeginBox(stage, kernel, &space, XlaStageCutsNone, n, values);
}

MlirLogicalResult xlaStageBeginBox(XlaStage *stage, XlaKernel *kernel,
                                   const XlaSpace *box, XlaStageCuts cuts,
                                   intptr_t n, const MlirValue *values) {
  memset(stage, 0, sizeof *stage);
  stage->kernel = kernel;
  stage->space = *box;
  stage->mayCut = cuts != XlaStageCutsNone;
  stage->isSmall = cuts == XlaStageCutsFew;
  xlaPositionsInit(stage);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue unused = none();
    if (visit(stage, values[i], &stage->space.root, &unused))
      continue;
    if (stage->needsCut)
      return mlirLogicalResultSuccess();
    if (!stage->needsSplit)
      return mlirLogicalResultFailure();
    stage->isFull =
        !xlaSpaceSplit(&stage->space, stage->split.loop, stage->split.inner);
    stage->needsSplit = false;
    forget(stage);
    xlaPositionsInit(stage);
    i = -1;
  }
  if (!kernel->ir.block.ptr)
    return mlirLogicalResultSuccess();
  forget(stage);
  stage->block = mlirBlockCreate(0, NULL, NULL);
  stage->ir = xlaIrIn(kernel->ir, stage->block);
  return mlirLogicalResultSuccess();
}

void xlaStageBeginOutside(XlaStage *stage, XlaKernel *kernel) {
  memset(stage, 0, sizeof *stage);
  stage->kernel = kernel;
  stage->isOutside = true;
  stage->block = kernel->ir.block;
  stage->ir = kernel->ir;
  xlaPositionsInit(stage);
}

void xlaStageFree(XlaStage *stage) {
  xlaPositionsFree(stage);
  xlaPointerMapClear(&stage->lastMemo);
  if (stage->block.ptr && !stage->isOutside)
    mlirBlockDestroy(stage->block); // of a stage that was not ended
  free(stage->inputs);
  free(stage->maps);
  free(stage->memo);
}

static MlirAttribute iterators(XlaStage *stage, const bool *isReduction) {
  MlirAttribute kinds[XLA_MAX_RANK];
  for (int i = 0; i < stage->space.nLoops; ++i)
    kinds[i] = xlaIrParseAttr(stage->ir.context,
                              isReduction && isReduction[i]
                                  ? "#linalg.iterator_type<reduction>"
                                  : "#linalg.iterator_type<parallel>");
  return mlirArrayAttrGet(stage->ir.context, stage->space.nLoops, kinds);
}

/// linalg takes the length of a loop from an operand that it indexes. A loop
/// over what the body computes by itself (a sum of an iota) gets an operand for
/// that.
static bool bindLoops(XlaStage *stage, intptr_t nOutputs,
                      const MlirValue *outputs, const MlirAffineMap *maps) {
  bool bound[XLA_MAX_RANK] = {false};
  for (intptr_t i = 0; i < stage->nInputs + nOutputs; ++i) {
    MlirAffineMap map =
        i < stage->nInputs ? stage->maps[i] : maps[i - stage->nInputs];
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
      bound[mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, r))] =
          true;
  }
  int64_t sizes[XLA_MAX_RANK];
  MlirAffineExpr loops[XLA_MAX_RANK];
  int n = 0;
  for (int d = 0; d < stage->space.nLoops; ++d)
    if (!bound[d]) {
      sizes[n] = stage->space.sizes[d];
      loops[n++] = mlirAffineDimExprGet(stage->ir.context, d);
    }
  if (!n)
    return true;
  MlirValue shape =
      xlaKernelShapeOnly(&stage->kernel->ir, outputs[0], n, sizes);
  MlirAffineMap map =
      mlirAffineMapGet(stage->ir.context, stage->space.nLoops, 0, n, loops);
  return !mlirValueIsNull(xlaStageAddInput(stage, shape, map));
}

MlirLogicalResult xlaStageEnd(XlaStage *stage, intptr_t nOutputs,
                              const MlirValue *outputs,
                              const MlirAffineMap *maps,
                              const MlirValue *yields, const bool *isReduction,
                              bool hasOutputArguments) {
  MlirContext context = stage->ir.context;
  if (!bindLoops(stage, nOutputs, outputs, maps))
    return mlirLogicalResultFailure();
  intptr_t n = stage->nInputs + nOutputs;
  MlirAttribute *mapAttrs = malloc((size_t)(n + 1) * sizeof *mapAttrs);
  MlirValue *operands = malloc((size_t)(n + 1) * sizeof *operands);
  if (!mapAttrs || !operands) {
    free(mapAttrs);
    free(operands);
    return xlaKernelNoMemory(stage->kernel);
  }
  for (intptr_t i = 0; i < n; ++i) {
    bool isInput = i < stage->nInputs;
    intptr_t o = i - stage->nInputs;
    operands[i] = isInput ? stage->inputs[i] : outputs[o];
    mapAttrs[i] = mlirAffineMapAttrGet(isInput ? stage->maps[i] : maps[o]);
    if (!isInput && !hasOutputArguments)
      mlirBlockAddArgument(stage->block,
                           xlaIrElementType(mlirValueGetType(outputs[o])),
                           stage->ir.location);
  }
  xlaIrCreate(&stage->ir, "linalg.yield", nOutputs, yields, 0, NULL, 0, NULL, 0,
              NULL);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, stage->block);
  stage->block = (MlirBlock){NULL};
  int32_t segments[2] = {(int32_t)stage->nInputs, (int32_t)nOutputs};
  XlaIrAttr attrs[3] = {
      {"indexing_maps", mlirArrayAttrGet(context, n, mapAttrs)},
      {"iterator_types", iterators(stage, isReduction)},
      {"operandSegmentSizes", mlirDenseI32ArrayGet(context, 2, segments)}};
  xlaIrCreate(&stage->kernel->ir, "linalg.generic", n, operands, 0, NULL, 3,
              attrs, 1, &region);
  free(mapAttrs);
  free(operands);
  return mlirLogicalResultSuccess();
}

void xlaStageForEachRead(const XlaStage *stage,
                         void (*buffer)(MlirValue value, const XlaShape *shape,
                                        const XlaIndex *index, void *data),
                         void *data) {
  const XlaIndex anywhere = {.rank = -1};
  for (intptr_t i = 0; i < stage->nMemo; ++i) {
    MlirValue value = stage->memo[i].value;
    const XlaIndex *index = &stage->memo[i].index;
    MlirOperation op = definingOp(value);
    XlaShape shape = xlaKernelShapeOf(value);
    bool isBuffer = bufferAt(stage, value, index) != NULL;
    if (op.ptr && xlaOpGetKind(op) == XlaOpKindGather && !isBuffer)
      buffer(mlirOperationGetOperand(op, 0), &shape, &anywhere, data);
    // A reshape of a buffer is another view of it.
    if (!isBuffer && op.ptr && xlaOpGetKind(op) == XlaOpKindReshape)
      value = mlirOperationGetOperand(op, 0);
    if (bufferAt(stage, value, index))
      buffer(value, &shape, index->isGeneral ? &anywhere : index, data);
  }
}
