# What `cmake --install` puts where: the components cli, window and mpi. Programs carry their samples, shaders, icons and
# themes within themselves, so that an installed tree can be moved. Nothing here has to be built for it but `all`.
include(GNUInstallDirs)

# hinesight_install(PROGRAM COMPONENT): the program, its man pages, and what shells complete its options by. The pages are
# made by the program itself, of its options.
find_program(HINESIGHT_GZIP gzip REQUIRED)
function(hinesight_install program component)
  set(manual "${PROJECT_BINARY_DIR}/manual/${program}")
  add_custom_command(OUTPUT "${manual}/made" DEPENDS ${program}
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${manual}"
    # Leaks of libraries are the matter of tests.
    COMMAND "${CMAKE_COMMAND}" -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:${program}> --write-manual "${manual}"
    COMMAND "${HINESIGHT_GZIP}" -9nr "${manual}/man1"
    COMMAND "${CMAKE_COMMAND}" -E touch "${manual}/made"
    COMMENT "Making the man pages of ${program}" VERBATIM)
  add_custom_target(${program}_pages ALL DEPENDS "${manual}/made")

  install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT ${component})
  install(DIRECTORY "${manual}/man1/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT ${component})
  install(DIRECTORY "${manual}/completion/bash/" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
    COMPONENT ${component})
  install(DIRECTORY "${manual}/completion/zsh/" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions"
    COMPONENT ${component})
  install(DIRECTORY "${manual}/completion/fish/" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d"
    COMPONENT ${component})
  # Of the libraries that are linked statically, where Debian's packages have them.
  install(FILES "${PROJECT_SOURCE_DIR}/resources/install/copyright"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${program}" COMPONENT ${component})
  foreach(library libhdf5-dev libcli11-dev nlohmann-json3-dev)
    if(EXISTS "/usr/share/doc/${library}/copyright")
      install(FILES "/usr/share/doc/${library}/copyright" RENAME "copyright.${library}"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${program}" COMPONENT ${component})
    endif()
  endforeach()
endfunction()

hinesight_install(hinesight-cli cli)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/resources/samples" DESTINATION "${CMAKE_INSTALL_DATADIR}/hinesight"
  COMPONENT cli)
if(HINESIGHT_MPI_ENABLED)
  hinesight_install(hinesight-mpi mpi)
endif()
if(HINESIGHT_GUI)
  hinesight_install(hinesight window)
  set(resources "${PROJECT_SOURCE_DIR}/resources")
  install(FILES "${resources}/install/hinesight.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications"
    COMPONENT window)
  install(FILES "${resources}/install/hinesight.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo"
    COMPONENT window)
  install(FILES "${resources}/install/hinesight-mime.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages"
    RENAME hinesight.xml COMPONENT window)
  install(FILES "${resources}/icons/hinesight.svg" DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps"
    COMPONENT window)
  install(FILES "${resources}/icons/hinesight.png" DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/128x128/apps"
    COMPONENT window)
endif()
