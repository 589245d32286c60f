//===- folder.h - Where things are kept between processes ---------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_FOLDER_H
#define XLAC_RUNTIME_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// `given`, or if it is NULL $XLAC_CACHE_DIR, else $XDG_CACHE_HOME/xlac, else
/// $HOME/.cache/xlac. In memory of the caller's; NULL where nothing is to be
/// kept, or without memory. It need not exist.
char *xlaCacheFolder(const char *given);
/// Makes the folders on the way to a file, for this user alone. What fails
/// shows when the file is opened.
void xlaCacheMakeFolders(char *path);

enum { XLA_USER_KEY_BYTES = 32 };
/// A secret of this user's, random, in a file of the cache that nobody else may
/// read or write; made when it is asked for first. What is authenticated with
/// it was made by a process of this user. False where there can be none.
bool xlaUserKey(uint8_t key[XLA_USER_KEY_BYTES]);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_FOLDER_H
