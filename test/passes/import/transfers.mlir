// StableHLO's transfers: one operation becomes two, arrays are taken out of tuples. Its tests run several functions at once.
// RUN: xla-opt %s --allow-unregistered-dialect --xla-import-stablehlo | FileCheck %s
// RUN: xla-run %s --check --entry=feeds --infeed=2xf32=1 --infeed=s32=2 | FileCheck %s --check-prefix=FEEDS
// FEEDS: outfeed 2xf32=1 1
// FEEDS-NEXT: outfeed s32=2
// FEEDS-NEXT: 1 passed, 0 failed
// RUN: xla-run %s --check --entry=feeds --infeed=2xf32=1 --infeed=s32=2 --device=all | FileCheck %s --check-prefix=FEEDS
// RUN: xla-run %s --check | FileCheck %s --check-prefix=MAIN
// MAIN: 1 passed, 0 failed
// RUN: xla-opt %s --allow-unregistered-dialect --xla-import-stablehlo | xla-run - --check | FileCheck %s --check-prefix=MAIN
// RUN: xla-run %s --check --device=all | FileCheck %s --check-prefix=MAIN
// RUN: not xla-run %s --check --entry=failing 2>&1 | FileCheck %s --check-prefix=FAILING
// RUN: not xla-run %s --check --entry=failing --device=cpu 2>&1 | FileCheck %s --check-prefix=FAILING
// FAILING: 'xla.all_reduce' op of replica 0 waits for replica 1, which has ended [deadlock]
// RUN: not xla-run %s --check --entry=counts 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS: 'xla.custom_call' op has 0 operands and 0 results, its programs {{[12] and [12]}}

"builtin.module"() ({
  // CHECK-LABEL: func.func @feeds
  // CHECK: %[[K:.*]] = xla.create_token
  // CHECK: %[[I:.*]]:3 = xla.infeed %[[K]] {infeed_config = "foobar", layout = {{\[\[}}0], []]} : (!xla.token) -> (tensor<2xf32>, tensor<i32>, !xla.token)
  // CHECK: xla.outfeed %[[I]]#0, %[[I]]#1, %[[I]]#2 : (tensor<2xf32>, tensor<i32>, !xla.token) -> !xla.token
  "func.func"() <{function_type = () -> (), sym_name = "feeds"}> ({
    %0 = "stablehlo.create_token"() : () -> !stablehlo.token
    %1:3 = "stablehlo.infeed"(%0) <{infeed_config = "foobar", layout = [[0], []]}> : (!stablehlo.token) -> (tensor<2xf32>, tensor<i32>, !stablehlo.token)
    %2 = "stablehlo.outfeed"(%1#0, %1#1, %1#2) <{outfeed_config = ""}> : (tensor<2xf32>, tensor<i32>, !stablehlo.token) -> !stablehlo.token
    "func.return"() : () -> ()
  }) : () -> ()
  // CHECK-LABEL: func.func private @sender
  // CHECK: %[[S:.*]] = xla.send %arg0, %arg1, %arg2 {channel_id = 1 : i64, channel_type = 1 : i64} : (tensor<f32>, tensor<i32>, !xla.token) -> tuple<tuple<tensor<f32>, tensor<i32>>, tensor<ui32>, !xla.token>
  // CHECK: xla.send_done %[[S]]
  "func.func"() <{function_type = (tensor<f32>, tensor<i32>, !stablehlo.token) -> !stablehlo.token, sym_name = "sender", sym_visibility = "private"}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<i32>, %t: !stablehlo.token):
    %0 = "stablehlo.send"(%x, %y, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false}> : (tensor<f32>, tensor<i32>, !stablehlo.token) -> !stablehlo.token
    %1 = "stablehlo.send"(%x, %0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}> : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
    "func.return"(%1) : (!stablehlo.token) -> ()
  }) : () -> ()
  // CHECK-LABEL: func.func private @receiver
  // CHECK: %[[R:.*]] = xla.recv %arg0 {channel_id = 1 : i64, channel_type = 1 : i64} : (!xla.token) -> tuple<tuple<tensor<f32>, tensor<i32>>, tensor<ui32>, !xla.token>
  // CHECK: %[[D:.*]]:2 = xla.recv_done %[[R]]
  // CHECK: xla.get_tuple_element %[[D]]#0 {index = 0 : i64}
  // CHECK: xla.get_tuple_element %[[D]]#0 {index = 1 : i64}
  // CHECK: xla.recv %[[D]]#1 {{.*}} : (!xla.token) -> tuple<tensor<f32>, tensor<ui32>, !xla.token>
  "func.func"() <{function_type = (!stablehlo.token) -> (tensor<f32>, tensor<i32>, tensor<f32>), sym_name = "receiver", sym_visibility = "private"}> ({
  ^bb0(%t: !stablehlo.token):
    %0:3 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> (tensor<f32>, tensor<i32>, !stablehlo.token)
    %1:2 = "stablehlo.recv"(%0#2) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
    "func.return"(%0#0, %0#1, %1#0) : (tensor<f32>, tensor<i32>, tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xi64>) -> tensor<2xi64>, sym_name = "sum", sym_visibility = "private"}> ({
  ^bb0(%x: tensor<2xi64>):
    %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = "stablehlo.add"(%a, %b) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%s) : (tensor<i64>) -> ()
    }) : (tensor<2xi64>) -> tensor<2xi64>
    "func.return"(%0) : (tensor<2xi64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (tensor<2xi64>, tensor<2xi64>), sym_name = "fed", sym_visibility = "private"}> ({
    %0 = "stablehlo.create_token"() : () -> !stablehlo.token
    %1:2 = "stablehlo.infeed"(%0) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    %2:2 = "stablehlo.infeed"(%1#1) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    "func.return"(%1#0, %2#0) : (tensor<2xi64>, tensor<2xi64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> tensor<2xi64>, sym_name = "queue0", sym_visibility = "private"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1, 2]> : tensor<2xi64>}> : () -> tensor<2xi64>
    "func.return"(%0) : (tensor<2xi64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> tensor<2xi64>, sym_name = "queue1", sym_visibility = "private"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[3, 4]> : tensor<2xi64>}> : () -> tensor<2xi64>
    "func.return"(%0) : (tensor<2xi64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xi64>) -> (), sym_name = "nothing", sym_visibility = "private"}> ({
  ^bb0(%x: tensor<2xi64>):
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> tensor<ui32>, sym_name = "id", sym_visibility = "private"}> ({
    %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
    "func.return"(%0) : (tensor<ui32>) -> ()
  }) : () -> ()
  // CHECK-LABEL: func.func @main
  // CHECK: xla.custom_call %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {backend_config = {programs = {{\[\[}}@sender], [@receiver]]}, call_target_name = "interpreter.run_parallel", has_side_effect = true}
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %k = "stablehlo.create_token"() : () -> !stablehlo.token
    %x = "stablehlo.constant"() <{value = dense<1.5> : tensor<f32>}> : () -> tensor<f32>
    %y = "stablehlo.constant"() <{value = dense<7> : tensor<i32>}> : () -> tensor<i32>
    %0:4 = "interpreter.run_parallel"(%x, %y, %k, %k) {programs = [[@sender], [@receiver]]} : (tensor<f32>, tensor<i32>, !stablehlo.token, !stablehlo.token) -> (!stablehlo.token, tensor<f32>, tensor<i32>, tensor<f32>)
    "check.expect_eq"(%0#1, %x) : (tensor<f32>, tensor<f32>) -> ()
    "check.expect_eq"(%0#2, %y) : (tensor<i32>, tensor<i32>) -> ()
    "check.expect_eq"(%0#3, %x) : (tensor<f32>, tensor<f32>) -> ()
    %a = "stablehlo.constant"() <{value = dense<[1, 2]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %1:2 = "interpreter.run_parallel"(%a, %a) {programs = [[@sum], [@sum]]} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
    "check.expect_eq_const"(%1#0) <{value = dense<[2, 4]> : tensor<2xi64>}> : (tensor<2xi64>) -> ()
    "check.expect_eq_const"(%1#1) <{value = dense<[2, 4]> : tensor<2xi64>}> : (tensor<2xi64>) -> ()
    %2:2 = "interpreter.run_parallel"() {infeed = [@queue0, @queue1], programs = [[@fed]]} : () -> (tensor<2xi64>, tensor<2xi64>)
    "check.expect_eq_const"(%2#0) <{value = dense<[1, 2]> : tensor<2xi64>}> : (tensor<2xi64>) -> ()
    "check.expect_eq_const"(%2#1) <{value = dense<[3, 4]> : tensor<2xi64>}> : (tensor<2xi64>) -> ()
    %3:2 = "interpreter.run_parallel"() {programs = [[@id, @id]]} : () -> (tensor<ui32>, tensor<ui32>)
    "check.expect_eq_const"(%3#0) <{value = dense<0> : tensor<ui32>}> : (tensor<ui32>) -> ()
    "check.expect_eq_const"(%3#1) <{value = dense<1> : tensor<ui32>}> : (tensor<ui32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "counts"}> ({
    "interpreter.run_parallel"() {programs = [[@sum], [@sum]]} : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "failing"}> ({
    %a = "stablehlo.constant"() <{value = dense<[1, 2]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %1 = "interpreter.run_parallel"(%a, %a) {programs = [[@sum], [@nothing]]} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
