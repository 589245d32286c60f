// Specification 000, Iota.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: @forms
// CHECK: xla.iota {iota_dimension = 0 : i64} : () -> tensor<4x8xi32>
// CHECK: xla.iota {iota_dimension = 1 : i64} : () -> tensor<4x8xcomplex<f32>>
// CHECK: xla.iota {iota_dimension = 2 : i64} : () -> tensor<4x0x2xui4>
func.func @forms() {
  %0 = "xla.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x8xi32>
  %1 = xla.iota {iota_dimension = 1 : i64} : () -> tensor<4x8xcomplex<f32>>
  %2 = xla.iota {iota_dimension = 2 : i64} : () -> tensor<4x0x2xui4>
  return
}

// -----

func.func @c1() {
  // expected-error @+1 {{iota_dimension is 2, the result has rank 2 [iota_c1]}}
  %0 = xla.iota {iota_dimension = 2 : i64} : () -> tensor<4x8xi32>
  return
}

// -----

func.func @c1_negative() {
  // expected-error @+1 {{iota_dimension is -1, the result has rank 2 [iota_c1]}}
  %0 = xla.iota {iota_dimension = -1 : i64} : () -> tensor<4x8xi32>
  return
}

// -----

func.func @c1_scalar() {
  // expected-error @+1 {{iota_dimension is 0, the result has rank 0 [iota_c1]}}
  %0 = xla.iota {iota_dimension = 0 : i64} : () -> tensor<i32>
  return
}

// -----

func.func @pred() {
  // expected-error @+1 {{takes signed, unsigned, float or complex elements, not pred [element_type]}}
  %0 = xla.iota {iota_dimension = 0 : i64} : () -> tensor<4xi1>
  return
}
