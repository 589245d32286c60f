#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Swings many double pendulums at once, by a scan of Runge-Kutta steps, and shows how fast they part.

    JAX_PLATFORMS=xlac python pendulum.py                      # or xlac_vulkan, or cpu
    python pendulum.py --steps=2000 --figure=pendulum.png

Needs jax; matplotlib for figures.
"""

import argparse
import functools

import jax
import jax.numpy as jnp
import numpy as np

GRAVITY = 9.81


def rates(state):
    """Of two angles and their speeds; rods of a metre, equal masses."""
    a, b, u, v = state
    d = a - b
    below = 3 - jnp.cos(2 * d)
    du = (-3 * GRAVITY * jnp.sin(a) - GRAVITY * jnp.sin(a - 2 * b)
          - 2 * jnp.sin(d) * (v * v + u * u * jnp.cos(d))) / below
    dv = 2 * jnp.sin(d) * (2 * u * u + 2 * GRAVITY * jnp.cos(a) + v * v * jnp.cos(d)) / below
    return jnp.stack([u, v, du, dv])


@functools.partial(jax.jit, static_argnums=1)
def swing(start, steps):
    def step(state, _):
        h = 0.01
        k1 = rates(state)
        k2 = rates(state + h / 2 * k1)
        k3 = rates(state + h / 2 * k2)
        k4 = rates(state + h * k3)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return state, state[1]

    return jax.lax.scan(step, start, length=steps)


def draw(path, angles):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
    axes.plot(np.arange(len(angles)) * 0.01, angles[:, ::16], linewidth=0.7)
    axes.set(xlabel="seconds", ylabel="angle of the lower rod", title=f"on {jax.default_backend()}")
    figure.savefig(path, dpi=120)
    print(f"figure       {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1000, help="of a hundredth of a second; else 1000")
    parser.add_argument("--pendulums", type=int, default=256, help="that begin nearly alike; else 256")
    parser.add_argument("--figure", help="a PNG file to draw")
    options = parser.parse_args()
    first = jnp.linspace(2.0, 2.001, options.pendulums, dtype=jnp.float32)
    start = jnp.stack([first, first, jnp.zeros_like(first), jnp.zeros_like(first)])
    _, angles = swing(start, options.steps)
    angles = np.asarray(angles)
    print(f"device       {jax.devices()[0]} of platform {jax.default_backend()}")
    print(f"apart        {np.ptp(angles[0]):.4f} rad after one step, {np.ptp(angles[-1]):.2f} after {options.steps}")
    if options.figure:
        draw(options.figure, angles)


if __name__ == "__main__":
    main()
