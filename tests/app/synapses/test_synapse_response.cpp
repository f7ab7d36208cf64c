#include "app/shell/main_window.hpp"
#include "app/synapses/formation_controller.hpp"

#include "app/app_fixture.hpp"
#include "app/synapses/formation_page.hpp"
#include "app/synapses/formation_panel.hpp"
#include "app/window_fixture.hpp"
#include "cancellation.hpp"
#include "test_main.hpp"
#include "widgets/charts/step_chart.hpp"

#include <QComboBox>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

namespace {

constexpr int kLongPatience = 60'000 * tests::kSlowness; // ms

study::FormationRequest requestOf(std::uint32_t neurons)
{
  study::FormationRequest request;
  request.source.placement.neurons = neurons;
  request.source.placement.excitatory = 0.8;
  return request;
}

} // namespace

/// What keeps the real main window responsive at its page of synapses: work is done beside its thread, drawing is put
/// off, charts are thinned out, and what is formed can be stopped. bench_response says how responsive it is.
class TestSynapseResponse : public QObject, WindowFixture
{
  Q_OBJECT

private slots:
  void initTestCase()
  {
    QVERIFY(showWindow());
    find<FormationPanel>("formationPanel")->setRequest(requestOf(2000));
    window->showView(ViewKind::Synapses);
    waitForSynapses();
  }
  void cleanupTestCase() { window.reset(); }

  void formsBesideTheWindow();
  void drawsNothingWhileTheMouseMoves();
  void looksUpASelectionBesideTheWindow();
  void bundlesBesideTheWindow();
  void chartsHaveFewPointsOfManySteps();
  void stopsInTheMidstOfEveryStage();

private:
  FormationPage& page() const { return window->synapses(); }
  widgets::VtkWidget& canvas() const { return *page().view().canvas(); }
  void waitForSynapses()
  {
    QTRY_VERIFY_WITH_TIMEOUT(page().view().scene().formation() && !window->jobs().isActive(), kLongPatience);
  }
};

void TestSynapseResponse::formsBesideTheWindow()
{
  const auto before = page().view().scene().formation();
  QTest::mouseClick(find<QPushButton>("formationForm"), Qt::LeftButton);
  QVERIFY(window->jobs().isActive(kSynapses));
  QCOMPARE(page().view().scene().formation(), before);
  const QSignalSpy drawn(&canvas(), &widgets::VtkWidget::rendered);
  waitForSynapses();
  QVERIFY(page().view().scene().formation() != before);
  QTRY_VERIFY_WITH_TIMEOUT(drawn.count() > 0, kLongPatience);
}

void TestSynapseResponse::drawsNothingWhileTheMouseMoves()
{
  QSignalSpy drawn(&canvas(), &widgets::VtkWidget::rendered);
  QPointF pixel(canvas().width() / 2.0, canvas().height() / 2.0);
  QTest::mousePress(&canvas(), Qt::LeftButton, {}, pixel.toPoint());
  drawn.clear();
  for (int step = 0; step < 20; ++step) {
    pixel += QPointF(9, 3);
    QMouseEvent event(QEvent::MouseMove, pixel, canvas().mapToGlobal(pixel), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&canvas(), &event);
  }
  QCOMPARE(drawn.count(), 0);
  QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, pixel.toPoint());
  QTRY_VERIFY_WITH_TIMEOUT(drawn.count() > 0, kLongPatience);
}

void TestSynapseResponse::looksUpASelectionBesideTheWindow()
{
  const QPointF middle(canvas().width() / 2.0, canvas().height() / 2.0);
  QTest::mouseClick(&canvas(), Qt::LeftButton, {}, middle.toPoint());
  QVERIFY(page().selection());
  QVERIFY(!page().view().scene().search());
  QTRY_VERIFY_WITH_TIMEOUT(page().view().scene().search(), kLongPatience);
  QTest::mouseClick(find<QPushButton>("formationDeselect"), Qt::LeftButton);
  QVERIFY(!page().view().scene().search());
}

void TestSynapseResponse::bundlesBesideTheWindow()
{
  auto* look = find<QComboBox>("formationSynapseLookCombo");
  look->setCurrentIndex(static_cast<int>(widgets::SynapseLook::Bundles));
  QVERIFY(page().view().overlay().bundles().empty());
  QTRY_VERIFY_WITH_TIMEOUT(!page().view().overlay().bundles().empty(), kLongPatience);
}

void TestSynapseResponse::chartsHaveFewPointsOfManySteps()
{
  widgets::StepChart chart(QStringLiteral("Calcium"), QString(), {{QStringLiteral("mean")}}, nullptr);
  constexpr std::uint32_t kSteps = 100'000;
  std::size_t most = 0;
  for (std::uint32_t step = 1; step <= kSteps; ++step) {
    chart.append(step, {0.5});
    most = std::max(most, chart.points());
  }
  QCOMPARE(chart.lastStep(), kSteps);
  QVERIFY2(most <= 512, std::to_string(most).c_str());
}

/// Neurons, tree, search, conflicts, synapses, what the page draws: each looks again after it has begun.
void TestSynapseResponse::stopsInTheMidstOfEveryStage()
{
  const auto form = [](const RunControl& control) {
    FormationPictures().of(study::FormationStudy().run(requestOf(100'000), control), false, control);
  };
  const tests::Checkpoints checkpoints(form);
  for (const char* stage : {"positions", "codes", "sort", "nodes", "vacant", "search", "resolve", "edges", "picture"})
    QVERIFY2(checkpoints.of(stage) >= 2, stage);
  QVERIFY(tests::endsWhereCancelled(form, checkpoints.all()));
}

HINESIGHT_TEST_RUN(runWindowTest<TestSynapseResponse>)

#include "test_synapse_response.moc"
