// An update of a part of an array is one kernel with what computes it, and where it begins. It is done in place, also where it is computed from
// what is there; but not where it would need another part after that was written.
// RUN: xla-opt %s --xla-cpu-pipeline=to=prepared | FileCheck %s
// RUN: xla-run %s --device=all --seed=3 --output=none
// RUN: xla-run %s --device=all --seed=4 --output=none --machine=gpu=1
// RUN: xla-opt %s --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=HOST

// CHECK: xla.while
// CHECK: xla.fusion
// CHECK: xla.select
// CHECK: xla.dynamic_slice
// CHECK-NOT: xla.return
// CHECK: xla.dynamic_update_slice
// CHECK: kind = "loop"
// CHECK-NEXT: xla.dynamic_slice
// CHECK-NEXT: xla.fusion
// CHECK: xla.dynamic_update_slice
// HOST: memref.copy {{.*}} : memref<100x24xf32>
// HOST: memref.copy {{.*}} : memref<40xf32>
// HOST-NOT: memref.copy {{.*}}x{{[0-9]+}}xf32>
// HOST-NOT: memref.copy {{.*}}<40xf32>
func.func @main(%x: tensor<100x24xf32>, %y: tensor<40xf32>, %first: tensor<i32>) -> (tensor<100x24xf32>, tensor<40xf32>) {
  %start = xla.constant dense<-3> : tensor<i32>
  %r:3 = xla.while(%start, %x, %y) ({
  ^bb0(%i: tensor<i32>, %s: tensor<100x24xf32>, %t: tensor<40xf32>):
    %n = xla.constant dense<12> : tensor<i32>
    %more = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %more : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %s: tensor<100x24xf32>, %t: tensor<40xf32>):
    %one = xla.constant dense<1> : tensor<i32>
    %zero = xla.constant dense<0> : tensor<i32>
    %size = xla.constant dense<100> : tensor<i32>
    %next = xla.add %i, %one : tensor<i32>
    %isNegative = xla.compare %i, %zero {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %fromEnd = xla.add %i, %size : tensor<i32>
    %at = xla.select %isNegative, %fromEnd, %i : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %part = xla.dynamic_slice %s, %at, %zero {slice_sizes = array<i64: 8, 24>} : (tensor<100x24xf32>, tensor<i32>, tensor<i32>) -> tensor<8x24xf32>
    %new = xla.tanh %part : tensor<8x24xf32>
    %u = xla.dynamic_update_slice %s, %new, %at, %zero : (tensor<100x24xf32>, tensor<8x24xf32>, tensor<i32>, tensor<i32>) -> tensor<100x24xf32>
    // The elements before, which overlap with those written.
    %before = xla.dynamic_slice %t, %i {slice_sizes = array<i64: 8>} : (tensor<40xf32>, tensor<i32>) -> tensor<8xf32>
    %more = xla.negate %before : tensor<8xf32>
    %v = xla.dynamic_update_slice %t, %more, %next : (tensor<40xf32>, tensor<8xf32>, tensor<i32>) -> tensor<40xf32>
    xla.return %next, %u, %v : tensor<i32>, tensor<100x24xf32>, tensor<40xf32>
  }) : (tensor<i32>, tensor<100x24xf32>, tensor<40xf32>) -> (tensor<i32>, tensor<100x24xf32>, tensor<40xf32>)
  return %r#1, %r#2 : tensor<100x24xf32>, tensor<40xf32>
}
