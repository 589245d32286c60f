# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs leave as StableHLO and come back: export.py [OPTION..] SOURCE..

A SOURCE is `docs` (the examples of docs/ops.md), `conformance` (test/conformance and the larger collection beside the repository, if
it is there), `jax` (what jax's libraries and users write, from test/jax) or a file. Every program p is imported to x and written in
StableHLO as s, of which

    jaxlib parses s and verifies it,
    s imported is x again, or, where StableHLO lacks something that is written as something else, the next time,
    s, which checks its results (conformance), passes its checks,
    s computes on XLA:CPU what p computes on the interpreter (jax).

XLAC_SAMPLE=K/N takes every Nth program of conformance and jax. The last line is `N passed, N failed`."""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, *[os.pardir] * 4))


# ---------------------------------------------------------------------------------------------------------------------------------
# jaxlib, in a process of its own, which its verifier may crash


def work():
    os.environ["JAX_PLATFORMS"] = "cpu"
    from jax.interpreters import mlir
    from jaxlib.mlir import ir
    for line in sys.stdin:
        with open(json.loads(line), encoding="utf-8") as file:
            text = file.read()
        try:
            with mlir.make_ir_context():
                ir.Module.parse(text).operation.verify()
            answer = None
        except Exception as error:  # of many kinds, and jaxlib's own
            answer = str(error)[:400]
        print(json.dumps(answer), flush=True)


class Jaxlib:
    """Says what is wrong with programs, None if nothing is."""

    def __init__(self):
        self.process = None

    def verify(self, path):
        if not self.process:
            self.process = subprocess.Popen([sys.executable, __file__, "--worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            text=True)
        print(json.dumps(path), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        code, self.process = self.process.wait(), None
        return f"it crashes, {code}"

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process.stdout.close()


# ---------------------------------------------------------------------------------------------------------------------------------
# Sources: (name, text, case or None)


def sample(items):
    part = re.fullmatch(r"(\d+)/([1-9]\d*)", os.environ.get("XLAC_SAMPLE", ""))
    return items[(-int(part[1])) % int(part[2])::int(part[2])] if part else items


def examples():
    with open(os.path.join(ROOT, "docs", "ops.md"), encoding="utf-8") as file:
        for block in re.findall(r"```mlir\n(.*?)```", file.read(), re.S):
            yield f"docs {re.search(r'@([a-z_]+)', block)[1]}", block, None


def conformance():
    sys.path.append(os.path.join(ROOT, "test", "conformance"))
    import run
    for path in sample(run.programs(run.default_folders())):
        with open(path, encoding="utf-8") as file:
            yield os.path.relpath(path, ROOT), file.read(), None


def jax_programs():
    sys.path.append(os.path.join(ROOT, "test", "jax", "Inputs"))
    import judge
    import library
    import programs
    for case in sample([*library.cases(), *programs.cases()]):
        group = judge.JaxGroup([case]) if case.jax else judge.Group([case])
        yield f"jax {case.name}", group.text, (case, group)


def read(path):
    with open(path, encoding="utf-8") as file:
        yield path, file.read(), None


SOURCES = {"docs": examples, "conformance": conformance, "jax": jax_programs}


# ---------------------------------------------------------------------------------------------------------------------------------
# Checks


def translate(options, path, to, out):
    """None, or the exit code and what was said."""
    done = subprocess.run([options.translate, path, f"--to={to}", "-o", out], capture_output=True, text=True, errors="replace")
    return (done.returncode, done.stderr.strip()[:500]) if done.returncode else None


def contents(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def first_difference(a, b):
    lines = zip(a.splitlines() + ["(end)"], b.splitlines() + ["(end)"])
    return next((f"{x.strip()[:200]}\n   is {y.strip()[:200]}" for x, y in lines if x != y), "")


# Each time that it is imported, a reduction to no mantissa bits says in one operation more what becomes of NaN.
GROWS = "mantissa_bits = 0 "


def comes_back(options, folder, told):
    """What is wrong with s.mlir, of x.mlir, as text; both are in `folder`."""
    at = lambda file: os.path.join(folder, file)
    failure = translate(options, at("s.mlir"), "xla", at("y.mlir"))
    if failure:
        return f"is not imported again: {failure[1]}"
    if contents(at("x.mlir")) == contents(at("y.mlir")):
        return None
    told["are written otherwise"] += 1
    if GROWS in contents(at("x.mlir")):
        return None
    failure = translate(options, at("y.mlir"), "stablehlo-generic", at("t.mlir")) or translate(options, at("t.mlir"), "xla", at("z.mlir"))
    if failure:
        return f"leaves only once: {failure[1]}"
    return None if contents(at("y.mlir")) == contents(at("z.mlir")) else \
        "changes again and again: " + first_difference(contents(at("y.mlir")), contents(at("z.mlir")))


def passes_checks(options, folder):
    path = os.path.join(folder, "s.mlir")
    if "check.expect" not in contents(path):
        return None
    done = subprocess.run([options.run_tool, path, "--check", "--device=interpreter"], capture_output=True, text=True, errors="replace")
    refused = done.returncode == 3 and "replicas" in done.stderr
    return None if not done.returncode or refused else f"fails its checks: {(done.stderr + done.stdout).strip()[:400]}"


def computes_the_same(options, folder, case, group):
    import judge
    import numpy as np
    np.seterr(all="ignore")  # which is a thread's own
    options.xla_run, options.keep, options.timeout = options.run_tool, None, 600
    try:
        found = judge.run_xlac(group, options, "interpreter")
        group.text = contents(os.path.join(folder, "s.mlir"))
        return judge.judge(case, judge.run_xla(group), found)
    except judge.Failure as failure:
        return str(failure)


LOCAL = threading.local()
JAXLIBS = []


def jaxlib():
    """The process of this thread."""
    if not hasattr(LOCAL, "jaxlib"):
        LOCAL.jaxlib = Jaxlib()
        JAXLIBS.append(LOCAL.jaxlib)
    return LOCAL.jaxlib


def check(options, text, case, told):
    """What is wrong, None if nothing is."""
    with tempfile.TemporaryDirectory(prefix="xlac-export-") as folder:
        p, x, s = (os.path.join(folder, f"{file}.mlir") for file in "pxs")
        with open(p, "w", encoding="utf-8") as file:
            file.write(text)
        failure = translate(options, p, "xla", x)
        if failure and failure[0] == 3:
            told["are not imported"] += 1
            return None
        failure = failure or translate(options, x, "stablehlo-generic", s)
        if failure:
            return failure[1]
        wrong = jaxlib().verify(s)
        wrong = f"jaxlib: {wrong}" if wrong else comes_back(options, folder, told) or passes_checks(options, folder)
        if not wrong and case:
            told["ran on XLA:CPU"] += 1
            wrong = computes_the_same(options, folder, *case)
        return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("translate", help="xla-translate")
    parser.add_argument("run_tool", help="xla-run")
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--run", type=int, default=1, help="every so many programs of jax run on XLA:CPU")
    options = parser.parse_args()
    told, passed, failed = collections.Counter(), 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source in options.sources:
            items = list(SOURCES[source]() if source in SOURCES else read(source))
            jobs = [pool.submit(check, options, text, case if n % options.run == 0 else None, told)
                    for n, (_, text, case) in enumerate(items)]
            for (name, _, _), job in zip(items, jobs):
                wrong = job.result()
                passed, failed = passed + (not wrong), failed + bool(wrong)
                if wrong:
                    print(f"{name}: {wrong}", flush=True)
    for each in JAXLIBS:
        each.close()
    print(", ".join(f"{count} {what}" for what, count in sorted(told.items())))
    print(f"{passed} passed, {failed} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    if sys.argv[1:] == ["--worker"]:
        work()
    else:
        main()
