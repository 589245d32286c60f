// Algorithms of products of matrices go through all forms; running sums become loops.
// RUN: split-file %s %t
// RUN: xla-opt %t/dots.mlir --xla-import-stablehlo | FileCheck %s --check-prefix=XLA
// RUN: xla-translate %t/dots.mlir --to=hlo -o %t.hlo && FileCheck %s --check-prefix=HLO < %t.hlo
// RUN: xla-opt %t.hlo | FileCheck %s --check-prefix=XLA
// RUN: xla-translate %t.hlo --to=artifact -o %t.bin && xla-opt %t.bin --xla-import-stablehlo | FileCheck %s --check-prefix=XLA
// RUN: xla-translate %t.hlo --to=stablehlo | FileCheck %s --check-prefix=STABLEHLO
// XLA: xla.dot_general %{{.*}} {algorithm = "dot_bf16_bf16_f32_x3"
// XLA: xla.dot_general %{{.*}} {algorithm = "dot_any_f8_any_f8_f32_fast_accum"
// HLO: dot({{.*}}, algorithm=dot_bf16_bf16_f32_x3
// HLO: dot({{.*}}, algorithm=dot_any_f8_any_f8_f32_fast_accum
// STABLEHLO: algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>
// STABLEHLO: algorithm = <lhs_precision_type = f8E4M3FN, rhs_precision_type = f8E5M2, accumulation_type = f32,{{.*}} allow_imprecise_accumulation = true>

// RUN: not xla-translate %t/unknown.mlir --to=hlo 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not xla-translate %t/unknown.mlir --to=stablehlo 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: unknown.mlir:2:8: error: {{.*}}attribute 'algorithm'{{.*}} is none of XLA's

// RUN: xla-translate %t/scan.mlir --to=hlo -o %t.hlo && FileCheck %s --check-prefix=SCAN < %t.hlo
// RUN: xla-run %t.hlo --input="2x4xf32=1 2 3 4 5 6 7 8" | FileCheck %s --check-prefix=SUMS
// SCAN: while(
// SUMS: 2x4xf32=10 9 7 4 26 21 15 8

//--- dots.mlir
module {
  func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %c: tensor<2x3xf8E4M3FN>, %d: tensor<3x2xf8E5M2>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = f8E4M3FN, rhs_precision_type = f8E5M2, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true> : (tensor<2x3xf8E4M3FN>, tensor<3x2xf8E5M2>) -> tensor<2x2xf32>
    return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
  }
}
//--- unknown.mlir
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = xla.dot_general %a, %b {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], algorithm = "other"} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
//--- scan.mlir
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {dimension = 1, reverse = true} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
