//===- product_text.c - Kernels of products -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/vulkan/product.h"
#include "xlac/test/support/unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool isInteger(ProductKind kind) {
  return productKinds[kind].epsilon == 0;
}

typedef struct Text {
  char data[4096];
  int size;
} Text;

__attribute__((format(printf, 2, 3))) static void
append(Text *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  size_t room = sizeof text->data - (size_t)text->size;
  text->size += vsnprintf(text->data + text->size, room, format, args);
  va_end(args);
  assert_in_range(text->size, 0, sizeof text->data - 1);
}

static void appendType(Text *text, const ProductCase *c, const char *dims,
                       ProductKind kind) {
  append(text, "memref<");
  for (const char *d = dims; *d; ++d)
    append(text, "%lldx", (long long)productSize(c, *d));
  append(text, "%s>", productKinds[kind].name);
}

/// A map to `dims`: letters are the loops, those of the result and then those
/// that are summed over.
static void appendMap(Text *text, const ProductCase *c, const char *result,
                      const char *dims) {
  append(text, "affine_map<(");
  for (const char *l = result; *l; ++l)
    append(text, "%s%c", l == result ? "" : ", ", *l);
  const char *separator = *result ? ", " : "";
  for (const char *l = c->lhs; *l; ++l)
    if (strchr(c->rhs, *l) && !strchr(result, *l)) {
      append(text, "%s%c", separator, *l);
      separator = ", ";
    }
  append(text, ") -> (");
  for (const char *l = dims; *l; ++l)
    append(text, "%s%c", l == dims ? "" : ", ", *l);
  append(text, ")>");
}

static void appendIterators(Text *text, const ProductCase *c,
                            const char *result) {
  const char *separator = "";
  for (const char *l = result; *l; ++l, separator = ", ")
    append(text, "%s\"parallel\"", separator);
  for (const char *l = c->lhs; *l; ++l)
    if (strchr(c->rhs, *l) && !strchr(result, *l)) {
      append(text, "%s\"reduction\"", separator);
      separator = ", ";
    }
}

/// Converts an element of input `i` to the type of the sums.
static void appendInput(Text *text, const ProductCase *c, int i,
                        ProductKind sum) {
  bool isWider = productKinds[c->kind[i]].bytes > productKinds[sum].bytes;
  const char *widen = !isInteger(sum)                       ? "extf"
                      : isWider                             ? "trunci"
                      : productKinds[c->kind[i]].isUnsigned ? "extui"
                                                            : "extsi";
  if (strcmp(productKinds[c->kind[i]].name, productKinds[sum].name))
    append(text, "%%w%d = arith.%s %%e%d : %s to %s\n", i, widen, i,
           productKinds[c->kind[i]].name, productKinds[sum].name);
}

/// The name of input `i` in the body, widened where that is needed.
static const char *inputName(const ProductCase *c, int i, ProductKind sum) {
  static const char *const names[2][2] = {{"%e0", "%w0"}, {"%e1", "%w1"}};
  return names[i][strcmp(productKinds[c->kind[i]].name,
                         productKinds[sum].name) != 0];
}

MlirModule productKernelWith(MlirContext context, const ProductCase *c,
                             const char *mul, const char *add) {
  char dims[16];
  Text text = {.size = 0};
  ProductKind kind = c->kind[2], sum = kind == F16 || kind == BF16 ? F32 : kind;
  const char *type = productKinds[sum].name,
             *memory = sum == kind ? "%2" : "%sums";
  productResultDims(c, dims);
  append(&text, "func.func private @kernel(%%0: ");
  appendType(&text, c, c->lhs, c->kind[0]);
  append(&text, ", %%1: ");
  appendType(&text, c, c->rhs, c->kind[1]);
  append(&text, ", %%2: ");
  appendType(&text, c, dims, kind);
  append(&text, ") attributes {xla.kind = \"contraction\"} {\n");
  if (sum != kind) {
    append(&text, "%%sums = memref.alloc() : ");
    appendType(&text, c, dims, sum);
  }
  append(&text, "\n%%zero = arith.constant %s : %s\n",
         isInteger(sum) ? "0" : "0.0", type);
  append(&text, "linalg.fill ins(%%zero : %s) outs(%s : ", type, memory);
  appendType(&text, c, dims, sum);
  append(&text, ")\nlinalg.generic {indexing_maps = [");
  appendMap(&text, c, dims, c->lhs);
  append(&text, ", ");
  appendMap(&text, c, dims, c->rhs);
  append(&text, ", ");
  appendMap(&text, c, dims, dims);
  append(&text, "], iterator_types = [");
  appendIterators(&text, c, dims);
  append(&text, "]} ins(%%0, %%1 : ");
  appendType(&text, c, c->lhs, c->kind[0]);
  append(&text, ", ");
  appendType(&text, c, c->rhs, c->kind[1]);
  append(&text, ") outs(%s : ", memory);
  appendType(&text, c, dims, sum);
  append(&text, ") {\n^bb0(%%e0: %s, %%e1: %s, %%acc: %s):\n",
         productKinds[c->kind[0]].name, productKinds[c->kind[1]].name, type);
  appendInput(&text, c, 0, sum);
  appendInput(&text, c, 1, sum);
  append(&text, "%%p = arith.%s %s, %s : %s\n", mul, inputName(c, 0, sum),
         inputName(c, 1, sum), type);
  append(&text, "%%s = arith.%s %%acc, %%p : %s\nlinalg.yield %%s : %s\n}\n",
         add, type, type);
  if (sum != kind) {
    append(&text, "linalg.generic {indexing_maps = [affine_map<(");
    char list[64] = "";
    for (const char *l = dims; *l; ++l)
      snprintf(list + strlen(list), sizeof list - strlen(list), "%s%c",
               l == dims ? "" : ", ", *l);
    append(&text, "%s) -> (%s)>, affine_map<(%s) -> (%s)>], iterator_types = [",
           list, list, list, list);
    for (const char *l = dims; *l; ++l)
      append(&text, "%s\"parallel\"", l == dims ? "" : ", ");
    append(&text, "]} ins(%%sums : ");
    appendType(&text, c, dims, sum);
    append(&text, ") outs(%%2 : ");
    appendType(&text, c, dims, kind);
    append(&text, ") {\n^bb0(%%x: %s, %%y: %s):\n", type,
           productKinds[kind].name);
    append(&text,
           "%%r = arith.truncf %%x : %s to %s\nlinalg.yield %%r : %s\n}\n",
           type, productKinds[kind].name, productKinds[kind].name);
  }
  append(&text, "return\n}");
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text.data));
  if (mlirModuleIsNull(module))
    fail_msg("not parsed: %s", text.data);
  return module;
}

MlirModule productKernel(MlirContext context, const ProductCase *c) {
  bool isFloat = !isInteger(c->kind[2]);
  return productKernelWith(context, c, isFloat ? "mulf" : "muli",
                           isFloat ? "addf" : "addi");
}
