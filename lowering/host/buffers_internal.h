//===- buffers_internal.h - The parts of buffer assignment --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_HOST_BUFFERS_INTERNAL_H
#define XLAC_LOWERING_HOST_BUFFERS_INTERNAL_H

#include "xlac/lowering/host/buffers.h"

/// Sets the offsets of all arena and constant buffers and the sizes of both.
/// False without memory.
bool xlaBufferAssignmentLayOut(XlaBufferAssignment *assignment);

#endif // XLAC_LOWERING_HOST_BUFFERS_INTERNAL_H
