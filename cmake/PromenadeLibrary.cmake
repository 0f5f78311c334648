# Warnings and floating-point rules for everything of ours.
add_library(promenade_options INTERFACE)
target_compile_options(promenade_options INTERFACE
  -Wall -Wextra -Werror=switch -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  # The same result on every machine that runs the same binary: no contraction, no fast-math.
  -ffp-contract=off)

# With sanitizers Boost.Beast is compiled in a third of the time so, what protoc generates in less than half. Not for
# folders that use Eigen: the linker keeps one copy of what several folders instantiate, and steps of the physics would
# run unoptimised, four times slower.
set(PROMENADE_UNOPTIMIZED "" CACHE STRING "Folders of server/, and proto, that are compiled with -O0")
# Where rooms spend their time. Clang inlines nothing with -O1, and little where each member access is checked for null
# and alignment; without both a step takes half the time, and the compiler no longer.
set(PROMENADE_OPTIMIZED "" CACHE STRING "Folders of server/ that are compiled with PROMENADE_OPTIMIZED_BY")
set(PROMENADE_OPTIMIZED_BY "-O2" CACHE STRING "Options of the compiler for PROMENADE_OPTIMIZED")

include(cmake/UnityGroups.cmake)

# promenade_library(NAME SOURCES a.cpp ... DEPENDS promenade::math ...)
# One library a folder of server/; headers are included as "folder/file.h".
function(promenade_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(promenade_${name} STATIC ${ARG_SOURCES})
  add_library(promenade::${name} ALIAS promenade_${name})
  target_include_directories(promenade_${name} PUBLIC ${PROJECT_SOURCE_DIR}/server)
  target_link_libraries(promenade_${name} PUBLIC ${ARG_DEPENDS} PRIVATE promenade_options ${ARG_PRIVATE_DEPENDS})
  if(name IN_LIST PROMENADE_UNOPTIMIZED)
    target_compile_options(promenade_${name} PRIVATE -O0)
  elseif(name IN_LIST PROMENADE_OPTIMIZED)
    target_compile_options(promenade_${name} PRIVATE ${PROMENADE_OPTIMIZED_BY})
  endif()
  promenade_group_sources(promenade_${name})
endfunction()
