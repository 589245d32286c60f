//===- shared.c - Functions that programs have in common ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/shared.h"

#include "xlac/dialect/error.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/mlir-c-ext/hash.h"
#include "xlac/dialect/op.h"

#include "mlir-c/BuiltinAttributes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct XlaCpuSharedFunction {
  struct XlaCpuSharedFunction *next;
  uint8_t key[32]; ///< of the function and the target
  char *name;
  XlaCpuCode *code;
  void *address;
  int references; ///< of programs
} Function;

/// Those that no program uses are kept as long as there are no more than so
/// many.
enum { maxIdle = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Function *functions; ///< the last that was used first
static int nIdle;

static void destroy(Function *function) {
  xlaCpuCodeDestroy(function->code);
  free(function->name);
  free(function);
}

/// With the lock: takes one more reference, and moves it to the front.
static Function *find(const uint8_t *key) {
  for (Function **at = &functions; *at; at = &(*at)->next) {
    Function *function = *at;
    if (memcmp(function->key, key, sizeof function->key) != 0)
      continue;
    nIdle -= !function->references++;
    *at = function->next;
    function->next = functions;
    functions = function;
    return function;
  }
  return NULL;
}

/// With the lock: takes the one that is not used for the longest time out of
/// the list, if there are too many.
static Function *takeIdle(void) {
  if (nIdle <= maxIdle)
    return NULL;
  Function **last = NULL;
  for (Function **at = &functions; *at; at = &(*at)->next)
    if (!(*at)->references)
      last = at;
  if (!last)
    return NULL;
  Function *function = *last;
  *last = function->next;
  --nIdle;
  return function;
}

static void release(Function *function) {
  pthread_mutex_lock(&lock);
  nIdle += !--function->references;
  Function *idle = takeIdle();
  pthread_mutex_unlock(&lock);
  if (idle)
    destroy(idle);
}

void xlaCpuSharedRelease(XlaCpuShared *shared) {
  for (intptr_t i = 0; i < shared->n; ++i)
    release(shared->functions[i]);
  free(shared->symbols);
  free(shared->functions);
  *shared = (XlaCpuShared){0};
}

//===----------------------------------------------------------------------===//
// Compiling one
//===----------------------------------------------------------------------===//

/// A module with the function, which can be looked up, and nothing else.
static MlirModule moveOut(MlirOperation function) {
  MlirModule module = mlirModuleCreateEmpty(mlirOperationGetLocation(function));
  mlirOperationRemoveFromParent(function);
  mlirOperationRemoveAttributeByName(
      function, mlirStringRefCreateFromCString("sym_visibility"));
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), function);
  return module;
}

/// Takes `module`. NULL after a diagnostic.
static Function *compile(MlirModule module, MlirStringRef name,
                         const uint8_t *key, const XlaCpuTarget *target,
                         bool verify) {
  MlirLocation location =
      mlirOperationGetLocation(mlirModuleGetOperation(module));
  XlaCpuCodegenOptions options = {.verify = verify};
  XlaCpuObject object;
  Function *made = calloc(1, sizeof *made);
  char *error = NULL;
  bool isEmitted = !mlirLogicalResultIsFailure(
      xlaCpuEmitObject(module, target, &options, NULL, &object));
  if (made && isEmitted && (made->name = strndup(name.data, name.length)))
    made->code =
        xlaCpuCodeLink(object.data, object.size, 0, NULL, made->name, &error);
  xlaCpuObjectDestroy(&object);
  mlirModuleDestroy(module);
  if (made && made->code)
    made->address = xlaCpuCodeLookup(made->code, made->name);
  if (made && made->address) {
    memcpy(made->key, key, sizeof made->key);
    made->references = 1;
    return made;
  }
  if (isEmitted)
    mlirEmitError(location, error ? error : "linking failed: out of memory");
  free(error);
  if (made)
    destroy(made);
  return NULL;
}

/// Another thread may have made the same meanwhile.
static Function *add(Function *made) {
  pthread_mutex_lock(&lock);
  Function *known = find(made->key);
  if (!known) {
    made->next = functions;
    functions = made;
  }
  pthread_mutex_unlock(&lock);
  if (!known)
    return made;
  destroy(made);
  return known;
}

static bool hashOf(MlirOperation function, const XlaCpuTarget *target,
                   uint8_t *key) {
  size_t size;
  char *text = xlaIrPrintAlone(function, &size);
  int numbers[] = {target->vectorBits, target->hasFma, target->hasF16};
  MlirExtBytes pieces[] = {{target->triple, strlen(target->triple) + 1},
                           {target->cpu, strlen(target->cpu) + 1},
                           {target->features, strlen(target->features) + 1},
                           {numbers, sizeof numbers},
                           {text, size}};
  if (text)
    mlirExtSha256(sizeof pieces / sizeof *pieces, pieces, key);
  free(text);
  return text != NULL;
}

//===----------------------------------------------------------------------===//
// The functions of a program
//===----------------------------------------------------------------------===//

static MlirWalkResult refersTo(MlirOperation op, void *user) {
  static const char *const names[] = {"func.call", "llvm.call",
                                      "llvm.mlir.addressof",
                                      "memref.get_global", "func.constant"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (xlaIrIsOp(op, names[i])) {
      *(bool *)user = true;
      return MlirWalkResultInterrupt;
    }
  return MlirWalkResultAdvance;
}

/// Whether it is one of those functions, and calls none.
static bool isShared(MlirOperation op) {
  static const char prefix[] = "xla.gemm.";
  bool refers = false;
  if (!xlaIrIsOp(op, "func.func") ||
      mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0))))
    return false;
  MlirStringRef name = mlirStringAttrGetValue(xlaOpGetAttr(op, "sym_name"));
  if (name.length < sizeof prefix ||
      memcmp(name.data, prefix, sizeof prefix - 1) != 0)
    return false;
  mlirOperationWalk(op, refersTo, &refers, MlirWalkPreOrder);
  return !refers;
}

/// Puts a declaration in its place; it is to be moved out, or destroyed.
static void declare(MlirOperation function) {
  MlirContext context = mlirOperationGetContext(function);
  XlaIr ir = xlaIrBefore(function);
  MlirRegion none = mlirRegionCreate();
  XlaIrAttr attributes[] = {
      {"sym_name", xlaOpGetAttr(function, "sym_name")},
      {"function_type", xlaOpGetAttr(function, "function_type")},
      {"sym_visibility", xlaIrStringAttr(context, "private")}};
  xlaIrCreate(&ir, "func.func", 0, NULL, 0, NULL, 3, attributes, 1, &none);
}

static MlirLogicalResult take(MlirOperation op, const XlaCpuTarget *target,
                              bool verify, XlaCpuShared *shared) {
  uint8_t key[32];
  if (!hashOf(op, target, key))
    return xlaOpNoMemory(op);
  pthread_mutex_lock(&lock);
  Function *function = find(key);
  pthread_mutex_unlock(&lock);
  declare(op);
  if (function) {
    mlirOperationDestroy(op);
  } else {
    MlirStringRef name = mlirStringAttrGetValue(xlaOpGetAttr(op, "sym_name"));
    function = compile(moveOut(op), name, key, target, verify);
    if (!function)
      return mlirLogicalResultFailure();
    function = add(function);
  }
  MlirExtBytes pieces[] = {{shared->hash, sizeof shared->hash},
                           {key, sizeof key}};
  mlirExtSha256(2, pieces, shared->hash);
  shared->symbols[shared->n] =
      (XlaCpuSymbol){function->name, function->address};
  shared->functions[shared->n++] = function;
  return mlirLogicalResultSuccess();
}

static intptr_t countFunctions(MlirBlock body) {
  intptr_t n = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    n += isShared(op);
  return n;
}

MlirLogicalResult xlaCpuSharedTake(MlirModule module,
                                   const XlaCpuTarget *target, bool verify,
                                   XlaCpuShared *shared) {
  MlirBlock body = mlirModuleGetBody(module);
  size_t n = (size_t)countFunctions(body);
  *shared =
      (XlaCpuShared){.symbols = calloc(n + 1, sizeof *shared->symbols),
                     .functions = calloc(n + 1, sizeof *shared->functions)};
  MlirLogicalResult result =
      shared->symbols && shared->functions
          ? mlirLogicalResultSuccess()
          : xlaOpNoMemory(mlirModuleGetOperation(module));
  MlirOperation op = mlirBlockGetFirstOperation(body);
  while (!mlirLogicalResultIsFailure(result) && !mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (isShared(op))
      result = take(op, target, verify, shared);
    op = next;
  }
  if (mlirLogicalResultIsFailure(result))
    xlaCpuSharedRelease(shared);
  return result;
}
