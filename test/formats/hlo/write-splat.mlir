// Many elements that are the same are one, which is broadcast; a few are written out.
// RUN: xla-translate %s --to=hlo | FileCheck %s
// RUN: sh -c 'xla-translate %s --to=hlo | xla-run - --print-all > %t.hlo'
// RUN: xla-run %s --print-all > %t.xla
// RUN: cmp %t.hlo %t.xla
// RUN: sed "s/@main/@other/; s/@long/@main/" %s > %t.mlir
// RUN: xla-translate %t.mlir --to=hlo | FileCheck %s --check-prefix=LONG
// LONG: %constant.1 = f32[] constant(1.5)
// LONG-NEXT: %broadcast.2 = f32[268435456]{0} broadcast(%constant.1), dimensions={}
// CHECK: %constant.[[#PAIR:]] = c64[] constant((1.5, -0.0))
// CHECK-NEXT: = c64[40,40]{1,0} broadcast(%constant.[[#PAIR]]), dimensions={}
// CHECK-NEXT: %constant.[[#TRUE:]] = pred[] constant(1)
// CHECK-NEXT: = pred[2048]{0} broadcast(%constant.[[#TRUE]]), dimensions={}
// CHECK-NEXT: %constant.[[#SMALL:]] = s4[] constant(-3)
// CHECK-NEXT: = s4[2000]{0} broadcast(%constant.[[#SMALL]]), dimensions={}
// CHECK-NEXT: = f32[2]{0} constant({1.0, 1.0})
func.func @long() -> tensor<1xf32> {
  %0 = xla.constant dense<1.5> : tensor<268435456xf32>
  %1 = xla.slice %0 {start_indices = [5], limit_indices = [6]} : (tensor<268435456xf32>) -> tensor<1xf32>
  return %1 : tensor<1xf32>
}
func.func @main() -> (tensor<40x40xcomplex<f32>>, tensor<2048xi1>, tensor<2000xi4>, tensor<2xf32>) {
  %0 = xla.constant dense<(1.5,-0.0)> : tensor<40x40xcomplex<f32>>
  %1 = xla.constant dense<true> : tensor<2048xi1>
  %2 = xla.constant dense<-3> : tensor<2000xi4>
  %3 = xla.constant dense<1.0> : tensor<2xf32>
  return %0, %1, %2, %3 : tensor<40x40xcomplex<f32>>, tensor<2048xi1>, tensor<2000xi4>, tensor<2xf32>
}
