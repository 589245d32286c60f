// REQUIRES: vulkan
// Integers that become floats and integers again in one kernel are rounded, which a driver must not fold away.
// RUN: xla-run %s --device=vulkan --input="5xui64=61066186 16777217 33554435 1 0" --input="5xi64=61066186 16777217 -33554435 1 -9007199254740993" --input="5xi32=61066186 16777217 -33554435 1 0" --input="5xui32=61066186 16777217 33554435 1 0" | FileCheck %s
// CHECK: 5xu64=61066184 16777216 33554436 1 0
// CHECK: 5xs64=61066184 16777216 -33554436 1 -9007199254740992
// CHECK: 5xs64=61066186 16777217 -33554435 1 -9007199254740992
// CHECK: 5xs32=61066184 16777216 -33554436 1 0
// CHECK: 5xu32=61066184 16777216 33554436 1 0
// CHECK: 5xu64=61066184 16777216 33554436 1 0
func.func @main(%x: tensor<5xui64>, %y: tensor<5xi64>, %z: tensor<5xi32>, %w: tensor<5xui32>) -> (tensor<5xui64>, tensor<5xi64>, tensor<5xi64>, tensor<5xi32>, tensor<5xui32>, tensor<5xui64>) {
  %a = xla.convert %x : (tensor<5xui64>) -> tensor<5xf32>
  %b = xla.convert %a : (tensor<5xf32>) -> tensor<5xui64>
  %c = xla.convert %y : (tensor<5xi64>) -> tensor<5xf32>
  %d = xla.convert %c : (tensor<5xf32>) -> tensor<5xi64>
  %k = xla.convert %y : (tensor<5xi64>) -> tensor<5xf64>
  %l = xla.convert %k : (tensor<5xf64>) -> tensor<5xi64>
  %e = xla.convert %z : (tensor<5xi32>) -> tensor<5xf32>
  %f = xla.convert %e : (tensor<5xf32>) -> tensor<5xi32>
  %g = xla.convert %w : (tensor<5xui32>) -> tensor<5xf32>
  %h = xla.convert %g : (tensor<5xf32>) -> tensor<5xui32>
  %i = xla.convert %w : (tensor<5xui32>) -> tensor<5xf32>
  %j = xla.convert %i : (tensor<5xf32>) -> tensor<5xui64>
  return %b, %d, %l, %f, %h, %j : tensor<5xui64>, tensor<5xi64>, tensor<5xi64>, tensor<5xi32>, tensor<5xui32>, tensor<5xui64>
}
