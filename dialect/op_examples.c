//===- op_examples.c - How operations are written -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/op_examples.h"

// clang-format off
static const char *const examples[XlaOpKindCount] = {
  [XlaOpKindAbs] =
    "// Operations of one operand are written like abs.\n"
    "func.func @unary(%x: tensor<4xf32>, %z: tensor<4xcomplex<f32>>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {\n"
    "  %0 = xla.abs %x : tensor<4xf32>\n"
    "  // Where the result has another type than the operand, both are named.\n"
    "  %1 = xla.abs %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>\n"
    "  %2 = xla.is_finite %x : (tensor<4xf32>) -> tensor<4xi1>\n"
    "  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xi1>\n"
    "}\n",
  [XlaOpKindAdd] =
    "// Operations of two operands are written like add.\n"
    "func.func @binary(%x: tensor<2x3xf32>, %row: tensor<3xf32>, %column: tensor<2x1xf32>, %s: tensor<f32>) -> tensor<2x3xf32> {\n"
    "  %0 = xla.add %x, %x : tensor<2x3xf32>\n"
    "  // Scalars go with everything; dimensions of size 1 are repeated.\n"
    "  %1 = xla.multiply %0, %s : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>\n"
    "  %2 = xla.subtract %1, %column : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>\n"
    "  // Of operands of other ranks, dimension i of the smaller one is broadcast_dimensions[i] of the larger one.\n"
    "  %3 = xla.maximum %2, %row {broadcast_dimensions = [1]} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>\n"
    "  return %3 : tensor<2x3xf32>\n"
    "}\n",
  [XlaOpKindComplex] =
    "func.func @complex(%re: tensor<4xf32>, %im: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %0 = xla.complex %re, %im : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>\n"
    "  %1 = xla.multiply %0, %0 : tensor<4xcomplex<f32>>\n"
    "  %2 = xla.imag %1 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>\n"
    "  return %2 : tensor<4xf32>\n"
    "}\n",
  [XlaOpKindCompare] =
    "func.func @compare(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %less = xla.compare %x, %y {comparison_direction = \"LT\"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>\n"
    "  %0 = xla.select %less, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
    "  return %0 : tensor<4xf32>\n"
    "}\n",
  [XlaOpKindClamp] =
    "func.func @clamp(%low: tensor<f32>, %x: tensor<4xf32>, %high: tensor<f32>) -> tensor<4xf32> {\n"
    "  %0 = xla.clamp %low, %x, %high : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>\n"
    "  return %0 : tensor<4xf32>\n"
    "}\n",
  [XlaOpKindConvert] =
    "func.func @convert(%x: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>) {\n"
    "  %0 = xla.convert %x : (tensor<4xf32>) -> tensor<4xi32>\n"
    "  %1 = xla.reduce_precision %x {exponent_bits = 5, mantissa_bits = 10} : tensor<4xf32>\n"
    "  return %0, %1 : tensor<4xi32>, tensor<4xf32>\n"
    "}\n",
  [XlaOpKindConstant] =
    "func.func @constant() -> (tensor<2x2xf32>, tensor<2x2xf32>) {\n"
    "  %0 = xla.constant dense<[[1.0, -2.5], [0x7FC00000, 0.0]]> : tensor<2x2xf32>\n"
    "  %1 = xla.constant dense<1.0> : tensor<2x2xf32>\n"
    "  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>\n"
    "}\n",
  [XlaOpKindIota] =
    "func.func @iota() -> tensor<2x3xi32> {\n"
    "  // [[0, 1, 2], [0, 1, 2]]\n"
    "  %0 = xla.iota {iota_dimension = 1} : () -> tensor<2x3xi32>\n"
    "  return %0 : tensor<2x3xi32>\n"
    "}\n",
  [XlaOpKindBitcastConvert] =
    "func.func @bitcast_convert(%x: tensor<3xf32>) -> tensor<3x4xui8> {\n"
    "  %0 = xla.bitcast_convert %x : (tensor<3xf32>) -> tensor<3x4xui8>\n"
    "  return %0 : tensor<3x4xui8>\n"
    "}\n",
  [XlaOpKindBroadcastInDim] =
    "func.func @broadcast_in_dim(%x: tensor<3xf32>) -> tensor<2x3xf32> {\n"
    "  %0 = xla.broadcast_in_dim %x {broadcast_dimensions = [1]} : (tensor<3xf32>) -> tensor<2x3xf32>\n"
    "  return %0 : tensor<2x3xf32>\n"
    "}\n",
  [XlaOpKindConcatenate] =
    "func.func @concatenate(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x4xf32> {\n"
    "  %0 = xla.concatenate %x, %y {dimension = 1} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>\n"
    "  return %0 : tensor<2x4xf32>\n"
    "}\n",
  [XlaOpKindPad] =
    "func.func @pad(%x: tensor<3xf32>, %padding: tensor<f32>) -> tensor<8xf32> {\n"
    "  // padding, x[0], padding, x[1], padding, x[2], padding, padding\n"
    "  %0 = xla.pad %x, %padding {edge_padding_low = [1], edge_padding_high = [2], interior_padding = [1]}\n"
    "      : (tensor<3xf32>, tensor<f32>) -> tensor<8xf32>\n"
    "  return %0 : tensor<8xf32>\n"
    "}\n",
  [XlaOpKindReshape] =
    "func.func @reshape(%x: tensor<2x6xf32>) -> tensor<3x4xf32> {\n"
    "  %0 = xla.reshape %x : (tensor<2x6xf32>) -> tensor<3x4xf32>\n"
    "  return %0 : tensor<3x4xf32>\n"
    "}\n",
  [XlaOpKindReverse] =
    "func.func @reverse(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
    "  %0 = xla.reverse %x {dimensions = [1]} : tensor<2x3xf32>\n"
    "  return %0 : tensor<2x3xf32>\n"
    "}\n",
  [XlaOpKindRoll] =
    "func.func @roll(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {\n"
    "  // each row moved by two: x[3], x[4], x[0], x[1], x[2]\n"
    "  %0 = xla.roll %x {shifts = [2], dimensions = [1]} : tensor<2x5xf32>\n"
    "  return %0 : tensor<2x5xf32>\n"
    "}\n",
  [XlaOpKindSlice] =
    "func.func @slice(%x: tensor<4x6xf32>) -> tensor<2x3xf32> {\n"
    "  // Rows 1 and 2, columns 0, 2 and 4.\n"
    "  %0 = xla.slice %x {start_indices = [1, 0], limit_indices = [3, 6], strides = [1, 2]} : (tensor<4x6xf32>) -> tensor<2x3xf32>\n"
    "  return %0 : tensor<2x3xf32>\n"
    "}\n",
  [XlaOpKindTopK] =
    "func.func @top_k(%x: tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {\n"
    "  %values, %positions = xla.top_k %x {k = 3} : (tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)\n"
    "  return %values, %positions : tensor<2x3xf32>, tensor<2x3xi32>\n"
    "}\n",
  [XlaOpKindTranspose] =
    "func.func @transpose(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {\n"
    "  %0 = xla.transpose %x {permutation = [2, 0, 1]} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>\n"
    "  return %0 : tensor<4x2x3xf32>\n"
    "}\n",
  [XlaOpKindBitcast] =
    "func.func @bitcast(%x: tensor<2x3xf32>) -> (tensor<3x2xi32>, tensor<3x2xf32, #xla.array<minor_to_major = [0, 1]>>) {\n"
    "  %0 = xla.bitcast %x : (tensor<2x3xf32>) -> tensor<3x2xi32>\n"
    "  // Its elements lie in memory as those of x do, so it is the transpose.\n"
    "  %1 = xla.bitcast %x : (tensor<2x3xf32>) -> tensor<3x2xf32, #xla.array<minor_to_major = [0, 1]>>\n"
    "  return %0, %1 : tensor<3x2xi32>, tensor<3x2xf32, #xla.array<minor_to_major = [0, 1]>>\n"
    "}\n",
  [XlaOpKindBroadcast] =
    "func.func @broadcast(%x: tensor<3xf32>) -> tensor<2x3xf32> {\n"
    "  %0 = xla.broadcast %x {broadcast_sizes = [2]} : (tensor<3xf32>) -> tensor<2x3xf32>\n"
    "  return %0 : tensor<2x3xf32>\n"
    "}\n",
  [XlaOpKindCollapse] =
    "func.func @collapse(%x: tensor<4x2x3xf32>) -> tensor<4x6xf32> {\n"
    "  %0 = xla.collapse %x {dimensions = [1, 2]} : (tensor<4x2x3xf32>) -> tensor<4x6xf32>\n"
    "  return %0 : tensor<4x6xf32>\n"
    "}\n",
  [XlaOpKindDynamicSlice] =
    "func.func @dynamic_slice(%x: tensor<4x6xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<2x3xf32> {\n"
    "  %0 = xla.dynamic_slice %x, %i, %j {slice_sizes = [2, 3]} : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>\n"
    "  return %0 : tensor<2x3xf32>\n"
    "}\n",
  [XlaOpKindDynamicUpdateSlice] =
    "func.func @dynamic_update_slice(%x: tensor<4x6xf32>, %update: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<4x6xf32> {\n"
    "  %0 = xla.dynamic_update_slice %x, %update, %i, %j : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>\n"
    "  return %0 : tensor<4x6xf32>\n"
    "}\n",
  [XlaOpKindGetDimensionSize] =
    "func.func @get_dimension_size(%x: tensor<?x6xf32, #xla.array<bounds = [4, ?]>>) -> (tensor<i32>, tensor<i32>) {\n"
    "  %0 = xla.get_dimension_size %x {dimension = 0} : (tensor<?x6xf32, #xla.array<bounds = [4, ?]>>) -> tensor<i32>\n"
    "  %1 = xla.get_dimension_size %x {dimension = 1} : (tensor<?x6xf32, #xla.array<bounds = [4, ?]>>) -> tensor<i32>\n"
    "  return %0, %1 : tensor<i32>, tensor<i32>\n"
    "}\n",
  [XlaOpKindSetDimensionSize] =
    "// The sum of the first elements.\n"
    "func.func @set_dimension_size(%x: tensor<10xf32>) -> tensor<f32> {\n"
    "  %size = xla.constant dense<5> : tensor<i32>\n"
    "  %zero = xla.constant dense<0.0> : tensor<f32>\n"
    "  %0 = xla.set_dimension_size %x, %size {dimension = 0} : (tensor<10xf32>, tensor<i32>) -> tensor<?xf32, #xla.array<bounds = [10]>>\n"
    "  %1 = xla.reduce(%0, %zero) ({\n"
    "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
    "    %sum = xla.add %a, %b : tensor<f32>\n"
    "    xla.return %sum : tensor<f32>\n"
    "  }) {dimensions = [0]} : (tensor<?xf32, #xla.array<bounds = [10]>>, tensor<f32>) -> tensor<f32>\n"
    "  return %1 : tensor<f32>\n"
    "}\n",
  [XlaOpKindGather] =
    "// Rows of x: index i is start_indices[i], a row is a slice of sizes [1, 3] whose first dimension is left out.\n"
    "func.func @gather(%x: tensor<4x3xf32>, %rows: tensor<5xi32>) -> tensor<5x3xf32> {\n"
    "  // index_vector_dim is the rank of start_indices: each of them is an index of one coordinate.\n"
    "  %0 = xla.gather %x, %rows {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3]}\n"
    "      : (tensor<4x3xf32>, tensor<5xi32>) -> tensor<5x3xf32>\n"
    "  return %0 : tensor<5x3xf32>\n"
    "}\n"
    "\n"
    "// Five slices of 8 x 6 elements at places (row, column).\n"
    "func.func @gather_slices(%x: tensor<16x11xf32>, %places: tensor<5x2xi32>) -> tensor<5x8x6xf32> {\n"
    "  %0 = xla.gather %x, %places {offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1, slice_sizes = [8, 6]}\n"
    "      : (tensor<16x11xf32>, tensor<5x2xi32>) -> tensor<5x8x6xf32>\n"
    "  return %0 : tensor<5x8x6xf32>\n"
    "}\n",
  [XlaOpKindScatter] =
    "// Adds updates to elements of x: inputs first, then the indices, then as many updates. The region takes what is there, then the update.\n"
    "func.func @scatter(%x: tensor<8xf32>, %places: tensor<5xi32>, %updates: tensor<5xf32>) -> tensor<8xf32> {\n"
    "  %0 = xla.scatter(%x, %places, %updates) ({\n"
    "  ^bb0(%old: tensor<f32>, %update: tensor<f32>):\n"
    "    %sum = xla.add %old, %update : tensor<f32>\n"
    "    xla.return %sum : tensor<f32>\n"
    "  }) {inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1}\n"
    "      : (tensor<8xf32>, tensor<5xi32>, tensor<5xf32>) -> tensor<8xf32>\n"
    "  return %0 : tensor<8xf32>\n"
    "}\n",
  [XlaOpKindSort] =
    "// Sorts the rows of x, largest first, and moves the elements of places with them.\n"
    "func.func @sort(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xi32>) {\n"
    "  %places = xla.iota {iota_dimension = 1} : () -> tensor<2x4xi32>\n"
    "  %0:2 = xla.sort(%x, %places) ({\n"
    "  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):\n"
    "    %before = xla.compare %a, %b {comparison_direction = \"GT\"} : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
    "    xla.return %before : tensor<i1>\n"
    "  }) {dimension = 1} : (tensor<2x4xf32>, tensor<2x4xi32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)\n"
    "  return %0#0, %0#1 : tensor<2x4xf32>, tensor<2x4xi32>\n"
    "}\n"
    "\n"
    "// Without a comparator: smallest first, along the last dimension, NaN after everything (and -NaN before).\n"
    "func.func @sort_ascending(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {\n"
    "  %0 = xla.sort %x : tensor<2x4xf32>\n"
    "  return %0 : tensor<2x4xf32>\n"
    "}\n",
  [XlaOpKindDot] =
    "func.func @dot(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> tensor<2x4xf32> {\n"
    "  %0 = xla.dot %x, %y : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>\n"
    "  return %0 : tensor<2x4xf32>\n"
    "}\n",
  [XlaOpKindDotGeneral] =
    "// A product of matrices, x transposed, for each of 5; the result has the batch dimensions, those left of x, those left of y.\n"
    "func.func @dot_general(%x: tensor<5x3x2xf32>, %y: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {\n"
    "  %0 = xla.dot_general %x, %y {lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],\n"
    "      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]}\n"
    "      : (tensor<5x3x2xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>\n"
    "  return %0 : tensor<5x2x4xf32>\n"
    "}\n",
  [XlaOpKindConvolution] =
    "func.func @convolution(%images: tensor<2x3x8x8xf32>, %kernel: tensor<5x3x3x3xf32>) -> tensor<2x5x4x4xf32> {\n"
    "  // Batch, features, then spatial dimensions; of the kernel, output features, input features, then spatial dimensions.\n"
    "  %0 = xla.convolution %images, %kernel {window_strides = [2, 2], padding = [1, 1, 1, 1]}\n"
    "      : (tensor<2x3x8x8xf32>, tensor<5x3x3x3xf32>) -> tensor<2x5x4x4xf32>\n"
    "  return %0 : tensor<2x5x4x4xf32>\n"
    "}\n"
    "func.func @convolution_of_channels(%images: tensor<2x6x6x3xf32>, %kernel: tensor<2x2x1x6xf32>) -> tensor<2x5x5x6xf32> {\n"
    "  // Other orders are stated.\n"
    "  %0 = xla.convolution %images, %kernel {\n"
    "      input_batch_dimension = 0, input_spatial_dimensions = [1, 2], input_feature_dimension = 3,\n"
    "      kernel_spatial_dimensions = [0, 1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,\n"
    "      output_batch_dimension = 0, output_spatial_dimensions = [1, 2], output_feature_dimension = 3,\n"
    "      feature_group_count = 3} : (tensor<2x6x6x3xf32>, tensor<2x2x1x6xf32>) -> tensor<2x5x5x6xf32>\n"
    "  return %0 : tensor<2x5x5x6xf32>\n"
    "}\n",
  [XlaOpKindReduceWindow] =
    "// The sums of two neighbours, every second one; padding is [low, high] for each dimension, one after the other.\n"
    "func.func @reduce_window(%x: tensor<5xf32>) -> tensor<3xf32> {\n"
    "  %zero = xla.constant dense<0.0> : tensor<f32>\n"
    "  %0 = xla.reduce_window(%x, %zero) ({\n"
    "  ^bb0(%sum: tensor<f32>, %element: tensor<f32>):\n"
    "    %1 = xla.add %sum, %element : tensor<f32>\n"
    "    xla.return %1 : tensor<f32>\n"
    "  }) {window_dimensions = [2], window_strides = [2], padding = [0, 1]} : (tensor<5xf32>, tensor<f32>) -> tensor<3xf32>\n"
    "  return %0 : tensor<3xf32>\n"
    "}\n",
  [XlaOpKindSelectAndScatter] =
    "// The gradient of a pooling: of each pair the larger element gets what comes back for the pair.\n"
    "func.func @select_and_scatter(%x: tensor<6xf32>, %back: tensor<3xf32>) -> tensor<6xf32> {\n"
    "  %zero = xla.constant dense<0.0> : tensor<f32>\n"
    "  %0 = xla.select_and_scatter(%x, %back, %zero) ({\n"
    "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
    "    %first = xla.compare %a, %b {comparison_direction = \"GE\"} : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
    "    xla.return %first : tensor<i1>\n"
    "  }, {\n"
    "  ^bb0(%sum: tensor<f32>, %element: tensor<f32>):\n"
    "    %1 = xla.add %sum, %element : tensor<f32>\n"
    "    xla.return %1 : tensor<f32>\n"
    "  }) {window_dimensions = [2], window_strides = [2]} : (tensor<6xf32>, tensor<3xf32>, tensor<f32>) -> tensor<6xf32>\n"
    "  return %0 : tensor<6xf32>\n"
    "}\n",
  [XlaOpKindBatchNormTraining] =
    "func.func @batch_norm_training(%x: tensor<8x3x5xf32>, %scale: tensor<3xf32>, %offset: tensor<3xf32>) -> (tensor<8x3x5xf32>, tensor<3xf32>, tensor<3xf32>) {\n"
    "  %0, %mean, %variance = xla.batch_norm_training %x, %scale, %offset {epsilon = 1.0e-3 : f32, feature_index = 1}\n"
    "      : (tensor<8x3x5xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<8x3x5xf32>, tensor<3xf32>, tensor<3xf32>)\n"
    "  return %0, %mean, %variance : tensor<8x3x5xf32>, tensor<3xf32>, tensor<3xf32>\n"
    "}\n",
  [XlaOpKindBatchNormInference] =
    "func.func @batch_norm_inference(%x: tensor<8x3xf32>, %scale: tensor<3xf32>, %offset: tensor<3xf32>, %mean: tensor<3xf32>) -> tensor<8x3xf32> {\n"
    "  %variance = xla.constant dense<[1.0, 4.0, 0.25]> : tensor<3xf32>\n"
    "  %0 = xla.batch_norm_inference %x, %scale, %offset, %mean, %variance {epsilon = 0.0 : f32, feature_index = 1}\n"
    "      : (tensor<8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<8x3xf32>\n"
    "  return %0 : tensor<8x3xf32>\n"
    "}\n",
  [XlaOpKindBatchNormGrad] =
    "func.func @batch_norm_grad(%x: tensor<8x3xf32>, %scale: tensor<3xf32>, %mean: tensor<3xf32>, %back: tensor<8x3xf32>) -> tensor<8x3xf32> {\n"
    "  %variance = xla.constant dense<[1.0, 4.0, 0.25]> : tensor<3xf32>\n"
    "  %0, %grad_scale, %grad_offset = xla.batch_norm_grad %x, %scale, %mean, %variance, %back {epsilon = 0.0 : f32, feature_index = 1}\n"
    "      : (tensor<8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<8x3xf32>) -> (tensor<8x3xf32>, tensor<3xf32>, tensor<3xf32>)\n"
    "  return %0 : tensor<8x3xf32>\n"
    "}\n",
  [XlaOpKindReduce] =
    "// Sums of rows.\n"
    "func.func @reduce(%x: tensor<2x3xf32>) -> tensor<2xf32> {\n"
    "  %zero = xla.constant dense<0.0> : tensor<f32>\n"
    "  %0 = xla.reduce(%x, %zero) ({\n"
    "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
    "    %sum = xla.add %a, %b : tensor<f32>\n"
    "    xla.return %sum : tensor<f32>\n"
    "  }) {dimensions = [1]} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\n"
    "  return %0 : tensor<2xf32>\n"
    "}\n"
    "\n"
    "// The largest element and its position: arrays first, then as many init values; the region takes what has been combined so far first.\n"
    "func.func @reduce_two(%x: tensor<6xf32>) -> (tensor<f32>, tensor<i32>) {\n"
    "  %places = xla.iota {iota_dimension = 0} : () -> tensor<6xi32>\n"
    "  %least = xla.constant dense<0xFF800000> : tensor<f32>\n"
    "  %nowhere = xla.constant dense<-1> : tensor<i32>\n"
    "  %0:2 = xla.reduce(%x, %places, %least, %nowhere) ({\n"
    "  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):\n"
    "    %larger = xla.compare %a, %b {comparison_direction = \"GE\"} : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
    "    %value = xla.select %larger, %a, %b : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>\n"
    "    %place = xla.select %larger, %i, %j : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>\n"
    "    xla.return %value, %place : tensor<f32>, tensor<i32>\n"
    "  }) {dimensions = [0]} : (tensor<6xf32>, tensor<6xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)\n"
    "  return %0#0, %0#1 : tensor<f32>, tensor<i32>\n"
    "}\n",
  [XlaOpKindMap] =
    "func.func @map(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
    "  %0 = xla.map(%x, %y) ({\n"
    "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
    "    %product = xla.multiply %a, %b : tensor<f32>\n"
    "    xla.return %product : tensor<f32>\n"
    "  }) {dimensions = [0, 1]} : tensor<2x3xf32>\n"
    "  return %0 : tensor<2x3xf32>\n"
    "}\n",
  [XlaOpKindCholesky] =
    "func.func @cholesky(%a: tensor<3x3xf32>) -> tensor<3x3xf32> {\n"
    "  // The other triangle is not read, and 0 in the result. All is NaN for a matrix that is not positive definite.\n"
    "  %0 = xla.cholesky %a {lower = true} : tensor<3x3xf32>\n"
    "  return %0 : tensor<3x3xf32>\n"
    "}\n",
  [XlaOpKindFft] =
    "func.func @fft(%x: tensor<5x16xf32>) -> tensor<5x16xf32> {\n"
    "  // 16 real numbers have 9 complex ones; the others are their conjugates.\n"
    "  %0 = xla.fft %x {fft_type = \"RFFT\", fft_length = [16]} : (tensor<5x16xf32>) -> tensor<5x9xcomplex<f32>>\n"
    "  %1 = xla.fft %0 {fft_type = \"IRFFT\", fft_length = [16]} : (tensor<5x9xcomplex<f32>>) -> tensor<5x16xf32>\n"
    "  return %1 : tensor<5x16xf32>\n"
    "}\n",
  [XlaOpKindTriangularSolve] =
    "// a^T * x = b for two right sides, a upper triangular with ones on the diagonal, which is not read.\n"
    "func.func @triangular_solve(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) -> tensor<3x2xf32> {\n"
    "  %0 = xla.triangular_solve %a, %b {left_side = true, lower = false, unit_diagonal = true, transpose_a = \"TRANSPOSE\"}\n"
    "      : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>\n"
    "  return %0 : tensor<3x2xf32>\n"
    "}\n",
  [XlaOpKindRngUniform] =
    "func.func @rng_uniform() -> (tensor<5xf32>, tensor<2x3xi32>) {\n"
    "  // The seed is the attribute xla.seed of the module, which xla-run --seed sets; else 0.\n"
    "  %a = xla.constant dense<-1.0> : tensor<f32>\n"
    "  %b = xla.constant dense<1.0> : tensor<f32>\n"
    "  %0 = xla.rng_uniform %a, %b : (tensor<f32>, tensor<f32>) -> tensor<5xf32>\n"
    "  %zero = xla.constant dense<0> : tensor<i32>\n"
    "  %ten = xla.constant dense<10> : tensor<i32>\n"
    "  %1 = xla.rng_uniform %zero, %ten : (tensor<i32>, tensor<i32>) -> tensor<2x3xi32>\n"
    "  return %0, %1 : tensor<5xf32>, tensor<2x3xi32>\n"
    "}\n",
  [XlaOpKindRngNormal] =
    "func.func @rng_normal(%mu: tensor<f32>, %sigma: tensor<f32>) -> tensor<2x3xf32> {\n"
    "  %0 = xla.rng_normal %mu, %sigma : (tensor<f32>, tensor<f32>) -> tensor<2x3xf32>\n"
    "  return %0 : tensor<2x3xf32>\n"
    "}\n",
  [XlaOpKindRngBitGenerator] =
    "func.func @rng_bit_generator(%state: tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>) {\n"
    "  %next, %bits = xla.rng_bit_generator %state {rng_algorithm = \"PHILOX\"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)\n"
    "  return %next, %bits : tensor<2xui64>, tensor<2x3xui32>\n"
    "}\n",
  [XlaOpKindWhile] =
    "// Doubles x ten times.\n"
    "func.func @while(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %zero = xla.constant dense<0> : tensor<i32>\n"
    "  %one = xla.constant dense<1> : tensor<i32>\n"
    "  %n = xla.constant dense<10> : tensor<i32>\n"
    "  %0:2 = xla.while(%zero, %x) ({\n"
    "  ^bb0(%i: tensor<i32>, %y: tensor<4xf32>):\n"
    "    %more = xla.compare %i, %n {comparison_direction = \"LT\"} : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    xla.return %more : tensor<i1>\n"
    "  }, {\n"
    "  ^bb0(%i: tensor<i32>, %y: tensor<4xf32>):\n"
    "    %next = xla.add %i, %one : tensor<i32>\n"
    "    %double = xla.add %y, %y : tensor<4xf32>\n"
    "    xla.return %next, %double : tensor<i32>, tensor<4xf32>\n"
    "  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)\n"
    "  return %0#1 : tensor<4xf32>\n"
    "}\n",
  [XlaOpKindIf] =
    "func.func @if(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %0 = xla.if(%p) ({\n"
    "    %1 = xla.negate %x : tensor<4xf32>\n"
    "    xla.return %1 : tensor<4xf32>\n"
    "  }, {\n"
    "    xla.return %x : tensor<4xf32>\n"
    "  }) : (tensor<i1>) -> tensor<4xf32>\n"
    "  return %0 : tensor<4xf32>\n"
    "}\n",
  [XlaOpKindCase] =
    "func.func @case(%index: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {\n"
    "  %0 = xla.case(%index) ({\n"
    "    xla.return %x : tensor<f32>\n"
    "  }, {\n"
    "    %1 = xla.sine %x : tensor<f32>\n"
    "    xla.return %1 : tensor<f32>\n"
    "  }, {\n"
    "    %1 = xla.cosine %x : tensor<f32>\n"
    "    xla.return %1 : tensor<f32>\n"
    "  }) : (tensor<i32>) -> tensor<f32>\n"
    "  return %0 : tensor<f32>\n"
    "}\n",
  [XlaOpKindConditional] =
    "// As if (or case, with an s32), but each branch gets an operand, as its argument.\n"
    "func.func @conditional(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<2xf32>) -> tensor<f32> {\n"
    "  %0 = xla.conditional(%p, %x, %y) ({\n"
    "  ^bb0(%a: tensor<f32>):\n"
    "    xla.return %a : tensor<f32>\n"
    "  }, {\n"
    "  ^bb0(%a: tensor<2xf32>):\n"
    "    %first = xla.slice %a {start_indices = [0], limit_indices = [1]} : (tensor<2xf32>) -> tensor<1xf32>\n"
    "    %1 = xla.reshape %first : (tensor<1xf32>) -> tensor<f32>\n"
    "    xla.return %1 : tensor<f32>\n"
    "  }) : (tensor<i1>, tensor<f32>, tensor<2xf32>) -> tensor<f32>\n"
    "  return %0 : tensor<f32>\n"
    "}\n",
  [XlaOpKindCall] =
    "func.func private @square(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %0 = xla.multiply %x, %x : tensor<4xf32>\n"
    "  return %0 : tensor<4xf32>\n"
    "}\n"
    "func.func @call(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %0 = xla.call @square(%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
    "  // MLIR's own call does the same.\n"
    "  %1 = func.call @square(%0) : (tensor<4xf32>) -> tensor<4xf32>\n"
    "  return %1 : tensor<4xf32>\n"
    "}\n",
  [XlaOpKindCustomCall] =
    "// Calls that start with check. compare two arrays when xla-run runs the program, and fail it where they differ.\n"
    "func.func @custom_call() {\n"
    "  %got = xla.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
    "  %want = xla.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
    "  // The same values; NaN equals NaN, 0 equals -0.\n"
    "  xla.custom_call %got, %want {call_target_name = \"check.expect_eq\"} : (tensor<2xf32>, tensor<2xf32>) -> ()\n"
    "  // Within a tolerance, relative and absolute; without, the element type's: 1e-4 for f32.\n"
    "  xla.custom_call %got, %want {call_target_name = \"check.expect_almost_eq\", backend_config = {tolerance = 1.0e-3}} : (tensor<2xf32>, tensor<2xf32>) -> ()\n"
    "  // At most so many floats apart.\n"
    "  xla.custom_call %got, %want {call_target_name = \"check.expect_close\", backend_config = {max_ulp_difference = 2}} : (tensor<2xf32>, tensor<2xf32>) -> ()\n"
    "  return\n"
    "}\n",
  [XlaOpKindTuple] =
    "func.func @tuple(%x: tensor<4xf32>, %i: tensor<i32>) -> (tuple<tensor<4xf32>, tensor<i32>>, tensor<i32>) {\n"
    "  %0 = xla.tuple %x, %i : (tensor<4xf32>, tensor<i32>) -> tuple<tensor<4xf32>, tensor<i32>>\n"
    "  %1 = xla.get_tuple_element %0 {index = 1} : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>\n"
    "  return %0, %1 : tuple<tensor<4xf32>, tensor<i32>>, tensor<i32>\n"
    "}\n",
  [XlaOpKindAfterAll] =
    "// Tokens are values of programs, and no values of runs: they only say what comes after what.\n"
    "func.func @after_all(%a: !xla.token, %b: !xla.token) -> !xla.token {\n"
    "  %0 = xla.after_all %a, %b : (!xla.token, !xla.token) -> !xla.token\n"
    "  %1 = xla.after_all %0 : !xla.token\n"
    "  return %1 : !xla.token\n"
    "}\n",
  [XlaOpKindCreateToken] =
    "func.func @create_token(%p: tensor<i1>, %a: !xla.token) -> !xla.token {\n"
    "  %0 = xla.create_token : () -> !xla.token\n"
    "  %1 = xla.select %p, %a, %0 : (tensor<i1>, !xla.token, !xla.token) -> !xla.token\n"
    "  return %1 : !xla.token\n"
    "}\n",
  [XlaOpKindOptimizationBarrier] =
    "func.func @optimization_barrier(%x: tensor<4xf32>, %y: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {\n"
    "  %0:2 = xla.optimization_barrier %x, %y : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)\n"
    "  return %0#0, %0#1 : tensor<4xf32>, tensor<f32>\n"
    "}\n",
  [XlaOpKindAllGather] =
    "// Run with --replicas=2.\n"
    "func.func @all_gather(%x: tensor<2xf32>) -> tensor<4xf32> {\n"
    "  // Replicas with [1.0, 2.5] and [3.0, 5.25] both get [1.0, 2.5, 3.0, 5.25].\n"
    "  %0 = xla.all_gather %x {all_gather_dim = 0, shard_count = 2} : (tensor<2xf32>) -> tensor<4xf32>\n"
    "  return %0 : tensor<4xf32>\n"
    "}\n",
  [XlaOpKindAllReduce] =
    "// Run with --replicas=4.\n"
    "func.func @all_reduce(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
    "  // Replicas 0 and 2 add their operands up, and so do 1 and 3. Without groups, all do.\n"
    "  %0 = xla.all_reduce(%x) ({\n"
    "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
    "    %sum = xla.add %a, %b : tensor<f32>\n"
    "    xla.return %sum : tensor<f32>\n"
    "  }) {replica_groups = [[0, 2], [1, 3]]} : tensor<2xf32>\n"
    "  return %0 : tensor<2xf32>\n"
    "}\n",
  [XlaOpKindAllToAll] =
    "// Run with --replicas=4.\n"
    "func.func @all_to_all(%x: tensor<4x16xf32>) -> tensor<16x4xf32> {\n"
    "  %0 = xla.all_to_all %x {split_dimension = 1, concat_dimension = 0, split_count = 4} : (tensor<4x16xf32>) -> tensor<16x4xf32>\n"
    "  return %0 : tensor<16x4xf32>\n"
    "}\n",
  [XlaOpKindCollectiveBroadcast] =
    "// Run with --replicas=3.\n"
    "func.func @collective_broadcast(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
    "  // Replica 0 gets what replica 2 has; replica 1, which is in no group, zeros.\n"
    "  %0 = xla.collective_broadcast %x {replica_groups = [[2, 0]]} : tensor<2xf32>\n"
    "  return %0 : tensor<2xf32>\n"
    "}\n",
  [XlaOpKindCollectivePermute] =
    "// Run with --replicas=3.\n"
    "func.func @collective_permute(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
    "  // Replica 1 gets what 0 has, 2 what 1 has; 0 gets zeros.\n"
    "  %0 = xla.collective_permute %x {source_target_pairs = [[0, 1], [1, 2]]} : tensor<2xf32>\n"
    "  return %0 : tensor<2xf32>\n"
    "}\n",
  [XlaOpKindCrossReplicaSum] =
    "// Run with --replicas=2.\n"
    "func.func @cross_replica_sum(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
    "  %0 = xla.cross_replica_sum %x : tensor<2xf32>\n"
    "  return %0 : tensor<2xf32>\n"
    "}\n",
  [XlaOpKindPartitionId] =
    "// Run with --replicas=1 --partitions=2.\n"
    "func.func @partition_id() -> tensor<ui32> {\n"
    "  %0 = xla.partition_id : () -> tensor<ui32>\n"
    "  return %0 : tensor<ui32>\n"
    "}\n",
  [XlaOpKindReduceScatter] =
    "// Run with --replicas=2.\n"
    "func.func @reduce_scatter(%x: tensor<2xf32>) -> tensor<1xf32> {\n"
    "  // Replicas with [1.0, 2.25] and [3.0, 5.25] get [4.0] and [7.5].\n"
    "  %0 = xla.reduce_scatter(%x) ({\n"
    "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
    "    %sum = xla.add %a, %b : tensor<f32>\n"
    "    xla.return %sum : tensor<f32>\n"
    "  }) {scatter_dimension = 0, shard_count = 2} : (tensor<2xf32>) -> tensor<1xf32>\n"
    "  return %0 : tensor<1xf32>\n"
    "}\n",
  [XlaOpKindReplicaId] =
    "// Run with --replicas=2.\n"
    "func.func @replica_id() -> tensor<ui32> {\n"
    "  %0 = xla.replica_id : () -> tensor<ui32>\n"
    "  return %0 : tensor<ui32>\n"
    "}\n",
  [XlaOpKindInfeed] =
    "// Run with --infeed=2xf32=1 --infeed=s32=3 --infeed=f32=2.\n"
    "func.func @infeed() -> (tuple<tensor<2xf32>, tensor<i32>>, tensor<f32>) {\n"
    "  // One after the other, as the operations stand in the program.\n"
    "  %0 = xla.infeed : () -> tuple<tensor<2xf32>, tensor<i32>>\n"
    "  %token = xla.create_token : () -> !xla.token\n"
    "  %1:2 = xla.infeed %token : (!xla.token) -> (tensor<f32>, !xla.token)\n"
    "  return %0, %1#0 : tuple<tensor<2xf32>, tensor<i32>>, tensor<f32>\n"
    "}\n",
  [XlaOpKindOutfeed] =
    "func.func @outfeed(%x: tensor<2xf32>, %t: tuple<tensor<f32>, tensor<i32>>) {\n"
    "  xla.outfeed %x : (tensor<2xf32>) -> ()\n"
    "  %token = xla.create_token : () -> !xla.token\n"
    "  %0 = xla.outfeed %t, %token : (tuple<tensor<f32>, tensor<i32>>, !xla.token) -> !xla.token\n"
    "  return\n"
    "}\n",
  [XlaOpKindRecv] =
    "// Mostly another program sends, which runs at the same time: xla-run A.mlir --with=B.mlir. send waits for recv.\n"
    "func.func @send_and_recv(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
    "  %recv = xla.recv {channel_id = 1} : () -> tuple<tensor<2xf32>, tensor<ui32>>\n"
    "  %send = xla.send %x {channel_id = 1} : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<ui32>>\n"
    "  xla.send_done %send : (tuple<tensor<2xf32>, tensor<ui32>>) -> ()\n"
    "  %0 = xla.recv_done %recv : (tuple<tensor<2xf32>, tensor<ui32>>) -> tensor<2xf32>\n"
    "  return %0 : tensor<2xf32>\n"
    "}\n",
  [XlaOpKindFusion] =
    "// Programs need not contain fusions: --xla-fuse makes them. Their regions use nothing from outside.\n"
    "func.func @fusion(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %0 = xla.fusion(%x, %y) ({\n"
    "  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):\n"
    "    %sum = xla.add %a, %b : tensor<4xf32>\n"
    "    %1 = xla.tanh %sum : tensor<4xf32>\n"
    "    xla.return %1 : tensor<4xf32>\n"
    "  }) {kind = \"loop\"} : tensor<4xf32>\n"
    "  return %0 : tensor<4xf32>\n"
    "}\n",
};
// clang-format on

const char *xlaOpGetExample(XlaOpKind kind) { return examples[kind]; }
