# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs in which no device needs what others have are of parts, and are shown as what one device does: `parts.py LIBRARY`. Results are
those of one device, bit for bit where nothing is summed."""
import os
import sys

PLATFORM = "xlac_vulkan" if "vulkan" in os.path.basename(sys.argv[1]) else "xlac"
os.environ["XLAC_CPU_DEVICES"] = os.environ["XLAC_VULKAN_DEVICES"] = "8"
os.environ["JAX_PLATFORMS"] = PLATFORM
os.environ["PJRT_NAMES_AND_LIBRARY_PATHS"] = f"{PLATFORM}:{os.path.abspath(sys.argv[1])}"
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices())
mesh = Mesh(devices.reshape(2, 4), ("x", "y"))
shuffled = Mesh(devices[[5, 3, 0, 7, 1, 2, 6, 4]].reshape(2, 4), ("x", "y"))
# No size of a part of it is that of the whole.
a = np.sin(np.arange(24 * 40, dtype=np.float32)).reshape(24, 40)
w = np.cos(np.arange(40 * 7, dtype=np.float32)).reshape(40, 7)
row = np.arange(40, dtype=np.float32)


def counted(a):
    """Numbers that count, in all kinds of types."""
    grids = [lax.broadcasted_iota(kind, a.shape, d) for kind in (np.int32, np.float32, np.uint8, np.complex64, jnp.bfloat16) for d in (0, 1)]
    return [jnp.where(a > 0, g, g * 3) for g in grids]


def choices(a):
    return lax.cond(a[0, 0] > 0, lambda a: a * 2, lambda a: a + 1, a)


def whole_too(a):
    """What is whole is sliced where parts of it are added."""
    return a + row, a * jnp.sort(row), jnp.maximum(a, row.reshape(1, 40) * np.float32(0.5))


X, Y, XY, BOTH = P("x"), P(None, "y"), P("x", "y"), P(("y", "x"))
# A function, how it is cut, whether it sums.
parts = [
    (lambda a: jnp.tanh(a) * a + 1, XY, False), (lambda a: a > 0, BOTH, False), (counted, XY, False), (counted, BOTH, False),
    (whole_too, Y, False), (whole_too, XY, False), (whole_too, X, False),
    (lambda a: a.T, XY, False), (lambda a: a.reshape(24, 5, 8)[:, :, None], X, False), (lambda a: a.reshape(4, 6, 40), X, False),
    (lambda a: a.sum(1), X, True), (lambda a: a.max(0), Y, False), (lambda a: jnp.argmax(a, 1), X, False), (jax.nn.softmax, X, True),
    (lambda a: a @ w, X, True), (lambda a: jnp.einsum("ij,ik->ijk", a, a[:, :3]), X, False),
    (lambda a: a[:, 3:9], X, False), (lambda a: lax.dynamic_slice(a, (0, 5), (24, 9)), X, False), (lambda a: lax.dynamic_update_slice(a, a[:, :2] * 2, (0, 3)), X, False),
    (lambda a: jnp.pad(a, ((0, 0), (1, 2))), X, False), (lambda a: jnp.concatenate([a, 2 * a], 1), X, False), (lambda a: a[:, ::-1], X, False),
    (lambda a: jnp.sort(a, 1), X, False), (lambda a: jnp.fft.fft(a).real, X, True), (choices, None, False),
    (lambda a: lax.fori_loop(0, 3, lambda i, s: s * a + i, a), XY, False),
    (lambda a: lax.scan(lambda s, i: (s + i * a, None), jnp.zeros_like(a), jnp.arange(3.0))[0], XY, False),
    (lambda a: (lambda n: jax.random.bits(jax.random.key(1), a.shape) + n)(a.astype(np.uint32)), XY, False),
    (lambda a: lax.bitcast_convert_type(a, np.int32), XY, False), (lambda a: (jnp.zeros_like(a) + 1j * a), Y, False),
]


def text_of(function, sharding, *args):
    return jax.jit(function, in_shardings=sharding).lower(*args).compile().as_text()


def check(function, spec, sums, on):
    sharding = NamedSharding(on, spec)
    with jax.threefry_partitionable(True):
        got = jax.tree.leaves(jax.jit(function)(jax.device_put(a, sharding)))
        wanted = jax.tree.leaves(jax.jit(function)(jax.device_put(a, devices[0])))
        text = text_of(function, sharding, a)
    for g, want in zip(got, wanted, strict=True):
        assert g.dtype == want.dtype and g.shape == want.shape
        g, want = np.asarray(g), np.asarray(want)
        if sums:
            np.testing.assert_allclose(g, want, rtol=2e-5, atol=2e-5)
        else:
            np.testing.assert_array_equal(g, want)
    assert "all_devices" not in text and "[24,40]" not in text, text
    assert not any(name in text for name in ("all-reduce", "all-gather", "collective-permute")), text


failed = 0
for number, (function, spec, sums) in enumerate(parts):
    for on in (mesh, shuffled):
        if spec is None:  # a choice needs the first element, which one device has
            text = text_of(function, NamedSharding(on, XY), a)
            assert "all_devices" in text
            continue
        try:
            check(function, spec, sums, on)
        except Exception as error:
            failed += 1
            print(f"{number}: {type(error).__name__}: {str(error)[:2000]}")

# What stands between devices in shard_map is shown.
def exchange(a):
    n = lax.axis_index("y")
    return lax.psum(a, "x") + n, lax.ppermute(a, "y", [(0, 1), (1, 0)]), lax.all_gather(a, "y")


local = jax.shard_map(exchange, mesh=mesh, in_specs=XY, out_specs=(P(None, "y"), XY, P(None, "x", None)), check_vma=False)
text = text_of(lambda a: local(a * 2), NamedSharding(mesh, XY), a)
for word in ("f32[12,10]{1,0} parameter(0)", "all-reduce(", "collective-permute(", "all-gather(", "partition-id("):
    assert word in text, (word, text)
assert "[24,40]" not in text, text
# A sum over what is cut is made of whole arrays.
assert "all_devices" in text_of(lambda a: a.sum(0), NamedSharding(mesh, X), a)
print(f"{len(parts)} programs of parts, {failed} are wrong")
sys.exit(failed != 0)
