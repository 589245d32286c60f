// Groups of replicas along axes of a mesh, of StableHLO and of HLO.
// RUN: split-file %s %t
// RUN: xla-opt %t/mesh.mlir --xla-import-stablehlo | FileCheck %s
// RUN: xla-opt %t/mesh.hlo | FileCheck %s
// CHECK-NOT: sdy
// CHECK: replica_groups = {{.*}}[0, 4], [1, 5], [2, 6], [3, 7]]
// CHECK: replica_groups = {{.*}}[1, 3, 4, 6], [0, 2, 5, 7]]
// RUN: sed 's/(1)2/(3)2/' %t/mesh.mlir > %t/part.mlir && not xla-opt %t/part.mlir --xla-import-stablehlo 2>&1 | FileCheck %s --check-prefix=PART
// PART: part.mlir:10:10: error: 'stablehlo.all_reduce' op attribute 'replica_groups': parts of an axis overlap, or do not divide it
// RUN: sed 's/mesh = @turned/mesh = @other/' %t/mesh.mlir > %t/other.mlir && not xla-opt %t/other.mlir --xla-import-stablehlo 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: other.mlir:10:10: error: 'stablehlo.all_reduce' op attribute 'replica_groups': there is no such mesh
// RUN: sed 's/5,6,7)/5,6)/' %t/mesh.hlo > %t/short.hlo && not xla-opt %t/short.hlo 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: short.hlo:10:43: error: the mesh must have as many devices as places
// RUN: sed "s/{'x','y'/{'z','y'/" %t/mesh.hlo > %t/axis.hlo && not xla-opt %t/axis.hlo 2>&1 | FileCheck %s --check-prefix=AXIS
// AXIS: axis.hlo:10:43: error: expected axes of the mesh in braces

//--- mesh.mlir
module attributes {mhlo.num_replicas = 8 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  sdy.mesh @turned = <["x"=2, "y"=4], device_ids=[1, 0, 3, 2, 4, 5, 6, 7]>
  func.func @main(%arg0: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.all_reduce"(%arg0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @turned, axes = [#stablehlo.axis_ref<name = "x">, #stablehlo.axis_ref<name = "y", sub_axis_info = (1)2>]>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    return %0, %2 : tensor<f32>, tensor<f32>
  }
}
//--- mesh.hlo
HloModule m, replica_count=8
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  x = f32[] parameter(0)
  p = f32[] all-reduce(x), replica_groups=mesh['x'=2,'y'=4] {'x'}, to_apply=add
  q = f32[] all-reduce(x), replica_groups=mesh['x'=2,'y'=4], device_ids=(1,0,3,2,4,5,6,7) {'x','y':(1)2}, to_apply=add
  ROOT r = (f32[], f32[]) tuple(p, q)
}
