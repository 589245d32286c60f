# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fusions.py SEED COUNT: a program of random fusions of kind "loop", one a result or more.

Each has a region of a chain of elementwise operations and of all that move data, at any sizes. Fusions take results of
earlier ones, whose memory they may write their own to. All operations are exact, so that every device gives the same bits.
"""
import random
import sys

SIZES = [0, 1, 1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 17, 31, 33, 64, 97, 128, 257]
TYPES = ["f32"] * 6 + ["i32"] * 2 + ["i64", "f64", "f16", "bf16", "i8", "ui8", "ui32", "i16", "i1"]
MAX_ELEMENTS = 12000


def count(dims):
    n = 1
    for d in dims:
        n *= d
    return n


def tensor(dims, element):
    return "tensor<%s%s>" % ("".join("%dx" % d for d in dims), element)


def is_float(element):
    return "f" in element


class Value:
    def __init__(self, name, dims, element):
        self.name, self.dims, self.element = name, list(dims), element

    @property
    def type(self):
        return tensor(self.dims, self.element)


class Fusion:
    """One xla.fusion: `arguments` are the block's, `sources` the results of earlier fusions that some of them get (by
    position), taken from `pool`; `lines` are the region."""

    def __init__(self, rng, n_ops, pool):
        self.rng = rng
        self.sources = {}
        self.arguments, self.lines, self.values = [], [], []
        self.n_names = 0
        self.starts = [self.argument([], rng.choice(["i32", "i64", "ui8", "i8"])) for _ in range(rng.randint(1, 2))]
        rank = rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 4])
        dims = self.dims(rank)
        for _ in range(rng.randint(0, 2) if pool else 0):
            if pool and rng.random() < 0.6:
                source = pool.pop(rng.randrange(len(pool)))
                self.sources[len(self.arguments)] = source
                self.values.append(self.argument(source.dims, source.element))
        for _ in range(rng.randint(0 if self.values else 1, 3)):
            self.values.append(self.argument(dims if rng.random() < 0.6 else self.dims(rank), rng.choice(TYPES)))
        for _ in range(n_ops):
            self.step()
        n_results = rng.choice([1, 1, 1, 2, 3])
        computed = [v for v in self.values if not v.name.startswith("%a")]
        self.results = (computed or self.values)[-1:] + rng.sample(self.values, min(len(self.values), n_results - 1))

    def dims(self, rank):
        while True:
            dims = [self.rng.choice(SIZES) for _ in range(rank)]
            n = count(dims)
            if n <= MAX_ELEMENTS and self.rng.random() < (0.2 if n == 0 else 0.5 if n < 1000 else 1):
                return dims

    def argument(self, dims, element):
        value = Value("%%a%d" % len(self.arguments), dims, element)
        self.arguments.append(value)
        return value

    def emit(self, text, operands, dims, element, attrs=""):
        """Appends an operation and returns its result."""
        value = Value("%%v%d" % self.n_names, dims, element)
        self.n_names += 1
        types = ", ".join(o.type for o in operands)
        names = ", ".join(o.name for o in operands)
        signature = " : (%s) -> %s" % (types, value.type) if operands else " : %s" % value.type
        self.lines.append("%s = xla.%s %s%s%s" % (value.name, text, names, attrs and " {%s}" % attrs, signature))
        return value

    def step(self):
        rng = self.rng
        recent = self.values[-1] if rng.random() < 0.75 else rng.choice(self.values)
        operation = rng.choice([self.unary, self.binary, self.binary, self.broadcast, self.reshape, self.reshape, self.slice,
                                self.slice, self.transpose, self.concatenate, self.concatenate, self.pad, self.pad,
                                self.reverse, self.dynamic_slice, self.gather, self.select])
        value = operation(recent)
        if value is not None and count(value.dims) <= MAX_ELEMENTS and len(value.dims) <= 6:
            self.values.append(value)

    def iota(self, dims, element):
        if element == "i1" or not dims:
            return self.constant(dims, element)
        return self.emit("iota", [], dims, element, "iota_dimension = %d" % self.rng.randrange(len(dims)))

    def constant(self, dims, element):
        text = "true" if element == "i1" else "2.5" if is_float(element) else "3"
        value = Value("%%v%d" % self.n_names, dims, element)
        self.n_names += 1
        if count(dims) == 0:
            text = ""  # dense<>
        self.lines.append("%s = xla.constant dense<%s> : %s" % (value.name, text, value.type))
        return value

    def partner(self, x):
        """A value of the same type: a known one or a new one."""
        same = [v for v in self.values if v.type == x.type]
        if self.rng.random() < 0.7:
            return self.rng.choice(same)
        return self.iota(x.dims, x.element) if self.rng.random() < 0.5 else self.constant(x.dims, x.element)

    def unary(self, x):
        rng = self.rng
        if rng.random() < 0.3:
            to = rng.choice(TYPES)
            if is_float(x.element) and not is_float(to):
                to = "f32" # beyond what integers hold results may differ
            return self.emit("convert", [x], x.dims, to)
        if x.element == "i1":
            return self.emit("not", [x], x.dims, x.element)
        if x.element.startswith("ui"):
            return self.emit("not", [x], x.dims, x.element)
        return self.emit(rng.choice(["negate", "abs"]), [x], x.dims, x.element)

    def binary(self, x):
        y = self.partner(x)
        if x.element == "i1":
            names = ["and", "or", "xor"]
        elif is_float(x.element):
            names = ["add", "subtract", "multiply", "maximum", "minimum"]
        else:
            names = ["add", "subtract", "multiply", "maximum", "minimum", "and", "xor", "divide", "remainder"]
        return self.emit(self.rng.choice(names), [x, y], x.dims, x.element)

    def select(self, x):
        y = self.partner(x)
        p = self.emit("compare", [x, y], x.dims, "i1",
                      "comparison_direction = %s" % self.rng.choice(['"LT"', '"GE"', '"EQ"']))
        return self.emit("select", [p, self.partner(x), x], x.dims, x.element)

    def broadcast(self, x):
        rng = self.rng
        kept = [d for d in x.dims]
        dims, places = [], []
        for d in kept:
            while rng.random() < 0.3:
                dims.append(rng.choice([1, 2, 3, 5]))
            places.append(len(dims))
            dims.append(rng.choice([2, 3, 7]) if d == 1 and rng.random() < 0.5 else d)
        if rng.random() < 0.4 or not dims:
            dims.append(rng.choice([1, 2, 3, 8]))
        return self.emit("broadcast_in_dim", [x], dims, x.element, "broadcast_dimensions = %s" % places)

    def reshape(self, x):
        rng = self.rng
        n = count(x.dims)
        if n == 0:
            dims = [0] + [rng.choice([1, 2, 3]) for _ in range(rng.randint(0, 2))]
        else:
            dims, rest = [], n
            for _ in range(rng.randint(0, 3)):
                d = rng.choice([k for k in range(1, rest + 1) if rest % k == 0])
                dims.append(d)
                rest //= d
            if rest > 1 or (not dims and rng.random() < 0.5):
                dims.append(rest)
            rng.shuffle(dims)
            if rng.random() < 0.2:
                dims.insert(rng.randint(0, len(dims)), 1)
        return self.emit("reshape", [x], dims, x.element)

    def slice(self, x):
        rng = self.rng
        starts, limits, strides, dims = [], [], [], []
        for d in x.dims:
            whole = rng.random() < 0.3
            start = 0 if whole else rng.randint(0, min(d, 9))
            limit = d if whole or rng.random() < 0.4 else rng.randint(start, d)
            stride = 1 if whole or rng.random() < 0.7 else rng.randint(2, 4)
            starts.append(start)
            limits.append(limit)
            strides.append(stride)
            dims.append((limit - start + stride - 1) // stride)
        if count(dims) == 0 and rng.random() < 0.8:
            return None
        return self.emit("slice", [x], dims, x.element,
                         "start_indices = %s, limit_indices = %s, strides = %s" % (starts, limits, strides))

    def transpose(self, x):
        permutation = list(range(len(x.dims)))
        self.rng.shuffle(permutation)
        return self.emit("transpose", [x], [x.dims[p] for p in permutation], x.element, "permutation = %s" % permutation)

    def reverse(self, x):
        dims = [d for d in range(len(x.dims)) if self.rng.random() < 0.6]
        return self.emit("reverse", [x], x.dims, x.element, "dimensions = %s" % dims)

    def concatenate(self, x):
        rng = self.rng
        if not x.dims:
            return None
        d = rng.randrange(len(x.dims))
        fits = [v for v in self.values if v.element == x.element and len(v.dims) == len(x.dims) and
                all(a == b or i == d for i, (a, b) in enumerate(zip(v.dims, x.dims)))]
        operands = [rng.choice(fits) for _ in range(rng.randint(1, 3))]
        if rng.random() < 0.3:
            operands.append(self.iota([rng.choice([0, 1, 2, 9]) if i == d else n for i, n in enumerate(x.dims)], x.element))
        operands.insert(rng.randint(0, len(operands)), x)
        dims = [sum(o.dims[i] for o in operands) if i == d else n for i, n in enumerate(x.dims)]
        return self.emit("concatenate", operands, dims, x.element, "dimension = %d" % d)

    def pad(self, x):
        rng = self.rng
        low, high, interior, dims = [], [], [], []
        for d in x.dims:
            between = rng.choice([0, 0, 0, 0, 1, 2])
            size = d + max(d - 1, 0) * between
            a = rng.choice([0, 0, 1, 2, 5, -1, -2])
            b = rng.choice([0, 0, 1, 3, 7, -1, -3])
            if size + a + b < 0:
                a = b = 0
            low.append(a)
            high.append(b)
            interior.append(between)
            dims.append(size + a + b)
        if count(dims) == 0 and rng.random() < 0.8:
            return None
        scalars = [v for v in self.values if not v.dims and v.element == x.element]
        padding = rng.choice(scalars) if scalars else self.constant([], x.element)
        return self.emit("pad", [x, padding], dims, x.element,
                         "edge_padding_low = %s, edge_padding_high = %s, interior_padding = %s" % (low, high, interior))

    def dynamic_slice(self, x):
        rng = self.rng
        sizes = [d if rng.random() < 0.3 else rng.randint(min(d, 1), d) for d in x.dims]
        start = rng.choice(self.starts)
        starts = [start] * len(x.dims)
        if rng.random() < 0.2:
            doubled = self.emit("add", [start, start], [], start.element)
            starts = [rng.choice([start, doubled]) for _ in x.dims]
        return self.emit("dynamic_slice", [x] + starts, sizes, x.element, "slice_sizes = %s" % sizes)

    def gather(self, x):
        rng = self.rng
        operands = [a for a in self.arguments if a.dims and a.dims[0] and len(a.dims) < 4]
        if not operands or len(x.dims) != 1 or is_float(x.element) or x.element == "i1":
            return None
        operand = rng.choice(operands)
        sizes = [1] + operand.dims[1:]
        attrs = "offset_dims = %s, collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = %s"
        return self.emit("gather", [operand, x], x.dims + operand.dims[1:], operand.element,
                         attrs % (list(range(1, len(operand.dims))), sizes))


def main():
    seed, n = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    parameters, body, pool = [], [], []
    for i in range(n):
        f = Fusion(rng, rng.randint(2, 9), pool)
        names = []
        for k, a in enumerate(f.arguments):
            if k in f.sources:
                names.append(f.sources[k].name)
                continue
            names.append("%%p%d_%d" % (i, k))
            parameters.append("%s: %s" % (names[-1], a.type))
        many = len(f.results) > 1
        body.append("  %%r%d%s = xla.fusion(%s) ({" % (i, ":%d" % len(f.results) if many else "", ", ".join(names)))
        body.append("  ^bb0(%s):" % ", ".join("%s: %s" % (a.name, a.type) for a in f.arguments))
        body += ["    " + line for line in f.lines]
        types = ", ".join(v.type for v in f.results)
        body.append("    xla.return %s : %s" % (", ".join(v.name for v in f.results), types))
        body.append('  }) {kind = "loop"} : (%s) -> (%s)' % (", ".join(a.type for a in f.arguments), types))
        for k, v in enumerate(f.results):
            pool.append(Value("%%r%d%s" % (i, "#%d" % k if many else ""), v.dims, v.element))
    print("func.func @main(%s) -> (%s) {" % (", ".join(parameters), ", ".join(v.type for v in pool)))
    print("\n".join(body))
    print("  return %s : %s\n}" % (", ".join(v.name for v in pool), ", ".join(v.type for v in pool)))


if __name__ == "__main__":
    main()
