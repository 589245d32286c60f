// Specification 000, Sort, and the older form of 002.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.sort(%arg0) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
// CHECK-NEXT:   %[[C:.*]] = xla.compare %[[A]], %[[B]] {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT:   xla.return %[[C]] : tensor<i1>
// CHECK-NEXT: }) {dimension = 0 : i64, is_stable = true} : tensor<4x3xf32>
// CHECK: xla.sort(%arg0, %arg1) ({
// CHECK: }) : (tensor<4x3xf32>, tensor<4x3xi8>) -> (tensor<4x3xf32>, tensor<4x3xi8>)
// CHECK: xla.sort %arg0 : tensor<4x3xf32>
// CHECK: xla.sort %arg1 {{[{]}}dimension = -2 : i64} : tensor<4x3xi8>
func.func @forms(%x: tensor<4x3xf32>, %y: tensor<4x3xi8>) {
  %0 = "xla.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %1:2 = xla.sort(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i8>, %d: tensor<i8>):
    %e = xla.compare %c, %d {comparison_direction = "GT"} : (tensor<i8>, tensor<i8>) -> tensor<i1>
    xla.return %e : tensor<i1>
  }) : (tensor<4x3xf32>, tensor<4x3xi8>) -> (tensor<4x3xf32>, tensor<4x3xi8>)
  %2 = xla.sort %x : tensor<4x3xf32>
  %3 = "xla.sort"(%y) <{dimension = -2 : i64}> : (tensor<4x3xi8>) -> tensor<4x3xi8>
  return
}

// -----

// The printed example: three operands, the first of which is compared.
// FOLD-LABEL: @example
// FOLD-DAG: %[[A:.*]] = xla.constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf32>
// FOLD-DAG: %[[B:.*]] = xla.constant dense<[50, 42]> : tensor<2xi32>
// FOLD-DAG: %[[C:.*]] = xla.constant dense<[1.100000e+00, -3.000000e+00]> : tensor<2xf64>
// FOLD: return %[[A]], %[[B]], %[[C]]
func.func @example() -> (tensor<2xf32>, tensor<2xi32>, tensor<2xf64>) {
  %x = xla.constant dense<[3.0, 1.0]> : tensor<2xf32>
  %y = xla.constant dense<[42, 50]> : tensor<2xi32>
  %z = xla.constant dense<[-3.0, 1.1]> : tensor<2xf64>
  %0:3 = xla.sort(%x, %y, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>, %e: tensor<f64>, %f: tensor<f64>):
    %less = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %less : tensor<i1>
  }) : (tensor<2xf32>, tensor<2xi32>, tensor<2xf64>) -> (tensor<2xf32>, tensor<2xi32>, tensor<2xf64>)
  return %0#0, %0#1, %0#2 : tensor<2xf32>, tensor<2xi32>, tensor<2xf64>
}

// -----

// Columns (dimension 0), rows (1 and, as the last, -1 and none), descending.
// FOLD-LABEL: @dimensions
// FOLD-DAG: %[[C:.*]] = xla.constant dense<{{\[\[}}1, 2, 0], [3, 5, 4]]> : tensor<2x3xi32>
// FOLD-DAG: %[[R:.*]] = xla.constant dense<{{\[\[}}2, 3, 4], [0, 1, 5]]> : tensor<2x3xi32>
// FOLD-DAG: %[[D:.*]] = xla.constant dense<{{\[\[}}4, 3, 2], [5, 1, 0]]> : tensor<2x3xi32>
// FOLD: return %[[C]], %[[C]], %[[R]], %[[R]], %[[R]], %[[D]]
func.func @dimensions() -> (tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>) {
  %x = xla.constant dense<[[3, 2, 4], [1, 5, 0]]> : tensor<2x3xi32>
  %0 = xla.sort(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimension = 0} : tensor<2x3xi32>
  %1 = xla.sort %x {dimension = -2} : tensor<2x3xi32>
  %2 = xla.sort(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimension = 1} : tensor<2x3xi32>
  %3 = xla.sort(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimension = -1} : tensor<2x3xi32>
  %4 = xla.sort(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) : tensor<2x3xi32>
  %5 = xla.sort(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = xla.compare %a, %b {comparison_direction = "GT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) : tensor<2x3xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>
}

// -----

// Equal elements stay in order, whether that is asked for or not.
// FOLD-LABEL: @stable
// FOLD-DAG: %[[K:.*]] = xla.constant dense<[1, 1, 1, 2, 2, 2, 2]> : tensor<7xui8>
// FOLD-DAG: %[[P:.*]] = xla.constant dense<[1, 4, 6, 0, 2, 3, 5]> : tensor<7xi32>
// FOLD-DAG: %[[D:.*]] = xla.constant dense<[0, 2, 3, 5, 1, 4, 6]> : tensor<7xi32>
// FOLD: return %[[K]], %[[P]], %[[D]]
func.func @stable() -> (tensor<7xui8>, tensor<7xi32>, tensor<7xi32>) {
  %k = xla.constant dense<[2, 1, 2, 2, 1, 2, 1]> : tensor<7xui8>
  %p = xla.constant dense<[0, 1, 2, 3, 4, 5, 6]> : tensor<7xi32>
  %0:2 = xla.sort(%k, %p) ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>, %i: tensor<i32>, %j: tensor<i32>):
    %c = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) {is_stable = false} : (tensor<7xui8>, tensor<7xi32>) -> (tensor<7xui8>, tensor<7xi32>)
  %1:2 = xla.sort(%k, %p) ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>, %i: tensor<i32>, %j: tensor<i32>):
    %c = xla.compare %b, %a {comparison_direction = "LT"} : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) {is_stable = true} : (tensor<7xui8>, tensor<7xi32>) -> (tensor<7xui8>, tensor<7xi32>)
  return %0#0, %0#1, %1#1 : tensor<7xui8>, tensor<7xi32>, tensor<7xi32>
}

// -----

// Without a comparator floats have the total order, and every element type but
// complex numbers has one; integers go by their sign.
// FOLD-LABEL: @ascending
// FOLD-DAG: %[[F:.*]] = xla.constant dense<[0xFFC00000, 0xFF800000, -1.000000e+00, -0.000000e+00, 0.000000e+00, 1.000000e+00, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
// FOLD-DAG: %[[I:.*]] = xla.constant dense<[-128, -1, 0, 127]> : tensor<4xi8>
// FOLD-DAG: %[[U:.*]] = xla.constant dense<[0, 127, 128, 255]> : tensor<4xui8>
// FOLD-DAG: %[[P:.*]] = xla.constant dense<[false, false, true]> : tensor<3xi1>
// FOLD-DAG: %[[E:.*]] = xla.constant dense<[-2.000000e+00, 5.000000e-01, 1.600000e+01]> : tensor<3xf8E4M3FN>
// FOLD: return %[[F]], %[[I]], %[[U]], %[[P]], %[[E]]
func.func @ascending() -> (tensor<8xf32>, tensor<4xi8>, tensor<4xui8>, tensor<3xi1>, tensor<3xf8E4M3FN>) {
  %f = xla.constant dense<[0x7FC00000, 0.0, 1.0, -0.0, 0x7F800000, 0xFFC00000, -1.0, 0xFF800000]> : tensor<8xf32>
  %i = xla.constant dense<[127, 0, -1, -128]> : tensor<4xi8>
  %u = xla.constant dense<[127, 0, 255, 128]> : tensor<4xui8>
  %p = xla.constant dense<[false, true, false]> : tensor<3xi1>
  %e = xla.constant dense<[16.0, -2.0, 0.5]> : tensor<3xf8E4M3FN>
  %0 = xla.sort %f : tensor<8xf32>
  %1 = xla.sort %i : tensor<4xi8>
  %2 = xla.sort %u : tensor<4xui8>
  %3 = xla.sort %p : tensor<3xi1>
  %4 = xla.sort %e : tensor<3xf8E4M3FN>
  return %0, %1, %2, %3, %4 : tensor<8xf32>, tensor<4xi8>, tensor<4xui8>, tensor<3xi1>, tensor<3xf8E4M3FN>
}

// -----

// Comparators that contradict themselves give some order of the same elements:
// always true takes the later one first, always false leaves all in place.
// FOLD-LABEL: @contradictory
// FOLD-DAG: %[[T:.*]] = xla.constant dense<[5, 4, 3, 2, 1]> : tensor<5xi32>
// FOLD-DAG: %[[F:.*]] = xla.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
// FOLD: return %[[T]], %[[F]]
func.func @contradictory() -> (tensor<5xi32>, tensor<5xi32>) {
  %x = xla.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %true = xla.constant dense<true> : tensor<i1>
  %0 = xla.sort(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    xla.return %true : tensor<i1>
  }) : tensor<5xi32>
  %1 = xla.sort(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = xla.compare %a, %a {comparison_direction = "NE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) : tensor<5xi32>
  return %0, %1 : tensor<5xi32>, tensor<5xi32>
}

// -----

// Nothing and single elements; bits of NaN stay; complex numbers by a part.
// FOLD-LABEL: @edges
// FOLD-DAG: %[[E:.*]] = xla.constant dense<> : tensor<0xf32>
// FOLD-DAG: %[[G:.*]] = xla.constant dense<> : tensor<2x0x3xf32>
// FOLD-DAG: %[[O:.*]] = xla.constant dense<{{\[\[}}3.000000e+00], [1.000000e+00]]> : tensor<2x1xf32>
// FOLD-DAG: %[[N:.*]] = xla.constant dense<[-1.000000e+00, 0x7FC12345]> : tensor<2xf32>
// FOLD-DAG: %[[C:.*]] = xla.constant dense<[(3.0{{.*}},-1.0{{.*}}), (1.0{{.*}},2.0{{.*}})]> : tensor<2xcomplex<f32>>
// FOLD: return %[[E]], %[[G]], %[[O]], %[[N]], %[[C]]
func.func @edges() -> (tensor<0xf32>, tensor<2x0x3xf32>, tensor<2x1xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>) {
  %e = xla.constant dense<> : tensor<0xf32>
  %g = xla.constant dense<> : tensor<2x0x3xf32>
  %o = xla.constant dense<[[3.0], [1.0]]> : tensor<2x1xf32>
  %n = xla.constant dense<[0x7FC12345, -1.0]> : tensor<2xf32>
  %w = xla.constant dense<[(1.0, 2.0), (3.0, -1.0)]> : tensor<2xcomplex<f32>>
  %0 = xla.sort %e : tensor<0xf32>
  %1 = xla.sort(%g) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) : tensor<2x0x3xf32>
  %2 = xla.sort(%o) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) : tensor<2x1xf32>
  %3 = xla.sort(%n) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.compare %a, %b {comparison_direction = "LT", compare_type = "TOTALORDER"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) : tensor<2xf32>
  %4 = xla.sort(%w) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %d = xla.imag %a : (tensor<complex<f32>>) -> tensor<f32>
    %f = xla.imag %b : (tensor<complex<f32>>) -> tensor<f32>
    %l = xla.compare %d, %f {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) : tensor<2xcomplex<f32>>
  return %0, %1, %2, %3, %4 : tensor<0xf32>, tensor<2x0x3xf32>, tensor<2x1xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>
}

// -----

func.func @sort_c1(%x: tensor<4x3xf32>, %y: tensor<4x3xi32>, %s: tensor<f32>, %z: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{takes 1 or more operands, has 0 [arity]}}
  "xla.sort"() : () -> ()
  return
}

// -----

func.func @sort_regions(%x: tensor<4x3xf32>, %y: tensor<4x3xi32>, %s: tensor<f32>, %z: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{takes at most 1 region, has 2 [arity]}}
  %0 = xla.sort(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) : tensor<4x3xf32>
  return
}

// -----

func.func @sort_c2(%x: tensor<4x3xf32>, %y: tensor<4x3xi32>, %s: tensor<f32>, %z: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{result 0 is stated as tensor<4x3xf64>, but is tensor<4x3xf32> [result]}}
  %0 = xla.sort %x : (tensor<4x3xf32>) -> tensor<4x3xf64>
  return
}

// -----

func.func @sort_c2_count(%x: tensor<4x3xf32>, %y: tensor<4x3xi32>, %s: tensor<f32>, %z: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{has 2 results, should have 1 [result]}}
  %0:2 = xla.sort %x : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  return
}

// -----

func.func @sort_c3(%x: tensor<4x3xf32>, %y: tensor<4x3xi32>, %s: tensor<f32>, %z: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{operand 1 is tensor<f32>, operand 0 is tensor<4x3xf32>: the dimensions must be the same [sort_c3]}}
  %0:2 = xla.sort %x, %s : (tensor<4x3xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<f32>)
  return
}

// -----

func.func @sort_c4(%x: tensor<4x3xf32>, %y: tensor<4x3xi32>, %s: tensor<f32>, %z: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{dimension is 2, operand 0 is tensor<4x3xf32> of rank 2 [sort_c4]}}
  %0 = xla.sort %x {dimension = 2} : tensor<4x3xf32>
  return
}

// -----

func.func @sort_c4_negative(%x: tensor<4x3xf32>, %y: tensor<4x3xi32>, %s: tensor<f32>, %z: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{dimension is -3, operand 0 is tensor<4x3xf32> of rank 2 [sort_c4]}}
  %0 = xla.sort %x {dimension = -3} : tensor<4x3xf32>
  return
}

// -----

func.func @sort_c4_scalar(%x: tensor<4x3xf32>, %y: tensor<4x3xi32>, %s: tensor<f32>, %z: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{dimension is -1, operand 0 is tensor<f32> of rank 0 [sort_c4]}}
  %0 = xla.sort %s : tensor<f32>
  return
}

// -----

func.func @sort_c5(%x: tensor<4x3xf32>, %y: tensor<4x3xi32>, %s: tensor<f32>, %z: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{the comparator takes 2 scalars and returns 1 values, must take 4 and return one [sort_c5]}}
  %0:2 = xla.sort(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) : (tensor<4x3xf32>, tensor<4x3xi32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
  return
}

// -----

func.func @sort_c5_results(%x: tensor<4x3xf32>, %y: tensor<4x3xi32>, %s: tensor<f32>, %z: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{the comparator takes 2 scalars and returns 2 values, must take 2 and return one [sort_c5]}}
  %0 = xla.sort(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a, %b : tensor<f32>, tensor<f32>
  }) : tensor<4x3xf32>
  return
}

// -----

func.func @sort_c5_argument(%x: tensor<4x3xf32>, %y: tensor<4x3xi32>, %s: tensor<f32>, %z: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{argument 0 of the comparator is tensor<f64>, must be a scalar of the elements of operand 0, tensor<4x3xf32> [sort_c5]}}
  %0 = xla.sort(%x) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<f64>, tensor<f64>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) : tensor<4x3xf32>
  return
}

// -----

func.func @sort_c5_array(%x: tensor<4x3xf32>, %y: tensor<4x3xi32>, %s: tensor<f32>, %z: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{argument 1 of the comparator is tensor<1xf32>, must be a scalar of the elements of operand 0, tensor<4x3xf32> [sort_c5]}}
  %0 = xla.sort(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<1xf32>):
    %c = xla.compare %a, %a {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) : tensor<4x3xf32>
  return
}

// -----

func.func @sort_c5_result(%x: tensor<4x3xf32>, %y: tensor<4x3xi32>, %s: tensor<f32>, %z: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{the comparator returns tensor<f32>, must return tensor<i1> [sort_c5]}}
  %0 = xla.sort(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : tensor<4x3xf32>
  return
}

// -----

func.func @sort_c5_several(%x: tensor<4x3xf32>, %y: tensor<4x3xi32>, %s: tensor<f32>, %z: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{has 2 operands and no comparator; only one can be sorted without [sort_c5]}}
  %0:2 = xla.sort %x, %y : (tensor<4x3xf32>, tensor<4x3xi32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
  return
}

// -----

func.func @sort_c5_complex(%x: tensor<4x3xf32>, %y: tensor<4x3xi32>, %s: tensor<f32>, %z: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{has no comparator; complex numbers as in tensor<2xcomplex<f32>> have no order of their own [sort_c5]}}
  %0 = xla.sort %z : tensor<2xcomplex<f32>>
  return
}
