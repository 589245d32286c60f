//===- algorithm.c - How products of matrices are computed ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo/algorithm.h"

#include "xlac/passes/import/stablehlo/text.h"

#include <stdio.h>
#include <string.h>

/// XLA's algorithms. Operands of type NULL are any floats of 8 bits.
static const struct {
  const char *name, *operands, *accumulation;
  int64_t nProducts;
  bool isImprecise;
} algorithms[] = {
    {"dot_any_f8_any_f8_f32", NULL, "f32", 1, false},
    {"dot_any_f8_any_f8_f32_fast_accum", NULL, "f32", 1, true},
    {"dot_f16_f16_f16", "f16", "f16", 1, false},
    {"dot_f16_f16_f32", "f16", "f32", 1, false},
    {"dot_bf16_bf16_bf16", "bf16", "bf16", 1, false},
    {"dot_bf16_bf16_f32", "bf16", "f32", 1, false},
    {"dot_bf16_bf16_f32_x3", "bf16", "f32", 3, false},
    {"dot_bf16_bf16_f32_x6", "bf16", "f32", 6, false},
    {"dot_bf16_bf16_f32_x9", "bf16", "f32", 9, false},
    {"dot_tf32_tf32_f32", "tf32", "f32", 1, false},
    {"dot_tf32_tf32_f32_x3", "tf32", "f32", 3, false},
    {"dot_f32_f32_f32", "f32", "f32", 1, false},
    {"dot_f64_f64_f64", "f64", "f64", 1, false},
};

enum { nAlgorithms = sizeof algorithms / sizeof *algorithms };

static bool equals(MlirStringRef a, const char *b) {
  return mlirStringRefEqual(a, mlirStringRefCreateFromCString(b));
}

static bool readField(XlaImportText *rest, XlaDotAlgorithm *algorithm) {
  MlirStringRef key = xlaTextReadWord(rest);
  if (!key.length || !xlaTextAccept(rest, "="))
    return false;
  if (equals(key, "num_primitive_operations"))
    return xlaTextReadInteger(rest, &algorithm->nProducts);
  MlirStringRef word = xlaTextReadWord(rest);
  if (equals(key, "lhs_precision_type"))
    algorithm->lhs = word;
  else if (equals(key, "rhs_precision_type"))
    algorithm->rhs = word;
  else if (equals(key, "accumulation_type"))
    algorithm->accumulation = word;
  else if (equals(key, "allow_imprecise_accumulation"))
    algorithm->isImprecise = equals(word, "true");
  return word.length != 0;
}

bool xlaDotAlgorithmRead(MlirStringRef text, XlaDotAlgorithm *algorithm) {
  XlaImportText rest = {text.data, text.data + text.length};
  *algorithm = (XlaDotAlgorithm){.nProducts = 1};
  if (!xlaTextAccept(&rest, "dot_algorithm") || !xlaTextAccept(&rest, "<"))
    return false;
  do
    if (!readField(&rest, algorithm))
      return false;
  while (xlaTextAccept(&rest, ","));
  return xlaTextAccept(&rest, ">") && xlaTextIsAtEnd(&rest) &&
         algorithm->accumulation.length;
}

static bool isOfType(MlirStringRef word, const char *type) {
  if (type)
    return equals(word, type);
  XlaElementType known = xlaElementTypeFromName(word.data, word.length);
  return known != XlaElementTypeInvalid && xlaElementTypeIsFloat(known) &&
         xlaElementTypeGetInfo(known)->bits == 8;
}

const char *xlaDotAlgorithmName(const XlaDotAlgorithm *algorithm) {
  for (int i = 0; i < nAlgorithms; ++i)
    if (isOfType(algorithm->lhs, algorithms[i].operands) &&
        isOfType(algorithm->rhs, algorithms[i].operands) &&
        equals(algorithm->accumulation, algorithms[i].accumulation) &&
        algorithm->nProducts == algorithms[i].nProducts &&
        algorithm->isImprecise == algorithms[i].isImprecise)
      return algorithms[i].name;
  return NULL;
}

static int find(MlirStringRef name) {
  int i = 0;
  while (i < nAlgorithms && !equals(name, algorithms[i].name))
    ++i;
  return i;
}

bool xlaDotAlgorithmIs(MlirStringRef name) { return find(name) < nAlgorithms; }

bool xlaDotAlgorithmText(MlirStringRef name, XlaElementType lhs,
                         XlaElementType rhs, char *text, size_t size) {
  int i = find(name);
  if (i == nAlgorithms || lhs == XlaElementTypeInvalid ||
      rhs == XlaElementTypeInvalid)
    return false;
  const char *type = algorithms[i].operands;
  int length = snprintf(
      text, size,
      "#stablehlo.dot_algorithm<lhs_precision_type = %s, rhs_precision_type = "
      "%s, accumulation_type = %s, lhs_component_count = 1, "
      "rhs_component_count = 1, num_primitive_operations = %lld, "
      "allow_imprecise_accumulation = %s>",
      type ? type : xlaElementTypeGetInfo(lhs)->mlirName,
      type ? type : xlaElementTypeGetInfo(rhs)->mlirName,
      algorithms[i].accumulation, (long long)algorithms[i].nProducts,
      algorithms[i].isImprecise ? "true" : "false");
  return length > 0 && (size_t)length < size;
}
