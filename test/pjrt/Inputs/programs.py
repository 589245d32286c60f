# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX on the plugin: programs.py LIBRARY [--platform=xlac] [NAME..]

Runs programs on the plugin and on XLA's CPU, in one process, and compares; and looks at what users see of arrays, errors,
threads and compiled programs. With names, only these.
"""
import os
import sys
import threading
import traceback

LIBRARY = sys.argv[1]
options = [word for word in sys.argv[2:] if word.startswith("--")]
names = [word for word in sys.argv[2:] if not word.startswith("--")]
PLATFORM = ([word.split("=")[1] for word in options if word.startswith("--platform=")] or ["xlac"])[0]
os.environ["PJRT_NAMES_AND_LIBRARY_PATHS"] = f"{PLATFORM}:{LIBRARY}"
os.environ["JAX_PLATFORMS"] = f"{PLATFORM},cpu"
os.environ["JAX_ENABLE_X64"] = "1"
os.environ["XLAC_CPU_DEVICES"] = "2"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.interpreters import mlir

# What jax asks of the plugin's package, not of the plugin: that donation works, and lowerings for what it has none for.
mlir._platforms_with_donation.append(PLATFORM)
for primitive, rule in mlir._platform_specific_lowerings["cpu"].items():
    if primitive not in mlir._lowerings:
        mlir._platform_specific_lowerings[PLATFORM][primitive] = rule
ON_CPU = PLATFORM == "xlac"
cpu = jax.devices("cpu")[0]
device = jax.devices(PLATFORM)[0]
random = np.random.default_rng(0)
tests = []


def floats(*dims, dtype=np.float32):
    return random.standard_normal(dims).astype(dtype)


def test(function):
    tests.append((function.__name__, function))
    return function


def compare(*arguments, tolerance=1e-5, static=()):
    """A test that the decorated function gives the same on both."""
    def decorate(function):
        def run():
            results = []
            for where in (device, cpu):
                given = jax.device_put(arguments, where)
                results.append(jax.tree.map(np.asarray, jax.jit(function, static_argnums=static)(*given)))
            got, want = map(jax.tree.leaves, results)
            assert len(got) == len(want)
            for a, b in zip(got, want):
                assert a.dtype == b.dtype and a.shape == b.shape, (a.dtype, b.dtype, a.shape, b.shape)
                wide = np.complex128 if np.iscomplexobj(a) else None if a.dtype.kind in "biuO" else np.float64
                np.testing.assert_allclose(a if wide is None else a.astype(wide), b if wide is None else b.astype(wide),
                                           rtol=tolerance, atol=tolerance)
        tests.append((function.__name__, run))
        return function
    return decorate


def well(n, dtype=np.float32):
    matrix = floats(n, n, dtype=dtype)
    return matrix @ matrix.T + n * np.eye(n, dtype=dtype)


# Programs ------------------------------------------------------------------------------------------------------------

@compare(floats(3, 4), floats(4))
def add(x, y):
    return x + y


@compare(floats(5, 7), floats(7, 3), tolerance=1e-4)
def product(x, y):
    return x @ y


@compare(floats(8, 5), floats(5, 4), floats(4))
def gradient(x, w, b):
    return jax.grad(lambda w, b: jnp.mean(jnp.tanh(x @ w + b) ** 2), argnums=(0, 1))(w, b)


@compare(floats(20, 3))
def scan(x):
    return lax.scan(lambda total, row: (total + row, total * 2), jnp.zeros(3), x)


@compare(np.float32(1.5))
def while_loop(x):
    return lax.while_loop(lambda s: s[0] < 10, lambda s: (s[0] + 1, s[1] * x), (0, jnp.float32(1)))


@compare(np.int32(3), floats(4))
def cond(i, x):
    return lax.cond(i > 2, jnp.sin, jnp.cos, x), lax.switch(i, [jnp.sin, jnp.cos, jnp.tan, jnp.exp], x)


@compare(floats(1, 9, 9, 3), floats(3, 3, 3, 4), tolerance=1e-4)
def convolution(x, w):
    return lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


@compare(floats(6, 50))
def sort(x):
    return jnp.sort(x, axis=1), jnp.argsort(x, axis=1), lax.top_k(x, 5)


@compare(floats(10, 3), np.array([1, 4, 1, 9], np.int32), floats(4, 3))
def scatter(x, i, y):
    return x.at[i].add(y), x.at[i].set(1.0), x[i], jax.ops.segment_sum(y, i, 10)


@compare(floats(4, 16))
def fft(x):
    return jnp.fft.fft(x), jnp.fft.rfft(x), jnp.fft.irfft(jnp.fft.rfft(x))


@compare(well(6), tolerance=1e-4)
def cholesky(a):
    return jnp.linalg.cholesky(a)


@compare(well(6), floats(6, 2), tolerance=1e-3)
def solve(a, b):
    return jnp.linalg.solve(a, b), jnp.linalg.det(a), jnp.linalg.inv(a)


@compare(floats(7, 4), tolerance=1e-4)
def qr(a):
    q, r = jnp.linalg.qr(a)
    return q @ r, jnp.abs(r)


@compare(well(5), tolerance=1e-3)
def eigh(a):
    w, v = jnp.linalg.eigh(a)
    return w, v @ jnp.diag(w) @ v.T


@compare(floats(6, 4), tolerance=1e-3)
def svd(a):
    u, s, v = jnp.linalg.svd(a, full_matrices=False)
    return s, (u * s) @ v


@compare(np.array([0, 7], np.uint32))
def draw(key):
    return jax.random.uniform(key, (5, 3)), jax.random.normal(key, (40,)), jax.random.permutation(key, 10)


@compare(floats(6) + 1j * floats(6))
def complex_numbers(z):
    return z * z, jnp.exp(z), jnp.abs(z), z.conj(), jnp.sqrt(z)


@compare(jnp.bfloat16(1.25) * floats(4, 8).astype(jnp.bfloat16), tolerance=1e-2)
def bfloat16(x):
    return x @ x.T, jnp.sum(x.astype(jnp.float32))


@compare(np.arange(-8, 8).astype(jnp.int4), np.arange(16).astype(jnp.uint4))
def int4(x, y):
    return x.astype(jnp.int32) + 1, x + x, y.astype(jnp.uint8), (y + y).astype(jnp.int32)


@compare(floats(5).astype(jnp.float8_e4m3fn), tolerance=1e-1)
def float8(x):
    return x.astype(jnp.float32) * 2, x


@compare(np.array([True, False, True]), np.arange(3, dtype=np.int8), np.arange(3, dtype=np.uint16), floats(3, dtype=np.float64))
def many_types(p, s, u, f):
    return p ^ True, s + 1, u << 3, f * f, p & (f > 0)


@compare(floats(2, 3), floats(3))
def many_outputs(x, y):
    return {"a": x.sum(0), "b": [y, x * 2, (x.T, 1.5)], "c": jnp.arange(4), "d": x}


@compare(floats(2, 8, 16), tolerance=1e-4)
def attention(x):
    scores = jax.nn.softmax(x @ jnp.swapaxes(x, 1, 2) / 4)
    return jax.nn.gelu(scores @ x)


@compare(floats(0, 3), floats(3))
def empty(x, y):
    return x.sum(0), x @ jnp.ones((3, 2)), y[:0]


@compare(floats(4, 6))
def cumulative(x):
    return jnp.cumsum(x, 1), lax.associative_scan(jnp.multiply, x, axis=1), lax.reduce_window(x, 0., lax.add, (2, 2), (1, 1), "VALID")


@compare(floats(3, 5))
def vmapped(x):
    return jax.vmap(lambda row: jnp.outer(row, row).sum())(x), jax.jacfwd(lambda r: jnp.sin(r) * r.sum())(x[0])


@compare(floats(64, 64), tolerance=1e-4)
def indexing(x):
    return x[3:9:2, ::-1], jnp.roll(x, 5), jnp.pad(x, 2), lax.dynamic_slice(x, (2, 3), (4, 4)), jnp.where(x > 0, x, 0)


# What users see ------------------------------------------------------------------------------------------------------

@test
def platform():
    assert device.platform == PLATFORM and jax.default_backend() == PLATFORM
    assert "xlac " in device.client.platform_version
    assert str(device) and repr(device) and device.device_kind
    assert [m.kind for m in device.addressable_memories()] == ["device", "pinned_host", "unpinned_host"]


@test
def round_trip():
    for dtype in ["bool", "int8", "int16", "int32", "int64", "uint8", "uint64", "float16", "float32", "float64", "complex64",
                  "complex128", jnp.bfloat16, jnp.int4, jnp.float8_e5m2, jnp.int2, jnp.float4_e2m1fn]:
        for dims in [(), (0,), (3,), (2, 3, 4)]:
            x = np.asarray(random.integers(0, 2, dims)).astype(dtype)
            y = jax.device_put(x, device)
            assert y.dtype == x.dtype and y.shape == x.shape
            np.testing.assert_array_equal(np.asarray(y).astype(np.complex128), x.astype(np.complex128))


@test
def strides():
    x = np.arange(60).reshape(3, 4, 5)
    for view in [x.T, x[::-1, ::2, 1:4], x[:, :, ::-1].T, np.broadcast_to(x[0, 0], (7, 5)), np.asfortranarray(x)]:
        np.testing.assert_array_equal(np.asarray(jax.device_put(view, device)), view)


@test
def zero_copy():
    x = jnp.arange(1000.) + 1
    y = np.asarray(x)
    assert not y.flags.writeable
    if ON_CPU:
        assert y.ctypes.data == np.asarray(x).ctypes.data == x.unsafe_buffer_pointer()
    del x
    np.testing.assert_array_equal(y, np.arange(1000.) + 1)


@test
def host_array_changes():
    x = np.ones(100000, np.float32)
    y = jnp.array(x).block_until_ready()  # a copy, by jax's rules
    x[:] = 2
    assert float(y.sum()) == 100000


@test
def donation():
    step = jax.jit(lambda x, y: (x + y, y * 2), donate_argnums=0)
    x, y = jnp.ones((4, 4)), jnp.ones((4, 4))
    for _ in range(5):
        before, (x, y) = x, step(x, y)
        assert before.is_deleted()
    np.testing.assert_array_equal(np.asarray(x), np.full((4, 4), 32.))


@test
def deletion():
    x = jnp.ones(4)
    y = x + 1
    x.delete()
    assert x.is_deleted()
    try:
        np.asarray(x)
        raise AssertionError("a deleted array was read")
    except RuntimeError as error:
        assert "deleted" in str(error)
    np.testing.assert_array_equal(np.asarray(y), np.full(4, 2.))


@test
def unsupported():
    f = lambda x: jax.pure_callback(np.sin, jax.ShapeDtypeStruct((), jnp.float32), x)
    try:
        jax.jit(f)(jnp.float32(1))
        raise AssertionError("a callback ran")
    except (NotImplementedError, ValueError, jax.errors.JaxRuntimeError) as error:
        assert "callback" in str(error).lower() or "not" in str(error), error


@test
def unsupported_operation():
    try:
        jax.ffi.ffi_call("nobody.knows.this", jax.ShapeDtypeStruct((2,), jnp.float32))(jnp.ones(2, jnp.float32))
        raise AssertionError("an unknown call ran")
    except jax.errors.JaxRuntimeError as error:
        assert "nobody.knows.this" in str(error), error


@test
def nan_checks():
    with jax.debug_nans(True):
        try:
            jnp.log(jnp.float32(-1)).block_until_ready()
            raise AssertionError("a NaN was not seen")
        except FloatingPointError:
            pass


@test
def threads():
    f = jax.jit(lambda x, n: lax.fori_loop(0, n, lambda i, y: jnp.sin(y) + x, x))
    failures = []

    def work(k):
        for i in range(30):
            x = np.full(50, k + i, np.float32)
            if not np.allclose(np.asarray(f(x, 3)), np.sin(np.sin(np.sin(x) + x) + x) + x, atol=1e-4):
                failures.append((k, i))
            if i % 10 == 0:  # another program each
                jax.jit(lambda x: x * (k + 1) + i)(x).block_until_ready()

    workers = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures, failures


@test
def many_in_flight():
    f = jax.jit(lambda x: x @ x * 0.01)
    arrays = [jnp.full((64, 64), 0.1 * k) for k in range(20)]
    results = [f(f(x)) for x in arrays]
    for x in arrays[::2]:
        x.delete()
    for k, y in enumerate(results):
        x = np.full((64, 64), 0.1 * k)
        np.testing.assert_allclose(np.asarray(y), (x @ x * 0.01) @ (x @ x * 0.01) * 0.01, rtol=1e-5)


@test
def compiled_program():
    compiled = jax.jit(lambda x: jnp.tanh(x @ x) + 1).lower(jnp.ones((8, 8), jnp.float32)).compile()
    cost = compiled.cost_analysis()
    assert cost["flops"] >= 2 * 8 ** 3 and cost["transcendentals"] == 64 and cost["bytes accessed"] >= 2 * 256, cost
    memory = compiled.memory_analysis()
    assert memory.argument_size_in_bytes == 256 and memory.output_size_in_bytes == 256
    assert memory.generated_code_size_in_bytes > 0
    text = compiled.as_text()
    assert "tanh" in text and "to_apply=%fusion" in text, text
    np.testing.assert_allclose(np.asarray(compiled(jnp.ones((8, 8), jnp.float32))), np.full((8, 8), 2.), rtol=1e-6)


@test
def serialized():
    from jax.experimental import serialize_executable
    compiled = jax.jit(lambda x: jnp.cos(x) * 3).lower(jnp.ones(5, jnp.float32)).compile()
    loaded = serialize_executable.deserialize_and_load(*serialize_executable.serialize(compiled), execution_devices=[device])
    np.testing.assert_allclose(np.asarray(loaded(jnp.ones(5, jnp.float32))), 3 * np.cos(np.ones(5)), rtol=1e-6)


@test
def layouts():
    x = jnp.ones((2, 3))
    assert tuple(x.format.layout.major_to_minor) == (0, 1)


@test
def memory_stats():
    x = jnp.ones((1000, 1000), jnp.float32).block_until_ready()
    stats = device.memory_stats()
    assert stats["bytes_in_use"] >= 4_000_000 and stats["peak_bytes_in_use"] >= stats["bytes_in_use"], stats
    del x


@test
def exported():
    from jax import export
    f = export.export(jax.jit(lambda x: jnp.sin(x) * 2), platforms=[PLATFORM])(jnp.ones(3))
    np.testing.assert_allclose(np.asarray(export.deserialize(f.serialize()).call(jnp.ones(3))), 2 * np.sin(np.ones(3)), rtol=1e-6)


@test
def several_devices():
    if not ON_CPU:
        return
    first, second = jax.devices(PLATFORM)
    x = jax.device_put(np.arange(4.), second)
    y = jax.jit(lambda x: x * 2)(x)
    assert y.devices() == {second}
    np.testing.assert_array_equal(np.asarray(jax.device_put(y, first) + 1), np.arange(4.) * 2 + 1)
    mesh = jax.sharding.Mesh(np.array([first, second]), "x")
    x = jax.device_put(np.arange(4.), jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x")))
    np.testing.assert_array_equal(np.asarray(x), np.arange(4.))
    y = jax.jit(lambda x: x + 1)(x)
    assert y.devices() == {first, second}
    np.testing.assert_array_equal(np.asarray(y), np.arange(4.) + 1)


@test
def constraints():
    where = jax.sharding.NamedSharding(jax.sharding.Mesh(np.array([device]), "x"), jax.sharding.PartitionSpec("x"))
    y = jax.jit(lambda x: lax.with_sharding_constraint(x + 1, where) * 2, in_shardings=where)(np.arange(4.))
    np.testing.assert_array_equal(np.asarray(y), np.arange(4.) * 2 + 2)


passed = failed = 0
for name, run in tests:
    if names and name not in names:
        continue
    try:
        with jax.default_device(device):
            run()
        passed += 1
    except Exception as error:
        failed += 1
        line = traceback.extract_tb(error.__traceback__)[1].lineno
        print(f"{name}, line {line}: {type(error).__name__}: {str(error)[:1500]}")
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
