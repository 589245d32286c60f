//===- pass.cpp - Passes with options from tables -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ext.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <variant>

using namespace mlir;

namespace {

/// Printing and cloning options goes through non-virtual functions of Pass over
/// the list of its Option members, so the members have to be real ones, made in
/// the table's order.
class TablePass : public Pass {
public:
  explicit TablePass(const MlirExtPassDefinition *def)
      : Pass(TypeID::getFromOpaquePointer(def), "builtin.module"), def(def) {
    for (intptr_t i = 0; i < def->nOptions; ++i)
      addOption(def->options[i]);
  }

  StringRef getName() const override { return def->name; }
  StringRef getArgument() const override { return def->name; }
  StringRef getDescription() const override { return def->description; }
  bool canScheduleOn(RegisteredOperationName name) const override {
    return name.getStringRef() == "builtin.module";
  }
  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<TablePass>(def);
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    for (auto *name = def->dependentDialects; name && *name; ++name)
      dependent.push_back(*name);
  }
  LogicalResult initialize(MLIRContext *context) override {
    for (auto *name = def->dependentDialects; name && *name; ++name)
      context->getOrLoadDialect(*name);
    return success();
  }
  void runOnOperation() override {
    if (failed(unwrap(def->run(wrap(getOperation()), {this}, def->userData))))
      signalPassFailure();
  }

  template <typename T> const T &option(intptr_t index) const {
    return *std::get<std::unique_ptr<T>>(options[index]);
  }

  using BoolOption = Option<bool>;
  using IntOption = Option<int64_t>;
  using StringOption = Option<std::string>;

private:
  void addOption(const MlirExtPassOption &o) {
    StringRef text = o.defaultValue ? o.defaultValue : "";
    auto desc = llvm::cl::desc(o.description);
    switch (o.kind) {
    case MlirExtPassOptionBool:
      options.push_back(std::make_unique<BoolOption>(
          *this, o.name, desc, llvm::cl::init(text == "true")));
      break;
    case MlirExtPassOptionInt: {
      int64_t value = 0;
      (void)text.getAsInteger(10, value);
      options.push_back(std::make_unique<IntOption>(*this, o.name, desc,
                                                    llvm::cl::init(value)));
      break;
    }
    case MlirExtPassOptionString:
      options.push_back(std::make_unique<StringOption>(
          *this, o.name, desc, llvm::cl::init(text.str())));
      break;
    case MlirExtPassOptionWord:
      options.push_back(std::make_unique<StringOption>(
          *this, o.name, desc, llvm::cl::init(text.str()),
          llvm::cl::ValueOptional));
      break;
    }
  }

  const MlirExtPassDefinition *def;
  mutable SmallVector<StringRef> dependent;
  std::vector<
      std::variant<std::unique_ptr<BoolOption>, std::unique_ptr<IntOption>,
                   std::unique_ptr<StringOption>>>
      options;
};

const TablePass &pass(MlirExtPassOptionValues values) {
  return *static_cast<const TablePass *>(values.ptr);
}

} // namespace

void mlirExtPassRegister(const MlirExtPassDefinition *definition) {
  registerPass([definition]() -> std::unique_ptr<Pass> {
    return std::make_unique<TablePass>(definition);
  });
}

/// The text of a pipeline with options in place of its `*`; `taken` is set if
/// it has one.
static std::string withOptions(StringRef pipeline, StringRef options,
                               bool &taken) {
  auto [head, tail] = pipeline.split('*');
  bool isThere = head.size() < pipeline.size();
  taken |= isThere;
  return isThere ? (head + options + tail).str() : pipeline.str();
}

void mlirExtPassPipelineRegister(const char *name, const char *description,
                                 const char *pipeline) {
  registerPassPipeline(
      name, description,
      [pipeline](OpPassManager &manager, StringRef options,
                 function_ref<LogicalResult(const Twine &)> error) {
        bool taken = options.trim().empty();
        std::string text = withOptions(pipeline, options.trim(), taken);
        if (!taken)
          return error("the pipeline takes no options");
        return parsePassPipeline(text, manager);
      },
      [](function_ref<void(const detail::PassOptions &)>) {});
}

/// Takes to=STAGE out of `options`: all that comes before and behind it.
static std::string withoutStage(StringRef options, StringRef &stage) {
  SmallVector<StringRef> words;
  std::string others;
  options.split(words, ' ', -1, false);
  for (StringRef word : words)
    if (!word.consume_front("to="))
      others += (others.empty() ? "" : " ") + word.str();
    else
      stage = word;
  return others;
}

void mlirExtStagedPipelineRegister(const char *name, const char *description,
                                   const MlirExtPipelineStage *stages) {
  registerPassPipeline(
      name, description,
      [stages](OpPassManager &manager, StringRef options,
               function_ref<LogicalResult(const Twine &)> error) {
        StringRef last;
        std::string others = withoutStage(options, last);
        bool isAll = last.empty(), isKnown = isAll, taken = others.empty();
        std::string names;
        for (const MlirExtPipelineStage *s = stages; s->name; ++s) {
          names += (names.empty() ? "" : ", ") + std::string(s->name);
          isKnown |= last == s->name;
        }
        if (!isKnown)
          return error("no stage '" + last + "'; they are " + names);
        for (const MlirExtPipelineStage *s = stages; s->name; ++s) {
          std::string text = withOptions(s->pipeline, others, taken);
          if (failed(parsePassPipeline(text, manager)))
            return failure();
          if (!isAll && last == s->name)
            break;
        }
        return taken ? success() : error("the only option is to=STAGE");
      },
      [](function_ref<void(const detail::PassOptions &)>) {});
}

bool mlirExtPassOptionGetBool(MlirExtPassOptionValues values, intptr_t index) {
  return pass(values).option<TablePass::BoolOption>(index);
}

int64_t mlirExtPassOptionGetInt(MlirExtPassOptionValues values,
                                intptr_t index) {
  return pass(values).option<TablePass::IntOption>(index);
}

MlirStringRef mlirExtPassOptionGetString(MlirExtPassOptionValues values,
                                         intptr_t index) {
  const std::string &text =
      pass(values).option<TablePass::StringOption>(index).getValue();
  return mlirStringRefCreate(text.data(), text.size());
}
