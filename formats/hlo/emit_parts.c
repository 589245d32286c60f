//===- emit_parts.c - Computations of parts from HLO ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before XLA has partitioned a program, it is about whole arrays, but for
// computations of the parts that devices have (JAX's shard_map and pmap).
// Custom calls are their bounds, and say how arrays lie. Those become
// StableHLO, of which passes/partition makes one program of all devices.
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/emit.h"
#include "xlac/passes/partition/partition.h"

#include <stdlib.h>
#include <string.h>

static bool equals(MlirStringRef a, const char *b) {
  return mlirStringRefEqual(a, mlirStringRefCreateFromCString(b));
}

/// Where such a computation begins, or ends.
static bool isBound(const XlaHloInstruction *in) {
  const XlaHloAttr *target =
      in->opcode == XlaHloOpcodeCustomCall
          ? xlaHloFindAttr(in, XlaHloAttrCustomCallTarget)
          : NULL;
  return target && xlaPartitionIsBound(target->text);
}

bool xlaHloHasParts(const XlaHloModule *program) {
  for (size_t i = 0; i < program->n; ++i)
    for (size_t k = 0; k < program->computations[i].n; ++k)
      if (isBound(&program->computations[i].instructions[k]))
        return true;
  return false;
}

MlirAttribute xlaHloShardyTexts(MlirContext context, uint32_t n,
                                const MlirStringRef *words) {
  static const char *const names[] = {
      "xla.sdy.in_shardings", "xla.sdy.manual_axes", "xla.sdy.meshes",
      "xla.sdy.out_shardings", "xla.sdy.sharding"};
  enum { nNames = sizeof names / sizeof *names };
  MlirNamedAttribute entries[nNames];
  intptr_t nEntries = 0;
  for (int k = 0; k < nNames; ++k) {
    uint32_t i = 0;
    while (i < n && !equals(words[2 * i], names[k]))
      ++i;
    if (i < n)
      entries[nEntries++] =
          mlirNamedAttributeGet(mlirIdentifierGet(context, words[2 * i]),
                                mlirStringAttrGet(context, words[2 * i + 1]));
  }
  return mlirDictionaryAttrGet(context, nEntries, entries);
}

void xlaHloAddShardings(XlaHloOp *op, XlaHloAttrs *attrs) {
  const XlaHloAttr *sharding = xlaHloFindAttr(op->in, XlaHloAttrSharding);
  const XlaHloAttr *others =
      xlaHloFindAttr(op->in, XlaHloAttrFrontendAttributes);
  if (!op->scope->emitter->hasParts)
    return;
  if (sharding)
    xlaHloAddAttr(attrs, "mhlo.sharding",
                  mlirStringAttrGet(op->ir.context, sharding->text));
  if (others)
    xlaHloAddAttr(attrs, "mhlo.frontend_attributes",
                  xlaHloShardyTexts(op->ir.context, others->n, others->words));
}

//===----------------------------------------------------------------------===//
// How many devices there are
//===----------------------------------------------------------------------===//

/// Those of `{devices=[2,4]..}`; 0 of other shardings.
static int64_t countOfSharding(MlirStringRef text) {
  static const char start[] = "{devices=[";
  size_t at = sizeof start - 1;
  int64_t product = 1;
  if (text.length < at || memcmp(text.data, start, at) != 0)
    return 0;
  while (at < text.length && text.data[at] != ']') {
    int64_t number = 0;
    for (; at < text.length && text.data[at] >= '0' && text.data[at] <= '9' &&
           number < INT16_MAX;
         ++at)
      number = 10 * number + (text.data[at] - '0');
    if (number < 1 || product > INT32_MAX / number)
      return 0;
    product *= number;
    at += at < text.length && text.data[at] == ',';
  }
  return product;
}

/// Those of lists, each behind its size, by the largest number.
static int64_t countOfGroups(const XlaHloAttr *attr) {
  int64_t most = 0;
  for (uint32_t i = 0; i < attr->n;) {
    int64_t n = attr->values[i++];
    for (int64_t k = 0; k < n && i < attr->n; ++k, ++i)
      most = attr->values[i] > most ? attr->values[i] : most;
  }
  return most < INT32_MAX ? most + 1 : INT32_MAX;
}

/// What an instruction says; 0 if nothing.
static int64_t countOf(const XlaHloInstruction *in) {
  int64_t most = 0;
  for (uint32_t i = 0; i < in->nAttrs; ++i) {
    const XlaHloAttr *attr = &in->attrs[i];
    bool isList = attr->name == XlaHloAttrReplicaGroups ||
                  attr->name == XlaHloAttrSourceTargetPairs;
    int64_t n = isList && attr->n                  ? countOfGroups(attr)
                : attr->name == XlaHloAttrSharding ? countOfSharding(attr->text)
                                                   : 0;
    most = n > most ? n : most;
  }
  return most;
}

bool xlaHloCountPartitions(XlaHloEmitter *emitter, int64_t *count) {
  const XlaHloModule *program = emitter->program;
  bool isAsked = false;
  *count = program->nPartitions;
  if (!emitter->hasParts || *count > 1 || program->meshes.length)
    return true; // or passes/partition counts those of meshes
  *count = 0;
  for (size_t i = 0; i < program->n; ++i)
    for (size_t k = 0; k < program->computations[i].n; ++k) {
      const XlaHloInstruction *in = &program->computations[i].instructions[k];
      XlaOpKind kind = xlaHloOpcodeKind(in->opcode);
      int64_t n = countOf(in);
      *count = n > *count ? n : *count;
      isAsked |= kind != XlaOpKindInvalid &&
                 xlaOpGetInfo(kind)->family == XlaFamilyCollective;
    }
  return *count || !isAsked ||
         xlaHloEmitterFail(
             emitter, XlaImportResultUnsupported,
             mlirLocationFileLineColGet(emitter->context, emitter->file, 1, 1),
             "does not say for how many devices it is");
}
