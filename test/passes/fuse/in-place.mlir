// What is computed on a part of an array, and written where that was, is one kernel: of all types and ranks.
// RUN: xla-opt %s --xla-fuse=device=cpu | FileCheck %s
// RUN: xla-opt %s --xla-fuse=device=gpu | FileCheck %s

// CHECK-LABEL: @of_f64
// CHECK-NEXT: xla.fusion(
// CHECK: xla.dynamic_slice
// CHECK: xla.add
// CHECK: xla.dynamic_update_slice
// CHECK: kind = "loop"
// CHECK-NEXT: return
func.func @of_f64(%x: tensor<4096xf64>, %i: tensor<i32>) -> tensor<4096xf64> {
  %z = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1.0> : tensor<64xf64>
  %s = xla.dynamic_slice %x, %i {slice_sizes = [64]} : (tensor<4096xf64>, tensor<i32>) -> tensor<64xf64>
  %a = xla.add %s, %one : tensor<64xf64>
  %u = xla.dynamic_update_slice %x, %a, %i : (tensor<4096xf64>, tensor<64xf64>, tensor<i32>) -> tensor<4096xf64>
  return %u : tensor<4096xf64>
}

// CHECK-LABEL: @of_i8
// CHECK-NEXT: xla.fusion(
// CHECK: xla.dynamic_slice
// CHECK: xla.add
// CHECK: xla.dynamic_update_slice
// CHECK: kind = "loop"
// CHECK-NEXT: return
func.func @of_i8(%x: tensor<128x64xi8>, %i: tensor<i32>) -> tensor<128x64xi8> {
  %z = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<8x64xi8>
  %s = xla.dynamic_slice %x, %i, %z {slice_sizes = [8, 64]} : (tensor<128x64xi8>, tensor<i32>, tensor<i32>) -> tensor<8x64xi8>
  %a = xla.add %s, %one : tensor<8x64xi8>
  %u = xla.dynamic_update_slice %x, %a, %i, %z : (tensor<128x64xi8>, tensor<8x64xi8>, tensor<i32>, tensor<i32>) -> tensor<128x64xi8>
  return %u : tensor<128x64xi8>
}

// CHECK-LABEL: @of_bf16
// CHECK-NEXT: xla.fusion(
// CHECK: xla.dynamic_slice
// CHECK: xla.add
// CHECK: xla.dynamic_update_slice
// CHECK: kind = "loop"
// CHECK-NEXT: return
func.func @of_bf16(%x: tensor<16x64x64xbf16>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<16x64x64xbf16> {
  %z = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1.0> : tensor<4x8x64xbf16>
  %s = xla.dynamic_slice %x, %i, %j, %z {slice_sizes = [4, 8, 64]} : (tensor<16x64x64xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x64xbf16>
  %a = xla.add %s, %one : tensor<4x8x64xbf16>
  %u = xla.dynamic_update_slice %x, %a, %i, %j, %z : (tensor<16x64x64xbf16>, tensor<4x8x64xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x64x64xbf16>
  return %u : tensor<16x64x64xbf16>
}

// CHECK-LABEL: @of_f16
// CHECK-NEXT: xla.fusion(
// CHECK: xla.dynamic_slice
// CHECK: xla.add
// CHECK: xla.dynamic_update_slice
// CHECK: kind = "loop"
// CHECK-NEXT: return
func.func @of_f16(%x: tensor<8x16x16x16xf16>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<8x16x16x16xf16> {
  %z = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1.0> : tensor<2x4x16x16xf16>
  %s = xla.dynamic_slice %x, %i, %j, %z, %z {slice_sizes = [2, 4, 16, 16]} : (tensor<8x16x16x16xf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x16x16xf16>
  %a = xla.add %s, %one : tensor<2x4x16x16xf16>
  %u = xla.dynamic_update_slice %x, %a, %i, %j, %z, %z : (tensor<8x16x16x16xf16>, tensor<2x4x16x16xf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x16x16x16xf16>
  return %u : tensor<8x16x16x16xf16>
}
