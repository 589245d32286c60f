//===- interfaces.cpp - Interfaces of operations from tables --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "interfaces.h"
#include "op.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace {

struct NoEffects : detail::MemoryEffectOpInterfaceInterfaceTraits::Concept {
  using Interface = MemoryEffectOpInterface;
  NoEffects()
      : Concept{[](const Concept *, Operation *op,
                   SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
          if (mlir_ext::isKept(op->getDialect()))
            effects.emplace_back(MemoryEffects::Write::get());
        }} {}
};

template <Speculation::Speculatability answer>
struct Speculatable
    : detail::ConditionallySpeculatableInterfaceTraits::Concept {
  using Interface = ConditionallySpeculatable;
  Speculatable()
      : Concept{[](const Concept *, Operation *) { return answer; }} {}
};

/// The dictionary property as one attribute. MLIR requires this interface of
/// every registered operation that has properties.
struct Bytecode : detail::BytecodeOpInterfaceInterfaceTraits::Concept {
  using Interface = BytecodeOpInterface;
  static LogicalResult read(DialectBytecodeReader &reader,
                            OperationState &state) {
    DictionaryAttr attributes;
    if (failed(reader.readAttribute(attributes)))
      return failure();
    state.propertiesAttr = attributes;
    return success();
  }
  static void write(const Concept *, Operation *op,
                    DialectBytecodeWriter &writer) {
    Attribute attributes = *op->getPropertiesStorage().as<Attribute *>();
    writer.writeAttribute(attributes ? attributes
                                     : DictionaryAttr::get(op->getContext()));
  }
  Bytecode() : Concept{read, write} {}
};

/// Calls `setName` for those of `values` that the definition of `op` names.
void nameValues(Operation *op, intptr_t region, ValueRange values,
                OpAsmSetValueNameFn setName) {
  const MlirExtOpDefinition *def = mlir_ext::definitionOf(op);
  if (!def || !def->nameValue)
    return;
  for (auto [i, value] : llvm::enumerate(values))
    if (const char *name = def->nameValue(wrap(op), region, i, def))
      setName(value, name);
}

/// In regions, names of operations without a dialect are those of `xla`, as
/// those of `func` are in functions: a region may end in `return`. Is asked
/// without an operation, so that the name cannot come from a table.
template <bool fullNames>
struct Syntax : detail::OpAsmOpInterfaceInterfaceTraits::Concept {
  using Interface = OpAsmOpInterface;
  Syntax()
      : Concept{
            [](const Concept *, Operation *op, OpAsmSetValueNameFn setName) {
              nameValues(op, -1, op->getResults(), setName);
            },
            [](const Concept *, Operation *op, Region &region,
               OpAsmSetValueNameFn setName) {
              if (!region.empty())
                nameValues(op, region.getRegionNumber(),
                           region.front().getArguments(), setName);
            },
            [](const Concept *, Operation *, OpAsmSetBlockNameFn) {},
            [] { return StringRef(fullNames ? "" : "xla"); }} {}
};

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

FlatSymbolRefAttr calleeOf(Operation *op) {
  return op->getAttrOfType<FlatSymbolRefAttr>("callee");
}

LogicalResult verifyCallee(Operation *op, SymbolTableCollection &symbols) {
  FlatSymbolRefAttr callee = calleeOf(op);
  if (!callee)
    return op->emitOpError("requires a symbol reference 'callee'");
  auto function =
      symbols.lookupNearestSymbolFrom<FunctionOpInterface>(op, callee);
  if (!function)
    return op->emitOpError() << callee << " does not name a function";
  ArrayRef<Type> inputs = function.getArgumentTypes();
  if (inputs.size() != op->getNumOperands())
    return op->emitOpError()
           << callee << " takes " << inputs.size()
           << " arguments, the call has " << op->getNumOperands();
  for (auto [i, wanted, given] : llvm::enumerate(inputs, op->getOperandTypes()))
    if (!mlir_ext::typesAgree(op, wanted, given))
      return op->emitOpError() << "argument " << i << " of " << callee << " is "
                               << wanted << ", operand " << i << " " << given;
  if (!llvm::equal(
          function.getResultTypes(), op->getResultTypes(),
          [&](Type a, Type b) { return mlir_ext::typesAgree(op, a, b); }))
    return op->emitOpError() << "result types differ from those of " << callee;
  return success();
}

struct SymbolUser : detail::SymbolUserOpInterfaceInterfaceTraits::Concept {
  using Interface = SymbolUserOpInterface;
  SymbolUser()
      : Concept{
            [](const Concept *, Operation *op, SymbolTableCollection &symbols) {
              return verifyCallee(op, symbols);
            }} {}
};

/// CallOpInterface builds on this one; such calls carry no attributes an
/// argument.
struct NoArgAndResultAttrs
    : detail::ArgAndResultAttrsOpInterfaceInterfaceTraits::Concept {
  using Interface = ArgAndResultAttrsOpInterface;
  static ArrayAttr get(const Concept *, Operation *) { return {}; }
  static void set(const Concept *, Operation *, ArrayAttr) {}
  static Attribute remove(const Concept *, Operation *) { return {}; }
  NoArgAndResultAttrs() : Concept{get, get, set, set, remove, remove} {}
};

struct Call : detail::CallOpInterfaceInterfaceTraits::Concept {
  using Interface = CallOpInterface;
  static CallInterfaceCallable callable(const Concept *, Operation *op) {
    return SymbolRefAttr(calleeOf(op));
  }
  static void setCallable(const Concept *, Operation *op,
                          CallInterfaceCallable callee) {
    op->setAttr("callee", cast<SymbolRefAttr>(callee));
  }
  static Operation::operand_range args(const Concept *, Operation *op) {
    return op->getOperands();
  }
  static MutableOperandRange argsMutable(const Concept *, Operation *op) {
    return MutableOperandRange(op);
  }
  static Operation *resolveInTable(const Concept *, Operation *op,
                                   SymbolTableCollection *symbols) {
    return call_interface_impl::resolveCallable(cast<CallOpInterface>(op),
                                                symbols);
  }
  static Operation *resolve(const Concept *, Operation *op) {
    return call_interface_impl::resolveCallable(cast<CallOpInterface>(op));
  }
  Call()
      : Concept{callable,    setCallable,    args,
                argsMutable, resolveInTable, resolve} {}
};

} // namespace

detail::InterfaceMap mlir_ext::interfacesOf(const MlirExtOpDefinition *def,
                                            bool fullNames) {
  detail::InterfaceMap map;
  map.insertModels<Bytecode>();
  if (fullNames)
    map.insertModels<Syntax<true>>();
  else
    map.insertModels<Syntax<false>>();
  if (def->traits & MlirExtOpTraitPure)
    map.insertModels<NoEffects, Speculatable<Speculation::Speculatable>>();
  else if (def->traits & MlirExtOpTraitRecursiveEffects)
    map.insertModels<Speculatable<Speculation::RecursivelySpeculatable>>();
  if (def->traits & MlirExtOpTraitCall)
    map.insertModels<SymbolUser, NoArgAndResultAttrs, Call>();
  return map;
}
