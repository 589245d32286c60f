//===- npy.c - Arrays in numpy's files ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/npy.h"
#include "xlac/runtime/checked.h"
#include "xlac/runtime/npy_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "elements are stored as they are in memory");

// What numpy writes for 64 dimensions takes under 2 KiB.
enum { Alignment = 64, MaxHeader = 1 << 16, PreludeSize = 8 };
static const char magic[] = "\x93NUMPY";

//===----------------------------------------------------------------------===//
// Bytes from a file or from memory
//===----------------------------------------------------------------------===//

typedef struct Source {
  const char *name;
  FILE *file; ///< NULL: `next` has the bytes
  const uint8_t *next;
  size_t left; ///< bytes to come; SIZE_MAX: unknown, as from a pipe
} Source;

static XlaStatus truncated(const Source *source, const char *what, size_t size,
                           size_t left) {
  return xlaStatusCreate(XLA_STATUS_DATA_LOSS,
                         "%s: truncated: %s takes %zu bytes, %zu are there",
                         source->name, what, size, left);
}

static XlaStatus take(Source *source, const char *what, void *buffer,
                      size_t size) {
  if (size > source->left)
    return truncated(source, what, size, source->left);
  if (source->left != SIZE_MAX)
    source->left -= size;
  if (!source->file) {
    memcpy(buffer, source->next, size);
    source->next += size;
    return NULL;
  }
  size_t got = fread(buffer, 1, size, source->file);
  if (got == size)
    return NULL;
  if (ferror(source->file))
    return xlaStatusCreate(XLA_STATUS_DATA_LOSS, "%s: reading %s failed: %s",
                           source->name, what, strerror(errno));
  return truncated(source, what, size, got);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static XlaStatus readHeader(Source *source, XlaNpyHeader *header) {
  uint8_t prelude[PreludeSize] = {0}, length[4] = {0};
  if (source->left == 0)
    return xlaStatusCreate(XLA_STATUS_DATA_LOSS, "%s: empty, not an .npy file",
                           source->name);
  XLA_RETURN_IF_ERROR(
      take(source, "the start of an .npy file", prelude, sizeof prelude));
  if (memcmp(prelude, magic, sizeof magic - 1) != 0)
    return xlaStatusCreate(XLA_STATUS_DATA_LOSS,
                           "%s: not an .npy file: it does not start with "
                           "\\x93NUMPY",
                           source->name);
  int version = prelude[6];
  if (version < 1 || version > 3)
    return xlaStatusCreate(XLA_STATUS_UNIMPLEMENTED,
                           "%s: version %d.%d of the .npy format is unknown",
                           source->name, version, prelude[7]);
  XLA_RETURN_IF_ERROR(
      take(source, "the header's length", length, version == 1 ? 2 : 4));
  size_t size = length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 |
                (size_t)length[3] << 24;
  if (size > MaxHeader)
    return xlaStatusCreate(XLA_STATUS_DATA_LOSS,
                           "%s: the .npy header claims %zu bytes, at most %d "
                           "make sense",
                           source->name, size, MaxHeader);
  char *text = malloc(size + 1);
  if (!text)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "%s: no memory for a header of %zu bytes",
                           source->name, size);
  XlaStatus status = take(source, "the .npy header", text, size);
  if (!status)
    status = xlaNpyHeaderParse(source->name, text, size, header);
  free(text);
  return status;
}

static void swapBytes(uint8_t *bytes, size_t byteCount, size_t width) {
  for (uint8_t *item = bytes; item < bytes + byteCount; item += width)
    for (size_t i = 0; i < width / 2; ++i) {
      uint8_t low = item[i];
      item[i] = item[width - 1 - i];
      item[width - 1 - i] = low;
    }
}

/// Copies a column-major array with at least one element to row-major order.
static void transpose(const XlaNpy *array, const uint8_t *from, uint8_t *to) {
  size_t itemSize = (size_t)array->itemSize;
  size_t strides[XLA_NPY_MAX_RANK] = {0}, offset = 0;
  int64_t index[XLA_NPY_MAX_RANK] = {0};
  for (int i = 0; i < array->rank; ++i)
    strides[i] =
        i == 0 ? itemSize : strides[i - 1] * (size_t)array->dims[i - 1];
  for (uint8_t *end = to + array->byteCount; to < end; to += itemSize) {
    memcpy(to, from + offset, itemSize);
    for (int i = array->rank - 1; i >= 0; --i) {
      offset += strides[i];
      if (++index[i] < array->dims[i])
        break;
      offset -= strides[i] * (size_t)array->dims[i];
      index[i] = 0;
    }
  }
}

static void *allocateData(size_t byteCount) {
  size_t size = 0;
  if (!xlaCheckedAlign(byteCount ? byteCount : 1, Alignment, &size))
    return NULL;
  return aligned_alloc(Alignment, size);
}

/// Brings what was read into the form that npy.h promises.
static XlaStatus normalize(const Source *source, const XlaNpyHeader *header,
                           XlaNpy *array) {
  uint8_t *bytes = array->data;
  if (header->byteOrder == '>' && header->kind != 'V')
    swapBytes(bytes, array->byteCount,
              (size_t)(header->kind == 'c' ? header->itemSize / 2
                                           : header->itemSize));
  if (header->kind == 'b')
    for (size_t i = 0; i < array->byteCount; ++i)
      bytes[i] = bytes[i] != 0;
  if (!header->fortranOrder || header->rank < 2 || array->byteCount == 0)
    return NULL;
  uint8_t *rowMajor = allocateData(array->byteCount);
  if (!rowMajor)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "%s: no memory for another %zu bytes, to convert it "
                           "from Fortran order",
                           source->name, array->byteCount);
  transpose(array, bytes, rowMajor);
  free(bytes);
  array->data = rowMajor;
  return NULL;
}

static XlaStatus readArray(Source *source, size_t byteLimit, XlaNpy *array) {
  XlaNpyHeader header = {0};
  XLA_RETURN_IF_ERROR(readHeader(source, &header));
  array->kind = header.kind;
  array->itemSize = header.itemSize;
  array->rank = header.rank;
  memcpy(array->dims, header.dims, sizeof header.dims);
  if (!xlaCheckedByteCount(header.rank, header.dims, (size_t)header.itemSize,
                           &array->byteCount))
    return xlaStatusCreate(XLA_STATUS_DATA_LOSS,
                           "%s: the shape's size exceeds the address space",
                           source->name);
  if (array->byteCount > byteLimit)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "%s: %zu bytes of data exceed the limit of %zu",
                           source->name, array->byteCount, byteLimit);
  if (array->byteCount > source->left)
    return truncated(source, "the data", array->byteCount, source->left);
  array->data = allocateData(array->byteCount);
  if (!array->data)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "%s: no memory for %zu bytes of data", source->name,
                           array->byteCount);
  XLA_RETURN_IF_ERROR(take(source, "the data", array->data, array->byteCount));
  return normalize(source, &header, array);
}

static XlaStatus readOrZero(Source *source, size_t byteLimit, XlaNpy *array) {
  *array = (XlaNpy){0};
  XlaStatus status = readArray(source, byteLimit, array);
  if (status)
    xlaNpyDestroy(array);
  return status;
}

XlaStatus xlaNpyRead(const char *path, size_t byteLimit, XlaNpy *array) {
  *array = (XlaNpy){0};
  FILE *file = fopen(path, "rb");
  if (!file)
    return xlaStatusCreate(XLA_STATUS_NOT_FOUND, "%s: %s", path,
                           strerror(errno));
  struct stat info;
  bool sized = fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode);
  Source source = {.name = path,
                   .file = file,
                   .left = sized ? (size_t)info.st_size : SIZE_MAX};
  XlaStatus status = readOrZero(&source, byteLimit, array);
  fclose(file);
  return status;
}

XlaStatus xlaNpyParse(const char *name, const void *bytes, size_t size,
                      size_t byteLimit, XlaNpy *array) {
  Source source = {.name = name, .next = bytes, .left = size};
  return readOrZero(&source, byteLimit, array);
}

void xlaNpyDestroy(XlaNpy *array) {
  free(array->data);
  *array = (XlaNpy){0};
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static XlaStatus checkArray(const char *path, const XlaNpy *array) {
  size_t byteCount = 0;
  if (!xlaNpyHasElementType(array->kind, array->itemSize))
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "%s: there is no element type of kind '%c' with %d "
                           "bytes",
                           path, array->kind, array->itemSize);
  if (array->rank < 0 || array->rank > XLA_NPY_MAX_RANK)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "%s: rank %d is not in 0 to %d", path, array->rank,
                           XLA_NPY_MAX_RANK);
  if (!xlaCheckedByteCount(array->rank, array->dims, (size_t)array->itemSize,
                           &byteCount) ||
      byteCount != array->byteCount)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "%s: the shape takes %zu bytes, the data has %zu",
                           path, byteCount, array->byteCount);
  return NULL;
}

/// Writes all that stands before the data, padded as numpy does so that the
/// data can be mapped with alignment.
static void writeHeader(FILE *file, const XlaNpy *array) {
  char text[2048], shape[XLA_NPY_MAX_RANK * 22 + 1] = "";
  int length = 0;
  for (int i = 0; i < array->rank; ++i)
    length += snprintf(shape + length, sizeof shape - (size_t)length,
                       "%s%" PRId64 "%s", i ? " " : "", array->dims[i],
                       i + 1 < array->rank || i == 0 ? "," : "");
  char order = array->itemSize == 1 || array->kind == 'V' ? '|' : '<';
  int used = snprintf(text, sizeof text,
                      "{'descr': '%c%c%d', 'fortran_order': False, 'shape': "
                      "(%s), }",
                      order, array->kind, array->itemSize, shape);
  int prefix = PreludeSize + 2;
  int size = (prefix + used + 1 + Alignment - 1) / Alignment * Alignment;
  int headerSize = size - prefix;
  fwrite(magic, 1, sizeof magic - 1, file);
  fwrite((uint8_t[]){1, 0, (uint8_t)(headerSize & 0xff),
                     (uint8_t)(headerSize >> 8)},
         1, 4, file);
  fprintf(file, "%-*s\n", headerSize - 1, text);
}

XlaStatus xlaNpyWrite(const char *path, const XlaNpy *array) {
  XLA_RETURN_IF_ERROR(checkArray(path, array));
  FILE *file = fopen(path, "wb");
  if (!file)
    return xlaStatusCreate(XLA_STATUS_NOT_FOUND, "%s: %s", path,
                           strerror(errno));
  errno = 0;
  writeHeader(file, array);
  if (array->byteCount)
    fwrite(array->data, 1, array->byteCount, file);
  bool failed = fflush(file) != 0 || ferror(file) != 0;
  int error = errno;
  if (fclose(file) != 0 && !failed) {
    failed = true;
    error = errno;
  }
  return failed ? xlaStatusCreate(XLA_STATUS_DATA_LOSS,
                                  "%s: writing %zu bytes of data failed: %s",
                                  path, array->byteCount, strerror(error))
                : NULL;
}
