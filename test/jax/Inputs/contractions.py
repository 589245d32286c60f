#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""dot, dot_general, reduce and map. Sums of floats are of small integers, so that every order of adding gives the same bits; those
named `rounded` are of random numbers, and compared with sums in f64 with an error that grows with the length.

The exceptions: XLA:CPU turns a contraction of one element into a product, which keeps the sign of a zero that adding to 0 loses;
initial values that are not neutral, which the specification leaves open, it drops for single elements and adds thrice for many; and its
maximum and minimum of rows lose NaNs, so that numpy's stand in."""
import math

import numpy as np

from elementwise import ALL
from judge import COMPLEX, DTYPES, FLOATS, FORMATS, SIGNED, UNSIGNED, Case, Type, arguments, check, i64s
from movement import SHAPES, data, name_of

INTEGERS = SIGNED + UNSIGNED


def small(element, shape, seed, largest=3):
    """Small integers, negative ones too where there are; any preds."""
    rng = np.random.default_rng(seed)
    low = 0 if element in UNSIGNED + ["i1"] else -largest
    values = rng.integers(low, (2 if element == "i1" else largest + 1), shape)
    if element in COMPLEX:
        values = values + 1j * rng.integers(low, largest + 1, shape)
    return values.astype(DTYPES[element])


def any_values(element, shape, seed):
    if element in INTEGERS:
        info = np.iinfo(DTYPES[element])
        return np.random.default_rng(seed).integers(info.min, info.max, shape, DTYPES[element], endpoint=True)
    return small(element, shape, seed)


def dot_general(lhs_batch, rhs_batch, lhs_contract, rhs_contract, result):
    numbers = (f"#stablehlo.dot<lhs_batching_dimensions = [{', '.join(map(str, lhs_batch))}], "
               f"rhs_batching_dimensions = [{', '.join(map(str, rhs_batch))}], "
               f"lhs_contracting_dimensions = [{', '.join(map(str, lhs_contract))}], "
               f"rhs_contracting_dimensions = [{', '.join(map(str, rhs_contract))}]>")

    def build(f, x, y):
        lhs_free = [d for i, d in enumerate(x.shape) if i not in [*lhs_batch, *lhs_contract]]
        rhs_free = [d for i, d in enumerate(y.shape) if i not in [*rhs_batch, *rhs_contract]]
        shape = [x.shape[i] for i in lhs_batch] + lhs_free + rhs_free
        return f.op("dot_general", [x, y], Type(shape, result or x.element), f"dot_dimension_numbers = {numbers}")
    return build


def random_dot(rng, sizes=(0, 1, 1, 2, 3, 4, 5, 7, 9)):
    """Shapes and dimension numbers of a dot_general with dimensions anywhere. In half of them all have one size, but for those that
    are contracted, which have it, too, or 1: sizes do not tell dimensions apart then."""
    one = int(rng.choice([2, 3, 4])) if rng.random() < 0.5 else None
    n_batch, n_contract, n_left, n_right = (int(rng.integers(0, k)) for k in (3, 3, 3, 3))
    batch, contract, left, right = ([one or int(rng.choice(sizes)) for _ in range(n)] for n in (n_batch, n_contract, n_left, n_right))
    if one and rng.random() < 0.5:
        contract = [1] * n_contract
    sides = []
    for free in (left, right):
        dims = [("b", i, d) for i, d in enumerate(batch)] + [("c", i, d) for i, d in enumerate(contract)] + [
            ("f", i, d) for i, d in enumerate(free)]
        order = rng.permutation(len(dims))
        free_seen = [dims[k] for k in order]
        sides.append(([d[2] for d in free_seen],
                      [[k for i in range(n) for k, d in enumerate(free_seen) if d[:2] == (kind, i)]
                       for kind, n in (("b", n_batch), ("c", n_contract))]))
    (lhs, (lb, lc)), (rhs, (rb, rc)) = sides
    return tuple(lhs), tuple(rhs), lb, rb, lc, rc


WIDER = {"bf16": ["f32"], "f16": ["f32"], "f32": ["f64"], "i8": ["i32", "i16"], "ui8": ["ui32"], "i16": ["i32"], "i32": ["i64"]}


def dot_cases(rng):
    elements = INTEGERS + FLOATS + COMPLEX
    for n in range(180):
        lhs, rhs, lb, rb, lc, rc = random_dot(rng)
        element = elements[n % len(elements)]
        result = None
        if n % 3 == 0 and element in WIDER:
            result = WIDER[element][int(rng.integers(len(WIDER[element])))]
        make = small if result else any_values
        yield Case(f"dot_general.{n}.{name_of(lhs)}.{name_of(rhs)}.{element}.{result or element}",
                   dot_general(lb, rb, lc, rc, result), [make(element, lhs, n), make(element, rhs, n + 1000)], zero=True)
    for lhs, rhs in [((40, 50), (50, 60)), ((1, 129), (129, 65)), ((130, 1), (1, 33)), ((257, 31), (31, 1)), ((64, 64), (64, 64))]:
        for element in ["f32", "f64", "bf16", "i32"]:
            yield Case(f"matmul.{name_of(lhs)}.{name_of(rhs)}.{element}", dot_general([], [], [1], [0], None),
                       [small(element, lhs, 1, 1 if element == "bf16" else 9), small(element, rhs, 2, 1 if element == "bf16" else 9)], zero=True)
        x, y = (np.random.default_rng(k).standard_normal(s).astype("f4") for k, s in ((5, lhs), (6, rhs)))
        yield Case(f"matmul.rounded.{name_of(lhs)}.{name_of(rhs)}", dot_general([], [], [1], [0], None), [x, y], absolute=2e-5,
                   reference=[x.astype("f8") @ y.astype("f8")])
    for lhs, rhs in [((7,), (7,)), ((3, 7), (7,)), ((3, 7), (7, 5)), ((0,), (0,)), ((3, 0), (0, 4))]:
        for element in ["f32", "i8", "f16"]:
            yield Case(f"dot.{name_of(lhs)}.{name_of(rhs)}.{element}",
                       lambda f, x, y: f.op("dot", [x, y], Type(x.shape[:-1] + y.shape[1:], x.element)),
                       [small(element, lhs, 3), small(element, rhs, 4)], zero=True)


def reduce_op(name, dims):
    def build(f, x, init):
        shape = [d for i, d in enumerate(x.shape) if i not in dims]
        scalar = Type((), x.element)
        body = f.region([scalar, scalar], lambda g, a, b: g.same(name, a, b))
        return f.op("reduce", [x, init], [Type(shape, x.element)], f"dimensions = {i64s(dims)}", [body])
    return build


INITS = {"add": 0, "multiply": 1, "maximum": None, "minimum": None, "and": -1, "or": 0, "xor": 0}


def init_of(name, element, odd):
    """The neutral element, or, if `odd`, another."""
    dtype = DTYPES[element]
    if odd:
        return np.array(1 if element in ["i1"] + UNSIGNED else -2).astype(dtype)
    if name in ("maximum", "minimum"):
        if element == "i1":
            return np.array(name == "minimum")
        low = -math.inf if element in FLOATS else np.iinfo(dtype).min
        high = math.inf if element in FLOATS else np.iinfo(dtype).max
        return np.array(low if name == "maximum" else high).astype(dtype)
    return np.array(INITS[name]).astype(dtype)


def reduce_cases(rng):
    for name in INITS:
        elements = ["i1"] + INTEGERS if name in ("and", "or", "xor") else INTEGERS + FLOATS + (
            ["i1"] if name in ("maximum", "minimum") else COMPLEX)
        for n in range(30):
            element = elements[n % len(elements)]
            shape = SHAPES[int(rng.integers(len(SHAPES)))]
            dims = [d for d in range(len(shape)) if rng.random() < 0.5]
            if name in ("maximum", "minimum"):
                x = data(element, shape, n)
                # Of +0 and -0 the order of comparing decides.
                x = np.where(x == 0, x + 1, x).astype(x.dtype) if element in FLOATS else x
            elif name == "multiply":
                x = any_values(element, shape, n) if element in INTEGERS else small(element, shape, n, 1)
            else:
                x = any_values(element, shape, n)
            open_ = math.prod(shape[d] for d in dims) == 1 or math.prod(shape) > 300
            yield Case(f"reduce.{name}.{n}.{name_of(shape)}.{element}.{''.join(map(str, dims))}", reduce_op(name, dims),
                       [x, init_of(name, element, n % 4 == 3 and not open_)], zero=element in FLOATS + COMPLEX)
    for shape, dims in [((1000,), [0]), ((37, 129), [1]), ((129, 37), [0]), ((9, 11, 13), [0, 2]), ((5, 7, 300), [1, 2])]:
        x = np.random.default_rng(8).standard_normal(shape).astype("f4")
        yield Case(f"reduce.rounded.{name_of(shape)}", reduce_op("add", dims), [x, np.float32(0.5)], absolute=1e-4,
                   reference=[x.astype("f8").sum(tuple(dims)) + 0.5])
        for name in ("maximum", "minimum"):
            with_nan = np.array(x)
            with_nan.ravel()[::17] = np.nan
            yield Case(f"reduce.{name}.nan.{name_of(shape)}", reduce_op(name, dims), [with_nan, init_of(name, "f32", False)],
                       reference=[getattr(np, name).reduce(with_nan, tuple(dims))])


def index_of_most(direction, dims, index):
    """argmax or argmin as jax writes them: the first of equals, and NaN before all."""
    def build(f, x, init, start):
        shape = [d for i, d in enumerate(x.shape) if i not in dims]
        scalar, place = Type((), x.element), Type((), index)
        iota = f.op("iota", [], Type(x.shape, index), f"iota_dimension = {dims[0]} : i64")

        def compare(g, d, a, b, kind):
            return g.op("compare", [a, b], Type((), "i1"), f"comparison_direction = #stablehlo<comparison_direction {d}>, "
                        f"compare_type = #stablehlo<comparison_type {kind}>")

        def body(g, a, i, b, j):
            kind = "FLOAT" if x.element in FLOATS else "UNSIGNED" if x.element in UNSIGNED else "SIGNED"
            better = compare(g, direction, a, b, kind)
            nan = compare(g, "NE", a, a, kind)
            first = g.same("or", better, nan)
            tie = g.same("and", compare(g, "EQ", a, b, kind), compare(g, "LT", i, j, "UNSIGNED" if index in UNSIGNED else "SIGNED"))
            return [g.same("select", first, a, b), g.same("select", g.same("or", first, tie), i, j)]
        region = f.region([scalar, place, scalar, place], body)
        return f.op("reduce", [x, iota, init, start], [Type(shape, x.element), Type(shape, index)], f"dimensions = {i64s(dims)}",
                    [region])
    return build


def variadic_cases(rng):
    for n, element in enumerate(FLOATS + INTEGERS):
        for shape in [(7,), (5, 3), (2, 3, 4), (17, 33), (3, 0)]:
            dims = [int(rng.integers(len(shape)))]
            x = small(element, shape, n)
            if element in FLOATS and x.size:
                x.ravel()[x.size // 2] = np.nan if n % 2 else np.inf
            most = n % 2 == 0
            yield Case(f"argm{'ax' if most else 'in'}.{element}.{name_of(shape)}.{dims[0]}",
                       index_of_most("GT" if most else "LT", dims, ["i32", "i64", "ui32"][n % 3]),
                       [x, init_of("maximum" if most else "minimum", element, False), np.zeros((), DTYPES[["i32", "i64", "ui32"][n % 3]])])

    def both(f, x, y, a, b):
        scalars = [Type((), x.element), Type((), y.element)]
        body = f.region(scalars * 2, lambda g, p, q, r, s: [g.same("add", p, r), g.same("maximum", q, s)])
        return f.op("reduce", [x, y, a, b], [Type((x.shape[0],), x.element), Type((x.shape[0],), y.element)],
                    f"dimensions = {i64s([1])}", [body])
    yield Case("reduce.sum_and_max", both, [small("f32", (6, 50), 1), any_values("i16", (6, 50), 2), np.float32(1), np.int16(-9)])


def map_cases():
    for element in ["f32", "i32", "ui8", "f64"]:
        for shape in [(), (5,), (3, 4), (0, 2)]:
            def build(f, x, y):
                scalar = Type((), x.element)
                body = f.region([scalar, scalar], lambda g, a, b: g.same("multiply", g.same("add", a, b), b))
                return f.op("map", [x, y], x, f"dimensions = {i64s(range(len(x.shape)))}", [body])
            yield Case(f"map.{element}.{name_of(shape)}", build, [small(element, shape, 1), small(element, shape, 2)])


def cases(seed=5):
    rng = np.random.default_rng(seed)
    yield from dot_cases(rng)
    yield from reduce_cases(rng)
    yield from variadic_cases(rng)
    yield from map_cases()


if __name__ == "__main__":
    options = arguments()
    check(cases(options.seed), options)
