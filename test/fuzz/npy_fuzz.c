//===- npy_fuzz.c - Any bytes as an .npy or .npz file ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is accepted must be consistent, and read the same after it was written.
//
//===----------------------------------------------------------------------===//

#include "require.h"

#include "xlac/runtime/checked.h"
#include "xlac/runtime/npy.h"
#include "xlac/runtime/npz.h"

#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void checkRoundTrip(const XlaNpy *array) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/xlac-npy-fuzz-%d.npy", (int)getpid());
  XlaNpy again;
  xlaFuzzRequire(!xlaNpyWrite(path, array),
                 "an array that was read is not written");
  xlaFuzzRequire(!xlaNpyRead(path, array->byteCount, &again),
                 "an array that was written is not read");
  unlink(path);
  xlaFuzzRequire(again.kind == array->kind &&
                     again.itemSize == array->itemSize &&
                     again.rank == array->rank &&
                     !memcmp(again.dims, array->dims, sizeof again.dims) &&
                     again.byteCount == array->byteCount &&
                     !memcmp(again.data, array->data, again.byteCount),
                 "the array changed between writing and reading");
  xlaNpyDestroy(&again);
}

static void checkRefusal(XlaStatus status, const XlaNpy *array) {
  xlaFuzzRequire(!array->data && !array->rank, "a refused array is not zero");
  xlaFuzzRequire(strlen(xlaStatusMessage(status)) > 5, "no message");
  xlaStatusDestroy(status);
}

/// Reads all arrays of an archive.
static void checkArchive(const uint8_t *data, size_t size) {
  char path[64], **names;
  size_t n;
  snprintf(path, sizeof path, "/tmp/xlac-npy-fuzz-%d.npz", (int)getpid());
  FILE *file = fopen(path, "wb");
  xlaFuzzRequire(file && fwrite(data, 1, size, file) == size && !fclose(file),
                 "no file to read");
  XlaStatus status = xlaNpzList(path, &n, &names);
  xlaFuzzRequire(!status || (!n && !names), "a list of a refused archive");
  for (size_t i = 0; !status && i < n; ++i) {
    XlaNpy array;
    XlaStatus refused = xlaNpzRead(path, names[i], 1 << 16, &array);
    if (refused)
      checkRefusal(refused, &array);
    else
      xlaNpyDestroy(&array);
  }
  if (!status)
    xlaNpzFreeList(n, names);
  xlaStatusDestroy(status);
  unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  XlaNpy array;
  if (size > 2 && !memcmp(data, "PK", 2)) {
    checkArchive(data, size);
    return 0;
  }
  XlaStatus status = xlaNpyParse("input", data, size, 1 << 16, &array);
  if (status) {
    checkRefusal(status, &array);
    return 0;
  }
  size_t byteCount = 0;
  xlaFuzzRequire(xlaCheckedByteCount(array.rank, array.dims,
                                     (size_t)array.itemSize, &byteCount) &&
                     byteCount == array.byteCount && byteCount <= 1 << 16,
                 "the size does not fit the shape");
  checkRoundTrip(&array);
  xlaNpyDestroy(&array);
  return 0;
}
