// Trains a network of one hidden layer of 96 units to read handwritten digits.
//
//   xla-run train.mlir --device=cpu --input=@train_images.npy --input=@train_labels.npy
//       --input=u32=1 --input=f32=0.5 --output=@w1.npy --output=@b1.npy --output=@w2.npy
//       --output=@b2.npy --output=@losses.npy
//
// Inputs: 1,437 images of 8x8 pixels from 0 to 1, their labels, the seed of the
// initial weights, and the learning rate. Results: the weights and biases of both
// layers, and the mean loss of every batch. 3000 steps of gradient descent on
// batches of 64 run inside one while; the rate falls linearly to zero.
//
// For another layer size replace 96 everywhere, for another number of steps 3000.

// Uniform numbers in [-scale, scale): a hash of row, column and seed. The hash is the
// finalizer of MurmurHash3, multiplications and shifts with xor over 32 bits.
func.func private @uniform_64x96(%seed: tensor<ui32>, %scale: tensor<f32>) -> tensor<64x96xf32> {
  %row = xla.iota {iota_dimension = 0 : i64} : () -> tensor<64x96xui32>
  %column = xla.iota {iota_dimension = 1 : i64} : () -> tensor<64x96xui32>
  %width = xla.constant dense<96> : tensor<ui32>
  %0 = xla.multiply %row, %width : (tensor<64x96xui32>, tensor<ui32>) -> tensor<64x96xui32>
  %counter = xla.add %0, %column : tensor<64x96xui32>
  %key = func.call @scramble(%seed) : (tensor<ui32>) -> tensor<ui32>
  %1 = xla.add %counter, %key : (tensor<64x96xui32>, tensor<ui32>) -> tensor<64x96xui32>
  %2 = xla.map(%1) ({
  ^bb0(%x: tensor<ui32>):
    %h = func.call @scramble(%x) : (tensor<ui32>) -> tensor<ui32>
    xla.return %h : tensor<ui32>
  }) {dimensions = array<i64: 0, 1>} : tensor<64x96xui32>
  %c8 = xla.constant dense<8> : tensor<ui32>
  %3 = xla.shift_right_logical %2, %c8 : (tensor<64x96xui32>, tensor<ui32>) -> tensor<64x96xui32>
  %4 = xla.convert %3 : (tensor<64x96xui32>) -> tensor<64x96xf32>
  %unit = xla.constant dense<1.1920929e-07> : tensor<f32>  // 2^-23
  %5 = xla.multiply %4, %unit : (tensor<64x96xf32>, tensor<f32>) -> tensor<64x96xf32>
  %one = xla.constant dense<1.0> : tensor<f32>
  %6 = xla.subtract %5, %one : (tensor<64x96xf32>, tensor<f32>) -> tensor<64x96xf32>
  %7 = xla.multiply %6, %scale : (tensor<64x96xf32>, tensor<f32>) -> tensor<64x96xf32>
  return %7 : tensor<64x96xf32>
}

func.func private @scramble(%x: tensor<ui32>) -> tensor<ui32> {
  %c16 = xla.constant dense<16> : tensor<ui32>
  %c13 = xla.constant dense<13> : tensor<ui32>
  %m1 = xla.constant dense<2246822507> : tensor<ui32>
  %m2 = xla.constant dense<3266489909> : tensor<ui32>
  %0 = xla.shift_right_logical %x, %c16 : tensor<ui32>
  %1 = xla.xor %x, %0 : tensor<ui32>
  %2 = xla.multiply %1, %m1 : tensor<ui32>
  %3 = xla.shift_right_logical %2, %c13 : tensor<ui32>
  %4 = xla.xor %2, %3 : tensor<ui32>
  %5 = xla.multiply %4, %m2 : tensor<ui32>
  %6 = xla.shift_right_logical %5, %c16 : tensor<ui32>
  %7 = xla.xor %5, %6 : tensor<ui32>
  return %7 : tensor<ui32>
}

func.func @main(%images: tensor<1437x64xf32>, %labels: tensor<1437xi32>, %seed: tensor<ui32>,
                %rate: tensor<f32>)
    -> (tensor<64x96xf32>, tensor<96xf32>, tensor<96x10xf32>, tensor<10xf32>, tensor<3000xf32>) {
  %scale1 = xla.constant dense<0.2> : tensor<f32>
  %w1 = func.call @uniform_64x96(%seed, %scale1) : (tensor<ui32>, tensor<f32>) -> tensor<64x96xf32>
  %b1 = xla.constant dense<0.0> : tensor<96xf32>
  // The second layer takes the corner of another such array.
  %one = xla.constant dense<1> : tensor<ui32>
  %seed2 = xla.add %seed, %one : tensor<ui32>
  %corner = func.call @uniform_64x96(%seed2, %scale1) : (tensor<ui32>, tensor<f32>) -> tensor<64x96xf32>
  %turned = xla.transpose %corner {permutation = array<i64: 1, 0>} : (tensor<64x96xf32>) -> tensor<96x64xf32>
  %w2 = xla.slice %turned {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 96, 10>}
      : (tensor<96x64xf32>) -> tensor<96x10xf32>
  %b2 = xla.constant dense<0.0> : tensor<10xf32>
  %none = xla.constant dense<0.0> : tensor<3000xf32>
  %step = xla.constant dense<0> : tensor<i32>
  %steps = xla.constant dense<3000> : tensor<i32>
  %c0 = xla.constant dense<0> : tensor<i32>

  %r:6 = xla.while(%step, %w1, %b1, %w2, %b2, %none) ({
  ^bb0(%i: tensor<i32>, %v1: tensor<64x96xf32>, %a1: tensor<96xf32>, %v2: tensor<96x10xf32>,
       %a2: tensor<10xf32>, %losses: tensor<3000xf32>):
    %more = xla.compare %i, %steps {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %more : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %v1: tensor<64x96xf32>, %a1: tensor<96xf32>, %v2: tensor<96x10xf32>,
       %a2: tensor<10xf32>, %losses: tensor<3000xf32>):
    // The batch: 64 rows, from a place that moves through the data by a stride
    // without common factors with the 1,374 possible places.
    %stride = xla.constant dense<65> : tensor<i32>
    %places = xla.constant dense<1374> : tensor<i32>
    %far = xla.multiply %i, %stride : tensor<i32>
    %start = xla.remainder %far, %places : tensor<i32>
    %x = xla.dynamic_slice %images, %start, %c0 {slice_sizes = array<i64: 64, 64>}
        : (tensor<1437x64xf32>, tensor<i32>, tensor<i32>) -> tensor<64x64xf32>
    %y = xla.dynamic_slice %labels, %start {slice_sizes = array<i64: 64>}
        : (tensor<1437xi32>, tensor<i32>) -> tensor<64xi32>

    // Forward: h = tanh(x w1 + b1), then softmax(h w2 + b2).
    %p1 = xla.dot %x, %v1 : (tensor<64x64xf32>, tensor<64x96xf32>) -> tensor<64x96xf32>
    %s1 = xla.add %p1, %a1 {broadcast_dimensions = array<i64: 1>} : (tensor<64x96xf32>, tensor<96xf32>) -> tensor<64x96xf32>
    %h = xla.tanh %s1 : tensor<64x96xf32>
    %p2 = xla.dot %h, %v2 : (tensor<64x96xf32>, tensor<96x10xf32>) -> tensor<64x10xf32>
    %z = xla.add %p2, %a2 {broadcast_dimensions = array<i64: 1>} : (tensor<64x10xf32>, tensor<10xf32>) -> tensor<64x10xf32>
    %f0 = xla.constant dense<0.0> : tensor<f32>
    %lowest = xla.constant dense<0xFF800000> : tensor<f32>
    %top = xla.reduce(%z, %lowest) ({
    ^bb1(%m: tensor<f32>, %n: tensor<f32>):
      %t = xla.maximum %m, %n : tensor<f32>
      xla.return %t : tensor<f32>
    }) {dimensions = array<i64: 1>} : (tensor<64x10xf32>, tensor<f32>) -> tensor<64xf32>
    %shifted = xla.subtract %z, %top {broadcast_dimensions = array<i64: 0>} : (tensor<64x10xf32>, tensor<64xf32>) -> tensor<64x10xf32>
    %e = xla.exponential %shifted : tensor<64x10xf32>
    %total = xla.reduce(%e, %f0) ({
    ^bb1(%m: tensor<f32>, %n: tensor<f32>):
      %t = xla.add %m, %n : tensor<f32>
      xla.return %t : tensor<f32>
    }) {dimensions = array<i64: 1>} : (tensor<64x10xf32>, tensor<f32>) -> tensor<64xf32>
    %prob = xla.divide %e, %total {broadcast_dimensions = array<i64: 0>} : (tensor<64x10xf32>, tensor<64xf32>) -> tensor<64x10xf32>

    // The loss is the mean of log(total) - shifted at the label.
    %digit = xla.iota {iota_dimension = 1 : i64} : () -> tensor<64x10xi32>
    %is = xla.compare %digit, %y {comparison_direction = "EQ", broadcast_dimensions = array<i64: 0>}
        : (tensor<64x10xi32>, tensor<64xi32>) -> tensor<64x10xi1>
    %hot = xla.convert %is : (tensor<64x10xi1>) -> tensor<64x10xf32>
    %logs = xla.log %total : tensor<64xf32>
    %logp = xla.subtract %shifted, %logs {broadcast_dimensions = array<i64: 0>} : (tensor<64x10xf32>, tensor<64xf32>) -> tensor<64x10xf32>
    %picked = xla.multiply %logp, %hot : tensor<64x10xf32>
    %sum = xla.reduce(%picked, %f0) ({
    ^bb1(%m: tensor<f32>, %n: tensor<f32>):
      %t = xla.add %m, %n : tensor<f32>
      xla.return %t : tensor<f32>
    }) {dimensions = array<i64: 0, 1>} : (tensor<64x10xf32>, tensor<f32>) -> tensor<f32>
    %minus = xla.constant dense<-0.015625> : tensor<f32>  // -1/64
    %loss = xla.multiply %sum, %minus : tensor<f32>
    %entry = xla.reshape %loss : (tensor<f32>) -> tensor<1xf32>
    %more = xla.dynamic_update_slice %losses, %entry, %i
        : (tensor<3000xf32>, tensor<1xf32>, tensor<i32>) -> tensor<3000xf32>

    // Backward. The gradient of the mean loss in z is (prob - hot) / 64; with the
    // rate of this step it scales every update.
    %fi = xla.convert %i : (tensor<i32>) -> tensor<f32>
    %all = xla.convert %steps : (tensor<i32>) -> tensor<f32>
    %done = xla.divide %fi, %all : tensor<f32>
    %f1 = xla.constant dense<1.0> : tensor<f32>
    %left = xla.subtract %f1, %done : tensor<f32>
    %scaled = xla.multiply %rate, %left : tensor<f32>
    %size = xla.constant dense<0.015625> : tensor<f32>
    %k = xla.multiply %scaled, %size : tensor<f32>
    %off = xla.subtract %prob, %hot : tensor<64x10xf32>
    %gz = xla.multiply %off, %k : (tensor<64x10xf32>, tensor<f32>) -> tensor<64x10xf32>
    %gw2 = xla.dot_general %h, %gz {lhs_contracting_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 0>}
        : (tensor<64x96xf32>, tensor<64x10xf32>) -> tensor<96x10xf32>
    %gb2 = xla.reduce(%gz, %f0) ({
    ^bb1(%m: tensor<f32>, %n: tensor<f32>):
      %t = xla.add %m, %n : tensor<f32>
      xla.return %t : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<64x10xf32>, tensor<f32>) -> tensor<10xf32>
    %gh = xla.dot_general %gz, %v2 {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 1>}
        : (tensor<64x10xf32>, tensor<96x10xf32>) -> tensor<64x96xf32>
    %hh = xla.multiply %h, %h : tensor<64x96xf32>
    %slope = xla.subtract %f1, %hh : (tensor<f32>, tensor<64x96xf32>) -> tensor<64x96xf32>
    %gs = xla.multiply %gh, %slope : tensor<64x96xf32>
    %gw1 = xla.dot_general %x, %gs {lhs_contracting_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 0>}
        : (tensor<64x64xf32>, tensor<64x96xf32>) -> tensor<64x96xf32>
    %gb1 = xla.reduce(%gs, %f0) ({
    ^bb1(%m: tensor<f32>, %n: tensor<f32>):
      %t = xla.add %m, %n : tensor<f32>
      xla.return %t : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<64x96xf32>, tensor<f32>) -> tensor<96xf32>

    %n1 = xla.subtract %v1, %gw1 : tensor<64x96xf32>
    %m1 = xla.subtract %a1, %gb1 : tensor<96xf32>
    %n2 = xla.subtract %v2, %gw2 : tensor<96x10xf32>
    %m2 = xla.subtract %a2, %gb2 : tensor<10xf32>
    %ione = xla.constant dense<1> : tensor<i32>
    %next = xla.add %i, %ione : tensor<i32>
    xla.return %next, %n1, %m1, %n2, %m2, %more : tensor<i32>, tensor<64x96xf32>, tensor<96xf32>, tensor<96x10xf32>, tensor<10xf32>, tensor<3000xf32>
  }) : (tensor<i32>, tensor<64x96xf32>, tensor<96xf32>, tensor<96x10xf32>, tensor<10xf32>, tensor<3000xf32>)
    -> (tensor<i32>, tensor<64x96xf32>, tensor<96xf32>, tensor<96x10xf32>, tensor<10xf32>, tensor<3000xf32>)
  return %r#1, %r#2, %r#3, %r#4, %r#5 : tensor<64x96xf32>, tensor<96xf32>, tensor<96x10xf32>, tensor<10xf32>, tensor<3000xf32>
}
