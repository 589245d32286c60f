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
// Squares, cubes and inverses of finite numbers are exact where products and quotients are.
// RUN: xla-run %s --entry=power --device=all --input="4xc64=-1 (0,1) (2,3) -1.5" --input="4xc64=2 2 2 2" --expected-output="4xc64=1 (-1,0) (-5,12) 2.25" --rtol=0
// RUN: xla-run %s --entry=power --device=all --input="4xc64=-1 (0,1) (2,3) (1,1)" --input="4xc64=3 3 3 -1" --expected-output="4xc64=-1 (0,-1) (-46,9) (0.5,-0.5)" --rtol=0
// RUN: xla-run %s --entry=wide --device=all --input="4xc128=-1 (0,2) -1 (2,3)" --input="4xc128=2 -1 -1 3" --expected-output="4xc128=1 (0,-0.5) -1 (-46,9)" --rtol=0
// RUN: xla-run %s --entry=square --device=all --input="4xc64=-1 (0,1) (2,3) (1e30,1e30)" --expected-output="4xc64=1 (-1,0) (-5,12) (nan,inf)" --rtol=0
// RUN: xla-run %s --entry=power --device=all --input="4xc64=1e30 (0,1e30) -1e30 1e-40" --input="4xc64=2 2 3 -1" --expected-output="4xc64=(inf,0) (-inf,0) (-inf,nan) (inf,0)"
// RUN: xla-run %s --entry=wide --device=all --input="4xc128=1e300 (0,1e300) -1e300 1" --input="4xc128=2 2 3 3" --expected-output="4xc128=(inf,0) (-inf,0) (-inf,nan) 1"
// Of other powers that overflow no part is 0.
// RUN: xla-run %s --entry=power --device=all --input="4xc64=1e30 100 1e20 1e10" --input="4xc64=4 100 2.5 1" --expected-output="4xc64=(inf,nan) (inf,nan) (inf,nan) 1e10"
// RUN: xla-run %s --device=interpreter --entry=inverse --input="6xc64=(2,0) (-2,0) (2,-0) (-2,-0) (0,2) (-0,2)" | FileCheck %s --check-prefix=ZEROS
// RUN: xla-run %s --device=interpreter --entry=divide --input="6xc64=(2,0) (-2,0) (2,-0) (-2,-0) (0,2) (-0,2)" | FileCheck %s --check-prefix=ZEROS
// RUN: xla-run %s --device=cpu --entry=inverse --input="6xc64=(2,0) (-2,0) (2,-0) (-2,-0) (0,2) (-0,2)" | FileCheck %s --check-prefix=ZEROS
// RUN: xla-run %s --device=cpu --entry=divide --input="6xc64=(2,0) (-2,0) (2,-0) (-2,-0) (0,2) (-0,2)" | FileCheck %s --check-prefix=ZEROS
// RUN: xla-run %s --device=vulkan --entry=inverse --input="6xc64=(2,0) (-2,0) (2,-0) (-2,-0) (0,2) (-0,2)" | FileCheck %s --check-prefix=ZEROS
// RUN: xla-run %s --device=vulkan --entry=divide --input="6xc64=(2,0) (-2,0) (2,-0) (-2,-0) (0,2) (-0,2)" | FileCheck %s --check-prefix=ZEROS
func.func @square(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = xla.constant dense<(2.0, 0.0)> : tensor<complex<f32>>
  %1 = xla.power %x, %0 : (tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
  return %1 : tensor<4xcomplex<f32>>
}
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

// Zeros of quotients have the signs that XLA gives them.
// ZEROS: 6xc64=(0.5,0) (-0.5,-0) (0.5,0) (-0.5,-0) (0,-0.5) (0,-0.5)
func.func @inverse(%x: tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>> {
  %c = xla.constant dense<(-1.0,0.0)> : tensor<6xcomplex<f32>>
  %0 = xla.power %x, %c : tensor<6xcomplex<f32>>
  return %0 : tensor<6xcomplex<f32>>
}
func.func @divide(%x: tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>> {
  %c = xla.constant dense<(1.0,0.0)> : tensor<6xcomplex<f32>>
  %0 = xla.divide %c, %x : tensor<6xcomplex<f32>>
  return %0 : tensor<6xcomplex<f32>>
}
