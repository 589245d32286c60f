// RUN: xla-opt %s --split-input-file --xla-linalg-to-affine | FileCheck %s

// Quotients that may be below 0 are rounded down: what is divided is shifted by as many divisors as that takes.
// CHECK-LABEL: @shifted
// CHECK: %[[STEP:.*]] = vector.step
// CHECK: %[[UP:.*]] = arith.addi %{{.*}}, %{{.*}} : vector<{{[0-9]+}}xi32>
// CHECK: %[[Q:.*]] = arith.divui
// CHECK: arith.subi %[[Q]], %{{.*}}
// CHECK: vector.gather
func.func private @shifted(%x: memref<500xf32>, %y: memref<320xf32>) attributes {xla.kind = "loop"} {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%y : memref<320xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %a = affine.load %x[(%i - 5) floordiv 3 + 2] : memref<500xf32>
    %b = math.tanh %a : f32
    linalg.yield %b : f32
  }
  return
}

// -----

// A body that costs little loads one by one,
// CHECK-LABEL: @cheap
// CHECK-NOT: vector.gather
// CHECK: affine.load
// CHECK-NOT: vector.gather
// CHECK: return
func.func private @cheap(%x: memref<500xf32>, %y: memref<320xf32>) attributes {xla.kind = "loop"} {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%y : memref<320xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %a = affine.load %x[%i floordiv 3] : memref<500xf32>
    %b = arith.negf %a : f32
    linalg.yield %b : f32
  }
  return
}

// -----

// and so does one whose positions have no room in 32 bits,
// CHECK-LABEL: @far
// CHECK-NOT: vector.gather
// CHECK: return
func.func private @far(%x: memref<3000000000xf32>, %y: memref<320xf32>) attributes {xla.kind = "loop"} {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%y : memref<320xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %a = affine.load %x[(%i floordiv 3) * 20000000] : memref<3000000000xf32>
    %b = math.tanh %a : f32
    linalg.yield %b : f32
  }
  return
}

// -----

// or depend on other values.
// CHECK-LABEL: @other
// CHECK-NOT: vector.gather
// CHECK: return
func.func private @other(%x: memref<500xf32>, %y: memref<320xf32>, %z: memref<1xindex>) attributes {xla.kind = "loop"} {
  %zero = arith.constant 0 : index
  %k = memref.load %z[%zero] : memref<1xindex>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%y : memref<320xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %a = affine.load %x[(%i + symbol(%k)) floordiv 3] : memref<500xf32>
    %b = math.tanh %a : f32
    linalg.yield %b : f32
  }
  return
}
