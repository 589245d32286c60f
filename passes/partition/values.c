//===- values.c - What values have become ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/expand.h"
#include "xlac/passes/partition/shardings_of.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Errors and memory
//===----------------------------------------------------------------------===//

struct XlaExpandMemory {
  XlaExpandMemory *next;
  XlaSharding *sharding; ///< or what follows is memory
};

bool xlaExpandNoMemory(XlaExpansion *x, MlirOperation op) {
  xlaOpNoMemory(op);
  x->result = XlaImportResultUnsupported;
  return false;
}

bool xlaExpandUnsupported(XlaExpansion *x, MlirOperation op, const char *what) {
  xlaOpUnsupported(op, NULL, "%s", what);
  x->result = XlaImportResultUnsupported;
  return false;
}

bool xlaExpandInvalid(XlaExpansion *x, MlirOperation op, const char *what) {
  xlaOpInvalid(op, NULL, "%s", what);
  x->result = XlaImportResultInvalid;
  return false;
}

void *xlaExpandAllocate(XlaExpansion *x, size_t n, size_t size) {
  XlaExpandMemory *made = calloc(1, sizeof *made + (n + 1) * size);
  if (!made) {
    xlaExpandNoMemory(x, x->module);
    return NULL;
  }
  made->next = x->memory;
  x->memory = made;
  return made + 1;
}

const XlaSharding *xlaExpandKeep(XlaExpansion *x, XlaSharding *sharding) {
  XlaExpandMemory *made = calloc(1, sizeof *made);
  if (!made) {
    xlaShardingDestroy(sharding);
    xlaExpandNoMemory(x, x->module);
    return NULL;
  }
  made->next = x->memory;
  made->sharding = sharding;
  x->memory = made;
  return sharding;
}

void xlaExpansionDestroy(XlaExpansion *x) {
  while (x->memory) {
    XlaExpandMemory *next = x->memory->next;
    xlaShardingDestroy(x->memory->sharding);
    free(x->memory);
    x->memory = next;
  }
  if (!mlirSymbolTableIsNull(x->symbols))
    mlirSymbolTableDestroy(x->symbols);
  xlaPointerMapClear(&x->numbers);
  xlaPointerMapClear(&x->kinds);
  xlaPointerMapClear(&x->effects);
  free(x->values);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

XlaExpandValue *xlaExpandGet(XlaExpansion *x, MlirOperation op,
                             MlirValue value) {
  intptr_t number = xlaPointerMapGet(&x->numbers, value.ptr);
  if (number && x->values[number - 1].values)
    return &x->values[number - 1];
  xlaExpandInvalid(x, op, "uses a value that is not defined before");
  return NULL;
}

MlirValue *xlaExpandOperand(XlaExpansion *x, MlirOperation op, intptr_t i) {
  XlaExpandValue *found = xlaExpandGet(x, op, mlirOperationGetOperand(op, i));
  return found ? found->values : NULL;
}

bool xlaExpandDefine(XlaExpansion *x, MlirValue value, MlirValue *values,
                     const XlaSharding *sharding, MlirValue *parts) {
  intptr_t number = xlaPointerMapGet(&x->numbers, value.ptr);
  if (!number) {
    if (x->nValues == x->capacity) {
      intptr_t capacity = 2 * x->capacity + 64;
      XlaExpandValue *grown =
          realloc(x->values, (size_t)capacity * sizeof *grown);
      if (!grown)
        return xlaExpandNoMemory(x, x->module);
      x->values = grown;
      x->capacity = capacity;
    }
    number = ++x->nValues;
    if (!xlaPointerMapSet(&x->numbers, value.ptr, number))
      return xlaExpandNoMemory(x, x->module);
  }
  x->values[number - 1] = (XlaExpandValue){values, sharding, parts};
  return true;
}

bool xlaExpandIsUniform(const XlaExpansion *x, const MlirValue *values) {
  for (int i = 1; i < x->nDevices; ++i)
    if (!xlaExpandSame(values[i], values[0]))
      return false;
  return true;
}
