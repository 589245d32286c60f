//===- make.h - Operations of bytecode become StableHLO's -------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_VHLO_MAKE_H
#define XLAC_FORMATS_VHLO_MAKE_H

#include "xlac/formats/vhlo/reader.h"

/// An operation that is being read.
typedef struct XlaVhloReadOp {
  const uint8_t *at;
  const XlaVhloOpName *name;
  uint8_t mask;
  MlirLocation location;
  MlirAttribute dictionary; ///< null: none
  XlaByteCursor properties; ///< null: none
  uint64_t nResults, nOperands, nRegions;
  MlirType *results;
  MlirValue *operands;
  bool isIsolated;
} XlaVhloReadOp;

/// Makes it, without what is in its regions, of which there are no more than
/// `left` bytes: in `parent`, or, if that is null, the module. `*made` is null
/// without memory.
bool xlaVhloMake(XlaVhloReader *reader, XlaVhloReadOp *op, MlirOperation parent,
                 size_t left, MlirOperation *made);

#endif // XLAC_FORMATS_VHLO_MAKE_H
