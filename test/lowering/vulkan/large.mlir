// REQUIRES: vulkan
// Small arrays as if they were larger than storage buffers, than indices of 32 bits reach, or than pieces of memory: the same results.
// RUN: xla-run %s --device=all --seed=1 --output=none --machine=range=1024
// RUN: xla-run %s --device=all --seed=1 --output=none --machine=elements=1
// RUN: xla-run %s --device=all --seed=1 --output=none --machine=elements=100,gpu=1
// RUN: xla-run %s --device=all --seed=1 --output=none --machine=range=256,bindings=4,gpu=1
// RUN: xla-run %s --device=all --seed=1 --output=none --machine=allocation=1000
// RUN: xla-run %s --device=vulkan --seed=1 --output=none --machine=elements=1 --print-ir-after=spirv 2>&1 | FileCheck %s
// CHECK: spirv.module @{{.*}} PhysicalStorageBuffer64
// CHECK-NOT: Logical GLSL450

func.func @main(%x: tensor<37x61xf32>, %w: tensor<61x43xf32>, %h: tensor<1000xbf16>, %p: tensor<3001xi1>, %i: tensor<50x1xi32>, %n: tensor<i32>)
    -> (tensor<37x43xf32>, tensor<61x37xf32>, tensor<50x61xf32>, tensor<37x61xf32>, tensor<bf16>, tensor<3001xi1>, tensor<1000xbf16>, tensor<37x61xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %halfzero = xla.constant dense<0.0> : tensor<bf16>
  %dot = xla.dot %x, %w : (tensor<37x61xf32>, tensor<61x43xf32>) -> tensor<37x43xf32>
  %t = xla.transpose %x {permutation = [1, 0]} : (tensor<37x61xf32>) -> tensor<61x37xf32>
  %g = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1 : i64, slice_sizes = [1, 61]} : (tensor<37x61xf32>, tensor<50x1xi32>) -> tensor<50x61xf32>
  %s = xla.scatter %x, %i, %g ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = xla.maximum %a, %b : tensor<f32>
      xla.return %m : tensor<f32>
  }) {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1 : i64} : (tensor<37x61xf32>, tensor<50x1xi32>, tensor<50x61xf32>) -> tensor<37x61xf32>
  %r = xla.reduce %h, %halfzero ({
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %m = xla.maximum %a, %b : tensor<bf16>
      xla.return %m : tensor<bf16>
  }) {dimensions = [0]} : (tensor<1000xbf16>, tensor<bf16>) -> tensor<bf16>
  %v = xla.reverse %p {dimensions = [0]} : tensor<3001xi1>
  %q = xla.xor %v, %p : tensor<3001xi1>
  %o = xla.sort %h ({
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %l = xla.compare %a, %b {comparison_direction = "LT"} : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      xla.return %l : tensor<i1>
  }) {dimension = 0} : (tensor<1000xbf16>) -> tensor<1000xbf16>
  %c = xla.constant dense<0> : tensor<i32>
  %u = xla.dynamic_slice %x, %c, %n {slice_sizes = [37, 20]} : (tensor<37x61xf32>, tensor<i32>, tensor<i32>) -> tensor<37x20xf32>
  %d = xla.dynamic_update_slice %x, %u, %c, %c : (tensor<37x61xf32>, tensor<37x20xf32>, tensor<i32>, tensor<i32>) -> tensor<37x61xf32>
  return %dot, %t, %g, %s, %r, %q, %o, %d : tensor<37x43xf32>, tensor<61x37xf32>, tensor<50x61xf32>, tensor<37x61xf32>, tensor<bf16>, tensor<3001xi1>, tensor<1000xbf16>, tensor<37x61xf32>
}
