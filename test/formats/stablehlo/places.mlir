// Errors point to where the text says something wrong, also where it leaves places open, or has those of other files.
// RUN: xla-run %s --seed=1 --output=none
// RUN: sed 's/call @g(/call @h(/' %s > %t.mlir && not xla-run %t.mlir --seed=1 2>&1 | FileCheck %s --check-prefix=CALLEE
// RUN: sed 's/dims = \[1, 0\]/dims = [0, 0]/' %s > %t.mlir && not xla-run %t.mlir --seed=1 2>&1 | FileCheck %s --check-prefix=DIMS
// RUN: sed 's/return %%4 : tensor<4x2xf32>/return %%3 : tensor<2x4xf32>/' %s > %t.mlir && not xla-run %t.mlir --seed=1 2>&1 | FileCheck %s --check-prefix=RETURN
// RUN: sed 's/GT,/GTT,/' %s > %t.mlir && not xla-translate %t.mlir --to=hlo 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: sed 's/\[0:2, 0:4\]/[0:2, 0:5]/' %s > %t.mlir && not xla-run %t.mlir --seed=1 2>&1 | FileCheck %s --check-prefix=SLICE
// CALLEE: .mlir:[[#@LINE+11]]:10: error: 'func.call' op 'h' does not reference a valid function
// CALLEE-NEXT: {{^}}    %1 = call @h(
// CALLEE-NEXT: {{^         \^}}
// DIMS:   .mlir:[[#@LINE+11]]:10: error: 'xla.transpose' op permutation [0, 0] has 0 twice
// RETURN: .mlir:[[#@LINE+11]]:5: error: type of return operand 0
// WORD:   .mlir:[[#@LINE+7]]:10: error: 'xla.compare' op attribute 'comparison_direction' is "GTT"
// SLICE:  model.py:7:3: error: 'xla.slice' op start 0 and limit 5
#loc = loc(unknown)
module @jit_f {
  func.func public @main(%arg0: tensor<2x4xf32> loc("x")) -> tensor<4x2xf32> attributes {a} {
    %0 = stablehlo.slice %arg0 [0:2, 0:4] : (tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc1)
    %1 = call @g(%0) : (tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc)
    %2 = stablehlo.compare  GT, %1, %0,  FLOAT : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1> loc("jit(f)/gt")
    %3 = stablehlo.select %2, %1, %0 : tensor<2x4xi1>, tensor<2x4xf32> loc(#loc)
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32> loc(#loc)
    return %4 : tensor<4x2xf32> loc(#loc)
  } loc(#loc)
  func.func private @g(%arg0: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<2x4xf32> loc(#loc)
    return %0 : tensor<2x4xf32> loc(#loc)
  }
}
#loc1 = loc("jit(f)/slice"("model.py":7:3))
