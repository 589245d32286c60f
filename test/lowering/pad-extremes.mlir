// Paddings whose sums leave 64 bits, as kernels of their own and in programs.
// RUN: xla-opt %s --convert-xla-to-linalg | FileCheck %s --check-prefix=LINALG
// RUN: xla-run %s --device=all --input="3xs8=5 6 8" --input="1xs8=5" --input="s8=7" | FileCheck %s --check-prefix=VALUES

// No element of the first is left, and the only one of the second.
// LINALG-LABEL: @pad_0
// LINALG-COUNT-1: linalg.generic
// LINALG-NOT: linalg.generic
// LINALG-LABEL: @pad_1
// LINALG: ins(%arg1 : memref<i8>) outs(%reinterpret_cast : memref<i8, strided<[], offset: 1>>)
// VALUES: 2xs8=7 7
// VALUES: 2xs8=5 7
func.func @main(%x: tensor<3xi8>, %o: tensor<1xi8>, %z: tensor<i8>) -> (tensor<2xi8>, tensor<2xi8>) {
  %0 = xla.pad %x, %z {edge_padding_low = array<i64: -9223372036854775808>, edge_padding_high = array<i64: 9223372036854775807>, interior_padding = array<i64: 0>} : (tensor<3xi8>, tensor<i8>) -> tensor<2xi8>
  %1 = xla.pad %o, %z {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 9223372036854775807>} : (tensor<1xi8>, tensor<i8>) -> tensor<2xi8>
  return %0, %1 : tensor<2xi8>, tensor<2xi8>
}
