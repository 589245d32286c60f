//===- proto_module.c - Programs in HLO's protocol buffers ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/emit.h"
#include "xlac/formats/hlo/hlo.h"
#include "xlac/formats/hlo/proto.h"

#include "mlir-c/Diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Errors and lists
//===----------------------------------------------------------------------===//

bool xlaHloProtoFail(XlaHloProto *p, XlaImportResult result, const char *format,
                     ...) {
  char text[512], message[768];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  size_t length = p->name.length < 100 ? p->name.length : 100;
  snprintf(message, sizeof message, "%s%.*s%s%s", length ? "instruction " : "",
           (int)length, length ? p->name.data : "", length ? ": " : "", text);
  if (p->result == XlaImportResultOk)
    mlirEmitError(mlirLocationFileLineColGet(p->context, p->file, 1, 1),
                  message);
  p->result = result;
  return false;
}

bool xlaHloProtoMalformed(XlaHloProto *p) {
  return xlaHloProtoFail(p, XlaImportResultInvalid,
                         "the protocol buffer is malformed");
}

bool xlaHloProtoNoMemory(XlaHloProto *p) {
  return xlaHloProtoFail(p, XlaImportResultUnsupported, "out of memory");
}

static bool push(XlaHloProto *p, uint64_t value) {
  if (!xlaHloReserve((void **)&p->numbers.values, &p->numbers.capacity,
                     p->numbers.n + 1, sizeof *p->numbers.values))
    return xlaHloProtoNoMemory(p);
  p->numbers.values[p->numbers.n++] = (int64_t)value;
  return true;
}

bool xlaHloProtoPush(XlaHloProto *p, const XlaHloField *field) {
  if (field->type != XlaHloWireBytes)
    return push(p, field->value);
  XlaHloWire wire = xlaHloWireOf(field->bytes);
  uint64_t value;
  while (wire.at < wire.end)
    if (!xlaHloWireReadVarint(&wire, &value))
      return xlaHloProtoMalformed(p);
    else if (!push(p, value))
      return false;
  return true;
}

bool xlaHloProtoPushList(XlaHloProto *p, MlirStringRef message,
                         uint32_t number) {
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField field;
  while (xlaHloWireNext(&wire, &field))
    if (field.number == number && !xlaHloProtoPush(p, &field))
      return false;
  return !wire.failed || xlaHloProtoMalformed(p);
}

const int64_t *xlaHloProtoTake(XlaHloProto *p, uint32_t *n) {
  const int64_t *taken =
      p->numbers.n > UINT32_MAX / 8
          ? NULL
          : xlaHloArenaCopy(&p->module->arena, p->numbers.values, p->numbers.n,
                            sizeof *taken);
  *n = (uint32_t)p->numbers.n;
  p->numbers.n = 0;
  if (!taken)
    xlaHloProtoNoMemory(p);
  return taken;
}

/// Ids are names of eight bytes.
static MlirStringRef idName(const int64_t *id) {
  return mlirStringRefCreate((const char *)id, sizeof *id);
}

static bool addId(XlaHloProto *p, XlaHloNames *names, int64_t id,
                  uint32_t number) {
  const int64_t *kept = xlaHloArenaCopy(&p->module->arena, &id, 1, sizeof id);
  if (xlaHloNamesFind(names, idName(&id)) != XLA_HLO_NO_NUMBER)
    return xlaHloProtoFail(p, XlaImportResultInvalid,
                           "the id %lld is there twice", (long long)id);
  return (kept && xlaHloNamesAdd(names, idName(kept), number)) ||
         xlaHloProtoNoMemory(p);
}

static bool findId(XlaHloProto *p, const XlaHloNames *names, int64_t id,
                   uint32_t *number) {
  *number = xlaHloNamesFind(names, idName(&id));
  return *number != XLA_HLO_NO_NUMBER ||
         xlaHloProtoFail(p, XlaImportResultInvalid,
                         "there is nothing of the id %lld", (long long)id);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// The names of what an opcode calls, in the order of ids.
static XlaHloAttrName calleeName(XlaHloOpcode opcode, size_t i) {
  if (opcode == XlaHloOpcodeWhile)
    return i ? XlaHloAttrCondition : XlaHloAttrBody;
  if (opcode == XlaHloOpcodeSelectAndScatter)
    return i ? XlaHloAttrScatter : XlaHloAttrSelect;
  if (opcode == XlaHloOpcodeConditional)
    return XlaHloAttrBranchComputations;
  if (opcode == XlaHloOpcodeFusion || opcode == XlaHloOpcodeAsync)
    return XlaHloAttrCalls;
  if (opcode == XlaHloOpcodeCustomCall)
    return XlaHloAttrCalledComputations;
  return XlaHloAttrToApply;
}

static bool readCallees(XlaHloProto *p, MlirStringRef message,
                        XlaHloOpcode opcode, XlaHloProtoAttrs *attrs) {
  uint32_t n, number;
  if (!xlaHloProtoPushList(p, message, 38))
    return false;
  int64_t *ids = (int64_t *)(uintptr_t)xlaHloProtoTake(p, &n);
  if (!ids)
    return false;
  for (uint32_t i = 0; i < n; ++i) {
    if (!findId(p, &p->computations, ids[i], &number))
      return false;
    ids[i] = number;
  }
  bool apart =
      opcode == XlaHloOpcodeWhile || opcode == XlaHloOpcodeSelectAndScatter;
  for (uint32_t i = 0; i < n; i += apart ? 1 : n) {
    XlaHloAttr *attr;
    if ((apart && i > 1) ||
        !xlaHloProtoAdd(p, attrs, calleeName(opcode, i), &attr))
      return xlaHloProtoFail(p, XlaImportResultInvalid,
                             "calls too many computations");
    attr->values = ids + i;
    attr->n = apart ? 1 : n;
  }
  return true;
}

static bool readMetadata(XlaHloProto *p, MlirStringRef message,
                         XlaHloInstruction *made) {
  XlaHloMetadata metadata = {.opName = {NULL, 0}};
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField field;
  while (xlaHloWireNext(&wire, &field)) {
    if (field.number == 2)
      metadata.opName = field.bytes;
    if (field.number == 3)
      metadata.sourceFile = field.bytes;
    if (field.number == 4 && field.value < INT32_MAX)
      metadata.sourceLine = (uint32_t)field.value;
  }
  made->metadata =
      xlaHloArenaCopy(&p->module->arena, &metadata, 1, sizeof metadata);
  return made->metadata || xlaHloProtoNoMemory(p);
}

static bool readOpcode(XlaHloProto *p, MlirStringRef name,
                       XlaHloInstruction *made) {
  return xlaHloOpcodeFromName(name, &made->opcode, &made->async) ||
         xlaHloProtoFail(p, XlaImportResultUnsupported,
                         "the opcode '%.*s' is not supported yet",
                         (int)(name.length < 100 ? name.length : 100),
                         name.data);
}

static bool readOperands(XlaHloProto *p, MlirStringRef message,
                         XlaHloInstruction *made) {
  if (!xlaHloProtoPushList(p, message, 36))
    return false;
  size_t n = p->numbers.n;
  uint32_t *operands = xlaHloArenaTake(&p->module->arena, n, sizeof *operands);
  if (!operands)
    return xlaHloProtoNoMemory(p);
  for (size_t i = 0; i < n; ++i)
    if (!findId(p, &p->instructions, p->numbers.values[i], &operands[i]))
      return false;
  p->numbers.n = 0;
  made->operands = operands;
  made->nOperands = (uint32_t)n;
  return true;
}

static bool readAttrs(XlaHloProto *p, MlirStringRef message,
                      XlaHloInstruction *made) {
  XlaHloProtoAttrs attrs = {.n = 0};
  if (!xlaHloProtoReadAttrs(p, message, made->opcode, &attrs) ||
      !readCallees(p, message, made->opcode, &attrs))
    return false;
  made->nAttrs = attrs.n;
  made->attrs = xlaHloArenaCopy(&p->module->arena, attrs.items, attrs.n,
                                sizeof *attrs.items);
  return made->attrs || xlaHloProtoNoMemory(p);
}

static bool readInstruction(XlaHloProto *p, MlirStringRef message,
                            XlaHloComputation *computation) {
  XlaHloInstruction *made = xlaHloComputationAdd(computation);
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField field;
  MlirStringRef opcode = {NULL, 0}, literal = {NULL, 0};
  int64_t id = 0, parameter = 0;
  if (!made)
    return xlaHloProtoNoMemory(p);
  p->name = mlirStringRefCreate("", 0);
  while (xlaHloWireNext(&wire, &field)) {
    if (field.number == 1)
      p->name = made->name = field.bytes;
    if (field.number == 2)
      opcode = field.bytes;
    if (field.number == 8)
      literal = field.bytes;
    if (field.number == 9)
      parameter = xlaHloFieldInteger(&field);
    if (field.number == 35)
      id = xlaHloFieldInteger(&field);
    if (field.number == 3 && !xlaHloProtoShape(p, field.bytes, &made->shape))
      return false;
    if (field.number == 7 && !readMetadata(p, field.bytes, made))
      return false;
  }
  if (wire.failed || !made->shape)
    return xlaHloProtoMalformed(p);
  if (!readOpcode(p, opcode, made) || !readOperands(p, message, made) ||
      !readAttrs(p, message, made))
    return false;
  if (made->opcode == XlaHloOpcodeParameter)
    made->parameter = parameter;
  if (made->opcode == XlaHloOpcodeConstant && literal.data &&
      !xlaHloProtoLiteral(p, literal, &made->literal))
    return false;
  return addId(p, &p->instructions, id, (uint32_t)computation->n - 1);
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

static bool readComputation(XlaHloProto *p, MlirStringRef message,
                            XlaHloComputation *computation) {
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField field;
  int64_t root = 0;
  while (xlaHloWireNext(&wire, &field)) {
    if (field.number == 6)
      root = xlaHloFieldInteger(&field);
    if (field.number == 2 && !readInstruction(p, field.bytes, computation))
      return false;
  }
  p->name = mlirStringRefCreate("", 0);
  if (wire.failed)
    return xlaHloProtoMalformed(p);
  if (!findId(p, &p->instructions, root, &computation->root))
    return false;
  const char *wrong = xlaHloComputationFinish(p->module, computation);
  return !wrong || xlaHloProtoFail(p, XlaImportResultInvalid, "%s", wrong);
}

/// Its name and id, so that others can name it.
static bool addComputation(XlaHloProto *p, MlirStringRef message) {
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField field;
  XlaHloComputation *added =
      xlaHloModuleAdd(p->module, mlirStringRefCreate("", 0));
  int64_t id = 0;
  if (!added)
    return xlaHloProtoNoMemory(p);
  while (xlaHloWireNext(&wire, &field)) {
    if (field.number == 1)
      added->name = field.bytes;
    if (field.number == 5)
      id = xlaHloFieldInteger(&field);
  }
  if (wire.failed || !added->name.length)
    return xlaHloProtoMalformed(p);
  return addId(p, &p->computations, id, (uint32_t)p->module->n - 1);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Entries of input_output_alias (the parameter is field 2 of each, its part
/// field 3) and of buffer_donor (1 and 2).
static bool pushDonated(XlaHloProto *p, MlirStringRef message,
                        uint32_t parameter) {
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField entry, field;
  while (xlaHloWireNext(&wire, &entry)) {
    XlaHloWire inner = xlaHloWireOf(entry.bytes);
    uint64_t number = 0;
    bool isWhole = true;
    while (entry.number == 1 && xlaHloWireNext(&inner, &field)) {
      number = field.number == parameter ? field.value : number;
      isWhole &= field.number != parameter + 1;
    }
    if (entry.number == 1 && isWhole && !push(p, number))
      return false;
  }
  return true;
}

/// Two computations of one name would be functions of one name.
static bool checkNames(XlaHloProto *p) {
  XlaHloNames names = {0};
  bool differ = true;
  for (size_t i = 0; differ && i < p->module->n; ++i) {
    MlirStringRef name = p->module->computations[i].name;
    differ = xlaHloNamesFind(&names, name) == XLA_HLO_NO_NUMBER
                 ? xlaHloNamesAdd(&names, name, 0) || xlaHloProtoNoMemory(p)
                 : xlaHloProtoFail(p, XlaImportResultInvalid,
                                   "two computations have one name");
  }
  xlaHloNamesFree(&names);
  return differ;
}

/// How many devices it was compiled for, if it says that.
static void readDevices(XlaHloProto *p, MlirStringRef message) {
  XlaHloField field;
  if (xlaHloProtoFind(message, 1, &field))
    p->module->nReplicas = xlaHloFieldInteger(&field);
  if (xlaHloProtoFind(message, 2, &field))
    p->module->nPartitions = xlaHloFieldInteger(&field);
}

/// What is said of the module, of which meshes of devices count.
static bool readFrontendAttributes(XlaHloProto *p, MlirStringRef message) {
  XlaHloAttr map = {0};
  if (!xlaHloProtoReadMap(p, message, &map))
    return false;
  for (uint32_t i = 0; i < map.n; ++i)
    if (mlirStringRefEqual(map.words[2 * i],
                           mlirStringRefCreateFromCString(XLA_HLO_MESHES)))
      p->module->meshes = map.words[2 * i + 1];
  return true;
}

static bool readModule(XlaHloProto *p, MlirStringRef message) {
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField field;
  int64_t entry = 0;
  uint32_t n, at = 0;
  while (xlaHloWireNext(&wire, &field)) {
    if (field.number == 1)
      p->module->name = field.bytes;
    if (field.number == 6)
      entry = xlaHloFieldInteger(&field);
    if ((field.number == 8 && !pushDonated(p, field.bytes, 2)) ||
        (field.number == 18 && !pushDonated(p, field.bytes, 1)) ||
        (field.number == 19 && !readFrontendAttributes(p, field.bytes)))
      return false;
    if (field.number == 15)
      readDevices(p, field.bytes);
  }
  if (wire.failed)
    return xlaHloProtoMalformed(p);
  p->module->donated = xlaHloProtoTake(p, &n);
  p->module->nDonated = n;
  if (!p->module->donated)
    return false;
  for (wire = xlaHloWireOf(message); xlaHloWireNext(&wire, &field);)
    if (field.number == 3 && !addComputation(p, field.bytes))
      return false;
  if (!checkNames(p))
    return false;
  for (wire = xlaHloWireOf(message); xlaHloWireNext(&wire, &field);) {
    if (field.number != 3)
      continue;
    bool read = readComputation(p, field.bytes, &p->module->computations[at++]);
    xlaHloNamesFree(&p->instructions);
    if (!read)
      return false;
  }
  return findId(p, &p->computations, entry, &p->module->entry);
}

/// The module in a message: itself, or field 1 of it, at most two deep.
static bool findModule(MlirStringRef bytes, int depth, MlirStringRef *module) {
  XlaHloWire wire = xlaHloWireOf(bytes);
  XlaHloField field, inner;
  MlirStringRef first = {NULL, 0};
  bool hasEntry = false, hasComputation = false;
  while (xlaHloWireNext(&wire, &field)) {
    bool isBytes = field.type == XlaHloWireBytes;
    if (field.number == 1 && isBytes && !first.data)
      first = field.bytes;
    hasEntry |= (field.number == 2 && isBytes) ||
                (field.number == 6 && field.type == XlaHloWireVarint);
    if (field.number != 3 || !isBytes || hasComputation)
      continue;
    XlaHloWire computation = xlaHloWireOf(field.bytes);
    hasComputation = xlaHloWireNext(&computation, &inner) &&
                     inner.number == 1 && inner.type == XlaHloWireBytes;
  }
  if (wire.failed)
    return false;
  if (first.data && depth < 2 && findModule(first, depth + 1, module))
    return true;
  *module = bytes;
  return hasEntry && hasComputation;
}

bool xlaHloIsProto(MlirStringRef bytes) {
  MlirStringRef module;
  return bytes.length > 2 && bytes.data[0] == '\n' &&
         findModule(bytes, 0, &module);
}

XlaImportResult xlaHloProtoRead(MlirContext context, MlirStringRef bytes,
                                MlirStringRef name, bool keepsFusions,
                                MlirModule *module) {
  XlaHloModule program = {.entry = XLA_HLO_NO_NUMBER};
  XlaHloProto p = {.context = context, .file = name, .module = &program};
  MlirStringRef message;
  *module = (MlirModule){NULL};
  if (!findModule(bytes, 0, &message))
    xlaHloProtoMalformed(&p);
  else if (readModule(&p, message))
    p.result = xlaHloEmit(context, &program, name, keepsFusions, module);
  xlaHloNamesFree(&p.computations);
  xlaHloNamesFree(&p.instructions);
  free(p.numbers.values);
  xlaHloModuleFree(&program);
  return p.result;
}
