#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a program of random data movement with the results that numpy gives, as checks for `xla-run --check`.

movement.py SEED COUNT: the data are random bits; they are viewed as the element type, moved, and viewed as integers again,
so that every NaN and negative zero counts."""
import random
import sys

import numpy as np

# The types of each width that have an unsigned integer beside them.
TYPES = {8: ["i8", "ui8", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU"],
         16: ["i16", "ui16", "f16", "bf16"], 32: ["i32", "ui32", "f32"], 64: ["i64", "ui64", "f64", "complex<f32>"],
         4: ["i4", "ui4", "f4E2M1FN"], 2: ["i2", "ui2"], 1: ["i1"]}


def tensor(shape, element):
    return f"tensor<{''.join(f'{d}x' for d in shape)}{element}>"


def numbers(values):
    return f"array<i64{': ' if len(values) else ''}{', '.join(str(v) for v in values)}>"


class Function:
    """A function that moves one value of `element` and checks the bits."""

    def __init__(self, rng, name):
        self.rng, self.lines, self.count = rng, [f"func.func @{name}() {{"], 0
        self.bits = rng.choice(list(TYPES))
        self.element = rng.choice(TYPES[self.bits])

    def op(self, text, result):
        self.count += 1
        self.lines.append(f"  %{self.count} = xla.{text} -> {result}")
        return f"%{self.count}"

    def constant(self, array):
        """`array` as the element type, and its type."""
        width = max(self.bits, 8)
        self.count += 1
        plain, typed = tensor(array.shape, f"ui{width}"), tensor(array.shape, self.element)
        values = np.array2string(array, separator=", ", threshold=10**6, max_line_width=10**6) if array.size else ""
        self.lines.append(f"  %{self.count} = xla.constant dense<{values}> : {plain}")
        value = f"%{self.count}"
        if self.bits >= 8:
            return self.op(f"bitcast_convert {value} : ({plain})", typed), typed
        split = tensor(array.shape + (8 // self.bits,), self.element)
        value = self.op(f"bitcast_convert {value} : ({plain})", split)
        low = list(array.shape) + [1]
        value = self.op(f"slice {value} {{start_indices = {numbers([0] * len(low))}, limit_indices = {numbers(low)}}} : ({split})",
                        tensor(low, self.element))
        return self.op(f"reshape {value} : ({tensor(low, self.element)})", typed), typed

    def data(self, shape):
        raw = np.frombuffer(self.rng.randbytes(int(np.prod(shape, dtype=int)) * 8), dtype=np.uint64).reshape(shape)
        bits = np.asarray(raw & np.uint64((1 << self.bits) - 1))
        return bits.astype(f"u{max(self.bits, 8) // 8}")

    def finish(self, value, type_, expected):
        """The element type back to integers: below a byte, the bits are padded with zeros by concatenation."""
        if self.bits >= 8:
            plain = tensor(expected.shape, f"ui{self.bits}")
            value = self.op(f"bitcast_convert {value} : ({type_})", plain)
        else:
            zeros, zero_type = self.constant(np.zeros(expected.shape + (8 // self.bits - 1,), dtype=np.uint8))
            low = tensor(expected.shape + (1,), self.element)
            value = self.op(f"reshape {value} : ({type_})", low)
            byte = tensor(expected.shape + (8 // self.bits,), self.element)
            value = self.op(f"concatenate {value}, {zeros} {{dimension = {len(expected.shape)}}} : ({low}, {zero_type})", byte)
            plain = tensor(expected.shape, "ui8")
            value = self.op(f"bitcast_convert {value} : ({byte})", plain)
        text = np.array2string(expected, separator=", ", threshold=10**6, max_line_width=10**6) if expected.size else ""
        self.lines.append(f"  %expected = xla.constant dense<{text}> : {plain}")
        self.lines.append(f'  "check.expect_eq"({value}, %expected) : ({plain}, {plain}) -> ()')
        self.lines += ["  return", "}", ""]
        return "\n".join(self.lines)


def broadcast_in_dim(f, x, value, type_):
    rank = min(x.ndim + f.rng.randrange(3), 6)
    places = f.rng.sample(range(rank), x.ndim)
    shape = [f.rng.randrange(4) for _ in range(rank)]
    for i, p in enumerate(places):
        shape[p] = x.shape[i] if x.shape[i] != 1 else shape[p]
    ordered = x.transpose(np.argsort(places)) if x.ndim else x
    wide = [1] * rank
    for p in places:
        wide[p] = x.shape[places.index(p)]
    return (f"broadcast_in_dim {value} {{broadcast_dimensions = {numbers(places)}}} : ({type_})",
            np.broadcast_to(ordered.reshape(wide), shape))


def transpose(f, x, value, type_):
    order = f.rng.sample(range(x.ndim), x.ndim)
    return f"transpose {value} {{permutation = {numbers(order)}}} : ({type_})", x.transpose(order)


def reverse(f, x, value, type_):
    axes = f.rng.sample(range(x.ndim), f.rng.randint(0, x.ndim))
    return f"reverse {value} {{dimensions = {numbers(axes)}}} : ({type_})", np.flip(x, axes) if axes else x


def slice_(f, x, value, type_):
    starts = [f.rng.randint(0, d) for d in x.shape]
    limits = [f.rng.randint(s, d) for s, d in zip(starts, x.shape)]
    strides = [f.rng.randint(1, 3) for _ in x.shape]
    text = f"start_indices = {numbers(starts)}, limit_indices = {numbers(limits)}, strides = {numbers(strides)}"
    return f"slice {value} {{{text}}} : ({type_})", x[tuple(slice(*t) for t in zip(starts, limits, strides))]


def pad(f, x, value, type_):
    fill = f.data(())
    filler, filler_type = f.constant(fill)
    interior = [f.rng.choice([0, 0, 1, 2]) for _ in x.shape]
    inner = [d + max(d - 1, 0) * i for d, i in zip(x.shape, interior)]
    low = [f.rng.randint(-n - 1, 2) for n in inner]
    high = [f.rng.randint(-n - l, max(3, -n - l)) for n, l in zip(inner, low)]
    result = np.full([l + n + h for l, n, h in zip(low, inner, high)], fill, dtype=x.dtype)
    for index in np.ndindex(x.shape):
        place = tuple(l + i * (gap + 1) for l, i, gap in zip(low, index, interior))
        if all(0 <= p < n for p, n in zip(place, result.shape)):
            result[place] = x[index]
    text = f"edge_padding_low = {numbers(low)}, edge_padding_high = {numbers(high)}, interior_padding = {numbers(interior)}"
    return f"pad {value}, {filler} {{{text}}} : ({type_}, {filler_type})", result


def concatenate(f, x, value, type_):
    if not x.ndim:
        return None
    axis = f.rng.randrange(x.ndim)
    shape = list(x.shape)
    shape[axis] = f.rng.randrange(4)
    other = f.data(tuple(shape))
    second, second_type = f.constant(other)
    return (f"concatenate {value}, {second}, {value} {{dimension = {axis}}} : ({type_}, {second_type}, {type_})",
            np.concatenate([x, other, x], axis))


def starts_of(f, x, sizes):
    """Start operands, as scalars or a vector, and the clamped places."""
    kind = f.rng.choice(["i8", "i32", "i64", "ui16"])
    starts = [f.rng.randint(0 if kind[0] == "u" else -3, d + 2) for d in x.shape]
    vector = f.rng.random() < 0.5
    names = []
    for s in [starts] if vector else starts:
        f.count += 1
        names.append((f"%{f.count}", f"tensor<{x.ndim}x{kind}>" if vector else f"tensor<{kind}>"))
        text = "" if s == [] else s
        f.lines.append(f"  {names[-1][0]} = xla.constant dense<{text}> : {names[-1][1]}")
    return names, [min(max(s, 0), d - n) for s, d, n in zip(starts, x.shape, sizes)]


def dynamic_slice(f, x, value, type_):
    sizes = [f.rng.randint(0, d) for d in x.shape]
    names, at = starts_of(f, x, sizes)
    operands, types = zip(*([(value, type_)] + names))
    return (f"dynamic_slice {', '.join(operands)} {{slice_sizes = {numbers(sizes)}}} : ({', '.join(types)})",
            x[tuple(slice(a, a + n) for a, n in zip(at, sizes))])


def dynamic_update_slice(f, x, value, type_):
    sizes = [f.rng.randint(0, d) for d in x.shape]
    patch = f.data(tuple(sizes))
    update, update_type = f.constant(patch)
    names, at = starts_of(f, x, sizes)
    operands, types = zip(*([(value, type_), (update, update_type)] + names))
    result = np.array(x)
    result[tuple(slice(a, a + n) for a, n in zip(at, sizes))] = patch
    return f"dynamic_update_slice {', '.join(operands)} : ({', '.join(types)})", result


def reshape(f, x, value, type_):
    left, shape = x.size, []
    for prime in (2, 3, 5):
        while left and left % prime == 0:
            shape.insert(f.rng.randint(0, len(shape)), prime)
            left //= prime
    shape.insert(f.rng.randint(0, len(shape)), left)
    return f"reshape {value} : ({type_})", x.reshape(shape)


OPS = [broadcast_in_dim, transpose, reverse, slice_, pad, concatenate, dynamic_slice, dynamic_update_slice, reshape]


def main():
    rng = random.Random(int(sys.argv[1]))
    for n in range(int(sys.argv[2])):
        f = Function(rng, f"f{n}")
        x = f.data(tuple(rng.randrange(5) for _ in range(rng.randrange(5))))
        value, type_ = f.constant(x)
        for _ in range(rng.randint(1, 3)):
            moved = rng.choice(OPS)(f, x, value, type_)
            if moved and moved[1].size < 5000:
                x = np.ascontiguousarray(moved[1]).reshape(moved[1].shape)
                type_ = tensor(x.shape, f.element)
                value = f.op(moved[0], type_)
        print(f.finish(value, type_, x))


main()
