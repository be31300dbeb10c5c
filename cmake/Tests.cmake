# Tests that are not unit tests: the program through its command line (tests/cli, one ctest test per file),
# tools and benchmarks (tests/tools), and the fuzzer.
set(MYXTTS_PYTHON ${PROJECT_SOURCE_DIR}/.venv/bin/python)

function(myxtts_python_tests folder label)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*_test.py
       ${PROJECT_SOURCE_DIR}/${folder}/test_*.py)
  foreach(file IN LISTS files)
    cmake_path(GET file STEM name)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    add_test(NAME ${label}.${name}
      COMMAND ${MYXTTS_PYTHON} -m pytest -q -p no:cacheprovider --durations=5 ${path}
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${label}.${name} PROPERTIES
      LABELS ${label}
      TIMEOUT ${MYXTTS_TEST_TIMEOUT_S}
      ENVIRONMENT "MYXTTS=$<TARGET_FILE:myxtts>;PYTHONDONTWRITEBYTECODE=1")
  endforeach()
endfunction()

myxtts_python_tests(tests/cli integration)
myxtts_python_tests(tests/tools tools)

# voice_test trains for a fixed wall time: it gets both cores and runs first.
set_tests_properties(integration.voice_test PROPERTIES
  PROCESSORS 2
  COST 2000
  TIMEOUT 1500)

# help_test runs every example of every command, some of which train: it runs early.
set_tests_properties(integration.help_test PROPERTIES COST 900 TIMEOUT 400)

# The asan preset builds the fuzzer; the suite of another build folder runs it (MYXTTS_FUZZ_PROGRAM). Two processes
# with different seeds run 27,500 cases on two cores, 20,000 of them audio and metadata. The fuzzer detects hangs
# itself, so the timeout of ctest is long.
file(GLOB fuzz_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/*.cpp)
if(fuzz_sources)
  add_executable(fuzz_front_ends ${fuzz_sources})
  myxtts_join_files(fuzz_front_ends)
  myxtts_warnings(fuzz_front_ends)
  target_include_directories(fuzz_front_ends PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(fuzz_front_ends PRIVATE MYXTTS_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(fuzz_front_ends PRIVATE myxtts_corpus myxtts_checkpoint myxtts_synthesis)
endif()

set(MYXTTS_FUZZ_PROGRAM "" CACHE FILEPATH "Fuzzer of the asan build, run by this test suite")
if(MYXTTS_FUZZ_PROGRAM)
  foreach(seed 1 2)
    add_test(NAME fuzz.front_ends_seed_${seed}
      COMMAND sh -c "exec ${MYXTTS_FUZZ_PROGRAM} $((13750 * \${MYXTTS_TEST_SCALE:-1})) ${seed}")
    set_tests_properties(fuzz.front_ends_seed_${seed} PROPERTIES
      LABELS fuzz
      TIMEOUT 1500
      COST 1000  # starts early, so that short tests fill the other core
      ENVIRONMENT "UBSAN_OPTIONS=print_stacktrace=1")
  endforeach()
endif()
