#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs compiled in other ways than for this machine, which must not change what they compute: schedules.py BIN [OPTION..]

Each way below is given StableHLO's programs that check themselves (test/conformance/run.py) and random ones, which are compared with
the interpreter (test/jax/Inputs/random_programs.py): without fusion, for machines with sizes that divide nothing, for older processors,
and, where the Vulkan device is llvmpipe, with vectors of other widths. BIN is where xla-run and xla-gen are. The last line is
`N passed, N failed`.
"""
import argparse
import collections
import os
import platform
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

class Way:
    """A device of xla-run, options of xla-run, and variables of the environment."""

    def __init__(self, device, *options, **variables):
        self.device, self.options = device, list(options)
        self.variables, self.environment = variables, dict(os.environ, **variables)

    def __str__(self):
        return " ".join([*(f"{name}={value}" for name, value in self.variables.items()), f"--device={self.device}", *self.options])


# Names that --device of random_programs.py knows.
SCHEDULES = {
    "cpu-unfused": Way("cpu", "--no-fuse"),
    "cpu-odd": Way("cpu", "--threads=3", "--machine=vector-bits=128,l1=3000,l2=7777,l3=11111,serial=500"),
    "cpu-x86-64": Way("cpu", "--cpu=x86-64"),
    "cpu-x86-64-v3": Way("cpu", "--cpu=x86-64-v3"),
    "vulkan-unfused": Way("vulkan", "--no-fuse"),
    "vulkan-odd": Way("vulkan", "--machine=gpu=1,invocations=56,shared=3000"),
    "vulkan-windows": Way("vulkan", "--machine=range=4096,gpu=1"),
    "vulkan-addresses": Way("vulkan", "--machine=elements=1"),
    "vulkan-large": Way("vulkan", "--machine=range=512,bindings=8,elements=1000,allocation=1024,gpu=1"),
    "vulkan-128": Way("vulkan", LP_NATIVE_VECTOR_WIDTH="128"),
    "vulkan-256": Way("vulkan", LP_NATIVE_VECTOR_WIDTH="256"),
}


def possible(tool):
    """The ways that this machine has."""
    listed = subprocess.run([tool, "--list-devices"], capture_output=True, text=True, check=False)
    for name, way in SCHEDULES.items():
        if way.device == "vulkan" and (listed.returncode or way.variables and "llvmpipe" not in listed.stdout):
            continue
        if way.device == "cpu" and platform.machine() != "x86_64" and "--cpu" in str(way):
            continue
        yield name


def check_themselves(options, ways):
    """The conformance programs, every so many of them; what failed is printed. Counts of verdicts."""
    sys.path.insert(0, os.path.join(HERE, "conformance"))
    import run
    tool = os.path.join(options.bin, "xla-run")
    paths = run.programs(run.default_folders())[options.first % options.every::options.every]
    totals = collections.Counter()
    for path, way, code, told in run.run_all(tool, paths, [SCHEDULES[way] for way in ways], options.jobs):
        verdict = run.judge(way.device, code, told, [])
        totals[verdict if verdict in ("passed", "failed") else "refused"] += 1
        if verdict == "failed":
            print(f"FAIL: {path} with {way}: exit code {code}: {told}")
    print(f"{len(paths)} programs that check themselves: {dict(totals)}")
    return totals


def random_programs(options, ways):
    """Passed and failed ones."""
    try:
        import numpy  # noqa: F401 pylint: disable=unused-import
    except ImportError:
        print("random programs are left out: there is no numpy")
        return 0, 0
    command = [sys.executable, os.path.join(HERE, "jax", "Inputs", "random_programs.py"), options.bin, f"--seed={options.seed}",
               f"--count={options.count}", f"--jobs={options.jobs}", f"--every-vulkan={options.every_vulkan}",
               *(f"--device={way}" for way in ways)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(done.stdout + done.stderr, end="")
    counts = re.search(r"^(\d+) passed, (\d+) failed$", done.stdout, re.M)
    return (int(counts[1]), int(counts[2])) if counts else (0, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("--long", action="store_true", help="all programs that check themselves, and 300 random ones")
    parser.add_argument("--every", type=int, default=16, help="every so many programs that check themselves")
    parser.add_argument("--first", type=int, default=0, help="the first of them")
    parser.add_argument("--count", type=int, default=24, help="random programs")
    parser.add_argument("--every-vulkan", type=int, default=4, help="every so many random programs run on Vulkan")
    parser.add_argument("--seed", type=int, default=4000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.long:
        options.every, options.count, options.every_vulkan = 1, 300, 2
    ways = list(possible(os.path.join(options.bin, "xla-run")))
    totals = check_themselves(options, ways)
    passed, failed = random_programs(options, ways)
    passed, failed = passed + totals["passed"], failed + totals["failed"]
    print(f"{passed} passed, {failed} failed")
    sys.exit(bool(failed or not passed))


if __name__ == "__main__":
    main()
