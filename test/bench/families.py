#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times programs of every family of operations beside XLA:CPU and IREE, one after the other in one run."""
import argparse
import contextlib
import fcntl
import json
import os
import re
import subprocess
import sys
import tempfile
import time

# Threads of XLA's LAPACK wait busily for each other: where others work too, matrices of these sizes take them many times as long as one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import jax
import numpy as np

import family_programs

IREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "family_iree.py")
EXAMPLES = """
The table has the least time of a call, with inputs in place, in milliseconds, and the time of the faster peer by ours: above 1 ours is ahead. Results
are compared with XLA's, "!" says that they differ; "^" says that a call overwrites its arguments, which no caller of JAX's gave away. Neither counts
as the faster peer. Programs below --goal are listed at the end, and the exit code is 1 if there are any.

Examples
  python3 test/bench/families.py                                   all, beside XLA:CPU
  python3 test/bench/families.py --iree ~/iree/bin/python          IREE too, from a venv with iree-base-compiler and iree-base-runtime
  python3 test/bench/families.py --only 'sort|fft' --seconds 2     programs and families whose names match
  python3 test/bench/families.py --json times.json
  python3 test/bench/families.py --list
  python3 test/bench/families.py --only 'eigh 64$' --keep /tmp/f   leaves the program and its inputs there
"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", default="build/release/bin/xla-bench", help="path of xla-bench (%(default)s)")
    parser.add_argument("--iree", help="a Python that has IREE")
    parser.add_argument("--only", default="", help="a regular expression")
    parser.add_argument("--seconds", type=float, default=0.5, help="to measure each for (%(default)s)")
    parser.add_argument("--limit", type=float, default=60, help="seconds in which a peer must be ready (%(default)s)")
    parser.add_argument("--goal", type=float, default=0.5, help="(%(default)s)")
    parser.add_argument("--json", help="file for the figures, in seconds")
    parser.add_argument("--keep", help="folder for programs, inputs and results")
    parser.add_argument("--lock", help="file that is locked while a program is timed, for machines on which others measure too")
    parser.add_argument("--list", action="store_true", help="prints the programs")
    return parser.parse_args()


class Failed(Exception):
    pass


def run(command, limit):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        raise Failed(f"takes more than {limit:g} s")
    except OSError as error:
        raise Failed(str(error))
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines() or ["no message"]
        raise Failed(lines[0][-300:])
    return done.stdout


def saved(x):
    """What numpy's files hold has bf16 as raw elements."""
    x = np.asarray(x)
    return x.view(np.dtype("V2")) if x.dtype.name == "bfloat16" else x


def loaded(file):
    x = np.load(file)
    return (x.view(np.uint16).astype(np.uint32) << 16).view(np.float32) if x.dtype.kind == "V" else x


def distance(got, wanted):
    """The largest, relative to the largest number."""
    wide = np.complex128 if np.iscomplexobj(wanted) else np.float64
    got, wanted = np.asarray(got).astype(wide), np.asarray(wanted).astype(wide)
    if got.shape != wanted.shape:
        return float("inf")
    if not got.size:
        return 0.0
    with np.errstate(invalid="ignore"):
        off = np.where((got == wanted) | (np.isnan(got) & np.isnan(wanted)), 0, np.abs(got - wanted))
    finite = np.abs(wanted[np.isfinite(wanted)])
    off = float(off.max() / max(finite.max() if finite.size else 1, 1e-30))
    return off if off == off else float("inf")


class Timing:
    """One program with one set of inputs, in a folder."""

    def __init__(self, program, options, folder):
        self.program, self.options, self.folder = program, options, folder
        r = np.random.default_rng(7)
        self.inputs = [make(r) for make in program.inputs]
        lowered = jax.jit(program.function).lower(*self.inputs)
        self.source = f"{folder}/program.mlir"
        with open(self.source, "w", encoding="utf-8") as f:
            f.write(lowered.as_text())
        for i, a in enumerate(self.inputs):
            np.save(f"{folder}/in{i}.npy", saved(a))
        self.compiled = lowered.compile()
        self.wanted = jax.tree_util.tree_leaves(self.compiled(*map(jax.device_put, self.inputs)))
        self.iree_error, self.overwrites = None, False
        if options.iree:
            try:
                run([options.iree, IREE, "compile", self.source, f"{folder}/program.vmfb"], options.limit)
            except Failed as error:
                self.iree_error = error

    def differs(self, name):
        if self.program.tolerance is None:
            return False
        got = [loaded(f"{self.folder}/{name}{i}.npy") for i in range(len(self.wanted))]
        return max(map(distance, got, self.wanted)) > self.program.tolerance

    def xla(self):
        inputs = [jax.device_put(a) for a in self.inputs]
        best, end, calls = 1e9, time.perf_counter() + self.options.seconds, 0
        while calls < 3 or time.perf_counter() < end:
            start = time.perf_counter()
            jax.block_until_ready(self.compiled(*inputs))
            best = min(best, time.perf_counter() - start)
            calls += 1
        return best, False

    def iree(self):
        if self.iree_error:
            raise self.iree_error
        out = run([self.options.iree, IREE, "time", f"{self.folder}/program.vmfb", self.folder, str(len(self.inputs)), str(self.options.seconds)],
                  self.options.limit)
        self.overwrites = "overwrites" in out
        return float(out.split()[-1]), self.differs("iree")

    def ours(self):
        figures = f"{self.folder}/ours.json"
        run([self.options.bench, self.source, "--device=cpu", f"--min-time={self.options.seconds}", f"--json={figures}",
             *(f"--input=@{self.folder}/in{i}.npy" for i in range(len(self.inputs))),
             *(f"--output=@{self.folder}/ours{i}.npy" for i in range(len(self.wanted)))], self.options.limit)
        with open(figures, encoding="utf-8") as f:
            return json.load(f)["min_s"], self.differs("ours")

    def all(self):
        row = {"family": self.program.family, "name": self.program.name}
        for peer in ("xla", "iree", "ours"):
            if peer == "iree" and not self.options.iree:
                continue
            try:
                row[peer], row[peer + "_differs"] = getattr(self, peer)()
            except Failed as error:
                row[peer + "_error"] = str(error)
        row["iree_overwrites"] = self.overwrites
        times = [row[p] for p in ("xla", "iree") if p in row and not row[p + "_differs"] and not (p == "iree" and self.overwrites)]
        if "ours" in row and times:
            row["ratio"] = min(times) / row["ours"]
        return row


@contextlib.contextmanager
def locked(file):
    if not file:
        yield
        return
    with open(file, "a", encoding="utf-8") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        yield


def cell(row, peer):
    if peer in row:
        return f"{row[peer] * 1e3:.3f}" + "!" * row[peer + "_differs"] + "^" * row.get(peer + "_overwrites", False)
    return "fails" if peer + "_error" in row else "-"


def line(family, name, *cells):
    return f"{family:17}{name:46}" + "".join(f"{c:>11}" for c in cells)


def measure(program, options):
    with contextlib.ExitStack() as stack:
        if options.keep:
            folder = os.path.join(options.keep, re.sub(r"\W+", "-", program.name))
            os.makedirs(folder, exist_ok=True)
        else:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="families."))
        timing = Timing(program, options, folder)
        stack.enter_context(locked(options.lock))
        return timing.all()


def main():
    options = arguments()
    wanted = [p for p in family_programs.programs() if re.search(options.only, f"{p.family} {p.name}")]
    if options.list:
        for p in wanted:
            print(f"{p.family:17}{p.name}")
        return 0
    if not os.access(options.bench, os.X_OK):
        sys.exit(f"no program {options.bench}: --bench says where xla-bench is")
    print(line("family", "program", "XLA", "IREE", "ours", "peer/ours"))
    rows = []
    for program in wanted:
        row = measure(program, options)
        rows.append(row)
        print(line(program.family, program.name, *(cell(row, p) for p in ("xla", "iree", "ours")), f"{row['ratio']:.2f}" if "ratio" in row else "-"), flush=True)
        if options.json:
            with open(options.json, "w", encoding="utf-8") as f:
                json.dump(rows, f, indent=1)
    bad = [r for r in rows if r.get("ratio", 1) < options.goal or "ours" not in r or r["ours_differs"]]
    for r in bad:
        why = r.get("ours_error") or ("differs" if r["ours_differs"] else f"{r['ratio']:.2f}")
        print(f"below {options.goal:g}: {r['name']}: {why}")
    print(f"{len(rows)} programs, {len(bad)} below {options.goal:g} of the best")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
