#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where program_fuzz starts: corpus.py TEST_FOLDER ROWS OUT

Writes the tests' programs, function by function, to OUT/corpus, and the words of
the language, with the operations of ROWS (the folder dialect/rows), to OUT/program.dict.
"""
import glob
import hashlib
import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../hostile"))
import mutate


def main():
    tests, ops, out = sys.argv[1:]
    corpus = os.path.join(out, "corpus")
    os.makedirs(corpus, exist_ok=True)
    programs = sorted(set(mutate.read_seeds(tests)))
    for program in programs:
        name = hashlib.sha256(program.encode()).hexdigest()[:16]
        with open(os.path.join(corpus, name), "w", encoding="utf-8") as file:
            file.write(program)
    words = set(mutate.TYPES + mutate.LINES + mutate.NUMBERS + mutate.ELEMENTS)
    for program in programs:
        words.update(re.findall(r"[a-z_]{4,}(?= = )|\"[A-Z_]{2,}\"", program))
    for rows in glob.glob(os.path.join(ops, "*.def")):
        with open(rows, encoding="utf-8") as file:
            words.update("xla." + name for name in re.findall(r"^XLA_OP\(\w+, *\"(\w+)", file.read(), re.M))
    with open(os.path.join(out, "program.dict"), "w", encoding="utf-8") as file:
        for word in sorted(words):
            if len(word) < 100:
                file.write('"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"\n')


if __name__ == "__main__":
    main()
