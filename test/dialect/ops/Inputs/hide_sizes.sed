# Hides the sizes that xla.set_dimension_size gets from those who know that they are constant.
s/^  %\(\w*\) = xla.set_dimension_size %\(\w*\), %\(\w*\) \(.*\)/  %h_\1 = xla.optimization_barrier %\3 : tensor<i32>\n  %\1 = xla.set_dimension_size %\2, %h_\1 \4/
