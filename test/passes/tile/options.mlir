// RUN: not xla-opt %s --xla-tile="sizes=4,0" 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not xla-opt %s --xla-tile="sizes=4," 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not xla-opt %s --xla-tile="sizes=x" 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not xla-opt %s --xla-tile="sizes=99999999999999999999" 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not xla-opt %s --xla-tile="bytes=-1" 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: xla-opt %s --xla-tile="sizes=9223372036854775807" | FileCheck %s
// SIZES: error: {{.*}}sizes are "{{.*}}", must be up to {{[0-9]+}} numbers from 1 on, with commas between them
// BYTES: error: {{.*}}bytes are -1, must not be negative
// CHECK: xla.tile = {bytes = 32 : i64, sizes = array<i64: 4>}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
