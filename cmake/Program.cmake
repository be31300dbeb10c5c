# The libraries and the program.
#
#   libmyxtts_core.so   every module but cli, without LibTorch
#   libmyxtts.so        the parts of the modules that need LibTorch, and the public interface for voices and
#                       training; it needs libmyxtts_core.so
#   myxtts              the commands; it links libmyxtts_core.so and loads libmyxtts.so on demand
#
# Every symbol is in one of them. libmyxtts.so exports include/myxtts alone. libmyxtts_core.so also exports its
# namespace, for libmyxtts.so and the program of the same build; templates of other libraries stay local.
#
# Libraries are searched next to the program, in ../lib and in ../lib/myxtts (an installed tree is relocatable), in
# a build tree also in the folder of LibTorch. DT_RPATH instead of DT_RUNPATH: libsoxr depends on libgomp.so.1, and
# only with DT_RPATH does the loader use the libgomp of the wheel for it. Two libgomps in one process would be two
# thread pools.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(private_libdir ${CMAKE_INSTALL_LIBDIR}/myxtts)
file(RELATIVE_PATH libdir_from_bin /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
add_link_options(-Wl,--disable-new-dtags)

get_property(modules GLOBAL PROPERTY MYXTTS_MODULES)
list(REMOVE_ITEM modules cli)

# Adds a shared library of the objects of these module targets. Its exported symbols are in cmake/<output>.map.
function(myxtts_shared_library target output)
  cmake_parse_arguments(arg "" "" "OF;LINKS" ${ARGN})
  file(WRITE ${PROJECT_BINARY_DIR}/generated/${target}.cpp "")
  add_library(${target} SHARED ${PROJECT_BINARY_DIR}/generated/${target}.cpp)
  foreach(module IN LISTS arg_OF)
    if(TARGET ${module})
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${module}>)
    endif()
  endforeach()
  # Dependencies are private: the public headers need the standard library alone.
  foreach(link IN LISTS arg_LINKS)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${link}>)
  endforeach()
  set(map ${PROJECT_SOURCE_DIR}/cmake/${output}.map)
  target_link_options(${target} PRIVATE -Wl,--version-script=${map} -Wl,--no-undefined)
  target_include_directories(${target} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} INTERFACE cxx_std_20)
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${output}
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}
    LINK_DEPENDS ${map}
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
    BUILD_RPATH "$ORIGIN;${MYXTTS_LIBTORCH_LIB_DIR}"
    INSTALL_RPATH "$ORIGIN;$ORIGIN/myxtts")
  install(TARGETS ${target} EXPORT myxttsTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

get_property(links GLOBAL PROPERTY MYXTTS_LINKS)
list(REMOVE_DUPLICATES links)
list(TRANSFORM modules PREPEND myxtts_ OUTPUT_VARIABLE core_modules)
myxtts_shared_library(myxtts_core myxtts_core OF ${core_modules} LINKS ${links})
set_target_properties(myxtts_core PROPERTIES EXPORT_NAME core)

if(MYXTTS_WITH_TORCH)
  list(TRANSFORM core_modules APPEND _torch OUTPUT_VARIABLE torch_modules)
  myxtts_shared_library(libmyxtts myxtts OF ${torch_modules} LINKS ${links} LibTorch::cpu)
  target_link_libraries(libmyxtts PUBLIC myxtts_core)
  set_target_properties(libmyxtts PROPERTIES EXPORT_NAME myxtts)
  foreach(library libtorch_cpu.so libc10.so libgomp.so.1 libcudart.so.13 libcupti.so.13)
    if(EXISTS ${MYXTTS_LIBTORCH_LIB_DIR}/${library})
      install(PROGRAMS ${MYXTTS_LIBTORCH_LIB_DIR}/${library} DESTINATION ${private_libdir})
    endif()
  endforeach()
endif()

add_executable(myxtts src/cli/main.cpp $<TARGET_OBJECTS:myxtts_cli>)
myxtts_warnings(myxtts)
target_include_directories(myxtts PRIVATE src)
target_link_libraries(myxtts PRIVATE myxtts_core fmt::fmt ${CMAKE_DL_LIBS})
set_target_properties(myxtts PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
  BUILD_RPATH "$ORIGIN;${MYXTTS_LIBTORCH_LIB_DIR}"
  INSTALL_RPATH "$ORIGIN;$ORIGIN/${libdir_from_bin};$ORIGIN/${libdir_from_bin}/myxtts")
if(TARGET libmyxtts)
  add_dependencies(myxtts libmyxtts)
endif()
install(TARGETS myxtts RUNTIME)

# find_package(myxtts) and pkg-config
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT myxttsTargets NAMESPACE myxtts:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/myxtts)
file(WRITE ${PROJECT_BINARY_DIR}/generated/myxttsConfig.cmake
     "include(\${CMAKE_CURRENT_LIST_DIR}/myxttsTargets.cmake)\n")
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/myxttsConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
configure_file(cmake/myxtts.pc.in generated/myxtts.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/generated/myxttsConfig.cmake
              ${PROJECT_BINARY_DIR}/generated/myxttsConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/myxtts)
install(FILES ${PROJECT_BINARY_DIR}/generated/myxtts.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES LICENSE THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
