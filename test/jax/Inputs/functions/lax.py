# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of jax.lax, by name, each with its arguments."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from functions.arrays import N, U, X, normal, whole

LAX = {
    "slices": (
        lambda x, n: (
            lax.dynamic_slice(x, (n[0], n[1]), (2, 3)),
            lax.dynamic_update_slice(x, x[:2, :2], (n[1], n[2])),
            lax.dynamic_index_in_dim(x, n[0]),
            lax.slice(x, (1, 1), (5, 6), (2, 2)),
            lax.slice_in_dim(x, 1, 6, 2, 1),
        ),
        X,
        np.array([3, 6, -1]),
    ),
    "padding": (lambda x: (lax.pad(x, jnp.float32(7), ((1, 2, 1), (-1, -2, 0))), lax.pad(x, jnp.float32(0), ((-2, 4, 2), (0, 0, 3)))), X),
    "reductions": (
        lambda x: (
            lax.reduce(x, 0.0, lax.add, (1,)),
            lax.reduce(x, 1.0, lax.mul, (0,)),
            lax.reduce_max(x, (0, 1)),
            lax.argmax(x, 1, jnp.int32),
            lax.reduce((x, x), (jnp.float32(0), jnp.float32(1)), lambda a, b: (a[0] + b[0], a[1] * b[1]), (1,)),
            lax.reduce_and(x > -9, (0,)),
            lax.reduce_xor((x > 0), (1,)),
        ),
        X,
    ),
    "windows": (
        lambda x: (
            lax.reduce_window(x, -jnp.inf, lax.max, (2, 3), (1, 2), "SAME"),
            lax.reduce_window(x, 0.0, lax.add, (3, 3), (2, 2), "VALID", window_dilation=(1, 2)),
        ),
        X,
    ),
    "sorts": (
        lambda x, n: (lax.sort(x, dimension=0), lax.sort((n, x), dimension=1, num_keys=1), lax.top_k(x, 3), lax.approx_max_k(x, 2)),
        X,
        whole(5, 7),
    ),
    "approximate": (
        lambda x: (
            lax.approx_max_k(x, 5),
            lax.approx_min_k(x, 3, recall_target=0.5),
            [jnp.max(v, 1) for v in lax.approx_max_k(x, 3, aggregate_to_topk=False)[:1]],
            lax.approx_max_k(x.T, 2, reduction_dimension=0),
            lax.approx_max_k(x.astype(jnp.bfloat16), 1)[0].astype(jnp.float32),
        ),
        normal(3, 700),
    ),
    "loops": (
        lambda x: (
            lax.scan(lambda c, r: (c + r, c * r), x[0], x),
            lax.map(lambda r: r.sum(), x),
            lax.associative_scan(jnp.maximum, x, axis=1),
            lax.while_loop(lambda s: s[1] < 5, lambda s: (s[0] * 1.1, s[1] + 1), (x, 0)),
            lax.scan(lambda c, r: (c, r), 0, x, reverse=True),
        ),
        X,
    ),
    "conditions": (
        lambda x: (
            lax.cond(x[0, 0] > 0, lambda v: v + 1, lambda v: v - 1, x),
            lax.switch(2, [jnp.sin, jnp.cos, jnp.tanh], x),
            lax.select(x > 0, x, -x),
            lax.select_n((x > 0).astype(jnp.int32), x, -x),
            lax.clamp(jnp.float32(-0.5), x, jnp.float32(0.5)),
        ),
        X,
    ),
    "convolutions": (
        lambda x, k: (
            lax.conv_general_dilated(x, k, (1, 1), "SAME"),
            lax.conv_general_dilated(x, k, (2, 1), ((1, 0), (0, 2)), rhs_dilation=(2, 1)),
            lax.conv_transpose(x, k, (2, 2), "SAME", dimension_numbers=("NCHW", "OIHW", "NCHW")),
            lax.conv_general_dilated_patches(x, (2, 2), (1, 1), "VALID"),
        ),
        normal(2, 3, 8, 8),
        normal(3, 3, 3, 3, seed=1) / 3,
    ),
    "dots": (
        lambda x, y: (
            lax.dot_general(x, y, (((1,), (1,)), ((0,), (0,)))),
            lax.dot(x[0], y[0].T),
            lax.batch_matmul(x, y.swapaxes(1, 2)),
            lax.dot(x[0], y[0].T, precision="highest"),
            lax.dot(x[0], y[0].T, preferred_element_type=jnp.float64),
            lax.dot(x[0], y[0].T, precision=lax.DotAlgorithmPreset.BF16_BF16_F32_X6),
        ),
        normal(3, 4, 5),
        normal(3, 4, 5, seed=1),
    ),
    "ragged": (
        lambda x, y, n: (lax.ragged_dot(x, y, n), jax.grad(lambda a: lax.ragged_dot(a, y, n).sum())(x)),
        normal(11, 5),
        normal(3, 5, 7, seed=1),
        np.array([4, 3, 4], "i4"),
    ),
    "special": (
        lambda u: (
            lax.lgamma(u),
            lax.digamma(u),
            lax.erf(u),
            lax.erfc(u),
            lax.erf_inv(u),
            lax.igamma(u, 2 * u),
            lax.igammac(u, u),
            lax.bessel_i0e(u),
            lax.bessel_i1e(u),
            lax.betainc(u, 1 + u, u),
            lax.zeta(2 + u, u),
            lax.polygamma(jnp.float32(1), u),
            lax.random_gamma_grad(u, u),
        ),
        U,
    ),
    "bits": (
        lambda n: (
            lax.population_count(n),
            lax.clz(n),
            lax.bitcast_convert_type(n, jnp.float32),
            lax.shift_right_logical(n, jnp.int32(3)),
            lax.reduce_precision(n.astype(jnp.float32) / 7, 5, 2),
            lax.bitcast_convert_type(n, jnp.uint8),
            lax.rem(n, jnp.int32(7)),
            lax.nextafter(n.astype(jnp.float32), jnp.float32(9)),
        ),
        N,
    ),
    "scatters": (
        lambda x, n: (
            x.at[n].add(2.0),
            jax.ops.segment_sum(x, n % 3, 3),
            jax.ops.segment_max(x, jnp.sort(n) % 4, 4, indices_are_sorted=False),
        ),
        X,
        np.array([0, 2, 1, 1, 0]),
    ),
    "shapes": (
        lambda x: (
            lax.broadcast(x, (2, 3)),
            lax.broadcast_in_dim(x, (5, 2, 7), (0, 2)),
            lax.reshape(x, (7, 5)),
            lax.rev(x, (0, 1)),
            lax.transpose(x, (1, 0)),
            lax.expand_dims(x, (0, 3)),
            lax.collapse(x, 0, 2),
            lax.concatenate([x, x], 0),
            lax.iota(jnp.int8, 5),
            lax.full((2, 2), 3.5),
            lax.optimization_barrier(x),
            lax.convert_element_type(x, jnp.int8),
            lax.stop_gradient(x),
        ),
        X,
    ),
    "accuracy": (
        lambda x: (lax.exp(x, accuracy=lax.Tolerance(ulps=4)), lax.log(jnp.abs(x), accuracy=lax.AccuracyMode.HIGHEST), lax.tanh(x)),
        X,
    ),
}
