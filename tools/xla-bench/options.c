//===- options.c - xla-bench's command line -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-bench/bench.h"

#include <stdio.h>

enum {
  OptionMinTime = XlaCallOptionCount,
  OptionJson,
  OptionPeaks,
  OptionDonate,
};

static const XlaToolOption table[] = {
    XLA_CALL_OPTIONS("; else 1",
                     "where a result of the last call goes, one for each; - "
                     "prints\nit, none leaves it out, once for all"),
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
    {NULL, NULL, NULL, false},
};

static void printHelp(void) {
  printf("xla-bench PROGRAM [OPTION..]: measures a program in the dialect xla "
         "or in\nStableHLO or HLO: text as jax prints it, a portable artifact "
         "or a file of jax.export;\n- reads standard input\n\n");
  xlaToolOptionsHelp(table);
  printf("\nDEVICE\n");
  for (const XlaBenchDevice *device = xlaBenchDevices; device->name; ++device)
    printf("  %-26s %s\n", device->name, device->description);
  xlaToolMachinePrintKeys();
  xlaCallOptionsPrintValues();
  printf(
      "\nThe program is compiled twice, and called with inputs and outputs in "
      "place until it\nis warm. Reported are the fastest of the calls that "
      "follow and their median; the bytes\nof all inputs and outputs by that "
      "time; and the operations of contractions, unless\nsome are in loops or "
      "branches.\n"
      "\nExit codes: 0 right; 2 the input or the command line is wrong; 3 not "
      "supported, or\ntoo little memory or time; 4 this compiler or the device "
      "failed\n"
      "\nExamples\n"
      "  xla-bench net.mlir --peaks\n"
      "  xla-bench f.mlir --input=@x.npy --input=f32=2 --output=@y.npy\n"
      "  xla-bench f.mlir --min-time=5 --json=f.json\n"
      "  xla-bench f.mlir --cpu=x86-64-v3 --threads=1\n"
      "  xla-bench f.mlir --device=vulkan:1\n");
}

XlaToolCode xlaBenchOptionsParse(int argc, char **argv,
                                 XlaToolArguments *arguments,
                                 XlaBenchOptions *options, bool *done) {
  const XlaToolValues *given = arguments->options;
  *options = (XlaBenchOptions){.minTime = 1};
  XlaToolCode code = xlaCallOptionsParse(table, argc, argv, printHelp, -1, -1,
                                         arguments, &options->call, done);
  if (code != XlaToolCodeOk || *done)
    return code;
  if (!options->call.hasSeed)
    options->call.seed = 1;
  options->donated = given[OptionDonate];
  options->json = xlaToolValuesFirst(&given[OptionJson], NULL);
  options->peaks = given[OptionPeaks].count > 0;
  return xlaToolValuesReadNumber(&given[OptionMinTime], "min-time",
                                 &options->minTime);
}
