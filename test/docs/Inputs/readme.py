# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""readme.py README FOLDER: does in FOLDER what README.md shows.

The first block of `mlir`, and blocks of `python`, are the files that the text before them names. Lines of a block of `c` stand, in that order and
but for their margin, in the file that is linked before it. Commands are the lines of `console` blocks that
start with `$ `; each must print the lines that follow, or anything and end well where they are `..`."""
import os
import re
import subprocess
import sys

readme, folder = sys.argv[1:]
with open(readme) as file:
    text = file.read()
os.makedirs(folder, exist_ok=True)
name, program = re.search(r"`(\w+\.mlir)`:\n\n```mlir\n(.*?)```", text, re.DOTALL).groups()
with open(os.path.join(folder, name), "w") as file:
    file.write(program)

# `python` is the one that runs this.
os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
for name, program in re.findall(r"`(\w+\.py)`,\n\n```python\n(.*?)```", text, re.DOTALL):
    with open(os.path.join(folder, name), "w") as file:
        file.write(program)

commands = 0
for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        done = subprocess.run(command, shell=True, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        fine = done.returncode == 0 if expected == "..\n" else done.stdout == expected
        if not fine:
            sys.exit(f"$ {command}\nprinted, and ended with {done.returncode}:\n{done.stdout}\ninstead of:\n{expected}")
        commands += 1
assert commands >= 5, commands

root = os.path.dirname(readme)
for path, block in re.findall(r"\]\(([^)]+\.c)\)[^`]*?\n\n```c\n(.*?)```", text, re.DOTALL):
    with open(os.path.join(root, path)) as file:
        lines = [line.strip() for line in file]
    for line in filter(None, map(str.strip, block.splitlines())):
        assert line in lines, f"{path} has no line {line}"
        del lines[:lines.index(line) + 1]

# Every file and folder that is linked is there, and every name of a folder in the tables.
for path in re.findall(r"\]\(([^):]+)\)|^\| `([\w/-]+/)` \|", text, re.MULTILINE):
    assert os.path.exists(os.path.join(root, path[0] or path[1])), path
for tool in re.findall(r"^\| `(xla-[\w-]+)` \|", text, re.MULTILINE):
    done = subprocess.run([tool, "--help"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout, tool
