// A scatter computes its indices and its updates where it uses them, in its own kernel, in place: unless they are computed from what it
// changes, or take longer there.
// RUN: xla-opt %s --xla-cpu-pipeline=to=prepared | FileCheck %s
// RUN: xla-opt %s --xla-attach-target="device=llvmpipe" --xla-vulkan-pipeline=to=prepared | FileCheck %s --check-prefix=GPU
// RUN: xla-run %s --device=all --seed=3 --output=none
// RUN: xla-run %s --device=all --seed=4 --output=none --machine=gpu=1
// RUN: xla-run %s --device=all --seed=5 --output=none --cpu=x86-64
// RUN: xla-opt %s --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=HOST

// Indices outside of the array, and several for a row.
// CHECK: xla.fusion
// CHECK: xla.remainder
// CHECK: xla.exponential
// CHECK-NOT: xla.return
// CHECK: xla.scatter
// CHECK: kind = "scatter"
// GPU: xla.sort
// GPU: xla.fusion
// GPU: xla.exponential
// GPU: xla.shift_right_logical
// GPU: xla.gather
// GPU-NOT: xla.return
// GPU: xla.scatter
// GPU: kind = "scatter"
func.func private @rows(%x: tensor<100x40xf32>, %i: tensor<64xi32>, %u: tensor<64x40xbf16>, %f: tensor<40xf32>) -> tensor<100x40xf32> {
  %c = xla.constant dense<120> : tensor<64xi32>
  %at = xla.remainder %i, %c : tensor<64xi32>
  %v = xla.convert %u : (tensor<64x40xbf16>) -> tensor<64x40xf32>
  %b = xla.broadcast_in_dim %f {broadcast_dimensions = [1]} : (tensor<40xf32>) -> tensor<64x40xf32>
  %m = xla.minimum %v, %b : tensor<64x40xf32>
  %e = xla.exponential %m : tensor<64x40xf32>
  %0 = xla.scatter(%x, %at, %e) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.subtract %q, %p : tensor<f32>
    xla.return %s : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<100x40xf32>, tensor<64xi32>, tensor<64x40xf32>) -> tensor<100x40xf32>
  return %0 : tensor<100x40xf32>
}

// Coordinates side by side, one of them a position; two inputs, of which one gets a constant.
// CHECK-NEXT: xla.fusion
// CHECK: xla.iota
// CHECK: xla.concatenate
// CHECK-NOT: xla.return
// CHECK: xla.scatter
// CHECK: kind = "scatter"
// GPU-NEXT: xla.fusion
// GPU: xla.concatenate
// GPU-NOT: xla.return
// GPU: xla.scatter
// GPU: kind = "scatter"
func.func private @pairs(%x: tensor<20x7xf32>, %y: tensor<20x7xi32>, %j: tensor<20xi32>, %u: tensor<21x1xf32>) -> (tensor<20x7xf32>, tensor<20x7xi32>) {
  %i = xla.iota {iota_dimension = 0 : i64} : () -> tensor<20x1xi32>
  %seven = xla.constant dense<8> : tensor<20xi32>
  %k = xla.remainder %j, %seven : tensor<20xi32>
  %l = xla.reshape %k : (tensor<20xi32>) -> tensor<20x1xi32>
  %at = xla.concatenate %i, %l {dimension = 1 : i64} : (tensor<20x1xi32>, tensor<20x1xi32>) -> tensor<20x2xi32>
  %v = xla.slice %u {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 21, 1>, strides = array<i64: 1, 1>} : (tensor<21x1xf32>) -> tensor<20x1xf32>
  %w = xla.reshape %v : (tensor<20x1xf32>) -> tensor<20xf32>
  %t = xla.tanh %w : tensor<20xf32>
  %one = xla.constant dense<5> : tensor<20xi32>
  %0:2 = xla.scatter(%x, %y, %at, %t, %one) ({
  ^bb0(%p: tensor<f32>, %q: tensor<i32>, %r: tensor<f32>, %s: tensor<i32>):
    %more = xla.compare %r, %p {comparison_direction = "GT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %a = xla.select %more, %r, %p : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %b = xla.add %q, %s : tensor<i32>
    xla.return %a, %b : tensor<f32>, tensor<i32>
  }) {inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1, unique_indices = true} : (tensor<20x7xf32>, tensor<20x7xi32>, tensor<20x2xi32>, tensor<20xf32>, tensor<20xi32>) -> (tensor<20x7xf32>, tensor<20x7xi32>)
  return %0#0, %0#1 : tensor<20x7xf32>, tensor<20x7xi32>
}

// Updates that are computed from what is updated are there before; it is in place, but for the first copy.
// CHECK: xla.while
// CHECK: xla.negate
// CHECK-NEXT: xla.fusion
// CHECK: xla.scatter
// CHECK: kind = "scatter"
// HOST: scf.while
// HOST-NOT: memref.copy {{.*}} : memref<64x16xf32>
// HOST: scf.yield
func.func private @own(%x: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %n:2 = xla.while(%zero, %x) ({
  ^bb0(%i: tensor<i32>, %s: tensor<64x16xf32>):
    %last = xla.constant dense<5> : tensor<i32>
    %more = xla.compare %i, %last {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %more : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %s: tensor<64x16xf32>):
    %one = xla.constant dense<1> : tensor<i32>
    %next = xla.add %i, %one : tensor<i32>
    %up = xla.iota {iota_dimension = 0 : i64} : () -> tensor<64xi32>
    %ahead = xla.broadcast_in_dim %next {broadcast_dimensions = []} : (tensor<i32>) -> tensor<64xi32>
    %at = xla.add %up, %ahead : tensor<64xi32>
    %u = xla.negate %s : tensor<64x16xf32>
    %t = xla.scatter(%s, %at, %u) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      xla.return %q : tensor<f32>
    }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1, unique_indices = true} : (tensor<64x16xf32>, tensor<64xi32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    xla.return %next, %t : tensor<i32>, tensor<64x16xf32>
  }) : (tensor<i32>, tensor<64x16xf32>) -> (tensor<i32>, tensor<64x16xf32>)
  return %n#1 : tensor<64x16xf32>
}

// One array is what is updated, and, as it is, the updates.
func.func private @twice(%x: tensor<64x16xf32>, %i: tensor<64xi32>, %f: tensor<f32>) -> tensor<64x16xf32> {
  %c = xla.constant dense<64> : tensor<64xi32>
  %at = xla.remainder %i, %c : tensor<64xi32>
  %y = xla.tanh %x : tensor<64x16xf32>
  %t = xla.scatter(%y, %at, %y) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.subtract %q, %p : tensor<f32>
    xla.return %s : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<64x16xf32>, tensor<64xi32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %z = xla.scatter(%t, %at, %t) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.subtract %q, %p : tensor<f32>
    %v = xla.add %s, %f : tensor<f32>
    xla.return %v : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<64x16xf32>, tensor<64xi32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  return %z : tensor<64x16xf32>
}

// Parts that begin at computed places, in order and by threads.
func.func private @parts(%x: tensor<50x12xf32>, %y: tensor<50x12xf32>, %i: tensor<90xi32>, %u: tensor<90x24xf32>, %at: tensor<i32>) -> (tensor<50x12xf32>, tensor<50x12xf32>) {
  %c = xla.constant dense<60> : tensor<90xi32>
  %r = xla.remainder %i, %c : tensor<90xi32>
  %two = xla.constant dense<2> : tensor<i32>
  %n = xla.constant dense<11> : tensor<i32>
  %m = xla.remainder %at, %n : tensor<i32>
  %k = xla.multiply %m, %two : tensor<i32>
  %j = xla.dynamic_slice %r, %k {slice_sizes = array<i64: 70>} : (tensor<90xi32>, tensor<i32>) -> tensor<70xi32>
  %v = xla.dynamic_slice %u, %k, %m {slice_sizes = array<i64: 70, 12>} : (tensor<90x24xf32>, tensor<i32>, tensor<i32>) -> tensor<70x12xf32>
  %0 = xla.scatter(%x, %j, %v) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.subtract %q, %p : tensor<f32>
    xla.return %s : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<50x12xf32>, tensor<70xi32>, tensor<70x12xf32>) -> tensor<50x12xf32>
  %l = xla.iota {iota_dimension = 0 : i64} : () -> tensor<30xi32>
  %w = xla.dynamic_slice %u, %k, %m {slice_sizes = array<i64: 30, 12>} : (tensor<90x24xf32>, tensor<i32>, tensor<i32>) -> tensor<30x12xf32>
  %1 = xla.scatter(%y, %l, %w) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.subtract %q, %p : tensor<f32>
    xla.return %s : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1, unique_indices = true} : (tensor<50x12xf32>, tensor<30xi32>, tensor<30x12xf32>) -> tensor<50x12xf32>
  return %0, %1 : tensor<50x12xf32>, tensor<50x12xf32>
}

// A costly vector is computed once, not for each row.
// CHECK: xla.tanh %{{.*}} : tensor<256xf32>
// CHECK-NEXT: xla.fusion
// CHECK: xla.scatter
// CHECK: kind = "scatter"
func.func private @repeated(%x: tensor<1000x256xf32>, %i: tensor<2000xi32>, %f: tensor<256xf32>) -> tensor<1000x256xf32> {
  %c = xla.constant dense<1000> : tensor<2000xi32>
  %at = xla.remainder %i, %c : tensor<2000xi32>
  %t = xla.tanh %f : tensor<256xf32>
  %u = xla.broadcast_in_dim %t {broadcast_dimensions = [1]} : (tensor<256xf32>) -> tensor<2000x256xf32>
  %0 = xla.scatter(%x, %at, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.add %p, %q : tensor<f32>
    xla.return %s : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<1000x256xf32>, tensor<2000xi32>, tensor<2000x256xf32>) -> tensor<1000x256xf32>
  return %0 : tensor<1000x256xf32>
}

// Windows of batches, a few in each, at coordinates that come first in the indices; updates lie transposed, and are padded.
// GPU: xla.fusion
// GPU: xla.pad
// GPU-NOT: xla.return
// GPU: xla.scatter
// GPU: kind = "scatter"
func.func private @windows(%x: tensor<3x9x10xf32>, %i: tensor<1x3x5xi8>, %u: tensor<9x15xf32>, %z: tensor<f32>) -> tensor<3x9x10xf32> {
  %c = xla.constant dense<12> : tensor<1x3x5xi8>
  %at = xla.remainder %i, %c : tensor<1x3x5xi8>
  %t = xla.transpose %u {permutation = [1, 0]} : (tensor<9x15xf32>) -> tensor<15x9xf32>
  %r = xla.reshape %t : (tensor<15x9xf32>) -> tensor<3x5x9xf32>
  %s = xla.slice %r {start_indices = array<i64: 0, 0, 1>, limit_indices = array<i64: 3, 5, 8>, strides = array<i64: 1, 1, 2>} : (tensor<3x5x9xf32>) -> tensor<3x5x4xf32>
  %w = xla.pad %s, %z {edge_padding_low = [0, 0, 1], edge_padding_high = [0, 0, 1], interior_padding = [0, 0, 1]} : (tensor<3x5x4xf32>, tensor<f32>) -> tensor<3x5x9xf32>
  %0 = xla.scatter(%x, %at, %w) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %m = xla.subtract %q, %p : tensor<f32>
    xla.return %m : tensor<f32>
  }) {update_window_dims = [2], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2], index_vector_dim = 0, input_batching_dims = [0], scatter_indices_batching_dims = [1]} : (tensor<3x9x10xf32>, tensor<1x3x5xi8>, tensor<3x5x9xf32>) -> tensor<3x9x10xf32>
  return %0 : tensor<3x9x10xf32>
}

func.func @main(%rows_x: tensor<100x40xf32>, %rows_i: tensor<64xi32>, %rows_u: tensor<64x40xbf16>, %rows_f: tensor<40xf32>, %pairs_x: tensor<20x7xf32>, %pairs_y: tensor<20x7xi32>, %pairs_j: tensor<20xi32>, %pairs_u: tensor<21x1xf32>, %own_x: tensor<64x16xf32>, %twice_x: tensor<64x16xf32>, %twice_i: tensor<64xi32>, %twice_f: tensor<f32>, %parts_x: tensor<50x12xf32>, %parts_y: tensor<50x12xf32>, %parts_i: tensor<90xi32>, %parts_u: tensor<90x24xf32>, %parts_at: tensor<i32>, %repeated_x: tensor<1000x256xf32>, %repeated_i: tensor<2000xi32>, %repeated_f: tensor<256xf32>, %windows_x: tensor<3x9x10xf32>, %windows_i: tensor<1x3x5xi8>, %windows_u: tensor<9x15xf32>, %windows_z: tensor<f32>) -> (tensor<100x40xf32>, tensor<20x7xf32>, tensor<20x7xi32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<50x12xf32>, tensor<50x12xf32>, tensor<1000x256xf32>, tensor<3x9x10xf32>) {
  %rows = call @rows(%rows_x, %rows_i, %rows_u, %rows_f) : (tensor<100x40xf32>, tensor<64xi32>, tensor<64x40xbf16>, tensor<40xf32>) -> (tensor<100x40xf32>)
  %pairs:2 = call @pairs(%pairs_x, %pairs_y, %pairs_j, %pairs_u) : (tensor<20x7xf32>, tensor<20x7xi32>, tensor<20xi32>, tensor<21x1xf32>) -> (tensor<20x7xf32>, tensor<20x7xi32>)
  %own = call @own(%own_x) : (tensor<64x16xf32>) -> (tensor<64x16xf32>)
  %twice = call @twice(%twice_x, %twice_i, %twice_f) : (tensor<64x16xf32>, tensor<64xi32>, tensor<f32>) -> (tensor<64x16xf32>)
  %parts:2 = call @parts(%parts_x, %parts_y, %parts_i, %parts_u, %parts_at) : (tensor<50x12xf32>, tensor<50x12xf32>, tensor<90xi32>, tensor<90x24xf32>, tensor<i32>) -> (tensor<50x12xf32>, tensor<50x12xf32>)
  %repeated = call @repeated(%repeated_x, %repeated_i, %repeated_f) : (tensor<1000x256xf32>, tensor<2000xi32>, tensor<256xf32>) -> (tensor<1000x256xf32>)
  %windows = call @windows(%windows_x, %windows_i, %windows_u, %windows_z) : (tensor<3x9x10xf32>, tensor<1x3x5xi8>, tensor<9x15xf32>, tensor<f32>) -> (tensor<3x9x10xf32>)
  return %rows, %pairs#0, %pairs#1, %own, %twice, %parts#0, %parts#1, %repeated, %windows : tensor<100x40xf32>, tensor<20x7xf32>, tensor<20x7xi32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<50x12xf32>, tensor<50x12xf32>, tensor<1000x256xf32>, tensor<3x9x10xf32>
}

// HOST: func.func private @kernel_0
// HOST: scf.for
// HOST: linalg.generic
// HOST: math.exp
