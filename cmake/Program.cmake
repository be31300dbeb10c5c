# The program: myxtts without LibTorch, and libmyxtts_torch.so with the commands that need tensors, which
# myxtts loads on demand.
#
# Libraries are searched next to the program and in ../lib/myxtts (an installed tree is relocatable), in a build
# tree also in the folder of LibTorch. DT_RPATH instead of DT_RUNPATH: libsoxr depends on libgomp.so.1, and only
# with DT_RPATH does the loader use the libgomp of the wheel for it. Two libgomps in one process would be two
# thread pools.
include(GNUInstallDirs)

set(private_libdir ${CMAKE_INSTALL_LIBDIR}/myxtts)
file(RELATIVE_PATH libdir_from_bin /${CMAKE_INSTALL_BINDIR} /${private_libdir})
add_link_options(-Wl,--disable-new-dtags)

add_executable(myxtts src/cli/main.cpp)
myxtts_warnings(myxtts)
target_link_libraries(myxtts PRIVATE myxtts_cli)
# The loaded library uses the symbols of the program that both contain, so that there is one set of signal flags.
set_target_properties(myxtts PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
  ENABLE_EXPORTS ON
  BUILD_RPATH "$ORIGIN;${MYXTTS_LIBTORCH_LIB_DIR}"
  INSTALL_RPATH "$ORIGIN/${libdir_from_bin}")
install(TARGETS myxtts RUNTIME)

if(MYXTTS_WITH_TORCH)
  file(WRITE ${PROJECT_BINARY_DIR}/generated/torch_library.cpp "")
  add_library(myxtts_torch SHARED ${PROJECT_BINARY_DIR}/generated/torch_library.cpp)
  target_link_libraries(myxtts_torch PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,myxtts_cli_torch>)
  set_target_properties(myxtts_torch PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
    BUILD_RPATH "$ORIGIN;${MYXTTS_LIBTORCH_LIB_DIR}"
    INSTALL_RPATH "$ORIGIN")
  add_dependencies(myxtts myxtts_torch)
  install(TARGETS myxtts_torch LIBRARY DESTINATION ${private_libdir})
  foreach(library libtorch_cpu.so libc10.so libgomp.so.1 libcudart.so.13 libcupti.so.13)
    if(EXISTS ${MYXTTS_LIBTORCH_LIB_DIR}/${library})
      install(PROGRAMS ${MYXTTS_LIBTORCH_LIB_DIR}/${library} DESTINATION ${private_libdir})
    endif()
  endforeach()
endif()
install(FILES LICENSE THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
