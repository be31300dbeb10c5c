# xtts_module(<name> [DEPENDS ...] [LINKS ...])
#
# One folder src/<name>, one library xtts_<name>, one test program <name>_test made of all
# tests/unit/<name>/*_test.cpp. Calling into a module that is not in DEPENDS does not link;
# tools/check.sh refuses the include as well. Warnings are errors in our code only: package
# headers come in as SYSTEM.
include(GoogleTest)

function(xtts_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
endfunction()

function(xtts_module name)
  cmake_parse_arguments(arg "" "" "DEPENDS;LINKS" ${ARGN})
  list(TRANSFORM arg_DEPENDS PREPEND xtts_)

  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  if(sources)
    set(scope PUBLIC)
    add_library(xtts_${name} STATIC ${sources})
    xtts_warnings(xtts_${name})
  else()
    set(scope INTERFACE)
    add_library(xtts_${name} INTERFACE)
  endif()
  target_include_directories(xtts_${name} ${scope} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(xtts_${name} ${scope} ${arg_DEPENDS} ${arg_LINKS})

  file(GLOB tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/unit/${name}/*_test.cpp)
  if(tests)
    add_executable(${name}_test ${tests})
    xtts_warnings(${name}_test)
    target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_compile_definitions(${name}_test PRIVATE
      XTTS_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_link_libraries(${name}_test PRIVATE xtts_${name} GTest::gtest_main)
    gtest_discover_tests(${name}_test PROPERTIES LABELS unit DISCOVERY_TIMEOUT 60)
  endif()
endfunction()
