#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-tidy on every source that a build folder compiles: lint.py BUILD [--sample=K/N] [SOURCE..]

With sources, on those alone; with --sample on those that changed (tools/changed.py)
and on part K of N of the others, all when K has been 0 to N - 1. One whose text, headers of this project, flags and
.clang-tidy are those of an earlier clean run, in any checkout, is not looked at
again: ~/.cache/xlac/lint remembers them. Prints what is found and, last, a line
`N passed, N failed`; exits 1 when something was found.
"""
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import zlib

from changed import changed_files

TIDY = "clang-tidy-22"
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CONFIGURATIONS = [os.path.join(ROOT, ".clang-tidy"), os.path.join(ROOT, "test/.clang-tidy")]


def dependencies(build):
    """Source path -> the files of this project that its last compilation read."""
    text = subprocess.run(["ninja", "-C", build, "-t", "deps"], check=True, capture_output=True, text=True).stdout
    found = {}
    for block in text.split("\n\n"):
        lines = [os.path.realpath(os.path.join(build, line.strip())) for line in block.split("\n")[1:]]
        files = [line for line in lines if line.startswith(ROOT + os.sep)]
        if files:
            found[files[0]] = files
    return found


def digest(version, command, files):
    sha = hashlib.sha256(version + command.replace(ROOT, "").encode())
    for path in CONFIGURATIONS + sorted(files):
        with open(path, "rb") as file:
            sha.update(os.path.relpath(path, ROOT).encode() + b"\0")
            sha.update(file.read() + b"\0")
    return sha.hexdigest()


def lint(build, source):
    run = subprocess.run([TIDY, "-p", build, "--quiet", source], capture_output=True, text=True)
    text = re.sub(r"^\[\d+/\d+\] Processing file .*\n", "", run.stdout, flags=re.M)
    return run.returncode, text + (run.stderr if run.returncode else "")


def sampled(sources, sample):
    """Those that changed, and part K of N of the others, by their names."""
    part, parts = map(int, sample.split("/"))
    changed = {os.path.join(ROOT, path) for path in changed_files(last_commit=True)}
    return {source for source in sources
            if source in changed or (zlib.crc32(os.path.relpath(source, ROOT).encode()) + part) % parts == 0}


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(print(__doc__))
    build = os.path.abspath(sys.argv[1])
    sample = [word[len("--sample="):] for word in sys.argv[2:] if word.startswith("--sample=")]
    wanted = {os.path.realpath(source) for source in sys.argv[2:] if not source.startswith("--")}
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    cache = os.path.join(home, "xlac", "lint")
    version = subprocess.run([TIDY, "--version"], check=True, capture_output=True).stdout
    os.makedirs(cache, exist_ok=True)
    with open(os.path.join(build, "compile_commands.json")) as file:
        commands = {os.path.realpath(entry["file"]): entry["command"] for entry in json.load(file)}
    known = dependencies(build)
    if sample:
        chosen = sampled(commands, sample[0])
    passed, failed, todo, left_out = 0, 0, {}, 0
    for source, command in sorted(commands.items()):
        if wanted and source not in wanted:
            continue
        stamp = os.path.join(cache, digest(version, command, known.get(source, [source])))
        if os.path.exists(stamp):
            passed += 1
        elif sample and source not in chosen:
            left_out += 1
        else:
            todo[source] = stamp
    # The C++ sources take longest: first.
    order = sorted(todo, key=lambda source: not source.endswith(".cpp"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, (code, text) in zip(order, pool.map(lambda source: lint(build, source), order)):
            if code:
                failed += 1
                print(f"--- {os.path.relpath(source, ROOT)}\n{text}")
            else:
                passed += 1
                open(todo[source], "w").close()
    if left_out:
        print(f"{left_out} sources are left to other days or --long")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
