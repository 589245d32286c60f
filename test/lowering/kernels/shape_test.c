//===- shape_test.c - Kernels of random shapes ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Movement, reductions and contractions of all element types on random shapes
// of rank 0 to 6, with empty dimensions and such of size 1.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/kernels/fixture.h"
#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Drivers compile slowly, and six times as slowly under a sanitizer.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { casesPerOp = 6, maxRank = 6 };
#elif defined(XLAC_TEST_ON_VULKAN)
enum { casesPerOp = 20, maxRank = 6 };
#else
enum { casesPerOp = 60, maxRank = 6 };
#endif

typedef struct Shape {
  const char *element;
  int rank;
  int64_t dims[maxRank + 1];
} Shape;

typedef struct Text {
  char chars[200];
} Text;

static Text typeOf(const Shape *shape) {
  Text text;
  int n = snprintf(text.chars, sizeof text.chars, "tensor<");
  for (int d = 0; d < shape->rank; ++d)
    n += snprintf(text.chars + n, sizeof text.chars - (size_t)n, "%lldx",
                  (long long)shape->dims[d]);
  snprintf(text.chars + n, sizeof text.chars - (size_t)n, "%s>",
           shape->element);
  return text;
}

static Text list(const int64_t *values, int n) {
  Text text = {"array<i64"};
  for (int i = 0; i < n; ++i)
    sprintf(text.chars + strlen(text.chars), "%s%lld", i ? ", " : ": ",
            (long long)values[i]);
  strcat(text.chars, ">");
  return text;
}

static XlaElementType randomType(void) { return kernelTypes[kernelRandom(13)]; }

static const char *nameOf(XlaElementType type) {
  return xlaElementTypeGetInfo(type)->mlirName;
}

static int64_t randomDim(void) {
  static const int64_t dims[] = {1, 2, 3, 4, 5, 7, 17, 8, 1, 2, 3, 20};
  return kernelRandom(40) ? dims[kernelRandom(12)] : 0;
}

/// At most about 20,000 elements.
static Shape randomShape(int rank) {
  Shape shape = {nameOf(randomType()), rank, {0}};
  int64_t count = 1;
  for (int d = 0; d < rank; ++d) {
    shape.dims[d] = randomDim();
    if (count * shape.dims[d] > 20000)
      shape.dims[d] = 1;
    count *= shape.dims[d] ? shape.dims[d] : 1;
  }
  return shape;
}

static Shape anyShape(void) { return randomShape((int)kernelRandom(7)); }

static Shape scalarOf(const Shape *shape) {
  return (Shape){shape->element, 0, {0}};
}

static void shuffle(int64_t *values, int n) {
  for (int i = n - 1; i > 0; --i) {
    int k = (int)kernelRandom((uint64_t)i + 1);
    int64_t swapped = values[i];
    values[i] = values[k];
    values[k] = swapped;
  }
}

static const KernelCheck exact = {.fill = KernelFillSpecial, .bits = true};

/// One operation with these operands and attributes.
static void put(KernelBatch *batch, KernelCheck check, const char *op,
                const char *attributes, int n, const Shape *operands,
                const Shape *result) {
  kernelBatchBegin(batch, check);
  for (int i = 0; i < n; ++i)
    kernelBatchPut(batch, "%s%%a%d: %s", i ? ", " : "(", i,
                   typeOf(&operands[i]).chars);
  kernelBatchPut(batch, "%s) -> %s {\n  %%r = xla.%s ", n ? "" : "(",
                 typeOf(result).chars, op);
  for (int i = 0; i < n; ++i)
    kernelBatchPut(batch, "%s%%a%d", i ? ", " : "", i);
  kernelBatchPut(batch, " {%s} : (", attributes);
  for (int i = 0; i < n; ++i)
    kernelBatchPut(batch, "%s%s", i ? ", " : "", typeOf(&operands[i]).chars);
  kernelBatchPut(batch, ") -> %s\n  return %%r : %s\n}", typeOf(result).chars,
                 typeOf(result).chars);
}

static void broadcasts(void **state) {
  KernelBatch batch = {0};
  for (int i = 0; i < casesPerOp; ++i) {
    Shape result = anyShape(), operand = {result.element, 0, {0}};
    int64_t map[maxRank];
    for (int d = 0; d < result.rank; ++d)
      if (kernelRandom(2)) {
        map[operand.rank] = d;
        operand.dims[operand.rank++] = kernelRandom(4) ? result.dims[d] : 1;
      }
    Text attributes;
    snprintf(attributes.chars, sizeof attributes.chars,
             "broadcast_dimensions = %s", list(map, operand.rank).chars);
    put(&batch, exact, "broadcast_in_dim", attributes.chars, 1, &operand,
        &result);
  }
  kernelBatchRun(&batch);
}

static void transposes(void **state) {
  KernelBatch batch = {0};
  for (int i = 0; i < casesPerOp; ++i) {
    Shape operand = anyShape(), result = operand;
    int64_t permutation[maxRank];
    for (int d = 0; d < operand.rank; ++d)
      permutation[d] = d;
    shuffle(permutation, operand.rank);
    for (int d = 0; d < operand.rank; ++d)
      result.dims[d] = operand.dims[permutation[d]];
    Text attributes;
    snprintf(attributes.chars, sizeof attributes.chars, "permutation = %s",
             list(permutation, operand.rank).chars);
    put(&batch, exact, "transpose", attributes.chars, 1, &operand, &result);
  }
  kernelBatchRun(&batch);
}

/// A shape with as many elements: neighbours joined, others split.
static Shape regrouped(const Shape *shape) {
  Shape result = {shape->element, 0, {0}};
  for (int d = 0; d < shape->rank; ++d) {
    int64_t size = shape->dims[d];
    if (result.rank && kernelRandom(2)) {
      result.dims[result.rank - 1] *= size;
    } else if (size % 2 == 0 && result.rank + shape->rank - d < maxRank) {
      result.dims[result.rank++] = 2;
      result.dims[result.rank++] = size / 2;
    } else {
      result.dims[result.rank++] = size;
    }
  }
  if (result.rank < maxRank && kernelRandom(2))
    result.dims[result.rank++] = 1;
  return result;
}

static void reshapes(void **state) {
  KernelBatch batch = {0};
  for (int i = 0; i < casesPerOp; ++i) {
    Shape operand = anyShape(), result = regrouped(&operand);
    put(&batch, exact, "reshape", "", 1, &operand, &result);
  }
  kernelBatchRun(&batch);
  assert_in_range(batch.nAliased, 1, casesPerOp);
}

static void slices(void **state) {
  KernelBatch batch = {0};
  for (int i = 0; i < casesPerOp; ++i) {
    Shape operand = anyShape(), result = operand;
    int64_t start[maxRank], limit[maxRank], stride[maxRank];
    for (int d = 0; d < operand.rank; ++d) {
      int64_t size = operand.dims[d];
      start[d] = (int64_t)kernelRandom((uint64_t)size + 1);
      limit[d] =
          start[d] + (int64_t)kernelRandom((uint64_t)(size - start[d]) + 1);
      stride[d] = 1 + (int64_t)kernelRandom(3);
      result.dims[d] = (limit[d] - start[d] + stride[d] - 1) / stride[d];
    }
    char attributes[500];
    snprintf(attributes, sizeof attributes,
             "start_indices = %s, limit_indices = %s, strides = %s",
             list(start, operand.rank).chars, list(limit, operand.rank).chars,
             list(stride, operand.rank).chars);
    put(&batch, exact, "slice", attributes, 1, &operand, &result);
  }
  kernelBatchRun(&batch);
}

static void pads(void **state) {
  KernelBatch batch = {0};
  for (int i = 0; i < 2 * casesPerOp; ++i) {
    Shape operands[2] = {anyShape()}, result = operands[0];
    int64_t low[maxRank], high[maxRank], interior[maxRank];
    operands[1] = scalarOf(&operands[0]);
    for (int d = 0; d < result.rank; ++d) {
      int64_t size = result.dims[d];
      low[d] = (int64_t)kernelRandom(7) - 3;
      high[d] = (int64_t)kernelRandom(7) - 3;
      interior[d] = kernelRandom(3) ? 0 : (int64_t)kernelRandom(3);
      size += (size ? (size - 1) * interior[d] : 0) + low[d] + high[d];
      if (size < 0) {
        low[d] -= size;
        size = 0;
      }
      result.dims[d] = size;
    }
    char attributes[600];
    snprintf(attributes, sizeof attributes,
             "edge_padding_low = %s, edge_padding_high = %s, interior_padding "
             "= %s",
             list(low, result.rank).chars, list(high, result.rank).chars,
             list(interior, result.rank).chars);
    put(&batch, exact, "pad", attributes, 2, operands, &result);
  }
  kernelBatchRun(&batch);
}

static void concatenates(void **state) {
  KernelBatch batch = {0};
  for (int i = 0; i < casesPerOp; ++i) {
    int rank = 1 + (int)kernelRandom(maxRank), n = 1 + (int)kernelRandom(4);
    int along = (int)kernelRandom((uint64_t)rank);
    Shape operands[4], result = randomShape(rank);
    result.dims[along] = 0;
    for (int k = 0; k < n; ++k) {
      operands[k] = result;
      operands[k].dims[along] = randomDim();
    }
    for (int k = 0; k < n; ++k)
      result.dims[along] += operands[k].dims[along];
    Text attributes;
    snprintf(attributes.chars, sizeof attributes.chars, "dimension = %d : i64",
             along);
    put(&batch, exact, "concatenate", attributes.chars, n, operands, &result);
  }
  kernelBatchRun(&batch);
}

static void reverses(void **state) {
  KernelBatch batch = {0};
  for (int i = 0; i < casesPerOp; ++i) {
    Shape shape = anyShape();
    int64_t dimensions[maxRank];
    int n = 0;
    for (int d = 0; d < shape.rank; ++d)
      if (kernelRandom(2))
        dimensions[n++] = d;
    Text attributes;
    snprintf(attributes.chars, sizeof attributes.chars, "dimensions = %s",
             list(dimensions, n).chars);
    put(&batch, exact, "reverse", attributes.chars, 1, &shape, &shape);
  }
  kernelBatchRun(&batch);
}

static void bitcasts(void **state) {
  KernelBatch batch = {0};
  for (int f = 0; kernelTypes[f]; ++f)
    for (int t = 0; kernelTypes[t]; ++t) {
      int from = xlaElementTypeGetInfo(kernelTypes[f])->bits;
      int to = xlaElementTypeGetInfo(kernelTypes[t])->bits;
      Shape wide = randomShape((int)kernelRandom(3)), narrow = wide;
      if (from == to)
        continue;
      narrow.dims[narrow.rank++] = from > to ? from / to : to / from;
      narrow.element = nameOf(kernelTypes[from > to ? t : f]);
      wide.element = nameOf(kernelTypes[from > to ? f : t]);
      put(&batch, exact, "bitcast_convert", "", 1, from > to ? &wide : &narrow,
          from > to ? &narrow : &wide);
    }
  kernelBatchRun(&batch);
}

static void iotas(void **state) {
  KernelBatch batch = {0};
  for (int t = 1; kernelTypes[t]; ++t)
    for (int rank = 1; rank <= maxRank; ++rank) {
      Shape shape = randomShape(rank);
      int along = (int)kernelRandom((uint64_t)rank);
      if (rank == 1)
        shape.dims[0] = 2500; // more than f16 and bf16 hold exactly
      shape.element = nameOf(kernelTypes[t]);
      Text attributes;
      snprintf(attributes.chars, sizeof attributes.chars,
               "iota_dimension = %d : i64", along);
      put(&batch, exact, "iota", attributes.chars, 0, NULL, &shape);
    }
  kernelBatchRun(&batch);
}

/// Starts from all integers, so that most have to be clamped, and small ones.
static void dynamicSlices(void **state) {
  KernelBatch batch = {0};
  for (int i = 0; i < 3 * casesPerOp; ++i) {
    Shape operands[3 + maxRank] = {anyShape()}, window = operands[0], start;
    int rank = window.rank, n = 1;
    bool isUpdate = kernelRandom(2);
    bool isVector = rank && kernelRandom(4) == 0;
    for (int d = 0; d < rank; ++d)
      window.dims[d] = (int64_t)kernelRandom((uint64_t)window.dims[d] + 1);
    if (isUpdate)
      operands[n++] = window;
    start = (Shape){nameOf(kernelTypes[1 + kernelRandom(8)]), isVector, {rank}};
    for (int d = 0; d < (isVector ? 1 : rank); ++d)
      operands[n++] = start;
    KernelCheck check = exact;
    check.fill = kernelRandom(2) ? KernelFillSmall : KernelFillUnit;
    Text attributes;
    snprintf(attributes.chars, sizeof attributes.chars, "slice_sizes = %s",
             list(window.dims, rank).chars);
    put(&batch, check, isUpdate ? "dynamic_update_slice" : "dynamic_slice",
        isUpdate ? "" : attributes.chars, n, operands,
        isUpdate ? &operands[0] : &window);
  }
  kernelBatchRun(&batch);
}

/// Broadcasting between operands, and results in the place of operands.
static void implicitBroadcasts(void **state) {
  KernelBatch batch = {0};
  for (int i = 0; i < casesPerOp; ++i) {
    Shape operands[2], result = anyShape();
    result.element = "f32";
    operands[0] = operands[1] = result;
    int64_t map[maxRank];
    for (int d = 0; d < result.rank; ++d) {
      map[d] = d;
      if (kernelRandom(3) == 0)
        operands[kernelRandom(2)].dims[d] = 1;
    }
    if (kernelRandom(4) == 0) {
      operands[1].rank = 0;
      operands[0] = result;
    } else if (result.rank && kernelRandom(3) == 0) {
      --operands[1].rank; // by broadcast_dimensions: its last dimension goes
      memcpy(operands[0].dims, result.dims, sizeof result.dims);
    }
    Text attributes = {""};
    if (operands[1].rank && operands[1].rank < result.rank)
      snprintf(attributes.chars, sizeof attributes.chars,
               "broadcast_dimensions = %s", list(map, operands[1].rank).chars);
    put(&batch, exact, "subtract", attributes.chars, 2, operands, &result);
    batch.cases[batch.nCases - 1].check.bits = false;
  }
  kernelBatchRun(&batch);
  assert_in_range(batch.nAliased, casesPerOp / 3, 2 * casesPerOp);
}

//===----------------------------------------------------------------------===//
// Reductions and contractions
//===----------------------------------------------------------------------===//

static Shape reduced(const Shape *operand, int64_t *dimensions, int *n) {
  Shape result = {operand->element, 0, {0}};
  *n = 0;
  for (int d = 0; d < operand->rank; ++d)
    if (kernelRandom(2))
      dimensions[(*n)++] = d;
    else
      result.dims[result.rank++] = operand->dims[d];
  return result;
}

static void reductions(void **state) {
  static const char *const combiners[] = {"add", "maximum", "minimum",
                                          "multiply"};
  KernelBatch batch = {0};
  for (int i = 0; i < 4 * casesPerOp; ++i) {
    Shape operand = anyShape();
    int64_t dimensions[maxRank];
    int n;
    operand.element = nameOf(kernelTypes[i % 13]);
    Shape result = reduced(&operand, dimensions, &n), init = scalarOf(&operand);
    Text scalarText = typeOf(&init);
    const char *scalar = scalarText.chars;
    // Sums of small integers are exact also where the order is another; in
    // bf16 only up to 256.
    kernelBatchBegin(&batch, (KernelCheck){.fill = KernelFillSmall});
    bool isWide =
        strcmp(operand.element, "bf16") && strcmp(operand.element, "f16");
    const char *combiner =
        combiners[kernelRandom(isWide ? 3 : 2) + (isWide ? 0 : 1)];
    kernelBatchPut(&batch,
                   "(%%a: %s, %%i: %s) -> %s {\n"
                   "  %%r = xla.reduce(%%a, %%i) ({\n"
                   "  ^bb0(%%x: %s, %%y: %s):\n"
                   "    %%s = xla.%s %%x, %%y : %s\n"
                   "    xla.return %%s : %s\n"
                   "  }) {dimensions = %s} : (%s, %s) -> %s\n"
                   "  return %%r : %s\n}",
                   typeOf(&operand).chars, scalar, typeOf(&result).chars,
                   scalar, scalar, combiner, scalar, scalar,
                   list(dimensions, n).chars, typeOf(&operand).chars, scalar,
                   typeOf(&result).chars, typeOf(&result).chars);
  }
  kernelBatchRun(&batch);
}

/// The position of the first maximum: two operands reduced together.
static void argmaxes(void **state) {
  KernelBatch batch = {0};
  for (int i = 0; i < casesPerOp; ++i) {
    Shape operand = anyShape();
    int64_t dimensions[maxRank];
    int n;
    operand.element = "f32";
    Shape positions = operand, result = reduced(&operand, dimensions, &n);
    positions.element = "i32";
    Shape places = result;
    places.element = "i32";
    kernelBatchBegin(&batch, (KernelCheck){.fill = KernelFillSpecial});
    kernelBatchPut(
        &batch,
        "(%%a: %s, %%b: %s, %%i: tensor<f32>, %%j: tensor<i32>) -> (%s, %s) {\n"
        "  %%r:2 = xla.reduce(%%a, %%b, %%i, %%j) ({\n"
        "  ^bb0(%%x: tensor<f32>, %%p: tensor<i32>, %%y: tensor<f32>, %%q: "
        "tensor<i32>):\n"
        "    %%g = xla.compare %%x, %%y {comparison_direction = \"GE\", "
        "compare_type = \"TOTALORDER\"} : (tensor<f32>, tensor<f32>) -> "
        "tensor<i1>\n"
        "    %%s = xla.select %%g, %%x, %%y : (tensor<i1>, tensor<f32>, "
        "tensor<f32>) -> tensor<f32>\n"
        "    %%t = xla.select %%g, %%p, %%q : (tensor<i1>, tensor<i32>, "
        "tensor<i32>) -> tensor<i32>\n"
        "    xla.return %%s, %%t : tensor<f32>, tensor<i32>\n"
        "  }) {dimensions = %s} : (%s, %s, tensor<f32>, tensor<i32>) -> (%s, "
        "%s)\n  return %%r#0, %%r#1 : %s, %s\n}",
        typeOf(&operand).chars, typeOf(&positions).chars, typeOf(&result).chars,
        typeOf(&places).chars, list(dimensions, n).chars,
        typeOf(&operand).chars, typeOf(&positions).chars, typeOf(&result).chars,
        typeOf(&places).chars, typeOf(&result).chars, typeOf(&places).chars);
  }
  kernelBatchRun(&batch);
}

static void maps(void **state) {
  KernelBatch batch = {0};
  for (int i = 0; i < 12; ++i) {
    Shape shape = anyShape();
    int64_t dimensions[maxRank];
    shape.element = "f32";
    for (int d = 0; d < shape.rank; ++d)
      dimensions[d] = d;
    const char *type = "tensor<f32>";
    kernelBatchBegin(&batch, (KernelCheck){.fill = KernelFillSpecial});
    kernelBatchPut(&batch,
                   "(%%a: %s, %%b: %s) -> %s {\n"
                   "  %%r = xla.map(%%a, %%b) ({\n"
                   "  ^bb0(%%x: %s, %%y: %s):\n"
                   "    %%c = xla.constant dense<2.0> : %s\n"
                   "    %%s = xla.multiply %%x, %%c : %s\n"
                   "    %%t = xla.add %%s, %%y : %s\n"
                   "    xla.return %%t : %s\n"
                   "  }) {dimensions = %s} : (%s, %s) -> %s\n"
                   "  return %%r : %s\n}",
                   typeOf(&shape).chars, typeOf(&shape).chars,
                   typeOf(&shape).chars, type, type, type, type, type, type,
                   list(dimensions, shape.rank).chars, typeOf(&shape).chars,
                   typeOf(&shape).chars, typeOf(&shape).chars,
                   typeOf(&shape).chars);
  }
  kernelBatchRun(&batch);
}

/// Random dimensions, each batch, row, column or contracted, in any order.
static void dots(void **state) {
  KernelBatch batch = {0};
  for (int i = 0; i < 3 * casesPerOp; ++i) {
    XlaElementType type = kernelTypes[i % 13];
    Shape sides[2] = {{nameOf(type), 0, {0}}, {nameOf(type), 0, {0}}};
    Shape result = {nameOf(type), 0, {0}};
    int64_t lists[4][maxRank]; // lhs and rhs batch, lhs and rhs contracting
    int nBatch = (int)kernelRandom(2), nContracting = (int)kernelRandom(3);
    int free[2] = {(int)kernelRandom(2), (int)kernelRandom(2)};
    int64_t pairs[maxRank];
    for (int k = 0; k < nBatch + nContracting; ++k)
      pairs[k] = randomDim();
    for (int s = 0; s < 2; ++s) {
      int rank = nBatch + nContracting + free[s];
      int64_t roles[maxRank]; // which pair, or a free one
      for (int k = 0; k < rank; ++k)
        roles[k] = k;
      shuffle(roles, rank);
      sides[s].rank = rank;
      for (int d = 0; d < rank; ++d) {
        int64_t role = roles[d];
        sides[s].dims[d] =
            role < nBatch + nContracting ? pairs[role] : randomDim();
        if (role < nBatch)
          lists[s][role] = d;
        else if (role < nBatch + nContracting)
          lists[2 + s][role - nBatch] = d;
      }
    }
    for (int k = 0; k < nBatch; ++k)
      result.dims[result.rank++] = pairs[k];
    for (int s = 0; s < 2; ++s)
      for (int d = 0; d < sides[s].rank; ++d) {
        bool isFree = true;
        for (int k = 0; k < nBatch; ++k)
          isFree &= lists[s][k] != d;
        for (int k = 0; k < nContracting; ++k)
          isFree &= lists[2 + s][k] != d;
        if (isFree)
          result.dims[result.rank++] = sides[s].dims[d];
      }
    if (kernelRandom(3) == 0 && type != XlaElementTypeF64)
      result.element = xlaElementTypeIsFloat(type) ? "f32" : "i64";
    char attributes[900];
    snprintf(attributes, sizeof attributes,
             "lhs_batching_dimensions = %s, rhs_batching_dimensions = %s, "
             "lhs_contracting_dimensions = %s, rhs_contracting_dimensions = %s",
             list(lists[0], nBatch).chars, list(lists[1], nBatch).chars,
             list(lists[2], nContracting).chars,
             list(lists[3], nContracting).chars);
    put(&batch, (KernelCheck){.fill = KernelFillSmall}, "dot_general",
        attributes, 2, sides, &result);
  }
  kernelBatchRun(&batch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(broadcasts), cmocka_unit_test(transposes),
      cmocka_unit_test(reshapes),   cmocka_unit_test(slices),
      cmocka_unit_test(pads),       cmocka_unit_test(concatenates),
      cmocka_unit_test(reverses),   cmocka_unit_test(bitcasts),
      cmocka_unit_test(iotas),      cmocka_unit_test(dynamicSlices),
      cmocka_unit_test(maps),       cmocka_unit_test(implicitBroadcasts),
      cmocka_unit_test(reductions), cmocka_unit_test(argmaxes),
      cmocka_unit_test(dots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
