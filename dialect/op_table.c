//===- op_table.c - The table of operations -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/op.h"

// The words of ops.def.
enum {
  NO_TRAITS = 0,
  PURE = MlirExtOpTraitPure,
  EFFECTS = MlirExtOpTraitRecursiveEffects,
  TERMINATOR = MlirExtOpTraitTerminator,
  COMMUTATIVE = MlirExtOpTraitCommutative,
  CONSTANT = MlirExtOpTraitConstantLike,
  CALL = MlirExtOpTraitCall,
  ISOLATED = MlirExtOpTraitIsolated,
  PRED = XlaTypeClassPred,
  SIGNED = XlaTypeClassSigned,
  UNSIGNED = XlaTypeClassUnsigned,
  INTEGER = SIGNED | UNSIGNED,
  FLOAT = XlaTypeClassFloat,
  COMPLEX = XlaTypeClassComplex,
  ANY = PRED | INTEGER | FLOAT | COMPLEX,
};
#define XLA_NO_ATTRS NULL
#define XLA_ATTRS(...)                                                         \
  (const MlirExtOpAttribute[]) { __VA_ARGS__, {NULL, 0, false, NULL, 0} }
#define REQUIRED(name, kind) {#name, XlaAttrKind##kind, false, NULL, 0}
#define OPTIONAL(name, kind, absent)                                           \
  {#name, XlaAttrKind##kind, true, NULL, XlaAttrAbsent##absent}
#define ENUM(name, choices) {#name, XlaAttrKindEnum, false, choices, 0}
#define OPTIONAL_ENUM(name, choices) {#name, XlaAttrKindEnum, true, choices, 0}

const XlaOpInfo xlaOpInfos[XlaOpKindCount] = {
    [XlaOpKindInvalid] = {.cost = 1},
#define XLA_OP(Enum, name, Family, least, most, results, regions, traits,      \
               Format, attributes, classes, meaning, devices, moves, cost,     \
               ulps, dialect, section)                                         \
  [XlaOpKind##Enum] = {name,                                                   \
                       XlaFamily##Family,                                      \
                       least,                                                  \
                       most,                                                   \
                       results,                                                \
                       regions,                                                \
                       traits,                                                 \
                       MlirExtOpFormat##Format,                                \
                       attributes,                                             \
                       classes,                                                \
                       meaning,                                                \
                       XlaOpDevices##devices,                                  \
                       XlaOpMoves##moves,                                      \
                       cost,                                                   \
                       ulps,                                                   \
                       XlaOpDialect##dialect,                                  \
                       section,                                                \
                       xla##Family##Infer,                                     \
                       xla##Family##Evaluate},
#include "xlac/dialect/ops.def"
};

const char *xlaFamilyGetName(XlaFamily family) {
  static const char *const names[XlaFamilyCount] = {
      "",
#define XLA_FAMILY(Family, ...) #Family,
#include "xlac/dialect/families.def"
  };
  return names[family];
}

static MlirLogicalResult verify(MlirOperation op,
                                const MlirExtOpDefinition *def) {
  (void)def;
  return xlaOpVerify(op);
}

static MlirLogicalResult fold(MlirOperation op, intptr_t nOperands,
                              const MlirAttribute *operands,
                              MlirExtFoldResult *results,
                              const MlirExtOpDefinition *def) {
  (void)def;
  return xlaFoldOperation(op, nOperands, operands, results);
}

const MlirExtOpDefinition xlaOpDefinitions[XlaOpKindCount - 1] = {
#define XLA_OP(Enum, opName, Family, least, most, results, regions, opTraits,  \
               Format, attrs, classes, meaning, devices, moves, cost, ulps,    \
               dialect, section)                                               \
  {.name = opName,                                                             \
   .traits = opTraits,                                                         \
   .format = MlirExtOpFormat##Format,                                          \
   .attributes = attrs,                                                        \
   .verify = verify,                                                           \
   .fold = fold},
#include "xlac/dialect/ops.def"
};
