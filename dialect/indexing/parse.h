//===- parse.h - Indexing maps from text --------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal: the reader's state, its tokens and its expressions.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_PARSE_H
#define XLAC_DIALECT_INDEXING_PARSE_H

#include "xlac/dialect/indexing/extrema.h"
#include "xlac/dialect/indexing/map.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  xlaMapMaxVariables = 256,
  xlaMapMaxResults = 256,
  xlaMapMaxConstraints = 4096,
};

/// A variable of the text, in the order in which they are introduced.
typedef struct XlaMapName {
  const char *text;
  size_t length;
  MlirAffineExpr expr;
  XlaInterval bounds;
  bool isDim, isRuntime, hasBounds;
  MlirAffineMap map;    ///< of a runtime variable, or null
  XlaExtremum extremum; ///< a min or max, without a text
  int nOperands;
  MlirAffineExpr operands[XLA_MAX_EXTREMUM_OPERANDS];
} XlaMapName;

typedef struct XlaMapParser {
  MlirContext context;
  const char *begin, *at, *end;
  char *message;
  bool failed;
  int nesting, nOperations;
  int nNames, nDims, nSymbols; ///< names: dimensions first
  XlaMapName names[xlaMapMaxVariables];
  int nResults;
  MlirAffineExpr results[xlaMapMaxResults];
  int nConstraints, capacity;
  XlaIndexingConstraint *constraints;
} XlaMapParser;

//===----------------------------------------------------------------------===//
// parse_tokens.c
//===----------------------------------------------------------------------===//

/// Keeps the first message. False.
bool xlaMapParserFail(XlaMapParser *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void xlaMapParserSkipSpace(XlaMapParser *p);
/// Takes `text` if it comes next; a word only as a whole.
bool xlaMapParserTake(XlaMapParser *p, const char *text);
/// The same, or a failure.
bool xlaMapParserExpect(XlaMapParser *p, const char *text);
bool xlaMapParserWord(XlaMapParser *p, const char **text, size_t *length);
/// Digits; their negative, of which there is one more, if `isNegative`.
bool xlaMapParserDigits(XlaMapParser *p, bool isNegative, int64_t *value);
bool xlaMapParserNumber(XlaMapParser *p, int64_t *value);

//===----------------------------------------------------------------------===//
// parse_expr.c
//===----------------------------------------------------------------------===//

/// The variable of that name, or NULL.
XlaMapName *xlaMapParserFindName(XlaMapParser *p, const char *text,
                                 size_t length);
/// Terms and what lies between them.
bool xlaMapParserSum(XlaMapParser *p, MlirAffineExpr *expr);
/// ( expr, .. )
bool xlaMapParserResults(XlaMapParser *p, MlirAffineExpr *results, int *n);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_PARSE_H
