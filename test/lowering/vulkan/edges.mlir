// Where a part of what concatenates and pads give is narrow, threads choose what they read: it would be a dispatch of its own. Halves are
// one each.
// REQUIRES: vulkan
// RUN: xla-run %s --entry=edges --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=edges --device=vulkan --seed=1 --output=none --stats 2>&1 | FileCheck %s --check-prefix=EDGES
// RUN: xla-run %s --entry=halves --device=all --seed=1 --output=none
// RUN: xla-run %s --entry=halves --device=vulkan --seed=1 --output=none --stats 2>&1 | FileCheck %s --check-prefix=HALVES

// EDGES: vulkan: dispatches {{ *}}1{{ *$}}
func.func @edges(%x: tensor<60x80xf32>, %zero: tensor<f32>) -> tensor<60x80xf32> {
  %first = xla.slice %x {start_indices = [0, 0], limit_indices = [1, 80], strides = [1, 1]} : (tensor<60x80xf32>) -> tensor<1x80xf32>
  %all = xla.concatenate %first, %x {dimension = 0} : (tensor<1x80xf32>, tensor<60x80xf32>) -> tensor<61x80xf32>
  %above = xla.slice %all {start_indices = [0, 0], limit_indices = [60, 80], strides = [1, 1]} : (tensor<61x80xf32>) -> tensor<60x80xf32>
  %padded = xla.pad %x, %zero {edge_padding_low = [0, 2], edge_padding_high = [0, 0], interior_padding = [0, 0]} : (tensor<60x80xf32>, tensor<f32>) -> tensor<60x82xf32>
  %before = xla.slice %padded {start_indices = [0, 0], limit_indices = [60, 80], strides = [1, 1]} : (tensor<60x82xf32>) -> tensor<60x80xf32>
  %sum = xla.add %above, %before : tensor<60x80xf32>
  return %sum : tensor<60x80xf32>
}

// HALVES: vulkan: dispatches {{ *}}2{{ *$}}
func.func @halves(%x: tensor<200x160xf32>, %y: tensor<200x160xf32>) -> tensor<400x160xf32> {
  %a = xla.exponential %x : tensor<200x160xf32>
  %b = xla.tanh %y : tensor<200x160xf32>
  %all = xla.concatenate %a, %b {dimension = 0} : (tensor<200x160xf32>, tensor<200x160xf32>) -> tensor<400x160xf32>
  return %all : tensor<400x160xf32>
}
