#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every operation of formats/stablehlo/ops.def, half built: half_built.py XLA_OPT OPS_DEF

Operations without operands, regions or attributes, and with wrong ones, go through passes of MLIR and the import: no tool may
crash. What is printed of them is read again, and must be the same in both
forms. Prints `N passed, N failed`.
"""
import re
import subprocess
import sys
import tempfile

T = "tensor<4xf32>"
BLOCK = "^bb0(%i: tensor<4xf32>, %j: tensor<4xf32>): "
RETURN = '"stablehlo.return"(%a) : (tensor<4xf32>) -> ()'
WRONG = ("dimensions = array<i64: 0>, value = 3 : i64, dimension = 1 : i64, operandSegmentSizes = array<i32: 5, -1>, name = 3,"
         " resultSegmentSizes = array<i32>, sym_name = 4, mesh = 5, dimension_numbers = #stablehlo.conv<>, precision_config = [1],"
         " dot_dimension_numbers = #stablehlo.dot<x>, comparison_direction = #stablehlo<comparison_direction >, sharding = #sdy<>,"
         " padding = dense<1> : tensor<2xi64>, strides = array<i64>, call_target_name = \"\", lower = 1 : i1")
VARIANTS = [
    '"{n}"() : () -> ()', f'%x = "{{n}}"() : () -> {T}', f'%x = "{{n}}"(%a) : ({T}) -> {T}',
    f'%x:2 = "{{n}}"(%a, %a) : ({T}, {T}) -> ({T}, tensor<f32>)', f'%x = "{{n}}"(%a, %a, %a) : ({T}, {T}, {T}) -> {T}',
    '%x = "{n}"(%f) : (() -> ()) -> (() -> ())', f'%x = "{{n}}"(%a, %a) ({{{{}}}}) : ({T}, {T}) -> {T}',
    f'%x = "{{n}}"(%a, %a) ({{{{}}}}, {{{{}}}}) : ({T}, {T}) -> {T}', f'"{{n}}"(%a, %a) ({{{{ {RETURN} }}}}) : ({T}, {T}) -> ()',
    f'%x:2 = "{{n}}"(%a, %a) ({{{{ {BLOCK}{RETURN} }}}}, {{{{ {BLOCK}{RETURN} }}}}) : ({T}, {T}) -> ({T}, {T})',
    f'%x:2 = "{{n}}"(%a, %a) ({{{{ {BLOCK}{RETURN} }}}}) {{{{{WRONG}}}}} : ({T}, {T}) -> ({T}, {T})',
    f'%x = "{{n}}"(%a) <{{{{foo = 3}}}}> : ({T}) -> {T}', f'%x = "{{n}}"(%a, %a) {{{{{WRONG}}}}} : ({T}, {T}) -> {T}',
    f'%x = "{{n}}"(%a) {{{{{WRONG}}}}} : ({T}) -> {T}', f'%x = "{{n}}"() {{{{{WRONG}}}}} : () -> {T}',
    '%x = "{n}"() {{value = dense<3> : tensor<i64>}} : () -> i64',
]
PASSES = [["--canonicalize", "--cse"], ["--xla-import-stablehlo"], ["--inline", "--symbol-dce", "--sccp"],
          ["--loop-invariant-code-motion", "--remove-dead-values"], ["--control-flow-sink", "--mem2reg", "--topological-sort"]]


def opt(text, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        return subprocess.run([sys.argv[1], "--split-input-file", *options, file.name], capture_output=True, text=True)


def main():
    with open(sys.argv[2]) as file:
        rows = re.findall(r'^XLA_(\w+)\((?:(stablehlo|chlo|sdy), )?"([^"]+)"', file.read(), re.M)
    names = [(dialect or ("chlo" if kind.startswith("CHLO") else "stablehlo")) + "." + name for kind, dialect, name in rows]
    text = "// -----\n".join(f"func.func @f(%a: {T}, %f: () -> ()) {{\n  {v.format(n=n)}\n  return\n}}\n" for n in names for v in VARIANTS)
    passed = failed = 0

    def expect(what, right):
        nonlocal passed, failed
        passed, failed = passed + right, failed + (not right)
        if not right:
            print(what)
    for options in PASSES:
        done = opt(text, *options)
        expect(f"{options} ends with {done.returncode}: {done.stderr[-500:]}", done.returncode in (0, 1))
    def chunks(text, *options):
        return [c.strip() for c in opt(text, *options).stdout.split("// -----\n") if c.strip()]
    printed, generic = chunks(text), chunks(text, "--mlir-print-op-generic")
    expect(f"{len(printed)} of {len(names) * len(VARIANTS)} are read", len(printed) > 0.9 * len(names) * len(VARIANTS))
    own = "\n// -----\n".join(printed)
    again, generic_again = chunks(own), chunks(own, "--mlir-print-op-generic")
    expect(f"{len(again)} of {len(printed)} are read again", len(again) == len(printed))
    for a, b in (*zip(printed, again), *zip(generic, generic_again)):
        expect(f"{a}\nis read as\n{b}", a == b)
    print(f"{len(names)} operations\n{passed} passed, {failed} failed")
    sys.exit(failed != 0)


main()
