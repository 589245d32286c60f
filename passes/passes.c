//===- passes.c - The passes from xla to xla ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/passes.h"

#define XLA_PASS_TABLE "xlac/passes/passes.def"
#include "xlac/passes/pass_table.inc"

void xlaPassesRegister(void) {
  registerTable();
  mlirExtPassPipelineRegister(
      "xla-prepare-for-lowering",
      "Give a program the form that lowering takes, with fusions; options are "
      "those of xla-fuse",
      "xla-legalize,xla-split-scans,xla-sort-scatters,xla-sort-top-k,"
      "canonicalize,cse,xla-fuse{*}");
}
