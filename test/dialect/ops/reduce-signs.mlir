// Sums keep the sign of zeros, and extremes NaN, whatever the order in which devices take elements.
// RUN: xla-run %s --entry=sum --input=3x4096xf32=-0 --input=f32=-0 --device=cpu | FileCheck %s --check-prefix=MINUS
// RUN: xla-run %s --entry=sum --input=3x4096xf32=-0 --input=f32=0 --device=cpu | FileCheck %s --check-prefix=PLUS
// RUN: xla-run %s --entry=sum --input=3x4096xf32=-0 --input=f32=-0 --device=all --rtol=0 | FileCheck %s --check-prefix=MINUS
// RUN: xla-run %s --entry=sum --input=3x4096xf32=-0 --input=f32=0 --device=all --rtol=0 | FileCheck %s --check-prefix=PLUS
// RUN: xla-run %s --entry=big --input=1048576xf32=-0 --input=f32=-0 --device=cpu | FileCheck %s --check-prefix=BIG
// RUN: xla-run %s --entry=max --input=3x4096xf32=-0 --input=f32=-inf --device=cpu | FileCheck %s --check-prefix=MINUS
// RUN: xla-run %s --entry=max --input=3x4096xf32=nan --input=f32=1 --device=cpu | FileCheck %s --check-prefix=NAN
// MINUS: 3xf32=-0 -0 -0
// PLUS: 3xf32=0 0 0
// BIG: f32=-0
// NAN: 3xf32={{-?}}nan {{-?}}nan {{-?}}nan

func.func @sum(%a: tensor<3x4096xf32>, %z: tensor<f32>) -> tensor<3xf32> {
  %r = "xla.reduce"(%a, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = xla.add %x, %y : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<3x4096xf32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @big(%a: tensor<1048576xf32>, %z: tensor<f32>) -> tensor<f32> {
  %r = "xla.reduce"(%a, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = xla.add %x, %y : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<1048576xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
func.func @max(%a: tensor<3x4096xf32>, %z: tensor<f32>) -> tensor<3xf32> {
  %r = "xla.reduce"(%a, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = xla.maximum %x, %y : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<3x4096xf32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
