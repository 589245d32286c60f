# Flags of the project's own code. xlac_library(NAME SOURCES...) and xlac_tool(NAME SOURCES...) apply them.
set(XLAC_C_WARNINGS -Wall -Wextra -Werror -Wswitch-enum -Wshadow -Wstrict-prototypes -Wmissing-prototypes
    -Wvla -Wimplicit-fallthrough -Wno-unused-parameter)

# Headers are included as "xlac/dialect/op.h", in the tree as after installation.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include)
file(CREATE_LINK ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/include/xlac SYMBOLIC)

add_library(xlac_flags INTERFACE)
target_include_directories(xlac_flags INTERFACE ${PROJECT_BINARY_DIR}/include)
target_compile_options(xlac_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:${XLAC_C_WARNINGS}>)
# Messages name files from the repository's root, wherever it was built.
target_compile_options(xlac_flags INTERFACE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
target_compile_definitions(xlac_flags INTERFACE _GNU_SOURCE)
if(XLAC_SANITIZE)
  target_compile_options(xlac_flags INTERFACE -fsanitize=${XLAC_SANITIZE} -fno-omit-frame-pointer -g
                         -fno-sanitize-recover=all)
  target_link_options(xlac_flags INTERFACE -fsanitize=${XLAC_SANITIZE})
endif()
if(XLAC_FUZZ)
  target_compile_options(xlac_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

function(xlac_library name)
  add_library(${name} STATIC ${ARGN})
  target_link_libraries(${name} PUBLIC xlac_flags)
endfunction()

function(xlac_tool name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE xlac_flags -fuse-ld=lld)
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
