// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v4 threads=1" --xla-linalg-to-affine | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// A copy: 16 loads, 4 rounds of 16 shuffles, 16 stores.
// CHECK-LABEL: func.func private @copy
// CHECK-NOT: memref.alloca
// CHECK-COUNT-16: affine.vector_load {{.*}} vector<16xf32>
// CHECK-COUNT-64: vector.shuffle
// CHECK-COUNT-16: affine.vector_store {{.*}} vector<16xf32>
// CHECK-NOT: vector.shuffle
// CHECK: return
func.func private @copy(%a: memref<128x256xf32>, %out: memref<256x128xf32>) attributes {xla.kind = "transpose"} {
  linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<128x256xf32>) outs(%out : memref<256x128xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  return
}

// With a body: through a tile of 64 x 64. Blocks at ragged edges go by scalars.
// CHECK-LABEL: func.func private @add
// CHECK: %[[TILE:.*]] = memref.alloca() {{.*}} : memref<4096xf32>
// CHECK: affine.if
// CHECK-COUNT-64: vector.shuffle
// CHECK: affine.vector_store {{.*}}, %[[TILE]]
// CHECK: } else {
// CHECK: affine.load
// CHECK: affine.store {{.*}}, %[[TILE]]
// CHECK: affine.vector_load %[[TILE]]{{.*}} vector<64xf32>
// CHECK: arith.addf {{.*}} : vector<64xf32>
// CHECK: affine.if
// CHECK: affine.vector_load %[[TILE]]{{.*}} vector<36xf32>
func.func private @add(%a: memref<100x200xf32>, %b: memref<200x100xf32>, %out: memref<200x100xf32>) attributes {xla.kind = "transpose"} {
  linalg.generic {indexing_maps = [#swap, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<100x200xf32>, memref<200x100xf32>) outs(%out : memref<200x100xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  }
  return
}
