# Defines LibTorch::cpu and myxtts_import_torch(), which imports further libraries. The CMake files of the wheel are not
# used, because they fail without a CUDA toolkit. Sets MYXTTS_LIBTORCH_VERSION and MYXTTS_LIBTORCH_LIB_DIR.
#
# Searches below CMAKE_PREFIX_PATH (PREFIX/include/torch), then in the cache folder of tools/setup.sh. Version
# 2.13 is tested; other versions give a warning, versions before 2.8 an error.

set(MYXTTS_LIBTORCH_TESTED 2.13)
set(MYXTTS_LIBTORCH_OLDEST 2.8)

function(myxtts_libtorch_cache_dir result)
  file(STRINGS ${PROJECT_SOURCE_DIR}/tools/wheels.lock line
       REGEX "^${CMAKE_SYSTEM_PROCESSOR} +torch ")
  string(REGEX MATCH "[0-9a-f]+$" hash "${line}")
  string(SUBSTRING "${hash}" 0 16 hash)
  if(DEFINED ENV{XDG_CACHE_HOME} AND NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
    set(cache $ENV{XDG_CACHE_HOME})
  else()
    set(cache $ENV{HOME}/.cache)
  endif()
  set(${result} ${cache}/myxtts/libtorch-${hash}/torch PARENT_SCOPE)
endfunction()

function(myxtts_libtorch_version dir result)
  # The header with the version differs between releases.
  foreach(header torch/headeronly/version.h torch/csrc/api/include/torch/version.h torch/version.h)
    if(EXISTS ${dir}/include/${header})
      file(READ ${dir}/include/${header} text)
      set(version)
      foreach(part MAJOR MINOR PATCH)
        if(text MATCHES "define TORCH_VERSION_${part} ([0-9]+)")
          list(APPEND version ${CMAKE_MATCH_1})
        endif()
      endforeach()
      if(version)
        list(JOIN version . version)
        set(${result} ${version} PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
  set(${result} "" PARENT_SCOPE)
endfunction()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${PROJECT_SOURCE_DIR}/tools/wheels.lock)
set(candidates ${CMAKE_PREFIX_PATH})
myxtts_libtorch_cache_dir(cache_dir)
list(APPEND candidates ${cache_dir})
foreach(candidate IN LISTS candidates)
  if(EXISTS ${candidate}/lib/libtorch_cpu.so AND IS_DIRECTORY ${candidate}/include/torch)
    set(torch_dir ${candidate})
    break()
  endif()
endforeach()
if(NOT torch_dir)
  message(FATAL_ERROR "LibTorch not found in ${cache_dir} nor below CMAKE_PREFIX_PATH. "
          "Run tools/setup.sh, or configure with -DMYXTTS_WITH_TORCH=OFF.")
endif()

myxtts_libtorch_version(${torch_dir} MYXTTS_LIBTORCH_VERSION)
if(MYXTTS_LIBTORCH_VERSION VERSION_LESS MYXTTS_LIBTORCH_OLDEST)
  message(FATAL_ERROR "LibTorch ${MYXTTS_LIBTORCH_VERSION} in ${torch_dir} is too old: "
          "expected ${MYXTTS_LIBTORCH_OLDEST} or later; ${MYXTTS_LIBTORCH_TESTED} is tested.")
elseif(NOT MYXTTS_LIBTORCH_VERSION MATCHES "^${MYXTTS_LIBTORCH_TESTED}\\.")
  message(WARNING "LibTorch ${MYXTTS_LIBTORCH_VERSION} in ${torch_dir}: "
          "only ${MYXTTS_LIBTORCH_TESTED} is tested.")
else()
  message(STATUS "LibTorch ${MYXTTS_LIBTORCH_VERSION} in ${torch_dir}")
endif()
set(MYXTTS_LIBTORCH_LIB_DIR ${torch_dir}/lib)

function(myxtts_import_torch name file)
  add_library(LibTorch::${name} SHARED IMPORTED)
  set_target_properties(LibTorch::${name} PROPERTIES
    IMPORTED_LOCATION ${torch_dir}/lib/${file}
    INTERFACE_INCLUDE_DIRECTORIES
      "${torch_dir}/include;${torch_dir}/include/torch/csrc/api/include")
endfunction()

myxtts_import_torch(c10 libc10.so)
myxtts_import_torch(cpu libtorch_cpu.so)
# Without -fopenmp at::parallel_for is silently serial. The flag is for compilation only: for linking it would
# add the libgomp of Debian to that of the wheel.
# libtorch_cpu depends on libcudart and libcupti, which our code does not use.
set_target_properties(LibTorch::cpu PROPERTIES
  INTERFACE_COMPILE_OPTIONS $<$<COMPILE_LANGUAGE:CXX>:-fopenmp>
  INTERFACE_COMPILE_DEFINITIONS _GLIBCXX_USE_CXX11_ABI=1
  INTERFACE_LINK_LIBRARIES "LibTorch::c10;${torch_dir}/lib/libgomp.so.1"
  INTERFACE_LINK_OPTIONS "-Wl,--allow-shlib-undefined;-Wl,-rpath-link,${torch_dir}/lib")
