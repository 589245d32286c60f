//===- exported.h - Files of jax.export -----------------------------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `jax.export.export(f)(..).serialize()` gives a flatbuffer: a table with the
// function's name, trees that say how arguments and results are put together,
// their types and shardings, the platforms and devices that the program was
// lowered for, and the program as a portable artifact. Of these the program is
// read, with what says how it is called: the version of the calling convention
// (9 and 10 are known) and the platforms.
//
// The locations of the arguments of @main are their names in Python:
// `x`, `params['w']`.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_EXPORTED_EXPORTED_H
#define XLAC_FORMATS_EXPORTED_EXPORTED_H

#include "xlac/formats/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether `bytes` begin as such a file: with a flatbuffer that has an artifact
/// where jax.export has it.
bool xlaExportedIs(MlirStringRef bytes);

/// Reads the program of the file that is all of `source`, as xlaVhloRead does.
/// A program for several platforms becomes that for the CPU, or for the first
/// platform if the CPU is none of them.
bool xlaExportedRead(XlaByteSource *source, MlirModule *module);

#ifdef __cplusplus
}
#endif

#endif // XLAC_FORMATS_EXPORTED_EXPORTED_H
