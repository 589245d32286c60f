//===- lsp_text.cpp - What editors are told of texts ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp_text.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;
namespace json = llvm::json;

StringRef xlac::lineUpTo(StringRef text, int64_t line, int64_t character) {
  for (; line > 0; --line) {
    size_t end = text.find('\n');
    if (end == StringRef::npos)
      return "";
    text = text.drop_front(end + 1);
  }
  text = text.take_until([](char c) { return c == '\n' || c == '\r'; });
  size_t bytes = 0;
  for (int64_t units = 0; bytes < text.size() && units < character; ++units) {
    auto first = static_cast<unsigned char>(text[bytes]);
    bytes += first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    units += first >= 0xF0;
  }
  return text.take_front(bytes);
}

static void addWord(MlirStringRef word, void *items) {
  static_cast<json::Array *>(items)->push_back(
      json::Object{{"label", std::string(word.data, word.length)},
                   {"kind", 20}}); // EnumMember
}

json::Array xlac::completionsAt(const MlirExtLspHooks &hooks, StringRef line) {
  json::Array items;
  if (hooks.complete)
    hooks.complete(mlirStringRefCreate(line.data(), line.size()), addWord,
                   &items, hooks.userData);
  return items;
}

namespace {

/// An operation that begins in a line.
struct Found {
  int64_t line;
  size_t begin, end; ///< of its name, in the line
  StringRef name, results;
};

bool isNameByte(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '-';
}

/// `%0:2 = dialect.name`, `"dialect.name"` or `dialect.name`. False if the line
/// has none.
bool find(StringRef line, Found &found) {
  StringRef rest = line.ltrim(" \t");
  found.results = "";
  if (rest.starts_with("%")) {
    size_t equal = rest.find(" = ");
    if (equal == StringRef::npos)
      return false;
    found.results = rest.take_front(equal);
    rest = rest.drop_front(equal + 3).ltrim(' ');
  }
  rest.consume_front("\"");
  found.name = rest.take_while(isNameByte);
  found.begin = static_cast<size_t>(rest.data() - line.data());
  found.end = found.begin + found.name.size();
  // `call` and `return` are func's.
  return llvm::isAlpha(found.name.empty() ? '.' : found.name[0]) &&
         (found.name.contains('.') || !found.results.empty());
}

json::Object position(int64_t line, size_t character) {
  return json::Object{{"line", line},
                      {"character", static_cast<int64_t>(character)}};
}

json::Object range(const Found &found) {
  return json::Object{{"start", position(found.line, found.begin)},
                      {"end", position(found.line, found.end)}};
}

int64_t lineOf(const json::Object &symbol, StringRef edge) {
  const json::Object *range = symbol.getObject("range");
  const json::Object *at = range ? range->getObject(edge) : nullptr;
  return at ? at->getInteger("line").value_or(-1) : -1;
}

/// Below the symbols in `symbols` that have no others below them.
void addTo(json::Array &symbols, llvm::ArrayRef<Found> all) {
  for (json::Value &value : symbols) {
    json::Object *symbol = value.getAsObject();
    if (!symbol)
      continue;
    json::Array *children = symbol->getArray("children");
    if (children && !children->empty()) {
      addTo(*children, all);
      continue;
    }
    int64_t first = lineOf(*symbol, "start"), last = lineOf(*symbol, "end");
    json::Array ops;
    for (const Found &found : all)
      if (found.line > first && found.line < last)
        // JSON of a StringRef refers to the text, which goes before it does.
        ops.push_back(json::Object{{"name", found.name.str()},
                                   {"detail", found.results.str()},
                                   {"kind", 25}, // Operator
                                   {"range", range(found)},
                                   {"selectionRange", range(found)}});
    (*symbol)["children"] = std::move(ops);
  }
}

} // namespace

void xlac::addOperations(StringRef text, json::Array &symbols) {
  constexpr size_t most = 10000;
  llvm::SmallVector<Found> all;
  Found found;
  for (found.line = 0; !text.empty() && all.size() < most; ++found.line) {
    auto [line, rest] = text.split('\n');
    if (find(line, found))
      all.push_back(found);
    text = rest;
  }
  addTo(symbols, all);
}
