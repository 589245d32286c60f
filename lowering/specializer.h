//===- specializer.h - Programs kept by the sizes of inputs -------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. A function that takes arrays of unknown size is made a
// program of static types for the sizes at hand (passes/import/specialize.h),
// and compiled unless it is for the interpreter. What became of the last
// XLA_EXECUTABLE_SIZES sizes is kept. One thread at a time uses a specializer.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_SPECIALIZER_H
#define XLAC_LOWERING_SPECIALIZER_H

#include "xlac/lowering/executable.h"
#include "xlac/passes/import/specialize.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XlaSpecializer XlaSpecializer;

/// The program for inputs of certain sizes.
typedef struct XlaSpecialized {
  MlirModule module; ///< of xla, static
  MlirOperation function;
  XlaExecutable *executable; ///< NULL for the interpreter
} XlaSpecialized;

/// For `function` of `module`, which is copied, as is what `options` points to
/// but for devices and targets. `compiles` is false for the interpreter. NULL
/// without memory.
XlaSpecializer *xlaSpecializerCreate(MlirModule module, MlirOperation function,
                                     bool compiles,
                                     const XlaCompileOptions *options);
void xlaSpecializerDestroy(XlaSpecializer *specializer);

/// The arrays in the function's arguments, tuples flattened.
intptr_t xlaSpecializerGetNumLeaves(const XlaSpecializer *specializer);
/// Where the caller writes the shapes of these arrays before xlaSpecializerGet.
XlaShape *xlaSpecializerGetShapes(XlaSpecializer *specializer);

/// The program for these shapes, which lives until as many others as are kept
/// have been asked for, or the specializer is destroyed. Allocates nothing if
/// it is there. NULL after a diagnostic: `*why`, which may be NULL, is then Ok
/// if the compiler failed, and else what xlaSpecialize gave.
const XlaSpecialized *xlaSpecializerGet(XlaSpecializer *specializer,
                                        XlaImportResult *why);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_SPECIALIZER_H
