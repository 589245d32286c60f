#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of CHLO, on random and special values of all types. XLA computes those of f32 as f64 for comparison."""
import numpy as np

from elementwise import spread
from judge import COMPLEX, DTYPES, FLOATS, SIGNED, UNSIGNED, Case, Type, arguments, check

SPECIAL = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.0, -2.0, 3.0, -3.0, np.inf, -np.inf, np.nan, 1e-30, -1e-30, 1e30, -1e30, 0.999, 1.001,
           1e-4, -1e-4, 10.0, -10.0, 100.0, -100.0]


def reals(element, low=-10, high=10, seed=0):
    rng = np.random.default_rng(seed)
    return np.concatenate([SPECIAL, rng.uniform(low, high, 200), rng.standard_normal(100), 10.0 ** rng.uniform(-20, 20, 60)]).astype(DTYPES[element])


def complexes(element, seed=1):
    rng = np.random.default_rng(seed)
    finite = [v for v in SPECIAL if np.isfinite(v) and abs(v) < 50]
    grid = [complex(a, b) for a in finite for b in finite]
    many = rng.standard_normal(200) + 1j * rng.standard_normal(200)
    wide = 10.0 ** rng.uniform(-15, 15, 200) * np.exp(1j * rng.uniform(-4, 4, 200))
    return np.concatenate([grid, many, many * 10, wide]).astype(DTYPES[element])


def chlo(name, element=None):
    return lambda f, *x: f.op("chlo." + name, x, Type(x[0].shape, element or x[0].element))


REAL = ["acos", "acosh", "asin", "asinh", "atan", "atanh", "bessel_i1e", "cosh", "digamma", "erf", "erf_inv", "erfc", "lgamma", "sinh", "square", "tan"]
# Where XLA's own error or another definition is the difference.
ULP = {"f64": 200, "f32": 3, "f16": 2, "bf16": 2}


def real_cases():
    for name in REAL:
        for element in FLOATS:
            # XLA's difference of exponentials loses digits of large numbers.
            ulp = 400 if element == "f64" and name in ("sinh", "cosh") else ULP[element]
            yield Case(f"{name}.{element}", chlo(name), [reals(element)], wide=element != "f64", ulp=ulp, absolute=1e-13 if element == "f64" else 1e-7,
                       zero=True)


def complex_cases():
    for name in ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "sinh", "square", "tan"]:
        for element in COMPLEX:
            yield Case(f"{name}.{element}", chlo(name), [complexes(element)], wide=element == "complex<f32>", ulp=4 if element == "complex<f32>" else 50,
                       absolute=1e-15 if name in ("sinh", "cosh") else 0)  # XLA's difference of exponentials
    for element in COMPLEX:
        yield Case(f"conj.{element}", chlo("conj"), [complexes(element)])


def pair_cases():
    rng = np.random.default_rng(5)
    for element in FLOATS:
        q = np.concatenate([np.repeat([0.0, -1.0, -1.5, 2.0, 0.5, np.nan], 8), rng.uniform(0.1, 20, 300)])
        x = np.concatenate([np.tile([1.0, 0.5, 2.0, 3.0, 2.5, -1.0, np.nan, 7.0], 6), rng.uniform(1.01, 12, 300)])
        n = np.concatenate([np.tile([0.0, 1.0, 2.0, 3.0, -1.0, 1.5, np.nan, 7.0], 6), rng.integers(0, 8, 300)])
        kind = DTYPES[element]
        options = dict(wide=element != "f64", ulp=1000 if element == "f64" else 3, absolute=1e-13 if element == "f64" else 0)
        yield Case(f"zeta.{element}", chlo("zeta"), [x.astype(kind), q.astype(kind)], **options)
        yield Case(f"polygamma.{element}", chlo("polygamma"), [n.astype(kind), q.astype(kind)], **options)
    for element in FLOATS:
        a, b = spread(element, 300, 3), spread(element, 300, 4)
        a[:20], b[20:40] = b[:20], a[20:40]
        yield Case(f"next_after.{element}", chlo("next_after"), [a, b], reference=[np.nextafter(a, b)])
    for element in SIGNED + UNSIGNED:
        a, b = spread(element, 300, 3), spread(element, 300, 4)
        bits = 8 * a.dtype.itemsize
        high = np.array([int(x) * int(y) >> bits for x, y in zip(a, b)], object).astype(a.dtype)
        yield Case(f"mulhi.{element}", chlo("mulhi"), [a, b], reference=[high])


def root_cases():
    """Near its roots at 1 and 2 lgamma keeps its digits; Hurwitz' zeta vanishes at infinity, and NaNs stay."""
    away = np.concatenate([s * 2.0 ** np.arange(-45, -19) for s in (1, -1)])
    at1 = away * (-np.euler_gamma + away * (np.pi ** 2 / 12 - away * 0.40068563438653143))
    at2 = away * (1 - np.euler_gamma + away * ((np.pi ** 2 / 6 - 1) / 2 - away * 0.0673523010531981))
    yield Case("lgamma.roots", chlo("lgamma"), [np.concatenate([1 + away, 2 + away])], reference=[np.concatenate([at1, at2])], ulp=4)
    for element in FLOATS:
        x, y = np.array([2, 30, np.nan, 1.5, np.nan]), np.array([np.inf, np.inf, 2, np.nan, np.nan])
        yield Case(f"zeta.ends.{element}", chlo("zeta"), [x.astype(DTYPES[element]), y.astype(DTYPES[element])],
                   reference=[np.array([0, 0, np.nan, np.nan, np.nan]).astype(DTYPES[element])])


def infinity_cases():
    for element in FLOATS:
        x = reals(element)
        for name, holds in (("is_inf", np.isinf(x)), ("is_pos_inf", np.isposinf(x.astype("f8"))), ("is_neg_inf", np.isneginf(x.astype("f8")))):
            yield Case(f"{name}.{element}", chlo(name, "i1"), [x], reference=[holds])


def cases():
    yield from real_cases()
    yield from complex_cases()
    yield from pair_cases()
    yield from root_cases()
    yield from infinity_cases()


if __name__ == "__main__":
    check(cases(), arguments())
