//===- module.c - Programs as people have them ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/module.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/Dialect/Func.h"
#include "xlac/dialect/dialect.h"
#include "xlac/formats/exported/exported.h"
#include "xlac/formats/hlo/hlo.h"
#include "xlac/formats/stablehlo/dialects.h"
#include "xlac/formats/vhlo/vhlo.h"
#include "xlac/passes/import/stablehlo.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

static bool startsWith(MlirStringRef bytes, const char *start) {
  size_t length = strlen(start);
  return bytes.length >= length && !memcmp(bytes.data, start, length);
}

/// Bytecode names its producer after the magic number and a version, which is a
/// varint: its first byte's lowest bit is set if it has no others.
static MlirStringRef producerOf(MlirStringRef bytes) {
  size_t at = 4;
  while (at < bytes.length && at < 16 && !(bytes.data[at] & 1))
    ++at;
  if (++at > bytes.length)
    at = bytes.length;
  size_t left = bytes.length - at;
  return mlirStringRefCreate(bytes.data + at,
                             strnlen(bytes.data + at, left < 60 ? left : 60));
}

static bool isBlank(char c) { return memchr(" \t\r\n", c, 4); }

/// What comes after blanks and lines of comments.
static MlirStringRef skipComments(MlirStringRef bytes) {
  size_t at = 0;
  while (at < bytes.length) {
    if (bytes.data[at] == '/' && at + 1 < bytes.length &&
        bytes.data[at + 1] == '/')
      while (at < bytes.length && bytes.data[at] != '\n')
        ++at;
    else if (isBlank(bytes.data[at]))
      ++at;
    else
      break;
  }
  return mlirStringRefCreate(bytes.data + at, bytes.length - at);
}

static bool equals(MlirStringRef a, const char *b) {
  return mlirStringRefEqual(a, mlirStringRefCreateFromCString(b));
}

static bool startsWithWord(MlirStringRef text, const char *word) {
  size_t length = strlen(word);
  return startsWith(text, word) && text.length > length &&
         isBlank(text.data[length]);
}

/// Whether text without comments before it is a module, or begins as a
/// computation: `ENTRY main {`, `%sum (a: f32[]) -> f32[] {`, `sum {`. Of MLIR,
/// only modules begin so.
static bool isHloText(MlirStringRef text) {
  size_t at = 0;
  if (startsWithWord(text, "HloModule") || startsWithWord(text, "ENTRY"))
    return true;
  at += startsWith(text, "%");
  size_t first = at;
  while (at < text.length && (isalnum((unsigned char)text.data[at]) ||
                              memchr("._-", text.data[at], 3)))
    ++at;
  MlirStringRef name = mlirStringRefCreate(text.data + first, at - first);
  if (!name.length || equals(name, "module") || equals(name, "builtin.module"))
    return false;
  while (at < text.length && isBlank(text.data[at]))
    ++at;
  return at < text.length && (text.data[at] == '{' || text.data[at] == '(') &&
         memmem(text.data, text.length, "ENTRY", 5);
}

XlaModuleFormat xlaModuleDetectFormat(MlirStringRef bytes) {
  if (startsWith(bytes, "ML\xefR")) {
    MlirStringRef producer = producerOf(bytes);
    return startsWith(producer, "MLIR22.")     ? XlaModuleFormatMlirBytecode
           : startsWith(producer, "StableHLO") ? XlaModuleFormatArtifact
                                               : XlaModuleFormatForeignBytecode;
  }
  if (xlaExportedIs(bytes))
    return XlaModuleFormatExported;
  if (isHloText(skipComments(bytes)))
    return XlaModuleFormatHloText;
  if (xlaHloIsProto(bytes))
    return XlaModuleFormatHloProto;
  return memchr(bytes.data, 0, bytes.length) ? XlaModuleFormatUnknown
                                             : XlaModuleFormatMlirText;
}

const char *xlaModuleFormatName(XlaModuleFormat format) {
  switch (format) {
  case XlaModuleFormatMlirText:
    return "MLIR text";
  case XlaModuleFormatMlirBytecode:
    return "MLIR bytecode";
  case XlaModuleFormatForeignBytecode:
    return "bytecode of another MLIR";
  case XlaModuleFormatArtifact:
    return "a portable artifact";
  case XlaModuleFormatExported:
    return "a file of jax.export";
  case XlaModuleFormatHloText:
    return "HLO text";
  case XlaModuleFormatHloProto:
    return "an HLO protocol buffer";
  case XlaModuleFormatUnknown:
    break;
  }
  return "neither text nor MLIR's bytecode";
}

const char *xlaModuleFormatMark(XlaModuleFormat format) {
  switch (format) {
  case XlaModuleFormatMlirText:
    return "begins with none of the others' marks: of xla, or of StableHLO";
  case XlaModuleFormatMlirBytecode:
    return "begins with \"ML\\xefR\", then \"MLIR22.\"";
  case XlaModuleFormatForeignBytecode:
    return "begins with \"ML\\xefR\", then anything else";
  case XlaModuleFormatArtifact:
    return "begins with \"ML\\xefR\", then \"StableHLO_v\"";
  case XlaModuleFormatExported:
    return "a flatbuffer with a portable artifact";
  case XlaModuleFormatHloText:
    return "begins with \"HloModule \", or a computation";
  case XlaModuleFormatHloProto:
    return "begins with a field of HloModuleProto or HloProto";
  case XlaModuleFormatUnknown:
    break;
  }
  return "has a byte that is 0";
}

bool xlaModuleFormatIsRead(XlaModuleFormat format) {
  return format != XlaModuleFormatForeignBytecode &&
         format != XlaModuleFormatUnknown;
}

void xlaModuleDialectsRegister(MlirDialectRegistry registry) {
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__func__(), registry);
  xlaDialectRegister(registry);
  xlaStableHloDialectsRegister(registry);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static void emitAt(MlirContext context, MlirStringRef name, int64_t line,
                   int64_t column, const char *message) {
  mlirEmitError(mlirLocationFileLineColGet(context, name, (unsigned)line,
                                           (unsigned)column),
                message);
}

/// Text of an MLIR that writes booleans otherwise is read from a copy.
static XlaImportResult readText(MlirContext context, MlirStringRef text,
                                MlirStringRef name, MlirModule *module) {
  int64_t line, column;
  const char *hazard = xlaTextFindHazard(text, &line, &column);
  if (hazard) {
    emitAt(context, name, line, column, hazard);
    return XlaImportResultInvalid;
  }
  char *copy = NULL;
  if (memmem(text.data, text.length, "<\"0x", 4) &&
      memmem(text.data, text.length, "i1>", 3)) {
    copy = malloc(text.length + 1);
    if (!copy) {
      emitAt(context, name, 1, 1, "out of memory");
      return XlaImportResultUnsupported;
    }
    memcpy(copy, text.data, text.length);
    copy[text.length] = 0; // as MLIR's lexer wants it
    xlaRepackBoolConstants(copy, text.length);
    text.data = copy;
  }
  *module = xlaStableHloParse(context, text, name);
  free(copy);
  return mlirModuleIsNull(*module) ? XlaImportResultInvalid : XlaImportResultOk;
}

/// Why a form is not read.
static XlaImportResult refuse(MlirContext context, MlirStringRef bytes,
                              MlirStringRef name, XlaModuleFormat format) {
  char message[256];
  MlirStringRef producer = producerOf(bytes);
  if (format == XlaModuleFormatForeignBytecode)
    snprintf(message, sizeof message,
             "is bytecode of \"%.*s\"; only that of MLIR 22, portable "
             "artifacts and text can be read",
             (int)producer.length, producer.data);
  else
    snprintf(message, sizeof message, "is %s", xlaModuleFormatName(format));
  emitAt(context, name, 1, 1, message);
  return XlaImportResultInvalid;
}

static XlaImportResult readArtifact(MlirContext context, MlirStringRef bytes,
                                    MlirStringRef name,
                                    const XlaModuleReadOptions *options,
                                    bool isExported, MlirModule *module) {
  XlaByteSource source = {.context = context,
                          .name = name,
                          .bytes = (const uint8_t *)bytes.data,
                          .size = bytes.length,
                          .outlivesContext = options->refersToBytes,
                          .isMapped = options->areMapped};
  if (isExported)
    xlaExportedRead(&source, module);
  else
    xlaVhloRead(&source, bytes, module);
  return source.result;
}

/// Operations that are made by name before their dialect is loaded stay others
/// than those after it.
static void loadDialects(MlirContext context) {
  static const char *const names[] = {"func", "xla", "stablehlo", "chlo",
                                      "sdy"};
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  xlaModuleDialectsRegister(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    mlirContextGetOrLoadDialect(context,
                                mlirStringRefCreateFromCString(names[i]));
}

XlaImportResult xlaModuleRead(MlirContext context, MlirStringRef bytes,
                              MlirStringRef name, XlaModuleFormat format,
                              MlirModule *module) {
  XlaModuleReadOptions options = {.keepsFusions = false};
  return xlaModuleReadWith(context, bytes, name, format, &options, module);
}

XlaImportResult xlaModuleReadWith(MlirContext context, MlirStringRef bytes,
                                  MlirStringRef name, XlaModuleFormat format,
                                  const XlaModuleReadOptions *options,
                                  MlirModule *module) {
  *module = (MlirModule){NULL};
  loadDialects(context);
  switch (format) {
  case XlaModuleFormatMlirText:
    return readText(context, bytes, name, module);
  case XlaModuleFormatMlirBytecode:
    *module = xlaStableHloParse(context, bytes, name);
    return mlirModuleIsNull(*module) ? XlaImportResultInvalid
                                     : XlaImportResultOk;
  case XlaModuleFormatHloText:
    return xlaHloTextRead(context, bytes, name, options->keepsFusions, module);
  case XlaModuleFormatHloProto:
    return xlaHloProtoRead(context, bytes, name, options->keepsFusions, module);
  case XlaModuleFormatArtifact:
    return readArtifact(context, bytes, name, options, false, module);
  case XlaModuleFormatExported:
    return readArtifact(context, bytes, name, options, true, module);
  case XlaModuleFormatForeignBytecode:
  case XlaModuleFormatUnknown:
    break;
  }
  return refuse(context, bytes, name, format);
}
