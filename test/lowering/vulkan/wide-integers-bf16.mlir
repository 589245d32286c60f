// Wide integers round once to bf16, also on devices without 64-bit floats.
// RUN: xla-opt %s --xla-vulkan-pipeline=to=affine | FileCheck %s --check-prefix=AFFINE
// AFFINE-NOT: f64
// RUN: xla-run %s --entry=wide --device=all | FileCheck %s --check-prefix=WIDE
// RUN: xla-run %s --entry=wider --device=all | FileCheck %s --check-prefix=WIDER
// REQUIRES: vulkan

// Beside a tie, where f32 has lost what decides.
func.func @main(%a: tensor<17xi32>) -> tensor<17xbf16> {
  %0 = xla.convert %a : (tensor<17xi32>) -> tensor<17xbf16>
  return %0 : tensor<17xbf16>
}

// WIDE: 6xbf16=1.09e+09 1.08e+09 -1.09e+09 -1.08e+09 -2.15e+09 2.15e+09
func.func @wide() -> tensor<6xbf16> {
  %a = xla.constant dense<[1086324737, 1086324735, -1086324737, -1086324735, -2147483648, 2147483647]> : tensor<6xi32>
  %k = xla.optimization_barrier %a : tensor<6xi32>
  %0 = xla.convert %k : (tensor<6xi32>) -> tensor<6xbf16>
  return %0 : tensor<6xbf16>
}

// 129 * 2^k and half of its last place, and one more or less.
// WIDER: 6xbf16=4.7e+18 4.65e+18 -4.7e+18 -4.65e+18 -9.22e+18 3.55e+13
// WIDER-NEXT: 4xbf16=1.845e+19 9.4e+18 9.3e+18 65536
func.func @wider() -> (tensor<6xbf16>, tensor<4xbf16>) {
  %a = xla.constant dense<[4665729213955833857, 4665729213955833855, -4665729213955833857, -4665729213955833855, -9223372036854775808, 35527969472513]> : tensor<6xi64>
  %k = xla.optimization_barrier %a : tensor<6xi64>
  %0 = xla.convert %k : (tensor<6xi64>) -> tensor<6xbf16>
  %b = xla.constant dense<[18446744073709551615, 9331458427911667713, 9331458427911667711, 65537]> : tensor<4xui64>
  %l = xla.optimization_barrier %b : tensor<4xui64>
  %1 = xla.convert %l : (tensor<4xui64>) -> tensor<4xbf16>
  return %0, %1 : tensor<6xbf16>, tensor<4xbf16>
}
