# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program for each operation and element type: a private function in text. `$T` is the element type, `$R` that of the
real parts, `$zero`, `$one` and `$two` are constants of it."""
import re
import sys


class Element:
    """An element type: its name, that in MLIR, its class (a letter of docs/ops.md), and its bits."""

    def __init__(self, name, mlir, letter, bits):
        self.name, self.mlir, self.letter, self.bits = name, mlir, letter, bits
        self.real = re.sub(r"complex<(.*)>", r"\1", mlir)


SMALL = ["f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2",
         "f8E5M2FNUZ", "f8E8M0FNU"]
ELEMENTS = ([Element("pred", "i1", "p", 1)] +
            [Element(f"s{n}", f"i{n}", "s", n) for n in [2, 4, 8, 16, 32, 64]] +
            [Element(f"u{n}", f"ui{n}", "u", n) for n in [2, 4, 8, 16, 32, 64]] +
            [Element(name.lower(), name, "f", int(name[1])) for name in SMALL] +
            [Element(name, name, "f", bits) for name, bits in [("f16", 16), ("bf16", 16), ("f32", 32), ("f64", 64)]] +
            [Element("c64", "complex<f32>", "c", 64), Element("c128", "complex<f64>", "c", 128)])
LARGE = "f16|bf16|f32|f64"  # floats of a size that operations with wholes bytes take

# What has no elements of its own, or is no operation of compiled programs.
WITHOUT = {"return", "partition_id", "replica_id", "after_all", "create_token", "infeed", "outfeed", "recv", "recv_done",
           "send", "send_done", "custom_call"}

# Programs beyond the elementwise ones: operation, element types (letters, or names between bars), text. Several of one
# operation have a suffix.
TEXTS = {}


def program(names, classes, text):
    TEXTS[names] = classes, text


def one(op, classes, operands, result, attributes="", name=None):
    """A program of one operation without a region."""
    given = operands.split(", ")
    arguments = ", ".join(f"%{chr(97 + i)}: tensor<{kind}>" for i, kind in enumerate(given))
    used = ", ".join(f"%{chr(97 + i)}" for i in range(len(given)))
    kinds = ", ".join(f"tensor<{kind}>" for kind in given)
    program(name or op, classes, f"""({arguments}) -> tensor<{result}> {{
  %0 = xla.{op} {used} {attributes} : ({kinds}) -> tensor<{result}>
  return %0 : tensor<{result}>
}}
""")


def region(op, classes, operands, result, body, attributes, name=None, constants="", arguments=None):
    """A program of one operation with a region that takes two scalars."""
    given = operands.split(", ")
    taken = ", ".join(f"%{chr(97 + i)}: tensor<{kind}>" for i, kind in enumerate(given))
    used = ", ".join(f"%{chr(97 + i)}" for i in range(len(given)))
    kinds = ", ".join(f"tensor<{kind}>" for kind in given)
    program(name or op, classes, f"""({taken}) -> tensor<{result}> {{
{constants}  %r = xla.{op}({used}) ({{
  ^bb0({arguments or '%p: tensor<$T>, %q: tensor<$T>'}):
{body}
  }}) {attributes} : ({kinds}) -> tensor<{result}>
  return %r : tensor<{result}>
}}
""")


ADD = "    %s = xla.add %p, %q : tensor<$T>\n    xla.return %s : tensor<$T>"
MULTIPLY = "    %s = xla.multiply %p, %q : tensor<$T>\n    xla.return %s : tensor<$T>"
SECOND = "    xla.return %q : tensor<$T>"
MAXIMUM = "    %s = xla.maximum %p, %q : tensor<$T>\n    xla.return %s : tensor<$T>"
LARGER = """    %s = xla.compare %p, %q {comparison_direction = "GE"} : (tensor<$T>, tensor<$T>) -> tensor<i1>
    xla.return %s : tensor<i1>"""
# Complex numbers are ordered by their real parts, then by the imaginary ones.
BEFORE = """    %pr = xla.real %p : (tensor<$T>) -> tensor<$R>
    %qr = xla.real %q : (tensor<$T>) -> tensor<$R>
    %pi = xla.imag %p : (tensor<$T>) -> tensor<$R>
    %qi = xla.imag %q : (tensor<$T>) -> tensor<$R>
    %l = xla.compare %pr, %qr {comparison_direction = "LT"} : (tensor<$R>, tensor<$R>) -> tensor<i1>
    %e = xla.compare %pr, %qr {comparison_direction = "EQ"} : (tensor<$R>, tensor<$R>) -> tensor<i1>
    %m = xla.compare %pi, %qi {comparison_direction = "LT"} : (tensor<$R>, tensor<$R>) -> tensor<i1>
    %n = xla.and %e, %m : tensor<i1>
    %s = xla.or %l, %n : tensor<i1>
    xla.return %s : tensor<i1>"""
ARITHMETIC, ORDERED, ALL = "psufc", "psuf", "psufc"

one("clamp", "psufc", "$T, 5x37x$T, $T", "5x37x$T")
one("select", ALL, "5x37xi1, 5x37x$T, 5x37x$T", "5x37x$T")
one("select", ALL, "i1, 5x37x$T, 5x37x$T", "5x37x$T", name="select_scalar")
one("compare", ALL, "5x37x$T, 5x37x$T", "5x37xi1", '{comparison_direction = "EQ"}')
one("compare", ORDERED, "5x37x$T, 37x$T", "5x37xi1", '{comparison_direction = "LT", broadcast_dimensions = [1]}',
    "compare_less")
one("compare", "f", "5x37x$T, 5x37x$T", "5x37xi1", '{comparison_direction = "GE", compare_type = "TOTALORDER"}',
    "compare_total")
one("complex", "|f32|f64|", "5x37x$T, 5x37x$T", "5x37xcomplex<$T>")
one("reduce_precision", "f", "5x37x$T", "5x37x$T", "{exponent_bits = 4, mantissa_bits = 2}")
one("broadcast", ALL, "3x7x$T", "2x3x7x$T", "{broadcast_sizes = [2]}")
one("collapse", ALL, "4x2x3x$T", "4x6x$T", "{dimensions = [1, 2]}")
one("bitcast", ALL, "6x5x$T", "6x5x$T, #xla.array<minor_to_major = [0, 1]>")
program("constant", ALL, """() -> (tensor<$T>, tensor<3x$T>) {
  %0 = xla.constant dense<$two> : tensor<$T>
  %1 = xla.constant dense<[$zero, $one, $two]> : tensor<3x$T>
  return %0, %1 : tensor<$T>, tensor<3x$T>
}
""")
program("iota", "sufc", """() -> (tensor<7x5x$T>, tensor<300x$T>) {
  %0 = xla.iota {iota_dimension = 0} : tensor<7x5x$T>
  %1 = xla.iota {iota_dimension = 0} : tensor<300x$T>
  return %0, %1 : tensor<7x5x$T>, tensor<300x$T>
}
""")
one("broadcast_in_dim", ALL, "7x1x$T", "7x2x9x$T", "{broadcast_dimensions = [0, 2]}")
one("concatenate", ALL, "7x5x$T, 7x3x$T", "7x8x$T", "{dimension = 1}")
one("pad", ALL, "7x5x$T, $T", "16x6x$T",
    "{edge_padding_low = [1, -1], edge_padding_high = [2, 2], interior_padding = [1, 0]}")
one("reshape", ALL, "6x10x$T", "4x15x$T")
one("reverse", ALL, "6x10x$T", "6x10x$T", "{dimensions = [1, 0]}")
one("roll", ALL, "6x10x$T", "6x10x$T", "{shifts = [3, -2], dimensions = [1, 0]}")
one("slice", ALL, "6x10x$T", "3x4x$T", "{start_indices = [1, 2], limit_indices = [6, 10], strides = [2, 2]}")
one("transpose", ALL, "6x10x3x$T", "3x6x10x$T", "{permutation = [2, 0, 1]}")
one("dynamic_slice", ALL, "6x10x$T, i32, i32", "3x4x$T", "{slice_sizes = [3, 4]}")
one("dynamic_update_slice", ALL, "6x10x$T, 3x4x$T, i32, i32", "6x10x$T")
one("get_dimension_size", ALL, "6x10x$T", "i32", "{dimension = 1}")
program("set_dimension_size", "psufc", """(%a: tensor<6x10x$T>) -> tensor<16x$T> {
  %n = xla.constant dense<6> : tensor<i32>
  %0 = xla.set_dimension_size %a, %n {dimension = 1} : (tensor<6x10x$T>, tensor<i32>) -> tensor<6x?x$T, #xla.array<bounds = [?, 10]>>
  %1 = xla.slice %0 {start_indices = [1, 2], limit_indices = [5, 6]} : (tensor<6x?x$T, #xla.array<bounds = [?, 10]>>) -> tensor<4x4x$T>
  %2 = xla.reshape %1 : (tensor<4x4x$T>) -> tensor<16x$T>
  return %2 : tensor<16x$T>
}
""")
one("gather", ALL, "6x10x$T, 5xi32", "5x10x$T",
    "{offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 10]}")
SCATTER = ("{update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
           "index_vector_dim = 1}")
ROWS = "  %b = xla.constant dense<[3, 0, 5, 3, 9]> : tensor<5xi32>\n"


def scatter(name, classes, body):
    program(name, classes, f"""(%a: tensor<6x10x$T>, %c: tensor<5x10x$T>) -> tensor<6x10x$T> {{
{ROWS}  %r = xla.scatter(%a, %b, %c) ({{
  ^bb0(%p: tensor<$T>, %q: tensor<$T>):
{body}
  }}) {SCATTER} : (tensor<6x10x$T>, tensor<5xi32>, tensor<5x10x$T>) -> tensor<6x10x$T>
  return %r : tensor<6x10x$T>
}}
""")


scatter("scatter", ARITHMETIC, ADD)
scatter("scatter_replace", ALL, SECOND)
scatter("scatter_multiply", ARITHMETIC, MULTIPLY)
scatter("scatter_max", ORDERED, MAXIMUM)
program("scatter_two", ARITHMETIC, f"""(%a: tensor<6x10x$T>, %c: tensor<5x10x$T>, %d: tensor<6x10xf32>, %e: tensor<5x10xf32>) -> (tensor<6x10x$T>, tensor<6x10xf32>) {{
{ROWS}  %r, %s = xla.scatter(%a, %d, %b, %c, %e) ({{
  ^bb0(%p: tensor<$T>, %v: tensor<f32>, %q: tensor<$T>, %w: tensor<f32>):
    %0 = xla.add %p, %q : tensor<$T>
    %1 = xla.maximum %v, %w : tensor<f32>
    xla.return %0, %1 : tensor<$T>, tensor<f32>
  }}) {SCATTER} : (tensor<6x10x$T>, tensor<6x10xf32>, tensor<5xi32>, tensor<5x10x$T>, tensor<5x10xf32>) -> (tensor<6x10x$T>, tensor<6x10xf32>)
  return %r, %s : tensor<6x10x$T>, tensor<6x10xf32>
}}
""")


region("associative_scan", ARITHMETIC, "3x37x$T", "3x37x$T", SECOND, "{dimension = 1}")
region("associative_scan", ORDERED, "37x3x$T", "37x3x$T", MAXIMUM, "{dimension = 0, reverse = true}", "associative_scan_reverse")


def sort(name, classes, size, comparator):
    program(name, classes, f"""(%a: tensor<{size}x$T>, %b: tensor<{size}xi32>) -> (tensor<{size}x$T>, tensor<{size}xi32>) {{
  %r, %s = xla.sort(%a, %b) ({{
  ^bb0(%p: tensor<$T>, %q: tensor<$T>, %v: tensor<i32>, %w: tensor<i32>):
{comparator}
  }}) {{dimension = 1, is_stable = true}} : (tensor<{size}x$T>, tensor<{size}xi32>) -> (tensor<{size}x$T>, tensor<{size}xi32>)
  return %r, %s : tensor<{size}x$T>, tensor<{size}xi32>
}}
""")


LESS = """    %s1 = xla.compare %p, %q {comparison_direction = "LT"$order} : (tensor<$T>, tensor<$T>) -> tensor<i1>
    xla.return %s1 : tensor<i1>"""
sort("sort", ORDERED, "3x37", LESS)
sort("sort_long", ORDERED, "2x3000", LESS)
sort("sort_lexicographic", "c", "3x37", BEFORE)
sort("sort_lexicographic_long", "c", "2x3000", BEFORE)
one("sort", "psuf", "3x37x$T", "3x37x$T", "{dimension = 1}", "sort_plain")
program("top_k", "psuf", """(%a: tensor<3x37x$T>) -> (tensor<3x5x$T>, tensor<3x5xi32>) {
  %0, %1 = xla.top_k %a {k = 5} : (tensor<3x37x$T>) -> (tensor<3x5x$T>, tensor<3x5xi32>)
  return %0, %1 : tensor<3x5x$T>, tensor<3x5xi32>
}
""")
one("dot", ARITHMETIC, "5x7x$T, 7x9x$T", "5x9x$T")
one("dot", ARITHMETIC, "33x65x$T, 65x34x$T", "33x34x$T", name="dot_large")
one("dot", ARITHMETIC, "70x$T, 70x$T", "$T", name="dot_vectors")
one("dot_general", ARITHMETIC, "3x5x7x$T, 3x9x7x$T", "3x5x9x$T",
    "{lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]}")
one("convolution", ARITHMETIC, "2x9x8x3x$T, 3x2x3x4x$T", "2x7x7x4x$T",
    "{input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]}")
one("convolution", ARITHMETIC, "2x9x8x4x$T, 3x2x1x8x$T", "2x4x9x8x$T",
    "{window_strides = [2, 1], padding = [0, 0, 1, 1], feature_group_count = 4, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]}",
    "convolution_groups")


def window(name, classes, constant, body):
    program(name, classes, f"""(%a: tensor<2x9x8x$T>) -> (tensor<2x4x7x$T>, tensor<2x9x8x$T>) {{
  %i = xla.constant dense<{constant}> : tensor<$T>
  %r = xla.reduce_window(%a, %i) ({{
  ^bb0(%p: tensor<$T>, %q: tensor<$T>):
{body}
  }}) {{window_dimensions = [1, 3, 2], window_strides = [1, 2, 1]}} : (tensor<2x9x8x$T>, tensor<$T>) -> tensor<2x4x7x$T>
  %s = xla.reduce_window(%a, %i) ({{
  ^bb0(%p: tensor<$T>, %q: tensor<$T>):
{body}
  }}) {{window_dimensions = [1, 9, 1], padding = [0, 0, 8, 0, 0, 0]}} : (tensor<2x9x8x$T>, tensor<$T>) -> tensor<2x9x8x$T>
  return %r, %s : tensor<2x4x7x$T>, tensor<2x9x8x$T>
}}
""")


window("reduce_window", ARITHMETIC, "$zero", ADD)
window("reduce_window_multiply", ARITHMETIC, "$one", MULTIPLY)
window("reduce_window_max", ORDERED, "$one", MAXIMUM)
program("reduce_window_two", ARITHMETIC, """(%a: tensor<2x9x8x$T>, %b: tensor<2x9x8xi32>) -> (tensor<2x4x7x$T>, tensor<2x4x7xi32>) {
  %i = xla.constant dense<$zero> : tensor<$T>
  %j = xla.constant dense<0> : tensor<i32>
  %r, %s = xla.reduce_window(%a, %b, %i, %j) ({
  ^bb0(%p: tensor<$T>, %v: tensor<i32>, %q: tensor<$T>, %w: tensor<i32>):
    %0 = xla.add %p, %q : tensor<$T>
    %1 = xla.maximum %v, %w : tensor<i32>
    xla.return %0, %1 : tensor<$T>, tensor<i32>
  }) {window_dimensions = [1, 3, 2], window_strides = [1, 2, 1]} : (tensor<2x9x8x$T>, tensor<2x9x8xi32>, tensor<$T>, tensor<i32>) -> (tensor<2x4x7x$T>, tensor<2x4x7xi32>)
  return %r, %s : tensor<2x4x7x$T>, tensor<2x4x7xi32>
}
""")
COMPLEX_LARGER = BEFORE.replace("    %s =", "    %t =").replace("    xla.return %s", "    %s = xla.not %t : tensor<i1>\n    xla.return %s")


def select_and_scatter(name, classes, select):
    """Windows lie apart: sums of narrow floats are rounded once, where the interpreter rounds each time."""
    program(name, classes, f"""(%a: tensor<2x9x8x$T>, %b: tensor<2x3x4x$T>) -> tensor<2x9x8x$T> {{
  %i = xla.constant dense<$one> : tensor<$T>
  %r = xla.select_and_scatter(%a, %b, %i) ({{
  ^bb0(%p: tensor<$T>, %q: tensor<$T>):
{select}
  }}, {{
  ^bb0(%p: tensor<$T>, %q: tensor<$T>):
{ADD}
  }}) {{window_dimensions = [1, 3, 2], window_strides = [1, 3, 2]}} : (tensor<2x9x8x$T>, tensor<2x3x4x$T>, tensor<$T>) -> tensor<2x9x8x$T>
  return %r : tensor<2x9x8x$T>
}}
""")


select_and_scatter("select_and_scatter", ORDERED, LARGER)
select_and_scatter("select_and_scatter_complex", "c", COMPLEX_LARGER)
program("batch_norm_training", "f", """(%x: tensor<8x3x5x$T>, %scale: tensor<3x$T>, %offset: tensor<3x$T>) -> (tensor<8x3x5x$T>, tensor<3x$T>, tensor<3x$T>) {
  %0, %1, %2 = xla.batch_norm_training %x, %scale, %offset {epsilon = 1.0e-3 : f32, feature_index = 1} : (tensor<8x3x5x$T>, tensor<3x$T>, tensor<3x$T>) -> (tensor<8x3x5x$T>, tensor<3x$T>, tensor<3x$T>)
  return %0, %1, %2 : tensor<8x3x5x$T>, tensor<3x$T>, tensor<3x$T>
}
""")
program("batch_norm_inference", "f", """(%x: tensor<8x3x5x$T>, %scale: tensor<3x$T>, %offset: tensor<3x$T>, %mean: tensor<3x$T>, %v: tensor<3x$T>) -> tensor<8x3x5x$T> {
  %0 = xla.batch_norm_inference %x, %scale, %offset, %mean, %v {epsilon = 1.0e-3 : f32, feature_index = 1} : (tensor<8x3x5x$T>, tensor<3x$T>, tensor<3x$T>, tensor<3x$T>, tensor<3x$T>) -> tensor<8x3x5x$T>
  return %0 : tensor<8x3x5x$T>
}
""")
program("batch_norm_grad", "f", """(%x: tensor<8x3x5x$T>, %scale: tensor<3x$T>, %mean: tensor<3x$T>, %v: tensor<3x$T>, %back: tensor<8x3x5x$T>) -> (tensor<8x3x5x$T>, tensor<3x$T>, tensor<3x$T>) {
  %0, %1, %2 = xla.batch_norm_grad %x, %scale, %mean, %v, %back {epsilon = 1.0e-3 : f32, feature_index = 1} : (tensor<8x3x5x$T>, tensor<3x$T>, tensor<3x$T>, tensor<3x$T>, tensor<8x3x5x$T>) -> (tensor<8x3x5x$T>, tensor<3x$T>, tensor<3x$T>)
  return %0, %1, %2 : tensor<8x3x5x$T>, tensor<3x$T>, tensor<3x$T>
}
""")


def reduce(name, classes, constant, body):
    program(name, classes, f"""(%a: tensor<3x37x$T>) -> (tensor<3x$T>, tensor<37x$T>, tensor<$T>) {{
  %i = xla.constant dense<{constant}> : tensor<$T>
""" + "".join(f"""  %r{n} = xla.reduce(%a, %i) ({{
  ^bb0(%p: tensor<$T>, %q: tensor<$T>):
{body}
  }}) {{dimensions = {dimensions}}} : (tensor<3x37x$T>, tensor<$T>) -> tensor<{result}>
""" for n, (dimensions, result) in enumerate([("[1]", "3x$T"), ("[0]", "37x$T"), ("[0, 1]", "$T")])) +
            "  return %r0, %r1, %r2 : tensor<3x$T>, tensor<37x$T>, tensor<$T>\n}\n")


reduce("reduce", ARITHMETIC, "$zero", ADD)
reduce("reduce_multiply", ARITHMETIC, "$one", MULTIPLY)
reduce("reduce_max", ORDERED, "$zero", MAXIMUM)
BRANCH = LARGER.replace("%s", "%c").split("\n")[0] + """
    %s = xla.if(%c) ({
      xla.return %p : tensor<$T>
    }, {
      %t = xla.add %p, %q : tensor<$T>
      xla.return %t : tensor<$T>
    }) : (tensor<i1>) -> tensor<$T>
    xla.return %s : tensor<$T>"""
reduce("reduce_branches", "psuf", "$zero", BRANCH)
reduce("reduce_arrays", ARITHMETIC, "$zero", """    %x = xla.reshape %p : (tensor<$T>) -> tensor<1x$T>
    %y = xla.reshape %q : (tensor<$T>) -> tensor<1x$T>
    %z = xla.add %x, %y : tensor<1x$T>
    %s = xla.reshape %z : (tensor<1x$T>) -> tensor<$T>
    xla.return %s : tensor<$T>""")
program("reduce_two", ORDERED, """(%a: tensor<7x37x$T>) -> (tensor<7x$T>, tensor<7xi32>) {
  %b = xla.iota {iota_dimension = 1} : tensor<7x37xi32>
  %i = xla.constant dense<$zero> : tensor<$T>
  %j = xla.constant dense<-1> : tensor<i32>
  %r, %s = xla.reduce(%a, %b, %i, %j) ({
  ^bb0(%p: tensor<$T>, %v: tensor<i32>, %q: tensor<$T>, %w: tensor<i32>):
    %0 = xla.compare %p, %q {comparison_direction = "GE"} : (tensor<$T>, tensor<$T>) -> tensor<i1>
    %1 = xla.select %0, %p, %q : (tensor<i1>, tensor<$T>, tensor<$T>) -> tensor<$T>
    %2 = xla.select %0, %v, %w : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    xla.return %1, %2 : tensor<$T>, tensor<i32>
  }) {dimensions = [1]} : (tensor<7x37x$T>, tensor<7x37xi32>, tensor<$T>, tensor<i32>) -> (tensor<7x$T>, tensor<7xi32>)
  return %r, %s : tensor<7x$T>, tensor<7xi32>
}
""")
region("map", ARITHMETIC, "5x37x$T", "5x37x$T", "    %s = xla.add %p, %p : tensor<$T>\n    xla.return %s : tensor<$T>",
       "{dimensions = [0, 1]}", arguments="%p: tensor<$T>")
region("map", ARITHMETIC, "5x37x$T, 5x37x$T", "5x37x$T", ADD, "{dimensions = [0, 1]}", "map_two")
region("map", ARITHMETIC, "37x$T", "37x$T", """    %0 = xla.constant dense<[$zero, $one, $two]> : tensor<3x$T>
    %1 = xla.broadcast %p {broadcast_sizes = [3]} : (tensor<$T>) -> tensor<3x$T>
    %2 = xla.multiply %0, %1 : tensor<3x$T>
    %s = xla.dot %0, %2 : (tensor<3x$T>, tensor<3x$T>) -> tensor<$T>
    xla.return %s : tensor<$T>""", "{dimensions = [0]}", "map_arrays", arguments="%p: tensor<$T>")
for kind, classes, operand, result in [("FFT", "c", "3x12x$T", "3x12x$T"), ("IFFT", "c", "3x12x$T", "3x12x$T"),
                                       ("RFFT", "|f32|f64|", "3x12x$T", "3x7xcomplex<$T>"),
                                       ("IRFFT", "c", "3x7x$T", "3x12x$R")]:
    one("fft", classes, operand, result, f'{{fft_type = "{kind}", fft_length = [12]}}', "fft_" + kind.lower())
program("rng_uniform", f"|pred|s8|s16|s32|s64|u8|u16|u32|u64|{LARGE}|", """() -> tensor<5x37x$T> {
  %a = xla.constant dense<$zero> : tensor<$T>
  %b = xla.constant dense<$one> : tensor<$T>
  %0 = xla.rng_uniform %a, %b : (tensor<$T>, tensor<$T>) -> tensor<5x37x$T>
  return %0 : tensor<5x37x$T>
}
""")
program("rng_normal", f"|{LARGE}|", """() -> tensor<5x37x$T> {
  %a = xla.constant dense<$zero> : tensor<$T>
  %b = xla.constant dense<$one> : tensor<$T>
  %0 = xla.rng_normal %a, %b : (tensor<$T>, tensor<$T>) -> tensor<5x37x$T>
  return %0 : tensor<5x37x$T>
}
""")
for algorithm in ["PHILOX", "THREE_FRY", "DEFAULT"]:
    program("rng_bit_generator_" + algorithm.lower(), f"|s2|s4|s8|s16|s32|s64|u2|u4|u8|u16|u32|u64|{LARGE}|", f"""() -> (tensor<2xui64>, tensor<5x37x$T>) {{
  %s = xla.constant dense<[3, 18446744073709551615]> : tensor<2xui64>
  %0, %1 = xla.rng_bit_generator %s {{rng_algorithm = "{algorithm}"}} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x37x$T>)
  return %0, %1 : tensor<2xui64>, tensor<5x37x$T>
}}
""")
for lower in ["true", "false"]:
    program("cholesky" + ("" if lower == "true" else "_upper"), f"|{LARGE}|c64|c128|f8e5m2|f8e4m3fn|f4e2m1fn|", f"""(%a: tensor<2x5x5x$T>) -> tensor<2x5x5x$T> {{
  %i = xla.constant dense<[[[$one, $zero, $zero, $zero, $zero], [$zero, $one, $zero, $zero, $zero], [$zero, $zero, $one, $zero, $zero], [$zero, $zero, $zero, $one, $zero], [$zero, $zero, $zero, $zero, $one]]]> : tensor<1x5x5x$T>
  %e = xla.broadcast_in_dim %i {{broadcast_dimensions = [0, 1, 2]}} : (tensor<1x5x5x$T>) -> tensor<2x5x5x$T>
  %b = xla.add %e, %e : tensor<2x5x5x$T>
  %0 = xla.cholesky %b {{lower = {lower}}} : tensor<2x5x5x$T>
  return %0 : tensor<2x5x5x$T>
}}
""")
for side in ["true", "false"]:
    program("triangular_solve_" + ("left" if side == "true" else "right"), f"|{LARGE}|c64|c128|f8e5m2|f8e4m3fn|f4e2m1fn|", f"""(%b: tensor<2x5x5x$T>) -> tensor<2x5x5x$T> {{
  %i = xla.constant dense<[[[$two, $zero, $zero, $zero, $zero], [$one, $one, $zero, $zero, $zero], [$zero, $two, $one, $zero, $zero], [$zero, $one, $zero, $one, $zero], [$one, $zero, $zero, $zero, $one]]]> : tensor<1x5x5x$T>
  %e = xla.broadcast_in_dim %i {{broadcast_dimensions = [0, 1, 2]}} : (tensor<1x5x5x$T>) -> tensor<2x5x5x$T>
  %0 = xla.triangular_solve %e, %b {{left_side = {side}, lower = true, unit_diagonal = false, transpose_a = "ADJOINT"}} : (tensor<2x5x5x$T>, tensor<2x5x5x$T>) -> tensor<2x5x5x$T>
  return %0 : tensor<2x5x5x$T>
}}
""")
program("while", ARITHMETIC, """(%a: tensor<5x7x$T>) -> (tensor<5x7x$T>, tensor<$T>) {
  %n = xla.constant dense<0> : tensor<i32>
  %b = xla.constant dense<$one> : tensor<$T>
  %i, %r, %s = xla.while(%n, %a, %b) ({
  ^bb0(%k: tensor<i32>, %x: tensor<5x7x$T>, %y: tensor<$T>):
    %l = xla.constant dense<3> : tensor<i32>
    %0 = xla.compare %k, %l {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %0 : tensor<i1>
  }, {
  ^bb0(%k: tensor<i32>, %x: tensor<5x7x$T>, %y: tensor<$T>):
    %l = xla.constant dense<1> : tensor<i32>
    %0 = xla.add %k, %l : tensor<i32>
    %1 = xla.add %x, %y : (tensor<5x7x$T>, tensor<$T>) -> tensor<5x7x$T>
    %2 = xla.add %y, %y : tensor<$T>
    xla.return %0, %1, %2 : tensor<i32>, tensor<5x7x$T>, tensor<$T>
  }) : (tensor<i32>, tensor<5x7x$T>, tensor<$T>) -> (tensor<i32>, tensor<5x7x$T>, tensor<$T>)
  return %r, %s : tensor<5x7x$T>, tensor<$T>
}
""")
program("if", ALL, """(%p: tensor<i1>, %a: tensor<5x7x$T>, %b: tensor<5x7x$T>) -> tensor<5x7x$T> {
  %r = xla.if(%p) ({
    xla.return %a : tensor<5x7x$T>
  }, {
    %0 = xla.reverse %b {dimensions = [1]} : (tensor<5x7x$T>) -> tensor<5x7x$T>
    xla.return %0 : tensor<5x7x$T>
  }) : (tensor<i1>) -> tensor<5x7x$T>
  return %r : tensor<5x7x$T>
}
""")
program("case", ALL, """(%p: tensor<i32>, %a: tensor<5x7x$T>, %b: tensor<5x7x$T>) -> tensor<5x7x$T> {
  %r = xla.case(%p) ({
    xla.return %a : tensor<5x7x$T>
  }, {
    %0 = xla.reverse %b {dimensions = [1]} : (tensor<5x7x$T>) -> tensor<5x7x$T>
    xla.return %0 : tensor<5x7x$T>
  }, {
    xla.return %b : tensor<5x7x$T>
  }) : (tensor<i32>) -> tensor<5x7x$T>
  return %r : tensor<5x7x$T>
}
""")
program("conditional", ALL, """(%p: tensor<i1>, %a: tensor<5x7x$T>, %b: tensor<5x7x$T>) -> tensor<5x7x$T> {
  %r = xla.conditional(%p, %a, %b) ({
  ^bb0(%x: tensor<5x7x$T>):
    xla.return %x : tensor<5x7x$T>
  }, {
  ^bb0(%x: tensor<5x7x$T>):
    %0 = xla.reverse %x {dimensions = [1]} : (tensor<5x7x$T>) -> tensor<5x7x$T>
    xla.return %0 : tensor<5x7x$T>
  }) : (tensor<i1>, tensor<5x7x$T>, tensor<5x7x$T>) -> tensor<5x7x$T>
  return %r : tensor<5x7x$T>
}
""")
program("tuple", ALL, """(%a: tensor<5x7x$T>, %b: tensor<i32>) -> tensor<5x7x$T> {
  %0 = xla.tuple %a, %b : (tensor<5x7x$T>, tensor<i32>) -> tuple<tensor<5x7x$T>, tensor<i32>>
  %1 = xla.get_tuple_element %0 {index = 0} : (tuple<tensor<5x7x$T>, tensor<i32>>) -> tensor<5x7x$T>
  return %1 : tensor<5x7x$T>
}
""")
one("optimization_barrier", ALL, "5x7x$T", "5x7x$T")
one("all_gather", ALL, "5x7x$T", "5x7x$T", "{all_gather_dim = 0, shard_count = 1}")
one("all_to_all", ALL, "6x4x$T", "6x4x$T", "{split_dimension = 1, concat_dimension = 0, split_count = 1}")
one("collective_broadcast", ALL, "6x4x$T", "6x4x$T", "{replica_groups = [[0]]}")
one("collective_permute", ALL, "6x4x$T", "6x4x$T", "{source_target_pairs = [[0, 0]]}")
one("cross_replica_sum", ARITHMETIC, "6x4x$T", "6x4x$T")
region("all_reduce", ARITHMETIC, "6x4x$T", "6x4x$T", ADD, "")
region("reduce_scatter", ARITHMETIC, "6x4x$T", "6x4x$T", ADD, "{scatter_dimension = 0}")
program("fusion", ARITHMETIC, """(%a: tensor<5x7x$T>, %b: tensor<5x7x$T>) -> tensor<5x7x$T> {
  %r = xla.fusion(%a, %b) ({
  ^bb0(%p: tensor<5x7x$T>, %q: tensor<5x7x$T>):
    %0 = xla.add %p, %q : tensor<5x7x$T>
    xla.return %0 : tensor<5x7x$T>
  }) {kind = "loop"} : (tensor<5x7x$T>, tensor<5x7x$T>) -> tensor<5x7x$T>
  return %r : tensor<5x7x$T>
}
""")

# What compiled devices are known to refuse.
ARRAYS = """    %x = xla.reshape %p : (tensor<$T>) -> tensor<1x$T>
    %y = xla.reshape %q : (tensor<$T>) -> tensor<1x$T>
"""
sort("sort_arrays", "|s32|", "3x37", ARRAYS + """    %z = xla.compare %x, %y {comparison_direction = "LT"} : (tensor<1x$T>, tensor<1x$T>) -> tensor<1xi1>
    %s = xla.reshape %z : (tensor<1xi1>) -> tensor<i1>
    xla.return %s : tensor<i1>""")
scatter("scatter_arrays", "|s32|", ARRAYS + """    %z = xla.add %x, %y : tensor<1x$T>
    %s = xla.reshape %z : (tensor<1x$T>) -> tensor<$T>
    xla.return %s : tensor<$T>""")
KNOWN = set()

# Results of other elements than the operand's.
RESULTS = {"is_finite": "i1", "real": "$R", "imag": "$R"}


def types_of(names):
    chosen = [element for element in ELEMENTS if not names or element.name in names]
    if not chosen or names and len(chosen) != len(names):
        sys.exit(f"which element types? {' '.join(element.name for element in ELEMENTS)}")
    return chosen


def constants_of(element):
    if element.letter == "p":
        return "false", "true", "true"
    if element.letter in "su":
        return "0", "1", {("s", 2): "-2", ("u", 2): "2"}.get((element.letter, element.bits), "2")
    if element.letter == "c":
        return "(0.0, 0.0)", "(1.0, 0.0)", "(2.0, 1.0)"
    # E8M0 has powers of two only.
    return ("1.0" if element.name == "f8e8m0fnu" else "0.0"), "1.0", "2.0"


def fill(text, element):
    zero, one_, two = constants_of(element)
    # NaNs have no place in an order but this one.
    order = ', compare_type = "TOTALORDER"' if element.letter == "f" else ""
    for word, value in [("$order", order), ("$zero", zero), ("$one", one_), ("$two", two), ("$T", element.mlir), ("$R", element.real)]:
        text = text.replace(word, value)
    return text


def is_taken(classes, element):
    return element.name in classes.split("|") if "|" in classes else element.letter in classes


def elementwise(op, operands, element):
    result = RESULTS.get(op, "$R" if op == "abs" else "$T")
    arguments = ", ".join(f"%{c}: tensor<5x37x$T>" for c in "ab"[:operands])
    kinds = ", ".join(["tensor<5x37x$T>"] * operands)
    return f"""({arguments}) -> tensor<5x37x{result}> {{
  %0 = xla.{op} {', '.join(['%a', '%b'][:operands])} : ({kinds}) -> tensor<5x37x{result}>
  return %0 : tensor<5x37x{result}>
}}
"""


def conversions(element):
    """To every type; bits as every type whose width is a multiple."""
    for other in ELEMENTS:
        yield (f"convert_{other.name}", f"""(%a: tensor<5x37x$T>) -> tensor<5x37x{other.mlir}> {{
  %0 = xla.convert %a : (tensor<5x37x$T>) -> tensor<5x37x{other.mlir}>
  return %0 : tensor<5x37x{other.mlir}>
}}
""")
        if (other.letter == "p") != (element.letter == "p"):
            continue
        if (other.letter == "c") != (element.letter == "c") or "p" in other.letter + element.letter and other.bits != element.bits:
            continue
        low, high = min(element.bits, other.bits), max(element.bits, other.bits)
        if high % low:
            continue
        operand = "5x3" + (f"x{high // low}" if element.bits < other.bits else "")
        result = "5x3" + (f"x{high // low}" if element.bits > other.bits else "")
        yield (f"bitcast_convert_{other.name}", f"""(%a: tensor<{operand}x$T>) -> tensor<{result}x{other.mlir}> {{
  %0 = xla.bitcast_convert %a : (tensor<{operand}x$T>) -> tensor<{result}x{other.mlir}>
  return %0 : tensor<{result}x{other.mlir}>
}}
""")


def programs_of(page, element):
    """(name, text) of every operation of the page that takes the element type. Every operation has a program, if not of
    this element type; WITHOUT has those that have none."""
    rows = re.findall(r"^\| `xla\.(\w+)` \| (\S+) \| \S+ \| \S+ \| (\w*) \|", page, re.MULTILINE)
    others = page.index("\n## ", page.index("\n## Elementwise") + 1)
    head = page[:others]
    found = []
    for op, operands, letters in rows:
        named = {name: row for name, row in TEXTS.items() if name == op or name.startswith(op + "_")}
        if f"`xla.{op}`" in head and op not in TEXTS and op not in ("convert", "complex"):
            if element.letter in letters:
                found.append((op, elementwise(op, int(operands), element)))
        elif not named and op not in WITHOUT | {"convert", "bitcast_convert", "call", "get_tuple_element"}:
            sys.exit(f"no program of xla.{op}")
    found += [(name, text) for name, (classes, text) in TEXTS.items() if is_taken(classes, element)]
    found += conversions(element)
    return [(name, f"func.func private @{name}" + fill(text, element)) for name, text in found]
