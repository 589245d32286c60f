// What could not be written is an error, and no file of a driver takes the place of a stream that is closed.
// RUN: sh %S/Inputs/streams.sh xla-run %s | FileCheck %s --check-prefix=CODE
// RUN: sh %S/Inputs/streams.sh xla-run %s --device=cpu | FileCheck %s --check-prefix=CODE
// RUN: sh %S/Inputs/streams.sh xla-run %s --check | FileCheck %s --check-prefix=CODE
// RUN: sh %S/Inputs/streams.sh xla-run --help | FileCheck %s --check-prefix=CODE
// RUN: sh %S/Inputs/streams.sh xla-run --version | FileCheck %s --check-prefix=CODE
// RUN: sh %S/Inputs/streams.sh xla-bench %s --device=cpu --min-time=0 | FileCheck %s --check-prefix=CODE
// RUN: sh %S/Inputs/streams.sh xla-bench --help | FileCheck %s --check-prefix=CODE
// RUN: sh %S/Inputs/streams.sh xla-gen --seed=1 | FileCheck %s --check-prefix=CODE
// RUN: sh %S/Inputs/streams.sh xla-translate --to=stablehlo %s | FileCheck %s --check-prefix=CODE
// RUN: sh %S/Inputs/streams.sh xla-gen --list | FileCheck %s --check-prefix=CODE
// RUN: sh %S/Inputs/streams.sh xla-indexing "(d0) -> (d0), domain: d0 in [0, 3]" | FileCheck %s --check-prefix=CODE
// RUN: sh %S/Inputs/streams.sh xla-opt --list-ops | FileCheck %s --check-prefix=CODE
// RUN: sh %S/Inputs/streams.sh xla-opt --version | FileCheck %s --check-prefix=CODE
// RUN: sh %S/Inputs/streams.sh xla-lsp-server --version | FileCheck %s --check-prefix=CODE
// RUN: sh %S/Inputs/streams.sh xla-run --self-test=cpu | FileCheck %s --check-prefix=CODE
// CODE: closed 2, full 2, none 2
// RUN: sh %S/Inputs/streams.sh xla-opt %s | FileCheck %s --check-prefix=LLVM
// RUN: sh %S/Inputs/streams.sh xla-reduce --help | FileCheck %s --check-prefix=LLVM
// LLVM: closed 1, full 1, none 1
// RUN: not xla-run %s --output=@/dev/full 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not xla-bench %s --device=cpu --min-time=0 --json=/dev/full 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: /dev/full: {{.*}}No space left on device
// RUN: sh -c 'xla-run %s <&- 2>&-' | FileCheck %s --check-prefix=RESULT
// RESULT: 4xf32=1 1 1 1
// RUN: not sh -c 'xla-run - <&-' 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: <stdin>: Bad file descriptor
func.func @main() -> tensor<4xf32> {
  %0 = xla.constant dense<1.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
