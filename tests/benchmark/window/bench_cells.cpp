// How the window holds out against many cells: usage: bench_cells [SEGMENTS [FILES]], on a display (xvfb-run).
// First of one view with so many segments of random trees on a canvas of 1,000 x 800: frames a second while it turns,
// finding what is under the cursor, selecting, and memory. Then of the whole window with so many files of the shared
// morphologies, each one opened several times over: what keeps its thread from taking events for more than 50 ms while
// they are opened, pages are turned, a parameter is changed and branches are selected. Exit 1 where a figure is above
// what is promised.

#include "app/app_fixture.hpp"
#include "app/window_fixture.hpp"
#include "busy_watch.hpp"
#include "limits.hpp"
#include "morphology/branches.hpp"
#include "paths/paths.hpp"
#include "widgets/background_work.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/many_segments.hpp"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace hinesight;
using namespace hinesight::app;
using namespace hinesight::widgets;

constexpr double kLeastFrames = 5;          // a second, while the camera moves
constexpr double kMostToPick = 100;         // ms
constexpr double kMostToSelect = 50;        // ms, of 100,000 branches' marks
constexpr double kMostOfMemory = 200;       // bytes a segment beyond the morphologies
constexpr int kLongest = 600'000;           // ms; ends what would hang
constexpr std::int32_t kOfOneCell = 20'000; // segments

WatchedApplication& application()
{
  return *static_cast<WatchedApplication*>(qApp);
}

template <typename Condition>
void waitFor(Condition condition, const char* what)
{
  if (!QTest::qWaitFor(condition, kLongest))
    throw std::runtime_error(std::string("It did not come to this: ") + what + ".");
}

void tellSilences(const char* doing)
{
  std::vector<Silence> silences = application().times().silences;
  std::ranges::sort(silences, std::greater(), &Silence::milliseconds);
  std::printf("%s: silent for more than %g ms %zu times", doing, kSilent, silences.size());
  for (std::size_t i = 0; i < std::min<std::size_t>(silences.size(), 6); ++i)
    std::printf("%s%.0f ms (%.0f of its own) by %s", i == 0 ? ": " : ", ", silences[i].milliseconds, silences[i].own,
                qPrintable(silences[i].during));
  std::printf("\n");
  std::fflush(stdout);
}

void measureView(bench::Limits& limits, std::int32_t segments)
{
  MorphologyView view;
  view.resize(1'000, 836); // with the header
  view.setScene(test::makeScene({test::makeMorphology("fork", test::forkedCell())}));
  view.show();
  test::waitForPicture(*view.canvas());
  const auto scene = test::makeScene(test::randomTrees(segments, kOfOneCell));
  const double before = test::residentBytes();
  application().watchAnew();
  Stopwatch watch;
  view.setScene(scene);
  std::printf("the call that shows %d segments took %.0f ms\n", segments, watch.elapsed());
  waitFor([&] { return view.geometry().tubes() >= static_cast<std::size_t>(segments); }, "the tubes");
  std::printf("drawn whole after %.0f ms\n", test::waitForPicture(*view.canvas(), watch));
  tellSilences("showing");
  const auto tubes = static_cast<double>(view.geometry().tubes());
  limits.atMost(kMostOfMemory, "memory beyond the morphologies, a segment", (test::residentBytes() - before) / tubes,
                "bytes");

  application().watchAnew();
  constexpr int kFrames = 30;
  const std::vector<double> frames = test::framesOfTurning(*view.canvas(), kFrames);
  std::printf("first frames while it turns: %.0f, %.0f, %.0f ms; slowest of the rest %.0f ms\n", frames[0], frames[1],
              frames[2], *std::max_element(frames.begin() + 3, frames.end()));
  const double total = std::accumulate(frames.begin(), frames.end(), 0.0);
  limits.atLeast(kLeastFrames, "frames a second while it turns", 1e3 * kFrames / total, "");
  tellSilences("turning");
  application().watchAnew();
  test::waitForPicture(*view.canvas());
  tellSilences("resting");

  std::vector<double> picks;
  for (int place = 0; place < 20; ++place) {
    OrbitCamera camera = view.camera();
    camera.rotate({5, 0});
    view.setCamera(camera);
    const Stopwatch picking;
    view.branchAt({100.0 + 40 * place, 150.0 + 25 * place});
    picks.push_back(picking.elapsed());
  }
  limits.atMost(kMostToPick, "finding what is under the cursor after a move, slowest of 20",
                *std::ranges::max_element(picks), "ms");

  test::waitForPicture(*view.canvas());
  const auto select = [&](double part) {
    std::vector<BranchId> ids;
    for (std::size_t cell = 0; cell < scene->cells.size(); ++cell) {
      const auto count = static_cast<std::int32_t>(asReadShape(*scene, cell)->tree.branches());
      for (std::int32_t branch = 0; branch < part * count; ++branch)
        ids.push_back({static_cast<std::int32_t>(cell), branch});
    }
    BranchChoice choice;
    choice.current = ids.front();
    choice.selected = BranchIds(std::move(ids));
    application().watchAnew();
    const Stopwatch selecting;
    view.setChoice(choice);
    const double took = selecting.elapsed();
    test::waitForPicture(*view.canvas());
    return took;
  };
  limits.atMost(kMostToSelect, "selecting the branches of a tenth of the segments", select(0.1), "ms");
  tellSilences("a tenth selected");
  limits.atMost(kMostToSelect, "selecting all", select(1), "ms");
  tellSilences("all selected");
  application().watchAnew();
  view.setColorBy(ColorBy::PathDistance);
  test::waitForPicture(*view.canvas());
  tellSilences("coloured by path distance");
}

/// The real main window with many real cells.
class ManyCells : WindowFixture
{
public:
  explicit ManyCells(int files)
  {
    std::vector<std::filesystem::path> real;
    for (const auto& entry : std::filesystem::directory_iterator(tests::sharedFile("morphologies/real").toStdString()))
      if (entry.path().extension() == ".swc")
        real.push_back(entry.path());
    std::ranges::sort(real);
    for (int i = 0; i < files && !real.empty(); ++i) {
      const auto& from = real[static_cast<std::size_t>(i) % real.size()];
      std::filesystem::copy_file(from, std::filesystem::path(folder.path().toStdString()) /
                                           (std::to_string(i) + "_" + from.filename().string()));
    }
  }

  void measure()
  {
    if (!showWindow({1280, 720}))
      throw std::runtime_error("The window is not active.");
    watched("opening", [&] {
      window->openFiles({folder.path()});
      waitFor([&] { return !window->isOpening(); }, "open files");
      waitFor([&] { return view().geometry().tubes() > 0; }, "the tubes of the cells");
    });
    std::printf("%d cells, %zu segments\n", window->cells().rowCount(), view().geometry().tubes());
    for (const ViewKind page : {ViewKind::Tree, ViewKind::Packing, ViewKind::Splitting, ViewKind::Morphology})
      watched(("turning to page " + std::to_string(static_cast<int>(page))).c_str(), [&] { window->showView(page); });
    watched("changing a parameter", [&] {
      study::CellParameters parameters = window->parameters();
      parameters.solve.repeat = 3;
      window->setParameters(parameters);
    });
    watched("turning the cells", [&] {
      QPointF pixel(view().canvas()->width() / 2.0, view().canvas()->height() / 2.0);
      QTest::mousePress(view().canvas(), Qt::LeftButton, {}, pixel.toPoint());
      for (int step = 0; step < 20; ++step) {
        pixel += QPointF(9, 3);
        test::drag(*view().canvas(), pixel);
        QCoreApplication::processEvents();
      }
      QTest::mouseRelease(view().canvas(), Qt::LeftButton, {}, pixel.toPoint());
    });
    watched("selecting a branch",
            [&] { QTest::mouseClick(view().canvas(), Qt::LeftButton, {}, view().canvas()->rect().center()); });
    watched("colouring by path distance", [&] { window->setColorBy(ColorBy::PathDistance); });
    watched("a figure of 4,000 x 3,000", [&] {
      FigureOptions options;
      options.unit = FigureUnit::Pixels;
      options.width = 4'000;
      options.height = 3'000;
      BackgroundWork making;
      bool isMade = false;
      making.start([&isMade, options, still = window->figure().still(theme().mode),
                    path = folder.filePath(QStringLiteral("figure.png"))](const RunControl& control) {
        writePicture(pictureOf(still, options, control), path);
        return [&isMade] { isMade = true; };
      });
      waitFor([&] { return isMade; }, "the figure");
    });
  }

private:
  MorphologyView& view() { return static_cast<MorphologyView&>(window->view(ViewKind::Morphology)); }

  template <typename Do>
  void watched(const char* what, Do work)
  {
    application().watchAnew();
    const Stopwatch watch;
    work();
    const double called = watch.elapsed();
    waitFor([&] { return window->jobs().isIdle(); }, "jobs that end");
    const double jobs = watch.elapsed();
    const double last = test::waitForPicture(*view().canvas(), watch);
    std::printf("%s: the call %.0f ms, its jobs %.0f ms, with the last picture %.0f ms\n  ", what, called, jobs, last);
    tellSilences(what);
  }

  QTemporaryDir folder;
};

} // namespace

int main(int argc, char** argv)
{
  const int segments = argc > 1 ? std::atoi(argv[1]) : 1'000'000;
  const int files = argc > 2 ? std::atoi(argv[2]) : 937;
  return runInApplication<WatchedApplication>(argc, argv, [segments, files] {
    try {
      bench::Limits limits;
      if (segments > 0)
        measureView(limits, segments);
      if (files > 0)
        ManyCells(files).measure();
      return limits.status();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 1;
    }
  });
}
