//===- writer.c - Text for a callback ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/writer.h"

#include <stdarg.h>
#include <stdio.h>

void xlaWriterPut(const XlaWriter *writer, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  size_t size = length < 0 ? 0 : (size_t)length;
  size = size < sizeof text ? size : sizeof text - 1;
  writer->callback(mlirStringRefCreate(text, size), writer->userData);
}
