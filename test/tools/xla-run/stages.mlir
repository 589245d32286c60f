// RUN: rm -rf %t && xla-run %s --dump=%t --stats --print-ir-after=import > %t.out 2>&1 && FileCheck %s < %t.out
// CHECK: // after import
// CHECK: xla.negate
// CHECK: f32=-3
// CHECK: {{^}}parse {{ *}}{{[0-9.]+}} ms{{$}}
// CHECK-NEXT: {{^}}import {{ *}}{{[0-9.]+}} ms{{$}}
// CHECK-NEXT: {{^}}interpreter: run {{ *}}{{[0-9.]+}} ms{{$}}
// CHECK-NEXT: {{^}}total {{ *}}{{[0-9.]+}} ms{{$}}
// CHECK-NEXT: {{^}}peak memory {{ *}}{{[0-9]+}} bytes{{$}}
// RUN: FileCheck %s --check-prefix=PARSE < %t/00-parse.mlir
// PARSE: "stablehlo.negate"
// RUN: FileCheck %s --check-prefix=IMPORT < %t/01-import.mlir
// IMPORT: xla.negate
// What is dumped runs.
// RUN: xla-run %t/01-import.mlir | FileCheck %s --check-prefix=RESULT
// RESULT: {{^}}f32=-3{{$}}
// RUN: not xla-run %s --dump=%s 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: xla-run: {{.*}}stages.mlir/00-parse.mlir: Not a directory

func.func @main() -> tensor<f32> {
  %0 = xla.constant dense<3.0> : tensor<f32>
  %1 = "stablehlo.negate"(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
