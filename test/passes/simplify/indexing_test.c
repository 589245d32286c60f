//===- indexing_test.c - Simplified movement moves the same ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random chains of operations that move data are evaluated as they are and
// after xla-simplify-indexing: the results agree in every bit, and doing it
// again changes nothing. XLAC_MOVEMENT_PROGRAMS sets how many,
// XLAC_MOVEMENT_SEED the first seed; the program of a failing seed is printed.
//
//===----------------------------------------------------------------------===//

#include "mlir-c/Dialect/Func.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/ir.h"
#include "xlac/passes/legalize.h"
#include "xlac/tools/xla-gen/program.h"

#include "xlac/test/support/unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { maxRank = 5, maxElements = 400, maxValues = 40, nResults = 3 };

static int setUp(void **state) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__func__(), registry);
  xlaDialectRegister(registry);
  MlirContext *context = malloc(sizeof *context);
  assert_non_null(context);
  *context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  *state = context;
  return 0;
}

static int tearDown(void **state) {
  MlirContext *context = *state;
  mlirContextDestroy(*context);
  free(context);
  return 0;
}

//===----------------------------------------------------------------------===//
// Random programs
//===----------------------------------------------------------------------===//

typedef struct Value {
  int rank;
  int64_t dims[maxRank];
} Value;

typedef struct Program {
  uint64_t random;
  const char *type;
  XlaIrText text;
  int n;
  Value values[maxValues];
} Program;

static int64_t below(Program *p, int64_t n) {
  p->random ^= p->random << 13;
  p->random ^= p->random >> 7;
  p->random ^= p->random << 17;
  return n > 0 ? (int64_t)(p->random % (uint64_t)n) : 0;
}

__attribute__((format(printf, 2, 3))) static void
print(Program *p, const char *format, ...) {
  char line[512];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  xlaIrTextAppend(mlirStringRefCreateFromCString(line), &p->text);
}

static void printType(Program *p, const Value *v) {
  print(p, "tensor<");
  for (int i = 0; i < v->rank; ++i)
    print(p, "%lldx", (long long)v->dims[i]);
  print(p, "%s>", p->type);
}

static void printList(Program *p, const char *name, int n,
                      const int64_t *values) {
  print(p, "%s = array<i64", name);
  for (int i = 0; i < n; ++i)
    print(p, "%s %lld", i ? "," : ":", (long long)values[i]);
  print(p, ">");
}

static int64_t countOf(const Value *v) {
  int64_t count = 1;
  for (int i = 0; i < v->rank; ++i)
    count *= v->dims[i];
  return count;
}

/// Ends a line that begins with the result's name and operation.
static void finish(Program *p, int operand, const Value *to) {
  print(p, " : (");
  printType(p, &p->values[operand]);
  print(p, ") -> ");
  printType(p, to);
  print(p, "\n");
  p->values[p->n++] = *to;
}

static void reshape(Program *p, int x) {
  const Value *from = &p->values[x];
  Value to = {.rank = 0};
  int64_t left = countOf(from), factor = 2;
  if (below(p, 2)) { // neighbours join, sizes 1 come and go
    for (int i = 0; i < from->rank; ++i) {
      if (to.rank && below(p, 3) == 0)
        to.dims[to.rank - 1] *= from->dims[i];
      else if (from->dims[i] != 1 || below(p, 2))
        to.dims[to.rank++] = from->dims[i];
    }
  } else { // any prime factors
    for (; left > 1; factor += left % factor != 0)
      if (left % factor == 0) {
        left /= factor;
        if (to.rank && (to.rank == maxRank || below(p, 2)))
          to.dims[below(p, to.rank)] *= factor;
        else
          to.dims[to.rank++] = factor;
      }
  }
  if (countOf(&to) != countOf(from))
    return;
  if (to.rank < maxRank && below(p, 5) == 0)
    to.dims[to.rank++] = 1;
  print(p, "  %%%d = xla.reshape %%%d", p->n, x);
  finish(p, x, &to);
}

static void transpose(Program *p, int x) {
  const Value *from = &p->values[x];
  Value to = {.rank = from->rank};
  int64_t permutation[maxRank];
  for (int i = 0; i < from->rank; ++i)
    permutation[i] = i;
  for (int i = from->rank - 1; i > 0; --i) {
    int k = (int)below(p, i + 1);
    int64_t old = permutation[i];
    permutation[i] = permutation[k];
    permutation[k] = old;
  }
  for (int i = 0; i < from->rank; ++i)
    to.dims[i] = from->dims[permutation[i]];
  print(p, "  %%%d = xla.transpose %%%d {", p->n, x);
  printList(p, "permutation", to.rank, permutation);
  print(p, "}");
  finish(p, x, &to);
}

static void slice(Program *p, int x) {
  const Value *from = &p->values[x];
  Value to = *from;
  int64_t start[maxRank], limit[maxRank], stride[maxRank];
  for (int i = 0; i < from->rank; ++i) {
    bool all = below(p, 2);
    start[i] = all ? 0 : below(p, from->dims[i]);
    limit[i] =
        all ? from->dims[i] : start[i] + 1 + below(p, from->dims[i] - start[i]);
    stride[i] = below(p, 4) ? 1 : 1 + below(p, 3);
    to.dims[i] = (limit[i] - start[i] + stride[i] - 1) / stride[i];
  }
  print(p, "  %%%d = xla.slice %%%d {", p->n, x);
  printList(p, "start_indices", to.rank, start);
  printList(p, ", limit_indices", to.rank, limit);
  printList(p, ", strides", to.rank, stride);
  print(p, "}");
  finish(p, x, &to);
}

static void reverse(Program *p, int x) {
  Value to = p->values[x];
  int64_t dims[maxRank];
  int n = 0;
  for (int i = 0; i < to.rank; ++i)
    if (below(p, 2))
      dims[n++] = i;
  print(p, "  %%%d = xla.reverse %%%d {", p->n, x);
  printList(p, "dimensions", n, dims);
  print(p, "}");
  finish(p, x, &to);
}

static void broadcast(Program *p, int x) {
  const Value *from = &p->values[x];
  Value to = {.rank = 0};
  int64_t dims[maxRank];
  for (int i = 0; i < from->rank; ++i) {
    if (from->rank - i + to.rank < maxRank && below(p, 3) == 0)
      to.dims[to.rank++] = 1 + below(p, 3);
    dims[i] = to.rank;
    to.dims[to.rank++] = from->dims[i] == 1 ? 1 + below(p, 3) : from->dims[i];
  }
  if (to.rank < maxRank && below(p, 2))
    to.dims[to.rank++] = 1 + below(p, 4);
  if (countOf(&to) > maxElements)
    return;
  print(p, "  %%%d = xla.broadcast_in_dim %%%d {", p->n, x);
  printList(p, "broadcast_dimensions", from->rank, dims);
  print(p, "}");
  finish(p, x, &to);
}

static void pad(Program *p, int x) {
  const Value *from = &p->values[x];
  Value to = *from;
  int64_t low[maxRank], high[maxRank], interior[maxRank];
  for (int i = 0; i < from->rank; ++i) {
    low[i] = below(p, 2) ? 0 : below(p, 6) - 2;
    high[i] = below(p, 2) ? 0 : below(p, 6) - 2;
    interior[i] = below(p, 4) ? 0 : below(p, 3);
    to.dims[i] += low[i] + high[i] + (from->dims[i] - 1) * interior[i];
    if (to.dims[i] < 1)
      return;
  }
  if (countOf(&to) > maxElements)
    return;
  print(p, "  %%%d = xla.pad %%%d, %s {", p->n, x, below(p, 6) ? "%z" : "%s");
  printList(p, "edge_padding_low", to.rank, low);
  printList(p, ", edge_padding_high", to.rank, high);
  printList(p, ", interior_padding", to.rank, interior);
  print(p, "} : (");
  printType(p, from);
  print(p, ", tensor<%s>) -> ", p->type);
  printType(p, &to);
  print(p, "\n");
  p->values[p->n++] = to;
}

static void concatenate(Program *p, int x) {
  int operands[3] = {x}, n = 1;
  Value to = p->values[x];
  int d = (int)below(p, to.rank);
  for (int i = 1; i < 3 && to.rank; ++i) {
    int other = (int)below(p, p->n);
    const Value *v = &p->values[other];
    bool fits = v->rank == to.rank;
    for (int k = 0; k < to.rank && fits; ++k)
      fits = k == d || v->dims[k] == to.dims[k];
    if (!fits)
      other = x;
    operands[n++] = other;
    to.dims[d] += p->values[other].dims[d];
  }
  if (!to.rank || countOf(&to) > maxElements)
    return;
  print(p, "  %%%d = xla.concatenate %%%d", p->n, operands[0]);
  for (int i = 1; i < n; ++i)
    print(p, ", %%%d", operands[i]);
  print(p, " {dimension = %d} : (", d);
  for (int i = 0; i < n; ++i) {
    print(p, i ? ", " : "");
    printType(p, &p->values[operands[i]]);
  }
  print(p, ") -> ");
  printType(p, &to);
  print(p, "\n");
  p->values[p->n++] = to;
}

/// A dimension cut in two and put together again, perhaps without its middle.
static void cut(Program *p, int x) {
  Value from = p->values[x];
  int d = (int)below(p, from.rank), first = p->n;
  if (!from.rank || from.dims[d] < 2 || p->n + 3 > maxValues)
    return;
  int64_t at = 1 + below(p, from.dims[d] - 1), gap = below(p, 4) == 0;
  if (at + gap >= from.dims[d])
    return;
  Value to = from;
  to.dims[d] = 0;
  for (int i = 0; i < 2; ++i) {
    int64_t start[maxRank] = {0}, limit[maxRank];
    Value part = from;
    memcpy(limit, from.dims, sizeof limit);
    if (i)
      start[d] = at + gap;
    else
      limit[d] = at;
    part.dims[d] = limit[d] - start[d];
    to.dims[d] += part.dims[d];
    print(p, "  %%%d = xla.slice %%%d {", p->n, x);
    printList(p, "start_indices", part.rank, start);
    printList(p, ", limit_indices", part.rank, limit);
    print(p, "}");
    finish(p, x, &part);
  }
  print(p, "  %%%d = xla.concatenate %%%d, %%%d {dimension = %d} : (", p->n,
        first, first + 1, d);
  printType(p, &p->values[first]);
  print(p, ", ");
  printType(p, &p->values[first + 1]);
  print(p, ") -> ");
  printType(p, &to);
  print(p, "\n");
  p->values[p->n++] = to;
}

/// Exact operations on one or two values of a shape, and on a constant.
static void compute(Program *p, int x) {
  Value to = p->values[x];
  int y = p->n - 1;
  bool same =
      p->values[y].rank == to.rank &&
      !memcmp(p->values[y].dims, to.dims, (size_t)to.rank * sizeof *to.dims);
  if (!same) {
    y = p->n;
    print(p, "  %%%d = xla.constant dense<%s> : ", y,
          !strcmp(p->type, "i1") ? "true"
          : p->type[0] == 'f'    ? "1.0"
                                 : "1");
    printType(p, &to);
    print(p, "\n");
    p->values[p->n++] = to;
  }
  print(p, "  %%%d = xla.%s %%%d, %%%d : ", p->n,
        below(p, 2) ? "maximum" : "minimum", x, y);
  printType(p, &to);
  print(p, "\n");
  p->values[p->n++] = to;
}

static void dynamicSlice(Program *p, int x) {
  Value to = p->values[x];
  if (!to.rank)
    return;
  print(p, "  %%%d = xla.dynamic_slice %%%d", p->n, x);
  for (int i = 0; i < to.rank; ++i) {
    print(p, ", %%%s", below(p, 3) ? "c" : below(p, 2) ? "i" : "j");
    to.dims[i] = below(p, 2) ? to.dims[i] : 1 + below(p, to.dims[i]);
  }
  print(p, " {");
  printList(p, "slice_sizes", to.rank, to.dims);
  print(p, "} : (");
  printType(p, &p->values[x]);
  for (int i = 0; i < to.rank; ++i)
    print(p, ", tensor<i32>");
  print(p, ") -> ");
  printType(p, &to);
  print(p, "\n");
  p->values[p->n++] = to;
}

static void dynamicUpdate(Program *p, int x) {
  Value from = p->values[x], to = from;
  if (!to.rank || p->n + 2 > maxValues)
    return;
  for (int i = 0; i < to.rank; ++i)
    to.dims[i] += below(p, 2) ? 0 : below(p, 3);
  if (countOf(&to) > maxElements)
    return;
  print(p,
        "  %%%d = xla.broadcast_in_dim %%z {broadcast_dimensions = "
        "array<i64>} : (tensor<%s>) -> ",
        p->n, p->type);
  printType(p, &to);
  print(p, "\n");
  p->values[p->n++] = to;
  print(p, "  %%%d = xla.dynamic_update_slice %%%d, %%%d", p->n, p->n - 1, x);
  for (int i = 0; i < to.rank; ++i)
    print(p, ", %%%s", below(p, 3) ? "c" : "i");
  print(p, " : (");
  printType(p, &to);
  print(p, ", ");
  printType(p, &from);
  for (int i = 0; i < to.rank; ++i)
    print(p, ", tensor<i32>");
  print(p, ") -> ");
  printType(p, &to);
  print(p, "\n");
  p->values[p->n++] = to;
}

/// Rows in the order that an iota, or a constant, gives.
static void gather(Program *p, int x) {
  Value from = p->values[x], to = from;
  static const char *const rows[] = {"dense<[0, 1, 2]>", "dense<[4, 2, 0]>",
                                     "dense<[1, 1, 1]>", "dense<[-1, 0, 1]>",
                                     "dense<[0, 2, 3]>", "dense<[7, 8, 9]>"};
  int64_t sizes[maxRank], offsets[maxRank];
  if (!from.rank || countOf(&from) / from.dims[0] * 3 > maxElements)
    return;
  for (int i = 0; i < from.rank; ++i) {
    sizes[i] = i ? from.dims[i] : 1;
    offsets[i] = i + 1;
  }
  to.dims[0] = 3;
  if (below(p, 3))
    print(p, "  %%r%d = xla.constant %s : tensor<3xi32>\n", p->n,
          rows[below(p, sizeof rows / sizeof *rows)]);
  else
    print(p, "  %%r%d = xla.iota {iota_dimension = 0} : () -> tensor<3xi32>\n",
          p->n);
  print(p, "  %%%d = xla.gather %%%d, %%r%d {", p->n, x, p->n);
  printList(p, "offset_dims", from.rank - 1, offsets);
  print(p, ", collapsed_slice_dims = array<i64: 0>, start_index_map = "
           "array<i64: 0>, index_vector_dim = 1 : i64, ");
  printList(p, "slice_sizes", from.rank, sizes);
  print(p, "} : (");
  printType(p, &from);
  print(p, ", tensor<3xi32>) -> ");
  printType(p, &to);
  print(p, "\n");
  p->values[p->n++] = to;
}

static void (*const operations[])(Program *p, int x) = {
    reshape, reshape, transpose,    transpose,    slice,       slice,
    reverse, pad,     pad,          broadcast,    concatenate, cut,
    compute, gather,  dynamicSlice, dynamicUpdate};

static Value randomValue(Program *p) {
  Value v = {.rank = (int)below(p, 4)};
  for (int i = 0; i < v.rank; ++i)
    v.dims[i] = 1 + below(p, 6);
  return v;
}

static void generate(Program *p, uint64_t seed) {
  static const char *const types[] = {"f32", "i32", "ui8", "f16", "i1"};
  *p = (Program){.random = seed * 0x9E3779B97F4A7C15u + 1};
  p->type = types[below(p, 5)];
  for (int i = 0; i < 8; ++i)
    below(p, 2);
  Value a = randomValue(p), b = randomValue(p);
  print(p, "func.func @main(%%0: ");
  printType(p, &a);
  print(p, ", %%1: ");
  printType(p, &b);
  print(p,
        ", %%i: tensor<i32>, %%j: tensor<i32>, %%s: tensor<%s>) -> RESULTS\n",
        p->type);
  print(p, "  %%z = xla.constant dense<%s> : tensor<%s>\n",
        !strcmp(p->type, "i1") ? "true"
        : p->type[0] == 'f'    ? "2.0"
                               : "2",
        p->type);
  print(p, "  %%c = xla.constant dense<%d> : tensor<i32>\n",
        (int)below(p, 5) - 1);
  p->values[p->n++] = a;
  p->values[p->n++] = b;
  if (strcmp(p->type, "i1") && a.rank) {
    print(p, "  %%2 = xla.iota {iota_dimension = %d} : () -> ",
          (int)below(p, a.rank));
    printType(p, &a);
    print(p, "\n");
    p->values[p->n++] = a;
  }
  for (int steps = 2 + (int)below(p, 9), i = 0; i < steps; ++i) {
    int last = p->n;
    int x = below(p, 4) ? p->n - 1 : (int)below(p, p->n);
    if (p->n + 3 < maxValues)
      operations[below(p, sizeof operations / sizeof *operations)](p, x);
    i -= p->n == last && below(p, 8);
  }
}

/// The program with its results: the last value and some others.
static char *programText(Program *p) {
  int results[nResults] = {p->n - 1, (int)below(p, p->n), p->n - 1};
  XlaIrText body = p->text, whole = {.data = NULL};
  p->text = whole;
  print(p, "(");
  for (int i = 0; i < nResults; ++i) {
    print(p, i ? ", " : "");
    printType(p, &p->values[results[i]]);
  }
  print(p, ") {");
  XlaIrText types = p->text;
  p->text = whole;
  char *mark = memmem(body.data, body.size, "RESULTS", 7);
  xlaIrTextAppend(mlirStringRefCreate(body.data, (size_t)(mark - body.data)),
                  &p->text);
  xlaIrTextAppend(mlirStringRefCreate(types.data, types.size), &p->text);
  xlaIrTextAppend(
      mlirStringRefCreate(mark + 7, body.size - (size_t)(mark + 7 - body.data)),
      &p->text);
  print(p, "  return %%%d, %%%d, %%%d : ", results[0], results[1], results[2]);
  for (int i = 0; i < nResults; ++i) {
    print(p, i ? ", " : "");
    printType(p, &p->values[results[i]]);
  }
  print(p, "\n}\n");
  xlaIrTextAppend(mlirStringRefCreate("", 1), &p->text);
  free(body.data);
  free(types.data);
  return p->text.data;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static MlirOperation mainOf(MlirModule module) {
  return mlirBlockGetFirstOperation(mlirModuleGetBody(module));
}

static void evaluate(MlirModule module, uint64_t seed, XlaLiteral **results) {
  MlirOperation function = mainOf(module);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  XlaEvaluatorOptions options = {.maxSteps = 0};
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(module), &options);
  XlaLiteral *inputs[5];
  intptr_t n = mlirBlockGetNumArguments(body);
  for (intptr_t i = 0; i < n; ++i) {
    XlaShape shape;
    assert_true(xlaShapeFromMlir(
        mlirValueGetType(mlirBlockGetArgument(body, i)), &shape, NULL));
    inputs[i] = xlaGenInput(seed, (int)i, &shape);
    assert_non_null(inputs[i]);
  }
  assert_true(mlirLogicalResultIsSuccess(
      xlaEvaluatorRun(evaluator, function, n, (const XlaLiteral *const *)inputs,
                      nResults, results)));
  for (intptr_t i = 0; i < n; ++i)
    xlaLiteralRelease(inputs[i]);
  xlaEvaluatorDestroy(evaluator);
}

static MlirWalkResult countOne(MlirOperation op, void *count) {
  (void)op;
  ++*(int *)count;
  return MlirWalkResultAdvance;
}

static int countOps(MlirModule module) {
  int count = 0;
  mlirOperationWalk(mainOf(module), countOne, &count, MlirWalkPreOrder);
  return count;
}

static bool same(XlaLiteral *const *a, XlaLiteral *const *b) {
  for (int i = 0; i < nResults; ++i)
    if (xlaLiteralGetByteCount(a[i]) != xlaLiteralGetByteCount(b[i]) ||
        memcmp(xlaLiteralGetData(a[i]), xlaLiteralGetData(b[i]),
               xlaLiteralGetByteCount(a[i])))
      return false;
  return true;
}

typedef struct Total {
  int before, after, changed;
} Total;

/// Fails with both programs, which are longer than messages of tests can be.
static void show(uint64_t seed, const char *what, const char *text,
                 const char *other, size_t length) {
  fprintf(stderr, "seed %llu:\n%s%s\n%.*s\n", (unsigned long long)seed, text,
          what, (int)length, other);
  fail();
}

static void check(MlirContext context, uint64_t seed, Total *total) {
  Program program;
  XlaLiteral *before[nResults], *after[nResults];
  generate(&program, seed);
  const char *text = programText(&program);
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  if (mlirModuleIsNull(module))
    fail_msg("seed %llu does not parse:\n%s", (unsigned long long)seed, text);
  evaluate(module, seed, before);
  int n = countOps(module);
  xlaSimplifyIndexing(mainOf(module));
  size_t once, twice;
  if (!mlirOperationVerify(mlirModuleGetOperation(module)))
    fail_msg("seed %llu does not verify:\n%s", (unsigned long long)seed, text);
  char *first = xlaIrPrint(mlirModuleGetOperation(module), &once);
  evaluate(module, seed, after);
  total->before += n;
  total->after += countOps(module);
  total->changed += countOps(module) != n;
  if (!same(before, after))
    show(seed, "does not mean the same as", text, first, once);
  xlaSimplifyIndexing(mainOf(module));
  char *second = xlaIrPrint(mlirModuleGetOperation(module), &twice);
  if (once != twice || memcmp(first, second, once) != 0) {
    fprintf(stderr, "%.*s\n", (int)once, first);
    show(seed, "is simplified again to", text, second, twice);
  }
  for (int i = 0; i < nResults; ++i) {
    xlaLiteralRelease(before[i]);
    xlaLiteralRelease(after[i]);
  }
  free(first);
  free(second);
  free(program.text.data);
  mlirModuleDestroy(module);
}

static int64_t setting(const char *name, int64_t absent) {
  const char *text = getenv(name);
  return text ? strtoll(text, NULL, 10) : absent;
}

static void chainsMoveTheSame(void **state) {
  MlirContext *context = *state;
  Total total = {0};
  int64_t first = setting("XLAC_MOVEMENT_SEED", 1),
          n = setting("XLAC_MOVEMENT_PROGRAMS", 2000);
  for (int64_t seed = first; seed < first + n; ++seed)
    check(*context, (uint64_t)seed, &total);
  print_message("%d operations became %d, in %d of %lld programs\n",
                total.before, total.after, total.changed, (long long)n);
  if (n >= 100)
    assert_true(total.changed > n / 2);
}

/// A long chain takes time that is linear in its length.
static void longChains(void **state) {
  MlirContext *context = *state;
  static const char *const lines[] = {
      "  %%%d = xla.transpose %%%d {permutation = array<i64: 2, 0, 1>} : "
      "(tensor<4x4x4xf32>) -> tensor<4x4x4xf32>\n",
      "  %%%d = xla.reverse %%%d {dimensions = array<i64: 1>} : "
      "tensor<4x4x4xf32>\n",
      "  %%%d = xla.concatenate %%%d {dimension = 1} : tensor<4x4x4xf32>\n",
  };
  Program p = {.n = 1};
  enum { length = 10000 };
  print(&p, "func.func @main(%%0: tensor<4x4x4xf32>) -> tensor<4x4x4xf32> {\n");
  for (; p.n <= length; ++p.n) {
    char line[256];
    snprintf(line, sizeof line, lines[p.n % 3], p.n, p.n - 1);
    print(&p, "%s", line);
  }
  print(&p, "  return %%%d : tensor<4x4x4xf32>\n}\n", length);
  xlaIrTextAppend(mlirStringRefCreate("", 1), &p.text);
  MlirModule module = mlirModuleCreateParse(
      *context, mlirStringRefCreateFromCString(p.text.data));
  assert_false(mlirModuleIsNull(module));
  clock_t start = clock();
  xlaSimplifyIndexing(mainOf(module));
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  print_message("%d operations in %.2f s\n", length, seconds);
  assert_true(countOps(module) < 6);
  assert_true(seconds < 5);
  mlirModuleDestroy(module);
  free(p.text.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chainsMoveTheSame),
      cmocka_unit_test(longChains),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}
