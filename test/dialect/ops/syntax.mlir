// RUN: xla-opt %s | FileCheck %s
// RUN: xla-run %s --input="2x3xf32=1 2 3 4 5 6" --device=all 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: {{^}}2xf32=6 15{{$}}

// Lists are written in brackets as well, and regions end in return, or xla.return.
// CHECK-LABEL: func.func @lists
func.func @lists(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    // CHECK: xla.return %{{.*}} : tensor<f32>
    // CHECK-NEXT: dimensions = [1]
    return %sum : tensor<f32>
  }) {dimensions = [1]} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = "xla.reshape"(%0) : (tensor<2xf32>) -> tensor<2x1xf32>
  %2 = xla.transpose %1 {permutation = [1, 0]} : (tensor<2x1xf32>) -> tensor<1x2xf32>
  %3 = xla.broadcast_in_dim %zero {broadcast_dimensions = []} : (tensor<f32>) -> tensor<1x2xf32>
  %4 = xla.add %2, %3 : tensor<1x2xf32>
  %5 = xla.reshape %4 : (tensor<1x2xf32>) -> tensor<2xf32>
  return %5 : tensor<2xf32>
}
