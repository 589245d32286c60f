// Every form of CHLO's operations, as jaxlib prints it.
// RUN: grep -v "^//" %s > %t.in
// RUN: xla-opt %t.in | grep -v "^$" | diff %t.in -
// RUN: xla-opt --mlir-print-op-generic %t.in | xla-opt - | grep -v "^$" | diff %t.in -
// RUN: xla-opt --emit-bytecode %t.in | xla-opt - | grep -v "^$" | diff %t.in -
// RUN: xla-opt --mlir-print-debuginfo %t.in | xla-opt - | grep -v "^$" | diff %t.in -
module {
  func.func @chlo(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4x4xf32>, %arg3: tensor<f32>, %arg4: tensor<1xi32>, %arg5: tensor<4x4xi32>, %arg6: tensor<4xi1>, %arg7: tensor<4xcomplex<f32>>) {
    %0 = chlo.acos %arg0 {foo} : tensor<4xf32> -> tensor<4xf32>
    %1 = chlo._asin_acos_kernel %arg7 : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
    %2 = chlo.broadcast_add %arg0, %arg1 {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %3 = chlo.broadcast_add %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %4 = chlo.broadcast_compare %arg0, %arg1 {compare_type = #chlo<comparison_type FLOAT>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %5 = chlo.broadcast_select %arg6, %arg0, %arg1 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %6 = chlo.conj %arg7 : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
    %7 = "chlo.constant_like"(%arg0) <{value = 1.000000e+00 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
    %8 = chlo.constant dense<1.000000e+00> : tensor<4xf32>
    %9 = chlo.is_inf %arg0 : tensor<4xf32> -> tensor<4xi1>
    %10 = chlo.mulhi %arg5, %arg5 : tensor<4x4xi32>, tensor<4x4xi32> -> tensor<4x4xi32>
    %11 = chlo.next_after %arg0, %arg1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %12 = "chlo.ragged_dot"(%arg2, %arg2, %arg4) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1]>}> : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<1xi32>) -> tensor<1x4x4xf32>
    %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
    %13 = chlo.polygamma %arg0, %arg1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %14 = chlo.zeta %arg0, %arg1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %15 = chlo.square %arg0 : tensor<4xf32> -> tensor<4xf32>
    %16 = chlo.broadcast_complex %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
    return
  }
  func.func @scan0(%arg0: tensor<4xf32>, %arg1: tensor<f32>) {
    %0:2 = chlo.scan(%arg0) inits (%arg1) dimension=0  {
    ^bb0(%input: tensor<f32>, %carry: tensor<f32>):
      %2 = stablehlo.add %input, %carry : tensor<f32>
      stablehlo.return %2, %2 : tensor<f32>, tensor<f32>
    } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
    %1:2 = chlo.scan(%arg0) inits (%arg1) dimension=0  attributes {foo, is_associative = true, is_reverse = true} {
    ^bb0(%input: tensor<f32>, %carry: tensor<f32>):
      %2 = stablehlo.add %input, %carry : tensor<f32>
      stablehlo.return %2, %2 : tensor<f32>, tensor<f32>
    } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
    return
  }
  func.func @scan1(%arg0: tensor<4xf32>, %arg1: tensor<f32>) {
    %0 = chlo.scan(%arg0) inits (%arg1) dimension=0  attributes {is_reverse = false, scan_dim_size = 4 : i64} {
    ^bb0(%input: tensor<f32>, %carry: tensor<f32>):
      stablehlo.return %carry : tensor<f32>
    } : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    return
  }
  func.func @scan2(%arg0: tensor<4xf32>, %arg1: tensor<f32>) {
    %0:4 = chlo.scan(%arg0, %arg0) inits (%arg1, %arg1) dimension=0  {
    ^bb0(%input: tensor<f32>, %input_0: tensor<f32>, %carry: tensor<f32>, %carry_1: tensor<f32>):
      %1 = stablehlo.add %input, %carry : tensor<f32>
      stablehlo.return %1, %1, %carry_1, %1 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
    } : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>)
    return
  }
  func.func @scan3(%arg0: tensor<f32>) {
    %0:2 = chlo.scan() inits (%arg0) dimension=0  attributes {is_reverse = false, scan_dim_size = 4 : i64} {
    ^bb0(%carry: tensor<f32>):
      stablehlo.return %carry, %carry : tensor<f32>, tensor<f32>
    } : (tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
    return
  }
  func.func @scan4(%arg0: tensor<4xf32>) {
    %0 = chlo.scan(%arg0) inits () dimension=0  {
    ^bb0(%input: tensor<f32>):
      stablehlo.return %input : tensor<f32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return
  }
  func.func @elementwise(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xi1>, %arg3: tensor<4xcomplex<f32>>) {
    %0 = chlo.acosh %arg0 : tensor<4xf32> -> tensor<4xf32>
    %1 = chlo.asin %arg0 : tensor<4xf32> -> tensor<4xf32>
    %2 = chlo.asinh %arg0 : tensor<4xf32> -> tensor<4xf32>
    %3 = chlo.atan %arg0 : tensor<4xf32> -> tensor<4xf32>
    %4 = chlo.atanh %arg0 : tensor<4xf32> -> tensor<4xf32>
    %5 = chlo.bessel_i1e %arg0 : tensor<4xf32> -> tensor<4xf32>
    %6 = chlo.broadcast_and %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %7 = chlo.broadcast_atan2 %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %8 = chlo.broadcast_divide %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %9 = chlo.broadcast_maximum %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %10 = chlo.broadcast_minimum %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %11 = chlo.broadcast_multiply %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %12 = chlo.broadcast_next_after %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %13 = chlo.broadcast_or %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %14 = chlo.broadcast_polygamma %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %15 = chlo.broadcast_power %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %16 = chlo.broadcast_remainder %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %17 = chlo.broadcast_shift_left %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %18 = chlo.broadcast_shift_right_arithmetic %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %19 = chlo.broadcast_shift_right_logical %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %20 = chlo.broadcast_subtract %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %21 = chlo.broadcast_xor %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %22 = chlo.broadcast_zeta %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %23 = chlo.cosh %arg0 : tensor<4xf32> -> tensor<4xf32>
    %24 = chlo.digamma %arg0 : tensor<4xf32> -> tensor<4xf32>
    %25 = chlo.erf %arg0 : tensor<4xf32> -> tensor<4xf32>
    %26 = chlo.erf_inv %arg0 : tensor<4xf32> -> tensor<4xf32>
    %27 = chlo.erfc %arg0 : tensor<4xf32> -> tensor<4xf32>
    %28 = chlo.is_neg_inf %arg0 : tensor<4xf32> -> tensor<4xi1>
    %29 = chlo.is_pos_inf %arg0 : tensor<4xf32> -> tensor<4xi1>
    %30 = chlo.lgamma %arg0 : tensor<4xf32> -> tensor<4xf32>
    %31 = chlo.sinh %arg0 : tensor<4xf32> -> tensor<4xf32>
    %32 = chlo.tan %arg0 : tensor<4xf32> -> tensor<4xf32>
    return
  }
}
