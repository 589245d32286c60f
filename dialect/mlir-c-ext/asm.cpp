//===- asm.cpp - Operations' own syntax, from C ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "asm.h"
#include "op.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;

namespace {

/// One operation that is being read.
struct Reader {
  OpAsmParser &parser;
  OperationState &state;
  SmallVector<OpAsmParser::UnresolvedOperand> operands[MLIR_EXT_ASM_LISTS];
  SmallVector<OpAsmParser::Argument> arguments[MLIR_EXT_ASM_LISTS];
  SmallVector<MlirType> types; ///< the last list
  bool failed = false;

  /// What an optional function returns.
  bool found(OptionalParseResult result) {
    failed |= result.has_value() && mlir::failed(*result);
    return result.has_value() && succeeded(*result);
  }
};

Reader &reader(MlirExtAsmParser parser) {
  return *static_cast<Reader *>(parser.ptr);
}
OpAsmParser &asmParser(MlirExtAsmParser parser) {
  return reader(parser).parser;
}
OpAsmPrinter &asmPrinter(MlirExtAsmPrinter printer) {
  return *static_cast<OpAsmPrinter *>(printer.ptr);
}
SMLoc placeOf(MlirExtAsmPlace place) {
  return SMLoc::getFromPointer(place.ptr);
}

/// What stands between words; those that AsmParser reads as one token.
struct Punctuation {
  StringRef token;
  ParseResult (AsmParser::*parse)();
  ParseResult (AsmParser::*parseOptional)();
};
constexpr Punctuation punctuation[] = {
    {"(", &AsmParser::parseLParen, &AsmParser::parseOptionalLParen},
    {")", &AsmParser::parseRParen, &AsmParser::parseOptionalRParen},
    {"[", &AsmParser::parseLSquare, &AsmParser::parseOptionalLSquare},
    {"]", &AsmParser::parseRSquare, &AsmParser::parseOptionalRSquare},
    {"{", &AsmParser::parseLBrace, &AsmParser::parseOptionalLBrace},
    {"}", &AsmParser::parseRBrace, &AsmParser::parseOptionalRBrace},
    {"<", &AsmParser::parseLess, &AsmParser::parseOptionalLess},
    {">", &AsmParser::parseGreater, &AsmParser::parseOptionalGreater},
    {",", &AsmParser::parseComma, &AsmParser::parseOptionalComma},
    {":", &AsmParser::parseColon, &AsmParser::parseOptionalColon},
    {"=", &AsmParser::parseEqual, &AsmParser::parseOptionalEqual},
    {"->", &AsmParser::parseArrow, &AsmParser::parseOptionalArrow},
    {"?", &AsmParser::parseQuestion, &AsmParser::parseOptionalQuestion},
    {"*", &AsmParser::parseStar, &AsmParser::parseOptionalStar},
};

const Punctuation *findPunctuation(StringRef token) {
  const Punctuation *found =
      llvm::find_if(punctuation, [&](auto &p) { return p.token == token; });
  return found == std::end(punctuation) ? nullptr : found;
}

/// A token of a group in brackets that is no bracket.
bool readInner(Reader &in) {
  for (const Punctuation &p : ArrayRef(punctuation).drop_front(8))
    if (succeeded((in.parser.*p.parseOptional)()))
      return true;
  std::string text;
  StringRef word;
  StringAttr symbol;
  int64_t number;
  return succeeded(in.parser.parseOptionalKeyword(&word)) ||
         succeeded(in.parser.parseOptionalString(&text)) ||
         succeeded(in.parser.parseOptionalSymbolName(symbol)) ||
         in.found(in.parser.parseOptionalInteger(number));
}

} // namespace

bool mlir_ext::parseOp(const MlirExtOpDefinition *def, OpAsmParser &parser,
                       OperationState &state) {
  Reader in{parser, state, {}, {}, {}};
  return def->parse({&in}, def) && !in.failed;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

MlirContext mlirExtAsmGetContext(MlirExtAsmParser parser) {
  return wrap(asmParser(parser).getContext());
}

MlirExtAsmPlace mlirExtAsmGetPlace(MlirExtAsmParser parser) {
  return {asmParser(parser).getCurrentLocation().getPointer()};
}

MlirLocation mlirExtAsmGetLocation(MlirExtAsmParser parser,
                                   MlirExtAsmPlace place) {
  return wrap(asmParser(parser).getEncodedSourceLoc(placeOf(place)));
}

bool mlirExtAsmFail(MlirExtAsmParser parser, MlirExtAsmPlace place,
                    const char *message) {
  asmParser(parser).emitError(placeOf(place), message);
  return false;
}

bool mlirExtAsmParseToken(MlirExtAsmParser parser, const char *token) {
  OpAsmParser &in = asmParser(parser);
  if (const Punctuation *p = findPunctuation(token))
    return succeeded((in.*p->parse)());
  return succeeded(in.parseKeyword(token));
}

bool mlirExtAsmParseOptionalToken(MlirExtAsmParser parser, const char *token) {
  OpAsmParser &in = asmParser(parser);
  if (const Punctuation *p = findPunctuation(token))
    return succeeded((in.*p->parseOptional)());
  return succeeded(in.parseOptionalKeyword(token));
}

bool mlirExtAsmParseKeyword(MlirExtAsmParser parser, MlirStringRef *keyword) {
  StringRef text;
  if (failed(asmParser(parser).parseKeyword(&text)))
    return false;
  *keyword = wrap(text);
  return true;
}

bool mlirExtAsmParseInteger(MlirExtAsmParser parser, int64_t *value) {
  return succeeded(asmParser(parser).parseInteger(*value));
}

bool mlirExtAsmParseIntegers(MlirExtAsmParser parser, MlirAttribute *list) {
  OpAsmParser &in = asmParser(parser);
  SmallVector<int64_t> values;
  if (failed(in.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return in.parseInteger(values.emplace_back());
      })))
    return false;
  *list = wrap(Attribute(DenseI64ArrayAttr::get(in.getContext(), values)));
  return true;
}

bool mlirExtAsmParseString(MlirExtAsmParser parser, MlirAttribute *string) {
  std::string text;
  if (failed(asmParser(parser).parseString(&text)))
    return false;
  *string =
      wrap(Attribute(StringAttr::get(asmParser(parser).getContext(), text)));
  return true;
}

bool mlirExtAsmParseSymbolName(MlirExtAsmParser parser, MlirAttribute *name) {
  StringAttr text;
  if (failed(asmParser(parser).parseSymbolName(text)))
    return false;
  *name = wrap(Attribute(text));
  return true;
}

bool mlirExtAsmParseAttribute(MlirExtAsmParser parser,
                              MlirAttribute *attribute) {
  Attribute read;
  if (failed(asmParser(parser).parseAttribute(read)))
    return false;
  *attribute = wrap(read);
  return true;
}

bool mlirExtAsmParseType(MlirExtAsmParser parser, MlirType *type) {
  Type read;
  if (failed(asmParser(parser).parseType(read)))
    return false;
  *type = wrap(read);
  return true;
}

bool mlirExtAsmParseTypes(MlirExtAsmParser parser, intptr_t *n,
                          const MlirType **types) {
  Reader &in = reader(parser);
  SmallVector<Type> read;
  if (failed(in.parser.parseTypeList(read)))
    return false;
  in.types = llvm::map_to_vector(read, [](Type type) { return wrap(type); });
  *n = in.types.size();
  *types = in.types.data();
  return true;
}

bool mlirExtAsmParseBracketed(MlirExtAsmParser parser, MlirStringRef *text) {
  Reader &in = reader(parser);
  const char *start = in.parser.getCurrentLocation().getPointer();
  SmallVector<const Punctuation *> open; // what closes them
  do {
    SMLoc place = in.parser.getCurrentLocation();
    const Punctuation *p = punctuation;
    for (; p < punctuation + 8; p += 2)
      if (succeeded((in.parser.*p->parseOptional)()))
        break;
    if (p < punctuation + 8) {
      open.push_back(p + 1);
    } else if (open.empty()) {
      in.parser.emitError(place, "expected '(', '[', '{' or '<'");
      return false;
    } else if (succeeded((in.parser.*open.back()->parseOptional)())) {
      open.pop_back();
      *text = wrap(StringRef(start, place.getPointer() + 1 - start));
    } else if (!readInner(in)) {
      in.parser.emitError(place, "expected '") << open.back()->token << "'";
      return false;
    }
  } while (!open.empty());
  return true;
}

bool mlirExtAsmParseOpName(MlirExtAsmParser parser, MlirStringRef *name) {
  const std::optional<OperationName> &read =
      asmParser(parser).parseCustomOperationName();
  if (!read)
    return false;
  *name = wrap(read->getStringRef());
  return true;
}

bool mlirExtAsmParseOptionalLocation(MlirExtAsmParser parser,
                                     MlirLocation *location) {
  Reader &in = reader(parser);
  std::optional<Location> read;
  if (failed(in.parser.parseOptionalLocationSpecifier(read)))
    in.failed = true;
  else if (read) {
    in.state.location = *read;
    *location = wrap(*read);
  }
  return read.has_value();
}

//===----------------------------------------------------------------------===//
// Parts of the operation
//===----------------------------------------------------------------------===//

bool mlirExtAsmParseAttributes(MlirExtAsmParser parser, bool withKeyword) {
  Reader &in = reader(parser);
  return succeeded(
      withKeyword
          ? in.parser.parseOptionalAttrDictWithKeyword(in.state.attributes)
          : in.parser.parseOptionalAttrDict(in.state.attributes));
}

void mlirExtAsmAddAttribute(MlirExtAsmParser parser, const char *name,
                            MlirAttribute attribute) {
  // One that is given twice is found when all have been read.
  reader(parser).state.attributes.append(name, unwrap(attribute));
}

void mlirExtAsmAddResults(MlirExtAsmParser parser, intptr_t n,
                          const MlirType *types) {
  for (MlirType type : ArrayRef(types, n))
    reader(parser).state.addTypes(unwrap(type));
}

bool mlirExtAsmParseOperand(MlirExtAsmParser parser, int list) {
  Reader &in = reader(parser);
  return succeeded(in.parser.parseOperand(in.operands[list].emplace_back()));
}

bool mlirExtAsmParseOptionalOperand(MlirExtAsmParser parser, int list) {
  Reader &in = reader(parser);
  OpAsmParser::UnresolvedOperand operand;
  if (!in.found(in.parser.parseOptionalOperand(operand)))
    return false;
  in.operands[list].push_back(operand);
  return true;
}

intptr_t mlirExtAsmGetNumOperands(MlirExtAsmParser parser) {
  intptr_t n = 0;
  for (auto &list : reader(parser).operands)
    n += list.size();
  return n;
}

bool mlirExtAsmResolveOperands(MlirExtAsmParser parser, MlirExtAsmPlace place,
                               intptr_t n, const MlirType *types) {
  Reader &in = reader(parser);
  auto all = llvm::to_vector(llvm::concat<OpAsmParser::UnresolvedOperand>(
      in.operands[0], in.operands[1]));
  auto unwrapped = llvm::map_to_vector(
      ArrayRef(types, n), [](MlirType type) { return unwrap(type); });
  return succeeded(in.parser.resolveOperands(all, unwrapped, placeOf(place),
                                             in.state.operands));
}

bool mlirExtAsmResolveOperandsAs(MlirExtAsmParser parser, MlirType type) {
  Reader &in = reader(parser);
  for (auto &list : in.operands)
    if (failed(
            in.parser.resolveOperands(list, unwrap(type), in.state.operands)))
      return false;
  return true;
}

bool mlirExtAsmParseFunctionType(MlirExtAsmParser parser) {
  MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
  MlirType type;
  return mlirExtAsmParseType(parser, &type) &&
         mlirExtAsmUseFunctionType(parser, place, type);
}

bool mlirExtAsmUseFunctionType(MlirExtAsmParser parser, MlirExtAsmPlace place,
                               MlirType type) {
  auto function = dyn_cast<FunctionType>(unwrap(type));
  if (!function)
    return mlirExtAsmFail(parser, place, "expected (types) -> types");
  Reader &in = reader(parser);
  auto inputs = llvm::map_to_vector(function.getInputs(),
                                    [](Type input) { return wrap(input); });
  in.state.addTypes(function.getResults());
  return mlirExtAsmResolveOperands(parser, place, inputs.size(), inputs.data());
}

bool mlirExtAsmParseArgument(MlirExtAsmParser parser, int list, bool withType) {
  Reader &in = reader(parser);
  return succeeded(
      in.parser.parseArgument(in.arguments[list].emplace_back(), withType));
}

void mlirExtAsmSetArgumentTypes(MlirExtAsmParser parser, intptr_t n,
                                const MlirType *types) {
  intptr_t i = 0;
  for (auto &list : reader(parser).arguments)
    for (OpAsmParser::Argument &argument : list)
      if (i < n)
        argument.type = unwrap(types[i++]);
}

bool mlirExtAsmParseRegion(MlirExtAsmParser parser, bool withArguments) {
  Reader &in = reader(parser);
  Region *region = in.state.addRegion();
  if (!withArguments)
    return succeeded(in.parser.parseRegion(*region));
  auto all = llvm::to_vector(
      llvm::concat<OpAsmParser::Argument>(in.arguments[0], in.arguments[1]));
  return succeeded(in.parser.parseRegion(*region, all));
}

void mlirExtAsmAddRegion(MlirExtAsmParser parser, MlirRegion region) {
  reader(parser).state.addRegion(std::unique_ptr<Region>(unwrap(region)));
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void mlirExtAsmPrintName(MlirExtAsmPrinter printer, MlirOperation op) {
  asmPrinter(printer) << unwrap(op)->getName();
}

void mlirExtAsmPrintText(MlirExtAsmPrinter printer, MlirStringRef text) {
  asmPrinter(printer) << unwrap(text);
}

void mlirExtAsmPrint(MlirExtAsmPrinter printer, const char *text) {
  asmPrinter(printer) << text;
}

void mlirExtAsmPrintInteger(MlirExtAsmPrinter printer, int64_t value) {
  asmPrinter(printer) << value;
}

void mlirExtAsmPrintString(MlirExtAsmPrinter printer, MlirStringRef text) {
  asmPrinter(printer).printString(unwrap(text));
}

void mlirExtAsmPrintSymbolName(MlirExtAsmPrinter printer, MlirStringRef name) {
  asmPrinter(printer).printSymbolName(unwrap(name));
}

void mlirExtAsmPrintAttribute(MlirExtAsmPrinter printer,
                              MlirAttribute attribute) {
  if (!mlir_ext::printUncopied(asmPrinter(printer), unwrap(attribute)))
    asmPrinter(printer).printAttribute(unwrap(attribute));
}

void mlirExtAsmPrintType(MlirExtAsmPrinter printer, MlirType type) {
  asmPrinter(printer).printType(unwrap(type));
}

void mlirExtAsmPrintValue(MlirExtAsmPrinter printer, MlirValue value) {
  asmPrinter(printer).printOperand(unwrap(value));
}

void mlirExtAsmPrintArgument(MlirExtAsmPrinter printer, MlirValue argument) {
  asmPrinter(printer).printRegionArgument(
      cast<BlockArgument>(unwrap(argument)));
}

void mlirExtAsmPrintNewline(MlirExtAsmPrinter printer) {
  asmPrinter(printer).printNewline();
}

void mlirExtAsmPrintAttributes(MlirExtAsmPrinter printer, MlirOperation op,
                               const char *const *elided, bool withKeyword) {
  SmallVector<StringRef> names;
  for (; elided && *elided; ++elided)
    names.push_back(*elided);
  // Sorted, whether inherent or not.
  ArrayRef<NamedAttribute> all = unwrap(op)->getAttrDictionary().getValue();
  if (withKeyword)
    asmPrinter(printer).printOptionalAttrDictWithKeyword(all, names);
  else
    asmPrinter(printer).printOptionalAttrDict(all, names);
}

void mlirExtAsmPrintFunctionType(MlirExtAsmPrinter printer, MlirOperation op) {
  asmPrinter(printer).printFunctionalType(unwrap(op));
}

void mlirExtAsmPrintRegion(MlirExtAsmPrinter printer, MlirRegion region,
                           bool withArguments) {
  asmPrinter(printer).printRegion(*unwrap(region), withArguments);
}
