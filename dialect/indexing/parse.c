//===- parse.c - Indexing maps from text ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/extrema.h"
#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/map.h"
#include "xlac/dialect/indexing/names.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  maxVariables = 256,
  maxResults = 256,
  maxConstraints = 4096,
  maxNesting = 200, ///< of parentheses
  maxOperations = 10000,
};

/// A variable of the text, in the order in which they are introduced.
typedef struct Name {
  const char *text;
  size_t length;
  MlirAffineExpr expr;
  XlaInterval bounds;
  bool isDim, isRuntime, hasBounds;
  MlirAffineMap map;    ///< of a runtime variable, or null
  XlaExtremum extremum; ///< a min or max, without a text
  int nOperands;
  MlirAffineExpr operands[XLA_MAX_EXTREMUM_OPERANDS];
} Name;

typedef struct Parser {
  MlirContext context;
  const char *begin, *at, *end;
  char *message;
  bool failed;
  int nesting, nOperations;
  int nNames, nDims, nSymbols; ///< names: dimensions first
  Name names[maxVariables];
  int nResults;
  MlirAffineExpr results[maxResults];
  int nConstraints, capacity;
  XlaIndexingConstraint *constraints;
} Parser;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

static bool fail(Parser *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Keeps the first message. False.
static bool fail(Parser *p, const char *format, ...) {
  if (p->failed)
    return false;
  p->failed = true;
  int n = snprintf(p->message, 256,
                   "character %lld: ", (long long)(p->at - p->begin) + 1);
  va_list args;
  va_start(args, format);
  vsnprintf(p->message + n, 256 - (size_t)n, format, args);
  va_end(args);
  return false;
}

static void skipSpace(Parser *p) {
  while (p->at < p->end && isspace((unsigned char)*p->at))
    ++p->at;
}

static bool isWordChar(char c) { return isalnum((unsigned char)c) || c == '_'; }

/// Takes `text` if it comes next; a word only as a whole.
static bool take(Parser *p, const char *text) {
  size_t n = strlen(text);
  skipSpace(p);
  if ((size_t)(p->end - p->at) < n || memcmp(p->at, text, n) != 0)
    return false;
  if (isWordChar(text[n - 1]) && p->at + n < p->end && isWordChar(p->at[n]))
    return false;
  p->at += n;
  return true;
}

static bool expect(Parser *p, const char *text) {
  return take(p, text) || fail(p, "expected '%s'", text);
}

static bool parseWord(Parser *p, const char **text, size_t *length) {
  skipSpace(p);
  *text = p->at;
  if (p->at == p->end || !(isalpha((unsigned char)*p->at) || *p->at == '_'))
    return fail(p, "expected the name of a variable");
  while (p->at < p->end && isWordChar(*p->at))
    ++p->at;
  *length = (size_t)(p->at - *text);
  return true;
}

static bool parseDigits(Parser *p, bool isNegative, int64_t *value) {
  *value = 0;
  if (p->at == p->end || !isdigit((unsigned char)*p->at))
    return fail(p, "expected a number");
  for (; p->at < p->end && isdigit((unsigned char)*p->at); ++p->at) {
    int64_t digit = *p->at - '0';
    if (__builtin_mul_overflow(*value, 10, value) ||
        __builtin_add_overflow(*value, isNegative ? -digit : digit, value))
      return fail(p, "the number does not fit into 64 bits");
  }
  return true;
}

static bool parseNumber(Parser *p, int64_t *value) {
  bool isNegative = take(p, "-");
  skipSpace(p);
  return parseDigits(p, isNegative, value);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static bool parseSum(Parser *p, MlirAffineExpr *expr);

static Name *findName(Parser *p, const char *text, size_t length) {
  for (int i = 0; i < p->nNames; ++i)
    if (!p->names[i].extremum && p->names[i].length == length &&
        !memcmp(p->names[i].text, text, length))
      return &p->names[i];
  return NULL;
}

static bool countOperation(Parser *p) {
  return ++p->nOperations <= maxOperations ||
         fail(p, "more than %d operations", maxOperations);
}

/// The min or max that `expr` is, or NULL.
static const Name *extremumOf(const Parser *p, MlirAffineExpr expr) {
  for (int i = p->nDims; i < p->nNames; ++i)
    if (p->names[i].extremum && p->names[i].expr.ptr == expr.ptr)
      return &p->names[i];
  return NULL;
}

/// Puts what a min or max among the operands is taken of in its place: of the
/// same kind beside them, of the other one behind a single one.
static bool joinOperands(Parser *p, Name *name) {
  const bool isMin = name->extremum == XlaExtremumMin;
  const XlaExtremum nested = isMin ? XlaExtremumMinOfMax : XlaExtremumMaxOfMin;
  MlirAffineExpr own[XLA_MAX_EXTREMUM_OPERANDS];
  const Name *other = NULL;
  int n = 0;
  bool fits = true, isDeep = false;
  for (int i = 0; i < name->nOperands; ++i) {
    const Name *inner = extremumOf(p, name->operands[i]);
    int more = !inner                              ? 1
               : inner->extremum == name->extremum ? inner->nOperands
                                                   : 0;
    isDeep |= inner && !more && (other || inner->extremum > XlaExtremumMax);
    other = inner && !more ? inner : other;
    fits &= n + more <= XLA_MAX_EXTREMUM_OPERANDS;
    for (int k = 0; k < more && fits; ++k)
      own[n++] = inner ? inner->operands[k] : name->operands[i];
  }
  if (other && fits) {
    isDeep |= n != 1;
    fits = n + other->nOperands <= XLA_MAX_EXTREMUM_OPERANDS;
    for (int k = 0; k < other->nOperands && fits; ++k)
      own[n++] = other->operands[k];
    name->extremum = nested;
  }
  if (isDeep)
    return fail(p, "min and max nest only as min(.., max(..)) and max(.., "
                   "min(..))");
  if (!fits)
    return fail(p, "more than %d operands", XLA_MAX_EXTREMUM_OPERANDS);
  memcpy(name->operands, own, (size_t)n * sizeof *own);
  name->nOperands = n;
  return true;
}

/// Operands have no min and max, as parts of them, and no runtime variables.
static bool checkOperand(Parser *p, MlirAffineExpr operand) {
  bool used[maxVariables] = {false};
  if (extremumOf(p, operand))
    return true;
  xlaExprMarkUsed(operand, NULL, used);
  for (int i = 0; i < p->nSymbols; ++i)
    if (used[i] && p->names[p->nDims + i].isRuntime)
      return fail(p, "operands of min and max must not depend on runtime "
                     "variables, or on others by arithmetic");
  return true;
}

/// The same min or max, as there is one variable for it, or a new one.
static bool introduce(Parser *p, Name *name, MlirAffineExpr *expr) {
  for (int i = p->nDims; i < p->nNames; ++i) {
    const Name *known = &p->names[i];
    if (known->extremum == name->extremum &&
        known->nOperands == name->nOperands &&
        !memcmp(known->operands, name->operands,
                (size_t)name->nOperands * sizeof *name->operands)) {
      *expr = known->expr;
      return true;
    }
  }
  if (p->nNames == maxVariables)
    return fail(p, "more than %d variables", maxVariables);
  name->isRuntime = true;
  *expr = name->expr = mlirAffineSymbolExprGet(p->context, p->nSymbols++);
  p->names[p->nNames++] = *name;
  return true;
}

/// What follows `min(` and `max(`.
static bool parseExtremum(Parser *p, bool isMin, MlirAffineExpr *expr) {
  Name name = {.text = "", .extremum = isMin ? XlaExtremumMin : XlaExtremumMax};
  do {
    if (name.nOperands == XLA_MAX_EXTREMUM_OPERANDS)
      return fail(p, "more than %d operands", XLA_MAX_EXTREMUM_OPERANDS);
    MlirAffineExpr *operand = &name.operands[name.nOperands++];
    if (!countOperation(p) || !parseSum(p, operand) ||
        !checkOperand(p, *operand))
      return false;
  } while (take(p, ","));
  if (!expect(p, ")") || !joinOperands(p, &name))
    return false;
  if (name.nOperands > 1)
    return introduce(p, &name, expr);
  *expr = name.operands[0];
  return true;
}

static bool parseFactor(Parser *p, MlirAffineExpr *expr) {
  const char *text;
  size_t length;
  int64_t value;
  bool isNegative = take(p, "-");
  skipSpace(p);
  if (p->at < p->end && isdigit((unsigned char)*p->at)) {
    if (!parseDigits(p, isNegative, &value))
      return false;
    *expr = mlirAffineConstantExprGet(p->context, value);
    return true;
  }
  if (++p->nesting > maxNesting)
    return fail(p, "more than %d parentheses and signs in each other",
                maxNesting);
  if (take(p, "-")) {
    --p->at;
    if (!parseFactor(p, expr))
      return false;
  } else if (take(p, "(")) {
    if (!parseSum(p, expr) || !expect(p, ")"))
      return false;
  } else {
    if (!parseWord(p, &text, &length))
      return false;
    const Name *name = findName(p, text, length);
    bool isMin = length == 3 && !memcmp(text, "min", 3);
    bool isMax = length == 3 && !memcmp(text, "max", 3);
    bool isExtremum = !name && (isMin || isMax) && take(p, "(");
    if (isExtremum && !parseExtremum(p, isMin, expr))
      return false;
    p->at = name || isExtremum ? p->at : text;
    if (!name && !isExtremum)
      return fail(p, "there is no variable '%.*s'",
                  (int)(length < 64 ? length : 64), text);
    if (name)
      *expr = name->expr;
  }
  --p->nesting;
  if (isNegative)
    *expr =
        mlirAffineMulExprGet(*expr, mlirAffineConstantExprGet(p->context, -1));
  return true;
}

/// Divisors that are constants must not be 0, moduli be positive.
static bool checkDivisor(Parser *p, MlirAffineExpr divisor, bool isMod) {
  int64_t value;
  if (!mlirAffineExprIsSymbolicOrConstant(divisor))
    return fail(p, "a divisor must not have dimensions");
  if (!xlaExprIsConstant(divisor, &value))
    return true;
  if (value == 0)
    return fail(p, "division by 0");
  return value > 0 || !isMod || fail(p, "a modulus must be positive");
}

/// MLIR multiplies constants without a look at what does not fit.
static bool checkProduct(Parser *p, MlirAffineExpr lhs, MlirAffineExpr rhs) {
  XlaRules rules = {.context = p->context};
  XlaLinear sum = {0};
  int64_t factor = 1;
  if (!xlaExprIsConstant(rhs, &factor) && xlaExprIsConstant(lhs, &factor))
    lhs = rhs;
  xlaLinearAddExpr(&rules, &sum, lhs, factor);
  xlaRulesFree(&rules);
  return !rules.failed || fail(p, "a product does not fit into 64 bits");
}

static bool parseProduct(Parser *p, MlirAffineExpr *expr) {
  if (!parseFactor(p, expr))
    return false;
  for (;;) {
    MlirAffineExpr rhs;
    static const char *const ops[] = {"*", "floordiv", "ceildiv", "mod"};
    int op = 0;
    while (op < 4 && !take(p, ops[op]))
      ++op;
    if (op == 4)
      return true;
    if (!countOperation(p) || !parseFactor(p, &rhs))
      return false;
    if (op == 0 && !mlirAffineExprIsSymbolicOrConstant(*expr) &&
        !mlirAffineExprIsSymbolicOrConstant(rhs))
      return fail(p, "a product must not have dimensions on both sides");
    if (op > 0 && !checkDivisor(p, rhs, op == 3))
      return false;
    if (op == 0 && !checkProduct(p, *expr, rhs))
      return false;
    *expr = op == 0   ? mlirAffineMulExprGet(*expr, rhs)
            : op == 1 ? mlirAffineFloorDivExprGet(*expr, rhs)
            : op == 2 ? mlirAffineCeilDivExprGet(*expr, rhs)
                      : mlirAffineModExprGet(*expr, rhs);
  }
}

static bool parseSum(Parser *p, MlirAffineExpr *expr) {
  if (!parseProduct(p, expr))
    return false;
  for (;;) {
    MlirAffineExpr rhs;
    skipSpace(p);
    // "->" is none of ours.
    bool minus = p->at < p->end && *p->at == '-' &&
                 !(p->at + 1 < p->end && p->at[1] == '>');
    if (minus)
      ++p->at;
    else if (!take(p, "+"))
      return true;
    if (!countOperation(p) || !parseProduct(p, &rhs))
      return false;
    if (minus)
      rhs =
          mlirAffineMulExprGet(rhs, mlirAffineConstantExprGet(p->context, -1));
    *expr = mlirAffineAddExprGet(*expr, rhs);
  }
}

/// ( expr, .. )
static bool parseResults(Parser *p, MlirAffineExpr *results, int *n) {
  *n = 0;
  if (!expect(p, "("))
    return false;
  if (take(p, ")"))
    return true;
  do {
    if (*n == maxResults)
      return fail(p, "more than %d results", maxResults);
    if (!parseSum(p, &results[(*n)++]))
      return false;
  } while (take(p, ","));
  return expect(p, ")");
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// name, .. up to `close`.
static bool parseNames(Parser *p, const char *close, bool isDim,
                       bool isRuntime) {
  if (take(p, close))
    return true;
  do {
    Name name = {.isDim = isDim, .isRuntime = isRuntime};
    if (!parseWord(p, &name.text, &name.length))
      return false;
    if (findName(p, name.text, name.length))
      return fail(p, "two variables have this name");
    if (p->nNames == maxVariables)
      return fail(p, "more than %d variables", maxVariables);
    name.expr = isDim ? mlirAffineDimExprGet(p->context, p->nDims++)
                      : mlirAffineSymbolExprGet(p->context, p->nSymbols++);
    p->names[p->nNames++] = name;
  } while (take(p, ","));
  return expect(p, close);
}

static bool parseBounds(Parser *p, XlaInterval *bounds) {
  return expect(p, "in") && expect(p, "[") && parseNumber(p, &bounds->lower) &&
         expect(p, ",") && parseNumber(p, &bounds->upper) && expect(p, "]");
}

static bool addConstraint(Parser *p, MlirAffineExpr expr, XlaInterval bounds) {
  if (p->nConstraints == maxConstraints)
    return fail(p, "more than %d constraints", maxConstraints);
  if (p->nConstraints == p->capacity) {
    int capacity = 2 * p->capacity + 8;
    XlaIndexingConstraint *grown =
        realloc(p->constraints, (size_t)capacity * sizeof *grown);
    if (!grown)
      return fail(p, "out of memory");
    p->constraints = grown;
    p->capacity = capacity;
  }
  p->constraints[p->nConstraints++] = (XlaIndexingConstraint){expr, bounds};
  return true;
}

/// hlo: .. to the end of the line, and the map on the next one, if any.
static bool parsePlace(Parser *p, Name *name) {
  MlirAffineExpr results[maxResults];
  int n;
  name->isRuntime = true;
  while (p->at < p->end && *p->at != '\n')
    ++p->at;
  if (!take(p, "("))
    return true;
  // The variables are those of the map itself, by their names.
  while (!take(p, "->"))
    if (p->at++ >= p->end)
      return fail(p, "expected '->'");
  if (!parseResults(p, results, &n))
    return false;
  name->map = mlirAffineMapGet(p->context, p->nDims, p->nSymbols, n, results);
  return true;
}

/// What follows `domain:`.
static bool parseDomain(Parser *p) {
  for (;;) {
    MlirAffineExpr expr;
    XlaInterval bounds;
    skipSpace(p);
    if (p->at == p->end)
      return true;
    if (!parseSum(p, &expr) || !parseBounds(p, &bounds))
      return false;
    Name *name = NULL;
    for (int i = 0; i < p->nNames; ++i)
      if (p->names[i].expr.ptr == expr.ptr)
        name = &p->names[i];
    if (name && !name->hasBounds) {
      name->bounds = bounds;
      name->hasBounds = true;
    } else if (!addConstraint(p, expr, bounds)) {
      return false;
    }
    if (name && !name->isDim && take(p, "hlo:") && !parsePlace(p, name))
      return false;
    take(p, ",");
  }
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// A min or max has the bounds that follow from those of variables, and those
/// that the text gives it.
static void boundExtrema(Parser *p) {
  XlaInterval bounds[maxVariables];
  bool isEmpty = false;
  for (int i = 0; i < p->nNames; ++i) {
    bounds[i] = p->names[i].extremum ? xlaIntervalAll() : p->names[i].bounds;
    isEmpty |= xlaIntervalIsEmpty(bounds[i]);
  }
  XlaRules rules = {
      .context = p->context, .dims = bounds, .symbols = bounds + p->nDims};
  for (int i = p->nDims; i < p->nNames; ++i) {
    Name *name = &p->names[i];
    if (!name->extremum)
      continue;
    XlaInterval range = isEmpty
                            ? xlaIntervalAll()
                            : xlaExtremumRange(&rules, name->extremum,
                                               name->nOperands, name->operands);
    name->bounds =
        name->hasBounds ? xlaIntervalIntersect(name->bounds, range) : range;
    name->hasBounds = true;
    name->map = mlirAffineMapGet(p->context, p->nDims, p->nSymbols,
                                 name->nOperands, name->operands);
  }
  xlaRulesFree(&rules);
}

/// Sorts the variables into `parts` and gives symbols their numbers there: the
/// runtime variables lie behind the range variables.
static void sortVariables(Parser *p, XlaInterval *dims, XlaInterval *ranges,
                          XlaRuntimeVariable *runtimes, MlirAffineExpr *symbols,
                          XlaIndexingMapParts *parts) {
  intptr_t nRanges = 0;
  for (int i = 0; i < p->nNames; ++i)
    nRanges += !p->names[i].isDim && !p->names[i].isRuntime;
  for (int i = 0; i < p->nNames; ++i) {
    const Name *name = &p->names[i];
    intptr_t number =
        name->isRuntime ? nRanges + parts->nRuntimes : parts->nRanges;
    if (!name->isDim)
      symbols[i - p->nDims] = mlirAffineSymbolExprGet(p->context, number);
    if (name->isDim)
      dims[parts->nDims++] = name->bounds;
    else if (!name->isRuntime)
      ranges[parts->nRanges++] = name->bounds;
    else
      runtimes[parts->nRuntimes++] = (XlaRuntimeVariable){
          .bounds = name->bounds, .map = name->map, .extremum = name->extremum};
  }
}

/// What the text calls the variables that `parts` has, unless they would be
/// called that without a name.
static void nameVariables(Parser *p, const MlirAffineExpr *symbols,
                          const XlaIndexingMapParts *parts,
                          MlirIdentifier *names) {
  for (int i = 0; i < p->nNames; ++i) {
    const Name *name = &p->names[i];
    if (name->extremum)
      continue;
    intptr_t v = name->isDim ? i
                             : parts->nDims + mlirAffineSymbolExprGetPosition(
                                                  symbols[i - p->nDims]);
    char asSymbol[32];
    snprintf(asSymbol, sizeof asSymbol, "s%lld", (long long)(v - parts->nDims));
    XlaVariableName none = xlaVariableGetName(parts, v);
    MlirStringRef text = mlirStringRefCreate(name->text, name->length);
    bool isDefault =
        mlirStringRefEqual(text, mlirStringRefCreateFromCString(none.text)) ||
        (v >= parts->nDims &&
         mlirStringRefEqual(text, mlirStringRefCreateFromCString(asSymbol)));
    if (!isDefault && name->length <= XLA_MAX_VARIABLE_NAME)
      names[v] = mlirIdentifierGet(p->context, text);
  }
}

/// Runtime variables are read at places that range variables may say, other
/// runtime variables not.
static bool checkPlace(Parser *p, MlirAffineMap place, intptr_t nRanges) {
  bool used[maxVariables] = {false}, isKnown = true;
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(place); ++i)
    xlaExprMarkUsed(mlirAffineMapGetResult(place, i), NULL, used);
  for (intptr_t i = nRanges; i < p->nSymbols; ++i)
    isKnown &= !used[i];
  return isKnown || fail(p, "where a runtime variable is read must not depend "
                            "on runtime variables");
}

/// The map of what was read.
static XlaIndexingMap *create(Parser *p) {
  XlaInterval dims[maxVariables], ranges[maxVariables];
  XlaRuntimeVariable runtimes[maxVariables];
  MlirAffineExpr symbols[maxVariables];
  MlirIdentifier names[maxVariables] = {{NULL}};
  XlaIndexingMapParts parts = {.dims = dims,
                               .ranges = ranges,
                               .runtimes = runtimes,
                               .nConstraints = p->nConstraints,
                               .constraints = p->constraints};
  for (int i = 0; i < p->nNames; ++i)
    if (!p->names[i].hasBounds && !p->names[i].extremum) {
      fail(p, "the bounds of %.*s are missing",
           (int)(p->names[i].length < 64 ? p->names[i].length : 64),
           p->names[i].text);
      return NULL;
    }
  boundExtrema(p);
  sortVariables(p, dims, ranges, runtimes, symbols, &parts);
  parts.map =
      xlaAffineMapReplace(mlirAffineMapGet(p->context, p->nDims, p->nSymbols,
                                           p->nResults, p->results),
                          NULL, symbols, p->nDims, p->nSymbols);
  for (int i = 0; i < p->nConstraints; ++i)
    p->constraints[i].expr =
        xlaExprReplace(p->constraints[i].expr, NULL, symbols);
  for (intptr_t i = 0; i < parts.nRuntimes; ++i) {
    MlirAffineMap *place = &runtimes[i].map;
    if (mlirAffineMapIsNull(*place))
      continue;
    *place = xlaAffineMapReplace(*place, NULL, symbols, p->nDims, p->nSymbols);
    if (!checkPlace(p, *place, parts.nRanges))
      return NULL;
    *place = xlaAffineMapReplace(*place, NULL, NULL, p->nDims, parts.nRanges);
  }
  nameVariables(p, symbols, &parts, names);
  parts.names = names;
  XlaIndexingMap *result = xlaIndexingMapCreate(&parts);
  if (!result)
    fail(p, "out of memory");
  return result;
}

/// A map without variables and results that is defined nowhere.
static XlaIndexingMap *createEmpty(Parser *p) {
  XlaIndexingConstraint never = {mlirAffineConstantExprGet(p->context, 0),
                                 {1, 0}};
  XlaIndexingMap *map = xlaIndexingMapCreate(
      &(XlaIndexingMapParts){.map = mlirAffineMapEmptyGet(p->context),
                             .nConstraints = 1,
                             .constraints = &never});
  if (!map)
    fail(p, "out of memory");
  return map;
}

XlaIndexingMap *xlaIndexingMapParse(MlirContext context, MlirStringRef text,
                                    char message[256]) {
  XlaIndexingMap *map = NULL;
  Parser *p = calloc(1, sizeof *p);
  message[0] = 0;
  if (!p) {
    snprintf(message, 256, "out of memory");
    return NULL;
  }
  p->context = context;
  p->begin = p->at = text.data;
  p->end = text.data + text.length;
  p->message = message;
  if (take(p, "KNOWN EMPTY")) {
    skipSpace(p);
    if (p->at == p->end)
      map = createEmpty(p);
    else
      fail(p, "expected the end");
  } else if (expect(p, "(") && parseNames(p, ")", true, false) &&
             (!take(p, "[") || parseNames(p, "]", false, false)) &&
             (!take(p, "{") || parseNames(p, "}", false, true)) &&
             expect(p, "->") && parseResults(p, p->results, &p->nResults)) {
    take(p, ",");
    skipSpace(p);
    if (p->at == p->end || (expect(p, "domain:") && parseDomain(p)))
      map = create(p);
  }
  free(p->constraints);
  free(p);
  return map;
}
