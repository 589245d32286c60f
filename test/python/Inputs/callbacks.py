# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of JAX call functions of Python. JAX_PLATFORMS names a platform of xlac, then cpu."""
import gc
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

PLATFORM = os.environ["JAX_PLATFORMS"].split(",")[0]
assert jax.devices()[0].platform == PLATFORM


def shape_of(x):
    return jax.ShapeDtypeStruct(x.shape, x.dtype)


# pure_callback: values of several types, empty ones, in a loop, under vmap.
for dtype in (np.float32, np.int32, np.bool_, np.complex64, jnp.bfloat16, np.uint8, np.float16):
    x = np.arange(6).reshape(2, 3).astype(dtype)
    got = jax.jit(lambda x: jax.pure_callback(lambda v: np.asarray(v)[::-1], shape_of(x), x))(x)
    np.testing.assert_array_equal(np.asarray(got), x[::-1])
empty = jax.jit(lambda x: jax.pure_callback(lambda v: np.asarray(v), shape_of(x), x))(np.zeros((0, 3), np.float32))
assert empty.shape == (0, 3)
scalar = jax.jit(lambda x: jax.pure_callback(lambda v: np.float32(v) * 2, shape_of(x), x) + 1)(np.float32(3))
assert float(scalar) == 7
two = jax.jit(lambda x: jax.pure_callback(lambda v: (np.asarray(v) + 1, np.int32(5)), (shape_of(x), jnp.int32(0)), x))
np.testing.assert_array_equal(two(np.ones(3, np.float32))[0], [2, 2, 2])
mapped = jax.vmap(lambda x: jax.pure_callback(lambda v: np.sin(v), shape_of(x), x, vmap_method="sequential"))
np.testing.assert_allclose(jax.jit(mapped)(np.arange(4.0)), np.sin(np.arange(4.0)), rtol=1e-6)
print("pure_callback")

# io_callback in a loop, and again after a collection of garbage.
seen = []


@jax.jit
def loop(n):
    def body(i, x):
        io_callback(lambda i: seen.append(int(i)), None, i)
        return x + i
    return jax.lax.fori_loop(0, n, body, 0)


for _ in range(2):
    assert int(loop(5)) == 10
    jax.effects_barrier()
    gc.collect()
assert sorted(seen) == sorted([0, 1, 2, 3, 4] * 2), seen
print("io_callback")


# debug.print in a function that is differentiated.
@jax.jit
def shown(x):
    jax.debug.print("x is {x}", x=x)
    return x * 2


print("gradient", float(jax.grad(shown)(3.0)))
jax.effects_barrier()

# In order, within a program and from one to the next, in loops and branches.
said = []


def say(*words):
    said.append(tuple(word if isinstance(word, str) else np.asarray(word).tolist() for word in words))


@jax.jit
def ordered(n, x):
    jax.debug.print("from {x}", x=x, ordered=True)

    def body(i, x):
        io_callback(lambda i: say("body", i), None, i, ordered=True)
        even = lambda: io_callback(lambda i: say("even", i), None, i, ordered=True)
        jax.lax.cond(i % 2 == 0, even, lambda: io_callback(lambda i: say("odd", i), None, i, ordered=True))
        return x + io_callback(lambda x: (say("x", x), np.float32(1))[1], shape_of(x), x, ordered=True)

    return jax.lax.fori_loop(0, n, body, x)


x = ordered(3, np.float32(0))
assert float(ordered(1, x)) == 4
jax.effects_barrier()
one = lambda i, x: [("body", i), ("odd" if i % 2 else "even", i), ("x", x)]
assert said == one(0, 0) + one(1, 1) + one(2, 2) + one(0, 3), said
# Tokens are results and arguments of programs.
token = jax.jit(jax.lax.create_token)()
token, y = jax.jit(lambda token, x: (jax.lax.after_all(token, token), x + 1))(token, np.float32(1))
token.block_until_ready()
assert float(y) == 2
print("ordered")


# What a function raises is an error of the program, which says what.
def fail(x):
    raise ValueError("not this one")


try:
    jax.block_until_ready(jax.jit(lambda x: jax.pure_callback(fail, shape_of(x), x))(np.float32(1)))
except Exception as e:
    print("error:", "not this one" in str(e))
# The platform goes on, and unknown custom calls are still refused when they are compiled.
assert float(jax.jit(lambda x: x + 1)(1.0)) == 2
try:
    jax.jit(lambda x: jax.ffi.ffi_call("nobody", shape_of(x))(x)).lower(np.float32(1)).compile()
except Exception as e:
    print("refused:", "nobody" in str(e))
# On the other platform nothing has changed.
with jax.default_device(jax.devices("cpu")[0]):
    print("cpu:", float(jax.jit(lambda x: jax.pure_callback(lambda v: np.float32(v) * 3, shape_of(x), x))(np.float32(2))))
