// RUN: xla-opt %s --xla-simplify-indexing --cse | FileCheck %s
// RUN: xla-opt %s --xla-simplify-indexing > %t.once
// RUN: xla-opt %t.once --xla-simplify-indexing | diff %t.once -

// One operation, or none, for several that follow each other.

// Slices of slices: starts and strides multiply.
// CHECK-LABEL: @strided(
// CHECK-NEXT: %[[V0:.*]] = xla.slice %arg0 {limit_indices = array<i64: 17>, start_indices = array<i64: 4>, strides = array<i64: 6>} : (tensor<20xf32>) -> tensor<3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<3xf32>
func.func @strided(%x: tensor<20xf32>) -> tensor<3xf32> {
  %0 = xla.slice %x {start_indices = array<i64: 1>, limit_indices = array<i64: 20>, strides = array<i64: 3>} : (tensor<20xf32>) -> tensor<7xf32>
  %1 = xla.slice %0 {start_indices = array<i64: 1>, limit_indices = array<i64: 6>, strides = array<i64: 2>} : (tensor<7xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// What is reversed twice is sliced only.
// CHECK-LABEL: @reversed_slice(
// CHECK-NEXT: %[[V0:.*]] = xla.slice %arg0 {limit_indices = array<i64: 8>, start_indices = array<i64: 4>} : (tensor<10xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4xf32>
func.func @reversed_slice(%x: tensor<10xf32>) -> tensor<4xf32> {
  %0 = xla.reverse %x {dimensions = array<i64: 0>} : tensor<10xf32>
  %1 = xla.slice %0 {start_indices = array<i64: 2>, limit_indices = array<i64: 6>} : (tensor<10xf32>) -> tensor<4xf32>
  %2 = xla.reverse %1 {dimensions = array<i64: 0>} : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// A slice across rows stays one of the flat array.
// CHECK-LABEL: @flat_slice(
// CHECK-NEXT: %[[V0:.*]] = xla.reshape %arg0 : (tensor<4x6xf32>) -> tensor<24xf32>
// CHECK-NEXT: %[[V1:.*]] = xla.slice %[[V0]] {limit_indices = array<i64: 17>, start_indices = array<i64: 5>} : (tensor<24xf32>) -> tensor<12xf32>
// CHECK-NEXT: %[[V2:.*]] = xla.reshape %[[V1]] : (tensor<12xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<3x4xf32>
func.func @flat_slice(%x: tensor<4x6xf32>) -> tensor<3x4xf32> {
  %0 = xla.reshape %x : (tensor<4x6xf32>) -> tensor<24xf32>
  %1 = xla.slice %0 {start_indices = array<i64: 5>, limit_indices = array<i64: 17>} : (tensor<24xf32>) -> tensor<12xf32>
  %2 = xla.reshape %1 : (tensor<12xf32>) -> tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}

// A diagonal is a strided slice of the flat array.
// CHECK-LABEL: @diagonal(
// CHECK-NEXT: %[[V0:.*]] = xla.reshape %arg0 : (tensor<4x4xf32>) -> tensor<16xf32>
// CHECK-NEXT: %[[V1:.*]] = xla.slice %[[V0]] {limit_indices = array<i64: 16>, start_indices = array<i64: 0>, strides = array<i64: 5>} : (tensor<16xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<4xf32>
func.func @diagonal(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %0 = xla.reshape %x : (tensor<4x4xf32>) -> tensor<16xf32>
  %1 = xla.slice %0 {start_indices = array<i64: 0>, limit_indices = array<i64: 16>, strides = array<i64: 5>} : (tensor<16xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Slices go before broadcasts, which some of them only make smaller.
// CHECK-LABEL: @sliced_broadcasts(
// CHECK-NEXT: %[[V0:.*]] = xla.broadcast_in_dim %arg0 {broadcast_dimensions = array<i64: 1>} : (tensor<6xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[V1:.*]] = xla.slice %arg0 {limit_indices = array<i64: 3>, start_indices = array<i64: 1>} : (tensor<6xf32>) -> tensor<2xf32>
// CHECK-NEXT: %[[V2:.*]] = xla.broadcast_in_dim %[[V1]] {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: return %[[V0]], %[[V2]] : tensor<2x6xf32>, tensor<3x2xf32>
func.func @sliced_broadcasts(%x: tensor<6xf32>) -> (tensor<2x6xf32>, tensor<3x2xf32>) {
  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 1>} : (tensor<6xf32>) -> tensor<8x6xf32>
  %1 = xla.slice %0 {start_indices = array<i64: 2, 0>, limit_indices = array<i64: 4, 6>} : (tensor<8x6xf32>) -> tensor<2x6xf32>
  %2 = xla.broadcast_in_dim %x {broadcast_dimensions = array<i64: 1>} : (tensor<6xf32>) -> tensor<8x6xf32>
  %3 = xla.slice %2 {start_indices = array<i64: 2, 1>, limit_indices = array<i64: 5, 3>} : (tensor<8x6xf32>) -> tensor<3x2xf32>
  return %1, %3 : tensor<2x6xf32>, tensor<3x2xf32>
}

// Transposes around a reshape are one.
// CHECK-LABEL: @views_back(
// CHECK-NEXT: %[[V0:.*]] = xla.reshape %arg0 : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: %[[V1:.*]] = xla.transpose %[[V0]] {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT: return %[[V1]] : tensor<4x2x3xf32>
func.func @views_back(%x: tensor<6x4xf32>) -> tensor<4x2x3xf32> {
  %0 = xla.transpose %x {permutation = array<i64: 1, 0>} : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %1 = xla.reshape %0 : (tensor<4x6xf32>) -> tensor<4x2x3xf32>
  %2 = xla.transpose %1 {permutation = array<i64: 1, 2, 0>} : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  %3 = xla.transpose %2 {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  return %3 : tensor<4x2x3xf32>
}

// Whatever is in between, the way back ends where it began.
// CHECK-LABEL: @incompatible(
// CHECK-NEXT: %[[V0:.*]] = xla.transpose %arg0 {permutation = array<i64: 1, 0>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: %[[V1:.*]] = xla.reshape %[[V0]] : (tensor<6x4xf32>) -> tensor<8x3xf32>
// CHECK-NEXT: %[[V2:.*]] = xla.transpose %[[V1]] {permutation = array<i64: 1, 0>} : (tensor<8x3xf32>) -> tensor<3x8xf32>
// CHECK-NEXT: return %[[V1]], %[[V2]], %arg0 : tensor<8x3xf32>, tensor<3x8xf32>, tensor<4x6xf32>
func.func @incompatible(%x: tensor<4x6xf32>) -> (tensor<8x3xf32>, tensor<3x8xf32>, tensor<4x6xf32>) {
  %0 = xla.transpose %x {permutation = array<i64: 1, 0>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %1 = xla.reshape %0 : (tensor<6x4xf32>) -> tensor<8x3xf32>
  %2 = xla.transpose %1 {permutation = array<i64: 1, 0>} : (tensor<8x3xf32>) -> tensor<3x8xf32>
  %3 = xla.transpose %2 {permutation = array<i64: 1, 0>} : (tensor<3x8xf32>) -> tensor<8x3xf32>
  %4 = xla.reshape %3 : (tensor<8x3xf32>) -> tensor<6x4xf32>
  %5 = xla.transpose %4 {permutation = array<i64: 1, 0>} : (tensor<6x4xf32>) -> tensor<4x6xf32>
  return %1, %2, %5 : tensor<8x3xf32>, tensor<3x8xf32>, tensor<4x6xf32>
}

// Movement and equal widths of bits change places.
// CHECK-LABEL: @bits(
// CHECK-NEXT: %[[V0:.*]] = xla.bitcast_convert %arg0 : (tensor<4x6xf32>) -> tensor<4x6xi32>
// CHECK-NEXT: return %[[V0]], %arg0 : tensor<4x6xi32>, tensor<4x6xf32>
func.func @bits(%x: tensor<4x6xf32>) -> (tensor<4x6xi32>, tensor<4x6xf32>) {
  %0 = xla.transpose %x {permutation = array<i64: 1, 0>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %1 = xla.bitcast_convert %0 : (tensor<6x4xf32>) -> tensor<6x4xi32>
  %2 = xla.transpose %1 {permutation = array<i64: 1, 0>} : (tensor<6x4xi32>) -> tensor<4x6xi32>
  %3 = xla.bitcast_convert %2 : (tensor<4x6xi32>) -> tensor<4x6xf32>
  return %2, %3 : tensor<4x6xi32>, tensor<4x6xf32>
}

// A bitcast to another shape is a reshape; other widths and types stay.
// CHECK-LABEL: @bitcasts(
// CHECK-NEXT: %[[V0:.*]] = xla.reshape %arg0 : (tensor<4x6xf32>) -> tensor<24xf32>
// CHECK-NEXT: %[[V1:.*]] = xla.bitcast %[[V0]] : (tensor<24xf32>) -> tensor<8x3xi32>
// CHECK-NEXT: %[[V2:.*]] = xla.bitcast %[[V0]] : (tensor<24xf32>) -> tensor<48xf16>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<24xf32>, tensor<8x3xi32>, tensor<48xf16>
func.func @bitcasts(%x: tensor<4x6xf32>) -> (tensor<24xf32>, tensor<8x3xi32>, tensor<48xf16>) {
  %0 = xla.bitcast %x : (tensor<4x6xf32>) -> tensor<24xf32>
  %1 = xla.bitcast %0 : (tensor<24xf32>) -> tensor<8x3xi32>
  %2 = xla.bitcast %0 : (tensor<24xf32>) -> tensor<48xf16>
  return %0, %1, %2 : tensor<24xf32>, tensor<8x3xi32>, tensor<48xf16>
}

// Iotas that begin at 0 are iotas, single indices constants; others are slices.
// CHECK-LABEL: @iotas(
// CHECK-NEXT: %[[V0:.*]] = xla.iota {iota_dimension = 1 : i64} : () -> tensor<4x6xi32>
// CHECK-NEXT: %[[V1:.*]] = xla.iota {iota_dimension = 1 : i64} : () -> tensor<3x4xi32>
// CHECK-NEXT: %[[V2:.*]] = xla.slice %[[V0]] {limit_indices = array<i64: 3, 5>, start_indices = array<i64: 1, 1>} : (tensor<4x6xi32>) -> tensor<2x4xi32>
// CHECK-NEXT: %[[V3:.*]] = xla.constant dense<3> : tensor<4x2xi32>
// CHECK-NEXT: return %[[V1]], %[[V2]], %[[V3]] : tensor<3x4xi32>, tensor<2x4xi32>, tensor<4x2xi32>
func.func @iotas() -> (tensor<3x4xi32>, tensor<2x4xi32>, tensor<4x2xi32>) {
  %i = xla.iota {iota_dimension = 1 : i64} : () -> tensor<4x6xi32>
  %0 = xla.slice %i {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 4, 4>} : (tensor<4x6xi32>) -> tensor<3x4xi32>
  %1 = xla.slice %i {start_indices = array<i64: 1, 1>, limit_indices = array<i64: 3, 5>} : (tensor<4x6xi32>) -> tensor<2x4xi32>
  %2 = xla.slice %i {start_indices = array<i64: 0, 3>, limit_indices = array<i64: 4, 4>} : (tensor<4x6xi32>) -> tensor<4x1xi32>
  %3 = xla.broadcast_in_dim %2 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x1xi32>) -> tensor<4x2xi32>
  return %0, %1, %3 : tensor<3x4xi32>, tensor<2x4xi32>, tensor<4x2xi32>
}

// Elementwise operations in between, if their operands undo what is done to them.
// CHECK-LABEL: @elementwise(
// CHECK-NEXT: %[[V0:.*]] = xla.add %arg0, %arg1 : tensor<6x4xf32>
// CHECK-NEXT: %[[V1:.*]] = xla.exponential %[[V0]] : tensor<6x4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<6x4xf32>
func.func @elementwise(%a: tensor<6x4xf32>, %b: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %0 = xla.transpose %a {permutation = array<i64: 1, 0>} : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %1 = xla.transpose %b {permutation = array<i64: 1, 0>} : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %2 = xla.add %0, %1 : tensor<4x6xf32>
  %3 = xla.exponential %2 : tensor<4x6xf32>
  %4 = xla.transpose %3 {permutation = array<i64: 1, 0>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return %4 : tensor<6x4xf32>
}

// Arrays without elements.
// CHECK-LABEL: @empty(
// CHECK-NEXT: %[[V0:.*]] = xla.reshape %arg0 : (tensor<0x3xf32>) -> tensor<3x0xf32>
// CHECK-NEXT: %[[V1:.*]] = xla.broadcast_in_dim %arg1 {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<3x0xf32>, tensor<2x3xf32>
func.func @empty(%x: tensor<0x3xf32>, %z: tensor<f32>) -> (tensor<3x0xf32>, tensor<2x3xf32>) {
  %0 = xla.transpose %x {permutation = array<i64: 1, 0>} : (tensor<0x3xf32>) -> tensor<3x0xf32>
  %1 = xla.reverse %0 {dimensions = array<i64: 0>} : tensor<3x0xf32>
  %2 = xla.pad %x, %z {edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>} : (tensor<0x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %1, %2 : tensor<3x0xf32>, tensor<2x3xf32>
}

// What others need stays, and slicing it is less than slicing and transposing.
// CHECK-LABEL: @shared(
// CHECK-NEXT: %[[V0:.*]] = xla.transpose %arg0 {permutation = array<i64: 1, 0>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: %[[V1:.*]] = xla.slice %[[V0]] {limit_indices = array<i64: 2, 4>, start_indices = array<i64: 0, 0>} : (tensor<6x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<6x4xf32>, tensor<2x4xf32>
func.func @shared(%x: tensor<4x6xf32>) -> (tensor<6x4xf32>, tensor<2x4xf32>) {
  %0 = xla.transpose %x {permutation = array<i64: 1, 0>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %1 = xla.slice %0 {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 4>} : (tensor<6x4xf32>) -> tensor<2x4xf32>
  return %0, %1 : tensor<6x4xf32>, tensor<2x4xf32>
}

// What a loop would do again and again stays outside.
// CHECK-LABEL: @loop(
// CHECK: xla.transpose %arg0 {permutation = array<i64: 1, 0>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
// CHECK: xla.slice %{{.*}} {limit_indices = array<i64: 3, 4>, start_indices = array<i64: 0, 0>} : (tensor<6x4xf32>) -> tensor<3x4xf32>
func.func @loop(%x: tensor<4x6xf32>, %i: tensor<i32>) -> tensor<6x4xf32> {
  %0 = xla.transpose %x {permutation = array<i64: 1, 0>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %1:2 = xla.while(%i, %0) ({
  ^bb0(%k: tensor<i32>, %a: tensor<6x4xf32>):
    %c = xla.constant dense<3> : tensor<i32>
    %p = xla.compare %k, %c {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%k: tensor<i32>, %a: tensor<6x4xf32>):
    %d = xla.slice %0 {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 4>} : (tensor<6x4xf32>) -> tensor<3x4xf32>
    %e = xla.concatenate %d, %d {dimension = 0} : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<6x4xf32>
    %f = xla.add %a, %e : tensor<6x4xf32>
    %one = xla.constant dense<1> : tensor<i32>
    %l = xla.add %k, %one : tensor<i32>
    xla.return %l, %f : tensor<i32>, tensor<6x4xf32>
  }) : (tensor<i32>, tensor<6x4xf32>) -> (tensor<i32>, tensor<6x4xf32>)
  return %1#1 : tensor<6x4xf32>
}

// Sizes that are known when the program runs, and layouts, are left alone.
// CHECK-LABEL: @bounded(
// CHECK-NEXT: %[[V0:.*]] = xla.transpose %arg0 {permutation = array<i64: 0, 1>} : tensor<?x4xf32, #xla.array<bounds = [8, ?]>>
// CHECK-NEXT: return %[[V0]] : tensor<?x4xf32, #xla.array<bounds = [8, ?]>>
func.func @bounded(%x: tensor<?x4xf32, #xla.array<bounds = [8, ?]>>) -> tensor<?x4xf32, #xla.array<bounds = [8, ?]>> {
  %0 = xla.transpose %x {permutation = array<i64: 0, 1>} : (tensor<?x4xf32, #xla.array<bounds = [8, ?]>>) -> tensor<?x4xf32, #xla.array<bounds = [8, ?]>>
  return %0 : tensor<?x4xf32, #xla.array<bounds = [8, ?]>>
}

// CHECK-LABEL: @layout(
// CHECK-NEXT: %[[V0:.*]] = xla.reshape %arg0 : (tensor<4x6xf32, #xla.array<minor_to_major = [0, 1]>>) -> tensor<24xf32>
// CHECK-NEXT: %[[V1:.*]] = xla.reshape %[[V0]] : (tensor<24xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: return %[[V1]] : tensor<4x6xf32>
func.func @layout(%x: tensor<4x6xf32, #xla.array<minor_to_major = [0, 1]>>) -> tensor<4x6xf32> {
  %0 = xla.reshape %x : (tensor<4x6xf32, #xla.array<minor_to_major = [0, 1]>>) -> tensor<24xf32>
  %1 = xla.reshape %0 : (tensor<24xf32>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}

// An elementwise operation between reshapes needs none: its operands are read
// in the shape of its users, if none of them then needs more.
// CHECK-LABEL: @between_reshapes(
// CHECK-NEXT: %[[Y:.*]] = xla.reshape %arg1 : (tensor<64x48xf32>) -> tensor<96x32xf32>
// CHECK-NEXT: %[[A:.*]] = xla.add %arg0, %[[Y]] : tensor<96x32xf32>
// CHECK-NEXT: %[[M:.*]] = xla.multiply %[[A]], %[[A]] : tensor<96x32xf32>
// CHECK-NEXT: %[[S:.*]] = xla.subtract %[[M]], %arg0 : tensor<96x32xf32>
// CHECK-NEXT: return %[[S]] : tensor<96x32xf32>
func.func @between_reshapes(%x: tensor<96x32xf32>, %y: tensor<64x48xf32>) -> tensor<96x32xf32> {
  %0 = xla.reshape %x : (tensor<96x32xf32>) -> tensor<64x48xf32>
  %1 = xla.add %0, %y : tensor<64x48xf32>
  %2 = xla.multiply %1, %1 : tensor<64x48xf32>
  %3 = xla.reshape %2 : (tensor<64x48xf32>) -> tensor<96x32xf32>
  %4 = xla.subtract %3, %x : tensor<96x32xf32>
  return %4 : tensor<96x32xf32>
}

// What is computed in the inner shape, and would have to be reshaped, keeps
// the operation there.
// CHECK-LABEL: @stays_between_reshapes(
// CHECK: xla.add %{{.*}} : tensor<64x48xf32>
func.func @stays_between_reshapes(%x: tensor<96x32xf32>, %y: tensor<64x48xf32>) -> (tensor<96x32xf32>, tensor<64x48xf32>) {
  %0 = xla.reshape %x : (tensor<96x32xf32>) -> tensor<64x48xf32>
  %1 = xla.tanh %y : tensor<64x48xf32>
  %2 = xla.add %0, %1 : tensor<64x48xf32>
  %3 = xla.reshape %2 : (tensor<64x48xf32>) -> tensor<96x32xf32>
  return %3, %1 : tensor<96x32xf32>, tensor<64x48xf32>
}

// Transposes vanish where operations use their operands several times, too.
// CHECK-LABEL: @between_transposes(
// CHECK-NEXT: %[[A:.*]] = xla.tanh %arg0 : tensor<8x4xf32>
// CHECK-NEXT: %[[M:.*]] = xla.multiply %[[A]], %[[A]] : tensor<8x4xf32>
// CHECK-NEXT: return %[[M]] : tensor<8x4xf32>
func.func @between_transposes(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = xla.transpose %x {permutation = array<i64: 1, 0>} : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %1 = xla.tanh %0 : tensor<4x8xf32>
  %2 = xla.multiply %1, %1 : tensor<4x8xf32>
  %3 = xla.transpose %2 {permutation = array<i64: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}

// Of an array in memory only the part that is needed is worked on.
// CHECK-LABEL: @sliced_of_memory(
// CHECK-DAG: %[[X:.*]] = xla.slice %arg0 {{.*}} -> tensor<4x2xf32>
// CHECK-DAG: %[[B:.*]] = xla.broadcast_in_dim {{.*}} -> tensor<4x2xf32>
// CHECK: %[[M:.*]] = xla.multiply %[[X]], %[[B]] : tensor<4x2xf32>
// CHECK-NEXT: %[[E:.*]] = xla.exponential %[[M]] : tensor<4x2xf32>
// CHECK-NEXT: return %[[E]] : tensor<4x2xf32>
func.func @sliced_of_memory(%x: tensor<8x6xf32>, %v: tensor<6xf32>) -> tensor<4x2xf32> {
  %0 = xla.broadcast_in_dim %v {broadcast_dimensions = array<i64: 1>} : (tensor<6xf32>) -> tensor<8x6xf32>
  %1 = xla.multiply %x, %0 : tensor<8x6xf32>
  %2 = xla.exponential %1 : tensor<8x6xf32>
  %3 = xla.slice %2 {start_indices = array<i64: 1, 2>, limit_indices = array<i64: 8, 4>, strides = array<i64: 2, 1>} : (tensor<8x6xf32>) -> tensor<4x2xf32>
  return %3 : tensor<4x2xf32>
}

// What is worked on twice may be the same once: parts are taken of that.
// CHECK-LABEL: @sliced_twice(
// CHECK-NEXT: %[[E:.*]] = xla.exponential %arg0 : tensor<8x6xf32>
// CHECK-NEXT: xla.slice %[[E]]
// CHECK-NEXT: xla.slice %[[E]]
func.func @sliced_twice(%x: tensor<8x6xf32>) -> tensor<7x6xf32> {
  %0 = xla.exponential %x : tensor<8x6xf32>
  %1 = xla.slice %0 {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 7, 6>} : (tensor<8x6xf32>) -> tensor<7x6xf32>
  %2 = xla.exponential %x : tensor<8x6xf32>
  %3 = xla.slice %2 {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 8, 6>} : (tensor<8x6xf32>) -> tensor<7x6xf32>
  %4 = xla.subtract %3, %1 : tensor<7x6xf32>
  return %4 : tensor<7x6xf32>
}

// What other operations compute may be one kernel with these.
// CHECK-LABEL: @sliced_of_sums(
// CHECK: xla.exponential %{{.*}} : tensor<8x6xf32>
func.func @sliced_of_sums(%x: tensor<8x6x3xf32>, %z: tensor<f32>) -> tensor<8x2xf32> {
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = xla.add %p, %q : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<8x6x3xf32>, tensor<f32>) -> tensor<8x6xf32>
  %1 = xla.exponential %0 : tensor<8x6xf32>
  %2 = xla.slice %1 {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 8, 2>} : (tensor<8x6xf32>) -> tensor<8x2xf32>
  return %2 : tensor<8x2xf32>
}

// Dimensions of size 1 do not come back.
// CHECK-LABEL: @size_one_between_reshapes(
// CHECK: xla.tanh %{{.*}} : tensor<8xf32>
func.func @size_one_between_reshapes(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %0 = xla.reshape %x : (tensor<1x8xf32>) -> tensor<8xf32>
  %1 = xla.tanh %0 : tensor<8xf32>
  %2 = xla.reshape %1 : (tensor<8xf32>) -> tensor<1x8xf32>
  return %2 : tensor<1x8xf32>
}
