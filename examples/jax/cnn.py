#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains a convolutional network on pictures of circles, squares and triangles that it draws itself.

    JAX_PLATFORMS=xlac_vulkan python cnn.py                    # or xlac, or cpu
    python cnn.py --steps=100 --figure=shapes.png              # draws pictures with what they are taken for

Needs jax; matplotlib for figures.
"""

import argparse

import jax
import jax.numpy as jnp
import numpy as np

NAMES = ["circle", "square", "triangle"]
SIZE = 24


def pictures(key, n):
    """n pictures of SIZE x SIZE, and which shape is on each."""
    kind_key, place_key, radius_key, noise_key = jax.random.split(key, 4)
    kinds = jax.random.randint(kind_key, (n,), 0, 3)
    centers = jax.random.uniform(place_key, (n, 2, 1, 1), minval=8, maxval=SIZE - 8)
    radii = jax.random.uniform(radius_key, (n, 1, 1), minval=4, maxval=7)
    y, x = jnp.meshgrid(jnp.arange(SIZE), jnp.arange(SIZE), indexing="ij")
    y, x = y - centers[:, 0], x - centers[:, 1]
    circle = x * x + y * y < radii * radii
    square = jnp.maximum(abs(x), abs(y)) < radii * 0.85
    triangle = (y < radii * 0.7) & (2 * abs(x) < y + radii)
    shapes = jnp.stack([circle, square, triangle])
    chosen = jnp.take_along_axis(shapes, kinds[None, :, None, None], axis=0)[0]
    noise = 0.3 * jax.random.normal(noise_key, chosen.shape)
    return (chosen + noise)[..., None].astype(jnp.float32), kinds


def initial(key):
    keys = jax.random.split(key, 3)
    return {"conv1": 0.3 * jax.random.normal(keys[0], (3, 3, 1, 8)),
            "conv2": 0.1 * jax.random.normal(keys[1], (3, 3, 8, 16)),
            "dense": 0.05 * jax.random.normal(keys[2], (6 * 6 * 16, 3))}


def logits(params, x):
    for name in ("conv1", "conv2"):
        x = jax.lax.conv_general_dilated(x, params[name], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = jax.lax.reduce_window(jax.nn.relu(x), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return x.reshape(x.shape[0], -1) @ params["dense"]


def loss(params, x, kinds):
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits(params, x)) * jax.nn.one_hot(kinds, 3), axis=1))


@jax.jit
def step(params, velocity, key):
    x, kinds = pictures(key, 64)
    value, gradient = jax.value_and_grad(loss)(params, x, kinds)
    velocity = jax.tree.map(lambda v, g: 0.9 * v - 0.03 * g, velocity, gradient)
    return jax.tree.map(jnp.add, params, velocity), velocity, value


def draw(path, images, kinds, guesses):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, grid = plt.subplots(3, 6, figsize=(9, 5), layout="constrained")
    for axes, image, kind, guess in zip(grid.flat, images, kinds, guesses):
        axes.imshow(image[..., 0], cmap="gray_r")
        axes.set_title(NAMES[guess], color="black" if guess == kind else "red")
        axes.axis("off")
    figure.savefig(path, dpi=120)
    print(f"figure       {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=150, help="of gradient descent with momentum; else 150")
    parser.add_argument("--figure", help="a PNG file to draw")
    options = parser.parse_args()
    params = initial(jax.random.key(0))
    velocity = jax.tree.map(jnp.zeros_like, params)
    values = []
    for key in jax.random.split(jax.random.key(1), options.steps):
        params, velocity, value = step(params, velocity, key)
        values.append(value)
    images, kinds = jax.jit(pictures, static_argnums=1)(jax.random.key(2), 500)
    guesses = np.asarray(jnp.argmax(jax.jit(logits)(params, images), axis=1))
    kinds = np.asarray(kinds)
    print(f"device       {jax.devices()[0]} of platform {jax.default_backend()}")
    print(f"loss         {float(values[0]):.3f} -> {float(values[-1]):.3f} in {options.steps} steps")
    print(f"right        {np.mean(guesses == kinds):.1%} of {len(kinds)} pictures")
    if options.figure:
        draw(options.figure, np.asarray(images), kinds, guesses)


if __name__ == "__main__":
    main()
