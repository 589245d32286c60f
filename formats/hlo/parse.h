//===- parse.h - The reader of HLO text -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to the reader of text. It goes over the text once, from left to
// right, without a token's copy. A function that fails has said so, once, and
// is not called again; what was read before stays in the module.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_HLO_PARSE_H
#define XLAC_FORMATS_HLO_PARSE_H

#include "mlir-c/IR.h"
#include "xlac/formats/hlo/ast.h"

typedef struct XlaHloParser {
  MlirContext context;
  MlirStringRef file;
  const char *start, *at, *end;
  XlaHloModule *module;
  XlaImportResult result; ///< not Ok after an error
  XlaHloNames computations, instructions;
  /// What is being read, to be copied once its number is known.
  struct {
    int64_t *values;
    size_t n, capacity;
  } numbers;
  struct {
    const XlaHloShape **values;
    size_t n, capacity;
  } shapes;
  /// The line of `counted`, which only moves forward, and where it starts.
  const char *counted, *lineStart;
  uint32_t line;
} XlaHloParser;

//===----------------------------------------------------------------------===//
// Characters (parse_text.c)
//===----------------------------------------------------------------------===//

/// Says what is wrong with the text at `at`, or, Unsupported, that it is right
/// perhaps. Always false.
bool xlaHloFail(XlaHloParser *p, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool xlaHloRefuse(XlaHloParser *p, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool xlaHloFailNoMemory(XlaHloParser *p);

/// Goes over blanks and comments.
void xlaHloSkipBlanks(XlaHloParser *p);
/// Whether `c` comes next; goes over it.
bool xlaHloAccept(XlaHloParser *p, char c);
bool xlaHloAcceptText(XlaHloParser *p, const char *text);
/// The same, and fails if not.
bool xlaHloExpect(XlaHloParser *p, char c);
/// Whether `c` comes next.
bool xlaHloIsNext(XlaHloParser *p, char c);
/// A word of letters, digits, `_`, `.`, `-`; empty if none comes next.
MlirStringRef xlaHloReadWord(XlaHloParser *p);
/// The same with an optional % before it; fails without one. `what` is for the
/// message.
bool xlaHloReadName(XlaHloParser *p, const char *what, MlirStringRef *name);
bool xlaHloReadInteger(XlaHloParser *p, int64_t *value);
bool xlaHloReadBool(XlaHloParser *p, int64_t *value);
/// A string in quotes, without them and its escapes.
bool xlaHloReadString(XlaHloParser *p, MlirStringRef *text);
/// Goes over one value: words, a string, or what brackets enclose.
bool xlaHloSkipValue(XlaHloParser *p);
/// The line and column of `at`, from 1; `at` must not go back.
void xlaHloCount(XlaHloParser *p, const char *at, uint32_t *line,
                 uint32_t *column);

/// Appends to p->numbers; p->numbers.n was `first` before the list, whose
/// copy xlaHloTakeNumbers gives and removes.
bool xlaHloPushNumber(XlaHloParser *p, int64_t value);
const int64_t *xlaHloTakeNumbers(XlaHloParser *p, size_t first, uint32_t *n);

//===----------------------------------------------------------------------===//
// Parts of programs
//===----------------------------------------------------------------------===//

bool xlaHloParseShape(XlaHloParser *p, const XlaHloShape **shape);
/// Whether a shape comes next, and no name.
bool xlaHloIsShapeNext(XlaHloParser *p);
bool xlaHloParseLiteral(XlaHloParser *p, const XlaHloShape *shape,
                        XlaLiteral **literal);
/// The value of an attribute, behind its `=`.
bool xlaHloParseAttr(XlaHloParser *p, XlaHloAttrName name, XlaHloAttr *attr);
/// `{name="text", name={..}}`; what is in braces is the text of itself.
bool xlaHloParseMap(XlaHloParser *p, XlaHloAttr *attr);
/// The number of the computation `name`, which may come later.
bool xlaHloFindComputation(XlaHloParser *p, MlirStringRef name,
                           uint32_t *number);
bool xlaHloParseInstruction(XlaHloParser *p, XlaHloComputation *computation);
/// `HloModule`, its attributes, and tables of locations, if they are there.
bool xlaHloParseHeader(XlaHloParser *p);

#endif // XLAC_FORMATS_HLO_PARSE_H
