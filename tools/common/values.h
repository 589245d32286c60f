//===- values.h - Inputs and outputs of functions -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuples are taken and given element by element, tokens not at all: the leaves
// of a signature are its arrays in order.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_VALUES_H
#define XLAC_TOOLS_COMMON_VALUES_H

#include "xlac/dialect/literal.h"
#include "xlac/tools/common/options.h"
#include "xlac/tools/common/program.h"

/// The arguments or the results of a function.
typedef struct XlaProgramValues {
  intptr_t count;
  XlaLiteral **items; ///< owned; NULL where there is no value yet
  intptr_t leafCount;
  XlaShape *leafShapes; ///< with bounds
} XlaProgramValues;

/// Room for the arguments (or the results) of `function`. Fails for types that
/// are no arrays, tuples or tokens. `*values` is to be destroyed in every case.
XlaToolCode xlaProgramValuesCreate(const XlaProgram *program,
                                   MlirOperation function, bool isResult,
                                   XlaProgramValues *values);
void xlaProgramValuesDestroy(XlaProgramValues *values);

/// The leaves of all values, borrowed, in an array to be freed; NULL without
/// memory.
const XlaLiteral **xlaProgramValuesGetLeaves(const XlaProgramValues *values);

/// "2x3xf32, s32": the leaves, in as much of `chars` as there is.
const char *xlaProgramValuesText(const XlaProgramValues *values, char *chars,
                                 size_t size);

/// The types of `function`'s arguments, with the sizes of the arrays that
/// `given` describes where they leave sizes open; the array is to be freed in
/// every case. Prints a line on failure.
XlaToolCode xlaProgramInputTypes(MlirOperation function,
                                 const XlaToolValues *given, MlirType **types);

/// Fills the arguments of `function` with the values that `given` describes,
/// leaf by leaf, and from `*seed` what is missing. Without a seed (NULL) none
/// may be missing.
XlaToolCode xlaProgramValuesRead(MlirOperation function,
                                 const XlaToolValues *given,
                                 const uint64_t *seed,
                                 XlaProgramValues *values);

/// Reads `text`, which must describe an array of `shape`; `what` and `index`
/// name it in messages.
XlaToolCode xlaProgramValueRead(const char *text, const char *what,
                                intptr_t index, const XlaShape *shape,
                                XlaLiteral **literal);

/// Writes the arrays where `outputs` says, which has one for each: @FILE.npy, -
/// for standard output, or none; a single none stands for all. Prints all if it
/// is empty; `whole`, as xlaValuePrint has it, if there are many elements.
XlaToolCode xlaLiteralsWrite(intptr_t count, const XlaLiteral *const *literals,
                             const XlaToolValues *outputs, bool whole);
/// Whether `outputs` is the single none.
bool xlaOutputsAreNone(const XlaToolValues *outputs);

#endif // XLAC_TOOLS_COMMON_VALUES_H
