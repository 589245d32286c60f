# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of Python that programs call run programs on the same and on other devices, whose functions do the same."""
import os
import threading

os.environ["JAX_PLATFORMS"] = "xlac,xlac_vulkan,cpu"
import jax
import jax.numpy as jnp
import numpy as np

DEVICES = jax.devices("xlac")[0], jax.devices("xlac_vulkan")[0]


def like(n):
    return jax.ShapeDtypeStruct((n,), jnp.float32)


def nested(first, second, n):
    """A program of `first` that has `second` run one, which has `first` run one; and that of `second`."""
    def sine(x):
        return np.asarray(jnp.sin(jax.device_put(np.asarray(x), first)))
    double = jax.jit(lambda x: jax.pure_callback(sine, like(n), x) * 2)

    def on_second(x):
        return np.asarray(double(jax.device_put(np.asarray(x), second)))
    return jax.jit(lambda x: jax.pure_callback(on_second, like(n), x) + 1), double


# One after the other, and from several threads: two devices wait for each other's programs.
for first, second in (DEVICES, DEVICES[::-1]):
    for n in (10, 100000):
        x = np.linspace(0, 1, n, dtype=np.float32)
        outer, inner = nested(first, second, n)
        wrong = []

        def repeat(program, device, wanted):
            for _ in range(5):
                got = np.asarray(program(jax.device_put(x, device)))
                if not np.allclose(got, wanted, atol=1e-5):
                    wrong.append(got)

        repeat(outer, first, 2 * np.sin(x) + 1)
        threads = [threading.Thread(target=repeat, args=each) for each in
                   ((outer, first, 2 * np.sin(x) + 1), (inner, second, 2 * np.sin(x))) * 2]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong
print("nested")

# Arrays that come from the other device, and large ones of the host.
for device, other in (DEVICES, DEVICES[::-1]):
    n = 1 << 18

    def across(x):
        there = jax.device_put(np.asarray(x), other) * 2
        return np.asarray(jax.device_put(there, device) + jax.device_put(np.ones(n, np.float32), device))
    got = jax.jit(lambda x: jax.pure_callback(across, like(n), x))(jax.device_put(np.full(n, 3, np.float32), device))
    assert (np.asarray(got) == 7).all()
print("across")

# What is asked for while the program runs is behind it, and so is what its function would make of that.
begun, asked = threading.Event(), threading.Event()
later = []


def use_later(x):
    begun.set()
    asked.wait()
    return np.asarray(later[0] + 1)


x = jax.device_put(np.zeros(4, np.float32), DEVICES[0])
add_two = jax.jit(lambda x: x + 2).lower(x).compile()
waits = jax.jit(lambda x: jax.pure_callback(use_later, like(4), x))(x)
begun.wait()
later.append(add_two(x))
asked.set()
try:
    waits.block_until_ready()
except jax.errors.JaxRuntimeError as error:
    print("behind:", "is made by a program that waits for the one whose function asks for this one" in str(error))
assert (np.asarray(later[0]) == 2).all()

# A program that has been compiled for a Vulkan device calls itself.
x = jax.device_put(np.zeros(4, np.float32), DEVICES[1])


def itself(x):
    return np.asarray(program(jax.device_put(np.asarray(x) - 1, DEVICES[1]))) if x[0] > 0 else np.asarray(x)


program = jax.jit(lambda x: jax.pure_callback(itself, like(4), x) + 1).lower(x).compile()
assert (np.asarray(program(x)) == 1).all()
try:
    program(x + 1).block_until_ready()
except jax.errors.JaxRuntimeError as error:
    print("itself:", "cannot be run by a function that it calls itself" in str(error))
assert (np.asarray(program(x)) == 1).all()
