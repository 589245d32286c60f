// Convolutions whose kernels and groups have sizes that a run tells, and rolls beside such sizes, as in
// dynamic-sizes.mlir; ../vulkan/dynamic-sizes.test runs them on other devices.
// RUN: split-file %s %t
// RUN: %{python} %S/Inputs/sizes.py %xla-run %t/all.mlir cpu 6x5 | FileCheck %s
// CHECK: {{^}}5 functions agree
// RUN: not xla-run %t/errors.mlir --device=cpu --input=8xf32=1 --input=s32=2 2>&1 | FileCheck %t/errors.mlir --check-prefix=BOUND
// RUN: not xla-run %t/errors.mlir --device=interpreter --input=8xf32=1 --input=s32=2 2>&1 | FileCheck %t/errors.mlir --check-prefix=BOUND
// RUN: not xla-run %t/errors.mlir --device=cpu --input=8xf32=1 --input=s32=0 2>&1 | FileCheck %t/errors.mlir --check-prefix=EMPTY
// RUN: not xla-run %t/errors.mlir --entry=groups --device=cpu --input=6xf32=1 --input=s32=5 2>&1 | FileCheck %t/errors.mlir --check-prefix=GROUPS
// RUN: not xla-run %t/errors.mlir --entry=kernels --device=cpu --input=6xf32=1 --input=s32=4 2>&1 | FileCheck %t/errors.mlir --check-prefix=KERNELS

//--- all.mlir
!m = tensor<?x?xf32, #xla.array<bounds = [6, 5]>>
!i = tensor<1x1x?x?xf32, #xla.array<bounds = [?, ?, 6, 5]>>
!o = tensor<1x1x?x?xf32, #xla.array<bounds = [?, ?, 4, 4]>>

func.func private @cut(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> !m {
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<6x5xf32>, tensor<i32>) -> tensor<?x5xf32, #xla.array<bounds = [6, ?]>>
  %1 = xla.set_dimension_size %0, %k {dimension = 1} : (tensor<?x5xf32, #xla.array<bounds = [6, ?]>>, tensor<i32>) -> !m
  return %1 : !m
}

// What lies beside a kernel is not zero, and covers infinities.
func.func private @weights(%n: tensor<i32>, %k: tensor<i32>) -> !m {
  %0 = xla.constant dense<[[1.0, 2.0, 0.5, 4.0, 1.0], [3.0, 1.0, 2.0, 1.0, 0.5], [1.0, 4.0, 2.0, 1.0, 2.0], [0.5, 1.0, 3.0, 2.0, 1.0], [2.0, 2.0, 1.0, 0.5, 4.0], [1.0, 0.5, 2.0, 3.0, 1.0]]> : tensor<6x5xf32>
  %1 = func.call @cut(%0, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  return %1 : !m
}

func.func @kernel(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> (!o, !o) {
  %one = xla.constant dense<1> : tensor<i32>
  %r = xla.maximum %n, %one : tensor<i32>
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %1 = func.call @weights(%r, %k) : (tensor<i32>, tensor<i32>) -> !m
  %2 = xla.reshape %0 : (!m) -> !i
  %3 = xla.reshape %1 : (!m) -> !i
  %4 = xla.convolution %2, %3 {window_strides = [2, 1], padding = [3, 4, 1, 2], lhs_dilation = [2, 1], rhs_dilation = [2, 1], window_reversal = [true, false]} : (!i, !i) -> !o
  %5 = xla.convolution %2, %3 {window_strides = [2, 1], padding = [3, 4, 1, 2], lhs_dilation = [2, 1], rhs_dilation = [2, 1], window_reversal = [false, true]} : (!i, !i) -> !o
  return %4, %5 : !o, !o
}

// The kernel alone has a size; what lies beside it would meet an infinity.
func.func @kernel_alone(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 6]>> {
  %0 = xla.constant dense<[[[1.0, 2.0, 3.0, 4.0, 0x7F800000]]]> : tensor<1x1x5xf32>
  %1 = xla.constant dense<[[[3.0, 5.0, 7.0, 9.0, 11.0]]]> : tensor<1x1x5xf32>
  %2 = xla.set_dimension_size %1, %k {dimension = 2} : (tensor<1x1x5xf32>, tensor<i32>) -> tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 5]>>
  %3 = xla.convolution %0, %2 {window_strides = [5], padding = [12, 13]} : (tensor<1x1x5xf32>, tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 5]>>) -> tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 6]>>
  return %3 : tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 6]>>
}

func.func @feature_groups(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> tensor<1x?x?xf32, #xla.array<bounds = [?, 6, 4]>> {
  %three = xla.constant dense<3> : tensor<i32>
  %g = xla.divide %n, %three : tensor<i32>
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %1 = xla.reshape %0 : (!m) -> tensor<1x?x?xf32, #xla.array<bounds = [?, 6, 5]>>
  %w = xla.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[0.5, 1.0], [1.5, 2.0]], [[2.0, 1.0], [4.0, 3.0]], [[6.0, 5.0], [8.0, 7.0]], [[1.0, 0.5], [2.0, 1.5]]]> : tensor<6x2x2xf32>
  %2 = xla.set_dimension_size %w, %n {dimension = 0} : (tensor<6x2x2xf32>, tensor<i32>) -> tensor<?x2x2xf32, #xla.array<bounds = [6, ?, ?]>>
  %3 = xla.set_dimension_size %2, %g {dimension = 1} : (tensor<?x2x2xf32, #xla.array<bounds = [6, ?, ?]>>, tensor<i32>) -> tensor<?x?x2xf32, #xla.array<bounds = [6, 2, ?]>>
  %4 = xla.convolution %1, %3 {feature_group_count = 3} : (tensor<1x?x?xf32, #xla.array<bounds = [?, 6, 5]>>, tensor<?x?x2xf32, #xla.array<bounds = [6, 2, ?]>>) -> tensor<1x?x?xf32, #xla.array<bounds = [?, 6, 4]>>
  return %4 : tensor<1x?x?xf32, #xla.array<bounds = [?, 6, 4]>>
}

func.func @batch_groups(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> tensor<?x?x?xf32, #xla.array<bounds = [2, 6, 4]>> {
  %0 = func.call @cut(%x, %n, %k) : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> !m
  %1 = xla.reshape %0 : (!m) -> tensor<?x1x?xf32, #xla.array<bounds = [6, ?, 5]>>
  %w = xla.constant dense<[[[1.0, 2.0]], [[5.0, 6.0]], [[0.5, 1.0]], [[2.0, 1.0]], [[6.0, 5.0]], [[1.0, 0.5]]]> : tensor<6x1x2xf32>
  %2 = xla.set_dimension_size %w, %n {dimension = 0} : (tensor<6x1x2xf32>, tensor<i32>) -> tensor<?x1x2xf32, #xla.array<bounds = [6, ?, ?]>>
  %4 = xla.convolution %1, %2 {batch_group_count = 3} : (tensor<?x1x?xf32, #xla.array<bounds = [6, ?, 5]>>, tensor<?x1x2xf32, #xla.array<bounds = [6, ?, ?]>>) -> tensor<?x?x?xf32, #xla.array<bounds = [2, 6, 4]>>
  return %4 : tensor<?x?x?xf32, #xla.array<bounds = [2, 6, 4]>>
}

func.func @roll(%x: tensor<6x5xf32>, %n: tensor<i32>, %k: tensor<i32>) -> tensor<?x5xf32, #xla.array<bounds = [6, ?]>> {
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<6x5xf32>, tensor<i32>) -> tensor<?x5xf32, #xla.array<bounds = [6, ?]>>
  %1 = xla.roll %0 {shifts = [2], dimensions = [1]} : tensor<?x5xf32, #xla.array<bounds = [6, ?]>>
  return %1 : tensor<?x5xf32, #xla.array<bounds = [6, ?]>>
}

//--- errors.mlir
// BOUND: error: 'xla.convolution' op dimension 2 of result 0 is 7, its bound is 6 [dynamic]
// EMPTY: error: 'xla.convolution' op spatial dimension 2 of rhs must have at least 1 elements, has 0 [convolution_kernel]
func.func @main(%x: tensor<8xf32>, %n: tensor<i32>) -> tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 6]>> {
  %0 = xla.reshape %x : (tensor<8xf32>) -> tensor<1x1x8xf32>
  %w = xla.constant dense<1.0> : tensor<1x1x3xf32>
  %1 = xla.set_dimension_size %w, %n {dimension = 2} : (tensor<1x1x3xf32>, tensor<i32>) -> tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 3]>>
  %2 = xla.convolution %0, %1 : (tensor<1x1x8xf32>, tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 3]>>) -> tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 6]>>
  return %2 : tensor<1x1x?xf32, #xla.array<bounds = [?, ?, 6]>>
}

// GROUPS: error: 'xla.convolution' op feature_group_count is 2, of the feature dimension of lhs 1 elements are left over, must be 0 [convolution_c11]
func.func @groups(%x: tensor<6xf32>, %n: tensor<i32>) -> tensor<1x2xf32> {
  %0 = xla.reshape %x : (tensor<6xf32>) -> tensor<1x6xf32>
  %1 = xla.set_dimension_size %0, %n {dimension = 1} : (tensor<1x6xf32>, tensor<i32>) -> tensor<1x?xf32, #xla.array<bounds = [?, 6]>>
  %w = xla.constant dense<1.0> : tensor<2x3xf32>
  %2 = xla.convolution %1, %w {feature_group_count = 2} : (tensor<1x?xf32, #xla.array<bounds = [?, 6]>>, tensor<2x3xf32>) -> tensor<1x2xf32>
  return %2 : tensor<1x2xf32>
}

// KERNELS: error: 'xla.convolution' op the input feature dimension of rhs has size 3, that of lhs in one group 2 [convolution_c14]
func.func @kernels(%x: tensor<6xf32>, %n: tensor<i32>) -> tensor<1x2xf32> {
  %0 = xla.reshape %x : (tensor<6xf32>) -> tensor<1x6xf32>
  %1 = xla.set_dimension_size %0, %n {dimension = 1} : (tensor<1x6xf32>, tensor<i32>) -> tensor<1x?xf32, #xla.array<bounds = [?, 6]>>
  %w = xla.constant dense<1.0> : tensor<2x3xf32>
  %2 = xla.convolution %1, %w {feature_group_count = 2} : (tensor<1x?xf32, #xla.array<bounds = [?, 6]>>, tensor<2x3xf32>) -> tensor<1x2xf32>
  return %2 : tensor<1x2xf32>
}
