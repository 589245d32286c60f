# What an installed xlac consists of beside its tools: headers, static libraries, a CMake package, xlac.pc and the lit module.
# Headers whose name ends in internal.h stay private, and those of C++.
include(CMakePackageConfigHelpers)

install(DIRECTORY dialect passes lowering runtime
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/xlac
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*internal.h" EXCLUDE PATTERN "entry_points.def" EXCLUDE
        PATTERN "mlir-c-ext/interfaces.h" EXCLUDE PATTERN "mlir-c-ext/op.h" EXCLUDE)
install(FILES test/lit/xlac_lit.py DESTINATION ${CMAKE_INSTALL_DATADIR}/xlac/lit)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# find_package(xlac) gives xlac::dialect, xlac::passes, xlac::lowering, xlac::runtime, as far as each needs the others.
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
