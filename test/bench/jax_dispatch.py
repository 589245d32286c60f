#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What JAX's call of a compiled program costs: jax_dispatch.py XLA_BENCH [--time=2]

    JAX_PLATFORMS=xlac test/bench/jax_dispatch.py build/release/bin/xla-bench

Runs a scalar addition and a step of training a network of two layers through JAX on xlac and on XLA:CPU, in turns, and the same
programs by xla-bench. Prints the least time of each, in microseconds; then, of steps that take what the one before gave, 1000 of
them with one wait at the end, what one takes, and what all threads together worked for it.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

os.environ["JAX_PLATFORMS"] = "xlac,cpu"
options = dict(word[2:].split("=") for word in sys.argv[1:] if word.startswith("--") and "=" in word)
if len(sys.argv) < 2 or "--help" in sys.argv:
    sys.exit(print(__doc__))

import jax
import jax.numpy as jnp
import numpy as np

SECONDS = float(options.get("time", 2))
random = np.random.default_rng(0)


def floats(*dims):
    return random.standard_normal(dims).astype(np.float32)


def step(w1, b1, w2, b2, x, y):
    def loss(w1, b1, w2, b2):
        return jnp.mean((jnp.tanh(x @ w1 + b1) @ w2 + b2 - y) ** 2)
    gradients = jax.grad(loss, argnums=(0, 1, 2, 3))(w1, b1, w2, b2)
    return tuple(p - 0.1 * g for p, g in zip((w1, b1, w2, b2), gradients))


PROGRAMS = {
    "scalar add": (lambda x, y: x + y, (np.float32(1), np.float32(2))),
    "step of 64-128-10": (step, (floats(64, 128), floats(128), floats(128, 10), floats(10), floats(32, 64), floats(32, 10))),
    "step of 784-512-10": (step, (floats(784, 512), floats(512), floats(512, 10), floats(10), floats(128, 784),
                                  floats(128, 10))),
}


def least(run, seconds):
    """The least time of a call, in microseconds, until so much time has gone."""
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        begin = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - begin)
    return 1e6 * best


def in_flight(program, given, steps=1000):
    """What a step takes, and what all threads work for it, of many that are asked for without waiting; in microseconds."""
    n = len(given) - 2  # parameters, then a batch
    parameters, batch = given[:n], given[n:]
    begin, worked = time.perf_counter(), time.process_time()
    for _ in range(steps):
        parameters = program(*parameters, *batch)
    jax.block_until_ready(parameters)
    return 1e6 / steps * np.array([time.perf_counter() - begin, time.process_time() - worked])


def bench(function, arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.mlir")
        with open(path, "w") as file:
            file.write(jax.jit(function).lower(*arguments).as_text())
        result = subprocess.run([sys.argv[1], path, f"--min-time={SECONDS}"], capture_output=True, text=True, check=True)
    return result.stdout


def microseconds(text):
    number, unit = re.search(r"^time +([0-9.]+) (ns|us|ms|s) min", text, re.MULTILINE).groups()
    return float(number) * {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}[unit]


def main():
    print(f"{'us a call':22}{'xlac':>10}{'cpu':>10}{'xla-bench':>12}")
    for name, (function, arguments) in PROGRAMS.items():
        runs, steps = [], []
        for platform in ("xlac", "cpu"):
            device = jax.devices(platform)[0]
            given = jax.device_put(arguments, device)
            program = jax.jit(function).lower(*given).compile()
            runs.append(lambda program=program, given=given: jax.block_until_ready(program(*given)))
            steps.append((program, given))
        times = [[least(run, SECONDS / 10) for run in runs] for _ in range(10)]
        best = [min(column) for column in zip(*times)]
        print(f"{name:22}{best[0]:10.1f}{best[1]:10.1f}{microseconds(bench(function, arguments)):12.1f}", flush=True)
        if function is step:
            least_of = np.min([[in_flight(*each) for each in steps] for _ in range(10)], axis=0)
            for what, column in (("in flight", 0), ("worked", 1)):
                print(f"  {what:20}{least_of[0][column]:10.1f}{least_of[1][column]:10.1f}", flush=True)


if __name__ == "__main__":
    main()
