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
*)
  echo "unknown step $step" >&2
  exit 2
  ;;
esac
