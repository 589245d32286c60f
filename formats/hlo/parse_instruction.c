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
    if (!xlaHloParseAttr(p, name, &attrs[n]))
      return false;
    for (uint32_t i = 0; i < n; ++i)
      if (attrs[i].name == name)
        return xlaHloFail(p, from, "attribute '%.*s' is there twice",
                          (int)word.length, word.data);
    n += xlaHloAttrInfos[name].form != XlaHloFormSkipped;
  }
  made->nAttrs = n;
  made->attrs = xlaHloArenaCopy(&p->module->arena, attrs, n, sizeof *attrs);
  return made->attrs || xlaHloFailNoMemory(p);
}

/// Names, each perhaps with its type before it.
static bool parseOperands(XlaHloParser *p, XlaHloInstruction *made) {
  size_t first = p->numbers.n;
  const XlaHloShape *ignored;
  while (!xlaHloIsNext(p, ')')) {
    MlirStringRef name;
    if (p->numbers.n > first && !xlaHloExpect(p, ','))
      return false;
    if (xlaHloIsShapeNext(p) && !xlaHloParseShape(p, &ignored))
      return false;
    xlaHloSkipBlanks(p);
    const char *from = p->at;
    if (!xlaHloReadName(p, "an operand", &name))
      return false;
    uint32_t number = xlaHloNamesFind(&p->instructions, name);
    if (number == XLA_HLO_NO_NUMBER)
      return xlaHloFail(p, from, "there is no instruction '%.*s' before",
                        (int)name.length, name.data);
    if (!xlaHloPushNumber(p, number))
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
static bool parseContent(XlaHloParser *p, XlaHloInstruction *made) {
  if (made->opcode == XlaHloOpcodeParameter)
    return xlaHloReadInteger(p, &made->parameter);
  if (made->opcode == XlaHloOpcodeConstant)
    return xlaHloParseLiteral(p, made->shape, &made->literal);
  return parseOperands(p, made);
}

bool xlaHloParseInstruction(XlaHloParser *p, XlaHloComputation *computation) {
  xlaHloSkipBlanks(p);
  const char *from = p->at;
  MlirStringRef name, opcode;
  if (!xlaHloReadName(p, "an instruction or '}'", &name))
    return false;
  bool isRoot = equals(name, "ROOT") && !xlaHloIsNext(p, '=');
  if (isRoot) {
    xlaHloSkipBlanks(p);
    from = p->at;
    if (!xlaHloReadName(p, "an instruction", &name))
      return false;
  }
  XlaHloInstruction *made = xlaHloComputationAdd(computation);
  if (!made)
    return xlaHloFailNoMemory(p);
  made->name = name;
  xlaHloCount(p, from, &made->line, &made->column);
  if (!xlaHloExpect(p, '=') || !xlaHloParseShape(p, &made->shape))
    return false;
  xlaHloSkipBlanks(p);
  const char *at = p->at;
  opcode = xlaHloReadWord(p);
  if (!xlaHloOpcodeFromName(opcode, &made->opcode, &made->async))
    return opcode.length ? failUnknown(p, at, "the opcode", opcode, nextOpcode)
                         : xlaHloFail(p, at, "expected an opcode");
  if (!xlaHloExpect(p, '(') || !parseContent(p, made) ||
      !xlaHloExpect(p, ')') || !parseAttributes(p, made))
    return false;
  uint32_t number = (uint32_t)computation->n - 1;
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
