// Specifications 000 and 002, Map.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.map(%arg0, %arg1) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<i32>):
// CHECK-NEXT:   %[[P:.*]] = xla.is_finite %[[A]] : (tensor<f32>) -> tensor<i1>
// CHECK-NEXT:   xla.return %[[P]] : tensor<i1>
// CHECK-NEXT: }) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<2x3xi32>) -> tensor<2x3xi1>
// CHECK: {dimensions = array<i64>} : tensor<f32>
func.func @forms(%x: tensor<2x3xf32>, %y: tensor<2x3xi32>, %s: tensor<f32>) {
  %0 = "xla.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    %p = xla.is_finite %a : (tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }) : (tensor<2x3xf32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %1 = xla.map(%s) ({
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {dimensions = array<i64>} : (tensor<f32>) -> tensor<f32>
  return
}

// -----

// elem_out <- computation(elem1, elem2, elem3, par1), the last one being a scalar
// for all elements, and a value from outside.
// FOLD-LABEL: @example
// FOLD: dense<[1111, 1222]> : tensor<2xi32>
func.func @example() -> tensor<2xi32> {
  %x = xla.constant dense<[1, 2]> : tensor<2xi32>
  %y = xla.constant dense<[10, 20]> : tensor<2xi32>
  %z = xla.constant dense<[100, 200]> : tensor<2xi32>
  %par1 = xla.constant dense<600> : tensor<i32>
  %outer = xla.constant dense<400> : tensor<i32>
  %0 = xla.map(%x, %y, %z, %par1) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %p: tensor<i32>):
    %ab = xla.add %a, %b : tensor<i32>
    %abc = xla.add %ab, %c : tensor<i32>
    %abcp = xla.add %abc, %p : tensor<i32>
    %r = xla.add %abcp, %outer : tensor<i32>
    xla.return %r : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// NaN payloads and signs of zero pass; another element type; an empty array.
// FOLD-LABEL: @edges
// FOLD: %[[A:.*]] = xla.constant dense<[0x7F800001, 0xFFC12345, -0.000000e+00]> : tensor<3xf32>
// FOLD: %[[B:.*]] = xla.constant dense<{{\[\[}}true], [false]]> : tensor<2x1xi1>
// FOLD: %[[C:.*]] = xla.constant dense<> : tensor<0x2xi8>
// FOLD: return %[[A]], %[[B]], %[[C]]
func.func @edges() -> (tensor<3xf32>, tensor<2x1xi1>, tensor<0x2xi8>) {
  %x = xla.constant dense<[0x7F800001, 0xFFC12345, -0.0]> : tensor<3xf32>
  %0 = xla.map(%x) ({
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>) -> tensor<3xf32>
  %y = xla.constant dense<[[1.0], [0x7FC0]]> : tensor<2x1xbf16>
  %1 = xla.map(%y) ({
  ^bb0(%a: tensor<bf16>):
    %p = xla.is_finite %a : (tensor<bf16>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x1xbf16>) -> tensor<2x1xi1>
  %e = xla.constant dense<> : tensor<0x2xi8>
  %2 = xla.map(%e) ({
  ^bb0(%a: tensor<i8>):
    xla.return %a : tensor<i8>
  }) {dimensions = array<i64: 0, 1>} : (tensor<0x2xi8>) -> tensor<0x2xi8>
  return %0, %1, %2 : tensor<3xf32>, tensor<2x1xi1>, tensor<0x2xi8>
}

// -----

// A table as a static operand: its body is not a scalar program, and stays.
// FOLD-LABEL: @table
// FOLD: xla.map
func.func @table() -> tensor<3xf32> {
  %t = xla.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %i = xla.constant dense<[3, 0, 2]> : tensor<3xi32>
  %0 = xla.map(%i, %t) ({
  ^bb0(%a: tensor<i32>, %all: tensor<4xf32>):
    %s = xla.dynamic_slice %all, %a {slice_sizes = array<i64: 1>} : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %r = xla.reshape %s : (tensor<1xf32>) -> tensor<f32>
    xla.return %r : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @c1(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @+1 {{operand 1 is tensor<5xf32>, argument 1 of the region is tensor<f32>, mapped is tensor<4xf32> [map_c1]}}
  %0 = xla.map(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c3(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{dimensions is [1, 0], must list the 2 dimensions of the operands in order [map_c3]}}
  %0 = xla.map(%x) ({
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {dimensions = array<i64: 1, 0>} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @c3_few(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{dimensions is [0], must list the 2 dimensions of the operands in order [map_c3]}}
  %0 = xla.map(%x) ({
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @c4_count(%x: tensor<4xf32>) {
  // expected-error @+1 {{the region takes 2 arguments, there are 1 operands [map_c4]}}
  %0 = xla.map(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c4_argument(%x: tensor<4xf32>) {
  // expected-error @+1 {{operand 0 is tensor<4xf32>, argument 0 of the region is tensor<4xf32>, mapped is tensor<4xf32> [map_c4]}}
  %0 = xla.map(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %s = xla.constant dense<0.0> : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c4_results(%x: tensor<4xf32>) {
  // expected-error @+1 {{the region returns 2 values, must return one [map_c4]}}
  %0 = xla.map(%x) ({
  ^bb0(%a: tensor<f32>):
    xla.return %a, %a : tensor<f32>, tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c4_array(%x: tensor<4xf32>) {
  // expected-error @+1 {{the region returns tensor<4xf32>, not a scalar [map_c4]}}
  %0 = xla.map(%x) ({
  ^bb0(%a: tensor<f32>):
    xla.return %x : tensor<4xf32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @result(%x: tensor<4xf32>) {
  // expected-error @+1 {{result 0 is stated as tensor<4xi1>, but is tensor<4xf32> [result]}}
  %0 = xla.map(%x) ({
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xi1>
  return
}
