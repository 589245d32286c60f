// Specification 000, Collapse, and the function of the builder.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD
// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-legalize | FileCheck %s --check-prefix=LEGAL

// CHECK-LABEL: @main
// CHECK: xla.collapse %arg0 {dimensions = [0, 1]} : (tensor<4x2x3xf32>) -> tensor<8x3xf32>
// CHECK: xla.collapse %arg0 {dimensions = []} : tensor<4x2x3xf32>
// CHECK: xla.collapse %arg1 {dimensions = array<i64: 1, 2>} : (tensor<5x0x7xi1>) -> tensor<5x0xi1>
// CHECK: xla.collapse %arg2 {dimensions = []} : tensor<i8>
// LEGAL-LABEL: @main
// LEGAL: xla.reshape %arg0 : (tensor<4x2x3xf32>) -> tensor<8x3xf32>
// LEGAL-NOT: xla.collapse
func.func @main(%x: tensor<4x2x3xf32>, %e: tensor<5x0x7xi1>, %s: tensor<i8>) -> (tensor<8x3xf32>, tensor<4x2x3xf32>, tensor<5x0xi1>, tensor<i8>) {
  %0 = xla.collapse %x {dimensions = [0, 1]} : (tensor<4x2x3xf32>) -> tensor<8x3xf32>
  %1 = xla.collapse %x {dimensions = []} : tensor<4x2x3xf32>
  %2 = "xla.collapse"(%e) <{dimensions = array<i64: 1, 2>}> : (tensor<5x0x7xi1>) -> tensor<5x0xi1>
  %3 = xla.collapse %s {dimensions = []} : tensor<i8>
  return %0, %1, %2, %3 : tensor<8x3xf32>, tensor<4x2x3xf32>, tensor<5x0xi1>, tensor<i8>
}

// -----

// The printed examples: v012, v01, v12; and a single dimension.
// FOLD-LABEL: @main
// FOLD-DAG: dense<[10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27, 30, 31, 32, 35, 36, 37, 40, 41, 42, 45, 46, 47]> : tensor<24xi32>
// FOLD-DAG{LITERAL}: dense<[[10, 11, 12], [15, 16, 17], [20, 21, 22], [25, 26, 27], [30, 31, 32], [35, 36, 37], [40, 41, 42], [45, 46, 47]]> : tensor<8x3xi32>
// FOLD-DAG{LITERAL}: dense<[[10, 11, 12, 15, 16, 17], [20, 21, 22, 25, 26, 27], [30, 31, 32, 35, 36, 37], [40, 41, 42, 45, 46, 47]]> : tensor<4x6xi32>
// FOLD-NOT: xla.collapse
func.func @main() -> (tensor<24xi32>, tensor<8x3xi32>, tensor<4x6xi32>, tensor<4x2x3xi32>) {
  %v = xla.constant dense<[[[10, 11, 12], [15, 16, 17]], [[20, 21, 22], [25, 26, 27]], [[30, 31, 32], [35, 36, 37]], [[40, 41, 42], [45, 46, 47]]]> : tensor<4x2x3xi32>
  %0 = xla.collapse %v {dimensions = [0, 1, 2]} : (tensor<4x2x3xi32>) -> tensor<24xi32>
  %1 = xla.collapse %v {dimensions = [0, 1]} : (tensor<4x2x3xi32>) -> tensor<8x3xi32>
  %2 = xla.collapse %v {dimensions = [1, 2]} : (tensor<4x2x3xi32>) -> tensor<4x6xi32>
  %3 = xla.collapse %v {dimensions = [1]} : tensor<4x2x3xi32>
  return %0, %1, %2, %3 : tensor<24xi32>, tensor<8x3xi32>, tensor<4x6xi32>, tensor<4x2x3xi32>
}

// -----

func.func @collapse_c1(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.collapse' op dimensions[1] is 2, must be in [0, 2) [collapse_c1]}}
  %0 = xla.collapse %x {dimensions = [1, 2]} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @collapse_c1_negative(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{dimensions[0] is -1, must be in [0, 2) [collapse_c1]}}
  %0 = xla.collapse %x {dimensions = [-1]} : tensor<2x3xf32>
  return
}

// -----

// The printed ones that are not valid.
func.func @collapse_c2_order(%x: tensor<4x2x3xf32>) {
  // expected-error @+1 {{'xla.collapse' op dimensions [1, 0] are not consecutive and in order [collapse_c2]}}
  %0 = xla.collapse %x {dimensions = [1, 0]} : (tensor<4x2x3xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @collapse_c2_gap(%x: tensor<4x2x3xf32>) {
  // expected-error @+1 {{dimensions [0, 2] are not consecutive and in order [collapse_c2]}}
  %0 = xla.collapse %x {dimensions = [0, 2]} : (tensor<4x2x3xf32>) -> tensor<12x2xf32>
  return
}

// -----

func.func @collapse_c3(%x: tensor<0x9223372036854775807x9223372036854775807xf32>) {
  // expected-error @+1 {{the sizes of dimensions [1, 2] multiply to more than 2^63 [collapse_c3]}}
  %0 = xla.collapse %x {dimensions = [1, 2]} : (tensor<0x9223372036854775807x9223372036854775807xf32>) -> tensor<0x1xf32>
  return
}

// -----

func.func @stated(%x: tensor<4x2x3xf32>) {
  // expected-error @+1 {{result 0 is stated as tensor<6x4xf32>, but is tensor<4x6xf32> [result]}}
  %0 = xla.collapse %x {dimensions = [1, 2]} : (tensor<4x2x3xf32>) -> tensor<6x4xf32>
  return
}
