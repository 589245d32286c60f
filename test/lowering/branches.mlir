// Branches are a tree of choices: an index outside of them chooses the last.
// RUN: xla-opt %s --xla-attach-target=cpu=x86-64 --xla-cpu-pipeline=to=linalg | FileCheck %s --check-prefix=TREE
// TREE-DAG: %[[I:.*]] = memref.load {{.*}} : memref<i32>
// TREE: arith.cmpi ult, %[[I]], %c2{{.*}} : i32
// TREE-NEXT: scf.if
// TREE-NEXT: arith.constant 1 : i32
// TREE-NEXT: arith.cmpi ult, %[[I]], %c1{{.*}} : i32
// TREE: arith.cmpi ult, %[[I]], %c3{{.*}} : i32
// TREE: arith.cmpi ult, %[[I]], %c4{{.*}} : i32
// RUN: xla-run %s --device=all --input=s32=-1 --input="3xf32=1 2 3" --input=s32=7 | FileCheck %s --check-prefix=LAST
// RUN: xla-run %s --device=all --input=s32=0 --input="3xf32=1 2 3" --input=s32=7 | FileCheck %s --check-prefix=ZERO
// RUN: xla-run %s --device=all --input=s32=1 --input="3xf32=1 2 3" --input=s32=7 | FileCheck %s --check-prefix=ONE
// RUN: xla-run %s --device=all --input=s32=2 --input="3xf32=1 2 3" --input=s32=7 | FileCheck %s --check-prefix=TWO
// RUN: xla-run %s --device=all --input=s32=3 --input="3xf32=1 2 3" --input=s32=7 | FileCheck %s --check-prefix=THREE
// RUN: xla-run %s --device=all --input=s32=4 --input="3xf32=1 2 3" --input=s32=7 | FileCheck %s --check-prefix=LAST
// RUN: xla-run %s --device=all --input=s32=5 --input="3xf32=1 2 3" --input=s32=7 | FileCheck %s --check-prefix=LAST
// ZERO: 3xf32=1 2 3
// ZERO-NEXT: s32=7
// ONE: 3xf32=2 4 6
// ONE-NEXT: s32=8
// TWO: 3xf32=1 4 9
// TWO-NEXT: s32=49
// THREE: 3xf32=-1 -2 -3
// THREE-NEXT: s32=-7
// LAST: 3xf32=0 0 0
// LAST-NEXT: s32=14
func.func @main(%i: tensor<i32>, %x: tensor<3xf32>, %n: tensor<i32>) -> (tensor<3xf32>, tensor<i32>) {
  %r:2 = xla.case(%i) ({
    xla.return %x, %n : tensor<3xf32>, tensor<i32>
  }, {
    %one = xla.constant dense<1> : tensor<i32>
    %y = xla.add %x, %x : tensor<3xf32>
    %m = xla.add %n, %one : tensor<i32>
    xla.return %y, %m : tensor<3xf32>, tensor<i32>
  }, {
    %y = xla.multiply %x, %x : tensor<3xf32>
    %m = xla.multiply %n, %n : tensor<i32>
    xla.return %y, %m : tensor<3xf32>, tensor<i32>
  }, {
    %y = xla.negate %x : tensor<3xf32>
    %m = xla.negate %n : tensor<i32>
    xla.return %y, %m : tensor<3xf32>, tensor<i32>
  }, {
    %y = xla.subtract %x, %x : tensor<3xf32>
    %m = xla.add %n, %n : tensor<i32>
    xla.return %y, %m : tensor<3xf32>, tensor<i32>
  }) : (tensor<i32>) -> (tensor<3xf32>, tensor<i32>)
  return %r#0, %r#1 : tensor<3xf32>, tensor<i32>
}
