// A program with a bug becomes small: here the bug is that there is a logarithm and a result is NaN, and that there is a transpose.
// RUN: not xla-gen --minimize=%s --test= 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not xla-gen --minimize=%s "--test= " 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: --test is empty: it is a command that succeeds as long as a program shows the bug
// RUN: xla-gen --minimize=%s --test='grep -q xla.log {} && xla-run {} --timeout=60 | grep -q nan' | FileCheck %s --check-prefix=NAN
// NAN: module {
// NAN-NEXT: func.func @main() -> tensor<1x1xf32> {
// NAN-NEXT: %0 = xla.constant dense<-1.500000e+00> : tensor<1x1xf32>
// NAN-NEXT: %1 = xla.log %0 : tensor<1x1xf32>
// NAN-NEXT: return %1 : tensor<1x1xf32>
// NAN-NEXT: }
// RUN: xla-gen --minimize=%s --test='grep -q xla.transpose {}' 2>%t.err | FileCheck %s --check-prefix=TRANSPOSE
// TRANSPOSE: func.func @main() -> tensor<1x1xf32> {
// TRANSPOSE-NEXT: %0 = xla.constant dense<1.000000e+00> : tensor<1x1xf32>
// TRANSPOSE-NEXT: %1 = xla.transpose %0
// TRANSPOSE-NEXT: return %1 : tensor<1x1xf32>
// RUN: FileCheck %s --check-prefix=TRIED < %t.err
// TRIED: xla-gen: {{[0-9]+}} programs tried
// RUN: not xla-gen --minimize=%s --test='grep -q xla.sine {}' 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: xla-gen: {{.*}}gen-minimize.mlir: --test fails for the program as it is
// RUN: not xla-gen --minimize=%s 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: xla-gen: --minimize and --test go together
func.func private @helper(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = xla.tanh %x : tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
func.func @main() -> (tensor<3x4xf32>, tensor<3xf32>, tensor<i32>) {
  %c = xla.constant dense<[[1.0, 2.0, -1.5], [0.5, -1.5, 4.0], [0.0, 1.0, 2.0], [3.0, -1.5, 1.0]]> : tensor<4x3xf32>
  %x = xla.optimization_barrier %c : tensor<4x3xf32>
  %n = xla.constant dense<3> : tensor<i32>
  %zero = xla.constant dense<0> : tensor<i32>
  %half = xla.constant dense<0.5> : tensor<f32>
  %0 = func.call @helper(%x) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %1:2 = xla.while(%zero, %x) ({
  ^bb0(%i: tensor<i32>, %y: tensor<4x3xf32>):
    %more = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %more : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %y: tensor<4x3xf32>):
    %one = xla.constant dense<1> : tensor<i32>
    %next = xla.add %i, %one : tensor<i32>
    %z = xla.multiply %y, %half : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    xla.return %next, %z : tensor<i32>, tensor<4x3xf32>
  }) : (tensor<i32>, tensor<4x3xf32>) -> (tensor<i32>, tensor<4x3xf32>)
  %2 = xla.add %0, %1#1 : tensor<4x3xf32>
  %3 = xla.slice %x {start_indices = [0, 2], limit_indices = [4, 3]} : (tensor<4x3xf32>) -> tensor<4x1xf32>
  %4 = xla.log %3 : tensor<4x1xf32>
  %5 = xla.add %2, %4 : (tensor<4x3xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>
  %6 = xla.transpose %5 {permutation = [1, 0]} : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %7 = xla.reduce(%6, %half) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) {dimensions = [1]} : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
  return %6, %7, %1#0 : tensor<3x4xf32>, tensor<3xf32>, tensor<i32>
}
