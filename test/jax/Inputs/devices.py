# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of several devices give what XLA's CPU gives: `devices.py LIBRARY` has 8 devices of both in one process. With `gspmd` shardings
are those of XLA's older partitioner."""
import os
import sys

PLATFORM = "xlac_vulkan" if "vulkan" in os.path.basename(sys.argv[1]) else "xlac"
os.environ["XLAC_CPU_DEVICES"] = os.environ["XLAC_VULKAN_DEVICES"] = "8"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = f"{PLATFORM},cpu"
os.environ["PJRT_NAMES_AND_LIBRARY_PATHS"] = f"{PLATFORM}:{os.path.abspath(sys.argv[1])}"
import jax
import numpy as np
from device_cases import cases
from jax._src.interpreters import mlir

if PLATFORM not in mlir._platforms_with_donation:
    mlir._platforms_with_donation.append(PLATFORM)
jax.config.update("jax_use_shardy_partitioner", "gspmd" not in sys.argv)


def specs(array):
    """Which part each device has, by its place among the devices."""
    order = {d: i for i, d in enumerate(jax.devices(list(array.devices())[0].platform))}
    indices = array.sharding.devices_indices_map(array.shape)
    return sorted((order[d], tuple(s.indices(n) for s, n in zip(index, array.shape))) for d, index in indices.items())


if "gspmd" in sys.argv:  # XLA's own partitioner refuses them, puts results elsewhere, or has no partial sums
    for name in ("loop_of_other_lengths", "uneven", "slices_follow", "shapes_follow", "places_follow", "of_different_operands", "windows_follow",
                 "factors_follow", "partial_sums", "arguments_follow", "axes_divide"):
        del cases[name]
chosen = [a for a in sys.argv[2:] if a != "gspmd"] or list(cases)
failed = 0
for name in chosen:
    try:
        got = jax.tree.leaves(cases[name](jax.devices(PLATFORM)))
        wanted = jax.tree.leaves(cases[name](jax.devices("cpu")))
        assert len(got) == len(wanted)
        for g, w in zip(got, wanted):
            np.testing.assert_allclose(np.asarray(g).astype(complex), np.asarray(w).astype(complex), rtol=2e-5, atol=2e-5)
            assert g.dtype == w.dtype and g.shape == w.shape
            if isinstance(w, jax.Array) and w.size:
                assert specs(g) == specs(w), (g.sharding, w.sharding)
    except Exception as error:
        failed += 1
        print(f"{name}: {type(error).__name__}: {str(error)[:600]}")
print(f"{len(chosen) - failed} programs of several devices agree, {failed} do not")
sys.exit(failed != 0)
