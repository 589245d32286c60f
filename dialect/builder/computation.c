//===- computation.c - Programs that a builder has built ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body is a detached func.func. Calls in it name symbols of the
// computation's own list of callees, so whoever copies the body renames them to
// those of its list.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/builder/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

//===----------------------------------------------------------------------===//
// References and parts
//===----------------------------------------------------------------------===//

XlaComputation *xlaComputationRetain(const XlaComputation *computation) {
  XlaComputation *counted = (XlaComputation *)computation;
  if (counted)
    ++counted->references;
  return counted;
}

void xlaComputationRelease(XlaComputation *computation) {
  if (!computation || --computation->references)
    return;
  mlirOperationDestroy(computation->function);
  xlaCalleesDestroy(&computation->callees);
  free(computation->name);
  free(computation);
}

const char *xlaComputationGetName(const XlaComputation *computation) {
  return computation ? computation->name : "";
}

MlirContext xlaComputationGetContext(const XlaComputation *computation) {
  return computation ? mlirOperationGetContext(computation->function)
                     : (MlirContext){NULL};
}

static MlirBlock bodyOf(MlirOperation function) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
}

intptr_t xlaComputationGetNumParameters(const XlaComputation *computation) {
  return computation ? mlirBlockGetNumArguments(bodyOf(computation->function))
                     : 0;
}

MlirType xlaComputationGetParameterType(const XlaComputation *computation,
                                        intptr_t number) {
  if (number < 0 || number >= xlaComputationGetNumParameters(computation))
    return (MlirType){NULL};
  return mlirValueGetType(
      mlirBlockGetArgument(bodyOf(computation->function), number));
}

MlirType xlaComputationGetResultType(const XlaComputation *computation) {
  if (!computation)
    return (MlirType){NULL};
  MlirOperation terminator =
      mlirBlockGetTerminator(bodyOf(computation->function));
  return mlirValueGetType(mlirOperationGetOperand(terminator, 0));
}

//===----------------------------------------------------------------------===//
// Callees
//===----------------------------------------------------------------------===//

void xlaCalleesDestroy(XlaCallees *callees) {
  for (intptr_t i = 0; i < callees->n; ++i) {
    xlaComputationRelease(callees->entries[i].computation);
    free(callees->entries[i].symbol);
  }
  free(callees->entries);
  *callees = (XlaCallees){0};
}

static const XlaCallee *findComputation(const XlaCallees *callees,
                                        const XlaComputation *computation) {
  for (intptr_t i = 0; i < callees->n; ++i)
    if (callees->entries[i].computation == computation)
      return &callees->entries[i];
  return NULL;
}

static const XlaCallee *findSymbol(const XlaCallees *callees,
                                   MlirStringRef symbol) {
  for (intptr_t i = 0; i < callees->n; ++i)
    if (mlirStringRefEqual(str(callees->entries[i].symbol), symbol))
      return &callees->entries[i];
  return NULL;
}

/// The computation's name, with a number if another has it.
static char *newSymbol(const XlaCallees *callees, const char *name) {
  size_t size = strlen(name) + 32;
  char *symbol = malloc(size);
  if (!symbol)
    return NULL;
  snprintf(symbol, size, "%s", *name ? name : "computation");
  for (intptr_t i = 1;
       !strcmp(symbol, "main") || findSymbol(callees, str(symbol)); ++i)
    snprintf(symbol, size, "%s.%lld", *name ? name : "computation",
             (long long)i);
  return symbol;
}

const char *xlaCalleesAdd(XlaCallees *callees,
                          const XlaComputation *computation) {
  const XlaCallee *found = findComputation(callees, computation);
  if (found)
    return found->symbol;
  for (intptr_t i = 0; i < computation->callees.n; ++i)
    if (!xlaCalleesAdd(callees, computation->callees.entries[i].computation))
      return NULL;
  XlaCallee *grown =
      realloc(callees->entries, ((size_t)callees->n + 1) * sizeof *grown);
  if (!grown)
    return NULL;
  callees->entries = grown;
  char *symbol = newSymbol(callees, computation->name);
  if (!symbol)
    return NULL;
  callees->entries[callees->n++] =
      (XlaCallee){xlaComputationRetain(computation), symbol};
  return symbol;
}

/// Whose symbols a copy has, and whose it is to have.
typedef struct Renaming {
  const XlaCallees *from, *to;
} Renaming;

static MlirWalkResult renameCall(MlirOperation op, void *data) {
  const Renaming *renaming = data;
  if (xlaOpGetKind(op) != XlaOpKindCall)
    return MlirWalkResultAdvance;
  const XlaCallee *callee =
      findSymbol(renaming->from,
                 mlirFlatSymbolRefAttrGetValue(xlaOpGetAttr(op, "callee")));
  if (!callee)
    return MlirWalkResultAdvance;
  const char *symbol =
      findComputation(renaming->to, callee->computation)->symbol;
  mlirOperationSetInherentAttributeByName(
      op, str("callee"),
      mlirFlatSymbolRefAttrGet(mlirOperationGetContext(op), str(symbol)));
  return MlirWalkResultAdvance;
}

/// A copy of the function that calls what `callees`, which has them, name.
static MlirOperation cloneFunction(const XlaComputation *computation,
                                   const XlaCallees *callees) {
  MlirOperation clone = mlirOperationClone(computation->function);
  Renaming renaming = {&computation->callees, callees};
  if (computation->callees.n)
    mlirOperationWalk(clone, renameCall, &renaming, MlirWalkPreOrder);
  return clone;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Element `i` of a tuple, without an operation if the block makes the tuple.
static MlirValue tupleElement(XlaIr *ir, MlirValue tuple, intptr_t i) {
  if (mlirValueIsAOpResult(tuple) &&
      xlaOpGetKind(mlirOpResultGetOwner(tuple)) == XlaOpKindTuple)
    return mlirOperationGetOperand(mlirOpResultGetOwner(tuple), i);
  MlirType type = mlirTupleTypeGetType(mlirValueGetType(tuple), i);
  return xlaIrOp(ir, "xla.get_tuple_element", type, 1, &tuple, 1,
                 &(XlaIrAttr){"index", xlaIrI64Attr(ir->context, i)});
}

/// Ends `block`, whose terminator is gone, with the values that make up `root`.
static bool addReturn(XlaIr *ir, MlirValue root, bool flatten) {
  MlirType type = mlirValueGetType(root);
  bool parts = flatten && mlirTypeIsATuple(type);
  intptr_t n = parts ? mlirTupleTypeGetNumTypes(type) : 1;
  MlirValue *values = malloc(((size_t)n + 1) * sizeof *values);
  if (!values)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    values[i] = parts ? tupleElement(ir, root, i) : root;
  xlaIrCreate(ir, "xla.return", n, values, 0, NULL, 0, NULL, 0, NULL);
  free(values);
  if (parts && mlirValueIsAOpResult(root) &&
      mlirOpOperandIsNull(mlirValueGetFirstUse(root)))
    mlirOperationDestroy(mlirOpResultGetOwner(root));
  return true;
}

MlirRegion xlaComputationCloneRegion(const XlaComputation *computation,
                                     bool flatten, XlaCallees *callees) {
  for (intptr_t i = 0; i < computation->callees.n; ++i)
    if (!xlaCalleesAdd(callees, computation->callees.entries[i].computation))
      return (MlirRegion){NULL};
  MlirOperation clone = cloneFunction(computation, callees);
  MlirBlock block = bodyOf(clone);
  MlirOperation terminator = mlirBlockGetTerminator(block);
  MlirValue root = mlirOperationGetOperand(terminator, 0);
  XlaIr ir = xlaIrAtEnd(mlirOperationGetContext(clone),
                        mlirOperationGetLocation(terminator), block);
  mlirOperationDestroy(terminator);
  MlirRegion region = {NULL};
  if (addReturn(&ir, root, flatten)) {
    region = mlirRegionCreate();
    mlirRegionTakeBody(region, mlirOperationGetRegion(clone, 0));
  }
  mlirOperationDestroy(clone);
  return region;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

static void setString(MlirOperation op, const char *name, const char *value) {
  mlirOperationSetInherentAttributeByName(
      op, str(name),
      mlirStringAttrGet(mlirOperationGetContext(op), str(value)));
}

MlirModule xlaComputationCreateModule(const XlaComputation *computation) {
  if (!computation)
    return (MlirModule){NULL};
  const XlaCallees *callees = &computation->callees;
  MlirModule module =
      mlirModuleCreateEmpty(mlirOperationGetLocation(computation->function));
  MlirBlock body = mlirModuleGetBody(module);
  mlirBlockAppendOwnedOperation(body, cloneFunction(computation, callees));
  for (intptr_t i = 0; i < callees->n; ++i) {
    MlirOperation callee =
        cloneFunction(callees->entries[i].computation, callees);
    setString(callee, "sym_name", callees->entries[i].symbol);
    setString(callee, "sym_visibility", "private");
    mlirBlockAppendOwnedOperation(body, callee);
  }
  if (mlirOperationVerify(mlirModuleGetOperation(module)))
    return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}

char *xlaComputationPrint(const XlaComputation *computation) {
  MlirModule module = xlaComputationCreateModule(computation);
  if (mlirModuleIsNull(module))
    return NULL;
  XlaIrText text = {0};
  // What does not verify, for want of memory, would be printed generically.
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsAssumeVerified(flags);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(module), flags,
                              xlaIrTextAppend, &text);
  mlirOpPrintingFlagsDestroy(flags);
  mlirModuleDestroy(module);
  xlaIrTextAppend(mlirStringRefCreate("", 1), &text);
  if (!text.isCut)
    return text.data;
  free(text.data);
  return NULL;
}
