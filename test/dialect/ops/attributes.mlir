// RUN: xla-opt %s --split-input-file --verify-diagnostics

// A name that is almost one of the operation's is a mistake.
func.func @typo(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{'xla.add' op has no attribute 'broadcast_dimension'; did you mean 'broadcast_dimensions'? [attribute]}}
  %0 = xla.add %a, %b {broadcast_dimension = array<i64: 1>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @generic(%a: tensor<6xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'xla.slice' op has no attribute 'stride'; did you mean 'strides'? [attribute]}}
  %0 = "xla.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 6>, stride = array<i64: 2>} : (tensor<6xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @properties(%a: tensor<6xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'xla.slice' op has no attribute 'stride'; did you mean 'strides'? [attribute]}}
  %0 = "xla.slice"(%a) <{start_indices = array<i64: 0>, limit_indices = array<i64: 6>, stride = array<i64: 2>}> : (tensor<6xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// Attributes that no operation of the dialect has are ignored, with a dialect's
// name or without.
func.func @discardable(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = xla.negate %a {mhlo.sharding = "{replicated}", my.note, name = "n", error_message = "e"} : tensor<2xf32>
  %1 = "xla.negate"(%0) <{}> {mhlo.frontend_attributes = {}, compilation_info = 1} : (tensor<2xf32>) -> tensor<2xf32> loc("here")
  return %1 : tensor<2xf32>
}

// -----

// One that another operation has would mean something here, too.
func.func @others(%a: tensor<2xf32>) -> tensor<2xi1> {
  // expected-error @+1 {{'xla.compare' op has no attribute 'strides', only 'comparison_direction', 'compare_type', 'broadcast_dimensions' [attribute]}}
  %0 = xla.compare %a, %a {comparison_direction = "LT", strides = array<i64: 2>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

// Properties are the operation's own.
func.func @property(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'xla.negate' op has no attribute 'name' [attribute]}}
  %0 = "xla.negate"(%a) <{name = "n"}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @constant() -> tensor<f32> {
  // expected-error @+1 {{'xla.constant' op has no attribute 'vale'; did you mean 'value'? [attribute]}}
  %0 = xla.constant {vale = 1} dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Element types that an operation does not take are named with those it does.
func.func @one(%a: tensor<2xi32>) -> tensor<2xi32> {
  // expected-error @+1 {{'xla.floor' op takes float elements, not s32}}
  %0 = xla.floor %a : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

func.func @two(%a: tensor<2xi32>) -> tensor<2xi32> {
  // expected-error @+1 {{'xla.cosine' op takes float or complex elements, not s32}}
  %0 = xla.cosine %a : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

func.func @three(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'xla.not' op takes pred, signed or unsigned elements, not f32}}
  %0 = xla.not %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
