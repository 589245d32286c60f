//===- binding.c - What the Python package calls --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/python/binding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Hands `status`, which is destroyed, to Python.
static int tell(XlaStatus status, char *error) {
  XlaStatusCode code = xlaStatusCode(status);
  snprintf(error, XLA_PYTHON_ERROR, "%s", xlaStatusMessage(status));
  xlaStatusDestroy(status);
  return code;
}

//===----------------------------------------------------------------------===//
// Devices and programs
//===----------------------------------------------------------------------===//

XlaClient *xlaPythonOpen(const char *device, const char *cpu, int threads,
                         int *code, char *error) {
  XlaClientOptions options = {.device = device, .cpu = cpu, .threads = threads};
  XlaClient *client;
  *code = tell(xlaClientCreate(&options, &client), error);
  return client;
}

void xlaPythonClose(XlaClient *client) { xlaClientDestroy(client); }

XlaLoadedExecutable *xlaPythonCompile(XlaClient *client, const char *bytes,
                                      size_t size, const char *name,
                                      const char *entry, int *code,
                                      char *error) {
  const XlaClientProgram program = {
      .bytes = bytes, .size = size, .name = name, .entry = entry};
  XlaLoadedExecutable *executable;
  *code = tell(xlaClientCompileProgram(client, &program, &executable), error);
  return executable;
}

void xlaPythonFree(XlaLoadedExecutable *executable) {
  xlaLoadedExecutableDestroy(executable);
}

bool xlaPythonIsUnbounded(const XlaLoadedExecutable *executable) {
  return !xlaLoadedExecutableRunsOnArrays(executable);
}

intptr_t xlaPythonCount(const XlaLoadedExecutable *executable, bool outputs) {
  if (!xlaLoadedExecutableRunsOnArrays(executable))
    return outputs ? xlaLoadedExecutableGetNumResults(executable) : 0;
  return outputs ? xlaLoadedExecutableGetNumOutputs(executable)
                 : xlaLoadedExecutableGetNumInputs(executable);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static int writeShape(const XlaShape *shape, int64_t *dims, const char **type) {
  memcpy(dims, shape->dims, (size_t)shape->rank * sizeof *dims);
  *type = xlaElementTypeGetInfo(shape->elementType)->name;
  return shape->rank;
}

int xlaPythonShape(const XlaLoadedExecutable *executable, bool outputs,
                   intptr_t index, int64_t *dims, const char **type) {
  return writeShape(outputs
                        ? xlaLoadedExecutableGetOutputShape(executable, index)
                        : xlaLoadedExecutableGetInputShape(executable, index),
                    dims, type);
}

bool xlaPythonIsDonated(const XlaLoadedExecutable *executable, intptr_t index) {
  return xlaLoadedExecutableIsDonated(executable, index);
}

int xlaPythonArrayShape(const XlaArray *array, int64_t *dims,
                        const char **type) {
  return writeShape(xlaArrayGetShape(array), dims, type);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static XlaArray *fromHost(XlaClient *client, const char *type, int rank,
                          const int64_t *dims, const XlaHostArray *host,
                          int *code, char *error) {
  XlaElementType elementType = xlaElementTypeFromName(type, strlen(type));
  XlaShape shape;
  XlaArray *array = NULL;
  XlaStatus status;
  if (elementType != XlaElementTypeInvalid &&
      xlaShapeMake(elementType, rank, dims, &shape)) {
    status = xlaArrayFromHost(client, &shape, host, &array);
  } else {
    status = xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                             "there is no array of %d dimensions of %.40s",
                             rank, type);
    if (host->release)
      host->release(host->user);
  }
  *code = tell(status, error);
  return array;
}

XlaArray *xlaPythonPut(XlaClient *client, const char *type, int rank,
                       const int64_t *dims, const int64_t *strides,
                       const void *data, int *code, char *error) {
  return fromHost(client, type, rank, dims,
                  &(XlaHostArray){.data = data, .byteStrides = strides}, code,
                  error);
}

XlaArray *xlaPythonShare(XlaClient *client, const char *type, int rank,
                         const int64_t *dims, const int64_t *strides,
                         const void *data, void (*release)(void *), void *user,
                         int *code, char *error) {
  return fromHost(client, type, rank, dims,
                  &(XlaHostArray){.data = data,
                                  .byteStrides = strides,
                                  .use = XlaHostUseShared,
                                  .release = release,
                                  .user = user},
                  code, error);
}

int xlaPythonHold(XlaArray *array, const void **data, char *error) {
  *data = NULL;
  // Reading nothing says whether the array is there.
  int code = tell(xlaArrayRead(array, 0, 0, error, NULL), error);
  if (code)
    return code;
  *data = xlaArrayHold(array);
  if (*data)
    xlaArrayRetain(array);
  return 0;
}

void xlaPythonUnhold(XlaArray *array) {
  xlaArrayUnhold(array);
  xlaArrayRelease(array);
}

int xlaPythonGet(XlaArray *array, void *data, char *error) {
  return tell(xlaArrayRead(array, 0, xlaArrayGetByteCount(array), data, NULL),
              error);
}

bool xlaPythonIsDeleted(XlaArray *array) { return xlaArrayIsDeleted(array); }

void xlaPythonRelease(XlaArray *array) { xlaArrayRelease(array); }

void xlaPythonMemory(XlaClient *client, size_t bytes[3]) {
  XlaMemoryStatistics memory = xlaClientGetMemoryStatistics(client);
  bytes[0] = memory.usedBytes;
  bytes[1] = memory.peakBytes;
  bytes[2] = memory.limitBytes;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static XlaStatus noMemory(void) {
  return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for a run");
}

static XlaStatus toLiterals(intptr_t n, XlaArray *const *arrays,
                            XlaLiteral **literals) {
  for (intptr_t i = 0; i < n; ++i) {
    literals[i] = xlaLiteralCreateArray(xlaArrayGetShape(arrays[i]));
    if (!literals[i])
      return noMemory();
    XLA_RETURN_IF_ERROR(
        xlaArrayRead(arrays[i], 0, xlaArrayGetByteCount(arrays[i]),
                     xlaLiteralGetMutableData(literals[i]), NULL));
  }
  return NULL;
}

static XlaStatus toArrays(XlaClient *client, intptr_t n,
                          XlaLiteral *const *literals, XlaArray **arrays) {
  for (intptr_t i = 0; i < n; ++i) {
    if (xlaLiteralGetKind(literals[i]) != XlaLiteralKindArray)
      return xlaStatusCreate(XLA_STATUS_UNIMPLEMENTED,
                             "result %lld of a program of unknown sizes is no "
                             "array",
                             (long long)i);
    XLA_RETURN_IF_ERROR(xlaArrayFromHost(
        client, xlaLiteralGetShape(literals[i]),
        &(XlaHostArray){.data = xlaLiteralGetData(literals[i])}, &arrays[i]));
  }
  return NULL;
}

static XlaStatus runOnLiterals(XlaLoadedExecutable *executable,
                               intptr_t nInputs, XlaArray *const *inputs,
                               intptr_t nOutputs, XlaLiteral **in,
                               XlaLiteral **out, XlaArray **outputs) {
  XLA_RETURN_IF_ERROR(toLiterals(nInputs, inputs, in));
  XLA_RETURN_IF_ERROR(xlaLoadedExecutableRunAll(
      executable, nInputs, (const XlaLiteral *const *)in, nOutputs, out));
  return toArrays(xlaLoadedExecutableGetClient(executable), nOutputs, out,
                  outputs);
}

static XlaStatus executeUnbounded(XlaLoadedExecutable *executable,
                                  intptr_t nInputs, XlaArray *const *inputs,
                                  intptr_t nOutputs, XlaArray **outputs) {
  XlaLiteral **in = calloc((size_t)nInputs + 1, sizeof *in);
  XlaLiteral **out = calloc((size_t)nOutputs + 1, sizeof *out);
  XlaStatus status = in && out ? runOnLiterals(executable, nInputs, inputs,
                                               nOutputs, in, out, outputs)
                               : noMemory();
  for (intptr_t i = 0; in && i < nInputs; ++i)
    xlaLiteralRelease(in[i]);
  for (intptr_t i = 0; out && i < nOutputs; ++i)
    xlaLiteralRelease(out[i]);
  free(in);
  free(out);
  for (intptr_t i = 0; status && i < nOutputs; ++i) {
    xlaArrayRelease(outputs[i]);
    outputs[i] = NULL;
  }
  return status;
}

int xlaPythonExecute(XlaLoadedExecutable *executable, intptr_t nInputs,
                     XlaArray *const *inputs, intptr_t nOutputs,
                     XlaArray **outputs, char *error) {
  memset(outputs, 0, (size_t)nOutputs * sizeof *outputs);
  if (!xlaLoadedExecutableRunsOnArrays(executable))
    return tell(
        executeUnbounded(executable, nInputs, inputs, nOutputs, outputs),
        error);
  const XlaExecution execution = {.nInputs = nInputs,
                                  .inputs = inputs,
                                  .nOutputs = nOutputs,
                                  .outputs = outputs};
  return tell(xlaLoadedExecutableExecute(executable, &execution), error);
}
