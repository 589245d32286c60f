// RUN: xla-run %s --entry=copy --input="2x2xf32=1 2 3 4" --input="3xbf16=1 2 nan" --input="2xf8E5M2=1 -2" --input="2xpred=1 0" --input="2xc64=(1,2) (3,4)" --input="2xui16=1 65535" --output=@%t.a.npy --output=@%t.b.npy --output=@%t.c.npy --output=@%t.d.npy --output=@%t.e.npy --output=@%t.f.npy | count 0
// RUN: xla-run %s --entry=copy --input=@%t.a.npy --input=@%t.b.npy --input=@%t.c.npy --input=@%t.d.npy --input=@%t.e.npy --input=@%t.f.npy | FileCheck %s
// CHECK: {{^}}2x2xf32=1 2 3 4{{$}}
// CHECK-NEXT: {{^}}3xbf16=1 2 nan{{$}}
// CHECK-NEXT: {{^}}2xf8e5m2=1 -2{{$}}
// CHECK-NEXT: {{^}}2xpred=true false{{$}}
// CHECK-NEXT: {{^}}2xc64=(1,2) (3,4){{$}}
// CHECK-NEXT: {{^}}2xu16=1 65535{{$}}
// Every result goes somewhere.
// RUN: xla-run %s --entry=copy --seed=1 --output=none --output=- --output=none --output=none --output=none --output=none | FileCheck %s --check-prefix=NONE
// NONE: {{^}}3xbf16={{.*$}}
// NONE-NOT: {{.}}
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=copy --seed=1 --output=- | FileCheck %s --check-prefix=LEFT
// LEFT: xla-run: --output is given for 1 of 6 results: 2x2xf32, 3xbf16, 2xf8e5m2, 2xpred, 2xc64, 2xu16; one each is needed, --output=none leaves one out
// LEFT-NEXT: exit 2
// RUN: head -c 140 %t.a.npy > %t.cut.npy
// RUN: not xla-run %s --entry=one --input=@%t.cut.npy 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: xla-run: input 0: {{.*}}.cut.npy
// RUN: not xla-run %s --entry=one --input=@%t.b.npy 2>&1 | FileCheck %s --check-prefix=RAW
// RAW: xla-run: input 0: {{.*}}.b.npy holds elements of kind 'V' with 2 bytes, not f32
// RUN: not xla-run %s --entry=one --input=@%t.f.npy 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: xla-run: input 0: expected 2x2xf32, got 2xu16
// RUN: not xla-run %s --entry=one --seed=1 --output=@%t.none/x.npy 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: xla-run: output: {{.*}}x.npy

func.func @copy(%a: tensor<2x2xf32>, %b: tensor<3xbf16>, %c: tensor<2xf8E5M2>, %d: tensor<2xi1>, %e: tensor<2xcomplex<f32>>, %f: tensor<2xui16>)
    -> (tensor<2x2xf32>, tensor<3xbf16>, tensor<2xf8E5M2>, tensor<2xi1>, tensor<2xcomplex<f32>>, tensor<2xui16>) {
  return %a, %b, %c, %d, %e, %f : tensor<2x2xf32>, tensor<3xbf16>, tensor<2xf8E5M2>, tensor<2xi1>, tensor<2xcomplex<f32>>, tensor<2xui16>
}
func.func @one(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  return %a : tensor<2x2xf32>
}
