// What passes choose for is an attribute of the module, and must be one.
// RUN: split-file %s %t
// RUN: not xla-opt %t/empty.mlir --xla-attach-target=cpu=foo 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: no code can be made for the target: LLVM knows no processor "foo" of x86_64-pc-linux-gnu
// RUN: not xla-opt %t/empty.mlir --xla-attach-target=threads=0 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not xla-opt %t/key.mlir --xla-linalg-to-affine 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not xla-opt %t/kind.mlir --xla-linalg-to-affine 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not xla-opt %t/number.mlir --xla-linalg-to-affine 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: 'builtin.module' op has an attribute xla.target that is not of the form {cpu = "x86-64-v3", threads = 2 : i64}, with 1 to 1024 threads
// RUN: not xla-opt %t/empty.mlir --xla-cpu-pipeline=to=nowhere 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: error: no stage 'nowhere'; they are prepared, linalg, affine, llvm
// RUN: not xla-opt %t/empty.mlir --xla-cpu-pipeline=from=llvm 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: no such option from
// What is no nest is refused.
// RUN: not xla-opt %t/tensors.mlir --xla-affine-to-llvm 2>&1 | FileCheck %s --check-prefix=TENSORS
// TENSORS: tensors.mlir:1:1: error: an argument is a tensor; code is generated for memrefs
// TENSORS: tensors.mlir:2:{{[0-9]+}}: error: xla.negate is not of a dialect that code generation takes
// TENSORS: tensors.mlir:3:{{[0-9]+}}: error: arith.constant gives a tensor; code is generated for memrefs
// Code for other kinds of machines is made too.
// RUN: xla-opt %t/arm.mlir --xla-linalg-to-affine | FileCheck %s --check-prefix=ARM
// ARM: affine.for {{.*}} step 16 {
// ARM: vector<16xf32>

//--- empty.mlir
module {}
//--- tensors.mlir
func.func @f(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = xla.negate %x : tensor<4xbf16>
  %1 = arith.constant dense<1.0> : tensor<4xbf16>
  return %1 : tensor<4xbf16>
}
//--- key.mlir
module attributes {xla.target = {chip = "x86-64-v3"}} {}
//--- kind.mlir
module attributes {xla.target = "x86-64-v3"} {}
//--- number.mlir
module attributes {xla.target = {threads = 2.0 : f32}} {}
//--- arm.mlir
module attributes {xla.target = {cpu = "cortex-a76", triple = "aarch64-linux-gnu"}} {
  func.func private @add(%in: memref<64xf32>, %out: memref<64xf32>) attributes {xla.kind = "loop"} {
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%in : memref<64xf32>) outs(%out : memref<64xf32>) {
    ^bb0(%x: f32, %o: f32):
      %r = arith.addf %x, %x : f32
      linalg.yield %r : f32
    }
    return
  }
}
