// Specification 000, GetDimensionSize and SetDimensionSize; dynamic.mlir shows what follows from them.
// RUN: split-file %s %t
// RUN: xla-opt %t/forms.mlir --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %t/forms.mlir
// RUN: xla-opt %t/forms.mlir --split-input-file --verify-diagnostics --canonicalize | FileCheck %t/forms.mlir --check-prefix=FOLD
// RUN: xla-run %t/static.mlir --seed=1 --device=cpu | FileCheck %s --check-prefix=STATIC
// RUN: xla-run %t/static.mlir --seed=1 --device=all | FileCheck %s --check-prefix=STATIC
// STATIC: s32=7
// RUN: not xla-run %t/run.mlir --input=4xf32=1 --input=s32=5 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not xla-run %t/run.mlir --input=4xf32=1 --input=s32=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not xla-run %t/grow.mlir 2>&1 | FileCheck %s --check-prefix=GROW
// RUN: xla-run %t/types.mlir --check | FileCheck %s --check-prefix=TYPES
// LARGE: error: 'xla.set_dimension_size' op the size is 5, dimension 0 has 4 elements [set_dimension_size_c3]
// NEGATIVE: error: 'xla.set_dimension_size' op the size is -1, dimension 0 has 4 elements [set_dimension_size_c3]
// GROW: error: 'xla.set_dimension_size' op the size is 3, dimension 0 has 2 elements [set_dimension_size_c3]
// TYPES: 2 passed, 0 failed

//--- forms.mlir
// CHECK-LABEL: @forms
// CHECK: xla.get_dimension_size %arg0 {dimension = 1 : i64} : (tensor<4x0xf32>) -> tensor<i32>
// CHECK: xla.set_dimension_size %arg0, %arg1 {dimension = 1 : i64} : (tensor<4x0xf32>, tensor<i32>) -> tensor<4x?xf32, #xla.array<bounds = [?, 0]>>
// CHECK: xla.set_dimension_size %{{.*}}, %arg1 {dimension = 0 : i64} : (tensor<4x?xf32, #xla.array<bounds = [?, 0]>>, tensor<i32>) -> tensor<?x?xf32, #xla.array<bounds = [4, 0]>>
// CHECK: xla.set_dimension_size {{.*}} -> tensor<?x0xf32, #xla.array<bounds = [4, ?], minor_to_major = [0, 1]>>
func.func @forms(%x: tensor<4x0xf32>, %n: tensor<i32>) {
  %0 = xla.get_dimension_size %x {dimension = 1 : i64} : (tensor<4x0xf32>) -> tensor<i32>
  %1 = "xla.set_dimension_size"(%x, %n) <{dimension = 1 : i64}> : (tensor<4x0xf32>, tensor<i32>) -> tensor<4x?xf32, #xla.array<bounds = [?, 0]>>
  %2 = xla.set_dimension_size %1, %n {dimension = 0 : i64} : (tensor<4x?xf32, #xla.array<bounds = [?, 0]>>, tensor<i32>) -> tensor<?x?xf32, #xla.array<bounds = [4, 0]>>
  %3 = xla.set_dimension_size %x, %n {dimension = 0 : i64} : (tensor<4x0xf32>, tensor<i32>) -> tensor<?x0xf32, #xla.array<minor_to_major = [0, 1], bounds = [4, ?]>>
  return
}

// -----

func.func @get_dimension_size_c1(%x: tensor<4xf32>) {
  // expected-error@+1 {{'xla.get_dimension_size' op dimension is 1, the operand has rank 1 [get_dimension_size_c1]}}
  %0 = xla.get_dimension_size %x {dimension = 1} : (tensor<4xf32>) -> tensor<i32>
  return
}

// -----

func.func @get_dimension_size_c1_negative(%x: tensor<4xf32>) {
  // expected-error@+1 {{dimension is -1, the operand has rank 1 [get_dimension_size_c1]}}
  %0 = xla.get_dimension_size %x {dimension = -1} : (tensor<4xf32>) -> tensor<i32>
  return
}

// -----

func.func @get_dimension_size_c1_scalar(%x: tensor<f32>) {
  // expected-error@+1 {{dimension is 0, the operand has rank 0 [get_dimension_size_c1]}}
  %0 = xla.get_dimension_size %x {dimension = 0} : (tensor<f32>) -> tensor<i32>
  return
}

// -----

func.func @get_dimension_size_c2(%x: tensor<2147483648xi8>) {
  // expected-error@+1 {{dimension 0 is 2147483648, which is no s32 [get_dimension_size_c2]}}
  %0 = xla.get_dimension_size %x {dimension = 0} : (tensor<2147483648xi8>) -> tensor<i32>
  return
}

// -----

func.func @get_result(%x: tensor<4xf32>) {
  // expected-error@+1 {{result 0 is stated as tensor<i64>, but is tensor<i32> [result]}}
  %0 = xla.get_dimension_size %x {dimension = 0} : (tensor<4xf32>) -> tensor<i64>
  return
}

// -----

func.func @get_token(%x: !xla.token) {
  // expected-error@+1 {{operand 0, !xla.token, is not a ranked tensor}}
  %0 = xla.get_dimension_size %x {dimension = 0} : (!xla.token) -> tensor<i32>
  return
}

// -----

func.func @attribute(%x: tensor<4xf32>) {
  // expected-error@+1 {{dimension}}
  %0 = xla.get_dimension_size %x : (tensor<4xf32>) -> tensor<i32>
  return
}

// -----

func.func @set_dimension_size_c1(%x: tensor<4xf32>, %n: tensor<i32>) {
  // expected-error@+1 {{dimension is 4, the operand has rank 1 [set_dimension_size_c1]}}
  %0 = xla.set_dimension_size %x, %n {dimension = 4} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  return
}

// -----

func.func @set_dimension_size_c2(%x: tensor<4xf32>, %n: tensor<i64>) {
  // expected-error@+1 {{the size is tensor<i64>, must be tensor<i32> [set_dimension_size_c2]}}
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<4xf32>, tensor<i64>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  return
}

// -----

func.func @set_dimension_size_c2_vector(%x: tensor<4xf32>, %n: tensor<1xi32>) {
  // expected-error@+1 {{the size is tensor<1xi32>, must be tensor<i32> [set_dimension_size_c2]}}
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  return
}

// -----

func.func @set_result(%x: tensor<4xf32>, %n: tensor<i32>) {
  // expected-error@+1 {{result 0 is stated as tensor<4xf32>, but is tensor<?xf32, #xla.array<bounds = [4]>> [result]}}
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

// FOLD-LABEL: @folds
// FOLD-DAG: xla.constant dense<3> : tensor<i32>
// FOLD-DAG: xla.get_dimension_size %arg0 {dimension = 0 : i64}
func.func @folds(%x: tensor<?x3xf32, #xla.array<bounds = [4, ?]>>) -> (tensor<i32>, tensor<i32>) {
  %0 = xla.get_dimension_size %x {dimension = 0} : (tensor<?x3xf32, #xla.array<bounds = [4, ?]>>) -> tensor<i32>
  %1 = xla.get_dimension_size %x {dimension = 1} : (tensor<?x3xf32, #xla.array<bounds = [4, ?]>>) -> tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}

//--- static.mlir
func.func @main(%x: tensor<3x7xf32>) -> tensor<i32> {
  %0 = xla.get_dimension_size %x {dimension = 1} : (tensor<3x7xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}

//--- run.mlir
func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [4]>> {
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  return %0 : tensor<?xf32, #xla.array<bounds = [4]>>
}

//--- grow.mlir
// What lies beyond a size is gone.
func.func @main() -> tensor<?xf32, #xla.array<bounds = [4]>> {
  %x = xla.constant dense<1.0> : tensor<4xf32>
  %two = xla.constant dense<2> : tensor<i32>
  %three = xla.constant dense<3> : tensor<i32>
  %0 = xla.set_dimension_size %x, %two {dimension = 0} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  %1 = xla.set_dimension_size %0, %three {dimension = 0} : (tensor<?xf32, #xla.array<bounds = [4]>>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  return %1 : tensor<?xf32, #xla.array<bounds = [4]>>
}

//--- types.mlir
func.func @sizes() {
  %x = xla.constant dense<0.0> : tensor<4x0x7xf64>
  %n = xla.constant dense<0> : tensor<i32>
  %0 = xla.get_dimension_size %x {dimension = 0} : (tensor<4x0x7xf64>) -> tensor<i32>
  %1 = xla.get_dimension_size %x {dimension = 1} : (tensor<4x0x7xf64>) -> tensor<i32>
  %2 = xla.get_dimension_size %x {dimension = 2} : (tensor<4x0x7xf64>) -> tensor<i32>
  %four = xla.constant dense<4> : tensor<i32>
  %seven = xla.constant dense<7> : tensor<i32>
  xla.custom_call %0, %four {call_target_name = "check.expect_eq"} : (tensor<i32>, tensor<i32>) -> ()
  xla.custom_call %1, %n {call_target_name = "check.expect_eq"} : (tensor<i32>, tensor<i32>) -> ()
  xla.custom_call %2, %seven {call_target_name = "check.expect_eq"} : (tensor<i32>, tensor<i32>) -> ()
  return
}
// The first columns of arrays of all kinds of elements.
func.func @columns() {
  %n = xla.constant dense<1> : tensor<i32>
  %p = xla.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  %c = xla.constant dense<[[(1.0, 2.0), (3.0, 4.0)], [(5.0, 6.0), (7.0, 8.0)]]> : tensor<2x2xcomplex<f32>>
  %u = xla.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xui64>
  %s = xla.constant dense<[[-1, 1], [0, -2]]> : tensor<2x2xi4>
  %0 = xla.set_dimension_size %p, %n {dimension = 1} : (tensor<2x2xi1>, tensor<i32>) -> tensor<2x?xi1, #xla.array<bounds = [?, 2]>>
  %1 = xla.set_dimension_size %c, %n {dimension = 1} : (tensor<2x2xcomplex<f32>>, tensor<i32>) -> tensor<2x?xcomplex<f32>, #xla.array<bounds = [?, 2]>>
  %2 = xla.set_dimension_size %u, %n {dimension = 1} : (tensor<2x2xui64>, tensor<i32>) -> tensor<2x?xui64, #xla.array<bounds = [?, 2]>>
  %3 = xla.set_dimension_size %s, %n {dimension = 1} : (tensor<2x2xi4>, tensor<i32>) -> tensor<2x?xi4, #xla.array<bounds = [?, 2]>>
  %w0 = xla.constant dense<[[true], [false]]> : tensor<2x1xi1>
  %w1 = xla.constant dense<[[(1.0, 2.0)], [(5.0, 6.0)]]> : tensor<2x1xcomplex<f32>>
  %w2 = xla.constant dense<[[1], [3]]> : tensor<2x1xui64>
  %w3 = xla.constant dense<[[-1], [0]]> : tensor<2x1xi4>
  xla.custom_call %0, %w0 {call_target_name = "check.expect_eq"} : (tensor<2x?xi1, #xla.array<bounds = [?, 2]>>, tensor<2x1xi1>) -> ()
  xla.custom_call %1, %w1 {call_target_name = "check.expect_eq"} : (tensor<2x?xcomplex<f32>, #xla.array<bounds = [?, 2]>>, tensor<2x1xcomplex<f32>>) -> ()
  xla.custom_call %2, %w2 {call_target_name = "check.expect_eq"} : (tensor<2x?xui64, #xla.array<bounds = [?, 2]>>, tensor<2x1xui64>) -> ()
  xla.custom_call %3, %w3 {call_target_name = "check.expect_eq"} : (tensor<2x?xi4, #xla.array<bounds = [?, 2]>>, tensor<2x1xi4>) -> ()
  return
}
