//===- kernel.c - One operation as a function over memrefs ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/kernel.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/main_operation.h"
#include "xlac/lowering/linalg/scalar.h"
#include "xlac/lowering/linalg/steps.h"
#include "xlac/lowering/linalg/windows.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

MlirType xlaKernelMemRefType(MlirType tensor, const char **reason) {
  const char *unused;
  XlaShape shape;
  if (!xlaShapeFromMlir(tensor, &shape, reason ? reason : &unused))
    return (MlirType){NULL};
  MlirType element =
      xlaScalarMemoryType(shape.elementType, mlirTypeGetContext(tensor));
  int64_t count = 1;
  xlaShapeGetElementCount(&shape, &count);
  if (!count) // strides over an empty dimension would not be static
    shape = (XlaShape){.elementType = shape.elementType, .rank = 1};
  if (!mlirTypeIsNull(element))
    return mlirMemRefTypeGet(element, shape.rank, shape.dims,
                             mlirAttributeGetNull(), mlirAttributeGetNull());
  if (reason)
    *reason = xlaElementTypeIsComplex(shape.elementType)
                  ? "kernels have no complex numbers: xla-legalize splits them"
                  : "kernels take no elements of less than 8 bits and no "
                    "floats of less than 16: xla-legalize computes with others";
  return (MlirType){NULL};
}

MlirType xlaBufferMemRefType(MlirType tensor, const char **reason) {
  XlaShape shape;
  if (!xlaShapeFromMlir(tensor, &shape, NULL))
    return xlaKernelMemRefType(tensor, reason);
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape.elementType);
  bool isComplex = xlaElementTypeIsComplex(shape.elementType);
  if (isComplex && shape.rank < XLA_MAX_RANK) {
    shape.elementType = xlaElementTypeReal(shape.elementType);
    shape.dims[shape.rank++] = 2;
  } else if (shape.elementType != XlaElementTypePred && info->bytes == 1) {
    shape.elementType = XlaElementTypeU8;
  }
  return xlaKernelMemRefType(xlaShapeToMlir(&shape, mlirTypeGetContext(tensor)),
                             reason);
}

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

static bool isFusion(MlirOperation op) { return xlaIrIsOp(op, "xla.fusion"); }

/// How the body of a kernel is written.
typedef enum Emitter {
  EmitterNone,
  EmitterSteps,
  EmitterMovement,
  EmitterDynamicSlice,
  EmitterScatter,
  EmitterSort,
  EmitterTopK,
  EmitterTriangular,
} Emitter;

static bool changesWidth(MlirOperation op) {
  XlaShape from, to;
  return xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                          &from, NULL) &&
         xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, 0)), &to,
                          NULL) &&
         xlaElementTypeGetInfo(from.elementType)->bits !=
             xlaElementTypeGetInfo(to.elementType)->bits;
}

static Emitter emitterOf(MlirOperation op) {
  static const Emitter emitters[XlaFamilyCount] = {
      EmitterNone,
#define XLA_FAMILY(Family, sizes, maps, mapsOf, dynamic, Kernel, ...)          \
  Emitter##Kernel,
#include "xlac/dialect/families.def"
  };
  if (isFusion(op))
    return xlaOpAttrIs(op, "kind", "sort")      ? EmitterSort
           : xlaOpAttrIs(op, "kind", "scatter") ? EmitterScatter
                                                : EmitterSteps;
  const XlaOpInfo *info = xlaOpGetInfo(xlaOpGetKind(op));
  bool splits = info->moves == XlaOpMovesChoice ||
                (info->family == XlaFamilyBitcastConvert && changesWidth(op));
  return splits ? EmitterMovement : emitters[info->family];
}

static bool isDot(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindDot || kind == XlaOpKindDotGeneral;
}

/// Whether the fusion has one contraction.
static bool hasOneDot(MlirOperation fusion) {
  MlirOperation dot = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(
           mlirRegionGetFirstBlock(mlirOperationGetRegion(fusion, 0)));
       op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (!isDot(op))
      continue;
    if (dot.ptr)
      return false;
    dot = op;
  }
  return dot.ptr != NULL;
}

/// The attribute xla.kind.
static const char *kindOf(MlirOperation op) {
  static const char *const fusions[] = {"loop",    "reduce", "row",
                                        "scatter", "sort",   "attention"};
  XlaOpKind kind = xlaOpGetKind(op);
  if (isDot(op))
    return "contraction";
  if (kind == XlaOpKindReduce || kind == XlaOpKindAssociativeScan)
    return "reduce";
  if (kind == XlaOpKindScatter)
    return "scatter";
  if (kind == XlaOpKindSort || kind == XlaOpKindTopK)
    return "sort";
  if (kind == XlaOpKindCholesky || kind == XlaOpKindTriangularSolve)
    return "triangular";
  if (kind == XlaOpKindTranspose)
    return "transpose";
  if (!isFusion(op) || xlaOpAttrIs(op, "kind", "window"))
    return "loop";
  for (size_t i = 0; i < sizeof fusions / sizeof *fusions; ++i)
    if (xlaOpAttrIs(op, "kind", fusions[i]))
      return fusions[i];
  if (hasOneDot(op))
    return "contraction";
  return "row"; // which takes whatever the others take
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static MlirLogicalResult argumentType(MlirOperation op, const char *what,
                                      intptr_t i, MlirType tensor,
                                      MlirType *type) {
  const char *reason = "";
  *type = xlaKernelMemRefType(tensor, &reason);
  return mlirTypeIsNull(*type)
             ? xlaOpUnsupported(op, NULL, "has %s %lld of type %s: %s", what,
                                (long long)i, XLA_TYPE_TEXT(tensor), reason)
             : mlirLogicalResultSuccess();
}

/// An empty function that ends in func.return, `kernel->ir` before that.
static MlirLogicalResult createFunction(XlaKernel *kernel, MlirType *types,
                                        MlirOperation *function) {
  MlirOperation op = kernel->op;
  MlirContext context = mlirOperationGetContext(op);
  intptr_t n = mlirOperationGetNumOperands(op);
  intptr_t m = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < n + m; ++i) {
    MlirValue value = i < n ? mlirOperationGetOperand(op, i)
                            : mlirOperationGetResult(op, i - n);
    if (mlirLogicalResultIsFailure(
            argumentType(op, i < n ? "operand" : "result", i < n ? i : i - n,
                         mlirValueGetType(value), &types[i])))
      return mlirLogicalResultFailure();
  }
  XlaIr ir = xlaIrAtEnd(context, mlirOperationGetLocation(op),
                        mlirModuleGetBody(kernel->module));
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  for (intptr_t i = 0; i < n + m; ++i)
    mlirBlockAddArgument(block, types[i], ir.location);
  XlaIrAttr attrs[4] = {{"sym_name", xlaIrStringAttr(context, kernel->name)},
                        {"function_type", mlirTypeAttrGet(mlirFunctionTypeGet(
                                              context, n + m, types, 0, NULL))},
                        {"sym_visibility", xlaIrStringAttr(context, "private")},
                        {"xla.kind", xlaIrStringAttr(context, kindOf(op))}};
  *function =
      xlaIrCreate(&ir, "func.func", 0, NULL, 0, NULL, 4, attrs, 1, &region);
  kernel->ir = xlaIrIn(ir, block);
  xlaIrCreate(&kernel->ir, "func.return", 0, NULL, 0, NULL, 0, NULL, 0, NULL);
  kernel->ir.before = mlirBlockGetTerminator(block);
  return mlirLogicalResultSuccess();
}

/// The values that hold the kernel's operands: a fusion's are its arguments.
static MlirValue operandValue(MlirOperation op, intptr_t i) {
  return isFusion(op)
             ? mlirBlockGetArgument(
                   mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)), i)
             : mlirOperationGetOperand(op, i);
}

static bool addOperands(XlaKernel *kernel) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(kernel->op); ++i) {
    MlirValue memref = {NULL};
    if (kernel->ir.block.ptr)
      memref = mlirBlockGetArgument(kernel->ir.block, i);
    if (!xlaKernelAddBuffer(kernel, operandValue(kernel->op, i), memref))
      return false;
  }
  return true;
}

static MlirLogicalResult writeSteps(XlaKernel *kernel,
                                    const MlirValue *results) {
  XlaKernelSteps steps;
  MlirLogicalResult result = xlaKernelStepsInit(&steps, kernel);
  if (mlirLogicalResultIsSuccess(result))
    result = xlaKernelHasWindows(kernel) ? xlaKernelWindowsEmit(&steps, results)
                                         : xlaKernelStepsEmit(&steps, results);
  xlaKernelStepsFree(&steps);
  return result;
}

static MlirBlock bodyOf(MlirOperation fusion) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(fusion, 0));
}

/// A fusion that ends with a sort or scatter, whose operands may be computed,
/// or that has a scatter between what computes its inputs and works on its
/// results.
static MlirLogicalResult writeFusion(XlaKernel *kernel, Emitter emitter,
                                     const MlirValue *results) {
  MlirOperation fusion = kernel->op, op = xlaMainOperation(fusion);
  MlirOperation end = mlirBlockGetTerminator(bodyOf(fusion));
  for (MlirOperation o = mlirBlockGetFirstOperation(bodyOf(fusion));
       !mlirOperationEqual(o, end); o = mlirOperationGetNextInBlock(o))
    if (xlaOpGetKind(o) == XlaOpKindConstant &&
        mlirLogicalResultIsFailure(xlaKernelAddConstant(kernel, o)))
      return mlirLogicalResultFailure();
  kernel->op = op;
  if (op.ptr && xlaMainOperationIsLast(fusion, op))
    return emitter == EmitterSort ? xlaSortEmit(kernel, results)
                                  : xlaScatterEmit(kernel, results);
  if (!op.ptr || emitter == EmitterSort)
    return xlaOpUnsupported(
        fusion, NULL,
        "of this kind is lowered where its region has one such operation, a "
        "sort as what it returns");
  intptr_t n = mlirOperationGetNumOperands(end);
  MlirValue *values = malloc(((size_t)n + 1) * sizeof *values);
  if (!values)
    return xlaKernelNoMemory(kernel);
  for (intptr_t i = 0; i < n; ++i)
    values[i] = mlirOperationGetOperand(end, i);
  MlirLogicalResult done = xlaScatterEmitAll(kernel, n, values, results);
  free(values);
  return done;
}

static MlirLogicalResult write(XlaKernel *kernel, const MlirValue *results) {
  Emitter emitter = emitterOf(kernel->op);
  if (isFusion(kernel->op) && emitter != EmitterSteps)
    return writeFusion(kernel, emitter, results);
  switch (emitter) {
  case EmitterSteps:
    return writeSteps(kernel, results);
  case EmitterMovement:
    return xlaMovementEmit(kernel, results);
  case EmitterDynamicSlice:
    return xlaDynamicSliceEmit(kernel, results);
  case EmitterScatter:
    return xlaScatterEmit(kernel, results);
  case EmitterSort:
    return xlaSortEmit(kernel, results);
  case EmitterTopK:
    return xlaTopKEmit(kernel, results);
  case EmitterTriangular:
    return xlaTriangularEmit(kernel, results);
  case EmitterNone:
    break;
  }
  return xlaOpError(kernel->op, NULL,
                    "should have been written as other operations");
}

static void freeKernel(XlaKernel *kernel) {
  free(kernel->buffers);
  free(kernel->globals);
  free(kernel->starts);
}

MlirLogicalResult xlaKernelEmit(MlirOperation op, MlirModule module,
                                const char *name, const XlaKernelDevice *device,
                                MlirOperation *out) {
  XlaKernel kernel = {
      .op = op, .module = module, .name = name, .device = device};
  MlirOperation function = {NULL};
  intptr_t n = mlirOperationGetNumOperands(op);
  intptr_t m = mlirOperationGetNumResults(op);
  MlirType *types = calloc((size_t)(n + m) + 1, sizeof *types);
  MlirValue *results = calloc((size_t)m + 1, sizeof *results);
  MlirLogicalResult result = mlirLogicalResultFailure();
  if (!types || !results)
    xlaOpNoMemory(op);
  else
    result = createFunction(&kernel, types, &function);
  if (mlirLogicalResultIsSuccess(result)) {
    for (intptr_t i = 0; i < m; ++i)
      results[i] = mlirBlockGetArgument(kernel.ir.block, n + i);
    result = addOperands(&kernel) ? write(&kernel, results)
                                  : mlirLogicalResultFailure();
  }
  if (mlirLogicalResultIsFailure(result)) {
    if (function.ptr)
      mlirOperationDestroy(function);
    for (intptr_t i = 0; i < kernel.nGlobals; ++i)
      mlirOperationDestroy(kernel.globals[i]);
    function = (MlirOperation){NULL};
  }
  if (out)
    *out = function;
  free(types);
  free(results);
  freeKernel(&kernel);
  return result;
}

//===----------------------------------------------------------------------===//
// Aliasing
//===----------------------------------------------------------------------===//

static bool sameBytes(MlirType a, MlirType b) {
  XlaShape x, y;
  int64_t m, n;
  return xlaShapeFromMlir(a, &x, NULL) && xlaShapeFromMlir(b, &y, NULL) &&
         xlaShapeGetElementCount(&x, &m) && xlaShapeGetElementCount(&y, &n) &&
         m == n &&
         xlaElementTypeGetInfo(x.elementType)->bytes ==
             xlaElementTypeGetInfo(y.elementType)->bytes;
}

/// The dynamic_update_slice that a fusion gives back as `result`, or null.
static MlirOperation updateOf(MlirOperation fusion, intptr_t result) {
  MlirOperation end = mlirBlockGetTerminator(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(fusion, 0)));
  MlirValue value = mlirOperationGetOperand(end, result);
  MlirOperation op = {NULL};
  if (mlirValueIsAOpResult(value))
    op = mlirOpResultGetOwner(value);
  return op.ptr && xlaOpGetKind(op) == XlaOpKindDynamicUpdateSlice
             ? op
             : (MlirOperation){NULL};
}

intptr_t xlaKernelUpdates(MlirOperation op, intptr_t result) {
  if (xlaOpGetKind(op) == XlaOpKindDynamicUpdateSlice)
    return 0;
  if (isFusion(op) && updateOf(op, result).ptr) {
    MlirValue whole = mlirOperationGetOperand(updateOf(op, result), 0);
    return mlirValueIsABlockArgument(whole)
               ? mlirBlockArgumentGetArgNumber(whole)
               : -1;
  }
  if (emitterOf(op) != EmitterScatter)
    return -1;
  MlirOperation scatter = op;
  if (isFusion(op) && xlaMainScattersToAll(op))
    return -1;
  if (isFusion(op)) {
    MlirOperation end = mlirBlockGetTerminator(bodyOf(op));
    MlirValue value = mlirOperationGetOperand(end, result);
    if (!mlirValueIsAOpResult(value))
      return -1;
    scatter = mlirOpResultGetOwner(value);
    result = mlirOpResultGetResultNumber(value);
  }
  if (xlaOpGetKind(scatter) != XlaOpKindScatter)
    return -1;
  MlirValue input = mlirOperationGetOperand(scatter, result);
  XlaShape from = xlaKernelShapeOf(input),
           to = xlaKernelShapeOf(mlirOperationGetResult(scatter, result));
  if (from.elementType != to.elementType)
    return -1;
  if (!isFusion(op))
    return result;
  return mlirValueIsABlockArgument(input) ? mlirBlockArgumentGetArgNumber(input)
                                          : -1;
}

bool xlaKernelCanAlias(MlirOperation op, intptr_t operand, intptr_t result) {
  if (operand < 0 || operand >= mlirOperationGetNumOperands(op) || result < 0 ||
      result >= mlirOperationGetNumResults(op))
    return false;
  if (xlaKernelUpdates(op, result) == operand)
    return !isFusion(op) ||
           (updateOf(op, result).ptr
                ? xlaUpdateIsInPlace(updateOf(op, result))
                // Nothing but the scatter itself reads its input.
                : xlaIrHasOneUse(operandValue(op, operand)));
  // Of triangular matrices each row is read when the result's is written.
  if (emitterOf(op) == EmitterTriangular)
    return operand == mlirOperationGetNumOperands(op) - 1;
  if (isFusion(op) && emitterOf(op) == EmitterScatter &&
      xlaMainScattersToAll(op))
    return sameBytes(mlirValueGetType(mlirOperationGetOperand(op, operand)),
                     mlirValueGetType(mlirOperationGetResult(op, result))) &&
           xlaKernelStepsSameDims(mlirOperationGetOperand(op, operand),
                                  mlirOperationGetResult(op, result)) &&
           xlaMainReadsInPlace(op, operandValue(op, operand));
  // Rows of windows are computed from what other blocks have not written.
  if (emitterOf(op) != EmitterSteps || xlaOpAttrIs(op, "kind", "window") ||
      !sameBytes(mlirValueGetType(mlirOperationGetOperand(op, operand)),
                 mlirValueGetType(mlirOperationGetResult(op, result))))
    return false;
  XlaKernel kernel = {.op = op, .name = ""};
  XlaKernelSteps steps = {.kernel = NULL};
  bool can = addOperands(&kernel) &&
             mlirLogicalResultIsSuccess(xlaKernelStepsInit(&steps, &kernel));
  if (can)
    can = xlaKernelStepsCanAlias(&steps, operandValue(op, operand), result);
  xlaKernelStepsFree(&steps);
  freeKernel(&kernel);
  return can;
}
