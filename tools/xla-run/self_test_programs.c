//===- self_test_programs.c - Programs that no generator makes ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What random programs have seldom or not at all: matrices that have factors,
// complex numbers of which results are finite, long lines to sort, many updates
// of one element, narrow types beside each other.
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-run/run.h"

#include <stdio.h>
#include <string.h>

typedef struct Program {
  const char *name, *text;
} Program;

#define SUM(T)                                                                 \
  "({\n  ^bb0(%p: tensor<" T ">, %q: tensor<" T ">):\n"                        \
  "    %t = xla.add %p, %q : tensor<" T ">\n"                                  \
  "    xla.return %t : tensor<" T ">\n  })"

/// A row of a square matrix times its transpose, to which `n` is added on the
/// diagonal, has factors.
#define CHOLESKY(T, n)                                                         \
  "func.func @main(%x: tensor<2x70x70x" T ">, %b: tensor<2x70x3x" T ">)"       \
  " -> (tensor<2x70x70x" T ">, tensor<2x70x3x" T ">) {\n"                      \
  "  %i = xla.iota {iota_dimension = 0} : tensor<70x70xi32>\n"                 \
  "  %j = xla.iota {iota_dimension = 1} : tensor<70x70xi32>\n"                 \
  "  %e = xla.compare %i, %j {comparison_direction = \"EQ\"} :"                \
  " (tensor<70x70xi32>, tensor<70x70xi32>) -> tensor<70x70xi1>\n"              \
  "  %c = xla.convert %e : (tensor<70x70xi1>) -> tensor<70x70x" T ">\n"        \
  "  %n = xla.constant dense<" n "> : tensor<" T ">\n"                         \
  "  %d = xla.multiply %c, %n : (tensor<70x70x" T ">, tensor<" T ">) ->"       \
  " tensor<70x70x" T ">\n"                                                     \
  "  %s = xla.broadcast %d {broadcast_sizes = [2]} : (tensor<70x70x" T ">)"    \
  " -> tensor<2x70x70x" T ">\n"                                                \
  "  %t = xla.triangular_solve %s, %x {left_side = true, lower = true,"        \
  " unit_diagonal = false, transpose_a = \"NO_TRANSPOSE\"} :"                  \
  " (tensor<2x70x70x" T ">, tensor<2x70x70x" T ">) -> tensor<2x70x70x" T ">\n" \
  "  %a = xla.add %t, %s : tensor<2x70x70x" T ">\n"                            \
  "  %l = xla.cholesky %a {lower = true} : tensor<2x70x70x" T ">\n"            \
  "  %y = xla.triangular_solve %l, %b {left_side = true, lower = true,"        \
  " unit_diagonal = false, transpose_a = \"ADJOINT\"} :"                       \
  " (tensor<2x70x70x" T ">, tensor<2x70x3x" T ">) -> tensor<2x70x3x" T ">\n"   \
  "  return %l, %y : tensor<2x70x70x" T ">, tensor<2x70x3x" T ">\n}\n"

#define TRANSFORMS(C, R)                                                       \
  "func.func @main(%x: tensor<5x60x" C ">, %y: tensor<3x97x" R ">)"            \
  " -> (tensor<5x60x" C ">, tensor<5x60x" C ">, tensor<3x49x" C ">,"           \
  " tensor<3x97x" R ">) {\n"                                                   \
  "  %0 = xla.fft %x {fft_type = \"FFT\", fft_length = [60]} :"                \
  " (tensor<5x60x" C ">) -> tensor<5x60x" C ">\n"                              \
  "  %1 = xla.fft %x {fft_type = \"IFFT\", fft_length = [5, 60]} :"            \
  " (tensor<5x60x" C ">) -> tensor<5x60x" C ">\n"                              \
  "  %2 = xla.fft %y {fft_type = \"RFFT\", fft_length = [97]} :"               \
  " (tensor<3x97x" R ">) -> tensor<3x49x" C ">\n"                              \
  "  %3 = xla.fft %2 {fft_type = \"IRFFT\", fft_length = [97]} :"              \
  " (tensor<3x49x" C ">) -> tensor<3x97x" R ">\n"                              \
  "  return %0, %1, %2, %3 : tensor<5x60x" C ">, tensor<5x60x" C ">,"          \
  " tensor<3x49x" C ">, tensor<3x97x" R ">\n}\n"

#define FUNCTIONS(C)                                                           \
  "func.func @main(%x: tensor<333x" C ">, %y: tensor<333x" C ">)"              \
  " -> (tensor<333x" C ">, tensor<333x" C ">, tensor<333x" C ">,"              \
  " tensor<333x" C ">, tensor<333x" C ">) {\n"                                 \
  "  %0 = xla.multiply %x, %y : tensor<333x" C ">\n"                           \
  "  %1 = xla.exponential %x : tensor<333x" C ">\n"                            \
  "  %2 = xla.log %x : tensor<333x" C ">\n"                                    \
  "  %3 = xla.sqrt %x : tensor<333x" C ">\n"                                   \
  "  %4 = xla.tanh %x : tensor<333x" C ">\n"                                   \
  "  return %0, %1, %2, %3, %4 : tensor<333x" C ">, tensor<333x" C ">,"        \
  " tensor<333x" C ">, tensor<333x" C ">, tensor<333x" C ">\n}\n"

#define SORT(T, options)                                                       \
  "func.func @main(%x: tensor<3x5000x" T ">) -> (tensor<3x5000x" T ">,"        \
  " tensor<3x5000xi32>) {\n"                                                   \
  "  %i = xla.iota {iota_dimension = 1} : tensor<3x5000xi32>\n"                \
  "  %0, %1 = xla.sort(%x, %i) ({\n"                                           \
  "  ^bb0(%p: tensor<" T ">, %q: tensor<" T ">, %v: tensor<i32>,"              \
  " %w: tensor<i32>):\n"                                                       \
  "    %s = xla.compare %p, %q {comparison_direction = \"LT\"" options "} :"   \
  " (tensor<" T ">, tensor<" T ">) -> tensor<i1>\n"                            \
  "    xla.return %s : tensor<i1>\n"                                           \
  "  }) {dimension = 1} : (tensor<3x5000x" T ">, tensor<3x5000xi32>) ->"       \
  " (tensor<3x5000x" T ">, tensor<3x5000xi32>)\n"                              \
  "  return %0, %1 : tensor<3x5000x" T ">, tensor<3x5000xi32>\n}\n"

#define SCATTER(T)                                                             \
  "func.func @main(%x: tensor<40x7x" T ">, %y: tensor<300x7x" T ">)"           \
  " -> tensor<40x7x" T "> {\n"                                                 \
  "  %n = xla.iota {iota_dimension = 0} : tensor<300xi32>\n"                   \
  "  %k = xla.constant dense<43> : tensor<i32>\n"                              \
  "  %i = xla.remainder %n, %k : (tensor<300xi32>, tensor<i32>) ->"            \
  " tensor<300xi32>\n"                                                         \
  "  %0 = xla.scatter(%x, %i, %y) " SUM(                                       \
      T) " {update_window_dims = [1], inserted_window_dims = [0],"             \
         " scatter_dims_to_operand_dims = [0], index_vector_dim = 1} :"        \
         " (tensor<40x7x" T ">, tensor<300xi32>, tensor<300x7x" T ">) ->"      \
         " tensor<40x7x" T ">\n"                                               \
         "  return %0 : tensor<40x7x" T ">\n}\n"

#define TOTAL ", compare_type = \"TOTALORDER\""

static const Program programs[] = {
    {"Cholesky, f32", CHOLESKY("f32", "7.0e1")},
    {"Cholesky, f64", CHOLESKY("f64", "7.0e1")},
    {"Cholesky, c64", CHOLESKY("complex<f32>", "(7.0e1, 0.0)")},
    {"Fourier transforms, c64", TRANSFORMS("complex<f32>", "f32")},
    {"Fourier transforms, c128", TRANSFORMS("complex<f64>", "f64")},
    {"functions, c64", FUNCTIONS("complex<f32>")},
    {"functions, c128", FUNCTIONS("complex<f64>")},
    {"sort, f32", SORT("f32", TOTAL)},
    {"sort, f8e5m2", SORT("f8E5M2", TOTAL)},
    {"sort, u64", SORT("ui64", "")},
    {"sort, s4", SORT("i4", "")},
    {"scatter, f32", SCATTER("f32")},
    {"scatter, s64", SCATTER("i64")},
    {"scatter, s8", SCATTER("i8")},
    {"scatter, s4", SCATTER("i4")},
    {"scatter, c64", SCATTER("complex<f32>")},
    {"the largest, f32",
     "func.func @main(%x: tensor<3x5000xf32>) -> (tensor<3x9xf32>,"
     " tensor<3x9xi32>) {\n"
     "  %0, %1 = xla.top_k %x {k = 9} : (tensor<3x5000xf32>) ->"
     " (tensor<3x9xf32>, tensor<3x9xi32>)\n"
     "  return %0, %1 : tensor<3x9xf32>, tensor<3x9xi32>\n}\n"},
    {"random bits, u8 and s4",
     "func.func @main() -> (tensor<2xui64>, tensor<300xui8>,"
     " tensor<300xi4>) {\n"
     "  %s = xla.constant dense<[3, 5]> : tensor<2xui64>\n"
     "  %0, %1 = xla.rng_bit_generator %s {rng_algorithm = \"PHILOX\"} :"
     " (tensor<2xui64>) -> (tensor<2xui64>, tensor<300xui8>)\n"
     "  %2, %3 = xla.rng_bit_generator %0 {rng_algorithm = \"THREE_FRY\"} :"
     " (tensor<2xui64>) -> (tensor<2xui64>, tensor<300xi4>)\n"
     "  return %2, %1, %3 : tensor<2xui64>, tensor<300xui8>,"
     " tensor<300xi4>\n}\n"},
    {"products, narrow types",
     "func.func @main(%x: tensor<33x70xf8E4M3FN>, %y: tensor<70x20xf8E5M2>,"
     " %a: tensor<33x70xi4>, %b: tensor<70x20xi4>) -> (tensor<33x20xf32>,"
     " tensor<33x20xi32>) {\n"
     "  %0 = xla.dot_general %x, %y {lhs_contracting_dimensions = [1],"
     " rhs_contracting_dimensions = [0]} : (tensor<33x70xf8E4M3FN>,"
     " tensor<70x20xf8E5M2>) -> tensor<33x20xf32>\n"
     "  %1 = xla.dot_general %a, %b {lhs_contracting_dimensions = [1],"
     " rhs_contracting_dimensions = [0]} : (tensor<33x70xi4>,"
     " tensor<70x20xi4>) -> tensor<33x20xi32>\n"
     "  return %0, %1 : tensor<33x20xf32>, tensor<33x20xi32>\n}\n"},
};
enum { nPrograms = sizeof programs / sizeof *programs };

void xlaRunTestPrograms(XlaRun *run, const XlaRunDevice *device,
                        MlirContext context, XlaRunCounts *counts) {
  printf("\nprograms\n");
  for (int i = 0; i < nPrograms && !ferror(stdout); ++i) {
    char why[512] = "";
    printf("%-25s", programs[i].name);
    fflush(stdout);
    xlaToolClockSetSubject(run->clock, programs[i].name);
    MlirModule module = mlirModuleCreateParse(
        context, mlirStringRefCreateFromCString(programs[i].text));
    XlaToolCode code = mlirModuleIsNull(module)
                           ? XlaToolCodeFailed
                           : xlaRunTestModule(run, device, module, why);
    printf("%6s%s%s\n", xlaRunCountsAdd(counts, code), *why ? "  " : "", why);
    if (!mlirModuleIsNull(module))
      mlirModuleDestroy(module);
  }
}
