// Long lines are sorted by several threads: blocks, then parts of merges. Results do not depend on how many there are.
// RUN: xla-run %s --device=cpu --seed=3 --threads=1 --output=@%t.1.npy --output=@%t.2.npy
// RUN: xla-run %s --device=cpu --seed=3 --threads=5 --output=@%t.3.npy --output=@%t.4.npy
// RUN: cmp %t.1.npy %t.3.npy && cmp %t.2.npy %t.4.npy
// RUN: xla-run %s --device=all --seed=3 --output=none --output=none
// RUN: xla-run %s --entry=middle --device=all --seed=3 --output=none --output=none
// RUN: xla-run %s --entry=rows --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=contradicting --device=cpu --threads=3 --seed=3 | FileCheck %s --check-prefix=ALL
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=2" --xla-cpu-pipeline=to=linalg | FileCheck %s

// CHECK-LABEL: func.func private @kernel_0(
// CHECK-SAME: {xla.kind = "sort"}
// CHECK: scf.parallel
// A pass over longer runs, and back, in a loop.
// CHECK: scf.for
// CHECK: arith.select {{.*}} : memref<10001xi8>
// CHECK: scf.parallel
func.func @main(%x: tensor<10001xi8>) -> (tensor<10001xi8>, tensor<10001xi32>) {
  %i = xla.iota {iota_dimension = 0} : () -> tensor<10001xi32>
  %0:2 = xla.sort(%x, %i) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>, %c: tensor<i32>, %d: tensor<i32>):
    %l = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<i8>, tensor<i8>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) : (tensor<10001xi8>, tensor<10001xi32>) -> (tensor<10001xi8>, tensor<10001xi32>)
  return %0#0, %0#1 : tensor<10001xi8>, tensor<10001xi32>
}

func.func @middle(%x: tensor<2x5000x3xi16>) -> (tensor<2x5000x3xi16>, tensor<2x5000x3xi32>) {
  %i = xla.iota {iota_dimension = 1} : () -> tensor<2x5000x3xi32>
  %0:2 = xla.sort(%x, %i) ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>, %c: tensor<i32>, %d: tensor<i32>):
    %l = xla.compare %a, %b {comparison_direction = "GT"} : (tensor<i16>, tensor<i16>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) {dimension = 1} : (tensor<2x5000x3xi16>, tensor<2x5000x3xi32>) -> (tensor<2x5000x3xi16>, tensor<2x5000x3xi32>)
  return %0#0, %0#1 : tensor<2x5000x3xi16>, tensor<2x5000x3xi32>
}

func.func @rows(%x: tensor<300x65xf32>) -> tensor<300x65xf32> {
  %0 = xla.sort %x : tensor<300x65xf32>
  return %0 : tensor<300x65xf32>
}

// A comparator that contradicts itself gives some order of all elements.
// ALL: pred=true
func.func @contradicting(%x: tensor<20000xi8>) -> tensor<i1> {
  %i = xla.iota {iota_dimension = 0} : () -> tensor<20000xi32>
  %0:2 = xla.sort(%x, %i) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>, %c: tensor<i32>, %d: tensor<i32>):
    %l = xla.compare %a, %b {comparison_direction = "NE"} : (tensor<i8>, tensor<i8>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) : (tensor<20000xi8>, tensor<20000xi32>) -> (tensor<20000xi8>, tensor<20000xi32>)
  %s = xla.sort %0#1 : tensor<20000xi32>
  %e = xla.compare %s, %i {comparison_direction = "EQ"} : (tensor<20000xi32>, tensor<20000xi32>) -> tensor<20000xi1>
  %true = xla.constant dense<true> : tensor<i1>
  %all = xla.reduce(%e, %true) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %c = xla.and %a, %b : tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimensions = [0]} : (tensor<20000xi1>, tensor<i1>) -> tensor<i1>
  return %all : tensor<i1>
}
