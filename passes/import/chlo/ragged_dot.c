//===- ragged_dot.c - Products of groups of rows --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// chlo.ragged_dot is a dot_general one of whose lhs dimensions, the ragged one,
// is made of groups, one after the other, of the sizes in its third operand:
//
//  - a free dimension of lhs: every group has a rhs of its own, along the group
//    dimension of rhs; what is in no group gives zeros;
//  - a contracting one: every group gives a result, along a new dimension 0;
//  - a batch one: groups change nothing.
//
// All pairs are multiplied, and masks leave what belongs together, so that NaN
// and infinities of other groups stay there.
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/import/stablehlo.h"
#include "xlac/passes/import/stablehlo/text.h"

#include <string.h>

/// The keys of the structure, in its order (passes/import/stablehlo/text.c).
enum { lhsBatch, rhsBatch, lhsContracting, rhsContracting, ragged, group };

typedef struct RaggedDot {
  MlirOperation op;
  XlaIr ir;
  XlaI64List lists[6];
  MlirValue operands[3];
  XlaShape shapes[3];
  /// Dimensions of lhs along which group sizes differ, outermost first.
  XlaI64List prefix;
} RaggedDot;

static bool holds(const XlaI64List *list, int64_t number) {
  for (int i = 0; i < list->size; ++i)
    if (list->values[i] == number)
      return true;
  return false;
}

static int positionOf(const XlaI64List *list, int64_t number) {
  int i = 0;
  while (i < list->size && list->values[i] != number)
    ++i;
  return i;
}

static void append(XlaI64List *list, int64_t number) {
  list->values[list->size++] = number;
}

/// The dimensions of an array of `rank` that are in neither list.
static XlaI64List others(int rank, const XlaI64List *a, const XlaI64List *b) {
  XlaI64List list = {.size = 0};
  for (int d = 0; d < rank; ++d)
    if (!holds(a, d) && !holds(b, d))
      append(&list, d);
  return list;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Whether all are dimensions of an array of `rank`, and none is there twice.
static bool areDimensions(int rank, const XlaI64List *a, const XlaI64List *b) {
  uint64_t seen = 0;
  for (int i = 0; i < a->size + b->size; ++i) {
    int64_t d = i < a->size ? a->values[i] : b->values[i - a->size];
    if (d < 0 || d >= rank || (seen >> d & 1))
      return false;
    seen |= UINT64_C(1) << d;
  }
  return true;
}

static XlaImportResult readNumbers(RaggedDot *dot, MlirAttribute numbers) {
  XlaStructValues values;
  bool read = false;
  MlirStringRef text = {"nothing", 7};
  if (!mlirAttributeIsNull(numbers) && mlirAttributeIsAOpaque(numbers)) {
    text = mlirOpaqueAttrGetData(numbers);
    XlaImportText rest = {text.data, text.data + text.length};
    MlirStringRef name = xlaTextReadWord(&rest);
    const XlaStructForm *form = xlaStructFind(name);
    read = form && !strcmp(form->name, "ragged_dot") &&
           xlaTextReadStruct(&rest, form, &values);
  }
  for (int i = 0; read && i < 6; ++i) {
    dot->lists[i].size = 0;
    if (values.given[i])
      dot->lists[i] = values.lists[i];
  }
  if (read)
    return XlaImportResultOk;
  xlaOpError(dot->op, NULL,
             "attribute 'ragged_dot_dimension_numbers' cannot be read: %.*s",
             (int)(text.length < 200 ? text.length : 200), text.data);
  return XlaImportResultInvalid;
}

static XlaImportResult checkNumbers(RaggedDot *dot) {
  const XlaI64List *lists = dot->lists;
  const XlaShape *lhs = &dot->shapes[0], *rhs = &dot->shapes[1];
  bool fits =
      areDimensions(lhs->rank, &lists[lhsBatch], &lists[lhsContracting]) &&
      areDimensions(rhs->rank, &lists[rhsBatch], &lists[rhsContracting]) &&
      lists[lhsBatch].size == lists[rhsBatch].size &&
      lists[lhsContracting].size == lists[rhsContracting].size &&
      lists[ragged].size == 1 && lists[ragged].values[0] >= 0 &&
      lists[ragged].values[0] < lhs->rank;
  if (fits) {
    bool isFree = !holds(&lists[lhsBatch], lists[ragged].values[0]) &&
                  !holds(&lists[lhsContracting], lists[ragged].values[0]);
    fits =
        lists[group].size == isFree &&
        (!isFree ||
         (lists[group].values[0] >= 0 && lists[group].values[0] < rhs->rank &&
          !holds(&lists[rhsBatch], lists[group].values[0]) &&
          !holds(&lists[rhsContracting], lists[group].values[0])));
  }
  if (fits)
    return XlaImportResultOk;
  xlaOpError(dot->op, NULL,
             "has ragged_dot_dimension_numbers that do not fit %s and %s",
             XLA_SHAPE_TEXT(lhs), XLA_SHAPE_TEXT(rhs));
  return XlaImportResultInvalid;
}

/// The sizes' shape is that of the prefix, and a dimension of groups; the
/// latter alone is for all.
static XlaImportResult checkSizes(RaggedDot *dot) {
  const XlaShape *sizes = &dot->shapes[2];
  bool fits = xlaElementTypeIsInteger(sizes->elementType) &&
              (sizes->rank == 1 || sizes->rank == dot->prefix.size + 1);
  for (int i = 0; fits && i + 1 < sizes->rank; ++i)
    fits = sizes->dims[i] == dot->shapes[0].dims[dot->prefix.values[i]];
  if (fits && dot->lists[group].size) {
    int64_t groups = dot->shapes[1].dims[dot->lists[group].values[0]];
    fits = sizes->dims[sizes->rank - 1] == groups;
  }
  if (fits)
    return XlaImportResultOk;
  xlaOpError(dot->op, NULL,
             "takes %s as sizes of groups, with lhs %s and rhs %s",
             XLA_SHAPE_TEXT(sizes), XLA_SHAPE_TEXT(&dot->shapes[0]),
             XLA_SHAPE_TEXT(&dot->shapes[1]));
  return XlaImportResultInvalid;
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Where the groups end, in the shape of the sizes; s64.
static MlirValue groupEnds(RaggedDot *dot) {
  XlaIr *ir = &dot->ir;
  MlirValue sizes = xlaArrayConvert(ir, dot->operands[2], XlaElementTypeS64);
  XlaShape square = xlaArrayShape(sizes);
  int64_t places[XLA_MAX_RANK];
  int last = square.rank - 1;
  for (int d = 0; d < last; ++d)
    places[d] = d;
  places[last] = square.rank;
  square.dims[square.rank] = square.dims[last];
  ++square.rank;
  MlirValue all =
      xlaArrayBroadcast(ir, sizes, square.rank, square.dims, places);
  MlirValue before = xlaArrayCompare(
      ir, "LE",
      xlaArrayIota(ir, XlaElementTypeS64, square.rank, square.dims, last + 1),
      xlaArrayIota(ir, XlaElementTypeS64, square.rank, square.dims, last));
  all = xlaArraySelect(ir, before, all, xlaArrayInteger(ir, all, 0));
  return xlaArraySum(ir, all, 1u << (last + 1));
}

/// Where elements of an array of `shape` are in their group: the ragged
/// dimension and that of groups are there, and those of the prefix.
static MlirValue groupMask(RaggedDot *dot, const XlaShape *shape,
                           int64_t raggedAt, int64_t groupAt,
                           const int64_t *prefixAt) {
  XlaIr *ir = &dot->ir;
  MlirValue ends = groupEnds(dot);
  MlirValue starts =
      xlaIrBinary(ir, "xla.subtract", ends,
                  xlaArrayConvert(ir, dot->operands[2], XlaElementTypeS64));
  int64_t places[XLA_MAX_RANK];
  int rank = dot->shapes[2].rank;
  for (int i = 0; i + 1 < rank; ++i)
    places[i] = prefixAt[i];
  places[rank - 1] = groupAt;
  // broadcast_in_dim leaves out an array of the same shape, whose dimensions
  // must be in order then.
  MlirValue at =
      xlaArrayIota(ir, XlaElementTypeS64, shape->rank, shape->dims, raggedAt);
  XlaIrAttr attr = {"broadcast_dimensions",
                    mlirDenseI64ArrayGet(ir->context, rank, places)};
  MlirType type = mlirValueGetType(at);
  starts = xlaIrOp(ir, "xla.broadcast_in_dim", type, 1, &starts, 1, &attr);
  ends = xlaIrOp(ir, "xla.broadcast_in_dim", type, 1, &ends, 1, &attr);
  return xlaIrBinary(ir, "xla.and", xlaArrayCompare(ir, "GE", at, starts),
                     xlaArrayCompare(ir, "LT", at, ends));
}

static MlirValue maskOut(XlaIr *ir, MlirValue mask, MlirValue x) {
  MlirValue zero = xlaArrayNumber(ir, xlaArrayShape(x).elementType, 0);
  return xlaArraySelect(ir, mask, x, xlaArraySplat(ir, zero, x));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static MlirValue multiply(RaggedDot *dot, const MlirValue operands[2],
                          const XlaI64List lists[4], XlaShape *result) {
  static const char *const names[] = {
      "lhs_batching_dimensions", "rhs_batching_dimensions",
      "lhs_contracting_dimensions", "rhs_contracting_dimensions"};
  XlaIrAttr attrs[4];
  result->rank = 0;
  result->elementType = xlaElementTypeFromMlir(mlirShapedTypeGetElementType(
      mlirValueGetType(mlirOperationGetResult(dot->op, 0))));
  XlaShape shapes[2] = {xlaArrayShape(operands[0]), xlaArrayShape(operands[1])};
  for (int i = 0; i < lists[0].size; ++i)
    result->dims[result->rank++] = shapes[0].dims[lists[0].values[i]];
  for (int o = 0; o < 2; ++o) {
    XlaI64List rest = others(shapes[o].rank, &lists[o], &lists[2 + o]);
    for (int i = 0; i < rest.size && result->rank < XLA_MAX_RANK; ++i)
      result->dims[result->rank++] = shapes[o].dims[rest.values[i]];
  }
  for (int i = 0; i < 4; ++i)
    attrs[i] = (XlaIrAttr){
        names[i],
        mlirDenseI64ArrayGet(dot->ir.context, lists[i].size, lists[i].values)};
  return xlaIrOp(&dot->ir, "xla.dot_general",
                 xlaShapeToMlir(result, dot->ir.context), 2, operands, 4,
                 attrs);
}

/// A product with every group's rhs, of which a row keeps its group's.
static MlirValue multiplyFree(RaggedDot *dot) {
  const XlaI64List *lists = dot->lists;
  XlaShape shape;
  MlirValue product = multiply(dot, dot->operands, lists, &shape);
  XlaI64List lhsFree =
      others(dot->shapes[0].rank, &lists[lhsBatch], &lists[lhsContracting]);
  XlaI64List rhsFree =
      others(dot->shapes[1].rank, &lists[rhsBatch], &lists[rhsContracting]);
  int nBatch = lists[lhsBatch].size;
  int64_t prefixAt[XLA_MAX_LIST];
  for (int i = 0; i < dot->prefix.size; ++i) // the first of the product's
    prefixAt[i] = i;
  int groupAt =
      nBatch + lhsFree.size + positionOf(&rhsFree, lists[group].values[0]);
  MlirValue mask = groupMask(
      dot, &shape, nBatch + positionOf(&lhsFree, lists[ragged].values[0]),
      groupAt, prefixAt);
  return xlaArraySum(&dot->ir, maskOut(&dot->ir, mask, product), 1u << groupAt);
}

/// Operand `o` with a new dimension 0 of groups, without what is outside of
/// them.
static MlirValue splitGroups(RaggedDot *dot, int o) {
  const XlaI64List *lists = dot->lists;
  XlaShape shape = dot->shapes[o];
  int64_t places[XLA_MAX_RANK], prefixAt[XLA_MAX_LIST];
  int64_t raggedAt = lists[ragged].values[0];
  for (int d = shape.rank; d-- > 0;) {
    shape.dims[d + 1] = shape.dims[d];
    places[d] = d + 1;
  }
  shape.dims[0] = dot->shapes[2].dims[dot->shapes[2].rank - 1];
  ++shape.rank;
  for (int i = 0; i < dot->prefix.size; ++i) {
    int64_t d = dot->prefix.values[i];
    if (o)
      d = holds(&lists[lhsBatch], d)
              ? lists[rhsBatch].values[positionOf(&lists[lhsBatch], d)]
              : lists[rhsContracting]
                    .values[positionOf(&lists[lhsContracting], d)];
    prefixAt[i] = d + 1;
  }
  if (o)
    raggedAt = lists[rhsContracting]
                   .values[positionOf(&lists[lhsContracting], raggedAt)];
  MlirValue x = xlaArrayBroadcast(&dot->ir, dot->operands[o], shape.rank,
                                  shape.dims, places);
  return maskOut(&dot->ir, groupMask(dot, &shape, raggedAt + 1, 0, prefixAt),
                 x);
}

/// A product a group: the groups are a batch dimension.
static MlirValue multiplyContracted(RaggedDot *dot) {
  XlaI64List lists[4];
  MlirValue operands[2] = {splitGroups(dot, 0), splitGroups(dot, 1)};
  for (int i = 0; i < 4; ++i) {
    lists[i].size = 0;
    if (i < 2)
      append(&lists[i], 0);
    for (int k = 0; k < dot->lists[i].size; ++k)
      append(&lists[i], dot->lists[i].values[k] + 1);
  }
  XlaShape shape;
  return multiply(dot, operands, lists, &shape);
}

XlaImportResult xlaImportRaggedDot(MlirOperation op) {
  static const char *const names[] = {"ragged_dot_dimension_numbers"};
  RaggedDot dot = {.op = op, .ir = xlaIrBefore(op)};
  MlirAttribute numbers;
  XlaImportResult result = xlaImportReadAttributes(op, 1, names, &numbers);
  if (result == XlaImportResultOk)
    result = xlaImportCheckOperands(op, 3);
  if (result == XlaImportResultOk)
    result = readNumbers(&dot, numbers);
  if (result != XlaImportResultOk)
    return result;
  for (int i = 0; i < 3; ++i) {
    dot.operands[i] = mlirOperationGetOperand(op, i);
    dot.shapes[i] = xlaArrayShape(dot.operands[i]);
    if (dot.shapes[i].rank >= XLA_MAX_RANK - 1) {
      xlaOpError(op, NULL, "is not supported yet for %d dimensions",
                 dot.shapes[i].rank);
      return XlaImportResultUnsupported;
    }
  }
  result = checkNumbers(&dot);
  if (result != XlaImportResultOk)
    return result;
  const XlaI64List *lists = dot.lists;
  int64_t raggedDim = lists[ragged].values[0];
  bool isBatch = holds(&lists[lhsBatch], raggedDim);
  bool isFree = !isBatch && !holds(&lists[lhsContracting], raggedDim);
  XlaI64List free =
      others(dot.shapes[0].rank, &lists[lhsBatch], &lists[lhsContracting]);
  const XlaI64List *outer = isBatch  ? &lists[lhsBatch]
                            : isFree ? &free
                                     : &lists[lhsContracting];
  if (!isBatch)
    dot.prefix = lists[lhsBatch];
  for (int i = 0; i < positionOf(outer, raggedDim); ++i)
    append(&dot.prefix, outer->values[i]);
  result = checkSizes(&dot);
  if (result != XlaImportResultOk)
    return result;
  XlaShape shape;
  return xlaImportPut(op, isFree ? multiplyFree(&dot)
                          : isBatch
                              ? multiply(&dot, dot.operands, lists, &shape)
                              : multiplyContracted(&dot));
}
