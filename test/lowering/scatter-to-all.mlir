// A scatter whose windows meet has, on Vulkan, what computes its operand and what works on its result in its own kernel, over all
// elements; the sort of its places has what computes these.
// REQUIRES: vulkan
// RUN: xla-run %s --device=all --seed=3 --output=none
// RUN: xla-run %s --device=all --seed=4 --output=none --machine=gpu=1
// RUN: xla-run %s --entry=loop --device=all --seed=5 --output=none
// RUN: xla-opt %s --xla-vulkan-pipeline="to=prepared report" -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNELS
// RUN: xla-run %s --entry=loop --device=vulkan --seed=5 --stats --output=none 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: not xla-opt %s --xla-legalize=entry=sorted --convert-xla-to-linalg -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUSED

// KERNELS: 1 sort {{.*}} remainder, sort of tensor<90xi32>
// KERNELS-NEXT: 2 scatter {{.*}} tanh, sine, gather, add of tensor<40x12xf32>
func.func private @rows(%x: tensor<40x12xf32>, %i: tensor<90xi32>, %u: tensor<90x12xf32>, %b: tensor<12xf32>) -> tensor<40x12xf32> {
  %c = xla.constant dense<45> : tensor<90xi32>
  %at = xla.remainder %i, %c : tensor<90xi32>
  %t = xla.tanh %x : tensor<40x12xf32>
  %s = xla.sine %u : tensor<90x12xf32>
  %0 = xla.scatter(%t, %at, %s) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %d = xla.subtract %q, %p : tensor<f32>
    xla.return %d : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<40x12xf32>, tensor<90xi32>, tensor<90x12xf32>) -> tensor<40x12xf32>
  %r = xla.add %0, %b {broadcast_dimensions = [1]} : (tensor<40x12xf32>, tensor<12xf32>) -> tensor<40x12xf32>
  return %r : tensor<40x12xf32>
}

// A histogram: of a constant, at elements of a vector.
// KERNELS-NEXT: 3 sort {{.*}} sort of tensor<3000xi32>
// KERNELS-NEXT: 4 scatter {{.*}} gather, scatter of tensor<250xi32>
func.func private @histogram(%i: tensor<3000xi32>) -> tensor<250xi32> {
  %zero = xla.constant dense<0> : tensor<250xi32>
  %one = xla.constant dense<1> : tensor<3000xi32>
  %c = xla.constant dense<255> : tensor<3000xi32>
  %at = xla.and %i, %c : tensor<3000xi32>
  %0 = xla.scatter(%zero, %at, %one) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = xla.add %p, %q : tensor<i32>
    xla.return %s : tensor<i32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<250xi32>, tensor<3000xi32>, tensor<3000xi32>) -> tensor<250xi32>
  return %0 : tensor<250xi32>
}

// Two inputs, one of which is computed and one worked on; the result itself is needed, and so is what is scattered to.
// KERNELS-NEXT: 5 sort
// KERNELS-NEXT: 6 scatter
func.func private @two(%x: tensor<60xbf16>, %y: tensor<60xi8>, %i: tensor<70xi16>, %u: tensor<70xbf16>, %v: tensor<70xi8>) -> (tensor<60xbf16>, tensor<60xbf16>, tensor<60xi8>) {
  %n = xla.negate %x : tensor<60xbf16>
  %c = xla.constant dense<60> : tensor<70xi16>
  %at = xla.remainder %i, %c : tensor<70xi16>
  %0:2 = xla.scatter(%n, %y, %at, %u, %v) ({
  ^bb0(%p: tensor<bf16>, %q: tensor<i8>, %r: tensor<bf16>, %s: tensor<i8>):
    %more = xla.compare %r, %p {comparison_direction = "GT"} : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %a = xla.select %more, %r, %p : (tensor<i1>, tensor<bf16>, tensor<bf16>) -> tensor<bf16>
    %b = xla.subtract %s, %q : tensor<i8>
    xla.return %a, %b : tensor<bf16>, tensor<i8>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<60xbf16>, tensor<60xi8>, tensor<70xi16>, tensor<70xbf16>, tensor<70xi8>) -> (tensor<60xbf16>, tensor<60xi8>)
  %two = xla.constant dense<2> : tensor<60xi8>
  %m = xla.multiply %0#1, %two : tensor<60xi8>
  return %n, %0#0, %m : tensor<60xbf16>, tensor<60xbf16>, tensor<60xi8>
}

// Updates that are computed from what is updated, and places from its result before.
// KERNELS-NEXT: 7 sort
// KERNELS-NEXT: 8 scatter
// KERNELS-NOT: 9 {{loop|-}}
func.func private @own(%x: tensor<64xi32>) -> tensor<64xi32> {
  %c = xla.constant dense<64> : tensor<64xi32>
  %at = xla.remainder %x, %c : tensor<64xi32>
  %y = xla.negate %x : tensor<64xi32>
  %z = xla.multiply %x, %x : tensor<64xi32>
  %0 = xla.scatter(%z, %at, %y) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = xla.subtract %q, %p : tensor<i32>
    xla.return %s : tensor<i32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
  %1 = xla.add %0, %x : tensor<64xi32>
  return %1 : tensor<64xi32>
}

func.func @main(%rows_x: tensor<40x12xf32>, %rows_i: tensor<90xi32>, %rows_u: tensor<90x12xf32>, %rows_b: tensor<12xf32>, %histogram_i: tensor<3000xi32>, %two_x: tensor<60xbf16>, %two_y: tensor<60xi8>, %two_i: tensor<70xi16>, %two_u: tensor<70xbf16>, %two_v: tensor<70xi8>, %own_x: tensor<64xi32>) -> (tensor<40x12xf32>, tensor<250xi32>, tensor<60xbf16>, tensor<60xbf16>, tensor<60xi8>, tensor<64xi32>) {
  %rows = call @rows(%rows_x, %rows_i, %rows_u, %rows_b) : (tensor<40x12xf32>, tensor<90xi32>, tensor<90x12xf32>, tensor<12xf32>) -> tensor<40x12xf32>
  %histogram = call @histogram(%histogram_i) : (tensor<3000xi32>) -> tensor<250xi32>
  %two:3 = call @two(%two_x, %two_y, %two_i, %two_u, %two_v) : (tensor<60xbf16>, tensor<60xi8>, tensor<70xi16>, tensor<70xbf16>, tensor<70xi8>) -> (tensor<60xbf16>, tensor<60xbf16>, tensor<60xi8>)
  %own = call @own(%own_x) : (tensor<64xi32>) -> tensor<64xi32>
  return %rows, %histogram, %two#0, %two#1, %two#2, %own : tensor<40x12xf32>, tensor<250xi32>, tensor<60xbf16>, tensor<60xbf16>, tensor<60xi8>, tensor<64xi32>
}

// The state of a loop is changed in place, where updates read nothing of it.
// LOOP: vulkan: arena {{ *}}1280 bytes
func.func @loop(%x: tensor<64x4xf32>, %i: tensor<80xi32>, %u: tensor<80x4xf32>) -> tensor<64x4xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %c = xla.constant dense<64> : tensor<80xi32>
  %at = xla.remainder %i, %c : tensor<80xi32>
  %n:2 = xla.while(%zero, %x) ({
  ^bb0(%k: tensor<i32>, %s: tensor<64x4xf32>):
    %last = xla.constant dense<5> : tensor<i32>
    %more = xla.compare %k, %last {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %more : tensor<i1>
  }, {
  ^bb0(%k: tensor<i32>, %s: tensor<64x4xf32>):
    %one = xla.constant dense<1> : tensor<i32>
    %half = xla.constant dense<0.5> : tensor<64x4xf32>
    %next = xla.add %k, %one : tensor<i32>
    %t = xla.scatter(%s, %at, %u) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %d = xla.subtract %q, %p : tensor<f32>
      xla.return %d : tensor<f32>
    }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<64x4xf32>, tensor<80xi32>, tensor<80x4xf32>) -> tensor<64x4xf32>
    %h = xla.multiply %t, %half : tensor<64x4xf32>
    xla.return %next, %h : tensor<i32>, tensor<64x4xf32>
  }) : (tensor<i32>, tensor<64x4xf32>) -> (tensor<i32>, tensor<64x4xf32>)
  return %n#1 : tensor<64x4xf32>
}

// Such a kernel is for devices that apply windows at once.
// REFUSED: error: 'xla.scatter' op is lowered with what computes its inputs or works on its results where
func.func @sorted(%x: tensor<64xf32>, %i: tensor<80xi32>, %u: tensor<80xf32>) -> tensor<64xf32> {
  %0 = xla.fusion(%x, %i, %u) ({
  ^bb0(%a: tensor<64xf32>, %b: tensor<80xi32>, %c: tensor<80xf32>):
    %t = xla.scatter(%a, %b, %c) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      xla.return %q : tensor<f32>
    }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1, indices_are_sorted = true} : (tensor<64xf32>, tensor<80xi32>, tensor<80xf32>) -> tensor<64xf32>
    %n = xla.negate %t : tensor<64xf32>
    xla.return %n : tensor<64xf32>
  }) {kind = "scatter"} : (tensor<64xf32>, tensor<80xi32>, tensor<80xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
