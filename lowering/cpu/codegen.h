//===- codegen.h - From functions over memrefs to machine code -*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last part of the CPU path: a module of functions over memrefs becomes an
// object, and an object becomes functions that can be called.
//
// Input: builtin.module with func.func and the dialects arith, math, index,
// vector, memref, affine, scf, cf, ub, omp and llvm. Nothing may allocate:
// temporaries are views of an arena that the caller passes in.
//
// Calling convention: a memref argument of static shape, strides and offset is
// one pointer, so `func @f(%a: memref<4x8xf32>, %n: index)` is
// `void f(float *, intptr_t)`. Arguments that carry `llvm.noalias` become
// noalias pointers. scf.parallel and scf.forall run on the threads of
// runtime/cpu/threads.h. No fast math: operations are neither contracted nor
// reordered.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_CODEGEN_H
#define XLAC_LOWERING_CPU_CODEGEN_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "xlac/lowering/cpu/kept.h"
#include "xlac/lowering/cpu/target.h"
#include "xlac/lowering/stats.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The states of a program on its way, for dumping.
typedef enum XlaCpuStage {
  XLA_CPU_STAGE_INPUT,     ///< "input": the module as it came
  XLA_CPU_STAGE_MATH,      ///< "math": math ops expanded, copies made loops
  XLA_CPU_STAGE_LOWERED,   ///< "lowered": the llvm dialect
  XLA_CPU_STAGE_LLVM,      ///< "llvm": LLVM IR before optimisation
  XLA_CPU_STAGE_OPTIMIZED, ///< "optimized": LLVM IR after it
  XLA_CPU_STAGE_OBJECT,    ///< "object": the object file
} XlaCpuStage;
enum { XLA_CPU_STAGE_COUNT = XLA_CPU_STAGE_OBJECT + 1 };

/// "input", "math", ..; NULL past the last, so that tools can list them.
const char *xlaCpuStageName(int stage);
/// The stage's usual file suffix: ".mlir", ".ll" or ".o".
const char *xlaCpuStageSuffix(XlaCpuStage stage);

/// A symbol that generated code may refer to, beside those of the process's
/// shared libraries (libc, libm).
typedef struct XlaCpuSymbol {
  const char *name;
  void *address;
} XlaCpuSymbol;

/// Zero-initialised is the default; so is NULL in place of a pointer to it.
typedef struct XlaCpuCodegenOptions {
  bool verify; ///< run MLIR's and LLVM's verifiers after each step
  /// LLVM's default<O2> instead of the light list: for scalar code that should
  /// be vectorised or inlined. Costs two to three times the compile time.
  bool optimizeFully;
  /// A bit (1 << stage) for each stage that `observe` wants to see: the text
  /// of the program, or the object's bytes.
  unsigned observed;
  void (*observe)(XlaCpuStage stage, const char *data, size_t size, void *user);
  void *user;
  intptr_t nSymbols;
  const XlaCpuSymbol *symbols; ///< copied
  /// Used if it is of the same; NULL: there is none.
  const XlaKeptCode *kept;
  /// Gets what was made or used, for the call; NULL: not called.
  void (*keep)(const XlaKeptCode *code, void *user);
  void *keepUser;
} XlaCpuCodegenOptions;

/// Linked machine code. Lookup is thread-safe; so are the functions as far as
/// their arguments are.
typedef struct XlaCpuCode XlaCpuCode;

/// An ELF object file in memory.
typedef struct XlaCpuObject {
  char *data; ///< free with xlaCpuObjectDestroy
  size_t size;
} XlaCpuObject;

/// Lowers, optimises, assembles and links `module`, which is left in the llvm
/// dialect (or half lowered after an error) and stays the caller's. `stats`
/// may be NULL. On failure a diagnostic was emitted and `*out` is NULL.
MlirLogicalResult xlaCpuCompileModule(MlirModule module,
                                      const XlaCpuTarget *target,
                                      const XlaCpuCodegenOptions *options,
                                      XlaCpuCodegenStats *stats,
                                      XlaCpuCode **out);

/// The first part of xlaCpuCompileModule: for files and caches.
MlirLogicalResult xlaCpuEmitObject(MlirModule module,
                                   const XlaCpuTarget *target,
                                   const XlaCpuCodegenOptions *options,
                                   XlaCpuCodegenStats *stats,
                                   XlaCpuObject *out);
void xlaCpuObjectDestroy(XlaCpuObject *object);

/// The second part: links `object` (copied) against the process, `symbols`,
/// and what parallel loops call (runtime/cpu/openmp.h). `entry` names a
/// function that must be there (NULL: linking is put off to the first lookup).
/// Returns NULL and sets
/// `*error` (free with free()) on failure.
XlaCpuCode *xlaCpuCodeLink(const void *object, size_t size, intptr_t nSymbols,
                           const XlaCpuSymbol *symbols, const char *entry,
                           char **error);
/// The address of a function, or NULL.
void *xlaCpuCodeLookup(XlaCpuCode *code, const char *name);
/// Unmaps the code: no function of it may be running or called again.
void xlaCpuCodeDestroy(XlaCpuCode *code);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_CODEGEN_H
