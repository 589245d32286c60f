// RUN: xla-opt %s --xla-legalize=entry=in_place --xla-fuse --convert-xla-to-linalg | FileCheck %s --check-prefix=ONE
// RUN: xla-opt %s --xla-legalize=entry=two --xla-fuse --convert-xla-to-linalg | FileCheck %s --check-prefix=TWO
// RUN: xla-run %s --entry=two --device=all --seed=1
// RUN: xla-run %s --entry=reversed --device=all --seed=1
// RUN: xla-run %s --entry=twice --device=all --seed=1
// RUN: xla-run %s --entry=in_place --device=all --seed=1
// RUN: xla-run %s --entry=long_steps --device=all --seed=1
// RUN: xla-run %s --entry=one_element --device=all --seed=1

// Padding between elements: loops over everything, and then over the elements
// alone, which are computed once each.

// Where both have elements the second one's are chosen.
// TWO: func.func private @fusion
// TWO: linalg.generic {{.*}}outs({{.*}} : memref<128x189xf32, strided<[190, 1], offset: 191>>)
// TWO-NOT: math
// TWO: linalg.generic {{.*}}outs({{.*}} : memref<43x95xf32, strided<[570, 2], offset: 191>>)
// TWO-NOT: math.tanh
// TWO: math.exp
// TWO-NOT: math
// TWO: linalg.generic {{.*}}outs({{.*}} : memref<64x63xf32, strided<[380, 3], offset: 193>>)
// TWO: math.tanh
// TWO: math.exp
// TWO: arith.select
// TWO-NOT: func.func private
func.func @two(%x: tensor<64x64xf32>, %w: tensor<43x95xf32>, %y: tensor<129x190xf32>) -> tensor<129x190xf32> {
  %z = xla.constant dense<0.5> : tensor<f32>
  %v = xla.constant dense<2.0> : tensor<f32>
  %t = xla.tanh %x : tensor<64x64xf32>
  %e = xla.exponential %w : tensor<43x95xf32>
  %p = xla.pad %t, %z {edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 1, 2>} : (tensor<64x64xf32>, tensor<f32>) -> tensor<129x190xf32>
  %q = xla.pad %e, %v {edge_padding_low = array<i64: 1, 1>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 2, 1>} : (tensor<43x95xf32>, tensor<f32>) -> tensor<129x190xf32>
  %s = xla.add %p, %q : tensor<129x190xf32>
  %s2 = xla.multiply %s, %y : tensor<129x190xf32>
  return %s2 : tensor<129x190xf32>
}
func.func @reversed(%x: tensor<64x64xf32>, %y: tensor<128x190xf32>) -> tensor<190x128xf32> {
  %z = xla.constant dense<0.5> : tensor<f32>
  %t = xla.tanh %x : tensor<64x64xf32>
  %p = xla.pad %t, %z {edge_padding_low = array<i64: -1, 0>, edge_padding_high = array<i64: 2, 0>, interior_padding = array<i64: 1, 2>} : (tensor<64x64xf32>, tensor<f32>) -> tensor<128x190xf32>
  %r = xla.reverse %p {dimensions = array<i64: 0, 1>} : tensor<128x190xf32>
  %s = xla.add %r, %y : tensor<128x190xf32>
  %u = xla.transpose %s {permutation = array<i64: 1, 0>} : (tensor<128x190xf32>) -> tensor<190x128xf32>
  return %u : tensor<190x128xf32>
}
func.func @twice(%x: tensor<64x64xf32>) -> tensor<127x90xf32> {
  %z = xla.constant dense<0.5> : tensor<f32>
  %f = xla.fusion(%x, %z) ({
  ^bb0(%a: tensor<64x64xf32>, %b: tensor<f32>):
    %p = xla.pad %a, %b {edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 1, 2>} : (tensor<64x64xf32>, tensor<f32>) -> tensor<127x190xf32>
    %l = xla.slice %p {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 127, 90>} : (tensor<127x190xf32>) -> tensor<127x90xf32>
    %r = xla.slice %p {start_indices = array<i64: 0, 100>, limit_indices = array<i64: 127, 190>} : (tensor<127x190xf32>) -> tensor<127x90xf32>
    %s = xla.add %l, %r : tensor<127x90xf32>
    xla.return %s : tensor<127x90xf32>
  }) {kind = "loop"} : (tensor<64x64xf32>, tensor<f32>) -> tensor<127x90xf32>
  return %f : tensor<127x90xf32>
}
// What was sorted is not written over, as it is read twice.
// ONE: func.func private @fusion
// ONE-NOT: math
// ONE: linalg.generic {{.*}} ins({{.*}} : memref<127x190xf32>) outs({{.*}} : memref<127x190xf32>)
// ONE-NOT: math
// ONE: linalg.generic {{.*}}outs({{.*}} : memref<64x64xf32, strided<[380, 3]>>)
// ONE: math.tanh
// ONE-NOT: linalg.generic
// ONE: return
func.func @in_place(%x: tensor<64x64xf32>, %y: tensor<127x190xf32>) -> tensor<127x190xf32> {
  %z = xla.constant dense<0.5> : tensor<f32>
  %o = xla.sort(%y) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = xla.compare %p, %q {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : tensor<127x190xf32>
  %t = xla.tanh %x : tensor<64x64xf32>
  %p = xla.pad %t, %z {edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 1, 2>} : (tensor<64x64xf32>, tensor<f32>) -> tensor<127x190xf32>
  %m = xla.multiply %o, %p : tensor<127x190xf32>
  return %m : tensor<127x190xf32>
}
func.func @long_steps(%x: tensor<3x1024xf32>, %y: tensor<5x2049xf32>) -> tensor<5x2049xf32> {
  %z = xla.constant dense<0.5> : tensor<f32>
  %t = xla.tanh %x : tensor<3x1024xf32>
  %p = xla.pad %t, %z {edge_padding_low = array<i64: 0, 1>, edge_padding_high = array<i64: 0, 1>, interior_padding = array<i64: 1, 1>} : (tensor<3x1024xf32>, tensor<f32>) -> tensor<5x2049xf32>
  %m = xla.multiply %y, %p : tensor<5x2049xf32>
  return %m : tensor<5x2049xf32>
}
func.func @one_element(%x: tensor<1x2xf32>, %y: tensor<50x90xf32>) -> tensor<50x90xf32> {
  %z = xla.constant dense<0.5> : tensor<f32>
  %t = xla.tanh %x : tensor<1x2xf32>
  %p = xla.pad %t, %z {edge_padding_low = array<i64: 7, 3>, edge_padding_high = array<i64: 42, 6>, interior_padding = array<i64: 9223372036854775806, 79>} : (tensor<1x2xf32>, tensor<f32>) -> tensor<50x90xf32>
  %m = xla.multiply %y, %p : tensor<50x90xf32>
  return %m : tensor<50x90xf32>
}
