// A scatter applies windows in the order of the indices to results that hold the inputs; one comparison without a sign tells
// whether a coordinate is inside.
// RUN: xla-opt %s --convert-xla-to-linalg | FileCheck %s
// RUN: xla-run %s --device=all --entry=rows --input="3x2xi32=1 2 3 4 5 6" --input="4xi32=1 -1 3 1" --input="4x2xi32=10 20 30 40 50 60 70 80" | FileCheck %s --check-prefix=ROWS
// RUN: xla-run %s --device=all --entry=overlap --input="4xi8=0" --input="3xui64=0 18446744073709551615 1" --input="3x2xi8=1 2 3 4 5 6" | FileCheck %s --check-prefix=OVERLAP
// RUN: xla-run %s --device=all --entry=wide --input="2xi8=100 2" --input="2xi32=0" --input="2xi8=100" | FileCheck %s --check-prefix=WIDE
// RUN: xla-run %s --device=all --entry=largest --input="2xf32=0" --input="2xi1=false" --input="4xui8=0 1 0 1" --input="4xf32=1 5 nan 4" --input="4xi1=true true false true" | FileCheck %s --check-prefix=LARGEST
// RUN: xla-run %s --device=all --entry=nothing --input="0xi32=" --input="2xi32=0" --input="2xi32=0" | FileCheck %s --check-prefix=NOTHING

// CHECK-LABEL: func.func private @scatter_0(
// CHECK-SAME: attributes {xla.kind = "scatter"}
// CHECK-NOT: memref.copy
// CHECK: scf.for
// CHECK: %[[I:.*]] = memref.load %{{.*}} : memref<4xi32>
// CHECK: %[[W:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK: %[[C:.*]] = arith.cmpi ule, %[[W]], %c2_i64 : i64
// CHECK: scf.if %[[C]]
// CHECK: scf.for
// CHECK: arith.addi {{.*}} : i32
// CHECK: memref.store
// ROWS: 3x2xs32=1 2 83 104 5 6
func.func @rows(%x: tensor<3x2xi32>, %i: tensor<4xi32>, %u: tensor<4x2xi32>) -> tensor<3x2xi32> {
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<3x2xi32>, tensor<4xi32>, tensor<4x2xi32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// OVERLAP: 4xs8=1 5 6 0
func.func @overlap(%x: tensor<4xi8>, %i: tensor<3xui64>, %u: tensor<3x2xi8>) -> tensor<4xi8> {
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    xla.return %b : tensor<i8>
  }) {update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4xi8>, tensor<3xui64>, tensor<3x2xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// WIDE: 2xs32=300 2
func.func @wide(%x: tensor<2xi8>, %i: tensor<2xi32>, %u: tensor<2xi8>) -> tensor<2xi32> {
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<2xi8>, tensor<2xi32>, tensor<2xi8>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// LARGEST: 2xf32=1 5
// LARGEST-NEXT: 2xpred=true true
func.func @largest(%x: tensor<2xf32>, %p: tensor<2xi1>, %i: tensor<4xui8>, %u: tensor<4xf32>, %q: tensor<4xi1>) -> (tensor<2xf32>, tensor<2xi1>) {
  %0:2 = xla.scatter(%x, %p, %i, %u, %q) ({
  ^bb0(%a: tensor<f32>, %m: tensor<i1>, %b: tensor<f32>, %n: tensor<i1>):
    %c = xla.compare %b, %a {comparison_direction = "GT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = xla.select %c, %b, %a : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %w = xla.select %c, %n, %m : (tensor<i1>, tensor<i1>, tensor<i1>) -> tensor<i1>
    xla.return %v, %w : tensor<f32>, tensor<i1>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<2xf32>, tensor<2xi1>, tensor<4xui8>, tensor<4xf32>, tensor<4xi1>) -> (tensor<2xf32>, tensor<2xi1>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi1>
}

// NOTHING: 0xs32=
func.func @nothing(%x: tensor<0xi32>, %i: tensor<2xi32>, %u: tensor<2xi32>) -> tensor<0xi32> {
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    xla.return %b : tensor<i32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<0xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<0xi32>
  return %0 : tensor<0xi32>
}
