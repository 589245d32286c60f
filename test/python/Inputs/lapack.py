# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Eigenvalues of matrices that are not symmetric, Schur's form, QR with pivots: beside NumPy's and by their definitions."""
import os

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jax._src.lax.linalg import geqp3

jax.config.update("jax_enable_x64", True)
PLATFORM = os.environ["JAX_PLATFORMS"].split(",")[0]
assert jax.devices()[0].platform == PLATFORM
random = np.random.default_rng(1)


def near(got, wanted):
    digits = 1e-3 if np.asarray(got).dtype in (np.float32, np.complex64) else 1e-9
    np.testing.assert_allclose(np.asarray(got), np.asarray(wanted), rtol=digits, atol=digits)


def matrices(dtype, *shape):
    a = random.standard_normal(shape)
    return (a + 1j * random.standard_normal(shape) if np.dtype(dtype).kind == "c" else a).astype(dtype)


for dtype in (np.float32, np.float64, np.complex64, np.complex128):
    a = matrices(dtype, 2, 3, 5, 5)
    w, vl, vr = jax.jit(jax.lax.linalg.eig)(a)
    assert w.dtype == vl.dtype == vr.dtype == np.result_type(dtype, np.complex64)
    near(a @ vr, w[..., None, :] * vr)
    near(np.swapaxes(vl, -1, -2).conj() @ a, w[..., :, None] * np.swapaxes(vl, -1, -2).conj())
    near(np.sort_complex(jax.jit(jnp.linalg.eigvals)(a)[0, 0]), np.sort_complex(np.linalg.eigvals(a[0, 0])))
    t, z = jax.jit(jax.lax.linalg.schur)(a)
    near(z @ t @ np.swapaxes(z, -1, -2).conj(), a)
    near(jax.vmap(jnp.linalg.eigvals)(a[0]), jnp.linalg.eigvals(a[0]))
    near(jax.scipy.linalg.sqrtm(a[0, 0]), scipy.linalg.sqrtm(a[0, 0].astype(complex)))
    # What is not finite has none; what is empty has none to find.
    a[0, 0, 1, 1] = np.nan
    w = jnp.linalg.eigvals(a)
    assert np.isnan(w[0, 0]).all() and np.isfinite(w[0, 1]).all()
    assert jnp.linalg.eigvals(a[:0]).shape == (0, 3, 5)
for dtype in (np.float32, np.float64, np.complex64, np.complex128):
    for dims in ((6, 4), (4, 6), (5, 5), (2, 3, 6, 4)):
        a = matrices(dtype, *dims)
        q, r, p = jax.jit(lambda a: jax.lax.linalg.qr(a, pivoting=True, full_matrices=False))(a)
        assert p.dtype == np.int32 and (np.sort(p, axis=-1) == np.arange(dims[-1])).all()
        near(q @ r, np.take_along_axis(a, np.asarray(p)[..., None, :], -1))
        near(np.swapaxes(q, -1, -2).conj() @ q, np.broadcast_to(np.eye(q.shape[-1]), r.shape[:-2] + 2 * q.shape[-1:]))
        if len(dims) == 2:
            assert (p == scipy.linalg.qr(a, pivoting=True)[2]).all()
    # What is not finite has its columns in order.
    a[0, 0, 1, 1] = np.nan
    q, _, p = jax.lax.linalg.qr(a, pivoting=True, full_matrices=False)
    assert np.isnan(q[0, 0]).any() and (p[0, 0] == np.arange(4)).all() and np.isfinite(q[0, 1]).all()
    assert jax.lax.linalg.qr(a[:0], pivoting=True, full_matrices=False)[2].shape == (0, 3, 4)
try:
    jax.block_until_ready(geqp3(a[0, 1], np.array([0, 1, 0, 0], np.int32)))
    assert False
except jax.errors.JaxRuntimeError as error:
    assert "moves no columns to the front" in str(error)
near(np.sort_complex(jnp.roots(np.array([1.0, -6, 11, -6]))), [1, 2, 3])
slope = jax.grad(lambda a: jnp.abs(jnp.linalg.eigvals(a)).sum())
at, step = matrices(np.float64, 4, 4), 1e-6 * np.eye(4)[0][:, None] * np.eye(4)[1]
quotient = (np.abs(np.linalg.eigvals(at + step)).sum() - np.abs(np.linalg.eigvals(at - step)).sum()) / 2e-6
np.testing.assert_allclose(slope(at)[0, 1], quotient, rtol=1e-5)
print("lapack of", PLATFORM)
