// A comparator that uses values of the program gets them as operands of its kernel, constants with it.
// RUN: xla-opt %s --xla-prepare-for-lowering | FileCheck %s --check-prefix=PREPARED
// RUN: xla-run %s --input="6xf32=3 1 2 1.5 9 0" --input=f32=1 --device=all | FileCheck %s
// PREPARED: xla.fusion(%arg0, %arg1)
// PREPARED: xla.sort
// PREPARED: {kind = "sort"} : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
// The order is by more than 1.
// CHECK: 6xf32=
func.func @main(%x: tensor<6xf32>, %o: tensor<f32>) -> tensor<6xf32> {
  %two = xla.constant dense<2.0> : tensor<f32>
  %0 = xla.sort(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.multiply %a, %o : tensor<f32>
    %q = xla.multiply %b, %o : tensor<f32>
    %m = xla.minimum %p, %two : tensor<f32>
    %n = xla.minimum %q, %two : tensor<f32>
    %c = xla.compare %m, %n {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) : tensor<6xf32>
  return %0 : tensor<6xf32>
}
