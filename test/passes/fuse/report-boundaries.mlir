// What the report says of slices, products, updates, loops, calls and views.
// RUN: xla-opt %s --xla-fuse=report -o /dev/null 2>&1 | FileCheck %s

// Two halves of one array are both read: 2 x 256 KiB.
// CHECK: @halves: kernels for cpu
// CHECK: 1 contraction {{.*}} dot_general of tensor<256x256xf32> {{ *}}inputs {{ *}}512.0 KiB {{ *}}256.0 KiB
// CHECK: operations in 1 kernel; bytes read and written: 786432,
func.func @halves(%x: tensor<2x256x256xf32>) -> tensor<256x256xf32> {
  %a = xla.slice %x {start_indices = [0, 0, 0], limit_indices = [1, 256, 256]} : (tensor<2x256x256xf32>) -> tensor<1x256x256xf32>
  %b = xla.slice %x {start_indices = [1, 0, 0], limit_indices = [2, 256, 256]} : (tensor<2x256x256xf32>) -> tensor<1x256x256xf32>
  %p = xla.reshape %a : (tensor<1x256x256xf32>) -> tensor<256x256xf32>
  %q = xla.reshape %b : (tensor<1x256x256xf32>) -> tensor<256x256xf32>
  %c = xla.dot_general %p, %q {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]} : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %c : tensor<256x256xf32>
}

// Parts of what a product's kernel writes, behind a view that mixes dimensions, are read where products load them.
// CHECK: @parts
// CHECK: kernel 1 -> 2, 3: add [[@LINE+5]]:8 of tensor<64x96xf32>
// CHECK-NEXT: this is a result of a product; nothing to change
// CHECK-NEXT: 6 operations in 3 kernels
func.func @parts(%x: tensor<64x64xf32>, %w: tensor<64x96xf32>, %z: tensor<32x16xf32>, %y: tensor<32x16xf32>) -> (tensor<64x16xf32>, tensor<64x16xf32>) {
  %h = xla.dot_general %x, %w {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]} : (tensor<64x64xf32>, tensor<64x96xf32>) -> tensor<64x96xf32>
  %s = xla.add %h, %h : tensor<64x96xf32>
  %r = xla.reshape %s : (tensor<64x96xf32>) -> tensor<64x3x32xf32>
  %q = xla.slice %r {start_indices = [0, 0, 0], limit_indices = [64, 1, 32]} : (tensor<64x3x32xf32>) -> tensor<64x1x32xf32>
  %k = xla.slice %r {start_indices = [0, 2, 0], limit_indices = [64, 3, 32]} : (tensor<64x3x32xf32>) -> tensor<64x1x32xf32>
  %a = xla.reshape %q : (tensor<64x1x32xf32>) -> tensor<64x32xf32>
  %b = xla.reshape %k : (tensor<64x1x32xf32>) -> tensor<64x32xf32>
  %u = xla.dot_general %a, %z {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]} : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  %v = xla.dot_general %b, %y {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]} : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  return %u, %v : tensor<64x16xf32>, tensor<64x16xf32>
}

// Products of one operand could be one; that of another type could not.
// CHECK: @three
// CHECK: kernel 1 -> 2, 3, 4: tanh
// CHECK: kernels 2 and 3 (dot_general {{[0-9:]+}}, dot_general {{[0-9:]+}}) each read tanh {{[0-9:]+}}, 16.0 KiB: 2 reads where 1 would do
// CHECK-NEXT: to change that: concatenate their other operands
func.func @three(%x: tensor<64x64xf32>, %u: tensor<64x32xf32>, %v: tensor<64x16xf32>, %w: tensor<64x16xi8>) -> (tensor<64x32xf32>, tensor<64x16xf32>, tensor<64x16xbf16>) {
  %t = xla.tanh %x : tensor<64x64xf32>
  %a = xla.dot_general %t, %u {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]} : (tensor<64x64xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %b = xla.dot_general %t, %v {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]} : (tensor<64x64xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %c = xla.dot_general %t, %w {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]} : (tensor<64x64xf32>, tensor<64x16xi8>) -> tensor<64x16xbf16>
  return %a, %b, %c : tensor<64x32xf32>, tensor<64x16xf32>, tensor<64x16xbf16>
}

// An epilogue does not reach through a transpose.
// CHECK: @moved
// CHECK: kernel 1 -> 2: dot_general [[@LINE+3]]:8
// CHECK-NEXT: transpose moves it first; to change that: compute on it before the transpose, in the product's shape
func.func @moved(%x: tensor<64x48xf32>, %w: tensor<48x32xf32>) -> tensor<32x64xf32> {
  %p = xla.dot_general %x, %w {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]} : (tensor<64x48xf32>, tensor<48x32xf32>) -> tensor<64x32xf32>
  %t = xla.transpose %p {permutation = [1, 0]} : (tensor<64x32xf32>) -> tensor<32x64xf32>
  %n = xla.tanh %t : tensor<32x64xf32>
  return %n : tensor<32x64xf32>
}

// Two kernels add 1 for themselves: that does not move what the product's kernel writes.
// CHECK: @again
// CHECK: kernel 1 -> 2, 3: dot_general
// CHECK-NEXT: {{^    }}several kernels use what add makes of it, and compute that again instead of reading it; nothing to change
func.func @again(%x: tensor<64x48xf32>, %w: tensor<48x32xf32>) -> (tensor<64x32xf32>, tensor<32xf32>) {
  %one = xla.constant dense<1.0> : tensor<64x32xf32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %p = xla.dot_general %x, %w {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]} : (tensor<64x48xf32>, tensor<48x32xf32>) -> tensor<64x32xf32>
  %a = xla.add %p, %one : tensor<64x32xf32>
  %s = xla.sort(%a) ({
  ^bb0(%b: tensor<f32>, %c: tensor<f32>):
    %l = xla.compare %b, %c {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : tensor<64x32xf32>
  %t = xla.tanh %a : tensor<64x32xf32>
  %u = xla.multiply %t, %s : tensor<64x32xf32>
  %r = xla.reduce(%a, %zero) ({
  ^bb0(%b: tensor<f32>, %c: tensor<f32>):
    %l = xla.add %b, %c : tensor<f32>
    xla.return %l : tensor<f32>
  }) {dimensions = [0]} : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>
  return %u, %r : tensor<64x32xf32>, tensor<32xf32>
}

// A loop's regions are told apart, and an update in place writes what it updates: 4 x 4 numbers of f32.
// CHECK: @loop, region 0 of while
// CHECK: 1 {{.*}} compare of tensor<i1>
// CHECK: @loop, region 1 of while
// CHECK: dynamic_update_slice of tensor<64x4xf32> {{.*}}68 B {{ *}}64 B
// CHECK: 1 operation in 1 kernel;
func.func @loop(%x: tensor<64x4xf32>, %u: tensor<4x4xf32>) -> tensor<64x4xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%zero, %x) ({
  ^bb0(%i: tensor<i32>, %a: tensor<64x4xf32>):
    %n = xla.constant dense<9> : tensor<i32>
    %c = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<64x4xf32>):
    %z = xla.constant dense<0> : tensor<i32>
    %d = xla.dynamic_update_slice %a, %u, %i, %z : (tensor<64x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<64x4xf32>
    xla.return %i, %d : tensor<i32>, tensor<64x4xf32>
  }) : (tensor<i32>, tensor<64x4xf32>) -> (tensor<i32>, tensor<64x4xf32>)
  return %r#1 : tensor<64x4xf32>
}

// CHECK: @calls
// CHECK-NEXT: warning: 1 call of functions: nothing is fused across them
func.func @calls(%x: tensor<64x48xf32>, %w: tensor<48x32xf32>) -> tensor<32x64xf32> {
  %y = xla.negate %x : tensor<64x48xf32>
  %z = func.call @moved(%y, %w) : (tensor<64x48xf32>, tensor<48x32xf32>) -> tensor<32x64xf32>
  return %z : tensor<32x64xf32>
}

// Several slices of what is written for others; what a scan gives, and what rows of another form need.
// CHECK: @slices
// CHECK: kernel 1 -> 2: sine
// CHECK-NEXT: {{^    }}it is needed at several places: as it is, and where slice takes it (2 times); to change that: apply these to what it is computed from instead
func.func @slices(%x: tensor<66x48xf32>) -> (tensor<66x48xf32>, tensor<64x48xf32>) {
  %s = xla.sine %x : tensor<66x48xf32>
  %a = xla.slice %s {start_indices = [0, 0], limit_indices = [64, 48], strides = [1, 1]} : (tensor<66x48xf32>) -> tensor<64x48xf32>
  %b = xla.slice %s {start_indices = [2, 0], limit_indices = [66, 48], strides = [1, 1]} : (tensor<66x48xf32>) -> tensor<64x48xf32>
  %c = xla.add %a, %b : tensor<64x48xf32>
  return %s, %c : tensor<66x48xf32>, tensor<64x48xf32>
}

// CHECK: @scan
// CHECK: kernel 1 -> 2: associative_scan
// CHECK-NEXT: {{^    }}associative_scan has what computes its elements in its kernel, and nothing else; nothing to change
func.func @scan(%x: tensor<64x48xf32>) -> tensor<64xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.associative_scan(%x) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = xla.add %p, %q : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimension = 1 : i64} : (tensor<64x48xf32>) -> tensor<64x48xf32>
  %r = xla.reduce(%s, %zero) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = xla.add %p, %q : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = [1]} : (tensor<64x48xf32>, tensor<f32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// CHECK: @rows
// CHECK: kernel 1 -> 2: divide
// CHECK-NEXT: {{^    }}the two go over rows of different forms; to change that: reduce the same dimensions in both
func.func @rows(%x: tensor<64x48xf32>) -> (tensor<64xf32>, tensor<48xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %n = xla.constant dense<48.0> : tensor<64xf32>
  %s = xla.reduce(%x, %zero) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = xla.add %p, %q : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = [1]} : (tensor<64x48xf32>, tensor<f32>) -> tensor<64xf32>
  %m = xla.divide %s, %n : tensor<64xf32>
  %b = xla.broadcast_in_dim %m {broadcast_dimensions = [0]} : (tensor<64xf32>) -> tensor<64x48xf32>
  %d = xla.subtract %x, %b : tensor<64x48xf32>
  %e = xla.exponential %d : tensor<64x48xf32>
  %r = xla.reduce(%e, %zero) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = xla.add %p, %q : tensor<f32>
    xla.return %t : tensor<f32>
  }) {dimensions = [0]} : (tensor<64x48xf32>, tensor<f32>) -> tensor<48xf32>
  return %m, %r : tensor<64xf32>, tensor<48xf32>
}

// Sizes of 1 that a view leaves out are not what is against one kernel: here the rows are, there what reads it.
// CHECK: @column
// CHECK: kernel 1 -> 2: tanh [[@LINE+5]]:8 of tensor<64x1xf32>
// CHECK-NEXT: the kernel that reads it goes over rows, in which this cannot be computed; nothing to change
func.func @column(%t: tensor<64x100xf32>, %x: tensor<64x100xf32>, %z: tensor<f32>) -> (tensor<64x100xf32>, tensor<64x1xf32>) {
  %m = xla.constant dense<0.0> : tensor<f32>
  %s = xla.slice %t {start_indices = [0, 1], limit_indices = [64, 2]} : (tensor<64x100xf32>) -> tensor<64x1xf32>
  %h = xla.tanh %s : tensor<64x1xf32>
  %v = xla.reshape %h : (tensor<64x1xf32>) -> tensor<64xf32>
  %b = xla.broadcast_in_dim %v {broadcast_dimensions = [0]} : (tensor<64xf32>) -> tensor<64x100xf32>
  %a = xla.add %b, %x : tensor<64x100xf32>
  %r = xla.reduce(%a, %m) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %n = xla.add %p, %q : tensor<f32>
    xla.return %n : tensor<f32>
  }) {dimensions = [1]} : (tensor<64x100xf32>, tensor<f32>) -> tensor<64xf32>
  %c = xla.broadcast_in_dim %r {broadcast_dimensions = [0]} : (tensor<64xf32>) -> tensor<64x100xf32>
  %d = xla.divide %a, %c : tensor<64x100xf32>
  return %d, %h : tensor<64x100xf32>, tensor<64x1xf32>
}

// CHECK: @greatest
// CHECK: kernel 1 -> 2: reduce [[@LINE+4]]:8 of tensor<64xi32>
// CHECK-NEXT: the kernel that reads it does not go over the rows that are reduced here; nothing to change
func.func @greatest(%k: tensor<64x100xi32>, %x: tensor<64x100xf32>, %z: tensor<i32>) -> tensor<64xf32> {
  %i = xla.iota {iota_dimension = 0} : () -> tensor<64x1xi32>
  %m = xla.reduce(%k, %z) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %n = xla.maximum %p, %q : tensor<i32>
    xla.return %n : tensor<i32>
  }) {dimensions = [1]} : (tensor<64x100xi32>, tensor<i32>) -> tensor<64xi32>
  %j = xla.reshape %m : (tensor<64xi32>) -> tensor<64x1xi32>
  %c = xla.concatenate %i, %j {dimension = 1} : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x2xi32>
  %g = xla.gather %x, %c {collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1, slice_sizes = [1, 1]} : (tensor<64x100xf32>, tensor<64x2xi32>) -> tensor<64xf32>
  %e = xla.add %g, %g : tensor<64xf32>
  return %e : tensor<64xf32>
}

// Of others the shape is told in which it is read.
// CHECK: @mixed
// CHECK: kernel 1 -> 2: sort [[@LINE+3]]:8 of tensor<64x64xf32>
// CHECK-NEXT: it is read as tensor<4x1024xf32>: the two kernels go over different shapes; nothing to change
func.func @mixed(%x: tensor<64x64xf32>) -> tensor<4x1024xf32> {
  %s = xla.sort %x {dimension = 1} : tensor<64x64xf32>
  %r = xla.reshape %s : (tensor<64x64xf32>) -> tensor<4x1024xf32>
  %e = xla.sort %r {dimension = 1} : tensor<4x1024xf32>
  return %e : tensor<4x1024xf32>
}
