// Contractions, reductions, control flow and calls on inputs of a run.
// RUN: xla-run %s --entry=fibonacci --input=i32=50 --expected-output=i32=34 --expected-output=i32=55
// RUN: xla-run %s --entry=fibonacci --input=i32=-1 --expected-output=i32=1 --expected-output=i32=1
// RUN: xla-run %s --entry=pick --input=i32=0 --input="2xf32=1 2" --expected-output="2xf32=1 2"
// RUN: xla-run %s --entry=pick --input=i32=1 --input="2xf32=1 2" --expected-output="2xf32=-1 -2"
// RUN: xla-run %s --entry=pick --input=i32=2 --input="2xf32=1 2" --expected-output="2xf32=3 3"
// RUN: xla-run %s --entry=pick --input=i32=-5 --input="2xf32=1 2" --expected-output="2xf32=3 3"
// RUN: xla-run %s --entry=pick --input=i32=99 --input="2xf32=1 2" --expected-output="2xf32=3 3"
// RUN: xla-run %s --entry=layer --input="2x3xbf16=1 2 3 4 5 6" --input="2x3xbf16=1 0 1 0 1 0" --input=f32=0.5 --expected-output="2xf32=4.5 10.5" --expected-output="2xi32=0 0"
// RUN: xla-run %s --entry=layer --input="2x3xbf16=1 2 3 4 -5 nan" --input="2x3xbf16=1 0 1 0 1 0" --input=f32=-2 --expected-output="2xf32=2 nan" --expected-output="2xi32=0 1"
// RUN: xla-run %s --entry=factorial --input=i32=10 --expected-output=i32=3628800
// RUN: %{python} %S/../../tools/Inputs/patient.py "was running" xla-run %s --entry=endless --input=pred=true --timeout={} | FileCheck %s
// CHECK: 'xla.while' op was running when the time limit of

func.func @fibonacci(%n: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %x = xla.constant dense<1> : tensor<i32>
  %0:2 = xla.while(%x, %x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = xla.compare %b, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %b, %s : tensor<i32>, tensor<i32>
  }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %0#0, %0#1 : tensor<i32>, tensor<i32>
}

func.func @pick(%i: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.conditional(%i, %x, %x, %z) ({
  ^bb0(%a: tensor<2xf32>):
    xla.return %a : tensor<2xf32>
  }, {
  ^bb0(%a: tensor<2xf32>):
    %n = xla.negate %a : tensor<2xf32>
    xla.return %n : tensor<2xf32>
  }, {
  ^bb0(%init: tensor<f32>):
    %s = xla.reduce(%x, %init) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = xla.add %a, %b : tensor<f32>
      xla.return %c : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %b = xla.broadcast_in_dim %s {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<2xf32>
    xla.return %b : tensor<2xf32>
  }) : (tensor<i32>, tensor<2xf32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// A product in f32 of bf16, a map that adds an outer value, the largest element
// and its index.
func.func @layer(%x: tensor<2x3xbf16>, %w: tensor<2x3xbf16>, %bias: tensor<f32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %y = xla.dot_general %x, %w {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<2x3xbf16>, tensor<2x3xbf16>) -> tensor<2x2xf32>
  %z = xla.map(%y) ({
  ^bb0(%a: tensor<f32>):
    %s = xla.add %a, %bias : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %i = xla.iota {iota_dimension = 1 : i64} : () -> tensor<2x2xi32>
  %low = xla.constant dense<0xFF800000> : tensor<f32>
  %none = xla.constant dense<-1> : tensor<i32>
  %0:2 = xla.reduce(%z, %i, %low, %none) ({
  ^bb0(%a: tensor<f32>, %ai: tensor<i32>, %b: tensor<f32>, %bi: tensor<i32>):
    %gt = xla.compare %b, %a {comparison_direction = "GT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan = xla.compare %b, %b {comparison_direction = "NE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %p = xla.or %gt, %nan : tensor<i1>
    %v = xla.select %p, %b, %a : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %vi = xla.select %p, %bi, %ai : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %v, %vi : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<2x2xf32>, tensor<2x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
}

func.func @factorial(%n: tensor<i32>) -> tensor<i32> {
  %one = xla.constant dense<1> : tensor<i32>
  %p = xla.compare %n, %one {comparison_direction = "LE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = xla.if(%p) ({
    xla.return %one : tensor<i32>
  }, {
    %m = xla.subtract %n, %one : tensor<i32>
    %f = xla.call @factorial(%m) : (tensor<i32>) -> tensor<i32>
    %r = xla.multiply %n, %f : tensor<i32>
    xla.return %r : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %0 : tensor<i32>
}

func.func @endless(%x: tensor<i1>) -> tensor<i1> {
  %0 = xla.while(%x) ({
  ^bb0(%p: tensor<i1>):
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%p: tensor<i1>):
    xla.return %p : tensor<i1>
  }) : (tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}
