// XLA reads both parts of a complex number as NaN if one is: those are written apart.
// RUN: xla-translate %s --to=hlo -o %t.hlo && FileCheck %s < %t.hlo
// RUN: xla-run %s | FileCheck %s --check-prefix=VALUES
// RUN: xla-run %t.hlo | FileCheck %s --check-prefix=VALUES
// CHECK:      %constant.1 = f32[2]{0} constant({nan, 1.0})
// CHECK-NEXT: %constant.2 = f32[2]{0} constant({2.0, -nan})
// CHECK-NEXT: %complex.3 = c64[2]{0} complex(%constant.1, %constant.2)
// CHECK-NEXT: %constant.4 = f64[] constant(-0.0)
// CHECK-NEXT: %constant.5 = f64[] constant(nan)
// CHECK-NEXT: %complex.6 = c128[] complex(%constant.4, %constant.5)
// CHECK-NEXT: %broadcast.7 = c128[2000]{0} broadcast(%complex.6), dimensions={}
// CHECK-NEXT: %constant.8 = c64[1]{0} constant({(nan, nan)})
// VALUES:      2xc64=(nan,2) (1,-nan)
// VALUES-NEXT: 1xc128=(-0,nan)
// VALUES-NEXT: 1xc64=(nan,nan)
func.func @main() -> (tensor<2xcomplex<f32>>, tensor<1xcomplex<f64>>, tensor<1xcomplex<f32>>) {
  %halves = xla.constant dense<[(0x7FC00000, 2.0), (1.0, 0xFFC00000)]> : tensor<2xcomplex<f32>>
  %many = xla.constant dense<(-0.0, 0x7FF8000000000000)> : tensor<2000xcomplex<f64>>
  %both = xla.constant dense<(0x7FC00000, 0x7FC00000)> : tensor<1xcomplex<f32>>
  %one = xla.slice %many {start_indices = [7], limit_indices = [8], strides = [1]} : (tensor<2000xcomplex<f64>>) -> tensor<1xcomplex<f64>>
  return %halves, %one, %both : tensor<2xcomplex<f32>>, tensor<1xcomplex<f64>>, tensor<1xcomplex<f32>>
}
