//===- ops.h - The table of VHLO's operations -----------------------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_VHLO_OPS_H
#define XLAC_FORMATS_VHLO_OPS_H

#include "mlir-c/IR.h"
#include "xlac/dialect/op.h"

/// How an attribute of VHLO's becomes one of StableHLO's.
typedef enum XlaVhloForm {
  XlaVhloFormSame,    ///< as it is
  XlaVhloFormI64s,    ///< a tensor becomes array<i64: ..>
  XlaVhloFormBools,   ///< a tensor becomes array<i1: ..>
  XlaVhloFormFlag,    ///< true becomes unit, false nothing
  XlaVhloFormSymbol,  ///< a string becomes @name
  XlaVhloFormSymbols, ///< an array of them
  // Parts of a structure, by its name:
  XlaVhloFormDot,
  XlaVhloFormAlgorithm,
  XlaVhloFormGather,
  XlaVhloFormScatter,
  XlaVhloFormConv,
  XlaVhloFormChannel,
  XlaVhloFormCount,
} XlaVhloForm;

/// What StableHLO leaves out, in the words of ops.def.
typedef enum XlaVhloUsual {
  XlaVhloUsualNone, ///< it says the attribute always
  XlaVhloUsualText, ///< the same, but need not say an empty text
  XlaVhloUsualFalse,
  XlaVhloUsualZero,
  XlaVhloUsualMinusOne,
  XlaVhloUsualOriginal, ///< 1, as a version of custom calls
  XlaVhloUsualNoText,
  XlaVhloUsualNoArray,
  XlaVhloUsualNoDictionary,
  XlaVhloUsualNoTensor, ///< a tensor without elements
  XlaVhloUsualOnes,     ///< a tensor of them
  XlaVhloUsualZeros,
  XlaVhloUsualFalses,
  XlaVhloUsualPrecision, ///< an array of DEFAULT
  XlaVhloUsualNoType,    ///< of a comparison
  XlaVhloUsualAccuracy,
  XlaVhloUsualCount,
} XlaVhloUsual;

#define XLA_VHLO_MAX_ATTRIBUTES 24

typedef struct XlaVhloColumn {
  const char *name; ///< NULL behind the last one
  XlaVhloForm form;
  XlaVhloUsual usual;
} XlaVhloColumn;

typedef struct XlaVhloOp {
  const char *name;   ///< without `vhlo.`
  const char *target; ///< StableHLO's
  const XlaVhloColumn *columns;
} XlaVhloOp;

/// The row of an operation, by its name without `vhlo.`; NULL if there is none.
const XlaVhloOp *xlaVhloOpFind(MlirStringRef name);
/// The row of the newest operation of version XLA_VHLO_VERSION that is `target`
/// in StableHLO; NULL if there is none.
const XlaVhloOp *xlaVhloOpOfTarget(MlirStringRef target);

/// StableHLO's attribute that is a structure of parts of `form`, below Count;
/// NULL for other forms.
const char *xlaVhloStructureName(XlaVhloForm form);

/// The version of StableHLO that artifacts are written for.
#define XLA_VHLO_VERSION "1.13.0"

#endif // XLAC_FORMATS_VHLO_OPS_H
