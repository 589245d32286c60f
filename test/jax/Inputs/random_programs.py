#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of xla-gen on xla-run's devices and on XLA:CPU: random_programs.py BIN --seed=1 --count=200.

Every program runs, as StableHLO, on the interpreter, the compiled devices and XLA, on the same inputs. What they are compared with
is the interpreter's result, and how closely, the variations of the program say (xla-gen --variation): each takes liberties that a
right implementation has, in rounding, denormals, signs of NaN, and the order of reductions. An element that is the same in all
variations must be the same; a float may be off by SLACK times what variations are; an integer or pred that varies is not judged,
nor is what is a NaN or infinite in some of them only. Before a difference is reported, many more variations are looked at.

XLA runs with its simplifications off: it would fold what the program computes by rules that do not hold for all values. Its results
are kept in a cache by the program's and inputs' content. Without jax, devices are compared with each other alone.

Vulkan runs every tenth program, unless told --every-vulkan=1. What devices, or XLA, refuse is counted, with the reason. A failing
seed is shown by xla-gen --seed=N.

XLA has bugs too: it folds logistic(NaN) to 0, and takes the atan2 of denormals for NaN, rsqrt of some f64 too. Differences on XLA
alone are shown, and fail if there are more than --xla-bugs allows."""
import argparse
import collections
import concurrent.futures
import hashlib
import importlib.util
import os
import pickle
import re
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import warnings

import numpy as np

warnings.simplefilter("ignore", RuntimeWarning)

HAS_JAX = importlib.util.find_spec("jax") is not None
HAS_ML_DTYPES = importlib.util.find_spec("ml_dtypes") is not None
if HAS_ML_DTYPES:
    import ml_dtypes

# Devices that are another one with options.
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from schedules import SCHEDULES, Way  # noqa: E402 pylint: disable=wrong-import-position

SLACK = 4
VARIATIONS = 5
MORE_VARIATIONS = 25
NUMPY = {"pred": "?", "f16": "f2", "f32": "f4", "f64": "f8", "c64": "c8", "c128": "c16", "s8": "i1", "s16": "i2", "s32": "i4", "s64": "i8",
         "u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8"}
# Names of ml_dtypes.
OTHERS = {"bf16": "bfloat16", "s2": "int2", "s4": "int4", "u2": "uint2", "u4": "uint4", "f4e2m1fn": "float4_e2m1fn",
          "f6e2m3fn": "float6_e2m3fn", "f6e3m2fn": "float6_e3m2fn", "f8e3m4": "float8_e3m4", "f8e4m3": "float8_e4m3",
          "f8e4m3fn": "float8_e4m3fn", "f8e4m3fnuz": "float8_e4m3fnuz", "f8e4m3b11fnuz": "float8_e4m3b11fnuz",
          "f8e5m2": "float8_e5m2", "f8e5m2fnuz": "float8_e5m2fnuz", "f8e8m0fnu": "float8_e8m0fnu"}
# Types in which XLA:CPU computes nothing, or not what others do: it has no f4 and f6, and no zero in f8e8m0fnu.
NOT_IN_XLA = {"f4e2m1fn", "f6e2m3fn", "f6e3m2fn", "f8e8m0fnu", "s2", "u2"}


def dtype_of(name):
    return np.dtype(NUMPY[name]) if name in NUMPY else np.dtype(getattr(ml_dtypes, OTHERS[name]))


def shapes_of(text):
    """'2x3xf32, pred' as a list of (dims, name)."""
    words = [w for w in text.split(", ") if w]
    return [(tuple(int(d) for d in w.split("x")[:-1]), w.split("x")[-1]) for w in words]


class Failure(Exception):
    pass


Program = collections.namedtuple("Program", "seed inputs results elements")
HEAD = re.compile(r"^// program (\d+): \((.*)\) -> \((.*)\)$", re.M)
ELEMENT = re.compile(r"[x<](i1|u?i\d+|bf16|f16|f32|f64|f\dE\w+|complex<f\d+>)>|(\"stablehlo\.\w+\")")


def command(args, **kwargs):
    return subprocess.run(args, capture_output=True, text=True, errors="replace", check=False, **kwargs)


class Batch:
    """Programs of some seeds as one module. Files are in a folder that is removed with `close`."""

    def __init__(self, options, seeds, variation=0):
        self.options, self.seeds, self.variation = options, seeds, variation
        self.folder = tempfile.mkdtemp(prefix="xlac-gen-")
        self.path = os.path.join(self.folder, "program.mlir")
        made = command(generator(options, seeds[0], len(seeds), variation) + ["--format=stablehlo", f"--inputs={self.folder}"])
        if made.returncode:
            raise Failure(f"xla-gen: {made.stderr.strip()[:500]}")
        self.text = made.stdout
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(self.text)
        self.programs = [Program(int(s), shapes_of(i), shapes_of(r), None) for s, i, r in HEAD.findall(self.text)]
        self.inputs = [t for p in self.programs for t in p.inputs]
        self.results = [t for p in self.programs for t in p.results]

    def close(self):
        shutil.rmtree(self.folder)

    @property
    def args(self):
        return [read_array(os.path.join(self.folder, f"in{i}.npy"), t) for i, t in enumerate(self.inputs)]

    def split(self, arrays):
        """Arrays by seed."""
        found, at = {}, 0
        for p in self.programs:
            found[p.seed] = arrays[at:at + len(p.results)]
            at += len(p.results)
        return found

    def run(self, device):
        outputs = [os.path.join(self.folder, f"out{i}.npy") for i in range(len(self.results))]
        way = SCHEDULES.get(device, Way(device))
        done = command([os.path.join(self.options.bin, "xla-run"), self.path, f"--device={way.device}", *way.options]
                       + [f"--input=@{self.folder}/in{i}.npy" for i in range(len(self.inputs))] + [f"--output=@{p}" for p in outputs],
                       timeout=self.options.timeout, env=way.environment)
        if done.returncode:
            raise Failure(f"exit code {done.returncode}: {done.stderr.strip()[:600]}")
        return [read_array(path, t) for path, t in zip(outputs, self.results)]


def generator(options, seed, count, variation):
    limits = [f"--{name}={value}" for name, value in [("ops", options.ops), ("only", options.only), ("types", options.types),
                                                      ("max-elements", options.max_elements), ("extents", options.extents)] if value]
    return [os.path.join(options.bin, "xla-gen"), f"--seed={seed}", f"--count={count}", f"--variation={variation}", *limits]


def read_array(path, wanted):
    array = np.load(path)
    dtype = dtype_of(wanted[1])
    if array.dtype.kind == "V":
        array = array.view(dtype)
    if array.dtype != dtype or array.shape != wanted[0]:
        raise Failure(f"array of type {array.dtype} {array.shape}, not {dtype} {wanted[0]}")
    return array


def together(options, seeds, run, variation=0):
    """What `run` gives for a batch, by seed; of batches that fail, the Failure of each program that fails alone."""
    if not seeds:
        return {}
    batch = Batch(options, seeds, variation)
    try:
        return batch.split(run(batch))
    except (Failure, subprocess.TimeoutExpired) as error:
        if len(seeds) == 1:
            return {seeds[0]: error if isinstance(error, Failure) else Failure("takes too long")}
    finally:
        batch.close()
    half = len(seeds) // 2
    return {**together(options, seeds[:half], run, variation), **together(options, seeds[half:], run, variation)}


def on_device(device):
    return lambda batch: batch.run(device)


class Worker:
    """XLA in a process of its own, which it may take with it."""

    def __init__(self):
        self.process = None

    def run(self, text, args, timeout):
        if not self.process:
            self.process = subprocess.Popen([sys.executable, __file__, "--worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL)
        try:
            pickle.dump((text, [(a.dtype.name, a.shape, a.tobytes()) for a in args]), self.process.stdin)
            self.process.stdin.flush()
            if not select.select([self.process.stdout], [], [], timeout)[0]:
                raise Failure("XLA: takes too long")
            error, arrays = pickle.load(self.process.stdout)
        except (OSError, EOFError, Failure, pickle.UnpicklingError) as problem:
            self.process.kill()
            code = self.process.wait()
            self.process = None
            raise problem if isinstance(problem, Failure) else Failure(f"XLA: crashed with {code}") from None
        if error:
            raise Failure(error)
        return [np.frombuffer(data, dtype_by_name(name)).reshape(shape) for name, shape, data in arrays]

    def close(self):
        if self.process:
            self.process.kill()
            self.process.wait()


WORKERS = threading.local()
ALL_WORKERS = []


def worker():
    """This thread's."""
    if not hasattr(WORKERS, "own"):
        WORKERS.own = Worker()
        ALL_WORKERS.append(WORKERS.own)
    return WORKERS.own


def dtype_by_name(name):
    return np.dtype(getattr(ml_dtypes, name)) if hasattr(ml_dtypes, name) else np.dtype(name)


def work():
    """The worker's side."""
    os.environ["XLAC_XLA_FLAGS"] = "--xla_disable_hlo_passes=algsimp,constant_folding,simplify-fp-conversions"
    import judge
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            text, args = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        group = collections.namedtuple("Group", "text args")(
            text, [np.frombuffer(data, dtype_by_name(name)).reshape(shape) for name, shape, data in args])
        error, arrays = None, []
        try:
            arrays = [(a.dtype.name, a.shape, a.tobytes()) for a in judge.run_xla(group)]
        except judge.Failure as problem:
            error = str(problem)
        pickle.dump((error, arrays), out)
        out.flush()


DIVISION = re.compile(r'^( *)(%\S+) = "stablehlo.(divide|remainder)"\((%\S+), (%\S+)\) : \(.*, (tensor<(?:.*x)?u?i\d+>)\) -> .*$', re.M)


STARTS = re.compile(r'^( *)(%\S+) = "stablehlo.dynamic_(?:update_)?slice"\(([^)]*)\).* : \((.*)\) -> .*$', re.M)


def hidden_starts(m):
    """The line of a slice with a barrier before it for every start that is unsigned."""
    operands, types = m[3].split(", "), m[4].split(", ")
    barriers = ""
    for k, typ in enumerate(types):
        if k and re.match(r"tensor<ui\d+>$", typ):
            barriers += f'{m[1]}%s{m[2][1:]}_{k} = "stablehlo.optimization_barrier"({operands[k]}) : ({typ}) -> {typ}\n'
            operands[k] = f"%s{m[2][1:]}_{k}"
    return barriers + m[0].replace(f"({m[3]})", f"({', '.join(operands)})", 1)


PREDS = re.compile(r'"stablehlo.add"(\([^)]*\) : \(tensor<(?:\d+x)*i1>)')


def for_xla(text):
    """Divisors of integers are hidden from XLA, which stops with SIGFPE where it divides constants by 0, and unsigned starts of slices,
    which it takes for negative ones if they are large and it knows them. Sums of preds, which are or, it folds to exclusive ors."""
    text = PREDS.sub(r'"stablehlo.or"\1', text)
    text = STARTS.sub(hidden_starts, text)
    return DIVISION.sub(lambda m: f'{m[1]}%d{m[2][1:]} = "stablehlo.optimization_barrier"({m[5]}) : ({m[6]}) -> {m[6]}\n'
                        + m[0].replace(f", {m[5]})", f", %d{m[2][1:]})", 1), text)


def on_xla(batch):
    args = batch.args
    sha = hashlib.sha256(batch.text.encode())
    for a in args:
        sha.update(a.tobytes())
    path = batch.options.cache and os.path.join(batch.options.cache, sha.hexdigest()[:32] + ".npz")
    if path and os.path.exists(path):
        with np.load(path) as kept:
            arrays = [kept[f"a{i}"] for i in range(len(batch.results))]
        return [a.view(dtype_of(t[1])).reshape(t[0]) for a, t in zip(arrays, batch.results)]
    arrays = worker().run(for_xla(batch.text), args, batch.options.timeout)
    if path:
        os.makedirs(batch.options.cache, exist_ok=True)
        raw = {f"a{i}": np.ascontiguousarray(a).reshape(-1).view("u1") for i, a in enumerate(arrays)}
        with open(path + f".{os.getpid()}", "wb") as file:
            np.savez_compressed(file, **raw)
        os.rename(path + f".{os.getpid()}", path)
    return arrays


# ---------------------------------------------------------------------------------------------------------------------------------
# Judging


def parts(array):
    """Real arrays: of complex numbers both parts; small floats as f4."""
    if array.dtype.kind == "c":
        return [array.real, array.imag]
    if array.dtype.kind == "V" or array.dtype.name.startswith(("bfloat", "float")):
        return [array.astype("f8")]
    if array.dtype.name.startswith(("int", "uint")):
        return [array.astype("i8" if array.dtype.name[0] == "i" else "u8")]
    return [array]


class Bounds:
    """How far an array may be from the interpreter's."""

    def __init__(self, reference):
        self.reference = reference
        self.far = [np.zeros(p.shape) for p in parts(reference)]       # the largest difference
        self.unknown = [np.zeros(p.shape, bool) for p in parts(reference)]  # anything may be

    def add(self, variation):
        for k, (a, b) in enumerate(zip(parts(self.reference), parts(variation))):
            same = identical(a, b)
            if a.dtype.kind == "f":
                a, b = a.astype("f8"), b.astype("f8")
                finite = np.isfinite(a) & np.isfinite(b)
                self.unknown[k] |= ~same & ~finite
                self.far[k] = np.maximum(self.far[k], np.where(finite, np.abs(a - b), 0))
            else:
                self.unknown[k] |= ~same

    def wrong(self, got):
        masks = []
        far = self.far
        if len(far) == 2:  # errors of complex numbers are relative to the modulus
            far = [np.maximum(*far)] * 2
        for k, (a, b) in enumerate(zip(parts(self.reference), parts(got))):
            wrong = ~identical(a, b) & ~self.unknown[k]
            if a.dtype.kind == "f":
                wrong &= ~(np.abs(a.astype("f8") - b.astype("f8")) <= SLACK * far[k])
                # What a variation makes something else entirely, as atan2 of two denormals, may be NaN.
                wrong &= np.isfinite(b) | ~(far[k] > np.abs(a) / 2)
            masks.append(wrong)
        return np.logical_or.reduce(masks)

    def count(self):
        """Elements that must be the same, may be near, may be anything."""
        unknown = np.logical_or.reduce(self.unknown)
        near = np.logical_or.reduce([f > 0 for f in self.far]) & ~unknown
        return np.array([unknown.size - unknown.sum() - near.sum(), near.sum(), unknown.sum()])


def identical(a, b):
    if a.dtype.kind == "f":
        return (a == b) & (np.signbit(a) == np.signbit(b)) | np.isnan(a) & np.isnan(b)
    return a == b


def differences(bounds, arrays):
    for i, (bound, got) in enumerate(zip(bounds, arrays)):
        wrong = bound.wrong(got)
        if wrong.any():
            at = tuple(int(k) for k in np.argwhere(wrong)[0])
            yield (f"result {i}: {int(wrong.sum())} of {got.size} differ, first at {list(at)}: {got[at]!s}, not {bound.reference[at]!s} "
                   f"(variations {max(f[at] for f in bound.far):.3g} apart)")


def judge(options, tally, seed, reference, variations, arrays):
    """What is wrong with `arrays`, or None; more variations are made before something is."""
    bounds = [Bounds(r) for r in reference]
    for variation in variations:
        for bound, varied in zip(bounds, variation):
            bound.add(varied)
    tally.elements += sum((bound.count() for bound in bounds), np.zeros(3, int))
    message = next(differences(bounds, arrays), None)
    for n in range(VARIATIONS + 1, MORE_VARIATIONS) if message else []:
        varied = together(options, [seed], on_device("interpreter"), n)[seed]
        if isinstance(varied, Failure):
            return f"variation {n}: {varied}"
        for bound, v in zip(bounds, varied):
            bound.add(v)
        message = next(differences(bounds, arrays), None)
        if not message:
            break
    return message


# ---------------------------------------------------------------------------------------------------------------------------------
# Running


class Tally:
    def __init__(self):
        self.ran, self.refused, self.failed, self.alone = collections.Counter(), collections.Counter(), [], []
        self.times, self.elements = collections.Counter(), np.zeros(3, int)
        self.reasons = collections.Counter()

    def add(self, other):
        self.failed += other.failed
        self.alone += other.alone
        self.elements += other.elements
        for name in ("ran", "refused", "times", "reasons"):
            getattr(self, name).update(getattr(other, name))


def names(text):
    return {e or op for e, op in ELEMENT.findall(text)}


def element_types(options, seeds):
    """The element types and operations in the programs, by seed. Programs are functions @pSEED and, behind, what these call: @pSEED_f0 .."""
    batch = Batch(options, seeds)
    batch.close()
    found = {seed: set() for seed in seeds}
    if len(seeds) == 1:
        return {seeds[0]: names(batch.text)}
    for part in batch.text.split('"func.func"')[1:]:
        name = re.search(r'sym_name = "p(\d+)', part)
        if name:
            found[int(name[1])] |= names(part)
    return found


XLA_NAMES = {"i1": "pred", "complex<f32>": "c64", "complex<f64>": "c128", **{f"i{n}": f"s{n}" for n in (2, 4, 8, 16, 32, 64)},
             **{f"ui{n}": f"u{n}" for n in (2, 4, 8, 16, 32, 64)}}


def timed(tally, name, function):
    start = time.time()
    try:
        return function()
    finally:
        tally.times[name] += time.time() - start


def run_part(options, seeds):
    """One batch of seeds, on everything."""
    tally = Tally()
    kinds = {s: {XLA_NAMES.get(e, e.lower()) for e in found} for s, found in
             timed(tally, "generating", lambda: element_types(options, seeds)).items()}
    groups = collections.defaultdict(list)  # batches are of consecutive seeds
    reference = timed(tally, "interpreter", lambda: together(options, seeds, on_device("interpreter")))
    variations = [timed(tally, "variations", lambda n=n: together(options, seeds, on_device("interpreter"), n))
                  for n in range(1, VARIATIONS + 1)]
    for device in options.devices:
        for run in consecutive([s for s in seeds if runs_on(options, device, s, kinds[s])]):
            found = timed(tally, device, lambda r=run, d=device: together(options, r, on_xla if d == "xla" else on_device(d)))
            groups[device].append(found)
    for seed in seeds:
        report(options, tally, seed, "interpreter", reference[seed], None, None)
        broken = [v[seed] for v in variations if isinstance(v[seed], Failure)]
        if isinstance(reference[seed], Failure):
            continue
        if broken:
            tally.failed.append(f"seed {seed}: a variation on the interpreter: {broken[0]}")
            continue
        for device in options.devices:
            for found in groups[device]:
                if seed in found:
                    report(options, tally, seed, device, found[seed], reference[seed], [v[seed] for v in variations])
    return tally


def not_compiled(options, device):
    """The operations that a device refuses whatever their types, as patterns."""
    listed = command([os.path.join(options.bin, "xla-gen"), "--list"]).stdout.splitlines()
    names = [line.split()[0] for line in listed if not line.endswith("no hook")]
    refused = []
    for name in names:
        made = command([os.path.join(options.bin, "xla-gen"), "--bake", "--ops=4", "--types=f32,s32", f"--only={name}"]).stdout
        if f"xla.{name}" in made:
            way = SCHEDULES.get(device, Way(device))
            done = command([os.path.join(options.bin, "xla-run"), "-", f"--device={way.device}", *way.options], input=made,
                           env=way.environment)
            if done.returncode == 3 and re.search(f"'xla.{name}' op is not (lowered|supported)", done.stderr):
                refused.append(f'"stablehlo.{name}"')
    return set(refused)


def runs_on(options, device, seed, kinds):
    if device.startswith("vulkan") and (seed - options.seed) % options.every_vulkan:
        return False
    if device == "xla":
        return not kinds & NOT_IN_XLA
    return not kinds & options.refused[device]


def consecutive(seeds):
    runs = []
    for seed in seeds:
        if runs and runs[-1][-1] + 1 == seed:
            runs[-1].append(seed)
        else:
            runs.append([seed])
    return runs


REFUSALS = ["not supported", "compiled devices take"]


def report(options, tally, seed, device, found, reference, variations):
    if isinstance(found, Failure):
        text = str(found)
        # XLA cannot compile everything, and stops with signals; that it cannot parse a program is xla-gen's fault.
        refused = ("exit code 3" in text and any(r in text for r in REFUSALS)
                   or device == "xla" and "Unable to parse" not in text and "takes too long" not in text)
        if refused:
            tally.refused[device] += 1
            tally.reasons[f"{device}: {text.splitlines()[0][-160:]}"] += 1
        else:
            tally.failed.append(f"seed {seed} on {device}: {text}")
        return
    message = None
    if reference is not None:
        start = time.time()
        message = judge(options, tally, seed, reference, variations, found)
        tally.times["judging"] += time.time() - start
    tally.ran[device] += 1
    if message:
        (tally.alone if device == "xla" else tally.failed).append(f"seed {seed} on {device}: {message}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", help="the folder of xla-gen and xla-run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--long", action="store_true", help="2000 programs")
    parser.add_argument("--size", type=int, default=25, help="programs a module")
    parser.add_argument("--device", action="append", dest="devices",
                        help=f"cpu, vulkan, xla; unless given, those that there are. Also {', '.join(SCHEDULES)}, see test/schedules.py")
    parser.add_argument("--every-vulkan", type=int, default=10, help="every so many programs run on Vulkan")
    parser.add_argument("--cache", default=os.environ.get("XLAC_XLA_CACHE"), help="a folder for XLA's results")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--xla-bugs", type=float, default=0.03, help="the part of the programs for which XLA alone may differ; more fail")
    parser.add_argument("--program", help="compares the program in a file, which has no inputs, on the first --device; exit code 1 "
                        "if results differ")
    parser.add_argument("--tolerance", type=float, default=1e-3, help="relative, of --program's floats")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="modules at a time")
    for name in ("ops", "only", "types", "max-elements", "extents"):
        parser.add_argument(f"--{name}", help="as xla-gen's")
    options = parser.parse_args()
    if options.long:
        options.count = 2000
    if not HAS_ML_DTYPES and not options.types:
        options.types = ",".join(NUMPY)
    if not options.devices:
        has_vulkan = command([os.path.join(options.bin, "xla-run"), "--list-devices"]).returncode == 0
        options.devices = ["cpu"] + ["vulkan"] * has_vulkan + ["xla"] * HAS_JAX
    return options


def compare_program(options):
    """A program without inputs, on the first device and on the interpreter: for xla-gen --minimize."""
    with tempfile.TemporaryDirectory(prefix="xlac-gen-") as folder:
        batch = Batch.__new__(Batch)
        batch.options, batch.folder, batch.path, batch.inputs = options, folder, os.path.join(folder, "program.mlir"), []
        batch.text = command([os.path.join(options.bin, "xla-translate"), options.program, "--to=stablehlo-generic"]).stdout
        with open(batch.path, "w", encoding="utf-8") as file:
            file.write(batch.text)
        main = re.search(r"function_type = \(\) -> (\(.*?\)|tensor<\S*>), sym_name = \"main\"", batch.text)
        types = re.findall(r"tensor<((?:\d+x)*)(.*?)>(?=[,)]|$)", main[1]) if main else []
        batch.results = [(tuple(int(d) for d in dims.split("x")[:-1]), XLA_NAMES.get(e, e.lower())) for dims, e in types]
        device = options.devices[0]
        try:
            reference, found = batch.run("interpreter"), on_xla(batch) if device == "xla" else batch.run(device)
        except Failure as failure:
            print(failure)
            return 2
        for bound, got in zip(map(Bounds, reference), found):
            bound.far = [options.tolerance * np.abs(np.where(np.isfinite(p), p, 0).astype("f8")) for p in parts(bound.reference)]
            if bound.wrong(got).any() and is_seen(batch, device):
                print(next(differences([bound], [got])))
                return 1
    return 0


def is_seen(batch, device):
    """Whether xla-run finds a difference, too: it takes NaNs of either sign and the like for the same, wherever they are used."""
    way = SCHEDULES.get(device, Way(device))
    if device == "xla":
        return True
    done = command([os.path.join(batch.options.bin, "xla-run"), batch.path, "--device=all", "--output=none", *way.options],
                   timeout=batch.options.timeout, env=way.environment)
    return done.returncode == 1


def main():
    options, tally = arguments(), Tally()
    if options.program:
        sys.exit(compare_program(options))
    options.refused = {d: not_compiled(options, d) for d in options.devices if d != "xla"}
    end = options.seed + options.count
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for part in pool.map(lambda start: run_part(options, list(range(start, min(start + options.size, end)))),
                             range(options.seed, end, options.size)):
            for line in part.failed + part.alone:
                print(line, flush=True)
            tally.add(part)
    if len(tally.alone) > max(1, options.xla_bugs * tally.ran["xla"]):
        tally.failed += tally.alone
    for reason, count in tally.reasons.most_common(20):
        print(f"{count} refused: {reason}")
    for device, refused in options.refused.items():
        print(f"{device} has no {', '.join(sorted(refused)) or 'exceptions'}")
    print(", ".join(f"{name} {seconds:.1f} s" for name, seconds in tally.times.items()))
    print(f"{len(tally.alone)} differ on XLA alone")
    same, near, unknown = 100 * tally.elements / max(tally.elements.sum(), 1)
    print(f"{tally.elements.sum()} elements compared: {same:.1f} % to be the same, {near:.1f} % near, {unknown:.1f} % not defined")
    print(", ".join(f"{device} {count}" for device, count in tally.ran.items()) + " programs, "
          + f"{sum(tally.refused.values())} refused")
    print(f"{sum(tally.ran.values()) - len(tally.failed)} passed, {len(tally.failed)} failed")
    sys.exit(bool(tally.failed))


if __name__ == "__main__":
    if sys.argv[1:] == ["--worker"]:
        work()
    else:
        try:
            main()
        finally:
            for each in ALL_WORKERS:
                each.close()
