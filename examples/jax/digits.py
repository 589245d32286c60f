#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains a classifier of handwritten digits with jax.grad and Adam, on whatever platform JAX runs.

    JAX_PLATFORMS=xlac_vulkan python digits.py                 # or xlac, or cpu
    python digits.py --steps=400 --figure=digits.png           # draws the losses, and digits with what they are taken for

Needs jax and scikit-learn, whose digits they are; matplotlib for figures.
"""

import argparse
import functools

import jax
import jax.numpy as jnp
import numpy as np
from sklearn.datasets import load_digits


def initial(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [(jax.random.normal(k, (n, m)) * jnp.sqrt(2 / n), jnp.zeros(m))
            for k, n, m in zip(keys, sizes[:-1], sizes[1:])]


def logits(params, x):
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def loss(params, x, labels):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits(params, x)), labels[:, None], axis=1))


@functools.partial(jax.jit, donate_argnums=(0, 1))
def step(params, moments, count, x, labels):
    """One of Adam's: parameters and moments are donated, and so stay where they are."""
    value, gradient = jax.value_and_grad(loss)(params, x, labels)
    first, second = moments
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradient)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradient)
    rate = 1e-3 * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
    params = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), params, first, second)
    return params, (first, second), value


def draw(path, losses, images, labels, guesses):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(9, 4), layout="constrained")
    left, right = figure.subfigures(1, 2)
    axes = left.subplots()
    axes.plot(losses)
    axes.set(xlabel="step", ylabel="loss", yscale="log", title=f"on {jax.default_backend()}")
    for axes, image, label, guess in zip(right.subplots(4, 6).flat, images, labels, guesses):
        axes.imshow(image.reshape(8, 8), cmap="gray_r")
        axes.set_title(str(guess), color="black" if guess == label else "red", fontsize=9)
        axes.axis("off")
    figure.savefig(path, dpi=120)
    print(f"figure       {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=300, help="of Adam; else 300")
    parser.add_argument("--batch", type=int, default=128, help="digits a step; else 128")
    parser.add_argument("--figure", help="a PNG file to draw")
    options = parser.parse_args()
    digits = load_digits()
    x = (digits.data / 16).astype(np.float32)
    labels = digits.target.astype(np.int32)
    order = np.random.default_rng(0).permutation(len(x))
    train, test = order[:1500], order[1500:]
    params = initial(jax.random.key(0), [64, 128, 10])
    moments = (jax.tree.map(jnp.zeros_like, params), jax.tree.map(jnp.zeros_like, params))
    losses = []
    for i in range(options.steps):
        batch = np.random.default_rng(i).choice(train, options.batch, replace=False)
        params, moments, value = step(params, moments, jnp.float32(i + 1), x[batch], labels[batch])
        losses.append(value)
    guesses = np.asarray(jnp.argmax(jax.jit(logits)(params, x[test]), axis=1))
    losses = [float(value) for value in losses]
    print(f"device       {jax.devices()[0]} of platform {jax.default_backend()}")
    print(f"loss         {losses[0]:.3f} -> {losses[-1]:.3f} in {options.steps} steps")
    print(f"right        {np.mean(guesses == labels[test]):.1%} of {len(test)} digits that it has not seen")
    if options.figure:
        draw(options.figure, losses, x[test], labels[test], guesses)


if __name__ == "__main__":
    main()
