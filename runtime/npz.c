//===- npz.c - Arrays in numpy's archives ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/npz.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

/// The archive's content, and its directory.
typedef struct Archive {
  const char *path;
  uint8_t *bytes;
  size_t size;
  size_t directory, end; ///< of its entries
} Archive;

/// An entry of the directory.
typedef struct Entry {
  const char *name; ///< not ended by a 0
  size_t nameLength;
  unsigned method, flags;
  uint32_t crc;
  uint64_t packed, unpacked, header; ///< sizes, and where its header is
} Entry;

static uint64_t number(const uint8_t *bytes, int size) {
  uint64_t value = 0;
  for (int i = size; i--;)
    value = value << 8 | bytes[i];
  return value;
}

static XlaStatus damaged(const Archive *archive, const char *what) {
  return xlaStatusCreate(XLA_STATUS_DATA_LOSS, "%s is no .npz file: %s",
                         archive->path, what);
}

//===----------------------------------------------------------------------===//
// The directory
//===----------------------------------------------------------------------===//

static XlaStatus readFile(Archive *archive) {
  struct stat info;
  FILE *file = fopen(archive->path, "rb");
  if (!file || fstat(fileno(file), &info) || !S_ISREG(info.st_mode)) {
    if (file)
      fclose(file);
    return xlaStatusCreate(XLA_STATUS_NOT_FOUND, "cannot read %s",
                           archive->path);
  }
  archive->size = (size_t)info.st_size;
  archive->bytes = malloc(archive->size + 1);
  bool read = archive->bytes &&
              fread(archive->bytes, 1, archive->size, file) == archive->size;
  fclose(file);
  if (!archive->bytes)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "out of memory for %s",
                           archive->path);
  return read ? NULL : damaged(archive, "it ends while it is read");
}

/// The record at the end, which a comment may follow, says where the directory
/// is.
static XlaStatus findDirectory(Archive *archive) {
  enum { recordSize = 22, maxComment = 65535 };
  size_t back = recordSize;
  for (; back <= archive->size && back <= recordSize + maxComment; ++back) {
    const uint8_t *record = archive->bytes + archive->size - back;
    if (memcmp(record, "PK\5\6", 4) != 0)
      continue;
    uint64_t size = number(record + 12, 4), at = number(record + 16, 4);
    if (at == UINT32_MAX || number(record + 10, 2) == UINT16_MAX)
      return xlaStatusCreate(XLA_STATUS_UNIMPLEMENTED,
                             "%s has a directory of zip64, which is not "
                             "supported",
                             archive->path);
    if (at > archive->size || size > archive->size - at)
      return damaged(archive, "its directory is outside of it");
    archive->directory = (size_t)at;
    archive->end = (size_t)(at + size);
    return NULL;
  }
  return damaged(archive, "it has no directory");
}

/// Sizes that do not fit into 32 bits are in an extra field, those that need
/// it, in order.
static void readExtra(const uint8_t *extra, size_t size, Entry *entry) {
  uint64_t *wide[] = {&entry->unpacked, &entry->packed, &entry->header};
  while (size >= 4) {
    size_t length = (size_t)number(extra + 2, 2), at = 4;
    if (length > size - 4)
      return;
    for (int i = 0; number(extra, 2) == 1 && i < 3; ++i)
      if (*wide[i] == UINT32_MAX && at + 8 <= length + 4) {
        *wide[i] = number(extra + at, 8);
        at += 8;
      }
    extra += length + 4;
    size -= length + 4;
  }
}

/// The entry at `*at`, which then is that behind it.
static XlaStatus readEntry(const Archive *archive, size_t *at, Entry *entry) {
  enum { headSize = 46 };
  const uint8_t *head = archive->bytes + *at;
  if (archive->end - *at < headSize || memcmp(head, "PK\1\2", 4) != 0)
    return damaged(archive, "an entry of its directory is damaged");
  size_t name = (size_t)number(head + 28, 2),
         extra = (size_t)number(head + 30, 2);
  size_t comment = (size_t)number(head + 32, 2);
  if (name + extra + comment > archive->end - *at - headSize)
    return damaged(archive, "an entry of its directory is damaged");
  *entry = (Entry){.name = (const char *)head + headSize,
                   .nameLength = name,
                   .flags = (unsigned)number(head + 8, 2),
                   .method = (unsigned)number(head + 10, 2),
                   .crc = (uint32_t)number(head + 16, 4),
                   .packed = number(head + 20, 4),
                   .unpacked = number(head + 24, 4),
                   .header = number(head + 42, 4)};
  readExtra(head + headSize + name, extra, entry);
  if (name > 4 && !memcmp(entry->name + name - 4, ".npy", 4))
    entry->nameLength -= 4;
  *at += headSize + name + extra + comment;
  return NULL;
}

static XlaStatus open(Archive *archive) {
  XLA_RETURN_IF_ERROR(readFile(archive));
  return findDirectory(archive);
}

void xlaNpzFreeList(size_t n, char **names) {
  for (size_t i = 0; i < n; ++i)
    free(names[i]);
  free(names);
}

static XlaStatus list(const Archive *archive, size_t *n, char ***names) {
  Entry entry;
  for (size_t at = archive->directory; at < archive->end;) {
    XLA_RETURN_IF_ERROR(readEntry(archive, &at, &entry));
    char **more = realloc(*names, (*n + 1) * sizeof *more);
    if (more)
      *names = more;
    char *name = more ? strndup(entry.name, entry.nameLength) : NULL;
    if (!name)
      return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "out of memory for %s",
                             archive->path);
    (*names)[(*n)++] = name;
  }
  return NULL;
}

XlaStatus xlaNpzList(const char *path, size_t *n, char ***names) {
  Archive archive = {.path = path};
  *n = 0;
  *names = NULL;
  XlaStatus status = open(&archive);
  if (!status)
    status = list(&archive, n, names);
  free(archive.bytes);
  if (status) {
    xlaNpzFreeList(*n, *names);
    *n = 0;
    *names = NULL;
  }
  return status;
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

/// Where the member's bytes are, behind a header of its own.
static XlaStatus findContent(const Archive *archive, const Entry *entry,
                             const uint8_t **content) {
  enum { headSize = 30 };
  if (entry->header > archive->size ||
      archive->size - entry->header < headSize ||
      memcmp(archive->bytes + entry->header, "PK\3\4", 4) != 0)
    return damaged(archive, "a member is outside of it");
  const uint8_t *head = archive->bytes + entry->header;
  size_t skip =
      headSize + (size_t)number(head + 26, 2) + (size_t)number(head + 28, 2);
  size_t left = archive->size - (size_t)entry->header;
  if (skip > left || entry->packed > left - skip)
    return damaged(archive, "a member is outside of it");
  *content = head + skip;
  return NULL;
}

/// Deflated bytes become at most some thousand times as many.
static XlaStatus inflateAll(const Archive *archive, const Entry *entry,
                            const uint8_t *content, uint8_t **bytes) {
  enum { maxRatio = 1100 };
  if (entry->unpacked / maxRatio > entry->packed)
    return damaged(archive, "a member says to be longer than it can be");
  *bytes = malloc((size_t)entry->unpacked + 1);
  if (!*bytes)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "out of memory for %s",
                           archive->path);
  z_stream stream = {.next_in = (Bytef *)content};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "out of memory for %s",
                           archive->path);
  uint64_t in = 0, out = 0;
  int result = Z_OK;
  while (result == Z_OK && in <= entry->packed) {
    const uint64_t most = 1 << 30;
    uint64_t nextIn = entry->packed - in, nextOut = entry->unpacked - out;
    stream.next_in = (Bytef *)content + in;
    stream.next_out = *bytes + out;
    stream.avail_in = (uInt)(nextIn < most ? nextIn : most);
    stream.avail_out = (uInt)(nextOut < most ? nextOut : most);
    uInt inBefore = stream.avail_in, outBefore = stream.avail_out;
    result = inflate(&stream, Z_NO_FLUSH);
    in += inBefore - stream.avail_in;
    out += outBefore - stream.avail_out;
  }
  inflateEnd(&stream);
  return result == Z_STREAM_END && out == entry->unpacked
             ? NULL
             : damaged(archive, "a member cannot be inflated");
}

static uint32_t checksum(const uint8_t *bytes, uint64_t size) {
  uLong crc = crc32(0, NULL, 0);
  while (size) {
    uInt n = size < 1 << 30 ? (uInt)size : 1 << 30;
    crc = crc32(crc, bytes, n);
    bytes += n;
    size -= n;
  }
  return (uint32_t)crc;
}

static XlaStatus readMember(const Archive *archive, const Entry *entry,
                            size_t byteLimit, XlaNpy *array) {
  enum { encrypted = 1, stored = 0, deflated = 8 };
  const uint8_t *content;
  uint8_t *inflated = NULL;
  if ((entry->flags & encrypted) ||
      (entry->method != stored && entry->method != deflated))
    return xlaStatusCreate(XLA_STATUS_UNIMPLEMENTED,
                           "%s: '%.*s' is encrypted, or packed by another "
                           "method than deflate",
                           archive->path, (int)entry->nameLength, entry->name);
  XLA_RETURN_IF_ERROR(findContent(archive, entry, &content));
  XlaStatus status = NULL;
  if (entry->method == deflated) {
    status = inflateAll(archive, entry, content, &inflated);
    content = inflated;
  } else if (entry->packed != entry->unpacked) {
    status = damaged(archive, "a member has two lengths");
  }
  if (!status && checksum(content, entry->unpacked) != entry->crc)
    status = damaged(archive, "the checksum of a member is wrong");
  if (!status)
    status = xlaNpyParse(archive->path, content, (size_t)entry->unpacked,
                         byteLimit, array);
  free(inflated);
  return status;
}

static XlaStatus findAndRead(const Archive *archive, const char *name,
                             size_t byteLimit, XlaNpy *array) {
  Entry entry;
  for (size_t at = archive->directory; at < archive->end;) {
    XLA_RETURN_IF_ERROR(readEntry(archive, &at, &entry));
    if (entry.nameLength == strlen(name) &&
        !memcmp(entry.name, name, entry.nameLength))
      return readMember(archive, &entry, byteLimit, array);
  }
  return xlaStatusCreate(XLA_STATUS_NOT_FOUND, "%s has no array '%s'",
                         archive->path, name);
}

XlaStatus xlaNpzRead(const char *path, const char *name, size_t byteLimit,
                     XlaNpy *array) {
  Archive archive = {.path = path};
  memset(array, 0, sizeof *array);
  XlaStatus status = open(&archive);
  if (!status)
    status = findAndRead(&archive, name, byteLimit, array);
  free(archive.bytes);
  return status;
}
