// Loops over more elements than s32 counts have numbers of s64; computations that are not elementwise run in such.
// RUN: xla-opt %s --split-input-file --xla-legalize | FileCheck %s
// RUN: xla-opt %S/Inputs/scatter.mlir --xla-attach-target=device=llvmpipe --xla-sort-scatters=most=10 | FileCheck %s --check-prefix=WIDE
// RUN: xla-opt %S/Inputs/scatter.mlir --xla-attach-target=device=llvmpipe --xla-sort-scatters=most=10 | xla-run - --device=all --seed=3 > %t.wide
// RUN: xla-run %S/Inputs/scatter.mlir --seed=3 > %t.narrow
// RUN: cmp %t.wide %t.narrow
// WIDE: xla.sort(%{{.*}}) ({
// WIDE-NEXT: ^bb0(%{{.*}}: tensor<i64>, %{{.*}}: tensor<i64>):
// WIDE: xla.scatter(%{{.*}}) ({

// CHECK-LABEL: func.func @main(%arg0: tensor<3000000000xi8>)
// CHECK: xla.while(%{{.*}}) ({
// CHECK-NEXT: ^bb0(%{{[a-z0-9]*}}: tensor<i64>, %{{[a-z0-9]*}}: tensor<3000000000xi8>
func.func @main(%x: tensor<3000000000xi8>) -> tensor<3000000000xi8> {
  %0 = xla.map(%x) ({
  ^bb0(%a: tensor<i8>):
    %t = xla.constant dense<7> : tensor<i8>
    %r = xla.rng_uniform %a, %t : (tensor<i8>, tensor<i8>) -> tensor<i8>
    xla.return %r : tensor<i8>
  }) {dimensions = array<i64: 0>} : (tensor<3000000000xi8>) -> tensor<3000000000xi8>
  return %0 : tensor<3000000000xi8>
}

// -----

// CHECK-LABEL: func.func @main(%arg0: tensor<2x1500000000xi8>)
// CHECK: xla.while(%{{.*}}) ({
// CHECK-NEXT: ^bb0(%{{[a-z0-9]*}}: tensor<i64>, %{{[a-z0-9]*}}: tensor<3000000000xi8>
func.func @main(%x: tensor<2x1500000000xi8>) -> tensor<2x1500000000xi8> {
  %0 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %r = xla.rng_uniform %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i8>
    xla.return %r : tensor<i8>
  }) {dimension = 1 : i64} : tensor<2x1500000000xi8>
  return %0 : tensor<2x1500000000xi8>
}

// -----

// CHECK-LABEL: func.func @main(%arg0: tensor<3000000000xi8>)
// CHECK: xla.while(%{{.*}}) ({
// CHECK-NEXT: ^bb0(%{{[a-z0-9]*}}: tensor<i64>, %{{[a-z0-9]*}}: tensor<2x3000000000xi64>
func.func @main(%x: tensor<3000000000xi8>) -> tensor<3000000000xi8> {
  %0 = xla.sort(%x) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %r = xla.rng_uniform %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i8>
    %c = xla.compare %r, %b {comparison_direction = "LT"} : (tensor<i8>, tensor<i8>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimension = 0 : i64} : tensor<3000000000xi8>
  return %0 : tensor<3000000000xi8>
}

// -----

// CHECK-LABEL: func.func @main(%arg0: tensor<3000000000xi8>, %arg1: tensor<i8>)
// CHECK: xla.while(%{{.*}}) ({
// CHECK-NEXT: ^bb0(%{{[a-z0-9]*}}: tensor<i64>, %{{[a-z0-9]*}}: tensor<1xi8>
func.func @main(%x: tensor<3000000000xi8>, %i: tensor<i8>) -> tensor<i8> {
  %0 = xla.reduce(%x, %i) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %r = xla.rng_uniform %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i8>
    xla.return %r : tensor<i8>
  }) {dimensions = array<i64: 0>} : (tensor<3000000000xi8>, tensor<i8>) -> tensor<i8>
  return %0 : tensor<i8>
}

// -----

// CHECK-LABEL: func.func @main(%arg0: tensor<3000000000xi8>, %arg1: tensor<1500000000xi8>, %arg2: tensor<i8>)
// CHECK: xla.while(%{{.*}}) ({
// CHECK-NEXT: ^bb0(%{{[a-z0-9]*}}: tensor<i64>, %{{[a-z0-9]*}}: tensor<3000000000xi8>
func.func @main(%x: tensor<3000000000xi8>, %s: tensor<1500000000xi8>, %i: tensor<i8>) -> tensor<3000000000xi8> {
  %0 = xla.select_and_scatter(%x, %s, %i) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %c = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<i8>, tensor<i8>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %r = xla.rng_uniform %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i8>
    xla.return %r : tensor<i8>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<3000000000xi8>, tensor<1500000000xi8>, tensor<i8>) -> tensor<3000000000xi8>
  return %0 : tensor<3000000000xi8>
}

// -----

// CHECK-LABEL: func.func @main(%arg0: tensor<3000000000xi8>, %arg1: tensor<5x1xi64>, %arg2: tensor<5xi8>)
// CHECK: xla.while(%{{.*}}) ({
// CHECK-NEXT: ^bb0(%{{[a-z0-9]*}}: tensor<i64>, %{{[a-z0-9]*}}: tensor<3000000000xi8>
func.func @main(%x: tensor<3000000000xi8>, %i: tensor<5x1xi64>, %u: tensor<5xi8>) -> tensor<3000000000xi8> {
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %r = xla.rng_uniform %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i8>
    xla.return %r : tensor<i8>
  }) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : i64} : (tensor<3000000000xi8>, tensor<5x1xi64>, tensor<5xi8>) -> tensor<3000000000xi8>
  return %0 : tensor<3000000000xi8>
}
