//===- main.c - xla-gen ---------------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/dialect/ir.h"
#include "xlac/tools/common/about.h"
#include "xlac/tools/common/input.h"
#include "xlac/tools/common/options.h"
#include "xlac/tools/common/program.h"
#include "xlac/tools/common/value.h"
#include "xlac/tools/xla-gen/minimize.h"
#include "xlac/tools/xla-gen/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
  OptionSeed,
  OptionCount,
  OptionOps,
  OptionOnly,
  OptionTypes,
  OptionMaxElements,
  OptionExtents,
  OptionFormat,
  OptionInputs,
  OptionBake,
  OptionVariation,
  OptionOwn,
  OptionList,
  OptionMinimize,
  OptionTest,
};

static const XlaToolOption table[] = {
    [OptionSeed] = {"seed", "N", "of the first program; else 1", false},
    [OptionCount] = {"count", "N",
                     "programs, of one seed after the other, which @main calls "
                     "all",
                     false},
    [OptionOps] = {"ops", "N", "operations a program; else 1 to 30", false},
    [OptionOnly] = {"only", "OP,OP..",
                    "operations, or families of them, to choose from, see "
                    "--list",
                    false},
    [OptionTypes] = {"types", "TYPE,TYPE..",
                     "element types to choose from, as f32,s32,pred", false},
    [OptionMaxElements] = {"max-elements", "N", "of an array; else 2000",
                           false},
    [OptionExtents] = {"extents", "N,N..",
                       "sizes of dimensions to choose from, also 0 and 1 at "
                       "times",
                       false},
    [OptionFormat] = {"format", "xla|stablehlo",
                      "the dialect, or StableHLO in generic form", false},
    [OptionInputs] = {"inputs", "DIR",
                      "writes the inputs as in0.npy, in1.npy .. there", false},
    [OptionBake] = {"bake", NULL,
                    "inputs are constants in the program, nothing has to be "
                    "given",
                    false},
    [OptionVariation] = {"variation", "N",
                         "takes liberties: 1 and 2 round up and down, 3 "
                         "flushes denormals\nand turns signs of NaN and 0, 4 "
                         "reduces backwards, others mix",
                         false},
    [OptionOwn] = {"own", NULL, "also what XLA lacks, as effects", false},
    [OptionList] = {"list", NULL,
                    "lists the operations, and which of them "
                    "programs can have",
                    false},
    [OptionMinimize] = {"minimize", "FILE",
                        "prints FILE's program as small as --test allows",
                        false},
    [OptionTest] = {"test", "COMMAND",
                    "ends with 0 while the program in the file {} shows the "
                    "bug",
                    false},
    {NULL, NULL, NULL, false},
};

static void printHelp(void) {
  printf("xla-gen [OPTION..]: prints a random program, the same for the same "
         "seed, or makes\none that shows a bug smaller\n\n");
  xlaToolOptionsHelp(table);
  printf(
      "\nThe first lines name each program's inputs and results. Exit codes: "
      "0 right; 2 the\ncommand line or the program is wrong; 3 out of "
      "memory\n"
      "\nExamples\n"
      "  xla-gen --seed=7 --bake | xla-run - --device=all\n"
      "  xla-gen --seed=7 --inputs=in > p.mlir; xla-run p.mlir "
      "--input=@in/in0.npy ..\n"
      "  xla-gen --seed=7 --ops=5 --only=reduce,add --types=f32,s32\n"
      "  xla-gen --seed=7 --only=Movement,DynamicSlice,add "
      "--extents=31,37,101\n"
      "  xla-gen --seed=7 --format=stablehlo\n"
      "  xla-gen --seed=7 --bake > p.mlir\n"
      "  xla-gen --minimize=p.mlir --test='! xla-run {} --device=all'\n");
}

static XlaToolCode list(void) {
  for (XlaOpKind kind = 1; kind < XlaOpKindCount; ++kind)
    printf("%-26s %s\n", xlaOpGetInfo(kind)->name,
           xlaGenHasHook(kind) ? xlaFamilyGetName(xlaOpGetInfo(kind)->family)
                               : "no hook");
  return XlaToolCodeOk;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static const char *given(const XlaToolArguments *arguments, int option) {
  return xlaToolValuesFirst(&arguments->options[option], NULL);
}

static XlaToolCode readNumber(const XlaToolArguments *arguments, int option,
                              uint64_t least, uint64_t most, uint64_t *number) {
  return xlaToolReadCount(table[option].name, &arguments->options[option],
                          least, most, number);
}

/// Allows one operation by its name.
static XlaToolCode allowOp(const char *word, size_t length, bool *allowed) {
  const char *names[XlaOpKindCount];
  char text[64];
  XlaOpKind kind = xlaOpKindFromName(word, length);
  if (kind != XlaOpKindInvalid) {
    allowed[kind] = true;
    return xlaGenHasHook(kind)
               ? XlaToolCodeOk
               : xlaToolError(XlaToolCodeWrong, "no hook makes %s; see --list",
                              xlaOpGetInfo(kind)->name);
  }
  bool isFamily = false;
  for (XlaOpKind at = 1; at < XlaOpKindCount; ++at) {
    const char *family = xlaFamilyGetName(xlaOpGetInfo(at)->family);
    if (xlaGenHasHook(at) && strlen(family) == length &&
        !memcmp(family, word, length))
      isFamily = allowed[at] = true;
  }
  if (isFamily)
    return XlaToolCodeOk;
  for (XlaOpKind at = 1; at < XlaOpKindCount; ++at)
    names[at - 1] = xlaOpGetInfo(at)->name;
  names[XlaOpKindCount - 1] = NULL;
  snprintf(text, sizeof text, "%.*s", (int)length, word);
  return xlaToolUnknown("operation", text, names);
}

static XlaToolCode allowType(const char *word, size_t length, bool *allowed) {
  XlaElementType type = xlaElementTypeFromName(word, length);
  if (type == XlaElementTypeInvalid)
    return xlaToolError(XlaToolCodeWrong, "unknown element type \"%.*s\"",
                        (int)(length < 60 ? length : 60), word);
  allowed[type] = true;
  return XlaToolCodeOk;
}

/// Calls `allow` for each word between commas.
static XlaToolCode
readWords(const XlaToolArguments *arguments, int option, bool *allowed,
          size_t n, XlaToolCode (*allow)(const char *, size_t, bool *)) {
  const char *at = given(arguments, option);
  XlaToolCode code = XlaToolCodeOk;
  if (at)
    memset(allowed, 0, n * sizeof *allowed);
  while (at && code == XlaToolCodeOk) {
    size_t length = strcspn(at, ",");
    code = allow(at, length, allowed);
    at = at[length] ? at + length + 1 : NULL;
  }
  return code;
}

/// Reads --extents.
static XlaToolCode readExtents(const XlaToolArguments *arguments,
                               XlaGenOptions *options) {
  const char *at = given(arguments, OptionExtents);
  while (at) {
    size_t length = strcspn(at, ",");
    char text[24];
    uint64_t number;
    snprintf(text, sizeof text, "%.*s", (int)length, at);
    if (options->nExtents == xlaGenMaxExtents)
      return xlaToolError(XlaToolCodeWrong, "--extents has more than %d",
                          xlaGenMaxExtents);
    if (!xlaToolReadInteger(text, &number) || number > 1 << 20)
      return xlaToolError(XlaToolCodeWrong,
                          "--extents has \"%.20s\", must have numbers up to %d",
                          text, 1 << 20);
    options->extents[options->nExtents++] = (int64_t)number;
    at = at[length] ? at + length + 1 : NULL;
  }
  return XlaToolCodeOk;
}

static XlaToolCode readOptions(const XlaToolArguments *arguments,
                               XlaGenOptions *options, bool *isStablehlo) {
  uint64_t count = 1, ops = 0, maxElements = 2000, variation = 0;
  static const char *const formats[] = {"xla", "stablehlo", NULL};
  int format = 0;
  *options = xlaGenOptionsDefault();
  XlaToolCode codes[] = {
      readNumber(arguments, OptionSeed, 0, UINT64_MAX - 1000000,
                 &options->seed),
      readNumber(arguments, OptionCount, 1, 10000, &count),
      readNumber(arguments, OptionOps, 1, 200, &ops),
      readNumber(arguments, OptionMaxElements, 1, 1 << 20, &maxElements),
      readNumber(arguments, OptionVariation, 0, 10000, &variation),
      readExtents(arguments, options),
      readWords(arguments, OptionOnly, options->allowedOps, XlaOpKindCount,
                allowOp),
      readWords(arguments, OptionTypes, options->allowedTypes,
                XlaElementTypeCount, allowType),
      xlaToolReadWord(table[OptionFormat].name,
                      &arguments->options[OptionFormat], formats, &format)};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i)
    if (codes[i] != XlaToolCodeOk)
      return codes[i];
  options->count = (int)count;
  options->ops = (int)ops;
  options->maxElements = (int64_t)maxElements;
  options->variation = (int)variation;
  options->own = arguments->options[OptionOwn].count > 0;
  options->bakesInputs = arguments->options[OptionBake].count > 0;
  *isStablehlo = format == 1;
  if (options->own && *isStablehlo)
    return xlaToolError(XlaToolCodeWrong, "--own has no form in StableHLO");
  return XlaToolCodeOk;
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

static void printShapes(int n, const XlaShape *shapes) {
  printf("(");
  for (int i = 0; i < n; ++i)
    printf("%s%s", i ? ", " : "", XLA_VALUE_SHAPE_TEXT(&shapes[i]));
  printf(")");
}

static XlaToolCode writeInputs(const char *folder, int count,
                               const XlaGenSignature *signatures) {
  int n = 0;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    return xlaToolError(XlaToolCodeWrong, "%s: %s", folder, strerror(errno));
  for (int p = 0; p < count; ++p)
    for (int i = 0; i < signatures[p].nInputs; ++i) {
      char path[4096];
      snprintf(path, sizeof path, "%s/in%d.npy", folder, n++);
      XlaLiteral *literal =
          xlaGenInput(signatures[p].seed, i, &signatures[p].inputs[i]);
      if (!literal)
        return xlaToolError(XlaToolCodeRefused, "out of memory");
      XlaStatus status = xlaValueWriteNpy(path, literal);
      xlaLiteralRelease(literal);
      if (status)
        return xlaToolStatusError(status, path);
    }
  return XlaToolCodeOk;
}

static void printHead(int count, const XlaGenSignature *signatures) {
  for (int p = 0; p < count; ++p) {
    printf("// program %llu: ", (unsigned long long)signatures[p].seed);
    printShapes(signatures[p].nInputs, signatures[p].inputs);
    printf(" -> ");
    printShapes(signatures[p].nResults, signatures[p].results);
    printf("\n");
  }
}

static void put(MlirStringRef text, void *file) {
  fwrite(text.data, 1, text.length, file);
}

static XlaToolCode print(MlirModule module, bool isStablehlo, int count,
                         const XlaGenSignature *signatures) {
  if (!mlirOperationVerify(mlirModuleGetOperation(module)))
    return xlaToolError(XlaToolCodeRefused,
                        "made a program that does not verify: this is a bug");
  printHead(count, signatures);
  return xlaModuleWrite(module,
                        isStablehlo ? XlaModuleWriteFormatStablehloGeneric
                                    : XlaModuleWriteFormatXla,
                        put, stdout) == XlaImportResultOk
             ? XlaToolCodeOk
             : XlaToolCodeRefused;
}

static XlaToolCode generate(const XlaToolArguments *arguments) {
  XlaGenOptions options;
  bool isStablehlo;
  XlaToolCode code = readOptions(arguments, &options, &isStablehlo);
  if (code != XlaToolCodeOk)
    return code;
  MlirDialectRegistry registry = xlaToolsProgramDialects();
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  XlaGenSignature *signatures =
      malloc((size_t)options.count * sizeof *signatures);
  MlirModule module = {.ptr = NULL};
  if (signatures)
    module = xlaGenModule(context, &options, signatures);
  if (signatures && !mlirModuleIsNull(module)) {
    const char *folder = given(arguments, OptionInputs);
    code = print(module, isStablehlo, options.count, signatures);
    if (code == XlaToolCodeOk && folder)
      code = writeInputs(folder, options.count, signatures);
    mlirModuleDestroy(module);
  } else {
    code = xlaToolError(XlaToolCodeRefused, "out of memory");
  }
  free(signatures);
  mlirContextDestroy(context);
  return code;
}

//===----------------------------------------------------------------------===//
// main
//===----------------------------------------------------------------------===//

typedef struct Main {
  XlaToolArguments arguments;
  XlaToolCode code;
} Main;

static void run(void *data) {
  Main *state = data;
  const char *file = given(&state->arguments, OptionMinimize);
  const char *test = given(&state->arguments, OptionTest);
  if (!file != !test)
    state->code =
        xlaToolError(XlaToolCodeWrong, "--minimize and --test go together");
  else if (test && !test[strspn(test, " \t\n")]) // would succeed always
    state->code = xlaToolError(XlaToolCodeWrong,
                               "--test is empty: it is a command that succeeds "
                               "as long as a program shows the bug");
  else if (file)
    state->code = xlaGenMinimize(file, test);
  else
    state->code = generate(&state->arguments);
}

int main(int argc, char **argv) {
  Main state = {.code = XlaToolCodeOk};
  xlaToolsInit();
  state.code = xlaToolArgumentsParse(table, argc, argv, &state.arguments);
  if (state.code == XlaToolCodeOk && state.arguments.help)
    printHelp();
  else if (state.code == XlaToolCodeOk && state.arguments.version)
    xlaToolPrintVersion();
  else if (state.code == XlaToolCodeOk && state.arguments.positions.count)
    state.code = xlaToolError(XlaToolCodeWrong, "unexpected \"%.60s\"",
                              state.arguments.positions.items[0]);
  else if (state.code == XlaToolCodeOk &&
           state.arguments.options[OptionList].count)
    state.code = list();
  else if (state.code == XlaToolCodeOk &&
           !mlirExtRunOnStack(XLA_STACK_BYTES, run, &state))
    state.code = xlaToolError(XlaToolCodeRefused, "out of memory");
  xlaToolArgumentsDestroy(&state.arguments);
  return xlaToolsEnd((int)state.code);
}
