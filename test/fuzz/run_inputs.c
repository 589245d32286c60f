//===- run_inputs.c - A fuzzer's inputs, without libFuzzer ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked with a fuzzer's source, runs the files of the folders that it is
// given, so that every build tests them.
//
//===----------------------------------------------------------------------===//

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { maxBytes = 1 << 20 };

static int runFile(const char *path) {
  uint8_t *data = malloc(maxBytes);
  FILE *file = data ? fopen(path, "rb") : NULL;
  if (file) {
    size_t size = fread(data, 1, maxBytes, file);
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
  }
  free(data);
  return file != NULL;
}

int main(int argc, char **argv) {
  int done = 0;
  for (int i = 1; i < argc; ++i) {
    struct dirent **entries = NULL;
    int n = scandir(argv[i], &entries, NULL, alphasort);
    for (int k = 0; k < n; ++k) {
      char path[4096];
      snprintf(path, sizeof path, "%s/%s", argv[i], entries[k]->d_name);
      if (entries[k]->d_name[0] != '.') {
        fprintf(stderr, "%s\n", path); // the last one crashes
        done += runFile(path);
      }
      free(entries[k]);
    }
    free(entries);
  }
  printf("%d inputs\n", done);
  return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
