// What is left of numbers that cancel is compared by their size: here elements near 0 are of numbers near 1.
// RUN: env VK_DRIVER_FILES=/none VK_ICD_FILENAMES=/none xla-run %s --entry=norm --seed=1 --device=all --output=none --output=none --output=none 2>&1 | FileCheck %s --check-prefix=NORM --allow-empty
// NORM-NOT: differ
// As exactly as the user says.
// RUN: env VK_DRIVER_FILES=/none VK_ICD_FILENAMES=/none sh %S/Inputs/code.sh xla-run %s --entry=norm --seed=1 --device=all --rtol=1e-4 --output=none --output=none --output=none | FileCheck %s --check-prefix=STRICT
// STRICT: xla-run: cpu: output 0: {{[0-9]+}} of 8448 elements differ
// STRICT: exit 1
// Sums whose parts cancel.
// RUN: env VK_DRIVER_FILES=/none VK_ICD_FILENAMES=/none xla-run %s --entry=sum --seed=1 --device=all 2>&1 | FileCheck %s --check-prefix=SUM
// SUM-NOT: differ
// SUM: {{^}}f32=

// Where nothing rounds, or not as much, a difference stays one, and the operation is found.
// RUN: clang-22 -shared -fPIC -o %t.so %S/Inputs/second.c
// RUN: env VK_DRIVER_FILES=/none VK_ICD_FILENAMES=/none sh %S/Inputs/code.sh xla-run %s --entry=wrong --custom-calls=%t.so --input="4xf32=1 2 3 4" --device=all | FileCheck %s --check-prefix=WRONG
// WRONG: xla-run: cpu: output 0: 1 of 4 elements differ, the first at [0]:
// WRONG: exit 1
// RUN: env VK_DRIVER_FILES=/none VK_ICD_FILENAMES=/none sh %S/Inputs/code.sh xla-run %s --entry=wrong_sum --custom-calls=%t.so --input="4xf32=1 2 -3 -4" --device=all | FileCheck %s --check-prefix=WRONGSUM
// WRONGSUM: xla-run: cpu: output 0: 1 of 1 elements differ, the first at []:
// WRONGSUM: exit 1

func.func @norm(%x: tensor<64x33x4xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<64x33x4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0:3 = xla.batch_norm_training %x, %s, %o {epsilon = 1.0e-3 : f32, feature_index = 2 : i64} : (tensor<64x33x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<64x33x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1, %0#2 : tensor<64x33x4xf32>, tensor<4xf32>, tensor<4xf32>
}
func.func @sum(%x: tensor<4099xf32>) -> tensor<f32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reverse %x {dimensions = [0]} : tensor<4099xf32>
  %1 = xla.negate %0 : tensor<4099xf32>
  %2 = xla.concatenate %x, %1 {dimension = 0} : (tensor<4099xf32>, tensor<4099xf32>) -> tensor<8198xf32>
  %3 = xla.reduce(%2, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %4 = xla.add %a, %b : tensor<f32>
    xla.return %4 : tensor<f32>
  }) {dimensions = [0]} : (tensor<8198xf32>, tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
func.func @wrong(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.custom_call %x {call_target_name = "second"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = xla.tanh %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @wrong_sum(%x: tensor<4xf32>) -> tensor<f32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.custom_call %x {call_target_name = "second"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = xla.reduce(%0, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %4 = xla.add %a, %b : tensor<f32>
    xla.return %4 : tensor<f32>
  }) {dimensions = [0]} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
