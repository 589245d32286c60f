# Flags of the project's own code. xlac_library(NAME SOURCES...) and xlac_tool(NAME SOURCES...) apply them.
set(XLAC_C_WARNINGS -Wall -Wextra -Werror -Wswitch-enum -Wshadow -Wstrict-prototypes -Wmissing-prototypes
    -Wvla -Wimplicit-fallthrough -Wno-unused-parameter)

# Headers are included as "xlac/dialect/op.h", in the tree as after installation.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include)
file(CREATE_LINK ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/include/xlac SYMBOLIC)

# Only sanitizers and the include folder concern whoever links the installed libraries.
add_library(xlac_flags INTERFACE)
target_include_directories(xlac_flags INTERFACE
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_options(xlac_flags INTERFACE
  "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:C>:${XLAC_C_WARNINGS}>>"
  # Messages name files from the repository's root, wherever it was built.
  "$<BUILD_INTERFACE:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>")
target_compile_definitions(xlac_flags INTERFACE $<BUILD_INTERFACE:_GNU_SOURCE>)
if(XLAC_SANITIZE)
  # Functions compiled at run time have no type in front of them for the sanitizer `function` to read.
  target_compile_options(xlac_flags INTERFACE
    "$<BUILD_INTERFACE:-fsanitize=${XLAC_SANITIZE};-fno-sanitize=function;-fno-omit-frame-pointer;-g;-fno-sanitize-recover=all>")
  target_link_options(xlac_flags INTERFACE -fsanitize=${XLAC_SANITIZE})
endif()
if(XLAC_FUZZ)
  target_compile_options(xlac_flags INTERFACE $<BUILD_INTERFACE:-fsanitize=fuzzer-no-link>)
endif()

# xlac_library(xlacDialect SOURCES..): a static library, installed as xlac::dialect with the folder's public headers.
function(xlac_library name)
  string(REGEX REPLACE "^xlac" "" component ${name})
  string(TOLOWER ${component} component)
  add_library(${name} STATIC ${ARGN})
  add_library(xlac::${component} ALIAS ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${component})
  target_link_libraries(${name} PUBLIC xlac_flags)
  install(TARGETS ${name} EXPORT xlac ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set_property(GLOBAL APPEND PROPERTY XLAC_LIBRARIES ${name})
endfunction()

function(xlac_tool name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE xlac_flags -fuse-ld=lld)
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
