// Specification 000, DynamicSlice.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.dynamic_slice %arg0, %arg1, %arg1 {slice_sizes = array<i64: 2, 0>} : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x0xf32>
// CHECK: xla.dynamic_slice %arg0, %arg2 {slice_sizes = array<i64: 4, 3>} : (tensor<4x3xf32>, tensor<2xui64>) -> tensor<4x3xf32>
// CHECK: xla.dynamic_slice %arg3 {slice_sizes = array<i64>} : tensor<f32>
// CHECK: xla.dynamic_slice %arg3, %arg4 {slice_sizes = array<i64>} : (tensor<f32>, tensor<0xi64>) -> tensor<f32>
func.func @forms(%x: tensor<4x3xf32>, %i: tensor<i32>, %v: tensor<2xui64>, %s: tensor<f32>, %e: tensor<0xi64>) {
  %0 = xla.dynamic_slice %x, %i, %i {slice_sizes = array<i64: 2, 0>} : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x0xf32>
  %1 = "xla.dynamic_slice"(%x, %v) <{slice_sizes = array<i64: 4, 3>}> : (tensor<4x3xf32>, tensor<2xui64>) -> tensor<4x3xf32>
  %2 = xla.dynamic_slice %s {slice_sizes = array<i64>} : tensor<f32>
  %3 = xla.dynamic_slice %s, %e {slice_sizes = array<i64>} : (tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return
}

// -----

// FOLD-LABEL: @example_1d
// FOLD: dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
func.func @example_1d() -> (tensor<2xf32>, tensor<2xf32>) {
  %a = xla.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<5xf32>
  %s = xla.constant dense<2> : tensor<i32>
  %v = xla.constant dense<2> : tensor<1xi32>
  %0 = xla.dynamic_slice %a, %s {slice_sizes = array<i64: 2>} : (tensor<5xf32>, tensor<i32>) -> tensor<2xf32>
  %1 = xla.dynamic_slice %a, %v {slice_sizes = array<i64: 2>} : (tensor<5xf32>, tensor<1xi32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// FOLD-LABEL: @example_2d
// FOLD{LITERAL}: dense<[[7.000000e+00, 8.000000e+00], [1.000000e+01, 1.100000e+01]]> : tensor<2x2xf32>
// FOLD-NOT: xla.dynamic_slice
func.func @example_2d() -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %b = xla.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]> : tensor<4x3xf32>
  %i = xla.constant dense<2> : tensor<i64>
  %j = xla.constant dense<1> : tensor<i64>
  %v = xla.constant dense<[2, 1]> : tensor<2xi64>
  %0 = xla.dynamic_slice %b, %i, %j {slice_sizes = array<i64: 2, 2>} : (tensor<4x3xf32>, tensor<i64>, tensor<i64>) -> tensor<2x2xf32>
  %1 = xla.dynamic_slice %b, %v {slice_sizes = array<i64: 2, 2>} : (tensor<4x3xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}

// -----

// Starts are clamped into the operand, whatever their type.
// FOLD-LABEL: @clamped
// FOLD-DAG: %[[HIGH:.*]] = xla.constant dense<[4, 5]> : tensor<2xi32>
// FOLD-DAG: %[[LOW:.*]] = xla.constant dense<[1, 2]> : tensor<2xi32>
// FOLD: return %[[LOW]], %[[LOW]], %[[HIGH]], %[[HIGH]], %[[HIGH]], %[[HIGH]]
func.func @clamped() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %a = xla.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %m = xla.constant dense<-9223372036854775808> : tensor<i64>
  %n = xla.constant dense<-1> : tensor<i4>
  %p = xla.constant dense<9223372036854775807> : tensor<i64>
  %q = xla.constant dense<18446744073709551615> : tensor<ui64>
  %r = xla.constant dense<3> : tensor<ui2>
  %s = xla.constant dense<4> : tensor<i8>
  %0 = xla.dynamic_slice %a, %m {slice_sizes = array<i64: 2>} : (tensor<5xi32>, tensor<i64>) -> tensor<2xi32>
  %1 = xla.dynamic_slice %a, %n {slice_sizes = array<i64: 2>} : (tensor<5xi32>, tensor<i4>) -> tensor<2xi32>
  %2 = xla.dynamic_slice %a, %p {slice_sizes = array<i64: 2>} : (tensor<5xi32>, tensor<i64>) -> tensor<2xi32>
  %3 = xla.dynamic_slice %a, %q {slice_sizes = array<i64: 2>} : (tensor<5xi32>, tensor<ui64>) -> tensor<2xi32>
  %4 = xla.dynamic_slice %a, %r {slice_sizes = array<i64: 2>} : (tensor<5xi32>, tensor<ui2>) -> tensor<2xi32>
  %5 = xla.dynamic_slice %a, %s {slice_sizes = array<i64: 2>} : (tensor<5xi32>, tensor<i8>) -> tensor<2xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}

// -----

func.func @dynamic_slice_c1(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{result 0 is stated as tensor<2xf64>, but is tensor<2xf32> [result]}}
  %0 = xla.dynamic_slice %x, %i {slice_sizes = array<i64: 2>} : (tensor<4xf32>, tensor<i32>) -> tensor<2xf64>
  return
}

// -----

func.func @dynamic_slice_c2_starts(%x: tensor<4x3xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{has 1 starts, the operand has rank 2 [dynamic_slice_c2]}}
  %0 = xla.dynamic_slice %x, %i {slice_sizes = array<i64: 2, 2>} : (tensor<4x3xf32>, tensor<i32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @dynamic_slice_c2_vector(%x: tensor<4x3xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{has 3 starts, the operand has rank 2 [dynamic_slice_c2]}}
  %0 = xla.dynamic_slice %x, %i {slice_sizes = array<i64: 2, 2>} : (tensor<4x3xf32>, tensor<3xi32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @dynamic_slice_c2_none(%x: tensor<4xf32>) {
  // expected-error@+1 {{has 0 starts, the operand has rank 1 [dynamic_slice_c2]}}
  %0 = xla.dynamic_slice %x {slice_sizes = array<i64: 2>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @dynamic_slice_c2_sizes(%x: tensor<4x3xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{slice_sizes [2] has 1 entries, the operand has rank 2 [dynamic_slice_c2]}}
  %0 = xla.dynamic_slice %x, %i, %i {slice_sizes = array<i64: 2>} : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @dynamic_slice_c3(%x: tensor<4x3xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error@+1 {{start 1 is tensor<i64>, start 0 is tensor<i32> [dynamic_slice_c3]}}
  %0 = xla.dynamic_slice %x, %i, %j {slice_sizes = array<i64: 2, 2>} : (tensor<4x3xf32>, tensor<i32>, tensor<i64>) -> tensor<2x2xf32>
  return
}

// -----

func.func @dynamic_slice_c3_float(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{start 0 is tensor<f32>, must be a scalar of an integer type, or all starts one vector [dynamic_slice_c3]}}
  %0 = xla.dynamic_slice %x, %i {slice_sizes = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @dynamic_slice_c3_pred(%x: tensor<4xf32>, %i: tensor<i1>) {
  // expected-error@+1 {{start 0 is tensor<i1>, must be a scalar of an integer type, or all starts one vector [dynamic_slice_c3]}}
  %0 = xla.dynamic_slice %x, %i {slice_sizes = array<i64: 2>} : (tensor<4xf32>, tensor<i1>) -> tensor<2xf32>
  return
}

// -----

func.func @dynamic_slice_c3_vectors(%x: tensor<4x3xf32>, %i: tensor<1xi32>) {
  // expected-error@+1 {{start 0 is tensor<1xi32>, must be a scalar of an integer type, or all starts one vector [dynamic_slice_c3]}}
  %0 = xla.dynamic_slice %x, %i, %i {slice_sizes = array<i64: 2, 2>} : (tensor<4x3xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @dynamic_slice_c4(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{slice_sizes[0] is 5, must be in [0, 4], the size of the operand [dynamic_slice_c4]}}
  %0 = xla.dynamic_slice %x, %i {slice_sizes = array<i64: 5>} : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @dynamic_slice_c4_negative(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{slice_sizes[0] is -9223372036854775808, must be in [0, 4], the size of the operand [dynamic_slice_c4]}}
  %0 = xla.dynamic_slice %x, %i {slice_sizes = array<i64: -9223372036854775808>} : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @dynamic_slice_c5(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{result 0 is stated as tensor<3xf32>, but is tensor<2xf32> [result]}}
  %0 = xla.dynamic_slice %x, %i {slice_sizes = array<i64: 2>} : (tensor<4xf32>, tensor<i32>) -> tensor<3xf32>
  return
}
