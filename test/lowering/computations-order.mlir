// Sorts, scatters, scans and gradients of pooling whose computations have arrays and loops, on compiled devices, which must agree with the interpreter.
// RUN: xla-run %s --entry=sort --device=all --input="2x7xi32=7 5 1 0 15 6 2 9 8 7 6 5 4 3" | FileCheck %s --check-prefix=SORT
// RUN: xla-run %s --entry=sorts --device=all --seed=1
// RUN: xla-run %s --entry=large --device=cpu --input=100000xi32=random:7 --output=none
// RUN: xla-run %s --entry=scatter --device=all --input="4x3xs32=12 18 30 7 14 21 4 6 8 9 10 11" --input="5x1xs8=0 3 4 -1 0" --input="5x3xs32=8 9 10 11 12 3 0 0 0 0 0 0 9 10 22" | FileCheck %s --check-prefix=SCATTER
// RUN: xla-run %s --entry=scatters --device=all --input="3x4xc64=random:1" --input="2x2xs32=0 1 2 1" --input="2x2x1xc64=random:2" --input="4xf16=1 2 3 4" --input="4xs32=0 0 3 -9" --input="4xf16=5 6 7 8" | FileCheck %s --check-prefix=SCATTERS
// RUN: xla-run %s --entry=scan --device=all --input="2x4x2xi32=12 14 18 35 30 5 8 10 7 9 21 6 49 3 14 27" | FileCheck %s --check-prefix=SCAN
// RUN: xla-run %s --entry=pool --device=all --input="6xs32=5 4 3 2 1 0" --input="2xs32=3 6" | FileCheck %s --check-prefix=POOL
// RUN: xla-run %s --entry=nested --device=all --input="6xs32=5 4 3 2 1 0" --input="8xs32=3 6 9 2 4 8 5 10" | FileCheck %s --check-prefix=NESTED

func.func private @gcd(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %r, %z = xla.while(%a, %b) ({
  ^bb0(%v: tensor<i32>, %w: tensor<i32>):
    %end = xla.constant dense<0> : tensor<i32>
    %c = xla.compare %w, %end {comparison_direction = "NE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%v: tensor<i32>, %w: tensor<i32>):
    %c = xla.remainder %v, %w : tensor<i32>
    xla.return %w, %c : tensor<i32>, tensor<i32>
  }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %r : tensor<i32>
}

// How many bits of `a` are set more than of `b`.
func.func private @bits(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %p, %q, %n = xla.while(%a, %b, %zero) ({
  ^bb0(%v: tensor<i32>, %w: tensor<i32>, %k: tensor<i32>):
    %z = xla.constant dense<0> : tensor<i32>
    %o = xla.or %v, %w : tensor<i32>
    %e = xla.compare %o, %z {comparison_direction = "NE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %e : tensor<i1>
  }, {
  ^bb0(%v: tensor<i32>, %w: tensor<i32>, %k: tensor<i32>):
    %one = xla.constant dense<1> : tensor<i32>
    %v1 = xla.and %v, %one : tensor<i32>
    %w1 = xla.and %w, %one : tensor<i32>
    %k1 = xla.add %k, %v1 : tensor<i32>
    %k2 = xla.subtract %k1, %w1 : tensor<i32>
    %v2 = xla.shift_right_logical %v, %one : tensor<i32>
    %w2 = xla.shift_right_logical %w, %one : tensor<i32>
    xla.return %v2, %w2, %k2 : tensor<i32>, tensor<i32>, tensor<i32>
  }) : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>)
  return %n : tensor<i32>
}

// Equal ones stay in order.
// SORT: 2x7xs32=0 1 2 5 6 7 15 8 4 9 6 5 3 7
// SORT: 2x7xs32=3 2 6 1 5 0 4 1 5 0 3 4 6 2
func.func @sort(%x: tensor<2x7xi32>) -> (tensor<2x7xi32>, tensor<2x7xi32>) {
  %at = xla.iota {iota_dimension = 1} : () -> tensor<2x7xi32>
  %0:2 = xla.sort(%x, %at) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %n = func.call @bits(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %zero = xla.constant dense<0> : tensor<i32>
    %r = xla.compare %n, %zero {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %r : tensor<i1>
  }) {dimension = 1, is_stable = true} : (tensor<2x7xi32>, tensor<2x7xi32>) -> (tensor<2x7xi32>, tensor<2x7xi32>)
  return %0#0, %0#1 : tensor<2x7xi32>, tensor<2x7xi32>
}

// Along any dimension, of one element and none, by a comparator with an array, of narrow and complex numbers.
func.func @sorts(%x: tensor<3x5x2xf32>, %y: tensor<3x5x2xf8E5M2>, %z: tensor<6xcomplex<f32>>, %e: tensor<0x4xf32>, %o: tensor<1xf32>, %i: tensor<16xi4>) -> (tensor<3x5x2xf32>, tensor<3x5x2xf8E5M2>, tensor<6xcomplex<f32>>, tensor<0x4xf32>, tensor<1xf32>, tensor<16xi4>) {
  %0:2 = xla.sort(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f8E5M2>, %d: tensor<f8E5M2>):
    %c2 = xla.convert %c : (tensor<f8E5M2>) -> tensor<f32>
    %d2 = xla.convert %d : (tensor<f8E5M2>) -> tensor<f32>
    %u = xla.reshape %a : (tensor<f32>) -> tensor<1xf32>
    %v = xla.reshape %c2 : (tensor<f32>) -> tensor<1xf32>
    %s = xla.concatenate %u, %v {dimension = 0} : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %zero = xla.constant dense<0.0> : tensor<f32>
    %sum = xla.reduce(%s, %zero) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = xla.add %p, %q : tensor<f32>
      xla.return %r : tensor<f32>
    }) {dimensions = [0]} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %t = xla.add %b, %d2 : tensor<f32>
    %l = xla.compare %sum, %t {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) {dimension = 1} : (tensor<3x5x2xf32>, tensor<3x5x2xf8E5M2>) -> (tensor<3x5x2xf32>, tensor<3x5x2xf8E5M2>)
  %1 = xla.sort(%z) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %u = xla.reshape %a : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %v = xla.real %u : (tensor<1xcomplex<f32>>) -> tensor<1xf32>
    %w = xla.reshape %v : (tensor<1xf32>) -> tensor<f32>
    %d = xla.real %b : (tensor<complex<f32>>) -> tensor<f32>
    %l = xla.compare %w, %d {comparison_direction = "GT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) {dimension = 0} : tensor<6xcomplex<f32>>
  %2 = xla.sort(%e) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %u = xla.reshape %a : (tensor<f32>) -> tensor<1xf32>
    %v = xla.reshape %b : (tensor<f32>) -> tensor<1xf32>
    %c = xla.compare %u, %v {comparison_direction = "GT"} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %l = xla.reshape %c : (tensor<1xi1>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) {dimension = 1} : tensor<0x4xf32>
  %3 = xla.sort(%o) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %u = xla.reshape %a : (tensor<f32>) -> tensor<1xf32>
    %v = xla.reshape %b : (tensor<f32>) -> tensor<1xf32>
    %c = xla.compare %u, %v {comparison_direction = "GT"} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %l = xla.reshape %c : (tensor<1xi1>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) {dimension = -1} : tensor<1xf32>
  %4 = xla.sort(%i) ({
  ^bb0(%a: tensor<i4>, %b: tensor<i4>):
    %u = xla.reshape %a : (tensor<i4>) -> tensor<1xi4>
    %v = xla.reshape %b : (tensor<i4>) -> tensor<1xi4>
    %c = xla.compare %u, %v {comparison_direction = "GT"} : (tensor<1xi4>, tensor<1xi4>) -> tensor<1xi1>
    %l = xla.reshape %c : (tensor<1xi1>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) {dimension = -1} : tensor<16xi4>
  return %0#0, %0#1, %1, %2, %3, %4 : tensor<3x5x2xf32>, tensor<3x5x2xf8E5M2>, tensor<6xcomplex<f32>>, tensor<0x4xf32>, tensor<1xf32>, tensor<16xi4>
}

// As many comparisons as it takes, and no array is copied for one.
func.func @large(%x: tensor<100000xi32>) -> tensor<100000xi32> {
  %0 = xla.sort(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %n = func.call @bits(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %zero = xla.constant dense<0> : tensor<i32>
    %r = xla.compare %n, %zero {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %r : tensor<i1>
  }) {dimension = 0} : tensor<100000xi32>
  return %0 : tensor<100000xi32>
}

// What lies outside is not computed: the loop would not end.
// SCATTER: 4x3xs32=1 1 2 7 14 21 4 6 8 1 2 1
func.func @scatter(%x: tensor<4x3xi32>, %i: tensor<5x1xi8>, %u: tensor<5x3xi32>) -> tensor<4x3xi32> {
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %r, %z = xla.while(%p, %q) ({
    ^bb0(%v: tensor<i32>, %w: tensor<i32>):
      %c = xla.compare %v, %w {comparison_direction = "NE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %c : tensor<i1>
    }, {
    ^bb0(%v: tensor<i32>, %w: tensor<i32>):
      %most = xla.maximum %v, %w : tensor<i32>
      %least = xla.minimum %v, %w : tensor<i32>
      %d = xla.subtract %most, %least : tensor<i32>
      xla.return %least, %d : tensor<i32>, tensor<i32>
    }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    xla.return %r : tensor<i32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4x3xi32>, tensor<5x1xi8>, tensor<5x3xi32>) -> tensor<4x3xi32>
  return %0 : tensor<4x3xi32>
}

// Complex numbers; two arrays at once, of which results have more bits; nothing to scatter.
// SCATTERS: 3x4xc64=
// SCATTERS: 4xf32=12 2 3 11
// SCATTERS: 4xf32=30 2 3 28
// SCATTERS: 4xf16=1 2 3 4
func.func @scatters(%z: tensor<3x4xcomplex<f32>>, %i: tensor<2x2xi32>, %u: tensor<2x2x1xcomplex<f32>>, %h: tensor<4xf16>, %j: tensor<4xi32>, %g: tensor<4xf16>) -> (tensor<3x4xcomplex<f32>>, tensor<4xf32>, tensor<4xf32>, tensor<4xf16>) {
  %0 = xla.scatter(%z, %i, %u) ({
  ^bb0(%p: tensor<complex<f32>>, %q: tensor<complex<f32>>):
    %a = xla.reshape %p : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %b = xla.reshape %q : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %s = xla.dot %a, %b : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<complex<f32>>
    xla.return %s : tensor<complex<f32>>
  }) {update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1} : (tensor<3x4xcomplex<f32>>, tensor<2x2xi32>, tensor<2x2x1xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
  %1:2 = xla.scatter(%h, %h, %j, %g, %g) ({
  ^bb0(%p: tensor<f32>, %r: tensor<f32>, %q: tensor<f32>, %t: tensor<f32>):
    %a = xla.reshape %p : (tensor<f32>) -> tensor<1xf32>
    %b = xla.reshape %q : (tensor<f32>) -> tensor<1xf32>
    %c = xla.add %a, %b : tensor<1xf32>
    %s = xla.reshape %c : (tensor<1xf32>) -> tensor<f32>
    %m = xla.multiply %r, %t : tensor<f32>
    xla.return %s, %m : tensor<f32>, tensor<f32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4xf16>, tensor<4xf16>, tensor<4xi32>, tensor<4xf16>, tensor<4xf16>) -> (tensor<4xf32>, tensor<4xf32>)
  %none = xla.slice %j {start_indices = [0], limit_indices = [0]} : (tensor<4xi32>) -> tensor<0xi32>
  %v = xla.slice %g {start_indices = [0], limit_indices = [0]} : (tensor<4xf16>) -> tensor<0xf16>
  %2 = xla.scatter(%h, %none, %v) ({
  ^bb0(%p: tensor<f16>, %q: tensor<f16>):
    %a = xla.reshape %p : (tensor<f16>) -> tensor<1xf16>
    %c = xla.add %a, %a : tensor<1xf16>
    %s = xla.reshape %c : (tensor<1xf16>) -> tensor<f16>
    xla.return %s : tensor<f16>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<4xf16>, tensor<0xi32>, tensor<0xf16>) -> tensor<4xf16>
  return %0, %1#0, %1#1, %2 : tensor<3x4xcomplex<f32>>, tensor<4xf32>, tensor<4xf32>, tensor<4xf16>
}

// Both ways, along a dimension between others.
// SCAN: 2x4x2xs32=12 14 6 7 6 1 2 1 7 9 7 3 7 3 7 3
// SCAN: 2x4x2xs32=2 1 2 5 2 5 8 10 7 3 7 3 7 3 14 27
func.func @scan(%x: tensor<2x4x2xi32>) -> (tensor<2x4x2xi32>, tensor<2x4x2xi32>) {
  %0 = xla.associative_scan(%x) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = func.call @gcd(%p, %q) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimension = 1} : tensor<2x4x2xi32>
  %1 = xla.associative_scan(%x) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = func.call @gcd(%p, %q) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimension = 1, reverse = true} : tensor<2x4x2xi32>
  return %0, %1 : tensor<2x4x2xi32>, tensor<2x4x2xi32>
}

// POOL: 6xs32=0 0 3 0 6 0
func.func @pool(%x: tensor<6xi32>, %u: tensor<2xi32>) -> tensor<6xi32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %0 = xla.select_and_scatter(%x, %u, %zero) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = func.call @gcd(%p, %q) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %l = xla.compare %s, %p {comparison_direction = "EQ"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }, {
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = func.call @gcd(%p, %q) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [3], window_strides = [3]} : (tensor<6xi32>, tensor<2xi32>, tensor<i32>) -> tensor<6xi32>
  return %0 : tensor<6xi32>
}

// A comparator that sorts and reduces parts of an array from outside; a reduction in a reduction.
// NESTED: 6xs32=5 3 0 4 2 1
// NESTED: s32=1
func.func @nested(%x: tensor<6xi32>, %t: tensor<8xi32>) -> (tensor<6xi32>, tensor<i32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %0 = xla.sort(%x) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %tp = xla.dynamic_slice %t, %p {slice_sizes = [3]} : (tensor<8xi32>, tensor<i32>) -> tensor<3xi32>
    %tq = xla.dynamic_slice %t, %q {slice_sizes = [3]} : (tensor<8xi32>, tensor<i32>) -> tensor<3xi32>
    %sp = xla.sort(%tp) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %g = func.call @gcd(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %l = xla.compare %g, %a {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %l : tensor<i1>
    }) {dimension = 0} : tensor<3xi32>
    %rp = xla.reduce(%sp, %zero) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %g = func.call @gcd(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      xla.return %g : tensor<i32>
    }) {dimensions = [0]} : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
    %rq = xla.reduce(%tq, %zero) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %g = xla.subtract %b, %a : tensor<i32>
      xla.return %g : tensor<i32>
    }) {dimensions = [0]} : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
    %l = xla.compare %rp, %rq {comparison_direction = "GT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) {dimension = 0} : tensor<6xi32>
  %1 = xla.reduce(%x, %zero) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %tp = xla.dynamic_slice %t, %q {slice_sizes = [2]} : (tensor<8xi32>, tensor<i32>) -> tensor<2xi32>
    %r = xla.reduce(%tp, %p) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %g = func.call @gcd(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      xla.return %g : tensor<i32>
    }) {dimensions = [0]} : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
    xla.return %r : tensor<i32>
  }) {dimensions = [0]} : (tensor<6xi32>, tensor<i32>) -> tensor<i32>
  return %0, %1 : tensor<6xi32>, tensor<i32>
}
