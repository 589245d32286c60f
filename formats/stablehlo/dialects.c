//===- dialects.c - The dialects that programs come in -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/stablehlo/dialects.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/nearest.h"
#include "xlac/formats/stablehlo/syntax.h"

#include <string.h>

// The words of ops.def.
enum {
  ANY = XLA_FOREIGN_ANY,
  NO_TRAITS = 0,
  PURE = MlirExtOpTraitPure,
  EFFECTS = MlirExtOpTraitRecursiveEffects,
  TERMINATOR = MlirExtOpTraitTerminator,
  COMMUTATIVE = MlirExtOpTraitCommutative,
};
#define NO_ATTRS NULL
#define ATTRS(...)                                                             \
  (const MlirExtOpAttribute[]) { __VA_ARGS__, {NULL, 0, false, NULL, 0} }
#define REQUIRED(name) {#name, 0, false, NULL, 0}
#define OPTIONAL(name) {#name, 0, true, NULL, 0}
#define NAMES(...)                                                             \
  (const char *const[]) { __VA_ARGS__ }
#define xlaNoSyntaxParse NULL
#define xlaNoSyntaxPrint NULL

const XlaForeignOp *xlaForeignOpOf(const MlirExtOpDefinition *def) {
  return def->data;
}

/// Whether `op` is what its row says. Its own form, which has no `<{..}>`, may
/// hold no other inherent attributes than those of the row.
static bool isWhole(MlirOperation op, const MlirExtOpDefinition *def) {
  const XlaForeignOp *row = xlaForeignOpOf(def);
  MlirAttribute inherent = mlirExtOperationGetInherentAttributes(op);
  intptr_t known = 0;
  for (const MlirExtOpAttribute *a = def->attributes; a && a->name; ++a)
    known += !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
        inherent, mlirStringRefCreateFromCString(a->name)));
  return known == mlirDictionaryAttrGetNumElements(inherent) &&
         (row->operands == ANY ||
          row->operands == mlirOperationGetNumOperands(op)) &&
         (row->results == ANY ||
          row->results == mlirOperationGetNumResults(op)) &&
         (row->regions == ANY ||
          row->regions == mlirOperationGetNumRegions(op));
}

static bool printOp(MlirOperation op, MlirExtAsmPrinter printer,
                    const MlirExtOpDefinition *def) {
  const XlaForeignOp *row = xlaForeignOpOf(def);
  return row->print && isWhole(op, def) && row->print(op, printer, def);
}

static bool isOp(const MlirExtOpDefinition *def, const char *name) {
  return !strcmp(def->name, name);
}

static const char *nameValue(MlirOperation op, intptr_t region, intptr_t index,
                             const MlirExtOpDefinition *def) {
  const XlaForeignOp *row = xlaForeignOpOf(def);
  if (region >= 0)
    return isOp(def, "while")  ? "iterArg"
           : isOp(def, "scan") ? xlaScanNameArgument(op, index)
                               : NULL;
  if (row->print == xlaConstantTextPrint)
    return xlaConstantName(op, row->dialect);
  return row->names && index < row->results &&
                 row->results == mlirOperationGetNumResults(op)
             ? row->names[index]
             : NULL;
}

static const MlirExtOpDefinition ops[] = {
#define XLA_FOREIGN(space, opName, nOperands, nResults, nRegions, opTraits,    \
                    attrs, Syntax, text, resultNames)                          \
  {.name = opName,                                                             \
   .traits = opTraits,                                                         \
   .format = MlirExtOpFormatOwn,                                               \
   .attributes = attrs,                                                        \
   .parse = xla##Syntax##Parse,                                                \
   .print = printOp,                                                           \
   .data = &(const XlaForeignOp){#space, nOperands, nResults, nRegions,        \
                                 xla##Syntax##Print, text, resultNames},       \
   .nameValue = nameValue},
#include "xlac/formats/stablehlo/ops.def"
};

/// How many rows a dialect has.
enum {
#define COUNT_stablehlo 1
#define COUNT_chlo 0
#define COUNT_sdy 0
#define XLA_FOREIGN(space, ...) +COUNT_##space
  nStablehlo = 0
#include "xlac/formats/stablehlo/ops.def"
  ,
#undef COUNT_stablehlo
#define COUNT_stablehlo 0
#undef COUNT_chlo
#define COUNT_chlo 1
#define XLA_FOREIGN(space, ...) +COUNT_##space
  nChlo = 0
#include "xlac/formats/stablehlo/ops.def"
  ,
  nSdy = sizeof ops / sizeof *ops - nStablehlo - nChlo
};

#define DIALECT(space, first, count)                                           \
  {.name = space,                                                              \
   .nOps = count,                                                              \
   .ops = ops + (first),                                                       \
   .keepsUnknown = true,                                                       \
   .fullNames = true,                                                          \
   .nearestName = xlaNearestName}

bool xlaForeignIsSymmetric(MlirStringRef name) {
  static const char space[] = "stablehlo.";
  size_t skipped = strlen(space);
  if (name.length <= skipped || memcmp(name.data, space, skipped) != 0)
    return false;
  MlirStringRef rest =
      mlirStringRefCreate(name.data + skipped, name.length - skipped);
  for (size_t i = 0; i < nStablehlo; ++i)
    if (mlirStringRefEqual(rest, mlirStringRefCreateFromCString(ops[i].name)))
      return ops[i].traits & MlirExtOpTraitCommutative;
  return false;
}

void xlaStableHloDialectsRegister(MlirDialectRegistry registry) {
  static const MlirExtDialectDefinition dialects[] = {
      DIALECT("stablehlo", 0, nStablehlo),
      DIALECT("chlo", nStablehlo, nChlo),
      DIALECT("sdy", nStablehlo + nChlo, nSdy),
  };
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
    mlirExtDialectRegister(registry, &dialects[i]);
}
