// Inputs and outputs of dynamic size are refused; sizes inside of a program are measured.
// RUN: not xla-bench %s --entry=dynamic 2>&1 | FileCheck %s --check-prefix=TAKES
// RUN: not xla-bench %s --entry=gives --input=4xf32=1 --input=s32=2 2>&1 | FileCheck %s --check-prefix=GIVES
// RUN: xla-bench %s --entry=inside --input=4xf32=1 --input=s32=2 --min-time=0.01 | FileCheck %s --check-prefix=INSIDE
!v = tensor<?xf32, #xla.array<bounds = [4]>>
// TAKES: the program takes an array of dynamic size, which is not measured yet
func.func @dynamic(%x: !v) -> tensor<f32> {
  %0 = xla.constant dense<0.0> : tensor<f32>
  return %0 : tensor<f32>
}
// GIVES: the program gives an array of dynamic size, which is not measured yet
func.func @gives(%x: tensor<4xf32>, %n: tensor<i32>) -> !v {
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<4xf32>, tensor<i32>) -> !v
  return %0 : !v
}
// INSIDE: kernels
func.func @inside(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<f32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<4xf32>, tensor<i32>) -> !v
  %1 = xla.reduce(%0, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = xla.add %a, %b : tensor<f32>
    return %2 : tensor<f32>
  }) {dimensions = [0]} : (!v, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
