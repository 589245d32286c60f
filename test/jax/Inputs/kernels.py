# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that programs become, on the CPU and on Vulkan: kernels.py [NAME..]. A program fails if it has more than stated here, or
other values than on the interpreter, or if its report does not say why there are several. XLA: fusions and copies of XLA's compiler
for graphics cards."""
import os
import re
import subprocess
import sys
import tempfile

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.ndimage import map_coordinates

DEVICES = ["cpu", "vulkan"]


def layer_norm(x, axis):
    m = x.mean(axis, keepdims=True)
    return (x - m) * lax.rsqrt(((x - m) ** 2).mean(axis, keepdims=True) + 1e-5)


def norm_gradient(x, scale, offset, d):
    return jax.vjp(lambda x, s, o: layer_norm(x, -1) * s + o, x, scale, offset)[1](d)


def batch_norm(x, scale, offset):
    return layer_norm(x, (0, 2, 3)) * scale[:, None, None] + offset[:, None, None]


def batch_norm_gradient(x, scale, offset, d):
    return jax.vjp(batch_norm, x, scale, offset)[1](d)


def group_norm(x, scale, offset):
    return layer_norm(x.reshape(4, 12, 12, 4, 8), (1, 2, 4)).reshape(x.shape) * scale + offset


def cross_entropy(logits, labels):
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1).mean()


def lstm(x, h, c, w, u, b):
    i, f, g, o = jnp.split(x @ w + h @ u + b, 4, axis=-1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    return jax.nn.sigmoid(o) * jnp.tanh(c), c


def gru(x, h, w, u, b, d):
    a, e = x @ w + b, h @ u + d
    r, z = (jax.nn.sigmoid(a[:, i:i + 32] + e[:, i:i + 32]) for i in (0, 32))
    return (1 - z) * jnp.tanh(a[:, 64:] + r * e[:, 64:]) + z * h


def experts(x, gates, w):
    y = jnp.einsum("td,edh->teh", x, w)
    return (jax.nn.softmax(gates)[:, :, None] * jax.nn.silu(y)).sum(1)


def clipped(p, g, m, v):
    return adam(p, g * jnp.minimum(1, lax.rsqrt((g * g).sum())), m, v)


def nearest(x, centers):
    """A step of k-means."""
    one = jax.nn.one_hot(((x[:, None] - centers) ** 2).sum(-1).argmin(1), len(centers))
    return one.T @ x / jnp.maximum(one.sum(0), 1)[:, None]


def assigned(x, centers):
    """The same by sums over segments."""
    i = ((x[:, None] - centers) ** 2).sum(-1).argmin(1)
    n = jax.ops.segment_sum(jnp.ones(len(x)), i, len(centers))
    return jax.ops.segment_sum(x, i, len(centers)) / jnp.maximum(n, 1)[:, None]


def convolved(x, w, b):
    """A layer of a network that sees; channels last."""
    return jax.nn.relu(lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + b)


def convolved_first(x, w, b):
    """The same; channels first."""
    return jax.nn.relu(lax.conv_general_dilated(x, w, (1, 1), "SAME") + b[:, None, None])


def pooled(x, w):
    """Rows, weighed by what a product says of each."""
    return (jax.nn.softmax(x @ w)[:, None] * x).sum(0)


def responsibilities(x, mean, variance, weight):
    """Of the parts of a mixture of Gaussians, for each point."""
    d = ((x[:, None] - mean) ** 2 / variance).sum(-1) + jnp.log(variance).sum(-1)
    return jax.nn.softmax(jnp.log(weight) - 0.5 * d)


def quantized(x):
    s = jnp.abs(x).max(1, keepdims=True) / 127
    return jnp.round(x / s).astype(jnp.int8), s


def key(bits):
    return jax.random.wrap_key_data(bits.astype(jnp.uint32))


def dropout(x, w, v, bits):
    h = jax.nn.relu(x @ w)
    return jnp.where(jax.random.bernoulli(key(bits), 0.9, h.shape), h / 0.9, 0) @ v


def sampled(logits, u):
    return (jnp.cumsum(jax.nn.softmax(logits), -1) < u[:, None]).sum(-1)


def adam(p, g, m, v):
    m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
    return p - 0.1 * m / (jnp.sqrt(v) + 1e-8), m, v


def scatter_rows(x, i, u):
    y = (2 * x).at[i + 1].add(jnp.exp(u))
    return jnp.tanh(y) * 3


def in_place(x, i):
    """Some rows of an array, changed where they are."""
    return lax.dynamic_update_slice(x, lax.dynamic_slice(x, (i, 0), (8, 64)) + 1, (i, 0))


def in_place_between(x, i, j):
    """Some matrices' rows, in the same way."""
    return lax.dynamic_update_slice(x, lax.dynamic_slice(x, (i, j, 0), (4, 8, 64)) + 1, (i, j, 0))


def rotated(x, c, s):
    """Rotary embedding: both halves of the last dimension."""
    a, b = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([a * c - b * s, a * s + b * c], axis=-1)


def heat(u):
    """A step in time of what flows to neighbours, and not over the edges."""
    p = jnp.pad(u, 1, mode="edge")
    return u + 0.1 * (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * u)


def blur(x, w, axes=(0, 1)):
    """Rows, then columns, weighed with those beside them."""
    for axis in axes:
        p = jnp.pad(x, [(2, 2) if a == axis else (0, 0) for a in (0, 1)], mode="edge")
        x = sum(w[i] * lax.slice_in_dim(p, i, i + x.shape[axis], axis=axis) for i in range(5))
    return x


def separable(x, d, p):
    """A filter of each channel, and a product of the channels behind it."""
    names = ("NHWC", "HWIO", "NHWC")
    y = lax.conv_general_dilated(x, d, (1, 1), "SAME", dimension_numbers=names, feature_group_count=x.shape[-1])
    return jax.nn.relu(lax.conv_general_dilated(y, p, (1, 1), "SAME", dimension_numbers=names))


def gravity(p, m):
    """Accelerations of bodies that draw each other."""
    d = p - p[:, None]
    return (m[:, None] * d / ((d * d).sum(-1) + 0.01)[..., None] ** 1.5).sum(1)


def turned(q, v):
    """Vectors in space, turned by quaternions."""
    t = 2 * jnp.cross(q[:, 1:], v)
    return v + q[:, :1] * t + jnp.cross(q[:, 1:], t)


def warped(x, m):
    """An image between its elements, at places that a matrix gives."""
    i, j = jnp.meshgrid(jnp.arange(64.0), jnp.arange(64.0), indexing="ij")
    return map_coordinates(x, jnp.tensordot(m, jnp.stack([i, j, jnp.ones((64, 64))]), 1), 1)


def sampled_at(x, p):
    """An image between its elements, at places as these lie in memory."""
    return map_coordinates(x, [p[..., 0] * 16, p[..., 1] * 16], 1, mode="nearest")


def average_gradient(d):
    """Of averages over squares of four elements."""
    pool = lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
    return jax.vjp(pool, jnp.zeros((2, 16, 16, 8)))[1](d)


def distances(x, y):
    return jnp.sqrt(((x[:, None] - y) ** 2).sum(-1))


def marched(t, rays, eye):
    """A step along rays, as far as a sphere and a floor leave it free."""
    p = eye + t[..., None] * rays
    return t + jnp.minimum(jnp.linalg.norm(p, axis=-1) - 1, p[..., 1] + 1.2)


def across(x, n):
    y = jnp.exp(x)[:, :, 1:5].reshape(len(x), 40)
    return y[:, :n] + y[:, n:2 * n]


def heads(q, k, v, weigh=jax.nn.softmax, mask=lambda s: s):
    """Attention of queries, keys and values of several heads."""
    s = jnp.einsum("bhqd,bhkd->bhqk", q, k, preferred_element_type=jnp.float32) * q.shape[-1] ** -0.5
    return jnp.einsum("bhqk,bhkd->bhqd", weigh(mask(s)).astype(v.dtype), v)


def causal(s):
    return jnp.where(jnp.arange(s.shape[-2])[:, None] >= jnp.arange(s.shape[-1]), s, -jnp.inf)


def padded(q, k, v, lengths):
    """Keys from a length on are masked: all of a row for a length of 0, whose result is NaN."""
    return heads(q, k, v, mask=lambda s: jnp.where(jnp.arange(s.shape[-1]) < lengths[:, None, None, None], s, -jnp.inf))


def divided_last(q, k, v):
    s = jnp.einsum("bhqd,bhkd->bhqk", q * 0.25, k)
    e = jnp.exp(s - s.max(-1, keepdims=True))
    return jnp.einsum("bhqk,bhkd->bhqd", e, v) / e.sum(-1, keepdims=True)


def cached(q, k, v, keys, values, i):
    """Attention of one query, whose key and value are added to those before."""
    keys, values = (lax.dynamic_update_slice(a, b, (0, i, 0)) for a, b in ((keys, k), (values, v)))
    s = jnp.einsum("hqd,hkd->hqk", q, keys) * 0.25
    w = jax.nn.softmax(jnp.where(jnp.arange(keys.shape[1]) <= i, s, -jnp.inf))
    return jnp.einsum("hqk,hkd->hqd", w, values), keys, values


def grouped(q, k, v):
    """Groups of query heads that share keys and values."""
    w = jax.nn.softmax(jnp.einsum("bngqd,bnkd->bngqk", q, k) * 0.25 + jnp.arange(k.shape[2]) * 0.01)
    return jnp.einsum("bngqk,bnkd->bngqd", w, v)


def shared(q, k, v):
    """Heads that all share keys and values; a mask of positions."""
    return jnp.einsum("bhqk,bkd->bhqd", jax.nn.softmax(causal(jnp.einsum("bhqd,bkd->bhqk", q, k))), v)


def apart(q, k, v):
    """Groups that lie between the queries, and whose rows are few."""
    w = jax.nn.softmax(jnp.einsum("bqngd,bknd->bnqgk", q, k))
    return jnp.einsum("bnqgk,bknd->bqngd", w, v)


def block(x, w, o):
    """Attention of a transformer: heads of one projection, and another of what they give."""
    q, k, v = (t.reshape(*x.shape[:2], 4, -1).transpose(0, 2, 1, 3) for t in jnp.split(x @ w, 3, axis=-1))
    return x + heads(q, k, v, mask=causal).transpose(0, 2, 1, 3).reshape(x.shape) @ o


SQUARE, RAGGED = ["2,3,77,16"] * 3, ["2,3,40,16", "2,3,57,16", "2,3,57,24"]

# Name: XLA's kernels (jax 0.10.2, for an H100), ours at most (on the CPU and on Vulkan), function, types of arguments.
PROGRAMS = {
    # What moves data, with what is computed before and after.
    "reshape, tanh, reshape back, add": (1, 1, lambda x: jnp.tanh(x.reshape(48, 64)).reshape(3, 1024) + x, ["3,1024"]),
    "gather, add, tanh": (1, 1, lambda t, i: jnp.tanh(t[i] + 1), ["100,64", "i30"]),
    "interior padding": (1, 1, lambda x: lax.pad(x * 2, x.dtype.type(0), [(1, 2, 1), (0, 3, 2)]) + 1, ["30,40"]),
    "dynamic_update_slice in place": (2, 1, in_place, ["128,64", "i"]),
    "dynamic_update_slice in place, of bf16": (2, 1, in_place_between, ["b16,64,64", "i", "i"]),
    "concatenate, worked on": (1, 1, lambda x, y: jnp.tanh(jnp.concatenate([x * 2, y + 1])), ["30,40", "20,40"]),
    "rotary": (1, 1, rotated, ["2,24,16", "24,8", "24,8"]),
    "transpose, worked on": (1, 1, lambda x: jnp.tanh(x.T + 1), ["64,48"]),
    # Several places of one array.
    "slices across a reshape's factors": (1, 1, lambda x: across(x, 5), ["64,10,6"]),
    "slices along a reshape's factors": (1, 1, lambda x: across(x, 20), ["1000,10,6"]),
    "step of the heat equation": (1, 1, heat, ["60,80"]),
    # A processor keeps a row of the first pass for the second one. Of 60x80 that takes as long as two kernels, of 1024x1024 2/3 to 4/5 of it.
    # On llvmpipe each row would be weighed five times: one dispatch takes 210 us, two 70 us; of 1024x1024 50 ms and 4.4 ms.
    "blur": (1, (1, 2), blur, ["60,80", "5"]),
    # The other way round blocks of rows are kept, with those around. Small arrays stay in cache, and have few blocks: 64x64
    # took 1.4 of the time.
    "columns, then rows": (1, (1, 2), lambda x, w: blur(x, w, (1, 0)), ["256,300", "5"]),
    "columns, then rows, of few": (1, 2, lambda x, w: blur(x, w, (1, 0)), ["60,80", "5"]),
    "two steps of the heat equation": (None, (1, 2), lambda u: heat(heat(u)), ["256,300"]),
    # By figures of the CPU each power three times would take 7.2 us, a kernel for them 1.1 us.
    "gravity": (None, 2, gravity, ["64,3", "64"]),
    "turned by quaternions": (1, 1, turned, ["100,4", "100,3"]),
    "elements of a vector": (1, 1, lambda x, w: jax.nn.softmax(x * w[1]) * w[2], ["64,48", "5"]),
    "gradient of an average pool": (1, 1, average_gradient, ["2,8,8,8"]),
    "repeated, of what is computed": (1, 1, lambda x: jnp.repeat(jnp.tanh(x), 3, axis=0), ["9,8"]),
    "means, repeated": (2, 1, lambda x: jnp.broadcast_to(x.mean(1, keepdims=True), x.shape), ["64,48"]),
    # Gathers, with what computes their indices and reduces what they read.
    "embedding": (1, 1, lambda t, i: t[i % 100], ["100,64", "i30"]),
    "sums of embeddings": (1, 1, lambda t, i: t[i].sum(1), ["100,64", "i30"]),
    "norm of embeddings": (2, (1, 2), lambda t, i: layer_norm(t[i] + 1, -1), ["100,64", "i30"]),
    "cross entropy": (3, 2, lambda x, i: cross_entropy(x, i % 100), ["128,100", "i128"]),
    # As one kernel the six steps of the bisection take 1.3 to 1.5 times as long on processors, which wait for one load after the other.
    "interpolation": (5, (6, 2), jnp.interp, ["100", "50", "50"]),
    "places in order": (None, (10, 2), lambda x, y: jnp.searchsorted(x, y, method="scan_unrolled"), ["1000", "200"]),
    "places in order, by a loop": (None, (4, 2), jnp.searchsorted, ["1000", "200"]),
    "elements at computed places": (1, 1, lambda x, w: x[jnp.arange(30)[:, None] * 10 + jnp.arange(40)] * w, ["340", "30,40"]),
    "greatest elements": (2, 2, lambda x: x[jnp.arange(64), x.argmax(1)] * 2, ["64,100"]),
    # The places are a product.
    "image at computed places": (3, 3, warped, ["64,64", "2,3"]),
    "image at given places": (None, 1, lambda x, i, j: map_coordinates(x, [i * 10, j * 10], 1, mode="nearest"), ["64,64"] * 3),
    "nearest elements of an image": (None, 1, lambda x, i, j: map_coordinates(x, [i * 10, j * 10], 0), ["64,64"] * 3),
    # Of two coordinates side by side processors make vectors first.
    "images, each at its places": (None, (3, 1), jax.vmap(sampled_at), ["4,32,32", "4,32,32,2"]),
    # Weights of rows and of columns, and two products. By a kernel more for what each row's and column's weights have in common
    # processors take 0.85 of the time.
    "image, resized": (None, (6, 4), lambda x: jax.image.resize(x, (96, 80), "bilinear"), ["48,64"]),
    "values of a small table": (None, 1, lambda t, x: t[jnp.clip(jnp.round(x * 15), 0, 15).astype(jnp.int32)], ["16", "500,80"]),
    # Processors wait for the first load before the second: one kernel takes 1.2 to 1.35 of the time on one thread.
    "elements at gathered places": (None, (2, 1), lambda t, u, i: t[u[i]], ["100", "i100", "i300"]),
    "elements at gathered places, and these": (None, (3, 1), lambda t, u, i: t[u[i]] + u[i], ["100", "i100", "i300"]),
    # Random numbers, whose loop has five steps; sums of what comes before.
    "noise": (1, 1, lambda x, bits: x + 0.1 * jax.random.normal(key(bits), x.shape), ["64,100", "i2"]),
    "categorical": (2, 1, lambda x, bits: jax.random.categorical(key(bits), x), ["16,100", "i2"]),
    "dropout between products": (3, 2, dropout, ["64,48", "48,96", "96,32", "i2"]),
    "sampling by cumulative sums": (3, 3, sampled, ["64,100", "64"]),
    # Siblings: what reads the same array.
    "two elementwise": (2, 1, lambda x: (jnp.tanh(x), jnp.exp(x)), ["64,48"]),
    "three elementwise": (1, 1, lambda x: (jnp.tanh(x), jnp.exp(x), x.astype(jnp.int32) + 1), ["64,48"]),
    "sums and squares of rows": (1, 1, lambda x: (x.sum(1), (x * x).sum(1)), ["48,96"]),
    "sums and squares of columns": (1, 1, lambda x: (x.sum(0), (x * x).sum(0)), ["512,96"]),
    "sums and squares over 0, 2, 3": (1, 1, lambda x: (x.sum((0, 2, 3)), (x * x).sum((0, 2, 3))), ["4,6,8,8"]),
    "sum and squares of all": (3, 1, lambda x: (x.sum(), (x * x).sum()), ["300,301"]),
    "array and its rows' sums": (1, 1, lambda x: (jnp.maximum(x, 0), x.sum(1)), ["64,48"]),
    "sums in two types": (1, 1, lambda x: (x.sum(0), x.astype(jnp.int32).max(0)), ["512,96"]),
    "sum of a rows, max of b's": (2, 2, lambda x, y: (x.sum(1), y.max(1)), ["48,96", "48,96"]),
    "siblings that wait for each other": (2, 2, lambda x: (jnp.tanh(x) @ x, jnp.exp(x) @ x)[:1] + (jnp.exp(x.sum(1)),), ["32,32"]),
    "adam": (1, 1, adam, ["64,32"] * 4),
    # Rows that lie along any dimensions.
    "columns' sums, worked on": (2, 1, lambda x: jnp.tanh(x.sum(0) * 2), ["512,96"]),
    "long columns' sums, worked on": (2, 1, lambda x: jnp.tanh(x.sum(0) * 2), ["1200,700"]),
    "mean of squares": (2, 1, lambda x, y: ((x - y) ** 2).mean(), ["64,48", "64,48"]),
    "distances in space": (1, 1, distances, ["50,3", "70,3"]),
    "norms and parts of vectors in space": (1, 1, marched, ["24,32", "24,32,3", "3"]),
    "distances": (1, 1, distances, ["50,16", "70,16"]),
    # Short rows that lie together are read by lanes across them, which only a reduction by itself is: one kernel takes 2 to 5 times as long.
    "short rows' sums, worked on": (None, 2, lambda x: jnp.tanh(x.sum(1) * 2), ["1000,16"]),
    "softmax": (1, 1, jax.nn.softmax, ["48,96"]),
    "softmax, a column added": (None, 1, lambda x: jax.nn.softmax(x[:, :1] + x), ["64,100"]),
    "softmax, a column's exponentials added": (None, 1, lambda x: jax.nn.softmax(jnp.exp(x)[:, :1] + x), ["64,100"]),
    "softmax in the middle": (3, 1, lambda x: jax.nn.softmax(x, axis=1), ["8,64,32"]),
    "softmax of columns": (3, 1, lambda x: jax.nn.softmax(x, axis=0), ["100,300"]),
    "softmax twice": (None, 1, lambda x: jax.nn.softmax(jax.nn.softmax(x)), ["48,96"]),
    "softmax of a transpose": (None, 2, lambda x: jax.nn.softmax(x.T), ["96,48"]),
    "responsibilities of a mixture": (None, 3, responsibilities, ["200,8", "10,8", "10,8", "10"]),
    "attention pooling": (1, 3, pooled, ["128,64", "64"]),
    "softmax of long columns": (4, 4, lambda x: jax.nn.softmax(x, axis=0), ["1200,32"]),
    "norm of columns": (3, 1, lambda x: layer_norm(x, 0), ["96,48"]),
    "norm over 0, 2, 3": (3, 1, lambda x: layer_norm(x, (0, 2, 3)), ["4,16,8,8"]),
    "layer norm's gradient": (3, 2, norm_gradient, ["64,96", "96", "96", "64,96"]),
    "batch norm": (3, 1, batch_norm, ["8,16,12,12", "16", "16"]),
    "batch norm's gradient": (9, 1, batch_norm_gradient, ["8,16,12,12", "16", "16", "8,16,12,12"]),
    "group norm": (4, 2, group_norm, ["4,12,12,32", "32", "32"]),
    "softmax's gradient": (1, 1, lambda x, d: jax.vjp(jax.nn.softmax, x)[1](d), ["64,96", "64,96"]),
    "cross entropy's gradient": (3, 2, lambda x, i: jax.grad(cross_entropy)(x, i % 100), ["128,100", "i128"]),
    "adam, clipped": (2, 1, clipped, ["64,32"] * 4),
    "quantized rows": (3, 1, quantized, ["64,96"]),
    # What people make of all of these.
    "lstm": (3, 3, lstm, ["16,32", "16,32", "16,32", "32,128", "32,128", "128"]),
    "gru": (3, 3, gru, ["16,32", "16,32", "32,96", "32,96", "96", "96"]),
    "experts": (3, 3, experts, ["64,32", "64,8", "8,32,16"]),
    "rms norm, product": (2, 2, lambda x, g, w: x * lax.rsqrt((x * x).mean(-1, keepdims=True)) * g @ w, ["64,48", "48", "48,32"]),
    "swiglu": (4, 3, lambda x, w, v, u: (jax.nn.silu(x @ w) * (x @ v)) @ u, ["64,48", "48,96", "48,96", "96,48"]),
    "step of k-means": (5, 4, nearest, ["200,8", "10,8"]),
    # Vulkan sorts the indices; where the sort itself computes what it compares (7 kernels) all takes 6 to 17 % longer.
    "step of k-means, by segments": (7, (5, 8), assigned, ["200,8", "10,8"]),
    "distances by products": (4, 3, lambda x, y: (x * x).sum(1)[:, None] + (y * y).sum(1) - 2 * x @ y.T, ["50,16", "70,16"]),
    # A product and its diagonal's roots: processors take 4 to 7 % longer to compute these at each element than in a kernel before.
    "correlation": (3, (4, 3), jnp.corrcoef, ["20,100"]),
    "divided by rows and columns": (None, (2, 1), lambda x, d: jnp.tanh(x) / jnp.sqrt(d)[:, None] / jnp.sqrt(d), ["60,60", "60"]),
    # XLA calls a library: two kernels of it, and one between.
    "filter of frequencies": (3, 8, lambda x, h: jnp.fft.irfft(jnp.fft.rfft(x) * h, x.shape[-1]), ["8,64", "33"]),
    "filter of a signal": (3, 1, lambda x, k: jnp.convolve(x, k, mode="same"), ["1000", "16"]),
    "filter of an image": (2, 1, lambda x, k: jax.scipy.signal.convolve2d(x, k, mode="same"), ["60,80", "5,5"]),
    # Products of patches, each a kernel; XLA calls a library that takes images as they are.
    "convolution, bias, relu": (2, 2, convolved, ["2,16,16,8", "3,3,8,16", "16"]),
    "convolution of channels first, bias, relu": (4, 2, convolved_first, ["2,8,16,16", "16,8,3,3", "16"]),
    "convolution, separable": (None, 2, separable, ["2,12,12,8", "3,3,1,8", "1,1,8,16"]),
    "convolution's gradients": (6, 6, lambda x, w, b, d: jax.vjp(convolved, x, w, b)[1](d),
                                ["2,16,16,8", "3,3,8,16", "16", "2,16,16,16"]),
    "gradients of channels first": (9, 7, lambda x, w, b, d: jax.vjp(convolved_first, x, w, b)[1](d),
                                    ["2,8,16,16", "16,8,3,3", "16", "2,16,16,16"]),
    # Products, with what computes their operands and what follows them.
    "product of i8 and bf16": (1, 1, lambda a, b: a.astype(jnp.bfloat16) @ b, ["s64,48", "b48,32"]),
    "product of weights with factors": (1, 1, lambda a, w, s: a @ (w.astype(jnp.float32) * s), ["64,48", "s48,32", "32"]),
    "product of a small tanh": (1, 1, lambda a, b: jnp.tanh(a) @ b, ["64,48", "48,32"]),
    "product of sums": (2, 1, lambda a, b: (a * 2 + 1) @ b, ["256,256", "256,256"]),
    "product of a slice, reshaped": (1, 1, lambda x, w: x[:, :, 8:40].reshape(64, 32) @ w, ["4,16,96", "32,16"]),
    "product of a transpose": (1, 1, lambda a, b: a.T.astype(jnp.float32) @ b, ["b64,48", "64,32"]),
    "products of vectors": (2, 1, lambda x, y: jnp.einsum("bd,bd->b", x, y) * 2, ["48,96", "48,96"]),
    "outer product": (1, 1, lambda x, y, z: jnp.outer(x, y) + z, ["48", "96", "48,96"]),
    "product times an element": (1, 1, lambda a, b, w: a @ b * w[0], ["64,48", "48,32", "5"]),
    "product times what is known last": (None, 1, lambda a, b, w, i: a @ b * w[i], ["64,48", "48,32", "5", "i"]),
    "product, scaled and moved by elements": (None, 1, lambda a, b, w: jax.nn.relu(a @ b * jnp.exp(w[0]) + w[1]), ["64,48", "48,32", "5"]),
    "product and part of a vector": (None, 1, lambda a, b, w: a @ b + w[3:35], ["64,48", "48,32", "50"]),
    "product times a row's elements": (None, 1, lambda a, b, w: a @ b * w[1][:, None], ["64,48", "48,32", "5,64"]),
    "product, bias, gelu": (2, 1, lambda a, b, c: jax.nn.gelu(a @ b + c), ["64,48", "48,32", "32"]),
    # Two products with rows between them.
    "attention": (3, 1, heads, SQUARE),
    "attention of one query and key": (2, 1, heads, ["2,3,1,16"] * 3),
    "attention of few queries": (3, 3, heads, ["2,3,4,16", "2,3,57,16", "2,3,57,24"]),
    "attention of other keys": (3, 1, heads, RAGGED),
    "attention of many keys": (6, 1, heads, ["1,2,17,8", "1,2,3000,8", "1,2,3000,8"]),
    "attention of matrices": (3, 1, lambda q, k, v: jax.nn.softmax(q @ k.T) @ v, ["40,16", "57,16", "57,24"]),
    "attention, causal": (3, 1, lambda q, k, v: heads(q, k, v, mask=causal), SQUARE),
    "attention, padded": (3, 1, padded, RAGGED + ["i2"]),
    "attention, capped and biased": (4, 1, lambda q, k, v, b: heads(q, k, v, mask=lambda s: 30 * jnp.tanh(s / 30) + b), RAGGED + ["3,40,57"]),
    "attention, divided last": (4, 1, divided_last, RAGGED),
    "attention of grouped heads": (3, 1, grouped, ["2,2,4,40,16", "2,2,57,16", "2,2,57,24"]),
    "attention of grouped heads, of few": (3, 1, grouped, ["2,2,12,3,16", "2,2,57,16", "2,2,57,16"]),
    "attention of groups between queries": (3, 1, apart, ["2,12,2,9,16", "2,57,2,16", "2,57,2,16"]),
    "attention of few between queries": (7, 4, apart, ["2,12,2,4,16", "2,57,2,16", "2,57,2,16"]),
    "attention of shared keys": (3, 1, shared, ["2,3,57,16", "2,57,16", "2,57,24"]),
    "attention of shared keys, one query": (3, 1, shared, ["2,8,1,16", "2,57,16", "2,57,24"]),
    "attention of jax": (7, 1, jax.nn.dot_product_attention, ["2,77,3,16"] * 3),
    "attention of jax, causal": (7, 1, lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True), ["2,77,3,16"] * 3),
    "attention of bf16": (3, 1, heads, ["b" + shape for shape in RAGGED]),
    "attention of f16": (3, 1, heads, ["h" + shape for shape in RAGGED]),
    "attention with its weights": (3, 3, lambda q, k, v: [heads(q, k, v)] + [jax.nn.softmax(jnp.einsum("bhqd,bhkd->bhqk", q, k) * 0.25)], RAGGED),
    "attention of a block": (9, 6, block, ["2,33,32", "32,96", "32,32"]),
    "attention with a cache": (None, 5, cached, ["3,1,16"] * 3 + ["3,64,16"] * 2 + ["i"]),
    # Scatters with what computes their indices and updates; for windows that meet Vulkan sorts the indices in a kernel before.
    "scatter of rows": (3, (3, 2), scatter_rows, ["1000,64", "i128", "128,64"]),
    "histogram": (2, (1, 2), lambda x: jnp.zeros(16).at[(x * 3).astype(jnp.int32)].add(jnp.abs(x)), ["500"]),
    "scatter of gathered rows": (2, (1, 2), lambda x, i, j, t: x.at[i].add(2 * t[j]), ["100,64", "i128", "i128", "50,64"]),
    "scatter of pairs": (2, 1, lambda x, i: x.at[jnp.arange(50), i].max(7.0, unique_indices=True), ["50,9", "i50"]),
}
# What reports say of programs that are several kernels, on the CPU.
REASONS = {
    "gravity": "each element would be computed 3 times",
    "softmax of a transpose": "the kernel that reads it goes over rows, in which this cannot be computed",
    "responsibilities of a mixture": "the two go over rows of different forms",
    "attention pooling": "a product's kernel has no whole rows of its result",
    "attention with a cache": "it has too few rows, so that they are not one kernel",
    "softmax of long columns": "the kernel that reads it goes over rows, in which this cannot be computed",
    "attention of few queries": "it has too few rows, so that they are not one kernel",
    "attention of few between queries": "it has too few rows, so that they are not one kernel",
    "attention with its weights": "other kernels use what lies between them",
    "attention of a block": "attention loads its queries, keys and values as whole arrays; this copies a part of one",
    "short rows' sums, worked on": "the kernel that reads it does not go over the rows that are reduced here",
    "convolution, bias, relu": "a product computes an operand itself in the operand's shape; reshape gives it another",
    "scatter of rows": "scatter is a kernel of its own, whatever uses it",
}
TYPES = {"f": jnp.float32, "i": jnp.int32, "b": jnp.bfloat16, "s": jnp.int8, "h": jnp.float16}


def shape_of(text):
    kind = text[0] if text[:1] in TYPES else "f"
    return jax.ShapeDtypeStruct([int(d) for d in text.lstrip("fibsh").split(",") if d], TYPES[kind])


# Kernels on a graphics card, as which llvmpipe can pass, where workgroups keep what the CPU keeps rows of.
ON_GPU = {"blur": 1, "columns, then rows": 1, "columns, then rows, of few": 1, "two steps of the heat equation": 1}


def kernels_of(path, device, folder, *options):
    """Calls of kernels in the program that `device` runs; matrix products are some. On Vulkan functions, as launches are not told there: equal
    kernels have one, of which told() knows better."""
    subprocess.run(["xla-run", path, f"--device={device}", "--seed=1", "--output=none", f"--dump={folder}", *options], check=True)
    stage = next(name for name in os.listdir(f"{folder}/{device}") if name.endswith("-linalg.mlir"))
    with open(f"{folder}/{device}/{stage}", encoding="utf-8") as file:
        word = "call" if device == "cpu" else "func.func private"
        return len(re.findall(rf"{word} @kernel_", file.read()))


def told(count, reports):
    """Kernels on the last device, of `count` functions, where the program has no loops: these have reports of their own."""
    return max(count, int(re.search(r" in (\d+) kernel", reports[-1])[1])) if len(reports) == len(DEVICES) else count


def unexplained(report):
    """Kernels that read what another one writes, without a line that says why."""
    reads = {kernel: re.findall(r"\d+", sources) for kernel, sources in re.findall(
        r"^ +(\d+)  \w*-? .* of tensor<[^ ]*>  +((?:inputs, )?[-\d, ]*?)  ", report, re.M)}
    told = {(a, b) for a, users in re.findall(r"^kernel (\d+) -> ([\d, ]+): ", report, re.M) for b in users.split(", ")}
    return [f"{source} -> {kernel}" for kernel, sources in reads.items() for source in sources if (source, kernel) not in told]


def is_as_on_gpu(name, path, folder):
    """Whether a graphics card has the interpreter's values, and no more kernels than stated."""
    if name not in ON_GPU:
        return True
    done = subprocess.run(["xla-run", path, "--device=all", "--machine=gpu=1", "--seed=1", "--output=none", "--report"], capture_output=True,
                          text=True, check=False)
    count = None
    if done.returncode == 0:
        count = told(kernels_of(path, "vulkan", f"{folder}/gpu", "--machine=gpu=1"), done.stderr.split("@main: ")[1:])
    print(f"{'  on a graphics card':41} {'':7} {count}")
    return count is not None and count <= ON_GPU[name]


def check(name, folder):
    """The row of the table; whether it is as it should be."""
    xla, most, function, types = PROGRAMS[name]
    path = f"{folder}/program.mlir"
    with open(path, "w", encoding="utf-8") as file:
        module = jax.jit(function).lower(*map(shape_of, types)).compiler_ir("stablehlo")
        file.write(module.operation.get_asm(print_generic_op_form=True))
    done = subprocess.run(["xla-run", path, "--device=all", "--seed=1", "--output=none", "--report"], capture_output=True, text=True,
                          check=False)
    counts = [kernels_of(path, device, f"{folder}/{device}") for device in DEVICES] if done.returncode == 0 else []
    reports = done.stderr.split("@main: ")[1:]
    if counts:
        counts[-1] = told(counts[-1], reports)
    print(f"{name:41} {xla or '-':>3} {' '.join(f'{n:3}' for n in counts)}  {'' if counts else done.stderr.strip()[-300:]}")
    is_explained = len(reports) == len(DEVICES) and not any(map(unexplained, reports)) and REASONS.get(name, "") in reports[0]
    if counts and not is_explained:
        print(done.stderr)
    few = all(n <= m for n, m in zip(counts, most if isinstance(most, tuple) else (most, most)))
    return is_explained and len(counts) == len(DEVICES) and few and is_as_on_gpu(name, path, folder)


def main():
    names = sys.argv[1:] or list(PROGRAMS)
    failed = 0
    print(f"{'program':41} XLA cpu vulkan")
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            failed += not check(name, folder)
    print(f"{len(names)} programs, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
