// Every device computes the interpreter's bits.
// RUN: xla-run %s --device=all --entry=starts --seed=1 --rtol=0
// RUN: xla-run %s --device=all --entry=backwards --seed=2 --rtol=0
// RUN: xla-run %s --device=all --entry=layers --seed=3 --rtol=0

// Where a slice begins is a result of the same kernel.
func.func @starts(%x: tensor<40xf32>, %s: tensor<i32>) -> (tensor<i32>, tensor<8xf32>) {
  %0:2 = xla.fusion(%x, %s) ({
  ^bb0(%a: tensor<40xf32>, %i: tensor<i32>):
    %c = xla.constant dense<7> : tensor<i32>
    %j = xla.add %i, %c : tensor<i32>
    %d = xla.dynamic_slice %a, %j {slice_sizes = [8]} : (tensor<40xf32>, tensor<i32>) -> tensor<8xf32>
    xla.return %j, %d : tensor<i32>, tensor<8xf32>
  }) {kind = "loop"} : (tensor<40xf32>, tensor<i32>) -> (tensor<i32>, tensor<8xf32>)
  return %0#0, %0#1 : tensor<i32>, tensor<8xf32>
}

// Lanes from the last to the first, of all widths.
func.func @backwards(%x: tensor<9x1003xf32>, %y: tensor<9x1003xi8>, %z: tensor<67x5xbf16>) -> (tensor<9x1003xf32>, tensor<9x1003xi8>, tensor<5x67xbf16>) {
  %0 = xla.reverse %x {dimensions = [0, 1]} : tensor<9x1003xf32>
  %1 = xla.reverse %y {dimensions = [1]} : tensor<9x1003xi8>
  %2 = xla.fusion(%z) ({
  ^bb0(%a: tensor<67x5xbf16>):
    %r = xla.reverse %a {dimensions = [0]} : tensor<67x5xbf16>
    %t = xla.transpose %r {permutation = [1, 0]} : (tensor<67x5xbf16>) -> tensor<5x67xbf16>
    %n = xla.negate %t : tensor<5x67xbf16>
    xla.return %n : tensor<5x67xbf16>
  }) {kind = "loop"} : (tensor<67x5xbf16>) -> tensor<5x67xbf16>
  return %0, %1, %2 : tensor<9x1003xf32>, tensor<9x1003xi8>, tensor<5x67xbf16>
}

// The layer of a loop, padded and joined with another.
func.func @layers(%w: tensor<3x50x60xf32>, %i: tensor<i32>, %x: tensor<70x64xf32>) -> tensor<120x64xf32> {
  %0 = xla.fusion(%w, %i, %x) ({
  ^bb0(%a: tensor<3x50x60xf32>, %k: tensor<i32>, %b: tensor<70x64xf32>):
    %zero = xla.constant dense<0> : tensor<i32>
    %p = xla.constant dense<0.5> : tensor<f32>
    %d = xla.dynamic_slice %a, %k, %zero, %zero {slice_sizes = [1, 50, 60]} : (tensor<3x50x60xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x50x60xf32>
    %r = xla.reshape %d : (tensor<1x50x60xf32>) -> tensor<50x60xf32>
    %q = xla.pad %r, %p {edge_padding_low = [0, 1], edge_padding_high = [0, 3], interior_padding = [0, 0]} : (tensor<50x60xf32>, tensor<f32>) -> tensor<50x64xf32>
    %c = xla.concatenate %q, %b {dimension = 0} : (tensor<50x64xf32>, tensor<70x64xf32>) -> tensor<120x64xf32>
    %n = xla.negate %c : tensor<120x64xf32>
    xla.return %n : tensor<120x64xf32>
  }) {kind = "loop"} : (tensor<3x50x60xf32>, tensor<i32>, tensor<70x64xf32>) -> tensor<120x64xf32>
  return %0 : tensor<120x64xf32>
}
