//===- parse.c - Reading the texts of algebraic rules ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts are this project's own: algebra_test.c reads them all.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/simplify/algebra/internal.h"

#include <ctype.h>
#include <pthread.h>
#include <string.h>

#define PRED XlaTypeClassPred
#define SIGNED XlaTypeClassSigned
#define UNSIGNED XlaTypeClassUnsigned
#define INTEGER (SIGNED | UNSIGNED)
#define FLOAT XlaTypeClassFloat
#define COMPLEX XlaTypeClassComplex
#define ANY (PRED | INTEGER | FLOAT | COMPLEX)

static const XlaAlgebraRow rows[XlaAlgebraRuleCount] = {
#define XLA_RULE(name, text, classes, why) {#name, text, classes, why, NULL},
#define XLA_RULE_C(name, function, operations, text, classes, why)             \
  {#name, text, classes, why, operations},
#include "xlac/passes/simplify/algebra/algebra.def"
};

static const AlgebraRewrite functions[XlaAlgebraRuleCount] = {
#define XLA_RULE(...)
#define XLA_RULE_C(name, function, ...) [XlaAlgebraRule_##name] = function,
#include "xlac/passes/simplify/algebra/algebra.def"
};

const XlaAlgebraRow *xlaAlgebraGetRow(XlaAlgebraRule rule) {
  return &rows[rule];
}

AlgebraRewrite xlaAlgebraGetFunction(XlaAlgebraRule rule) {
  return functions[rule];
}

typedef struct Parser {
  Algebra *algebra;
  AlgebraTree *tree;
  const char *at;
} Parser;

static void skipBlanks(Parser *p) {
  while (*p->at == ' ')
    ++p->at;
}

/// Goes past `text` if it stands here.
static bool take(Parser *p, const char *text) {
  skipBlanks(p);
  size_t length = strlen(text);
  if (strncmp(p->at, text, length) != 0)
    return false;
  p->at += length;
  return true;
}

/// The word here, of letters, digits, - and _.
static size_t word(Parser *p, const char **start) {
  skipBlanks(p);
  *start = p->at;
  while (isalnum((unsigned char)*p->at) || *p->at == '_' || *p->at == '-')
    ++p->at;
  return (size_t)(p->at - *start);
}

static bool wordIs(const char *start, size_t length, const char *text) {
  return strlen(text) == length && !memcmp(start, text, length);
}

static bool readNumber(const char *start, size_t length, AlgebraTerm *term) {
  static const char *const names[] = {"0",   "-0",  "1",    "-1",   "2",
                                      "min", "max", "ones", "true", "false"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (wordIs(start, length, names[i])) {
      term->kind = AlgebraTermNumber;
      term->number = (AlgebraNumber)i;
      return true;
    }
  return false;
}

static void readOperation(const char *start, size_t length, AlgebraTerm *term) {
  static const char *const comparisons[] = {"eq", "ne", "ge", "gt", "le", "lt"};
  term->kind = AlgebraTermOp;
  term->op = xlaOpKindFromName(start, length);
  term->totalOrder = length > 6 && !memcmp(start, "total_", 6);
  if (term->totalOrder) {
    start += 6;
    length -= 6;
  }
  for (int i = 0; i < 6; ++i)
    if (wordIs(start, length, comparisons[i])) {
      term->op = XlaOpKindCompare;
      term->comparison = (XlaComparison)i;
    }
  term->commutes = xlaOpGetInfo(term->op)->traits & MlirExtOpTraitCommutative;
}

/// The number of the term that stands here.
static int readTerm(Parser *p) {
  const char *start;
  size_t length = word(p, &start);
  int number = p->algebra->nTerms++;
  AlgebraTerm term = {.kind = AlgebraTermValue};
  if (readNumber(start, length, &term)) {
  } else if (length == 1) {
    term.letter = *start;
    if (strchr("kmn", *start))
      term.kind = AlgebraTermConstant;
  } else {
    readOperation(start, length, &term);
    if (term.commutes)
      term.swap = p->tree->nCommuting++;
    take(p, "(");
    do
      term.operands[term.nOperands++] = readTerm(p);
    while (take(p, ","));
    take(p, ")");
  }
  p->algebra->terms[number] = term;
  return number;
}

static void readConditions(Parser *p) {
  for (bool more = take(p, "if "); more; more = take(p, "and ")) {
    const char *start;
    size_t length = word(p, &start);
    AlgebraCondition *condition = &p->tree->conditions[p->tree->nConditions++];
    condition->holds = xlaAlgebraCondition(start, length);
    if (take(p, "(")) {
      skipBlanks(p);
      condition->letter = *p->at++;
      take(p, ")");
    }
  }
}

static void readTree(Algebra *algebra, XlaAlgebraRule rule) {
  AlgebraTree *tree = &algebra->trees[rule];
  Parser p = {algebra, tree, rows[rule].text};
  tree->pattern = readTerm(&p);
  int commuting = tree->nCommuting;
  take(&p, "=");
  tree->replacement = readTerm(&p);
  tree->nCommuting = commuting; // those of the replacement stay as written
  readConditions(&p);
}

static void addFunction(Algebra *algebra, XlaOpKind kind, XlaAlgebraRule rule) {
  algebra->functions[kind].rules[algebra->functions[kind].n++] = rule;
}

static bool isElementwise(XlaOpKind kind) {
  return xlaOpGetInfo(kind)->family == XlaFamilyElementwise;
}

static void readOperations(Algebra *algebra, XlaAlgebraRule rule) {
  const char *names = rows[rule].operations;
  for (size_t n; *names; names += n + (names[n] == ' ')) {
    n = strcspn(names, " ");
    if (*names != '*') {
      addFunction(algebra, xlaOpKindFromName(names, n), rule);
      continue;
    }
    for (XlaOpKind kind = XlaOpKindInvalid + 1; kind < XlaOpKindCount; ++kind)
      if (isElementwise(kind))
        addFunction(algebra, kind, rule);
  }
}

static Algebra table;

static void readTable(void) {
  for (int kind = 0; kind < XlaOpKindCount; ++kind)
    table.first[kind] = -1;
  for (int rule = XlaAlgebraRuleCount - 1; rule >= 0; --rule) {
    if (rows[rule].operations)
      continue;
    readTree(&table, (XlaAlgebraRule)rule);
    AlgebraTree *tree = &table.trees[rule];
    int *first = &table.first[table.terms[tree->pattern].op];
    tree->next = *first;
    *first = rule;
  }
  for (int rule = 0; rule < XlaAlgebraRuleCount; ++rule)
    if (rows[rule].operations)
      readOperations(&table, (XlaAlgebraRule)rule);
}

const Algebra *xlaAlgebraGet(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, readTable);
  return &table;
}
