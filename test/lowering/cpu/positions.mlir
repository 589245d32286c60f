// Lanes read elements that follow each other by vectors, and one element for all of them once; others lane by lane.
// RUN: xla-opt %s --split-input-file --xla-attach-target="cpu=x86-64-v3 threads=1" --xla-linalg-to-affine | FileCheck %s

#map = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func.func private @along(
// CHECK: affine.for %[[I:.*]] = 0 to 8 {
// CHECK: affine.vector_load %arg0[(%[[I]] floordiv 3) * 64 + {{.*}}] : memref<300xf32>, vector<[[N:[0-9]+]]xf32>
// CHECK: affine.load %arg1[%[[I]] mod 5] : memref<5xf32>
// CHECK: arith.addf %{{.*}} : vector<[[N]]xf32>
func.func private @along(%x: memref<300xf32>, %w: memref<5xf32>, %y: memref<8x64xf32>) attributes {xla.kind = "loop"} {
  linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%y : memref<8x64xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = affine.load %x[(symbol(%i) floordiv 3) * 64 + symbol(%j) + 7] : memref<300xf32>
    %b = affine.load %w[symbol(%i) mod 5] : memref<5xf32>
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  }
  return
}

// -----

#map = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func.func private @apart(
// CHECK-NOT: vector
// CHECK: %[[K:.*]] = affine.apply
// CHECK: affine.load %arg0[%{{.*}} + %[[K]]] : memref<300xf32>
// CHECK-NOT: vector
func.func private @apart(%x: memref<300xf32>, %y: memref<8x64xf32>) attributes {xla.kind = "loop"} {
  linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%y : memref<8x64xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = affine.apply affine_map<(d) -> (d mod 40)>(%j)
    %a = affine.load %x[%k + symbol(%i)] : memref<300xf32>
    linalg.yield %a : f32
  }
  return
}
