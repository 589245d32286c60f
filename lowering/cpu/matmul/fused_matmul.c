//===- fused_matmul.c - Matrix products in fusions ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/fused_matmul.h"
#include "xlac/dialect/error.h"

#include "xlac/lowering/cpu/matmul/epilogue.h"
#include "xlac/lowering/cpu/pointer.h"
#include "xlac/lowering/cpu/scratch.h"

#include <stdio.h>
#include <string.h>

enum { nameBytes = 256 };

/// A kernel function under reconstruction.
typedef struct Fused {
  MlirOperation function;
  MlirBlock block;
  MlirModule module;
  const XlaCpuTarget *target;
  XlaContractionKernel kernel;
  XlaCpuMatmul matmul;
  char name[nameBytes]; ///< of the product's function
} Fused;

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static MlirValue argument(const Fused *fused, intptr_t i) {
  return mlirBlockGetArgument(fused->block, i);
}

static bool hasLoops(MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (!mlirAttributeIsNull(
            mlirOperationGetAttributeByName(op, str("xla.contraction"))))
      return true;
  return false;
}

/// Whether the function's one product is for the emitter.
static bool describe(Fused *fused) {
  XlaContractionKernel *kernel = &fused->kernel;
  if (!xlaContractionReadKernel(kernel, fused->function) || kernel->isPred ||
      mlirValueIsNull(kernel->product) ||
      mlirLogicalResultIsFailure(xlaCpuMatmulInit(
          &fused->matmul, mlirValueGetType(argument(fused, kernel->lhs)),
          mlirValueGetType(argument(fused, kernel->rhs)),
          mlirValueGetType(kernel->product), &kernel->numbers,
          (MlirLocation){NULL})))
    return false;
  fused->matmul.lhsUnsigned = kernel->lhsUnsigned;
  fused->matmul.rhsUnsigned = kernel->rhsUnsigned;
  MlirStringRef name = mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(fused->function, str("sym_name")));
  snprintf(fused->name, sizeof fused->name, "%.*s.product", (int)name.length,
           name.data);
  return true;
}

//===----------------------------------------------------------------------===//
// The product and what follows it at once
//===----------------------------------------------------------------------===//

/// Operations that need not be kept where nobody uses them.
static bool isValue(MlirOperation op) {
  return mlirOperationGetNumRegions(op) == 0 &&
         mlirOperationGetNumResults(op) == 1;
}

/// The one linalg.generic behind the product, or null if there is anything
/// else.
static MlirOperation onlyGeneric(const Fused *fused) {
  MlirOperation generic = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(fused->block); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (isValue(op) || xlaIrIsOp(op, "func.return") ||
        mlirOperationEqual(op, fused->kernel.loop))
      continue;
    if (generic.ptr || !xlaIrIsOp(op, "linalg.generic"))
      return (MlirOperation){NULL};
    generic = op;
  }
  return generic;
}

/// Erases memory and views of it that nobody uses, which may be the last users
/// of others.
static void eraseUnused(MlirBlock block) {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (MlirOperation next, op = mlirBlockGetFirstOperation(block); op.ptr;
         op = next) {
      next = mlirOperationGetNextInBlock(op);
      if ((!xlaIrIsOp(op, "memref.alloc") &&
           !xlaIrIsOp(op, "memref.reinterpret_cast")) ||
          !mlirOpOperandIsNull(
              mlirValueGetFirstUse(mlirOperationGetResult(op, 0))))
        continue;
      mlirOperationDestroy(op);
      isChanged = true;
    }
  }
}

/// Calls the product's function, with pointers to the epilogue's buffers.
static void callFused(const Fused *fused, const XlaCpuEpilogue *epilogue) {
  XlaIr ir = xlaIrBefore(mlirBlockGetTerminator(fused->block));
  MlirValue operands[4 + XLA_CPU_MATMUL_MAX_EXTRAS] = {
      argument(fused, fused->kernel.lhs), argument(fused, fused->kernel.rhs),
      xlaCpuEpilogueResult(epilogue),
      argument(fused, mlirBlockGetNumArguments(fused->block) - 1)};
  for (intptr_t i = 0; i < epilogue->nExtras; ++i)
    operands[4 + i] = xlaCpuPtrOfMemRef(&ir, epilogue->extras[i]);
  xlaCpuCall(&ir, fused->name, 4 + epilogue->nExtras, operands);
}

/// Emits the product with its epilogue, and a call in their place.
static MlirLogicalResult replaceBoth(Fused *fused, XlaCpuEpilogue *epilogue,
                                     MlirOperation generic,
                                     int64_t *scratchBytes) {
  MlirLocation location = mlirOperationGetLocation(fused->function);
  MlirType pointers[XLA_CPU_MATMUL_MAX_EXTRAS];
  for (intptr_t i = 0; i < epilogue->nExtras; ++i)
    pointers[i] = xlaCpuPtrType(mlirOperationGetContext(fused->function));
  XlaCpuMatmul matmul = fused->matmul;
  matmul.product = epilogue->sum;
  matmul.result = mlirValueGetType(xlaCpuEpilogueResult(epilogue));
  matmul.epilogue = xlaCpuEpilogueApply;
  matmul.user = epilogue;
  matmul.nExtras = epilogue->nExtras;
  matmul.extras = pointers;
  xlaCpuMatmulEmit(&matmul, fused->target, mlirModuleGetBody(fused->module),
                   location, fused->name);
  if (epilogue->failed)
    return xlaErrorNoMemory(location);
  mlirOperationDestroy(generic);
  mlirOperationDestroy(fused->kernel.loop);
  eraseUnused(fused->block);
  int64_t bytes = xlaCpuMatmulScratchBytes(&matmul, fused->target);
  if (mlirLogicalResultIsFailure(
          xlaCpuAddScratch(fused->function, bytes, scratchBytes)))
    return mlirLogicalResultFailure();
  callFused(fused, epilogue);
  return mlirLogicalResultSuccess();
}

/// `*isDone` is false if the generic is no epilogue; nothing is changed then.
static MlirLogicalResult emitFused(Fused *fused, int64_t *scratchBytes,
                                   bool *isDone) {
  XlaCpuEpilogue epilogue;
  MlirOperation generic = onlyGeneric(fused);
  *isDone = false;
  if (!generic.ptr)
    return mlirLogicalResultSuccess();
  if (!xlaCpuEpilogueRead(&epilogue, generic, fused->kernel.product,
                          &fused->matmul)) {
    xlaCpuEpilogueFree(&epilogue);
    return mlirLogicalResultSuccess();
  }
  *isDone = true;
  MlirLogicalResult result =
      replaceBoth(fused, &epilogue, generic, scratchBytes);
  xlaCpuEpilogueFree(&epilogue);
  return result;
}

//===----------------------------------------------------------------------===//
// One after the other
//===----------------------------------------------------------------------===//

/// A call in the place of the loops that write the product.
static MlirLogicalResult emitSeparate(Fused *fused, int64_t *scratchBytes) {
  int64_t bytes = xlaCpuMatmulScratchBytes(&fused->matmul, fused->target);
  xlaCpuMatmulEmit(&fused->matmul, fused->target,
                   mlirModuleGetBody(fused->module),
                   mlirOperationGetLocation(fused->function), fused->name);
  if (mlirLogicalResultIsFailure(
          xlaCpuAddScratch(fused->function, bytes, scratchBytes)))
    return mlirLogicalResultFailure();
  XlaIr ir = xlaIrBefore(fused->kernel.loop);
  // The product's memory may be another value now.
  if (!xlaContractionReadKernel(&fused->kernel, fused->function))
    return mlirLogicalResultFailure();
  MlirType type =
      mlirMemRefTypeGet(mlirIntegerTypeGet(ir.context, 8), 1, &bytes,
                        mlirAttributeGetNull(), mlirAttributeGetNull());
  MlirValue view[] = {
      argument(fused, mlirBlockGetNumArguments(fused->block) - 1),
      xlaIrConstantIndex(&ir, 0)};
  MlirValue operands[] = {argument(fused, fused->kernel.lhs),
                          argument(fused, fused->kernel.rhs),
                          fused->kernel.product,
                          xlaIrOp(&ir, "memref.view", type, 2, view, 0, NULL)};
  xlaCpuCall(&ir, fused->name, 4, operands);
  mlirOperationDestroy(fused->kernel.loop);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaCpuFuseMatmul(MlirOperation function, MlirModule module,
                                   const XlaCpuTarget *target,
                                   int64_t *scratchBytes) {
  Fused fused = {
      .function = function,
      .block = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)),
      .module = module,
      .target = target};
  if (!hasLoops(fused.block))
    return mlirLogicalResultSuccess();
  bool isDone = false;
  MlirLogicalResult result;
  if (describe(&fused)) {
    result = emitFused(&fused, scratchBytes, &isDone);
    if (mlirLogicalResultIsSuccess(result) && !isDone)
      result = emitSeparate(&fused, scratchBytes);
  } else {
    result = xlaCpuHasAllocs(function)
                 ? xlaCpuAddScratch(function, 0, scratchBytes)
                 : mlirLogicalResultSuccess();
  }
  mlirOperationSetDiscardableAttributeByName(
      function, str("xla.kind"),
      xlaIrStringAttr(mlirOperationGetContext(function), "row"));
  return result;
}
