#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of jax.numpy, jax.lax, jax.nn, jax.scipy and jax.random, a program each, lowered by jax. They show what jax writes in
StableHLO; values are taken where the functions are well conditioned, since elementwise.py and the like have the others."""

from functions.lax import LAX
from functions.linalg import LINALG
from functions.nn import NN
from functions.numpy import NUMPY
from functions.random import RANDOM
from functions.scipy import SCIPY
from judge import Case, arguments, check


def cases():
    how = {"numpy.bits": {}, "scipy.special": {"relative": 2e-4}, "lax.special": {"relative": 2e-4}}
    for prefix, table in (("numpy", NUMPY), ("lax", LAX), ("nn", NN), ("scipy", SCIPY), ("random", RANDOM), ("linalg", LINALG)):
        for name, (function, *args) in ((n, e if isinstance(e, tuple) else (e,)) for n, e in table.items()):
            whole_name = f"{prefix}.{name}"
            yield Case(whole_name, function, args, jax=True, **{"relative": 3e-5, "absolute": 1e-5, **how.get(whole_name, {})})


if __name__ == "__main__":
    check(cases(), arguments())
