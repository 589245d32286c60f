// Loops of more than 2^30 iterations, of a reduction that must be done in order, are three nested ones.
// RUN: split-file %s %t
// RUN: xla-opt %t/long.mlir --xla-vulkan-pipeline=to=affine | FileCheck %s
// CHECK-DAG: #[[OUTER:.*]] = affine_map<(d0) -> (32768, d0 * -32768 + 32769)>
// CHECK-DAG: #[[INNER:.*]] = affine_map<(d0, d1) -> (32768, (d0 * 32768 + d1) * -32768 + 1073741900)>
// CHECK: affine.for %[[I:.*]] = 0 to 2
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to min #[[OUTER]](%[[I]])
// CHECK-NEXT: affine.for %{{.*}} = 0 to min #[[INNER]](%[[I]], %[[J]])
// Older drivers end such loops, and are told not to begin them.
// RUN: %if vulkan %{ xla-run %t/long.mlir --device=vulkan --input=s32=5 > %t.out 2>&1 || true %}
// RUN: %if vulkan %{ FileCheck %s --check-prefix=VALUE --input-file=%t.out %}
// VALUE: {{s32=755740007$|may end its loops}}
// More than indices of 32 bits count take those of 64, where a device has addresses.
// RUN: xla-opt %t/longer.mlir --xla-attach-target=device=rdna2 --xla-vulkan-pipeline=to=affine | FileCheck %s --check-prefix=LONGER
// LONGER: affine_map<(d0, d1) -> (32768, (d0 * 32768 + d1) * -32768 + 3221225500)>
// RUN: not xla-opt %t/longer.mlir --xla-vulkan-pipeline=to=affine 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: longer.mlir:4:{{.*}}: error: a loop of 3221225500 iterations is too long for a shader

//--- long.mlir
func.func @main(%k: tensor<i32>) -> tensor<i32> {
  %x = xla.iota {iota_dimension = 0} : () -> tensor<1073741900xi32>
  %y = xla.xor %x, %k : (tensor<1073741900xi32>, tensor<i32>) -> tensor<1073741900xi32>
  %one = xla.constant dense<1> : tensor<i32>
  %0 = xla.reduce(%y, %one) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = xla.constant dense<31> : tensor<i32>
    %m = xla.multiply %a, %c : tensor<i32>
    %s = xla.subtract %m, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = [0]} : (tensor<1073741900xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

//--- longer.mlir
func.func @main() -> tensor<i32> {
  %x = xla.iota {iota_dimension = 0} : () -> tensor<3221225500xi32>
  %one = xla.constant dense<1> : tensor<i32>
  %0 = xla.reduce(%x, %one) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = xla.constant dense<31> : tensor<i32>
    %m = xla.multiply %a, %c : tensor<i32>
    %s = xla.subtract %m, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = [0]} : (tensor<3221225500xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
