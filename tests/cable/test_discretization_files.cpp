#include "cable/discretization.hpp"
#include "core/error.hpp"
#include "morphology/swc.hpp"
#include "paths/paths.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

using namespace hinesight;
using namespace hinesight::cable;
using std::numbers::pi;

namespace {

const std::filesystem::path kMorphologies = tests::sharedFile("morphologies").toStdString();

std::vector<std::string> fields(const std::string& line)
{
  std::vector<std::string> result;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');)
    result.push_back(field);
  return result;
}

/// Paths of the files that a table calls readable, below the folder of the shared morphologies.
std::vector<std::string> readableFiles(const std::string& table, const std::string& column,
                                       const std::vector<std::string>& readable, const std::string& prefix)
{
  std::ifstream index(kMorphologies / table);
  std::string line;
  if (!std::getline(index, line))
    return {};
  const std::vector<std::string> names = fields(line);
  const auto verdict = static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin());
  std::vector<std::string> files;
  while (std::getline(index, line)) {
    const std::vector<std::string> row = fields(line);
    if (row.size() > verdict && std::find(readable.begin(), readable.end(), row[verdict]) != readable.end())
      files.push_back(prefix + row[0]);
  }
  return files;
}

std::vector<std::string> allReadableFiles()
{
  std::vector<std::string> files = readableFiles("INDEX.tsv", "valid", {"yes"}, "real/");
  for (const std::string& file : readableFiles("EDGE.tsv", "expected", {"accept", "accept+warning"}, ""))
    files.push_back(file);
  return files;
}

double sum(const std::vector<double>& values)
{
  double total = 0;
  for (const double value : values)
    total += value;
  return total;
}

/// Lateral area of all edges between neurite samples, which every policy must keep. Other edges depend on the soma.
double neuriteArea(const morphology::Morphology& cell)
{
  double area = 0;
  for (std::size_t i = 0; i < cell.samples(); ++i) {
    if (cell.parent[i] < 0)
      continue;
    const auto p = static_cast<std::size_t>(cell.parent[i]);
    const double length = std::hypot(cell.x[i] - cell.x[p], cell.y[i] - cell.y[p], cell.z[i] - cell.z[p]);
    const double r0 = cell.solvedRadius[p], r1 = cell.solvedRadius[i];
    if (length > 0 && cell.type[p] != morphology::kSoma && cell.type[i] != morphology::kSoma)
      area += pi * (r0 + r1) * std::hypot(length, r0 - r1);
  }
  return area;
}

/// What is wrong with a discretization, empty if nothing.
QString fault(const Discretization& cells)
{
  const HinesSystem& s = *cells.system;
  validate(s);
  std::vector<double> neighbours(s.size(), 0.0);
  std::size_t roots = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s.parent[i] < 0) {
      ++roots;
      continue;
    }
    if (!(s.u[i] < 0))
      return QString("compartment %1 is not coupled").arg(i);
    neighbours[i] -= s.u[i];
    neighbours[static_cast<std::size_t>(s.parent[i])] -= s.u[i];
  }
  for (std::size_t i = 0; i < s.size(); ++i) {
    const auto& p = cells.parameters;
    const double membrane = cells.area[i] * (1e-5 * p.membraneCapacitance / p.timeStep + 1e-2 * p.leakConductance);
    if (!(cells.area[i] > 0) && (s.parent[i] >= 0 || cells.branch[i] >= 0))
      return QString("compartment %1 has no area").arg(i);
    // Strict where adding the membrane's conductance does not vanish in rounding.
    if (!(s.d[i] > neighbours[i]) && membrane > 1e-14 * neighbours[i])
      return QString("row %1 is not dominant").arg(i);
    if (!(s.d[i] > 0) || std::abs(s.d[i] - membrane - neighbours[i]) > 1e-12 * s.d[i])
      return QString("row %1 has a wrong diagonal").arg(i);
  }
  if (roots > cells.morphology->roots.size())
    return "there are more trees than roots";
  for (std::size_t sample = 0; sample < cells.ofSample.size(); ++sample) {
    const std::int32_t compartment = cells.ofSample[sample];
    if (compartment < 0 || compartment >= static_cast<std::int32_t>(cells.compartments()))
      return QString("sample %1 has no compartment").arg(sample);
    const std::int32_t branch = cells.branch[static_cast<std::size_t>(compartment)];
    const std::int32_t own = cells.branches->ofSample[sample];
    if (branch >= 0 && own >= 0 && branch > own)
      return QString("sample %1 lies in a branch below its own").arg(sample);
  }
  return {};
}

} // namespace

/// Every shared file, real or with a quirk, under every policy.
class TestDiscretizationFiles : public QObject
{
  Q_OBJECT

private slots:
  void everyFileUnderEveryPolicy_data();
  void everyFileUnderEveryPolicy();
};

void TestDiscretizationFiles::everyFileUnderEveryPolicy_data()
{
  QTest::addColumn<QString>("file");
  const std::vector<std::string> files = allReadableFiles();
  for (const std::string& file : files)
    QTest::newRow(file.c_str()) << QString::fromStdString(file);
  if (files.empty())
    QTest::newRow("no shared morphologies") << QString();
}

void TestDiscretizationFiles::everyFileUnderEveryPolicy()
{
  QFETCH(QString, file);
  if (file.isEmpty())
    QSKIP("The shared morphologies are not here.");
  const auto cell = morphology::readSwc(kMorphologies / file.toStdString());
  const auto branches = std::make_shared<const morphology::BranchTree>(morphology::findBranches(*cell));
  const double lower = neuriteArea(*cell);
  double area = -1;
  for (const int policy : {0, 1, 2, 3}) {
    for (const std::int32_t resolution : {1, 3}) {
      DiscretizationParameters parameters;
      parameters.policy = static_cast<DiscretizationPolicy>(policy);
      parameters.resolution = resolution;
      std::shared_ptr<const Discretization> cells;
      try {
        cells = discretize(cell, branches, parameters);
      } catch (const Error& error) {
        // A quirk file has coordinates of 1e39: too long for compartments of a limited length, and for nothing else.
        QCOMPARE(error.code(), ErrorCode::OutOfMemory);
        QVERIFY(policy >= 2 && measure(*cell, *branches).totalLength > 1e9);
        continue;
      }
      const QString found = fault(*cells);
      QVERIFY2(found.isEmpty(), qPrintable(QString("policy %1: %2").arg(policy).arg(found)));
      if (area < 0)
        area = sum(cells->area);
      QVERIFY(std::abs(sum(cells->area) - area) <= 1e-9 * area);
    }
  }
  QVERIFY(area >= lower * (1 - 1e-6));
}

HINESIGHT_TEST(TestDiscretizationFiles)
#include "test_discretization_files.moc"
