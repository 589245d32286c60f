//===- folder.c - Where things are kept between processes -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/// "a/b", or NULL without memory.
static char *join(const char *a, const char *b) {
  size_t size = strlen(a) + strlen(b) + 1;
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s%s", a, b);
  return path;
}

char *xlaCacheFolder(const char *given) {
  if (!given)
    given = secure_getenv("XLAC_CACHE_DIR");
  if (given)
    return given[0] ? strdup(given) : NULL;
  const char *base = secure_getenv("XDG_CACHE_HOME"), *below = "/xlac";
  if (!base || base[0] != '/') { // others are to be ignored
    base = secure_getenv("HOME");
    below = "/.cache/xlac";
  }
  return base && base[0] == '/' ? join(base, below) : NULL;
}

void xlaCacheMakeFolders(char *path) {
  for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
    *at = '\0';
    (void)mkdir(path, 0700);
    *at = '/';
  }
}

/// Whether the file has a key that only this user can have written or read.
static bool readKey(const char *path, uint8_t *key) {
  struct stat about;
  char more;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (file < 0)
    return false;
  bool isKey = !fstat(file, &about) && S_ISREG(about.st_mode) &&
               about.st_uid == geteuid() && !(about.st_mode & 077) &&
               read(file, key, XLA_USER_KEY_BYTES) == XLA_USER_KEY_BYTES &&
               read(file, &more, 1) == 0;
  close(file);
  return isKey;
}

/// Writes a new key beside `path` and gives it that name, unless another
/// process was faster.
static void makeKey(char *path) {
  uint8_t key[XLA_USER_KEY_BYTES];
  char *beside = join(path, ".XXXXXX");
  if (!beside || getrandom(key, sizeof key, 0) != sizeof key) {
    free(beside);
    return;
  }
  xlaCacheMakeFolders(path);
  int file = mkostemp(beside, O_CLOEXEC); // 0600
  if (file >= 0) {
    bool isWritten = write(file, key, sizeof key) == sizeof key;
    if (close(file) == 0 && isWritten)
      (void)!link(beside, path);
    (void)unlink(beside);
  }
  free(beside);
}

bool xlaUserKey(uint8_t *key) {
  char *folder = xlaCacheFolder(NULL);
  char *path = folder ? join(folder, "/user.key") : NULL;
  free(folder);
  if (!path)
    return false;
  bool isKey = readKey(path, key);
  if (!isKey) {
    makeKey(path);
    isKey = readKey(path, key);
  }
  free(path);
  return isKey;
}
