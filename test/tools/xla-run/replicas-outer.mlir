// Computations between replicas use what is outside of them, and arrays between replicas have dynamic sizes.
// RUN: xla-run %s --entry=outer --replicas=2 --input="2xf32=1 2" --input=f32=3 --input="2xf32=10 20" --input=f32=5 --expected-output="2xf32=-29 -58" --expected-output="2xf32=-44 -93"
// RUN: xla-run %s --entry=complex --replicas=2 --input="4xc64=1 (2,1) 3 4" --input=c64=(0,1) --input=f8e4m3fn=0.5 --expected-output="2xc64=1 1" --expected-output="2xc64=1 1"
// RUN: xla-run %s --entry=dynamic --replicas=2 --input="4xf32=1 2 3 4" --input=s32=2 --input=f32=2 --expected-output="2xf32=3 6" --expected-output="3xf32=1 2 3" --expected-output=f32=6 --expected-output="2xf32=3 6" --expected-output="2xf32=1 2" --expected-output=f32=3
// Sizes that do not go together are found when all have come.
// RUN: not xla-run %s --entry=differ --replicas=2 --input="4xf32=1 2 3 4" 2>&1 | FileCheck %s
// CHECK: replicas-outer.mlir:[[#@LINE+54]]:{{.*}}'xla.all_reduce' op operand 0 is tensor<{{1|2}}xf32> in one process, tensor<{{1|2}}xf32> in another
func.func @outer(%x: tensor<2xf32>, %y: tensor<f32>) -> tensor<2xf32> {
  %id = xla.replica_id : () -> tensor<ui32>
  %n = xla.convert %id : (tensor<ui32>) -> tensor<f32>
  %k = xla.multiply %n, %y : tensor<f32>
  %0 = xla.all_reduce(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.multiply %b, %y : tensor<f32>
    %s = xla.subtract %a, %p : tensor<f32>
    %t = xla.add %s, %k : tensor<f32>
    xla.return %t : tensor<f32>
  }) : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @complex(%x: tensor<4xcomplex<f32>>, %y: tensor<complex<f32>>, %z : tensor<f8E4M3FN>) -> tensor<2xcomplex<f32>> {
  %w = xla.multiply %y, %y : tensor<complex<f32>>
  %zz = xla.add %z, %z : tensor<f8E4M3FN>
  %0 = xla.reduce_scatter(%x) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %p = xla.multiply %b, %w : tensor<complex<f32>>
    %s = xla.add %a, %p : tensor<complex<f32>>
    %q = xla.convert %zz : (tensor<f8E4M3FN>) -> tensor<complex<f32>>
    %r = xla.add %s, %q : tensor<complex<f32>>
    xla.return %r : tensor<complex<f32>>
  }) {scatter_dimension = 0 : i64, shard_count = 2 : i64} : (tensor<4xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}
func.func @dynamic(%x: tensor<4xf32>, %n: tensor<i32>, %y: tensor<f32>) -> (tensor<?xf32, #xla.array<bounds = [4]>>, tensor<?xf32, #xla.array<bounds = [4]>>, tensor<f32>) {
  %id = xla.replica_id : () -> tensor<ui32>
  %i = xla.convert %id : (tensor<ui32>) -> tensor<i32>
  %m = xla.add %n, %i : tensor<i32>
  %d = xla.set_dimension_size %x, %n {dimension = 0 : i64} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  %e = xla.set_dimension_size %x, %m {dimension = 0 : i64} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  %0 = xla.all_reduce(%d) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.multiply %b, %y : tensor<f32>
    %s = xla.add %a, %p : tensor<f32>
    xla.return %s : tensor<f32>
  }) : tensor<?xf32, #xla.array<bounds = [4]>>
  %1 = xla.collective_permute %e {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : tensor<?xf32, #xla.array<bounds = [4]>>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %2 = xla.reduce(%1, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<?xf32, #xla.array<bounds = [4]>>, tensor<f32>) -> tensor<f32>
  return %0, %1, %2 : tensor<?xf32, #xla.array<bounds = [4]>>, tensor<?xf32, #xla.array<bounds = [4]>>, tensor<f32>
}
func.func @differ(%x: tensor<4xf32>) -> tensor<?xf32, #xla.array<bounds = [4]>> {
  %id = xla.replica_id : () -> tensor<ui32>
  %i = xla.convert %id : (tensor<ui32>) -> tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %n = xla.add %i, %one : tensor<i32>
  %d = xla.set_dimension_size %x, %n {dimension = 0 : i64} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  %0 = xla.all_reduce(%d) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : tensor<?xf32, #xla.array<bounds = [4]>>
  return %0 : tensor<?xf32, #xla.array<bounds = [4]>>
}
