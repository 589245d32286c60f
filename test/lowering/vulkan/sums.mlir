// REQUIRES: vulkan
// Sums of many equal numbers, in segments: what is left of them begins anew,
// too, for added to the large sum of the others each number would be rounded.
// RUN: xla-run %s --entry=even --device=vulkan --input=600x600xf32=600 | FileCheck %s --check-prefix=EVEN
// RUN: xla-run %s --entry=even --device=vulkan --machine=gpu=1 --input=600x600xf32=600 | FileCheck %s --check-prefix=EVEN
// RUN: xla-run %s --entry=odd --device=vulkan --input=601x601xf32=601 | FileCheck %s --check-prefix=ODD
// RUN: xla-run %s --entry=odd --device=vulkan --machine=gpu=1 --input=601x601xf32=601 | FileCheck %s --check-prefix=ODD
// RUN: xla-opt %s --xla-attach-target=device=llvmpipe --xla-legalize=entry=even --xla-vulkan-pipeline=to=affine | FileCheck %s --check-prefix=SEGMENTS

// Segments of 30 rows.
// SEGMENTS: memref<20xf32
// EVEN: f32=216000000
func.func @even(%x: tensor<600x600xf32>) -> tensor<f32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<600x600xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// 217081801, rounded a few times.
// ODD: f32=2170818{{[0-9][0-9]$}}
func.func @odd(%x: tensor<601x601xf32>) -> tensor<f32> {
  %z = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<601x601xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
