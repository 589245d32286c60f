// RUN: sh %S/Inputs/code.sh xla-run %s --check | FileCheck %s
// CHECK: check.mlir:[[#@LINE+29]]:3: check.expect_eq: 1 of 2 elements differ, the first at [1]: got 3, expected 4
// CHECK-NEXT: xla-run: @wrong failed
// CHECK-NEXT: {{^}}2 passed, 1 failed
// CHECK-NEXT: exit 1
// RUN: xla-run %s --check --entry=right | FileCheck %s --check-prefix=ONE
// ONE: {{^}}1 passed, 0 failed
// RUN: xla-opt --allow-unregistered-dialect --xla-import-stablehlo %s | xla-run - --check --entry=right | FileCheck %s --check-prefix=ONE
// Functions with arguments run if they are named, and then need inputs.
// RUN: xla-run %s --check --entry=argument --input=f32=1 | FileCheck %s --check-prefix=ONE
// RUN: not xla-run %s --check --entry=argument --input=f32=2 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// ARGUMENT: check.expect_eq: 1 of 1 elements differ, the first at []: got 2, expected 1
// ARGUMENT: 0 passed, 1 failed
// RUN: not xla-run %s --check --entry=argument 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: xla-run: @argument takes 1 input, 0 given: f32
// Checks count without --check as well.
// RUN: not xla-run %s --entry=wrong 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: check.expect_eq: 1 of 2 elements differ
// PLAIN-NOT: passed

func.func @right() {
  %a = xla.constant dense<[1.0, 0x7FC00000, 0x7F800000, -0.0]> : tensor<4xf32>
  %b = xla.constant dense<[1.0, 0x7FC00001, 0x7F800000, 0.0]> : tensor<4xf32>
  "check.expect_eq"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> ()
  "check.expect_eq_const"(%a) {value = dense<[1.0, 0x7FC00000, 0x7F800000, -0.0]> : tensor<4xf32>} : (tensor<4xf32>) -> ()
  return
}
func.func @wrong() {
  %a = xla.constant dense<[2, 3]> : tensor<2xi32>
  %b = xla.constant dense<[2, 4]> : tensor<2xi32>
  xla.custom_call %a, %b {call_target_name = "check.expect_eq", has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
  return
}
func.func @tolerances() {
  %f32 = xla.constant dense<[1.0, 100.0]> : tensor<2xf32>
  "check.expect_almost_eq_const"(%f32) {value = dense<[1.00009, 100.009]> : tensor<2xf32>} : (tensor<2xf32>) -> ()
  %f16 = xla.constant dense<1.0> : tensor<f16>
  "check.expect_almost_eq_const"(%f16) {value = dense<1.00097> : tensor<f16>} : (tensor<f16>) -> ()
  %bf16 = xla.constant dense<1.0> : tensor<bf16>
  "check.expect_almost_eq_const"(%bf16) {value = dense<1.0078> : tensor<bf16>} : (tensor<bf16>) -> ()
  %c64 = xla.constant dense<[(1.0, 1.0e-5)]> : tensor<1xcomplex<f32>>
  "check.expect_almost_eq_const"(%c64) {value = dense<[(1.0, 0.0)]> : tensor<1xcomplex<f32>>} : (tensor<1xcomplex<f32>>) -> ()
  "check.expect_almost_eq_const"(%f32) {value = dense<[1.1, 110.0]> : tensor<2xf32>, tolerance = 0.1} : (tensor<2xf32>) -> ()
  %zero = xla.constant dense<0.0> : tensor<f32>
  %tiny = xla.constant dense<4.2038953929744512e-45> : tensor<f32>
  "check.expect_close"(%zero, %tiny) {max_ulp_difference = 3 : ui64} : (tensor<f32>, tensor<f32>) -> ()
  "check.expect_close"(%zero, %tiny) {min_ulp_difference = 3, max_ulp_difference = 3} : (tensor<f32>, tensor<f32>) -> ()
  "check.expect_close"(%zero, %tiny) : (tensor<f32>, tensor<f32>) -> ()
  return
}
func.func @argument(%a: tensor<f32>) {
  "check.expect_eq_const"(%a) {value = dense<1.0> : tensor<f32>} : (tensor<f32>) -> ()
  return
}
// What these check does not hold.
func.func private @relative() {
  %a = xla.constant dense<1.0> : tensor<f32>
  "check.expect_almost_eq_const"(%a) {value = dense<1.0002> : tensor<f32>} : (tensor<f32>) -> ()
  return
}
// RUN: not xla-run %s --entry=relative
func.func private @near_zero() {
  %a = xla.constant dense<1.0e-5> : tensor<f32>
  "check.expect_almost_eq_const"(%a) {value = dense<1.2e-5> : tensor<f32>} : (tensor<f32>) -> ()
  return
}
// RUN: not xla-run %s --entry=near_zero
func.func private @ulps() {
  %a = xla.constant dense<1.0> : tensor<f32>
  "check.expect_close"(%a, %a) {min_ulp_difference = 1, max_ulp_difference = 2} : (tensor<f32>, tensor<f32>) -> ()
  return
}
// RUN: not xla-run %s --entry=ulps
func.func private @nan() {
  %a = xla.constant dense<0x7FC00000> : tensor<f32>
  %b = xla.constant dense<1.0> : tensor<f32>
  "check.expect_close"(%a, %b) : (tensor<f32>, tensor<f32>) -> ()
  return
}
// RUN: not xla-run %s --entry=nan
// Errors in checks end with 3.
func.func private @shapes() {
  %a = xla.constant dense<1.0> : tensor<f32>
  %b = xla.constant dense<1.0> : tensor<2xf32>
  "check.expect_close"(%a, %b) : (tensor<f32>, tensor<2xf32>) -> ()
  return
}
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=shapes | FileCheck %s --check-prefix=SHAPES
// SHAPES: error: 'xla.custom_call' op compares tensor<f32> with tensor<2xf32>
// SHAPES: exit 2
