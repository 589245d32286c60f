# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sweep.py OPS.md FOLDER [--types=f32,c64] [--ops=add,sort] [--device=all]: every operation of docs/ops.md on every
element type that its rules allow, on the interpreter and on the compiled devices, whose results are compared.

The programs of an element type run together, as one; only if that is refused or wrong, one by one. What is found is a
line a program; the last line counts. Exit code 1 if something is wrong, or refused that the table REFUSED does not have."""
import argparse
import os
import re
import subprocess
import sys

from sweep_programs import KNOWN, programs_of, types_of


class Program:
    """A private function, and what it takes and gives."""

    def __init__(self, name, text):
        self.name, self.text = name, text
        head = re.search(r"func\.func private @\w+\((.*?)\) -> (.*) \{\n", text)
        if not head:
            sys.exit(f"{name}: no function\n{text}")
        array = r"tensor<(?:[^<>]|<[^<>]*>)*>"
        self.operands = re.findall(rf"%\w+: ({array})", head[1])
        self.results = re.findall(array, head[2])


def module_of(programs):
    """@main calls all; arguments of one type are shared by the programs."""
    arguments, calls, results = {}, [], []
    for program in programs:
        seen, operands = {}, []
        for operand in program.operands:
            seen[operand] = seen.get(operand, -1) + 1
            key = operand, seen[operand]
            arguments.setdefault(key, f"%a{len(arguments)}")
            operands.append(arguments[key])
        many = f":{len(program.results)}" if len(program.results) > 1 else ""
        calls.append(f"  %{program.name}{many} = call @{program.name}({', '.join(operands)}) : "
                     f"({', '.join(program.operands)}) -> ({', '.join(program.results)})\n")
        results += [(f"%{program.name}#{i}" if many else f"%{program.name}", result)
                    for i, result in enumerate(program.results)]
    head = ", ".join(f"{name}: {kind}" for (kind, _), name in arguments.items())
    return ("".join(program.text for program in programs) +
            f"func.func @main({head}) -> ({', '.join(kind for _, kind in results)}) {{\n" + "".join(calls) +
            f"  return {', '.join(name for name, _ in results)} : {', '.join(kind for _, kind in results)}\n}}\n")


def run(path, programs, device):
    with open(path, "w") as file:
        file.write(module_of(programs))
    done = subprocess.run(["xla-run", path, "--seed=1", f"--device={device}", "--output=none", "--timeout=300"],
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def judge(path, program, device):
    """"ok", "invalid", "wrong", "failed" or "refused", and what was said."""
    code, said = run(path, [program], device)
    if code == 2:
        return "invalid", said
    if code == 1:
        return "wrong", said
    if code == 4 or code < 0:
        return "failed", said
    refused = code == 3 or "because it refuses" in said
    return ("refused" if refused else "ok"), said


def sweep(args, element, programs):
    """The findings of an element type: (program, word, what was said)."""
    path = os.path.join(args.folder, element.name + ".mlir")
    together = [program for program in programs if program.name not in KNOWN]
    code, said = run(path, together, args.device) if together else (0, "")
    right = code == 0 and "because it refuses" not in said
    found = []
    for program in [program for program in programs if not right or program.name in KNOWN]:
        single = os.path.join(args.folder, f"{element.name}-{program.name}.mlir")
        word, why = judge(single, program, args.device)
        if word != ("refused" if program.name in KNOWN else "ok"):
            found.append((program.name, word, why))
        else:
            os.remove(single)
    return found if found or right else [("all", "not right together", said)]


def why_of(said):
    """The lines that say why, as one."""
    lines = [re.sub(r"^\S+\.mlir:\d+:\d+: ", "", line.strip()) for line in said.splitlines()]
    return " | ".join(dict.fromkeys(line for line in lines if re.search("error:|differ|wrong", line)))[:400]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("folder")
    parser.add_argument("--types")
    parser.add_argument("--ops")
    parser.add_argument("--device", default="all")
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    with open(args.page) as file:
        page = file.read()
    count, bad = 0, 0
    elements = types_of(args.types.split(",") if args.types else None)
    part = re.fullmatch(r"(\d+)/([1-9]\d*)", os.environ.get("XLAC_SAMPLE", ""))
    if part:
        elements = elements[(-int(part[1])) % int(part[2])::int(part[2])]
    for element in elements:
        programs = [Program(name, text) for name, text in programs_of(page, element)]
        if args.ops:
            programs = [program for program in programs if re.fullmatch(args.ops, program.name)]
        count += len(programs)
        for name, word, said in sweep(args, element, programs):
            print(f"{element.name} {name}: {word}: {why_of(said)}", flush=True)
            bad += 1
    print(f"{', '.join(element.name for element in elements)}: {count} programs, {bad} not right")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
