# xtts_version(<target>): gives <target> build_facts.h, which is looked at in every build and
# written only when git's answer or LibTorch's version has changed. Run as a script (cmake -P) it
# is the step that writes it.
if(CMAKE_SCRIPT_MODE_FILE)
  set(XTTS_GIT_VERSION unknown)
  execute_process(COMMAND git -C ${SOURCE_DIR} describe --tags --always --dirty
                  OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE
                  ERROR_QUIET RESULT_VARIABLE code)
  if(code EQUAL 0 AND EXISTS ${SOURCE_DIR}/.git)
    set(XTTS_GIT_VERSION ${answer})
  endif()
  configure_file(${SOURCE_DIR}/src/base/build_facts.h.in ${OUTPUT} @ONLY)
  return()
endif()

set(xtts_version_script ${CMAKE_CURRENT_LIST_FILE})

function(xtts_version target)
  set(folder ${PROJECT_BINARY_DIR}/generated)
  add_custom_target(xtts_build_facts
    COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DOUTPUT=${folder}/build_facts.h
            -DPROJECT_VERSION=${PROJECT_VERSION}
            -DXTTS_LIBTORCH_VERSION=${XTTS_LIBTORCH_VERSION} -P ${xtts_version_script}
    BYPRODUCTS ${folder}/build_facts.h
    COMMENT "Looking at the version")
  add_dependencies(${target} xtts_build_facts)
  target_include_directories(${target} PRIVATE ${folder})
  # Every commit changes what it says; its neighbours need not be compiled again for that.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/base/version.cpp PROPERTIES
    SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
