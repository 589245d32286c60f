// Concatenates of what shares computations are one loop, which writes all their operands.
// RUN: xla-opt %s --convert-xla-to-linalg --canonicalize | FileCheck %s
// RUN: xla-run %s --device=all --entry=halves --seed=1 --rtol=0
// RUN: xla-run %s --device=all --entry=several --seed=2 --rtol=0
// RUN: xla-run %s --device=all --entry=inner --seed=3 --rtol=0
// RUN: xla-run %s --device=all --entry=apart --seed=4 --rtol=0
// RUN: xla-run %s --device=all --entry=cut --seed=5 --rtol=0
// RUN: xla-run %s --device=all --entry=again --seed=6 --rtol=0
// RUN: xla-run %s --device=all --entry=small --seed=7 --rtol=0

// CHECK-LABEL: func.func private @fusion_0(
// CHECK-SAME: %[[X:[^:]*]]: memref<4x8xf32>, %[[Y:[^:]*]]: memref<4x8xf32>
// CHECK-DAG: %[[A:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [2, 8], strides: [8, 1]
// CHECK-DAG: %[[B:.*]] = memref.reinterpret_cast %[[X]] to offset: [16], sizes: [2, 8], strides: [8, 1]
// CHECK-DAG: %[[LOW:.*]] = memref.reinterpret_cast %[[Y]] to offset: [0], sizes: [2, 8], strides: [8, 1]
// CHECK-DAG: %[[HIGH:.*]] = memref.reinterpret_cast %[[Y]] to offset: [16], sizes: [2, 8], strides: [8, 1]
// CHECK: linalg.generic {{.*}} outs(%[[LOW]], %[[HIGH]] :
// CHECK: %[[S:.*]] = math.absf
// CHECK-NOT: math.absf
// CHECK: linalg.yield
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @halves(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = xla.fusion(%x) ({
  ^bb0(%a: tensor<4x8xf32>):
    %low = xla.slice %a {start_indices = [0, 0], limit_indices = [2, 8]} : (tensor<4x8xf32>) -> tensor<2x8xf32>
    %high = xla.slice %a {start_indices = [2, 0], limit_indices = [4, 8]} : (tensor<4x8xf32>) -> tensor<2x8xf32>
    %abs = xla.abs %high : tensor<2x8xf32>
    %sum = xla.add %low, %abs : tensor<2x8xf32>
    %difference = xla.subtract %low, %abs : tensor<2x8xf32>
    %1 = xla.concatenate %sum, %difference {dimension = 0 : i64} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
    xla.return %1 : tensor<4x8xf32>
  }) {kind = "loop"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Two results of three pieces each.
// CHECK-LABEL: func.func private @fusion_1(
// CHECK: linalg.generic
// CHECK: linalg.yield {{.*}} : f32, f32, f32, f32, f32, f32
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @several(%x: tensor<5x7xf32>) -> (tensor<5x3x7xf32>, tensor<5x3x7xf32>) {
  %0:2 = xla.fusion(%x) ({
  ^bb0(%a: tensor<5x7xf32>):
    %s = xla.abs %a : tensor<5x7xf32>
    %n = xla.negate %s : tensor<5x7xf32>
    %d = xla.add %a, %s : tensor<5x7xf32>
    %p = xla.reshape %s : (tensor<5x7xf32>) -> tensor<5x1x7xf32>
    %q = xla.reshape %n : (tensor<5x7xf32>) -> tensor<5x1x7xf32>
    %r = xla.reshape %d : (tensor<5x7xf32>) -> tensor<5x1x7xf32>
    %1 = xla.concatenate %p, %q, %r {dimension = 1 : i64} : (tensor<5x1x7xf32>, tensor<5x1x7xf32>, tensor<5x1x7xf32>) -> tensor<5x3x7xf32>
    %2 = xla.concatenate %r, %p, %q {dimension = 1 : i64} : (tensor<5x1x7xf32>, tensor<5x1x7xf32>, tensor<5x1x7xf32>) -> tensor<5x3x7xf32>
    xla.return %1, %2 : tensor<5x3x7xf32>, tensor<5x3x7xf32>
  }) {kind = "loop"} : (tensor<5x7xf32>) -> (tensor<5x3x7xf32>, tensor<5x3x7xf32>)
  return %0#0, %0#1 : tensor<5x3x7xf32>, tensor<5x3x7xf32>
}

// Along the last dimension.
// CHECK-LABEL: func.func private @fusion_2(
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @inner(%x: tensor<70x33xf32>) -> tensor<70x66xf32> {
  %0 = xla.fusion(%x) ({
  ^bb0(%a: tensor<70x33xf32>):
    %s = xla.abs %a : tensor<70x33xf32>
    %n = xla.negate %s : tensor<70x33xf32>
    %1 = xla.concatenate %s, %n {dimension = 1 : i64} : (tensor<70x33xf32>, tensor<70x33xf32>) -> tensor<70x66xf32>
    xla.return %1 : tensor<70x66xf32>
  }) {kind = "loop"} : (tensor<70x33xf32>) -> tensor<70x66xf32>
  return %0 : tensor<70x66xf32>
}

// With nothing in common, and of different sizes, each piece has a loop.
// CHECK-LABEL: func.func private @fusion_3(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @apart(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<128x64xf32> {
  %0 = xla.fusion(%x, %y) ({
  ^bb0(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>):
    %s = xla.abs %a : tensor<64x64xf32>
    %n = xla.negate %b : tensor<64x64xf32>
    %1 = xla.concatenate %s, %n {dimension = 0 : i64} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
    xla.return %1 : tensor<128x64xf32>
  }) {kind = "loop"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}

// Pieces that are read from a pad: the loop over them is cut.
// CHECK-LABEL: func.func private @fusion_4(
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @cut(%x: tensor<60x64xf32>) -> tensor<128x64xf32> {
  %0 = xla.fusion(%x) ({
  ^bb0(%a: tensor<60x64xf32>):
    %zero = xla.constant dense<0.0> : tensor<f32>
    %p = xla.pad %a, %zero {edge_padding_low = [1, 0], edge_padding_high = [3, 0], interior_padding = [0, 0]} : (tensor<60x64xf32>, tensor<f32>) -> tensor<64x64xf32>
    %s = xla.abs %p : tensor<64x64xf32>
    %n = xla.negate %s : tensor<64x64xf32>
    %1 = xla.concatenate %s, %n {dimension = 0 : i64} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
    xla.return %1 : tensor<128x64xf32>
  }) {kind = "loop"} : (tensor<60x64xf32>) -> tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}

// Loops over few elements are cut as well: they start in no time, and choices
// keep them from vectors.
// CHECK-LABEL: func.func private @fusion_5(
// CHECK-NOT: arith.select
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @small(%x: tensor<9x1xf32>, %y: tensor<9x3xf32>) -> tensor<9x3xf32> {
  %0 = xla.fusion(%x, %y) ({
  ^bb0(%a: tensor<9x1xf32>, %b: tensor<9x3xf32>):
    %s = xla.abs %a : tensor<9x1xf32>
    %n = xla.negate %s : tensor<9x1xf32>
    %1 = xla.concatenate %s, %n, %a {dimension = 1 : i64} : (tensor<9x1xf32>, tensor<9x1xf32>, tensor<9x1xf32>) -> tensor<9x3xf32>
    %2 = xla.add %1, %b : tensor<9x3xf32>
    xla.return %2 : tensor<9x3xf32>
  }) {kind = "loop"} : (tensor<9x1xf32>, tensor<9x3xf32>) -> tensor<9x3xf32>
  return %0 : tensor<9x3xf32>
}

// The result cannot take the operand's memory.
func.func @again(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c = xla.constant dense<1.0> : tensor<4x8xf32>
  %first = xla.fusion(%x, %c) ({
  ^bb0(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>):
    %1 = xla.add %a, %b : tensor<4x8xf32>
    xla.return %1 : tensor<4x8xf32>
  }) {kind = "loop"} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = xla.fusion(%first) ({
  ^bb0(%a: tensor<4x8xf32>):
    %low = xla.slice %a {start_indices = [0, 0], limit_indices = [2, 8]} : (tensor<4x8xf32>) -> tensor<2x8xf32>
    %high = xla.slice %a {start_indices = [2, 0], limit_indices = [4, 8]} : (tensor<4x8xf32>) -> tensor<2x8xf32>
    %sum = xla.add %low, %high : tensor<2x8xf32>
    %difference = xla.subtract %sum, %high : tensor<2x8xf32>
    %1 = xla.concatenate %difference, %sum {dimension = 0 : i64} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
    xla.return %1 : tensor<4x8xf32>
  }) {kind = "loop"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
