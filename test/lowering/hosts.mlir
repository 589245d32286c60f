// Code for other processors than this one. Conversions of 16-bit floats become no calls of functions that a process may lack.
// RUN: xla-run %s --device=cpu --seed=1 --cpu=x86-64 --check --entry=checked
// RUN: xla-run %s --device=cpu --seed=1 --cpu=x86-64-v3 --check --entry=checked
// RUN: xla-run %s --device=all --seed=1 --entry=halves --cpu=x86-64 --output=none --output=none --output=none
// RUN: xla-run %s --device=all --seed=1 --entry=halves --cpu=x86-64-v2 --output=none --output=none --output=none
// RUN: env XLAC_CPU=x86-64-v3 xla-run %s --device=all --seed=1 --entry=halves --output=none --output=none --output=none
// RUN: xla-run %s --device=all --seed=1 --entry=halves --cpu=host --threads=1 --output=none --output=none --output=none
// RUN: xla-run %s --device=cpu --seed=1 --entry=halves --cpu=x86-64 --output=none --output=none --output=none --print-ir-after=optimized 2>&1 | FileCheck %s --check-prefix=OLD
// OLD-NOT: {{bfloat|half}}
// OLD: "target-cpu"="x86-64"
// RUN: xla-run %s --device=cpu --seed=1 --entry=halves --cpu=x86-64-v3 --output=none --output=none --output=none --print-ir-after=optimized 2>&1 | FileCheck %s --check-prefix=NEW
// NEW-NOT: bfloat
// NEW: half
// NEW-NOT: bfloat

// Code for other kinds of machines is assembled.
// RUN: rm -rf %t.arm %t.riscv && xla-run %s --device=cpu --entry=halves --triple=aarch64-linux-gnu --cpu=cortex-a76 --dump=%t.arm | count 0
// RUN: llvm-objdump -f %t.arm/cpu/*object.o | FileCheck %s --check-prefix=ARM
// ARM: elf64-littleaarch64
// RUN: xla-run %s --device=cpu --entry=halves --triple=riscv64-linux-gnu --cpu=sifive-x280 --threads=4 --dump=%t.riscv
// RUN: llvm-objdump -f %t.riscv/cpu/*object.o | FileCheck %s --check-prefix=RISCV
// RISCV: elf64-littleriscv

// RUN: sh %S/../tools/xla-run/Inputs/code.sh xla-run %s --device=cpu --seed=1 --entry=halves --cpu=pentium-9 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: xla-run: LLVM knows no processor "pentium-9" of x86_64
// UNKNOWN-NEXT: exit 2
// RUN: sh %S/../tools/xla-run/Inputs/code.sh xla-run %s --device=cpu --seed=1 --entry=halves --triple=toaster | FileCheck %s --check-prefix=TOASTER
// TOASTER: xla-run: no code can be generated for "toaster
// TOASTER-NEXT: exit 2
// RUN: sh %S/../tools/xla-run/Inputs/code.sh xla-run %s --device=vulkan --seed=1 --entry=halves --triple=aarch64-linux-gnu | FileCheck %s --check-prefix=DEVICE
// DEVICE: xla-run: --triple needs --device=cpu
// DEVICE-NEXT: exit 2
// RUN: sh %S/../tools/xla-run/Inputs/code.sh env XLAC_THREADS=many xla-run %s --device=cpu --seed=1 --entry=halves | FileCheck %s --check-prefix=THREADS
// THREADS: xla-run: XLAC_THREADS=many is no number from 1 to 1024
// THREADS-NEXT: exit 2
// RUN: xla-bench %s --entry=halves --device=cpu --cpu=x86-64-v3 --threads=1 --min-time=0.01 | FileCheck %s --check-prefix=BENCH
// BENCH: time

func.func @halves(%x: tensor<9x33xbf16>, %y: tensor<33x17xbf16>, %h: tensor<9x33xf16>) -> (tensor<9x17xbf16>, tensor<9xbf16>, tensor<9x33xf16>) {
  %zero = xla.constant dense<0.0> : tensor<bf16>
  %product = xla.dot %x, %y : (tensor<9x33xbf16>, tensor<33x17xbf16>) -> tensor<9x17xbf16>
  %sum = xla.reduce(%x, %zero) ({
  ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
    %t = xla.add %p, %q : tensor<bf16>
    xla.return %t : tensor<bf16>
  }) {dimensions = array<i64: 1>} : (tensor<9x33xbf16>, tensor<bf16>) -> tensor<9xbf16>
  %wide = xla.convert %x : (tensor<9x33xbf16>) -> tensor<9x33xf64>
  %narrow = xla.convert %wide : (tensor<9x33xf64>) -> tensor<9x33xf16>
  %e = xla.tanh %h : tensor<9x33xf16>
  %m = xla.multiply %e, %narrow : tensor<9x33xf16>
  return %product, %sum, %m : tensor<9x17xbf16>, tensor<9xbf16>, tensor<9x33xf16>
}

// Denormals are kept, ties go to even, NaN stays NaN.
func.func @checked() {
  %x = xla.constant dense<[0x00000001, 0x3F808000, 0x3F818000, 0x7F7FFFFF, 0x7F800001, 0x00400000, 0x80000000]> : tensor<7xf32>
  %b = xla.convert %x : (tensor<7xf32>) -> tensor<7xbf16>
  %bits = xla.bitcast_convert %b : (tensor<7xbf16>) -> tensor<7xui16>
  %want = xla.constant dense<[0, 0x3F80, 0x3F82, 0x7F80, 0x7FC0, 0x0040, 0x8000]> : tensor<7xui16>
  xla.custom_call %bits, %want {call_target_name = "check.expect_eq"} : (tensor<7xui16>, tensor<7xui16>) -> ()
  %y = xla.constant dense<[0x33000000, 0x33000001, 0x387FE000, 0x477FF000, 0x477FEFFF, 0xFFC00000]> : tensor<6xf32>
  %h = xla.convert %y : (tensor<6xf32>) -> tensor<6xf16>
  %hbits = xla.bitcast_convert %h : (tensor<6xf16>) -> tensor<6xui16>
  %hwant = xla.constant dense<[0, 1, 0x0400, 0x7C00, 0x7BFF, 0xFE00]> : tensor<6xui16>
  xla.custom_call %hbits, %hwant {call_target_name = "check.expect_eq"} : (tensor<6xui16>, tensor<6xui16>) -> ()
  return
}
