// A comparator that uses a value of the program is left to the interpreter.
// RUN: not xla-run %s --device=cpu --seed=1 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: xla-run %s --input="3xf32=1 2 3" --input=f32=1 | FileCheck %s
// CPU: :[[@LINE+4]]:{{.*}}'xla.sort' op uses a value of type tensor<f32>: it is computed outside of the kernel
// The order is by more than 1.
// CHECK: 3xf32=1 2 3
func.func @main(%x: tensor<3xf32>, %o: tensor<f32>) -> tensor<3xf32> {
  %0 = xla.sort(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %d = xla.subtract %b, %o : tensor<f32>
    %c = xla.compare %a, %d {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }) : tensor<3xf32>
  return %0 : tensor<3xf32>
}
