#include "app/cells/cell_list_model.hpp"
#include "app/cells/data_panel.hpp"
#include "app/cells_fixture.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "test_main.hpp"

#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QTextDocument>
#include <QToolButton>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// What is wrong with a file, as the real main window says it.
class TestFileFindings : public QObject, CellsFixture
{
  Q_OBJECT

  static constexpr const char* kLongName = "a_reconstruction_with_a_name_that_is_as_long_as_those_of_archives_are.swc";

  /// With mistakes in lines 2, 3 and 4.
  QString writeDamaged(const char* name)
  {
    const QString path = folder.filePath(QLatin1String(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write("1 1 0 0 0 5 -1\n2 3 a 0 0 1 1\n3 3 1 b 0 1 2\n4 3 1\n") < 0)
      qFatal("cannot write %s", name);
    return path;
  }

  QStringList shownLines() { return find<QLabel>("messageText")->text().split('\n'); }

private slots:
  void init()
  {
    QSettings().clear();
    show();
  }
  void cleanup() { window.reset(); }

  void theBannerHasOneALineUnderTheName()
  {
    const QString path = writeDamaged(kLongName);
    window->openFiles({path});
    waitForResult();
    QTRY_VERIFY(find<MessageBanner>("messageBanner")->isVisible());
    QTRY_COMPARE(shownLines().size(), 4);
    QCOMPARE(shownLines()[0], QLatin1String(kLongName) + QStringLiteral(":"));
    QCOMPARE(shownLines()[1], QStringLiteral("    line 2: field 3 (x) \"a\" is not a number"));
    QCOMPARE(shownLines()[2], QStringLiteral("    line 3: field 4 (y) \"b\" is not a number"));
    QVERIFY2(shownLines()[3].startsWith("    line 4: 3 fields, need 7"), qPrintable(shownLines()[3]));
    // What is copied has the path instead, once.
    QTest::mouseClick(find<QToolButton>("copyMessages"), Qt::LeftButton);
    const QString copied = QGuiApplication::clipboard()->text();
    QCOMPARE(copied.count(QLatin1String(kLongName)), 1);
    QCOMPARE(copied.split('\n').mid(1), shownLines().mid(1));
    QVERIFY2(copied.startsWith(path + QStringLiteral(":\n")), qPrintable(copied));
    QVERIFY(find<QLabel>("messageText")->textInteractionFlags().testFlag(Qt::TextSelectableByMouse));
    // It goes with its file.
    click("removeAllButton");
    waitForResult();
    QTRY_VERIFY(!find<MessageBanner>("messageBanner")->isVisible());
  }

  void filesStandOneBelowTheOther()
  {
    window->openFiles({writeDamaged("first.swc"), dataFile("broken.swc"), writeDamaged("second.swc")});
    waitForResult();
    QTRY_COMPARE(shownLines().size(), 10); // a head, two files of a name and three findings, one in a line
    QCOMPARE(shownLines()[0], QStringLiteral("3 of the 3 open files could not be read:"));
    QCOMPARE(shownLines().count(QStringLiteral("first.swc:")), 1);
    QCOMPARE(shownLines().count(QStringLiteral("second.swc:")), 1);
    QCOMPARE(shownLines().filter(QStringLiteral("broken.swc, line 3: ")).size(), 1);
  }

  void detailsHaveOneALineToo()
  {
    window->openFiles({writeDamaged(kLongName)});
    waitForResult();
    find<DataPanel>("dataPanel")->chooseCell(0);
    const auto* details = find<QLabel>("cellDetails");
    QTextDocument text;
    text.setHtml(details->text());
    const QStringList lines = text.toPlainText().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.filter(QStringLiteral("Line ")).size(), 3);
    QVERIFY2(lines.value(1).startsWith("Line 2: field 3"), qPrintable(lines.join('|')));
    QVERIFY2(lines.value(2).startsWith("Line 3: field 4"), qPrintable(lines.join('|')));
    QVERIFY2(lines.value(3).startsWith("Line 4: 3 fields"), qPrintable(lines.join('|')));
    QVERIFY(!text.toPlainText().contains(folder.path()));
    for (const QString& line : lines.mid(1))
      QVERIFY2(!line.contains(QLatin1String(kLongName)), qPrintable(line));
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestFileFindings>)
#include "test_file_findings.moc"
