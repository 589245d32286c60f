# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a program with an operation of many operands.

  many_operands.py reduce|reduce_window|associative_scan|scatter|sort N [loop|all]

Operand i is %x + i, of which each result combines its own with the next one's; with `loop` one of them does it by a loop.
A sort compares one of them, with `all` the sum of all.
A weighted sum of all results is returned.
"""
import sys

operation, n, loops, compares_all = sys.argv[1], int(sys.argv[2]), "loop" in sys.argv, "all" in sys.argv
F, V, WINDOWS, ROW = "tensor<f32>", "tensor<4x6xf32>", "tensor<4x1xf32>", "tensor<4xf32>"
HALVE = """  %half:1 = xla.while(%a0) ({
  ^bb0(%q: tensor<f32>):
    %one = xla.constant dense<1.0> : tensor<f32>
    %more = xla.compare %q, %one {comparison_direction = "GT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %more : tensor<i1>
  }, {
  ^bb0(%q: tensor<f32>):
    %one = xla.constant dense<0.5> : tensor<f32>
    %m = xla.multiply %q, %one : tensor<f32>
    xla.return %m : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>"""


def names(prefix):
    return [f"%{prefix}{i}" for i in range(n)]


def listed(items):
    return ", ".join(items)


def argument(name):
    return f"{name}: {F}"


def combination():
    lines = ["^bb0(" + listed(map(argument, names("a") + names("b"))) + "):"]
    if loops:
        lines.append(HALVE)
    for i in range(n):
        own = "%half#0" if loops and not i else f"%a{i}"
        lines.append(f"  %s{i} = xla.add {own}, %b{(i + 1) % n} : {F}")
    return lines + [f"  xla.return {listed(names('s'))} : {listed([F] * n)}"]


def comparison():
    pairs = [argument(f"%{side}{i}") for i in range(n) for side in "ab"]
    lines = [f"^bb0({listed(pairs)}):"]
    last = n // 2
    if compares_all:
        last = "l"
        for side in "ab":
            for i in range(n):
                own = f"%{side}{i}"
                lines.append(f"  %{side}{i or ''}s = xla.add {own}, {f'%{side}{i - 1 or str()}s' if i else own} : {F}")
            lines.append(f"  %{side}l = xla.negate %{side}{n - 1}s : {F}")
    return [*lines,
            f'  %p = xla.compare %a{last}, %b{last} {{comparison_direction = "LT"}} : ({F}, {F}) -> tensor<i1>',
            "  xla.return %p : tensor<i1>"]


FORMS = {  # operands and their types, attributes, result type
    "reduce": (names("x") + ["%init"] * n, [V] * n + [F] * n, "dimensions = [1]", ROW),
    "reduce_window": (names("x") + ["%init"] * n, [V] * n + [F] * n, "window_dimensions = [1, 6]", WINDOWS),
    "associative_scan": (names("x"), [V] * n, "dimension = 1", V),
    "sort": (names("x"), [V] * n, "dimension = 1", V),
    "scatter": (names("x") + ["%places"] + names("x"), [V] * n + ["tensor<4xi32>"] + [V] * n,
                "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1", V),
}
operands, types, attributes, result = FORMS[operation]
print(f"func.func @main(%x: {V}) -> {result} {{")
print(f"  %init = xla.constant dense<0.5> : {F}")
print("  %places = xla.constant dense<[3, 1, 1, 0]> : tensor<4xi32>")
for i in range(n):
    print(f"  %c{i} = xla.constant dense<{i}.0> : {F}")
    print(f"  %x{i} = xla.add %x, %c{i} : ({V}, {F}) -> {V}")
print(f"  %r:{n} = xla.{operation}({listed(operands)}) ({{")
print("\n".join(comparison() if operation == "sort" else combination()))
print(f"  }}) {{{attributes}}} : ({listed(types)}) -> ({listed([result] * n)})")
for i in range(n):
    print(f"  %w{i} = xla.multiply %r#{i}, %c{i} : ({result}, {F}) -> {result}")
    total = f"%t{i - 1}" if i > 1 else "%w0"
    if i:
        print(f"  %t{i} = xla.add {total}, %w{i} : {result}")
print(f"  return %t{n - 1} : {result}\n}}")
