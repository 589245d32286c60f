//===- lower.c - From memref functions to the llvm dialect ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/lower.h"
#include "xlac/dialect/error.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/lowering/affine/quotients.h"
#include "xlac/lowering/cpu/math.h"
#include "xlac/lowering/math/halves.h"
#include "xlac/lowering/upstream.h"

#include "mlir-c/Diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool startsWith(MlirStringRef text, const char *prefix) {
  size_t n = strlen(prefix);
  return text.length >= n && !memcmp(text.data, prefix, n);
}

static bool isAny(MlirStringRef name, const char *const *names) {
  for (; *names; ++names)
    if (mlirStringRefEqual(name, mlirStringRefCreateFromCString(*names)))
      return true;
  return false;
}

typedef struct Inspection {
  XlaCpuModuleUse *use;
  bool failed;
} Inspection;

static bool isStaticMemRef(MlirType type) {
  int64_t strides[64], offset;
  if (!mlirTypeIsAMemRef(type) || !mlirShapedTypeHasStaticShape(type) ||
      mlirShapedTypeGetRank(type) > 64 ||
      mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)))
    return false;
  bool isStatic = !mlirShapedTypeIsDynamicStrideOrOffset(offset);
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    isStatic &= !mlirShapedTypeIsDynamicStrideOrOffset(strides[i]);
  return isStatic;
}

static bool checkSignature(MlirOperation op) {
  MlirAttribute attr = xlaOpGetAttr(op, "function_type");
  if (mlirAttributeIsNull(attr))
    return true;
  MlirType type = mlirTypeAttrGetValue(attr);
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    if (mlirTypeIsATensor(mlirFunctionTypeGetInput(type, i))) {
      mlirEmitError(mlirOperationGetLocation(op),
                    "an argument is a tensor; code is generated for memrefs");
      return false;
    }
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i) {
    MlirType input = mlirFunctionTypeGetInput(type, i);
    if ((mlirTypeIsAMemRef(input) || mlirTypeIsAUnrankedMemRef(input)) &&
        !isStaticMemRef(input)) {
      char text[96];
      snprintf(text, sizeof text,
               "argument %td is a memref of dynamic shape or strides, which "
               "cannot be passed as a pointer",
               i);
      mlirEmitError(mlirOperationGetLocation(op), text);
      return false;
    }
  }
  return true;
}

bool xlaCpuIsPrivate(MlirOperation function) {
  MlirAttribute visibility = xlaOpGetAttr(function, "sym_visibility");
  return !mlirAttributeIsNull(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("private"));
}

/// func.func private with a body: nobody outside the object calls it.
static void internalizePrivate(MlirOperation op) {
  MlirRegion body = mlirOperationGetRegion(op, 0);
  if (mlirBlockIsNull(mlirRegionGetFirstBlock(body)) || !xlaCpuIsPrivate(op))
    return;
  mlirOperationSetAttributeByName(
      op, mlirStringRefCreateFromCString("llvm.linkage"),
      xlaIrParseAttr(mlirOperationGetContext(op), "#llvm.linkage<internal>"));
}

static bool givesTensor(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (mlirTypeIsATensor(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

static bool isAccepted(MlirStringRef name) {
  static const char *const dialects[] = {
      "builtin.", "func.", "arith.", "math.", "index.", "vector.", "memref.",
      "affine.",  "scf.",  "cf.",    "ub.",   "omp.",   "llvm.",   NULL};
  for (const char *const *dialect = dialects; *dialect; ++dialect)
    if (startsWith(name, *dialect))
      return true;
  return false;
}

/// A diagnostic at `op`: its name and `what`.
static void reject(Inspection *state, MlirOperation op, const char *what) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  char text[192];
  snprintf(text, sizeof text, "%.*s %s", (int)name.length, name.data, what);
  mlirEmitError(mlirOperationGetLocation(op), text);
  state->failed = true;
}

static MlirWalkResult inspect(MlirOperation op, void *user) {
  static const char *const allocations[] = {"memref.alloc", "memref.realloc",
                                            "memref.dealloc",
                                            "bufferization.alloc_tensor", NULL};
  static const char *const parallel[] = {"affine.parallel", "scf.parallel",
                                         "scf.forall", NULL};
  static const char *const transfers[] = {"vector.transfer_read",
                                          "vector.transfer_write", NULL};
  static const char *const views[] = {"memref.subview",
                                      "memref.reinterpret_cast",
                                      "memref.expand_shape",
                                      "memref.collapse_shape",
                                      "memref.memory_space_cast",
                                      "memref.extract_strided_metadata",
                                      "memref.extract_aligned_pointer_as_index",
                                      NULL};
  static const char *const divisions[] = {"arith.ceildivsi", "arith.ceildivui",
                                          "arith.floordivsi", NULL};
  static const char *const atomics[] = {"memref.atomic_rmw", "memref.reshape",
                                        NULL};
  Inspection *state = user;
  XlaCpuModuleUse *use = state->use;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (isAny(name, allocations)) {
    reject(state, op,
           "reached code generation: temporaries must be views of the arena");
  } else if (!isAccepted(name)) {
    reject(state, op, "is not of a dialect that code generation takes");
  } else if (givesTensor(op)) {
    reject(state, op, "gives a tensor; code is generated for memrefs");
  } else if (xlaIrIsOp(op, "func.func")) {
    internalizePrivate(op);
    state->failed |= !checkSignature(op);
  }
  use->parallel |= isAny(name, parallel) || startsWith(name, "omp.");
  use->vector |= startsWith(name, "vector.");
  use->transfer |= isAny(name, transfers);
  use->affine |= startsWith(name, "affine.");
  use->view |= isAny(name, views);
  use->floorDivide |= isAny(name, divisions);
  use->atomic |= isAny(name, atomics);
  return MlirWalkResultAdvance;
}

MlirLogicalResult xlaCpuInspectModule(MlirModule module, XlaCpuModuleUse *use) {
  memset(use, 0, sizeof *use);
  Inspection state = {use, false};
  mlirOperationWalk(mlirModuleGetOperation(module), inspect, &state,
                    MlirWalkPreOrder);
  return state.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

MlirLogicalResult xlaCpuPrepareModule(MlirModule module,
                                      const XlaCpuTarget *target,
                                      XlaCpuModuleUse *use) {
  MlirOperation op = mlirModuleGetOperation(module);
  XlaHalves halves = {.keepsF16 = target->hasF16};
  xlaCpuExpandCopies(op, target);
  if (mlirLogicalResultIsFailure(xlaCpuSimplifyHost(op)) ||
      mlirLogicalResultIsFailure(xlaCpuExpandMath(op, target)) ||
      mlirLogicalResultIsFailure(xlaCarryHalves(op, halves)) ||
      mlirLogicalResultIsFailure(xlaCpuInlineOnlyCalls(op)))
    return mlirLogicalResultFailure();
  return xlaCpuInspectModule(module, use);
}

//===----------------------------------------------------------------------===//
// The pass pipeline
//===----------------------------------------------------------------------===//

/// Only passes that the module needs: each walk over a large module counts.
/// The order is that of facts learnt the hard way: loops of affine become those
/// of scf, which OpenMP takes, before any conversion to cf, vectors before
/// memrefs, functions before the rest so that the bare pointer convention is
/// theirs alone.
static void pipeline(const XlaCpuModuleUse *use, const XlaCpuTarget *target,
                     char *text, size_t size) {
  char threads[64] = "";
  if (use->parallel)
    snprintf(threads, sizeof threads, "convert-scf-to-openmp{num-threads=%d},",
             target->threads);
  snprintf(
      text, size,
      "builtin.module(%s%s%s%s%s%s%s%s%s%sconvert-scf-to-cf,"
      "convert-func-to-llvm{use-bare-ptr-memref-call-conv=1},"
      "convert-to-llvm{allow-pattern-rollback=0},reconcile-unrealized-casts)",
      use->affine ? "lower-affine," : "",
      use->parallel ? "func.func(scf-forall-to-parallel)," : "",
      use->transfer ? "func.func(convert-vector-to-scf{full-unroll=true}),"
                    : "",
      threads, use->atomic ? "func.func(memref-expand)," : "",
      use->view ? "expand-strided-metadata," : "",
      use->view ? "lower-affine," : "",
      use->floorDivide ? "func.func(arith-expand)," : "",
      use->vector ? "convert-vector-to-llvm," : "",
      // The alloca_scope around a parallel body takes one block only.
      use->parallel ? "finalize-memref-to-llvm," : "");
}

MlirLogicalResult xlaCpuLowerToLLVMDialect(MlirModule module,
                                           const XlaCpuModuleUse *use,
                                           const XlaCpuTarget *target,
                                           bool verify) {
  char text[1024];
  pipeline(use, target, text, sizeof text);
  if (use->affine && mlirLogicalResultIsFailure(xlaAffineLowerQuotients(
                         mlirModuleGetOperation(module), "func.func")))
    return mlirLogicalResultFailure();
  return xlaRunUpstreamPasses(module, text, verify,
                              "lowering to the llvm dialect");
}
