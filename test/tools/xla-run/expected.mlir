// Expected outputs: 0 if they hold, 1 and where they do not.
// RUN: xla-run %s --input="2x2xf32=1 2 3 4" --expected-output="2x2xf32=2 4 6 8" --expected-output="2x2xs32=1 2 3 4"
// RUN: xla-run %s --input="2x2xf32=1 nan inf -inf" --expected-output="2x2xf32=2.0001 nan inf -inf" --expected-output="2x2xs32=1 0 2147483647 -2147483648"
// RUN: sh %S/Inputs/code.sh xla-run %s --input="2x2xf32=1 2 3 4" --expected-output="2x2xf32=2 4 7 9" --expected-output=2x2xs32=1 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: xla-run: output 0: 2 of 4 elements differ, the first at [1, 0]: got 6, expected 7
// DIFFERS-NEXT: xla-run: output 1: 3 of 4 elements differ, the first at [0, 1]: got 2, expected 1
// DIFFERS-NEXT: exit 1
// RUN: xla-run %s --input="2x2xf32=1 2 3 4" --expected-output="2x2xf32=2 4 6.5 8" --expected-output="2x2xs32=1 2 3 4" --rtol=0.1
// RUN: xla-run %s --input="2x2xf32=1 2 3 4" --expected-output="2x2xf32=2 4 6.5 8" --expected-output="2x2xs32=1 2 3 4" --atol=0.5
// RUN: not xla-run %s --input="2x2xf32=1 2 3 4" --expected-output="2x2xf32=2 4 6.0001 8" --expected-output="2x2xs32=1 2 3 4" --rtol=1e-6
// RUN: not xla-run %s --input="2x2xf32=1 inf 3 4" --expected-output="2x2xf32=2 -inf 6 8" --expected-output="2x2xs32=1 2147483647 3 4"
// A wrong type of what is expected is a wrong use.
// RUN: sh %S/Inputs/code.sh xla-run %s --seed=1 --expected-output=2x3xf32=1 --expected-output=2x2xs32=1 | FileCheck %s --check-prefix=TYPE
// TYPE: xla-run: expected output 0: expected 2x2xf32, got 2x3xf32
// TYPE-NEXT: exit 2

func.func @only(%a: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>) {
  %0 = xla.add %a, %a : tensor<2x2xf32>
  %1 = xla.convert %a : (tensor<2x2xf32>) -> tensor<2x2xi32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xi32>
}
func.func private @unused(%a: tensor<i32>) -> tensor<i32> {
  return %a : tensor<i32>
}
