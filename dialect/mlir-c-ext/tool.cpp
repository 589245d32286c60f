//===- tool.cpp - The mains of tools --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ext.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlir;

namespace {

thread_local void *threadData = nullptr;

struct Call {
  void (*function)(void *);
  void *data;
  void *threadData;
};

void *runCall(void *data) {
  auto *call = static_cast<Call *>(data);
  threadData = call->threadData;
  call->function(call->data);
  return nullptr;
}

/// What `read` gives; without a buffer on failure.
struct Input {
  char *text = nullptr;
  size_t length = 0;
  std::unique_ptr<llvm::MemoryBuffer> buffer;

  Input(MlirExtInputRead read, llvm::StringRef path) {
    if (succeeded(unwrap(read(path.str().c_str(), &text, &length))))
      buffer = llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(text, length),
                                                path == "-" ? "<stdin>" : path);
  }
  Input(const Input &) = delete;
  ~Input() { std::free(text); }
};

int optMain(llvm::StringRef input, llvm::StringRef output,
            DialectRegistry &registry, MlirExtInputRead read,
            size_t stackBytes) {
  std::string message;
  Input content(read, input);
  if (!content.buffer)
    return 1;
  auto file = openOutputFile(output, &message);
  if (!file) {
    llvm::errs() << message << "\n";
    return 1;
  }
  struct State {
    std::unique_ptr<llvm::MemoryBuffer> buffer;
    llvm::ToolOutputFile &file;
    DialectRegistry &registry;
    LogicalResult result = failure();
  } state{std::move(content.buffer), *file, registry};
  auto run = [](void *data) {
    auto *s = static_cast<State *>(data);
    s->result = MlirOptMain(s->file.os(), std::move(s->buffer), s->registry,
                            MlirOptMainConfig::createFromCLOptions());
  };
  if (!mlirExtRunOnStack(stackBytes, run, &state)) {
    llvm::errs() << "could not start a thread with " << stackBytes
                 << " bytes of stack\n";
    return 1;
  }
  if (failed(state.result))
    return 1;
  file->keep();
  return 0;
}

/// The position of the file that mlir-reduce's command line names; argc if it
/// names none, and standard input is meant.
int inputOf(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (argument == "-o")
      ++i;
    else if (argument == "-" || !argument.starts_with("-"))
      return i;
  }
  return argc;
}

/// Standard input has `text`.
bool putOnStdin(llvm::StringRef text) {
  FILE *file = tmpfile();
  return file && fwrite(text.data(), 1, text.size(), file) == text.size() &&
         !fflush(file) && lseek(fileno(file), 0, SEEK_SET) == 0 &&
         dup2(fileno(file), STDIN_FILENO) == STDIN_FILENO;
}

/// Whether a file can be read again.
bool isRegular(const char *path) {
  struct stat about;
  return !stat(path, &about) && S_ISREG(about.st_mode);
}

/// Whether the file has just these bytes, not what was made of it.
bool isContent(const char *path, llvm::StringRef bytes) {
  auto file = llvm::MemoryBuffer::getFile(path);
  return file && (*file)->getBuffer() == bytes;
}

} // namespace

bool mlirExtRunOnStack(size_t stackBytes, void (*function)(void *),
                       void *data) {
  Call call{function, data, threadData};
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes))
    return false;
  bool started = !pthread_attr_setstacksize(&attributes, stackBytes) &&
                 !pthread_create(&thread, &attributes, runCall, &call);
  pthread_attr_destroy(&attributes);
  return started && !pthread_join(thread, nullptr);
}

void *mlirExtGetThreadData(void) { return threadData; }

void mlirExtSetThreadData(void *data) { threadData = data; }

int mlirExtOptMain(int argc, char **argv, const char *banner,
                   MlirDialectRegistry registry, MlirExtInputRead read,
                   size_t stackBytes) {
  llvm::InitLLVM init(argc, argv);
  auto [input, output] =
      registerAndParseCLIOptions(argc, argv, banner, *unwrap(registry));
  return optMain(input, output, *unwrap(registry), read, stackBytes);
}

int mlirExtReduceMain(int argc, char **argv, MlirDialectRegistry registry,
                      MlirExtInputRead read, void (*prepare)(MlirContext),
                      size_t stackBytes) {
  // Before mlir-reduce does: signals get a stack of the thread that asks for
  // it, which a sanitizer would free with the thread.
  llvm::InitLLVM init(argc, argv);
  static char again[] = "-";
  int at = inputOf(argc, argv);
  const char *path = at < argc ? argv[at] : again;
  Input content(read, path);
  if (!content.buffer)
    return 1;
  if (!isRegular(path) || !isContent(path, content.buffer->getBuffer())) {
    if (!putOnStdin(content.buffer->getBuffer())) {
      llvm::errs() << "could not keep the input in a temporary file\n";
      return 1;
    }
    if (at < argc)
      argv[at] = again;
  }
  struct State {
    int argc;
    char **argv;
    MLIRContext context;
    LogicalResult result;
  } state{argc, argv, MLIRContext(*unwrap(registry)), failure()};
  prepare(wrap(&state.context));
  auto run = [](void *data) {
    auto *s = static_cast<State *>(data);
    s->result = mlirReduceMain(s->argc, s->argv, s->context);
  };
  return !mlirExtRunOnStack(stackBytes, run, &state) || failed(state.result);
}

void mlirExtSetCrashMessage(const char *message) {
  llvm::setBugReportMsg(message);
}
