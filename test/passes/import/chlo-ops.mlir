// Operations of CHLO that are no functions of one float.
// RUN: xla-run %s --check | FileCheck %s
// RUN: xla-run %s --check --device=cpu | FileCheck %s
// CHECK: {{^}}8 passed, 0 failed{{$}}

func.func @constants() {
  %x = "chlo.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  "check.expect_eq_const"(%x) {value = dense<[1.0, 2.0]> : tensor<2xf32>} : (tensor<2xf32>) -> ()
  %0 = "chlo.constant_like"(%x) <{value = 2.5 : f32}> : (tensor<2xf32>) -> tensor<2xf32>
  "check.expect_eq_const"(%0) {value = dense<2.5> : tensor<2xf32>} : (tensor<2xf32>) -> ()
  return
}
func.func @constant_like_integer() {
  %x = xla.constant dense<> : tensor<2x0xi32>
  %y = xla.constant dense<7> : tensor<i32>
  %0 = "chlo.constant_like"(%x) <{value = -3 : i32}> : (tensor<2x0xi32>) -> tensor<2x0xi32>
  %1 = "chlo.constant_like"(%y) <{value = -3 : i32}> : (tensor<i32>) -> tensor<i32>
  "check.expect_eq_const"(%1) {value = dense<-3> : tensor<i32>} : (tensor<i32>) -> ()
  return
}
func.func @broadcast() {
  %x = xla.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %row = xla.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %column = xla.constant dense<[[100.0], [200.0]]> : tensor<2x1xf32>
  %two = xla.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %s = xla.constant dense<3.0> : tensor<f32>
  // The last dimensions are those that agree,
  %0 = "chlo.broadcast_add"(%x, %row) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  "check.expect_eq_const"(%0) {value = dense<[[11.0, 22.0, 33.0], [14.0, 25.0, 36.0]]> : tensor<2x3xf32>} : (tensor<2x3xf32>) -> ()
  // unless it is said which ones,
  %1 = "chlo.broadcast_multiply"(%two, %x) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  "check.expect_eq_const"(%1) {value = dense<[[1.0, 2.0, 3.0], [-4.0, -5.0, -6.0]]> : tensor<2x3xf32>} : (tensor<2x3xf32>) -> ()
  // and sizes of 1 are repeated, on both sides.
  %2 = "chlo.broadcast_subtract"(%column, %row) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  "check.expect_eq_const"(%2) {value = dense<[[90.0, 80.0, 70.0], [190.0, 180.0, 170.0]]> : tensor<2x3xf32>} : (tensor<2x3xf32>) -> ()
  %3 = "chlo.broadcast_compare"(%x, %s) {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xi1>
  %4 = "chlo.broadcast_select"(%3, %s, %row) : (tensor<2x3xi1>, tensor<f32>, tensor<3xf32>) -> tensor<2x3xf32>
  "check.expect_eq_const"(%4) {value = dense<[[3.0, 3.0, 30.0], [10.0, 20.0, 30.0]]> : tensor<2x3xf32>} : (tensor<2x3xf32>) -> ()
  %5 = "chlo.broadcast_next_after"(%s, %two) : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  "check.expect_eq_const"(%5) {value = dense<2.99999976> : tensor<2xf32>} : (tensor<2xf32>) -> ()
  %6 = "chlo.broadcast_zeta"(%s, %two) : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  "check.expect_eq_const"(%6) {value = dense<[1.20205688, 0x7FC00000]> : tensor<2xf32>} : (tensor<2xf32>) -> ()
  return
}
func.func @broadcast_integers() {
  %x = xla.constant dense<[[7], [-8]]> : tensor<2x1xi32>
  %y = xla.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "chlo.broadcast_shift_right_arithmetic"(%x, %y) : (tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  "check.expect_eq_const"(%0) {value = dense<[[3, 1], [-4, -2]]> : tensor<2x2xi32>} : (tensor<2x2xi32>) -> ()
  %1 = "chlo.broadcast_xor"(%y, %x) : (tensor<2xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
  "check.expect_eq_const"(%1) {value = dense<[[6, 5], [-7, -6]]> : tensor<2x2xi32>} : (tensor<2x2xi32>) -> ()
  return
}
func.func @infinities() {
  %x = xla.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 1.0]> : tensor<4xf32>
  %0 = "chlo.is_inf"(%x) : (tensor<4xf32>) -> tensor<4xi1>
  "check.expect_eq_const"(%0) {value = dense<[true, true, false, false]> : tensor<4xi1>} : (tensor<4xi1>) -> ()
  %1 = "chlo.is_pos_inf"(%x) : (tensor<4xf32>) -> tensor<4xi1>
  "check.expect_eq_const"(%1) {value = dense<[true, false, false, false]> : tensor<4xi1>} : (tensor<4xi1>) -> ()
  %2 = "chlo.is_neg_inf"(%x) : (tensor<4xf32>) -> tensor<4xi1>
  "check.expect_eq_const"(%2) {value = dense<[false, true, false, false]> : tensor<4xi1>} : (tensor<4xi1>) -> ()
  return
}
func.func @next_after() {
  %x = xla.constant dense<[0.0, -0.0, 1.0, 0x7F7FFFFF, 0x00000001, 0x7F800000, 2.0, 0x7FC00000]> : tensor<8xf32>
  %y = xla.constant dense<[-1.0, 0.0, 2.0, 0x7F800000, -1.0, 0.0, 2.0, 0.0]> : tensor<8xf32>
  %0 = "chlo.next_after"(%x, %y) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  "check.expect_eq_const"(%0) {value = dense<[0x80000001, 0.0, 1.00000012, 0x7F800000, 0.0, 0x7F7FFFFF, 2.0, 0x7FC00000]> : tensor<8xf32>} : (tensor<8xf32>) -> ()
  return
}
func.func @mulhi() {
  %x = xla.constant dense<[-9223372036854775808, -9223372036854775808, -1, 9223372036854775807]> : tensor<4xi64>
  %y = xla.constant dense<[-9223372036854775808, 9223372036854775807, 1, 2]> : tensor<4xi64>
  %0 = "chlo.mulhi"(%x, %y) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  "check.expect_eq_const"(%0) {value = dense<[4611686018427387904, -4611686018427387904, -1, 0]> : tensor<4xi64>} : (tensor<4xi64>) -> ()
  %a = xla.constant dense<[255, 16, 15]> : tensor<3xui8>
  %1 = "chlo.mulhi"(%a, %a) : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  "check.expect_eq_const"(%1) {value = dense<[254, 1, 0]> : tensor<3xui8>} : (tensor<3xui8>) -> ()
  return
}
func.func @beside_other_libraries() {
  %x = xla.constant dense<[-0.5, 0.0, 3.0, 20.0]> : tensor<4xf64>
  %0 = "chlo.erfc"(%x) : (tensor<4xf64>) -> tensor<4xf64>
  "check.expect_almost_eq_const"(%0) {value = dense<[1.5204998778130465, 1.0, 2.2090496998585441e-05, 5.3958656116079005e-176]> : tensor<4xf64>, tolerance = 1.0e-14 : f64} : (tensor<4xf64>) -> ()
  %1 = "chlo.bessel_i1e"(%x) : (tensor<4xf64>) -> tensor<4xf64>
  "check.expect_almost_eq_const"(%1) {value = dense<[-0.15642080318487173, 0.0, 0.19682671329730090, 0.087506222183288671]> : tensor<4xf64>, tolerance = 1.0e-14 : f64} : (tensor<4xf64>) -> ()
  return
}
