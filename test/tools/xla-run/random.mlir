// What a program draws depends on the seed and on how much was drawn before, in loops, branches and calls too, and not on the device.
// RUN: xla-run %s --entry=control > %t.interpreter
// RUN: xla-run %s --entry=control --device=cpu | diff %t.interpreter -
// RUN: xla-run %s --entry=control | diff %t.interpreter -
// RUN: xla-run %s --entry=control --seed=0 | diff %t.interpreter -
// RUN: xla-run %s --entry=control --seed=1 > %t.one
// RUN: not diff -q %t.interpreter %t.one
// RUN: xla-run %s --entry=control --seed=1 --device=cpu | diff %t.one -
// RUN: FileCheck %s --input-file=%t.interpreter
// CHECK: 3x4xf32=[[ROW:.*]]
// RUN: xla-run %s --entry=types > %t.types
// RUN: xla-run %s --entry=types --device=cpu | diff %t.types -
// Normal numbers of f32 differ by the last places of logarithm and cosine.
// RUN: xla-run %s --entry=normal --output=@%t.npy
// RUN: xla-run %s --entry=normal --device=cpu --expected-output=@%t.npy --rtol=1e-5 --atol=1e-6
// The module's own seed, but for --seed.
// RUN: sed -e 's/^module {/module attributes {xla.seed = 1 : i64} {/' %s > %t.mlir
// RUN: xla-run %t.mlir --entry=control | diff %t.one -
// RUN: xla-run %t.mlir --entry=control --seed=0 | diff %t.interpreter -
// A condition is drawn before the first iteration and after each, a map's numbers in the order of its elements.
// RUN: xla-run %s --entry=condition > %t.condition
// RUN: xla-run %s --entry=condition --device=cpu | diff %t.condition -
// RUN: FileCheck %s --input-file=%t.condition --check-prefix=CONDITION
// CONDITION: f32={{[1-9]}}
// CONDITION: f32=
// CONDITION: 4xf32=
// RUN: xla-run %s --entry=map --input="3xf32=1 10 100" > %t.map
// RUN: xla-run %s --entry=map --input="3xf32=1 10 100" --device=cpu | diff %t.map -
// The same of every other operation with a computation: it is applied in the evaluator's order.
// RUN: xla-run %s --entry=computations --input="2x4xf32=1 2 3 4 5 6 7 8" > %t.computations
// RUN: xla-run %s --entry=computations --input="2x4xf32=1 2 3 4 5 6 7 8" --device=cpu | diff %t.computations -
// RUN: %if vulkan %{ xla-run %s --entry=computations --input="2x4xf32=1 2 3 4 5 6 7 8" --device=vulkan | diff %t.computations - %}
// RUN: xla-run %s --entry=pool --input="2x4xf32=1 2 3 4 5 6 7 8" > %t.pool
// RUN: xla-run %s --entry=pool --input="2x4xf32=1 2 3 4 5 6 7 8" --device=cpu | diff %t.pool -
// RUN: %if vulkan %{ xla-run %s --entry=pool --input="2x4xf32=1 2 3 4 5 6 7 8" --device=vulkan | diff %t.pool - %}
module {
  func.func private @draw(%a: tensor<f32>, %b: tensor<f32>) -> tensor<4xf32> {
    %0 = xla.rng_uniform %a, %b : (tensor<f32>, tensor<f32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @control() -> (tensor<3x4xf32>, tensor<5xi32>, tensor<4xf32>) {
    %a = xla.constant dense<0.0> : tensor<f32>
    %b = xla.constant dense<1.0> : tensor<f32>
    %first = func.call @draw(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<4xf32>
    %zero = xla.constant dense<0> : tensor<i32>
    %one = xla.constant dense<1> : tensor<i32>
    %n = xla.constant dense<3> : tensor<i32>
    %rows = xla.constant dense<0.0> : tensor<3x4xf32>
    %0:2 = xla.while(%zero, %rows) ({
    ^bb0(%i: tensor<i32>, %x: tensor<3x4xf32>):
      %more = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %more : tensor<i1>
    }, {
    ^bb0(%i: tensor<i32>, %x: tensor<3x4xf32>):
      %next = xla.add %i, %one : tensor<i32>
      %odd = xla.and %i, %one : tensor<i32>
      %row = xla.case(%odd) ({
        %twice = func.call @draw(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<4xf32>
        %again = func.call @draw(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<4xf32>
        %sum = xla.add %twice, %again : tensor<4xf32>
        xla.return %sum : tensor<4xf32>
      }, {
        xla.return %first : tensor<4xf32>
      }) : (tensor<i32>) -> tensor<4xf32>
      %drawn = xla.rng_uniform %a, %b : (tensor<f32>, tensor<f32>) -> tensor<4xf32>
      %both = xla.subtract %row, %drawn : tensor<4xf32>
      %update = xla.reshape %both : (tensor<4xf32>) -> tensor<1x4xf32>
      %y = xla.dynamic_update_slice %x, %update, %i, %zero : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
      xla.return %next, %y : tensor<i32>, tensor<3x4xf32>
    }) : (tensor<i32>, tensor<3x4xf32>) -> (tensor<i32>, tensor<3x4xf32>)
    %1 = xla.rng_uniform %zero, %n : (tensor<i32>, tensor<i32>) -> tensor<5xi32>
    return %0#1, %1, %first : tensor<3x4xf32>, tensor<5xi32>, tensor<4xf32>
  }
  func.func @types() -> (tensor<7xf16>, tensor<7xbf16>, tensor<3x0xf32>, tensor<f64>, tensor<7xi8>, tensor<7xui16>, tensor<7xui32>, tensor<7xi64>, tensor<3xi1>, tensor<3xi32>, tensor<3xf32>, tensor<3xf32>) {
    %a16 = xla.constant dense<-2.0> : tensor<f16>
    %b16 = xla.constant dense<3.0> : tensor<f16>
    %0 = xla.rng_uniform %a16, %b16 : (tensor<f16>, tensor<f16>) -> tensor<7xf16>
    %abf = xla.constant dense<-2.0> : tensor<bf16>
    %bbf = xla.constant dense<3.0> : tensor<bf16>
    %1 = xla.rng_uniform %abf, %bbf : (tensor<bf16>, tensor<bf16>) -> tensor<7xbf16>
    %a32 = xla.constant dense<-2.0> : tensor<f32>
    %b32 = xla.constant dense<3.0> : tensor<f32>
    %2 = xla.rng_uniform %a32, %b32 : (tensor<f32>, tensor<f32>) -> tensor<3x0xf32>
    %a64 = xla.constant dense<-2.0> : tensor<f64>
    %b64 = xla.constant dense<3.0> : tensor<f64>
    %3 = xla.rng_uniform %a64, %b64 : tensor<f64>
    %s8 = xla.constant dense<-128> : tensor<i8>
    %t8 = xla.constant dense<127> : tensor<i8>
    %4 = xla.rng_uniform %s8, %t8 : (tensor<i8>, tensor<i8>) -> tensor<7xi8>
    %u16 = xla.constant dense<1000> : tensor<ui16>
    %v16 = xla.constant dense<1001> : tensor<ui16>
    %5 = xla.rng_uniform %u16, %v16 : (tensor<ui16>, tensor<ui16>) -> tensor<7xui16>
    %u32 = xla.constant dense<0> : tensor<ui32>
    %v32 = xla.constant dense<4294967295> : tensor<ui32>
    %6 = xla.rng_uniform %u32, %v32 : (tensor<ui32>, tensor<ui32>) -> tensor<7xui32>
    %s64 = xla.constant dense<-9223372036854775808> : tensor<i64>
    %t64 = xla.constant dense<9223372036854775807> : tensor<i64>
    %7 = xla.rng_uniform %s64, %t64 : (tensor<i64>, tensor<i64>) -> tensor<7xi64>
    %no = xla.constant dense<false> : tensor<i1>
    %yes = xla.constant dense<true> : tensor<i1>
    %8 = xla.rng_uniform %no, %yes : (tensor<i1>, tensor<i1>) -> tensor<3xi1>
    // b <= a gives a.
    %i = xla.constant dense<5> : tensor<i32>
    %j = xla.constant dense<-5> : tensor<i32>
    %9 = xla.rng_uniform %i, %j : (tensor<i32>, tensor<i32>) -> tensor<3xi32>
    %10 = xla.rng_uniform %b32, %a32 : (tensor<f32>, tensor<f32>) -> tensor<3xf32>
    %11 = xla.rng_uniform %b32, %b32 : (tensor<f32>, tensor<f32>) -> tensor<3xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<7xf16>, tensor<7xbf16>, tensor<3x0xf32>, tensor<f64>, tensor<7xi8>, tensor<7xui16>, tensor<7xui32>, tensor<7xi64>, tensor<3xi1>, tensor<3xi32>, tensor<3xf32>, tensor<3xf32>
  }
  func.func @normal() -> tensor<1000xf32> {
    %mu = xla.constant dense<-2.0> : tensor<f32>
    %sigma = xla.constant dense<3.0> : tensor<f32>
    %0 = xla.rng_normal %mu, %sigma : (tensor<f32>, tensor<f32>) -> tensor<1000xf32>
    return %0 : tensor<1000xf32>
  }
  func.func @condition() -> (tensor<f32>, tensor<f32>, tensor<4xf32>) {
    %a = xla.constant dense<0.0> : tensor<f32>
    %b = xla.constant dense<1.0> : tensor<f32>
    %most = xla.constant dense<0.9> : tensor<f32>
    %0, %1 = xla.while(%a, %b) ({
    ^bb0(%x: tensor<f32>, %s: tensor<f32>):
      %r = xla.rng_uniform %a, %b : tensor<f32>
      %more = xla.compare %r, %most {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      xla.return %more : tensor<i1>
    }, {
    ^bb0(%x: tensor<f32>, %s: tensor<f32>):
      %y = xla.add %x, %b : tensor<f32>
      %d = func.call @draw(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<4xf32>
      %z = xla.while(%a) ({
      ^bb0(%u: tensor<f32>):
        %r = xla.rng_uniform %a, %b : tensor<f32>
        %less = xla.compare %r, %most {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
        xla.return %less : tensor<i1>
      }, {
      ^bb0(%u: tensor<f32>):
        %v = xla.add %u, %b : tensor<f32>
        xla.return %v : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      xla.return %y, %z : tensor<f32>, tensor<f32>
    }) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
    %2 = func.call @draw(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<4xf32>
    return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<4xf32>
  }
  func.func private @between(%p: tensor<f32>, %q: tensor<f32>) -> tensor<f32> {
    %r = xla.rng_uniform %p, %q : tensor<f32>
    return %r : tensor<f32>
  }
  func.func @computations(%x: tensor<2x4xf32>) -> (tensor<4xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<f32>) {
    %a = xla.constant dense<0.0> : tensor<f32>
    %0 = xla.reduce(%x, %a) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = func.call @between(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      xla.return %r : tensor<f32>
    }) {dimensions = [0]} : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = xla.reduce_window(%x, %a) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = func.call @between(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      xla.return %r : tensor<f32>
    }) {window_dimensions = [1, 2], window_strides = [1, 1], window_dilations = [1, 2], padding = [0, 0, 1, 0]} : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x3xf32>
    %2 = xla.sort(%x) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = func.call @between(%a, %p) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %s = func.call @between(%a, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %l = xla.compare %r, %s {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      xla.return %l : tensor<i1>
    }) {dimension = 0} : tensor<2x4xf32>
    %3 = xla.associative_scan(%x) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = func.call @between(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      xla.return %r : tensor<f32>
    }) {dimension = 0} : tensor<2x4xf32>
    %i = xla.constant dense<[[1, 0], [0, 1], [1, 3]]> : tensor<3x2xi32>
    %u = xla.constant dense<2.0> : tensor<2x3x2xf32>
    %4 = xla.scatter(%x, %i, %u) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = func.call @between(%a, %p) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      xla.return %r : tensor<f32>
    }) {update_window_dims = [0, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1} : (tensor<2x4xf32>, tensor<3x2xi32>, tensor<2x3x2xf32>) -> tensor<2x4xf32>
    %v = xla.constant dense<[3.0, 4.0]> : tensor<2xf32>
    %5 = xla.select_and_scatter(%0, %v, %a) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %l = xla.compare %p, %q {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      xla.return %l : tensor<i1>
    }, {
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = func.call @between(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      xla.return %r : tensor<f32>
    }) {window_dimensions = [2], window_strides = [2]} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
    %b = xla.constant dense<1.0> : tensor<f32>
    %6 = func.call @between(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %0, %1, %2, %3, %4, %5, %6 : tensor<4xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<f32>
  }
  func.func @pool(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<f32>) {
    %a = xla.constant dense<0.0> : tensor<f32>
    %b = xla.constant dense<1.0> : tensor<f32>
    %v = xla.constant dense<2.0> : tensor<3x2xf32>
    %0 = xla.select_and_scatter(%x, %v, %a) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = func.call @between(%a, %p) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %s = func.call @between(%a, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %l = xla.compare %r, %s {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      xla.return %l : tensor<i1>
    }, {
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = func.call @between(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      xla.return %r : tensor<f32>
    }) {window_dimensions = [2, 3], window_strides = [1, 3], padding = [1, 1, 1, 1]} : (tensor<2x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<2x4xf32>
    %1 = func.call @between(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %0, %1 : tensor<2x4xf32>, tensor<f32>
  }
  func.func @map(%x: tensor<3xf32>) -> tensor<3xf32> {
    %0 = xla.map(%x) ({
    ^bb0(%e: tensor<f32>):
      %a = xla.constant dense<0.0> : tensor<f32>
      %r = xla.rng_uniform %a, %e : tensor<f32>
      xla.return %r : tensor<f32>
    }) {dimensions = [0]} : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}
