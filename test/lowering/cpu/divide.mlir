// Vectors of integers are divided as floats, which is exact: extremes, zeros, and quotients next to integers.
// RUN: xla-run %s --device=all --rtol=0 | FileCheck %s
// CHECK: 16xs32=-1 2147483647 -2147483648 2147483647 -2147483648 715827882 -715827882 0 0 1 65537 -1 46340 0 1 -3
// CHECK-NEXT: 16xs32=2147483647 0 0 0 0 1 -2 5 -5 0 0 0 41707 2147483646 1 -1
// CHECK-NEXT: 8xu32=4294967295 4294967295 1 0 65537 3 2147483647 1
// CHECK-NEXT: 8xu32=0 4294967295 0 4294967294 0 3 1 2147483647

func.func @main() -> (tensor<16xi32>, tensor<16xi32>, tensor<8xui32>, tensor<8xui32>) {
  %a = xla.constant dense<[2147483647, 2147483647, -2147483648, -2147483647, -2147483648, 2147483647, -2147483648, 5, -5, 2147483647, 65537, -65536, 2147483647, 2147483646, 3, -10]> : tensor<16xi32>
  %b = xla.constant dense<[0, 1, 1, -1, -1, 3, 3, 6, 2147483647, 2147483647, 1, 65536, 46341, 2147483647, 2, 3]> : tensor<16xi32>
  %c = xla.constant dense<[4294967295, 4294967295, 4294967295, 4294967294, 4294967295, 4294967295, 4294967295, 4294967295]> : tensor<8xui32>
  %d = xla.constant dense<[1, 0, 4294967295, 4294967295, 65535, 1431655764, 2, 2147483648]> : tensor<8xui32>
  %p:4 = xla.optimization_barrier %a, %b, %c, %d : (tensor<16xi32>, tensor<16xi32>, tensor<8xui32>, tensor<8xui32>) -> (tensor<16xi32>, tensor<16xi32>, tensor<8xui32>, tensor<8xui32>)
  %q = xla.divide %p#0, %p#1 : tensor<16xi32>
  %r = xla.remainder %p#0, %p#1 : tensor<16xi32>
  %s = xla.divide %p#2, %p#3 : tensor<8xui32>
  %t = xla.remainder %p#2, %p#3 : tensor<8xui32>
  return %q, %r, %s, %t : tensor<16xi32>, tensor<16xi32>, tensor<8xui32>, tensor<8xui32>
}
