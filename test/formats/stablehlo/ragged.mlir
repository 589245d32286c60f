// JAX's rows for every partition; the last row of each result, which nobody sends, stays.
// DEFINE: %{first} = --input=3xf32="1 2 2" --input=4xf32="7 8 9 10" --input=2xs32="0 1" --input=2xs32="1 2" --input=2xs32="0 0" --input=2xs32="1 1"
// DEFINE: %{second} = --input=3xf32="3 4 0" --input=4xf32="7 8 9 10" --input=2xs32="0 1" --input=2xs32="1 1" --input=2xs32="1 2" --input=2xs32="2 1"
// RUN: xla-run %s --partitions=2 --device=all %{first} %{second} | FileCheck %s
// RUN: sed 's/tensor<3xf32>/tensor<0xf32>/' %s | xla-run - --partitions=2 --seed=1 --device=all --output=none
// RUN: sed 's/tensor<2xi32>/tensor<3xi32>/g' %s | not xla-run - --partitions=2 --seed=1 2>&1 | FileCheck %s --check-prefix=ERROR
// CHECK: 4xf32=1 3 9 10
// CHECK: 4xf32=2 2 4 10
// ERROR: error: {{.*}}operand 2 is tensor<3xi32>, not a vector of as many integers for each of 2 replicas
func.func public @main(%x: tensor<3xf32>, %to: tensor<4xf32>, %from: tensor<2xi32>, %n: tensor<2xi32>, %at: tensor<2xi32>, %r: tensor<2xi32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @ragged_all_to_all(%x, %to, %from, %n, %at, %r) {api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : (tensor<3xf32>, tensor<4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
