// RUN: xla-run %s --entry=exact --input="4xf32=1 2 3 4" --device=cpu | FileCheck %s --check-prefix=CPU
// CPU: {{^}}4xf32=3 6 9 12{{$}}
// RUN: xla-run %s --entry=exact --input=random:1 --device=cpu --stats 2>&1 | FileCheck %s --check-prefix=STATS
// STATS: {{^}}parse {{ *}}{{[0-9.]+}} ms
// STATS: {{^}}cpu: prepare {{ *}}{{[0-9.]+}} ms
// STATS: {{^}}cpu: compile, in all {{ *}}{{[0-9.]+}} ms
// STATS: {{^}}cpu: kernels {{ *}}{{[1-9]}}
// STATS: {{^}}cpu: run {{ *}}{{[0-9.]+}} ms
// STATS: {{^}}peak memory {{ *}}{{[0-9]+}} bytes
// RUN: rm -rf %t && xla-run %s --entry=exact --input=random:1 --device=cpu --dump=%t --print-ir-after=prepared 2>&1 | FileCheck %s --check-prefix=PREPARED
// PREPARED: // after prepared
// PREPARED: xla.
// RUN: ls %t | FileCheck %s --check-prefix=FILES
// FILES: 00-parse.mlir
// FILES-NEXT: 01-import.mlir
// FILES-NEXT: {{^cpu$}}
// RUN: ls %t/cpu | FileCheck %s --check-prefix=CPUFILES
// CPUFILES: 02-prepared.mlir
// CPUFILES: 09-object.o
// RUN: not xla-run %s --entry=exact --input=random:1 --device=cpu:1 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: xla-run: device cpu:1: there is only one, without a number

// All devices agree, or the first operation that does not is named.
// RUN: env VK_DRIVER_FILES=/none VK_ICD_FILENAMES=/none xla-run %s --entry=exact --input=random:1 --device=all 2>&1 | FileCheck %s --check-prefix=ALL
// ALL: xla-run: vulkan is left out: no Vulkan driver was found: install the one of the graphics card
// ALL: {{[0-9]+}}xf32=
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=rounded --input=random:1 --device=all --rtol=0 | FileCheck %s --check-prefix=FIRST
// FIRST: xla-run: cpu: output 0: {{[0-9]+}} of 4096 elements differ
// FIRST: devices.mlir:[[#@LINE+33]]:8: cpu: 'xla.tanh' is the first operation that differs
// FIRST: exit 1
// What the search for that operation compiles is not shown.
// RUN: rm -rf %t.all && env VK_DRIVER_FILES=/none VK_ICD_FILENAMES=/none not xla-run %s --entry=rounded --input=random:1 --device=all --rtol=0 --dump=%t.all --print-ir-after=prepared 2>&1 | FileCheck %s --check-prefix=ONCE
// ONCE-COUNT-1: // after prepared for cpu
// ONCE-NOT: // after
// RUN: ls %t.all/cpu | count 8
// RUN: xla-run %s --entry=rounded --input=random:1 --device=all --rtol=1e-5 2>&1 | FileCheck %s --check-prefix=CLOSE
// CLOSE-NOT: differ
// A device that does not take the program is left out; if that are all, nothing was compared.
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=rank --input="4xf32=1 3 4 7" --device=all | FileCheck %s --check-prefix=REFUSED
// REFUSED: xla-run: cpu is left out, because it refuses the program:
// REFUSED-NEXT: devices.mlir:[[#@LINE+28]]:8: error: 'xla.complex' op is not supported yet for complex numbers
// REFUSED: xla-run: no device but interpreter ran the program: nothing was compared
// REFUSED: exit 3
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=rank --seed=1 --device=cpu | FileCheck %s --check-prefix=ALONE
// ALONE-NOT: left out
// ALONE: exit 3

// Checks in programs count on every device.
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=checked --check --device=cpu | FileCheck %s --check-prefix=CHECKED
// CHECKED: check.expect_eq: 1 of 2 elements differ, the first at [1]: got 4, expected 5
// CHECKED: 0 passed, 1 failed
// CHECKED: exit 1

func.func @exact(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.add %a, %a : tensor<4xf32>
  %1 = xla.add %0, %a : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @rounded(%a: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = xla.negate %a : tensor<4096xf32>
  %1 = xla.add %0, %0 : tensor<4096xf32>
  %2 = xla.tanh %1 : tensor<4096xf32>
  %3 = xla.add %2, %1 : tensor<4096xf32>
  %4 = xla.multiply %3, %3 : tensor<4096xf32>
  return %4 : tensor<4096xf32>
}
func.func @rank(%a: tensor<4xf32>) -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xf32> {
  %0 = xla.reshape %a : (tensor<4xf32>) -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xf32>
  %1 = xla.complex %0, %0 : (tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xf32>, tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xf32>) -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xcomplex<f32>>
  %2 = xla.abs %1 : (tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xcomplex<f32>>) -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xf32>
  return %2 : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xf32>
}
func.func @checked() {
  %0 = xla.constant dense<[1, 2]> : tensor<2xi32>
  %1 = xla.add %0, %0 : tensor<2xi32>
  %2 = xla.constant dense<[2, 5]> : tensor<2xi32>
  xla.custom_call %1, %2 {call_target_name = "check.expect_eq", has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
  return
}
