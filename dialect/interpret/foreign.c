//===- foreign.c - Custom calls of C functions ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/foreign.h"

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/result_internal.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct XlaForeignLibrary {
  void *handle;
};

typedef void (*ForeignFunction)(void *out, const void **in);

XlaForeignLibrary *xlaForeignLibraryOpen(const char *path, char why[512]) {
  char local[4096];
  XlaForeignLibrary *library = calloc(1, sizeof *library);
  if (!library) {
    snprintf(why, 512, "out of memory");
    return NULL;
  }
  // Without a slash the loader would look into the system's folders.
  if (snprintf(local, sizeof local, "%s%s", strchr(path, '/') ? "" : "./",
               path) < (int)sizeof local)
    library->handle = dlopen(local, RTLD_NOW | RTLD_LOCAL);
  if (library->handle)
    return library;
  const char *error = dlerror();
  snprintf(why, 512, "%s", error ? error : "the path is too long");
  free(library);
  return NULL;
}

void xlaForeignLibraryClose(XlaForeignLibrary *library) {
  if (!library)
    return;
  dlclose(library->handle);
  free(library);
}

static void *find(const XlaForeignLibrary *library, MlirStringRef target) {
  char name[512];
  if (target.length >= sizeof name ||
      memchr(target.data, 0, target.length) != NULL)
    return NULL;
  memcpy(name, target.data, target.length);
  name[target.length] = 0;
  void *symbol = dlsym(library->handle, name);
  // What the library itself was linked with, as libc, is not the program's to
  // call.
  struct link_map *own;
  Dl_info info;
  bool isOwn = symbol && !dlinfo(library->handle, RTLD_DI_LINKMAP, &own) &&
               dladdr(symbol, &info) &&
               (uintptr_t)info.dli_fbase == (uintptr_t)own->l_addr;
  return isOwn ? symbol : NULL;
}

bool xlaForeignLibraryHas(const XlaForeignLibrary *library,
                          MlirStringRef target) {
  return find(library, target) != NULL;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Arrays of pointers that tuples need, to be freed after the call.
typedef struct Pointers {
  struct Pointers *previous;
  void *items[];
} Pointers;

static void freePointers(Pointers *all) {
  while (all) {
    Pointers *previous = all->previous;
    free(all);
    all = previous;
  }
}

static void **addPointers(Pointers **all, intptr_t n) {
  Pointers *made =
      calloc(1, sizeof *made + ((size_t)n + 1) * sizeof *made->items);
  if (!made)
    return NULL;
  made->previous = *all;
  *all = made;
  return made->items;
}

/// The address that stands for a value; false without memory.
static bool addressOf(const XlaLiteral *literal, Pointers **all,
                      void **address) {
  *address = NULL;
  if (xlaLiteralGetKind(literal) == XlaLiteralKindToken)
    return true;
  if (xlaLiteralGetKind(literal) == XlaLiteralKindArray) {
    const void *data = xlaLiteralGetData(literal);
    if ((uintptr_t)data % sizeof(void *)) { // of a constant in its file
      size_t bytes = (size_t)xlaLiteralGetByteCount(literal);
      void **copy = addPointers(all, (intptr_t)(bytes / sizeof(void *) + 1));
      if (!copy)
        return false;
      data = memcpy(copy, data, bytes);
    }
    *address = (void *)data;
    return true;
  }
  intptr_t n = xlaLiteralGetTupleSize(literal);
  void **items = addPointers(all, n);
  *address = items;
  for (intptr_t i = 0; items && i < n; ++i)
    if (!addressOf(xlaLiteralGetTupleElement(literal, i), all, &items[i]))
      return false;
  return items != NULL;
}

/// A value of zeros; NULL without memory.
static XlaLiteral *createLiteral(MlirType type) {
  XlaShape shape;
  if (xlaTypeIsToken(type))
    return xlaLiteralCreateToken();
  if (!mlirTypeIsATuple(type))
    return xlaShapeFromMlir(type, &shape, NULL) ? xlaLiteralCreateArray(&shape)
                                                : NULL;
  intptr_t n = mlirTupleTypeGetNumTypes(type), made = 0;
  XlaLiteral **elements = calloc((size_t)n + 1, sizeof *elements);
  XlaLiteral *tuple = NULL;
  while (elements && made < n &&
         (elements[made] = createLiteral(mlirTupleTypeGetType(type, made))))
    ++made;
  if (elements && made == n)
    tuple = xlaLiteralTakeTuple(n, elements);
  else
    for (intptr_t i = 0; i < made; ++i)
      xlaLiteralRelease(elements[i]);
  free(elements);
  return tuple;
}

/// What a function leaves in the bits that an element does not have.
static void normalize(XlaLiteral *literal) {
  if (xlaLiteralGetKind(literal) == XlaLiteralKindTuple) {
    for (intptr_t i = 0; i < xlaLiteralGetTupleSize(literal); ++i)
      normalize((XlaLiteral *)xlaLiteralGetTupleElement(literal, i));
    return;
  }
  if (xlaLiteralGetKind(literal) == XlaLiteralKindToken)
    return;
  XlaElementType type = xlaLiteralGetShape(literal)->elementType;
  unsigned char *bytes = xlaLiteralGetMutableData(literal);
  if (xlaElementTypeGetInfo(type)->bits >= 8)
    return;
  for (int64_t i = 0; i < xlaLiteralGetElementCount(literal); ++i) {
    if (type == XlaElementTypePred)
      bytes[i] = bytes[i] != 0;
    else
      xlaLiteralSet(literal, i, xlaLiteralGet(literal, i));
  }
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

static bool createResults(MlirOperation op, intptr_t nResults,
                          XlaLiteral **results, Pointers **all, void **out) {
  void **items = addPointers(all, nResults);
  for (intptr_t i = 0; items && i < nResults; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    XlaLiteral *made = createLiteral(type);
    results[i] = made;
    if (!made || !addressOf(made, all, &items[i]))
      return false;
  }
  if (nResults)
    *out = nResults == 1 && items ? items[0] : items;
  return items != NULL;
}

MlirLogicalResult xlaForeignLibraryCall(MlirOperation op, MlirStringRef target,
                                        intptr_t nOperands,
                                        const XlaLiteral *const *operands,
                                        intptr_t nResults, XlaLiteral **results,
                                        void *library) {
  void *symbol = find(library, target);
  ForeignFunction function;
  Pointers *all = NULL;
  void *out = NULL, **in = addPointers(&all, nOperands);
  bool enough = in != NULL;
  if (!symbol) {
    freePointers(all);
    return xlaOpInvalid(op, NULL, "calls \"%.*s\", which the library lacks",
                        (int)target.length, target.data);
  }
  for (intptr_t i = 0; enough && i < nOperands; ++i)
    enough = addressOf(operands[i], &all, &in[i]);
  enough = enough && createResults(op, nResults, results, &all, &out);
  if (enough) {
    memcpy(&function, &symbol, sizeof function);
    function(out, (const void **)in);
  }
  for (intptr_t i = 0; enough && i < nResults; ++i)
    normalize(results[i]);
  freePointers(all);
  return enough ? success() : xlaOpNoMemory(op);
}
