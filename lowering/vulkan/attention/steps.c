//===- steps.c - What is done with the elements of a row ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/attention/plan.h"

#include <stdlib.h>

enum { noWriter = -2 };

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static bool isVector(const XlaVulkanAttention *plan, int buffer) {
  return buffer >= 0 && plan->rows.buffers[buffer].length > 1;
}

/// What a step along dimension `d` of a statement is in its vectors; 0: there
/// are none, or not the same in all.
static int64_t findInner(const XlaVulkanAttention *plan,
                         const XlaSchedStatement *statement, int d) {
  int64_t inner = 0;
  for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
    const XlaSchedAccess *access = &statement->accesses[i];
    int buffer = xlaAttentionBufferOf(&plan->rows, access->root);
    XlaRowDim dim;
    if (!isVector(plan, buffer))
      continue;
    if (!access->strides[d] ||
        !xlaRowFindDim(&plan->rows.buffers[buffer], access->strides[d],
                       statement->sizes[d], &dim) ||
        dim.unit || (inner && dim.inner != inner))
      return 0;
    inner = dim.inner;
  }
  return inner;
}

/// Elements of a row that a statement goes over, where its dimensions are the
/// digits of their numbers; else 0.
static int64_t readInner(const XlaVulkanAttention *plan, int i) {
  const XlaRowStatement *row = &plan->rows.statements[i];
  const XlaSchedStatement *statement = &row->statement;
  XlaVulkanRowStep *step = &plan->steps[i];
  int64_t elements = 1;
  for (int d = 0; d < statement->nDims; ++d) {
    if (row->unit[d])
      continue;
    step->inner[d] = findInner(plan, statement, d);
    elements *= statement->sizes[d];
    if (!step->inner[d])
      return 0;
  }
  for (int d = 0; d < statement->nDims; ++d) {
    int64_t lower = 1;
    for (int k = 0; k < statement->nDims; ++k)
      if (!row->unit[k] && step->inner[k] < step->inner[d])
        lower *= statement->sizes[k];
    if (!row->unit[d] && lower != step->inner[d])
      return 0;
  }
  return elements;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

static int phaseOf(const XlaVulkanAttention *plan, int buffer) {
  if (buffer == plan->rows.scores)
    return 1;
  return buffer == plan->rows.result
             ? 2
             : plan->rows.statements[plan->writers[buffer]].phase;
}

/// Whether what a statement reads is there, and vectors are of its phase, with
/// as many elements as it goes over. Gives the level of all together.
static bool readOperands(const XlaVulkanAttention *plan, int i,
                         int64_t elements, int *level) {
  const XlaRowStatement *row = &plan->rows.statements[i];
  const XlaSchedStatement *statement = &row->statement;
  *level = 0;
  for (int k = 0; k < statement->nIns; ++k) {
    int buffer = xlaAttentionBufferOf(&plan->rows, statement->accesses[k].root);
    if (buffer < 0)
      continue;
    if (plan->writers[buffer] == noWriter)
      return false;
    if (isVector(plan, buffer) &&
        (phaseOf(plan, buffer) != row->phase ||
         plan->rows.buffers[buffer].length != elements))
      return false;
    if (plan->levels[buffer] > *level)
      *level = plan->levels[buffer];
  }
  return true;
}

/// A type that workgroup memory holds, or is converted to.
static bool isShareable(MlirType type) {
  return mlirTypeIsAFloat(type)
             ? mlirFloatTypeGetWidth(type) >= 16
             : mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 32;
}

MlirValue xlaVulkanAttentionReduced(const XlaVulkanRowStep *step) {
  MlirOperation combiner = mlirOpResultGetOwner(step->reducer.carriedOut);
  MlirValue first = mlirOperationGetOperand(combiner, 0);
  return mlirValueEqual(first, step->reducer.carriedIn)
             ? mlirOperationGetOperand(combiner, 1)
             : first;
}

/// A reduction of all elements between the products.
static bool readReduction(XlaVulkanAttention *plan, int i, int level) {
  const XlaRowStatement *row = &plan->rows.statements[i];
  XlaVulkanRowStep *step = &plan->steps[i];
  step->kind = XlaVulkanRowReduction;
  for (int d = 0; d < row->statement.nDims; ++d)
    if (!row->unit[d] && !row->statement.reduction[d])
      return false;
  if (row->phase != 1 || step->output < 0 || isVector(plan, step->output) ||
      !step->begin.ptr ||
      !xlaSchedReducersRead(&row->statement, &step->reducer))
    return false;
  step->pass = level;
  plan->levels[step->output] = level + 1;
  return isShareable(step->reducer.carried);
}

static bool readFill(XlaVulkanAttention *plan, int i) {
  const XlaSchedStatement *statement = &plan->rows.statements[i].statement;
  XlaVulkanRowStep *step = &plan->steps[i];
  step->kind = XlaVulkanRowFill;
  if (step->output < 0 || isVector(plan, step->output) ||
      plan->writers[step->output] != noWriter)
    return false;
  // The reduction follows.
  for (int k = i + 1; k < plan->rows.nStatements; ++k) {
    const XlaSchedStatement *next = &plan->rows.statements[k].statement;
    if (next->body.ptr && next->nOuts == 1 && xlaSchedReduces(next) &&
        mlirValueEqual(next->accesses[next->nIns].root,
                       statement->accesses->root)) {
      plan->steps[k].begin = mlirOperationGetOperand(statement->op, 0);
      return true;
    }
  }
  return false;
}

/// Of a vector in a phase.
static int64_t elementsOf(const XlaVulkanAttention *plan, int phase) {
  return phase == 0 ? plan->width : phase == 1 ? plan->rows.keys : plan->values;
}

static bool readStep(XlaVulkanAttention *plan, int i) {
  const XlaRowStatement *row = &plan->rows.statements[i];
  const XlaSchedStatement *statement = &row->statement;
  XlaVulkanRowStep *step = &plan->steps[i];
  int level;
  if (statement->nOuts != 1)
    return false;
  step->output = xlaAttentionBufferOf(
      &plan->rows, statement->accesses[statement->nIns].root);
  if (!statement->body.ptr)
    return readFill(plan, i);
  int64_t elements = readInner(plan, i);
  if ((elements != 1 && elements != elementsOf(plan, row->phase)) ||
      !readOperands(plan, i, elements, &level) ||
      (step->output >= 0 && plan->writers[step->output] != noWriter))
    return false;
  if (step->output >= 0)
    plan->writers[step->output] = i;
  if (xlaSchedReduces(statement))
    return readReduction(plan, i, level);
  if (xlaSchedIsRead(statement, statement->nIns) ||
      (row->phase == 1 && step->output < 0 && elements > 1))
    return false;
  step->kind = elements > 1 ? XlaVulkanRowElements : XlaVulkanRowScalar;
  if (step->output >= 0) {
    plan->levels[step->output] = level;
    return plan->rows.buffers[step->output].length == elements;
  }
  return true;
}

static bool readProducts(XlaVulkanAttention *plan) {
  XlaAttention *rows = &plan->rows;
  plan->width = rows->products[0].contraction.terms.size;
  plan->values = rows->products[1].contraction.columns.size;
  for (int i = 0; i < 2; ++i) {
    const XlaContractionKernel *kernel = &rows->products[i].kernel;
    plan->sums[i] = xlaIrElementType(mlirValueGetType(kernel->sums));
    MlirType product = xlaIrElementType(mlirValueGetType(kernel->product));
    // Rounded sums are not stored as such.
    if (mlirTypeIsAF16(plan->sums[i]) || mlirTypeIsABF16(plan->sums[i]))
      plan->sums[i] = mlirF32TypeGet(mlirTypeGetContext(product));
    if (!mlirTypeIsAFloat(plan->sums[i]) || !mlirTypeIsAFloat(product))
      return false;
  }
  return rows->keys > 1 &&
         (rows->lhs < 0 || rows->buffers[rows->lhs].length == plan->width);
}

bool xlaVulkanAttentionReadSteps(XlaVulkanAttention *plan) {
  XlaAttention *rows = &plan->rows;
  plan->steps = calloc((size_t)rows->nStatements + 1, sizeof *plan->steps);
  plan->maximum = plan->divisor = -1;
  if (!plan->steps || !readProducts(plan))
    return false;
  for (int b = 0; b < rows->nBuffers; ++b)
    plan->writers[b] = b == rows->scores || b == rows->result ? -1 : noWriter;
  int nReductions = 0;
  for (int i = 0; i < rows->nStatements; ++i) {
    if (!readStep(plan, i))
      return false;
    nReductions += plan->steps[i].kind == XlaVulkanRowReduction;
  }
  if ((rows->lhs >= 0 && plan->writers[rows->lhs] < 0) ||
      plan->writers[rows->weights] == noWriter ||
      rows->buffers[rows->weights].length != rows->keys ||
      phaseOf(plan, rows->weights) != 1 ||
      nReductions > XLA_ATTENTION_MAX_REDUCTIONS)
    return false;
  plan->nPasses = plan->levels[rows->weights] + 1;
  for (int i = 0; i < rows->nStatements; ++i)
    if (plan->steps[i].kind == XlaVulkanRowReduction &&
        plan->steps[i].pass >= plan->nPasses)
      plan->nPasses = plan->steps[i].pass + 1;
  return true;
}
