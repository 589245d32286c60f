// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-run %s --check
// RUN: xla-run %s --check --device=cpu
// RUN: xla-run %s --entry=shapes --device=all --seed=1 --output=none --output=none --output=none --output=none --output=none --output=none

// CHECK: xla.top_k %{{.*}} {k = 3 : i64} : (tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
func.func @floats() {
  %x = xla.constant dense<[[1.0, 0x7FC00000, -0.0, 3.0, 0.0], [2.0, 2.0, 0xFF800000, 1.0, 2.0]]> : tensor<2x5xf32>
  %v, %p = xla.top_k %x {k = 3} : (tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  %values = xla.constant dense<[[0x7FC00000, 3.0, 1.0], [2.0, 2.0, 2.0]]> : tensor<2x3xf32>
  %places = xla.constant dense<[[1, 3, 0], [0, 1, 4]]> : tensor<2x3xi32>
  xla.custom_call %v, %values {call_target_name = "check.expect_eq"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
  xla.custom_call %p, %places {call_target_name = "check.expect_eq"} : (tensor<2x3xi32>, tensor<2x3xi32>) -> ()
  return
}

func.func @integers() {
  %x = xla.constant dense<[-128, 127, 0, 127]> : tensor<4xi8>
  %v, %p = xla.top_k %x {k = 4} : (tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi32>)
  %values = xla.constant dense<[127, 127, 0, -128]> : tensor<4xi8>
  %places = xla.constant dense<[1, 3, 2, 0]> : tensor<4xi32>
  xla.custom_call %v, %values {call_target_name = "check.expect_eq"} : (tensor<4xi8>, tensor<4xi8>) -> ()
  xla.custom_call %p, %places {call_target_name = "check.expect_eq"} : (tensor<4xi32>, tensor<4xi32>) -> ()
  return
}

func.func @shapes(%x: tensor<3x1x70xbf16>, %e: tensor<0x4xui32>, %z: tensor<4xi1>) -> (tensor<3x1x9xbf16>, tensor<3x1x9xi32>, tensor<0x2xui32>, tensor<0x2xi32>, tensor<0xi1>, tensor<0xi32>) {
  %0, %1 = xla.top_k %x {k = 9} : (tensor<3x1x70xbf16>) -> (tensor<3x1x9xbf16>, tensor<3x1x9xi32>)
  %2, %3 = xla.top_k %e {k = 2} : (tensor<0x4xui32>) -> (tensor<0x2xui32>, tensor<0x2xi32>)
  %4, %5 = xla.top_k %z {k = 0} : (tensor<4xi1>) -> (tensor<0xi1>, tensor<0xi32>)
  return %0, %1, %2, %3, %4, %5 : tensor<3x1x9xbf16>, tensor<3x1x9xi32>, tensor<0x2xui32>, tensor<0x2xi32>, tensor<0xi1>, tensor<0xi32>
}
