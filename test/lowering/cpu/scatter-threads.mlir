// Threads take parts of a scatter that do not meet: of its batches, of windows
// that are apart, or the same part of all windows, which stay in their order.
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=3" --xla-legalize=entry=rows --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=ROWS
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=3" --xla-legalize=entry=computed --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=COMPUTED
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=3" --xla-legalize=entry=windows --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=WINDOWS
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=3" --xla-legalize=entry=batches --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=BATCHES
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=3" --xla-legalize=entry=apart --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=APART
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=3" --xla-legalize=entry=elements --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=ELEMENTS
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=3" --xla-legalize=entry=small --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=SMALL
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=3" --xla-legalize=entry=halfBytes --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=HALFBYTES
// RUN: xla-run %s --entry=rows --device=all --threads=3 --seed=3 --output=none
// RUN: xla-run %s --entry=computed --device=all --threads=3 --seed=4 --output=none
// RUN: xla-run %s --entry=computed --device=all --threads=2 --seed=4 --output=none
// RUN: xla-run %s --entry=windows --device=all --threads=3 --seed=5 --output=none
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=3" --xla-legalize=entry=moved --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=MOVED
// RUN: xla-run %s --entry=moved --device=all --threads=3 --seed=5 --output=none
// RUN: xla-run %s --entry=batches --device=all --threads=3 --seed=6 --output=none
// RUN: xla-run %s --entry=apart --device=all --threads=3 --seed=7 --output=none
// RUN: xla-run %s --entry=elements --device=all --threads=3 --seed=8 --output=none
// RUN: xla-run %s --entry=small --device=all --threads=3 --seed=9 --output=none
// RUN: xla-run %s --entry=halfBytes --device=all --threads=3 --seed=9 --output=none

// A third of each row.
// ROWS: xla.kind = "scatter"
// ROWS: scf.parallel (%[[T:.*]]) = (%c0{{.*}}) to (%c3{{.*}})
// ROWS: scf.for
// ROWS: scf.if
// ROWS: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : memref<32xf32, strided<[1], offset: ?>>
func.func @rows(%x: tensor<50x96xf32>, %r: tensor<700x1xi32>, %u: tensor<700x96xf32>) -> tensor<50x96xf32> {
  %m = xla.constant dense<63> : tensor<700x1xi32>
  %i = xla.and %r, %m : tensor<700x1xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<50x96xf32>, tensor<700x1xi32>, tensor<700x96xf32>) -> tensor<50x96xf32>
  return %0 : tensor<50x96xf32>
}

// Updates that are computed where they are used are computed in vectors.
// COMPUTED: xla.kind = "scatter"
// COMPUTED-NOT: scf.parallel
// COMPUTED: linalg.generic {{.*}} memref<96xf32
func.func @computed(%x: tensor<50x96xf32>, %r: tensor<700x1xi32>, %v: tensor<700xf32>, %w: tensor<96xf32>) -> tensor<50x96xf32> {
  %m = xla.constant dense<63> : tensor<700x1xi32>
  %i = xla.and %r, %m : tensor<700x1xi32>
  %vs = xla.broadcast_in_dim %v {broadcast_dimensions = array<i64: 0>} : (tensor<700xf32>) -> tensor<700x96xf32>
  %ws = xla.broadcast_in_dim %w {broadcast_dimensions = array<i64: 1>} : (tensor<96xf32>) -> tensor<700x96xf32>
  %u = xla.multiply %vs, %ws : tensor<700x96xf32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<50x96xf32>, tensor<700x1xi32>, tensor<700x96xf32>) -> tensor<50x96xf32>
  return %0 : tensor<50x96xf32>
}

// Columns of windows of seven: three, three and one; lines are moved by an index.
// WINDOWS: xla.kind = "scatter"
// WINDOWS: scf.parallel
// WINDOWS: scf.if
// WINDOWS: arith.minui
// WINDOWS: scf.for
func.func @windows(%x: tensor<9x11x7xf32>, %r: tensor<2000x2xi32>, %u: tensor<5x2000x7xf32>) -> tensor<9x11x7xf32> {
  %m = xla.constant dense<7> : tensor<2000x2xi32>
  %i = xla.and %r, %m : tensor<2000x2xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {update_window_dims = [0, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1} : (tensor<9x11x7xf32>, tensor<2000x2xi32>, tensor<5x2000x7xf32>) -> tensor<9x11x7xf32>
  return %0 : tensor<9x11x7xf32>
}

// Windows that an index moves along their only dimension meet in other parts.
// MOVED: xla.kind = "scatter"
// MOVED-NOT: scf.parallel
// MOVED: scf.for
func.func @moved(%x: tensor<300xf32>, %r: tensor<1000x1xi32>, %u: tensor<1000x96xf32>) -> tensor<300xf32> {
  %m = xla.constant dense<127> : tensor<1000x1xi32>
  %i = xla.and %r, %m : tensor<1000x1xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %b : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<300xf32>, tensor<1000x1xi32>, tensor<1000x96xf32>) -> tensor<300xf32>
  return %0 : tensor<300xf32>
}

// Two batches each, and one.
// BATCHES: xla.kind = "scatter"
// BATCHES: scf.parallel
// BATCHES: scf.for
// BATCHES: arith.minui
// BATCHES: scf.for
func.func @batches(%x: tensor<5x33xf32>, %r: tensor<20000x5x1xi32>, %u: tensor<20000x5xf32>) -> tensor<5x33xf32> {
  %m = xla.constant dense<63> : tensor<20000x5x1xi32>
  %i = xla.and %r, %m : tensor<20000x5x1xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {update_window_dims = [], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2} : (tensor<5x33xf32>, tensor<20000x5x1xi32>, tensor<20000x5xf32>) -> tensor<5x33xf32>
  return %0 : tensor<5x33xf32>
}

// APART: xla.kind = "scatter"
// APART: scf.parallel
func.func @apart(%x: tensor<100000xf32>, %u: tensor<90000xf32>) -> tensor<100000xf32> {
  %k = xla.iota {iota_dimension = 0} : tensor<90000x1xi32>
  %c = xla.constant dense<100002> : tensor<90000x1xi32>
  %i = xla.subtract %c, %k : tensor<90000x1xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.subtract %b, %a : tensor<f32>
    xla.return %s : tensor<f32>
  }) {update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1, unique_indices = true} : (tensor<100000xf32>, tensor<90000x1xi32>, tensor<90000xf32>) -> tensor<100000xf32>
  return %0 : tensor<100000xf32>
}

// Elements that may meet have an order.
// ELEMENTS: xla.kind = "scatter"
// ELEMENTS-NOT: scf.parallel
// ELEMENTS: scf.for
func.func @elements(%x: tensor<100xf32>, %r: tensor<90000x1xi32>, %u: tensor<90000xf32>) -> tensor<100xf32> {
  %m = xla.constant dense<127> : tensor<90000x1xi32>
  %i = xla.and %r, %m : tensor<90000x1xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<100xf32>, tensor<90000x1xi32>, tensor<90000xf32>) -> tensor<100xf32>
  return %0 : tensor<100xf32>
}

// SMALL: xla.kind = "scatter"
// SMALL-NOT: scf.parallel
func.func @small(%x: tensor<50x96xf32>, %r: tensor<70x1xi32>, %u: tensor<70x96xf32>) -> tensor<50x96xf32> {
  %m = xla.constant dense<63> : tensor<70x1xi32>
  %i = xla.and %r, %m : tensor<70x1xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<50x96xf32>, tensor<70x1xi32>, tensor<70x96xf32>) -> tensor<50x96xf32>
  return %0 : tensor<50x96xf32>
}

// Elements that share bytes.
// HALFBYTES: xla.kind = "scatter"
// HALFBYTES-NOT: scf.parallel
func.func @halfBytes(%x: tensor<50x96xi4>, %r: tensor<700x1xi32>, %u: tensor<700x96xi4>) -> tensor<50x96xi4> {
  %m = xla.constant dense<63> : tensor<700x1xi32>
  %i = xla.and %r, %m : tensor<700x1xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i4>, %b: tensor<i4>):
    %s = xla.add %a, %b : tensor<i4>
    xla.return %s : tensor<i4>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<50x96xi4>, tensor<700x1xi32>, tensor<700x96xi4>) -> tensor<50x96xi4>
  return %0 : tensor<50x96xi4>
}
