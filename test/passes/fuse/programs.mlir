// RUN: xla-opt %s --xla-legalize=entry=softmax --canonicalize --cse --xla-fuse | FileCheck %s --strict-whitespace --check-prefix=SOFTMAX
// RUN: xla-run %s --entry=softmax --device=all --seed=1
// RUN: xla-opt %s --xla-legalize=entry=layer_norm --canonicalize --cse --xla-fuse | FileCheck %s --strict-whitespace --check-prefix=LAYER-NORM
// RUN: xla-run %s --entry=layer_norm --device=all --seed=1
// RUN: xla-opt %s --xla-legalize=entry=batch_norm --canonicalize --cse --xla-fuse | FileCheck %s --strict-whitespace --check-prefix=BATCH-NORM
// RUN: xla-run %s --entry=batch_norm --device=all --seed=1
// RUN: xla-opt %s --xla-legalize=entry=rotary --canonicalize --cse --xla-fuse | FileCheck %s --strict-whitespace --check-prefix=ROTARY
// RUN: xla-run %s --entry=rotary --device=all --seed=1
// RUN: xla-opt %s --xla-legalize=entry=attention --canonicalize --cse --xla-fuse | FileCheck %s --strict-whitespace --check-prefix=ATTENTION
// RUN: xla-run %s --entry=attention --device=all --seed=1
// RUN: xla-opt %s --xla-legalize=entry=masked_attention --canonicalize --cse --xla-fuse | FileCheck %s --strict-whitespace --check-prefix=MASKED-ATTENTION
// RUN: xla-run %s --entry=masked_attention --device=all --seed=1
// RUN: xla-opt %s --xla-legalize=entry=mlp --canonicalize --cse --xla-fuse | FileCheck %s --strict-whitespace --check-prefix=MLP
// RUN: xla-run %s --entry=mlp --device=all --seed=1

// Whole programs as frameworks write them, and the kernels that they become;
// reshapes are views.

// SOFTMAX: func.func
// SOFTMAX-NOT: {{^    %[0-9:]+ = xla[.][^r]}}
// SOFTMAX: {{^    %[0-9:]+ = xla[.]fusion}}
// SOFTMAX-NOT: {{^    %[0-9:]+ = xla[.][^r]}}
// SOFTMAX: {{^    return}}
func.func public @softmax(%arg0: tensor<48x96xf32>) -> tensor<48x96xf32> {
  %0 = xla.constant dense<0xFF800000> : tensor<48xf32>
  %1 = xla.constant dense<0.000000e+00> : tensor<f32>
  %2 = xla.constant dense<0xFF800000> : tensor<f32>
  %3 = xla.reduce(%arg0, %2) ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %13 = xla.maximum %arg1, %arg2 : tensor<f32>
    xla.return %13 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<48x96xf32>, tensor<f32>) -> tensor<48xf32>
  %4 = xla.maximum %0, %3 : tensor<48xf32>
  %5 = xla.broadcast_in_dim %4 {broadcast_dimensions = array<i64: 0>} : (tensor<48xf32>) -> tensor<48x1xf32>
  %6 = xla.broadcast_in_dim %5 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<48x1xf32>) -> tensor<48x96xf32>
  %7 = xla.subtract %arg0, %6 : tensor<48x96xf32>
  %8 = xla.exponential %7 : tensor<48x96xf32>
  %9 = xla.reduce(%8, %1) ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %13 = xla.add %arg1, %arg2 : tensor<f32>
    xla.return %13 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<48x96xf32>, tensor<f32>) -> tensor<48xf32>
  %10 = xla.broadcast_in_dim %9 {broadcast_dimensions = array<i64: 0>} : (tensor<48xf32>) -> tensor<48x1xf32>
  %11 = xla.broadcast_in_dim %10 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<48x1xf32>) -> tensor<48x96xf32>
  %12 = xla.divide %8, %11 : tensor<48x96xf32>
  return %12 : tensor<48x96xf32>
}

// LAYER-NORM: func.func
// LAYER-NORM-NOT: {{^    %[0-9:]+ = xla[.][^r]}}
// LAYER-NORM: {{^    %[0-9:]+ = xla[.]fusion}}
// LAYER-NORM-NOT: {{^    %[0-9:]+ = xla[.][^r]}}
// LAYER-NORM: {{^    return}}
func.func public @layer_norm(%arg0: tensor<48x96xf32>, %arg1: tensor<96xf32>, %arg2: tensor<96xf32>) -> tensor<48x96xf32> {
  %0 = xla.constant dense<9.99999974E-6> : tensor<48x1xf32>
  %1 = xla.constant dense<9.600000e+01> : tensor<48x1xf32>
  %2 = xla.constant dense<0.000000e+00> : tensor<f32>
  %3 = xla.reduce(%arg0, %2) ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %22 = xla.add %arg3, %arg4 : tensor<f32>
    xla.return %22 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<48x96xf32>, tensor<f32>) -> tensor<48xf32>
  %4 = xla.broadcast_in_dim %3 {broadcast_dimensions = array<i64: 0>} : (tensor<48xf32>) -> tensor<48x1xf32>
  %5 = xla.divide %4, %1 : tensor<48x1xf32>
  %6 = xla.broadcast_in_dim %5 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<48x1xf32>) -> tensor<48x96xf32>
  %7 = xla.subtract %arg0, %6 : tensor<48x96xf32>
  %8 = xla.multiply %7, %7 : tensor<48x96xf32>
  %9 = xla.reduce(%8, %2) ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %22 = xla.add %arg3, %arg4 : tensor<f32>
    xla.return %22 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<48x96xf32>, tensor<f32>) -> tensor<48xf32>
  %10 = xla.broadcast_in_dim %9 {broadcast_dimensions = array<i64: 0>} : (tensor<48xf32>) -> tensor<48x1xf32>
  %11 = xla.divide %10, %1 : tensor<48x1xf32>
  %12 = xla.add %11, %0 : tensor<48x1xf32>
  %13 = xla.rsqrt %12 : tensor<48x1xf32>
  %14 = xla.broadcast_in_dim %13 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<48x1xf32>) -> tensor<48x96xf32>
  %15 = xla.multiply %7, %14 : tensor<48x96xf32>
  %16 = xla.broadcast_in_dim %arg1 {broadcast_dimensions = array<i64: 1>} : (tensor<96xf32>) -> tensor<1x96xf32>
  %17 = xla.broadcast_in_dim %16 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x96xf32>) -> tensor<48x96xf32>
  %18 = xla.multiply %15, %17 : tensor<48x96xf32>
  %19 = xla.broadcast_in_dim %arg2 {broadcast_dimensions = array<i64: 1>} : (tensor<96xf32>) -> tensor<1x96xf32>
  %20 = xla.broadcast_in_dim %19 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x96xf32>) -> tensor<48x96xf32>
  %21 = xla.add %18, %20 : tensor<48x96xf32>
  return %21 : tensor<48x96xf32>
}

// BATCH-NORM: func.func
// BATCH-NORM-NOT: {{^    %[0-9:]+ = xla[.][^r]}}
// BATCH-NORM: {{^    %[0-9:]+ = xla[.]fusion}}
// BATCH-NORM-NOT: {{^    %[0-9:]+ = xla[.][^r]}}
// BATCH-NORM: {{^    return}}
func.func public @batch_norm(%x: tensor<4x5x3x24xf32>, %g: tensor<24xf32>, %b: tensor<24xf32>, %m: tensor<24xf32>, %v: tensor<24xf32>) -> tensor<4x5x3x24xf32> {
  %a = xla.abs %v : tensor<24xf32>
  %0 = xla.batch_norm_inference %x, %g, %b, %m, %a {epsilon = 1.0e-05 : f32, feature_index = 3 : i64} : (tensor<4x5x3x24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>) -> tensor<4x5x3x24xf32>
  return %0 : tensor<4x5x3x24xf32>
}

// ROTARY: func.func
// ROTARY-NOT: {{^    %[0-9:]+ = xla[.][^r]}}
// ROTARY: {{^    %[0-9:]+ = xla[.]fusion}}
// ROTARY-NOT: {{^    %[0-9:]+ = xla[.][^r]}}
// ROTARY: {{^    return}}
func.func public @rotary(%arg0: tensor<2x3x24x16xf32>, %arg1: tensor<24x8xf32>, %arg2: tensor<24x8xf32>) -> tensor<2x3x24x16xf32> {
  %0 = xla.slice %arg0 {limit_indices = array<i64: 2, 3, 24, 8>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x3x24x16xf32>) -> tensor<2x3x24x8xf32>
  %1 = xla.slice %arg0 {limit_indices = array<i64: 2, 3, 24, 16>, start_indices = array<i64: 0, 0, 0, 8>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x3x24x16xf32>) -> tensor<2x3x24x8xf32>
  %2 = xla.broadcast_in_dim %arg1 {broadcast_dimensions = array<i64: 2, 3>} : (tensor<24x8xf32>) -> tensor<1x1x24x8xf32>
  %3 = xla.broadcast_in_dim %2 {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x1x24x8xf32>) -> tensor<2x3x24x8xf32>
  %4 = xla.multiply %0, %3 : tensor<2x3x24x8xf32>
  %5 = xla.broadcast_in_dim %arg2 {broadcast_dimensions = array<i64: 2, 3>} : (tensor<24x8xf32>) -> tensor<1x1x24x8xf32>
  %6 = xla.broadcast_in_dim %5 {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x1x24x8xf32>) -> tensor<2x3x24x8xf32>
  %7 = xla.multiply %1, %6 : tensor<2x3x24x8xf32>
  %8 = xla.subtract %4, %7 : tensor<2x3x24x8xf32>
  %9 = xla.multiply %1, %3 : tensor<2x3x24x8xf32>
  %10 = xla.multiply %0, %6 : tensor<2x3x24x8xf32>
  %11 = xla.add %9, %10 : tensor<2x3x24x8xf32>
  %12 = xla.concatenate %8, %11 {dimension = 3 : i64} : (tensor<2x3x24x8xf32>, tensor<2x3x24x8xf32>) -> tensor<2x3x24x16xf32>
  return %12 : tensor<2x3x24x16xf32>
}

// ATTENTION: func.func
// ATTENTION-NOT: {{^    %[0-9:]+ = xla[.][^r]}}
// ATTENTION: {{^    %[0-9:]+ = xla[.]fusion}}
// ATTENTION-NOT: {{^    %[0-9:]+ = xla[.][^r]}}
// ATTENTION: {{^    return}}
func.func public @attention(%arg0: tensor<2x3x32x16xf32>, %arg1: tensor<2x3x32x16xf32>, %arg2: tensor<2x3x32x16xf32>) -> tensor<2x3x32x16xf32> {
  %0 = xla.constant dense<0xFF800000> : tensor<2x3x32xf32>
  %1 = xla.constant dense<4.000000e+00> : tensor<2x3x32x32xf32>
  %2 = xla.constant dense<0.000000e+00> : tensor<f32>
  %3 = xla.constant dense<0xFF800000> : tensor<f32>
  %4 = xla.dot_general %arg0, %arg1 {lhs_batching_dimensions = array<i64: 0, 1>, lhs_contracting_dimensions = array<i64: 3>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0, 1>, rhs_contracting_dimensions = array<i64: 3>} : (tensor<2x3x32x16xf32>, tensor<2x3x32x16xf32>) -> tensor<2x3x32x32xf32>
  %5 = xla.divide %4, %1 : tensor<2x3x32x32xf32>
  %6 = xla.reduce(%5, %3) ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %17 = xla.maximum %arg3, %arg4 : tensor<f32>
    xla.return %17 : tensor<f32>
  }) {dimensions = array<i64: 3>} : (tensor<2x3x32x32xf32>, tensor<f32>) -> tensor<2x3x32xf32>
  %7 = xla.maximum %0, %6 : tensor<2x3x32xf32>
  %8 = xla.broadcast_in_dim %7 {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<2x3x32xf32>) -> tensor<2x3x32x1xf32>
  %9 = xla.broadcast_in_dim %8 {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x3x32x1xf32>) -> tensor<2x3x32x32xf32>
  %10 = xla.subtract %5, %9 : tensor<2x3x32x32xf32>
  %11 = xla.exponential %10 : tensor<2x3x32x32xf32>
  %12 = xla.reduce(%11, %2) ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %17 = xla.add %arg3, %arg4 : tensor<f32>
    xla.return %17 : tensor<f32>
  }) {dimensions = array<i64: 3>} : (tensor<2x3x32x32xf32>, tensor<f32>) -> tensor<2x3x32xf32>
  %13 = xla.broadcast_in_dim %12 {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<2x3x32xf32>) -> tensor<2x3x32x1xf32>
  %14 = xla.broadcast_in_dim %13 {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x3x32x1xf32>) -> tensor<2x3x32x32xf32>
  %15 = xla.divide %11, %14 : tensor<2x3x32x32xf32>
  %16 = xla.dot_general %15, %arg2 {lhs_batching_dimensions = array<i64: 0, 1>, lhs_contracting_dimensions = array<i64: 3>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0, 1>, rhs_contracting_dimensions = array<i64: 2>} : (tensor<2x3x32x32xf32>, tensor<2x3x32x16xf32>) -> tensor<2x3x32x16xf32>
  return %16 : tensor<2x3x32x16xf32>
}

// MASKED-ATTENTION: func.func
// MASKED-ATTENTION-NOT: {{^    %[0-9:]+ = xla[.][^r]}}
// MASKED-ATTENTION: {{^    %[0-9:]+ = xla[.]fusion}}
// MASKED-ATTENTION-NOT: {{^    %[0-9:]+ = xla[.][^r]}}
// MASKED-ATTENTION: {{^    return}}
func.func public @masked_attention(%arg0: tensor<2x3x32x16xf32>, %arg1: tensor<2x3x32x16xf32>, %arg2: tensor<2x3x32x16xf32>) -> tensor<2x3x32x16xf32> {
  %0 = xla.constant dense<0xFF800000> : tensor<2x3x32xf32>
  %1 = xla.constant dense<true> : tensor<32x32xi1>
  %2 = xla.constant dense<4.000000e+00> : tensor<2x3x32x32xf32>
  %3 = xla.constant dense<0.000000e+00> : tensor<f32>
  %4 = xla.constant dense<0xFF800000> : tensor<f32>
  %5 = xla.constant dense<-1.000000e+30> : tensor<f32>
  %6 = xla.dot_general %arg0, %arg1 {lhs_batching_dimensions = array<i64: 0, 1>, lhs_contracting_dimensions = array<i64: 3>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0, 1>, rhs_contracting_dimensions = array<i64: 3>} : (tensor<2x3x32x16xf32>, tensor<2x3x32x16xf32>) -> tensor<2x3x32x32xf32>
  %7 = xla.divide %6, %2 : tensor<2x3x32x32xf32>
  %8 = call @tril(%1) : (tensor<32x32xi1>) -> tensor<32x32xi1>
  %9 = call @_where(%8, %7, %5) : (tensor<32x32xi1>, tensor<2x3x32x32xf32>, tensor<f32>) -> tensor<2x3x32x32xf32>
  %10 = xla.reduce(%9, %4) ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %21 = xla.maximum %arg3, %arg4 : tensor<f32>
    xla.return %21 : tensor<f32>
  }) {dimensions = array<i64: 3>} : (tensor<2x3x32x32xf32>, tensor<f32>) -> tensor<2x3x32xf32>
  %11 = xla.maximum %0, %10 : tensor<2x3x32xf32>
  %12 = xla.broadcast_in_dim %11 {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<2x3x32xf32>) -> tensor<2x3x32x1xf32>
  %13 = xla.broadcast_in_dim %12 {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x3x32x1xf32>) -> tensor<2x3x32x32xf32>
  %14 = xla.subtract %9, %13 : tensor<2x3x32x32xf32>
  %15 = xla.exponential %14 : tensor<2x3x32x32xf32>
  %16 = xla.reduce(%15, %3) ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %21 = xla.add %arg3, %arg4 : tensor<f32>
    xla.return %21 : tensor<f32>
  }) {dimensions = array<i64: 3>} : (tensor<2x3x32x32xf32>, tensor<f32>) -> tensor<2x3x32xf32>
  %17 = xla.broadcast_in_dim %16 {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<2x3x32xf32>) -> tensor<2x3x32x1xf32>
  %18 = xla.broadcast_in_dim %17 {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x3x32x1xf32>) -> tensor<2x3x32x32xf32>
  %19 = xla.divide %15, %18 : tensor<2x3x32x32xf32>
  %20 = xla.dot_general %19, %arg2 {lhs_batching_dimensions = array<i64: 0, 1>, lhs_contracting_dimensions = array<i64: 3>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0, 1>, rhs_contracting_dimensions = array<i64: 2>} : (tensor<2x3x32x32xf32>, tensor<2x3x32x16xf32>) -> tensor<2x3x32x16xf32>
  return %20 : tensor<2x3x32x16xf32>
}
func.func private @tril(%arg0: tensor<32x32xi1>) -> tensor<32x32xi1> {
  %0 = xla.constant dense<false> : tensor<32x32xi1>
  %1 = xla.constant dense<0> : tensor<32x32xi32>
  %2 = xla.iota {iota_dimension = 0 : i64} : () -> tensor<32x32xi32>
  %3 = xla.add %2, %1 : tensor<32x32xi32>
  %4 = xla.iota {iota_dimension = 1 : i64} : () -> tensor<32x32xi32>
  %5 = xla.compare %3, %4 {compare_type = "SIGNED", comparison_direction = "GE"} : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi1>
  %6 = xla.select %5, %arg0, %0 : tensor<32x32xi1>
  return %6 : tensor<32x32xi1>
}
func.func private @_where(%arg0: tensor<32x32xi1>, %arg1: tensor<2x3x32x32xf32>, %arg2: tensor<f32>) -> tensor<2x3x32x32xf32> {
  %0 = xla.convert %arg2 : tensor<f32>
  %1 = xla.broadcast_in_dim %arg0 {broadcast_dimensions = array<i64: 2, 3>} : (tensor<32x32xi1>) -> tensor<2x3x32x32xi1>
  %2 = xla.broadcast_in_dim %0 {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<2x3x32x32xf32>
  %3 = xla.select %1, %arg1, %2 : (tensor<2x3x32x32xi1>, tensor<2x3x32x32xf32>, tensor<2x3x32x32xf32>) -> tensor<2x3x32x32xf32>
  return %3 : tensor<2x3x32x32xf32>
}

// MLP: func.func
// MLP-NOT: {{^    %[0-9:]+ = xla[.][^r]}}
// MLP: {{^    %[0-9:]+ = xla[.]fusion}}
// MLP: kind = "contraction"
// MLP-NOT: {{^    %[0-9:]+ = xla[.][^r]}}
// MLP: {{^    return}}
func.func public @mlp(%arg0: tensor<33x48xf32>, %arg1: tensor<48x40xf32>, %arg2: tensor<40xf32>) -> tensor<33x40xf32> {
  %0 = xla.constant dense<5.000000e-01> : tensor<33x40xf32>
  %1 = xla.constant dense<1.000000e+00> : tensor<33x40xf32>
  %2 = xla.constant dense<0.797884583> : tensor<33x40xf32>
  %3 = xla.constant dense<4.471500e-02> : tensor<33x40xf32>
  %4 = xla.dot_general %arg0, %arg1 {lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<33x48xf32>, tensor<48x40xf32>) -> tensor<33x40xf32>
  %5 = xla.broadcast_in_dim %arg2 {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<1x40xf32>
  %6 = xla.broadcast_in_dim %5 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x40xf32>) -> tensor<33x40xf32>
  %7 = xla.add %4, %6 : tensor<33x40xf32>
  %8 = xla.multiply %7, %7 : tensor<33x40xf32>
  %9 = xla.multiply %8, %7 : tensor<33x40xf32>
  %10 = xla.multiply %3, %9 : tensor<33x40xf32>
  %11 = xla.add %7, %10 : tensor<33x40xf32>
  %12 = xla.multiply %2, %11 : tensor<33x40xf32>
  %13 = xla.tanh %12 : tensor<33x40xf32>
  %14 = xla.add %1, %13 : tensor<33x40xf32>
  %15 = xla.multiply %0, %14 : tensor<33x40xf32>
  %16 = xla.multiply %7, %15 : tensor<33x40xf32>
  return %16 : tensor<33x40xf32>
}
