#pragma once

#include "core/files.hpp"
#include "model/session_file.hpp"
#include "typed_path.hpp"
#include "window_fixture.hpp"

#include <QAction>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QPushButton>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <QtTest>

#include <string>

namespace hinesight::app {

/// The real main window, and a folder for its sessions.
class SessionFixture : public WindowFixture
{
protected:
  QString path(const char* name) const { return folder.filePath(name); }
  /// Without runs: to open a session makes more of them.
  std::string savedText(const char* name) const
  {
    const std::string text = readFile(path(name).toStdString());
    return model::textBeforeRuns(text).value_or(text);
  }
  void open(const QStringList& paths)
  {
    window->openFiles(paths);
    QTRY_VERIFY_WITH_TIMEOUT(!window->isOpening(), kPatience);
    QVERIFY(waitForJobs());
  }
  /// By the menu and the dialog.
  void save(const char* name)
  {
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    find<QAction>("saveSessionAsAction")->trigger();
    auto* dialog = find<QFileDialog>("saveSessionDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    QTRY_VERIFY_WITH_TIMEOUT(typedPath(*dialog, path(name)), kPatience);
    auto* button = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save);
    QTRY_VERIFY(button->isEnabled());
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path(name)), kPatience);
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
