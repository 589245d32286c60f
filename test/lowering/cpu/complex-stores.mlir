// Real and imaginary parts are written together, as whole vectors with both in turn.
// RUN: xla-opt %s --xla-cpu-pipeline=to=affine | FileCheck %s
// RUN: xla-run %s --device=all --seed=1
// RUN: xla-run %s --device=cpu --cpu=x86-64 --input="37xc64=(1,2)" --input="37xc64=(3,-4)" --expected-output="37xc64=(11,2)"

// CHECK: func.func private @kernel_0
// CHECK: affine.for
// CHECK: %[[RE:.*]] = arith.subf {{.*}} : vector<[[N:[0-9]+]]xf32>
// CHECK: %[[IM:.*]] = arith.addf {{.*}} : vector<[[N]]xf32>
// CHECK: vector.shuffle %[[RE]], %[[IM]] [0, [[N]], 1,
// CHECK-NEXT: affine.vector_store
// CHECK-NEXT: vector.shuffle %[[RE]], %[[IM]]
// CHECK-NEXT: affine.vector_store
// CHECK-NOT: vector.scatter
func.func @main(%x: tensor<37xcomplex<f32>>, %y: tensor<37xcomplex<f32>>) -> tensor<37xcomplex<f32>> {
  %0 = xla.multiply %x, %y : tensor<37xcomplex<f32>>
  return %0 : tensor<37xcomplex<f32>>
}
