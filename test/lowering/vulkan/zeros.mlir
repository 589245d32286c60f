// Zeros known when a shader is made are not taken for what does not matter.
// REQUIRES: vulkan
// RUN: xla-run %s --device=vulkan --input="6xf32=0 -0 1 nan inf -inf" | FileCheck %s
// RUN: xla-run %s --device=vulkan --input="6xf32=0 -0 1 nan inf -inf" --entry=wide | FileCheck %s
// RUN: xla-run %s --device=vulkan --input="3xf32=0 -0 -0" --input="2x3xf32=-1" --entry=dot | FileCheck %s --check-prefix=DOT
// RUN: xla-run %s --device=vulkan --input="2x3xf32=-0" --entry=sum | FileCheck %s --check-prefix=SUM
// RUN: xla-run %s --device=vulkan --input="4x3xf32=nan nan nan inf inf inf 0 0 0 1 1 1" --entry=index | FileCheck %s --check-prefix=INDEX
// RUN: xla-run %s --device=vulkan --input="4x1xui8=1" --entry=root | FileCheck %s --check-prefix=ROOT
// RUN: xla-run %s --device=vulkan --input="6xui8=1 2 3 4 5 6" --entry=late | FileCheck %s --check-prefix=LATE

// CHECK:      6xf32=0 0 1 {{-?}}nan inf -inf
// CHECK-NEXT: 6xf32=0 0 1 {{-?}}nan inf -inf
// CHECK-NEXT: 6xf32=0 0 -1 {{-?}}nan -inf inf
// CHECK-NEXT: 6xf32=0 -0 0 {{-?}}nan {{-?}}nan {{-?}}nan
// CHECK-NEXT: 6xf32={{-?}}nan {{-?}}nan 0 {{-?}}nan 0 -0
// CHECK-NEXT: 6xf32={{-?}}nan {{-?}}nan inf {{-?}}nan inf -inf
// CHECK-NEXT: 6xf32={{-?}}nan {{-?}}nan 0 {{-?}}nan 0 0
func.func @main(%a: tensor<6xf32>)
    -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %z = xla.constant dense<0.0> : tensor<6xf32>
  %0 = xla.add %a, %z : tensor<6xf32>
  %1 = xla.add %z, %a : tensor<6xf32>
  %2 = xla.subtract %z, %a : tensor<6xf32>
  %3 = xla.multiply %a, %z : tensor<6xf32>
  %4 = xla.divide %z, %a : tensor<6xf32>
  %5 = xla.divide %a, %z : tensor<6xf32>
  %6 = xla.remainder %z, %a : tensor<6xf32>
  return %0, %1, %2, %3, %4, %5, %6
    : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}

func.func @wide(%b: tensor<6xf32>)
    -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %a = xla.convert %b : (tensor<6xf32>) -> tensor<6xf64>
  %z = xla.constant dense<0.0> : tensor<6xf64>
  %0 = xla.add %a, %z : tensor<6xf64>
  %1 = xla.add %z, %a : tensor<6xf64>
  %2 = xla.subtract %z, %a : tensor<6xf64>
  %3 = xla.multiply %a, %z : tensor<6xf64>
  %4 = xla.divide %z, %a : tensor<6xf64>
  %5 = xla.divide %a, %z : tensor<6xf64>
  %6 = xla.remainder %z, %a : tensor<6xf64>
  %c0 = xla.convert %0 : (tensor<6xf64>) -> tensor<6xf32>
  %c1 = xla.convert %1 : (tensor<6xf64>) -> tensor<6xf32>
  %c2 = xla.convert %2 : (tensor<6xf64>) -> tensor<6xf32>
  %c3 = xla.convert %3 : (tensor<6xf64>) -> tensor<6xf32>
  %c4 = xla.convert %4 : (tensor<6xf64>) -> tensor<6xf32>
  %c5 = xla.convert %5 : (tensor<6xf64>) -> tensor<6xf32>
  %c6 = xla.convert %6 : (tensor<6xf64>) -> tensor<6xf32>
  return %c0, %c1, %c2, %c3, %c4, %c5, %c6
    : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}

// Products that are summed from 0 on, also where there is one.
// DOT: 3x2xf32=0 0 0 0 0 0
func.func @dot(%a: tensor<3xf32>, %b: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %r = xla.dot_general %a, %b {lhs_batching_dimensions = array<i64: 0>, rhs_batching_dimensions = array<i64: 1>,
    lhs_contracting_dimensions = array<i64>, rhs_contracting_dimensions = array<i64>}
    : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// SUM: 2xf32=0 0
func.func @sum(%a: tensor<2x3xf32>) -> tensor<2xf32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %r = "xla.reduce"(%a, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = xla.add %x, %y : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// Zeros that a driver finds: where the index of a loop begins.
// INDEX:      4xf32={{-?}}nan {{-?}}nan 0 3
// INDEX-NEXT: 4xf32={{-?}}nan 0 {{-?}}nan 3
// INDEX-NEXT: 4xbf16={{-?}}nan {{-?}}nan 0 2
func.func @index(%x: tensor<4x3xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>) {
  %i = stablehlo.iota dim = 1 : tensor<4x3xi32>
  %f = stablehlo.convert %i : (tensor<4x3xi32>) -> tensor<4x3xf32>
  %p = stablehlo.multiply %x, %f : tensor<4x3xf32>
  %q = stablehlo.divide %f, %x : tensor<4x3xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%p init: %z) applies stablehlo.add across dimensions = [1]
    : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
  %s = stablehlo.reduce(%q init: %z) applies stablehlo.add across dimensions = [1]
    : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
  %y = stablehlo.convert %x : (tensor<4x3xf32>) -> tensor<4x3xbf16>
  %g = stablehlo.convert %i : (tensor<4x3xi32>) -> tensor<4x3xbf16>
  %h = stablehlo.multiply %y, %g : tensor<4x3xbf16>
  %w = stablehlo.constant dense<0.0> : tensor<bf16>
  %t = stablehlo.reduce(%h init: %w) applies stablehlo.maximum across dimensions = [1]
    : (tensor<4x3xbf16>, tensor<bf16>) -> tensor<4xbf16>
  return %r, %s, %t : tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>
}

// A root of zero, whose formula chooses it by what is known.
// ROOT: 4x1xbf16={{-?}}nan {{-?}}nan {{-?}}nan {{-?}}nan
func.func @root(%x: tensor<4x1xui8>) -> tensor<4x1xbf16> {
  %0 = stablehlo.xor %x, %x : tensor<4x1xui8>
  %1 = stablehlo.convert %0 : (tensor<4x1xui8>) -> tensor<4x1xbf16>
  %2 = stablehlo.cbrt %1 : tensor<4x1xbf16>
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %s = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [1]
    : (tensor<4x1xbf16>, tensor<bf16>) -> tensor<4xbf16>
  %3 = stablehlo.reshape %s : (tensor<4xbf16>) -> tensor<4x1xbf16>
  %4 = stablehlo.divide %2, %3 : tensor<4x1xbf16>
  return %4 : tensor<4x1xbf16>
}

// A zero that the last passes find.
// LATE: 6xbf16={{-?}}nan {{-?}}nan {{-?}}nan {{-?}}nan {{-?}}nan {{-?}}nan
func.func @late(%a: tensor<6xui8>) -> tensor<6xbf16> {
  %r = xla.fusion(%a) ({
  ^bb0(%b: tensor<6xui8>):
    %i = xla.xor %b, %b : tensor<6xui8>
    %f = xla.convert %i : (tensor<6xui8>) -> tensor<6xbf16>
    %z = xla.cbrt %f : tensor<6xbf16>
    %zero = xla.constant dense<0.0> : tensor<6xbf16>
    %s = xla.add %z, %zero : tensor<6xbf16>
    %q = xla.divide %z, %s : tensor<6xbf16>
    xla.return %q : tensor<6xbf16>
  }) {kind = "loop"} : (tensor<6xui8>) -> tensor<6xbf16>
  return %r : tensor<6xbf16>
}
