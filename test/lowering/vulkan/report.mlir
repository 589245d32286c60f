// What was chosen for each dispatch, and why.
// RUN: xla-opt %s --xla-vulkan-pipeline=to=linalg | xla-opt --xla-linalg-to-affine=report=true 2>&1 >/dev/null | FileCheck %s --match-full-lines

// A transpose by blocks, a reduction of long rows by subgroups, copies that no wide access fits, and sums of which two lie beside each other.
// CHECK: kernel_0_0: a dispatch for 1 of linalg's operations, 512 workgroups of 64 threads, about {{[0-9.]+}} us
// CHECK-NEXT: threads  each rows of its own: nothing is reduced
// CHECK-NEXT: rows     1024x512, of which a thread takes 4x4: some accesses are contiguous in one dimension, some in another
// CHECK-NEXT: reads    memref<512x1024xf32> by vectors of 4; 32 lanes 4096 apart, runs of 4: 50% of 1024 bytes
// CHECK-NEXT: writes   memref<1024x512xf32> by vectors of 4; 32 lanes 4 apart, runs of 128: 100% of 512 bytes
// CHECK-NEXT: kernel_1_0: a dispatch for 2 of linalg's operations, 256 workgroups of 64 threads, about {{[0-9.]+}} us
// CHECK-NEXT: threads  a subgroup of 32 a row, 4 elements each at once: rows are reduced, and so they touch fewer bytes
// CHECK-NEXT: rows     512
// CHECK-NEXT: writes   memref<512xf32> element by element; 32 lanes 0 apart, runs of 1: 12% of 32 bytes
// CHECK-NEXT: inner    1024, 4 at once, 1 operations
// CHECK-NEXT: reads    memref<512x1024xf32> by vectors of 4; 32 lanes 4 apart, runs of 128: 100% of 512 bytes
// CHECK-NEXT: writes   memref<512xf32> element by element; 32 lanes 0 apart, runs of 1: 12% of 32 bytes
// CHECK-NEXT: kernel_2_0: a dispatch for 1 of linalg's operations, 782 workgroups of 64 threads, about {{[0-9.]+}} us
// CHECK-NEXT: threads  each rows of its own: nothing is reduced
// CHECK-NEXT: rows     500x100, of which a thread takes one: too few accesses are contiguous, or too few rows there
// CHECK-NEXT: reads    memref<500x100xf32, strided<[100, -1], offset: 99>> element by element; 32 lanes -1 apart, runs of 32: 100% of 128 bytes
// CHECK-NEXT: writes   memref<500x100xf32> element by element; 32 lanes 1 apart, runs of 32: 100% of 128 bytes
// CHECK-NEXT: kernel_3_0: a dispatch for 2 of linalg's operations, 20000 workgroups of 64 threads, about {{[0-9.]+}} us
// CHECK-NEXT: threads  a subgroup of 32 a row, 1 elements each at once: rows are reduced, and so they touch fewer bytes
// CHECK-NEXT: rows     20000x2
// CHECK-NEXT: writes   memref<20000x2xf32> element by element; 32 lanes 0 apart, runs of 1: 12% of 32 bytes
// CHECK-NEXT: inner    160, 1 at once, 1 operations
// CHECK-NEXT: reads    memref<20000x160x2xf32> element by element; 32 lanes 2 apart, runs of 1: 50% of 256 bytes
// CHECK-NEXT: writes   memref<20000x2xf32> element by element; 32 lanes 0 apart, runs of 1: 12% of 32 bytes
func.func @main(%x: tensor<512x1024xf32>, %y: tensor<500x100xf32>, %z: tensor<20000x160x2xf32>) -> (tensor<1024x512xf32>, tensor<512xf32>, tensor<500x100xf32>, tensor<20000x2xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %transpose = xla.transpose %x {permutation = [1, 0]} : (tensor<512x1024xf32>) -> tensor<1024x512xf32>
  %rows = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) {dimensions = [1]} : (tensor<512x1024xf32>, tensor<f32>) -> tensor<512xf32>
  %reverse = xla.reverse %y {dimensions = [1]} : tensor<500x100xf32>
  %pairs = xla.reduce(%z, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) {dimensions = [1]} : (tensor<20000x160x2xf32>, tensor<f32>) -> tensor<20000x2xf32>
  return %transpose, %rows, %reverse, %pairs : tensor<1024x512xf32>, tensor<512xf32>, tensor<500x100xf32>, tensor<20000x2xf32>
}
