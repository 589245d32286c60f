//===- binding.h - What the Python package calls ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lowering/client.h and lowering/array.h in numbers, addresses and text, which
// is all that ctypes needs to know. Functions that can fail write why into
// `error`, of XLA_PYTHON_ERROR bytes, and give NULL or a code of XlaStatusCode;
// 0 is OK.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PYTHON_BINDING_H
#define XLAC_PYTHON_BINDING_H

#include "xlac/lowering/array.h"

enum { XLA_PYTHON_ERROR = 2048 };

/// xlaClientCreate; `cpu` may be NULL and `threads` 0.
XlaClient *xlaPythonOpen(const char *device, const char *cpu, int threads,
                         int *code, char *error);
void xlaPythonClose(XlaClient *client);

/// xlaClientCompileProgram; `entry` may be NULL.
XlaLoadedExecutable *xlaPythonCompile(XlaClient *client, const char *bytes,
                                      size_t size, const char *name,
                                      const char *entry, int *code,
                                      char *error);
void xlaPythonFree(XlaLoadedExecutable *executable);

/// Whether it takes arrays of unknown size, so that only the number of its
/// results is known.
bool xlaPythonIsUnbounded(const XlaLoadedExecutable *executable);
intptr_t xlaPythonCount(const XlaLoadedExecutable *executable, bool outputs);
/// The rank, `dims` (XLA_MAX_RANK of them) and the element type's name, which
/// is static.
int xlaPythonShape(const XlaLoadedExecutable *executable, bool outputs,
                   intptr_t index, int64_t *dims, const char **type);
bool xlaPythonIsDonated(const XlaLoadedExecutable *executable, intptr_t index);

/// An array of a copy of the host's; `strides` in bytes. INVALID_ARGUMENT for a
/// type that does not exist, or a rank that is too large.
XlaArray *xlaPythonPut(XlaClient *client, const char *type, int rank,
                       const int64_t *dims, const int64_t *strides,
                       const void *data, int *code, char *error);
/// The same in the host's memory itself where it can be, else of a copy:
/// `release` is called with `user` once, on any thread, when that is not needed
/// any more, also on failure.
XlaArray *xlaPythonShare(XlaClient *client, const char *type, int rank,
                         const int64_t *dims, const int64_t *strides,
                         const void *data, void (*release)(void *), void *user,
                         int *code, char *error);
/// xlaArrayHold of what is there, for which it waits, with a reference. NULL
/// also of an empty array.
int xlaPythonHold(XlaArray *array, const void **data, char *error);
void xlaPythonUnhold(XlaArray *array);
/// Its elements, dense and row-major; waits for them.
int xlaPythonGet(XlaArray *array, void *data, char *error);
int xlaPythonArrayShape(const XlaArray *array, int64_t *dims,
                        const char **type);
bool xlaPythonIsDeleted(XlaArray *array);
void xlaPythonRelease(XlaArray *array);

/// xlaLoadedExecutableExecute, with as many outputs as xlaPythonCount says; of
/// a program of unknown sizes it returns when they are there.
int xlaPythonExecute(XlaLoadedExecutable *executable, intptr_t nInputs,
                     XlaArray *const *inputs, intptr_t nOutputs,
                     XlaArray **outputs, char *error);

/// Bytes in use, at most so far, and that there can be (0: not known).
void xlaPythonMemory(XlaClient *client, size_t bytes[3]);

#endif // XLAC_PYTHON_BINDING_H
