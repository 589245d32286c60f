// Loops and branches of scalars, with and without arrays beside them: on every
// device what the interpreter says, however many steps there are.
// RUN: xla-run %s --entry=scalars --device=all --input=i32=0
// RUN: xla-run %s --entry=scalars --device=all --input=i32=1
// RUN: xla-run %s --entry=scalars --device=all --input=i32=1000
// RUN: xla-run %s --entry=halves --device=all
// RUN: xla-run %s --entry=narrow --device=all --input=i32=77
// RUN: xla-run %s --entry=mixed --device=all --seed=1 --input=i32=0
// RUN: xla-run %s --entry=mixed --device=all --seed=1 --input=i32=13
// RUN: xla-run %s --entry=bound --device=all --input="3xi32=4 0 5"
// RUN: xla-run %s --entry=nested --device=all --input=i32=7
// RUN: xla-run %s --entry=branches --device=all --seed=1
// RUN: xla-run %s --entry=until --device=all --seed=1
// RUN: xla-run %s --entry=in_place --device=all --seed=1
// RUN: xla-run %s --entry=loop_in_place --device=all --seed=1

// Many steps are no matter where the host computes them; the interpreter takes
// a while.
// RUN: xla-run %s --entry=scalars --device=cpu --input=i32=100000 > %t.cpu
// RUN: %if vulkan %{ xla-run %s --entry=scalars --device=vulkan --input=i32=100000 > %t.vulkan %}
// RUN: %if vulkan %{ diff %t.cpu %t.vulkan %}

// A loop without an end ends with the time.
// RUN: %if vulkan %{ %{python} %S/../tools/Inputs/patient.py "while running" xla-run %s --entry=endless --device=vulkan --input=i32=0 --timeout={} | FileCheck %s %}
// CHECK: while running on vulkan
// CHECK: exit 3

func.func @scalars(%limit: tensor<i32>) -> (tensor<i32>, tensor<i64>, tensor<f32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %wide = xla.constant dense<1> : tensor<i64>
  %x = xla.constant dense<1.0> : tensor<f32>
  %r:4 = xla.while(%zero, %zero, %wide, %x) ({
  ^bb0(%i: tensor<i32>, %a: tensor<i32>, %b: tensor<i64>, %y: tensor<f32>):
    %c = xla.compare %i, %limit {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<i32>, %b: tensor<i64>, %y: tensor<f32>):
    %one = xla.constant dense<1> : tensor<i32>
    %k = xla.constant dense<1664525> : tensor<i32>
    %n = xla.add %i, %one : tensor<i32>
    %m = xla.multiply %a, %k : tensor<i32>
    %w = xla.add %m, %i : tensor<i32>
    %v = xla.convert %w : (tensor<i32>) -> tensor<i64>
    %u = xla.xor %b, %v : tensor<i64>
    %half = xla.constant dense<0.5> : tensor<f32>
    %f = xla.convert %n : (tensor<i32>) -> tensor<f32>
    %g = xla.multiply %y, %half : tensor<f32>
    %z = xla.add %f, %g : tensor<f32>
    xla.return %n, %w, %u, %z : tensor<i32>, tensor<i32>, tensor<i64>, tensor<f32>
  }) : (tensor<i32>, tensor<i32>, tensor<i64>, tensor<f32>) -> (tensor<i32>, tensor<i32>, tensor<i64>, tensor<f32>)
  return %r#1, %r#2, %r#3 : tensor<i32>, tensor<i64>, tensor<f32>
}

// Floats that are rounded after every operation, and functions of them.
func.func @halves() -> (tensor<f16>, tensor<bf16>, tensor<f32>) {
  %x = xla.constant dense<1.1> : tensor<f16>
  %y = xla.constant dense<1.1> : tensor<bf16>
  %z = xla.constant dense<0.3> : tensor<f32>
  %r:3 = xla.while(%x, %y, %z) ({
  ^bb0(%a: tensor<f16>, %b: tensor<bf16>, %c: tensor<f32>):
    %most = xla.constant dense<200.0> : tensor<f16>
    %go = xla.compare %a, %most {comparison_direction = "LT"} : (tensor<f16>, tensor<f16>) -> tensor<i1>
    xla.return %go : tensor<i1>
  }, {
  ^bb0(%a: tensor<f16>, %b: tensor<bf16>, %c: tensor<f32>):
    %d = xla.multiply %a, %x : tensor<f16>
    %e = xla.multiply %b, %y : tensor<bf16>
    %f = xla.cosine %c : tensor<f32>
    xla.return %d, %e, %f : tensor<f16>, tensor<bf16>, tensor<f32>
  }) : (tensor<f16>, tensor<bf16>, tensor<f32>) -> (tensor<f16>, tensor<bf16>, tensor<f32>)
  return %r#0, %r#1, %r#2 : tensor<f16>, tensor<bf16>, tensor<f32>
}

// Scalars of one and two bytes, which kernels read beside the loop's arrays.
func.func @narrow(%limit: tensor<i32>) -> (tensor<i8>, tensor<i1>, tensor<3xi16>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %byte = xla.constant dense<100> : tensor<i8>
  %short = xla.constant dense<7> : tensor<i16>
  %no = xla.constant dense<false> : tensor<i1>
  %x = xla.constant dense<[1, 2, 3]> : tensor<3xi16>
  %r:5 = xla.while(%zero, %byte, %no, %short, %x) ({
  ^bb0(%i: tensor<i32>, %a: tensor<i8>, %p: tensor<i1>, %s: tensor<i16>, %y: tensor<3xi16>):
    %c = xla.compare %i, %limit {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<i8>, %p: tensor<i1>, %s: tensor<i16>, %y: tensor<3xi16>):
    %one = xla.constant dense<1> : tensor<i32>
    %n = xla.add %i, %one : tensor<i32>
    %three = xla.constant dense<3> : tensor<i8>
    %b = xla.multiply %a, %three : tensor<i8>
    %q = xla.not %p : tensor<i1>
    %t = xla.add %s, %s : tensor<i16>
    %u = xla.xor %t, %short : tensor<i16>
    %all = xla.broadcast_in_dim %u {broadcast_dimensions = array<i64>} : (tensor<i16>) -> tensor<3xi16>
    %v = xla.add %y, %all : tensor<3xi16>
    %minus = xla.negate %v : tensor<3xi16>
    %w = xla.select %q, %v, %minus : (tensor<i1>, tensor<3xi16>, tensor<3xi16>) -> tensor<3xi16>
    xla.return %n, %b, %q, %u, %w : tensor<i32>, tensor<i8>, tensor<i1>, tensor<i16>, tensor<3xi16>
  }) : (tensor<i32>, tensor<i8>, tensor<i1>, tensor<i16>, tensor<3xi16>) -> (tensor<i32>, tensor<i8>, tensor<i1>, tensor<i16>, tensor<3xi16>)
  return %r#1, %r#2, %r#4 : tensor<i8>, tensor<i1>, tensor<3xi16>
}

// A scan: rows are read and written where the counter says.
func.func @mixed(%limit: tensor<i32>, %rows: tensor<13x4xf32>) -> (tensor<i32>, tensor<13x4xf32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %first = xla.constant dense<0.0> : tensor<13x4xf32>
  %r:2 = xla.while(%zero, %first) ({
  ^bb0(%i: tensor<i32>, %y: tensor<13x4xf32>):
    %c = xla.compare %i, %limit {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %y: tensor<13x4xf32>):
    %one = xla.constant dense<1> : tensor<i32>
    %row = xla.dynamic_slice %rows, %i, %zero {slice_sizes = array<i64: 1, 4>} : (tensor<13x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %f = xla.convert %i : (tensor<i32>) -> tensor<f32>
    %all = xla.broadcast_in_dim %f {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<1x4xf32>
    %new = xla.add %row, %all : tensor<1x4xf32>
    %n = xla.add %i, %one : tensor<i32>
    %z = xla.dynamic_update_slice %y, %new, %i, %zero : (tensor<13x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<13x4xf32>
    xla.return %n, %z : tensor<i32>, tensor<13x4xf32>
  }) : (tensor<i32>, tensor<13x4xf32>) -> (tensor<i32>, tensor<13x4xf32>)
  return %r#0, %r#1 : tensor<i32>, tensor<13x4xf32>
}

// The device computes how often.
func.func @bound(%x: tensor<3xi32>) -> (tensor<i32>, tensor<3xi32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %limit = xla.reduce(%x, %zero) ({
  ^bb0(%m: tensor<i32>, %n: tensor<i32>):
    %t = xla.add %m, %n : tensor<i32>
    xla.return %t : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  %r:3 = xla.while(%zero, %limit, %x) ({
  ^bb0(%i: tensor<i32>, %most: tensor<i32>, %y: tensor<3xi32>):
    %c = xla.compare %i, %most {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %most: tensor<i32>, %y: tensor<3xi32>):
    %n = xla.add %i, %one : tensor<i32>
    %z = xla.add %y, %y : tensor<3xi32>
    xla.return %n, %most, %z : tensor<i32>, tensor<i32>, tensor<3xi32>
  }) : (tensor<i32>, tensor<i32>, tensor<3xi32>) -> (tensor<i32>, tensor<i32>, tensor<3xi32>)
  return %r#0, %r#2 : tensor<i32>, tensor<3xi32>
}

// The inner loop's scalars come from the outer one and from the device.
func.func @nested(%limit: tensor<i32>) -> (tensor<i32>, tensor<2xi32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %start = xla.constant dense<[3, 4]> : tensor<2xi32>
  %r:3 = xla.while(%zero, %zero, %start) ({
  ^bb0(%i: tensor<i32>, %s: tensor<i32>, %x: tensor<2xi32>):
    %c = xla.compare %i, %limit {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %s: tensor<i32>, %x: tensor<2xi32>):
    %n = xla.add %i, %one : tensor<i32>
    %seven = xla.constant dense<7> : tensor<i32>
    %sum = xla.reduce(%x, %zero) ({
    ^bb0(%m: tensor<i32>, %o: tensor<i32>):
      %t = xla.xor %m, %o : tensor<i32>
      xla.return %t : tensor<i32>
    }) {dimensions = array<i64: 0>} : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
    %low = xla.and %sum, %seven : tensor<i32>
    %q:3 = xla.while(%low, %s, %x) ({
    ^bb0(%j: tensor<i32>, %t: tensor<i32>, %y: tensor<2xi32>):
      %d = xla.compare %j, %seven {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %d : tensor<i1>
    }, {
    ^bb0(%j: tensor<i32>, %t: tensor<i32>, %y: tensor<2xi32>):
      %m = xla.add %j, %one : tensor<i32>
      %u = xla.multiply %t, %seven : tensor<i32>
      %v = xla.add %u, %i : tensor<i32>
      %all = xla.broadcast_in_dim %v {broadcast_dimensions = array<i64>} : (tensor<i32>) -> tensor<2xi32>
      %z = xla.xor %y, %all : tensor<2xi32>
      xla.return %m, %v, %z : tensor<i32>, tensor<i32>, tensor<2xi32>
    }) : (tensor<i32>, tensor<i32>, tensor<2xi32>) -> (tensor<i32>, tensor<i32>, tensor<2xi32>)
    xla.return %n, %q#1, %q#2 : tensor<i32>, tensor<i32>, tensor<2xi32>
  }) : (tensor<i32>, tensor<i32>, tensor<2xi32>) -> (tensor<i32>, tensor<i32>, tensor<2xi32>)
  return %r#1, %r#2 : tensor<i32>, tensor<2xi32>
}

// Branches by the counter, and one by what the device computes, with results
// that the host has, that it loads, and that it has not.
func.func @branches(%a: tensor<8xf32>, %scale: tensor<f32>) -> (tensor<i32>, tensor<f32>, tensor<8xf32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %none = xla.constant dense<0.0> : tensor<f32>
  %r:4 = xla.while(%zero, %zero, %none, %a) ({
  ^bb0(%i: tensor<i32>, %s: tensor<i32>, %f: tensor<f32>, %x: tensor<8xf32>):
    %n = xla.constant dense<9> : tensor<i32>
    %c = xla.compare %i, %n {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %s: tensor<i32>, %f: tensor<f32>, %x: tensor<8xf32>):
    %one = xla.constant dense<1> : tensor<i32>
    %three = xla.constant dense<3> : tensor<i32>
    %n = xla.add %i, %one : tensor<i32>
    %which = xla.remainder %i, %three : tensor<i32>
    %q:3 = xla.case(%which) ({
      %four = xla.constant dense<4> : tensor<i32>
      xla.return %four, %scale, %x : tensor<i32>, tensor<f32>, tensor<8xf32>
    }, {
      %y = xla.cosine %x : tensor<8xf32>
      xla.return %i, %none, %y : tensor<i32>, tensor<f32>, tensor<8xf32>
    }, {
      xla.return %s, %f, %x : tensor<i32>, tensor<f32>, tensor<8xf32>
    }) : (tensor<i32>) -> (tensor<i32>, tensor<f32>, tensor<8xf32>)
    %sum = xla.reduce(%q#2, %none) ({
    ^bb0(%m: tensor<f32>, %o: tensor<f32>):
      %t = xla.add %m, %o : tensor<f32>
      xla.return %t : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %whole = xla.convert %sum : (tensor<f32>) -> tensor<i32>
    %p:2 = xla.case(%whole) ({
      xla.return %n, %sum : tensor<i32>, tensor<f32>
    }, {
      xla.return %q#0, %q#1 : tensor<i32>, tensor<f32>
    }) : (tensor<i32>) -> (tensor<i32>, tensor<f32>)
    %t = xla.add %s, %p#0 : tensor<i32>
    xla.return %n, %t, %p#1, %q#2 : tensor<i32>, tensor<i32>, tensor<f32>, tensor<8xf32>
  }) : (tensor<i32>, tensor<i32>, tensor<f32>, tensor<8xf32>) -> (tensor<i32>, tensor<i32>, tensor<f32>, tensor<8xf32>)
  return %r#1, %r#2, %r#3 : tensor<i32>, tensor<f32>, tensor<8xf32>
}

// The device computes when to end; the host counts beside it.
func.func @until(%a: tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %none = xla.constant dense<0.0> : tensor<f32>
  %most = xla.constant dense<100.0> : tensor<f32>
  %r:2 = xla.while(%zero, %a) ({
  ^bb0(%i: tensor<i32>, %x: tensor<8xf32>):
    %squares = xla.multiply %x, %x : tensor<8xf32>
    %sum = xla.reduce(%squares, %none) ({
    ^bb0(%m: tensor<f32>, %o: tensor<f32>):
      %t = xla.add %m, %o : tensor<f32>
      xla.return %t : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %c = xla.compare %sum, %most {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<8xf32>):
    %one = xla.constant dense<1> : tensor<i32>
    %n = xla.add %i, %one : tensor<i32>
    %f = xla.convert %i : (tensor<i32>) -> tensor<f32>
    %all = xla.broadcast_in_dim %f {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<8xf32>
    %y = xla.add %x, %all : tensor<8xf32>
    xla.return %n, %y : tensor<i32>, tensor<8xf32>
  }) : (tensor<i32>, tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>)
  return %r#0, %r#1 : tensor<i32>, tensor<8xf32>
}

func.func @endless(%a: tensor<i32>) -> tensor<i32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r = xla.while(%zero) ({
  ^bb0(%i: tensor<i32>):
    %one = xla.constant dense<1> : tensor<i32>
    %odd = xla.or %i, %one : tensor<i32>
    %c = xla.compare %odd, %zero {comparison_direction = "NE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>):
    %two = xla.constant dense<2> : tensor<i32>
    %n = xla.add %i, %two : tensor<i32>
    xla.return %n : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// What is written over the old state is read after the next one is written.
func.func @in_place(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:3 = xla.while(%zero, %x, %y) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %end = xla.constant dense<2> : tensor<i32>
    %c = xla.compare %i, %end {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %one = xla.constant dense<1> : tensor<i32>
    %n = xla.add %i, %one : tensor<i32>
    %s = xla.sine %a : tensor<4x4xf32>
    %p = xla.dot %b, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %q = xla.dot %s, %p : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    xla.return %n, %p, %q : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
  }) : (tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>)
  %sum = xla.add %r#1, %r#2 : tensor<4x4xf32>
  return %sum : tensor<4x4xf32>
}

// The same of a loop in the loop.
func.func @loop_in_place(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:3 = xla.while(%zero, %x, %y) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %end = xla.constant dense<2> : tensor<i32>
    %c = xla.compare %i, %end {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %one = xla.constant dense<1> : tensor<i32>
    %n = xla.add %i, %one : tensor<i32>
    %l, %s = xla.while(%zero, %a) ({
    ^bb1(%j: tensor<i32>, %d: tensor<4x4xf32>):
      %end = xla.constant dense<3> : tensor<i32>
      %c = xla.compare %j, %end {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %c : tensor<i1>
    }, {
    ^bb1(%j: tensor<i32>, %d: tensor<4x4xf32>):
      %k = xla.add %j, %one : tensor<i32>
      %e = xla.sine %d : tensor<4x4xf32>
      xla.return %k, %e : tensor<i32>, tensor<4x4xf32>
    }) : (tensor<i32>, tensor<4x4xf32>) -> (tensor<i32>, tensor<4x4xf32>)
    %p = xla.dot %b, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %q = xla.dot %s, %p : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    xla.return %n, %p, %q : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
  }) : (tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>)
  %sum = xla.add %r#1, %r#2 : tensor<4x4xf32>
  return %sum : tensor<4x4xf32>
}
