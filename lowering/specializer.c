//===- specializer.c - Programs kept by the sizes of inputs ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/specializer.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/error.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"

#include <stdlib.h>
#include <string.h>

/// A program that is kept.
typedef struct Kept {
  XlaSpecialized program;
  XlaShape *shapes; ///< of the inputs; NULL: the place is free
  uint64_t used;    ///< when, by the specializer's clock
} Kept;

struct XlaSpecializer {
  MlirModule module;
  MlirType type; ///< the function's
  char *entry;
  bool compiles;
  XlaCompileOptions options;
  intptr_t *donated;
  intptr_t nLeaves;
  XlaShape *asked;
  uint64_t clock;
  Kept kept[XLA_EXECUTABLE_SIZES];
};

static void *copy(const void *from, size_t size) {
  void *made = malloc(size + 1);
  if (made && size)
    memcpy(made, from, size);
  return made;
}

XlaSpecializer *xlaSpecializerCreate(MlirModule module, MlirOperation function,
                                     bool compiles,
                                     const XlaCompileOptions *options) {
  XlaSpecializer *s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  MlirStringRef name =
      mlirStringAttrGetValue(xlaOpGetAttr(function, "sym_name"));
  s->type = mlirTypeAttrGetValue(xlaOpGetAttr(function, "function_type"));
  s->compiles = compiles;
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(s->type); ++i)
    s->nLeaves += xlaTypeCountLeaves(mlirFunctionTypeGetInput(s->type, i));
  if (options)
    s->options = *options;
  s->entry = copy(name.data, name.length);
  s->donated = copy(s->options.donated,
                    (size_t)s->options.nDonated * sizeof *s->donated);
  s->options.donated = s->donated;
  s->asked = calloc((size_t)s->nLeaves + 1, sizeof *s->asked);
  if (!s->entry || !s->donated || !s->asked) {
    xlaSpecializerDestroy(s);
    return NULL;
  }
  s->entry[name.length] = 0;
  s->module = mlirModuleFromOperation(
      mlirOperationClone(mlirModuleGetOperation(module)));
  return s;
}

static void drop(Kept *kept) {
  if (!kept->shapes)
    return;
  xlaExecutableDestroy(kept->program.executable);
  mlirModuleDestroy(kept->program.module);
  free(kept->shapes);
  memset(kept, 0, sizeof *kept);
}

void xlaSpecializerDestroy(XlaSpecializer *s) {
  if (!s)
    return;
  for (int i = 0; i < XLA_EXECUTABLE_SIZES; ++i)
    drop(&s->kept[i]);
  if (!mlirModuleIsNull(s->module))
    mlirModuleDestroy(s->module);
  free(s->entry);
  free(s->donated);
  free(s->asked);
  free(s);
}

intptr_t xlaSpecializerGetNumLeaves(const XlaSpecializer *s) {
  return s->nLeaves;
}

XlaShape *xlaSpecializerGetShapes(XlaSpecializer *s) { return s->asked; }

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

static bool same(const XlaSpecializer *s, const XlaShape *shapes) {
  for (intptr_t i = 0; i < s->nLeaves; ++i)
    if (shapes[i].elementType != s->asked[i].elementType ||
        !xlaShapeDimsEqual(&shapes[i], &s->asked[i]))
      return false;
  return true;
}

/// The place of the shapes, or that which has not been used for longest.
static Kept *find(XlaSpecializer *s) {
  Kept *oldest = &s->kept[0];
  for (int i = 0; i < XLA_EXECUTABLE_SIZES; ++i) {
    Kept *kept = &s->kept[i];
    if (kept->shapes && same(s, kept->shapes))
      return kept;
    if (kept->used < oldest->used)
      oldest = kept;
  }
  drop(oldest);
  return oldest;
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

/// `type` with the next shapes that were asked for. Null without memory.
static MlirType sized(const XlaSpecializer *s, MlirType type, intptr_t *next) {
  if (xlaTypeIsToken(type))
    return type;
  if (!mlirTypeIsATuple(type))
    return xlaShapeToMlir(&s->asked[(*next)++], mlirTypeGetContext(type));
  intptr_t n = mlirTupleTypeGetNumTypes(type);
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types), made = {NULL};
  bool whole = types != NULL;
  for (intptr_t i = 0; whole && i < n; ++i) {
    types[i] = sized(s, mlirTupleTypeGetType(type, i), next);
    whole = !mlirTypeIsNull(types[i]);
  }
  if (whole)
    made = mlirTupleTypeGet(mlirTypeGetContext(type), n, types);
  free(types);
  return made;
}

/// One program under way, on a larger stack.
typedef struct Making {
  XlaSpecializer *s;
  XlaSpecialized *program;
  XlaImportResult why;
  bool done;
} Making;

static XlaImportResult specialize(const XlaSpecializer *s,
                                  XlaSpecialized *program) {
  MlirOperation module = mlirModuleGetOperation(program->module);
  intptr_t n = mlirFunctionTypeGetNumInputs(s->type), next = 0;
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  bool whole = types != NULL;
  for (intptr_t i = 0; whole && i < n; ++i) {
    types[i] = sized(s, mlirFunctionTypeGetInput(s->type, i), &next);
    whole = !mlirTypeIsNull(types[i]);
  }
  if (!whole)
    xlaOpNoMemory(module);
  XlaImportResult result =
      whole ? xlaSpecialize(module, program->function, n, types)
            : XlaImportResultUnsupported;
  free(types);
  return result == XlaImportResultOk && !mlirOperationVerify(module)
             ? XlaImportResultInvalid
             : result;
}

static void make(void *data) {
  Making *making = data;
  const XlaSpecializer *s = making->s;
  XlaSpecialized *program = making->program;
  MlirStringRef entry = mlirStringRefCreateFromCString(s->entry);
  program->module = mlirModuleFromOperation(
      mlirOperationClone(mlirModuleGetOperation(s->module)));
  MlirOperation module = mlirModuleGetOperation(program->module);
  program->function = xlaModuleFindFunction(module, entry);
  making->why = specialize(s, program);
  making->done =
      making->why == XlaImportResultOk &&
      (!s->compiles ||
       mlirLogicalResultIsSuccess(xlaExecutableCompile(
           program->module, entry, &s->options, &program->executable)));
  if (!making->done)
    mlirModuleDestroy(program->module);
}

const XlaSpecialized *xlaSpecializerGet(XlaSpecializer *s,
                                        XlaImportResult *why) {
  Kept *kept = find(s);
  kept->used = ++s->clock;
  if (why)
    *why = XlaImportResultOk;
  if (kept->shapes)
    return &kept->program;
  kept->shapes = copy(s->asked, (size_t)s->nLeaves * sizeof *kept->shapes);
  Making making = {.s = s, .program = &kept->program};
  if (!kept->shapes || !mlirExtRunOnStack(XLA_STACK_BYTES, make, &making))
    xlaErrorNoMemory(mlirLocationUnknownGet(mlirTypeGetContext(s->type)));
  if (making.done)
    return &kept->program;
  if (why)
    *why = making.why;
  free(kept->shapes);
  memset(kept, 0, sizeof *kept);
  return NULL;
}
