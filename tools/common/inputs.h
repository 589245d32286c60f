//===- inputs.h - Inputs by their names -----------------------------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of a function have names where the program's form keeps them: as
// `jax.arg_info`, or as the name that is their location, as jax has it. In text
// that is `%arg0: tensor<f32> loc("x")`.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_INPUTS_H
#define XLAC_TOOLS_COMMON_INPUTS_H

#include "mlir-c/IR.h"
#include "xlac/tools/common/options.h"

/// Inputs as xlaProgramValuesRead takes them.
typedef struct XlaInputs {
  XlaToolValues values; ///< an item is NULL where none is given
  char **owned;         ///< of the items
  int nOwned;
} XlaInputs;

/// Whether an item of `given` names an input, or is a file of several.
bool xlaInputsAreNamed(const XlaToolValues *given);

/// Puts what `given` names, `x=VALUE`, and the arrays of `@FILE.npz`, which go
/// by their names if an argument has one of these, and else by their order, in
/// the order of `function`'s arguments; other items are for those arguments, in
/// order, that are not named. Prints a line on failure. To be destroyed in
/// every case.
XlaToolCode xlaInputsCreate(MlirOperation function, const XlaToolValues *given,
                            XlaInputs *inputs);
void xlaInputsDestroy(XlaInputs *inputs);

#endif // XLAC_TOOLS_COMMON_INPUTS_H
