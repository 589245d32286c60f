/* A function that gives its argument back, but for the second time a little
 * more: a device that is wrong. */
void second(void *out, const void **in) {
  static int calls;
  for (int i = 0; i < 4; ++i)
    ((float *)out)[i] = ((const float *)in[0])[i] + (++calls == 5 ? 1e-3f : 0);
}
