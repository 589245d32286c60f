// Specification 000, RngBitGenerator.
// RUN: xla-opt %s --split-input-file --verify-diagnostics | xla-opt --split-input-file | FileCheck %s
// RUN: xla-opt %s --split-input-file --verify-diagnostics --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @forms
// CHECK: %{{.*}}:2 = xla.rng_bit_generator %arg0 {rng_algorithm = "DEFAULT"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui8>)
// CHECK: xla.rng_bit_generator %arg1 {rng_algorithm = "PHILOX"} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<bf16>)
// CHECK: xla.rng_bit_generator %arg2 {rng_algorithm = "THREE_FRY"} : (tensor<4xui32>) -> (tensor<4xui32>, tensor<0x7xi4>)
func.func @forms(%a: tensor<2xui64>, %b: tensor<3xui64>, %c: tensor<4xui32>) {
  %0:2 = xla.rng_bit_generator %a {rng_algorithm = "DEFAULT"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui8>)
  %1:2 = xla.rng_bit_generator %b {rng_algorithm = "PHILOX"} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<bf16>)
  %2:2 = "xla.rng_bit_generator"(%c) <{rng_algorithm = "THREE_FRY"}> : (tensor<4xui32>) -> (tensor<4xui32>, tensor<0x7xi4>)
  return
}

// -----

// The generators' authors publish these.
// FOLD-LABEL: @known_answers
// FOLD-DAG: dense<[1713891541, -513161843, -1135104948, -1694442536]> : tensor<4xi32>
// FOLD-DAG: dense<[1083123565, 1103641358, -1576286266, 1834242557]> : tensor<4xi32>
// FOLD-DAG: dense<[1797259609, -1715843330]> : tensor<2xi32>
// FOLD-DAG: dense<[481924860, -1157616665]> : tensor<2xi32>
// FOLD-NOT: xla.rng_bit_generator
func.func @known_answers() -> (tensor<4xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>) {
  %zeros3 = xla.constant dense<0> : tensor<3xui64>
  %ones3 = xla.constant dense<18446744073709551615> : tensor<3xui64>
  %zeros2 = xla.constant dense<0> : tensor<2xui64>
  %ones2 = xla.constant dense<18446744073709551615> : tensor<2xui64>
  %s0, %0 = xla.rng_bit_generator %zeros3 {rng_algorithm = "PHILOX"} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xi32>)
  %s1, %1 = xla.rng_bit_generator %ones3 {rng_algorithm = "PHILOX"} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xi32>)
  %s2, %2 = xla.rng_bit_generator %zeros2 {rng_algorithm = "THREE_FRY"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xi32>)
  %s3, %3 = xla.rng_bit_generator %ones2 {rng_algorithm = "THREE_FRY"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xi32>)
  return %0, %1, %2, %3 : tensor<4xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>
}

// -----

// A counter of 128 bits carries; one of 64 bits wraps. A block has four words of 32 bits.
// FOLD-LABEL: @next_states
// FOLD-DAG: dense<[7, 0, 9]> : tensor<3xui64>
// FOLD-DAG: dense<[7, 1]> : tensor<2xui64>
// FOLD-DAG: dense<[7, 4]> : tensor<2xui64>
// FOLD-DAG: dense<[7, 0, 3, 0]> : tensor<4xui32>
// FOLD-NOT: xla.rng_bit_generator
func.func @next_states() -> (tensor<3xui64>, tensor<2xui64>, tensor<2xui64>, tensor<4xui32>) {
  %a = xla.constant dense<[7, 18446744073709551615, 8]> : tensor<3xui64>
  %b = xla.constant dense<[7, 18446744073709551615]> : tensor<2xui64>
  %c = xla.constant dense<[7, 0]> : tensor<2xui64>
  %d = xla.constant dense<[7, 0, 0, 0]> : tensor<4xui32>
  %0:2 = xla.rng_bit_generator %a {rng_algorithm = "PHILOX"} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<ui8>)
  %1:2 = xla.rng_bit_generator %b {rng_algorithm = "PHILOX"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xf64>)
  %2:2 = xla.rng_bit_generator %c {rng_algorithm = "THREE_FRY"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7x1xui16>)
  %3:2 = xla.rng_bit_generator %d {rng_algorithm = "DEFAULT"} : (tensor<4xui32>) -> (tensor<4xui32>, tensor<11xf32>)
  return %0#0, %1#0, %2#0, %3#0 : tensor<3xui64>, tensor<2xui64>, tensor<2xui64>, tensor<4xui32>
}

// -----

// No numbers leave the state as it is.
// FOLD-LABEL: @empty
// FOLD: %[[S:.*]] = xla.constant dense<[18446744073709551615, 18446744073709551614]> : tensor<2xui64>
// FOLD: return %[[S]], %[[S]]
func.func @empty() -> (tensor<2xui64>, tensor<2xui64>, tensor<3x0xui32>, tensor<0xui8>) {
  %a = xla.constant dense<[18446744073709551615, 18446744073709551614]> : tensor<2xui64>
  %0:2 = xla.rng_bit_generator %a {rng_algorithm = "PHILOX"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x0xui32>)
  %1:2 = xla.rng_bit_generator %a {rng_algorithm = "THREE_FRY"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<0xui8>)
  return %0#0, %1#0, %0#1, %1#1 : tensor<2xui64>, tensor<2xui64>, tensor<3x0xui32>, tensor<0xui8>
}

// -----

func.func @rng_bit_generator_c1(%s: tensor<2xui64>) {
  // expected-error@+1 {{result 0 is stated as tensor<3xui64>, but is tensor<2xui64> [result]}}
  %0:2 = xla.rng_bit_generator %s {rng_algorithm = "PHILOX"} : (tensor<2xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2(%s: tensor<3xui64>) {
  // expected-error@+1 {{the state is tensor<3xui64>, must be tensor<2xui64> or tensor<4xui32> [rng_bit_generator_c2]}}
  %0:2 = xla.rng_bit_generator %s {rng_algorithm = "THREE_FRY"} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2_rank(%s: tensor<2x1xui64>) {
  // expected-error@+1 {{the state is tensor<2x1xui64>, must be tensor<2xui64>, tensor<3xui64> or tensor<4xui32> [rng_bit_generator_c2]}}
  %0:2 = xla.rng_bit_generator %s {rng_algorithm = "PHILOX"} : (tensor<2x1xui64>) -> (tensor<2x1xui64>, tensor<4xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2_size(%s: tensor<2xui32>) {
  // expected-error@+1 {{the state is tensor<2xui32>, must be tensor<2xui64>, tensor<3xui64> or tensor<4xui32> [rng_bit_generator_c2]}}
  %0:2 = xla.rng_bit_generator %s {rng_algorithm = "DEFAULT"} : (tensor<2xui32>) -> (tensor<2xui32>, tensor<4xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2_type(%s: tensor<2xi64>) {
  // expected-error@+1 {{takes unsigned elements, not s64 [element_type]}}
  %0:2 = xla.rng_bit_generator %s {rng_algorithm = "DEFAULT"} : (tensor<2xi64>) -> (tensor<2xi64>, tensor<4xui32>)
  return
}

// -----

func.func @rng_bit_generator_c3(%s: tensor<2xui64>) {
  // expected-error@+1 {{gives bits of pred, must be those of an integer, f16, bf16, f32 or f64 [rng_bit_generator_c3]}}
  %0:2 = xla.rng_bit_generator %s {rng_algorithm = "DEFAULT"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xi1>)
  return
}

// -----

func.func @rng_bit_generator_c3_small(%s: tensor<2xui64>) {
  // expected-error@+1 {{gives bits of f8e5m2, must be those of an integer, f16, bf16, f32 or f64 [rng_bit_generator_c3]}}
  %0:2 = xla.rng_bit_generator %s {rng_algorithm = "DEFAULT"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xf8E5M2>)
  return
}

// -----

func.func @rng_bit_generator_algorithm(%s: tensor<2xui64>) {
  // expected-error@+1 {{attribute 'rng_algorithm' is "PCG", must be one of "DEFAULT|THREE_FRY|PHILOX" [attribute]}}
  %0:2 = xla.rng_bit_generator %s {rng_algorithm = "PCG"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}
