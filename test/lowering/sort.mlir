// A sort merges between the results and as much memory, without branches.
// RUN: xla-opt %s --convert-xla-to-linalg | FileCheck %s
// RUN: xla-run %s --device=cpu --entry=pairs --input="2x5xf32=3 1 2 1 nan 5 4 -0 0 1" | FileCheck %s --check-prefix=PAIRS
// RUN: xla-run %s --device=cpu --entry=columns --input="3x2xui8=200 1 3 255 3 0" | FileCheck %s --check-prefix=COLUMNS
// RUN: xla-run %s --device=cpu --entry=floats --input="8xbf16=nan 1 -0 0 inf -inf -1 -nan" | FileCheck %s --check-prefix=FLOATS
// RUN: xla-run %s --device=cpu --entry=always --input="5xi32=1 2 3 4 5" | FileCheck %s --check-prefix=ALWAYS
// RUN: xla-run %s --device=cpu --entry=short --input="2x1xi1=true false" --input="0xf64=" | FileCheck %s --check-prefix=SHORT

// CHECK-LABEL: func.func private @sort_0(
// CHECK-SAME: memref<2x5xf32>, %[[R:[^:]*]]: memref<2x5xf32>) attributes {xla.kind = "sort"}
// CHECK: %[[S:.*]] = memref.alloc() : memref<2x5xf32>
// Runs of four in registers,
// CHECK: scf.for
// CHECK: arith.cmpf ogt
// CHECK: memref.store %{{.*}}, %[[S]][
// then four merges in turn, and what is left of each.
// CHECK: scf.for {{.*}} iter_args
// CHECK: %[[A:.*]] = arith.minui
// CHECK: %[[B:.*]] = arith.minui
// CHECK: memref.load %[[S]][%{{.*}}, %[[A]]] : memref<2x5xf32>
// CHECK-COUNT-4: memref.store %{{.*}}, %[[R]]
// CHECK: scf.for {{.*}} iter_args
// CHECK: memref.store %{{.*}}, %[[R]]
// PAIRS: 2x5xf32=3 2 1 1 nan 5 4 1 -0 0
func.func @pairs(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %0 = xla.sort(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.compare %a, %b {comparison_direction = "GT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) : tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// COLUMNS: 3x2xu8=3 0 3 1 200 255
// COLUMNS-NEXT: 3x2xs64=1 2 2 0 0 1
func.func @columns(%x: tensor<3x2xui8>) -> (tensor<3x2xui8>, tensor<3x2xi64>) {
  %i = xla.iota {iota_dimension = 0} : () -> tensor<3x2xi64>
  %0:2 = xla.sort(%x, %i) ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>, %c: tensor<i64>, %d: tensor<i64>):
    %l = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) {dimension = 0} : (tensor<3x2xui8>, tensor<3x2xi64>) -> (tensor<3x2xui8>, tensor<3x2xi64>)
  return %0#0, %0#1 : tensor<3x2xui8>, tensor<3x2xi64>
}

// FLOATS: 8xbf16=-nan -inf -1 -0 0 1 inf nan
func.func @floats(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %0 = xla.sort %x : tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// A comparator that contradicts itself leaves the same elements.
// ALWAYS: 5xs32=5 4 3 2 1
func.func @always(%x: tensor<5xi32>) -> tensor<5xi32> {
  %true = xla.constant dense<true> : tensor<i1>
  %0 = xla.sort(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    xla.return %true : tensor<i1>
  }) : tensor<5xi32>
  return %0 : tensor<5xi32>
}

// SHORT: 2x1xpred=true false
// SHORT-NEXT: 0xf64=
func.func @short(%x: tensor<2x1xi1>, %e: tensor<0xf64>) -> (tensor<2x1xi1>, tensor<0xf64>) {
  %0 = xla.sort %x : tensor<2x1xi1>
  %1 = xla.sort %e : tensor<0xf64>
  return %0, %1 : tensor<2x1xi1>, tensor<0xf64>
}
