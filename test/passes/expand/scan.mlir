// Long lines are cut into blocks where there are few: the blocks are scanned, their totals, and these go to the blocks behind.
// RUN: xla-opt %s --xla-split-scans | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: xla-opt %s --xla-attach-target="device=rdna2" --xla-split-scans | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: xla-run %s --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=reversed --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=pairs --device=all --seed=3 --output=none --output=none
// RUN: xla-run %s --entry=middle --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=floats --device=cpu --seed=3 --threads=1 --output=@%t.1.npy
// RUN: xla-run %s --entry=floats --device=cpu --seed=3 --threads=7 --output=@%t.7.npy
// RUN: cmp %t.1.npy %t.7.npy

// CHECK-LABEL: func.func @main
// CPU: xla.slice %{{.*}} {limit_indices = array<i64: 9984>
// CPU: xla.associative_scan
// CPU: {dimension = 1 : i64} : tensor<156x64xi32>
// CPU: xla.associative_scan
// CPU: {dimension = 0 : i64} : tensor<156xi32>
// CPU: xla.add {{.*}} : tensor<155x64xi32>
// CPU: xla.concatenate {{.*}} -> tensor<156x64xi32>
// CPU: xla.concatenate {{.*}} -> tensor<10007xi32>
// GPU: {dimension = 1 : i64} : tensor<312x32xi32>
// GPU: {dimension = 1 : i64} : tensor<12x26xi32>
// GPU: {dimension = 0 : i64} : tensor<12xi32>
func.func @main(%x: tensor<10007xi32>) -> tensor<10007xi32> {
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimension = 0} : (tensor<10007xi32>) -> tensor<10007xi32>
  return %0 : tensor<10007xi32>
}

// The order of arguments stays: this keeps the element nearest to the start.
func.func @reversed(%x: tensor<2x9001x3xi32>) -> tensor<2x9001x3xi32> {
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %n = xla.negate %b : tensor<i32>
    %m = xla.subtract %a, %n : tensor<i32>
    xla.return %m : tensor<i32>
  }) {dimension = 1, reverse = true} : (tensor<2x9001x3xi32>) -> tensor<2x9001x3xi32>
  return %0 : tensor<2x9001x3xi32>
}

// Compositions of x -> a x + b do not commute.
func.func @pairs(%a: tensor<8200xi32>, %b: tensor<8200xi32>) -> (tensor<8200xi32>, tensor<8200xi32>) {
  %0:2 = xla.associative_scan(%a, %b) ({
  ^bb0(%a0: tensor<i32>, %b0: tensor<i32>, %a1: tensor<i32>, %b1: tensor<i32>):
    %factor = xla.multiply %a0, %a1 : tensor<i32>
    %moved = xla.multiply %a1, %b0 : tensor<i32>
    %offset = xla.add %moved, %b1 : tensor<i32>
    xla.return %factor, %offset : tensor<i32>, tensor<i32>
  }) {dimension = 0} : (tensor<8200xi32>, tensor<8200xi32>) -> (tensor<8200xi32>, tensor<8200xi32>)
  return %0#0, %0#1 : tensor<8200xi32>, tensor<8200xi32>
}

// CPU-LABEL: func.func @middle
// CPU: {dimension = 1 : i64} : tensor<70x9000xi16>
// CPU-NEXT: return
func.func @middle(%x: tensor<70x9000xi16>) -> tensor<70x9000xi16> {
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %s = xla.xor %a, %b : tensor<i16>
    xla.return %s : tensor<i16>
  }) {dimension = 1} : (tensor<70x9000xi16>) -> tensor<70x9000xi16>
  return %0 : tensor<70x9000xi16>
}

func.func @floats(%x: tensor<200003xf32>) -> tensor<200003xf32> {
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimension = 0} : (tensor<200003xf32>) -> tensor<200003xf32>
  return %0 : tensor<200003xf32>
}
