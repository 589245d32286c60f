// A program starts at its only public function, however that is said to be public.
// RUN: xla-opt %s --xla-legalize | FileCheck %s
// RUN: xla-run %s --input=f32=2 | FileCheck %s --check-prefix=RESULT
// RUN: xla-translate %s --to=hlo | FileCheck %s --check-prefix=HLO
// CHECK-NOT: @twice
// CHECK: func.func public @only(
// RESULT: f32=4
// HLO: ENTRY
func.func public @only(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @twice(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @twice(%x: tensor<f32>) -> tensor<f32> {
  %0 = xla.add %x, %x : tensor<f32>
  return %0 : tensor<f32>
}
