func.func @main(%x: tensor<40x3xf32>, %i: tensor<100x1xi32>, %u: tensor<100x3xf32>) -> tensor<40x3xf32> {
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %h = xla.constant dense<0.5> : tensor<f32>
    %p = xla.multiply %a, %h : tensor<f32>
    %s = xla.add %p, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : i64} : (tensor<40x3xf32>, tensor<100x1xi32>, tensor<100x3xf32>) -> tensor<40x3xf32>
  return %0 : tensor<40x3xf32>
}
