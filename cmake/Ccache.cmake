# Uses ccache if it is installed and no other launcher is set. The sloppiness settings are needed to cache
# files with precompiled headers. The depend mode uses the dependency files of the compiler and saves the
# preprocessing in a clean build.
find_program(MYXTTS_CCACHE ccache)
if(MYXTTS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_DEPEND=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${MYXTTS_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endif()
