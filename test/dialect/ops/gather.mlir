// Specification 000, Gather.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.gather %arg0, %arg1 {collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : i64, indices_are_sorted = true, offset_dims = array<i64: 1>, slice_sizes = array<i64: 1, 3>, start_index_map = array<i64: 0>} : (tensor<4x3xf32>, tensor<5xi32>) -> tensor<5x3xf32>
// CHECK: xla.gather %arg0, %arg2 {index_vector_dim = 0 : i64, offset_dims = array<i64: 0, 1>, slice_sizes = array<i64: 2, 0>, start_index_map = array<i64>} : (tensor<4x3xf32>, tensor<0xui64>) -> tensor<2x0xf32>
// CHECK: xla.gather %arg3, %arg2 {index_vector_dim = 0 : i64, slice_sizes = array<i64>, start_index_map = array<i64>} : (tensor<f32>, tensor<0xui64>) -> tensor<f32>
func.func @forms(%x: tensor<4x3xf32>, %i: tensor<5xi32>, %e: tensor<0xui64>, %s: tensor<f32>) {
  %0 = "xla.gather"(%x, %i) <{offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 3>, indices_are_sorted = true}> : (tensor<4x3xf32>, tensor<5xi32>) -> tensor<5x3xf32>
  %1 = xla.gather %x, %e {offset_dims = array<i64: 0, 1>, start_index_map = array<i64>, index_vector_dim = 0, slice_sizes = array<i64: 2, 0>} : (tensor<4x3xf32>, tensor<0xui64>) -> tensor<2x0xf32>
  %2 = xla.gather %s, %e {start_index_map = array<i64>, index_vector_dim = 0, slice_sizes = array<i64>} : (tensor<f32>, tensor<0xui64>) -> tensor<f32>
  return
}

// -----

// The three pictures: slices of [8, 6] of a [16, 11] array at [G], at [G0, G1],
// and tf.gather_nd, whose slices are rows. Element (r, c) is 11 * r + c, so the
// first one of each slice tells its place.
// FOLD-LABEL: @pictures
// FOLD-DAG: %[[ONE:.*]] = xla.constant dense<[0, 14, 93, 55, 23]> : tensor<5xi32>
// FOLD-DAG: %[[TWO:.*]] = xla.constant dense<{{\[\[}}0, 14], [93, 55], [23, 5]]> : tensor<3x2xi32>
// FOLD-DAG: %[[LAST:.*]] = xla.constant dense<[82, 96, 175, 137, 105]> : tensor<5xi32>
// FOLD-DAG: %[[ROWS:.*]] = xla.constant dense<{{\[\[}}165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175], [22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32]]> : tensor<2x11xi32>
// FOLD: return %[[ONE]], %[[LAST]], %[[TWO]], %[[ROWS]]
func.func @pictures() -> (tensor<5xi32>, tensor<5xi32>, tensor<3x2xi32>, tensor<2x11xi32>) {
  %x = xla.constant dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21], [22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32], [33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43], [44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54], [55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65], [66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76], [77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87], [88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98], [99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109], [110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120], [121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131], [132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142], [143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153], [154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164], [165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175]]> : tensor<16x11xi32>
  %g = xla.constant dense<[[0, 0], [1, 3], [8, 5], [5, 0], [2, 1]]> : tensor<5x2xi64>
  %0 = xla.gather %x, %g {offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1, slice_sizes = [8, 6]} : (tensor<16x11xi32>, tensor<5x2xi64>) -> tensor<5x8x6xi32>
  %first = xla.slice %0 {start_indices = [0, 0, 0], limit_indices = [5, 1, 1]} : (tensor<5x8x6xi32>) -> tensor<5x1x1xi32>
  %firsts = xla.reshape %first : (tensor<5x1x1xi32>) -> tensor<5xi32>
  %last = xla.slice %0 {start_indices = [0, 7, 5], limit_indices = [5, 8, 6]} : (tensor<5x8x6xi32>) -> tensor<5x1x1xi32>
  %lasts = xla.reshape %last : (tensor<5x1x1xi32>) -> tensor<5xi32>
  %gg = xla.constant dense<[[[0, 0], [1, 3]], [[8, 5], [5, 0]], [[2, 1], [0, 5]]]> : tensor<3x2x2xi64>
  %1 = xla.gather %x, %gg {offset_dims = [2, 3], start_index_map = [0, 1], index_vector_dim = 2, slice_sizes = [8, 6]} : (tensor<16x11xi32>, tensor<3x2x2xi64>) -> tensor<3x2x8x6xi32>
  %corner = xla.slice %1 {start_indices = [0, 0, 0, 0], limit_indices = [3, 2, 1, 1]} : (tensor<3x2x8x6xi32>) -> tensor<3x2x1x1xi32>
  %corners = xla.reshape %corner : (tensor<3x2x1x1xi32>) -> tensor<3x2xi32>
  %n = xla.constant dense<[[15], [2]]> : tensor<2x1xi64>
  %2 = xla.gather %x, %n {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 11]} : (tensor<16x11xi32>, tensor<2x1xi64>) -> tensor<2x11xi32>
  return %firsts, %lasts, %corners, %2 : tensor<5xi32>, tensor<5xi32>, tensor<3x2xi32>, tensor<2x11xi32>
}

// -----

// Offset dimensions may come first or between, the coordinates in any order and
// along any dimension of the indices.
// FOLD-LABEL: @orders
// FOLD-DAG: %[[A:.*]] = xla.constant dense<{{\[\[}}7, 2, 10], [8, 3, 11]]> : tensor<2x3xi32>
// FOLD-DAG: %[[B:.*]] = xla.constant dense<{{\[\[\[}}4, 8], [5, 9]], {{\[\[}}1, 5], [2, 6]]]> : tensor<2x2x2xi32>
// FOLD: return %[[A]], %[[A]], %[[B]]
func.func @orders() -> (tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x2x2xi32>) {
  %x = xla.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %flat = xla.reshape %x : (tensor<3x4xi32>) -> tensor<12xi32>
  %i = xla.constant dense<[7, 2, 10]> : tensor<3xi16>
  %0 = xla.gather %flat, %i {offset_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [2]} : (tensor<12xi32>, tensor<3xi16>) -> tensor<2x3xi32>
  %r = xla.constant dense<[[7, 2, 10]]> : tensor<1x3xi16>
  %1 = xla.gather %flat, %r {offset_dims = [0], start_index_map = [0], index_vector_dim = 0, slice_sizes = [2]} : (tensor<12xi32>, tensor<1x3xi16>) -> tensor<2x3xi32>
  // Columns and rows of two places, (column 0, row 1) and (column 1, row 0).
  %c = xla.constant dense<[[0, 1], [1, 0]]> : tensor<2x2xui8>
  %2 = xla.gather %x, %c {offset_dims = [1, 2], start_index_map = [1, 0], index_vector_dim = 0, slice_sizes = [2, 2]} : (tensor<3x4xi32>, tensor<2x2xui8>) -> tensor<2x2x2xi32>
  %3 = xla.transpose %2 {permutation = [0, 2, 1]} : (tensor<2x2x2xi32>) -> tensor<2x2x2xi32>
  return %0, %1, %3 : tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x2x2xi32>
}

// -----

// Batching dimensions: row i of the indices is about row i of the operand.
// FOLD-LABEL: @batching
// FOLD: %[[A:.*]] = xla.constant dense<{{\[\[}}2, 0, 1], [5, 5, 3]]> : tensor<2x3xi32>
// FOLD: return %[[A]]
func.func @batching() -> tensor<2x3xi32> {
  %x = xla.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %i = xla.constant dense<[[2, 0, 1], [2, 9, -1]]> : tensor<2x3xi32>
  %0 = xla.gather %x, %i {collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2, slice_sizes = [1, 1]} : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// -----

// Starts are clamped so that the whole slice lies inside, whatever their type.
// FOLD-LABEL: @clamped
// FOLD-DAG: %[[A:.*]] = xla.constant dense<{{\[\[}}1, 2], [4, 5], [1, 2], [4, 5], [4, 5]]> : tensor<5x2xi32>
// FOLD-DAG: %[[B:.*]] = xla.constant dense<{{\[\[}}4, 5], [4, 5], [3, 4]]> : tensor<3x2xi32>
// FOLD-DAG: %[[C:.*]] = xla.constant dense<{{\[\[}}1, 2], [1, 2], [2, 3]]> : tensor<3x2xi32>
// FOLD: return %[[A]], %[[B]], %[[C]]
func.func @clamped() -> (tensor<5x2xi32>, tensor<3x2xi32>, tensor<3x2xi32>) {
  %a = xla.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %i = xla.constant dense<[-9223372036854775808, 9223372036854775807, -1, 4, 3]> : tensor<5xi64>
  %j = xla.constant dense<[18446744073709551615, 9223372036854775808, 2]> : tensor<3xui64>
  %k = xla.constant dense<[-8, -1, 1]> : tensor<3xi4>
  %0 = xla.gather %a, %i {offset_dims = [1], start_index_map = [0], index_vector_dim = 1, slice_sizes = [2]} : (tensor<5xi32>, tensor<5xi64>) -> tensor<5x2xi32>
  %1 = xla.gather %a, %j {offset_dims = [1], start_index_map = [0], index_vector_dim = 1, slice_sizes = [2]} : (tensor<5xi32>, tensor<3xui64>) -> tensor<3x2xi32>
  %2 = xla.gather %a, %k {offset_dims = [1], start_index_map = [0], index_vector_dim = 1, slice_sizes = [2]} : (tensor<5xi32>, tensor<3xi4>) -> tensor<3x2xi32>
  return %0, %1, %2 : tensor<5x2xi32>, tensor<3x2xi32>, tensor<3x2xi32>
}

// -----

// Scalars, no indices, slices of nothing.
// FOLD-LABEL: @edges
// FOLD-DAG: %[[S:.*]] = xla.constant dense<3.000000e+00> : tensor<f32>
// FOLD-DAG: %[[N:.*]] = xla.constant dense<> : tensor<0x2xf32>
// FOLD-DAG: %[[E:.*]] = xla.constant dense<> : tensor<2x0xf32>
// FOLD-DAG: %[[NAN:.*]] = xla.constant dense<[0xFFC12345, -0.000000e+00]> : tensor<2xf32>
// FOLD: return %[[S]], %[[S]], %[[N]], %[[E]], %[[NAN]]
func.func @edges() -> (tensor<f32>, tensor<f32>, tensor<0x2xf32>, tensor<2x0xf32>, tensor<2xf32>) {
  %s = xla.constant dense<3.0> : tensor<f32>
  %none = xla.constant dense<> : tensor<0xi32>
  %0 = xla.gather %s, %none {start_index_map = [], index_vector_dim = 0, slice_sizes = []} : (tensor<f32>, tensor<0xi32>) -> tensor<f32>
  %v = xla.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %one = xla.constant dense<1> : tensor<i32>
  %1 = xla.gather %v, %one {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0, slice_sizes = [1]} : (tensor<2xf32>, tensor<i32>) -> tensor<f32>
  %2 = xla.gather %v, %none {offset_dims = [1], start_index_map = [0], index_vector_dim = 1, slice_sizes = [2]} : (tensor<2xf32>, tensor<0xi32>) -> tensor<0x2xf32>
  %two = xla.constant dense<[0, 1]> : tensor<2xi32>
  %3 = xla.gather %v, %two {offset_dims = [1], start_index_map = [0], index_vector_dim = 1, slice_sizes = [0]} : (tensor<2xf32>, tensor<2xi32>) -> tensor<2x0xf32>
  %bits = xla.constant dense<[0xFFC12345, -0.0]> : tensor<2xf32>
  %4 = xla.gather %bits, %two {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<f32>, tensor<f32>, tensor<0x2xf32>, tensor<2x0xf32>, tensor<2xf32>
}

// -----

// Every element type.
// CHECK-LABEL: @types
// CHECK-COUNT-4: xla.gather
func.func @types(%i: tensor<2xi32>, %p: tensor<3xi1>, %c: tensor<3xcomplex<f64>>, %f: tensor<3xf8E4M3FN>, %n: tensor<3xui2>) {
  %0 = xla.gather %p, %i {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<3xi1>, tensor<2xi32>) -> tensor<2xi1>
  %1 = xla.gather %c, %i {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<3xcomplex<f64>>, tensor<2xi32>) -> tensor<2xcomplex<f64>>
  %2 = xla.gather %f, %i {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<3xf8E4M3FN>, tensor<2xi32>) -> tensor<2xf8E4M3FN>
  %3 = xla.gather %n, %i {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<3xui2>, tensor<2xi32>) -> tensor<2xui2>
  return
}

// -----

func.func @gather_i2(%x: tensor<4x3xf32>, %i: tensor<5x1xf32>) {
  // expected-error@+1 {{start_indices is tensor<5x1xf32>, must have integers [gather_i2]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x1xf32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_i2_pred(%x: tensor<4x3xf32>, %i: tensor<5x1xi1>) {
  // expected-error@+1 {{start_indices is tensor<5x1xi1>, must have integers [gather_i2]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x1xi1>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c1(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{offset_dims has 1 entries, collapsed_slice_dims 0 and operand_batching_dims 0: together as many as the operand has dimensions, 2 [gather_c1]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c2(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{index_vector_dim is 3, must be in [0, 2], the rank of start_indices [gather_c2]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c2_negative(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{index_vector_dim is -1, must be in [0, 2], the rank of start_indices [gather_c2]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = -1, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c3(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{start_index_map has 2 entries, an index has 1 coordinates [gather_c3]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c3_implicit(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{start_index_map has 0 entries, an index has 1 coordinates [gather_c3]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [], index_vector_dim = 2, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c4(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{offset_dims [2, 1] must ascend [gather_c4]}}
  %0 = xla.gather %x, %i {offset_dims = [2, 1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c4_twice(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{offset_dims [1, 1] has 1, which is listed twice [gather_c4]}}
  %0 = xla.gather %x, %i {offset_dims = [1, 1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c5(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{offset_dims has 2, the result has rank 2 [gather_c5]}}
  %0 = xla.gather %x, %i {offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c5_negative(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{offset_dims has -1, the result has rank 2 [gather_c5]}}
  %0 = xla.gather %x, %i {offset_dims = [-1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c6(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{collapsed_slice_dims [0, 0] has 0, which is listed twice [gather_c6]}}
  %0 = xla.gather %x, %i {offset_dims = [], collapsed_slice_dims = [0, 0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c6_batching(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{operand_batching_dims [0] has 0, which is listed twice or in collapsed_slice_dims [gather_c6]}}
  %0 = xla.gather %x, %i {offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3], operand_batching_dims = [0], start_indices_batching_dims = [0]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c7(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{collapsed_slice_dims [1, 0] must ascend [gather_c7]}}
  %0 = xla.gather %x, %i {offset_dims = [], collapsed_slice_dims = [1, 0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c8(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{collapsed_slice_dims has 2, the operand has rank 2 [gather_c8]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [2], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c9(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{slice_sizes[0] is 2, must be 1: collapsed_slice_dims has the dimension [gather_c9]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [2, 3]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c9_none(%x: tensor<4x3xf32>, %i: tensor<5xi32>) {
  // expected-error@+1 {{slice_sizes[0] is 0, must be 1: collapsed_slice_dims has the dimension [gather_c9]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [0, 3]} : (tensor<4x3xf32>, tensor<5xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c10(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{operand_batching_dims [1, 0] must ascend [gather_c10]}}
  %0 = xla.gather %x, %i {offset_dims = [], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3], operand_batching_dims = [1, 0], start_indices_batching_dims = [0, 1]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c11(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{operand_batching_dims has 5, the operand has rank 2 [gather_c11]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3], operand_batching_dims = [5], start_indices_batching_dims = [0]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c12(%x: tensor<5x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{slice_sizes[0] is 2, must be 1 or 0: operand_batching_dims has the dimension [gather_c12]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [], start_index_map = [1], index_vector_dim = 1, slice_sizes = [2, 3], operand_batching_dims = [0], start_indices_batching_dims = [0]} : (tensor<5x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c13(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{start_indices_batching_dims [0, 0] has 0, which is listed twice [gather_c13]}}
  %0 = xla.gather %x, %i {offset_dims = [], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 0]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c14(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{start_indices_batching_dims has 2, start_indices has rank 2 [gather_c14]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [], start_index_map = [1], index_vector_dim = 1, slice_sizes = [1, 3], operand_batching_dims = [0], start_indices_batching_dims = [2]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c15(%x: tensor<1x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{start_indices_batching_dims [1] has 1, which is index_vector_dim [gather_c15]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [], start_index_map = [1], index_vector_dim = 1, slice_sizes = [1, 3], operand_batching_dims = [0], start_indices_batching_dims = [1]} : (tensor<1x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c16(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{operand_batching_dims has 1 entries, start_indices_batching_dims 0 [gather_c16]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [], start_index_map = [1], index_vector_dim = 1, slice_sizes = [1, 3], operand_batching_dims = [0]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c17(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{batching dimension 0 of the operand is 4, dimension 0 of start_indices 5 [gather_c17]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [], start_index_map = [1], index_vector_dim = 1, slice_sizes = [1, 3], operand_batching_dims = [0], start_indices_batching_dims = [0]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c18(%x: tensor<4x3xf32>, %i: tensor<5x2xi32>) {
  // expected-error@+1 {{start_index_map [0, 0] has 0, which is listed twice or in operand_batching_dims [gather_c18]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 0], index_vector_dim = 1, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x2xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c18_batching(%x: tensor<5x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{start_index_map [0] has 0, which is listed twice or in operand_batching_dims [gather_c18]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3], operand_batching_dims = [0], start_indices_batching_dims = [0]} : (tensor<5x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c19(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{start_index_map has 2, the operand has rank 2 [gather_c19]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [2], index_vector_dim = 1, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c20(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{slice_sizes [1] has 1 entries, the operand has rank 2 [gather_c20]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c21(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{slice_sizes[1] is 4, must be in [0, 3], the size of the operand [gather_c21]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 4]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c21_negative(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{slice_sizes[1] is -1, must be in [0, 3], the size of the operand [gather_c21]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, -1]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_c22(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{result 0 is stated as tensor<3x5xf32>, but is tensor<5x3xf32> [result]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @gather_c23(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error@+1 {{result 0 is stated as tensor<5x3xi32>, but is tensor<5x3xf32> [result]}}
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3]} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xi32>
  return
}

// -----

func.func @too_many_dimensions(%x: tensor<1x1xf32>, %i: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xi32>) {
  // expected-error@+1 {{has a result of rank 34, more than 32}}
  %0 = xla.gather %x, %i {offset_dims = [0, 1], start_index_map = [0], index_vector_dim = 32, slice_sizes = [1, 1]} : (tensor<1x1xf32>, tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xi32>) -> tensor<1xf32>
  return
}

// -----

func.func @too_large(%x: tensor<1073741824xf64>, %i: tensor<1073741824xi32>) {
  // expected-error@+1 {{the result tensor<1073741824x1073741824xf64> is larger than 2^62 bytes}}
  %0 = xla.gather %x, %i {offset_dims = [1], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1073741824]} : (tensor<1073741824xf64>, tensor<1073741824xi32>) -> tensor<1xf64>
  return
}
