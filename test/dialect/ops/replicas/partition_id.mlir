// Specification of StableHLO, partition_id.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @form
// CHECK: xla.partition_id : () -> tensor<ui32>
func.func @form() -> tensor<ui32> {
  %0 = "xla.partition_id"() : () -> tensor<ui32>
  return %0 : tensor<ui32>
}

// -----

func.func @result() {
  // expected-error @+1 {{takes unsigned elements, not s32 [element_type]}}
  %0 = xla.partition_id : () -> tensor<i32>
  return
}

// -----

func.func @width() {
  // expected-error @+1 {{result 0 is stated as tensor<ui64>, but is tensor<ui32> [result]}}
  %0 = xla.partition_id : () -> tensor<ui64>
  return
}

// -----

func.func @shape() {
  // expected-error @+1 {{result 0 is stated as tensor<1xui32>, but is tensor<ui32> [result]}}
  %0 = xla.partition_id : () -> tensor<1xui32>
  return
}
