// Buffers are memory that is used once: as good as their values.
// RUN: xla-opt %s | FileCheck %s --check-prefix=SAME
// RUN: xla-opt %s --xla-import-stablehlo | FileCheck %s
// RUN: xla-opt %S/../vhlo/Inputs/buffers-1.17.0.bin | FileCheck %s --check-prefix=SAME
// RUN: xla-run %S/../vhlo/Inputs/buffers-1.17.0.bin --device=all --input="2x2xf32=1 2 3 4" --input=3xi32=7 | FileCheck %s --check-prefix=VALUES
// SAME:      func.func @main(%arg0: tensor<2x2xf32>, %arg1: memref<3xi32>) -> (tensor<2x2xf32>, memref<3xi32>)
// SAME-NEXT:   stablehlo.custom_call @Pin(%arg0) : (tensor<2x2xf32>) -> memref<2x2xf32>
// CHECK:      func.func @main(%arg0: tensor<2x2xf32>, %arg1: tensor<3xi32>) -> (tensor<2x2xf32>, tensor<3xi32>)
// CHECK-NEXT:   %0 = xla.negate %arg0
// CHECK-NEXT:   return %0, %arg1
// VALUES:      2x2xf32=-1 -2 -3 -4
// VALUES-NEXT: 3xs32=7 7 7
func.func @main(%x: tensor<2x2xf32>, %b: memref<3xi32>) -> (tensor<2x2xf32>, memref<3xi32>) {
  %0 = stablehlo.custom_call @Pin(%x) : (tensor<2x2xf32>) -> memref<2x2xf32>
  %1 = stablehlo.custom_call @Unpin(%0) : (memref<2x2xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.negate %1 : tensor<2x2xf32>
  return %2, %b : tensor<2x2xf32>, memref<3xi32>
}
