//===- formula.h - Functions of real numbers as texts -------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A formula is a text in reverse Polish notation. Words are separated by
// blanks:
//
//   x, y, ..     the value of that name; the inputs are x, y, z, v and w
//   =a           names the value on top, and takes it away
//   1, -0.5e3    constants; also inf and nan
//   lt gt le eq  comparisons; ne is eq not
//   copysign     the second but topmost value with the topmost one's sign
//   signed       the same, but -0 counts as positive
//   rounded      the value on top, rounded to f32
//   fused        of three values the first two's product, plus the third; the
//                product need not be rounded
//   ~name        a Chebyshev series (formula_series.inc) of the value on top
//   [ 3 2 1 ]    the polynomial of the value on top, highest power first, by
//                fused steps: all between the brackets are constants
//   split        of a positive normal f64 x, 2^e (1 + f), whose 1 + f is
//                between sqrt(1/2) and sqrt(2): e, and f on top
//   scaled       of the second but topmost value, a normal f64, and n + 1.5 *
//                2^52 on top: times 2^n, a normal one again
//   ln           log of a positive normal f64, which has no special cases
//   ln40         the same to 40 bits
//   exp33        e^x to 33 bits, of f64 of at most 700
//   other words  the operation xla.<word>, which takes its operands from the
//                stack
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_FORMULA_H
#define XLAC_PASSES_EXPAND_FORMULA_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/shape.h"

/// Builds `text` over arrays of `shape`, whose element type is a float (or an
/// integer, if the text has no constants but integers), and gives what is left
/// on the stack: `nOutputs` values, the topmost last. Texts are this project's
/// own: they are not checked.
void xlaFormulaBuild(XlaIr *ir, const XlaShape *shape, const char *text,
                     int nInputs, const MlirValue *inputs, int nOutputs,
                     MlirValue *outputs);

#endif // XLAC_PASSES_EXPAND_FORMULA_H
