// Custom calls of C functions, in a library that the command line names.
// RUN: clang-22 -shared -fPIC -o %t.so %S/Inputs/foreign.c
// RUN: xla-run %s --entry=example --custom-calls=%t.so --expected-output="3x3xf32=42 0 0 0 0 0 0 0 0"
// RUN: xla-run %s --entry=example --custom-calls=%t.so --device=cpu --expected-output="3x3xf32=42 0 0 0 0 0 0 0 0"
// RUN: xla-run %s --entry=results --custom-calls=%t.so --device=cpu --input=f64=1.5 --input=s64=-3 --expected-output=f64=3 --expected-output=s64=-6
// RUN: xla-run %s --entry=results --custom-calls=%t.so --input=f64=1.5 --input=s64=-3 --expected-output=f64=3 --expected-output=s64=-6
// RUN: xla-run %s --entry=tuples --custom-calls=%t.so --input="2xs32=1 2" --input=f32=3 --input="3xpred=1 0 1" --expected-output=f32=3 --expected-output="2xs32=1 2" --expected-output="3xpred=0 1 0"
// RUN: xla-run %s --entry=order --custom-calls=%t.so --input=f32=5 --expected-output=f32=5
// RUN: xla-run %s --entry=empty --custom-calls=%t.so --device=cpu --expected-output=0xf32=
// Every replica calls.
// RUN: xla-run %s --entry=results --custom-calls=%t.so --replicas=4 --input=f64=1.5 --input=s64=-3 --expected-output=f64=3 --expected-output=s64=-6 | count 12
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=unknown --custom-calls=%t.so | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: foreign.mlir:[[#@LINE+50]]:8: error: 'xla.custom_call' op calls "strange", which has no implementation; no library of --custom-calls has it
// UNKNOWN: exit 3
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=unknown | FileCheck %s --check-prefix=NONE
// NONE: error: 'xla.custom_call' op calls "strange", which has no implementation; --custom-calls names libraries of functions
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=example --custom-calls=%t.none | FileCheck %s --check-prefix=MISSING
// MISSING: xla-run: --custom-calls={{.*}}.none: {{.*}}No such file or directory
// MISSING: exit 2
// RUN: xla-run %s --entry=tuples --custom-calls=%t.so --device=all --seed=1 | count 3
// RUN: xla-run %s --entry=order --custom-calls=%t.so --device=all --input=f32=5 --expected-output=f32=5
// RUN: xla-run %s --entry=sizes --custom-calls=%t.so --device=all --input="3xf32=1 2 4" --expected-output=f32=7
// What the library was linked with is not the program's to call.
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=outside --custom-calls=%t.so | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: error: 'xla.custom_call' op calls "exit", which has no implementation; no library of --custom-calls has it
// OUTSIDE: exit 3
// What JAX marks shardings with does nothing.
// RUN: xla-run %s --entry=sharding --input=f32=5 --expected-output=f32=5
// RUN: xla-run %s --entry=sharding --input=f32=5 --expected-output=f32=5 --device=cpu

func.func @example() -> tensor<3x3xf32> {
  %x = xla.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = xla.constant dense<[[10.0, 20.0, 30.0], [40.0, 50.0, 60.0]]> : tensor<2x3xf32>
  %0 = xla.custom_call %x, %y {call_target_name = "myfunc"} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}
func.func @sizes(%x: tensor<?xf32, #xla.array<bounds = [4]>>) -> tensor<f32> {
  %n = xla.get_dimension_size %x {dimension = 0 : i64} : (tensor<?xf32, #xla.array<bounds = [4]>>) -> tensor<i32>
  %t = xla.tuple %x, %n : (tensor<?xf32, #xla.array<bounds = [4]>>, tensor<i32>) -> tuple<tensor<?xf32, #xla.array<bounds = [4]>>, tensor<i32>>
  %0 = xla.custom_call %t {call_target_name = "total"} : (tuple<tensor<?xf32, #xla.array<bounds = [4]>>, tensor<i32>>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @tuples(%x: tensor<2xi32>, %t: tuple<tensor<f32>, tensor<3xi1>>) -> tuple<tensor<f32>, tuple<tensor<2xi32>, tensor<3xi1>>> {
  %0 = xla.custom_call %x, %t {call_target_name = "swap"} : (tensor<2xi32>, tuple<tensor<f32>, tensor<3xi1>>) -> tuple<tensor<f32>, tuple<tensor<2xi32>, tensor<3xi1>>>
  return %0 : tuple<tensor<f32>, tuple<tensor<2xi32>, tensor<3xi1>>>
}
func.func @results(%x: tensor<f64>, %y: tensor<i64>) -> (tensor<f64>, tensor<i64>) {
  %0:2 = xla.custom_call %x, %y {call_target_name = "twice"} : (tensor<f64>, tensor<i64>) -> (tensor<f64>, tensor<i64>)
  return %0#0, %0#1 : tensor<f64>, tensor<i64>
}
func.func @order(%x: tensor<f32>) -> tensor<f32> {
  %k = xla.create_token : () -> !xla.token
  %0:2 = xla.custom_call %k, %x {call_target_name = "ordered"} : (!xla.token, tensor<f32>) -> (tensor<f32>, !xla.token)
  return %0#0 : tensor<f32>
}
func.func @empty() -> tensor<0xf32> {
  xla.custom_call {call_target_name = "nothing"} : () -> ()
  %x = xla.constant dense<> : tensor<0xf32>
  return %x : tensor<0xf32>
}
func.func @unknown() {
  %x = xla.constant dense<1.0> : tensor<f32>
  %0 = xla.custom_call %x {call_target_name = "strange"} : (tensor<f32>) -> tensor<f32>
  return
}
func.func @sharding(%x: tensor<f32>) -> tensor<f32> {
  %0 = xla.custom_call %x {call_target_name = "Sharding", backend_config = ""} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @outside() -> tensor<f32> {
  %0 = xla.custom_call {call_target_name = "exit"} : () -> tensor<f32>
  return %0 : tensor<f32>
}

// RUN: sh %S/Inputs/code.sh xla-run %s --entry=lapack --input=2x2xf32=1 | FileCheck %s --check-prefix=LAPACK
// LAPACK: error: 'xla.custom_call' op calls "lapack_sgeev_ffi", which has no implementation; a library of --custom-calls may have it, and what JAX lowers for xlac calls SciPy's, see docs/jax.md
// LAPACK: exit 3
func.func @lapack(%x: tensor<2x2xf32>) -> tensor<2xf32> {
  %0 = xla.custom_call %x {call_target_name = "lapack_sgeev_ffi"} : (tensor<2x2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
