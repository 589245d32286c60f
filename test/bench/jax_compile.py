#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long JAX waits for a compiled program, on xlac and on XLA:CPU: jax_compile.py [--rounds=5] [NAME..]

    JAX_PLATFORMS=xlac,cpu test/bench/jax_compile.py

Compiles a transformer of 12 layers, its gradient and twenty small programs, the two platforms in turns, and prints the least
time of each in milliseconds, and the least that all threads together worked, which other programs on the machine change less.
What JAX does before is not counted. --layers=N takes another number of layers.
"""
import os
import sys
import time

os.environ.setdefault("JAX_PLATFORMS", "xlac,cpu")
options = dict(word[2:].split("=") for word in sys.argv[1:] if word.startswith("--") and "=" in word)
names = [word for word in sys.argv[1:] if not word.startswith("--")]
if "--help" in sys.argv:
    sys.exit(print(__doc__))

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

ROUNDS = int(options.get("rounds", 5))
LAYERS = int(options.get("layers", 12))
PLATFORMS = os.environ["JAX_PLATFORMS"].split(",")
random = np.random.default_rng(0)


def floats(*dims):
    return random.standard_normal(dims).astype(np.float32)


def norm(x, scale, shift):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + shift


def layer(x, p, heads=8):
    batch, length, width = x.shape
    h = norm(x, *p["norm1"])
    q, k, v = (jnp.reshape(y, (batch, length, heads, width // heads)) for y in jnp.split(h @ p["qkv"], 3, -1))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(width // heads)
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
    x = x + jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v).reshape(x.shape) @ p["out"]
    return x + jax.nn.gelu(norm(x, *p["norm2"]) @ p["up"]) @ p["down"]


def transformer(x, layers):
    for p in layers:
        x = layer(x, p)
    return x


def parameters(width):
    return {"norm1": (floats(width), floats(width)), "qkv": floats(width, 3 * width), "out": floats(width, width),
            "norm2": (floats(width), floats(width)), "up": floats(width, 4 * width), "down": floats(4 * width, width)}


def loss(x, layers):
    return jnp.mean(transformer(x, layers) ** 2)


X, Y, I = floats(64, 64), floats(64, 64), np.arange(64, dtype=np.int32)
LARGE = {
    "transformer": (transformer, (floats(2, 64, 256), [parameters(256) for _ in range(LAYERS)])),
    "transformer_gradient": (jax.grad(loss, argnums=1), (floats(2, 64, 256), [parameters(256) for _ in range(LAYERS)])),
}
SMALL = {
    "add": (lax.add, (X, Y)),
    "exp": (lax.exp, (X,)),
    "tanh": (lax.tanh, (X,)),
    "erf": (lax.erf, (X,)),
    "select": (lambda x, y: lax.select(x > y, x, y), (X, Y)),
    "convert": (lambda x: lax.convert_element_type(x, jnp.int32), (X,)),
    "broadcast": (lambda x: lax.broadcast_in_dim(x, (64, 64), (1,)), (X[0],)),
    "iota": (lambda: lax.iota(jnp.int32, 100), ()),
    "reshape": (lambda x: lax.reshape(x, (16, 256)), (X,)),
    "transpose": (lambda x: lax.transpose(x, (1, 0)), (X,)),
    "concatenate": (lambda x, y: lax.concatenate([x, y], 0), (X, Y)),
    "slice": (lambda x: lax.slice(x, (1, 2), (60, 50)), (X,)),
    "dynamic_slice": (lambda x, i: lax.dynamic_slice(x, (i, 0), (4, 64)), (X, np.int32(3))),
    "sum": (lambda x: jnp.sum(x, 0), (X,)),
    "cumsum": (lambda x: lax.cumsum(x, 0), (X,)),
    "sort": (lambda x: lax.sort(x, dimension=1), (X,)),
    "gather": (lambda x, i: x[i], (X, I)),
    "scatter": (lambda x, i, y: x.at[i].add(y), (X, I, Y)),
    "dot": (lax.dot, (X, Y)),
    "random": (lambda k: jax.random.normal(jax.random.wrap_key_data(k), (64,)), (np.zeros(2, np.uint32),)),
}


def compile_once(function, arguments, device):
    with jax.default_device(device):
        # A function of its own: nothing that JAX keeps is found again.
        lowered = jax.jit(lambda *a: function(*a)).lower(*jax.device_put(arguments, device))
        begin, worked = time.perf_counter(), time.process_time()
        lowered.compile()
        return 1e3 * (time.perf_counter() - begin), 1e3 * (time.process_time() - worked)


def main():
    devices = [jax.devices(platform)[0] for platform in PLATFORMS]
    print(f"{'compiled in ms':22}" + "".join(f"{platform:>12}{'all threads':>12}" for platform in PLATFORMS))
    total = np.zeros((len(devices), 2))
    for name, (function, arguments) in (SMALL | LARGE).items():
        if names and name not in names:
            continue
        rounds = ROUNDS if name in SMALL else max(2, ROUNDS // 2)
        least = np.min([[compile_once(function, arguments, device) for device in devices] for _ in range(rounds)], axis=0)
        print(f"{name:22}" + "".join(f"{t:12.2f}" for t in least.flatten()), flush=True)
        if name in SMALL:
            total += least
    if not names:
        print(f"{'the small ones':22}" + "".join(f"{t:12.2f}" for t in total.flatten()))


if __name__ == "__main__":
    main()
