// REQUIRES: vulkan
// What drivers compute wrongly of f64 is computed without their instructions. llvmpipe does with vectors of 128 bits.
// RUN: xla-run %s --check --device=interpreter
// RUN: xla-run %s --check --device=vulkan
// RUN: env LP_NATIVE_VECTOR_WIDTH=128 xla-run %s --check --device=vulkan
func.func @round_nearest_even() {
  %x = xla.constant dense<[1.5, 2.5, -0.5, 0.49999999999999994, 1.0e300, -3.5, 4503599627370497.5, 0xFFF0000000000000]> : tensor<8xf64>
  %y = xla.round_nearest_even %x : tensor<8xf64>
  %want = xla.constant dense<[2.0, 2.0, -0.0, 0.0, 1.0e300, -4.0, 4503599627370498.0, 0xFFF0000000000000]> : tensor<8xf64>
  xla.custom_call %y, %want {call_target_name = "check.expect_eq"} : (tensor<8xf64>, tensor<8xf64>) -> ()
  return
}

func.func @power() {
  %x = xla.constant dense<[-2.5, -12.19, -2.0, 2.0, -0.5, -2.0]> : tensor<6xf64>
  %y = xla.constant dense<[1000000000.5, 180577770.67, 3.0, 0.5, 2.5, 1024.0]> : tensor<6xf64>
  %p = xla.power %x, %y : tensor<6xf64>
  %want = xla.constant dense<[0x7FF8000000000000, 0x7FF8000000000000, -8.0, 1.4142135623730951, 0x7FF8000000000000, 0x7FF0000000000000]> : tensor<6xf64>
  xla.custom_call %p, %want {call_target_name = "check.expect_close"} : (tensor<6xf64>, tensor<6xf64>) -> ()
  return
}
