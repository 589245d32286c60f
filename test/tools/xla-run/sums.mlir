// Sums whose terms overflow with both signs may be NaN: devices add in lanes and trees, and round products. What terms of one sign alone overflow to is judged.
// RUN: xla-run %s --device=all --output=none --output=none
// RUN: not xla-run %s --device=all --rtol=0 --atol=0 --output=none --output=none 2>&1 | FileCheck %s
// CHECK: cpu: output 0: 1 of 1 elements differ, the first at []: got {{-?}}nan, expected 0

func.func @main() -> (tensor<f32>, tensor<f32>) {
  %i = xla.iota {iota_dimension = 0} : tensor<1024xi32>
  %one = xla.constant dense<1> : tensor<i32>
  %odd = xla.and %i, %one : (tensor<1024xi32>, tensor<i32>) -> tensor<1024xi32>
  %isOdd = xla.convert %odd : (tensor<1024xi32>) -> tensor<1024xi1>
  %large = xla.constant dense<3.0e38> : tensor<1024xf32>
  %low = xla.constant dense<-3.0e38> : tensor<1024xf32>
  %x = xla.select %isOdd, %low, %large : (tensor<1024xi1>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<1024xf32>, tensor<f32>) -> tensor<f32>
  %1 = xla.dot %x, %large : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
