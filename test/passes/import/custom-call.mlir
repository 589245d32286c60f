// Custom calls that JAX writes, as operations.
// RUN: split-file %s %t
// RUN: xla-opt --xla-import-stablehlo %t/good.mlir | FileCheck %t/good.mlir
// RUN: xla-run %t/values.mlir --check | FileCheck %t/values.mlir --check-prefix=VALUES
// RUN: xla-run %t/compiled.mlir --check --device=cpu | FileCheck %t/compiled.mlir --check-prefix=COMPILED
// RUN: xla-opt --xla-import-stablehlo --split-input-file --verify-diagnostics %t/bad.mlir

//--- good.mlir
"builtin.module"() ({
  // CHECK-NOT: sdy
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=1]>, sym_name = "mesh"}> : () -> ()
  // CHECK-LABEL: func.func @placed
  // CHECK-NEXT: return %arg0, %arg0, %arg0
  "func.func"() <{function_type = (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>), sym_name = "placed"}> ({
  ^bb0(%x: tensor<2xf32>):
    %0 = "sdy.sharding_constraint"(%x) <{sharding = #sdy.sharding<@mesh, [{"x"}]>}> : (tensor<2xf32>) -> tensor<2xf32>
    %1 = "stablehlo.custom_call"(%x) <{call_target_name = "Sharding"}> {mhlo.sharding = "{replicated}"} : (tensor<2xf32>) -> tensor<2xf32>
    // As HLO has it.
    %2 = "stablehlo.custom_call"(%x) <{call_target_name = "xla.sdy.FuncResultSharding", has_side_effect = true}> : (tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%0, %1, %2) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> ()
  }) : () -> ()
  // CHECK-LABEL: func.func @lapack
  // CHECK: xla.cholesky %arg0
  // CHECK: xla.triangular_solve %arg0, %arg0 {left_side = false, lower = true, transpose_a = "TRANSPOSE", unit_diagonal = true}
  // CHECK: xla.while
  "func.func"() <{function_type = (tensor<2x2xf64>) -> (tensor<i32>, tensor<2x2xf64>, tensor<2xi32>), sym_name = "lapack"}> ({
  ^bb0(%x: tensor<2x2xf64>):
    %0:2 = "stablehlo.custom_call"(%x) <{api_version = 4 : i32, call_target_name = "lapack_dpotrf_ffi", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]}> {mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<i32>)
    %1 = "stablehlo.custom_call"(%x, %x) <{api_version = 4 : i32, backend_config = {diag = 85 : ui8, side = 82 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, call_target_name = "lapack_dtrsm_ffi"}> : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
    %2:3 = "stablehlo.custom_call"(%x) <{api_version = 4 : i32, call_target_name = "lapack_dgetrf_ffi"}> {mhlo.backend_config = {}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xi32>, tensor<i32>)
    "func.return"(%0#1, %1, %2#1) : (tensor<i32>, tensor<2x2xf64>, tensor<2xi32>) -> ()
  }) : () -> ()
}) : () -> ()

//--- values.mlir
// VALUES: {{^}}1 passed, 0 failed{{$}}
// The second matrix has no Cholesky factor.
func.func @cholesky() {
  %x = "stablehlo.constant"() {value = dense<[[[4.0, 9.0], [2.0, 5.0]], [[1.0, 9.0], [2.0, 1.0]]]> : tensor<2x2x2xf32>} : () -> tensor<2x2x2xf32>
  %0:2 = "stablehlo.custom_call"(%x) <{api_version = 4 : i32, call_target_name = "lapack_spotrf_ffi"}> {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2xi32>)
  "check.expect_eq_const"(%0#1) {value = dense<[0, 1]> : tensor<2xi32>} : (tensor<2xi32>) -> ()
  %1 = "stablehlo.slice"(%0#0) {start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 1, 2, 1>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x2xf32>) -> tensor<1x2x1xf32>
  "check.expect_eq_const"(%1) {value = dense<[[[2.0], [1.0]]]> : tensor<1x2x1xf32>} : (tensor<1x2x1xf32>) -> ()
  return
}

//--- compiled.mlir
// COMPILED: {{^}}6 passed, 0 failed{{$}}
func.func @lu() {
  // Rows change places; a matrix without inverse says where; more rows than columns.
  %x = "stablehlo.constant"() {value = dense<[[[1.0, 2.0], [4.0, 6.0], [2.0, 7.0]], [[0.0, 1.0], [0.0, 2.0], [0.0, 4.0]]]> : tensor<2x3x2xf32>} : () -> tensor<2x3x2xf32>
  %0:3 = "stablehlo.custom_call"(%x) <{api_version = 4 : i32, call_target_name = "lapack_sgetrf_ffi"}> {mhlo.backend_config = {}} : (tensor<2x3x2xf32>) -> (tensor<2x3x2xf32>, tensor<2x2xi32>, tensor<2xi32>)
  "check.expect_eq_const"(%0#0) {value = dense<[[[4.0, 6.0], [0.5, 4.0], [0.25, 0.125]], [[0.0, 1.0], [0.0, 4.0], [0.0, 0.5]]]> : tensor<2x3x2xf32>} : (tensor<2x3x2xf32>) -> ()
  "check.expect_eq_const"(%0#1) {value = dense<[[2, 3], [1, 3]]> : tensor<2x2xi32>} : (tensor<2x2xi32>) -> ()
  "check.expect_eq_const"(%0#2) {value = dense<[0, 1]> : tensor<2xi32>} : (tensor<2xi32>) -> ()
  return
}
func.func @lu_of_nothing() {
  %x = "stablehlo.constant"() {value = dense<> : tensor<0x2xf32>} : () -> tensor<0x2xf32>
  %0:3 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_sgetrf_ffi"}> : (tensor<0x2xf32>) -> (tensor<0x2xf32>, tensor<0xi32>, tensor<i32>)
  "check.expect_eq_const"(%0#2) {value = dense<0> : tensor<i32>} : (tensor<i32>) -> ()
  return
}
// The second matrix is reflected already, the third is nothing.
func.func @qr() {
  %x = "stablehlo.constant"() {value = dense<[[[3.0], [4.0]], [[2.0], [0.0]], [[0.0], [0.0]]]> : tensor<3x2x1xf32>} : () -> tensor<3x2x1xf32>
  %0:2 = "stablehlo.custom_call"(%x) <{api_version = 4 : i32, call_target_name = "lapack_sgeqrf_ffi"}> {mhlo.backend_config = {}} : (tensor<3x2x1xf32>) -> (tensor<3x2x1xf32>, tensor<3x1xf32>)
  "check.expect_almost_eq_const"(%0#0) {value = dense<[[[-5.0], [0.5]], [[2.0], [0.0]], [[0.0], [0.0]]]> : tensor<3x2x1xf32>} : (tensor<3x2x1xf32>) -> ()
  "check.expect_almost_eq_const"(%0#1) {value = dense<[[1.6], [0.0], [0.0]]> : tensor<3x1xf32>} : (tensor<3x1xf32>) -> ()
  %1 = "stablehlo.custom_call"(%0#0, %0#1) <{api_version = 4 : i32, call_target_name = "lapack_sorgqr_ffi"}> {mhlo.backend_config = {}} : (tensor<3x2x1xf32>, tensor<3x1xf32>) -> tensor<3x2x1xf32>
  "check.expect_almost_eq_const"(%1) {value = dense<[[[-0.6], [-0.8]], [[1.0], [0.0]], [[1.0], [0.0]]]> : tensor<3x2x1xf32>} : (tensor<3x2x1xf32>) -> ()
  // Squares that neither overflow nor vanish.
  %y = "stablehlo.constant"() {value = dense<[[[3.0e30], [4.0e30]], [[3.0e-30], [4.0e-30]]]> : tensor<2x2x1xf32>} : () -> tensor<2x2x1xf32>
  %2:2 = "stablehlo.custom_call"(%y) <{call_target_name = "lapack_sgeqrf_ffi"}> : (tensor<2x2x1xf32>) -> (tensor<2x2x1xf32>, tensor<2x1xf32>)
  "check.expect_almost_eq_const"(%2#1) {value = dense<1.6> : tensor<2x1xf32>} : (tensor<2x1xf32>) -> ()
  return
}
func.func @qr_of_nothing() {
  %x = "stablehlo.constant"() {value = dense<> : tensor<2x0xf32>} : () -> tensor<2x0xf32>
  %0:2 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_sgeqrf_ffi"}> : (tensor<2x0xf32>) -> (tensor<2x0xf32>, tensor<0xf32>)
  %y = "stablehlo.constant"() {value = dense<7.0> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %1 = "stablehlo.custom_call"(%y, %0#1) <{call_target_name = "lapack_sorgqr_ffi"}> : (tensor<3x2xf32>, tensor<0xf32>) -> tensor<3x2xf32>
  "check.expect_eq_const"(%1) {value = dense<[[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]> : tensor<3x2xf32>} : (tensor<3x2xf32>) -> ()
  return
}
func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = "stablehlo.compare"(%a, %b) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @top_k() {
  %x = "stablehlo.constant"() {value = dense<[[1.0, 4.0, 3.0], [6.0, 2.0, 5.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %i = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<2x3xi32>
  %a = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
  %b = "stablehlo.constant"() {value = dense<-1> : tensor<i32>} : () -> tensor<i32>
  %0:2 = "stablehlo.custom_call"(%x, %i, %a, %b) <{api_version = 1 : i32, call_target_name = "ApproxTopK", called_computations = [@greater]}> {mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  "check.expect_eq_const"(%0#0) {value = dense<[[4.0, 3.0], [6.0, 5.0]]> : tensor<2x2xf32>} : (tensor<2x2xf32>) -> ()
  "check.expect_eq_const"(%0#1) {value = dense<[[1, 2], [0, 2]]> : tensor<2x2xi32>} : (tensor<2x2xi32>) -> ()
  return
}

func.func @largest() {
  %x = "stablehlo.constant"() {value = dense<[[1.0, 4.0, 3.0], [6.0, 2.0, 5.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %0:2 = "stablehlo.custom_call"(%x) <{call_target_name = "mhlo.topk"}> {mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  "check.expect_eq_const"(%0#0) {value = dense<[[4.0, 3.0], [6.0, 5.0]]> : tensor<2x2xf32>} : (tensor<2x2xf32>) -> ()
  "check.expect_eq_const"(%0#1) {value = dense<[[1, 2], [0, 2]]> : tensor<2x2xi32>} : (tensor<2x2xi32>) -> ()
  return
}

//--- bad.mlir
func.func @smallest(%x: tensor<3xf32>) {
  // expected-error@+1 {{calls "mhlo.topk" in a form that is not supported yet}}
  %0:2 = "stablehlo.custom_call"(%x) <{call_target_name = "mhlo.topk"}> {mhlo.attributes = {k = 2 : i64, largest = false}} : (tensor<3xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  return
}

// -----

func.func @aliased(%x: tensor<2x2xf32>) {
  // expected-error@+1 {{calls "lapack_sgeev_ffi", which is not supported yet: by output_operand_aliases it finds operands where its results go, which start as zeros here; what JAX lowers for xlac calls SciPy's, see docs/jax.md}}
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_sgeev_ffi", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @letters(%x: tensor<2x2xf32>) {
  // expected-error@+1 {{calls "lapack_strsm_ffi" in a form that is not supported yet}}
  %0 = "stablehlo.custom_call"(%x, %x) <{call_target_name = "lapack_strsm_ffi"}> {mhlo.backend_config = {diag = 85 : ui8, side = 82 : ui8, trans_x = 33 : ui8, uplo = 76 : ui8}} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @results(%x: tensor<2x2xf32>) {
  // expected-error@+1 {{is stated to give tensor<i64> as result 1, not tensor<i32>}}
  %0:2 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_spotrf_ffi"}> {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i64>)
  return
}

// -----

func.func @integers(%x: tensor<2x2xi32>) {
  // expected-error@+1 {{calls "lapack_sgetrf_ffi" in a form that is not supported yet}}
  %0:3 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_sgetrf_ffi"}> : (tensor<2x2xi32>) -> (tensor<2x2xi32>, tensor<2xi32>, tensor<i32>)
  return
}

// -----

func.func @many_reflections(%x: tensor<3x2xf32>, %t: tensor<3xf32>) {
  // expected-error@+1 {{calls "lapack_sorgqr_ffi" in a form that is not supported yet}}
  %0 = "stablehlo.custom_call"(%x, %t) <{call_target_name = "lapack_sorgqr_ffi"}> : (tensor<3x2xf32>, tensor<3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @too_many(%x: tensor<3xf32>, %a: tensor<f32>) {
  // expected-error@+1 {{calls "ApproxTopK" in a form that is not supported yet}}
  %0 = "stablehlo.custom_call"(%x, %a) <{call_target_name = "ApproxTopK", called_computations = [@f]}> {mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 4 : i64}} : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @no_symbol(%x: tensor<3xf32>, %a: tensor<f32>) {
  // expected-error@+1 {{calls "ApproxTopK" in a form that is not supported yet}}
  %0 = "stablehlo.custom_call"(%x, %a) <{call_target_name = "ApproxTopK", called_computations = [7]}> {mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}} : (tensor<3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @no_target(%x: tensor<3xf32>) {
  // expected-error@+1 {{'xla.custom_call' op requires the attribute 'call_target_name'}}
  %0 = "stablehlo.custom_call"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return
}
