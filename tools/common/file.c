//===- file.c - Files of any size and kind --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// Makes room for at least `wanted` bytes and a NUL; alignment is for bytecode.
static bool reserve(char **text, size_t length, size_t *capacity,
                    size_t wanted) {
  if (wanted < *capacity)
    return true;
  size_t larger = *capacity ? *capacity : 1 << 16;
  while (larger <= wanted)
    larger *= 2;
  char *grown = aligned_alloc(64, larger);
  if (!grown)
    return false;
  if (length)
    memcpy(grown, *text, length);
  free(*text);
  *text = grown;
  *capacity = larger;
  return true;
}

static size_t limitOf(FILE *file, size_t *size) {
  struct stat about;
  bool isFile = !fstat(fileno(file), &about) && S_ISREG(about.st_mode);
  *size = isFile ? (size_t)about.st_size : 0;
  return (size_t)(isFile ? XLA_TOOL_FILE_MIB : XLA_TOOL_STREAM_MIB) << 20;
}

static XlaToolCode readAll(FILE *file, const char *name, char **text,
                           size_t *length) {
  size_t capacity = 0, got, size, most = limitOf(file, &size);
  // Of a file whose size is known all at once: growing copies.
  if (size <= most && !reserve(text, 0, &capacity, size + (1 << 16)))
    return xlaToolError(XlaToolCodeRefused, "%s: out of memory", name);
  do {
    if (size > most || *length > most)
      return xlaToolError(XlaToolCodeRefused, "%s: is larger than %zu MiB",
                          name, most >> 20);
    if (!reserve(text, *length, &capacity, *length + (1 << 15)))
      return xlaToolError(XlaToolCodeRefused, "%s: out of memory", name);
    got = fread(*text + *length, 1, capacity - *length - 1, file);
    *length += got;
  } while (got);
  (*text)[*length] = '\0';
  return ferror(file)
             ? xlaToolError(XlaToolCodeWrong, "%s: %s", name, strerror(errno))
             : XlaToolCodeOk;
}

XlaToolCode xlaToolFileRead(const char *path, const char *name, char **text,
                            size_t *length) {
  *text = NULL;
  *length = 0;
  bool isStdin = !strcmp(path, "-");
  FILE *file = isStdin ? stdin : fopen(path, "rbe");
  if (!file)
    return xlaToolError(XlaToolCodeWrong, "%s: %s", name, strerror(errno));
  XlaToolCode code = readAll(file, name, text, length);
  if (!isStdin)
    fclose(file);
  return code;
}

bool xlaToolFileMap(const char *path, char **bytes, size_t *length) {
  enum { least = 4 << 20 };
  struct stat about;
  // What is no file is not opened: who writes to a pipe would find it closed.
  if (stat(path, &about) || !S_ISREG(about.st_mode) || about.st_size < least)
    return false;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return false;
  void *map = MAP_FAILED;
  if (!fstat(file, &about) && S_ISREG(about.st_mode) &&
      about.st_size >= least && about.st_size <= (off_t)XLA_TOOL_FILE_MIB << 20)
    map = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (map == MAP_FAILED)
    return false;
  *bytes = map;
  *length = (size_t)about.st_size;
  return true;
}

void xlaToolFileUnmap(char *bytes, size_t length) { munmap(bytes, length); }

bool xlaToolFileIsSame(const char *path, const char *other) {
  struct stat one, two;
  return !stat(path, &one) && !stat(other, &two) && one.st_dev == two.st_dev &&
         one.st_ino == two.st_ino;
}
