// Of affine a body may have affine.apply, and affine.load of one dimension.
// RUN: not xla-opt %s --split-input-file --xla-linalg-to-affine 2>&1 | FileCheck %s
// RUN: not xla-opt %s --split-input-file --xla-attach-target="device=rdna2" --xla-linalg-to-affine 2>&1 | FileCheck %s

#map = affine_map<(i) -> (i)>
#set = affine_set<(i) : (i - 3 >= 0)>
func.func private @branch(%x: memref<16xf32>, %y: memref<16xf32>) attributes {xla.kind = "loop"} {
  linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%y : memref<16xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    // CHECK: positions-invalid.mlir:[[@LINE+1]]:{{.*}} error: {{.*}}is not scheduled in a body: of affine only apply, and load of one dimension, are
    %v = affine.if #set(%i) -> f32 {
      %a = affine.load %x[symbol(%i) - 3] : memref<16xf32>
      affine.yield %a : f32
    } else {
      %zero = arith.constant 0.0 : f32
      affine.yield %zero : f32
    }
    linalg.yield %v : f32
  }
  return
}

// -----

#map = affine_map<(i) -> (i)>
func.func private @plane(%x: memref<4x16xf32>, %y: memref<16xf32>) attributes {xla.kind = "loop"} {
  linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%y : memref<16xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    // CHECK: positions-invalid.mlir:[[@LINE+1]]:{{.*}} error: {{.*}}is not scheduled in a body
    %v = affine.load %x[2, symbol(%i)] : memref<4x16xf32>
    linalg.yield %v : f32
  }
  return
}
