#pragma once

#include "app/app_fixture.hpp"
#include "app/measure/measure_controller.hpp"
#include "app/measure/measure_page.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/window_fixture.hpp"
#include "morphology/branches.hpp"
#include "morphology/morphometry.hpp"

#include <QFile>
#include <QRandomGenerator>
#include <QTextStream>
#include <QtTest>

#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace hinesight::app {

/// The page Measure in the real main window.
class MeasureFixture : public WindowFixture
{
protected:
  using Numbers = std::set<std::int32_t>; ///< of branches, as all views have them

  /// And shows the page.
  void open(const QStringList& paths)
  {
    window->openFiles(paths);
    QVERIFY(waitForJobs());
    QTest::keyClick(window.get(), Qt::Key_9, Qt::ControlModifier);
    QTRY_VERIFY(page().isVisible());
    QVERIFY(settled());
    QTRY_VERIFY(page().histogram().isVisible());
  }

  MeasurePage& page() { return *find<MeasurePage>("measurePage"); }
  const study::CellMeasures& measures(std::size_t cell = 0) { return page().cells().at(cell).measures; }
  BranchSelection& selection() { return *window->findChild<BranchSelection*>(); }

  bool settled()
  {
    return QTest::qWaitFor([this] { return !window->jobs().isActive(kMeasures) && !window->jobs().isActive(); },
                           kPatience);
  }

  Numbers selected(std::int32_t ofCell = 0)
  {
    Numbers numbers;
    for (const widgets::BranchId id : selection().choice().selected)
      if (id.cell == ofCell)
        numbers.insert(id.branch + 1);
    return numbers;
  }

  /// By the geometry of the cell.
  Numbers throughSphere(std::size_t sphere, std::size_t cell = 0)
  {
    const std::vector<int> counts = crossingsOfBranches(sphere, cell);
    Numbers numbers;
    for (std::size_t branch = 0; branch < counts.size(); ++branch)
      if (counts[branch] > 0)
        numbers.insert(measures(cell).places[branch].number);
    return numbers;
  }

  std::size_t crossingsOf(const Numbers& numbers, std::size_t sphere)
  {
    const std::vector<int> counts = crossingsOfBranches(sphere, 0);
    int all = 0;
    for (std::size_t branch = 0; branch < counts.size(); ++branch)
      if (numbers.contains(measures().places[branch].number))
        all += counts[branch];
    return static_cast<std::size_t>(all);
  }

  static constexpr std::int32_t kBranches = 10'000; ///< of a large cell

  /// A tree in which two branches follow each.
  static void writeLargeCell(const QString& path)
  {
    constexpr std::int32_t kSamplesOfBranch = 10;
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QTextStream text(&file);
    QRandomGenerator random(1);
    std::vector<std::array<double, 3>> ends; // of each branch
    text << "1 1 0 0 0 5 -1\n";
    std::int32_t id = 1;
    for (std::int32_t branch = 0; branch < kBranches; ++branch) {
      const std::int32_t host = branch / 2 - 1; // -1: the soma
      std::int32_t parent = host < 0 ? 1 : 1 + (host + 1) * kSamplesOfBranch;
      std::array<double, 3> at = host < 0 ? std::array{0.0, 0.0, 0.0} : ends[static_cast<std::size_t>(host)];
      for (std::int32_t k = 0; k < kSamplesOfBranch; ++k) {
        for (double& each : at)
          each += 6 * random.generateDouble() - 3;
        text << ++id << " 3 " << at[0] << ' ' << at[1] << ' ' << at[2] << " 0.5 " << parent << '\n';
        parent = id;
      }
      ends.push_back(at);
    }
  }

private:
  /// How often the segment from a to b is at a distance from the origin.
  static int crossings(const std::array<double, 3>& a, const std::array<double, 3>& b, double distance)
  {
    double aa = 0, ab = 0, bb = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double along = b[k] - a[k];
      aa += a[k] * a[k];
      ab += a[k] * along;
      bb += along * along;
    }
    const double discriminant = ab * ab - bb * (aa - distance * distance);
    if (!(discriminant > 0))
      return 0;
    const auto isOnSegment = [&](double sign) {
      const double t = (-ab + sign * std::sqrt(discriminant)) / bb;
      return t > 0 && t < 1;
    };
    return (isOnSegment(-1) ? 1 : 0) + (isOnSegment(1) ? 1 : 0);
  }

  /// Per measured branch, how often it crosses a sphere around the soma.
  std::vector<int> crossingsOfBranches(std::size_t sphere, std::size_t ofCell)
  {
    const morphology::Morphology& cell = *window->cells().cells()[ofCell].morphology;
    const morphology::BranchTree tree = morphology::findBranches(cell);
    const double radius = measures(ofCell).sholl.radius(sphere);
    const auto at = [&](std::int32_t sample) {
      const auto k = static_cast<std::size_t>(sample);
      return std::array{cell.x[k] - cell.somaCentre[0], cell.y[k] - cell.somaCentre[1], cell.z[k] - cell.somaCentre[2]};
    };
    std::vector<int> ofFile(tree.branches(), 0);
    for (std::int32_t sample = 0; sample < static_cast<std::int32_t>(cell.samples()); ++sample) {
      const std::int32_t parent = cell.parent[static_cast<std::size_t>(sample)];
      if (parent >= 0 && cell.type[static_cast<std::size_t>(parent)] != morphology::kSoma)
        ofFile[static_cast<std::size_t>(tree.ofSample[static_cast<std::size_t>(sample)])] +=
            crossings(at(parent), at(sample), radius);
    }
    std::vector<int> counts;
    for (const study::BranchPlace& place : measures(ofCell).places)
      counts.push_back(ofFile[static_cast<std::size_t>(tree.ofSample[static_cast<std::size_t>(place.lastSample)])]);
    return counts;
  }
};

} // namespace hinesight::app
