#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of jax.numpy, jax.lax, jax.nn, jax.scipy and jax.random, a program each, lowered by jax. They show what jax writes in
StableHLO; values are taken where the functions are well conditioned, since elementwise.py and the like have the others."""

import jax
import jax.numpy as jnp
import jax.scipy as jsp
import numpy as np
from jax import lax
from jax.experimental.ode import odeint
from jax.scipy.optimize import minimize
from jax.scipy.spatial.transform import Rotation

from judge import Case, arguments, check


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


NUMPY = {
    "sorting": (
        lambda x: (
            jnp.sort(x, 0),
            jnp.argsort(x),
            jnp.sort(x, descending=True),
            jnp.partition(x, 3),
            jnp.median(x),
            jnp.lexsort((x[0], x[1])),
        ),
        X,
    ),
    "percentiles": (lambda x: (jnp.percentile(x, 30), jnp.quantile(x, jnp.array([0.1, 0.9]), axis=1), jnp.nanmedian(x, 0)), X),
    "search": (lambda x, y: (jnp.searchsorted(jnp.sort(x), y), jnp.digitize(y, jnp.sort(x)), jnp.interp(y, jnp.sort(x), x)), V, W),
    "unique": (
        lambda n: (jnp.unique(n, size=20, fill_value=-99), jnp.bincount(jnp.abs(n).ravel(), length=60), jnp.histogram(n, bins=7)[0]),
        N,
    ),
    "sets": (lambda n, m: (jnp.isin(n, m), jnp.union1d(n, m, size=60, fill_value=0), jnp.intersect1d(n, m, size=10, fill_value=0)), N, M),
    "where": (
        lambda x, y: (
            jnp.where(x > y, x, y),
            jnp.nonzero(x > 0, size=30, fill_value=-1),
            jnp.argwhere(x > 1, size=8, fill_value=0),
            jnp.select([x > 1, y > 1], [x, y], 7),
            jnp.choose(jnp.abs(x).astype(int) % 2, [x, y], mode="clip"),
            jnp.extract(x > 0, y, size=9),
        ),
        X,
        Y,
    ),
    "cumulative": (
        lambda x: (
            jnp.cumsum(x, 1),
            jnp.cumprod(x, 0),
            lax.cummax(x, 1),
            lax.cummin(x, 0, reverse=True),
            lax.cumlogsumexp(x, 1),
            jnp.nancumsum(x),
        ),
        X,
    ),
    "differences": (
        lambda x: (
            jnp.diff(x, 2, 1),
            jnp.ediff1d(x),
            jnp.gradient(x),
            jnp.trapezoid(x, axis=0),
            jnp.convolve(x[0], x[1]),
            jnp.correlate(x[0], x[1], "same"),
        ),
        X,
    ),
    "indexing": (
        lambda x, n: (
            x[n % 5],
            x[:, n % 7],
            x[n % 5, n % 7],
            jnp.take(x, n, mode="clip"),
            jnp.take_along_axis(x, n[:5, :1] % 7, 1),
            x[::-2, 1:6:2],
            x[..., None, 2],
            x[-1],
        ),
        X,
        N,
    ),
    "updates": (
        lambda x, n: (
            x.at[n % 5].add(1),
            x.at[:, 2].set(0),
            x.at[n % 5, n % 7].mul(2),
            x.at[1:3].max(0.5),
            x.at[n % 9].min(-1, mode="drop"),
            jnp.put_along_axis(x, n[:5, None] % 7, 9, 1, inplace=False),
        ),
        X,
        np.arange(6),
    ),
    "stacking": (
        lambda x, y: (
            jnp.concatenate([x, y], 1),
            jnp.vstack([x, y]),
            jnp.hstack([x, y]),
            jnp.dstack([x, y]),
            jnp.column_stack([x[0], y[0]]),
            jnp.block([[x, y], [y, x]]),
            jnp.array_split(x, 3, 1),
            jnp.append(x, y),
            jnp.insert(x, 2, 0, axis=1),
            jnp.delete(x, 1, 0),
        ),
        X,
        Y,
    ),
    "diagonals": (
        lambda x: (
            jnp.diag(x[0]),
            jnp.diagonal(x, 1),
            jnp.trace(x),
            jnp.tril(x, 1),
            jnp.fill_diagonal(x, 3, inplace=False),
            jnp.vander(x[0], 4),
            jnp.tri(4, 5),
            jnp.diagflat(x[:2]),
        ),
        X,
    ),
    "windows": (lambda x: (x * jnp.hanning(7), jnp.hamming(5), jnp.blackman(6), jnp.bartlett(8), jnp.kaiser(6, 2.5)), X),
    "rounding": (
        lambda x: (
            jnp.round(x, 1),
            jnp.trunc(x),
            jnp.rint(x * 2),
            jnp.modf(x),
            jnp.frexp(x),
            jnp.ldexp(x, 3),
            jnp.floor_divide(x, 0.3),
            jnp.remainder(x, 0.7),
            jnp.fmod(x, 0.7),
        ),
        X,
    ),
    "nan": (
        lambda x: (
            jnp.nansum(x),
            jnp.nanmean(x, 0),
            jnp.nan_to_num(x),
            jnp.isnan(x),
            jnp.nanmax(x, 1),
            jnp.nanargmin(x, 1),
            jnp.nanstd(x),
            jnp.fmax(x, 0),
            jnp.fmin(x, 0),
        ),
        np.where(X > 1, np.nan, X).astype("f4"),
    ),
    "logarithms": (
        lambda u: (
            jnp.log2(u),
            jnp.log10(u),
            jnp.log1p(u),
            jnp.exp2(u),
            jnp.logaddexp2(u, -u),
            jnp.cbrt(u),
            jnp.square(u),
            jnp.reciprocal(u),
            jnp.float_power(u, 1.7),
            jnp.heaviside(u - 0.5, 0.5),
            jnp.signbit(-u),
            jnp.nextafter(u, 2),
            jnp.spacing(u),
        ),
        U,
    ),
    "trigonometry": (
        lambda u: (
            jnp.arcsin(u),
            jnp.arccos(u),
            jnp.arctanh(u),
            jnp.arccosh(1 + u),
            jnp.arctan2(u, 1 - u),
            jnp.deg2rad(u),
            jnp.unwrap(u * 9),
            jnp.tan(u),
            jnp.cosh(u),
            jnp.angle(u),
            jnp.sinc(u),
        ),
        U,
    ),
    "bits": (
        lambda n, m: (
            n & m,
            n | m,
            n ^ m,
            ~n,
            n << 2,
            n >> 1,
            jnp.left_shift(n, 3),
            jnp.bitwise_count(n),
            jnp.packbits(n > 0),
            jnp.unpackbits(n.astype(jnp.uint8)),
            jnp.lcm(n, m),
            jnp.invert(n),
            n.view(jnp.float32).view(jnp.int32),
            n.astype(jnp.int16).view(jnp.int8),
        ),
        N,
        M,
    ),
    "complex": (
        lambda x, y: (jnp.abs(x + 1j * y), jnp.angle(x + 1j * y), jnp.conj(x + 1j * y), jnp.exp(1j * x), jnp.real((x + 1j * y) * (y - 2j))),
        X,
        Y,
    ),
    "polynomials": (
        lambda v: (
            jnp.polyval(v, 0.5),
            jnp.polyadd(v, v[3:]),
            jnp.polymul(v[:4], v[:3]),
            jnp.polyder(v),
            jnp.polyint(v),
            jnp.polydiv(v[:5], v[:2]),
        ),
        V,
    ),
    "moments": (
        lambda x: (
            jnp.average(x, 0, weights=jnp.arange(5.0)),
            jnp.cov(x),
            jnp.corrcoef(x),
            jnp.var(x, ddof=1),
            jnp.cross(x[:, :3], x[:, 3:6]),
        ),
        X,
    ),
    "apply": (
        lambda x: (
            jnp.vectorize(lambda a, b: a * b + 1)(x, x[0]),
            jnp.apply_along_axis(jnp.cumsum, 1, x),
            jnp.piecewise(x, [x < 0, x > 1], [-1, lambda v: v * 2, 0]),
            jnp.broadcast_arrays(x, x[0]),
            jnp.rollaxis(x, 1),
            jnp.swapaxes(x, 0, 1),
            jnp.squeeze(x[None]),
            jnp.expand_dims(x, 1),
        ),
        X,
    ),
    "grids": (
        lambda x: (
            jnp.linspace(x[0, 0], x[0, 1], 9),
            jnp.logspace(0, 1, 5),
            jnp.geomspace(1, 16, 5),
            jnp.indices((3, 4)),
            jnp.arange(3, 9, 2) + x[0, :3],
            jnp.identity(3),
            jnp.full_like(x, 2),
            jnp.ones_like(x),
            jnp.mgrid[0:3, 0:2],
        ),
        X,
    ),
    "strings_of_axes": (
        lambda x: (
            jnp.einsum("ij,ij->", x, x),
            jnp.einsum("ii->i", x[:, :5]),
            jnp.einsum("ij->ji", x),
            jnp.einsum("i,j,k->ijk", x[0], x[1], x[2]),
        ),
        X,
    ),
}

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

SCIPY = {
    "special": (
        lambda u: (
            jsp.special.gammaln(u),
            jsp.special.betaln(u, u),
            jsp.special.expit(u),
            jsp.special.logit(u),
            jsp.special.ndtr(u),
            jsp.special.ndtri(u),
            jsp.special.log_ndtr(u),
            jsp.special.entr(u),
            jsp.special.xlogy(u, u),
            jsp.special.xlog1py(u, u),
            jsp.special.i0(u),
            jsp.special.i1(u),
            jsp.special.i0e(u),
            jsp.special.gammainc(u, u),
            jsp.special.zeta(1.5 + u, 1),
            jsp.special.kl_div(u, 1 - u),
            jsp.special.rel_entr(u, 1 - u),
            jsp.special.factorial(jnp.floor(u * 5)),
            jsp.special.gamma(u),
            jsp.special.multigammaln(u + 3, 2),
            jsp.special.bernoulli(4),
            jsp.special.exp1(u),
            jsp.special.spence(u),
            jsp.special.poch(u, 2.0),
        ),
        U,
    ),
    "stats": (
        lambda x: (
            jsp.stats.norm.logpdf(x),
            jsp.stats.norm.cdf(x),
            jsp.stats.t.logpdf(x, 3.0),
            jsp.stats.gamma.logpdf(jnp.abs(x), 2.0),
            jsp.stats.beta.logpdf(jnp.abs(jnp.tanh(x)), 2.0, 3.0),
            jsp.stats.poisson.logpmf(jnp.floor(jnp.abs(x)), 2.0),
            jsp.stats.cauchy.logpdf(x),
            jsp.stats.laplace.cdf(x),
            jsp.stats.logistic.sf(x),
            jsp.stats.expon.logpdf(jnp.abs(x)),
            jsp.stats.rankdata(x[0]),
            jsp.stats.mode(jnp.round(x), axis=1).mode,
            jsp.stats.sem(x),
            jsp.stats.truncnorm.logpdf(x / 9, -1.0, 1.0),
        ),
        X,
    ),
    "signal": (
        lambda x: (
            jsp.signal.convolve2d(x, x[:2, :3]),
            jsp.signal.correlate(x[0], x[1]),
            jsp.signal.detrend(x, type="constant"),
            jsp.ndimage.map_coordinates(x, [jnp.array([0.5, 1.2]), jnp.array([1.1, 3.3])], 1),
        ),
        X,
    ),
    "fft": (
        lambda x: (
            jnp.fft.rfft(x),
            jnp.fft.irfft(jnp.fft.rfft(x), 7),
            jnp.abs(jnp.fft.fft2(x)),
            jnp.fft.fftshift(x),
            jnp.fft.fftfreq(8),
            jsp.fft.dct(x),
            jsp.signal.fftconvolve(x, x[:2, :2]),
        ),
        X,
    ),
    "integrate": (
        lambda x: (
            jsp.integrate.trapezoid(x),
            jsp.interpolate.RegularGridInterpolator((jnp.arange(5.0), jnp.arange(7.0)), x)(jnp.array([[1.5, 2.5], [0.2, 5.9]])),
        ),
        X,
    ),
    "ode": (lambda x: odeint(lambda y, t: -y * t, x[0], jnp.array([0.0, 0.5, 1.0], "f4")), X),
    "cluster": (lambda x: (jsp.cluster.vq.vq(x, x[:2]), Rotation.from_rotvec(x[0, :3]).as_matrix(), jsp.stats.gaussian_kde(x[0])(x[1])), X),
    "optimize": (lambda x: minimize(lambda v: ((v - 1.0) ** 2).sum(), x[0], method="BFGS").x, X),
}

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


def K():
    return jax.random.key(42, impl="threefry2x32")


def cases():
    how = {"numpy.bits": {}, "scipy.special": {"relative": 2e-4}, "lax.special": {"relative": 2e-4}}
    for prefix, table in (("numpy", NUMPY), ("lax", LAX), ("nn", NN), ("scipy", SCIPY), ("random", RANDOM), ("linalg", LINALG)):
        for name, (function, *args) in ((n, e if isinstance(e, tuple) else (e,)) for n, e in table.items()):
            whole_name = f"{prefix}.{name}"
            yield Case(whole_name, function, args, jax=True, **{"relative": 3e-5, "absolute": 1e-5, **how.get(whole_name, {})})


if __name__ == "__main__":
    check(cases(), arguments())
