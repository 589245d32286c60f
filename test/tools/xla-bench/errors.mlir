// RUN: xla-bench --help | FileCheck %s --check-prefix=HELP
// HELP: --min-time=SECONDS
// HELP: cpu compiled to machine code
// HELP: Examples
// RUN: sh %S/../xla-run/Inputs/code.sh xla-bench | FileCheck %s --check-prefix=NOTHING
// NOTHING: xla-bench: needs a program; see --help
// NOTHING-NEXT: exit 2
// RUN: not xla-bench %s a 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: xla-bench: takes one program, not 2
// RUN: not xla-bench %t.missing 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: .missing: No such file or directory
// RUN: not xla-bench %s --min-tim=1 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: unknown option --min-tim; did you mean --min-time?
// RUN: not xla-bench %s --min-time=long 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: --min-time=long is not a number that is at least 0
// RUN: not xla-bench %s --output=y.npy 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: --output=y.npy is neither @FILE.npy, nor -, nor none
// RUN: not xla-bench %s --output=- --output=- 2>&1 | FileCheck %s --check-prefix=OUTPUTS
// OUTPUTS: --output is given for 2 of 1 results: 2xf32; one each is needed
// RUN: not xla-bench %s --input=3xf32=1 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: input 0: expected 2xf32, got 3xf32
// RUN: not xla-bench %s --input=2xf32=1 --input=f32=1 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: @main takes 1 input, 2 given: 2xf32
// RUN: not xla-bench %s --donate=1 2>&1 | FileCheck %s --check-prefix=DONATE
// DONATE: --donate=1 is not the number of one of 1 inputs
// RUN: not xla-bench %s --device=cup 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: unknown device "cup"; did you mean cpu?
// RUN: env VK_DRIVER_FILES=/none VK_ICD_FILENAMES=/none sh %S/../xla-run/Inputs/code.sh xla-bench %s --device=vulkan | FileCheck %s --check-prefix=VULKAN
// VULKAN: xla-bench: device vulkan: no Vulkan driver was found: install the one of the graphics card
// VULKAN-NEXT: exit 3
// RUN: not xla-bench %s --min-time=0 --json=%t.no/such/folder 2>&1 | FileCheck %s --check-prefix=JSON
// JSON: such/folder: No such file or directory
// RUN: not xla-bench %s --entry=mian 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: has no function @mian
// RUN: not xla-bench %s --timeout=-1 2>&1 | FileCheck %s --check-prefix=TIMEOUT
// TIMEOUT: --timeout=-1 is not a number that is at least 0
// RUN: %{python} %S/../Inputs/patient.py "while measuring" xla-bench %s --entry=forever --timeout={} | FileCheck %s --check-prefix=LIMIT
// LIMIT: xla-bench: the time limit of {{[0-9.]+}} s passed while measuring on cpu for {{[0-9.]+}} s, after reading the program for {{[0-9.e-]+}} s, compiling for cpu for
// LIMIT-NEXT: exit 3

func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = xla.negate %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
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
