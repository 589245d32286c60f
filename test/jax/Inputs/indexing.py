#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gathers and scatters with random dimension numbers, sorts along any dimension, over random bits of every element type. Indices
are also outside and, of scatters, not unique: XLA:CPU applies updates in their order. With --count=0, sorts as jax writes them."""
import jax
import numpy as np

from elementwise import ALL
from judge import COMPLEX, DTYPES, FLOATS, SIGNED, UNSIGNED, Case, Type, arguments, check, i64s
from movement import data, pick


class Windows:
    """Random dimension numbers: an operand, indices, and the array of windows, whose dimensions are those of the batch and
    offsets in any order."""

    def __init__(self, rng, empty):
        least = 0 if empty else 1
        self.rng, rank = rng, int(rng.integers(0, 5))
        self.operand = [int(rng.integers(least, 6)) for _ in range(rank)]
        roles = [str(rng.choice(["offset", "offset", "collapsed", "batching"])) for _ in range(rank)]
        self.batching = [d for d in range(rank) if roles[d] == "batching"]
        self.collapsed = [d for d in range(rank) if roles[d] == "collapsed"]
        self.window = [d for d in range(rank) if roles[d] == "offset"]
        self.sizes = [int(rng.integers(min(least, n), n + 1)) if d in self.window else min(1, n) for d, n in enumerate(self.operand)]
        free = [d for d in range(rank) if d not in self.batching]
        self.start_map = [int(d) for d in rng.permutation(free)[:rng.integers(0, len(free) + 1)]]
        # Batch dimensions of the indices: those of the operand somewhere among others.
        sizes = [(None, int(rng.integers(least, 5))) for _ in range(rng.integers(0, 3))] + [(d, self.operand[d]) for d in self.batching]
        sizes = [sizes[k] for k in rng.permutation(len(sizes))]
        self.batch = [n for _, n in sizes]
        self.vector = int(rng.integers(0, len(sizes) + 1))
        where = {d: k + (k >= self.vector) for k, (d, _) in enumerate(sizes) if d is not None}
        self.indices = self.batch[:self.vector] + [len(self.start_map)] + self.batch[self.vector:]
        if self.vector == len(sizes) and len(self.start_map) == 1 and rng.random() < 0.5:
            self.indices.pop()
        self.index_batching = [where[d] for d in self.batching]
        total = len(self.batch) + len(self.window)
        self.offset = sorted(int(k) for k in rng.permutation(total)[:len(self.window)])
        batch, offset = iter(self.batch), iter(self.window)
        self.windows = [self.sizes[next(offset)] if k in self.offset else next(batch) for k in range(total)]

    def index_array(self):
        """Mostly inside of the operand."""
        kind = pick(self.rng, SIGNED + UNSIGNED)
        wide = self.rng.random() < 0.1
        extreme = np.iinfo(DTYPES[kind])
        low, high = (extreme.min, extreme.max) if wide else (0 if kind in UNSIGNED else -2, 7)
        return self.rng.integers(low, high, self.indices, DTYPES[kind], endpoint=True)


def listed(names):
    """The keys of a structure; empty lists are left out."""
    return ", ".join(f"{k} = {v}" for k, v in names.items() if v != [])


def gather(rng, n, empty):
    w = Windows(rng, empty)
    element = pick(rng, ALL + COMPLEX)
    numbers = listed({"offset_dims": w.offset, "collapsed_slice_dims": w.collapsed, "operand_batching_dims": w.batching,
                      "start_indices_batching_dims": w.index_batching, "start_index_map": w.start_map, "index_vector_dim": w.vector})
    attrs = f"dimension_numbers = #stablehlo.gather<{numbers}>, indices_are_sorted = false, slice_sizes = {i64s(w.sizes)}"
    return Case(f"gather.{n}.{element}", lambda f, x, i: f.op("gather", [x, i], Type(w.windows, x.element), attrs),
                [data(element, w.operand), w.index_array()])


def fused(rng, n):
    """Two gathers of one operand that are added, with values that are computed: one kernel."""
    w = Windows(rng, False)
    element = pick(rng, SIGNED + UNSIGNED + FLOATS)
    numbers = listed({"offset_dims": w.offset, "collapsed_slice_dims": w.collapsed, "operand_batching_dims": w.batching,
                      "start_indices_batching_dims": w.index_batching, "start_index_map": w.start_map, "index_vector_dim": w.vector})
    attrs = f"dimension_numbers = #stablehlo.gather<{numbers}>, indices_are_sorted = false, slice_sizes = {i64s(w.sizes)}"

    def build(f, x, i, j):
        a, b = (f.op("gather", [x, k], Type(w.windows, x.element), attrs) for k in (i, j))
        return [f.same("add", f.same("abs", a) if x.element not in UNSIGNED else a, b), f.same("multiply", b, b)]
    return Case(f"gather.fused.{n}.{element}", build, [data(element, w.operand), w.index_array(), w.index_array()])


def update(rng, element):
    """A computation in which the order of updates counts."""
    if element == "i1":
        return lambda g, old, new: g.same("xor", old, new)
    kind = rng.choice(["replace", "subtract", "keep"])
    if kind == "replace":
        return lambda g, old, new: new
    return lambda g, old, new: g.same("subtract", *((new, old) if kind == "subtract" else (old, new)))


def scatter(rng, n, empty):
    w = Windows(rng, empty)
    while not w.start_map:  # XLA:CPU loses updates, or fails, where indices have no coordinates
        w = Windows(rng, empty)
    element = pick(rng, ["i1", *SIGNED, *UNSIGNED, "f32", "f64"] + COMPLEX)
    numbers = listed({"update_window_dims": w.offset, "inserted_window_dims": w.collapsed, "input_batching_dims": w.batching,
                      "scatter_indices_batching_dims": w.index_batching, "scatter_dims_to_operand_dims": w.start_map,
                      "index_vector_dim": w.vector})
    attrs = f"indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<{numbers}>, unique_indices = false"
    compute, scalar, count = update(rng, element), Type((), element), int(rng.choice([1, 1, 2]))

    def build(f, *operands):
        body = f.region([scalar] * (2 * count), lambda g, *xs: [compute(g, xs[k], xs[count + k]) for k in range(count)])
        results = f.op("scatter", operands, [Type(w.operand, element)] * count, attrs, [body])
        return results
    return Case(f"scatter.{n}.{element}", build, [*(data(element, w.operand, 5 + k) for k in range(count)), w.index_array(),
                                                  *(data(element, w.windows, 9 + k) for k in range(count))])


def compare(g, direction, a, b):
    kind = "TOTALORDER" if a.element in FLOATS else "SIGNED" if a.element in SIGNED else "UNSIGNED"
    return g.op("compare", [a, b], Type((), "i1"), f"comparison_direction = #stablehlo<comparison_direction {direction}>, "
                f"compare_type = #stablehlo<comparison_type {kind}>")


def sort(rng, n):
    """By the first operand, whose values often are equal; the others tell whether the order is stable."""
    shape = [int(rng.integers(0 if n % 5 == 0 else 1, 8)) for _ in range(rng.integers(1, 5))]
    axis = int(rng.integers(len(shape)))
    shape[axis] = int(rng.choice([shape[axis], 1, 2, 70]))
    # Of several sorts of preds in a module XLA:CPU gets some wrong.
    elements = [pick(rng, ALL[1:]), *(pick(rng, ALL + COMPLEX) for _ in range(rng.integers(0, 3)))]
    keys = data(elements[0], shape)
    if rng.random() < 0.7:
        keys = rng.choice(keys.ravel()[:4], shape) if keys.size else keys
    direction = str(rng.choice(["LT", "GT"]))
    attrs = f"dimension = {axis if rng.random() < 0.5 else axis - len(shape)} : i64, is_stable = true"

    def build(f, *operands):
        scalars = [Type((), e) for e in elements for _ in range(2)]
        body = f.region(scalars, lambda g, a, b, *rest: [compare(g, direction, a, b)])
        return f.op("sort", operands, [Type(shape, e) for e in elements], attrs, [body])
    return Case(f"sort.{n}.{elements[0]}", build, [keys, *(data(e, shape, 3 + k) for k, e in enumerate(elements[1:]))])


def jax_sorts():
    """What jax makes of its own functions: values that are equal or not, NaN, along rows."""
    for element in ALL:
        x = data(element, (5, 60))
        yield Case(f"top_k.{element}", lambda x: jax.lax.top_k(x, 7), [x], jax=True)
        yield Case(f"sort.jax.{element}", lambda x: jax.lax.sort(x, dimension=0), [x], jax=True)
        yield Case(f"argsort.jax.{element}", lambda x: jax.numpy.argsort(x, axis=1), [x], jax=True)


def cases(seed=1):
    rng = np.random.default_rng(seed)
    for n in range(200):
        yield gather(rng, n, n % 4 == 0)
    for n in range(100):
        yield fused(rng, n)
    for n in range(200):
        yield scatter(rng, n, n % 4 == 0)
    for n in range(120):
        yield sort(rng, n)


if __name__ == "__main__":
    options = arguments()
    check(jax_sorts() if options.count == 0 else cases(options.seed), options)
