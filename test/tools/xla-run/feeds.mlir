// Infeeds are read in the order of the operations, outfeeds printed before the results.
// RUN: xla-run %s --entry=infeed --infeed="2xf32=1 2" --infeed=s32=3 --infeed=pred=true --expected-output="2xf32=1 2" --expected-output=s32=3 --expected-output=pred=true | count 3
// RUN: xla-run %s --entry=empty | count 0
// RUN: xla-run %s --entry=loops --infeed=s32=1 --infeed=s32=2 --infeed=s32=10 --infeed=s32=5 --expected-output=s32=8 --expected-output=s32=1015
// RUN: xla-run %s --entry=outfeed --input="2xf32=1 2" | FileCheck %s --check-prefix=OUTFEED
// OUTFEED: {{^}}outfeed 2xf32=1 2{{$}}
// OUTFEED-NEXT: {{^}}outfeed s32=0{{$}}
// OUTFEED-NEXT: {{^}}outfeed 2xf32=1 2{{$}}
// OUTFEED-NEXT: {{^}}outfeed s32=1{{$}}
// OUTFEED-NEXT: {{^}}s32=2{{$}}
// OUTFEED-NOT: {{.}}
// RUN: xla-run %s --entry=outfeed --input="2xf32=1 2" --outfeed=@%t.npy --outfeed=none --outfeed=- --outfeed=none --output=none | FileCheck %s --check-prefix=FILES
// FILES: {{^}}outfeed 2xf32=1 2{{$}}
// `none` holds for what follows too, of which there is no end in a loop; what is printed does not.
// RUN: xla-run %s --entry=outfeed --input="2xf32=1 2" --outfeed=none --output=none | count 0
// RUN: xla-run %s --entry=outfeed --input="2xf32=1 2" --outfeed=- --outfeed=none --output=none | FileCheck %s --check-prefix=FIRST
// RUN: xla-run %s --entry=outfeed --input="2xf32=1 2" --outfeed=none --outfeed=- --output=none | FileCheck %s --check-prefix=REST
// FIRST: {{^}}outfeed 2xf32=1 2{{$}}
// FIRST-NOT: outfeed
// REST-COUNT-3: {{^}}outfeed
// REST-NOT: outfeed
// FILES-NOT: {{.}}
// RUN: xla-run %s --entry=same --input=@%t.npy --expected-output="2xf32=1 2" --expected-output="2xf32=1 2"
// Arrays from files and random ones.
// RUN: xla-run %s --entry=pair --infeed=@%t.npy --infeed=random:3 --output=- --output=none | FileCheck %s --check-prefix=PAIR
// PAIR: {{^}}2xf32=1 2{{$}}
// Every replica has its own feeds.
// RUN: xla-run %s --entry=echo --replicas=2 --infeed=f32=1 --infeed=f32=2 | FileCheck %s --check-prefix=REPLICAS
// REPLICAS: replica 0:
// REPLICAS-NEXT: outfeed f32=1
// REPLICAS-NEXT: replica 1:
// REPLICAS-NEXT: outfeed f32=2
// RUN: not xla-run %s --entry=infeed --infeed="2xf32=1 2" 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: error: 'xla.infeed' op takes s32 from the infeed, which has given all its 1 values
// RUN: not xla-run %s --entry=infeed --infeed="2xf32=1 2" --infeed=f32=3 --infeed=pred=true 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: 'xla.infeed' op takes s32 from the infeed, whose value 1 is f32
// RUN: not xla-run %s --entry=infeed --infeed="2xf32=1 2 3" 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: 'xla.infeed' op cannot read value 0 of the infeed:
// RUN: not xla-run %s --entry=empty --infeed=f32=1 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: xla-run: --infeed is given 1 times, 1 of the values were not taken
// RUN: not xla-run %s --entry=empty --outfeed=none 2>&1 | FileCheck %s --check-prefix=OUT
// OUT: xla-run: --outfeed is given 1 times, but 0 arrays were sent out
// RUN: not xla-run %s --entry=empty --outfeed=x.npy 2>&1 | FileCheck %s --check-prefix=WHERE
// WHERE: xla-run: --outfeed=x.npy is neither @FILE.npy, nor -, nor none
// RUN: not xla-run %s --entry=echo --replicas=2 --infeed=f32=1 2>&1 | FileCheck %s --check-prefix=EVEN
// EVEN: xla-run: --infeed is given 1 times for 2 processes
// Compiled programs take the same options, and say the same.
// RUN: xla-run %s --entry=infeed --infeed="2xf32=1 2" --infeed=s32=3 --infeed=pred=true --device=all --expected-output="2xf32=1 2" --expected-output=s32=3 --expected-output=pred=true | count 3
// RUN: xla-run %s --entry=empty --device=all | count 0
// RUN: xla-run %s --entry=loops --device=all --infeed=s32=1 --infeed=s32=2 --infeed=s32=10 --infeed=s32=5 --expected-output=s32=8 --expected-output=s32=1015
// RUN: xla-run %s --entry=outfeed --input="2xf32=1 2" --device=cpu | FileCheck %s --check-prefix=OUTFEED
// RUN: xla-run %s --entry=outfeed --input="2xf32=1 2" --device=all | FileCheck %s --check-prefix=OUTFEED
// RUN: xla-run %s --entry=outfeed --input="2xf32=1 2" --device=cpu --outfeed=@%t.cpu.npy --outfeed=none --outfeed=- --outfeed=none --output=none | FileCheck %s --check-prefix=FILES
// RUN: cmp %t.npy %t.cpu.npy
// RUN: xla-run %s --entry=pair --device=all --infeed=@%t.npy --infeed=random:3 --output=- --output=none | FileCheck %s --check-prefix=PAIR
// RUN: not xla-run %s --entry=infeed --device=cpu --infeed="2xf32=1 2" 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not xla-run %s --entry=infeed --device=cpu --infeed="2xf32=1 2" --infeed=f32=3 --infeed=pred=true 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not xla-run %s --entry=infeed --device=cpu --infeed="2xf32=1 2 3" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not xla-run %s --entry=empty --device=cpu --infeed=f32=1 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not xla-run %s --entry=empty --device=cpu --outfeed=none 2>&1 | FileCheck %s --check-prefix=OUT
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=echo > %t.interpreter
// RUN: sh %S/Inputs/code.sh xla-run %s --entry=echo --device=cpu | diff %t.interpreter -
// A loop that waits for what does not come ends.
// RUN: not xla-run %s --entry=wait --device=cpu --infeed=pred=true --infeed=pred=true 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: not xla-run %s --entry=wait --infeed=pred=true --infeed=pred=true 2>&1 | FileCheck %s --check-prefix=WAIT
// WAIT: error: 'xla.infeed' op takes pred from the infeed, which has given all its 2 values
// WAIT-NOT: error

func.func @infeed() -> (tuple<tensor<2xf32>, tensor<i32>>, tensor<i1>) {
  %0 = xla.infeed : () -> tuple<tensor<2xf32>, tensor<i32>>
  %k = xla.create_token : () -> !xla.token
  %1:2 = xla.infeed %k : (!xla.token) -> (tensor<i1>, !xla.token)
  return %0, %1#0 : tuple<tensor<2xf32>, tensor<i32>>, tensor<i1>
}
func.func @empty() {
  %0 = xla.infeed : () -> tuple<>
  return
}
// The loops that the specification orders by their values: both read until they have seen enough.
func.func @loops() -> (tensor<i32>, tensor<i32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %five = xla.constant dense<5> : tensor<i32>
  %result1 = xla.while(%zero) ({
  ^bb0(%i: tensor<i32>):
    %limit = xla.constant dense<3> : tensor<i32>
    %c = xla.compare %i, %limit {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>):
    %x = xla.infeed : () -> tensor<i32>
    %n = xla.add %i, %x : tensor<i32>
    xla.return %n : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %thousand = xla.constant dense<1000> : tensor<i32>
  %result2:2 = xla.while(%thousand, %result1) ({
  ^bb0(%sum: tensor<i32>, %i: tensor<i32>):
    %c = xla.compare %i, %five {comparison_direction = "LE"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %r = xla.compare %i, %five {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %or = xla.or %c, %r : tensor<i1>
    xla.return %or : tensor<i1>
  }, {
  ^bb0(%sum: tensor<i32>, %i: tensor<i32>):
    %a = xla.infeed : () -> tensor<i32>
    %b = xla.infeed : () -> tensor<i32>
    %s1 = xla.add %sum, %a : tensor<i32>
    %s2 = xla.add %s1, %b : tensor<i32>
    %n = xla.add %i, %five : tensor<i32>
    xla.return %s2, %n : tensor<i32>, tensor<i32>
  }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %result2#1, %result2#0 : tensor<i32>, tensor<i32>
}
func.func @outfeed(%x: tensor<2xf32>) -> tensor<i32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %k = xla.create_token : () -> !xla.token
  %w:2 = xla.while(%zero, %k) ({
  ^bb0(%i: tensor<i32>, %t: !xla.token):
    %two = xla.constant dense<2> : tensor<i32>
    %c = xla.compare %i, %two {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %t: !xla.token):
    %one = xla.constant dense<1> : tensor<i32>
    %pair = xla.tuple %x, %i : (tensor<2xf32>, tensor<i32>) -> tuple<tensor<2xf32>, tensor<i32>>
    %t1 = xla.outfeed %pair, %t : (tuple<tensor<2xf32>, tensor<i32>>, !xla.token) -> !xla.token
    %n = xla.add %i, %one : tensor<i32>
    xla.return %n, %t1 : tensor<i32>, !xla.token
  }) : (tensor<i32>, !xla.token) -> (tensor<i32>, !xla.token)
  return %w#0 : tensor<i32>
}
func.func @same(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  return %x, %x : tensor<2xf32>, tensor<2xf32>
}
func.func @pair() -> (tensor<2xf32>, tensor<3xi8>) {
  %0:2 = xla.infeed : () -> (tensor<2xf32>, tensor<3xi8>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<3xi8>
}
func.func @wait() {
  %first = xla.infeed : () -> tensor<i1>
  %0 = xla.while(%first) ({
  ^bb0(%go: tensor<i1>):
    xla.return %go : tensor<i1>
  }, {
  ^bb0(%go: tensor<i1>):
    %next = xla.infeed : () -> tensor<i1>
    xla.return %next : tensor<i1>
  }) : (tensor<i1>) -> tensor<i1>
  return
}
func.func @echo() {
  %0 = xla.infeed : () -> tensor<f32>
  xla.outfeed %0 : (tensor<f32>) -> ()
  return
}
