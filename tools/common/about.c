//===- about.c - What tools say of themselves -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/about.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void xlaToolPrintVersion(void) {
  printf("%s of xlac %s, with LLVM %s\n", program_invocation_short_name,
         XLAC_VERSION, XLAC_LLVM);
}

bool xlaToolAnswer(int argc, char **argv, const char *banner) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
    const char *option = argv[i] + !strncmp(argv[i], "--", 2);
    if (!strcmp(option, "-version")) {
      xlaToolPrintVersion();
      return true;
    }
    if (!strcmp(option, "-h") || !strncmp(option, "-help", 5)) {
      fputs(banner, stdout);
      fflush(stdout);
    }
  }
  return false;
}
