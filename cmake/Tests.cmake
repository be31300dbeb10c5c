# The tests that are not unit tests: the program from outside (tests/cli, one ctest test per file),
# the tools' own tests, and the fuzzer.
set(XTTS_PYTHON ${PROJECT_SOURCE_DIR}/.venv/bin/python)

function(xtts_python_tests folder label)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*_test.py
       ${PROJECT_SOURCE_DIR}/${folder}/test_*.py)
  foreach(file IN LISTS files)
    cmake_path(GET file STEM name)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    add_test(NAME ${label}.${name}
      COMMAND ${XTTS_PYTHON} -m pytest -q -p no:cacheprovider --durations=5 ${path}
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${label}.${name} PROPERTIES
      LABELS ${label}
      TIMEOUT ${XTTS_TEST_TIMEOUT_S}
      ENVIRONMENT "MYXTTS=$<TARGET_FILE:myxtts>;PYTHONDONTWRITEBYTECODE=1")
  endforeach()
endfunction()

xtts_python_tests(tests/cli integration)
xtts_python_tests(tests/tools tools)

# It trains a voice by the clock: with both cores, and first, so that the short ones follow.
set_tests_properties(integration.voice_test PROPERTIES
  PROCESSORS 2
  COST 2000
  TIMEOUT 1500)

# It runs every example of every verb, some of which train; early, so that the short ones follow.
set_tests_properties(integration.help_test PROPERTIES COST 900 TIMEOUT 400)

# The fuzzer is built by the asan preset and run by the suite of another build folder, which names
# the program. Two processes with seeds of their own share the cases between two cores: 27,500, of
# which 20,000 are audio and metadata. A hang is the program's own business, so ctest waits long.
file(GLOB fuzz_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/*.cpp)
if(fuzz_sources)
  add_executable(fuzz_front_ends ${fuzz_sources})
  xtts_join_files(fuzz_front_ends)
  xtts_warnings(fuzz_front_ends)
  target_include_directories(fuzz_front_ends PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(fuzz_front_ends PRIVATE XTTS_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(fuzz_front_ends PRIVATE xtts_corpus xtts_checkpoint xtts_speak)
endif()

set(XTTS_FUZZ_PROGRAM "" CACHE FILEPATH "The fuzzer of the asan build, to run it in this suite")
if(XTTS_FUZZ_PROGRAM)
  foreach(seed 1 2)
    add_test(NAME fuzz.front_ends_seed_${seed}
      COMMAND sh -c "exec ${XTTS_FUZZ_PROGRAM} $((13750 * \${MYXTTS_TEST_SCALE:-1})) ${seed}")
    set_tests_properties(fuzz.front_ends_seed_${seed} PROPERTIES
      LABELS fuzz
      TIMEOUT 1500
      COST 1000  # first, so that the short ones fill the other core
      ENVIRONMENT "UBSAN_OPTIONS=print_stacktrace=1")
  endforeach()
endif()
