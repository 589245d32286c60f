// What moves data inside of a fusion is a position: a view where it is linear in the loops, else computed and loaded.
// RUN: xla-opt %s --convert-xla-to-linalg --canonicalize --split-input-file | FileCheck %s

// A reversed view has a negative stride.
// CHECK-LABEL: func.func private @fusion_0(
// CHECK-SAME: %[[X:[^:]*]]: memref<6x4xf32>
// CHECK: memref.reinterpret_cast %[[X]] to offset: [20], sizes: [6, 4], strides: [-4, 1]
// CHECK: linalg.generic
// CHECK-NOT: memref.load
func.func @reversed(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %0 = xla.fusion(%x) ({
  ^bb0(%a: tensor<6x4xf32>):
    %r = xla.reverse %a {dimensions = [0]} : tensor<6x4xf32>
    %1 = xla.negate %r : tensor<6x4xf32>
    xla.return %1 : tensor<6x4xf32>
  }) {kind = "loop"} : (tensor<6x4xf32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// -----

// Starts are clamped once, before the loops, and are the offset of a view.
// CHECK-LABEL: func.func private @fusion_0(
// CHECK-SAME: %[[X:[^:]*]]: memref<9x5xf32>, %[[S:[^:]*]]: memref<i32>
// CHECK: %[[START:.*]] = memref.load %[[S]][]
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: memref.reinterpret_cast %[[X]] to offset: [%{{.*}}], sizes: [2, 5], strides: [5, 1]
// CHECK: linalg.generic
// CHECK-NOT: memref.load
// CHECK: linalg.yield
func.func @dynamic(%x: tensor<9x5xf32>, %s: tensor<i32>) -> tensor<2x5xf32> {
  %0 = xla.fusion(%x, %s) ({
  ^bb0(%a: tensor<9x5xf32>, %i: tensor<i32>):
    %d = xla.dynamic_slice %a, %i, %i {slice_sizes = [2, 5]} : (tensor<9x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x5xf32>
    %1 = xla.negate %d : tensor<2x5xf32>
    xla.return %1 : tensor<2x5xf32>
  }) {kind = "loop"} : (tensor<9x5xf32>, tensor<i32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// -----

// A slice of a reshape that no loops can follow.
// CHECK-LABEL: func.func private @fusion_0(
// CHECK-SAME: %[[X:[^:]*]]: memref<4x3xf32>
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0 : index
// CHECK: %[[J:.*]] = linalg.index 1 : index
// CHECK: affine.load %{{.*}}[{{.*}}%[[I]]{{.*}}%[[J]]{{.*}} floordiv 4{{.*}}] : memref<12xf32
// CHECK: math.absf
func.func @crossing(%x: tensor<4x3xf32>) -> tensor<2x5xf32> {
  %0 = xla.fusion(%x) ({
  ^bb0(%a: tensor<4x3xf32>):
    %t = xla.transpose %a {permutation = [1, 0]} : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %r = xla.reshape %t : (tensor<3x4xf32>) -> tensor<2x6xf32>
    %s = xla.slice %r {start_indices = [0, 1], limit_indices = [2, 6], strides = [1, 1]} : (tensor<2x6xf32>) -> tensor<2x5xf32>
    %1 = xla.abs %s : tensor<2x5xf32>
    xla.return %1 : tensor<2x5xf32>
  }) {kind = "loop"} : (tensor<4x3xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// -----

// What is needed of the same value at several places is computed at each, without memory in between.
// CHECK-LABEL: func.func private @fusion_0(
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: math.exp
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @twice(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<64xf32>) {
  %0:2 = xla.fusion(%x) ({
  ^bb0(%a: tensor<8x8xf32>):
    %e = xla.exponential %a : tensor<8x8xf32>
    %t = xla.transpose %e {permutation = [1, 0]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = xla.add %e, %t : tensor<8x8xf32>
    %2 = xla.reshape %e : (tensor<8x8xf32>) -> tensor<64xf32>
    xla.return %1, %2 : tensor<8x8xf32>, tensor<64xf32>
  }) {kind = "loop"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<64xf32>)
  return %0#0, %0#1 : tensor<8x8xf32>, tensor<64xf32>
}

// -----

// Where an operand of concatenate ends the loops are cut: each part reads one operand, as a view.
// CHECK-LABEL: func.func private @fusion_0(
// CHECK-SAME: %[[X:[^:]*]]: memref<40x64xf32>, %[[Y:[^:]*]]: memref<24x64xf32>, %[[R:[^:]*]]: memref<64x64xf32>
// CHECK-DAG: %[[HEAD:.*]] = memref.reinterpret_cast %[[R]] to offset: [0], sizes: [40, 64], strides: [64, 1]
// CHECK: linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%[[HEAD]] :
// CHECK: %[[TAIL:.*]] = memref.reinterpret_cast %[[R]] to offset: [2560], sizes: [24, 64], strides: [64, 1]
// CHECK: linalg.generic {{.*}} ins(%[[Y]] : {{.*}}) outs(%[[TAIL]] :
// CHECK-NOT: arith.select
func.func @concatenated(%x: tensor<40x64xf32>, %y: tensor<24x64xf32>) -> tensor<64x64xf32> {
  %0 = xla.fusion(%x, %y) ({
  ^bb0(%a: tensor<40x64xf32>, %b: tensor<24x64xf32>):
    %c = xla.concatenate %a, %b {dimension = 0} : (tensor<40x64xf32>, tensor<24x64xf32>) -> tensor<64x64xf32>
    %1 = xla.negate %c : tensor<64x64xf32>
    xla.return %1 : tensor<64x64xf32>
  }) {kind = "loop"} : (tensor<40x64xf32>, tensor<24x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// The inside of a pad below a reshape is a part of an inner loop.
// CHECK-LABEL: func.func private @fusion_0(
// CHECK-SAME: %[[X:[^:]*]]: memref<64x60xf32>, %{{[^:]*}}: memref<f32>, %[[R:[^:]*]]: memref<4096xf32>
// CHECK: memref.reinterpret_cast %[[R]] to offset: [0], sizes: [64, 60], strides: [64, 1]
// CHECK: linalg.generic {{.*}} ins(%[[X]] :
// CHECK: memref.reinterpret_cast %[[R]] to offset: [60], sizes: [64, 4], strides: [64, 1]
// CHECK: linalg.generic
// CHECK-NOT: arith.select
func.func @padded(%x: tensor<64x60xf32>, %p: tensor<f32>) -> tensor<4096xf32> {
  %0 = xla.fusion(%x, %p) ({
  ^bb0(%a: tensor<64x60xf32>, %q: tensor<f32>):
    %c = xla.pad %a, %q {edge_padding_low = [0, 0], edge_padding_high = [0, 4], interior_padding = [0, 0]} : (tensor<64x60xf32>, tensor<f32>) -> tensor<64x64xf32>
    %r = xla.reshape %c : (tensor<64x64xf32>) -> tensor<4096xf32>
    %1 = xla.negate %r : tensor<4096xf32>
    xla.return %1 : tensor<4096xf32>
  }) {kind = "loop"} : (tensor<64x60xf32>, tensor<f32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

// -----

// Small arrays have several loops as well: choices would keep them from vectors.
// CHECK-LABEL: func.func private @fusion_0(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK-NOT: arith.select
func.func @small(%x: tensor<5xf32>, %y: tensor<7xf32>) -> tensor<12xf32> {
  %0 = xla.fusion(%x, %y) ({
  ^bb0(%a: tensor<5xf32>, %b: tensor<7xf32>):
    %c = xla.concatenate %a, %b {dimension = 0} : (tensor<5xf32>, tensor<7xf32>) -> tensor<12xf32>
    %1 = xla.negate %c : tensor<12xf32>
    xla.return %1 : tensor<12xf32>
  }) {kind = "loop"} : (tensor<5xf32>, tensor<7xf32>) -> tensor<12xf32>
  return %0 : tensor<12xf32>
}

// -----

// CHECK-LABEL: func.func private @fusion_0(
// CHECK-COUNT-20: linalg.generic
// CHECK-NOT: linalg.generic
func.func @many(%x: tensor<4xf32>) -> tensor<80xf32> {
  %0 = xla.fusion(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %c = xla.concatenate %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a {dimension = 0} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<80xf32>
    %1 = xla.negate %c : tensor<80xf32>
    xla.return %1 : tensor<80xf32>
  }) {kind = "loop"} : (tensor<4xf32>) -> tensor<80xf32>
  return %0 : tensor<80xf32>
}

// -----

// What is rolled is two copies: the loop is cut where the remainder starts again.
// CHECK-LABEL: func.func private @roll_0(
// CHECK-SAME: %[[X:[^:]*]]: memref<8x4096xf32>, %[[R:[^:]*]]: memref<8x4096xf32>
// CHECK: memref.reinterpret_cast %[[X]] to offset: [3096], sizes: [8, 1000], strides: [4096, 1]
// CHECK: memref.reinterpret_cast %[[R]] to offset: [0], sizes: [8, 1000], strides: [4096, 1]
// CHECK: linalg.generic
// CHECK: memref.reinterpret_cast %[[X]] to offset: [0], sizes: [8, 3096], strides: [4096, 1]
// CHECK: memref.reinterpret_cast %[[R]] to offset: [1000], sizes: [8, 3096], strides: [4096, 1]
// CHECK: linalg.generic
// CHECK-NOT: memref.load
// CHECK: return
func.func @rolled(%x: tensor<8x4096xf32>) -> tensor<8x4096xf32> {
  %0 = xla.roll %x {shifts = [1000], dimensions = [1]} : tensor<8x4096xf32>
  return %0 : tensor<8x4096xf32>
}

// -----

// The loop over 32 is split in two, whose digits the reshape takes apart.
// CHECK-LABEL: func.func private @fusion_0(
// CHECK-SAME: %[[X:[^:]*]]: memref<4x48xf32>
// CHECK: memref.reinterpret_cast %[[X]] to offset: [0], sizes: [4, 8, 6], strides: [48, 6, 1]
// CHECK: linalg.generic
// CHECK-NOT: memref.load
// CHECK: return
func.func @digits(%x: tensor<4x48xf32>) -> tensor<32x6xf32> {
  %0 = xla.fusion(%x) ({
  ^bb0(%a: tensor<4x48xf32>):
    %t = xla.tanh %a : tensor<4x48xf32>
    %r = xla.reshape %t : (tensor<4x48xf32>) -> tensor<32x6xf32>
    %1 = xla.negate %r : tensor<32x6xf32>
    xla.return %1 : tensor<32x6xf32>
  }) {kind = "loop"} : (tensor<4x48xf32>) -> tensor<32x6xf32>
  return %0 : tensor<32x6xf32>
}
