//===- literal_splat.c - Memory that holds one value many times -----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A few pages of a file in memory are mapped one time after the other, so that
// a constant of gigabytes takes no more than they do. Mappings are private:
// what is written has pages of its own.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/literal_splat.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const size_t smallest = (size_t)1 << 24; // that is worth mappings
/// What is mapped again and again, more of larger arrays.
static const size_t segment = (size_t)1 << 21;
/// A process may have 65,530 mappings on Linux.
enum { mostMappings = 4096 };

/// In the page in front of the data.
typedef struct Header {
  size_t bytes; ///< of the mapping, with the page
} Header;

static size_t pageSize(void) { return (size_t)sysconf(_SC_PAGESIZE); }

/// A file of `size` bytes that hold the element; -1 without memory.
static int createFile(const void *element, size_t elementBytes, size_t size) {
  int file = memfd_create("splat", MFD_CLOEXEC);
  unsigned char *bytes = MAP_FAILED;
  if (file >= 0 && !ftruncate(file, (off_t)size))
    bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (bytes == MAP_FAILED) {
    if (file >= 0)
      close(file);
    return -1;
  }
  for (size_t at = 0; at < size; at += elementBytes)
    memcpy(bytes + at, element, elementBytes);
  munmap(bytes, size);
  return file;
}

void *xlaSplatMap(size_t bytes, const void *element, size_t elementBytes) {
  size_t page = pageSize(), size = segment;
  if (bytes < smallest || segment % page || segment % elementBytes)
    return NULL;
  while (bytes / size >= mostMappings && size < smallest)
    size *= 2;
  size_t n = (bytes - 1) / size + 1;
  if (n > mostMappings)
    return NULL;
  int file = createFile(element, elementBytes, size);
  if (file < 0)
    return NULL;
  size_t whole = page + n * size;
  unsigned char *memory =
      mmap(NULL, whole, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  bool done = memory != MAP_FAILED;
  for (size_t i = 0; done && i < n; ++i)
    done = mmap(memory + page + i * size, size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0) != MAP_FAILED;
  close(file);
  if (done) {
    ((Header *)memory)->bytes = whole;
    return memory + page;
  }
  if (memory != MAP_FAILED)
    munmap(memory, whole);
  return NULL;
}

void xlaSplatUnmap(void *data) {
  unsigned char *memory = (unsigned char *)data - pageSize();
  munmap(memory, ((Header *)memory)->bytes);
}
