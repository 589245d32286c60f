// One none stands for all results.
// RUN: xla-run %s --seed=1 --output=none | count 0
// RUN: xla-run %s --seed=1 --output=none --replicas=2 | FileCheck %s --check-prefix=NONE --allow-empty
// RUN: xla-bench %s --device=cpu --min-time=0 --output=none | FileCheck %s --check-prefix=NONE
// NONE-NOT: f32=
// RUN: not xla-run %s --seed=1 --output=none --output=none 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: --output is given for 2 of 3 results: f32, 1000xs32, 50x40xs32; one each is needed, --output=none leaves one out

// Of many elements a terminal gets the first and the last; a file and a pipe get all.
// RUN: %{python} %S/Inputs/terminal.py xla-run %s --input=f32=2 | FileCheck %s --check-prefix=TERMINAL
// TERMINAL: {{^}}f32=2
// TERMINAL-NEXT: {{^}}1000xs32=0 1 2 3 4 5 6 7 8 9 {{.*}} 998 999{{.?$}}
// TERMINAL-NEXT: {{^}}50x40xs32=0 1 2 3 4 5 6 7 .. (1984 more, --print-all shows them) .. 32 33 34 35 36 37 38 39{{.?$}}
// RUN: %{python} %S/Inputs/terminal.py xla-run %s --input=f32=2 --print-all | FileCheck %s --check-prefix=ALL
// RUN: %{python} %S/Inputs/terminal.py xla-bench %s --device=cpu --min-time=0 --input=f32=2 --output=none --output=none --output=- --print-all | FileCheck %s --check-prefix=ALL
// RUN: xla-run %s --input=f32=2 | FileCheck %s --check-prefix=ALL
// ALL-NOT: ..
// ALL: {{^}}50x40xs32=0 1 2 3 4 5 6 7 8 9 {{.*}} 38 39{{.?$}}
func.func @main(%a: tensor<f32>) -> (tensor<f32>, tensor<1000xi32>, tensor<50x40xi32>) {
  %0 = xla.iota {iota_dimension = 0} : () -> tensor<1000xi32>
  %1 = xla.iota {iota_dimension = 1} : () -> tensor<50x40xi32>
  return %a, %0, %1 : tensor<f32>, tensor<1000xi32>, tensor<50x40xi32>
}
