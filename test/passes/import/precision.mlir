// How exact results are to be: dropped where they are anyway, refused where they are not.
// RUN: split-file %s %t
// RUN: xla-opt --xla-import-stablehlo %t/good.mlir | FileCheck %t/good.mlir
// RUN: xla-run %t/good.mlir --entry=nan --input="4xf32=nan -nan 3.0 -1e30" --device=all | FileCheck %t/good.mlir --check-prefix=NAN
// RUN: xla-opt --xla-import-stablehlo --split-input-file --verify-diagnostics %t/bad.mlir

//--- good.mlir
// CHECK-LABEL: func.func @algorithms
func.func @algorithms(%a: tensor<2x2xf32>, %h: tensor<2x2xf16>, %d: tensor<2x2xf64>, %i: tensor<2x2xi8>) {
  // CHECK-NOT: algorithm
  // CHECK-COUNT-6: xla.dot_general
  // CHECK: return
  %0 = "stablehlo.dot_general"(%a, %a) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "stablehlo.dot_general"(%a, %a) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = "stablehlo.dot_general"(%h, %h) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f16, rhs_precision_type = f16, accumulation_type = f16, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
  %3 = "stablehlo.dot_general"(%h, %h) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f16, rhs_precision_type = f16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
  %4 = "stablehlo.dot_general"(%d, %d) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f64, rhs_precision_type = f64, accumulation_type = f64, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %5 = "stablehlo.dot_general"(%i, %i) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = i8, rhs_precision_type = i8, accumulation_type = i32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2x2xi32>
  return
}

// CHECK-LABEL: func.func @accuracies
func.func @accuracies(%a: tensor<2xf32>, %h: tensor<2xbf16>, %d: tensor<2xf64>) {
  // CHECK-NOT: result_accuracy
  // CHECK: return
  %0 = "stablehlo.exponential"(%a) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>}> : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "stablehlo.exponential"(%a) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "stablehlo.exponential"(%a) <{result_accuracy = #stablehlo.result_accuracy<ulps = 4, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<2xf32>) -> tensor<2xf32>
  %3 = "stablehlo.log"(%a) <{result_accuracy = #stablehlo.result_accuracy<atol = 0.000000e+00, rtol = 1.000000e-06, ulps = 0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<2xf32>) -> tensor<2xf32>
  %4 = "stablehlo.sine"(%a) <{result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-06, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<2xf32>) -> tensor<2xf32>
  %5 = "stablehlo.tanh"(%h) <{result_accuracy = #stablehlo.result_accuracy<ulps = 1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<2xbf16>) -> tensor<2xbf16>
  %6 = "stablehlo.rsqrt"(%d) <{result_accuracy = #stablehlo.result_accuracy<rtol = 4.5e-16, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<2xf64>) -> tensor<2xf64>
  return
}

// Without mantissa bits StableHLO has infinities, of the same sign, for NaN.
// CHECK-LABEL: func.func @nan
// NAN: {{^}}4xf32=inf -inf 2 -1.2676506e+30{{$}}
func.func @nan(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.reduce_precision"(%x) <{exponent_bits = 8 : i32, mantissa_bits = 0 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @nan_stays
// CHECK-NEXT: xla.reduce_precision
// CHECK-NEXT: return
func.func @nan_stays(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.reduce_precision"(%x) <{exponent_bits = 8 : i32, mantissa_bits = 1 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- bad.mlir
func.func @wider_sums(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{attribute 'algorithm' is not supported yet: it sums in f64, of which results of type f32 are summed in f32}}
  %0 = "stablehlo.dot_general"(%a, %a) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f64, rhs_precision_type = f64, accumulation_type = f64, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @no_algorithm(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{attribute 'algorithm' cannot be read: dot_algorithm<lhs_precision_type = f64>}}
  %0 = "stablehlo.dot_general"(%a, %a) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f64>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @too_exact(%a: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'result_accuracy' is not supported yet: errors may be 4 units in the last place of f32, a relative 4.76837e-07}}
  %0 = "stablehlo.exponential"(%a) {result_accuracy = #stablehlo.result_accuracy<rtol = 1.0e-7, ulps = 3, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @unknown_error(%a: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{attribute 'result_accuracy' is not supported yet for elements of this type}}
  %0 = "stablehlo.exponential"(%a) {result_accuracy = #stablehlo.result_accuracy<ulps = 3, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @mode(%a: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'result_accuracy' cannot be read: result_accuracy<ulps = 3}}
  %0 = "stablehlo.exponential"(%a) {result_accuracy = #stablehlo.result_accuracy<ulps = 3, mode = #stablehlo.result_accuracy_mode<BEST>>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @quantized(%a: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.uniform_quantize' op is not supported yet: quantized elements are not supported}}
  %0 = "stablehlo.uniform_quantize"(%a) : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}
