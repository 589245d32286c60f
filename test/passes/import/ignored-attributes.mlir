// RUN: xla-opt %s --xla-import-stablehlo --remarks-filter=xla 2> %t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: xla-run %s --input=2xf32=3 -v 2>&1 | FileCheck %s --check-prefix=VERBOSE
// RUN: xla-run %s --input=2xf32=3 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: xla-bench %s --input=2xf32=3 --min-time=0 --verbose 2>&1 | FileCheck %s --check-prefix=VERBOSE

// What somebody left on an operation is ignored, and so said to whom asks.
// CHECK: xla.negate %{{[^ ]*}} : tensor<2xf32>
// CHECK: xla.add {{.*}} {name = "sum"} : tensor<2xf32>
// REMARK-DAG: :[[#@LINE+7]]:8: remark: [Analysis] 'stablehlo.negate' op ignores the attribute 'name' | Category:xla
// REMARK-DAG: :[[#@LINE+7]]:8: remark: [Analysis] 'xla.add' op ignores the attribute 'name'
// VERBOSE-DAG: :[[#@LINE+5]]:8: remark: 'stablehlo.negate' op ignores the attribute 'name'{{$}}
// VERBOSE-DAG: :[[#@LINE+5]]:8: remark: 'xla.add' op ignores the attribute 'name'{{$}}
// QUIET-NOT: remark
// QUIET: 2xf32=-6 -6
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.negate"(%a) {name = "n", mhlo.frontend_attributes = {x = "1"}} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = xla.add %0, %0 {name = "sum"} : tensor<2xf32>
  return %1 : tensor<2xf32>
}
