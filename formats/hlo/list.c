//===- list.c - The page about HLO ----------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/emit.h"
#include "xlac/formats/hlo/hlo.h"

#include <stdio.h>
#include <string.h>

static const char head[] =
    "# HLO\n"
    "\n"
    "Programs in HLO, as `compiled.as_text()`, "
    "`lowered.compiler_ir(\"hlo\").as_hlo_text()` and `--xla_dump_to` give "
    "them, are read\n"
    "by `xla-run`, `xla-bench`, `xla-opt` and `xla-reduce`, and so are XLA's "
    "protocol buffers of them (HloModuleProto, HloProto,\n"
    "HloSnapshot). Programs are told apart by content. This table, which "
    "`xla-opt --list-hlo=markdown` writes, has all\n"
    "opcodes, and what becomes of them. Where the last column says that one is "
    "refused, the message is at the\n"
    "instruction, with the reason, and the exit code 3.\n"
    "\n"
    "The computation ENTRY is `@main`. A computation that one instruction "
    "calls becomes its region, or stands in its place;\n"
    "one that several call too, if it is small, else it is a function. Tuples "
    "become several values. Layouts are in\n"
    "the types of parameters and results of ENTRY, and decide what a bitcast "
    "is; elsewhere they say nothing of values.\n"
    "Aliases of parameters and results become `xla.donated`. Shardings, "
    "configurations of XLA's compilers, schedules and\n"
    "memory spaces are dropped. Any opcode with `-start`, `-update` and "
    "`-done` behind it is computed where it starts.\n"
    "\n"
    "Before XLA has partitioned it, a program of several devices is about "
    "whole arrays, and stays so: shardings\n"
    "count where computations of parts begin and end (shard_map, pmap). What "
    "XLA has partitioned is the program of\n"
    "one device: `xla-run --partitions=8` runs as many of it at the same time, "
    "and takes the inputs of all, one device\n"
    "after the other.\n"
    "\n"
    "Text must have its constants: XLA leaves large ones out, as `{...}`, "
    "unless asked for them (`print_large_constants`).\n"
    "\n"
    "| opcode | becomes |\n"
    "|---|---|\n";

/// What is not the operation of the table's kind, by the hook that makes it.
static const struct {
  const char *hook, *becomes;
} notes[] = {
    {"Bitcast", "`xla.transpose`, `xla.reshape`, of other element types "
                "`xla.bitcast`: what the layouts make of the bytes"},
    {"Call", "`func.call`"},
    {"Called", "the operations of its computation"},
    {"Conditional", "`xla.if`, of an index `xla.case`"},
    {"CustomCall",
     "as of StableHLO ([stablehlo.md](stablehlo.md)), else `xla.custom_call`; "
     "those around computations of the parts that devices have, which JAX's "
     "shard_map and pmap become (`xla.sdy.GlobalToLocalShape`, "
     "`SPMDFullToShardShape` ..): the program of all devices on whole arrays"},
    {"Dot", "`xla.dot_general`; refused: sparse operands"},
    {"DynamicReshape", "`xla.reshape`, of a static shape"},
    {"First", "its first operand"},
    {"Foreign", "a product of twice the width"},
    {"Fusion", "the operations of its computation; `xla.fusion` of them by "
               "`xla-translate --keep-fusions`"},
    {"GetTupleElement", "an element of its operand"},
    {"Parameter", "an argument"},
    {"RaggedAllToAll", "a call of a function that is known to be one when it "
                       "is written: `xla.all_to_all` of rows, sizes and "
                       "places, and `xla.gather`"},
    {"RaggedDot", "`xla.dot_general`, masks and sums"},
    {"Rng", "`xla.rng_uniform`, `xla.rng_normal`"},
    {"Topk", "`xla.top_k`"},
    {"RngState", "`xla.rng_uniform`: bits that nobody else has drawn"},
    {"ScaledDot", "`xla.dot_general` of operands multiplied by their scales"},
    {"Scan", "`xla.while`"},
    {"StochasticConvert", "comparisons of what is behind the point with the "
                          "random operand, `xla.select`"},
    {"Tuple", "its operands"},
};

static void print(MlirStringCallback callback, void *userData,
                  const char *opcode, const char *hook, XlaOpKind kind) {
  char text[400];
  size_t i = 0, n = sizeof notes / sizeof *notes;
  while (i < n && strcmp(notes[i].hook, hook) != 0)
    ++i;
  if (i < n)
    snprintf(text, sizeof text, "| `%s` | %s |\n", opcode, notes[i].becomes);
  else
    snprintf(text, sizeof text, "| `%s` | `xla.%s` |\n", opcode,
             xlaOpGetInfo(kind)->name);
  callback(mlirStringRefCreateFromCString(text), userData);
}

void xlaHloListOps(MlirStringCallback callback, void *userData) {
  callback(mlirStringRefCreateFromCString(head), userData);
#define XLA_HLO_OP(name, Enum, operands, Emit, Kind, dimensions)               \
  print(callback, userData, name, #Emit, XlaOpKind##Kind);
#include "xlac/formats/hlo/opcodes.def"
}
