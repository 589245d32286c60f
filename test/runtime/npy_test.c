//===- npy_test.c - Arrays in numpy's files -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/npy.h"
#include "xlac/test/support/unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// A file's content under construction.
typedef struct Bytes {
  unsigned char data[4096];
  size_t size;
} Bytes;

static Bytes fileOf(int version, const char *header, const void *data,
                    size_t size) {
  Bytes bytes = {.size = 0};
  size_t length = strlen(header), lengthSize = version == 1 ? 2 : 4;
  memcpy(bytes.data, "\x93NUMPY", 6);
  bytes.data[6] = (unsigned char)version;
  for (size_t i = 0; i < lengthSize; ++i)
    bytes.data[8 + i] = (unsigned char)(length >> 8 * i);
  bytes.size = 8 + lengthSize;
  memcpy(bytes.data + bytes.size, header, length);
  memcpy(bytes.data + bytes.size + length, data, size);
  bytes.size += length + size;
  return bytes;
}

static XlaNpy parse(Bytes bytes) {
  XlaNpy array;
  XlaStatus status =
      xlaNpyParse("t.npy", bytes.data, bytes.size, SIZE_MAX, &array);
  if (status)
    fail_msg("%s", xlaStatusMessage(status));
  assert_int_equal((uintptr_t)array.data % 64, 0);
  return array;
}

static XlaNpy parseArray(const char *header, const void *data, size_t size) {
  return parse(fileOf(1, header, data, size));
}

static void expectFailure(XlaStatus status, XlaNpy *array, XlaStatusCode code,
                          const char *part) {
  static const XlaNpy zero = {0};
  assert_non_null(status);
  if (xlaStatusCode(status) != code || !strstr(xlaStatusMessage(status), part))
    fail_msg("%s: %s", xlaStatusCodeName(xlaStatusCode(status)),
             xlaStatusMessage(status));
  assert_memory_equal(array, &zero, sizeof zero);
  xlaStatusDestroy(status);
}

static void refuseBytes(Bytes bytes, size_t limit, XlaStatusCode code,
                        const char *part) {
  XlaNpy array;
  memset(&array, 0xff, sizeof array);
  // A copy of its own size lets the sanitizer see reads behind the end.
  void *copy = malloc(bytes.size + !bytes.size);
  memcpy(copy, bytes.data, bytes.size);
  XlaStatus status = xlaNpyParse("t.npy", copy, bytes.size, limit, &array);
  free(copy);
  expectFailure(status, &array, code, part);
}

static void refuseHeader(const char *header, XlaStatusCode code,
                         const char *part) {
  refuseBytes(fileOf(1, header, "0123456789abcdef", 16), SIZE_MAX, code, part);
}

//===----------------------------------------------------------------------===//
// What is read
//===----------------------------------------------------------------------===//

static void versions(void **state) {
  const float data[] = {1.5f, -2, 3, 4, 5, 6};
  for (int version = 1; version <= 3; ++version) {
    XlaNpy array = parse(
        fileOf(version,
               "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n",
               data, sizeof data));
    assert_int_equal(array.kind, 'f');
    assert_int_equal(array.itemSize, 4);
    assert_int_equal(array.rank, 2);
    assert_int_equal(array.dims[0], 2);
    assert_int_equal(array.dims[1], 3);
    assert_int_equal(array.byteCount, sizeof data);
    assert_memory_equal(array.data, data, sizeof data);
    xlaNpyDestroy(&array);
    assert_null(array.data);
  }
}

static void elementTypes(void **state) {
  static const char *const types[] = {"b1", "i1",  "i2", "i4", "i8", "u1",
                                      "u2", "u4",  "u8", "f2", "f4", "f8",
                                      "c8", "c16", "V1", "V2"};
  unsigned char data[32];
  for (int i = 0; i < 32; ++i)
    data[i] = i % 2;
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    for (const char *order = "<|="; *order; ++order) {
      char header[128];
      snprintf(header, sizeof header,
               "{'descr': '%c%s', 'fortran_order': False, 'shape': (2,), }",
               *order, types[i]);
      XlaNpy array = parseArray(header, data, 32);
      assert_int_equal(array.kind, types[i][0]);
      assert_int_equal(array.itemSize, atoi(types[i] + 1));
      assert_int_equal(array.byteCount, 2 * array.itemSize);
      assert_memory_equal(array.data, data, array.byteCount);
      xlaNpyDestroy(&array);
    }
}

static void float8ThatNumpyCallsF1(void **state) {
  XlaNpy array = parseArray(
      "{'descr': '<f1', 'fortran_order': False, 'shape': (2,), }", "ab", 2);
  assert_int_equal(array.kind, 'V');
  assert_int_equal(array.itemSize, 1);
  xlaNpyDestroy(&array);
}

static void pythonSpellings(void **state) {
  static const char *const headers[] = {
      "{'descr':'<i2','fortran_order':False,'shape':(1,2)}",
      " { \"shape\" : ( 1L , 2L , ) , \"descr\" : \"i2\" ,\n"
      "\t\"fortran_order\" : False } \n  \n",
  };
  for (int i = 0; i < 2; ++i) {
    XlaNpy array = parseArray(headers[i], "abcd", 4);
    assert_int_equal(array.rank, 2);
    assert_int_equal(array.dims[1], 2);
    assert_memory_equal(array.data, "abcd", 4);
    xlaNpyDestroy(&array);
  }
}

static void scalarsAndEmptyArrays(void **state) {
  XlaNpy array = parseArray(
      "{'descr': '<f8', 'fortran_order': True, 'shape': (), }", "12345678", 8);
  assert_int_equal(array.rank, 0);
  assert_int_equal(array.byteCount, 8);
  assert_memory_equal(array.data, "12345678", 8);
  xlaNpyDestroy(&array);
  array = parseArray(
      "{'descr': '>i4', 'fortran_order': True, 'shape': (3, 0, 2), }", "", 0);
  assert_int_equal(array.rank, 3);
  assert_int_equal(array.byteCount, 0);
  assert_non_null(array.data);
  xlaNpyDestroy(&array);
}

static void bigEndian(void **state) {
  XlaNpy array =
      parseArray("{'descr': '>i4', 'fortran_order': False, 'shape': (2,), }",
                 "\x01\x02\x03\x04\xff\xff\xff\xfe", 8);
  assert_int_equal(((int32_t *)array.data)[0], 0x01020304);
  assert_int_equal(((int32_t *)array.data)[1], -2);
  xlaNpyDestroy(&array);
  // Of a complex number each part is swapped, raw bytes are not.
  array = parseArray("{'descr': '>c8', 'fortran_order': False, 'shape': (), }",
                     "\x3f\x80\0\0\xc0\0\0\0", 8);
  assert_true(((float *)array.data)[0] == 1.0f);
  assert_true(((float *)array.data)[1] == -2.0f);
  xlaNpyDestroy(&array);
  array = parseArray("{'descr': '>V2', 'fortran_order': False, 'shape': (), }",
                     "ab", 2);
  assert_memory_equal(array.data, "ab", 2);
  xlaNpyDestroy(&array);
}

static void boolsBecomeZeroAndOne(void **state) {
  XlaNpy array =
      parseArray("{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }",
                 "\x00\x01\x02\xff", 4);
  assert_memory_equal(array.data, "\x00\x01\x01\x01", 4);
  xlaNpyDestroy(&array);
}

static void fortranOrder(void **state) {
  int16_t data[24], expected[24];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) {
        data[i + 2 * j + 6 * k] = (int16_t)(100 * i + 10 * j + k);
        expected[12 * i + 4 * j + k] = (int16_t)(100 * i + 10 * j + k);
      }
  XlaNpy array = parseArray(
      "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3, 4), }", data,
      sizeof data);
  assert_memory_equal(array.data, expected, sizeof expected);
  xlaNpyDestroy(&array);
}

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

static void everyTruncation(void **state) {
  Bytes whole =
      fileOf(2, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n",
             "0123456789abcdefghijklmn", 24);
  Bytes part = whole;
  for (part.size = 1; part.size < whole.size; ++part.size)
    refuseBytes(part, SIZE_MAX, XLA_STATUS_DATA_LOSS, "t.npy: truncated: ");
  part.size = 0;
  refuseBytes(part, SIZE_MAX, XLA_STATUS_DATA_LOSS, "t.npy: empty");
}

static void everyChangedByteOfAHeader(void **state) {
  Bytes whole =
      fileOf(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n",
             "0123456789abcdefghijklmn", 24);
  int refused = 0;
  for (size_t i = 0; i < whole.size - 24; ++i)
    for (int value = 0; value < 256; ++value) {
      Bytes changed = whole;
      changed.data[i] = (unsigned char)value;
      XlaNpy array;
      XlaStatus status =
          xlaNpyParse("t.npy", changed.data, changed.size, 1 << 20, &array);
      refused += status != NULL;
      if (status)
        assert_non_null(strstr(xlaStatusMessage(status), "t.npy: "));
      else
        assert_in_range(array.byteCount, 0, 24);
      xlaStatusDestroy(status);
      xlaNpyDestroy(&array);
    }
  assert_true(refused > 15000);
}

static void otherFiles(void **state) {
  refuseBytes((Bytes){"PK\x03\x04 is an npz", 16}, SIZE_MAX,
              XLA_STATUS_DATA_LOSS, "t.npy: not an .npy file");
  refuseBytes(fileOf(4, "{}", "", 0), SIZE_MAX, XLA_STATUS_UNIMPLEMENTED,
              "version 4.0 of the .npy format is unknown");
  refuseBytes(fileOf(0, "{}", "", 0), SIZE_MAX, XLA_STATUS_UNIMPLEMENTED,
              "version 0.0");
  Bytes huge = fileOf(2, "{}", "", 0);
  memset(huge.data + 8, 0xff, 4);
  refuseBytes(huge, SIZE_MAX, XLA_STATUS_DATA_LOSS, "claims 4294967295 bytes");
}

static void damagedHeaders(void **state) {
  static const char *const headers[] = {
      "",
      "{",
      "}",
      "[]",
      "{}",
      "{'descr': '<f4'}",
      "{'descr': '<f4', 'fortran_order': False}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': 2}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2 2)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2.5,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (0x2,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'a': 1}",
      "{'descr': '<f4', 'fortran_order': False 'shape': (1,)}",
      "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
      "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
      "{'descr': '<f4', 'fortran_order': Falsehood, 'shape': (1,)}",
      "{'descr': <f4, 'fortran_order': False, 'shape': (1,)}",
      "{'descr': '<f4, \"fortran_order\": False",
      "{'descr': '<f4', 'fortran_order': False, 'shape': "
      "(9223372036854775808,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': "
      "(99999999999999999999999999,)}",
  };
  for (size_t i = 0; i < sizeof headers / sizeof *headers; ++i)
    refuseHeader(headers[i], XLA_STATUS_DATA_LOSS,
                 "t.npy: damaged .npy header: expected ");
}

static void otherElementTypes(void **state) {
  static const char *const types[] = {
      "O",   "<U5", "S3",           "<M8[ns]", "<f16", "<c32", "V3",   "b2",
      "i3",  "i0",  "f04294967297", "i",       "",     "<",    "<<i4", "i4 ",
      "f-4", "?",   "i\x7f"};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    char header[128];
    snprintf(header, sizeof header,
             "{'descr': '%s', 'fortran_order': False, 'shape': (1,), }",
             types[i]);
    if (strchr(types[i], '\x7f'))
      refuseHeader(header, XLA_STATUS_DATA_LOSS, "an element type");
    else
      refuseHeader(header, XLA_STATUS_UNIMPLEMENTED, types[i]);
  }
  refuseHeader("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (), "
               "}",
               XLA_STATUS_UNIMPLEMENTED, "structured element types");
}

static void hugeShapes(void **state) {
  refuseHeader("{'descr': '<f4', 'fortran_order': False, 'shape': "
               "(4294967296, 4294967296), }",
               XLA_STATUS_DATA_LOSS, "exceeds the address space");
  refuseHeader("{'descr': '<f4', 'fortran_order': False, 'shape': "
               "(9223372036854775807,), }",
               XLA_STATUS_DATA_LOSS, "exceeds the address space");
  refuseHeader("{'descr': '|i1', 'fortran_order': False, 'shape': "
               "(1152921504606846976,), }",
               XLA_STATUS_DATA_LOSS,
               "truncated: the data takes 1152921504606846976 bytes, 16 are");
  Bytes bytes =
      fileOf(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }",
             "0123456789abcdef", 16);
  refuseBytes(bytes, 15, XLA_STATUS_OUT_OF_MEMORY,
              "16 bytes of data exceed the limit of 15");
  XlaNpy array;
  assert_null(xlaNpyParse("t.npy", bytes.data, bytes.size, 16, &array));
  xlaNpyDestroy(&array);
}

static void tooManyDimensions(void **state) {
  for (int rank = XLA_NPY_MAX_RANK; rank <= XLA_NPY_MAX_RANK + 1; ++rank) {
    char header[1024] = "{'descr': '<f4', 'fortran_order': True, 'shape': (";
    for (int i = 0; i < rank; ++i)
      strcat(header, "1, ");
    strcat(header, "), }");
    if (rank > XLA_NPY_MAX_RANK) {
      refuseHeader(header, XLA_STATUS_UNIMPLEMENTED, "more than 64 dimensions");
      continue;
    }
    XlaNpy array = parseArray(header, "1234", 4);
    assert_int_equal(array.rank, rank);
    assert_memory_equal(array.data, "1234", 4);
    xlaNpyDestroy(&array);
  }
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// A name for a file in a folder of this test's own; state is the folder.
static const char *pathIn(void **state, const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", (char *)*state, name);
  return path;
}

static void writtenFilesReadTheSame(void **state) {
  static const struct {
    char kind;
    int itemSize, rank;
    int64_t dims[3];
  } cases[] = {{'f', 4, 2, {2, 3}}, {'b', 1, 0, {0}},       {'c', 16, 1, {5}},
               {'V', 2, 1, {3}},    {'i', 8, 3, {2, 0, 4}}, {'u', 1, 1, {1}},
               {'V', 1, 2, {1, 1}}, {'f', 2, 1, {0}}};
  const char *path = pathIn(state, "a.npy");
  unsigned char data[128] = {1, 0, 1, 1};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    XlaNpy array = {.kind = cases[i].kind,
                    .itemSize = cases[i].itemSize,
                    .rank = cases[i].rank,
                    .data = data};
    array.byteCount = (size_t)array.itemSize;
    for (int d = 0; d < array.rank; ++d) {
      array.dims[d] = cases[i].dims[d];
      array.byteCount *= (size_t)array.dims[d];
    }
    assert_null(xlaNpyWrite(path, &array));
    XlaNpy again;
    assert_null(xlaNpyRead(path, 128, &again));
    assert_int_equal(again.kind, array.kind);
    assert_int_equal(again.itemSize, array.itemSize);
    assert_int_equal(again.rank, array.rank);
    assert_memory_equal(again.dims, array.dims, sizeof array.dims);
    assert_int_equal(again.byteCount, array.byteCount);
    assert_memory_equal(again.data, data, array.byteCount);
    xlaNpyDestroy(&again);
  }
  unlink(path);
}

static void headersAreNumpys(void **state) {
  const char *path = pathIn(state, "b.npy");
  XlaNpy array = {.kind = 'f',
                  .itemSize = 4,
                  .rank = 1,
                  .dims = {2},
                  .data = "12345678",
                  .byteCount = 8};
  assert_null(xlaNpyWrite(path, &array));
  char text[256];
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t size = fread(text, 1, sizeof text, file);
  fclose(file);
  unlink(path);
  static const char expected[] =
      "\x93NUMPY\x01\0v\0"
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  assert_int_equal(size, 128 + 8);
  assert_memory_equal(text, expected, sizeof expected - 1);
  for (size_t i = sizeof expected - 1; i < 127; ++i)
    assert_int_equal(text[i], ' ');
  assert_memory_equal(text + 127, "\n12345678", 9);
}

static void unreadablePaths(void **state) {
  XlaNpy array;
  const char *path = pathIn(state, "absent.npy");
  expectFailure(xlaNpyRead(path, SIZE_MAX, &array), &array,
                XLA_STATUS_NOT_FOUND, "absent.npy: No such file");
  const char *folder = *state;
  expectFailure(xlaNpyRead(folder, SIZE_MAX, &array), &array,
                XLA_STATUS_DATA_LOSS, folder);
  expectFailure(xlaNpyRead("/dev/null", SIZE_MAX, &array), &array,
                XLA_STATUS_DATA_LOSS, "/dev/null: ");
}

static void aTruncatedFileIsFoundBeforeAllocating(void **state) {
  Bytes bytes = fileOf(
      1,
      "{'descr': '|u1', 'fortran_order': False, 'shape': (1099511627776,), }",
      "abc", 3);
  const char *path = pathIn(state, "short.npy");
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fwrite(bytes.data, 1, bytes.size, file);
  fclose(file);
  XlaNpy array;
  XlaStatus status = xlaNpyRead(path, SIZE_MAX, &array);
  expectFailure(status, &array, XLA_STATUS_DATA_LOSS,
                "short.npy: truncated: the data takes 1099511627776 bytes, 3 "
                "are there");
  unlink(path);
}

static void refuseWrite(const char *path, XlaNpy array, XlaStatusCode code,
                        const char *part) {
  XlaStatus status = xlaNpyWrite(path, &array);
  if (xlaStatusCode(status) != code || !strstr(xlaStatusMessage(status), part))
    fail_msg("%s", xlaStatusMessage(status));
  xlaStatusDestroy(status);
}

static void unwritableArrays(void **state) {
  const XlaNpy good = {.kind = 'f',
                       .itemSize = 4,
                       .rank = 1,
                       .dims = {2},
                       .data = "12345678",
                       .byteCount = 8};
  XlaNpy bad = good;
  const char *path = pathIn(state, "c.npy");
  bad.kind = 'q';
  refuseWrite(path, bad, XLA_STATUS_INVALID_ARGUMENT, "of kind 'q'");
  bad = good;
  bad.dims[0] = 3;
  refuseWrite(path, bad, XLA_STATUS_INVALID_ARGUMENT,
              "the shape takes 12 bytes, the data has 8");
  bad = good;
  bad.rank = 65;
  refuseWrite(path, bad, XLA_STATUS_INVALID_ARGUMENT, "rank 65");
  assert_int_equal(access(path, F_OK), -1);
  refuseWrite(pathIn(state, "no/folder.npy"), good, XLA_STATUS_NOT_FOUND,
              "no/folder.npy: No such file");
  refuseWrite("/dev/full", good, XLA_STATUS_DATA_LOSS,
              "/dev/full: writing 8 bytes of data failed: No space left");
}

static int makeFolder(void **state) {
  static char folder[] = "/tmp/xlac-npy-test-XXXXXX";
  *state = mkdtemp(folder);
  return *state ? 0 : -1;
}

static int removeFolder(void **state) { return rmdir(*state); }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(versions),
      cmocka_unit_test(elementTypes),
      cmocka_unit_test(float8ThatNumpyCallsF1),
      cmocka_unit_test(pythonSpellings),
      cmocka_unit_test(scalarsAndEmptyArrays),
      cmocka_unit_test(bigEndian),
      cmocka_unit_test(boolsBecomeZeroAndOne),
      cmocka_unit_test(fortranOrder),
      cmocka_unit_test(everyTruncation),
      cmocka_unit_test(everyChangedByteOfAHeader),
      cmocka_unit_test(otherFiles),
      cmocka_unit_test(damagedHeaders),
      cmocka_unit_test(otherElementTypes),
      cmocka_unit_test(hugeShapes),
      cmocka_unit_test(tooManyDimensions),
      cmocka_unit_test(writtenFilesReadTheSame),
      cmocka_unit_test(headersAreNumpys),
      cmocka_unit_test(unreadablePaths),
      cmocka_unit_test(aTruncatedFileIsFoundBeforeAllocating),
      cmocka_unit_test(unwritableArrays),
  };
  return cmocka_run_group_tests(tests, makeFolder, removeFolder);
}
