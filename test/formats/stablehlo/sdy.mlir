// Every form of Shardy's operations, as jaxlib prints it.
// RUN: grep -v "^//" %s > %t.in
// RUN: xla-opt %t.in | grep -v "^$" | diff %t.in -
// RUN: xla-opt --mlir-print-op-generic %t.in | xla-opt - | grep -v "^$" | diff %t.in -
// RUN: xla-opt --emit-bytecode %t.in | xla-opt - | grep -v "^$" | diff %t.in -
// RUN: xla-opt --mlir-print-debuginfo %t.in | xla-opt - | grep -v "^$" | diff %t.in -
module {
  sdy.mesh @mesh0 = <["a"=2, "b"=2]>
  sdy.mesh @empty = <[]>
  sdy.mesh @one = <[], device_ids=[3]>
  sdy.mesh @dev = <["a"=2], device_ids=[1, 0]>
  func.func @f0(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh0, [{"a"}, {}]>}, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh0, [{"a", ?}, {?}], replicated={"b"}>}) {
    %0 = sdy.sharding_constraint %arg0 <@mesh0, [{"a"}, {?}p1]> : tensor<8x8xf32>
    %1 = sdy.reshard %0 <@mesh0, [{"a"}, {"b"}]> : tensor<8x8xf32>
    %2 = stablehlo.add %1, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh0, [{"a"}, {}]>]>} : tensor<8x8xf32>
    %3 = sdy.manual_computation(%2) in_shardings=[<@mesh0, [{"a"}, {}]>] out_shardings=[<@mesh0, [{"a"}, {}]>] manual_axes={"a"} (%arg3: tensor<4x8xf32>) {
      %10 = stablehlo.add %arg3, %arg3 : tensor<4x8xf32>
      sdy.return %10 : tensor<4x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %4 = sdy.named_computation<"foo">(%3) (%arg3: tensor<8x8xf32>) {
      sdy.return %arg3 : tensor<8x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %5 = sdy.named_computation<"foo">(%3) in_shardings=[<@mesh0, [{"a"}, {}]>] out_shardings=[<@mesh0, [{"a"}, {}]>] (%arg3: tensor<8x8xf32>) {
      sdy.return %arg3 : tensor<8x8xf32>
    } {foo} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %6 = sdy.constant dense<1.000000e+00> : tensor<4xf32>
    %7 = sdy.data_flow_edge %arg1 sharding=<@mesh0, [{"a"}]> : tensor<4xf32>
    %8 = sdy.data_flow_edge %arg2 : tensor<4xf32>
    %9 = sdy.propagation_barrier %2 allowed_direction=FORWARD : tensor<8x8xf32>
    sdy.sharding_group %2 group_id=5 : tensor<8x8xf32>
    sdy.sharding_group %2 group_id=5 : tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  }
  sdy.mesh @mesh1 = <["a"=2, "b"=2, "c"=2, "d"=2]>
  func.func @f1(%arg0: tensor<16x16xf32>) {
    %0 = stablehlo.add %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh1, [{"a", "b"}, {"c"}]>]>} : tensor<16x16xf32>
    %1 = sdy.all_gather [{"b"}, {"c"}] %0 out_sharding=<@mesh1, [{"a"}, {}]> : tensor<16x16xf32>
    %2 = sdy.all_slice [{"b"}, {"c"}] %1 out_sharding=<@mesh1, [{"a", "b"}, {"c"}]> : tensor<16x16xf32>
    %3 = sdy.all_reduce {"d"} %2 out_sharding=<@mesh1, [{"a", "b"}, {"c"}]> : tensor<16x16xf32>
    %4 = stablehlo.add %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh1, [{"b"}, {}]>]>} : tensor<16x16xf32>
    %5 = sdy.all_to_all [{"b"}: 0->1] %4 out_sharding=<@mesh1, [{}, {"b"}]> : tensor<16x16xf32>
    return
  }
  sdy.mesh @mesh2 = <["a"=2, "b"=2, "c"=2, "d"=2]>
  func.func @f2(%arg0: tensor<16x16xf32>) {
    %0 = stablehlo.add %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh2, [{"a", "b"}, {"c"}]>]>} : tensor<16x16xf32>
    %1 = sdy.collective_permute %0 out_sharding=<@mesh2, [{"c", "b"}, {"a"}]> : tensor<16x16xf32>
    %2 = sdy.reduce_scatter [{}, {"d"}] %0 out_sharding=<@mesh2, [{"a", "b"}, {"c", "d"}]> : tensor<16x16xf32>
    return
  }
  sdy.mesh @mesh3 = <["a"=2, "b"=2]>
  func.func @f3(%arg0: tensor<8x8xf32>, %arg1: tensor<4xf32>) -> tensor<8x8xf32> {
    %0 = sdy.sharding_constraint %arg0 <@mesh3, [{"a"}, {?}p1]> {foo} : tensor<8x8xf32>
    %1:2 = sdy.manual_computation(%0, %arg1) in_shardings=[<@mesh3, [{"a"}, {}]>, <@mesh3, [{}]>] out_shardings=[<@mesh3, [{"a"}, {}]>, <@mesh3, [{}]>] manual_axes={"a"} (%arg2: tensor<4x8xf32>, %arg3: tensor<4xf32>) {
      %4 = stablehlo.add %arg2, %arg2 : tensor<4x8xf32>
      sdy.return %4, %arg3 : tensor<4x8xf32>, tensor<4xf32>
    } {foo} : (tensor<8x8xf32>, tensor<4xf32>) -> (tensor<8x8xf32>, tensor<4xf32>)
    sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
      sdy.return
    } : () -> ()
    %2 = sdy.propagation_barrier %arg0 allowed_direction=NONE {foo} : tensor<8x8xf32>
    %3 = sdy.propagation_barrier %arg0 allowed_direction=BACKWARD : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
  sdy.mesh @mesh4 = <["a"=2, "b"=2, "c"=2, "d"=2]>
  func.func @f4(%arg0: tensor<16x16xf32>) {
    %0 = stablehlo.add %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh4, [{"a", "b"}, {"c"}], unreduced={"d"}>]>} : tensor<16x16xf32>
    %1 = sdy.sharded_to_unreduced [{"b"}, {}] %0 out_sharding=<@mesh4, [{"a"}, {"c"}], unreduced={"b", "d"}> : tensor<16x16xf32>
    return
  }
  sdy.mesh @mesh5 = <["a"=2, "b"=2, "c"=2, "d"=2]>
  func.func @f5(%arg0: tensor<16x16xf32>) {
    %0 = stablehlo.add %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh5, [{"a", "b"}, {"c"}], replicated={"d"}>]>} : tensor<16x16xf32>
    %1 = sdy.replicated_to_unreduced {"d"} %0 out_sharding=<@mesh5, [{"a", "b"}, {"c"}], unreduced={"d"}> : tensor<16x16xf32>
    return
  }
  func.func @f52(%arg0: tensor<16x16xf32>) {
    %0 = sdy.func_data_flow_edge %arg0 : tensor<16x16xf32>
    return
  }
}
