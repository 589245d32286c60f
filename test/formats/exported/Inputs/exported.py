#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of jax.export, run by xla-run on inputs by name, in .npy and .npz files, against jax: exported.py XLA_RUN DEVICE

Prints what differs and, last, `N passed, N failed`."""
import os
import subprocess
import sys
import tempfile

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax


def random(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype("f4")


def layer(x, params, *, scale=1.0):
    return jax.nn.relu(x @ params["w"] + params["b"][0]) * scale, x.sum()


def unused(a, b, c):
    return jnp.sort(a) + c


def special(x):
    return lax.top_k(jax.scipy.special.erf(x), 2), jnp.linalg.norm(x)


def platform(x):
    return lax.platform_dependent(x, cpu=lambda v: v + 1, default=lambda v: v - 1)


def loop(n, x):
    return lax.fori_loop(0, n, lambda i, v: v * 0.5 + i, x)


def factor(a):  # with an attribute of Shardy's, in a code of its own
    return jnp.linalg.cholesky(a @ a.T + 4 * jnp.eye(len(a), dtype=a.dtype))


def sharded(x):  # for several devices
    mesh = jax.sharding.Mesh(np.array(jax.devices()), ("i",))
    parts = jax.sharding.PartitionSpec(None, "i")
    body = lambda v: (lax.psum(v @ v.T, "i"), v + lax.axis_index("i"))
    return jax.shard_map(body, mesh=mesh, in_specs=parts, out_specs=(jax.sharding.PartitionSpec(), parts))(x)


# Functions, arguments by the names that they get in the file, and platforms.
PARAMS = {"w": random(3, 4), "b": [random(4)]}
CASES = [
    (layer, (random(2, 3), PARAMS), {"scale": np.float32(2)},
     {"x": random(2, 3), "params['b'][0]": PARAMS["b"][0], "params['w']": PARAMS["w"], "scale": np.float32(2)}, ["cpu"]),
    (unused, (random(5), random(2), random(5) * 2), {}, {"a": random(5), "c": random(5) * 2}, ["cpu"]),
    (special, (random(4, 6),), {}, {"x": random(4, 6)}, ["cpu"]),
    (platform, (random(3),), {}, {"x": random(3)}, ["tpu", "cpu"]),
    (platform, (random(3),), {}, {"x": random(3)}, ["cpu", "cuda"]),
    (factor, (random(4, 4),), {}, {"a": random(4, 4)}, ["cpu"]),
    (sharded, (random(3, 8),), {}, {"x": random(3, 8)}, ["cpu"]),
    (loop, (np.int32(3), random(2, 2)), {}, {"n": np.int32(3), "x": random(2, 2)}, ["cpu"]),
]


class Runner:
    def __init__(self, tool, device, folder):
        self.tool, self.device, self.folder = tool, device, folder
        self.passed = self.failed = 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def check(self, name, inputs, expected):
        outputs = [f"--output=@{self.path(f'y{i}.npy')}" for i in range(len(expected))]
        run = subprocess.run([self.tool, self.path("f.bin"), "--device=" + self.device, *inputs, *outputs], capture_output=True, text=True)
        told = run.stderr
        if not run.returncode:
            got = [np.load(self.path(f"y{i}.npy")) for i in range(len(expected))]
            if all(np.allclose(a, b, rtol=1e-4, atol=1e-5) for a, b in zip(got, expected)):
                self.passed += 1
                return
            told = f"{got} is not {expected}"
        self.failed += 1
        print(f"{name} {' '.join(inputs)}: {told}")

    def run(self, name, data, named, expected, has_names=True):
        with open(self.path("f.bin"), "wb") as file:
            file.write(data)
        files = {key: self.path(f"x{i}.npy") for i, key in enumerate(named)}
        for key, path in files.items():
            np.save(path, named[key])
        in_order = [f"--input=@{path}" for path in files.values()]
        by_name = [f"--input={key}=@{path}" for key, path in reversed(files.items())]
        np.savez(self.path("names.npz"), **named)
        np.savez_compressed(self.path("order.npz"), *named.values())
        self.check(name, in_order, expected)
        self.check(name, [f"--input=@{self.path('order.npz')}"], expected)
        if not has_names:
            return
        self.check(name, by_name, expected)
        # One by name, and the others in their order.
        self.check(name, by_name[:1] + in_order[:-1], expected)
        self.check(name, [f"--input=@{self.path('names.npz')}"], expected)
        key = next(reversed(files))
        self.check(name, in_order[:-1] + [f"--input={key}=@{self.path('names.npz')}:{key}"], expected)


def main():
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(*sys.argv[1:3], folder)
        for function, arguments, keywords, named, platforms in CASES:
            exported = export.export(jax.jit(function), platforms=platforms)(*arguments, **keywords)
            expected = [np.asarray(leaf) for leaf in jax.tree.leaves(function(*arguments, **keywords))]
            runner.run(f"{function.__name__} {platforms}", bytes(exported.serialize()), named, expected)
        sizes = export.symbolic_shape("n, m")
        exported = export.export(jax.jit(lambda x: x / x.sum(1, keepdims=True)))(jax.ShapeDtypeStruct(sizes, np.float32))
        x = np.abs(random(3, 5))
        # What jax puts around a program of symbolic sizes has no names.
        runner.run("symbolic", bytes(exported.serialize()), {"x": x}, [x / x.sum(1, keepdims=True)], has_names=False)
        exported = export.export(jax.jit(sharded))(jax.ShapeDtypeStruct(export.symbolic_shape("n, 8"), np.float32))
        runner.run("symbolic, sharded", bytes(exported.serialize()), {"x": random(3, 8)}, [np.asarray(leaf) for leaf in sharded(random(3, 8))],
                   has_names=False)
        print(f"{runner.passed} passed, {runner.failed} failed")
        return 1 if runner.failed or not runner.passed else 0


if __name__ == "__main__":
    sys.exit(main())
