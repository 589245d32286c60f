//===- uncopied.cpp - Constants that stay where they are ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ext.h"
#include "op.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"

#include <mutex>

using namespace mlir;

namespace {

enum class Kind { Copied, Uncopied, Mapped };

/// The resources of a context that mlirExtUncopiedDenseGet has made. A text may
/// give its own any key, so keys do not tell.
class Uncopied : public DialectInterface::Base<Uncopied> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Uncopied)
  explicit Uncopied(Dialect *dialect) : Base(dialect) {}

  void add(const void *entry, Kind kind) {
    std::lock_guard<std::mutex> guard(mutex);
    entries[entry] = kind;
  }

  Kind kindOf(const void *entry) const {
    std::lock_guard<std::mutex> guard(mutex);
    return entries.lookup(entry);
  }

private:
  mutable std::mutex mutex;
  llvm::DenseMap<const void *, Kind> entries;
};

} // namespace

static Kind kindOf(Attribute value) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  auto *known = resource ? resource.getContext()
                               ->getLoadedDialect<BuiltinDialect>()
                               ->getRegisteredInterface<Uncopied>()
                         : nullptr;
  return known ? known->kindOf(resource.getRawHandle().getResource())
               : Kind::Copied;
}

MlirAttribute mlirExtUncopiedDenseGet(MlirType type, MlirStringRef name,
                                      const void *data, size_t size,
                                      bool isMapped) {
  auto shaped = cast<ShapedType>(unwrap(type));
  ArrayRef<char> bytes(static_cast<const char *>(data), size);
  auto *builtin = shaped.getContext()->getLoadedDialect<BuiltinDialect>();
  if (!builtin->getRegisteredInterface<Uncopied>())
    builtin->addInterfaces<Uncopied>();
  auto value = DenseResourceElementsAttr::get(
      shaped, unwrap(name),
      UnmanagedAsmResourceBlob::allocateWithAlign(bytes, 1, /*deleter=*/{},
                                                  /*dataIsMutable=*/false));
  builtin->getRegisteredInterface<Uncopied>()->add(
      value.getRawHandle().getResource(),
      isMapped ? Kind::Mapped : Kind::Uncopied);
  return wrap(cast<Attribute>(value));
}

bool mlirExtDenseIsMapped(MlirAttribute attribute) {
  return kindOf(unwrap(attribute)) == Kind::Mapped;
}

bool mlir_ext::printUncopied(OpAsmPrinter &printer, Attribute value) {
  if (kindOf(value) == Kind::Copied)
    return false;
  auto resource = cast<DenseResourceElementsAttr>(value);
  ArrayRef<char> bytes = resource.getRawHandle().getBlob()->getData();
  llvm::raw_ostream &stream = printer.getStream();
  stream << "dense<\"0x";
  for (; !bytes.empty();
       bytes = bytes.drop_front(std::min<size_t>(bytes.size(), 1 << 15)))
    stream << llvm::toHex(toStringRef(bytes.take_front(1 << 15)));
  stream << "\"> : ";
  printer.printType(resource.getType());
  return true;
}
