// Where the order of updates to a small array does not matter, each thread combines its part of them in a copy.
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=3" --xla-legalize=entry=largest --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=LARGEST
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=3" --xla-legalize=entry=sum --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=SUM
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=3" --xla-legalize=entry=product --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=PRODUCT
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=3" --xla-legalize=entry=many --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=MANY
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=3" --xla-legalize=entry=tables --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=TABLES
// RUN: xla-run %s --entry=largest --device=all --threads=3 --seed=3 --output=none
// RUN: xla-run %s --entry=least --device=all --threads=3 --seed=3 --output=none
// RUN: xla-run %s --entry=sum --device=all --threads=3 --seed=3 --output=none
// RUN: xla-run %s --entry=bytes --device=all --threads=3 --seed=3 --output=none
// RUN: xla-run %s --entry=all --device=all --threads=3 --seed=3 --output=none
// RUN: xla-run %s --entry=any --device=all --threads=3 --seed=3 --output=none
// RUN: xla-run %s --entry=product --device=all --threads=3 --seed=3 --output=none
// RUN: xla-run %s --entry=tables --device=all --threads=3 --seed=3 --output=none
// RUN: xla-run %s --entry=many --device=all --threads=3 --seed=3 --output=none
// RUN: xla-run %s --entry=twice --device=all --threads=3 --seed=3 --output=none
// RUN: xla-run %s --entry=largest --device=cpu --threads=64 --seed=3 --output=none

// Copies begin with the inputs.
// LARGEST: xla.kind = "scatter"
// LARGEST: %[[C:.*]] = memref.view {{.*}} to memref<3x100xf32>
// LARGEST: scf.parallel (%[[T:.*]]) = (%c0{{.*}}) to (%c3{{.*}})
// LARGEST: %[[V:.*]] = memref.load {{.*}} : memref<100xf32
// LARGEST: memref.store %[[V]], %[[C]][%[[T]], {{.*}}]
// LARGEST: arith.minui
// LARGEST: memref.load %[[C]][%[[T]],
// LARGEST: memref.store {{.*}}, %[[C]][%[[T]],
// LARGEST: scf.reduce
// LARGEST-COUNT-3: memref.load %[[C]][
// LARGEST: memref.store
func.func @largest(%x: tensor<100xf32>, %r: tensor<90000x1xi32>, %u: tensor<90000xf32>) -> tensor<100xf32> {
  %m = xla.constant dense<127> : tensor<90000x1xi32>
  %i = xla.and %r, %m : tensor<90000x1xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.maximum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<100xf32>, tensor<90000x1xi32>, tensor<90000xf32>) -> tensor<100xf32>
  return %0 : tensor<100xf32>
}

func.func @least(%x: tensor<100xf16>, %r: tensor<90000x1xi32>, %u: tensor<90000xf16>) -> tensor<100xf16> {
  %m = xla.constant dense<127> : tensor<90000x1xi32>
  %i = xla.and %r, %m : tensor<90000x1xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %s = xla.minimum %a, %b : tensor<f16>
    xla.return %s : tensor<f16>
  }) {update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<100xf16>, tensor<90000x1xi32>, tensor<90000xf16>) -> tensor<100xf16>
  return %0 : tensor<100xf16>
}

// And with 0.
// SUM: xla.kind = "scatter"
// SUM: %[[C:.*]] = memref.view {{.*}} to memref<3x100xi32>
// SUM: scf.parallel (%[[T:.*]]) =
// SUM: memref.store %c0_i32{{.*}}, %[[C]][%[[T]],
func.func @sum(%x: tensor<100xi32>, %r: tensor<90000x1xi32>, %u: tensor<90000xi32>) -> tensor<100xi32> {
  %m = xla.constant dense<127> : tensor<90000x1xi32>
  %i = xla.and %r, %m : tensor<90000x1xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<100xi32>, tensor<90000x1xi32>, tensor<90000xi32>) -> tensor<100xi32>
  return %0 : tensor<100xi32>
}

func.func @bytes(%x: tensor<100xui8>, %r: tensor<90000x1xi32>, %u: tensor<90000xui8>) -> tensor<100xui8> {
  %m = xla.constant dense<127> : tensor<90000x1xi32>
  %i = xla.and %r, %m : tensor<90000x1xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %s = xla.add %a, %b : tensor<ui8>
    xla.return %s : tensor<ui8>
  }) {update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<100xui8>, tensor<90000x1xi32>, tensor<90000xui8>) -> tensor<100xui8>
  return %0 : tensor<100xui8>
}

func.func @all(%x: tensor<100xi1>, %r: tensor<90000x1xi32>, %u: tensor<90000xi1>) -> tensor<100xi1> {
  %m = xla.constant dense<127> : tensor<90000x1xi32>
  %i = xla.and %r, %m : tensor<90000x1xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = xla.and %a, %b : tensor<i1>
    xla.return %s : tensor<i1>
  }) {update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<100xi1>, tensor<90000x1xi32>, tensor<90000xi1>) -> tensor<100xi1>
  return %0 : tensor<100xi1>
}

func.func @any(%x: tensor<100xi64>, %r: tensor<90000x1xi32>, %u: tensor<90000xi64>) -> tensor<100xi64> {
  %m = xla.constant dense<127> : tensor<90000x1xi32>
  %i = xla.and %r, %m : tensor<90000x1xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = xla.or %a, %b : tensor<i64>
    xla.return %s : tensor<i64>
  }) {update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<100xi64>, tensor<90000x1xi32>, tensor<90000xi64>) -> tensor<100xi64>
  return %0 : tensor<100xi64>
}

// What is neither stays in its order.
// PRODUCT: xla.kind = "scatter"
// PRODUCT-NOT: scf.parallel
func.func @product(%x: tensor<100xi32>, %r: tensor<90000x1xi32>, %u: tensor<90000xi32>) -> tensor<100xi32> {
  %m = xla.constant dense<127> : tensor<90000x1xi32>
  %i = xla.and %r, %m : tensor<90000x1xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.multiply %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<100xi32>, tensor<90000x1xi32>, tensor<90000xi32>) -> tensor<100xi32>
  return %0 : tensor<100xi32>
}


// Of a table's elements, with a computed operand and a user.
// TABLES: xla.kind = "scatter"
// TABLES: scf.parallel
func.func @tables(%x: tensor<5x7xi32>, %r: tensor<400x200x2xi32>, %u: tensor<400x200xi32>) -> tensor<5x7xi32> {
  %m = xla.constant dense<7> : tensor<400x200x2xi32>
  %i = xla.and %r, %m : tensor<400x200x2xi32>
  %y = xla.add %x, %x : tensor<5x7xi32>
  %v = xla.negate %u : tensor<400x200xi32>
  %0 = xla.scatter(%y, %i, %v) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.minimum %b, %a : tensor<i32>
    xla.return %s : tensor<i32>
  }) {update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2} : (tensor<5x7xi32>, tensor<400x200x2xi32>, tensor<400x200xi32>) -> tensor<5x7xi32>
  %1 = xla.multiply %0, %x : tensor<5x7xi32>
  return %1 : tensor<5x7xi32>
}

// Copies of as many elements as there are updates do not pay.
// MANY: xla.kind = "scatter"
// MANY-NOT: scf.parallel
func.func @many(%x: tensor<90000xf32>, %r: tensor<90000x1xi32>, %u: tensor<90000xf32>) -> tensor<90000xf32> {
  %m = xla.constant dense<127> : tensor<90000x1xi32>
  %i = xla.and %r, %m : tensor<90000x1xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.maximum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<90000xf32>, tensor<90000x1xi32>, tensor<90000xf32>) -> tensor<90000xf32>
  return %0 : tensor<90000xf32>
}

// The input twice is not a sum.
func.func @twice(%x: tensor<100xi32>, %r: tensor<90000x1xi32>, %u: tensor<90000xi32>) -> tensor<100xi32> {
  %m = xla.constant dense<127> : tensor<90000x1xi32>
  %i = xla.and %r, %m : tensor<90000x1xi32>
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %a : tensor<i32>
    xla.return %s : tensor<i32>
  }) {update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (tensor<100xi32>, tensor<90000x1xi32>, tensor<90000xi32>) -> tensor<100xi32>
  return %0 : tensor<100xi32>
}
