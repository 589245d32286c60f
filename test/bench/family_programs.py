# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs for families.py: of each family of dialect/families.def that a device computes, sizes as programs of JAX have them.

Not here, as JAX writes none: what only moves values between functions, and what processes send to each other.
"""
import collections

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

# `inputs` are functions of a random generator; `tolerance` how far results may lie apart, relative to the largest, or None: they need not agree, as
# the signs of eigenvectors.
Program = collections.namedtuple("Program", "family name function inputs tolerance")

Ki, Mi = 1 << 10, 1 << 20


def normal(*shape, scale=1):
    return lambda r: r.standard_normal(shape, dtype=np.float32) * np.float32(scale)


def positive(*shape):
    return lambda r: r.random(shape, dtype=np.float32) + np.float32(0.01)


def gaussian(*shape):
    return lambda r: (r.standard_normal(shape) + 1j * r.standard_normal(shape)).astype(np.complex64)


def below(limit, *shape):
    return lambda r: r.integers(0, limit, shape, dtype=np.int32)


def bfloat16(*shape):
    return lambda r: np.asarray(jnp.asarray(normal(*shape)(r), jnp.bfloat16))


def bytes_(*shape):
    return lambda r: r.integers(-127, 128, shape, dtype=np.int8)


def definite(*shape):
    """Symmetric matrices with eigenvalues above 1."""
    def make(r):
        a = normal(*shape)(r)
        return a @ np.swapaxes(a, -1, -2) / np.float32(shape[-1]) + np.eye(shape[-1], dtype=np.float32)
    return make


def symmetric(*shape):
    def make(r):
        a = normal(*shape)(r)
        return a + np.swapaxes(a, -1, -2)
    return make


def triangular(n):
    return lambda r: np.tril(normal(n, n, scale=0.05)(r)) + 2 * np.eye(n, dtype=np.float32)


def scalar(x):
    return lambda r: np.float32(x)


def key(words):
    return lambda r: np.arange(1, words + 1, dtype=np.uint32)


def elementwise():
    yield "tanh(a x + b) exp(-x) 1Mi", lambda x: jnp.tanh(1.5 * x + 0.5) * jnp.exp(-x), [normal(Mi)]
    yield "pow, log, sin 1Mi", lambda x, y: jnp.power(x, y) + jnp.log(x) * jnp.sin(y), [positive(Mi), normal(Mi)]
    yield "hash u32 1Mi", hashed, [lambda r: r.integers(0, 1 << 32, Mi, dtype=np.uint32)]
    yield "divide, remainder s32 1Mi", lambda x, y: x // (y + 1) + x % (y + 1), [below(1 << 30, Mi), below(1000, Mi)]
    yield "bias, gelu bf16 1024x1024", lambda x, b: jax.nn.gelu(x + b), [bfloat16(1024, 1024), bfloat16(1024)]


def hashed(x):
    for k in (0x85EBCA6B, 0xC2B2AE35):
        x = (x ^ (x >> 16)) * np.uint32(k)
    return x ^ (x >> 16)


def complex_numbers():
    yield "multiply, divide c64 256Ki", lambda x, y: x * y / (x + y), [gaussian(256 * Ki), gaussian(256 * Ki)]
    yield "exp, abs, log c64 256Ki", lambda x: jnp.log(jnp.exp(x) + jnp.abs(x)), [gaussian(256 * Ki)]
    yield "dot c64 256", lambda x, y: x @ y, [gaussian(256, 256), gaussian(256, 256)]


def small_types():
    yield "f32 as f8e4m3fn 1Mi", lambda x: x.astype(jnp.float8_e4m3fn).astype(jnp.float32), [normal(Mi)]
    yield "f32 as f8e5m2 1Mi", lambda x: (x.astype(jnp.float8_e5m2) * jnp.float8_e5m2(0.5)).astype(jnp.float32), [normal(Mi)]
    yield "f32 as s4 1Mi", lambda x: (x * 4).astype(jnp.int4).astype(jnp.float32), [normal(Mi)]
    yield "f16 1Mi", lambda x: (x.astype(jnp.float16) * jnp.float16(1.5) + jnp.float16(1)).astype(jnp.float32), [normal(Mi)]


def bitcast_convert():
    yield "f32 as 4xu8 1Mi", lambda x: lax.bitcast_convert_type(x, jnp.uint8) + jnp.uint8(1), [normal(Mi)]


def reductions():
    yield "sum 4Mi", jnp.sum, [normal(4 * Mi)]
    yield "sum of rows 2048x2048", lambda x: x.sum(1), [normal(2048, 2048)]
    yield "maximum of columns 2048x2048", lambda x: x.max(0), [normal(2048, 2048)]
    yield "softmax 1024x1024", lambda x: jax.nn.softmax(x, axis=-1), [normal(1024, 1024)]
    yield "mean, variance NHWC 8x56x56x64", lambda x: (x.mean((0, 1, 2)), x.var((0, 1, 2))), [normal(8, 56, 56, 64)]
    yield "argmax of rows 1024x4096", lambda x: jnp.argmax(x, 1), [normal(1024, 4096)]
    yield "argmin of columns 4096x1024", lambda x: jnp.argmin(x, 0), [normal(4096, 1024)]
    yield "any of rows 2048x2048", lambda x: (x > 4).any(1), [normal(2048, 2048)]


def windows():
    def pool(size, strides):
        return lambda x: lax.reduce_window(x, -np.inf, lax.max, size, strides, "SAME")
    yield "cumulative sum 1Mi", lax.cumsum, [normal(Mi)]
    yield "cumulative sum of columns 1024x1024", lambda x: lax.cumsum(x, 0), [normal(1024, 1024)]
    yield "cumulative maximum of rows 1024x1024", lambda x: lax.cummax(x, 1), [normal(1024, 1024)]
    yield "cumulative logsumexp 256Ki", lax.cumlogsumexp, [normal(256 * Ki)]
    yield "maxpool 3x3 NHWC 4x56x56x64", pool((1, 3, 3, 1), (1, 2, 2, 1)), [normal(4, 56, 56, 64)]
    yield "maxpool 3x3 NCHW 4x64x56x56", pool((1, 1, 3, 3), (1, 1, 2, 2)), [normal(4, 64, 56, 56)]
    yield "mean of 5x5 1024x1024", lambda x: lax.reduce_window(x, 0.0, lax.add, (5, 5), (1, 1), "SAME") / 25, [normal(1024, 1024)]


def select_and_scatter():
    def pooled(size, strides):
        def gradient(x):
            return jax.grad(lambda a: (lax.reduce_window(a, -jnp.inf, lax.max, size, strides, "VALID") ** 2).sum())(x)
        return gradient
    yield "gradient of maxpool 2x2 4x56x56x64", pooled((1, 2, 2, 1), (1, 2, 2, 1)), [normal(4, 56, 56, 64)]
    yield "gradient of maxpool 3x3 4x57x57x64", pooled((1, 3, 3, 1), (1, 2, 2, 1)), [normal(4, 57, 57, 64)]


def sorting():
    yield "sort 256Ki", lax.sort, [normal(256 * Ki)]
    yield "sort rows 1024x256", lambda x: lax.sort(x, dimension=1), [normal(1024, 256)]
    yield "sort s32 256Ki", lax.sort, [below(1 << 30, 256 * Ki)]
    yield "argsort 256Ki", jnp.argsort, [normal(256 * Ki)]
    yield "sort by two keys 64Ki", lambda x, y: lax.sort((x, y, y + 1), num_keys=2), [below(100, 64 * Ki), normal(64 * Ki)]
    yield "sort by magnitude, falling 64Ki", lambda x: lax.sort((-jnp.abs(x), x), num_keys=1)[1], [normal(64 * Ki)]
    yield "sort columns 256x1024", lambda x: lax.sort(x, dimension=0), [normal(256, 1024)]


def top_k():
    yield "top 8 of 64x32768", lambda x: lax.top_k(x, 8), [normal(64, 32768)]
    yield "top 64 of 1Mi", lambda x: lax.top_k(x, 64), [normal(Mi)]


def scatter():
    yield "histogram 256 of 1Mi", lambda i: jnp.zeros(256, jnp.int32).at[i].add(1), [below(256, Mi)]
    yield "gradient of embedding 8192 of 20000x128", lambda i, u: jnp.zeros((20000, 128), jnp.float32).at[i].add(u), [
        below(20000, 8192), normal(8192, 128)]
    yield "set 64Ki of 1Mi", lambda x, i, u: x.at[i].set(u), [normal(Mi), below(Mi, 64 * Ki), normal(64 * Ki)]
    yield "maximum of segments 1Mi to 1024", lambda x, i: jax.ops.segment_max(x, i, 1024), [normal(Mi), below(1024, Mi)]


def gather():
    yield "embedding 16384 of 50000x64", lambda x, i: x[i], [normal(50000, 64), below(50000, 16384)]
    yield "elements 1Mi of 1Mi", lambda x, i: x.at[i].get(mode="clip"), [normal(Mi), below(Mi, Mi)]
    yield "take_along_axis 1024x1024", lambda x, i: jnp.take_along_axis(x, i, 1), [normal(1024, 1024), below(1024, 1024, 1024)]


def dynamic_slices():
    yield "dynamic_slice 1024x1024 of 2048x2048", lambda x, i: lax.dynamic_slice(x, (i, i), (1024, 1024)) * 2, [normal(2048, 2048), lambda r: np.int32(77)]
    yield "dynamic_update_slice 1024x1024 of 2048x2048", lambda x, u, i: lax.dynamic_update_slice(x, u, (i, i)), [
        normal(2048, 2048), normal(1024, 1024), lambda r: np.int32(77)]


def movement():
    yield "pad 2046x2046", lambda x: jnp.pad(x, 1), [normal(2046, 2046)]
    yield "concatenate 2 of 1024x2048", lambda x, y: jnp.concatenate([x, y], 1), [normal(1024, 2048), normal(1024, 2048)]
    yield "transpose 2048x2048", jnp.transpose, [normal(2048, 2048)]
    yield "heads 8x512x16x64", lambda x: x.transpose(0, 2, 1, 3), [normal(8, 512, 16, 64)]
    yield "NHWC to NCHW 8x56x56x64", lambda x: x.transpose(0, 3, 1, 2), [normal(8, 56, 56, 64)]
    yield "reverse 2048x2048", lambda x: x[:, ::-1], [normal(2048, 2048)]
    yield "every third 4Mi", lambda x: x[::3], [normal(4 * Mi)]


def fourier():
    yield "fft 256x1024", jnp.fft.fft, [gaussian(256, 1024)]
    yield "fft 64x1000", jnp.fft.fft, [gaussian(64, 1000)]
    yield "fft 64x1155", jnp.fft.fft, [gaussian(64, 1155)]
    yield "fft of a prime 32x1009", jnp.fft.fft, [gaussian(32, 1009)]
    yield "fft 256Ki", jnp.fft.fft, [gaussian(256 * Ki)]
    yield "rfft 256x2048", jnp.fft.rfft, [normal(256, 2048)]
    yield "irfft 256x2048", lambda x: jnp.fft.irfft(x, 2048), [gaussian(256, 1025)]
    yield "fft2 512x512", jnp.fft.fft2, [gaussian(512, 512)]


def linear_algebra():
    product = lax.linalg.triangular_solve
    yield "cholesky 256", lambda a: lax.linalg.cholesky(a, symmetrize_input=False), [definite(256, 256)]
    yield "cholesky 1024", lambda a: lax.linalg.cholesky(a, symmetrize_input=False), [definite(1024, 1024)]
    yield "cholesky 256x32x32", lambda a: lax.linalg.cholesky(a, symmetrize_input=False), [definite(256, 32, 32)]
    yield "triangular_solve 512, 512", lambda a, b: product(a, b, left_side=True, lower=True), [triangular(512), normal(512, 512)]
    yield "triangular_solve 1024, 1", lambda a, b: product(a, b, left_side=True, lower=True), [triangular(1024), normal(1024, 1)]


def factors():
    """Custom calls of JAX, which become other operations when they are read."""
    yield "lu 512", lambda a: lax.linalg.lu(a)[0], [normal(512, 512)]
    yield "lu 128x32x32", lambda a: lax.linalg.lu(a)[0], [normal(128, 32, 32)]
    yield "solve 256, 16", jnp.linalg.solve, [definite(256, 256), normal(256, 16)]
    yield "inverse 256", jnp.linalg.inv, [definite(256, 256)]
    yield "qr 256", lambda a: jnp.linalg.qr(a), [normal(256, 256)], None
    yield "qr 1024x64", lambda a: jnp.linalg.qr(a), [normal(1024, 64)], None
    yield "qr 64x32x32", lambda a: jnp.linalg.qr(a), [normal(64, 32, 32)], None
    yield "eigh 64", jnp.linalg.eigh, [symmetric(64, 64)], None
    yield "eigh 256", jnp.linalg.eigh, [symmetric(256, 256)], None
    yield "eigh 64x16x16", jnp.linalg.eigh, [symmetric(64, 16, 16)], None
    yield "eigvalsh 128", jnp.linalg.eigvalsh, [symmetric(128, 128)]
    yield "svd 64", lambda a: jnp.linalg.svd(a, full_matrices=False), [normal(64, 64)], None
    yield "svd 256x128", lambda a: jnp.linalg.svd(a, full_matrices=False), [normal(256, 128)], None
    yield "svd 64x8x8", lambda a: jnp.linalg.svd(a, full_matrices=False), [normal(64, 8, 8)], None


def dots():
    yield "dot 512", jnp.dot, [normal(512, 512), normal(512, 512)]
    yield "dot bf16 512", jnp.dot, [bfloat16(512, 512), bfloat16(512, 512)], 2e-2
    yield "dot s8 512", lambda x, y: lax.dot(x, y, preferred_element_type=jnp.int32), [bytes_(512, 512), bytes_(512, 512)]
    yield "matrix and vector 2048", jnp.dot, [normal(2048, 2048), normal(2048)]
    yield "batched dot 64x128x64x128", jnp.matmul, [normal(64, 128, 64), normal(64, 64, 128)]
    yield "batched dot 1024x8x8x8", jnp.matmul, [normal(1024, 8, 8), normal(1024, 8, 8)]
    yield "attention 8x256x64", lambda q, k, v: jax.nn.softmax(q @ k.transpose(0, 2, 1) / 8) @ v, [normal(8, 256, 64)] * 3


def convolution():
    def conv(layout, groups=1, kernel="HWIO"):
        return lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=(layout, kernel, layout), feature_group_count=groups)

    def gradient(argument):
        return lambda x, w: jax.grad(lambda *a: (conv("NHWC")(*a) ** 2).sum(), argument)(x, w)
    yield "conv 3x3 NHWC 4x28x28x64", conv("NHWC"), [normal(4, 28, 28, 64), normal(3, 3, 64, 64)]
    yield "conv 3x3 NCHW 4x64x28x28", conv("NCHW", kernel="OIHW"), [normal(4, 64, 28, 28), normal(64, 64, 3, 3)]
    yield "conv 1x1 NHWC 4x28x28x256", conv("NHWC"), [normal(4, 28, 28, 256), normal(1, 1, 256, 64)]
    yield "conv depthwise 3x3 NHWC 1x56x56x96", conv("NHWC", 96), [normal(1, 56, 56, 96), normal(3, 3, 1, 96)]
    yield "conv, gradient of inputs 2x28x28x64", gradient(0), [normal(2, 28, 28, 64), normal(3, 3, 64, 64)]
    yield "conv, gradient of weights 2x28x28x64", gradient(1), [normal(2, 28, 28, 64), normal(3, 3, 64, 64)]


def random():
    def drawn(draw):
        return lambda k: draw(jax.random.wrap_key_data(k, impl="threefry2x32"), (Mi,))
    yield "threefry bits 1Mi", drawn(jax.random.bits), [key(2)]
    yield "uniform 1Mi", drawn(jax.random.uniform), [key(2)]
    yield "normal 1Mi", drawn(jax.random.normal), [key(2)]
    yield "philox bits 4Mi", lambda k: lax.rng_bit_generator(k, (4 * Mi,), algorithm=lax.RandomAlgorithm.RNG_PHILOX)[1], [key(4)], None


def control_flow():
    def count(x):
        return lax.while_loop(lambda s: s[0] < 100000, lambda s: (s[0] + 1, s[1] * np.float32(0.999) + np.float32(0.5)), (np.int32(0), x))[1]

    def recurrent(x, w, h):
        return lax.scan(lambda h, x: 2 * (jnp.tanh(h @ w + x),), h, x)

    def either(x, p):
        return lax.cond(p > 0, lambda a: jnp.tanh(a), lambda a: jnp.exp(a), x)

    def branches(x, i):
        return lax.scan(lambda c, j: (lax.switch(j, [jnp.sin, jnp.cos, lambda a: a + 1], c), None), x, i)[0]
    yield "while, 100000 scalar steps", count, [scalar(1)]
    yield "scan, 128 steps 32x128", recurrent, [normal(128, 32, 128), normal(128, 128, scale=0.05), normal(32, 128)]
    yield "conditional 1Mi", either, [normal(Mi), scalar(1)]
    yield "conditional in a scan, 1000 of 1024", branches, [normal(1024), below(3, 1000)]
    yield "linear recurrence, associative_scan 256Ki", lambda a, b: lax.associative_scan(
        lambda x, y: (x[0] * y[0], x[1] * y[0] + y[1]), (a, b)), [positive(256 * Ki), normal(256 * Ki)]


def collectives():
    mesh = jax.make_mesh((1,), ("i",))

    def shared(f):
        spec = jax.sharding.PartitionSpec()
        return jax.shard_map(f, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=False)
    yield "psum, all_gather 1Mi", shared(lambda x: lax.psum(x, "i") + lax.all_gather(x, "i")[0]), [normal(Mi)]
    yield "psum_scatter, ppermute 1Mi", shared(
        lambda x: lax.psum_scatter(x, "i", tiled=True) + lax.ppermute(x, "i", [(0, 0)])), [normal(Mi)]


def special_functions():
    special = jax.scipy.special
    yield "erf, erfc 1Mi", lambda x: special.erf(x) + special.erfc(x), [normal(Mi)]
    yield "erf_inv 1Mi", lambda x: lax.erf_inv(x - 0.5), [positive(Mi)]
    yield "lgamma 256Ki", lax.lgamma, [positive(256 * Ki)]
    yield "digamma 256Ki", lax.digamma, [positive(256 * Ki)]
    yield "bessel_i1e 256Ki", lax.bessel_i1e, [normal(256 * Ki)]
    yield "igamma 64Ki", lax.igamma, [positive(64 * Ki), positive(64 * Ki)]
    yield "zeta 64Ki", lambda x, q: lax.zeta(x + 1, q), [positive(64 * Ki), positive(64 * Ki)]


FAMILIES = {"Elementwise": elementwise, "Complex": complex_numbers, "SmallTypes": small_types, "BitcastConvert": bitcast_convert, "Reduce": reductions,
            "ReduceWindow": windows, "SelectAndScatter": select_and_scatter, "Sort": sorting, "TopK": top_k, "Scatter": scatter, "Gather": gather,
            "DynamicSlice": dynamic_slices, "Movement": movement, "Fft": fourier, "Triangular": linear_algebra, "Factors": factors, "Dot": dots,
            "Convolution": convolution, "Random": random, "ControlFlow": control_flow, "Collective": collectives, "Special": special_functions}


def programs():
    for family, rows in FAMILIES.items():
        for row in rows():
            name, function, inputs, tolerance = (*row, 2e-3)[:4]
            yield Program(family, name, function, inputs, tolerance)
