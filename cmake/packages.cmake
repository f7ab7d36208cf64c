# Debian packages by CPack: hinesight-cli and, with the window, hinesight. scripts/package calls it. Whoever installs
# them needs no scripts of ours: the triggers of man-db, shared-mime-info, desktop-file-utils and GTK find
# their files by themselves.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hinesight)
set(CPACK_PACKAGE_VENDOR "Hinesight")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulate and solve neurons on GPUs")
set(CPACK_PACKAGE_CONTACT "The Hinesight authors <authors@hinesight.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL cli)
if(HINESIGHT_GUI)
  list(APPEND CPACK_COMPONENTS_ALL window)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_THREADS 0) # as many as there are cores compress

set(CPACK_DEBIAN_CLI_PACKAGE_NAME hinesight-cli)
set(CPACK_DEBIAN_CLI_DESCRIPTION "Hinesight reads reconstructed neurons, discretizes them into compartments,
and schedules and solves their equations on CPUs and GPUs of NVIDIA. It makes
weight tables, forms synapses, grows networks and simulates cells with
channels.
.
This package holds the engine and its commands. It needs no display.")
set(CPACK_DEBIAN_CLI_PACKAGE_SUGGESTS "hinesight, bash-completion")

set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME hinesight)
set(CPACK_DEBIAN_WINDOW_DESCRIPTION "Hinesight opens reconstructed neurons, shows how their equations are scheduled
on a GPU, solves them, and shows what each step costs. It draws weight tables,
synapses and growing networks, and simulates cells with channels.
.
This package holds the window. It draws with OpenGL on an X11 display.")
# Icons in SVG and Mesa's OpenGL are loaded when the program runs.
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "libgl1-mesa-dri, hicolor-icon-theme")
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS "hinesight-cli, fonts-dejavu-core, shared-mime-info, desktop-file-utils")
set(CPACK_DEBIAN_WINDOW_PACKAGE_SUGGESTS "bash-completion")
include(CPack)
