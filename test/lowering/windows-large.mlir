// Large windows: those from one end on are scans, others the end of a block that is scanned backwards and the beginning of the next.
// RUN: xla-run %s --entry=sums --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=backwards --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=other_init --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=longer --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=last --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=first --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=strided --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=dilated --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=two --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=cut --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=complex --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=everywhere --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=none --device=all --seed=3 --output=none
// RUN: xla-run %s --entry=logarithms --device=all --seed=3 --output=none --output=none
// RUN: xla-opt %s --xla-expand | FileCheck %s

// The init value is combined with the first element.
// CHECK-LABEL: func.func @sums
// CHECK: xla.compare {{.*}}"EQ"
// CHECK: xla.select
// CHECK: xla.associative_scan
// CHECK: }) {dimension = 0 : i64} : tensor<9000xi32>
// CHECK-NEXT: return
func.func @sums(%x: tensor<9000xi32>) -> tensor<9000xi32> {
  %z = xla.constant dense<0> : tensor<i32>
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [9000], padding = [8999, 0], window_strides = [1], base_dilations = [1], window_dilations = [1]} : (tensor<9000xi32>, tensor<i32>) -> tensor<9000xi32>
  return %0 : tensor<9000xi32>
}

func.func @backwards(%x: tensor<20x100xi32>) -> tensor<20x100xi32> {
  %z = xla.constant dense<0> : tensor<i32>
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [20, 1], padding = [0, 19, 0, 0], window_strides = [1, 1], base_dilations = [1, 1], window_dilations = [1, 1]} : (tensor<20x100xi32>, tensor<i32>) -> tensor<20x100xi32>
  return %0 : tensor<20x100xi32>
}

// As many init values are padding as the place is in front of the end.
// CHECK-LABEL: func.func @other_init
// CHECK: xla.pad
func.func @other_init(%x: tensor<20x100xi32>) -> tensor<20x100xi32> {
  %z = xla.constant dense<7> : tensor<i32>
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [20, 1], padding = [0, 19, 0, 0], window_strides = [1, 1], base_dilations = [1, 1], window_dilations = [1, 1]} : (tensor<20x100xi32>, tensor<i32>) -> tensor<20x100xi32>
  return %0 : tensor<20x100xi32>
}

func.func @longer(%x: tensor<300xi32>) -> tensor<300xi32> {
  %z = xla.constant dense<0> : tensor<i32>
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [700], padding = [699, 0], window_strides = [1], base_dilations = [1], window_dilations = [1]} : (tensor<300xi32>, tensor<i32>) -> tensor<300xi32>
  return %0 : tensor<300xi32>
}

func.func @last(%x: tensor<600xi32>) -> tensor<600xi32> {
  %z = xla.constant dense<0> : tensor<i32>
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    xla.return %b : tensor<i32>
  }) {window_dimensions = [700], padding = [0, 699], window_strides = [1], base_dilations = [1], window_dilations = [1]} : (tensor<600xi32>, tensor<i32>) -> tensor<600xi32>
  return %0 : tensor<600xi32>
}

func.func @first(%x: tensor<600xi32>) -> tensor<532xi32> {
  %z = xla.constant dense<0> : tensor<i32>
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    xla.return %a : tensor<i32>
  }) {window_dimensions = [77], padding = [3, 5], window_strides = [1], base_dilations = [1], window_dilations = [1]} : (tensor<600xi32>, tensor<i32>) -> tensor<532xi32>
  return %0 : tensor<532xi32>
}

func.func @strided(%x: tensor<1003xi32>) -> tensor<144xi32> {
  %z = xla.constant dense<3> : tensor<i32>
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [100], padding = [50, 49], window_strides = [7], base_dilations = [1], window_dilations = [1]} : (tensor<1003xi32>, tensor<i32>) -> tensor<144xi32>
  return %0 : tensor<144xi32>
}

func.func @dilated(%x: tensor<103xi32>) -> tensor<102xi32> {
  %z = xla.constant dense<3> : tensor<i32>
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [40], padding = [5, 9], window_strides = [2], base_dilations = [3], window_dilations = [3]} : (tensor<103xi32>, tensor<i32>) -> tensor<102xi32>
  return %0 : tensor<102xi32>
}

func.func @two(%x: tensor<40x50xi32>) -> tensor<5x11xi32> {
  %z = xla.constant dense<3> : tensor<i32>
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [20, 30], padding = [3, 4, 5, 6], window_strides = [2, 3], base_dilations = [1, 1], window_dilations = [2, 1]} : (tensor<40x50xi32>, tensor<i32>) -> tensor<5x11xi32>
  return %0 : tensor<5x11xi32>
}

func.func @cut(%x: tensor<300xbf16>) -> tensor<221xbf16> {
  %z = xla.constant dense<1.0> : tensor<bf16>
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = xla.maximum %a, %b : tensor<bf16>
    xla.return %s : tensor<bf16>
  }) {window_dimensions = [70], padding = [10, -20], window_strides = [1], base_dilations = [1], window_dilations = [1]} : (tensor<300xbf16>, tensor<bf16>) -> tensor<221xbf16>
  return %0 : tensor<221xbf16>
}

func.func @complex(%x: tensor<300xcomplex<f32>>) -> tensor<214xcomplex<f32>> {
  %z = xla.constant dense<(0.0,0.0)> : tensor<complex<f32>>
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %s = xla.add %a, %b : tensor<complex<f32>>
    xla.return %s : tensor<complex<f32>>
  }) {window_dimensions = [90], padding = [3, 0], window_strides = [1], base_dilations = [1], window_dilations = [1]} : (tensor<300xcomplex<f32>>, tensor<complex<f32>>) -> tensor<214xcomplex<f32>>
  return %0 : tensor<214xcomplex<f32>>
}

func.func @everywhere(%x: tensor<5xi32>) -> tensor<126xi32> {
  %z = xla.constant dense<2> : tensor<i32>
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [40], padding = [80, 80], window_strides = [1], base_dilations = [1], window_dilations = [1]} : (tensor<5xi32>, tensor<i32>) -> tensor<126xi32>
  return %0 : tensor<126xi32>
}

func.func @none(%x: tensor<0xi32>) -> tensor<121xi32> {
  %z = xla.constant dense<2> : tensor<i32>
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = xla.add %a, %b : tensor<i32>
    xla.return %s : tensor<i32>
  }) {window_dimensions = [40], padding = [80, 80], window_strides = [1], base_dilations = [1], window_dilations = [1]} : (tensor<0xi32>, tensor<i32>) -> tensor<121xi32>
  return %0 : tensor<121xi32>
}

// Several operands, and a computation of several operations whose order of arguments matters in reverse.
func.func @logarithms(%x: tensor<40x600xf32>) -> (tensor<40x600xf32>, tensor<40x600xf32>) {
  %z = xla.constant dense<0xFF800000> : tensor<f32>
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.maximum %a, %b : tensor<f32>
    %n = xla.minimum %a, %b : tensor<f32>
    %d = xla.subtract %n, %m : tensor<f32>
    %e = xla.exponential %d : tensor<f32>
    %l = xla.log_plus_one %e : tensor<f32>
    %s = xla.add %m, %l : tensor<f32>
    %isSame = xla.compare %m, %z {comparison_direction = "EQ"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %r = xla.select %isSame, %m, %s : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    xla.return %r : tensor<f32>
  }) {window_dimensions = [1, 600], padding = [0, 0, 0, 599]} : (tensor<40x600xf32>, tensor<f32>) -> tensor<40x600xf32>
  %places = xla.iota {iota_dimension = 1} : () -> tensor<40x600xi32>
  %none = xla.constant dense<-1> : tensor<i32>
  %1:2 = xla.reduce_window(%x, %places, %z, %none) ({
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
    %larger = xla.compare %a, %b {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %value = xla.select %larger, %a, %b : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %place = xla.select %larger, %i, %j : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %value, %place : tensor<f32>, tensor<i32>
  }) {window_dimensions = [1, 100], padding = [0, 0, 50, 49]} : (tensor<40x600xf32>, tensor<40x600xi32>, tensor<f32>, tensor<i32>) -> (tensor<40x600xf32>, tensor<40x600xi32>)
  %f = xla.convert %1#1 : (tensor<40x600xi32>) -> tensor<40x600xf32>
  %sum = xla.add %f, %1#0 : tensor<40x600xf32>
  return %0, %sum : tensor<40x600xf32>, tensor<40x600xf32>
}
