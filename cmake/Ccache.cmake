# ccache where it is installed, unless the caller named a launcher. It must be told that a
# precompiled header decides by its content, or it caches nothing that uses one. It goes by the
# dependencies that the compiler writes: preprocessing first would be paid by every clean build.
find_program(XTTS_CCACHE ccache)
if(XTTS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_DEPEND=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${XTTS_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endif()
