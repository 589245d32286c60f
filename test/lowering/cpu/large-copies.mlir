// Large arrays that stay beside a changed copy are copied by all threads, each a piece, the last one shorter.
// RUN: xla-run %s --device=cpu --threads=3 --check | FileCheck %s
// RUN: rm -rf %t && xla-run %s --entry=update --device=cpu --threads=3 --seed=1 --output=none --dump=%t
// RUN: FileCheck %s --check-prefix=CODE < %t/cpu/08-optimized.ll
// CHECK: {{^}}1 passed, 0 failed{{$}}
// CODE-NOT: call {{.*}}memcpy

func.func @update(%x: tensor<601x701xf32>, %i: tensor<i32>) -> tensor<601x701xf32> {
  %one = xla.constant dense<1.0> : tensor<1x1xf32>
  %0 = xla.dynamic_update_slice %x, %one, %i, %i : (tensor<601x701xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> tensor<601x701xf32>
  return %0 : tensor<601x701xf32>
}

func.func @check() {
  %a = xla.iota {iota_dimension = 0 : i64} : tensor<601x701xf32>
  %b = xla.iota {iota_dimension = 1 : i64} : tensor<601x701xf32>
  %n = xla.constant dense<1000.0> : tensor<f32>
  %c = xla.multiply %a, %n : (tensor<601x701xf32>, tensor<f32>) -> tensor<601x701xf32>
  %d = xla.add %b, %c : tensor<601x701xf32>
  %x = xla.optimization_barrier %d : tensor<601x701xf32>
  %i = xla.constant dense<600> : tensor<i32>
  %at = xla.optimization_barrier %i : tensor<i32>
  %y = func.call @update(%x, %at) : (tensor<601x701xf32>, tensor<i32>) -> tensor<601x701xf32>
  %change = xla.subtract %x, %y : tensor<601x701xf32>
  %zero = xla.constant dense<0.0> : tensor<601x701xf32>
  %last = xla.constant dense<600.0> : tensor<601x701xf32>
  %r = xla.compare %a, %last {comparison_direction = "EQ"} : (tensor<601x701xf32>, tensor<601x701xf32>) -> tensor<601x701xi1>
  %s = xla.compare %b, %last {comparison_direction = "EQ"} : (tensor<601x701xf32>, tensor<601x701xf32>) -> tensor<601x701xi1>
  %here = xla.and %r, %s : tensor<601x701xi1>
  %was = xla.constant dense<600599.0> : tensor<601x701xf32>
  %want = xla.select %here, %was, %zero : (tensor<601x701xi1>, tensor<601x701xf32>, tensor<601x701xf32>) -> tensor<601x701xf32>
  xla.custom_call %change, %want {call_target_name = "check.expect_eq"} : (tensor<601x701xf32>, tensor<601x701xf32>) -> ()
  return
}
