//===- product.c - Products that tests run --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/vulkan/product.h"
#include "xlac/test/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

const ProductKindInfo productKinds[] = {
    [F64] = {"f64", 8, 0x1p-52, 0, false},
    [F32] = {"f32", 4, 0x1p-23, 0, false},
    [F16] = {"f16", 2, 0x1p-23, 0x1p-11, false},
    [BF16] = {"bf16", 2, 0x1p-23, 0x1p-8, false},
    [I8] = {"i8", 1, 0, 0, false},
    [U8] = {"i8", 1, 0, 0, true},
    [I16] = {"i16", 2, 0, 0, false},
    [U16] = {"i16", 2, 0, 0, true},
    [I32] = {"i32", 4, 0, 0, false},
    [I64] = {"i64", 8, 0, 0, false}};

static bool isInteger(ProductKind kind) {
  return productKinds[kind].epsilon == 0;
}

static double getFloat(ProductKind kind, const char *data, int64_t i) {
  if (kind == F64)
    return ((const double *)data)[i];
  if (kind == F32)
    return ((const float *)data)[i];
  if (kind == F16)
    return (double)((const _Float16 *)data)[i];
  uint32_t bits = (uint32_t)((const uint16_t *)data)[i] << 16;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

/// Extended to 64 bits.
static uint64_t getInteger(ProductKind kind, const char *data, int64_t i) {
  unsigned shift = 64 - 8 * (unsigned)productKinds[kind].bytes;
  uint64_t bits = 0;
  memcpy(&bits, data + (size_t)i * productKinds[kind].bytes,
         productKinds[kind].bytes);
  bits <<= shift;
  return productKinds[kind].isUnsigned ? bits >> shift
                                       : (uint64_t)((int64_t)bits >> shift);
}

uint32_t productNext(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*seed >> 33);
}

static void setRandom(ProductKind kind, char *data, int64_t i, uint64_t *seed,
                      bool isSpecial) {
  uint64_t bits = (uint64_t)productNext(seed) << 32 | productNext(seed) << 1;
  double value = (double)(int32_t)bits * 0x1p-31;
  if (isSpecial && (bits >> 32) % 50 == 0)
    value = INFINITY;
  uint32_t word;
  float narrow = (float)value;
  memcpy(&word, &narrow, 4);
  if (kind == F64)
    ((double *)data)[i] = value;
  else if (kind == F32)
    ((float *)data)[i] = narrow;
  else if (kind == F16)
    ((_Float16 *)data)[i] = (_Float16)narrow;
  else if (kind == BF16)
    ((uint16_t *)data)[i] = (uint16_t)(word >> 16);
  else
    memcpy(data + (size_t)i * productKinds[kind].bytes, &bits,
           productKinds[kind].bytes);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

int64_t productSize(const ProductCase *c, char letter) {
  return c->size[(int)letter] ? c->size[(int)letter] : 1;
}

ProductArray productArrayCreate(const ProductCase *c, const char *dims,
                                ProductKind kind) {
  ProductArray array = {.count = 1, .kind = kind};
  snprintf(array.dims, sizeof array.dims, "%s", dims);
  for (size_t i = strlen(dims); i-- > 0;) {
    array.stride[(int)dims[i]] = array.count;
    array.count *= productSize(c, dims[i]);
  }
  array.data = malloc((size_t)array.count * productKinds[kind].bytes + 8);
  assert_non_null(array.data);
  return array;
}

void productResultDims(const ProductCase *c, char *dims) {
  for (const char *l = "ab"; *l; ++l)
    if (strchr(c->lhs, *l))
      *dims++ = *l;
  for (const char *l = c->lhs; *l; ++l)
    if (!strchr(c->rhs, *l))
      *dims++ = *l;
  for (const char *r = c->rhs; *r; ++r)
    if (!strchr(c->lhs, *r))
      *dims++ = *r;
  *dims = 0;
}

void productArrayFill(ProductArray *array, uint64_t *seed, bool isSpecial) {
  for (int64_t i = 0; i < array->count; ++i)
    setRandom(array->kind, array->data, i, seed, isSpecial);
}

//===----------------------------------------------------------------------===//
// Expectation
//===----------------------------------------------------------------------===//

typedef struct Sum {
  double value, magnitude;
  uint64_t integer;
} Sum;

static void addTerm(Sum *sum, const ProductArray *lhs, const ProductArray *rhs,
                    int64_t l, int64_t r) {
  if (isInteger(lhs->kind)) {
    sum->integer += getInteger(lhs->kind, lhs->data, l) *
                    getInteger(rhs->kind, rhs->data, r);
    return;
  }
  double term =
      getFloat(lhs->kind, lhs->data, l) * getFloat(rhs->kind, rhs->data, r);
  sum->value += term;
  sum->magnitude += fabs(term);
}

/// Sums over letters of `terms` from the first on.
static void addTerms(const ProductCase *c, const char *terms, Sum *sum,
                     const ProductArray *lhs, const ProductArray *rhs,
                     int64_t l, int64_t r) {
  if (!*terms) {
    addTerm(sum, lhs, rhs, l, r);
    return;
  }
  for (int64_t i = 0; i < productSize(c, *terms); ++i)
    addTerms(c, terms + 1, sum, lhs, rhs, l + i * lhs->stride[(int)*terms],
             r + i * rhs->stride[(int)*terms]);
}

static bool isEqual(const Sum *sum, const ProductArray *result, int64_t at,
                    double terms) {
  ProductKind kind = result->kind;
  if (isInteger(kind)) {
    uint64_t expected = sum->integer;
    return !memcmp(&expected,
                   result->data + (size_t)at * productKinds[kind].bytes,
                   productKinds[kind].bytes);
  }
  double got = getFloat(kind, result->data, at);
  if (isnan(sum->value) || isinf(sum->value))
    return isnan(sum->value) ? isnan(got) : got == sum->value;
  return fabs(got - sum->value) <=
         productKinds[kind].epsilon * (terms + 8) * sum->magnitude +
             productKinds[kind].rounding * fabs(sum->value) +
             (kind == F16 ? 0x1p-24 : 0);
}

const char *productTilingText(const XlaVulkanMatmulTiling *tiling,
                              char text[160]) {
  snprintf(text, 160,
           "staging %d, %dx%d threads, tile %dx%d, step %d, vectors %d %d, "
           "pairs %d, chunks %d, loops %d",
           tiling->staging, tiling->columnThreads, tiling->otherThreads,
           tiling->tileRows, tiling->tileColumns, tiling->step,
           tiling->lhsVector, tiling->rhsVector, tiling->usesPairs,
           tiling->chunks, tiling->usesLoops);
  return text;
}

void productCheck(const ProductCase *c, const ProductArray arrays[3],
                  const XlaVulkanMatmulTiling *tiling) {
  char terms[16], *end = terms, text[160];
  double nTerms = 1;
  for (const char *l = c->lhs; *l; ++l)
    if (strchr(c->rhs, *l) && *l != 'a' && *l != 'b') {
      *end++ = *l;
      nTerms *= (double)productSize(c, *l);
    }
  *end = 0;
  const ProductArray *result = &arrays[2];
  for (int64_t at = 0; at < result->count; ++at) {
    int64_t l = 0, r = 0, rest = at;
    for (size_t d = strlen(result->dims); d-- > 0;) {
      unsigned char letter = (unsigned char)result->dims[d];
      int64_t i = rest % productSize(c, (char)letter);
      rest /= productSize(c, (char)letter);
      l += i * arrays[0].stride[letter];
      r += i * arrays[1].stride[letter];
    }
    Sum sum = {0, 0, 0};
    addTerms(c, terms, &sum, &arrays[0], &arrays[1], l, r);
    if (isEqual(&sum, result, at, nTerms))
      continue;
    fail_msg(
        "%s x %s (a %lld b %lld m %lld n %lld k %lld), %s x %s -> %s, %s: "
        "element %lld is %.9g or %llx, not %.9g or %llx",
        c->lhs, c->rhs, (long long)productSize(c, 'a'),
        (long long)productSize(c, 'b'), (long long)productSize(c, 'm'),
        (long long)productSize(c, 'n'), (long long)productSize(c, 'k'),
        productKinds[c->kind[0]].name, productKinds[c->kind[1]].name,
        productKinds[c->kind[2]].name, productTilingText(tiling, text),
        (long long)at,
        isInteger(result->kind) ? 0 : getFloat(result->kind, result->data, at),
        isInteger(result->kind)
            ? (unsigned long long)getInteger(result->kind, result->data, at)
            : 0,
        sum.value, (unsigned long long)sum.integer);
  }
}
