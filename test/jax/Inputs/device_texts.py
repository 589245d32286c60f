# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of 8 devices as texts: `device_texts.py XLA-RUN cpu,vulkan` runs device_cases.py on XLA's CPU; each program that JAX compiles
there, as `as_text()` has it, gives on these devices of xla-run what XLA gave, from whole arrays. With `hlo` it is HLO text, with `proto`
HLO's protocol buffer, before XLA optimizes it. With `gspmd` shardings are those of XLA's older partitioner."""
import os
import subprocess
import sys
import tempfile

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import numpy as np
from device_cases import cases
from jax._src import compiler
from jax._src.lib import _jax
from jax._src.interpreters import mlir, pxla
from jax.sharding import NamedSharding, PartitionSpec as P

jax.config.update("jax_use_shardy_partitioner", "gspmd" not in sys.argv)
tool, devices = sys.argv[1], sys.argv[2].split(",")
chosen = [a for a in sys.argv[3:] if a not in ("gspmd", "hlo", "proto")]
texts, seen = {}, []
compiled, executed = compiler.compile_or_get_cached, pxla.ExecuteReplicated.__call__


def whole(array):
    """All of an array, as a new one; of partial sums their sum."""
    spec = getattr(array.sharding, "spec", None)
    summed = getattr(spec, "unreduced", None)
    if not summed:
        return np.array(array)
    mesh, sum = array.sharding.mesh, np.zeros(array.shape, array.dtype)
    cut = {axis for part in spec.partitions if part for axis in (part if isinstance(part, tuple) else (part,))}
    parts = {shard.device: np.asarray(shard.data) for shard in array.addressable_shards}
    places = NamedSharding(mesh, P(*spec.partitions)).devices_indices_map(array.shape)
    for place, device in np.ndenumerate(mesh.devices):
        if all(axis in summed or axis in cut or not i for axis, i in zip(mesh.axis_names, place)):  # no copies
            sum[places[device]] += parts[device]
    return sum


def compile_or_get_cached(backend, computation, *rest, **named):
    text = mlir.module_to_string(computation)
    executable = compiled(backend, computation, *rest, **named)
    texts[id(executable)] = executable, text  # with what keeps the number its own
    return executable


def execute(self, *args):
    inputs = [whole(a) if isinstance(a, jax.Array) else np.array(a, jax.dtypes.canonicalize_dtype(np.asarray(a).dtype)) for i, a in enumerate(args) if i in self.kept_var_idx]
    results = executed(self, *args)
    if id(self.xla_executable) in texts:
        seen.append((texts[id(self.xla_executable)][1], inputs, [whole(r) for r in results]))
    return results


compiler.compile_or_get_cached, pxla.ExecuteReplicated.__call__ = compile_or_get_cached, execute


def program(text):
    """The bytes of the program, in the form that was asked for."""
    if "hlo" not in sys.argv and "proto" not in sys.argv:
        return text.encode()
    made = _jax.mlir.mlir_module_to_xla_computation(text, use_tuple_args=False)
    return made.as_serialized_hlo_module_proto() if "proto" in sys.argv else made.as_hlo_text(print_large_constants=True).encode()


def run(text, inputs, wanted, device, folder):
    name = lambda kind, i: os.path.join(folder, f"{kind}{i}.npy")
    for i, a in enumerate(inputs):
        np.save(name("in", i), a)
    command = [tool, "-", f"--device={device}", *(f"--input=@{name('in', i)}" for i in range(len(inputs))),
               *(f"--output=@{name('out', i)}" for i in range(len(wanted)))]
    done = subprocess.run(command, input=program(text), capture_output=True)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    for i, w in enumerate(wanted):
        got = np.load(name("out", i))
        got = got.view(w.dtype) if got.dtype.kind == "V" else got
        assert got.dtype == w.dtype and got.shape == w.shape, (got.dtype, got.shape, w.dtype, w.shape)
        np.testing.assert_allclose(got.astype(complex), w.astype(complex), rtol=2e-5, atol=2e-5)


for name in ("places_follow", "of_different_operands", "windows_follow", "factors_follow"):  # where results lie is not in a text's values
    del cases[name]
if "gspmd" in sys.argv:  # XLA's own partitioner refuses them, or has no partial sums
    for name in ("loop_of_other_lengths", "uneven", "slices_follow", "shapes_follow", "partial_sums"):
        del cases[name]
n = failed = 0
with tempfile.TemporaryDirectory() as folder:
    for name in chosen or list(cases):
        del seen[:]
        cases[name](jax.devices("cpu"))
        for text, inputs, wanted in list(seen):
            if not any(word in text for word in ("sdy.", "sharding", "num_partitions = 8")):
                continue
            for device in devices:
                try:
                    n += 1
                    run(text, inputs, wanted, device, folder)
                except AssertionError as error:
                    failed += 1
                    print(f"{name} on {device}: {str(error)[:600]}\n{text[:3000]}")
print(f"{n - failed} texts of programs of several devices agree, {failed} do not")
sys.exit(failed != 0)
