// RUN: xla-opt %s --xla-fuse=device=cpu | FileCheck %s
// RUN: xla-opt %s --xla-fuse=device=llvmpipe | FileCheck %s --check-prefix=OTHER
// RUN: xla-run %s --entry=filters --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=returned --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=several --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=solid --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=edges --device=all --seed=1 --output=none

// Processors keep a row of the first filter, which goes over columns, for the
// second one, which needs each of its elements three times.
// CHECK-LABEL: func.func @filters
// CHECK-COUNT-1: xla.fusion
// CHECK: kind = "window"
// CHECK-NOT: xla.fusion
// OTHER-LABEL: func.func @filters
// OTHER-NOT: kind = "window"
// OTHER-LABEL: func.func @rows
func.func @filters(%x: tensor<100x258xf32>) -> tensor<98x256xf32> {
  %a = xla.slice %x {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 98, 258>, strides = array<i64: 1, 1>} : (tensor<100x258xf32>) -> tensor<98x258xf32>
  %b = xla.slice %x {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 99, 258>, strides = array<i64: 1, 1>} : (tensor<100x258xf32>) -> tensor<98x258xf32>
  %c = xla.slice %x {start_indices = array<i64: 2, 0>, limit_indices = array<i64: 100, 258>, strides = array<i64: 1, 1>} : (tensor<100x258xf32>) -> tensor<98x258xf32>
  %ab = xla.add %a, %b : tensor<98x258xf32>
  %bc = xla.multiply %b, %c : tensor<98x258xf32>
  %s = xla.add %ab, %bc : tensor<98x258xf32>
  %t = xla.tanh %s : tensor<98x258xf32>
  %d = xla.slice %t {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 98, 256>, strides = array<i64: 1, 1>} : (tensor<98x258xf32>) -> tensor<98x256xf32>
  %e = xla.slice %t {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 98, 257>, strides = array<i64: 1, 1>} : (tensor<98x258xf32>) -> tensor<98x256xf32>
  %f = xla.slice %t {start_indices = array<i64: 0, 2>, limit_indices = array<i64: 98, 258>, strides = array<i64: 1, 1>} : (tensor<98x258xf32>) -> tensor<98x256xf32>
  %de = xla.add %d, %e : tensor<98x256xf32>
  %r = xla.subtract %de, %f : tensor<98x256xf32>
  return %r : tensor<98x256xf32>
}

// The other way round rows beside each other are needed, which other blocks
// compute as well: blocks of small arrays are too few, or too many such rows.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: kind = "window"
// CHECK-LABEL: func.func @returned
func.func @rows(%x: tensor<100x258xf32>) -> tensor<98x256xf32> {
  %a = xla.slice %x {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 100, 256>, strides = array<i64: 1, 1>} : (tensor<100x258xf32>) -> tensor<100x256xf32>
  %b = xla.slice %x {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 100, 257>, strides = array<i64: 1, 1>} : (tensor<100x258xf32>) -> tensor<100x256xf32>
  %c = xla.slice %x {start_indices = array<i64: 0, 2>, limit_indices = array<i64: 100, 258>, strides = array<i64: 1, 1>} : (tensor<100x258xf32>) -> tensor<100x256xf32>
  %ab = xla.add %a, %b : tensor<100x256xf32>
  %bc = xla.multiply %b, %c : tensor<100x256xf32>
  %s = xla.add %ab, %bc : tensor<100x256xf32>
  %t = xla.tanh %s : tensor<100x256xf32>
  %d = xla.slice %t {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 98, 256>, strides = array<i64: 1, 1>} : (tensor<100x256xf32>) -> tensor<98x256xf32>
  %e = xla.slice %t {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 99, 256>, strides = array<i64: 1, 1>} : (tensor<100x256xf32>) -> tensor<98x256xf32>
  %f = xla.slice %t {start_indices = array<i64: 2, 0>, limit_indices = array<i64: 100, 256>, strides = array<i64: 1, 1>} : (tensor<100x256xf32>) -> tensor<98x256xf32>
  %de = xla.add %d, %e : tensor<98x256xf32>
  %r = xla.subtract %de, %f : tensor<98x256xf32>
  return %r : tensor<98x256xf32>
}

// Others need what lies between: it is in memory.
// CHECK-NOT: kind = "window"
// CHECK-LABEL: func.func @edges
func.func @returned(%x: tensor<9x258xf32>) -> (tensor<9x256xf32>, tensor<9x258xf32>) {
  %s = xla.multiply %x, %x : tensor<9x258xf32>
  %t = xla.add %s, %x : tensor<9x258xf32>
  %u = xla.multiply %t, %s : tensor<9x258xf32>
  %d = xla.slice %u {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 9, 256>, strides = array<i64: 1, 1>} : (tensor<9x258xf32>) -> tensor<9x256xf32>
  %e = xla.slice %u {start_indices = array<i64: 0, 2>, limit_indices = array<i64: 9, 258>, strides = array<i64: 1, 1>} : (tensor<9x258xf32>) -> tensor<9x256xf32>
  %r = xla.subtract %d, %e : tensor<9x256xf32>
  return %r, %u : tensor<9x256xf32>, tensor<9x258xf32>
}

// The kernel computes the array with its edges itself, and slices of that:
// nothing outside reads what the first filter gives, and it is no result.
// CHECK: xla.return %{{[0-9]+}} : tensor<98x256xf32>
// CHECK-NEXT: }) {kind = "window"} : (tensor<100x256xf32>) -> tensor<98x256xf32>
func.func @edges(%x: tensor<100x256xf32>) -> tensor<98x256xf32> {
  %a = xla.slice %x {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 98, 256>, strides = array<i64: 1, 1>} : (tensor<100x256xf32>) -> tensor<98x256xf32>
  %b = xla.slice %x {start_indices = array<i64: 2, 0>, limit_indices = array<i64: 100, 256>, strides = array<i64: 1, 1>} : (tensor<100x256xf32>) -> tensor<98x256xf32>
  %ab = xla.add %a, %b : tensor<98x256xf32>
  %s = xla.multiply %ab, %b : tensor<98x256xf32>
  %t = xla.tanh %s : tensor<98x256xf32>
  %first = xla.slice %t {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 98, 1>, strides = array<i64: 1, 1>} : (tensor<98x256xf32>) -> tensor<98x1xf32>
  %last = xla.slice %t {start_indices = array<i64: 0, 255>, limit_indices = array<i64: 98, 256>, strides = array<i64: 1, 1>} : (tensor<98x256xf32>) -> tensor<98x1xf32>
  %p = xla.concatenate %first, %t, %last {dimension = 1 : i64} : (tensor<98x1xf32>, tensor<98x256xf32>, tensor<98x1xf32>) -> tensor<98x258xf32>
  %d = xla.slice %p {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 98, 256>, strides = array<i64: 1, 1>} : (tensor<98x258xf32>) -> tensor<98x256xf32>
  %f = xla.slice %p {start_indices = array<i64: 0, 2>, limit_indices = array<i64: 98, 258>, strides = array<i64: 1, 1>} : (tensor<98x258xf32>) -> tensor<98x256xf32>
  %r = xla.subtract %d, %f : tensor<98x256xf32>
  return %r : tensor<98x256xf32>
}

// Larger ones are kept in blocks of rows.
// CHECK-LABEL: func.func @several
// CHECK-COUNT-1: xla.fusion
// CHECK: kind = "window"
// CHECK-NOT: xla.fusion
// OTHER-LABEL: func.func @several
// OTHER-NOT: kind = "window"
// CHECK-LABEL: func.func @long_rows
func.func @several(%x: tensor<384x258xf32>) -> tensor<382x256xf32> {
  %a = xla.slice %x {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 384, 256>, strides = array<i64: 1, 1>} : (tensor<384x258xf32>) -> tensor<384x256xf32>
  %b = xla.slice %x {start_indices = array<i64: 0, 2>, limit_indices = array<i64: 384, 258>, strides = array<i64: 1, 1>} : (tensor<384x258xf32>) -> tensor<384x256xf32>
  %ab = xla.add %a, %b : tensor<384x256xf32>
  %s = xla.multiply %ab, %b : tensor<384x256xf32>
  %m = xla.subtract %s, %a : tensor<384x256xf32>
  %t = xla.tanh %m : tensor<384x256xf32>
  %d = xla.slice %t {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 382, 256>, strides = array<i64: 1, 1>} : (tensor<384x256xf32>) -> tensor<382x256xf32>
  %e = xla.slice %t {start_indices = array<i64: 2, 0>, limit_indices = array<i64: 384, 256>, strides = array<i64: 1, 1>} : (tensor<384x256xf32>) -> tensor<382x256xf32>
  %r = xla.subtract %d, %e : tensor<382x256xf32>
  return %r : tensor<382x256xf32>
}

// Of rows of 16 KiB there are less than 4 for each around them.
// CHECK: kind = "loop"
// CHECK: kind = "loop"
// CHECK-LABEL: func.func @solid
func.func @long_rows(%x: tensor<18x4098xf32>) -> tensor<16x4096xf32> {
  %a = xla.slice %x {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 18, 4096>, strides = array<i64: 1, 1>} : (tensor<18x4098xf32>) -> tensor<18x4096xf32>
  %b = xla.slice %x {start_indices = array<i64: 0, 2>, limit_indices = array<i64: 18, 4098>, strides = array<i64: 1, 1>} : (tensor<18x4098xf32>) -> tensor<18x4096xf32>
  %ab = xla.add %a, %b : tensor<18x4096xf32>
  %s = xla.multiply %ab, %b : tensor<18x4096xf32>
  %m = xla.subtract %s, %a : tensor<18x4096xf32>
  %t = xla.tanh %m : tensor<18x4096xf32>
  %d = xla.slice %t {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 16, 4096>, strides = array<i64: 1, 1>} : (tensor<18x4096xf32>) -> tensor<16x4096xf32>
  %e = xla.slice %t {start_indices = array<i64: 2, 0>, limit_indices = array<i64: 18, 4096>, strides = array<i64: 1, 1>} : (tensor<18x4096xf32>) -> tensor<16x4096xf32>
  %r = xla.subtract %d, %e : tensor<16x4096xf32>
  return %r : tensor<16x4096xf32>
}

// Rows may have several dimensions.
// CHECK-COUNT-1: xla.fusion
// CHECK: kind = "window"
// CHECK-NOT: xla.fusion
func.func @solid(%x: tensor<40x32x34xf32>) -> tensor<40x32x32xf32> {
  %s = xla.multiply %x, %x : tensor<40x32x34xf32>
  %t = xla.tanh %s : tensor<40x32x34xf32>
  %u = xla.logistic %t : tensor<40x32x34xf32>
  %d = xla.slice %u {start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 40, 32, 32>, strides = array<i64: 1, 1, 1>} : (tensor<40x32x34xf32>) -> tensor<40x32x32xf32>
  %e = xla.slice %u {start_indices = array<i64: 0, 0, 2>, limit_indices = array<i64: 40, 32, 34>, strides = array<i64: 1, 1, 1>} : (tensor<40x32x34xf32>) -> tensor<40x32x32xf32>
  %f = xla.slice %u {start_indices = array<i64: 0, 0, 1>, limit_indices = array<i64: 40, 32, 33>, strides = array<i64: 1, 1, 1>} : (tensor<40x32x34xf32>) -> tensor<40x32x32xf32>
  %de = xla.subtract %d, %e : tensor<40x32x32xf32>
  %r = xla.add %de, %f : tensor<40x32x32xf32>
  return %r : tensor<40x32x32xf32>
}
