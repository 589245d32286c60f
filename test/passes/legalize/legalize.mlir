// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-legalize --canonicalize --cse | FileCheck %s

// Calls of both kinds, tuples within tuples, attributes of arguments, tokens.

// CHECK-NOT: @add1
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<4xf32> {xla.donated}, %arg1: tensor<i32> {xla.donated}, %arg2: tensor<4xf32> {xla.donated}, %arg3: tensor<i1>) -> (tensor<4xf32>, tensor<i32>, tensor<i32>)
// CHECK: %[[A:.*]] = xla.add %arg0,
// CHECK: %[[B:.*]] = xla.add %arg2,
// CHECK: %[[M:.*]] = xla.multiply %[[A]], %[[B]]
// CHECK: %[[W:.*]]:2 = xla.while(%[[M]], %arg1) ({
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<4xf32>, %[[I:.*]]: tensor<i32>):
// CHECK: xla.compare %[[I]],
// CHECK: ^bb0(%[[V:.*]]: tensor<4xf32>, %[[I:.*]]: tensor<i32>):
// CHECK: %[[J:.*]] = xla.add %[[I]]
// CHECK: %[[X:.*]] = xla.add %[[V]]
// CHECK: xla.return %[[X]], %[[J]]
// CHECK: %[[P:.*]] = xla.broadcast_in_dim %arg3
// CHECK: %[[S:.*]] = xla.select %[[P]], %[[W]]#0, %[[M]]
// CHECK: %[[T:.*]] = xla.select %arg3, %[[W]]#1, %arg1
// CHECK: %[[N:.*]] = xla.not %arg3
// CHECK: %[[C:.*]] = xla.convert %[[N]] : (tensor<i1>) -> tensor<i32>
// CHECK: %[[R:.*]] = xla.case(%[[C]]) ({
// CHECK-NEXT: xla.return %[[T]]
// CHECK: xla.negate %[[W]]#1
// CHECK: %[[O:.*]]:2 = xla.optimization_barrier %[[S]], %[[T]]
// CHECK: return %[[O]]#0, %[[O]]#1, %[[R]]
// CHECK-NOT: @add1
func.func private @add1(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = xla.constant dense<1.0> : tensor<f32>
  %r = xla.add %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func private @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @pair(%t: tuple<tensor<4xf32>, tuple<tensor<i32>, tensor<4xf32>>>) -> tuple<tensor<4xf32>, tensor<i32>> {
  %a = xla.get_tuple_element %t {index = 0 : i64} : (tuple<tensor<4xf32>, tuple<tensor<i32>, tensor<4xf32>>>) -> tensor<4xf32>
  %u = xla.get_tuple_element %t {index = 1 : i64} : (tuple<tensor<4xf32>, tuple<tensor<i32>, tensor<4xf32>>>) -> tuple<tensor<i32>, tensor<4xf32>>
  %b = xla.get_tuple_element %u {index = 1 : i64} : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<4xf32>
  %i = xla.get_tuple_element %u {index = 0 : i64} : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<i32>
  %c = xla.call @add1(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %d = func.call @add1(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %e = xla.multiply %c, %d : tensor<4xf32>
  %r = xla.tuple %e, %i : (tensor<4xf32>, tensor<i32>) -> tuple<tensor<4xf32>, tensor<i32>>
  return %r : tuple<tensor<4xf32>, tensor<i32>>
}
func.func @main(%t: tuple<tensor<4xf32>, tuple<tensor<i32>, tensor<4xf32>>> {xla.donated}, %p: tensor<i1>, %k: !xla.token) -> (tuple<tensor<4xf32>, tensor<i32>>, tuple<tensor<i32>>, !xla.token) {
  %r = xla.call @pair(%t) : (tuple<tensor<4xf32>, tuple<tensor<i32>, tensor<4xf32>>>) -> tuple<tensor<4xf32>, tensor<i32>>
  %w = xla.while(%r) ({
  ^bb0(%s: tuple<tensor<4xf32>, tensor<i32>>):
    %i = xla.get_tuple_element %s {index = 1 : i64} : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
    %n = xla.constant dense<3> : tensor<i32>
    %c = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%s: tuple<tensor<4xf32>, tensor<i32>>):
    %i = xla.get_tuple_element %s {index = 1 : i64} : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
    %v = xla.get_tuple_element %s {index = 0 : i64} : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<4xf32>
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %x = xla.call @add1(%v) : (tensor<4xf32>) -> tensor<4xf32>
    %r2 = xla.tuple %x, %j : (tensor<4xf32>, tensor<i32>) -> tuple<tensor<4xf32>, tensor<i32>>
    xla.return %r2 : tuple<tensor<4xf32>, tensor<i32>>
  }) : tuple<tensor<4xf32>, tensor<i32>>
  %sel = xla.select %p, %w, %r : (tensor<i1>, tuple<tensor<4xf32>, tensor<i32>>, tuple<tensor<4xf32>, tensor<i32>>) -> tuple<tensor<4xf32>, tensor<i32>>
  %cc = xla.conditional(%p, %sel, %w) ({
  ^bb0(%q: tuple<tensor<4xf32>, tensor<i32>>):
    %i = xla.get_tuple_element %q {index = 1 : i64} : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
    %z = xla.tuple %i : (tensor<i32>) -> tuple<tensor<i32>>
    xla.return %z : tuple<tensor<i32>>
  }, {
  ^bb0(%q: tuple<tensor<4xf32>, tensor<i32>>):
    %i = xla.get_tuple_element %w {index = 1 : i64} : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
    %j = xla.negate %i : tensor<i32>
    %z = xla.tuple %j : (tensor<i32>) -> tuple<tensor<i32>>
    xla.return %z : tuple<tensor<i32>>
  }) : (tensor<i1>, tuple<tensor<4xf32>, tensor<i32>>, tuple<tensor<4xf32>, tensor<i32>>) -> tuple<tensor<i32>>
  %b:2 = xla.optimization_barrier %sel, %k : (tuple<tensor<4xf32>, tensor<i32>>, !xla.token) -> (tuple<tensor<4xf32>, tensor<i32>>, !xla.token)
  return %b#0, %cc, %b#1 : tuple<tensor<4xf32>, tensor<i32>>, tuple<tensor<i32>>, !xla.token
}

// -----

// A map becomes elementwise operations, what differs in size-1 dimensions goes together, dot is dot_general.

// CHECK-LABEL: func.func @main
// CHECK: %[[X:.*]] = xla.reshape %arg0 : (tensor<4x1x8xf32>) -> tensor<4x8xf32>
// CHECK: %[[R:.*]] = xla.reduce(%[[X]],
// CHECK: {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK: %[[M:.*]] = xla.multiply %[[R]], %{{.*}} : tensor<4xf32>
// CHECK: %[[B:.*]] = xla.broadcast_in_dim %[[M]] {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
// CHECK: %[[D:.*]] = xla.subtract %[[X]], %[[B]]
// CHECK: %[[O:.*]] = xla.reshape %[[D]]
// CHECK: %[[A:.*]] = xla.add %arg1, %arg1 : tensor<4x8xf32>
// CHECK: %[[E:.*]] = xla.multiply %[[A]], %{{.*}} : tensor<4x8xf32>
// CHECK: %[[S:.*]] = xla.subtract %[[E]], %{{.*}} : tensor<4x8xf32>
// CHECK: %[[H:.*]] = xla.broadcast_in_dim %arg2
// CHECK: %[[C:.*]] = xla.clamp %{{.*}}, %[[S]], %[[H]] : tensor<4x8xf32>
// CHECK: %[[P:.*]] = xla.dot_general %[[C]], %{{.*}} {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>}
// CHECK: return %[[O]], %[[C]], %[[P]]
func.func @main(%x: tensor<4x1x8xf32>, %m: tensor<4x8xf32>, %s: tensor<f32>) -> (tensor<4x1x8xf32>, tensor<4x8xf32>, tensor<4xf32>) {
  %z = xla.constant dense<0.0> : tensor<f32>
  %n = xla.constant dense<8.0> : tensor<f32>
  %r = xla.reduce(%x, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %a = xla.add %p, %q : tensor<f32>
    xla.return %a : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<4x1x8xf32>, tensor<f32>) -> tensor<4x1xf32>
  %k = xla.broadcast_in_dim %r {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x1xf32>) -> tensor<4x1x1xf32>
  %mean = xla.divide %k, %n : (tensor<4x1x1xf32>, tensor<f32>) -> tensor<4x1x1xf32>
  %d = xla.subtract %x, %mean : (tensor<4x1x8xf32>, tensor<4x1x1xf32>) -> tensor<4x1x8xf32>
  %mm = xla.map(%m, %m) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %a = xla.add %p, %q : tensor<f32>
    %b = xla.multiply %a, %n : tensor<f32>
    %c = xla.constant dense<3.0> : tensor<f32>
    %e = xla.subtract %b, %c : tensor<f32>
    xla.return %e : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : tensor<4x8xf32>
  %c = xla.clamp %z, %mm, %s : (tensor<f32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %v = xla.constant dense<1.0> : tensor<8xf32>
  %dot = xla.dot %c, %v : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4xf32>
  return %d, %c, %dot : tensor<4x1x8xf32>, tensor<4x8xf32>, tensor<4xf32>
}

// -----

// Of several functions and no @main none is the entry.

// expected-error@-4 {{'builtin.module' op has no function @main to start from, but 2 other public functions}}
func.func @f() {
  return
}
func.func @g() {
  return
}

// -----

func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'xla.call' op calls @f, which is being called: programs of XLA have no recursion}}
  %0 = xla.call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Layouts are dropped: what goes in and out is row-major.

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: xla.negate %arg0 : tensor<2x3xf32>
func.func @main(%x: tensor<2x3xf32, #xla.array<minor_to_major = [0, 1]>>) -> tensor<2x3xf32, #xla.array<padded_dimensions = [4, 4]>> {
  %0 = xla.negate %x : (tensor<2x3xf32, #xla.array<minor_to_major = [0, 1]>>) -> tensor<2x3xf32, #xla.array<padded_dimensions = [4, 4]>>
  return %0 : tensor<2x3xf32, #xla.array<padded_dimensions = [4, 4]>>
}

// -----

// Arguments and results of dynamic size are those of the bounds, and sizes after all of them.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32> {xla.donated}, %[[Y:.*]]: tensor<f32>, %[[N:.*]]: tensor<i32>) -> (tensor<f32>, tensor<2x3xf32>, tensor<i32>)
// CHECK-NEXT: return %[[Y]], %[[X]], %[[N]]
func.func @main(%x: tensor<?x3xf32, #xla.array<bounds = [2, ?]>> {xla.donated}, %y: tensor<f32>) -> (tensor<f32>, tensor<?x3xf32, #xla.array<bounds = [2, ?]>>) {
  return %y, %x : tensor<f32>, tensor<?x3xf32, #xla.array<bounds = [2, ?]>>
}

// -----

// expected-error@+1 {{'func.func' op has a value of type tensor<?x3xf32>, which has a dimension of dynamic size without a bound}}
func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  return %x : tensor<?x3xf32>
}

// -----

// Sizes that follow from constants give static types; whole slices, maps and branches follow.

// CHECK-LABEL: func.func @main(%arg0: tensor<8x3xf32>, %arg1: tensor<i32>) -> (tensor<3xf32>, tensor<i32>)
// CHECK-NEXT: %[[FIVE:.*]] = xla.constant dense<5> : tensor<i32>
// CHECK-NOT: ?
// CHECK: xla.slice %arg0 {limit_indices = array<i64: 5, 3>, start_indices = array<i64: 0, 0>} : (tensor<8x3xf32>) -> tensor<5x3xf32>
// CHECK: xla.multiply {{.*}} : tensor<5x3xf32>
// CHECK: xla.case(%arg1)
// CHECK: }) : (tensor<i32>) -> tensor<5x3xf32>
// CHECK: xla.slice {{.*}} {limit_indices = array<i64: 5, 2>, start_indices = [0, 1]} : (tensor<5x3xf32>) -> tensor<5x1xf32>
// CHECK: return %{{.*}}, %[[FIVE]] : tensor<3xf32>, tensor<i32>
func.func private @cut(%x: tensor<8x3xf32>, %n: tensor<i32>) -> tensor<?x3xf32, #xla.array<bounds = [8, ?]>> {
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<8x3xf32>, tensor<i32>) -> tensor<?x3xf32, #xla.array<bounds = [8, ?]>>
  return %0 : tensor<?x3xf32, #xla.array<bounds = [8, ?]>>
}
func.func @main(%x: tensor<8x3xf32>, %i: tensor<i32>) -> (tensor<3xf32>, tensor<i32>) {
  %four = xla.constant dense<4> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %five = xla.add %four, %one : tensor<i32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.call @cut(%x, %five) : (tensor<8x3xf32>, tensor<i32>) -> tensor<?x3xf32, #xla.array<bounds = [8, ?]>>
  %1 = xla.map(%0, %0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %6 = xla.multiply %a, %b : tensor<f32>
    return %6 : tensor<f32>
  }) {dimensions = [0, 1]} : (tensor<?x3xf32, #xla.array<bounds = [8, ?]>>, tensor<?x3xf32, #xla.array<bounds = [8, ?]>>) -> tensor<?x3xf32, #xla.array<bounds = [8, ?]>>
  %2 = xla.case(%i) ({
    return %0 : tensor<?x3xf32, #xla.array<bounds = [8, ?]>>
  }, {
    return %1 : tensor<?x3xf32, #xla.array<bounds = [8, ?]>>
  }) : (tensor<i32>) -> tensor<?x3xf32, #xla.array<bounds = [8, ?]>>
  %3 = xla.slice %2 {start_indices = [0, 1], limit_indices = [8, 2]} : (tensor<?x3xf32, #xla.array<bounds = [8, ?]>>) -> tensor<?x1xf32, #xla.array<bounds = [8, ?]>>
  %4 = xla.dynamic_slice %2, %one, %one {slice_sizes = [8, 3]} : (tensor<?x3xf32, #xla.array<bounds = [8, ?]>>, tensor<i32>, tensor<i32>) -> tensor<?x3xf32, #xla.array<bounds = [8, ?]>>
  %5 = xla.add %3, %4 : (tensor<?x1xf32, #xla.array<bounds = [8, ?]>>, tensor<?x3xf32, #xla.array<bounds = [8, ?]>>) -> tensor<?x3xf32, #xla.array<bounds = [8, ?]>>
  %sum = xla.reduce(%5, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %6 = xla.add %a, %b : tensor<f32>
    return %6 : tensor<f32>
  }) {dimensions = [0]} : (tensor<?x3xf32, #xla.array<bounds = [8, ?]>>, tensor<f32>) -> tensor<3xf32>
  %size = xla.get_dimension_size %5 {dimension = 0} : (tensor<?x3xf32, #xla.array<bounds = [8, ?]>>) -> tensor<i32>
  return %sum, %size : tensor<3xf32>, tensor<i32>
}

// -----

func.func @main(%x: tensor<8xf32>) -> tensor<i32> {
  %two = xla.constant dense<2> : tensor<i32>
  %three = xla.constant dense<3> : tensor<i32>
  %0 = xla.set_dimension_size %x, %two {dimension = 0} : (tensor<8xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [8]>>
  %1 = xla.set_dimension_size %x, %three {dimension = 0} : (tensor<8xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [8]>>
  // expected-error@+1 {{'xla.add' op dimension 0 of lhs is 2, dimension 0 of rhs 3 [broadcast]}}
  %2 = xla.add %0, %1 : tensor<?xf32, #xla.array<bounds = [8]>>
  %3 = xla.get_dimension_size %2 {dimension = 0} : (tensor<?xf32, #xla.array<bounds = [8]>>) -> tensor<i32>
  return %3 : tensor<i32>
}

// -----

func.func @main(%x: tensor<8xf32>) -> tensor<i32> {
  %nine = xla.constant dense<9> : tensor<i32>
  // expected-error@+1 {{'xla.set_dimension_size' op the size is 9, dimension 0 has 8 elements [set_dimension_size_c3]}}
  %0 = xla.set_dimension_size %x, %nine {dimension = 0} : (tensor<8xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [8]>>
  %1 = xla.get_dimension_size %0 {dimension = 0} : (tensor<?xf32, #xla.array<bounds = [8]>>) -> tensor<i32>
  return %1 : tensor<i32>
}

// -----

// Sizes that a run tells are checked and passed along: what is not there does not count.
// CHECK-LABEL: func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> (tensor<i32>, tensor<f32>)
// CHECK-DAG: %[[EIGHT:.*]] = xla.constant dense<8> : tensor<i32>
// CHECK-DAG: %[[ZERO:.*]] = xla.constant dense<0> : tensor<i32>
// CHECK: xla.custom_call %arg1, %[[EIGHT]] {call_target_name = "xlac.check_at_most", has_side_effect = true, xla.label = "set_dimension_size_c3", xla.message = "the size is %d, dimension 0 has %d elements", xla.op = "xla.set_dimension_size"}
// CHECK: xla.custom_call %[[ZERO]], %arg1 {call_target_name = "xlac.check_at_most"
// CHECK: %[[I:.*]] = xla.iota
// CHECK: %[[N:.*]] = xla.broadcast_in_dim %arg1
// CHECK: %[[MASK:.*]] = xla.compare %[[I]], %[[N]] {comparison_direction = "LT"}
// CHECK: %[[THERE:.*]] = xla.select %[[MASK]], %arg0, %{{.*}} : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK: %[[SUM:.*]] = xla.reduce(%[[THERE]], %{{.*}})
// CHECK: return %arg1, %[[SUM]]
func.func @main(%x: tensor<8xf32>, %n: tensor<i32>) -> (tensor<i32>, tensor<f32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.set_dimension_size %x, %n {dimension = 0} : (tensor<8xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [8]>>
  %1 = xla.get_dimension_size %0 {dimension = 0} : (tensor<?xf32, #xla.array<bounds = [8]>>) -> tensor<i32>
  %2 = xla.reduce(%0, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = xla.add %a, %b : tensor<f32>
    return %3 : tensor<f32>
  }) {dimensions = [0]} : (tensor<?xf32, #xla.array<bounds = [8]>>, tensor<f32>) -> tensor<f32>
  return %1, %2 : tensor<i32>, tensor<f32>
}

// -----

// expected-error@+1 {{'func.func' op has a value of type tensor<?x3xf32>, which has a dimension of dynamic size without a bound}}
func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  return %x : tensor<?x3xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'arith.negf' op is not an operation of xla}}
  %0 = arith.negf %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
