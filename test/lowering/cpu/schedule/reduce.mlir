// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v4 threads=1" --xla-linalg-to-affine | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>

// Along the rows: accumulators in lanes, combined across at the end.
// CHECK-LABEL: func.func private @rows
// CHECK: %[[INIT:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: affine.for
// CHECK: %[[ZERO:.*]] = arith.constant dense<-0.000000e+00> : vector<64xf32>
// CHECK: %[[ACC:.*]] = affine.for {{.*}} iter_args(%{{.*}} = %[[ZERO]])
// CHECK: %[[PART:.*]] = vector.extract_strided_slice %[[ACC]] {offsets = [0], sizes = [40]
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[PART]] : vector<40xf32>
// CHECK: %[[ALL:.*]] = vector.insert_strided_slice %[[SUM]], %[[ACC]]
// CHECK: %[[Z:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: %[[S:.*]] = vector.reduction <add>, %[[ALL]], %[[Z]] fastmath<reassoc>
// CHECK: %[[R:.*]] = arith.addf %[[INIT]], %[[S]] : f32
// CHECK: affine.store %[[R]]
func.func private @rows(%a: memref<8x1000xf32>, %out: memref<8xf32>) attributes {xla.kind = "reduce"} {
  %c = arith.constant 1.0 : f32
  linalg.fill ins(%c : f32) outs(%out : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<8x1000xf32>) outs(%out : memref<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %o : f32
    linalg.yield %r : f32
  }
  return
}

// Down the columns: a lane a column.
// CHECK-LABEL: func.func private @columns
// CHECK-NOT: vector.reduction
// CHECK: %[[ACC:.*]] = affine.for {{.*}} -> (vector<128xf32>)
// CHECK: affine.vector_load {{.*}} vector<128xf32>
// CHECK: arith.addf {{.*}} : vector<128xf32>
// CHECK: affine.vector_store %[[ACC]]
func.func private @columns(%a: memref<1000x256xf32>, %out: memref<256xf32>) attributes {xla.kind = "reduce"} {
  linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%a : memref<1000x256xf32>) outs(%out : memref<256xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %o : f32
    linalg.yield %r : f32
  }
  return
}

// bf16 sums are carried in f32 and rounded once.
// CHECK-LABEL: func.func private @bf16
// CHECK: affine.for {{.*}} -> (vector<64xf32>)
// CHECK-NOT: truncf
// CHECK: vector.reduction <add>
// CHECK: arith.truncf %{{.*}} : f32 to bf16
func.func private @bf16(%a: memref<1024xbf16>, %out: memref<bf16>) attributes {xla.kind = "reduce"} {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : memref<1024xbf16>) outs(%out : memref<bf16>) {
  ^bb0(%x: bf16, %o: bf16):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %o : bf16 to f32
    %2 = arith.addf %1, %0 : f32
    %3 = arith.truncf %2 : f32 to bf16
    linalg.yield %3 : bf16
  }
  return
}

// LLVM fails on bf16 vectors of odd lengths: 100 lanes are 64, 32 and 4.
// CHECK-LABEL: func.func private @bf16_pieces
// CHECK: affine.vector_store {{.*}} vector<64xbf16>
// CHECK: affine.vector_store {{.*}} vector<32xbf16>
// CHECK: affine.vector_store {{.*}} vector<4xbf16>
func.func private @bf16_pieces(%out: memref<100xbf16>) attributes {xla.kind = "loop"} {
  %c = arith.constant 1.0 : bf16
  linalg.fill ins(%c : bf16) outs(%out : memref<100xbf16>)
  return
}

// A combiner that may not commute keeps the order of the elements.
// CHECK-LABEL: func.func private @ordered
// CHECK-NOT: vector
// CHECK: affine.for {{.*}} -> (f32)
// CHECK-NOT: vector
// CHECK: return
func.func private @ordered(%a: memref<1024xf32>, %out: memref<f32>) attributes {xla.kind = "reduce"} {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : memref<1024xf32>) outs(%out : memref<f32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.subf %o, %x : f32
    linalg.yield %r : f32
  }
  return
}

// .. but down the columns that order costs nothing.
// CHECK-LABEL: func.func private @argmax
// CHECK: affine.for {{.*}} -> (vector<16xf32>, vector<16xi32>)
// CHECK: arith.select {{.*}} : vector<16xi1>, vector<16xi32>
func.func private @argmax(%a: memref<10x16xf32>, %v: memref<16xf32>, %i: memref<16xi32>) attributes {xla.kind = "reduce"} {
  linalg.generic {indexing_maps = [#id, #col, #col], iterator_types = ["reduction", "parallel"]} ins(%a : memref<10x16xf32>) outs(%v, %i : memref<16xf32>, memref<16xi32>) {
  ^bb0(%x: f32, %m: f32, %j: i32):
    %k = linalg.index 0 : index
    %n = arith.index_cast %k : index to i32
    %g = arith.cmpf ogt, %x, %m : f32
    %r = arith.select %g, %x, %m : f32
    %s = arith.select %g, %n, %j : i32
    linalg.yield %r, %s : f32, i32
  }
  return
}

// Along the rows an ordered combiner takes a lane a row: blocks are transposed
// on their way to a tile.
// CHECK-LABEL: func.func private @argmax_rows
// CHECK: %[[TILE:.*]] = memref.alloca() {{.*}} : memref<1024xf32>
// CHECK: affine.for {{.*}} -> (vector<16xf32>, vector<16xi32>)
// CHECK-COUNT-64: vector.shuffle
// CHECK: affine.for {{.*}} -> (vector<16xf32>, vector<16xi32>)
// CHECK: affine.vector_load %[[TILE]]
// CHECK: arith.cmpf ogt
func.func private @argmax_rows(%a: memref<16x1000xf32>, %v: memref<16xf32>, %i: memref<16xi32>) attributes {xla.kind = "reduce"} {
  linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<16x1000xf32>) outs(%v, %i : memref<16xf32>, memref<16xi32>) {
  ^bb0(%x: f32, %m: f32, %j: i32):
    %k = linalg.index 1 : index
    %n = arith.index_cast %k : index to i32
    %g = arith.cmpf ogt, %x, %m : f32
    %r = arith.select %g, %x, %m : f32
    %s = arith.select %g, %n, %j : i32
    linalg.yield %r, %s : f32, i32
  }
  return
}
