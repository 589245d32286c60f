//===- parse_instruction.c - Instructions in HLO text ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/parse.h"

#include "xlac/dialect/nearest.h"

#include <string.h>

static bool equals(MlirStringRef a, const char *b) {
  return mlirStringRefEqual(a, mlirStringRefCreateFromCString(b));
}

/// `{op_name="a" source_file="f.py" source_line=3 ..}`.
static bool parseMetadata(XlaHloParser *p, XlaHloInstruction *made) {
  XlaHloMetadata metadata = {.opName = {NULL, 0}};
  if (!xlaHloExpect(p, '{'))
    return false;
  while (!xlaHloAccept(p, '}')) {
    MlirStringRef key = xlaHloReadWord(p);
    int64_t number;
    if (!key.length)
      return xlaHloFail(p, p->at, "expected a word");
    if (!xlaHloExpect(p, '='))
      return false;
    bool read = equals(key, "op_name") ? xlaHloReadString(p, &metadata.opName)
                : equals(key, "source_file")
                    ? xlaHloReadString(p, &metadata.sourceFile)
                : equals(key, "source_line") ? xlaHloReadInteger(p, &number)
                                             : xlaHloSkipValue(p);
    if (!read)
      return false;
    if (equals(key, "source_line") && number > 0 && number < INT32_MAX)
      metadata.sourceLine = (uint32_t)number;
    xlaHloAccept(p, ',');
  }
  made->metadata =
      xlaHloArenaCopy(&p->module->arena, &metadata, 1, sizeof metadata);
  return made->metadata || xlaHloFailNoMemory(p);
}

static const char *nextAttr(int i, const void *data) {
  (void)data;
  return i < XlaHloAttrCount ? xlaHloAttrInfos[i].name : NULL;
}

static const char *nextOpcode(int i, const void *data) {
  (void)data;
  return i < XlaHloOpcodeCount ? xlaHloOpcodeName((XlaHloOpcode)i) : NULL;
}

/// Newer versions of XLA may have it, unless it is known by a similar name.
static bool failUnknown(XlaHloParser *p, const char *at, const char *what,
                        MlirStringRef word,
                        const char *(*next)(int i, const void *data)) {
  const char *near = xlaNearestName(word.data, word.length, next, NULL);
  return near ? xlaHloFail(p, at, "%s '%.*s' is unknown; did you mean '%s'?",
                           what, (int)word.length, word.data, near)
              : xlaHloRefuse(p, at, "%s '%.*s' is not supported yet", what,
                             (int)word.length, word.data);
}

/// `, name=value` as often as there are some.
static bool parseAttributes(XlaHloParser *p, XlaHloInstruction *made) {
  enum { most = 64 };
  XlaHloAttr attrs[most];
  uint32_t n = 0;
  while (xlaHloAccept(p, ',')) {
    xlaHloSkipBlanks(p);
    const char *from = p->at;
    MlirStringRef word = xlaHloReadWord(p);
    XlaHloAttrName name = xlaHloAttrFromName(word);
    if (!word.length)
      return xlaHloFail(p, from, "expected the name of an attribute");
    if (name == XlaHloAttrCount)
      return failUnknown(p, from, "attribute", word, nextAttr);
    if (!xlaHloExpect(p, '='))
      return false;
    if (name == XlaHloAttrMetadata) {
      if (!parseMetadata(p, made))
        return false;
      continue;
    }
    if (n == most)
      return xlaHloFail(p, from, "there are more than %d attributes", most);
    memset(&attrs[n], 0, sizeof attrs[n]);
    bool isKept = xlaHloAttrIsKept(made->opcode, name);
    if (!(isKept ? xlaHloParseAttr(p, name, &attrs[n]) : xlaHloSkipValue(p)))
      return false;
    for (uint32_t i = 0; i < n; ++i)
      if (attrs[i].name == name)
        return xlaHloFail(p, from, "attribute '%.*s' is there twice",
                          (int)word.length, word.data);
    n += isKept;
  }
  made->nAttrs = n;
  made->attrs = xlaHloArenaCopy(&p->module->arena, attrs, n, sizeof *attrs);
  return made->attrs || xlaHloFailNoMemory(p);
}

static bool parseRest(XlaHloParser *p, XlaHloComputation *computation,
                      int depth, XlaHloInstruction *made);

/// Reads the opcode and what follows it, and appends the instruction, whose
/// nested ones are before it then.
static bool parseInstruction(XlaHloParser *p, XlaHloComputation *computation,
                             int depth, XlaHloInstruction *made,
                             uint32_t *number) {
  bool parsed = parseRest(p, computation, depth, made);
  XlaHloInstruction *added = parsed ? xlaHloComputationAdd(computation) : NULL;
  if (!added) {
    xlaLiteralRelease(made->literal);
    return parsed && xlaHloFailNoMemory(p);
  }
  *added = *made;
  *number = (uint32_t)computation->n - 1;
  return true;
}

/// `add(x, y)` in the place of a name: an instruction of its own, before the
/// one that takes it.
static bool parseNested(XlaHloParser *p, XlaHloComputation *computation,
                        int depth, MlirStringRef opcode,
                        const XlaHloShape *shape, uint32_t *number) {
  const char *from = opcode.data;
  XlaHloInstruction nested = {.name = opcode, .shape = shape, .parameter = -1};
  if (depth == XLA_HLO_MAX_NESTING)
    return xlaHloRefuse(p, from, "instructions are nested more than %d deep",
                        XLA_HLO_MAX_NESTING);
  xlaHloCount(p, from, &nested.line, &nested.column);
  p->at = from;
  return parseInstruction(p, computation, depth + 1, &nested, number);
}

/// A name, perhaps with its type before it, or a nested instruction.
static bool parseOperand(XlaHloParser *p, XlaHloComputation *computation,
                         int depth, uint32_t *number) {
  const XlaHloShape *shape = NULL;
  MlirStringRef name;
  if (xlaHloIsShapeNext(p) && !xlaHloParseShape(p, &shape))
    return false;
  xlaHloSkipBlanks(p);
  const char *from = p->at;
  if (!xlaHloReadName(p, "an operand", &name))
    return false;
  if (xlaHloIsNext(p, '('))
    return parseNested(p, computation, depth, name, shape, number);
  *number = xlaHloNamesFind(&p->instructions, name);
  return *number != XLA_HLO_NO_NUMBER ||
         xlaHloFail(p, from, "there is no instruction '%.*s' before",
                    (int)name.length, name.data);
}

static bool parseOperands(XlaHloParser *p, XlaHloComputation *computation,
                          int depth, XlaHloInstruction *made) {
  size_t first = p->numbers.n;
  while (!xlaHloIsNext(p, ')')) {
    uint32_t number;
    if (p->numbers.n > first && !xlaHloExpect(p, ','))
      return false;
    if (!parseOperand(p, computation, depth, &number) ||
        !xlaHloPushNumber(p, number))
      return false;
  }
  size_t n = p->numbers.n - first;
  uint32_t *operands = xlaHloArenaTake(&p->module->arena, n, sizeof *operands);
  if (!operands)
    return xlaHloFailNoMemory(p);
  for (size_t i = 0; i < n; ++i)
    operands[i] = (uint32_t)p->numbers.values[first + i];
  p->numbers.n = first;
  made->operands = operands;
  made->nOperands = (uint32_t)n;
  return true;
}

/// What the parentheses behind the opcode hold.
static bool parseContent(XlaHloParser *p, XlaHloComputation *computation,
                         int depth, XlaHloInstruction *made) {
  bool isParameter = made->opcode == XlaHloOpcodeParameter;
  if (!made->shape && (isParameter || made->opcode == XlaHloOpcodeConstant))
    return xlaHloFail(p, p->at, "must have its type before '%s'",
                      xlaHloOpcodeName(made->opcode));
  if (isParameter)
    return xlaHloReadInteger(p, &made->parameter);
  if (made->opcode == XlaHloOpcodeConstant)
    return xlaHloParseLiteral(p, made->shape, &made->literal);
  return parseOperands(p, computation, depth, made);
}

/// The opcode and what follows it. Attributes of nested instructions would be
/// taken for those of the outer one.
static bool parseRest(XlaHloParser *p, XlaHloComputation *computation,
                      int depth, XlaHloInstruction *made) {
  xlaHloSkipBlanks(p);
  const char *at = p->at;
  MlirStringRef opcode = xlaHloReadWord(p);
  if (!xlaHloOpcodeFromName(opcode, &made->opcode, &made->async))
    return opcode.length ? failUnknown(p, at, "the opcode", opcode, nextOpcode)
                         : xlaHloFail(p, at, "expected an opcode");
  return xlaHloExpect(p, '(') && parseContent(p, computation, depth, made) &&
         xlaHloExpect(p, ')') && (depth || parseAttributes(p, made));
}

static bool parseNamed(XlaHloParser *p, XlaHloComputation *computation,
                       XlaHloInstruction *made, uint32_t *number) {
  if (!xlaHloExpect(p, '=') ||
      (xlaHloIsShapeNext(p) && !xlaHloParseShape(p, &made->shape)))
    return false;
  return parseInstruction(p, computation, 0, made, number);
}

bool xlaHloParseInstruction(XlaHloParser *p, XlaHloComputation *computation) {
  xlaHloSkipBlanks(p);
  const char *from = p->at;
  MlirStringRef name;
  if (!xlaHloReadName(p, "an instruction or '}'", &name))
    return false;
  bool isRoot = equals(name, "ROOT") && !xlaHloIsNext(p, '=');
  if (isRoot) {
    xlaHloSkipBlanks(p);
    from = p->at;
    if (!xlaHloReadName(p, "an instruction", &name))
      return false;
  }
  XlaHloInstruction made = {.name = name, .parameter = -1};
  uint32_t number;
  xlaHloCount(p, from, &made.line, &made.column);
  if (!parseNamed(p, computation, &made, &number))
    return false;
  if (isRoot && computation->root != XLA_HLO_NO_NUMBER)
    return xlaHloFail(p, from, "there are two roots");
  if (isRoot)
    computation->root = number;
  if (xlaHloNamesFind(&p->instructions, name) != XLA_HLO_NO_NUMBER)
    return xlaHloFail(p, from, "there is an instruction '%.*s' before",
                      (int)name.length, name.data);
  return xlaHloNamesAdd(&p->instructions, name, number) ||
         xlaHloFailNoMemory(p);
}
