// Runs of four are sorted in registers, then merged, each thread a part of a line.
// REQUIRES: vulkan
// RUN: xla-opt %s --xla-attach-target="device=rdna2" --xla-vulkan-pipeline=to=linalg | FileCheck %s
// RUN: xla-run %s --device=all --seed=3 | FileCheck %s --check-prefix=PAIRS
// RUN: xla-run %s --entry=columns --device=all --seed=3 | FileCheck %s --check-prefix=COLUMNS
// RUN: xla-run %s --entry=largest --device=all --seed=3 | FileCheck %s --check-prefix=LARGEST
// RUN: xla-run %s --entry=short --device=all --seed=3 | FileCheck %s --check-prefix=SHORT
// RUN: xla-run %s --entry=contradicting --device=vulkan --seed=3 | FileCheck %s --check-prefix=CONTRADICTING
// RUN: xla-run %s --device=vulkan --seed=3 --stats 2>&1 | FileCheck %s --check-prefix=STATS

// The shaders of all passes are the same; only the two directions differ.
// STATS: vulkan: shaders {{ *}}5
// STATS: vulkan: dispatches {{ *}}1{{[0-9]}}

// CHECK-LABEL: func.func private @kernel_0(
// CHECK-SAME: {xla.kind = "sort"
// CHECK: scf.for
// CHECK: %[[BEFORE:.*]] = arith.cmpf ogt
// Lines of whole runs have nothing behind them that must stay there.
// CHECK-NEXT: arith.select %[[BEFORE]]
// The path is halved, each point bisected; then a part is merged.
// CHECK: memref.store %{{.*}}, %[[PASS:.*]][%{{.*}}] : memref<1xi32>
// CHECK: scf.for
// CHECK: memref.load %[[PASS]]
// CHECK: scf.for {{.*}} iter_args
// CHECK: scf.for {{.*}} iter_args
// CHECK: scf.for {{.*}} iter_args
// CHECK: memref.store
// PAIRS: 3x500xf32=
// PAIRS-NEXT: 3x500xs32=
func.func @main(%x: tensor<3x500xi8>) -> (tensor<3x500xf32>, tensor<3x500xi32>) {
  %f = xla.convert %x : (tensor<3x500xi8>) -> tensor<3x500xf32>
  %i = xla.iota {iota_dimension = 1} : () -> tensor<3x500xi32>
  %0:2 = xla.sort(%f, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %l = xla.compare %a, %b {comparison_direction = "GT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) {dimension = 1} : (tensor<3x500xf32>, tensor<3x500xi32>) -> (tensor<3x500xf32>, tensor<3x500xi32>)
  return %0#0, %0#1 : tensor<3x500xf32>, tensor<3x500xi32>
}

// A part of a line has several pairs of runs at first.
// COLUMNS: 2100x2x125xs16=
func.func @columns(%x: tensor<2100x2x125xi16>) -> tensor<2100x2x125xi16> {
  %0 = xla.sort %x {dimension = 0} : tensor<2100x2x125xi16>
  return %0 : tensor<2100x2x125xi16>
}

// LARGEST: 2x3xf32=
// LARGEST-NEXT: 2x3xs32=
func.func @largest(%x: tensor<2x77xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %0:2 = xla.top_k %x {k = 3} : (tensor<2x77xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}

// SHORT: 3xf64=
// SHORT-NEXT: 8xf16=
// SHORT-NEXT: 2x1xpred=
// SHORT-NEXT: 9xbf16=
// SHORT-NEXT: 4x0xu8=
func.func @short(%a: tensor<3xf64>, %b: tensor<8xf16>, %c: tensor<2x1xi1>, %d: tensor<9xbf16>, %e: tensor<4x0xui8>)
    -> (tensor<3xf64>, tensor<8xf16>, tensor<2x1xi1>, tensor<9xbf16>, tensor<4x0xui8>) {
  %0 = xla.sort %a : tensor<3xf64>
  %1 = xla.sort %b : tensor<8xf16>
  %2 = xla.sort %c : tensor<2x1xi1>
  %3 = xla.sort %d : tensor<9xbf16>
  %4 = xla.sort %e : tensor<4x0xui8>
  return %0, %1, %2, %3, %4 : tensor<3xf64>, tensor<8xf16>, tensor<2x1xi1>, tensor<9xbf16>, tensor<4x0xui8>
}

// No answers of a comparator lose an element: the places, sorted, are all there.
// CONTRADICTING: pred=true
func.func @contradicting(%x: tensor<5000xi32>) -> tensor<i1> {
  %i = xla.iota {iota_dimension = 0} : () -> tensor<5000xi32>
  %0:2 = xla.sort(%x, %i) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %e = xla.xor %a, %b : tensor<i32>
    %f = xla.multiply %e, %a : tensor<i32>
    %l = xla.compare %f, %b {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) {dimension = 0} : (tensor<5000xi32>, tensor<5000xi32>) -> (tensor<5000xi32>, tensor<5000xi32>)
  %1 = xla.sort %0#1 : tensor<5000xi32>
  %2 = xla.compare %1, %i {comparison_direction = "EQ"} : (tensor<5000xi32>, tensor<5000xi32>) -> tensor<5000xi1>
  %true = xla.constant dense<true> : tensor<i1>
  %3 = xla.reduce(%2, %true) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %c = xla.and %a, %b : tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimensions = [0]} : (tensor<5000xi1>, tensor<i1>) -> tensor<i1>
  return %3 : tensor<i1>
}
