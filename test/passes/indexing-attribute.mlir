// RUN: xla-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK: test.map = #xla.indexing_map<"(i)[j] -> (i, j), domain: i in [0, 3], j in [0, 1]">
func.func private @f() attributes {test.map = #xla.indexing_map<"(i)[j] -> (i, j), domain: i in [0, 3], j in [0, 1]">}

// -----

// expected-error @+1 {{character 9: there is no variable 'k'}}
func.func private @g() attributes {test.map = #xla.indexing_map<"(i) -> (k), domain: i in [0, 3]">}

// -----

// expected-error @+1 {{expected string}}
func.func private @h() attributes {test.map = #xla.indexing_map<a = 1>}
