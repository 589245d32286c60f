// The end of a region.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: @forms
// CHECK: xla.return %arg0, %arg1 : tensor<i1>, tensor<f32>
// CHECK: xla.return %arg0, %arg1 : tensor<i1>, tensor<f32>
func.func @forms(%p: tensor<i1>, %x: tensor<f32>) {
  %0:2 = xla.if(%p) ({
    "xla.return"(%p, %x) : (tensor<i1>, tensor<f32>) -> ()
  }, {
    xla.return %p, %x : tensor<i1>, tensor<f32>
  }) : (tensor<i1>) -> (tensor<i1>, tensor<f32>)
  return
}

// -----

func.func @function(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'xla.return' op ends a region of an operation of xla, not of 'func.func' [return_c1]}}
  xla.return %x : tensor<f32>
}

// -----

func.func @other(%p: tensor<i1>) {
  %0 = xla.if(%p) ({
    scf.execute_region {
      // expected-error @+1 {{ends a region of an operation of xla, not of 'scf.execute_region' [return_c1]}}
      xla.return
    }
    xla.return %p : tensor<i1>
  }, {
    xla.return %p : tensor<i1>
  }) : (tensor<i1>) -> tensor<i1>
  return
}
