//===- shardings_of.c - How a program says where arrays lie ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/shardings_of.h"

#include "xlac/passes/import/tokens.h"

#include <string.h>

static MlirAttribute attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

/// What is between `before` and the last `after` of an attribute of Shardy; its
/// data is NULL if it is none.
static MlirStringRef textOf(MlirAttribute attr, const char *before,
                            char after) {
  MlirStringRef none = {NULL, 0};
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAOpaque(attr))
    return none;
  MlirStringRef text = mlirOpaqueAttrGetData(attr);
  size_t length = strlen(before);
  if (text.length <= length || memcmp(text.data, before, length) != 0 ||
      text.data[text.length - 1] != after)
    return none;
  return mlirStringRefCreate(text.data + length, text.length - length - 1);
}

static int rankOf(MlirType type) {
  XlaShape shape;
  return xlaShapeFromMlir(type, &shape, NULL) ? shape.rank : -1;
}

/// Keeps what was read, which was `result`.
static bool keep(XlaExpansion *x, MlirOperation op, XlaShardingResult result,
                 XlaSharding *read, const XlaSharding **sharding) {
  *sharding = NULL;
  switch (result) {
  case XlaShardingOk:
    *sharding = xlaExpandKeep(x, read);
    return *sharding != NULL;
  case XlaShardingOther:
    return true;
  case XlaShardingInvalid:
    return xlaExpandUnsupported(x, op,
                                "has a sharding that does not fit its array "
                                "and the devices, or is of partial sums");
  case XlaShardingNoMemory:
    break;
  }
  return xlaExpandNoMemory(x, op);
}

static bool readXla(XlaExpansion *x, MlirOperation op, MlirAttribute text,
                    MlirType type, const XlaSharding **sharding) {
  XlaSharding *read = NULL;
  int rank = rankOf(type);
  if (rank < 0 || mlirAttributeIsNull(text) || !mlirAttributeIsAString(text))
    return true;
  XlaShardingResult result = xlaShardingReadXla(mlirStringAttrGetValue(text),
                                                x->partitions, rank, &read);
  return keep(x, op, result, read, sharding);
}

/// Every axis counts if `manual` has no data.
static bool readSdy(XlaExpansion *x, MlirOperation op, MlirStringRef text,
                    MlirStringRef manual, MlirType type,
                    const XlaSharding **sharding) {
  XlaSharding *read = NULL;
  int rank = rankOf(type);
  if (rank < 0)
    return true;
  XlaShardingResult result =
      xlaShardingReadSdy(text, x->module, manual, x->partitions, rank, &read);
  return keep(x, op, result, read, sharding);
}

bool xlaShardingOfAttributes(XlaExpansion *x, MlirOperation op,
                             MlirAttribute dictionary, MlirType type,
                             const XlaSharding **sharding) {
  *sharding = NULL;
  if (mlirAttributeIsNull(dictionary) ||
      !mlirAttributeIsADictionary(dictionary))
    return true;
  MlirStringRef text =
      textOf(mlirDictionaryAttrGetElementByName(
                 dictionary, mlirStringRefCreateFromCString("sdy.sharding")),
             "sharding<", '>');
  if (text.data)
    return readSdy(x, op, text, mlirStringRefCreate(NULL, 0), type, sharding);
  return readXla(
      x, op,
      mlirDictionaryAttrGetElementByName(
          dictionary, mlirStringRefCreateFromCString("mhlo.sharding")),
      type, sharding);
}

bool xlaShardingOfConstraint(XlaExpansion *x, MlirOperation op,
                             const XlaSharding **sharding) {
  *sharding = NULL;
  MlirStringRef text = textOf(attribute(op, "sharding"), "sharding<", '>');
  if (!text.data || mlirOperationGetNumOperands(op) != 1)
    return xlaExpandInvalid(x, op, "has no sharding of an operand");
  return readSdy(x, op, text, mlirStringRefCreate(NULL, 0),
                 mlirValueGetType(mlirOperationGetOperand(op, 0)), sharding);
}

bool xlaShardingOfCall(XlaExpansion *x, MlirOperation op,
                       const XlaSharding **sharding) {
  *sharding = NULL;
  return mlirOperationGetNumOperands(op) != 1 ||
         readXla(x, op, attribute(op, "mhlo.sharding"),
                 mlirValueGetType(mlirOperationGetOperand(op, 0)), sharding);
}

/// Number `i` of `<..>, <..>`.
static MlirStringRef elementOf(MlirStringRef list, intptr_t i) {
  const char *begin = NULL, *end = list.data + list.length;
  int depth = 0;
  bool isName = false;
  for (const char *at = list.data; at < end; ++at) {
    isName ^= *at == '"';
    if (isName)
      continue;
    if (*at == '<' && depth++ == 0)
      begin = at + 1;
    if (*at == '>' && --depth == 0 && i-- == 0)
      return mlirStringRefCreate(begin, (size_t)(at - begin));
  }
  return mlirStringRefCreate(NULL, 0);
}

static const XlaSharding *keepReplicated(XlaExpansion *x, MlirOperation op) {
  XlaSharding *made = xlaShardingCreate(x->partitions, 0);
  if (made)
    return xlaExpandKeep(x, made);
  xlaExpandNoMemory(x, op);
  return NULL;
}

const XlaSharding *xlaShardingOfManual(XlaExpansion *x, MlirOperation op,
                                       const char *which, intptr_t i) {
  const XlaSharding *sharding = NULL;
  MlirStringRef list =
      textOf(attribute(op, which), "sharding_per_value<[", '>');
  MlirStringRef axes =
      textOf(attribute(op, "manual_axes"), "manual_axes{", '}');
  bool isResult = strcmp(which, "in_shardings") != 0;
  MlirType type = mlirValueGetType(isResult ? mlirOperationGetResult(op, i)
                                            : mlirOperationGetOperand(op, i));
  MlirStringRef text = {NULL, 0};
  if (xlaImportIsToken(type)) // every device has its own
    return keepReplicated(x, op);
  if (list.data && axes.data)
    text = elementOf(list, i);
  if (!text.data)
    xlaExpandInvalid(x, op, "lacks a sharding, or its manual axes");
  else if (readSdy(x, op, text, axes, type, &sharding) && !sharding)
    xlaExpandUnsupported(x, op,
                         "has an operand or result that is no array, or "
                         "lies on one device");
  return sharding;
}

//===----------------------------------------------------------------------===//
// Results lie as operands do
//===----------------------------------------------------------------------===//

/// Which dimension of which operand a dimension of a result is; -1: of none.
typedef struct Origins {
  int rank;
  int operands[XLA_MAX_RANK], dimensions[XLA_MAX_RANK];
} Origins;

static const XlaSharding *shardingOf(XlaExpansion *x, MlirOperation op,
                                     intptr_t operand) {
  intptr_t number =
      xlaPointerMapGet(&x->numbers, mlirOperationGetOperand(op, operand).ptr);
  return number ? x->values[number - 1].sharding : NULL;
}

/// By those, but for those of operands from `n` on.
static XlaSharding *follow(XlaExpansion *x, MlirOperation op,
                           const Origins *origins, int n) {
  XlaSharding *made = xlaShardingCreate(x->partitions, origins->rank);
  for (int d = 0; made && d < origins->rank; ++d) {
    int operand = origins->operands[d], from = origins->dimensions[d];
    const XlaSharding *s =
        operand < 0 || operand >= n ? NULL : shardingOf(x, op, operand);
    if (!s || from >= s->rank)
      continue;
    made->tiles[d] = s->tiles[from];
    for (int i = 0; i < x->partitions; ++i)
      made->coordinates[i * made->rank + d] =
          s->coordinates[i * s->rank + from];
  }
  if (made && xlaShardingNumberCopies(made))
    return made;
  xlaShardingDestroy(made);
  return NULL;
}

/// A list of integers; false if there is none, or a number that is no dimension
/// of `rank`.
static bool readList(MlirAttribute attr, int rank, XlaI64List *list) {
  list->size = 0;
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsADenseI64Array(attr) ||
      mlirDenseArrayGetNumElements(attr) > XLA_MAX_RANK)
    return false;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(attr); ++i) {
    list->values[i] = mlirDenseI64ArrayGetElement(attr, i);
    if (list->values[i] < 0 || list->values[i] >= rank)
      return false;
    ++list->size;
  }
  return true;
}

static bool contains(const XlaI64List *list, int value) {
  for (int i = 0; i < list->size; ++i)
    if (list->values[i] == value)
      return true;
  return false;
}

/// The numbers behind `key = [` in the text of #stablehlo.dot.
static void readDimensions(MlirStringRef text, const char *key,
                           XlaI64List *list) {
  size_t length = strlen(key);
  list->size = 0;
  const char *end = text.data + text.length;
  for (const char *at = text.data; at + length < end; ++at) {
    if (memcmp(at, key, length) != 0)
      continue;
    int64_t value = -1;
    for (at += length; at < end && *at != ']'; ++at)
      if (*at >= '0' && *at <= '9' && value < XLA_MAX_RANK)
        value = (value < 0 ? 0 : 10 * value) + (*at - '0');
      else if (*at == ',' && value >= 0 && list->size < XLA_MAX_RANK)
        list->values[list->size++] = value, value = -1;
    if (value >= 0 && list->size < XLA_MAX_RANK)
      list->values[list->size++] = value;
    return;
  }
}

static void addOrigin(Origins *origins, int *next, int operand, int dimension) {
  if (*next >= origins->rank)
    return;
  origins->operands[*next] = operand;
  origins->dimensions[(*next)++] = dimension;
}

/// Batches, then what is left of the left and of the right.
static void traceDot(MlirOperation op, Origins *origins) {
  MlirAttribute numbers = attribute(op, "dot_dimension_numbers");
  if (mlirAttributeIsNull(numbers) || !mlirAttributeIsAOpaque(numbers))
    return;
  MlirStringRef text = mlirOpaqueAttrGetData(numbers);
  XlaI64List batch[2], summed[2];
  readDimensions(text, "lhs_batching_dimensions = [", &batch[0]);
  readDimensions(text, "rhs_batching_dimensions = [", &batch[1]);
  readDimensions(text, "lhs_contracting_dimensions = [", &summed[0]);
  readDimensions(text, "rhs_contracting_dimensions = [", &summed[1]);
  int next = 0;
  for (int i = 0; i < batch[0].size; ++i)
    addOrigin(origins, &next, 0, (int)batch[0].values[i]);
  for (int side = 0; side < 2; ++side) {
    int rank = rankOf(mlirValueGetType(mlirOperationGetOperand(op, side)));
    for (int d = 0; d < rank; ++d)
      if (!contains(&batch[side], d) && !contains(&summed[side], d))
        addOrigin(origins, &next, side, d);
  }
}

/// Dimensions that only gain or lose some of size 1 keep their order.
static void traceReshape(const XlaShape *from, const XlaShape *to,
                         Origins *origins) {
  int f = 0;
  for (int t = 0; t < to->rank; ++t) {
    if (to->dims[t] == 1)
      continue;
    while (f < from->rank && from->dims[f] == 1)
      ++f;
    if (f == from->rank || from->dims[f] != to->dims[t])
      break;
    origins->operands[t] = 0;
    origins->dimensions[t] = f++;
  }
}

static void traceAlike(MlirOperation op, const XlaShape *to, XlaExpansion *x,
                       Origins *origins) {
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
    XlaShape from;
    const XlaSharding *s = shardingOf(x, op, k);
    if (!s || xlaShardingIsReplicated(s) ||
        !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, k)),
                          &from, NULL) ||
        !xlaShapeDimsEqual(&from, to))
      continue;
    for (int d = 0; d < to->rank; ++d) {
      origins->operands[d] = (int)k;
      origins->dimensions[d] = d;
    }
    return;
  }
}

static void trace(XlaExpansion *x, MlirOperation op, const XlaShape *from,
                  const XlaShape *to, Origins *origins) {
  XlaI64List list;
  int next = 0;
  if (xlaIrIsOp(op, "stablehlo.transpose")) {
    if (readList(attribute(op, "permutation"), from->rank, &list))
      for (int d = 0; d < list.size; ++d)
        addOrigin(origins, &next, 0, (int)list.values[d]);
  } else if (xlaIrIsOp(op, "stablehlo.broadcast_in_dim")) {
    if (readList(attribute(op, "broadcast_dimensions"), to->rank, &list))
      for (int d = 0; d < list.size && d < from->rank; ++d)
        if (from->dims[d] == to->dims[list.values[d]]) {
          origins->operands[list.values[d]] = 0;
          origins->dimensions[list.values[d]] = (int)d;
        }
  } else if (xlaIrIsOp(op, "stablehlo.reduce")) {
    if (readList(attribute(op, "dimensions"), from->rank, &list))
      for (int d = 0; d < from->rank; ++d)
        if (!contains(&list, d))
          addOrigin(origins, &next, 0, d);
  } else if (xlaIrIsOp(op, "stablehlo.dot_general")) {
    if (mlirOperationGetNumOperands(op) == 2)
      traceDot(op, origins);
  } else if (xlaIrIsOp(op, "stablehlo.reshape")) {
    traceReshape(from, to, origins);
  } else {
    traceAlike(op, to, x, origins);
  }
}

const XlaSharding *xlaShardingOfResult(XlaExpansion *x, MlirOperation op,
                                       intptr_t i) {
  XlaShape from, to;
  Origins origins;
  bool isSaid = false;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
    isSaid |= shardingOf(x, op, k) != NULL;
  if (!isSaid ||
      !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, i)), &to,
                        NULL) ||
      !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, 0)), &from,
                        NULL))
    return NULL;
  origins.rank = to.rank;
  for (int d = 0; d < to.rank; ++d)
    origins.operands[d] = origins.dimensions[d] = -1;
  trace(x, op, &from, &to, &origins);
  XlaSharding *made =
      follow(x, op, &origins, (int)mlirOperationGetNumOperands(op));
  if (!made) // the same devices cannot cut two dimensions
    made = follow(x, op, &origins, 1);
  XlaShape part;
  if (made && !xlaShardingIsReplicated(made) &&
      xlaShardingDivide(made, &to, &part))
    return xlaExpandKeep(x, made);
  xlaShardingDestroy(made);
  return NULL;
}
