# myxtts_module(<name> [DEPENDS ...] [LINKS ...])
#
# Builds the folder src/<name> as library myxtts_<name>, and tests/unit/<name>/*_test.cpp as test program
# <name>_test. Files *_torch.cpp need LibTorch: they are the library myxtts_<name>_torch, and *_torch_test.cpp the
# test program <name>_torch_test; without LibTorch they are not built. Files *_cuda.cpp belong to
# cmake/Cuda.cmake. A call into a module that is not in DEPENDS does not link; tools/check_tree.py also rejects
# the include. Warnings are errors in our code only: package headers are SYSTEM.
include(GoogleTest)

# The disabled warnings of the last two lines are false positives of g++ 12 in inlined code of std::string, which
# vary with the optimisation level. ASan finds real overflows.
function(myxtts_warnings target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Werror>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overread;-Wno-maybe-uninitialized>)
endfunction()

# With MYXTTS_UNITY eight files are compiled as one. That takes a third of the time of a clean build, most of which
# is spent on the same package headers and templates in every file. A change of one file recompiles all eight, so
# the preset dev does not use it. Names in anonymous namespaces must be unique within a module.
function(myxtts_join_files target)
  if(MYXTTS_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

# Precompiles LibTorch's headers, which take seconds per file.
function(myxtts_precompile_torch target)
  if(NOT TARGET myxtts_torch_headers)
    file(WRITE ${PROJECT_BINARY_DIR}/generated/torch_headers.cpp "")
    add_library(myxtts_torch_headers OBJECT ${PROJECT_BINARY_DIR}/generated/torch_headers.cpp)
    target_link_libraries(myxtts_torch_headers PRIVATE LibTorch::cpu)
    target_precompile_headers(myxtts_torch_headers PRIVATE <torch/types.h>)
    set_target_properties(myxtts_torch_headers PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(myxtts_torch_headers PRIVATE -fPIC)
    myxtts_warnings(myxtts_torch_headers)
  endif()
  # Programs would be compiled with -fPIE, which does not match the precompiled header.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${target} PRIVATE -fPIC)
  target_precompile_headers(${target} REUSE_FROM myxtts_torch_headers)
endfunction()

# Precompiles the headers of the tests. Tests are not optimised: there are many, and each takes milliseconds.
# Tests with LibTorch use -O1, because they share the precompiled header of the libraries.
function(myxtts_precompile_tests target)
  if(NOT TARGET myxtts_test_headers)
    file(WRITE ${PROJECT_BINARY_DIR}/generated/test_headers.cpp "")
    add_library(myxtts_test_headers OBJECT ${PROJECT_BINARY_DIR}/generated/test_headers.cpp)
    target_link_libraries(myxtts_test_headers PRIVATE GTest::gtest fmt::fmt)
    target_precompile_headers(myxtts_test_headers PRIVATE
      <filesystem> <string> <vector> <gtest/gtest.h> <fmt/format.h>)
    # The same flags as for programs.
    set_target_properties(myxtts_test_headers PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(myxtts_test_headers PRIVATE -fPIE)
    myxtts_warnings(myxtts_test_headers)
    myxtts_optimise_nothing(myxtts_test_headers)
  endif()
  target_precompile_headers(${target} REUSE_FROM myxtts_test_headers)
endfunction()

function(myxtts_optimise_little target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

function(myxtts_optimise_nothing target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
endfunction()

function(myxtts_test_program program)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${program} ${arg_SOURCES})
  myxtts_join_files(${program})
  myxtts_warnings(${program})
  target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${program} PRIVATE MYXTTS_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${program} PRIVATE ${arg_LINKS} GTest::gtest_main)
  gtest_discover_tests(${program}
    PROPERTIES LABELS unit TIMEOUT ${MYXTTS_TEST_TIMEOUT_S} DISCOVERY_TIMEOUT 60)
endfunction()

function(myxtts_module name)
  cmake_parse_arguments(arg "" "" "DEPENDS;LINKS" ${ARGN})
  list(TRANSFORM arg_DEPENDS PREPEND myxtts_)
  set_property(GLOBAL APPEND PROPERTY MYXTTS_MODULES ${name})
  set_property(GLOBAL APPEND PROPERTY MYXTTS_LINKS ${arg_LINKS})

  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "(/main|_cuda)\\.cpp$")
  set(torch_sources ${sources})
  list(FILTER sources EXCLUDE REGEX "_torch\\.cpp$")
  list(FILTER torch_sources INCLUDE REGEX "_torch\\.cpp$")
  if(sources)
    set(scope PUBLIC)
    add_library(myxtts_${name} STATIC ${sources})
    myxtts_join_files(myxtts_${name})
    myxtts_warnings(myxtts_${name})
  else()
    set(scope INTERFACE)
    add_library(myxtts_${name} INTERFACE)
  endif()
  target_include_directories(myxtts_${name} ${scope}
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(myxtts_${name} ${scope} ${arg_DEPENDS} ${arg_LINKS})

  file(GLOB tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/unit/${name}/*_test.cpp)
  set(torch_tests ${tests})
  list(FILTER tests EXCLUDE REGEX "_torch_test\\.cpp$")
  list(FILTER torch_tests INCLUDE REGEX "_torch_test\\.cpp$")
  if(MYXTTS_BUILD_TESTS AND tests)
    myxtts_test_program(${name}_test SOURCES ${tests} LINKS myxtts_${name})
    myxtts_optimise_nothing(${name}_test)
    myxtts_precompile_tests(${name}_test)
  endif()

  if(MYXTTS_WITH_TORCH AND torch_sources)
    add_library(myxtts_${name}_torch STATIC ${torch_sources})
    myxtts_join_files(myxtts_${name}_torch)
    myxtts_warnings(myxtts_${name}_torch)
    target_link_libraries(myxtts_${name}_torch PUBLIC myxtts_${name} LibTorch::cpu)
    foreach(dependency IN LISTS arg_DEPENDS)
      if(TARGET ${dependency}_torch)
        target_link_libraries(myxtts_${name}_torch PUBLIC ${dependency}_torch)
      endif()
    endforeach()
    myxtts_precompile_torch(myxtts_${name}_torch)
    if(MYXTTS_BUILD_TESTS AND torch_tests)
      myxtts_test_program(${name}_torch_test LINKS myxtts_${name}_torch
        SOURCES ${torch_tests} ${PROJECT_SOURCE_DIR}/tests/support/onednn_limit.cpp)
      myxtts_precompile_torch(${name}_torch_test)
      myxtts_optimise_little(${name}_torch_test)
    endif()
  endif()
endfunction()
