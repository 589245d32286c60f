// Operations without kernels of their own, as others.
// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-expand | FileCheck %s

// A matrix product of patches and kernel: 9 slices of the padded images.
// CHECK-LABEL: @convolution
// CHECK: xla.transpose %arg0 {permutation = array<i64: 0, 2, 3, 1>} : (tensor<2x3x8x8xf32>) -> tensor<2x8x8x3xf32>
// CHECK: xla.pad {{.*}} -> tensor<2x10x10x3xf32>
// CHECK-COUNT-9: xla.slice {{.*}} -> tensor<2x4x4x3xf32>
// CHECK: xla.concatenate {{.*}} {dimension = 2 : i64} {{.*}} -> tensor<2x16x9x3xf32>
// CHECK: xla.dot_general {{.*}} {lhs_contracting_dimensions = array<i64: 2, 3>, rhs_contracting_dimensions = array<i64: 0, 1>} : (tensor<2x16x9x3xf32>, tensor<9x3x5xf32>) -> tensor<2x16x5xf32>
// CHECK: return {{.*}} tensor<2x5x4x4xf32>
func.func @convolution(%x: tensor<2x3x8x8xf32>, %w: tensor<5x3x3x3xf32>) -> tensor<2x5x4x4xf32> {
  %0 = xla.convolution %x, %w {window_strides = [2, 2], padding = [1, 1, 1, 1]} : (tensor<2x3x8x8xf32>, tensor<5x3x3x3xf32>) -> tensor<2x5x4x4xf32>
  return %0 : tensor<2x5x4x4xf32>
}

// -----

// A kernel of one element needs no patches; of a kernel as large as the image,
// as in gradients of kernels, there is a slice a position.
// CHECK-LABEL: @kernels
// CHECK-NOT: xla.slice
// CHECK: xla.dot_general {{.*}} : (tensor<2x64x1x3xf32>, tensor<1x3x5xf32>) -> tensor<2x64x5xf32>
// CHECK-COUNT-4: xla.slice {{.*}} -> tensor<2x7x7x3xf32>
// CHECK: xla.dot_general {{.*}} : (tensor<2x4x49x3xf32>, tensor<49x3x5xf32>) -> tensor<2x4x5xf32>
func.func @kernels(%x: tensor<2x3x8x8xf32>, %w: tensor<5x3x1x1xf32>, %v: tensor<5x3x7x7xf32>) -> (tensor<2x5x8x8xf32>, tensor<2x5x2x2xf32>) {
  %0 = xla.convolution %x, %w : (tensor<2x3x8x8xf32>, tensor<5x3x1x1xf32>) -> tensor<2x5x8x8xf32>
  %1 = xla.convolution %x, %v : (tensor<2x3x8x8xf32>, tensor<5x3x7x7xf32>) -> tensor<2x5x2x2xf32>
  return %0, %1 : tensor<2x5x8x8xf32>, tensor<2x5x2x2xf32>
}

// -----

// Groups become a batch dimension.
// CHECK-LABEL: @groups
// CHECK: xla.dot_general {{.*}}lhs_batching_dimensions = array<i64: 3>{{.*}}rhs_batching_dimensions = array<i64: 2>{{.*}} : (tensor<2x7x2x3x2xf32>, tensor<2x2x3x4xf32>) -> tensor<3x2x7x4xf32>
// CHECK: xla.dot_general {{.*}}lhs_batching_dimensions = array<i64: 0>{{.*}} : (tensor<2x7x2x6xf32>, tensor<2x6x2x3xf32>) -> tensor<2x7x3xf32>
func.func @groups(%x: tensor<2x6x8xf32>, %w: tensor<12x2x2xf32>, %v: tensor<6x6x2xf32>) -> (tensor<2x12x7xf32>, tensor<1x6x7xf32>) {
  %0 = xla.convolution %x, %w {feature_group_count = 3} : (tensor<2x6x8xf32>, tensor<12x2x2xf32>) -> tensor<2x12x7xf32>
  %1 = xla.convolution %x, %v {batch_group_count = 2} : (tensor<2x6x8xf32>, tensor<6x6x2xf32>) -> tensor<1x6x7xf32>
  return %0, %1 : tensor<2x12x7xf32>, tensor<1x6x7xf32>
}

// -----

// Kernels of a feature's own: no patches, but sums of products, in f32.
// CHECK-LABEL: @depthwise
// CHECK-NOT: xla.concatenate
// CHECK-NOT: xla.dot_general
// CHECK: %[[X:.*]] = xla.convert %{{.*}} -> tensor<2x8x6xf32>
// CHECK: xla.slice %[[X]] {limit_indices = array<i64: 2, 7, 6>, start_indices = array<i64: 0, 0, 0>
// CHECK: xla.broadcast_in_dim %{{.*}} -> tensor<2x7x6x2xf32>
// CHECK: xla.multiply %{{.*}} : tensor<2x7x6x2xf32>
// CHECK: xla.add %{{.*}} : tensor<2x7x6x2xf32>
// CHECK: xla.slice %[[X]] {limit_indices = array<i64: 2, 8, 6>, start_indices = array<i64: 0, 1, 0>
// CHECK: xla.add %{{.*}} : tensor<2x7x6x2xf32>
// CHECK: xla.convert %{{.*}} -> tensor<2x12x7xbf16>
func.func @depthwise(%x: tensor<2x6x8xbf16>, %w: tensor<12x1x2xbf16>) -> tensor<2x12x7xbf16> {
  %0 = xla.convolution %x, %w {feature_group_count = 6} : (tensor<2x6x8xbf16>, tensor<12x1x2xbf16>) -> tensor<2x12x7xbf16>
  return %0 : tensor<2x12x7xbf16>
}

// -----

// Small windows: a slice for each place. Windows that do not overlap: a reduce.
// A sum over 1000 elements, of init values that are not known, too: scans of blocks as long from both sides, the end of one and the
// beginning of the next added.
// CHECK-LABEL: @reduce_window
// CHECK-COUNT-3: xla.maximum
// CHECK: xla.reduce(
// CHECK: }) {dimensions = array<i64: 1, 3>} : (tensor<2x50x1x1xf32>, tensor<f32>) -> tensor<2x1xf32>
// CHECK: xla.pad {{.*}} -> tensor<1999xf32>
// CHECK: xla.associative_scan
// CHECK: }) {dimension = 1 : i64, reverse = true} : tensor<2x1000xf32>
// CHECK: xla.associative_scan
// CHECK: }) {dimension = 1 : i64} : tensor<2x1000xf32>
// CHECK: xla.add
// CHECK-NEXT: xla.select
// CHECK: xla.add
// CHECK-NOT: xla.add
// CHECK: return
func.func @reduce_window(%x: tensor<8x8xf32>, %y: tensor<100x1xf32>, %z: tensor<1000xf32>, %i: tensor<f32>) -> (tensor<8x6xf32>, tensor<2x1xf32>, tensor<1000xf32>) {
  %0 = xla.reduce_window(%x, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.maximum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 3]} : (tensor<8x8xf32>, tensor<f32>) -> tensor<8x6xf32>
  %1 = xla.reduce_window(%y, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [50, 1], window_strides = [50, 1]} : (tensor<100x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %2 = xla.reduce_window(%z, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1000], padding = [999, 0]} : (tensor<1000xf32>, tensor<f32>) -> tensor<1000xf32>
  return %0, %1, %2 : tensor<8x6xf32>, tensor<2x1xf32>, tensor<1000xf32>
}

// -----

// Init values that fold to zeros, as JAX writes them, need no padding: one scan.
// CHECK-LABEL: @cumulative
// CHECK-NOT: xla.pad
// CHECK: xla.associative_scan
// CHECK: }) {dimension = 0 : i64} : tensor<1000x4xf32>
// CHECK-NOT: xla.associative_scan
// CHECK: return
func.func @cumulative(%x: tensor<1000x4xf32>) -> tensor<1000x4xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %i = xla.broadcast_in_dim %zero {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<f32>
  %0 = xla.reduce_window(%x, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1000, 1], padding = [999, 0, 0, 0]} : (tensor<1000x4xf32>, tensor<f32>) -> tensor<1000x4xf32>
  return %0 : tensor<1000x4xf32>
}

// -----

// Narrow floats are normalized in f32.
// CHECK-LABEL: @batch_norm
// CHECK: xla.convert %arg0 : (tensor<8x3xbf16>) -> tensor<8x3xf32>
// CHECK: xla.reduce(
// CHECK: xla.sqrt
// CHECK: xla.convert {{.*}} : (tensor<8x3xf32>) -> tensor<8x3xbf16>
// CHECK-NOT: batch_norm
func.func @batch_norm(%x: tensor<8x3xbf16>, %c: tensor<3xbf16>) -> tensor<8x3xbf16> {
  %0:3 = xla.batch_norm_training %x, %c, %c {epsilon = 0.001 : f32, feature_index = 1} : (tensor<8x3xbf16>, tensor<3xbf16>, tensor<3xbf16>) -> (tensor<8x3xbf16>, tensor<3xbf16>, tensor<3xbf16>)
  return %0#0 : tensor<8x3xbf16>
}

// -----

// A large kernel: a contraction for each of its elements, in a loop.
// CHECK-LABEL: @taps
// CHECK: xla.while
// CHECK: xla.dynamic_slice
// CHECK: xla.dot_general
// CHECK: xla.add
func.func @taps(%x: tensor<1x1x100x100xf32>, %w: tensor<1x1x50x50xf32>) -> tensor<1x1x51x51xf32> {
  %0 = xla.convolution %x, %w : (tensor<1x1x100x100xf32>, tensor<1x1x50x50xf32>) -> tensor<1x1x51x51xf32>
  return %0 : tensor<1x1x51x51xf32>
}

// -----

// What padding would make much larger is taken as it is, for each position where that is less than for each tap.
// CHECK-LABEL: @memory
// CHECK-NOT: xla.pad
// CHECK: xla.while
// CHECK: xla.gather
// CHECK: xla.dot_general {{.*}} -> tensor<256xf32>
func.func @memory(%x: tensor<256x256x10x10xf32>, %w: tensor<1x256x3x3xf32>) -> tensor<256x1x98x98xf32> {
  %0 = xla.convolution %x, %w {padding = [45, 45, 45, 45]} : (tensor<256x256x10x10xf32>, tensor<1x256x3x3xf32>) -> tensor<256x1x98x98xf32>
  return %0 : tensor<256x1x98x98xf32>
}

// -----

// What it covers would be too large: the same.
// CHECK-LABEL: @patches
// CHECK: xla.while
// CHECK: xla.dot_general {{.*}} -> tensor<64x2x98x98xf32>
func.func @patches(%x: tensor<64x256x100x100xf32>, %w: tensor<2x256x3x3xf32>) -> tensor<64x2x98x98xf32> {
  %0 = xla.convolution %x, %w : (tensor<64x256x100x100xf32>, tensor<2x256x3x3xf32>) -> tensor<64x2x98x98xf32>
  return %0 : tensor<64x2x98x98xf32>
}

// -----

func.func @padding(%x: tensor<4xf32>, %i: tensor<f32>) -> tensor<2xf32> {
  // expected-error @+1 {{is not supported yet when compiled: padded operands of 40000000000 bytes and 1 dimensions, the most are 4294967296 and 16}}
  %0 = xla.reduce_window(%x, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1], window_strides = [5000000000], padding = [9999999996, 0]} : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// What is not associative is combined in a loop over the places of windows.
// CHECK-LABEL: @body
// CHECK: xla.while
// CHECK: xla.dynamic_slice
// CHECK: xla.subtract
func.func @body(%x: tensor<1000xf32>, %i: tensor<f32>) -> tensor<1000xf32> {
  %0 = xla.reduce_window(%x, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.subtract %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1000], padding = [999, 0]} : (tensor<1000xf32>, tensor<f32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}

// -----

// Which place of its window gets a source element, then a pad for each place.
// CHECK-LABEL: @select_and_scatter
// CHECK-COUNT-4: xla.pad {{.*}}interior_padding = array<i64: 1, 1>{{.*}} -> tensor<4x6xf32>
// CHECK-NOT: xla.pad
// CHECK: return
func.func @select_and_scatter(%x: tensor<4x6xf32>, %s: tensor<2x3xf32>, %z: tensor<f32>) -> tensor<4x6xf32> {
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.add %a, %b : tensor<f32>
    xla.return %c : tensor<f32>
  }) {window_dimensions = [2, 2], window_strides = [2, 2]} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

// What is no sum is a scatter.
// CHECK-LABEL: @products
// CHECK: xla.scatter
// CHECK: xla.multiply
func.func @products(%x: tensor<6xf32>, %s: tensor<3xf32>, %z: tensor<f32>) -> tensor<6xf32> {
  %0 = xla.select_and_scatter(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.multiply %a, %b : tensor<f32>
    xla.return %c : tensor<f32>
  }) {window_dimensions = [2], window_strides = [2]} : (tensor<6xf32>, tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// A window from the first element on is a scan, also where a copy of a constant begins it, as jax writes cumulative sums.
// CHECK-LABEL: @cumulative
// CHECK-COUNT-1: xla.associative_scan
// CHECK-NEXT: ^bb0
// CHECK-NOT: xla.associative_scan
// CHECK: return
func.func @cumulative(%x: tensor<5x100xf32>) -> tensor<5x100xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %init = xla.broadcast_in_dim %zero {broadcast_dimensions = []} : (tensor<f32>) -> tensor<f32>
  %0 = xla.reduce_window(%x, %init) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.add %p, %q : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 100], padding = [0, 0, 99, 0]} : (tensor<5x100xf32>, tensor<f32>) -> tensor<5x100xf32>
  return %0 : tensor<5x100xf32>
}

// -----

// One element and zeros around it in each window, as gradients of averages have them: that element, and 0 for -0.
// CHECK-LABEL: @repeated_windows
// CHECK: %[[B:.*]] = xla.broadcast_in_dim %arg0 {broadcast_dimensions = array<i64: 0, 2>} : (tensor<3x4xf32>) -> tensor<3x2x4x2xf32>
// CHECK: %[[Z:.*]] = xla.broadcast_in_dim %{{.*}} : (tensor<f32>) -> tensor<3x2x4x2xf32>
// CHECK: %[[S:.*]] = xla.add %[[B]], %[[Z]]
// CHECK: %[[R:.*]] = xla.reshape %[[S]] : (tensor<3x2x4x2xf32>) -> tensor<6x8xf32>
// CHECK: xla.pad %[[R]], %{{.*}} {edge_padding_high = array<i64: 1, 0>
// CHECK: xla.reshape %{{.*}} : (tensor<4x3xi32>) -> tensor<12xi32>
// CHECK-NOT: xla.reduce_window
func.func @repeated_windows(%x: tensor<3x4xf32>, %i: tensor<4xi32>) -> (tensor<7x8xf32>, tensor<12xi32>) {
  %z = xla.constant dense<0.0> : tensor<f32>
  %p = xla.pad %x, %z {edge_padding_low = [1, 1], edge_padding_high = [2, 1], interior_padding = [1, 1]} : (tensor<3x4xf32>, tensor<f32>) -> tensor<8x9xf32>
  %0 = xla.reduce_window(%p, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [2, 2]} : (tensor<8x9xf32>, tensor<f32>) -> tensor<7x8xf32>
  %y = xla.constant dense<0> : tensor<i32>
  %q = xla.pad %i, %y {edge_padding_low = [2], edge_padding_high = [2], interior_padding = [2]} : (tensor<4xi32>, tensor<i32>) -> tensor<14xi32>
  %1 = xla.reduce_window(%q, %y) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %b, %a : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [3]} : (tensor<14xi32>, tensor<i32>) -> tensor<12xi32>
  return %0, %1 : tensor<7x8xf32>, tensor<12xi32>
}

// -----

// Another padding, a larger stride, and less padding in front.
// CHECK-LABEL: @no_repeated_windows
// CHECK-COUNT-3: xla.pad
// CHECK: return
func.func @no_repeated_windows(%x: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>, tensor<7xf32>) {
  %z = xla.constant dense<0.0> : tensor<f32>
  %n = xla.constant dense<-0.0> : tensor<f32>
  %p = xla.pad %x, %n {edge_padding_low = [1], edge_padding_high = [1], interior_padding = [1]} : (tensor<4xf32>, tensor<f32>) -> tensor<9xf32>
  %q = xla.pad %x, %z {edge_padding_low = [1], edge_padding_high = [1], interior_padding = [1]} : (tensor<4xf32>, tensor<f32>) -> tensor<9xf32>
  %r = xla.pad %x, %z {edge_padding_low = [0], edge_padding_high = [1], interior_padding = [1]} : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  %0 = xla.reduce_window(%p, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [2]} : (tensor<9xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = xla.reduce_window(%q, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [2], window_strides = [2]} : (tensor<9xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = xla.reduce_window(%r, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [2]} : (tensor<8xf32>, tensor<f32>) -> tensor<7xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<4xf32>, tensor<7xf32>
}
