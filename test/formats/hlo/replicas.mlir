// How many replicas and partitions a program is for goes through all forms.
// RUN: xla-opt %s --xla-import-stablehlo | FileCheck %s --check-prefix=XLA
// RUN: xla-translate %s --to=hlo -o %t.hlo && FileCheck %s --check-prefix=HLO < %t.hlo
// RUN: xla-opt %t.hlo | FileCheck %s --check-prefix=XLA
// RUN: xla-translate %t.hlo --to=stablehlo | FileCheck %s --check-prefix=STABLEHLO
// RUN: xla-translate %t.hlo --to=artifact -o %t.bin && xla-opt %t.bin | FileCheck %s --check-prefix=STABLEHLO
// XLA: module {{(@m )?}}attributes {xla.num_partitions = 2 : i32, xla.num_replicas = 4 : i32} {
// HLO: HloModule m, replica_count=4, num_partitions=2
// STABLEHLO: module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 4 : i32} {
module @m attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 4 : i32} {
  func.func @main(%a: tensor<f32>) -> tensor<f32> {
    return %a : tensor<f32>
  }
}
