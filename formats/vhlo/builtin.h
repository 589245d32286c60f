//===- builtin.h - Codes of MLIR's own attributes and types --------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As MLIR's bytecode has them for its dialect `builtin`; those that artifacts
// may have. VHLO's are in codes.def.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_VHLO_BUILTIN_H
#define XLAC_FORMATS_VHLO_BUILTIN_H

typedef enum XlaBuiltinAttribute {
  XlaBuiltinAttributeArray = 0,
  XlaBuiltinAttributeDictionary = 1,
  XlaBuiltinAttributeString = 2,
  XlaBuiltinAttributeSymbol = 4,
  XlaBuiltinAttributeType = 6,
  XlaBuiltinAttributeUnit = 7,
  XlaBuiltinAttributeInteger = 8,
  XlaBuiltinAttributeFloat = 9,
  XlaBuiltinAttributeDense = 18,
  // Locations
  XlaBuiltinAttributeCallSite = 10,
  XlaBuiltinAttributePoint = 11,
  XlaBuiltinAttributeFused = 12,
  XlaBuiltinAttributeFusedWithMetadata = 13,
  XlaBuiltinAttributeName = 14,
  XlaBuiltinAttributeUnknown = 15,
  XlaBuiltinAttributeRange = 22,
} XlaBuiltinAttribute;

typedef enum XlaBuiltinType {
  XlaBuiltinTypeInteger = 0,
  XlaBuiltinTypeIndex = 1,
  XlaBuiltinTypeBF16 = 3,
  XlaBuiltinTypeF16 = 4,
  XlaBuiltinTypeF32 = 5,
  XlaBuiltinTypeF64 = 6,
  XlaBuiltinTypeComplex = 9,
  XlaBuiltinTypeNone = 12,
  XlaBuiltinTypeTensor = 13,
} XlaBuiltinType;

#endif // XLAC_FORMATS_VHLO_BUILTIN_H
