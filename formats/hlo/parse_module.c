//===- parse_module.c - Programs in HLO text ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/emit.h"
#include "xlac/formats/hlo/hlo.h"
#include "xlac/formats/hlo/parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool equals(MlirStringRef a, const char *b) {
  return mlirStringRefEqual(a, mlirStringRefCreateFromCString(b));
}

//===----------------------------------------------------------------------===//
// The first line
//===----------------------------------------------------------------------===//

/// `{1, 2}`: a part of a tuple. `*isWhole` if there are no numbers.
static bool parseIndex(XlaHloParser *p, bool *isWhole) {
  int64_t number;
  *isWhole = true;
  if (!xlaHloExpect(p, '{'))
    return false;
  while (!xlaHloAccept(p, '}')) {
    if ((!*isWhole && !xlaHloExpect(p, ',')) || !xlaHloReadInteger(p, &number))
      return false;
    *isWhole = false;
  }
  return true;
}

/// `{ {0}: (1, {}, may-alias), .. }`, or `{ (1, {}), .. }`: parameters whose
/// memory results may take. Parts of tuples are not taken.
static bool parseDonated(XlaHloParser *p) {
  if (!xlaHloExpect(p, '{'))
    return false;
  while (!xlaHloAccept(p, '}')) {
    bool isWhole;
    int64_t parameter;
    if (xlaHloIsNext(p, '{') &&
        (!parseIndex(p, &isWhole) || !xlaHloExpect(p, ':')))
      return false;
    if (!xlaHloExpect(p, '(') || !xlaHloReadInteger(p, &parameter))
      return false;
    isWhole = true;
    if (xlaHloAccept(p, ',') && !parseIndex(p, &isWhole))
      return false;
    if (xlaHloAccept(p, ','))
      xlaHloReadWord(p);
    if (!xlaHloExpect(p, ')') || (isWhole && !xlaHloPushNumber(p, parameter)))
      return false;
    xlaHloAccept(p, ',');
  }
  return true;
}

/// What is said of the module, of which meshes of devices count.
static bool parseFrontendAttributes(XlaHloParser *p) {
  XlaHloAttr map = {0};
  if (!xlaHloParseMap(p, &map))
    return false;
  for (uint32_t i = 0; i < map.n; ++i)
    if (equals(map.words[2 * i], XLA_HLO_MESHES))
      p->module->meshes = map.words[2 * i + 1];
  return true;
}

/// Tables of places in source files, which metadata refer to, are lines that
/// start with numbers.
static void skipTables(XlaHloParser *p) {
  static const char *const titles[] = {"FileNames", "FunctionNames",
                                       "FileLocations", "StackFrames"};
  for (int i = 0; i < 4;) {
    const char *from = p->at;
    bool isTable = equals(xlaHloReadWord(p), titles[i]);
    xlaHloSkipBlanks(p);
    if (!isTable || (p->at < p->end && !isdigit((unsigned char)*p->at))) {
      p->at = isTable ? p->at : from;
      ++i;
      continue;
    }
    while (p->at < p->end && isdigit((unsigned char)*p->at)) {
      const char *close = memchr(p->at, '\n', (size_t)(p->end - p->at));
      p->at = close ? close : p->end;
      xlaHloSkipBlanks(p);
    }
    ++i;
  }
}

bool xlaHloParseHeader(XlaHloParser *p) {
  if (!xlaHloAcceptText(p, "HloModule"))
    return true; // computations alone
  if (!xlaHloReadName(p, "the module's name", &p->module->name))
    return false;
  size_t first = p->numbers.n;
  while (xlaHloAccept(p, ',')) {
    MlirStringRef name = xlaHloReadWord(p);
    if (!name.length)
      return xlaHloFail(p, p->at, "expected the name of an attribute");
    if (!xlaHloExpect(p, '='))
      return false;
    bool read =
        equals(name, "input_output_alias") || equals(name, "buffer_donor")
            ? parseDonated(p)
        : equals(name, "replica_count")
            ? xlaHloReadInteger(p, &p->module->nReplicas)
        : equals(name, "num_partitions")
            ? xlaHloReadInteger(p, &p->module->nPartitions)
        : equals(name, "frontend_attributes") ? parseFrontendAttributes(p)
                                              : xlaHloSkipValue(p);
    if (!read)
      return false;
  }
  uint32_t n;
  p->module->donated = xlaHloTakeNumbers(p, first, &n);
  p->module->nDonated = n;
  skipTables(p);
  return p->module->donated != NULL;
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

/// `(a: f32[2], b: s32[]) -> f32[2]`, which the instructions say too.
static bool skipSignature(XlaHloParser *p) {
  const XlaHloShape *ignored;
  if (!xlaHloIsNext(p, '('))
    return true;
  return xlaHloSkipValue(p) && xlaHloExpect(p, '-') && xlaHloExpect(p, '>') &&
         xlaHloParseShape(p, &ignored);
}

static bool parseInstructions(XlaHloParser *p, XlaHloComputation *computation) {
  while (!xlaHloAccept(p, '}'))
    if (!xlaHloParseInstruction(p, computation))
      return false;
  return true;
}

/// Attributes of a computation stand behind it, and say nothing of values.
static bool skipAttributes(XlaHloParser *p) {
  while (xlaHloAccept(p, ','))
    if (!xlaHloReadWord(p).length || !xlaHloExpect(p, '=') ||
        !xlaHloSkipValue(p))
      return xlaHloFail(p, p->at, "expected an attribute");
  return true;
}

static bool parseBody(XlaHloParser *p, XlaHloComputation *body) {
  const char *from = p->at;
  if (!skipSignature(p) || !xlaHloExpect(p, '{') || !parseInstructions(p, body))
    return false;
  if (!body->n)
    return xlaHloFail(p, from, "the computation has no instructions");
  if (body->root == XLA_HLO_NO_NUMBER)
    body->root = (uint32_t)body->n - 1;
  const char *wrong = xlaHloComputationFinish(p->module, body);
  if (wrong)
    return xlaHloFail(p, from, "%s", wrong);
  return skipAttributes(p);
}

static bool parseComputation(XlaHloParser *p) {
  xlaHloSkipBlanks(p);
  const char *from = p->at;
  MlirStringRef name;
  uint32_t number;
  if (!xlaHloReadName(p, "a computation", &name))
    return false;
  bool isEntry =
      equals(name, "ENTRY") && !xlaHloIsNext(p, '(') && !xlaHloIsNext(p, '{');
  if (isEntry && !xlaHloReadName(p, "a computation", &name))
    return false;
  if (!xlaHloFindComputation(p, name, &number))
    return false;
  if (p->module->computations[number].isDefined)
    return xlaHloFail(p, from, "there is a computation '%.*s' before",
                      (int)name.length, name.data);
  if (isEntry && p->module->entry != XLA_HLO_NO_NUMBER)
    return xlaHloFail(p, from, "there are two computations ENTRY");
  if (isEntry)
    p->module->entry = number;
  // Computations are moved when others are named.
  XlaHloComputation body = {.name = name, .root = XLA_HLO_NO_NUMBER};
  xlaHloCount(p, from, &body.line, &body.column);
  bool parsed = parseBody(p, &body);
  p->module->computations[number] = body;
  xlaHloNamesFree(&p->instructions);
  return parsed;
}

static bool checkDefined(XlaHloParser *p) {
  for (size_t i = 0; i < p->module->n; ++i) {
    const XlaHloComputation *c = &p->module->computations[i];
    if (c->isDefined)
      continue;
    p->result = XlaImportResultInvalid;
    xlaIrError(
        mlirLocationFileLineColGet(p->context, p->file, c->line, c->column),
        "there is no computation '%.*s'", (int)c->name.length, c->name.data);
    return false;
  }
  return p->module->entry != XLA_HLO_NO_NUMBER ||
         xlaHloFail(p, p->end, "there is no computation ENTRY");
}

static bool parse(XlaHloParser *p) {
  if (!xlaHloReserve((void **)&p->numbers.values, &p->numbers.capacity, 1,
                     sizeof *p->numbers.values) ||
      !xlaHloReserve((void **)&p->shapes.values, &p->shapes.capacity, 1,
                     sizeof *p->shapes.values))
    return xlaHloFailNoMemory(p);
  if (!xlaHloParseHeader(p))
    return false;
  for (xlaHloSkipBlanks(p); p->at < p->end; xlaHloSkipBlanks(p))
    if (!parseComputation(p))
      return false;
  return checkDefined(p);
}

XlaImportResult xlaHloTextRead(MlirContext context, MlirStringRef text,
                               MlirStringRef name, bool keepsFusions,
                               MlirModule *module) {
  XlaHloModule program = {.entry = XLA_HLO_NO_NUMBER};
  XlaHloParser parser = {.context = context,
                         .file = name,
                         .start = text.data,
                         .at = text.data,
                         .end = text.data + text.length,
                         .module = &program,
                         .counted = text.data,
                         .lineStart = text.data,
                         .line = 1};
  *module = (MlirModule){NULL};
  XlaImportResult result = XlaImportResultOk;
  result = parse(&parser)
               ? xlaHloEmit(context, &program, name, keepsFusions, module)
               : parser.result;
  xlaHloNamesFree(&parser.computations);
  xlaHloNamesFree(&parser.instructions);
  free(parser.numbers.values);
  free(parser.shapes.values);
  xlaHloModuleFree(&program);
  return result;
}
