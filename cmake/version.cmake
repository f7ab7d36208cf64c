# The commit and its day, for `--version` and man pages: HINESIGHT_COMMIT ("2f108c4", "2f108c4 with changes"),
# HINESIGHT_COMMIT_DATE. They are found whenever CMake runs, as each of our scripts has it do; what holds them is one
# small source, and a commit alone rebuilds nothing. `git archive` writes them into commit.txt, for builds of tarballs.
set(HINESIGHT_COMMIT "")
find_package(Git QUIET)
if(GIT_FOUND AND EXISTS "${PROJECT_SOURCE_DIR}/.git")
  execute_process(COMMAND "${GIT_EXECUTABLE}" log -1 --abbrev=10 "--format=%h %cs" WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND "${GIT_EXECUTABLE}" diff --quiet HEAD WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    RESULT_VARIABLE changed OUTPUT_QUIET ERROR_QUIET)
else()
  file(STRINGS "${PROJECT_SOURCE_DIR}/cmake/commit.txt" commit LIMIT_COUNT 1)
  set(changed 0)
endif()
if(commit MATCHES "^([0-9a-f]+) ([0-9-]+)$")
  set(HINESIGHT_COMMIT "${CMAKE_MATCH_1}")
  set(HINESIGHT_COMMIT_DATE "${CMAKE_MATCH_2}")
  if(NOT changed EQUAL 0)
    string(APPEND HINESIGHT_COMMIT " with changes")
  endif()
else()
  set(HINESIGHT_COMMIT "unknown, built outside of git")
  string(TIMESTAMP HINESIGHT_COMMIT_DATE "%Y-%m-%d" UTC)
endif()
