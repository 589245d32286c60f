// Computations on scalars that use arrays, branches and loops, on compiled devices, which must agree with the interpreter.
// RUN: xla-run %s --entry=map_arrays --device=all --input="2x3xi32=0 1 2 3 4 -1" | FileCheck %s --check-prefix=MAP
// RUN: xla-run %s --entry=map_branches --device=all --input="5xf32=-2 nan 0.5 3 -0.0" | FileCheck %s --check-prefix=BRANCHES
// RUN: xla-run %s --entry=map_others --device=all --seed=5 | FileCheck %s --check-prefix=OTHERS
// RUN: xla-run %s --entry=reduce --device=all --input="2x3xs32=12 18 30 7 14 21" --input="2x3xc64=(1,1) (2,0) (0,1) (1,0) (0,1) (1,2)" | FileCheck %s --check-prefix=REDUCE
// RUN: xla-run %s --entry=windows --device=all --input="6xs32=12 18 30 7 14 21" | FileCheck %s --check-prefix=WINDOWS
// RUN: xla-run %s --entry=branches --device=all --input="5xs32=3 1 2 5 4" --input="2xs32=1 7" | FileCheck %s --check-prefix=CASES
// RUN: xla-run %s --entry=select_complex --device=all --input="4xc64=(1,2) (1,3) (-1,0) (0,0)" --input="2xc64=(5,6) (7,-8)" | FileCheck %s --check-prefix=SELECT

// A table, an array from outside, and operands of which one has another type.
// MAP: 2x3xs32=10 21 32 43 43 9
// MAP: 0x3xs32=
func.func @map_arrays(%x: tensor<2x3xi32>) -> (tensor<2x3xi32>, tensor<0x3xi32>) {
  %table = xla.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
  %r = xla.map(%x, %x) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %one = xla.dynamic_slice %table, %p {slice_sizes = [1]} : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
    %entry = xla.reshape %one : (tensor<1xi32>) -> tensor<i32>
    %last = xla.constant dense<3> : tensor<i32>
    %rest = xla.minimum %q, %last : tensor<i32>
    %s = xla.add %entry, %rest : tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = [0, 1]} : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %empty = xla.slice %x {start_indices = [0, 0], limit_indices = [0, 3]} : (tensor<2x3xi32>) -> tensor<0x3xi32>
  %e = xla.map(%empty) ({
  ^bb0(%p: tensor<i32>):
    %one = xla.dynamic_slice %table, %p {slice_sizes = [1]} : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
    %entry = xla.reshape %one : (tensor<1xi32>) -> tensor<i32>
    xla.return %entry : tensor<i32>
  }) {dimensions = [0, 1]} : (tensor<0x3xi32>) -> tensor<0x3xi32>
  return %r, %e : tensor<2x3xi32>, tensor<0x3xi32>
}

// BRANCHES: 5xf32=4 nan 0.25 9 -0
func.func @map_branches(%x: tensor<5xf32>) -> tensor<5xf32> {
  %r = xla.map(%x) ({
  ^bb0(%p: tensor<f32>):
    %zero = xla.constant dense<0.0> : tensor<f32>
    %is = xla.compare %p, %zero {comparison_direction = "EQ"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s = xla.if(%is) ({
      xla.return %p : tensor<f32>
    }, {
      %square = xla.multiply %p, %p : tensor<f32>
      xla.return %square : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    %same = xla.reshape %s : (tensor<f32>) -> tensor<f32>
    xla.return %same : tensor<f32>
  }) {dimensions = [0]} : (tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// Numbers are drawn in the order of the elements; complex numbers and narrow types.
// OTHERS: 3xf32=
// OTHERS: 2xc64=
// OTHERS: 4xf8e5m2=
func.func @map_others(%x: tensor<3xf32>, %z: tensor<2xcomplex<f32>>, %n: tensor<4xf8E5M2>) -> (tensor<3xf32>, tensor<2xcomplex<f32>>, tensor<4xf8E5M2>) {
  %0 = xla.map(%x) ({
  ^bb0(%p: tensor<f32>):
    %one = xla.constant dense<1.0> : tensor<f32>
    %two = xla.constant dense<2.0> : tensor<f32>
    %u = xla.rng_uniform %one, %two : (tensor<f32>, tensor<f32>) -> tensor<f32>
    xla.return %u : tensor<f32>
  }) {dimensions = [0]} : (tensor<3xf32>) -> tensor<3xf32>
  %1 = xla.map(%z) ({
  ^bb0(%p: tensor<complex<f32>>):
    %i = xla.constant dense<0> : tensor<i32>
    %j, %r = xla.while(%i, %p) ({
    ^bb0(%k: tensor<i32>, %v: tensor<complex<f32>>):
      %end = xla.constant dense<3> : tensor<i32>
      %c = xla.compare %k, %end {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %c : tensor<i1>
    }, {
    ^bb0(%k: tensor<i32>, %v: tensor<complex<f32>>):
      %one = xla.constant dense<1> : tensor<i32>
      %next = xla.add %k, %one : tensor<i32>
      %w = xla.multiply %v, %p : tensor<complex<f32>>
      xla.return %next, %w : tensor<i32>, tensor<complex<f32>>
    }) : (tensor<i32>, tensor<complex<f32>>) -> (tensor<i32>, tensor<complex<f32>>)
    xla.return %r : tensor<complex<f32>>
  }) {dimensions = [0]} : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %2 = xla.map(%n) ({
  ^bb0(%p: tensor<f8E5M2>):
    %b = xla.broadcast %p {broadcast_sizes = [2]} : (tensor<f8E5M2>) -> tensor<2xf8E5M2>
    %d = xla.dot %b, %b : (tensor<2xf8E5M2>, tensor<2xf8E5M2>) -> tensor<f8E5M2>
    xla.return %d : tensor<f8E5M2>
  }) {dimensions = [0]} : (tensor<4xf8E5M2>) -> tensor<4xf8E5M2>
  return %0, %1, %2 : tensor<3xf32>, tensor<2xcomplex<f32>>, tensor<4xf8E5M2>
}

// Greatest common divisors by Euclid's loop; products of complex numbers in a region with an array; nothing to reduce.
// REDUCE: 2xs32=6 7
// REDUCE: s32=1
// REDUCE: 2xc64=(-2,2) (-2,1)
// REDUCE: 2xs32=0 0
func.func @reduce(%x: tensor<2x3xi32>, %z: tensor<2x3xcomplex<f32>>) -> (tensor<2xi32>, tensor<i32>, tensor<2xcomplex<f32>>, tensor<2xi32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %0 = xla.reduce(%x, %zero) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s, %u = xla.while(%p, %q) ({
    ^bb0(%v: tensor<i32>, %w: tensor<i32>):
      %end = xla.constant dense<0> : tensor<i32>
      %c = xla.compare %w, %end {comparison_direction = "NE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %c : tensor<i1>
    }, {
    ^bb0(%v: tensor<i32>, %w: tensor<i32>):
      %c = xla.remainder %v, %w : tensor<i32>
      xla.return %w, %c : tensor<i32>, tensor<i32>
    }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    xla.return %s : tensor<i32>
  }) {dimensions = [1]} : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  %1 = xla.reduce(%x, %zero) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s, %u = xla.while(%p, %q) ({
    ^bb0(%v: tensor<i32>, %w: tensor<i32>):
      %end = xla.constant dense<0> : tensor<i32>
      %c = xla.compare %w, %end {comparison_direction = "NE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %c : tensor<i1>
    }, {
    ^bb0(%v: tensor<i32>, %w: tensor<i32>):
      %c = xla.remainder %v, %w : tensor<i32>
      xla.return %w, %c : tensor<i32>, tensor<i32>
    }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    xla.return %s : tensor<i32>
  }) {dimensions = [0, 1]} : (tensor<2x3xi32>, tensor<i32>) -> tensor<i32>
  %one = xla.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %2 = xla.reduce(%z, %one) ({
  ^bb0(%p: tensor<complex<f32>>, %q: tensor<complex<f32>>):
    %a = xla.reshape %p : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %b = xla.reshape %q : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %s = xla.dot %a, %b : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<complex<f32>>
    xla.return %s : tensor<complex<f32>>
  }) {dimensions = [1]} : (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
  %empty = xla.slice %x {start_indices = [0, 0], limit_indices = [2, 0]} : (tensor<2x3xi32>) -> tensor<2x0xi32>
  %3 = xla.reduce(%empty, %zero) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %a = xla.reshape %p : (tensor<i32>) -> tensor<1xi32>
    %s = xla.reshape %a : (tensor<1xi32>) -> tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = [1]} : (tensor<2x0xi32>, tensor<i32>) -> tensor<2xi32>
  return %0, %1, %2, %3 : tensor<2xi32>, tensor<i32>, tensor<2xcomplex<f32>>, tensor<2xi32>
}

// Windows that overlap, and that do not; what selects has an array of its own.
// WINDOWS: 5xs32=6 6 1 7 7
// WINDOWS: 3xs32=6 1 7
// WINDOWS: 6xs32=0 1 1 0 0 1
func.func @windows(%x: tensor<6xi32>) -> (tensor<5xi32>, tensor<3xi32>, tensor<6xi32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %0 = xla.reduce_window(%x, %zero) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s, %u = xla.while(%p, %q) ({
    ^bb0(%v: tensor<i32>, %w: tensor<i32>):
      %end = xla.constant dense<0> : tensor<i32>
      %c = xla.compare %w, %end {comparison_direction = "NE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %c : tensor<i1>
    }, {
    ^bb0(%v: tensor<i32>, %w: tensor<i32>):
      %c = xla.remainder %v, %w : tensor<i32>
      xla.return %w, %c : tensor<i32>, tensor<i32>
    }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    xla.return %s : tensor<i32>
  }) {window_dimensions = [2]} : (tensor<6xi32>, tensor<i32>) -> tensor<5xi32>
  %1 = xla.reduce_window(%x, %zero) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s, %u = xla.while(%p, %q) ({
    ^bb0(%v: tensor<i32>, %w: tensor<i32>):
      %end = xla.constant dense<0> : tensor<i32>
      %c = xla.compare %w, %end {comparison_direction = "NE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %c : tensor<i1>
    }, {
    ^bb0(%v: tensor<i32>, %w: tensor<i32>):
      %c = xla.remainder %v, %w : tensor<i32>
      xla.return %w, %c : tensor<i32>, tensor<i32>
    }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    xla.return %s : tensor<i32>
  }) {window_dimensions = [2], window_strides = [2]} : (tensor<6xi32>, tensor<i32>) -> tensor<3xi32>
  %ones = xla.constant dense<1> : tensor<3xi32>
  %2 = xla.select_and_scatter(%x, %ones, %zero) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %a = xla.reshape %p : (tensor<i32>) -> tensor<1xi32>
    %b = xla.reshape %q : (tensor<i32>) -> tensor<1xi32>
    %c = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %s = xla.reshape %c : (tensor<1xi1>) -> tensor<i1>
    xla.return %s : tensor<i1>
  }, {
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = xla.add %p, %q : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [2], window_strides = [2]} : (tensor<6xi32>, tensor<3xi32>, tensor<i32>) -> tensor<6xi32>
  return %0, %1, %2 : tensor<5xi32>, tensor<3xi32>, tensor<6xi32>
}

// One of three branches, nested ones, an index beyond the last: in a sort, a scatter and a reduction.
// CASES: 5xs32=2 4 1 3 5
// CASES: 5xs32=3 101 2 5 4
// CASES: s32=-5
func.func @branches(%x: tensor<5xi32>, %y: tensor<2xi32>) -> (tensor<5xi32>, tensor<5xi32>, tensor<i32>) {
  %two = xla.constant dense<2> : tensor<i32>
  %0 = xla.sort(%x) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %a = xla.remainder %p, %two : tensor<i32>
    %b = xla.remainder %q, %two : tensor<i32>
    %even = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %same = xla.compare %a, %b {comparison_direction = "EQ"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %s = xla.if(%same) ({
      %less = xla.compare %p, %q {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %less : tensor<i1>
    }, {
      xla.return %even : tensor<i1>
    }) : (tensor<i1>) -> tensor<i1>
    xla.return %s : tensor<i1>
  }) {dimension = 0} : (tensor<5xi32>) -> tensor<5xi32>
  %1 = xla.scatter(%x, %y, %y) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = xla.case(%q) ({
      xla.return %q : tensor<i32>
    }, {
      %hundred = xla.constant dense<100> : tensor<i32>
      %t = xla.add %p, %hundred : tensor<i32>
      xla.return %t : tensor<i32>
    }, {
      xla.return %p : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    xla.return %s : tensor<i32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<5xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<5xi32>
  %zero = xla.constant dense<0> : tensor<i32>
  %2 = xla.reduce(%x, %zero) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %odd = xla.remainder %q, %two : tensor<i32>
    %s = xla.case(%odd) ({
      %is = xla.compare %q, %two {comparison_direction = "EQ"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %t = xla.if(%is) ({
        xla.return %p : tensor<i32>
      }, {
        %u = xla.add %p, %q : tensor<i32>
        xla.return %u : tensor<i32>
      }) : (tensor<i1>) -> tensor<i32>
      xla.return %t : tensor<i32>
    }, {
      %t = xla.subtract %p, %q : tensor<i32>
      xla.return %t : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = [0]} : (tensor<5xi32>, tensor<i32>) -> tensor<i32>
  return %0, %1, %2 : tensor<5xi32>, tensor<5xi32>, tensor<i32>
}

// SELECT: 4xc64=(-0,-0) (5,6) (-0,-0) (7,-8)
func.func @select_complex(%x: tensor<4xcomplex<f32>>, %y: tensor<2xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %init = xla.constant dense<(-0.0, -0.0)> : tensor<complex<f32>>
  %0 = xla.select_and_scatter(%x, %y, %init) ({
  ^bb0(%p: tensor<complex<f32>>, %q: tensor<complex<f32>>):
    %a = xla.abs %p : (tensor<complex<f32>>) -> tensor<f32>
    %b = xla.abs %q : (tensor<complex<f32>>) -> tensor<f32>
    %pi = xla.imag %p : (tensor<complex<f32>>) -> tensor<f32>
    %qi = xla.real %q : (tensor<complex<f32>>) -> tensor<f32>
    %c = xla.compare %pi, %qi {comparison_direction = "GT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %d = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s = xla.and %c, %d : tensor<i1>
    xla.return %s : tensor<i1>
  }, {
  ^bb0(%p: tensor<complex<f32>>, %q: tensor<complex<f32>>):
    %s = xla.add %p, %q : tensor<complex<f32>>
    xla.return %s : tensor<complex<f32>>
  }) {window_dimensions = [2], window_strides = [2]} : (tensor<4xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
