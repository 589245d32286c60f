//===- call_options.c - Command lines that call a function ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/call_options.h"

#include "xlac/tools/common/about.h"
#include "xlac/tools/common/vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void xlaCallOptionsPrintValues(void) {
  printf("\nVALUE\n"
         "  2x2xf32=1 2 3 4            elements in row-major order\n"
         "  4xf32=1                    all elements the same\n"
         "  f32=3, pred=true           scalars\n"
         "  2xc64=(1,2) (0,-inf)       complex numbers\n"
         "  @x.npy, @x.npz:w           numpy's file; array w of its archive\n"
         "  random:7                   random elements, from a seed\n"
         "  8x4xf32=random:7           the same where a program leaves sizes "
         "open\n"
         "\n--input=w=@w.npy is for the argument called w, where the program "
         "has names, as those\nof jax have; --input=@x.npz is for all "
         "arguments whose names are in it or, if it has\nother names, for the "
         "next ones in its order\n"
         "\nnumpy has no bf16, no floats of 8 bits and less, and no "
         "integers of less. Files hold them\nas raw elements, V2 and V1; in "
         "Python they are read with\n"
         "numpy.load(\"y.npy\").view(ml_dtypes.bfloat16)\n");
}

XlaToolCode xlaToolValuesReadNumber(const XlaToolValues *values,
                                    const char *name, double *number) {
  if (!values->count || xlaToolReadNumber(values->items[0], number))
    return XlaToolCodeOk;
  return xlaToolError(XlaToolCodeWrong,
                      "--%s=%.60s is not a number that is at least 0", name,
                      values->items[0]);
}

static bool isOutput(const char *text) {
  return !strcmp(text, "-") || !strcmp(text, "none") ||
         (text[0] == '@' && text[1]);
}

static XlaToolCode readValues(const XlaToolValues *given,
                              XlaCallOptions *options) {
  const char *seed = xlaToolValuesFirst(&given[XlaCallOptionSeed], NULL);
  options->hasSeed = seed != NULL;
  if (seed && !xlaToolReadInteger(seed, &options->seed))
    return xlaToolError(XlaToolCodeWrong, "--seed=%.60s is not an integer",
                        seed);
  for (int i = 0; i < options->outputs.count; ++i)
    if (!isOutput(options->outputs.items[i]))
      return xlaToolError(XlaToolCodeWrong,
                          "--output=%.60s is neither @FILE.npy, nor -, nor "
                          "none",
                          options->outputs.items[i]);
  uint64_t threads = 0;
  XlaToolCode code = xlaToolReadCount("threads", &given[XlaCallOptionThreads],
                                      1, XLA_CPU_MAX_THREADS, &threads);
  if (code != XlaToolCodeOk)
    return code;
  const char *cpu = xlaToolValuesFirst(&given[XlaCallOptionCpu], NULL);
  if (cpu && !*cpu)
    return xlaToolError(XlaToolCodeWrong,
                        "--cpu= names no processor; --cpu=host is this one");
  code =
      xlaToolMachineRead(xlaToolValuesFirst(&given[XlaCallOptionMachine], NULL),
                         &options->machine);
  if (code != XlaToolCodeOk)
    return code;
  options->machine.cpu.cpu = cpu;
  options->machine.cpu.threads = (int)threads;
  return xlaToolValuesReadNumber(&given[XlaCallOptionTimeout], "timeout",
                                 &options->timeout);
}

static const char *defaultDevice(void) {
  const char *device = getenv("XLAC_DEVICE");
  return device && *device ? device : "cpu";
}

XlaToolCode xlaCallOptionsParse(const XlaToolOption *table, int argc,
                                char **argv, void (*printHelp)(void), int alone,
                                int several, XlaToolArguments *arguments,
                                XlaCallOptions *options, bool *done) {
  const XlaToolValues *given = arguments->options;
  *options = (XlaCallOptions){.program = NULL};
  *done = false;
  XlaToolCode code = xlaToolArgumentsParse(table, argc, argv, arguments);
  if (code != XlaToolCodeOk)
    return code;
  if (arguments->help || arguments->version) {
    *done = true;
    arguments->help ? printHelp() : xlaToolPrintVersion();
    return code;
  }
  if (given[XlaCallOptionListDevices].count) {
    *done = true;
    return xlaToolVulkanList();
  }
  bool isAlone = alone >= 0 && given[alone].count;
  bool maySeveral = !isAlone && several >= 0 && given[several].count;
  if (arguments->positions.count != !isAlone &&
      !(maySeveral && arguments->positions.count))
    return xlaToolError(XlaToolCodeWrong,
                        isAlone ? "takes no program with --self-test"
                        : arguments->positions.count
                            ? "takes one program, not %d; values of options "
                              "with blanks need quotes"
                            : "needs a program; see --help",
                        arguments->positions.count);
  *options = (XlaCallOptions){
      .program = isAlone ? NULL : arguments->positions.items[0],
      .programs = arguments->positions,
      .entry = xlaToolValuesFirst(&given[XlaCallOptionEntry], NULL),
      .device =
          xlaToolValuesFirst(&given[XlaCallOptionDevice], defaultDevice()),
      .inputs = given[XlaCallOptionInput],
      .outputs = given[XlaCallOptionOutput],
      .validate = given[XlaCallOptionValidate].count > 0,
      .unfused = given[XlaCallOptionNoFuse].count > 0,
      .printsAll = given[XlaCallOptionPrintAll].count > 0,
      .verbose = given[XlaCallOptionVerbose].count > 0,
  };
  return readValues(given, options);
}

XlaToolCode xlaCallOptionsCheckOutputs(const XlaCallOptions *options,
                                       const XlaProgramValues *results) {
  int given = options->outputs.count;
  if (!given || given == results->leafCount ||
      xlaOutputsAreNone(&options->outputs))
    return XlaToolCodeOk;
  char types[400];
  return xlaToolError(
      XlaToolCodeWrong,
      "--output is given for %d of %lld results: %s; one each is needed%s",
      given, (long long)results->leafCount,
      xlaProgramValuesText(results, types, sizeof types),
      given < results->leafCount ? ", --output=none leaves one out" : "");
}
