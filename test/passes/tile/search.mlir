// Sizes that read and write the fewest lines of memory among those that fit.
// RUN: xla-opt %s --xla-tile | FileCheck %s
// RUN: xla-opt %s --xla-tile=bytes=3000 | FileCheck %s --check-prefix=SMALL
// RUN: xla-opt %s --xla-tile="sizes=8,16 bytes=25088" | FileCheck %s --check-prefix=SAME

// A whole row for the sum: as many as fit.
// CHECK-LABEL: @rows(
// CHECK: xla.tile = {bytes = 27744 : i64, sizes = array<i64: 24, 96>}
// SMALL-LABEL: @rows(
// SMALL: xla.tile = {bytes = 2312 : i64, sizes = array<i64: 2, 96>}
func.func @rows(%x: tensor<768x96xf32>) -> tensor<768x96xf32> {
  %0 = xla.fusion(%x) ({
  ^bb0(%a: tensor<768x96xf32>):
    %zero = xla.constant dense<0.0> : tensor<f32>
    %sum = xla.reduce(%a, %zero) ({
    ^bb0(%m: tensor<f32>, %n: tensor<f32>):
      %t = xla.add %m, %n : tensor<f32>
      xla.return %t : tensor<f32>
    }) {dimensions = array<i64: 1>} : (tensor<768x96xf32>, tensor<f32>) -> tensor<768xf32>
    %quotient = xla.divide %a, %sum {broadcast_dimensions = array<i64: 0>} : (tensor<768x96xf32>, tensor<768xf32>) -> tensor<768x96xf32>
    xla.return %quotient : tensor<768x96xf32>
  }) {kind = "row"} : (tensor<768x96xf32>) -> tensor<768x96xf32>
  return %0 : tensor<768x96xf32>
}

// Rows of one operand and columns of the other, which are read in lines of 64 bytes.
// CHECK-LABEL: @product(
// CHECK: xla.tile = {bytes = 25088 : i64, sizes = array<i64: 8, 16>}, xla.tile_operands = {{\[\[}}"(p0, 0) size (8, 256)"], ["(0, p1) size (256, 16)"]]
// SMALL-LABEL: @product(
// SMALL: xla.tile = {bytes = 2052 : i64, sizes = array<i64: 1, 1>}
// SAME-LABEL: @product(
// SAME: xla.tile = {bytes = 25088 : i64, sizes = array<i64: 8, 16>}
func.func @product(%x: tensor<512x256xf32>, %y: tensor<256x1024xf32>) -> tensor<512x1024xf32> {
  %0 = xla.dot_general %x, %y {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<512x256xf32>, tensor<256x1024xf32>) -> tensor<512x1024xf32>
  return %0 : tensor<512x1024xf32>
}

// Lines on both sides of a transpose.
// CHECK-LABEL: @transposed(
// CHECK: xla.tile = {bytes = 24576 : i64, sizes = array<i64: 16, 128>}, xla.tile_operands = {{\[\[}}"(p1, p0) size (128, 16)"]]
// SMALL-LABEL: @transposed(
// SMALL: xla.tile = {bytes = 1920 : i64, sizes = array<i64: 10, 16>}
func.func @transposed(%x: tensor<512x1000xf32>) -> tensor<1000x512xf32> {
  %0 = xla.fusion(%x) ({
  ^bb0(%a: tensor<512x1000xf32>):
    %e = xla.tanh %a : tensor<512x1000xf32>
    %t = xla.transpose %e {permutation = array<i64: 1, 0>} : (tensor<512x1000xf32>) -> tensor<1000x512xf32>
    xla.return %t : tensor<1000x512xf32>
  }) {kind = "loop"} : (tensor<512x1000xf32>) -> tensor<1000x512xf32>
  return %0 : tensor<1000x512xf32>
}

// Conditions of a reshape inside: whole groups of 12, or parts of one.
// CHECK-LABEL: @groups(
// CHECK: xla.tile = {bytes = 14400 : i64, sizes = array<i64: 1200>}
// SMALL-LABEL: @groups(
// SMALL: xla.tile = {bytes = 2880 : i64, sizes = array<i64: 240>}
func.func @groups(%x: tensor<300x12xf32>) -> tensor<3600xf32> {
  %0 = xla.fusion(%x) ({
  ^bb0(%a: tensor<300x12xf32>):
    %e = xla.tanh %a : tensor<300x12xf32>
    %r = xla.reshape %e : (tensor<300x12xf32>) -> tensor<3600xf32>
    xla.return %r : tensor<3600xf32>
  }) {kind = "loop"} : (tensor<300x12xf32>) -> tensor<3600xf32>
  return %0 : tensor<3600xf32>
}

// CHECK-LABEL: @refused(
// CHECK: xla.tile = {refused = "of operand 0, result 0 is no sum of parts of variables"}
// CHECK: xla.tile = {refused = "the result has no elements"}
// CHECK: xla.tile = {bytes = 8 : i64, sizes = array<i64>}
func.func @refused(%x: tensor<30x24xf32>, %y: tensor<0x3xf32>, %z: tensor<f32>) -> tensor<20x36xf32> {
  %0 = xla.reshape %x : (tensor<30x24xf32>) -> tensor<20x36xf32>
  %1 = xla.negate %y : tensor<0x3xf32>
  %2 = xla.negate %z : tensor<f32>
  return %0 : tensor<20x36xf32>
}

// SMALL-LABEL: @large(
// SMALL: xla.tile = {refused = "the smallest tile takes 4008 bytes, more than 3000"}
func.func @large(%x: tensor<20x1000xf32>, %z: tensor<f32>) -> tensor<20xf32> {
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%m: tensor<f32>, %n: tensor<f32>):
    %t = xla.add %m, %n : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<20x1000xf32>, tensor<f32>) -> tensor<20xf32>
  return %0 : tensor<20xf32>
}
