// Long sums are of blocks, whose lengths bound how far rounding adds up.
// RUN: xla-run %s --device=cpu --expected-output=f32=900000 --rtol=3e-6 --output=none
func.func @main() -> tensor<f32> {
  %x = xla.constant dense<0.1> : tensor<9000000xf32>
  %y = xla.associative_scan(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimension = 0} : tensor<9000000xf32>
  %z = xla.slice %y {start_indices = [8999999], limit_indices = [9000000], strides = [1]} : (tensor<9000000xf32>) -> tensor<1xf32>
  %r = xla.reshape %z : (tensor<1xf32>) -> tensor<f32>
  return %r : tensor<f32>
}
