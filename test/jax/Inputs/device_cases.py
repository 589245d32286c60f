# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of 8 devices: functions that run on those that they are given, and give what they computed there."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P, reshard

x8 = np.arange(64, dtype=np.float32).reshape(8, 8) / 7 - 3
w8 = np.cos(np.arange(64, dtype=np.float32)).reshape(8, 8)
cases = {}


def case(function):
    cases[function.__name__] = function
    return function


def mesh_of(devices, shape, names):
    return Mesh(np.array(devices).reshape(shape), names)


def local(devices, body, ins, outs, *args, shape=(2, 4), check_vma=False, **rest):
    mesh = mesh_of(devices, shape, ("x", "y"))
    return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=ins, out_specs=outs, check_vma=check_vma, **rest))(*args)


@case
def sharded_in_and_out(devices):
    mesh = mesh_of(devices, (2, 4), ("x", "y"))
    put = lambda a, *spec: jax.device_put(a, NamedSharding(mesh, P(*spec)))
    f = jax.jit(lambda a, b: jnp.tanh(a @ b) + 1, out_shardings=NamedSharding(mesh, P(("x", "y"))))
    return [f(put(x8, *a), put(w8, *b)) for a, b in ((("x", "y"), ("y", "x")), ((None, "x"), ()), ((("y", "x"),), (None, "y")))]


@case
def outputs_follow(devices):
    mesh = mesh_of(devices, (2, 4), ("x", "y"))
    a = jax.device_put(x8, NamedSharding(mesh, P("x", "y")))
    return [jax.jit(lambda a: a * 2)(a), jax.jit(lambda a: a.T)(a), jax.jit(lambda a: a.sum(0))(a), jax.jit(lambda a: a[:, None])(a)]


@case
def axes_divide(devices):
    """What all axes cannot cut, the first ones do that can."""
    results = []
    for shape in ((2, 4), (4, 2)):
        mesh = mesh_of(devices, shape, ("x", "y"))
        for spec in (P(("x", "y")), P(("y", "x"))):
            for n in (2, 3, 4, 6, 12, 20):
                a = jax.device_put(np.arange(8 * n, dtype=np.float32), NamedSharding(mesh, spec))
                results.append(jax.jit(lambda a: jnp.sin(a)[:n])(a))
    return results


@case
def arguments_follow(devices):
    """Arguments of which nothing is said when a program is compiled lie as it wants them."""
    mesh, line = mesh_of(devices, (2, 4), ("x", "y")), mesh_of(devices, (8,), ("z",))
    constrain = lambda a, *spec: lax.with_sharding_constraint(a, NamedSharding(mesh, P(*spec)))
    rows, columns = (jax.shard_map(lambda a: a * 2, mesh=line, in_specs=s, out_specs=s) for s in (P("z"), P(None, "z")))
    said = jax.ShapeDtypeStruct(x8.shape, x8.dtype, sharding=NamedSharding(mesh, P("x")))
    open_ = jax.ShapeDtypeStruct(x8.shape, x8.dtype)
    loop = lambda a: lax.fori_loop(0, 3, lambda i, c: jnp.cos(c), a)
    results = []
    for f, *args in (
        (rows, open_),
        (lambda a: columns(jnp.sin(a) + 1), open_),
        (lambda a: rows(a) + columns(a), open_),
        (lambda a: rows(a.T), open_),
        (lambda a: constrain(a, "x", "y") * 2, open_),
        (lambda a: constrain(jnp.tanh(a) - 1, None, ("y", "x")), open_),
        (lambda a, b: a + b, open_, said),
        (lambda a: constrain(loop(a), "y"), open_),
        (lambda a: constrain(jax.jit(jnp.exp)(a), "y", "x"), open_),
        (lambda a: a[:3], open_),
    ):
        compiled = jax.jit(f).lower(*args).compile()
        arrays = [jax.device_put(x8, s) for s in compiled.input_shardings[0]]
        results += [*arrays, compiled(*arrays)]
    f = jax.jit(lambda a: a * 3, out_shardings=NamedSharding(mesh, P("y", "x"))).lower(open_).compile()
    a = jax.device_put(x8, f.input_shardings[0][0])
    return [*results, a, f(a)]


@case
def constraint(devices):
    mesh = mesh_of(devices, (4, 2), ("x", "y"))
    f = jax.jit(lambda a: lax.with_sharding_constraint(a @ a, NamedSharding(mesh, P(None, "x"))), in_shardings=NamedSharding(mesh, P("y")))
    return f(x8)


@case
def order_of_devices(devices):
    mesh = mesh_of(devices[::-1], (8,), ("x",))
    a = jax.device_put(x8, NamedSharding(mesh, P("x")))
    return jax.jit(lambda a: jnp.sin(a) + a.sum())(a)


@case
def some_devices(devices):
    mesh = mesh_of([devices[6], devices[3]], (2,), ("x",))
    return jax.jit(lambda a: jnp.cumsum(a, 1), in_shardings=NamedSharding(mesh, P("x")), out_shardings=NamedSharding(mesh, P(None, "x")))(x8)


@case
def sums(devices):
    return [local(devices, lambda a: (lax.psum(a, "x"), lax.pmax(a, "y"), lax.pmin(a, ("x", "y")), lax.pmean(a, "y")), P("x", "y"),
                  (P(None, "y"), P("x"), P(), P("x")), x8)]


@case
def gathers(devices):
    return local(devices, lambda a: (lax.all_gather(a, "y"), lax.all_gather(a, "x", axis=1, tiled=True), lax.psum_scatter(a, "y", scatter_dimension=0, tiled=True)),
                 P("x", None), (P("x", None, None), P("y"), P(("x", "y"))), x8)


@case
def exchanges(devices):
    return local(devices, lambda a: (lax.all_to_all(a, "y", 1, 0, tiled=True), lax.ppermute(a, "y", [(0, 1), (1, 2), (3, 0)]), lax.pshuffle(a, "x", [1, 0])),
                 P("x", None), (P(None, "y"), P("x", "y"), P("x")), x8)


@case
def ragged_exchange(devices):
    rows, out_rows, k = 12, 20, 2  # k pieces for each of the others
    results = []
    for shape, axis, n in (((8,), "x", 8), ((2, 4), "y", 4)):
        rng = np.random.default_rng(n)
        sizes = rng.integers(0, 3, (8, n * k), np.int32)
        sizes = np.minimum(sizes, np.maximum(0, rows - np.cumsum(sizes, 1) + sizes))
        starts = np.cumsum(sizes, 1, dtype=np.int32) - sizes
        group = np.arange(8).reshape(-1, n)
        places, sums = np.zeros((8, n * k), np.int32), np.zeros(8, np.int32)
        for members in group:
            for sender in members:
                for e in range(n * k):
                    to = members[e // k]
                    sizes[sender, e] = min(sizes[sender, e], out_rows - sums[to])
                    places[sender, e], sums[to] = sums[to], sums[to] + sizes[sender, e]
        taken = np.stack([np.stack([sizes[members[e // k], np.flatnonzero(members == d)[0] * k + e % k] for e in range(n * k)])
                          for members in group for d in members])
        a, b = rng.random((8, rows, 3), np.float32), rng.random((8, out_rows, 3), np.float32)
        if devices[0].platform == "cpu":  # XLA's has not got it
            wanted = b.copy()
            for members in group:
                for sender in members:
                    for e in range(n * k):
                        part = slice(places[sender, e], places[sender, e] + sizes[sender, e])
                        wanted[members[e // k], part] = a[sender, starts[sender, e]:starts[sender, e] + sizes[sender, e]]
            results.append(wanted)
            continue
        mesh = mesh_of(devices, shape, ("x", "y")[:len(shape)])
        body = lambda *v: lax.ragged_all_to_all(*(u[0] for u in v), axis_name=axis)[None]
        spec = P(("x", "y")[:len(shape)])
        results.append(jax.jit(jax.shard_map(body, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=False))(a, b, starts, sizes, places, taken))
    return results


@case
def numbers(devices):
    return local(devices, lambda a: a + 10 * lax.axis_index("x") + lax.axis_index("y") + 100 * lax.axis_index(("y", "x")), P("x", "y"), P("x", "y"), x8)


@case
def partly_manual(devices):
    return local(devices, lambda a: lax.psum(a, "y") * (1 + lax.axis_index("y")), P(None, "y"), P(None, "y"), x8, axis_names={"y"})


@case
def around(devices):
    mesh = mesh_of(devices, (2, 4), ("x", "y"))
    inner = jax.shard_map(lambda a: lax.psum(a, "x") * 2, mesh=mesh, in_specs=P("x", "y"), out_specs=P(None, "y"))
    return jax.jit(lambda a: jnp.sort(inner(jnp.sin(a) @ a) + 1, axis=1))(x8)


@case
def loop(devices):
    def body(a):
        step = lambda i, c: (lax.ppermute(c[0], "y", [(k, (k + 1) % 4) for k in range(4)]), c[1] + c[0] * (i + 1))
        return lax.fori_loop(0, 4, step, (a, jnp.zeros_like(a)))[1]
    return local(devices, body, P("x", "y"), P("x", "y"), x8)


@case
def loop_of_other_lengths(devices):
    def body(a):
        n = lax.axis_index("x") * 2 + 1  # devices that add up go on together
        return lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] + lax.psum(c[1], "y") / 8), (0, a))[1]
    return local(devices, body, P("x", "y"), P("x", "y"), x8)


@case
def branches(devices):
    def body(a):
        together = lax.cond(a.shape[0] > 3, lambda a: lax.psum(a, "x"), lambda a: a, a)
        return lax.switch(lax.axis_index("x"), [lambda a: lax.psum(a, "y"), lambda a: lax.pmax(a, "y") * 2], a) + together
    return local(devices, body, P("x", "y"), P("x", "y"), x8)


@case
def gradient(devices):
    mesh = mesh_of(devices, (2, 4), ("x", "y"))
    def loss(w, a):
        f = jax.shard_map(lambda w, a: lax.pmean(jnp.sum(jnp.tanh(a @ w) ** 2), ("x", "y")), mesh=mesh, in_specs=(P(), P(("x", "y"))), out_specs=P())
        return f(w, a)
    return jax.jit(jax.value_and_grad(loss))(w8, x8)


@case
def pmap(devices):
    f = jax.pmap(lambda a: (lax.psum(a, "i"), a * lax.axis_index("i"), lax.all_gather(a, "i")), axis_name="i", devices=devices)
    return f(x8)


@case
def donation(devices):
    sharding = NamedSharding(mesh_of(devices, (8,), ("x",)), P("x"))
    a = jax.device_put(x8 + 0, sharding)
    f = jax.jit(lambda a: a * 2 + 1, donate_argnums=0, out_shardings=sharding)
    results = [np.asarray(a)]
    for _ in range(3):
        b, a = a, f(a)
        assert b.is_deleted()
    return results + [a]


@case
def donation_in_place(devices):
    sharding = NamedSharding(mesh_of(devices, (8,), ("x",)), P("x"))
    places = lambda a: {shard.data.unsafe_buffer_pointer() for shard in a.addressable_shards}
    step, results = jax.jit(lambda a: a * 2 + 1, donate_argnums=0, out_shardings=sharding), []
    a = jax.device_put(np.tile(x8, (8, 64)), sharding)
    for i in range(4):
        jax.block_until_ready(a)
        before, a = places(a) if devices[0].platform == "xlac" else None, step(a)
        # The first arrays may be numpy's, which nobody writes; XLA's need not be so.
        assert not i or before is None or places(a) == before
    kept = np.asarray(a.addressable_shards[5].data)  # is not written while it is seen
    copy = kept.copy()
    later = jax.jit(lambda v: v.sum() + jnp.linalg.det(v[:8, :8]))(a.addressable_shards[3].data)  # may be read on the way
    a = step(a)
    assert (kept == copy).all()
    return [a, later]


@case
def types(devices):
    mesh = mesh_of(devices, (8,), ("x",))
    results = []
    for dtype in (np.int8, np.uint16, np.int32, bool, np.float16, jnp.bfloat16, np.complex64):
        a = jax.device_put((np.arange(16) % 5).astype(dtype), NamedSharding(mesh, P("x")))
        f = lambda a: (lax.ppermute(a, "x", [(0, 7), (3, 4)]), lax.all_gather(a, "x"), lax.psum(a, "x"))
        results.append(jax.jit(jax.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False))(a))
    return results


@case
def empty(devices):
    mesh = mesh_of(devices, (8,), ("x",))
    a = jax.device_put(np.zeros((8, 0), np.float32), NamedSharding(mesh, P("x")))
    return jax.jit(jax.shard_map(lambda a: (a + 1, lax.psum(a.sum(), "x")), mesh=mesh, in_specs=P("x"), out_specs=(P("x"), P())))(a)


@case
def between_devices(devices):
    a = jax.device_put(x8, devices[3])
    b = jax.device_put(a * 2, devices[5])
    mesh = mesh_of(devices, (8,), ("x",))
    return [b, jax.device_put(b, NamedSharding(mesh, P("x"))), jax.device_put(jax.device_put(b, NamedSharding(mesh, P(None, "x"))), devices[1])]


@case
def uneven(devices):
    mesh, line = mesh_of(devices, (2, 4), ("x", "y")), mesh_of(devices, (8,), ("x",))
    cut = lambda a, *spec: lax.with_sharding_constraint(a, NamedSharding(line if spec == ("x",) else mesh, P(*spec)))
    a, b = x8.ravel()[:10], x8[:6, :5]
    return [jax.jit(f)(v) for f, v in (
        (lambda a: cut(a * 2, "x"), a), (lambda a: cut(a * 2, "x").sum(), a), (lambda a: cut(cut(a * 2, "x") + 1, None), a),
        (lambda a: jnp.concatenate([cut(a, "x"), a]), a), (lambda b: cut(b @ b.T, "x", "y") + 0, b),
        (lambda b: jnp.sort(cut(b, None, ("x", "y")), 0), b), (lambda b: cut(b, "y", "x").T @ b, b))]


@case
def slices_follow(devices):
    mesh = mesh_of(devices, (2, 4), ("x", "y"))
    put = lambda *spec: jax.device_put(x8, NamedSharding(mesh, P(*spec)))
    a, b, c = put("x", "y"), put("x"), put(None, "y")
    one = [jax.jit(f)(a) for f in (
        lambda a: a[0], lambda a: a[:, 2:6], lambda a: a[:4], lambda a: a[:3], lambda a: a[::2], lambda a: a[jnp.array([1, 3, 5, 6])],
        lambda a: lax.dynamic_slice(a, (a[0, 0].astype(int), 0), (2, 8)), lambda a: lax.dynamic_slice(a, (3, 1), (2, 4)), lambda a: jnp.pad(a, ((0, 0), (1, 1))), lambda a: jnp.split(a, 2),
        lambda a: jnp.stack([a, a * 2]), lambda a: jnp.concatenate([a, a], 1), lambda a: jnp.fft.rfft(a).real,
        lambda a: lax.reduce_window(a, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID"))]
    return one + [a[0], a[2:4], a[::2], jax.jit(lambda b, c: b + c)(b, c)]


@case
def shapes_follow(devices):
    a = jax.device_put(x8, NamedSharding(mesh_of(devices, (2, 4), ("x", "y")), P("x", "y")))
    b = jax.device_put(x8, NamedSharding(mesh_of(devices, (8,), ("x",)), P("x")))
    return [jax.jit(lambda v, s=s: v.reshape(s))(v) for v in (a, b) for s in ((16, 4), (2, 4, 2, 4), (64,), (8, 2, 4), (8, 1, 8), (4, 16))]


@case
def places_follow(devices):
    mesh = mesh_of(devices, (2, 4), ("x", "y"))
    put = lambda a, *spec: jax.device_put(a, NamedSharding(mesh, P(*spec)))
    rows, order = np.arange(8, dtype=np.int32) % 5, np.argsort(w8, 1).astype(np.int32)
    results = []
    for spec in ((), ("x",), (None, "y"), ("x", "y")):
        a, whole, i = put(x8, *spec), put(w8), put(rows)
        results += [jax.jit(f)(a, whole, i) for f in (
            lambda a, b, i: a.at[i].set(b), lambda a, b, i: a.at[i].add(b), lambda a, b, i: b.at[i].add(a), lambda a, b, i: b.at[:, i].add(a),
            lambda a, b, i: jax.ops.segment_sum(a, i, num_segments=8), lambda a, b, i: a[i], lambda a, b, i: jax.grad(lambda a: (a[i] ** 2).sum())(a))]
        results += [jax.jit(f)(a, put(order)) for f in (
            lambda a, o: jnp.take_along_axis(a, o, 1), lambda a, o: jnp.take_along_axis(a, o, 0), lambda a, o: lax.top_k(a, 4))]
        results += [jax.jit(lambda b, i: b[i])(whole, put(rows, *spec[:1])), jax.jit(lambda b, o: jnp.take_along_axis(b, o, 1))(whole, put(order, *spec))]
    return results


@case
def of_different_operands(devices):
    mesh = mesh_of(devices, (4, 2), ("x", "y"))
    put = lambda a, *spec: jax.device_put(a, NamedSharding(mesh, P(*spec)))
    pairs = [((("x",),), ("x",)), ((("x",),), (("x", "y"),)), (("y",), (("x", "y"),)), (("x",), ("y",)), (("x",), (None, "x")), ((None, "x"), ("x",)),
             (("x", "y"), (None, "x")), (("x", "y"), ("y", "x")), (("x",), (None, "y")), (("x",), (None, ("x", "y"))), ((), ("y",))]
    return [jax.jit(f)(put(x8, *a), put(w8, *b)) for a, b in pairs for f in (
        lambda a, b: a + b, lambda a, b: b - a, lambda a, b: jnp.where(a > 0, a, b), lambda a, b: jnp.concatenate([a, b], 1), lambda a, b: a @ b,
        lambda a, b: jnp.einsum("ij,kj->ik", a, a), lambda a, b: jnp.einsum("ji,jk->ik", a, b), lambda a, b: jnp.einsum("ij,kj->ik", a[:4], b),
        lambda a, b: jnp.einsum("aij,akj->aik", jnp.ones((8, 2, 4)), b.reshape(8, 2, 4)), lambda a, b: jnp.argsort(a, 0),
        lambda a, b: lax.sort((a, b), num_keys=1), jax.grad(lambda a, b: (jnp.tanh(a @ a) ** 2).sum()))]


@case
def windows_follow(devices):
    mesh = mesh_of(devices, (2, 4), ("x", "y"))
    put = lambda a, *spec: jax.device_put(a, NamedSharding(mesh, P(*spec)))
    image, kernel = np.sin(np.arange(8 * 8 * 8 * 4, dtype=np.float32)).reshape(8, 8, 8, 4), np.cos(np.arange(288, dtype=np.float32)).reshape(3, 3, 4, 8)
    conv = lambda a, k, s=1, pad="VALID": lax.conv_general_dilated(a, k, (s, s), pad, dimension_numbers=("NHWC", "HWIO", "NHWC"))
    square = lambda a, k: (conv(a, k) ** 2).sum()
    forms = (conv, lambda a, k: conv(a, k, 2, "SAME"), lambda a, k: conv(a, k, 1, "SAME"), jax.grad(square, argnums=1), jax.grad(square),
             lambda a, k: lax.conv(jnp.moveaxis(a, 3, 1), jnp.transpose(k, (3, 2, 0, 1)), (1, 1), "SAME"))
    given = [(put(image, *spec), put(kernel)) for spec in (("x",), (None, "y"), ("x", "y"), (None, "x", "y"), (None, None, None, "x"))]
    given += [(put(image, *spec), put(kernel, None, None, *k)) for spec in ((), ("y",)) for k in ((None, "x"), ("x",))]
    # XLA's gradient of kernels is twice what it is where only rows of images are cut.
    return [jax.jit(f)(*pair) for f in forms for i, pair in enumerate(given) if (f, i) != (forms[3], 1)]


@case
def factors_follow(devices):
    mesh = mesh_of(devices, (2, 4), ("x", "y"))
    batch = np.stack([x8 @ x8.T / 8 + (8 + i) * np.eye(8, dtype=np.float32) for i in range(8)])
    solve = lambda a: jax.scipy.linalg.solve_triangular(a, a[..., :4], lower=True)
    return [jax.jit(f)(jax.device_put(batch, NamedSharding(mesh, P(*spec)))) for f in (jnp.linalg.cholesky, solve)
            for spec in (("x",), (None, "y"), ("x", "y"), (None, None, "y"))]


@case
def loops_follow(devices):
    mesh = mesh_of(devices, (2, 4), ("x", "y"))
    a, c = (jax.device_put(x8, NamedSharding(mesh, P(*spec))) for spec in (("x", "y"), (None, "y")))
    norm = lambda a: (a - a.mean(-1, keepdims=True)) / jnp.sqrt(a.var(-1, keepdims=True) + 1e-5)
    return [jax.jit(lambda c: lax.scan(lambda s, v: (s + v, s * v), jnp.zeros(8, jnp.float32), c))(c)] + [jax.jit(f)(a) for f in (
        lambda a: lax.cond(a.sum() > 0, lambda a: a * 2, lambda a: a, a), lambda a: lax.fori_loop(0, 3, lambda i, a: a + 1, a),
        lambda a: lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, jnp.tanh(s[1] @ a)), (0, a))[1], lambda a: lax.map(lambda r: r * 2, a),
        norm, jax.nn.softmax, jax.checkpoint(jnp.sin))]


@case
def partial_sums(devices):
    mesh = jax.make_mesh((2, 4), ("x", "y"), axis_types=(AxisType.Explicit,) * 2, devices=devices)
    put = lambda *spec: jax.device_put(x8, NamedSharding(mesh, P(*spec)))
    partial, parts = P(unreduced={"y"}), lambda a: [np.asarray(shard.data) for shard in a.addressable_shards]
    dot = lambda a, b, of=partial: jnp.einsum("ij,jk->ik", a, b, out_sharding=of)
    with jax.set_mesh(mesh):
        a, b = put(None, "y"), put("y")
        summed = jax.jit(dot)(a, b)
        mapped = jax.jit(jax.shard_map(lambda a: a * 2, in_specs=P(None, "y"), out_specs=partial))(a)
        assert summed.sharding.spec.unreduced == mapped.sharding.spec.unreduced == {"y"}
        return [jax.jit(lambda s: reshard(s, P("x")))(summed), jax.jit(lambda a, b: reshard(dot(a, b) + dot(a, b), P()))(a, b),
                jax.jit(lambda a, b: reshard(dot(a, b, P("x", None, unreduced={"y"})), P("x", "y")))(put("x", "y"), b),
                jax.jit(jax.shard_map(lambda s: lax.psum(s, "y"), in_specs=partial, out_specs=P()))(summed),
                jax.jit(lambda a: reshard(a, P()))(jax.jit(lambda b: lax.reduce_sum(b, [0, 1], out_sharding=P(unreduced={"x", "y"})))(put("x", "y"))),
                jax.jit(lambda m: reshard(m, P()))(mapped), parts(mapped), parts(jax.jit(lambda a: reshard(a, partial))(put()))]


@case
def saved(devices):
    from jax.experimental import serialize_executable
    sharding = NamedSharding(mesh_of(devices, (8,), ("x",)), P("x"))
    compiled = jax.jit(lambda a: a @ a, in_shardings=sharding).lower(x8).compile()
    assert compiled.memory_analysis().argument_size_in_bytes == x8.nbytes // 8
    again = serialize_executable.deserialize_and_load(*serialize_executable.serialize(compiled), backend=devices[0].client, execution_devices=devices)
    return again(jax.device_put(x8, sharding))
