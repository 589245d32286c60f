//===- emit_scan.c - Running results from HLO -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// scan is CHLO's for a moment, so that the import gives it its meaning.
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/emit.h"

static MlirAttribute segments(XlaHloOp *op, intptr_t all, int64_t nCarries) {
  int32_t sizes[] = {(int32_t)(all - nCarries), (int32_t)nCarries};
  return mlirDenseI32ArrayGet(op->ir.context, 2, sizes);
}

bool xlaHloEmitScan(XlaHloOp *op) {
  const XlaHloAttr *dimensions = xlaHloFindAttr(op->in, XlaHloAttrDimensions);
  const XlaHloAttr *carries = xlaHloFindAttr(op->in, XlaHloAttrNumCarries);
  const XlaHloAttr *reverse = xlaHloFindAttr(op->in, XlaHloAttrIsReverse);
  int64_t nCarries = carries ? carries->values[0] : 0;
  MlirRegion region;
  uint32_t computation;
  if (!dimensions || dimensions->n != 1)
    return xlaHloOpInvalid(op, "must have one dimension");
  if (nCarries < 0 || nCarries > op->nOperands || nCarries > op->nResults)
    return xlaHloOpInvalid(op,
                           "has %lld carries, more than operands or results",
                           (long long)nCarries);
  if (!xlaHloComputationOf(op, XlaHloAttrToApply, &computation) ||
      !xlaHloRegion(op, computation, 0, NULL, &region))
    return false;
  XlaIrAttr attrs[] = {
      {"dimension", xlaIrI64Attr(op->ir.context, dimensions->values[0])},
      {"is_reverse",
       mlirBoolAttrGet(op->ir.context, reverse && reverse->values[0])},
      {"operandSegmentSizes", segments(op, op->nOperands, nCarries)},
      {"resultSegmentSizes", segments(op, op->nResults, nCarries)}};
  return xlaHloImport(op, "chlo.scan", 4, attrs, 1, &region);
}
