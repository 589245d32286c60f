// A function that is called at one place, where its caller calls nothing else, is part of that caller.
// RUN: xla-opt %s --xla-affine-to-llvm | FileCheck %s

// Calls that follow from each other all end in the first function.
// CHECK-LABEL: llvm.func @chain(
// CHECK-NOT: llvm.call
// CHECK: llvm.fadd
// CHECK-NOT: llvm.call
// CHECK: llvm.return
// CHECK-NOT: @first(
// CHECK-NOT: @second(
func.func @chain(%a: memref<f32>) {
  call @first(%a) : (memref<f32>) -> ()
  return
}
func.func private @first(%a: memref<f32>) {
  %x = call @second(%a) : (memref<f32>) -> f32
  memref.store %x, %a[] : memref<f32>
  return
}
func.func private @second(%a: memref<f32>) -> f32 {
  %x = memref.load %a[] : memref<f32>
  %y = arith.addf %x, %x : f32
  return %y : f32
}

// CHECK-LABEL: llvm.func @two(
// CHECK-COUNT-2: llvm.call @{{[ab]}}(
func.func @two(%a: memref<f32>) {
  call @a(%a) : (memref<f32>) -> ()
  call @b(%a) : (memref<f32>) -> ()
  return
}
func.func private @a(%a: memref<f32>) {
  %x = memref.load %a[] : memref<f32>
  %y = arith.mulf %x, %x : f32
  memref.store %y, %a[] : memref<f32>
  return
}
func.func private @b(%a: memref<f32>) {
  %x = memref.load %a[] : memref<f32>
  %y = arith.negf %x : f32
  memref.store %y, %a[] : memref<f32>
  return
}

// Memory of a function in a loop would be taken again in each round.
// CHECK-LABEL: llvm.func @loop(
// CHECK: llvm.call @round(
// CHECK: llvm.func internal @round(
func.func @loop(%a: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    func.call @round(%a) : (memref<f32>) -> ()
  }
  return
}
func.func private @round(%a: memref<f32>) {
  %m = memref.alloca() : memref<4xf32>
  %c0 = arith.constant 0 : index
  %x = memref.load %a[] : memref<f32>
  memref.store %x, %m[%c0] : memref<4xf32>
  return
}

// One that others can see stays; so does one that calls itself.
// CHECK-LABEL: llvm.func @outer(
// CHECK: llvm.call @seen(
// CHECK-LABEL: llvm.func @seen(
// CHECK-LABEL: llvm.func internal @itself(
// CHECK: llvm.call @itself(
func.func @outer(%a: memref<f32>) {
  call @seen(%a) : (memref<f32>) -> ()
  return
}
func.func public @seen(%a: memref<f32>) {
  return
}
func.func private @itself(%a: memref<f32>) {
  call @itself(%a) : (memref<f32>) -> ()
  return
}

// CHECK-LABEL: llvm.func @apart(
// CHECK: llvm.call @kept(
// CHECK: llvm.func internal @kept(
func.func @apart(%a: memref<f32>) {
  call @kept(%a) : (memref<f32>) -> ()
  return
}
func.func private @kept(%a: memref<f32>) attributes {passthrough = ["noinline"]} {
  return
}

// A function of the same name in a module within is another one.
// CHECK-LABEL: module
// CHECK: llvm.func internal @same(
// CHECK-LABEL: llvm.func @other(
// CHECK: llvm.call @same(
module {
  func.func private @same(%a: memref<f32>) {
    return
  }
}
func.func private @same(memref<f32>)
func.func @other(%a: memref<f32>) {
  call @same(%a) : (memref<f32>) -> ()
  return
}
