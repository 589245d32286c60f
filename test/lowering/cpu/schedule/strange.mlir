// Bodies and views that lowering does not make, but others may: wide and odd integers, casts that cut indices, loads of bits, stores.
// RUN: xla-opt %s --xla-linalg-to-affine --split-input-file | FileCheck %s
// CHECK-NOT: vector.load
// CHECK: func.func

// wide
func.func private @k(%in: memref<64xf32>, %out: memref<64xf32>) attributes {xla.kind = "loop"} {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%in : memref<64xf32>) outs(%out : memref<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %a = arith.fptosi %x : f32 to i1024
    %b = arith.sitofp %a : i1024 to f32
    linalg.yield %b : f32
  }
  return
}

// -----

// i48
func.func private @k(%in: memref<100x100xi32, strided<[1, 100]>>, %out: memref<100x100xi32>) attributes {xla.kind = "loop"} {
  linalg.generic {indexing_maps = [affine_map<(d0,d1) -> (d0,d1)>, affine_map<(d0,d1) -> (d0,d1)>], iterator_types = ["parallel","parallel"]} ins(%in : memref<100x100xi32, strided<[1, 100]>>) outs(%out : memref<100x100xi32>) {
  ^bb0(%x: i32, %o: i32):
    %a = arith.extsi %x : i32 to i48
    %c = arith.muli %a, %a : i48
    %b = arith.trunci %c : i48 to i32
    linalg.yield %b : i32
  }
  return
}

// -----

// i1load
func.func private @k(%p: memref<64xi1>, %out: memref<64xf32>) attributes {xla.kind = "loop"} {
  %z = arith.constant 0.0 : f32
  %n = arith.constant 1.0 : f32
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%out : memref<64xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %l = memref.load %p[%i] : memref<64xi1>
    %b = arith.select %l, %n, %z : f32
    linalg.yield %b : f32
  }
  return
}

// -----

// wrap
func.func private @k(%p: memref<256xf32>, %out: memref<256xf32>) attributes {xla.kind = "loop"} {
  %c = arith.constant 128 : index
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%out : memref<256xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %s = arith.index_cast %i : index to i8
    %t = arith.index_cast %s : i8 to index
    %u = arith.addi %t, %c : index
    %l = memref.load %p[%u] : memref<256xf32>
    linalg.yield %l : f32
  }
  return
}

// -----

// dom2
func.func private @k(%a: memref<4x8xf32>, %out: memref<4x8xf32>, %o2: memref<32xf32>) attributes {xla.kind = "loop"} {
  linalg.generic {indexing_maps = [affine_map<(d0,d1) -> (d0,d1)>, affine_map<(d0,d1) -> (d0,d1)>], iterator_types = ["parallel","parallel"]} ins(%a : memref<4x8xf32>) outs(%out : memref<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %c = arith.addf %x, %x : f32
    linalg.yield %c : f32
  }
  func.call @ext() : () -> ()
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [32], strides: [1] : memref<4x8xf32> to memref<32xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v : memref<32xf32>) outs(%o2 : memref<32xf32>) {
  ^bb0(%x: f32, %o: f32):
    %c = arith.mulf %x, %x : f32
    linalg.yield %c : f32
  }
  return
}
func.func private @ext()

// -----

// store
func.func private @k(%in: memref<64x64xbf16>, %out: memref<64xbf16>, %s: memref<bf16>) attributes {xla.kind = "loop"} {
  linalg.generic {indexing_maps = [affine_map<(d0,d1) -> (d0,d1)>, affine_map<(d0,d1) -> (d0)>], iterator_types = ["parallel","reduction"]} ins(%in : memref<64x64xbf16>) outs(%out : memref<64xbf16>) {
  ^bb0(%x: bf16, %o: bf16):
    memref.store %x, %s[] : memref<bf16>
    %a = arith.extf %x : bf16 to f32
    %b = arith.extf %o : bf16 to f32
    %c = arith.addf %a, %b : f32
    %d = arith.truncf %c : f32 to bf16
    linalg.yield %d : bf16
  }
  return
}

// -----

// unranked
func.func private @k(%a: memref<*xf32>, %out: memref<4x4xf32>) attributes {xla.kind = "loop"} {
  %in = memref.cast %a : memref<*xf32> to memref<4x4xf32>
  linalg.generic {indexing_maps = [affine_map<(d0,d1) -> (d0,d1)>, affine_map<(d0,d1) -> (d0,d1)>], iterator_types = ["parallel","parallel"]} ins(%in : memref<4x4xf32>) outs(%out : memref<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %c = arith.addf %x, %x : f32
    linalg.yield %c : f32
  }
  return
}
