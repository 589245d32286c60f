// Steps of a polynomial may be rounded once: marked operations carry the flag,
// and others do not.
// RUN: xla-opt %s --convert-xla-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @step
// CHECK: %[[PRODUCT:.+]] = arith.mulf {{.*}} fastmath<contract> : f64
// CHECK: arith.addf %[[PRODUCT]], {{.*}} fastmath<contract> : f64
// CHECK: arith.mulf %{{[^ ]+}}, %{{[^ ]+}} : f64
func.func @step(%x: tensor<8xf64>, %y: tensor<8xf64>, %z: tensor<8xf64>) -> tensor<8xf64> {
  %0 = "xla.fusion"(%x, %y, %z) ({
  ^bb0(%a: tensor<8xf64>, %b: tensor<8xf64>, %c: tensor<8xf64>):
    %1 = xla.multiply %a, %b {xla.contract} : tensor<8xf64>
    %2 = xla.add %1, %c {xla.contract} : tensor<8xf64>
    %3 = xla.multiply %2, %c : tensor<8xf64>
    xla.return %3 : tensor<8xf64>
  }) {kind = "loop"} : (tensor<8xf64>, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %0 : tensor<8xf64>
}
