//===- steps.c - A program that runs on arrays of a device ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradient descent on |a x - b|^2: one program takes a step, and gets back what
// it gave. The arrays stay on the device; x is donated, so that every step
// writes the same memory.
//
//   cc steps.c $(pkg-config --cflags --libs xlac) -o steps
//   ./steps            # or ./steps vulkan, ./steps interpreter
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/array.h"

#include <stdio.h>
#include <string.h>

/// As jax.jit(step, donate_argnums=2).lower(..).as_text() prints it.
static const char step[] =
    "func.func @main(%a: tensor<3x2xf32>, %b: tensor<3xf32>,\n"
    "                %x: tensor<2xf32> {tf.aliasing_output = 0 : i32})\n"
    "    -> (tensor<2xf32>, tensor<f32>) {\n"
    "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %rate = stablehlo.constant dense<0.1> : tensor<2xf32>\n"
    "  %ax = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0]\n"
    "    : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3xf32>\n"
    "  %r = stablehlo.subtract %ax, %b : tensor<3xf32>\n"
    "  %g = stablehlo.dot_general %a, %r, contracting_dims = [0] x [0]\n"
    "    : (tensor<3x2xf32>, tensor<3xf32>) -> tensor<2xf32>\n"
    "  %d = stablehlo.multiply %g, %rate : tensor<2xf32>\n"
    "  %y = stablehlo.subtract %x, %d : tensor<2xf32>\n"
    "  %squares = stablehlo.multiply %r, %r : tensor<3xf32>\n"
    "  %loss = stablehlo.reduce(%squares init: %zero) applies stablehlo.add\n"
    "      across dimensions = [0]\n"
    "    : (tensor<3xf32>, tensor<f32>) -> tensor<f32>\n"
    "  return %y, %loss : tensor<2xf32>, tensor<f32>\n"
    "}\n";

/// inputs[2] becomes the last x, and `*loss` the last loss.
static XlaStatus descend(XlaLoadedExecutable *executable, XlaArray **inputs,
                         XlaArray **loss) {
  for (int i = 0; i < 100; ++i) {
    XlaArray *outputs[2];
    XLA_RETURN_IF_ERROR(xlaLoadedExecutableExecute(
        executable, &(XlaExecution){.nInputs = 3,
                                    .inputs = inputs,
                                    .nOutputs = 2,
                                    .outputs = outputs}));
    xlaArrayRelease(inputs[2]);
    xlaArrayRelease(*loss);
    inputs[2] = outputs[0];
    *loss = outputs[1];
  }
  return NULL;
}

static XlaStatus run(XlaClient *client, XlaLoadedExecutable **executable,
                     XlaArray **inputs, XlaArray **loss) {
  static const float values[3][6] = {{1, 0, 1, 1, 1, 2}, {1, 2, 2}, {0, 0}};
  const XlaClientProgram program = {.bytes = step, .size = strlen(step)};
  float x[2], last;
  XLA_RETURN_IF_ERROR(xlaClientCompileProgram(client, &program, executable));
  for (int i = 0; i < 3; ++i)
    XLA_RETURN_IF_ERROR(xlaArrayFromHost(
        client, xlaLoadedExecutableGetInputShape(*executable, i),
        &(XlaHostArray){.data = values[i]}, &inputs[i]));
  XLA_RETURN_IF_ERROR(descend(*executable, inputs, loss));
  XLA_RETURN_IF_ERROR(xlaArrayRead(inputs[2], 0, sizeof x, x, NULL));
  XLA_RETURN_IF_ERROR(xlaArrayRead(*loss, 0, sizeof last, &last, NULL));
  printf("x: %.4f %.4f, loss %.4f\n", x[0], x[1], last);
  return NULL;
}

int main(int argc, char **argv) {
  XlaClientOptions options = {.device = argc > 1 ? argv[1] : "cpu"};
  XlaClient *client;
  XlaLoadedExecutable *executable = NULL;
  XlaArray *inputs[3] = {NULL}, *loss = NULL;
  XlaStatus status = xlaClientCreate(&options, &client);
  if (!status)
    status = run(client, &executable, inputs, &loss);
  if (status)
    fprintf(stderr, "%s\n", xlaStatusMessage(status));
  for (int i = 0; i < 3; ++i)
    xlaArrayRelease(inputs[i]);
  xlaArrayRelease(loss);
  xlaLoadedExecutableDestroy(executable);
  xlaClientDestroy(client);
  xlaStatusDestroy(status);
  return status ? 1 : 0;
}
