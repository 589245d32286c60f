//===- layer.c - A program built, compiled and run from C -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dense layer, max(x w + b, 0), and the largest of its outputs:
//
//   cc layer.c $(pkg-config --cflags --libs xlac) -o layer
//   ./layer            # or ./layer vulkan, ./layer interpreter
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client.h"

#include <stdio.h>
#include <string.h>

/// (a, b) -> max(a, b), which the reduction below applies again and again.
static XlaComputation *buildMaximum(MlirContext context) {
  XlaComputation *maximum;
  XlaBuilder *b = xlaBuilderCreate(context, "maximum");
  XlaOp lhs = xlaBuilderParameter(b, 0, XLA_SHAPE(F32), "lhs");
  XlaOp rhs = xlaBuilderParameter(b, 1, XLA_SHAPE(F32), "rhs");
  xlaBuilderBuild(b, xlaBuilderMax(b, lhs, rhs, NULL, 0), &maximum);
  xlaBuilderDestroy(b);
  return maximum;
}

/// Errors need no checks on the way: the builder keeps the first one, and
/// building fails with it.
static XlaComputation *buildLayer(MlirContext context) {
  XlaComputation *maximum = buildMaximum(context), *layer;
  XlaBuilder *b = xlaBuilderCreate(context, "layer");
  XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(F32, 2, 3), "x");
  XlaOp w = xlaBuilderParameter(b, 1, XLA_SHAPE(F32, 3, 2), "w");
  XlaOp bias = xlaBuilderConstantR1F32(b, (const float[]){0.5f, 0.5f}, 2);
  XlaOp zero = xlaBuilderConstantR0F32(b, 0);
  XlaOp least = xlaBuilderMinValue(b, XlaElementTypeF32);
  XlaOp sum = xlaBuilderAdd(b, xlaBuilderDot(b, x, w), bias, XLA_INTS(1));
  XlaOp y = xlaBuilderMax(b, sum, zero, NULL, 0);
  XlaOp largest = xlaBuilderReduce(b, &y, &least, 1, maximum, XLA_INTS(0, 1));
  xlaBuilderBuild(b, xlaBuilderTuple(b, XLA_OPS(y, largest)), &layer);
  if (!layer)
    fprintf(stderr, "%s\n", xlaBuilderGetError(b));
  xlaBuilderDestroy(b);
  xlaComputationRelease(maximum);
  return layer;
}

static XlaLiteral *array(const XlaShape *shape, const float *values) {
  XlaLiteral *literal = xlaLiteralCreateArray(shape);
  if (literal)
    memcpy(xlaLiteralGetMutableData(literal), values,
           xlaLiteralGetByteCount(literal));
  return literal;
}

static void print(const char *name, const XlaLiteral *literal) {
  const float *values = xlaLiteralGetData(literal);
  printf("%s:", name);
  for (int64_t i = 0; i < xlaLiteralGetElementCount(literal); ++i)
    printf(" %g", values[i]);
  printf("\n");
}

static XlaStatus compileAndRun(XlaClient *client, const XlaComputation *layer) {
  XlaLoadedExecutable *executable;
  XLA_RETURN_IF_ERROR(xlaClientCompile(client, layer, &executable));
  const float xValues[] = {1, 2, 3, 4, 5, 6}, wValues[] = {1, -1, 0, 1, 1, -1};
  XlaLiteral *x = array(XLA_SHAPE(F32, 2, 3), xValues);
  XlaLiteral *w = array(XLA_SHAPE(F32, 3, 2), wValues), *result;
  const XlaLiteral *inputs[] = {x, w};
  XlaStatus status = xlaLoadedExecutableRun(executable, 2, inputs, &result);
  if (!status) {
    print("y", xlaLiteralGetTupleElement(result, 0));
    print("largest", xlaLiteralGetTupleElement(result, 1));
  }
  xlaLiteralRelease(result);
  xlaLiteralRelease(x);
  xlaLiteralRelease(w);
  xlaLoadedExecutableDestroy(executable);
  return status;
}

int main(int argc, char **argv) {
  XlaClientOptions options = {.device = argc > 1 ? argv[1] : "cpu"};
  XlaClient *client;
  XlaStatus status = xlaClientCreate(&options, &client);
  if (!status) {
    XlaComputation *layer = buildLayer(xlaClientGetContext(client));
    status = compileAndRun(client, layer);
    xlaComputationRelease(layer);
  }
  if (status)
    fprintf(stderr, "%s\n", xlaStatusMessage(status));
  int failed = status != NULL;
  xlaStatusDestroy(status);
  xlaClientDestroy(client);
  return failed;
}
