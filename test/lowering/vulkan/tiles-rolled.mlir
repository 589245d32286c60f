// RUN: xla-opt %s --xla-attach-target=device=rdna2 --xla-vulkan-pipeline=to=linalg | FileCheck %s
// RUN: xla-run %s --device=all --seed=1 --rtol=0 --output=none
// RUN: xla-run %s --device=all --machine=gpu=1,shared=900 --seed=1 --rtol=0 --output=none

// What is rolled is kept with the ends of its array side by side, also where it
// is needed for more than the results, which are fewer: rows 0 and 100 here.
// CHECK: memref.alloc() {xla.workgroup} : memref<31x28xi32>
// CHECK: %[[SIZE:.*]] = arith.constant 101 : i32
// CHECK: arith.remui %{{.*}}, %[[SIZE]] : i32
// CHECK: memref.alloc() {xla.workgroup} : memref<29x28xi32>
func.func @main(%x: tensor<101x83xi32>) -> tensor<97x83xi32> {
  %0 = "xla.fusion"(%x) ({
  ^bb0(%a: tensor<101x83xi32>):
    %b = xla.multiply %a, %a : tensor<101x83xi32>
    %c = xla.subtract %b, %a : tensor<101x83xi32>
    %d = xla.remainder %b, %c : tensor<101x83xi32>
    %ea = xla.slice %d {start_indices = array<i64: 100, 0>, limit_indices = array<i64: 101, 83>, strides = array<i64: 1, 1>} : (tensor<101x83xi32>) -> tensor<1x83xi32>
    %eb = xla.slice %d {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 100, 83>, strides = array<i64: 1, 1>} : (tensor<101x83xi32>) -> tensor<100x83xi32>
    %e = xla.concatenate %ea, %eb {dimension = 0 : i64} : (tensor<1x83xi32>, tensor<100x83xi32>) -> tensor<101x83xi32>
    %fa = xla.slice %d {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 101, 83>, strides = array<i64: 1, 1>} : (tensor<101x83xi32>) -> tensor<100x83xi32>
    %fb = xla.slice %d {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1, 83>, strides = array<i64: 1, 1>} : (tensor<101x83xi32>) -> tensor<1x83xi32>
    %f = xla.concatenate %fa, %fb {dimension = 0 : i64} : (tensor<100x83xi32>, tensor<1x83xi32>) -> tensor<101x83xi32>
    %g = xla.multiply %e, %f : tensor<101x83xi32>
    %h = xla.subtract %g, %a : tensor<101x83xi32>
    %i = xla.add %h, %f : tensor<101x83xi32>
    %j = xla.slice %i {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 97, 83>, strides = array<i64: 1, 1>} : (tensor<101x83xi32>) -> tensor<97x83xi32>
    %k = xla.slice %i {start_indices = array<i64: 4, 0>, limit_indices = array<i64: 101, 83>, strides = array<i64: 1, 1>} : (tensor<101x83xi32>) -> tensor<97x83xi32>
    %l = xla.subtract %j, %k : tensor<97x83xi32>
    xla.return %l : tensor<97x83xi32>
  }) {kind = "window"} : (tensor<101x83xi32>) -> tensor<97x83xi32>
  return %0 : tensor<97x83xi32>
}
