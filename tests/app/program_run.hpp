#pragma once

#include "paths/paths.hpp"
#include "slowness.hpp"

#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace hinesight::tests {

constexpr int kPatience = 60'000 * kSlowness; // ms; software OpenGL on a busy machine

struct Result
{
  int exitStatus = -1;
  bool crashed = false;
  QString output;
  QString errors;
};

inline Result runProgram(const QStringList& arguments, const QProcessEnvironment& environment)
{
  QProcess program;
  program.setProcessEnvironment(environment);
  program.start(programFile("hinesight"), arguments);
  Result result;
  if (!program.waitForFinished(kPatience)) {
    program.kill();
    program.waitForFinished();
    return result;
  }
  result.exitStatus = program.exitCode();
  result.crashed = program.exitStatus() == QProcess::CrashExit;
  result.output = QString::fromUtf8(program.readAllStandardOutput());
  result.errors = QString::fromUtf8(program.readAllStandardError());
  return result;
}

inline Result runProgram(const QStringList& arguments)
{
  return runProgram(arguments, QProcessEnvironment::systemEnvironment());
}

} // namespace hinesight::tests
