//===- patch.c - What upstream's SPIR-V dialect cannot say ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float arithmetic is neither contracted nor reassociated (NoContraction), and
// keeps zeros' signs, infinities, NaNs and, where the device can, denormals
// (execution modes of SPV_KHR_float_controls). Capabilities for integers that
// are only loaded and stored are not demanded from devices without them.
// Bindings may be the same memory (Aliased): results take the place of
// operands. Upstream does not know what elements of 8 and 16 bits behind
// addresses demand.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/spirv.h"

#include <stdlib.h>
#include <string.h>

/// Names and numbers of the SPIR-V specification, version 1.6.
enum {
  magicNumber = 0x07230203,
  headerWords = 5,
  opUndef = 1,
  opExtension = 10,
  opEntryPoint = 15,
  opExecutionMode = 16,
  opCapability = 17,
  opTypeFirst = 19,
  opTypeFloat = 22,
  opVariable = 59,
  opDecorate = 71,
  opGroupDecorateLast = 75,
  opFAdd = 129,
  opFSub = 131,
  opFMul = 133,
  opFDiv = 136,
  opVectorTimesScalar = 142,
  capabilityFloat16 = 9,
  capabilityInt16 = 22,
  capabilityInt8 = 39,
  capabilityStorage16 = 4433,
  capabilityStorage8 = 4448,
  capabilityAddresses = 5347,
  decorationAliased = 20,
  decorationNoContraction = 42,
  storageBufferClass = 12,
};

/// Modes of floats: a capability and an execution mode, and what has it.
typedef struct FloatMode {
  uint32_t capability, mode;
  bool has[3]; ///< 16, 32, 64 bits
} FloatMode;

typedef struct Words {
  uint32_t *data;
  size_t n;
} Words;

static void put(Words *out, uint32_t word) { out->data[out->n++] = word; }

static void putOp(Words *out, uint32_t op, size_t n, const uint32_t *operands) {
  put(out, (uint32_t)(n + 1) << 16 | op);
  for (size_t i = 0; i < n; ++i)
    put(out, operands[i]);
}

static void putExtension(Words *out, const char *name) {
  uint32_t operands[6] = {0};
  size_t length = strlen(name); // a zero follows it, at least
  memcpy(operands, name, length);
  putOp(out, opExtension, length / 4 + 1, operands);
}

static bool isFloatArithmetic(uint32_t op) {
  return op == opFAdd || op == opFSub || op == opFMul || op == opFDiv ||
         op == opVectorTimesScalar;
}

/// Types, constants, variables and functions come after annotations.
static bool isAfterAnnotations(uint32_t op) {
  return op == opUndef || (op >= opTypeFirst && op < opDecorate) ||
         op > opGroupDecorateLast;
}

/// What a module's instructions need.
typedef struct Survey {
  bool widths[3];
  bool usesAddresses, storage8, storage16; ///< the latter two by addresses
  size_t nDecorations;
  uint32_t entry;
  bool failed;
} Survey;

/// A type of few bits is in no other place than behind addresses.
static void declare(Survey *found, uint32_t capability) {
  found->usesAddresses |= capability == capabilityAddresses;
  found->storage8 |= capability == capabilityInt8;
  found->storage16 |=
      capability == capabilityInt16 || capability == capabilityFloat16;
}

static Survey survey(const uint32_t *words, size_t n) {
  Survey found = {.failed = n < headerWords || words[0] != magicNumber};
  for (size_t i = headerWords; i < n && !found.failed;) {
    uint32_t op = words[i] & 0xffff, length = words[i] >> 16;
    found.failed = length == 0 || length > n - i;
    if (found.failed)
      break;
    if (op == opTypeFloat && length >= 3)
      found.widths[words[i + 2] == 64 ? 2 : words[i + 2] == 32] = true;
    else if (op == opEntryPoint && length >= 3)
      found.entry = words[i + 2];
    else if (op == opCapability && length >= 2)
      declare(&found, words[i + 1]);
    found.nDecorations += isFloatArithmetic(op) || op == opVariable;
    i += length;
  }
  return found;
}

/// A device may have a mode for all widths of a shader or for none.
static void floatModes(const Survey *found, const XlaVulkanInfo *info,
                       FloatMode modes[3]) {
  const FloatMode all[3] = {
      {4464,
       4459,
       {info->denormPreserve16, info->denormPreserve32,
        info->denormPreserve64}},
      {4466,
       4461,
       {info->signedZeroInfNan16, info->signedZeroInfNan32,
        info->signedZeroInfNan64}},
      {4467,
       4462,
       {info->roundToEven16, info->roundToEven32, info->roundToEven64}}};
  for (int i = 0; i < 3; ++i) {
    modes[i] = all[i];
    bool complete = true;
    for (int w = 0; w < 3; ++w)
      complete &= !found->widths[w] || all[i].has[w];
    for (int w = 0; w < 3; ++w)
      modes[i].has[w] = complete && found->widths[w];
  }
}

/// The capabilities or the extensions of elements behind addresses.
static void putStorage(Words *out, const Survey *found, bool areExtensions) {
  const struct {
    bool is;
    uint32_t capability;
    const char *extension;
  } all[2] = {{found->storage8, capabilityStorage8, "SPV_KHR_8bit_storage"},
              {found->storage16, capabilityStorage16, "SPV_KHR_16bit_storage"}};
  for (int i = 0; i < 2; ++i) {
    if (!all[i].is || !found->usesAddresses)
      continue;
    if (areExtensions)
      putExtension(out, all[i].extension);
    else
      putOp(out, opCapability, 1, &all[i].capability);
  }
}

static bool isSet(const FloatMode *mode) {
  return mode->has[0] || mode->has[1] || mode->has[2];
}

static void putCapabilities(Words *out, const FloatMode modes[3]) {
  for (int i = 0; i < 3; ++i)
    if (isSet(&modes[i]))
      putOp(out, opCapability, 1, &modes[i].capability);
}

static void putModes(Words *out, const FloatMode modes[3], uint32_t entry) {
  for (int i = 0; i < 3; ++i)
    for (uint32_t w = 0; w < 3; ++w)
      if (modes[i].has[w])
        putOp(out, opExecutionMode, 3,
              (uint32_t[]){entry, modes[i].mode, 16u << w});
}

static void putDecorations(Words *out, const uint32_t *words, size_t n) {
  for (size_t i = headerWords; i < n; i += words[i] >> 16) {
    uint32_t op = words[i] & 0xffff;
    if (isFloatArithmetic(op))
      putOp(out, opDecorate, 2,
            (uint32_t[]){words[i + 2], decorationNoContraction});
    else if (op == opVariable && words[i] >> 16 >= 4 &&
             words[i + 3] == storageBufferClass)
      putOp(out, opDecorate, 2, (uint32_t[]){words[i + 2], decorationAliased});
  }
}

static bool isDropped(const uint32_t *at, const XlaVulkanInfo *info) {
  if ((*at & 0xffff) != opCapability)
    return false;
  return (at[1] == capabilityInt8 && !info->i8) ||
         (at[1] == capabilityInt16 && !info->i16) ||
         (at[1] == capabilityFloat16 && !info->f16);
}

static void rewrite(Words *out, const uint32_t *words, size_t n,
                    const Survey *found, const XlaVulkanInfo *info) {
  FloatMode modes[3];
  floatModes(found, info, modes);
  bool any = isSet(&modes[0]) || isSet(&modes[1]) || isSet(&modes[2]);
  bool hasCapabilities = false, hasExtensions = false, hasModes = false;
  bool isAnnotated = false;
  memcpy(out->data, words, headerWords * sizeof *words);
  out->n = headerWords;
  for (size_t i = headerWords; i < n; i += words[i] >> 16) {
    uint32_t op = words[i] & 0xffff;
    if (!hasCapabilities && op != opCapability) {
      putCapabilities(out, modes);
      putStorage(out, found, false);
      hasCapabilities = true;
    }
    if (!hasExtensions && op != opCapability && op != opExtension) {
      if (any)
        putExtension(out, "SPV_KHR_float_controls");
      putStorage(out, found, true);
      hasExtensions = true;
    }
    if (!hasModes && op == opExecutionMode) {
      putModes(out, modes, found->entry);
      hasModes = true;
    }
    if (!isAnnotated && op != opCapability && isAfterAnnotations(op)) {
      putDecorations(out, words, n);
      isAnnotated = true;
    }
    if (!isDropped(&words[i], info))
      for (size_t j = 0; j < words[i] >> 16; ++j)
        put(out, words[i + j]);
  }
}

MlirLogicalResult xlaVulkanFinishWords(uint32_t **words, size_t *n,
                                       const XlaVulkanInfo *info) {
  Survey found = survey(*words, *n);
  enum { room = 3 * 2 + 7 + 9 * 4 + 2 * (2 + 7) };
  if (found.failed)
    return mlirLogicalResultFailure();
  size_t size = *n + 3 * found.nDecorations + room;
  Words out = {malloc(size * sizeof **words), 0};
  if (!out.data)
    return mlirLogicalResultFailure();
  rewrite(&out, *words, *n, &found, info);
  free(*words);
  *words = out.data;
  *n = out.n;
  return mlirLogicalResultSuccess();
}
