// RUN: %{python} %S/../Inputs/patient.py "was running" xla-run %s --entry=forever --timeout={} | FileCheck %s
// CHECK: limits.mlir:{{.*}}: error: 'xla.{{.*}}' op was running when the time limit of {{[0-9.]+}} s passed
// CHECK: exit 3
// What cannot look at the clock is ended from outside.
// RUN: %{python} %S/../Inputs/patient.py "while running" xla-run %s --entry=forever --timeout={} --device=cpu | FileCheck %s --check-prefix=CPU
// CPU: xla-run: the time limit of {{[0-9.]+}} s passed while running on cpu for {{[0-9.]+}} s, after reading the program for {{[0-9.e-]+}} s, compiling for cpu for {{[0-9.]+}} s
// CPU: exit 3
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=recursive | FileCheck %s --check-prefix=RECURSIVE
// RECURSIVE: nests calls more than 1000 deep
// RECURSIVE: exit 3
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=foreign --seed=1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: 'xla.custom_call' op calls "mystery", which has no implementation
// FOREIGN: exit 3
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=misspelled --check | FileCheck %s --check-prefix=MISSPELLED
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=misspelled --check --device=cpu | FileCheck %s --check-prefix=MISSPELLED
// MISSPELLED: 'xla.custom_call' op calls "check.expect_equal", which has no implementation; the checks are check.expect_eq, check.expect_almost_eq and check.expect_close{{$}}
// MISSPELLED: exit 3
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=dynamic | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: xla-run: input 0 is tensor<?xf32>, whose sizes only a value tells
// DYNAMIC: exit 2

func.func @forever() -> tensor<i32> {
  %0 = xla.constant dense<0> : tensor<i32>
  %1 = xla.while(%0) ({
  ^bb0(%a: tensor<i32>):
    %t = xla.constant dense<true> : tensor<i1>
    xla.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>):
    xla.return %a : tensor<i32>
  }) : tensor<i32>
  return %1 : tensor<i32>
}
func.func @recursive() {
  call @recursive() : () -> ()
  return
}
func.func @foreign(%a: tensor<f32>) -> tensor<f32> {
  %0 = xla.custom_call %a {call_target_name = "mystery"} : tensor<f32>
  return %0 : tensor<f32>
}
func.func @misspelled() {
  %0 = xla.constant dense<0> : tensor<i32>
  xla.custom_call %0, %0 {call_target_name = "check.expect_equal"} : (tensor<i32>, tensor<i32>) -> ()
  return
}
func.func @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
