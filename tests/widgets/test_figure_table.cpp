#include "figure_drawing.hpp"
#include "gl_test.hpp"
#include "test_main.hpp"
#include "widgets/figure/figure_table.hpp"

#include <QRegularExpression>
#include <QStandardItemModel>
#include <QtTest>

#include <memory>

using namespace hinesight::widgets;

/// What a figure has of a table, in letters that another program reads.
class TestFigureTable : public QObject
{
  Q_OBJECT

  static constexpr int kNumbers = 9;

  std::unique_ptr<QStandardItemModel> model;
  std::unique_ptr<FigureTable> table;

  /// Of a kind, and numbers with titles of two words.
  void fill(int rows)
  {
    model = std::make_unique<QStandardItemModel>(rows, kNumbers + 1);
    model->setHeaderData(0, Qt::Horizontal, QStringLiteral("Kind"));
    for (int column = 1; column <= kNumbers; ++column)
      model->setHeaderData(column, Qt::Horizontal, QStringLiteral("Quantity%1 µm").arg(column));
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column <= kNumbers; ++column) {
        auto* item = new QStandardItem(column == 0 ? QStringLiteral("kind%1").arg(row)
                                                   : QStringLiteral("%1.%2").arg(row + 10).arg(column));
        item->setTextAlignment(column == 0 ? Qt::AlignLeft : Qt::AlignRight);
        model->setItem(row, column, item);
      }
    table->setModel(model.get());
  }
  QString drawnIn(const QSizeF& size) { return hinesight::test::drawingOf(*table, size); }
  /// How many columns of numbers there are.
  static int columnsIn(const QString& drawing)
  {
    int columns = 0;
    for (int column = 1; column <= kNumbers; ++column)
      columns += drawing.contains(QStringLiteral("Quantity%1").arg(column)) &&
                 drawing.contains(QStringLiteral("10.%1<").arg(column));
    return columns;
  }

private slots:
  void init() { table = std::make_unique<FigureTable>(QStringLiteral("Totals")); }
  void cleanup()
  {
    table.reset();
    model.reset();
  }

  void allColumnsStandSideBySideWhereThereIsRoom()
  {
    fill(3);
    const QString drawing = drawnIn({1200, 200});
    QCOMPARE(columnsIn(drawing), kNumbers);
    QCOMPARE(drawing.count(QStringLiteral("kind0<")), 1);
    QCOMPARE(drawing.count(QStringLiteral("Quantity1 µm<")), 1); // in one line
    QVERIFY(drawing.contains(QStringLiteral("Totals")));
  }

  /// Titles in two lines and smaller gaps come before anything else.
  void titlesTakeSeveralLinesWhereThereIsLessRoom()
  {
    fill(3);
    const QString drawing = drawnIn({760, 200});
    QCOMPARE(columnsIn(drawing), kNumbers);
    QCOMPARE(drawing.count(QStringLiteral("kind0<")), 1);
    QVERIFY(!drawing.contains(QStringLiteral("Quantity1 µm<")));
  }

  /// With the kinds once more before them.
  void columnsStandBelowOthersWhereThereIsLittleRoom()
  {
    fill(3);
    const QString drawing = drawnIn({260, 400});
    QCOMPARE(columnsIn(drawing), kNumbers);
    QVERIFY(drawing.count(QStringLiteral("kind0<")) > 1);
    QCOMPARE(drawing.count(QStringLiteral("kind0<")), drawing.count(QStringLiteral("kind2<")));
    QVERIFY(!drawing.contains(QStringLiteral("without its last")));
    QVERIFY(!drawing.contains(QStringLiteral("more rows")));
    // In letters of 6 pt at the least.
    auto sizes = QRegularExpression(QStringLiteral(R"~(font-size="([0-9.]+)")~")).globalMatch(drawing);
    QVERIFY(sizes.hasNext());
    while (sizes.hasNext())
      QVERIFY(sizes.next().captured(1).toDouble() >= 0.67 * table->font().pointSizeF() - 0.1);
  }

  /// Where titles take several lines, some rows have room below them.
  void theLeastHeightIsThatOfTitlesAndSomeRows()
  {
    fill(40);
    const auto least = [this](double width) { return table->leastSize(width).height(); };
    QVERIFY(least(760) > least(1200));
    for (const double width : {1200, 760}) {
      const QString drawing = drawnIn({width, least(width)});
      QCOMPARE(columnsIn(drawing), kNumbers);
      QVERIFY(drawing.count(QRegularExpression(QStringLiteral("kind\\d+<"))) >= 2); // and a line that counts the others
    }
  }

  void whatHasNoRoomIsCounted()
  {
    fill(40);
    const QString drawing = drawnIn({1200, 200});
    QCOMPARE(columnsIn(drawing), kNumbers);
    const auto more = QRegularExpression(QStringLiteral("and (\\d+) more rows")).match(drawing);
    QVERIFY(more.hasMatch());
    QCOMPARE(drawing.count(QRegularExpression(QStringLiteral("kind\\d+<"))) + more.captured(1).toInt(), 40);
    const QString tiny = drawnIn({200, 90});
    const auto columns = QRegularExpression(QStringLiteral("without its last (\\d+) columns")).match(tiny);
    QVERIFY(columns.hasMatch());
    QVERIFY(columns.captured(1).toInt() < kNumbers);
  }
};

HINESIGHT_TEST_RUN(hinesight::test::runGlTest<TestFigureTable>)
#include "test_figure_table.moc"
