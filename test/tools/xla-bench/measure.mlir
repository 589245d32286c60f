// What is printed, and how much work is counted: inputs and outputs of 4 bytes
// an element, two operations a product.
// RUN: xla-bench %s --min-time=0.01 | FileCheck %s
// CHECK: program {{.*}}measure.mlir on cpu
// CHECK-NEXT: compile {{[0-9.]+}} {{[mun]?}}s cold, {{[0-9.]+}} {{[mun]?}}s warm: prepare {{.*}}, link
// CHECK-NEXT: kernels {{[1-9]}}
// CHECK-NEXT: time {{[0-9.]+}} {{[mun]?}}s min, {{[0-9.]+}} {{[mun]?}}s median of {{[0-9]+}} calls
// CHECK-NEXT: inputs, outputs {{[0-9.e-]+}} GB/s{{$}}
// CHECK-NEXT: contractions {{[0-9.e+-]+}} GFLOP/s{{$}}
// CHECK-NOT: {{.}}
// RUN: xla-bench %s --min-time=0 --device=interpreter | FileCheck %s --check-prefix=INTERPRETER
// INTERPRETER: measure.mlir on interpreter
// INTERPRETER-NOT: kernels

// RUN: xla-bench %s --min-time=0.01 --json=- | FileCheck %s --check-prefix=JSON
// JSON: "bytes": 592,
// JSON: "flops": 480,
// Loops and branches may run any number of times.
// RUN: xla-bench %s --entry=loop --min-time=0.01 --json=- | FileCheck %s --check-prefix=LOOP
// LOOP: "bytes": 96,
// LOOP-NOT: flops
// RUN: xla-bench %s --entry=called --device=interpreter --min-time=0.01 --json=- | FileCheck %s --check-prefix=CALLED
// CALLED: "flops": 960,

func.func @main(%a: tensor<2x5x6xf32>, %b: tensor<2x5x4xf32>) -> tensor<2x6x4xf32>
    attributes {} {
  %0 = xla.dot_general %a, %b {lhs_batching_dimensions = array<i64: 0>, rhs_batching_dimensions = array<i64: 0>,
      lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 1>}
      : (tensor<2x5x6xf32>, tensor<2x5x4xf32>) -> tensor<2x6x4xf32>
  %1 = xla.tanh %0 : tensor<2x6x4xf32>
  return %1 : tensor<2x6x4xf32>
}
func.func @called(%a: tensor<2x5x6xf32>, %b: tensor<2x5x4xf32>) -> tensor<2x6x4xf32> {
  %0 = func.call @main(%a, %b) : (tensor<2x5x6xf32>, tensor<2x5x4xf32>) -> tensor<2x6x4xf32>
  %1 = func.call @main(%a, %b) : (tensor<2x5x6xf32>, tensor<2x5x4xf32>) -> tensor<2x6x4xf32>
  %2 = xla.add %0, %1 : tensor<2x6x4xf32>
  return %2 : tensor<2x6x4xf32>
}
func.func @loop(%a: tensor<3x3xf32>, %i: tensor<i32>, %n: tensor<3x3xi8>, %p: tensor<3x3xi1>, %q: tensor<i16>) -> tensor<3x3xf32> {
  %c0 = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%c0, %a) ({
  ^bb0(%k: tensor<i32>, %x: tensor<3x3xf32>):
    %c3 = xla.constant dense<3> : tensor<i32>
    %more = xla.compare %k, %c3 {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %more : tensor<i1>
  }, {
  ^bb0(%k: tensor<i32>, %x: tensor<3x3xf32>):
    %y = xla.dot %x, %x : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %c1 = xla.constant dense<1> : tensor<i32>
    %next = xla.add %k, %c1 : tensor<i32>
    xla.return %next, %y : tensor<i32>, tensor<3x3xf32>
  }) : (tensor<i32>, tensor<3x3xf32>) -> (tensor<i32>, tensor<3x3xf32>)
  return %r#1 : tensor<3x3xf32>
}
