#pragma once

#include "window_fixture.hpp"

#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <QtTest>

namespace hinesight::app {

/// The real main window, and a folder for its sessions.
class SessionFixture : public WindowFixture
{
protected:
  QString path(const char* name) const { return folder.filePath(name); }
  void open(const QStringList& paths)
  {
    window->openFiles(paths);
    QTRY_VERIFY_WITH_TIMEOUT(!window->isOpening(), kPatience);
    QVERIFY(waitForJobs());
  }
  void newWindow()
  {
    window.reset();
    QVERIFY(showWindow());
  }

  QTemporaryDir folder;
};

} // namespace hinesight::app
