#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cholesky's decomposition and triangular systems: sizes, batches, sides, triangles, element types, and NaN where nothing reads."""
import numpy as np

from judge import COMPLEX, DTYPES, Case, arguments, check

TYPES = ["f16", "f32", "f64"] + COMPLEX
ERRORS = {"f16": dict(relative=2e-3, absolute=4e-3), "f32": dict(relative=1e-6, absolute=1e-6), "f64": dict(relative=1e-12, absolute=1e-12),
          "complex<f32>": dict(relative=1e-6, absolute=1e-6), "complex<f64>": dict(relative=1e-12, absolute=1e-12)}


def normal(shape, element, seed):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(shape)
    return values + 1j * rng.standard_normal(shape) if element in COMPLEX else values


def text(flag):
    return "true" if flag else "false"


def triangle(a, lower, other, diagonal=None):
    """`a` with `other` outside a triangle, and on the diagonal if that does not count."""
    n = a.shape[-1]
    kept = np.tri(n, dtype=bool) if lower else np.tri(n, dtype=bool).T
    a = np.where(kept, a, other)
    return np.where(np.eye(n, dtype=bool), diagonal, a) if diagonal is not None else a


def cholesky(lower):
    return lambda f, a: f.op("cholesky", [a], a, f"lower = {text(lower)}")


def cholesky_cases():
    for element in TYPES:
        for shape in [(1, 1), (2, 2), (5, 5), (17, 17), (3, 4, 4), (2, 1, 3, 3), (66, 66), (130, 130), (0, 0), (3, 0, 0), (0, 2, 2)]:
            for lower in (True, False):
                if shape[-1] > 17 and element == "f16":
                    continue  # XLA rounds sums
                x = normal(shape, element, len(shape))
                a = x @ np.swapaxes(x.conj(), -1, -2) + max(3, shape[-1]) * np.eye(shape[-1])
                yield Case(f"cholesky.{element}.{'x'.join(map(str, shape))}.{text(lower)}", cholesky(lower),
                           [triangle(a, lower, np.nan).astype(DTYPES[element])],
                           wide=element == "f32" or element == "complex<f32>", **ERRORS[element])
    for n, a in enumerate([[[1, 2], [2, 1]], [[-1, 0], [0, 1]], [[0, 0], [0, 0]], [[0, 0], [0, 1]], [[1, 0], [0, 0]], [[np.inf, 0], [0, 1]],
                           [[np.nan, 0], [0, 1]], [[1, np.nan], [np.nan, 1]], [[1, 0, 0], [0, -1, 0], [0, 0, 1]],
                           [[[1, 0], [0, -1]], [[1, 0], [0, 1]]],
                           np.diag([1.0] * 30 + [-1] + [1] * 100), np.diag([1.0] * 100 + [-1] + [1] * 10), np.diag([1.0] * 130 + [0])]):
        for lower in (True, False):
            yield Case(f"cholesky.indefinite.{n}.{text(lower)}", cholesky(lower), [np.array(a, "f4")])


def solve(left, lower, unit, transpose):
    attrs = (f"left_side = {text(left)}, lower = {text(lower)}, unit_diagonal = {text(unit)}, "
             f"transpose_a = #stablehlo<transpose {transpose}>")
    return lambda f, a, b: f.op("triangular_solve", [a, b], b, attrs)


def solve_cases():
    rng = np.random.default_rng(4)
    shapes = [((), 1, 1), ((), 3, 2), ((), 8, 1), ((), 13, 5), ((3,), 4, 4), ((2, 1), 3, 6), ((), 0, 3), ((), 3, 0), ((0,), 3, 2), ((), 70, 20), ((2,), 129, 3)]
    for element in TYPES:
        for left in (True, False):
            for lower in (True, False):
                for unit in (True, False):
                    for transpose in ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"):
                        batch, n, sides = shapes[rng.integers(len(shapes))]
                        a = normal((*batch, n, n), element, 1) / (n + 1) + 2 * np.eye(n)
                        a = triangle(a, lower, np.nan, np.nan if unit else None)
                        b = normal((*batch, n, sides) if left else (*batch, sides, n), element, 2)
                        yield Case(f"triangular_solve.{element}.{'x'.join(map(str, b.shape))}.{text(left)}.{text(lower)}.{text(unit)}.{transpose}",
                                   solve(left, lower, unit, transpose), [a.astype(DTYPES[element]), b.astype(DTYPES[element])],
                                   wide=element in ("f32", "complex<f32>"), **ERRORS[element])


def cases():
    yield from cholesky_cases()
    yield from solve_cases()


if __name__ == "__main__":
    check(cases(), arguments())
