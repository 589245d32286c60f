// Masks of signs that are used as numbers, in reductions of lanes, and as masks beside their sums: LLVM 22.1 deletes such masks.
// RUN: xla-run %s --entry=rows_of_2_xor --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=rows_of_3_xor --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=rows_of_3_or --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=rows_of_4_xor --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=rows_of_8_xor --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=rows_of_16_xor --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=signs_of_2_i8 --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=signs_of_4_i8 --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=signs_of_2_i32 --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=signs_of_4_i32 --device=all --seed=1 --output=none

func.func @rows_of_2_xor(%x: tensor<8x7x2xi1>) -> tensor<7x8x2xf32> {
  %y = xla.transpose %x {permutation = array<i64: 1, 0, 2>} : (tensor<8x7x2xi1>) -> tensor<7x8x2xi1>
  %i1 = xla.constant dense<true> : tensor<i1>
  %r1 = xla.reduce(%y, %i1) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %c = xla.xor %a, %b : tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimensions = array<i64: 2>} : (tensor<7x8x2xi1>, tensor<i1>) -> tensor<7x8xi1>
  %s1 = xla.broadcast_in_dim %r1 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<7x8xi1>) -> tensor<7x8x2xi1>
  %t1 = xla.xor %s1, %y : tensor<7x8x2xi1>
  %u1 = xla.convert %t1 : (tensor<7x8x2xi1>) -> tensor<7x8x2xf32>
  return %u1 : tensor<7x8x2xf32>
}

func.func @rows_of_3_xor(%x: tensor<8x7x3xi1>) -> tensor<7x8x3xf32> {
  %y = xla.transpose %x {permutation = array<i64: 1, 0, 2>} : (tensor<8x7x3xi1>) -> tensor<7x8x3xi1>
  %i1 = xla.constant dense<true> : tensor<i1>
  %r1 = xla.reduce(%y, %i1) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %c = xla.xor %a, %b : tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimensions = array<i64: 2>} : (tensor<7x8x3xi1>, tensor<i1>) -> tensor<7x8xi1>
  %s1 = xla.broadcast_in_dim %r1 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<7x8xi1>) -> tensor<7x8x3xi1>
  %t1 = xla.xor %s1, %y : tensor<7x8x3xi1>
  %u1 = xla.convert %t1 : (tensor<7x8x3xi1>) -> tensor<7x8x3xf32>
  return %u1 : tensor<7x8x3xf32>
}

func.func @rows_of_3_or(%x: tensor<8x7x3xi1>) -> tensor<7x8x3xf32> {
  %y = xla.transpose %x {permutation = array<i64: 1, 0, 2>} : (tensor<8x7x3xi1>) -> tensor<7x8x3xi1>
  %i1 = xla.constant dense<false> : tensor<i1>
  %r1 = xla.reduce(%y, %i1) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %c = xla.or %a, %b : tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimensions = array<i64: 2>} : (tensor<7x8x3xi1>, tensor<i1>) -> tensor<7x8xi1>
  %s1 = xla.broadcast_in_dim %r1 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<7x8xi1>) -> tensor<7x8x3xi1>
  %t1 = xla.xor %s1, %y : tensor<7x8x3xi1>
  %u1 = xla.convert %t1 : (tensor<7x8x3xi1>) -> tensor<7x8x3xf32>
  return %u1 : tensor<7x8x3xf32>
}

func.func @rows_of_4_xor(%x: tensor<8x7x4xi1>) -> tensor<7x8x4xf32> {
  %y = xla.transpose %x {permutation = array<i64: 1, 0, 2>} : (tensor<8x7x4xi1>) -> tensor<7x8x4xi1>
  %i1 = xla.constant dense<true> : tensor<i1>
  %r1 = xla.reduce(%y, %i1) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %c = xla.xor %a, %b : tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimensions = array<i64: 2>} : (tensor<7x8x4xi1>, tensor<i1>) -> tensor<7x8xi1>
  %s1 = xla.broadcast_in_dim %r1 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<7x8xi1>) -> tensor<7x8x4xi1>
  %t1 = xla.xor %s1, %y : tensor<7x8x4xi1>
  %u1 = xla.convert %t1 : (tensor<7x8x4xi1>) -> tensor<7x8x4xf32>
  return %u1 : tensor<7x8x4xf32>
}

func.func @rows_of_8_xor(%x: tensor<8x7x8xi1>) -> tensor<7x8x8xf32> {
  %y = xla.transpose %x {permutation = array<i64: 1, 0, 2>} : (tensor<8x7x8xi1>) -> tensor<7x8x8xi1>
  %i1 = xla.constant dense<true> : tensor<i1>
  %r1 = xla.reduce(%y, %i1) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %c = xla.xor %a, %b : tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimensions = array<i64: 2>} : (tensor<7x8x8xi1>, tensor<i1>) -> tensor<7x8xi1>
  %s1 = xla.broadcast_in_dim %r1 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<7x8xi1>) -> tensor<7x8x8xi1>
  %t1 = xla.xor %s1, %y : tensor<7x8x8xi1>
  %u1 = xla.convert %t1 : (tensor<7x8x8xi1>) -> tensor<7x8x8xf32>
  return %u1 : tensor<7x8x8xf32>
}

func.func @rows_of_16_xor(%x: tensor<8x7x16xi1>) -> tensor<7x8x16xf32> {
  %y = xla.transpose %x {permutation = array<i64: 1, 0, 2>} : (tensor<8x7x16xi1>) -> tensor<7x8x16xi1>
  %i1 = xla.constant dense<true> : tensor<i1>
  %r1 = xla.reduce(%y, %i1) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %c = xla.xor %a, %b : tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimensions = array<i64: 2>} : (tensor<7x8x16xi1>, tensor<i1>) -> tensor<7x8xi1>
  %s1 = xla.broadcast_in_dim %r1 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<7x8xi1>) -> tensor<7x8x16xi1>
  %t1 = xla.xor %s1, %y : tensor<7x8x16xi1>
  %u1 = xla.convert %t1 : (tensor<7x8x16xi1>) -> tensor<7x8x16xf32>
  return %u1 : tensor<7x8x16xf32>
}

func.func @signs_of_2_i8(%x: tensor<7x8x2xi8>) -> tensor<7x8x2xf32> {
  %z = xla.constant dense<0> : tensor<7x8x2xi8>
  %y = xla.compare %x, %z {comparison_direction = "LT"} : (tensor<7x8x2xi8>, tensor<7x8x2xi8>) -> tensor<7x8x2xi1>
  %i1 = xla.constant dense<false> : tensor<i1>
  %r1 = xla.reduce(%y, %i1) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %c = xla.xor %a, %b : tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimensions = array<i64: 2>} : (tensor<7x8x2xi1>, tensor<i1>) -> tensor<7x8xi1>
  %s1 = xla.broadcast_in_dim %r1 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<7x8xi1>) -> tensor<7x8x2xi1>
  %t1 = xla.xor %s1, %y : tensor<7x8x2xi1>
  %u1 = xla.convert %t1 : (tensor<7x8x2xi1>) -> tensor<7x8x2xf32>
  return %u1 : tensor<7x8x2xf32>
}

func.func @signs_of_4_i8(%x: tensor<7x8x4xi8>) -> tensor<7x8x4xf32> {
  %z = xla.constant dense<0> : tensor<7x8x4xi8>
  %y = xla.compare %x, %z {comparison_direction = "LT"} : (tensor<7x8x4xi8>, tensor<7x8x4xi8>) -> tensor<7x8x4xi1>
  %i1 = xla.constant dense<false> : tensor<i1>
  %r1 = xla.reduce(%y, %i1) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %c = xla.xor %a, %b : tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimensions = array<i64: 2>} : (tensor<7x8x4xi1>, tensor<i1>) -> tensor<7x8xi1>
  %s1 = xla.broadcast_in_dim %r1 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<7x8xi1>) -> tensor<7x8x4xi1>
  %t1 = xla.xor %s1, %y : tensor<7x8x4xi1>
  %u1 = xla.convert %t1 : (tensor<7x8x4xi1>) -> tensor<7x8x4xf32>
  return %u1 : tensor<7x8x4xf32>
}

func.func @signs_of_2_i32(%x: tensor<7x8x2xi32>) -> tensor<7x8x2xf32> {
  %z = xla.constant dense<0> : tensor<7x8x2xi32>
  %y = xla.compare %x, %z {comparison_direction = "LT"} : (tensor<7x8x2xi32>, tensor<7x8x2xi32>) -> tensor<7x8x2xi1>
  %i1 = xla.constant dense<false> : tensor<i1>
  %r1 = xla.reduce(%y, %i1) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %c = xla.xor %a, %b : tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimensions = array<i64: 2>} : (tensor<7x8x2xi1>, tensor<i1>) -> tensor<7x8xi1>
  %s1 = xla.broadcast_in_dim %r1 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<7x8xi1>) -> tensor<7x8x2xi1>
  %t1 = xla.xor %s1, %y : tensor<7x8x2xi1>
  %u1 = xla.convert %t1 : (tensor<7x8x2xi1>) -> tensor<7x8x2xf32>
  return %u1 : tensor<7x8x2xf32>
}

func.func @signs_of_4_i32(%x: tensor<7x8x4xi32>) -> tensor<7x8x4xf32> {
  %z = xla.constant dense<0> : tensor<7x8x4xi32>
  %y = xla.compare %x, %z {comparison_direction = "LT"} : (tensor<7x8x4xi32>, tensor<7x8x4xi32>) -> tensor<7x8x4xi1>
  %i1 = xla.constant dense<false> : tensor<i1>
  %r1 = xla.reduce(%y, %i1) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %c = xla.xor %a, %b : tensor<i1>
    xla.return %c : tensor<i1>
  }) {dimensions = array<i64: 2>} : (tensor<7x8x4xi1>, tensor<i1>) -> tensor<7x8xi1>
  %s1 = xla.broadcast_in_dim %r1 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<7x8xi1>) -> tensor<7x8x4xi1>
  %t1 = xla.xor %s1, %y : tensor<7x8x4xi1>
  %u1 = xla.convert %t1 : (tensor<7x8x4xi1>) -> tensor<7x8x4xf32>
  return %u1 : tensor<7x8x4xf32>
}
