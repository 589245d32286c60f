# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of four devices call functions of Python as often as XLA's on the CPU, in and outside of shard_map, with both forms of
shardings. JAX_PLATFORMS names a platform of xlac, then cpu."""
import os

os.environ["XLAC_CPU_DEVICES"] = os.environ["XLAC_VULKAN_DEVICES"] = "4"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import io_callback
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

calls = []


def note(*values):
    calls.append(tuple(np.asarray(value).tolist() for value in values))


def whole(x):
    jax.debug.callback(note, x.sum())
    io_callback(note, None, x[0], ordered=True)
    return x * 2


def parts(x):
    jax.debug.callback(note, x + 1, jnp.float32(2), partitioned=True)
    lax.fori_loop(0, 2, lambda i, x: (jax.debug.callback(note, i, x, partitioned=True), x * 2)[1], x)
    return x * 2


def each(x):
    io_callback(note, None, x, ordered=True)
    jax.debug.callback(note, jnp.float32(3))
    return x * 2


def branches(x):
    def even(x):
        jax.debug.callback(note, x)
        return lax.psum(x, ()) + 1

    return lax.cond(lax.axis_index("x") % 2 == 0, even, lambda x: x, x)


def loops(x):
    def body(carried):
        i, x = carried
        jax.debug.callback(note, i, x)
        return i + 1, x + lax.psum(x, ())

    return lax.while_loop(lambda carried: carried[0] < lax.axis_index("x"), body, (0, x))[1]


def run(platform, function):
    mesh = Mesh(np.array(jax.devices(platform)), ("x",))
    x = jax.device_put(np.arange(8, dtype=np.float32), NamedSharding(mesh, P("x")))
    mapped = function if function in (whole, parts) else jax.shard_map(function, mesh=mesh, in_specs=P("x"), out_specs=P("x"))
    calls.clear()
    result = np.asarray(jax.jit(mapped)(x))
    jax.effects_barrier()
    return sorted(map(repr, calls)), result.tolist()


for shardy in (True, False):
    jax.config.update("jax_use_shardy_partitioner", shardy)
    for function in (whole, parts, each, branches, loops):
        got, wanted = (run(platform, function) for platform in os.environ["JAX_PLATFORMS"].split(","))
        assert got == wanted, (function.__name__, shardy, got, wanted)
print("the same calls")
