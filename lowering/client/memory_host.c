//===- memory_host.c - Arrays in the host's memory ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/ir.h"
#include "xlac/lowering/client/message.h"
#include "xlac/runtime/memory.h"

#include <stdlib.h>
#include <string.h>

static XlaStatus allocate(XlaClient *client, size_t bytes, void **data) {
  return xlaPoolAllocate(client->pool, bytes, data);
}

static void giveBack(XlaClient *client, void *data) {
  (void)client;
  xlaPoolFree(data);
}

static XlaStatus write(XlaClient *client, void *data, size_t offset,
                       const void *from, size_t bytes) {
  (void)client;
  if (bytes)
    memcpy((char *)data + offset, from, bytes);
  return NULL;
}

static XlaStatus read(XlaClient *client, const void *data, size_t offset,
                      size_t bytes, void *to) {
  (void)client;
  if (bytes)
    memcpy(to, (const char *)data + offset, bytes);
  return NULL;
}

//===----------------------------------------------------------------------===//
// The interpreter
//===----------------------------------------------------------------------===//

/// `data` stays the array's.
static void keep(void *data) { (void)data; }

/// A literal of `type` in the arrays from `*data` on; NULL without memory.
static XlaLiteral *wrap(MlirType type, void *const **data) {
  if (xlaTypeIsToken(type))
    return xlaLiteralCreateToken();
  if (!mlirTypeIsATuple(type)) {
    XlaShape shape;
    xlaShapeFromMlir(type, &shape, NULL);
    return xlaLiteralTakeArray(&shape, *(*data)++, keep);
  }
  intptr_t n = mlirTupleTypeGetNumTypes(type);
  XlaLiteral **elements = calloc((size_t)n + 1, sizeof *elements);
  bool whole = elements != NULL;
  for (intptr_t i = 0; whole && i < n; ++i)
    whole = (elements[i] = wrap(mlirTupleTypeGetType(type, i), data)) != NULL;
  XlaLiteral *tuple = whole ? xlaLiteralTakeTuple(n, elements) : NULL;
  for (intptr_t i = 0; !whole && elements && i < n; ++i)
    xlaLiteralRelease(elements[i]);
  free(elements);
  return tuple;
}

/// Copies the arrays in `literal` to those from `*data` on.
static void unwrap(const XlaLiteral *literal, void *const **data) {
  if (xlaLiteralGetKind(literal) == XlaLiteralKindArray) {
    size_t bytes = xlaLiteralGetByteCount(literal);
    if (bytes)
      memcpy(**data, xlaLiteralGetData(literal), bytes);
    ++*data;
  } else if (xlaLiteralGetKind(literal) == XlaLiteralKindTuple) {
    for (intptr_t i = 0; i < xlaLiteralGetTupleSize(literal); ++i)
      unwrap(xlaLiteralGetTupleElement(literal, i), data);
  }
}

static bool interpret(XlaLoadedExecutable *executable, MlirType type,
                      const XlaLiteral **in, XlaLiteral **out,
                      void *const *inputs, void *const *outputs) {
  intptr_t nIn = mlirFunctionTypeGetNumInputs(type);
  intptr_t nOut = mlirFunctionTypeGetNumResults(type);
  for (intptr_t i = 0; i < nIn; ++i)
    if (!(in[i] = wrap(mlirFunctionTypeGetInput(type, i), &inputs)))
      return false;
  XlaImportResult why;
  if (!xlaClientInterpret(executable, nIn, in, nOut, out, &why))
    return false;
  for (intptr_t i = 0; i < nOut; ++i)
    unwrap(out[i], &outputs);
  return true;
}

static bool runInterpreter(XlaLoadedExecutable *executable, void *const *inputs,
                           void *const *outputs) {
  MlirType type = xlaClientFunctionType(executable);
  size_t nIn = (size_t)mlirFunctionTypeGetNumInputs(type);
  size_t nOut = (size_t)mlirFunctionTypeGetNumResults(type);
  const XlaLiteral **in = calloc(nIn + 1, sizeof *in);
  XlaLiteral **out = calloc(nOut + 1, sizeof *out);
  bool done =
      in && out && interpret(executable, type, in, out, inputs, outputs);
  for (size_t i = 0; in && i < nIn; ++i)
    xlaLiteralRelease((XlaLiteral *)in[i]);
  for (size_t i = 0; out && i < nOut; ++i)
    xlaLiteralRelease(out[i]);
  free(in);
  free(out);
  return done;
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

static XlaStatus run(XlaLoadedExecutable *executable, void *const *inputs,
                     void *const *outputs, uint64_t *number) {
  *number = 0;
  XlaMessage message;
  xlaMessageBegin(&message);
  bool done =
      executable->compiled
          ? mlirLogicalResultIsSuccess(xlaExecutableRun(
                executable->compiled, (const void *const *)inputs, outputs))
          : runInterpreter(executable, inputs, outputs);
  return xlaMessageEnd(&message, done);
}

static XlaStatus wait(XlaClient *client, uint64_t number) {
  (void)client;
  (void)number;
  return NULL;
}

static XlaMemoryStatistics statistics(XlaClient *client) {
  XlaPoolStatistics pool = xlaPoolGetStatistics(client->pool);
  return (XlaMemoryStatistics){.usedBytes = pool.liveBytes,
                               .peakBytes = pool.peakBytes,
                               .reservedBytes = pool.idleBytes,
                               .limitBytes = (size_t)xlaMemoryLimit(),
                               .nArrays = pool.liveBlocks};
}

const XlaMemoryKind xlaMemoryHost = {.isShared = true,
                                     .allocate = allocate,
                                     .free = giveBack,
                                     .write = write,
                                     .read = read,
                                     .run = run,
                                     .wait = wait,
                                     .statistics = statistics};
