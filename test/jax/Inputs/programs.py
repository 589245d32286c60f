#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs as users of jax write them, lowered by jax: layers, losses and their gradients, loops, bit tricks, random numbers."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from judge import Case, arguments, check


def normal(*shape, seed=0, dtype="f4"):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def layer_norm(x, g, b):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * g + b


def attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.float32(np.sqrt(q.shape[-1]))
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.where(mask, scores, -jnp.inf)), v)


def masked_attention(q, k, v, mask):
    """Of one dimension of heads; rows without a key are NaN."""
    scores = jnp.where(mask, jnp.einsum("hqd,hkd->hqk", q, k), -jnp.inf)
    weights = jnp.exp(scores - scores.max(-1, keepdims=True))
    return jnp.einsum("hqk,hkd->hqd", weights, v) / weights.sum(-1, keepdims=True), jnp.einsum(
        "hqk,hkd->hqd", jax.nn.softmax(scores), v)


def mlp_loss(weights, x, labels):
    hidden = jax.nn.gelu(x @ weights[0] + weights[1])
    logits = jax.nn.log_softmax(hidden @ weights[2])
    return -(jax.nn.one_hot(labels, 5) * logits).sum(-1).mean()


def mlp_step(w0, w1, w2, x, labels):
    loss, gradients = jax.value_and_grad(mlp_loss)((w0, w1, w2), x, labels)
    return loss, [w - 0.1 * g for w, g in zip((w0, w1, w2), gradients)]


def rnn(h, xs, w, u):
    def step(h, x):
        h = jnp.tanh(h @ w + x @ u)
        return h, h.sum()
    return lax.scan(step, h, xs)


def mandelbrot(re, im):
    def body(state):
        x, y, n, i = state
        inside = x * x + y * y < 4
        return (jnp.where(inside, x * x - y * y + re, x), jnp.where(inside, 2 * x * y + im, y), n + inside, i + 1)
    return lax.while_loop(lambda s: (s[3] < 30) & jnp.any(s[0] ** 2 + s[1] ** 2 < 4), body,
                          (jnp.zeros_like(re), jnp.zeros_like(re), jnp.zeros(re.shape, jnp.int32), 0))[2]


def life(board):
    def step(_, b):
        n = sum(jnp.roll(b, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - b
        return ((n == 3) | ((b == 1) & (n == 2))).astype(b.dtype)
    return lax.fori_loop(0, 20, step, board)


def gauss_jordan(a):
    n = a.shape[0]

    def step(i, m):
        row = lax.dynamic_slice_in_dim(m, i, 1) / lax.dynamic_slice(m, (i, i), (1, 1))
        factor = lax.dynamic_slice_in_dim(m, i, 1, 1)
        return lax.dynamic_update_slice_in_dim(m - factor * row, row, i, 0)
    return lax.fori_loop(0, n, step, jnp.concatenate([a, jnp.eye(n, dtype=a.dtype)], 1))[:, n:]


def newton(x):
    return lax.while_loop(lambda s: jnp.max(jnp.abs(s[0] ** 2 - x)) > 1e-5, lambda s: ((s[0] + x / s[0]) / 2, s[1] + 1), (x, 0))[0]


def xorshift(x):
    for _ in range(5):
        x ^= x << 13
        x ^= x >> 7
        x ^= x << 17
    return x, lax.population_count(x), lax.clz(x), (x % 1000).astype(jnp.uint16)


def prefix_sums(x):
    shift = 1
    while shift < x.shape[-1]:
        x = x + jnp.pad(x, ((0, 0), (shift, 0)))[:, :-shift]
        shift *= 2
    return x


def fourier(x):
    n = x.shape[-1]
    angle = -2 * np.pi * jnp.outer(jnp.arange(n), jnp.arange(n)) / n
    return x @ jnp.cos(angle).astype(x.dtype), x @ jnp.sin(angle).astype(x.dtype)


def fourier_complex(x):
    n = x.shape[-1]
    return x @ jnp.exp(-2j * np.pi * jnp.outer(jnp.arange(n), jnp.arange(n)) / n).astype(jnp.complex64)


def heat(u):
    def step(_, u):
        return lax.dynamic_update_slice_in_dim(u, u[1:-1] + 0.2 * (u[2:] - 2 * u[1:-1] + u[:-2]), 1, 0)
    return lax.fori_loop(0, 50, step, u)


def choose(i, x):
    return lax.switch(i, [lambda y: y + 1, jnp.sin, lambda y: y[::-1], lambda y: lax.cond(y.sum() > 0, jnp.exp, jnp.negative, y)], x)


def batch_norm(x):
    mean, var = x.mean((0, 1, 2)), x.var((0, 1, 2))
    return jax.nn.relu((x - mean) / jnp.sqrt(var + 1e-3)), mean, var


def horner(x):
    return jnp.polyval(jnp.array([0.5, -1, 2, 3], x.dtype), x), jnp.sinc(x), jnp.logaddexp(x, -x), jnp.hypot(x, 2 * x), jnp.expm1(x)


def integers(a, b):
    return a // b, a % b, lax.div(a, b), lax.rem(a, b), a ** 3, jnp.gcd(a, b), jnp.abs(a), jnp.sign(b), divmod(a, b)


def keys(seed):
    key = jax.random.key(seed, impl="threefry2x32")
    one, two = jax.random.split(key)
    return jax.random.bits(one, (50,)), jax.random.uniform(two, (33,)), jax.random.randint(key, (20,), -5, 100)


def generator_keys(seed):
    """Keys of jax's other implementation, which uses rng_bit_generator."""
    key = jax.random.key(seed, impl="rbg")
    one, two = jax.random.split(key)
    return jax.random.bits(one, (50,)), jax.random.uniform(two, (33,)), jax.random.randint(key, (20,), -5, 100)


def statistics(x):
    return (x.mean(), x.std(0), x.var(1), x.min(0), x.max(1), jnp.argmax(x, 1), jnp.argmin(x), jnp.prod(x[:, :3], 1), jnp.all(x > -3),
            jnp.any(x > 2, 0), jnp.linalg.norm(x), jnp.ptp(x), jax.nn.logsumexp(x, 1), jnp.count_nonzero(x > 0))


def shapes(x):
    return (jnp.tile(x, (2, 3)), jnp.repeat(x, 2, 1), jnp.flip(x), jnp.rot90(x), jnp.roll(x, 3, 1), jnp.stack([x, -x], 1), jnp.kron(x, x),
            jnp.pad(x, ((1, 2), (0, 3)), constant_values=7), x.reshape(-1, 2).T, jnp.triu(x),
            jnp.eye(3, dtype=x.dtype), jnp.meshgrid(x[0], x[:, 0]), jnp.moveaxis(x[None, :, :, None], 1, 3))


def contractions(a, b, c):
    return (jnp.einsum("ij,jk,kl->il", a, b, c), jnp.einsum("ij,ij->i", a, a), jnp.tensordot(a, b, 1), jnp.vdot(a, a),
            jnp.einsum("ij,kj->ki", a, b.T), jnp.outer(a[0], b[0]), jnp.inner(a, a), jnp.einsum("ij,kl->jlik", a, b))


def gradients(x):
    return (jax.grad(lambda v: jnp.sum(jnp.tanh(v) * jnp.exp(-v * v)))(x), jax.grad(lambda v: jax.nn.softmax(v)[0, 0])(x),
            jax.hessian(lambda v: jnp.sum(jnp.sin(v) * v))(x[0, :4]), jax.grad(lambda v: lax.fori_loop(
                0, 5, lambda i, u: u * 0.9 + jnp.cos(u), v).sum())(x), jax.jvp(newton, (jnp.abs(x) + 1,), (x,))[1])


def activations(x):
    return [f(x) for f in (jax.nn.relu, jax.nn.gelu, jax.nn.silu, jax.nn.sigmoid, jax.nn.softplus, jax.nn.elu, jax.nn.selu,
                           jax.nn.mish, jax.nn.leaky_relu, jax.nn.hard_swish, jax.nn.relu6, jnp.arctan, jnp.arcsinh, jnp.sinh)]


def case(name, function, *args, **how):
    return Case(name, function, args, jax=True, **{"relative": 3e-5, "absolute": 3e-6, **how})


def cases():
    x = normal(6, 10)
    yield case("softmax", jax.nn.softmax, normal(33, 129))
    yield case("layer_norm", layer_norm, normal(17, 100), normal(100, seed=1), normal(100, seed=2))
    yield case("attention", attention, *(normal(2, 9, 3, 8, seed=k) for k in range(3)))
    for n in (1, 17, 77, 1000):
        yield case(f"attention.{n}", attention, *(normal(1, n, 2, 8, seed=k) for k in range(3)))
    holes = [normal(2, 40, 8), normal(2, 57, 8, seed=1), normal(2, 57, 8, seed=2)]
    for array, value in zip(holes, (np.nan, np.inf, -np.inf)):
        array[0, 5, 2] = value
    mask = np.random.default_rng(3).integers(0, 2, (40, 57), "i1").astype(bool)
    mask[7] = False
    yield case("masked_attention", masked_attention, *(normal(2, n, 8, seed=k) for k, n in enumerate((40, 57, 57))), mask)
    yield case("masked_attention.not_finite", masked_attention, *holes, mask)
    yield case("mlp_loss_and_step", mlp_step, normal(12, 20), normal(20, seed=1), normal(20, 5, seed=2), normal(16, 12, seed=3),
               np.arange(16) % 5)
    yield case("rnn", rnn, normal(4, 8), normal(20, 4, 6, seed=1), normal(8, 8, seed=2) / 3, normal(6, 8, seed=3))
    yield case("mandelbrot", mandelbrot, *np.meshgrid(np.linspace(-2, 1, 40), np.linspace(-1, 1, 30)))
    yield case("life", life, np.random.default_rng(0).integers(0, 2, (24, 31), "i1"))
    yield case("gauss_jordan", gauss_jordan, normal(8, 8, dtype="f8") + 8 * np.eye(8), relative=1e-12, absolute=1e-14)
    yield case("newton", newton, np.abs(normal(40)) + 0.5)
    for dtype in ("u8", "u4", "i8"):
        yield case(f"xorshift.{dtype}", xorshift, np.arange(1, 40).astype(dtype))
    yield case("prefix_sums.i32", prefix_sums, np.random.default_rng(0).integers(-99, 99, (5, 77), "i4"))
    yield case("prefix_sums.f32", prefix_sums, normal(5, 77), absolute=1e-5)
    yield case("fourier", fourier, normal(3, 32), absolute=2e-5)
    yield case("fourier_complex", fourier_complex, normal(3, 16).astype("c8"), absolute=2e-5)
    yield case("heat", heat, normal(100))
    for i in range(-1, 5):
        yield case(f"choose.{i}", choose, np.int32(i), normal(9, seed=i + 5))
    yield case("batch_norm", batch_norm, normal(4, 5, 6, 7))
    for dtype in ("f4", "f8"):
        yield case(f"horner.{dtype}", horner, normal(50, dtype=dtype))
        yield case(f"activations.{dtype}", activations, normal(5, 41, dtype=dtype) * 3)
    for dtype in ("i1", "i4", "i8", "u2", "u4"):
        a = np.random.default_rng(1).integers(-100 if dtype[0] == "i" else 0, 120, 60).astype(dtype)
        yield case(f"integers.{dtype}", integers, a, np.roll(a, 7))
    yield case("keys", keys, np.int64(42))
    yield case("generator_keys", generator_keys, np.int64(42))
    yield case("statistics", statistics, normal(7, 13))
    for dtype in ("f4", "i2", "u1"):
        yield case(f"shapes.{dtype}", shapes, np.arange(24).reshape(4, 6).astype(dtype))
    yield case("contractions", contractions, normal(4, 5), normal(5, 6, seed=1), normal(6, 3, seed=2), absolute=1e-5)
    yield case("gradients", gradients, x, absolute=1e-5)


if __name__ == "__main__":
    check(cases(), arguments())
