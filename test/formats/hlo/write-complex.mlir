// HLO converts complex numbers to others by their real parts alone.
// RUN: xla-translate %s --to=hlo -o %t.hlo && FileCheck %s < %t.hlo
// RUN: xla-run %s --input="3xcomplex<f64>=(-1,0) (0,1) (2,3)" | FileCheck %s --check-prefix=VALUES
// RUN: xla-run %t.hlo --input="3xcomplex<f64>=(-1,0) (0,1) (2,3)" | FileCheck %s --check-prefix=VALUES
// CHECK:      %real.2 = f64[3]{0} real(%parameter.1)
// CHECK-NEXT: %convert.3 = pred[3]{0} convert(%real.2)
// CHECK-NEXT: %real.4 = f64[3]{0} real(%parameter.1)
// CHECK-NEXT: %convert.5 = c64[3]{0} convert(%parameter.1)
// VALUES:      3xpred=true false true
// VALUES-NEXT: 3xf64=-1 0 2
// VALUES-NEXT: 3xc64=(-1,0) (0,1) (2,3)
func.func @main(%x: tensor<3xcomplex<f64>>) -> (tensor<3xi1>, tensor<3xf64>, tensor<3xcomplex<f32>>) {
  %bools = xla.convert %x : (tensor<3xcomplex<f64>>) -> tensor<3xi1>
  %reals = xla.convert %x : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  %halves = xla.convert %x : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f32>>
  return %bools, %reals, %halves : tensor<3xi1>, tensor<3xf64>, tensor<3xcomplex<f32>>
}
