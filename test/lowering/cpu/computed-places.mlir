// Lanes compute the positions of what they load where no view with strides has them, if the rest of the body is worth it.
// RUN: xla-opt %s --xla-cpu-pipeline=to=affine | FileCheck %s
// RUN: xla-run %s --device=all --seed=1 --output=none
// RUN: xla-run %s --device=all --seed=2 --output=none --cpu=x86-64
// RUN: xla-run %s --device=all --seed=3 --output=none --threads=3 --machine=vector-bits=128,serial=500

// CHECK-COUNT-2: vector.gather {{.*}} : memref<7480xf32, strided<[1]>>, vector<[[N:[0-9]+]]xi32>, vector<[[N]]xi1>, vector<[[N]]xf32>
func.func private @powers(%x: tensor<20x11x34xf32>) -> tensor<20x165xf32> {
  %f = xla.fusion(%x) ({
  ^bb0(%y: tensor<20x11x34xf32>):
    %e = xla.tanh %y : tensor<20x11x34xf32>
    %i = xla.slice %e {start_indices = [0, 0, 1], limit_indices = [20, 11, 33]} : (tensor<20x11x34xf32>) -> tensor<20x11x32xf32>
    %v = xla.reverse %i {dimensions = [1, 2]} : tensor<20x11x32xf32>
    %r = xla.reshape %v : (tensor<20x11x32xf32>) -> tensor<20x352xf32>
    %a = xla.slice %r {start_indices = [0, 0], limit_indices = [20, 165]} : (tensor<20x352xf32>) -> tensor<20x165xf32>
    %b = xla.slice %r {start_indices = [0, 187], limit_indices = [20, 352]} : (tensor<20x352xf32>) -> tensor<20x165xf32>
    %s = xla.subtract %a, %b : tensor<20x165xf32>
    xla.return %s : tensor<20x165xf32>
  }) {kind = "loop"} : (tensor<20x11x34xf32>) -> tensor<20x165xf32>
  return %f : tensor<20x165xf32>
}

func.func private @others(%x: tensor<20x11x34xf32>) -> tensor<20x60xf32> {
  %f = xla.fusion(%x) ({
  ^bb0(%y: tensor<20x11x34xf32>):
    %e = xla.exponential %y : tensor<20x11x34xf32>
    %i = xla.slice %e {start_indices = [0, 0, 1], limit_indices = [20, 11, 12]} : (tensor<20x11x34xf32>) -> tensor<20x11x11xf32>
    %v = xla.reverse %i {dimensions = [1, 2]} : tensor<20x11x11xf32>
    %r = xla.reshape %v : (tensor<20x11x11xf32>) -> tensor<20x121xf32>
    %a = xla.slice %r {start_indices = [0, 0], limit_indices = [20, 60]} : (tensor<20x121xf32>) -> tensor<20x60xf32>
    %b = xla.slice %r {start_indices = [0, 61], limit_indices = [20, 121]} : (tensor<20x121xf32>) -> tensor<20x60xf32>
    %s = xla.subtract %a, %b : tensor<20x60xf32>
    xla.return %s : tensor<20x60xf32>
  }) {kind = "loop"} : (tensor<20x11x34xf32>) -> tensor<20x60xf32>
  return %f : tensor<20x60xf32>
}

func.func private @doubles(%x: tensor<9x7x13xf64>) -> tensor<9x40xf64> {
  %f = xla.fusion(%x) ({
  ^bb0(%y: tensor<9x7x13xf64>):
    %e = xla.tanh %y : tensor<9x7x13xf64>
    %i = xla.slice %e {start_indices = [0, 0, 2], limit_indices = [9, 7, 11]} : (tensor<9x7x13xf64>) -> tensor<9x7x9xf64>
    %v = xla.reverse %i {dimensions = [1, 2]} : tensor<9x7x9xf64>
    %r = xla.reshape %v : (tensor<9x7x9xf64>) -> tensor<9x63xf64>
    %a = xla.slice %r {start_indices = [0, 0], limit_indices = [9, 40]} : (tensor<9x63xf64>) -> tensor<9x40xf64>
    %b = xla.slice %r {start_indices = [0, 23], limit_indices = [9, 63]} : (tensor<9x63xf64>) -> tensor<9x40xf64>
    %s = xla.subtract %a, %b : tensor<9x40xf64>
    xla.return %s : tensor<9x40xf64>
  }) {kind = "loop"} : (tensor<9x7x13xf64>) -> tensor<9x40xf64>
  return %f : tensor<9x40xf64>
}

func.func private @halves(%x: tensor<9x7x13xf16>) -> tensor<9x40xf16> {
  %f = xla.fusion(%x) ({
  ^bb0(%y: tensor<9x7x13xf16>):
    %e = xla.tanh %y : tensor<9x7x13xf16>
    %i = xla.slice %e {start_indices = [0, 0, 2], limit_indices = [9, 7, 11]} : (tensor<9x7x13xf16>) -> tensor<9x7x9xf16>
    %v = xla.reverse %i {dimensions = [1, 2]} : tensor<9x7x9xf16>
    %r = xla.reshape %v : (tensor<9x7x9xf16>) -> tensor<9x63xf16>
    %a = xla.slice %r {start_indices = [0, 0], limit_indices = [9, 40]} : (tensor<9x63xf16>) -> tensor<9x40xf16>
    %b = xla.slice %r {start_indices = [0, 23], limit_indices = [9, 63]} : (tensor<9x63xf16>) -> tensor<9x40xf16>
    %s = xla.subtract %a, %b : tensor<9x40xf16>
    xla.return %s : tensor<9x40xf16>
  }) {kind = "loop"} : (tensor<9x7x13xf16>) -> tensor<9x40xf16>
  return %f : tensor<9x40xf16>
}

func.func private @brains(%x: tensor<9x7x13xbf16>) -> tensor<9x40xbf16> {
  %f = xla.fusion(%x) ({
  ^bb0(%y: tensor<9x7x13xbf16>):
    %e = xla.logistic %y : tensor<9x7x13xbf16>
    %i = xla.slice %e {start_indices = [0, 0, 2], limit_indices = [9, 7, 11]} : (tensor<9x7x13xbf16>) -> tensor<9x7x9xbf16>
    %v = xla.reverse %i {dimensions = [1, 2]} : tensor<9x7x9xbf16>
    %r = xla.reshape %v : (tensor<9x7x9xbf16>) -> tensor<9x63xbf16>
    %a = xla.slice %r {start_indices = [0, 0], limit_indices = [9, 40]} : (tensor<9x63xbf16>) -> tensor<9x40xbf16>
    %b = xla.slice %r {start_indices = [0, 23], limit_indices = [9, 63]} : (tensor<9x63xbf16>) -> tensor<9x40xbf16>
    %s = xla.subtract %a, %b : tensor<9x40xbf16>
    xla.return %s : tensor<9x40xbf16>
  }) {kind = "loop"} : (tensor<9x7x13xbf16>) -> tensor<9x40xbf16>
  return %f : tensor<9x40xbf16>
}

func.func private @short(%x: tensor<3x5x3xf32>) -> tensor<3x7xf32> {
  %f = xla.fusion(%x) ({
  ^bb0(%y: tensor<3x5x3xf32>):
    %e = xla.tanh %y : tensor<3x5x3xf32>
    %i = xla.slice %e {start_indices = [0, 0, 0], limit_indices = [3, 5, 3]} : (tensor<3x5x3xf32>) -> tensor<3x5x3xf32>
    %v = xla.reverse %i {dimensions = [1, 2]} : tensor<3x5x3xf32>
    %r = xla.reshape %v : (tensor<3x5x3xf32>) -> tensor<3x15xf32>
    %a = xla.slice %r {start_indices = [0, 0], limit_indices = [3, 7]} : (tensor<3x15xf32>) -> tensor<3x7xf32>
    %b = xla.slice %r {start_indices = [0, 8], limit_indices = [3, 15]} : (tensor<3x15xf32>) -> tensor<3x7xf32>
    %s = xla.subtract %a, %b : tensor<3x7xf32>
    xla.return %s : tensor<3x7xf32>
  }) {kind = "loop"} : (tensor<3x5x3xf32>) -> tensor<3x7xf32>
  return %f : tensor<3x7xf32>
}

func.func @main(%powers_x: tensor<20x11x34xf32>, %others_x: tensor<20x11x34xf32>, %doubles_x: tensor<9x7x13xf64>, %halves_x: tensor<9x7x13xf16>, %brains_x: tensor<9x7x13xbf16>, %short_x: tensor<3x5x3xf32>) -> (tensor<20x165xf32>, tensor<20x60xf32>, tensor<9x40xf64>, tensor<9x40xf16>, tensor<9x40xbf16>, tensor<3x7xf32>) {
  %powers = call @powers(%powers_x) : (tensor<20x11x34xf32>) -> tensor<20x165xf32>
  %others = call @others(%others_x) : (tensor<20x11x34xf32>) -> tensor<20x60xf32>
  %doubles = call @doubles(%doubles_x) : (tensor<9x7x13xf64>) -> tensor<9x40xf64>
  %halves = call @halves(%halves_x) : (tensor<9x7x13xf16>) -> tensor<9x40xf16>
  %brains = call @brains(%brains_x) : (tensor<9x7x13xbf16>) -> tensor<9x40xbf16>
  %short = call @short(%short_x) : (tensor<3x5x3xf32>) -> tensor<3x7xf32>
  return %powers, %others, %doubles, %halves, %brains, %short : tensor<20x165xf32>, tensor<20x60xf32>, tensor<9x40xf64>, tensor<9x40xf16>, tensor<9x40xbf16>, tensor<3x7xf32>
}
