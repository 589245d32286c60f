// Special functions of CHLO, beside values from other libraries.
// RUN: xla-run %s --check | FileCheck %s
// RUN: xla-run %s --check --device=cpu | FileCheck %s
// CHECK: {{^}}12 passed, 0 failed{{$}}
// What the dialect has too keeps its type; formulas of 16 bits are computed with 32.
// RUN: xla-opt --allow-unregistered-dialect --xla-import-stablehlo %s | FileCheck %s --check-prefix=HALF
// HALF-LABEL: func.func @half
// HALF: xla.atan {{.*}} : tensor<3xf16>
// Of f32 some are computed in f32.
// HALF-LABEL: func.func @narrow
// HALF-NOT: f64
// HALF: return

func.func @sinh_cosh() {
  %x = xla.constant dense<[-5.0, 1.0e-5, 0.5, 20.0]> : tensor<4xf64>
  %0 = "chlo.sinh"(%x) : (tensor<4xf64>) -> tensor<4xf64>
  "check.expect_almost_eq_const"(%0) {value = dense<[-74.203210577788759, 1.0000000000166667e-05, 0.52109530549374736, 242582597.70489514]> : tensor<4xf64>} : (tensor<4xf64>) -> ()
  %1 = "chlo.cosh"(%x) : (tensor<4xf64>) -> tensor<4xf64>
  "check.expect_almost_eq_const"(%1) {value = dense<[74.209948524787844, 1.00000000005, 1.1276259652063807, 242582597.70489514]> : tensor<4xf64>} : (tensor<4xf64>) -> ()
  return
}
func.func @inverse() {
  %x = xla.constant dense<[-0.5, 1.0e-9, 0.7, 1.0]> : tensor<4xf64>
  %0 = "chlo.asin"(%x) : (tensor<4xf64>) -> tensor<4xf64>
  "check.expect_almost_eq_const"(%0) {value = dense<[-0.52359877559829893, 1.0e-9, 0.77539749661075308, 1.5707963267948966]> : tensor<4xf64>} : (tensor<4xf64>) -> ()
  %1 = "chlo.acos"(%x) : (tensor<4xf64>) -> tensor<4xf64>
  "check.expect_almost_eq_const"(%1) {value = dense<[2.0943951023931957, 1.5707963257948967, 0.79539883018414359, 0.0]> : tensor<4xf64>} : (tensor<4xf64>) -> ()
  %2 = "chlo.atan"(%x) : (tensor<4xf64>) -> tensor<4xf64>
  "check.expect_almost_eq_const"(%2) {value = dense<[-0.46364760900080609, 1.0e-9, 0.61072596438920856, 0.78539816339744828]> : tensor<4xf64>} : (tensor<4xf64>) -> ()
  %3 = "chlo.atanh"(%x) : (tensor<4xf64>) -> tensor<4xf64>
  "check.expect_almost_eq_const"(%3) {value = dense<[-0.54930614433405489, 1.0e-9, 0.86730052769405319, 0x7FF0000000000000]> : tensor<4xf64>} : (tensor<4xf64>) -> ()
  return
}
func.func @asinh() {
  %x = xla.constant dense<[-1.0e300, -3.0, -0.0, 1.0e-9]> : tensor<4xf64>
  %0 = "chlo.asinh"(%x) : (tensor<4xf64>) -> tensor<4xf64>
  "check.expect_almost_eq_const"(%0) {value = dense<[-691.46867507876857, -1.8184464592320668, -0.0, 1.0e-9]> : tensor<4xf64>} : (tensor<4xf64>) -> ()
  return
}
func.func @acosh() {
  %x = xla.constant dense<[0.5, -2.0, 1.0, 1.0000001, 1.0e300]> : tensor<5xf64>
  %0 = "chlo.acosh"(%x) : (tensor<5xf64>) -> tensor<5xf64>
  "check.expect_almost_eq_const"(%0) {value = dense<[0x7FF8000000000000, 0x7FF8000000000000, 0.0, 0.00044721359188240339, 691.46867507876857]> : tensor<5xf64>} : (tensor<5xf64>) -> ()
  return
}
func.func @lgamma() {
  %x = xla.constant dense<[-2.5, 0.001, 0.5, 1.0001, 10.0, 0.0, -3.0, 0xFF800000]> : tensor<8xf32>
  %0 = "chlo.lgamma"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  "check.expect_almost_eq_const"(%0) {value = dense<[-0.0562437165, 6.90717888, 0.572364943, -5.77229178e-05, 12.8018274, 0x7F800000, 0x7F800000, 0x7F800000]> : tensor<8xf32>} : (tensor<8xf32>) -> ()
  return
}
func.func @digamma() {
  %x = xla.constant dense<[-2.5, 0.2, 1.0, 10.0, 0.0, -1.0]> : tensor<6xf64>
  %0 = "chlo.digamma"(%x) : (tensor<6xf64>) -> tensor<6xf64>
  "check.expect_almost_eq_const"(%0) {value = dense<[1.1031566406452432, -5.2890398965921883, -0.57721566490153287, 2.2517525890667211, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<6xf64>} : (tensor<6xf64>) -> ()
  return
}
func.func @erf_inv() {
  %x = xla.constant dense<[-0.5, 0.0, 0.9, 0.9999, 1.0, -1.0, 1.5]> : tensor<7xf32>
  %0 = "chlo.erf_inv"(%x) : (tensor<7xf32>) -> tensor<7xf32>
  "check.expect_almost_eq_const"(%0) {value = dense<[-0.476936281, 0.0, 1.16308713, 2.75106382, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>} : (tensor<7xf32>) -> ()
  return
}
func.func @half() {
  %x = xla.constant dense<[-1.0, 0.5, 0x7C00]> : tensor<3xf16>
  %0 = "chlo.atan"(%x) : (tensor<3xf16>) -> tensor<3xf16>
  "check.expect_almost_eq_const"(%0) {value = dense<[-0.785398163, 0.463647609, 1.57079633]> : tensor<3xf16>} : (tensor<3xf16>) -> ()
  return
}
func.func @erf_and_tan() {
  %x = xla.constant dense<[-1.0, 0.5, 2.0]> : tensor<3xf32>
  %0 = "chlo.erf"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  "check.expect_almost_eq_const"(%0) {value = dense<[-0.842700793, 0.520499878, 0.995322265]> : tensor<3xf32>} : (tensor<3xf32>) -> ()
  %1 = "chlo.tan"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  "check.expect_almost_eq_const"(%1) {value = dense<[-1.55740772, 0.54630249, -2.18503986]> : tensor<3xf32>} : (tensor<3xf32>) -> ()
  return
}
func.func @square() {
  %x = xla.constant dense<[-3.0, 0.5, 2.0]> : tensor<3xf16>
  %0 = "chlo.square"(%x) : (tensor<3xf16>) -> tensor<3xf16>
  "check.expect_eq_const"(%0) {value = dense<[9.0, 0.25, 4.0]> : tensor<3xf16>} : (tensor<3xf16>) -> ()
  return
}
func.func @square_integer() {
  %x = xla.constant dense<[-3, 100, 16]> : tensor<3xi8>
  %0 = "chlo.square"(%x) : (tensor<3xi8>) -> tensor<3xi8>
  "check.expect_eq_const"(%0) {value = dense<[9, 16, 0]> : tensor<3xi8>} : (tensor<3xi8>) -> ()
  return
}
func.func @narrow() {
  %x = xla.constant dense<[-0.9999, -0.3, 1.0e-7, 0.75]> : tensor<4xf32>
  %y = xla.constant dense<[-2.5, 0.25, 1.5, 9.0]> : tensor<4xf32>
  %0 = "chlo.erf_inv"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  "check.expect_almost_eq_const"(%0) {value = dense<[-2.75103544, -0.272462726, 8.86226936e-8, 0.813419848]> : tensor<4xf32>} : (tensor<4xf32>) -> ()
  %1 = "chlo.erfc"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  "check.expect_almost_eq_const"(%1) {value = dense<[1.999593048, 0.723673610, 0.0338948535, 4.13703174e-37]> : tensor<4xf32>} : (tensor<4xf32>) -> ()
  %2 = "chlo.bessel_i1e"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  "check.expect_almost_eq_const"(%2) {value = dense<[-0.206584650, 0.0981126286, 0.219039387, 0.127224984]> : tensor<4xf32>} : (tensor<4xf32>) -> ()
  return
}
