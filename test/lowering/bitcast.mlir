// Bitcasts see layouts, padding, and bytes that elements do not fill.
// RUN: xla-run %s --entry=pad --device=all --input="2x3xs16=1 2 3 4 5 6" | FileCheck %s --check-prefix=PAD
// RUN: xla-run %s --entry=drop --device=all --input="4xf64=1 2 3 4" --output=none
// RUN: xla-run %s --entry=bytes --device=all --input="4xs4=-1 7 -8 0" | FileCheck %s --check-prefix=BYTES
// RUN: xla-run %s --entry=nibbles --device=all --input="2xu32=4042322160 252579084" | FileCheck %s --check-prefix=NIBBLES
// RUN: xla-run %s --entry=empty --device=all --input=0x2xf32= | FileCheck %s --check-prefix=EMPTY
// RUN: xla-run %s --entry=inside --device=all --input="3xu4=1 9 15" | FileCheck %s --check-prefix=INSIDE

!columns = tensor<2x3xi16, #xla.array<minor_to_major = [0, 1], padded_dimensions = [4, 3], padding_value = "highest">>

// PAD: 12xs16=1 4 32767 32767 2 5 32767 32767 3 6 32767 32767
func.func @pad(%x: !columns) -> tensor<12xi16> {
  %0 = xla.bitcast %x : (!columns) -> tensor<12xi16>
  return %0 : tensor<12xi16>
}

// Halves of numbers, of which some lie in padding, and bits of what is there.
func.func @drop(%x: tensor<4xf64>) -> (tensor<3x2xf32>, tensor<3x5xf6E2M3FN>) {
  %0 = xla.bitcast %x : (tensor<4xf64>) -> tensor<3x2xf32, #xla.array<minor_to_major = [1, 0], padded_dimensions = [4, 2]>>
  %1 = xla.bitcast %x : (tensor<4xf64>) -> tensor<3x5xf6E2M3FN, #xla.array<minor_to_major = [0, 1], padded_dimensions = [4, 8], padding_value = "one">>
  %2 = xla.reshape %0 : (tensor<3x2xf32, #xla.array<minor_to_major = [1, 0], padded_dimensions = [4, 2]>>) -> tensor<3x2xf32>
  %3 = xla.reshape %1 : (tensor<3x5xf6E2M3FN, #xla.array<minor_to_major = [0, 1], padded_dimensions = [4, 8], padding_value = "one">>) -> tensor<3x5xf6E2M3FN>
  return %2, %3 : tensor<3x2xf32>, tensor<3x5xf6E2M3FN>
}

// BYTES: 4xu8=255 7 248 0
// BYTES-NEXT: 4xu2=3 3 0 0
// BYTES-NEXT: s32=16254975
func.func @bytes(%x: tensor<4xi4>) -> (tensor<4xui8>, tensor<4xui2>, tensor<i32>) {
  %0 = xla.bitcast %x : (tensor<4xi4>) -> tensor<4xui8>
  %1 = xla.bitcast %x : (tensor<4xi4>) -> tensor<4xui2>
  %2 = xla.bitcast %x : (tensor<4xi4>) -> tensor<i32>
  return %0, %1, %2 : tensor<4xui8>, tensor<4xui2>, tensor<i32>
}

// Upper bits are dropped.
// NIBBLES: 8xu4=0 0 0 0 12 13 14 15
// NIBBLES-NEXT: 2x2x2xs4=0 0 0 0 -4 -3 -2 -1
func.func @nibbles(%x: tensor<2xui32>) -> (tensor<8xui4>, tensor<2x2x2xi4>) {
  %0 = xla.bitcast %x : (tensor<2xui32>) -> tensor<8xui4>
  %1 = xla.bitcast %x : (tensor<2xui32>) -> tensor<2x2x2xi4>
  return %0, %1 : tensor<8xui4>, tensor<2x2x2xi4>
}

// Without elements there is padding alone.
// EMPTY: 4xf32=1 1 1 1
func.func @empty(%x: tensor<0x2xf32, #xla.array<padded_dimensions = [2, 2], padding_value = "one">>) -> tensor<4xf32> {
  %0 = xla.bitcast %x : (tensor<0x2xf32, #xla.array<padded_dimensions = [2, 2], padding_value = "one">>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// INSIDE: 3xs4=1 -7 -1
func.func @inside(%x: tensor<3xui4>) -> tensor<3xi4> {
  %0 = xla.map(%x) ({
  ^bb0(%a: tensor<ui4>):
    %1 = xla.bitcast %a : (tensor<ui4>) -> tensor<i4>
    xla.return %1 : tensor<i4>
  }) {dimensions = [0]} : (tensor<3xui4>) -> tensor<3xi4>
  return %0 : tensor<3xi4>
}
