// Gathers at places that are linear in the loops, and in bounds, are views whose elements may overlap.
// RUN: xla-opt %s --xla-fuse --convert-xla-to-linalg | FileCheck %s
// RUN: xla-run %s --device=all --entry=frames --seed=1 --rtol=0
// RUN: xla-run %s --device=all --entry=backwards --seed=1 --rtol=0
// RUN: xla-run %s --device=all --entry=patches --seed=1 --rtol=0
// RUN: xla-run %s --device=all --entry=clamped --seed=1 --rtol=0
// RUN: xla-run %s --device=all --entry=window_clamped --seed=1 --rtol=0
// RUN: xla-run %s --device=all --entry=wraps --seed=1 --rtol=0

// CHECK: func.func private @fusion
// CHECK-SAME: (%[[X:.*]]: memref<340xf32>,
// CHECK: memref.reinterpret_cast %[[X]] to offset: [0], sizes: [30, 40], strides: [10, 1]
// CHECK: linalg.generic
// CHECK-NOT: memref.load
// CHECK: linalg.yield
func.func @frames(%x: tensor<340xf32>, %w: tensor<30x40xf32>) -> tensor<30x40xf32> {
  %r = xla.iota {iota_dimension = 0} : () -> tensor<30x40x1xi32>
  %c = xla.iota {iota_dimension = 1} : () -> tensor<30x40x1xi32>
  %ten = xla.constant dense<10> : tensor<30x40x1xi32>
  %m = xla.multiply %r, %ten : tensor<30x40x1xi32>
  %i = xla.add %m, %c : tensor<30x40x1xi32>
  %g = xla.gather %x, %i {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1]} : (tensor<340xf32>, tensor<30x40x1xi32>) -> tensor<30x40xf32>
  %p = xla.multiply %g, %w : tensor<30x40xf32>
  return %p : tensor<30x40xf32>
}

// From the last element on, of unsigned indices.
// CHECK: func.func private @fusion
// CHECK-SAME: (%[[X:.*]]: memref<100xf32>,
// CHECK: memref.reinterpret_cast %[[X]] to offset: [99], sizes: [30], strides: [-3]
// CHECK-NOT: memref.load
// CHECK: linalg.yield
func.func @backwards(%x: tensor<100xf32>, %w: tensor<30xf32>) -> tensor<30xf32> {
  %r = xla.iota {iota_dimension = 0} : () -> tensor<30xui8>
  %n = xla.constant dense<99> : tensor<30xui8>
  %three = xla.constant dense<3> : tensor<30xui8>
  %m = xla.multiply %three, %r : tensor<30xui8>
  %i = xla.subtract %n, %m : tensor<30xui8>
  %g = xla.gather %x, %i {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<100xf32>, tensor<30xui8>) -> tensor<30xf32>
  %p = xla.multiply %g, %w : tensor<30xf32>
  return %p : tensor<30xf32>
}

// Windows of an image, at places in two dimensions.
// CHECK: func.func private @fusion
// CHECK-SAME: (%[[X:.*]]: memref<20x24xf32>,
// CHECK: memref.reinterpret_cast %[[X]] to offset: [0], sizes: [8, 10, 5, 5], strides: [48, 2, 24, 1]
// CHECK-NOT: memref.load
// CHECK: linalg.yield
func.func @patches(%x: tensor<20x24xf32>, %w: tensor<8x10x5x5xf32>) -> tensor<8x10x5x5xf32> {
  %two = xla.constant dense<2> : tensor<8x10x1xi64>
  %r = xla.iota {iota_dimension = 0} : () -> tensor<8x10x1xi64>
  %c = xla.iota {iota_dimension = 1} : () -> tensor<8x10x1xi64>
  %s = xla.multiply %r, %two : tensor<8x10x1xi64>
  %t = xla.multiply %c, %two : tensor<8x10x1xi64>
  %i = xla.concatenate %s, %t {dimension = 2} : (tensor<8x10x1xi64>, tensor<8x10x1xi64>) -> tensor<8x10x2xi64>
  %g = xla.gather %x, %i {offset_dims = [2, 3], start_index_map = [0, 1], index_vector_dim = 2, slice_sizes = [5, 5]} : (tensor<20x24xf32>, tensor<8x10x2xi64>) -> tensor<8x10x5x5xf32>
  %p = xla.multiply %g, %w : tensor<8x10x5x5xf32>
  return %p : tensor<8x10x5x5xf32>
}

// One place is beyond the end: it is clamped.
// CHECK: func.func private @fusion
// CHECK-SAME: (%[[X:.*]]: memref<100xf32>,
// CHECK: memref.load %[[X]]
func.func @clamped(%x: tensor<100xf32>, %w: tensor<34xf32>) -> tensor<34xf32> {
  %r = xla.iota {iota_dimension = 0} : () -> tensor<34xi32>
  %three = xla.constant dense<3> : tensor<34xi32>
  %one = xla.constant dense<1> : tensor<34xi32>
  %m = xla.multiply %r, %three : tensor<34xi32>
  %i = xla.add %m, %one : tensor<34xi32>
  %g = xla.gather %x, %i {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<100xf32>, tensor<34xi32>) -> tensor<34xf32>
  %p = xla.multiply %g, %w : tensor<34xf32>
  return %p : tensor<34xf32>
}

// Where a start is in bounds, its window need not be.
// CHECK: func.func private @fusion
// CHECK-SAME: (%[[X:.*]]: memref<30xf32>,
// CHECK: memref.load %[[X]]
func.func @window_clamped(%x: tensor<30xf32>, %w: tensor<29x2xf32>) -> tensor<29x2xf32> {
  %r = xla.iota {iota_dimension = 0} : () -> tensor<29xi32>
  %one = xla.constant dense<1> : tensor<29xi32>
  %i = xla.add %r, %one : tensor<29xi32>
  %g = xla.gather %x, %i {offset_dims = [1], start_index_map = [0], index_vector_dim = 1, slice_sizes = [2]} : (tensor<30xf32>, tensor<29xi32>) -> tensor<29x2xf32>
  %p = xla.multiply %g, %w : tensor<29x2xf32>
  return %p : tensor<29x2xf32>
}

// 128 is -128 of 8 bits, and 2 times that 0: no number of the loops.
// CHECK: func.func private @fusion
// CHECK-SAME: (%[[X:.*]]: memref<400xf32>,
// CHECK: memref.load %[[X]]
func.func @wraps(%x: tensor<400xf32>, %w: tensor<150xf32>) -> tensor<150xf32> {
  %r = xla.iota {iota_dimension = 0} : () -> tensor<150xi8>
  %two = xla.constant dense<2> : tensor<150xi8>
  %m = xla.multiply %r, %two : tensor<150xi8>
  %g = xla.gather %x, %m {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<400xf32>, tensor<150xi8>) -> tensor<150xf32>
  %p = xla.multiply %g, %w : tensor<150xf32>
  return %p : tensor<150xf32>
}
