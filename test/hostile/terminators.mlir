// What ends a block in place of a return is not one.
// RUN: split-file %s %t
// RUN: not xla-run %t/unreachable.mlir 2>&1 | FileCheck %s
// RUN: not xla-run %t/unreachable.mlir --device=cpu 2>&1 | FileCheck %s
// CHECK: unreachable.mlir:2:3: error: Dialect `ub' not found for custom op 'ub.unreachable'
// RUN: xla-opt %t/unknown.mlir --allow-unregistered-dialect --xla-fuse | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: "foreign.end"
// RUN: not xla-opt %t/effect.mlir --convert-xla-to-linalg 2>&1 | FileCheck %s --check-prefix=EFFECT
// EFFECT: effect.mlir:4:5: error: 'xla.custom_call' op is not lowered in a computation on scalars: it has no result

//--- unreachable.mlir
func.func @main() {
  ub.unreachable
}

//--- unknown.mlir
func.func @main(%x: tensor<4xf32>) {
  %0 = xla.sine %x : tensor<4xf32>
  %1 = xla.sine %0 : tensor<4xf32>
  "foreign.end"(%1) : (tensor<4xf32>) -> ()
}

//--- effect.mlir
func.func @main(%x: tensor<2xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.custom_call %a {call_target_name = "effect", has_side_effect = true} : (tensor<f32>) -> ()
    xla.return %b : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
