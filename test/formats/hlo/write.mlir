// Computations before their users, values from outside in tuples, constants where they are used.
// RUN: xla-translate %s --to=hlo | FileCheck %s
//
// CHECK:      HloModule my_prog, buffer_donor={ (0, {}) }
// CHECK-EMPTY:
// CHECK-NEXT: %condition.16 (parameter.10: (s32[], s32[], pred[])) -> pred[] {
// CHECK-NEXT:   %parameter.10 = (s32[], s32[], pred[]) parameter(0)
// CHECK-NEXT:   %get-tuple-element.11 = s32[] get-tuple-element(%parameter.10), index=0
// CHECK-NEXT:   %get-tuple-element.12 = s32[] get-tuple-element(%parameter.10), index=1
// CHECK-NEXT:   %get-tuple-element.13 = pred[] get-tuple-element(%parameter.10), index=2
// CHECK-NEXT:   %constant.14 = s32[] constant(1)
// CHECK-NEXT:   ROOT %compare.15 = pred[] compare(%get-tuple-element.11, %get-tuple-element.12), direction=LT
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: %branch.28 (parameter.23: (s32[], s32[])) -> s32[] {
// CHECK-NEXT:   %parameter.23 = (s32[], s32[]) parameter(0)
// CHECK-NEXT:   %get-tuple-element.24 = s32[] get-tuple-element(%parameter.23), index=0
// CHECK-NEXT:   %get-tuple-element.25 = s32[] get-tuple-element(%parameter.23), index=1
// CHECK-NEXT:   %constant.26 = s32[] constant(1)
// CHECK-NEXT:   ROOT %add.27 = s32[] add(%get-tuple-element.24, %constant.26)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: %branch.34 (parameter.30: (s32[], s32[])) -> s32[] {
// CHECK-NEXT:   %parameter.30 = (s32[], s32[]) parameter(0)
// CHECK-NEXT:   %get-tuple-element.31 = s32[] get-tuple-element(%parameter.30), index=0
// CHECK-NEXT:   ROOT %get-tuple-element.32 = s32[] get-tuple-element(%parameter.30), index=1
// CHECK-NEXT:   %constant.33 = s32[] constant(1)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: %body.37 (parameter.17: (s32[], s32[], pred[])) -> (s32[], s32[], pred[]) {
// CHECK-NEXT:   %parameter.17 = (s32[], s32[], pred[]) parameter(0)
// CHECK-NEXT:   %get-tuple-element.18 = s32[] get-tuple-element(%parameter.17), index=0
// CHECK-NEXT:   %get-tuple-element.19 = s32[] get-tuple-element(%parameter.17), index=1
// CHECK-NEXT:   %get-tuple-element.20 = pred[] get-tuple-element(%parameter.17), index=2
// CHECK-NEXT:   %constant.21 = s32[] constant(1)
// CHECK-NEXT:   %tuple.22 = (s32[], s32[]) tuple(%get-tuple-element.18, %get-tuple-element.19)
// CHECK-NEXT:   %tuple.29 = (s32[], s32[]) tuple(%get-tuple-element.18, %get-tuple-element.19)
// CHECK-NEXT:   %conditional.35 = s32[] conditional(%get-tuple-element.20, %tuple.22, %tuple.29), true_computation=%branch.28, false_computation=%branch.34
// CHECK-NEXT:   ROOT %tuple.36 = (s32[], s32[], pred[]) tuple(%conditional.35, %get-tuple-element.19, %get-tuple-element.20)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: %region.45 (parameter.40: f32[], parameter.41: f32[]) -> f32[] {
// CHECK-NEXT:   %parameter.40 = f32[] parameter(0)
// CHECK-NEXT:   %parameter.41 = f32[] parameter(1)
// CHECK-NEXT:   %constant.42 = f32[] constant(-0.0)
// CHECK-NEXT:   %maximum.43 = f32[] maximum(%parameter.40, %constant.42)
// CHECK-NEXT:   ROOT %add.44 = f32[] add(%maximum.43, %parameter.41)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: ENTRY %main.48 (parameter.1: f32[2,1]{1,0}, parameter.2: s32[], parameter.3: pred[]) -> (f32[2,4]{1,0}, s32[], f32[]) {
// CHECK-NEXT:   %parameter.1 = f32[2,1]{1,0} parameter(0)
// CHECK-NEXT:   %parameter.2 = s32[] parameter(1)
// CHECK-NEXT:   %parameter.3 = pred[] parameter(2)
// CHECK-NEXT:   %constant.4 = s32[] constant(1)
// CHECK-NEXT:   %constant.5 = f32[] constant(-0.0)
// CHECK-NEXT:   %constant.6 = f32[2,2]{1,0} constant({{[{]}}{{[{]}}nan(0x400001), -inf}, {1.1, -0.0{{[}]}}{{[}]}})
// CHECK-NEXT:   %reshape.7 = f32[2]{0} reshape(%parameter.1)
// CHECK-NEXT:   %broadcast.8 = f32[2,4]{1,0} broadcast(%reshape.7), dimensions={0}
// CHECK-NEXT:   %tuple.9 = (s32[], s32[], pred[]) tuple(%parameter.2, %parameter.2, %parameter.3)
// CHECK-NEXT:   %while.38 = (s32[], s32[], pred[]) while(%tuple.9), condition=%condition.16, body=%body.37
// CHECK-NEXT:   %get-tuple-element.39 = s32[] get-tuple-element(%while.38), index=0
// CHECK-NEXT:   %reduce.46 = f32[] reduce(%broadcast.8, %constant.5), dimensions={0,1}, to_apply=%region.45
// CHECK-NEXT:   ROOT %tuple.47 = (f32[2,4]{1,0}, s32[], f32[]) tuple(%broadcast.8, %get-tuple-element.39, %reduce.46)
// CHECK-NEXT: }
module @"my prog" {
func.func @main(%x: tensor<2x1xf32> {xla.donated}, %i: tensor<i32>, %p: tensor<i1>) -> (tensor<2x4xf32>, tensor<i32>, tensor<f32>) {
  %one = xla.constant dense<1> : tensor<i32>
  %zero = xla.constant dense<-0.0> : tensor<f32>
  %c = xla.constant dense<[[0x7FC00001, 0xFF800000], [1.1, -0.0]]> : tensor<2x2xf32>
  %b = xla.broadcast_in_dim %x {broadcast_dimensions = [0, 1]} : (tensor<2x1xf32>) -> tensor<2x4xf32>
  %l = xla.while (%i) ({
  ^bb0(%a: tensor<i32>):
    %lt = xla.compare %a, %i {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %lt : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>):
    %r = xla.if (%p) ({
      %n = xla.add %a, %one : tensor<i32>
      xla.return %n : tensor<i32>
    }, {
      xla.return %i : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    xla.return %r : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %s = xla.reduce (%b, %zero) ({
  ^bb0(%a: tensor<f32>, %d: tensor<f32>):
    %m = xla.maximum %a, %zero : tensor<f32>
    %n = xla.add %m, %d : tensor<f32>
    xla.return %n : tensor<f32>
  }) {dimensions = [0, 1]} : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
  return %b, %l, %s : tensor<2x4xf32>, tensor<i32>, tensor<f32>
}
}
