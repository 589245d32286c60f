//===- element_type.h - The element types of arrays ---------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element type is a row of element_type.def. This file converts between
// rows, MLIR types, and the bits of single elements.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_ELEMENT_TYPE_H
#define XLAC_DIALECT_ELEMENT_TYPE_H

#include "mlir-c/IR.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The rows of element_type.def; 0 is none.
typedef enum XlaElementType {
  XlaElementTypeInvalid = 0,
#define XLA_ELEMENT_TYPE(Enum, ...) XlaElementType##Enum,
#include "xlac/dialect/element_type.def"
  XlaElementTypeCount
} XlaElementType;

/// Classes are bits, so that a table row can allow several.
typedef enum XlaTypeClass {
  XlaTypeClassPred = 1 << 0,
  XlaTypeClassSigned = 1 << 1,
  XlaTypeClassUnsigned = 1 << 2,
  XlaTypeClassFloat = 1 << 3,
  XlaTypeClassComplex = 1 << 4,
} XlaTypeClass;

/// Which values a float's bits stand for beside the finite ones;
/// element_type.def says more.
typedef enum XlaFloatFlavor {
  XlaFloatFlavorNone,
  XlaFloatFlavorIeee,
  XlaFloatFlavorFn,
  XlaFloatFlavorFnuz,
  XlaFloatFlavorFinite,
  XlaFloatFlavorE8m0,
} XlaFloatFlavor;

/// A row of element_type.def.
typedef struct XlaElementTypeInfo {
  const char *name;     ///< XLA's: "f32", "pred", "u8"
  const char *mlirName; ///< MLIR's: "f32", "i1", "ui8"
  XlaTypeClass typeClass;
  int bits;
  int bytes;
  int exponentBits; ///< complex types: of a part
  int mantissaBits;
  int bias;
  XlaFloatFlavor flavor;
} XlaElementTypeInfo;

/// The row of `type`, which must be valid.
const XlaElementTypeInfo *xlaElementTypeGetInfo(XlaElementType type);

/// The row for an MLIR type (`f32`, `ui8`, `complex<f32>`), or Invalid.
XlaElementType xlaElementTypeFromMlir(MlirType type);
MlirType xlaElementTypeToMlir(XlaElementType type, MlirContext context);
/// The row with this XLA or MLIR name, or Invalid.
XlaElementType xlaElementTypeFromName(const char *name, size_t length);

bool xlaElementTypeIsInteger(XlaElementType type); ///< signed or unsigned
bool xlaElementTypeIsFloat(XlaElementType type);
bool xlaElementTypeIsComplex(XlaElementType type);
/// The integer type of that many bits, or Invalid.
XlaElementType xlaElementTypeOfBits(int bits, bool isSigned);
/// c64 -> f32, c128 -> f64, others themselves.
XlaElementType xlaElementTypeReal(XlaElementType type);
/// Whether elements of `from` may be accumulated in `to`: the same class, and
/// no fewer bits.
bool xlaElementTypeIsPromotable(XlaElementType from, XlaElementType to);

/// One value of any element type: `s` for signed, `u` for unsigned and pred,
/// `f` for floats and complex. Every float type below f64 is exact in a double.
typedef union XlaScalar {
  int64_t s;
  uint64_t u;
  struct {
    double re, im;
  } f;
} XlaScalar;

/// Reads the element at `bytes`, which need not be aligned.
XlaScalar xlaScalarLoad(XlaElementType type, const void *bytes);
/// Writes `value` rounded to nearest even, integers modulo 2^bits.
void xlaScalarStore(XlaElementType type, void *bytes, XlaScalar value);
/// `value` as it reads back after a store: wrapped or rounded to `type`.
XlaScalar xlaScalarRound(XlaElementType type, XlaScalar value);

/// The bits of `value` in a float format of up to 32 bits, and back.
uint32_t xlaFloatEncode(const XlaElementTypeInfo *info, double value);
double xlaFloatDecode(const XlaElementTypeInfo *info, uint32_t bits);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_ELEMENT_TYPE_H
