#include "app/cells_fixture.hpp"
#include "test_main.hpp"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QSettings>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// Where the file dialogs of the real main window begin.
class TestFileDialogs : public QObject, CellsFixture
{
  Q_OBJECT

  /// Of the folder of the test, with a cell in it.
  QString makeFolder(const char* name)
  {
    const QString path = folder.filePath(QLatin1String(name));
    if (!QDir().mkpath(path) || (!QFile::exists(path + "/cell.swc") &&
                                 !QFile::copy(dataFile("stellate.swc"), path + QStringLiteral("/cell.swc"))))
      qFatal("cannot make %s", name);
    return path;
  }

  QFileDialog* ask(const char* action, const char* name)
  {
    find<QAction>(action)->trigger();
    return dialog(name);
  }

  QString beginningOf(const char* action, const char* name)
  {
    auto* asked = ask(action, name);
    const QPointer<QFileDialog> open = asked;
    const QString begins = QDir(asked->directory()).canonicalPath();
    asked->close();
    [&] { QTRY_VERIFY(!open); }();
    return begins;
  }

  static QString canonical(const QString& path) { return QDir(path).canonicalPath(); }

private slots:
  void init()
  {
    QSettings().clear();
    show();
  }
  void cleanup() { window.reset(); }

  void theyBeginWhereTheOpenCellsAre()
  {
    const QString cells = makeFolder("cells");
    window->openFiles({cells + QStringLiteral("/cell.swc")});
    waitForResult();
    for (const auto& [action, name] :
         {std::pair("openAction", "openDialog"), std::pair("openFolderAction", "openFolderDialog"),
          std::pair("saveSessionAsAction", "saveSessionDialog"), std::pair("exportAction", "exportDialog"),
          std::pair("exportTableAction", "exportCellsDialog")})
      QCOMPARE(beginningOf(action, name), canonical(cells));
  }

  /// In it, and not beside it.
  void theyBeginInAFolderThatWasOpened()
  {
    const QString cells = makeFolder("many cells");
    window->openFiles({cells});
    waitForResult();
    QCOMPARE(beginningOf("openAction", "openDialog"), canonical(cells));
    QCOMPARE(beginningOf("saveSessionAsAction", "saveSessionDialog"), canonical(cells));
  }

  /// Also in another window.
  void eachKindKeepsTheFolderThatWasUsedLast()
  {
    const QString cells = makeFolder("cells");
    const QString tables = makeFolder("tables");
    window->openFiles({cells + QStringLiteral("/cell.swc")});
    waitForResult();
    accept(ask("exportTableAction", "exportCellsDialog"), tables + QStringLiteral("/cells.csv"));
    QTRY_VERIFY(QFile::exists(tables + QStringLiteral("/cells.csv")));
    QTRY_VERIFY(!window->findChild<QFileDialog*>(QStringLiteral("exportCellsDialog")));
    QCOMPARE(beginningOf("exportTableAction", "exportCellsDialog"), canonical(tables));
    QCOMPARE(beginningOf("openAction", "openDialog"), canonical(cells));
    window.reset();
    show();
    window->openFiles({cells + QStringLiteral("/cell.swc")});
    waitForResult();
    QCOMPARE(beginningOf("exportTableAction", "exportCellsDialog"), canonical(tables));
    QCOMPARE(beginningOf("openAction", "openDialog"), canonical(cells));
  }

  /// Those that have saved nothing begin where another one did, and what was opened since does not change that.
  void thoseThatSaveBeginWhereSomethingWasSavedLast()
  {
    const QString cells = makeFolder("cells");
    const QString saved = makeFolder("saved");
    window->openFiles({cells + QStringLiteral("/cell.swc")});
    waitForResult();
    accept(ask("exportTableAction", "exportCellsDialog"), saved + QStringLiteral("/of cells.csv"));
    QTRY_VERIFY(QFile::exists(saved + QStringLiteral("/of cells.csv")));
    QTRY_VERIFY(!window->findChild<QFileDialog*>(QStringLiteral("exportCellsDialog")));
    window->openFiles({makeFolder("other cells") + QStringLiteral("/cell.swc")});
    waitForResult();
    QCOMPARE(beginningOf("saveSessionAsAction", "saveSessionDialog"), canonical(saved));
    QCOMPARE(beginningOf("openAction", "openDialog"), canonical(folder.filePath("other cells")));
  }

  void theyBeginWhereTheSessionIs()
  {
    const QString cells = makeFolder("cells");
    const QString work = makeFolder("work");
    window->openFiles({cells + QStringLiteral("/cell.swc")});
    waitForResult();
    accept(ask("saveSessionAsAction", "saveSessionDialog"), work + QStringLiteral("/work.hinesight"));
    QTRY_VERIFY(QFile::exists(work + QStringLiteral("/work.hinesight")));
    window.reset();
    QSettings().clear();
    show();
    window->openFiles({work + QStringLiteral("/work.hinesight")});
    waitForResult();
    QTRY_COMPARE(window->cells().rowCount(), 1);
    QCOMPARE(beginningOf("saveSessionAsAction", "saveSessionDialog"), canonical(work));
    QCOMPARE(beginningOf("exportAction", "exportDialog"), canonical(work));
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestFileDialogs>)
#include "test_file_dialogs.moc"
