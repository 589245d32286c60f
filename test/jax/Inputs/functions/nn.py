# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of jax.nn, by name, each with its arguments."""

import jax
import jax.numpy as jnp
from jax import lax

from functions.arrays import X, normal

NN = {
    "activations": (
        lambda x: [
            f(x)
            for f in (
                jax.nn.celu,
                jax.nn.swish,
                jax.nn.hard_sigmoid,
                jax.nn.hard_tanh,
                jax.nn.log_sigmoid,
                jax.nn.soft_sign,
                jax.nn.squareplus,
                jax.nn.sparse_plus,
                jax.nn.sparse_sigmoid,
                jax.nn.tanh,
                jax.nn.standardize,
                jax.nn.identity,
            )
        ],
        X,
    ),
    "norms": (
        lambda x: (
            jax.nn.softmax(x, 0),
            jax.nn.log_softmax(x, where=x > -9, axis=1),
            jax.nn.logsumexp(x, 0),
            jax.nn.glu(x[:, :6]),
            jax.nn.one_hot(jnp.arange(4), 6),
        ),
        X,
    ),
    "attention": (
        lambda q: (jax.nn.dot_product_attention(q, q, q), jax.nn.dot_product_attention(q, q, q, is_causal=True)),
        normal(2, 6, 3, 4),
    ),
    "initializers": (
        lambda: (
            jax.nn.initializers.glorot_uniform()(jax.random.key(0), (4, 5)),
            jax.nn.initializers.he_normal()(jax.random.key(1), (4, 5)),
            jax.nn.initializers.truncated_normal()(jax.random.key(2), (9,)),
        )
    ),
    "gradients": (
        lambda x: (
            jax.grad(lambda v: jax.nn.gelu(v).sum())(x),
            jax.grad(lambda v: jax.nn.logsumexp(v))(x),
            jax.jacrev(lambda v: jnp.tanh(v) * v[0])(x[0]),
            jax.jacfwd(jnp.cumsum)(x[0]),
            jax.vmap(jax.grad(lambda v: (v**3).sum()))(x),
            jax.checkpoint(lambda v: jnp.sin(jnp.sin(v)))(x),
        ),
        X,
    ),
    "pools": (
        lambda x: (
            jax.grad(lambda v: lax.reduce_window(v, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID").sum())(x),
            jax.image.resize(x, (2, 9, 5, 3), "bilinear"),
            jax.image.resize(x, (2, 4, 4, 3), "nearest"),
            jax.image.resize(x, (2, 12, 12, 3), "cubic"),
        ),
        normal(2, 6, 6, 3),
    ),
}
