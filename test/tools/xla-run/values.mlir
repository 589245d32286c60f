// Every type of element, read and printed; what is printed reads back.
// RUN: xla-run %s --entry=f32 --input="2x3xf32=1 -2.5 1e10 0.1 -0.0 0x1.8p-3" | FileCheck %s --check-prefix=F32
// F32: {{^}}2x3xf32=1 -2.5 1e+10 0.1 -0 0.1875{{$}}
// RUN: xla-run %s --entry=f32 --input="2x3xf32=nan,inf,-inf,3.4028235e38,1e-45,16777217" | FileCheck %s --check-prefix=F32B
// F32B: {{^}}2x3xf32=nan inf -inf 3.4028235e+38 1e-45 16777216{{$}}
// RUN: xla-run %s --entry=f32 --input=2x3xf32=7 | FileCheck %s --check-prefix=SPLAT
// SPLAT: {{^}}2x3xf32=7 7 7 7 7 7{{$}}
// RUN: xla-run %s --entry=scalars --input=f32=3 --input=pred=true --input=i1=0 --input=bf16=1.01 --input=f8e4m3fn=100 --input="complex<f32>=(1,-2.5)" --input=c128=3 | FileCheck %s --check-prefix=SCALARS
// SCALARS: {{^}}f32=3{{$}}
// SCALARS-NEXT: {{^}}pred=true{{$}}
// SCALARS-NEXT: {{^}}pred=false{{$}}
// SCALARS-NEXT: {{^}}bf16=1.01{{$}}
// SCALARS-NEXT: {{^}}f8e4m3fn=96{{$}}
// SCALARS-NEXT: {{^}}c64=(1,-2.5){{$}}
// SCALARS-NEXT: {{^}}c128=(3,0){{$}}
// RUN: xla-run %s --entry=integers --input="3xi32=-2147483648 0x7fffffff -1" --input="2xui8=0 255" --input="2xu64=18446744073709551615 1" --input="2xs64=-9223372036854775808 5" --input="2xi4=-8 7" | FileCheck %s --check-prefix=INTEGERS
// INTEGERS: {{^}}3xs32=-2147483648 2147483647 -1{{$}}
// INTEGERS-NEXT: {{^}}2xu8=0 255{{$}}
// INTEGERS-NEXT: {{^}}2xu64=18446744073709551615 1{{$}}
// INTEGERS-NEXT: {{^}}2xs64=-9223372036854775808 5{{$}}
// INTEGERS-NEXT: {{^}}2xs4=-8 7{{$}}
// No elements.
// RUN: xla-run %s --entry=empty --input=0x3xf32= | FileCheck %s --check-prefix=EMPTY
// EMPTY: {{^}}0x3xf32={{$}}
// Tuples are taken and given element by element, tokens not at all.
// RUN: xla-run %s --entry=tuples --input=f32=1 --input="2xi32=2 3" --input=pred=1 | FileCheck %s --check-prefix=TUPLES
// TUPLES: {{^}}pred=true{{$}}
// TUPLES-NEXT: {{^}}f32=1{{$}}
// TUPLES-NEXT: {{^}}2xs32=2 3{{$}}
// The same random elements for the same seed.
// RUN: xla-run %s --entry=f32 --input=random:7 > %t.a
// RUN: xla-run %s --entry=f32 --input=random:7 > %t.b
// RUN: xla-run %s --entry=f32 --input=random:8 > %t.c
// RUN: diff %t.a %t.b
// RUN: not diff %t.a %t.c

func.func @f32(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  return %a : tensor<2x3xf32>
}
func.func @scalars(%a: tensor<f32>, %b: tensor<i1>, %c: tensor<i1>, %d: tensor<bf16>, %e: tensor<f8E4M3FN>, %f: tensor<complex<f32>>, %g: tensor<complex<f64>>)
    -> (tensor<f32>, tensor<i1>, tensor<i1>, tensor<bf16>, tensor<f8E4M3FN>, tensor<complex<f32>>, tensor<complex<f64>>) {
  return %a, %b, %c, %d, %e, %f, %g : tensor<f32>, tensor<i1>, tensor<i1>, tensor<bf16>, tensor<f8E4M3FN>, tensor<complex<f32>>, tensor<complex<f64>>
}
func.func @integers(%a: tensor<3xi32>, %b: tensor<2xui8>, %c: tensor<2xui64>, %d: tensor<2xi64>, %e: tensor<2xi4>)
    -> (tensor<3xi32>, tensor<2xui8>, tensor<2xui64>, tensor<2xi64>, tensor<2xi4>) {
  return %a, %b, %c, %d, %e : tensor<3xi32>, tensor<2xui8>, tensor<2xui64>, tensor<2xi64>, tensor<2xi4>
}
func.func @empty(%a: tensor<0x3xf32>) -> tensor<0x3xf32> {
  return %a : tensor<0x3xf32>
}
func.func @tuples(%a: tuple<tensor<f32>, tuple<!xla.token, tensor<2xi32>>>, %b: tensor<i1>)
    -> (tensor<i1>, tuple<tensor<f32>, tuple<!xla.token, tensor<2xi32>>>) {
  return %b, %a : tensor<i1>, tuple<tensor<f32>, tuple<!xla.token, tensor<2xi32>>>
}
