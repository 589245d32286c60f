//===- lsp.cpp - The language server --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's server cannot be extended: it is a function that talks over standard
// input and output. So these become pipes, and two threads pass messages on
// between them and the editor: one adds to what the server answers, the other
// keeps documents away that the server has no answer for, and answers itself
// where only this project knows.
//
//===----------------------------------------------------------------------===//

#include "ext.h"
#include "lsp_text.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <mutex>
#include <thread>
#include <unistd.h>

using namespace mlir;
namespace json = llvm::json;

namespace {

/// Whether an option says that messages are separated by "// -----".
bool isDelimited(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef option = llvm::StringRef(argv[i]).ltrim('-');
    if (option == "lit-test" || option == "input-style=delimited")
      return true;
  }
  return false;
}

/// Whether the command line asks for text, not for a server.
bool asksForHelp(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef option = llvm::StringRef(argv[i]).ltrim('-');
    if (option == "h" || option.starts_with("help") || option == "version")
      return true;
  }
  return false;
}

void writeAll(int fd, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n <= 0)
      return; // nobody listens any more
    bytes = bytes.drop_front(static_cast<size_t>(n));
  }
}

std::string textOf(const json::Value &value, bool isPretty) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (isPretty)
    stream << llvm::formatv("{0:2}\n", value);
  else
    stream << value;
  return text;
}

void append(MlirStringRef part, void *text) {
  static_cast<std::string *>(text)->append(part.data, part.length);
}

struct Filter {
  MlirExtLspHooks hooks;
  llvm::lsp::JSONStreamStyle style;
  FILE *fromEditor, *fromServer;
  int toEditor, toServer;

  std::mutex mutex;
  llvm::StringSet<> hovers; ///< ids of requests without an answer
  /// Those for the symbols of a document, and its text then.
  llvm::StringMap<std::string> outlines;
  llvm::StringMap<std::string> texts; ///< of documents; of the editor's thread
  llvm::StringSet<> refused; ///< documents that the server does not know

  void sendToServer(llvm::StringRef message) {
    if (style == llvm::lsp::Delimited)
      writeAll(toServer, (message + "\n// -----\n").str());
    else
      writeAll(toServer, ("Content-Length: " + llvm::Twine(message.size()) +
                          "\r\n\r\n" + message)
                             .str());
  }
  void sendToEditor(llvm::StringRef message) {
    std::lock_guard<std::mutex> lock(mutex);
    writeAll(toEditor, ("Content-Length: " + llvm::Twine(message.size()) +
                        "\r\n\r\n" + message)
                           .str());
  }

  bool isRefused(llvm::StringRef uri) {
    std::lock_guard<std::mutex> lock(mutex);
    return refused.contains(uri);
  }
  /// What the editor shows for a document: an error, or nothing.
  void publish(llvm::StringRef uri, const char *why, int64_t line,
               int64_t column) {
    json::Array diagnostics;
    if (why) {
      json::Object start{{"line", line}, {"character", column}};
      json::Object end{{"line", line}, {"character", column + 1}};
      diagnostics.push_back(
          json::Object{{"range", json::Object{{"start", std::move(start)},
                                              {"end", std::move(end)}}},
                       {"severity", 1},
                       {"source", "mlir"},
                       {"message", why}});
    }
    json::Object params{{"uri", uri}, {"diagnostics", std::move(diagnostics)}};
    json::Object message{{"jsonrpc", "2.0"},
                         {"method", "textDocument/publishDiagnostics"},
                         {"params", std::move(params)}};
    sendToEditor(textOf(std::move(message), style == llvm::lsp::Delimited));
  }

  bool refuse(llvm::StringRef uri, llvm::StringRef text);
  bool changeDocument(llvm::StringRef method, const json::Object &params);
  bool complete(const json::Object &message, const json::Object &params);
  bool passToServer(const json::Object &message);
  void describe(json::Object &message);
  bool passToEditor(json::Object &message);
  void runEditor();
  void runServer();
};

/// Whether the server is not to see this text, which the editor is told then.
bool Filter::refuse(llvm::StringRef uri, llvm::StringRef text) {
  int64_t line = 0, column = 0;
  const char *why =
      hooks.refuse ? hooks.refuse(mlirStringRefCreate(text.data(), text.size()),
                                  &line, &column, hooks.userData)
                   : nullptr;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!why)
      refused.erase(uri);
    else
      refused.insert(uri);
  }
  if (why)
    publish(uri, why, line, column);
  return why;
}

/// Whether the server is to hear that a document is opened, changed or closed.
bool Filter::changeDocument(llvm::StringRef method,
                            const json::Object &params) {
  const json::Object *document = params.getObject("textDocument");
  auto uri = document ? document->getString("uri") : std::nullopt;
  if (!uri)
    return true;
  bool was = isRefused(*uri);
  if (method == "textDocument/didClose") {
    texts.erase(*uri);
    if (was) {
      std::lock_guard<std::mutex> lock(mutex);
      refused.erase(*uri);
    }
    if (was)
      publish(*uri, nullptr, 0, 0);
    return !was;
  }
  // The server asks for whole texts.
  const json::Array *changes = params.getArray("contentChanges");
  const json::Object *last =
      changes && !changes->empty() ? changes->back().getAsObject() : nullptr;
  auto text = method == "textDocument/didOpen" ? document->getString("text")
              : last                           ? last->getString("text")
                                               : std::nullopt;
  if (!text)
    return true;
  texts[*uri] = text->str();
  if (refuse(*uri, *text)) {
    if (!was && method != "textDocument/didOpen") {
      json::Object id{{"uri", *uri}};
      json::Object closed{{"textDocument", std::move(id)}};
      sendToServer(textOf(json::Object{{"jsonrpc", "2.0"},
                                       {"method", "textDocument/didClose"},
                                       {"params", std::move(closed)}},
                          false));
    }
    return false;
  }
  if (!was || method == "textDocument/didOpen")
    return true;
  json::Object opened{{"uri", *uri},
                      {"languageId", "mlir"},
                      {"version", document->getInteger("version").value_or(0)},
                      {"text", *text}};
  sendToServer(
      textOf(json::Object{{"jsonrpc", "2.0"},
                          {"method", "textDocument/didOpen"},
                          {"params",
                           json::Object{{"textDocument", std::move(opened)}}}},
             false));
  return false;
}

/// Answers a completion where hooks know the words; false where they do not.
bool Filter::complete(const json::Object &message, const json::Object &params) {
  const json::Object *document = params.getObject("textDocument");
  const json::Object *at = params.getObject("position");
  auto uri = document ? document->getString("uri") : std::nullopt;
  auto line = at ? at->getInteger("line") : std::nullopt;
  auto character = at ? at->getInteger("character") : std::nullopt;
  auto text = uri ? texts.find(*uri) : texts.end();
  if (!line || !character || text == texts.end())
    return false;
  json::Array items = xlac::completionsAt(
      hooks, xlac::lineUpTo(text->second, *line, *character));
  if (items.empty())
    return false;
  json::Object result{{"isIncomplete", false}, {"items", std::move(items)}};
  sendToEditor(textOf(json::Object{{"jsonrpc", "2.0"},
                                   {"id", *message.get("id")},
                                   {"result", std::move(result)}},
                      style == llvm::lsp::Delimited));
  return true;
}

bool Filter::passToServer(const json::Object &message) {
  auto method = message.getString("method");
  const json::Object *params = message.getObject("params");
  if (!method)
    return true;
  if (*method == "textDocument/hover" && message.get("id")) {
    std::lock_guard<std::mutex> lock(mutex);
    hovers.insert(textOf(*message.get("id"), false));
  }
  if (params && *method == "textDocument/completion" && message.get("id") &&
      complete(message, *params))
    return false;
  if (params && *method == "textDocument/documentSymbol" && message.get("id")) {
    const json::Object *document = params->getObject("textDocument");
    auto uri = document ? document->getString("uri") : std::nullopt;
    std::lock_guard<std::mutex> lock(mutex);
    outlines[textOf(*message.get("id"), false)] = uri ? texts.lookup(*uri) : "";
  }
  if (params && (*method == "textDocument/didOpen" ||
                 *method == "textDocument/didChange" ||
                 *method == "textDocument/didClose"))
    return changeDocument(*method, *params);
  return true;
}

/// Adds to the answer what is known of the operation that its first line names.
void Filter::describe(json::Object &message) {
  json::Object *result = message.getObject("result");
  json::Object *contents = result ? result->getObject("contents") : nullptr;
  auto value = contents ? contents->getString("value") : std::nullopt;
  if (!value)
    return;
  llvm::StringRef name =
      value->split('\n').first.split('"').second.split('"').first;
  std::string text;
  hooks.describe(mlirStringRefCreate(name.data(), name.size()), append, &text,
                 hooks.userData);
  if (!text.empty())
    (*contents)["value"] = (*value + "\n---\n\n" + text).str();
}

/// Whether the editor is to hear it.
bool Filter::passToEditor(json::Object &message) {
  if (message.getString("method") ==
      std::optional<llvm::StringRef>("textDocument/publishDiagnostics")) {
    const json::Object *params = message.getObject("params");
    auto uri = params ? params->getString("uri") : std::nullopt;
    return !uri || !isRefused(*uri);
  }
  const json::Value *id = message.get("id");
  bool isHover = false;
  std::string outline;
  if (id && !message.get("method")) {
    std::lock_guard<std::mutex> lock(mutex);
    isHover = hovers.erase(textOf(*id, false));
    outline = outlines.lookup(textOf(*id, false));
    outlines.erase(textOf(*id, false));
  }
  json::Array *symbols = message.getArray("result");
  if (!outline.empty() && symbols)
    xlac::addOperations(outline, *symbols);
  if (isHover && hooks.describe)
    describe(message);
  return true;
}

/// Whether brackets nest deeper than those who read JSON, which recurse, have
/// stack for.
static bool isDeep(llvm::StringRef text) {
  constexpr int most = 1000;
  int depth = 0;
  bool isString = false;
  for (size_t i = 0; i < text.size() && depth <= most; ++i) {
    char c = text[i];
    if (isString && c == '\\')
      ++i;
    else if (c == '"')
      isString = !isString;
    else if (!isString)
      depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
  }
  return depth > most;
}

void Filter::runEditor() {
  llvm::lsp::JSONTransportInputOverFile input(fromEditor, style);
  std::string text;
  bool isOver = false;
  while (!isOver && !input.isEndOfInput() && !input.hasError()) {
    if (failed(input.readMessage(text)))
      continue;
    if (isDeep(text)) {
      llvm::errs() << "a message whose brackets nest too deep is dropped\n";
      continue;
    }
    // What is not JSON is the server's to complain of.
    llvm::Expected<json::Value> message = json::parse(text);
    const json::Object *object = message ? message->getAsObject() : nullptr;
    if (!message)
      llvm::consumeError(message.takeError());
    isOver = object && object->getString("method") ==
                           std::optional<llvm::StringRef>("exit");
    if (!object || passToServer(*object))
      sendToServer(text);
  }
  close(toServer);
}

void Filter::runServer() {
  llvm::lsp::JSONTransportInputOverFile input(fromServer);
  std::string text;
  while (!input.isEndOfInput() && !input.hasError()) {
    if (failed(input.readMessage(text)))
      continue;
    llvm::Expected<json::Value> message = json::parse(text);
    json::Object *object = message ? message->getAsObject() : nullptr;
    if (!message)
      llvm::consumeError(message.takeError());
    if (!object || passToEditor(*object))
      sendToEditor(object
                       ? textOf(*message, llvm::StringRef(text).contains('\n'))
                       : text);
  }
}

/// Puts pipes in the places of standard input and output; false if that fails.
bool connect(Filter &filter) {
  int in[2], out[2];
  int editor = dup(STDIN_FILENO);
  filter.toEditor = dup(STDOUT_FILENO);
  if (editor < 0 || filter.toEditor < 0 || pipe(in) || pipe(out) ||
      dup2(in[0], STDIN_FILENO) < 0 || dup2(out[1], STDOUT_FILENO) < 0)
    return false;
  close(in[0]);
  close(out[1]);
  filter.toServer = in[1];
  filter.fromEditor = fdopen(editor, "rb");
  filter.fromServer = fdopen(out[0], "rb");
  return filter.fromEditor && filter.fromServer;
}

} // namespace

int mlirExtLspServerMain(int argc, char **argv, MlirDialectRegistry registry,
                         const MlirExtLspHooks *hooks) {
  llvm::InitLLVM init(argc, argv);
  if (asksForHelp(argc, argv))
    return failed(MlirLspServerMain(argc, argv, *unwrap(registry)));
  // Its first thread may still wait for the editor when the process ends.
  static Filter filter;
  filter.hooks = *hooks;
  filter.style =
      isDelimited(argc, argv) ? llvm::lsp::Delimited : llvm::lsp::Standard;
  if (!connect(filter)) {
    llvm::errs() << "no pipes to talk to the language server\n";
    return 1;
  }
  std::thread([] { filter.runEditor(); }).detach();
  std::thread server([] { filter.runServer(); });
  int code = failed(MlirLspServerMain(argc, argv, *unwrap(registry)));
  llvm::outs().flush();
  close(STDOUT_FILENO);
  server.join();
  return code;
}
