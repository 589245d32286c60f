# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What train.mlir and classify.mlir compute, in numpy: the same weights to start from, batches and formulas."""
import os

import numpy as np

BATCH = 64


def load(folder):
    """The arrays that tools/digits.py wrote, by name."""
    names = "train_images", "train_labels", "test_images", "test_labels"
    return {name: np.load(os.path.join(folder, name + ".npy")) for name in names}


def scramble(x):
    x = x ^ (x >> np.uint32(16))
    x = x * np.uint32(2246822507)
    x = x ^ (x >> np.uint32(13))
    x = x * np.uint32(3266489909)
    return x ^ (x >> np.uint32(16))


def uniform(rows, columns, seed, scale):
    """Numbers from -scale to scale that depend on nothing but the arguments."""
    counter = np.arange(rows * columns, dtype=np.uint32).reshape(rows, columns)
    bits = scramble(counter + scramble(np.array([seed % 2**32], np.uint32)))
    unit = (bits >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-23) - np.float32(1)
    return unit * np.float32(scale)


def train(images, labels, seed, rate, hidden, steps):
    """Gradient descent on minibatches. Returns the weights (w1, b1, w2, b2) and the loss of every step."""
    n, pixels = images.shape
    w1 = uniform(pixels, hidden, seed, 0.2)
    b1 = np.zeros(hidden, np.float32)
    w2 = np.ascontiguousarray(uniform(pixels, hidden, seed + 1, 0.2).T[:, :10])
    b2 = np.zeros(10, np.float32)
    hot_labels = np.eye(10, dtype=np.float32)[labels]
    losses = np.zeros(steps, np.float32)
    for step in range(steps):
        start = step * 65 % (n - BATCH + 1)
        x, hot = images[start : start + BATCH], hot_labels[start : start + BATCH]
        s1 = x @ w1 + b1
        h = np.tanh(s1)
        z = h @ w2 + b2
        z -= z.max(axis=1, keepdims=True)
        e = np.exp(z)
        total = e.sum(axis=1, keepdims=True)
        losses[step] = -((z - np.log(total)) * hot).sum() / np.float32(BATCH)
        k = np.float32(rate) * (1 - np.float32(step) / np.float32(steps)) / np.float32(BATCH)
        gz = (e / total - hot) * k
        gs = (gz @ w2.T) * (1 - h * h)
        w2 -= h.T @ gz
        b2 -= gz.sum(axis=0)
        w1 -= x.T @ gs
        b1 -= gs.sum(axis=0)
    return (w1, b1, w2, b2), losses


def classify(images, w1, b1, w2, b2):
    """The probability of every digit for every image, and the likeliest digit."""
    z = np.tanh(images @ w1 + b1) @ w2 + b2
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True), z.argmax(axis=1).astype(np.int32)
