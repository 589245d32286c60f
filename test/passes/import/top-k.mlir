// chlo.top_k is xla.top_k, however its attribute is written.
// RUN: xla-opt --allow-unregistered-dialect --xla-import-stablehlo --split-input-file --verify-diagnostics %s | FileCheck %s
// RUN: xla-opt --allow-unregistered-dialect --xla-import-stablehlo --xla-expand --split-input-file --verify-diagnostics %s | FileCheck %s --check-prefix=SORT

// CHECK: xla.top_k %arg0 {k = 3 : i64} : (tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
// SORT-LABEL: @top_k
// SORT: %[[I:.*]] = xla.iota {iota_dimension = 1 : i64} : () -> tensor<2x5xi32>
// SORT-NEXT: %[[S:.*]]:2 = xla.sort(%arg0, %[[I]]) ({
// SORT-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>):
// SORT-NEXT:   %[[C:.*]] = xla.compare %[[A]], %[[B]] {compare_type = "TOTALORDER", comparison_direction = "GT"}
// SORT-NEXT:   xla.return %[[C]] : tensor<i1>
// SORT-NEXT: }) {dimension = 1 : i64, is_stable = true}
// SORT: xla.slice %[[S]]#0 {limit_indices = array<i64: 2, 3>, start_indices = array<i64: 0, 0>{{.*}}} : (tensor<2x5xf32>) -> tensor<2x3xf32>
// SORT: xla.slice %[[S]]#1 {limit_indices = array<i64: 2, 3>, start_indices = array<i64: 0, 0>{{.*}}} : (tensor<2x5xi32>) -> tensor<2x3xi32>
func.func @top_k(%x: tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %0:2 = "chlo.top_k"(%x) {k = 3 : i64} : (tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}

// -----

func.func @too_many(%x: tensor<2x5xf32>) {
  // expected-error @+1 {{k is 6, the last dimension of operand 0 has 5 elements [top_k_c2]}}
  %0:2 = "chlo.top_k"(%x) <{k = 6 : i64}> : (tensor<2x5xf32>) -> (tensor<2x6xf32>, tensor<2x6xi32>)
  return
}

// -----

func.func @scalar(%x: tensor<f32>) {
  // expected-error @+1 {{'chlo.top_k' op is not supported yet}}
  %0:2 = "chlo.top_k"(%x) <{k = 1 : i64}> : (tensor<f32>) -> (tensor<f32>, tensor<i32>)
  return
}
