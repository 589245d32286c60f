// A real argument stays real where its exponential overflows.
// RUN: xla-run %s --input="4xc64=(inf,0) (200,-0) (100,1) (-inf,0)" | FileCheck %s
// CHECK: 4xc64=(inf,0) (inf,-0) (inf,inf) (-1,0)
func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = xla.exponential_minus_one %x : tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
