// Nests of the families of operations, as they are for a processor with AVX2 and two threads.
// RUN: xla-opt %s --split-input-file --xla-cpu-pipeline=to=affine | FileCheck %s
// What is printed goes on from there to the same code.
// RUN: xla-opt %s --split-input-file --xla-cpu-pipeline > %t
// RUN: xla-opt %s --split-input-file --xla-cpu-pipeline=to=affine | xla-opt --split-input-file --xla-affine-to-llvm | diff %t -

// What is joined are two copies; 100 columns are three vectors of 32 and one of 4.
// CHECK-LABEL: func.func private @kernel_0(
// CHECK-SAME: memref<64x100xf32>, %{{.*}}: memref<64x28xf32>
// CHECK: affine.for %[[I:.*]] = 0 to 64 {
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 96 step 32 {
// CHECK-NEXT: affine.vector_load %{{.*}}[%[[I]] * 100 + %[[J]]] : memref<6400xf32>, vector<32xf32>
// CHECK-NEXT: affine.vector_store %{{.*}}[%[[I]] * 128 + %[[J]]] : memref<8192xf32>, vector<32xf32>
// CHECK: affine.vector_load %{{.*}}[%[[I]] * 100 + 96] : memref<6400xf32>, vector<4xf32>
// CHECK: affine.for %[[I:.*]] = 0 to 64 {
// CHECK-NEXT: affine.vector_load %{{.*}}[%[[I]] * 28] : memref<1792xf32>, vector<28xf32>
// CHECK-NEXT: affine.vector_store %{{.*}}[%[[I]] * 128 + 100] : memref<8192xf32>, vector<28xf32>
func.func @concatenate(%x: tensor<64x100xf32>, %y: tensor<64x28xf32>) -> tensor<64x128xf32> {
  %0 = xla.concatenate %x, %y {dimension = 1} : (tensor<64x100xf32>, tensor<64x28xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

// Padding goes around the array: rows above and below, columns before and behind; then the array is copied.
// CHECK-LABEL: func.func private @kernel_0(
// CHECK-SAME: memref<30x100xf32>
// CHECK: affine.vector_store %{{.*}}[%{{.*}}] : memref<3328xf32>, vector<32xf32>
// CHECK: affine.vector_store %{{.*}}[%{{.*}} + 3224] : memref<3328xf32>, vector<32xf32>
// CHECK: affine.vector_store %{{.*}}[%{{.*}} * 104 + 104] : memref<3328xf32>, vector<2xf32>
// CHECK: affine.vector_store %{{.*}}[%{{.*}} * 104 + 206] : memref<3328xf32>, vector<2xf32>
// CHECK: affine.vector_load %{{.*}}[%[[I:.*]] * 100 + %[[J:.*]]] : memref<3000xf32>, vector<32xf32>
// CHECK: affine.vector_store %{{.*}}[%[[I]] * 104 + %[[J]] + 106] : memref<3328xf32>, vector<32xf32>
func.func @pad(%x: tensor<30x100xf32>, %p: tensor<f32>) -> tensor<32x104xf32> {
  %0 = xla.pad %x, %p {edge_padding_low = [1, 2], edge_padding_high = [1, 2], interior_padding = [0, 0]} : (tensor<30x100xf32>, tensor<f32>) -> tensor<32x104xf32>
  return %0 : tensor<32x104xf32>
}

// -----

// A transpose: tiles on two threads, in them blocks of 8 by 8 that are transposed in registers.
// CHECK-LABEL: func.func private @kernel_0(
// CHECK: affine.parallel (%[[T:.*]]) = (0) to (2) {
// CHECK: affine.for %[[U0:.*]] = #{{.*}}(%[[T]]) to {{.*}} step 64 {
// CHECK: affine.for %[[V0:.*]] = 0 to 512 step 64 {
// CHECK: affine.for %[[U:.*]] = 0 to 64 step 8 {
// CHECK: affine.for %[[V:.*]] = 0 to 64 step 8 {
// CHECK-COUNT-8: affine.vector_load {{.*}} vector<8xf32>
// CHECK-COUNT-24: vector.shuffle
// CHECK-COUNT-8: affine.vector_store {{.*}} vector<8xf32>
func.func @transpose(%x: tensor<512x1024xf32>) -> tensor<1024x512xf32> {
  %0 = xla.transpose %x {permutation = [1, 0]} : (tensor<512x1024xf32>) -> tensor<1024x512xf32>
  return %0 : tensor<1024x512xf32>
}

// -----

// Where data says what is read, it is no affine access: of the rows that indices name, kept inside of the array. Along a row lanes lie side by side.
// CHECK-LABEL: func.func private @kernel_0(
// CHECK-SAME: %[[X:[^:]*]]: memref<5000x256xf32>
// CHECK: affine.for %[[I:.*]] =
// CHECK: affine.load %{{.*}}[%[[I]]] : memref<64xi32>
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: %[[ROW:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK: affine.for %[[J:.*]] = 0 to 256 step 16
// CHECK: %[[V:.*]] = vector.load %[[X]][%[[ROW]], %[[J]]] : memref<5000x256xf32>, vector<16xf32>
// CHECK: affine.vector_store %[[V]], %{{.*}}[%[[I]] * 256 + %[[J]]]
func.func @gather(%x: tensor<5000x256xf32>, %i: tensor<64x1xi32>) -> tensor<64x256xf32> {
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 256]} : (tensor<5000x256xf32>, tensor<64x1xi32>) -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}

// -----

// A window is read at each of its places; lanes that lie two apart are shuffled out of whole vectors.
// CHECK-LABEL: func.func private @kernel_0(
// CHECK: affine.for %[[I:.*]] = 0 to 32 {
// CHECK: affine.for %[[J:.*]] = 0 to 64 step 32 {
// CHECK: affine.vector_load %{{.*}}[%[[I]] * 256 + %[[J]] * 2] : memref<8192xf32>, vector<32xf32>
// CHECK: vector.shuffle
// CHECK: affine.vector_load %{{.*}}[%[[I]] * 256 + %[[J]] * 2 + 128] : memref<8192xf32>, vector<32xf32>
// CHECK-COUNT-4: arith.maximumf {{.*}} vector<32xf32>
// CHECK-NEXT: affine.vector_store
func.func @pool(%x: tensor<64x128xf32>, %z: tensor<f32>) -> tensor<32x64xf32> {
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.maximum %a, %b : tensor<f32>
    xla.return %m : tensor<f32>
  }) {window_dimensions = [2, 2], window_strides = [2, 2]} : (tensor<64x128xf32>, tensor<f32>) -> tensor<32x64xf32>
  return %0 : tensor<32x64xf32>
}

// -----

// Layer norm: of each row the sum, the sum of squares of the differences from the mean, and the quotients.
// CHECK-LABEL: func.func private @kernel_0(
// CHECK: affine.parallel
// CHECK: affine.for %[[I:.*]] =
// CHECK: affine.for {{.*}} iter_args({{.*}}) -> (vector<{{[0-9]+}}xf32>) {
// CHECK: vector.reduction <add>
// CHECK: affine.for {{.*}} iter_args({{.*}}) -> (vector<{{[0-9]+}}xf32>) {
// CHECK: arith.mulf
// CHECK: vector.reduction <add>
// CHECK: math.rsqrt
// CHECK: affine.for
// CHECK: affine.vector_store
func.func @layer_norm(%x: tensor<256x1024xf32>) -> tensor<256x1024xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %part = xla.constant dense<9.765625e-04> : tensor<f32>
  %least = xla.constant dense<1.0e-05> : tensor<f32>
  %sum = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) {dimensions = [1]} : (tensor<256x1024xf32>, tensor<f32>) -> tensor<256xf32>
  %mean = xla.multiply %sum, %part : (tensor<256xf32>, tensor<f32>) -> tensor<256xf32>
  %means = xla.broadcast_in_dim %mean {broadcast_dimensions = [0]} : (tensor<256xf32>) -> tensor<256x1024xf32>
  %d = xla.subtract %x, %means : tensor<256x1024xf32>
  %square = xla.multiply %d, %d : tensor<256x1024xf32>
  %squares = xla.reduce(%square, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) {dimensions = [1]} : (tensor<256x1024xf32>, tensor<f32>) -> tensor<256xf32>
  %variance = xla.multiply %squares, %part : (tensor<256xf32>, tensor<f32>) -> tensor<256xf32>
  %v = xla.add %variance, %least : (tensor<256xf32>, tensor<f32>) -> tensor<256xf32>
  %r = xla.rsqrt %v : tensor<256xf32>
  %rs = xla.broadcast_in_dim %r {broadcast_dimensions = [0]} : (tensor<256xf32>) -> tensor<256x1024xf32>
  %result = xla.multiply %d, %rs : tensor<256x1024xf32>
  return %result : tensor<256x1024xf32>
}

// -----

// The windows of a convolution are copied side by side, a nest for each element of the kernel; then they are a product.
// CHECK-LABEL: func.func private @kernel_0(
// CHECK: affine.vector_load %{{.*}}[%[[B:.*]] * 3200 + %[[Y:.*]] * 160 + %[[X:.*]] * 8] : memref<6400xf32>, vector<8xf32>
// CHECK-NEXT: affine.vector_store %{{.*}}[%[[B]] * 23328 + %[[Y]] * 1296 + %[[X]] * 72] : memref<46656xf32>, vector<8xf32>
// CHECK: affine.vector_load %{{.*}}[%[[B:.*]] * 3200 + %[[Y:.*]] * 160 + %[[X:.*]] * 8 + 336] : memref<6400xf32>, vector<8xf32>
// CHECK-NEXT: affine.vector_store %{{.*}}[%[[B]] * 23328 + %[[Y]] * 1296 + %[[X]] * 72 + 64] : memref<46656xf32>, vector<8xf32>
// CHECK-LABEL: func.func private @kernel_1(
// CHECK: call @kernel_1.product(
func.func @convolution(%x: tensor<2x20x20x8xf32>, %k: tensor<3x3x8x16xf32>) -> tensor<2x18x18x16xf32> {
  %0 = xla.convolution %x, %k {window_strides = [1, 1], padding = [0, 0, 0, 0], input_batch_dimension = 0 : i64, input_feature_dimension = 3 : i64, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2 : i64, kernel_output_feature_dimension = 3 : i64, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0 : i64, output_feature_dimension = 3 : i64, output_spatial_dimensions = [1, 2]} : (tensor<2x20x20x8xf32>, tensor<3x3x8x16xf32>) -> tensor<2x18x18x16xf32>
  return %0 : tensor<2x18x18x16xf32>
}
