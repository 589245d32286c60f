//===- ast.c - A program of HLO as it was written -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/ast.h"

#include <stdlib.h>
#include <string.h>

/// Asked of whole tables, for every instruction.
static bool equals(MlirStringRef a, const char *b) {
  return a.length && *a.data == *b && !strncmp(a.data, b, a.length) &&
         !b[a.length];
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

const XlaHloAttrInfo xlaHloAttrInfos[XlaHloAttrCount] = {
#define XLA_HLO_ATTR(name, Enum, Form, xla) {name, XlaHloForm##Form, xla},
#include "xlac/formats/hlo/attributes.def"
};

static const char *const opcodeNames[XlaHloOpcodeCount] = {
#define XLA_HLO_OP(name, ...) name,
#include "xlac/formats/hlo/opcodes.def"
};

XlaHloAttrName xlaHloAttrFromName(MlirStringRef name) {
  int i = 0;
  while (i < XlaHloAttrCount && !equals(name, xlaHloAttrInfos[i].name))
    ++i;
  return (XlaHloAttrName)i;
}

const char *xlaHloOpcodeName(XlaHloOpcode opcode) {
  return opcodeNames[opcode];
}

static bool findOpcode(MlirStringRef name, XlaHloOpcode *opcode) {
  for (int i = 0; i < XlaHloOpcodeCount; ++i)
    if (equals(name, opcodeNames[i])) {
      *opcode = (XlaHloOpcode)i;
      return true;
    }
  return false;
}

bool xlaHloOpcodeFromName(MlirStringRef name, XlaHloOpcode *opcode,
                          XlaHloAsync *async) {
  static const char *const ends[] = {"-start", "-update", "-done"};
  *async = XlaHloAsyncNo;
  if (findOpcode(name, opcode))
    return true;
  for (int i = 0; i < 3; ++i) {
    size_t length = strlen(ends[i]);
    if (name.length > length &&
        !memcmp(name.data + name.length - length, ends[i], length)) {
      *async = (XlaHloAsync)(XlaHloAsyncStart + i);
      name.length -= length;
      return findOpcode(name, opcode);
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

const char *xlaHloShapeSetArray(XlaHloArena *arena, XlaHloShape *shape,
                                XlaElementType type, int rank,
                                const int64_t *dims, uint32_t dynamic) {
  XlaShape checked;
  shape->kind = XlaHloShapeKindArray;
  shape->elementType = type;
  shape->nLeaves = 1;
  if (!xlaShapeMake(type, rank, dims, &checked))
    return "an array has a negative size, or is too large";
  shape->rank = rank;
  shape->dynamic = dynamic;
  shape->dims = xlaHloArenaCopy(arena, dims, (size_t)rank, sizeof *dims);
  return shape->dims ? NULL : "out of memory";
}

const char *xlaHloShapeSetLayout(XlaHloArena *arena, XlaHloShape *shape,
                                 int rank, const int64_t *minorToMajor) {
  uint32_t seen = 0;
  bool isDefault = true;
  if (rank != shape->rank)
    return "a layout must have as many dimensions as its array";
  for (int i = 0; i < rank; ++i) {
    if (minorToMajor[i] < 0 || minorToMajor[i] >= rank ||
        (seen >> minorToMajor[i] & 1))
      return "a layout must have every dimension once";
    seen |= UINT32_C(1) << minorToMajor[i];
    isDefault &= minorToMajor[i] == rank - 1 - i;
  }
  if (isDefault)
    return NULL;
  shape->minorToMajor =
      xlaHloArenaCopy(arena, minorToMajor, (size_t)rank, sizeof *minorToMajor);
  return shape->minorToMajor ? NULL : "out of memory";
}

const char *xlaHloShapeSetTuple(XlaHloArena *arena, XlaHloShape *shape,
                                size_t n, const XlaHloShape *const *elements) {
  uint64_t nLeaves = 0;
  uint32_t *firsts = xlaHloArenaTake(arena, n, sizeof *firsts);
  if (!firsts)
    return "out of memory";
  for (size_t i = 0; i < n; ++i) {
    firsts[i] = (uint32_t)nLeaves;
    nLeaves += elements[i]->nLeaves;
    if (nLeaves >= UINT32_MAX / 4)
      return "a tuple has too many elements";
  }
  if (n >= UINT32_MAX / 4)
    return "a tuple has too many elements";
  shape->kind = XlaHloShapeKindTuple;
  shape->nElements = (uint32_t)n;
  shape->nLeaves = (uint32_t)nLeaves;
  shape->firsts = firsts;
  shape->elements = xlaHloArenaCopy(arena, elements, n, sizeof *elements);
  return shape->elements ? NULL : "out of memory";
}

XlaShape xlaHloShapeGetArray(const XlaHloShape *shape) {
  XlaShape array = {.elementType = shape->elementType,
                    .rank = shape->rank,
                    .dynamic = shape->dynamic};
  for (int i = 0; i < shape->rank; ++i)
    array.dims[i] = shape->dims[i];
  return array;
}

//===----------------------------------------------------------------------===//
// Groups of replicas
//===----------------------------------------------------------------------===//

const char *xlaHloAttrSetIotaGroups(XlaHloArena *arena, XlaHloAttr *attr,
                                    int64_t nGroups, int64_t groupSize,
                                    int rank, const int64_t *dims,
                                    const int64_t *order) {
  enum { most = 1 << 20 };
  int64_t strides[XLA_MAX_RANK], index[XLA_MAX_RANK] = {0}, total = 1;
  int64_t moved[XLA_MAX_RANK];
  uint32_t seen = 0;
  for (int d = rank - 1; d >= 0; --d) {
    if (dims[d] < 1 || dims[d] > most || total > most / dims[d])
      return "the list of replicas is empty, or too long";
    strides[d] = total;
    total *= dims[d];
  }
  for (int d = 0; d < rank; ++d) {
    if (order[d] < 0 || order[d] >= rank || (seen >> order[d] & 1))
      return "the order must have every dimension once";
    seen |= UINT32_C(1) << order[d];
    moved[d] = dims[order[d]];
  }
  if (nGroups < 1 || groupSize < 1 || nGroups > most || groupSize > most ||
      nGroups * groupSize != total)
    return "the groups must have all replicas";
  int64_t *values =
      xlaHloArenaTake(arena, (size_t)(total + nGroups), sizeof *values);
  if (!values)
    return "out of memory";
  attr->values = values;
  attr->n = (uint32_t)(total + nGroups);
  for (int64_t i = 0; i < total; ++i) {
    int64_t number = 0;
    for (int d = 0; d < rank; ++d)
      number += index[d] * strides[order[d]];
    if (i % groupSize == 0)
      *values++ = groupSize;
    *values++ = number;
    xlaIndexNext(index, moved, rank);
  }
  return NULL;
}

bool xlaHloAttrSetGroups(XlaHloArena *arena, XlaHloAttr *attr,
                         XlaMeshGroups *groups) {
  int64_t n = groups->n * (groups->size + 1);
  int64_t *values = xlaHloArenaTake(arena, (size_t)n, sizeof *values);
  attr->values = values;
  attr->n = (uint32_t)n;
  for (int64_t i = 0; values && i < groups->n * groups->size; ++i) {
    if (i % groups->size == 0)
      *values++ = groups->size;
    *values++ = groups->ids[i];
  }
  free(groups->ids);
  return attr->values;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

XlaHloComputation *xlaHloModuleAdd(XlaHloModule *module, MlirStringRef name) {
  if (module->n >= XLA_HLO_NO_NUMBER / 2 ||
      !xlaHloReserve((void **)&module->computations, &module->capacity,
                     module->n + 1, sizeof *module->computations))
    return NULL;
  XlaHloComputation *added = &module->computations[module->n++];
  memset(added, 0, sizeof *added);
  added->name = name;
  return added;
}

XlaHloInstruction *xlaHloComputationAdd(XlaHloComputation *computation) {
  if (computation->n >= XLA_HLO_NO_NUMBER / 2 ||
      !xlaHloReserve((void **)&computation->instructions,
                     &computation->capacity, computation->n + 1,
                     sizeof *computation->instructions))
    return NULL;
  XlaHloInstruction *added = &computation->instructions[computation->n++];
  memset(added, 0, sizeof *added);
  added->parameter = -1;
  return added;
}

const char *xlaHloComputationFinish(XlaHloModule *module,
                                    XlaHloComputation *computation) {
  size_t n = 0;
  for (size_t i = 0; i < computation->n; ++i)
    n += computation->instructions[i].opcode == XlaHloOpcodeParameter;
  uint32_t *parameters = xlaHloArenaTake(&module->arena, n, sizeof *parameters);
  if (!parameters)
    return "out of memory";
  for (size_t i = 0; i < n; ++i)
    parameters[i] = XLA_HLO_NO_NUMBER;
  for (size_t i = 0; i < computation->n; ++i) {
    const XlaHloInstruction *at = &computation->instructions[i];
    if (at->opcode != XlaHloOpcodeParameter)
      continue;
    if (at->parameter < 0 || (uint64_t)at->parameter >= n ||
        parameters[at->parameter] != XLA_HLO_NO_NUMBER)
      return "parameters must be numbered from 0 on, each once";
    parameters[at->parameter] = (uint32_t)i;
  }
  computation->nParameters = (uint32_t)n;
  computation->parameters = parameters;
  computation->isDefined = true;
  return NULL;
}

void xlaHloModuleFree(XlaHloModule *module) {
  for (size_t i = 0; i < module->n; ++i) {
    XlaHloComputation *computation = &module->computations[i];
    for (size_t k = 0; k < computation->n; ++k)
      xlaLiteralRelease(computation->instructions[k].literal);
    free(computation->instructions);
  }
  free(module->computations);
  xlaHloArenaFree(&module->arena);
  memset(module, 0, sizeof *module);
}

bool xlaHloAttrIsKept(XlaHloOpcode opcode, XlaHloAttrName name) {
  bool isOfCalls =
      name == XlaHloAttrSharding || name == XlaHloAttrFrontendAttributes;
  return isOfCalls ? opcode == XlaHloOpcodeCustomCall
                   : xlaHloAttrInfos[name].form != XlaHloFormSkipped;
}

const XlaHloAttr *xlaHloFindAttr(const XlaHloInstruction *instruction,
                                 XlaHloAttrName name) {
  for (uint32_t i = 0; i < instruction->nAttrs; ++i)
    if (instruction->attrs[i].name == name)
      return &instruction->attrs[i];
  return NULL;
}
