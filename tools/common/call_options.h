//===- call_options.h - Command lines that call a function -------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tools that run programs share on their command lines: which function
// of which program is called, on what, with what, and where the results go.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_CALL_OPTIONS_H
#define XLAC_TOOLS_COMMON_CALL_OPTIONS_H

#include "xlac/tools/common/machine.h"
#include "xlac/tools/common/options.h"
#include "xlac/tools/common/values.h"

/// What such a command line says.
typedef struct XlaCallOptions {
  const char *program; ///< the first of `programs`
  XlaToolValues programs;
  const char *entry;             ///< NULL: main, or the only public function
  const char *device;            ///< what was given, XLAC_DEVICE, or cpu
  XlaToolValues inputs, outputs; ///< outputs as xlaLiteralsWrite takes them
  bool hasSeed;
  uint64_t seed;
  double timeout; ///< seconds; 0: none
  bool validate;  ///< Vulkan's validation layer
  bool printsAll; ///< however many elements a result has
  bool verbose;
  XlaToolMachine machine; ///< of --machine, --cpu and --threads
  bool unfused;
} XlaCallOptions;

/// The first rows of such a tool's table, and their positions in it. Some mean
/// different things to different tools, so their help is given.
enum {
  XlaCallOptionEntry,
  XlaCallOptionDevice,
  XlaCallOptionInput,
  XlaCallOptionSeed,
  XlaCallOptionOutput,
  XlaCallOptionTimeout,
  XlaCallOptionListDevices,
  XlaCallOptionValidate,
  XlaCallOptionCpu,
  XlaCallOptionThreads,
  XlaCallOptionNoFuse,
  XlaCallOptionMachine,
  XlaCallOptionPrintAll,
  XlaCallOptionVerbose,
  XlaCallOptionCount
};
#define XLA_CALL_OPTIONS(seedHelp, outputHelp)                                 \
  [XlaCallOptionEntry] =                                                       \
      {"entry", "NAME",                                                        \
       "the function to run; else main, or the only public one", false},       \
  [XlaCallOptionDevice] =                                                      \
      {"device", "DEVICE",                                                     \
       "what runs it, see below; else what XLAC_DEVICE says, or cpu", false},  \
  [XlaCallOptionInput] = {"input", "VALUE",                                    \
                          "an argument, see below; tuples take one for each "  \
                          "element",                                           \
                          true},                                               \
  [XlaCallOptionSeed] = {"seed", "N",                                          \
                         "inputs that are not given, and what the program "    \
                         "draws, are random, from this seed" seedHelp,         \
                         false},                                               \
  [XlaCallOptionOutput] = {"output", "@FILE.npy|-|none", outputHelp, true},    \
  [XlaCallOptionTimeout] = {"timeout", "SECONDS",                              \
                            "gives up after so long in all", false},           \
  [XlaCallOptionListDevices] =                                                 \
      {"list-devices", NULL, "lists the Vulkan devices and what each can do",  \
       false},                                                                 \
  [XlaCallOptionValidate] = {"validate", NULL,                                 \
                             "turns Vulkan's validation layer on; what it "    \
                             "says is a failure",                              \
                             false},                                           \
  [XlaCallOptionCpu] = {"cpu", "NAME|host",                                    \
                        "compiles for this processor, as LLVM names it: "      \
                        "x86-64, x86-64-v3,\nznver3 ..; else what XLAC_CPU "   \
                        "says, or the host",                                   \
                        false},                                                \
  [XlaCallOptionThreads] = {"threads", "N",                                    \
                            "threads of parallel loops on the CPU; else what " \
                            "XLAC_THREADS\nsays, or all that the process may " \
                            "use",                                             \
                            false},                                            \
  [XlaCallOptionNoFuse] =                                                      \
      {"no-fuse", NULL,                                                        \
       "compiles every operation by itself, to find what fusing "              \
       "them breaks",                                                          \
       false},                                                                 \
  [XlaCallOptionMachine] =                                                     \
      {"machine", "KEY=N,..",                                                  \
       "compiles as for another machine, see MACHINE, to find "                \
       "what\ndepends on its sizes",                                           \
       false},                                                                 \
  [XlaCallOptionPrintAll] =                                                    \
      {"print-all", NULL,                                                      \
       "prints all elements; else of more than 1000, to a terminal, "          \
       "the\nfirst and the last",                                              \
       false},                                                                 \
  [XlaCallOptionVerbose] = {                                                   \
      "verbose", NULL, "or -v: also says which attributes are ignored", false}

/// The forms of VALUE, for --help.
void xlaCallOptionsPrintValues(void);

/// Reads `argv` by `table`, and prints what --help (`printHelp`), --version or
/// --list-devices asks for; `*done` says that this was all. Prints a line on
/// failure.
/// `*arguments`, which owns what `*options` points to, is to be destroyed in
/// every case. With the option at `alone` (-1: none) no program is needed, with
/// that at `several` there may be several.
XlaToolCode xlaCallOptionsParse(const XlaToolOption *table, int argc,
                                char **argv, void (*printHelp)(void), int alone,
                                int several, XlaToolArguments *arguments,
                                XlaCallOptions *options, bool *done);

/// Reads the number of option `name`, if it is given. Prints a line on failure.
XlaToolCode xlaToolValuesReadNumber(const XlaToolValues *values,
                                    const char *name, double *number);

/// Whether there is an output for each of `results`, or none at all. Prints a
/// line on failure.
XlaToolCode xlaCallOptionsCheckOutputs(const XlaCallOptions *options,
                                       const XlaProgramValues *results);

#endif // XLAC_TOOLS_COMMON_CALL_OPTIONS_H
