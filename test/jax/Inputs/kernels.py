# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that programs become, on the CPU and on Vulkan: kernels.py [NAME..]. A program fails if it has more than stated here, or
other values than on the interpreter. XLA: fusions and other kernels of XLA's compiler for graphics cards."""
import os
import re
import subprocess
import sys
import tempfile

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
from jax import lax

DEVICES = ["cpu", "vulkan"]


def layer_norm(x, axis):
    m = x.mean(axis, keepdims=True)
    return (x - m) * lax.rsqrt(((x - m) ** 2).mean(axis, keepdims=True) + 1e-5)


def adam(p, g, m, v):
    m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
    return p - 0.1 * m / (jnp.sqrt(v) + 1e-8), m, v


def scatter_rows(x, i, u):
    y = (2 * x).at[i + 1].add(jnp.exp(u))
    return jnp.tanh(y) * 3


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


def block(x, w, o):
    """Attention of a transformer: heads of one projection, and another of what they give."""
    q, k, v = (t.reshape(*x.shape[:2], 4, -1).transpose(0, 2, 1, 3) for t in jnp.split(x @ w, 3, axis=-1))
    return x + heads(q, k, v, mask=causal).transpose(0, 2, 1, 3).reshape(x.shape) @ o


SQUARE, RAGGED = ["2,3,77,16"] * 3, ["2,3,40,16", "2,3,57,16", "2,3,57,24"]

# Name: XLA's kernels where known, ours at most (on the CPU and on Vulkan), function, types of arguments.
PROGRAMS = {
    # Several places of one array.
    "slices across a reshape's factors": (1, 1, lambda x: across(x, 5), ["64,10,6"]),
    "slices along a reshape's factors": (None, 1, lambda x: across(x, 20), ["1000,10,6"]),
    # Siblings: what reads the same array.
    "two elementwise": (1, 1, lambda x: (jnp.tanh(x), jnp.exp(x)), ["64,48"]),
    "three elementwise": (None, 1, lambda x: (jnp.tanh(x), jnp.exp(x), x.astype(jnp.int32) + 1), ["64,48"]),
    "sums and squares of rows": (1, 1, lambda x: (x.sum(1), (x * x).sum(1)), ["48,96"]),
    "sums and squares of columns": (1, 1, lambda x: (x.sum(0), (x * x).sum(0)), ["512,96"]),
    "sums and squares over 0, 2, 3": (1, 1, lambda x: (x.sum((0, 2, 3)), (x * x).sum((0, 2, 3))), ["4,6,8,8"]),
    "sum and squares of all": (None, 1, lambda x: (x.sum(), (x * x).sum()), ["300,301"]),
    "array and its rows' sums": (None, 1, lambda x: (jnp.maximum(x, 0), x.sum(1)), ["64,48"]),
    "sums in two types": (None, 1, lambda x: (x.sum(0), x.astype(jnp.int32).max(0)), ["512,96"]),
    "sum of a rows, max of b's": (None, 2, lambda x, y: (x.sum(1), y.max(1)), ["48,96", "48,96"]),
    "siblings that wait for each other": (None, 2, lambda x: (jnp.tanh(x) @ x, jnp.exp(x) @ x)[:1] + (jnp.exp(x.sum(1)),), ["32,32"]),
    "adam": (None, 1, adam, ["64,32"] * 4),
    # Rows that lie along any dimensions.
    "columns' sums, worked on": (1, 1, lambda x: jnp.tanh(x.sum(0) * 2), ["512,96"]),
    "long columns' sums, worked on": (None, 1, lambda x: jnp.tanh(x.sum(0) * 2), ["1200,700"]),
    "softmax": (None, 1, jax.nn.softmax, ["48,96"]),
    "softmax in the middle": (3, 1, lambda x: jax.nn.softmax(x, axis=1), ["8,64,32"]),
    "softmax of columns": (None, 1, lambda x: jax.nn.softmax(x, axis=0), ["100,300"]),
    "softmax of long columns": (None, 4, lambda x: jax.nn.softmax(x, axis=0), ["1200,32"]),
    "norm of columns": (None, 1, lambda x: layer_norm(x, 0), ["96,48"]),
    "norm over 0, 2, 3": (None, 1, lambda x: layer_norm(x, (0, 2, 3)), ["4,16,8,8"]),
    # Two products with rows between them, which have no tiles on Vulkan.
    "attention": (None, (1, 3), heads, SQUARE),
    "attention of one query and key": (None, 5, heads, ["2,3,1,16"] * 3),
    "attention of few queries": (None, 3, heads, ["2,3,4,16", "2,3,57,16", "2,3,57,24"]),
    "attention of other keys": (None, (1, 3), heads, RAGGED),
    "attention of many keys": (None, (1, 3), heads, ["1,2,17,8", "1,2,3000,8", "1,2,3000,8"]),
    "attention of matrices": (None, (1, 3), lambda q, k, v: jax.nn.softmax(q @ k.T) @ v, ["40,16", "57,16", "57,24"]),
    "attention, causal": (None, (1, 3), lambda q, k, v: heads(q, k, v, mask=causal), SQUARE),
    "attention, padded": (None, (1, 3), padded, RAGGED + ["i2"]),
    "attention, capped and biased": (None, (1, 3), lambda q, k, v, b: heads(q, k, v, mask=lambda s: 30 * jnp.tanh(s / 30) + b), RAGGED + ["3,40,57"]),
    "attention, divided last": (None, (1, 3), divided_last, RAGGED),
    "attention of jax": (None, (1, 4), jax.nn.dot_product_attention, ["2,77,3,16"] * 3),
    "attention of jax, causal": (None, (1, 4), lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True), ["2,77,3,16"] * 3),
    "attention of bf16": (None, (1, 3), heads, ["b" + shape for shape in RAGGED]),
    "attention of f16": (None, (1, 3), heads, ["h" + shape for shape in RAGGED]),
    "attention with its weights": (None, 3, lambda q, k, v: [heads(q, k, v)] + [jax.nn.softmax(jnp.einsum("bhqd,bhkd->bhqk", q, k) * 0.25)], RAGGED),
    "attention of a block": (None, (6, 9), block, ["2,33,32", "32,96", "32,32"]),
    # Scatters with what computes their indices and updates; Vulkan also sorts the indices, with their positions, for windows that meet.
    "scatter of rows": (3, (3, 5), scatter_rows, ["1000,64", "i128", "128,64"]),
    "histogram": (None, (1, 3), lambda x: jnp.zeros(16).at[(x * 3).astype(jnp.int32)].add(jnp.abs(x)), ["500"]),
    "scatter of gathered rows": (None, (1, 3), lambda x, i, j, t: x.at[i].add(2 * t[j]), ["100,64", "i128", "i128", "50,64"]),
    "scatter of pairs": (None, 1, lambda x, i: x.at[jnp.arange(50), i].max(7.0, unique_indices=True), ["50,9", "i50"]),
}
TYPES = {"f": jnp.float32, "i": jnp.int32, "b": jnp.bfloat16, "s": jnp.int8, "h": jnp.float16}


def shape_of(text):
    kind = text[0] if text[:1] in TYPES else "f"
    return jax.ShapeDtypeStruct([int(d) for d in text.lstrip("fibsh").split(",") if d], TYPES[kind])


def kernels_of(path, device, folder):
    """Calls of kernels in the program that `device` runs; matrix products are some."""
    subprocess.run(["xla-run", path, f"--device={device}", "--seed=1", "--output=none", f"--dump={folder}"], check=True)
    stage = next(name for name in os.listdir(f"{folder}/{device}") if name.endswith("-linalg.mlir"))
    with open(f"{folder}/{device}/{stage}", encoding="utf-8") as file:
        return len(re.findall(r"func.func private @kernel_", file.read()))


def check(name, folder):
    """The row of the table; whether it is as it should be."""
    xla, most, function, types = PROGRAMS[name]
    path = f"{folder}/program.mlir"
    with open(path, "w", encoding="utf-8") as file:
        module = jax.jit(function).lower(*map(shape_of, types)).compiler_ir("stablehlo")
        file.write(module.operation.get_asm(print_generic_op_form=True))
    done = subprocess.run(["xla-run", path, "--device=all", "--seed=1", "--output=none"], capture_output=True, text=True, check=False)
    counts = [kernels_of(path, device, f"{folder}/{device}") for device in DEVICES] if done.returncode == 0 else []
    print(f"{name:36} {xla or '-':>3} {' '.join(f'{n:3}' for n in counts)}  {done.stderr.strip()[:300]}")
    return len(counts) == len(DEVICES) and all(n <= m for n, m in zip(counts, most if isinstance(most, tuple) else (most, most)))


def main():
    names = sys.argv[1:] or list(PROGRAMS)
    failed = 0
    print(f"{'program':36} XLA cpu vulkan")
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            failed += not check(name, folder)
    print(f"{len(names)} programs, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
