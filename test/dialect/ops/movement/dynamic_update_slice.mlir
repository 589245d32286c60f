// Specification 000, DynamicUpdateSlice.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.dynamic_update_slice %arg0, %arg1, %arg2, %arg2 : (tensor<4x3xf32>, tensor<2x0xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
// CHECK: xla.dynamic_update_slice %arg0, %arg0, %arg3 : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<2xui8>) -> tensor<4x3xf32>
// CHECK: xla.dynamic_update_slice %arg4, %arg4 : tensor<f32>
func.func @forms(%x: tensor<4x3xf32>, %u: tensor<2x0xf32>, %i: tensor<i32>, %v: tensor<2xui8>, %s: tensor<f32>) {
  %0 = xla.dynamic_update_slice %x, %u, %i, %i : (tensor<4x3xf32>, tensor<2x0xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
  %1 = "xla.dynamic_update_slice"(%x, %x, %v) : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<2xui8>) -> tensor<4x3xf32>
  %2 = xla.dynamic_update_slice %s, %s : tensor<f32>
  return
}

// -----

// FOLD-LABEL: @example_1d
// FOLD: dense<[0.000000e+00, 1.000000e+00, 5.000000e+00, 6.000000e+00, 4.000000e+00]> : tensor<5xf32>
func.func @example_1d() -> tensor<5xf32> {
  %a = xla.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<5xf32>
  %u = xla.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %s = xla.constant dense<2> : tensor<i32>
  %0 = xla.dynamic_update_slice %a, %u, %s : (tensor<5xf32>, tensor<2xf32>, tensor<i32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// FOLD-LABEL: @example_2d
// FOLD{LITERAL}: dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 1.200000e+01, 1.300000e+01], [6.000000e+00, 1.400000e+01, 1.500000e+01], [9.000000e+00, 1.600000e+01, 1.700000e+01]]> : tensor<4x3xf32>
// FOLD-NOT: xla.dynamic_update_slice
func.func @example_2d() -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %b = xla.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]> : tensor<4x3xf32>
  %u = xla.constant dense<[[12.0, 13.0], [14.0, 15.0], [16.0, 17.0]]> : tensor<3x2xf32>
  %i = xla.constant dense<1> : tensor<i32>
  %v = xla.constant dense<[1, 1]> : tensor<2xi32>
  %0 = xla.dynamic_update_slice %b, %u, %i, %i : (tensor<4x3xf32>, tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
  %1 = xla.dynamic_update_slice %b, %u, %v : (tensor<4x3xf32>, tensor<3x2xf32>, tensor<2xi32>) -> tensor<4x3xf32>
  return %0, %1 : tensor<4x3xf32>, tensor<4x3xf32>
}

// -----

// FOLD-LABEL: @clamped
// FOLD-DAG: %[[LOW:.*]] = xla.constant dense<[8, 9, 3]> : tensor<3xi8>
// FOLD-DAG: %[[HIGH:.*]] = xla.constant dense<[1, 8, 9]> : tensor<3xi8>
// FOLD-DAG: %[[SAME:.*]] = xla.constant dense<[1, 2, 3]> : tensor<3xi8>
// FOLD: return %[[LOW]], %[[HIGH]], %[[HIGH]], %[[SAME]]
func.func @clamped() -> (tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>) {
  %a = xla.constant dense<[1, 2, 3]> : tensor<3xi8>
  %u = xla.constant dense<[8, 9]> : tensor<2xi8>
  %e = xla.constant dense<> : tensor<0xi8>
  %m = xla.constant dense<-32768> : tensor<i16>
  %p = xla.constant dense<2> : tensor<i16>
  %q = xla.constant dense<9223372036854775808> : tensor<ui64>
  %0 = xla.dynamic_update_slice %a, %u, %m : (tensor<3xi8>, tensor<2xi8>, tensor<i16>) -> tensor<3xi8>
  %1 = xla.dynamic_update_slice %a, %u, %p : (tensor<3xi8>, tensor<2xi8>, tensor<i16>) -> tensor<3xi8>
  %2 = xla.dynamic_update_slice %a, %u, %q : (tensor<3xi8>, tensor<2xi8>, tensor<ui64>) -> tensor<3xi8>
  %3 = xla.dynamic_update_slice %a, %e, %q : (tensor<3xi8>, tensor<0xi8>, tensor<ui64>) -> tensor<3xi8>
  return %0, %1, %2, %3 : tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>
}

// -----

func.func @dynamic_update_slice_c1(%x: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{result 0 is stated as tensor<2xf32>, but is tensor<4xf32> [result]}}
  %0 = xla.dynamic_update_slice %x, %u, %i : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @dynamic_update_slice_c2(%x: tensor<4xf32>, %u: tensor<2xbf16>, %i: tensor<i32>) {
  // expected-error@+1 {{element type of the update is bf16, of the operand f32 [dynamic_update_slice_c2]}}
  %0 = xla.dynamic_update_slice %x, %u, %i : (tensor<4xf32>, tensor<2xbf16>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c3(%x: tensor<4xf32>, %u: tensor<1x2xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{the update has rank 2, the operand rank 1 [dynamic_update_slice_c3]}}
  %0 = xla.dynamic_update_slice %x, %u, %i : (tensor<4xf32>, tensor<1x2xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c4(%x: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{has 2 starts, the operand has rank 1 [dynamic_update_slice_c4]}}
  %0 = xla.dynamic_update_slice %x, %u, %i, %i : (tensor<4xf32>, tensor<2xf32>, tensor<i32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c5(%x: tensor<4x4xf32>, %i: tensor<i32>, %j: tensor<ui32>) {
  // expected-error@+1 {{start 1 is tensor<ui32>, start 0 is tensor<i32> [dynamic_update_slice_c5]}}
  %0 = xla.dynamic_update_slice %x, %x, %i, %j : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<ui32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c6(%x: tensor<4x3xf32>, %u: tensor<2x5xf32>, %i: tensor<2xi32>) {
  // expected-error@+1 {{dimension 1 of the update is 5, of the operand 3 [dynamic_update_slice_c6]}}
  %0 = xla.dynamic_update_slice %x, %u, %i : (tensor<4x3xf32>, tensor<2x5xf32>, tensor<2xi32>) -> tensor<4x3xf32>
  return
}
