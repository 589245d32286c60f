//===- dynamic.c - Sizes in StableHLO -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO has operations that take as operands what others have as attributes
// or types. They become those others where the operands follow from constants.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/array_encoding.h"
#include "xlac/passes/dynamic/sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool equals(MlirStringRef a, const char *b) {
  return a.length == strlen(b) && !memcmp(a.data, b, a.length);
}

static XlaImportResult unsupported(MlirOperation op, intptr_t operand) {
  xlaOpError(op, NULL,
             "is not supported yet where operand %lld does not follow from "
             "constants",
             (long long)operand);
  return XlaImportResultUnsupported;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Reads `[1, ?]` or, with `close` in place of `]`, `1, ?` up to it.
static bool readBounds(const char *at, const char *end, char close, int rank,
                       XlaShape *shape) {
  int n = 0;
  for (; at < end && *at != close; ++n) {
    char *after;
    at += strspn(at, " ,");
    if (n >= rank)
      return false;
    if (*at == '?') {
      ++at;
    } else {
      shape->dims[n] = strtoll(at, &after, 10);
      if (after == at || shape->dims[n] < 0)
        return false;
      xlaShapeSetDynamic(shape, n, true);
      at = after;
    }
    at += strspn(at, " ");
  }
  return at < end && n == rank;
}

MlirType xlaImportBoundedType(MlirType type) {
  MlirAttribute encoding = mlirTypeIsARankedTensor(type)
                               ? mlirRankedTensorTypeGetEncoding(type)
                               : mlirAttributeGetNull();
  if (mlirAttributeIsNull(encoding) || !mlirAttributeIsAOpaque(encoding) ||
      !equals(mlirOpaqueAttrGetDialectNamespace(encoding), "stablehlo") ||
      mlirShapedTypeGetRank(type) > XLA_MAX_RANK)
    return type;
  MlirStringRef data = mlirOpaqueAttrGetData(encoding);
  char text[1024];
  if (data.length >= sizeof text)
    return type;
  memcpy(text, data.data, data.length);
  text[data.length] = 0;
  int64_t dims[XLA_MAX_RANK];
  XlaShape bounds = {.rank = (int)mlirShapedTypeGetRank(type)};
  // Older versions say type_extensions.
  const char *older = "type_extensions<bounds = [", *newer = "bounds<";
  bool isOlder = !strncmp(text, older, strlen(older));
  if (!isOlder && strncmp(text, newer, strlen(newer)))
    return type;
  if (!readBounds(text + strlen(isOlder ? older : newer), text + data.length,
                  isOlder ? ']' : '>', bounds.rank, &bounds))
    return type;
  for (int i = 0; i < bounds.rank; ++i) {
    dims[i] = mlirShapedTypeGetDimSize(type, i);
    if (xlaShapeIsDynamic(&bounds, i) && !mlirShapedTypeIsDynamicSize(dims[i]))
      return type; // the encoding does not fit
  }
  return mlirRankedTensorTypeGet(
      bounds.rank, dims, mlirShapedTypeGetElementType(type),
      xlaArrayEncodingGet(&bounds, NULL, mlirTypeGetContext(type)));
}

static MlirType resultType(MlirOperation op) {
  return mlirValueGetType(mlirOperationGetResult(op, 0));
}

//===----------------------------------------------------------------------===//
// Operands as attributes
//===----------------------------------------------------------------------===//

/// Operands `first` and on, as attributes of these names; or the number of the
/// one that does not follow from constants in `*missing`.
static bool addLists(MlirOperation op, intptr_t first, intptr_t n,
                     const char *const *names, XlaImportedAttrs *attrs,
                     intptr_t *missing) {
  for (intptr_t i = 0; i < n; ++i) {
    XlaI64List list;
    *missing = first + i;
    if (!xlaConstantGetMatrix(mlirOperationGetOperand(op, first + i), &list))
      return false;
    attrs->items[attrs->count++] =
        (XlaIrAttr){names[i], mlirDenseI64ArrayGet(mlirOperationGetContext(op),
                                                   list.size, list.values)};
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Result types
//===----------------------------------------------------------------------===//

/// Gives dimensions of the result that have neither size nor bound the sizes in
/// operand `index`.
static XlaImportResult setSizes(MlirOperation op, intptr_t index) {
  MlirType type = resultType(op);
  XlaI64List sizes;
  if (!xlaTypeIsUnbounded(type))
    return XlaImportResultOk;
  if (!xlaConstantGetIntegers(mlirOperationGetOperand(op, index), &sizes))
    return unsupported(op, index);
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (rank != sizes.size || rank > XLA_MAX_RANK) {
    xlaOpError(op, NULL, "has %d sizes for a result of rank %lld", sizes.size,
               (long long)rank);
    return XlaImportResultInvalid;
  }
  for (int i = 0; i < sizes.size; ++i) {
    int64_t dim = mlirShapedTypeGetDimSize(type, i);
    if (sizes.values[i] < 0 ||
        (!mlirShapedTypeIsDynamicSize(dim) && dim != sizes.values[i])) {
      xlaOpError(op, NULL, "has %lld as size %d of a result %s",
                 (long long)sizes.values[i], i, XLA_TYPE_TEXT(type));
      return XlaImportResultInvalid;
    }
  }
  mlirValueSetType(mlirOperationGetResult(op, 0),
                   mlirRankedTensorTypeGet(rank, sizes.values,
                                           mlirShapedTypeGetElementType(type),
                                           mlirAttributeGetNull()));
  return XlaImportResultOk;
}

static XlaImportResult inferResults(MlirOperation op, XlaOpKind kind,
                                    intptr_t nOperands,
                                    const XlaImportedAttrs *attrs,
                                    MlirType *types, MlirRegion *regions) {
  MlirContext context = mlirOperationGetContext(op);
  intptr_t nResults = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < nOperands; ++i)
    types[i] = mlirValueGetType(mlirOperationGetOperand(op, i));
  // Hooks that want a stated type read its elements.
  for (intptr_t i = 0; i < nResults; ++i) {
    MlirType stated = mlirValueGetType(mlirOperationGetResult(op, i));
    types[nOperands + i] =
        mlirTypeIsARankedTensor(stated)
            ? mlirRankedTensorTypeGet(0, NULL,
                                      mlirShapedTypeGetElementType(stated),
                                      mlirAttributeGetNull())
            : stated;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
    regions[i] = mlirOperationGetRegion(op, i);
  XlaOpView view = {
      .kind = kind,
      .context = context,
      .location = mlirOperationGetLocation(op),
      .nOperands = nOperands,
      .operands = types,
      .attributes = xlaIrDictionaryAttr(context, attrs->count, attrs->items),
      .nRegions = mlirOperationGetNumRegions(op),
      .regions = regions,
      .nStatedResults = nResults,
      .statedResults = types + nOperands};
  bool inferred = mlirLogicalResultIsSuccess(xlaOpInfer(&view));
  if (inferred && view.nResults == nResults)
    for (intptr_t i = 0; i < nResults; ++i) {
      MlirValue result = mlirOperationGetResult(op, i);
      if (xlaTypeIsDynamic(view.results[i]) ||
          xlaTypeRefines(view.results[i], mlirValueGetType(result)))
        mlirValueSetType(result, view.results[i]);
    }
  free(view.results);
  return inferred ? XlaImportResultOk : XlaImportResultInvalid;
}

/// Whether results follow from operands and regions but for their elements.
static bool inferable(XlaOpKind kind) {
  static const XlaFamily others[] = {
      XlaFamilyBitcast,    XlaFamilyConstant, XlaFamilyRandom, XlaFamilyCall,
      XlaFamilyCollective, XlaFamilyTransfer, XlaFamilyFusion};
  if (kind == XlaOpKindReshape || kind == XlaOpKindBroadcastInDim)
    return false;
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    if (xlaOpGetInfo(kind)->family == others[i])
      return false;
  return true;
}

XlaImportResult xlaImportInferResults(MlirOperation op, XlaOpKind kind,
                                      intptr_t nOperands,
                                      const XlaImportedAttrs *attrs) {
  bool needed = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    needed |=
        xlaTypeIsUnbounded(mlirValueGetType(mlirOperationGetResult(op, i)));
  for (intptr_t i = 0; needed && i < nOperands; ++i)
    needed =
        !xlaTypeIsUnbounded(mlirValueGetType(mlirOperationGetOperand(op, i)));
  if (!needed || !inferable(kind))
    return XlaImportResultOk;
  size_t n = (size_t)(nOperands + mlirOperationGetNumResults(op));
  MlirType *types = malloc((n + 1) * sizeof *types);
  MlirRegion *regions =
      malloc(((size_t)mlirOperationGetNumRegions(op) + 1) * sizeof *regions);
  XlaImportResult result = XlaImportResultInvalid;
  if (types && regions)
    result = inferResults(op, kind, nOperands, attrs, types, regions);
  else
    xlaOpNoMemory(op);
  free(types);
  free(regions);
  return result;
}

MlirType xlaImportFunctionType(MlirOperation function, MlirType type) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  intptr_t n = mlirFunctionTypeGetNumResults(type);
  intptr_t nInputs = mlirFunctionTypeGetNumInputs(type);
  if (mlirBlockIsNull(block) ||
      !mlirBlockIsNull(mlirBlockGetNextInRegion(block)))
    return type;
  MlirOperation end = mlirBlockGetTerminator(block);
  if (mlirOperationIsNull(end) || mlirOperationGetNumOperands(end) != n)
    return type;
  MlirType *types = malloc(((size_t)(n + nInputs) + 1) * sizeof *types);
  for (intptr_t i = 0; types && i < nInputs; ++i)
    types[i] = mlirFunctionTypeGetInput(type, i);
  for (intptr_t i = 0; types && i < n; ++i) {
    types[nInputs + i] = mlirFunctionTypeGetResult(type, i);
    if (xlaTypeIsUnbounded(types[nInputs + i]))
      types[nInputs + i] = mlirValueGetType(mlirOperationGetOperand(end, i));
  }
  if (types)
    type = mlirFunctionTypeGet(mlirTypeGetContext(type), nInputs, types, n,
                               types + nInputs);
  free(types);
  return type;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Element `index` of vector `sizes` as tensor<i32>.
static MlirValue sizeAt(XlaIr *ir, MlirValue sizes, int64_t index) {
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(sizes));
  int64_t one = 1, end = index + 1;
  XlaIrAttr slice[] = {
      {"start_indices", mlirDenseI64ArrayGet(ir->context, 1, &index)},
      {"limit_indices", mlirDenseI64ArrayGet(ir->context, 1, &end)}};
  MlirAttribute none = mlirAttributeGetNull();
  MlirValue size =
      xlaIrOp(ir, "xla.slice", mlirRankedTensorTypeGet(1, &one, element, none),
              1, &sizes, 2, slice);
  size = xlaIrCast(ir, "xla.reshape", size,
                   mlirRankedTensorTypeGet(0, NULL, element, none));
  return xlaIrCast(
      ir, "xla.convert", size,
      mlirRankedTensorTypeGet(
          0, NULL, xlaElementTypeToMlir(XlaElementTypeS32, ir->context), none));
}

/// An iota of the bounds, cut to the sizes.
static XlaImportResult importBoundedIota(MlirOperation op,
                                         const XlaImportedAttrs *attrs) {
  XlaIr ir = xlaIrBefore(op);
  MlirValue sizes = mlirOperationGetOperand(op, 0);
  XlaShape wanted, shape;
  xlaShapeFromMlirBounded(resultType(op), &wanted, NULL);
  MlirType type = mlirValueGetType(sizes);
  if (!mlirTypeIsARankedTensor(type) || mlirShapedTypeGetRank(type) != 1) {
    xlaOpError(op, NULL, "takes %s as sizes, not a vector",
               XLA_TYPE_TEXT(type));
    return XlaImportResultInvalid;
  }
  shape = wanted;
  shape.dynamic = 0;
  MlirValue value = xlaIrOp(&ir, "xla.iota", xlaShapeToMlir(&shape, ir.context),
                            0, NULL, attrs->count, attrs->items);
  for (int d = 0; d < wanted.rank; ++d) {
    if (!xlaShapeIsDynamic(&wanted, d))
      continue;
    xlaShapeSetDynamic(&shape, d, true);
    MlirValue operands[] = {value, sizeAt(&ir, sizes, d)};
    value = xlaIrOp(&ir, "xla.set_dimension_size",
                    xlaShapeToMlirBounded(&shape, ir.context), 2, operands, 1,
                    &(XlaIrAttr){"dimension", xlaIrI64Attr(ir.context, d)});
  }
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), value);
  mlirOperationDestroy(op);
  return XlaImportResultOk;
}

/// A slice whose start is known only when the program runs, of a known size.
static XlaImportResult importComputedSlice(MlirOperation op) {
  XlaI64List strides;
  XlaShape result;
  xlaShapeFromMlir(resultType(op), &result, NULL);
  bool plain =
      xlaConstantGetIntegers(mlirOperationGetOperand(op, 3), &strides) &&
      result.rank == strides.size;
  for (int i = 0; plain && i < strides.size; ++i)
    plain = strides.values[i] == 1;
  if (!plain)
    return xlaImportComputedSlice(op);
  XlaIrAttr sizes = {"slice_sizes",
                     mlirDenseI64ArrayGet(mlirOperationGetContext(op),
                                          result.rank, result.dims)};
  return xlaImportReplace(op, "xla.dynamic_slice", 2, 0, NULL, 1, &sizes);
}

static bool holds(const XlaImportedAttrs *attrs, const char *name,
                  int64_t number) {
  for (intptr_t i = 0; i < attrs->count; ++i) {
    MlirAttribute list = attrs->items[i].value;
    if (strcmp(attrs->items[i].name, name) != 0 ||
        !mlirAttributeIsADenseI64Array(list))
      continue;
    for (intptr_t k = 0; k < mlirDenseArrayGetNumElements(list); ++k)
      if (mlirDenseI64ArrayGetElement(list, k) == number)
        return true;
  }
  return false;
}

/// The sizes of a gather's slices, which its result has, but for those of size
/// 1 that it leaves out. The verifier sees whether they fit.
static void addSliceSizes(MlirOperation op, XlaImportedAttrs *attrs) {
  XlaShape result;
  MlirType operand = mlirValueGetType(mlirOperationGetOperand(op, 0));
  int64_t sizes[XLA_MAX_RANK];
  int rank = 0, offset = 0;
  xlaShapeFromMlir(resultType(op), &result, NULL);
  if (mlirTypeIsARankedTensor(operand) &&
      mlirShapedTypeGetRank(operand) <= XLA_MAX_RANK)
    rank = (int)mlirShapedTypeGetRank(operand);
  for (int d = 0; d < rank; ++d) {
    sizes[d] = 1;
    if (holds(attrs, "collapsed_slice_dims", d) ||
        holds(attrs, "operand_batching_dims", d))
      continue;
    while (offset < result.rank && !holds(attrs, "offset_dims", offset))
      ++offset;
    if (offset < result.rank)
      sizes[d] = result.dims[offset++];
  }
  attrs->items[attrs->count++] = (XlaIrAttr){
      "slice_sizes",
      mlirDenseI64ArrayGet(mlirOperationGetContext(op), rank, sizes)};
}

/// A size that StableHLO knows makes a static type: a slice.
static XlaImportResult importSetSize(MlirOperation op,
                                     const XlaImportedAttrs *attrs) {
  XlaShape operand, result;
  int64_t dimension = -1;
  XlaI64List size;
  int64_t starts[XLA_MAX_RANK] = {0};
  bool isStatic = xlaShapeFromMlir(resultType(op), &result, NULL);
  if (!isStatic) {
    XlaImportResult inferred =
        xlaImportInferResults(op, XlaOpKindSetDimensionSize, 2, attrs);
    if (inferred != XlaImportResultOk)
      return inferred;
    return xlaImportReplace(op, "xla.set_dimension_size", 2, 0, NULL,
                            attrs->count, attrs->items);
  }
  if (!xlaConstantGetIntegers(mlirOperationGetOperand(op, 1), &size) ||
      size.size != 1)
    return unsupported(op, 1);
  for (intptr_t i = 0; i < attrs->count; ++i)
    if (!strcmp(attrs->items[i].name, "dimension") &&
        mlirAttributeIsAInteger(attrs->items[i].value))
      dimension = mlirIntegerAttrGetValueInt(attrs->items[i].value);
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  if (!xlaShapeFromMlir(type, &operand, NULL) || operand.rank != result.rank) {
    xlaOpError(op, NULL, "is not supported yet of %s to %s",
               XLA_TYPE_TEXT(type), XLA_TYPE_TEXT(resultType(op)));
    return XlaImportResultUnsupported;
  }
  for (int d = 0; d < result.rank; ++d)
    if (result.dims[d] != (d == dimension ? size.values[0] : operand.dims[d])) {
      xlaOpError(op, NULL,
                 "is stated as %s of %s, with %lld as the size of "
                 "dimension %lld",
                 XLA_SHAPE_TEXT(&result), XLA_SHAPE_TEXT(&operand),
                 (long long)size.values[0], (long long)dimension);
      return XlaImportResultInvalid;
    }
  MlirContext context = mlirOperationGetContext(op);
  XlaIrAttr slice[] = {
      {"start_indices", mlirDenseI64ArrayGet(context, result.rank, starts)},
      {"limit_indices",
       mlirDenseI64ArrayGet(context, result.rank, result.dims)}};
  return xlaImportReplace(op, "xla.slice", 1, 0, NULL, 2, slice);
}

/// An operation of `name` is one of `kind` with the first `kept` operands; the
/// `lists` others are attributes.
typedef struct Form {
  const char *name;
  XlaOpKind kind;
  intptr_t kept, lists;
  const char *names[3];
} Form;

static const Form forms[] = {
    {"dynamic_reshape", XlaOpKindReshape, 1, 1, {NULL}},
    {"dynamic_broadcast_in_dim", XlaOpKindBroadcastInDim, 1, 1, {NULL}},
    {"dynamic_iota", XlaOpKindIota, 0, 1, {NULL}},
    {"dynamic_pad",
     XlaOpKindPad,
     2,
     3,
     {"edge_padding_low", "edge_padding_high", "interior_padding"}},
    {"real_dynamic_slice",
     XlaOpKindSlice,
     1,
     3,
     {"start_indices", "limit_indices", "strides"}},
    {"dynamic_gather", XlaOpKindGather, 2, 1, {"slice_sizes"}},
    {"dynamic_conv", XlaOpKindConvolution, 2, 1, {"padding"}},
    {"set_dimension_size", XlaOpKindSetDimensionSize, 2, 0, {NULL}},
};

static XlaImportResult importForm(MlirOperation op, const Form *form) {
  XlaImportedAttrs attrs;
  intptr_t missing = 0;
  char name[64];
  const XlaOpInfo *target = xlaOpGetInfo(form->kind);
  XlaImportResult result = xlaImportAttributes(op, target, &attrs);
  if (result != XlaImportResultOk)
    return result;
  if (form->kind == XlaOpKindSetDimensionSize)
    return importSetSize(op, &attrs);
  if (form->names[0]) {
    intptr_t before = attrs.count;
    if (!addLists(op, form->kept, form->lists, form->names, &attrs, &missing)) {
      XlaShape shape;
      bool isStatic = xlaShapeFromMlir(resultType(op), &shape, NULL);
      if (isStatic && form->kind == XlaOpKindSlice)
        return importComputedSlice(op);
      if (isStatic && form->kind == XlaOpKindPad)
        return xlaImportComputedPad(op);
      if (!isStatic || form->kind != XlaOpKindGather)
        return unsupported(op, missing);
      attrs.count = before;
      addSliceSizes(op, &attrs);
    }
  } else {
    result = setSizes(op, form->kept);
    if (result != XlaImportResultOk)
      return result;
    if (form->kind == XlaOpKindIota && xlaTypeIsDynamic(resultType(op)))
      return importBoundedIota(op, &attrs);
  }
  snprintf(name, sizeof name, "xla.%s", target->name);
  result = xlaImportInferResults(op, form->kind, form->kept, &attrs);
  if (result != XlaImportResultOk)
    return result;
  return xlaImportReplace(op, name, form->kept, 0, NULL, attrs.count,
                          attrs.items);
}

XlaImportResult xlaImportSized(MlirOperation op) {
  static const char prefix[] = "stablehlo.";
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  name.data += sizeof prefix - 1;
  name.length -= sizeof prefix - 1;
  const Form *form = forms;
  while (!equals(name, form->name))
    ++form;
  intptr_t n = form->kept + form->lists;
  if (mlirOperationGetNumOperands(op) == n &&
      mlirOperationGetNumResults(op) == 1)
    return importForm(op, form);
  xlaOpError(op, NULL, "has %lld operands and %lld results, not %lld and 1",
             (long long)mlirOperationGetNumOperands(op),
             (long long)mlirOperationGetNumResults(op), (long long)n);
  return XlaImportResultInvalid;
}
