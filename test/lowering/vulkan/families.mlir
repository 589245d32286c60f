// Nests of the families of operations, as they are in shaders for a plain graphics card: the same programs as in ../cpu/families.mlir.
// RUN: xla-opt %s --split-input-file --xla-vulkan-pipeline=to=affine | FileCheck %s
// RUN: xla-opt %s --split-input-file --xla-attach-target="device=vulkan1.2 limits=subgroup=2" --xla-vulkan-pipeline=to=affine | FileCheck %s --check-prefix=PAIRS
// What is printed goes on from there to the same code.
// RUN: xla-opt %s --split-input-file --xla-vulkan-pipeline > %t
// RUN: xla-opt %s --split-input-file --xla-vulkan-pipeline=to=affine | xla-opt --split-input-file --xla-affine-to-spirv | diff %t -

// Two copies, each a dispatch of its own, by vectors of four. A thread takes one of them; a number's digits are its row and its column.
// CHECK: gpu.module @kernel_0_0 attributes {{.*}}argument = 0 : i64, bytes = 25600
// CHECK: %[[J:.*]] = arith.remui %{{.*}}, %{{.*}} : index
// CHECK: %[[I:.*]] = arith.divui %{{.*}}, %{{.*}} : index
// CHECK: affine.load %{{.*}}[%[[I]] * 25 + %[[J]]] : memref<1600xvector<4xf32>
// CHECK: affine.store %{{.*}}[%[[I]] * 32 + %[[J]]] : memref<2048xvector<4xf32>
// CHECK: gpu.module @kernel_0_1 attributes {{.*}}argument = 1 : i64, bytes = 7168
// CHECK: affine.load %{{.*}}[%[[I:.*]] * 7 + %[[J:.*]]] : memref<448xvector<4xf32>
// CHECK: affine.store %{{.*}}[%[[I]] * 32 + %[[J]] + 25] : memref<2048xvector<4xf32>
func.func @concatenate(%x: tensor<64x100xf32>, %y: tensor<64x28xf32>) -> tensor<64x128xf32> {
  %0 = xla.concatenate %x, %y {dimension = 1} : (tensor<64x100xf32>, tensor<64x28xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}


// -----

// Padding goes around the array in four dispatches; then the array is copied. Threads behind the last element do nothing.
// CHECK: #[[INSIDE:.*]] = affine_set<(d0) : (-d0 + 2999 >= 0)>
// CHECK: affine.store %{{.*}}[%{{.*}}] : memref<3328xf32
// CHECK: affine.store %{{.*}}[%{{.*}} + 3224] : memref<3328xf32
// CHECK: affine.store %{{.*}}[%{{.*}} * 104 + %{{.*}} + 104] : memref<3328xf32
// CHECK: affine.store %{{.*}}[%{{.*}} * 104 + %{{.*}} + 206] : memref<3328xf32
// CHECK: affine.if #[[INSIDE]](%{{.*}}) {
// CHECK: affine.load %{{.*}}[%[[I:.*]] * 100 + %[[J:.*]]] : memref<3000xf32
// CHECK: affine.store %{{.*}}[%[[I]] * 104 + %[[J]] + 106] : memref<3328xf32
func.func @pad(%x: tensor<30x100xf32>, %p: tensor<f32>) -> tensor<32x104xf32> {
  %0 = xla.pad %x, %p {edge_padding_low = [1, 2], edge_padding_high = [1, 2], interior_padding = [0, 0]} : (tensor<30x100xf32>, tensor<f32>) -> tensor<32x104xf32>
  return %0 : tensor<32x104xf32>
}


// -----

// A thread takes 4 x 4 elements: four vectors in, four out.
// CHECK: gpu.func
// CHECK: %[[J:.*]] = arith.remui
// CHECK: %[[I:.*]] = arith.divui
// CHECK: affine.load %{{.*}}[%[[I]] + %[[J]] * 1024] : memref<131072xvector<4xf32>
// CHECK: affine.load %{{.*}}[%[[I]] + %[[J]] * 1024 + 256]
// CHECK: affine.load %{{.*}}[%[[I]] + %[[J]] * 1024 + 512]
// CHECK: affine.load %{{.*}}[%[[I]] + %[[J]] * 1024 + 768]
// CHECK: vector.from_elements
// CHECK: affine.store %{{.*}}[%[[I]] * 512 + %[[J]]] : memref<131072xvector<4xf32>
// CHECK-COUNT-3: affine.store
func.func @transpose(%x: tensor<512x1024xf32>) -> tensor<1024x512xf32> {
  %0 = xla.transpose %x {permutation = [1, 0]} : (tensor<512x1024xf32>) -> tensor<1024x512xf32>
  return %0 : tensor<1024x512xf32>
}


// -----

// Where data says what is read, it is no affine access: of the row that an index names, kept inside of the array.
// CHECK: gpu.func
// CHECK: %[[J:.*]] = arith.remui
// CHECK: %[[I:.*]] = arith.divui
// CHECK: affine.load %{{.*}}[%[[I]]] : memref<64xi32
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK-COUNT-4: memref.load %{{.*}} : memref<1280000xf32
// CHECK: affine.store %{{.*}}[%[[I]] * 64 + %[[J]]] : memref<4096xvector<4xf32>
func.func @gather(%x: tensor<5000x256xf32>, %i: tensor<64x1xi32>) -> tensor<64x256xf32> {
  %0 = xla.gather %x, %i {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 256]} : (tensor<5000x256xf32>, tensor<64x1xi32>) -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}


// -----

// A window is read at each of its places.
// CHECK: gpu.func
// CHECK: affine.load %{{.*}}[%[[I:.*]] * 256 + %[[J:.*]] * 2] : memref<8192xf32
// CHECK: affine.load %{{.*}}[%[[I]] * 256 + %[[J]] * 2 + 1]
// CHECK: affine.load %{{.*}}[%[[I]] * 256 + %[[J]] * 2 + 128]
// CHECK: affine.load %{{.*}}[%[[I]] * 256 + %[[J]] * 2 + 129]
// CHECK-COUNT-4: arith.maximumf
// CHECK: affine.store
func.func @pool(%x: tensor<64x128xf32>, %z: tensor<f32>) -> tensor<32x64xf32> {
  %0 = xla.reduce_window(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.maximum %a, %b : tensor<f32>
    xla.return %m : tensor<f32>
  }) {window_dimensions = [2, 2], window_strides = [2, 2]} : (tensor<64x128xf32>, tensor<f32>) -> tensor<32x64xf32>
  return %0 : tensor<32x64xf32>
}


// -----

// Layer norm: a subgroup a row. Its sum, the sum of squares of the differences from the mean, and the quotients. What does not change along the
// row, as the root, is computed before the loop.
// CHECK: gpu.func
// CHECK: affine.for {{.*}} = 0 to 8 iter_args({{.*}}) -> (f32) {
// CHECK-COUNT-5: gpu.shuffle
// CHECK: affine.for {{.*}} iter_args({{.*}}) -> (f32) {
// CHECK: arith.mulf
// CHECK-COUNT-5: gpu.shuffle
// CHECK: math.rsqrt
// CHECK: affine.for %[[J:.*]] = 0 to 8 {
// CHECK-NOT: math.rsqrt
// CHECK: affine.store %{{.*}}[%{{.*}} * 256 + %[[J]] * 32 + %{{.*}}] : memref<65536xvector<4xf32>
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

// A product and what follows are one dispatch. Threads copy blocks of 16 terms to workgroup memory, with zeros behind
// the 700th, and meet there; each then adds 4 by 2 products for each of these terms.
// CHECK-DAG: #[[THERE:.*]] = affine_set<(d0, d1) : (-(d0 + d1) + 699 >= 0)>
// CHECK: gpu.module @kernel_0_0
// CHECK: %[[LHS:.*]] = memref.alloc() : memref<1056xf32, #spirv.storage_class<Workgroup>>
// CHECK: %[[RHS:.*]] = memref.alloc() : memref<512xf32, #spirv.storage_class<Workgroup>>
// CHECK: affine.for %[[K:.*]] = 0 to 700 step 16 iter_args({{.*}}) -> (f32, f32, f32, f32, f32, f32, f32, f32) {
// CHECK: affine.if #[[THERE]](%{{.*}}, %[[K]]) -> f32 {
// CHECK-NEXT: affine.load %arg0[%{{.*}} + %{{.*}} + %[[K]]]
// CHECK: affine.store %{{.*}}, %[[LHS]]
// CHECK: gpu.barrier
// CHECK: affine.for %[[U:.*]] = 0 to 16 iter_args(
// CHECK: affine.load %[[RHS]][%[[U]] * 32 + %{{.*}}]
// CHECK: affine.load %[[LHS]][%[[U]] * 66 + %{{.*}} * 4]
// CHECK-COUNT-8: math.fma
// CHECK: gpu.barrier
// CHECK-COUNT-8: math.tanh
// CHECK: affine.store
// CHECK-NOT: gpu.module @kernel_0_1
func.func @layer(%x: tensor<600x700xf32>, %w: tensor<700x500xf32>, %b: tensor<500xf32>) -> tensor<600x500xf32> {
  %0 = xla.dot_general %x, %w {lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>} : (tensor<600x700xf32>, tensor<700x500xf32>) -> tensor<600x500xf32>
  %1 = xla.broadcast_in_dim %b {broadcast_dimensions = [1]} : (tensor<500xf32>) -> tensor<600x500xf32>
  %2 = xla.add %0, %1 : tensor<600x500xf32>
  %3 = xla.tanh %2 : tensor<600x500xf32>
  return %3 : tensor<600x500xf32>
}

// -----

// The windows of a convolution are copied side by side, a dispatch for each element of the kernel; then they are a product.
// CHECK: gpu.module @kernel_0_0
// CHECK: affine.load %{{.*}} : memref<1600xvector<4xf32>
// CHECK: gpu.module @kernel_0_8
// CHECK: gpu.module @kernel_1_0
// CHECK: affine.for %{{.*}} = 0 to 72 step 16
// CHECK: math.fma
func.func @convolution(%x: tensor<2x20x20x8xf32>, %k: tensor<3x3x8x16xf32>) -> tensor<2x18x18x16xf32> {
  %0 = xla.convolution %x, %k {window_strides = [1, 1], padding = [0, 0, 0, 0], input_batch_dimension = 0 : i64, input_feature_dimension = 3 : i64, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2 : i64, kernel_output_feature_dimension = 3 : i64, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0 : i64, output_feature_dimension = 3 : i64, output_spatial_dimensions = [1, 2]} : (tensor<2x20x20x8xf32>, tensor<3x3x8x16xf32>) -> tensor<2x18x18x16xf32>
  return %0 : tensor<2x18x18x16xf32>
}

// -----

// A row of 1003 elements is dealt to 32 threads: 31 rounds, and 11 elements that the first threads take.
// CHECK: #[[LEFT:.*]] = affine_set<(d0) : (-(d0 + 992) + 1002 >= 0)>
// CHECK: affine.for %[[J:.*]] = 0 to 31 iter_args(
// CHECK-NEXT: affine.load %{{.*}}[%[[ROW:.*]] * 1003 + %[[J]] * 32 + %[[LANE:.*]]] : memref<64192xf32
// CHECK: affine.if #[[LEFT]](%[[LANE]]) -> f32 {
// CHECK-NEXT: affine.load %{{.*}}[%[[ROW]] * 1003 + %[[LANE]] + 992]
// CHECK: } else {
// CHECK-COUNT-5: gpu.shuffle
// Without subgroups of a useful size a workgroup has a row, and adds by halves in its memory.
// PAIRS: memref.alloc() : memref<64xf32, #spirv.storage_class<Workgroup>>
// PAIRS: affine.for %{{.*}} = 0 to 15 iter_args(
// PAIRS: affine.store %{{.*}}, %[[ALL:.*]][%[[T:.*]]] : memref<64xf32
// PAIRS-NEXT: gpu.barrier
// PAIRS-NEXT: affine.if #{{.*}}(%[[T]]) {
// PAIRS-NEXT: affine.load %[[ALL]][%[[T]]]
// PAIRS-NEXT: affine.load %[[ALL]][%[[T]] + 32]
// PAIRS-NEXT: arith.addf
// PAIRS-COUNT-6: gpu.barrier
// PAIRS-NOT: gpu.shuffle
func.func @rows(%x: tensor<64x1003xf32>) -> tensor<64xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = xla.add %a, %b : tensor<f32>
    xla.return %1 : tensor<f32>
  }) {dimensions = [1]} : (tensor<64x1003xf32>, tensor<f32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// Vectors of four, and three threads more for the elements that are left.
// CHECK-DAG: #[[THREADS:.*]] = affine_set<(d0) : (-d0 + 250002 >= 0)>
// CHECK-DAG: #[[BLOCKS:.*]] = affine_set<(d0) : (-d0 + 249999 >= 0)>
// CHECK: affine.if #[[THREADS]](%[[I:.*]]) {
// CHECK-NEXT: affine.if #[[BLOCKS]](%[[I]]) {
// CHECK-NEXT: affine.load %{{.*}}[%[[I]]] : memref<250000xvector<4xf32>
// CHECK-COUNT-4: arith.negf
// CHECK: } else {
// CHECK-NEXT: affine.load %{{.*}}[%[[I]] + 750000] : memref<1000003xf32
func.func @negate(%x: tensor<1000003xf32>) -> tensor<1000003xf32> {
  %0 = xla.negate %x : tensor<1000003xf32>
  return %0 : tensor<1000003xf32>
}
