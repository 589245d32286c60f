// Windows of any computation and size on all devices, which must agree.
// RUN: xla-run %s --entry=product --device=all --seed=3 | FileCheck %s --check-prefix=PRODUCT
// RUN: xla-run %s --entry=large --device=all --seed=3 | FileCheck %s --check-prefix=LARGE
// RUN: xla-run %s --entry=places --device=all --seed=3 | FileCheck %s --check-prefix=PLACES
// RUN: xla-run %s --entry=kernel --device=all --seed=3 | FileCheck %s --check-prefix=KERNEL
// RUN: xla-run %s --entry=positions --device=all --seed=3 | FileCheck %s --check-prefix=POSITIONS

// A computation that is no sum, and padding.
// PRODUCT: 7x9xf32=
func.func @product(%x: tensor<7x9xf32>, %b: tensor<3x4xf32>) -> tensor<7x9xf32> {
  %zero = xla.constant dense<1.0> : tensor<f32>
  %0 = xla.select_and_scatter(%x, %b, %zero) ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %f = xla.compare %a, %c {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %f : tensor<i1>
  }, {
  ^bb0(%s: tensor<f32>, %e: tensor<f32>):
    %m = xla.multiply %s, %e : tensor<f32>
    %1 = xla.subtract %m, %e : tensor<f32>
    xla.return %1 : tensor<f32>
  }) {window_dimensions = [3, 3], window_strides = [2, 2], padding = [0, 0, 1, 0]} : (tensor<7x9xf32>, tensor<3x4xf32>, tensor<f32>) -> tensor<7x9xf32>
  return %0 : tensor<7x9xf32>
}

// Of large windows the elements are taken in a loop.
// LARGE: 1x40x50xf32=
func.func @large(%x: tensor<1x40x50xf32>, %b: tensor<1x4x4xf32>) -> tensor<1x40x50xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.select_and_scatter(%x, %b, %zero) ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %f = xla.compare %a, %c {comparison_direction = "GT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %f : tensor<i1>
  }, {
  ^bb0(%s: tensor<f32>, %e: tensor<f32>):
    %1 = xla.add %s, %e : tensor<f32>
    xla.return %1 : tensor<f32>
  }) {window_dimensions = [1, 11, 13], window_strides = [1, 10, 12], padding = [0, 0, 1, 1, 0, 0]} : (tensor<1x40x50xf32>, tensor<1x4x4xf32>, tensor<f32>) -> tensor<1x40x50xf32>
  return %0 : tensor<1x40x50xf32>
}

// PLACES: 201xf32=
// PLACES-NEXT: 201xs32=
func.func @places(%x: tensor<300xf32>, %i: tensor<300xi32>) -> (tensor<201xf32>, tensor<201xi32>) {
  %low = xla.constant dense<0xFF800000> : tensor<f32>
  %none = xla.constant dense<-1> : tensor<i32>
  %0:2 = xla.reduce_window(%x, %i, %low, %none) ({
  ^bb0(%a: tensor<f32>, %ai: tensor<i32>, %b: tensor<f32>, %bi: tensor<i32>):
    %c = xla.compare %b, %a {comparison_direction = "GT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = xla.select %c, %b, %a : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %w = xla.select %c, %bi, %ai : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %v, %w : tensor<f32>, tensor<i32>
  }) {window_dimensions = [100]} : (tensor<300xf32>, tensor<300xi32>, tensor<f32>, tensor<i32>) -> (tensor<201xf32>, tensor<201xi32>)
  return %0#0, %0#1 : tensor<201xf32>, tensor<201xi32>
}

// Large kernels of convolutions, element by element and position by position.
// KERNEL: 1x4x26x24xf32=
func.func @kernel(%x: tensor<1x6x100x100xf32>, %w: tensor<4x3x50x30xf32>) -> tensor<1x4x26x24xf32> {
  %0 = xla.convolution %x, %w {feature_group_count = 2, window_strides = [2, 3]} : (tensor<1x6x100x100xf32>, tensor<4x3x50x30xf32>) -> tensor<1x4x26x24xf32>
  return %0 : tensor<1x4x26x24xf32>
}

// POSITIONS: 1x4x18x19xf32=
func.func @positions(%x: tensor<1x6x100x100xf32>, %w: tensor<4x3x83x82xf32>) -> tensor<1x4x18x19xf32> {
  %0 = xla.convolution %x, %w {feature_group_count = 2} : (tensor<1x6x100x100xf32>, tensor<4x3x83x82xf32>) -> tensor<1x4x18x19xf32>
  return %0 : tensor<1x4x18x19xf32>
}
