#pragma once

#include <QString>

namespace hinesight::tests {

/// A file or folder of the repository, such as "docs/example.hinesight".
QString sourceFile(const QString& path);

/// One of tests/data, such as "swc/edge".
QString testData(const QString& path);

/// One of the folder `shared` beside the repository, such as "morphologies/real"; it may be missing.
QString sharedFile(const QString& path);

/// One of the programs that are built, such as "hinesight-cli".
QString programFile(const QString& name);

/// What starts hinesight-mpi on several processes; empty: built without MPI.
QString mpirunFile();

} // namespace hinesight::tests
