//===- random.h - Random bits -------------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counter-based generators: the bits of a counter, scrambled under a key.
// Source: J. Salmon, M. Moraes, R. Dror, D. Shaw, Parallel Random Numbers: As
// Easy as 1, 2, 3 (SC 2011); the rounds and how counters are laid out over
// arrays are XLA's.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_RANDOM_H
#define XLAC_DIALECT_INTERPRET_RANDOM_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// ThreeFry-2x32 with 20 rounds: these rotations, four at a time in turn; after
/// each four the key's words, of which the third is this xor the others, are
/// added.
#define XLA_THREE_FRY_PARITY 0x1BD11BDAu
static const int xlaThreeFryRotations[8] = {13, 15, 26, 6, 17, 29, 16, 24};

/// Philox-4x32 with 10 rounds: what words 0 and 2 are multiplied by, and what
/// is added to the key's words after a round.
static const uint32_t xlaPhiloxFactors[2] = {0xD2511F53u, 0xCD9E8D57u};
static const uint32_t xlaPhiloxWeyl[2] = {0x9E3779B9u, 0xBB67AE85u};
enum { xlaThreeFryGroups = 5, xlaPhiloxRounds = 10 };

/// Scramble `words` in place; word 0 is the low one.
void xlaThreeFry(const uint32_t key[2], uint32_t words[2]);
void xlaPhilox(const uint32_t key[2], uint32_t words[4]);

/// Whether `op`, an xla.rng_bit_generator, uses ThreeFry; Philox otherwise,
/// which is the default.
bool xlaRngIsThreeFry(MlirOperation op);

/// How ThreeFry's pairs of words are laid over an array: dimension `dim` of
/// `half` counts pairs, of which the two words lie side by side in the array.
/// That is the first dimension of even size, else the first of the largest; a
/// scalar is the first word of one pair.
typedef struct XlaRngSplit {
  int dim;
  XlaShape half;
} XlaRngSplit;
XlaRngSplit xlaRngSplitShape(const XlaShape *shape);

//===----------------------------------------------------------------------===//
// Distributions
//===----------------------------------------------------------------------===//
//
// xla.rng_uniform and xla.rng_normal draw from one stream a run: blocks of
// Philox of 128 bits, numbered from 0 in the order of execution, under the
// program's seed. An operation takes whole blocks, which hold its words of 64
// bits in order: one an element, two of f64 normals, the second ones after all
// first ones.
//
// Uniform floats are a * (1 - r) + b * r, where r has the upper 24 bits of a
// word's lower half (f64: 53 of the word) behind the point, no less than a, and
// a in place of what rounds to b or more. Uniform integers are a plus the word
// modulo b - a. Both are a if b <= a, as is every pred.
//
// Normal numbers are mu + sigma * sqrt(-2 ln u) * cos(2 pi v), with u in (0, 1]
// of the lower and v in [0, 1) of the upper half of a word (f64: of two words).
// G. Box, M. Muller, A Note on the Generation of Random Normal Deviates (1958).
//
// Floats below f32 are computed as f32 and rounded at the end.

/// The attribute of the module that seeds the stream, an integer; 0 without.
#define XLA_SEED_ATTRIBUTE "xla.seed"

/// The seed of the program that `op` is in.
uint64_t xlaRngGetSeed(MlirOperation op);

/// The words of 64 bits that an xla.rng_uniform or rng_normal takes for a
/// result of `shape`.
int64_t xlaRngWordCount(XlaOpKind kind, const XlaShape *shape);
/// The blocks in which they are.
static inline uint64_t xlaRngBlockCount(int64_t words) {
  return (uint64_t)words / 2 + (uint64_t)words % 2;
}

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INTERPRET_RANDOM_H
