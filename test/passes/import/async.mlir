// async_start runs its operation where it stands; functions that end in stablehlo.return; cross-replica-sum.
// RUN: split-file %s %t
// RUN: xla-opt --xla-import-stablehlo %t/good.mlir | FileCheck %t/good.mlir
// RUN: xla-run %t/good.mlir --entry=main --input="2xf32=1 2" --device=all | FileCheck %t/good.mlir --check-prefix=VALUES
// RUN: xla-opt --xla-import-stablehlo --split-input-file --verify-diagnostics %t/bad.mlir

//--- good.mlir
// VALUES: {{^}}2xf32=-2 -4{{$}}
"builtin.module"() ({
  // CHECK-LABEL: func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %[[SUM:.*]] = xla.add %arg0, %arg0
  // CHECK-NEXT: %[[NEG:.*]] = xla.negate %[[SUM]]
  // CHECK-NEXT: return %[[NEG]]
  "func.func"() <{function_type = (tensor<2xf32>) -> tensor<2xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<2xf32>):
    %0 = "stablehlo.async_start"(%x) ({
    ^bb1(%y: tensor<2xf32>):
      %3 = "stablehlo.add"(%y, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      "stablehlo.return"(%3) : (tensor<2xf32>) -> ()
    }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
    %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
    %2 = "stablehlo.negate"(%1) : (tensor<2xf32>) -> tensor<2xf32>
    "stablehlo.return"(%2) : (tensor<2xf32>) -> ()
  }) : () -> ()
  // A future that nobody waits for.
  // CHECK-LABEL: func.func @started
  // CHECK: xla.all_reduce
  // CHECK-NOT: async
  "func.func"() <{function_type = (tensor<2xf32>) -> (), sym_name = "started"}> ({
  ^bb0(%x: tensor<2xf32>):
    %0 = "stablehlo.async_start"(%x) ({
    ^bb1(%y: tensor<2xf32>):
      %3 = "stablehlo.all_reduce"(%y) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
      ^bb2(%a: tensor<f32>, %b: tensor<f32>):
        %4 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%4) : (tensor<f32>) -> ()
      }) : (tensor<2xf32>) -> tensor<2xf32>
      "stablehlo.return"(%3) : (tensor<2xf32>) -> ()
    }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
    "func.return"() : () -> ()
  }) : () -> ()
  // CHECK-LABEL: func.func @sum
  // CHECK: xla.cross_replica_sum %arg0 {replica_groups = dense<{{.*}}0, 1{{.*}}> : tensor<1x2xi64>} : tensor<2xf32>
  "func.func"() <{function_type = (tensor<2xf32>) -> tensor<2xf32>, sym_name = "sum"}> ({
  ^bb0(%x: tensor<2xf32>):
    %0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) : () -> ()
}) : () -> ()

//--- bad.mlir
func.func private @takes(!stablehlo.future<tensor<f32>>)
func.func @passed_on(%x: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.async_start' op is not supported yet where its future goes to 'func.call', only where it goes to stablehlo.async_done}}
  %0 = "stablehlo.async_start"(%x) ({
  ^bb1(%y: tensor<f32>):
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> !stablehlo.future<tensor<f32>>
  call @takes(%0) : (!stablehlo.future<tensor<f32>>) -> ()
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<f32>>) -> tensor<f32>
  return
}

// -----

func.func @no_start(%x: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.async_done' op must take the future of an async_start, and give as many results as that returns}}
  %1 = "stablehlo.async_done"(%x) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @other_type(%x: tensor<f32>) {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb1(%y: tensor<f32>):
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> !stablehlo.future<tensor<f32>>
  // expected-error@+1 {{'stablehlo.async_done' op states tensor<i32> as result 0, which is tensor<f32>}}
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<f32>>) -> tensor<i32>
  return
}

// -----

func.func @arguments(%x: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.async_start' op must have one result, and a region of one block that takes its operands}}
  %0 = "stablehlo.async_start"(%x) ({
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> !stablehlo.future<tensor<f32>>
  return
}
