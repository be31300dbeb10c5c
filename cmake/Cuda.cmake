# libmyxtts_cuda.so: the kernels (src/*/*_cuda.cu) and their functions on tensors (src/*/*_cuda.cpp), and
# cuda_link_check, a program linked with it. myxtts loads the library if a CUDA device is requested.
if(NOT CMAKE_CUDA_COMPILER AND EXISTS /usr/local/cuda/bin/nvcc)
  set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
endif()
# One architecture and its PTX, which newer GPUs compile when they load it.
set(CMAKE_CUDA_ARCHITECTURES 75 CACHE STRING "GPUs to compile for")
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
if(NOT EXISTS ${MYXTTS_LIBTORCH_LIB_DIR}/libtorch_cuda.so)
  message(FATAL_ERROR "libtorch_cuda.so is not in ${MYXTTS_LIBTORCH_LIB_DIR}; run tools/setup.sh")
endif()

# libtorch_cuda depends on cuDNN, NCCL and others, which a machine without a GPU lacks and our code does not
# call. libtorch_cuda must be linked although no symbol of it is used: loading it registers CUDA with LibTorch.
myxtts_import_torch(c10_cuda libc10_cuda.so)
myxtts_import_torch(cuda libtorch_cuda.so)
set_target_properties(LibTorch::cuda PROPERTIES
  INTERFACE_LINK_LIBRARIES "LibTorch::cpu;LibTorch::c10_cuda;CUDA::cudart"
  INTERFACE_LINK_OPTIONS "-Wl,--no-as-needed")

file(GLOB cuda_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*_cuda.cu
     ${PROJECT_SOURCE_DIR}/src/*/*_cuda.cpp)
add_library(myxtts_cuda SHARED ${cuda_sources})
myxtts_warnings(myxtts_cuda)
target_include_directories(myxtts_cuda PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(myxtts_cuda PRIVATE fmt::fmt LibTorch::cuda)
target_link_options(myxtts_cuda PRIVATE -Wl,--no-undefined)
set_target_properties(myxtts_cuda PROPERTIES
  CUDA_STANDARD 17
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
  BUILD_RPATH "$ORIGIN;${MYXTTS_LIBTORCH_LIB_DIR}"
  INSTALL_RPATH "$ORIGIN;${MYXTTS_LIBTORCH_LIB_DIR}")

add_executable(cuda_link_check ${PROJECT_SOURCE_DIR}/tests/cuda/link_check.cpp)
myxtts_warnings(cuda_link_check)
target_link_libraries(cuda_link_check PRIVATE myxtts_step_torch myxtts_cuda LibTorch::cuda)
set_target_properties(cuda_link_check PROPERTIES
  BUILD_RPATH "$ORIGIN;${MYXTTS_LIBTORCH_LIB_DIR}")

# Installed only with the NVIDIA libraries of make build CUDA=1. These stay in the cache folder, so this part
# of an installation is not relocatable.
if(EXISTS ${MYXTTS_LIBTORCH_LIB_DIR}/../../complete-nvidia)
  install(TARGETS myxtts_cuda LIBRARY DESTINATION ${private_libdir})
endif()
