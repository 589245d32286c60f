#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gathers with random dimension numbers, over random bits of every element type; indices are also outside."""
import numpy as np

from elementwise import ALL
from judge import COMPLEX, DTYPES, SIGNED, UNSIGNED, Case, Type, arguments, check, i64s
from movement import data, pick

NOT_YET = "is not lowered"


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
                [data(element, w.operand), w.index_array()], cpu=NOT_YET)


def cases(seed=1):
    rng = np.random.default_rng(seed)
    for n in range(200):
        yield gather(rng, n, n % 4 == 0)


if __name__ == "__main__":
    options = arguments()
    check(cases(options.seed), options)
