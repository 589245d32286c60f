// Pointers of results are loaded where they are used: LLVM takes time quadratic in those that are alive at once.
// RUN: xla-opt %s --xla-cpu-pipeline=to=llvm | FileCheck %s
// RUN: xla-run %s --device=all --seed=1 --output=none
// CHECK: llvm.func @xlacEntry
// CHECK-COUNT-2: llvm.load
// CHECK-NOT: llvm.load
// CHECK: llvm.call @kernel_0(
// CHECK-COUNT-2: llvm.load
// CHECK-NOT: llvm.load
// CHECK: llvm.call @kernel_1(
// CHECK-COUNT-2: llvm.load
// CHECK-NOT: llvm.load
// CHECK: llvm.call @kernel_2(
// CHECK-NOT: llvm.load
// CHECK: llvm.return

// Many copies in a row are cut into functions.
// RUN: %{python} %S/Inputs/constants.py 201 > %t.mlir
// RUN: xla-opt %t.mlir --xla-cpu-pipeline=to=llvm | FileCheck %s --check-prefix=COPIES
// RUN: xla-run %t.mlir --device=all | tail -n 1 | FileCheck %s --check-prefix=LAST
// COPIES: llvm.func internal @xlacCopies0(
// COPIES-COUNT-200: "llvm.intr.memcpy"
// COPIES: llvm.func internal @xlacCopies1(
// COPIES-COUNT-1: "llvm.intr.memcpy"
// COPIES: llvm.func @xlacEntry(
// COPIES-NOT: "llvm.intr.memcpy"
// COPIES: llvm.call @xlacCopies0(
// COPIES: llvm.call @xlacCopies1(
// LAST: f32=200
// RUN: %{python} %S/Inputs/constants.py 200 > %t.fewer.mlir
// RUN: xla-opt %t.fewer.mlir --xla-cpu-pipeline=to=llvm | FileCheck %s --check-prefix=FEWER
// FEWER-NOT: xlacCopies
// FEWER: llvm.func @xlacEntry

// Thousands of either take seconds, not hours.
// RUN: %{python} %S/Inputs/constants.py 2000 > %t.many.mlir
// RUN: xla-run %t.many.mlir --device=cpu --output=none
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = xla.constant dense<1.0> : tensor<f32>
  %1 = xla.constant dense<2.0> : tensor<f32>
  %2 = xla.constant dense<3.0> : tensor<f32>
  %3 = xla.add %a, %0 : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %4 = xla.add %b, %1 : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %5 = xla.add %c, %2 : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %3, %4, %5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
