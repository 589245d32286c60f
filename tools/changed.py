#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What changed in this repository, and which tests it touches: changed.py [files | tests]

files  paths that differ from the last commit, and those of all commits since the
       upstream of main (origin/main, or what main follows); a line each
tests  the tests of their folders, for tools/check quick: lines `unit FOLDER`
       (with options of ctest behind it) and `lit REGEX`

test/ has the folders of dialect/, passes/, lowering/, runtime/ and tools/: a
file's tests are in the folder of its name, or in the nearest one above; lit
tests that have the file's name count in all folders.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOMS = ["dialect", "passes", "lowering", "runtime", "tools"]


def git(*words):
    done = subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False)
    return done.stdout.split("\0") if "-z" in words else done.stdout.split()


def upstream():
    """The commit where this branch left main's upstream, if it has one."""
    for name in ["main@{upstream}", "origin/main"]:
        found = git("merge-base", "HEAD", name)
        if found:
            return found[0]
    return None


def changed_files(last_commit=False):
    """Paths from the root that are there still. With `last_commit`, if there are none, those of the last commit."""
    def since(base):
        return {path for path in git("diff", "--name-only", "-z", base) if path and os.path.exists(os.path.join(ROOT, path))}
    found = {path for path in git("ls-files", "-z", "--others", "--exclude-standard") if path}
    found |= since("HEAD")
    base = upstream()
    if base:
        found |= since(base)
    if not found and last_commit and git("rev-parse", "--verify", "HEAD~1"):
        found = since("HEAD~1")
    return sorted(found)


def lit_folder(path):
    """The folder below test/ that mirrors the nearest folder of `path`."""
    folder = os.path.dirname(path)
    while folder and not os.path.isdir(os.path.join(ROOT, "test", folder)):
        folder = os.path.dirname(folder)
    return folder


def unit_tests(path):
    """The lines of a file in a room, or in its tests; of what all share, those of all rooms."""
    path = re.sub("^test/", "", path)
    room = path.split("/")[0]
    if not path.endswith((".c", ".h", ".cpp", ".def", ".inc", "CMakeLists.txt")):
        return []
    if room == "support":
        return [f"unit {each}" for each in ROOMS]
    if room != "lowering":
        return [f"unit {room}"] if room in ROOMS + ["fuzz"] else []
    of_vulkan = re.search(r"\bvulkan\b", path)
    of_cpu = path.startswith("lowering/cpu/")
    return ["unit lowering" + (" -R vulkan_" if of_vulkan else " -E vulkan_" if of_cpu else "")]


def lit_tests(path):
    """Regular expressions of lit tests."""
    stem = os.path.splitext(os.path.basename(path))[0]
    if path.startswith("test/jax/Inputs/"):
        return ["jax/"] if stem == "judge" else [f"jax/{stem.replace('_', '.')}\\."]
    if path.startswith("test/"):
        if path.endswith((".mlir", ".test", ".hlo")) and "/Inputs/" not in path:
            return [re.escape(path[len("test/"):])]
        folder = re.sub("/Inputs(/.*)?$", "", os.path.dirname(path))[len("test/"):]
        return [] if path.endswith((".c", ".h")) or not folder else [f"{folder}/"]
    found = [rf"/{re.escape(stem.replace('_', '-'))}\."] if path.split("/")[0] in ROOMS else []
    if lit_folder(path) not in ("", "tools"):  # tools/ itself has scripts
        found.append(f"{lit_folder(path)}/")
    if path.startswith(("docs/", "examples/")) or path == "README.md" or re.match(r"dialect/(ops|rows/\w+)\.def$", path):
        found.append("docs/")
    return found


def without_covered(lines):
    """Of `unit` lines those that no other one holds."""
    whole = {line for line in lines if len(line.split()) == 2}
    return sorted(line for line in lines if line in whole or " ".join(line.split()[:2]) not in whole)


def main():
    wanted = sys.argv[1:] or ["files"]
    if len(wanted) != 1 or wanted[0] not in ("files", "tests"):
        print(__doc__.strip())
        sys.exit(0 if wanted[0] in ("-h", "--help") else 2)
    files = changed_files()
    if wanted == ["files"]:
        print("".join(path + "\n" for path in files), end="")
        return
    units = {line for path in files for line in unit_tests(path)}
    patterns = sorted({pattern for path in files for pattern in lit_tests(path)})
    print("".join(line + "\n" for line in without_covered(units)), end="")
    if patterns:
        print("lit " + "|".join(patterns))


if __name__ == "__main__":
    main()
