// Operations between replicas in StableHLO's form.
// RUN: xla-opt %s --allow-unregistered-dialect --xla-import-stablehlo | FileCheck %s
// RUN: xla-run %s --replicas=2 --check | FileCheck %s --check-prefix=PASSED
// RUN: xla-run %s --replicas=2 --check --device=all | FileCheck %s --check-prefix=PASSED
// PASSED: 1 passed, 0 failed

// CHECK: xla.replica_id : () -> tensor<ui32>
// CHECK: xla.partition_id : () -> tensor<ui32>
// CHECK: xla.all_gather %{{.*}} {all_gather_dim = 0 : i64, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>} : (tensor<1xi64>) -> tensor<2xi64>
// CHECK: xla.all_reduce(%
// CHECK: channel_id = 5 : i64, replica_groups = dense<{{\[\[}}0], [1]]> : tensor<2x1xi64>, use_global_device_ids = true} : tensor<1xi64>
// CHECK: xla.all_to_all %
// CHECK: xla.collective_permute %{{.*}} {source_target_pairs = dense<{{\[\[}}0, 1], [1, 0]]> : tensor<2x2xi64>} : tensor<1xi64>
// CHECK: xla.collective_broadcast %{{.*}} {replica_groups = dense<{{\[\[}}1, 0]]> : tensor<1x2xi64>} : tensor<1xi64>
// CHECK: xla.reduce_scatter(%
// CHECK: scatter_dimension = 0 : i64} : (tensor<2xi64>) -> tensor<1xi64>
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.replica_id"() : () -> tensor<ui32>
    %1 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %2 = "stablehlo.convert"(%0) : (tensor<ui32>) -> tensor<i64>
    %3 = "stablehlo.reshape"(%2) : (tensor<i64>) -> tensor<1xi64>
    %4 = "stablehlo.all_gather"(%3) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1xi64>) -> tensor<2xi64>
    "check.expect_eq_const"(%4) <{value = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2xi64>) -> ()
    %5 = "stablehlo.all_reduce"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = "stablehlo.add"(%a, %b) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%s) : (tensor<i64>) -> ()
    }) : (tensor<1xi64>) -> tensor<1xi64>
    "check.expect_eq"(%5, %3) : (tensor<1xi64>, tensor<1xi64>) -> ()
    %6 = "stablehlo.all_to_all"(%4) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<2xi64>) -> tensor<2xi64>
    %7 = "stablehlo.collective_permute"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<1xi64>) -> tensor<1xi64>
    %8 = "stablehlo.collective_broadcast"(%3) <{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<1xi64>) -> tensor<1xi64>
    "check.expect_eq_const"(%8) <{value = dense<1> : tensor<1xi64>}> : (tensor<1xi64>) -> ()
    %9 = "stablehlo.reduce_scatter"(%4) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = "stablehlo.add"(%a, %b) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%s) : (tensor<i64>) -> ()
    }) : (tensor<2xi64>) -> tensor<1xi64>
    %10 = "stablehlo.add"(%3, %3) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    "check.expect_eq"(%9, %10) : (tensor<1xi64>, tensor<1xi64>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
