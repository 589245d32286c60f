// RUN: xla-run %s --device=cpu --threads=2 --dump=%t --seed=1 --output=none
// RUN: FileCheck %s --input-file=%t/cpu/02-linalg.mlir --check-prefix=LINALG
// RUN: FileCheck %s --input-file=%t/cpu/03-affine.mlir --check-prefix=AFFINE
// RUN: xla-run %s --device=all --seed=1 --rtol=0 --output=none

// Two filters of neighbours, one behind the other, of an array with zeros
// around. The first and the last rows, which the zeros are next to, are blocks
// of their own; between them each block computes its rows of the first filter,
// with one on either side, into memory that the thread has for that.

// LINALG: memref.alloc() {xla.blocks = 1 : i64} : memref<1x2x300xi32>
// LINALG: %[[ROWS:.*]] = memref.alloc() {xla.blocks = 78 : i64} : memref<78x15x300xi32>
// LINALG: reinterpret_cast %[[ROWS]] to offset: [0], sizes: [78, 15, 300]
// LINALG: reinterpret_cast %[[ROWS]] to offset: [0], sizes: [78, 13, 300]
// LINALG: reinterpret_cast %[[ROWS]] to offset: [600], sizes: [78, 13, 300]
// LINALG: reinterpret_cast %[[ROWS]] to offset: [300], sizes: [78, 13, 300]
// AFFINE-NOT: memref.alloc()
// AFFINE: affine.parallel
// AFFINE-NEXT: memref.alloca() {{.*}} : memref<4500xi32>
// AFFINE-NOT: memref.alloc()
func.func @main(%x: tensor<1022x300xi32>) -> tensor<1022x300xi32> {
  %0 = "xla.fusion"(%x) ({
  ^bb0(%a: tensor<1022x300xi32>):
    %z = xla.constant dense<0> : tensor<i32>
    %p = xla.pad %a, %z {edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>} : (tensor<1022x300xi32>, tensor<i32>) -> tensor<1024x300xi32>
    %up = xla.slice %p {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1022, 300>, strides = array<i64: 1, 1>} : (tensor<1024x300xi32>) -> tensor<1022x300xi32>
    %down = xla.slice %p {start_indices = array<i64: 2, 0>, limit_indices = array<i64: 1024, 300>, strides = array<i64: 1, 1>} : (tensor<1024x300xi32>) -> tensor<1022x300xi32>
    %s = xla.add %up, %down : tensor<1022x300xi32>
    %t = xla.multiply %s, %a : tensor<1022x300xi32>
    %u = xla.subtract %t, %s : tensor<1022x300xi32>
    %q = xla.pad %u, %z {edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>} : (tensor<1022x300xi32>, tensor<i32>) -> tensor<1024x300xi32>
    %v = xla.slice %q {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1022, 300>, strides = array<i64: 1, 1>} : (tensor<1024x300xi32>) -> tensor<1022x300xi32>
    %w = xla.slice %q {start_indices = array<i64: 2, 0>, limit_indices = array<i64: 1024, 300>, strides = array<i64: 1, 1>} : (tensor<1024x300xi32>) -> tensor<1022x300xi32>
    %y = xla.add %v, %w : tensor<1022x300xi32>
    %r = xla.add %y, %u : tensor<1022x300xi32>
    xla.return %r : tensor<1022x300xi32>
  }) {kind = "window"} : (tensor<1022x300xi32>) -> tensor<1022x300xi32>
  return %0 : tensor<1022x300xi32>
}
