//===- reduce_precision.c - Precision in StableHLO ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A format without mantissa bits has infinities, but no NaN: StableHLO and HLO
// make them infinities there, where XLA's specification keeps them.
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/import/stablehlo.h"

#include <string.h>

/// Infinity of the sign of each element.
static MlirValue infinityLike(XlaIr *ir, const XlaElementTypeInfo *info,
                              MlirValue x) {
  XlaElementType type = xlaArrayShape(x).elementType;
  uint64_t infinity = ((UINT64_C(1) << info->exponentBits) - 1)
                      << info->mantissaBits;
  MlirValue bits = xlaArrayCast(ir, "xla.bitcast_convert", x,
                                xlaElementTypeOfBits(info->bits, false));
  bits =
      xlaIrBinary(ir, "xla.and", bits,
                  xlaArrayInteger(ir, bits, UINT64_C(1) << (info->bits - 1)));
  bits = xlaIrBinary(ir, "xla.or", bits, xlaArrayInteger(ir, bits, infinity));
  return xlaArrayCast(ir, "xla.bitcast_convert", bits, type);
}

static int64_t integerOf(const XlaImportedAttrs *attrs, const char *name) {
  for (intptr_t i = 0; i < attrs->count; ++i)
    if (!strcmp(attrs->items[i].name, name) &&
        mlirAttributeIsAInteger(attrs->items[i].value))
      return mlirIntegerAttrGetValueInt(attrs->items[i].value);
  return -1;
}

MlirValue xlaImportInfinities(XlaIr *ir, MlirValue x, MlirValue reduced) {
  const XlaElementTypeInfo *info =
      xlaElementTypeGetInfo(xlaArrayShape(x).elementType);
  return info->typeClass == XlaTypeClassFloat &&
                 info->flavor == XlaFloatFlavorIeee
             ? xlaArraySelect(ir, xlaArrayCompare(ir, "NE", x, x),
                              infinityLike(ir, info, x), reduced)
             : reduced;
}

XlaImportResult xlaImportReducePrecision(MlirOperation op) {
  XlaImportedAttrs attrs;
  XlaImportResult result =
      xlaImportAttributes(op, xlaOpGetInfo(XlaOpKindReducePrecision), &attrs);
  if (result == XlaImportResultOk)
    result = xlaImportCheckArrays(op, 1, 1);
  if (result != XlaImportResultOk)
    return result;
  XlaIr ir = xlaIrBefore(op);
  MlirValue x = mlirOperationGetOperand(op, 0);
  MlirValue value = xlaIrOp(&ir, "xla.reduce_precision",
                            mlirValueGetType(mlirOperationGetResult(op, 0)), 1,
                            &x, attrs.count, attrs.items);
  if (!integerOf(&attrs, "mantissa_bits"))
    value = xlaImportInfinities(&ir, x, value);
  return xlaImportPut(op, value);
}
