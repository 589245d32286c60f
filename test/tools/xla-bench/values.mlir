// Inputs and outputs are xla-run's; what the last call computed is written.
// RUN: xla-bench %s --min-time=0.01 --input="4xf32=1 2 3 4" --input=f32=10 --output=@%t.npy --output=- | FileCheck %s
// CHECK: {{^}}4xf32=10 20 30 40{{$}}
// RUN: xla-run %s --input=@%t.npy --input=f32=1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: {{^}}4xf32=12 13 14 15{{$}}
// RUN: xla-bench %s --device=interpreter --min-time=0.01 --input="4xf32=1 2 3 4" --input=f32=10 --output=- --output=none | FileCheck %s --check-prefix=FIRST
// FIRST: {{^}}4xf32=11 12 13 14{{$}}
// What is not given is random: the same on all devices.
// RUN: xla-bench %s --min-time=0 --seed=3 --output=@%t.cpu.npy --output=none
// RUN: xla-bench %s --min-time=0 --seed=3 --output=@%t.interpreter.npy --output=none --device=interpreter
// RUN: cmp %t.cpu.npy %t.interpreter.npy
// RUN: xla-bench %s --min-time=0 --seed=4 --output=@%t.cpu.npy --output=none
// RUN: not cmp %t.cpu.npy %t.interpreter.npy

// A donated input is changed in place: calls go on from what the last one left.
// RUN: xla-bench %s --entry=step --min-time=0 --input=s32=1 --output=- | FileCheck %s --check-prefix=KEPT
// KEPT: {{^}}s32=2{{$}}
// RUN: xla-bench %s --entry=step --min-time=0 --donate=0 --input=s32=1 --output=- | FileCheck %s --check-prefix=DONATED
// DONATED: {{^}}s32={{[1-9][0-9]+$}}

// The figures as JSON.
// RUN: xla-bench %s --min-time=0.02 --donate=0 --json=%t.json
// RUN: %{python} -c "import json, sys; j = json.load(open(sys.argv[1])); \
// RUN:   assert 0 < j['min_s'] <= j['median_s'] < 1 and j['iterations'] >= 5, j; \
// RUN:   assert 0 < j['compile_s'] == min(j['compile_cold_s'], j['compile_warm_s']), j; \
// RUN:   assert sum(j['compile_stages_s'].values()) <= 1.01 * j['compile_warm_s'], j; \
// RUN:   assert abs(j['gb_per_s'] * 1e9 * j['min_s'] / j['bytes'] - 1) < 1e-3, j; \
// RUN:   assert j['device'] == 'cpu' and j['program'].endswith('values.mlir'), j" %t.json

// StableHLO is read as well.
// RUN: echo '"func.func"() ({^bb0(%%a: tensor<2xf32>): %%b = "stablehlo.add"(%%a, %%a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> "func.return"(%%b) : (tensor<2xf32>) -> ()}) {function_type = (tensor<2xf32>) -> tensor<2xf32>, sym_name = "main"} : () -> ()' > %t.stablehlo.mlir
// RUN: xla-bench %t.stablehlo.mlir --min-time=0 --input="2xf32=1 2" --output=- | FileCheck %s --check-prefix=STABLEHLO
// STABLEHLO: {{^}}2xf32=2 4{{$}}

func.func @main(%a: tensor<4xf32>, %b: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = xla.add %a, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = xla.multiply %a, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
func.func @step(%a: tensor<i32>) -> tensor<i32> {
  %one = xla.constant dense<1> : tensor<i32>
  %0 = xla.add %a, %one : tensor<i32>
  return %0 : tensor<i32>
}
