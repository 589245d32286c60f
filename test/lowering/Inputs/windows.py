#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""windows.py SEED COUNT [--fused]: a program of random filters, one a result; --fused: each is one fusion of kind window.

A filter is one to three passes. Each pads an array along one or two dimensions (with its edges, with zero, or with its other side)
and adds shifted slices of that, times weights; what was there before may be added. Numbers are small and whole, so that all devices
have the same bits."""
import random
import sys

TYPES = ["f32", "f32", "f32", "f64", "bf16", "f16", "i32", "ui8", "i16"]
PROGRAM = []


def array(dims, element):
    return "tensor<%s%s>" % ("".join("%dx" % d for d in dims), element)


class Filter:
    """The operations of one filter."""

    def __init__(self, rng, number):
        self.rng, self.number, self.lines, self.n = rng, number, [], 0
        rank = rng.choice([1, 2, 2, 2, 3])
        self.element = rng.choice(TYPES)
        self.dims = [rng.choice([1, 2, 3, 5, 7, 13, 16, 33, 40, 64] + ([257, 1000] if rank == 1 else [100] if rank == 2 else []))
                     for _ in range(rank)]

    def add(self, text, dims):
        name = "%%v%d_%d" % (self.number, self.n)
        self.n += 1
        self.lines.append("%s = %s -> %s" % (name, text, array(dims, self.element)))
        return name

    def elementwise(self, op, a, b, dims):
        t = array(dims, self.element)
        return self.add("xla.%s %s, %s : (%s, %s)" % (op, a, b, t, t), dims)

    def constant(self, value, dims):
        number = "%d.0" % value if "f" in self.element else "%d" % value
        name = "%%v%d_%d" % (self.number, self.n)
        self.n += 1
        self.lines.append("%s = xla.constant dense<%s> : %s" % (name, number, array(dims, self.element)))
        return name

    def slice(self, x, dims, d, start, size):
        starts = [start if i == d else 0 for i in range(len(dims))]
        limits = [start + size if i == d else n for i, n in enumerate(dims)]
        result = [size if i == d else n for i, n in enumerate(dims)]
        return self.add("xla.slice %s {start_indices = array<i64: %s>, limit_indices = array<i64: %s>, strides = array<i64: %s>} : (%s)" % (
            x, ", ".join(map(str, starts)), ", ".join(map(str, limits)), ", ".join("1" for _ in dims), array(dims, self.element)), result)

    def concatenate(self, parts, d):
        dims = list(parts[0][1])
        dims[d] = sum(p[1][d] for p in parts)
        return self.add("xla.concatenate %s {dimension = %d : i64} : (%s)" % (
            ", ".join(p[0] for p in parts), d, ", ".join(array(p[1], self.element) for p in parts)), dims), dims

    def pad(self, x, dims, d, low, high):
        """With edges, zeros, or the other side."""
        how = self.rng.choice(["edge", "edge", "zero", "wrap"])
        if how == "wrap" and max(low, high) > dims[d]:
            how = "edge"
        if how == "zero":
            zero = self.constant(0, [])
            result = [n + (low + high if i == d else 0) for i, n in enumerate(dims)]
            at = lambda v: ", ".join(str(v if i == d else 0) for i in range(len(dims)))
            return self.add(
                "xla.pad %s, %s {edge_padding_low = array<i64: %s>, edge_padding_high = array<i64: %s>, interior_padding = array<i64: %s>} : (%s, tensor<%s>)"
                % (x, zero, at(low), at(high), at(0), array(dims, self.element), self.element), result), result
        parts = [(x, dims)]
        for side, n in (("low", low), ("high", high)):
            if not n:
                continue
            part = [n if i == d else m for i, m in enumerate(dims)]
            if how == "edge":
                one = self.slice(x, dims, d, 0 if side == "low" else dims[d] - 1, 1)
                row = [1 if i == d else m for i, m in enumerate(dims)]
                text = "xla.broadcast_in_dim %s {broadcast_dimensions = array<i64: %s>} : (%s)" % (
                    one, ", ".join(str(i) for i in range(len(dims))), array(row, self.element))
                value = self.add(text, part)
            else:
                value = self.slice(x, dims, d, dims[d] - n if side == "low" else 0, n)
            parts = [(value, part)] + parts if side == "low" else parts + [(value, part)]
        return self.concatenate(parts, d) if len(parts) > 1 else (x, dims)

    def one_pass(self, x):
        dims, rng = self.dims, self.rng
        total = None
        for d in rng.sample(range(len(dims)), rng.choice([1, 1, min(2, len(dims))])):
            low, high = rng.choice([(1, 1), (2, 2), (0, 2), (3, 1), (1, 0), (5, 4)])
            p, padded = self.pad(x, dims, d, low, high)
            for shift in sorted(rng.sample(range(low + high + 1), min(low + high + 1, rng.choice([2, 3, 5])))):
                s = self.slice(p, padded, d, shift, dims[d])
                s = self.elementwise("multiply", s, self.constant(rng.choice([1, 2, 3]), dims), dims) if rng.random() < 0.7 else s
                total = s if total is None else self.elementwise("add", total, s, dims)
        if rng.random() < 0.4:
            total = self.elementwise(rng.choice(["add", "subtract", "maximum"]), total, x, dims)
        return total

    def write(self, fused):
        x = first = "%%x%d" % self.number
        passes = self.rng.choice([1, 2, 2, 2, 3])
        results = []
        for i in range(passes):
            x = self.one_pass(x)
            if self.element not in ("ui8", "i16"):  # numbers stay small
                low, high = self.constant(-3, self.dims), self.constant(3, self.dims)
                t = array(self.dims, self.element)
                x = self.add("xla.clamp %s, %s, %s : (%s, %s, %s)" % (low, x, high, t, t, t), self.dims)
            results.append(x)
        results = results[-1:] + [r for r in results[:-1] if self.rng.random() < 0.2]
        if self.rng.random() < 0.3:
            results[0] = self.elementwise("add", x, first, self.dims)
        t = array(self.dims, self.element)
        types = ", ".join([t] * len(results))
        if not fused:
            return self.lines, results, t
        inner = ["    " + l.replace(first + " ", "%a ").replace(first + ",", "%a,") for l in self.lines]
        body = ['%%r%d:%d = "xla.fusion"(%s) ({' % (self.number, len(results), first), "  ^bb0(%%a: %s):" % t] + inner
        body += ["    xla.return %s : %s" % (", ".join(results), types), '  }) {kind = "window"} : (%s) -> (%s)' % (t, types)]
        return body, ["%%r%d#%d" % (self.number, i) for i in range(len(results))], t


def main():
    seed, count, fused = int(sys.argv[1]), int(sys.argv[2]), "--fused" in sys.argv
    lines, results, types, arguments = [], [], [], []
    for i in range(count):
        body, values, t = Filter(random.Random(seed * 1000 + i), i).write(fused)
        lines += ["  " + l for l in body]
        results += values
        types += [t] * len(values)
        arguments.append("%%x%d: %s" % (i, t))
    print("func.func @main(%s) -> (%s) {" % (", ".join(arguments), ", ".join(types)))
    print("\n".join(lines))
    print("  return %s : %s\n}" % (", ".join(results), ", ".join(types)))


main()
