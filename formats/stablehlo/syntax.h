//===- syntax.h - How foreign operations are written --------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the files of the dialects' syntax. An operation's syntax is a pair of
// functions: `Parse`, that of MlirExtOpDefinition, and `Print`, which is asked
// for whole operations only (xlaForeignPrint) and returns false, before it has
// printed anything, where the operation's own form would not say all of it.
//
// That of most operations is a text in ops.def, which format.c reads. Its
// words, between blanks:
//
// | word                | reads and prints                                    |
// |---------------------|-----------------------------------------------------|
// | `ops`               | the operands, with commas between them              |
// | `ops?`              | the same; no blank where there are none             |
// | `ops,`              | the operands, each with a comma behind it           |
// | `attrs`             | `{..}`, attributes that have no word of their own   |
// | `?( , kind(x) )?`   | what may be missing, if the attribute is missing    |
// | `~`                 | no blank here                                       |
// | `kind(x)`           | the attribute x, see values.c                       |
// | `kind:detail(x)`    | the same, for kinds that want to know more          |
// | `:kind`             | types of operands and results, see types.c          |
// | others              | themselves                                          |
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_STABLEHLO_SYNTAX_H
#define XLAC_FORMATS_STABLEHLO_SYNTAX_H

#include "xlac/dialect/mlir-c-ext/asm.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Any number of operands or results.
#define XLA_FOREIGN_ANY (-1)

typedef bool (*XlaForeignPrint)(MlirOperation op, MlirExtAsmPrinter printer,
                                const MlirExtOpDefinition *def);

/// A row of ops.def, the `data` of its definition.
typedef struct XlaForeignOp {
  const char *dialect;
  int operands, results, regions;
  XlaForeignPrint print;    ///< or NULL
  const char *format;       ///< of xlaFormatParse
  const char *const *names; ///< of results, or NULL
} XlaForeignOp;

const XlaForeignOp *xlaForeignOpOf(const MlirExtOpDefinition *def);

/// Whether `stablehlo.name` is an operation of two operands, in any order.
bool xlaForeignIsSymmetric(MlirStringRef name);

//===----------------------------------------------------------------------===//
// The syntaxes that ops.def names
//===----------------------------------------------------------------------===//

#define XLA_FOREIGN_SYNTAX(Syntax)                                             \
  bool xla##Syntax##Parse(MlirExtAsmParser parser,                             \
                          const MlirExtOpDefinition *def);                     \
  bool xla##Syntax##Print(MlirOperation op, MlirExtAsmPrinter printer,         \
                          const MlirExtOpDefinition *def);
#include "xlac/formats/stablehlo/syntaxes.def"

/// How printed text calls a constant: `c` of integers, `cst` of others.
const char *xlaConstantName(MlirOperation op, const char *dialect);
/// `input` or `carry`.
const char *xlaScanNameArgument(MlirOperation op, intptr_t index);

//===----------------------------------------------------------------------===//
// Words of formats
//===----------------------------------------------------------------------===//

/// `kind:detail(name, name)`.
typedef struct XlaFormatWord {
  const char *kind;   ///< or the word itself, if it has no names
  const char *detail; ///< "" if there is none
  int nNames;
  const char *names[3];
} XlaFormatWord;

typedef struct XlaFormatValue {
  const char *kind;
  bool (*parse)(MlirExtAsmParser parser, const XlaForeignOp *row,
                const XlaFormatWord *word);
  /// Whether the attributes are there, and as `parse` makes them.
  bool (*isWhole)(MlirOperation op, const XlaForeignOp *row,
                  const XlaFormatWord *word);
  void (*print)(MlirOperation op, MlirExtAsmPrinter printer,
                const XlaFormatWord *word);
} XlaFormatValue;

typedef struct XlaFormatTypes {
  const char *kind;
  bool (*parse)(MlirExtAsmParser parser);
  /// Whether the types can be read again.
  bool (*isWhole)(MlirOperation op);
  void (*print)(MlirOperation op, MlirExtAsmPrinter printer);
} XlaFormatTypes;

/// NULL if there is no such kind.
const XlaFormatValue *xlaFormatFindValue(const char *kind);
const XlaFormatTypes *xlaFormatFindTypes(const char *kind);

//===----------------------------------------------------------------------===//
// Parts that several have
//===----------------------------------------------------------------------===//

/// The attribute of that name, inherent or not; null if there is none.
MlirAttribute xlaForeignGetAttr(MlirOperation op, const char *name);
/// Whether an attribute has the value that it has where it is not written.
bool xlaForeignIsDefault(const char *name, MlirAttribute value);
/// ` {..}` without those in `elided`, up to a NULL, and those that have the
/// value that they would have anyway.
void xlaForeignPrintAttributes(MlirExtAsmPrinter printer, MlirOperation op,
                               const char *const *elided, bool withKeyword);
/// Operands from number `first`, with commas between them.
void xlaForeignPrintOperands(MlirExtAsmPrinter printer, MlirOperation op,
                             intptr_t first, intptr_t n);
/// `[1, 2]`, of an array<i64>.
void xlaForeignPrintIntegers(MlirExtAsmPrinter printer, MlirAttribute list);

/// The attribute `#dialect<text>` or `#dialect.text`, of the three texts.
MlirAttribute xlaForeignOpaque(MlirContext context, const char *dialect,
                               MlirStringRef a, MlirStringRef b,
                               MlirStringRef c);
/// What stands behind `prefix` in the text of such an attribute; of no length
/// if it is none or begins otherwise.
MlirStringRef xlaForeignAfter(MlirAttribute attribute, const char *dialect,
                              const char *prefix);
/// Whether `text` is one group in brackets that mlirExtAsmParseBracketed reads:
/// what MLIR keeps of attributes that it does not know may be any bytes.
bool xlaForeignIsBracketed(MlirStringRef text);

/// The first block of region number `region`; null if there is none.
MlirBlock xlaForeignEntry(MlirOperation op, intptr_t region);
/// Whether every region is a single block and, unless it is -1, has so many
/// arguments.
bool xlaForeignHasBlocks(MlirOperation op, intptr_t nArguments);

#ifdef __cplusplus
}
#endif

#endif // XLAC_FORMATS_STABLEHLO_SYNTAX_H
