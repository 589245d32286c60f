// A gather, the arithmetic on its indices, and what follows, however costly, are one kernel: on a CPU lanes load from places apart, or a row of
// them from one.
// RUN: xla-opt %s --xla-cpu-pipeline=to=prepared | FileCheck %s
// RUN: xla-opt %s --xla-attach-target="device=llvmpipe" --xla-vulkan-pipeline=to=prepared | FileCheck %s
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=1" --xla-cpu-pipeline=to=affine | FileCheck %s --check-prefix=CPU
// RUN: xla-run %s --device=all --seed=3 --output=none
// RUN: xla-run %s --device=all --seed=4 --output=none --cpu=x86-64 --machine=gpu=1

// CHECK: xla.fusion
// CHECK: xla.gather
// CHECK: xla.tanh
// CHECK: kind = "loop"
// CHECK: xla.fusion
// CHECK: xla.gather
// CHECK: xla.exponential
// CHECK: kind = "loop"
// CHECK-NOT: xla.fusion
// CHECK: return

// CPU: func.func private @kernel_0
// CPU: vector.load %{{.*}} : memref<100x64xf32>, vector
// CPU: math.tanh %{{.*}} : vector
// CPU: func.func private @kernel_1
// CPU: vector.gather %{{.*}} : memref<6400xf32{{.*}}
// CPU: math.exp %{{.*}} : vector
func.func @main(%t: tensor<100x64xf32>, %i: tensor<33xi32>, %y: tensor<33x64xf32>, %j: tensor<1000x2xi32>) -> (tensor<33x64xf32>, tensor<1000xf32>) {
  %c = xla.constant dense<100> : tensor<33xi32>
  %zero = xla.constant dense<0> : tensor<33xi32>
  %isNegative = xla.compare %i, %zero {comparison_direction = "LT"} : (tensor<33xi32>, tensor<33xi32>) -> tensor<33xi1>
  %fromEnd = xla.add %i, %c : tensor<33xi32>
  %at = xla.select %isNegative, %fromEnd, %i : (tensor<33xi1>, tensor<33xi32>, tensor<33xi32>) -> tensor<33xi32>
  %g = xla.gather %t, %at {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 64]} : (tensor<100x64xf32>, tensor<33xi32>) -> tensor<33x64xf32>
  %s = xla.add %g, %y : tensor<33x64xf32>
  %r = xla.tanh %s : tensor<33x64xf32>
  %h = xla.gather %t, %j {collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1, slice_sizes = [1, 1]} : (tensor<100x64xf32>, tensor<1000x2xi32>) -> tensor<1000xf32>
  %e = xla.exponential %h : tensor<1000xf32>
  return %r, %e : tensor<33x64xf32>, tensor<1000xf32>
}
