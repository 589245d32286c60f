//===- generic.c - Building the body of a kernel --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/generic.h"
#include "xlac/dialect/literal.h"
#include "xlac/lowering/affine/statement.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"
#include "xlac/lowering/linalg/windows.h"

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

static XlaGenericMemo *findMemo(const XlaGeneric *generic, MlirValue value,
                                const XlaIndex *index) {
  for (intptr_t i = xlaPointerMapGet(&generic->lastMemo, value.ptr); i;
       i = generic->memo[i - 1].previous)
    if (xlaIndexEqual(&generic->memo[i - 1].index, index))
      return &generic->memo[i - 1];
  return NULL;
}

/// Values at so many indices are more than a body should have.
static bool isTooLarge(XlaGeneric *generic) {
  if (generic->nMemo < maxMemo)
    return false;
  xlaOpUnsupported(
      generic->kernel->op, NULL,
      "needs more than %d values for an element of its result: the "
      "same ones are computed at different places again and again",
      maxMemo);
  return true;
}

static bool remember(XlaGeneric *generic, MlirValue value,
                     const XlaIndex *index, MlirValue scalar) {
  intptr_t previous = xlaPointerMapGet(&generic->lastMemo, value.ptr);
  if (isTooLarge(generic) ||
      !reserve(generic->kernel, &generic->memo, generic->nMemo,
               &generic->memoCapacity, sizeof *generic->memo) ||
      !generic->memo)
    return false;
  generic->memo[generic->nMemo++] =
      (XlaGenericMemo){value, *index, scalar, previous};
  return xlaPointerMapSet(&generic->lastMemo, value.ptr, generic->nMemo) ||
         mlirLogicalResultIsSuccess(xlaKernelNoMemory(generic->kernel));
}

static void forget(XlaGeneric *generic) {
  generic->nMemo = 0;
  xlaPointerMapClear(&generic->lastMemo);
}

static bool isDry(const XlaGeneric *generic) { return !generic->block.ptr; }

MlirValue xlaGenericAddInput(XlaGeneric *generic, MlirValue view,
                             MlirAffineMap map) {
  intptr_t n = generic->nInputs, capacity = generic->capacity;
  if (!reserve(generic->kernel, &generic->maps, n, &capacity,
               sizeof *generic->maps) ||
      !reserve(generic->kernel, &generic->inputs, n, &generic->capacity,
               sizeof *generic->inputs))
    return none();
  generic->inputs[n] = view;
  generic->maps[n] = map;
  generic->nInputs = n + 1;
  return mlirBlockInsertArgument(generic->block, n,
                                 xlaIrElementType(mlirValueGetType(view)),
                                 generic->ir.location);
}

/// `shape` is that of the value read, which may be a reshape of the buffer.
static bool readBuffer(XlaGeneric *generic, const XlaKernelBuffer *buffer,
                       const XlaShape *shape, const XlaIndex *index,
                       MlirValue *scalar) {
  MlirAffineMap map;
  if (index->isGeneral)
    return xlaGenericReadGeneral(generic, buffer->memref, shape, index, scalar);
  if (isDry(generic))
    return true;
  MlirValue view = xlaKernelView(&generic->kernel->ir, buffer->memref, shape,
                                 &generic->space, index, none(), &map);
  MlirValue element = generic->isOutside
                          ? xlaIrLoad(&generic->ir, view, 0, NULL)
                          : xlaGenericAddInput(generic, view, map);
  if (mlirValueIsNull(element))
    return false;
  *scalar = xlaScalarFromMemory(&generic->ir, shape->elementType, element);
  return true;
}

static bool visit(XlaGeneric *generic, MlirValue value, const XlaIndex *index,
                  MlirValue *scalar);

static bool readIota(XlaGeneric *generic, MlirOperation op,
                     const XlaShape *shape, const XlaIndex *index,
                     MlirValue *scalar) {
  if (isDry(generic))
    return true;
  XlaIr *ir = &generic->ir;
  int d = (int)xlaOpGetI64(op, "iota_dimension", 0);
  MlirValue element = xlaIndexExprEmit(
      generic, xlaIndexGetExpr(ir->context, &generic->space, index, d));
  if (mlirTypeIsNull(xlaScalarRegisterType(shape->elementType, ir->context))) {
    xlaOpUnsupported(op, NULL, "is not lowered for elements of %s",
                     xlaElementTypeGetInfo(shape->elementType)->name);
    return false;
  }
  bool isNarrow = mlirIntegerTypeGetWidth(mlirValueGetType(element)) == 32;
  *scalar =
      xlaLowerConvert(ir, isNarrow ? XlaElementTypeS32 : XlaElementTypeS64,
                      shape->elementType, element);
  return true;
}

static bool readConstant(XlaGeneric *generic, MlirOperation op,
                         const XlaShape *shape, MlirValue *scalar) {
  if (isDry(generic))
    return true;
  if (mlirTypeIsNull(
          xlaScalarRegisterType(shape->elementType, generic->ir.context))) {
    xlaOpUnsupported(op, NULL, "is not lowered for elements of %s",
                     xlaElementTypeGetInfo(shape->elementType)->name);
    return false;
  }
  MlirAttribute value = xlaOpGetAttr(op, "value");
  XlaLiteral *literal = xlaLiteralFromSplat(value);
  if (!literal) // of one element
    literal = xlaLiteralFromAttribute(value);
  if (!literal) {
    xlaOpError(op, NULL, "has a value whose data cannot be read");
    return false;
  }
  *scalar = xlaLowerConstant(&generic->ir, literal, 0);
  xlaLiteralRelease(literal);
  return true;
}

/// One operation of a body.
static bool compute(XlaGeneric *generic, MlirOperation op,
                    const MlirValue *operands, MlirValue *scalars) {
  if (xlaOpGetKind(op) == XlaOpKindMap)
    return mlirLogicalResultIsSuccess(xlaGenericRegion(
        generic, mlirOperationGetRegion(op, 0), operands, scalars));
  scalars[0] = xlaLowerScalar(&generic->ir, op, operands);
  return !mlirValueIsNull(scalars[0]);
}

/// A buffer that may be read at `index`. What the kernel itself writes is read
/// by views of one form only, so that schedules see which parts depend on
/// which; at other indices, and where dynamic slices begin, it is computed
/// again.
static const XlaKernelBuffer *bufferAt(const XlaGeneric *generic,
                                       MlirValue value, const XlaIndex *index) {
  const XlaKernelBuffer *buffer = xlaKernelGetBuffer(generic->kernel, value);
  return buffer && buffer->isComputed && (index->isGeneral || generic->isStart)
             ? NULL
             : buffer;
}

/// Where no element is read, none of the result matters.
bool xlaGenericReadOperand(XlaGeneric *generic, MlirOperation op, intptr_t i,
                           const XlaIndex *index, MlirValue *scalar) {
  XlaIndex at;
  MlirValue inside = none();
  MlirValue operand = mlirOperationGetOperand(op, i);
  const XlaKernelBuffer *buffer = bufferAt(generic, operand, index);
  XlaShape shape;
  if (buffer && xlaOpGetKind(op) == XlaOpKindReshape &&
      xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, 0)), &shape,
                       NULL))
    return readBuffer(generic, buffer, &shape, index, scalar);
  return xlaGenericGuard(generic, op, i, index, &at, &inside) !=
             XlaGuardFailed &&
         visit(generic, operand, &at, scalar);
}

static bool visitInlined(XlaGeneric *generic, MlirOperation op, MlirValue value,
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
    if (!xlaGenericReadOperand(generic, op, i, index, &operands[i]))
      return false;
  if (isDry(generic))
    return true;
  if (mlirOperationGetNumResults(op) > XLA_MAX_LIST ||
      !compute(generic, op, operands, results))
    return false;
  *scalar = results[mlirOpResultGetResultNumber(value)];
  return true;
}

static bool visitOp(XlaGeneric *generic, MlirOperation op, MlirValue value,
                    const XlaShape *shape, const XlaIndex *index,
                    MlirValue *scalar) {
  XlaOpKind kind = xlaOpGetKind(op);
  if (xlaIsInlined(op))
    return visitInlined(generic, op, value, index, scalar);
  switch (xlaOpGetInfo(kind)->moves) {
  case XlaOpMovesSource:
    return kind == XlaOpKindConstant
               ? readConstant(generic, op, shape, scalar)
               : readIota(generic, op, shape, index, scalar);
  case XlaOpMovesGather:
    return xlaGatherRead(generic, op, index, scalar);
  case XlaOpMovesChoice:
    return xlaGenericReadChoice(generic, op, index, scalar);
  case XlaOpMovesView:
  case XlaOpMovesDynamicView:
    return xlaGenericReadOperand(generic, op, 0, index, scalar);
  case XlaOpMovesNo:
  case XlaOpMovesUpdate:
  case XlaOpMovesBits:
    break;
  }
  xlaOpError(op, NULL, "cannot be computed inside a kernel, its result is %s",
             XLA_TYPE_TEXT(mlirValueGetType(value)));
  return false;
}

static bool visit(XlaGeneric *generic, MlirValue value, const XlaIndex *index,
                  MlirValue *scalar) {
  // Elsewhere the same value may be read from memory.
  XlaGenericMemo *known =
      generic->isStart ? NULL : findMemo(generic, value, index);
  if (known) {
    *scalar = known->scalar;
    return true;
  }
  XlaShape shape;
  MlirOperation op = definingOp(value);
  const XlaKernelBuffer *buffer = bufferAt(generic, value, index);
  XlaKernelRows *rows = buffer ? NULL : xlaKernelRowsOf(generic, value);
  const char *reason = "it is computed outside of the kernel";
  if (!xlaShapeFromMlir(mlirValueGetType(value), &shape, &reason) ||
      (!buffer && !op.ptr)) {
    xlaOpUnsupported(generic->kernel->op, NULL, "uses a value of type %s: %s",
                     XLA_TYPE_TEXT(mlirValueGetType(value)), reason);
    return false;
  }
  bool done = buffer ? readBuffer(generic, buffer, &shape, index, scalar)
              : rows && xlaGenericHasRows(generic, rows, &shape, index)
                  ? xlaGenericReadRows(generic, rows, &shape, index, scalar)
                  : visitOp(generic, op, value, &shape, index, scalar);
  return done && remember(generic, value, index, *scalar);
}

bool xlaGenericRead(XlaGeneric *generic, MlirValue value, const XlaIndex *index,
                    MlirValue *scalar) {
  return visit(generic, value, index, scalar);
}

bool xlaGenericBind(XlaGeneric *generic, MlirValue value, const XlaIndex *index,
                    MlirValue scalar) {
  return remember(generic, value, index, scalar);
}

MlirValue xlaGenericScalar(XlaGeneric *generic, MlirValue value,
                           const XlaIndex *index) {
  MlirValue scalar = none();
  return visit(generic, value, index, &scalar) ? scalar : none();
}

//===----------------------------------------------------------------------===//
// Regions of scalars
//===----------------------------------------------------------------------===//

/// The scalar of a value that a region uses, from `values` (the region's
/// arguments and results so far) or from outside.
static MlirValue regionValue(XlaGeneric *generic, const XlaKernelBuffer *values,
                             intptr_t n, MlirValue value) {
  for (intptr_t i = n - 1; i >= 0; --i)
    if (mlirValueEqual(values[i].value, value))
      return values[i].memref;
  XlaIndex index;
  xlaIndexBegin(&index);
  return xlaGenericScalar(generic, value, &index);
}

/// One operation of a region; its results are appended to `values`.
static bool regionOp(XlaGeneric *generic, MlirOperation op,
                     XlaKernelBuffer *values, intptr_t *n) {
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
        regionValue(generic, values, *n, mlirOperationGetOperand(op, i));
    if (mlirValueIsNull(operands[i]))
      return false;
  }
  bool done;
  if (kind == XlaOpKindConstant) {
    done = readConstant(generic, op, &shape, results);
  } else if (kind == XlaOpKindReshape || kind == XlaOpKindBroadcastInDim ||
             kind == XlaOpKindTranspose) {
    results[0] = operands[0]; // of rank 0, since the result is
    done = true;
  } else if (xlaIsInlined(op)) {
    done = compute(generic, op, operands, results);
  } else {
    xlaOpUnsupported(op, NULL, "is not lowered in a computation on scalars");
    done = false;
  }
  for (intptr_t i = 0; done && i < mlirOperationGetNumResults(op); ++i)
    values[(*n)++] =
        (XlaKernelBuffer){mlirOperationGetResult(op, i), results[i], false};
  return done;
}

MlirLogicalResult xlaGenericRegion(XlaGeneric *generic, MlirRegion region,
                                   const MlirValue *args, MlirValue *results) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  intptr_t n = mlirBlockGetNumArguments(block), capacity = n;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    capacity += mlirOperationGetNumResults(op);
  XlaKernelBuffer *values = malloc((size_t)(capacity + 1) * sizeof *values);
  if (!values)
    return xlaKernelNoMemory(generic->kernel);
  for (intptr_t i = 0; i < n; ++i)
    values[i] =
        (XlaKernelBuffer){mlirBlockGetArgument(block, i), args[i], false};
  MlirOperation terminator = mlirBlockGetTerminator(block);
  bool done = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       done && !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op))
    done = regionOp(generic, op, values, &n);
  for (intptr_t i = 0; done && i < mlirOperationGetNumOperands(terminator);
       ++i) {
    results[i] =
        regionValue(generic, values, n, mlirOperationGetOperand(terminator, i));
    done = !mlirValueIsNull(results[i]);
  }
  free(values);
  return done ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

//===----------------------------------------------------------------------===//
// Generics
//===----------------------------------------------------------------------===//

MlirLogicalResult xlaGenericBegin(XlaGeneric *generic, XlaKernel *kernel,
                                  const XlaShape *domain, intptr_t n,
                                  const MlirValue *values) {
  XlaSpace space;
  xlaSpaceInit(&space, domain);
  return xlaGenericBeginBox(generic, kernel, &space, XlaGenericCutsNone, NULL,
                            n, values);
}

MlirLogicalResult xlaGenericBeginBox(XlaGeneric *generic, XlaKernel *kernel,
                                     const XlaSpace *box, XlaGenericCuts cuts,
                                     const XlaGenericPads *pads, intptr_t n,
                                     const MlirValue *values) {
  memset(generic, 0, sizeof *generic);
  generic->kernel = kernel;
  generic->space = *box;
  generic->mayCut = cuts != XlaGenericCutsNone;
  generic->isSmall = cuts == XlaGenericCutsFew;
  if (pads)
    generic->pads = *pads;
  xlaIndexExprsInit(generic);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue unused = none();
    bool done = visit(generic, values[i], &generic->space.root, &unused);
    if (generic->needsCut)
      return mlirLogicalResultSuccess();
    if (done && !generic->beginsAgain)
      continue;
    if (!generic->needsSplit && !generic->beginsAgain)
      return mlirLogicalResultFailure();
    if (generic->needsSplit)
      generic->isFull = !xlaSpaceSplit(&generic->space, generic->split.loop,
                                       generic->split.inner);
    generic->needsSplit = generic->beginsAgain = false;
    generic->pad = (MlirOperation){NULL};
    forget(generic);
    xlaIndexExprsInit(generic);
    i = -1;
  }
  if (generic->pad.ptr)
    return mlirLogicalResultSuccess();
  if (!kernel->ir.block.ptr)
    return mlirLogicalResultSuccess();
  forget(generic);
  generic->block = mlirBlockCreate(0, NULL, NULL);
  generic->ir = xlaIrIn(kernel->ir, generic->block);
  return mlirLogicalResultSuccess();
}

void xlaGenericBeginOutside(XlaGeneric *generic, XlaKernel *kernel) {
  memset(generic, 0, sizeof *generic);
  generic->kernel = kernel;
  generic->isOutside = true;
  generic->block = kernel->ir.block;
  generic->ir = kernel->ir;
  xlaIndexExprsInit(generic);
}

void xlaGenericFree(XlaGeneric *generic) {
  xlaIndexExprsFree(generic);
  xlaPointerMapClear(&generic->lastMemo);
  if (generic->block.ptr && !generic->isOutside)
    mlirBlockDestroy(generic->block); // of a generic that was not ended
  free(generic->inputs);
  free(generic->maps);
  free(generic->memo);
}

/// Memory that the kernel only reads, if there is some: what it writes would
/// keep statements apart.
static MlirValue readOnly(const XlaKernel *kernel, MlirValue output) {
  for (intptr_t i = 0; i < kernel->nBuffers; ++i)
    if (!kernel->buffers[i].isComputed)
      return kernel->buffers[i].memref;
  return output;
}

/// linalg takes the length of a loop from an operand that it indexes. A loop
/// over what the body computes by itself (a sum of an iota) gets an operand for
/// that.
static bool bindLoops(XlaGeneric *generic, intptr_t nOutputs,
                      const MlirValue *outputs, const MlirAffineMap *maps) {
  bool bound[XLA_MAX_RANK] = {false};
  for (intptr_t i = 0; i < generic->nInputs + nOutputs; ++i) {
    MlirAffineMap map =
        i < generic->nInputs ? generic->maps[i] : maps[i - generic->nInputs];
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
      bound[mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, r))] =
          true;
  }
  int64_t sizes[XLA_MAX_RANK];
  MlirAffineExpr loops[XLA_MAX_RANK];
  int n = 0;
  for (int d = 0; d < generic->space.nLoops; ++d)
    if (!bound[d]) {
      sizes[n] = generic->space.sizes[d];
      loops[n++] = mlirAffineDimExprGet(generic->ir.context, d);
    }
  if (!n)
    return true;
  MlirValue shape = xlaKernelShapeOnly(
      &generic->kernel->ir, readOnly(generic->kernel, outputs[0]), n, sizes);
  MlirAffineMap map =
      mlirAffineMapGet(generic->ir.context, generic->space.nLoops, 0, n, loops);
  return !mlirValueIsNull(xlaGenericAddInput(generic, shape, map));
}

static void describeTile(const XlaGeneric *generic, MlirOperation op) {
  if (generic->tile)
    mlirOperationSetDiscardableAttributeByName(
        op, mlirStringRefCreateFromCString(XLA_SCHED_TILED),
        xlaIrI64Attr(generic->ir.context, generic->tile->nLoops));
  if (generic->within.ptr)
    mlirOperationSetDiscardableAttributeByName(
        op, mlirStringRefCreateFromCString(XLA_SCHED_WITHIN), generic->within);
}

MlirLogicalResult
xlaGenericEnd(XlaGeneric *generic, intptr_t nOutputs, const MlirValue *outputs,
              const MlirAffineMap *maps, const MlirValue *yields,
              const bool *isReduction, bool hasOutputArguments) {
  if (!bindLoops(generic, nOutputs, outputs, maps))
    return mlirLogicalResultFailure();
  intptr_t n = generic->nInputs + nOutputs;
  MlirAffineMap *all = malloc((size_t)(n + 1) * sizeof *all);
  MlirValue *operands = malloc((size_t)(n + 1) * sizeof *operands);
  MlirOperation op = {NULL};
  for (intptr_t i = 0; all && operands && i < n; ++i) {
    bool isInput = i < generic->nInputs;
    intptr_t o = i - generic->nInputs;
    operands[i] = isInput ? generic->inputs[i] : outputs[o];
    all[i] = isInput ? generic->maps[i] : maps[o];
    if (!isInput && !hasOutputArguments)
      mlirBlockAddArgument(generic->block,
                           xlaIrElementType(mlirValueGetType(outputs[o])),
                           generic->ir.location);
  }
  if (all && operands) {
    xlaIrCreate(&generic->ir, "linalg.yield", nOutputs, yields, 0, NULL, 0,
                NULL, 0, NULL);
    op = xlaLinalgGeneric(&generic->kernel->ir, generic->nInputs, nOutputs,
                          operands, all, generic->space.nLoops, isReduction,
                          generic->block);
    generic->block = (MlirBlock){NULL};
  }
  free(all);
  free(operands);
  if (op.ptr)
    describeTile(generic, op);
  return mlirOperationIsNull(op) ? xlaKernelNoMemory(generic->kernel)
                                 : mlirLogicalResultSuccess();
}

void xlaGenericForEachRead(const XlaGeneric *generic,
                           void (*buffer)(MlirValue value,
                                          const XlaShape *shape,
                                          const XlaIndex *index, void *data),
                           void *data) {
  const XlaIndex anywhere = {.rank = -1};
  for (intptr_t i = 0; i < generic->nMemo; ++i) {
    MlirValue value = generic->memo[i].value;
    const XlaIndex *index = &generic->memo[i].index;
    MlirOperation op = definingOp(value);
    XlaShape shape = xlaKernelShapeOf(value);
    bool isBuffer = bufferAt(generic, value, index) != NULL;
    if (op.ptr && xlaOpGetKind(op) == XlaOpKindGather && !isBuffer)
      buffer(mlirOperationGetOperand(op, 0), &shape, &anywhere, data);
    // A reshape of a buffer is another view of it.
    if (!isBuffer && op.ptr && xlaOpGetKind(op) == XlaOpKindReshape)
      value = mlirOperationGetOperand(op, 0);
    if (bufferAt(generic, value, index))
      buffer(value, &shape, index->isGeneral ? &anywhere : index, data);
  }
}
