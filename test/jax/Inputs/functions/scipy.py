# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of jax.scipy, by name, each with its arguments."""

import jax.numpy as jnp
import jax.scipy as jsp
from jax.experimental.ode import odeint
from jax.scipy.optimize import minimize
from jax.scipy.spatial.transform import Rotation

from functions.arrays import U, X

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
