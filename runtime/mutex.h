//===- mutex.h - Kinds of locks -----------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_MUTEX_H
#define XLAC_RUNTIME_MUTEX_H

#include <pthread.h>

/// A lock that two threads ask for all the time, each for a few instructions:
/// who does not get it looks again before it sleeps, where the C library can do
/// that. Sleeping and being woken takes both threads microseconds. 0 or an
/// error as of pthread_mutex_init.
static inline int xlaMutexInit(pthread_mutex_t *mutex) {
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
  pthread_mutexattr_t attributes;
  int failure = pthread_mutexattr_init(&attributes);
  if (failure)
    return failure;
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
  failure = pthread_mutex_init(mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  return failure;
#else
  return pthread_mutex_init(mutex, NULL);
#endif
}

#endif // XLAC_RUNTIME_MUTEX_H
