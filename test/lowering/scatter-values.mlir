// Scatters on all devices, which must agree. Indices in [-2, 32) are made of bytes: some windows are not inside.
// RUN: xla-run %s --entry=rows --device=all --seed=3 | FileCheck %s --check-prefix=ROWS
// RUN: xla-run %s --entry=ordered --device=all --seed=3 | FileCheck %s --check-prefix=ORDERED
// RUN: xla-run %s --entry=windows --device=all --seed=3 | FileCheck %s --check-prefix=WINDOWS
// RUN: xla-run %s --entry=batches --device=all --seed=3 | FileCheck %s --check-prefix=BATCHES
// RUN: xla-run %s --entry=outer --device=all --seed=3 | FileCheck %s --check-prefix=OUTER
// RUN: xla-run %s --entry=one --device=all --input="2xs32=1 2" --input=s32=5 | FileCheck %s --check-prefix=ONE
// RUN: xla-run %s --entry=updated --device=cpu --seed=3 --print-ir-after=linalg 2>&1 | FileCheck %s --check-prefix=UPDATED

// ROWS: 30x2x3xf32=
func.func @rows(%x: tensor<30x2x3xf32>, %b: tensor<100x2xui8>, %u: tensor<100x3xf32>) -> tensor<30x2x3xf32> {
  %i = func.call @places(%b) : (tensor<100x2xui8>) -> tensor<100x2xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = xla.add %p, %q : tensor<f32>
    xla.return %s : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1} : (tensor<30x2x3xf32>, tensor<100x2xi32>, tensor<100x3xf32>) -> tensor<30x2x3xf32>
  return %0 : tensor<30x2x3xf32>
}
func.func private @places(%b: tensor<100x2xui8>) -> tensor<100x2xi32> {
  %s = xla.constant dense<8> : tensor<ui8>
  %d = xla.divide %b, %s : (tensor<100x2xui8>, tensor<ui8>) -> tensor<100x2xui8>
  %w = xla.convert %d : (tensor<100x2xui8>) -> tensor<100x2xi32>
  %two = xla.constant dense<2> : tensor<i32>
  %i = xla.subtract %w, %two : (tensor<100x2xi32>, tensor<i32>) -> tensor<100x2xi32>
  return %i : tensor<100x2xi32>
}

// Each update counts in its turn: an order of digits.
// ORDERED: 7xs32=
func.func @ordered(%b: tensor<100x2xui8>, %u: tensor<200xui8>) -> tensor<7xi32> {
  %i = func.call @places(%b) : (tensor<100x2xui8>) -> tensor<100x2xi32>
  %j = xla.reshape %i : (tensor<100x2xi32>) -> tensor<200x1xi32>
  %zero = xla.constant dense<1> : tensor<7xi32>
  %v = xla.convert %u : (tensor<200xui8>) -> tensor<200xi32>
  %0 = xla.scatter(%zero, %j, %v) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %five = xla.constant dense<5> : tensor<i32>
    %m = xla.multiply %p, %five : tensor<i32>
    %s = xla.add %m, %q : tensor<i32>
    xla.return %s : tensor<i32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<7xi32>, tensor<200x1xi32>, tensor<200xi32>) -> tensor<7xi32>
  return %0 : tensor<7xi32>
}

// Of two coordinates, in another order, over parts of the inputs; two inputs, of which the larger wins.
// WINDOWS: 30x4x29xf32=
// WINDOWS: 30x4x29xs32=
func.func @windows(%x: tensor<30x4x29xf32>, %b: tensor<100x2xui8>, %u: tensor<2x100x3x5xf32>) -> (tensor<30x4x29xf32>, tensor<30x4x29xi32>) {
  %i = func.call @places(%b) : (tensor<100x2xui8>) -> tensor<100x2xi32>
  %n = xla.constant dense<-1> : tensor<30x4x29xi32>
  %k = xla.iota {iota_dimension = 1} : () -> tensor<2x100x3x5xi32>
  %0:2 = xla.scatter(%x, %n, %i, %u, %k) ({
  ^bb0(%p: tensor<f32>, %pi: tensor<i32>, %q: tensor<f32>, %qi: tensor<i32>):
    %c = xla.compare %q, %p {comparison_direction = "GT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = xla.select %c, %q, %p : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %w = xla.select %c, %qi, %pi : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %v, %w : tensor<f32>, tensor<i32>
  }) {update_window_dims = [0, 2, 3], scatter_dims_to_operand_dims = [2, 0], index_vector_dim = 1} : (tensor<30x4x29xf32>, tensor<30x4x29xi32>, tensor<100x2xi32>, tensor<2x100x3x5xf32>, tensor<2x100x3x5xi32>) -> (tensor<30x4x29xf32>, tensor<30x4x29xi32>)
  return %0#0, %0#1 : tensor<30x4x29xf32>, tensor<30x4x29xi32>
}

// The vector of coordinates first, batches last.
// BATCHES: 9x6x2xs64=
func.func @batches(%x: tensor<9x6x2xi64>, %b: tensor<100x2xui8>, %u: tensor<50x2x6xi16>) -> tensor<9x6x2xi64> {
  %i = func.call @places(%b) : (tensor<100x2xui8>) -> tensor<100x2xi32>
  %j = xla.reshape %i : (tensor<100x2xi32>) -> tensor<2x50x2xi32>
  %k = xla.slice %j {start_indices = [0, 0, 0], limit_indices = [1, 50, 2], strides = [1, 1, 1]} : (tensor<2x50x2xi32>) -> tensor<1x50x2xi32>
  %v = xla.convert %u : (tensor<50x2x6xi16>) -> tensor<50x2x6xi64>
  %0 = xla.scatter(%x, %k, %v) ({
  ^bb0(%p: tensor<i64>, %q: tensor<i64>):
    %s = xla.subtract %q, %p : tensor<i64>
    xla.return %s : tensor<i64>
  }) {update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [2], scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [0], index_vector_dim = 0} : (tensor<9x6x2xi64>, tensor<1x50x2xi32>, tensor<50x2x6xi64>) -> tensor<9x6x2xi64>
  return %0 : tensor<9x6x2xi64>
}

// A computation that uses values of the program.
// OUTER: 9xf32=
func.func @outer(%x: tensor<9xf32>, %b: tensor<100x2xui8>, %u: tensor<200xf32>, %o: tensor<f32>) -> tensor<9xf32> {
  %i = func.call @places(%b) : (tensor<100x2xui8>) -> tensor<100x2xi32>
  %j = xla.reshape %i : (tensor<100x2xi32>) -> tensor<200x1xi32>
  %0 = xla.scatter(%x, %j, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %m = xla.multiply %q, %o : tensor<f32>
    %s = xla.maximum %p, %m : tensor<f32>
    xla.return %s : tensor<f32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<9xf32>, tensor<200x1xi32>, tensor<200xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// ONE: 2xs32=1 5
func.func @one(%x: tensor<2xi32>, %u: tensor<i32>) -> tensor<2xi32> {
  %i = xla.constant dense<1> : tensor<1xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    xla.return %q : tensor<i32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0} : (tensor<2xi32>, tensor<1xi32>, tensor<i32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// What is updated lies where the result does, if nothing else reads it.
// UPDATED-NOT: memref.copy
// UPDATED: call @kernel_1
// UPDATED-NOT: memref.copy
func.func @updated(%x: tensor<9xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>) -> tensor<9xf32> {
  %n = xla.negate %x : tensor<9xf32>
  %0 = xla.scatter(%n, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    xla.return %q : tensor<f32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<9xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<9xf32>
  %1 = xla.negate %0 : tensor<9xf32>
  return %1 : tensor<9xf32>
}
