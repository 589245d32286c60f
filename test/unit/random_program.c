//===- random_program.c - Random programs ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/unit/random_program.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { maxRank = 4, maxValues = 512, maxElements = 2000, textBytes = 1 << 18 };

typedef enum Element { F32, I32, PRED } Element;

/// An array, or with `tuple` > 0 a tuple of that many arrays of this type.
typedef struct Type {
  Element element;
  int rank;
  int dims[maxRank];
} Type;

typedef struct Value {
  int id;
  Type type;
} Value;

typedef struct Writer {
  RandomProgram random;
  char *text;
  size_t length;
  Value values[maxValues]; // visible now
  int nValues, nextId;
  int depth; // of regions
} Writer;

unsigned randomBelow(RandomProgram *random, unsigned n) { // xorshift64*
  random->state ^= random->state >> 12;
  random->state ^= random->state << 25;
  random->state ^= random->state >> 27;
  return (unsigned)((random->state * 0x2545F4914F6CDD1Du) >> 33) % n;
}

static int below(Writer *w, int n) {
  return (int)randomBelow(&w->random, (unsigned)n);
}

__attribute__((format(printf, 2, 3))) static void put(Writer *w,
                                                      const char *format, ...) {
  va_list args;
  va_start(args, format);
  size_t room = textBytes - w->length;
  int n = vsnprintf(w->text + w->length, room, format, args);
  va_end(args);
  if (n > 0 && (size_t)n < room)
    w->length += (size_t)n;
}

//===----------------------------------------------------------------------===//
// Types and values
//===----------------------------------------------------------------------===//

static void putType(Writer *w, const Type *type) {
  static const char *const names[] = {"f32", "i32", "i1"};
  put(w, "tensor<");
  for (int i = 0; i < type->rank; ++i)
    put(w, "%dx", type->dims[i]);
  put(w, "%s>", names[type->element]);
}

/// The end of an operation's types.
static void putResult(Writer *w, const Type *type) {
  put(w, ") -> ");
  putType(w, type);
  put(w, "\n");
}

static int count(const Type *type) {
  int n = 1;
  for (int i = 0; i < type->rank; ++i)
    n *= type->dims[i];
  return n;
}

static bool sameDims(const Type *a, const Type *b) {
  return a->rank == b->rank &&
         !memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims);
}

static bool sameType(const Type *a, const Type *b) {
  return a->element == b->element && sameDims(a, b);
}

static Type withElement(Type type, Element element) {
  type.element = element;
  return type;
}

static const Type index32 = {.element = I32};

static int extent(Writer *w) {
  static const int extents[] = {1, 1, 2, 3, 4, 5, 33, 40};
  return extents[below(w, below(w, 40) ? 8 : 7)];
}

static Type randomType(Writer *w) {
  for (;;) {
    Type type = {.element = below(w, 3) ? F32 : I32, .rank = below(w, 4)};
    for (int i = 0; i < type.rank; ++i)
      type.dims[i] = below(w, 60) ? extent(w) : 0;
    if (count(&type) <= maxElements)
      return type;
  }
}

static Value define(Writer *w, const Type *type) {
  Value value = {w->nextId++, *type};
  if (w->nValues < maxValues)
    w->values[w->nValues++] = value;
  return value;
}

/// "%5 = "
static Value begin(Writer *w, const Type *type) {
  Value value = define(w, type);
  put(w, "%%v%d = ", value.id);
  return value;
}

/// Recent values are likelier.
static Value pick(Writer *w) {
  int from = below(w, 3) ? w->nValues / 2 : 0;
  return w->values[from + below(w, w->nValues - from)];
}

static Value pickElement(Writer *w, Element element);

static Value constant(Writer *w, const Type *type) {
  Value value = begin(w, type);
  put(w, "xla.constant dense<");
  if (type->element == F32)
    put(w, "%d.%d", below(w, 5) - 2, below(w, 10));
  else if (type->element == I32)
    put(w, "%d", below(w, 9) - 4);
  else
    put(w, "%s", below(w, 2) ? "true" : "false");
  put(w, "> : ");
  putType(w, type);
  put(w, "\n");
  return value;
}

static Value unary(Writer *w, const char *name, Value a, Type type) {
  Value r = begin(w, &type);
  put(w, "xla.%s %%v%d : (", name, a.id);
  putType(w, &a.type);
  putResult(w, &type);
  return r;
}

static Value binary(Writer *w, const char *name, Value a, Value b,
                    const char *attrs, Type type) {
  Value r = begin(w, &type);
  put(w, "xla.%s %%v%d, %%v%d %s : (", name, a.id, b.id, attrs);
  putType(w, &a.type);
  put(w, ", ");
  putType(w, &b.type);
  putResult(w, &type);
  return r;
}

static Value ofType(Writer *w, const Type *type) {
  int at = below(w, w->nValues);
  for (int i = 0; i < w->nValues && below(w, 6); ++i)
    if (sameType(&w->values[(at + i) % w->nValues].type, type))
      return w->values[(at + i) % w->nValues];
  return constant(w, type);
}

static Value pickElement(Writer *w, Element element) {
  Value value = pick(w);
  if (value.type.element == element)
    return value;
  return unary(w, "convert", value, withElement(value.type, element));
}

static void putList(Writer *w, const char *name, const int *items, int n) {
  put(w, "%s = array<i64", name);
  for (int i = 0; i < n; ++i)
    put(w, "%s%d", i ? ", " : ": ", items[i]);
  put(w, ">");
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

static Value randomUnary(Writer *w) {
  static const char *const floats[] = {"tanh",  "negate", "abs",  "exponential",
                                       "floor", "rsqrt",  "sign", "logistic"};
  static const char *const integers[] = {"negate", "abs", "not", "popcnt"};
  Value a = pick(w);
  if (a.type.element == PRED)
    return unary(w, "not", a, a.type);
  return unary(
      w, a.type.element == F32 ? floats[below(w, 8)] : integers[below(w, 4)], a,
      a.type);
}

static const char *binaryName(Writer *w, Element element) {
  static const char *const names[] = {"add",     "multiply", "maximum",
                                      "minimum", "subtract", "divide",
                                      "and",     "or"};
  return element == PRED  ? names[6 + below(w, 2)]
         : element == F32 ? names[below(w, 6)]
                          : names[below(w, 8)];
}

static Value randomBinary(Writer *w) {
  Value a = pick(w);
  const char *name = binaryName(w, a.type.element);
  Type other = a.type;
  if (!below(w, 4)) { // a scalar
    other.rank = 0;
  } else if (!below(w, 4) && a.type.rank) { // one dimension
    int d = below(w, a.type.rank);
    char attrs[80];
    other.rank = 1;
    other.dims[0] = a.type.dims[d];
    snprintf(attrs, sizeof attrs, "{broadcast_dimensions = array<i64: %d>}", d);
    return binary(w, name, a, ofType(w, &other), a.type.rank > 1 ? attrs : "",
                  a.type);
  } else if (!below(w, 4) && a.type.rank) { // size 1
    other.dims[below(w, a.type.rank)] = 1;
  }
  Value b = ofType(w, &other);
  return below(w, 2) ? binary(w, name, a, b, "", a.type)
                     : binary(w, name, b, a, "", a.type);
}

static Value randomCompare(Writer *w) {
  static const char *const directions[] = {"EQ", "LT", "GE"};
  Value a = pick(w), b = ofType(w, &a.type);
  char attrs[60];
  snprintf(attrs, sizeof attrs, "{comparison_direction = \"%s\"}",
           directions[below(w, 3)]);
  return binary(w, "compare", a, b, attrs, withElement(a.type, PRED));
}

static Value ternary(Writer *w, const char *name, Value a, Value b, Value c,
                     Type type) {
  Value r = begin(w, &type);
  put(w, "xla.%s %%v%d, %%v%d, %%v%d : (", name, a.id, b.id, c.id);
  putType(w, &a.type);
  put(w, ", ");
  putType(w, &b.type);
  put(w, ", ");
  putType(w, &c.type);
  putResult(w, &type);
  return r;
}

static Value randomTernary(Writer *w) {
  Value b = pick(w);
  Type scalar = b.type;
  if (below(w, 2))
    scalar.rank = 0;
  if (b.type.element != PRED && below(w, 2)) {
    Value low = ofType(w, &scalar), high = ofType(w, &scalar);
    return ternary(w, "clamp", low, b, high, b.type);
  }
  Type pred = withElement(scalar, PRED);
  Value p = ofType(w, &pred), c = ofType(w, &b.type);
  return ternary(w, "select", p, b, c, b.type);
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

/// Along new dimensions, at any place; size 1 may grow.
static Value randomBroadcast(Writer *w) {
  Value a = pick(w);
  Type to = {.element = a.type.element};
  int dims[maxRank], next = 0;
  for (; to.rank < maxRank && (next < a.type.rank || below(w, 2)); ++to.rank) {
    bool take = next < a.type.rank &&
                (below(w, 2) || a.type.rank - next == maxRank - to.rank);
    to.dims[to.rank] = take ? a.type.dims[next] : extent(w);
    if (take && a.type.dims[next] == 1 && !below(w, 3))
      to.dims[to.rank] = extent(w);
    if (take)
      dims[next++] = to.rank;
  }
  if (count(&to) > maxElements)
    return a;
  Value r = begin(w, &to);
  put(w, "xla.broadcast_in_dim %%v%d {", a.id);
  putList(w, "broadcast_dimensions", dims, a.type.rank);
  put(w, "} : (");
  putType(w, &a.type);
  putResult(w, &to);
  return r;
}

/// Sizes 1 come and go, neighbours merge.
static Value randomReshape(Writer *w) {
  Value a = pick(w);
  Type to = {.element = a.type.element};
  for (int i = 0; i < a.type.rank; ++i) {
    if (!below(w, 4) && to.rank < maxRank)
      to.dims[to.rank++] = 1;
    if (a.type.dims[i] == 1 && below(w, 2))
      continue;
    if ((to.rank && !below(w, 4)) || to.rank == maxRank)
      to.dims[to.rank - 1] *= a.type.dims[i];
    else
      to.dims[to.rank++] = a.type.dims[i];
  }
  return unary(w, "reshape", a, to);
}

static Value randomTranspose(Writer *w) {
  Value a = pick(w);
  int permutation[maxRank] = {0, 1, 2, 3};
  Type to = a.type;
  for (int i = a.type.rank - 1; i > 0; --i) {
    int j = below(w, i + 1), kept = permutation[i];
    permutation[i] = permutation[j];
    permutation[j] = kept;
  }
  for (int i = 0; i < a.type.rank; ++i)
    to.dims[i] = a.type.dims[permutation[i]];
  Value r = begin(w, &to);
  put(w, "xla.transpose %%v%d {", a.id);
  putList(w, "permutation", permutation, a.type.rank);
  put(w, "} : (");
  putType(w, &a.type);
  putResult(w, &to);
  return r;
}

static Value randomSlice(Writer *w) {
  Value a = pick(w);
  Type to = a.type;
  int start[maxRank], limit[maxRank], strides[maxRank];
  for (int i = 0; i < a.type.rank; ++i) {
    bool all = below(w, 2);
    start[i] = all ? 0 : below(w, a.type.dims[i] + 1);
    limit[i] = all ? a.type.dims[i]
                   : start[i] + below(w, a.type.dims[i] - start[i] + 1);
    strides[i] = all ? 1 : 1 + below(w, 3);
    to.dims[i] = (limit[i] - start[i] + strides[i] - 1) / strides[i];
  }
  Value r = begin(w, &to);
  put(w, "xla.slice %%v%d {", a.id);
  putList(w, "start_indices", start, a.type.rank);
  put(w, ", ");
  putList(w, "limit_indices", limit, a.type.rank);
  put(w, ", ");
  putList(w, "strides", strides, a.type.rank);
  put(w, "} : (");
  putType(w, &a.type);
  putResult(w, &to);
  return r;
}

static Value randomReverse(Writer *w) {
  Value a = pick(w);
  int d = a.type.rank ? below(w, a.type.rank) : 0;
  Value r = begin(w, &a.type);
  put(w, "xla.reverse %%v%d {", a.id);
  putList(w, "dimensions", &d, a.type.rank > 0);
  put(w, "} : ");
  putType(w, &a.type);
  put(w, "\n");
  return r;
}

static Value randomIota(Writer *w) {
  Type type = randomType(w);
  if (!type.rank)
    return constant(w, &type);
  Value r = begin(w, &type);
  put(w, "xla.iota {iota_dimension = %d : i64} : () -> ", below(w, type.rank));
  putType(w, &type);
  put(w, "\n");
  return r;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static Value reduce(Writer *w, Value a, unsigned reduced, const char *combine) {
  Type scalar = {.element = a.type.element}, to = scalar;
  int dims[maxRank], n = 0;
  for (int i = 0; i < a.type.rank; ++i)
    if (reduced >> i & 1)
      dims[n++] = i;
    else
      to.dims[to.rank++] = a.type.dims[i];
  Value init = below(w, 4) ? constant(w, &scalar) : ofType(w, &scalar);
  Value r = begin(w, &to);
  const char *element = a.type.element == F32   ? "f32"
                        : a.type.element == I32 ? "i32"
                                                : "i1";
  put(w,
      "xla.reduce(%%v%d, %%v%d) ({\n^bb0(%%a: tensor<%s>, %%b: tensor<%s>):\n",
      a.id, init.id, element, element);
  put(w,
      "%%s = xla.%s %%a, %%b : tensor<%s>\nxla.return %%s : tensor<%s>\n}) {",
      combine, element, element);
  putList(w, "dimensions", dims, n);
  put(w, "} : (");
  putType(w, &a.type);
  put(w, ", tensor<%s>) -> ", element);
  putType(w, &to);
  put(w, "\n");
  return r;
}

static const char *combiner(Writer *w, Element element) {
  return element == PRED ? "or" : below(w, 2) ? "add" : "maximum";
}

static Value randomReduce(Writer *w) {
  Value a = pick(w);
  unsigned reduced = (unsigned)below(w, 1 << a.type.rank);
  if (below(w, 2)) // the last ones
    reduced = a.type.rank ? 1u << (a.type.rank - 1) : 0;
  return reduce(w, a, reduced, combiner(w, a.type.element));
}

/// A reduction of rows, and its results along them again: as in softmax.
static Value randomRow(Writer *w) {
  Value a = pick(w);
  if (a.type.element == PRED || !a.type.rank)
    return a;
  int last = a.type.rank - 1, dims[maxRank] = {0, 1, 2, 3};
  Value row = reduce(w, a, 1u << last, combiner(w, a.type.element));
  if (below(w, 2))
    row = unary(w, a.type.element == F32 ? "exponential" : "negate", row,
                row.type);
  if (below(w, 2)) { // keeping the dimension
    Type kept = a.type;
    kept.dims[last] = 1;
    row = unary(w, "reshape", row, kept);
    return binary(w, binaryName(w, a.type.element), a, row, "", a.type);
  }
  Value b = begin(w, &a.type);
  put(w, "xla.broadcast_in_dim %%v%d {", row.id);
  putList(w, "broadcast_dimensions", dims, last);
  put(w, "} : (");
  putType(w, &row.type);
  putResult(w, &a.type);
  return binary(w, binaryName(w, a.type.element), a, b, "", a.type);
}

static Value randomMap(Writer *w) {
  Value a = pickElement(w, F32);
  Type scalar = {.element = F32};
  int dims[maxRank] = {0, 1, 2, 3};
  Value outer = ofType(w, &scalar);
  Value r = begin(w, &a.type);
  put(w,
      "xla.map(%%v%d, %%v%d) ({\n^bb0(%%a: tensor<f32>, %%b: tensor<f32>):\n",
      a.id, a.id);
  put(w, "%%s = xla.multiply %%a, %%v%d : tensor<f32>\n", outer.id);
  put(w, "%%c = xla.constant dense<1.5> : tensor<f32>\n");
  put(w, "%%t = xla.subtract %%s, %%c : tensor<f32>\n");
  put(w, "%%u = func.call @twice(%%t) : (tensor<f32>) -> tensor<f32>\n");
  put(w, "xla.return %%%s : tensor<f32>\n}) {", below(w, 4) ? "u" : "c");
  putList(w, "dimensions", dims, a.type.rank);
  put(w, "} : (");
  putType(w, &a.type);
  put(w, ", ");
  putType(w, &a.type);
  putResult(w, &a.type);
  return r;
}

//===----------------------------------------------------------------------===//
// Control flow, tuples, effects
//===----------------------------------------------------------------------===//

static void statements(Writer *w, int n);

static void putTuple(Writer *w, const Type *a, const Type *b) {
  put(w, "tuple<");
  putType(w, a);
  put(w, ", ");
  putType(w, b);
  put(w, ">");
}

static Value element(Writer *w, const char *tuple, const Type *a, const Type *b,
                     int index) {
  Value r = begin(w, index ? b : a);
  put(w, "xla.get_tuple_element %%%s {index = %d : i64} : (", tuple, index);
  putTuple(w, a, b);
  put(w, ") -> ");
  putType(w, index ? b : a);
  put(w, "\n");
  return r;
}

/// "%tN = xla.tuple a, b"; gives N.
static int makeTuple(Writer *w, Value a, Value b) {
  int id = w->nextId++;
  put(w, "%%t%d = xla.tuple %%v%d, %%v%d : (", id, a.id, b.id);
  putType(w, &a.type);
  put(w, ", ");
  putType(w, &b.type);
  put(w, ") -> ");
  putTuple(w, &a.type, &b.type);
  put(w, "\n");
  return id;
}

static Value plusOne(Writer *w, Value i) {
  Value one = begin(w, &index32);
  put(w, "xla.constant dense<1> : tensor<i32>\n");
  return binary(w, "add", i, one, "", index32);
}

/// Counts up to 3 with one further value in a tuple.
static Value randomWhile(Writer *w) {
  Value x = pick(w);
  Value zero = begin(w, &index32);
  put(w, "xla.constant dense<0> : tensor<i32>\n");
  int before = w->nValues, state = makeTuple(w, zero, x), result = w->nextId++;
  char name[16];
  put(w, "%%t%d = xla.while(%%t%d) ({\n^bb0(%%s%d: ", result, state, result);
  putTuple(w, &index32, &x.type);
  put(w, "):\n");
  snprintf(name, sizeof name, "s%d", result);
  Value i = element(w, name, &index32, &x.type, 0);
  Value limit = begin(w, &index32);
  put(w, "xla.constant dense<%d> : tensor<i32>\n", below(w, 4));
  Value c = binary(w, "compare", i, limit, "{comparison_direction = \"LT\"}",
                   withElement(index32, PRED));
  put(w, "xla.return %%v%d : tensor<i1>\n}, {\n^bb0(%%s%d: ", c.id, result);
  putTuple(w, &index32, &x.type);
  put(w, "):\n");
  w->nValues = before;
  i = element(w, name, &index32, &x.type, 0);
  element(w, name, &index32, &x.type, 1);
  statements(w, 2 + below(w, 5));
  Value y = ofType(w, &x.type);
  int next = makeTuple(w, plusOne(w, i), y);
  put(w, "xla.return %%t%d : ", next);
  putTuple(w, &index32, &x.type);
  put(w, "\n}) : ");
  putTuple(w, &index32, &x.type);
  put(w, "\n");
  w->nValues = before;
  snprintf(name, sizeof name, "t%d", result);
  return element(w, name, &index32, &x.type, 1);
}

/// if, case or conditional with one result and another in a tuple.
static Value randomBranches(Writer *w) {
  int form = below(w, 3), n = form == 1 ? 1 + below(w, 3) : 2;
  Type type = pick(w).type, other = pick(w).type;
  Type selector = {.element = form == 1 ? I32 : PRED};
  Value s = ofType(w, &selector), passed = pick(w);
  int before = w->nValues, result = w->nextId++;
  char name[16];
  put(w, "%%t%d = xla.%s(%%v%d", result,
      form == 0   ? "if"
      : form == 1 ? "case"
                  : "conditional",
      s.id);
  for (int i = 0; form == 2 && i < n; ++i)
    put(w, ", %%v%d", passed.id);
  put(w, ") (");
  for (int i = 0; i < n; ++i) {
    put(w, "%s{\n", i ? ", " : "");
    if (form == 2) {
      Value a = define(w, &passed.type);
      put(w, "^bb0(%%v%d: ", a.id);
      putType(w, &a.type);
      put(w, "):\n");
    }
    statements(w, below(w, 5));
    Value a = ofType(w, &type), b = ofType(w, &other);
    int tuple = makeTuple(w, a, b);
    put(w, "xla.return %%t%d : ", tuple);
    putTuple(w, &type, &other);
    put(w, "\n}");
    w->nValues = before;
  }
  put(w, ") : (");
  putType(w, &selector);
  for (int i = 0; form == 2 && i < n; ++i) {
    put(w, ", ");
    putType(w, &passed.type);
  }
  put(w, ") -> ");
  putTuple(w, &type, &other);
  put(w, "\n");
  snprintf(name, sizeof name, "t%d", result);
  element(w, name, &type, &other, 1);
  return element(w, name, &type, &other, 0);
}

static Value randomTuple(Writer *w) {
  Value a = pick(w), b = pick(w), c = ofType(w, &a.type);
  Type pred = {.element = PRED};
  Value p = ofType(w, &pred);
  int x = makeTuple(w, a, b), y = makeTuple(w, c, b), r = w->nextId++;
  char name[16];
  put(w, "%%t%d = xla.select %%v%d, %%t%d, %%t%d : (tensor<i1>, ", r, p.id, x,
      y);
  putTuple(w, &a.type, &b.type);
  put(w, ", ");
  putTuple(w, &a.type, &b.type);
  put(w, ") -> ");
  putTuple(w, &a.type, &b.type);
  put(w, "\n");
  snprintf(name, sizeof name, "t%d", r);
  return element(w, name, &a.type, &b.type, below(w, 2));
}

static Value randomEffect(Writer *w) {
  Value a = pick(w);
  Value r = begin(w, &a.type);
  bool barrier = below(w, 2);
  put(w, "xla.%s %%v%d %s : (",
      barrier ? "optimization_barrier" : "custom_call", a.id,
      barrier ? "" : "{call_target_name = \"log\", has_side_effect = true}");
  putType(w, &a.type);
  putResult(w, &a.type);
  return r;
}

static Value randomCall(Writer *w) {
  Type scalar = {.element = F32};
  Value a = ofType(w, &scalar);
  Value r = begin(w, &scalar);
  put(w, "%s @twice(%%v%d) : (tensor<f32>) -> tensor<f32>\n",
      below(w, 2) ? "func.call" : "xla.call", a.id);
  return r;
}

static void statements(Writer *w, int n) {
  typedef Value (*Statement)(Writer *);
  static const Statement simple[] = {
      randomUnary,     randomUnary,   randomBinary,    randomBinary,
      randomBinary,    randomBinary,  randomCompare,   randomTernary,
      randomBroadcast, randomReshape, randomTranspose, randomSlice,
      randomReverse,   randomIota,    randomReduce,    randomRow,
      randomRow,       randomMap,     randomTuple,     randomEffect,
      randomCall,
  };
  enum { nSimple = sizeof simple / sizeof *simple };
  for (int i = 0; i < n && w->length < textBytes * 3 / 4; ++i) {
    int choice = below(w, nSimple + (w->depth < 2 ? 2 : 0));
    ++w->depth;
    if (choice < nSimple)
      simple[choice](w);
    else if (choice == nSimple)
      randomWhile(w);
    else
      randomBranches(w);
    --w->depth;
  }
}

char *randomProgramCreate(uint64_t seed) {
  Writer *w = calloc(1, sizeof *w);
  char *text = malloc(textBytes);
  if (!w || !text) {
    free(w);
    free(text);
    return NULL;
  }
  w->random.state = seed * 0x9E3779B97F4A7C15u | 1;
  w->text = text;
  put(w, "func.func private @twice(%%x: tensor<f32>) -> tensor<f32> {\n"
         "%%r = xla.add %%x, %%x : tensor<f32>\nreturn %%r : tensor<f32>\n}\n"
         "func.func @main(");
  for (int i = 0, n = 2 + below(w, 4); i < n; ++i) {
    Type type = randomType(w);
    Value argument = define(w, &type);
    put(w, "%s%%v%d: ", i ? ", " : "", argument.id);
    putType(w, &type);
  }
  size_t arrow = w->length;
  put(w, ") {\n");
  size_t start = w->length;
  statements(w, 5 + below(w, 40));
  int nResults = 1 + below(w, 8);
  Value results[8];
  for (int i = 0; i < nResults; ++i)
    results[i] = pick(w);
  put(w, "return ");
  for (int i = 0; i < nResults; ++i)
    put(w, "%s%%v%d", i ? ", " : "", results[i].id);
  put(w, " : ");
  for (int i = 0; i < nResults; ++i) {
    put(w, "%s", i ? ", " : "");
    putType(w, &results[i].type);
  }
  put(w, "\n}\n");
  // The signature is known now: the body moves behind it.
  size_t length = w->length - start;
  char *body = malloc(length + 1);
  if (body) {
    memcpy(body, text + start, length + 1);
    w->length = arrow;
    put(w, ") -> (");
    for (int i = 0; i < nResults; ++i) {
      put(w, "%s", i ? ", " : "");
      putType(w, &results[i].type);
    }
    put(w, ") {\n");
    memcpy(text + w->length, body, length + 1);
  }
  free(body);
  free(w);
  return text;
}
