// erf_inv of f64 keeps its digits near 1 and -1, where erf is flat.
// RUN: xla-run %s --device=all --input="8xf64=0.5 -0.75 0.999 -0.9999999 0.99999994 0.9999999999 -0.99999999999999 0.9999999999999999" --expected-output="8xf64=0.47693627620446987 -0.81341984759761854 2.3267537655135245 -3.7665625816384709 3.8316710514352172 4.5728249585449249 -5.4725525174145354 5.8635847487551679" --rtol=2e-15 --atol=0
// RUN: xla-run %s --device=all --input="8xf64=0 -0 1 -1 1.5 -inf nan 1e-300" --expected-output="8xf64=0 -0 inf -inf nan nan nan 8.862269254527580e-301"
func.func @main(%x: tensor<8xf64>) -> tensor<8xf64> {
  %0 = "chlo.erf_inv"(%x) : (tensor<8xf64>) -> tensor<8xf64>
  return %0 : tensor<8xf64>
}
