//===- pointer.h - Building loads and stores through pointers -*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are shared between shapes take pointers and strides as numbers:
// llvm.ptr and i64 in place of memrefs, which also keeps their IR small.
// Indices and strides count elements.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_POINTER_H
#define XLAC_LOWERING_CPU_POINTER_H

#include "xlac/dialect/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/// !llvm.ptr.
MlirType xlaCpuPtrType(MlirContext context);

/// The pointer to element 0 of a memref of static layout: its offset included.
MlirValue xlaCpuPtrOfMemRef(XlaIr *ir, MlirValue memref);
/// `pointer + index` elements of type `element`; `index` is of type
/// index.
MlirValue xlaCpuPtrAdd(XlaIr *ir, MlirValue pointer, MlirType element,
                       MlirValue index);

/// A scalar or vector at `pointer`, aligned as its elements are.
MlirValue xlaCpuPtrLoad(XlaIr *ir, MlirValue pointer, MlirType type);
void xlaCpuPtrStore(XlaIr *ir, MlirValue value, MlirValue pointer);
/// Lanes whose `mask` is false are zero and not read.
MlirValue xlaCpuPtrMaskedLoad(XlaIr *ir, MlirValue pointer, MlirType type,
                              MlirValue mask);
/// Lanes whose `mask` is false are not written.
void xlaCpuPtrMaskedStore(XlaIr *ir, MlirValue value, MlirValue pointer,
                          MlirValue mask);
/// Lane i of type `type` from `pointer + indices[i]`, a vector of index
/// that counts elements. Lanes whose `mask` is false are zero and not read.
MlirValue xlaCpuPtrGather(XlaIr *ir, MlirValue pointer, MlirType type,
                          MlirValue indices, MlirValue mask);
/// Brings the line into the first cache for writing.
void xlaCpuPtrPrefetchWrite(XlaIr *ir, MlirValue pointer);

/// vector<lanes x i1>: lane i is true where i < count, an index.
MlirValue xlaCpuLaneMask(XlaIr *ir, int64_t lanes, MlirValue count);
/// vector.shuffle of two vectors of equal type: `n` lanes, numbered through
/// both.
MlirValue xlaCpuShuffle(XlaIr *ir, MlirValue a, MlirValue b, intptr_t n,
                        const int64_t *lanes);

/// Arithmetic on numbers of type index; what adds 0, or multiplies by 0 or 1,
/// leaves nothing behind.
MlirValue xlaCpuAdd(XlaIr *ir, MlirValue a, MlirValue b);
MlirValue xlaCpuSub(XlaIr *ir, MlirValue a, MlirValue b);
MlirValue xlaCpuMul(XlaIr *ir, MlirValue a, MlirValue b);
MlirValue xlaCpuMin(XlaIr *ir, MlirValue a, MlirValue b);
/// Of non-negative numbers, `b` > 0.
MlirValue xlaCpuDiv(XlaIr *ir, MlirValue a, MlirValue b);
MlirValue xlaCpuRem(XlaIr *ir, MlirValue a, MlirValue b);
/// `a - a % b`.
MlirValue xlaCpuRoundDown(XlaIr *ir, MlirValue a, MlirValue b);

/// A loop without carried values over [lower, upper): gives its index. Close
/// it with xlaIrYield(body, 0, NULL).
MlirValue xlaCpuLoop(XlaIr *ir, MlirValue lower, MlirValue upper,
                     MlirValue step, XlaIr *body);

/// A private function in the module that `ir` stands in; `*body` is its empty
/// entry block. Close it with xlaCpuReturn.
/// Names are shared: where
/// the module has a function of this name already, false is returned and
/// nothing is made.
bool xlaCpuBeginFunction(MlirBlock moduleBody, MlirLocation location,
                         const char *name, intptr_t nInputs,
                         const MlirType *inputs, XlaIr *body);
void xlaCpuReturn(XlaIr *body);
/// func.call of a function without results.
void xlaCpuCall(XlaIr *ir, const char *name, intptr_t n,
                const MlirValue *operands);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_POINTER_H
