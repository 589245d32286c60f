//===- op_docs.c - The table of operations as documentation ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/dialect/op_examples.h"
#include "xlac/dialect/writer.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/// "2", or "1.." for one or more.
static void putRange(const XlaWriter *writer, int least, int most) {
  if (least == XLA_VARIADIC || most == XLA_VARIADIC)
    xlaWriterPut(writer, "%d..", least == XLA_VARIADIC ? 0 : least);
  else if (least == most)
    xlaWriterPut(writer, "%d", least);
  else
    xlaWriterPut(writer, "%d..%d", least, most);
}

//===----------------------------------------------------------------------===//
// Lines for a terminal
//===----------------------------------------------------------------------===//

static void putLine(const XlaWriter *writer, const XlaOpInfo *info) {
  const char *dots = info->maxOperands == info->minOperands ? "" : "..";
  xlaWriterPut(writer, "xla.%-24s %d%-2s %s", info->name, info->minOperands,
               dots, info->meaning);
  const MlirExtOpAttribute *attr = info->attributes;
  for (bool first = true; attr && attr->name; ++attr, first = false)
    xlaWriterPut(writer, "%s%s%s", first ? " {" : ", ", attr->name,
                 attr->optional ? "?" : "");
  xlaWriterPut(writer, "%s\n", info->attributes ? "}" : "");
}

void xlaDialectListOps(MlirStringCallback callback, void *userData) {
  XlaWriter writer = {callback, userData};
  for (XlaOpKind kind = XlaOpKindInvalid + 1; kind < XlaOpKindCount; ++kind)
    putLine(&writer, xlaOpGetInfo(kind));
}

//===----------------------------------------------------------------------===//
// Tables in markdown
//===----------------------------------------------------------------------===//

/// A bar would end the cell.
static void putCellText(const XlaWriter *writer, const char *text) {
  for (size_t n; *text; text += n) {
    n = strcspn(text, "|");
    xlaWriterPut(writer, "%.*s", (int)n, text);
    if (text[n]) {
      xlaWriterPut(writer, "\\|");
      ++n;
    }
  }
}

static void putAttributes(const XlaWriter *writer,
                          const MlirExtOpAttribute *attr) {
  static const char *const kinds[] = {
      [XlaAttrKindAny] = "",          [XlaAttrKindBool] = "bool",
      [XlaAttrKindI64] = "i64",       [XlaAttrKindI64Array] = "array",
      [XlaAttrKindEnum] = "",         [XlaAttrKindElements] = "dense",
      [XlaAttrKindSymbol] = "symbol", [XlaAttrKindString] = "string",
      [XlaAttrKindGroups] = "groups",
  };
  for (bool first = true; attr && attr->name; ++attr, first = false) {
    xlaWriterPut(writer, "%s`%s`", first ? "" : ", ", attr->name);
    if (attr->optional)
      xlaWriterPut(writer, "?");
    if (*kinds[attr->kind])
      xlaWriterPut(writer, " %s", kinds[attr->kind]);
    if (attr->choices) {
      xlaWriterPut(writer, " ");
      putCellText(writer, attr->choices);
    }
  }
}

static void putTypeClasses(const XlaWriter *writer, unsigned classes) {
  static const struct {
    unsigned bit;
    const char *name;
  } names[] = {{XlaTypeClassPred, "p"},
               {XlaTypeClassSigned, "s"},
               {XlaTypeClassUnsigned, "u"},
               {XlaTypeClassFloat, "f"},
               {XlaTypeClassComplex, "c"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (classes & names[i].bit)
      xlaWriterPut(writer, "%s", names[i].name);
}

/// "DynamicSlice" as "Dynamic slice".
static void putFamily(const XlaWriter *writer, XlaFamily family) {
  const char *name = xlaFamilyGetName(family);
  xlaWriterPut(writer, "\n## ");
  for (const char *c = name; *c; ++c)
    if (c > name && isupper((unsigned char)*c))
      xlaWriterPut(writer, " %c", tolower((unsigned char)*c));
    else
      xlaWriterPut(writer, "%c", *c);
  xlaWriterPut(writer,
               "\n\n"
               "| operation | operands | results | regions | elements | "
               "attributes | meaning | interpreter | CPU | Vulkan | "
               "specification |\n"
               "|---|---|---|---|---|---|---|---|---|---|---|\n");
}

/// What the CPU (0) or Vulkan (1) makes of an operation.
static const char *cellOf(XlaOpDevices devices, int device) {
  static const char *const cells[][2] = {
      [XlaOpDevicesAll] = {"yes", "yes"},
      [XlaOpDevicesFormula] = {"yes", "yes"},
  };
  return cells[devices][device];
}

/// Interpreter, CPU and Vulkan.
static void putDevices(const XlaWriter *writer, XlaOpDevices devices) {
  xlaWriterPut(writer, " | yes | %s | %s", cellOf(devices, 0),
               cellOf(devices, 1));
}

static void putRow(const XlaWriter *writer, const XlaOpInfo *info) {
  xlaWriterPut(writer, "| `xla.%s` | ", info->name);
  putRange(writer, info->minOperands, info->maxOperands);
  xlaWriterPut(writer, " | ");
  putRange(writer, info->results, info->results);
  xlaWriterPut(writer, " | ");
  if (info->regions == XLA_OPTIONAL)
    putRange(writer, 0, 1);
  else
    putRange(writer, info->regions, info->regions);
  xlaWriterPut(writer, " | ");
  putTypeClasses(writer, info->typeClasses);
  xlaWriterPut(writer, " | ");
  putAttributes(writer, info->attributes);
  xlaWriterPut(writer, " | ");
  putCellText(writer, info->meaning);
  putDevices(writer, info->devices);
  xlaWriterPut(writer, " | %s |\n", info->section);
}

/// The examples of a family, as one block of code.
static void putExamples(const XlaWriter *writer, XlaFamily family) {
  bool any = false;
  for (XlaOpKind kind = XlaOpKindInvalid + 1; kind < XlaOpKindCount; ++kind) {
    const char *text = xlaOpGetExample(kind);
    if (!text || xlaOpGetInfo(kind)->family != family)
      continue;
    xlaWriterPut(writer, any ? "\n" : "\n```mlir\n");
    writer->callback(mlirStringRefCreateFromCString(text), writer->userData);
    any = true;
  }
  if (any)
    xlaWriterPut(writer, "```\n");
}

static void putLabels(const XlaWriter *writer) {
  static const struct {
    const char *label, *rule;
  } rows[] = {
#define XLA_LABEL(label, rule) {#label, rule},
#include "xlac/dialect/ops.def"
  };
  xlaWriterPut(
      writer,
      "\n## Rules\n\n"
      "An error that says how an operation is wrong ends with the label of "
      "the rule that it broke. A number is that of the\n"
      "constraint in StableHLO's specification, if it has one.\n\n"
      "| label | rule |\n|---|---|\n");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    xlaWriterPut(writer, "| `%s` | %s |\n", rows[i].label, rows[i].rule);
}

void xlaDialectListOpsMarkdown(MlirStringCallback callback, void *userData) {
  XlaWriter writer = {callback, userData};
  xlaWriterPut(
      &writer,
      "# The operations of the dialect xla\n"
      "\n"
      "Made from `dialect/ops.def` by `xla-opt --list-ops=markdown`. The "
      "functions below run: `xla-run FILE --entry=NAME --seed=1`,\nsome with "
      "the "
      "options that a comment names.\n"
      "\n"
      "`2..` means two or more. Elements are those of the first operand, or of "
      "the result where there is none:\n"
      "p pred, s signed integers, u unsigned ones, f floats, c complex "
      "numbers. Attributes with a `?` may be left out.\n"
      "All of them are compiled as well; a Vulkan device may lack some. The "
      "last column is the name in XLA's specification.\n");
  for (XlaFamily family = XlaFamilyNone + 1; family < XlaFamilyCount;
       ++family) {
    putFamily(&writer, family);
    for (XlaOpKind kind = XlaOpKindInvalid + 1; kind < XlaOpKindCount; ++kind)
      if (xlaOpGetInfo(kind)->family == family)
        putRow(&writer, xlaOpGetInfo(kind));
    putExamples(&writer, family);
  }
  putLabels(&writer);
}

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

/// Rows of operations and of labels, in their order.
static const struct {
  XlaOpKind kind; ///< Invalid: a label
  const char *label, *rule;
} allRows[] = {
#define XLA_OP(Enum, ...) {XlaOpKind##Enum, NULL, NULL},
#define XLA_LABEL(label, rule) {XlaOpKindInvalid, #label, rule},
#include "xlac/dialect/ops.def"
};

enum { rowCount = sizeof allRows / sizeof *allRows };

/// Labels have the name of their operation, which they follow; others are of
/// the family whose first operation follows.
static XlaOpKind ownerOf(int row, bool *ofFamily) {
  int at = row;
  while (at >= 0 && !allRows[at].kind)
    --at;
  const char *name = at < 0 ? "" : xlaOpGetInfo(allRows[at].kind)->name;
  size_t length = strlen(name);
  *ofFamily = !length || strncmp(allRows[row].label, name, length) != 0 ||
              allRows[row].label[length] != '_';
  if (!*ofFamily)
    return allRows[at].kind;
  for (at = row; at < rowCount && !allRows[at].kind;)
    ++at;
  return at < rowCount ? allRows[at].kind : XlaOpKindInvalid;
}

/// Whether a rule says something of `kind`: its own, or its family's, but what
/// concerns operands that are broadcast.
static bool isRuleOf(int row, XlaOpKind kind) {
  static const char *const all[] = {"arity", "attribute", "element_type",
                                    "region", "result"};
  const XlaOpInfo *info = xlaOpGetInfo(kind);
  bool ofFamily;
  XlaOpKind owner = ownerOf(row, &ofFamily);
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (!strcmp(all[i], allRows[row].label))
      return false;
  if (!ofFamily)
    return owner == kind;
  return owner && xlaOpGetInfo(owner)->family == info->family &&
         (info->family != XlaFamilyElementwise || info->maxOperands == 2);
}

static void putRulesOf(const XlaWriter *writer, XlaOpKind kind) {
  const char *head = "\nRules\n\n";
  for (int i = 0; i < rowCount; ++i)
    if (!allRows[i].kind && isRuleOf(i, kind)) {
      xlaWriterPut(writer, "%s- `%s`: %s\n", head, allRows[i].label,
                   allRows[i].rule);
      head = "";
    }
}

void xlaDialectDescribeOp(MlirStringRef name, MlirStringCallback callback,
                          void *userData) {
  static const char prefix[] = "xla.";
  const size_t skipped = sizeof prefix - 1;
  if (name.length <= skipped || memcmp(name.data, prefix, skipped) != 0)
    return;
  XlaOpKind kind =
      xlaOpKindFromName(name.data + skipped, name.length - skipped);
  if (kind == XlaOpKindInvalid)
    return;
  const XlaOpInfo *info = xlaOpGetInfo(kind);
  XlaWriter writer = {callback, userData};
  xlaWriterPut(&writer, "%s\n\nOperands: ", info->meaning);
  putRange(&writer, info->minOperands, info->maxOperands);
  xlaWriterPut(&writer, "; results: ");
  putRange(&writer, info->results, info->results);
  xlaWriterPut(&writer, "; elements: ");
  putTypeClasses(&writer, info->typeClasses);
  if (info->attributes) {
    xlaWriterPut(&writer, "\n\nAttributes: ");
    putAttributes(&writer, info->attributes);
  }
  xlaWriterPut(&writer, "\n");
  putRulesOf(&writer, kind);
  if (!xlaOpGetExample(kind))
    return;
  xlaWriterPut(&writer, "\nExample\n\n```mlir\n");
  callback(mlirStringRefCreateFromCString(xlaOpGetExample(kind)), userData);
  xlaWriterPut(&writer, "```\n");
}

//===----------------------------------------------------------------------===//
// Status
//===----------------------------------------------------------------------===//

/// What most operations of a family have, then those that have another.
static void putFamilyDevice(const XlaWriter *writer, XlaFamily family,
                            int device) {
  const char *usual = NULL;
  for (XlaOpKind kind = XlaOpKindInvalid + 1; kind < XlaOpKindCount; ++kind) {
    const XlaOpInfo *info = xlaOpGetInfo(kind);
    if (info->family != family)
      continue;
    const char *cell = cellOf(info->devices, device);
    if (!usual)
      xlaWriterPut(writer, " | %s", usual = cell);
    else if (strcmp(cell, usual) != 0)
      xlaWriterPut(writer, "; %s: %s", info->name, cell);
  }
}

/// Whether it compiles with operands or results of dynamic size: "-" where its
/// rules know none, or a fusion, which is formed later.
static const char *dynamicCell(XlaFamily family) {
  static const struct {
    const char *sizes, *dynamic;
  } families[XlaFamilyCount] = {
      {"", ""},
#define XLA_FAMILY(Family, sizes, maps, mapsOf, Dynamic, ...)                  \
  {#sizes, #Dynamic},
#include "xlac/dialect/families.def"
  };
  if (strcmp(families[family].dynamic, "None") != 0)
    return "yes";
  return strcmp(families[family].sizes, "Bounded") != 0 &&
                 family != XlaFamilyTransfer
             ? "-"
             : "no";
}

void xlaDialectListStatus(MlirStringCallback callback, void *userData) {
  XlaWriter writer = {callback, userData};
  xlaWriterPut(&writer,
               "| family | operations | interpreter | CPU | Vulkan | dynamic "
               "sizes, compiled |\n|---|---|---|---|---|---|\n");
  for (XlaFamily family = XlaFamilyNone + 1; family < XlaFamilyCount;
       ++family) {
    int n = 0;
    for (XlaOpKind kind = XlaOpKindInvalid + 1; kind < XlaOpKindCount; ++kind)
      n += xlaOpGetInfo(kind)->family == family;
    xlaWriterPut(&writer, "| %s | %d | yes", xlaFamilyGetName(family), n);
    putFamilyDevice(&writer, family, 0);
    putFamilyDevice(&writer, family, 1);
    xlaWriterPut(&writer, " | %s |\n", dynamicCell(family));
  }
}
