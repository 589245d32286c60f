//===- writer.h - Text for a callback -----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_WRITER_H
#define XLAC_DIALECT_WRITER_H

#include "mlir-c/Support.h"

/// Where text goes.
typedef struct XlaWriter {
  MlirStringCallback callback;
  void *userData;
} XlaWriter;

/// Hands on printf's text, of which what is longer than 1023 bytes is cut.
void xlaWriterPut(const XlaWriter *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif // XLAC_DIALECT_WRITER_H
