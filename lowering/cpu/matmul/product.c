//===- product.c - Matrix products in kernels -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/product.h"
#include "xlac/dialect/error.h"

#include "xlac/lowering/affine/cost.h"
#include "xlac/lowering/cpu/matmul/epilogue.h"
#include "xlac/lowering/cpu/matmul/gemm.h"
#include "xlac/lowering/cpu/matmul/prologue.h"
#include "xlac/lowering/cpu/pointer.h"
#include "xlac/lowering/cpu/scratch.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdio.h>
#include <string.h>

enum { nameBytes = 256 };

/// The product of a kernel function.
typedef struct Product {
  MlirOperation function;
  MlirBlock block;
  XlaContractionKernel kernel;
  XlaCpuMatmul matmul;
  bool isFused;          ///< `epilogue` follows
  MlirOperation generic; ///< which it is
  XlaCpuEpilogue epilogue;
  XlaContractionInputs inputs;
  XlaCpuPrologue prologues[2];                ///< of the kernel's parts
  MlirValue roots[XLA_CPU_MATMUL_MAX_EXTRAS]; ///< of the extra arguments
  MlirType extras[XLA_CPU_MATMUL_MAX_EXTRAS];
} Product;

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

//===----------------------------------------------------------------------===//
// What a kernel has
//===----------------------------------------------------------------------===//

/// Operations that need not be kept where nobody uses them.
static bool isValue(MlirOperation op) {
  return mlirOperationGetNumRegions(op) == 0 &&
         mlirOperationGetNumResults(op) == 1;
}

static bool isOfSum(const Product *product, MlirOperation op) {
  const XlaContractionKernel *kernel = &product->kernel;
  return mlirOperationEqual(op, kernel->fill) ||
         mlirOperationEqual(op, kernel->sum) ||
         (kernel->round.ptr && mlirOperationEqual(op, kernel->round));
}

static bool isPrologue(const Product *product, int side) {
  return product->prologues[side].kernel != NULL;
}

/// The one linalg.generic behind the product, or null if there is anything
/// else.
static MlirOperation onlyGeneric(const Product *product) {
  MlirOperation generic = {NULL};
  for (MlirOperation op = product->kernel.sum; op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (isValue(op) || xlaIrIsOp(op, "func.return") || isOfSum(product, op))
      continue;
    if (generic.ptr || !xlaIrIsOp(op, "linalg.generic"))
      return (MlirOperation){NULL};
    generic = op;
  }
  return generic;
}

static void describeEpilogue(Product *product) {
  XlaCpuEpilogue *epilogue = &product->epilogue;
  product->generic = onlyGeneric(product);
  product->isFused =
      product->generic.ptr &&
      xlaCpuEpilogueRead(epilogue, product->generic, product->kernel.product,
                         &product->matmul);
  if (!product->isFused)
    return;
  for (intptr_t i = 0; i < epilogue->nExtras; ++i)
    product->roots[i] = epilogue->extras[i];
  product->matmul.product = epilogue->sum;
  product->matmul.result = mlirValueGetType(xlaCpuEpilogueResult(epilogue));
  product->matmul.epilogue = xlaCpuEpilogueApply;
  product->matmul.epilogueWeight = xlaSchedBodyWeight(&epilogue->statement);
  product->matmul.user = epilogue;
  product->matmul.nExtras = epilogue->nExtras;
}

/// The number of the extra argument for a buffer; -1: there are too many.
static intptr_t addRoot(Product *product, MlirValue root) {
  intptr_t n = product->matmul.nExtras, i = 0;
  while (i < n && !mlirValueEqual(product->roots[i], root))
    ++i;
  if (i == XLA_CPU_MATMUL_MAX_EXTRAS)
    return -1;
  product->roots[i] = root;
  product->matmul.nExtras = i < n ? n : n + 1;
  return i;
}

/// What computes an operand in the place of a load.
static void addPrologue(Product *product, XlaContractionSide side) {
  XlaCpuMatmul *matmul = &product->matmul;
  XlaCpuPrologue *prologue = &product->prologues[side];
  bool isLhs = side == XlaContractionLhs;
  XlaCpuMatmulPrologue *to =
      isLhs ? &matmul->lhsPrologue : &matmul->rhsPrologue;
  prologue->kernel = &product->kernel;
  prologue->inputs = &product->inputs;
  prologue->side = side;
  *to = (XlaCpuMatmulPrologue){
      xlaCpuPrologueApply, prologue,
      xlaSchedBodyWeight(&product->kernel.parts[side].statement)};
  int64_t free = isLhs ? matmul->lhsM : matmul->rhsN;
  int64_t term = isLhs ? matmul->lhsK : matmul->rhsK;
  xlaCpuPrologueStrides(prologue, &free, &term);
  if ((isLhs ? matmul->m : matmul->n) > 1)
    *(isLhs ? &matmul->lhsM : &matmul->rhsN) = free;
  if (matmul->k > 1)
    *(isLhs ? &matmul->lhsK : &matmul->rhsK) = term;
}

static void describePrologues(Product *product) {
  XlaContractionKernel *kernel = &product->kernel;
  XlaContractionInputs *inputs = &product->inputs;
  intptr_t nExtras = product->matmul.nExtras;
  // Epilogues have their own reader.
  xlaContractionDrop(kernel, XlaContractionProduct);
  if ((!kernel->parts[0].op.ptr && !kernel->parts[1].op.ptr) ||
      !xlaContractionReadInputs(kernel, inputs))
    return;
  for (int i = 0; i < inputs->n; ++i) {
    intptr_t extra = addRoot(product, inputs->inputs[i].root);
    product->prologues[inputs->inputs[i].side].extras[i] = extra;
    if (extra < 0) {
      product->matmul.nExtras = nExtras;
      return;
    }
  }
  for (int side = 0; side < 2; ++side)
    if (kernel->parts[side].op.ptr)
      addPrologue(product, (XlaContractionSide)side);
}

/// Reads a kernel; false if it has no product for the emitter, or after a
/// diagnostic (hasFailed). Free it in any case, and do not copy it.
static bool describe(Product *product, MlirOperation function) {
  XlaContractionKernel *kernel = &product->kernel;
  memset(product, 0, sizeof *product);
  product->function = function;
  product->block = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  if (!xlaContractionFind(kernel, function) ||
      !xlaCpuMatmulInit(
          &product->matmul, &kernel->contraction, mlirValueGetType(kernel->lhs),
          mlirValueGetType(kernel->rhs), mlirValueGetType(kernel->product)))
    return false;
  describeEpilogue(product);
  describePrologues(product);
  for (intptr_t i = 0; i < product->matmul.nExtras; ++i)
    product->extras[i] = xlaCpuPtrType(mlirOperationGetContext(function));
  product->matmul.extras = product->extras;
  return true;
}

static bool hasFailed(const Product *product) {
  return product->kernel.failed || product->epilogue.failed ||
         product->prologues[0].failed || product->prologues[1].failed;
}

static void release(Product *product) {
  xlaCpuEpilogueFree(&product->epilogue);
  xlaContractionFree(&product->kernel);
}

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

MlirLogicalResult xlaCpuProductReserve(MlirOperation function,
                                       const XlaCpuTarget *target,
                                       int64_t *scratchBytes) {
  Product product;
  MlirValue kept[4]; // memory that goes with the product
  int nKept = 0;
  int64_t bytes = 0;
  if (!xlaContractionIsKernel(function))
    return mlirLogicalResultSuccess();
  bool isProduct = describe(&product, function);
  if (isProduct)
    bytes = xlaCpuMatmulScratchBytes(&product.matmul, target);
  if (product.kernel.round.ptr)
    kept[nKept++] = product.kernel.sums;
  if (isProduct && product.isFused)
    kept[nKept++] = product.kernel.product;
  for (int side = 0; isProduct && side < 2; ++side)
    if (isPrologue(&product, side))
      kept[nKept++] = side ? product.kernel.rhs : product.kernel.lhs;
  release(&product);
  if (hasFailed(&product))
    return mlirLogicalResultFailure();
  if (!isProduct && !xlaCpuHasAllocs(function, nKept, kept))
    return mlirLogicalResultSuccess();
  return xlaCpuReserveScratch(function, bytes, nKept, kept, scratchBytes);
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

/// Erases memory and views of it that nobody uses, which may be the last users
/// of others.
static void eraseUnused(MlirBlock block) {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (MlirOperation next, op = mlirBlockGetFirstOperation(block); op.ptr;
         op = next) {
      next = mlirOperationGetNextInBlock(op);
      if ((!xlaIrIsOp(op, "memref.alloc") && !xlaIrIsOp(op, "memref.view") &&
           !xlaIrIsOp(op, "memref.reinterpret_cast")) ||
          !mlirOpOperandIsNull(
              mlirValueGetFirstUse(mlirOperationGetResult(op, 0))))
        continue;
      mlirOperationDestroy(op);
      isChanged = true;
    }
  }
}

/// Calls the product's function where its operations are, with pointers to the
/// epilogue's buffers.
static void call(const Product *product, const char *name, MlirValue scratch,
                 int64_t bytes) {
  const XlaCpuEpilogue *epilogue = &product->epilogue;
  XlaIr ir = xlaIrBefore(product->isFused            ? product->generic
                         : product->kernel.round.ptr ? product->kernel.round
                                                     : product->kernel.sum);
  MlirType type =
      mlirMemRefTypeGet(mlirIntegerTypeGet(ir.context, 8), 1, &bytes,
                        mlirAttributeGetNull(), mlirAttributeGetNull());
  if (!mlirTypeEqual(type, mlirValueGetType(scratch))) {
    MlirValue view[] = {scratch, xlaIrConstantIndex(&ir, 0)};
    scratch = xlaIrOp(&ir, "memref.view", type, 2, view, 0, NULL);
  }
  MlirValue operands[4 + XLA_CPU_MATMUL_MAX_EXTRAS] = {
      isPrologue(product, 0) ? scratch : product->kernel.lhs,
      isPrologue(product, 1) ? scratch : product->kernel.rhs,
      product->isFused ? xlaCpuEpilogueResult(epilogue)
                       : product->kernel.product,
      scratch};
  for (intptr_t i = 0; i < product->matmul.nExtras; ++i)
    operands[4 + i] = xlaCpuPtrOfMemRef(&ir, product->roots[i]);
  xlaCpuCall(&ir, name, 4 + product->matmul.nExtras, operands);
}

static void eraseOperations(Product *product) {
  if (product->isFused)
    mlirOperationDestroy(product->generic);
  if (product->kernel.round.ptr)
    mlirOperationDestroy(product->kernel.round);
  mlirOperationDestroy(product->kernel.sum);
  mlirOperationDestroy(product->kernel.fill);
  for (int side = 0; side < 2; ++side)
    if (isPrologue(product, side))
      mlirOperationDestroy(product->kernel.parts[side].op);
  eraseUnused(product->block);
}

static MlirLogicalResult emit(Product *product, MlirModule module,
                              const XlaCpuTarget *target, bool report) {
  MlirLocation location = mlirOperationGetLocation(product->function);
  int64_t bytes = xlaCpuMatmulScratchBytes(&product->matmul, target);
  MlirValue scratch;
  if (mlirLogicalResultIsFailure(
          xlaCpuFindScratch(product->function, bytes, &scratch)))
    return mlirLogicalResultFailure();
  if (mlirValueIsNull(scratch))
    return mlirLogicalResultSuccess();
  char name[nameBytes];
  MlirStringRef symbol = mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(product->function, str("sym_name")));
  snprintf(name, sizeof name, "%.*s", (int)symbol.length, symbol.data);
  if (report) {
    XlaCpuGemmTiling tiling = xlaCpuGemmTiling(&product->matmul, target);
    xlaCpuGemmReport(&tiling, name);
  }
  snprintf(name, sizeof name, "%.*s.product", (int)symbol.length, symbol.data);
  xlaCpuMatmulEmit(&product->matmul, target, mlirModuleGetBody(module),
                   location, name);
  if (hasFailed(product))
    return xlaErrorNoMemory(location);
  call(product, name, scratch, bytes);
  eraseOperations(product);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaCpuProductEmit(MlirOperation function, MlirModule module,
                                    const XlaCpuTarget *target, bool report) {
  Product product;
  MlirLogicalResult result = mlirLogicalResultSuccess();
  if (!xlaContractionIsKernel(function))
    return result;
  bool isProduct = describe(&product, function);
  if (hasFailed(&product))
    result = mlirLogicalResultFailure();
  else if (isProduct)
    result = emit(&product, module, target, report);
  release(&product);
  return result;
}
