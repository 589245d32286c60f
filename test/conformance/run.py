#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs StableHLO programs that check their own results: run.py TOOLS [DIR..]

TOOLS is where xla-run is. Without DIR, the programs are those in data/ beside
this file and, if they are there, the larger collection in the folder that the
environment variable XLAC_CONFORMANCE names, or ../shared/conformance beside the
repository. Every program runs on the interpreter, on the CPU and, where there is
one, on a Vulkan device; many share a process of xla-run.

A program must pass on the interpreter. The only excuse is an operation that
unsupported.txt lists and that xla-run, with exit code 3, says is not supported
yet. On other devices 3 is no failure either; a wrong result, a crash or a
timeout always is.

Prints what failed, how many programs each reason leaves out, and, last, a line
`N passed, N failed`; exits 1 if one failed.
"""
import collections
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
REFERENCE = "interpreter"
SECONDS = 60
# Programs a process.
BATCH = 40


def default_folders():
    larger = os.environ.get("XLAC_CONFORMANCE", os.path.join(os.path.dirname(ROOT), "shared", "conformance"))
    return [os.path.join(HERE, "data")] + ([larger] if os.path.isdir(larger) else [])


def programs(folders):
    """Paths by name: the same program in two folders runs once."""
    found = {}
    for folder in folders:
        for path in glob.glob(os.path.join(folder, "**", "*.mlir"), recursive=True):
            found.setdefault(os.path.relpath(path, folder), path)
    return [path for _, path in sorted(found.items())]


def unsupported_operations():
    with open(os.path.join(HERE, "unsupported.txt")) as file:
        lines = [line.split("#")[0].strip() for line in file]
    return {line for line in lines if line}


def command_of(tool, paths, way):
    """A way is a device, or has one, options and an environment. Every compilation is a whole one."""
    device, options = getattr(way, "device", way), getattr(way, "options", [])
    command = [tool, "--check", "--device=" + device, "--timeout=%d" % SECONDS, *options, *paths]
    return command, dict(getattr(way, "environment", os.environ), XLAC_CACHE_DIR="")


def told_by(lines):
    """What was said, on one line."""
    return next((line for line in lines if "error:" in line or "check." in line), lines[0] if lines else "")[:300]


def run(tool, path, way):
    """Exit code (None: timeout) and what was said, on one line."""
    command, environment = command_of(tool, [path], way)
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS + 10, errors="replace", env=environment)
    except subprocess.TimeoutExpired:
        return None, "runs for more than %d s" % SECONDS
    lines = (done.stderr + done.stdout).splitlines()
    timed_out = any("the time limit of" in line for line in lines)
    return None if timed_out else done.returncode, told_by(lines)


def run_together(tool, paths, way):
    """The same of several programs in one process, by path, and the exit code of the process; those are missing that it did not end."""
    command, environment = command_of(tool, paths, way)
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", env=environment,
                              timeout=(SECONDS + 10) * len(paths))
        output, status = done.stdout, done.returncode
    except subprocess.TimeoutExpired as error:
        output, status = (error.output or b"").decode(errors="replace"), None
    found, lines = {}, []
    for line in output.splitlines():
        end = re.match(r"(?:PASS (.*)|FAIL (.*): exit code (\d+))$", line)
        if end and (end[1] or end[2]) in paths:
            found[end[1] or end[2]] = int(end[3] or 0), told_by(lines)
            lines = []
        else:
            lines.append(line)
    return found, status


def run_batch(tool, paths, way):
    """What `run` gives for each of `paths`, in one process for as long as none ends it. One that does runs again alone, to say why, and
    fails in any case."""
    found, left = {}, list(paths)
    while len(left) > 1:
        some, status = run_together(tool, left, way)
        found.update(some)
        left = [path for path in left if path not in some]
        if left:
            code, told = run(tool, left[0], way)
            if code in (0, 1, 2, 3):
                # Not the exit code of a program that is refused.
                code, told = None if status in (0, 3) else status, "ends a process that it shares with others, and not its own: " + told
            found[left.pop(0)] = code, told
    found.update((path, run(tool, path, way)) for path in left)
    return [found[path] for path in paths]


def run_all(tool, paths, ways, jobs):
    """What `run` gives for every path in every way, with its path and way, in this order of ways and paths."""
    batches = [(paths[at:at + BATCH], way) for way in ways for at in range(0, len(paths), BATCH)]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for (some, way), results in zip(batches, pool.map(lambda batch: run_batch(tool, *batch), batches)):
            for path, (code, told) in zip(some, results):
                yield path, way, code, told


def judge(device, code, told, allowed):
    """"passed", "failed", or the reason why the program does not count."""
    if code == 0:
        return "passed"
    if code != 3:
        return "failed"
    match = re.search(r"'([a-z_]+\.\w+)' op is not supported yet", told)
    if match and match.group(1) in allowed:
        return match.group(1) + " is not supported yet"
    if device == REFERENCE:
        return "failed"
    return re.sub(r"tensor<[^ ,]*", "tensor", re.sub(r"^.*?error: ", "", told))


def find_devices(tool):
    """All devices, and why one is left out."""
    listed = subprocess.run([tool, "--list-devices"], capture_output=True, text=True)
    if listed.returncode == 0:
        return [REFERENCE, "cpu", "vulkan"]
    print("vulkan is left out: " + listed.stderr.strip())
    return [REFERENCE, "cpu"]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    tool = os.path.join(sys.argv[1], "xla-run")
    paths = programs(sys.argv[2:] or default_folders())
    allowed = unsupported_operations()
    totals = collections.Counter()
    devices = find_devices(tool)
    reasons = {device: collections.Counter() for device in devices}
    for path, device, code, told in run_all(tool, paths, devices, os.cpu_count()):
        verdict = judge(device, code, told, allowed)
        if verdict in ("passed", "failed"):
            totals[verdict] += 1
            totals[device, verdict] += 1
        else:
            reasons[device][verdict] += 1
        if verdict == "failed":
            print("FAIL: %s on %s: exit code %s: %s" % (path, device, code, told))
    for device in devices:
        print("%s: %d passed, %d failed, %d not supported" % (
            device, totals[device, "passed"], totals[device, "failed"], sum(reasons[device].values())))
        for reason, count in reasons[device].most_common():
            print("  %4d %s" % (count, reason))
    if not paths:
        print("no programs were found")
    print("%d passed, %d failed" % (totals["passed"], totals["failed"] + (not paths)))
    return 1 if totals["failed"] or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
