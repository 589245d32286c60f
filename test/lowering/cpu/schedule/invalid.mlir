// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v4 threads=1" --xla-linalg-to-affine --split-input-file --verify-diagnostics

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

func.func private @elements(%out: memref<4xindex>, %c: index) attributes {xla.kind = "loop"} {
  // expected-error @below {{an operand's elements are neither integers nor floats}}
  linalg.fill ins(%c : index) outs(%out : memref<4xindex>)
  return
}

// -----

func.func private @k(%a: memref<?x?xf32>, %out: memref<4x4xf32>) attributes {xla.kind = "loop"} {
  %in = memref.cast %a : memref<?x?xf32> to memref<4x4xf32>
  // expected-error @+1 {{an operand looks into a buffer without static sizes and strides of at least 0, or one that is too large}}
  linalg.generic {indexing_maps = [affine_map<(d0,d1) -> (d0,d1)>, affine_map<(d0,d1) -> (d0,d1)>], iterator_types = ["parallel","parallel"]} ins(%in : memref<4x4xf32>) outs(%out : memref<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %c = arith.addf %x, %x : f32
    linalg.yield %c : f32
  }
  return
}

// -----

func.func private @k(%a: memref<4294967296x4294967296xf32>, %out: memref<4294967296x4294967296xf32>) attributes {xla.kind = "loop"} {
  // expected-error @+1 {{an operand looks into a buffer without static sizes and strides of at least 0, or one that is too large}}
  linalg.generic {indexing_maps = [affine_map<(d0,d1) -> (d0,d1)>, affine_map<(d0,d1) -> (d1,d0)>], iterator_types = ["parallel","parallel"]} ins(%a : memref<4294967296x4294967296xf32>) outs(%out : memref<4294967296x4294967296xf32>) {
  ^bb0(%x: f32, %o: f32):
    %c = arith.addf %x, %x : f32
    linalg.yield %c : f32
  }
  return
}

// -----

func.func private @k(%in: memref<64xf32, strided<[-1], offset: 63>>, %out: memref<64xf32, strided<[-1], offset: 63>>) attributes {xla.kind = "loop"} {
  // expected-error @+1 {{an operand looks into a buffer without static sizes and strides of at least 0, or one that is too large}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%in : memref<64xf32, strided<[-1], offset: 63>>) outs(%out : memref<64xf32, strided<[-1], offset: 63>>) {
  ^bb0(%x: f32, %o: f32):
    %a = arith.fptosi %x : f32 to i32
    %b = arith.sitofp %a : i32 to f32
    linalg.yield %b : f32
  }
  return
}
