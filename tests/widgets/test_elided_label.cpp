#include "gl_test.hpp"
#include "test_main.hpp"
#include "widgets/elided_label.hpp"

#include <QFontMetrics>
#include <QtTest>

using namespace hinesight::widgets;

/// What a label shows of a text that is longer than its room.
class TestElidedLabel : public QObject
{
  Q_OBJECT

private slots:
  void showsNothingWhereNothingCouldBeRead()
  {
    const QString text = QStringLiteral("11 cells, 61,327 segments");
    ElidedLabel label(nullptr, Qt::ElideMiddle);
    label.setText(text);
    const auto shownIn = [&](qsizetype letters) {
      label.resize(label.fontMetrics().horizontalAdvance(text.left(letters)) + 2, 20);
      return label.shownText();
    };
    QCOMPARE(shownIn(text.size()), text);
    QVERIFY(shownIn(15).startsWith(QStringLiteral("11 ")) && shownIn(15).contains(QChar(0x2026)));
    QVERIFY2(shownIn(6).isEmpty(), qPrintable(shownIn(6)));
  }

  void leavesOutWholePartsBeforeLetters()
  {
    ElidedLabel label(nullptr, Qt::ElideMiddle);
    label.cutBetweenParts();
    label.setText(QStringLiteral("12 of 39 cells, 61,327 segments; 2 too far out"));
    const auto shownBeside = [&](const QString& text) {
      label.resize(label.fontMetrics().horizontalAdvance(text) + 2, 20);
      return label.shownText();
    };
    QCOMPARE(shownBeside(label.text()), label.text());
    QCOMPARE(shownBeside(label.text().chopped(2)), QStringLiteral("12 of 39 cells, 61,327 segments"));
    QCOMPARE(shownBeside(QStringLiteral("12 of 39 cells, 61")), QStringLiteral("12 of 39 cells"));
    const QString cut = shownBeside(QStringLiteral("12 of 39 c"));
    QVERIFY2(cut.startsWith(QStringLiteral("12 ")) && cut.contains(QChar(0x2026)), qPrintable(cut));
    label.resize(label.readableWidth(), 20);
    QCOMPARE(label.shownText(), QStringLiteral("12 of 39 cells"));
  }
};

HINESIGHT_TEST_RUN(hinesight::test::runGlTest<TestElidedLabel>)
#include "test_elided_label.moc"
