# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A portable artifact, on stdout, that says by Shardy's operations where arrays lie, as plugins of PJRT get it from jax."""
import os
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import jax.numpy as jnp
import numpy as np
from jaxlib import _jax
from jaxlib.mlir.dialects import stablehlo

mesh = jax.sharding.Mesh(np.array(jax.devices()), "x")
where = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))
f = jax.jit(lambda x: jax.lax.with_sharding_constraint(x + 1, where) * 2, in_shardings=where)
module = f.lower(jnp.ones(4, jnp.float32)).compiler_ir("stablehlo")
assert "sdy.mesh" in str(module) and "sdy.sharding_constraint" in str(module), str(module)
artifact = _jax.mlir.serialize_portable_artifact(module, stablehlo.get_current_version(), True)
sys.stdout.buffer.write(artifact)
