// REQUIRES: vulkan
// An arc tangent of numbers that are known to be 0 while compiling, which MLIR would take for NaN.
// RUN: xla-run %s --entry=f32 --input="3xs32=0 5 -7" --device=vulkan | FileCheck %s --check-prefix=F32
// F32: {{^}}3xf32=0 0 0{{$}}
// RUN: xla-run %s --entry=f16 --input="3xs32=0 5 -7" --device=vulkan | FileCheck %s --check-prefix=F16
// F16: {{^}}3xf16=0 0 0{{$}}
// RUN: xla-run %s --entry=f64 --input="3xs32=0 5 -7" --device=vulkan | FileCheck %s --check-prefix=F64
// F64: {{^}}3xf64=0 0 0{{$}}
func.func @f32(%x: tensor<3xi32>) -> tensor<3xf32> {
  %0 = xla.xor %x, %x : tensor<3xi32>
  %1 = xla.convert %0 : (tensor<3xi32>) -> tensor<3xf32>
  %2 = xla.atan2 %1, %1 : tensor<3xf32>
  return %2 : tensor<3xf32>
}
func.func @f16(%x: tensor<3xi32>) -> tensor<3xf16> {
  %0 = xla.xor %x, %x : tensor<3xi32>
  %1 = xla.convert %0 : (tensor<3xi32>) -> tensor<3xf16>
  %2 = xla.atan2 %1, %1 : tensor<3xf16>
  return %2 : tensor<3xf16>
}
func.func @f64(%x: tensor<3xi32>) -> tensor<3xf64> {
  %0 = xla.xor %x, %x : tensor<3xi32>
  %1 = xla.convert %0 : (tensor<3xi32>) -> tensor<3xf64>
  %2 = xla.atan2 %1, %1 : tensor<3xf64>
  return %2 : tensor<3xf64>
}
