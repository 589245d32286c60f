//===- dialect.cpp - Dialects, types and attributes from tables -----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "op.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/ExtensibleDialect.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/FoldInterfaces.h"

#include <charconv>

using namespace mlir;

namespace {

/// `[1, ?, 3]` as an array<i64>, or any other attribute.
ParseResult parseEntryValue(AsmParser &parser, Attribute &value) {
  if (failed(parser.parseOptionalLSquare()))
    return parser.parseAttribute(value);
  SmallVector<int64_t> elements;
  if (failed(parser.parseOptionalRSquare())) {
    do {
      int64_t element = ShapedType::kDynamic;
      if (failed(parser.parseOptionalQuestion()) &&
          failed(parser.parseInteger(element)))
        return failure();
      elements.push_back(element);
    } while (succeeded(parser.parseOptionalComma()));
    if (failed(parser.parseRSquare()))
      return failure();
  }
  value = DenseI64ArrayAttr::get(parser.getContext(), elements);
  return success();
}

ParseResult parseEntries(AsmParser &parser,
                         SmallVectorImpl<Attribute> &params) {
  NamedAttrList entries;
  if (succeeded(parser.parseOptionalLess()) &&
      failed(parser.parseOptionalGreater())) {
    do {
      std::string key;
      Attribute value;
      SMLoc loc = parser.getCurrentLocation();
      if (parser.parseKeywordOrString(&key) || parser.parseEqual() ||
          parseEntryValue(parser, value))
        return failure();
      if (entries.get(key))
        return parser.emitError(loc, "'") << key << "' is given twice";
      entries.append(key, value);
    } while (succeeded(parser.parseOptionalComma()));
    if (parser.parseGreater())
      return failure();
  }
  params.push_back(entries.getDictionary(parser.getContext()));
  return success();
}

void printEntries(AsmPrinter &printer, ArrayRef<Attribute> params) {
  auto entries = cast<DictionaryAttr>(params[0]);
  printer << '<';
  llvm::interleaveComma(entries, printer, [&](NamedAttribute entry) {
    printer.printKeywordOrString(entry.getName());
    printer << " = ";
    if (auto list = dyn_cast<DenseI64ArrayAttr>(entry.getValue())) {
      printer << '[';
      llvm::interleaveComma(list.asArrayRef(), printer, [&](int64_t element) {
        if (ShapedType::isDynamic(element))
          printer << '?';
        else
          printer << element;
      });
      printer << ']';
    } else {
      printer << entry.getValue();
    }
  });
  printer << '>';
}

ParseResult parseText(AsmParser &parser, SmallVectorImpl<Attribute> &params) {
  std::string text;
  if (parser.parseLess() || parser.parseString(&text) || parser.parseGreater())
    return failure();
  params.push_back(StringAttr::get(parser.getContext(), text));
  return success();
}

void printText(AsmPrinter &printer, ArrayRef<Attribute> params) {
  printer << '<';
  printer.printString(cast<StringAttr>(params[0]).getValue());
  printer << '>';
}

/// `data` is the emitError of a verifier.
void report(const char *message, void *data) {
  (*static_cast<function_ref<InFlightDiagnostic()> *>(data))() << message;
}

LogicalResult verifyEntries(const MlirExtAttrDefinition *def,
                            function_ref<InFlightDiagnostic()> emitError,
                            ArrayRef<Attribute> params) {
  if (params.size() != 1 || (def->isText ? !isa<StringAttr>(params[0])
                                         : !isa<DictionaryAttr>(params[0])))
    return emitError() << "'" << def->name << "' takes "
                       << (def->isText ? "a string" : "key = value entries");
  if (!def->verify)
    return success();
  return unwrap(def->verify(wrap(params[0]), report, &emitError));
}

/// Lets an attribute check the tensors that it is the encoding of. Is found by
/// an attribute, so that its definition has to be found by that, too.
struct TensorEncoding
    : detail::VerifiableTensorEncodingInterfaceTraits::Concept {
  using Interface = VerifiableTensorEncoding;
  TensorEncoding() : Concept{verifyEncoding} {}
  static LogicalResult
  verifyEncoding(const Concept *, Attribute attr, ArrayRef<int64_t> shape,
                 Type elementType,
                 function_ref<InFlightDiagnostic()> emitError);
};

/// An interface map of attributes is private, and so is its owner's lookup, but
/// explicit instantiation may name private members.
using LookupAttribute = AbstractAttribute *(*)(TypeID, MLIRContext *);
using AttributeInterfaces = detail::InterfaceMap AbstractAttribute::*;
detail::InterfaceMap &interfacesOf(TypeID id, MLIRContext *context);
template <LookupAttribute lookup, AttributeInterfaces interfaces>
struct AttributeAccess {
  friend detail::InterfaceMap &interfacesOf(TypeID id, MLIRContext *context) {
    return lookup(id, context)->*interfaces;
  }
};
template struct AttributeAccess<&AbstractAttribute::lookupMutable,
                                &AbstractAttribute::interfaceMap>;

/// Constants stay inside the regions of the dialect's own ops, so that a
/// computation remains whole when it is moved, outlined or printed.
struct KeepConstantsInside : public DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *region) const final {
    Operation *parent = region->getParentOp();
    return parent && parent->getDialect() == getDialect();
  }
};

/// Is called for the names of the dialect that no operation has.
ParseResult refuseUnknownOp(OpAsmParser &parser, OperationState &state);

class TableDialect : public ExtensibleDialect {
public:
  TableDialect(MLIRContext *context, const MlirExtDialectDefinition *def)
      : ExtensibleDialect(def->name, context, typeIdOf(def)), def(def) {
    for (intptr_t i = 0; i < def->nOps; ++i) {
      mlir_ext::registerOp(this, &def->ops[i], def->fullNames);
      if (def->ops[i].nameValue)
        ops[def->ops[i].name] = &def->ops[i];
    }
    for (intptr_t i = 0; i < def->nTypes; ++i)
      registerDynamicType(DynamicTypeDefinition::get(
          def->types[i].name, this,
          [](function_ref<InFlightDiagnostic()> emitError,
             ArrayRef<Attribute> params) -> LogicalResult {
            if (params.empty())
              return success();
            return emitError() << "the type takes no parameters";
          }));
    for (intptr_t i = 0; i < def->nAttrs; ++i) {
      const MlirExtAttrDefinition *attr = &def->attrs[i];
      registerDynamicAttr(DynamicAttrDefinition::get(
          attr->name, this,
          [attr](function_ref<InFlightDiagnostic()> emitError,
                 ArrayRef<Attribute> params) {
            return verifyEntries(attr, emitError, params);
          },
          attr->isText ? parseText : parseEntries,
          attr->isText ? printText : printEntries));
      if (attr->verifyEncoding)
        interfacesOf(lookupAttrDefinition(attr->name)->getTypeID(), context)
            .insertModels<TensorEncoding>();
    }
    addInterfaces<KeepConstantsInside>();
  }

  /// A definition is static, so its address serves as the dialect's identity.
  static TypeID typeIdOf(const MlirExtDialectDefinition *def) {
    return TypeID::getFromOpaquePointer(def);
  }

  Operation *materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                 Location loc) override {
    if (!def->constantOp)
      return nullptr;
    OperationState state(loc, (getNamespace() + "." + def->constantOp).str());
    state.addAttribute("value", value);
    state.addTypes(type);
    return builder.create(state);
  }

  std::optional<ParseOpHook> getParseOperationHook(StringRef) const override {
    return ParseOpHook(refuseUnknownOp);
  }

  Type parseType(DialectAsmParser &parser) const override {
    if (def->keepsUnknown && !nameOf(parser, def->types, def->nTypes))
      return OpaqueType::getChecked(
          [&] { return parser.emitError(parser.getNameLoc()); },
          StringAttr::get(parser.getContext(), getNamespace()),
          parser.getFullSymbolSpec());
    StringRef name;
    Type type;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return {};
    OptionalParseResult result = parseOptionalDynamicType(name, parser, type);
    if (!result.has_value())
      parser.emitError(loc, "unknown type '!")
          << getNamespace() << '.' << name << "'";
    else if (succeeded(*result))
      return type;
    return {};
  }
  void printType(Type type, DialectAsmPrinter &printer) const override {
    (void)printIfDynamicType(type, printer);
  }
  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    if (def->keepsUnknown && !nameOf(parser, def->attrs, def->nAttrs))
      return OpaqueAttr::getChecked(
          [&] { return parser.emitError(parser.getNameLoc()); },
          StringAttr::get(parser.getContext(), getNamespace()),
          parser.getFullSymbolSpec(),
          type ? type : NoneType::get(parser.getContext()));
    StringRef name;
    Attribute attr;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return {};
    OptionalParseResult result = parseOptionalDynamicAttr(name, parser, attr);
    if (!result.has_value())
      parser.emitError(loc, "unknown attribute '#")
          << getNamespace() << '.' << name << "'";
    else if (succeeded(*result))
      return attr;
    return {};
  }
  void printAttribute(Attribute attr,
                      DialectAsmPrinter &printer) const override {
    (void)printIfDynamicAttr(attr, printer);
  }

  bool typesAgree(Type a, Type b) const {
    return a == b || (def->typesAgree && def->typesAgree(wrap(a), wrap(b)));
  }
  const MlirExtAttrDefinition *attrDefinition(StringRef name) const {
    return llvm::find_if(ArrayRef(def->attrs, def->nAttrs),
                         [&](auto &attr) { return name == attr.name; });
  }

  bool verbose = false;
  bool keepsOps = false; // they are neither folded nor dead

  ArrayRef<MlirExtOpDefinition> opDefinitions() const {
    return {def->ops, static_cast<size_t>(def->nOps)};
  }
  const char *nearestName(StringRef name) const;
  const MlirExtOpDefinition *opDefinition(StringRef name) const {
    return ops.lookup(name);
  }

private:
  /// The row of a table whose name is the first word of a symbol's text.
  template <typename Row>
  static const Row *nameOf(DialectAsmParser &parser, const Row *rows,
                           intptr_t n) {
    StringRef name = parser.getFullSymbolSpec().take_until(
        [](char c) { return !llvm::isAlnum(c) && c != '_'; });
    for (const Row &row : ArrayRef(rows, n))
      if (name == row.name)
        return &row;
    return nullptr;
  }

  const MlirExtDialectDefinition *def;
  llvm::StringMap<const MlirExtOpDefinition *> ops; // of those with names
};

const char *nameOfOp(int i, const void *data) {
  auto ops = static_cast<const TableDialect *>(data)->opDefinitions();
  return static_cast<size_t>(i) < ops.size() ? ops[i].name : nullptr;
}

const char *TableDialect::nearestName(StringRef name) const {
  return def->nearestName
             ? def->nearestName(name.data(), name.size(), nameOfOp, this)
             : nullptr;
}

// By the table: MLIR 22 does not find all operations of a dialect by its name.
ParseResult refuseUnknownOp(OpAsmParser &parser, OperationState &state) {
  const auto *dialect = static_cast<const TableDialect *>(
      parser.getContext()->getLoadedDialect(state.name.getDialectNamespace()));
  const char *nearest = dialect->nearestName(state.name.stripDialect());
  // "custom op 'xla.ad' " stands in front.
  auto error = parser.emitError(parser.getNameLoc(), "is unknown");
  if (nearest)
    error << "; did you mean '" << dialect->getNamespace() << '.' << nearest
          << "'?";
  return error;
}

LogicalResult
TensorEncoding::verifyEncoding(const Concept *, Attribute attr,
                               ArrayRef<int64_t> shape, Type elementType,
                               function_ref<InFlightDiagnostic()> emitError) {
  // The parser goes on after complex<complex<f32>>, which it has refused.
  if (!elementType)
    return failure();
  auto dynamic = cast<DynamicAttr>(attr);
  auto &dialect = static_cast<TableDialect &>(attr.getDialect());
  return unwrap(dialect.attrDefinition(dynamic.getAttrDef()->getName())
                    ->verifyEncoding(wrap(dynamic.getParams()[0]), shape.size(),
                                     shape.data(), wrap(elementType), report,
                                     &emitError));
}

/// MLIRContext loads a dialect with a constructor that captures only by a
/// private overload; the public one default-constructs, which leaves no place
/// for a table. Explicit instantiation may name private members.
using LoadFunction =
    Dialect *(MLIRContext::*)(StringRef, TypeID,
                              function_ref<std::unique_ptr<Dialect>()>);
Dialect *load(MLIRContext *context, StringRef name, TypeID id,
              function_ref<std::unique_ptr<Dialect>()> construct);
template <LoadFunction function> struct Loader {
  friend Dialect *load(MLIRContext *context, StringRef name, TypeID id,
                       function_ref<std::unique_ptr<Dialect>()> construct) {
    return (context->*function)(name, id, construct);
  }
};
template struct Loader<&MLIRContext::getOrLoadDialect>;

ExtensibleDialect *lookup(MLIRContext *context, MlirStringRef name) {
  return dyn_cast_or_null<ExtensibleDialect>(
      context->getOrLoadDialect(unwrap(name)));
}

} // namespace

const MlirExtOpDefinition *mlir_ext::definitionOf(Operation *op) {
  return static_cast<TableDialect *>(op->getDialect())
      ->opDefinition(op->getName().stripDialect());
}

bool mlir_ext::typesAgree(Operation *op, Type a, Type b) {
  return static_cast<TableDialect *>(op->getDialect())->typesAgree(a, b);
}

void mlirExtDialectRegister(MlirDialectRegistry registry,
                            const MlirExtDialectDefinition *definition) {
  unwrap(registry)->insert(
      TableDialect::typeIdOf(definition), definition->name,
      [definition](MLIRContext *context) -> Dialect * {
        return load(
            context, definition->name, TableDialect::typeIdOf(definition), [&] {
              return std::make_unique<TableDialect>(context, definition);
            });
      });
}

MlirType mlirExtTypeGet(MlirContext context, MlirStringRef dialect,
                        MlirStringRef name) {
  ExtensibleDialect *owner = lookup(unwrap(context), dialect);
  DynamicTypeDefinition *def =
      owner ? owner->lookupTypeDefinition(unwrap(name)) : nullptr;
  return wrap(def ? Type(DynamicType::get(def)) : Type());
}

bool mlirExtTypeIsA(MlirType type, MlirStringRef dialect, MlirStringRef name) {
  auto dynamic = dyn_cast<DynamicType>(unwrap(type));
  return dynamic && dynamic.getTypeDef()->getName() == unwrap(name) &&
         dynamic.getTypeDef()->getDialect()->getNamespace() == unwrap(dialect);
}

MlirAttribute mlirExtAttrGet(MlirContext context, MlirStringRef dialect,
                             MlirStringRef name, MlirAttribute entries) {
  ExtensibleDialect *owner = lookup(unwrap(context), dialect);
  DynamicAttrDefinition *def =
      owner ? owner->lookupAttrDefinition(unwrap(name)) : nullptr;
  if (!def)
    return wrap(Attribute());
  Attribute params[] = {unwrap(entries)};
  Location loc = UnknownLoc::get(unwrap(context));
  return wrap(Attribute(
      DynamicAttr::getChecked([&] { return emitError(loc); }, def, params)));
}

MlirAttribute mlirExtAttrGetEntries(MlirAttribute attribute,
                                    MlirStringRef dialect, MlirStringRef name) {
  auto dynamic = dyn_cast_or_null<DynamicAttr>(unwrap(attribute));
  if (!dynamic || dynamic.getAttrDef()->getName() != unwrap(name) ||
      dynamic.getAttrDef()->getDialect()->getNamespace() != unwrap(dialect))
    return wrap(Attribute());
  return wrap(dynamic.getParams()[0]);
}

void mlirExtEmitRemark(MlirLocation location, MlirStringRef dialect,
                       const char *message) {
  Location loc = unwrap(location);
  auto *table = static_cast<TableDialect *>(lookup(loc.getContext(), dialect));
  if (table && table->verbose)
    emitRemark(loc) << message;
  else
    remark::analysis(
        loc, remark::RemarkOpts::name(message).category(unwrap(dialect)));
}

void mlirExtDialectSetVerbose(MlirContext context, MlirStringRef dialect,
                              bool verbose) {
  if (auto *table =
          static_cast<TableDialect *>(lookup(unwrap(context), dialect)))
    table->verbose = verbose;
}

bool mlir_ext::isKept(Dialect *dialect) {
  return static_cast<TableDialect *>(dialect)->keepsOps;
}

void mlirExtDialectKeepOps(MlirContext context, MlirStringRef dialect) {
  if (auto *table =
          static_cast<TableDialect *>(lookup(unwrap(context), dialect)))
    table->keepsOps = true;
}

size_t mlirExtPrintFloat(float value, char chars[MLIR_EXT_FLOAT_CHARS]) {
  return size_t(std::to_chars(chars, chars + MLIR_EXT_FLOAT_CHARS, value).ptr -
                chars);
}

size_t mlirExtPrintDouble(double value, char chars[MLIR_EXT_FLOAT_CHARS]) {
  return size_t(std::to_chars(chars, chars + MLIR_EXT_FLOAT_CHARS, value).ptr -
                chars);
}

bool mlirExtAttributeIsADenseResource(MlirAttribute attribute) {
  return isa<DenseResourceElementsAttr>(unwrap(attribute));
}

MlirStringRef mlirExtDenseGetRawData(MlirAttribute attribute) {
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(unwrap(attribute)))
    return mlirStringRefCreate(dense.getRawData().data(),
                               dense.getRawData().size());
  auto resource = dyn_cast<DenseResourceElementsAttr>(unwrap(attribute));
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob)
    return mlirStringRefCreate("", 0);
  return mlirStringRefCreate(blob->getData().data(), blob->getData().size());
}
