// Specification 000, ReduceWindow.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: xla.reduce_window(%arg0, %arg1) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
// CHECK-NEXT:   %[[S:.*]] = xla.maximum %[[A]], %[[B]] : tensor<f32>
// CHECK-NEXT:   xla.return %[[S]] : tensor<f32>
// CHECK-NEXT: }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
// CHECK: }) {window_dimensions = [2, 3]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
// CHECK: }) {base_dilations = [2, 1], padding = [1, 0, -1, 3], window_dilations = [1, 2], window_dimensions = [3, 2]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<6x6xf64>
func.func @forms(%x: tensor<4x6xf32>, %z: tensor<f32>) {
  %0 = "xla.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.maximum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  %1 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.maximum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [2, 3]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
  %2 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = xla.add %a, %b : tensor<f64>
    xla.return %s : tensor<f64>
  }) {window_dimensions = [3, 2], base_dilations = [2, 1], window_dilations = [1, 2], padding = [1, 0, -1, 3]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<6x6xf64>
  return
}

// -----

// The printed array, of which windows of three are taken, every second one:
// without padding, and padded so that stride 1 would keep the size. And the
// printed 4x6 with windows of 2x3 that do not overlap.
// FOLD-LABEL: @printed
// FOLD: %[[A:.*]] = xla.constant dense<[1.000000e+02, 1.000000e+00]> : tensor<2xf32>
// FOLD: %[[B:.*]] = xla.constant dense<[1.000000e+03, 1.000000e+01, 1.000000e+00]> : tensor<3xf32>
// FOLD: %[[C:.*]] = xla.constant dense<{{\[\[}}9.000000e+00, 1.200000e+01], [2.100000e+01, 2.400000e+01]]> : tensor<2x2xf32>
// FOLD: return %[[A]], %[[B]], %[[C]]
func.func @printed() -> (tensor<2xf32>, tensor<3xf32>, tensor<2x2xf32>) {
  %x = xla.constant dense<[10000.0, 1000.0, 100.0, 10.0, 1.0]> : tensor<5xf32>
  %max = xla.constant dense<0x7F7FFFFF> : tensor<f32>
  %0 = xla.reduce_window(%x, %max) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.minimum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [3], window_strides = [2]} : (tensor<5xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = xla.reduce_window(%x, %max) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.minimum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [3], window_strides = [2], padding = [1, 1]} : (tensor<5xf32>, tensor<f32>) -> tensor<3xf32>
  %y = xla.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xf32>
  %min = xla.constant dense<0xFF7FFFFF> : tensor<f32>
  %2 = xla.reduce_window(%y, %min) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.maximum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [2, 3], window_strides = [2, 3]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<3xf32>, tensor<2x2xf32>
}

// -----

// Dilations, of the base and of the window; padding that removes elements, at
// one end and at both; a running sum, whose window is as long as the array.
// FOLD-LABEL: @windows
// FOLD: %[[A:.*]] = xla.constant dense<{{\[\[}}0, 0], [3, 4]]> : tensor<2x2xi64>
// FOLD: %[[B:.*]] = xla.constant dense<[5, 7]> : tensor<2xi32>
// FOLD: %[[C:.*]] = xla.constant dense<[5, 0, 7]> : tensor<3xi32>
// FOLD: %[[D:.*]] = xla.constant dense<[1, 3, 6, 10]> : tensor<4xi32>
// FOLD: %[[E:.*]] = xla.constant dense<[4, 6]> : tensor<2xi32>
// FOLD: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
func.func @windows() -> (tensor<2x2xi64>, tensor<2xi32>, tensor<3xi32>, tensor<4xi32>, tensor<2xi32>) {
  %x = xla.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %z64 = xla.constant dense<0> : tensor<i64>
  %0 = xla.reduce_window(%x, %z64) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = xla.add %a, %b : tensor<i64>
    xla.return %s : tensor<i64>
  }) {window_dimensions = [2, 1], window_strides = [4, 1], base_dilations = [2, 1], window_dilations = [3, 1], padding = [2, 1, 0, 0]} : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  %y = xla.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %z = xla.constant dense<0> : tensor<i32>
  %1 = xla.reduce_window(%y, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [2], padding = [-1, 0]} : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  %2 = xla.reduce_window(%y, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [2], padding = [-2, 0], base_dilations = [2], window_dilations = [2], window_strides = [1]} : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
  %3 = xla.reduce_window(%y, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [4], padding = [3, 0]} : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %4 = xla.reduce_window(%y, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [2], window_dilations = [2]} : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  return %0, %1, %2, %3, %4 : tensor<2x2xi64>, tensor<2xi32>, tensor<3xi32>, tensor<4xi32>, tensor<2xi32>
}

// -----

// What is padded has the init value, as if the array had been padded with it
// before: 2 * (2 * 1 + 1) + 5 in the first window of [5, 7], after one padding.
// Elements are combined in order, init value and accumulator first.
// FOLD-LABEL: @order
// FOLD: dense<[11, 21, 19]> : tensor<3xi32>
func.func @order() -> tensor<3xi32> {
  %x = xla.constant dense<[5, 7]> : tensor<2xi32>
  %one = xla.constant dense<1> : tensor<i32>
  %two = xla.constant dense<2> : tensor<i32>
  %0 = xla.reduce_window(%x, %one) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %d = xla.multiply %a, %two : tensor<i32>
    %s = xla.add %d, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [2], padding = [1, 1]} : (tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

// Several operands: the largest of each window, and where it is. 002's form has
// one.
// FOLD-LABEL: @argmax
// FOLD: %[[M:.*]] = xla.constant dense<[3.000000e+00, 9.000000e+00, 9.000000e+00]> : tensor<3xf32>
// FOLD: %[[I:.*]] = xla.constant dense<[1, 3, 3]> : tensor<3xi32>
// FOLD: return %[[M]], %[[I]]
func.func @argmax() -> (tensor<3xf32>, tensor<3xi32>) {
  %v = xla.constant dense<[1.0, 3.0, 2.0, 9.0]> : tensor<4xf32>
  %k = xla.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %iv = xla.constant dense<0xFF800000> : tensor<f32>
  %ik = xla.constant dense<-1> : tensor<i32>
  %0:2 = xla.reduce_window(%v, %k, %iv, %ik) ({
  ^bb0(%max: tensor<f32>, %argmax: tensor<i32>, %value: tensor<f32>, %index: tensor<i32>):
    %p = xla.compare %value, %max {comparison_direction = "GT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %m = xla.select %p, %value, %max : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %i = xla.select %p, %index, %argmax : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %m, %i : tensor<f32>, tensor<i32>
  }) {window_dimensions = [3], padding = [0, 1]} : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}

// -----

// A scalar has one window; an empty array none, unless it is padded; nor has an
// array that is shorter than the window, or of which padding leaves nothing.
// Accumulators may have more bits than elements.
// FOLD-LABEL: @edges
// FOLD: %[[A:.*]] = xla.constant dense<8.000000e+00> : tensor<f32>
// FOLD: %[[B:.*]] = xla.constant dense<> : tensor<0x2xf32>
// FOLD: %[[C:.*]] = xla.constant dense<2.100000e+01> : tensor<2x1xf32>
// FOLD: %[[D:.*]] = xla.constant dense<> : tensor<0xf32>
// FOLD: %[[F:.*]] = xla.constant dense<200> : tensor<1xi32>
// FOLD: return %[[A]], %[[B]], %[[C]], %[[D]], %[[D]], %[[F]]
func.func @edges() -> (tensor<f32>, tensor<0x2xf32>, tensor<2x1xf32>, tensor<0xf32>, tensor<0xf32>, tensor<1xi32>) {
  %one = xla.constant dense<1.0> : tensor<f32>
  %z = xla.constant dense<7.0> : tensor<f32>
  %x = xla.constant dense<> : tensor<0x2xf32>
  %y = xla.constant dense<[1.0]> : tensor<1xf32>
  %0 = xla.reduce_window(%one, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = array<i64>} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 1]} : (tensor<0x2xf32>, tensor<f32>) -> tensor<0x2xf32>
  %2 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 2], padding = [1, 1, 0, 0]} : (tensor<0x2xf32>, tensor<f32>) -> tensor<2x1xf32>
  %3 = xla.reduce_window(%y, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [2]} : (tensor<1xf32>, tensor<f32>) -> tensor<0xf32>
  %4 = xla.reduce_window(%y, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1], padding = [-3, 1]} : (tensor<1xf32>, tensor<f32>) -> tensor<0xf32>
  %bytes = xla.constant dense<[100, 100]> : tensor<2xi8>
  %bz = xla.constant dense<0> : tensor<i8>
  %5 = xla.reduce_window(%bytes, %bz) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [2]} : (tensor<2xi8>, tensor<i8>) -> tensor<1xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<f32>, tensor<0x2xf32>, tensor<2x1xf32>, tensor<0xf32>, tensor<0xf32>, tensor<1xi32>
}

// -----

// NaN spreads to its windows only; -0 + -0 stays -0, but for the init value 0.
// FOLD-LABEL: @values
// FOLD-DAG: dense<[3.000000e+00, 0x7FC00000, 0x7FC00000, 5.000000e+00]> : tensor<4xf32>
// FOLD-DAG: dense<0.000000e+00> : tensor<1xf32>
// FOLD-DAG: dense<-0.000000e+00> : tensor<1xf32>
func.func @values() -> (tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) {
  %x = xla.constant dense<[3.0, 1.0, 0x7FC00000, 2.0, 5.0]> : tensor<5xf32>
  %low = xla.constant dense<0xFF800000> : tensor<f32>
  %zeros = xla.constant dense<[-0.0, -0.0]> : tensor<2xf32>
  %z = xla.constant dense<0.0> : tensor<f32>
  %n = xla.constant dense<-0.0> : tensor<f32>
  %0 = xla.reduce_window(%x, %low) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.maximum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [2]} : (tensor<5xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = xla.reduce_window(%zeros, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [2]} : (tensor<2xf32>, tensor<f32>) -> tensor<1xf32>
  %2 = xla.reduce_window(%zeros, %n) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [2]} : (tensor<2xf32>, tensor<f32>) -> tensor<1xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<1xf32>, tensor<1xf32>
}

// -----

func.func @c1(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{has 3 operands; every array needs an init value [reduce_window_c1]}}
  %0 = xla.reduce_window(%x, %y, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 1]} : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c2(%x: tensor<4x6xf32>, %y: tensor<4x5xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{operand 1 is tensor<4x5xf32>, operand 0 is tensor<4x6xf32>: the dimensions must be the same [reduce_window_c2]}}
  %0 = xla.reduce_window(%x, %y, %z, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 1]} : (tensor<4x6xf32>, tensor<4x5xf32>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c3(%x: tensor<4x6xf32>, %z: tensor<f64>) {
  // expected-error @+1 {{init value 0 is tensor<f64>, must be a scalar of the elements of tensor<4x6xf32> [reduce_window_c3]}}
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 1]} : (tensor<4x6xf32>, tensor<f64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c4(%x: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{window_dimensions is [2], the window has 2 dimensions [reduce_window_c4]}}
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [2]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c5(%x: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{window_dimensions is [2, 0]: all must be at least 1 [reduce_window_c5]}}
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [2, 0]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c6(%x: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{window_strides is [1, 1, 1], the window has 2 dimensions [reduce_window_c6]}}
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 1], window_strides = [1, 1, 1]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c7(%x: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{window_strides is [-1, 1]: all must be at least 1 [reduce_window_c7]}}
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 1], window_strides = [-1, 1]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c8(%x: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{base_dilations is [2], the window has 2 dimensions [reduce_window_c8]}}
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 1], base_dilations = [2]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c9(%x: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{base_dilations is [0, 1]: all must be at least 1 [reduce_window_c9]}}
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 1], base_dilations = [0, 1]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c10(%x: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{window_dilations is [2], the window has 2 dimensions [reduce_window_c10]}}
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 1], window_dilations = [2]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c11(%x: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{window_dilations is [1, 0]: all must be at least 1 [reduce_window_c11]}}
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 1], window_dilations = [1, 0]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c12(%x: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{padding is [1, 1], must have a low and a high end for each of the 2 dimensions of the window [reduce_window_c12]}}
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 1], padding = [1, 1]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c13(%x: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{operand 0 is tensor<4x6xf32>, whose elements cannot be accumulated as s32 [reduce_window_c13]}}
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [1, 1]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c15_dilation(%x: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{has a window of size 1, stride 1, dilation 1 over 4 elements of dilation 9223372036854775807, padded by 0 and 0, in dimension 0 of the window: too large [reduce_window_c15]}}
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 1], base_dilations = [9223372036854775807, 1]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @c15_padding(%x: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{padded by -9223372036854775808 and 0, in dimension 1 of the window: too large [reduce_window_c15]}}
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 1], padding = [0, 0, -9223372036854775808, 0]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @size(%x: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{larger than 2^62 bytes}}
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [1, 1], padding = [1000000000000000000, 0, 1000000000000000000, 0]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @result(%x: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{result 0 is stated as tensor<4x6xf32>, but is tensor<3x6xf32> [result]}}
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {window_dimensions = [2, 1]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @attribute(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{requires the attribute 'window_dimensions' [attribute]}}
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
