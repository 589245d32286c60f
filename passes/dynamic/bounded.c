//===- bounded.c - Static types beside sizes ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// New operations are built before those whose values are dynamic; the old ones
// go last, when nothing uses them but each other. Wherever values are listed
// (arguments, results, what loops carry), the sizes of all dynamic arrays
// follow after the arrays.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/dynamic/bounded_internal.h"

#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/isolate.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

static MlirLogicalResult boundBlock(XlaBounding *pass, MlirBlock block);

static MlirType sizeType(MlirContext context) {
  XlaShape scalar = {.elementType = XlaElementTypeS32};
  return xlaShapeToMlir(&scalar, context);
}

/// `type` with bounds as sizes.
static MlirType staticType(MlirType type) {
  XlaShape shape;
  if (!xlaShapeFromMlirBounded(type, &shape, NULL) || !shape.dynamic)
    return type;
  return xlaShapeToMlir(&shape, mlirTypeGetContext(type));
}

intptr_t xlaBoundedSizeCount(MlirType type) {
  XlaShape shape;
  return xlaShapeFromMlirBounded(type, &shape, NULL)
             ? __builtin_popcount(shape.dynamic)
             : 0;
}

//===----------------------------------------------------------------------===//
// Lists of values
//===----------------------------------------------------------------------===//

/// Arrays, then sizes.
typedef struct Values {
  intptr_t n;
  MlirValue *items;
  MlirType *types;
} Values;

static void freeValues(Values *values) {
  free(values->items);
  free(values->types);
}

/// Operands of `op` from `from` on, as they are now.
static MlirLogicalResult listOperands(const XlaBounding *pass, MlirOperation op,
                                      intptr_t from, Values *list) {
  intptr_t n = mlirOperationGetNumOperands(op), most = n + 1;
  for (intptr_t i = from; i < n; ++i)
    most += xlaBoundedIsDynamic(pass, mlirOperationGetOperand(op, i))
                ? XLA_MAX_RANK
                : 0;
  *list = (Values){0, malloc((size_t)most * sizeof *list->items),
                   malloc((size_t)most * sizeof *list->types)};
  if (!list->items || !list->types)
    return xlaBoundedNoMemory(op);
  for (intptr_t i = from; i < n; ++i)
    list->items[list->n++] =
        xlaBoundedGet(pass, mlirOperationGetOperand(op, i)).array;
  for (intptr_t i = from; i < n; ++i) {
    XlaBounded value = xlaBoundedGet(pass, mlirOperationGetOperand(op, i));
    for (int d = 0; d < value.shape.rank; ++d)
      if (value.sizes[d].ptr)
        list->items[list->n++] = value.sizes[d];
  }
  for (intptr_t i = 0; i < list->n; ++i)
    list->types[i] = mlirValueGetType(list->items[i]);
  return success();
}

/// The types of the arrays that results of `op` become, then of their sizes.
static MlirLogicalResult listResultTypes(MlirOperation op, Values *list) {
  intptr_t n = mlirOperationGetNumResults(op), most = n + 1;
  for (intptr_t i = 0; i < n; ++i)
    most +=
        xlaBoundedSizeCount(mlirValueGetType(mlirOperationGetResult(op, i)));
  *list = (Values){0, NULL, malloc((size_t)most * sizeof *list->types)};
  if (!list->types)
    return xlaBoundedNoMemory(op);
  for (intptr_t i = 0; i < n; ++i)
    list->types[list->n++] =
        staticType(mlirValueGetType(mlirOperationGetResult(op, i)));
  while (list->n < most - 1)
    list->types[list->n++] = sizeType(mlirOperationGetContext(op));
  return success();
}

/// `array` stands for a value of `type`, whose sizes `next` gives in order.
static XlaBounded bundle(MlirType type, MlirValue array,
                         MlirValue (*next)(void *), void *data) {
  XlaBounded made = {.array = array};
  xlaShapeFromMlirBounded(type, &made.shape, NULL);
  for (int d = 0; d < made.shape.rank; ++d)
    if (xlaShapeIsDynamic(&made.shape, d))
      made.sizes[d] = next(data);
  return made;
}

typedef struct NextResult {
  MlirOperation op;
  intptr_t at;
} NextResult;

static MlirValue nextResult(void *data) {
  NextResult *next = data;
  return mlirOperationGetResult(next->op, next->at++);
}

/// The results of `made`, arrays and then sizes, stand for those of `b`.
static MlirLogicalResult setResults(XlaBoundedOp *b, MlirOperation made) {
  intptr_t n = mlirOperationGetNumResults(b->op);
  NextResult next = {made, n};
  for (intptr_t i = 0; i < n; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(b->op, i));
    XlaBounded result =
        bundle(type, mlirOperationGetResult(made, i), nextResult, &next);
    if (failed(xlaBoundedSetResult(b, i, &result)))
      return failure();
  }
  return success();
}

static MlirValue nextArgument(void *data) {
  MlirBlock *block = data;
  MlirLocation location =
      mlirOperationGetLocation(mlirBlockGetParentOperation(*block));
  return mlirBlockAddArgument(
      *block, sizeType(mlirLocationGetContext(location)), location);
}

/// Arguments get static types, and sizes after them.
static MlirLogicalResult boundArguments(XlaBounding *pass, MlirOperation op,
                                        MlirBlock block) {
  for (intptr_t i = 0, n = mlirBlockGetNumArguments(block); i < n; ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    MlirType type = mlirValueGetType(argument);
    if (!xlaTypeIsDynamic(type))
      continue;
    mlirValueSetType(argument, staticType(type));
    XlaBounded made = bundle(type, argument, nextArgument, &block);
    if (failed(xlaBoundedSet(pass, op, argument, &made)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static void addAttributes(MlirOperation op, MlirOperationState *state) {
  MlirAttribute inherent = mlirExtOperationGetInherentAttributes(op);
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(inherent); ++i) {
    MlirNamedAttribute attr = mlirDictionaryAttrGetElement(inherent, i);
    mlirOperationStateAddAttributes(state, 1, &attr);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(op); ++i) {
    MlirNamedAttribute attr = mlirOperationGetDiscardableAttribute(op, i);
    mlirOperationStateAddAttributes(state, 1, &attr);
  }
}

/// The operation with arrays and sizes in place of operands and results; it
/// takes the regions.
static MlirLogicalResult flattenOp(XlaBoundedOp *b, const Values *operands,
                                   const Values *results) {
  MlirOperationState state = mlirOperationStateGet(
      mlirIdentifierStr(mlirOperationGetName(b->op)), b->ir.location);
  mlirOperationStateAddOperands(&state, operands->n, operands->items);
  mlirOperationStateAddResults(&state, results->n, results->types);
  addAttributes(b->op, &state);
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(b->op); ++i) {
    MlirRegion region = mlirRegionCreate();
    mlirRegionTakeBody(region, mlirOperationGetRegion(b->op, i));
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  MlirOperation made = mlirOperationCreate(&state);
  if (mlirOperationIsNull(made))
    return xlaOpError(b->op, NULL, "could not be rewritten");
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(b->op), b->op,
                                      made);
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(made); ++i) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(made, i));
    if (failed(boundArguments(b->pass, made, block)) ||
        failed(boundBlock(b->pass, block)))
      return failure();
  }
  return setResults(b, made);
}

static MlirLogicalResult boundControlFlow(XlaBoundedOp *b) {
  Values operands, results = {0};
  MlirLogicalResult done = listOperands(b->pass, b->op, 0, &operands);
  if (!failed(done))
    done = listResultTypes(b->op, &results);
  if (!failed(done))
    done = flattenOp(b, &operands, &results);
  freeValues(&operands);
  freeValues(&results);
  return done;
}

/// A terminator, or a barrier, whose results have their operands' sizes.
static MlirLogicalResult boundList(XlaBoundedOp *b) {
  Values operands;
  MlirLogicalResult done = listOperands(b->pass, b->op, 0, &operands);
  if (!failed(done)) {
    bool gives = mlirOperationGetNumResults(b->op) != 0;
    MlirOperation made =
        xlaIrCreate(&b->ir,
                    gives ? "xla.optimization_barrier"
                          : mlirIdentifierStr(mlirOperationGetName(b->op)).data,
                    operands.n, operands.items, gives ? operands.n : 0,
                    operands.types, 0, NULL, 0, NULL);
    done = gives ? setResults(b, made) : success();
  }
  freeValues(&operands);
  return done;
}

//===----------------------------------------------------------------------===//
// Single operations
//===----------------------------------------------------------------------===//

static MlirLogicalResult boundSet(XlaBoundedOp *b) {
  XlaBounded value = xlaBoundedOperand(b, 0);
  MlirValue size = mlirOperationGetOperand(b->op, 1);
  int64_t d = xlaOpGetI64(b->op, "dimension", 0);
  MlirValue zero = xlaBoundedNumber(&b->ir, 0);
  MlirValue most = xlaBoundedSize(&b->ir, &value, d);
  if (failed(xlaBoundedCheck(
          b, XlaBoundedAtMost, size, most, "set_dimension_size_c3",
          "the size is %%d, dimension %lld has %%d elements", (long long)d)) ||
      failed(xlaBoundedCheck(b, XlaBoundedAtMost, zero, size,
                             "set_dimension_size_c3",
                             "the size must be at least %%d, is %%d")))
    return failure();
  xlaShapeSetDynamic(&value.shape, d, true);
  value.sizes[d] = size;
  return xlaBoundedSetResult(b, 0, &value);
}

static MlirLogicalResult boundGet(XlaBoundedOp *b) {
  XlaBounded value = xlaBoundedOperand(b, 0);
  XlaBounded size = {.array = xlaBoundedSize(
                         &b->ir, &value, xlaOpGetI64(b->op, "dimension", 0))};
  return xlaBoundedSetResult(b, 0, &size);
}

static bool noteTypes(XlaBoundedOp *b, const char *name, bool results) {
  intptr_t n = results ? mlirOperationGetNumResults(b->op)
                       : mlirOperationGetNumOperands(b->op);
  MlirAttribute *types = malloc(((size_t)n + 1) * sizeof *types);
  if (!types)
    return false;
  for (intptr_t i = 0; i < n; ++i) {
    XlaShape shape =
        results ? xlaBoundedResultShape(b, i) : xlaBoundedOperand(b, i).shape;
    types[i] = mlirTypeAttrGet(xlaShapeToMlirBounded(&shape, b->ir.context));
  }
  mlirOperationSetAttributeByName(b->op, mlirStringRefCreateFromCString(name),
                                  mlirArrayAttrGet(b->ir.context, n, types));
  free(types);
  return true;
}

/// The call gets arrays and sizes, puts the literals together again, and gives
/// arrays and sizes.
static MlirLogicalResult boundCustomCall(XlaBoundedOp *b) {
  return noteTypes(b, XLA_BOUNDED_OPERANDS, false) &&
                 noteTypes(b, XLA_BOUNDED_RESULTS, true)
             ? boundControlFlow(b)
             : xlaBoundedNoMemory(b->op);
}

MlirLogicalResult xlaBoundedDimensionSize(XlaBoundedOp *b) {
  return b->kind == XlaOpKindSetDimensionSize ? boundSet(b) : boundGet(b);
}

MlirLogicalResult xlaBoundedControlFlow(XlaBoundedOp *b) {
  if (b->kind == XlaOpKindReturn)
    return boundList(b);
  return b->kind == XlaOpKindWhile || b->kind == XlaOpKindCase
             ? boundControlFlow(b)
             : xlaBoundedUnsupported(b->op, "");
}

MlirLogicalResult xlaBoundedCall(XlaBoundedOp *b) {
  return b->kind == XlaOpKindCustomCall ? boundCustomCall(b)
                                        : xlaBoundedUnsupported(b->op, "");
}

MlirLogicalResult xlaBoundedTuple(XlaBoundedOp *b) {
  return b->kind == XlaOpKindOptimizationBarrier
             ? boundList(b)
             : xlaBoundedUnsupported(b->op, "");
}

MlirLogicalResult xlaBoundedNone(XlaBoundedOp *b) {
  // func.return is no operation of a family.
  return b->kind == XlaOpKindInvalid ? boundList(b)
                                     : xlaBoundedUnsupported(b->op, "");
}

static bool bury(XlaIrOps *dead, MlirOperation op) {
  if (dead->n == dead->capacity) {
    intptr_t capacity = dead->capacity ? 2 * dead->capacity : 64;
    MlirOperation *grown = realloc(dead->ops, (size_t)capacity * sizeof *grown);
    if (!grown)
      return false;
    dead->ops = grown;
    dead->capacity = capacity;
  }
  dead->ops[dead->n++] = op;
  return true;
}

MlirLogicalResult
xlaBoundedInstead(const XlaBoundedOp *b, MlirOperation op,
                  MlirLogicalResult (*bound)(XlaBoundedOp *)) {
  XlaBoundedOp instead = {b->pass, op, xlaOpGetKind(op), xlaIrBefore(op)};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(b->op, i),
                                  mlirOperationGetResult(op, i));
  if (failed(bound(&instead)))
    return failure();
  return bury(&b->pass->dead, op) ? success() : xlaBoundedNoMemory(op);
}

static MlirType boundedType(MlirValue value, const void *pass) {
  MlirType type = mlirValueGetType(value);
  XlaBounded known = xlaBoundedGet(pass, value);
  return known.shape.dynamic
             ? xlaShapeToMlirBounded(&known.shape, mlirTypeGetContext(type))
             : type;
}

/// Of one replica they are gone by now (passes/flatten.h). The host runs them,
/// with the types that they have: they become calls.
MlirLogicalResult xlaBoundedCollective(XlaBoundedOp *b) {
  MlirOperation call = xlaIsolateAsCall(b->op, boundedType, b->pass);
  return mlirOperationIsNull(call)
             ? failure()
             : xlaBoundedInstead(b, call, boundCustomCall);
}

static MlirLogicalResult boundKind(XlaBoundedOp *b) {
  static MlirLogicalResult (*const hooks[XlaFamilyCount])(XlaBoundedOp *) = {
      xlaBoundedNone,
#define XLA_FAMILY(Family, sizes, maps, mapsOf, Dynamic, ...)                  \
  xlaBounded##Dynamic,
#include "xlac/dialect/families.def"
  };
  return hooks[xlaOpGetInfo(b->kind)->family](b);
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

static bool takesPart(const XlaBounding *pass, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (xlaBoundedIsDynamic(pass, mlirOperationGetOperand(op, i)))
      return true;
  return xlaHasDynamicResults(op);
}

/// Sizes are s32, and so is what is computed of them.
static bool isCountable(MlirOperation op) {
  for (intptr_t i = 0, n = mlirOperationGetNumOperands(op),
                m = mlirOperationGetNumResults(op);
       i < n + m; ++i) {
    XlaShape shape;
    MlirType type = mlirValueGetType(i < n ? mlirOperationGetOperand(op, i)
                                           : mlirOperationGetResult(op, i - n));
    if (!xlaShapeFromMlirBounded(type, &shape, NULL))
      continue;
    for (int d = 0; d < shape.rank; ++d)
      if (shape.dims[d] > INT32_MAX)
        return false;
  }
  return true;
}

static MlirLogicalResult boundOp(XlaBounding *pass, MlirOperation op) {
  if (takesPart(pass, op)) {
    XlaBoundedOp b = {pass, op, xlaOpGetKind(op), xlaIrBefore(op)};
    if (!isCountable(op))
      return xlaBoundedUnsupported(op, " with more than 2^31 elements");
    if (failed(boundKind(&b)))
      return failure();
    return bury(&pass->dead, op) ? success() : xlaBoundedNoMemory(op);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    if (!mlirBlockIsNull(block) && failed(boundBlock(pass, block)))
      return failure();
  }
  return success();
}

static MlirLogicalResult boundBlock(XlaBounding *pass, MlirBlock block) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (failed(boundOp(pass, op)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// Empty dictionaries for sizes, after the attributes of arrays.
static MlirLogicalResult growAttributes(MlirOperation function,
                                        const char *name, intptr_t n) {
  MlirAttribute old = xlaOpGetAttr(function, name);
  if (mlirAttributeIsNull(old) || !mlirAttributeIsAArray(old))
    return success();
  MlirContext context = mlirOperationGetContext(function);
  intptr_t had = mlirArrayAttrGetNumElements(old);
  MlirAttribute *all = malloc(((size_t)(n > had ? n : had) + 1) * sizeof *all);
  if (!all)
    return xlaBoundedNoMemory(function);
  for (intptr_t i = 0; i < n; ++i)
    all[i] = i < had ? mlirArrayAttrGetElement(old, i)
                     : mlirDictionaryAttrGet(context, 0, NULL);
  mlirOperationSetAttributeByName(function,
                                  mlirStringRefCreateFromCString(name),
                                  mlirArrayAttrGet(context, n, all));
  free(all);
  return success();
}

static MlirLogicalResult setSignature(MlirOperation function, MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(block);
  intptr_t nIn = mlirBlockGetNumArguments(block);
  intptr_t nOut = mlirOperationGetNumOperands(end);
  MlirType *types = malloc(((size_t)(nIn + nOut) + 1) * sizeof *types);
  if (!types)
    return xlaBoundedNoMemory(function);
  for (intptr_t i = 0; i < nIn; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(block, i));
  for (intptr_t i = 0; i < nOut; ++i)
    types[nIn + i] = mlirValueGetType(mlirOperationGetOperand(end, i));
  MlirType type = mlirFunctionTypeGet(mlirOperationGetContext(function), nIn,
                                      types, nOut, types + nIn);
  free(types);
  mlirOperationSetAttributeByName(
      function, mlirStringRefCreateFromCString("function_type"),
      mlirTypeAttrGet(type));
  return failed(growAttributes(function, "arg_attrs", nIn))
             ? failure()
             : growAttributes(function, "res_attrs", nOut);
}

MlirLogicalResult xlaBoundSizes(MlirOperation function) {
  XlaBounding pass = {.last = NULL};
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  MlirLogicalResult result = boundArguments(&pass, function, block);
  if (!failed(result))
    result = boundBlock(&pass, block);
  // After a failure they may still be used.
  for (intptr_t i = failed(result) ? 0 : pass.dead.n; i > 0; --i)
    mlirOperationDestroy(pass.dead.ops[i - 1]);
  if (!failed(result))
    result = setSignature(function, block);
  free(pass.dead.ops);
  xlaPointerMapClear(&pass.values);
  while (pass.last) {
    XlaBounded *previous = pass.last->previous;
    free(pass.last);
    pass.last = previous;
  }
  return result;
}
