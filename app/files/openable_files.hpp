#pragma once

#include "core/error.hpp"
#include "core/run_control.hpp"

#include <QList>
#include <QStringList>

#include <vector>

namespace hinesight::io {
struct NetworkFormat;
}

namespace hinesight::app {

/// A file of synapses between neurons, and the one that says where these are; empty: none does.
struct NetworkFile
{
  QString path, neurons;
};

/// Files by what opens them, by absolute path; samples by the path of their resource.
struct OpenableFiles
{
  QStringList cells;           ///< everything else: what cannot be read says so when it is read
  QStringList tables;          ///< of weights, by their extension
  QList<NetworkFile> networks; ///< by how the file begins, or what an HDF5 file has; folders of RELeARN's ranks
  QList<NetworkFile> either;   ///< SONATA edges of other programs: weights, or synapses of a network
  QStringList sessions;        ///< by their extension
  QStringList models;          ///< to be simulated, by what their JSON says: fits of cells, SONATA simulations
  QStringList circuits;        ///< SONATA configurations, by their extension
  QStringList neurons;         ///< positions of neurons with their types, by how the file begins
  std::vector<Error> problems; ///< folders in which there is nothing to open, and that cannot be looked into
};

/// A folder stands for its cells, the SWC files in it at any depth, or for the network whose ranks it holds. Takes as
/// long as searching the folders and opening the files takes; for any thread. Throws Error(Cancelled).
OpenableFiles sortByKind(const QStringList& paths, const RunControl& control = {});

/// Of files that are told apart from cells, ".csv" and the like.
QStringList tableExtensions();

/// The end of a dialog's filter for one format of networks, "SONATA (*.h5)".
QString filterOf(const io::NetworkFormat& format);
/// Of all of them, "*.csv *.h5" and the like, for the filter of a dialog.
QString networkPatterns();

/// For a dialog: all that can be opened, each kind alone, all files.
QStringList openableFilters();

/// The synthetic cells that come with the program.
QStringList samplePaths();

/// Whether a path is that of a sample.
bool isResource(const QString& path);

} // namespace hinesight::app
