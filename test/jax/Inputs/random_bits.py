#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random bits and the states after them: all algorithms, states, element types and shapes, the same bits as XLA's."""
import numpy as np

from judge import UNSIGNED, Case, Type, arguments, check

SHAPES = [(), (0,), (1,), (7,), (3, 5), (3, 4), (5, 2, 3), (1, 1), (2, 0), (9, 3, 1), (3, 1, 5, 2), (1027,)]
LAST = 2**64 - 1
STATES = {"small": [3, 1], "ones": [LAST, LAST], "carry": [LAST - 5, LAST - 1], "wide": [1, LAST - 1, LAST], "wide_small": [9, 2, 5]}


def generator(algorithm, element, shape):
    attrs = f"rng_algorithm = #stablehlo<rng_algorithm {algorithm}>"
    return lambda f, state: f.op("rng_bit_generator", [state], [state, Type(shape, element)], attrs)


def cases():
    for algorithm in ("DEFAULT", "THREE_FRY", "PHILOX"):
        for element in UNSIGNED:
            for n, shape in enumerate(SHAPES):
                names = [name for name, words in STATES.items() if algorithm != "THREE_FRY" or len(words) == 2]
                name = names[n % len(names)]
                yield Case(f"{algorithm}.{element}.{'x'.join(map(str, shape)) or 'scalar'}.{name}", generator(algorithm, element, shape),
                           [np.array(STATES[name], np.uint64)])


if __name__ == "__main__":
    check(cases(), arguments())
