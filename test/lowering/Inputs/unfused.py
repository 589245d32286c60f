#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random graphs of dags.py, compiled with fusions and without (xla-run --no-fuse), which must give the same bits: unfused.py BIN --count=4000

A NaN is as good as another. The last line is `N passed, N failed`. A graph that differs is shown by `dags.py SEED 1`."""
import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

import dags


class Failure(Exception):
    pass


def run(tool, path, device, extra, owners, folder, seed):
    """Raw elements of the results."""
    files = [os.path.join(folder, f"{device}{len(extra)}-{i}.npy") for i in range(len(owners))]
    done = subprocess.run([tool, path, f"--device={device}", f"--seed={seed}", *extra, *(f"--output=@{f}" for f in files)],
                          capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise Failure(f"exit code {done.returncode}: {done.stderr.strip()[:300]}")
    return [np.load(f) for f in files]


def same(a, b):
    if a.dtype.kind == "f":
        return (a == b) & (np.signbit(a) == np.signbit(b)) | np.isnan(a) & np.isnan(b)
    if a.dtype.kind == "V":  # bf16
        a, b = a.view(np.uint16), b.view(np.uint16)
        return (a == b) | ((a & 0x7fff) > 0x7f80) & ((b & 0x7fff) > 0x7f80)
    return a == b


def compare(options, seeds, device):
    """What is wrong, a line each; graphs of a program that cannot be run whole are run each by itself."""
    with tempfile.TemporaryDirectory(prefix="xlac-dags-") as folder:
        text, owners = dags.program(seeds)
        path = os.path.join(folder, "program.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        tool = os.path.join(options.bin, "xla-run")
        try:
            fused, plain = (run(tool, path, device, extra, owners, folder, seeds[0]) for extra in ([], ["--no-fuse"]))
        except Failure as failure:
            if len(seeds) > 1:
                return [line for seed in seeds for line in compare(options, [seed], device)]
            return [f"seed {seeds[0]} on {device}: {failure}"]
        lines, at = [], collections.Counter()
        for seed, a, b in zip(owners, fused, plain):
            wrong = np.argwhere(~same(a, b))
            if len(wrong):
                i = tuple(int(k) for k in wrong[0])
                lines.append(f"seed {seed} on {device}: result {at[seed]}: {len(wrong)} of {a.size} differ, first at {list(i)}: "
                             f"{a[i]!s}, unfused {b[i]!s}")
            at[seed] += 1
        # Inputs are made up for a program as a whole.
        if lines and len(seeds) > 1:
            alone = [line for seed in {int(re.match(r"seed (\d+)", line)[1]) for line in lines} for line in compare(options, [seed], device)]
            return alone or [line + f", with seeds {seeds[0]} to {seeds[-1]}" for line in lines]
        return lines


def part(options, seeds):
    ran = collections.Counter()
    lines = []
    for device in options.devices:
        own = [s for s in seeds if device != "vulkan" or s % options.every_vulkan == 0]
        ran[device] += len(own)
        lines += compare(options, own, device) if own else []
    return ran, lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", nargs="?", default="", help="the folder of xla-run, if it is not in PATH")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--size", type=int, default=10, help="graphs a program")
    parser.add_argument("--device", action="append", dest="devices")
    parser.add_argument("--every-vulkan", type=int, default=3, help="every so many graphs run on Vulkan")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if not options.devices:
        listed = subprocess.run([os.path.join(options.bin, "xla-run"), "--list-devices"], capture_output=True, check=False)
        options.devices = ["cpu"] + ["vulkan"] * (listed.returncode == 0)
    end = options.seed + options.count
    parts = [list(range(s, min(s + options.size, end))) for s in range(options.seed, end, options.size)]
    total, failed = collections.Counter(), set()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for ran, lines in pool.map(lambda seeds: part(options, seeds), parts):
            total += ran
            for line in lines:
                print(line, flush=True)
                failed.add(re.match(r"seed \d+ on \w+", line)[0])
    print(", ".join(f"{device} {n}" for device, n in total.items()) + " graphs")
    print(f"{sum(total.values()) - len(failed)} passed, {len(failed)} failed")
    sys.exit(bool(failed or not total))


if __name__ == "__main__":
    main()
