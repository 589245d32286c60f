# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of linear algebra, by name, each with its arguments."""

import jax
import jax.numpy as jnp
import jax.scipy as jsp
import numpy as np
from jax import lax

from functions.arrays import C, L, P, X, Y, normal


def spectral(w_v, function):
    """A function of a Hermitian matrix, and how orthogonal its eigenvectors are."""
    w, v = w_v
    adjoint = jnp.swapaxes(v.conj(), -1, -2)
    return w, (v * function(w)[..., None, :]) @ adjoint, adjoint @ v


def singular(u_s_v):
    """The matrix of singular values and vectors, and how orthogonal these are."""
    u, s, v = u_s_v
    n = s.shape[-1]
    return s, (u[:, :n] * s) @ v[:n], u.conj().T @ u, v @ v.conj().T


def factored(a):
    """Reflections and their factors."""
    vectors, factors = jnp.linalg.qr(a, mode="raw")
    return vectors.swapaxes(-1, -2), factors


LINALG = {
    "products": (
        lambda x, y: (
            jnp.linalg.norm(x),
            jnp.linalg.norm(x, axis=1),
            jnp.linalg.norm(x, 1),
            jnp.linalg.norm(x[0], jnp.inf),
            jnp.linalg.multi_dot([x, y.T, x]),
            jnp.linalg.matrix_power(x[:, :5] / 3, 3),
            jnp.matvec(x, y[0]),
            jnp.vecdot(x, y),
            jnp.linalg.outer(x[0], y[0]),
            jnp.linalg.cross(x[:, :3], y[:, :3]),
            jnp.linalg.trace(x),
            jnp.kron(x[:2, :2], y[:2, :2]),
        ),
        X,
        Y,
    ),
    "cholesky": (lambda p: (jnp.linalg.cholesky(p), jsp.linalg.cholesky(p), jsp.linalg.cho_solve((jnp.linalg.cholesky(p), True), p[0])), P),
    "triangular": (
        lambda p: (
            jsp.linalg.solve_triangular(p, p[0]),
            jsp.linalg.solve_triangular(p, p, trans=1, lower=True),
            jsp.linalg.solve(p, p[1], assume_a="pos"),
            lax.linalg.triangular_solve(p, p, left_side=False, lower=True, unit_diagonal=True),
        ),
        P,
    ),
    "exponentials": (lambda p: (jsp.linalg.toeplitz(p[0]), jsp.linalg.block_diag(p, p[:2, :2]), jsp.linalg.hilbert(4)), P),
    "iterations": (lambda p: (jsp.sparse.linalg.cg(lambda v: p @ v, p[0])[0], jsp.sparse.linalg.bicgstab(lambda v: p @ v, p[0])[0]), P),
    "qr": (
        lambda x, p: (
            jnp.linalg.qr(x),
            jnp.linalg.qr(x.T, mode="complete"),
            jnp.linalg.qr(jnp.stack([p, 2 * p.T, p.at[:, 0].set(0)]), mode="r"),
            jnp.linalg.qr(jnp.eye(3, dtype=x.dtype)),
            lax.linalg.householder_product(p, p[0, :4]),
        ),
        X,
        P + np.arange(36, dtype="f4").reshape(6, 6) / 9,
    ),
    "lu": (
        lambda p: (
            jsp.linalg.lu(p),
            jsp.linalg.lu_factor(p),
            jnp.linalg.solve(p, p[0]),
            jnp.linalg.inv(p),
            jnp.linalg.det(p),
            jnp.linalg.slogdet(p),
            jsp.linalg.expm(p / 30),
        ),
        P + np.arange(36, dtype="f4").reshape(6, 6) / 9,
    ),
    # Vectors up to their signs: products in which these do not show.
    "eigh": (
        lambda p, c: (
            jnp.linalg.eigvalsh(p),
            spectral(jnp.linalg.eigh(p), jnp.exp),
            spectral(jnp.linalg.eigh(c + c.conj().T), jnp.cos),
            spectral(jnp.linalg.eigh(jnp.stack([p, p.at[:3, 3:].set(0).at[3:, :3].set(0)])), jnp.abs),
            spectral(jnp.linalg.eigh(jnp.diag(jnp.array([3.0, 1, 3, 1, 3]))), jnp.abs),
        ),
        P / 6,
        C,
    ),
    "svd": (
        lambda x, c: (
            jnp.linalg.svd(x, compute_uv=False),
            singular(jnp.linalg.svd(x, full_matrices=False)),
            singular(jnp.linalg.svd(x.T)),
            singular(jnp.linalg.svd(c)),
            jnp.linalg.svd(jnp.ones((4, 3)), compute_uv=False),
            jnp.linalg.pinv(x),
            jnp.linalg.lstsq(x.T, x.T[:, 0])[0],
            jnp.linalg.matrix_rank(jnp.ones((4, 3))),
            jnp.linalg.cond(c),
            jnp.linalg.norm(x, 2),
        ),
        X,
        C,
    ),
    "complex": (
        lambda c: (
            jnp.linalg.det(c),
            jnp.linalg.inv(c),
            jnp.linalg.solve(c, c[0]),
            jsp.linalg.lu(c),
            jnp.linalg.qr(c[:, :4]),
            jnp.linalg.cholesky(c @ c.conj().T),
            jsp.linalg.solve_triangular(c, c[1], trans=2),
        ),
        C,
    ),
    "panels": (
        lambda p, x: (
            jnp.linalg.solve(p - x[:, None] * x, x),
            jnp.linalg.slogdet(p),
            jnp.linalg.qr(p[:, :40])[1],
            jnp.linalg.cholesky(p),
            jsp.linalg.cho_solve(jsp.linalg.cho_factor(p), x),
            jnp.linalg.inv(p)[:3],
        ),
        L,
        normal(70, seed=7) / 70,
    ),
    "qr_pivoted": (
        lambda x, c, p: (
            jsp.linalg.qr(x, pivoting=True, mode="economic"),
            jsp.linalg.qr(x.T, pivoting=True),
            jsp.linalg.qr(c, pivoting=True),
            jsp.linalg.qr(jnp.stack([p, 2 * p.T, p.at[:, 0].set(0)]), pivoting=True, mode="r"),
            jnp.linalg.qr(jnp.zeros((3, 2))),
        ),
        X,
        C,
        P + np.arange(36, dtype="f4").reshape(6, 6) / 9,
    ),
    "reflections": (
        lambda x, c, p: (
            [
                lax.linalg.ormqr(*factored(a), b, left=left, transpose=transpose)
                for left in (True, False)
                for transpose in (True, False)
                for a, b in (
                    (x[:, :3], x[:, :5] if left else x[:, :5].T),
                    (c, c[:, :2] if left else c[:2]),
                    (p[:, :40], p[:, :5] if left else p[:5]),
                )
            ],
        ),
        X,
        C,
        normal(70, 70, seed=8),
    ),
    "hessenberg": (
        lambda p, c: (
            lax.linalg.hessenberg(p),
            lax.linalg.hessenberg(c),
            lax.linalg.hessenberg(jnp.stack([p, p.T, p.at[3:, :3].set(0)])),
            lax.linalg.hessenberg(p[:1, :1]),
            lax.linalg.tridiagonal(p)[1:],
            lax.linalg.tridiagonal(c)[1:],
            jnp.tril(lax.linalg.tridiagonal(c)[0]),
            lax.linalg.tridiagonal(p, lower=False)[1:],
            jnp.triu(lax.linalg.tridiagonal(c, lower=False)[0]),
        ),
        normal(6, 6, seed=9),
        C,
    ),
    "tridiagonal": (
        lambda d, b, c: (
            lax.linalg.tridiagonal_solve(d[0], d[1], d[2], b),
            lax.linalg.tridiagonal_solve(d[0], 10 * d[1], d[2], b),
            lax.linalg.tridiagonal_solve(d[0].at[3].set(0), d[1].at[3].set(0), d[2], b),
            lax.linalg.tridiagonal_solve(d[0].at[1].set(0), d[1].at[0].set(0), d[2], b),
            lax.linalg.tridiagonal_solve(d[:, :1], d[:, 1:2], d[:, 2:3], d[:, 3:5, None].swapaxes(1, 2)),
            lax.linalg.tridiagonal_solve(c[:3], c[1:4], c[2:5], jnp.stack([c, c.T, c[::-1]])),
        ),
        np.concatenate([normal(3, 9, seed=10), np.zeros((3, 1), "f4")], 1) * (np.arange(10) < 9),
        normal(10, 2, seed=11),
        C.astype("c8"),
    ),
    "gradients": (
        lambda p: (
            jax.grad(lambda a: jnp.linalg.slogdet(a)[1])(p),
            jax.grad(lambda a: jnp.linalg.solve(a, a[0]).sum())(p),
            jax.grad(lambda a: jnp.linalg.cholesky(a).sum())(p),
            jax.grad(lambda a: jnp.linalg.inv(a).sum())(p),
            jax.grad(lambda a: jnp.linalg.eigvalsh(a)[2:].sum())(p),
            jax.grad(lambda a: jnp.linalg.svd(a, compute_uv=False)[:2].sum())(p),
            jax.grad(lambda a: jnp.abs(jnp.linalg.qr(a)[1]).sum())(p),
        ),
        P,
    ),
}
