# xlac::mlir: MLIR and LLVM through their C APIs.
#
# libMLIR.so has no C API symbols, so the static libMLIRCAPI*.a are linked in front of it. Their own CMake targets
# would pull in the static MLIR as well, hence the archives are named by path.
set(XLAC_LLVM_VERSION 22)
set(XLAC_LLVM_EXACT 22.1) # LLVM counts 22.1 and 22.2 as different interfaces
find_package(LLVM ${XLAC_LLVM_EXACT} REQUIRED CONFIG
             PATHS /usr/lib/llvm-${XLAC_LLVM_VERSION}/lib/cmake/llvm NO_DEFAULT_PATH)
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_LIBRARY_DIR}")

file(GLOB XLAC_CAPI_ARCHIVES ${LLVM_LIBRARY_DIR}/libMLIRCAPI*.a)
if(NOT XLAC_CAPI_ARCHIVES)
  message(FATAL_ERROR "no libMLIRCAPI*.a in ${LLVM_LIBRARY_DIR}: install libmlir-${XLAC_LLVM_VERSION}-dev (tools/setup does)")
endif()
# The execution engine's archive fixes a pass pipeline that this project does not use.
list(FILTER XLAC_CAPI_ARCHIVES EXCLUDE REGEX "ExecutionEngine")

add_library(xlac_mlir INTERFACE)
add_library(xlac::mlir ALIAS xlac_mlir)
target_include_directories(xlac_mlir SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_directories(xlac_mlir INTERFACE ${LLVM_LIBRARY_DIR})
target_link_libraries(xlac_mlir INTERFACE
  -Wl,--start-group ${XLAC_CAPI_ARCHIVES} -Wl,--end-group MLIR LLVM stdc++ m)
set(XLAC_LLVM_TOOLS_DIR ${LLVM_TOOLS_BINARY_DIR})
