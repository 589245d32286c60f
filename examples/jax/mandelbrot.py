#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the Mandelbrot set with complex numbers: z becomes z * z + c in one loop on the device.

    JAX_PLATFORMS=xlac_vulkan python mandelbrot.py             # or xlac, or cpu
    python mandelbrot.py --size=800 --figure=mandelbrot.png

Needs jax; matplotlib for figures.
"""

import argparse
import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.partial(jax.jit, static_argnums=(0, 1))
def escapes(size, steps):
    """After how many steps |z| is above 2, by point; `steps` where it never is."""
    real = jnp.linspace(-2.2, 0.8, size, dtype=jnp.float32)
    imaginary = jnp.linspace(-1.5, 1.5, size, dtype=jnp.float32)
    c = real[None, :] + 1j * imaginary[:, None]

    def body(_, state):
        z, count = state
        inside = abs(z) <= 2
        return jnp.where(inside, z * z + c, z), count + inside

    return jax.lax.fori_loop(0, steps, body, (jnp.zeros_like(c), jnp.zeros(c.shape, jnp.int32)))[1]


def draw(path, counts):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.imsave(path, np.log(counts), cmap="magma")
    print(f"figure       {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=400, help="points a side; else 400")
    parser.add_argument("--steps", type=int, default=100, help="at most, a point; else 100")
    parser.add_argument("--figure", help="a PNG file to draw")
    options = parser.parse_args()
    counts = np.asarray(escapes(options.size, options.steps))
    print(f"device       {jax.devices()[0]} of platform {jax.default_backend()}")
    print(f"inside       {np.mean(counts == options.steps):.1%} of {options.size} x {options.size} points")
    if options.figure:
        draw(options.figure, counts)


if __name__ == "__main__":
    main()
