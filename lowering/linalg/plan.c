//===- plan.c - The stages of a kernel ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/plan.h"
#include "xlac/lowering/linalg/kernel.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

/// Entries of XlaPlan.uses that are no stage.
enum { usesNone = -1, usesMany = -2 };

enum {
  maxBoxes = 32, ///< that the loops of a stage are cut into
  minCut = 2048, ///< elements below which choices are cheaper than loops
};

static bool isFusion(MlirOperation op) { return xlaIrIsOp(op, "xla.fusion"); }

static bool isReduce(MlirOperation op) {
  return xlaOpGetKind(op) == XlaOpKindReduce;
}

static bool isDot(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindDotGeneral || kind == XlaOpKindDot;
}

intptr_t xlaPlanOpIndex(const XlaPlan *plan, MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return -1;
  MlirOperation op = mlirOpResultGetOwner(value);
  for (intptr_t i = plan->nOps - 1; i >= 0; --i)
    if (mlirOperationEqual(plan->ops[i], op))
      return i;
  return -1;
}

/// `stage` computes `value` at `points` places.
static void addUse(XlaPlan *plan, MlirValue value, int stage, int64_t points) {
  intptr_t i = xlaPlanOpIndex(plan, value);
  if (i < 0)
    return;
  if (plan->points[i] < points)
    plan->points[i] = points;
  if (plan->uses[i] == stage)
    return;
  plan->uses[i] = plan->uses[i] == usesNone ? stage : usesMany;
}

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

static bool collect(XlaPlan *plan, MlirOperation op) {
  bool fused = isFusion(op);
  MlirOperation terminator = {NULL};
  MlirBlock block = {NULL};
  plan->nOps = 1;
  plan->nResults = mlirOperationGetNumResults(op);
  if (fused) {
    block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
    terminator = mlirBlockGetTerminator(block);
    plan->nOps = 0;
    for (MlirOperation o = mlirBlockGetFirstOperation(block);
         !mlirOperationEqual(o, terminator); o = mlirOperationGetNextInBlock(o))
      ++plan->nOps;
  }
  size_t n = (size_t)plan->nOps + 1, m = (size_t)plan->nResults + 1;
  plan->ops = calloc(n, sizeof *plan->ops);
  plan->uses = calloc(n, sizeof *plan->uses);
  plan->costs = calloc(n, sizeof *plan->costs);
  plan->points = calloc(n, sizeof *plan->points);
  plan->values = calloc(m, sizeof *plan->values);
  plan->stages = calloc(n + m, sizeof *plan->stages);
  if (!plan->ops || !plan->uses || !plan->costs || !plan->points ||
      !plan->values || !plan->stages)
    return false;
  plan->ops[0] = op;
  intptr_t i = 0;
  if (fused)
    for (MlirOperation o = mlirBlockGetFirstOperation(block);
         !mlirOperationEqual(o, terminator); o = mlirOperationGetNextInBlock(o))
      plan->ops[i++] = o;
  for (i = 0; i < plan->nResults; ++i)
    plan->values[i] = fused ? mlirOperationGetOperand(terminator, i)
                            : mlirOperationGetResult(op, i);
  return true;
}

/// The cost of each op wherever it is inlined, but of reductions.
static void findCosts(XlaPlan *plan) {
  const int most = 1 << 20; // so that sums stay within int
  for (intptr_t i = 0; i < plan->nOps; ++i) {
    plan->uses[i] = usesNone;
    if (isReduce(plan->ops[i]) || isDot(plan->ops[i]))
      continue;
    int cost = xlaOpGetInfo(xlaOpGetKind(plan->ops[i]))->cost;
    intptr_t n = mlirOperationGetNumOperands(plan->ops[i]);
    for (intptr_t k = 0; k < n && cost < most; ++k) {
      intptr_t o =
          xlaPlanOpIndex(plan, mlirOperationGetOperand(plan->ops[i], k));
      cost += o >= 0 ? plan->costs[o] : 0;
    }
    plan->costs[i] = cost;
  }
}

/// Whether recomputing the op costs more than a store and a load.
static bool isCostly(const XlaPlan *plan, intptr_t i) {
  return plan->costs[i] >= XLA_OP_COSTLY && xlaIsInlined(plan->ops[i]);
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

bool xlaPlanSameDims(MlirValue a, MlirValue b) {
  XlaShape x, y;
  return xlaShapeFromMlir(mlirValueGetType(a), &x, NULL) &&
         xlaShapeFromMlir(mlirValueGetType(b), &y, NULL) &&
         xlaShapeDimsEqual(&x, &y);
}

/// The first kernel result that is `value`, or -1.
static intptr_t resultOf(const XlaPlan *plan, MlirValue value) {
  for (intptr_t i = 0; i < plan->nResults; ++i)
    if (mlirValueEqual(plan->values[i], value))
      return i;
  return -1;
}

/// By the first result of its shape.
int xlaPlanFinalStage(const XlaPlan *plan, intptr_t i) {
  intptr_t first = 0;
  while (!xlaPlanSameDims(plan->values[first], plan->values[i]))
    ++first;
  return (int)(plan->nOps + first);
}

/// Calls addUse for what the regions of `op` use from outside of them.
static void addCaptures(XlaPlan *plan, MlirOperation op, int stage) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock b = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         b.ptr; b = mlirBlockGetNextInRegion(b))
      for (MlirOperation o = mlirBlockGetFirstOperation(b); o.ptr;
           o = mlirOperationGetNextInBlock(o)) {
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(o); ++i)
          addUse(plan, mlirOperationGetOperand(o, i), stage, 0);
        addCaptures(plan, o, stage);
      }
}

static int64_t elementsOf(MlirValue value) {
  XlaShape shape;
  int64_t count = 0;
  if (xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL))
    xlaShapeGetElementCount(&shape, &count);
  return count;
}

/// Whether two arrays have the same dimensions but for those of size 1.
static bool sameLongDims(MlirValue a, MlirValue b) {
  XlaShape x = xlaKernelShapeOf(a), y = xlaKernelShapeOf(b);
  int i = 0, k = 0;
  while (i < x.rank || k < y.rank) {
    if (i < x.rank && x.dims[i] == 1)
      ++i;
    else if (k < y.rank && y.dims[k] == 1)
      ++k;
    else if (i == x.rank || k == y.rank || x.dims[i] != y.dims[k])
      return false;
    else
      ++i, ++k;
  }
  return true;
}

/// Whether `op` reads parts of dimensions, or several of them as one.
static bool cutsDimensions(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindReshape)
    return !sameLongDims(mlirOperationGetOperand(op, 0),
                         mlirOperationGetResult(op, 0));
  return !xlaIsInlined(op) && kind != XlaOpKindBroadcastInDim &&
         kind != XlaOpKindTranspose &&
         xlaOpGetInfo(kind)->moves != XlaOpMovesSource;
}

/// Whether all ops read whole dimensions: then the schedules of devices find
/// loops that a stage shares with those that it writes for, and what lies
/// between needs no memory of its own.
static bool keepsDimensions(const XlaPlan *plan) {
  for (intptr_t i = 0; i < plan->nOps; ++i)
    if (cutsDimensions(plan->ops[i]))
      return false;
  return true;
}

/// Whether several stages use it, and computing it again costs more than
/// memory. What is cut from a costly array is kept in place of the array: it
/// has the dimensions of the stages that use it.
static bool isShared(const XlaPlan *plan, intptr_t i) {
  return plan->uses[i] == usesMany &&
         (isCostly(plan, i) ||
          (plan->costs[i] >= XLA_OP_COSTLY && cutsDimensions(plan->ops[i])));
}

/// Whether an op that one stage uses is cheaper to read than to compute as
/// often as that needs it. Rows keep what is repeated along them in registers.
static bool isRepeated(const XlaPlan *plan, intptr_t i) {
  return isCostly(plan, i) && xlaOpAttrIs(plan->kernel->op, "kind", "loop") &&
         plan->points[i] / XLA_PLAN_REPEAT >=
             elementsOf(mlirOperationGetResult(plan->ops[i], 0)) &&
         keepsDimensions(plan);
}

/// Contractions read their operands more than once, and from memory.
static bool isSummed(const XlaPlan *plan, intptr_t i) {
  for (intptr_t k = i + 1; k < plan->nOps; ++k)
    for (int side = 0; isDot(plan->ops[k]) && side < 2; ++side)
      if (xlaPlanOpIndex(plan, mlirOperationGetOperand(plan->ops[k], side)) ==
          i)
        return true;
  return false;
}

/// Decides, users first, which ops get memory: their entry in `uses` becomes
/// their own number. A loop has none for what only several results share.
static void decide(XlaPlan *plan) {
  bool isLoop = xlaOpAttrIs(plan->kernel->op, "kind", "loop");
  for (intptr_t i = 0; i < plan->nResults; ++i)
    addUse(plan, plan->values[i], xlaPlanFinalStage(plan, i),
           elementsOf(plan->values[i]));
  for (intptr_t i = plan->nOps - 1; i >= 0; --i) {
    MlirOperation op = plan->ops[i];
    if (plan->uses[i] == usesNone)
      continue; // dead
    if (isReduce(op) || isDot(op) || isSummed(plan, i) || isRepeated(plan, i) ||
        (!isLoop && isShared(plan, i))) {
      plan->uses[i] = (int)i;
      plan->points[i] =
          elementsOf(isReduce(op) ? mlirOperationGetOperand(op, 0)
                                  : mlirOperationGetResult(op, 0));
    }
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
      addUse(plan, mlirOperationGetOperand(op, k), plan->uses[i],
             plan->points[i]);
    addCaptures(plan, op, plan->uses[i]);
  }
}

static bool addStage(XlaPlan *plan, MlirOperation reduce, intptr_t n) {
  XlaPlanStage *stage = &plan->stages[plan->nStages++];
  stage->reduce = reduce;
  stage->values = calloc((size_t)n + 1, sizeof *stage->values);
  stage->results = calloc((size_t)n + 1, sizeof *stage->results);
  stage->memory = calloc((size_t)n + 1, sizeof *stage->memory);
  return stage->values && stage->results && stage->memory;
}

static void addValue(XlaPlan *plan, MlirValue value, intptr_t result) {
  XlaPlanStage *stage = &plan->stages[plan->nStages - 1];
  stage->values[stage->n] = value;
  stage->memory[stage->n] = -1;
  stage->results[stage->n++] = result;
}

static bool addOpStages(XlaPlan *plan) {
  for (intptr_t i = 0; i < plan->nOps; ++i) {
    MlirOperation op = plan->ops[i];
    if (plan->uses[i] != i)
      continue;
    intptr_t n = mlirOperationGetNumResults(op);
    if (!addStage(plan, isReduce(op) ? op : (MlirOperation){NULL}, n))
      return false;
    if (isDot(op))
      plan->stages[plan->nStages - 1].dot = op;
    for (intptr_t k = 0; k < n; ++k) {
      MlirValue value = mlirOperationGetResult(op, k);
      addValue(plan, value, resultOf(plan, value));
    }
  }
  return true;
}

static void freeStage(XlaPlanStage *stage) {
  free(stage->values);
  free(stage->results);
  free(stage->memory);
}

static bool addFinalStages(XlaPlan *plan) {
  for (intptr_t i = 0; i < plan->nResults; ++i) {
    int stage = xlaPlanFinalStage(plan, i);
    if (stage != plan->nOps + i)
      continue;
    if (!addStage(plan, (MlirOperation){NULL}, plan->nResults))
      return false;
    for (intptr_t k = i; k < plan->nResults; ++k) {
      intptr_t op = xlaPlanOpIndex(plan, plan->values[k]);
      bool isWritten = op >= 0 && plan->uses[op] == op &&
                       resultOf(plan, plan->values[k]) == k;
      if (xlaPlanFinalStage(plan, k) == stage && !isWritten)
        addValue(plan, plan->values[k], k);
    }
    if (!plan->stages[plan->nStages - 1].n) {
      freeStage(&plan->stages[--plan->nStages]);
    }
  }
  return true;
}

MlirLogicalResult xlaPlanInit(XlaPlan *plan, XlaKernel *kernel) {
  memset(plan, 0, sizeof *plan);
  plan->kernel = kernel;
  if (!collect(plan, kernel->op))
    return xlaKernelNoMemory(plan->kernel);
  findCosts(plan);
  decide(plan);
  if (!addOpStages(plan) || !addFinalStages(plan) || !xlaPlanFindMemory(plan))
    return xlaKernelNoMemory(plan->kernel);
  for (intptr_t i = 0; i < plan->nOps; ++i)
    if (xlaOpGetKind(plan->ops[i]) == XlaOpKindConstant &&
        plan->uses[i] != usesNone &&
        mlirLogicalResultIsFailure(xlaKernelAddConstant(kernel, plan->ops[i])))
      return mlirLogicalResultFailure();
  return mlirLogicalResultSuccess();
}

void xlaPlanFree(XlaPlan *plan) {
  for (intptr_t i = 0; i < plan->nStages; ++i)
    freeStage(&plan->stages[i]);
  free(plan->stages);
  free(plan->values);
  free(plan->costs);
  free(plan->points);
  free(plan->uses);
  free(plan->ops);
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

/// The linalg op of a stage that has begun.
static MlirLogicalResult emitBox(XlaStage *stage, const XlaPlanStage *planned,
                                 const MlirValue *memrefs) {
  MlirAffineMap *maps = calloc((size_t)planned->n, sizeof *maps);
  MlirValue *outputs = calloc((size_t)planned->n, sizeof *outputs);
  MlirValue *yields = calloc((size_t)planned->n, sizeof *yields);
  MlirLogicalResult result = mlirLogicalResultSuccess();
  if (!maps || !outputs || !yields)
    result = xlaKernelNoMemory(stage->kernel);
  for (intptr_t i = 0; maps && outputs && yields && i < planned->n; ++i) {
    XlaShape shape = xlaKernelShapeOf(planned->values[i]);
    MlirValue scalar =
        xlaStageScalar(stage, planned->values[i], &stage->space.root);
    if (mlirValueIsNull(scalar)) {
      result = mlirLogicalResultFailure();
      break;
    }
    yields[i] = xlaScalarToMemory(&stage->ir, shape.elementType, scalar);
    outputs[i] =
        xlaStageView(stage, memrefs[i], &shape, &stage->space.root, &maps[i]);
  }
  if (mlirLogicalResultIsSuccess(result))
    result = xlaStageEnd(stage, planned->n, outputs, maps, yields, NULL, false);
  free(yields);
  free(outputs);
  free(maps);
  return result;
}

/// Parts of a space that are still to be done, the next one last.
typedef struct Boxes {
  MlirContext context;
  int n, nDone;
  XlaSpace all[maxBoxes];
} Boxes;

static Boxes *beginBoxes(const XlaPlan *plan, const XlaShape *domain) {
  Boxes *boxes = malloc(sizeof *boxes);
  if (!boxes) {
    xlaKernelNoMemory(plan->kernel);
    return NULL;
  }
  boxes->context = mlirOperationGetContext(plan->kernel->op);
  int64_t count = 0;
  xlaShapeGetElementCount(domain, &count);
  boxes->n = count ? 1 : 0; // loops have iterations
  boxes->nDone = 0;
  xlaSpaceInit(&boxes->all[0], domain);
  return boxes;
}

/// Begins a stage over the next box that needs no cut.
static MlirLogicalResult nextBox(XlaPlan *plan, const XlaPlanStage *planned,
                                 XlaStageCuts cuts, Boxes *boxes,
                                 XlaStage *stage) {
  while (true) {
    XlaSpace *box = &boxes->all[boxes->n - 1];
    MlirLogicalResult result = xlaStageBeginBox(
        stage, plan->kernel, box,
        boxes->n + boxes->nDone < maxBoxes ? cuts : XlaStageCutsNone,
        planned->n, planned->values);
    if (!stage->needsCut) {
      --boxes->n;
      ++boxes->nDone;
      return result;
    }
    XlaStageCut cut = stage->cut;
    box[0] = box[1] = stage->space;
    xlaSpaceCut(&box[0], boxes->context, cut.loop, cut.at, true);
    xlaSpaceCut(&box[1], boxes->context, cut.loop, cut.at, false);
    ++boxes->n;
    xlaStageFree(stage);
  }
}

/// Whether the loops of a stage may be cut.
static XlaStageCuts cutsOf(const XlaPlan *plan, const XlaShape *domain) {
  int64_t count = 0;
  xlaShapeGetElementCount(domain, &count);
  if (isFusion(plan->kernel->op) &&
      !xlaOpAttrIs(plan->kernel->op, "kind", "loop"))
    return XlaStageCutsNone;
  return count < minCut ? XlaStageCutsFew : XlaStageCutsAll;
}

static MlirLogicalResult emitElementwise(XlaPlan *plan,
                                         const XlaPlanStage *planned,
                                         const MlirValue *memrefs,
                                         const XlaShape *domain) {
  Boxes *boxes = beginBoxes(plan, domain);
  MlirLogicalResult result =
      boxes ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
  while (mlirLogicalResultIsSuccess(result) && boxes->n) {
    XlaStage stage;
    result = nextBox(plan, planned, cutsOf(plan, domain), boxes, &stage);
    if (mlirLogicalResultIsSuccess(result))
      result = emitBox(&stage, planned, memrefs);
    xlaStageFree(&stage);
  }
  free(boxes);
  return result;
}

/// Memory for `value`, marked with the argument `result` in place of which
/// devices may take it, unless that is null.
static MlirValue allocate(XlaPlan *plan, MlirValue value, MlirValue result) {
  XlaIr *ir = &plan->kernel->ir;
  const char *reason;
  const int32_t segments[2] = {0, 0};
  MlirType type = xlaKernelMemRefType(mlirValueGetType(value), &reason);
  if (!mlirTypeIsNull(type)) {
    XlaIrAttr attrs[2] = {{"operandSegmentSizes",
                           mlirDenseI32ArrayGet(ir->context, 2, segments)}};
    bool isMarked = !mlirValueIsNull(result);
    if (isMarked)
      attrs[1] = (XlaIrAttr){
          "xla.memory",
          mlirIntegerAttrGet(mlirIntegerTypeGet(ir->context, 64),
                             mlirBlockArgumentGetArgNumber(result))};
    return xlaIrOp(ir, "memref.alloc", type, 0, NULL, isMarked ? 2 : 1, attrs);
  }
  xlaOpUnsupported(plan->kernel->op, NULL, "has an intermediate value %s: %s",
                   XLA_TYPE_TEXT(mlirValueGetType(value)), reason);
  return (MlirValue){NULL};
}

static MlirLogicalResult writeStage(XlaPlan *plan, const XlaPlanStage *planned,
                                    MlirOperation function,
                                    const MlirValue *memrefs,
                                    const XlaShape *domain) {
  if (planned->reduce.ptr)
    return xlaReduceEmit(plan->kernel, planned->reduce, memrefs);
  if (planned->dot.ptr)
    return xlaDotEmit(plan->kernel, planned->dot, function, memrefs[0]);
  return emitElementwise(plan, planned, memrefs, domain);
}

static MlirLogicalResult emitStage(XlaPlan *plan, const XlaPlanStage *planned,
                                   MlirOperation function,
                                   const MlirValue *results) {
  MlirLogicalResult result = mlirLogicalResultSuccess();
  XlaShape domain;
  int64_t count = 0;
  xlaShapeFromMlir(mlirValueGetType(planned->values[0]), &domain, NULL);
  xlaShapeGetElementCount(&domain, &count);
  MlirValue *memrefs = calloc((size_t)planned->n, sizeof *memrefs);
  if (!memrefs)
    return xlaKernelNoMemory(plan->kernel);
  for (intptr_t i = 0; i < planned->n && count; ++i) {
    intptr_t memory = planned->memory[i];
    memrefs[i] =
        planned->results[i] >= 0
            ? results[planned->results[i]]
            : allocate(plan, planned->values[i],
                       memory >= 0 ? results[memory] : (MlirValue){NULL});
    if (mlirValueIsNull(memrefs[i]))
      result = mlirLogicalResultFailure();
  }
  // Without elements nothing is to be written, and loops would not be loops.
  if (mlirLogicalResultIsSuccess(result) && count)
    result = writeStage(plan, planned, function, memrefs, &domain);
  for (intptr_t i = 0; i < planned->n && mlirLogicalResultIsSuccess(result);
       ++i)
    if (!xlaKernelGetBuffer(plan->kernel, planned->values[i]) &&
        !xlaKernelAddComputed(plan->kernel, planned->values[i], memrefs[i]))
      result = mlirLogicalResultFailure();
  free(memrefs);
  return result;
}

MlirLogicalResult xlaPlanEmit(XlaPlan *plan, MlirOperation function,
                              const MlirValue *results) {
  for (intptr_t i = 0; i < plan->nStages; ++i)
    if (mlirLogicalResultIsFailure(
            emitStage(plan, &plan->stages[i], function, results)))
      return mlirLogicalResultFailure();
  return mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// Aliasing
//===----------------------------------------------------------------------===//

typedef struct AliasCheck {
  MlirValue operand;
  const XlaIndex *root;
  const XlaShape *domain;
  bool reads, readsElsewhere;
} AliasCheck;

/// Equal indices mean equal places only in arrays of one shape.
static void checkRead(MlirValue value, const XlaShape *shape,
                      const XlaIndex *index, void *data) {
  AliasCheck *check = data;
  if (!mlirValueEqual(value, check->operand))
    return;
  check->reads = true;
  check->readsElsewhere |= !xlaIndexEqual(index, check->root) ||
                           !xlaShapeDimsEqual(shape, check->domain);
}

static bool writes(const XlaPlanStage *stage, intptr_t result) {
  for (intptr_t i = 0; i < stage->n; ++i)
    if (stage->results[i] == result || stage->memory[i] == result)
      return true;
  return false;
}

/// Adds what a stage reads.
static void checkStage(const XlaStage *stage, const XlaShape *domain,
                       AliasCheck *check) {
  check->root = &stage->space.root;
  check->domain = domain;
  xlaStageForEachRead(stage, checkRead, check);
}

static bool analyzeReduction(XlaPlan *plan, MlirOperation reduce,
                             AliasCheck *check) {
  XlaStage stage;
  MlirValue inputs[XLA_MAX_LIST];
  intptr_t n = mlirOperationGetNumOperands(reduce) / 2;
  if (n > XLA_MAX_LIST)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    inputs[i] = mlirOperationGetOperand(reduce, i);
  XlaShape domain = xlaKernelShapeOf(inputs[0]);
  bool known = mlirLogicalResultIsSuccess(
      xlaStageBegin(&stage, plan->kernel, &domain, n, inputs));
  checkStage(&stage, &domain, check);
  xlaStageFree(&stage);
  return known;
}

/// What the stage reads of `check->operand`; false if it cannot be told.
static bool analyze(XlaPlan *plan, const XlaPlanStage *planned,
                    AliasCheck *check) {
  check->reads = check->readsElsewhere = false;
  if (planned->dot.ptr) {
    for (int side = 0; side < 2; ++side)
      check->reads |= mlirValueEqual(
          mlirOperationGetOperand(planned->dot, side), check->operand);
    check->readsElsewhere = check->reads;
    return true;
  }
  if (planned->reduce.ptr)
    return analyzeReduction(plan, planned->reduce, check);
  XlaShape domain = xlaKernelShapeOf(planned->values[0]);
  Boxes *boxes = beginBoxes(plan, &domain);
  bool known = boxes != NULL;
  while (known && boxes->n) {
    XlaStage stage;
    known = mlirLogicalResultIsSuccess(
        nextBox(plan, planned, cutsOf(plan, &domain), boxes, &stage));
    checkStage(&stage, &domain, check);
    xlaStageFree(&stage);
  }
  free(boxes);
  return known;
}

static bool isConstant(MlirValue value) {
  return mlirValueIsAOpResult(value) &&
         xlaOpGetKind(mlirOpResultGetOwner(value)) == XlaOpKindConstant;
}

static MlirWalkResult findUse(MlirOperation op, void *data) {
  AliasCheck *check = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    check->reads |=
        mlirValueEqual(mlirOperationGetOperand(op, i), check->operand);
  return MlirWalkResultAdvance;
}

/// Regions read what they capture, and reductions their init values, at times
/// that the analysis of stages does not see.
static bool isReadAtOnce(XlaPlan *plan, MlirValue operand) {
  for (intptr_t i = 0; i < plan->nOps; ++i) {
    MlirOperation op = plan->ops[i];
    AliasCheck check = {.operand = operand};
    intptr_t n = mlirOperationGetNumOperands(op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      for (MlirOperation o = mlirBlockGetFirstOperation(
               mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)));
           o.ptr; o = mlirOperationGetNextInBlock(o))
        mlirOperationWalk(o, findUse, &check, MlirWalkPreOrder);
    for (intptr_t k = n / 2; isReduce(op) && k < n; ++k)
      check.reads |= !isConstant(mlirOperationGetOperand(op, k));
    if (check.reads)
      return true;
  }
  return false;
}

bool xlaPlanCanAlias(XlaPlan *plan, MlirValue operand, intptr_t result) {
  bool isWritten = false;
  XlaShape shape;
  if (!xlaShapeFromMlir(mlirValueGetType(operand), &shape, NULL) ||
      (shape.rank == 0 && isReadAtOnce(plan, operand)))
    return false;
  for (intptr_t i = 0; i < plan->nStages; ++i) {
    XlaPlanStage *stage = &plan->stages[i];
    AliasCheck check = {.operand = operand};
    if (!analyze(plan, stage, &check))
      return false;
    bool writesNow = writes(stage, result);
    // A reduction initializes its result before it reads its operands.
    if (check.reads &&
        (isWritten || check.readsElsewhere || (writesNow && stage->reduce.ptr)))
      return false;
    // Stages run row by row: reads and the write have to meet in one shape.
    if (check.reads && !writesNow &&
        !xlaPlanSameDims(stage->reduce.ptr
                             ? mlirOperationGetOperand(stage->reduce, 0)
                             : stage->values[0],
                         plan->values[result]))
      return false;
    isWritten |= writesNow;
    for (intptr_t k = 0; k < stage->n; ++k)
      if (!xlaKernelGetBuffer(plan->kernel, stage->values[k]) &&
          !xlaKernelAddComputed(plan->kernel, stage->values[k],
                                (MlirValue){NULL}))
        return false;
  }
  return true;
}
