//===- reduce.c - Reductions ----------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fill with the init value and a generic with reduction iterators, into which
// the producers of the operands are inlined. Several operands that are reduced
// together are one generic of several outputs.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/scalar.h"
#include "xlac/lowering/linalg/steps.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// One reduction under construction.
typedef struct Reduction {
  XlaKernel *kernel;
  MlirOperation op;
  intptr_t n;
  XlaElementType types[XLA_KERNEL_MAX_VALUES];
  const MlirValue *outputs;
  XlaGeneric generic;
  bool isReduction[XLA_MAX_RANK]; ///< of each loop
  bool reduces;                   ///< some loop is
} Reduction;

static XlaIndex scalarIndex(void) {
  XlaIndex index;
  xlaIndexBegin(&index);
  return index;
}

static bool fillWithInit(Reduction *r) {
  XlaGeneric outside;
  XlaIndex index = scalarIndex();
  bool done = true;
  xlaGenericBeginOutside(&outside, r->kernel);
  for (intptr_t i = 0; i < r->n && done; ++i) {
    MlirValue init = xlaGenericScalar(
        &outside, mlirOperationGetOperand(r->op, r->n + i), &index);
    done = !mlirValueIsNull(init);
    if (done)
      xlaLinalgFill(&r->kernel->ir,
                    xlaScalarToMemory(&r->kernel->ir, r->types[i], init),
                    r->outputs[i]);
  }
  xlaGenericFree(&outside);
  return done;
}

/// The index of the result: that of the operand without the reduced dimensions.
static XlaIndex resultIndex(Reduction *r, int rank) {
  XlaI64List dimensions;
  XlaIndex index, *root = &r->generic.space.root;
  bool reduced[XLA_MAX_RANK] = {false};
  xlaOpGetList(r->op, "dimensions", &dimensions);
  for (int i = 0; i < dimensions.size; ++i)
    reduced[dimensions.values[i]] = true;
  xlaIndexBegin(&index);
  for (int d = 0; d < rank; ++d) {
    if (!reduced[d])
      xlaIndexAppend(&index, root, d);
    for (int i = root->first[d]; i < root->first[d + 1]; ++i) {
      r->isReduction[root->loops[i]] = reduced[d];
      r->reduces |= reduced[d];
    }
  }
  return index;
}

/// Elements and accumulators, in registers. Where nothing is reduced the
/// accumulators are the init values: outputs are not read by parallel loops.
static bool readArguments(Reduction *r, MlirValue *args) {
  XlaIndex scalar = scalarIndex();
  XlaGeneric *generic = &r->generic;
  for (intptr_t i = 0; i < r->n; ++i) {
    args[r->n + i] = xlaGenericScalar(
        generic, mlirOperationGetOperand(r->op, i), &generic->space.root);
    if (mlirValueIsNull(args[r->n + i]))
      return false;
  }
  for (intptr_t i = 0; i < r->n; ++i) {
    MlirType type = xlaScalarMemoryType(r->types[i], generic->ir.context);
    MlirValue accumulator =
        mlirBlockAddArgument(generic->block, type, generic->ir.location);
    args[i] = r->reduces
                  ? xlaScalarFromMemory(&generic->ir, r->types[i], accumulator)
                  : xlaGenericScalar(generic,
                                     mlirOperationGetOperand(r->op, r->n + i),
                                     &scalar);
    if (mlirValueIsNull(args[i]))
      return false;
  }
  return true;
}

static MlirLogicalResult emitLoops(Reduction *r, const XlaShape *domain) {
  MlirValue args[2 * XLA_KERNEL_MAX_VALUES], results[XLA_KERNEL_MAX_VALUES],
      inputs[XLA_KERNEL_MAX_VALUES];
  MlirValue outputs[XLA_KERNEL_MAX_VALUES];
  MlirAffineMap maps[XLA_KERNEL_MAX_VALUES];
  XlaGeneric *generic = &r->generic;
  for (intptr_t i = 0; i < r->n; ++i)
    inputs[i] = mlirOperationGetOperand(r->op, i);
  if (mlirLogicalResultIsFailure(
          xlaGenericBegin(generic, r->kernel, domain, r->n, inputs)))
    return mlirLogicalResultFailure();
  XlaIndex index = resultIndex(r, domain->rank);
  if ((r->reduces && !fillWithInit(r)) || !readArguments(r, args) ||
      mlirLogicalResultIsFailure(xlaGenericRegion(
          generic, mlirOperationGetRegion(r->op, 0), args, results)))
    return mlirLogicalResultFailure();
  for (intptr_t i = 0; i < r->n; ++i) {
    XlaShape shape;
    xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(r->op, i)), &shape,
                     NULL);
    results[i] = xlaScalarToMemory(&generic->ir, r->types[i], results[i]);
    outputs[i] =
        xlaKernelView(&r->kernel->ir, r->outputs[i], &shape, &generic->space,
                      &index, (MlirValue){NULL}, &maps[i]);
  }
  return xlaGenericEnd(generic, r->n, outputs, maps, results, r->isReduction,
                       true);
}

MlirLogicalResult xlaReduceEmit(XlaKernel *kernel, MlirOperation op,
                                const MlirValue *outputs) {
  Reduction r = {.kernel = kernel, .op = op, .outputs = outputs};
  XlaShape domain, shape;
  int64_t count = 0;
  r.n = mlirOperationGetNumOperands(op) / 2;
  if (r.n > XLA_KERNEL_MAX_VALUES)
    return xlaOpUnsupported(op, NULL,
                            "reduces %lld operands, more than the %d that are "
                            "lowered",
                            (long long)r.n, XLA_KERNEL_MAX_VALUES);
  for (intptr_t i = 0; i < r.n; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    xlaShapeFromMlir(type, &shape, NULL);
    r.types[i] = shape.elementType;
    if (mlirTypeIsNull(
            xlaScalarMemoryType(shape.elementType, kernel->ir.context)))
      return xlaOpUnsupported(op, NULL, "is not lowered for elements of %s",
                              XLA_TYPE_TEXT(type));
  }
  xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, 0)), &domain,
                   NULL);
  xlaShapeGetElementCount(&domain, &count);
  if (!count)
    return fillWithInit(&r) ? mlirLogicalResultSuccess()
                            : mlirLogicalResultFailure();
  MlirLogicalResult result = emitLoops(&r, &domain);
  xlaGenericFree(&r.generic);
  return result;
}
