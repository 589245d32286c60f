// The tools that run programs have the same devices and the same ways to choose one.
// RUN: env XLAC_DEVICE= xla-run %s --input=4xf32=1 --stats 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: env XLAC_DEVICE= xla-bench %s --min-time=0 | FileCheck %s --check-prefix=CPU
// RUN: env XLAC_DEVICE=cpu xla-run %s --input=4xf32=1 --stats 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: {{on cpu|cpu: compile, in all}}
// RUN: env XLAC_DEVICE=interpreter xla-run %s --input=4xf32=1 --stats 2>&1 | FileCheck %s --check-prefix=INTERPRETER
// RUN: env XLAC_DEVICE=interpreter xla-bench %s --min-time=0 | FileCheck %s --check-prefix=INTERPRETER
// RUN: env XLAC_DEVICE=cpu xla-bench %s --device=interpreter --min-time=0 | FileCheck %s --check-prefix=INTERPRETER
// INTERPRETER: {{on interpreter|interpreter: run}}
// RUN: not xla-run %s --device=toaster 2>&1 | FileCheck %s --check-prefix=TOASTER
// RUN: not env XLAC_DEVICE=toaster xla-run %s 2>&1 | FileCheck %s --check-prefix=TOASTER
// RUN: not env XLAC_DEVICE=toaster xla-bench %s 2>&1 | FileCheck %s --check-prefix=TOASTER
// TOASTER: unknown device "toaster"

// RUN: env XLAC_DEVICE= xla-run %s --replicas=2 --input=4xf32=1 --stats 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: env XLAC_DEVICE= xla-run %s --replicas=2 --input=4xf32=1 | FileCheck %s --check-prefix=REPLICAS
// REPLICAS: replica 0:
// REPLICAS-NEXT: 4xf32=-1

// RUN: xla-bench %s --device=cpu --min-time=0 --machine=l1=3000,vector-bits=128 --threads=1 --output=- --input=4xf32=3 | FileCheck %s --check-prefix=MACHINE
// MACHINE: 4xf32=-3 -3 -3 -3
// RUN: not xla-bench %s --machine=l9=1 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: unknown part of a machine "l9"
// RUN: xla-bench %s --device=cpu --min-time=0 --entry=two --no-fuse --json=- | FileCheck %s --check-prefix=UNFUSED
// RUN: xla-bench %s --device=cpu --min-time=0 --entry=two --json=- | FileCheck %s --check-prefix=FUSED
// UNFUSED: "kernels": 2
// FUSED: "kernels": 1
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.negate %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @two(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.negate %a : tensor<4xf32>
  %1 = xla.exponential %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
