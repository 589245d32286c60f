//===- options.c - xla-bench's command line -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-bench/bench.h"

#include <stdio.h>
#include <string.h>

enum {
  OptionEntry,
  OptionDevice,
  OptionInput,
  OptionSeed,
  OptionOutput,
  OptionMinTime,
  OptionJson,
  OptionPeaks,
  OptionDonate,
  OptionHelp,
};

static const XlaToolOption table[] = {
    [OptionEntry] = {"entry", "NAME",
                     "the function to run; else main, or the only public one",
                     false},
    [OptionDevice] = {"device", "DEVICE", "what runs it, see below; else cpu",
                      false},
    [OptionInput] = {"input", "VALUE",
                     "an argument, as xla-run takes it; tuples take one for "
                     "each\nelement",
                     true},
    [OptionSeed] = {"seed", "N",
                    "inputs that are not given are random, from this seed; "
                    "else 1",
                    false},
    [OptionOutput] = {"output", "@FILE.npy|-",
                      "where a result of the last call goes; - prints it",
                      true},
    [OptionMinTime] = {"min-time", "SECONDS",
                       "measures for so long, and at least five calls; else 1",
                       false},
    [OptionJson] = {"json", "FILE", "writes the figures, in seconds and bytes",
                    false},
    [OptionPeaks] = {"peaks", NULL,
                     "measures what the machine can do, and compares", false},
    [OptionDonate] = {"donate", "N",
                      "input N may be overwritten: the next call gets what "
                      "this one left\nin an output that takes its memory",
                      true},
    [OptionHelp] = {"help", NULL, "prints this", false},
    {NULL, NULL, NULL, false},
};

static void printHelp(void) {
  printf("xla-bench PROGRAM [OPTION..]: measures a program in the dialect xla "
         "or in StableHLO's\ngeneric form; - reads standard input\n\n");
  xlaToolOptionsHelp(table);
  printf("\nDEVICE\n");
  for (const XlaBenchDevice *device = xlaBenchDevices; device->name; ++device)
    printf("  %-26s %s%s\n", device->name, device->description,
           device->compile ? "" : " (not in this build)");
  printf(
      "\nThe program is compiled twice, and called with inputs and outputs in "
      "place until it\nis warm. Reported are the fastest of the calls that "
      "follow and their median; the bytes\nof all inputs and outputs by that "
      "time; and the operations of contractions, unless\nsome are in loops or "
      "branches.\n"
      "\nExit codes: 0 right; 2 the input or the command line is wrong; 3 the "
      "device failed\nor cannot do it\n"
      "\nExamples\n"
      "  xla-bench net.mlir --peaks\n"
      "  xla-bench f.mlir --input=@x.npy --input=f32=2 --output=@y.npy\n"
      "  xla-bench f.mlir --min-time=5 --json=f.json\n"
      "  xla-bench f.mlir --device=interpreter\n");
}

static const char *textOf(const XlaToolValues *values, const char *absent) {
  return values->count ? values->items[0] : absent;
}

static XlaToolCode readValues(const XlaToolValues *given,
                              XlaBenchOptions *options) {
  const char *seed = textOf(&given[OptionSeed], "1");
  const char *minTime = textOf(&given[OptionMinTime], "1");
  if (!xlaToolReadInteger(seed, &options->seed))
    return xlaToolError(XlaToolCodeWrong, "--seed=%.60s is not an integer",
                        seed);
  if (!xlaToolReadNumber(minTime, &options->minTime))
    return xlaToolError(XlaToolCodeWrong,
                        "--min-time=%.60s is not a number that is at least 0",
                        minTime);
  for (int i = 0; i < options->outputs.count; ++i) {
    const char *output = options->outputs.items[i];
    if (strcmp(output, "-") != 0 && (output[0] != '@' || !output[1]))
      return xlaToolError(XlaToolCodeWrong,
                          "--output=%.60s is neither @FILE.npy nor -", output);
  }
  return XlaToolCodeOk;
}

XlaToolCode xlaBenchOptionsParse(int argc, char **argv,
                                 XlaToolArguments *arguments,
                                 XlaBenchOptions *options, bool *done) {
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
  *options = (XlaBenchOptions){
      .program = arguments->positions.items[0],
      .entry = textOf(&given[OptionEntry], NULL),
      .device = textOf(&given[OptionDevice], "cpu"),
      .inputs = given[OptionInput],
      .outputs = given[OptionOutput],
      .donated = given[OptionDonate],
      .json = textOf(&given[OptionJson], NULL),
      .peaks = given[OptionPeaks].count > 0,
  };
  return readValues(given, options);
}
