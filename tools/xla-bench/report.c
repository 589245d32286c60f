//===- report.c - What was measured ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-bench/bench.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/// "12.3 ms".
typedef struct Duration {
  char chars[32];
} Duration;

static Duration duration(double seconds) {
  static const struct {
    double size;
    const char *unit;
  } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  Duration text;
  int i = 0;
  while (i < 3 && seconds < units[i].size)
    ++i;
  snprintf(text.chars, sizeof text.chars, "%.4g %s", seconds / units[i].size,
           units[i].unit);
  return text;
}

static double bandwidth(const XlaBenchReport *report) {
  return 1e-9 * (double)report->work.bytes / report->times.min;
}

static double flopRate(const XlaBenchReport *report) {
  return 1e-9 * report->work.flops / report->times.min;
}

static double least(double a, double b) { return a < b ? a : b; }

/// A rate, and how much of the machine's limit it is.
static void printRate(const char *name, double rate, const char *unit,
                      double limit, const char *limitName) {
  printf("%-16s %.4g %s", name, rate, unit);
  if (limit > 0)
    printf(", %.0f %% of the machine's %.4g (%s)", 100 * rate / limit, limit,
           limitName);
  printf("\n");
}

void xlaBenchPrintReport(const XlaBenchReport *report) {
  const XlaBenchTimes *times = &report->times;
  const XlaBenchPeaks *peaks = report->peaks;
  printf("%-16s %s on %s\n", "program", report->program, report->device);
  printf("%-16s %s cold, %s warm", "compile",
         duration(report->cold.compileSeconds).chars,
         duration(report->warm.compileSeconds).chars);
  for (int i = 0; i < report->warm.nStages; ++i)
    printf("%s%s %s", i ? ", " : ": ", report->warm.stages[i].name,
           duration(report->warm.stages[i].seconds).chars);
  printf("\n");
  if (report->warm.nKernels)
    printf("%-16s %lld, %lld bytes of temporaries and constants\n", "kernels",
           (long long)report->warm.nKernels,
           (long long)report->warm.temporaryBytes);
  printf("%-16s %s min, %s median of %lld calls, %s first; %.2f cores\n",
         "time", duration(times->min).chars, duration(times->median).chars,
         (long long)times->iterations, duration(times->first).chars,
         times->cores);
  printRate("inputs, outputs", bandwidth(report), "GB/s",
            peaks ? peaks->copyGBs : 0, "copy");
  if (report->work.flops > 0)
    printRate("contractions", flopRate(report), "GFLOP/s",
              peaks ? peaks->fmaGFlops : 0, "f32 multiply-add");
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeString(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text; ++text)
    if (*text == '"' || *text == '\\')
      fprintf(file, "\\%c", *text);
    else if ((unsigned char)*text < 0x20)
      fprintf(file, "\\u%04x", (unsigned)*text);
    else
      fputc(*text, file);
  fputc('"', file);
}

static void writeStages(FILE *file, const XlaBenchExecutable *executable) {
  fprintf(file, "{");
  for (int i = 0; i < executable->nStages; ++i)
    fprintf(file, "%s\"%s\": %.9g", i ? ", " : "", executable->stages[i].name,
            executable->stages[i].seconds);
  fprintf(file, "}");
}

static void writeReport(FILE *file, const XlaBenchReport *report) {
  const XlaBenchTimes *times = &report->times;
  double cold = report->cold.compileSeconds;
  double warm = report->warm.compileSeconds;
  fprintf(file, "{\n  \"program\": ");
  writeString(file, report->program);
  fprintf(file, ",\n  \"device\": ");
  writeString(file, report->device);
  fprintf(file,
          ",\n  \"compile_s\": %.9g,\n  \"compile_cold_s\": %.9g,\n"
          "  \"compile_warm_s\": %.9g,\n  \"compile_stages_s\": ",
          least(cold, warm), cold, warm);
  writeStages(file, &report->warm);
  fprintf(file,
          ",\n  \"first_s\": %.9g,\n  \"min_s\": %.9g,\n  \"median_s\": %.9g,\n"
          "  \"iterations\": %lld,\n  \"cores\": %.3g,\n"
          "  \"bytes\": %lld,\n  \"gb_per_s\": %.6g",
          times->first, times->min, times->median, (long long)times->iterations,
          times->cores, (long long)report->work.bytes, bandwidth(report));
  if (report->work.flops >= 0)
    fprintf(file, ",\n  \"flops\": %.17g,\n  \"gflop_per_s\": %.6g",
            report->work.flops, flopRate(report));
  if (report->peaks)
    fprintf(file,
            ",\n  \"peak_copy_gb_per_s\": %.6g,\n"
            "  \"peak_f32_gflop_per_s\": %.6g",
            report->peaks->copyGBs, report->peaks->fmaGFlops);
  fprintf(file,
          ",\n  \"kernels\": %lld,\n  \"temporary_bytes\": %lld\n"
          "}\n",
          (long long)report->warm.nKernels,
          (long long)report->warm.temporaryBytes);
}

XlaToolCode xlaBenchWriteJson(const XlaBenchReport *report, const char *path) {
  bool isStdout = !strcmp(path, "-");
  FILE *file = isStdout ? stdout : fopen(path, "w");
  if (file)
    writeReport(file, report);
  if (!file || fflush(file) || ferror(file) || (!isStdout && fclose(file)))
    return xlaToolError(XlaToolCodeWrong, "%s: %s", path, strerror(errno));
  return XlaToolCodeOk;
}
