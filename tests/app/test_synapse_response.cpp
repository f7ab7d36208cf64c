#include "app/shell/main_window.hpp"

#include "app/plasticity/plasticity_page.hpp"
#include "app/synapses/formation_page.hpp"
#include "app/synapses/formation_panel.hpp"
#include "app_fixture.hpp"
#include "busy_watch.hpp"
#include "cancellation.hpp"
#include "slowness.hpp"
#include "test_main.hpp"
#include "widgets/synapse/synapse_charts.hpp"

#include <QComboBox>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

namespace {

constexpr int kPatience = 60'000 * tests::kSlowness;     // ms
constexpr double kMostToDraw = 5000 * tests::kSlowness;  // ms, from the click to the picture
constexpr double kMostToCancel = 100 * tests::kSlowness; // ms of the processors
constexpr double kMostBusy = 16 * tests::kSlowness;      // ms of the window's thread, for one event
constexpr std::uint32_t kNeurons = 50'000;               ///< HINESIGHT_RESPONSE_NEURONS measures another number

std::uint32_t neuronsToForm()
{
  const int wanted = qEnvironmentVariableIntValue("HINESIGHT_RESPONSE_NEURONS");
  return wanted > 0 ? static_cast<std::uint32_t>(wanted) : kNeurons;
}

WatchedApplication& application()
{
  return *static_cast<WatchedApplication*>(qApp);
}

} // namespace

/// How quick the page of synapses is in the real main window, with many neurons.
class TestSynapseResponse : public QObject
{
  Q_OBJECT

private slots:
  void initTestCase()
  {
    window = std::make_unique<MainWindow>();
    window->resize(1500, 950);
    window->show();
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTRY_VERIFY_WITH_TIMEOUT(!find<QLabel>("deviceLabel")->text().isEmpty(), kPatience);
    panel().setRequest(requestOf(2000));
    window->showView(ViewKind::Synapses);
    waitForSynapses();
    panel().setRequest(requestOf(neuronsToForm()));
  }
  void cleanupTestCase() { window.reset(); }
  void init() { application().watchAnew(); }

  void formsAndDrawsWithinFiveSeconds();
  void staysResponsiveWhileItTurns();
  void staysResponsiveWhileSelecting();
  void staysResponsiveWhileTheLookChanges();
  void staysResponsiveWhileANetworkGrows();
  void stopsFormingAtEveryStage();

private:
  static FormationRequest requestOf(std::uint32_t neurons)
  {
    FormationRequest request;
    request.source.neurons = neurons;
    request.source.excitatory = 0.8;
    return request;
  }
  template <typename Widget>
  Widget* find(const char* name) const
  {
    auto* widget = window->findChild<Widget*>(QLatin1String(name));
    if (!widget)
      qFatal("the window has no %s", name);
    return widget;
  }
  FormationPage& page() const { return window->synapses(); }
  FormationPanel& panel() const { return *find<FormationPanel>("formationPanel"); }
  widgets::VtkWidget& canvas() const { return *page().view().canvas(); }
  void waitForSynapses()
  {
    QVERIFY(QTest::qWaitFor([this] { return !window->jobRunner().isRunning(); }, kPatience));
    waitForPicture();
  }
  /// Until nothing is drawn any more.
  void waitForPicture()
  {
    QSignalSpy drawn(&canvas(), &widgets::VtkWidget::rendered);
    do
      drawn.clear();
    while (drawn.wait(1000));
  }
  void requireResponsive(const char* what) const
  {
    const BusyTimes& times = application().times();
    qInfo("%s, %u neurons: %s", what, neuronsToForm(), qPrintable(times.inWords()));
    QVERIFY2(times.event < kMostBusy, qPrintable(times.inWords()));
    QVERIFY2(times.painting < kMostBusy, qPrintable(times.inWords()));
  }

  std::unique_ptr<MainWindow> window;
};

void TestSynapseResponse::formsAndDrawsWithinFiveSeconds()
{
  QSignalSpy drawn(&canvas(), &widgets::VtkWidget::rendered);
  const Stopwatch watch;
  QTest::mouseClick(find<QPushButton>("formationForm"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return page().view().scene().formation()->population->size() == neuronsToForm(); },
                          kPatience));
  drawn.clear();
  QVERIFY(drawn.wait(kPatience));
  const double took = watch.elapsed();
  qInfo("%u neurons formed and drawn after %.0f ms, formed in %.0f ms", neuronsToForm(), took,
        page().lastMilliseconds());
  waitForPicture();
  requireResponsive("forming");
  if (neuronsToForm() <= kNeurons)
    QVERIFY2(took < kMostToDraw, std::to_string(took).c_str());
}

void TestSynapseResponse::staysResponsiveWhileItTurns()
{
  QPointF pixel(canvas().width() / 2.0, canvas().height() / 2.0);
  QTest::mousePress(&canvas(), Qt::LeftButton, {}, pixel.toPoint());
  for (int step = 0; step < 20; ++step) {
    pixel += QPointF(9, 3);
    QMouseEvent event(QEvent::MouseMove, pixel, canvas().mapToGlobal(pixel), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&canvas(), &event);
    QCoreApplication::processEvents();
  }
  QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, pixel.toPoint());
  waitForPicture();
  requireResponsive("turning");
}

void TestSynapseResponse::staysResponsiveWhileSelecting()
{
  const QPointF middle(canvas().width() / 2.0, canvas().height() / 2.0);
  QTest::mouseClick(&canvas(), Qt::LeftButton, {}, middle.toPoint());
  QVERIFY(page().selection());
  QTRY_VERIFY_WITH_TIMEOUT(page().view().scene().search(), kPatience);
  waitForPicture();
  requireResponsive("selecting");
  application().watchAnew();
  QTest::mouseClick(find<QPushButton>("formationDeselect"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(!page().view().scene().search(), kPatience);
  waitForPicture();
  requireResponsive("deselecting");
}

void TestSynapseResponse::staysResponsiveWhileTheLookChanges()
{
  auto* neurons = find<QComboBox>("formationNeuronLookCombo");
  neurons->setCurrentIndex(static_cast<int>(widgets::NeuronLook::Vacancy));
  waitForPicture();
  requireResponsive("vacancy");
  application().watchAnew();
  find<QComboBox>("formationSynapseLookCombo")->setCurrentIndex(static_cast<int>(widgets::SynapseLook::Bundles));
  QTRY_VERIFY_WITH_TIMEOUT(!page().view().overlay().bundles().empty(), kPatience);
  waitForPicture();
  requireResponsive("bundles");
  application().watchAnew();
  for (const char* level : {"5", "9", "12"}) {
    auto* spin = find<QAbstractSpinBox>("formationDepthSpin");
    spin->setFocus();
    spin->selectAll();
    QTest::keyClicks(spin, level);
    QTest::keyClick(spin, Qt::Key_Return);
    waitForPicture();
  }
  requireResponsive("depth");
}

/// With charts that are full: more steps than a chart tells apart.
void TestSynapseResponse::staysResponsiveWhileANetworkGrows()
{
  constexpr std::uint32_t kManySteps = 3000;
  window->showView(ViewKind::Plasticity);
  QTest::mouseClick(find<QPushButton>("plasticityRun"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([this] { return window->plasticity().step() > kManySteps; }, kPatience));
  requireResponsive("growing");
  QTest::mouseClick(find<QPushButton>("plasticityRun"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([this] { return !window->plasticity().isRunning(); }, kPatience));
  window->showView(ViewKind::Synapses);
}

/// As soon as a stage has begun, for each: neurons, tree, search, conflicts, synapses, what the page draws.
void TestSynapseResponse::stopsFormingAtEveryStage()
{
  FormationPipeline pipeline;
  FormationRequest request = requestOf(2 * neuronsToForm());
  for (const char* stage : {"positions", "codes", "sort", "nodes", "vacant", "search", "resolve", "edges", "picture"}) {
    RunControl cancelling;
    double cancelledAt = 0;
    const RunControl control([&](std::string_view begun, double) {
      if (begun == stage && cancelledAt == 0) {
        cancelledAt = tests::cpuMilliseconds();
        cancelling.cancel();
      }
    });
    cancelling = control;
    const auto failure = tests::failureOf([&] { pipeline.run(request, control); });
    const double took = tests::cpuMilliseconds() - cancelledAt;
    QVERIFY2(failure == ErrorCode::Cancelled, stage);
    qInfo("%u neurons, cancelled in \"%s\": %.1f ms", request.source.neurons, stage, took);
    QVERIFY2(took < kMostToCancel, stage);
  }
}

HINESIGHT_TEST_RUN(runWindowTest<TestSynapseResponse, WatchedApplication>)

#include "test_synapse_response.moc"
