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

#include "xlac/lowering/linalg/kernel_pool.h"

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

/// What is appended to `body` after `last` (null: it was empty).
static MlirOperation firstAfter(MlirBlock body, MlirOperation last) {
  return mlirOperationIsNull(last) ? mlirBlockGetFirstOperation(body)
                                   : mlirOperationGetNextInBlock(last);
}

static MlirStringRef symbolOf(MlirOperation function) {
  return mlirStringAttrGetValue(mlirOperationGetAttributeByName(
      function, mlirStringRefCreateFromCString("sym_name")));
}

/// Whether the function is kernel `name` or a part of it, "name.part"; others
/// are shared.
static bool isOwn(MlirOperation function, const char *name) {
  MlirStringRef symbol = symbolOf(function);
  size_t n = strlen(name);
  return symbol.length >= n && !memcmp(symbol.data, name, n) &&
         (symbol.length == n || symbol.data[n] == '.');
}

/// Writes "k" in the place of `name` where that is a name or its beginning.
static void shorten(XlaIrText *text, const char *name) {
  size_t n = strlen(name), to = 0;
  for (size_t from = 0; from < text->size;) {
    size_t end = from + n;
    bool isName = end < text->size && !memcmp(text->data + from, name, n) &&
                  (text->data[end] < '0' || text->data[end] > '9');
    text->data[to++] = isName ? 'k' : text->data[from];
    from = isName ? end : from + 1;
  }
  text->size = to;
}

/// The text of the functions that were appended for kernel `name`, under names
/// that all have; NULL without memory, or if there are constants in memory,
/// whose names differ.
static char *textOf(MlirOperation first, const char *name, size_t *length) {
  XlaIrText text = {.data = NULL};
  for (MlirOperation op = first; !mlirOperationIsNull(op) && !text.isCut;
       op = mlirOperationGetNextInBlock(op)) {
    if (!xlaIrIsOp(op, "func.func")) {
      text.isCut = true;
      break;
    }
    size_t n = 0;
    char *part = isOwn(op, name) ? xlaIrEncode(op, &n) : NULL;
    if (part)
      xlaIrTextAppend(mlirStringRefCreate(part, n), &text);
    text.isCut |= isOwn(op, name) && !part;
    free(part);
  }
  if (text.isCut) {
    free(text.data);
    return NULL;
  }
  if (text.data)
    shorten(&text, name);
  *length = text.size;
  return text.data;
}

static void eraseOwn(MlirOperation op, const char *name) {
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (isOwn(op, name))
      mlirOperationDestroy(op);
    op = next;
  }
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
      return xlaOpNoMemory(op);
    pool->kernels = grown;
    pool->capacity = capacity;
  }
  xlaKernelPoolName(pool->count, name);
  if (failed(device->emitKernel(op, module, name, &kernel.scratchBytes,
                                device->user)))
    return failure();
  *scratchBytes = kernel.scratchBytes;
  MlirOperation first = firstAfter(body, last);
  kernel.text = textOf(first, name, &kernel.length);
  if (kernel.text) {
    kernel.hash = hashOf(kernel.text, kernel.length);
    *number = find(pool, &kernel);
    if (*number >= 0) {
      eraseOwn(first, name);
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
