// What computes an operand of a product from memory belongs to its kernel: on the CPU it is done in packing, on Vulkan where a thread
// loads elements. The same with an epilogue behind.
// RUN: xla-opt %s --xla-cpu-pipeline=to=prepared | FileCheck %s
// RUN: xla-opt %s --xla-cpu-pipeline=to=affine | FileCheck %s --check-prefix=CPU
// RUN: xla-opt %s --xla-attach-target="device=rdna2" --xla-vulkan-pipeline=to=affine | FileCheck %s --check-prefix=VULKAN
// RUN: xla-run %s --device=all --seed=3 --output=none
// RUN: xla-run %s --device=all --seed=4 --output=none --machine=gpu=1
// RUN: xla-run %s --device=cpu --seed=5 --output=none --cpu=x86-64
// RUN: xla-opt %s --xla-fuse="report device=gpu" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT

// CHECK-LABEL: func.func @main
// CHECK-COUNT-11: kind = "contraction"
// CHECK-NOT: kind =
// CHECK: return
// CPU-NOT: linalg.generic
// VULKAN-COUNT-11: gpu.module
// REPORT-COUNT-11: dot_general
// REPORT: {{[0-9]+}} operations in 11 kernels;
func.func @main(%a0: tensor<100x70xbf16>, %a1: tensor<70x50xi8>, %b0: tensor<37x65xf32>, %b1: tensor<65x44xi8>, %b2: tensor<44xf32>, %b3: tensor<44xf32>, %c0: tensor<33x40xf32>, %c1: tensor<52x40xi8>, %c2: tensor<40xf32>, %c3: tensor<52xf32>, %d0: tensor<3x21x34xf32>, %d1: tensor<34x3x45xf32>, %d2: tensor<3x21xf32>, %e0: tensor<1x129xf32>, %e1: tensor<129x70xi8>, %e2: tensor<70x129xi8>, %e9: tensor<70x1xf32>, %f0: tensor<6x5x48xf32>, %f1: tensor<6xf32>, %f2: tensor<60x30xf32>, %g0: tensor<2x4x17x24xf32>, %g1: tensor<2x24x32xf32>, %h0: tensor<3x20000xi8>, %h1: tensor<20000x5xf32>, %h2: tensor<3x5xf32>) -> (tensor<100x50xf32>, tensor<37x44xf32>, tensor<33x52xf32>, tensor<3x21x45xf32>, tensor<1x70xf32>, tensor<1x70xf32>, tensor<129x1xf32>, tensor<6x5x30xf32>, tensor<2x4x17x32xf32>, tensor<3x5xf32>, tensor<100x50xbf16>) {
  // Of another type.
  %a2 = xla.convert %a1 : (tensor<70x50xi8>) -> tensor<70x50xbf16>
  %a3 = xla.dot_general %a0, %a2 {lhs_batching_dimensions = array<i64>, rhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<100x70xbf16>, tensor<70x50xbf16>) -> tensor<100x50xf32>
  // With a factor for each column, and an epilogue.
  %b4 = xla.convert %b1 : (tensor<65x44xi8>) -> tensor<65x44xf32>
  %b5 = xla.broadcast_in_dim %b2 {broadcast_dimensions = array<i64: 1>} : (tensor<44xf32>) -> tensor<65x44xf32>
  %b6 = xla.multiply %b4, %b5 : tensor<65x44xf32>
  %b7 = xla.dot_general %b0, %b6 {lhs_batching_dimensions = array<i64>, rhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<37x65xf32>, tensor<65x44xf32>) -> tensor<37x44xf32>
  %b8 = xla.broadcast_in_dim %b3 {broadcast_dimensions = array<i64: 1>} : (tensor<44xf32>) -> tensor<37x44xf32>
  %b9 = xla.add %b7, %b8 : tensor<37x44xf32>
  // Transposed, with factors along both dimensions.
  %c4 = xla.convert %c1 : (tensor<52x40xi8>) -> tensor<52x40xf32>
  %c5 = xla.broadcast_in_dim %c2 {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<52x40xf32>
  %c6 = xla.broadcast_in_dim %c3 {broadcast_dimensions = array<i64: 0>} : (tensor<52xf32>) -> tensor<52x40xf32>
  %c7 = xla.multiply %c4, %c5 : tensor<52x40xf32>
  %c8 = xla.multiply %c7, %c6 : tensor<52x40xf32>
  %c9 = xla.dot_general %c0, %c8 {lhs_batching_dimensions = array<i64>, rhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<33x40xf32>, tensor<52x40xf32>) -> tensor<33x52xf32>
  // Both operands of a batch.
  %d3 = xla.broadcast_in_dim %d2 {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x21xf32>) -> tensor<3x21x34xf32>
  %d4 = xla.subtract %d0, %d3 : tensor<3x21x34xf32>
  %d5 = xla.multiply %d1, %d1 : tensor<34x3x45xf32>
  %d6 = xla.dot_general %d4, %d5 {lhs_batching_dimensions = array<i64: 0>, rhs_batching_dimensions = array<i64: 1>, lhs_contracting_dimensions = array<i64: 2>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<3x21x34xf32>, tensor<34x3x45xf32>) -> tensor<3x21x45xf32>
  // Vectors, also computed ones.
  %e3 = xla.negate %e0 : tensor<1x129xf32>
  %e4 = xla.convert %e1 : (tensor<129x70xi8>) -> tensor<129x70xf32>
  %e5 = xla.convert %e2 : (tensor<70x129xi8>) -> tensor<70x129xf32>
  %e6 = xla.dot_general %e3, %e4 {lhs_batching_dimensions = array<i64>, rhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<1x129xf32>, tensor<129x70xf32>) -> tensor<1x70xf32>
  %e7 = xla.abs %e0 : tensor<1x129xf32>
  %e8 = xla.dot_general %e7, %e5 {lhs_batching_dimensions = array<i64>, rhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 1>} : (tensor<1x129xf32>, tensor<70x129xf32>) -> tensor<1x70xf32>
  %ea = xla.abs %e9 : tensor<70x1xf32>
  %eb = xla.convert %e1 : (tensor<129x70xi8>) -> tensor<129x70xf32>
  %ec = xla.negate %eb : tensor<129x70xf32>
  %ed = xla.dot_general %ec, %ea {lhs_batching_dimensions = array<i64>, rhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<129x70xf32>, tensor<70x1xf32>) -> tensor<129x1xf32>
  // Rows of which a factor has one of two dimensions; a part of an array.
  %f3 = xla.broadcast_in_dim %f1 {broadcast_dimensions = array<i64: 0>} : (tensor<6xf32>) -> tensor<6x5x48xf32>
  %f4 = xla.multiply %f0, %f3 : tensor<6x5x48xf32>
  %f5 = xla.slice %f2 {limit_indices = array<i64: 50, 30>, start_indices = array<i64: 2, 0>, strides = array<i64: 1, 1>} : (tensor<60x30xf32>) -> tensor<48x30xf32>
  %f6 = xla.dot_general %f4, %f5 {lhs_batching_dimensions = array<i64>, rhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 2>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<6x5x48xf32>, tensor<48x30xf32>) -> tensor<6x5x30xf32>
  // One for several of a batch.
  %g2 = xla.broadcast_in_dim %g1 {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x24x32xf32>) -> tensor<2x4x24x32xf32>
  %g3 = xla.dot_general %g0, %g2 {lhs_batching_dimensions = array<i64: 0, 1>, rhs_batching_dimensions = array<i64: 0, 1>, lhs_contracting_dimensions = array<i64: 3>, rhs_contracting_dimensions = array<i64: 2>} : (tensor<2x4x17x24xf32>, tensor<2x4x24x32xf32>) -> tensor<2x4x17x32xf32>
  // Few sums of many terms.
  %h3 = xla.convert %h0 : (tensor<3x20000xi8>) -> tensor<3x20000xf32>
  %h4 = xla.dot_general %h3, %h1 {lhs_batching_dimensions = array<i64>, rhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<3x20000xf32>, tensor<20000x5xf32>) -> tensor<3x5xf32>
  %h5 = xla.add %h4, %h2 : tensor<3x5xf32>
  // One conversion for two products.
  %i0 = xla.dot_general %a0, %a2 {lhs_batching_dimensions = array<i64>, rhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<100x70xbf16>, tensor<70x50xbf16>) -> tensor<100x50xbf16>
  return %a3, %b9, %c9, %d6, %e6, %e8, %ed, %f6, %g3, %h5, %i0 : tensor<100x50xf32>, tensor<37x44xf32>, tensor<33x52xf32>, tensor<3x21x45xf32>, tensor<1x70xf32>, tensor<1x70xf32>, tensor<129x1xf32>, tensor<6x5x30xf32>, tensor<2x4x17x32xf32>, tensor<3x5xf32>, tensor<100x50xbf16>
}
