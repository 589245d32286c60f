//===- value.h - Values on command lines and in files -------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// | text               | value                                             |
// |--------------------|---------------------------------------------------|
// | `2x2xf32=1 2 3 4`  | an array, row-major; blanks or commas in between  |
// | `4xf32=1`          | all elements the same                             |
// | `f32=3`            | a scalar                                          |
// | `2xc64=(1,2) (3,0)`| complex numbers                                   |
// | `@x.npy`           | numpy's file                                      |
// | `@x.npz:w`         | the array w of numpy's archive                    |
// | `random:7`         | random elements, of the type that is wanted       |
// | `8x4xf32=random:7` | the same of this type                             |
//
// Element types have XLA's names (s32, u8, pred, c64) or MLIR's (i32, ui8, i1,
// complex<f32>). Elements are decimal, hexadecimal (0x1F, 0x1.8p3), nan, inf,
// true or false. What xlaValuePrint prints reads back as the same bits, but for
// the payload of NaNs.
//
// bf16 and types of a byte and less, which numpy lacks, are in .npy files what
// ml_dtypes makes of them: raw elements of 2 or 1 bytes, '|V2' or '|V1'.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_VALUE_H
#define XLAC_TOOLS_COMMON_VALUE_H

#include "xlac/dialect/literal.h"
#include "xlac/runtime/status.h"
#include <stdio.h>

/// The array that `text` describes. `wanted`, which may be NULL, is the shape
/// that it is for: random values and raw elements of .npy files need it;
/// whether the value has that shape is left to the caller.
/// Fails: INVALID_ARGUMENT (the text says what is wrong), NOT_FOUND, DATA_LOSS
/// (of the file), OUT_OF_MEMORY, UNIMPLEMENTED (an element type of .npy).
XlaStatus xlaValueParse(const char *text, const XlaShape *wanted,
                        XlaLiteral **literal);

/// Random elements: floats in [-1, 1), integers in [-100, 100] or [0, 100] as
/// far as the type goes, preds. The same seed gives the same elements.
XlaStatus xlaValueRandom(const XlaShape *shape, uint64_t seed,
                         XlaLiteral **literal);

/// Prints an array as `2x2xf32=1 2 3 4`, without a newline, with as few digits
/// as read back exactly; unless `all`, more than 1000 elements go to a terminal
/// as the first and the last eight, and how many are left out.
void xlaValuePrint(const XlaLiteral *literal, bool all, FILE *file);

/// The text of one element, as above.
typedef struct XlaElementText {
  char chars[96];
} XlaElementText;
XlaElementText xlaValueElementText(const XlaLiteral *literal, int64_t linear);

/// Reads the file at `path` as above; writes an array to it.
XlaStatus xlaValueReadNpy(const char *path, const XlaShape *wanted,
                          XlaLiteral **literal);
XlaStatus xlaValueWriteNpy(const char *path, const XlaLiteral *literal);

/// "2x2xf32", as in values; "<=2x2xf32" of a dynamic dimension with its bound.
const char *xlaValueShapeText(const XlaShape *shape, char chars[160]);
#define XLA_VALUE_SHAPE_TEXT(shape) xlaValueShapeText(shape, (char[160]){0})

/// The float of `type` nearest to the decimal or hexadecimal number that `text`
/// starts with; `*end` is what follows.
double xlaValueReadFloat(XlaElementType type, const char *text,
                         const char **end);

#endif // XLAC_TOOLS_COMMON_VALUE_H
