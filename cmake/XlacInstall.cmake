# What an installed xlac consists of beside its tools: headers, static libraries, a CMake package, xlac.pc and the lit module.
include(CMakePackageConfigHelpers)

# The public headers, and what they include. All others may change at any time.
set(XLAC_PUBLIC_HEADERS
  dialect/builder.h
  dialect/builder/collective.h
  dialect/builder/c_types.def
  dialect/builder/computation.h
  dialect/builder/constant.h
  dialect/builder/control.h
  dialect/builder/convolution.h
  dialect/builder/elementwise.h
  dialect/builder/index.h
  dialect/builder/library.h
  dialect/builder/movement.h
  dialect/builder/transfer.h
  dialect/builder/window.h
  dialect/dialect.h
  dialect/element_type.def
  dialect/element_type.h
  dialect/error.h
  dialect/families.def
  dialect/interpret/evaluator.h
  dialect/interpret/foreign.h
  dialect/interpret/rendezvous.h
  dialect/literal.h
  dialect/mlir-c-ext/ext.h
  dialect/op.h
  dialect/ops.def
  dialect/shape.h
  formats/module.h
  lowering/array.h
  lowering/client.h
  lowering/cpu/kept.h
  lowering/cpu/target.h
  lowering/executable.h
  lowering/passes.def
  lowering/passes.h
  lowering/stats.h
  passes/fuse/device.h
  passes/import/result.h
  passes/partition/partition.h
  passes/passes.def
  passes/passes.h
  passes/prepare.h
  runtime/cpu/threads.h
  runtime/event.h
  runtime/memory.h
  runtime/npy.h
  runtime/pool.h
  runtime/status.h
  runtime/vulkan/array.h
  runtime/vulkan/device.h
  runtime/vulkan/program.h
)
foreach(header IN LISTS XLAC_PUBLIC_HEADERS)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/xlac/${folder})
endforeach()
file(GLOB rows CONFIGURE_DEPENDS dialect/rows/*.def) # what ops.def consists of
install(FILES ${rows} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/xlac/dialect/rows)
install(FILES test/lit/xlac_lit.py DESTINATION ${CMAKE_INSTALL_DATADIR}/xlac/lit)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN *.md)
install(FILES examples/layer.c examples/roots.c examples/steps.c examples/CMakeLists.txt DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)

# find_package(xlac) gives xlac::dialect, xlac::formats, xlac::passes, xlac::lowering, xlac::runtime, as far as each needs the others.
set(XLAC_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/xlac)
install(TARGETS xlac_flags xlac_mlir EXPORT xlac)
install(EXPORT xlac NAMESPACE xlac:: DESTINATION ${XLAC_CMAKE_DIR} FILE xlac-targets.cmake)
configure_package_config_file(cmake/xlac-config.cmake.in ${PROJECT_BINARY_DIR}/xlac-config.cmake
                              INSTALL_DESTINATION ${XLAC_CMAKE_DIR}
                              PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/xlac-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/xlac-config.cmake ${PROJECT_BINARY_DIR}/xlac-config-version.cmake
        DESTINATION ${XLAC_CMAKE_DIR})

# pkg-config --static is not asked of users: there is no shared xlac.
get_property(XLAC_LIBRARIES GLOBAL PROPERTY XLAC_LIBRARIES)
list(TRANSFORM XLAC_LIBRARIES PREPEND "-l")
list(JOIN XLAC_LIBRARIES " " XLAC_PC_LIBRARIES)
list(GET LLVM_INCLUDE_DIRS 0 XLAC_LLVM_INCLUDE_DIR)
list(JOIN XLAC_CAPI_ARCHIVES " " XLAC_PC_ARCHIVES)
set(XLAC_PC_SANITIZE "")
if(XLAC_SANITIZE)
  set(XLAC_PC_SANITIZE "-fsanitize=${XLAC_SANITIZE}")
endif()
configure_file(cmake/xlac.pc.in ${PROJECT_BINARY_DIR}/xlac.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/xlac.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
