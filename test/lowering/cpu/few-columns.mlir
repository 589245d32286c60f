// Long columns of which there are few are summed in parts, by several threads. The parts are those of the shape: results do not depend on
// how many threads there are.
// RUN: xla-run %s --device=cpu --seed=3 --threads=1 --output=@%t.1.npy --output=@%t.2.npy --output=@%t.3.npy --output=none --output=none --output=none --output=none
// RUN: xla-run %s --device=cpu --seed=3 --threads=5 --output=@%t.4.npy --output=@%t.5.npy --output=@%t.6.npy --output=none --output=none --output=none --output=none
// RUN: cmp %t.1.npy %t.4.npy && cmp %t.2.npy %t.5.npy && cmp %t.3.npy %t.6.npy
// RUN: xla-run %s --device=all --seed=4 --output=none --rtol=1e-3 --atol=1e-2
// RUN: xla-run %s --device=cpu --cpu=x86-64 --threads=3 --seed=4 --output=none
// RUN: xla-run %s --entry=wide --device=all --seed=4 --output=none --rtol=1e-3 --atol=1e-2
// RUN: xla-opt %s --xla-attach-target="cpu=x86-64-v3 threads=2" --xla-cpu-pipeline=to=linalg | xla-opt --xla-linalg-to-affine=report=true -o /dev/null 2>&1 | FileCheck %s

// Sums and sums of squares of channels, of one kernel.
// CHECK: kernel_0: a nest for 4 of linalg's operations
// CHECK-NEXT: rows one; sums 64 parts of it, 2 threads
func.func private @channels(%x: tensor<32x28x28x64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) {dimensions = [0, 1, 2]} : (tensor<32x28x28x64xf32>, tensor<f32>) -> tensor<64xf32>
  %q = xla.multiply %x, %x : tensor<32x28x28x64xf32>
  %t = xla.reduce(%q, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) {dimensions = [0, 1, 2]} : (tensor<32x28x28x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %s, %t : tensor<64xf32>, tensor<64xf32>
}

// Lanes that do not fill the columns, rows before them, and numbers that are widened to be summed.
// CHECK: kernel_1: a nest
// CHECK-NEXT: rows 3; sums {{[0-9]+}} parts of it, 2 threads
func.func private @middle(%x: tensor<3x20001x37xbf16>) -> tensor<3x37xbf16> {
  %least = xla.constant dense<0xFF80> : tensor<bf16>
  %s = xla.reduce(%x, %least) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %0 = xla.maximum %a, %b : tensor<bf16>
    xla.return %0 : tensor<bf16>
  }) {dimensions = [1]} : (tensor<3x20001x37xbf16>, tensor<bf16>) -> tensor<3x37xbf16>
  return %s : tensor<3x37xbf16>
}

// CHECK: kernel_2: a nest
// CHECK-NEXT: rows one; sums {{[0-9]+}} parts of it, 2 threads
func.func private @flags(%x: tensor<200000x5xi32>) -> tensor<5xi1> {
  %true = xla.constant dense<true> : tensor<i1>
  %least = xla.constant dense<-2147483000> : tensor<200000x5xi32>
  %y = xla.compare %x, %least {comparison_direction = "GE"} : (tensor<200000x5xi32>, tensor<200000x5xi32>) -> tensor<200000x5xi1>
  %s = xla.reduce(%y, %true) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %0 = xla.and %a, %b : tensor<i1>
    xla.return %0 : tensor<i1>
  }) {dimensions = [0]} : (tensor<200000x5xi1>, tensor<i1>) -> tensor<5xi1>
  return %s : tensor<5xi1>
}

// What has no neutral element stays whole: places of maxima.
// CHECK: kernel_3: a nest
// CHECK-NEXT: rows one; one thread
func.func private @places(%x: tensor<60000x16xf32>) -> (tensor<16xf32>, tensor<16xi32>) {
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0> : tensor<i32>
  %i = xla.iota {iota_dimension = 0} : () -> tensor<60000x16xi32>
  %s:2 = xla.reduce(%x, %i, %least, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %more = xla.compare %c, %a {comparison_direction = "GT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %0 = xla.select %more, %c, %a : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %1 = xla.select %more, %d, %b : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %0, %1 : tensor<f32>, tensor<i32>
  }) {dimensions = [0]} : (tensor<60000x16xf32>, tensor<60000x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<16xf32>, tensor<16xi32>)
  return %s#0, %s#1 : tensor<16xf32>, tensor<16xi32>
}

// Columns enough for threads are theirs.
// CHECK: kernel_4: a nest
// CHECK-NEXT: rows one; 2 threads, 512 lanes each
func.func private @many(%x: tensor<3000x1024xf32>) -> tensor<1024xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) {dimensions = [0]} : (tensor<3000x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  return %s : tensor<1024xf32>
}

func.func @main(%x: tensor<32x28x28x64xf32>, %y: tensor<3x20001x37xbf16>, %z: tensor<200000x5xi32>, %p: tensor<60000x16xf32>, %m: tensor<3000x1024xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<3x37xbf16>, tensor<5xi1>, tensor<16xf32>, tensor<16xi32>, tensor<1024xf32>) {
  %channels:2 = call @channels(%x) : (tensor<32x28x28x64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  %middle = call @middle(%y) : (tensor<3x20001x37xbf16>) -> tensor<3x37xbf16>
  %flags = call @flags(%z) : (tensor<200000x5xi32>) -> tensor<5xi1>
  %places:2 = call @places(%p) : (tensor<60000x16xf32>) -> (tensor<16xf32>, tensor<16xi32>)
  %many = call @many(%m) : (tensor<3000x1024xf32>) -> tensor<1024xf32>
  return %channels#0, %channels#1, %middle, %flags, %places#0, %places#1, %many : tensor<64xf32>, tensor<64xf32>, tensor<3x37xbf16>, tensor<5xi1>, tensor<16xf32>, tensor<16xi32>, tensor<1024xf32>
}

// Several tiles of lanes, and what follows from the sums in the same kernel.
func.func @wide(%x: tensor<9000x300xf32>, %g: tensor<300xf32>) -> tensor<300xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.add %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) {dimensions = [0]} : (tensor<9000x300xf32>, tensor<f32>) -> tensor<300xf32>
  %t = xla.tanh %s : tensor<300xf32>
  %r = xla.multiply %t, %g : tensor<300xf32>
  return %r : tensor<300xf32>
}
