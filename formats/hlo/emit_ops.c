//===- emit_ops.c - Operations of xla from HLO ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/emit.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/import/stablehlo.h"
#include "xlac/passes/import/stablehlo/algorithm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool equals(MlirStringRef a, const char *b) {
  return mlirStringRefEqual(a, mlirStringRefCreateFromCString(b));
}

/// Takes what the import of StableHLO says of an operation.
static bool passOn(XlaHloOp *op, XlaImportResult result) {
  if (result == XlaImportResultOk)
    return true;
  op->scope->emitter->result = result; // and it has said why
  return false;
}

//===----------------------------------------------------------------------===//
// Operations with attributes and regions by their names
//===----------------------------------------------------------------------===//

/// The number behind `key=` in a text; "0" if there is none.
static void findNumber(MlirStringRef text, const char *key, char number[32]) {
  const char *at = memmem(text.data, text.length, key, strlen(key));
  size_t n = 0;
  if (at)
    for (at += strlen(key);
         at < text.data + text.length && n < 31 && *at != ',' && *at != '}';)
      number[n++] = *at++;
  number[n] = 0;
  if (!n)
    strcpy(number, "0");
}

/// `{tolerance={atol=0,rtol=0,ulps=4}}`; modes ask for no more than there is.
static bool checkAccuracy(XlaHloOp *op, MlirOperation made, XlaOpKind kind) {
  const XlaHloAttr *attr = xlaHloFindAttr(op->in, XlaHloAttrResultAccuracy);
  if (mlirOperationIsNull(made) || !attr ||
      !memmem(attr->text.data, attr->text.length, "tolerance", 9))
    return true;
  char absolute[32], relative[32], ulps[32], text[256];
  findNumber(attr->text, "atol=", absolute);
  findNumber(attr->text, "rtol=", relative);
  findNumber(attr->text, "ulps=", ulps);
  snprintf(text, sizeof text,
           "result_accuracy<atol = %s, rtol = %s, ulps = %s, mode = "
           "#stablehlo.result_accuracy_mode<TOLERANCE>>",
           absolute, relative, ulps);
  return passOn(op,
                xlaImportCheckAccuracy(made, xlaOpGetInfo(kind),
                                       mlirStringRefCreateFromCString(text)));
}

/// The regions of an operation that has some, in its order.
static bool makeRegions(XlaHloOp *op, XlaOpKind kind, MlirRegion regions[2],
                        intptr_t *n) {
  static const XlaHloAttrName both[] = {XlaHloAttrSelect, XlaHloAttrScatter};
  static const XlaHloAttrName one[] = {XlaHloAttrToApply};
  bool two = kind == XlaOpKindSelectAndScatter;
  intptr_t wanted = two ? 2 : xlaOpGetInfo(kind)->regions ? 1 : 0;
  for (*n = 0; *n < wanted; ++*n) {
    uint32_t number;
    if (!xlaHloComputationOf(op, (two ? both : one)[*n], &number) ||
        !xlaHloRegion(op, number, 0, NULL, &regions[*n])) {
      while (*n > 0)
        mlirRegionDestroy(regions[--*n]);
      return false;
    }
  }
  return true;
}

static bool emitWith(XlaHloOp *op, XlaOpKind kind, XlaHloAttrs *attrs) {
  MlirRegion regions[2];
  intptr_t nRegions;
  if (!makeRegions(op, kind, regions, &nRegions))
    return false;
  MlirOperation made = xlaHloCreate(op, kind, op->nOperands, op->operands,
                                    attrs, nRegions, regions);
  return checkAccuracy(op, made, kind) && xlaHloPutResults(op, made);
}

bool xlaHloEmitPlain(XlaHloOp *op) {
  XlaHloAttrs attrs;
  XlaOpKind kind = xlaHloOpcodeKind(op->in->opcode);
  return xlaHloAttributes(op, kind, 0, NULL, &attrs) &&
         emitWith(op, kind, &attrs);
}

/// Without dimensions it is of all of them.
bool xlaHloEmitMap(XlaHloOp *op) {
  XlaHloAttrs attrs;
  int64_t all[XLA_MAX_RANK];
  if (!xlaHloAttributes(op, XlaOpKindMap, 0, NULL, &attrs))
    return false;
  int rank = op->in->nOperands ? xlaHloOperand(op, 0)->shape->rank : 0;
  for (int i = 0; i < rank; ++i)
    all[i] = i;
  if (!xlaHloFindAttr(op->in, XlaHloAttrDimensions))
    xlaHloAddAttr(&attrs, "dimensions",
                  mlirDenseI64ArrayGet(op->ir.context, rank, all));
  return emitWith(op, XlaOpKindMap, &attrs);
}

/// What is not said is false.
bool xlaHloEmitTriangularSolve(XlaHloOp *op) {
  static const struct {
    XlaHloAttrName name;
    const char *xla;
  } flags[] = {{XlaHloAttrLeftSide, "left_side"},
               {XlaHloAttrLower, "lower"},
               {XlaHloAttrUnitDiagonal, "unit_diagonal"}};
  XlaHloAttrs attrs;
  if (!xlaHloAttributes(op, XlaOpKindTriangularSolve, 0, NULL, &attrs))
    return false;
  for (int i = 0; i < 3; ++i)
    if (!xlaHloFindAttr(op->in, flags[i].name))
      xlaHloAddAttr(&attrs, flags[i].xla, mlirBoolAttrGet(op->ir.context, 0));
  if (!xlaHloFindAttr(op->in, XlaHloAttrTransposeA))
    xlaHloAddAttr(&attrs, "transpose_a",
                  xlaIrStringAttr(op->ir.context, "NO_TRANSPOSE"));
  return emitWith(op, XlaOpKindTriangularSolve, &attrs);
}

//===----------------------------------------------------------------------===//
// Constants and parameters
//===----------------------------------------------------------------------===//

static bool putLiteral(XlaHloOp *op, const XlaLiteral *literal) {
  if (xlaLiteralGetKind(literal) == XlaLiteralKindTuple) {
    for (intptr_t i = 0; i < xlaLiteralGetTupleSize(literal); ++i)
      if (!putLiteral(op, xlaLiteralGetTupleElement(literal, i)))
        return false;
    return true;
  }
  MlirAttribute value = xlaLiteralToAttribute(literal, op->ir.context);
  if (mlirAttributeIsNull(value))
    return xlaHloOpNoMemory(op);
  MlirValue constant =
      xlaIrOp(&op->ir, "xla.constant", mlirAttributeGetType(value), 0, NULL, 1,
              &(XlaIrAttr){"value", value});
  return xlaHloPut(op, 1, &constant);
}

bool xlaHloEmitConstant(XlaHloOp *op) {
  return op->in->literal ? putLiteral(op, op->in->literal)
                         : xlaHloOpInvalid(op, "has no value");
}

bool xlaHloEmitParameter(XlaHloOp *op) {
  XlaHloScope *scope = op->scope;
  return xlaHloPut(op, op->shape->nLeaves,
                   scope->arguments +
                       scope->parameterFirsts[op->in->parameter]);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// Sizes are operands, but a static shape says them too.
bool xlaHloEmitDynamicReshape(XlaHloOp *op) {
  if (op->shape->kind != XlaHloShapeKindArray || op->shape->dynamic ||
      op->nOperands < 1)
    return xlaHloOpRefuse(op, "is not supported yet: a shape that only a run "
                              "knows");
  MlirOperation made =
      xlaHloCreate(op, XlaOpKindReshape, 1, op->operands, NULL, 0, NULL);
  return xlaHloPutResults(op, made);
}

bool xlaHloEmitRng(XlaHloOp *op) {
  const XlaHloAttr *attr = xlaHloFindAttr(op->in, XlaHloAttrDistribution);
  bool isNormal = attr && equals(attr->text, "rng_normal");
  if (!isNormal && !(attr && equals(attr->text, "rng_uniform")))
    return xlaHloOpInvalid(op, "must have the distribution rng_uniform or "
                               "rng_normal");
  MlirOperation made =
      xlaHloCreate(op, isNormal ? XlaOpKindRngNormal : XlaOpKindRngUniform,
                   op->nOperands, op->operands, NULL, 0, NULL);
  return xlaHloPutResults(op, made);
}

//===----------------------------------------------------------------------===//
// Sums of products
//===----------------------------------------------------------------------===//

/// What `dot_bf16_bf16_f32_x3` sums in: the last word but a count.
static bool checkAlgorithm(XlaHloOp *op, MlirOperation made) {
  const XlaHloAttr *attr = xlaHloFindAttr(op->in, XlaHloAttrAlgorithm);
  if (!attr || equals(attr->text, "unset") || equals(attr->text, "alg_unset"))
    return true;
  static const char *const types[] = {"f64", "f32", "bf16", "f16"};
  char text[96];
  MlirStringRef name = attr->text;
  for (int i = 0; i < 2; ++i)
    if (name.length > 3 && name.data[name.length - 3] == '_' &&
        name.data[name.length - 2] == 'x')
      name.length -= 3;
  if (name.length > 11 &&
      !memcmp(name.data + name.length - 11, "_fast_accum", 11))
    name.length -= 11;
  for (int i = 0; i < 4; ++i) {
    size_t length = strlen(types[i]);
    if (name.length <= length ||
        memcmp(name.data + name.length - length, types[i], length) != 0)
      continue;
    // bf16 ends in f16, tf32 in f32, which it is summed in.
    snprintf(text, sizeof text, "dot_algorithm<accumulation_type = %s>",
             types[i]);
    return passOn(op, xlaImportCheckAlgorithm(
                          made, mlirStringRefCreateFromCString(text)));
  }
  return xlaHloOpInvalid(op, "has an unknown algorithm '%.*s'",
                         (int)name.length, name.data);
}

bool xlaHloEmitDot(XlaHloOp *op) {
  static const XlaHloAttrName own[] = {XlaHloAttrAlgorithm, XlaHloAttrSparsity};
  XlaHloAttrs attrs;
  if (op->in->nOperands != 2 || xlaHloFindAttr(op->in, XlaHloAttrSparsity))
    return xlaHloOpRefuse(op, "is not supported yet: sparse operands");
  if (!xlaHloAttributes(op, XlaOpKindDotGeneral, 2, own, &attrs))
    return false;
  MlirOperation made = xlaHloCreate(op, XlaOpKindDotGeneral, op->nOperands,
                                    op->operands, &attrs, 0, NULL);
  const XlaHloAttr *attr = xlaHloFindAttr(op->in, XlaHloAttrAlgorithm);
  if (mlirOperationIsNull(made))
    return xlaHloPutResults(op, made);
  if (attr && xlaDotAlgorithmIs(attr->text))
    mlirOperationSetAttributeByName(
        made, mlirStringRefCreateFromCString("algorithm"),
        mlirStringAttrGet(op->ir.context, attr->text));
  return checkAlgorithm(op, made) && xlaHloPutResults(op, made);
}

/// The sizes of the window are those of the kernel, too.
static bool checkKernel(XlaHloOp *op, const XlaHloAttr *window,
                        const XlaHloAttr *labels) {
  uint32_t n = (labels->n - XlaHloLabelCount) / 3;
  const XlaHloShape *kernel = xlaHloOperand(op, 1)->shape;
  if ((window ? window->n : 0) != n * XlaHloWindowFieldCount)
    return xlaHloOpInvalid(op, "must have a window of %u dimensions", n);
  if (!window)
    return true; // a product of matrices
  if (kernel->kind != XlaHloShapeKindArray)
    return xlaHloOpInvalid(op, "must have an array as its kernel");
  for (uint32_t i = 0; i < n; ++i) {
    int64_t d = labels->values[XlaHloLabelCount + n + i];
    int64_t size =
        window->values[i * XlaHloWindowFieldCount + XlaHloWindowSize];
    if (d >= kernel->rank || kernel->dims[d] != size)
      return xlaHloOpInvalid(op,
                             "has a window of %lld in dimension %u, which is "
                             "not its kernel's size",
                             (long long)size, i);
  }
  return true;
}

bool xlaHloEmitConvolution(XlaHloOp *op) {
  XlaHloAttrs attrs;
  const XlaHloAttr *window = xlaHloFindAttr(op->in, XlaHloAttrWindow);
  const XlaHloAttr *labels = xlaHloFindAttr(op->in, XlaHloAttrDimLabels);
  if (!labels)
    return xlaHloOpInvalid(op, "has no dim_labels");
  return checkKernel(op, window, labels) &&
         xlaHloAttributes(op, XlaOpKindConvolution, 0, NULL, &attrs) &&
         emitWith(op, XlaOpKindConvolution, &attrs);
}

//===----------------------------------------------------------------------===//
// Between replicas, and with the host
//===----------------------------------------------------------------------===//

/// The context of a transfer is one value.
bool xlaHloEmitTransfer(XlaHloOp *op) {
  XlaHloAttrs attrs;
  XlaOpKind kind = xlaHloOpcodeKind(op->in->opcode);
  const XlaHloAttr *host = xlaHloFindAttr(op->in, XlaHloAttrIsHostTransfer);
  MlirType type = xlaHloType(op->ir.context, op->shape, false);
  bool isHost = host && host->values[0];
  if (!xlaHloAttributes(op, kind, 0, NULL, &attrs))
    return false;
  if (mlirTypeIsNull(type))
    return xlaHloOpNoMemory(op);
  int64_t channel = !isHost ? 1 : kind == XlaOpKindSend ? 2 : 3;
  xlaHloAddAttr(&attrs, "channel_type", xlaIrI64Attr(op->ir.context, channel));
  MlirValue context =
      xlaIrOp(&op->ir, kind == XlaOpKindSend ? "xla.send" : "xla.recv", type,
              op->nOperands, op->operands, attrs.n, attrs.items);
  bool put = true;
  for (uint32_t i = 0; put && i < op->shape->nLeaves; ++i)
    put = xlaHloPut(op, 1, &context);
  return put;
}

bool xlaHloEmitTransferDone(XlaHloOp *op) {
  XlaOpKind kind = xlaHloOpcodeKind(op->in->opcode);
  const XlaHloShape *shape = op->shape;
  if (kind == XlaOpKindRecvDone &&
      (shape->kind != XlaHloShapeKindTuple || !shape->nElements ||
       shape->elements[0]->kind != XlaHloShapeKindArray))
    return xlaHloOpRefuse(op, "is not supported yet: it receives a tuple");
  MlirOperation made = xlaHloCreate(op, kind, 1, op->operands, NULL, 0, NULL);
  return xlaHloPutResults(op, made);
}

//===----------------------------------------------------------------------===//
// Operations that the import of StableHLO has
//===----------------------------------------------------------------------===//

bool xlaHloEmitForeign(XlaHloOp *op) {
  if (op->nOperands != 2 || op->nResults != 1)
    return xlaHloOpInvalid(op, "takes two arrays");
  return xlaHloImport(op, "chlo.mulhi", 0, NULL, 0, NULL);
}

/// `[1, 2]` behind a key of the structure.
static void printList(char *text, size_t size, const XlaHloInstruction *in,
                      XlaHloAttrName name, const char *key) {
  const XlaHloAttr *attr = xlaHloFindAttr(in, name);
  size_t used = strlen(text);
  used += (size_t)snprintf(text + used, size - used, "%s%s = [",
                           used && text[used - 1] != '<' ? ", " : "", key);
  for (uint32_t i = 0; attr && i < attr->n && used < size - 32; ++i)
    used += (size_t)snprintf(text + used, size - used, "%s%lld", i ? ", " : "",
                             (long long)attr->values[i]);
  snprintf(text + used, size - used, "]");
}

bool xlaHloEmitRaggedDot(XlaHloOp *op) {
  static const struct {
    XlaHloAttrName name;
    const char *key;
  } lists[] = {{XlaHloAttrLhsBatchDims, "lhs_batching_dimensions"},
               {XlaHloAttrRhsBatchDims, "rhs_batching_dimensions"},
               {XlaHloAttrLhsContractingDims, "lhs_contracting_dimensions"},
               {XlaHloAttrRhsContractingDims, "rhs_contracting_dimensions"},
               {XlaHloAttrLhsRaggedDims, "lhs_ragged_dimensions"},
               {XlaHloAttrRhsGroupDims, "rhs_group_dimensions"}};
  char text[2048] = "#chlo.ragged_dot<";
  for (int i = 0; i < 6; ++i) {
    const XlaHloAttr *attr = xlaHloFindAttr(op->in, lists[i].name);
    if (attr && attr->n > 8)
      return xlaHloOpRefuse(op,
                            "is not supported yet: more than 8 dimensions "
                            "in %s",
                            lists[i].key);
    printList(text, sizeof text - 2, op->in, lists[i].name, lists[i].key);
  }
  strcat(text, ">");
  XlaIrAttr numbers = {"ragged_dot_dimension_numbers",
                       xlaIrParseAttr(op->ir.context, text)};
  return xlaHloImport(op, "chlo.ragged_dot", 1, &numbers, 0, NULL);
}
