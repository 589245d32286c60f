// Specification 000, Reshape and Collapse. Reshape with an order of dimensions is a transpose and a reshape.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.reshape %arg0 : (tensor<2x3xf32>) -> tensor<3x1x2xf32>
// CHECK: xla.reshape %arg1 : (tensor<0x7xi1>) -> tensor<5x0xi1>
// CHECK: xla.reshape %arg0 : tensor<2x3xf32>
func.func @forms(%x: tensor<2x3xf32>, %e: tensor<0x7xi1>) {
  %0 = xla.reshape %x : (tensor<2x3xf32>) -> tensor<3x1x2xf32>
  %1 = "xla.reshape"(%e) : (tensor<0x7xi1>) -> tensor<5x0xi1>
  %2 = xla.reshape %x : tensor<2x3xf32>
  return
}

// -----

// FOLD-LABEL: @in_order
// FOLD-DAG: dense<[10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27, 30, 31, 32, 35, 36, 37, 40, 41, 42, 45, 46, 47]> : tensor<24xi32>
// FOLD-DAG{LITERAL}: dense<[[10, 11, 12], [15, 16, 17], [20, 21, 22], [25, 26, 27], [30, 31, 32], [35, 36, 37], [40, 41, 42], [45, 46, 47]]> : tensor<8x3xi32>
// FOLD-DAG{LITERAL}: dense<[[10, 11, 12, 15, 16, 17], [20, 21, 22, 25, 26, 27], [30, 31, 32, 35, 36, 37], [40, 41, 42, 45, 46, 47]]> : tensor<4x6xi32>
func.func @in_order() -> (tensor<24xi32>, tensor<8x3xi32>, tensor<4x6xi32>) {
  %v = xla.constant dense<[[[10, 11, 12], [15, 16, 17]], [[20, 21, 22], [25, 26, 27]], [[30, 31, 32], [35, 36, 37]], [[40, 41, 42], [45, 46, 47]]]> : tensor<4x2x3xi32>
  %0 = xla.reshape %v : (tensor<4x2x3xi32>) -> tensor<24xi32>
  %1 = xla.reshape %v : (tensor<4x2x3xi32>) -> tensor<8x3xi32>
  %2 = xla.reshape %v : (tensor<4x2x3xi32>) -> tensor<4x6xi32>
  return %0, %1, %2 : tensor<24xi32>, tensor<8x3xi32>, tensor<4x6xi32>
}

// -----

// FOLD-LABEL: @out_of_order
// FOLD-DAG: dense<[10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42, 15, 25, 35, 45, 16, 26, 36, 46, 17, 27, 37, 47]> : tensor<24xi32>
// FOLD-DAG{LITERAL}: dense<[[10, 20, 30], [40, 11, 21], [31, 41, 12], [22, 32, 42], [15, 25, 35], [45, 16, 26], [36, 46, 17], [27, 37, 47]]> : tensor<8x3xi32>
// FOLD-DAG{LITERAL}: dense<[[[10, 20], [30, 40], [11, 21], [31, 41], [12, 22], [32, 42]], [[15, 25], [35, 45], [16, 26], [36, 46], [17, 27], [37, 47]]]> : tensor<2x6x2xi32>
func.func @out_of_order() -> (tensor<24xi32>, tensor<8x3xi32>, tensor<2x6x2xi32>) {
  %v = xla.constant dense<[[[10, 11, 12], [15, 16, 17]], [[20, 21, 22], [25, 26, 27]], [[30, 31, 32], [35, 36, 37]], [[40, 41, 42], [45, 46, 47]]]> : tensor<4x2x3xi32>
  %t = xla.transpose %v {permutation = array<i64: 1, 2, 0>} : (tensor<4x2x3xi32>) -> tensor<2x3x4xi32>
  %0 = xla.reshape %t : (tensor<2x3x4xi32>) -> tensor<24xi32>
  %1 = xla.reshape %t : (tensor<2x3x4xi32>) -> tensor<8x3xi32>
  %2 = xla.reshape %t : (tensor<2x3x4xi32>) -> tensor<2x6x2xi32>
  return %0, %1, %2 : tensor<24xi32>, tensor<8x3xi32>, tensor<2x6x2xi32>
}

// -----

// FOLD-LABEL: @scalars
// FOLD-DAG: dense<5.000000e+00> : tensor<f32>
// FOLD-DAG: dense<5.000000e+00> : tensor<1x1xf32>
func.func @scalars() -> (tensor<f32>, tensor<1x1xf32>) {
  %v = xla.constant dense<5.0> : tensor<1x1xf32>
  %s = xla.constant dense<5.0> : tensor<f32>
  %0 = xla.reshape %v : (tensor<1x1xf32>) -> tensor<f32>
  %1 = xla.reshape %s : (tensor<f32>) -> tensor<1x1xf32>
  return %0, %1 : tensor<f32>, tensor<1x1xf32>
}

// -----

func.func @reshape_type(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{result 0 is stated as tensor<6xi32>, but is tensor<6xf32> [result]}}
  %0 = xla.reshape %x : (tensor<2x3xf32>) -> tensor<6xi32>
  return
}

// -----

func.func @reshape_c2(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{the operand tensor<2x3xf32> has 6 elements, the result tensor<7xf32> 7 [reshape_c2]}}
  %0 = xla.reshape %x : (tensor<2x3xf32>) -> tensor<7xf32>
  return
}

// -----

// Sizes are compared without overflow: 2^32 * 2^32 is not 0.
func.func @reshape_c2_overflow(%x: tensor<0xi8>) {
  // expected-error@+1 {{result 0, tensor<4294967296x4294967296xi8>, is larger than 2^62 bytes}}
  %0 = xla.reshape %x : (tensor<0xi8>) -> tensor<4294967296x4294967296xi8>
  return
}

// -----

func.func @dynamic(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{result 0, tensor<?xf32>, has a dimension of dynamic size}}
  %0 = xla.reshape %x : (tensor<2x3xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @unranked(%x: tensor<*xf32>) {
  // expected-error@+1 {{operand 0, tensor<*xf32>, is not a ranked tensor}}
  %0 = xla.reshape %x : (tensor<*xf32>) -> tensor<1xf32>
  return
}
