#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How XLA's header of PJRT's C API lies in memory: abi.py FOLDER LATER_FOLDER [--check=abi.def]

A FOLDER is that which has xla/pjrt/c/pjrt_c_api.h, e.g. tensorflow/include of the wheel tensorflow-cpu:

    pip download --no-deps tensorflow-cpu==2.21.0 && unzip tensorflow_cpu*.whl 'tensorflow/include/xla/*'
    test/pjrt/abi.py tensorflow/include LATER/tensorflow/include > test/pjrt/abi.def

No wheel has version 0.93. So the first folder is that of 0.90, and the second one that of a later version (tensorflow-cpu 2.22),
from which only the rows are taken of what came up to 0.93: nothing is ever put before what was there.

Prints a row for each structure, field and enumerator, as the C compiler sees them; abi_test.c compares pjrt/api.h with these
rows. With --check it says which rows of the file differ, and exits 1 if any does.
"""
import os
import re
import subprocess
import sys
import tempfile

HEADERS = ["pjrt_c_api.h", "pjrt_c_api_layouts_extension.h", "pjrt_c_api_profiler_extension.h",
           "../../backends/profiler/plugin/profiler_c_api.h"]
MINOR = 93
# What came after the first folder's version, and what grew by it.
ADDED_HEADERS = ["pjrt_c_api_shardings_extension.h"]
ADDED = ["PJRT_Device_GetAttributes", "PJRT_Layouts_PJRT_Executable_GetParameterLayouts", "PJRT_Shardings_",
         "PJRT_Extension_Type_Shardings"]
GROWN = ["PJRT_VALUE(PJRT_API_MINOR,", "PJRT_SIZE(PJRT_Api,", "PJRT_SIZE(PJRT_Layouts_Extension,"]
HEAD = """//===- abi.def - Sizes, offsets and numbers of PJRT's C API ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written by abi.py from XLA's header, for 64-bit machines.
//
//===----------------------------------------------------------------------===//
"""


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)


def block(text, start):
    """What stands between the brace at `start` and its partner, and where that is."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[start + 1:at], at
    sys.exit("abi.py: a brace has no partner")


def structures(text):
    for match in re.finditer(r"\bstruct\s+(\w+)\s*\{", text):
        body, end = block(text, match.end() - 1)
        fields = []
        for field in re.sub(r"union\s*\{|\}", " ", body).split(";"):
            # A function pointer, a function of the table, or any other field.
            name = re.search(r"\(\s*\*\s*(\w+)\s*\)\s*\(|_FIELD\(\s*(\w+)\s*\)|(\w+)\s*$", field.strip())
            if name:
                fields.append(next(group for group in name.groups() if group))
        renamed = re.match(r"\s*(\w+)\s*;", text[end + 1:])
        yield renamed.group(1) if renamed else match.group(1), fields


def enumerators(text):
    for match in re.finditer(r"\btypedef\s+enum\s*(?:\w+\s*)?\{", text):
        for item in block(text, match.end() - 1)[0].split(","):
            if item.strip():
                yield item.split("=")[0].strip()


def rows(folder, headers):
    lines = []
    for header in headers:
        with open(os.path.join(folder, "xla/pjrt/c", header)) as file:
            text = without_comments(file.read())
        for name, fields in structures(text):
            lines.append((f"PJRT_SIZE({name}, ", f"sizeof({name})"))
            lines += [(f"PJRT_OFFSET({name}, {field}, ", f"offsetof({name}, {field})") for field in fields]
        lines += [(f"PJRT_VALUE({name}, ", name) for name in enumerators(text)]
    source = "".join(f'#include "xla/pjrt/c/{header}"\n' for header in headers) + "#include <cstdio>\nint main() {\n"
    source += '  std::printf("PJRT_VALUE(PJRT_API_MINOR, %d)\\n", PJRT_API_MINOR);\n'
    source += "".join(f'  std::printf("{text}%d)\\n", (int)({value}));\n' for text, value in lines) + "}\n"
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "abi.cpp")
        with open(path, "w") as file:
            file.write(source)
        program = os.path.join(work, "abi")
        subprocess.run([os.environ.get("CXX", "c++"), "-w", "-I", folder, path, "-o", program], check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout


def both(folder, later):
    """The rows of one folder, with those that were added since from the other."""
    old = [row for row in rows(folder, HEADERS).splitlines() if not row.startswith(tuple(GROWN))]
    new = [row for row in rows(later, HEADERS + ADDED_HEADERS).splitlines() if any(name in row for name in ADDED)]
    last = [row for row in new if row.startswith("PJRT_OFFSET(PJRT_Api, ")][-1]
    size = int(re.search(r"(\d+)\)$", last).group(1)) + 8  # it ends with a function
    new += [f"PJRT_SIZE(PJRT_Api, {size})"]
    new += [row for row in rows(later, HEADERS).splitlines() if row.startswith(GROWN[2])]
    return "\n".join([f"{GROWN[0]} {MINOR})"] + old + new) + "\n"


def main():
    if len(sys.argv) < 3 or sys.argv[1] in ("-h", "--help"):
        sys.exit(print(__doc__))
    new = HEAD + both(sys.argv[1], sys.argv[2])
    if len(sys.argv) < 4:
        sys.exit(print(new, end=""))
    with open(sys.argv[3].removeprefix("--check=")) as file:
        old = file.read()
    different = sorted(set(old.split("\n")) ^ set(new.split("\n")))
    print("\n".join(different))
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
