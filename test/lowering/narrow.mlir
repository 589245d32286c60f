// Families on narrow types on compiled devices, which must agree with the interpreter.
// RUN: xla-run %s --entry=families --device=all --seed=3 | FileCheck %s --check-prefix=FAMILIES
// RUN: xla-run %s --entry=windows --device=all --seed=3 | FileCheck %s --check-prefix=WINDOWS
// RUN: xla-run %s --entry=control --device=all --input="f8e5m2=1.5" --input="s4=3" | FileCheck %s --check-prefix=CONTROL
// RUN: xla-run %s --entry=bits --device=all --input="2xu16=4660 43981" --input="6xs4=1 -2 3 4 -5 6" | FileCheck %s --check-prefix=BITS
// RUN: xla-run %s --entry=empty --device=all | FileCheck %s --check-prefix=EMPTY
// RUN: xla-run %s --entry=captured --device=all --seed=3 | FileCheck %s --check-prefix=CAPTURED
// RUN: xla-run %s --entry=random --device=all | FileCheck %s --check-prefix=RANDOM
// RUN: xla-run %s --entry=precision --device=all --seed=3 | FileCheck %s --check-prefix=PRECISION
// RUN: xla-run %s --entry=order --device=interpreter --seed=3 > %t.want
// RUN: xla-run %s --entry=order --device=all --seed=3 | diff - %t.want

// FAMILIES: 2x5xf8e4m3fn=
// FAMILIES: 2x5xs32=
// FAMILIES: 3x3xu4=
// FAMILIES: 1x2x4xf8e5m2=
// FAMILIES: 2x2xf8e4m3fn=
func.func @families(%x: tensor<2x3xf8E4M3FN>, %y: tensor<3x5xf8E5M2>, %a: tensor<2x3xi4>, %b: tensor<3x5xi4>, %u: tensor<3x3xui4>,
                    %image: tensor<1x2x4xf8E5M2>, %filter: tensor<2x2x3xf8E5M2>, %i: tensor<2x1xi32>)
    -> (tensor<2x5xf8E4M3FN>, tensor<2x5xi32>, tensor<3x3xui4>, tensor<1x2x4xf8E5M2>, tensor<2x2xf8E4M3FN>) {
  %0 = xla.dot_general %x, %y {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<2x3xf8E4M3FN>, tensor<3x5xf8E5M2>) -> tensor<2x5xf8E4M3FN>
  %1 = xla.dot_general %a, %b {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<2x3xi4>, tensor<3x5xi4>) -> tensor<2x5xi32>
  %2 = xla.dot_general %u, %u {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<3x3xui4>, tensor<3x3xui4>) -> tensor<3x3xui4>
  %3 = xla.convolution %image, %filter {padding = [1, 1]} : (tensor<1x2x4xf8E5M2>, tensor<2x2x3xf8E5M2>) -> tensor<1x2x4xf8E5M2>
  %t = xla.transpose %x {permutation = [1, 0]} : (tensor<2x3xf8E4M3FN>) -> tensor<3x2xf8E4M3FN>
  %4 = xla.gather %t, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1 : i64, slice_sizes = [1, 2]} : (tensor<3x2xf8E4M3FN>, tensor<2x1xi32>) -> tensor<2x2xf8E4M3FN>
  return %0, %1, %2, %3, %4 : tensor<2x5xf8E4M3FN>, tensor<2x5xi32>, tensor<3x3xui4>, tensor<1x2x4xf8E5M2>, tensor<2x2xf8E4M3FN>
}

// WINDOWS: 3xs4=
// WINDOWS: 3xf8e4m3fn=
// WINDOWS: 4xu2=
// WINDOWS: 4xs4=
func.func @windows(%x: tensor<3x9xi4>, %f: tensor<3x9xf8E4M3FN>, %u: tensor<4xui2>) -> (tensor<3xi4>, tensor<3xf8E4M3FN>, tensor<4xui2>, tensor<4xi4>) {
  %zero = xla.constant dense<0> : tensor<i4>
  %0 = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<i4>, %b: tensor<i4>):
    %s = xla.subtract %a, %b : tensor<i4>
    %m = xla.maximum %s, %b : tensor<i4>
    xla.return %m : tensor<i4>
  }) {dimensions = [1]} : (tensor<3x9xi4>, tensor<i4>) -> tensor<3xi4>
  %low = xla.constant dense<-448.0> : tensor<f8E4M3FN>
  %1 = xla.reduce(%f, %low) ({
  ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>):
    %m = xla.maximum %a, %b : tensor<f8E4M3FN>
    xla.return %m : tensor<f8E4M3FN>
  }) {dimensions = [1]} : (tensor<3x9xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<3xf8E4M3FN>
  %none = xla.constant dense<0> : tensor<ui2>
  %2 = xla.reduce_window(%u, %none) ({
  ^bb0(%a: tensor<ui2>, %b: tensor<ui2>):
    %s = xla.add %a, %b : tensor<ui2>
    xla.return %s : tensor<ui2>
  }) {padding = [1, 1], window_dimensions = [3]} : (tensor<4xui2>, tensor<ui2>) -> tensor<4xui2>
  %3 = xla.iota {iota_dimension = 0 : i64} : tensor<4xi4>
  %4 = xla.multiply %3, %3 : tensor<4xi4>
  return %0, %1, %2, %4 : tensor<3xi4>, tensor<3xf8E4M3FN>, tensor<4xui2>, tensor<4xi4>
}

// Three times doubled; the sum of 4 bits wraps.
// CONTROL: f8e5m2=12
// CONTROL: s4=-4
func.func @control(%f: tensor<f8E5M2>, %n: tensor<i4>) -> (tensor<f8E5M2>, tensor<i4>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:3 = xla.while(%zero, %f, %n) ({
  ^bb0(%i: tensor<i32>, %x: tensor<f8E5M2>, %k: tensor<i4>):
    %end = xla.constant dense<3> : tensor<i32>
    %c = xla.compare %i, %end {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<f8E5M2>, %k: tensor<i4>):
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %y = xla.add %x, %x : tensor<f8E5M2>
    %three = xla.constant dense<3> : tensor<i4>
    %l = xla.add %k, %three : tensor<i4>
    xla.return %j, %y, %l : tensor<i32>, tensor<f8E5M2>, tensor<i4>
  }) : (tensor<i32>, tensor<f8E5M2>, tensor<i4>) -> (tensor<i32>, tensor<f8E5M2>, tensor<i4>)
  return %r#1, %r#2 : tensor<f8E5M2>, tensor<i4>
}

// The lowest bits are the first.
// BITS: 2x4xs4=4 3 2 1 -3 -4 -5 -6
// BITS: 2x2xf8e5m2=0.25 0.0007 -20 -0.055
// BITS: 3xu8=225 67 107
// BITS: 6x2xu2=1 0 2 3 3 0 0 1 3 2 2 1
func.func @bits(%x: tensor<2xui16>, %n: tensor<6xi4>) -> (tensor<2x4xi4>, tensor<2x2xf8E5M2>, tensor<3xui8>, tensor<6x2xui2>) {
  %0 = xla.bitcast_convert %x : (tensor<2xui16>) -> tensor<2x4xi4>
  %1 = xla.bitcast_convert %x : (tensor<2xui16>) -> tensor<2x2xf8E5M2>
  %2 = xla.reshape %n : (tensor<6xi4>) -> tensor<3x2xi4>
  %3 = xla.bitcast_convert %2 : (tensor<3x2xi4>) -> tensor<3xui8>
  %4 = xla.bitcast_convert %n : (tensor<6xi4>) -> tensor<6x2xui2>
  return %0, %1, %3, %4 : tensor<2x4xi4>, tensor<2x2xf8E5M2>, tensor<3xui8>, tensor<6x2xui2>
}

// EMPTY: 0x3xf8e4m3fn=
// EMPTY: u4=0
func.func @empty() -> (tensor<0x3xf8E4M3FN>, tensor<ui4>) {
  %0 = xla.constant dense<> : tensor<0x3xf8E4M3FN>
  %1 = xla.sine %0 : tensor<0x3xf8E4M3FN>
  %2 = xla.constant dense<> : tensor<0xui4>
  %zero = xla.constant dense<0> : tensor<ui4>
  %3 = xla.reduce(%2, %zero) ({
  ^bb0(%a: tensor<ui4>, %b: tensor<ui4>):
    %s = xla.add %a, %b : tensor<ui4>
    xla.return %s : tensor<ui4>
  }) {dimensions = [0]} : (tensor<0xui4>, tensor<ui4>) -> tensor<ui4>
  return %1, %3 : tensor<0x3xf8E4M3FN>, tensor<ui4>
}

// A computation that uses values from outside.
// CAPTURED: 3xf8e5m2=
func.func @captured(%x: tensor<3x4xf8E5M2>, %limit: tensor<f8E5M2>) -> tensor<3xf8E5M2> {
  %low = xla.constant dense<-57344.0> : tensor<f8E5M2>
  %0 = xla.reduce(%x, %low) ({
  ^bb0(%a: tensor<f8E5M2>, %b: tensor<f8E5M2>):
    %c = xla.compare %b, %limit {comparison_direction = "LT"} : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
    %k = xla.select %c, %b, %limit : (tensor<i1>, tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>
    %m = xla.maximum %a, %k : tensor<f8E5M2>
    xla.return %m : tensor<f8E5M2>
  }) {dimensions = [1]} : (tensor<3x4xf8E5M2>, tensor<f8E5M2>) -> tensor<3xf8E5M2>
  return %0 : tensor<3xf8E5M2>
}

func.func @order(%x: tensor<40xf8E4M3FN>, %n: tensor<40xi4>, %to: tensor<5x1xi32>, %new: tensor<5xi4>) -> (tensor<40xf8E4M3FN>, tensor<40xi4>, tensor<40xi4>) {
  %0:2 = "xla.sort"(%x, %n) ({
  ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>, %k: tensor<i4>, %l: tensor<i4>):
    %c = xla.compare %a, %b {comparison_direction = "GT", compare_type = "TOTALORDER"} : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<40xf8E4M3FN>, tensor<40xi4>) -> (tensor<40xf8E4M3FN>, tensor<40xi4>)
  %1 = "xla.scatter"(%n, %to, %new) ({
  ^bb0(%a: tensor<i4>, %b: tensor<i4>):
    %s = xla.add %a, %b : tensor<i4>
    xla.return %s : tensor<i4>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1 : i64} : (tensor<40xi4>, tensor<5x1xi32>, tensor<5xi4>) -> tensor<40xi4>
  return %0#0, %0#1, %1 : tensor<40xf8E4M3FN>, tensor<40xi4>, tensor<40xi4>
}

// RANDOM: 2xu64=
// RANDOM: 6xs4=
// RANDOM: 5xu2=
// RANDOM: 4xs2=
func.func @random() -> (tensor<2xui64>, tensor<6xi4>, tensor<5xui2>, tensor<4xi2>) {
  %state = xla.constant dense<[3, 18446744073709551615]> : tensor<2xui64>
  %0, %a = xla.rng_bit_generator %state {rng_algorithm = "PHILOX"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6xi4>)
  %1, %b = xla.rng_bit_generator %state {rng_algorithm = "THREE_FRY"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui2>)
  %2, %c = xla.rng_bit_generator %state {rng_algorithm = "DEFAULT"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xi2>)
  return %0, %a, %b, %c : tensor<2xui64>, tensor<6xi4>, tensor<5xui2>, tensor<4xi2>
}

// Less precision in every kind of computation, and after what was not rounded yet.
// PRECISION: 3xf8e4m3fn=
// PRECISION: 3x3xf4e2m1fn=
// PRECISION: 3x4xf6e3m2fn=
// PRECISION: 5xf8e5m2fnuz=
// PRECISION: 4xf8e8m0fnu=
// PRECISION: 3x4xf8e4m3fn=
func.func @precision(%x: tensor<3x4xf8E4M3FN>, %y: tensor<3x4xf4E2M1FN>, %z: tensor<3x4xf6E3M2FN>, %u: tensor<5xf8E5M2FNUZ>, %e: tensor<4xf8E8M0FNU>) -> (tensor<3xf8E4M3FN>, tensor<3x3xf4E2M1FN>, tensor<3x4xf6E3M2FN>, tensor<5xf8E5M2FNUZ>, tensor<4xf8E8M0FNU>, tensor<3x4xf8E4M3FN>) {
  %zero = xla.constant dense<0.0> : tensor<f8E4M3FN>
  %0 = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>):
    %s = xla.add %a, %b : tensor<f8E4M3FN>
    %r = xla.reduce_precision %s {exponent_bits = 4 : i32, mantissa_bits = 1 : i32} : tensor<f8E4M3FN>
    xla.return %r : tensor<f8E4M3FN>
  }) {dimensions = [1]} : (tensor<3x4xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<3xf8E4M3FN>
  %one = xla.constant dense<1.0> : tensor<f4E2M1FN>
  %1 = xla.reduce_window(%y, %one) ({
  ^bb0(%a: tensor<f4E2M1FN>, %b: tensor<f4E2M1FN>):
    %s = xla.multiply %a, %b : tensor<f4E2M1FN>
    %r = xla.reduce_precision %s {exponent_bits = 2 : i32, mantissa_bits = 0 : i32} : tensor<f4E2M1FN>
    xla.return %r : tensor<f4E2M1FN>
  }) {window_dimensions = [1, 2]} : (tensor<3x4xf4E2M1FN>, tensor<f4E2M1FN>) -> tensor<3x3xf4E2M1FN>
  %2 = xla.sort(%z) ({
  ^bb0(%a: tensor<f6E3M2FN>, %b: tensor<f6E3M2FN>):
    %p = xla.reduce_precision %a {exponent_bits = 2 : i32, mantissa_bits = 1 : i32} : tensor<f6E3M2FN>
    %q = xla.reduce_precision %b {exponent_bits = 2 : i32, mantissa_bits = 1 : i32} : tensor<f6E3M2FN>
    %l = xla.compare %p, %q {comparison_direction = "LT", compare_type = "TOTALORDER"} : (tensor<f6E3M2FN>, tensor<f6E3M2FN>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) {dimension = 1, is_stable = true} : tensor<3x4xf6E3M2FN>
  %i = xla.constant dense<[0, 3, 0, 1, 9]> : tensor<5xi32>
  %3 = xla.scatter(%u, %i, %u) ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = xla.subtract %a, %b : tensor<f8E5M2FNUZ>
    %r = xla.reduce_precision %s {exponent_bits = 3 : i32, mantissa_bits = 1 : i32} : tensor<f8E5M2FNUZ>
    xla.return %r : tensor<f8E5M2FNUZ>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<5xf8E5M2FNUZ>, tensor<5xi32>, tensor<5xf8E5M2FNUZ>) -> tensor<5xf8E5M2FNUZ>
  %4 = xla.map(%e) ({
  ^bb0(%a: tensor<f8E8M0FNU>):
    %r = xla.reduce_precision %a {exponent_bits = 5 : i32, mantissa_bits = 3 : i32} : tensor<f8E8M0FNU>
    xla.return %r : tensor<f8E8M0FNU>
  }) {dimensions = [0]} : tensor<4xf8E8M0FNU>
  %5 = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>):
    %s = xla.maximum %a, %b : tensor<f8E4M3FN>
    %r = xla.reduce_precision %s {exponent_bits = 3 : i32, mantissa_bits = 2 : i32} : tensor<f8E4M3FN>
    xla.return %r : tensor<f8E4M3FN>
  }) {dimension = 1} : tensor<3x4xf8E4M3FN>
  return %0, %1, %2, %3, %4, %5 : tensor<3xf8E4M3FN>, tensor<3x3xf4E2M1FN>, tensor<3x4xf6E3M2FN>, tensor<5xf8E5M2FNUZ>, tensor<4xf8E8M0FNU>, tensor<3x4xf8E4M3FN>
}
