//===- proto_sharding.c - Shardings in HLO's protocol buffers -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They become the texts that HLO's text has: `{devices=[2,4]<=[8]}`.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/formats/hlo/proto.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Names and texts
//===----------------------------------------------------------------------===//

bool xlaHloProtoReadMap(XlaHloProto *p, MlirStringRef message,
                        XlaHloAttr *attr) {
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField entry, field;
  MlirStringRef *words;
  uint32_t n = 0;
  while (xlaHloWireNext(&wire, &entry))
    n += entry.number == 1;
  if (wire.failed)
    return xlaHloProtoMalformed(p);
  words = xlaHloArenaTake(&p->module->arena, 2 * (size_t)n, sizeof *words);
  if (!words)
    return xlaHloProtoNoMemory(p);
  attr->words = words;
  attr->n = n;
  for (wire = xlaHloWireOf(message); xlaHloWireNext(&wire, &entry);)
    for (uint32_t i = 1; entry.number == 1 && i <= 2; ++i)
      *words++ = xlaHloProtoFind(entry.bytes, i, &field)
                     ? field.bytes
                     : mlirStringRefCreate("", 0);
  return true;
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

/// The repeated field `number` between two texts; nothing of an empty one.
static bool addNumbers(XlaHloProto *p, XlaIrText *text, MlirStringRef message,
                       uint32_t number, const char *before, const char *after) {
  if (!xlaHloProtoPushList(p, message, number))
    return false;
  for (size_t i = 0; i < p->numbers.n; ++i)
    xlaIrTextPrint(text, "%s%lld", i ? "," : before,
                   (long long)p->numbers.values[i]);
  if (p->numbers.n)
    xlaIrTextPrint(text, "%s", after);
  p->numbers.n = 0;
  return true;
}

/// What the last dimensions of the tiles are of: no dimensions of the array.
static bool addLastTiles(XlaHloProto *p, XlaIrText *text, MlirStringRef message,
                         const char *const *kinds, size_t nKinds) {
  XlaHloField field;
  if (xlaHloProtoFind(message, 6, &field) && field.value) {
    xlaIrTextPrint(text, " last_tile_dim_replicate");
    return true;
  }
  if (!xlaHloProtoPushList(p, message, 8))
    return false;
  for (size_t i = 0; i < p->numbers.n; ++i) {
    uint64_t kind = (uint64_t)p->numbers.values[i];
    if (kind >= nKinds)
      return xlaHloProtoFail(p, XlaImportResultUnsupported,
                             "has an unknown kind of sharding, number %llu",
                             (unsigned long long)kind);
    xlaIrTextPrint(text, "%s%s", i ? ", " : " last_tile_dims={", kinds[kind]);
  }
  if (p->numbers.n)
    xlaIrTextPrint(text, "}");
  p->numbers.n = 0;
  return true;
}

static bool writeSharding(XlaHloProto *p, XlaIrText *text,
                          MlirStringRef message) {
  enum { other = 3 };
  static const char *const kinds[] = {"replicated", "maximal", "tuple",
                                      "devices",    "manual",  "unknown",
                                      "unreduced"};
  const size_t nKinds = sizeof kinds / sizeof *kinds;
  XlaHloField field = {0};
  xlaHloProtoFind(message, 1, &field);
  if (field.value >= nKinds)
    return xlaHloProtoFail(p, XlaImportResultUnsupported,
                           "has an unknown kind of sharding, number %llu",
                           (unsigned long long)field.value);
  if (field.value != other) {
    xlaIrTextPrint(text, "{%s}", kinds[field.value]);
    return true;
  }
  xlaIrTextPrint(text, "{devices=");
  if (!addNumbers(p, text, message, 3, "[", "]") ||
      !addNumbers(p, text, message, 4, "", "") ||
      !addNumbers(p, text, message, 9, "<=[", "]") ||
      !addNumbers(p, text, message, 10, "T(", ")") ||
      !addLastTiles(p, text, message, kinds, nKinds))
    return false;
  xlaIrTextPrint(text, "}");
  return true;
}

bool xlaHloProtoReadSharding(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                             MlirStringRef message) {
  XlaIrText text = {0};
  XlaHloAttr *attr;
  bool read = writeSharding(p, &text, message) &&
              xlaHloProtoAdd(p, attrs, XlaHloAttrSharding, &attr);
  const char *copy =
      read ? xlaHloArenaCopy(&p->module->arena, text.data, text.size, 1) : NULL;
  if (copy)
    attr->text = mlirStringRefCreate(copy, text.size);
  if (read && (!copy || text.isCut))
    read = xlaHloProtoNoMemory(p);
  free(text.data);
  return read;
}
