// Computations of Shardy are what is in them, where they are of one device.
// RUN: xla-opt %s --xla-import-stablehlo --split-input-file --verify-diagnostics | FileCheck %s

sdy.mesh @mesh = <["x"=1]>
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %0 = xla.add %arg0, %arg2
// CHECK-NEXT:    %1 = xla.multiply %0, %arg0
// CHECK-NEXT:    %2 = xla.negate %arg1
// CHECK-NEXT:    %3 = xla.sine %2
// CHECK-NEXT:    return %1, %3
func.func @main(%x: tensor<8xf32>, %y: tensor<4xf32>, %z: tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %0:2 = sdy.manual_computation(%x, %y) in_shardings=[<@mesh, [{"x"}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{}]>] manual_axes={"x"} (%a: tensor<8xf32>, %b: tensor<4xf32>) {
    %1 = stablehlo.add %a, %z : tensor<8xf32>
    %2 = stablehlo.multiply %1, %a : tensor<8xf32>
    %3 = stablehlo.negate %b : tensor<4xf32>
    sdy.return %2, %3 : tensor<8xf32>, tensor<4xf32>
  } : (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>)
  %4 = sdy.named_computation<"sines">(%0#1) (%a: tensor<4xf32>) {
    %5 = stablehlo.sine %a : tensor<4xf32>
    sdy.return %5 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0#0, %4 : tensor<8xf32>, tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'sdy.manual_computation' op has tensor<4xf32> of operand 0, tensor<8xf32>: a program of several devices}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<4xf32>) {
    sdy.return %a : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
