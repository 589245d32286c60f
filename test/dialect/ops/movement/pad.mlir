// Specification 000, Pad.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.pad %arg0, %arg1 {edge_padding_high = array<i64: 0, -1>, edge_padding_low = array<i64: 1, 0>, interior_padding = array<i64: 2, 0>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x2xf32>
// CHECK: xla.pad %arg1, %arg1 {edge_padding_high = array<i64>, edge_padding_low = array<i64>, interior_padding = array<i64>} : tensor<f32>
func.func @forms(%x: tensor<2x3xf32>, %z: tensor<f32>) {
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 0, -1>, interior_padding = array<i64: 2, 0>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x2xf32>
  %1 = "xla.pad"(%z, %z) <{edge_padding_low = array<i64>, edge_padding_high = array<i64>, interior_padding = array<i64>}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

// Interior padding is applied first, then the edges add or remove.
// FOLD-LABEL: @one_dimension
// FOLD-DAG: dense<[9, 9, 1, 2, 3, 9]> : tensor<6xi32>
// FOLD-DAG: dense<[1, 9, 9, 2, 9, 9, 3]> : tensor<7xi32>
// FOLD-DAG: dense<[9, 2, 9, 9, 3, 9]> : tensor<6xi32>
// FOLD-DAG: dense<[9, 1, 9]> : tensor<3xi32>
// FOLD-DAG: dense<> : tensor<0xi32>
// FOLD-DAG: dense<9> : tensor<4xi32>
func.func @one_dimension() -> (tensor<6xi32>, tensor<7xi32>, tensor<6xi32>, tensor<3xi32>, tensor<0xi32>, tensor<4xi32>) {
  %x = xla.constant dense<[1, 2, 3]> : tensor<3xi32>
  %z = xla.constant dense<9> : tensor<i32>
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 2>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<6xi32>
  %1 = xla.pad %x, %z {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 2>} : (tensor<3xi32>, tensor<i32>) -> tensor<7xi32>
  %2 = xla.pad %x, %z {edge_padding_low = array<i64: -2>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 2>} : (tensor<3xi32>, tensor<i32>) -> tensor<6xi32>
  %3 = xla.pad %x, %z {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: -5>, interior_padding = array<i64: 2>} : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  %4 = xla.pad %x, %z {edge_padding_low = array<i64: -1>, edge_padding_high = array<i64: -2>, interior_padding = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<0xi32>
  %5 = xla.pad %x, %z {edge_padding_low = array<i64: -100>, edge_padding_high = array<i64: 101>, interior_padding = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<6xi32>, tensor<7xi32>, tensor<6xi32>, tensor<3xi32>, tensor<0xi32>, tensor<4xi32>
}

// -----

// FOLD-LABEL: @two_dimensions
// FOLD{LITERAL}: dense<[[0, 0, 0, 0], [1, 0, 2, 0], [0, 0, 0, 0], [0, 0, 0, 0], [4, 0, 5, 0]]> : tensor<5x4xui8>
func.func @two_dimensions() -> tensor<5x4xui8> {
  %x = xla.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  %z = xla.constant dense<0> : tensor<ui8>
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 0, -1>, interior_padding = array<i64: 2, 1>} : (tensor<2x3xui8>, tensor<ui8>) -> tensor<5x4xui8>
  return %0 : tensor<5x4xui8>
}

// -----

// Extremes that cancel; the padding of an empty array; bits of the value.
// FOLD-LABEL: @extremes
// FOLD-DAG: dense<7> : tensor<2xi8>
// FOLD-DAG: dense<7> : tensor<3xi8>
// FOLD-DAG: dense<[5, 7]> : tensor<2xi8>
// FOLD-DAG: dense<[1.000000e+00, 0xFFA00001, 0xFFA00001]> : tensor<3xf32>
func.func @extremes() -> (tensor<2xi8>, tensor<3xi8>, tensor<2xi8>, tensor<3xf32>) {
  %x = xla.constant dense<[5, 6, 8]> : tensor<3xi8>
  %e = xla.constant dense<> : tensor<0xi8>
  %o = xla.constant dense<5> : tensor<1xi8>
  %z = xla.constant dense<7> : tensor<i8>
  %f = xla.constant dense<1.0> : tensor<1xf32>
  %n = xla.constant dense<0xFFA00001> : tensor<f32>
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: -9223372036854775808>, edge_padding_high = array<i64: 9223372036854775807>, interior_padding = array<i64: 0>} : (tensor<3xi8>, tensor<i8>) -> tensor<2xi8>
  %1 = xla.pad %e, %z {edge_padding_low = array<i64: 4>, edge_padding_high = array<i64: -1>, interior_padding = array<i64: 9223372036854775807>} : (tensor<0xi8>, tensor<i8>) -> tensor<3xi8>
  %2 = xla.pad %o, %z {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 9223372036854775807>} : (tensor<1xi8>, tensor<i8>) -> tensor<2xi8>
  %3 = xla.pad %f, %n {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 2>, interior_padding = array<i64: 0>} : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1, %2, %3 : tensor<2xi8>, tensor<3xi8>, tensor<2xi8>, tensor<3xf32>
}

// -----

// The interior of three elements would not fit 64 bits, but the edges remove
// all but the first.
// FOLD-LABEL: @removed_interior
// FOLD: dense<5> : tensor<1xi8>
func.func @removed_interior() -> tensor<1xi8> {
  %x = xla.constant dense<[5, 6, 8]> : tensor<3xi8>
  %z = xla.constant dense<7> : tensor<i8>
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: -9223372036854775808>, interior_padding = array<i64: 4611686018427387903>} : (tensor<3xi8>, tensor<i8>) -> tensor<1xi8>
  return %0 : tensor<1xi8>
}

// -----

func.func @pad_c1(%x: tensor<3xf32>, %z: tensor<f64>) {
  // expected-error@+1 {{the padding value is tensor<f64>, must be a scalar of the operand's element type f32 [pad_c1]}}
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<3xf32>, tensor<f64>) -> tensor<3xf32>
  return
}

// -----

func.func @pad_c1_rank(%x: tensor<3xf32>, %z: tensor<1xf32>) {
  // expected-error@+1 {{the padding value is tensor<1xf32>, must be a scalar of the operand's element type f32 [pad_c1]}}
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @pad_c2(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{interior_padding [0, 1] has 2 entries, the operand has rank 1 [pad_c2]}}
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0, 1>} : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @pad_c2_low(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{edge_padding_low [] has 0 entries, the operand has rank 1 [pad_c2]}}
  %0 = xla.pad %x, %z {edge_padding_low = array<i64>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @pad_c2_high(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{edge_padding_high [] has 0 entries, the operand has rank 1 [pad_c2]}}
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64>, interior_padding = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @pad_c3(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{interior_padding[0] is -1, must not be negative [pad_c3]}}
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: -1>} : (tensor<3xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @pad_c4(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{result 0 is stated as tensor<5xf32>, but is tensor<6xf32> [result]}}
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 2>, interior_padding = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<5xf32>
  return
}

// -----

func.func @pad_c4_negative(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{dimension 0 of 3 elements, padded by -2 before, -4 after and 1 between, has a negative size [pad_c4]}}
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: -2>, edge_padding_high = array<i64: -4>, interior_padding = array<i64: 1>} : (tensor<3xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

func.func @pad_c4_least(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{padded by -9223372036854775808 before, -9223372036854775808 after and 0 between, has a negative size [pad_c4]}}
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: -9223372036854775808>, edge_padding_high = array<i64: -9223372036854775808>, interior_padding = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

func.func @pad_c4_large(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{padded by 9223372036854775807 before, 9223372036854775807 after and 9223372036854775807 between, has a too large size [pad_c4]}}
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 9223372036854775807>, edge_padding_high = array<i64: 9223372036854775807>, interior_padding = array<i64: 9223372036854775807>} : (tensor<3xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

func.func @pad_c4_bytes(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{the result tensor<4611686018427387907xf32> is larger than 2^62 bytes [pad_c4]}}
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: 4611686018427387904>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<0xf32>
  return
}
