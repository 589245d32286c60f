#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long xla-fuse takes on long programs, which should grow as their length.

    python3 test/bench/fuse_bench.py build/release/bin/xla-opt

Prints, for three kinds of programs of several lengths, seconds of the pass alone: the least of several runs.
"""
import re
import subprocess
import sys

LENGTHS = (2500, 5000, 10000, 20000)
RUNS = 5
TYPE = "tensor<64x48xf32>"


def array(shape):
    return "tensor<" + "x".join(map(str, shape)) + "xf32>"


def chain(n):
    """Elementwise operations, one after the other."""
    names = ("tanh", "negate", "exponential", "cosine")
    for i in range(n):
        yield f"%v{i + 1} = xla.{names[i % 4]} %v{i} : {TYPE}"


def moves(n):
    """The same, between transposes and reshapes."""
    shape = (64, 48)
    for i in range(n):
        turned = shape[::-1]
        if i % 6 == 0:
            yield (f"%v{i + 1} = xla.transpose %v{i} {{permutation = array<i64: 1, 0>}} : "
                   f"({array(shape)}) -> {array(turned)}")
        elif i % 6 == 3:
            yield f"%v{i + 1} = xla.reshape %v{i} : ({array(shape)}) -> {array(turned)}"
        else:
            yield f"%v{i + 1} = xla.negate %v{i} : {array(shape)}"
        if i % 3 == 0:
            shape = turned


def layers(n):
    """Reductions, slices, concatenations and residual sums."""
    half = "tensor<64x24xf32>"
    for i in range(0, n, 10):
        x = f"%v{i}"
        yield f"%z{i} = xla.constant dense<0.0> : tensor<f32>"
        yield (f"%r{i} = xla.reduce({x}, %z{i}) ({{\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
               "%s = xla.add %a, %b : tensor<f32>\nxla.return %s : tensor<f32>\n"
               f"}}) {{dimensions = array<i64: 1>}} : ({TYPE}, tensor<f32>) -> tensor<64xf32>")
        yield f"%b{i} = xla.broadcast_in_dim %r{i} {{broadcast_dimensions = array<i64: 0>}} : (tensor<64xf32>) -> {TYPE}"
        yield f"%d{i} = xla.subtract {x}, %b{i} : {TYPE}"
        yield f"%e{i} = xla.exponential %d{i} : {TYPE}"
        for name, start in (("f", 0), ("g", 24)):
            yield (f"%{name}{i} = xla.slice %e{i} {{start_indices = array<i64: 0, {start}>, limit_indices = "
                   f"array<i64: 64, {start + 24}>, strides = array<i64: 1, 1>}} : ({TYPE}) -> {half}")
        yield f"%h{i} = xla.concatenate %g{i}, %f{i} {{dimension = 1 : i64}} : ({half}, {half}) -> {TYPE}"
        yield f"%i{i} = xla.add %h{i}, {x} : {TYPE}"
        yield f"%v{i + 10} = xla.tanh %i{i} : {TYPE}"


def program(kind, n):
    result = array((48, 64)) if kind is moves and (n + 2) // 3 % 2 else TYPE
    lines = [f"func.func @main(%v0: {TYPE}) -> {result} {{", *kind(n), f"return %v{n} : {result}", "}"]
    return "\n".join(lines) + "\n"


def seconds(opt, text):
    def once():
        done = subprocess.run([opt, "-", "--xla-fuse", "--mlir-timing", "-o", "/dev/null"], input=text, text=True,
                              capture_output=True, check=True)
        return float(re.search(r"([\d.]+) \(.*\)\s+(?:xla-fuse|.*XlaFuse)", done.stderr).group(1))
    return min(once() for _ in range(RUNS))


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    for kind in (chain, moves, layers):
        for n in LENGTHS:
            print(f"{kind.__name__:8}{n:8} operations {seconds(sys.argv[1], program(kind, n)):8.3f} s", flush=True)


if __name__ == "__main__":
    main()
