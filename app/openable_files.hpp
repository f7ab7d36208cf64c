#pragma once

#include <QStringList>

namespace hinesight::app {

/// Files by what opens them, by absolute path; samples by the path of their resource.
struct OpenableFiles
{
  QStringList cells;    ///< everything else: what cannot be read says so when it is read
  QStringList tables;   ///< of weights, by their extension
  QStringList networks; ///< of synapses between neurons, by how the file begins; folders
  QStringList neurons;  ///< positions of neurons with their types, by how the file begins
};

OpenableFiles sortByKind(const QStringList& paths);

/// Of files that are told apart from cells, ".csv" and the like.
QStringList tableExtensions();

/// For a dialog: all that can be opened, each kind alone, all files.
QStringList openableFilters();

/// The synthetic cells that come with the program.
QStringList samplePaths();

/// Whether a path is that of a sample.
bool isResource(const QString& path);

} // namespace hinesight::app
