# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of jax.random, by name, each with its arguments."""

import jax
import jax.numpy as jnp

from functions.arrays import K

RANDOM = {
    "basic": (
        lambda: (
            jax.random.uniform(K(), (7,)),
            jax.random.normal(K(), (9,)),
            jax.random.randint(K(), (8,), 0, 10),
            jax.random.bits(K(), (5,), "uint8"),
            jax.random.bernoulli(K(), 0.3, (20,)),
        )
    ),
    "order": (
        lambda: (
            jax.random.permutation(K(), 12),
            jax.random.choice(K(), 10, (4,), replace=False),
            jax.random.choice(K(), jnp.arange(5.0), (6,)),
            jax.random.categorical(K(), jnp.log(jnp.arange(1.0, 5)), shape=(7,)),
        )
    ),
    "continuous": (
        lambda: (
            jax.random.exponential(K(), (6,)),
            jax.random.gumbel(K(), (6,)),
            jax.random.laplace(K(), (6,)),
            jax.random.logistic(K(), (6,)),
            jax.random.cauchy(K(), (6,)),
            jax.random.truncated_normal(K(), -1.0, 1.0, (6,)),
            jax.random.rayleigh(K(), 1.0, (6,)),
            jax.random.pareto(K(), 2.0, (6,)),
            jax.random.weibull_min(K(), 1.0, 2.0, (6,)),
            jax.random.maxwell(K(), (6,)),
            jax.random.triangular(K(), 0.0, 0.5, 1.0, (6,)),
            jax.random.lognormal(K(), shape=(6,)),
        )
    ),
    "rejection": (
        lambda: (
            jax.random.gamma(K(), 2.0, (6,)),
            jax.random.beta(K(), 2.0, 3.0, (4,)),
            jax.random.dirichlet(K(), jnp.ones(3), (2,)),
            jax.random.poisson(K(), 3.0, (6,)),
            jax.random.binomial(K(), 10, 0.3, (5,)),
            jax.random.t(K(), 3.0, (4,)),
            jax.random.chisquare(K(), 2.0, shape=(4,)),
            jax.random.geometric(K(), 0.3, (5,)),
        )
    ),
    "keys": (
        lambda: (
            jax.random.key_data(jax.random.split(K(), 3)),
            jax.random.key_data(jax.random.fold_in(K(), 7)),
            jax.random.ball(K(), 2, shape=(3,)),
            jax.random.rademacher(K(), (9,)),
        )
    ),
}
