//===- kernel_pool.c - Kernels of a program, each only once ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels are compared as they were emitted, not the operations that they come
// from: how operations lie beside each other (an operand used twice, a constant
// from outside) shows in a kernel only where it matters.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/kernel_pool.h"

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/result_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void xlaKernelPoolName(intptr_t number, char name[XLA_KERNEL_NAME_SIZE]) {
  snprintf(name, XLA_KERNEL_NAME_SIZE, "kernel_%lld", (long long)number);
}

static uint64_t hashOf(const char *text, size_t length) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325); // FNV-1a
  for (size_t i = 0; i < length; ++i)
    hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  return hash;
}

/// What was appended to `body` after `last` (null: it was empty) if that is one
/// function, else null: constants in memory and helpers have names that differ.
static MlirOperation onlyFunction(MlirBlock body, MlirOperation last) {
  MlirOperation first = mlirOperationIsNull(last)
                            ? mlirBlockGetFirstOperation(body)
                            : mlirOperationGetNextInBlock(last);
  bool alone = !mlirOperationIsNull(first) &&
               mlirOperationIsNull(mlirOperationGetNextInBlock(first)) &&
               xlaIrIsOp(first, "func.func");
  return alone ? first : (MlirOperation){NULL};
}

/// The function's text under a name that all have; NULL without memory.
static char *textOf(MlirOperation function, size_t *length) {
  MlirStringRef key = mlirStringRefCreateFromCString("sym_name");
  MlirAttribute name = mlirOperationGetAttributeByName(function, key);
  mlirOperationSetAttributeByName(
      function, key, xlaIrStringAttr(mlirOperationGetContext(function), "k"));
  char *text = xlaIrPrintAlone(function, length);
  mlirOperationSetAttributeByName(function, key, name);
  return text;
}

static intptr_t find(const XlaKernelPool *pool, const XlaPooledKernel *kernel) {
  for (intptr_t i = 0; i < pool->count; ++i) {
    const XlaPooledKernel *other = &pool->kernels[i];
    if (other->text && other->hash == kernel->hash &&
        other->length == kernel->length &&
        other->scratchBytes == kernel->scratchBytes &&
        !memcmp(other->text, kernel->text, kernel->length))
      return i;
  }
  return -1;
}

/// The last operation of the module, from the one of the last time on: long
/// programs have thousands.
static MlirOperation lastOf(XlaKernelPool *pool, MlirBlock body) {
  MlirOperation op = mlirOperationIsNull(pool->last)
                         ? mlirBlockGetFirstOperation(body)
                         : mlirOperationGetNextInBlock(pool->last);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    pool->last = op;
  return pool->last;
}

MlirLogicalResult xlaKernelPoolEmit(XlaKernelPool *pool,
                                    const XlaHostDevice *device,
                                    MlirOperation op, MlirModule module,
                                    intptr_t *number, int64_t *scratchBytes) {
  char name[XLA_KERNEL_NAME_SIZE];
  MlirBlock body = mlirModuleGetBody(module);
  MlirOperation last = lastOf(pool, body);
  XlaPooledKernel kernel = {.scratchBytes = -1};
  if (pool->count == pool->capacity) {
    intptr_t capacity = 2 * pool->capacity + 32;
    XlaPooledKernel *grown =
        realloc(pool->kernels, (size_t)capacity * sizeof *grown);
    if (!grown)
      return xlaOpError(op, NULL, "ran out of memory");
    pool->kernels = grown;
    pool->capacity = capacity;
  }
  xlaKernelPoolName(pool->count, name);
  if (failed(device->emitKernel(op, module, name, &kernel.scratchBytes,
                                device->user)))
    return failure();
  *scratchBytes = kernel.scratchBytes;
  MlirOperation function = onlyFunction(body, last);
  if (!mlirOperationIsNull(function))
    kernel.text = textOf(function, &kernel.length);
  if (kernel.text) {
    kernel.hash = hashOf(kernel.text, kernel.length);
    *number = find(pool, &kernel);
    if (*number >= 0) {
      mlirOperationDestroy(function);
      free(kernel.text);
      return success();
    }
  }
  *number = pool->count;
  pool->kernels[pool->count++] = kernel;
  return success();
}

void xlaKernelPoolDestroy(XlaKernelPool *pool) {
  for (intptr_t i = 0; i < pool->count; ++i)
    free(pool->kernels[i].text);
  free(pool->kernels);
  memset(pool, 0, sizeof *pool);
}
