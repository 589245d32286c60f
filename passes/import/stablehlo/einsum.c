//===- einsum.c - Einstein's sums -----------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// einsum and unary_einsum, whose `einsum_config` names the dimensions of the
// operands and of the result: "ij,jk->ik". Diagonals, of letters that stand
// twice, are cut out; letters that only one operand has, and not the result,
// are summed; a dot_general and a transpose do the rest.
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/import/stablehlo.h"

#include <ctype.h>
#include <string.h>

/// Labels are letters, and what "..." stands for: ELLIPSIS for the last
/// dimension, one more for each before it.
enum { ELLIPSIS = 128, labelCount = ELLIPSIS + XLA_MAX_RANK };

/// The labels of an array's dimensions, in order.
typedef struct Labels {
  int n;
  int labels[XLA_MAX_RANK];
  bool hasEllipsis;
} Labels;

typedef struct Einsum {
  MlirOperation op;
  XlaIr ir;
  MlirStringRef config;
  int nOperands;
  MlirValue operands[2];
  Labels inputs[2], output;
} Einsum;

static XlaImportResult malformed(const Einsum *einsum) {
  xlaOpError(einsum->op, NULL,
             "has the einsum_config \"%.*s\" for %d operand%s",
             (int)einsum->config.length, einsum->config.data, einsum->nOperands,
             einsum->nOperands == 1 ? "" : "s");
  return XlaImportResultInvalid;
}

static int find(const Labels *labels, int label) {
  for (int i = 0; i < labels->n; ++i)
    if (labels->labels[i] == label)
      return i;
  return -1;
}

static void removeLabel(Labels *labels, int at) {
  memmove(labels->labels + at, labels->labels + at + 1,
          (size_t)(--labels->n - at) * sizeof *labels->labels);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The labels between `at` and `end`; "..." takes what is left of `rank`, or is
/// of `ellipsis` dimensions where that is not negative.
static bool readLabels(const char *at, const char *end, int rank, int ellipsis,
                       Labels *labels) {
  int letters = 0, dots = 0;
  for (const char *c = at; c < end; ++c) {
    letters += isalpha((unsigned char)*c) != 0;
    dots += *c == '.';
    if (!isalpha((unsigned char)*c) && *c != '.')
      return false;
  }
  labels->n = 0;
  labels->hasEllipsis = dots != 0;
  if (dots && (dots != 3 || !memmem(at, (size_t)(end - at), "...", 3)))
    return false;
  int expanded = !dots ? 0 : ellipsis >= 0 ? ellipsis : rank - letters;
  if (expanded < 0 || letters + expanded > XLA_MAX_RANK ||
      (rank >= 0 && letters + expanded != rank))
    return false;
  for (; at < end; ++at)
    if (*at != '.') {
      labels->labels[labels->n++] = (unsigned char)*at;
    } else {
      for (int i = expanded; i-- > 0;)
        labels->labels[labels->n++] = ELLIPSIS + i;
      at += 2;
    }
  return true;
}

/// Without an arrow: "...", then the letters that stand once, in order.
static void inferOutput(Einsum *einsum, int ellipsis) {
  Labels *output = &einsum->output;
  output->n = 0;
  for (int i = ellipsis; i-- > 0;)
    output->labels[output->n++] = ELLIPSIS + i;
  for (int letter = 'A'; letter <= 'z'; ++letter) {
    int count = 0;
    for (int o = 0; o < einsum->nOperands; ++o)
      for (int i = 0; i < einsum->inputs[o].n; ++i)
        count += einsum->inputs[o].labels[i] == letter;
    if (count == 1 && output->n < XLA_MAX_RANK)
      output->labels[output->n++] = letter;
  }
}

static XlaImportResult readConfig(Einsum *einsum) {
  const char *at = einsum->config.data, *end = at + einsum->config.length;
  const char *arrow = memmem(at, (size_t)(end - at), "->", 2);
  const char *inputsEnd = arrow ? arrow : end;
  const char *comma = memchr(at, ',', (size_t)(inputsEnd - at));
  if ((comma != NULL) != (einsum->nOperands == 2))
    return malformed(einsum);
  int ellipsis = 0;
  bool any = false;
  for (int o = 0; o < einsum->nOperands; ++o) {
    const char *from = o ? comma + 1 : at,
               *to = o || !comma ? inputsEnd : comma;
    Labels *labels = &einsum->inputs[o];
    if (!readLabels(from, to, xlaArrayShape(einsum->operands[o]).rank, -1,
                    labels))
      return malformed(einsum);
    int expanded = 0;
    for (int i = 0; i < labels->n; ++i)
      expanded += labels->labels[i] >= ELLIPSIS;
    ellipsis = expanded > ellipsis ? expanded : ellipsis;
    any |= labels->hasEllipsis;
  }
  if (!arrow) {
    inferOutput(einsum, ellipsis);
    return XlaImportResultOk;
  }
  if (!readLabels(arrow + 2, end, -1, ellipsis, &einsum->output) ||
      (ellipsis && !einsum->output.hasEllipsis) ||
      (einsum->output.hasEllipsis && !any))
    return malformed(einsum);
  for (int i = 0; i < einsum->output.n; ++i) {
    bool known = false;
    for (int o = 0; o < einsum->nOperands; ++o)
      known |= find(&einsum->inputs[o], einsum->output.labels[i]) >= 0;
    if (!known)
      return malformed(einsum);
  }
  return XlaImportResultOk;
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

/// Where dimensions `a` and `b` of an array of `shape` have one index.
static MlirValue onDiagonal(XlaIr *ir, const XlaShape *shape, int a, int b) {
  MlirValue places[2] = {
      xlaArrayIota(ir, XlaElementTypeS64, shape->rank, shape->dims, a),
      xlaArrayIota(ir, XlaElementTypeS64, shape->rank, shape->dims, b)};
  return xlaArrayCompare(ir, "EQ", places[0], places[1]);
}

static MlirValue zeroOf(XlaIr *ir, MlirValue like) {
  XlaShape shape = xlaArrayShape(like);
  return xlaArraySplat(ir, xlaArrayNumber(ir, shape.elementType, 0), like);
}

/// Leaves the diagonals of labels that stand twice.
static XlaImportResult takeDiagonals(Einsum *einsum, int o) {
  Labels *labels = &einsum->inputs[o];
  for (int b = XLA_MAX_RANK - 1; b > 0; --b) {
    int a = b < labels->n ? find(labels, labels->labels[b]) : b;
    if (a == b)
      continue;
    XlaShape shape = xlaArrayShape(einsum->operands[o]);
    if (shape.dims[a] != shape.dims[b]) {
      xlaOpError(einsum->op, NULL,
                 "dimensions %d and %d of operand %d, which have one label, "
                 "are %lld and %lld",
                 a, b, o, (long long)shape.dims[a], (long long)shape.dims[b]);
      return XlaImportResultInvalid;
    }
    XlaIr *ir = &einsum->ir;
    MlirValue x = einsum->operands[o];
    x = xlaArraySelect(ir, onDiagonal(ir, &shape, a, b), x, zeroOf(ir, x));
    einsum->operands[o] = xlaArraySum(ir, x, 1u << b);
    removeLabel(labels, b);
  }
  return XlaImportResultOk;
}

/// Takes dimension `at` of size 1 away.
static void squeeze(Einsum *einsum, int o, int at) {
  XlaShape shape = xlaArrayShape(einsum->operands[o]);
  memmove(shape.dims + at, shape.dims + at + 1,
          (size_t)(shape.rank - at - 1) * sizeof *shape.dims);
  einsum->operands[o] = xlaArrayReshape(&einsum->ir, einsum->operands[o],
                                        shape.rank - 1, shape.dims);
  removeLabel(&einsum->inputs[o], at);
}

/// A size of 1 goes with every other; the label is the other operand's then.
static XlaImportResult matchSizes(Einsum *einsum) {
  for (int a = einsum->inputs[0].n; a-- > 0;) {
    int b = find(&einsum->inputs[1], einsum->inputs[0].labels[a]);
    if (b < 0)
      continue;
    int64_t lhs = xlaArrayShape(einsum->operands[0]).dims[a];
    int64_t rhs = xlaArrayShape(einsum->operands[1]).dims[b];
    if (lhs == rhs)
      continue;
    if (lhs != 1 && rhs != 1) {
      xlaOpError(einsum->op, NULL,
                 "dimension %d of lhs is %lld, dimension %d of rhs, which has "
                 "its label, %lld",
                 a, (long long)lhs, b, (long long)rhs);
      return XlaImportResultInvalid;
    }
    squeeze(einsum, lhs != 1, lhs == 1 ? a : b);
  }
  return XlaImportResultOk;
}

/// Sums what only this operand has.
static void sumAlone(Einsum *einsum, int o) {
  Labels *labels = &einsum->inputs[o];
  uint32_t summed = 0;
  for (int i = 0; i < labels->n; ++i)
    if (find(&einsum->output, labels->labels[i]) < 0 &&
        (einsum->nOperands == 1 ||
         find(&einsum->inputs[!o], labels->labels[i]) < 0))
      summed |= 1u << i;
  einsum->operands[o] = xlaArraySum(&einsum->ir, einsum->operands[o], summed);
  for (int i = labels->n; i-- > 0;)
    if (summed >> i & 1)
      removeLabel(labels, i);
}

//===----------------------------------------------------------------------===//
// Both operands
//===----------------------------------------------------------------------===//

/// The product with elements of `type`, and the labels of its dimensions.
static MlirValue multiply(Einsum *einsum, XlaElementType type, Labels *labels) {
  XlaI64List lists[4] = {{0}, {0}, {0}, {0}}; // batch, contracting of each
  XlaShape result = {.elementType = type};
  const Labels *lhs = &einsum->inputs[0], *rhs = &einsum->inputs[1];
  XlaShape shapes[2] = {xlaArrayShape(einsum->operands[0]),
                        xlaArrayShape(einsum->operands[1])};
  labels->n = 0;
  for (int a = 0; a < lhs->n; ++a) {
    int b = find(rhs, lhs->labels[a]);
    if (b < 0)
      continue;
    bool batch = find(&einsum->output, lhs->labels[a]) >= 0;
    XlaI64List *pair = &lists[batch ? 0 : 2];
    pair[0].values[pair[0].size++] = a;
    pair[1].values[pair[1].size++] = b;
    if (batch) {
      result.dims[labels->n] = shapes[0].dims[a];
      labels->labels[labels->n++] = lhs->labels[a];
    }
  }
  for (int o = 0; o < 2; ++o)
    for (int i = 0; i < einsum->inputs[o].n; ++i)
      if (find(&einsum->inputs[!o], einsum->inputs[o].labels[i]) < 0 &&
          labels->n < XLA_MAX_RANK) {
        result.dims[labels->n] = shapes[o].dims[i];
        labels->labels[labels->n++] = einsum->inputs[o].labels[i];
      }
  result.rank = labels->n;
  static const char *const names[] = {
      "lhs_batching_dimensions", "rhs_batching_dimensions",
      "lhs_contracting_dimensions", "rhs_contracting_dimensions"};
  XlaIrAttr attrs[4];
  for (int i = 0; i < 4; ++i)
    attrs[i] = (XlaIrAttr){names[i], mlirDenseI64ArrayGet(einsum->ir.context,
                                                          lists[i].size,
                                                          lists[i].values)};
  return xlaIrOp(&einsum->ir, "xla.dot_general",
                 xlaShapeToMlir(&result, einsum->ir.context), 2,
                 einsum->operands, 4, attrs);
}

/// The dimensions of `x` in the order of the output; labels that stand twice
/// there give a diagonal among zeros.
static MlirValue arrange(Einsum *einsum, MlirValue x, const Labels *labels) {
  const Labels *output = &einsum->output;
  XlaIr *ir = &einsum->ir;
  XlaShape shape = xlaArrayShape(x);
  int64_t permutation[XLA_MAX_RANK], dims[XLA_MAX_RANK], places[XLA_MAX_RANK];
  int n = 0;
  for (int i = 0; i < output->n; ++i) {
    int at = find(labels, output->labels[i]);
    dims[i] = shape.dims[at];
    if (find(output, output->labels[i]) == i) {
      places[n] = i;
      permutation[n++] = at;
    }
  }
  x = xlaArrayTranspose(ir, x, permutation);
  if (n == output->n)
    return x;
  x = xlaArrayBroadcast(ir, x, output->n, dims, places);
  shape = xlaArrayShape(x);
  for (int b = 1; b < output->n; ++b) {
    int a = find(output, output->labels[b]);
    if (a != b)
      x = xlaArraySelect(ir, onDiagonal(ir, &shape, a, b), x, zeroOf(ir, x));
  }
  return x;
}

static XlaImportResult importEinsum(MlirOperation op, int nOperands) {
  static const char *const names[] = {"einsum_config"};
  MlirAttribute config;
  XlaImportResult result = xlaImportReadAttributes(op, 1, names, &config);
  if (result == XlaImportResultOk)
    result = xlaImportCheckOperands(op, nOperands);
  if (result != XlaImportResultOk)
    return result;
  if (mlirAttributeIsNull(config) || !mlirAttributeIsAString(config)) {
    xlaOpError(op, NULL, "has no einsum_config");
    return XlaImportResultInvalid;
  }
  Einsum einsum = {.op = op,
                   .ir = xlaIrBefore(op),
                   .config = mlirStringAttrGetValue(config),
                   .nOperands = nOperands};
  for (int o = 0; o < nOperands; ++o)
    einsum.operands[o] = mlirOperationGetOperand(op, o);
  result = readConfig(&einsum);
  for (int o = 0; o < nOperands && result == XlaImportResultOk; ++o)
    result = takeDiagonals(&einsum, o);
  if (result == XlaImportResultOk && nOperands == 2)
    result = matchSizes(&einsum);
  if (result != XlaImportResultOk)
    return result;
  for (int o = 0; o < nOperands; ++o)
    sumAlone(&einsum, o);
  Labels labels = einsum.inputs[0];
  MlirValue value = einsum.operands[0];
  if (nOperands == 2)
    value = multiply(&einsum,
                     xlaElementTypeFromMlir(mlirShapedTypeGetElementType(
                         mlirValueGetType(mlirOperationGetResult(op, 0)))),
                     &labels);
  return xlaImportPut(op, arrange(&einsum, value, &labels));
}

XlaImportResult xlaImportEinsum(MlirOperation op) {
  return importEinsum(op, 2);
}

XlaImportResult xlaImportUnaryEinsum(MlirOperation op) {
  return importEinsum(op, 1);
}
