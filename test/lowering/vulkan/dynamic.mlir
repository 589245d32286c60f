// REQUIRES: vulkan
// Sizes that only a run can tell.
// RUN: xla-run %s --device=vulkan --input="3xf32=1 2 3" | FileCheck %s
// RUN: not xla-run %s --device=vulkan --entry=cut --input="4xf32=1" --input=s32=5 2>&1 | FileCheck %s --check-prefix=LARGE
// CHECK: 3xf32=-1 -2 -3
func.func @main(%x: tensor<?xf32, #xla.array<bounds = [4]>>) -> tensor<?xf32, #xla.array<bounds = [4]>> {
  %0 = xla.negate %x : tensor<?xf32, #xla.array<bounds = [4]>>
  return %0 : tensor<?xf32, #xla.array<bounds = [4]>>
}

// LARGE: dynamic.mlir:[[#@LINE+2]]:{{[0-9]+}}: error: 'xla.set_dimension_size' op the size is 5, dimension 0 has 4 elements [set_dimension_size_c3]
func.func @cut(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [4]>> {
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [4]>>
  return %0 : tensor<?xf32, #xla.array<bounds = [4]>>
}
