//===- user.c - A program outside the tree that uses an installed xlac ----===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/ir.h"
#include "xlac/runtime/arena.h"
#include "xlac/runtime/npy.h"

#include <stdio.h>

static int fail(XlaStatus status) {
  fprintf(stderr, "%s\n", xlaStatusMessage(status));
  xlaStatusDestroy(status);
  return 1;
}

/// Uses the runtime: an array through a file.
static XlaStatus writeAndRead(const char *path, XlaArena *arena) {
  void *data = NULL;
  XLA_RETURN_IF_ERROR(xlaArenaAllocate(arena, 2 * sizeof(float), &data));
  ((float *)data)[0] = 1;
  ((float *)data)[1] = 2;
  XlaNpy array = {.kind = 'f',
                  .itemSize = 4,
                  .rank = 1,
                  .dims = {2},
                  .data = data,
                  .byteCount = 2 * sizeof(float)};
  XlaStatus status = xlaNpyWrite(path, &array);
  xlaArenaFree(data);
  XLA_RETURN_IF_ERROR(status);
  XLA_RETURN_IF_ERROR(xlaNpyRead(path, 1 << 20, &array));
  printf("%g %g\n", ((float *)array.data)[0], ((float *)array.data)[1]);
  xlaNpyDestroy(&array);
  return NULL;
}

/// Uses the lowering's helpers, and MLIR with them: an attribute's type.
static void printAnIndex(void) {
  MlirContext context = mlirContextCreate();
  MlirAttribute attribute = xlaIrI64Attr(context, 42);
  printf("%lld\n", (long long)mlirIntegerAttrGetValueInt(attribute));
  mlirContextDestroy(context);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  XlaArena *arena = NULL;
  XlaStatus status = xlaArenaCreate((XlaArenaOptions){0}, &arena);
  if (status)
    return fail(status);
  status = writeAndRead(argv[1], arena);
  xlaArenaDestroy(arena);
  if (status)
    return fail(status);
  printAnIndex();
  return 0;
}
