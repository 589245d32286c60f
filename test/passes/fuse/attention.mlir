// Two products with rows between them are one kernel where a row of the result needs one row of the scores.
// RUN: xla-opt %s --xla-fuse | FileCheck %s
// RUN: xla-opt %s --xla-fuse=report 2>&1 >/dev/null | FileCheck %s --check-prefix=REPORT --match-full-lines
// RUN: xla-opt %s --xla-fuse=device=gpu | FileCheck %s --check-prefix=GPU
// RUN: xla-opt %s --xla-fuse=device=llvmpipe | FileCheck %s --check-prefix=GPU
// RUN: xla-opt %s --xla-fuse=contraction-epilogue=false | FileCheck %s --check-prefix=APART

// A causal mask is computed with it, for each row; what follows, too.
// CHECK-LABEL: func.func @causal(
// CHECK-NEXT: xla.fusion(%arg0, %arg1, %arg2)
// CHECK: xla.dot_general
// CHECK: xla.iota
// CHECK: xla.compare
// CHECK: xla.dot_general
// CHECK: xla.transpose
// CHECK: {kind = "attention"} :
// CHECK-NEXT: return
// REPORT: {{ *}}1  attention  {{.*}}  15  dot_general, reduce, exponential, transpose of tensor<40x3x24xf32>  inputs {{.*}}
// GPU-LABEL: func.func @causal(
// GPU-NEXT: xla.fusion(%arg0, %arg1, %arg2)
// GPU: {kind = "attention"} :
// GPU-NEXT: return
// APART-LABEL: func.func @causal(
// APART-NOT: "attention"
func.func @causal(%q: tensor<3x40x16xf32>, %k: tensor<3x56x16xf32>, %v: tensor<3x56x24xf32>) -> tensor<40x3x24xf32> {
  %s = xla.dot_general %q, %k {lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 2>} : (tensor<3x40x16xf32>, tensor<3x56x16xf32>) -> tensor<3x40x56xf32>
  %i = xla.iota {iota_dimension = 0 : i64} : () -> tensor<40x56xi32>
  %j = xla.iota {iota_dimension = 1 : i64} : () -> tensor<40x56xi32>
  %isBefore = xla.compare %i, %j {comparison_direction = "GE"} : (tensor<40x56xi32>, tensor<40x56xi32>) -> tensor<40x56xi1>
  %mask = xla.broadcast_in_dim %isBefore {broadcast_dimensions = array<i64: 1, 2>} : (tensor<40x56xi1>) -> tensor<3x40x56xi1>
  %infinity = xla.constant dense<0xFF800000> : tensor<3x40x56xf32>
  %masked = xla.select %mask, %s, %infinity : (tensor<3x40x56xi1>, tensor<3x40x56xf32>, tensor<3x40x56xf32>) -> tensor<3x40x56xf32>
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %max = xla.reduce(%masked, %least) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = xla.maximum %x, %y : tensor<f32>
    xla.return %z : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<3x40x56xf32>, tensor<f32>) -> tensor<3x40xf32>
  %maxima = xla.broadcast_in_dim %max {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x40xf32>) -> tensor<3x40x56xf32>
  %difference = xla.subtract %masked, %maxima : tensor<3x40x56xf32>
  %e = xla.exponential %difference : tensor<3x40x56xf32>
  %sum = xla.reduce(%e, %zero) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = xla.add %x, %y : tensor<f32>
    xla.return %z : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<3x40x56xf32>, tensor<f32>) -> tensor<3x40xf32>
  %sums = xla.broadcast_in_dim %sum {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x40xf32>) -> tensor<3x40x56xf32>
  %p = xla.divide %e, %sums : tensor<3x40x56xf32>
  %o = xla.dot_general %p, %v {lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<3x40x56xf32>, tensor<3x56x24xf32>) -> tensor<3x40x24xf32>
  %r = xla.transpose %o {permutation = array<i64: 1, 0, 2>} : (tensor<3x40x24xf32>) -> tensor<40x3x24xf32>
  return %r : tensor<40x3x24xf32>
}

// Queries are computed with it, keys and values before: each tile of queries takes all of them.
// CHECK-LABEL: func.func @operands(
// CHECK-NEXT: %[[KEYS:.*]] = xla.tanh %arg1
// CHECK-NEXT: %[[VALUES:.*]] = xla.negate %arg2
// CHECK-NEXT: xla.fusion(%arg0, %[[KEYS]], %[[VALUES]])
// CHECK: xla.multiply
// CHECK: {kind = "attention"} :
// CHECK-NEXT: return
func.func @operands(%q: tensor<3x40x16xf32>, %k: tensor<3x56x16xf32>, %v: tensor<3x56x24xf32>) -> tensor<3x40x24xf32> {
  %quarter = xla.constant dense<0.25> : tensor<3x40x16xf32>
  %scaled = xla.multiply %q, %quarter : tensor<3x40x16xf32>
  %keys = xla.tanh %k : tensor<3x56x16xf32>
  %values = xla.negate %v : tensor<3x56x24xf32>
  %s = xla.dot_general %scaled, %keys {lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 2>} : (tensor<3x40x16xf32>, tensor<3x56x16xf32>) -> tensor<3x40x56xf32>
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %max = xla.reduce(%s, %least) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = xla.maximum %x, %y : tensor<f32>
    xla.return %z : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<3x40x56xf32>, tensor<f32>) -> tensor<3x40xf32>
  %maxima = xla.broadcast_in_dim %max {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x40xf32>) -> tensor<3x40x56xf32>
  %difference = xla.subtract %s, %maxima : tensor<3x40x56xf32>
  %e = xla.exponential %difference : tensor<3x40x56xf32>
  %sum = xla.reduce(%e, %zero) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = xla.add %x, %y : tensor<f32>
    xla.return %z : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<3x40x56xf32>, tensor<f32>) -> tensor<3x40xf32>
  %sums = xla.broadcast_in_dim %sum {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x40xf32>) -> tensor<3x40x56xf32>
  %p = xla.divide %e, %sums : tensor<3x40x56xf32>
  %o = xla.dot_general %p, %values {lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<3x40x56xf32>, tensor<3x56x24xf32>) -> tensor<3x40x24xf32>
  return %o : tensor<3x40x24xf32>
}

// The division comes last, and is of sums of the rows.
// CHECK-LABEL: func.func @divided_last(
// CHECK-NEXT: xla.fusion(%arg0, %arg1, %arg2)
// CHECK: xla.divide
// CHECK: {kind = "attention"} :
// CHECK-NEXT: return
func.func @divided_last(%q: tensor<3x40x16xf32>, %k: tensor<3x56x16xf32>, %v: tensor<3x56x24xf32>) -> tensor<3x40x24xf32> {
  %s = xla.dot_general %q, %k {lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 2>} : (tensor<3x40x16xf32>, tensor<3x56x16xf32>) -> tensor<3x40x56xf32>
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %max = xla.reduce(%s, %least) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = xla.maximum %x, %y : tensor<f32>
    xla.return %z : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<3x40x56xf32>, tensor<f32>) -> tensor<3x40xf32>
  %maxima = xla.broadcast_in_dim %max {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x40xf32>) -> tensor<3x40x56xf32>
  %difference = xla.subtract %s, %maxima : tensor<3x40x56xf32>
  %e = xla.exponential %difference : tensor<3x40x56xf32>
  %sum = xla.reduce(%e, %zero) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = xla.add %x, %y : tensor<f32>
    xla.return %z : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<3x40x56xf32>, tensor<f32>) -> tensor<3x40xf32>
  %o = xla.dot_general %e, %v {lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<3x40x56xf32>, tensor<3x56x24xf32>) -> tensor<3x40x24xf32>
  %sums = xla.broadcast_in_dim %sum {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x40xf32>) -> tensor<3x40x24xf32>
  %r = xla.divide %o, %sums : tensor<3x40x24xf32>
  return %r : tensor<3x40x24xf32>
}

// CHECK-LABEL: func.func @weights(
// CHECK-NOT: "attention"
// REPORT: apart: dot_general {{[0-9]+}}:8 and dot_general {{[0-9]+}}:8, two products with rows between them
// REPORT-NEXT: {{ *}}other kernels use what lies between them, and read it from memory, so that they are not one kernel for tiles of rows; nothing to change
func.func @weights(%q: tensor<3x40x16xf32>, %k: tensor<3x56x16xf32>, %v: tensor<3x56x24xf32>) -> (tensor<3x40x24xf32>, tensor<3x40x56xf32>) {
  %s = xla.dot_general %q, %k {lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 2>} : (tensor<3x40x16xf32>, tensor<3x56x16xf32>) -> tensor<3x40x56xf32>
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %max = xla.reduce(%s, %least) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = xla.maximum %x, %y : tensor<f32>
    xla.return %z : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<3x40x56xf32>, tensor<f32>) -> tensor<3x40xf32>
  %maxima = xla.broadcast_in_dim %max {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x40xf32>) -> tensor<3x40x56xf32>
  %difference = xla.subtract %s, %maxima : tensor<3x40x56xf32>
  %e = xla.exponential %difference : tensor<3x40x56xf32>
  %sum = xla.reduce(%e, %zero) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = xla.add %x, %y : tensor<f32>
    xla.return %z : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<3x40x56xf32>, tensor<f32>) -> tensor<3x40xf32>
  %sums = xla.broadcast_in_dim %sum {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x40xf32>) -> tensor<3x40x56xf32>
  %p = xla.divide %e, %sums : tensor<3x40x56xf32>
  %o = xla.dot_general %p, %v {lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<3x40x56xf32>, tensor<3x56x24xf32>) -> tensor<3x40x24xf32>
  return %o, %p : tensor<3x40x24xf32>, tensor<3x40x56xf32>
}

// Columns of scores are not what a row of the result needs.
// CHECK-LABEL: func.func @columns(
// CHECK-NOT: "attention"
// REPORT: apart: dot_general {{[0-9]+}}:8 and dot_general {{[0-9]+}}:8, two products with rows between them
// REPORT-NEXT: {{ *}}a row of the result needs more than a row of the scores, so that they are not one kernel for tiles of rows; to change that: reduce along what the second one contracts
func.func @columns(%q: tensor<3x40x16xf32>, %k: tensor<3x56x16xf32>, %v: tensor<3x56x24xf32>) -> tensor<3x40x24xf32> {
  %s = xla.dot_general %q, %k {lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 2>} : (tensor<3x40x16xf32>, tensor<3x56x16xf32>) -> tensor<3x40x56xf32>
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %max = xla.reduce(%s, %least) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = xla.maximum %x, %y : tensor<f32>
    xla.return %z : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<3x40x56xf32>, tensor<f32>) -> tensor<3x56xf32>
  %maxima = xla.broadcast_in_dim %max {broadcast_dimensions = array<i64: 0, 2>} : (tensor<3x56xf32>) -> tensor<3x40x56xf32>
  %difference = xla.subtract %s, %maxima : tensor<3x40x56xf32>
  %e = xla.exponential %difference : tensor<3x40x56xf32>
  %sum = xla.reduce(%e, %zero) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = xla.add %x, %y : tensor<f32>
    xla.return %z : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<3x40x56xf32>, tensor<f32>) -> tensor<3x56xf32>
  %sums = xla.broadcast_in_dim %sum {broadcast_dimensions = array<i64: 0, 2>} : (tensor<3x56xf32>) -> tensor<3x40x56xf32>
  %p = xla.divide %e, %sums : tensor<3x40x56xf32>
  %o = xla.dot_general %p, %v {lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<3x40x56xf32>, tensor<3x56x24xf32>) -> tensor<3x40x24xf32>
  return %o : tensor<3x40x24xf32>
}

// So the weights' columns, which are as long as rows.
// CHECK-LABEL: func.func @transposed(
// CHECK-NOT: "attention"
func.func @transposed(%q: tensor<3x40x16xf32>, %k: tensor<3x40x16xf32>, %v: tensor<3x40x16xf32>) -> tensor<3x40x16xf32> {
  %s = xla.dot_general %q, %k {lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 2>} : (tensor<3x40x16xf32>, tensor<3x40x16xf32>) -> tensor<3x40x40xf32>
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %max = xla.reduce(%s, %least) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = xla.maximum %x, %y : tensor<f32>
    xla.return %z : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<3x40x40xf32>, tensor<f32>) -> tensor<3x40xf32>
  %maxima = xla.broadcast_in_dim %max {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x40xf32>) -> tensor<3x40x40xf32>
  %difference = xla.subtract %s, %maxima : tensor<3x40x40xf32>
  %e = xla.exponential %difference : tensor<3x40x40xf32>
  %sum = xla.reduce(%e, %zero) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = xla.add %x, %y : tensor<f32>
    xla.return %z : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<3x40x40xf32>, tensor<f32>) -> tensor<3x40xf32>
  %sums = xla.broadcast_in_dim %sum {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x40xf32>) -> tensor<3x40x40xf32>
  %p = xla.divide %e, %sums : tensor<3x40x40xf32>
  %o = xla.dot_general %p, %v {lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 1>, rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<3x40x40xf32>, tensor<3x40x16xf32>) -> tensor<3x40x16xf32>
  return %o : tensor<3x40x16xf32>
}

// CHECK-LABEL: func.func @few(
// CHECK-NOT: "attention"
// REPORT: @few: {{.*}}
// REPORT: apart: dot_general {{[0-9]+}}:8 and dot_general {{[0-9]+}}:8, two products with rows between them
// REPORT-NEXT: {{ *}}it has too few rows, so that they are not one kernel for tiles of rows; nothing to change
func.func @few(%q: tensor<3x4x16xf32>, %k: tensor<3x56x16xf32>, %v: tensor<3x56x24xf32>) -> tensor<3x4x24xf32> {
  %s = xla.dot_general %q, %k {lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 2>} : (tensor<3x4x16xf32>, tensor<3x56x16xf32>) -> tensor<3x4x56xf32>
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %max = xla.reduce(%s, %least) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = xla.maximum %x, %y : tensor<f32>
    xla.return %z : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<3x4x56xf32>, tensor<f32>) -> tensor<3x4xf32>
  %maxima = xla.broadcast_in_dim %max {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x4xf32>) -> tensor<3x4x56xf32>
  %difference = xla.subtract %s, %maxima : tensor<3x4x56xf32>
  %e = xla.exponential %difference : tensor<3x4x56xf32>
  %sum = xla.reduce(%e, %zero) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = xla.add %x, %y : tensor<f32>
    xla.return %z : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<3x4x56xf32>, tensor<f32>) -> tensor<3x4xf32>
  %sums = xla.broadcast_in_dim %sum {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x4xf32>) -> tensor<3x4x56xf32>
  %p = xla.divide %e, %sums : tensor<3x4x56xf32>
  %o = xla.dot_general %p, %v {lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<3x4x56xf32>, tensor<3x56x24xf32>) -> tensor<3x4x24xf32>
  return %o : tensor<3x4x24xf32>
}
