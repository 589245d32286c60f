# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""collectives.py XLA_RUN: operations between partitions, beside those of XLA on as many devices of the CPU.

JAX maps a function over the parts of its inputs; what it does with one part is taken out of the program as the main function, which
xla-run runs as so many partitions at once."""
import os
import re
import subprocess
import sys
import tempfile

COUNT = 4
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={COUNT}"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, PartitionSpec


def example(x, y):
    """Results that all partitions have in common first, then those of which each has a part."""
    same = lax.psum(x, "i"), lax.pmax(x, "i"), lax.pmin(y, "i"), lax.psum(y, "i")
    rolled = lax.ppermute(x, "i", [(k, (k + 1) % COUNT) for k in range(COUNT)])
    shifted = lax.ppermute(y, "i", [(k, k + 1) for k in range(COUNT - 1)])
    pairs = lax.psum(x, "i", axis_index_groups=[[0, 3], [2, 1]])
    looped = lax.fori_loop(0, 3, lambda k, z: lax.psum(z, "i") * 0.125 + k, x)
    return same, (lax.all_gather(x, "i", tiled=True), lax.all_gather(y, "i"), lax.all_to_all(x, "i", 0, 1, tiled=True),
                  lax.psum_scatter(x, "i", tiled=True), rolled, shifted, pairs, looped,
                  jnp.reshape(lax.axis_index("i"), (1,)))


def main_of(text):
    """The program of one partition."""
    found = re.search(r'"sdy.manual_computation".*?\n *\^bb0\((.*?)\):\n(.*)^ *"sdy.return"\((.*?)\) : \((.*?)\) -> \(\)', text, re.S | re.M)
    arguments, body, values, types = found.groups()
    others = re.findall(r'^  "func\.func"\(\) <\{[^\n]*sym_visibility = "private".*?^  \}\) : \(\) -> \(\)\n', text, re.S | re.M)
    inputs = ", ".join(re.findall(r"%\w+: (tensor<.*?>)", arguments))
    return (f'"builtin.module"() ({{\n"func.func"() <{{function_type = ({inputs}) -> ({types}), sym_name = "main"}}> ({{\n'
            f'^bb0({arguments}):\n{body}"func.return"({values}) : ({types}) -> ()\n}}) : () -> ()\n'
            + "".join(others) + "}) : () -> ()\n")


def main():
    mesh = Mesh(np.array(jax.devices()), ("i",))
    whole, parts = PartitionSpec(), PartitionSpec("i")
    mapped = jax.jit(jax.shard_map(example, mesh=mesh, in_specs=parts, out_specs=((whole,) * 4, (parts,) * 9), check_vma=False))
    random = np.random.default_rng(7)
    inputs = [random.standard_normal((4 * COUNT, 3)).astype(np.float32), random.integers(-99, 99, (COUNT, 2), dtype=np.int32)]
    same, split = jax.tree.map(np.asarray, mapped(*inputs))
    text = mapped.lower(*inputs).compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "main.mlir")
        with open(path, "w") as file:
            file.write(main_of(text))
        command = [sys.argv[1], path, f"--partitions={COUNT}"]
        for k in range(COUNT):
            for i, array in enumerate(inputs):
                np.save(os.path.join(folder, f"in{k}_{i}.npy"), np.split(array, COUNT)[k])
                command.append(f"--input=@{folder}/in{k}_{i}.npy")
            command += [f"--output=@{folder}/out{k}_{i}.npy" for i in range(len(same) + len(split))]
        subprocess.run(command, check=True)
        for k in range(COUNT):
            expected = list(same) + [np.split(array, COUNT)[k] for array in split]
            for i, want in enumerate(expected):
                got = np.load(os.path.join(folder, f"out{k}_{i}.npy"))
                if got.dtype == want.dtype and got.shape == want.shape and np.allclose(got, want, rtol=1e-5, atol=1e-6):
                    passed += 1
                else:
                    failed += 1
                    print(f"partition {k}, result {i}: got {got}, expected {want}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
