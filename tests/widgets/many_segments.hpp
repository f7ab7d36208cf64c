#pragma once

#include "cell_scenes.hpp"
#include "core/stage_timings.hpp"
#include "widgets/orbit/vtk_widget.hpp"

#include <QApplication>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <unistd.h>

namespace hinesight::test {

/// A tree that grows at random, traced breadth first: each sample goes on, and one in `run` bifurcates.
inline std::shared_ptr<const morphology::Morphology> randomTree(std::uint32_t seed, std::int32_t segments,
                                                                double run = 30)
{
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Row> rows{{1, 0, 0, 0, 8, -1}};
  struct Tip
  {
    std::int32_t sample;
    double way[3];
  };
  std::vector<Tip> tips;
  for (int stem = 0; stem < 6; ++stem)
    tips.push_back({0, {uniform(generator), uniform(generator), uniform(generator)}});
  std::size_t next = 0;
  while (static_cast<std::int32_t>(rows.size()) <= segments) {
    if (next == tips.size())
      next = 0;
    Tip& tip = tips[next++];
    const Row from = rows[static_cast<std::size_t>(tip.sample)];
    double length = 0;
    for (double& way : tip.way) {
      way += 0.25 * uniform(generator);
      length += way * way;
    }
    for (double& way : tip.way)
      way /= std::sqrt(length);
    rows.push_back({3, from.x + 2 * tip.way[0], from.y + 2 * tip.way[1], from.z + 2 * tip.way[2],
                    0.2 + 0.2 * std::abs(uniform(generator)), tip.sample});
    tip.sample = static_cast<std::int32_t>(rows.size()) - 1;
    if (uniform(generator) > 1 - 2 / run)
      tips.push_back(Tip(tip));
  }
  return makeMorphology("tree " + std::to_string(seed), rows);
}

/// So many segments in trees of at most `ofOneCell`.
inline std::vector<std::shared_ptr<const morphology::Morphology>> randomTrees(std::int32_t segments,
                                                                              std::int32_t ofOneCell)
{
  std::vector<std::shared_ptr<const morphology::Morphology>> cells;
  for (std::int32_t begin = 0; begin < segments; begin += ofOneCell)
    cells.push_back(randomTree(static_cast<std::uint32_t>(cells.size() + 1), std::min(ofOneCell, segments - begin)));
  return cells;
}

/// Of this process, in bytes: what is in memory now.
inline double residentBytes()
{
  std::ifstream file("/proc/self/statm");
  double whole = 0;
  double resident = 0;
  file >> whole >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Until nothing is drawn any more; when the last picture was there, ms.
inline double waitForPicture(widgets::VtkWidget& canvas, const Stopwatch& watch = Stopwatch())
{
  constexpr int kNothingDrawn = 1'500; // ms, after which nothing more is expected
  QSignalSpy drawn(&canvas, &widgets::VtkWidget::rendered);
  double last = 0;
  QObject::connect(&canvas, &widgets::VtkWidget::rendered, &drawn, [&] { last = watch.elapsed(); });
  do
    drawn.clear();
  while (drawn.wait(kNothingDrawn) || canvas.isInPieces());
  return last;
}

/// Goes on with a drag to a pixel.
inline void drag(widgets::VtkWidget& canvas, const QPointF& pixel)
{
  QMouseEvent event(QEvent::MouseMove, pixel, canvas.mapToGlobal(pixel), Qt::NoButton, Qt::LeftButton, {});
  QApplication::sendEvent(&canvas, &event);
}

/// How long each frame takes while a drag turns the picture, ms.
inline std::vector<double> framesOfTurning(widgets::VtkWidget& canvas, int frames)
{
  constexpr double kLongest = 60'000; // ms; ends what would hang
  std::vector<double> took;
  QPointF pixel(200, 200);
  QTest::mousePress(&canvas, Qt::LeftButton, {}, pixel.toPoint());
  while (static_cast<int>(took.size()) < frames) {
    QSignalSpy drawn(&canvas, &widgets::VtkWidget::rendered);
    const Stopwatch watch;
    pixel += QPointF(12, 3);
    drag(canvas, pixel);
    while (drawn.isEmpty() && watch.elapsed() < kLongest)
      QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    took.push_back(watch.elapsed());
  }
  QTest::mouseRelease(&canvas, Qt::LeftButton, {}, pixel.toPoint());
  return took;
}

} // namespace hinesight::test
