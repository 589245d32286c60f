// Operations are logical: operands may differ in layout, results may state any.
// Programs that mix layouts compute the same on all devices.

// RUN: split-file %s %t
// RUN: xla-opt %t/mixed.mlir | xla-opt | FileCheck %t/mixed.mlir
// RUN: xla-run %t/mixed.mlir --input="2x3xf32=1 2 3 4 5 6" --input="3x2xf32=1 2 3 4 5 6" --device=interpreter | FileCheck %t/mixed.mlir --check-prefix=VALUE
// RUN: xla-run %t/mixed.mlir --input="2x3xf32=1 2 3 4 5 6" --input="3x2xf32=1 2 3 4 5 6" --device=cpu | FileCheck %t/mixed.mlir --check-prefix=VALUE
// RUN: xla-run %t/mixed.mlir --seed=3 --device=all
// RUN: xla-run %t/mixed.mlir --entry=call --input="2x3xf32=1 2 3 4 5 6" --device=all | FileCheck %t/mixed.mlir --check-prefix=VALUE2
// RUN: xla-opt %t/passes.mlir --canonicalize --xla-simplify --xla-explicit-broadcast --cse | FileCheck %t/passes.mlir
// RUN: xla-opt %t/mixed.mlir --xla-legalize | FileCheck %t/mixed.mlir --check-prefix=LEGAL
// RUN: xla-opt %t/errors.mlir --split-input-file --verify-diagnostics

//--- mixed.mlir
!column = tensor<2x3xf32, #xla.array<minor_to_major = [0, 1]>>
!padded = tensor<2x3xf32, #xla.array<minor_to_major = [1, 0], padded_dimensions = [3, 8], padding_value = "one">>
// VALUE:      2x3xf32=4 8 12 8 12 16
// VALUE-NEXT: 3x2xf32=2 8 4 10 6 12
// VALUE-NEXT: 2xf32=24 36

// LEGAL-LABEL: func.func @main
// LEGAL-NOT: #xla.array

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<2x3xf32, #xla.array<minor_to_major = [0, 1]>>
// CHECK-SAME: tensor<3x2xf32>
// CHECK-SAME: tensor<2x3xf32, #xla.array<minor_to_major = [1, 0], padded_dimensions = [3, 8], padding_value = "one">>
func.func @main(%x: !column, %y: tensor<3x2xf32>) -> (!padded, tensor<3x2xf32, #xla.array<minor_to_major = [0, 1]>>, tensor<2xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %weights = xla.constant dense<[[1.0, 2.0, 3.0], [0.0, 1.0, 2.0]]> : tensor<2x3xf32, #xla.array<minor_to_major = [0, 1]>>
  %t = xla.transpose %y {permutation = [1, 0]} : (tensor<3x2xf32>) -> !column
  %more = xla.constant dense_resource<zeros> : tensor<2x3xf32, #xla.array<minor_to_major = [0, 1]>>
  %d = xla.subtract %t, %t : (!column, !column) -> tensor<2x3xf32>
  // A layout for each operand and another for the result.
  %s = xla.add %x, %weights : (!column, tensor<2x3xf32, #xla.array<minor_to_major = [0, 1]>>) -> !padded
  %s1 = xla.add %s, %more : (!padded, !column) -> !padded
  %s2 = xla.add %s1, %d : (!padded, tensor<2x3xf32>) -> !column
  %twice = xla.add %s2, %s : (!column, !padded) -> !padded
  %u = xla.transpose %x {permutation = [1, 0]} : (!column) -> tensor<3x2xf32, #xla.array<minor_to_major = [0, 1]>>
  %u2 = xla.add %u, %u : tensor<3x2xf32, #xla.array<minor_to_major = [0, 1]>>
  %pred = xla.constant dense<true> : tensor<i1>
  %chosen = xla.if(%pred) ({
    xla.return %twice : !padded
  }, {
    xla.return %x : !column
  }) : (tensor<i1>) -> !padded
  %sum = xla.reduce(%chosen, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) {dimensions = [1]} : (!padded, tensor<f32>) -> tensor<2xf32>
  return %twice, %u2, %sum : !padded, tensor<3x2xf32, #xla.array<minor_to_major = [0, 1]>>, tensor<2xf32>
}


// VALUE2: 2x3xf32=-1 -2 -3 -4 -5 -6

// Calls of this dialect take any layout.
func.func private @negated(%x: !column) -> !padded {
  %0 = xla.negate %x : (!column) -> !padded
  return %0 : !padded
}
func.func @call(%x: tensor<2x3xf32>) -> !column {
  %0 = xla.call @negated(%x) : (tensor<2x3xf32>) -> !column
  return %0 : !column
}

{-#
  dialect_resources: {
    builtin: {
      zeros: "0x04000000000000000000000000000000000000000000000000000000"
    }
  }
#-}

//--- passes.mlir
// No pass gives a value of another layout to a user.
!column = tensor<2x3xf32, #xla.array<minor_to_major = [0, 1]>>

// CHECK-LABEL: func.func @reshapes
// CHECK: xla.reshape
func.func @reshapes(%x: tensor<2x3xf32>) -> !column {
  %0 = xla.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  %1 = xla.reshape %0 : (tensor<6xf32>) -> !column
  return %1 : !column
}

// CHECK-LABEL: func.func @transposes
// CHECK: xla.transpose
func.func @transposes(%x: !column) -> tensor<2x3xf32> {
  %0 = xla.transpose %x {permutation = [0, 1]} : (!column) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @sizes1
// CHECK: xla.negate {{.*}} : (tensor<1x3xf32, #xla.array<minor_to_major = [0, 1]>>) -> tensor<1x3xf32>
func.func @sizes1(%x: tensor<1x3xf32, #xla.array<minor_to_major = [0, 1]>>) -> tensor<1x3xf32> {
  %0 = xla.negate %x : (tensor<1x3xf32, #xla.array<minor_to_major = [0, 1]>>) -> tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}

// A constant that is folded has no layout, so it is not folded to one.
// CHECK-LABEL: func.func @folds
// CHECK: xla.add
func.func @folds() -> !column {
  %0 = xla.constant dense<1.0> : !column
  %1 = xla.add %0, %0 : !column
  return %1 : !column
}

//--- errors.mlir
func.func private @bounded(tensor<?xf32, #xla.array<bounds = [4]>>)
func.func @bounds(%x: tensor<?xf32, #xla.array<bounds = [8]>>) {
  // expected-error@+1 {{argument 0 of @bounded is 'tensor<?xf32, #xla.array<bounds = [4]>>', operand 0 'tensor<?xf32, #xla.array<bounds = [8]>>'}}
  xla.call @bounded(%x) : (tensor<?xf32, #xla.array<bounds = [8]>>) -> ()
  return
}

// -----


// expected-error@+1 {{'minor_to_major' has 0 in place 1, is no order of 2 dimensions}}
func.func private @a(tensor<2x3xf32, #xla.array<minor_to_major = [0, 0]>>)

// -----

// expected-error@+1 {{'minor_to_major' has 2 in place 1, is no order of 2 dimensions}}
func.func private @a(tensor<2x3xf32, #xla.array<minor_to_major = [0, 2]>>)

// -----

// expected-error@+1 {{'minor_to_major' has -1 in place 0}}
func.func private @a(tensor<2x3xf32, #xla.array<minor_to_major = [-1, 0]>>)

// -----

// expected-error@+1 {{'minor_to_major' has ? in place 0}}
func.func private @a(tensor<2x3xf32, #xla.array<minor_to_major = [?, 0]>>)

// -----

// expected-error@+1 {{'minor_to_major' has 1 entries, the tensor has rank 2}}
func.func private @a(tensor<2x3xf32, #xla.array<minor_to_major = [0]>>)

// -----

// expected-error@+1 {{'minor_to_major' has 33 entries; arrays have at most 32 dimensions}}
func.func private @a(tensor<2x3xf32, #xla.array<minor_to_major = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32]>>)

// -----

// expected-error@+1 {{'minor_to_major' must be a list of integers}}
func.func private @a(tensor<2x3xf32, #xla.array<minor_to_major = "row">>)

// -----

// expected-error@+1 {{'padded_dimensions' has 1 entries, the tensor has rank 2}}
func.func private @a(tensor<2x3xf32, #xla.array<padded_dimensions = [4]>>)

// -----

// expected-error@+1 {{'padded_dimensions' has 2 for dimension 1, of 3}}
func.func private @a(tensor<2x3xf32, #xla.array<padded_dimensions = [2, 2]>>)

// -----

// expected-error@+1 {{'padded_dimensions' has 7 for dimension 0, of at most 8}}
func.func private @a(tensor<?x3xf32, #xla.array<padded_dimensions = [7, 3], bounds = [8, ?]>>)

// -----

// expected-error@+1 {{'padded_dimensions' make more than 2^62 bytes}}
func.func private @a(tensor<2x3xf32, #xla.array<padded_dimensions = [4611686018427387904, 4]>>)

// -----

// expected-error@+1 {{'padding_value' needs 'padded_dimensions'}}
func.func private @a(tensor<2x3xf32, #xla.array<padding_value = "one">>)

// -----

// expected-error@+1 {{'padding_value' must be "zero", "one", "lowest" or "highest"}}
func.func private @a(tensor<2x3xf32, #xla.array<padded_dimensions = [4, 4], padding_value = 0 : i32>>)

// -----

// expected-error@+1 {{complex numbers have no lowest to pad with}}
func.func private @a(tensor<2xcomplex<f32>, #xla.array<padded_dimensions = [4], padding_value = "lowest">>)

// -----

// expected-error@+1 {{invalid element type for complex}}
func.func private @a(tensor<2xcomplex<complex<f32>>, #xla.array<padded_dimensions = [4], padding_value = "lowest">>)

// -----

// expected-error@+1 {{'bounds' has 2 entries, the tensor has rank 1}}
func.func private @a(tensor<?xf32, #xla.array<bounds = [4, 4]>>)

// -----

// expected-error@+1 {{'bounds' has -4 in place 0}}
func.func private @a(tensor<?xf32, #xla.array<bounds = [-4]>>)

// -----

// expected-error@+1 {{'bounds' has 4 for dimension 0, which is not dynamic}}
func.func private @a(tensor<4xf32, #xla.array<bounds = [4]>>)

// -----

// expected-error@+1 {{'order' is not known (entries: minor_to_major, padded_dimensions, padding_value, bounds)}}
func.func private @a(tensor<4xf32, #xla.array<order = [0]>>)

// -----

// expected-error@+1 {{'bounds' is given twice}}
func.func private @a(tensor<?xf32, #xla.array<bounds = [4], bounds = [4]>>)
