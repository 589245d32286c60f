// Infeeds and outfeeds in compiled programs: every device takes and sends the interpreter's arrays, in its order.
// RUN: xla-run %s --device=all --entry=types --infeed="2xc64=(1,2) (3,4)" --infeed="3xs4=1 -2 7" --infeed="2xbf16=1.5 2" --infeed="2xpred=true false" --infeed=0x3xf64= | FileCheck %s --check-prefix=TYPES
// TYPES: {{^}}outfeed 2xc64=(2,4) (6,8){{$}}
// TYPES-NEXT: {{^}}outfeed 3xs4=1 -2 7{{$}}
// TYPES-NEXT: {{^}}outfeed 2xpred=true false{{$}}
// TYPES-NEXT: {{^}}outfeed 0x3xf64={{$}}
// TYPES-NEXT: {{^}}2xbf16=3 4{{$}}
// TYPES-NEXT: {{^}}2xc64=(1,2) (3,4){{$}}
// TYPES-NEXT: {{^}}2xc64=(1,2) (3,4){{$}}
// RUN: xla-run %s --device=all --entry=layout --infeed="2x2xf32=1 2 3 4" | FileCheck %s --check-prefix=LAYOUT
// LAYOUT: {{^}}outfeed 2x2xf32=1 2 3 4{{$}}
// LAYOUT-NEXT: {{^}}2x2xf32=1 3 2 4{{$}}
// Only the branch that is taken transfers, in functions and conditions of loops too.
// RUN: xla-run %s --device=all --entry=branches --input=s32=0 --infeed=s32=5 --infeed=pred=true --infeed=pred=false | FileCheck %s --check-prefix=FIRST
// FIRST: {{^}}s32=6{{$}}
// RUN: xla-run %s --device=all --entry=branches --input=s32=1 --infeed=pred=true --infeed=pred=true --infeed=pred=false | FileCheck %s --check-prefix=SECOND
// SECOND: {{^}}outfeed s32=1{{$}}
// SECOND-NEXT: {{^}}s32=3{{$}}
// Computations of other operations see elements in the interpreter's order.
// RUN: xla-run %s --device=all --entry=computations --infeed=f32=1 --infeed=f32=2 --infeed=f32=3 --infeed=f32=4 --infeed=f32=5 --infeed=f32=6 --infeed=f32=7 --infeed=f32=8 --infeed=f32=9 --infeed=f32=10 | FileCheck %s --check-prefix=COMPUTATIONS
// COMPUTATIONS: {{^}}outfeed f32=10{{$}}
// COMPUTATIONS: {{^}}3xf32=4 5 6{{$}}
// COMPUTATIONS-NEXT: {{^}}f32=6{{$}}
// COMPUTATIONS-NEXT: {{^}}3xf32=1 2 3{{$}}
// COMPUTATIONS-NEXT: {{^}}2xf32=9 12{{$}}
// RUN: xla-run %s --device=all --entry=fusion --infeed=2xf32=1 | FileCheck %s --check-prefix=FUSION
// FUSION: {{^}}2xf32=1 1{{$}}
// What differs in what is sent is seen.
// RUN: not xla-run %s --device=all --entry=rounded --rtol=0 --atol=0 --input=random:64 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: cpu: outfeed 0:
// RUN: xla-run %s --device=all --entry=rounded --input=random:64 --outfeed=none
// Between effects of other kinds: numbers are drawn, and functions called, as without.
// RUN: xla-run %s --device=all --entry=effects --check --infeed=f32=2
// RUN: xla-run %s --device=all --entry=effects --outfeed=none --infeed=f32=2

func.func @types() -> (tensor<2xbf16>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) {
  %k = xla.create_token : () -> !xla.token
  %c, %t, %k1 = xla.infeed %k : (!xla.token) -> (tensor<2xcomplex<f32>>, tuple<tensor<3xi4>, tensor<2xbf16>>, !xla.token)
  %p, %none = xla.infeed : () -> (tensor<2xi1>, tensor<0x3xf64>)
  %h = xla.get_tuple_element %t {index = 1} : (tuple<tensor<3xi4>, tensor<2xbf16>>) -> tensor<2xbf16>
  %n = xla.get_tuple_element %t {index = 0} : (tuple<tensor<3xi4>, tensor<2xbf16>>) -> tensor<3xi4>
  %c2 = xla.add %c, %c : tensor<2xcomplex<f32>>
  %h2 = xla.add %h, %h : tensor<2xbf16>
  %o = xla.tuple %n, %p : (tensor<3xi4>, tensor<2xi1>) -> tuple<tensor<3xi4>, tensor<2xi1>>
  %nothing = xla.tuple : () -> tuple<>
  %k2 = xla.outfeed %c2, %o, %nothing, %none, %k1 : (tensor<2xcomplex<f32>>, tuple<tensor<3xi4>, tensor<2xi1>>, tuple<>, tensor<0x3xf64>, !xla.token) -> !xla.token
  return %h2, %c, %c : tensor<2xbf16>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
}
func.func @layout() -> tensor<2x2xf32> {
  %0 = xla.infeed : () -> tensor<2x2xf32, #xla.array<minor_to_major = [0, 1]>>
  xla.outfeed %0 : (tensor<2x2xf32, #xla.array<minor_to_major = [0, 1]>>) -> ()
  %1 = xla.transpose %0 {permutation = array<i64: 1, 0>} : (tensor<2x2xf32, #xla.array<minor_to_major = [0, 1]>>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
func.func private @next() -> tensor<i32> {
  %0 = xla.infeed : () -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @branches(%i: tensor<i32>) -> tensor<i32> {
  %one = xla.constant dense<1> : tensor<i32>
  %0 = xla.case(%i) ({
    %a = func.call @next() : () -> tensor<i32>
    xla.return %a : tensor<i32>
  }, {
    xla.outfeed %i : (tensor<i32>) -> ()
    xla.return %i : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %1 = xla.while(%0) ({
  ^bb0(%n: tensor<i32>):
    %go = xla.infeed : () -> tensor<i1>
    xla.return %go : tensor<i1>
  }, {
  ^bb0(%n: tensor<i32>):
    %more = xla.add %n, %one : tensor<i32>
    xla.return %more : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func @computations() -> (tensor<3xf32>, tensor<f32>, tensor<3xf32>, tensor<2xf32>) {
  %x = xla.constant dense<[3.0, 1.0, 2.0]> : tensor<3xf32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %sorted = xla.sort(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.outfeed %a, %b : (tensor<f32>, tensor<f32>) -> ()
    %c = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %sum = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %i = xla.infeed : () -> tensor<f32>
    xla.outfeed %a, %b : (tensor<f32>, tensor<f32>) -> ()
    %t = xla.add %a, %i : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %mapped = xla.map(%x) ({
  ^bb0(%a: tensor<f32>):
    %i = xla.infeed : () -> tensor<f32>
    xla.return %i : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>) -> tensor<3xf32>
  // One window after the other, not one place in them after the other.
  %windows = xla.reduce_window(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %i = xla.infeed : () -> tensor<f32>
    xla.outfeed %a, %b : (tensor<f32>, tensor<f32>) -> ()
    %t = xla.add %b, %i : tensor<f32>
    xla.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<3xf32>, tensor<f32>) -> tensor<2xf32>
  return %mapped, %sum, %sorted, %windows : tensor<3xf32>, tensor<f32>, tensor<3xf32>, tensor<2xf32>
}
func.func @fusion() -> tensor<2xf32> {
  %0 = xla.fusion() ({
    %i = xla.infeed : () -> tensor<2xf32>
    xla.return %i : tensor<2xf32>
  }) {kind = "loop"} : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @rounded(%x: tensor<64xf32>) -> tensor<i32> {
  %0 = xla.exponential %x : tensor<64xf32>
  %1 = xla.tanh %0 : tensor<64xf32>
  xla.outfeed %1 : (tensor<64xf32>) -> ()
  %2 = xla.constant dense<1> : tensor<i32>
  return %2 : tensor<i32>
}
func.func @effects() -> (tensor<4xf32>, tensor<4xf32>) {
  %low = xla.constant dense<0.0> : tensor<f32>
  %high = xla.infeed : () -> tensor<f32>
  %a = xla.rng_uniform %low, %high {shape = array<i64: 4>} : (tensor<f32>, tensor<f32>) -> tensor<4xf32>
  xla.outfeed %a : (tensor<4xf32>) -> ()
  %two = xla.constant dense<2.0> : tensor<f32>
  xla.custom_call %high, %two {call_target_name = "check.expect_eq"} : (tensor<f32>, tensor<f32>) -> ()
  %b = xla.rng_uniform %low, %high {shape = array<i64: 4>} : (tensor<f32>, tensor<f32>) -> tensor<4xf32>
  xla.outfeed %b, %a : (tensor<4xf32>, tensor<4xf32>) -> ()
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
