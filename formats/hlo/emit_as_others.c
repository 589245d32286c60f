//===- emit_as_others.c - Operations of HLO as several --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/import/stablehlo.h"
#include "xlac/passes/import/stablehlo/custom_call.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// The largest and the smallest
//===----------------------------------------------------------------------===//

/// What is ordered the other way round: total orders of floats, too.
static MlirValue reverse(XlaIr *ir, MlirValue x) {
  bool isFloat = xlaElementTypeIsFloat(xlaArrayShape(x).elementType);
  return xlaIrUnary(ir, isFloat ? "xla.negate" : "xla.not", x);
}

bool xlaHloEmitTopk(XlaHloOp *op) {
  static const XlaHloAttrName own[] = {XlaHloAttrLargest};
  const XlaHloAttr *largest = xlaHloFindAttr(op->in, XlaHloAttrLargest);
  bool isSmallest = largest && !largest->values[0];
  XlaHloAttrs attrs;
  if (!xlaHloAttributes(op, XlaOpKindTopK, 1, own, &attrs))
    return false;
  if (op->nOperands != 1 || op->nResults != 2 ||
      !mlirTypeIsAShaped(mlirValueGetType(op->operands[0])))
    return xlaHloOpInvalid(op, "takes an array and gives two");
  MlirValue x = op->operands[0];
  if (isSmallest)
    x = reverse(&op->ir, x);
  MlirOperation made = xlaHloCreate(op, XlaOpKindTopK, 1, &x, &attrs, 0, NULL);
  if (!isSmallest)
    return xlaHloPutResults(op, made);
  MlirValue results[] = {reverse(&op->ir, mlirOperationGetResult(made, 0)),
                         mlirOperationGetResult(made, 1)};
  return xlaHloPut(op, 2, results);
}

//===----------------------------------------------------------------------===//
// reduce-precision
//===----------------------------------------------------------------------===//

bool xlaHloEmitReducePrecision(XlaHloOp *op) {
  const XlaHloAttr *bits = xlaHloFindAttr(op->in, XlaHloAttrMantissaBits);
  XlaHloAttrs attrs;
  if (!xlaHloAttributes(op, XlaOpKindReducePrecision, 0, NULL, &attrs))
    return false;
  MlirOperation made = xlaHloCreate(op, XlaOpKindReducePrecision, op->nOperands,
                                    op->operands, &attrs, 0, NULL);
  if (mlirOperationIsNull(made) || !bits || bits->values[0])
    return xlaHloPutResults(op, made);
  MlirValue value = xlaImportInfinities(&op->ir, op->operands[0],
                                        mlirOperationGetResult(made, 0));
  return xlaHloPut(op, 1, &value);
}

//===----------------------------------------------------------------------===//
// all-to-all
//===----------------------------------------------------------------------===//

/// How many replicas or partitions a group has.
static int64_t groupSize(const XlaHloOp *op) {
  const XlaHloAttr *groups = xlaHloFindAttr(op->in, XlaHloAttrReplicaGroups);
  const XlaHloModule *program = op->scope->emitter->program;
  int64_t count = groups && groups->n ? groups->values[0]
                  : xlaHloFindAttr(op->in, XlaHloAttrChannelId)
                      ? program->nPartitions
                      : program->nReplicas;
  return count > 0 ? count : 1;
}

static void addCount(XlaHloOp *op, XlaHloAttrs *attrs, int64_t dimension,
                     int64_t count) {
  xlaHloAddAttr(attrs, "concat_dimension",
                xlaIrI64Attr(op->ir.context, dimension));
  xlaHloAddAttr(attrs, "split_count", xlaIrI64Attr(op->ir.context, count));
}

/// Operands side by side along a new dimension in front, of which each replica
/// gets one.
static bool emitOperandEach(XlaHloOp *op) {
  XlaHloAttrs attrs;
  intptr_t n = op->nOperands;
  if (!xlaHloAttributes(op, XlaOpKindAllToAll, 0, NULL, &attrs))
    return false;
  if (n < 1 || n != groupSize(op) || op->nResults != n ||
      op->in->nOperands != (uint32_t)n)
    return xlaHloOpInvalid(op,
                           "takes and gives an array for each of %lld "
                           "replicas",
                           (long long)groupSize(op));
  for (intptr_t i = 0; i < n; ++i)
    if (!mlirTypeEqual(mlirValueGetType(op->operands[i]), op->types[i]) ||
        !mlirTypeEqual(op->types[i], op->types[0]) ||
        !mlirTypeIsAShaped(op->types[i]))
      return xlaHloOpInvalid(op, "takes and gives arrays of one shape");
  XlaShape shape = xlaArrayShape(op->operands[0]);
  bool isDynamic = false;
  for (int d = 0; d < shape.rank; ++d)
    isDynamic |= xlaShapeIsDynamic(&shape, d);
  if (shape.rank == XLA_MAX_RANK || isDynamic)
    return xlaHloOpRefuse(op, "is not supported yet: arrays of so many "
                              "dimensions, or of dynamic sizes");
  MlirValue *parts = malloc((size_t)n * sizeof *parts);
  if (!parts)
    return xlaHloOpNoMemory(op);
  int64_t dims[XLA_MAX_RANK + 1] = {1};
  for (int d = 0; d < shape.rank; ++d)
    dims[d + 1] = shape.dims[d];
  for (intptr_t i = 0; i < n; ++i)
    parts[i] = xlaArrayReshape(&op->ir, op->operands[i], shape.rank + 1, dims);
  MlirValue joined = xlaArrayConcatenate(&op->ir, n, parts, 0);
  xlaHloAddAttr(&attrs, "split_dimension", xlaIrI64Attr(op->ir.context, 0));
  addCount(op, &attrs, 0, n);
  MlirValue exchanged =
      xlaIrOp(&op->ir, "xla.all_to_all", mlirValueGetType(joined), 1, &joined,
              attrs.n, attrs.items);
  int64_t starts[XLA_MAX_RANK] = {0};
  for (intptr_t i = 0; i < n; ++i) {
    starts[0] = i;
    dims[0] = i + 1;
    parts[i] = xlaArrayReshape(
        &op->ir, xlaArraySlice(&op->ir, exchanged, starts, dims, NULL),
        shape.rank, shape.dims);
  }
  bool put = xlaHloPut(op, n, parts);
  free(parts);
  return put;
}

bool xlaHloEmitAllToAll(XlaHloOp *op) {
  const XlaHloAttr *dimensions = xlaHloFindAttr(op->in, XlaHloAttrDimensions);
  XlaHloAttrs attrs;
  if (!dimensions || op->in->nOperands != 1)
    return emitOperandEach(op);
  if (!xlaHloAttributes(op, XlaOpKindAllToAll, 0, NULL, &attrs))
    return false;
  addCount(op, &attrs, dimensions->values[0], groupSize(op));
  return xlaHloPutResults(op, xlaHloCreate(op, XlaOpKindAllToAll, op->nOperands,
                                           op->operands, &attrs, 0, NULL));
}

//===----------------------------------------------------------------------===//
// ragged-all-to-all
//===----------------------------------------------------------------------===//

/// JAX's custom call has the same meaning.
bool xlaHloEmitRaggedAllToAll(XlaHloOp *op) {
  XlaHloAttrs attrs;
  MlirContext context = op->ir.context;
  if (!xlaHloAttributes(op, XlaOpKindAllToAll, 0, NULL, &attrs))
    return false;
  xlaHloAddAttr(&attrs, "group_size", xlaIrI64Attr(context, groupSize(op)));
  XlaIrAttr call[] = {
      {"call_target_name", xlaIrStringAttr(context, "ragged_all_to_all")},
      {"backend_config", xlaIrDictionaryAttr(context, attrs.n, attrs.items)}};
  return xlaHloImportBy(op, xlaImportRaggedInto, "stablehlo.custom_call", 2,
                        call, 0, NULL);
}
