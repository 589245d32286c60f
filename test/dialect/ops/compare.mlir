// Specification 000, element-wise comparison.
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s

// NaN is unequal to everything; the zeros are equal.
// CHECK-LABEL: @floats
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[false, false, true, false, false, false]> : tensor<6xi1>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[true, true, false, true, true, true]> : tensor<6xi1>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[false, true, true, false, false, false]> : tensor<6xi1>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[false, true, false, false, false, false]> : tensor<6xi1>
// CHECK-DAG: %[[C4:.*]] = xla.constant dense<[true, false, true, false, true, false]> : tensor<6xi1>
// CHECK-DAG: %[[C5:.*]] = xla.constant dense<[true, false, false, false, true, false]> : tensor<6xi1>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]], %[[C4]], %[[C5]] :
func.func @floats() -> (tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>) {
  %x = xla.constant dense<[1.0, 2.0, 0.0, 0x7FC00000, 0xFF800000, 0x7FC00000]> : tensor<6xf32>
  %y = xla.constant dense<[2.0, 1.0, -0.0, 1.0, 0x7F800000, 0x7FC00000]> : tensor<6xf32>
  %0 = xla.compare %x, %y {comparison_direction = "EQ"} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %1 = xla.compare %x, %y {comparison_direction = "NE"} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %2 = xla.compare %x, %y {comparison_direction = "GE"} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %3 = xla.compare %x, %y {comparison_direction = "GT"} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %4 = xla.compare %x, %y {comparison_direction = "LE"} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %5 = xla.compare %x, %y {comparison_direction = "LT"} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>
}

// -----

// -NaN < -Inf < .. < -0 < +0 < .. < +Inf < +NaN, which are ordered by their bits.
// CHECK-LABEL: @total_order
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[false, false, false, false, true, false]> : tensor<6xi1>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[true, true, true, true, false, true]> : tensor<6xi1>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<false> : tensor<6xi1>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<true> : tensor<6xi1>
// CHECK: return %[[C0]], %[[C1]], %[[C0]], %[[C2]], %[[C3]], %[[C1]] :
func.func @total_order() -> (tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>) {
  %x = xla.constant dense<[0xFFC00000, 0xFF800000, -0.0, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<6xf32>
  %y = xla.constant dense<[0xFF800000, -3.0, 0.0, 0x7FC00000, 0x7FC00000, 0x7FC00001]> : tensor<6xf32>
  %0 = xla.compare %x, %y {comparison_direction = "EQ", compare_type = "TOTALORDER"} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %1 = xla.compare %x, %y {comparison_direction = "NE", compare_type = "TOTALORDER"} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %2 = xla.compare %x, %y {comparison_direction = "GE", compare_type = "TOTALORDER"} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %3 = xla.compare %x, %y {comparison_direction = "GT", compare_type = "TOTALORDER"} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %4 = xla.compare %x, %y {comparison_direction = "LE", compare_type = "TOTALORDER"} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %5 = xla.compare %x, %y {comparison_direction = "LT", compare_type = "TOTALORDER"} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>
}

// -----

// CHECK-LABEL: @total_order_f16
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<false> : tensor<4xi1>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<true> : tensor<4xi1>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[false, false, true, true]> : tensor<4xi1>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[true, true, false, false]> : tensor<4xi1>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C2]], %[[C3]], %[[C3]] :
func.func @total_order_f16() -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %x = xla.constant dense<[0xFE00, -0.0, 0x7E00, 0x7E01]> : tensor<4xf16>
  %y = xla.constant dense<[0xFC00, 0.0, 0x7C00, 0x7E00]> : tensor<4xf16>
  %0 = xla.compare %x, %y {comparison_direction = "EQ", compare_type = "TOTALORDER"} : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xi1>
  %1 = xla.compare %x, %y {comparison_direction = "NE", compare_type = "TOTALORDER"} : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xi1>
  %2 = xla.compare %x, %y {comparison_direction = "GE", compare_type = "TOTALORDER"} : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xi1>
  %3 = xla.compare %x, %y {comparison_direction = "GT", compare_type = "TOTALORDER"} : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xi1>
  %4 = xla.compare %x, %y {comparison_direction = "LE", compare_type = "TOTALORDER"} : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xi1>
  %5 = xla.compare %x, %y {comparison_direction = "LT", compare_type = "TOTALORDER"} : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// -----

// CHECK-LABEL: @signed
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[false, true, false]> : tensor<3xi1>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[true, false, true]> : tensor<3xi1>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<false> : tensor<3xi1>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<true> : tensor<3xi1>
// CHECK: return %[[C0]], %[[C1]], %[[C0]], %[[C2]], %[[C3]], %[[C1]] :
func.func @signed() -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
  %x = xla.constant dense<[-1, 5, -128]> : tensor<3xi8>
  %y = xla.constant dense<[1, 5, 127]> : tensor<3xi8>
  %0 = xla.compare %x, %y {comparison_direction = "EQ", compare_type = "SIGNED"} : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  %1 = xla.compare %x, %y {comparison_direction = "NE", compare_type = "SIGNED"} : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  %2 = xla.compare %x, %y {comparison_direction = "GE", compare_type = "SIGNED"} : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  %3 = xla.compare %x, %y {comparison_direction = "GT", compare_type = "SIGNED"} : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  %4 = xla.compare %x, %y {comparison_direction = "LE", compare_type = "SIGNED"} : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  %5 = xla.compare %x, %y {comparison_direction = "LT", compare_type = "SIGNED"} : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
}

// -----

// CHECK-LABEL: @unsigned
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[false, true, false]> : tensor<3xi1>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[true, false, true]> : tensor<3xi1>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<true> : tensor<3xi1>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<false> : tensor<3xi1>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C1]], %[[C0]], %[[C3]] :
func.func @unsigned() -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
  %x = xla.constant dense<[255, 5, 128]> : tensor<3xui8>
  %y = xla.constant dense<[1, 5, 127]> : tensor<3xui8>
  %0 = xla.compare %x, %y {comparison_direction = "EQ", compare_type = "UNSIGNED"} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  %1 = xla.compare %x, %y {comparison_direction = "NE", compare_type = "UNSIGNED"} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  %2 = xla.compare %x, %y {comparison_direction = "GE", compare_type = "UNSIGNED"} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  %3 = xla.compare %x, %y {comparison_direction = "GT", compare_type = "UNSIGNED"} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  %4 = xla.compare %x, %y {comparison_direction = "LE", compare_type = "UNSIGNED"} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  %5 = xla.compare %x, %y {comparison_direction = "LT", compare_type = "UNSIGNED"} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
}

// -----

// CHECK-LABEL: @preds
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[false, true, false]> : tensor<3xi1>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[true, false, true]> : tensor<3xi1>
// CHECK-DAG: %[[C2:.*]] = xla.constant dense<[true, true, false]> : tensor<3xi1>
// CHECK-DAG: %[[C3:.*]] = xla.constant dense<[true, false, false]> : tensor<3xi1>
// CHECK-DAG: %[[C4:.*]] = xla.constant dense<[false, true, true]> : tensor<3xi1>
// CHECK-DAG: %[[C5:.*]] = xla.constant dense<[false, false, true]> : tensor<3xi1>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]], %[[C4]], %[[C5]] :
func.func @preds() -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
  %x = xla.constant dense<[true, true, false]> : tensor<3xi1>
  %y = xla.constant dense<[false, true, true]> : tensor<3xi1>
  %0 = xla.compare %x, %y {comparison_direction = "EQ"} : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  %1 = xla.compare %x, %y {comparison_direction = "NE"} : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  %2 = xla.compare %x, %y {comparison_direction = "GE"} : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  %3 = xla.compare %x, %y {comparison_direction = "GT"} : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  %4 = xla.compare %x, %y {comparison_direction = "LE"} : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  %5 = xla.compare %x, %y {comparison_direction = "LT"} : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
}

// -----

// CHECK-LABEL: @complexes
// CHECK-DAG: %[[C0:.*]] = xla.constant dense<[false, true, false]> : tensor<3xi1>
// CHECK-DAG: %[[C1:.*]] = xla.constant dense<[true, false, true]> : tensor<3xi1>
// CHECK: return %[[C0]], %[[C1]] :
func.func @complexes() -> (tensor<3xi1>, tensor<3xi1>) {
  %x = xla.constant dense<[(1.0, 2.0), (1.0, -0.0), (0x7FF8000000000000, 1.0)]> : tensor<3xcomplex<f64>>
  %y = xla.constant dense<[(1.0, 3.0), (1.0, 0.0), (0x7FF8000000000000, 1.0)]> : tensor<3xcomplex<f64>>
  %0 = xla.compare %x, %y {comparison_direction = "EQ"} : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  %1 = xla.compare %x, %y {comparison_direction = "NE"} : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  return %0, %1 : tensor<3xi1>, tensor<3xi1>
}

// -----

func.func @compare_c3(%x: tensor<4xi32>) {
  // expected-error@+1 {{compare_type UNSIGNED does not fit s32 [compare_c3]}}
  %0 = xla.compare %x, %x {comparison_direction = "LT", compare_type = "UNSIGNED"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c3_total_order(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{compare_type TOTALORDER does not fit c64 [compare_c3]}}
  %0 = xla.compare %x, %x {comparison_direction = "EQ", compare_type = "TOTALORDER"} : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c4(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{complex numbers have no order: LT is not defined [compare_c4]}}
  %0 = xla.compare %x, %x {comparison_direction = "LT"} : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  return
}

// -----

func.func @direction(%x: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'comparison_direction' is "LESS", must be one of "EQ|NE|GE|GT|LE|LT" [attribute]}}
  %0 = xla.compare %x, %x {comparison_direction = "LESS"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @result(%x: tensor<4xf32>) {
  // expected-error@+1 {{result 0 is stated as tensor<4xf32>, but is tensor<4xi1> [result]}}
  %0 = xla.compare %x, %x {comparison_direction = "LT"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
