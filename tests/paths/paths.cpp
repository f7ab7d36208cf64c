#include "paths.hpp"

namespace hinesight::tests {

QString sourceFile(const QString& path)
{
  return QStringLiteral(HINESIGHT_SOURCES "/") + path;
}

QString testData(const QString& path)
{
  return QStringLiteral(HINESIGHT_SOURCES "/tests/data/") + path;
}

QString sharedFile(const QString& path)
{
  return QStringLiteral(HINESIGHT_SOURCES "/../shared/") + path;
}

QString programFile(const QString& name)
{
  return QStringLiteral(HINESIGHT_PROGRAMS "/") + name;
}

QString mpirunFile()
{
  return QStringLiteral(HINESIGHT_MPIRUN);
}

} // namespace hinesight::tests
