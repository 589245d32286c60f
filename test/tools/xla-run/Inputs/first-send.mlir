// Sends on channel 1 before it is ready to receive on channel 2.
func.func @main() {
  %x = xla.constant dense<1.0> : tensor<2xf32>
  %s = xla.send %x {channel_id = 1} : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<ui32>>
  xla.send_done %s : (tuple<tensor<2xf32>, tensor<ui32>>) -> ()
  %r = xla.recv {channel_id = 2} : () -> tuple<tensor<2xf32>, tensor<ui32>>
  %0 = xla.recv_done %r : (tuple<tensor<2xf32>, tensor<ui32>>) -> tensor<2xf32>
  return
}
