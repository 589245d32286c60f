// A sum that an epilogue is added to lies where the result goes: no element is computed by two threads, though the last tiles of a product
// overlap those before them.
// RUN: xla-run %s --device=all --seed=3 --output=none
// RUN: xla-run %s --device=all --seed=3 --output=none --machine=gpu=1
// RUN: xla-opt %s --xla-attach-target="device=rdna2" --xla-vulkan-pipeline=to=affine | FileCheck %s

// CHECK-LABEL: gpu.module @kernel
// CHECK: affine.if
func.func @main(%x: tensor<37x45xf32>, %a: tensor<37x20xf32>, %b: tensor<20x45xf32>, %y: tensor<3x5xf32>, %c: tensor<3x20000xf32>, %d: tensor<20000x5xf32>) -> (tensor<37x45xf32>, tensor<3x5xf32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:3 = xla.while(%zero, %x, %y) ({
  ^bb0(%i: tensor<i32>, %s: tensor<37x45xf32>, %t: tensor<3x5xf32>):
    %n = xla.constant dense<3> : tensor<i32>
    %more = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %more : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %s: tensor<37x45xf32>, %t: tensor<3x5xf32>):
    %one = xla.constant dense<1> : tensor<i32>
    %next = xla.add %i, %one : tensor<i32>
    %p = xla.dot_general %a, %b {lhs_batching_dimensions = array<i64>, rhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<37x20xf32>, tensor<20x45xf32>) -> tensor<37x45xf32>
    %u = xla.add %s, %p : tensor<37x45xf32>
    %q = xla.dot_general %c, %d {lhs_batching_dimensions = array<i64>, rhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<3x20000xf32>, tensor<20000x5xf32>) -> tensor<3x5xf32>
    %v = xla.add %t, %q : tensor<3x5xf32>
    xla.return %next, %u, %v : tensor<i32>, tensor<37x45xf32>, tensor<3x5xf32>
  }) : (tensor<i32>, tensor<37x45xf32>, tensor<3x5xf32>) -> (tensor<i32>, tensor<37x45xf32>, tensor<3x5xf32>)
  return %r#1, %r#2 : tensor<37x45xf32>, tensor<3x5xf32>
}
