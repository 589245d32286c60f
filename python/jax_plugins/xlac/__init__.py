# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes xlac's devices platforms of JAX: JAX_PLATFORMS=xlac (processors) or xlac_vulkan (Vulkan devices).

JAX calls initialize() when it looks for plugins. Nothing is loaded unless JAX_PLATFORMS names a platform of xlac, so that
programs for other platforms do not notice that the package is there.
"""

from __future__ import annotations

import functools
import os

_LIBRARIES = {"xlac": "libxlac_pjrt.so", "xlac_vulkan": "libxlac_pjrt_vulkan.so"}


def _types(avals):
    import numpy as np

    return tuple((tuple(aval.shape), np.dtype(aval.dtype)) for aval in avals)


def _custom_call(ctx, callback, operands, avals_out, has_side_effect=False, sharding=None, attributes=None) -> list:
    """The results of a call of `callback`, a Callback that the caller keeps, in the program that is lowered."""
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from xlac._callbacks import TARGET

    results = [mlir.aval_to_ir_type(ctx.module_context, aval) for aval in avals_out]
    call = mlir.custom_call(TARGET, result_types=results, operands=operands, backend_config=str(callback.number),
                            has_side_effect=has_side_effect, extra_attributes=attributes)
    if isinstance(sharding, xla_client.OpSharding):  # says whether each device calls, or one for all; Shardy need not
        mlir.set_sharding(ctx.module_context, call, sharding)
    return list(call.results)


def _lower_by_lapack(platform: str) -> None:
    """Gives the platform eigenvalues of matrices that are not symmetric, Schur's form and QR with pivots."""
    from jax._src.interpreters import mlir
    from jax._src.lax import linalg

    def lower(ctx, operands, name, options=()):
        from xlac import _lapack  # SciPy takes its time

        kept = _lapack.callback(name, options, _types(ctx.avals_in), _types(ctx.avals_out))
        return _custom_call(ctx, kept, operands, ctx.avals_out)

    def eig(ctx, operand, *, compute_left_eigenvectors, compute_right_eigenvectors, **_):
        return lower(ctx, [operand], "eig", (compute_left_eigenvectors, compute_right_eigenvectors))

    def schur(ctx, operand, *, compute_schur_vectors, sort_eig_vals, **_):
        if sort_eig_vals:
            raise NotImplementedError("schur does not sort eigenvalues")
        return lower(ctx, [operand], "schur", (compute_schur_vectors,))

    mlir.register_lowering(linalg.eig_p, eig, platform=platform)
    def geqp3(ctx, matrix, columns, **_):
        return lower(ctx, [matrix, columns], "geqp3")

    mlir.register_lowering(linalg.schur_p, schur, platform=platform)
    mlir.register_lowering(linalg.geqp3_p, geqp3, platform=platform)


def _lower_buffer_callbacks(platform: str) -> None:
    """Lets programs call functions of Python that write into buffers."""
    import numpy as np
    from jax._src import buffer_callback, tree_util
    from jax._src.interpreters import mlir
    from xlac._callbacks import Buffer, Callback, ExecutionContext

    def lower(ctx, *operands, callback, in_tree, out_tree, has_side_effect, input_output_aliases, **_):
        if len(ctx.module_context.platforms) > 1:
            raise NotImplementedError("multi-platform lowering for buffer_callback")
        outputs = _types(ctx.avals_out)

        def call(*arrays):
            results = [np.empty(shape, dtype) for shape, dtype in outputs]
            for i, k in input_output_aliases:
                results[k][...] = arrays[i]
            arguments, options = tree_util.tree_unflatten(in_tree, [Buffer(array, False) for array in arrays])
            given = tree_util.tree_unflatten(out_tree, [Buffer(array, True) for array in results])
            if callback(ExecutionContext(), given, *arguments, **options) is not None:
                raise ValueError("buffer_callback callback must not return any values.")
            return results

        kept = Callback(call, _types(ctx.avals_in), outputs)
        ctx.module_context.add_keepalive(kept)
        return _custom_call(ctx, kept, operands, ctx.avals_out, has_side_effect)

    mlir.register_lowering(buffer_callback.buffer_callback_p, lower, platform=platform)


def _attribute_value(attribute):
    """What a handler gets for an attribute of a program: a scalar or an array of numpy, bytes, or a dictionary of these."""
    import numpy as np
    from jax._src import dtypes
    from jax._src.lib.mlir import ir

    def scalar_type(of) -> np.dtype:
        if isinstance(of, ir.IntegerType):
            name = "bool" if of.width == 1 else f"{'u' if of.is_unsigned else ''}int{of.width}"
        else:
            name = {"bf16": "bfloat16"}.get(str(of), str(of).replace("f", "float", 1))
        return dtypes.dtype(name) if name == "bfloat16" else np.dtype(name)

    if isinstance(attribute, ir.DictAttr):
        return {entry.name: _attribute_value(entry.attr) for entry in attribute}
    if isinstance(attribute, ir.StringAttr):
        return attribute.value_bytes
    if isinstance(attribute, (ir.BoolAttr, ir.IntegerAttr, ir.FloatAttr)):
        return scalar_type(attribute.type).type(attribute.value)
    if isinstance(attribute, ir.DenseElementsAttr) and (array := np.array(attribute)).dtype != object:  # which bfloat16 gives
        return array
    for kind, dtype in ((ir.DenseBoolArrayAttr, bool), (ir.DenseI8ArrayAttr, np.int8), (ir.DenseI16ArrayAttr, np.int16),
                        (ir.DenseI32ArrayAttr, np.int32), (ir.DenseI64ArrayAttr, np.int64),
                        (ir.DenseF32ArrayAttr, np.float32), (ir.DenseF64ArrayAttr, np.float64)):
        if isinstance(attribute, kind):
            return np.array(list(attribute), dtype)
    raise NotImplementedError(f"handlers of jax.ffi cannot be given the attribute {attribute} on xlac")


def _lower_ffi(platform: str) -> None:
    """Lets programs call handlers that `jax.ffi.register_ffi_target` was given for the platform, on the host."""
    import numpy as np
    from jax._src import core, ffi
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from xlac import _ffi
    from xlac._callbacks import Callback

    xla_client.register_custom_call_handler(
        platform, lambda name, function, _, api_version=0, traits=0: _ffi.register(name, function, platform, api_version))

    def is_row_major(layout) -> bool:
        return tuple(layout) == tuple(range(len(layout)))[::-1]

    def lower(ctx, *operands, target_name, has_side_effect, input_layouts, output_layouts, input_output_aliases, attributes,
              **options):
        address = _ffi.find(platform, target_name)
        if address is None or len(ctx.module_context.platforms) > 1:
            return ffi.ffi_call_lowering(ctx, *operands, target_name=target_name, has_side_effect=has_side_effect,
                                         input_layouts=input_layouts, output_layouts=output_layouts,
                                         input_output_aliases=input_output_aliases, attributes=attributes, **options)
        if core.abstract_token in (*ctx.avals_in, *ctx.avals_out):
            raise NotImplementedError(f"the target {target_name!r} of jax.ffi has tokens, which are not supported on xlac")
        if not all(is_row_major(layout) for layout in (*input_layouts, *output_layouts)):
            raise NotImplementedError(f"the target {target_name!r} of jax.ffi has layouts, which are not supported on xlac")
        outputs = _types(ctx.avals_out)
        given = {name: _attribute_value(mlir.ir_attribute(value))
                 for name, value in ffi._unwrap_kwargs_hashable(attributes).items()}

        def call(*arrays):
            results = [np.empty(shape, dtype) for shape, dtype in outputs]
            for i, k in input_output_aliases:
                results[k][...] = arrays[i]
            _ffi.call(address, arrays, results, given)
            return results

        kept = Callback(call, _types(ctx.avals_in), outputs)
        ctx.module_context.add_keepalive(kept)
        return _custom_call(ctx, kept, operands, ctx.avals_out, has_side_effect)

    mlir.register_lowering(ffi.ffi_call_p, lower, platform=platform)


def _lower_custom_partitioning(platform: str) -> None:
    """A function that says how it is partitioned is partitioned as any other: what it says is for XLA's partitioner."""
    from jax._src import core, custom_partitioning
    from jax._src.interpreters import mlir

    def lower(ctx, *operands, call, **_):
        return mlir.lower_fun(core.jaxpr_as_fun(call), multiple_results=True)(ctx, *operands)

    mlir.register_lowering(custom_partitioning.custom_partitioning_p, lower, platform=platform)


def _lower_inspection(platform: str) -> None:
    """Lets programs of several devices say how their arrays lie."""
    import jax
    import numpy as np
    from jax._src import debugging, sharding_impls
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from xlac._callbacks import INSPECT, Asking

    def lower(ctx, value, *, callback):
        context = ctx.module_context.axis_context
        is_manual = isinstance(context, sharding_impls.SPMDAxisContext)
        devices = context.mesh._flat_devices_tuple if is_manual else context.device_assignment
        mesh = context.mesh if is_manual else debugging.mesh_lib.thread_resources.env.physical_mesh
        if not is_manual and context.abstract_mesh is not None:
            of = context.abstract_mesh
            mesh = debugging.mesh_lib.Mesh(np.array(devices).reshape(of.axis_sizes), of.axis_names)

        def tell(text):
            lies = xla_client.HloSharding.from_string(text)
            if mesh.empty:
                return callback(sharding_impls.GSPMDSharding(devices, lies))
            spec = jax.P() if lies.is_manual() else sharding_impls.parse_flatten_op_sharding(lies, mesh)[0]
            return callback(jax.NamedSharding(mesh, spec))

        if len(devices) == 1:
            tell("{replicated}")
            return []
        kept = Asking(tell)
        ctx.module_context.add_keepalive(kept)
        mlir.custom_call(INSPECT, result_types=[], operands=[value], backend_config=str(kept.number), has_side_effect=True)
        return []

    mlir.register_lowering(debugging.inspect_sharding_p, lower, platform=platform)


def _lower_as_on_cpu(platforms: list[str]) -> None:
    """Gives platforms the operations that JAX has rules for on processors only, such as factors of matrices."""
    from jax._src.interpreters import mlir
    from jax.interpreters import mlir as public

    rules = mlir._platform_specific_lowerings
    register_lowering = mlir.register_lowering

    def register(primitive, rule, platform=None, *args, **options):
        """Parts of JAX that are imported later have such rules, too, some of them where there is a rule for all."""
        register_lowering(primitive, rule, platform, *args, **options)
        if platform == "cpu" and primitive not in mlir._lowerings:
            for other in platforms:
                rules[other].setdefault(primitive, rules["cpu"][primitive])

    for platform in platforms:
        _lower_by_lapack(platform)
        _lower_buffer_callbacks(platform)
        _lower_ffi(platform)
        _lower_custom_partitioning(platform)
        _lower_inspection(platform)
        for primitive, rule in list(rules["cpu"].items()):
            # Its rule for processors calls a function of XLA's own runtime; there is one for all platforms.
            if primitive.name != "bcsr_dot_general":
                rules[platform].setdefault(primitive, rule)
        if platform not in mlir._platforms_with_donation:
            mlir._platforms_with_donation.append(platform)
    mlir.register_lowering = public.register_lowering = register


def _use_cache() -> None:
    """Lets `jax_compilation_cache_dir` keep programs of the platforms, which JAX does for those only that it lists."""
    from jax._src import compilation_cache

    is_cache_used = compilation_cache.is_cache_used

    def is_used(backend) -> bool:
        if backend.platform in _LIBRARIES:
            return compilation_cache._is_cache_enabled()
        return is_cache_used(backend)

    compilation_cache.is_cache_used = is_used


def _count() -> None:
    """Lets `Lowered.cost_analysis` count operations of programs for the platforms, as XLA's processor counts them."""
    from jax._src.interpreters import pxla
    from jax._src.lib import _jax, xla_client

    cost_analysis = pxla.MeshComputation.cost_analysis
    client = functools.cache(lambda: xla_client.make_cpu_client(num_devices=1))

    def count(self):
        if self.compile_args["backend"].platform in _LIBRARIES:
            return _jax.hlo_module_cost_analysis(client(), self.hlo().as_hlo_module())
        return cost_analysis(self)

    pxla.MeshComputation.cost_analysis = count


def _call_back() -> None:
    """Lets programs of the platforms call functions of Python, which JAX lowers for those only that it lists."""
    import numpy as np
    from jax import dtypes
    from jax._src import callback as callbacks, core
    from jax._src.lib.mlir import ir
    from jax.interpreters import mlir as public
    from xlac._callbacks import PARTS, Callback

    emit_python_callback = callbacks.emit_python_callback

    def emit(ctx, callback, token, operands, operand_avals, result_avals, *, has_side_effect, sharding=None, partitioned=False,
             **options):
        if ctx.module_context.platforms[0] not in _LIBRARIES or len(ctx.module_context.platforms) > 1:
            return emit_python_callback(ctx, callback, token, operands, operand_avals, result_avals,
                                        has_side_effect=has_side_effect, sharding=sharding, partitioned=partitioned, **options)

        def call(*arguments):
            values = [np.asarray(value) for value in callback(*arguments)]
            if len(values) != len(result_avals):
                raise RuntimeError("Mismatched number of outputs from callback. "
                                   f"Expected: {len(result_avals)}, Actual: {len(values)}")
            values = [value.astype(dtypes.canonicalize_dtype(value.dtype)) for value in values]
            for i, (value, aval) in enumerate(zip(values, result_avals)):
                for what in ("shape", "dtype"):
                    if getattr(value, what) != getattr(aval, what):
                        raise RuntimeError(f"Incorrect output {what} for return value #{i}: "
                                           f"Expected: {getattr(aval, what)}, Actual: {getattr(value, what)}")
            return values

        parts = partitioned and not token and not result_avals
        kept = Callback(call, _types(operand_avals), _types(result_avals), parts=parts)
        ctx.module_context.add_keepalive(kept)
        tokens = [token] if token else []
        said = {"mhlo.frontend_attributes": ir.DictAttr.get({PARTS: ir.StringAttr.get("true")})} if parts else None
        results = _custom_call(ctx, kept, tokens + list(operands), [core.abstract_token] * len(tokens) + list(result_avals),
                               has_side_effect, sharding, said)
        return results[len(tokens):], results[0] if token else None, None

    callbacks.emit_python_callback = public.emit_python_callback = emit


def _exchange() -> None:
    """Lets arrays of the platforms go by DLPack to others and back, which JAX does for those only that it lists."""
    import functools

    import jax
    import numpy as np
    from jax._src import array, dlpack, xla_bridge
    from jax._src.interpreters import pxla
    from xlac import _dlpack
    from xlac._library import type_name

    to_dlpack, dlpack_device = array.ArrayImpl.__dlpack__, array.ArrayImpl.__dlpack_device__
    from_dlpack = dlpack.from_dlpack

    def platform_of(x) -> str | None:
        devices = x.sharding.device_set
        return next(iter(devices)).platform if len(devices) == 1 else None

    def is_at(x, address: int) -> bool:
        try:
            return x.size == 0 or x.unsafe_buffer_pointer() == address
        except jax.errors.JaxRuntimeError:  # no memory of the host
            return False

    @functools.wraps(to_dlpack)
    def give(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        options = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
        if platform_of(self) not in _LIBRARIES:
            return to_dlpack(self, **options)
        values = np.asarray(self)  # JAX keeps it, too
        return _dlpack.give(values, type_name(values.dtype), is_shared=is_at(self, values.ctypes.data), is_own=False, **options)

    @functools.wraps(dlpack_device)
    def device_of(self):
        return _dlpack.DEVICE if platform_of(self) in _LIBRARIES else dlpack_device(self)

    def goes_to(x, device):
        """The device of the platforms where what `x` is goes, a sharding of one, or None."""
        if not hasattr(x, "__dlpack_device__") or x.__dlpack_device__()[0] != _dlpack.CPU:
            return None
        if device is not None:
            devices = device.device_set if isinstance(device, jax.sharding.Sharding) else {device}
            return device if {one.platform for one in devices} <= set(_LIBRARIES) and len(devices) == 1 else None
        if isinstance(x, jax.Array):
            return x.sharding if platform_of(x) in _LIBRARIES else None
        default = pxla.get_default_device()
        # As of other devices that are not the processor, it stays on that, if JAX has it.
        return default if default.platform == "xlac" or "cpu" not in xla_bridge.backends() else None

    @functools.wraps(from_dlpack)
    def take(external_array, device=None, copy=None):
        to = goes_to(external_array, device)
        if to is None:
            return from_dlpack(external_array, device, copy)
        values = _dlpack.Taken(external_array).view()
        result = jax.device_put(values.copy() if copy else values, to, may_alias=True)
        if copy is False and not is_at(result, values.ctypes.data):
            raise ValueError(f"the array of {values.dtype} cannot be an array of {result.dtype} on {to} in the same memory, without a "
                             "copy; set copy=True or copy=None")
        return result

    array.ArrayImpl.__dlpack__, array.ArrayImpl.__dlpack_device__ = give, device_of
    dlpack.from_dlpack = jax.dlpack.from_dlpack = take


def initialize() -> None:
    import jax
    from jax._src import xla_bridge
    from xlac._library import path

    wanted = (jax.config.jax_platforms or os.environ.get("JAX_PLATFORMS", "")).split(",")
    new = [platform for platform in _LIBRARIES if platform in wanted and platform not in xla_bridge._backend_factories]
    for platform in new:
        xla_bridge._nonexperimental_plugins.add(platform)
        xla_bridge.register_plugin(platform, library_path=path(_LIBRARIES[platform]))
    if new:
        _lower_as_on_cpu(new)
        _use_cache()
        _count()
        _call_back()
        _exchange()
