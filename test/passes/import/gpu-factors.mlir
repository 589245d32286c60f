// Factors of matrices in programs that JAX wrote for CUDA and ROCm.
// RUN: split-file %s %t
// RUN: xla-run %t/values.mlir --check --device=all | FileCheck %t/values.mlir
// RUN: xla-opt --xla-import-stablehlo --split-input-file --verify-diagnostics %t/bad.mlir

//--- values.mlir
// CHECK: {{^}}7 passed, 0 failed{{$}}
// LAPACK's functions under other names, with flags.
func.func @lapack() {
  %x = "stablehlo.constant"() {value = dense<[[4.0, 9.0], [2.0, 5.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %0:2 = "stablehlo.custom_call"(%x) <{api_version = 4 : i32, call_target_name = "cusolver_potrf_ffi", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]}> {mhlo.backend_config = {lower = true}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)
  %diagonal = "stablehlo.slice"(%0#0) <{start_indices = array<i64: 1, 0>, limit_indices = array<i64: 2, 2>, strides = array<i64: 1, 1>}> : (tensor<2x2xf32>) -> tensor<1x2xf32>
  "check.expect_almost_eq_const"(%diagonal) {value = dense<[[1.0, 2.0]]> : tensor<1x2xf32>} : (tensor<1x2xf32>) -> ()
  %1:3 = "stablehlo.custom_call"(%x) <{call_target_name = "hipsolver_getrf_ffi"}> {mhlo.backend_config = {}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xi32>, tensor<i32>)
  "check.expect_eq_const"(%1#0) {value = dense<[[4.0, 9.0], [0.5, 0.5]]> : tensor<2x2xf32>} : (tensor<2x2xf32>) -> ()
  %2:5 = "stablehlo.custom_call"(%x) <{call_target_name = "cusolver_sytrd_ffi"}> {mhlo.backend_config = {lower = false}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<i32>)
  "check.expect_eq_const"(%2#2) {value = dense<[9.0]> : tensor<1xf32>} : (tensor<1xf32>) -> ()
  return
}
// Of each the other triangle is no part of the matrix; the last is CUDA's number for the upper one, 1, where ROCm's is 121.
func.func @eigh() {
  %x = "stablehlo.constant"() {value = dense<[[2.0, 9.0], [1.0, 2.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %0:3 = "stablehlo.custom_call"(%x) <{call_target_name = "hipsolver_syevd_ffi"}> {mhlo.backend_config = {algorithm = 2 : ui8, lower = true}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>)
  "check.expect_almost_eq_const"(%0#1) {value = dense<[1.0, 3.0]> : tensor<2xf32>} : (tensor<2xf32>) -> ()
  "check.expect_eq_const"(%0#2) {value = dense<0> : tensor<i32>} : (tensor<i32>) -> ()
  %1:4 = "stablehlo.custom_call"(%x) <{api_version = 2 : i32, backend_config = "\00\00\00\00y\00\00\00\01\00\00\00\02\00\00\00\07\00\00\00", call_target_name = "hipsolver_syevj"}> : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>, tensor<7xf32>)
  "check.expect_almost_eq_const"(%1#1) {value = dense<[-7.0, 11.0]> : tensor<2xf32>} : (tensor<2xf32>) -> ()
  %2:4 = "stablehlo.custom_call"(%x) <{api_version = 2 : i32, backend_config = "\00\00\00\00\01\00\00\00\01\00\00\00\02\00\00\00\07\00\00\00", call_target_name = "cusolver_syevd"}> : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>, tensor<7xf32>)
  "check.expect_almost_eq_const"(%2#1) {value = dense<[-7.0, 11.0]> : tensor<2xf32>} : (tensor<2xf32>) -> ()
  return
}
// u s v^H of a wide matrix, by results in the other order, is the matrix.
func.func @svd_transposed() {
  %x = "stablehlo.constant"() {value = dense<[[(3.0, 0.0), (0.0, 4.0)]]> : tensor<1x2xcomplex<f32>>} : () -> tensor<1x2xcomplex<f32>>
  %0:5 = "stablehlo.custom_call"(%x) <{call_target_name = "cusolver_gesvd_ffi"}> {mhlo.backend_config = {compute_uv = true, full_matrices = false, transposed = true}} : (tensor<1x2xcomplex<f32>>) -> (tensor<1x2xcomplex<f32>>, tensor<1xf32>, tensor<1x2xcomplex<f32>>, tensor<1x1xcomplex<f32>>, tensor<i32>)
  "check.expect_almost_eq_const"(%0#1) {value = dense<[5.0]> : tensor<1xf32>} : (tensor<1xf32>) -> ()
  %five = "stablehlo.constant"() {value = dense<(5.0, 0.0)> : tensor<1x2xcomplex<f32>>} : () -> tensor<1x2xcomplex<f32>>
  %1 = "stablehlo.dot_general"(%0#3, %0#2) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<1x1xcomplex<f32>>, tensor<1x2xcomplex<f32>>) -> tensor<1x2xcomplex<f32>>
  %2 = "stablehlo.multiply"(%1, %five) : (tensor<1x2xcomplex<f32>>, tensor<1x2xcomplex<f32>>) -> tensor<1x2xcomplex<f32>>
  "check.expect_almost_eq"(%2, %x) : (tensor<1x2xcomplex<f32>>, tensor<1x2xcomplex<f32>>) -> ()
  return
}
// v in the place of v^H; without vectors there are scalars in gesvd's results.
func.func @svd_jacobi() {
  %x = "stablehlo.constant"() {value = dense<[[(3.0, 0.0), (0.0, 4.0)]]> : tensor<1x2xcomplex<f32>>} : () -> tensor<1x2xcomplex<f32>>
  %0:5 = "stablehlo.custom_call"(%x) <{call_target_name = "hipsolver_gesvdj_ffi"}> {mhlo.backend_config = {compute_uv = true, full_matrices = false}} : (tensor<1x2xcomplex<f32>>) -> (tensor<1x2xcomplex<f32>>, tensor<1xf32>, tensor<1x1xcomplex<f32>>, tensor<2x1xcomplex<f32>>, tensor<i32>)
  // x v = u s
  %1 = "stablehlo.dot_general"(%x, %0#3) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<1x2xcomplex<f32>>, tensor<2x1xcomplex<f32>>) -> tensor<1x1xcomplex<f32>>
  %five = "stablehlo.constant"() {value = dense<(5.0, 0.0)> : tensor<1x1xcomplex<f32>>} : () -> tensor<1x1xcomplex<f32>>
  %2 = "stablehlo.multiply"(%0#2, %five) : (tensor<1x1xcomplex<f32>>, tensor<1x1xcomplex<f32>>) -> tensor<1x1xcomplex<f32>>
  "check.expect_almost_eq"(%1, %2) : (tensor<1x1xcomplex<f32>>, tensor<1x1xcomplex<f32>>) -> ()
  %3:5 = "stablehlo.custom_call"(%x) <{call_target_name = "hipsolver_gesdd_ffi"}> {mhlo.backend_config = {compute_uv = false, full_matrices = true, transposed = false}} : (tensor<1x2xcomplex<f32>>) -> (tensor<1x2xcomplex<f32>>, tensor<1xf32>, tensor<complex<f32>>, tensor<complex<f32>>, tensor<i32>)
  "check.expect_almost_eq_const"(%3#1) {value = dense<[5.0]> : tensor<1xf32>} : (tensor<1xf32>) -> ()
  return
}
// A matrix without an inverse has NaN.
func.func @tridiagonal() {
  %l = "stablehlo.constant"() {value = dense<[[0.0, 4.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %d = "stablehlo.constant"() {value = dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 1.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %u = "stablehlo.constant"() {value = dense<[[2.0, 3.0, 9.0], [1.0, 1.0, 9.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %b = "stablehlo.constant"() {value = dense<[[[2.0], [8.0], [3.0]], [[1.0], [1.0], [1.0]]]> : tensor<2x3x1xf32>} : () -> tensor<2x3x1xf32>
  %0 = "stablehlo.custom_call"(%l, %d, %u, %b) <{call_target_name = "cusparse_gtsv2_ffi"}> {mhlo.backend_config = {}} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  "check.expect_almost_eq_const"(%0) {value = dense<[[[1.0], [1.0], [1.0]], [[0x7FC00000], [0x7FC00000], [0x7FC00000]]]> : tensor<2x3x1xf32>} : (tensor<2x3x1xf32>) -> ()
  return
}
// Two exchanges one after the other; what is no row's number exchanges nothing.
func.func @permutation() {
  %x = "stablehlo.constant"() {value = dense<[[1, 2], [4, 0], [-1, 1]]> : tensor<3x2xi32>} : () -> tensor<3x2xi32>
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "cu_lu_pivots_to_permutation"}> {mhlo.backend_config = {}} : (tensor<3x2xi32>) -> tensor<3x4xi32>
  "check.expect_eq_const"(%0) {value = dense<[[1, 2, 0, 3], [1, 0, 2, 3], [0, 1, 2, 3]]> : tensor<3x4xi32>} : (tensor<3x4xi32>) -> ()
  %none = "stablehlo.constant"() {value = dense<> : tensor<2x0xi32>} : () -> tensor<2x0xi32>
  %1 = "stablehlo.custom_call"(%none) <{call_target_name = "hip_lu_pivots_to_permutation"}> : (tensor<2x0xi32>) -> tensor<2x3xi32>
  "check.expect_eq_const"(%1) {value = dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>} : (tensor<2x3xi32>) -> ()
  return
}
// The vectors that Random123 publishes for ThreeFry-2x32 of 20 rounds.
func.func @three_fry() {
  %k0 = "stablehlo.constant"() {value = dense<[0, 4294967295, 320440878]> : tensor<3xui32>} : () -> tensor<3xui32>
  %k1 = "stablehlo.constant"() {value = dense<[0, 4294967295, 57701188]> : tensor<3xui32>} : () -> tensor<3xui32>
  %x0 = "stablehlo.constant"() {value = dense<[0, 4294967295, 608135816]> : tensor<3xui32>} : () -> tensor<3xui32>
  %x1 = "stablehlo.constant"() {value = dense<[0, 4294967295, 2242054355]> : tensor<3xui32>} : () -> tensor<3xui32>
  %0:2 = "stablehlo.custom_call"(%k0, %k1, %x0, %x1) <{call_target_name = "cu_threefry2x32_ffi"}> {mhlo.backend_config = {}} : (tensor<3xui32>, tensor<3xui32>, tensor<3xui32>, tensor<3xui32>) -> (tensor<3xui32>, tensor<3xui32>)
  "check.expect_eq_const"(%0#0) {value = dense<[1797259609, 481924860, 3297917596]> : tensor<3xui32>} : (tensor<3xui32>) -> ()
  "check.expect_eq_const"(%0#1) {value = dense<[2579123966, 3137350631, 1212020640]> : tensor<3xui32>} : (tensor<3xui32>) -> ()
  return
}

//--- bad.mlir
// The configuration says that there are three rows.
func.func @rows(%x: tensor<2x2xf32>) {
  // expected-error@+1 {{calls "hipsolver_syevd" in a form that is not supported yet}}
  %0:4 = "stablehlo.custom_call"(%x) <{api_version = 2 : i32, backend_config = "\00\00\00\00z\00\00\00\01\00\00\00\03\00\00\00\07\00\00\00", call_target_name = "hipsolver_syevd"}> : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>, tensor<7xf32>)
  return
}

// -----

// CUDA's number for a triangle.
func.func @triangle(%x: tensor<2x2xf32>) {
  // expected-error@+1 {{calls "hipsolver_syevj" in a form that is not supported yet}}
  %0:4 = "stablehlo.custom_call"(%x) <{api_version = 2 : i32, backend_config = "\00\00\00\00\01\00\00\00\01\00\00\00\02\00\00\00\07\00\00\00", call_target_name = "hipsolver_syevj"}> : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>, tensor<7xf32>)
  return
}

// -----

func.func @length(%x: tensor<2x2xf32>) {
  // expected-error@+1 {{calls "cusolver_syevj" in a form that is not supported yet}}
  %0:4 = "stablehlo.custom_call"(%x) <{api_version = 2 : i32, backend_config = "\00\00", call_target_name = "cusolver_syevj"}> : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>, tensor<7xf32>)
  return
}

// -----

func.func @algorithm(%x: tensor<2x2xf32>) {
  // expected-error@+1 {{calls "cusolver_syevd_ffi" in a form that is not supported yet}}
  %0:3 = "stablehlo.custom_call"(%x) <{call_target_name = "cusolver_syevd_ffi"}> {mhlo.backend_config = {algorithm = 3 : ui8, lower = true}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>)
  return
}

// -----

func.func @tall(%x: tensor<2x1xf32>) {
  // expected-error@+1 {{calls "cusolver_gesvd_ffi" in a form that is not supported yet}}
  %0:5 = "stablehlo.custom_call"(%x) <{call_target_name = "cusolver_gesvd_ffi"}> {mhlo.backend_config = {compute_uv = true, full_matrices = false, transposed = true}} : (tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<1xf32>, tensor<1x1xf32>, tensor<2x1xf32>, tensor<i32>)
  return
}

// -----

func.func @few(%x: tensor<3xi32>) {
  // expected-error@+1 {{calls "cu_lu_pivots_to_permutation" in a form that is not supported yet}}
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "cu_lu_pivots_to_permutation"}> : (tensor<3xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @words(%x: tensor<3xui32>, %y: tensor<ui32>) {
  // expected-error@+1 {{calls "hip_threefry2x32_ffi" in a form that is not supported yet}}
  %0:2 = "stablehlo.custom_call"(%y, %y, %x, %x) <{call_target_name = "hip_threefry2x32_ffi"}> : (tensor<ui32>, tensor<ui32>, tensor<3xui32>, tensor<3xui32>) -> (tensor<3xui32>, tensor<3xui32>)
  return
}
