// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v4 threads=2" --xla-linalg-to-affine | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Softmax: three loops a row, one row of scratch a thread, row values in
// registers.
// CHECK-LABEL: func.func private @softmax
// CHECK-NOT: memref.alloc()
// CHECK: affine.parallel
// CHECK: %[[E:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
// CHECK: affine.for %[[I:.*]] =
// CHECK: affine.for %[[J:.*]] = 0 to 1024 step 64 iter_args
// CHECK: affine.vector_load %{{.*}}[%[[I]] * 1024 + %[[J]]]
// CHECK: arith.maximumf
// CHECK: %[[MAX:.*]] = vector.reduction <maximumf>
// CHECK: affine.for {{.*}} iter_args
// CHECK: math.exp
// CHECK: affine.vector_store {{.*}}, %[[E]]
// CHECK: arith.addf
// CHECK: vector.reduction <add>
// CHECK: affine.for
// CHECK: affine.vector_load %[[E]]
// CHECK: arith.divf
// CHECK-NOT: affine.for
// CHECK: return
func.func private @softmax(%x: memref<4096x1024xf32>, %out: memref<4096x1024xf32>) attributes {xla.kind = "row"} {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4096xf32>
  %s = memref.alloc() : memref<4096xf32>
  %e = memref.alloc() : memref<4096x1024xf32>
  linalg.fill ins(%ninf : f32) outs(%m : memref<4096xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<4096x1024xf32>) outs(%m : memref<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %o : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : memref<4096x1024xf32>, memref<4096xf32>) outs(%e : memref<4096x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  }
  linalg.fill ins(%zero : f32) outs(%s : memref<4096xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<4096x1024xf32>) outs(%s : memref<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%e, %s : memref<4096x1024xf32>, memref<4096xf32>) outs(%out : memref<4096x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}
