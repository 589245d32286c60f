# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Handlers of jax.ffi give on the platform that JAX_PLATFORMS names first what they give on XLA's CPU: ffi.py CXX compiles them."""
import ctypes
import os
import pathlib
import subprocess
import sys
import tempfile

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "handlers.so")
    source = pathlib.Path(__file__).with_name("ffi_handlers.cc")
    subprocess.run([sys.argv[1], "-std=c++17", "-fPIC", "-shared", "-isystem", jax.ffi.include_dir(), source, "-o", file], check=True)
    library = ctypes.CDLL(file)
platform = os.environ["JAX_PLATFORMS"].split(",")[0]
for name in ("Scale", "Describe", "Increment", "Fail", "Stream"):
    for each in (platform, "cpu"):
        jax.ffi.register_ffi_target(name.lower(), jax.ffi.pycapsule(getattr(library, name)), platform=each)
jax.ffi.register_ffi_target("old", jax.ffi.pycapsule(library.Fail), platform=platform, api_version=0)
jax.ffi.register_ffi_target("staged", {"execute": jax.ffi.pycapsule(library.Fail), "prepare": jax.ffi.pycapsule(library.Fail)},
                            platform=platform)
S = jax.ShapeDtypeStruct


def scale(x):
    call = jax.ffi.ffi_call("scale", (S(x.shape, x.dtype), S((), np.int32)), vmap_method="sequential")
    return call(x, scale=np.float32(1.5), offsets=np.array([2, 3, -7], np.int64))


def describe(*arrays):
    call = jax.ffi.ffi_call("describe", S((len(arrays),), jnp.int64))
    return call(*arrays, name="bytes", on=True, inner={"times": np.int32(3)})


def increment(x):
    return jax.ffi.ffi_call("increment", S(x.shape, x.dtype), input_output_aliases={0: 0})(x)


def call_of(name, **attributes):
    return lambda x: jax.ffi.ffi_call(name, S(x.shape, x.dtype))(x, **attributes)


x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
same = {
    "attributes, and two results": (scale, x),
    "scalar": (lambda x: scale(x)[0] * 2, np.float32(3)),
    "empty": (scale, x[:, :0]),
    "in a program": (lambda x: jnp.sin(scale(x.T + 1)[0]).sum(0), x),
    "batch": (jax.vmap(scale), x),
    "loop": (lambda x: jax.lax.fori_loop(0, 3, lambda i, c: scale(c)[0], x), x),
    "branch": (lambda x: jax.lax.cond(x.sum() > 0, lambda a: scale(a)[0], jnp.cos, x), x),
    "in place": (increment, np.arange(5, dtype=np.int32)),
    "types": (lambda *a: describe(*a), x, x.astype(np.float64), x > 3, x.astype(jnp.bfloat16), x.astype(np.complex64), x.astype(np.int8)),
}


def said(function, *arguments):
    try:
        jax.block_until_ready(jax.jit(function)(*arguments))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing"


failed = 0
jax.config.update("jax_enable_x64", True)
for name, (function, *arguments) in same.items():
    got, wanted = (jax.tree.leaves(jax.jit(function)(*jax.device_put(arguments, jax.devices(p)[0]))) for p in (platform, "cpu"))
    fits = all(g.dtype == w.dtype and g.device.platform == platform and np.allclose(g, w, rtol=1e-6) for g, w in zip(got, wanted, strict=True))
    failed += not fits
    print(f"{name}: {'as on cpu' if fits else f'{got}, not {wanted}'}")
mesh = Mesh(np.array(jax.devices(platform)[:2]), ("i",))
parts = jax.jit(jax.shard_map(lambda x: scale(x)[0], mesh=mesh, in_specs=P("i"), out_specs=P("i")))(x)
failed += not np.array_equal(parts, x * 1.5 - 2)
numbers = np.arange(3).astype(jnp.bfloat16)
for name, text, attributes in (("fail", "this is out of range", {}), ("stream", "streams are not supported on xlac", {}),
                               ("old", "only version 1, the typed one, is supported", {}), ("staged", "only execute is supported", {}),
                               ("absent", "absent", {}), ("increment", "cannot be given the attribute dense<", {"numbers": numbers})):
    message = said(call_of(name, **attributes), x)
    failed += text not in message
    if text not in message:
        print(f"{name}: {message}")
# A handler says once what it is, however often it is lowered.
asked = []


@ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))
def count(frame):
    asked.append(frame[1])  # where the metadata goes, if that is asked for
    return library.Scale(frame)


library.Scale.restype, library.Scale.argtypes = ctypes.c_void_p, [ctypes.POINTER(ctypes.c_void_p)]
jax.ffi.register_ffi_target("counted", jax.ffi.pycapsule(count), platform=platform)
counted = jax.ffi.ffi_call("counted", (S(x.shape, x.dtype), S((), np.int32)))
for _ in range(2):
    got = jax.jit(lambda x: counted(x, scale=np.float32(1.5), offsets=np.array([2, 3, -7], np.int64))[0])(x)
    failed += not np.allclose(got, x * 1.5 - 2)
failed += [each is not None for each in asked] != [True, False, False]
print(f"{failed} failed on {platform}")
