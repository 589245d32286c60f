// Long lines are searched in the groups that have the largest elements. Devices that do not select sort.
// RUN: xla-opt %s --xla-expand | FileCheck %s
// RUN: xla-opt %s --xla-expand --xla-attach-target="device=rdna2" --xla-sort-top-k | FileCheck %s --check-prefix=SORT
// RUN: xla-run %s --device=all --seed=3 --output=none --output=none
// RUN: xla-run %s --entry=rows --device=all --seed=3 --output=none --output=none
// RUN: xla-run %s --entry=many --device=all --seed=3 --output=none --output=none

// CHECK-LABEL: func.func @main
// CHECK: xla.maximum
// CHECK: xla.top_k {{.*}} {k = 5 : i64} : (tensor<1x625xi8>)
// CHECK: xla.top_k {{.*}} {k = 5 : i64} : (tensor<1x5xi32>)
// CHECK: xla.top_k {{.*}} {k = 5 : i64} : (tensor<1x320xi8>)
// CHECK: xla.gather
// SORT-LABEL: func.func @main
// SORT-NOT: xla.top_k
// SORT: xla.sort
// SORT-NOT: xla.top_k
func.func @main(%x: tensor<40000xi8>) -> (tensor<5xi8>, tensor<5xi32>) {
  %v, %p = xla.top_k %x {k = 5} : (tensor<40000xi8>) -> (tensor<5xi8>, tensor<5xi32>)
  return %v, %p : tensor<5xi8>, tensor<5xi32>
}

// CHECK-LABEL: func.func @rows
// CHECK: xla.top_k {{.*}} {k = 16 : i64} : (tensor<70x900xf32>)
func.func @rows(%x: tensor<70x900xf32>) -> (tensor<70x16xf32>, tensor<70x16xi32>) {
  %v, %p = xla.top_k %x {k = 16} : (tensor<70x900xf32>) -> (tensor<70x16xf32>, tensor<70x16xi32>)
  return %v, %p : tensor<70x16xf32>, tensor<70x16xi32>
}

// What fills the last group up is no element, whatever those are: all are equal here, and the first ones count.
// RUN: xla-run %s --entry=filled --device=all --check
// CHECK-LABEL: func.func @filled
// CHECK: xla.pad
func.func @filled() {
  %c = xla.constant dense<0xFFFFFFFF> : tensor<4099xf32>
  %x = xla.optimization_barrier %c : tensor<4099xf32>
  %v, %p = xla.top_k %x {k = 3} : (tensor<4099xf32>) -> (tensor<3xf32>, tensor<3xi32>)
  %want = xla.constant dense<[0, 1, 2]> : tensor<3xi32>
  xla.custom_call %p, %want {call_target_name = "check.expect_eq"} : (tensor<3xi32>, tensor<3xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @many
// CHECK: xla.sort
func.func @many(%x: tensor<3x200xbf16>) -> (tensor<3x65xbf16>, tensor<3x65xi32>) {
  %v, %p = xla.top_k %x {k = 65} : (tensor<3x200xbf16>) -> (tensor<3x65xbf16>, tensor<3x65xi32>)
  return %v, %p : tensor<3x65xbf16>, tensor<3x65xi32>
}
