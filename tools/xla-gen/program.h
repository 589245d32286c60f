//===- program.h - Random programs -------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs in the dialect that verify, finish, and mean the same everywhere,
// with inputs for them. A seed gives the same program and inputs every time.
//
// A program may be varied: variation 0 is the program, the others take every
// liberty that a correct implementation has. They round results of inexact
// operations up or down by as many units in the last place as implementations
// differ, flush denormals, give NaNs and zeros the other sign, and reduce in
// another order. So the results of a program may differ from those of
// variation 0 about as much as the variations do, and where these are equal
// they must be the same.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_XLA_GEN_PROGRAM_H
#define XLAC_TOOLS_XLA_GEN_PROGRAM_H

#include "xlac/dialect/literal.h"
#include "xlac/dialect/op.h"

enum { xlaGenMaxExtents = 32 };

/// Of which programs are made.
typedef struct XlaGenOptions {
  uint64_t seed;       ///< of the first program, the next has the next one
  int count;           ///< programs
  int ops;             ///< operations a program; 0: 1 to 30
  int64_t maxElements; ///< of an array
  /// Which operations and element types may occur, by kind; compare, convert,
  /// constants and what else is needed to feed an operation occur besides.
  bool allowedOps[XlaOpKindCount];
  bool allowedTypes[XlaElementTypeCount];
  int nExtents;                      ///< 0: small ones
  int64_t extents[xlaGenMaxExtents]; ///< sizes of dimensions
  int variation;                     ///< see above
  /// Also what XLA lacks: tuples carried by control flow, values from outside
  /// in regions of map, custom calls with effects of one operand, named "log",
  /// which give it back.
  bool own;
  /// Inputs are constants behind an optimization_barrier, not arguments.
  bool bakesInputs;
} XlaGenOptions;

/// One program of a module.
typedef struct XlaGenSignature {
  uint64_t seed;
  int nInputs, nResults;
  XlaShape inputs[8], results[8];
} XlaGenSignature;

/// One program with all operations that there is a hook for, all element types
/// and arrays of at most 2,000 elements.
XlaGenOptions xlaGenOptionsDefault(void);

/// Whether an operation can be in a program, and the name of its family.
bool xlaGenHasHook(XlaOpKind kind);

/// A module with the function @main that has the inputs of all programs in
/// order, and their results. Of several programs each is a function @pSEED.
/// `signatures` is NULL or has room for `count`. The dialects xla and func must
/// be registered in `context`. Null if there is no memory.
MlirModule xlaGenModule(MlirContext context, const XlaGenOptions *options,
                        XlaGenSignature *signatures);

/// Input `index` of the program of `seed`. NULL if there is no memory.
XlaLiteral *xlaGenInput(uint64_t seed, int index, const XlaShape *shape);

#endif // XLAC_TOOLS_XLA_GEN_PROGRAM_H
