// The bytes of an array in memory as another array; both in the layouts that their types state.
// RUN: split-file %s %t
// RUN: xla-opt %t/forms.mlir | xla-opt | FileCheck %t/forms.mlir
// RUN: xla-opt %t/fold.mlir --canonicalize | FileCheck %t/fold.mlir
// RUN: xla-run %t/run.mlir --device=interpreter --input="2x3xf32=1 2 3 4 5 6" | FileCheck %t/run.mlir
// RUN: xla-run %t/run.mlir --device=cpu --input="2x3xf32=1 2 3 4 5 6" | FileCheck %t/run.mlir
// RUN: xla-run %t/run.mlir --device=all --seed=1
// RUN: xla-run %t/padded.mlir --device=interpreter --input="3xs32=1 2 3" | FileCheck %t/padded.mlir
// RUN: xla-run %t/padded.mlir --device=cpu --input="3xs32=1 2 3" | FileCheck %t/padded.mlir
// RUN: xla-opt %t/errors.mlir --split-input-file --verify-diagnostics

//--- forms.mlir
!column = tensor<3x2xf32, #xla.array<minor_to_major = [0, 1]>>
// CHECK: xla.bitcast %arg0 : (tensor<2x3xf32>) -> tensor<6xi32>
// CHECK: xla.bitcast %arg0 : (tensor<2x3xf32>) -> tensor<3x2xf32, #xla.array<minor_to_major = [0, 1]>>
// CHECK: xla.bitcast %arg1 : (tensor<0x4xi1>) -> tensor<0xi1>
// CHECK: xla.bitcast %arg2 : (tensor<8xi4>) -> tensor<2x4xi4>
func.func @forms(%x: tensor<2x3xf32>, %e: tensor<0x4xi1>, %n: tensor<8xi4>) {
  %0 = xla.bitcast %x : (tensor<2x3xf32>) -> tensor<6xi32>
  %1 = "xla.bitcast"(%x) : (tensor<2x3xf32>) -> !column
  %2 = xla.bitcast %e : (tensor<0x4xi1>) -> tensor<0xi1>
  %3 = xla.bitcast %n : (tensor<8xi4>) -> tensor<2x4xi4>
  return
}

//--- fold.mlir
!column = tensor<2x3xi32, #xla.array<minor_to_major = [0, 1]>>
// NaN's payload stays; column-major elements come in their order in memory; wider, narrower, complex.
// CHECK-LABEL: @fold
// CHECK-DAG: dense<[-4194303, -2147483648]> : tensor<2xi32>
// CHECK-DAG: dense<[1, 4, 2, 5, 3, 6]> : tensor<6xi32>
// CHECK-DAG: dense<2.000000e+00> : tensor<1xf64>
// CHECK-DAG{LITERAL}: dense<[[0, 0], [0, 64]]> : tensor<2x2xui8>
// CHECK-DAG: dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
// CHECK-NOT: xla.bitcast
func.func @fold() -> (tensor<2xi32>, tensor<6xi32>, tensor<1xf64>, tensor<2x2xui8>, tensor<complex<f32>>) {
  %n = xla.constant dense<[0xFFC00001, -0.0]> : tensor<2xf32>
  %c = xla.constant dense<[[1, 2, 3], [4, 5, 6]]> : !column
  %w = xla.constant dense<[0, 1073741824]> : tensor<2xi32>
  %f = xla.constant dense<2.0> : tensor<1xf32>
  %p = xla.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = xla.bitcast %n : (tensor<2xf32>) -> tensor<2xi32>
  %1 = xla.bitcast %c : (!column) -> tensor<6xi32>
  %2 = xla.bitcast %w : (tensor<2xi32>) -> tensor<1xf64>
  %3 = xla.bitcast %f : (tensor<1xf32>) -> tensor<2x2xui8>
  %4 = xla.bitcast %p : (tensor<2xf32>) -> tensor<complex<f32>>
  return %0, %1, %2, %3, %4 : tensor<2xi32>, tensor<6xi32>, tensor<1xf64>, tensor<2x2xui8>, tensor<complex<f32>>
}

//--- run.mlir
!column = tensor<3x2xf32, #xla.array<minor_to_major = [0, 1]>>
!mixed = tensor<1x2x3xf32, #xla.array<minor_to_major = [1, 0, 2]>>
// CHECK: 3x2xf32=1 4 2 5 3 6
// CHECK-NEXT: 6xf32=1 2 3 4 5 6
// CHECK-NEXT: 1x2x3xf32=1 3 5 2 4 6
// CHECK-NEXT: 4x3xu16=0 16256 0 16384 0 16448 0 16512 0 16544 0 16576
// CHECK-NEXT: 3xs64=4611686019492741120 4647714816524288000 4665729215040061440
func.func @main(%x: tensor<2x3xf32>) -> (!column, tensor<6xf32>, !mixed, tensor<4x3xui16>, tensor<3xi64>) {
  %0 = xla.bitcast %x : (tensor<2x3xf32>) -> !column
  %1 = xla.bitcast %0 : (!column) -> tensor<6xf32>
  %2 = xla.bitcast %0 : (!column) -> !mixed
  %3 = xla.bitcast %2 : (!mixed) -> tensor<4x3xui16>
  %4 = xla.bitcast %x : (tensor<2x3xf32>) -> tensor<3xi64>
  return %0, %1, %2, %3, %4 : !column, tensor<6xf32>, !mixed, tensor<4x3xui16>, tensor<3xi64>
}

//--- padded.mlir
!padded = tensor<3xi32, #xla.array<padded_dimensions = [4], padding_value = "one">>
// CHECK: 4xs32=1 2 3 1
func.func @main(%x: !padded) -> tensor<4xi32> {
  %0 = xla.bitcast %x : (!padded) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

//--- errors.mlir
func.func @bitcast_c1(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.bitcast' op the operand tensor<2x3xf32> has 24 bytes, the result tensor<3xi32> 12 [bitcast_c1]}}
  %0 = xla.bitcast %x : (tensor<2x3xf32>) -> tensor<3xi32>
  return
}

// -----

func.func @bitcast_c1_padding(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{has 24 bytes, the result tensor<2x3xf32, #xla.array<padded_dimensions = [2, 4]>> 32 [bitcast_c1]}}
  %0 = xla.bitcast %x : (tensor<2x3xf32>) -> tensor<2x3xf32, #xla.array<padded_dimensions = [2, 4]>>
  return
}

// -----

func.func @bitcast_c2(%x: tensor<4xi1>) {
  // expected-error @+1 {{pred is not taken for u8 [bitcast_c2]}}
  %0 = xla.bitcast %x : (tensor<4xi1>) -> tensor<4xui8>
  return
}

// -----

// Elements of less than a byte are its lower bits.
// FOLD-LABEL: @nibbles
// FOLD-DAG: dense<[7, 1, 8, 15]> : tensor<4xui4>
// FOLD-DAG: dense<[-8, 7]> : tensor<2xi8>
func.func @nibbles() -> (tensor<4xui4>, tensor<2xi8>) {
  %x = xla.constant dense<[7, 17, -8, -1]> : tensor<4xi8>
  %0 = xla.bitcast %x : (tensor<4xi8>) -> tensor<4xui4>
  %y = xla.constant dense<[-8, 7]> : tensor<2xi4>
  %1 = xla.bitcast %y : (tensor<2xi4>) -> tensor<2xi8>
  return %0, %1 : tensor<4xui4>, tensor<2xi8>
}
