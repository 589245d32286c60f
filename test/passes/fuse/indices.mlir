// Gathers of single elements compute light indices themselves, and what they have in common with what works on them once.
// RUN: xla-opt %s --xla-fuse=device=cpu | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: xla-opt %s --xla-fuse=device=gpu | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: xla-opt %s --xla-fuse=device=llvmpipe | FileCheck %s --check-prefix=LLVMPIPE
// RUN: xla-opt %s --xla-fuse="device=cpu report" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: xla-run %s --entry=corners --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=corners --device=all --input=20x30xf32=random:1 --input=2x3xf32="-3 20 4 3 9 25" --input=3x33xf32=random:3 --output=none
// RUN: xla-run %s --entry=heavy --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=light --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=sums --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=nested --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=pairs --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=pairs --device=all --input=random:1 --input=4x2xi32="0 3 9 1 5 2 3 3" --input=7xi32="0 3 1 2 2 -1 9" --output=none
// RUN: xla-run %s --entry=rows --device=all --seed=1 --output=none

// Two corners around places that a product gives: coordinates are also compared. The product's result is moved, so that it is memory for all.
// CHECK-LABEL: @corners
// CHECK: xla.dot_general
// CHECK-NEXT: xla.fusion(
// CHECK-COUNT-2: xla.concatenate
// CHECK-COUNT-2: xla.gather
// CHECK-NOT: xla.fusion(
// CHECK: }) {kind = "loop"}
// CHECK-NEXT: return
func.func @corners(%t: tensor<20x30xf32>, %m: tensor<2x3xf32>, %x: tensor<3x33xf32>) -> tensor<33xf32> {
  %zero = xla.constant dense<0> : tensor<33xi32>
  %one = xla.constant dense<1> : tensor<33xi32>
  %high = xla.constant dense<20> : tensor<33xi32>
  %none = xla.constant dense<0.0> : tensor<33xf32>
  %p = xla.dot_general %m, %x {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]} : (tensor<2x3xf32>, tensor<3x33xf32>) -> tensor<2x33xf32>
  %y0 = xla.slice %p {start_indices = [0, 0], limit_indices = [1, 33], strides = [1, 1]} : (tensor<2x33xf32>) -> tensor<1x33xf32>
  %y1 = xla.reshape %y0 : (tensor<1x33xf32>) -> tensor<33xf32>
  %x0 = xla.slice %p {start_indices = [1, 0], limit_indices = [2, 33], strides = [1, 1]} : (tensor<2x33xf32>) -> tensor<1x33xf32>
  %x1 = xla.reshape %x0 : (tensor<1x33xf32>) -> tensor<33xf32>
  %f = xla.floor %y1 : tensor<33xf32>
  %w = xla.subtract %y1, %f : tensor<33xf32>
  %i0 = xla.convert %f : (tensor<33xf32>) -> tensor<33xi32>
  %i1 = xla.add %i0, %one : tensor<33xi32>
  %c0 = xla.compare %i0, %zero {comparison_direction = "GE"} : (tensor<33xi32>, tensor<33xi32>) -> tensor<33xi1>
  %c1 = xla.compare %i1, %high {comparison_direction = "LT"} : (tensor<33xi32>, tensor<33xi32>) -> tensor<33xi1>
  %j0 = xla.convert %x1 : (tensor<33xf32>) -> tensor<33xi32>
  %j = xla.maximum %j0, %zero : tensor<33xi32>
  %a0 = xla.maximum %i0, %zero : tensor<33xi32>
  %a1 = xla.maximum %i1, %zero : tensor<33xi32>
  %s0 = xla.reshape %a0 : (tensor<33xi32>) -> tensor<33x1xi32>
  %s1 = xla.reshape %a1 : (tensor<33xi32>) -> tensor<33x1xi32>
  %s2 = xla.reshape %j : (tensor<33xi32>) -> tensor<33x1xi32>
  %k0 = xla.concatenate %s0, %s2 {dimension = 1} : (tensor<33x1xi32>, tensor<33x1xi32>) -> tensor<33x2xi32>
  %k1 = xla.concatenate %s1, %s2 {dimension = 1} : (tensor<33x1xi32>, tensor<33x1xi32>) -> tensor<33x2xi32>
  %g0 = xla.gather %t, %k0 {collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1, slice_sizes = [1, 1]} : (tensor<20x30xf32>, tensor<33x2xi32>) -> tensor<33xf32>
  %g1 = xla.gather %t, %k1 {collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1, slice_sizes = [1, 1]} : (tensor<20x30xf32>, tensor<33x2xi32>) -> tensor<33xf32>
  %h0 = xla.select %c0, %g0, %none : (tensor<33xi1>, tensor<33xf32>, tensor<33xf32>) -> tensor<33xf32>
  %h1 = xla.select %c1, %g1, %none : (tensor<33xi1>, tensor<33xf32>, tensor<33xf32>) -> tensor<33xf32>
  %d = xla.subtract %h1, %h0 : tensor<33xf32>
  %e = xla.multiply %d, %w : tensor<33xf32>
  %r = xla.add %h0, %e : tensor<33xf32>
  return %r : tensor<33xf32>
}

// What costs more is computed before on processors, where the lanes would wait for it.
// CHECK-LABEL: @heavy
// CPU-COUNT-2: xla.fusion(
// GPU-COUNT-1: xla.fusion(
// CHECK-NOT: xla.fusion(
// CHECK: return
// REPORT: kernel 1 -> 2: remainder
// REPORT-NEXT: gather computes indices itself where that takes no longer: here it would for each row, which is more than a kernel that writes them; nothing to change
func.func @heavy(%t: tensor<20xf32>, %x: tensor<64x50xf32>) -> tensor<64x50xf32> {
  %n = xla.constant dense<20> : tensor<64x50xi32>
  %s = xla.sine %x : tensor<64x50xf32>
  %e = xla.exponential %s : tensor<64x50xf32>
  %i = xla.convert %e : (tensor<64x50xf32>) -> tensor<64x50xi32>
  %m = xla.remainder %i, %n : tensor<64x50xi32>
  %r = xla.reshape %m : (tensor<64x50xi32>) -> tensor<64x50x1xi32>
  %g = xla.gather %t, %r {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1]} : (tensor<20xf32>, tensor<64x50x1xi32>) -> tensor<64x50xf32>
  %y = xla.add %g, %x : tensor<64x50xf32>
  return %y : tensor<64x50xf32>
}

// CHECK-LABEL: @light
// CHECK-COUNT-1: xla.fusion(
// CHECK-NOT: xla.fusion(
// CHECK: return
func.func @light(%t: tensor<20xf32>, %x: tensor<64x50xf32>) -> tensor<64x50xf32> {
  %zero = xla.constant dense<0.0> : tensor<64x50xf32>
  %most = xla.constant dense<19.0> : tensor<64x50xf32>
  %s = xla.multiply %x, %most : tensor<64x50xf32>
  %v = xla.abs %s : tensor<64x50xf32>
  %w = xla.add %v, %most : tensor<64x50xf32>
  %f = xla.floor %w : tensor<64x50xf32>
  %c = xla.clamp %zero, %f, %most : tensor<64x50xf32>
  %i = xla.convert %c : (tensor<64x50xf32>) -> tensor<64x50xi32>
  %r = xla.reshape %i : (tensor<64x50xi32>) -> tensor<64x50x1xi32>
  %g = xla.gather %t, %r {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1]} : (tensor<20xf32>, tensor<64x50x1xi32>) -> tensor<64x50xf32>
  %y = xla.add %g, %g : tensor<64x50xf32>
  return %y : tensor<64x50xf32>
}

// Sums have few elements under way: they would wait for these as well.
// CHECK-LABEL: @sums
// CPU-COUNT-2: xla.fusion(
// GPU-COUNT-1: xla.fusion(
// CHECK-NOT: xla.fusion(
// CHECK: return
func.func @sums(%t: tensor<20xf32>, %x: tensor<64x500xf32>, %z: tensor<f32>) -> tensor<64xf32> {
  %zero = xla.constant dense<0.0> : tensor<64x500xf32>
  %most = xla.constant dense<19.0> : tensor<64x500xf32>
  %s = xla.multiply %x, %most : tensor<64x500xf32>
  %v = xla.abs %s : tensor<64x500xf32>
  %w = xla.add %v, %most : tensor<64x500xf32>
  %f = xla.floor %w : tensor<64x500xf32>
  %c = xla.clamp %zero, %f, %most : tensor<64x500xf32>
  %i = xla.convert %c : (tensor<64x500xf32>) -> tensor<64x500xi32>
  %r = xla.reshape %i : (tensor<64x500xi32>) -> tensor<64x500x1xi32>
  %g = xla.gather %t, %r {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1]} : (tensor<20xf32>, tensor<64x500x1xi32>) -> tensor<64x500xf32>
  %y = xla.reduce(%g, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %q = xla.add %a, %b : tensor<f32>
    xla.return %q : tensor<f32>
  }) {dimensions = [1]} : (tensor<64x500xf32>, tensor<f32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
}

// What is gathered and worked on may lead to an index where many threads hide the time of loads.
// CHECK-LABEL: @nested
// CPU: xla.gather
// CPU-COUNT-2: xla.fusion(
// GPU-COUNT-1: xla.fusion(
// CHECK-NOT: xla.fusion(
// CHECK: return
func.func @nested(%t: tensor<20xf32>, %u: tensor<30xi32>, %i: tensor<70xi32>) -> tensor<70xf32> {
  %zero = xla.constant dense<0> : tensor<70xi32>
  %n = xla.constant dense<20> : tensor<70xi32>
  %r0 = xla.reshape %i : (tensor<70xi32>) -> tensor<70x1xi32>
  %k = xla.gather %u, %r0 {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<30xi32>, tensor<70x1xi32>) -> tensor<70xi32>
  %c = xla.compare %k, %zero {comparison_direction = "LT"} : (tensor<70xi32>, tensor<70xi32>) -> tensor<70xi1>
  %p = xla.add %k, %n : tensor<70xi32>
  %s = xla.select %c, %p, %k : (tensor<70xi1>, tensor<70xi32>, tensor<70xi32>) -> tensor<70xi32>
  %r1 = xla.reshape %s : (tensor<70xi32>) -> tensor<70x1xi32>
  %g = xla.gather %t, %r1 {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<20xf32>, tensor<70x1xi32>) -> tensor<70xf32>
  %f = xla.convert %k : (tensor<70xi32>) -> tensor<70xf32>
  %y = xla.add %g, %f : tensor<70xf32>
  return %y : tensor<70xf32>
}

// The same if nothing else works on it, also of several coordinates. Processors keep both, each by itself.
// CHECK-LABEL: @pairs
// GPU: xla.fusion(
// GPU-COUNT-2: xla.gather
// CPU-NOT: xla.fusion(
// CHECK: return
func.func @pairs(%t: tensor<20x4xf32>, %u: tensor<4x2xi32>, %i: tensor<7xi32>) -> tensor<7xf32> {
  %r = xla.reshape %i : (tensor<7xi32>) -> tensor<7x1xi32>
  %k = xla.gather %u, %r {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 2]} : (tensor<4x2xi32>, tensor<7x1xi32>) -> tensor<7x2xi32>
  %g = xla.gather %t, %k {collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1, slice_sizes = [1, 1]} : (tensor<20x4xf32>, tensor<7x2xi32>) -> tensor<7xf32>
  return %g : tensor<7xf32>
}

// Each thread of a row loads the index again: where all threads are those of a processor, that takes longer.
// CHECK-LABEL: @rows
// GPU: xla.fusion(
// GPU-COUNT-2: xla.gather
// CHECK: return
// LLVMPIPE-LABEL: @rows
// LLVMPIPE-NOT: xla.fusion(
// LLVMPIPE: return
func.func @rows(%t: tensor<20x64xf32>, %u: tensor<30xi32>, %i: tensor<3000xi32>) -> tensor<3000x64xf32> {
  %r = xla.reshape %i : (tensor<3000xi32>) -> tensor<3000x1xi32>
  %k = xla.gather %u, %r {collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1]} : (tensor<30xi32>, tensor<3000x1xi32>) -> tensor<3000xi32>
  %s = xla.reshape %k : (tensor<3000xi32>) -> tensor<3000x1xi32>
  %g = xla.gather %t, %s {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 64]} : (tensor<20x64xf32>, tensor<3000x1xi32>) -> tensor<3000x64xf32>
  return %g : tensor<3000x64xf32>
}
