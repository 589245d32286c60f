//===- parse_attr.c - Attributes in HLO text ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/parse.h"
#include "xlac/passes/import/stablehlo/mesh.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool equals(MlirStringRef a, const char *b) {
  return mlirStringRefEqual(a, mlirStringRefCreateFromCString(b));
}

static bool takeNumbers(XlaHloParser *p, size_t first, XlaHloAttr *attr) {
  attr->values = xlaHloTakeNumbers(p, first, &attr->n);
  return attr->values != NULL;
}

static bool single(XlaHloParser *p, int64_t value, XlaHloAttr *attr) {
  size_t first = p->numbers.n;
  return xlaHloPushNumber(p, value) && takeNumbers(p, first, attr);
}

//===----------------------------------------------------------------------===//
// Numbers and words
//===----------------------------------------------------------------------===//

/// A list in braces, of what `item` reads.
static bool parseBraced(XlaHloParser *p,
                        bool (*item)(XlaHloParser *p, void *data), void *data) {
  if (!xlaHloExpect(p, '{'))
    return false;
  if (xlaHloAccept(p, '}'))
    return true;
  do {
    if (!item(p, data))
      return false;
  } while (xlaHloAccept(p, ','));
  return xlaHloExpect(p, '}');
}

static bool pushInteger(XlaHloParser *p, void *data) {
  int64_t value;
  (void)data;
  return xlaHloReadInteger(p, &value) && xlaHloPushNumber(p, value);
}

static bool parseReal(XlaHloParser *p, XlaHloAttr *attr) {
  xlaHloSkipBlanks(p);
  const char *from = p->at;
  char text[64], *stop;
  size_t n = 0;
  while (p->at < p->end && n + 1 < sizeof text &&
         (isalnum((unsigned char)*p->at) || strchr("+-.", *p->at)))
    text[n++] = *p->at++;
  text[n] = 0;
  attr->real = strtod(text, &stop);
  return (n && !*stop) || xlaHloFail(p, from, "expected a number");
}

static bool parseWord(XlaHloParser *p, XlaHloAttr *attr) {
  if (xlaHloIsNext(p, '"'))
    return xlaHloReadString(p, &attr->text);
  attr->text = xlaHloReadWord(p);
  return attr->text.length || xlaHloFail(p, p->at, "expected a word");
}

/// As many as precisions there can be.
static bool parseWords(XlaHloParser *p, XlaHloAttr *attr) {
  MlirStringRef words[8];
  if (!xlaHloExpect(p, '{'))
    return false;
  while (!xlaHloAccept(p, '}')) {
    if (attr->n && !xlaHloExpect(p, ','))
      return false;
    if (attr->n == 8)
      return xlaHloFail(p, p->at, "the list is too long");
    words[attr->n] = xlaHloReadWord(p);
    if (!words[attr->n++].length)
      return xlaHloFail(p, p->at, "expected a word");
  }
  attr->words =
      xlaHloArenaCopy(&p->module->arena, words, attr->n, sizeof *words);
  return attr->words || xlaHloFailNoMemory(p);
}

/// A string, or all that brackets enclose.
static bool parseText(XlaHloParser *p, XlaHloAttr *attr) {
  attr->isQuoted = xlaHloIsNext(p, '"') || xlaHloIsNext(p, '\'');
  if (attr->isQuoted)
    return xlaHloReadString(p, &attr->text);
  const char *from = p->at;
  if (!xlaHloSkipValue(p))
    return false;
  attr->text = mlirStringRefCreate(from, (size_t)(p->at - from));
  return true;
}

bool xlaHloParseMap(XlaHloParser *p, XlaHloAttr *attr) {
  enum { most = 64 };
  MlirStringRef words[2 * most];
  uint32_t n = 0;
  XlaHloAttr value = {0};
  if (!xlaHloExpect(p, '{'))
    return false;
  while (!xlaHloAccept(p, '}')) {
    if (n == 2 * most)
      return xlaHloFail(p, p->at, "there are more than %d names", most);
    if ((n && !xlaHloExpect(p, ',')) ||
        !xlaHloReadName(p, "a name", &words[n]) || !xlaHloExpect(p, '=') ||
        !parseText(p, &value))
      return false;
    words[n + 1] = value.text;
    n += 2;
  }
  attr->n = n / 2;
  attr->words = xlaHloArenaCopy(&p->module->arena, words, n, sizeof *words);
  return attr->words || xlaHloFailNoMemory(p);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// `[1:9:2]`, `[1:9]`.
static bool pushSlice(XlaHloParser *p, void *data) {
  int64_t start, limit, stride = 1;
  (void)data;
  return xlaHloExpect(p, '[') && xlaHloReadInteger(p, &start) &&
         xlaHloExpect(p, ':') && xlaHloReadInteger(p, &limit) &&
         (!xlaHloAccept(p, ':') || xlaHloReadInteger(p, &stride)) &&
         xlaHloExpect(p, ']') && xlaHloPushNumber(p, start) &&
         xlaHloPushNumber(p, limit) && xlaHloPushNumber(p, stride);
}

/// `1_2_0x0_0`: of each dimension low, high and perhaps interior.
static bool parsePadding(XlaHloParser *p, XlaHloAttr *attr) {
  size_t first = p->numbers.n;
  do {
    int64_t low, high, interior = 0;
    if (!xlaHloReadInteger(p, &low) || !xlaHloExpect(p, '_') ||
        !xlaHloReadInteger(p, &high) ||
        (xlaHloAccept(p, '_') && !xlaHloReadInteger(p, &interior)) ||
        !xlaHloPushNumber(p, low) || !xlaHloPushNumber(p, high) ||
        !xlaHloPushNumber(p, interior))
      return false;
  } while (xlaHloAccept(p, 'x'));
  return takeNumbers(p, first, attr);
}

typedef struct Window {
  int rank; ///< -1: not said yet
  int64_t fields[XLA_MAX_RANK][XlaHloWindowFieldCount];
} Window;

/// `3x3`, or of paddings `1_0x0_2`.
static bool parseWindowField(XlaHloParser *p, Window *window,
                             XlaHloWindowField field) {
  const char *from = p->at;
  int n = 0;
  do {
    if (n == XLA_MAX_RANK)
      return xlaHloFail(p, from, "the window has too many dimensions");
    if (!xlaHloReadInteger(p, &window->fields[n][field]))
      return false;
    if (field == XlaHloWindowLow &&
        (!xlaHloExpect(p, '_') ||
         !xlaHloReadInteger(p, &window->fields[n][XlaHloWindowHigh])))
      return false;
    ++n;
  } while (xlaHloAccept(p, 'x'));
  if (window->rank >= 0 && window->rank != n)
    return xlaHloFail(p, from, "the window has %d dimensions elsewhere",
                      window->rank);
  window->rank = n;
  return true;
}

static bool parseWindow(XlaHloParser *p, XlaHloAttr *attr) {
  static const struct {
    const char *name;
    XlaHloWindowField field;
  } names[] = {{"size", XlaHloWindowSize},
               {"stride", XlaHloWindowStride},
               {"pad", XlaHloWindowLow},
               {"rhs_dilate", XlaHloWindowDilation},
               {"lhs_dilate", XlaHloWindowBaseDilation},
               {"rhs_reversal", XlaHloWindowReversal}};
  Window window = {.rank = -1};
  for (int d = 0; d < XLA_MAX_RANK; ++d)
    window.fields[d][XlaHloWindowStride] =
        window.fields[d][XlaHloWindowDilation] =
            window.fields[d][XlaHloWindowBaseDilation] = 1;
  if (!xlaHloExpect(p, '{'))
    return false;
  while (!xlaHloAccept(p, '}')) {
    const char *from = p->at;
    MlirStringRef word = xlaHloReadWord(p);
    size_t i = 0, count = sizeof names / sizeof *names;
    while (i < count && !equals(word, names[i].name))
      ++i;
    if (i == count)
      return xlaHloFail(p, from, "a window has no %.*s", (int)word.length,
                        word.data);
    if (!xlaHloExpect(p, '=') || !parseWindowField(p, &window, names[i].field))
      return false;
  }
  size_t n = (size_t)(window.rank < 0 ? 0 : window.rank);
  attr->n = (uint32_t)n * XlaHloWindowFieldCount;
  attr->values = xlaHloArenaCopy(&p->module->arena, window.fields, n,
                                 sizeof *window.fields);
  return attr->values || xlaHloFailNoMemory(p);
}

/// One of three lists of labels, as b01f: the position of `batch`, `feature`
/// and of each digit.
static bool parseLabels(XlaHloParser *p, char batch, char feature, int64_t *a,
                        int64_t *b, int64_t space[10], int *nSpace) {
  const char *from = p->at;
  bool seen[12] = {false};
  int n = 0;
  *nSpace = 0;
  for (; p->at < p->end && (isdigit((unsigned char)*p->at) || *p->at == batch ||
                            *p->at == feature);
       ++p->at, ++n) {
    int label = *p->at == batch ? 10 : *p->at == feature ? 11 : *p->at - '0';
    if (seen[label])
      return xlaHloFail(p, p->at, "the dimension is there twice");
    seen[label] = true;
    *(label == 10 ? a : label == 11 ? b : &space[label]) = n;
    *nSpace += label < 10;
  }
  for (int i = 0; i < *nSpace; ++i)
    if (!seen[i])
      return xlaHloFail(p, from, "spatial dimension %d is missing", i);
  return (seen[10] && seen[11]) ||
         xlaHloFail(p, from, "expected %c, %c and numbers", batch, feature);
}

/// `b01f_01io->b01f`.
static bool parseDimLabels(XlaHloParser *p, XlaHloAttr *attr) {
  int64_t all[XlaHloLabelCount + 30], space[3][10];
  int n[3];
  xlaHloSkipBlanks(p);
  const char *from = p->at;
  if (!parseLabels(p, 'b', 'f', &all[XlaHloLabelLhsBatch],
                   &all[XlaHloLabelLhsFeature], space[0], &n[0]) ||
      !xlaHloExpect(p, '_') ||
      !parseLabels(p, 'i', 'o', &all[XlaHloLabelRhsInput],
                   &all[XlaHloLabelRhsOutput], space[1], &n[1]) ||
      !xlaHloExpect(p, '-') || !xlaHloExpect(p, '>') ||
      !parseLabels(p, 'b', 'f', &all[XlaHloLabelResultBatch],
                   &all[XlaHloLabelResultFeature], space[2], &n[2]))
    return false;
  if (n[0] != n[1] || n[0] != n[2])
    return xlaHloFail(p, from, "the numbers of spatial dimensions differ");
  attr->n = XlaHloLabelCount;
  for (int i = 0; i < 3; ++i)
    for (int d = 0; d < n[i]; ++d)
      all[attr->n++] = space[i][d];
  attr->values = xlaHloArenaCopy(&p->module->arena, all, attr->n, sizeof *all);
  return attr->values || xlaHloFailNoMemory(p);
}

//===----------------------------------------------------------------------===//
// Groups of replicas
//===----------------------------------------------------------------------===//

static bool pushGroup(XlaHloParser *p, void *data) {
  size_t at = p->numbers.n;
  if (!xlaHloPushNumber(p, 0) || !parseBraced(p, pushInteger, data))
    return false;
  p->numbers.values[at] = (int64_t)(p->numbers.n - at - 1);
  return true;
}

/// Dimensions in brackets.
static bool parseSizes(XlaHloParser *p, char open, char close, int64_t *sizes,
                       int *n) {
  *n = 0;
  if (!xlaHloExpect(p, open))
    return false;
  do {
    if (*n == XLA_MAX_RANK)
      return xlaHloFail(p, p->at, "the list is too long");
    if (!xlaHloReadInteger(p, &sizes[(*n)++]))
      return false;
  } while (xlaHloAccept(p, ','));
  return xlaHloExpect(p, close);
}

/// `[2,4]<=[4,2]T(1,0)`: as many groups of so many.
static bool parseIotaGroups(XlaHloParser *p, XlaHloAttr *attr) {
  int64_t groups[XLA_MAX_RANK], dims[XLA_MAX_RANK], order[XLA_MAX_RANK];
  int n, rank, nOrder;
  const char *from = p->at;
  if (!parseSizes(p, '[', ']', groups, &n) || !xlaHloExpect(p, '<') ||
      !xlaHloExpect(p, '=') || !parseSizes(p, '[', ']', dims, &rank))
    return false;
  for (nOrder = 0; nOrder < rank; ++nOrder)
    order[nOrder] = nOrder;
  if (xlaHloAccept(p, 'T') && !parseSizes(p, '(', ')', order, &nOrder))
    return false;
  const char *wrong =
      n != 2 || nOrder != rank
          ? "expected as many dimensions on both sides"
          : xlaHloAttrSetIotaGroups(&p->module->arena, attr, groups[0],
                                    groups[1], rank, dims, order);
  return !wrong || xlaHloFail(p, from, "%s", wrong);
}

/// `mesh['x'=2,'y'=4] {'x'}`.
static bool parseMeshGroups(XlaHloParser *p, XlaHloAttr *attr) {
  XlaMeshGroups groups;
  XlaImportText text = {p->at, p->end};
  const char *from = p->at, *wrong = xlaMeshReadHlo(&text, &groups);
  if (wrong)
    return xlaHloFail(p, from, "%s", wrong);
  p->at = text.next;
  return xlaHloAttrSetGroups(&p->module->arena, attr, &groups) ||
         xlaHloFailNoMemory(p);
}

static bool parseGroups(XlaHloParser *p, XlaHloAttr *attr) {
  size_t first = p->numbers.n;
  if (xlaHloIsNext(p, '['))
    return parseIotaGroups(p, attr);
  if (!xlaHloIsNext(p, '{'))
    return parseMeshGroups(p, attr);
  return parseBraced(p, pushGroup, NULL) && takeNumbers(p, first, attr);
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

bool xlaHloFindComputation(XlaHloParser *p, MlirStringRef name,
                           uint32_t *number) {
  *number = xlaHloNamesFind(&p->computations, name);
  if (*number != XLA_HLO_NO_NUMBER)
    return true;
  XlaHloComputation *added = xlaHloModuleAdd(p->module, name);
  *number = (uint32_t)p->module->n - 1;
  if (!added || !xlaHloNamesAdd(&p->computations, name, *number))
    return xlaHloFailNoMemory(p);
  return true;
}

static bool pushComputation(XlaHloParser *p, void *data) {
  MlirStringRef name;
  uint32_t number;
  (void)data;
  xlaHloSkipBlanks(p);
  const char *from = p->at;
  if (!xlaHloReadName(p, "a computation's name", &name))
    return false;
  size_t before = p->module->n;
  if (!xlaHloFindComputation(p, name, &number))
    return false;
  if (p->module->n > before) // not defined yet: where it is missing if never
    xlaHloCount(p, from, &p->module->computations[number].line,
                &p->module->computations[number].column);
  return xlaHloPushNumber(p, number);
}

bool xlaHloParseAttr(XlaHloParser *p, XlaHloAttrName name, XlaHloAttr *attr) {
  size_t first = p->numbers.n;
  int64_t value;
  xlaHloSkipBlanks(p);
  xlaHloCount(p, p->at, &attr->line, &attr->column);
  attr->name = name;
  switch (xlaHloAttrInfos[name].form) {
  case XlaHloFormInteger:
    return xlaHloReadInteger(p, &value) && single(p, value, attr);
  case XlaHloFormBool:
    return xlaHloReadBool(p, &value) && single(p, value, attr);
  case XlaHloFormReal:
    return parseReal(p, attr);
  case XlaHloFormWord:
    return parseWord(p, attr);
  case XlaHloFormWords:
    return parseWords(p, attr);
  case XlaHloFormText:
    return parseText(p, attr);
  case XlaHloFormMap:
    return xlaHloParseMap(p, attr);
  case XlaHloFormList:
    return parseBraced(p, pushInteger, NULL) && takeNumbers(p, first, attr);
  case XlaHloFormSlices:
    return parseBraced(p, pushSlice, NULL) && takeNumbers(p, first, attr);
  case XlaHloFormPadding:
    return parsePadding(p, attr);
  case XlaHloFormWindow:
    return parseWindow(p, attr);
  case XlaHloFormLabels:
    return parseDimLabels(p, attr);
  case XlaHloFormGroups:
    return parseGroups(p, attr);
  case XlaHloFormComputations:
    if (!xlaHloIsNext(p, '{'))
      return pushComputation(p, NULL) && takeNumbers(p, first, attr);
    return parseBraced(p, pushComputation, NULL) && takeNumbers(p, first, attr);
  case XlaHloFormSkipped:
    break;
  }
  return xlaHloSkipValue(p);
}
