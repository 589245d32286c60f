// Powers of infinite, zero and other special bases are the same on all devices, and XLA's.
// x^0 = 1^y = 1, for all x and y.
// RUN: xla-run %s --entry=power --device=all --input="4xc64=(inf,0) (nan,1) (0,0) (-inf,inf)" --input="4xc64=0 0 0 0" --expected-output="4xc64=1 1 1 1"
// RUN: xla-run %s --entry=power --device=all --input="4xc64=1 1 1 1" --input="4xc64=(inf,0) (nan,1) (0,inf) (2,-3)" --expected-output="4xc64=1 1 1 1"
// Real powers of inf and 0 are those of real numbers.
// RUN: xla-run %s --entry=power --device=all --input="4xc64=(inf,0) (inf,-0) (inf,0) (inf,0)" --input="4xc64=0.5 -0.5 inf (-inf,0)" --expected-output="4xc64=(inf,0) 0 (inf,0) 0"
// RUN: xla-run %s --entry=power --device=all --input="4xc64=0 0 (-0,0) 0" --input="4xc64=0.5 inf (2,3) -1" --expected-output="4xc64=0 0 0 (nan,nan)"
// Others are NaN.
// RUN: xla-run %s --entry=power --device=all --input="4xc64=(-inf,0) (0,inf) (inf,1) (inf,0)" --input="4xc64=-1 2 -2 (-1,1)" --expected-output="4xc64=(nan,nan) (nan,nan) (nan,nan) (nan,nan)"
// RUN: xla-run %s --entry=power --device=all --input="4xc64=2 (0.5,0) (0,2) (1,nan)" --input="4xc64=inf (-inf,0) (0,inf) 1" --expected-output="4xc64=(nan,nan) (nan,nan) (nan,nan) (nan,nan)"
// RUN: xla-run %s --entry=wide --device=all --input="4xc128=(inf,0) (-inf,0) (0,0) (inf,0)" --input="4xc128=2 -1 (-1,1) (0,1)" --expected-output="4xc128=(inf,0) (nan,nan) (nan,nan) (nan,nan)"
// RUN: xla-run %s --entry=root --device=all --input="4xc64=(inf,0) (-inf,0) 0 (nan,0)" --expected-output="4xc64=(inf,0) (nan,nan) 0 (nan,nan)"
func.func @power(%x: tensor<4xcomplex<f32>>, %y: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = xla.power %x, %y : tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
func.func @wide(%x: tensor<4xcomplex<f64>>, %y: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  %0 = xla.power %x, %y : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}
func.func @root(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = xla.cbrt %x : tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
