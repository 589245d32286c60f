//===- roots.c - A loop and a call built from C ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Square roots by Newton's method: computations that are the parts of others.
// Prints the program, which xla-run, xla-opt and xla-bench read (roots |
// xla-run -), and on stderr the roots.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client.h"

#include <stdio.h>
#include <stdlib.h>

enum { size = 4 };

/// The state of the loop: a counter, the numbers, and their roots so far.
static XlaOp state(XlaBuilder *b, XlaOp parts[3]) {
  MlirType vector = xlaBuilderArrayType(b, XLA_SHAPE(F64, size));
  MlirType types[] = {xlaBuilderArrayType(b, XLA_SHAPE(S32)), vector, vector};
  XlaOp whole = xlaBuilderParameterOfType(
      b, 0, xlaBuilderTupleType(b, types, 3), "state");
  for (int i = 0; i < 3; ++i)
    parts[i] = xlaBuilderGetTupleElement(b, whole, i);
  return whole;
}

/// (x, root) -> (root + x / root) / 2.
static XlaComputation *buildStep(MlirContext context) {
  XlaComputation *step;
  XlaBuilder *b = xlaBuilderCreate(context, "step");
  XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(F64, size), "x");
  XlaOp root = xlaBuilderParameter(b, 1, XLA_SHAPE(F64, size), "root");
  XlaOp sum =
      xlaBuilderAdd(b, root, xlaBuilderDiv(b, x, root, NULL, 0), NULL, 0);
  XlaOp half = xlaBuilderConstantR0F64(b, 0.5);
  xlaBuilderBuild(b, xlaBuilderMul(b, sum, half, NULL, 0), &step);
  xlaBuilderDestroy(b);
  return step;
}

/// state -> whether there were fewer than 20 rounds.
static XlaComputation *buildCondition(MlirContext context) {
  XlaComputation *condition;
  XlaBuilder *b = xlaBuilderCreate(context, "condition");
  XlaOp parts[3];
  state(b, parts);
  XlaOp most = xlaBuilderConstantR0S32(b, 20);
  xlaBuilderBuild(b, xlaBuilderLt(b, parts[0], most, NULL, 0), &condition);
  xlaBuilderDestroy(b);
  return condition;
}

/// state -> the next state; the step is a function that it calls.
static XlaComputation *buildBody(MlirContext context,
                                 const XlaComputation *step) {
  XlaComputation *body;
  XlaBuilder *b = xlaBuilderCreate(context, "body");
  XlaOp parts[3];
  state(b, parts);
  XlaOp one = xlaBuilderConstantR0S32(b, 1);
  XlaOp count = xlaBuilderAdd(b, parts[0], one, NULL, 0);
  XlaOp root = xlaBuilderCall(b, step, XLA_OPS(parts[1], parts[2]));
  xlaBuilderBuild(b, xlaBuilderTuple(b, XLA_OPS(count, parts[1], root)), &body);
  xlaBuilderDestroy(b);
  return body;
}

static XlaComputation *buildRoots(MlirContext context) {
  XlaComputation *step = buildStep(context);
  XlaComputation *condition = buildCondition(context);
  XlaComputation *body = buildBody(context, step), *roots;
  XlaBuilder *b = xlaBuilderCreate(context, "roots");
  const double numbers[size] = {2, 9, 0.25, 1e6};
  XlaOp x = xlaBuilderConstantR1F64(b, numbers, size);
  XlaOp zero = xlaBuilderConstantR0S32(b, 0);
  XlaOp init = xlaBuilderTuple(b, XLA_OPS(zero, x, x));
  XlaOp last = xlaBuilderWhile(b, condition, body, init);
  xlaBuilderBuild(b, xlaBuilderGetTupleElement(b, last, 2), &roots);
  if (!roots)
    fprintf(stderr, "%s\n", xlaBuilderGetError(b));
  xlaBuilderDestroy(b);
  xlaComputationRelease(step);
  xlaComputationRelease(condition);
  xlaComputationRelease(body);
  return roots;
}

static XlaStatus run(XlaClient *client, const XlaComputation *roots) {
  XlaLoadedExecutable *executable;
  XlaLiteral *result;
  XLA_RETURN_IF_ERROR(xlaClientCompile(client, roots, &executable));
  XlaStatus status = xlaLoadedExecutableRun(executable, 0, NULL, &result);
  for (int i = 0; !status && i < size; ++i)
    fprintf(stderr, "%.9g\n", ((const double *)xlaLiteralGetData(result))[i]);
  xlaLiteralRelease(result);
  xlaLoadedExecutableDestroy(executable);
  return status;
}

int main(int argc, char **argv) {
  XlaClientOptions options = {.device = argc > 1 ? argv[1] : "cpu"};
  XlaClient *client;
  XlaStatus status = xlaClientCreate(&options, &client);
  if (!status) {
    XlaComputation *roots = buildRoots(xlaClientGetContext(client));
    char *text = xlaComputationPrint(roots);
    printf("%s", text ? text : "");
    free(text);
    status = run(client, roots);
    xlaComputationRelease(roots);
  }
  if (status)
    fprintf(stderr, "%s\n", xlaStatusMessage(status));
  int failed = status != NULL;
  xlaStatusDestroy(status);
  xlaClientDestroy(client);
  return failed;
}
