// Products without free dimensions become products element by element and sums.
// RUN: xla-opt %s --xla-legalize | FileCheck %s
// RUN: xla-run %s --device=all --seed=1 --output=none
// RUN: xla-run %s --device=all --output=none --input=2x3xf32=nan --input=2x3xf32=-0 --input=4x1xi32=7 --input=4x1xi32=-1 --input=3x2xf32=inf --input=2x3xbf16=1 --input=0xf32= --input=2x1xf32=-0,1 --input=1x3xf32=1,-0,nan

// CHECK: %[[P:.*]] = xla.multiply %arg0, %arg1 : tensor<2x3xf32>
// CHECK: xla.reduce(%[[P]]
// CHECK: {dimensions = array<i64: 1>}
// A side of one element that is free.
// CHECK: xla.multiply {{.*}} : tensor<4xi32>
// CHECK: {dimensions = array<i64: 0>}
// Dimensions in another order, free ones, sums in a wider type.
// CHECK-COUNT-3: xla.dot_general
// Over one element: a product of repeated elements, of which -0 becomes 0.
// CHECK: %[[Q:.*]] = xla.multiply {{.*}} : tensor<2x3xf32>
// CHECK: xla.add {{.*}} : tensor<2x3xf32>
// CHECK-NOT: xla.dot_general
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %i: tensor<4x1xi32>, %j: tensor<4x1xi32>, %z: tensor<3x2xf32>, %b: tensor<2x3xbf16>, %e: tensor<0xf32>, %l: tensor<2x1xf32>, %r: tensor<1x3xf32>) -> (tensor<2xf32>, tensor<1x1xi32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<f32>, tensor<2x3xf32>) {
  %0 = xla.dot_general %x, %y {lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %1 = xla.dot_general %i, %j {lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]} : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<1x1xi32>
  %2 = xla.dot_general %x, %z {lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2xf32>
  %3 = xla.dot_general %x, %y {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %4 = xla.dot_general %b, %b {lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]} : (tensor<2x3xbf16>, tensor<2x3xbf16>) -> tensor<2xf32>
  %5 = xla.dot_general %e, %e {lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]} : (tensor<0xf32>, tensor<0xf32>) -> tensor<f32>
  %6 = xla.dot_general %l, %r {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]} : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2xf32>, tensor<1x1xi32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<f32>, tensor<2x3xf32>
}
