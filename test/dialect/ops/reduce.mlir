// Specification 000, Reduce.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.reduce(%arg0, %arg1) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
// CHECK-NEXT:   %[[S:.*]] = xla.add %[[A]], %[[B]] : tensor<f32>
// CHECK-NEXT:   xla.return %[[S]] : tensor<f32>
// CHECK-NEXT: }) {dimensions = array<i64: 0>} : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: xla.reduce(%arg0, %arg1)
// CHECK: }) {dimensions = array<i64: 2, 0>} : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<2xf64>
func.func @forms(%x: tensor<4x2x3xf32>, %z: tensor<f32>) {
  %0 = "xla.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %1 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = xla.add %a, %b : tensor<f64>
    xla.return %s : tensor<f64>
  }) {dimensions = array<i64: 2, 0>} : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<2xf64>
  return
}

// -----

// The printed array of 4x2x3, 1 to 6 repeated along dimension 0, over every
// combination of dimensions.
// FOLD-LABEL: @sums
// FOLD: %[[R0:.*]] = xla.constant dense<{{\[\[}}[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]], {{\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]], {{\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]], {{\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]]> : tensor<4x2x3xf32>
// FOLD: %[[R1:.*]] = xla.constant dense<{{\[\[}}4.000000e+00, 8.000000e+00, 1.200000e+01], [1.600000e+01, 2.000000e+01, 2.400000e+01]]> : tensor<2x3xf32>
// FOLD: %[[R2:.*]] = xla.constant dense<{{\[\[}}5.000000e+00, 7.000000e+00, 9.000000e+00], [5.000000e+00, 7.000000e+00, 9.000000e+00], [5.000000e+00, 7.000000e+00, 9.000000e+00], [5.000000e+00, 7.000000e+00, 9.000000e+00]]> : tensor<4x3xf32>
// FOLD: %[[R3:.*]] = xla.constant dense<{{\[\[}}6.000000e+00, 1.500000e+01], [6.000000e+00, 1.500000e+01], [6.000000e+00, 1.500000e+01], [6.000000e+00, 1.500000e+01]]> : tensor<4x2xf32>
// FOLD: %[[R4:.*]] = xla.constant dense<[2.000000e+01, 2.800000e+01, 3.600000e+01]> : tensor<3xf32>
// FOLD: %[[R5:.*]] = xla.constant dense<[2.400000e+01, 6.000000e+01]> : tensor<2xf32>
// FOLD: %[[R6:.*]] = xla.constant dense<2.100000e+01> : tensor<4xf32>
// FOLD: %[[R7:.*]] = xla.constant dense<8.400000e+01> : tensor<f32>
// FOLD: return %[[R0]], %[[R1]], %[[R2]], %[[R3]], %[[R4]], %[[R5]], %[[R6]], %[[R7]]
func.func @sums() -> (tensor<4x2x3xf32>, tensor<2x3xf32>, tensor<4x3xf32>, tensor<4x2xf32>, tensor<3xf32>, tensor<2xf32>, tensor<4xf32>, tensor<f32>) {
  %x = xla.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]> : tensor<4x2x3xf32>
  %z = xla.constant dense<0.0> : tensor<f32>
  %r0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64>} : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<4x2x3xf32>
  %r1 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %r2 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<4x3xf32>
  %r3 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<4x2xf32>
  %r4 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<3xf32>
  %r5 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0, 2>} : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %r6 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1, 2>} : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<4xf32>
  %r7 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0, 1, 2>} : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<f32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : tensor<4x2x3xf32>, tensor<2x3xf32>, tensor<4x3xf32>, tensor<4x2xf32>, tensor<3xf32>, tensor<2xf32>, tensor<4xf32>, tensor<f32>
}

// -----

// The printed array [10, 11, 12, 13]; and bodies without symmetry, which show
// that an element is the second argument and that the order is row-major,
// whatever the order of the list: ((0 * 2 + 1) * 2 + 2) ..
// FOLD-LABEL: @order
// FOLD-DAG: dense<46> : tensor<i32>
// FOLD-DAG: dense<26> : tensor<i32>
func.func @order() -> (tensor<i32>, tensor<i32>) {
  %x = xla.constant dense<[10, 11, 12, 13]> : tensor<4xi32>
  %y = xla.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %z = xla.constant dense<0> : tensor<i32>
  %two = xla.constant dense<2> : tensor<i32>
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  %1 = xla.reduce(%y, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %d = xla.multiply %a, %two : tensor<i32>
    %s = xla.add %d, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = array<i64: 1, 0>} : (tensor<2x2xi32>, tensor<i32>) -> tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}

// -----

// Maximum and its index, as printed: `value >= max` takes the later of equals.
// FOLD-LABEL: @argmax
// FOLD: %[[M:.*]] = xla.constant dense<[3.000000e+00, 9.000000e+00]> : tensor<2xf32>
// FOLD: %[[I:.*]] = xla.constant dense<[3, 0]> : tensor<2xi32>
// FOLD: return %[[M]], %[[I]]
func.func @argmax() -> (tensor<2xf32>, tensor<2xi32>) {
  %v = xla.constant dense<[[1.0, 3.0, 2.0, 3.0], [9.0, -1.0, 0.0, 8.0]]> : tensor<2x4xf32>
  %k = xla.constant dense<[[0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<2x4xi32>
  %iv = xla.constant dense<0xFF800000> : tensor<f32>
  %ik = xla.constant dense<-1> : tensor<i32>
  %0:2 = xla.reduce(%v, %k, %iv, %ik) ({
  ^bb0(%max: tensor<f32>, %argmax: tensor<i32>, %value: tensor<f32>, %index: tensor<i32>):
    %p = xla.compare %value, %max {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %m = xla.select %p, %value, %max : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %i = xla.select %p, %index, %argmax : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %m, %i : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
}

// -----

// Nothing to combine gives the init value; no result, nothing. An accumulator of
// more bits holds what the elements' type does not.
// FOLD-LABEL: @edges
// FOLD: %[[A:.*]] = xla.constant dense<7.000000e+00> : tensor<2xf32>
// FOLD: %[[B:.*]] = xla.constant dense<> : tensor<0xf32>
// FOLD: %[[C:.*]] = xla.constant dense<8.000000e+00> : tensor<f32>
// FOLD: %[[D:.*]] = xla.constant dense<300> : tensor<i32>
// FOLD: return %[[A]], %[[B]], %[[C]], %[[D]]
func.func @edges() -> (tensor<2xf32>, tensor<0xf32>, tensor<f32>, tensor<i32>) {
  %x = xla.constant dense<> : tensor<0x2xf32>
  %one = xla.constant dense<1.0> : tensor<f32>
  %z = xla.constant dense<7.0> : tensor<f32>
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<0x2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<0x2xf32>, tensor<f32>) -> tensor<0xf32>
  %2 = xla.reduce(%one, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64>} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %bytes = xla.constant dense<[100, 100]> : tensor<2xi8>
  %bz = xla.constant dense<100> : tensor<i8>
  %3 = xla.reduce(%bytes, %bz) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<2xi8>, tensor<i8>) -> tensor<i32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<0xf32>, tensor<f32>, tensor<i32>
}

// -----

// Every step rounds to the type of the accumulator: 256 + 1 stays 256 in bf16.
// FOLD-LABEL: @rounding
// FOLD: dense<2.560000e+02> : tensor<bf16>
func.func @rounding() -> tensor<bf16> {
  %x = xla.constant dense<[256.0, 1.0, 1.0, 1.0]> : tensor<4xbf16>
  %z = xla.constant dense<0.0> : tensor<bf16>
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = xla.add %a, %b : tensor<bf16>
    xla.return %s : tensor<bf16>
  }) {dimensions = array<i64: 0>} : (tensor<4xbf16>, tensor<bf16>) -> tensor<bf16>
  return %0 : tensor<bf16>
}

// -----

// A body with an effect, or one that uses a value nobody knows, stays.
// FOLD-LABEL: @stays
// FOLD: xla.reduce
// FOLD: xla.custom_call
// FOLD: xla.reduce
func.func @stays(%h: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %x = xla.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %z = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.custom_call %a {call_target_name = "effect", has_side_effect = true} : (tensor<f32>) -> ()
    xla.return %b : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %1 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %h : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// -----

func.func @c1(%x: tensor<4xf32>, %y: tensor<5xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{operand 1 is tensor<5xf32>, operand 0 is tensor<4xf32>: the dimensions must be the same [reduce_c1]}}
  %0:2 = xla.reduce(%x, %y, %z, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @c2(%x: tensor<4xf32>, %z: tensor<f64>) {
  // expected-error @+1 {{init value 0 is tensor<f64>, must be a scalar of the elements of tensor<4xf32> [reduce_c2]}}
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f64>) -> tensor<f32>
  return
}

// -----

func.func @c2_rank(%x: tensor<4xf32>, %z: tensor<1xf32>) {
  // expected-error @+1 {{init value 0 is tensor<1xf32>, must be a scalar}}
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<f32>
  return
}

// -----

func.func @c3(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{has 3 operands; every array needs an init value [reduce_c3]}}
  %0 = xla.reduce(%x, %x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @c4(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{dimensions has 1, the operands have rank 1 [reduce_c4]}}
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @c4_negative(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{dimensions has -1, the operands have rank 1 [reduce_c4]}}
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: -1>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @c5(%x: tensor<4x2xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{dimensions [1, 0, 1] has 1 twice [reduce_c5]}}
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 1, 0, 1>} : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @c6_counts(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{the region takes 1 scalars and returns 1, must take 2 and return 1 [reduce_c6]}}
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>):
    xla.return %a : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @c6_results(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{the region takes 2 scalars and returns 0, must take 2 and return 1 [reduce_c6]}}
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @c6_array(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{the region returns tensor<1xf32> as result 0, not a scalar [reduce_c6]}}
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<1xf32>, %b: tensor<1xf32>):
    xla.return %a : tensor<1xf32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @c6_argument(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{argument 1 of the region is tensor<f64>, result 0 is tensor<f32> [reduce_c6]}}
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f64>):
    xla.return %a : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @c6_narrow(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{operand 0 is tensor<4xf32>, whose elements cannot be accumulated as bf16 [reduce_c6]}}
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = xla.add %a, %b : tensor<bf16>
    xla.return %s : tensor<bf16>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<bf16>
  return
}

// -----

func.func @c6_class(%x: tensor<4xi32>, %z: tensor<i32>) {
  // expected-error @+1 {{operand 0 is tensor<4xi32>, whose elements cannot be accumulated as f64 [reduce_c6]}}
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = xla.add %a, %b : tensor<f64>
    xla.return %s : tensor<f64>
  }) {dimensions = array<i64: 0>} : (tensor<4xi32>, tensor<i32>) -> tensor<f64>
  return
}

// -----

func.func @result(%x: tensor<4x2xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{result 0 is stated as tensor<4xf32>, but is tensor<2xf32> [result]}}
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4x2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @tuple(%x: tuple<tensor<4xf32>>, %z: tensor<f32>) {
  // expected-error @+1 {{operand 0, tuple<tensor<4xf32>>, is not a ranked tensor}}
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tuple<tensor<4xf32>>, tensor<f32>) -> tensor<f32>
  return
}
