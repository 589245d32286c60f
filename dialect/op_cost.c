//===- op_cost.c - What computing an element costs ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/op_cost.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wswitch-enum"
int xlaOpGetCost(XlaOpKind kind) {
  switch (kind) {
  case XlaOpKindBroadcastInDim:
  case XlaOpKindConcatenate:
  case XlaOpKindConstant:
  case XlaOpKindDynamicSlice:
  case XlaOpKindIota:
  case XlaOpKindPad:
  case XlaOpKindReshape:
  case XlaOpKindReverse:
  case XlaOpKindSlice:
  case XlaOpKindTranspose:
    return 0;
  case XlaOpKindDivide:
  case XlaOpKindMap:
  case XlaOpKindRsqrt:
  case XlaOpKindSqrt:
    return XLA_OP_COSTLY;
  case XlaOpKindExponential:
  case XlaOpKindExponentialMinusOne:
  case XlaOpKindLog:
  case XlaOpKindLogPlusOne:
  case XlaOpKindLogistic:
  case XlaOpKindTanh:
    return 16;
  case XlaOpKindCbrt:
  case XlaOpKindCosine:
  case XlaOpKindRemainder:
  case XlaOpKindSine:
    return 24;
  case XlaOpKindAtan2:
  case XlaOpKindErf:
  case XlaOpKindPower:
  case XlaOpKindTan:
    return 64;
  default:
    return 1;
  }
}
#pragma clang diagnostic pop
