// A kernel of linalg by itself: with scratch its product is one of matrices, without it loops like others.
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=1" --xla-linalg-to-affine | FileCheck %s

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func private @scratch(
// CHECK: memref.view
// CHECK: call @scratch.product(
// CHECK-NOT: linalg
func.func private @scratch(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>, %s: memref<100000xi8>) attributes {xla.kind = "contraction", xla.scratch = 3 : i64} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %sum, %p : f32
    linalg.yield %q : f32
  }
  return
}

// Sums from anything but zero are no product of matrices either.
// CHECK-LABEL: func.func private @more(
// CHECK-NOT: call
// CHECK: affine.for
// CHECK: return
func.func private @more(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>, %s: memref<100000xi8>) attributes {xla.kind = "contraction", xla.scratch = 3 : i64} {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%c : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %sum, %p : f32
    linalg.yield %q : f32
  }
  return
}

// CHECK-LABEL: func.func private @loops(
// CHECK-NOT: call
// CHECK: affine.for
// CHECK: arith.mulf %{{.*}} : vector<
// CHECK: return
func.func private @loops(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) attributes {xla.kind = "contraction"} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %sum, %p : f32
    linalg.yield %q : f32
  }
  return
}
