// RUN: not xla-opt %s --xla-attach-target="cpu=x86-64-v4 threads=1" --xla-linalg-to-affine 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v4 threads=1" --xla-linalg-to-affine=allow-alloc | FileCheck %s
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v4 threads=1" --xla-linalg-to-affine=stack-bytes=1000000 | FileCheck %s --check-prefix=STACK

// Rows of 400 kB: an error, a buffer of the whole, or a large stack.
// CHECK-LABEL: func.func private @budget
// CHECK: %[[A:.*]] = memref.alloc() : memref<4x100000xf32>
// CHECK: %[[FLAT:.*]] = memref.reinterpret_cast %[[A]]
// CHECK: affine.vector_store {{.*}}, %[[FLAT]]
// CHECK: affine.vector_load %[[FLAT]]
// STACK-LABEL: func.func private @budget
// STACK: memref.alloca() {alignment = 64 : i64} : memref<100000xf32>
// STACK-NOT: memref.alloc()
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func private @budget(%x: memref<4x100000xf32>, %s: memref<4xf32>, %out: memref<4x100000xf32>) attributes {xla.kind = "row"} {
  // ERROR: :[[# @LINE + 1]]:{{.*}}: error: an intermediate does not fit into a row of scratch memory and needs a buffer
  %e = memref.alloc() : memref<4x100000xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x100000xf32>) outs(%e : memref<4x100000xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<4x100000xf32>) outs(%s : memref<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%e, %s : memref<4x100000xf32>, memref<4xf32>) outs(%out : memref<4x100000xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}
