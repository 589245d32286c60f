// Wrong uses end with 2 and one line that says what is wrong.
// RUN: sh %S/Inputs/code.sh xla-run | FileCheck %s --check-prefix=NOTHING
// NOTHING: xla-run: needs a program; see --help
// NOTHING-NEXT: exit 2
// RUN: not xla-run %s a b 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: xla-run: takes one program, not 3
// RUN: not xla-run %t.missing 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: xla-run: {{.*}}.missing: No such file or directory
// RUN: not xla-run %s --imput=f32=1 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: xla-run: unknown option --imput; did you mean --input?
// RUN: not xla-run %s --frobnicate 2>&1 | FileCheck %s --check-prefix=OPTION2
// OPTION2: xla-run: unknown option --frobnicate; see --help
// RUN: not xla-run %s --check=1 2>&1 | FileCheck %s --check-prefix=FLAG
// FLAG: xla-run: --check takes no value
// RUN: not xla-run %s --entry 2>&1 | FileCheck %s --check-prefix=NOVALUE
// NOVALUE: xla-run: --entry needs a value, --entry=NAME
// RUN: not xla-run %s --seed=1 --seed=2 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: xla-run: --seed is given twice
// RUN: not xla-run %s --seed=x 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: xla-run: --seed=x is not an integer
// RUN: not xla-run %s --rtol=-1 2>&1 | FileCheck %s --check-prefix=RTOL
// RTOL: xla-run: --rtol=-1 is not a number that is at least 0
// RUN: not xla-run %s --timeout=soon 2>&1 | FileCheck %s --check-prefix=TIMEOUT
// TIMEOUT: xla-run: --timeout=soon is not a number
// RUN: not xla-run %s --output=x.npy 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: xla-run: --output=x.npy is neither @FILE.npy, nor -, nor none
// RUN: not xla-run %s --device=interpeter 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: xla-run: unknown device "interpeter"; did you mean interpreter?
// RUN: not xla-run %s --entry=mane 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: errors.mlir: has no function @mane, only @one, @two
// RUN: not xla-run %s 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: has no @main but several public functions: @one, @two; choose one with --entry

// Inputs are checked before anything runs.
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=two --input=f32=1 | FileCheck %s --check-prefix=COUNT
// COUNT: xla-run: @two takes 2 inputs, 1 given: 2x3xf32, s32; --seed=1 makes up what is missing
// COUNT-NEXT: exit 2
// RUN: not xla-run %s --entry=one --input=f32=1 --input=f32=1 2>&1 | FileCheck %s --check-prefix=TOOMANY
// TOOMANY: xla-run: @one takes 1 input, 2 given: 2x3xf32{{$}}
// RUN: not xla-run %s --entry=one --input=2x2xf32=1 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: xla-run: input 0: expected 2x3xf32, got 2x2xf32
// RUN: not xla-run %s --entry=two --input=2x3xf32=1 --input=u32=1 2>&1 | FileCheck %s --check-prefix=ELEMENT
// ELEMENT: xla-run: input 1: expected s32, got u32
// RUN: not xla-run %s --entry=one --input="2x3xf32=1 2" 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: xla-run: input 0: 2x3xf32 has 6 elements, 2 are given
// RUN: not xla-run %s --entry=one --input="2x3xf32=1 2 3 4 5 6 7" 2>&1 | FileCheck %s --check-prefix=EXTRA
// EXTRA: xla-run: input 0: 2x3xf32 has 6 elements, 7 are given
// RUN: not xla-run %s --entry=one --input="2x3xf32=1 2 three" 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: xla-run: input 0: element 2, "three", is no f32
// RUN: not xla-run %s --entry=two --input=random:1 --input=i32=2147483648 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: xla-run: input 1: element 0, "2147483648", is no s32
// RUN: not xla-run %s --entry=one --input=2x3xf31=1 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: xla-run: input 0: "f31" is no element type
// RUN: not xla-run %s --entry=one --input=2y3 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: xla-run: input 0: "2y3" is no value; values look like
// RUN: not xla-run %s --entry=one --input=99999999999x99999999999xf32=1 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: xla-run: input 0: {{.*}} has more elements than memory can hold
// RUN: not xla-run %s --entry=one --input=random: 2>&1 | FileCheck %s --check-prefix=RANDOM
// RANDOM: xla-run: input 0: "random:" needs a number, as random:7
// RUN: not xla-run %s --entry=one --input=@%t.none.npy 2>&1 | FileCheck %s --check-prefix=NPY
// NPY: xla-run: input 0: {{.*}}.none.npy
// RUN: printf 'nonsense' > %t.bad.npy
// RUN: not xla-run %s --entry=one --input=@%t.bad.npy 2>&1 | FileCheck %s --check-prefix=BADNPY
// BADNPY: xla-run: input 0: {{.*}}.bad.npy
// RUN: not xla-run %s --entry=one --seed=1 --output=- --output=- 2>&1 | FileCheck %s --check-prefix=OUTPUTS
// OUTPUTS: xla-run: --output is given for 2 of 1 results: 2x3xf32; one each is needed{{$}}
// RUN: not xla-run %s --entry=one --seed=1 --expected-output=f32=1 --expected-output=f32=1 2>&1 | FileCheck %s --check-prefix=EXPECTED
// EXPECTED: xla-run: --expected-output is given for 2 of 1 results: 2x3xf32; one each is needed
// RUN: not xla-run %s --entry=one --seed=1 --print-ir-after=nowhere 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: xla-run: --print-ir-after=nowhere: interpreter has no such stage
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=one --seed=1 --device=cpu --cpu=foo | FileCheck %s --check-prefix=CPU
// CPU: xla-run: LLVM knows no processor "foo" of
// CPU-NEXT: exit 2
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=one --seed=1 --device=cpu --cpu= | FileCheck %s --check-prefix=NOCPU
// NOCPU: xla-run: --cpu= names no processor; --cpu=host is this one
// NOCPU-NEXT: exit 2

// Devices that are not there end with 3.
// RUN: env VK_DRIVER_FILES=/none VK_ICD_FILENAMES=/none sh %S/Inputs/code.sh xla-run %s --entry=one --seed=1 --device=vulkan | FileCheck %s --check-prefix=ABSENT
// ABSENT: xla-run: device vulkan: no Vulkan driver was found: install the one of the graphics card
// ABSENT-NEXT: exit 3

func.func @one(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  return %a : tensor<2x3xf32>
}
func.func @two(%a: tensor<2x3xf32>, %b: tensor<i32>) -> tensor<2x3xf32> {
  return %a : tensor<2x3xf32>
}
func.func private @helper(%a: tensor<i32>)
