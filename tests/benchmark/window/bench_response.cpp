// How soon the window answers: usage: bench_response [NEURONS], on a display (xvfb-run).
// Prints how long it takes from the click to the picture of 50,000 neurons' synapses, how long single events keep the
// window's thread busy meanwhile and while a person looks at them, how soon forming stops, and how long it takes from a
// typed sigma to the painted table of a projection. Exit 1 where a figure is above what is promised.

#include "app/plasticity/plasticity_page.hpp"
#include "app/projection/projection_controller.hpp"
#include "app/projection_fixture.hpp"
#include "app/synapses/formation_page.hpp"
#include "app/synapses/formation_panel.hpp"
#include "busy_watch.hpp"
#include "limits.hpp"
#include "longest_gap.hpp"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace hinesight;
using namespace hinesight::app;

constexpr double kMostToDraw = 5'000; // ms, from the click to the picture
constexpr double kMostToShow = 200;   // ms, from the key to the picture
constexpr double kMostToCancel = 100; // ms
constexpr double kMostBusy = 16;      // ms of the window's thread, for one event
constexpr int kLongest = 60'000;      // ms; ends what would hang
constexpr int kNothingDrawn = 1'000;  // ms, after which nothing more is expected

WatchedApplication& application()
{
  return *static_cast<WatchedApplication*>(qApp);
}

void require(bool happened, const char* what)
{
  if (!happened)
    throw std::runtime_error(std::string("It did not come to this: ") + what + ".");
}

study::FormationRequest requestOf(std::uint32_t neurons)
{
  study::FormationRequest request;
  request.source.placement.neurons = neurons;
  request.source.placement.excitatory = 0.8;
  return request;
}

/// The page of synapses in the real main window.
class SynapseResponse : WindowFixture
{
public:
  SynapseResponse(std::uint32_t neuronsToForm, bench::Limits& allLimits) : neurons(neuronsToForm), limits(allLimits)
  {
    require(showWindow(), "the window is active");
    find<FormationPanel>("formationPanel")->setRequest(requestOf(2000));
    window->showView(ViewKind::Synapses);
    waitUntil([this] { return page().view().scene().formation() && !window->jobs().isActive(); }, "a first network");
    waitForPicture();
    find<FormationPanel>("formationPanel")->setRequest(requestOf(neurons));
  }

  void measureForming()
  {
    application().watchAnew();
    QSignalSpy drawn(&canvas(), &widgets::VtkWidget::rendered);
    const Stopwatch watch;
    click("formationForm");
    waitUntil([this] { return page().view().scene().formation()->population->size() == neurons; }, "a network");
    drawn.clear();
    require(drawn.wait(kLongest), "a picture");
    limits.atMost(kMostToDraw, "synapses formed and drawn", watch.elapsed(), "ms");
    waitForPicture();
    tellBusy("forming");
  }

  void measureTurning()
  {
    application().watchAnew();
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
    tellBusy("turning");
  }

  void measureSelecting()
  {
    application().watchAnew();
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, canvas().rect().center());
    waitUntil([this] { return page().view().scene().search().has_value(); }, "a search");
    waitForPicture();
    tellBusy("selecting");
    application().watchAnew();
    click("formationDeselect");
    waitForPicture();
    tellBusy("deselecting");
  }

  void measureLooks()
  {
    application().watchAnew();
    find<QComboBox>("formationNeuronLookCombo")->setCurrentIndex(static_cast<int>(widgets::NeuronLook::Vacancy));
    waitForPicture();
    tellBusy("vacancy");
    application().watchAnew();
    find<QComboBox>("formationSynapseLookCombo")->setCurrentIndex(static_cast<int>(widgets::SynapseLook::Bundles));
    waitUntil([this] { return !page().view().overlay().bundles().empty(); }, "bundles");
    waitForPicture();
    tellBusy("bundles");
    application().watchAnew();
    for (const char* level : {"5", "9", "12"}) {
      auto& spin = *find<QAbstractSpinBox>("formationDepthSpin");
      spin.setFocus();
      spin.selectAll();
      QTest::keyClicks(&spin, level);
      QTest::keyClick(&spin, Qt::Key_Return);
      waitForPicture();
    }
    tellBusy("depth");
  }

  /// With charts that are full: more steps than a chart tells apart.
  void measureGrowing()
  {
    constexpr std::uint32_t kManySteps = 3000;
    window->showView(ViewKind::Plasticity);
    application().watchAnew();
    click("plasticityRun");
    waitUntil([this] { return window->plasticity().step() > kManySteps; }, "so many steps");
    tellBusy("growing");
    click("plasticityRun");
    waitUntil([this] { return !window->plasticity().isRunning(); }, "a pause");
  }

private:
  template <typename Condition>
  static void waitUntil(Condition condition, const char* what)
  {
    require(QTest::qWaitFor(condition, kLongest), what);
  }
  FormationPage& page() { return window->synapses(); }
  widgets::VtkWidget& canvas() { return *page().view().canvas(); }
  /// Until nothing is drawn any more.
  void waitForPicture()
  {
    QSignalSpy drawn(&canvas(), &widgets::VtkWidget::rendered);
    do
      drawn.clear();
    while (drawn.wait(kNothingDrawn));
  }
  void tellBusy(const char* what)
  {
    const BusyTimes& times = application().times();
    const std::string of = std::string(what) + ", " + std::to_string(neurons) + " neurons: ";
    limits.atMost(kMostBusy, of + "the longest event", times.event, "ms");
    limits.atMost(kMostBusy, of + "painting in a frame", times.painting, "ms");
    std::printf("  the longest event is %s; the longest frame with VTK takes %.1f ms\n", qPrintable(times.slowest),
                times.graphics);
  }

  std::uint32_t neurons;
  bench::Limits& limits;
};

/// Notes which of some widgets were painted since it was told to.
class PaintWatch : public QObject
{
public:
  explicit PaintWatch(const std::vector<QWidget*>& watched) : widgets(watched)
  {
    for (QWidget* widget : watched)
      widget->installEventFilter(this);
  }
  void begin() { waiting.emplace(widgets.begin(), widgets.end()); }
  bool sawAll() const { return waiting && waiting->empty(); }

protected:
  bool eventFilter(QObject* watched, QEvent* event) override
  {
    if (waiting && event->type() == QEvent::Paint)
      waiting->erase(static_cast<QWidget*>(watched));
    return false;
  }

private:
  std::vector<QWidget*> widgets;
  std::optional<std::set<QWidget*>> waiting;
};

/// From the key to the painted pixels of map, histogram, row count and overlay: the example of James 2021, 150 neurons
/// a side, its sigma changed by a typed number.
void measureProjection(bench::Limits& limits)
{
  ProjectionWindow window;
  require(window.open(150), "a table");
  window.type("projectionCutSpin", "0.008");
  require(window.waitForTable(), "a table with a cut");
  window.type("projectionOffsetPhiSpin", "25");
  require(window.waitForTable(), "a table with an offset");
  std::vector<double> times;
  for (const char* sigma : {"3.2", "3.4", "3.1", "3.3", "3", "3.5", "2.9", "3.6", "2.8", "3"}) {
    auto* box = window.find<QDoubleSpinBox>("projectionSigma0Spin");
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, sigma);
    // A person looks at the picture first; meanwhile the memory for the next table is made ready.
    require(QTest::qWaitFor([&] { return window->jobs().isIdle(); }, kLongest), "an idle worker");
    PaintWatch painted({&window.canvas(), window.find<QWidget>("fanOutMap"), window.find<QWidget>("fanInMap"),
                        window.find<QWidget>("weightChart"), window.find<QWidget>("adjacencyChart"),
                        window.find<QWidget>("projectionHeadline"), window.view().timingCard()});
    QObject::connect(&window->jobs(), &Jobs::ended, &painted, [&](const JobKind& kind) {
      if (kind == kTable)
        painted.begin();
    });
    const Stopwatch watch;
    QTest::keyClick(box, Qt::Key_Return);
    while (!painted.sawAll() && watch.elapsed() < kLongest)
      QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
    times.push_back(watch.elapsed());
    std::printf("  sigma-0 %s: %llu rows painted after %.0f ms\n", sigma,
                static_cast<unsigned long long>(window.table().rows()), times.back());
  }
  std::ranges::sort(times);
  limits.atMost(kMostToShow, "a new sigma of a projection, median of ten", times[times.size() / 2], "ms");
}

int measure(std::uint32_t neurons)
{
  bench::Limits limits;
  {
    SynapseResponse response(neurons, limits);
    response.measureForming();
    response.measureTurning();
    response.measureSelecting();
    response.measureLooks();
    response.measureGrowing();
  }
  study::FormationRequest request = requestOf(2 * neurons);
  request.formation.threads = 1;
  limits.atMost(kMostToCancel, "forming, from one look whether to stop to the next",
                bench::longestGap([&](const RunControl& control) { study::FormationStudy().run(request, control); }),
                "ms");
  measureProjection(limits);
  return limits.status();
}

} // namespace

int main(int argc, char** argv)
{
  const int wanted = argc > 1 ? std::atoi(argv[1]) : 50'000;
  return runInApplication<WatchedApplication>(argc, argv, [wanted] {
    try {
      return measure(static_cast<std::uint32_t>(std::max(wanted, 100)));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 1;
    }
  });
}
