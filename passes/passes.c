//===- passes.c - The passes from xla to xla
//---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/passes.h"

#define XLA_LIST(...) __VA_ARGS__
#define XLA_OPTION(kind, name, defaultValue, description)                      \
  {name, description, MlirExtPassOption##kind, defaultValue}

// The lists end with a row of NULLs, which the count leaves out.
#define XLA_PASS(name, Function, dialects, optionTable, description)           \
  static const char *const Function##Dialects[] = {XLA_LIST dialects, NULL};   \
  static const MlirExtPassOption Function##Options[] = {                       \
      XLA_LIST optionTable{NULL, NULL, MlirExtPassOptionBool, NULL}};
#include "xlac/passes/passes.def"

static const MlirExtPassDefinition definitions[] = {
#define XLA_PASS(name, Function, dialects, optionTable, description)           \
  {name,                                                                       \
   description,                                                                \
   sizeof Function##Options / sizeof *Function##Options - 1,                   \
   Function##Options,                                                          \
   Function##Dialects,                                                         \
   Function,                                                                   \
   NULL},
#include "xlac/passes/passes.def"
};

void xlaPassesRegister(void) {
  for (size_t i = 0; i < sizeof definitions / sizeof *definitions; ++i)
    mlirExtPassRegister(&definitions[i]);
  mlirExtPassPipelineRegister(
      "xla-prepare-for-lowering",
      "Give a program the form that lowering takes, with fusions",
      "xla-legalize,canonicalize,cse,xla-fuse");
}
