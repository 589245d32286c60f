/* Functions that custom calls of foreign.mlir call. */
#include <string.h>

/* The example that the specification prints. */
void myfunc(void *out, const void **in) {
  const float *x = in[0];
  const float (*y)[3] = in[1];
  float (*z)[3] = out;
  if (x[0] != 1 || x[1] != 2 || y[0][0] != 10 || y[0][1] != 20 ||
      y[0][2] != 30 || y[1][0] != 40 || y[1][1] != 50 || y[1][2] != 60)
    return;
  z[0][0] = x[1] + y[1][0];
}

/* (s32[2], (f32[], pred[3])) -> (f32[], (s32[2], pred[3])) */
void swap(void *out, const void **in) {
  void **results = out;
  const void *const *tuple = in[1];
  void **inner = results[1];
  memcpy(results[0], tuple[0], 4);
  memcpy(inner[0], in[0], 8);
  for (int i = 0; i < 3; ++i)
    ((char *)inner[1])[i] = ((const char *)tuple[1])[i] ? 0 : 7;
}

/* Several results are as a tuple of them. */
void twice(void *out, const void **in) {
  void **results = out;
  *(double *)results[0] = 2 * *(const double *)in[0];
  *(long long *)results[1] = 2 * *(const long long *)in[1];
}

/* Nothing in, nothing out; a token is a null pointer. */
void nothing(void *out, const void **in) {
  (void)in;
  if (out)
    memset(out, 1, 1 << 30);
}
void ordered(void *out, const void **in) {
  void **results = out;
  *(float *)results[0] = in[0] || results[1] ? -1 : *(const float *)in[1];
}

/* ((f32[n], s32[])) -> f32[], the sum of n elements. */
void total(void *out, const void **in) {
  const void *const *tuple = in[0];
  const float *x = tuple[0];
  float sum = 0;
  for (int i = 0; i < *(const int *)tuple[1]; ++i)
    sum += x[i];
  *(float *)out = sum;
}
