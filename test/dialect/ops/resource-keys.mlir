// Keys of resources are a text's own: none of them is taken for that of a constant which stays in an artifact.
// RUN: xla-opt %s | FileCheck %s
// CHECK: xla.constant dense_resource<uncopied_7> : tensor<2xf32>
// CHECK: xla.constant dense_resource<uncopied_8> : tensor<2xf32>
// CHECK: uncopied_7: "0x040000000000803F00000040"
func.func @f() -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = xla.constant dense_resource<uncopied_7> : tensor<2xf32>
  %1 = xla.constant dense_resource<uncopied_8> : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
{-#
  dialect_resources: {
    builtin: {
      uncopied_7: "0x040000000000803F00000040",
      uncopied_8: "0x040000000000803F00000040"
    }
  }
#-}
