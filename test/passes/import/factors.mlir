// Factors of matrices that JAX asks for: LAPACK's for CPUs, XLA's own for devices that it does not know.
// RUN: split-file %s %t
// RUN: xla-run %t/values.mlir --check --device=all | FileCheck %t/values.mlir
// RUN: xla-run %t/blocks.mlir --check --device=cpu | FileCheck %t/blocks.mlir
// RUN: %if vulkan %{ xla-run %t/blocks.mlir --check --device=vulkan | FileCheck %t/blocks.mlir %}
// RUN: xla-opt --xla-import-stablehlo --split-input-file --verify-diagnostics %t/bad.mlir

//--- values.mlir
// CHECK: {{^}}12 passed, 0 failed{{$}}
// Vectors are known but for their signs.
func.func @eigh() {
  %x = "stablehlo.constant"() {value = dense<[[[2.0, 9.0], [1.0, 2.0]], [[5.0, 9.0], [0.0, 3.0]]]> : tensor<2x2x2xf32>} : () -> tensor<2x2x2xf32>
  %0:3 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_ssyevd_ffi"}> {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2xi32>)
  "check.expect_almost_eq_const"(%0#1) {value = dense<[[1.0, 3.0], [3.0, 5.0]]> : tensor<2x2xf32>} : (tensor<2x2xf32>) -> ()
  %1 = "stablehlo.abs"(%0#0) : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  "check.expect_almost_eq_const"(%1) {value = dense<[[[0.70710678, 0.70710678], [0.70710678, 0.70710678]], [[0.0, 1.0], [1.0, 0.0]]]> : tensor<2x2x2xf32>} : (tensor<2x2x2xf32>) -> ()
  "check.expect_eq_const"(%0#2) {value = dense<0> : tensor<2xi32>} : (tensor<2xi32>) -> ()
  return
}
// The upper triangle of three rows: [[0, i, 0], [-i, 0, 0], [0, 0, 2]].
func.func @eigh_complex() {
  %x = "stablehlo.constant"() {value = dense<[[(0.0, 7.0), (0.0, 1.0), (0.0, 0.0)], [(5.0, 5.0), (0.0, 0.0), (0.0, 0.0)], [(5.0, 5.0), (5.0, 5.0), (2.0, 0.0)]]> : tensor<3x3xcomplex<f64>>} : () -> tensor<3x3xcomplex<f64>>
  %0:2 = "stablehlo.custom_call"(%x) <{api_version = 1 : i32, backend_config = "0,1,100,1e-6", call_target_name = "Eigh"}> : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<3xf64>)
  "check.expect_almost_eq_const"(%0#1) {value = dense<[-1.0, 1.0, 2.0]> : tensor<3xf64>} : (tensor<3xf64>) -> ()
  return
}
func.func @not_finite() {
  %x = "stablehlo.constant"() {value = dense<[[[1.0, 0.0], [0x7F800000, 1.0]], [[1.0, 0.0], [0.0, 1.0]]]> : tensor<2x2x2xf32>} : () -> tensor<2x2x2xf32>
  %0:3 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_ssyevd_ffi"}> {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2xi32>)
  "check.expect_eq_const"(%0#2) {value = dense<[1, 0]> : tensor<2xi32>} : (tensor<2xi32>) -> ()
  %1:5 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_sgesdd_ffi"}> {mhlo.backend_config = {mode = 78 : ui8}} : (tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2xi32>)
  "check.expect_eq_const"(%1#4) {value = dense<[1, 0]> : tensor<2xi32>} : (tensor<2xi32>) -> ()
  return
}
// A matrix without a second direction, whose u is whole all the same.
func.func @svd() {
  %x = "stablehlo.constant"() {value = dense<[[3.0, 0.0], [4.0, 0.0], [0.0, 0.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %0:5 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_sgesdd_ffi"}> {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<3x3xf32>, tensor<2x2xf32>, tensor<i32>)
  "check.expect_almost_eq_const"(%0#1) {value = dense<[5.0, 0.0]> : tensor<2xf32>} : (tensor<2xf32>) -> ()
  %1 = "stablehlo.dot_general"(%0#2, %0#2) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  "check.expect_almost_eq_const"(%1) {value = dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>} : (tensor<3x3xf32>) -> ()
  %2 = "stablehlo.transpose"(%x) {permutation = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %3:5 = "stablehlo.custom_call"(%2) <{call_target_name = "lapack_sgesdd_ffi"}> {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<i32>)
  "check.expect_almost_eq_const"(%3#1) {value = dense<[5.0, 0.0]> : tensor<2xf32>} : (tensor<2xf32>) -> ()
  return
}
func.func @svd_of_nothing() {
  %x = "stablehlo.constant"() {value = dense<> : tensor<2x0xf32>} : () -> tensor<2x0xf32>
  %0:5 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_sgesdd_ffi"}> {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<2x0xf32>) -> (tensor<2x0xf32>, tensor<0xf32>, tensor<2x2xf32>, tensor<0x0xf32>, tensor<i32>)
  "check.expect_eq_const"(%0#2) {value = dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf32>} : (tensor<2x2xf32>) -> ()
  return
}
func.func @svd_of_no_matrices() {
  %x = "stablehlo.constant"() {value = dense<> : tensor<2x0x3x3xf32>} : () -> tensor<2x0x3x3xf32>
  %0:5 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_sgesdd_ffi"}> {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<2x0x3x3xf32>) -> (tensor<2x0x3x3xf32>, tensor<2x0x3xf32>, tensor<2x0x3x3xf32>, tensor<2x0x3x3xf32>, tensor<2x0xi32>)
  "check.expect_eq_const"(%0#1) {value = dense<> : tensor<2x0x3xf32>} : (tensor<2x0x3xf32>) -> ()
  return
}
// Pivots count from 0 here; the last is where rows of the factors come from.
func.func @lu() {
  %x = "stablehlo.constant"() {value = dense<[[1.0, 2.0], [4.0, 6.0], [2.0, 7.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %0:3 = "stablehlo.custom_call"(%x) <{api_version = 2 : i32, call_target_name = "LuDecomposition"}> : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xi32>, tensor<3xi32>)
  "check.expect_eq_const"(%0#0) {value = dense<[[4.0, 6.0], [0.5, 4.0], [0.25, 0.125]]> : tensor<3x2xf32>} : (tensor<3x2xf32>) -> ()
  "check.expect_eq_const"(%0#1) {value = dense<[1, 2]> : tensor<2xi32>} : (tensor<2xi32>) -> ()
  "check.expect_eq_const"(%0#2) {value = dense<[1, 2, 0]> : tensor<3xi32>} : (tensor<3xi32>) -> ()
  return
}
// Pivots of complex numbers have the largest sum of magnitudes of parts.
func.func @lu_complex() {
  %x = "stablehlo.constant"() {value = dense<[[(4.5, 0.0), (0.0, 0.0)], [(3.0, 3.0), (0.0, 0.0)]]> : tensor<2x2xcomplex<f32>>} : () -> tensor<2x2xcomplex<f32>>
  %0:3 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_cgetrf_ffi"}> : (tensor<2x2xcomplex<f32>>) -> (tensor<2x2xcomplex<f32>>, tensor<2xi32>, tensor<i32>)
  "check.expect_almost_eq_const"(%0#0) {value = dense<[[(3.0, 3.0), (0.0, 0.0)], [(0.75, -0.75), (0.0, 0.0)]]> : tensor<2x2xcomplex<f32>>} : (tensor<2x2xcomplex<f32>>) -> ()
  "check.expect_eq_const"(%0#2) {value = dense<2> : tensor<i32>} : (tensor<i32>) -> ()
  return
}
// An imaginary number is reflected to a real one.
func.func @qr() {
  %x = "stablehlo.constant"() {value = dense<[[(0.0, 3.0)], [(4.0, 0.0)]]> : tensor<2x1xcomplex<f32>>} : () -> tensor<2x1xcomplex<f32>>
  %0:2 = "stablehlo.custom_call"(%x) <{api_version = 1 : i32, call_target_name = "Qr"}> : (tensor<2x1xcomplex<f32>>) -> (tensor<2x1xcomplex<f32>>, tensor<1xcomplex<f32>>)
  %1 = "stablehlo.custom_call"(%0#0, %0#1) <{api_version = 1 : i32, call_target_name = "ProductOfElementaryHouseholderReflectors"}> : (tensor<2x1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  "check.expect_almost_eq_const"(%0#1) {value = dense<(1.0, 0.6)> : tensor<1xcomplex<f32>>} : (tensor<1xcomplex<f32>>) -> ()
  "check.expect_almost_eq_const"(%1) {value = dense<[[(0.0, -0.6)], [(-0.8, 0.0)]]> : tensor<2x1xcomplex<f32>>} : (tensor<2x1xcomplex<f32>>) -> ()
  return
}
// The longest column is first; a third one depends on the others.
func.func @pivoted() {
  %x = "stablehlo.constant"() {value = dense<[[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %none = "stablehlo.constant"() {value = dense<0> : tensor<3xi32>} : () -> tensor<3xi32>
  %0:3 = "stablehlo.custom_call"(%x, %none) <{call_target_name = "lapack_sgeqp3_ffi"}> : (tensor<2x3xf32>, tensor<3xi32>) -> (tensor<2x3xf32>, tensor<3xi32>, tensor<2xf32>)
  "check.expect_eq_const"(%0#1) {value = dense<[2, 3, 1]> : tensor<3xi32>} : (tensor<3xi32>) -> ()
  "check.expect_almost_eq_const"(%0#0) {value = dense<[[-3.0, 0.0, 0.0], [1.0, -2.0, -1.0]]> : tensor<2x3xf32>} : (tensor<2x3xf32>) -> ()
  "check.expect_almost_eq_const"(%0#2) {value = dense<[1.0, 0.0]> : tensor<2xf32>} : (tensor<2xf32>) -> ()
  return
}
// Rows are exchanged where the pivot is smaller than what stands below it; a matrix without an inverse has a row's number.
func.func @tridiagonal() {
  %l = "stablehlo.constant"() {value = dense<[[0.0, 4.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %d = "stablehlo.constant"() {value = dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 1.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %u = "stablehlo.constant"() {value = dense<[[2.0, 3.0, 9.0], [1.0, 1.0, 9.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %b = "stablehlo.constant"() {value = dense<[[[2.0], [8.0], [3.0]], [[1.0], [1.0], [1.0]]]> : tensor<2x3x1xf32>} : () -> tensor<2x3x1xf32>
  %0:5 = "stablehlo.custom_call"(%l, %d, %u, %b) <{call_target_name = "lapack_sgtsv_ffi"}> : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x1xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x1xf32>, tensor<2xi32>)
  %x = "stablehlo.slice"(%0#3) <{start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 1, 3, 1>, strides = array<i64: 1, 1, 1>}> : (tensor<2x3x1xf32>) -> tensor<1x3x1xf32>
  "check.expect_almost_eq_const"(%x) {value = dense<[[[1.0], [1.0], [1.0]]]> : tensor<1x3x1xf32>} : (tensor<1x3x1xf32>) -> ()
  "check.expect_eq_const"(%0#4) {value = dense<[0, 1]> : tensor<2xi32>} : (tensor<2xi32>) -> ()
  return
}
// What two reflections take from a row is taken from a column, too.
func.func @hessenberg() {
  %x = "stablehlo.constant"() {value = dense<[[1.0, 3.0, 4.0], [3.0, 2.0, 0.0], [4.0, 0.0, 7.0]]> : tensor<3x3xf32>} : () -> tensor<3x3xf32>
  %0:3 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_sgehrd_ffi"}> {mhlo.backend_config = {low = 1 : i32, high = 3 : i32}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<2xf32>, tensor<i32>)
  "check.expect_almost_eq_const"(%0#0) {value = dense<[[1.0, -5.0, 0.0], [-5.0, 5.2, -2.4], [0.5, -2.4, 3.8]]> : tensor<3x3xf32>} : (tensor<3x3xf32>) -> ()
  %1:5 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_ssytrd_ffi"}> {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>)
  "check.expect_almost_eq_const"(%1#0) {value = dense<[[1.0, 3.0, 4.0], [-5.0, 5.2, 0.0], [0.5, -2.4, 3.8]]> : tensor<3x3xf32>} : (tensor<3x3xf32>) -> ()
  "check.expect_almost_eq_const"(%1#1) {value = dense<[1.0, 5.2, 3.8]> : tensor<3xf32>} : (tensor<3xf32>) -> ()
  "check.expect_almost_eq_const"(%1#2) {value = dense<[-5.0, -2.4]> : tensor<2xf32>} : (tensor<2xf32>) -> ()
  "check.expect_almost_eq_const"(%1#3) {value = dense<[1.6, 0.0]> : tensor<2xf32>} : (tensor<2xf32>) -> ()
  return
}

//--- blocks.mlir
// CHECK: {{^}}1 passed, 0 failed{{$}}
// Ones on the other diagonal, but for two in columns 280 and 290: the first that has no pivot counts, and the ones come to the diagonal.
func.func @lu() {
  %i = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<300x300xi32>
  %j = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<300x300xi32>
  %last = "stablehlo.constant"() {value = dense<299> : tensor<300x300xi32>} : () -> tensor<300x300xi32>
  %0 = "stablehlo.subtract"(%last, %j) : (tensor<300x300xi32>, tensor<300x300xi32>) -> tensor<300x300xi32>
  %1 = "stablehlo.compare"(%i, %0) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<300x300xi32>, tensor<300x300xi32>) -> tensor<300x300xi1>
  %first = "stablehlo.constant"() {value = dense<280> : tensor<300x300xi32>} : () -> tensor<300x300xi32>
  %second = "stablehlo.constant"() {value = dense<290> : tensor<300x300xi32>} : () -> tensor<300x300xi32>
  %2 = "stablehlo.compare"(%j, %first) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<300x300xi32>, tensor<300x300xi32>) -> tensor<300x300xi1>
  %3 = "stablehlo.compare"(%j, %second) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<300x300xi32>, tensor<300x300xi32>) -> tensor<300x300xi1>
  %4 = "stablehlo.and"(%1, %2) : (tensor<300x300xi1>, tensor<300x300xi1>) -> tensor<300x300xi1>
  %5 = "stablehlo.and"(%4, %3) : (tensor<300x300xi1>, tensor<300x300xi1>) -> tensor<300x300xi1>
  %a = "stablehlo.convert"(%5) : (tensor<300x300xi1>) -> tensor<300x300xf32>
  %r:3 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgetrf_ffi"}> : (tensor<300x300xf32>) -> (tensor<300x300xf32>, tensor<300xi32>, tensor<i32>)
  "check.expect_eq_const"(%r#2) {value = dense<281> : tensor<i32>} : (tensor<i32>) -> ()
  %6 = "stablehlo.compare"(%i, %j) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<300x300xi32>, tensor<300x300xi32>) -> tensor<300x300xi1>
  %7 = "stablehlo.and"(%6, %2) : (tensor<300x300xi1>, tensor<300x300xi1>) -> tensor<300x300xi1>
  %8 = "stablehlo.and"(%7, %3) : (tensor<300x300xi1>, tensor<300x300xi1>) -> tensor<300x300xi1>
  %unit = "stablehlo.convert"(%8) : (tensor<300x300xi1>) -> tensor<300x300xf32>
  "check.expect_eq"(%r#0, %unit) : (tensor<300x300xf32>, tensor<300x300xf32>) -> ()
  return
}

//--- bad.mlir
func.func @square(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{calls "Eigh" in a form that is not supported yet}}
  %0:2 = "stablehlo.custom_call"(%x) <{backend_config = "1,1,100,1e-6", call_target_name = "Eigh"}> : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  return
}

// -----

func.func @half(%x: tensor<2x2xf16>) {
  // expected-error@+1 {{calls "Eigh" in a form that is not supported yet}}
  %0:2 = "stablehlo.custom_call"(%x) <{backend_config = "1,1,100,1e-6", call_target_name = "Eigh"}> : (tensor<2x2xf16>) -> (tensor<2x2xf16>, tensor<2xf16>)
  return
}

// -----

func.func @mode(%x: tensor<2x2xf32>) {
  // expected-error@+1 {{calls "lapack_sgesdd_ffi" in a form that is not supported yet}}
  %0:5 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_sgesdd_ffi"}> {mhlo.backend_config = {mode = 79 : ui8}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>)
  return
}

// -----

func.func @part(%x: tensor<3x3xf32>) {
  // expected-error@+1 {{calls "lapack_sgehrd_ffi" in a form that is not supported yet}}
  %0:3 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_sgehrd_ffi"}> {mhlo.backend_config = {low = 2 : i32, high = 3 : i32}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<2xf32>, tensor<i32>)
  return
}

// -----

func.func @triangle(%x: tensor<3x3xf32>) {
  // expected-error@+1 {{calls "lapack_ssytrd_ffi" in a form that is not supported yet}}
  %0:5 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_ssytrd_ffi"}> {mhlo.backend_config = {uplo = 86 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>)
  return
}

// -----

func.func @places(%x: tensor<3x3xf32>, %places: tensor<3xi32>) {
  // expected-error@+1 {{calls "lapack_sgeqp3_ffi" in a form that is not supported yet}}
  %0:3 = "stablehlo.custom_call"(%x, %places) <{call_target_name = "lapack_sgeqp3_ffi"}> : (tensor<3x3xf32>, tensor<3xi32>) -> (tensor<3x3xf32>, tensor<3xi32>, tensor<3xf32>)
  return
}

// -----

func.func @rows(%x: tensor<5x3xf32>, %taus: tensor<3xf32>, %y: tensor<4x2xf32>) {
  // expected-error@+1 {{calls "lapack_sormqr_ffi" in a form that is not supported yet}}
  %0 = "stablehlo.custom_call"(%x, %taus, %y) <{call_target_name = "lapack_sormqr_ffi"}> {mhlo.backend_config = {left = true, transpose = false}} : (tensor<5x3xf32>, tensor<3xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @flag(%x: tensor<5x3xf32>, %taus: tensor<3xf32>, %y: tensor<5x2xf32>) {
  // expected-error@+1 {{calls "lapack_sormqr_ffi" in a form that is not supported yet}}
  %0 = "stablehlo.custom_call"(%x, %taus, %y) <{call_target_name = "lapack_sormqr_ffi"}> {mhlo.backend_config = {left = true}} : (tensor<5x3xf32>, tensor<3xf32>, tensor<5x2xf32>) -> tensor<5x2xf32>
  return
}

// -----

func.func @sizes(%l: tensor<3xf32>, %d: tensor<3xf32>, %u: tensor<2xf32>, %b: tensor<3x1xf32>) {
  // expected-error@+1 {{calls "lapack_sgtsv_ffi" in a form that is not supported yet}}
  %0:5 = "stablehlo.custom_call"(%l, %d, %u, %b) <{call_target_name = "lapack_sgtsv_ffi"}> : (tensor<3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<3x1xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<3x1xf32>, tensor<i32>)
  return
}
