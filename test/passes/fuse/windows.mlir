// RUN: xla-opt %s --xla-fuse=device=cpu | FileCheck %s
// RUN: xla-opt %s --xla-fuse=device=llvmpipe | FileCheck %s --check-prefix=OTHER
// RUN: xla-opt %s --xla-fuse=device=gpu | FileCheck %s --check-prefix=GPU
// RUN: xla-opt %s --xla-fuse="device=gpu report=report" 2>&1 >/dev/null | FileCheck %s --check-prefix=REPORT
// RUN: xla-run %s --entry=filters --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=returned --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=several --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=solid --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=edges --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=both_ways --device=all --machine=gpu=1 --seed=1 --rtol=0 --output=none
// RUN: xla-run %s --entry=rolled --device=all --machine=gpu=1 --seed=1 --rtol=0 --output=none

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

// Workgroups of graphics cards keep tiles, where a kernel that computes what is
// read at several places again at each takes longer. Processors that run
// shaders keep none: their threads wait long for each other.
// CHECK-LABEL: func.func @both_ways
// GPU-LABEL: func.func @both_ways
// GPU-COUNT-1: xla.fusion
// GPU: kind = "window"
// GPU-NOT: xla.fusion
// OTHER-LABEL: func.func @both_ways
// OTHER: kind = "loop"
// OTHER: kind = "loop"
func.func @both_ways(%x: tensor<1028x1028xi32>) -> tensor<1024x1024xi32> {
  %a0 = xla.slice %x {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1028, 1024>, strides = array<i64: 1, 1>} : (tensor<1028x1028xi32>) -> tensor<1028x1024xi32>
  %b0 = xla.multiply %a0, %a0 : tensor<1028x1024xi32>
  %a1 = xla.slice %x {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 1028, 1025>, strides = array<i64: 1, 1>} : (tensor<1028x1028xi32>) -> tensor<1028x1024xi32>
  %b1 = xla.multiply %a1, %a1 : tensor<1028x1024xi32>
  %c1 = xla.add %b0, %b1 : tensor<1028x1024xi32>
  %a2 = xla.slice %x {start_indices = array<i64: 0, 2>, limit_indices = array<i64: 1028, 1026>, strides = array<i64: 1, 1>} : (tensor<1028x1028xi32>) -> tensor<1028x1024xi32>
  %b2 = xla.multiply %a2, %a1 : tensor<1028x1024xi32>
  %c2 = xla.add %c1, %b2 : tensor<1028x1024xi32>
  %a3 = xla.slice %x {start_indices = array<i64: 0, 3>, limit_indices = array<i64: 1028, 1027>, strides = array<i64: 1, 1>} : (tensor<1028x1028xi32>) -> tensor<1028x1024xi32>
  %b3 = xla.multiply %a3, %a1 : tensor<1028x1024xi32>
  %c3 = xla.add %c2, %b3 : tensor<1028x1024xi32>
  %a4 = xla.slice %x {start_indices = array<i64: 0, 4>, limit_indices = array<i64: 1028, 1028>, strides = array<i64: 1, 1>} : (tensor<1028x1028xi32>) -> tensor<1028x1024xi32>
  %b4 = xla.multiply %a4, %a1 : tensor<1028x1024xi32>
  %c4 = xla.add %c3, %b4 : tensor<1028x1024xi32>
  %q = xla.divide %c4, %a2 : tensor<1028x1024xi32>
  %p = xla.popcnt %q : tensor<1028x1024xi32>
  %z = xla.count_leading_zeros %c3 : tensor<1028x1024xi32>
  %w = xla.multiply %z, %p : tensor<1028x1024xi32>
  %v = xla.remainder %w, %a3 : tensor<1028x1024xi32>
  %d = xla.divide %v, %a1 : tensor<1028x1024xi32>
  %e0 = xla.slice %d {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1024, 1024>, strides = array<i64: 1, 1>} : (tensor<1028x1024xi32>) -> tensor<1024x1024xi32>
  %e1 = xla.slice %d {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 1025, 1024>, strides = array<i64: 1, 1>} : (tensor<1028x1024xi32>) -> tensor<1024x1024xi32>
  %f1 = xla.add %e0, %e1 : tensor<1024x1024xi32>
  %e2 = xla.slice %d {start_indices = array<i64: 2, 0>, limit_indices = array<i64: 1026, 1024>, strides = array<i64: 1, 1>} : (tensor<1028x1024xi32>) -> tensor<1024x1024xi32>
  %f2 = xla.subtract %f1, %e2 : tensor<1024x1024xi32>
  %e3 = xla.slice %d {start_indices = array<i64: 3, 0>, limit_indices = array<i64: 1027, 1024>, strides = array<i64: 1, 1>} : (tensor<1028x1024xi32>) -> tensor<1024x1024xi32>
  %f3 = xla.add %f2, %e3 : tensor<1024x1024xi32>
  %e4 = xla.slice %d {start_indices = array<i64: 4, 0>, limit_indices = array<i64: 1028, 1024>, strides = array<i64: 1, 1>} : (tensor<1028x1024xi32>) -> tensor<1024x1024xi32>
  %f4 = xla.subtract %f3, %e4 : tensor<1024x1024xi32>
  return %f4 : tensor<1024x1024xi32>
}

// What is reversed is far away from where it is needed.
// GPU-LABEL: func.func @turned
// GPU: kind = "loop"
// GPU: kind = "loop"
// REPORT: @turned: kernels for gpu
// REPORT: tiles would compute {{[0-9.]+}} times as much
func.func @turned(%x: tensor<1028x1028xi32>) -> tensor<1028x1024xi32> {
  %a0 = xla.slice %x {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1028, 1024>, strides = array<i64: 1, 1>} : (tensor<1028x1028xi32>) -> tensor<1028x1024xi32>
  %b0 = xla.multiply %a0, %a0 : tensor<1028x1024xi32>
  %a1 = xla.slice %x {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 1028, 1025>, strides = array<i64: 1, 1>} : (tensor<1028x1028xi32>) -> tensor<1028x1024xi32>
  %b1 = xla.multiply %a1, %a1 : tensor<1028x1024xi32>
  %c1 = xla.add %b0, %b1 : tensor<1028x1024xi32>
  %a2 = xla.slice %x {start_indices = array<i64: 0, 2>, limit_indices = array<i64: 1028, 1026>, strides = array<i64: 1, 1>} : (tensor<1028x1028xi32>) -> tensor<1028x1024xi32>
  %b2 = xla.multiply %a2, %a1 : tensor<1028x1024xi32>
  %c2 = xla.add %c1, %b2 : tensor<1028x1024xi32>
  %a3 = xla.slice %x {start_indices = array<i64: 0, 3>, limit_indices = array<i64: 1028, 1027>, strides = array<i64: 1, 1>} : (tensor<1028x1028xi32>) -> tensor<1028x1024xi32>
  %b3 = xla.multiply %a3, %a1 : tensor<1028x1024xi32>
  %c3 = xla.add %c2, %b3 : tensor<1028x1024xi32>
  %a4 = xla.slice %x {start_indices = array<i64: 0, 4>, limit_indices = array<i64: 1028, 1028>, strides = array<i64: 1, 1>} : (tensor<1028x1028xi32>) -> tensor<1028x1024xi32>
  %b4 = xla.multiply %a4, %a1 : tensor<1028x1024xi32>
  %c4 = xla.add %c3, %b4 : tensor<1028x1024xi32>
  %q = xla.divide %c4, %a2 : tensor<1028x1024xi32>
  %p = xla.popcnt %q : tensor<1028x1024xi32>
  %z = xla.count_leading_zeros %c3 : tensor<1028x1024xi32>
  %w = xla.multiply %z, %p : tensor<1028x1024xi32>
  %v = xla.remainder %w, %a3 : tensor<1028x1024xi32>
  %d = xla.divide %v, %a1 : tensor<1028x1024xi32>
  %r = xla.reverse %d {dimensions = array<i64: 0>} : (tensor<1028x1024xi32>) -> tensor<1028x1024xi32>
  %s = xla.add %d, %r : tensor<1028x1024xi32>
  return %s : tensor<1028x1024xi32>
}

// What is rolled is beside where it is needed, around the ends of the array.
// GPU-LABEL: func.func @rolled
// GPU-COUNT-1: xla.fusion
// GPU: kind = "window"
// GPU-NOT: xla.fusion
func.func @rolled(%x: tensor<1024x1030xi32>) -> tensor<1024x1030xi32> {
  %a0a = xla.slice %x {start_indices = array<i64: 1023, 0>, limit_indices = array<i64: 1024, 1030>, strides = array<i64: 1, 1>} : (tensor<1024x1030xi32>) -> tensor<1x1030xi32>
  %a0b = xla.slice %x {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1023, 1030>, strides = array<i64: 1, 1>} : (tensor<1024x1030xi32>) -> tensor<1023x1030xi32>
  %a0 = xla.concatenate %a0a, %a0b {dimension = 0 : i64} : (tensor<1x1030xi32>, tensor<1023x1030xi32>) -> tensor<1024x1030xi32>
  %a1a = xla.slice %x {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 1024, 1030>, strides = array<i64: 1, 1>} : (tensor<1024x1030xi32>) -> tensor<1023x1030xi32>
  %a1b = xla.slice %x {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1, 1030>, strides = array<i64: 1, 1>} : (tensor<1024x1030xi32>) -> tensor<1x1030xi32>
  %a1 = xla.concatenate %a1a, %a1b {dimension = 0 : i64} : (tensor<1023x1030xi32>, tensor<1x1030xi32>) -> tensor<1024x1030xi32>
  %a2a = xla.slice %x {start_indices = array<i64: 0, 1029>, limit_indices = array<i64: 1024, 1030>, strides = array<i64: 1, 1>} : (tensor<1024x1030xi32>) -> tensor<1024x1xi32>
  %a2b = xla.slice %x {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1024, 1029>, strides = array<i64: 1, 1>} : (tensor<1024x1030xi32>) -> tensor<1024x1029xi32>
  %a2 = xla.concatenate %a2a, %a2b {dimension = 1 : i64} : (tensor<1024x1xi32>, tensor<1024x1029xi32>) -> tensor<1024x1030xi32>
  %a3a = xla.slice %x {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 1024, 1030>, strides = array<i64: 1, 1>} : (tensor<1024x1030xi32>) -> tensor<1024x1029xi32>
  %a3b = xla.slice %x {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1024, 1>, strides = array<i64: 1, 1>} : (tensor<1024x1030xi32>) -> tensor<1024x1xi32>
  %a3 = xla.concatenate %a3a, %a3b {dimension = 1 : i64} : (tensor<1024x1029xi32>, tensor<1024x1xi32>) -> tensor<1024x1030xi32>
  %as = xla.add %a0, %a1 : tensor<1024x1030xi32>
  %at = xla.subtract %a2, %a3 : tensor<1024x1030xi32>
  %au = xla.multiply %as, %at : tensor<1024x1030xi32>
  %aq = xla.divide %au, %a0 : tensor<1024x1030xi32>
  %av = xla.remainder %aq, %a2 : tensor<1024x1030xi32>
  %a = xla.add %av, %x : tensor<1024x1030xi32>
  %b0a = xla.slice %a {start_indices = array<i64: 1023, 0>, limit_indices = array<i64: 1024, 1030>, strides = array<i64: 1, 1>} : (tensor<1024x1030xi32>) -> tensor<1x1030xi32>
  %b0b = xla.slice %a {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1023, 1030>, strides = array<i64: 1, 1>} : (tensor<1024x1030xi32>) -> tensor<1023x1030xi32>
  %b0 = xla.concatenate %b0a, %b0b {dimension = 0 : i64} : (tensor<1x1030xi32>, tensor<1023x1030xi32>) -> tensor<1024x1030xi32>
  %b1a = xla.slice %a {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 1024, 1030>, strides = array<i64: 1, 1>} : (tensor<1024x1030xi32>) -> tensor<1023x1030xi32>
  %b1b = xla.slice %a {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1, 1030>, strides = array<i64: 1, 1>} : (tensor<1024x1030xi32>) -> tensor<1x1030xi32>
  %b1 = xla.concatenate %b1a, %b1b {dimension = 0 : i64} : (tensor<1023x1030xi32>, tensor<1x1030xi32>) -> tensor<1024x1030xi32>
  %b2a = xla.slice %a {start_indices = array<i64: 0, 1029>, limit_indices = array<i64: 1024, 1030>, strides = array<i64: 1, 1>} : (tensor<1024x1030xi32>) -> tensor<1024x1xi32>
  %b2b = xla.slice %a {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1024, 1029>, strides = array<i64: 1, 1>} : (tensor<1024x1030xi32>) -> tensor<1024x1029xi32>
  %b2 = xla.concatenate %b2a, %b2b {dimension = 1 : i64} : (tensor<1024x1xi32>, tensor<1024x1029xi32>) -> tensor<1024x1030xi32>
  %b3a = xla.slice %a {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 1024, 1030>, strides = array<i64: 1, 1>} : (tensor<1024x1030xi32>) -> tensor<1024x1029xi32>
  %b3b = xla.slice %a {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1024, 1>, strides = array<i64: 1, 1>} : (tensor<1024x1030xi32>) -> tensor<1024x1xi32>
  %b3 = xla.concatenate %b3a, %b3b {dimension = 1 : i64} : (tensor<1024x1029xi32>, tensor<1024x1xi32>) -> tensor<1024x1030xi32>
  %bs = xla.add %b0, %b1 : tensor<1024x1030xi32>
  %bt = xla.subtract %b2, %b3 : tensor<1024x1030xi32>
  %bu = xla.multiply %bs, %bt : tensor<1024x1030xi32>
  %bq = xla.divide %bu, %b0 : tensor<1024x1030xi32>
  %bv = xla.remainder %bq, %b2 : tensor<1024x1030xi32>
  %b = xla.add %bv, %a : tensor<1024x1030xi32>
  return %b : tensor<1024x1030xi32>
}
