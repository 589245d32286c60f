#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise operations over all element types, special values and extremes first. See judge.py for how they are compared.

The exceptions, where XLA:CPU is not the judge, each with its reason: FLUSHED, LONG, wrapping_power, ill_conditioned, not_a_number."""
import math

import ml_dtypes
import numpy as np

from judge import (BF16, COMPLEX, DTYPES, FLOATS, FORMATS, SIGNED, UNSIGNED, Case, Type, arguments, check)

INTEGERS = SIGNED + UNSIGNED
ALL = ["i1"] + INTEGERS + FLOATS


def random_of(seed):
    return np.random.default_rng(seed)


def special(element):
    """Values where operations turn."""
    dtype = DTYPES[element]
    if element == "i1":
        return np.array([False, True])
    if element in INTEGERS:
        info = np.iinfo(dtype)
        values = [0, 1, 2, 3, 5, 7, info.bits - 1, info.bits, info.bits + 1, 100, info.max, info.max - 1, info.max // 2, info.min,
                  info.min + 1] + ([-1, -2, -3, -7, -100] if info.min else [])
        return np.array(values, dtype)
    if element in COMPLEX:
        parts = [0.0, -0.0, 1.0, -2.5, 0.1, 3e3, math.inf, -math.inf, math.nan]
        return np.array([complex(a, b) for a in parts for b in parts], dtype)
    info = ml_dtypes.finfo(dtype)
    values = [0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, -1.5, 2, 2.5, -2.5, 3, -7, 0.1, -0.3, math.pi, 10, 100.5, -100.5, math.inf, -math.inf,
              math.nan, float(info.max), -float(info.max), float(info.smallest_normal), -float(info.smallest_normal),
              float(info.smallest_subnormal), -float(info.smallest_subnormal), 1 + float(info.eps), 1 - float(info.eps) / 2]
    return np.array(values, "f8").astype(dtype)


def spread(element, count, seed=7):
    """The special values, and random ones of every size."""
    rng, dtype, first = random_of(seed), DTYPES[element], special(element)
    n = max(count - first.size, 0)
    if element == "i1":
        return np.concatenate([first, rng.integers(0, 2, n).astype(bool)])
    if element in INTEGERS:
        info = np.iinfo(dtype)
        wide = rng.integers(info.min, info.max, n, dtype, endpoint=True)
        return np.concatenate([first, wide >> rng.integers(0, info.bits, n).astype(dtype)])
    if element in COMPLEX:
        near = (rng.standard_normal(n) + 1j * rng.standard_normal(n)) * np.exp2(rng.integers(-8, 8, n))
        return np.concatenate([first, near.astype(dtype)])
    largest = {"f16": 13, "bf16": 60, "f32": 60, "f64": 300}[element]
    near = rng.standard_normal(n) * np.exp2(np.where(rng.random(n) < 0.7, rng.integers(-6, 7, n), rng.integers(-largest, largest, n)))
    return np.concatenate([first, near.astype(dtype)])


def pairs(element, extra=200):
    """Every pair of special values, and random pairs."""
    first = special(element)
    x, y = (m.ravel() for m in np.meshgrid(first, first))
    more = spread(element, first.size + 2 * extra)[first.size:]
    return np.concatenate([x, more[:extra]]), np.concatenate([y, more[extra:]])


# operation: (element types, units in the last place of f32 and narrower, of f64; None: the same bits), the bounds of numerics.md.
UNARY = {
    "abs": (SIGNED + FLOATS, None), "ceil": (FLOATS, None), "floor": (FLOATS, None), "negate": (INTEGERS + FLOATS + COMPLEX, None),
    "not": (["i1"] + INTEGERS, None), "popcnt": (INTEGERS, None), "count_leading_zeros": (INTEGERS, None),
    "round_nearest_afz": (FLOATS, None), "round_nearest_even": (FLOATS, None), "sign": (SIGNED + FLOATS, None),
    "sqrt": (FLOATS, None), "rsqrt": (FLOATS, (2, 2)), "cbrt": (FLOATS, (2, 2)), "exponential": (FLOATS, (2, 2)),
    "exponential_minus_one": (FLOATS, (2, 2)), "log": (FLOATS, (1, 2)), "log_plus_one": (FLOATS, (1, 2)),
    "logistic": (FLOATS, (3, 3)), "sine": (FLOATS, (2, 2)), "cosine": (FLOATS, (2, 2)), "tan": (FLOATS, (4, 4)),
    "tanh": (FLOATS, (3, 3)),
}
COMPLEX_UNARY = ["cosine", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "rsqrt", "sign", "sine", "sqrt",
                 "tan", "tanh", "abs", "cbrt"]
BINARY = {
    "add": ["i1"] + INTEGERS + FLOATS + COMPLEX, "subtract": INTEGERS + FLOATS + COMPLEX,
    "multiply": ["i1"] + INTEGERS + FLOATS, "divide": INTEGERS + FLOATS, "remainder": INTEGERS + FLOATS, "maximum": ALL,
    "minimum": ALL, "and": ["i1"] + INTEGERS, "or": ["i1"] + INTEGERS, "xor": ["i1"] + INTEGERS, "shift_left": INTEGERS,
    "shift_right_arithmetic": INTEGERS, "shift_right_logical": INTEGERS, "power": INTEGERS + FLOATS, "atan2": FLOATS,
}


def least(x, y):
    """The minimum with -0 < +0, which numpy's need not have."""
    return np.where((x == 0) & (y == 0), np.where(np.signbit(x), x, y), np.minimum(x, y))


def most(x, y):
    return np.where((x == 0) & (y == 0), np.where(np.signbit(x), y, x), np.maximum(x, y))


# What numpy gives where XLA flushes denormals.
FLUSHED = {
    "abs": np.abs, "ceil": np.ceil, "floor": np.floor, "negate": np.negative, "round_nearest_even": np.rint, "sign": np.sign,
    "sqrt": np.sqrt, "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
    "round_nearest_afz": lambda x: np.copysign(np.floor(np.abs(x)), x), "maximum": most, "minimum": least,
    "is_finite": np.isfinite, "remainder": np.fmod,
}
# XLA:CPU's functions of f64 and complex128 have errors of up to a hundred units: numpy's long doubles judge instead. So they do
# for the complex sqrt, where XLA:CPU ignores the sign of a zero on the branch cut, and cbrt, which it has not.
LONG = {
    "rsqrt": lambda x: 1 / np.sqrt(x), "cbrt": np.cbrt, "exponential": np.exp, "exponential_minus_one": np.expm1, "log": np.log,
    "log_plus_one": np.log1p, "logistic": lambda x: 1 / (1 + np.exp(-x)), "sine": np.sin, "cosine": np.cos, "tan": np.tan,
    "tanh": np.tanh, "power": np.power, "atan2": np.arctan2,
}
COMPLEX_LONG = {
    **LONG, "cbrt": lambda z: np.where(z == 0, z, np.exp(np.log(z) / 3)), "sqrt": np.sqrt, "abs": np.abs, "multiply": np.multiply,
    "divide": np.divide, "sign": lambda z: np.where(z == 0, z, z / np.abs(z)),
    "atan2": lambda y, x: -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y)),
}


def by_numpy(functions, name, element, *args):
    """The case's reference, if numpy judges it."""
    if element in ("f64", "complex<f64>") or name in ("sqrt", "cbrt") and element in COMPLEX:
        wider = {"f4": "g", "f8": "g", "c8": "G", "c16": "G"}
        return [functions[name](*(a.astype(wider[a.dtype.str[1:]]) for a in args))]
    return None


def wrapping_power(x, y):
    """Powers of integers modulo 2^n; XLA:CPU looks at six bits of the exponent only. Of a negative one it drops the fraction."""
    bits, signed = 8 * x.itemsize, x.dtype.kind == "i"

    def one(b, e):
        if e < 0:
            return b ** (-e % 2) if abs(b) == 1 else 0
        value = pow(b, e, 1 << bits)
        return value - (1 << bits) if signed and value >> (bits - 1) else value
    return [np.array([one(int(b), int(e)) for b, e in zip(x, y)], x.dtype)]


def ill_conditioned(x, y):
    """0 to a complex power and the angle of the origin are not defined; of large exponents few digits are."""
    return (x == 0) | (y == 0) | (np.abs(y) > 10)


def not_a_number(x):
    """Without mantissa bits a NaN becomes an infinity in XLA's own evaluator and here; XLA:CPU keeps it."""
    return np.isnan(x)


def flushed(name, element):
    return FLUSHED.get(name) if element in FLOATS else None


def unary_cases():
    for name, (elements, ulp) in UNARY.items():
        for element in elements:
            bound = (ulp[element == "f64"] if ulp else 0)
            yield Case(f"{name}.{element}", lambda f, x, name=name: f.same(name, x), [spread(element, 1201)], ulp=bound,
                       wide=bool(ulp) and element != "f64", flushed=flushed(name, element),
                       reference=by_numpy(LONG, name, element, spread(element, 1201)) if ulp else None)
    for element in FLOATS:
        yield Case(f"is_finite.{element}", lambda f, x: f.op("is_finite", [x], Type(x.shape, "i1")), [spread(element, 301)],
                   flushed=FLUSHED["is_finite"])
        bits, least = FORMATS[element]
        for e, m in [(8, 7), (5, 10), (4, 3), (8, 0), (2, 1), (5, 2), (11, 52), (1, 5)]:
            yield Case(f"reduce_precision.{element}.e{e}m{m}",
                       lambda f, x, e=e, m=m: f.same("reduce_precision", x, attrs=f"exponent_bits = {e} : i32, mantissa_bits = {m} : i32"),
                       [spread(element, 401)], masked=None if m else not_a_number)
    for element, part in zip(COMPLEX, ["f32", "f64"]):
        wide = element == "complex<f32>"
        for name in COMPLEX_UNARY:
            result = part if name == "abs" else None
            finite = spread(element, 600)
            finite = finite[np.isfinite(finite) & (np.abs(finite.real) < 60) & (np.abs(finite.imag) < 60)]
            yield Case(f"{name}.{element}", lambda f, x, name=name, result=result: f.op(
                name, [x], Type(x.shape, ("f64" if x.element == "complex<f64>" else "f32") if result else x.element)), [finite], ulp=16,
                wide=wide, zero=True, reference=by_numpy(COMPLEX_LONG, name, element, finite))
        for name in ["real", "imag"]:
            yield Case(f"{name}.{element}", lambda f, x, name=name, part=part: f.op(name, [x], Type(x.shape, part)),
                       [spread(element, 300)])
        yield Case(f"complex.{element}", lambda f, x, y, element=element: f.op("complex", [x, y], Type(x.shape, element)),
                   list(pairs(part)))


def binary_cases():
    for name, elements in BINARY.items():
        for element in elements:
            rough = name in ("power", "atan2") and element in FLOATS
            x, y = pairs(element)
            reference = wrapping_power(x, y) if name == "power" and not rough else None
            yield Case(f"{name}.{element}", lambda f, x, y, name=name: f.same(name, x, y), [x, y], ulp=2 * rough,
                       wide=rough and element != "f64", flushed=flushed(name, element),
                       reference=by_numpy(LONG, name, element, x, y) if rough else reference)
    for element in COMPLEX:
        finite = spread(element, 500)
        finite = finite[np.isfinite(finite)]
        other = np.roll(finite, 17)
        for name, ulp in [("multiply", 4), ("divide", 16), ("power", 128), ("atan2", 16)]:
            # What is defined as a logarithm loses digits near 0.
            absolute = (4e-6 if element == "complex<f32>" else 4e-15) * (name == "atan2")
            yield Case(f"{name}.{element}", lambda f, x, y, name=name: f.same(name, x, y), [finite, other], ulp=ulp, zero=True, absolute=absolute,
                       wide=element == "complex<f32>", masked=ill_conditioned if name in ("power", "atan2") else None,
                       reference=by_numpy(COMPLEX_LONG, name, element, finite, other))


def compare_cases():
    kinds = [("", e) for e in ALL + COMPLEX] + [("TOTALORDER", e) for e in FLOATS]
    for kind, element in kinds:
        for direction in ["EQ", "NE"] + ["LT", "LE", "GT", "GE"] * (element not in COMPLEX):
            stated = kind or {True: "SIGNED", False: "FLOAT"}[element in SIGNED]
            stated = "UNSIGNED" if element in UNSIGNED + ["i1"] else stated
            attrs = (f"comparison_direction = #stablehlo<comparison_direction {direction}>, "
                     f"compare_type = #stablehlo<comparison_type {stated}>")
            x, y = pairs(element, 60)
            numpy = {"EQ": np.equal, "NE": np.not_equal, "LT": np.less, "LE": np.less_equal, "GT": np.greater,
                     "GE": np.greater_equal}[direction]
            if kind:
                def numpy(a, b, plain=numpy):
                    return plain(total_order(a), total_order(b))
            yield Case(f"compare{'.total' * bool(kind)}.{direction}.{element}",
                       lambda f, x, y, attrs=attrs: f.op("compare", [x, y], Type(x.shape, "i1"), attrs), [x, y],
                       flushed=numpy if element in FLOATS else None)


def total_order(x):
    """Integers in the order of TOTALORDER."""
    signed = x.view(f"i{x.itemsize}")
    return np.where(signed < 0, np.iinfo(signed.dtype).max ^ signed, signed)


def convert_cases():
    for source in ALL + COMPLEX:
        for target in ALL + COMPLEX:
            if source in COMPLEX and target not in COMPLEX:
                continue
            yield Case(f"convert.{source}.{target}", lambda f, x, target=target: f.convert(x, target), [spread(source, 301)],
                       flushed=(lambda x, target=target: x.astype(DTYPES[target])) if source in FLOATS and target in FLOATS + COMPLEX else None)


def ternary_cases():
    for element in ALL + COMPLEX:
        x, y = pairs(element, 40)
        pred = spread("i1", x.size)
        yield Case(f"select.{element}", lambda f, p, x, y: f.same("select", p, x, y), [pred, x, y],
                   flushed=np.where if element in FLOATS else None)
        yield Case(f"select.scalar.{element}", lambda f, p, x, y: f.same("select", p, x, y), [np.array(True), x, y],
                   flushed=np.where if element in FLOATS else None)
        if element in COMPLEX:
            continue
        low, high = np.minimum(np.roll(x, 3), np.roll(y, 5)), np.maximum(np.roll(x, 3), np.roll(y, 5))
        clip = (lambda a, b, c: least(most(a, b), c)) if element in FLOATS else None
        yield Case(f"clamp.{element}", lambda f, a, x, b: f.op("clamp", [a, x, b], x), [low, y, high], flushed=clip)
        yield Case(f"clamp.scalar.{element}", lambda f, a, x, b: f.op("clamp", [a, x, b], x),
                   [special(element)[1], y, special(element)[-1]], flushed=clip)


def shape_cases():
    """One operation in every rank, with dimensions of one and none."""
    for shape in [(), (0,), (1,), (3, 0), (1, 1), (5, 1, 7), (2, 3, 1, 5), (2, 1, 3, 2, 4), (2, 3, 2, 1, 2, 3)]:
        for element in ["f32", "bf16", "i1", "ui8", "i64"]:
            n = math.prod(shape)
            x, y = spread(element, 400)[-n:][:n].reshape(shape), spread(element, 400, 9)[-n:][:n].reshape(shape)
            name = "xor" if element == "i1" else "add"
            yield Case(f"{name}.{'x'.join(map(str, shape))}.{element}", lambda f, x, y, name=name: f.same(name, x, y), [x, y],
                       flushed=flushed(name, element))


def cases():
    for kind in (unary_cases, binary_cases, compare_cases, convert_cases, ternary_cases, shape_cases):
        yield from kind()


if __name__ == "__main__":
    check(cases(), arguments())
