# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the functions are called with."""

import jax
import numpy as np


def normal(*shape, seed=0, dtype="f4"):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def unit(*shape, seed=0, dtype="f4"):
    return np.random.default_rng(seed).uniform(0.05, 0.95, shape).astype(dtype)


def whole(*shape, seed=0, low=-50, high=50, dtype="i4"):
    return np.random.default_rng(seed).integers(low, high, shape).astype(dtype)


def symmetric(n, seed=0):
    a = normal(n, n, seed=seed)
    return (a @ a.T + n * np.eye(n)).astype("f4")


X, Y, V, W = normal(5, 7), normal(5, 7, seed=1), normal(13, seed=2), normal(13, seed=3)
U, N, M = unit(24), whole(6, 5), whole(6, 5, seed=1)
P = symmetric(6)
C = normal(6, 6, seed=4) + 1j * normal(6, 6, seed=5)
L = symmetric(70, seed=6) / 70


def K():
    return jax.random.key(42, impl="threefry2x32")
