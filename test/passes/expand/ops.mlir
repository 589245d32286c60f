// Operations by name, those with formulas too. expand_test.c has their values.
// RUN: xla-opt %s --xla-expand="ops=logistic,clamp,sign,remainder,is_finite" | FileCheck %s
// RUN: xla-opt %s --xla-expand="ops=erf" | FileCheck %s --check-prefix=ERF
// RUN: not xla-opt %s --xla-expand="ops=clamp,log_plus_one" 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not xla-opt %s --xla-expand="ops=clamp,," 2>&1 | FileCheck %s --check-prefix=EMPTY
// ERROR: has option ops=clamp,log_plus_one, but 'log_plus_one' is no operation that can be written as others
// EMPTY: but '' is no operation

// CHECK-LABEL: @logistic(
// CHECK: %[[A:.*]] = xla.abs %arg0 : tensor<4xf32>
// CHECK: xla.exponential
// CHECK-NOT: xla.logistic
// CHECK: xla.divide
// CHECK: return
// ERF-LABEL: @logistic(
// ERF-NEXT: xla.logistic
func.func @logistic(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.logistic %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Computed in f32, rounded once.
// CHECK-LABEL: @bf16(
// CHECK-NEXT: xla.convert %arg0 : (tensor<4xbf16>) -> tensor<4xf32>
// CHECK: xla.divide {{.*}} : tensor<4xf32>
// CHECK-NEXT: xla.convert {{.*}} -> tensor<4xbf16>
func.func @bf16(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = xla.logistic %x : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// Scalar bounds are broadcast, all classes of elements are clamped.
// CHECK-LABEL: @clamp(
// CHECK: %[[L:.*]] = xla.broadcast_in_dim %arg0
// CHECK: %[[H:.*]] = xla.broadcast_in_dim %arg2
// CHECK: %[[A:.*]] = xla.maximum %[[L]], %arg1 : tensor<4xui8>
// CHECK: %[[B:.*]] = xla.minimum %[[A]], %[[H]] : tensor<4xui8>
// CHECK: return %[[B]]
func.func @clamp(%l: tensor<ui8>, %x: tensor<4xui8>, %h: tensor<ui8>) -> tensor<4xui8> {
  %0 = xla.clamp %l, %x, %h : (tensor<ui8>, tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}

// Remainders of floats and complex numbers have no formula.
// CHECK-LABEL: @stay(
// CHECK-NEXT: xla.remainder %arg0, %arg0 : tensor<4xf32>
// CHECK-NEXT: xla.sign %arg1 : tensor<4xcomplex<f32>>
// CHECK-NEXT: return
func.func @stay(%x: tensor<4xf32>, %z: tensor<4xcomplex<f32>>) -> (tensor<4xf32>, tensor<4xcomplex<f32>>) {
  %0 = xla.remainder %x, %x : tensor<4xf32>
  %1 = xla.sign %z : tensor<4xcomplex<f32>>
  return %0, %1 : tensor<4xf32>, tensor<4xcomplex<f32>>
}

// In computations and of constants too.
// CHECK-LABEL: @inside(
// CHECK: xla.constant dense<-1> : tensor<2xi32>
// CHECK: ^bb0(
// CHECK: xla.divide
// CHECK: xla.multiply
// CHECK: xla.subtract
func.func @inside(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<2xi32>) {
  %c = xla.constant dense<-7> : tensor<2xi32>
  %0 = xla.sign %c : tensor<2xi32>
  %1 = xla.map(%x, %x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = xla.remainder %a, %b : tensor<i32>
    xla.return %r : tensor<i32>
  }) {dimensions = array<i64: 0>} : tensor<4xi32>
  return %1, %0 : tensor<4xi32>, tensor<2xi32>
}

// ERF-LABEL: @erf(
// ERF-NOT: xla.erf
// ERF: return
func.func @erf(%x: tensor<f64>) -> tensor<f64> {
  %0 = xla.erf %x : tensor<f64>
  return %0 : tensor<f64>
}
