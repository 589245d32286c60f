// What StableHLO cannot say is an error at the operation.
// RUN: xla-opt %s --xla-export-stablehlo --split-input-file --verify-diagnostics

func.func @foreign() {
  // expected-error @+1 {{'arith.constant' op is not supported in StableHLO: it is none of xla}}
  %0 = arith.constant 3 : i32
  return
}

// -----

func.func @dynamic_broadcast(%x: tensor<?x6xf32, #xla.array<bounds = [4, ?]>>, %y: tensor<6xf32>) -> tensor<?x6xf32, #xla.array<bounds = [4, ?]>> {
  // expected-error @+1 {{'xla.add' op is not supported in StableHLO: it broadcasts operands of dynamic sizes, tensor<?x6xf32}}
  %0 = xla.add %x, %y {broadcast_dimensions = [1]} : (tensor<?x6xf32, #xla.array<bounds = [4, ?]>>, tensor<6xf32>) -> tensor<?x6xf32, #xla.array<bounds = [4, ?]>>
  return %0 : tensor<?x6xf32, #xla.array<bounds = [4, ?]>>
}

// -----

func.func @groups(%x: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'xla.all_gather' op is not supported in StableHLO: it has no replica_groups, and does not say how many replicas there are}}
  %0 = xla.all_gather %x {all_gather_dim = 0, channel_id = 1} : (tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @sums(%x: tensor<2xf32>, %y: tensor<2xi32>) -> tensor<2xf32> {
  // expected-error @+1 {{'xla.cross_replica_sum' op is not supported in StableHLO: of arrays of several element types}}
  %0:2 = xla.cross_replica_sum %x, %y : (tensor<2xf32>, tensor<2xi32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0 : tensor<2xf32>
}

// -----

func.func @collapse(%x: tensor<3x?x2xf32, #xla.array<bounds = [?, 1, ?]>>) -> tensor<?x2xf32, #xla.array<bounds = [3, ?]>> {
  // expected-error @+1 {{'xla.collapse' op is not supported in StableHLO: of dynamic sizes: a reshape does not say which dimensions it joins}}
  %0 = xla.collapse %x {dimensions = [0, 1]} : (tensor<3x?x2xf32, #xla.array<bounds = [?, 1, ?]>>) -> tensor<?x2xf32, #xla.array<bounds = [3, ?]>>
  return %0 : tensor<?x2xf32, #xla.array<bounds = [3, ?]>>
}
