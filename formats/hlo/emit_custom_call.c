//===- emit_custom_call.c - Custom calls from HLO -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Custom calls are StableHLO's for a moment, so that the import gives those
// that it knows their meaning; in a program with computations of parts until
// all of it has been read.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/formats/hlo/emit.h"
#include "xlac/passes/import/stablehlo.h"

#include <stdlib.h>
#include <string.h>

static bool equals(MlirStringRef a, const char *b) {
  return mlirStringRefEqual(a, mlirStringRefCreateFromCString(b));
}

static XlaImportResult importForeign(MlirOperation op, MlirBlock functions) {
  (void)functions;
  return xlaImportForeign(op, mlirIdentifierStr(mlirOperationGetName(op)));
}

bool xlaHloImport(XlaHloOp *op, const char *name, intptr_t nAttrs,
                  const XlaIrAttr *attrs, intptr_t nRegions,
                  MlirRegion *regions) {
  return xlaHloImportBy(op, importForeign, name, nAttrs, attrs, nRegions,
                        regions);
}

bool xlaHloImportBy(XlaHloOp *op, XlaHloImporter *import, const char *name,
                    intptr_t nAttrs, const XlaIrAttr *attrs, intptr_t nRegions,
                    MlirRegion *regions) {
  MlirOperation foreign =
      xlaIrCreate(&op->ir, name, op->nOperands, op->operands, op->nResults,
                  op->types, nAttrs, attrs, nRegions, regions);
  if (op->scope->emitter->hasParts && !strcmp(name, "stablehlo.custom_call"))
    return xlaHloPutResults(op, foreign);
  // Keeps what takes the place of the results.
  MlirValue *results = malloc(((size_t)op->nResults + 1) * sizeof *results);
  if (!results)
    return xlaHloOpNoMemory(op);
  for (intptr_t i = 0; i < op->nResults; ++i)
    results[i] = mlirOperationGetResult(foreign, i);
  MlirOperation user = xlaIrCreate(&op->ir, "stablehlo.return", op->nResults,
                                   results, 0, NULL, 0, NULL, 0, NULL);
  XlaImportResult result = import(foreign, op->scope->emitter->body);
  bool made = result == XlaImportResultOk;
  if (!made)
    op->scope->emitter->result = result; // and it has said why
  for (intptr_t i = 0; made && i < op->nResults; ++i)
    results[i] = mlirOperationGetOperand(user, i);
  mlirOperationDestroy(user);
  made = made && xlaHloPut(op, op->nResults, results);
  free(results);
  return made;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// A configuration in braces is a dictionary of MLIR, of typed calls, or JSON;
/// null if it is no dictionary.
static MlirAttribute parseConfig(XlaHloOp *op, MlirStringRef text) {
  int64_t line, column;
  MlirAttribute parsed = mlirAttributeGetNull();
  char *copy = malloc(text.length + 1);
  if (!copy || text.length > 1 << 16) {
    free(copy);
    return parsed;
  }
  memcpy(copy, text.data, text.length);
  copy[text.length] = 0;
  if (!xlaTextFindHazard(mlirStringRefCreate(copy, text.length), &line,
                         &column))
    parsed = mlirAttributeParseGet(op->ir.context,
                                   mlirStringRefCreate(copy, text.length));
  free(copy);
  return parsed;
}

static bool addConfig(XlaHloOp *op, XlaHloAttrs *attrs) {
  const XlaHloAttr *config = xlaHloFindAttr(op->in, XlaHloAttrBackendConfig);
  const XlaHloAttr *version = xlaHloFindAttr(op->in, XlaHloAttrApiVersion);
  bool isTyped = version && equals(version->text, "API_VERSION_TYPED_FFI");
  if (version)
    xlaHloAddAttr(
        attrs, "api_version",
        mlirIntegerAttrGet(
            mlirIntegerTypeGet(op->ir.context, 32),
            isTyped                                                         ? 4
            : equals(version->text, "API_VERSION_STATUS_RETURNING_UNIFIED") ? 3
            : equals(version->text, "API_VERSION_STATUS_RETURNING")         ? 2
                                                                    : 1));
  if (!config)
    return true;
  MlirAttribute value = mlirStringAttrGet(op->ir.context, config->text);
  if (!config->isQuoted && isTyped) {
    value = parseConfig(op, config->text);
    if (mlirAttributeIsNull(value) || !mlirAttributeIsADictionary(value))
      return xlaHloOpInvalid(op, "has a backend_config that is no dictionary");
  }
  xlaHloAddAttr(attrs, "backend_config", value);
  return true;
}

static bool addComputations(XlaHloOp *op, XlaHloAttrs *attrs) {
  static const XlaHloAttrName names[] = {XlaHloAttrCalledComputations,
                                         XlaHloAttrToApply};
  for (int i = 0; i < 2; ++i) {
    const XlaHloAttr *called = xlaHloFindAttr(op->in, names[i]);
    if (!called)
      continue;
    MlirAttribute *symbols = malloc(((size_t)called->n + 1) * sizeof *symbols);
    if (!symbols)
      return xlaHloOpNoMemory(op);
    for (uint32_t k = 0; k < called->n; ++k)
      symbols[k] =
          xlaHloFunction(op->scope->emitter, (uint32_t)called->values[k]);
    xlaHloAddAttr(attrs, "called_computations",
                  mlirArrayAttrGet(op->ir.context, called->n, symbols));
    free(symbols);
    break;
  }
  return true;
}

bool xlaHloEmitCustomCall(XlaHloOp *op) {
  XlaHloAttrs attrs = {0};
  MlirContext context = op->ir.context;
  const XlaHloAttr *target = xlaHloFindAttr(op->in, XlaHloAttrCustomCallTarget);
  const XlaHloAttr *effect =
      xlaHloFindAttr(op->in, XlaHloAttrCustomCallHasSideEffect);
  const XlaHloAttr *aliases =
      xlaHloFindAttr(op->in, XlaHloAttrOutputToOperandAliasing);
  if (!target)
    return xlaHloOpInvalid(op, "has no custom_call_target");
  xlaHloAddAttr(&attrs, "call_target_name",
                mlirStringAttrGet(context, target->text));
  if (effect)
    xlaHloAddAttr(&attrs, "has_side_effect",
                  mlirBoolAttrGet(context, effect->values[0] != 0));
  // That there are some is all that the import asks.
  if (aliases && !equals(aliases->text, "{}")) {
    MlirAttribute one = xlaIrStringAttr(context, "one");
    xlaHloAddAttr(&attrs, "output_operand_aliases",
                  mlirArrayAttrGet(context, 1, &one));
  }
  xlaHloAddShardings(op, &attrs);
  return addConfig(op, &attrs) && addComputations(op, &attrs) &&
         xlaHloImport(op, "stablehlo.custom_call", attrs.n, attrs.items, 0,
                      NULL);
}
