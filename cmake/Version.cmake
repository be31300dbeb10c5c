# myxtts_version(<target>): generates build_version.h for <target>. Every build runs this file as a script
# (cmake -P), which writes the header only if the version of git or LibTorch has changed.
if(CMAKE_SCRIPT_MODE_FILE)
  set(MYXTTS_GIT_VERSION unknown)
  execute_process(COMMAND git -C ${SOURCE_DIR} describe --tags --always --dirty
                  OUTPUT_VARIABLE description OUTPUT_STRIP_TRAILING_WHITESPACE
                  ERROR_QUIET RESULT_VARIABLE code)
  if(code EQUAL 0 AND EXISTS ${SOURCE_DIR}/.git)
    set(MYXTTS_GIT_VERSION ${description})
  endif()
  configure_file(${SOURCE_DIR}/src/base/build_version.h.in ${OUTPUT} @ONLY)
  return()
endif()

set(myxtts_version_script ${CMAKE_CURRENT_LIST_FILE})

function(myxtts_version target)
  set(folder ${PROJECT_BINARY_DIR}/generated)
  add_custom_target(myxtts_build_version
    COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DOUTPUT=${folder}/build_version.h
            -DPROJECT_VERSION=${PROJECT_VERSION}
            -DMYXTTS_LIBTORCH_VERSION=${MYXTTS_LIBTORCH_VERSION} -P ${myxtts_version_script}
    BYPRODUCTS ${folder}/build_version.h
    COMMENT "Checking the version")
  add_dependencies(${target} myxtts_build_version)
  target_include_directories(${target} PRIVATE ${folder})
  # Every commit changes the version; the rest of the unity build must not be recompiled for that.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/base/version.cpp PROPERTIES
    SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
