// RUN: xla-opt %s --xla-cpu-schedule=stack-bytes=4096 --split-input-file --verify-diagnostics
// RUN: xla-opt %s --xla-cpu-schedule=allow-alloc --split-input-file --verify-diagnostics=only-expected 2>&1 | FileCheck %s --allow-empty --check-prefix=ALLOW
// ALLOW-NOT: needs a buffer

func.func private @bits(%a: memref<4xi1>, %out: memref<4xi1>) attributes {xla.kind = "loop"} {
  // expected-error @below {{an operand has elements narrower than a byte; use i8 in memory}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<4xi1>) outs(%out : memref<4xi1>) {
  ^bb0(%x: i1, %o: i1):
    linalg.yield %x : i1
  }
  return
}

// -----

func.func private @dynamic(%a: memref<?xf32>, %c: f32) attributes {xla.kind = "loop"} {
  // expected-error @below {{scheduling needs operands of memref type and static shape}}
  linalg.fill ins(%c : f32) outs(%a : memref<?xf32>)
  return
}

// -----

func.func private @map(%a: memref<8xf32>, %out: memref<4xf32>) attributes {xla.kind = "loop"} {
  // expected-error @below {{an indexing map is not a projected permutation}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 + 2)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<8xf32>) outs(%out : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func private @budget(%x: memref<4x100000xf32>, %s: memref<4xf32>, %out: memref<4x100000xf32>) attributes {xla.kind = "row"} {
  // expected-error @below {{an intermediate does not fit into a row of scratch memory and needs a buffer}}
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
