#include "app/pages/pages.hpp"
#include "app/pages/view_kind.hpp"
#include "app_fixture.hpp"
#include "hines/solvers.hpp"
#include "structural_similarity.hpp"
#include "test_main.hpp"
#include "widgets/figure/figure.hpp"
#include "window_fixture.hpp"

#include <QAction>
#include <QDir>
#include <QtTest>

#include <map>
#include <utility>

using namespace hinesight;
using namespace hinesight::app;

/// Every view and page on sample data looks as it did: the pictures are in tests/data/pictures. Where a change is
/// wanted, HINESIGHT_WRITE_PICTURES=1 writes them anew; look at them before you keep them.
class TestPictures : public QObject, WindowFixture
{
  Q_OBJECT

  /// Letters of another version of a font, and figures of a time, change less; another cell, curve or colour bar
  /// changes more (see tellsPicturesApart).
  static constexpr double kLeastSimilarity = 0.95;
  static constexpr double kUnchanged = 0.995;
  static constexpr int kSteadyPictures = 10; // longer than a picture takes to become sharp
  static constexpr QSize kSize{800, 500};

  std::map<std::string, QImage> made;

private slots:
  void initTestCase();
  void looksAsItDid_data();
  void looksAsItDid();
  void tellsPicturesApart();
  void cleanupTestCase() { window.reset(); }

private:
  /// The window once nothing in it moves any more.
  QImage steady()
  {
    QImage last;
    int same = 0;
    const auto isSteady = [&] {
      const QImage now = window->grab().toImage();
      same = std::exchange(last, now) == now ? same + 1 : 0;
      return same >= kSteadyPictures;
    };
    [&] { QTRY_VERIFY_WITH_TIMEOUT(isSteady(), kPatience); }();
    return last;
  }
  QImage paint()
  {
    widgets::FigureOptions options;
    options.unit = widgets::FigureUnit::Pixels;
    options.width = kSize.width();
    options.height = kSize.height();
    options.dotsPerInch = 96;
    return widgets::pictureOf(window->figure(), options).pixels();
  }
  static QString fileOf(std::string_view page)
  {
    return QStringLiteral(HINESIGHT_TEST_DATA "/pictures/%1.png").arg(QLatin1String(page.data(), page.size()));
  }
};

void TestPictures::initTestCase()
{
  QSettings().clear();
  QVERIFY(showWindow({1280, 720}));
  if (auto* timings = window->findChild<QAction*>(QStringLiteral("timingsAction")))
    if (timings->isChecked())
      timings->trigger(); // times are others every time
  study::CellParameters parameters = window->parameters();
  parameters.solve.solver = hines::kFine; // whose plan is the same on every machine
  parameters.solve.threads = 2;
  window->setParameters(parameters);
  window->openFiles({dataFile("stellate.swc"), dataFile("bipolar.swc")});
  QVERIFY(waitForJobs());
}

void TestPictures::looksAsItDid_data()
{
  QTest::addColumn<int>("place");
  for (std::size_t place = 0; place < allPages().size(); ++place)
    QTest::newRow(std::string(allPages()[place].name).c_str()) << static_cast<int>(place);
}

void TestPictures::looksAsItDid()
{
  QFETCH(int, place);
  const PageDefinition& page = allPages()[static_cast<std::size_t>(place)];
  window->showView(static_cast<ViewKind>(place));
  QCoreApplication::processEvents();
  QVERIFY(QTest::qWaitFor([this] { return !window->jobs().isActive() && window->jobs().isIdle(); }, kPatience));
  window->settle();
  QCoreApplication::processEvents();
  const QImage screen = steady();
  const QImage picture = paint();
  QCOMPARE(picture.size(), kSize);
  // A light figure leaves the window dark.
  const double unchanged = tests::structuralSimilarity(steady(), screen);
  QVERIFY2(unchanged > kUnchanged, qPrintable(QString::number(unchanged)));
  made[std::string(page.name)] = picture;
  const QString file = fileOf(page.name);
  if (qEnvironmentVariableIsSet("HINESIGHT_WRITE_PICTURES"))
    QVERIFY(picture.save(file));
  const QImage before(file);
  QVERIFY2(!before.isNull(), qPrintable(file));
  const double similarity = tests::structuralSimilarity(picture, before);
  const QString other = QDir::temp().filePath(QFileInfo(file).fileName());
  if (similarity < kLeastSimilarity)
    picture.save(other);
  QVERIFY2(similarity >= kLeastSimilarity,
           qPrintable(QStringLiteral("%1: %2, see %3").arg(file).arg(similarity).arg(other)));
}

/// What the comparison is worth: with one of two cells gone it fails.
void TestPictures::tellsPicturesApart()
{
  window->showView(ViewKind::Morphology);
  window->cells().setVisible(1, false);
  QCoreApplication::processEvents();
  const QImage picture = paint();
  QVERIFY(tests::structuralSimilarity(picture, made["morphology"]) < kLeastSimilarity);
  QCOMPARE(tests::structuralSimilarity(picture, picture), 1.0);
}

HINESIGHT_TEST_RUN(runWindowTest<TestPictures>)
#include "test_pictures.moc"
