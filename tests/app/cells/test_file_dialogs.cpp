#include "app/cells_fixture.hpp"
#include "app/files/file_dialogs.hpp"
#include "test_main.hpp"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QSettings>
#include <QTreeView>
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

  /// As a person does, who may have the completer open.
  void typeKeys(QFileDialog* dialog, const QString& text)
  {
    QVERIFY(QTest::qWaitForWindowActive(dialog));
    auto* line = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    line->setFocus();
    line->selectAll();
    const auto receiver = [line]() -> QWidget* {
      return QApplication::activePopupWidget() ? QApplication::activePopupWidget() : line;
    };
    for (const QChar each : text) {
      QTest::keyClick(receiver(), each.toLatin1());
      QTest::qWait(20); // the dialog reads the folders of the path
    }
    QCOMPARE(line->text(), text);
    QTest::keyClick(receiver(), Qt::Key_Return);
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

  /// The list has the folder chosen while the path is no longer than its own.
  void aTypedPathThroughTheShownFolderIsOpened()
  {
    const QString cells = makeFolder("cells");
    rememberOpened(cells);
    auto* asked = ask("openAction", "openDialog");
    QCOMPARE(asked->windowTitle(), QStringLiteral("Open"));
    const auto* files = asked->findChild<QTreeView*>(QStringLiteral("treeView"));
    QTRY_COMPARE(files->model()->rowCount(files->rootIndex()), 1); // it has read its folder
    const QPointer<QFileDialog> open = asked;
    typeKeys(asked, cells + QStringLiteral("/cell.swc"));
    QTRY_VERIFY(!open);
    QTRY_COMPARE_WITH_TIMEOUT(window->cells().rowCount(), 1, kPatience);
    waitForResult();
  }

  void aTypedPathIsSavedThatBeginsAsAFolderDoes()
  {
    window->openFiles({makeFolder("cells") + QStringLiteral("/cell.swc")});
    waitForResult();
    auto* asked = ask("exportTableAction", "exportCellsDialog");
    const QPointer<QFileDialog> open = asked;
    const QString path = folder.filePath(QStringLiteral("cells1.csv"));
    typeKeys(asked, path);
    QTRY_VERIFY(!open);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), kPatience);
    waitForResult();
  }

  void sizesDatesAndTypesOfFilesAreSeenWhole()
  {
    rememberOpened(makeFolder("cells"));
    auto* asked = ask("openAction", "openDialog");
    const auto* files = asked->findChild<QTreeView*>(QStringLiteral("treeView"));
    QTRY_COMPARE(files->model()->rowCount(files->rootIndex()), 1);
    constexpr int kType = 2;
    QVERIFY(files->isColumnHidden(kType));
    for (const int column : {1, 3}) {
      const QModelIndex cell = files->model()->index(0, column, files->rootIndex());
      QTRY_VERIFY(!cell.data().toString().isEmpty());
      const auto width = [&] { return files->fontMetrics().horizontalAdvance(cell.data().toString()); };
      QTRY_VERIFY2(files->columnWidth(column) > width(), qPrintable(cell.data().toString()));
    }
    QVERIFY(files->header()->length() <= files->viewport()->width());
    const auto* types = asked->findChild<QComboBox*>(QStringLiteral("fileTypeCombo"));
    QVERIFY(types->width() >= types->sizeHint().width());
    asked->close();
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
