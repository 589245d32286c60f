# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A transformer block: a layer norm, causal attention and a network of two layers. Prints it in StableHLO."""
import os

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np

BATCH, LENGTH, WIDTH, HEADS = 2, 128, 256, 8


def layer_norm(x, scale, offset):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + offset


def attention(qkv):
    q, k, v = (qkv[:, :, i].transpose(0, 2, 1, 3) for i in range(3))
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(WIDTH // HEADS).astype(np.float32)
    causal = jnp.tril(jnp.ones((LENGTH, LENGTH), bool))
    weights = jax.nn.softmax(jnp.where(causal, scores, -1e9), axis=-1)
    return jnp.einsum("bhqk,bhkd->bhqd", weights, v).transpose(0, 2, 1, 3).reshape(BATCH, LENGTH, WIDTH)


def block(x, g1, b1, wqkv, bqkv, wo, bo, g2, b2, w1, c1, w2, c2):
    qkv = layer_norm(x, g1, b1) @ wqkv + bqkv
    x = x + attention(qkv.reshape(BATCH, LENGTH, 3, HEADS, WIDTH // HEADS)) @ wo + bo
    return x + jax.nn.gelu(layer_norm(x, g2, b2) @ w1 + c1) @ w2 + c2


def shape(*dims):
    return jax.ShapeDtypeStruct(dims, jnp.float32)


TYPES = [shape(BATCH, LENGTH, WIDTH), shape(WIDTH), shape(WIDTH), shape(WIDTH, 3 * WIDTH), shape(3 * WIDTH), shape(WIDTH, WIDTH),
         shape(WIDTH), shape(WIDTH), shape(WIDTH), shape(WIDTH, 4 * WIDTH), shape(4 * WIDTH), shape(4 * WIDTH, WIDTH), shape(WIDTH)]

if __name__ == "__main__":
    print(jax.jit(block).lower(*TYPES).compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True))
