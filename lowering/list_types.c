//===- list_types.c - What devices do with element types ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/list_types.h"

#include "xlac/dialect/element_type.h"
#include "xlac/dialect/writer.h"
#include "xlac/lowering/vulkan/spirv.h"
#include "xlac/passes/narrow/widen.h"

#include <stdio.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

/// The type of what kernels load and store: bytes in place of narrow types,
/// parts in place of complex numbers.
static XlaElementType storedAs(XlaElementType type) {
  return xlaElementTypeIsNarrow(type) ? xlaNarrowStored(type)
                                      : xlaElementTypeReal(type);
}

/// The type of what arithmetic is done with. Floats below f32 are rounded after
/// every operation (linalg/scalar.h).
static XlaElementType computedAs(XlaElementType type) {
  if (xlaElementTypeIsNarrow(type))
    return xlaNarrowComputed(type);
  bool isHalf =
      xlaElementTypeIsFloat(type) && xlaElementTypeGetInfo(type)->bits < 32;
  return isHalf ? XlaElementTypeF32 : xlaElementTypeReal(type);
}

/// A device without one of the features that types may need.
static XlaVulkanInfo without(int feature) {
  XlaVulkanInfo info = {
      .f16 = true, .f64 = true, .i8 = true, .i16 = true, .i64 = true};
  info.storage8 = info.storage16 = true;
  bool *const features[] = {&info.f64, &info.i64, &info.storage8,
                            &info.storage16};
  *features[feature] = false;
  return info;
}
enum { nFeatures = 4 };

/// Names of Vulkan's features, as they stand in the reasons of refusals.
static void putNeeds(const XlaWriter *writer, XlaElementType type) {
  bool any = false;
  for (int feature = 0; feature < nFeatures; ++feature) {
    XlaVulkanInfo info = without(feature);
    const char *why = xlaVulkanWhyNotType(storedAs(type), true, &info);
    if (!why)
      why = xlaVulkanWhyNotType(computedAs(type), false, &info);
    const char *name = why ? strchr(why, '(') : NULL;
    if (!name)
      continue;
    xlaWriterPut(writer, "%s%.*s", any ? ", " : "", (int)strcspn(name + 1, ")"),
                 name + 1);
    any = true;
  }
}

static void putType(const XlaWriter *writer, XlaElementType type) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  const char *parts = xlaElementTypeIsComplex(type) ? "two of " : "";
  const char *stored = xlaElementTypeGetInfo(storedAs(type))->name;
  const char *computed = xlaElementTypeGetInfo(computedAs(type))->name;
  xlaWriterPut(writer, "| %s | `%s` | %d | ", info->name, info->mlirName,
               info->bits);
  xlaWriterPut(writer, "%s%s | %s%s | ", parts, stored, parts, computed);
  putNeeds(writer, type);
  xlaWriterPut(writer, " |\n");
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

enum { Compiled, CPU, Vulkan, Any, All, nWho };
enum { Lacks, Guards, Several, Passes, nKinds };

static void putRefusals(const XlaWriter *writer, int kind) {
  static const struct {
    int kind;
    const char *types, *operations;
    int who;
    const char *missing, *message;
  } rows[] = {
#define XLA_REFUSAL(Kind, types, operations, Devices, missing, message)        \
  {Kind, types, operations, Devices, missing, message},
#include "xlac/lowering/refusals.def"
  };
  static const char *const names[nWho] = {[Compiled] = "CPU, Vulkan",
                                          [CPU] = "CPU",
                                          [Vulkan] = "Vulkan",
                                          [Any] = "all",
                                          [All] = "passes"};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (rows[i].kind != kind)
      continue;
    xlaWriterPut(writer, "| %s | %s | %s | ", rows[i].types, rows[i].operations,
                 names[rows[i].who]);
    xlaWriterPut(writer, "%s | `%s` |\n", rows[i].missing, rows[i].message);
  }
}

static void putKind(const XlaWriter *writer, int kind) {
  static const struct {
    const char *title, *text, *column;
  } kinds[nKinds] = {
      [Lacks] = {"What devices lack",
                 "Nothing but another device, or what `--custom-calls` loads, "
                 "helps. Arrays that do not fit into the memory\n"
                 "that there is are an error when the program runs.",
                 "missing"},
      [Guards] = {"Limits of programs",
                  "They keep programs that are written by mistake, or to do "
                  "harm, from taking all memory or time.",
                  "more than there may be"},
      [Several] = {"Programs of several devices",
                   "What computes on parts of arrays (JAX's `shard_map`); the "
                   "interpreter refuses these, too.",
                   "that there may not be"},
      [Passes] = {"Passes alone",
                  "No refusals of programs: passes of `xla-opt` say so of what "
                  "the passes in front of them would have replaced.",
                  "missing"},
  };
  xlaWriterPut(writer, "\n### %s\n\n%s\n\n", kinds[kind].title,
               kinds[kind].text);
  xlaWriterPut(writer,
               "| element types | operations | device | %s | message |\n"
               "|---|---|---|---|---|\n",
               kinds[kind].column);
  putRefusals(writer, kind);
}

void xlaListTypes(MlirStringCallback callback, void *userData) {
  XlaWriter writer = {callback, userData};
  xlaWriterPut(
      &writer,
      "## Element types on devices\n\n"
      "Every device takes every element type, but a Vulkan device that lacks "
      "one of the features that the last column names.\n"
      "Arithmetic on 8 and 16 bits is done with 32 where a device has none "
      "(shaderInt8, shaderInt16, shaderFloat16).\n\n"
      "| element type | in MLIR | bits | stored as | computed as | Vulkan "
      "needs |\n|---|---|---|---|---|---|\n");
  for (XlaElementType type = XlaElementTypeInvalid + 1;
       type < XlaElementTypeCount; ++type)
    putType(&writer, type);
  xlaWriterPut(
      &writer,
      "\n## Refusals\n\n"
      "What the interpreter runs and devices do not: no operation is missing, "
      "for no element type. The last column is the\n"
      "message, with numbers and types in place of what begins with %%.\n");
  for (int kind = 0; kind < nKinds; ++kind)
    putKind(&writer, kind);
}
