// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v4 threads=1" --xla-linalg-to-affine | FileCheck %s
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v4 threads=4" --xla-linalg-to-affine | FileCheck %s --check-prefix=PAR

// PAR-DAG: #[[LOWER:.*]] = affine_map<(d0) -> (d0 * 250048)>
// PAR-DAG: #[[UPPER:.*]] = affine_map<(d0) -> (d0 * 250048 + 250048, 1000000)>
// PAR-DAG: #[[LAST:.*]] = affine_set<(d0) : (d0 - 3 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
#id5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#none = affine_map<() -> ()>

// Contiguous dimensions are one loop; a light body takes four registers a step.
// CHECK-LABEL: func.func private @rank5
// CHECK: affine.for %[[I:.*]] = 0 to 7680 step 64 {
// CHECK-NEXT: %[[X:.*]] = affine.vector_load %{{.*}}[%[[I]]] : memref<7680xf32>, vector<64xf32>
// CHECK-NEXT: %[[R:.*]] = arith.addf %[[X]], %[[X]] : vector<64xf32>
// CHECK-NEXT: affine.vector_store %[[R]], %{{.*}}[%[[I]]] : memref<7680xf32>, vector<64xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func private @rank5(%in: memref<2x3x4x5x64xf32>, %out: memref<2x3x4x5x64xf32>) attributes {xla.kind = "loop"} {
  linalg.generic {indexing_maps = [#id5, #id5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%in : memref<2x3x4x5x64xf32>) outs(%out : memref<2x3x4x5x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %x : f32
    linalg.yield %r : f32
  }
  return
}

// Columns broadcast by a vector load, rows by a scalar before the lanes' loop.
// The rest of 100 lanes is one shorter vector.
// CHECK-LABEL: func.func private @broadcasts
// CHECK: affine.for %[[R:.*]] =
// CHECK: %[[S:.*]] = affine.load %{{.*}}[%[[R]]] : memref<8xf32>
// CHECK: affine.vector_load {{.*}} : memref<100xf32>, vector<64xf32>
// CHECK: vector.broadcast %[[S]] : f32 to vector<64xf32>
// CHECK-NOT: affine.for
// CHECK: affine.vector_store {{.*}} : memref<800xf32>, vector<64xf32>
// CHECK: affine.vector_load {{.*}} : memref<100xf32>, vector<36xf32>
// CHECK: affine.vector_store {{.*}} : memref<800xf32>, vector<36xf32>
func.func private @broadcasts(%a: memref<8xf32>, %b: memref<100xf32>, %out: memref<8x100xf32>) attributes {xla.kind = "loop"} {
  linalg.generic {indexing_maps = [#row, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<8xf32>, memref<100xf32>) outs(%out : memref<8x100xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.mulf %x, %y : f32
    linalg.yield %r : f32
  }
  return
}

// The widest type decides the lanes; what depends on no lane stays scalar.
// CHECK-LABEL: func.func private @widths
// CHECK: %[[Q:.*]] = arith.divsi %{{.*}}, %{{.*}} : i64
// CHECK: vector.broadcast %[[Q]] : i64 to vector<8xi64>
// CHECK: affine.vector_load {{.*}} : memref<64xf16>, vector<8xf16>
// CHECK: arith.fptosi {{.*}} : vector<8xf16> to vector<8xi64>
// CHECK: arith.cmpi slt, {{.*}} : vector<8xi64>
// CHECK: arith.extui {{.*}} : vector<8xi1> to vector<8xi8>
// CHECK: affine.vector_store {{.*}} : memref<64xi8>, vector<8xi8>
func.func private @widths(%a: memref<64xf16>, %s: memref<i64>, %out: memref<64xi8>) attributes {xla.kind = "loop"} {
  %c7 = arith.constant 7 : i64
  linalg.generic {indexing_maps = [#id1, affine_map<(d0) -> ()>, #id1], iterator_types = ["parallel"]}
      ins(%a, %s : memref<64xf16>, memref<i64>) outs(%out : memref<64xi8>) {
  ^bb0(%x: f16, %y: i64, %o: i8):
    %i = arith.fptosi %x : f16 to i64
    %q = arith.divsi %c7, %y : i64
    %c = arith.cmpi slt, %i, %q : i64
    %r = arith.extui %c : i1 to i8
    linalg.yield %r : i8
  }
  return
}

// CHECK-LABEL: func.func private @index
// CHECK: vector.step : vector<{{.*}}xindex>
// CHECK: arith.index_cast {{.*}} : vector<{{.*}}xindex> to vector<{{.*}}xi32>
func.func private @index(%out: memref<3x33xi32>) attributes {xla.kind = "loop"} {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%out : memref<3x33xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 1 : index
    %r = arith.index_cast %i : index to i32
    linalg.yield %r : i32
  }
  return
}

// A chain of ops is one loop; the intermediate never reaches memory.
// CHECK-LABEL: func.func private @chain
// CHECK-NOT: memref.alloc
// CHECK: math.absf {{.*}} : vector
// CHECK-NEXT: arith.negf {{.*}} : vector
// CHECK-NOT: affine.vector_load
// CHECK: return
func.func private @chain(%a: memref<256xf32>, %out: memref<256xf32>) attributes {xla.kind = "loop"} {
  %t = memref.alloc() : memref<256xf32>
  linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]} ins(%a : memref<256xf32>) outs(%t : memref<256xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.absf %x : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]} ins(%t : memref<256xf32>) outs(%out : memref<256xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.negf %x : f32
    linalg.yield %r : f32
  }
  memref.dealloc %t : memref<256xf32>
  return
}

// CHECK-LABEL: func.func private @scalar
// CHECK: %[[X:.*]] = affine.load
// CHECK: %[[R:.*]] = arith.addf %[[X]], %[[X]] : f32
// CHECK: affine.store %[[R]]
func.func private @scalar(%a: memref<f32>, %out: memref<f32>) attributes {xla.kind = "loop"} {
  linalg.generic {indexing_maps = [#none, #none], iterator_types = []} ins(%a : memref<f32>) outs(%out : memref<f32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %x : f32
    linalg.yield %r : f32
  }
  return
}

// CHECK-LABEL: func.func private @empty
// CHECK-NEXT: return
func.func private @empty(%a: memref<5x0x3xf32>, %out: memref<5x0x3xf32>) attributes {xla.kind = "loop"} {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : memref<5x0x3xf32>) outs(%out : memref<5x0x3xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  return
}

// Chunks end on whole vectors; the last one also takes the rest.
// CHECK-LABEL: func.func private @threads
// CHECK-NOT: affine.parallel
// PAR-LABEL: func.func private @threads
// PAR: affine.parallel (%[[T:.*]]) = (0) to (4) {
// PAR: affine.for %{{.*}} = #[[LOWER]](%[[T]]) to min #[[UPPER]](%[[T]]) step 64 {
// PAR: vector<64xf32>
// PAR: affine.if #[[LAST]](%[[T]])
// PAR: vector<5xf32>
func.func private @threads(%a: memref<1000005xf32>, %out: memref<1000005xf32>) attributes {xla.kind = "loop"} {
  linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]} ins(%a : memref<1000005xf32>) outs(%out : memref<1000005xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.negf %x : f32
    linalg.yield %r : f32
  }
  return
}

// Kernels of other kinds are left alone.
// CHECK-LABEL: func.func private @other
// CHECK: linalg.fill
func.func private @other(%out: memref<4xf32>, %c: f32) attributes {xla.kind = "other"} {
  linalg.fill ins(%c : f32) outs(%out : memref<4xf32>)
  return
}
