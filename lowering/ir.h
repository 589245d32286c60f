#include "xlac/dialect/ir.h"
