//===- proto_groups.c - Groups of replicas in protocol buffers ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/formats/hlo/proto.h"

#include <stdlib.h>

/// Appends the size of a group, and its numbers.
static bool pushGroup(XlaHloProto *p, MlirStringRef message) {
  XlaHloField size = {.type = XlaHloWireVarint};
  size_t at = p->numbers.n;
  if (!xlaHloProtoPush(p, &size) || !xlaHloProtoPushList(p, message, 1))
    return false;
  p->numbers.values[at] = (int64_t)(p->numbers.n - at - 1);
  return true;
}

/// Groups that are repeated fields `number` of `message`.
bool xlaHloProtoReadGroups(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                           MlirStringRef message, uint32_t number) {
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField field;
  while (xlaHloWireNext(&wire, &field))
    if (field.number == number && !pushGroup(p, field.bytes))
      return false;
  return xlaHloProtoAddList(p, attrs, XlaHloAttrReplicaGroups);
}

bool xlaHloProtoReadIotaGroups(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                               MlirStringRef message) {
  XlaHloField field = {0};
  uint32_t rank, nOrder;
  int64_t identity[XLA_MAX_RANK];
  XlaHloAttr *attr;
  int64_t n =
      xlaHloProtoFind(message, 1, &field) ? xlaHloFieldInteger(&field) : 0;
  int64_t size =
      xlaHloProtoFind(message, 2, &field) ? xlaHloFieldInteger(&field) : 0;
  if (!xlaHloProtoPushList(p, message, 3))
    return false;
  const int64_t *dims = xlaHloProtoTake(p, &rank);
  if (!dims || !xlaHloProtoPushList(p, message, 4))
    return false;
  const int64_t *order = xlaHloProtoTake(p, &nOrder);
  if (!order || !xlaHloProtoAdd(p, attrs, XlaHloAttrReplicaGroups, &attr))
    return false;
  for (int d = 0; d < XLA_MAX_RANK; ++d)
    identity[d] = d;
  const char *wrong =
      rank > XLA_MAX_RANK || (nOrder && nOrder != rank)
          ? "has groups of replicas in other numbers of dimensions"
          : xlaHloAttrSetIotaGroups(&p->module->arena, attr, n, size, (int)rank,
                                    dims, nOrder ? order : identity);
  return !wrong || xlaHloProtoFail(p, XlaImportResultInvalid, "%s", wrong);
}

/// A list of numbers between `open` and `close`; nothing if there are none.
static bool putList(XlaHloProto *p, XlaIrText *text, MlirStringRef message,
                    uint32_t number, const char *open, const char *close) {
  uint32_t n;
  if (!xlaHloProtoPushList(p, message, number))
    return false;
  const int64_t *values = xlaHloProtoTake(p, &n);
  for (uint32_t i = 0; values && i < n; ++i)
    xlaIrTextPrint(text, "%s%lld", i ? "," : open, (long long)values[i]);
  xlaIrTextPrint(text, "%s", values && n ? close : "");
  return values != NULL;
}

static long long integerIn(MlirStringRef message, uint32_t number) {
  XlaHloField field;
  return xlaHloProtoFind(message, number, &field)
             ? (long long)xlaHloFieldInteger(&field)
             : 0;
}

/// xla.MeshProto, as text has it, but for names, which are numbers.
static bool putMesh(XlaHloProto *p, XlaIrText *text, MlirStringRef mesh) {
  XlaHloWire wire = xlaHloWireOf(mesh);
  XlaHloField field;
  int n = 0;
  xlaIrTextPrint(text, "mesh[");
  while (xlaHloWireNext(&wire, &field))
    if (field.number == 1) {
      xlaIrTextPrint(text, "%s'%d'=%lld", n ? "," : "", n,
                     integerIn(field.bytes, 2));
      ++n;
    }
  xlaIrTextPrint(text, "]");
  if (!xlaHloProtoFind(mesh, 3, &field))
    return putList(p, text, mesh, 2, ", device_ids=(", ")");
  xlaIrTextPrint(text, ", device_ids=(");
  bool isPut = putList(p, text, field.bytes, 1, "[", "]") &&
               putList(p, text, field.bytes, 2, "T(", ")");
  xlaIrTextPrint(text, ")");
  return isPut;
}

/// Its axes, by their numbers.
static void putAxes(XlaIrText *text, MlirStringRef message) {
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField field, part;
  int n = 0;
  xlaIrTextPrint(text, " {");
  while (xlaHloWireNext(&wire, &field)) {
    if (field.number != 2)
      continue;
    xlaIrTextPrint(text, "%s'%lld'", n++ ? "," : "", integerIn(field.bytes, 1));
    if (xlaHloProtoFind(field.bytes, 2, &part))
      xlaIrTextPrint(text, ":(%lld)%lld", integerIn(part.bytes, 1),
                     integerIn(part.bytes, 2));
  }
  xlaIrTextPrint(text, "}");
}

/// xla.MeshAxesReplicaGroupListProto.
bool xlaHloProtoReadMeshGroups(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                               MlirStringRef message) {
  XlaIrText text = {0};
  XlaMeshGroups groups;
  XlaHloField mesh = {0};
  XlaHloAttr *attr;
  xlaHloProtoFind(message, 1, &mesh);
  if (!putMesh(p, &text, mesh.bytes)) {
    free(text.data);
    return false;
  }
  putAxes(&text, message);
  XlaImportText rest = {text.data, text.data + text.size};
  const char *wrong = text.isCut || !text.data ? "out of memory"
                                               : xlaMeshReadHlo(&rest, &groups);
  free(text.data);
  if (wrong)
    return xlaHloProtoFail(p, XlaImportResultInvalid, "%s", wrong);
  if (xlaHloProtoAdd(p, attrs, XlaHloAttrReplicaGroups, &attr))
    return xlaHloAttrSetGroups(&p->module->arena, attr, &groups) ||
           xlaHloProtoNoMemory(p);
  free(groups.ids);
  return false;
}

/// xla.CollectiveDeviceListProto.
bool xlaHloProtoReadDevices(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                            MlirStringRef message) {
  XlaHloField field;
  if (xlaHloProtoFind(message, 2, &field) && field.bytes.length)
    return xlaHloProtoReadIotaGroups(p, attrs, field.bytes);
  if (xlaHloProtoFind(message, 3, &field) && field.bytes.length)
    return xlaHloProtoReadMeshGroups(p, attrs, field.bytes);
  return xlaHloProtoReadGroups(p, attrs, message, 1);
}
