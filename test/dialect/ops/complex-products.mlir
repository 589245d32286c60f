// A product of complex numbers is that of its parts as numbers of their type: what overflows there is infinite, and infinities may cancel.
// RUN: xla-run %s --device=all --input="5xc64=(inf,-3e38) (3e38,3e38) (3e38,inf) (1,2) (3e38,-3e38)" --input="5xc64=(1,-2) (1,-2) (1,-2) (3,4) (2,2)" | FileCheck %s
// CHECK: {{^}}5xc64=({{-?}}nan,-inf) (inf,-inf) (inf,{{-?}}nan) (-5,10) (inf,{{-?}}nan){{$}}
// RUN: xla-run %s --device=all --entry=double --input="1xc128=(3e38,3e38)" --input="1xc128=(1,-2)" | FileCheck %s --check-prefix=DOUBLE
// DOUBLE: {{^}}1xc128=(9{{.*}}e+38,-3{{.*}}e+38){{$}}
func.func @main(%x: tensor<5xcomplex<f32>>, %y: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %0 = xla.multiply %x, %y : tensor<5xcomplex<f32>>
  return %0 : tensor<5xcomplex<f32>>
}
func.func @double(%x: tensor<1xcomplex<f64>>, %y: tensor<1xcomplex<f64>>) -> tensor<1xcomplex<f64>> {
  %0 = xla.multiply %x, %y : tensor<1xcomplex<f64>>
  return %0 : tensor<1xcomplex<f64>>
}
