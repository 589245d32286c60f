//===- callback.c - Programs call the host --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/callback.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/shape.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(XlaPythonCallback) theCallback;

void xlaPythonSetCallback(XlaPythonCallback callback) {
  atomic_store(&theCallback, callback);
}

/// Addresses and sizes of arrays; tokens are left out.
typedef struct Arrays {
  void **data;
  size_t *sizes;
  const int64_t **dims;
  intptr_t n;
} Arrays;

static bool createArrays(Arrays *arrays, intptr_t n) {
  size_t room = (size_t)n + 1;
  *arrays = (Arrays){calloc(room, sizeof(void *)), calloc(room, sizeof(size_t)),
                     calloc(room, sizeof(int64_t *)), 0};
  return arrays->data && arrays->sizes && arrays->dims;
}

static void destroyArrays(Arrays *arrays) {
  free(arrays->data);
  free(arrays->sizes);
  free(arrays->dims);
}

/// False for a tuple.
static bool addArray(Arrays *arrays, const XlaLiteral *literal) {
  if (xlaLiteralGetKind(literal) == XlaLiteralKindToken)
    return true;
  if (xlaLiteralGetKind(literal) != XlaLiteralKindArray)
    return false;
  arrays->data[arrays->n] = (void *)xlaLiteralGetData(literal);
  arrays->dims[arrays->n] = xlaLiteralGetShape(literal)->dims;
  arrays->sizes[arrays->n++] = xlaLiteralGetByteCount(literal);
  return true;
}

static XlaLiteral *createResult(MlirType type) {
  XlaShape shape;
  if (xlaTypeIsToken(type))
    return xlaLiteralCreateToken();
  return xlaShapeFromMlir(type, &shape, NULL) ? xlaLiteralCreateArray(&shape)
                                              : NULL;
}

/// A number that is all digits.
static bool readNumber(MlirStringRef text, uint64_t *number) {
  *number = 0;
  for (size_t i = 0; i < text.length; ++i)
    if (text.data[i] < '0' || text.data[i] > '9' ||
        __builtin_mul_overflow(*number, 10, number) ||
        __builtin_add_overflow(*number, (uint64_t)(text.data[i] - '0'), number))
      return false;
  return text.length > 0;
}

bool xlaPjrtTell(const char *number, const char *text, char *error,
                 size_t size) {
  XlaPythonCallback callback = atomic_load(&theCallback);
  uint64_t read;
  snprintf(error, size, "the function is not there");
  if (!callback || !readNumber(mlirStringRefCreateFromCString(number), &read))
    return false;
  const void *data = text;
  size_t textSize = strlen(text);
  const int64_t dim = (int64_t)textSize, *dims = &dim;
  bool done =
      !callback(read, 1, &data, &textSize, &dims, 0, NULL, NULL, error, size);
  error[size - 1] = 0;
  return done;
}

static bool readConfig(MlirOperation op, uint64_t *number) {
  MlirAttribute config = xlaOpGetAttr(op, "backend_config");
  return !mlirAttributeIsNull(config) && mlirAttributeIsAString(config) &&
         readNumber(mlirStringAttrGetValue(config), number);
}

static MlirLogicalResult call(MlirOperation op, const Arrays *in,
                              const Arrays *out) {
  XlaPythonCallback callback = atomic_load(&theCallback);
  uint64_t number;
  char error[1000] = "";
  if (!callback || !readConfig(op, &number))
    return xlaOpInvalid(op, NULL,
                        "calls a function of Python, which is not "
                        "there");
  if (!callback(number, in->n, (const void *const *)in->data, in->sizes,
                in->dims, out->n, out->data, out->sizes, error, sizeof error))
    return mlirLogicalResultSuccess();
  error[sizeof error - 1] = 0;
  return xlaOpError(op, NULL, "failed in a function of Python: %s", error);
}

MlirLogicalResult xlaPjrtCallback(MlirOperation op, MlirStringRef target,
                                  intptr_t nOperands,
                                  const XlaLiteral *const *operands,
                                  intptr_t nResults, XlaLiteral **results,
                                  void *user) {
  Arrays in, out = {NULL, NULL, NULL, 0};
  bool areArrays = createArrays(&in, nOperands) && createArrays(&out, nResults);
  for (intptr_t i = 0; areArrays && i < nOperands; ++i)
    areArrays = addArray(&in, operands[i]);
  intptr_t made = 0;
  for (; areArrays && made < nResults; ++made) {
    results[made] =
        createResult(mlirValueGetType(mlirOperationGetResult(op, made)));
    if (!results[made])
      break;
    addArray(&out, results[made]);
  }
  MlirLogicalResult result =
      areArrays && made == nResults
          ? call(op, &in, &out)
          : xlaOpUnsupported(op, NULL, "needs arrays, and memory for them");
  destroyArrays(&in);
  destroyArrays(&out);
  for (intptr_t i = 0; mlirLogicalResultIsFailure(result) && i < made; ++i) {
    xlaLiteralRelease(results[i]);
    results[i] = NULL;
  }
  return result;
}
