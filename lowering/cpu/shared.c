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
// What a function calls
//===----------------------------------------------------------------------===//

static MlirStringRef nameOf(MlirOperation function) {
  return mlirStringAttrGetValue(xlaOpGetAttr(function, "sym_name"));
}

typedef struct Calls {
  const XlaCpuShared *all; ///< those of the program so far
  XlaCpuShared found;      ///< without a hash
  bool isKnown;            ///< it refers to nothing else
} Calls;

static intptr_t indexOf(const XlaCpuShared *shared, MlirStringRef name) {
  for (intptr_t i = 0; i < shared->n; ++i)
    if (mlirStringRefEqual(
            name, mlirStringRefCreateFromCString(shared->symbols[i].name)))
      return i;
  return -1;
}

static bool allocate(XlaCpuShared *shared, intptr_t n) {
  *shared = (XlaCpuShared){
      .symbols = calloc((size_t)n + 1, sizeof *shared->symbols),
      .functions = calloc((size_t)n + 1, sizeof *shared->functions)};
  return shared->symbols && shared->functions;
}

static void append(XlaCpuShared *shared, Function *function) {
  shared->symbols[shared->n] =
      (XlaCpuSymbol){function->name, function->address};
  shared->functions[shared->n++] = function;
}

static MlirWalkResult findCall(MlirOperation op, void *user) {
  static const char *const others[] = {"llvm.call", "llvm.mlir.addressof",
                                       "memref.get_global", "func.constant"};
  Calls *calls = user;
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    calls->isKnown &= !xlaIrIsOp(op, others[i]);
  if (calls->isKnown && xlaIrIsOp(op, "func.call")) {
    MlirStringRef name =
        mlirFlatSymbolRefAttrGetValue(xlaOpGetAttr(op, "callee"));
    intptr_t callee = indexOf(calls->all, name);
    calls->isKnown = callee >= 0;
    if (calls->isKnown && indexOf(&calls->found, name) < 0)
      append(&calls->found, calls->all->functions[callee]);
  }
  return calls->isKnown ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

/// Takes a reference to each for a caller, beside the program's.
static void retainAll(const XlaCpuShared *shared) {
  pthread_mutex_lock(&lock);
  for (intptr_t i = 0; i < shared->n; ++i)
    ++shared->functions[i]->references;
  pthread_mutex_unlock(&lock);
}

/// Puts a declaration of `function` at `ir`.
static void declare(XlaIr *ir, MlirOperation function) {
  MlirContext context = mlirOperationGetContext(function);
  MlirRegion none = mlirRegionCreate();
  XlaIrAttr attributes[] = {
      {"sym_name", xlaOpGetAttr(function, "sym_name")},
      {"function_type", xlaOpGetAttr(function, "function_type")},
      {"sym_visibility", xlaIrStringAttr(context, "private")}};
  xlaIrCreate(ir, "func.func", 0, NULL, 0, NULL, 3, attributes, 1, &none);
}

//===----------------------------------------------------------------------===//
// Compiling one
//===----------------------------------------------------------------------===//

/// A module with the function, which can be looked up, and declarations of what
/// it calls.
static MlirModule moveOut(MlirOperation function, const XlaCpuShared *calls) {
  MlirModule module = mlirModuleCreateEmpty(mlirOperationGetLocation(function));
  XlaIr ir =
      xlaIrAtEnd(mlirOperationGetContext(function),
                 mlirOperationGetLocation(function), mlirModuleGetBody(module));
  for (MlirOperation other =
           mlirBlockGetFirstOperation(mlirOperationGetBlock(function));
       !mlirOperationEqual(other, function);
       other = mlirOperationGetNextInBlock(other))
    if (xlaIrIsOp(other, "func.func") && indexOf(calls, nameOf(other)) >= 0)
      declare(&ir, other);
  mlirOperationRemoveFromParent(function);
  mlirOperationRemoveAttributeByName(
      function, mlirStringRefCreateFromCString("sym_visibility"));
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), function);
  return module;
}

/// Takes `module`, and the lists in `calls`. NULL after a diagnostic.
static Function *compile(MlirModule module, MlirStringRef name,
                         const uint8_t *key, const XlaCpuTarget *target,
                         bool verify, XlaCpuShared *calls) {
  MlirLocation location =
      mlirOperationGetLocation(mlirModuleGetOperation(module));
  XlaCpuCodegenOptions options = {.verify = verify};
  XlaCpuObject object;
  Function *made = calloc(1, sizeof *made);
  char *error = NULL;
  bool isEmitted = !mlirLogicalResultIsFailure(
      xlaCpuEmitObject(module, target, &options, NULL, &object));
  if (made && isEmitted && (made->name = strndup(name.data, name.length)))
    made->code = xlaCpuCodeLink(object.data, object.size, calls->n,
                                calls->symbols, made->name, &error);
  if (made && made->code) {
    retainAll(calls);
    xlaCpuCodeUse(made->code, calls);
    *calls = (XlaCpuShared){0};
  }
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
                   const XlaCpuShared *calls, uint8_t *key) {
  size_t size;
  char *text = xlaIrEncode(function, &size);
  int numbers[] = {target->vectorBits, target->hasFma, target->hasF16};
  MlirExtBytes pieces[] = {{target->triple, strlen(target->triple) + 1},
                           {target->cpu, strlen(target->cpu) + 1},
                           {target->features, strlen(target->features) + 1},
                           {numbers, sizeof numbers},
                           {text, size}};
  if (text)
    mlirExtSha256(sizeof pieces / sizeof *pieces, pieces, key);
  for (intptr_t i = 0; text && i < calls->n; ++i)
    mlirExtSha256(
        2, (MlirExtBytes[]){{key, 32}, {calls->functions[i]->key, 32}}, key);
  free(text);
  return text != NULL;
}

//===----------------------------------------------------------------------===//
// The functions of a program
//===----------------------------------------------------------------------===//

/// Whether it is one of those functions, and defined.
static bool isCandidate(MlirOperation op) {
  static const char prefix[] = "xla.gemm.";
  if (!xlaIrIsOp(op, "func.func") ||
      mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0))))
    return false;
  MlirStringRef name = nameOf(op);
  return name.length >= sizeof prefix &&
         memcmp(name.data, prefix, sizeof prefix - 1) == 0;
}

/// Puts a declaration of the function in its place; it is to be moved out, or
/// destroyed. `calls` is what it calls.
static MlirLogicalResult takeKnown(MlirOperation op, const XlaCpuTarget *target,
                                   bool verify, XlaCpuShared *calls,
                                   XlaCpuShared *shared) {
  uint8_t key[32];
  if (!hashOf(op, target, calls, key))
    return xlaOpNoMemory(op);
  pthread_mutex_lock(&lock);
  Function *function = find(key);
  pthread_mutex_unlock(&lock);
  XlaIr ir = xlaIrBefore(op);
  declare(&ir, op);
  if (function) {
    mlirOperationDestroy(op);
  } else {
    MlirStringRef name = nameOf(op);
    function = compile(moveOut(op, calls), name, key, target, verify, calls);
    if (!function)
      return mlirLogicalResultFailure();
    function = add(function);
  }
  mlirExtSha256(
      2,
      (MlirExtBytes[]){{shared->hash, sizeof shared->hash}, {key, sizeof key}},
      shared->hash);
  append(shared, function);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult take(MlirOperation op, const XlaCpuTarget *target,
                              bool verify, XlaCpuShared *shared) {
  Calls calls = {.all = shared, .isKnown = true};
  MlirLogicalResult result = mlirLogicalResultSuccess();
  if (!allocate(&calls.found, shared->n)) {
    result = xlaOpNoMemory(op);
  } else {
    mlirOperationWalk(op, findCall, &calls, MlirWalkPreOrder);
    if (calls.isKnown)
      result = takeKnown(op, target, verify, &calls.found, shared);
  }
  free(calls.found.symbols);
  free(calls.found.functions);
  return result;
}

static intptr_t countFunctions(MlirBlock body) {
  intptr_t n = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    n += isCandidate(op);
  return n;
}

MlirLogicalResult xlaCpuSharedTake(MlirModule module,
                                   const XlaCpuTarget *target, bool verify,
                                   XlaCpuShared *shared) {
  MlirBlock body = mlirModuleGetBody(module);
  MlirLogicalResult result =
      allocate(shared, countFunctions(body))
          ? mlirLogicalResultSuccess()
          : xlaOpNoMemory(mlirModuleGetOperation(module));
  MlirOperation op = mlirBlockGetFirstOperation(body);
  while (!mlirLogicalResultIsFailure(result) && !mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (isCandidate(op))
      result = take(op, target, verify, shared);
    op = next;
  }
  if (mlirLogicalResultIsFailure(result))
    xlaCpuSharedRelease(shared);
  return result;
}
