#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""reduce_window, convolution and select_and_scatter with random windows, and batch normalization.
Sums of floats are of small integers, so that every order of adding gives the same bits.

Init values are neutral: with others XLA leaves padding out, where the specification combines it. What XLA:CPU selects of unsigned
integers is wrong at times, so that numpy stands in."""
import numpy as np

from contractions import INTEGERS, any_values, init_of, small
from judge import COMPLEX, DTYPES, FLOATS, UNSIGNED, Case, Type, arguments, check, i64s
from movement import data, name_of

SIZES = (0, 1, 1, 2, 3, 4, 5, 7, 9)


def pairs(numbers):
    """A list of (low, high) as the attribute of StableHLO."""
    numbers = list(numbers)
    body = ", ".join(f"[{low}, {high}]" for low, high in numbers)
    return f"dense<{'[' + body + ']' if numbers else ''}> : tensor<{len(numbers)}x2xi64>"


def dilated(n, dilation):
    return (n - 1) * dilation + 1 if n else 0


def random_window(rng, n, largest=4):
    """Size, stride, dilations of base and window, padding and count over n elements of one dimension; XLA wants no less than nothing
    left of a padded base."""
    while True:
        size, stride = int(rng.integers(1, largest + 1)), int(rng.choice([1, 1, 1, 2, 3]))
        base, window = int(rng.choice([1, 1, 1, 2, 3])), int(rng.choice([1, 1, 1, 2]))
        low, high = (int(rng.choice([0, 0, 0, 1, 2, 3, -1, -2])) for _ in range(2))
        padded = dilated(n, base) + low + high
        # An empty result says little.
        if padded >= dilated(size, window) or padded >= 0 and rng.random() < 0.1:
            break
    count = (padded - dilated(size, window)) // stride + 1 if padded and padded >= dilated(size, window) else 0
    return size, stride, base, window, (low, high), count


def random_shape(rng, rank, sizes=SIZES):
    return tuple(int(rng.choice(sizes)) for _ in range(rank))


def reduce_window(name, windows):
    sizes, strides, base, window, padding, counts = zip(*windows) if windows else [()] * 6

    def build(f, x, init):
        scalar = Type((), x.element)
        body = f.region([scalar, scalar], lambda g, a, b: g.same(name, a, b))
        return f.op("reduce_window", [x, init], [Type(counts, x.element)],
                    f"window_dimensions = {i64s(sizes)}, window_strides = {i64s(strides)}, base_dilations = {i64s(base)}, "
                    f"window_dilations = {i64s(window)}, padding = {pairs(padding)}", [body])
    return build


def values(name, element, shape, seed):
    if name in ("maximum", "minimum"):
        x = data(element, shape, seed)
        # Of +0 and -0 the order of comparing decides.
        return np.where(x == 0, x + 1, x).astype(x.dtype) if element in FLOATS else x
    if name == "multiply" and element not in INTEGERS:
        return small(element, shape, seed, 1)
    return any_values(element, shape, seed)


def reduce_window_cases(rng):
    for name in ["add", "multiply", "maximum", "minimum", "and", "or"]:
        elements = ["i1"] + INTEGERS if name in ("and", "or") else INTEGERS + FLOATS + (
            ["i1"] if name in ("maximum", "minimum") else COMPLEX)
        for n in range(20):
            element = elements[n % len(elements)]
            shape = random_shape(rng, int(rng.integers(0, 5)))
            windows = [random_window(rng, d, 4 if len(shape) < 3 else 2) for d in shape]
            yield Case(f"reduce_window.{name}.{n}.{name_of(shape)}.{element}", reduce_window(name, windows),
                       [values(name, element, shape, n), init_of(name, element, False)], zero=element in FLOATS + COMPLEX)


def convolution(spec, numbers, result):
    attrs = (f"dimension_numbers = #stablehlo.conv<{spec}>, feature_group_count = {numbers['features']} : i64, "
             f"batch_group_count = {numbers['batches']} : i64, window_strides = {i64s(numbers['strides'])}, "
             f"padding = {pairs(numbers['padding'])}, lhs_dilation = {i64s(numbers['base'])}, "
             f"rhs_dilation = {i64s(numbers['window'])}, window_reversal = "
             f"array<i1{': ' if numbers['reversal'] else ''}{', '.join(str(r).lower() for r in numbers['reversal'])}>")
    return lambda f, x, w: f.op("convolution", [x, w], Type(*result), attrs)


def ordered(rng, letters, sizes):
    """Sizes by letter in a random order of dimensions: the bracket of StableHLO, and the shape."""
    order = [letters[k] for k in rng.permutation(len(letters))]
    return f"[{', '.join(order)}]", tuple(sizes[letter] for letter in order)


def random_convolution(rng, rank):
    """What convolution() takes, and the shapes of both operands. XLA wants positive sizes of kernels."""
    groups = int(rng.choice([1, 1, 1, 2, 3]))
    by_batch = groups > 1 and rng.random() < 0.4
    batch, inner, outer = (int(rng.choice([1, 2, 3, 4])) for _ in range(3))
    base = random_shape(rng, rank, (1, 2, 3, 4, 5, 7, 9))
    windows = [random_window(rng, d, 3) for d in base]
    spatial = [str(i) for i in range(rank)]
    lhs, x = ordered(rng, ["b", "f", *spatial], dict(zip(spatial, base), b=batch * (groups if by_batch else 1),
                                                     f=inner * (1 if by_batch else groups)))
    rhs, w = ordered(rng, ["o", "i", *spatial], dict(zip(spatial, [v[0] for v in windows]), o=outer * groups, i=inner))
    out, y = ordered(rng, ["b", "f", *spatial], dict(zip(spatial, [v[5] for v in windows]), b=batch, f=outer * groups))
    numbers = {"features": 1 if by_batch else groups, "batches": groups if by_batch else 1, "strides": [v[1] for v in windows],
               "base": [v[2] for v in windows], "window": [v[3] for v in windows], "padding": [v[4] for v in windows],
               "reversal": [bool(rng.random() < 0.2) for _ in windows]}
    return f"{lhs}x{rhs}->{out}", numbers, y, x, w


def convolution_cases(rng):
    elements = FLOATS + ["i8", "i32", "ui16", "i64"] + COMPLEX
    for n in range(80):
        element = elements[n % len(elements)]
        spec, numbers, y, x, w = random_convolution(rng, n % 4)
        yield Case(f"convolution.{n}.{name_of(x)}.{name_of(w)}.{element}", convolution(spec, numbers, (y, element)),
                   [small(element, x, n), small(element, w, n + 1000)], zero=element in FLOATS + COMPLEX)


def select_and_scatter(direction, windows):
    sizes, strides, padding = zip(*[(v[0], v[1], v[4]) for v in windows]) if windows else [()] * 3

    def build(f, x, source, init):
        scalar = Type((), x.element)
        kind = "FLOAT" if x.element in FLOATS else "SIGNED" if x.element[0] == "i" else "UNSIGNED"
        select = f.region([scalar, scalar], lambda g, a, b: g.op(
            "compare", [a, b], Type((), "i1"), f"comparison_direction = #stablehlo<comparison_direction {direction}>, "
            f"compare_type = #stablehlo<comparison_type {kind}>"))
        scatter = f.region([scalar, scalar], lambda g, a, b: g.same("add", a, b))
        return f.op("select_and_scatter", [x, source, init], [x],
                    f"window_dimensions = {i64s(sizes)}, window_strides = {i64s(strides)}, padding = {pairs(padding)}", [select, scatter])
    return build


def scattered(direction, windows, x, source):
    """select_and_scatter with a sum, from 0 on, element by element."""
    keep = {"GE": np.greater_equal, "GT": np.greater, "LE": np.less_equal, "LT": np.less}[direction]
    result = np.zeros_like(x)
    for position in np.ndindex(*source.shape):
        selected = None
        for index in np.ndindex(*(v[0] for v in windows)):
            at = tuple(p * v[1] + k - v[4][0] for p, k, v in zip(position, index, windows))
            if all(0 <= a < d for a, d in zip(at, x.shape)) and (selected is None or not keep(x[selected], x[at])):
                selected = at
        result[selected] += source[position]
    return result


def select_and_scatter_cases(rng):
    elements = FLOATS + INTEGERS
    for n in range(48):
        element = elements[n % len(elements)]
        shape = random_shape(rng, 1 + n % 3, (1, 2, 3, 4, 5, 7, 9))
        windows = []
        for d in shape:
            size, stride = int(rng.integers(1, 4)), int(rng.choice([1, 2, 3]))
            # Every window has an element.
            low, high = (int(rng.integers(0, size)) for _ in range(2))
            low, high = (low, high) if d + low + high >= size else (0, size - 1)
            windows.append((size, stride, 1, 1, (low, high), (d + low + high - size) // stride + 1))
        # Few values make many ties.
        source = tuple(v[5] for v in windows)
        direction = ["GE", "GT", "LE", "LT"][n % 4]
        x, back = small(element, shape, n), small(element, source, n + 1)
        yield Case(f"select_and_scatter.{n}.{name_of(shape)}.{element}", select_and_scatter(direction, windows),
                   [x, back, np.zeros((), DTYPES[element])], zero=element in FLOATS,
                   reference=[scattered(direction, windows, x, back)] if element in UNSIGNED else None)


def batch_norm(name, feature, epsilon):
    def build(f, x, *others):
        vector = Type((x.shape[feature],), x.element)
        whole = Type(x.shape, x.element)
        return f.op(f"batch_norm_{name}", [x, *others], [whole] if name == "inference" else [whole, vector, vector],
                    f"epsilon = {epsilon} : f32, feature_index = {feature} : i64")
    return build


def batch_norm_cases(rng):
    relative = {"f64": 1e-6, "f32": 1e-4, "f16": 4e-3, "bf16": 3e-2}
    for n in range(36):
        name = ["training", "inference", "grad"][n % 3]
        element = FLOATS[n // 3 % 4]
        shape = random_shape(rng, 1 + n % 4, (1, 2, 3, 5, 8))
        feature = int(rng.integers(len(shape)))

        def vector(low=0.5):
            return rng.uniform(low, 2, (shape[feature],)).astype(DTYPES[element])
        x, grad = (rng.uniform(-2, 2, shape).astype(DTYPES[element]) for _ in range(2))
        rest = {"training": [vector(), vector()], "inference": [vector(), vector(), vector(), vector()],
                "grad": [vector(), vector(), vector(), grad]}[name]
        yield Case(f"batch_norm.{name}.{n}.{name_of(shape)}.{feature}.{element}", batch_norm(name, feature, "1.000000e-02"), [x, *rest],
                   relative=relative[element], absolute=4 * relative[element], zero=True)


def cases(seed=5):
    rng = np.random.default_rng(seed)
    yield from select_and_scatter_cases(rng)
    yield from batch_norm_cases(rng)
    yield from convolution_cases(rng)
    yield from reduce_window_cases(rng)


if __name__ == "__main__":
    options = arguments()
    check(cases(options.seed), options)
