//===- parse.cpp - Programs from text -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ext.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

/// `known`, or, where that says nothing of files, the place in the text.
static Location placeOf(Location known, Location place) {
  if (isa<UnknownLoc>(known))
    return place;
  auto name = dyn_cast<NameLoc>(known);
  return name && isa<UnknownLoc>(name.getChildLoc())
             ? NameLoc::get(name.getName(), place)
             : known;
}

/// Gives operations that the text puts at `loc(unknown)` their places in it.
static void setPlaces(const AsmParserState &state, const llvm::SourceMgr &text,
                      StringRef name) {
  for (const AsmParserState::OperationDefinition &def : state.getOpDefs()) {
    if (!def.op || !def.loc.Start.isValid() ||
        isa<FileLineColRange>(def.op->getLoc()))
      continue;
    auto [line, column] = text.getLineAndColumn(def.loc.Start);
    def.op->setLoc(
        placeOf(def.op->getLoc(),
                FileLineColLoc::get(def.op->getContext(), name, line, column)));
  }
}

MlirModule mlirExtModuleCreateParseUnverified(MlirContext context,
                                              MlirStringRef text,
                                              MlirStringRef name) {
  StringRef source = unwrap(text);
  ParserConfig config(unwrap(context), /*verifyAfterParse=*/false);
  auto buffer = llvm::MemoryBuffer::getMemBuffer(
      source, unwrap(name), /*RequiresNullTerminator=*/false);
  // Remembering places takes time, and most texts leave them to the parser.
  if (isBytecode(buffer->getMemBufferRef()) ||
      !(source.contains("loc(unknown)") || source.contains("loc(\"")))
    return wrap(
        parseSourceString<ModuleOp>(source, config, unwrap(name)).release());
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  AsmParserState state;
  Block block;
  if (failed(parseAsmSourceFile(sources, &block, config, &state)))
    return wrap(ModuleOp());
  setPlaces(state, sources, unwrap(name));
  return wrap(detail::constructContainerOpForParserIfNecessary<ModuleOp>(
                  &block, unwrap(context),
                  FileLineColLoc::get(unwrap(context), unwrap(name), 0, 0))
                  .release());
}
