// Shardy's operations are about whole arrays: what is in computations, and operands.
// RUN: xla-opt %s --xla-import-stablehlo --split-input-file --verify-diagnostics | FileCheck %s

sdy.mesh @mesh = <["x"=1]>
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %0 = xla.add %arg0, %arg2
// CHECK-NEXT:    %1 = xla.multiply %0, %arg0
// CHECK-NEXT:    %2 = xla.negate %arg1
// CHECK-NEXT:    %3 = xla.sine %2
// CHECK-NEXT:    return %1, %3
func.func @main(%x: tensor<8xf32>, %y: tensor<4xf32>, %z: tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %0:2 = sdy.manual_computation(%x, %y) in_shardings=[<@mesh, [{"x"}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{}]>] manual_axes={"x"} (%a: tensor<8xf32>, %b: tensor<4xf32>) {
    %1 = stablehlo.add %a, %z : tensor<8xf32>
    %2 = stablehlo.multiply %1, %a : tensor<8xf32>
    %3 = stablehlo.negate %b : tensor<4xf32>
    sdy.return %2, %3 : tensor<8xf32>, tensor<4xf32>
  } : (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>)
  %4 = sdy.named_computation<"sines">(%0#1) (%a: tensor<4xf32>) {
    %5 = stablehlo.sine %a : tensor<4xf32>
    sdy.return %5 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0#0, %4 : tensor<8xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @whole
// CHECK-NEXT:    %0 = xla.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %1 = xla.add %arg0, %0
// CHECK-NEXT:    return %1
sdy.mesh @mesh = <["x"=2]>
func.func @whole(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.constant dense<1.000000e+00> : tensor<4xf32>
  %1 = sdy.sharding_constraint %x <@mesh, [{"x"}]> : tensor<4xf32>
  %2 = sdy.reshard %1 <@mesh, [{}]> : tensor<4xf32>
  %3 = sdy.all_slice [{"x"}] %2 out_sharding=<@mesh, [{"x"}]> : tensor<4xf32>
  %4 = sdy.propagation_barrier %3 allowed_direction=FORWARD : tensor<4xf32>
  sdy.sharding_group %4 group_id=5 : tensor<4xf32>
  %5 = stablehlo.add %4, %0 : tensor<4xf32>
  return %5 : tensor<4xf32>
}

// -----

func.func @other(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{must have a region of the types of its operands and results}}
  %0 = "sdy.named_computation"(%x) <{name = "n"}> ({
  ^bb0(%a: tensor<2xf32>):
    "sdy.return"(%a) : (tensor<2xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
