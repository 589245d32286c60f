#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-tidy on every source that a build folder compiles: lint.py BUILD

A source whose text, headers of this project, flags and .clang-tidy are those of
an earlier clean run is not looked at again. Prints what is found and, last, a
line `N passed, N failed`; exits 1 when something was found.
"""
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys

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


def digest(command, files):
    sha = hashlib.sha256(command.encode())
    for path in CONFIGURATIONS + sorted(files):
        with open(path, "rb") as file:
            sha.update(file.read() + b"\0")
    return sha.hexdigest()


def lint(build, source):
    run = subprocess.run([TIDY, "-p", build, "--quiet", source], capture_output=True, text=True)
    text = re.sub(r"^\[\d+/\d+\] Processing file .*\n", "", run.stdout, flags=re.M)
    return run.returncode, text + (run.stderr if run.returncode else "")


def main():
    build = os.path.abspath(sys.argv[1])
    cache = os.path.join(build, "lint")
    os.makedirs(cache, exist_ok=True)
    with open(os.path.join(build, "compile_commands.json")) as file:
        commands = {os.path.realpath(entry["file"]): entry["command"] for entry in json.load(file)}
    known = dependencies(build)
    passed, failed, todo = 0, 0, {}
    for source, command in sorted(commands.items()):
        stamp = os.path.join(cache, digest(command, known.get(source, [source])))
        if os.path.exists(stamp):
            passed += 1
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
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
