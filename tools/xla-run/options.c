//===- options.c - xla-run's command line ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-run/run.h"

#include <stdio.h>
#include <string.h>

enum {
  OptionEntry,
  OptionDevice,
  OptionInput,
  OptionOutput,
  OptionExpected,
  OptionRelative,
  OptionAbsolute,
  OptionSeed,
  OptionTimeout,
  OptionCheck,
  OptionDump,
  OptionPrintAfter,
  OptionStats,
  OptionHelp,
};

static const XlaToolOption table[] = {
    [OptionEntry] = {"entry", "NAME",
                     "the function to run; else main, or the only public one",
                     false},
    [OptionDevice] = {"device", "DEVICE",
                      "what runs it, see below; else interpreter; all runs "
                      "every\ndevice and compares",
                      false},
    [OptionInput] = {"input", "VALUE",
                     "an argument; tuples take one for each element", true},
    [OptionOutput] = {"output", "@FILE.npy|-",
                      "where a result goes; - prints it. Without, all are "
                      "printed",
                      true},
    [OptionExpected] = {"expected-output", "VALUE",
                        "what a result must be; one for each", true},
    [OptionRelative] = {"rtol", "R",
                        "relative tolerance of comparisons; else 1e-4, for "
                        "bf16\n1e-2, for f16 1e-3",
                        false},
    [OptionAbsolute] = {"atol", "A", "absolute tolerance; else 0", false},
    [OptionSeed] = {"seed", "N",
                    "inputs that are not given are random, from this seed",
                    false},
    [OptionTimeout] = {"timeout", "SECONDS", "gives up after so long in all",
                       false},
    [OptionCheck] = {"check", NULL,
                     "runs main, or every public function without arguments, "
                     "with\nthe checks in them; ends with `N passed, N failed`",
                     false},
    [OptionDump] =
        {"dump", "DIR",
         "writes the program after every stage, in a folder for each\ndevice",
         false},
    [OptionPrintAfter] = {"print-ir-after", "STAGE",
                          "prints the program after a stage, on stderr", true},
    [OptionStats] = {"stats", NULL, "prints times and memory, on stderr",
                     false},
    [OptionHelp] = {"help", NULL, "prints this", false},
    {NULL, NULL, NULL, false},
};

static void printHelp(void) {
  printf("xla-run PROGRAM [OPTION..]: runs a program in the dialect xla or in "
         "StableHLO's\ngeneric form; - reads standard input\n\n");
  xlaToolOptionsHelp(table);
  printf("\nDEVICE\n");
  for (const XlaRunDevice *const *at = xlaRunDevices; *at; ++at) {
    const char *reason = (*at)->whyNot(NULL);
    printf("  %-26s %s%s%s%s\n", (*at)->name, (*at)->description,
           reason ? " (" : "", reason ? reason : "", reason ? ")" : "");
  }
  printf(
      "\nVALUE\n"
      "  2x2xf32=1 2 3 4            elements in row-major order\n"
      "  4xf32=1                    all elements the same\n"
      "  f32=3, pred=true           scalars\n"
      "  2xc64=(1,2) (0,-inf)       complex numbers\n"
      "  @x.npy                     numpy's file; bf16 and f8 as raw "
      "elements\n"
      "  random:7                   random elements, from a seed\n"
      "\nExit codes: 0 right; 1 a check or an expected output differs; 2 the "
      "input or\nthe command line is wrong; 3 the device failed or cannot "
      "do it\n"
      "\nExamples\n"
      "  xla-run add.mlir --input=\"2xf32=1 2\" --input=2xf32=10\n"
      "  xla-run net.mlir --input=@x.npy --output=@y.npy --stats\n"
      "  xla-run f.mlir --seed=1 --device=all --rtol=1e-5\n"
      "  xla-run f.mlir --input=f32=2 --expected-output=f32=4\n"
      "  xla-run tests.mlir --check\n");
}

static XlaToolCode readNumber(const XlaToolValues *values, const char *name,
                              double *number) {
  if (!values->count || xlaToolReadNumber(values->items[0], number))
    return XlaToolCodeOk;
  return xlaToolError(XlaToolCodeWrong,
                      "--%s=%.60s is not a number that is at least 0", name,
                      values->items[0]);
}

static const char *textOf(const XlaToolValues *values) {
  return values->count ? values->items[0] : NULL;
}

static XlaToolCode readValues(const XlaToolValues *given,
                              XlaRunOptions *options) {
  XlaToolCode code =
      readNumber(&given[OptionRelative], "rtol", &options->relative);
  if (code == XlaToolCodeOk)
    code = readNumber(&given[OptionAbsolute], "atol", &options->absolute);
  if (code == XlaToolCodeOk)
    code = readNumber(&given[OptionTimeout], "timeout", &options->timeout);
  if (code != XlaToolCodeOk)
    return code;
  options->hasSeed = given[OptionSeed].count > 0;
  if (options->hasSeed &&
      !xlaToolReadInteger(given[OptionSeed].items[0], &options->seed))
    return xlaToolError(XlaToolCodeWrong, "--seed=%.60s is not an integer",
                        given[OptionSeed].items[0]);
  for (int i = 0; i < options->outputs.count; ++i) {
    const char *output = options->outputs.items[i];
    if (strcmp(output, "-") != 0 && (output[0] != '@' || !output[1]))
      return xlaToolError(XlaToolCodeWrong,
                          "--output=%.60s is neither @FILE.npy nor -", output);
  }
  return XlaToolCodeOk;
}

XlaToolCode xlaRunOptionsParse(int argc, char **argv,
                               XlaToolArguments *arguments,
                               XlaRunOptions *options, bool *done) {
  const XlaToolValues *given = arguments->options;
  memset(options, 0, sizeof *options);
  *done = false;
  XlaToolCode code = xlaToolArgumentsParse(table, argc, argv, arguments);
  if (code != XlaToolCodeOk)
    return code;
  if (given[OptionHelp].count) {
    printHelp();
    *done = true;
    return XlaToolCodeOk;
  }
  if (arguments->positions.count != 1)
    return xlaToolError(XlaToolCodeWrong,
                        arguments->positions.count
                            ? "takes one program, not %d; values of options "
                              "with blanks need quotes"
                            : "needs a program; see --help",
                        arguments->positions.count);
  *options = (XlaRunOptions){
      .program = arguments->positions.items[0],
      .entry = textOf(&given[OptionEntry]),
      .device = textOf(&given[OptionDevice]),
      .inputs = given[OptionInput],
      .outputs = given[OptionOutput],
      .expected = given[OptionExpected],
      .relative = -1,
      .absolute = -1,
      .check = given[OptionCheck].count > 0,
      .stats = given[OptionStats].count > 0,
      .dump = textOf(&given[OptionDump]),
      .printAfter = given[OptionPrintAfter],
  };
  if (!options->device)
    options->device = "interpreter";
  return readValues(given, options);
}
