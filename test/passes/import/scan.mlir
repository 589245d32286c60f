// chlo.scan: a loop over the places along a dimension.
// RUN: split-file %s %t
// RUN: xla-opt --xla-import-stablehlo %t/good.mlir | FileCheck %t/good.mlir
// RUN: xla-run %t/good.mlir --check | FileCheck %t/good.mlir --check-prefix=VALUES
// RUN: xla-run %t/good.mlir --check --device=cpu | FileCheck %t/good.mlir --check-prefix=VALUES
// RUN: xla-opt --xla-import-stablehlo --split-input-file --verify-diagnostics %t/bad.mlir

//--- good.mlir
// VALUES: {{^}}4 passed, 0 failed{{$}}

// CHECK-LABEL: func.func @products
// CHECK: xla.while
// CHECK: xla.dynamic_slice {{.*}} {slice_sizes = array<i64: 1>}
// CHECK: xla.dynamic_update_slice
func.func @products() {
  %x = "stablehlo.constant"() {value = dense<[1, 2, 3, 4, 5]> : tensor<5xi32>} : () -> tensor<5xi32>
  %c = "stablehlo.constant"() {value = dense<10> : tensor<i32>} : () -> tensor<i32>
  %0:2 = "chlo.scan"(%x, %c) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = "stablehlo.subtract"(%b, %a) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %u = "stablehlo.multiply"(%b, %a) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%u, %s) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<5xi32>, tensor<i32>) -> (tensor<5xi32>, tensor<i32>)
  "check.expect_eq_const"(%0#0) {value = dense<[10, 18, 21, 16, 0]> : tensor<5xi32>} : (tensor<5xi32>) -> ()
  "check.expect_eq_const"(%0#1) {value = dense<-5> : tensor<i32>} : (tensor<i32>) -> ()
  return
}
func.func @reverse() {
  %x = "stablehlo.constant"() {value = dense<[1, 2, 3, 4, 5]> : tensor<5xi32>} : () -> tensor<5xi32>
  %c = "stablehlo.constant"() {value = dense<10> : tensor<i32>} : () -> tensor<i32>
  %0:2 = "chlo.scan"(%x, %c) <{dimension = 0 : i64, is_reverse = true, is_associative = false, scan_dim_size = 5 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = "stablehlo.subtract"(%b, %a) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %u = "stablehlo.multiply"(%b, %a) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%u, %s) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<5xi32>, tensor<i32>) -> (tensor<5xi32>, tensor<i32>)
  "check.expect_eq_const"(%0#0) {value = dense<[-4, -4, 3, 20, 50]> : tensor<5xi32>} : (tensor<5xi32>) -> ()
  "check.expect_eq_const"(%0#1) {value = dense<-5> : tensor<i32>} : (tensor<i32>) -> ()
  return
}
// Along dimension 1, the region sees a value from outside; the sums are not asked for.
func.func @columns() {
  %x = "stablehlo.constant"() {value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %c = "stablehlo.constant"() {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %half = "stablehlo.constant"() {value = dense<0.5> : tensor<2xf32>} : () -> tensor<2xf32>
  %0:2 = "chlo.scan"(%x, %c) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    %s = "stablehlo.add"(%b, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %u = "stablehlo.multiply"(%s, %half) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    "stablehlo.return"(%u, %s) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  "check.expect_eq_const"(%0#0) {value = dense<[[0.5, 1.5, 3.0], [2.0, 4.5, 7.5]]> : tensor<2x3xf32>} : (tensor<2x3xf32>) -> ()
  return
}
func.func @nowhere() {
  %x = "stablehlo.constant"() {value = dense<> : tensor<0xi32>} : () -> tensor<0xi32>
  %c = "stablehlo.constant"() {value = dense<7> : tensor<i32>} : () -> tensor<i32>
  %0:2 = "chlo.scan"(%x, %c) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%a, %b) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<0xi32>, tensor<i32>) -> (tensor<0xi32>, tensor<i32>)
  "check.expect_eq_const"(%0#0) {value = dense<> : tensor<0xi32>} : (tensor<0xi32>) -> ()
  "check.expect_eq_const"(%0#1) {value = dense<7> : tensor<i32>} : (tensor<i32>) -> ()
  return
}

//--- bad.mlir
func.func @segments(%x: tensor<3xi32>, %c: tensor<i32>) {
  // expected-error@+1 {{must say in operandSegmentSizes and resultSegmentSizes how many inputs and outputs it has}}
  %0:2 = "chlo.scan"(%x, %c) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%a, %b) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)
  return
}

// -----

func.func @values(%x: tensor<3xi32>, %c: tensor<i32>) {
  // expected-error@+1 {{must have a region of one block that gives as many values as there are results}}
  %0:2 = "chlo.scan"(%x, %c) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%a) : (tensor<i32>) -> ()
  }) : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)
  return
}

// -----

func.func @arguments(%x: tensor<3xi32>, %c: tensor<i32>) {
  // expected-error@+1 {{must have a region that takes as many values as there are operands}}
  %0:2 = "chlo.scan"(%x, %c) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<i32>):
    "stablehlo.return"(%a, %a) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)
  return
}

// -----

func.func @dimension(%x: tensor<3xi32>, %c: tensor<i32>) {
  // expected-error@+1 {{scans -1 places along dimension 1, which input 0, tensor<3xi32>, does not have}}
  %0:2 = "chlo.scan"(%x, %c) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%a, %b) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)
  return
}

// -----

func.func @sizes(%x: tensor<3xi32>, %c: tensor<i32>) {
  // expected-error@+1 {{scans 3 places along dimension 0, which output 0, tensor<4xi32>, does not have}}
  %0:2 = "chlo.scan"(%x, %c) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%a, %b) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<3xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  return
}

// -----

func.func @part(%x: tensor<3xi32>, %c: tensor<i32>) {
  // expected-error@+1 {{has tensor<3xi32> as argument 0 of its region, not tensor<i32>}}
  %0:2 = "chlo.scan"(%x, %c) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xi32>, %b: tensor<i32>):
    "stablehlo.return"(%b, %b) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)
  return
}

// -----

func.func @carry(%x: tensor<3xi32>, %c: tensor<i32>) {
  // expected-error@+1 {{gives tensor<f32> as carry 0, which starts as tensor<i32>}}
  %0:2 = "chlo.scan"(%x, %c) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%a, %b) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<f32>)
  return
}
