//===- custom_call.c - Custom calls with a known meaning ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JAX writes some functions as custom calls. Those with a meaning in the
// dialect become its operations; all others stay calls.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo/custom_call.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/arrays.h"

#include <stdlib.h>
#include <string.h>

static bool equals(MlirStringRef a, const char *b) {
  return mlirStringRefEqual(a, mlirStringRefCreateFromCString(b));
}

static MlirAttribute attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

//===----------------------------------------------------------------------===//
// The call's configuration
//===----------------------------------------------------------------------===//

MlirAttribute xlaCallAttribute(MlirOperation op, const char *name) {
  static const char *const places[] = {"mhlo.backend_config", "backend_config"};
  for (int i = 0; i < 2; ++i) {
    MlirAttribute config = attribute(op, places[i]);
    if (mlirAttributeIsNull(config) || !mlirAttributeIsADictionary(config))
      continue;
    MlirAttribute value = mlirDictionaryAttrGetElementByName(
        config, mlirStringRefCreateFromCString(name));
    if (!mlirAttributeIsNull(value))
      return value;
  }
  return mlirAttributeGetNull();
}

int64_t xlaCallInteger(MlirOperation op, const char *name) {
  MlirAttribute value = xlaCallAttribute(op, name);
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAInteger(value))
    return -1;
  MlirType type = mlirAttributeGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeIsUnsigned(type)
             ? (int64_t)mlirIntegerAttrGetValueUInt(value)
             : mlirIntegerAttrGetValueInt(value);
}

bool xlaCallFlag(MlirOperation op, const char *name, bool value) {
  MlirAttribute found = xlaCallAttribute(op, name);
  return !mlirAttributeIsNull(found) && mlirAttributeIsABool(found) &&
         mlirBoolAttrGetValue(found) == value;
}

XlaImportResult xlaCallPutAll(MlirOperation op, const MlirValue *values) {
  intptr_t n = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < n; ++i) {
    MlirType stated = mlirValueGetType(mlirOperationGetResult(op, i));
    MlirType type = mlirValueGetType(values[i]);
    if (!xlaTypeEqualIgnoringLayout(stated, type)) {
      xlaOpError(op, NULL, "is stated to give %s as result %lld, not %s",
                 XLA_TYPE_TEXT(stated), (long long)i, XLA_TYPE_TEXT(type));
      return XlaImportResultInvalid;
    }
  }
  for (intptr_t i = 0; i < n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), values[i]);
  mlirOperationDestroy(op);
  return XlaImportResultOk;
}

XlaImportResult xlaCallUnknownForm(MlirOperation op) {
  MlirStringRef target =
      mlirStringAttrGetValue(attribute(op, "call_target_name"));
  xlaOpError(op, NULL, "calls \"%.*s\" in a form that is not supported yet",
             (int)target.length, target.data);
  return XlaImportResultUnsupported;
}

//===----------------------------------------------------------------------===//
// Calls that give what they take
//===----------------------------------------------------------------------===//

/// Annotations of where values are.
static XlaImportResult importIdentity(MlirOperation op) {
  XlaImportResult result = xlaImportCheckArrays(op, 1, 1);
  if (result != XlaImportResultOk)
    return result;
  MlirValue operand = mlirOperationGetOperand(op, 0);
  return xlaCallPutAll(op, &operand);
}

//===----------------------------------------------------------------------===//
// The k first in an order
//===----------------------------------------------------------------------===//

MlirRegion xlaCallRegion(XlaIr *ir, MlirAttribute callee, intptr_t n,
                         const MlirValue *operands, intptr_t nResults,
                         const MlirType *results) {
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  MlirValue values[XLA_CALL_MAX_OPERANDS];
  for (intptr_t i = 0; i < n; ++i) {
    XlaShape scalar = xlaArrayShape(operands[i]);
    scalar.rank = 0;
    values[i] = mlirBlockAddArgument(
        block, xlaShapeToMlir(&scalar, ir->context), ir->location);
  }
  XlaIr body = xlaIrIn(*ir, block);
  XlaIrAttr attr = {"callee", callee};
  MlirOperation call = xlaIrCreate(&body, "func.call", n, values, nResults,
                                   results, 1, &attr, 0, NULL);
  for (intptr_t i = 0; i < nResults; ++i)
    values[i] = mlirOperationGetResult(call, i);
  xlaIrCreate(&body, "xla.return", nResults, values, 0, NULL, 0, NULL, 0, NULL);
  return region;
}

MlirAttribute xlaCallComputation(MlirOperation op) {
  MlirAttribute list = attribute(op, "called_computations");
  if (mlirAttributeIsNull(list) || !mlirAttributeIsAArray(list) ||
      mlirArrayAttrGetNumElements(list) != 1 ||
      !mlirAttributeIsAFlatSymbolRef(mlirArrayAttrGetElement(list, 0)))
    return mlirAttributeGetNull();
  return mlirArrayAttrGetElement(list, 0);
}

/// The region of a sort, which compares two elements of each operand.
static MlirRegion orderRegion(XlaIr *ir, MlirAttribute callee, intptr_t n,
                              const MlirValue *operands) {
  MlirValue pairs[8];
  for (intptr_t i = 0; i < 2 * n; ++i)
    pairs[i] = operands[i / 2];
  XlaShape pred = {.elementType = XlaElementTypePred};
  MlirType type = xlaShapeToMlir(&pred, ir->context);
  return xlaCallRegion(ir, callee, 2 * n, pairs, 1, &type);
}

/// ApproxTopK(values, places, init, init): sorted, then cut. Exact results are
/// allowed where approximate ones are. What others aggregate is as long as the
/// result says, k at least.
XlaImportResult xlaImportTopK(MlirOperation op, intptr_t nOperands, int64_t k) {
  MlirAttribute computation = xlaCallComputation(op);
  intptr_t n = mlirOperationGetNumResults(op);
  XlaImportResult result =
      xlaImportCheckArrays(op, mlirOperationGetNumOperands(op), n);
  if (result != XlaImportResultOk)
    return result;
  k = k < 0 ? xlaCallInteger(op, "top_k") : k;
  int64_t dimension = xlaCallInteger(op, "reduction_dim");
  if (n < 1 || n > 4 || nOperands != 2 * n || mlirAttributeIsNull(computation))
    return xlaCallUnknownForm(op);
  XlaShape shape = xlaArrayShape(mlirOperationGetOperand(op, 0));
  XlaShape stated = xlaArrayShape(mlirOperationGetResult(op, 0));
  if (xlaCallFlag(op, "aggregate_to_topk", false) &&
      stated.rank == shape.rank && dimension >= 0 && dimension < shape.rank &&
      stated.dims[dimension] >= k)
    k = stated.dims[dimension];
  if (dimension < 0 || dimension >= shape.rank || k < 0 ||
      k > shape.dims[dimension])
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  MlirValue operands[4], values[4];
  MlirType types[4];
  int64_t starts[XLA_MAX_RANK], strides[XLA_MAX_RANK];
  for (intptr_t i = 0; i < n; ++i) {
    operands[i] = mlirOperationGetOperand(op, i);
    types[i] = mlirValueGetType(operands[i]);
  }
  for (int d = 0; d < shape.rank; ++d) {
    starts[d] = 0;
    strides[d] = 1;
  }
  MlirRegion region = orderRegion(&ir, computation, n, operands);
  XlaIrAttr attrs[] = {{"dimension", xlaIrI64Attr(ir.context, dimension)},
                       {"is_stable", mlirBoolAttrGet(ir.context, 1)}};
  MlirOperation sort =
      xlaIrCreate(&ir, "xla.sort", n, operands, n, types, 2, attrs, 1, &region);
  shape.dims[dimension] = k;
  for (intptr_t i = 0; i < n; ++i)
    values[i] = xlaArraySlice(&ir, mlirOperationGetResult(sort, i), starts,
                              shape.dims, strides);
  return xlaCallPutAll(op, values);
}

/// mhlo.topk and TopK: as many of the largest along the last dimension as the
/// results have.
XlaImportResult xlaImportLargest(MlirOperation op) {
  XlaImportResult result =
      xlaImportCheckArrays(op, mlirOperationGetNumOperands(op), 2);
  if (result != XlaImportResultOk)
    return result;
  MlirValue x = mlirOperationGetOperand(op, 0);
  MlirAttribute attributes = attribute(op, "mhlo.attributes"), largest;
  XlaShape shape = xlaArrayShape(x), most = shape;
  XlaShape stated = xlaArrayShape(mlirOperationGetResult(op, 0));
  if (!mlirAttributeIsNull(attributes) &&
      mlirAttributeIsADictionary(attributes)) {
    largest = mlirDictionaryAttrGetElementByName(
        attributes, mlirStringRefCreateFromCString("largest"));
    if (!mlirAttributeIsNull(largest) &&
        (!mlirAttributeIsABool(largest) || !mlirBoolAttrGetValue(largest)))
      return xlaCallUnknownForm(op);
  }
  if (!shape.rank || stated.rank != shape.rank ||
      stated.dims[shape.rank - 1] > shape.dims[shape.rank - 1])
    return xlaCallUnknownForm(op);
  XlaIr ir = xlaIrBefore(op);
  shape.dims[shape.rank - 1] = stated.dims[shape.rank - 1];
  most = shape;
  most.elementType = XlaElementTypeS32;
  MlirType types[] = {xlaShapeToMlir(&shape, ir.context),
                      xlaShapeToMlir(&most, ir.context)};
  XlaIrAttr k = {"k", xlaIrI64Attr(ir.context, shape.dims[shape.rank - 1])};
  MlirOperation found =
      xlaIrCreate(&ir, "xla.top_k", 1, &x, 2, types, 1, &k, 0, NULL);
  MlirValue values[] = {mlirOperationGetResult(found, 0),
                        mlirOperationGetResult(found, 1)};
  return xlaCallPutAll(op, values);
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

XlaImportResult xlaImportCustomCall(MlirOperation op) {
  static const char *const identities[] = {"Sharding",
                                           "SPMDFullToShardShape",
                                           "SPMDShardToFullShape",
                                           "annotate_device_placement",
                                           "LayoutConstraint",
                                           "xla.sdy.FuncResultSharding",
                                           "xla.sdy.PropagationBarrier",
                                           "Pin",
                                           "Unpin"};
  MlirAttribute name = attribute(op, "call_target_name");
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name))
    return xlaImportAs(op, XlaOpKindCustomCall); // the verifier asks for it
  MlirStringRef target = mlirStringAttrGetValue(name);
  for (size_t i = 0; i < sizeof identities / sizeof *identities; ++i)
    if (equals(target, identities[i]))
      return importIdentity(op);
  if (equals(target, "ApproxTopK"))
    return xlaImportTopK(op, mlirOperationGetNumOperands(op), -1);
  if (equals(target, "ragged_all_to_all"))
    return xlaImportRaggedAllToAll(op);
  if (equals(target, "mhlo.topk") || equals(target, "TopK"))
    return mlirOperationGetNumOperands(op) == 1 ? xlaImportLargest(op)
                                                : xlaCallUnknownForm(op);
  XlaImportResult factors;
  if (xlaImportSizedCall(op, target, &factors))
    return factors;
  if (xlaImportFactors(op, target, &factors))
    return factors;
  MlirAttribute aliases = attribute(op, "output_operand_aliases");
  if (!mlirAttributeIsNull(aliases) && mlirAttributeIsAArray(aliases) &&
      mlirArrayAttrGetNumElements(aliases)) {
    xlaOpError(op, NULL,
               "calls \"%.*s\", which is not supported yet: by "
               "output_operand_aliases it finds operands where its results go, "
               "which start as zeros here%s",
               (int)target.length, target.data,
               xlaCallIsLapack(target) ? "; " XLA_LAPACK_HINT : "");
    return XlaImportResultUnsupported;
  }
  return xlaImportAs(op, XlaOpKindCustomCall);
}
