// Computations with loops on arrays whose sizes a run tells: they are not run for what is not there, where their loops would not end.
// RUN: xla-run %s --entry=map --device=all --input="2x3xs32=12 18 30 7 14 21" --input="2x3xs32=8 27 12 21 21 28" | FileCheck %s --check-prefix=MAP
// RUN: xla-run %s --entry=map --device=all --input="0x3xs32=" --input="0x3xs32=" | FileCheck %s --check-prefix=NONE
// RUN: not xla-run %s --entry=map --device=cpu --input="2x3xs32=1" --input="2x2xs32=1" 2>&1 | FileCheck %s --check-prefix=DIFFER
// RUN: xla-run %s --entry=draw --device=all --input="2x3xf32=1 2 3 4 5 6" --seed=4
// RUN: xla-run %s --entry=combine --device=all --input="2x3xs32=12 18 30 7 14 21" | FileCheck %s --check-prefix=COMBINE
// RUN: xla-run %s --entry=combine --device=all --input="4x5xs32=12 18 30 8 4 7 14 21 35 49 6 5 4 3 2 8 8 8 8 8" | FileCheck %s --check-prefix=WHOLE
// RUN: xla-run %s --entry=sort --device=all --input="2x3xs32=6 4 7 3 8 2" | FileCheck %s --check-prefix=SORT
// RUN: xla-run %s --entry=drawn --device=all --input="2x3xf32=1 2 3 4 5 6" --seed=4
// RUN: xla-run %s --entry=scatter --device=all --input="3xs32=6 4 7" --input="4xs32=0 2 3 0" --input="4xs32=4 21 1 3" | FileCheck %s --check-prefix=SCATTER
// RUN: xla-run %s --entry=pool --device=all --input="3xs32=6 4 8" --input="2xs32=4 6" | FileCheck %s --check-prefix=POOL
// RUN: xla-run %s --entry=pool --device=all --input="5xs32=6 4 7 9 3" --input="3xs32=4 6 5" | FileCheck %s --check-prefix=POOLS
// RUN: xla-run %s --entry=windows --device=all --input=3xf32=1 --seed=5
// RUN: xla-run %s --entry=windows --device=all --input="5xf32=1 2 3 4 5" --seed=5
// RUN: xla-run %s --entry=fusion --device=all --input="2x3xf32=1 2 3 4 5 6" --seed=4

!m = tensor<?x?xi32, #xla.array<bounds = [4, 5]>>
!f = tensor<?x?xf32, #xla.array<bounds = [4, 5]>>
!r = tensor<?xi32, #xla.array<bounds = [4]>>
!c = tensor<?xi32, #xla.array<bounds = [5]>>
!v = tensor<?xf32, #xla.array<bounds = [5]>>

// Of 0 and another number it has no end.
func.func private @gcd(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %r, %z = xla.while(%a, %b) ({
  ^bb0(%v: tensor<i32>, %w: tensor<i32>):
    %c = xla.compare %v, %w {comparison_direction = "NE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%v: tensor<i32>, %w: tensor<i32>):
    %most = xla.maximum %v, %w : tensor<i32>
    %least = xla.minimum %v, %w : tensor<i32>
    %d = xla.subtract %most, %least : tensor<i32>
    xla.return %least, %d : tensor<i32>, tensor<i32>
  }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %r : tensor<i32>
}

// MAP: 2x3xs32=4 9 6 7 7 7
// NONE: 0x3xs32=
// DIFFER: dimension 1 is 3 of other operands, 2 of operand 1 [map_c1]
func.func @map(%x: !m, %y: !m) -> !m {
  %0 = xla.map(%x, %y) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = func.call @gcd(%p, %q) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = [0, 1]} : (!m, !m) -> !m
  return %0 : !m
}

func.func @draw(%x: !f) -> (!f, tensor<f32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %one = xla.constant dense<1.0> : tensor<f32>
  %0 = xla.map(%x) ({
  ^bb0(%p: tensor<f32>):
    %s = xla.rng_uniform %zero, %p : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = [0, 1]} : (!f) -> !f
  %1 = xla.rng_uniform %zero, %one : tensor<f32>
  return %0, %1 : !f, tensor<f32>
}

// COMBINE: 2xs32=6 7
// COMBINE: 3xs32=1 2 3
// COMBINE: s32=1
// WHOLE: 4xs32=2 7 1 8
// WHOLE: 5xs32=1 1 1 1 1
// WHOLE: s32=1
func.func @combine(%x: !m) -> (!r, !c, tensor<i32>) {
  %init = xla.constant dense<5040> : tensor<i32>
  %0 = xla.reduce(%x, %init) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = func.call @gcd(%p, %q) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = [1]} : (!m, tensor<i32>) -> !r
  %1 = xla.reduce(%x, %init) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = func.call @gcd(%p, %q) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = [0]} : (!m, tensor<i32>) -> !c
  %2 = xla.reduce(%x, %init) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = func.call @gcd(%p, %q) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %s : tensor<i32>
  }) {dimensions = [0, 1]} : (!m, tensor<i32>) -> tensor<i32>
  return %0, %1, %2 : !r, !c, tensor<i32>
}

// What shares a divisor with the other comes first.
// SORT: 2x3xs32=6 4 7 3 2 8
// SORT: 2x3xs32=3 4 7 6 8 2
func.func @sort(%x: !m) -> (!m, !m) {
  %0 = xla.sort(%x) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = func.call @gcd(%p, %q) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %l = xla.compare %s, %p {comparison_direction = "EQ"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) {dimension = 1} : (!m) -> !m
  %1 = xla.sort(%x) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = func.call @gcd(%p, %q) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %l = xla.compare %s, %p {comparison_direction = "EQ"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) {dimension = 0} : (!m) -> !m
  return %0, %1 : !m, !m
}

// As many numbers as for arrays of those sizes, in their order.
func.func @drawn(%x: !f) -> (!f, !v, tensor<f32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %one = xla.constant dense<1.0> : tensor<f32>
  %0 = xla.sort(%x) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = xla.rng_uniform %zero, %p : tensor<f32>
    %s = xla.rng_uniform %zero, %q : tensor<f32>
    %l = xla.compare %r, %s {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }) {dimension = 1} : (!f) -> !f
  %1 = xla.reduce(%x, %one) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = xla.rng_uniform %p, %q : tensor<f32>
    xla.return %r : tensor<f32>
  }) {dimensions = [0]} : (!f, tensor<f32>) -> !v
  %2 = xla.rng_uniform %zero, %one : tensor<f32>
  return %0, %1, %2 : !f, !v, tensor<f32>
}

// SCATTER: 3xs32=1 4 7
func.func @scatter(%x: !c, %i: !r, %u: !r) -> !c {
  %0 = xla.scatter(%x, %i, %u) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = func.call @gcd(%p, %q) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %s : tensor<i32>
  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1} : (!c, !r, !r) -> !c
  return %0 : !c
}

// What lies in padding is not asked for.
// POOL: 3xs32=4 6 0
// POOLS: 5xs32=4 0 6 0 5
func.func @pool(%x: !c, %u: tensor<?xi32, #xla.array<bounds = [3]>>) -> !c {
  %zero = xla.constant dense<0> : tensor<i32>
  %0 = xla.select_and_scatter(%x, %u, %zero) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = func.call @gcd(%p, %q) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %l = xla.compare %s, %p {comparison_direction = "EQ"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %l : tensor<i1>
  }, {
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = xla.add %p, %q : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [2], window_strides = [2], padding = [1, 0]} : (!c, tensor<?xi32, #xla.array<bounds = [3]>>, tensor<i32>) -> !c
  return %0 : !c
}

// Windows that are not there do not draw, so that what is drawn later is the same.
func.func @windows(%x: !v) -> (tensor<?xf32, #xla.array<bounds = [4]>>, tensor<?xf32, #xla.array<bounds = [4]>>, tensor<2xf32>) {
  %one = xla.constant dense<1.0> : tensor<f32>
  %two = xla.constant dense<2.0> : tensor<f32>
  %y = xla.add %x, %one : (!v, tensor<f32>) -> !v
  %0:2 = xla.reduce_window(%x, %y, %one, %two) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %r = xla.rng_uniform %a, %d : tensor<f32>
    %s = xla.add %b, %c : tensor<f32>
    xla.return %r, %s : tensor<f32>, tensor<f32>
  }) {window_dimensions = [2]} : (!v, !v, tensor<f32>, tensor<f32>) -> (tensor<?xf32, #xla.array<bounds = [4]>>, tensor<?xf32, #xla.array<bounds = [4]>>)
  %1 = xla.rng_uniform %one, %two : (tensor<f32>, tensor<f32>) -> tensor<2xf32>
  return %0#0, %0#1, %1 : tensor<?xf32, #xla.array<bounds = [4]>>, tensor<?xf32, #xla.array<bounds = [4]>>, tensor<2xf32>
}

// Fusions that draw, or of dynamic sizes, are what is in them.
func.func @fusion(%x: !f) -> (!f, tensor<2xf32>) {
  %0:2 = xla.fusion(%x) ({
  ^bb0(%a: !f):
    %one = xla.constant dense<1.0> : tensor<f32>
    %two = xla.constant dense<2.0> : tensor<f32>
    %1 = xla.rng_uniform %one, %two : (tensor<f32>, tensor<f32>) -> tensor<2xf32>
    %2 = xla.multiply %a, %two : (!f, tensor<f32>) -> !f
    xla.return %2, %1 : !f, tensor<2xf32>
  }) {kind = "loop"} : (!f) -> (!f, tensor<2xf32>)
  return %0#0, %0#1 : !f, tensor<2xf32>
}
