// What was chosen for each nest, and why.
// RUN: xla-opt %s --xla-cpu-pipeline=to=linalg | xla-opt --xla-linalg-to-affine=report=true 2>&1 >/dev/null | FileCheck %s --match-full-lines

// CHECK: kernel_0: a nest for 1 of linalg's operations, about {{[0-9.]+}} us of one core
// CHECK-NEXT: rows     700; 2 threads, 512 lanes each: each has as much to do
// CHECK-NEXT: lanes    32 at once of the shared dimension of 1000: it is the results' innermost, or the only contiguous one
// CHECK-NEXT: tiles    64 by 64, in blocks of registers
// CHECK-NEXT: reads    memref<700x1000xf32, strided<[1, -700], offset: 699300>> in blocks that are transposed; 32 lanes 1 apart, runs of 32: 100% of 128 bytes
// CHECK-NEXT: reads    memref<700x1000xf32, strided<[1000, -1], offset: 999>> by vectors, shuffled; 32 lanes -1 apart, runs of 32: 100% of 128 bytes
// CHECK-NEXT: writes   memref<700x1000xf32> by vectors; 32 lanes 1 apart, runs of 32: 100% of 128 bytes
// CHECK-NEXT: kernel_1: a nest for 2 of linalg's operations, about {{[0-9.]+}} us of one core
// CHECK-NEXT: rows     one; 2 threads, 384 lanes each: each has as much to do
// CHECK-NEXT: lanes    64 at once of the shared dimension of 700: more is contiguous along it than along inner dimensions
// CHECK-NEXT: inner    1000, 64 lanes at once, 1 operations, 1 accumulators
// CHECK-NEXT: writes   memref<700xf32> by vectors; 64 lanes 1 apart, runs of 64: 100% of 256 bytes
// CHECK-NEXT: reads    memref<1000x700xf32> by vectors; 64 lanes 1 apart, runs of 64: 100% of 256 bytes
// CHECK-NEXT: writes   memref<700xf32> by vectors; 64 lanes 1 apart, runs of 64: 100% of 256 bytes
// CHECK-NEXT: kernel_2: a nest for {{[0-9]}} of linalg's operations, about {{[0-9.]+}} us of one core
// CHECK-NEXT: rows     64; one thread: starting others takes as long
// CHECK-NEXT: lanes    of inner dimensions: most is contiguous along inner dimensions
// CHECK-NEXT: inner    100, {{[0-9]+}} lanes at once, {{[0-9]}} operations, 1 accumulators
// CHECK: private  memref<64x100xf32> in 400 bytes of a thread
func.func @main(%x: tensor<1000x700xf32>, %y: tensor<700x1000xf32>, %s: tensor<64x100xf32>) -> (tensor<700x1000xf32>, tensor<700xf32>, tensor<64x100xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %transpose = xla.transpose %x {permutation = [1, 0]} : (tensor<1000x700xf32>) -> tensor<700x1000xf32>
  %add = xla.add %transpose, %y : tensor<700x1000xf32>
  %reverse = xla.reverse %add {dimensions = [1]} : tensor<700x1000xf32>
  %columns = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) {dimensions = [0]} : (tensor<1000x700xf32>, tensor<f32>) -> tensor<700xf32>
  %e = xla.exponential %s : tensor<64x100xf32>
  %sum = xla.reduce(%e, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) {dimensions = [1]} : (tensor<64x100xf32>, tensor<f32>) -> tensor<64xf32>
  %sums = xla.broadcast_in_dim %sum {broadcast_dimensions = [0]} : (tensor<64xf32>) -> tensor<64x100xf32>
  %result = xla.divide %e, %sums : tensor<64x100xf32>
  return %reverse, %columns, %result : tensor<700x1000xf32>, tensor<700xf32>, tensor<64x100xf32>
}
