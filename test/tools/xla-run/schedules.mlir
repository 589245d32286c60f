// Compiled without fusion, and as for other machines: the results are the same.
// RUN: xla-run %s --seed=1 --device=cpu --stats --output=none 2>&1 | FileCheck %s --check-prefix=FUSED
// FUSED: {{^}}cpu: kernels {{ *}}1{{ *$}}
// RUN: xla-run %s --seed=1 --device=cpu --stats --no-fuse --output=none 2>&1 | FileCheck %s --check-prefix=UNFUSED
// UNFUSED: {{^}}cpu: kernels {{ *}}3{{ *$}}
// RUN: env VK_DRIVER_FILES=/none VK_ICD_FILENAMES=/none xla-run %s --seed=1 --device=all --no-fuse --threads=3 --machine=vector-bits=128,l1=3000,l2=7777,l3=11111
// RUN: xla-run %s --seed=1 --device=cpu --print-ir-after=affine --machine=vector-bits=128 --threads=3 --output=none 2>&1 | FileCheck %s --check-prefix=NARROW
// NARROW: affine.parallel
// NARROW: affine.vector_load {{.*}}, vector<{{(8|16)}}xf32>
// RUN: not xla-run %s --seed=1 --machine=l4=5 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: xla-run: unknown part of a machine "l4"
// RUN: not xla-run %s --seed=1 --threads=0 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: xla-run: --threads is "0", must be a number from 1 to 1024
// RUN: not xla-run %s --seed=1 --machine=l1 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: xla-run: --machine=l1= is no integer from 64 to 1073741824
// RUN: not xla-run %s --seed=1 --machine=vector-bits=200 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: xla-run: --machine=vector-bits=200 is not 128, 256 or 512
func.func @main(%x: tensor<1009x997xf32>) -> tensor<1009x997xf32> {
  %0 = xla.exponential %x : tensor<1009x997xf32>
  %1 = xla.add %0, %x : tensor<1009x997xf32>
  %2 = xla.multiply %1, %0 : tensor<1009x997xf32>
  return %2 : tensor<1009x997xf32>
}
