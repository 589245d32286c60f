#!/usr/bin/env bash
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check.sh STEP BUILD CC: uses the build folder BUILD as an installed xlac, in BUILD/install-test.
#   install  installs into a prefix there
#   cmake    builds and runs the program in project/ through find_package
#   pc       builds and runs it through pkg-config
#   headers  compiles every header on its own, as C and as C++
#   lit      runs the lit tests in project/lit with the installed tools
#   wheel    installs the Python package into an environment of its own, and runs JAX on it; left out (77) without JAX in .venv, or
#            without scikit-build-core, which pip gets if it can
set -euo pipefail
step=$1 build=$2 cc=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$build/install-test
prefix=$work/prefix
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig

expect_output() {
  "$@" "$work/array.npy" | diff - "$here/project/expected.txt"
}

case $step in
install)
  rm -rf "$work"
  mkdir "$work"
  cmake --install "$build" --prefix "$prefix" >"$work/install.log"
  # What README.md links to of the pages and examples is beside it.
  (cd "$prefix/share/doc/xlac" && ls LICENSE && grep -oE '\((docs|examples)/[a-z./-]+\)' README.md | tr -d '()' | xargs ls)
  # Nothing that is installed may lead back into the tree.
  ! grep -rIl --include='*.cmake' --include='*.pc' -e "$build" -e "$(dirname "$(dirname "$here")")/" "$prefix"
  ;;
cmake)
  cmake -S "$here/project" -B "$work/cmake" -G Ninja -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix"
  cmake --build "$work/cmake"
  expect_output "$work/cmake/user"
  cmake -S "$here/../../examples" -B "$work/examples" -G Ninja -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix"
  cmake --build "$work/examples"
  "$work/examples/layer" | diff - "$here/../docs/Inputs/layer.txt"
  ;;
pc)
  # shellcheck disable=SC2046
  "$cc" -std=c17 -Wall -Werror "$here/project/user.c" -o "$work/user-pc" $(pkg-config --cflags --libs xlac)
  expect_output "$work/user-pc"
  # As the example's own first lines say.
  # shellcheck disable=SC2046
  "$cc" -std=c17 -Wall -Werror "$here/../../examples/layer.c" $(pkg-config --cflags --libs xlac) -o "$work/layer-pc"
  "$work/layer-pc" | diff - "$here/../docs/Inputs/layer.txt"
  ;;
headers)
  cd "$prefix/include"
  for header in $(find xlac -name '*.h'); do
    for language in c c++; do
      # shellcheck disable=SC2046
      "$cc" -x $language -Wall -Werror -fsyntax-only $(pkg-config --cflags xlac) - <<<"#include \"$header\"" || {
        echo "$header does not compile on its own as $language" >&2
        status=1
      }
    done
  done
  exit ${status-0}
  ;;
lit)
  cp -r "$here/project/lit" "$work/lit"
  cd "$work"
  /usr/lib/llvm-22/bin/lit -v lit
  ;;
wheel)
  root=$(cd "$here/../.." && pwd)
  other=$root/.venv/bin/python
  [ -x "$other" ] && "$other" -c 'import jax' || exit 77
  rm -rf "$work/venv"
  "$other" -m venv "$work/venv"
  venv=$work/venv/bin/python
  # numpy and JAX are those of the other environment: nothing large is fetched.
  "$other" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$("$venv" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/other.pth"
  "$venv" -c 'import scikit_build_core' 2>/dev/null || "$venv" -m pip install -q scikit-build-core || exit 77
  if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  fi
  "$venv" -m pip install --no-deps --no-build-isolation --config-settings=build-dir="$work/wheel" "$root"
  unset PYTHONPATH XLAC_LIBRARY_PATH PJRT_NAMES_AND_LIBRARY_PATHS
  cd "$work"
  "$venv" -c 'from importlib.metadata import entry_points as e; print(e(group="jax_plugins")["xlac"].value)' | grep -x jax_plugins.xlac
  JAX_PLATFORMS=xlac "$venv" - <<'END'
import jax, jax.numpy as jnp, pathlib, xlac
assert jax.devices()[0].platform == "xlac"
assert float(jax.jit(lambda x: jnp.sum(x @ x))(jnp.ones((8, 8)))) == 512
package = pathlib.Path(xlac.__file__).parent
assert "venv" in package.parts and {"libxlac_pjrt.so", "libxlac_pjrt_vulkan.so", "py.typed"} <= {p.name for p in package.iterdir()}
END
  JAX_PLATFORMS=cpu "$venv" -c 'import jax; assert jax.devices()[0].platform == "cpu"'
  ;;
*)
  echo "unknown step $step" >&2
  exit 2
  ;;
esac
