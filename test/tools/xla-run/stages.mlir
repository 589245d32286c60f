// RUN: rm -rf %t && xla-run %s --dump=%t --stats --print-ir-after=import > %t.out 2>&1 && FileCheck %s < %t.out
// CHECK: // after import
// CHECK: xla.negate
// CHECK: f32=-3
// CHECK: {{^}}parse {{ *}}{{[0-9.]+}} ms{{$}}
// CHECK-NEXT: {{^}}import {{ *}}{{[0-9.]+}} ms{{$}}
// CHECK-NEXT: {{^}}interpreter: run {{ *}}{{[0-9.]+}} ms{{$}}
// CHECK-NEXT: {{^}}total {{ *}}{{[0-9.]+}} ms{{$}}
// CHECK-NEXT: {{^}}peak memory {{ *}}{{[0-9]+}} bytes{{$}}
// RUN: FileCheck %s --check-prefix=PARSE < %t/00-parse.mlir
// PARSE: stablehlo.negate %
// RUN: FileCheck %s --check-prefix=IMPORT < %t/01-import.mlir
// IMPORT: xla.negate
// What is dumped runs.
// RUN: xla-run %t/01-import.mlir | FileCheck %s --check-prefix=RESULT
// RESULT: {{^}}f32=-3{{$}}
// RUN: not xla-run %s --dump=%s 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: xla-run: {{.*}}stages.mlir/00-parse.mlir: Not a directory
// Unknown stages are refused before anything is read.
// RUN: sh %S/Inputs/code.sh xla-run %t.missing --print-ir-after=import --print-ir-after=optimised --device=cpu | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: xla-run: --print-ir-after=optimised: cpu has no such stage; the stages are: parse, import, prepared, linalg, affine, math, lowered, llvm, optimized, object
// UNKNOWN-NEXT: exit 2
// RUN: not xla-run %s --print-ir-after=prepared 2>&1 | FileCheck %s --check-prefix=INTERPRETER
// INTERPRETER: xla-run: --print-ir-after=prepared: interpreter has no such stage; the stages are: parse, import{{$}}
// RUN: not xla-run %s --print-ir-after=prepare --device=all 2>&1 | FileCheck %s --check-prefix=ANY
// ANY: no device has such a stage; the stages are: parse, import, prepared
// All of the cpu's stages occur.
// RUN: xla-run %s --device=cpu --print-ir-after=prepared --print-ir-after=linalg --print-ir-after=affine --print-ir-after=math --print-ir-after=lowered --print-ir-after=llvm --print-ir-after=optimized --print-ir-after=object 2>&1 | FileCheck %s --check-prefix=STAGES
// STAGES: // after prepared for cpu
// STAGES: // after linalg for cpu
// STAGES: // after affine for cpu
// STAGES: // after math for cpu
// STAGES: // after lowered for cpu
// STAGES: // after llvm for cpu
// STAGES: // after optimized for cpu
// STAGES: // after object for cpu
// STAGES-NEXT: // {{[0-9]+}} bytes that are no text; --dump writes them
// A stage may be missing: this program needs no import.
// RUN: echo 'func.func @main(%%a: tensor<f32>) -> tensor<f32> { return %%a : tensor<f32> }' > %t.xla.mlir
// RUN: not xla-run %t.xla.mlir --seed=1 --print-ir-after=import 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: xla-run: the program had no stage "import", only: parse{{$}}

func.func @main() -> tensor<f32> {
  %0 = xla.constant dense<3.0> : tensor<f32>
  %1 = "stablehlo.negate"(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
