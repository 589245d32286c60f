//===- op.cpp - Operations from tables ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OperationName::Impl is what MLIR asks about an operation; TableOp answers
// from an MlirExtOpDefinition. Inherent attributes live in one DictionaryAttr
// property, as those of unregistered operations do.
//
//===----------------------------------------------------------------------===//

#include "op.h"
#include "interfaces.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace {

DictionaryAttr inherentAttrs(Operation *op) {
  Attribute dict = *op->getPropertiesStorage().as<Attribute *>();
  // An unregistered operation may hold any attribute here.
  return isa_and_nonnull<DictionaryAttr>(dict)
             ? cast<DictionaryAttr>(dict)
             : DictionaryAttr::get(op->getContext());
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

ParseResult parseRegions(OpAsmParser &parser, OperationState &state) {
  if (failed(parser.parseOptionalLParen()))
    return success();
  do {
    if (parser.parseRegion(*state.addRegion()))
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  return parser.parseRParen();
}

/// `: type` or `: (types) -> types`.
ParseResult parseTypes(OpAsmParser &parser, OperationState &state,
                       ArrayRef<OpAsmParser::UnresolvedOperand> operands,
                       SMLoc loc) {
  Type type;
  if (parser.parseColonType(type))
    return failure();
  if (auto function = dyn_cast<FunctionType>(type)) {
    state.addTypes(function.getResults());
    return parser.resolveOperands(operands, function.getInputs(), loc,
                                  state.operands);
  }
  state.addTypes(type);
  if (succeeded(parser.resolveOperands(operands, type, state.operands)))
    return success();
  return parser.emitError(loc, "is written with one type where operands "
                               "and result have the same; else with : "
                               "(types of operands) -> type of the result");
}

ParseResult parseDefault(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands, OpAsmParser::Delimiter::OptionalParen))
    return failure();
  // Without parentheses around the first operand the list stops before it.
  if (operands.empty() && parser.parseOperandList(operands))
    return failure();
  if (parseRegions(parser, state) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  return parseTypes(parser, state, operands, loc);
}

ParseResult parseConstant(OpAsmParser &parser, OperationState &state) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(state.attributes))
    return failure();
  Attribute value;
  OptionalParseResult result = parser.parseOptionalAttribute(value);
  if (!result.has_value())
    return parseTypes(parser, state, {}, loc);
  if (failed(*result))
    return parser.emitError(loc, "takes a value such as dense<1.0> : "
                                 "tensor<2xf32>");
  auto typed = dyn_cast<TypedAttr>(value);
  if (!typed)
    return parser.emitError(loc, "expected a value with a type");
  state.addAttribute("value", value);
  state.addTypes(typed.getType());
  return success();
}

ParseResult parseReturn(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  if (operands.empty())
    return success();
  return failure(parser.parseColonTypeList(types) ||
                 parser.resolveOperands(operands, types, loc, state.operands));
}

ParseResult parseCall(OpAsmParser &parser, OperationState &state) {
  FlatSymbolRefAttr callee;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  if (parser.parseAttribute(callee, "callee", state.attributes))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  return parseTypes(parser, state, operands, loc);
}

/// The single type that stands for a whole signature, or null.
Type commonType(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return {};
  Type type = op->getResult(0).getType();
  if (isa<FunctionType>(type))
    return {};
  return llvm::all_of(op->getOperandTypes(), [&](Type t) { return t == type; })
             ? type
             : Type();
}

void printSignature(Operation *op, OpAsmPrinter &printer) {
  printer << " : ";
  if (Type type = commonType(op))
    printer << type;
  else
    printer.printFunctionalType(op);
}

void printDefault(Operation *op, OpAsmPrinter &printer,
                  ArrayRef<NamedAttribute> attrs) {
  bool regions = op->getNumRegions() > 0;
  if (regions)
    printer << '(' << op->getOperands() << ") (";
  else if (op->getNumOperands())
    printer << ' ' << op->getOperands();
  llvm::interleaveComma(op->getRegions(), printer,
                        [&](Region &region) { printer.printRegion(region); });
  if (regions)
    printer << ')';
  printer.printOptionalAttrDict(attrs);
  printSignature(op, printer);
}

void printConstant(Operation *op, OpAsmPrinter &printer,
                   ArrayRef<NamedAttribute> attrs) {
  auto value = dyn_cast_or_null<TypedAttr>(op->getAttr("value"));
  if (!value || op->getNumOperands() || op->getNumResults() != 1 ||
      value.getType() != op->getResult(0).getType())
    return printDefault(op, printer, attrs);
  printer.printOptionalAttrDict(attrs, {"value"});
  printer << ' ';
  if (!mlir_ext::printUncopied(printer, value))
    printer << value;
}

void printReturn(Operation *op, OpAsmPrinter &printer,
                 ArrayRef<NamedAttribute> attrs) {
  if (op->getNumOperands())
    printer << ' ' << op->getOperands();
  printer.printOptionalAttrDict(attrs);
  if (op->getNumOperands())
    printer << " : " << op->getOperandTypes();
}

void printCall(Operation *op, OpAsmPrinter &printer,
               ArrayRef<NamedAttribute> attrs) {
  printer << ' ';
  printer.printAttributeWithoutType(op->getAttr("callee"));
  printer << '(' << op->getOperands() << ')';
  printer.printOptionalAttrDict(attrs, {"callee"});
  printer << " : ";
  printer.printFunctionalType(op);
}

/// Whether the op's own form can say all that it holds; the generic form can.
bool hasCustomForm(Operation *op, MlirExtOpFormat format) {
  if (op->getNumSuccessors())
    return false;
  switch (format) {
  case MlirExtOpFormatReturn:
    return op->getNumResults() == 0 && op->getNumRegions() == 0;
  case MlirExtOpFormatCall:
    return op->getAttrOfType<FlatSymbolRefAttr>("callee") &&
           op->getNumRegions() == 0;
  case MlirExtOpFormatConstant:
    return op->getNumRegions() == 0;
  case MlirExtOpFormatDefault:
    return true;
  case MlirExtOpFormatOwn:
    break;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

class TableOp : private SelfOwningTypeID, public OperationName::Impl {
public:
  TableOp(Dialect *dialect, const MlirExtOpDefinition *def, bool fullNames)
      : Impl(StringAttr::get(dialect->getContext(),
                             dialect->getNamespace() + "." + def->name),
             dialect, SelfOwningTypeID::getTypeID(),
             mlir_ext::interfacesOf(def, fullNames)),
        def(def) {}

  LogicalResult foldHook(Operation *op, ArrayRef<Attribute> operands,
                         SmallVectorImpl<OpFoldResult> &results) final {
    if (def->traits & MlirExtOpTraitConstantLike) {
      Attribute value = op->getAttr("value");
      if (!value)
        return failure();
      results.push_back(value);
      return success();
    }
    if (!def->fold || mlir_ext::isKept(getDialect()))
      return failure();
    SmallVector<MlirAttribute> constants;
    for (Attribute operand : operands)
      constants.push_back(wrap(operand));
    SmallVector<MlirExtFoldResult> folded(op->getNumResults());
    if (failed(unwrap(def->fold(wrap(op), constants.size(), constants.data(),
                                folded.data(), def))))
      return failure();
    for (MlirExtFoldResult &result : folded)
      results.push_back(result.value.ptr
                            ? OpFoldResult(unwrap(result.value))
                            : OpFoldResult(unwrap(result.attribute)));
    return success();
  }

  void getCanonicalizationPatterns(RewritePatternSet &patterns,
                                   MLIRContext *context) final {}

  bool hasTrait(TypeID id) final {
    unsigned traits = def->traits;
    if (id == TypeID::get<OpTrait::IsTerminator>())
      return traits & MlirExtOpTraitTerminator;
    if (id == TypeID::get<OpTrait::ConstantLike>())
      return traits & MlirExtOpTraitConstantLike;
    if (id == TypeID::get<OpTrait::IsIsolatedFromAbove>())
      return traits & MlirExtOpTraitIsolated;
    if (id == TypeID::get<OpTrait::IsCommutative>())
      return traits & MlirExtOpTraitCommutative;
    if (id == TypeID::get<OpTrait::HasRecursiveMemoryEffects>())
      return (traits & MlirExtOpTraitRecursiveEffects) &&
             !mlir_ext::isKept(getDialect());
    return false;
  }

  OperationName::ParseAssemblyFn getParseAssemblyFn() final {
    switch (def->format) {
    case MlirExtOpFormatConstant:
      return parseConstant;
    case MlirExtOpFormatReturn:
      return parseReturn;
    case MlirExtOpFormatCall:
      return parseCall;
    case MlirExtOpFormatDefault:
      break;
    case MlirExtOpFormatOwn:
      return [def = def](OpAsmParser &parser,
                         OperationState &state) -> ParseResult {
        if (def->parse)
          return failure(!mlir_ext::parseOp(def, parser, state));
        // "custom op 'dialect.name' " stands in front.
        return parser.emitError(parser.getNameLoc(),
                                "is written in the generic form only");
      };
    }
    return parseDefault;
  }

  void printAssembly(Operation *op, OpAsmPrinter &printer, StringRef) final {
    if (def->format == MlirExtOpFormatOwn) {
      // Only what is printed here can say all that the operation holds.
      if (op->getNumSuccessors() || !def->print ||
          !def->print(wrap(op), {&printer}, def))
        printer.printGenericOp(op, /*printOpName=*/true);
      return;
    }
    if (!hasCustomForm(op, def->format)) {
      printer.printGenericOp(op, /*printOpName=*/true);
      return;
    }
    printer << op->getName();
    SmallVector<NamedAttribute> attrs(inherentAttrs(op).getValue());
    llvm::append_range(attrs, op->getDiscardableAttrs());
    switch (def->format) {
    case MlirExtOpFormatConstant:
      return printConstant(op, printer, attrs);
    case MlirExtOpFormatReturn:
      return printReturn(op, printer, attrs);
    case MlirExtOpFormatCall:
      return printCall(op, printer, attrs);
    case MlirExtOpFormatDefault:
      return printDefault(op, printer, attrs);
    case MlirExtOpFormatOwn:
      break;
    }
  }

  LogicalResult verifyInvariants(Operation *op) final {
    if ((def->traits & MlirExtOpTraitTerminator) &&
        failed(OpTrait::impl::verifyIsTerminator(op)))
      return failure();
    return def->verify ? unwrap(def->verify(wrap(op), def)) : success();
  }
  LogicalResult verifyRegionInvariants(Operation *op) final {
    return def->traits & MlirExtOpTraitIsolated
               ? OpTrait::impl::verifyIsIsolatedFromAbove(op)
               : success();
  }

  //===--------------------------------------------------------------------===//
  // Attributes: the dictionary property
  //===--------------------------------------------------------------------===//

  bool isInherent(StringRef name) const {
    const MlirExtOpAttribute *known = def->attributes;
    for (; known && known->name; ++known)
      if (name == known->name)
        return true;
    return false;
  }
  void populateDefaultAttrs(const OperationName &, NamedAttrList &) final {}
  std::optional<Attribute> getInherentAttr(Operation *op,
                                           StringRef name) final {
    if (!isInherent(name))
      return std::nullopt;
    return inherentAttrs(op).get(name);
  }
  void setInherentAttr(Operation *op, StringAttr name, Attribute value) final {
    NamedAttrList attrs(inherentAttrs(op));
    if (value)
      attrs.set(name, value);
    else
      attrs.erase(name);
    *op->getPropertiesStorage().as<Attribute *>() =
        attrs.getDictionary(op->getContext());
  }
  void populateInherentAttrs(Operation *op, NamedAttrList &attrs) final {
    for (NamedAttribute attr : inherentAttrs(op))
      attrs.set(attr.getName(), attr.getValue());
  }
  LogicalResult verifyInherentAttrs(OperationName, NamedAttrList &,
                                    function_ref<InFlightDiagnostic()>) final {
    return success();
  }
  int getOpPropertyByteSize() final { return sizeof(Attribute); }
  void initProperties(OperationName, OpaqueProperties storage,
                      OpaqueProperties init) final {
    new (storage.as<Attribute *>()) Attribute();
    if (init)
      *storage.as<Attribute *>() = *init.as<Attribute *>();
  }
  void deleteProperties(OpaqueProperties) final {} // trivially destructible
  void populateDefaultProperties(OperationName, OpaqueProperties) final {}
  LogicalResult
  setPropertiesFromAttr(OperationName name, OpaqueProperties properties,
                        Attribute attr,
                        function_ref<InFlightDiagnostic()> emitError) final {
    auto dict = dyn_cast_or_null<DictionaryAttr>(attr);
    if (!dict)
      return emitError() << "'" << name
                         << "' takes its properties as a dictionary";
    // Whether the op has all of them is left to `verify`.
    *properties.as<Attribute *>() = dict;
    return success();
  }
  Attribute getPropertiesAsAttr(Operation *op) final {
    DictionaryAttr dict = inherentAttrs(op);
    return dict.empty() ? Attribute() : dict;
  }
  void copyProperties(OpaqueProperties to, OpaqueProperties from) final {
    *to.as<Attribute *>() = *from.as<Attribute *>();
  }
  bool compareProperties(OpaqueProperties a, OpaqueProperties b) final {
    return *a.as<Attribute *>() == *b.as<Attribute *>();
  }
  llvm::hash_code hashProperties(OpaqueProperties properties) final {
    return llvm::hash_combine(*properties.as<Attribute *>());
  }

private:
  const MlirExtOpDefinition *def;
};

} // namespace

void mlir_ext::registerOp(Dialect *dialect, const MlirExtOpDefinition *def,
                          bool fullNames) {
  RegisteredOperationName::insert(
      std::make_unique<TableOp>(dialect, def, fullNames), {});
}

void mlirExtOperationDropUses(MlirOperation op) { unwrap(op)->dropAllUses(); }

MlirAttribute mlirExtOperationGetInherentAttributes(MlirOperation op) {
  return wrap(Attribute(inherentAttrs(unwrap(op))));
}

MlirAttribute mlirExtOperationGetAttributes(MlirOperation op) {
  return wrap(Attribute(unwrap(op)->getAttrDictionary()));
}

void mlirExtOperationSetInherentAttributes(MlirOperation op,
                                           MlirAttribute attributes) {
  Operation *operation = unwrap(op);
  // Only wrong properties could fail, and a dictionary holds any.
  (void)operation->setPropertiesFromAttribute(
      unwrap(attributes), [=] { return operation->emitOpError(); });
}
