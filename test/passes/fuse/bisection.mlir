// What a kernel works on, and gathers single elements by, it computes once for both.
// RUN: xla-opt %s --xla-fuse=device=cpu | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: xla-opt %s --xla-fuse=device=gpu | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: xla-run %s --entry=step --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=steps --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=rows --device=all --seed=1 --output=none

// A step of a bisection, as loops have it.
// CHECK-LABEL: @step
// CHECK: xla.fusion(
// CHECK: %[[M:.*]] = xla.shift_right_logical
// CHECK: %[[R:.*]] = xla.reshape %[[M]]
// CHECK: %[[G:.*]] = xla.gather {{.*}}, %[[R]]
// CHECK: xla.compare {{.*}}, %[[G]]
// CHECK: xla.select {{.*}}, %[[M]]
// CHECK: kind = "loop"
// CHECK-NEXT: return
func.func @step(%t: tensor<33xf32>, %x: tensor<70xf32>, %l: tensor<70xi32>, %h: tensor<70xi32>) -> (tensor<70xi32>, tensor<70xi32>) {
  %one = xla.constant dense<1> : tensor<70xi32>
  %s0 = xla.add %l, %h : tensor<70xi32>
  %m0 = xla.shift_right_logical %s0, %one : tensor<70xi32>
  %r0 = xla.reshape %m0 : (tensor<70xi32>) -> tensor<70x1xi32>
  %g0 = xla.gather %t, %r0 {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<33xf32>, tensor<70x1xi32>) -> tensor<70xf32>
  %c0 = xla.compare %x, %g0 {comparison_direction = "LT"} : (tensor<70xf32>, tensor<70xf32>) -> tensor<70xi1>
  %l0 = xla.select %c0, %l, %m0 : (tensor<70xi1>, tensor<70xi32>, tensor<70xi32>) -> tensor<70xi32>
  %h0 = xla.select %c0, %m0, %h : (tensor<70xi1>, tensor<70xi32>, tensor<70xi32>) -> tensor<70xi32>
  return %l0, %h0 : tensor<70xi32>, tensor<70xi32>
}

// Several of them are one kernel where many threads hide the time of loads.
// CHECK-LABEL: @steps
// CPU-COUNT-4: xla.fusion(
// CPU-NOT: xla.fusion(
// GPU-COUNT-1: xla.fusion(
// GPU-NOT: xla.fusion(
// CHECK: return
func.func @steps(%t: tensor<33xf32>, %x: tensor<70xf32>) -> tensor<70xi32> {
  %one = xla.constant dense<1> : tensor<70xi32>
  %l = xla.constant dense<0> : tensor<70xi32>
  %h = xla.constant dense<33> : tensor<70xi32>
  %m = xla.constant dense<16> : tensor<70xi32>
  %first = xla.constant dense<7> : tensor<70xi32>
  %i = xla.convert %x : (tensor<70xf32>) -> tensor<70xi32>
  %n = xla.maximum %i, %m : tensor<70xi32>
  %r0 = xla.reshape %n : (tensor<70xi32>) -> tensor<70x1xi32>
  %g0 = xla.gather %t, %r0 {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<33xf32>, tensor<70x1xi32>) -> tensor<70xf32>
  %c0 = xla.compare %x, %g0 {comparison_direction = "LT"} : (tensor<70xf32>, tensor<70xf32>) -> tensor<70xi1>
  %l0 = xla.select %c0, %l, %n : (tensor<70xi1>, tensor<70xi32>, tensor<70xi32>) -> tensor<70xi32>
  %h0 = xla.select %c0, %n, %h : (tensor<70xi1>, tensor<70xi32>, tensor<70xi32>) -> tensor<70xi32>
  %s1 = xla.add %l0, %h0 : tensor<70xi32>
  %m1 = xla.shift_right_logical %s1, %one : tensor<70xi32>
  %r1 = xla.reshape %m1 : (tensor<70xi32>) -> tensor<70x1xi32>
  %g1 = xla.gather %t, %r1 {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<33xf32>, tensor<70x1xi32>) -> tensor<70xf32>
  %c1 = xla.compare %x, %g1 {comparison_direction = "LT"} : (tensor<70xf32>, tensor<70xf32>) -> tensor<70xi1>
  %l1 = xla.select %c1, %l0, %m1 : (tensor<70xi1>, tensor<70xi32>, tensor<70xi32>) -> tensor<70xi32>
  %h1 = xla.select %c1, %m1, %h0 : (tensor<70xi1>, tensor<70xi32>, tensor<70xi32>) -> tensor<70xi32>
  %s2 = xla.add %l1, %h1 : tensor<70xi32>
  %m2 = xla.shift_right_logical %s2, %one : tensor<70xi32>
  %r2 = xla.reshape %m2 : (tensor<70xi32>) -> tensor<70x1xi32>
  %g2 = xla.gather %t, %r2 {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<33xf32>, tensor<70x1xi32>) -> tensor<70xf32>
  %c2 = xla.compare %x, %g2 {comparison_direction = "LT"} : (tensor<70xf32>, tensor<70xf32>) -> tensor<70xi1>
  %l2 = xla.select %c2, %l1, %m2 : (tensor<70xi1>, tensor<70xi32>, tensor<70xi32>) -> tensor<70xi32>
  %h2 = xla.select %c2, %m2, %h1 : (tensor<70xi1>, tensor<70xi32>, tensor<70xi32>) -> tensor<70xi32>
  %s3 = xla.add %l2, %h2 : tensor<70xi32>
  %m3 = xla.shift_right_logical %s3, %one : tensor<70xi32>
  %r3 = xla.reshape %m3 : (tensor<70xi32>) -> tensor<70x1xi32>
  %g3 = xla.gather %t, %r3 {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<33xf32>, tensor<70x1xi32>) -> tensor<70xf32>
  %c3 = xla.compare %x, %g3 {comparison_direction = "LT"} : (tensor<70xf32>, tensor<70xf32>) -> tensor<70xi1>
  %h3 = xla.select %c3, %m3, %h2 : (tensor<70xi1>, tensor<70xi32>, tensor<70xi32>) -> tensor<70xi32>
  return %h3 : tensor<70xi32>
}

// Whole rows need an index once, the loops over them would compute it for each element: it stays with what works on it.
// CHECK-LABEL: @rows
// CHECK-COUNT-2: xla.fusion(
// CHECK: return
func.func @rows(%t: tensor<33x8xf32>, %l: tensor<70x8xi32>, %h: tensor<70xi32>) -> (tensor<70x8xf32>, tensor<70xi32>) {
  %one = xla.constant dense<1> : tensor<70xi32>
  %s = xla.multiply %h, %h : tensor<70xi32>
  %m = xla.shift_right_logical %s, %one : tensor<70xi32>
  %r = xla.reshape %m : (tensor<70xi32>) -> tensor<70x1xi32>
  %g = xla.gather %t, %r {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 8]} : (tensor<33x8xf32>, tensor<70x1xi32>) -> tensor<70x8xf32>
  %f = xla.convert %l : (tensor<70x8xi32>) -> tensor<70x8xf32>
  %a = xla.add %g, %f : tensor<70x8xf32>
  %b = xla.add %m, %one : tensor<70xi32>
  return %a, %b : tensor<70x8xf32>, tensor<70xi32>
}
