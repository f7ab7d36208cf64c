// How long views take to draw large scenes: usage: bench_drawing, on a display (xvfb-run).
// Prints what a frame, a new scene and a look for what is under the cursor take, the best of several. A scene of cells
// needs the shared morphologies. Exit 1 where a figure is above what software OpenGL on one core needs several times
// over, or where what is done on the window's thread alone takes longer than the 16 ms of a frame.

#include "cable/discretization.hpp"
#include "core/stage_timings.hpp"
#include "limits.hpp"
#include "morphology/branches.hpp"
#include "morphology/swc.hpp"
#include "paths/paths.hpp"
#include "widgets/canvas/planar_canvas.hpp"
#include "widgets/cell_scenes.hpp"
#include "widgets/cells/morphology/tube_picker.hpp"
#include "widgets/cells/packing/packing_view.hpp"
#include "widgets/cells/tree/tree_layout.hpp"
#include "widgets/cells/tree/tree_view.hpp"
#include "widgets/planar_scenes.hpp"

#include <QApplication>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace hinesight;
using namespace hinesight::widgets;

constexpr double kMostOfFrame = 300;   // ms, with software OpenGL
constexpr double kMostOfScene = 1'000; // ms, with the first frame of it
constexpr double kMostOfEvent = 16;    // ms

/// Least of some times, ms.
template <typename Work>
double fastest(Work work)
{
  constexpr int kRepeats = 5;
  double best = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const Stopwatch stopwatch;
    work();
    best = std::min(best, stopwatch.elapsed());
  }
  return best;
}

void measureBars(bench::Limits& limits)
{
  constexpr int kColumns = 1'000;
  constexpr int kBars = 300 * kColumns;
  PlanarDrawing drawing;
  drawing.bounds = QRectF(0, 0, kColumns, kBars / kColumns);
  for (int k = 0; k < kBars; ++k) {
    const double x = k % kColumns;
    const double y = k / kColumns;
    drawing.bars.push_back({x + 0.1, y, x + 0.9, y + 0.9, 0xffd03020, k});
  }
  PlanarCanvas canvas;
  canvas.resize(1'600, 1'000);
  canvas.setDrawing(drawing);
  canvas.show();
  canvas.grabPicture();
  limits.atMost(kMostOfFrame, "a frame of 300,000 bars, moved", fastest([&] {
                  canvas.pan({5, 5});
                  canvas.grabPicture();
                }),
                "ms");
  limits.atMost(kMostOfFrame, "a frame of 300,000 bars, zoomed", fastest([&] {
                  canvas.zoom(1.5, 1.5, {800, 400});
                  canvas.grabPicture();
                }),
                "ms");
  limits.atMost(kMostOfEvent, "the bar under the cursor", fastest([&] { canvas.itemAt({450, 350}); }), "ms");
}

void measureCells(bench::Limits& limits)
{
  const std::filesystem::path folder = tests::sharedFile("morphologies/real").toStdString();
  for (const char* name : {"nrn__c91662.swc", "jaxley__morph_l5pc_with_axon.swc", "swc2vtk__300000.swc"}) {
    if (!std::filesystem::exists(folder / name)) {
      std::printf("%s is not here\n", name);
      continue;
    }
    const auto morphology = morphology::readSwc(folder / name);
    const auto branches = std::make_shared<morphology::BranchTree>(morphology::findBranches(*morphology));
    const auto system = cable::discretize(morphology, branches, {})->system;
    const auto draw = [&](View& view, std::int64_t copies) {
      const auto scene = testing::makeScene({system}, copies, {});
      view.resize(1'600, 1'000);
      view.show();
      return fastest([&] {
        view.setScene(scene);
        view.grabPicture();
      });
    };
    TreeView tree;
    limits.atMost(kMostOfScene, std::string("the tree of ") + name, draw(tree, 1), "ms");
    PackingView packing;
    limits.atMost(kMostOfScene, std::string("the blocks of 1,000 of ") + name, draw(packing, 1'000), "ms");
  }
}

void measurePicking(bench::Limits& limits)
{
  // Segments in rows that fill the canvas.
  std::vector<test::Row> rows;
  for (std::int32_t i = 0; i <= 100'000; ++i) {
    const double turn = i * 0.05;
    rows.push_back({3, 0.01 * i * std::cos(turn), 0.01 * i * std::sin(turn), std::sin(0.01 * i), 0.3, i - 1});
  }
  Scene scene;
  scene.cells.push_back(test::makeSceneCell(test::makeMorphology("spiral", rows)));
  const TubeGeometry geometry = buildTubes(scene, CellPlaces::AsRead);
  OrbitCamera camera;
  camera.setViewport({1'000, 800});
  camera.fit(geometry.endA, geometry.radiusA);
  TubePicker picker;
  picker.aim(geometry, camera);
  limits.atMost(kMostOfEvent, "the tube under the cursor, of 100,000", fastest([&] { picker.pick({400, 300}); }), "ms");
}

void measureLayouts(bench::Limits& limits)
{
  constexpr std::int32_t kBranches = 100'000;
  const auto layOut = [&](const char* what, const std::vector<std::int32_t>& parent) {
    hines::DependencyTree tree;
    tree.parent = parent;
    for (std::size_t branch = 0; branch < parent.size(); ++branch) {
      tree.level.push_back(parent[branch] < 0 ? 0 : tree.level[static_cast<std::size_t>(parent[branch])] + 1);
      tree.first.push_back(2 * static_cast<std::int32_t>(branch));
      tree.length.push_back(2);
      tree.uncut.push_back(static_cast<std::int32_t>(branch));
    }
    limits.atMost(kMostOfFrame, what, fastest([&] { layOutTree(tree, 1); }), "ms");
  };
  std::vector<std::int32_t> chain(kBranches);
  std::iota(chain.begin(), chain.end(), -1);
  layOut("the layout of a chain of 100,000 branches", chain);
  std::vector<std::int32_t> star(kBranches, 0);
  star.front() = -1;
  layOut("the layout of a star of 100,000 branches", star);
}

} // namespace

int main(int argc, char** argv)
{
  try {
    VtkWidget::setDefaultSurfaceFormat();
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    const QApplication application(argc, argv);
    bench::Limits limits;
    measureBars(limits);
    measureCells(limits);
    measurePicking(limits);
    measureLayouts(limits);
    return limits.status();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
