// Quantized elements are read, and refused where something is computed.
// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt --mlir-print-op-generic %s | xla-opt - | FileCheck %s
// RUN: not xla-run %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.uniform_quantize %arg0 : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 1.000000e+00>>
// CHECK-NEXT: stablehlo.add %0, %0 : tensor<4x!quant.uniform<i8:f32, 1.000000e+00>>
// CHECK-NEXT: stablehlo.uniform_dequantize %1 : (tensor<4x!quant.uniform<i8:f32, 1.000000e+00>>) -> tensor<4xf32>
// REFUSED: quantized.mlir:[[#@LINE+2]]:8: error: 'stablehlo.uniform_quantize' op is not supported yet: quantized elements are not supported
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.uniform_quantize %a : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 1.000000e+00>>
  %1 = stablehlo.add %0, %0 : tensor<4x!quant.uniform<i8:f32, 1.000000e+00>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<4x!quant.uniform<i8:f32, 1.000000e+00>>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
