#pragma once

#include "app/document/history.hpp"
#include "window_fixture.hpp"

#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <QUndoStack>
#include <QtTest>

namespace hinesight::app {

/// The real main window, in which each change is a step of its own, and a folder for files.
class HistoryFixture : public WindowFixture
{
protected:
  QString path(const char* name) const { return folder.filePath(name); }

  bool newWindow()
  {
    window.reset();
    if (!folder.isValid() || !showWindow())
      return false;
    window->history().setMergeTime(0);
    return true;
  }
  void open(const QStringList& paths)
  {
    window->openFiles(paths);
    QTRY_VERIFY_WITH_TIMEOUT(!window->isOpening(), kPatience);
    settle();
  }
  /// Until the step is made and all that follows from it has ended.
  void settle()
  {
    QCoreApplication::processEvents();
    QVERIFY(waitForJobs());
    QCoreApplication::processEvents();
  }
  void undo()
  {
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window->focusWidget() ? window->focusWidget() : window.get(), Qt::Key_Z, Qt::ControlModifier);
    settle();
  }
  void redo()
  {
    QTest::keyClick(window->focusWidget() ? window->focusWidget() : window.get(), Qt::Key_Z,
                    Qt::ControlModifier | Qt::ShiftModifier);
    settle();
  }
  QUndoStack& stack() const { return window->history().stack(); }

  QTemporaryDir folder;
};

} // namespace hinesight::app
