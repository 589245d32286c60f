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
  OptionExpected = XlaCallOptionCount,
  OptionRelative,
  OptionAbsolute,
  OptionCheck,
  OptionDump,
  OptionPrintAfter,
  OptionStats,
  OptionReport,
  OptionReplicas,
  OptionPartitions,
  OptionWith,
  OptionInfeed,
  OptionOutfeed,
  OptionCustomCalls,
  OptionTriple,
  OptionSelfTest,
};

static const XlaToolOption table[] = {
    XLA_CALL_OPTIONS("; without, draws are from the module's xla.seed, or 0",
                     "where a result goes, one for each; - prints it, none "
                     "leaves it\nout, once for all. Without, all are printed"),
    [OptionExpected] = {"expected-output", "VALUE",
                        "what a result must be; one for each", true},
    [OptionRelative] = {"rtol", "R",
                        "relative tolerance of comparisons; else 1e-4, for "
                        "bf16\n1e-2, for f16 1e-3, and see DEVICE all",
                        false},
    [OptionAbsolute] = {"atol", "A", "absolute tolerance; else 0", false},
    [OptionCheck] = {"check", NULL,
                     "runs main, or every public function without arguments, "
                     "with\nthe checks in them; ends with `N passed, N failed`."
                     "\nSeveral PROGRAMs are checked one after the other, each "
                     "like\nalone, with its own --timeout; `PASS PROGRAM` or "
                     "`FAIL PROGRAM:\nexit code N` follows each, the last line "
                     "counts programs, and\nthe exit code is the highest",
                     false},
    [OptionDump] = {"dump", "DIR",
                    "writes the program after every stage, in a folder for "
                    "each\ndevice",
                    false},
    [OptionPrintAfter] = {"print-ir-after", "STAGE",
                          "prints the program after a stage, on stderr", true},
    [OptionStats] = {"stats", NULL, "prints times and memory, on stderr",
                     false},
    [OptionReport] = {"report", "[=verbose]",
                      "tells which kernels the program becomes, what each "
                      "takes, and why\narrays go through memory between them, "
                      "on stderr; verbose: of each\noperation, too. "
                      "docs/fusion.md says more",
                      false},
    [OptionReplicas] = {"replicas", "N",
                        "runs so many replicas at the same time, on threads.\n"
                        "Inputs, outputs and expected outputs are given for "
                        "all, one\nreplica after the other, or once for each "
                        "to have the same",
                        false},
    [OptionPartitions] = {"partitions", "N",
                          "so many partitions of every replica", false},
    [OptionWith] = {"with", "PROGRAM",
                    "another program that runs at the same time; send and "
                    "recv on\nthe same channel_id join them. Its inputs and "
                    "outputs follow\nthose of the first",
                    true},
    [OptionInfeed] = {"infeed", "VALUE",
                      "what infeeds take, one array after the other; for "
                      "several\nreplicas, of the first program, one replica "
                      "after the other",
                      true},
    [OptionOutfeed] = {"outfeed", "@FILE.npy|-|none",
                       "where an array of an outfeed goes; without, it is "
                       "printed\nbefore the results. none holds for all that "
                       "follow, too,\nif it is the last",
                       true},
    [OptionCustomCalls] = {"custom-calls", "LIB.so",
                           "a shared library with what custom calls call, as\n"
                           "void TARGET(void *out, const void **in). It is "
                           "native code:\nname only what you trust",
                           true},
    [OptionTriple] = {"triple", "TRIPLE",
                      "compiles for another kind of machine "
                      "(aarch64-linux-gnu, ..) with\n--device=cpu and --cpu, "
                      "for --dump, and runs nothing",
                      false},
    [OptionSelfTest] =
        {"self-test", "[=DEVICE]",
         "runs built-in programs, for some minutes: does this "
         "processor, or\nthe Vulkan device and its driver, "
         "compute rightly, what is refused,\nand how fast is it? "
         "Without DEVICE on the CPU and on the first\nVulkan "
         "device",
         false},
    {NULL, NULL, NULL, false},
};

static void printDevices(void) {
  printf("\nDEVICE\n");
  for (const XlaRunDevice *const *at = xlaRunDevices; *at; ++at)
    printf("  %-26s %s\n", (*at)->name, (*at)->description);
  printf("  %-26s each of them; compares with the interpreter's results, and "
         "names\n%29sthe first operation that differs. One that refuses the "
         "program\n%29sis left out, which is said on stderr.\n",
         "all", "", "");
  printf("%29sWithout --rtol and --atol, an element may also differ by four\n"
         "%29stimes what %d runs of the interpreter change that round as\n"
         "%29sdevices do: functions and sums a few units in the last place\n"
         "%29soff, denormals zero, the signs of NaN. So what is left of large\n"
         "%29snumbers that cancel is compared by their size\n",
         "", "", XLA_RUN_VARIATIONS, "", "", "");
}

static void printStages(void) {
  printf("\nSTAGE\n  %-26s parse; import (of StableHLO)\n", "of any device");
  for (const XlaRunDevice *const *at = xlaRunDevices; *at; ++at) {
    const char *const *stage = (*at)->stages;
    if (*stage)
      printf("  %-26s %s", (*at)->name, *stage++);
    for (; *stage; ++stage)
      printf(", %s", *stage);
    if (*(*at)->stages)
      printf("\n");
  }
}

static void printHelp(void) {
  printf("xla-run PROGRAM [OPTION..]: runs a program in the dialect xla or in "
         "StableHLO or HLO:\ntext as jax prints it, a portable artifact or a "
         "file of jax.export; - reads standard input\n\n");
  xlaToolOptionsHelp(table);
  printDevices();
  printStages();
  xlaToolMachinePrintKeys();
  xlaCallOptionsPrintValues();
  printf(
      "\nExit codes: 0 right; 1 a check or an expected output differs; 2 the "
      "input or\nthe command line is wrong; 3 not supported, or too little "
      "memory or time; 4 this\ncompiler or the device failed, which is worth "
      "a report\n"
      "\nExamples\n"
      "  xla-run add.mlir --input=\"2xf32=1 2\" --input=2xf32=10\n"
      "  xla-run net.mlir --input=@x.npy --output=@y.npy --stats\n"
      "  xla-run net.mlir --seed=1 --device=vulkan --report --output=none\n"
      "  xla-run f.mlir --seed=1 --device=all --rtol=1e-5\n"
      "  xla-run f.mlir --seed=1 --device=all --no-fuse "
      "--threads=3 --machine=l1=3000,gpu=1\n"
      "  xla-run f.mlir --input=f32=2 --expected-output=f32=4\n"
      "  xla-run f.mlir --seed=1 --device=cpu --cpu=x86-64-v3 --threads=1\n"
      "  xla-run f.mlir --device=cpu --triple=aarch64-linux-gnu "
      "--cpu=cortex-a76 --dump=code\n"
      "  xla-run --self-test=vulkan:1\n"
      "  xla-run tests.mlir --check\n"
      "  xla-run --check --device=cpu tests/*.mlir\n"
      "  xla-run sum.mlir --replicas=2 --input=\"2xf32=1 2.5\" "
      "--input=\"2xf32=3 5.25\"\n"
      "  xla-run sender.mlir --with=receiver.mlir --input=f32=1\n"
      "  xla-run f.mlir --custom-calls=libf.so --infeed=f32=1\n");
}

static bool isOutput(const char *text) {
  return !strcmp(text, "-") || !strcmp(text, "none") ||
         (text[0] == '@' && text[1]);
}

static XlaToolCode readReport(const XlaToolValues *given,
                              XlaRunOptions *options) {
  if (!given->count)
    return XlaToolCodeOk;
  const char *text = xlaToolValuesFirst(given, NULL);
  options->report =
      text[0] ? XlaFusionReportOperations : XlaFusionReportKernels;
  if (text[0] && strcmp(text, "verbose") != 0)
    return xlaToolError(XlaToolCodeWrong,
                        "--report=%.60s: there are --report and "
                        "--report=verbose",
                        text);
  if (options->call.unfused)
    return xlaToolError(XlaToolCodeWrong,
                        "--report tells what is fused, which nothing is with "
                        "--no-fuse");
  if (!strcmp(options->call.device, "interpreter"))
    return xlaToolError(XlaToolCodeWrong,
                        "--report tells of kernels, of which the interpreter "
                        "has none");
  return XlaToolCodeOk;
}

/// 1 if it is not given.
static XlaToolCode readCount(const XlaToolValues *values, const char *name,
                             int *count) {
  uint64_t number = 1;
  XlaToolCode code =
      xlaToolReadCount(name, values, 1, XLA_MAX_PROCESSES, &number);
  *count = (int)number;
  return code;
}

XlaToolCode xlaRunOptionsParse(int argc, char **argv,
                               XlaToolArguments *arguments,
                               XlaRunOptions *options, bool *done) {
  const XlaToolValues *given = arguments->options;
  *options = (XlaRunOptions){.relative = -1, .absolute = -1};
  XlaToolCode code =
      xlaCallOptionsParse(table, argc, argv, printHelp, OptionSelfTest,
                          OptionCheck, arguments, &options->call, done);
  if (code != XlaToolCodeOk || *done)
    return code;
  options->selfTest = xlaToolValuesFirst(&given[OptionSelfTest], NULL);
  options->expected = given[OptionExpected];
  options->check = given[OptionCheck].count > 0;
  options->stats = given[OptionStats].count > 0;
  options->dump = xlaToolValuesFirst(&given[OptionDump], NULL);
  options->printAfter = given[OptionPrintAfter];
  options->with = given[OptionWith];
  options->infeeds = given[OptionInfeed];
  options->outfeeds = given[OptionOutfeed];
  options->customCalls = given[OptionCustomCalls];
  if (options->call.programs.count > 1 && options->dump)
    return xlaToolError(XlaToolCodeWrong, "--dump takes one program, not %d",
                        options->call.programs.count);
  for (int i = 0; i < options->outfeeds.count; ++i)
    if (!isOutput(options->outfeeds.items[i]))
      return xlaToolError(XlaToolCodeWrong,
                          "--outfeed=%.60s is neither @FILE.npy, nor -, nor "
                          "none",
                          options->outfeeds.items[i]);
  code = readReport(&given[OptionReport], options);
  if (code == XlaToolCodeOk)
    code = readCount(&given[OptionReplicas], "replicas", &options->replicas);
  if (code == XlaToolCodeOk)
    code =
        readCount(&given[OptionPartitions], "partitions", &options->partitions);
  XlaCpuTargetOptions *cpu = &options->call.machine.cpu;
  cpu->triple = xlaToolValuesFirst(&given[OptionTriple], NULL);
  if (cpu->triple && strcmp(options->call.device, "cpu") != 0)
    return xlaToolError(XlaToolCodeWrong, "--triple needs --device=cpu");
  if (code != XlaToolCodeOk)
    return code;
  code = xlaToolValuesReadNumber(&given[OptionRelative], "rtol",
                                 &options->relative);
  return code == XlaToolCodeOk
             ? xlaToolValuesReadNumber(&given[OptionAbsolute], "atol",
                                       &options->absolute)
             : code;
}
