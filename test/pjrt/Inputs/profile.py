# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""jax.profiler traces programs of the plugin: profile.py FOLDER. JAX_PLATFORMS says on which platform."""
import glob
import os
import sys

import jax
import jax.numpy as jnp
import numpy as np

folder, platform = sys.argv[1], os.environ["JAX_PLATFORMS"]


def traced_program(x, y):
    return jnp.sin(x) @ y


x = np.ones((300, 300), np.float32)
program = jax.jit(traced_program)
for number in range(2):  # a session begins anew
    with jax.profiler.trace(f"{folder}/{number}"):
        if number:
            jax.block_until_ready(jax.jit(lambda x: x * 3)(x))
        for _ in range(5):
            y = program(x, x)
        np.asarray(y)

for number, compiled, runs in [(0, {"jit_traced_program"}, 5), (1, {"jit__lambda"}, 5)]:
    (path,) = glob.glob(f"{folder}/{number}/plugins/profile/*/*.xplane.pb")
    planes = {plane.name: plane for plane in jax.profiler.ProfileData.from_file(path).planes}
    plane = planes[f"/device:CUSTOM:{platform}:0"]
    lines = {line.name: list(line.events) for line in plane.lines}
    programs = [event for event in lines["Programs"] if event.name == "jit_traced_program"]
    assert len(programs) == runs, lines
    assert all(event.duration_ns > 0 for event in programs)
    starts = [event.start_ns for event in programs]
    assert starts == sorted(starts)
    assert {event.name.rstrip("_") for event in lines["Compilations"]} >= compiled, lines["Compilations"]
    # The processor's arrays are numpy's without a copy.
    copied = [dict(event.stats)["bytes"] for event in lines.get("To the host", [])]
    assert copied == ([] if platform == "xlac" else [360000]), copied
    host = [event for plane in planes.values() if plane.name.startswith("/host:CPU")
            for line in plane.lines for event in line.events]
    begin, end = min(e.start_ns for e in host), max(e.start_ns + e.duration_ns for e in host)
    # The clocks are the same.
    assert begin - 1e9 < starts[0] and starts[-1] < end + 1e9, (begin, starts, end)
print("traced", platform)
