// A scan is a generic that stores its accumulators at every iteration. Along rows the CPU transposes tiles on the way in and out.
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=2" --xla-cpu-pipeline=to=linalg | FileCheck %s
// RUN: xla-run %s --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=backwards --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=backwards --device=all --seed=3 --output=none --machine=vector-bits=128 --threads=1
// RUN: xla-run %s --entry=columns --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=rest --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=recurrence --device=all --seed=3 --output=none --output=none
// RUN: xla-run %s --entry=narrow --device=all --seed=3 --output=none --output=none --output=none --output=none
// RUN: xla-run %s --entry=complex --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=empty --device=all --seed=3 --output=none --output=none --output=none
// RUN: xla-run %s --entry=outer --device=all --seed=3 --output=none

// The product is computed where it is added up.
// CHECK-LABEL: func.func private @kernel_0(
// CHECK-SAME: {xla.kind = "reduce"}
// CHECK: memref.alloc() : memref<70x1xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]{{.*}}outs(%{{.*}}, %{{.*}} : memref<70x{{.*}}, memref<70x130xf32>)
// CHECK: arith.mulf
// CHECK: arith.select
// CHECK: linalg.yield %[[SUM:.*]], %[[SUM]] : f32, f32
func.func @main(%x: tensor<70x130xf32>, %y: tensor<70x130xf32>) -> tensor<70x130xf32> {
  %p = xla.multiply %x, %y : tensor<70x130xf32>
  %0 = xla.associative_scan(%p) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimension = 1} : (tensor<70x130xf32>) -> tensor<70x130xf32>
  return %0 : tensor<70x130xf32>
}

func.func @backwards(%x: tensor<69x130xi32>) -> tensor<69x130xi32> {
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimension = 1, reverse = true} : (tensor<69x130xi32>) -> tensor<69x130xi32>
  return %0 : tensor<69x130xi32>
}

func.func @columns(%x: tensor<3x40x37xf64>) -> tensor<3x40x37xf64> {
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = xla.maximum %a, %b : tensor<f64>
    xla.return %s : tensor<f64>
  }) {dimension = 1, reverse = true} : (tensor<3x40x37xf64>) -> tensor<3x40x37xf64>
  return %0 : tensor<3x40x37xf64>
}

// What is read is a part of a reshaped array; the dimension is two loops.
func.func @rest(%x: tensor<9x50x4xi16>) -> tensor<9x160xi16> {
  %r = xla.reshape %x : (tensor<9x50x4xi16>) -> tensor<9x200xi16>
  %c = xla.slice %r {start_indices = [0, 20], limit_indices = [9, 180], strides = [1, 1]} : (tensor<9x200xi16>) -> tensor<9x160xi16>
  %0 = xla.associative_scan(%c) ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %s = xla.add %a, %b : tensor<i16>
    xla.return %s : tensor<i16>
  }) {dimension = 1, reverse = true} : (tensor<9x160xi16>) -> tensor<9x160xi16>
  return %0 : tensor<9x160xi16>
}

func.func @recurrence(%a: tensor<20x50xf32>, %b: tensor<20x50xf32>) -> (tensor<20x50xf32>, tensor<20x50xf32>) {
  %0:2 = xla.associative_scan(%a, %b) ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>, %a1: tensor<f32>, %b1: tensor<f32>):
    %factor = xla.multiply %a0, %a1 : tensor<f32>
    %moved = xla.multiply %a1, %b0 : tensor<f32>
    %offset = xla.add %moved, %b1 : tensor<f32>
    xla.return %factor, %offset : tensor<f32>, tensor<f32>
  }) {dimension = 1} : (tensor<20x50xf32>, tensor<20x50xf32>) -> (tensor<20x50xf32>, tensor<20x50xf32>)
  return %0#0, %0#1 : tensor<20x50xf32>, tensor<20x50xf32>
}

func.func @narrow(%x: tensor<30x20xbf16>, %p: tensor<30x20xi1>, %q: tensor<30x20xi4>, %f: tensor<30x20xf8E4M3FN>) -> (tensor<30x20xbf16>, tensor<30x20xi1>, tensor<30x20xi4>, tensor<30x20xf8E4M3FN>) {
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = xla.minimum %a, %b : tensor<bf16>
    xla.return %s : tensor<bf16>
  }) {dimension = 1} : (tensor<30x20xbf16>) -> tensor<30x20xbf16>
  %1 = xla.associative_scan(%p) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = xla.xor %a, %b : tensor<i1>
    xla.return %s : tensor<i1>
  }) {dimension = 1} : (tensor<30x20xi1>) -> tensor<30x20xi1>
  %2 = xla.associative_scan(%q) ({
  ^bb0(%a: tensor<i4>, %b: tensor<i4>):
    %s = xla.add %a, %b : tensor<i4>
    xla.return %s : tensor<i4>
  }) {dimension = 0} : (tensor<30x20xi4>) -> tensor<30x20xi4>
  %3 = xla.associative_scan(%f) ({
  ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>):
    %s = xla.maximum %a, %b : tensor<f8E4M3FN>
    xla.return %s : tensor<f8E4M3FN>
  }) {dimension = 1, reverse = true} : (tensor<30x20xf8E4M3FN>) -> tensor<30x20xf8E4M3FN>
  return %0, %1, %2, %3 : tensor<30x20xbf16>, tensor<30x20xi1>, tensor<30x20xi4>, tensor<30x20xf8E4M3FN>
}

func.func @complex(%x: tensor<17x33xcomplex<f32>>) -> tensor<17x33xcomplex<f32>> {
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %s = xla.multiply %a, %b : tensor<complex<f32>>
    xla.return %s : tensor<complex<f32>>
  }) {dimension = 1} : (tensor<17x33xcomplex<f32>>) -> tensor<17x33xcomplex<f32>>
  return %0 : tensor<17x33xcomplex<f32>>
}

func.func @empty(%x: tensor<0x5xf32>, %y: tensor<5x0xf32>, %z: tensor<5x1xf32>) -> (tensor<0x5xf32>, tensor<5x0xf32>, tensor<5x1xf32>) {
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %b : tensor<f32>
  }) {dimension = 1} : (tensor<0x5xf32>) -> tensor<0x5xf32>
  %1 = xla.associative_scan(%y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %b : tensor<f32>
  }) {dimension = 1} : (tensor<5x0xf32>) -> tensor<5x0xf32>
  %2 = xla.associative_scan(%z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimension = 1} : (tensor<5x1xf32>) -> tensor<5x1xf32>
  return %0, %1, %2 : tensor<0x5xf32>, tensor<5x0xf32>, tensor<5x1xf32>
}

// A region that uses a value from outside.
func.func @outer(%x: tensor<20x9xi32>, %m: tensor<i32>) -> tensor<20x9xi32> {
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = xla.multiply %a, %m : tensor<i32>
    %s = xla.multiply %p, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimension = 1} : (tensor<20x9xi32>) -> tensor<20x9xi32>
  return %0 : tensor<20x9xi32>
}
