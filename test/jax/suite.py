#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs JAX's own tests on a platform of xlac, and says which pass on XLA:CPU but not here.

    test/jax/suite.py ../jax/tests --library=build/release/lib               # all *_test.py there, on xlac
    test/jax/suite.py ../jax/tests/lax_test.py --platform=xlac_vulkan --sample=1/20
    test/jax/suite.py ../jax/tests --only='LaxTest.testConv' --verbose
    test/jax/suite.py ../jax/tests --save=figures.json --baseline=cpu.json

Every file runs in processes of its own; a test that ends its process, or takes longer than --limit, has failed, and the
rest of the file goes on in the next one. A test that is skipped here but passes on XLA:CPU counts as failed. Tests that
pass on XLA:CPU are found by running them there too, or read from --baseline, which is written if it is not there.

test/jax/known-failures.txt lists tests that are known to fail, a line each: FILE:CLASS.TEST, then #, then why. They are
counted apart; one that passes is named, so that its line can go. Ends with 1 if another test fails.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
KNOWN = HERE / "known-failures.txt"
REASON = 300  # characters of a failure that are kept


# ------------------------------------------------------------------------------------------------ the process of a file


def worker(path: str, wanted: str, out: str) -> None:
    """Runs the tests of a file that the file `wanted` names, and writes a line before and after each."""
    import importlib.util
    import unittest

    from absl import flags
    sys.argv = [path]
    sys.path[:0] = [os.path.dirname(path), str(HERE.parent.parent / "python")]
    import jax
    from jax._src import test_util  # noqa: F401: it declares the option

    # Which tests there are is as on the processor.
    jax.config.update("jax_test_dut", "cpu")
    spec = importlib.util.spec_from_file_location("jax_tests", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    flags.FLAGS.mark_as_parsed()
    tests = list(flatten(unittest.defaultTestLoader.loadTestsFromModule(module)))
    tests.sort(key=name_of)
    if not wanted:
        with open(out, "w") as file:
            json.dump([name_of(test) for test in tests], file)
        return
    found = {name_of(test): test for test in tests}
    with open(out, "a", buffering=1) as file:
        for name in json.loads(pathlib.Path(wanted).read_text()):
            file.write(json.dumps({"begin": name}) + "\n")
            begin = time.time()
            # Which tests there are depends on the platform.
            outcome, why = run_one(found[name]) if name in found else ("failed", "is not a test of this platform")
            file.write(json.dumps({"end": name, "outcome": outcome, "why": why, "seconds": time.time() - begin}) + "\n")


def flatten(suite):
    for test in suite:
        if hasattr(test, "__iter__"):
            yield from flatten(test)
        else:
            yield test


def name_of(test) -> str:
    """CLASS.TEST, with the test's parameters; without addresses, which are others in the next process."""
    kind = type(test)
    name = test.id().removeprefix(f"{kind.__module__}.").removeprefix(f"{kind.__qualname__}.")
    return f"{kind.__name__}." + re.sub(r" at 0x[0-9a-f]+", "", name)


def run_one(test):
    """A test that is not for this platform runs as on the processor, whose kind of device this is."""
    import jax

    for kind in ("", "cpu"):
        jax.config.update("jax_test_dut", kind)
        outcome, why = run_once(test)
        if outcome != "skipped":
            break
    return outcome, why


def run_once(test):
    import unittest

    result = unittest.TestResult()
    test.run(result)
    for kind in ("errors", "failures"):
        for _, text in getattr(result, kind):
            lines = [line for line in text.strip().splitlines() if line.strip()]
            errors = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Failure)\b", line)]
            return "failed", (errors or lines)[-1][:REASON]
    if result.skipped:
        return "skipped", result.skipped[0][1][:REASON]
    return "passed", ""


# ---------------------------------------------------------------------------------------------------------- the parent


def environment(platform: str, options) -> dict:
    # The processor stays as a second platform: some tests ask for it by name.
    platforms = platform if platform == "cpu" else f"{platform},cpu"
    env = dict(os.environ, JAX_PLATFORMS=platforms, JAX_NUM_GENERATED_CASES=str(options.cases), JAX_SKIP_SLOW_TESTS="1",
               JAX_TRACEBACK_FILTERING="off", XLAC_CPU_DEVICES="8", XLAC_VULKAN_DEVICES="8",
               TF_CPP_MIN_LOG_LEVEL="3", PYTHONWARNINGS="ignore")
    if options.library:
        env["XLAC_LIBRARY_PATH"] = str(options.library.resolve())
    return env


def start(path, wanted, out, env, errors):
    return subprocess.Popen([sys.executable, __file__, "--worker", str(path), wanted, out], env=env,
                            stdout=subprocess.DEVNULL, stderr=errors)


def names_in(path, env):
    with tempfile.NamedTemporaryFile(mode="r", suffix=".json") as out, tempfile.TemporaryFile("w+") as errors:
        if start(path, "", out.name, env, errors).wait():
            errors.seek(0)
            sys.exit(f"suite.py: {path} cannot be read:\n{errors.read()[-2000:]}")
        return json.load(out)


def follow(process, out, limit):
    """Waits for the end of a process, or kills it when one test takes too long."""
    size, changed = -1, time.time()
    while process.poll() is None:
        try:
            process.wait(0.2)
        except subprocess.TimeoutExpired:
            pass
        now = os.path.getsize(out)
        if now != size:
            size, changed = now, time.time()
        elif time.time() - changed > limit:
            process.kill()
            process.wait()
            return f"took longer than {limit} s"
    return "" if process.returncode == 0 else f"ended its process with {process.returncode}"


def run_file(path, names, platform, options):
    """The outcome of each test by name."""
    results, env, left = {}, environment(platform, options), list(names)
    while left:
        with (tempfile.NamedTemporaryFile(mode="r", suffix=".json") as out, tempfile.TemporaryFile("w+") as errors,
              tempfile.NamedTemporaryFile(mode="w", suffix=".json") as wanted):
            json.dump(left, wanted)
            wanted.flush()
            why = follow(start(path, wanted.name, out.name, env, errors), out.name, options.limit)
            lines = [json.loads(line) for line in out.read().splitlines() if line.endswith("}")]
            errors.seek(0)
            said = errors.read().strip().splitlines()
        for line in lines:
            if "end" in line:
                results[line["end"]] = line
                left.remove(line["end"])
        if why and left:
            results[left.pop(0)] = {"outcome": "failed", "why": (why + (": " + said[-1] if said else ""))[:REASON],
                                    "seconds": 0}
    return results


def known_failures():
    known = {}
    if KNOWN.exists():
        for line in KNOWN.read_text().splitlines():
            name, _, why = line.partition("#")
            if name.strip():
                known[name.strip()] = why.strip()
    return known


def is_known(known, file, name, platform):
    """A line may be for one platform (`xlac_vulkan FILE:..`), and end with *."""
    for line in known:
        where, _, pattern = line.partition(" ")
        if not where.startswith("xlac"):
            pattern = line  # names have spaces, too
        elif where != platform:
            continue
        full = f"{file}:{name}"
        if full == pattern or (pattern.endswith("*") and full.startswith(pattern[:-1])):
            return True
    return False


def chosen(names, options):
    names = [name for name in names if re.search(options.only, name)]
    if options.sample:
        first, step = map(int, options.sample.split("/"))
        names = names[(first - 1) % step::step]
    return names


def baseline(options):
    if options.baseline and options.baseline.exists():
        return json.loads(options.baseline.read_text())
    return {}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=pathlib.Path, help="test files of JAX, or folders of them")
    parser.add_argument("--platform", default="xlac", help="xlac (else), xlac_vulkan, or cpu")
    parser.add_argument("--library", type=pathlib.Path, help="the folder of libxlac_pjrt.so, if xlac is not installed")
    parser.add_argument("--only", default="", help="tests whose CLASS.NAME matches this regular expression")
    parser.add_argument("--sample", help="K/N: every Nth test, from the Kth on")
    parser.add_argument("--cases", type=int, default=1, help="JAX_NUM_GENERATED_CASES; else 1")
    parser.add_argument("--limit", type=float, default=120, help="seconds for a test; else 120")
    parser.add_argument("--baseline", type=pathlib.Path, help="outcomes on XLA:CPU; written if it is not there")
    parser.add_argument("--save", type=pathlib.Path, help="writes all outcomes there, as JSON")
    parser.add_argument("--verbose", action="store_true", help="says what each failed test said")
    options = parser.parse_args()
    files = [file for path in options.paths
             for file in (sorted(path.glob("*_test.py")) if path.is_dir() else [path])]
    if not files:
        sys.exit("suite.py: there are no *_test.py files there")
    known, before, saved = known_failures(), baseline(options), {}
    rows, failures, unexpected = [], [], 0
    for file in files:
        began = time.time()
        names = chosen(names_in(file, environment("cpu", options)), options)
        reference = before.setdefault(file.name, {})
        reference |= run_file(file, [name for name in names if name not in reference], "cpu", options)
        results = reference if options.platform == "cpu" else run_file(file, names, options.platform, options)
        saved[file.name] = results
        counts = collections.Counter()
        for name in names:
            passes = reference.get(name, {}).get("outcome") == "passed"
            outcome = results.get(name, {"outcome": "failed", "why": "was not run"})
            if not passes:
                counts["not on XLA:CPU"] += 1
            elif outcome["outcome"] == "passed":
                counts["passed"] += 1
                if is_known(known, file.name, name, options.platform):
                    print(f"{file.name}:{name} is a known failure, but passes")
            elif is_known(known, file.name, name, options.platform):
                counts["known"] += 1
            else:
                counts["failed"] += 1
                unexpected += 1
                failures.append((file.name, name, outcome))
        rows.append((file.name, len(names), counts, time.time() - began))
        print(f"{file.name}: {dict(counts)}, {rows[-1][3]:.0f} s", file=sys.stderr)
    if options.baseline:
        options.baseline.write_text(json.dumps(before))
    if options.save:
        options.save.write_text(json.dumps(saved))
    for file, name, outcome in failures:
        print(f"{file}:{name} {outcome['outcome']}" + (f": {outcome['why']}" if options.verbose else ""))
    print(f"| on {options.platform} | tests | pass on XLA:CPU | pass here | known failures | failed | % |")
    print("|---|---|---|---|---|---|---|")
    total = collections.Counter()
    for name, n, counts, _ in rows + [("all", sum(row[1] for row in rows), None, 0)]:
        counts = total if counts is None else counts
        if counts is not total:
            total.update(counts)
        on_cpu = counts["passed"] + counts["known"] + counts["failed"]
        share = 100 * counts["passed"] / on_cpu if on_cpu else 100
        print(f"| {name} | {n} | {on_cpu} | {counts['passed']} | {counts['known']} | {counts['failed']} | {share:.1f} |")
    return 1 if unexpected else 0


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--worker":
        worker(*sys.argv[2:5])
    else:
        sys.exit(main())
