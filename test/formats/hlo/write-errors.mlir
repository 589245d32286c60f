// What HLO has no counterpart of is said at the operation, and nothing is written.
// RUN: split-file %s %t
// RUN: not xla-translate %t/captured.mlir --to=hlo 2>&1 | FileCheck %s --check-prefix=CAPTURED
// CAPTURED-NOT: HloModule
// CAPTURED: captured.mlir:3:8: error: 'xla.reduce' op takes values from outside, 1 that are no constants, which computations of HLO cannot
// RUN: not xla-translate %t/recursive.mlir --to=hlo 2>&1 | FileCheck %s --check-prefix=RECURSIVE
// RECURSIVE: recursive.mlir:1:1: error: 'func.func' op calls itself, which computations of HLO cannot
// RUN: not xla-translate %t/entries.mlir --to=hlo 2>&1 | FileCheck %s --check-prefix=ENTRIES
// ENTRIES: error: 'builtin.module' op has neither @main nor one public function
// RUN: sh %S/../../tools/xla-run/Inputs/code.sh xla-translate %t/entries.mlir --to=hlo | FileCheck %s --check-prefix=WRONG
// WRONG: exit 2
// RUN: sh %S/../../tools/xla-run/Inputs/code.sh xla-translate %t/captured.mlir --to=hlo | FileCheck %s --check-prefix=REFUSED
// REFUSED: exit 3
// RUN: not xla-translate %t/padded.mlir --to=hlo 2>&1 | FileCheck %s --check-prefix=PADDED
// PADDED: error: 'func.func' op has the type tensor<2xf32, #xla.array<{{.*}}>, which HLO lacks

//--- captured.mlir
func.func @main(%x: tensor<4xf32>, %y: tensor<f32>) -> tensor<f32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce (%x, %zero) ({
  ^bb0(%a: tensor<f32>, %d: tensor<f32>):
    %m = xla.maximum %a, %y : tensor<f32>
    xla.return %m : tensor<f32>
  }) {dimensions = [0]} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}
//--- recursive.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- entries.mlir
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
//--- padded.mlir
func.func @main(%x: tensor<2xf32, #xla.array<padded_dimensions = [4]>>) -> tensor<f32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  return %zero : tensor<f32>
}
