//===- proto_attrs.c - Attributes in HLO's protocol buffers ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is 0, false or empty is not written, so that some attributes have to be
// added.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/formats/hlo/proto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool xlaHloProtoAdd(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                    XlaHloAttrName name, XlaHloAttr **attr) {
  for (uint32_t i = 0; i < attrs->n; ++i)
    if (attrs->items[i].name == name) { // the last one counts
      *attr = &attrs->items[i];
      return true;
    }
  if (attrs->n == sizeof attrs->items / sizeof *attrs->items)
    return xlaHloProtoFail(p, XlaImportResultInvalid,
                           "has too many attributes");
  *attr = &attrs->items[attrs->n++];
  memset(*attr, 0, sizeof **attr);
  (*attr)->name = name;
  return true;
}

static bool addNumbers(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                       XlaHloAttrName name, size_t n, const int64_t *values) {
  XlaHloAttr *attr;
  if (!xlaHloProtoAdd(p, attrs, name, &attr))
    return false;
  attr->n = (uint32_t)n;
  attr->values = xlaHloArenaCopy(&p->module->arena, values, n, sizeof *values);
  return attr->values || xlaHloProtoNoMemory(p);
}

static bool addInteger(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                       XlaHloAttrName name, int64_t value) {
  return addNumbers(p, attrs, name, 1, &value);
}

static bool addText(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                    XlaHloAttrName name, MlirStringRef text) {
  XlaHloAttr *attr;
  if (!xlaHloProtoAdd(p, attrs, name, &attr))
    return false;
  attr->text = text;
  // Configurations of typed calls are dictionaries, others strings.
  attr->isQuoted = !text.length || text.data[0] != '{';
  return true;
}

/// The word that stands for number `value`.
static bool addWord(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                    XlaHloAttrName name, size_t n, const char *const *words,
                    uint64_t value) {
  if (value >= n)
    return xlaHloProtoFail(
        p, XlaImportResultUnsupported, "has an unknown %s, number %llu",
        xlaHloAttrInfos[name].name, (unsigned long long)value);
  return addText(p, attrs, name, mlirStringRefCreateFromCString(words[value]));
}

bool xlaHloProtoAddList(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                        XlaHloAttrName name) {
  XlaHloAttr *attr;
  if (!xlaHloProtoAdd(p, attrs, name, &attr))
    return false;
  attr->values = xlaHloProtoTake(p, &attr->n);
  return attr->values != NULL;
}

bool xlaHloProtoFind(MlirStringRef message, uint32_t number,
                     XlaHloField *field) {
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField at;
  bool found = false;
  while (xlaHloWireNext(&wire, &at))
    if (at.number == number) {
      *field = at;
      found = true;
    }
  return found;
}

//===----------------------------------------------------------------------===//
// Fields that are attributes
//===----------------------------------------------------------------------===//

static const struct {
  uint32_t field;
  XlaHloAttrName name;
} simple[] = {
    {13, XlaHloAttrIndex},
    {18, XlaHloAttrExponentBits},
    {19, XlaHloAttrMantissaBits},
    {20, XlaHloAttrDynamicSliceSizes},
    {22, XlaHloAttrOutfeedConfig},
    {24, XlaHloAttrEpsilon},
    {25, XlaHloAttrFeatureIndex},
    {26, XlaHloAttrChannelId},
    {27, XlaHloAttrInfeedConfig},
    {28, XlaHloAttrCustomCallTarget},
    {32, XlaHloAttrFftLength},
    {34, XlaHloAttrSliceSizes},
    {43, XlaHloAttrBackendConfig},
    {47, XlaHloAttrIsHostTransfer},
    {50, XlaHloAttrFeatureGroupCount},
    {58, XlaHloAttrBatchGroupCount},
    {60, XlaHloAttrIsStable},
    {63, XlaHloAttrDirection},
    {65, XlaHloAttrCustomCallHasSideEffect},
    {67, XlaHloAttrIndicesAreSorted},
    {69, XlaHloAttrUniqueIndices},
    {71, XlaHloAttrUseGlobalDeviceIds},
    {72, XlaHloAttrType},
    {74, XlaHloAttrOutputToOperandAliasing},
    {81, XlaHloAttrK},
    {85, XlaHloAttrLargest},
    {66, XlaHloAttrDelta},
    {86, XlaHloAttrSparsity},
    {94, XlaHloAttrIsReverse},
    {95, XlaHloAttrNumCarries},
};

/// Fields of messages that are fields.
static const struct {
  uint32_t field, inner;
  XlaHloAttrName name;
} nested[] = {
    {30, 1, XlaHloAttrLhsContractingDims},
    {30, 2, XlaHloAttrRhsContractingDims},
    {30, 3, XlaHloAttrLhsBatchDims},
    {30, 4, XlaHloAttrRhsBatchDims},
    {33, 1, XlaHloAttrOffsetDims},
    {33, 2, XlaHloAttrCollapsedSliceDims},
    {33, 3, XlaHloAttrStartIndexMap},
    {33, 4, XlaHloAttrIndexVectorDim},
    {33, 5, XlaHloAttrOperandBatchingDims},
    {33, 6, XlaHloAttrStartIndicesBatchingDims},
    {48, 1, XlaHloAttrUpdateWindowDims},
    {48, 2, XlaHloAttrInsertedWindowDims},
    {48, 3, XlaHloAttrScatterDimsToOperandDims},
    {48, 4, XlaHloAttrIndexVectorDim},
    {48, 5, XlaHloAttrInputBatchingDims},
    {48, 6, XlaHloAttrScatterIndicesBatchingDims},
    {59, 1, XlaHloAttrLeftSide},
    {59, 2, XlaHloAttrLower},
    {59, 3, XlaHloAttrUnitDiagonal},
    {62, 1, XlaHloAttrLower},
    {90, 2, XlaHloAttrLhsRaggedDims},
    {90, 3, XlaHloAttrRhsGroupDims},
};

static bool readSimple(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                       XlaHloAttrName name, const XlaHloField *field) {
  XlaHloAttr *attr;
  XlaHloForm form = xlaHloAttrInfos[name].form;
  if (form == XlaHloFormList)
    return xlaHloProtoPush(p, field);
  if (form == XlaHloFormInteger || form == XlaHloFormBool)
    return addInteger(p, attrs, name, xlaHloFieldInteger(field));
  if (form != XlaHloFormReal)
    return addText(p, attrs, name, field->bytes);
  if (!xlaHloProtoAdd(p, attrs, name, &attr))
    return false;
  attr->real = xlaHloFieldReal(field);
  return true;
}

/// A field of a message, which stands for 0 or an empty list if it is not
/// there; but a bool is not said then.
static bool readNested(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                       MlirStringRef message, uint32_t number,
                       XlaHloAttrName name) {
  XlaHloField field = {0};
  if (xlaHloAttrInfos[name].form == XlaHloFormList)
    return xlaHloProtoPushList(p, message, number) &&
           xlaHloProtoAddList(p, attrs, name);
  if (!xlaHloProtoFind(message, number, &field) &&
      xlaHloAttrInfos[name].form == XlaHloFormBool)
    return true;
  return addInteger(p, attrs, name, xlaHloFieldInteger(&field));
}

//===----------------------------------------------------------------------===//
// Windows, slices, paddings
//===----------------------------------------------------------------------===//

/// Appends the fields `first`.. of a message, as many as `n`.
static bool pushRow(XlaHloProto *p, MlirStringRef message, uint32_t n) {
  XlaHloField field;
  for (uint32_t i = 1; i <= n; ++i) {
    XlaHloField number = {
        .number = 0,
        .type = XlaHloWireVarint,
        .value = xlaHloProtoFind(message, i, &field) ? field.value : 0};
    if (!xlaHloProtoPush(p, &number))
      return false;
  }
  return true;
}

/// The fields of WindowDimension in XlaHloWindowField's order are in its own.
static bool readRows(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                     XlaHloAttrName name, MlirStringRef message, uint32_t n) {
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField field;
  while (xlaHloWireNext(&wire, &field))
    if (field.number == 1 && !pushRow(p, field.bytes, n))
      return false;
  return xlaHloProtoAddList(p, attrs, name);
}

static bool readLabels(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                       MlirStringRef message) {
  static const uint32_t numbers[XlaHloLabelCount] = {7, 8, 3, 4, 9, 10};
  static const uint32_t lists[] = {11, 6, 12};
  XlaHloField field;
  size_t sizes[3], before = XlaHloLabelCount;
  for (int i = 0; i < XlaHloLabelCount; ++i) {
    XlaHloField number = {.type = XlaHloWireVarint};
    if (xlaHloProtoFind(message, numbers[i], &field))
      number.value = field.value;
    if (!xlaHloProtoPush(p, &number))
      return false;
  }
  for (int i = 0; i < 3; ++i) {
    if (!xlaHloProtoPushList(p, message, lists[i]))
      return false;
    sizes[i] = p->numbers.n - before;
    before = p->numbers.n;
  }
  if (sizes[0] != sizes[1] || sizes[0] != sizes[2] || sizes[0] > XLA_MAX_RANK)
    return xlaHloProtoFail(p, XlaImportResultInvalid,
                           "has a convolution whose numbers of spatial "
                           "dimensions differ");
  return xlaHloProtoAddList(p, attrs, XlaHloAttrDimLabels);
}

/// A pair of numbers, after their number.
static bool pushPair(XlaHloProto *p, MlirStringRef message) {
  XlaHloField size = {.type = XlaHloWireVarint, .value = 2};
  return xlaHloProtoPush(p, &size) && pushRow(p, message, 2);
}

//===----------------------------------------------------------------------===//
// Precisions
//===----------------------------------------------------------------------===//

static bool readPrecision(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                          MlirStringRef message) {
  static const char *const precisions[] = {"default", "high", "highest"};
  static const char *const algorithms[] = {"unset",
                                           "dot_any_f8_any_f8_f32",
                                           "dot_any_f8_any_f8_f32_fast_accum",
                                           "dot_f16_f16_f16",
                                           "dot_f16_f16_f32",
                                           "dot_bf16_bf16_bf16",
                                           "dot_bf16_bf16_f32",
                                           "dot_bf16_bf16_f32_x3",
                                           "dot_bf16_bf16_f32_x6",
                                           "dot_tf32_tf32_f32",
                                           "dot_tf32_tf32_f32_x3",
                                           "dot_f32_f32_f32",
                                           "dot_f64_f64_f64",
                                           "dot_bf16_bf16_f32_x9"};
  MlirStringRef words[8];
  XlaHloAttr *attr;
  XlaHloField field;
  uint32_t n;
  if (!xlaHloProtoPushList(p, message, 1))
    return false;
  const int64_t *values = xlaHloProtoTake(p, &n);
  if (!values || !xlaHloProtoAdd(p, attrs, XlaHloAttrOperandPrecision, &attr))
    return false;
  for (uint32_t i = 0; i < n; ++i) {
    if (i == 8 || values[i] < 0 || values[i] > 2)
      return xlaHloProtoFail(p, XlaImportResultInvalid,
                             "has an unknown precision");
    words[i] = mlirStringRefCreateFromCString(precisions[values[i]]);
  }
  attr->n = n;
  attr->words = xlaHloArenaCopy(&p->module->arena, words, n, sizeof *words);
  if (!attr->words)
    return xlaHloProtoNoMemory(p);
  if (!xlaHloProtoFind(message, 2, &field) || !field.value)
    return true;
  return addWord(p, attrs, XlaHloAttrAlgorithm,
                 sizeof algorithms / sizeof *algorithms, algorithms,
                 field.value);
}

/// A tolerance as the text has it.
static bool readAccuracy(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                         MlirStringRef message) {
  XlaHloField tolerance, field;
  double values[2] = {0, 0};
  long long ulps = 0;
  if (!xlaHloProtoFind(message, 2, &tolerance))
    return true;
  for (uint32_t i = 0; i < 2; ++i)
    if (xlaHloProtoFind(tolerance.bytes, i + 1, &field))
      values[i] = xlaHloFieldReal(&field);
  if (xlaHloProtoFind(tolerance.bytes, 3, &field))
    ulps = xlaHloFieldInteger(&field);
  char *text = xlaHloArenaTake(&p->module->arena, 1, 128);
  if (!text)
    return xlaHloProtoNoMemory(p);
  snprintf(text, 128, "{tolerance={atol=%g,rtol=%g,ulps=%lld}}", values[0],
           values[1], ulps);
  return addText(p, attrs, XlaHloAttrResultAccuracy,
                 mlirStringRefCreateFromCString(text));
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Fields with a form of their own.
static bool readSpecial(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                        XlaHloOpcode opcode, const XlaHloField *field) {
  static const char *const versions[] = {
      "API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL",
      "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
      "API_VERSION_TYPED_FFI"};
  static const char *const transposes[] = {"NO_TRANSPOSE", "NO_TRANSPOSE",
                                           "TRANSPOSE", "ADJOINT"};
  static const char *const distributions[] = {"rng_invalid", "rng_uniform",
                                              "rng_normal"};
  XlaHloField inner = {0};
  XlaHloAttr *map;
  bool isCall = opcode == XlaHloOpcodeCustomCall;
  switch (field->number) {
  case 15:
    return readRows(p, attrs, XlaHloAttrWindow, field->bytes,
                    XlaHloWindowFieldCount);
  case 16:
    return readLabels(p, attrs, field->bytes);
  case 21:
    return readRows(p, attrs, XlaHloAttrPadding, field->bytes, 3);
  case 23:
    return addWord(p, attrs, XlaHloAttrDistribution, 3, distributions,
                   field->value);
  case 40:
    return !isCall || xlaHloProtoReadSharding(p, attrs, field->bytes);
  case 68:
    return !isCall ||
           (xlaHloProtoAdd(p, attrs, XlaHloAttrFrontendAttributes, &map) &&
            xlaHloProtoReadMap(p, field->bytes, map));
  case 51:
    return opcode != XlaHloOpcodeDot && opcode != XlaHloOpcodeScaledDot &&
                   opcode != XlaHloOpcodeConvolution
               ? true
               : readPrecision(p, attrs, field->bytes);
  case 59:
    return !xlaHloProtoFind(field->bytes, 4, &inner) ||
           addWord(p, attrs, XlaHloAttrTransposeA, 4, transposes, inner.value);
  case 77:
    return addWord(p, attrs, XlaHloAttrApiVersion, 5, versions, field->value);
  case 87:
    return xlaHloProtoReadDevices(p, attrs, field->bytes);
  case 92:
    return xlaHloProtoReadIotaGroups(p, attrs, field->bytes);
  case 93:
    return xlaHloProtoReadMeshGroups(p, attrs, field->bytes);
  case 90:
    for (size_t i = 0; i < 4; ++i)
      if (xlaHloProtoFind(field->bytes, 1, &inner) &&
          !readNested(p, attrs, inner.bytes, nested[i].inner, nested[i].name))
        return false;
    return true;
  case 91:
    return readAccuracy(p, attrs, field->bytes);
  default:
    return true;
  }
}

/// Attributes that stand for 0 where nothing is written.
static bool addDefaults(XlaHloProto *p, XlaHloProtoAttrs *attrs,
                        XlaHloOpcode opcode) {
  static const struct {
    XlaHloOpcode opcode;
    XlaHloAttrName name;
  } defaults[] = {
      {XlaHloOpcodeGetTupleElement, XlaHloAttrIndex},
      {XlaHloOpcodeReducePrecision, XlaHloAttrExponentBits},
      {XlaHloOpcodeReducePrecision, XlaHloAttrMantissaBits},
      {XlaHloOpcodeTopk, XlaHloAttrK},
      {XlaHloOpcodeTopk, XlaHloAttrLargest},
      {XlaHloOpcodeBatchNormTraining, XlaHloAttrEpsilon},
      {XlaHloOpcodeBatchNormTraining, XlaHloAttrFeatureIndex},
      {XlaHloOpcodeBatchNormInference, XlaHloAttrEpsilon},
      {XlaHloOpcodeBatchNormInference, XlaHloAttrFeatureIndex},
      {XlaHloOpcodeBatchNormGrad, XlaHloAttrEpsilon},
      {XlaHloOpcodeBatchNormGrad, XlaHloAttrFeatureIndex},
      {XlaHloOpcodeSend, XlaHloAttrChannelId},
      {XlaHloOpcodeRecv, XlaHloAttrChannelId},
  };
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; ++i) {
    XlaHloField zero = {0};
    uint32_t k = 0;
    if (defaults[i].opcode != opcode)
      continue;
    while (k < attrs->n && attrs->items[k].name != defaults[i].name)
      ++k;
    if (k == attrs->n && !readSimple(p, attrs, defaults[i].name, &zero))
      return false;
  }
  return true;
}

/// Lists of an instruction, whose fields may be in several places.
static bool readLists(XlaHloProto *p, MlirStringRef message,
                      XlaHloOpcode opcode, XlaHloProtoAttrs *attrs) {
  static const char *const ffts[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  static const char *const rngs[] = {"rng_default", "rng_three_fry",
                                     "rng_philox"};
  XlaHloField field = {0};
  XlaHloWire wire = xlaHloWireOf(message);
  if (opcode == XlaHloOpcodeFft) {
    xlaHloProtoFind(message, 31, &field);
    return xlaHloProtoPushList(p, message, 32) &&
           xlaHloProtoAddList(p, attrs, XlaHloAttrFftLength) &&
           addWord(p, attrs, XlaHloAttrFftType, 4, ffts, field.value);
  }
  if (opcode == XlaHloOpcodeRngBitGenerator) {
    xlaHloProtoFind(message, 70, &field);
    return addWord(p, attrs, XlaHloAttrAlgorithm, 3, rngs, field.value);
  }
  if (opcode == XlaHloOpcodeDynamicSlice)
    return xlaHloProtoPushList(p, message, 20) &&
           xlaHloProtoAddList(p, attrs, XlaHloAttrDynamicSliceSizes);
  if (opcode == XlaHloOpcodeGather)
    return xlaHloProtoPushList(p, message, 34) &&
           xlaHloProtoAddList(p, attrs, XlaHloAttrSliceSizes);
  if (opcode == XlaHloOpcodeSlice) {
    while (xlaHloWireNext(&wire, &field))
      if (field.number == 17 && !pushRow(p, field.bytes, 3))
        return false;
    return xlaHloProtoAddList(p, attrs, XlaHloAttrSlice);
  }
  if (opcode == XlaHloOpcodeCollectivePermute) {
    while (xlaHloWireNext(&wire, &field))
      if (field.number == 52 && !pushPair(p, field.bytes))
        return false;
    return xlaHloProtoAddList(p, attrs, XlaHloAttrSourceTargetPairs);
  }
  return true;
}

/// `dimensions`, of the opcodes that have them.
static bool readDimensions(XlaHloProto *p, MlirStringRef message,
                           XlaHloOpcode opcode, XlaHloProtoAttrs *attrs) {
  static const char *const names[XlaHloOpcodeCount] = {
#define XLA_HLO_OP(name, Enum, operands, Emit, Kind, dimensions) dimensions,
#include "xlac/formats/hlo/opcodes.def"
  };
  bool isIota = opcode == XlaHloOpcodeIota;
  if (!*names[opcode] && !isIota)
    return true;
  if (!xlaHloProtoPushList(p, message, 14))
    return false;
  if (isIota) {
    int64_t dimension = p->numbers.n ? p->numbers.values[0] : 0;
    p->numbers.n = 0;
    return addInteger(p, attrs, XlaHloAttrIotaDimension, dimension);
  }
  // The form of all-to-all with an operand for each replica has none.
  return (opcode == XlaHloOpcodeAllToAll && !p->numbers.n) ||
         xlaHloProtoAddList(p, attrs, XlaHloAttrDimensions);
}

bool xlaHloProtoReadAttrs(XlaHloProto *p, MlirStringRef message,
                          XlaHloOpcode opcode, XlaHloProtoAttrs *attrs) {
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField field;
  bool hasGroups = false;
  while (xlaHloWireNext(&wire, &field)) {
    hasGroups |= field.number == 49;
    for (size_t i = 0; i < sizeof simple / sizeof *simple; ++i)
      if (simple[i].field == field.number &&
          xlaHloAttrInfos[simple[i].name].form != XlaHloFormList &&
          !(field.number == 26 && xlaHloFieldInteger(&field) <= 0) &&
          !readSimple(p, attrs, simple[i].name, &field))
        return false;
    for (size_t i = 0; i < sizeof nested / sizeof *nested; ++i)
      if (nested[i].field == field.number &&
          !readNested(p, attrs, field.bytes, nested[i].inner, nested[i].name))
        return false;
    if (!readSpecial(p, attrs, opcode, &field))
      return false;
  }
  XlaHloField devices;
  if (hasGroups && !xlaHloProtoFind(message, 87, &devices) &&
      !xlaHloProtoReadGroups(p, attrs, message, 49))
    return false;
  return readLists(p, message, opcode, attrs) &&
         readDimensions(p, message, opcode, attrs) &&
         addDefaults(p, attrs, opcode);
}
