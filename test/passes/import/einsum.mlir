// Einstein's sums, of one and two operands.
// RUN: split-file %s %t
// RUN: xla-opt --xla-import-stablehlo %t/good.mlir | FileCheck %t/good.mlir
// RUN: xla-run %t/good.mlir --check | FileCheck %t/good.mlir --check-prefix=VALUES
// RUN: xla-run %t/good.mlir --check --device=cpu | FileCheck %t/good.mlir --check-prefix=VALUES
// RUN: xla-opt --xla-import-stablehlo --split-input-file --verify-diagnostics %t/bad.mlir

//--- good.mlir
// VALUES: {{^}}9 passed, 0 failed{{$}}

// CHECK-LABEL: func.func @product
// CHECK: %[[P:.*]] = xla.dot_general {{.*}} {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
// CHECK: xla.transpose %[[P]] {permutation = array<i64: 1, 0>}
func.func @product() {
  %a = "stablehlo.constant"() {value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %b = "stablehlo.constant"() {value = dense<[[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %0 = "stablehlo.einsum"(%a, %b) <{einsum_config = "ij,jk->ki"}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  "check.expect_eq_const"(%0) {value = dense<[[7.0, 16.0], [8.0, 17.0]]> : tensor<2x2xf32>} : (tensor<2x2xf32>) -> ()
  %1 = "stablehlo.einsum"(%a, %b) {einsum_config = "ij,jk"} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  "check.expect_eq_const"(%1) {value = dense<[[7.0, 8.0], [16.0, 17.0]]> : tensor<2x2xf32>} : (tensor<2x2xf32>) -> ()
  return
}
// What one operand alone has is summed; NaN off a diagonal does not count.
func.func @sums() {
  %a = "stablehlo.constant"() {value = dense<[[1.0, 0x7FC00000], [0x7F800000, 2.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %b = "stablehlo.constant"() {value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %0 = "stablehlo.einsum"(%a, %b) {einsum_config = "ii,ij->i"} : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  "check.expect_eq_const"(%0) {value = dense<[6.0, 30.0]> : tensor<2xf32>} : (tensor<2xf32>) -> ()
  return
}
// "..." counts from the last dimension; a size of 1 goes with every other.
func.func @ellipsis() {
  %a = "stablehlo.constant"() {value = dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>} : () -> tensor<2x1x2xi32>
  %b = "stablehlo.constant"() {value = dense<[[1], [2]]> : tensor<2x1xi32>} : () -> tensor<2x1xi32>
  %0 = "stablehlo.einsum"(%a, %b) {einsum_config = "...ij,...jk->...ik"} : (tensor<2x1x2xi32>, tensor<2x1xi32>) -> tensor<2x1x1xi32>
  "check.expect_eq_const"(%0) {value = dense<[[[5]], [[11]]]> : tensor<2x1x1xi32>} : (tensor<2x1x1xi32>) -> ()
  %c = "stablehlo.constant"() {value = dense<[[[1], [2]]]> : tensor<1x2x1xi32>} : () -> tensor<1x2x1xi32>
  %1 = "stablehlo.einsum"(%a, %c) {einsum_config = "...ij,...jk->...ik"} : (tensor<2x1x2xi32>, tensor<1x2x1xi32>) -> tensor<2x1x1xi32>
  "check.expect_eq_const"(%1) {value = dense<[[[5]], [[11]]]> : tensor<2x1x1xi32>} : (tensor<2x1x1xi32>) -> ()
  return
}
func.func @diagonal_result() {
  %a = "stablehlo.constant"() {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<2xi32>
  %0 = "stablehlo.einsum"(%a, %a) {einsum_config = "a,a->aa"} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  "check.expect_eq_const"(%0) {value = dense<[[1, 0], [0, 4]]> : tensor<2x2xi32>} : (tensor<2x2xi32>) -> ()
  return
}
func.func @empty() {
  %a = "stablehlo.constant"() {value = dense<> : tensor<2x0xf32>} : () -> tensor<2x0xf32>
  %b = "stablehlo.constant"() {value = dense<> : tensor<0x3xf32>} : () -> tensor<0x3xf32>
  %0 = "stablehlo.einsum"(%a, %b) {einsum_config = "ij,jk->ik"} : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  "check.expect_eq_const"(%0) {value = dense<0.0> : tensor<2x3xf32>} : (tensor<2x3xf32>) -> ()
  return
}
func.func @scalars() {
  %a = "stablehlo.constant"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %b = "stablehlo.constant"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "stablehlo.einsum"(%a, %b) {einsum_config = ",a->a"} : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  "check.expect_eq_const"(%0) {value = dense<[3.0, 6.0]> : tensor<2xf32>} : (tensor<2xf32>) -> ()
  %1 = "stablehlo.einsum"(%a, %a) {einsum_config = ",->"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "check.expect_eq_const"(%1) {value = dense<9.0> : tensor<f32>} : (tensor<f32>) -> ()
  return
}
// CHECK-LABEL: func.func @wider
// CHECK: xla.dot_general {{.*}} : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<f32>
func.func @wider() {
  %a = "stablehlo.constant"() {value = dense<[256.0, 1.0]> : tensor<2xbf16>} : () -> tensor<2xbf16>
  %b = "stablehlo.constant"() {value = dense<[1.0, 1.0]> : tensor<2xbf16>} : () -> tensor<2xbf16>
  %0 = "stablehlo.einsum"(%a, %b) {einsum_config = "a,a->", precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]} : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<f32>
  "check.expect_eq_const"(%0) {value = dense<257.0> : tensor<f32>} : (tensor<f32>) -> ()
  return
}
func.func @unary() {
  %a = "stablehlo.constant"() {value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %0 = "stablehlo.unary_einsum"(%a) <{einsum_config = "ab->a"}> : (tensor<2x2xf32>) -> tensor<2xf32>
  "check.expect_eq_const"(%0) {value = dense<[3.0, 7.0]> : tensor<2xf32>} : (tensor<2xf32>) -> ()
  %1 = "stablehlo.unary_einsum"(%a) {einsum_config = "ab->ba"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  "check.expect_eq_const"(%1) {value = dense<[[1.0, 3.0], [2.0, 4.0]]> : tensor<2x2xf32>} : (tensor<2x2xf32>) -> ()
  %2 = "stablehlo.unary_einsum"(%a) {einsum_config = "aa"} : (tensor<2x2xf32>) -> tensor<f32>
  "check.expect_eq_const"(%2) {value = dense<5.0> : tensor<f32>} : (tensor<f32>) -> ()
  return
}
func.func @unary_ellipsis() {
  %a = "stablehlo.constant"() {value = dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>} : () -> tensor<2x1x2xi32>
  %0 = "stablehlo.unary_einsum"(%a) {einsum_config = "...a->a..."} : (tensor<2x1x2xi32>) -> tensor<2x2x1xi32>
  "check.expect_eq_const"(%0) {value = dense<[[[1], [3]], [[2], [4]]]> : tensor<2x2x1xi32>} : (tensor<2x2x1xi32>) -> ()
  return
}

//--- bad.mlir
func.func @no_config(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.unary_einsum' op has no einsum_config}}
  %0 = "stablehlo.unary_einsum"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @character(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.unary_einsum' op has the einsum_config "a->+" for 1 operand}}
  %0 = "stablehlo.unary_einsum"(%a) {einsum_config = "a->+"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @one_operand(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.einsum' op has the einsum_config "a->a" for 2 operands}}
  %0 = "stablehlo.einsum"(%a, %a) {einsum_config = "a->a"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @rank(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.einsum' op has the einsum_config "ab,a->a" for 2 operands}}
  %0 = "stablehlo.einsum"(%a, %a) {einsum_config = "ab,a->a"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @unknown_label(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.einsum' op has the einsum_config "a,a->b" for 2 operands}}
  %0 = "stablehlo.einsum"(%a, %a) {einsum_config = "a,a->b"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @lost_ellipsis(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.unary_einsum' op has the einsum_config "...->" for 1 operand}}
  %0 = "stablehlo.unary_einsum"(%a) {einsum_config = "...->"} : (tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @two_dots(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.unary_einsum' op has the einsum_config ".a." for 1 operand}}
  %0 = "stablehlo.unary_einsum"(%a) {einsum_config = ".a."} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @sizes(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{'stablehlo.einsum' op dimension 0 of lhs is 2, dimension 0 of rhs, which has its label, 3}}
  %0 = "stablehlo.einsum"(%a, %b) {einsum_config = "a,a->a"} : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @diagonal(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.unary_einsum' op dimensions 0 and 1 of operand 0, which have one label, are 2 and 3}}
  %0 = "stablehlo.unary_einsum"(%a) {einsum_config = "aa->a"} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @result(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'stablehlo.unary_einsum' op is stated as tensor<2xf32>, its operands give tensor<3xf32>}}
  %0 = "stablehlo.unary_einsum"(%a) {einsum_config = "ab->b"} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @attribute(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.unary_einsum' op attribute 'other' is not supported yet}}
  %0 = "stablehlo.unary_einsum"(%a) <{einsum_config = "a->a", other = 1}> {name = "n"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @operands(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.einsum' op has 1 operands and 1 results, not 2 and 1}}
  %0 = "stablehlo.einsum"(%a) {einsum_config = "a,a->a"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
