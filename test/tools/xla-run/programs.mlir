// Programs come from files, standard input and bytecode of this MLIR.
// RUN: xla-run - --input=f32=3 < %s | FileCheck %s
// RUN: xla-opt %s --emit-bytecode -o %t.mlirbc
// RUN: xla-run %t.mlirbc --input=f32=3 | FileCheck %s
// CHECK: {{^}}f32=-3{{$}}
// Bytecode of others is refused: it can be read as something else.
// RUN: sed s/MLIR22/MLIR23/ %t.mlirbc > %t.newer.mlirbc
// RUN: sh %S/Inputs/code.sh xla-run %t.newer.mlirbc | FileCheck %s --check-prefix=NEWER
// NEWER: {{.*}}.newer.mlirbc:1:1: error: is bytecode of "MLIR23.{{.*}}"; only that of MLIR 22, portable artifacts and text can be read
// NEWER-NEXT: exit 2
// RUN: printf 'ML\357R\007StableHLO_v1.13.0\000' > %t.vhlo
// RUN: sh %S/Inputs/code.sh xla-run %t.vhlo | FileCheck %s --check-prefix=VHLO
// VHLO: {{.*}}.vhlo:1:1: error: byte 23: section 0 is missing, which all programs have
// VHLO-NEXT: exit 2
// RUN: printf 'ML\357R' > %t.short
// RUN: not xla-run %t.short
// RUN: head -c 60 %t.mlirbc > %t.cut
// RUN: not xla-run %t.cut
// RUN: echo 'HloModule jit_f, entry_computation_layout={}' | not xla-run - 2>&1 | FileCheck %s --check-prefix=HLO
// HLO: <stdin>:2:1: error: there is no computation ENTRY
// RUN: echo 'func.func @main() -> tensor<f32> { %%0 = stablehlo.constant dense<1.0> : tensor<f32> return %%0 : tensor<f32> }' | xla-run - | FileCheck %s --check-prefix=PRETTY
// PRETTY: f32=1
// RUN: printf '\000\001\002' > %t.bytes
// RUN: sh %S/Inputs/code.sh xla-run %t.bytes | FileCheck %s --check-prefix=BYTES
// BYTES: {{.*}}.bytes:1:1: error: is neither text nor MLIR's bytecode
// BYTES-NEXT: exit 2
// xla-opt prints StableHLO, and imports it.
// RUN: echo 'func.func @main(%%a: tensor<f32>) -> tensor<f32> { %%0 = "stablehlo.negate"(%%a) : (tensor<f32>) -> tensor<f32> return %%0 : tensor<f32> }' > %t.stable.mlir
// RUN: xla-opt %t.stable.mlir --xla-import-stablehlo | FileCheck %s --check-prefix=IMPORT
// IMPORT: xla.negate
// RUN: xla-opt %t.stable.mlir --pass-pipeline='builtin.module(xla-import-stablehlo)' | FileCheck %s --check-prefix=IMPORT
// RUN: xla-opt %t.stable.mlir | FileCheck %s --check-prefix=STABLE
// STABLE: stablehlo.negate %arg0 : tensor<f32>

// Messages point into the program.
// RUN: echo 'func.func @main(%%a: tensor<f32>) { return %%b : tensor<f32> }' > %t.wrong.mlir
// RUN: sh %S/Inputs/code.sh xla-run %t.wrong.mlir | FileCheck %s --check-prefix=WRONG
// WRONG: wrong.mlir:1:43: error: use of undeclared SSA value name
// WRONG-NEXT: func.func @main(
// WRONG-NEXT: {{^ *\^$}}
// WRONG-NEXT: exit 2
// Operations that are not supported end with 3, what is wrong with 2.
// RUN: echo 'func.func @main(%%a: tensor<f32>) { "other.frobnicate"(%%a) : (tensor<f32>) -> () return }' > %t.refused.mlir
// RUN: sh %S/Inputs/code.sh xla-run %t.refused.mlir | FileCheck %s --check-prefix=REFUSED
// REFUSED: refused.mlir:1:36: error: 'other.frobnicate' op is not supported yet
// REFUSED: exit 3
// RUN: sed s/other/stablehlo/ %t.refused.mlir > %t.unknown.mlir
// RUN: sh %S/Inputs/code.sh xla-run %t.unknown.mlir | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: unknown.mlir:1:36: error: unregistered operation 'stablehlo.frobnicate' found in dialect ('stablehlo')
// UNKNOWN: exit 2
// RUN: %{python} -c 'print("(" * 20000)' > %t.deep.mlir
// RUN: not xla-run %t.deep.mlir 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: deep.mlir:1:1001: error: brackets nest more than 1000 deep
// RUN: echo > %t.empty.mlir
// RUN: not xla-run %t.empty.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: empty.mlir: has no public function with a body
// MLIR 23 writes a byte for each bool of a hexadecimal constant.
// RUN: echo 'func.func @main() -> tensor<9xi1> { %%0 = xla.constant dense<"0x010001010000000101"> : tensor<9xi1> return %%0 : tensor<9xi1> }' | xla-run - | FileCheck %s --check-prefix=BOOLS
// RUN: echo 'func.func @main() -> tensor<9xi1> { %%0 = xla.constant dense<"0x8D01"> : tensor<9xi1> return %%0 : tensor<9xi1> }' | xla-run - | FileCheck %s --check-prefix=BOOLS
// BOOLS: {{^}}9xpred=true false true true false false false true true{{$}}

func.func @negate(%a: tensor<f32>) -> tensor<f32> {
  %0 = xla.negate %a : tensor<f32>
  return %0 : tensor<f32>
}
