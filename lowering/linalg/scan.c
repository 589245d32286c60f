//===- scan.c - Scans -----------------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A generic with reduction iterators that has two outputs for each operand: the
// accumulators, memory of the kernel's own that schedules keep in registers,
// and the results, which get what the accumulators are after every iteration.
// The producers of the operands are inlined. In reverse the domain is walked
// from its end.
//
// There are no init values: the first iteration takes its elements as they are.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/scalar.h"
#include "xlac/lowering/linalg/steps.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

/// A scan under construction.
typedef struct Scan {
  XlaKernel *kernel;
  MlirOperation op;
  intptr_t n;
  int dimension;
  bool isReverse;
  XlaShape shape; ///< of operand 0
  XlaElementType types[XLA_KERNEL_MAX_IN_ORDER];
  XlaGeneric generic;
  bool isReduction[XLA_MAX_RANK]; ///< of each loop
} Scan;

void xlaScanSpace(MlirOperation op, XlaSpace *space) {
  XlaShape shape = xlaKernelShapeOf(mlirOperationGetOperand(op, 0));
  int d = (int)xlaOpGetI64(op, "dimension", 0);
  xlaSpaceInit(space, &shape);
  if (!xlaOpIsTrue(op, "reverse"))
    return;
  space->root.offset[d] = shape.dims[d] - 1;
  space->root.stride[d] = -1;
}

/// Memory for the accumulators of operand `i`: an element a line. They are
/// never read before they are written, which is more than schedules see.
static MlirValue allocateAccumulators(Scan *s, intptr_t i) {
  XlaIr *ir = &s->kernel->ir;
  XlaShape lines = s->shape;
  lines.elementType = s->types[i];
  lines.dims[s->dimension] = 1;
  MlirType type =
      xlaKernelMemRefType(xlaShapeToMlir(&lines, ir->context), NULL);
  MlirValue memory = xlaLinalgAlloc(ir, type);
  MlirType element = xlaIrElementType(type);
  xlaLinalgFill(ir,
                mlirTypeIsAFloat(element) ? xlaIrConstantFloat(ir, element, 0)
                                          : xlaIrConstantInt(ir, element, 0),
                memory);
  return memory;
}

/// Whether the loops are at the first iteration of each line.
static MlirValue isFirst(Scan *s) {
  XlaIr *ir = &s->generic.ir;
  const XlaIndex *root = &s->generic.space.root;
  MlirValue all = {NULL};
  for (int i = root->first[s->dimension]; i < root->first[s->dimension + 1];
       ++i) {
    XlaIrAttr dim = {"dim", xlaIrI64Attr(ir->context, root->loops[i])};
    MlirValue at = xlaIrOp(ir, "linalg.index", mlirIndexTypeGet(ir->context), 0,
                           NULL, 1, &dim);
    MlirValue isZero = xlaIrCmpI(ir, "eq", at, xlaIrConstantIndex(ir, 0));
    all = all.ptr ? xlaIrBinary(ir, "arith.andi", all, isZero) : isZero;
  }
  return all;
}

/// The elements, and what comes of the accumulators with them.
static bool combine(Scan *s, MlirValue *results) {
  XlaGeneric *generic = &s->generic;
  MlirValue args[2 * XLA_KERNEL_MAX_IN_ORDER];
  MlirValue *sums = args + (s->isReverse ? s->n : 0);
  MlirValue *elements = args + (s->isReverse ? 0 : s->n);
  for (intptr_t i = 0; i < s->n; ++i) {
    elements[i] = xlaGenericScalar(generic, mlirOperationGetOperand(s->op, i),
                                   &generic->space.root);
    if (mlirValueIsNull(elements[i]))
      return false;
  }
  for (intptr_t i = 0; i < 2 * s->n; ++i) {
    MlirType type =
        xlaScalarMemoryType(s->types[i % s->n], generic->ir.context);
    MlirValue out =
        mlirBlockAddArgument(generic->block, type, generic->ir.location);
    if (i < s->n)
      sums[i] = xlaScalarFromMemory(&generic->ir, s->types[i], out);
  }
  MlirValue first = isFirst(s);
  if (mlirLogicalResultIsFailure(xlaGenericRegion(
          generic, mlirOperationGetRegion(s->op, 0), args, results)))
    return false;
  for (intptr_t i = 0; i < s->n; ++i)
    results[i] = xlaScalarToMemory(
        &generic->ir, s->types[i],
        xlaIrSelect(&generic->ir, first, elements[i], results[i]));
  return true;
}

static MlirLogicalResult emitLoops(Scan *s, const MlirValue *outputs) {
  MlirValue inputs[XLA_KERNEL_MAX_IN_ORDER],
      results[2 * XLA_KERNEL_MAX_IN_ORDER], memory[2 * XLA_KERNEL_MAX_IN_ORDER];
  MlirAffineMap maps[2 * XLA_KERNEL_MAX_IN_ORDER];
  XlaGeneric *generic = &s->generic;
  XlaSpace space;
  xlaScanSpace(s->op, &space);
  for (intptr_t i = 0; i < s->n; ++i)
    inputs[i] = mlirOperationGetOperand(s->op, i);
  if (mlirLogicalResultIsFailure(xlaGenericBeginBox(
          generic, s->kernel, &space, XlaGenericCutsNone, NULL, s->n, inputs)))
    return mlirLogicalResultFailure();
  const XlaIndex *root = &generic->space.root;
  XlaIndex line;
  xlaIndexBegin(&line);
  for (int d = 0; d < s->shape.rank; ++d) {
    if (d == s->dimension)
      xlaIndexAppendZero(&line);
    else
      xlaIndexAppend(&line, root, d);
    for (int i = root->first[d]; i < root->first[d + 1]; ++i)
      s->isReduction[root->loops[i]] = d == s->dimension;
  }
  for (intptr_t i = 0; i < s->n; ++i)
    memory[i] = allocateAccumulators(s, i);
  if (!combine(s, results))
    return mlirLogicalResultFailure();
  XlaShape lines = s->shape;
  lines.dims[s->dimension] = 1;
  for (intptr_t i = 0; i < s->n; ++i) {
    XlaIr *ir = &s->kernel->ir;
    memory[i] = xlaKernelView(ir, memory[i], &lines, &generic->space, &line,
                              (MlirValue){NULL}, &maps[i]);
    memory[s->n + i] = xlaKernelView(ir, outputs[i], &s->shape, &generic->space,
                                     root, (MlirValue){NULL}, &maps[s->n + i]);
    results[s->n + i] = results[i];
  }
  return xlaGenericEnd(generic, 2 * s->n, memory, maps, results, s->isReduction,
                       true);
}

/// Lines of one element: the results are the operands.
static MlirLogicalResult emitCopies(Scan *s, const MlirValue *outputs) {
  MlirValue inputs[XLA_KERNEL_MAX_IN_ORDER], results[XLA_KERNEL_MAX_IN_ORDER],
      views[XLA_KERNEL_MAX_IN_ORDER];
  MlirAffineMap maps[XLA_KERNEL_MAX_IN_ORDER];
  XlaGeneric *generic = &s->generic;
  for (intptr_t i = 0; i < s->n; ++i)
    inputs[i] = mlirOperationGetOperand(s->op, i);
  if (mlirLogicalResultIsFailure(
          xlaGenericBegin(generic, s->kernel, &s->shape, s->n, inputs)))
    return mlirLogicalResultFailure();
  const XlaIndex *root = &generic->space.root;
  for (intptr_t i = 0; i < s->n; ++i) {
    MlirValue element = xlaGenericScalar(generic, inputs[i], root);
    if (mlirValueIsNull(element))
      return mlirLogicalResultFailure();
    results[i] = xlaScalarToMemory(&generic->ir, s->types[i], element);
    views[i] =
        xlaKernelView(&s->kernel->ir, outputs[i], &s->shape, &generic->space,
                      root, (MlirValue){NULL}, &maps[i]);
  }
  return xlaGenericEnd(generic, s->n, views, maps, results, NULL, false);
}

MlirLogicalResult xlaScanEmit(XlaKernel *kernel, MlirOperation op,
                              const MlirValue *outputs) {
  Scan s = {.kernel = kernel,
            .op = op,
            .n = mlirOperationGetNumOperands(op),
            .dimension = (int)xlaOpGetI64(op, "dimension", 0),
            .isReverse = xlaOpIsTrue(op, "reverse"),
            .shape = xlaKernelShapeOf(mlirOperationGetOperand(op, 0))};
  if (s.n > XLA_KERNEL_MAX_IN_ORDER)
    return xlaOpUnsupported(op, NULL,
                            "scans %lld operands, more than the %d that are "
                            "lowered",
                            (long long)s.n, XLA_KERNEL_MAX_IN_ORDER);
  for (intptr_t i = 0; i < s.n; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    s.types[i] = xlaKernelShapeOf(mlirOperationGetResult(op, i)).elementType;
    if (mlirTypeIsNull(xlaScalarMemoryType(s.types[i], kernel->ir.context)))
      return xlaOpUnsupported(op, NULL, "is not lowered for elements of %s",
                              XLA_TYPE_TEXT(type));
  }
  MlirLogicalResult result = s.shape.dims[s.dimension] > 1
                                 ? emitLoops(&s, outputs)
                                 : emitCopies(&s, outputs);
  xlaGenericFree(&s.generic);
  return result;
}
