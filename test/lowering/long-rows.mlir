// Rows whose intermediates fit into no thread's memory: these lie in a result, or in memory of the kernel's own.
// RUN: xla-run %s --entry=softmax --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=halves --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=columns --device=all --seed=1 --output=none
// RUN: xla-opt %s --xla-cpu-pipeline=to=linalg | FileCheck %s

// CHECK-LABEL: func.func @xlacEntry
// CHECK: func.func private @kernel_0(%[[X:.*]]: memref<3x70000xf32>, %[[RESULT:.*]]: memref<3x70000xf32>)
// CHECK-NOT: memref.alloc() {xla.memory
// CHECK: outs(%[[RESULT]] :
func.func public @main(%x: tensor<3x70000xf32>) -> tensor<3x70000xf32> {
  %0 = func.call @softmax(%x) : (tensor<3x70000xf32>) -> tensor<3x70000xf32>
  return %0 : tensor<3x70000xf32>
}

func.func public @softmax(%x: tensor<3x70000xf32>) -> tensor<3x70000xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %x : tensor<3x70000xf32>
  %sum = xla.reduce(%e, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) {dimensions = [1]} : (tensor<3x70000xf32>, tensor<f32>) -> tensor<3xf32>
  %sums = xla.broadcast_in_dim %sum {broadcast_dimensions = [0]} : (tensor<3xf32>) -> tensor<3x70000xf32>
  %r = xla.divide %e, %sums : tensor<3x70000xf32>
  return %r : tensor<3x70000xf32>
}

// No result has the type of the exponentials.
func.func public @halves(%x: tensor<2x3x70000xf32>) -> tensor<2x3x70000xf16> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %x : tensor<2x3x70000xf32>
  %sum = xla.reduce(%e, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) {dimensions = [2]} : (tensor<2x3x70000xf32>, tensor<f32>) -> tensor<2x3xf32>
  %sums = xla.broadcast_in_dim %sum {broadcast_dimensions = [0, 1]} : (tensor<2x3xf32>) -> tensor<2x3x70000xf32>
  %q = xla.divide %e, %sums : tensor<2x3x70000xf32>
  %r = xla.convert %q : (tensor<2x3x70000xf32>) -> tensor<2x3x70000xf16>
  return %r : tensor<2x3x70000xf16>
}

// 16 columns or more side by side.
func.func public @columns(%x: tensor<1000x1024xf64>) -> tensor<1000x1024xf64> {
  %zero = xla.constant dense<0.0> : tensor<f64>
  %e = xla.exponential %x : tensor<1000x1024xf64>
  %sum = xla.reduce(%e, %zero) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %0 = xla.add %a, %b : tensor<f64>
    xla.return %0 : tensor<f64>
  }) {dimensions = [0]} : (tensor<1000x1024xf64>, tensor<f64>) -> tensor<1024xf64>
  %sums = xla.broadcast_in_dim %sum {broadcast_dimensions = [1]} : (tensor<1024xf64>) -> tensor<1000x1024xf64>
  %r = xla.divide %e, %sums : tensor<1000x1024xf64>
  return %r : tensor<1000x1024xf64>
}
