//===- subject.c - One operation on its own -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/indexing/subject.h"
#include "xlac/dialect/indexing/op_maps.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/rendezvous.h"
#include "xlac/dialect/pointer_map.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "xlac/test/support/unit.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Taking an operation out of its program
//===----------------------------------------------------------------------===//

static MlirStringRef ref(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

/// The arguments that stand for captured values.
typedef struct Renaming {
  MlirOperation root;
  XlaPointerMap arguments; ///< from values to numbers of arguments, from 1
  MlirBlock block;
} Renaming;

static MlirWalkResult rename(MlirOperation op, void *data) {
  Renaming *renaming = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    intptr_t argument = xlaPointerMapGet(&renaming->arguments,
                                         mlirOperationGetOperand(op, i).ptr);
    if (argument && !mlirOperationEqual(op, renaming->root))
      mlirOperationSetOperand(
          op, i, mlirBlockGetArgument(renaming->block, argument - 1));
  }
  return MlirWalkResultAdvance;
}

static MlirOperation createFunction(MlirContext context, MlirLocation location,
                                    MlirType type, MlirBlock block) {
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  MlirNamedAttribute attributes[] = {
      mlirNamedAttributeGet(mlirIdentifierGet(context, ref("sym_name")),
                            mlirStringAttrGet(context, ref("main"))),
      mlirNamedAttributeGet(mlirIdentifierGet(context, ref("function_type")),
                            mlirTypeAttrGet(type))};
  MlirOperationState state = mlirOperationStateGet(ref("func.func"), location);
  mlirOperationStateAddAttributes(&state, 2, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  return mlirOperationCreate(&state);
}

static void appendReturn(MlirOperation op, MlirBlock block) {
  MlirValue values[maxInputs];
  intptr_t n = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < n; ++i)
    values[i] = mlirOperationGetResult(op, i);
  MlirOperationState state =
      mlirOperationStateGet(ref("func.return"), mlirOperationGetLocation(op));
  mlirOperationStateAddOperands(&state, n, values);
  mlirBlockAppendOwnedOperation(block, mlirOperationCreate(&state));
}

Subject subjectCreate(MlirOperation op, int nReplicas) {
  MlirContext context = mlirOperationGetContext(op);
  MlirLocation location = mlirOperationGetLocation(op);
  XlaOpReads reads;
  MlirType types[maxInputs], results[maxInputs];
  MlirLocation locations[maxInputs];
  assert_true(xlaOpGetReads(op, 0, &reads));
  assert_true(reads.n <= maxInputs);
  Subject subject = {.kind = xlaOpGetKind(op),
                     .nReplicas = nReplicas,
                     .nInputs = reads.n,
                     .nResults = mlirOperationGetNumResults(op)};
  for (intptr_t i = 0; i < reads.n; ++i) {
    types[i] = mlirValueGetType(reads.values[i].value);
    locations[i] = location;
    assert_true(xlaShapeFromMlirBounded(types[i], &subject.inputs[i], NULL));
  }
  for (intptr_t i = 0; i < subject.nResults; ++i) {
    results[i] = mlirValueGetType(mlirOperationGetResult(op, i));
    assert_true(xlaShapeFromMlirBounded(results[i], &subject.results[i], NULL));
  }
  MlirBlock block = mlirBlockCreate(reads.n, types, locations);
  subject.op = mlirOperationClone(op);
  mlirBlockAppendOwnedOperation(block, subject.op);
  Renaming renaming = {.root = subject.op, .block = block};
  for (intptr_t i = 0; i < reads.n; ++i)
    if (i < reads.nOperands)
      mlirOperationSetOperand(subject.op, i, mlirBlockGetArgument(block, i));
    else
      assert_true(xlaPointerMapSet(&renaming.arguments,
                                   reads.values[i].value.ptr, i + 1));
  mlirOperationWalk(subject.op, rename, &renaming, MlirWalkPreOrder);
  xlaPointerMapClear(&renaming.arguments);
  appendReturn(subject.op, block);
  subject.function = createFunction(
      context, location,
      mlirFunctionTypeGet(context, reads.n, types, subject.nResults, results),
      block);
  subject.module = mlirModuleCreateEmpty(location);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(subject.module),
                                subject.function);
  assert_true(mlirOperationVerify(mlirModuleGetOperation(subject.module)));
  xlaOpReadsFree(&reads);
  return subject;
}

void subjectDestroy(Subject *subject) { mlirModuleDestroy(subject->module); }

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

typedef struct Replica {
  const Subject *subject;
  XlaProcess process;
  XlaLiteral *const *inputs;
  XlaLiteral **results;
  bool ran;
} Replica;

static void *runReplica(void *data) {
  Replica *replica = data;
  const Subject *subject = replica->subject;
  XlaEvaluatorOptions options = {.process = replica->process};
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(subject->module), &options);
  replica->ran =
      evaluator && mlirLogicalResultIsSuccess(xlaEvaluatorRun(
                       evaluator, subject->function, subject->nInputs,
                       (const XlaLiteral *const *)replica->inputs,
                       subject->nResults, replica->results));
  xlaEvaluatorDestroy(evaluator);
  if (replica->process.rendezvous)
    xlaProcessFinish(&replica->process, !replica->ran);
  return NULL;
}

void subjectRun(const Subject *subject, const Values inputs, Values results) {
  Replica replicas[maxReplicas];
  pthread_t threads[maxReplicas];
  int n = subject->nReplicas;
  XlaGrid grid = {NULL, n, 1};
  XlaRendezvous *rendezvous = n > 1 ? xlaRendezvousCreate(1, &grid) : NULL;
  for (int i = 0; i < n; ++i)
    replicas[i] = (Replica){.subject = subject,
                            .process = {rendezvous, 0, i, 0},
                            .inputs = inputs[i],
                            .results = results[i]};
  for (int i = 1; i < n; ++i)
    assert_int_equal(
        pthread_create(&threads[i], NULL, runReplica, &replicas[i]), 0);
  runReplica(&replicas[0]);
  for (int i = 1; i < n; ++i)
    pthread_join(threads[i], NULL);
  if (rendezvous)
    xlaRendezvousDestroy(rendezvous);
  for (int i = 0; i < n; ++i)
    assert_true(replicas[i].ran);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

uint64_t randomNext(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

bool subjectIsPosition(const Subject *subject, intptr_t input) {
  XlaOpKind kind = subject->kind;
  if (kind == XlaOpKindScatter)
    return input == mlirOperationGetNumOperands(subject->op) / 2;
  if (kind == XlaOpKindDynamicUpdateSlice)
    return input >= 2;
  // Fusions' operands of integers are used as that.
  const XlaElementTypeInfo *info =
      xlaElementTypeGetInfo(subject->inputs[input].elementType);
  if (kind == XlaOpKindFusion)
    return info->typeClass & (XlaTypeClassSigned | XlaTypeClassUnsigned);
  return input >= 1 &&
         (kind == XlaOpKindDynamicSlice || kind == XlaOpKindGather ||
          kind == XlaOpKindSetDimensionSize);
}

/// Numbers with infinities, NaN and zeros between them.
static double randomNumber(uint64_t *state) {
  static const double odd[] = {0.0, 1.0, -1.0, (double)INFINITY, (double)NAN};
  double number = (double)(randomNext(state) % 4001) / 1000 - 2;
  return randomNext(state) % 16
             ? number
             : odd[randomNext(state) % (sizeof odd / sizeof *odd)];
}

XlaScalar subjectRandomElement(const Subject *subject, intptr_t input,
                               uint64_t *state) {
  const XlaElementTypeInfo *info =
      xlaElementTypeGetInfo(subject->inputs[input].elementType);
  XlaScalar value = {0};
  if (subject->kind == XlaOpKindSetDimensionSize && input == 1)
    value.s = (int64_t)(randomNext(state) %
                        (uint64_t)(subject->inputs[0].dims[xlaOpGetI64(
                                       subject->op, "dimension", 0)] +
                                   1));
  else if (subjectIsPosition(subject, input))
    value.s = (int64_t)(randomNext(state) % 9) - 1;
  else if (info->typeClass == XlaTypeClassPred)
    value.u = randomNext(state) % 2;
  else if (info->typeClass & (XlaTypeClassSigned | XlaTypeClassUnsigned))
    value.u =
        randomNext(state) % 3 ? randomNext(state) % 40 - 8 : randomNext(state);
  else
    value.f.re = randomNumber(state);
  if (info->typeClass == XlaTypeClassComplex)
    value.f.im = randomNumber(state);
  return value;
}

/// A Hermitian positive definite matrix is near enough to a large diagonal.
static void makeDefinite(const XlaShape *shape, XlaLiteral *matrices) {
  int64_t n = shape->dims[shape->rank - 1];
  for (int64_t at = 0; at < xlaLiteralGetElementCount(matrices); ++at) {
    XlaScalar value = xlaLiteralGet(matrices, at);
    double size = isfinite(value.f.re) ? value.f.re : 1;
    value.f.re = size + (at / n % n == at % n ? 12.0 * (double)n : 0);
    value.f.im = isfinite(value.f.im) ? value.f.im : 1;
    xlaLiteralSet(matrices, at, value);
  }
}

XlaLiteral *subjectRandomInput(const Subject *subject, intptr_t input,
                               uint64_t *state) {
  XlaLiteral *literal = xlaLiteralCreateArray(&subject->inputs[input]);
  assert_non_null(literal);
  for (int64_t i = 0; i < xlaLiteralGetElementCount(literal); ++i)
    xlaLiteralSet(literal, i, subjectRandomElement(subject, input, state));
  if (subject->kind == XlaOpKindCholesky)
    makeDefinite(&subject->inputs[input], literal);
  return literal;
}

XlaLiteral *subjectPerturb(const Subject *subject, intptr_t input,
                           const XlaLiteral *from, int64_t linear,
                           uint64_t *state) {
  XlaLiteral *to = xlaLiteralCopy(from);
  assert_non_null(to);
  if (subject->kind == XlaOpKindCholesky) {
    XlaScalar value = xlaLiteralGet(from, linear);
    value.f.re += 0.5;
    xlaLiteralSet(to, linear, value);
  } else {
    xlaLiteralSet(to, linear, subjectRandomElement(subject, input, state));
  }
  return to;
}

void valuesRelease(Values values, intptr_t n) {
  for (int r = 0; r < maxReplicas; ++r)
    for (intptr_t i = 0; i < n; ++i) {
      xlaLiteralRelease(values[r][i]);
      values[r][i] = NULL;
    }
}
