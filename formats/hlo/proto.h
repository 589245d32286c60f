//===- proto.h - The reader of HLO's protocol buffers ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to the reader of protocol buffers. Messages are read where they lie,
// field by field, in any order. A function that fails has said so, once.
// Numbers of fields are those of XLA's hlo.proto and xla_data.proto.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_HLO_PROTO_H
#define XLAC_FORMATS_HLO_PROTO_H

#include "mlir-c/IR.h"
#include "xlac/formats/hlo/ast.h"

//===----------------------------------------------------------------------===//
// The wire format (wire.c)
//===----------------------------------------------------------------------===//

/// What is left of a message; zero `failed` at first.
typedef struct XlaHloWire {
  const unsigned char *at, *end;
  bool failed; ///< it is no message
} XlaHloWire;

typedef enum XlaHloWireType {
  XlaHloWireVarint,
  XlaHloWireFixed64,
  XlaHloWireBytes,
  XlaHloWireFixed32 = 5,
} XlaHloWireType;

typedef struct XlaHloField {
  uint32_t number;
  XlaHloWireType type;
  uint64_t value;      ///< of all types but Bytes
  MlirStringRef bytes; ///< of Bytes: a string, a message, packed numbers
} XlaHloField;

XlaHloWire xlaHloWireOf(MlirStringRef bytes);
/// The next field; false at the end, and where the bytes are no message.
bool xlaHloWireNext(XlaHloWire *wire, XlaHloField *field);
/// A number of a list of varints.
bool xlaHloWireReadVarint(XlaHloWire *wire, uint64_t *value);
/// Whether all of `bytes` is a message.
bool xlaHloWireIsMessage(MlirStringRef bytes);
/// The field as an integer; 0 if it is none.
int64_t xlaHloFieldInteger(const XlaHloField *field);
double xlaHloFieldReal(const XlaHloField *field);

//===----------------------------------------------------------------------===//
// Parts of programs
//===----------------------------------------------------------------------===//

typedef struct XlaHloProto {
  MlirContext context;
  MlirStringRef file;
  XlaHloModule *module;
  XlaImportResult result;
  XlaHloNames computations, instructions; ///< by their ids
  /// The instruction that is being read, for messages.
  MlirStringRef name;
  struct {
    int64_t *values;
    size_t n, capacity;
  } numbers; ///< of the list that is being read
} XlaHloProto;

/// Says what is wrong, or not supported. Always false.
bool xlaHloProtoFail(XlaHloProto *p, XlaImportResult result, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));
bool xlaHloProtoMalformed(XlaHloProto *p);
bool xlaHloProtoNoMemory(XlaHloProto *p);

/// The numbers of a repeated field in all its forms are appended to
/// p->numbers.
bool xlaHloProtoPush(XlaHloProto *p, const XlaHloField *field);
/// All of field `number` of a message, appended.
bool xlaHloProtoPushList(XlaHloProto *p, MlirStringRef message,
                         uint32_t number);
/// Their copy; the list is empty then.
const int64_t *xlaHloProtoTake(XlaHloProto *p, uint32_t *n);

bool xlaHloProtoShape(XlaHloProto *p, MlirStringRef message,
                      const XlaHloShape **shape);
bool xlaHloProtoLiteral(XlaHloProto *p, MlirStringRef message,
                        XlaLiteral **literal);

/// The attributes of an instruction, while its fields are read. They are made
/// when it is known of what opcode it is.
typedef struct XlaHloProtoAttrs {
  XlaHloAttr items[64];
  uint32_t n;
} XlaHloProtoAttrs;

/// An attribute to be filled; an error if there are too many.
bool xlaHloProtoAdd(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                    XlaHloAttrName name, XlaHloAttr **attr);
/// One of the list that has been read.
bool xlaHloProtoAddList(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                        XlaHloAttrName name);
/// The last field `number` of a message, for those that are no lists.
bool xlaHloProtoFind(MlirStringRef message, uint32_t number,
                     XlaHloField *field);

// --- proto_groups.c: the replicas that take part in a collective ---

/// Groups that are the repeated field `number` of a message.
bool xlaHloProtoReadGroups(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                           MlirStringRef message, uint32_t number);
/// xla.IotaReplicaGroupListProto, xla.MeshAxesReplicaGroupListProto and
/// xla.CollectiveDeviceListProto, which is one of these three.
bool xlaHloProtoReadIotaGroups(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                               MlirStringRef message);
bool xlaHloProtoReadMeshGroups(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                               MlirStringRef message);
bool xlaHloProtoReadDevices(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                            MlirStringRef message);

// --- proto_sharding.c: where the parts of arrays lie ---

/// xla.OpSharding, as text has it.
bool xlaHloProtoReadSharding(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                             MlirStringRef message);
/// xla.FrontendAttributes.
bool xlaHloProtoReadMap(XlaHloProto *p, MlirStringRef message,
                        XlaHloAttr *attr);

// --- proto_attrs.c ---

/// The attributes that `fields` of an instruction make, which has `opcode`.
/// Those of fields that the opcode does not have are left out.
bool xlaHloProtoReadAttrs(XlaHloProto *p, MlirStringRef message,
                          XlaHloOpcode opcode, XlaHloProtoAttrs *attrs);

#endif // XLAC_FORMATS_HLO_PROTO_H
