// bitcast_convert between types of one width is computed where its users are; by itself it is a view of memory.
// RUN: xla-opt %s --xla-legalize --xla-fuse | FileCheck %s
// RUN: xla-run %s --device=all --seed=1 --output=none

// CHECK: xla.fusion(
// CHECK: xla.bitcast_convert
// CHECK-NEXT: xla.dot_general
// CHECK: kind = "contraction"
// CHECK: xla.negate {{.*}} : tensor<64xbf16>
// CHECK-NEXT: xla.bitcast_convert
// CHECK: xla.negate {{.*}} : tensor<16xf64>
// CHECK-NEXT: xla.bitcast_convert {{.*}} -> tensor<16xi64>
// CHECK: xla.add {{.*}} : tensor<33xui8>
// CHECK: xla.bitcast_convert {{.*}} -> tensor<33xi8>
func.func @main(%x: tensor<40x30xf32>, %w: tensor<30x20xi32>, %h: tensor<64xbf16>, %d: tensor<16xf64>, %u: tensor<33xi8>) -> (tensor<40x30xi32>, tensor<40x30xi32>, tensor<40x20xf32>, tensor<64xi16>, tensor<16xi64>, tensor<33xi8>, tensor<30xi32>, tensor<30x40xf32>) {
  %b = xla.bitcast_convert %x : (tensor<40x30xf32>) -> tensor<40x30xi32>
  %c = xla.add %b, %b : tensor<40x30xi32>
  %m = xla.constant dense<1073741823> : tensor<30x20xi32>
  %wm = xla.and %w, %m : tensor<30x20xi32>
  %wf = xla.bitcast_convert %wm : (tensor<30x20xi32>) -> tensor<30x20xf32>
  %p = xla.dot %x, %wf : (tensor<40x30xf32>, tensor<30x20xf32>) -> tensor<40x20xf32>
  %one = xla.constant dense<1> : tensor<64xi16>
  %hn = xla.negate %h : tensor<64xbf16>
  %hi = xla.bitcast_convert %hn : (tensor<64xbf16>) -> tensor<64xi16>
  %hx = xla.add %hi, %one : tensor<64xi16>
  %dn = xla.negate %d : tensor<16xf64>
  %di = xla.bitcast_convert %dn : (tensor<16xf64>) -> tensor<16xi64>
  %uu = xla.bitcast_convert %u : (tensor<33xi8>) -> tensor<33xui8>
  %ud = xla.add %uu, %uu : tensor<33xui8>
  %us = xla.bitcast_convert %ud : (tensor<33xui8>) -> tensor<33xi8>
  %zero = xla.constant dense<0> : tensor<i32>
  %r = xla.reduce(%c, %zero) ({
  ^bb0(%q: tensor<i32>, %s: tensor<i32>):
    %t = xla.maximum %q, %s : tensor<i32>
    xla.return %t : tensor<i32>
  }) {dimensions = [0]} : (tensor<40x30xi32>, tensor<i32>) -> tensor<30xi32>
  %cm = xla.constant dense<1073741823> : tensor<40x30xi32>
  %cn = xla.and %c, %cm : tensor<40x30xi32>
  %wf2 = xla.bitcast_convert %cn : (tensor<40x30xi32>) -> tensor<40x30xf32>
  %t2 = xla.transpose %wf2 {permutation = [1, 0]} : (tensor<40x30xf32>) -> tensor<30x40xf32>
  return %b, %c, %p, %hx, %di, %us, %r, %t2 : tensor<40x30xi32>, tensor<40x30xi32>, tensor<40x20xf32>, tensor<64xi16>, tensor<16xi64>, tensor<33xi8>, tensor<30xi32>, tensor<30x40xf32>
}
