#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations that move data, in ranks 0 to 6, with dimensions of 0 and 1, over random bits of every element type. Everything is to
be the same bits, so that XLA:CPU's flushing does not matter; but of NaNs only that they are."""
import math

import numpy as np

from elementwise import ALL, spread
from judge import COMPLEX, DTYPES, SIGNED, UNSIGNED, Case, Type, arguments, check, i64s

SHAPES = [(), (0,), (1,), (7,), (3, 0), (1, 1), (4, 1), (1, 6), (5, 3), (17, 33), (2, 3, 4), (5, 1, 7), (3, 0, 2), (2, 1, 3, 5),
          (2, 3, 2, 4, 3), (2, 1, 3, 2, 1, 3)]


def data(element, shape, seed=3):
    n = math.prod(shape)
    values = spread(element, n + 100, seed)
    if element in ("f32", "f64", "bf16"):  # moved or not, XLA may flush denormals where it computes
        values = np.where(np.abs(values.astype("f8")) < 1e-30, 0.5, values.astype("f8")).astype(values.dtype)
    return values[-n:].reshape(shape) if n else values[:0].reshape(shape)


def name_of(shape):
    return "x".join(map(str, shape)) or "scalar"


def pick(rng, element_list=ALL + COMPLEX):
    return element_list[rng.integers(len(element_list))]


def transpose(rng, shape):
    order = rng.permutation(len(shape))
    result = [shape[k] for k in order]
    return [], lambda f, x: f.op("transpose", [x], Type(result, x.element), f"permutation = {i64s(order)}")


def reverse(rng, shape):
    axes = [d for d in range(len(shape)) if rng.random() < 0.6]
    return [], lambda f, x: f.op("reverse", [x], x, f"dimensions = {i64s(axes)}")


def slice_(rng, shape):
    starts = [int(rng.integers(0, d + 1)) for d in shape]
    limits = [int(rng.integers(s, d + 1)) for s, d in zip(starts, shape)]
    strides = [int(rng.integers(1, 4)) for _ in shape]
    result = [-(-(b - a) // s) for a, b, s in zip(starts, limits, strides)]
    attrs = f"limit_indices = {i64s(limits)}, start_indices = {i64s(starts)}, strides = {i64s(strides)}"
    return [], lambda f, x: f.op("slice", [x], Type(result, x.element), attrs)


def pad(rng, shape):
    interior = [int(rng.choice([0, 0, 1, 2])) for _ in shape]
    inner = [d + max(d - 1, 0) * i for d, i in zip(shape, interior)]
    low = [int(rng.integers(-n // 2 if n else 0, 4)) for n in inner]
    high = [max(int(rng.integers(-3, 4)), -n - k) for n, k in zip(inner, low)]
    result = [a + n + b for a, n, b in zip(low, inner, high)]
    attrs = f"edge_padding_high = {i64s(high)}, edge_padding_low = {i64s(low)}, interior_padding = {i64s(interior)}"
    return [()], lambda f, x, v: f.op("pad", [x, v], Type(result, x.element), attrs)


def broadcast_in_dim(rng, shape):
    rank = min(len(shape) + int(rng.integers(0, 3)), 6)
    places = rng.permutation(rank)[:len(shape)]
    result = [int(rng.integers(0, 5)) for _ in range(rank)]
    for p, d in zip(places, shape):
        result[p] = d if d != 1 else result[p]
    return [], lambda f, x: f.op("broadcast_in_dim", [x], Type(result, x.element), f"broadcast_dimensions = {i64s(places)}")


def reshape(rng, shape):
    left, result = math.prod(shape), []
    for prime in (2, 3, 5, 7):
        while left and left % prime == 0 and len(result) < 5:
            result.insert(int(rng.integers(0, len(result) + 1)), prime)
            left //= prime
    result.insert(int(rng.integers(0, len(result) + 1)), left)
    return [], lambda f, x: f.op("reshape", [x], Type(result, x.element))


def concatenate(rng, shape):
    if not shape:
        return None
    axis, count = int(rng.integers(len(shape))), int(rng.integers(0, 4))
    others = [tuple(int(rng.integers(0, 5)) if d == axis else n for d, n in enumerate(shape)) for _ in range(count)]
    result = list(shape)
    result[axis] += sum(o[axis] for o in others)
    return others, lambda f, *x: f.op("concatenate", x, Type(result, x[0].element), f"dimension = {axis} : i64")


def starts_of(rng, shape):
    kind = pick(rng, SIGNED + UNSIGNED)
    low = 0 if kind in UNSIGNED else -4
    extreme = np.iinfo(DTYPES[kind])
    return [np.array(rng.choice([extreme.min, extreme.max]) if rng.random() < 0.1 else rng.integers(low, d + 3), DTYPES[kind])
            for d in shape]


def dynamic_slice(rng, shape):
    sizes = [int(rng.integers(0, d + 1)) for d in shape]
    return starts_of(rng, shape), lambda f, x, *at: f.op(
        "dynamic_slice", [x, *at], Type(sizes, x.element), f"slice_sizes = {i64s(sizes)}")


def dynamic_update_slice(rng, shape):
    sizes = tuple(int(rng.integers(0, d + 1)) for d in shape)
    return [sizes, *starts_of(rng, shape)], lambda f, x, *rest: f.op("dynamic_update_slice", [x, *rest], x)


OPS = [transpose, reverse, slice_, pad, broadcast_in_dim, reshape, concatenate, dynamic_slice, dynamic_update_slice]


def operands(element, shape, others):
    """Arrays for shapes; arrays are starts, and stay."""
    return [data(element, shape)] + [o if isinstance(o, np.ndarray) else data(element, o, 5 + k) for k, o in enumerate(others)]


def op_cases(rng):
    for op in OPS:
        for n, shape in enumerate(SHAPES * 2):
            made = op(rng, shape)
            if made:
                element = pick(rng)
                yield Case(f"{op.__name__}.{n}.{name_of(shape)}.{element}", made[1], operands(element, shape, made[0]))


def iota_cases():
    for element in sorted(set(ALL + COMPLEX) - {"i1"}):
        for shape, dimension in [((300,), 0), ((0,), 0), ((3, 5), 0), ((3, 5), 1), ((2, 3, 4), 1), ((2, 1, 3, 2, 2, 5), 5)]:
            yield Case(f"iota.{element}.{name_of(shape)}.{dimension}", lambda f, shape=shape, element=element, dimension=dimension: f.op(
                "iota", [], Type(shape, element), f"iota_dimension = {dimension} : i64"), [])


def bitcast_cases():
    elements = [e for e in ALL + COMPLEX if e not in ("i1", "complex<f64>")]
    for source in elements:
        for target in elements:
            a, b = DTYPES[source].itemsize, DTYPES[target].itemsize
            if (source in COMPLEX) != (target in COMPLEX):
                continue
            shape = (3, 5, b // a) if b > a else (3, 5)
            result = (3, 5, a // b) if a > b else (3, 5)
            x = np.random.default_rng(a).integers(0, 256, 15 * max(a, b), np.uint8).view(DTYPES[source]).reshape(shape)
            yield Case(f"bitcast_convert.{source}.{target}", lambda f, x, result=result, target=target: f.op(
                "bitcast_convert", [x], Type(result, target)), [x],
                reference=[x.view(DTYPES[target]).reshape(result)])


def cases(seed=11):
    yield from op_cases(np.random.default_rng(seed))
    yield from iota_cases()
    yield from bitcast_cases()


if __name__ == "__main__":
    options = arguments()
    check(cases(options.seed), options)
