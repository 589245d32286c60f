//===- epilogue.h - What follows a matrix product -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The linalg.generic behind a product, computed on vectors of sums before they
// are stored: an epilogue of matmul.h. The product is read where the point of
// the loops is; other operands lie anywhere, by strides along batch, rows and
// columns, each of which may be several loops.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_MATMUL_EPILOGUE_H
#define XLAC_LOWERING_CPU_MATMUL_EPILOGUE_H

#include "xlac/lowering/affine/statement.h"
#include "xlac/lowering/cpu/matmul/lanes.h"
#include "xlac/lowering/cpu/matmul/matmul.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A loop of the statement, within batch, rows or columns: position `at` of
/// these is iteration `at / unit % size`.
typedef struct XlaCpuEpilogueLoop {
  int64_t unit, size;
  int dim;       ///< of the statement
  int64_t scale; ///< a step is so many of the dimension
  bool isWhole;  ///< is all of that dimension
} XlaCpuEpilogueLoop;

typedef struct XlaCpuEpilogueLoops {
  int n; ///< the slowest first
  XlaCpuEpilogueLoop loops[XLA_CPU_WALK_MAX_LOOPS];
} XlaCpuEpilogueLoops;

typedef struct XlaCpuEpilogue {
  XlaSchedStatement statement;
  XlaCpuEpilogueLoops groups[3]; ///< batch, rows, columns
  bool alongRows;                ///< lanes are rows
  int main;     ///< the output that the product's place becomes, or -1: sums
  MlirType sum; ///< element type of the product in memory
  MlirValue product;
  intptr_t nExtras;
  MlirValue extras[XLA_CPU_MATMUL_MAX_EXTRAS]; ///< buffers; given as pointers
  bool failed; ///< memory ran out, or `statement` could not be read
} XlaCpuEpilogue;

/// Reads `generic`, which follows `matmul` (with its product as the result).
/// False, without a diagnostic unless `failed`, if it is no epilogue: its body
/// is not arithmetic, or the product or an output are not read and written
/// where the loops are. Free with xlaCpuEpilogueFree in any case.
bool xlaCpuEpilogueRead(XlaCpuEpilogue *epilogue, MlirOperation generic,
                        MlirValue product, const XlaCpuMatmul *matmul);
void xlaCpuEpilogueFree(XlaCpuEpilogue *epilogue);

/// The buffer that the result goes to.
MlirValue xlaCpuEpilogueResult(const XlaCpuEpilogue *epilogue);

/// XlaCpuMatmulEpilogue; `user` is an XlaCpuEpilogue, extras are pointers.
MlirValue xlaCpuEpilogueApply(XlaIr *ir, MlirValue sums, MlirValue batch,
                              MlirValue row, MlirValue column, MlirValue valid,
                              const MlirValue *extras, void *user);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_MATMUL_EPILOGUE_H
