//===- write.c - Programs as HLO text -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/write.h"

#include "xlac/dialect/entry.h"
#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/formats/hlo/write_internal.h"
#include "xlac/passes/expand/computations.h"
#include "xlac/passes/expand/expand.h"
#include "xlac/passes/import/stablehlo/custom_call.h"
#include "xlac/passes/passes.h"
#include "xlac/passes/replicas.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// What a region of `op` is called where it is used.
static const char *regionKey(XlaOpKind kind, intptr_t region) {
  if (kind == XlaOpKindSelectAndScatter)
    return region ? "scatter" : "select";
  return "to_apply";
}

/// An operation that is one instruction.
static void writePlain(XlaHloBody *body, MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  intptr_t regions[2] = {0};
  intptr_t nRegions = mlirOperationGetNumRegions(op);
  if (nRegions > 2 || !xlaHloOpcode(kind)) {
    xlaHloWriteRefuse(body->writer, op, "has no counterpart in HLO");
    return;
  }
  for (intptr_t i = 0; i < nRegions; ++i)
    regions[i] = xlaHloWriteComputation(body->writer, op, i);
  intptr_t number = xlaHloBeginOp(body, op, xlaHloOpcode(kind));
  xlaHloPrintOperands(body, op);
  xlaHloPrintAttributes(&body->text, op);
  for (intptr_t i = 0; i < nRegions; ++i)
    xlaHloPrintCallee(body, regionKey(kind, i), regions[i]);
  xlaHloEnd(body, op);
  xlaHloSetResults(body, op, number);
}

static intptr_t writeFunction(XlaHloWriter *writer, MlirOperation function,
                              const char *keyword);

/// The function that ragged-all-to-all became is one again.
static bool writeRagged(XlaHloBody *body, MlirOperation op,
                        MlirOperation function) {
  MlirAttribute config = mlirOperationGetDiscardableAttributeByName(
      function, mlirStringRefCreateFromCString(XLA_RAGGED_ALL_TO_ALL));
  if (!xlaIsRaggedAllToAll(op, config))
    return false;
  MlirAttribute groups = mlirDictionaryAttrGetElementByName(
      config, mlirStringRefCreateFromCString("replica_groups"));
  MlirAttribute channel = mlirDictionaryAttrGetElementByName(
      config, mlirStringRefCreateFromCString("channel_id"));
  intptr_t number = xlaHloBeginOp(body, op, "ragged-all-to-all");
  xlaHloPrintOperands(body, op);
  if (!mlirAttributeIsNull(channel) && mlirAttributeIsAInteger(channel) &&
      mlirIntegerAttrGetValueInt(channel) > 0)
    xlaIrTextPrint(&body->text, ", channel_id=%lld",
                   (long long)mlirIntegerAttrGetValueInt(channel));
  xlaHloPrintGroups(&body->text, "replica_groups", groups);
  xlaHloEnd(body, op);
  xlaHloSetResults(body, op, number);
  return true;
}

static void writeCall(XlaHloBody *body, MlirOperation op) {
  MlirAttribute callee = xlaOpGetAttr(op, "callee");
  MlirOperation module = mlirOperationGetParentOperation(op);
  while (!xlaIrIsOp(module, "builtin.module"))
    module = mlirOperationGetParentOperation(module);
  MlirOperation function =
      mlirAttributeIsNull(callee) || !mlirAttributeIsAFlatSymbolRef(callee)
          ? (MlirOperation){NULL}
          : xlaModuleFindFunction(module,
                                  mlirFlatSymbolRefAttrGetValue(callee));
  if (mlirOperationIsNull(function)) {
    xlaHloWriteRefuse(body->writer, op,
                      "calls what is no function of the module");
    return;
  }
  if (writeRagged(body, op, function))
    return;
  intptr_t computation = writeFunction(body->writer, function, "");
  if (body->writer->failed)
    return;
  intptr_t number = xlaHloBeginOp(body, op, "call");
  xlaHloPrintOperands(body, op);
  xlaHloPrintCallee(body, "to_apply", computation);
  xlaHloEnd(body, op);
  xlaHloSetResults(body, op, number);
}

static void writeOp(XlaHloBody *body, MlirOperation op) {
  static void (*const writers[XlaOpKindCount])(XlaHloBody *, MlirOperation) = {
      [XlaOpKindConstant] = xlaHloWriteConstant,
      [XlaOpKindWhile] = xlaHloWriteWhile,
      [XlaOpKindIf] = xlaHloWriteConditional,
      [XlaOpKindCase] = xlaHloWriteConditional,
      [XlaOpKindConditional] = xlaHloWriteConditional,
  };
  XlaOpKind kind = xlaOpGetKind(op);
  if (xlaIrIsOp(op, "func.call") || kind == XlaOpKindCall) {
    writeCall(body, op);
    return;
  }
  if (kind == XlaOpKindInvalid) {
    xlaHloWriteRefuse(body->writer, op, "is no operation of xla");
    return;
  }
  if (writers[kind])
    writers[kind](body, op);
  else if (!xlaHloWriteSpecial(body, op))
    writePlain(body, op);
}

MlirOperation xlaHloWriteBlock(XlaHloBody *body, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (MlirOperation next = mlirOperationGetNextInBlock(op);
       !mlirOperationIsNull(next);
       op = next, next = mlirOperationGetNextInBlock(next))
    if (!body->writer->failed)
      writeOp(body, op);
  return op;
}

intptr_t xlaHloWriteReturn(XlaHloBody *body, MlirOperation terminator) {
  intptr_t n = mlirOperationGetNumOperands(terminator);
  intptr_t *numbers = malloc(((size_t)n + 1) * sizeof *numbers);
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  intptr_t root = 0;
  if (numbers && types) {
    for (intptr_t i = 0; i < n; ++i) {
      MlirValue value = mlirOperationGetOperand(terminator, i);
      types[i] = mlirValueGetType(value);
      numbers[i] = xlaHloNumber(body->writer, terminator, value);
    }
    root = xlaHloTuple(body, terminator, n, numbers, types);
  } else {
    xlaHloNoMemory(body->writer, terminator);
  }
  free(numbers);
  free(types);
  return root;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The number of its computation, which is written before its first use.
static intptr_t writeFunction(XlaHloWriter *writer, MlirOperation function,
                              const char *keyword) {
  intptr_t known = xlaPointerMapGet(&writer->functions, function.ptr);
  if (known > 0)
    return known;
  MlirRegion region = mlirOperationGetRegion(function, 0);
  MlirBlock block = mlirRegionGetFirstBlock(region);
  if (known < 0 || mlirBlockIsNull(block)) {
    writer->isInvalid |= known < 0;
    xlaHloWriteRefuse(writer, function,
                      known < 0
                          ? "calls itself, which computations of HLO cannot"
                          : "is declared only");
    return 0;
  }
  XlaHloBody body = {.writer = writer};
  if (!xlaPointerMapSet(&writer->functions, function.ptr, -1))
    xlaHloNoMemory(writer, function);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    MlirType type = mlirValueGetType(argument);
    xlaHloSetNumber(writer, argument,
                    xlaHloParameter(&body, function, 1, &type));
  }
  MlirOperation end = xlaHloWriteBlock(&body, block);
  intptr_t root = xlaHloWriteReturn(&body, end);
  MlirType type = mlirTypeAttrGetValue(xlaOpGetAttr(function, "function_type"));
  intptr_t n = mlirFunctionTypeGetNumResults(type);
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  for (intptr_t i = 0; types && i < n; ++i)
    types[i] = mlirFunctionTypeGetResult(type, i);
  if (!types)
    xlaHloNoMemory(writer, function);
  intptr_t number =
      xlaHloFinish(&body, function, keyword, *keyword ? "main" : "function",
                   root, types ? n : 0, types);
  free(types);
  if (!xlaPointerMapSet(&writer->functions, function.ptr, number))
    xlaHloNoMemory(writer, function);
  return number;
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// `buffer_donor={ (0, {}) }`: which parameters may be overwritten.
static void printDonors(XlaIrText *text, MlirOperation function) {
  MlirAttribute list = xlaOpGetAttr(function, "arg_attrs");
  MlirStringRef donated = mlirStringRefCreateFromCString("xla.donated");
  bool any = false;
  if (mlirAttributeIsNull(list) || !mlirAttributeIsAArray(list))
    return;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(list); ++i) {
    MlirAttribute each = mlirArrayAttrGetElement(list, i);
    if (!mlirAttributeIsADictionary(each) ||
        mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(each, donated)))
      continue;
    xlaIrTextPrint(text, "%s (%lld, {})", any ? "," : ", buffer_donor={",
                   (long long)i);
    any = true;
  }
  if (any)
    xlaIrTextPrint(text, " }");
}

static void printCount(XlaIrText *text, MlirOperation module, const char *name,
                       const char *key) {
  int64_t count = xlaModuleGetCount(module, name);
  if (count > 1)
    xlaIrTextPrint(text, ", %s=%lld", key, (long long)count);
}

/// The module's name in the letters that names of HLO have.
static void printHeader(XlaIrText *text, MlirOperation module,
                        MlirOperation entry) {
  MlirAttribute name = xlaOpGetAttr(module, "sym_name");
  MlirStringRef chars = mlirStringRefCreateFromCString("main");
  if (!mlirAttributeIsNull(name) && mlirAttributeIsAString(name) &&
      mlirStringAttrGetValue(name).length)
    chars = mlirStringAttrGetValue(name);
  xlaIrTextPrint(text, "HloModule ");
  for (size_t i = 0; i < chars.length; ++i) {
    char c = chars.data[i];
    bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                    (i && c >= '0' && c <= '9') ||
                    (i && (c == '.' || c == '-'));
    xlaIrTextPrint(text, "%c", isLetter ? c : '_');
  }
  printDonors(text, entry);
  printCount(text, module, "xla.num_replicas", "replica_count");
  printCount(text, module, "xla.num_partitions", "num_partitions");
  xlaIrTextPrint(text, "\n\n");
}

/// Functions that older readers of HLO lack, and those whose opcodes XLA reads
/// and does not compile, become formulas.
static bool expandFormulas(MlirOperation module) {
  bool wanted[XlaOpKindCount] = {[XlaOpKindAcos] = true,
                                 [XlaOpKindAsin] = true};
  for (XlaOpKind kind = 1; kind < XlaOpKindCount; ++kind)
    wanted[kind] |= xlaOpGetInfo(kind)->devices == XlaOpDevicesFormula &&
                    xlaExpandHas(kind);
  return !failed(xlaExpandKinds(module, wanted));
}

static MlirWalkResult expandScan(MlirOperation op, void *userData) {
  bool *done = userData;
  if (xlaOpGetKind(op) != XlaOpKindAssociativeScan)
    return MlirWalkResultAdvance;
  bool isDynamic = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    isDynamic |=
        xlaTypeIsDynamic(mlirValueGetType(mlirOperationGetResult(op, i)));
  *done = isDynamic ? !failed(xlaOpUnsupported(op, NULL,
                                               "has dynamic sizes, of "
                                               "which HLO has no loop"))
                    : !failed(xlaScanInLoop(op));
  return *done ? MlirWalkResultSkip : MlirWalkResultInterrupt;
}

/// HLO's scan does not go from the second element on, with the first one.
static bool expandScans(MlirOperation module) {
  bool done = true;
  mlirOperationWalk(module, expandScan, &done, MlirWalkPreOrder);
  return done;
}

/// Entry and what it calls, of a module that may be changed.
static void writeModule(XlaHloWriter *writer, MlirOperation module) {
  MlirOperation entry =
      xlaModuleFindEntry(module, mlirStringRefCreate(NULL, 0), NULL);
  if (mlirOperationIsNull(entry)) {
    writer->isInvalid = writer->failed = true;
    (void)xlaOpInvalid(module, NULL,
                       "has neither @main nor one public function");
    return;
  }
  if (!expandFormulas(module) || !expandScans(module) ||
      failed(xlaPassExplicitBroadcast(module, (MlirExtPassOptionValues){NULL},
                                      NULL))) {
    writer->failed = true;
    return;
  }
  printHeader(&writer->done, module, entry);
  writeFunction(writer, entry, "ENTRY ");
}

/// Elements whose text is made at once, and room for it: two numbers of 24
/// characters at most with a comma, and as many braces as the rank has.
enum { atOnce = 256, pieceBytes = atOnce * (64 + 2 * XLA_MAX_RANK) };

/// The text, with values in its holes: text of some of their elements at a
/// time, in `piece`, which has room for it.
static void send(const XlaHloWriter *writer, XlaIrText *piece,
                 MlirStringCallback callback, void *userData) {
  const XlaIrText *done = &writer->done;
  size_t at = 0;
  for (intptr_t i = 0; i < writer->holes.n; ++i) {
    const XlaHloHole *hole = &writer->holes.items[i];
    callback(mlirStringRefCreate(done->data + at, hole->position - at),
             userData);
    at = hole->position;
    int64_t n = xlaLiteralGetElementCount(hole->value);
    for (int64_t begin = 0; begin < n; begin += atOnce) {
      piece->size = 0;
      xlaHloPrintElements(piece, hole->value, begin,
                          n - begin < atOnce ? n : begin + atOnce);
      callback(mlirStringRefCreate(piece->data, piece->size), userData);
    }
  }
  callback(mlirStringRefCreate(done->data + at, done->size - at), userData);
}

XlaImportResult xlaHloWrite(MlirModule module, MlirStringCallback callback,
                            void *userData) {
  XlaHloWriter writer = {.context = mlirModuleGetContext(module)};
  MlirOperation copy = mlirOperationClone(mlirModuleGetOperation(module));
  XlaIrText piece = {malloc(pieceBytes), 0, pieceBytes, false};
  writeModule(&writer, copy);
  if (!piece.data)
    xlaHloNoMemory(&writer, copy);
  if (!writer.failed)
    send(&writer, &piece, callback, userData);
  free(piece.data);
  xlaHloHolesDestroy(&writer.holes);
  mlirOperationDestroy(copy);
  free(writer.done.data);
  free(writer.names);
  xlaPointerMapClear(&writer.values);
  xlaPointerMapClear(&writer.functions);
  return !writer.failed     ? XlaImportResultOk
         : writer.isInvalid ? XlaImportResultInvalid
                            : XlaImportResultUnsupported;
}
