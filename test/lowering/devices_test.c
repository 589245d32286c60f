//===- devices_test.c - Unknown sizes on several devices ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program of two devices that takes arrays of unknown size gives for
// parts of several sizes.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/unit.h"

#include "xlac/lowering/client.h"

#include <string.h>

/// The whole: x + x, cut as x is; its column sums, on all devices; what a
/// device computes of its own part: the sum over the devices, all parts in a
/// row, and a part of the sum.
static const char text[] =
    "module @m {\n"
    "sdy.mesh @mesh = <[\"i\"=2]>\n"
    "func.func @main(%x: tensor<?x2xf32> {sdy.sharding = "
    "#sdy.sharding<@mesh, [{\"i\"}, {}]>}) -> (tensor<?x2xf32> {sdy.sharding = "
    "#sdy.sharding<@mesh, [{\"i\"}, {}]>}, tensor<2xf32>, tensor<?x2xf32> "
    "{sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<?x2xf32> "
    "{sdy.sharding = #sdy.sharding<@mesh, [{\"i\"}, {}]>}, tensor<?x2xf32> "
    "{sdy.sharding = #sdy.sharding<@mesh, [{\"i\"}, {}]>}) {\n"
    "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %y = stablehlo.add %x, %x : tensor<?x2xf32>\n"
    "  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across "
    "dimensions = [0] : (tensor<?x2xf32>, tensor<f32>) -> tensor<2xf32>\n"
    "  %m:3 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{\"i\"}, "
    "{}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{\"i\"}, {}]>, <@mesh, "
    "[{\"i\"}, {}]>] manual_axes={\"i\"} (%p: tensor<?x2xf32>) {\n"
    "    %r = \"stablehlo.all_reduce\"(%p) <{channel_handle = "
    "#stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = "
    "dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({\n"
    "    ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
    "      %c = stablehlo.add %a, %b : tensor<f32>\n"
    "      stablehlo.return %c : tensor<f32>\n"
    "    }) : (tensor<?x2xf32>) -> tensor<?x2xf32>\n"
    "    %g = \"stablehlo.all_gather\"(%p) <{all_gather_dim = 0 : i64, "
    "channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, "
    "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, "
    "use_global_device_ids}> : (tensor<?x2xf32>) -> tensor<?x2xf32>\n"
    "    %h = \"stablehlo.reduce_scatter\"(%g) <{channel_handle = "
    "#stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = "
    "dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, "
    "use_global_device_ids}> ({\n"
    "    ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
    "      %c = stablehlo.add %a, %b : tensor<f32>\n"
    "      stablehlo.return %c : tensor<f32>\n"
    "    }) : (tensor<?x2xf32>) -> tensor<?x2xf32>\n"
    "    sdy.return %r, %g, %h : tensor<?x2xf32>, tensor<?x2xf32>, "
    "tensor<?x2xf32>\n"
    "  } : (tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>, "
    "tensor<?x2xf32>)\n"
    "  return %y, %s, %m#0, %m#1, %m#2 : tensor<?x2xf32>, tensor<2xf32>, "
    "tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>\n"
    "}\n"
    "}\n";

static XlaLiteral *rows(int64_t n, float first) {
  XlaLiteral *literal = xlaLiteralCreateArray(XLA_SHAPE(F32, n, 2));
  for (int64_t i = 0; i < 2 * n; ++i)
    xlaLiteralSet(literal, i, (XlaScalar){.f = {(double)first + (double)i, 0}});
  return literal;
}

/// Result `i` of a device.
static const XlaLiteral *resultOf(XlaLoadedExecutable *executable,
                                  XlaLiteral *const *outputs, int d, int i) {
  const XlaPartition *p = xlaLoadedExecutableGetPartition(executable);
  return outputs[p->outputs[d * p->nOutputs + i]];
}

static void expect(const XlaLiteral *got, int64_t n, float first, float step) {
  assert_int_equal(xlaLiteralGetElementCount(got), n);
  const float *values = xlaLiteralGetData(got);
  for (int64_t i = 0; i < n; ++i)
    assert_float_equal(values[i], first + step * (float)i, 0);
}

static void runs(XlaLoadedExecutable *executable, int64_t n) {
  XlaLiteral *outputs[16] = {NULL};
  float second = 2 * (float)n;
  XlaLiteral *parts[] = {rows(n, 0), rows(n, second)};
  intptr_t nOutputs = xlaLoadedExecutableGetNumResults(executable);
  XlaStatus status = xlaLoadedExecutableRunAll(
      executable, 2, (const XlaLiteral *const *)parts, nOutputs, outputs);
  if (status)
    fail_msg("%s", xlaStatusMessage(status));
  float sum = 0;
  for (int64_t i = 0; i < 2 * n; ++i)
    sum += 2 * (float)i;
  for (int d = 0; d < 2; ++d) {
    expect(resultOf(executable, outputs, d, 0), 2 * n, 2 * second * (float)d,
           2);
    expect(resultOf(executable, outputs, d, 1), 2, sum, 2 * (float)n);
    expect(resultOf(executable, outputs, d, 2), 2 * n, second, 2);
    expect(resultOf(executable, outputs, d, 3), 4 * n, 0, 1);
    expect(resultOf(executable, outputs, d, 4), 2 * n, 2 * second * (float)d,
           2);
  }
  for (intptr_t i = 0; i < nOutputs; ++i)
    xlaLiteralRelease(outputs[i]);
  xlaLiteralRelease(parts[0]);
  xlaLiteralRelease(parts[1]);
}

/// Parts of one argument are of one size.
static void refuses(XlaLoadedExecutable *executable) {
  XlaLiteral *outputs[16];
  XlaLiteral *parts[] = {rows(3, 0), rows(2, 0)};
  XlaStatus status = xlaLoadedExecutableRunAll(
      executable, 2, (const XlaLiteral *const *)parts,
      xlaLoadedExecutableGetNumResults(executable), outputs);
  assert_int_equal(xlaStatusCode(status), XLA_STATUS_INVALID_ARGUMENT);
  assert_non_null(strstr(xlaStatusMessage(status), "not of one size: 3 and 2"));
  xlaStatusDestroy(status);
  xlaLiteralRelease(parts[0]);
  xlaLiteralRelease(parts[1]);
}

static void specializes(const char *device) {
  XlaClientOptions options = {.device = device};
  XlaClient *client;
  XlaLoadedExecutable *executable;
  assert_null(xlaClientCreate(&options, &client));
  XlaStatus status = xlaClientCompileProgram(
      client,
      &(XlaClientProgram){.bytes = text, .size = strlen(text), .partitions = 2},
      &executable);
  if (status)
    fail_msg("%s", xlaStatusMessage(status));
  runs(executable, 3);
  runs(executable, 5);
  runs(executable, 3);
  refuses(executable);
  xlaLoadedExecutableDestroy(executable);
  xlaClientDestroy(client);
}

static void interpreted(void **state) {
  (void)state;
  specializes("interpreter");
}

static void compiled(void **state) {
  (void)state;
  specializes("cpu");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(interpreted),
                                     cmocka_unit_test(compiled)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
