# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What JAX lets programs do beside computing, on the platform that JAX_PLATFORMS names first: memories, donation, options .."""
import itertools
import threading
import traceback

import jax
import jax.experimental.sparse  # noqa: F401: before the platforms, which see what rules there are for processors
import jax.numpy as jnp
import numpy as np
from jax.ad_checkpoint import checkpoint_name
from jax.experimental.layout import Format, Layout
from jax.sharding import Mesh, NamedSharding, PartitionSpec, SingleDeviceSharding

HOST = ("pinned_host", "unpinned_host")
device = jax.devices()[0]
tests = []


def test(function):
    tests.append(function)
    return function


def message(function, *arguments) -> str:
    """What a call raises; nothing else will do."""
    try:
        function(*arguments)
    except Exception as error:
        return str(error)
    raise AssertionError("nothing was raised")


@test
def memories_of_a_device():
    assert [memory.kind for memory in device.addressable_memories()] == ["device", *HOST]
    assert device.default_memory().kind == "device"
    assert len({str(memory) for other in jax.devices() for memory in other.addressable_memories()}) == 3 * len(jax.devices())
    assert "memory kind: fast" in message(lambda: SingleDeviceSharding(device, memory_kind="fast"))


@test
def arrays_on_the_host():
    for kind in HOST:
        there = SingleDeviceSharding(device, memory_kind=kind)
        x = jax.device_put(np.arange(4, dtype=np.float32), there)
        assert x.sharding.memory_kind == kind
        back = jax.device_put(x, there.with_memory_kind("device"))
        assert back.sharding.memory_kind == "device"
        np.testing.assert_array_equal(back, np.arange(4))
        y, z = jax.jit(lambda x: (x * 2, x), out_shardings=(there, None))(back)
        assert (y.sharding.memory_kind, z.sharding.memory_kind) == (kind, "device")
        np.testing.assert_array_equal(y, 2 * np.arange(4))
        np.testing.assert_array_equal(jax.jit(lambda y: jax.device_put(y, jax.memory.Space.Device) + 1)(y), 2 * np.arange(4) + 1)


@test
def sharded_arrays_on_the_host():
    mesh = jax.make_mesh((2,), ("x",), devices=jax.devices()[:2])
    there = NamedSharding(mesh, PartitionSpec("x"), memory_kind="pinned_host")
    x = jax.jit(lambda x: x + 1, out_shardings=there)(np.arange(4, dtype=np.float32))
    assert x.sharding == there and {part.data.sharding.memory_kind for part in x.addressable_shards} == {"pinned_host"}
    np.testing.assert_array_equal(x, np.arange(4) + 1)


@test
def a_program_kept_with_its_memories():
    from jax.experimental.serialize_executable import deserialize_and_load, serialize

    there = SingleDeviceSharding(device, memory_kind="pinned_host")
    compiled = jax.jit(lambda x: x * 2, out_shardings=there).lower(jnp.float32(1)).compile()
    loaded = deserialize_and_load(*serialize(compiled), execution_devices=[device])
    assert loaded(jnp.float32(3)).sharding.memory_kind == "pinned_host"


@test
def residuals_on_the_host():
    policy = jax.checkpoint_policies.save_and_offload_only_these_names(
        names_which_can_be_saved=[], names_which_can_be_offloaded=["z"], offload_src="device", offload_dst="pinned_host")

    def step(c, _):
        return checkpoint_name(jnp.sin(c), "z"), None

    def f(x):
        return jax.lax.scan(jax.remat(step, policy=policy), x, None, length=3)[0].sum()

    np.testing.assert_allclose(jax.jit(jax.grad(f))(jnp.ones(4)), jax.grad(lambda x: jnp.sin(jnp.sin(jnp.sin(x))).sum())(jnp.ones(4)),
                               rtol=1e-5)


@test
def donated_twice():
    twice = jax.jit(lambda x, y: (x + 1, y + 1), donate_argnums=(0, 1))
    first = jax.jit(lambda x, y: (x + 1, y + 1), donate_argnums=0)
    x = jnp.ones(4)
    assert "donate the same buffer twice" in message(twice, x, x)
    assert "was previously donated in the same call" in message(first, x, x)
    np.testing.assert_array_equal(x, 1)  # it was not taken
    np.testing.assert_array_equal(first(x, jnp.ones(4))[0], 2)
    assert "has been deleted" in message(first, x, jnp.ones(4))
    many = [jnp.full(2, i, jnp.float32) for i in range(70)]
    all_of_them = jax.jit(lambda *xs: [x + 1 for x in xs], donate_argnums=tuple(range(70)))
    assert "donate the same buffer twice" in message(all_of_them, *many[:69], many[3])
    np.testing.assert_array_equal(all_of_them(*many)[69], 70)


@test
def options_of_compilers():
    lowered = jax.jit(lambda x: x + 1).lower(1.0)
    assert "No such compile option: 'swift'" in message(lambda: lowered.compile(compiler_options={"swift": True}))
    assert "'perhaps' is not a valid bool value" in message(
        lambda: lowered.compile(compiler_options={"xla_embed_ir_in_executable": "perhaps"}))
    assert lowered.compile(compiler_options={"xla_embed_ir_in_executable": True})(2.0) == 3


@test
def costs_before_compiling():
    assert jax.jit(lambda x: x @ x).lower(jnp.ones((8, 8))).cost_analysis()["flops"] >= 2 * 8**3 - 8**2


@test
def compiling_for_other_devices():
    from jax.experimental import topologies

    topology = topologies.get_topology_desc(platform=device.platform, topology_name="", device_count=16)
    mesh = topologies.make_mesh(topology, (16,), ("x",))
    x = jax.ShapeDtypeStruct((32,), np.float32, sharding=NamedSharding(mesh, PartitionSpec("x")))
    compiled = jax.jit(lambda x: jnp.sin(x)).lower(x).compile()
    assert len(topology.devices) == 16 and compiled.cost_analysis()["transcendentals"] == 32
    assert compiled.memory_analysis().argument_size_in_bytes == 2 * 4


@test
def functions_that_write_into_buffers():
    from jax.experimental.buffer_callback import ExecutionStage, buffer_callback

    seen = []

    def add(context, out, x, y):
        seen.append((context.stage, out.shape, str(x.dtype), out.writeable, x.writeable))
        np.asarray(out)[...] += np.asarray(x) + np.from_dlpack(y)

    def refuse(context, out, x):
        raise ValueError("not today")

    like = jax.ShapeDtypeStruct((3,), np.float32)
    x = jnp.arange(3.0)
    y = jax.jit(buffer_callback(add, like, input_output_aliases={0: 0}))(x, x + 1)
    np.testing.assert_array_equal(y, [1, 4, 7])
    assert seen == [(ExecutionStage.EXECUTE, (3,), "float32", True, False)]
    assert "not today" in message(lambda: buffer_callback(refuse, like)(x).block_until_ready())
    assert "must not return any values" in message(
        lambda: buffer_callback(lambda context, out, x: 1, like)(x).block_until_ready())


@test
def arrays_are_read_beside_a_function():
    asked = threading.Event()
    like = jax.ShapeDtypeStruct((), np.float32)
    y = jax.jit(lambda x: jax.pure_callback(lambda x: (asked.wait(), x)[1], like, x))(np.float32(5))
    arrays = [jax.device_put(np.float32(i)) for i in range(50)]
    for x in arrays:  # which holds Python's lock
        x.copy_to_host_async()
    asked.set()
    assert [float(x) for x in arrays] == list(range(50)) and float(y) == 5


@test
def functions_that_read_arrays():
    array = jax.device_put(np.arange(3, dtype=np.float32))
    like = jax.ShapeDtypeStruct((3,), np.float32)
    put = jax.jit(lambda x: jax.pure_callback(lambda x: np.asarray(x) + np.asarray(array) + np.asarray(jax.device_put(array)), like, x))
    np.testing.assert_array_equal(put(np.ones(3, np.float32)), [1, 3, 5])
    for _ in range(3):
        np.testing.assert_array_equal(put(np.ones(3, np.float32)), [1, 3, 5])


@test
def functions_that_run_programs():
    array = jax.device_put(np.arange(3, dtype=np.float32), device)
    inner = jax.jit(lambda x: jnp.cumsum(x) * 2)
    like = jax.ShapeDtypeStruct((3,), np.float32)
    outer = jax.jit(lambda x: jnp.cumsum(x) + jax.pure_callback(lambda x: np.asarray(inner(array)) + np.asarray(x), like, x))
    for _ in range(5):  # some of which are known to be short
        np.testing.assert_array_equal(outer(np.ones(3, np.float32)), [2, 5, 10])


@test
def functions_that_give_something_else():
    like = jax.ShapeDtypeStruct((), np.float32)
    for given, said in ((np.ones(3, np.float32), "Incorrect output shape"), (np.int32(1), "Incorrect output dtype"),
                        ((np.float32(1), np.float32(1)), "Mismatched number of outputs")):
        assert said in message(lambda: jax.jit(lambda x: jax.pure_callback(lambda _: given, like, x))(1.0).block_until_ready())


@test
def functions_that_say_how_they_are_partitioned():
    from jax.experimental.custom_partitioning import custom_partitioning

    @custom_partitioning
    def double(x):
        return 2 * x

    double.def_partition(partition=lambda mesh, arguments, result: (mesh, lambda x: 2 * x, result.sharding, (arguments[0].sharding,)),
                         infer_sharding_from_operands=lambda mesh, arguments, result: arguments[0].sharding,
                         sharding_rule="i -> i")
    mesh = jax.make_mesh((2,), ("x",), devices=jax.devices()[:2])
    x = jax.device_put(np.arange(4.0, dtype=np.float32), NamedSharding(mesh, PartitionSpec("x")))
    y = jax.jit(double)(x)
    np.testing.assert_array_equal(y, 2 * np.arange(4))
    assert y.sharding.is_equivalent_to(x.sharding, 1)


@test
def texts_say_where_from():
    text = jax.jit(lambda a: jnp.sin(a) @ a).lower(jnp.ones((4, 4))).compile().as_text()
    assert 'op_name="jit(<lambda>)/sin"' in text and "features.py" in text, text


@test
def texts_of_what_xla_lacks():
    x = np.linspace(0.1, 0.9, 8, dtype=np.float32)
    for function in (jax.lax.erf, lambda x: jax.lax.top_k(x, 3), jnp.fft.fft, lambda x: jax.lax.complex(x, x) * 2):
        assert "ENTRY" in jax.jit(function).lower(x).compile().as_text()


@test
def texts_of_large_constants():
    constant = np.arange(5_000_000, dtype=np.float32)
    compiled = jax.jit(lambda x: (constant * x).max()).lower(2.0).compile()
    assert compiled(2.0) == 2 * 4_999_999
    assert compiled.cost_analysis()["flops"] >= constant.size
    assert 'op_name="jit(<lambda>)/mul"' in compiled.as_text()


@test
def layouts():
    there = SingleDeviceSharding(device)
    orders = list(itertools.permutations(range(3)))
    a = np.random.default_rng(0).standard_normal((2, 3, 4)).astype(np.float32)

    def lie_in(order):
        return Format(Layout(order), there)

    for order in orders:
        x = jax.device_put(a, lie_in(order))
        assert x.format.layout.major_to_minor == order
        np.testing.assert_array_equal(x, a)
        if device.platform != "xlac_vulkan":  # the memory itself
            assert np.asarray(x).strides == a.transpose(order).copy().transpose(np.argsort(order)).strides
            np.testing.assert_array_equal(np.from_dlpack(x), a)
        for other in orders[::2]:
            y = jax.jit(lambda x: jnp.cumsum(x, 1) + x[0], out_shardings=lie_in(other))(x)
            assert y.format.layout.major_to_minor == other
            np.testing.assert_allclose(y, np.cumsum(a, 1) + a[0], rtol=1e-5)
    last = lie_in(orders[-1])
    double = jax.jit(lambda x: 2 * x, in_shardings=last, out_shardings=last, donate_argnums=0)
    compiled = double.lower(jax.ShapeDtypeStruct(a.shape, a.dtype)).compile()
    (taken,), _ = compiled.input_formats
    assert taken.layout.major_to_minor == compiled.output_formats.layout.major_to_minor == orders[-1]
    assert "input layouts that disagree" in message(compiled, jax.device_put(a, lie_in(orders[0])))
    x = jax.device_put(a, last)
    y = double(x)
    assert x.is_deleted() and y.format.layout.major_to_minor == orders[-1]
    np.testing.assert_array_equal(y, 2 * a)
    assert (y + 1).format.layout.major_to_minor == (0, 1, 2)
    auto = Format(Layout.AUTO)
    moved = jax.jit(lambda x: (x.transpose(1, 2, 0), 2 * jnp.cos(x.T).astype(jnp.float16), x + 1), in_shardings=auto, out_shardings=auto)
    compiled = moved.lower(jax.ShapeDtypeStruct(a.shape, a.dtype)).compile()
    assert [f.layout.major_to_minor for f in compiled.input_formats[0]] == [(0, 1, 2)]
    assert [f.layout.major_to_minor for f in compiled.output_formats] == [(2, 0, 1), (2, 1, 0), (0, 1, 2)]
    for got, wanted in zip(compiled(a), (a.transpose(1, 2, 0), 2 * np.cos(a.T), a + 1)):
        np.testing.assert_allclose(got, wanted, rtol=1e-3)
    back = jax.jit(jnp.transpose, in_shardings=last, out_shardings=auto)(jax.device_put(a, last))
    assert back.format.layout.major_to_minor == tuple(2 - d for d in orders[-1])
    np.testing.assert_array_equal(back, a.T)


@test
def layouts_on_several_devices():
    mesh = jax.make_mesh((2, 2), ("x", "y"), devices=jax.devices()[:4])
    a = np.random.default_rng(0).standard_normal((4, 6, 2)).astype(np.float32)
    orders = list(itertools.permutations(range(3)))
    for k, spec in enumerate((("x",), (None, "y"), (), (("x", "y"), None, None), ("y", None, "x"))):
        lie_in = lambda order, spec=spec: Format(Layout(order), NamedSharding(mesh, PartitionSpec(*spec)))
        x = jax.device_put(a, lie_in(orders[k + 1]))
        assert x.format.layout.major_to_minor == orders[k + 1]
        np.testing.assert_array_equal(x, a)
        for shard in x.addressable_shards:
            np.testing.assert_array_equal(shard.data, a[shard.index])
        twice = jax.jit(lambda x: (x + jnp.cos(x), x), out_shardings=(lie_in(orders[k]), lie_in(orders[0])), donate_argnums=0)
        y, z = twice(x)
        assert x.is_deleted()
        assert [w.format.layout.major_to_minor for w in (y, z)] == [orders[k], orders[0]]
        np.testing.assert_allclose(y, a + np.cos(a), rtol=1e-5)
        np.testing.assert_array_equal(z, a)


@test
def keys_on_several_devices():
    there = NamedSharding(Mesh(np.array(jax.devices()[:2]), "x"), PartitionSpec("x"))
    keys = jax.device_put(jax.random.split(jax.random.key(0), 4), there)
    folded = jax.jit(jax.vmap(lambda key: jax.random.fold_in(key, 7)))(keys)
    assert folded.sharding == jax.jit(lambda keys: keys)(keys).sharding == there
    assert {part.data.shape for part in folded.addressable_shards} == {(2,)}
    alone = jax.random.split(jax.random.key(0), 4)
    np.testing.assert_array_equal(np.asarray(jax.random.key_data(folded))[3], jax.random.key_data(jax.random.fold_in(alone[3], 7)))


@test
def programs_say_how_arrays_lie():
    seen = []

    def look(x, as_=seen.append):
        jax.debug.inspect_array_sharding(x, callback=as_)
        return x

    def program(x):
        y = look(jax.jit(lambda x: look(x + 1).T)(x))
        look(jnp.sum(y))
        jax.lax.cond(x[0, 0] > 0, look, lambda x: x, x)
        return jax.shard_map(look, mesh=mesh, in_specs=PartitionSpec("x"), out_specs=PartitionSpec("x"))(y)

    mesh = Mesh(np.array(jax.devices()[:2]), "x")
    x = jax.device_put(np.ones((4, 6), np.float32), NamedSharding(mesh, PartitionSpec("x")))
    compiled = jax.jit(program).lower(x).compile()
    P = PartitionSpec  # of x + 1, y, the sum, x, and a part
    assert [lies.spec for lies in seen] == [P("x"), P(None, "x"), P(), P("x"), P()], seen
    np.testing.assert_array_equal(compiled(x), np.full((6, 4), 2))
    assert len(seen) == 5

    def refuse(lies):
        raise ValueError(f"{lies.spec} will not do")

    assert "ValueError: P('x',) will not do" in message(jax.jit(lambda x: look(x, refuse)), x)
    seen.clear()
    jax.jit(look)(np.ones(3, np.float32))
    assert len(seen) == 1 and seen[0].is_fully_replicated


@test
def sparse_systems():
    from jax.experimental.sparse import BCSR, CSR
    from jax.experimental.sparse.linalg import spsolve

    matrix = np.array([[2, 0, 1], [0, 3, 0], [0, 1, 4]], np.float32)
    sparse = CSR.fromdense(matrix)
    solve = jax.jit(lambda b: spsolve(sparse.data, sparse.indices, sparse.indptr, b))
    np.testing.assert_allclose(solve(jnp.ones(3)), np.linalg.solve(matrix, np.ones(3)), rtol=1e-5)
    multiply = jax.jit(lambda a, b: a @ b)
    np.testing.assert_array_equal(multiply(BCSR.fromdense(matrix), np.float32([1, 2, 3])), [5, 6, 14])


failed = 0
for function in tests:
    try:
        function()
    except Exception:
        failed += 1
        print(f"{function.__name__}: {traceback.format_exc()}")
print(f"{len(tests) - failed} passed, {failed} failed on {device.platform}")
