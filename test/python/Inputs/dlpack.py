# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays go by DLPack to numpy and back: dlpack.py DEVICE is of the package's own arrays, and of JAX's on the platform that
JAX_PLATFORMS names first."""
import gc
import os
import sys
import threading
import weakref

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

import xlac
from xlac import _dlpack

DEVICE, PLATFORMS = sys.argv[1], os.environ["JAX_PLATFORMS"].split(",")
PLATFORM, IS_SHARED = PLATFORMS[0], DEVICE == "cpu"
jax.config.update("jax_enable_x64", True)
assert jax.devices()[0].platform == PLATFORM
OF_NUMPY = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
            "complex64", "complex128"]
OTHERS = ["bfloat16", "int2", "int4", "uint2", "uint4", "float4_e2m1fn", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz",
          "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"]
OF_XLAC = ["float6_e2m3fn", "float6_e3m2fn"]  # JAX has none


class Old:
    """What gives capsules of the time before version 1."""

    def __init__(self, of):
        self.of = of

    def __dlpack_device__(self):
        return self.of.__dlpack_device__()

    def __dlpack__(self):
        return self.of.__dlpack__()


def raises(kind, part, function, *arguments, **options):
    try:
        function(*arguments, **options)
    except kind as error:
        assert part in str(error), error
    else:
        raise AssertionError(f"no {kind.__name__}")


def array_of(name, shape=(2, 3)):
    of = np.dtype(getattr(ml_dtypes, name) if hasattr(ml_dtypes, name) else name)
    return np.array(np.arange(int(np.prod(shape))).reshape(shape) % 2).astype(of)


def same(a, b):
    a, b = np.asarray(a), np.asarray(b)
    assert (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes()), (a, b)


def types(make, take):
    """Every type, and every number of dimensions, keeps all bits; numpy's types in numpy's own hands."""
    for name in OF_NUMPY + OTHERS + OF_XLAC * (take is from_xlac):
        for shape in ((2, 3), (), (0, 4), (5,), (1, 2, 1, 3)):
            x = array_of(name, shape)
            y = make(x)
            same(_dlpack.Taken(y).view(), x)
            same(take(y), x)
            if name in OF_NUMPY:
                same(np.from_dlpack(y), x)
                same(take(x), x)
    raises(BufferError, "byte for each element", make(array_of("int4")).__dlpack__)


def memory(make, take):
    """Arrays of a processor are where they are, not to be written; others are copies."""
    x = make(np.arange(1024, dtype=np.float32))
    first, second = np.from_dlpack(x), np.from_dlpack(x)
    assert not IS_SHARED or (first.ctypes.data == second.ctypes.data and not first.flags.writeable)
    if IS_SHARED:
        np.from_dlpack(x, copy=False)
    else:
        raises(BufferError, "is copied", np.from_dlpack, x, copy=False)
    raises(BufferError, "is copied", x.__dlpack__, copy=False)  # version 0
    raises(BufferError, "streams", x.__dlpack__, stream=1)
    raises(BufferError, "given away", x.__dlpack__, dl_device=(2, 0))
    # Others may write what is theirs.
    for copy in (np.from_dlpack(x, copy=True), _dlpack.Taken(Old(x)).view()):
        copy[:] = 7
    same(x, np.arange(1024, dtype=np.float32))
    del x
    gc.collect()
    same(first, np.arange(1024, dtype=np.float32))


def strides(make, take):
    """Arrays in any order, and such as begin in the midst of others."""
    of = np.arange(24, dtype=np.int32).reshape(4, 6)
    for x in (of, of.T, of[::-1], of[:, ::-2], of[1:, 2:5], of[::2, 3], np.broadcast_to(of[0], (3, 6))):
        same(take(x), x)
    base = np.zeros(4 * 65 + 4, np.uint8)
    x = base[4 - base.ctypes.data % 4 + 1:][:256].view(np.float32)
    assert x.ctypes.data % 4
    same(take(x), x)
    raises((ValueError, BufferError), "cop", take, x, copy=False)
    raises((ValueError, BufferError), "cop", take, of.T, copy=False)
    raises(BufferError, "", take, np.zeros(3, "M8[s]"))
    raises(TypeError, "dlpack", take, 3)


def life(make, take):
    """What is taken lives as long as it is used, and no longer; nobody writes it."""

    class Owner(np.ndarray):
        pass

    x = np.arange(256, dtype=np.float32).view(Owner)
    assert not x.ctypes.data % 4
    ended = weakref.ref(x)
    y = take(x)
    del x
    gc.collect()
    same(y, np.arange(256, dtype=np.float32))
    assert not IS_SHARED or ended() is not None
    del y
    gc.collect()
    assert ended() is None
    x = np.arange(256, dtype=np.float32)
    if IS_SHARED:
        same(take(x, copy=False), x)
    else:
        raises((ValueError, BufferError), "cop", take, x, copy=False)
    y = take(x, copy=True)
    x[:] = 0
    same(y, np.arange(256, dtype=np.float32))
    for _ in range(3):  # capsules that nobody takes
        make(x).__dlpack__(), make(x).__dlpack__(max_version=(1, 0))


def threads(make, take):
    """Many at once."""
    x = make(np.arange(4096, dtype=np.int32))

    def run():
        for _ in range(50):
            same(take(np.from_dlpack(take(np.from_dlpack(x)))), np.arange(4096, dtype=np.int32))

    all_threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in all_threads:
        thread.start()
    for thread in all_threads:
        thread.join()


def from_xlac(x, **options):
    return xlac.from_dlpack(x, device=DEVICE, **options)


def from_jax(x, **options):
    y = jnp.from_dlpack(x, device=jax.devices(PLATFORM)[0], **options)
    assert y.devices() == {jax.devices(PLATFORM)[0]}
    return y


for make, take in ((xlac.device(DEVICE).put, from_xlac), (jnp.asarray, from_jax)):
    for test in (types, memory, strides, life, threads):
        test(make, take)
        gc.collect()
        assert not _dlpack._given, (test.__name__, take.__name__, len(_dlpack._given))

# Programs that get what is shared as their own do not write it.
doubled = xlac.compile("func.func @main(%x: tensor<64xf32> {tf.aliasing_output = 0 : i32}) -> tensor<64xf32> {"
                       "  %y = stablehlo.add %x, %x : tensor<64xf32> return %y : tensor<64xf32> }", device=DEVICE)
step = jax.jit(lambda x: x + x, donate_argnums=0)
for take, run in ((from_xlac, doubled.on_device), (from_jax, step)):
    x = np.arange(64, dtype=np.float32)
    y = take(x)
    view = np.from_dlpack(y)
    z = run(y)
    same(z, x + x)
    same(x, np.arange(64, dtype=np.float32))
    same(view, x)
raises(RuntimeError, "deleted", y.__dlpack__)

# Where arrays are if nobody says it: numpy's on the processor, all others where they were.
x = np.arange(4, dtype=np.float32)
expected = PLATFORM if IS_SHARED or len(PLATFORMS) == 1 else "cpu"
for function in (jnp.from_dlpack, jax.dlpack.from_dlpack):
    assert {d.platform for d in function(x).devices()} == {expected}
    for platform in PLATFORMS:
        there = jax.device_put(x, jax.devices(platform)[0])
        assert function(there).devices() == there.devices() and np.from_dlpack(there)[3] == 3
if len(PLATFORMS) > 1:
    cpu = jax.devices("cpu")[0]
    assert jnp.from_dlpack(x, device=cpu).devices() == {cpu}
    assert from_jax(jnp.from_dlpack(x, device=cpu)).devices() == {jax.devices()[0]}
jax.config.update("jax_enable_x64", False)
assert from_jax(np.arange(3, dtype=np.int64)).dtype == np.int32
print("DLPack of", PLATFORM)
