#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tiles.py SEED COUNT [TOOL]: whether tiles of random graphs' fusions (test/lowering/Inputs/dags.py) are what pass xla-tile says.

Of every array, what indexing maps say that the elements of a tile need is counted, tile by tile: it must lie in the tile of the array,
and be all of it where the whole tile is inside. The last line is `N tiles, N wrong`.
"""
import itertools
import os
import re
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "lowering", "Inputs"))
import dags  # noqa: E402 pylint: disable=wrong-import-position

MAX_POINTS = 4000
MAX_TILES = 40


def python(text):
    return re.sub(r"\bmod\b", "%", text.replace("floordiv", "//"))


def split(text):
    """At the commas outside of parentheses."""
    parts, depth, last = [], 0, 0
    for i, c in enumerate(text + ","):
        depth += c in "([" or -(c in ")]")
        if c == "," and depth == 0:
            parts.append((text + ",")[last:i].strip())
            last = i + 1
    return [p for p in parts if p]


class Map:
    """An indexing map; runtime variables have their least value."""

    def __init__(self, text):
        head, domain = text.split(", domain: ") if ", domain: " in text else (text, "")
        left, right = head.split(" -> ")
        self.dims = split(re.search(r"\((.*?)\)", left)[1])
        ranges = re.search(r"\[(.*?)\]", left)
        runtimes = re.search(r"\{(.*?)\}", left)
        self.ranges = split(ranges[1]) if ranges else []
        self.runtimes = split(runtimes[1]) if runtimes else []
        self.bounds, constraints = {}, []
        for part in split(domain):
            name, low, high = re.match(r"(.*) in \[(-?\d+), (-?\d+)\]$", part).groups()
            if name in self.dims + self.ranges + self.runtimes:
                self.bounds[name] = (int(low), int(high))
            else:
                constraints.append(f"{low} <= {python(name)} <= {high}")
        names = ", ".join(self.dims + self.ranges + self.runtimes)
        inner = right.strip()[1:-1]
        self.results = eval(f"lambda {names}: ({python(inner)}{',' if inner else ''})")
        self.holds = eval(f"lambda {names}: {' and '.join(constraints) or 'True'}")
        self.rts = [self.bounds[r][0] for r in self.runtimes]

    def needs(self, dims):
        """Indices that an element needs."""
        if any(not self.bounds[d][0] <= v <= self.bounds[d][1] for d, v in zip(self.dims, dims)):
            return set()
        found = set()
        for s in itertools.product(*(range(self.bounds[r][0], self.bounds[r][1] + 1) for r in self.ranges)):
            if self.holds(*dims, *s, *self.rts):
                found.add(self.results(*dims, *s, *self.rts))
        return found

    def points(self):
        n = 1
        for d in self.dims + self.ranges:
            n *= self.bounds[d][1] - self.bounds[d][0] + 1
        return n


def numbers(text, position, rts):
    """What the tile at `position` takes: a range a dimension."""
    offset, size, stride = re.match(r"\((.*)\) size \((.*?)\)(?: stride \((.*)\))?$", text).groups()
    names = {**{f"p{i}": p for i, p in enumerate(position)}, **{f"rt{i}": r for i, r in enumerate(rts)}}
    offsets = [eval(python(e), {}, names) for e in split(offset)]
    sizes = [int(s) for s in split(size)]
    strides = [int(s) for s in split(stride)] if stride else [1] * len(sizes)
    return [range(o, o + n * k, k) for o, n, k in zip(offsets, sizes, strides)]


def check(mapping, text, sizes, extents):
    """Wrong tiles, and how many were looked at."""
    wrong = tiles = 0
    for position in itertools.islice(itertools.product(*(range(0, e, t) for e, t in zip(extents, sizes))), MAX_TILES):
        elements = [range(p, min(p + t, e)) for p, t, e in zip(position, sizes, extents)]
        is_whole = all(len(r) == t for r, t in zip(elements, sizes))
        needed = [mapping.needs(e) for e in itertools.product(*elements)]
        is_whole = is_whole and all(needed)
        needed = set().union(*needed)
        taken = numbers(text, position, mapping.rts)
        outside = [i for i in needed if not all(k in r for k, r in zip(i, taken))]
        volume = 1
        for r in taken:
            volume *= len(r)
        tiles += 1
        bad = bool(outside) or (is_whole and len(needed) != volume)
        if bad and not wrong:
            print(f"tile {sizes} at {position}: {text}, but {sorted(outside or needed)[:4]} of {len(needed)}")
        wrong += bad
    return wrong, tiles


def lists(line, key):
    """What stands in quotes in the attribute: a list of lists, or None."""
    at = line.find(key + " = [")
    if at < 0:
        return None
    at, depth, found, quoted = at + len(key) + 3, 0, [], False
    for i in range(at, len(line)):
        c = line[i]
        if c == '"':
            quoted = not quoted
            start = i + 1 if quoted else start
            if not quoted:
                found[-1].append(line[start:i])
        elif not quoted:
            depth += (c == "[") - (c == "]")
            if c == "[" and depth == 2:
                found.append([])
            if not depth:
                return found
    return None


def shape_of(line):
    return [int(d) for d in re.search(r"tensor<((?:\d+x)*)\w+>\)?$", line.split(" -> ")[-1].rstrip())[1].split("x")[:-1]]


def check_line(line, root):
    """An operation with a tile of its own, or one in a fusion with `root`'s sizes and extents."""
    wrong = tiles = 0
    for maps_key, tiles_key in [("xla.indexing_from_root", "xla.tile_from_root")] if root else [("xla.indexing", "xla.tile_operands")]:
        sizes, extents = root or (None, None)
        if not root:
            sizes = [int(s) for s in re.search(r"sizes = array<i64(?:: ([^>]*))?>", line)[1].split(", ")]
            extents = shape_of(line)
        maps, texts = lists(line, maps_key), lists(line, tiles_key)
        for of_maps, of_texts in zip(maps or [], texts or []):
            for text, tile in zip(of_maps, of_texts):
                if tile.startswith("no tile") or text == "KNOWN EMPTY":
                    continue
                mapping = Map(text)
                if mapping.points() > MAX_POINTS:
                    continue
                more = check(mapping, tile, sizes, extents)
                wrong, tiles = wrong + more[0], tiles + more[1]
    return wrong, tiles


def main():
    seed, n = int(sys.argv[1]), int(sys.argv[2])
    tool = sys.argv[3] if len(sys.argv) > 3 else "xla-opt"
    wrong = tiles = 0
    for s in range(seed, seed + n):
        text = dags.program([s])[0]
        option = ["--xla-tile=bytes=%d" % (200 * 7 ** (s % 4)), "--xla-tile=sizes=4,8", "--xla-tile=sizes=6", "--xla-tile=sizes=2,3,5"][s % 4]
        done = subprocess.run([tool, "-", "--xla-fuse", "--xla-annotate-indexing", option], input=text, capture_output=True, text=True,
                              check=True)
        inner = []
        for line in done.stdout.splitlines():
            if "xla.tile_from_root = " in line:
                inner.append(line)
            if "xla.tile = {bytes" not in line or " sizes = array<i64>" in line:
                inner = [] if line.lstrip().startswith("})") and "kind = " in line else inner
                continue
            sizes = [int(k) for k in re.search(r"sizes = array<i64: ([^>]*)>", line)[1].split(", ")]
            many = "xla.tile_1" in line
            for each, root in [(line, None)] + [(i, (sizes, shape_of(line))) for i in inner]:
                if not many:
                    more = check_line(each, root)
                    wrong, tiles = wrong + more[0], tiles + more[1]
            if "kind = " in line:
                inner = []
    print(f"{tiles} tiles, {wrong} wrong")
    sys.exit(wrong != 0 or not tiles)


main()
