# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs StableHLO programs on XLA's own CPU compiler (through jax) and on xla-run's devices, and compares the results.

A Case is one function: `build(f, *parameters)` adds operations to the Function f and returns its results. Cases of a group share
one module whose main calls them all, so that a thousand cases take seconds; a group that fails is halved until the case that is
to blame stands alone. What the numbers of a case are compared with, and how, is in Case's fields.

XLA is told to be strict: no excess precision, NaN propagated by min and max, and no instructions newer than AVX, since with FMA
LLVM contracts products and sums. It flushes denormals all the same; see `flushed`."""
import argparse
import collections
import fnmatch
import hashlib
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import time

os.environ["XLA_FLAGS"] = " ".join([
    "--xla_allow_excess_precision=false", "--xla_cpu_enable_fast_min_max=false", "--xla_cpu_enable_fast_math=false",
    "--xla_backend_optimization_level=1", "--xla_cpu_max_isa=AVX", os.environ.get("XLAC_XLA_FLAGS", "")])
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import jax
import ml_dtypes
import numpy as np
from jax._src import compiler, xla_bridge
from jax.interpreters import mlir
from jaxlib import xla_client
from jaxlib.mlir import ir

jax.config.update("jax_enable_x64", True)
np.seterr(all="ignore")

BF16 = np.dtype(ml_dtypes.bfloat16)
DTYPES = {"i1": np.dtype(bool), "bf16": BF16, "f16": np.dtype("f2"), "f32": np.dtype("f4"), "f64": np.dtype("f8"),
          "complex<f32>": np.dtype("c8"), "complex<f64>": np.dtype("c16"),
          **{f"i{n}": np.dtype(f"i{n // 8}") for n in (8, 16, 32, 64)},
          **{f"ui{n}": np.dtype(f"u{n // 8}") for n in (8, 16, 32, 64)}}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
FLOATS = ["bf16", "f16", "f32", "f64"]
SIGNED = ["i8", "i16", "i32", "i64"]
UNSIGNED = ["ui8", "ui16", "ui32", "ui64"]
COMPLEX = ["complex<f32>", "complex<f64>"]
# Bits after the point, and the exponent of the smallest normal number.
FORMATS = {"bf16": (7, -126), "f16": (10, -14), "f32": (23, -126), "f64": (52, -1022)}

Type = collections.namedtuple("Type", "shape element")
Value = collections.namedtuple("Value", "name shape element")


def type_text(t):
    return f"tensor<{''.join(f'{d}x' for d in t.shape)}{t.element}>"


def i64s(numbers):
    """`numbers` as an array attribute."""
    numbers = list(numbers)
    return f"array<i64{': ' if numbers else ''}{', '.join(str(int(n)) for n in numbers)}>"


class Function:
    """The text of a function (or of a region of it) in StableHLO's generic form."""

    def __init__(self, parent=None):
        self.root = parent.root if parent else self
        self.lines = []
        if not parent:
            self.count = 0

    def fresh(self):
        self.root.count += 1
        return f"%v{self.root.count}"

    def op(self, name, operands, results, attrs="", regions=()):
        """Results of Types or (element, shape)s; one Value if `results` is a Type, else a list."""
        single = isinstance(results, (Type, Value))
        types = [results] if single else list(results)
        names = [self.fresh() for _ in types]
        head = f"{', '.join(names)} = " if names else ""
        body = f" ({', '.join(regions)})" if regions else ""
        inherent = f" <{{{attrs}}}>" if attrs else ""
        name = name if "." in name else "stablehlo." + name
        self.lines.append(f'{head}"{name}"({", ".join(o.name for o in operands)}){inherent}{body} : '
                          f"({', '.join(map(type_text, operands))}) -> ({', '.join(map(type_text, types))})")
        values = [Value(n, tuple(t.shape), t.element) for n, t in zip(names, types)]
        return values[0] if single else values

    def region(self, types, build):
        """A region whose block has arguments of `types` and returns what `build(f, *arguments)` does."""
        inner = Function(self)
        arguments = [Value(self.fresh(), tuple(t.shape), t.element) for t in types]
        results = listed(build(inner, *arguments))
        block = f"^bb0({', '.join(f'{a.name}: {type_text(a)}' for a in arguments)}):\n" if arguments else ""
        inner.lines.append(f'"stablehlo.return"({", ".join(r.name for r in results)}) : '
                           f"({', '.join(map(type_text, results))}) -> ()")
        return "{\n" + block + "\n".join(inner.lines) + "\n}"

    def constant(self, value, element):
        """A dense constant of an array or a number."""
        array = np.asarray(value)
        return self.op("constant", [], Type(array.shape, element), f"value = {dense(array, element)}")

    def same(self, name, *operands, attrs=""):
        """An operation whose result has the type of its last operand."""
        return self.op(name, operands, Type(operands[-1].shape, operands[-1].element), attrs)

    def convert(self, x, element):
        return self.op("convert", [x], Type(x.shape, element))


def dense(array, element):
    def number(x):
        if element == "i1":
            return "true" if x else "false"
        if element in FORMATS:
            size = {"bf16": 2, "f16": 2, "f32": 4, "f64": 8}[element]
            return "0x" + np.asarray(x, DTYPES[element]).tobytes()[::-1].hex().upper().rjust(2 * size, "0")
        return str(int(x))

    def nest(a):
        return number(a[()]) if a.ndim == 0 else "[" + ", ".join(nest(b) for b in a) + "]"
    return f"dense<{nest(array) if array.size else ''}> : {type_text(Type(array.shape, element))}"


def listed(x):
    return list(x) if isinstance(x, (list, tuple)) and not isinstance(x, Value) else [x]


class Case:
    """A function and what its results are compared with.

    args       numpy arrays
    ulp        how far results may be from the reference, in units in the last place; 0: the same bits, but for NaNs
    wide       the reference is XLA's result on f64 operands (complex128), for functions that are not rounded correctly
    reference  arrays to compare with instead of XLA's
    relative   a relative error that is allowed besides; of complex numbers, relative to the modulus
    absolute   an absolute error that is allowed besides
    masked     a function of the operands that says where nothing is to be compared
    flushed    XLA flushes denormals: where an operand is one, or its result is a zero, `reference` (a function of the arrays)
               counts; without one, such elements are compared between the devices only
    zero       the sign of zero is not defined
    jax        `build` is a function of jax; a group has only such cases, or none
    cpu        a word of the message with which compiled devices refuse; None: they compute it
    """

    def __init__(self, name, build, args, ulp=0, wide=False, reference=None, relative=0.0, absolute=0.0,
                 flushed=None, zero=False, cpu=None, masked=None, jax=False):
        self.name, self.build, self.args, self.ulp, self.wide = name, build, [np.asarray(a) for a in args], ulp, wide
        self.reference, self.relative, self.flushed, self.zero, self.cpu = reference, relative, flushed, zero, cpu
        self.masked, self.absolute, self.jax = masked, absolute, jax

    def reference_args(self):
        return [widened(a) for a in self.args] if self.wide else self.args


def widened(a):
    if a.dtype.kind == "c":
        return a.astype("c16")
    return a.astype("f8") if NAMES[a.dtype] in FORMATS else a


class Group:
    """One module of several cases. Arguments that are the same array are passed once."""

    def __init__(self, cases, wide=False):
        self.cases, self.args, self.counts = cases, [], []
        functions, calls, results, places = [], [], [], {}
        for n, case in enumerate(cases):
            names, types = [], []
            for a in case.reference_args() if wide else case.args:
                key = (a.dtype.str, a.dtype.name, a.shape, a.tobytes())
                if key not in places:
                    places[key] = len(self.args)
                    self.args.append(a)
                names.append(f"%a{places[key]}")
                types.append(Type(a.shape, NAMES[a.dtype]))
            text, outputs = function_text(f"f{n}", case.build, types)
            functions.append(text)
            values = [f"%r{n}_{i}" for i in range(len(outputs))]
            calls.append(f'{", ".join(values)} = "func.call"({", ".join(names)}) <{{callee = @f{n}}}> : '
                         f"({', '.join(map(type_text, types))}) -> ({', '.join(map(type_text, outputs))})")
            results += [(v, o) for v, o in zip(values, outputs)]
            self.counts.append(len(outputs))
        self.results = [o for _, o in results]
        inputs = [Type(a.shape, NAMES[a.dtype]) for a in self.args]
        self.text = "\n".join(
            ['"builtin.module"() ({', *functions,
             function_head("main", inputs, self.results, "public"),
             f"^bb0({', '.join(f'%a{i}: {type_text(t)}' for i, t in enumerate(inputs))}):", *calls,
             f'"func.return"({", ".join(v for v, _ in results)}) : ({", ".join(type_text(o) for _, o in results)}) -> ()',
             "}) : () -> ()", "}) : () -> ()", ""])

    def split(self, arrays):
        at = 0
        for case, count in zip(self.cases, self.counts):
            yield case, arrays[at:at + count]
            at += count


class JaxGroup:
    """The same of cases whose `build` is a function of jax, lowered by jax."""

    def __init__(self, cases):
        self.cases, self.args = cases, [a for case in cases for a in case.args]
        self.counts = [len(jax.tree.leaves(jax.eval_shape(case.build, *case.args))) for case in cases]

        def everything(*args):
            results, at = [], 0
            for case in cases:
                results += jax.tree.leaves(jax.jit(case.build)(*args[at:at + len(case.args)]))
                at += len(case.args)
            return results
        lowered = jax.jit(everything, keep_unused=True).lower(*self.args)
        self.results = [Type(r.shape, NAMES[np.dtype(r.dtype)]) for r in jax.tree.leaves(lowered.out_info)]
        self.text = lowered.compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True)

    split = Group.split


def function_head(name, inputs, results, visibility):
    return (f'"func.func"() <{{function_type = ({", ".join(map(type_text, inputs))}) -> ({", ".join(map(type_text, results))}), '
            f'sym_name = "{name}", sym_visibility = "{visibility}"}}> ({{')


def function_text(name, build, types):
    f = Function()
    parameters = [Value(f"%p{i}", tuple(t.shape), t.element) for i, t in enumerate(types)]
    results = listed(build(f, *parameters))
    return "\n".join(
        [function_head(name, types, results, "private"),
         f"^bb0({', '.join(f'{p.name}: {type_text(p)}' for p in parameters)}):", *f.lines,
         f'"func.return"({", ".join(r.name for r in results)}) : ({", ".join(map(type_text, results))}) -> ()',
         "}) : () -> ()"]), results


class Failure(Exception):
    pass


def kept_results(group, options):
    """Where the results of XLA:CPU for this group are kept: beside the tools that are tested."""
    content = hashlib.sha256(repr((jax.__version__, os.environ["XLA_FLAGS"], group.text)).encode())
    for a in group.args:
        content.update(repr((a.shape, a.dtype.name)).encode() + a.tobytes())
    tools = os.path.dirname(shutil.which(options.xla_run) or options.xla_run)
    return os.path.join(os.path.dirname(os.path.abspath(tools)), "jax-results", content.hexdigest())


def run_xla_once(group, options):
    """The results of XLA:CPU, from an earlier run if the program and its inputs are the same."""
    path = kept_results(group, options)
    if os.path.exists(path):
        with open(path, "rb") as file:
            return [np.ndarray(shape, getattr(ml_dtypes, name, name), data) for name, shape, data in pickle.load(file)]
    results = run_xla(group)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(f"{path}.{os.getpid()}", "wb") as file:
        pickle.dump([(r.dtype.name, r.shape, r.tobytes()) for r in results], file)
    os.replace(f"{path}.{os.getpid()}", path)
    return results


def run_xla(group):
    """The results of XLA:CPU."""
    backend = xla_bridge.get_backend("cpu")
    device = backend.local_devices()[0]
    try:
        with mlir.make_ir_context():
            module = ir.Module.parse(group.text)
            options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
            executable = backend.compile_and_load(module, xla_client.DeviceList((device,)), options)
        outputs = executable.execute_sharded([jax.device_put(a, device) for a in group.args])
        return [np.asarray(o[0]) for o in outputs.disassemble_into_single_device_arrays()]
    except Exception as error:  # of many kinds, and jaxlib's own
        raise Failure(f"XLA: {error}") from None


def run_xlac(group, options, device):
    with tempfile.TemporaryDirectory(prefix="xlac-jax-") as folder:
        program = os.path.join(options.keep or folder, "group.mlir")
        with open(program, "w", encoding="utf-8") as file:
            file.write(group.text)
        command = [options.xla_run, program, f"--device={device}"]
        for i, a in enumerate(group.args):
            path = os.path.join(folder, f"in{i}.npy")
            np.save(path, a.view("V2") if a.dtype == BF16 else a)
            command.append(f"--input=@{path}")
        outputs = [os.path.join(folder, f"out{i}.npy") for i in range(len(group.results))]
        command += [f"--output=@{path}" for path in outputs]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=options.timeout)
        if done.returncode != 0:
            raise Failure(f"exit code {done.returncode}: {done.stderr.strip()[:600]}")
        return [read_array(path, t) for path, t in zip(outputs, group.results)]


def read_array(path, wanted):
    array = np.load(path)
    if array.dtype.kind == "V":
        array = array.view(DTYPES[wanted.element])
    if array.dtype != DTYPES[wanted.element] or array.shape != tuple(wanted.shape):
        raise Failure(f"result of type {array.dtype} {array.shape}, not {type_text(wanted)}")
    return array


def run_all(cases, run, wide=False):
    """Results by case, or the Failure of each case that fails by itself."""
    if not cases:
        return {}
    try:
        group = JaxGroup(cases) if cases[0].jax else Group(cases, wide)
        return {case.name: arrays for case, arrays in group.split(run(group))}
    except (Failure, subprocess.TimeoutExpired) as error:
        if len(cases) == 1:
            return {cases[0].name: error if isinstance(error, Failure) else Failure("takes too long")}
    half = len(cases) // 2
    return {**run_all(cases[:half], run, wide), **run_all(cases[half:], run, wide)}


def spacing(values, element):
    """The unit in the last place of `element` at each of `values` (f64)."""
    bits, least = FORMATS[element]
    with np.errstate(all="ignore"):
        exponent = np.where(values == 0, least, np.frexp(values)[1] - 1)
    return np.ldexp(1.0, np.maximum(exponent, least) - bits)


def is_denormal(a):
    name = NAMES.get(a.dtype)
    if a.dtype.kind == "c":
        return is_denormal(a.real) | is_denormal(a.imag)
    if name not in ("bf16", "f32", "f64"):  # XLA computes f16 as f32, where its denormals are normal
        return np.zeros(a.shape, bool)
    x = np.abs(a.astype("f8"))
    return (x > 0) & (x < np.ldexp(1.0, FORMATS[name][1]))


def real_errors(case, got, want, element):
    """Where `got` is wrong. `want` is f64 if the case is wide."""
    both_nan = np.isnan(got) & np.isnan(want)
    rounded = want.astype(got.dtype)
    equal = (got == rounded) & ((np.signbit(got) == np.signbit(rounded)) | case.zero)
    if case.ulp or case.relative or case.absolute:
        g, w = got.astype("f8"), want.astype("f8")
        limit = case.ulp * spacing(w, element) + case.relative * np.abs(w) + case.absolute
        largest = np.float64(ml_dtypes.finfo(got.dtype).max)
        # Beyond the largest number, infinity is as good.
        g = np.where(np.isinf(g) & (np.abs(w) < np.inf), np.copysign(largest + spacing(largest, element), g), g)
        w = np.where(np.isinf(w) & (np.abs(g) < np.inf), np.copysign(largest + spacing(largest, element), w), w)
        equal |= np.abs(g - w) <= limit
    return ~(both_nan | equal)


def errors(case, got, want):
    """The mask of elements of `got` that differ from `want` by more than the case allows."""
    if got.dtype.kind == "c":
        kind = "f32" if got.dtype == np.dtype("c8") else "f64"
        limit = (case.ulp * 2.0 ** -FORMATS[kind][0] + case.relative) * np.abs(want) + case.absolute + (case.ulp > 0) * 2.0**-140
        close = np.abs(got.astype("c16") - want.astype("c16")) <= limit

        def part(g, w):
            w = w.astype(g.dtype)
            return (g == w) & ((np.signbit(g) == np.signbit(w)) | case.zero) | (np.isnan(g) & np.isnan(w))
        return ~(close | part(got.real, want.real) & part(got.imag, want.imag))
    if got.dtype.kind in "biu":
        return got != want
    return real_errors(case, got, want, NAMES[got.dtype])


def by_reference(case, i, got, want):
    """`want`, but where XLA flushed denormals and the case knows better, and the elements about which nothing is known."""
    unknown = np.zeros(got.shape, bool)
    if case.masked:
        unknown |= np.broadcast_to(case.masked(*case.args), got.shape)
    if case.wide or case.reference is not None:
        return want, unknown
    flushed = np.zeros(got.shape, bool)
    for a in case.args:
        if a.shape in (got.shape, ()):
            flushed |= is_denormal(a)
    if case.flushed:
        exact = np.asarray(listed(case.flushed(*case.args))[i]).astype(got.dtype)
        flushed |= is_denormal(exact) | (want == 0) & (exact != 0)
        want = np.where(flushed, exact, want)
    elif got.dtype.kind not in "iu":
        unknown |= flushed
    return want, unknown


def describe(case, got, want, wrong):
    at = tuple(int(k) for k in np.argwhere(wrong)[0])
    operands = [a[at] if a.shape == got.shape else a for a in case.args if a.shape == got.shape or a.ndim == 0]
    shown = ", ".join(f"{x!s}" for x in operands[:4])
    return f"{int(wrong.sum())} of {got.size} differ, first at {list(at)}: {got[at]!s}, not {want[at]!s}" + (
        f" (of {shown})" if shown else "")


def judge(case, expected, found):
    """What is wrong with `found`, or None."""
    for i, (want, got) in enumerate(zip(expected, found)):
        want, unknown = by_reference(case, i, got, want)
        wrong = errors(case, got, want) & ~unknown
        if wrong.any():
            return f"result {i}: {describe(case, got, want, wrong)}"
    return None


def all_devices(options):
    """The interpreter and the compiled devices that this machine has."""
    listed = subprocess.run([options.xla_run, "--list-devices"], capture_output=True)
    return ["interpreter", "cpu"] + ["vulkan"] * (listed.returncode == 0)


def refused(case, device, result):
    """Whether a device says that it cannot compute what it is known not to."""
    return device != "interpreter" and case.cpu and isinstance(result, Failure) and "exit code 3" in str(result) \
        and case.cpu in str(result)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("xla_run")
    parser.add_argument("--device", action="append", help="unless given: interpreter, cpu and, where there is one, vulkan")
    parser.add_argument("--only", default="*", help="cases whose names match")
    parser.add_argument("--size", type=int, default=150, help="cases a module")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=None, help="random programs")
    parser.add_argument("--keep", help="a folder for the last module")
    parser.add_argument("--timeout", type=float, default=600)
    return parser.parse_args()


def sample(cases):
    """The cases of XLAC_SAMPLE=K/N: every Nth; in N days, with K from 0 to N - 1, all. Without it, all."""
    part = re.fullmatch(r"(\d+)/([1-9]\d*)", os.environ.get("XLAC_SAMPLE", ""))
    return cases[(-int(part[1])) % int(part[2])::int(part[2])] if part else cases


def check(cases, options):
    """Runs all cases, or a sample, everywhere, prints what differs and counts."""
    cases = [c for c in cases if fnmatch.fnmatch(c.name, options.only)]
    if len({c.name for c in cases}) != len(cases):
        sys.exit("two cases have one name: " + str([n for n, k in collections.Counter(c.name for c in cases).items() if k > 1]))
    total, cases = len(cases), sample(cases)
    passed = failed = left_out = 0
    times = collections.Counter()
    devices = options.device or all_devices(options)
    for start in range(0, len(cases), options.size):
        part = cases[start:start + options.size]
        clock = time.time()
        expected = {c.name: c.reference for c in part if c.reference is not None}
        for wide in (False, True):
            expected.update(run_all([c for c in part if c.wide == wide and c.name not in expected],
                                    lambda g: run_xla_once(g, options), wide))
        times["XLA"] += time.time() - clock
        for device in devices:
            clock = time.time()
            known = [c for c in part if device != "interpreter" and c.cpu]
            results = run_all([c for c in part if c not in known], lambda g: run_xlac(g, options, device))
            for c in known:
                results.update(run_all([c], lambda g: run_xlac(g, options, device)))
            times[device] += time.time() - clock
            for case in part:
                if refused(case, device, results[case.name]):
                    left_out += 1
                    continue
                broken = [r for r in (expected[case.name], results[case.name]) if isinstance(r, Failure)]
                message = str(broken[0]) if broken else judge(case, expected[case.name], results[case.name])
                if not message and device != "interpreter" and case.cpu:
                    message = f"is computed: it need not be marked as refused ({case.cpu})"
                passed, failed = passed + (not message), failed + bool(message)
                if message:
                    print(f"{case.name} on {device}: {message}")
    print(", ".join(f"{name} {seconds:.1f} s" for name, seconds in times.items()))
    if failed:
        print(f"One of them again: {os.path.basename(sys.argv[0])} XLA-RUN --only=NAME, without XLAC_SAMPLE")
    part = "" if len(cases) == total else f"{len(cases)} of "
    print(f"{part}{total} cases, {left_out} refused as known")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)
