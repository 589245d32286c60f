// REQUIRES: vulkan
// Sizes that only a run can tell are refused where they stand.
// RUN: not xla-run %s --device=vulkan --input=3xf32=1 2>&1 | FileCheck %s
// CHECK: dynamic.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'func.func' op has a value of type tensor<?xf32, #xla.array<bounds = [4]>>, whose size is known only when the program runs: not supported yet in compiled programs [legal]
func.func @main(%x: tensor<?xf32, #xla.array<bounds = [4]>>) -> tensor<?xf32, #xla.array<bounds = [4]>> {
  %0 = xla.negate %x : tensor<?xf32, #xla.array<bounds = [4]>>
  return %0 : tensor<?xf32, #xla.array<bounds = [4]>>
}
