//===- asm.h - Operations' own syntax, from C ---------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's OpAsmParser and OpAsmPrinter for the callbacks `parse` and `print` of
// an MlirExtOpDefinition. The operation's name has been read; `print` begins
// with mlirExtAsmPrintName. Its location, results' names and successors are not
// their concern.
//
// What is read goes into the operation that comes of it: regions, attributes,
// types of results. Values that are read before their types are known wait in
// numbered lists until mlirExtAsmResolve.. gives them their types.
//
// Functions that return bool say whether what they look for is there. Those
// that require it have emitted a diagnostic where it is not. The optional ones
// return false without one and read nothing; if half of it is there, they emit
// one, and the operation is refused whatever its `parse` returns.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_MLIR_C_EXT_ASM_H
#define XLAC_DIALECT_MLIR_C_EXT_ASM_H

#include "xlac/dialect/mlir-c-ext/ext.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Where something is in the text, for diagnostics and locations.
typedef struct MlirExtAsmPlace {
  const char *ptr;
} MlirExtAsmPlace;

/// How many lists of values there are: 0, 1.
#define MLIR_EXT_ASM_LISTS 2

MlirContext mlirExtAsmGetContext(MlirExtAsmParser parser);
/// Where the next token begins.
MlirExtAsmPlace mlirExtAsmGetPlace(MlirExtAsmParser parser);
MlirLocation mlirExtAsmGetLocation(MlirExtAsmParser parser,
                                   MlirExtAsmPlace place);
/// Emits an error there. Returns false.
bool mlirExtAsmFail(MlirExtAsmParser parser, MlirExtAsmPlace place,
                    const char *message);

/// `token` is a keyword or one of ( ) [ ] { } < > , : = -> ? *
bool mlirExtAsmParseToken(MlirExtAsmParser parser, const char *token);
bool mlirExtAsmParseOptionalToken(MlirExtAsmParser parser, const char *token);
/// Any keyword. The text lives as long as what is parsed.
bool mlirExtAsmParseKeyword(MlirExtAsmParser parser, MlirStringRef *keyword);
bool mlirExtAsmParseInteger(MlirExtAsmParser parser, int64_t *value);
/// `[1, -2]`, as an array<i64>.
bool mlirExtAsmParseIntegers(MlirExtAsmParser parser, MlirAttribute *list);
/// `"text"` and `@name` (also `@"any text"`), as a StringAttr.
bool mlirExtAsmParseString(MlirExtAsmParser parser, MlirAttribute *string);
bool mlirExtAsmParseSymbolName(MlirExtAsmParser parser, MlirAttribute *name);
bool mlirExtAsmParseAttribute(MlirExtAsmParser parser,
                              MlirAttribute *attribute);
bool mlirExtAsmParseType(MlirExtAsmParser parser, MlirType *type);
/// `type, type ..`, at least one. `types` are valid until the next list.
bool mlirExtAsmParseTypes(MlirExtAsmParser parser, intptr_t *n,
                          const MlirType **types);
/// A group in brackets ( [ { or <, to the bracket that closes it, of words,
/// numbers, strings, symbols, punctuation and other groups: its text, which
/// lives as long as what is parsed.
bool mlirExtAsmParseBracketed(MlirExtAsmParser parser, MlirStringRef *text);
/// The name of an operation, `dialect.name`, as text of the context's.
bool mlirExtAsmParseOpName(MlirExtAsmParser parser, MlirStringRef *name);
/// `loc(..)`, which the operation then has.
bool mlirExtAsmParseOptionalLocation(MlirExtAsmParser parser,
                                     MlirLocation *location);

/// `{..}`, or, with its keyword, `attributes {..}`; or nothing.
bool mlirExtAsmParseAttributes(MlirExtAsmParser parser, bool withKeyword);
void mlirExtAsmAddAttribute(MlirExtAsmParser parser, const char *name,
                            MlirAttribute attribute);
void mlirExtAsmAddResults(MlirExtAsmParser parser, intptr_t n,
                          const MlirType *types);

/// `%a`, at the end of a list of operands.
bool mlirExtAsmParseOperand(MlirExtAsmParser parser, int list);
bool mlirExtAsmParseOptionalOperand(MlirExtAsmParser parser, int list);
/// How many operands have been read, in all lists.
intptr_t mlirExtAsmGetNumOperands(MlirExtAsmParser parser);
/// Gives the operands, list by list, their types; an error at `place` unless
/// there are as many.
bool mlirExtAsmResolveOperands(MlirExtAsmParser parser, MlirExtAsmPlace place,
                               intptr_t n, const MlirType *types);
/// All of one type.
bool mlirExtAsmResolveOperandsAs(MlirExtAsmParser parser, MlirType type);
/// `(types) -> types`, which are those of operands and results.
bool mlirExtAsmParseFunctionType(MlirExtAsmParser parser);
/// The same, of a type that has been read at `place`.
bool mlirExtAsmUseFunctionType(MlirExtAsmParser parser, MlirExtAsmPlace place,
                               MlirType type);

/// `%a`, or with its type `%a: type`, at the end of a list of arguments of
/// regions that are still to come.
bool mlirExtAsmParseArgument(MlirExtAsmParser parser, int list, bool withType);
/// Gives the arguments, list by list, their types, as far as there are any.
void mlirExtAsmSetArgumentTypes(MlirExtAsmParser parser, intptr_t n,
                                const MlirType *types);
/// `{..}`, whose first block has the arguments that were read before, if
/// `withArguments` (it then has no header), or those that it names.
bool mlirExtAsmParseRegion(MlirExtAsmParser parser, bool withArguments);
/// The operation takes `region`.
void mlirExtAsmAddRegion(MlirExtAsmParser parser, MlirRegion region);

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// `dialect.name`.
void mlirExtAsmPrintName(MlirExtAsmPrinter printer, MlirOperation op);
/// `text` as it is.
void mlirExtAsmPrintText(MlirExtAsmPrinter printer, MlirStringRef text);
void mlirExtAsmPrint(MlirExtAsmPrinter printer, const char *text);
void mlirExtAsmPrintInteger(MlirExtAsmPrinter printer, int64_t value);
/// `"text"` and `@text`, with what quotes and escapes they need.
void mlirExtAsmPrintString(MlirExtAsmPrinter printer, MlirStringRef text);
void mlirExtAsmPrintSymbolName(MlirExtAsmPrinter printer, MlirStringRef name);
void mlirExtAsmPrintAttribute(MlirExtAsmPrinter printer,
                              MlirAttribute attribute);
void mlirExtAsmPrintType(MlirExtAsmPrinter printer, MlirType type);
void mlirExtAsmPrintValue(MlirExtAsmPrinter printer, MlirValue value);
/// `%a: type`.
void mlirExtAsmPrintArgument(MlirExtAsmPrinter printer, MlirValue argument);
void mlirExtAsmPrintNewline(MlirExtAsmPrinter printer);
/// ` {..}` of all attributes, inherent and others, but those that are named in
/// `elided`, which ends with NULL and may be NULL; nothing if none are left.
void mlirExtAsmPrintAttributes(MlirExtAsmPrinter printer, MlirOperation op,
                               const char *const *elided, bool withKeyword);
/// `(types) -> types`.
void mlirExtAsmPrintFunctionType(MlirExtAsmPrinter printer, MlirOperation op);
/// `{..}`; without the header of its first block unless `withArguments`.
void mlirExtAsmPrintRegion(MlirExtAsmPrinter printer, MlirRegion region,
                           bool withArguments);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_MLIR_C_EXT_ASM_H
