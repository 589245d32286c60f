// RUN: xla-opt %s --xla-simplify-algebra | FileCheck %s

// convert(x) = x
// CHECK-LABEL: @convert_same(
// CHECK-NEXT: return %arg0 :
func.func @convert_same(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.convert %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @convert_same_not(
// CHECK-NEXT: %[[A:.*]] = xla.convert %arg0 : (tensor<4xf32>) -> tensor<4xf64>
// CHECK-NEXT: return %[[A]] :
func.func @convert_same_not(%x: tensor<4xf32>) -> tensor<4xf64> {
  %0 = xla.convert %x : (tensor<4xf32>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// convert(convert(x)) = convert(x) if widened(x)
// CHECK-LABEL: @convert_widened(
// CHECK-NEXT: %[[A:.*]] = xla.convert %arg0 : (tensor<4xf16>) -> tensor<4xf64>
// CHECK-NEXT: return %[[A]] :
func.func @convert_widened(%x: tensor<4xf16>) -> tensor<4xf64> {
  %0 = xla.convert %x : (tensor<4xf16>) -> tensor<4xf32>
  %1 = xla.convert %0 : (tensor<4xf32>) -> tensor<4xf64>
  return %1 : tensor<4xf64>
}

// CHECK-LABEL: @convert_widened_2(
// CHECK-NEXT: %[[A:.*]] = xla.convert %arg0 : (tensor<4xi8>) -> tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @convert_widened_2(%x: tensor<4xi8>) -> tensor<4xi32> {
  %0 = xla.convert %x : (tensor<4xi8>) -> tensor<4xf32>
  %1 = xla.convert %0 : (tensor<4xf32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @convert_widened_not(
// CHECK-NEXT: %[[A:.*]] = xla.convert %arg0 : (tensor<4xf32>) -> tensor<4xf16>
// CHECK-NEXT: %[[B:.*]] = xla.convert %[[A]] : (tensor<4xf16>) -> tensor<4xf32>
// CHECK-NEXT: return %[[B]] :
func.func @convert_widened_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.convert %x : (tensor<4xf32>) -> tensor<4xf16>
  %1 = xla.convert %0 : (tensor<4xf16>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @convert_widened_not_2(
// CHECK-NEXT: %[[A:.*]] = xla.convert %arg0 : (tensor<4xi8>) -> tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.convert %[[A]] : (tensor<4xf32>) -> tensor<4xui8>
// CHECK-NEXT: return %[[B]] :
func.func @convert_widened_not_2(%x: tensor<4xi8>) -> tensor<4xui8> {
  %0 = xla.convert %x : (tensor<4xi8>) -> tensor<4xf32>
  %1 = xla.convert %0 : (tensor<4xf32>) -> tensor<4xui8>
  return %1 : tensor<4xui8>
}

// CHECK-LABEL: @convert_widened_not_3(
// CHECK-NEXT: %[[A:.*]] = xla.convert %arg0 : (tensor<4xi8>) -> tensor<4xui32>
// CHECK-NEXT: %[[B:.*]] = xla.convert %[[A]] : (tensor<4xui32>) -> tensor<4xi64>
// CHECK-NEXT: return %[[B]] :
func.func @convert_widened_not_3(%x: tensor<4xi8>) -> tensor<4xi64> {
  %0 = xla.convert %x : (tensor<4xi8>) -> tensor<4xui32>
  %1 = xla.convert %0 : (tensor<4xui32>) -> tensor<4xi64>
  return %1 : tensor<4xi64>
}

// CHECK-LABEL: @convert_widened_not_4(
// CHECK-NEXT: %[[A:.*]] = xla.convert %arg0 : (tensor<4xi32>) -> tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = xla.convert %[[A]] : (tensor<4xf32>) -> tensor<4xf64>
// CHECK-NEXT: return %[[B]] :
func.func @convert_widened_not_4(%x: tensor<4xi32>) -> tensor<4xf64> {
  %0 = xla.convert %x : (tensor<4xi32>) -> tensor<4xf32>
  %1 = xla.convert %0 : (tensor<4xf32>) -> tensor<4xf64>
  return %1 : tensor<4xf64>
}

// convert(convert(x)) = convert(x) if narrowed(x)
// CHECK-LABEL: @convert_narrowed(
// CHECK-NEXT: %[[A:.*]] = xla.convert %arg0 : (tensor<4xi32>) -> tensor<4xi8>
// CHECK-NEXT: return %[[A]] :
func.func @convert_narrowed(%x: tensor<4xi32>) -> tensor<4xi8> {
  %0 = xla.convert %x : (tensor<4xi32>) -> tensor<4xi16>
  %1 = xla.convert %0 : (tensor<4xi16>) -> tensor<4xi8>
  return %1 : tensor<4xi8>
}

// CHECK-LABEL: @convert_narrowed_not(
// CHECK-NEXT: %[[A:.*]] = xla.convert %arg0 : (tensor<4xi32>) -> tensor<4xi16>
// CHECK-NEXT: %[[B:.*]] = xla.convert %[[A]] : (tensor<4xi16>) -> tensor<4xi32>
// CHECK-NEXT: return %[[B]] :
func.func @convert_narrowed_not(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.convert %x : (tensor<4xi32>) -> tensor<4xi16>
  %1 = xla.convert %0 : (tensor<4xi16>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: @convert_narrowed_not_2(
// CHECK-NEXT: %[[A:.*]] = xla.convert %arg0 : (tensor<4xf32>) -> tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.convert %[[A]] : (tensor<4xi32>) -> tensor<4xi16>
// CHECK-NEXT: return %[[B]] :
func.func @convert_narrowed_not_2(%x: tensor<4xf32>) -> tensor<4xi16> {
  %0 = xla.convert %x : (tensor<4xf32>) -> tensor<4xi32>
  %1 = xla.convert %0 : (tensor<4xi32>) -> tensor<4xi16>
  return %1 : tensor<4xi16>
}

// bitcast_convert(x) = x
// CHECK-LABEL: @bitcast_same(
// CHECK-NEXT: return %arg0 :
func.func @bitcast_same(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.bitcast_convert %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @bitcast_same_not(
// CHECK-NEXT: %[[A:.*]] = xla.bitcast_convert %arg0 : (tensor<4xf32>) -> tensor<4xi32>
// CHECK-NEXT: return %[[A]] :
func.func @bitcast_same_not(%x: tensor<4xf32>) -> tensor<4xi32> {
  %0 = xla.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// bitcast_convert(bitcast_convert(x)) = bitcast_convert(x)
// CHECK-LABEL: @bitcast_twice(
// CHECK-NEXT: return %arg0 :
func.func @bitcast_twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xi32>
  %1 = xla.bitcast_convert %0 : (tensor<4xi32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @bitcast_twice_not(
// CHECK-NEXT: %[[A:.*]] = xla.bitcast_convert %arg0 : (tensor<4xf32>) -> tensor<4xi32>
// CHECK-NEXT: %[[B:.*]] = xla.negate %[[A]] : tensor<4xi32>
// CHECK-NEXT: %[[C:.*]] = xla.bitcast_convert %[[B]] : (tensor<4xi32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[C]] :
func.func @bitcast_twice_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xi32>
  %1 = xla.negate %0 : tensor<4xi32>
  %2 = xla.bitcast_convert %1 : (tensor<4xi32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// reduce_precision(x) = x if precise(x)
// CHECK-LABEL: @reduce_precision_all(
// CHECK-NEXT: return %arg0 :
func.func @reduce_precision_all(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.reduce_precision %x {exponent_bits = 8 : i64, mantissa_bits = 23 : i64} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @reduce_precision_all_not(
// CHECK-NEXT: %[[A:.*]] = xla.reduce_precision %arg0 {exponent_bits = 5 : i64, mantissa_bits = 10 : i64} : tensor<4xf32>
// CHECK-NEXT: return %[[A]] :
func.func @reduce_precision_all_not(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.reduce_precision %x {exponent_bits = 5 : i64, mantissa_bits = 10 : i64} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
