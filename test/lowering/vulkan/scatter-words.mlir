// Places are sorted with the numbers of their updates in one word, if both have room in 31 bits.
// REQUIRES: vulkan
// RUN: xla-opt %s --xla-attach-target="device=rdna2" --xla-vulkan-pipeline=to=prepared | FileCheck %s
// RUN: xla-run %s --device=all --seed=2 --output=none

// The last place, and one behind it, of windows that are left out.
// CHECK: xla.sort(%{{[^,]*}}) ({
// CHECK: xla.sort(%{{[^,]*}}, %{{[^,]*}}) ({
func.func private @word(%x: tensor<2097151xi32>, %i: tensor<1024xi32>, %u: tensor<1024xi32>) -> tensor<2097151xi32> {
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.subtract %b, %a : tensor<i32>
    xla.return %s : tensor<i32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<2097151xi32>, tensor<1024xi32>, tensor<1024xi32>) -> tensor<2097151xi32>
  return %0 : tensor<2097151xi32>
}

func.func private @words(%x: tensor<2097152xi32>, %i: tensor<1024xi32>, %u: tensor<1024xi32>) -> tensor<2097152xi32> {
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.subtract %b, %a : tensor<i32>
    xla.return %s : tensor<i32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<2097152xi32>, tensor<1024xi32>, tensor<1024xi32>) -> tensor<2097152xi32>
  return %0 : tensor<2097152xi32>
}

func.func @main(%x: tensor<2097151xi32>, %y: tensor<2097152xi32>, %k: tensor<1024xi32>, %u: tensor<1024xi32>) -> (tensor<2097151xi32>, tensor<2097152xi32>) {
  %near = xla.constant dense<12> : tensor<1024xi32>
  %middle = xla.constant dense<2097143> : tensor<1024xi32>
  %r = xla.remainder %k, %near : tensor<1024xi32>
  %i = xla.add %r, %middle : tensor<1024xi32>
  %0 = call @word(%x, %i, %u) : (tensor<2097151xi32>, tensor<1024xi32>, tensor<1024xi32>) -> tensor<2097151xi32>
  %1 = call @words(%y, %i, %u) : (tensor<2097152xi32>, tensor<1024xi32>, tensor<1024xi32>) -> tensor<2097152xi32>
  return %0, %1 : tensor<2097151xi32>, tensor<2097152xi32>
}
