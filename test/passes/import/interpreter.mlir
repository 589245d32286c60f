// What StableHLO's tests use of its interpreter's dialect: see transfers.mlir for run_parallel.
// RUN: xla-opt %s --allow-unregistered-dialect --xla-import-stablehlo | FileCheck %s
// RUN: xla-run %s --input="2xi32=1 2" | FileCheck %s --check-prefix=RUNS
// RUN: xla-run %s --input="2xi32=1 2" --device=cpu | FileCheck %s --check-prefix=RUNS
// RUNS: print 2xs32=2 4
// RUNS-NEXT: {{^}}2xs32=2 4

// CHECK: %[[S:.*]] = xla.add %arg0, %arg0
// CHECK-NEXT: xla.custom_call %[[S]] {call_target_name = "interpreter.print", has_side_effect = true} : (tensor<2xi32>) -> ()
// CHECK-NEXT: return %[[S]]
"builtin.module"() <{sym_name = "named"}> ({
  "func.func"() <{function_type = (tensor<2xi32>) -> tensor<2xi32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<2xi32>):
    %0 = "stablehlo.add"(%x, %x) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %1 = "interpreter.probe"(%0) <{probe_id = "probe0"}> : (tensor<2xi32>) -> tensor<2xi32>
    "interpreter.print"(%1) : (tensor<2xi32>) -> ()
    "func.return"(%1) : (tensor<2xi32>) -> ()
  }) : () -> ()
}) : () -> ()
