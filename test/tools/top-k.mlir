// chlo.top_k: the largest elements of rows, NaN before infinity (-NaN last, 0 before -0), of equal ones the first.
// RUN: xla-run %s --check | FileCheck %s
// CHECK: {{^}}3 passed, 0 failed{{$}}

func.func @floats() {
  %x = xla.constant dense<[1.0, -0.0, 0xFFC00000, 0.0, 0x7F800000, 1.0, 0x7FC00000, 0xFF800000]> : tensor<8xf32>
  %0:2 = "chlo.top_k"(%x) <{k = 8 : i64}> : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xi32>)
  "check.expect_eq_const"(%0#0) {value = dense<[0x7FC00000, 0x7F800000, 1.0, 1.0, 0.0, -0.0, 0xFF800000, 0xFFC00000]> : tensor<8xf32>} : (tensor<8xf32>) -> ()
  "check.expect_eq_const"(%0#1) {value = dense<[6, 4, 0, 5, 3, 1, 7, 2]> : tensor<8xi32>} : (tensor<8xi32>) -> ()
  return
}
func.func @rows() {
  %x = xla.constant dense<[[3, 9, 9, -1], [0, -5, 7, 0]]> : tensor<2x4xi16>
  %0:2 = "chlo.top_k"(%x) <{k = 3 : i64}> : (tensor<2x4xi16>) -> (tensor<2x3xi16>, tensor<2x3xi32>)
  "check.expect_eq_const"(%0#0) {value = dense<[[9, 9, 3], [7, 0, 0]]> : tensor<2x3xi16>} : (tensor<2x3xi16>) -> ()
  "check.expect_eq_const"(%0#1) {value = dense<[[1, 2, 0], [2, 0, 3]]> : tensor<2x3xi32>} : (tensor<2x3xi32>) -> ()
  return
}
func.func @preds() {
  %x = xla.constant dense<[false, true, false, true]> : tensor<4xi1>
  %0:2 = "chlo.top_k"(%x) <{k = 3 : i64}> : (tensor<4xi1>) -> (tensor<3xi1>, tensor<3xi32>)
  "check.expect_eq_const"(%0#0) {value = dense<[true, true, false]> : tensor<3xi1>} : (tensor<3xi1>) -> ()
  "check.expect_eq_const"(%0#1) {value = dense<[1, 3, 0]> : tensor<3xi32>} : (tensor<3xi32>) -> ()
  %1:2 = "chlo.top_k"(%x) <{k = 0 : i64}> : (tensor<4xi1>) -> (tensor<0xi1>, tensor<0xi32>)
  "check.expect_eq_const"(%1#1) {value = dense<> : tensor<0xi32>} : (tensor<0xi32>) -> ()
  return
}
