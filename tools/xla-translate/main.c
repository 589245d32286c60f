//===- main.c - xla-translate ---------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/formats/module.h"
#include "xlac/tools/common/about.h"
#include "xlac/tools/common/file.h"
#include "xlac/tools/common/input.h"
#include "xlac/tools/common/options.h"
#include "xlac/tools/common/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  OptionTo,
  OptionOutput,
  OptionEntry,
  OptionInput,
  OptionKeepFusions,
  OptionListFormats,
  OptionVerbose,
};

static const XlaToolOption table[] = {
    [OptionTo] = {"to", "FORMAT",
                  "what to write: stablehlo, stablehlo-generic, "
                  "stablehlo-located, artifact,\nhlo, xla or bytecode, see "
                  "--list-formats",
                  false},
    [OptionOutput] = {"output", "FILE",
                      "where to write it, -o FILE too; else standard output",
                      false},
    [OptionEntry] = {"entry", "NAME",
                     "the function that --input is for; else @main, or the "
                     "only public one",
                     false},
    [OptionInput] = {"input", "VALUE",
                     "an input, as 2x3xf32=0: arrays of unknown size get the "
                     "sizes of the inputs",
                     true},
    [OptionKeepFusions] = {"keep-fusions", NULL,
                           "fusions of HLO become xla.fusion, not the "
                           "operations that they consist of",
                           false},
    [OptionListFormats] = {"list-formats", NULL,
                           "lists all forms that are read and written, and how "
                           "they begin",
                           false},
    [OptionVerbose] = {"verbose", NULL,
                       "tells which attributes are ignored, -v too", false},
    {NULL, NULL, NULL, false},
};

static void printHelp(void) {
  printf("xla-translate PROGRAM --to=FORMAT [OPTION..]: reads a program in any "
         "form and writes\nit in another; - reads standard input\n\n");
  xlaToolOptionsHelp(table);
  printf("\nThe form that a program is read in is told by its content. What "
         "StableHLO lacks is\nwritten as operations that it has, with the same "
         "results (docs/stablehlo.md).\n"
         "\nExit codes: 0 right; 2 the program or the command line is wrong, "
         "or FILE cannot be\nwritten; 3 the form lacks what an operation does, "
         "or there is too little memory\n"
         "\nExamples\n"
         "  xla-translate f.mlir --to=stablehlo\n"
         "  xla-translate f.mlir --to=stablehlo-generic -o f.stablehlo.mlir\n"
         "  xla-translate jax.mlir --to=xla\n"
         "  xla-translate symbolic.mlir --to=xla --input=5x4xf32=0\n"
         "  xla-translate compiled.hlo --to=xla --keep-fusions\n"
         "  xla-translate f.mlir --to=bytecode | xla-run - --seed=1\n");
}

static void listFormats(void) {
  printf("Read, told apart by content:\n");
  for (XlaModuleFormat format = XlaModuleFormatMlirText;
       format <= XlaModuleFormatUnknown; ++format)
    printf("  %-32s %s%s\n", xlaModuleFormatName(format),
           xlaModuleFormatMark(format),
           xlaModuleFormatIsRead(format) ? "" : "; not read");
  printf("\nWritten, by --to:\n");
  for (XlaModuleWriteFormat format = 0; format < XlaModuleWriteFormatCount;
       ++format)
    printf("  %-32s %s\n", xlaModuleWriteFormatName(format),
           xlaModuleWriteFormatMeaning(format));
}

typedef struct Translation {
  XlaToolArguments arguments;
  XlaModuleWriteFormat format;
  XlaToolCode code;
} Translation;

static XlaToolCode readFormat(Translation *state) {
  const char *names[XlaModuleWriteFormatCount + 1] = {NULL};
  int format = -1;
  for (int i = 0; i < XlaModuleWriteFormatCount; ++i)
    names[i] = xlaModuleWriteFormatName((XlaModuleWriteFormat)i);
  XlaToolCode code = xlaToolReadWord("to", &state->arguments.options[OptionTo],
                                     names, &format);
  if (code == XlaToolCodeOk && format < 0)
    return xlaToolError(XlaToolCodeWrong,
                        "no --to=FORMAT is given; see --list-formats");
  state->format = (XlaModuleWriteFormat)format;
  return code;
}

/// Where the program goes, opened when there is something to write.
typedef struct Sink {
  const char *path;
  FILE *file;
  int error; ///< of the first call that failed
} Sink;

static void append(MlirStringRef bytes, void *user) {
  Sink *sink = user;
  if (sink->error)
    return;
  errno = 0;
  if (!sink->file)
    sink->file = strcmp(sink->path, "-") ? fopen(sink->path, "wb") : stdout;
  if (!sink->file ||
      fwrite(bytes.data, 1, bytes.length, sink->file) != bytes.length)
    sink->error = errno ? errno : EIO;
}

/// Nothing is written of a program that cannot be written whole.
static XlaToolCode write(const Translation *state, MlirModule module) {
  Sink sink = {xlaToolValuesFirst(&state->arguments.options[OptionOutput], "-"),
               NULL, 0};
  XlaToolCode code =
      xlaProgramCodeOf(xlaModuleWrite(module, state->format, append, &sink));
  // What fails of standard output is said in the end.
  bool isFile = sink.file != stdout;
  if (sink.file && (isFile ? fclose(sink.file) : fflush(sink.file)) &&
      !sink.error)
    sink.error = errno;
  if (code == XlaToolCodeOk && isFile && sink.error)
    code = xlaToolError(XlaToolCodeWrong, "%s: %s", sink.path,
                        strerror(sink.error));
  return code;
}

static void run(void *data) {
  Translation *state = data;
  const XlaToolValues *options = state->arguments.options;
  const XlaToolValues *inputs =
      options[OptionInput].count ? &options[OptionInput] : NULL;
  const char *input = state->arguments.positions.items[0];
  const char *output = xlaToolValuesFirst(&options[OptionOutput], "-");
  // MLIR's own forms have constants where they are used. And what is written
  // over the program takes the place of its bytes.
  XlaModuleReadOptions read = {
      .keepsFusions = options[OptionKeepFusions].count > 0,
      .refersToBytes = state->format != XlaModuleWriteFormatBytecode &&
                       state->format != XlaModuleWriteFormatStablehloGeneric &&
                       state->format != XlaModuleWriteFormatStablehloLocated &&
                       !xlaToolFileIsSame(input, output)};
  XlaProgram program;
  state->code =
      xlaProgramReadWith(input, options[OptionVerbose].count > 0,
                         xlaToolValuesFirst(&options[OptionEntry], NULL),
                         inputs, &read, NULL, NULL, &program);
  if (state->code == XlaToolCodeOk)
    state->code = write(state, program.module);
  xlaProgramDestroy(&program);
}

static XlaToolCode translate(Translation *state) {
  XlaToolCode code = readFormat(state);
  if (code != XlaToolCodeOk)
    return code;
  if (state->arguments.positions.count != 1)
    return xlaToolError(XlaToolCodeWrong,
                        "takes one program, %d given; see --help",
                        state->arguments.positions.count);
  return mlirExtRunOnStack(XLA_STACK_BYTES, run, state)
             ? state->code
             : xlaToolError(XlaToolCodeRefused, "out of memory");
}

int main(int argc, char **argv) {
  Translation state = {.code = XlaToolCodeOk};
  xlaToolsInit();
  XlaToolCode code = xlaToolArgumentsParse(table, argc, argv, &state.arguments);
  if (code == XlaToolCodeOk) {
    if (state.arguments.help)
      printHelp();
    else if (state.arguments.version)
      xlaToolPrintVersion();
    else if (state.arguments.options[OptionListFormats].count)
      listFormats();
    else
      code = translate(&state);
  }
  xlaToolArgumentsDestroy(&state.arguments);
  return xlaToolsEnd((int)code);
}
