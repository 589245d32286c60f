// Complex numbers on compiled devices, which must agree with the interpreter.
// RUN: xla-run %s --entry=special --device=all | FileCheck %s --check-prefix=SPECIAL
// RUN: xla-run %s --entry=families --device=all --seed=3 | FileCheck %s --check-prefix=FAMILIES
// RUN: xla-run %s --entry=control --device=all --input="c64=(1,2)" | FileCheck %s --check-prefix=CONTROL
// RUN: xla-run %s --entry=empty --device=all | FileCheck %s --check-prefix=EMPTY
// RUN: xla-run %s --entry=through --device=all --input="2xc64=(1,2) (3,-4)" | FileCheck %s --check-prefix=THROUGH
// RUN: xla-run %s --entry=mixed --device=all --input="3x2xc64=(1.5,1) (-1,2) (1,0) (2,3) (1,1) (0,0)" --input="2x2xs8=1 2 3 4" | FileCheck %s --check-prefix=MIXED
// RUN: xla-run %s --entry=widths --device=all --input="2x2xc64=(0,1.875) (0,2) (0,-1.875) (0,2.25)" | FileCheck %s --check-prefix=WIDTHS
// RUN: xla-run %s --entry=fused --device=all --input="2xc64=(1,2) (-2,2)" | FileCheck %s --check-prefix=FUSED
// RUN: xla-run %s --entry=bits --device=all --input="2xc64=(1,2) (-3,4)" | FileCheck %s --check-prefix=BITS

// What goes to zero is zero in any direction.
// RUN: xla-run %s --entry=powers --device=all | FileCheck %s --check-prefix=POWERS
// POWERS: 4xc64=({{-?}}0,{{-?}}0) ({{-?}}0,{{-?}}0) (-8,{{.*}}) (0,0)
func.func @powers() -> tensor<4xcomplex<f32>> {
  %x = xla.constant dense<[(1.0e30, 1.664389e30), (1.0e30, 1.0), (-2.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %y = xla.constant dense<[(-2.0, -3.0), (-2.0, 0.0), (3.0, 0.0), (2.0, 0.0)]> : tensor<4xcomplex<f32>>
  %z = xla.power %x, %y : tensor<4xcomplex<f32>>
  return %z : tensor<4xcomplex<f32>>
}

// Branch cuts, infinities, and where a factor overflows.
// SPECIAL: 6xc64=(0,1) (0,-1) (2,0) (inf,inf) (0,0) (0,2)
// SPECIAL-NEXT: 6xc64=(0,3.1415927) (0,-3.1415927) (1.3862944,0) (inf,1.5707964) (-inf,0) (1.3862944,3.1415927)
// SPECIAL-NEXT: 2xc64=(inf,0) (3.19574{{.*}}e+38,2.50800{{.*}}e+38)
// SPECIAL-NEXT: 3xc64=(inf,{{-?}}nan) (0,0) ({{9.99999.*e\+29|1e\+30}},0)
func.func @special() -> (tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<3xcomplex<f32>>) {
  %z = xla.constant dense<[(-1.0, 0.0), (-1.0, -0.0), (4.0, 0.0), (1.0, 0x7F800000), (0.0, 0.0), (-4.0, 0.0)]> : tensor<6xcomplex<f32>>
  %sqrt = xla.sqrt %z : tensor<6xcomplex<f32>>
  %log = xla.log %z : tensor<6xcomplex<f32>>
  %large = xla.constant dense<[(0x7F800000, 0.0), (88.9, 0.6654)]> : tensor<2xcomplex<f32>>
  %exponential = xla.exponential %large : tensor<2xcomplex<f32>>
  %x = xla.constant dense<[(1.0, 0.0), (1.0, 2.0), (1.0e38, 1.0e38)]> : tensor<3xcomplex<f32>>
  %y = xla.constant dense<[(0.0, 0.0), (0x7F800000, 3.0), (1.0e8, 1.0e8)]> : tensor<3xcomplex<f32>>
  %quotient = xla.divide %x, %y : tensor<3xcomplex<f32>>
  return %sqrt, %log, %exponential, %quotient : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<3xcomplex<f32>>
}

// FAMILIES: 5x3xc128=
// FAMILIES: 3x7xc64=
// FAMILIES: 4x3xc64=
// FAMILIES: 3xc64=
func.func @families(%a: tensor<3x5xcomplex<f64>>, %x: tensor<3x4xcomplex<f32>>, %y: tensor<4x7xcomplex<f32>>, %i: tensor<4x1xi32>)
    -> (tensor<5x3xcomplex<f64>>, tensor<3x7xcomplex<f32>>, tensor<4x3xcomplex<f32>>, tensor<3xcomplex<f32>>) {
  %0 = xla.transpose %a {permutation = [1, 0]} : (tensor<3x5xcomplex<f64>>) -> tensor<5x3xcomplex<f64>>
  %1 = xla.reverse %0 {dimensions = [1]} : tensor<5x3xcomplex<f64>>
  %2 = xla.dot %x, %y : (tensor<3x4xcomplex<f32>>, tensor<4x7xcomplex<f32>>) -> tensor<3x7xcomplex<f32>>
  %t = xla.transpose %x {permutation = [1, 0]} : (tensor<3x4xcomplex<f32>>) -> tensor<4x3xcomplex<f32>>
  %3 = xla.gather %t, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1 : i64, slice_sizes = [1, 3]} : (tensor<4x3xcomplex<f32>>, tensor<4x1xi32>) -> tensor<4x3xcomplex<f32>>
  %one = xla.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %4 = xla.reduce(%x, %one) ({
  ^bb0(%p: tensor<complex<f32>>, %q: tensor<complex<f32>>):
    %s = xla.multiply %p, %q : tensor<complex<f32>>
    xla.return %s : tensor<complex<f32>>
  }) {dimensions = [1]} : (tensor<3x4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
  return %1, %2, %3, %4 : tensor<5x3xcomplex<f64>>, tensor<3x7xcomplex<f32>>, tensor<4x3xcomplex<f32>>, tensor<3xcomplex<f32>>
}

// (1 + 2i)^8
// CONTROL: c64=(-527,336)
func.func @control(%z: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%zero, %z) ({
  ^bb0(%i: tensor<i32>, %x: tensor<complex<f32>>):
    %n = xla.constant dense<3> : tensor<i32>
    %c = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<complex<f32>>):
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %y = xla.multiply %x, %x : tensor<complex<f32>>
    xla.return %j, %y : tensor<i32>, tensor<complex<f32>>
  }) : (tensor<i32>, tensor<complex<f32>>) -> (tensor<i32>, tensor<complex<f32>>)
  return %r#1 : tensor<complex<f32>>
}

// EMPTY: 0x3xc64=
// EMPTY: c64=(0,0)
func.func @empty() -> (tensor<0x3xcomplex<f32>>, tensor<complex<f32>>) {
  %0 = xla.constant dense<> : tensor<0x3xcomplex<f32>>
  %zero = xla.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %1 = xla.sine %0 : tensor<0x3xcomplex<f32>>
  %2 = xla.reduce(%1, %zero) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %s = xla.add %a, %b : tensor<complex<f32>>
    xla.return %s : tensor<complex<f32>>
  }) {dimensions = [0, 1]} : (tensor<0x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  return %1, %2 : tensor<0x3xcomplex<f32>>, tensor<complex<f32>>
}

// What comes in goes out.
// THROUGH: 2xc64=(1,2) (3,-4)
// THROUGH: 2xc64=(1,2) (3,-4)
func.func @through(%z: tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) {
  return %z, %z : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
}

// BITS: 2xu64=4611686019492741120 4647714818671771648
// BITS: 2xc64=(1,2) (-3,4)
// BITS: 2x4xu16=0 16256 0 16384 0 49216 0 16512
// BITS: 2x2xf32=1 2 -3 4
func.func @bits(%z: tensor<2xcomplex<f32>>) -> (tensor<2xui64>, tensor<2xcomplex<f32>>, tensor<2x4xui16>, tensor<2x2xf32>) {
  %0 = xla.bitcast_convert %z : (tensor<2xcomplex<f32>>) -> tensor<2xui64>
  %1 = xla.bitcast_convert %0 : (tensor<2xui64>) -> tensor<2xcomplex<f32>>
  %2 = xla.bitcast_convert %z : (tensor<2xcomplex<f32>>) -> tensor<2x4xui16>
  %3 = xla.bitcast_convert %z : (tensor<2xcomplex<f32>>) -> tensor<2x2xf32>
  return %0, %1, %2, %3 : tensor<2xui64>, tensor<2xcomplex<f32>>, tensor<2x4xui16>, tensor<2x2xf32>
}

// Products in which one operand, or the sum alone, is complex.
// MIXED: 3x2xc128=(-1.5,7) (-1,10) (7,9) (10,12) (1,1) (2,2)
// MIXED: 2x3xc64=(-0.5,5) (5,6) (1,1) (0.5,11) (11,12) (3,3)
// MIXED: 2x2xc64=(5,0) (11,0) (11,0) (25,0)
func.func @mixed(%c: tensor<3x2xcomplex<f32>>, %i: tensor<2x2xi8>) -> (tensor<3x2xcomplex<f64>>, tensor<2x3xcomplex<f32>>, tensor<2x2xcomplex<f32>>) {
  %0 = xla.dot_general %c, %i {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<3x2xcomplex<f32>>, tensor<2x2xi8>) -> tensor<3x2xcomplex<f64>>
  %1 = xla.dot_general %i, %c {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<2x2xi8>, tensor<3x2xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  %2 = xla.dot_general %i, %i {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2x2xcomplex<f32>>
  return %0, %1, %2 : tensor<3x2xcomplex<f64>>, tensor<2x3xcomplex<f32>>, tensor<2x2xcomplex<f32>>
}

// Bits of complex numbers as wider and narrower ones.
// WIDTHS: 2xc128=(2,4) (-2,8)
// WIDTHS: 2x2xc64=(0,2) (0,2.25) (0,-2) (0,2.5)
func.func @widths(%z: tensor<2x2xcomplex<f32>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f32>>) {
  %0 = xla.bitcast_convert %z : (tensor<2x2xcomplex<f32>>) -> tensor<2xcomplex<f64>>
  %1 = xla.add %0, %0 : tensor<2xcomplex<f64>>
  %2 = xla.bitcast_convert %1 : (tensor<2xcomplex<f64>>) -> tensor<2x2xcomplex<f32>>
  return %1, %2 : tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f32>>
}

// Fusions that the program has.
// FUSED: 2xc64=(4,3) (-2,6)
func.func @fused(%z: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = xla.fusion(%z) ({
  ^bb0(%p: tensor<2xcomplex<f32>>):
    %i = xla.constant dense<(1.0, -1.0)> : tensor<2xcomplex<f32>>
    %q = xla.multiply %p, %i : tensor<2xcomplex<f32>>
    %r = xla.add %q, %p : tensor<2xcomplex<f32>>
    xla.return %r : tensor<2xcomplex<f32>>
  }) {kind = "loop"} : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}
