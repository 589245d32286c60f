// Reductions of a few elements are what the loops of their only reader compute, in the same order.
// RUN: xla-opt %s --xla-fuse | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: xla-opt %s --xla-fuse=device=gpu | FileCheck %s
// RUN: xla-run %s --device=all --seed=1 --output=none
// RUN: xla-run %s --device=all --seed=1 --output=none --entry=others
// RUN: xla-run %s --device=all --seed=1 --output=none --entry=middle

// The loops also take an element of each vector. The first sum is that of the initial value.
// CHECK-LABEL: @main(
// CHECK: xla.fusion(
// CHECK-NOT: xla.reduce
// CHECK: %[[P:.*]] = xla.add %{{.*}}, %{{.*}} : tensor<40x3xf32>
// CHECK-NOT: xla.reduce
// CHECK: kind = "loop"
// CHECK-NOT: xla.fusion
// CHECK: return
func.func @main(%x: tensor<40x3xf32>, %y: tensor<40x3xf32>) -> tensor<40xf32> {
  %zero = xla.constant dense<-0.0> : tensor<f32>
  %p = xla.add %x, %y : tensor<40x3xf32>
  %square = xla.multiply %p, %p : tensor<40x3xf32>
  %sum = xla.reduce(%square, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [1]} : (tensor<40x3xf32>, tensor<f32>) -> tensor<40xf32>
  %norm = xla.sqrt %sum : tensor<40xf32>
  %part = xla.slice %p {start_indices = [0, 1], limit_indices = [40, 2], strides = [1, 1]} : (tensor<40x3xf32>) -> tensor<40x1xf32>
  %second = xla.reshape %part : (tensor<40x1xf32>) -> tensor<40xf32>
  %least = xla.minimum %norm, %second : tensor<40xf32>
  return %least : tensor<40xf32>
}

// Reductions stay where others need the vectors, too, where they have more elements, and where they do more than one
// thing with each.
// CHECK-LABEL: @others(
// CHECK-COUNT-3: xla.reduce
// CHECK: return
func.func @others(%x: tensor<40x3xf32>, %v: tensor<40x5xf32>, %start: tensor<f32>) -> (tensor<40xf32>, tensor<40x3xf32>, tensor<40xf32>, tensor<40xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %p = xla.exponential %x : tensor<40x3xf32>
  %product = xla.reduce(%p, %start) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.multiply %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [1]} : (tensor<40x3xf32>, tensor<f32>) -> tensor<40xf32>
  %part = xla.slice %p {start_indices = [0, 1], limit_indices = [40, 2], strides = [1, 1]} : (tensor<40x3xf32>) -> tensor<40x1xf32>
  %second = xla.reshape %part : (tensor<40x1xf32>) -> tensor<40xf32>
  %least = xla.minimum %product, %second : tensor<40xf32>
  %five = xla.reduce(%v, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [1]} : (tensor<40x5xf32>, tensor<f32>) -> tensor<40xf32>
  %of = xla.slice %v {start_indices = [0, 1], limit_indices = [40, 2], strides = [1, 1]} : (tensor<40x5xf32>) -> tensor<40x1xf32>
  %one = xla.reshape %of : (tensor<40x1xf32>) -> tensor<40xf32>
  %more = xla.minimum %five, %one : tensor<40xf32>
  %negated = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %n = xla.negate %b : tensor<f32>
    %s = xla.add %a, %n : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [1]} : (tensor<40x3xf32>, tensor<f32>) -> tensor<40xf32>
  %last = xla.multiply %negated, %second : tensor<40xf32>
  return %least, %p, %more, %last : tensor<40xf32>, tensor<40x3xf32>, tensor<40xf32>, tensor<40xf32>
}

// Rows lie along any one dimension.
// CHECK-LABEL: @middle(
// CHECK: xla.fusion(
// CHECK-NOT: xla.reduce
// CHECK-COUNT-2: xla.subtract
// CHECK-NOT: xla.reduce
// CHECK: kind = "loop"
// CHECK-NOT: xla.fusion
// CHECK: return
func.func @middle(%x: tensor<5x2x30xf32>, %start: tensor<f32>) -> tensor<5x30xf32> {
  %rest = xla.reduce(%x, %start) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.subtract %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [1]} : (tensor<5x2x30xf32>, tensor<f32>) -> tensor<5x30xf32>
  %part = xla.slice %x {start_indices = [0, 1, 0], limit_indices = [5, 2, 30], strides = [1, 1, 1]} : (tensor<5x2x30xf32>) -> tensor<5x1x30xf32>
  %one = xla.reshape %part : (tensor<5x1x30xf32>) -> tensor<5x30xf32>
  %y = xla.multiply %rest, %one : tensor<5x30xf32>
  return %y : tensor<5x30xf32>
}

// Those of several dimensions are added in another order, and floats of 16 bits in wider ones: both stay.
// CHECK-LABEL: @ordered(
// CHECK-COUNT-2: xla.reduce
// CHECK: return
func.func @ordered(%x: tensor<2x30x2xf32>, %h: tensor<30x2xbf16>) -> (tensor<30xf32>, tensor<30xbf16>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %hzero = xla.constant dense<0.0> : tensor<bf16>
  %sum = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [0, 2]} : (tensor<2x30x2xf32>, tensor<f32>) -> tensor<30xf32>
  %part = xla.slice %x {start_indices = [1, 0, 0], limit_indices = [2, 30, 1], strides = [1, 1, 1]} : (tensor<2x30x2xf32>) -> tensor<1x30x1xf32>
  %one = xla.reshape %part : (tensor<1x30x1xf32>) -> tensor<30xf32>
  %y = xla.multiply %sum, %one : tensor<30xf32>
  %hsum = xla.reduce(%h, %hzero) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = xla.add %a, %b : tensor<bf16>
    xla.return %s : tensor<bf16>
  }) {dimensions = [1]} : (tensor<30x2xbf16>, tensor<bf16>) -> tensor<30xbf16>
  %hpart = xla.slice %h {start_indices = [0, 1], limit_indices = [30, 2], strides = [1, 1]} : (tensor<30x2xbf16>) -> tensor<30x1xbf16>
  %hone = xla.reshape %hpart : (tensor<30x1xbf16>) -> tensor<30xbf16>
  %hy = xla.multiply %hsum, %hone : tensor<30xbf16>
  return %y, %hy : tensor<30xf32>, tensor<30xbf16>
}

// Elements would be computed twice, which takes longer than memory: there would be as many kernels, and the reduction
// stays what it was.
// CPU-LABEL: @costly(
// CPU: xla.fusion(
// CPU: xla.reduce(%{{.*}}, %{{.*}}) ({
// CPU-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
// CPU-NEXT: %[[S:.*]] = xla.maximum %[[A]], %[[B]] : tensor<f32>
// CPU-NEXT: xla.return %[[S]] : tensor<f32>
// CPU-NEXT: }) {dimensions = [1]} : (tensor<1000000x3xf32>, tensor<f32>) -> tensor<1000000xf32>
// CPU: kind = "row"
func.func @costly(%x: tensor<1000000x3xf32>, %start: tensor<f32>) -> tensor<1000000xf32> {
  %sine = xla.sine %x : tensor<1000000x3xf32>
  %y = xla.exponential %sine : tensor<1000000x3xf32>
  %most = xla.reduce(%y, %start) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.maximum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [1]} : (tensor<1000000x3xf32>, tensor<f32>) -> tensor<1000000xf32>
  %part = xla.slice %y {start_indices = [0, 1], limit_indices = [1000000, 2], strides = [1, 1]} : (tensor<1000000x3xf32>) -> tensor<1000000x1xf32>
  %one = xla.reshape %part : (tensor<1000000x1xf32>) -> tensor<1000000xf32>
  %z = xla.add %most, %one : tensor<1000000xf32>
  return %z : tensor<1000000xf32>
}
