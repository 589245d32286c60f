// The scratch memory of a kernel must be there, and large enough.
// RUN: not xla-opt %s --split-input-file --xla-linalg-to-affine 2>&1 | FileCheck %s

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
// CHECK: product-invalid.mlir:[[@LINE+1]]:{{.*}} error: {{.*}}xla.scratch is not the number, as i64, of an argument that is a memref of {{[0-9]+}} x i8
func.func private @small(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>, %s: memref<8xi8>) attributes {xla.kind = "contraction", xla.scratch = 3 : i64} {
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

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
// CHECK: product-invalid.mlir:[[@LINE+1]]:{{.*}} error: {{.*}}xla.scratch is not the number
func.func private @missing(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) attributes {xla.kind = "contraction", xla.scratch = 7 : i64} {
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
